//! Commands in a sandbox.

use crate::human::{ago, size};
use crate::output::Show;
use crate::table::Table;
use isobox::{ProcessInfo, ProcessState, Termination, Timestamp};
use serde::Serialize;

/// How much of a command line a listing shows.
const COMMAND: usize = 60;

/// A command, in the contract's own JSON.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct ProcessView(pub(crate) ProcessInfo);

/// A listing.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Processes(pub(crate) Vec<ProcessView>);

impl ProcessView {
    /// What it is doing, or how it ended.
    fn state(&self) -> String {
        let ProcessState::Exited(exit) = &self.0.state else { return "running".to_owned() };
        match exit.termination {
            Termination::Exited => format!("exited {}", exit.exit_code),
            other => format!("{other} {}", exit.exit_code),
        }
    }

    /// Its command line, for people: a word that is not plain is quoted, and what is too long is cut.
    fn command(&self) -> String {
        let words = self.0.argv.iter().map(|word| {
            let word = String::from_utf8_lossy(&word.0);
            let plain = !word.is_empty()
                && word.chars().all(|c| c.is_ascii_graphic() && !"'\"\\$`;&|<>()*?#~!{}[]".contains(c));
            if plain { word.into_owned() } else { format!("{word:?}") }
        });
        let whole = words.collect::<Vec<_>>().join(" ");
        match whole.char_indices().nth(COMMAND) {
            Some((end, _)) => format!("{}...", &whole[..end]),
            None => whole,
        }
    }
}

impl Processes {
    fn at(&self, now: Timestamp) -> String {
        let mut table = Table::new(["ID", "PID", "USER", "LABEL", "STATE", "STARTED", "CPU", "MEMORY", "COMMAND"]);
        for view in &self.0 {
            let process = &view.0;
            table.row([
                process.id.to_string(),
                process.pid.map(|pid| pid.to_string()).unwrap_or_default(),
                process.user.clone().unwrap_or_default(),
                process.label.clone().unwrap_or_default(),
                view.state(),
                ago(process.started_at, now),
                process.cpu_time.map(|time| format!("{:.2}s", time.as_secs_f64())).unwrap_or_default(),
                process.memory.map(size).unwrap_or_default(),
                view.command(),
            ]);
        }
        table.text()
    }
}

impl Show for Processes {
    fn text(&self) -> String {
        self.at(Timestamp::now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox::contract::exec::Argument;
    use isobox::{ExecId, Exit};
    use std::time::Duration;

    fn process(argv: &[&str], state: ProcessState) -> ProcessView {
        ProcessView(ProcessInfo {
            id: ExecId::from_uuid("01890000-0000-7000-8000-000000000001".parse().unwrap()),
            pid: Some(7),
            argv: argv.iter().map(|word| Argument(word.as_bytes().to_vec().into())).collect(),
            label: None,
            user: Some("root".to_owned()),
            pty: false,
            detached: true,
            started_at: Timestamp::from_unix(0, 0),
            stdout_bytes: 0,
            stderr_bytes: 0,
            cpu_time: Some(Duration::from_millis(1_234)),
            memory: Some(3 << 20),
            state,
        })
    }

    #[test]
    fn a_listing_has_a_line_for_each() {
        let ended = ProcessState::Exited(Exit::code(3, Duration::ZERO));
        let killed = ProcessState::Exited(Exit::signal(9, Termination::Killed, Duration::ZERO));
        let all = [
            process(&["sh", "-c", "echo $HOME"], ProcessState::Running),
            process(&["true"], ended),
            process(&["a\u{1b}b"], killed),
        ];
        let text = Processes(all.to_vec()).at(Timestamp::from_unix(65, 0));
        let id = all[0].0.id;
        let expected = format!(
            "\
ID                              PID  USER  LABEL  STATE       STARTED  CPU    MEMORY   COMMAND
{id}  7    root  -      running     65s ago  1.23s  3.0 MiB  sh -c \"echo $HOME\"
{id}  7    root  -      exited 3    65s ago  1.23s  3.0 MiB  true
{id}  7    root  -      killed 137  65s ago  1.23s  3.0 MiB  \"a\\u{{1b}}b\"
"
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn a_long_command_is_cut() {
        let long = process(&["é".repeat(100).as_str()], ProcessState::Running).command();
        assert!(long.ends_with("...") && long.chars().count() == COMMAND + 3, "{long}");
    }
}
