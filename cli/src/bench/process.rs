//! Running what is not ours, and looking at processes.

use std::fs;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a daemon may take to say that it is there.
const ANSWER: Duration = Duration::from_secs(5);
const DOCKER_SOCKET: &str = "/var/run/docker.sock";

/// Runs a command without input and output to its end; it must succeed.
pub(super) fn here(mut command: Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let ran = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output();
    let output = ran.map_err(|error| format!("{name} cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    Err(format!("{name} failed: {last}"))
}

/// What a command says on its standard output, without the space around it; nothing when it fails.
pub(super) fn said(mut command: Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !said.is_empty()).then_some(said)
}

/// Runs a command to its end and says how long that took.
pub(super) fn timed(command: &mut Command) -> Result<Duration, String> {
    let begun = Instant::now();
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
    checked(status.map(|status| status.success())).map(|()| begun.elapsed())
}

/// Starts a command and says how long its first byte of output took.
pub(super) fn first_byte(mut command: Command) -> Result<(Duration, Child), String> {
    let begun = Instant::now();
    let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut child = started.map_err(|error| error.to_string())?;
    let output = child.stdout.as_mut().ok_or("its output is not there")?;
    let read = output.read_exact(&mut [0]);
    let took = begun.elapsed();
    read.map_err(|error| format!("it wrote nothing: {error}"))?;
    Ok((took, child))
}

/// Runs a command to its end, reads all its output, and says how long that took.
pub(super) fn drained(mut command: Command, expected: u64) -> Result<Duration, String> {
    let begun = Instant::now();
    let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut child = started.map_err(|error| error.to_string())?;
    let mut output = child.stdout.take().ok_or("its output is not there")?;
    let (mut buffer, mut seen) = (vec![0; 128 << 10], 0);
    loop {
        match output.read(&mut buffer).map_err(|error| error.to_string())? {
            0 => break,
            length => seen += length as u64,
        }
    }
    checked(child.wait().map(|status| status.success()))?;
    if seen == expected { Ok(begun.elapsed()) } else { Err(format!("it wrote {seen} bytes of {expected}")) }
}

fn checked(succeeded: std::io::Result<bool>) -> Result<(), String> {
    match succeeded {
        Ok(true) => Ok(()),
        Ok(false) => Err("the command failed".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Whether a Docker daemon answers. Asked with a deadline, because a daemon that hangs does not.
pub(super) fn docker_server() -> Result<(), String> {
    // Docker's own command looks there unless it is told of another one.
    if std::env::var_os("DOCKER_HOST").is_none() && !std::path::Path::new(DOCKER_SOCKET).exists() {
        return Err(format!("no daemon at {DOCKER_SOCKET}"));
    }
    let mut command = Command::new("docker");
    command.args(["version", "--format", "{{.Server.Version}}"]);
    let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut child = started.map_err(|error| format!("docker cannot be run: {error}"))?;
    let deadline = Instant::now() + ANSWER;
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(_)) => return Err("the daemon does not answer".to_owned()),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(10)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("the daemon does not answer in time".to_owned());
            }
        }
    }
}

/// Starts a container and answers with its id.
pub(super) fn container(mut command: Command) -> Result<Container, String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    let id = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() && !id.is_empty() {
        Ok(Container(id))
    } else {
        Err("docker started no container".to_owned())
    }
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
