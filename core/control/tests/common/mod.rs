//! Sandboxes for tests.

use isobox_contract::{ProviderKind, SandboxSpec, State};
use isobox_control::{CreateRequest, Created, OperationEntry, Outcome, SandboxEntry, Store};
use std::sync::Arc;

/// A store.
pub type Books = Arc<dyn Store>;

/// A request with nothing but a name.
#[allow(dead_code, reason = "not every test needs one")]
pub fn create(name: Option<&str>) -> CreateRequest {
    let name = name.map(str::to_owned);
    CreateRequest::new(ProviderKind::NAMESPACE, SandboxSpec { name, ..SandboxSpec::default() })
}

/// Begins a create that must begin.
#[allow(dead_code, reason = "not every test needs one")]
pub async fn begun(store: &Books, request: CreateRequest) -> (SandboxEntry, OperationEntry) {
    match store.begin_create(request).await.unwrap() {
        Created::Begun { sandbox, operation } => (*sandbox, *operation),
        other => panic!("{other:?}"),
    }
}

/// A sandbox that runs.
#[allow(dead_code, reason = "not every test needs one")]
pub async fn running(store: &Books, name: Option<&str>) -> SandboxEntry {
    let (sandbox, operation) = begun(store, create(name)).await;
    store.confirm(&operation.id, Outcome::state(State::Running)).await.unwrap();
    store.sandbox(&sandbox.id).await.unwrap()
}
