//! What happens, as it happens: typed, numbered for the fleet and for each sandbox.
//!
//! ```text
//!   operation:  started ──▶ progress* ──▶ completed | failed      exactly one end, same operation id
//! ```
//!
//! A provider and an agent emit [`EventKind`]s through an [`EventSink`]; whoever keeps them numbers them and makes
//! [`Event`]s. Events hold kinds, ids, states, counts and durations, never commands, environment values, tokens,
//! contents or output.

use crate::error::Report;
use crate::exec::Exit;
use crate::ids::{EventId, ExecId, ExternalId, OperationId, ProviderKind, SandboxId, SnapshotId, VolumeId};
use crate::post_mortem::PostMortem;
use crate::snapshot::SnapshotState;
use crate::state::{Action, State};
use crate::time::{Timestamp, millis};
use crate::volume::VolumeState;
use crate::words::words;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// One thing that happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Event {
    /// Its id.
    pub id: EventId,
    /// Its place among all events of the store, from 1, without gaps.
    pub sequence: u64,
    /// Its place among the events of its subject, from 1, without gaps.
    pub subject_sequence: u64,
    /// When it happened.
    pub at: Timestamp,
    /// Where it happened.
    #[serde(default)]
    pub provider: Option<ProviderKind>,
    /// What it happened to.
    pub subject: Subject,
    /// The operation that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<OperationId>,
    /// The caller's own mark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation: Option<String>,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What an event is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Subject {
    /// A provider.
    Provider {
        /// Which.
        kind: ProviderKind,
    },
    /// A sandbox.
    Sandbox {
        /// Its id.
        id: SandboxId,
        /// The backend's id, once there is one.
        #[serde(default)]
        external: Option<ExternalId>,
        /// Its name.
        #[serde(default)]
        name: Option<String>,
    },
    /// A snapshot.
    Snapshot {
        /// Its id.
        id: SnapshotId,
        /// Its name.
        #[serde(default)]
        name: Option<String>,
    },
    /// A volume.
    Volume {
        /// Its id.
        id: VolumeId,
        /// Its name.
        #[serde(default)]
        name: Option<String>,
    },
    /// An image.
    Image {
        /// The reference asked for.
        reference: String,
    },
    /// Something of a newer peer.
    #[serde(other)]
    Unknown,
}

/// What happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventKind {
    /// An operation was accepted.
    OperationStarted {
        /// What it does.
        action: Action,
    },
    /// An operation got further.
    OperationProgress {
        /// What it does.
        action: Action,
        /// How far it is.
        progress: Progress,
    },
    /// An operation succeeded. Nothing follows for its id.
    OperationCompleted {
        /// What it did.
        action: Action,
        /// How long it took.
        #[serde(rename = "duration_ms", with = "millis")]
        duration: Duration,
    },
    /// An operation failed. Nothing follows for its id.
    OperationFailed {
        /// What it tried.
        action: Action,
        /// How long it tried.
        #[serde(rename = "duration_ms", with = "millis")]
        duration: Duration,
        /// Why.
        error: Report,
    },
    /// A state was seen.
    StateObserved {
        /// The state before, when it was known.
        previous: Option<ResourceState>,
        /// The state now.
        current: ResourceState,
    },
    /// A command started.
    ExecStarted {
        /// Its id.
        exec: ExecId,
        /// The caller's name for it.
        label: Option<String>,
    },
    /// A command ended.
    ExecExited {
        /// Its id.
        exec: ExecId,
        /// How.
        exit: Exit,
    },
    /// A transfer of files ended.
    FilesTransferred {
        /// Whether into the sandbox.
        upload: bool,
        /// Files.
        files: u64,
        /// Bytes.
        bytes: u64,
    },
    /// The policy refused a connection or a name.
    NetworkDenied {
        /// What was refused.
        denial: Denial,
    },
    /// A limit was reached.
    LimitReached {
        /// Which.
        limit: LimitKind,
        /// Its value.
        max: Option<u64>,
        /// The command that reached it.
        exec: Option<ExecId>,
    },
    /// The ttl of a sandbox is about to end.
    ExpirySoon {
        /// When it ends.
        expires_at: Timestamp,
    },
    /// The sandbox died unasked.
    Died {
        /// How.
        post_mortem: Box<PostMortem>,
    },
    /// Something worth knowing.
    Notice {
        /// A stable word for it.
        code: String,
        /// A sentence.
        message: String,
    },
    /// Something of a newer peer.
    #[serde(other)]
    Unknown,
}

