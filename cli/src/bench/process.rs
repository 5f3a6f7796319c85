//! Running what is not ours, and looking at processes. Nothing of it is waited for without end.

use super::deadline::{LONG, PATIENCE, ended, late, readable};
use std::fs::{self, File};
use std::io::{Read, Seek};
use std::os::fd::AsFd;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a daemon may take to say that it is there.
const ANSWER: Duration = Duration::from_secs(5);
const DOCKER_SOCKET: &str = "/var/run/docker.sock";

/// Runs a command without input and output to its end; it must succeed.
pub(super) fn here(command: Command) -> Result<(), String> {
    succeeded(command, LONG).map(drop)
}

/// What a command says on its standard output, without the space around it; nothing when it fails.
pub(super) fn said(command: Command) -> Option<String> {
    succeeded(command, PATIENCE).ok().filter(|said| !said.is_empty())
}

/// What a command that succeeds says on its standard output, without the space around it.
fn succeeded(mut command: Command, limit: Duration) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let failed = |problem: String| format!("{name} failed: {problem}");
    let file = || tempfile::tempfile().map_err(|error| failed(error.to_string()));
    let written = |file: &File| file.try_clone().map_err(|error| failed(error.to_string()));
    // Files, because nobody reads while it runs.
    let (output, errors) = (file()?, file()?);
    command.stdin(Stdio::null()).stdout(written(&output)?).stderr(written(&errors)?);
    let mut child = command.spawn().map_err(|error| format!("{name} cannot be run: {error}"))?;
    match ended(&mut child, limit).map_err(|error| failed(error.to_string()))? {
        Some(status) if status.success() => Ok(text(output).trim().to_owned()),
        Some(_) => {
            let said = text(errors);
            let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
            Err(failed(last.to_owned()))
        }
        None => Err(failed(late(limit))),
    }
}

