//! Running commands.

use crate::capture;
use crate::channel::{Channel, Receiver, parse};
use crate::connection::{Guest, unexpected};
use crate::listing;
use crate::observer::End;
use crate::process::{self, GuestProcess};
use async_trait::async_trait;
use bytes::Bytes;
use isobox_contract::exec::{
    Exec, ExecRequest, ExecResult, Exit, Process, ProcessInfo, Replay, Sanitize, Spill, Stdin, Termination,
};
use isobox_contract::{Error, ErrorCode, ExecId, Result};
use isobox_wire as wire;
use isobox_wire::exec::Cause;
use isobox_wire::{Blob, Kind, Reply, Request};
use std::time::Duration;

/// What an agent may need beyond the times it was given, before its silence means that something is wrong.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

#[async_trait]
impl Exec for Guest {
    async fn run(&self, request: ExecRequest) -> Result<ExecResult> {
        self.here()?;
        request.validate()?;
        let input = match &request.stdin {
            Stdin::None => None,
            Stdin::Bytes(bytes) => Some(bytes.clone()),
            Stdin::Stream => {
                let reason = "is a stream, which nobody could write to here; use spawn, or give bytes";
                return Err(Error::invalid_spec("stdin", reason));
            }
        };
        let merged = request.pty.is_some() || request.merge_stderr;
        let id = request.id.unwrap_or_else(ExecId::generate);
        let limit = longest(&request);
        let running = self.collect(id, &request, input);
        let guard = self.observer().begin(id, request.label.clone());
        match within(limit, running).await {
            Ok(mut result) => {
                result.streams_separated = !merged;
                self.observer().saw(&result.stdout.bytes);
                self.observer().saw(&result.stderr.bytes);
                guard.ended(End::of(&result, request.output.total()));
                Ok(result)
            }
            Err(error) => {
                guard.failed(&error);
                Err(error)
            }
        }
    }

    async fn spawn(&self, request: ExecRequest) -> Result<Box<dyn Process>> {
        self.here()?;
        request.validate()?;
        let id = request.id.unwrap_or_else(ExecId::generate);
        let guard = self.observer().begin(id, request.label.clone());
        let begun = async {
            let mut channel = self.begin(Request::Exec(Box::new(to_wire(id, &request, true)))).await?;
            let started = started(&mut channel.receiver).await?;
            Ok((channel, started))
        };
        // An agent that stands still does not say that it has begun.
        let (channel, started) = match within(longest(&request), begun).await {
            Ok(begun) => begun,
            Err(error) => {
                guard.failed(&error);
                return Err(error);
            }
        };
        guard.started();
        let process = GuestProcess::new(self.clone(), id, &request, started, channel, guard);
        if let Stdin::Bytes(bytes) = request.stdin {
            process.feed(bytes);
        }
        Ok(Box::new(process))
    }

    async fn processes(&self) -> Result<Vec<ProcessInfo>> {
        match self.call(Request::Processes).await? {
            Reply::Processes(all) => Ok(all.into_iter().filter_map(listing::process).collect()),
            _ => Err(unexpected()),
        }
    }

    async fn attach(&self, id: &ExecId, from: Replay) -> Result<Box<dyn Process>> {
        let from = match from {
            Replay::All => wire::exec::From::Start,
            Replay::From { stdout, stderr } => wire::exec::From::Offset { stdout, stderr },
            _ => wire::exec::From::Now,
        };
        let attach = wire::Attach { process: id.to_string(), from };
        let mut channel = self.begin(Request::Attach(attach)).await?;
        let started = started(&mut channel.receiver).await?;
        Ok(Box::new(GuestProcess::attached(self.clone(), *id, started, channel)))
    }
}

/// Waits until the agent says that the command runs.
async fn started(receiver: &mut Receiver) -> Result<wire::ProcessInfo> {
    match receiver.answer().await? {
        Reply::Started(info) => Ok(info),
        _ => Err(unexpected()),
    }
}

/// Waits for the agent as long as a command may take, and for ever for one that has no timeout.
pub(crate) async fn within<T>(limit: Option<Duration>, waited: impl Future<Output = Result<T>>) -> Result<T> {
    match limit {
        Some(limit) => tokio::time::timeout(limit, waited).await.unwrap_or_else(|_| Err(silent())),
        None => waited.await,
    }
}

fn silent() -> Error {
    let message = "the sandbox's agent did not say how the command ended, although its time is over";
    Error::new(ErrorCode::Incomplete, message).with_detail(isobox_contract::Detail::Incomplete {
        output_abandoned: true,
        stop_acknowledged: false,
        termination_confirmed: false,
        cleanup_confirmed: false,
    })
}

/// When the command must have ended, whatever the agent says. None without a timeout.
pub(crate) fn longest(request: &ExecRequest) -> Option<Duration> {
    let drain = request.drain.checked_mul(10)?;
    request.timeout?.checked_add(request.grace.unwrap_or_default())?.checked_add(drain)?.checked_add(PATIENCE)
}

