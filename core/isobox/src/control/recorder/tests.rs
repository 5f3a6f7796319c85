//! A recorder whose store takes nothing.

use super::Recorder;
use super::queue::MOST;
use isobox_contract::{Action, ErrorCode, EventKind, SandboxId, Subject};
use isobox_control::{NewEvent, Options, SqliteStore, Store};
use std::sync::Arc;
use std::time::Duration;

#[tokio::test]
async fn a_store_that_fails_for_long_is_told_once_by_the_next_call_and_stays_bounded() {
    let home = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(home.path().join("control.db"), Options::default()).await.unwrap();
    store.close().await.unwrap();
    let recorder = Recorder::new(Arc::new(store));
    let subject = Subject::Sandbox { id: SandboxId::generate(), external: None, name: None };
    let kind = EventKind::OperationCompleted { action: Action::Pull, duration: Duration::ZERO };
    let event = NewEvent { at: None, provider: None, subject, operation: None, correlation: None, kind };
    recorder.add(event.clone());
    assert_eq!(recorder.flush().await.unwrap_err().code(), ErrorCode::InvalidState, "the store's own error");
    assert!(recorder.trouble().is_some());
    recorder.check().unwrap();
    for _ in 0..MOST + 2000 {
        recorder.add(event.clone());
    }
    let told = recorder.check().unwrap_err();
    assert!(told.message().contains("ends of operations are lost") && told.is_retryable(), "{told}");
    recorder.check().unwrap();
    recorder.close();
}