fn text(mut file: File) -> String {
    let mut bytes = Vec::new();
    // What cannot be read was not said.
    let _ = file.rewind().and_then(|()| file.read_to_end(&mut bytes));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Runs a command to its end and says how long that took.
pub(super) fn timed(command: &mut Command) -> Result<Duration, String> {
    timed_within(command, LONG)?.ok_or_else(|| late(LONG))
}

/// The same, with nothing for one that did not end before the time was over.
pub(super) fn timed_within(command: &mut Command, limit: Duration) -> Result<Option<Duration>, String> {
    let begun = Instant::now();
    let words = |error: std::io::Error| error.to_string();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().map_err(words)?;
    match ended(&mut child, limit).map_err(words)? {
        Some(status) if status.success() => Ok(Some(begun.elapsed())),
        Some(_) => Err("the command failed".to_owned()),
        None => Ok(None),
    }
}

/// Runs a command to its end and says how long its first byte of output took.
pub(super) fn first_byte(mut command: Command) -> Result<Duration, String> {
    let begun = Instant::now();
    let words = |error: std::io::Error| error.to_string();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(words)?;
    let read = first_of(&mut child);
    let took = begun.elapsed();
    // One that has said nothing has used up its time.
    let left = if read.is_ok() { PATIENCE } else { Duration::ZERO };
    let status = ended(&mut child, left).map_err(words)?;
    read.and_then(|()| status.map(|_| took).ok_or_else(|| late(PATIENCE)))
}

fn first_of(child: &mut Child) -> Result<(), String> {
    let output = child.stdout.as_mut().ok_or("its output is not there")?;
    match readable(output.as_fd(), PATIENCE) {
        Ok(true) => output.read_exact(&mut [0]).map_err(|error| format!("it wrote nothing: {error}")),
        Ok(false) => Err(format!("it wrote nothing within {} s", PATIENCE.as_secs())),
        Err(error) => Err(error.to_string()),
    }
}

/// Runs a command to its end, reads all its output, and says how long that took.
pub(super) fn drained(mut command: Command, expected: u64) -> Result<Duration, String> {
    let begun = Instant::now();
    let words = |error: std::io::Error| error.to_string();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(words)?;
    let seen = all_of(&mut child);
    let left = if seen.is_ok() { PATIENCE } else { Duration::ZERO };
    let status = ended(&mut child, left).map_err(words)?;
    let (took, seen) = (begun.elapsed(), seen?);
    match status {
        Some(status) if !status.success() => Err("the command failed".to_owned()),
        None => Err(late(PATIENCE)),
        Some(_) if seen == expected => Ok(took),
        Some(_) => Err(format!("it wrote {seen} bytes of {expected}")),
    }
}

fn all_of(child: &mut Child) -> Result<u64, String> {
    let output = child.stdout.as_mut().ok_or("its output is not there")?;
    let (mut buffer, mut seen) = (vec![0; 128 << 10], 0);
    while readable(output.as_fd(), PATIENCE).map_err(|error| error.to_string())? {
        match output.read(&mut buffer).map_err(|error| error.to_string())? {
            0 => return Ok(seen),
            length => seen += length as u64,
        }
    }
    Err(format!("after {seen} bytes it wrote nothing within {} s", PATIENCE.as_secs()))
}

/// Whether a Docker daemon answers. Asked with a deadline, because a daemon that hangs does not.
pub(super) fn docker_server() -> Result<(), String> {
    // Docker's own command looks there unless it is told of another one.
    if std::env::var_os("DOCKER_HOST").is_none() && !std::path::Path::new(DOCKER_SOCKET).exists() {
        return Err(format!("no daemon at {DOCKER_SOCKET}"));
    }
    let mut command = Command::new("docker");
    command.args(["version", "--format", "{{.Server.Version}}"]);
    succeeded(command, ANSWER).map(drop)
}

/// Starts a container and answers with its id.
pub(super) fn container(command: Command) -> Result<Container, String> {
    succeeded(command, LONG).map(Container)
}

/// A container, removed when it is dropped.
pub(super) struct Container(String);

impl Container {
    pub(super) fn id(&self) -> &str {
        &self.0
    }

    /// Removes it at once, and says how long that took.
    pub(super) fn remove(mut self) -> Result<Duration, String> {
        let id = std::mem::take(&mut self.0);
        timed(Command::new("docker").args(["rm", "--force", &id]))
    }

    pub(super) fn exec(&self, argv: &[&str]) -> Command {
        let mut command = Command::new("docker");
        command.arg("exec").arg(&self.0).args(argv);
        command
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        if self.0.is_empty() {
            return;
        }
        let mut command = Command::new("docker");
        command.args(["rm", "--force", &self.0]);
        let _ = here(command);
    }
}

/// What a process shares with nobody plus its part of what it shares, in bytes (proc_pid_smaps(5)).
pub(super) fn proportional_memory(pid: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    kibibytes(&text, "Pss:")
}

/// The most memory that a process ever had resident, in bytes, since [`forget_peak`].
pub(super) fn peak_memory(pid: u32) -> u64 {
    kibibytes(&fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default(), "VmHWM:")
}

pub(super) fn forget_peak(pid: u32) {
    // Refused for processes of other users; then the peak is that of their whole life.
    let _ = fs::write(format!("/proc/{pid}/clear_refs"), "5");
}

fn kibibytes(text: &str, field: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(field));
    let number = line.and_then(|rest| rest.split_ascii_whitespace().next()?.parse::<u64>().ok());
    number.unwrap_or(0) << 10
}

/// The processes that have a word in their command line or in the names of their control groups: those of a container by
/// its id, with the engine's process for it.
pub(super) fn named_after(word: &str) -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let says = |pid: &u32, file: &str| {
        let text = fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
        String::from_utf8_lossy(&text).contains(word)
    };
    pids.filter(|pid| says(pid, "cgroup") || says(pid, "cmdline")).collect()
}

/// Everything that this process started and everything below it.
pub(super) fn descendants() -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let all: Vec<(u32, u32)> = pids.filter_map(|pid| Some((pid, parent(pid)?))).collect();
    let mut found = vec![std::process::id()];
    let mut next = 0;
    while let Some(parent) = found.get(next).copied() {
        found.extend(all.iter().filter(|(_, of)| *of == parent).map(|(pid, _)| *pid));
        next += 1;
    }
    found.split_off(1)
}

/// The fourth field; the second, the name, is in parentheses and may hold any byte.
fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit(')').next()?.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_found_and_measured() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        assert!(descendants().contains(&child.id()));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!descendants().contains(&child.id()));
        assert!(proportional_memory(std::process::id()) > 0);
        assert!(peak_memory(std::process::id()) > 0);
    }

    #[test]
    fn what_fails_says_so() {
        assert!(here(Command::new("true")).is_ok());
        assert_eq!(here(Command::new("false")), Err("false failed: it said nothing".to_owned()));
        assert!(here(Command::new("no-such-program")).unwrap_err().contains("cannot be run"));
        let mut echo = Command::new("echo");
        echo.arg("hello");
        assert!(drained(echo, 5).unwrap_err().contains("6 bytes of 5"));
    }
}
