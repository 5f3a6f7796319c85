//! Parts of a test that need a process of their own: the test binary again, as one ignored test, over two pipes.

#![allow(dead_code, reason = "each test binary uses its own part")]

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// Names the home of the process, and thereby says that it is one.
const HOME: &str = "ISOBOX_TEST_ELSEWHERE";
const PREFIX: &str = "said: ";
/// How long anything may take that is expected to happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// Another process of this test. Killed when dropped.
pub(crate) struct Elsewhere {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Elsewhere {
    /// Runs the ignored test `role` of this binary.
    pub(crate) fn start(role: &str, home: &Path) -> Self {
        Self::start_with(role, home, &[])
    }

    /// The same with more in its environment.
    pub(crate) fn start_with(role: &str, home: &Path, variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        Self::spawn(command.args(Self::words(role)).envs(variables.iter().copied()), home).unwrap()
    }

    /// The same as the command of a program such as `unshare`; nothing when that ends first.
    pub(crate) fn start_behind(words: &[&str], role: &str, home: &Path) -> Option<Self> {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(std::env::current_exe().unwrap()).args(Self::words(role));
        let mut child = Self::spawn(&mut command, home).ok()?;
        // What it says first is the harness's.
        let mut line = String::new();
        (child.output.read_line(&mut line).unwrap() > 0).then_some(child)
    }

    fn words(role: &str) -> [&str; 4] {
        ["--ignored", "--exact", "--nocapture", role]
    }

    fn spawn(command: &mut Command, home: &Path) -> std::io::Result<Self> {
        // Other tests leave things in the usual place while this one counts its own.
        let command = command.env(HOME, home).env("TMPDIR", home);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Ok(Self { child, input, output })
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    /// Whether it was stopped, as `ISOBOX_FAULT=…=stop` does.
    pub(crate) fn is_stopped(&self) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid())).unwrap();
        stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('T'))
    }

    /// What it says next. Panics when it ends first.
    pub(crate) fn hear(&mut self) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the other process ended early");
            if let Some((_, said)) = line.split_once(PREFIX) {
                return said.trim_end().to_owned();
            }
        }
    }

    pub(crate) fn tell(&mut self, words: &str) {
        writeln!(self.input, "{words}").unwrap();
    }

    /// Kills it and reaps it.
    pub(crate) fn kill(mut self) {
        self.signal(Signal::KILL);
        self.child.wait().unwrap();
    }

    /// Waits for its end, which must be SIGKILL by somebody else.
    pub(crate) fn killed(mut self) {
        let ended = self.child.wait().unwrap();
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&ended), Some(libc::SIGKILL), "it ended with {ended}");
    }

    /// Waits for its end, which must be a good one.
    pub(crate) fn finish(mut self) {
        assert!(self.child.wait().unwrap().success(), "the other process failed");
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The home, in the other process; nothing when the ignored test is run by hand.
pub(crate) fn home() -> Option<PathBuf> {
    std::env::var_os(HOME).map(PathBuf::from)
}

/// Says something to the test.
pub(crate) fn say(words: &str) {
    // The harness has written the beginning of a line.
    println!("\n{PREFIX}{words}");
}

/// What the test says next; nothing when it is gone.
pub(crate) fn hear() -> Option<String> {
    let mut line = String::new();
    (std::io::stdin().read_line(&mut line).unwrap() > 0).then(|| line.trim_end().to_owned())
}

/// The children of a process, zombies too.
pub(crate) fn children(of: Pid) -> Vec<Pid> {
    let tasks = std::fs::read_dir(format!("/proc/{of}/task")).into_iter().flatten().flatten();
    let lists = tasks.map(|task| std::fs::read_to_string(task.path().join("children")).unwrap_or_default());
    lists
        .flat_map(|list| list.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)).collect::<Vec<_>>())
        .collect()
}

/// The process that stands for a sandbox of this machine, whoever has started it: the one that listens in its directory.
pub(crate) fn keeper(home: &Path, sandbox: &isobox::SandboxId) -> Pid {
    let places = ["host", "namespace"].map(|provider| home.join(provider).join(sandbox.as_str()));
    let place = std::fs::File::open(places.iter().find(|place| place.exists()).unwrap()).unwrap();
    // A socket's path may be 108 bytes and no longer.
    let socket = format!("/proc/self/fd/{}/agent.sock", std::os::fd::AsRawFd::as_raw_fd(&place));
    let stream = std::os::unix::net::UnixStream::connect(socket).unwrap();
    rustix::net::sockopt::socket_peercred(&stream).unwrap().pid
}

/// Waits for the end of processes that may not be ours.
pub(crate) struct Ends(Vec<std::os::fd::OwnedFd>);

impl Ends {
    pub(crate) fn of(pids: &[Pid]) -> Self {
        Self(pids.iter().map(|pid| pidfd_open(*pid, PidfdFlags::empty()).unwrap()).collect())
    }

    pub(crate) fn wait(self, patience: Duration) {
        let deadline = Instant::now() + patience;
        for pidfd in self.0 {
            let left = deadline.saturating_duration_since(Instant::now());
            let mut events = [PollFd::new(&pidfd, PollFlags::IN)];
            let ended = poll(&mut events, Some(&Timespec::try_from(left).unwrap())).unwrap();
            assert_eq!(ended, 1, "a process did not end within {patience:?}");
        }
    }
}

/// Waits for what nothing announces.
pub(crate) async fn settles(what: &str, mut done: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !done() {
        assert!(Instant::now() < deadline, "{what} did not happen within {PATIENCE:?}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// A number that no other command line has, for `sleep`.
pub(crate) fn mark() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    format!("4{:03}.{:09}", std::process::id() % 1000, now.subsec_nanos())
}
