//! The public surface, described once.
//!
//! A generator reads this file and its modules and writes what Python, Node and Swift see. So they keep to a small grammar:
//!
//! | here | is |
//! |---|---|
//! | `pub struct` with public fields | a record: plain data, copied across the border |
//! | … whose name ends with `Options`, as the last argument | named arguments, each with a default |
//! | `pub enum` without data | one of some words |
//! | `pub enum` with data | a sum of records; what has no data is a word |
//! | `pub struct` with private fields | an object; its public methods are its methods |
//! | `pub async fn … -> Result<T>` | a call: it can be cancelled, and fails with the one [`Error`] |
//! | `pub fn … -> T` | a getter that never waits and never fails |
//! | a function without `self` | a static method |
//! | [`Stream<T>`](crate::Stream) | things that come one by one |
//!
//! Types are `bool`, `i32`, `u16`, `u32`, `u64`, `f64`, `String`, `Bytes`, `Duration`, `SystemTime`, `Option`, `Vec`,
//! `BTreeMap<String, _>`, those of this crate's [values](crate), and what is described here. The sentences are the documentation in
//! every language: they name no syntax of any.

mod error;
mod events;
mod exec;
mod files;
mod git;
mod images;
mod isobox;
mod limits;
mod network;
mod options;
mod pools;
mod process;
mod sandbox;
mod search;
mod services;
mod session;
mod snapshots;
mod states;
mod volumes;

pub use error::{Detail, Error, ErrorCode, ExecFailure, Fault, FileErrorKind, Report, Result};
pub use events::{
    Denial, DenialReason, DeniedProtocol, Event, EventKind, EventOptions, LimitKind, Progress, ProgressUnit,
};
pub use exec::{ExecOptions, ExecResult, Exit, OutputEvent, OutputStream, Sanitize, SpawnOptions, Termination};
pub use files::{
    DownloadOptions, Entry, FileChange, FileChangeKind, FileKind, FileWriter, Files, ListDirectoryOptions, Metadata,
    ReadOptions, TransferReport, UploadOptions, WatchOptions, WriteOptions,
};
pub use git::{
    CloneOptions, CommitOptions, Git, GitBranch, GitChange, GitCommit, GitStatus, GitStatusEntry, RemoteOptions,
    Repository,
};
pub use images::{ImageInfo, Images, PrunedImages, PullOptions};
pub use isobox::{Garbage, Isobox, ListOptions, OpenOptions, ProviderInfo, SandboxInfo};
pub use limits::{KindUsage, Limits, LimitsOptions, Queue, QueueEntry};
pub use network::{Endpoint, ListeningPort, NetworkPolicy};
pub use options::{
    CreateOptions, DiskBacking, DockerOptions, HostOptions, Mount, NamespaceOptions, NamespaceUsers, PullPolicy,
    RegistryAuth, Secret, SecretDelivery, Sidecar, SidecarHealth, VolumeMount,
};
pub use pools::{Pool, PoolOptions, PoolStatus, TakeOptions};
pub use process::{AttachOptions, Process, ProcessInfo, SignalTarget};
pub use sandbox::{ForkOptions, Metrics, ResizeOptions, Sandbox, SandboxImage, SnapshotOptions, Status};
pub use search::{GrepMatch, GrepOptions, Search, WalkEntry, WalkOptions};
pub use services::{Service, ServiceOptions, ServiceStatus, Services};
pub use session::{Session, SessionOptions, SessionOutput};
pub use snapshots::{ExportOptions, ExportedImage, ImportOptions, Snapshot, SnapshotState};
pub use states::{Action, DeathCause, Expiry, Isolation, PostMortem, State};
pub use volumes::{Volume, VolumeOptions, VolumeState};
