//! Events are plain data that a newer or older peer can read.

use isobox_contract::event::{DenialReason, DeniedProtocol, ResourceState};
use isobox_contract::*;
use std::time::Duration;

fn event(kind: EventKind) -> Event {
    Event {
        id: EventId::generate(),
        sequence: 7,
        subject_sequence: 3,
        at: Timestamp::from_unix(1_793_361_600, 0),
        provider: Some(ProviderKind::NAMESPACE),
        subject: Subject::Sandbox { id: SandboxId::generate(), external: None, name: None },
        operation: Some(OperationId::generate()),
        correlation: Some("job-1".into()),
        kind,
    }
}

fn kinds() -> Vec<EventKind> {
    let (action, duration) = (Action::Create, Duration::from_millis(12));
    let progress = Progress {
        code: "image.pull".into(),
        message: None,
        completed: Some(1),
        total: Some(2),
        unit: Some(ProgressUnit::Bytes),
    };
    let denial = Denial {
        at: Timestamp::now(),
        protocol: DeniedProtocol::Dns,
        host: Some("evil.example".into()),
        address: None,
        port: None,
        reason: DenialReason::NotAllowed,
    };
    let post_mortem = Box::new(PostMortem::new(SandboxId::generate(), DeathCause::Oom, Timestamp::now()));
    vec![
        EventKind::OperationStarted { action },
        EventKind::OperationProgress { action, progress },
        EventKind::OperationCompleted { action, duration },
        EventKind::OperationFailed { action, duration, error: Report::from(&Error::internal("x")) },
        EventKind::StateObserved { previous: None, current: ResourceState::Sandbox(State::Running) },
        EventKind::ExecStarted { exec: ExecId::generate(), label: None },
        EventKind::ExecExited { exec: ExecId::generate(), exit: Exit::code(0, duration) },
        EventKind::FilesTransferred { upload: true, files: 1, bytes: 2 },
        EventKind::NetworkDenied { denial },
        EventKind::LimitReached { limit: event::LimitKind::Memory, max: Some(1), exec: None },
        EventKind::ExpirySoon { expires_at: Timestamp::now() },
        EventKind::Died { post_mortem },
        EventKind::Notice { code: "clock".into(), message: "x".into() },
    ]
}

#[test]
fn every_kind_round_trips_beside_the_envelope() {
    for kind in kinds() {
        let word = kind.as_str();
        let event = event(kind);
        let json = serde_json::to_string(&event).unwrap();
        assert!(json.contains(&format!("\"type\":\"{word}\"")), "{json}");
        let back: Event = serde_json::from_str(&json).unwrap();
        assert_eq!(format!("{back:?}"), format!("{event:?}"), "{json}");
        assert_eq!(json.matches("\"at\":\"2026-10-30T12:00:00Z\"").count(), 1, "{json}");
    }
}

#[test]
fn only_two_kinds_end_an_operation() {
    assert_eq!(kinds().iter().filter(|kind| kind.ends_operation()).count(), 2);
}

#[test]
fn an_event_of_a_newer_peer_can_be_read() {
    let mut json =
        serde_json::to_value(event(EventKind::FilesTransferred { upload: true, files: 1, bytes: 2 })).unwrap();
    json["type"] = "telepathy".into();
    json["subject"] = serde_json::json!({"type": "moon", "id": 4});
    let event: Event = serde_json::from_value(json).unwrap();
    assert!(matches!((event.kind, event.subject), (EventKind::Unknown, Subject::Unknown)));
}

#[test]
fn a_filter_needs_everything_it_names() {
    let mut status = Status::new("a".parse().unwrap(), ProviderKind::HOST, State::Running);
    status.labels.insert("run".into(), "1".into());
    let with = |name: &str, value: &str| Filter { labels: [(name.into(), value.into())].into(), ..Default::default() };
    assert!(Filter::default().matches(&status) && with("run", "1").matches(&status));
    assert!(!with("run", "2").matches(&status) && !with("other", "1").matches(&status));
    assert!(!Filter { states: vec![State::Stopped], ..Default::default() }.matches(&status));
    assert!(!Filter { name: Some("x".into()), ..Default::default() }.matches(&status));
    let json = serde_json::to_string(&status).unwrap();
    assert_eq!(serde_json::from_str::<Status>(&json).unwrap().labels, status.labels);
}
