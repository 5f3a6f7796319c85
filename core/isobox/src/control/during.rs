//! What leaves a sandbox as it was: a snapshot, copies, new limits. No other operation has it meanwhile.

use super::Control;
use super::action::Doing;
use isobox_contract::{Action, Error, ErrorCode, Result, Sandbox, State};
use isobox_control::{ActionRequest, Transition};
use std::future::Future;
use std::sync::Arc;

impl Control {
    /// Does something to a sandbox after which it is in the state that it was in.
    pub(crate) async fn during<T>(
        &self,
        sandbox: &Arc<dyn Sandbox>,
        action: Action,
        act: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let mut request = ActionRequest::new(*sandbox.id(), action);
        request.owner = Some(self.owner());
        let doing = Doing::of(self, sandbox.clone(), request.operation);
        let begun = match self.take(request.clone(), Some(sandbox)).await {
            Err(error) if error.code() == ErrorCode::InvalidState && self.catch_up(&**sandbox).await? => {
                self.take(request, Some(sandbox)).await
            }
            begun => begun,
        };
        if let Err(error) = begun {
            // It may have been begun when the waiting ended.
            doing.failed(&error).await;
            return Err(error);
        }
        match act.await {
            Ok(done) => {
                doing.done_as_it_was().await;
                Ok(done)
            }
            Err(error) => {
                doing.failed(&error).await;
                Err(error)
            }
        }
    }

    /// Writes down what a sandbox is doing when that is something else than what is written, as after an end that nobody saw.
    /// Whether it was.
    async fn catch_up(&self, sandbox: &dyn Sandbox) -> Result<bool> {
        let written = self.store().sandbox(sandbox.id()).await?.state;
        let state = sandbox.describe().await.map_or(State::Unknown, |status| status.state);
        if state == written || !state.is_stable() || written == State::Deleted {
            return Ok(false);
        }
        Ok(self.store().transition(sandbox.id(), Transition::to(state, Action::Attach)).await.is_ok())
    }
}

/// Why an operation has no end of its own.
pub(super) fn broken_off(action: Action, sandbox: &dyn Sandbox) -> Error {
    let message = format!("the process that did the {action} ended before it was done");
    Error::new(ErrorCode::Incomplete, message).with_sandbox(sandbox.id())
}
