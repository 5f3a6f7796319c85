//! Watches over one running command: its timeout, the orders it gets, and its end.
//!
//! ```text
//! running ──leader exits by itself──> draining ──quiet──> ended, tree lives on ──> gone
//!    │                                    │
//!    └──timeout or stop──> ending ────────┴── timeout or stop
//!                            │  TERM, grace, KILL; or KILL at once; or KILL when the leader is gone
//!                            └──nothing runs any more──> ended and gone
//! ```

use super::entry::{Command, Order};
use super::log::{Flow, Log};
use super::oom::Since;
use crate::process::{ExitStatus, Report, Tree, Usage};
use crate::server::Activity;
use isobox_wire::exec::{Cause, Target};
use isobox_wire::{Exec, Exit};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::unix::AsyncFd;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// A descendant that never stops writing keeps the result back for no longer than this many drains.
const DRAINS: u32 = 10;
/// The longest grace that a clock is sure to take.
const LONGEST: Duration = Duration::from_secs(30 * 365 * 24 * 3600);
/// A supervisor ends a tree within ten seconds, or says that it cannot; one that says nothing for this long is stuck.
const UNANSWERED: Duration = Duration::from_secs(13);
/// How long pipes may stay open when nothing of the tree runs any more: they were handed to somebody else.
const AFTER_END: Duration = Duration::from_millis(100);

/// The running side of a command.
pub(super) struct Runner {
    pub(super) command: Arc<Command>,
    pub(super) tree: AsyncFd<Tree>,
    pub(super) orders: mpsc::Receiver<Order>,
    pub(super) begun: Instant,
    pub(super) timeout_at: Option<Instant>,
    pub(super) grace: Option<Duration>,
    pub(super) drain: Duration,
    pub(super) activity: Option<Activity>,
    /// What the limit of memory had killed when it began.
    pub(super) oom: Option<Since>,
    ending: Option<Ending>,
    leader: Option<(ExitStatus, Usage, Instant)>,
    /// When a supervisor that was told to kill and does not answer is killed itself.
    give_up_at: Option<Instant>,
    gone: Option<Gone>,
}

/// The end of the tree.
#[derive(Debug, Clone, Copy)]
struct Gone {
    usage: Option<Usage>,
    unkillable: u32,
    lost: bool,
}

/// An end that is on its way.
#[derive(Debug, Clone, Copy)]
struct Ending {
    cause: Cause,
    /// When TERM has had its time; `None` once KILL was sent.
    kill_at: Option<Instant>,
}

impl Runner {
    pub(super) fn new(command: Arc<Command>, tree: AsyncFd<Tree>, orders: mpsc::Receiver<Order>, exec: &Exec) -> Self {
        let begun = Instant::now();
        Self {
            command,
            tree,
            orders,
            begun,
            timeout_at: exec.timeout.and_then(|timeout| begun.checked_add(timeout)),
            grace: exec.grace.filter(|grace| !grace.is_zero()),
            drain: exec.drain,
            activity: None,
            oom: None,
            ending: None,
            leader: None,
            give_up_at: None,
            gone: None,
        }
    }

    /// Runs until nothing of the tree runs any more.
    pub(super) async fn run(mut self) {
        while self.leader.is_none() && self.gone.is_none() {
            self.step(None).await;
        }
        if self.ending.is_none() && self.gone.is_none() {
            self.drain().await;
        }
        while self.ending.is_some() && self.gone.is_none() {
            self.step(None).await;
        }
        if let Some(gone) = self.gone {
            if gone.lost {
                super::strays::end().await;
            }
            // Before its output has come to rest: who stops a command may be who does not read it.
            self.note_gone();
            self.settle(AFTER_END).await;
        }
        self.publish();
        self.activity = None;
        while self.gone.is_none() {
            self.step(None).await;
        }
        self.note_gone();
        self.command.close().await;
    }

