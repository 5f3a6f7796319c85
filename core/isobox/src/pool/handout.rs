//! From ready to taken.

use super::ready::Ready;
use crate::builder::{DEFAULT_CREATE_TIMEOUT, DEFAULT_DETACHED_TTL};
use crate::control::in_background;
use crate::sandbox::Sandbox;
use isobox_contract::{Action, Error, ErrorCode, Labels, Lifetime, Owner, Result, SandboxSpec, State};
use isobox_control::{Handout, SandboxEntry};
use std::future::Future;
use std::time::Duration;
use tokio::task::JoinHandle;

/// What a sandbox is to be like beside what the pool says; nothing by default.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct TakeOptions {
    name: Option<String>,
    labels: Labels,
    ttl: Option<Lifetime>,
    detached: bool,
    timeout: Option<Duration>,
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

    /// Lets it live on without its handle and this process, also when the pool does not say so. Without any lifetime its ttl is
    /// [`DEFAULT_DETACHED_TTL`].
    pub fn detached(mut self) -> Self {
        self.detached = true;
        self
    }

    /// Sets how long it may take to get one when none is ready; [`DEFAULT_CREATE_TIMEOUT`] by default.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    pub(super) fn patience(&self) -> Duration {
        self.timeout.unwrap_or(DEFAULT_CREATE_TIMEOUT)
    }

    pub(super) fn has_timeout(&self) -> bool {
        self.timeout.is_some()
    }

    /// Says it in a spec; whether there was anything to say.
    pub(super) fn change(self, spec: &mut SandboxSpec) -> bool {
        let changed = self.name.is_some() || !self.labels.is_empty() || self.ttl.is_some() || self.detached;
        spec.name = self.name;
        spec.labels.extend(self.labels);
        spec.lifetimes.ttl = self.ttl.or(spec.lifetimes.ttl);
        if self.detached {
            spec.owner = Owner::Detached;
            // It is for as long as there is an owner.
            spec.lifetimes.owner_lease = None;
            if spec.lifetimes.ttl.is_none() && spec.lifetimes.idle_timeout.is_none() {
                spec.lifetimes.ttl = Some(DEFAULT_DETACHED_TTL.into());
            }
        }
        changed
    }
}

/// Why a sandbox was not handed out.
pub(super) enum Undelivered {
    /// It cannot be used, and is on its way out or somebody else's.
    Useless(Error),
    /// It is as good as before.
    Refused(Ready, Error),
}

/// What is being handed out; nothing when there was none.
type Handed<E> = Result<Option<Sandbox>, E>;

/// A hand-out that is going on. Dropping it removes what nobody has got, also one that is detached by then.
struct Delivery<E: Send + 'static>(Option<JoinHandle<Handed<E>>>);

impl<E: Send + 'static> Drop for Delivery<E> {
    fn drop(&mut self) {
        let Some(going_on) = self.0.take() else { return };
        in_background(async move {
            if let Ok(Ok(Some(sandbox))) = going_on.await
                && let Err(error) = sandbox.delete().await
            {
                tracing::warn!(code = %error.code(), "a sandbox that nobody waited for is not removed");
            }
        });
    }
}

/// Runs a hand-out to its end, whoever stops waiting for it.
pub(super) async fn delivered<E: Send + 'static>(
    hand_out: impl Future<Output = Handed<E>> + Send + 'static,
    broken: impl FnOnce(Error) -> E,
) -> Handed<E> {
    let mut delivery = Delivery(None);
    let done = delivery.0.insert(tokio::spawn(hand_out)).await;
    delivery.0 = None;
    done.unwrap_or_else(|_| Err(broken(Error::internal("a hand-out ended without a word"))))
}

/// Hands out what this process keeps ready.
pub(super) async fn deliver(ready: Ready, spec: SandboxSpec) -> Result<Sandbox, Undelivered> {
    let handed = delivered(async move { hand_out(ready, spec).await.map(Some) }, Undelivered::Useless).await?;
    handed.ok_or_else(|| Undelivered::Useless(Error::internal("a hand-out has given nothing")))
}

async fn hand_out(mut ready: Ready, spec: SandboxSpec) -> Result<Sandbox, Undelivered> {
    let claimed = async {
        lives(ready.sandbox()).await?;
        claimed(ready.sandbox(), &spec).await
    };
    let entry = match claimed.await {
        Ok(entry) => entry,
        Err(error) if error.code() == ErrorCode::AlreadyExists => return Err(Undelivered::Refused(ready, error)),
        Err(error) => {
            // One that another process has taken meanwhile is left alone.
            ready.discard();
            return Err(Undelivered::Useless(error));
        }
    };
    let offered = ready.claim();
    match made_over(ready.sandbox(), &entry, spec.owner, offered).await {
        Ok(sandbox) => Ok(sandbox),
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

/// Writes down that it is taken.
async fn claimed(sandbox: &Sandbox, spec: &SandboxSpec) -> Result<SandboxEntry> {
    let control = sandbox.isobox().control();
    let handout = Handout { sandbox: *sandbox.id(), spec: spec.clone(), owner: Some(control.owner()) };
    control.store().hand_out(handout).await
}

/// Makes it what it is from now on.
async fn made_over(sandbox: &Sandbox, entry: &SandboxEntry, owner: Owner, offered: bool) -> Result<Sandbox> {
    let taken = sandbox.handed_over(entry);
    if offered {
        taken.take_over().await?;
    }
    taken.live_from_now().await?;
    if owner == Owner::Detached {
        taken.let_go().await?;
    }
    Ok(taken)
}
