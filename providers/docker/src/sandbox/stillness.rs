//! Whether a sandbox stands still, whoever has paused it.
//!
//! ```text
//! this handle pauses, resumes ──┐
//! its container is looked at ───┴──▶ what the handle refuses, and tells whoever waits for a change
//! ```

use super::Core;
use bollard::models::ContainerInspectResponse;
use isobox_contract::{Action, Error, State};
use isobox_wire::Request;

impl Core {
    /// Whether it does, as far as this handle knows.
    pub(super) fn stands_still(&self) -> bool {
        *self.paused.borrow()
    }

    /// It was just done, or seen.
    pub(super) fn seen(&self, paused: bool) {
        self.paused.send_if_modified(|known| std::mem::replace(known, paused) != paused);
    }

    /// Waits until it is another one of running and paused than `known`.
    pub(super) async fn changed(&self, known: State) -> State {
        let mut paused = self.paused.subscribe();
        loop {
            let now = if *paused.borrow_and_update() { State::Paused } else { State::Running };
            if now != known {
                return now;
            }
            // The sender is this handle's.
            let _ = paused.changed().await;
        }
    }

    /// Asks the engine how its container is, and takes notice.
    pub(super) async fn inspect(&self) -> Result<ContainerInspectResponse, bollard::errors::Error> {
        let _steady = self.steady.lock().await;
        let inspected = self.caller.inspect(self.container()).await?;
        // Copying its files, the engine lets it stand still for a moment, which nobody is told of. And what was found paused can be
        // used only when there is a connection.
        if let Some(paused) = is_paused(&inspected)
            && !self.place.is_copied()
            && (paused || self.guest.is_connected())
        {
            self.seen(paused);
        }
        Ok(inspected)
    }

    /// Looks how its container is, because somebody has done something to it. Whether that could be told.
    pub(crate) async fn look(&self) -> bool {
        if self.ended().is_some() {
            return true;
        }
        let Ok(inspected) = self.inspect().await else { return false };
        match is_paused(&inspected) {
            _ if self.place.is_copied() => false,
            Some(false) if self.stands_still() && !self.guest.is_connected() => {
                let Some(keeper) = self.keeper() else { return true };
                // By then it may be paused again.
                self.connect_again(&keeper).await && self.inspect().await.is_ok()
            }
            _ => true,
        }
    }

    /// Refuses what a paused sandbox cannot do, which is everything: its agent stands still too.
    pub(super) fn guard(&self) {
        let paused = self.paused.clone();
        self.guest.guard(Box::new(move |request| {
            let action = match request {
                Request::Hello(_) => return Ok(()),
                Request::File(_) => Action::Files,
                Request::Lifetimes(_) => Action::SetLifetimes,
                Request::Connect { .. } | Request::Ports | Request::Metrics => Action::Access,
                _ => Action::Exec,
            };
            if *paused.borrow() { Err(Error::invalid_state(State::Paused, action)) } else { Ok(()) }
        }));
    }
}

/// Whether a container stands still; nothing for one that does not run.
fn is_paused(container: &ContainerInspectResponse) -> Option<bool> {
    let state = container.state.as_ref()?;
    // Not every engine says of one that is paused that it runs.
    (state.running == Some(true) || state.paused == Some(true)).then_some(state.paused == Some(true))
}
