//! docker-py, in one Python that lives as long as the measurements: its start is nobody's fault.

use super::deadline::{LONG, PATIENCE, late};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

type Result<T> = std::result::Result<T, String>;

/// Says its version, then answers a line of words, with tabs between them, with a line of seconds, or of what went wrong.
/// Seconds of commands may be followed by how many did not end.
const SCRIPT: &str = include_str!("docker_py.py");

/// A Python with docker-py in it.
pub(super) struct DockerPy {
    version: String,
    python: Mutex<Python>,
}

struct Python {
    child: Child,
    input: ChildStdin,
    output: Receiver<String>,
}

/// What commands took, and how many of them did not end within [`PATIENCE`].
#[derive(Default)]
struct Answer {
    took: Vec<Duration>,
    lost: usize,
}

impl DockerPy {
    pub(super) fn start() -> Result<Self> {
        let mut command = Command::new("python3");
        command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("python3 cannot be run: {error}"))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or("its pipes are not there")?;
        let python = Python { child, input, output: lines(output) };
        let said = python.output.recv_timeout(PATIENCE).map_err(|_| "python3 did not start".to_owned())?;
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

    /// Runs `true` in it, `each` times in each of `threads` threads: what those took that ended within [`PATIENCE`], and
    /// how many did not.
    pub(super) fn exec(&self, threads: usize, each: usize) -> Result<(Vec<Duration>, usize)> {
        let patience = PATIENCE.as_secs().to_string();
        let answer = self.ask(&["exec", &threads.to_string(), &each.to_string(), &patience])?;
        Ok((answer.took, answer.lost))
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
        self.ask(words)?.took.pop().ok_or_else(|| "it answered nothing".to_owned())
    }

    fn ask(&self, words: &[&str]) -> Result<Answer> {
        let mut python = self.python.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(python.input, "{}", words.join("\t")).map_err(|error| error.to_string())?;
        match python.output.recv_timeout(LONG) {
            Ok(answer) => Answer::read(&answer),
            Err(RecvTimeoutError::Timeout) => {
                // Its answer would be taken for that to the next question.
                let _ = python.child.kill();
                Err(late(LONG))
            }
            Err(RecvTimeoutError::Disconnected) => Err("it has ended".to_owned()),
        }
    }
}

impl Answer {
    fn read(answer: &str) -> Result<Self> {
        if let Some(problem) = answer.strip_prefix("failed ") {
            return Err(problem.trim().to_owned());
        }
        let unclear = || format!("it answered {answer:?}");
        let (took, lost) =
            answer.strip_prefix("took").and_then(|words| words.split_once("lost")).ok_or_else(unclear)?;
        let seconds = took.split_ascii_whitespace().map(|word| word.parse().map(Duration::from_secs_f64));
        let took = seconds.collect::<std::result::Result<_, _>>().map_err(|_| unclear())?;
        Ok(Self { took, lost: lost.trim().parse().map_err(|_| unclear())? })
    }
}

/// Its lines as they come, until its end.
fn lines(output: ChildStdout) -> Receiver<String> {
    let (heard, lines) = sync_channel(1);
    std::thread::spawn(move || {
        let mut output = BufReader::new(output).lines().map_while(std::result::Result::ok);
        output.try_for_each(|line| heard.send(line))
    });
    lines
}

impl Drop for Python {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_did_not_end_is_counted_beside_what_did() {
        let answer = Answer::read("took 0.5 1 lost 2").unwrap();
        assert_eq!((answer.took, answer.lost), (vec![Duration::from_millis(500), Duration::from_secs(1)], 2));
        let none = Answer::read("took lost 0").unwrap();
        assert_eq!((none.took, none.lost), (Vec::new(), 0));
        assert_eq!(Answer::read("failed NotFound no image").err(), Some("NotFound no image".to_owned()));
        assert!(Answer::read("took 1 lost many").is_err() && Answer::read("").is_err());
    }
}
