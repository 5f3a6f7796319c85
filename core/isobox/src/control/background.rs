//! What goes on without its caller.

use isobox_contract::{Error, ErrorCode, Result};
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How long what has to be written down is tried again: as long as somebody may need to make room on a disk.
const PATIENCE: Duration = Duration::from_secs(15 * 60);
/// Between two attempts, at most.
const PAUSE: Duration = Duration::from_secs(2);

/// The process in the upper half, and how much of its work goes on in the background in the lower. Not a lock: a process that was forked
/// off meets the number as it was, and begins its own.
static GOING_ON: AtomicU64 = AtomicU64::new(0);

/// How often [`settled`] looks. It is waited for at the end of a process only, and what could wake it would be a lock.
const GLANCE: Duration = Duration::from_millis(2);

/// Some work in the background, until it is dropped.
struct GoingOn;

impl GoingOn {
    fn begin() -> Self {
        Self::count(|count| count + 1);
        Self
    }

    fn count(change: impl Fn(u32) -> u32) -> u32 {
        let process = u64::from(std::process::id()) << 32;
        let changed = |packed: u64| {
            let count = if packed & !u64::from(u32::MAX) == process { packed as u32 } else { 0 };
            Some(process | u64::from(change(count)))
        };
        let before = GOING_ON.fetch_update(Ordering::AcqRel, Ordering::Acquire, changed).unwrap_or_default();
        changed(before).unwrap_or_default() as u32
    }
}

impl Drop for GoingOn {
    fn drop(&mut self) {
        Self::count(|count| count.saturating_sub(1));
    }
}

/// Waits for what goes on in the background of this process after handles that were dropped and calls that were given up: sandboxes that
/// end, creations that are undone, what is still to be written down. For a program that is about to exit, and would break it off.
/// Whether it ended within that time.
pub async fn settled(within: Duration) -> bool {
    let ended = async {
        while GoingOn::count(|count| count) > 0 {
            tokio::time::sleep(GLANCE).await;
        }
    };
    tokio::time::timeout(within, ended).await.is_ok()
}

/// Lets a future run to its end, in this runtime or, where there is none, in a thread of its own.
pub(crate) fn in_background(work: impl Future<Output = ()> + Send + 'static) {
    let going_on = GoingOn::begin();
    let work = async move {
        work.await;
        drop(going_on);
    };
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => drop(runtime.spawn(work)),
        Err(_) => drop(in_thread(work)),
    }
}

/// The same in a thread of its own, whatever becomes of the caller's runtime.
pub(super) fn in_thread(work: impl Future<Output = ()> + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().name("isobox-last".into()).spawn(|| alone(work)).map(drop)
}

fn alone(work: impl Future<Output = ()>) {
    if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() {
        runtime.block_on(work);
    }
}

/// Runs work in a task, so that it goes on to its end when nobody waits for it any more.
pub(crate) async fn to_its_end<T: Send + 'static>(
    name: &str,
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    let going_on = GoingOn::begin();
    let work = async move {
        let done = work.await;
        drop(going_on);
        done
    };
    tokio::spawn(work).await.unwrap_or_else(|_| Err(Error::internal(format!("{name} ended without a word"))))
}

/// Writes down what nobody else will, such as the end of an operation, which would have its sandbox and its name for ever. What
/// fails for want of disk is tried again in the background.
pub(crate) async fn insist<F>(mut write: impl FnMut() -> F + Send + 'static) -> Result<()>
where
    F: Future<Output = Result<()>> + Send,
{
    let first = write().await;
    if first.as_ref().is_err_and(may_pass) {
        in_background(async move {
            let mut pause = Duration::from_millis(50);
            let tried = tokio::time::timeout(PATIENCE, async {
                while write().await.is_err_and(|error| may_pass(&error)) {
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(PAUSE);
                }
            });
            if tried.await.is_err() {
                tracing::warn!("the end of an operation could not be written down, there is no room on the disk");
            }
        });
    }
    first
}

fn may_pass(error: &Error) -> bool {
    matches!(error.code(), ErrorCode::OutOfDisk | ErrorCode::Overloaded | ErrorCode::Io)
}
