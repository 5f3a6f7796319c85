//! `--output json`: what became of a command as one object.

use crate::exit;
use bytes::Bytes;
use isobox::contract::path::bytes_or_text;
use isobox::{Error, ExecResult, ProviderKind, Result, Sandbox, SandboxId, SandboxImage, Termination};
use serde::Serialize;
use std::io::{ErrorKind, Write};

/// Text where it is UTF-8, else `{"base64": "..."}`.
#[derive(Serialize)]
#[serde(transparent)]
struct Output<'a>(#[serde(with = "bytes_or_text")] &'a Bytes);

#[derive(Serialize)]
struct Outcome<'a> {
    sandbox: &'a SandboxId,
    provider: &'a ProviderKind,
    /// The image, pinned to what ran.
    image: Option<String>,
    exit_code: i32,
    signal: Option<i32>,
    termination: Termination,
    timed_out: bool,
    cancelled: bool,
    oom_killed: bool,
    stdout: Output<'a>,
    stderr: Output<'a>,
    /// Bytes that are missing, in the middle of each.
    stdout_omitted: u64,
    stderr_omitted: u64,
    duration_us: u64,
    cpu_time_us: Option<u64>,
    peak_memory: Option<u64>,
}

/// Prints it and returns the exit code.
pub(crate) fn print(sandbox: &Sandbox, result: &ExecResult) -> Result<u8> {
    let micros = |duration: std::time::Duration| u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    let outcome = Outcome {
        sandbox: sandbox.id(),
        provider: sandbox.provider(),
        image: sandbox.image().map(SandboxImage::pinned),
        exit_code: result.exit_code,
        signal: result.signal,
        termination: result.termination,
        timed_out: result.timed_out,
        cancelled: result.cancelled,
        oom_killed: result.oom_killed,
        stdout: Output(&result.stdout.bytes),
        stderr: Output(&result.stderr.bytes),
        stdout_omitted: result.stdout.omitted,
        stderr_omitted: result.stderr.omitted,
        duration_us: micros(result.duration),
        cpu_time_us: result.cpu_time.map(micros),
        peak_memory: result.peak_memory,
    };
    let mut line = serde_json::to_vec(&outcome).map_err(|error| Error::internal("the result").with_source(error))?;
    line.push(b'\n');
    match std::io::stdout().lock().write_all(&line) {
        Ok(()) => Ok(exit::of_exit(&result.exit())),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(exit::NO_READER),
        Err(error) => Err(Error::io("stdout", error)),
    }
}
