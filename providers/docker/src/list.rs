//! What there is of this isobox at the engine.

use crate::provider::Inner;
use crate::{labels, status};
use bollard::models::ContainerSummary;
use isobox_contract::{Result, SandboxId, State, Status};
use std::collections::BTreeSet;

impl Inner {
    /// Every sandbox of this isobox.
    pub(crate) async fn all(&self) -> Result<Vec<Status>> {
        let filters = labels::filters(labels::SANDBOX, None, Some(&self.places.fleet()?));
        let listed = self.engine.caller().list(&filters).await;
        let listed = listed.map_err(self.engine.failed("list its containers"))?;
        Ok(listed.iter().filter_map(summarized).collect())
    }

    /// Sandboxes of which something is left that nothing runs in, although they are not stopped.
    pub(crate) async fn leavings(&self) -> Result<Vec<SandboxId>> {
        let all = self.all().await?;
        let whole = |status: &&Status| !matches!(status.state, State::Creating | State::Error | State::Unknown);
        let whole: BTreeSet<_> = all.iter().filter(whole).filter_map(|status| status.id).collect();
        let mut left: BTreeSet<_> = all.iter().filter_map(|status| status.id).collect();
        left.extend(self.places.all());
        let (with_beside, one_shots) = self.with_beside().await?;
        left.extend(with_beside);
        // They go with their sandboxes, or their own command.
        left.retain(|id| !one_shots.contains(id));
        Ok(left.into_iter().filter(|id| !whole.contains(id)).collect())
    }
}

fn summarized(container: &ContainerSummary) -> Option<Status> {
    let all = container.labels.clone().unwrap_or_default();
    let external = container.id.as_ref()?.parse().ok()?;
    let word = container.state.map(|state| state.to_string()).unwrap_or_default();
    let state = status::state(&word, code(container.status.as_deref()), &labels::stops(&all));
    let mut status = status::labelled(&external, &all, state);
    status.id?;
    status.provider_state = word;
    status.image = container.image.clone();
    Some(status)
}

/// The exit code in the engine's sentence, `Exited (14) 3 minutes ago`, which is the only place where a list has it.
fn code(sentence: Option<&str>) -> Option<i64> {
    let (_, rest) = sentence?.split_once('(')?;
    rest.split_once(')')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_is_in_the_sentence() {
        assert_eq!(code(Some("Exited (14) 3 minutes ago")), Some(14));
        assert_eq!(code(Some("Up 3 minutes (Paused)")), None);
        assert_eq!(code(None), None);
    }
}
