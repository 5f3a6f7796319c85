//! Sandboxes for commands you do not trust.
//!
//! ```
//! use isobox::Isobox;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> isobox::Result<()> {
//! # let home = tempfile::tempdir().unwrap();
//! # let isobox = Isobox::builder().home(home.path()).open().await?;
//! # /*
//! let isobox = Isobox::open().await?;
//! # */
//! let sandbox = isobox.sandbox().create().await?;
//!
//! let result = sandbox.exec(["echo", "hello"]).await?;
//! assert_eq!(result.stdout.text(), "hello\n");
//!
//! let result = sandbox.shell("echo $((6 * 7)); exit 3").await?;
//! assert_eq!((result.stdout.text().as_ref(), result.exit_code), ("42\n", 3));
//!
//! sandbox.files().write("notes.txt", "remember").await?;
//! assert_eq!(sandbox.files().read_text("notes.txt").await?, "remember");
//!
//! sandbox.delete().await?;
//! # Ok(())
//! # }
//! ```
//!
//! # What it promises
//!
//! - **A command's failure is a result, an error is not the command's.** [`ExecResult`] says how a command ended: exit
//!   code, signal, timeout, memory kill. [`Error`] says that it could not be run, or that its end is not known; and
//!   whose failure that is ([`Error::fault`]).
//! - **Nothing lives on by accident.** A sandbox ends with the last handle of it or with this process, however that
//!   ends, unless it was [detached](SandboxBuilder::detached) with a lifetime. Timeout and cancellation end a command's
//!   whole tree.
//! - **A list is a program and its arguments, a text is a script.** [`Sandbox::exec`] never involves a shell,
//!   [`Sandbox::shell`] is always `sh -c`.
//! - **What a provider cannot do it refuses**, before anything has started, as `unsupported` with the name of the
//!   [`Capability`]. Nothing is weakened silently.
//! - **Bytes are bytes.** Output, input, paths and contents cross unchanged; text is a view of them.
//!
//! # Which provider
//!
//! | name | isolation | what it is |
//! |---|---|---|
//! | `auto` | at least `container` | the default: the first of the isolating providers that works here |
//! | `namespace` | `container` | Linux namespaces on this machine, no daemon, as root or as an ordinary user |
//! | `docker` | `container`, or by the runtime | containers of a Docker engine |
//! | `host` | `none` | directories and process trees on this machine; only when asked for by name |
//!
//! `auto` never chooses `host`. A program that takes the provider's name from its users states what it needs with
//! [`SandboxBuilder::least_isolation`].
//!
//! # Handles, tasks and runtimes
//!
//! [`Isobox`], [`Sandbox`], [`Process`] and [`Files`] are handles: cheap to clone, and every method takes `&self`. They
//! work on the caller's tokio runtime, which needs its I/O and time drivers, and belong to that runtime. Dropping the
//! future of a call cancels it: a command that is waited for is ended, a transfer is broken off.
//!
//! # Features
//!
//! `namespace`, `docker` and `host`, all on by default, build the provider of that name in.

mod archives;
mod builder;
mod collection;
mod command;
mod control;
mod copies;
mod disk_usage;
pub mod doctor;
mod files;
mod git;
mod home;
mod images;
mod isobox;
mod local;
mod mount;
mod order;
mod pool;
mod ports;
mod process;
mod record;
mod registry;
mod sandbox;
mod search;
mod services;
mod session;
mod snapshots;
mod volumes;
mod ways_in;
mod why;

pub use builder::{DEFAULT_CREATE_TIMEOUT, DEFAULT_DETACHED_TTL, ImageReference, SandboxBuilder};
pub use collection::Collection;
pub use command::Command;
pub use control::{Garbage, GarbageKind, Reconciled, settled};
pub use disk_usage::{DiskKind, DiskUsage, KindUsage};
pub use doctor::{Diagnosis, ProviderDiagnosis};
pub use files::{DEFAULT_READ_LIMIT, Files};
pub use git::{Commit, Git, GitClone, Remote, Repository, Retry};
pub use home::ISOBOX_HOME;
pub use images::{DEFAULT_PULL_TIMEOUT, Images};
pub use isobox::{Isobox, IsoboxBuilder};
pub use isobox_control::{
    EventFilter, Follow, Followed, ImageEntry, Limits, PoolEntry, ProcessEntry, Queue, QueueEntry, Retention,
    SandboxEntry, SandboxFilter, SnapshotEntry, VolumeEntry,
};
pub use isobox_machine::{DiskLimit, Facts, Finding, Severity};
pub use mount::Mount;
pub use pool::{Pool, PoolBuilder, PoolStatus, TakeOptions};
pub use process::Process;
pub use record::Record;
pub use registry::AUTO;
pub use sandbox::Sandbox;
pub use search::{Grep, Search, Walk};
pub use services::{DEFAULT_READY_TIMEOUT, DEFAULT_STOP_GRACE, Service, ServiceBuilder, Services};
pub use session::{Session, SessionBuilder, SessionRun};
pub use snapshots::{DEFAULT_EXPORT_TIMEOUT, Snapshots};
pub use volumes::{PrunedVolumes, VolumeDetails, Volumes};

/// The contract between this library and its providers: the traits to implement for a provider of your own, and all the
/// data that crosses them.
pub use isobox_contract as contract;
pub use isobox_contract::DiskBacking;
pub use isobox_contract::error::GitFailure;
pub use isobox_contract::event::{LimitKind, ResourceState};
pub use isobox_contract::search::{GrepMatch, WalkEntry};
pub use isobox_contract::services::ServiceStatus;
pub use isobox_contract::session::SessionOutput;
pub use isobox_contract::{
    Action, AllowRule, Capabilities, Capability, Captured, DeathCause, Denial, Destination, Detail, DockerOptions,
    DownloadOptions, Duplex, Ended, Endpoint, Entry, Error, ErrorCode, Event, EventKind, EventSink, ExecFailure,
    ExecId, ExecRequest, ExecResult, Exit, Expiry, ExportOptions, ExportedImage, ExternalId, Fault, FileChange,
    FileChangeKind, FileErrorKind, FileKind, FileReader, ForkOptions, Health, HealthStatus, HostOptions, ImageDetails,
    ImageInfo, ImageLayer, ImageSource, ImageUsage, ImportOptions, Isolation, Labels, LaunchStep, LayerCompression,
    Lifetime, Lifetimes, ListeningPort, LogSource, LogStream, Metadata, Metrics, NamespaceOptions, NamespaceUsers,
    NetworkPolicy, OneShotImage, OneShotRequest, OutputEvent, OutputLimits, Owner, Platform, PostMortem, PreviewUrl,
    ProcessInfo, ProcessState, Progress, ProgressUnit, ProviderKind, ProviderOptions, PrunedImages, PullPolicy, Range,
    RegistryAuth, Replay, Report, Resource, Resources, Result, SandboxId, SandboxImage, SandboxPath, SandboxSpec,
    Sanitize, Secret, SecretDelivery, SecretValue, Sidecar, SidecarHealth, Signal, SignalTarget, SnapshotId,
    SnapshotOptions, SnapshotState, SnapshotStatus, Source, Spill, State, Status, Stdin, Stream, Subject, TerminalSize,
    Termination, Timestamp, TransferLimits, TransferReport, UploadOptions, VolumeId, VolumeMount, VolumeSpec,
    VolumeState, Watch, WorkspaceOwnership, WriteOptions, parse_size,
};
pub use isobox_derived::git::{GitAuthor, GitBranch, GitChange, GitCommit, GitFile, GitStatus, GitStatusEntry};
pub use isobox_derived::services::Ready;
