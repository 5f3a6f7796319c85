//! Commands in a sandbox.

use crate::human::{ago, size};
use crate::output::Show;
use crate::table::Table;
use isobox::{ExecId, Exit, ProcessEntry, ProcessInfo, ProcessState, SandboxId, Termination, Timestamp};
use serde::Serialize;

/// How much of a command line a listing shows.
const COMMAND: usize = 60;

/// A command: what the sandbox itself says of it, in the contract's own JSON, or what is remembered.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ProcessView {
    There(Box<ProcessInfo>),
    Remembered(Box<Remembered>),
}

/// A command of which the sandbox does not tell any more. What was executed is not kept.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Remembered {
    id: ExecId,
    sandbox: SandboxId,
    label: Option<String>,
    started_at: Timestamp,
    ended_at: Option<Timestamp>,
    /// `exited`, or `unknown` when nobody saw its end.
    state: &'static str,
    #[serde(flatten)]
    exit: Option<Exit>,
}

impl From<ProcessEntry> for Remembered {
    fn from(entry: ProcessEntry) -> Self {
        Self {
            id: entry.id,
            sandbox: entry.sandbox,
            label: entry.label,
            started_at: entry.started_at,
            ended_at: entry.ended_at,
            state: if entry.exit.is_some() { "exited" } else { "unknown" },
            exit: entry.exit,
        }
    }
}

/// A listing.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Processes(pub(crate) Vec<ProcessView>);

impl ProcessView {
    pub(crate) fn id(&self) -> &ExecId {
        match self {
            Self::There(process) => &process.id,
            Self::Remembered(process) => &process.id,
        }
    }

    pub(crate) fn started_at(&self) -> Timestamp {
        match self {
            Self::There(process) => process.started_at,
            Self::Remembered(process) => process.started_at,
        }
    }

    fn row(&self, now: Timestamp) -> [String; 9] {
        match self {
            Self::There(process) => [
                process.id.to_string(),
                process.pid.map(|pid| pid.to_string()).unwrap_or_default(),
                process.user.clone().unwrap_or_default(),
                process.label.clone().unwrap_or_default(),
                match &process.state {
                    ProcessState::Running => "running".to_owned(),
                    ProcessState::Exited(exit) => ended(exit),
                },
                ago(process.started_at, now),
                process.cpu_time.map(|time| format!("{:.2}s", time.as_secs_f64())).unwrap_or_default(),
                process.memory.map(size).unwrap_or_default(),
                command(process),
            ],
            Self::Remembered(process) => [
                process.id.to_string(),
                String::new(),
                String::new(),
                process.label.clone().unwrap_or_default(),
                process.exit.as_ref().map_or_else(|| process.state.to_owned(), ended),
                ago(process.started_at, now),
                String::new(),
                String::new(),
                String::new(),
            ],
        }
    }
}

/// How a command ended.
fn ended(exit: &Exit) -> String {
    match exit.termination {
        Termination::Exited => format!("exited {}", exit.exit_code),
        other => format!("{other} {}", exit.exit_code),
    }
}

/// A command line, for people: a word that is not plain is quoted, and what is too long is cut.
fn command(process: &ProcessInfo) -> String {
    let words = process.argv.iter().map(|word| {
        let word = String::from_utf8_lossy(&word.0);
        if is_plain(&word) { word.into_owned() } else { format!("{word:?}") }
    });
    let whole = words.collect::<Vec<_>>().join(" ");
    match whole.char_indices().nth(COMMAND) {
        Some((end, _)) => format!("{}...", &whole[..end]),
        None => whole,
    }
}

fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_graphic() && !"'\"\\$`;&|<>()*?#~!{}[]".contains(c))
}

impl Processes {
    fn at(&self, now: Timestamp) -> String {
        let mut table = Table::new(["ID", "PID", "USER", "LABEL", "STATE", "STARTED", "CPU", "MEMORY", "COMMAND"]);
        self.0.iter().for_each(|view| table.row(view.row(now)));
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
    use std::time::Duration;

    fn process(argv: &[&str], state: ProcessState) -> ProcessView {
        ProcessView::There(Box::new(ProcessInfo {
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
        }))
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
        let id = all[0].id();
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
    fn what_is_remembered_has_no_command() {
        let entry = ProcessEntry {
            id: ExecId::generate(),
            sandbox: SandboxId::generate(),
            label: Some("job".to_owned()),
            started_at: Timestamp::from_unix(0, 0),
            ended_at: None,
            exit: None,
        };
        let row = ProcessView::Remembered(Box::new(entry.clone().into())).row(Timestamp::from_unix(5, 0));
        assert_eq!(row[3..6], ["job", "unknown", "5s ago"]);
        let ended = ProcessEntry { exit: Some(Exit::code(4, Duration::ZERO)), ..entry };
        let value = serde_json::to_value(ProcessView::Remembered(Box::new(ended.into()))).unwrap();
        assert_eq!((&value["state"], &value["exit_code"]), (&"exited".into(), &4.into()));
    }

    #[test]
    fn a_long_command_is_cut() {
        let ProcessView::There(long) = process(&["é".repeat(100).as_str()], ProcessState::Running) else { panic!() };
        let long = command(&long);
        assert!(long.ends_with("...") && long.chars().count() == COMMAND + 3, "{long}");
    }
}
