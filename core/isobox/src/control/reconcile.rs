//! Cleaning up after processes that ended without a word.

use super::Control;
use super::action::observed;
use super::garbage::{Garbage, GarbageKind, Reconciled};
use crate::registry::Registry;
use futures::StreamExt;
use isobox_contract::{
    Action, Context, DeathCause, Error, ErrorCode, PostMortem, Report, Result, SandboxRecord, State, Timestamp,
};
use isobox_control::{
    ActionRequest, Life, OperationEntry, OperationFilter, Outcome, SandboxEntry, SandboxFilter, Transition, bury, life,
};

/// The most operations that are looked at in one go.
const MOST: usize = 10_000;
/// How many sandboxes are looked after at once.
const AT_ONCE: usize = 8;
/// How often one that changes while it is looked at is looked at again.
const LOOKS: usize = 8;

/// What to look at, and whether to do something about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass {
    /// Sandboxes that belong to nobody too, and what has no record.
    pub(crate) all: bool,
    /// Nothing is changed.
    pub(crate) dry_run: bool,
}

/// What to do about a sandbox.
enum Verdict {
    /// Its process is dead.
    Remove(String),
    /// It is gone, and this is how it died if that is known.
    Lost(Option<Box<PostMortem>>),
    /// Its process died while it did something to it, and this is what it is doing now.
    Settle(State),
    /// It is doing something else than what is written down.
    Correct(State),
    Leave,
}

/// What came of one look.
enum Look {
    Settled(Option<Garbage>),
    /// It is not as it was read.
    Stale,
}

impl Control {
    /// Finds what dead processes have left and removes it.
    pub(crate) async fn reconcile(&self, registry: &Registry, pass: Pass) -> Result<Reconciled> {
        isobox_fault::point!("reconcile.begun");
        let mut done = Reconciled::default();
        for owner in self.dead(pass).await? {
            done.add(Garbage::process(&owner));
        }
        isobox_fault::point!("reconcile.buried");
        // The dead of a dry run are not written down as that.
        let abandoned = !pass.all && !pass.dry_run;
        let entries = self.all(&SandboxFilter { abandoned, ..SandboxFilter::default() }).await?;
        // After these: what is begun meanwhile must not look abandoned.
        let running =
            self.store().operations(OperationFilter { running: true, ..OperationFilter::default() }, MOST).await?;
        if pass.all {
            isobox_fault::point!("reconcile.read");
        }
        let each = futures::stream::iter(entries).map(|entry| {
            let operation = running.iter().find(|operation| operation.sandbox == Some(entry.id)).cloned();
            async move { (entry.id, self.settle(registry, entry, operation, pass).await) }
        });
        let mut settled = std::pin::pin!(each.buffer_unordered(AT_ONCE));
        while let Some((id, settled)) = settled.next().await {
            match settled {
                Ok(found) => found.into_iter().for_each(|garbage| done.add(garbage)),
                Err(error) => done.failed.push(format!("{id}: {error}")),
            }
        }
        self.reconcile_volumes(registry, pass, &mut done).await?;
        self.reconcile_snapshots(registry, pass, &mut done).await?;
        self.reconcile_images(registry, pass, &mut done).await?;
        if pass.all {
            self.unknown(registry, pass, &mut done).await;
            self.unknown_locks(pass, &mut done).await?;
        }
        if pass.all && !pass.dry_run {
            self.store().prune(self.retention()).await?;
        }
        Ok(done)
    }

    /// The processes that are dead and were not written down as that.
    async fn dead(&self, pass: Pass) -> Result<Vec<isobox_control::OwnerEntry>> {
        if !pass.dry_run {
            return bury(&self.home, &**self.store()).await;
        }
        let owners = self.store().owners().await?;
        Ok(owners.into_iter().filter(|owner| life(&self.home, owner) == Life::Dead).collect())
    }

    /// Does what there is to do about a sandbox; what another process is removing is gone when this returns.
    pub(super) async fn settle(
        &self,
        registry: &Registry,
        mut entry: SandboxEntry,
        mut operation: Option<OperationEntry>,
        pass: Pass,
    ) -> Result<Option<Garbage>> {
        for _ in 0..LOOKS {
            match self.settle_as_read(registry, &entry, operation.as_ref(), pass).await? {
                Look::Settled(found) => return Ok(found),
                Look::Stale => {}
            }
            match self.store().sandbox(&entry.id).await {
                Ok(now) if now.state != State::Deleted => entry = now,
                Err(error) if error.code() != ErrorCode::NotFound => return Err(error),
                _ => return Ok(None),
            }
            let filter = OperationFilter { running: true, sandbox: Some(entry.id), owner: None };
            operation = self.store().operations(filter, 1).await?.pop();
        }
        // Somebody lives who does that.
        Ok(None)
    }

    async fn settle_as_read(
        &self,
        registry: &Registry,
        entry: &SandboxEntry,
        operation: Option<&OperationEntry>,
        pass: Pass,
    ) -> Result<Look> {
        let abandoned = match operation {
            Some(operation) => self.is_dead(operation.owner).await?.then_some(operation),
            None => None,
        };
        let found = match self.verdict(registry, entry, operation, abandoned, pass.all).await? {
            Verdict::Leave => None,
            Verdict::Remove(_) if !pass.dry_run && !self.remove(registry, entry).await? => return Ok(Look::Stale),
            Verdict::Remove(reason) => Some(Garbage::of(GarbageKind::Sandbox, entry, reason)),
            // Somebody has removed it meanwhile, on purpose.
            Verdict::Lost(_) if self.store().sandbox(&entry.id).await?.version != entry.version => None,
            Verdict::Lost(died) => {
                if !pass.dry_run {
                    self.lost(&*registry.named(entry.provider.as_str())?, entry, died).await?;
                }
                Some(Garbage::of(GarbageKind::Record, entry, "it is not there any more".into()))
            }
            Verdict::Settle(state) => {
                if let (Some(operation), false) = (abandoned, pass.dry_run) {
                    self.abandon(entry, operation, state).await?;
                }
                None
            }
            Verdict::Correct(state) => {
                if !pass.dry_run {
                    let seen = Transition { version: Some(entry.version), ..Transition::to(state, Action::Attach) };
                    match self.store().transition(&entry.id, seen).await {
                        Err(error) if error.code() == ErrorCode::Conflict => return Ok(Look::Stale),
                        corrected => drop(corrected?),
                    }
                }
                None
            }
        };
        Ok(Look::Settled(found))
    }

