//! What happened, one line each.

use crate::human::{clean, length, moment, size};
use crate::output::Show;
use isobox::contract::{Event, ResourceState, Subject};
use isobox::{EventKind, Progress};
use serde::Serialize;

/// An event, in the contract's own JSON.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct EventView(pub(crate) Event);

impl Show for EventView {
    fn text(&self) -> String {
        let event = &self.0;
        let text = format!("{:>6}  {}  {}  {}", event.sequence, moment(event.at), subject(&event.subject), self.what());
        clean(&text) + "\n"
    }
}

fn subject(subject: &Subject) -> String {
    match subject {
        Subject::Sandbox { id, name, .. } => named(id, name.as_deref()),
        Subject::Snapshot { id, name } => named(id, name.as_deref()),
        Subject::Volume { id, name } => named(id, name.as_deref()),
        Subject::Provider { kind } => format!("provider {kind}"),
        Subject::Image { reference } => reference.clone(),
        _ => "something".to_owned(),
    }
}

fn named(id: &impl ToString, name: Option<&str>) -> String {
    name.map_or_else(|| id.to_string(), |name| format!("{} ({name})", id.to_string()))
}

impl EventView {
    /// What it is about.
    pub(crate) fn subject(&self) -> String {
        subject(&self.0.subject)
    }

    /// What happened, in a few words that begin with the stable one of its kind.
    pub(crate) fn what(&self) -> String {
        let kind = &self.0.kind;
        let word = word(kind);
        let more = match kind {
            EventKind::OperationStarted { action } => action.to_string(),
            EventKind::OperationProgress { action, progress } => format!("{action}: {}", far(progress)),
            EventKind::OperationCompleted { action, duration } => format!("{action} in {duration:.1?}"),
            EventKind::OperationFailed { action, error, .. } => format!("{action}: {}: {}", error.kind, error.message),
            EventKind::StateObserved { previous, current } => match previous {
                Some(previous) => format!("{} from {}", state(current), state(previous)),
                None => state(current),
            },
            EventKind::ExecStarted { exec, label } => named(exec, label.as_deref()),
            EventKind::ExecExited { exec, exit } => format!("{exec} {} {}", exit.termination, exit.exit_code),
            EventKind::FilesTransferred { upload, files, bytes } => {
                format!("{files} files, {} {}", size(*bytes), if *upload { "in" } else { "out" })
            }
            EventKind::NetworkDenied { denial } => {
                let host = denial.host.clone().or(denial.address.map(|address| address.to_string()));
                let port = denial.port.map(|port| format!(":{port}")).unwrap_or_default();
                format!("{} {}{port}, {}", denial.protocol, host.unwrap_or_default(), denial.reason)
            }
            EventKind::LimitReached { limit, max, .. } => match max {
                Some(max) => format!("{limit} of {max}"),
                None => limit.to_string(),
            },
            EventKind::ExpirySoon { expires_at } => {
                format!("at {}, in {}", moment(*expires_at), length(expires_at.since(self.0.at)))
            }
            EventKind::Died { post_mortem } => format!("{}: {}", post_mortem.cause, post_mortem.summary()),
            EventKind::Notice { code, message } => format!("{code}: {message}"),
            _ => String::new(),
        };
        if more.is_empty() { word } else { format!("{word} {more}") }
    }
}

/// The stable word of a kind.
pub(crate) fn word(kind: &EventKind) -> String {
    let value = serde_json::to_value(kind).unwrap_or_default();
    value.get("type").and_then(|word| word.as_str()).unwrap_or("unknown").to_owned()
}

fn state(state: &ResourceState) -> String {
    match state {
        ResourceState::Sandbox(state) => state.to_string(),
        ResourceState::Snapshot(state) => state.to_string(),
        ResourceState::Volume(state) => state.to_string(),
        _ => "unknown".to_owned(),
    }
}

fn far(progress: &Progress) -> String {
    let counted = match (progress.completed, progress.total) {
        (Some(done), Some(total)) => format!(" {done} of {total}"),
        (Some(done), None) => format!(" {done}"),
        _ => String::new(),
    };
    format!("{}{counted}", progress.code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isobox::contract::{Action, EventId};
    use isobox::{DeathCause, PostMortem, ProviderKind, SandboxId, State, Timestamp};
    use std::time::Duration;

    fn event(kind: EventKind) -> EventView {
        let id = SandboxId::from_uuid("01890000-0000-7000-8000-000000000001".parse().unwrap());
        EventView(Event {
            id: EventId::generate(),
            sequence: 12,
            subject_sequence: 3,
            at: Timestamp::from_unix(0, 0),
            provider: Some(ProviderKind::NAMESPACE),
            subject: Subject::Sandbox { id, external: None, name: Some("web".to_owned()) },
            operation: None,
            correlation: None,
            kind,
        })
    }

    #[test]
    fn an_event_is_one_line_that_begins_with_its_number() {
        let done = EventKind::OperationCompleted { action: Action::Stop, duration: Duration::from_millis(1_500) };
        let line = event(done).text();
        assert!(line.starts_with("    12  1970-01-01T00:00:00Z  sbx_"), "{line}");
        assert!(line.ends_with(" (web)  operation_completed stop in 1.5s\n"), "{line}");
    }

    #[test]
    fn every_kind_begins_with_its_own_word() {
        let id = SandboxId::generate();
        let post_mortem = Box::new(PostMortem::new(id, DeathCause::Expired, Timestamp::from_unix(0, 0)));
        let previous = Some(ResourceState::Sandbox(State::Running));
        let current = ResourceState::Sandbox(State::Stopping);
        let cases = [
            (EventKind::Died { post_mortem }, "died expired: its lifetime ran out"),
            (EventKind::StateObserved { previous, current }, "state_observed stopping from running"),
            (
                EventKind::FilesTransferred { upload: true, files: 2, bytes: 2048 },
                "files_transferred 2 files, 2.0 KiB in",
            ),
            (EventKind::Unknown, "unknown"),
        ];
        for (kind, expected) in cases {
            assert_eq!(event(kind).what(), expected);
        }
    }
}
