//! `isobox logs`: what is kept of a command's output, and what comes.

use crate::args::{Form, LogsArgs};
use crate::command::{Signals, Writer, Written};
use crate::tail::Tail;
use crate::{exit, failure, find, output, runtime};
use isobox::contract::path::bytes_or_text;
use isobox::{Error, ExecId, OutputEvent, Process, ProcessInfo, Replay, Result, Stream};
use serde::Serialize;

/// One piece of output, one line of JSON.
#[derive(Serialize)]
struct Piece<'a> {
    process: &'a ExecId,
    stream: Stream,
    #[serde(with = "bytes_or_text")]
    data: bytes::Bytes,
}

pub(crate) fn main(args: &LogsArgs) -> Result<u8> {
    runtime::with_isobox_and_signals(async |isobox| {
        let mut signals = Signals::catch(false).map_err(|error| Error::io("the signal handlers", error))?;
        let work = async {
            let wanted = &args.process;
            let (sandbox, info) = find::process(&isobox, &wanted.sandbox, wanted.process.as_deref()).await?;
            let process = sandbox.process_from(&info.id, Replay::All).await?;
            print(args, &process, &info).await
        };
        tokio::select! {
            biased;
            () = signals.stop() => Ok(exit::CANCELLED),
            done = work => done,
        }
    })
}

/// How much of the output is there already, so that what is kept can be told from what comes.
struct Known {
    left: [u64; 2],
}

impl Known {
    fn of(info: &ProcessInfo) -> Self {
        Self { left: [info.stdout_bytes, info.stderr_bytes] }
    }

    fn count(&mut self, event: &OutputEvent) {
        let (index, bytes) = match event {
            OutputEvent::Stdout(data) => (0, data.len() as u64),
            OutputEvent::Stderr(data) => (1, data.len() as u64),
            OutputEvent::Gap { stream, bytes } => (usize::from(*stream == Stream::Stderr), *bytes),
            _ => return,
        };
        self.left[index] = self.left[index].saturating_sub(bytes);
    }

    fn is_over(&self) -> bool {
        self.left == [0, 0]
    }
}

async fn print(args: &LogsArgs, process: &Process, info: &ProcessInfo) -> Result<u8> {
    let mut known = Known::of(info);
    let mut tail = args.tail.map(Tail::new);
    let printer = Printer::new(args.form.output, process)?;
    loop {
        // Once that is over, it is what comes, and nothing is held back.
        if known.is_over() && (!printer.last(&mut tail).await? || !args.follow) {
            return printer.finish().await;
        }
        match printer.next(process).await? {
            None | Some(OutputEvent::Exited(_)) => {
                printer.last(&mut tail).await?;
                return printer.finish().await;
            }
            Some(event) => {
                known.count(&event);
                match &mut tail {
                    Some(tail) => tail.push(event),
                    None if printer.put(event).await? => {}
                    None => return printer.finish().await,
                }
            }
        }
    }
}

/// Where the output goes: bytes to our stdout and stderr, or lines of JSON to stdout.
enum Printer {
    Bytes(Writer),
    Json(ExecId),
}

impl Printer {
    fn new(form: Form, process: &Process) -> Result<Self> {
        match form {
            Form::Table => Writer::start(None).map(Printer::Bytes),
            Form::Json => Ok(Printer::Json(*process.id())),
        }
    }

    /// The next piece; nothing when there is no use in more.
    async fn next(&self, process: &Process) -> Result<Option<OutputEvent>> {
        match self {
            Printer::Json(_) => process.next().await,
            Printer::Bytes(writer) => tokio::select! {
                event = process.next() => event,
                () = writer.closed() => Ok(None),
            },
        }
    }

    /// Prints one piece; false when there is no use in more.
    async fn put(&self, event: OutputEvent) -> Result<bool> {
        if let OutputEvent::Gap { stream, bytes } = event {
            failure::note(&format!("{bytes} bytes of {stream} are not kept any more"));
            return Ok(true);
        }
        match self {
            Printer::Bytes(writer) => Ok(writer.put(event).await),
            Printer::Json(process) => {
                let (stream, data) = match event {
                    OutputEvent::Stdout(data) => (Stream::Stdout, data),
                    OutputEvent::Stderr(data) => (Stream::Stderr, data),
                    _ => return Ok(true),
                };
                Ok(output::line(&Piece { process, stream, data })? == output::Reader::There)
            }
        }
    }

    /// Prints the last lines of what was held back, once; false when there is no use in more.
    async fn last(&self, tail: &mut Option<Tail>) -> Result<bool> {
        for event in tail.take().into_iter().flat_map(Tail::into_events) {
            if !self.put(event).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn finish(self) -> Result<u8> {
        match self {
            Printer::Json(_) => Ok(0),
            Printer::Bytes(writer) => Ok(match writer.finish().await? {
                Written::All => 0,
                Written::NoReader => exit::NO_READER,
            }),
        }
    }
}
