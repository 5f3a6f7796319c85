//! One command as the agent knows it.

use super::log::Log;
use crate::process::resize;
use isobox_wire::exec::{Size, Target};
use isobox_wire::{Blob, Exec, Exit, Failure, FailureCode, ProcessInfo};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::io::unix::AsyncFd;
use tokio::sync::{Mutex, mpsc, watch};

/// Orders that may wait for the command's runner.
const ORDERS: usize = 256;

/// What somebody wants of a running command.
#[derive(Debug, Clone, Copy)]
pub(super) enum Order {
    Signal {
        signal: i32,
        target: Target,
    },
    /// End the tree: TERM and this much time, or KILL at once.
    Stop(Option<Duration>),
}

/// How far a command has come.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Progress {
    /// Set once the leader has ended and the output is drained.
    pub(super) exit: Option<Exit>,
    /// Whether anything of the tree still runs.
    pub(super) alive: bool,
    /// Processes that could not be ended.
    pub(super) unkillable: u32,
}

impl Progress {
    /// Whether there is nothing more to come: no process and no output.
    pub(super) fn is_over(&self) -> bool {
        self.exit.is_some() && !self.alive
    }
}

/// A command, running or ended.
pub(super) struct Command {
    pub(super) id: String,
    argv: Vec<Blob>,
    label: Option<String>,
    user: Option<String>,
    pty: bool,
    takes_input: bool,
    merge_stderr: bool,
    grace: Option<Duration>,
    started_at: u64,
    pid: AtomicU32,
    /// The process between the agent and it, which everything that it starts descends from.
    supervisor: AtomicU32,
    detached: AtomicBool,
    pub(super) stdout: Arc<Log>,
    pub(super) stderr: Arc<Log>,
    /// The writing end of its input; `None` once that is closed.
    pub(super) input: Mutex<Option<AsyncFd<OwnedFd>>>,
    /// Whether a client has closed it.
    pub(super) input_ended: AtomicBool,
    /// The terminal's other side, for its size, until the command has ended.
    terminal: StdMutex<Option<OwnedFd>>,
    orders: mpsc::Sender<Order>,
    pub(super) progress: watch::Sender<Progress>,
}

/// What belongs to the process and not to the request.
pub(super) struct Streams {
    pub(super) input: Option<AsyncFd<OwnedFd>>,
    pub(super) terminal: Option<OwnedFd>,
}

impl Command {
    pub(super) fn new(exec: &Exec, streams: Streams) -> (Arc<Self>, mpsc::Receiver<Order>) {
        let (orders, receiver) = mpsc::channel(ORDERS);
        let log = || Arc::new(Log::new(exec.output.head, exec.output.tail));
        let command = Self {
            id: exec.id.clone(),
            argv: exec.argv.clone(),
            label: exec.label.clone(),
            user: exec.user.clone(),
            pty: exec.pty.is_some(),
            takes_input: exec.stdin,
            merge_stderr: exec.merge_stderr,
            grace: exec.grace,
            started_at: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64,
            pid: AtomicU32::new(0),
            supervisor: AtomicU32::new(0),
            detached: AtomicBool::new(exec.detached),
            stdout: log(),
            stderr: log(),
            input: Mutex::new(streams.input),
            input_ended: AtomicBool::new(false),
            terminal: StdMutex::new(streams.terminal),
            orders,
            progress: watch::Sender::new(Progress { exit: None, alive: true, unkillable: 0 }),
        };
        (Arc::new(command), receiver)
    }

    pub(super) fn info(&self) -> ProcessInfo {
        let progress = self.progress.borrow().clone();
        ProcessInfo {
            id: self.id.clone(),
            pid: self.pid(),
            argv: self.argv.clone(),
            label: self.label.clone(),
            user: self.user.clone(),
            stdout: self.stdout.observed(),
            stderr: self.stderr.observed(),
            cpu_micros: progress.exit.as_ref().map(|exit| exit.cpu_time.as_micros() as u64),
            memory: None,
            started_at: self.started_at,
            detached: self.is_detached(),
            pty: self.pty,
            stdin: self.takes_input,
            merge_stderr: self.merge_stderr,
            grace: self.grace,
            exit: progress.exit,
            alive: progress.alive,
        }
    }

    pub(super) fn pid(&self) -> u32 {
        self.pid.load(Ordering::Relaxed)
    }

    /// Of the process that everything of it descends from; 0 until it runs.
    pub(super) fn supervisor(&self) -> u32 {
        self.supervisor.load(Ordering::Relaxed)
    }

    pub(super) fn set_pids(&self, pid: u32, supervisor: u32) {
        self.pid.store(pid, Ordering::Relaxed);
        self.supervisor.store(supervisor, Ordering::Relaxed);
    }

    pub(super) fn takes_input(&self) -> bool {
        self.takes_input
    }

    pub(super) fn has_terminal(&self) -> bool {
        self.pty
    }

    /// Gives its terminal another size. One that has ended is fine.
    pub(super) fn resize(&self, size: Size) -> io::Result<()> {
        let terminal = self.terminal.lock().unwrap_or_else(PoisonError::into_inner);
        terminal.as_ref().map_or(Ok(()), |terminal| resize(terminal.as_fd(), size.rows, size.columns))
    }

    /// Closes what it needed while it ran: it may be remembered for long.
    pub(super) async fn close(&self) {
        *self.input.lock().await = None;
        *self.terminal.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(super) fn is_detached(&self) -> bool {
        self.detached.load(Ordering::Relaxed)
    }

    pub(super) fn detach(&self) {
        self.detached.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_running(&self) -> bool {
        self.progress.borrow().exit.is_none()
    }

    /// Passes an order on. A command that has ended wholly has nobody to take it, which is fine.
    pub(super) fn order(&self, order: Order) -> Result<(), Failure> {
        match self.orders.try_send(order) {
            Err(mpsc::error::TrySendError::Full(_)) => {
                Err(Failure::new(FailureCode::Overloaded, "the command has too many signals waiting; try again"))
            }
            _ => Ok(()),
        }
    }

    /// Waits for its end: the leader gone and the output drained.
    pub(super) async fn ended(&self) -> Exit {
        let mut progress = self.progress.subscribe();
        let ended = progress.wait_for(|progress| progress.exit.is_some()).await;
        ended.expect("the command itself holds the sender").exit.clone().expect("just waited for")
    }

    /// Waits until nothing of it runs any more.
    pub(super) async fn gone(&self) {
        let mut progress = self.progress.subscribe();
        let _ = progress.wait_for(|progress| !progress.alive).await;
    }
}
