//! Runs commands one after the other and remembers which failed.

use crate::Outcome;
use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// The steps of one task.
#[derive(Default)]
pub(crate) struct Steps {
    failed: Vec<String>,
}

impl Steps {
    /// Runs a command, saying before what it is, and tells whether it succeeded.
    pub(crate) fn run(&mut self, what: &str, command: &mut Command) -> bool {
        let line = line(command);
        eprintln!("xtask: {what}: {line}");
        let problem = match command.stdin(Stdio::null()).status() {
            Ok(status) if status.success() => return true,
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        eprintln!("xtask: {what} failed ({problem}); repeat it with: {line}");
        self.failed.push(format!("{what}: {line}"));
        false
    }

    /// What was made for further steps; a failed step when it could not be.
    pub(crate) fn try_to<T>(&mut self, what: &str, made: Result<T, String>) -> Option<T> {
        made.map_err(|problem| self.fail(what, &problem)).ok()
    }

    /// Counts as failed what could not even be begun.
    pub(crate) fn fail(&mut self, what: &str, problem: &str) {
        eprintln!("xtask: {what} failed: {problem}");
        self.failed.push(format!("{what}: {problem}"));
    }

    /// Success when every step succeeded.
    pub(crate) fn finish(self, task: &str) -> Outcome {
        if self.failed.is_empty() {
            eprintln!("xtask: {task} passed");
            return Ok(());
        }
        Err(format!("{task} failed in {} of its steps:\n  {}", self.failed.len(), self.failed.join("\n  ")))
    }
}

/// Runs a command and returns its standard output.
pub(crate) fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    let line = line(command);
    let failed = |problem: String| format!("{problem}; repeat it with: {line}");
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| failed(error.to_string()))?;
    if output.status.success() { Ok(output.stdout) } else { Err(failed(output.status.to_string())) }
}

/// Whether a program can be run and agrees.
pub(crate) fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let quiet =
        Command::new(program).args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}

/// A command as a shell takes it.
pub(crate) fn line(command: &Command) -> String {
    let variables =
        command.get_envs().filter_map(|(name, value)| Some(format!("{}={}", name.display(), quoted(value?))));
    let words = std::iter::once(command.get_program()).chain(command.get_args()).map(quoted);
    variables.chain(words).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:,+@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_step_fails_the_task_and_names_its_command() {
        let mut steps = Steps::default();
        assert!(steps.run("first", &mut Command::new("true")));
        assert!(!steps.run("second", Command::new("sh").args(["-c", "exit 3"])));
        assert_eq!(steps.finish("all"), Err("all failed in 1 of its steps:\n  second: sh -c 'exit 3'".to_owned()));
    }

    #[test]
    fn a_line_can_be_given_to_a_shell() {
        let odd = "it's $HOME";
        let text = line(Command::new("printf").arg("%s").arg(odd));
        let printed = output(Command::new("sh").args(["-c", &text])).unwrap();
        assert_eq!(String::from_utf8(printed).unwrap(), odd);
    }
}