impl EventKind {
    /// Whether it is the end of an operation.
    pub const fn ends_operation(&self) -> bool {
        matches!(self, EventKind::OperationCompleted { .. } | EventKind::OperationFailed { .. })
    }

    /// The word that is `type` in its JSON, by which events are filtered.
    pub const fn as_str(&self) -> &'static str {
        match self {
            EventKind::OperationStarted { .. } => "operation_started",
            EventKind::OperationProgress { .. } => "operation_progress",
            EventKind::OperationCompleted { .. } => "operation_completed",
            EventKind::OperationFailed { .. } => "operation_failed",
            EventKind::StateObserved { .. } => "state_observed",
            EventKind::ExecStarted { .. } => "exec_started",
            EventKind::ExecExited { .. } => "exec_exited",
            EventKind::FilesTransferred { .. } => "files_transferred",
            EventKind::NetworkDenied { .. } => "network_denied",
            EventKind::LimitReached { .. } => "limit_reached",
            EventKind::ExpirySoon { .. } => "expiry_soon",
            EventKind::Died { .. } => "died",
            EventKind::Notice { .. } => "notice",
            EventKind::Unknown => "unknown",
        }
    }
}

/// A state of one of the things that have states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "resource", content = "state", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResourceState {
    /// Of a sandbox.
    Sandbox(State),
    /// Of a snapshot.
    Snapshot(SnapshotState),
    /// Of a volume.
    Volume(VolumeState),
}

/// How far an operation is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// A stable word for the step: `image.pull`, `image.unpack`, `resource.wait`, `sandbox.provision`,
    /// `snapshot.build`, `snapshot.export`, `queue.wait`. The set is open.
    pub code: String,
    /// A sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How much is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed: Option<u64>,
    /// How much there is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Of what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<ProgressUnit>,
}

words! {
    /// What progress counts.
    pub enum ProgressUnit {
        /// Bytes.
        Bytes = "bytes",
        /// Things, such as layers.
        Items = "items",
        /// Steps.
        Steps = "steps",
        /// Hundredths.
        Percent = "percent",
        /// Something of a newer peer.
        Unknown = "unknown",
    }
    unknown Unknown
}

words! {
    /// A limit that was reached.
    pub enum LimitKind {
        /// Memory: something was killed.
        Memory = "memory",
        /// Processes: a fork failed.
        Pids = "pids",
        /// Disk: a write failed.
        Disk = "disk",
        /// Output: bytes were omitted.
        Output = "output",
        /// Something of a newer peer.
        Unknown = "unknown",
    }
    unknown Unknown
}

/// One connection or name that the network policy refused; the same shape everywhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Denial {
    /// When.
    pub at: Timestamp,
    /// What was tried.
    pub protocol: DeniedProtocol,
    /// The host name, when one was asked for; cut to 255 bytes, anything but letters, digits, `-`, `_` and `.`
    /// replaced.
    #[serde(default)]
    pub host: Option<String>,
    /// The address, when one was tried.
    #[serde(default)]
    pub address: Option<std::net::IpAddr>,
    /// The port.
    #[serde(default)]
    pub port: Option<u16>,
    /// Why.
    pub reason: DenialReason,
}

words! {
    /// What a denied program tried.
    pub enum DeniedProtocol {
        /// Looking up a name.
        Dns = "dns",
        /// A TCP connection.
        Tcp = "tcp",
        /// A UDP packet.
        Udp = "udp",
        /// Another protocol.
        Other = "other",
    }
    unknown Other
}

words! {
    /// Why something was denied.
    pub enum DenialReason {
        /// Nothing in the policy allows it.
        NotAllowed = "not_allowed",
        /// The policy denies it by name.
        Denied = "denied",
        /// The name is allowed and led to an address of a private or local network.
        PrivateAddress = "private_address",
        /// A secret would have gone to a host it is not bound to.
        SecretHost = "secret_host",
        /// Something of a newer peer.
        Unknown = "unknown",
    }
    unknown Unknown
}

/// Takes what happens.
///
/// Never blocks and never fails: a sink has a bounded queue, keeps lifecycle events and ends of operations in any case,
/// and counts what it drops of the rest.
pub trait EventSink: Send + Sync {
    /// Takes one event, in the order of the calls of one thread.
    fn emit(&self, event: EventKind);

    /// Takes one that happened a moment ago; the same as [`emit`](Self::emit) for a sink that does not keep times.
    fn emit_at(&self, at: Timestamp, event: EventKind) {
        let _ = at;
        self.emit(event);
    }
}

/// Forgets everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEvents;

impl EventSink for NoEvents {
    fn emit(&self, _: EventKind) {}
}
