//! From ready to taken.

use super::shared::Ready;
use crate::control::in_background;
use crate::sandbox::Sandbox;
use isobox_contract::{Action, Error, ErrorCode, Labels, Lifetime, Owner, Result, SandboxSpec, State};
use isobox_control::Handout;
use tokio::task::JoinHandle;

/// What a sandbox is to be like beside what the pool says; nothing by default.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct TakeOptions {
    name: Option<String>,
    labels: Labels,
    ttl: Option<Lifetime>,
}

impl TakeOptions {
    /// Names it; unique among live sandboxes.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Adds a label to those of the pool.
    pub fn label(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.labels.insert(name.into(), value.into());
        self
    }

    /// Sets how long it may exist from now on, in place of the pool's.
    pub fn ttl(mut self, ttl: impl Into<Lifetime>) -> Self {
        self.ttl = Some(ttl.into());
        self
    }

    /// Says it in a spec; whether there was anything to say.
    pub(super) fn change(self, spec: &mut SandboxSpec) -> bool {
        let changed = self.name.is_some() || !self.labels.is_empty() || self.ttl.is_some();
        spec.name = self.name;
        spec.labels.extend(self.labels);
        spec.lifetimes.ttl = self.ttl.or(spec.lifetimes.ttl);
        changed
    }
}

/// Why a sandbox was not handed out.
pub(super) enum Undelivered {
    /// It cannot be used, and is on its way out.
    Useless(Error),
    /// It is as good as before.
    Refused(Ready, Error),
}

/// A hand-out that is going on. Dropping it removes what nobody has got, also one that is detached by then.
struct Delivery(Option<JoinHandle<Result<Sandbox, Undelivered>>>);

impl Drop for Delivery {
    fn drop(&mut self) {
        let Some(going_on) = self.0.take() else { return };
        in_background(async move {
            if let Ok(Ok(sandbox)) = going_on.await
                && let Err(error) = sandbox.delete().await
            {
                tracing::warn!(code = %error.code(), "a sandbox that nobody waited for is not removed");
            }
        });
    }
}

/// Hands a sandbox out.
pub(super) async fn deliver(ready: Ready, spec: SandboxSpec) -> Result<Sandbox, Undelivered> {
    let mut delivery = Delivery(None);
    let done = delivery.0.insert(tokio::spawn(hand_out(ready, spec))).await;
    delivery.0 = None;
    done.unwrap_or_else(|_| Err(Undelivered::Useless(Error::internal("a hand-out ended without a word"))))
}

async fn hand_out(ready: Ready, spec: SandboxSpec) -> Result<Sandbox, Undelivered> {
    let written = async {
        lives(ready.sandbox()).await?;
        written(ready.sandbox(), spec).await
    };
    match written.await {
        Ok(sandbox) => Ok(sandbox),
        Err(error) if error.code() == ErrorCode::AlreadyExists => Err(Undelivered::Refused(ready, error)),
        Err(error) => {
            ready.discard();
            Err(Undelivered::Useless(error))
        }
    }
}

/// Asks the agent in it: what is dead does not answer.
async fn lives(sandbox: &Sandbox) -> Result<()> {
    match sandbox.describe().await?.state {
        State::Running => Ok(()),
        state => Err(Error::invalid_state(state, Action::Attach)),
    }
}

/// Writes it down, and makes it what it is from now on.
async fn written(sandbox: &Sandbox, spec: SandboxSpec) -> Result<Sandbox> {
    let (control, detached) = (sandbox.isobox().control(), spec.owner == Owner::Detached);
    let handout = Handout { sandbox: *sandbox.id(), spec, owner: Some(control.owner()) };
    let entry = control.store().hand_out(handout).await?;
    let taken = sandbox.handed_over(&entry);
    taken.live_from_now().await?;
    if detached {
        taken.let_go().await?;
    }
    Ok(taken)
}