    async fn verdict(
        &self,
        registry: &Registry,
        entry: &SandboxEntry,
        operation: Option<&OperationEntry>,
        abandoned: Option<&OperationEntry>,
        all: bool,
    ) -> Result<Verdict> {
        if let Some(operation) = abandoned
            && matches!(entry.state, State::Creating | State::Deleting)
        {
            let reason = format!("the process that did its {} is dead", operation.action);
            return Ok(Verdict::Remove(reason));
        }
        // Its engine was gone before all of it was.
        if entry.state == State::Deleting && operation.is_none() {
            return Ok(Verdict::Remove("its deletion was not finished".into()));
        }
        if !entry.detached && self.is_dead(entry.owner).await? {
            return Ok(Verdict::Remove("the process that owned it is dead".into()));
        }
        if abandoned.is_some() || (all && operation.is_none()) {
            return self.look_at(registry, entry, abandoned.is_some()).await;
        }
        Ok(Verdict::Leave)
    }

    /// Looks what a sandbox is doing.
    async fn look_at(&self, registry: &Registry, entry: &SandboxEntry, abandoned: bool) -> Result<Verdict> {
        let Some(record) = entry.record() else {
            // Undoing a creation has failed, which has no second chance but this.
            let half = entry.state == State::Error;
            return Ok(if half { Verdict::Remove("it was never whole".into()) } else { Verdict::Leave });
        };
        let provider = registry.named(entry.provider.as_str())?;
        let state = match provider.attach(&record, &Context::quiet()).await {
            Err(error) if is_gone(&error) => return Ok(Verdict::Lost(error.post_mortem().cloned().map(Box::new))),
            found => found?.describe().await?.state,
        };
        Ok(match abandoned {
            true => Verdict::Settle(state),
            false if state != entry.state && state.is_stable() => Verdict::Correct(state),
            false => Verdict::Leave,
        })
    }

    /// Ends an operation whose process is dead.
    async fn abandon(&self, entry: &SandboxEntry, operation: &OperationEntry, state: State) -> Result<()> {
        let message = format!("the process that did the {} ended before it was done", operation.action);
        let error = Error::new(ErrorCode::Incomplete, message).with_sandbox(&entry.id);
        observed(&**self.store(), &entry.id, &operation.id, Report::from(&error), state).await
    }

    /// Removes what is left of a sandbox whose process is dead. False, and nothing is done, when it is another by now than what
    /// was read: its process has finished making it, or let it go, before it died, or somebody has taken it from its pool, or is
    /// removing it.
    pub(crate) async fn remove(&self, registry: &Registry, entry: &SandboxEntry) -> Result<bool> {
        let request = ActionRequest {
            owner: Some(self.owner()),
            version: Some(entry.version),
            ..ActionRequest::new(entry.id, Action::Delete)
        };
        let operation = match self.take(request, None).await {
            Ok(Some(operation)) => operation,
            Ok(None) => return Ok(true),
            Err(error) if error.code() == ErrorCode::Conflict => return Ok(false),
            Err(error) => return Err(error),
        };
        isobox_fault::point!("reconcile.taken");
        let context = Context::quiet();
        let removed = async { registry.named(entry.provider.as_str())?.delete(&whichever(entry)?, &context).await };
        if let Err(error) = removed.await {
            // Without its engine nobody can say how far it came, and it is tried again.
            let gone = error.code() == ErrorCode::EngineUnavailable;
            let state = if gone { State::Deleting } else { State::Error };
            self.store().fail(&operation, Report::from(&error), Some(state)).await?;
            return Err(error);
        }
        isobox_fault::point!("reconcile.removed");
        // Not by its state, which tells of whoever was removing it before: what was never whole did not die.
        if entry.is_made() {
            let post_mortem = PostMortem::new(entry.id, DeathCause::OwnerLost, Timestamp::now());
            return self.store().record_death(post_mortem, State::Deleted).await.map(|_| true);
        }
        self.store().confirm(&operation, Outcome::state(State::Deleted)).await.map(|_| true)
    }
}

/// Whether a provider says of a sandbox that there is none any more.
pub(crate) fn is_gone(error: &Error) -> bool {
    matches!(error.code(), ErrorCode::NotFound | ErrorCode::SandboxGone)
}

/// Its record, or what stands for one that the provider did not live to give.
fn whichever(entry: &SandboxEntry) -> Result<SandboxRecord> {
    match entry.record() {
        Some(record) => Ok(record),
        None => nameless(&entry.id),
    }
}

/// What stands for the record of a sandbox of which nothing but the id is known.
pub(super) fn nameless(id: &isobox_contract::SandboxId) -> Result<SandboxRecord> {
    let external = id.as_str().parse().map_err(|_| Error::internal("an id is no external id"))?;
    Ok(SandboxRecord { id: *id, external, data: serde_json::Value::Null })
}
