//! docker-py, in one Python that lives as long as the measurements: its start is nobody's fault.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

type Result<T> = std::result::Result<T, String>;

/// Says its version, then answers a line of words, with tabs between them, with a line of seconds, or of what went wrong.
const SCRIPT: &str = include_str!("docker_py.py");

/// A Python with docker-py in it.
pub(super) struct DockerPy {
    version: String,
    python: Mutex<Python>,
}

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
        let mut output = BufReader::new(output);
        let mut said = String::new();
        let heard = output.read_line(&mut said);
        let python = Python { child, input, output };
        heard.map_err(|error| error.to_string())?;
        match said.trim().split_once(' ') {
            Some(("here", version)) => Ok(Self { version: version.to_owned(), python: Mutex::new(python) }),
            Some(("failed", problem)) if problem.starts_with("ModuleNotFoundError") => {
                Err("python3 has no docker-py, `pip install docker`".to_owned())
            }
            Some(("failed", problem)) => Err(format!("docker-py reaches no engine: {problem}")),
            _ => Err("python3 did not start".to_owned()),
        }
    }

    /// Its version and that of its Python.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// Creates, starts and runs `echo`: how long that took, after which `remove` takes it away.
    pub(super) fn create(&self, image: &str) -> Result<Duration> {
        self.one(&["create", image])
    }

    /// Removes the container of the last `create`.
    pub(super) fn remove(&self) -> Result<Duration> {
        self.one(&["remove"])
    }

    /// Runs `true` in it, `each` times in each of `threads` threads.
    pub(super) fn exec(&self, threads: usize, each: usize) -> Result<Vec<Duration>> {
        self.ask(&["exec", &threads.to_string(), &each.to_string()])
    }

    /// Copies a file or a directory of this machine to a path in it.
    pub(super) fn upload(&self, from: &str, there: &str) -> Result<Duration> {
        self.one(&["upload", from, there])
    }

    /// Copies a file or a directory in it into a directory of this machine.
    pub(super) fn download(&self, there: &str, into: &str) -> Result<Duration> {
        self.one(&["download", into, there])
    }

    /// Removes a path in it.
    pub(super) fn clear(&self, there: &str) -> Result<()> {
        self.ask(&["clear", there]).map(drop)
    }

    fn one(&self, words: &[&str]) -> Result<Duration> {
        self.ask(words)?.pop().ok_or_else(|| "it answered nothing".to_owned())
    }

    fn ask(&self, words: &[&str]) -> Result<Vec<Duration>> {
        let mut python = self.python.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(python.input, "{}", words.join("\t")).map_err(|error| error.to_string())?;
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

impl Drop for Python {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
