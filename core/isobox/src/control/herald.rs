//! Telling that sandboxes are about to expire.
//!
//! ```text
//!   look ─▶ tell what is due ─▶ wait until the next is due, a ttl changes in this process, or some time is over ─▶ look ...
//! ```
//!
//! Every process that has isobox open does this, also for the sandboxes of others, and the store lets the first one tell. When no
//! process has it open nobody is told; the sandbox expires all the same, which is the agent's doing.

use super::Control;
use isobox_contract::{EventKind, Result, SandboxId, State, Subject, Timestamp};
use isobox_control::{NewEvent, SandboxEntry, SandboxFilter};
use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// How long before its end a sandbox is told to expire unless the builder says otherwise.
const NOTICE: Duration = Duration::from_secs(60);
/// The same for short lives: a part of them.
const PART: u32 = 10;
/// How long to wait at most before looking again: other processes do not say that they have made something.
const LOOK: Duration = Duration::from_secs(30);
/// How long to wait at least, so that many that are made at once cost one look.
const APART: Duration = Duration::from_millis(100);

/// The task that tells. It ends with this.
#[derive(Debug)]
pub(crate) struct Herald {
    /// How long before the end; `None` is the default, and zero is never.
    notice: Option<Duration>,
    /// The process whose runtime has the task. In a child that was forked nothing of it is touched.
    process: u32,
    changed: Arc<Notify>,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Herald {
    pub(crate) fn new(notice: Option<Duration>) -> Self {
        Self { notice, process: std::process::id(), changed: Arc::default(), task: Mutex::default() }
    }

    /// Says that something expires that did not, or at another time.
    pub(crate) fn changed(&self) {
        self.changed.notify_one();
    }

    /// Starts the task if it does not run. `round` gives one look, which is told how long before its end a sandbox is told and
    /// says when to look again; and nothing when isobox is not open any more.
    pub(crate) fn ensure<W, F>(&self, round: impl Fn() -> Option<W> + Send + 'static)
    where
        W: FnOnce(Option<Duration>) -> F + Send,
        F: Future<Output = Result<Duration>> + Send + 'static,
    {
        if std::process::id() != self.process || self.notice == Some(Duration::ZERO) {
            return;
        }
        let mut task = self.task.lock().unwrap_or_else(PoisonError::into_inner);
        if task.as_ref().is_some_and(|task| !task.is_finished()) {
            return;
        }
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (notice, changed) = (self.notice, self.changed.clone());
        *task = Some(runtime.spawn(async move {
            while let Some(look) = round() {
                let next = look(notice).await.unwrap_or_else(|error| {
                    tracing::warn!(code = %error.code(), "it is not known what expires soon, it is looked for again");
                    LOOK
                });
                tokio::time::sleep(APART).await;
                let _ = tokio::time::timeout(next, changed.notified()).await;
            }
        }));
    }
}

impl Drop for Herald {
    fn drop(&mut self) {
        if std::process::id() == self.process
            && let Some(task) = self.task.get_mut().unwrap_or_else(PoisonError::into_inner).take()
        {
            task.abort();
        }
    }
}

/// What this process has told of, or found told, so that it is not written again in every round.
#[derive(Debug, Default)]
pub(super) struct Announced(Mutex<HashMap<SandboxId, Timestamp>>);

impl Announced {
    fn is_known(&self, entry: &SandboxEntry, expires_at: Timestamp) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&entry.id) == Some(&expires_at)
    }

    fn add(&self, id: SandboxId, expires_at: Timestamp) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id, expires_at);
    }

    /// Forgets those that are over.
    fn keep(&self, expiring: &[SandboxEntry]) {
        let expiring: std::collections::HashSet<_> = expiring.iter().map(|entry| entry.id).collect();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|id, _| expiring.contains(id));
    }
}

impl Control {
    /// Tells what expires soon, and gives the time until there is more of that.
    pub(crate) async fn announce(&self, notice: Option<Duration>) -> Result<Duration> {
        let now = Timestamp::now();
        let horizon = notice.unwrap_or(NOTICE).saturating_add(LOOK);
        let states = vec![State::Running, State::Paused];
        let filter = SandboxFilter { states, expires_before: now.checked_add(horizon), ..SandboxFilter::default() };
        let expiring = self.all(&filter).await?;
        self.announced.keep(&expiring);
        let mut next = LOOK;
        for entry in &expiring {
            let Some(expires_at) = entry.expires_at.filter(|at| *at > now) else { continue };
            let begun = entry.taken_at.unwrap_or(entry.created_at);
            match expires_at.since(now).checked_sub(lead(expires_at.since(begun), notice)) {
                Some(wait) if !wait.is_zero() => next = next.min(wait),
                _ if self.announced.is_known(entry, expires_at) => {}
                _ => {
                    self.store().append_events(vec![soon(entry, expires_at)]).await?;
                    self.announced.add(entry.id, expires_at);
                }
            }
        }
        Ok(next)
    }
}

/// How long before its end a sandbox with this lifetime is told to expire.
fn lead(lifetime: Duration, notice: Option<Duration>) -> Duration {
    notice.unwrap_or_else(|| NOTICE.min(lifetime / PART))
}

fn soon(entry: &SandboxEntry, expires_at: Timestamp) -> NewEvent {
    let (id, external, name) = (entry.id, entry.external.clone(), entry.name.clone());
    NewEvent {
        at: None,
        provider: Some(entry.provider.clone()),
        subject: Subject::Sandbox { id, external, name },
        operation: None,
        correlation: None,
        kind: EventKind::ExpirySoon { expires_at },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lives_are_told_late_and_long_ones_a_minute_before() {
        let seconds = Duration::from_secs;
        assert_eq!(lead(seconds(20), None), seconds(2));
        assert_eq!(lead(seconds(86_400), None), seconds(60));
        assert_eq!(lead(seconds(20), Some(seconds(5))), seconds(5), "what was asked for");
    }
}
