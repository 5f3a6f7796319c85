//! Being with a command until it ends: its output goes out, our input goes in, signals are answered. The three never wait
//! for each other.

use super::keys::DetachKeys;
use super::signals::{Asked, Signals};
use super::stopping::{Step, Stopping};
use super::writer::{Writer, Written};
use super::{input, terminal};
use crate::failure;
use isobox::{Error, ErrorCode, ExecResult, Exit, OutputEvent, Process, Result, Signal, Termination};
use std::pin::pin;
use std::time::Duration;
use tokio::task::JoinSet;

/// How long the end of a command whose output nobody reads is waited for.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// Where the output goes.
pub(crate) enum Outlet {
    /// Out, as it comes.
    Streams(Writer),
    /// Into the result.
    Captured,
}

/// How it ended.
pub(crate) enum Followed {
    /// Its output is out.
    Ended(Exit),
    /// Its output is here.
    Captured(Box<ExecResult>),
    /// Nobody reads the output, so the command was ended unless it is somebody else's.
    NoReader,
    /// It goes on without us.
    Left,
}

/// What a signal does to the command.
pub(crate) enum Signalled {
    /// It is ours, and ends before we do.
    Stops(Stopping),
    /// It is somebody else's: an interrupt is passed on, and our end is none of its business.
    PassesOn,
}

/// Which streams there are.
pub(crate) struct Streams {
    /// Our stdin is the command's.
    pub(crate) input: bool,
    /// The keys that leave the command.
    pub(crate) keys: Option<DetachKeys>,
    /// Where its output goes.
    pub(crate) outlet: Outlet,
}

/// Follows a command to its end.
pub(crate) async fn follow(
    process: &Process,
    signals: &mut Signals,
    mut signalled: Signalled,
    streams: Streams,
) -> Result<Followed> {
    let Streams { input: takes_input, keys, outlet } = streams;
    let ours = matches!(signalled, Signalled::Stops(_));
    let mut output = pin!(drain(process, outlet, ours));
    let mut input = pin!(async {
        match takes_input {
            true => input::forward(process, keys.as_ref()).await,
            false => std::future::pending().await,
        }
    });
    let mut steps = JoinSet::new();
    loop {
        let step = tokio::select! {
            followed = &mut output => return followed.map(|followed| told(followed, &signalled)),
            () = &mut input => return Ok(Followed::Left),
            asked = signals.next() => match (&mut signalled, asked) {
                (_, Asked::Resize) => {
                    resize(process, &mut steps);
                    None
                }
                (Signalled::Stops(stopping), asked) => stopping.on(asked),
                (Signalled::PassesOn, Asked::Interrupt) => Some(Step::Interrupt),
                (Signalled::PassesOn, Asked::End) => return Ok(Followed::Left),
            },
            () = due(&signalled) => match &mut signalled {
                Signalled::Stops(stopping) => Some(stopping.on_due()),
                Signalled::PassesOn => None,
            },
            Some(Ok(done)) = steps.join_next() => {
                if let (Done::Killed, Signalled::Stops(stopping)) = (done?, &mut signalled) {
                    stopping.killed();
                }
                None
            }
        };
        match step {
            Some(Step::GiveUp) => return Ok(Followed::Ended(Stopping::given_up())),
            Some(step) => take(step, process, &mut steps),
            None => {}
        }
    }
}

/// Returns when the next step is due.
async fn due(signalled: &Signalled) {
    match signalled {
        Signalled::Stops(stopping) => stopping.due().await,
        Signalled::PassesOn => std::future::pending().await,
    }
}

/// What was done beside everything else.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Done {
    Told,
    Killed,
}

/// Does to the command what a signal asked for, beside everything else.
fn take(step: Step, process: &Process, steps: &mut JoinSet<Result<Done>>) {
    let process = process.clone();
    steps.spawn(async move {
        match step {
            Step::Terminate => process.signal(Signal::TERM).await.map(|()| Done::Told),
            Step::Interrupt => process.signal(Signal::INT).await.map(|()| Done::Told),
            _ => end(&process).await.map(|()| Done::Killed),
        }
    });
}

/// Tells the command the size of the terminal. That this fails for a command that has just ended is fine.
fn resize(process: &Process, steps: &mut JoinSet<Result<Done>>) {
    let Some(size) = terminal::size() else { return };
    let process = process.clone();
    steps.spawn(async move {
        let _ = process.resize(size.rows, size.cols).await;
        Ok(Done::Told)
    });
}

fn told(followed: Followed, signalled: &Signalled) -> Followed {
    let Signalled::Stops(stopping) = signalled else { return followed };
    match followed {
        Followed::Ended(exit) => Followed::Ended(Exit { termination: stopping.termination(exit.termination), ..exit }),
        Followed::Captured(mut result) => {
            result.termination = stopping.termination(result.termination);
            result.cancelled = matches!(result.termination, Termination::Cancelled | Termination::Killed);
            Followed::Captured(result)
        }
        followed => followed,
    }
}

async fn drain(process: &Process, outlet: Outlet, ours: bool) -> Result<Followed> {
    let writer = match outlet {
        Outlet::Captured => return process.wait().await.map(|result| Followed::Captured(Box::new(result))),
        Outlet::Streams(writer) => writer,
    };
    let exit = stream(process, &writer).await?;
    match (writer.finish().await, exit) {
        (Ok(Written::All), Some(exit)) => Ok(Followed::Ended(exit)),
        (written, exit) => {
            if exit.is_none() && ours {
                end(process).await?;
            }
            written.map(|_| Followed::NoReader)
        }
    }
}

/// Passes output on to its end; nothing when there is no use in more.
async fn stream(process: &Process, writer: &Writer) -> Result<Option<Exit>> {
    loop {
        let event = tokio::select! {
            event = process.next() => event?,
            () = writer.closed() => return Ok(None),
        };
        match event {
            Some(OutputEvent::Exited(exit)) => return Ok(Some(exit)),
            Some(OutputEvent::Gap { stream, bytes }) => failure::note(&format!("{bytes} bytes of {stream} were lost")),
            Some(event) => {
                if !writer.put(event).await {
                    return Ok(None);
                }
            }
            None => return Err(Error::internal("the command's output ended without its end")),
        }
    }
}

/// Ends it, and throws away what it still has to say: its end comes behind that.
async fn end(process: &Process) -> Result<()> {
    let ended = async { tokio::try_join!(process.kill(), process.wait()) };
    match tokio::time::timeout(KILL_TIMEOUT, ended).await {
        Ok(ended) => ended.map(drop),
        Err(_) => Err(Error::new(ErrorCode::Incomplete, "the command could not be ended in time")),
    }
}
