//! Answering from a tape.

use super::format::{Answer, Asked, Ending, Line, Question, Ran, Request, VERSION};
use super::redact::Redact;
use crate::builder::TestProviderBuilder;
use crate::call::Call;
use crate::provider::TestProvider;
use crate::reply::{End, Reply};
use crate::sync::locked;
use isobox_contract::{Capabilities, Error, ErrorCode, ProviderKind, Result, SandboxSpec, Stream};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A session that was recorded, to be played. The provider that plays it is a [`TestProvider`] of the recorded kind: it takes the
/// place of the real one, runs nothing, and its clock goes by the recorded times.
///
/// By default each call is answered by what was recorded for an equal one: the same words, directory, user, input and names of
/// variables, or the same question about a file; repeated calls get the recorded answers in their order, and the last one for
/// ever. [`strict`](Self::strict) wants the very calls of the recording in their order. What is on neither the tape nor the
/// provider's script is an error that says what was asked for and how to record it.
pub struct Tape {
    kind: ProviderKind,
    capabilities: Capabilities,
    player: Player,
}

impl Tape {
    /// Reads a tape of [`TapeRecorder`](super::TapeRecorder).
    ///
    /// # Errors
    /// `io` when the file cannot be read, `invalid_spec` with the line when it is no tape.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let text = std::fs::read(path).map_err(|error| Error::io(format!("the tape {}", path.display()), error))?;
        Self::parse(&text).map_err(|reason| Error::invalid_spec("tape", format!("{}: {reason}", path.display())))
    }

    fn parse(text: &[u8]) -> std::result::Result<Self, String> {
        let mut lines = text.split(|byte| *byte == b'\n').zip(1_u64..).filter(|(line, _)| !line.is_empty());
        let parse = |(line, number): (&[u8], u64)| {
            serde_json::from_slice::<Line>(line).map_err(|error| format!("line {number} is none of a tape: {error}"))
        };
        let Some(Line::Tape { version, kind, capabilities, env_values }) = lines.next().map(parse).transpose()? else {
            return Err("it does not begin as a tape, record it with TapeRecorder".to_owned());
        };
        if version != VERSION {
            return Err(format!("it is of version {version} and not {VERSION}, record it again"));
        }
        let mut calls = Vec::new();
        for line in lines {
            match parse(line)? {
                Line::Exec(ran) => calls.push(Recorded { used: false, what: What::Ran(*ran) }),
                Line::File(asked) => calls.push(Recorded { used: false, what: What::Asked(*asked) }),
                Line::Sandbox { .. } | Line::Tape { .. } => {}
            }
        }
        calls.sort_by_key(|call| call.order());
        let player = Player { strict: false, env_values, redact: Redact::default(), calls: Mutex::new(calls) };
        Ok(Self { kind, capabilities: *capabilities, player })
    }

    /// Wants the calls of the recording in their order, for each sandbox by itself.
    pub fn strict(mut self) -> Self {
        self.player.strict = true;
        self
    }

    /// A value that was left out of the tape, when the program is given it or another in its place.
    pub fn redact(self, value: impl AsRef<[u8]>) -> Self {
        self.player.redact.add(value.as_ref());
        self
    }

    /// The provider, to be said more about: faults, a clock, replies for what is not on the tape. It can do what both the
    /// recorded one and a double can.
    pub fn builder(self) -> TestProviderBuilder {
        let builder = TestProviderBuilder::playing(Arc::new(self.player)).kind(self.kind.as_str());
        builder.able(&self.capabilities)
    }

    /// The provider.
    pub fn provider(self) -> TestProvider {
        self.builder().build()
    }
}

impl fmt::Debug for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tape")
            .field("kind", &self.kind)
            .field("calls", &locked(&self.player.calls).len())
            .finish_non_exhaustive()
    }
}

pub(crate) struct Player {
    strict: bool,
    env_values: bool,
    redact: Redact,
    /// In the order of the recording.
    calls: Mutex<Vec<Recorded>>,
}

struct Recorded {
    used: bool,
    what: What,
}

#[derive(Clone)]
enum What {
    Ran(Ran),
    Asked(Asked),
}

impl Recorded {
    fn order(&self) -> u64 {
        match &self.what {
            What::Ran(ran) => ran.order,
            What::Asked(asked) => asked.order,
        }
    }

    fn sandbox(&self) -> u64 {
        match &self.what {
            What::Ran(ran) => ran.sandbox,
            What::Asked(asked) => asked.sandbox,
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Ran(ran) => write!(f, "the command `{}`", ran.request.line()),
            What::Asked(asked) => write!(f, "the file operation `{}`", asked.question),
        }
    }
}

