//! Writing down what is done to a sandbox, one thing at a time for all processes.

use super::during::broken_off;
use super::turn::{Answer, Patience, Waiting};
use super::{Control, Recorder, in_background, insist};
use isobox_contract::{
    Action, Context, Error, ErrorCode, OperationId, OwnerId, Report, Result, Sandbox, SandboxId, State,
};
use isobox_control::{ActionRequest, Admission, Begun, Life, OperationEntry, Outcome, Store, Transition, ended, life};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

/// How long to wait for an operation of another process before looking whether that process lives.
pub(super) const LOOK: Duration = Duration::from_secs(1);
/// How long to wait for one: longer than any takes that is not stuck.
pub(super) const PATIENCE: Duration = Duration::from_secs(90);

/// Something that is being done. Dropping it says that it was given up, with whatever state the sandbox is in then.
pub(super) struct Doing {
    store: Arc<dyn Store>,
    recorder: Recorder,
    sandbox: Arc<dyn Sandbox>,
    operation: Option<OperationId>,
}

impl Control {
    /// Does something to a sandbox that leaves it in a state.
    pub(crate) async fn act(
        &self,
        sandbox: &Arc<dyn Sandbox>,
        action: Action,
        after: State,
        act: impl Future<Output = Result<()>>,
    ) -> Result<()> {
        let mut request = ActionRequest::new(*sandbox.id(), action);
        request.owner = Some(self.owner());
        if action == Action::Start {
            request.admission = Admission::InTurn;
        }
        // Before it is begun: whoever stops waiting for that does not know whether it was.
        let operation = Some(request.operation);
        let (store, recorder) = (self.store.clone(), self.recorder.clone());
        let mut doing = Doing { store, recorder, sandbox: sandbox.clone(), operation };
        match self.take(request, Some(sandbox)).await {
            Ok(Some(_)) => {}
            Ok(None) => {
                doing.operation = None;
                // As far as is written down. The provider knows better, and does nothing when it is so.
                return act.await;
            }
            Err(error) => {
                // It may have been begun when the waiting ended.
                doing.failed(&error).await;
                return Err(error);
            }
        }
        match act.await {
            Ok(()) => doing.done(after).await,
            Err(error) => {
                doing.failed(&error).await;
                Err(error)
            }
        }
    }

    /// Waits until no other operation has the sandbox, for a minute and a half; nothing when there is nothing to do. With a handle,
    /// what an operation of a dead process has left is looked at first, since not everything can follow it.
    pub(super) async fn take(
        &self,
        request: ActionRequest,
        sandbox: Option<&Arc<dyn Sandbox>>,
    ) -> Result<Option<OperationId>> {
        self.recorder.check()?;
        let taken = tokio::time::timeout(PATIENCE, self.take_in_time(request, sandbox)).await;
        taken.unwrap_or_else(|_| Err(Error::timeout("waiting for another operation on the sandbox", PATIENCE)))
    }

