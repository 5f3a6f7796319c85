//! The threads behind the store: one that writes, a few that read, and how callers reach them from anywhere.
//!
//! Nothing here needs a runtime: an answer comes through a channel that any executor can wait on.

pub(crate) mod checkpoint;
pub(crate) mod job;
pub(crate) mod queue;
pub(crate) mod wake;
pub(crate) mod writer;

use crate::failure::Outcome;
use crate::fork;
use crate::open;
use crate::options::Options;
use isobox_contract::{Error, ErrorCode, Result};
use job::{BoxJob, job};
use queue::Queue;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use tokio::sync::{mpsc, oneshot};
use wake::Wake;
use writer::{Session, WriteJob, Writer};

/// A job of a reader.
type ReadJob = BoxJob<Connection>;

/// The open file and its threads.
#[derive(Debug)]
pub(crate) struct Engine {
    /// The process that opened it. In a child that was forked the threads are not there, and a lock may be held by one
    /// of them for ever.
    process: u32,
    path: PathBuf,
    /// `None` only within a drop.
    parts: Option<Parts>,
}

#[derive(Debug)]
struct Parts {
    writes: Arc<Queue<WriteJob>>,
    reads: Arc<Queue<ReadJob>>,
    checkpoints: Arc<Queue<()>>,
    wake: Arc<Wake>,
    threads: Mutex<Threads>,
}

#[derive(Debug)]
struct Threads {
    handles: Vec<JoinHandle<()>>,
    /// Closed once the writer has ended, which ends last.
    ended: Option<mpsc::Receiver<()>>,
}

impl Engine {
    /// Opens the file and starts the threads. Blocks: takes a few milliseconds, and up to 15 s behind other processes.
    pub(crate) fn open(path: &Path, options: &Options) -> Result<Self> {
        fork::prepare()?;
        let session = {
            let _inside = fork::enter();
            Session::new(open::writer(path)?)
        };
        let writes = Arc::new(Queue::new("control.queued_writes", options.queue));
        let reads = Arc::new(Queue::new("control.queued_reads", options.queue));
        let checkpoints = Arc::new(Queue::new("control.queued_checkpoints", 1));
        let wake = Arc::new(Wake::new());
        let (until, ended) = mpsc::channel(1);
        let (alive, others) = std::sync::mpsc::channel();
        let writer = Writer {
            session,
            path: path.to_owned(),
            queue: writes.clone(),
            checkpoints: checkpoints.clone(),
            clock: options.clock.clone(),
            wake: wake.clone(),
            others,
            patience: options.queue_wait,
        };
        let parts = Parts {
            writes,
            reads,
            checkpoints,
            wake,
            threads: Mutex::new(Threads { handles: Vec::new(), ended: Some(ended) }),
        };
        let engine = Self { process: std::process::id(), path: path.to_owned(), parts: Some(parts) };
        engine.spawn("isobox-writer", move || {
            writer.work();
            drop(until);
        })?;
        engine.start_checkpoints(alive.clone())?;
        for _ in 0..options.readers.max(1) {
            engine.start_reader(alive.clone())?;
        }
        Ok(engine)
    }

    fn start_checkpoints(&self, alive: Sender<()>) -> Result<()> {
        let connection = {
            let _inside = fork::enter();
            open::checkpointer(&self.path)?
        };
        let queue = self.parts()?.checkpoints.clone();
        self.spawn("isobox-journal", move || {
            checkpoint::run(connection, &queue);
            drop(alive);
        })
    }

    fn start_reader(&self, alive: Sender<()>) -> Result<()> {
        let connection = {
            let _inside = fork::enter();
            open::reader(&self.path)?
        };
        let (path, queue) = (self.path.clone(), self.parts()?.reads.clone());
        self.spawn("isobox-reader", move || {
            while let Some(jobs) = queue.take(1) {
                for mut job in jobs.into_iter().filter(|job| job.is_wanted()) {
                    let inside = fork::enter();
                    job.run(&connection, &path);
                    drop(inside);
                    job.answer(None);
                }
            }
            let _inside = fork::enter();
            drop(connection);
            drop(alive);
        })
    }

    fn spawn(&self, name: &str, body: impl FnOnce() + Send + 'static) -> Result<()> {
        let thread = std::thread::Builder::new().name(name.into()).spawn(body);
        let thread = thread.map_err(|error| Error::io("a thread of the control plane", error))?;
        self.parts()?.threads.lock().unwrap_or_else(PoisonError::into_inner).handles.push(thread);
        Ok(())
    }

    /// Fails in a child that was forked off the process that opened the file.
    fn parts(&self) -> Result<&Parts> {
        match &self.parts {
            Some(parts) if std::process::id() == self.process => Ok(parts),
            _ => Err(Error::new(
                ErrorCode::InvalidState,
                "this process was forked from the one that opened the control plane, open it again here",
            )),
        }
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Runs work that writes. When the future is dropped the work is done wholly or not at all.
    pub(crate) async fn write<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Session) -> Outcome<T> + Send + 'static,
    {
        let (job, answer) = job(work);
        self.parts()?.writes.push(job)?;
        received(answer).await
    }

    /// Runs work that reads one state of the file.
    pub(crate) async fn read<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Outcome<T> + Send + 'static,
    {
        let (job, answer) = job(move |connection: &Connection| {
            let transaction = connection.unchecked_transaction()?;
            let answer = work(&transaction)?;
            transaction.commit()?;
            Ok(answer)
        });
        self.parts()?.reads.push(job)?;
        received(answer).await
    }

    /// Waits for an event after `sequence`.
    pub(crate) async fn past(&self, sequence: u64) -> Result<u64> {
        let parts = self.parts()?;
        parts.wake.past(&self.path, sequence).await
    }

    /// Finishes what is queued, refuses what comes, and waits for the threads. Again is fine.
    pub(crate) async fn close(&self) -> Result<()> {
        let parts = self.parts()?;
        parts.close();
        let ended = parts.threads.lock().unwrap_or_else(PoisonError::into_inner).ended.take();
        if let Some(mut ended) = ended {
            ended.recv().await;
        }
        // All but a few instructions of each thread have run.
        let handles = std::mem::take(&mut parts.threads.lock().unwrap_or_else(PoisonError::into_inner).handles);
        handles.into_iter().for_each(|thread| drop(thread.join()));
        Ok(())
    }
}

async fn received<T>(answer: oneshot::Receiver<Result<T>>) -> Result<T> {
    answer.await.unwrap_or_else(|_| Err(queue::closed()))
}

impl Parts {
    fn close(&self) {
        self.writes.close();
        self.reads.close();
        self.checkpoints.close();
        self.wake.close();
    }
}

impl Drop for Engine {
    /// Tells the threads to finish and does not wait for them. In a forked child nothing is touched.
    fn drop(&mut self) {
        let parts = self.parts.take();
        if std::process::id() != self.process {
            std::mem::forget(parts);
        } else if let Some(parts) = parts {
            parts.close();
        }
    }
}
