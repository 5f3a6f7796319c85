//! What happens, as it happens.

use super::{Action, Exit, PostMortem, Report, Result};
use crate::cross::{Cross, record, words};
use crate::stream::Source;
use isobox::{Follow, Followed, contract};
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, SystemTime};

/// What a denied program tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeniedProtocol {
    /// Looking up a name.
    Dns,
    /// A TCP connection.
    Tcp,
    /// A UDP packet.
    Udp,
    /// Another protocol.
    Other,
}

words!(DeniedProtocol, contract::event::DeniedProtocol { Dns, Tcp, Udp, Other } else Other);

/// Why something was denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DenialReason {
    /// Nothing in the policy allows it.
    NotAllowed,
    /// The policy denies it by name.
    Denied,
    /// The name is allowed and led to an address of a private or local network.
    PrivateAddress,
    /// A secret would have gone to a host it is not bound to.
    SecretHost,
    /// Something of a newer version.
    Unknown,
}

words!(DenialReason, contract::event::DenialReason {
    NotAllowed, Denied, PrivateAddress, SecretHost, Unknown,
} else Unknown);

/// A connection or name that the network policy refused.
#[derive(Clone, Debug)]
pub struct Denial {
    /// When.
    pub at: SystemTime,
    /// What was tried.
    pub protocol: DeniedProtocol,
    /// The host name, when one was asked for.
    pub host: Option<String>,
    /// The address, when one was tried.
    pub address: Option<String>,
    /// The port.
    pub port: Option<u16>,
    /// Why.
    pub reason: DenialReason,
}

record!(Denial from isobox::Denial { at, protocol, host, address, port, reason });

/// What progress counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressUnit {
    /// Bytes.
    Bytes,
    /// Things, such as layers.
    Items,
    /// Steps.
    Steps,
    /// Hundredths.
    Percent,
    /// Something of a newer version.
    Unknown,
}

words!(ProgressUnit, isobox::ProgressUnit { Bytes, Items, Steps, Percent, Unknown } else Unknown);

/// How far an operation is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// A stable word for the step, such as `image.pull`.
    pub code: String,
    /// A sentence.
    pub message: Option<String>,
    /// How much is done.
    pub completed: Option<u64>,
    /// How much there is.
    pub total: Option<u64>,
    /// Of what.
    pub unit: Option<ProgressUnit>,
}

record!(Progress from isobox::Progress { code, message, completed, total, unit });

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    /// Memory: something was killed.
    Memory,
    /// Processes: a fork failed.
    Pids,
    /// Disk: a write failed.
    Disk,
    /// Output: bytes were omitted.
    Output,
    /// Something of a newer version.
    Unknown,
}

words!(LimitKind, isobox::LimitKind { Memory, Pids, Disk, Output, Unknown } else Unknown);

/// What happened.
#[derive(Clone, Debug)]
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
    /// An operation succeeded.
    OperationCompleted {
        /// What it did.
        action: Action,
        /// How long it took.
        duration: Duration,
    },
    /// An operation failed.
    OperationFailed {
        /// What it tried.
        action: Action,
        /// How long it tried.
        duration: Duration,
        /// Why.
        error: Report,
    },
    /// A state was seen.
    StateObserved {
        /// What has it: `sandbox`, `snapshot` or `volume`.
        resource: String,
        /// The state before, when it was known.
        previous: Option<String>,
        /// The state now.
        current: String,
    },
    /// A command started.
    ExecStarted {
        /// Its id.
        process: String,
        /// The caller's name for it.
        label: Option<String>,
    },
    /// A command ended.
    ExecExited {
        /// Its id.
        process: String,
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
        process: Option<String>,
    },
    /// The time to live of a sandbox is about to end.
    ExpirySoon {
        /// When it ends.
        expires_at: SystemTime,
    },
    /// A sandbox died unasked.
    Died {
        /// How.
        post_mortem: PostMortem,
    },
    /// Something worth knowing.
    Notice {
        /// A stable word for it.
        code: String,
        /// A sentence.
        message: String,
    },
    /// Events up to the next one are not kept any more, and are missing here.
    Gone {
        /// The number of the oldest that is kept.
        oldest: u64,
    },
    /// Something of a newer version.
    Unknown {
        /// Its word, where it is known.
        word: String,
    },
}