    async fn take_in_time(
        &self,
        mut request: ActionRequest,
        sandbox: Option<&Arc<dyn Sandbox>>,
    ) -> Result<Option<OperationId>> {
        let mut seen = None;
        // Whatever it is, it can be deleted.
        let sandbox = sandbox.filter(|_| request.action != Action::Delete);
        loop {
            match self.recorder.before(self.begun(request.clone())).await {
                Ok(Begun::Begun { operation, .. }) => return Ok(Some(operation.id)),
                Ok(Begun::Done { .. }) => return Ok(None),
                Ok(Begun::Busy { operation }) => match (self.outlast(&operation).await?, sandbox) {
                    (Some(dead), Some(sandbox)) if seen != Some(dead) => {
                        seen = Some(dead);
                        let error = Report::from(&broken_off(operation.action, &**sandbox));
                        give_up(self.store.clone(), sandbox.clone(), operation.id, error).await;
                    }
                    (dead, _) => request.instead_of = dead,
                },
                Ok(_) => return Err(Error::internal("the books know an answer that is not known here")),
                // It has ended meanwhile.
                Err(error) if error.code() == ErrorCode::Conflict && request.instead_of.is_some() => {
                    request.instead_of = None;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Begins it, when there is room for that.
    async fn begun(&self, request: ActionRequest) -> Result<Begun> {
        if request.admission == Admission::Unchecked {
            return self.store.begin(request).await;
        }
        let waiting = Waiting {
            operation: request.operation,
            others: Vec::new(),
            action: request.action,
            undone: State::Stopped,
            background: false,
            patience: Patience { until: None, events: Context::quiet().events },
        };
        self.admitted(waiting, request, |store, request| Box::pin(ask(store, request))).await
    }

    /// Waits for the end of an operation; gives it when it will have none, because its process is dead.
    pub(super) async fn outlast(&self, operation: &OperationEntry) -> Result<Option<OperationId>> {
        loop {
            if self.is_dead(operation.owner).await? {
                return Ok(Some(operation.id));
            }
            match tokio::time::timeout(LOOK, ended(&*self.store, &operation.id)).await {
                // One that is not known any more is over for long.
                Ok(Err(error)) if error.code() != ErrorCode::NotFound => return Err(error),
                Ok(_) => return Ok(None),
                Err(_) => {}
            }
        }
    }

    /// Whether a process is dead. Of one that is not known nothing is said.
    pub(crate) async fn is_dead(&self, owner: Option<OwnerId>) -> Result<bool> {
        let Some(owner) = owner else { return Ok(false) };
        let known = self.store.owner(&owner).await?;
        Ok(known.is_some_and(|owner| owner.ended_at.is_some() || life(&self.home, &owner) == Life::Dead))
    }
}

async fn ask(store: Arc<dyn Store>, request: ActionRequest) -> Result<Answer<ActionRequest, Begun>> {
    Ok(match store.begin(request).await? {
        Begun::Queued { request, held } => Answer::Queued(*request, held),
        answer => Answer::Here(answer),
    })
}

impl Doing {
    pub(super) fn of(control: &Control, sandbox: Arc<dyn Sandbox>, operation: OperationId) -> Self {
        let (store, recorder) = (control.store.clone(), control.recorder.clone());
        Self { store, recorder, sandbox, operation: Some(operation) }
    }

    /// Writes down that it is done, and that the sandbox is as it was. It is done all the same when that cannot be written.
    pub(super) async fn done_as_it_was(mut self) {
        let Some(operation) = self.operation else { return };
        let state = self.sandbox.describe().await.map_or(State::Unknown, |status| status.state);
        let confirmed = self.recorder.before(self.store.confirm(&operation, Outcome::state(state))).await;
        match confirmed {
            Err(error) if error.code() != ErrorCode::SandboxGone => {
                give_up(self.store.clone(), self.sandbox.clone(), operation, Report::from(&error)).await;
            }
            _ => {}
        }
        // Not before: nobody may be waiting for this any more.
        self.operation = None;
    }

    async fn done(mut self, after: State) -> Result<()> {
        if let Some(operation) = &self.operation {
            match self.recorder.before(self.store.confirm(operation, Outcome::state(after))).await {
                // A sandbox that was found dead meanwhile is deleted all the same.
                Err(error) if after == State::Deleted && error.code() == ErrorCode::SandboxGone => {}
                confirmed => drop(confirmed?),
            }
        }
        self.operation = None;
        Ok(())
    }

    pub(super) async fn failed(mut self, error: &Error) {
        if let Some(operation) = self.operation {
            give_up(self.store.clone(), self.sandbox.clone(), operation, Report::from(error)).await;
            self.operation = None;
        }
    }
}

impl Drop for Doing {
    fn drop(&mut self) {
        let Some(operation) = self.operation.take() else { return };
        let (store, sandbox) = (self.store.clone(), self.sandbox.clone());
        in_background(async move {
            give_up(store, sandbox, operation, Report::from(&Error::cancelled("the operation"))).await;
        });
    }
}

/// Writes down that an operation failed, and what its sandbox is doing after that.
async fn give_up(store: Arc<dyn Store>, sandbox: Arc<dyn Sandbox>, operation: OperationId, error: Report) {
    let id = *sandbox.id();
    // The error to report is the first one; without this the operation would have the sandbox for ever.
    let written = insist(move || {
        let (store, sandbox, error) = (store.clone(), sandbox.clone(), error.clone());
        async move {
            let state = match sandbox.describe().await {
                Ok(status) => status.state,
                // Of what may be half gone nobody can say more, and whoever cleans up ends it.
                Err(_) if matches!(store.state(sandbox.id()).await, Ok(State::Deleting)) => State::Deleting,
                Err(_) => State::Unknown,
            };
            observed(&*store, sandbox.id(), &operation, error, state).await
        }
    });
    // One that had ended by then has succeeded, or failed with an error of its own.
    if let Err(error) = written.await
        && !matches!(error.code(), ErrorCode::NotFound | ErrorCode::InvalidState)
    {
        tracing::warn!(sandbox = %id, code = %error.code(), "the end of an operation is not written down");
    }
}

/// Ends an operation whose sandbox was seen in a state that may be none that it leads to, such as running after a stop.
pub(super) async fn observed(
    store: &dyn Store,
    sandbox: &SandboxId,
    operation: &OperationId,
    report: Report,
    state: State,
) -> Result<()> {
    match store.fail(operation, report.clone(), Some(state)).await {
        Err(error) if error.code() == ErrorCode::InvalidState => {
            store.fail(operation, report, Some(State::Unknown)).await?;
            store.transition(sandbox, Transition::to(state, Action::Attach)).await.map(drop)
        }
        done => done.map(drop),
    }
}
