//! What the tests of this module share: running a command to a report, and finding out whether anything of it is left.

mod ending;
mod hostile;
mod latency;
mod privileges;
mod starting;
mod strays;
mod terminal;

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::{ExitStatus, Launch, Report, StartError, Tree, Usage, reap_strays};

/// No test waits longer for anything.
const PATIENCE: Duration = Duration::from_secs(30);
const ROLE: &str = "ISOBOX_TEST_ROLE";

/// A command with its streams, as a test sees it.
struct Running {
    tree: Tree,
    stdin: Option<File>,
    output: File,
    marker: String,
}

/// A string that no other process on this machine has in its arguments or environment.
fn marker() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("isobox-mark-{}-{}-end", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

fn bytes(words: &[&str]) -> Vec<Vec<u8>> {
    words.iter().map(|word| word.as_bytes().to_vec()).collect()
}

/// Starts `argv`, marked in its environment, with stdout and stderr in one pipe, after `change` had its way.
fn start_with(argv: &[&str], change: impl FnOnce(&mut Launch<'_>)) -> Result<Running, StartError> {
    let (stdin_read, stdin) = pipe();
    let (output, output_write) = pipe();
    let marker = marker();
    let mut launch = Launch::new(bytes(argv), [stdin_read.as_fd(), output_write.as_fd(), output_write.as_fd()]);
    launch.env = bytes(&["PATH=/usr/bin:/bin", &format!("MARK={marker}")]);
    change(&mut launch);
    let tree = launch.start()?;
    Ok(Running { tree, stdin: Some(stdin.into()), output: output.into(), marker })
}

fn start(argv: &[&str]) -> Running {
    start_with(argv, |_| {}).unwrap()
}

fn sh(script: &str) -> Running {
    start(&["/bin/sh", "-c", script])
}

fn pipe() -> (OwnedFd, OwnedFd) {
    rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).unwrap()
}

/// Waits until `fd` is readable or at its end.
fn readable(fd: impl AsFd) {
    let mut fds = [PollFd::new(&fd, PollFlags::IN)];
    assert_ne!(poll(&mut fds, Some(&Timespec::try_from(PATIENCE).unwrap())).unwrap(), 0, "nothing came in time");
}

impl Running {
    fn report(&mut self) -> Report {
        loop {
            if let Some(report) = self.tree.try_report().unwrap() {
                return report;
            }
            readable(&self.tree);
        }
    }

    fn started(&mut self) -> i32 {
        match self.report() {
            Report::Started { leader } => leader.as_raw_nonzero().get(),
            other => panic!("expected a start, got {other:?}"),
        }
    }

    fn failed(&mut self) -> StartError {
        match self.report() {
            Report::Failed(error) => error,
            other => panic!("expected a failure, got {other:?}"),
        }
    }

    fn exited(&mut self) -> (ExitStatus, Usage) {
        match self.report() {
            Report::LeaderExited { status, usage } => (status, usage),
            other => panic!("expected the leader's exit, got {other:?}"),
        }
    }

    fn empty(&mut self) -> (Usage, u32) {
        match self.report() {
            Report::Empty { usage, unkillable } => (usage, unkillable),
            other => panic!("expected an empty tree, got {other:?}"),
        }
    }

    /// The next line of output, without its end.
    fn line(&mut self) -> String {
        let mut line = Vec::new();
        let mut byte = [0];
        loop {
            readable(&self.output);
            match self.output.read(&mut byte).unwrap() {
                1 if byte[0] != b'\n' => line.push(byte[0]),
                _ => return String::from_utf8(line).unwrap(),
            }
        }
    }

    /// Everything up to the end of output, which comes when nobody holds the pipe.
    fn rest(&mut self) -> String {
        let mut all = Vec::new();
        let mut chunk = [0; 65536];
        loop {
            readable(&self.output);
            match self.output.read(&mut chunk).unwrap() {
                0 => return String::from_utf8(all).unwrap(),
                length => all.extend_from_slice(&chunk[..length]),
            }
        }
    }

    /// Runs to the end: status of the leader and the whole output.
    fn finish(mut self) -> (ExitStatus, String) {
        drop(self.stdin.take());
        self.started();
        let output = self.rest();
        let (status, _) = self.exited();
        self.empty();
        (status, output)
    }

    /// Kills the tree and asserts that every trace of it is gone once the report says so.
    fn kill_for_certain(mut self) -> Duration {
        let begun = Instant::now();
        self.tree.kill().unwrap();
        let unkillable = loop {
            match self.report() {
                Report::Empty { unkillable, .. } => break unkillable,
                Report::Started { .. } | Report::LeaderExited { .. } => {}
                other => panic!("expected an empty tree, got {other:?}"),
            }
        };
        let took = begun.elapsed();
        assert_eq!(unkillable, 0);
        assert_eq!(survivors(&self.marker), Vec::<String>::new());
        took
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.tree.kill();
        // Everything that is not a supervisor belongs to other tests.
        reap_strays(|_| true);
    }
}

/// Processes that run and have `marker` in their arguments or environment.
fn survivors(marker: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let has = |path: String| {
        let text = std::fs::read(path).unwrap_or_default();
        text.windows(marker.len()).any(|window| window == marker.as_bytes())
    };
    let numbers = entries.filter(|name| name.parse::<u32>().is_ok());
    numbers.filter(|pid| has(format!("/proc/{pid}/environ")) || has(format!("/proc/{pid}/cmdline"))).collect()
}

/// Waits until at least `count` processes with this marker run.
fn wait_for(marker: &str, count: usize) {
    let deadline = Instant::now() + PATIENCE;
    while survivors(marker).len() < count {
        assert!(Instant::now() < deadline, "the processes did not start");
        std::thread::yield_now();
    }
}

/// Waits until nothing with this marker runs, for ends that nobody reports.
fn wait_until_gone(marker: &str) {
    let deadline = Instant::now() + PATIENCE;
    while !survivors(marker).is_empty() {
        assert!(Instant::now() < deadline, "still running: {:?}", survivors(marker));
        std::thread::yield_now();
    }
}

/// Does what the agent does at every SIGCHLD until nothing with this marker runs.
fn sweep_until_gone(marker: &str, known: impl Fn(rustix::process::Pid) -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !survivors(marker).is_empty() {
        assert!(Instant::now() < deadline, "still running: {:?}", survivors(marker));
        reap_strays(&known);
    }
}

fn role() -> Option<String> {
    std::env::var(ROLE).ok()
}

/// The command line that runs one test or program of this binary alone.
fn this_binary(test: &str) -> Vec<String> {
    let exe = std::env::current_exe().unwrap().into_os_string().into_string().unwrap();
    let test = format!("process::tests::{test}");
    [&exe, "--include-ignored", "--exact", &test, "--nocapture", "--test-threads=1"].map(str::to_owned).to_vec()
}

/// Runs `body` in a process of its own, because it takes all children of the process for its own or changes its user.
/// `wrapper` goes before its command line. The process is given up after a minute.
fn isolated(test: &str, wrapper: &[&str], body: impl FnOnce()) {
    if role().as_deref() == Some("isolated") {
        return body();
    }
    let mut words: Vec<String> = wrapper.iter().map(|word| (*word).to_owned()).collect();
    words.extend(this_binary(test));
    let mut child = Command::new(&words[0]).args(&words[1..]).env(ROLE, "isolated").spawn().unwrap();
    let pid = rustix::process::Pid::from_child(&child);
    let pidfd = pidfd_open(pid, PidfdFlags::empty()).unwrap();
    let mut fds = [PollFd::new(&pidfd, PollFlags::IN)];
    if poll(&mut fds, Some(&Timespec::try_from(PATIENCE * 2).unwrap())).unwrap() == 0 {
        pidfd_send_signal(&pidfd, Signal::KILL).unwrap();
        let _ = child.wait();
        panic!("{test} did not end in time");
    }
    assert!(child.wait().unwrap().success(), "{test} failed in its own process");
}

/// The wrapper that runs a command as nobody.
const AS_NOBODY: [&str; 6] = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "--"];

fn is_root() -> bool {
    let root = rustix::process::geteuid().is_root();
    if !root {
        println!("skipped: needs root");
    }
    root
}

/// A directory that is removed at the end of the test, open to every user.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new() -> Self {
        use std::os::unix::fs::PermissionsExt;
        let path = std::env::temp_dir().join(marker());
        std::fs::create_dir(&path).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o777)).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, content: &[u8], mode: u32) -> String {
        use std::os::unix::fs::PermissionsExt;
        let path = self.0.join(name);
        File::create(&path).unwrap().write_all(content).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        path.into_os_string().into_string().unwrap()
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
