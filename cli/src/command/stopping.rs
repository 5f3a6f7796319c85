//! How a command is stopped from outside.
//!
//! ```text
//!   running ──interrupt──▶ asked ──interrupt, or --grace is over──▶ killing ──▶ given up
//!      │                    ▲  │                                      ▲
//!      └──end (TERM, HUP)───┘  └──end: a grace of 2 s, or --grace─────┘
//!           with a grace
//! ```
//!
//! Entering `asked` sends TERM to everything that the command started, entering `killing` KILL.

use super::signals::Asked;
use isobox::{Exit, Termination};
use std::time::Duration;
use tokio::time::Instant;

/// How long a command has when isobox itself has to end and `--grace` does not say.
const END_GRACE: Duration = Duration::from_secs(2);
/// How long it is waited for that a command is killed.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the last output of a command that is killed may take to be read.
const LAST_WORDS: Duration = Duration::from_millis(500);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Running,
    Asked,
    Killing,
}

/// What to do to the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Ask it to end.
    Terminate,
    /// Interrupt it, as a terminal does.
    Interrupt,
    /// End it.
    Kill,
    /// Stop waiting for it.
    GiveUp,
}

pub(crate) struct Stopping {
    stage: Stage,
    grace: Option<Duration>,
    due: Option<Instant>,
}

impl Stopping {
    pub(crate) fn new(grace: Option<Duration>) -> Self {
        Self { stage: Stage::Running, grace, due: None }
    }

    /// What follows from a signal.
    pub(crate) fn on(&mut self, asked: Asked) -> Option<Step> {
        match (self.stage, asked) {
            (_, Asked::Resize) | (Stage::Killing, _) => None,
            (Stage::Running, Asked::Interrupt) => Some(self.ask(self.grace)),
            (Stage::Running, Asked::End) => Some(self.ask(Some(self.grace.unwrap_or(END_GRACE)))),
            (Stage::Asked, Asked::Interrupt) => Some(self.kill()),
            (Stage::Asked, Asked::End) => {
                let latest = Instant::now().checked_add(self.grace.unwrap_or(END_GRACE));
                self.due = [self.due, latest].into_iter().flatten().min();
                None
            }
        }
    }

    /// What follows from time, once it has come. Cancel safe.
    pub(crate) async fn due(&self) {
        match self.due {
            Some(due) => tokio::time::sleep_until(due).await,
            None => std::future::pending().await,
        }
    }

    /// What to do when [`due`](Self::due) has come.
    pub(crate) fn on_due(&mut self) -> Step {
        if self.stage == Stage::Killing { Step::GiveUp } else { self.kill() }
    }

    fn ask(&mut self, grace: Option<Duration>) -> Step {
        self.stage = Stage::Asked;
        self.due = grace.and_then(|grace| Instant::now().checked_add(grace));
        Step::Terminate
    }

    fn kill(&mut self) -> Step {
        self.stage = Stage::Killing;
        self.due = Some(Instant::now() + PATIENCE);
        Step::Kill
    }

    /// The command is killed. Whoever did that does not wait long for a reader of its output.
    pub(crate) fn killed(&mut self) {
        self.due = Some(Instant::now() + LAST_WORDS);
    }

    /// What ended the command: a signal from us looks like any other to the sandbox.
    pub(crate) fn termination(&self, observed: Termination) -> Termination {
        match (self.stage, observed) {
            (Stage::Running, _) | (_, Termination::TimedOut) => observed,
            (Stage::Asked, _) => Termination::Cancelled,
            (Stage::Killing, _) => Termination::Killed,
        }
    }

    /// The end of a command that was not waited for.
    pub(crate) fn given_up() -> Exit {
        Exit::signal(isobox::Signal::KILL.number(), Termination::Killed, Duration::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_first_interrupt_asks_and_the_second_kills() {
        let mut stopping = Stopping::new(None);
        assert_eq!(stopping.termination(Termination::Exited), Termination::Exited);
        assert_eq!(stopping.on(Asked::Resize), None);
        assert_eq!(stopping.on(Asked::Interrupt), Some(Step::Terminate));
        assert!(stopping.due.is_none(), "TERM does not become KILL by itself");
        assert_eq!(stopping.termination(Termination::Signalled), Termination::Cancelled);
        assert_eq!(stopping.on(Asked::Interrupt), Some(Step::Kill));
        assert_eq!(stopping.on(Asked::Interrupt), None);
        assert_eq!(stopping.termination(Termination::Killed), Termination::Killed);
    }

    #[tokio::test(start_paused = true)]
    async fn a_grace_that_is_over_kills_and_then_gives_up() {
        let mut stopping = Stopping::new(Some(Duration::from_secs(7)));
        let start = Instant::now();
        assert_eq!(stopping.on(Asked::Interrupt), Some(Step::Terminate));
        stopping.due().await;
        assert_eq!((stopping.on_due(), start.elapsed().as_secs()), (Step::Kill, 7));
        stopping.due().await;
        assert_eq!((stopping.on_due(), start.elapsed().as_secs()), (Step::GiveUp, 12));
    }

    #[tokio::test(start_paused = true)]
    async fn a_killed_command_whose_output_nobody_reads_is_given_up_soon() {
        let mut stopping = Stopping::new(None);
        let start = Instant::now();
        stopping.on(Asked::Interrupt);
        stopping.on(Asked::Interrupt);
        stopping.killed();
        stopping.due().await;
        assert_eq!((stopping.on_due(), start.elapsed()), (Step::GiveUp, LAST_WORDS));
    }

    #[tokio::test(start_paused = true)]
    async fn the_end_of_isobox_does_not_wait_for_a_stubborn_command() {
        let mut stopping = Stopping::new(None);
        let start = Instant::now();
        assert_eq!(stopping.on(Asked::Interrupt), Some(Step::Terminate));
        assert_eq!(stopping.on(Asked::End), None);
        stopping.due().await;
        assert_eq!((stopping.on_due(), start.elapsed()), (Step::Kill, END_GRACE));
    }
}