    fn note_gone(&self) {
        self.command.progress.send_modify(|progress| {
            progress.alive = false;
            progress.unkillable = self.gone.map_or(0, |gone| gone.unkillable);
        });
    }

    /// Waits until the output has been quiet for long enough, or something ends the command for good.
    async fn drain(&mut self) {
        let after = self.look_again();
        let latest = after.checked_add(self.drain.saturating_mul(DRAINS).max(AFTER_END));
        while self.ending.is_none() && self.gone.is_none() {
            match rest(&self.command, self.drain, after, latest) {
                Rest::Over => return,
                Rest::Until(at) => self.step(at).await,
            }
        }
    }

    /// Gives the pumps time to see the ends of their streams.
    async fn settle(&self, time: Duration) {
        let after = self.look_again();
        let latest = after.checked_add(time);
        loop {
            let changed = (self.command.stdout.changed(), self.command.stderr.changed());
            let at = match rest(&self.command, time, after, latest) {
                Rest::Over => return,
                Rest::Until(at) => at,
            };
            let (stdout, stderr) = (pin!(changed.0), pin!(changed.1));
            tokio::select! { () = stdout => {}, () = stderr => {}, () = until(at) => {} }
        }
    }

    /// Has the pumps look for what was written before now. What they say about a time before this one means nothing: the
    /// last words may still be in the pipe.
    fn look_again(&self) -> Instant {
        self.command.stdout.look_again();
        self.command.stderr.look_again();
        Instant::now()
    }

    /// Handles the next thing that happens, or returns at `deadline`, or when the output's flow changes.
    async fn step(&mut self, deadline: Option<Instant>) {
        let (stdout, stderr) = (self.command.stdout.clone(), self.command.stderr.clone());
        let kill_at = self.ending.and_then(|ending| ending.kill_at);
        let timeout_at = self.timeout_at.filter(|_| self.ending.is_none() && self.command.is_running());
        let draining = self.leader.is_some() && self.command.is_running();
        tokio::select! {
            report = next_report(&mut self.tree) => self.handle(report),
            Some(order) = self.orders.recv() => self.obey(order),
            () = until(timeout_at) => self.end(Cause::Timeout, self.grace),
            () = until(kill_at) => self.kill(),
            () = until(self.give_up_at) => self.give_up(),
            () = stdout.changed(), if draining => {}
            () = stderr.changed(), if draining => {}
            () = until(deadline) => {}
        }
    }

