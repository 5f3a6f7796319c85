//! Running the real command with a home of its own, never for longer than a minute.

#![allow(dead_code, clippy::print_stderr)]

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

/// The providers that work here. One that does not is said to be left out.
pub(crate) fn providers() -> &'static [&'static str] {
    static WORKING: std::sync::OnceLock<Vec<&str>> = std::sync::OnceLock::new();
    WORKING.get_or_init(|| {
        let works = |provider: &&str| {
            let output = finish(Home::new().run(provider, &["true"]));
            if !output.status.success() {
                eprintln!("LEFT OUT: the provider {provider} does not work here: {}", text(&output.stderr));
            }
            output.status.success()
        };
        ["namespace", "host"].into_iter().filter(works).collect()
    })
}

/// A home for one test, looked at when the test is over: no sandbox may be left.
pub(crate) struct Home(tempfile::TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// `isobox` with these arguments and no environment but what it needs.
    pub(crate) fn isobox<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobox"));
        command.args(arguments).env_clear().env("ISOBOX_HOME", self.path()).env("PATH", "/usr/local/bin:/usr/bin:/bin");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// `isobox run` with this provider.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, provider: &str, arguments: &[S]) -> Command {
        let mut command = self.isobox(["run", "--provider", provider]);
        command.args(arguments);
        command
    }

    /// What is left of sandboxes.
    pub(crate) fn left_over(&self) -> Vec<String> {
        let in_directory = |path: &Path| std::fs::read_dir(path).into_iter().flatten().flatten();
        let directories = in_directory(self.path()).filter(|entry| entry.path().is_dir());
        directories
            .flat_map(|directory| in_directory(&directory.path()).collect::<Vec<_>>())
            .map(|entry| entry.path().display().to_string())
            .filter(|path| path.contains("sbx_"))
            .collect()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(self.left_over(), Vec::<String>::new(), "a sandbox was not deleted");
        }
    }
}

/// Runs to the end.
pub(crate) fn finish(mut command: Command) -> Output {
    end(command.spawn().unwrap())
}

/// Waits for the end and reads what is left of the output.
pub(crate) fn end(child: Child) -> Output {
    let pid = child.id();
    within(pid, move || child.wait_with_output().unwrap())
}

/// Waits for the end.
pub(crate) fn status(mut child: Child) -> ExitStatus {
    let pid = child.id();
    within(pid, move || child.wait().unwrap())
}

/// Does something that ends soon, or kills the process and fails.
pub(crate) fn within<T: Send + 'static>(pid: u32, act: impl FnOnce() -> T + Send + 'static) -> T {
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || tell.send(act()));
    told.recv_timeout(PATIENCE).unwrap_or_else(|_| {
        signal(pid, rustix::process::Signal::KILL);
        panic!("isobox did not end within {PATIENCE:?}");
    })
}

pub(crate) fn signal(pid: u32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(pid.cast_signed()).unwrap();
    rustix::process::kill_process(pid, signal).unwrap();
}

/// Takes the child's stdout and reads it up to and with this line.
pub(crate) fn read_until(child: &mut Child, line: &str) -> BufReader<ChildStdout> {
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    wait_for(&mut reader, line);
    reader
}

pub(crate) fn wait_for(reader: &mut impl BufRead, line: &str) {
    let mut seen = String::new();
    while seen.trim_end() != line {
        seen.clear();
        assert_ne!(reader.read_line(&mut seen).unwrap(), 0, "the output ended before {line}");
    }
}

pub(crate) fn rest(mut reader: impl Read) -> String {
    let mut rest = String::new();
    reader.read_to_string(&mut rest).unwrap();
    rest
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
