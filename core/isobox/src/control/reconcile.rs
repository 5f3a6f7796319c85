//! Cleaning up after processes that ended without a word.

use super::Control;
use super::action::observed;
use crate::registry::Registry;
use isobox_contract::{
    Action, Context, DeathCause, Error, ErrorCode, PostMortem, Report, Result, SandboxRecord, State, Timestamp,
};
use isobox_control::{
    ActionRequest, OperationEntry, OperationFilter, Outcome, Retention, SandboxEntry, SandboxFilter, Transition, bury,
};

/// The most operations that are looked at in one go.
const MOST: usize = 10_000;

/// What was cleaned up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reconciled {
    /// Processes that were found dead.
    pub processes: usize,
    /// Sandboxes of dead processes that were removed.
    pub removed: usize,
    /// Sandboxes that were gone and are written down as that now.
    pub gone: usize,
    /// What could not be cleaned up, and why. It is tried again next time.
    pub failed: Vec<String>,
}

impl Control {
    /// Finds what dead processes have left and removes it. With `all`, sandboxes that belong to nobody are looked after too.
    pub(crate) async fn reconcile(&self, registry: &Registry, all: bool) -> Result<Reconciled> {
        let mut done =
            Reconciled { processes: bury(&self.home, &**self.store()).await?.len(), ..Reconciled::default() };
        let running =
            self.store().operations(OperationFilter { running: true, ..OperationFilter::default() }, MOST).await?;
        for entry in self.all(&SandboxFilter::default()).await? {
            let operation = running.iter().find(|operation| operation.sandbox == Some(entry.id));
            if let Err(error) = self.settle(registry, &entry, operation, all, &mut done).await {
                done.failed.push(format!("{}: {error}", entry.id));
            }
        }
        if all {
            self.store().prune(&Retention::default()).await?;
        }
        Ok(done)
    }

    async fn settle(
        &self,
        registry: &Registry,
        entry: &SandboxEntry,
        operation: Option<&OperationEntry>,
        all: bool,
        done: &mut Reconciled,
    ) -> Result<()> {
        let abandoned = match operation {
            Some(operation) => self.is_dead(operation.owner).await?.then_some(operation),
            None => None,
        };
        let half_done = abandoned.is_some() && matches!(entry.state, State::Creating | State::Deleting);
        if half_done || (!entry.detached && self.is_dead(entry.owner).await?) {
            self.remove(registry, entry).await?;
            done.removed += 1;
        } else if abandoned.is_some() || (all && operation.is_none()) {
            done.gone += usize::from(self.look_at(registry, entry, abandoned).await?);
        }
        Ok(())
    }

    /// Removes what is left of a sandbox whose process is dead.
    pub(super) async fn remove(&self, registry: &Registry, entry: &SandboxEntry) -> Result<()> {
        let Some(operation) = self
            .take(ActionRequest { owner: Some(self.owner()), ..ActionRequest::new(entry.id, Action::Delete) })
            .await?
        else {
            return Ok(());
        };
        let context = Context::quiet();
        let removed = async { registry.named(entry.provider.as_str())?.delete(&whichever(entry)?, &context).await };
        if let Err(error) = removed.await {
            self.store().fail(&operation, Report::from(&error), Some(State::Error)).await?;
            return Err(error);
        }
        let post_mortem = PostMortem::new(entry.id, DeathCause::OwnerLost, Timestamp::now());
        if entry.state != State::Creating {
            self.store().record_death(post_mortem, State::Deleted).await?;
            return Ok(());
        }
        self.store().confirm(&operation, Outcome::state(State::Deleted)).await.map(drop)
    }

    /// Looks what a sandbox is doing, and writes it down when that is what nobody knows. Whether it is gone.
    async fn look_at(
        &self,
        registry: &Registry,
        entry: &SandboxEntry,
        abandoned: Option<&OperationEntry>,
    ) -> Result<bool> {
        let Some(record) = entry.record() else { return Ok(false) };
        let provider = registry.named(entry.provider.as_str())?;
        let state = match provider.attach(&record, &Context::quiet()).await {
            Err(error) if error.code() == ErrorCode::NotFound => {
                self.lost(&*provider, entry).await?;
                return Ok(true);
            }
            found => found?.describe().await?.state,
        };
        if let Some(operation) = abandoned {
            let message = format!("the process that did the {} ended before it was done", operation.action);
            let error = Error::new(ErrorCode::Incomplete, message).with_sandbox(&entry.id);
            observed(&**self.store(), &entry.id, &operation.id, &error, state).await?;
        } else if state != entry.state && state.is_stable() {
            self.store().transition(&entry.id, Transition::to(state, Action::Attach)).await?;
        }
        Ok(false)
    }
}

/// Its record, or what stands for one that the provider did not live to give.
fn whichever(entry: &SandboxEntry) -> Result<SandboxRecord> {
    if let Some(record) = entry.record() {
        return Ok(record);
    }
    let external = entry.id.as_str().parse().map_err(|_| Error::internal("an id is no external id"))?;
    Ok(SandboxRecord { id: entry.id, external, data: serde_json::Value::Null })
}
