//! Bringing the books up to date before they are read, where others change sandboxes beside isobox.
//!
//! ```text
//!   what the books say of a provider's sandboxes ──┬── the same ──▶ nothing
//!   what the provider says, one question for all ──┘── not ──▶ that one is looked at, and corrected or written down as gone
//! ```

use super::Control;
use super::reconcile::Pass;
use crate::registry::Registry;
use futures::StreamExt;
use futures::future::BoxFuture;
use isobox_contract::{Provider, SandboxId, State};
use isobox_control::{Page, SandboxEntry, SandboxFilter};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// How long a provider may take to say what its sandboxes are doing. Afterwards the books are read as they are.
const PATIENCE: Duration = Duration::from_secs(2);
/// How many sandboxes are looked at at once.
const AT_ONCE: usize = 8;
/// What others can have changed.
const CHANGEABLE: [State; 3] = [State::Running, State::Paused, State::Stopped];

impl Control {
    /// Does so for all sandboxes.
    pub(crate) async fn freshen_all(&self, registry: &Registry) {
        for kind in registry.kinds() {
            let filter =
                SandboxFilter { provider: Some(kind.clone()), states: CHANGEABLE.to_vec(), ..SandboxFilter::default() };
            let one = Page { limit: 1, ..Page::first() };
            // Of most kinds there are none, and then nobody is asked.
            let any = self.store().sandboxes(filter.clone(), one).await.is_ok_and(|found| !found.is_empty());
            if any
                && let Ok(provider) = registry.named(kind.as_str())
                && let Some(states) = states(&provider).await
                && let Ok(entries) = self.all(&filter).await
            {
                self.compare(registry, &entries, &states).await;
            }
        }
    }

    /// Does so for some of one provider. How many were not as written.
    pub(crate) async fn freshen(&self, registry: &Registry, entries: &[SandboxEntry]) -> usize {
        let Some(first) = entries.iter().find(|entry| CHANGEABLE.contains(&entry.state)) else { return 0 };
        let Ok(provider) = registry.named(first.provider.as_str()) else { return 0 };
        match states(&provider).await {
            Some(states) => self.compare(registry, entries, &states).await,
            None => 0,
        }
    }

    /// Boxed, because the compiler cannot tell of a future with such a stream in it that it may go to another thread.
    fn compare<'a>(
        &'a self,
        registry: &'a Registry,
        entries: &'a [SandboxEntry],
        states: &'a HashMap<SandboxId, State>,
    ) -> BoxFuture<'a, usize> {
        let others = entries.iter().filter(|entry| {
            CHANGEABLE.contains(&entry.state) && states.get(&entry.id).copied().unwrap_or(State::Deleted) != entry.state
        });
        let looks = others.map(move |entry| async move {
            let pass = Pass { all: true, dry_run: false };
            // What is done to it now, whoever does that writes down.
            if let Err(error) = self.settle(registry, entry.clone(), None, pass).await {
                tracing::debug!(sandbox = %entry.id, code = %error.code(), "a sandbox is not as written and cannot be looked at");
            }
        });
        Box::pin(futures::stream::iter(looks).buffer_unordered(AT_ONCE).count())
    }
}

/// What a provider says that its sandboxes are doing; nothing from one that has nothing to say, or cannot be asked now.
async fn states(provider: &Arc<dyn Provider>) -> Option<HashMap<SandboxId, State>> {
    let asked = tokio::time::timeout(PATIENCE, provider.states()).await;
    asked.ok()?.ok()?.map(|states| states.into_iter().collect())
}
