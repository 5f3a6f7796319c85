//! docker-py, in one Python that lives as long as the measurements: its start is nobody's fault.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

type Result<T> = std::result::Result<T, String>;

/// Answers a line of words with a line of seconds, or of what went wrong.
const SCRIPT: &str = include_str!("docker_py.py");

/// A Python with docker-py in it.
pub(super) struct DockerPy(Mutex<Python>);

struct Python {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl DockerPy {
    pub(super) fn start() -> Result<Self> {
        let mut command = Command::new("python3");
        command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("python3 cannot be run: {error}"))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or("its pipes are not there")?;
        let python = Self(Mutex::new(Python { child, input, output: BufReader::new(output) }));
        python.ask("ready").map_err(|_| "python3 has no docker-py that reaches an engine, `pip install docker`")?;
        Ok(python)
    }

    /// Creates, starts and runs `echo`: how long that took, after which `remove` takes it away.
    pub(super) fn create(&self, image: &str) -> Result<Duration> {
        self.one(&format!("create {image}"))
    }

    /// Removes the container of the last `create`.
    pub(super) fn remove(&self) -> Result<Duration> {
        self.one("remove")
    }

    /// Runs `true` in it, `each` times in each of `threads` threads.
    pub(super) fn exec(&self, threads: usize, each: usize) -> Result<Vec<Duration>> {
        self.ask(&format!("exec {threads} {each}"))
    }

    /// Copies between a path of this machine and one in it; `what` is `upload` or `download`.
    pub(super) fn copy(&self, what: &str, here: &str, there: &str) -> Result<Duration> {
        self.one(&format!("{what} {here} {there}"))
    }

    /// Removes a path in it.
    pub(super) fn clear(&self, there: &str) -> Result<()> {
        self.ask(&format!("clear {there}")).map(drop)
    }

    fn one(&self, line: &str) -> Result<Duration> {
        self.ask(line)?.pop().ok_or_else(|| "it answered nothing".to_owned())
    }

    fn ask(&self, line: &str) -> Result<Vec<Duration>> {
        let mut python = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(python.input, "{line}").map_err(|error| error.to_string())?;
        let mut answer = String::new();
        python.output.read_line(&mut answer).map_err(|error| error.to_string())?;
        if let Some(problem) = answer.strip_prefix("failed ") {
            return Err(problem.trim().to_owned());
        }
        let seconds = answer.strip_prefix("took").ok_or("it has ended")?;
        let seconds = seconds.split_ascii_whitespace().map(|word| word.parse().map(Duration::from_secs_f64));
        seconds.collect::<std::result::Result<_, _>>().map_err(|_| format!("it answered {answer:?}"))
    }
}

impl Drop for DockerPy {
    fn drop(&mut self) {
        let python = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        let _ = python.child.kill();
        let _ = python.child.wait();
    }
}
