//! Signals for what is in the foreground of the shell's terminal.
//!
//! Control-C does the same, unless a program has put the terminal into another mode. It also throws away what was typed
//! ahead and output that is on its way.

use isobox_contract::exec::ExecRequest;
use isobox_contract::{Range, Sandbox, SandboxPath};
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::time::Instant;

/// Bytes of a `stat` file; it has one line.
const STAT: u64 = 4096;
/// Bytes of a list of children.
const CHILDREN: u64 = 64 << 10;
/// Processes that are killed at most; what is beyond goes with the shell.
const KILLED: usize = 500;
/// How long sending a signal may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The kernel counts in these (`USER_HZ`, the same on every architecture that is supported).
const TICKS: u64 = 100;

/// The foreground of a terminal.
pub(super) struct Foreground {
    sandbox: Weak<dyn Sandbox>,
    shell: Vec<u8>,
    user: Option<String>,
    pid: Option<u32>,
}

/// What is known of a process.
#[derive(Debug, PartialEq, Eq)]
struct Process {
    group: i32,
    /// The terminal's foreground group.
    foreground: i32,
    /// When it started, in ticks since boot.
    started: u64,
}

impl Foreground {
    /// Of the terminal that the shell with this process id has.
    pub(super) fn new(sandbox: &Arc<dyn Sandbox>, shell: Vec<u8>, user: Option<String>, pid: Option<u32>) -> Self {
        Self { sandbox: Arc::downgrade(sandbox), shell, user, pid }
    }

    /// Interrupts it. Whether that could be done.
    pub(super) async fn interrupt(&self) -> bool {
        let Some(pid) = self.pid else { return false };
        match self.process(pid).await {
            Some(process) if process.foreground > 1 => self.send("INT", &[-i64::from(process.foreground)]).await,
            _ => false,
        }
    }

    /// Kills what the shell has started since then, with all that came out of it; with job control, what is in the
    /// foreground. Never the shell.
    pub(super) async fn kill(&self, since: Instant) {
        let Some(pid) = self.pid else { return };
        let Some(shell) = self.process(pid).await else { return };
        let mut targets = self.started_since(pid, since).await;
        if shell.foreground > 1 && shell.foreground != shell.group {
            targets.push(-i64::from(shell.foreground));
        }
        if !targets.is_empty() {
            self.send("KILL", &targets).await;
        }
    }

    async fn started_since(&self, shell: u32, since: Instant) -> Vec<i64> {
        let Some(now) = self.read("/proc/uptime", STAT).await.and_then(|text| uptime(&text)) else { return Vec::new() };
        // Taken after the clock was read, and both are rounded: rather too early than too late.
        let begun = now.saturating_sub(since.elapsed().as_millis() as u64 * TICKS / 1000).saturating_sub(2);
        let mut found = Vec::new();
        let mut queue: Vec<u32> = Vec::new();
        for child in self.children(shell).await {
            if self.process(child).await.is_some_and(|process| process.started >= begun) {
                queue.push(child);
            }
        }
        while let Some(pid) = queue.pop() {
            if found.len() == KILLED {
                break;
            }
            found.push(i64::from(pid));
            queue.extend(self.children(pid).await);
        }
        found
    }

    async fn children(&self, pid: u32) -> Vec<u32> {
        let list = self.read(&format!("/proc/{pid}/task/{pid}/children"), CHILDREN).await.unwrap_or_default();
        list.split_ascii_whitespace().filter_map(|child| child.parse().ok()).collect()
    }

    async fn process(&self, pid: u32) -> Option<Process> {
        parse(&self.read(&format!("/proc/{pid}/stat"), STAT).await?)
    }

    async fn read(&self, path: &str, limit: u64) -> Option<String> {
        let read = self.sandbox.upgrade()?.files().read(&SandboxPath::from(path), Range::ALL, limit).await;
        read.ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// By the shell, which has the command built in: an image need not have a program for it.
    async fn send(&self, signal: &str, targets: &[i64]) -> bool {
        let Some(sandbox) = self.sandbox.upgrade() else { return false };
        let targets: Vec<String> = targets.iter().map(ToString::to_string).collect();
        let script = format!("kill -s {signal} -- {}", targets.join(" "));
        let mut request = ExecRequest::argv([&self.shell[..], b"-c", script.as_bytes()]).timeout(TIMEOUT);
        request.user.clone_from(&self.user);
        sandbox.exec().run(request).await.is_ok_and(|result| result.success())
    }
}

/// Seconds since boot, with two digits after the point, as ticks (`proc_uptime(5)`).
fn uptime(text: &str) -> Option<u64> {
    let (seconds, hundredths) = text.split_whitespace().next()?.split_once('.')?;
    Some(seconds.parse::<u64>().ok()? * TICKS + hundredths.parse::<u64>().ok()?)
}

/// `proc_pid_stat(5)`: the fields pgrp, tpgid and starttime.
fn parse(stat: &str) -> Option<Process> {
    // The name of the program may hold anything, parentheses too.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    Some(Process {
        group: fields.get(2)?.parse().ok()?,
        foreground: fields.get(5)?.parse().ok()?,
        started: fields.get(19)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_whatever_it_is_called() {
        let rest = "S 1 7 6 34816 12 4194304 1 2 3 4 5 6 7 8 20 0 1 0 4711 2629632";
        for name in ["sh", "a) b (", ") S 1 2 3"] {
            let process = parse(&format!("7 ({name}) {rest}"));
            assert_eq!(process, Some(Process { group: 7, foreground: 12, started: 4711 }), "{name}");
        }
        assert_eq!(parse("nonsense"), None);
        assert_eq!(uptime("123.45 67.89\n"), Some(12345));
    }
}
