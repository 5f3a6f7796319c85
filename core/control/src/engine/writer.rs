//! The thread that writes.
//!
//! ```text
//!   queue ─▶ BEGIN IMMEDIATE ─▶ { SAVEPOINT ─▶ job ─▶ RELEASE | ROLLBACK TO }* ─▶ COMMIT ─▶ answers, wake-ups
//!                          └──▶ job, when it is the only one ─▶ COMMIT | ROLLBACK ──┘
//! ```
//!
//! Whatever is queued goes into one transaction, so many callers share the cost of one commit. A job that fails undoes
//! itself alone. One that is alone needs no savepoint, which would keep a copy of every page that it changes. An answer is given after the commit, so what a caller was told is in the file.

use super::checkpoint;
use super::job::BoxJob;
use super::queue::Queue;
use super::wake::Wake;
use crate::clock::{Clock, whole_micros};
use crate::failure::from_sqlite;
use crate::fork;
use isobox_contract::{Error, Timestamp};
use rusqlite::Connection;
use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// A job of the writer.
pub(crate) type WriteJob = BoxJob<Session>;

/// The most jobs of one transaction: bounds how long other processes wait.
const BATCH: usize = 128;

/// The connection that writes, and what belongs to its present transaction.
#[derive(Debug)]
pub(crate) struct Session {
    /// The connection; within a transaction while a job sees it.
    pub(crate) sql: Connection,
    now: Cell<Timestamp>,
    appended: Cell<Option<u64>>,
}

impl Session {
    /// A session without a transaction.
    pub(crate) fn new(sql: Connection) -> Self {
        Self { sql, now: Cell::new(Timestamp::MIN), appended: Cell::new(None) }
    }

    /// The time of everything in the transaction, in whole microseconds.
    pub(crate) fn now(&self) -> Timestamp {
        self.now.get()
    }

    /// Says that an event with this number was appended.
    pub(crate) fn appended(&self, sequence: u64) {
        self.appended.set(Some(sequence));
    }

    fn execute(&self, sql: &str) -> rusqlite::Result<usize> {
        self.sql.prepare_cached(sql)?.execute([])
    }
}

/// What the thread needs.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) session: Session,
    pub(crate) path: PathBuf,
    pub(crate) queue: Arc<Queue<WriteJob>>,
    pub(crate) checkpoints: Arc<Queue<()>>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) wake: Arc<Wake>,
    /// Fails to receive once the other threads with connections have ended.
    pub(crate) others: Receiver<()>,
    /// How long a job may wait for its turn.
    pub(crate) patience: Duration,
}

impl Writer {
    /// Works until the queue is closed and empty.
    pub(crate) fn work(self) {
        // Nobody waits for a thread that has ended, however it ended.
        let _abandon = Abandon(self.queue.clone());
        let mut written = 0;
        while let Some(batch) = self.queue.take(BATCH) {
            let (mut jobs, late): (Vec<_>, Vec<_>) =
                batch.into_iter().filter(|job| job.is_wanted()).partition(|job| job.waited() <= self.patience);
            let refusal = Error::overloaded("control.queue_wait_ms", u64::try_from(self.patience.as_millis()).ok());
            late.into_iter().for_each(|job| job.answer(Some(&refusal)));
            if !jobs.is_empty() {
                let inside = fork::enter();
                let failure = self.write(&mut jobs).err();
                drop(inside);
                written += jobs.len();
                jobs.into_iter().for_each(|job| job.answer(failure.as_ref()));
            }
            if written >= checkpoint::CALLS {
                written = 0;
                checkpoint::ask(&self.checkpoints);
            }
        }
        // Who closes last copies the journal and removes it; of two at once each would leave it to the other.
        self.others.recv().ok();
        self.wake.take_thread().map(|thread| thread.join().ok());
        let _inside = fork::enter();
        drop(self.session);
    }

    fn write(&self, jobs: &mut [WriteJob]) -> Result<(), Error> {
        let outcome = self.try_write(jobs);
        if !self.session.sql.is_autocommit() {
            // After a failed rollback the next BEGIN fails, and says so.
            self.session.execute("ROLLBACK").ok();
        }
        outcome
    }

    fn try_write(&self, jobs: &mut [WriteJob]) -> Result<(), Error> {
        self.begin()?;
        if let [job] = jobs {
            if !self.run(job)? {
                return self.execute("ROLLBACK");
            }
        } else {
            jobs.iter_mut().try_for_each(|job| self.run_beside_others(job))?;
        }
        self.execute("COMMIT")?;
        if let Some(last) = self.session.appended.take() {
            self.wake.committed(last);
        }
        Ok(())
    }

    fn begin(&self) -> Result<(), Error> {
        self.execute("BEGIN IMMEDIATE")?;
        self.session.now.set(whole_micros(self.clock.now()));
        self.session.appended.set(None);
        Ok(())
    }

    fn run_beside_others(&self, job: &mut WriteJob) -> Result<(), Error> {
        let before = self.session.appended.get();
        self.execute("SAVEPOINT job")?;
        if !self.run(job)? {
            self.execute("ROLLBACK TO job")?;
            self.session.appended.set(before);
        }
        self.execute("RELEASE job")
    }

    /// Whether it is to be committed.
    fn run(&self, job: &mut WriteJob) -> Result<bool, Error> {
        let done = job.run(&self.session, &self.path);
        // Some failures, such as a full disk, end the whole transaction: nothing of it is there.
        if self.session.sql.is_autocommit() {
            let unknown = || Error::internal("a transaction of the control plane ended early and wrote nothing");
            return Err(job.error().cloned().unwrap_or_else(unknown));
        }
        Ok(done)
    }

    fn execute(&self, sql: &str) -> Result<(), Error> {
        self.session.execute(sql).map(drop).map_err(|error| from_sqlite(&error, &self.path))
    }
}

struct Abandon(Arc<Queue<WriteJob>>);

impl Drop for Abandon {
    fn drop(&mut self) {
        self.0.abandon();
    }
}