impl Player {
    /// A sandbox is made: its secrets are on no tape.
    pub(crate) fn made(&self, spec: &SandboxSpec) {
        spec.secrets.iter().for_each(|secret| self.redact.add(secret.value.expose().as_bytes()));
    }

    pub(crate) fn is_strict(&self) -> bool {
        self.strict
    }

    /// What a command did.
    pub(crate) fn reply(&self, sandbox: u64, call: &Call) -> Result<Reply> {
        let request = Request::of(call.request(), &self.redact, self.env_values);
        let wanted = format!("the command `{}`", request.line());
        let found = self.find(sandbox, &wanted, |what| matches!(what, What::Ran(ran) if ran.request == request))?;
        match found {
            What::Ran(ran) => Ok(reply(&ran)),
            What::Asked(_) => Err(Error::internal("a tape has a file for a command")),
        }
    }

    /// What was answered about a file.
    pub(crate) fn answer(&self, sandbox: u64, question: &Question) -> Result<Answer> {
        let wanted = format!("the file operation `{question}`");
        let found =
            self.find(sandbox, &wanted, |what| matches!(what, What::Asked(asked) if asked.question == *question))?;
        match found {
            What::Asked(Asked { answer: Answer::Failed(report), .. }) => Err(Error::from(report)),
            What::Asked(asked) => Ok(asked.answer),
            What::Ran(_) => Err(Error::internal("a tape has a command for a file")),
        }
    }

    fn find(&self, sandbox: u64, wanted: &str, fits: impl Fn(&What) -> bool) -> Result<What> {
        let mut calls = locked(&self.calls);
        if self.strict {
            let next = calls.iter_mut().find(|call| !call.used && call.sandbox() == sandbox);
            return match next {
                Some(call) if fits(&call.what) => {
                    call.used = true;
                    Ok(call.what.clone())
                }
                Some(call) => Err(absent(&format!("the tape has {} next, and {wanted} was asked for", call.what))),
                None => Err(absent(&format!("the tape is over, and {wanted} was asked for"))),
            };
        }
        let fresh = |call: &Recorded, own: bool| !call.used && fits(&call.what) && (!own || call.sandbox() == sandbox);
        let at = calls
            .iter()
            .position(|call| fresh(call, true))
            .or_else(|| calls.iter().position(|call| fresh(call, false)))
            .or_else(|| calls.iter().rposition(|call| fits(&call.what)));
        let at = at.ok_or_else(|| absent(&format!("the tape does not have {wanted}")))?;
        calls[at].used = true;
        Ok(calls[at].what.clone())
    }
}

fn absent(what: &str) -> Error {
    let message = format!("{what}: record the tape again with TapeRecorder around the real provider");
    Error::new(ErrorCode::Internal, message)
}

/// A command as it was recorded.
fn reply(ran: &Ran) -> Reply {
    let (mut reply, mut at, mut input) = (Reply::ok(), 0, 0);
    for piece in &ran.output {
        if piece.after_input > input {
            input = piece.after_input;
            reply = reply.after_input(input);
        }
        reply = reply.after(Duration::from_micros(piece.at_us.saturating_sub(at)));
        at = piece.at_us.max(at);
        reply = match piece.stream {
            Stream::Stderr => reply.stderr(piece.data.clone()),
            _ => reply.stdout(piece.data.clone()),
        };
    }
    match &ran.end {
        Ending::Exited(exit) => {
            reply = reply.after(exit.duration.saturating_sub(Duration::from_micros(at)));
            reply.ending(End::Exactly(exit.clone()))
        }
        Ending::Stopped(exit) => {
            reply.ignores_term = exit.signal == Some(isobox_contract::Signal::KILL.number());
            reply.then_hangs()
        }
        Ending::Abandoned => reply.then_hangs(),
        Ending::Refused(report) => Reply::refused(Error::from(report.clone())),
        Ending::Lost(report) => reply.lost(Error::from(report.clone())),
        Ending::TooLarge => Reply::refused(too_large(&ran.request.line())),
    }
}

fn too_large(what: &str) -> Error {
    let message = format!("`{what}` gave more than the 64 MiB that a tape keeps, so it cannot be played");
    Error::new(ErrorCode::LimitExceeded, message)
}

impl Answer {
    pub(super) fn too_large() -> Self {
        Self::Failed((&too_large("the file")).into())
    }
}
