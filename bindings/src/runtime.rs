//! What calls run on.
//!
//! ```text
//!   nothing ──call──▶ at work ──end──▶ ended (calls are refused)
//!                        │
//!                       fork ──▶ in the child: nothing; the parent's runtime is left as it is, without its threads
//! ```
//!
//! It is a runtime of this library's own, so that it can be ended: a process that exits while threads of a runtime call into an
//! interpreter that is gone crashes. Every call is a task on it. Dropping a [`Call`] ends the task, a panic in it is an error of the
//! caller's, and a caller without an event loop waits with [`Call::wait`].

use crate::LocalPath;
use crate::api::{Error, Isobox, OpenOptions, Result, Sandbox};
use crate::held::{Held, Sandboxes};
use arc_swap::ArcSwapOption;
use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::OnceCell;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long [`end`] lets the sandboxes of this process end by themselves.
const LAST_CALL: Duration = Duration::from_secs(10);
/// How long it waits for the threads after that.
const THREADS_END: Duration = Duration::from_secs(2);

/// Where calls run in this process.
struct Place {
    /// The process that made it: a child has none of its threads.
    process: u32,
    handle: Handle,
    runtime: Mutex<Option<Runtime>>,
    /// The library that is opened by the first call that names none.
    shared: OnceCell<Isobox>,
    /// Those that handles from other processes are found in.
    homes: tokio::sync::Mutex<BTreeMap<PathBuf, Isobox>>,
    /// Ends all calls.
    over: CancellationToken,
    /// All calls, and what is dropped in the background.
    work: TaskTracker,
    sandboxes: Sandboxes,
}

static PLACE: ArcSwapOption<Place> = ArcSwapOption::const_empty();
static ENDED: AtomicBool = AtomicBool::new(false);

/// That of this process, made if there is none.
fn place() -> Result<Arc<Place>> {
    if ENDED.load(Ordering::Acquire) {
        return Err(ended());
    }
    let process = std::process::id();
    loop {
        let current = PLACE.load_full();
        if let Some(place) = current.as_ref().filter(|place| place.process == process) {
            return Ok(place.clone());
        }
        let made = Arc::new(Place::new(process)?);
        let before = PLACE.compare_and_swap(&current, Some(made.clone()));
        if same(before.as_ref(), current.as_ref()) {
            // A child's copy of its parent's runtime: dropping it would wait for threads that are not there.
            std::mem::forget(current);
            return Ok(made);
        }
        made.stop(Duration::ZERO);
    }
}

fn same(one: Option<&Arc<Place>>, other: Option<&Arc<Place>>) -> bool {
    one.map(Arc::as_ptr) == other.map(Arc::as_ptr)
}

impl Place {
    fn new(process: u32) -> Result<Self> {
        let threads = std::thread::available_parallelism().map_or(2, usize::from).clamp(2, 8);
        let built = Builder::new_multi_thread().worker_threads(threads).thread_name("isobox").enable_all().build();
        let runtime = built.map_err(|error| isobox::Error::io("cannot start the threads of isobox", error))?;
        let handle = runtime.handle().clone();
        Ok(Self {
            process,
            handle,
            runtime: Mutex::new(Some(runtime)),
            shared: OnceCell::new(),
            homes: tokio::sync::Mutex::default(),
            over: CancellationToken::new(),
            work: TaskTracker::new(),
            sandboxes: Sandboxes::default(),
        })
    }

    /// Ends all calls and all sandboxes of this process, with what they leave behind.
    async fn settle(&self) {
        self.over.cancel();
        self.work.close();
        self.work.wait().await;
        self.sandboxes.end().await;
        // Handles that were dropped by now, and what the library does after them.
        self.work.wait().await;
        isobox::settled(LAST_CALL).await;
    }

    fn stop(&self, within: Duration) {
        let runtime = self.runtime.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(runtime) = runtime {
            runtime.shutdown_timeout(within);
        }
    }
}

fn ended() -> Error {
    isobox::Error::cancelled("a call after the end of this process's isobox").into()
}

/// The library that calls use which name none: opened by the first of them, with every default.
pub(crate) async fn shared() -> Result<Isobox> {
    let place = place()?;
    place.shared.get_or_try_init(|| Isobox::open(OpenOptions::default())).await.cloned()
}

