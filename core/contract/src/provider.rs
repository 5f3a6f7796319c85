//! A provider: a fleet of sandboxes of one kind.
//!
//! A provider keeps no books of its own: it knows what its backend knows, and is told the rest. Whoever calls it writes
//! down what it is about to do, calls, and writes down what came of it; so every method can be called again after a
//! crash.

use crate::capability::{Capabilities, Capability};
use crate::error::{Error, ErrorCode, Result};
use crate::event::EventSink;
use crate::ids::{OperationId, ProviderKind, SandboxId};
use crate::images::Images;
use crate::sandbox::{Sandbox, SandboxRecord, Status};
use crate::snapshot::Snapshots;
use crate::spec::{Labels, SandboxSpec};
use crate::state::State;
use crate::volume::Volumes;
use crate::words::words;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// A fleet of sandboxes of one kind.
///
/// Dropping any future leaves either nothing or something that [`list`](Self::list) shows with its id, so that it can
/// be found and removed.
#[async_trait]
pub trait Provider: Send + Sync {
    /// The kind; always the same.
    fn kind(&self) -> &ProviderKind;

    /// The most that its sandboxes can do.
    fn capabilities(&self) -> &Capabilities;

    /// Why a capability is not claimed here although providers of this kind may have it: the reason, a colon, and what to
    /// do.
    fn why_not(&self, capability: Capability) -> Option<String> {
        let _ = capability;
        None
    }

    /// Makes a sandbox and returns when it runs.
    ///
    /// The caller has validated the spec, also against the capabilities. Every value is honoured or refused before
    /// anything is made, with `invalid_spec` or `unsupported`. When it fails, nothing is left over. The backend's own
    /// labels keep the id. A second create with the same id is `already_exists`.
    async fn create(&self, id: &SandboxId, spec: &SandboxSpec, context: &Context) -> Result<Arc<dyn Sandbox>>;

    /// Gets a handle of a sandbox that is there, from what [`Sandbox::record`] once said. Starts nothing. `not_found`
    /// when there is none, `sandbox_gone` with the post-mortem when it is known how it died, `not_owned` when it is somebody
    /// else's.
    async fn attach(&self, record: &SandboxRecord, context: &Context) -> Result<Arc<dyn Sandbox>>;

    /// Removes a sandbox and everything that was made for it, also when no handle can be had. What is not there is
    /// fine.
    async fn delete(&self, record: &SandboxRecord, context: &Context) -> Result<()> {
        match self.attach(record, context).await {
            Ok(sandbox) => sandbox.delete(context).await,
            Err(error) if error.code() == ErrorCode::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Brings a deleted sandbox back. Needs `lifecycle.undelete`.
    async fn undelete(&self, record: &SandboxRecord, context: &Context) -> Result<Arc<dyn Sandbox>> {
        let _ = (record, context);
        Err(Error::unsupported(Capability::LifecycleUndelete))
    }

    /// Every sandbox of isobox in the backend that matches. Reads only, and starts nothing.
    async fn list(&self, filter: &Filter) -> Result<Vec<Status>>;

    /// What all its sandboxes are doing, where others can change that beside isobox and one short question tells; nothing where only
    /// isobox does. Reads only.
    async fn states(&self) -> Result<Option<Vec<(SandboxId, State)>>> {
        Ok(None)
    }

    /// Sandboxes of which something is left that nothing runs in, although they are not stopped, such as a directory whose
    /// processes were killed: what a [`delete`](Self::delete) by their ids takes away. Reads only. One that is being made right
    /// now may be among them, so whoever asks has to know which are not.
    async fn leavings(&self) -> Result<Vec<SandboxId>> {
        Ok(Vec::new())
    }

    /// Clears away what of the provider's own nobody needs any more and no sandbox has, such as the half of a copy. Bounded in
    /// time.
    async fn tidy(&self) -> Result<()> {
        Ok(())
    }

    /// How the backend is. A sick backend is a result, not an error.
    async fn health(&self) -> Health {
        Health::default()
    }

    /// Its snapshots; there exactly when `snapshots.supported` is.
    fn snapshots(&self) -> Option<&dyn Snapshots> {
        None
    }

    /// Its volumes; there exactly when `volumes.supported` is.
    fn volumes(&self) -> Option<&dyn Volumes> {
        None
    }

    /// Its images; there exactly when `images.pull` is.
    fn images(&self) -> Option<&dyn Images> {
        None
    }

    /// Ends what the provider itself runs: helpers, connections, forwarded ports. Sandboxes are left alone. Bounded in
    /// time.
    async fn shutdown(&self) {}
}

/// What belongs to one operation.
#[derive(Clone)]
pub struct Context {
    /// Its id, in every event of it.
    pub operation: OperationId,
    /// The caller's own mark, in every event of it. Must hold no secrets.
    pub correlation: Option<String>,
    /// When the caller gives up. A provider then ends what it waits for and fails with `timeout`.
    pub deadline: Option<Instant>,
    /// Where progress goes.
    pub events: Arc<dyn EventSink>,
    /// Labels that the caller of the library needs on everything that is made; they win over those of a spec.
    pub labels: Labels,
}

impl Context {
    /// A context without deadline and correlation.
    pub fn new(events: Arc<dyn EventSink>) -> Self {
        Self { operation: OperationId::generate(), correlation: None, deadline: None, events, labels: Labels::new() }
    }

    /// A context that forgets all events.
    pub fn quiet() -> Self {
        Self::new(Arc::new(crate::event::NoEvents))
    }

    /// Fails with `timeout` when the deadline has passed; otherwise how much time is left.
    pub fn remaining(&self, operation: &str) -> Result<Option<std::time::Duration>> {
        let Some(deadline) = self.deadline else { return Ok(None) };
        match deadline.checked_duration_since(Instant::now()) {
            Some(left) if !left.is_zero() => Ok(Some(left)),
            _ => Err(Error::new(ErrorCode::Timeout, format!("the deadline passed before {operation} was done"))
                .with_operation(operation)),
        }
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("operation", &self.operation)
            .field("correlation", &self.correlation)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

/// Which sandboxes to list; all by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Filter {
    /// Labels that all must match.
    pub labels: Labels,
    /// States of which one must match; all when empty.
    pub states: Vec<State>,
    /// The name.
    pub name: Option<String>,
}

impl Filter {
    /// Whether a status matches. Callers apply it again to what a backend filtered.
    pub fn matches(&self, status: &Status) -> bool {
        let labels = self.labels.iter().all(|(name, value)| status.labels.get(name) == Some(value));
        let state = self.states.is_empty() || self.states.contains(&status.state);
        labels && state && self.name.as_ref().is_none_or(|name| status.name.as_ref() == Some(name))
    }
}

words! {
    /// How a backend is.
    #[derive(Default)]
    pub enum HealthStatus {
        /// It answers, and everything needed is allowed.
        Ok = "ok",
        /// It does not answer.
        Unreachable = "unreachable",
        /// It answers, and the credential is missing, wrong or too weak.
        Unauthorized = "unauthorized",
        /// Nobody looked.
        #[default]
        Unknown = "unknown",
    }
    unknown Unknown
}

/// How a backend is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Health {
    /// In a word.
    pub status: HealthStatus,
    /// In a sentence that says what to do.
    pub message: Option<String>,
    /// Permissions that the credential lacks.
    pub missing_permissions: Vec<String>,
    /// Permissions that it needs, in a fixed order.
    pub required_permissions: Vec<String>,
    /// Whose backend it is, such as an organization; not secret.
    pub identity: Option<String>,
    /// Its version.
    pub version: Option<String>,
}
