//! The commands that run, and those that ended lately.

use super::entry::{Command, Order};
use super::strays;
use crate::process::needs_help;
use crate::server::uses_below;
use isobox_wire::exec::{Size, Target};
use isobox_wire::{Failure, FailureCode, ProcessInfo};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Ended commands that are remembered.
const REMEMBERED: usize = 128;
/// Bytes of their output that are kept in all. The last one to end is kept whatever its size.
const REMEMBERED_BYTES: usize = 32 << 20;
/// Ending everything may take this long before the agent goes anyway.
const END_ALL: Duration = Duration::from_secs(12);
/// A stop waits this long for the output to come to rest once nothing runs any more.
const SETTLE: Duration = Duration::from_millis(200);
/// Signals are numbered from 1 to this (signal(7)).
const LAST_SIGNAL: i32 = 64;

/// All commands of this sandbox.
pub(crate) struct Commands(Mutex<Table>, AtomicBool);

#[derive(Default)]
struct Table {
    all: BTreeMap<String, Arc<Command>>,
    ended: VecDeque<String>,
}

impl Table {
    /// Forgets ended commands, oldest first, until the rest are few and small enough.
    fn forget_oldest(&mut self) {
        let mut held: usize = self.ended.iter().map(|id| self.held(id)).sum();
        while self.ended.len() > REMEMBERED || (held > REMEMBERED_BYTES && self.ended.len() > 1) {
            let Some(oldest) = self.ended.pop_front() else { return };
            held -= self.held(&oldest);
            self.all.remove(&oldest);
        }
    }

    fn held(&self, id: &str) -> usize {
        self.all.get(id).map_or(0, |command| command.stdout.held() + command.stderr.held())
    }

    /// Whether it is this very command, and not a later one with its id.
    fn has(&self, command: &Arc<Command>) -> bool {
        self.all.get(&command.id).is_some_and(|known| Arc::ptr_eq(known, command))
    }
}

/// The place of a command that begins. Dropping it forgets the command: it never ran.
pub(super) struct Admission<'a> {
    commands: &'a Commands,
    command: Option<Arc<Command>>,
}

impl Admission<'_> {
    /// Keeps the command for good.
    pub(super) fn keep(mut self) {
        self.command = None;
    }
}

impl Drop for Admission<'_> {
    fn drop(&mut self) {
        if let Some(command) = &self.command {
            self.commands.forget(command);
        }
    }
}

impl Commands {
    pub(crate) fn new() -> Self {
        Self(Mutex::default(), AtomicBool::new(false))
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reaps what no command owns any more, in the background.
    pub(crate) fn watch_strays(&self) {
        tokio::spawn(strays::watch());
    }

    /// Takes a command in, until what this gives is dropped. An id that runs already is refused.
    pub(super) fn insert(&self, command: &Arc<Command>) -> Result<Admission<'_>, Failure> {
        let mut table = self.table();
        if table.all.get(&command.id).is_some_and(|known| !known.progress.borrow().is_over()) {
            let message = format!("command {} runs already; choose another id", command.id);
            return Err(Failure::new(FailureCode::Conflict, message).at("id"));
        }
        table.ended.retain(|id| *id != command.id);
        table.all.insert(command.id.clone(), command.clone());
        Ok(Admission { commands: self, command: Some(command.clone()) })
    }

    fn forget(&self, command: &Arc<Command>) {
        let mut table = self.table();
        if table.has(command) {
            table.all.remove(&command.id);
        }
    }

    /// Notes that nothing of a command runs any more, and forgets the oldest such command when there are too many.
    pub(super) fn note_end(&self, command: &Arc<Command>) {
        let mut table = self.table();
        if table.has(command) {
            table.ended.push_back(command.id.clone());
        }
        table.forget_oldest();
    }

    pub(super) fn get(&self, id: &str) -> Result<Arc<Command>, Failure> {
        let known = self.table().all.get(id).cloned();
        known.ok_or_else(|| {
            let message = format!("command {id} is not known here; it never ran, or ended too long ago");
            Failure::new(FailureCode::NotFound, message).at("process")
        })
    }

    fn every(&self) -> Vec<Arc<Command>> {
        self.table().all.values().cloned().collect()
    }

    /// Every command, oldest first: ids sort by time. What they use is read from /proc, which may take a moment.
    pub(crate) fn list(&self) -> Vec<ProcessInfo> {
        let every = self.every();
        let alive = every.iter().filter(|command| command.progress.borrow().alive).map(|command| command.supervisor());
        let uses = uses_below(&alive.collect());
        let info = |command: &Arc<Command>| {
            let mut info = command.info();
            if let Some(now) = uses.get(&command.supervisor()).filter(|_| info.alive) {
                (info.cpu_micros, info.memory) = (Some(now.cpu_micros), Some(now.memory));
            }
            info
        };
        every.iter().map(info).collect()
    }

    /// How many run now.
    pub(crate) fn running(&self) -> usize {
        self.every().iter().filter(|command| command.is_running()).count()
    }

    /// Sends one signal. A command that has ended is fine.
    pub(crate) fn signal(&self, id: &str, signal: i32, target: Target) -> Result<(), Failure> {
        if !(1..=LAST_SIGNAL).contains(&signal) {
            return Err(Failure::invalid(
                "signal",
                format!("there is no signal {signal}; they are 1 to {LAST_SIGNAL}"),
            ));
        }
        self.get(id)?.order(Order::Signal { signal, target })
    }

    /// Ends a command's tree and waits until nothing of it runs.
    pub(crate) async fn stop(&self, id: &str, grace: Option<Duration>) -> Result<(), Failure> {
        let command = self.get(id)?;
        command.order(Order::Stop(grace))?;
        command.gone().await;
        // So that a listing shows the end too, unless a reader who stalls holds that back.
        let _ = tokio::time::timeout(SETTLE, command.ended()).await;
        let unkillable = command.progress.borrow().unkillable;
        if unkillable == 0 {
            return Ok(());
        }
        let message = format!("{unkillable} processes of command {id} run with other rights and could not be ended");
        Err(Failure::new(FailureCode::Incomplete, message))
    }

    /// Gives a terminal another size.
    pub(crate) fn resize(&self, id: &str, size: Size) -> Result<(), Failure> {
        let command = self.get(id)?;
        if !command.has_terminal() {
            return Err(Failure::new(
                FailureCode::InvalidState,
                format!("command {id} has no terminal; start it with one"),
            ));
        }
        command
            .resize(size)
            .map_err(|error| Failure::new(FailureCode::Io, format!("cannot resize the terminal: {error}")))?;
        // Who has the foreground cannot be found out where it is not told; whoever does not look at its terminal ignores this.
        if needs_help() {
            command.order(Order::Signal { signal: libc::SIGWINCH, target: Target::Tree })
        } else {
            Ok(())
        }
    }

    /// Lets a command outlive its client.
    pub(crate) fn detach(&self, id: &str) -> Result<(), Failure> {
        self.get(id).map(|command| command.detach())
    }

    /// Whether the sandbox is ending. What commands end with then is the sandbox's doing and no result of theirs: whoever
    /// waits for one is to learn that the sandbox is gone.
    pub(super) fn are_ending(&self) -> bool {
        self.1.load(Ordering::Relaxed)
    }

    /// Ends everything.
    pub(crate) async fn end_all(&self) {
        self.1.store(true, Ordering::Relaxed);
        let all = self.every();
        for command in &all {
            let _ = command.order(Order::Stop(None));
        }
        let gone = async {
            for command in &all {
                command.gone().await;
            }
        };
        let _ = tokio::time::timeout(END_ALL, gone).await;
    }
}