/// A sandbox by its id, in the books of a directory: how a handle that went to another process finds it there. Each directory is opened
/// once.
pub async fn connect(home: LocalPath, id: String) -> Result<Sandbox> {
    let place = place()?;
    let shared = place.shared.get().filter(|shared| shared.home() == home).cloned();
    let isobox = match shared {
        Some(shared) => shared,
        None => {
            let mut homes = place.homes.lock().await;
            if !homes.contains_key(&home.0) {
                let options = OpenOptions { home: Some(home.clone()), ..OpenOptions::default() };
                homes.insert(home.0.clone(), Isobox::open(options).await?);
            }
            homes[&home.0].clone()
        }
    };
    isobox.connect(id).await
}

/// Holds a sandbox for a foreign object.
pub(crate) fn hold(sandbox: isobox::Sandbox) -> Result<Held<isobox::Sandbox>> {
    Ok(place()?.sandboxes.hold(sandbox))
}

/// Runs something beside the calls: what follows from them. Nothing happens where nothing runs any more.
pub fn in_background(work: impl Future<Output = ()> + Send + 'static) {
    let current = PLACE.load();
    if let Some(place) = current.as_ref().filter(|place| place.process == std::process::id()) {
        place.work.spawn_on(work, &place.handle);
    }
}

/// Starts a call. It runs whether its [`Call`] is polled or not, and ends when that is dropped.
pub fn call<T: Send + 'static>(work: impl Future<Output = Result<T>> + Send + 'static) -> Call<T> {
    Call(match place() {
        Ok(place) => {
            let over = place.over.clone();
            let work = async move { over.run_until_cancelled_owned(work).await.unwrap_or_else(|| Err(ended())) };
            Running::Task(place.work.spawn_on(work, &place.handle))
        }
        Err(error) => Running::Refused(Some(error)),
    })
}

/// Ends all calls, then the sandboxes that belong to this process, and then all threads of this library. Later calls are refused.
///
/// For the end of the process. It takes twelve seconds at most, and usually as long as a delete.
pub fn end() {
    if ENDED.swap(true, Ordering::AcqRel) {
        return;
    }
    let Some(place) = PLACE.load_full().filter(|place| place.process == std::process::id()) else { return };
    let (done, waits) = std::sync::mpsc::sync_channel(1);
    let ending = place.clone();
    place.handle.spawn(async move {
        ending.settle().await;
        let _ = done.send(());
    });
    if waits.recv_timeout(LAST_CALL).is_err() {
        tracing::warn!("sandboxes of this process end by their leases: deleting them took too long");
    }
    place.stop(THREADS_END);
}

/// A call that runs. A future of its result; dropping it ends the call.
#[must_use = "dropping a call ends it"]
pub struct Call<T>(Running<T>);

enum Running<T> {
    Task(JoinHandle<Result<T>>),
    Refused(Option<Error>),
}

impl<T> Drop for Call<T> {
    fn drop(&mut self) {
        if let Running::Task(task) = &self.0 {
            task.abort();
        }
    }
}

impl<T> Future for Call<T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            Running::Refused(error) => Poll::Ready(Err(error.take().unwrap_or_else(ended))),
            Running::Task(task) => Poll::Ready(match ready!(Pin::new(task).poll(context)) {
                Ok(result) => result,
                Err(error) if error.is_panic() => Err(panicked()),
                Err(_) => Err(ended()),
            }),
        }
    }
}

fn panicked() -> Error {
    isobox::Error::internal("a call of isobox panicked; its message is on stderr, please report it").into()
}

impl<T: Send + 'static> Call<T> {
    /// Waits for the result on this thread, and asks `interrupted` every so often whether to go on. A wait that is interrupted ends
    /// the call and gives `Err` with what `interrupted` said.
    pub fn wait<E>(self, every: Duration, mut interrupted: impl FnMut() -> Result<(), E>) -> Result<Result<T>, E> {
        let (done, waits) = std::sync::mpsc::sync_channel(1);
        let handle = match &self.0 {
            Running::Task(_) => place().map(|place| place.handle.clone()),
            Running::Refused(_) => Err(ended()),
        };
        let handle = match handle {
            Ok(handle) => handle,
            Err(error) => return Ok(Err(error)),
        };
        let waiter = handle.spawn(async move {
            let _ = done.send(self.await);
        });
        loop {
            match waits.recv_timeout(every) {
                Ok(result) => return Ok(result),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return Ok(Err(ended())),
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {
                    if let Err(reason) = interrupted() {
                        waiter.abort();
                        return Err(reason);
                    }
                }
            }
        }
    }
}

impl<T> fmt::Debug for Call<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Call")
    }
}
