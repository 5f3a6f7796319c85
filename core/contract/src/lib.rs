//! What a sandbox provider promises.
//!
//! Two traits, [`Provider`] (a fleet) and [`Sandbox`] (one place), and the plain data that crosses them. Optional
//! abilities are facets, `Some` exactly when [`Capabilities`] says so; what is not claimed is refused with its dotted
//! name. This crate knows no provider and does no I/O.
//!
//! One contract holds everywhere: a provider does what a spec says exactly, or refuses before anything has started;
//! every wait has a deadline or an owner; every failure says whose it is; bytes are bytes.

pub mod access;
pub mod capability;
pub mod error;
pub mod event;
pub mod exec;
pub mod files;
pub mod git;
pub mod ids;
pub mod images;
pub mod isolation;
pub mod logs;
pub mod metrics;
pub mod one_shot;
pub mod path;
pub mod post_mortem;
pub mod provider;
pub mod sandbox;
pub mod search;
pub mod services;
pub mod session;
pub mod snapshot;
pub mod spec;
pub mod state;
pub mod time;
pub mod transfer;
pub mod volume;
mod words;

pub use access::{Access, Duplex, Endpoint, ListeningPort, Ports, PreviewUrl, SshAccess, VncAccess};
pub use capability::{Capabilities, Capability};
pub use error::{
    Detail, Error, ErrorCode, ExecFailure, Fault, FileErrorKind, GitFailure, LaunchStep, Report, Resource, Result,
};
pub use event::{Denial, Event, EventKind, EventSink, NoEvents, Progress, ProgressUnit, ResourceState, Subject};
pub use exec::{
    Captured, Command, Exec, ExecRequest, ExecResult, Exit, OutputEvent, OutputLimits, Process, ProcessInfo,
    ProcessState, Replay, Sanitize, Signal, SignalTarget, Spill, Stdin, Stream, TerminalSize, Termination,
};
pub use files::{Entry, FileChange, FileChangeKind, FileKind, FileReader, Files, Metadata, Range, Watch, WriteOptions};
pub use git::{CloneRequest, Git};
pub use ids::{
    EventId, ExecId, ExternalId, OperationId, OwnerId, ParseIdError, ProviderKind, SandboxId, SnapshotId, VolumeId,
};
pub use images::{ImageDetails, ImageInfo, ImageLayer, ImageUsage, Images, PrunedImages, SandboxImage};
pub use isolation::{Isolation, SandboxKind};
pub use logs::{LogSource, LogStream, Logs};
pub use metrics::Metrics;
pub use one_shot::{OneShotImage, OneShotRequest, OneShots};
pub use path::SandboxPath;
pub use post_mortem::{DeathCause, PostMortem};
pub use provider::{Context, Filter, Health, HealthStatus, Provider};
pub use sandbox::{Ended, ForkOptions, Platform, Sandbox, SandboxRecord, Status};
pub use search::Search;
pub use services::Services;
pub use session::{Session, Sessions};
pub use snapshot::{
    ExportOptions, ExportedImage, ImportOptions, LayerCompression, SnapshotOptions, SnapshotSource, SnapshotSpec,
    SnapshotState, SnapshotStatus, Snapshots,
};
pub use spec::*;
pub use state::{Action, State};
pub use time::{Lifetime, Timestamp};
pub use transfer::{DownloadOptions, TransferLimits, TransferReport, UploadOptions};
pub use volume::{VolumeSpec, VolumeState, VolumeStatus, Volumes};
pub use words::UnknownWord;