fn to_wire(id: ExecId, request: &ExecRequest, stream: bool) -> wire::Exec {
    let blob = |bytes: &[u8]| Blob::from(bytes.to_vec());
    wire::Exec {
        id: id.to_string(),
        argv: request.command.argv().into_iter().map(Blob::from).collect(),
        env: request.env.iter().map(|(name, value)| (blob(name), blob(value))).collect(),
        cwd: request.cwd.as_ref().map(|cwd| blob(cwd.as_bytes())),
        user: request.user.clone(),
        stdin: !matches!(request.stdin, Stdin::None),
        output: wire::exec::Output {
            stream,
            head: request.output.head,
            tail: request.output.tail,
            spill: match &request.output.spill {
                Spill::Off => None,
                Spill::Temporary => Some(blob(b"")),
                Spill::Directory(directory) => Some(blob(directory.as_bytes())),
            },
            sanitize: match request.output.sanitize {
                Sanitize::StripAnsi => wire::exec::Sanitize::StripAnsi,
                Sanitize::StripAll => wire::exec::Sanitize::StripAll,
                _ => wire::exec::Sanitize::Raw,
            },
        },
        merge_stderr: request.merge_stderr,
        pty: request.pty.map(|size| wire::exec::Size { rows: size.rows, columns: size.cols }),
        timeout: request.timeout,
        grace: request.grace,
        drain: request.drain,
        detached: request.detached,
        label: request.label.clone(),
    }
}

/// How a command ended, in the contract's words.
pub(crate) fn exit(exit: &wire::Exit) -> Exit {
    let termination = match (exit.cause, exit.signal) {
        (Cause::Timeout, _) => Termination::TimedOut,
        (Cause::Stopped, _) => Termination::Cancelled,
        (Cause::Killed, _) => Termination::Killed,
        (Cause::Itself, Some(_)) => Termination::Signalled,
        (Cause::Itself, None) if exit.code.is_some() => Termination::Exited,
        (Cause::Itself, None) => Termination::Unknown,
    };
    let exit_code = exit.code.or(exit.signal.map(|signal| signal.saturating_add(128))).unwrap_or(-1);
    Exit {
        exit_code,
        signal: exit.signal,
        termination,
        oom_killed: exit.oom_killed,
        duration: exit.duration,
        cpu_time: Some(exit.cpu_time),
        peak_memory: Some(exit.peak_memory),
    }
}

/// The output that the agent kept, as it comes in; more than was asked for is a breach.
struct Collected {
    bytes: Vec<u8>,
    limit: u64,
}

impl Collected {
    fn add(&mut self, payload: &Bytes) -> Result<()> {
        if (self.bytes.len() + payload.len()) as u64 > self.limit {
            return Err(Error::transport("the sandbox's agent sent more output than it was asked to keep"));
        }
        self.bytes.extend_from_slice(payload);
        Ok(())
    }
}

impl Guest {
    /// Ends a command's whole tree: TERM, the grace, KILL; KILL at once without one. Returns when nothing of it runs.
    ///
    /// # Errors
    /// `not_found` for a command that is not known any more.
    pub async fn stop_process(&self, id: &ExecId, grace: Option<Duration>) -> Result<()> {
        self.done(Request::Stop { process: id.to_string(), grace }).await
    }

    async fn collect(&self, id: ExecId, request: &ExecRequest, input: Option<Bytes>) -> Result<ExecResult> {
        let Channel { mut receiver, sender: _held } =
            self.begin(Request::Exec(Box::new(to_wire(id, request, false)))).await?;
        // The agent does not tell of the start who has no use for it.
        if input.is_some() {
            started(&mut receiver).await?;
        }
        let mut feeding = std::pin::pin!(async {
            if let Some(bytes) = input {
                // A command that does not read its input is no error.
                let _ = process::feed(self, id, bytes).await;
            }
            std::future::pending::<()>().await;
        });
        let collected = || Collected { bytes: Vec::new(), limit: request.output.total() };
        let (mut stdout, mut stderr) = (collected(), collected());
        loop {
            let frame = tokio::select! {
                biased;
                frame = receiver.next() => frame?,
                () = &mut feeding => None,
            };
            let Some(frame) = frame else { return Err(receiver.lost().await) };
            match frame.kind {
                Kind::Stdout => stdout.add(&frame.payload)?,
                Kind::Stderr => stderr.add(&frame.payload)?,
                Kind::Message => match parse(&frame.payload)? {
                    Reply::Exited(ended) => {
                        let (stdout, stderr) =
                            (capture::kept(stdout.bytes, &ended.stdout), capture::kept(stderr.bytes, &ended.stderr));
                        let confirmed = confirm(&ended);
                        return confirmed.map(|()| ExecResult::new(exit(&ended), stdout, stderr));
                    }
                    _ => return Err(unexpected()),
                },
                Kind::Data | Kind::Eof => return Err(unexpected()),
            }
        }
    }
}

/// A command of which something could not be ended has not ended.
pub(crate) fn confirm(ended: &wire::Exit) -> Result<()> {
    if ended.unkillable == 0 {
        return Ok(());
    }
    let message = format!("{} processes run with other rights and could not be ended", ended.unkillable);
    Err(Error::new(ErrorCode::Incomplete, message).with_detail(isobox_contract::Detail::Incomplete {
        output_abandoned: true,
        stop_acknowledged: true,
        termination_confirmed: false,
        cleanup_confirmed: false,
    }))
}
