//! Writing down how sandboxes end by themselves.

use super::insist;
use futures::FutureExt;
use isobox_contract::{Action, DeathCause, Ended, ErrorCode, Result, Sandbox, SandboxId, State};
use isobox_control::{Store, Transition};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

/// How long whoever ends a sandbox on purpose may take to write that down.
const SETTLING: Duration = Duration::from_secs(5);
/// How long something that was given up may have the turn of a sandbox whose last handle is gone.
const GIVING_UP: Duration = Duration::from_secs(60);

/// A task that waits for the end of a sandbox. It ends with this.
#[derive(Debug)]
pub(crate) struct Watch {
    /// The process whose runtime has the task. In a child that was forked nothing of it is touched.
    process: u32,
    task: JoinHandle<()>,
}

impl Watch {
    /// Watches until the sandbox ends or stops.
    pub(crate) fn over(sandbox: Arc<dyn Sandbox>, store: Arc<dyn Store>) -> Self {
        let task = tokio::spawn(async move {
            let id = *sandbox.id();
            let ended = tokio::select! {
                ended = sandbox.ended() => ended,
                () = follow(&*sandbox, &*store) => return,
            };
            let Ok(ended) = ended else { return };
            // Its last word may hold the last handle.
            drop(sandbox);
            tell(store, id, ended).await;
        });
        Self { process: std::process::id(), task }
    }
}

/// Writes down what others do to a sandbox beside isobox, until that cannot be seen any more.
async fn follow(sandbox: &dyn Sandbox, store: &dyn Store) {
    let mut known = State::Running;
    while let Ok(now) = sandbox.changed(known).await {
        known = now;
        if let Err(error) = seen(store, sandbox.id(), now).await {
            tracing::debug!(sandbox = %sandbox.id(), code = %error.code(), "a change of a sandbox is not written down");
        }
    }
}

/// Writes down what a sandbox was seen to do. What an operation does to it, that one writes down.
async fn seen(store: &dyn Store, id: &SandboxId, state: State) -> Result<()> {
    let entry = store.sandbox(id).await?;
    if entry.state == state || !matches!(entry.state, State::Running | State::Paused) {
        return Ok(());
    }
    let change = Transition { version: Some(entry.version), ..Transition::to(state, Action::Attach) };
    store.transition(id, change).await.map(drop)
}

impl Drop for Watch {
    fn drop(&mut self) {
        if std::process::id() == self.process {
            self.task.abort();
        }
    }
}

/// Writes down how a sandbox ended whose last handle is dropped here, which may be what ends it.
pub(crate) fn tell_last(sandbox: &dyn Sandbox, store: Arc<dyn Store>) -> impl Future<Output = ()> + Send + 'static {
    let id = *sandbox.id();
    let ended = sandbox.ended().now_or_never().and_then(Result::ok).unwrap_or(Ended::Deleted);
    async move {
        // A deletion that was just given up writes down what the sandbox was then, and nobody looks at it after this.
        let told = tokio::time::timeout(GIVING_UP, tell_in_turn(&store, id, &ended));
        if told.await.is_err() {
            tracing::debug!(sandbox = %id, "the end of a sandbox is not written down, something else is done to it");
        }
    }
}

/// Writes an end down once nothing else is done to the sandbox.
async fn tell_in_turn(store: &Arc<dyn Store>, id: SandboxId, ended: &Ended) {
    loop {
        let Ok(seen) = store.last_sequence().await else { return };
        match write(store.clone(), id, ended.clone()).await {
            Err(error) if error.code() == ErrorCode::Conflict => {
                if store.wait_past(seen).await.is_err() {
                    return;
                }
            }
            written => return said(id, written),
        }
    }
}

/// Writes an end down. Whoever did it on purpose writes it down too, and then this changes nothing.
async fn tell(store: Arc<dyn Store>, id: SandboxId, ended: Ended) {
    said(id, write(store, id, ended).await);
}

fn said(id: SandboxId, written: Result<()>) {
    if let Err(error) = written {
        tracing::debug!(sandbox = %id, code = %error.code(), "the end of a sandbox is not written down");
    }
}

async fn write(store: Arc<dyn Store>, id: SandboxId, ended: Ended) -> Result<()> {
    if let Ended::Died(post_mortem) = &ended
        && is_removal(&*store, &id, post_mortem.cause).await
    {
        return Ok(());
    }
    insist(move || {
        let (store, ended) = (store.clone(), ended.clone());
        async move {
            let written = match ended {
                Ended::Died(post_mortem) => store.record_death(*post_mortem, State::Deleted).await,
                Ended::Stopped => store.transition(&id, Transition::to(State::Stopped, Action::Stop)).await,
                _ => store.transition(&id, Transition::to(State::Deleted, Action::Delete)).await,
            };
            written.map(drop)
        }
    })
    .await
}

/// Has an end written down before whoever waited for it is told, who then finds the state and the post-mortem. What somebody
/// else does on purpose is theirs to write, and waited for.
pub(crate) async fn settle(store: &Arc<dyn Store>, id: &SandboxId, ended: &Ended) {
    // A stop that this handle knows of may be long ago, and the sandbox run again.
    if !matches!(ended, Ended::Stopped) {
        tell(store.clone(), *id, ended.clone()).await;
    }
    // It has ended all the same when the books cannot be read, or nobody writes it down.
    let _ = tokio::time::timeout(SETTLING, written(&**store, id)).await;
}

/// Waits until the books say that a sandbox has ended.
async fn written(store: &dyn Store, id: &SandboxId) -> Result<()> {
    loop {
        let seen = store.last_sequence().await?;
        if matches!(store.state(id).await?, State::Stopped | State::Error | State::Deleted) {
            return Ok(());
        }
        store.wait_past(seen).await?;
    }
}

/// How a sandbox ended, as whoever watches it from elsewhere is told: one that another handle removed did not die.
pub(crate) async fn as_intended(store: &dyn Store, id: &SandboxId, ended: Ended) -> Ended {
    match &ended {
        Ended::Died(post_mortem) if is_removal(store, id, post_mortem.cause).await => Ended::Deleted,
        _ => ended,
    }
}

/// Whether a sandbox that ends for no reason that can be seen from here is being removed by another process, on purpose. That
/// process writes it down.
async fn is_removal(store: &dyn Store, id: &SandboxId, cause: DeathCause) -> bool {
    if !matches!(cause, DeathCause::Unknown | DeathCause::AgentCrashed | DeathCause::RemovedExternally) {
        return false;
    }
    match store.sandbox(id).await.map(|entry| entry.state) {
        Ok(State::Deleting) => true,
        // One that died is written down as deleted too, with its death.
        Ok(State::Deleted) => matches!(store.post_mortem(id).await, Ok(None)),
        _ => false,
    }
}