    fn handle(&mut self, report: Report) {
        match report {
            Report::Started { .. } => {}
            Report::LeaderExited { status, usage } => {
                self.leader = Some((status, usage, Instant::now()));
                if self.ending.is_some() {
                    // The leader has had its say; what is left of an ended command has no claim to the grace.
                    self.kill_tree();
                }
            }
            Report::Empty { usage, unkillable } => {
                self.gone = Some(Gone { usage: Some(usage), unkillable, lost: false })
            }
            // Its supervisor was killed from inside; what it left behind is ended as strays.
            Report::Failed(_) | Report::Lost => self.gone = Some(Gone { usage: None, unkillable: 0, lost: true }),
        }
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Signal { signal, target: Target::Leader } => drop(self.tree.get_ref().signal_leader(signal)),
            Order::Signal { signal, target: Target::Tree } => drop(self.tree.get_ref().signal_tree(signal)),
            Order::Stop(None) => self.end(Cause::Killed, None),
            Order::Stop(Some(grace)) => self.end(Cause::Stopped, Some(grace).filter(|grace| !grace.is_zero())),
        }
    }

    /// Begins to end the tree, with TERM if there is a grace and somebody to hear it. A second call can only make it quicker.
    fn end(&mut self, cause: Cause, grace: Option<Duration>) {
        let first = self.ending.is_none();
        let ending = self.ending.get_or_insert(Ending { cause, kill_at: None });
        let Some(grace) = grace.filter(|_| self.leader.is_none()) else { return self.kill() };
        let at = Instant::now() + grace.min(LONGEST);
        if first {
            ending.kill_at = Some(at);
            let _ = self.tree.get_ref().signal_tree(libc::SIGTERM);
        } else {
            ending.kill_at = ending.kill_at.map(|earlier| earlier.min(at));
        }
    }

    fn kill(&mut self) {
        if let Some(ending) = &mut self.ending {
            if ending.cause == Cause::Stopped && self.leader.is_none() {
                ending.cause = Cause::Killed;
            }
            ending.kill_at = None;
        }
        self.kill_tree();
    }

    fn kill_tree(&mut self) {
        let _ = self.tree.get_ref().kill();
        self.give_up_at.get_or_insert(Instant::now() + UNANSWERED);
    }

    /// What its tree leaves behind comes to the agent and is ended there.
    fn give_up(&mut self) {
        self.tree.get_ref().kill_supervisor();
        self.give_up_at = None;
    }

    fn publish(&self) {
        // Nobody saw the end of a leader that was killed together with its supervisor.
        let unseen = ExitStatus::Signal { signal: libc::SIGKILL, core_dumped: false };
        let (status, at) = self.leader.map_or((unseen, Instant::now()), |(status, _, at)| (status, at));
        let usage =
            self.gone.and_then(|gone| gone.usage).or(self.leader.map(|(_, usage, _)| usage)).unwrap_or_default();
        let (code, signal) = match status {
            ExitStatus::Code(code) => (Some(code), None),
            ExitStatus::Signal { signal, .. } => (None, Some(signal)),
        };
        let exit = Exit {
            code,
            signal,
            cause: self.ending.map_or(Cause::Itself, |ending| ending.cause),
            oom_killed: self.oom.as_ref().is_some_and(|since| since.has_killed(status, self.ending.is_some())),
            stdout: self.command.stdout.stats(),
            stderr: self.command.stderr.stats(),
            duration: at - self.begun,
            cpu_time: usage.user + usage.system,
            peak_memory: usage.max_rss,
            unkillable: self.gone.map_or(0, |gone| gone.unkillable),
        };
        self.command.progress.send_modify(|progress| progress.exit = Some(exit));
    }
}

enum Rest {
    Over,
    Until(Option<Instant>),
}

/// Whether both streams have come to rest since `after`, or when to look again.
fn rest(command: &Command, drain: Duration, after: Instant, latest: Option<Instant>) -> Rest {
    let now = Instant::now();
    let mut until = latest;
    let (mut over, mut unseen) = (true, false);
    for log in [&command.stdout, &command.stderr] {
        let at = quiet_at(log, drain);
        match log.flow() {
            Flow::Ended => {}
            // Its pump has been woken and has not looked yet: on a busy machine that may take longer than any drain.
            Flow::Quiet(since) if since < after => unseen = true,
            Flow::Quiet(_) if at.is_some_and(|at| at <= now) => {}
            // A client that reads slowly still gets everything.
            Flow::Blocked => return Rest::Until(None),
            Flow::Quiet(_) => {
                over = false;
                until = [until, at].into_iter().flatten().min();
            }
            Flow::Moving => over = false,
        }
    }
    match (unseen, over || latest.is_some_and(|latest| latest <= now)) {
        (true, _) => Rest::Until(None),
        (false, true) => Rest::Over,
        (false, false) => Rest::Until(until),
    }
}

fn quiet_at(log: &Log, drain: Duration) -> Option<Instant> {
    match log.flow() {
        Flow::Quiet(since) => since.checked_add(drain),
        _ => None,
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// The next report of a tree. Cancel safe.
pub(super) async fn next_report(tree: &mut AsyncFd<Tree>) -> Report {
    loop {
        let Ok(mut ready) = tree.readable_mut().await else { return Report::Lost };
        match ready.try_io(|tree| tree.get_mut().try_report()?.ok_or(std::io::ErrorKind::WouldBlock.into())) {
            Ok(report) => return report.unwrap_or(Report::Lost),
            Err(_) => continue,
        }
    }
}