impl Cross<EventKind> for isobox::EventKind {
    fn cross(self) -> EventKind {
        use isobox::EventKind as Kind;
        match self {
            Kind::OperationStarted { action } => EventKind::OperationStarted { action: action.cross() },
            Kind::OperationProgress { action, progress } => {
                EventKind::OperationProgress { action: action.cross(), progress: progress.cross() }
            }
            Kind::OperationCompleted { action, duration } => {
                EventKind::OperationCompleted { action: action.cross(), duration }
            }
            Kind::OperationFailed { action, duration, error } => {
                EventKind::OperationFailed { action: action.cross(), duration, error: error.cross() }
            }
            Kind::StateObserved { previous, current } => {
                let (resource, current) = words_of(current);
                let previous = previous.map(|previous| words_of(previous).1);
                EventKind::StateObserved { resource, previous, current }
            }
            Kind::ExecStarted { exec, label } => EventKind::ExecStarted { process: exec.cross(), label },
            Kind::ExecExited { exec, exit } => EventKind::ExecExited { process: exec.cross(), exit: exit.cross() },
            Kind::FilesTransferred { upload, files, bytes } => EventKind::FilesTransferred { upload, files, bytes },
            Kind::NetworkDenied { denial } => EventKind::NetworkDenied { denial: denial.cross() },
            Kind::LimitReached { limit, max, exec } => {
                EventKind::LimitReached { limit: limit.cross(), max, process: exec.cross() }
            }
            Kind::ExpirySoon { expires_at } => EventKind::ExpirySoon { expires_at: expires_at.cross() },
            Kind::Died { post_mortem } => EventKind::Died { post_mortem: post_mortem.cross() },
            Kind::Notice { code, message } => EventKind::Notice { code, message },
            other => EventKind::Unknown { word: other.as_str().to_owned() },
        }
    }
}

/// What has a state, and which.
fn words_of(state: isobox::ResourceState) -> (String, String) {
    let (resource, state) = match state {
        isobox::ResourceState::Sandbox(state) => ("sandbox", state.as_str()),
        isobox::ResourceState::Snapshot(state) => ("snapshot", state.as_str()),
        isobox::ResourceState::Volume(state) => ("volume", state.as_str()),
        _ => ("unknown", "unknown"),
    };
    (resource.to_owned(), state.to_owned())
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its place among all events, from 1, without gaps.
    pub sequence: u64,
    /// When it happened; none for a gap.
    pub at: Option<SystemTime>,
    /// The provider where it happened.
    pub provider: Option<String>,
    /// What it happened to: `provider`, `sandbox`, `snapshot`, `volume` or `image`.
    pub subject: String,
    /// The id of that, or the reference of an image.
    pub id: Option<String>,
    /// The name of that.
    pub name: Option<String>,
    /// The operation that it belongs to.
    pub operation: Option<String>,
    /// What happened.
    pub kind: EventKind,
}

impl Cross<Event> for isobox::Event {
    fn cross(self) -> Event {
        use isobox::Subject;
        let (subject, id, name) = match self.subject {
            Subject::Provider { kind } => ("provider", Some(kind.to_string()), None),
            Subject::Sandbox { id, name, .. } => ("sandbox", Some(id.to_string()), name),
            Subject::Snapshot { id, name } => ("snapshot", Some(id.to_string()), name),
            Subject::Volume { id, name } => ("volume", Some(id.to_string()), name),
            Subject::Image { reference } => ("image", Some(reference), None),
            _ => ("unknown", None, None),
        };
        Event {
            sequence: self.sequence,
            at: Some(self.at.cross()),
            provider: self.provider.cross(),
            subject: subject.to_owned(),
            id,
            name,
            operation: self.operation.cross(),
            kind: self.kind.cross(),
        }
    }
}

/// Which events.
#[derive(Clone, Debug, Default)]
pub struct EventOptions {
    /// Those behind this one, by its number; from now on by default. 0 begins with the oldest that is kept.
    pub after: Option<u64>,
    /// Of these sandboxes, by their ids; of everything by default.
    pub sandboxes: Vec<String>,
    /// Of these kinds, such as `exec_exited`; all by default.
    pub kinds: Vec<String>,
    /// End with the last one that there is; by default those to come are waited for.
    pub no_follow: bool,
}

/// Events from a place on.
pub(super) struct Following {
    pub(super) follow: Follow,
    pub(super) waits: bool,
}

impl Source<Event> for Following {
    fn next(&mut self) -> Pin<Box<dyn Future<Output = Result<Option<Event>>> + Send + '_>> {
        Box::pin(async {
            let next = match self.waits {
                true => Some(self.follow.next().await?),
                false => self.follow.next_now().await?,
            };
            Ok(next.map(told))
        })
    }
}

fn told(followed: Followed) -> Event {
    match followed {
        Followed::Event(event) => event.cross(),
        Followed::Gone { oldest } => gap(oldest),
        _ => gap(0),
    }
}

fn gap(oldest: u64) -> Event {
    Event {
        sequence: oldest.saturating_sub(1),
        at: None,
        provider: None,
        subject: "unknown".to_owned(),
        id: None,
        name: None,
        operation: None,
        kind: EventKind::Gone { oldest },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cross::Words;

    #[test]
    fn every_word_has_its_variant() {
        for lost in [DeniedProtocol::lost(), DenialReason::lost(), ProgressUnit::lost(), LimitKind::lost()] {
            assert!(lost.is_empty(), "{lost:?}");
        }
    }
}
