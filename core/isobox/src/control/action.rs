//! Writing down what is done to a sandbox, one thing at a time for all processes.

use super::{Control, in_background};
use isobox_contract::{Action, Error, ErrorCode, OperationId, Report, Result, Sandbox, SandboxId, State};
use isobox_control::{ActionRequest, Begun, Life, OperationEntry, Outcome, Store, life};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

/// How long to wait for an operation of another process before looking whether that process lives.
const LOOK: Duration = Duration::from_secs(1);

/// Something that is being done. Dropping it says that it was given up, with whatever state the sandbox is in then.
struct Doing {
    store: Arc<dyn Store>,
    sandbox: Arc<dyn Sandbox>,
    operation: Option<OperationId>,
}

impl Control {
    /// Does something to a sandbox that leaves it in a state, unless it is there already.
    pub(crate) async fn act(
        &self,
        sandbox: &Arc<dyn Sandbox>,
        action: Action,
        after: State,
        act: impl Future<Output = Result<()>>,
    ) -> Result<()> {
        let Some(operation) = self.take(sandbox.id(), action).await? else { return Ok(()) };
        let doing = Doing { store: self.store.clone(), sandbox: sandbox.clone(), operation: Some(operation) };
        match act.await {
            Ok(()) => doing.done(after).await,
            Err(error) => {
                doing.failed(&error).await;
                Err(error)
            }
        }
    }

    /// Waits until no other operation has the sandbox; nothing when there is nothing to do.
    pub(super) async fn take(&self, sandbox: &SandboxId, action: Action) -> Result<Option<OperationId>> {
        let mut request = ActionRequest::new(*sandbox, action);
        request.owner = Some(self.owner());
        loop {
            let seen = self.store.last_sequence().await?;
            match self.store.begin(request.clone()).await {
                Ok(Begun::Begun { operation, .. }) => return Ok(Some(operation.id)),
                Ok(Begun::Done { .. }) => return Ok(None),
                Ok(Begun::Busy { operation }) => request.instead_of = self.wait_for(&operation, seen).await?,
                Ok(_) => return Err(Error::internal("the books know an answer that is not known here")),
                // It has ended meanwhile.
                Err(error) if error.code() == ErrorCode::Conflict && request.instead_of.is_some() => {
                    request.instead_of = None;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Waits for something to happen; the operation itself when its process is dead.
    async fn wait_for(&self, operation: &OperationEntry, seen: u64) -> Result<Option<OperationId>> {
        if tokio::time::timeout(LOOK, self.store.wait_past(seen)).await.is_ok() {
            return Ok(None);
        }
        let Some(owner) = operation.owner else { return Ok(None) };
        let dead = match self.store.owner(&owner).await? {
            Some(entry) => entry.ended_at.is_some() || life(&self.home, &entry) == Life::Dead,
            None => false,
        };
        Ok(dead.then_some(operation.id))
    }
}

impl Doing {
    async fn done(mut self, after: State) -> Result<()> {
        if let Some(operation) = &self.operation {
            let confirmed = self.store.confirm(operation, Outcome::state(after)).await;
            // A sandbox that was found dead meanwhile is deleted all the same.
            if after != State::Deleted {
                confirmed?;
            }
        }
        self.operation = None;
        Ok(())
    }

    async fn failed(mut self, error: &Error) {
        if let Some(operation) = self.operation.take() {
            let state = self.sandbox.describe().await.ok().map(|status| status.state);
            let _ = self.store.fail(&operation, Report::from(error), state).await;
        }
    }
}

impl Drop for Doing {
    fn drop(&mut self) {
        let Some(operation) = self.operation.take() else { return };
        let (store, sandbox) = (self.store.clone(), self.sandbox.clone());
        in_background(async move {
            let state = sandbox.describe().await.ok().map(|status| status.state);
            let _ = store.fail(&operation, Report::from(&Error::cancelled("the operation")), state).await;
        });
    }
}
