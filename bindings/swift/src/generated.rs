// Written by `cargo xtask gen` from bindings/src/api.rs. Do not edit.
//! What crosses to Swift, and from it.
#![allow(missing_debug_implementations, missing_docs)]

use crate::call::{CancelToken, guard};
use crate::convert::{Given, Lifetime, Program, Shown, Size, text};
use crate::error::Failure;
use isobox_bindings::api;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;
/// How a command failed whose success was asked for.
#[derive(Debug, uniffi::Record)]
pub struct ExecFailure {
    /// The caller's name for it.
    #[uniffi(default = None)]
    pub label: Option<String>,
    /// What ended it.
    pub termination: Termination,
    /// Its exit code, where it has one.
    #[uniffi(default = None)]
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    #[uniffi(default = None)]
    pub signal: Option<i32>,
    /// How long it ran.
    pub duration: f64,
    /// What may help.
    #[uniffi(default = None)]
    pub hint: Option<String>,
    /// What it wrote to stdout.
    pub stdout_bytes: Vec<u8>,
    /// What it wrote to stderr.
    pub stderr_bytes: Vec<u8>,
    /// More about that stdout: what was omitted.
    pub stdout_info: OutputStream,
    /// More about that stderr: what was omitted.
    pub stderr_info: OutputStream,
}
impl Shown<ExecFailure> for api::ExecFailure {
    fn shown(self) -> ExecFailure {
        ExecFailure {
            label: self.label.shown(),
            termination: self.termination.shown(),
            exit_code: self.exit_code.shown(),
            signal: self.signal.shown(),
            duration: self.duration.shown(),
            hint: self.hint.shown(),
            stdout_bytes: self.stdout.shown(),
            stderr_bytes: self.stderr.shown(),
            stdout_info: self.stdout_info.shown(),
            stderr_info: self.stderr_info.shown(),
        }
    }
}
/// An error that is part of an event or a state.
#[derive(Debug, uniffi::Record)]
pub struct Report {
    /// What happened.
    pub code: ErrorCode,
    /// What happened, to what, and what to do about it.
    pub message: String,
    /// Whether the same may succeed later.
    #[uniffi(default = false)]
    pub retryable: bool,
    /// Whether it is a failure of the infrastructure.
    #[uniffi(default = false)]
    pub infrastructure: bool,
    /// What caused it, from the nearest to the farthest.
    #[uniffi(default)]
    pub causes: Vec<String>,
}
impl Shown<Report> for api::Report {
    fn shown(self) -> Report {
        Report {
            code: self.code.shown(),
            message: self.message.shown(),
            retryable: self.retryable.shown(),
            infrastructure: self.infrastructure.shown(),
            causes: self.causes.shown(),
        }
    }
}
/// A connection or name that the network policy refused.
#[derive(Debug, uniffi::Record)]
pub struct Denial {
    /// When.
    pub at: SystemTime,
    /// What was tried.
    pub protocol: DeniedProtocol,
    /// The host name, when one was asked for.
    #[uniffi(default = None)]
    pub host: Option<String>,
    /// The address, when one was tried.
    #[uniffi(default = None)]
    pub address: Option<String>,
    /// The port.
    #[uniffi(default = None)]
    pub port: Option<u16>,
    /// Why.
    pub reason: DenialReason,
}
impl Shown<Denial> for api::Denial {
    fn shown(self) -> Denial {
        Denial {
            at: self.at.shown(),
            protocol: self.protocol.shown(),
            host: self.host.shown(),
            address: self.address.shown(),
            port: self.port.shown(),
            reason: self.reason.shown(),
        }
    }
}
/// How far an operation is.
#[derive(Debug, uniffi::Record)]
pub struct SandboxProgress {
    /// A stable word for the step, such as `image.pull`.
    pub code: String,
    /// A sentence.
    #[uniffi(default = None)]
    pub message: Option<String>,
    /// How much is done.
    #[uniffi(default = None)]
    pub completed: Option<u64>,
    /// How much there is.
    #[uniffi(default = None)]
    pub total: Option<u64>,
    /// Of what.
    #[uniffi(default = None)]
    pub unit: Option<ProgressUnit>,
}
impl Shown<SandboxProgress> for api::Progress {
    fn shown(self) -> SandboxProgress {
        SandboxProgress {
            code: self.code.shown(),
            message: self.message.shown(),
            completed: self.completed.shown(),
            total: self.total.shown(),
            unit: self.unit.shown(),
        }
    }
}
/// One thing that happened.
#[derive(Debug, uniffi::Record)]
pub struct Event {
    /// Its place among all events, from 1, without gaps.
    pub sequence: u64,
    /// When it happened; none for a gap.
    #[uniffi(default = None)]
    pub at: Option<SystemTime>,
    /// The provider where it happened.
    #[uniffi(default = None)]
    pub provider: Option<String>,
    /// What it happened to: `provider`, `sandbox`, `snapshot`, `volume` or `image`.
    pub subject: String,
    /// The id of that, or the reference of an image.
    #[uniffi(default = None)]
    pub id: Option<String>,
    /// The name of that.
    #[uniffi(default = None)]
    pub name: Option<String>,
    /// The operation that it belongs to.
    #[uniffi(default = None)]
    pub operation: Option<String>,
    /// What happened.
    pub kind: EventKind,
}
impl Shown<Event> for api::Event {
    fn shown(self) -> Event {
        Event {
            sequence: self.sequence.shown(),
            at: self.at.shown(),
            provider: self.provider.shown(),
            subject: self.subject.shown(),
            id: self.id.shown(),
            name: self.name.shown(),
            operation: self.operation.shown(),
            kind: self.kind.shown(),
        }
    }
}
/// Which events.
#[derive(uniffi::Record)]
pub struct EventOptions {
    /// Those behind this one, by its number; from now on by default. 0 begins with the oldest that is kept.
    #[uniffi(default = None)]
    pub after: Option<u64>,
    /// Of these sandboxes, by their ids; of everything by default.
    #[uniffi(default)]
    pub sandboxes: Vec<String>,
    /// Of these kinds, such as `exec_exited`; all by default.
    #[uniffi(default)]
    pub kinds: Vec<String>,
    /// End with the last one that there is; by default those to come are waited for.
    #[uniffi(default = false)]
    pub no_follow: bool,
}
impl Given<api::EventOptions> for EventOptions {
    fn given(self, _: &str) -> api::Result<api::EventOptions> {
        Ok(api::EventOptions {
            after: self.after.given("after")?,
            sandboxes: self.sandboxes.given("sandboxes")?,
            kinds: self.kinds.given("kinds")?,
            no_follow: self.no_follow.given("no_follow")?,
        })
    }
}
/// How to run a command to its end.
#[derive(uniffi::Record)]
pub struct ExecOptions {
    /// Variables beside those of the sandbox; of two values for one name this one holds.
    #[uniffi(default)]
    pub env_bytes: HashMap<String, Vec<u8>>,
    /// Where to run, relative to the sandbox's working directory, which is also the default.
    #[uniffi(default = None)]
    pub cwd_bytes: Option<Vec<u8>>,
    /// A name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox; the sandbox's user by default.
    #[uniffi(default = None)]
    pub user: Option<String>,
    /// Its input; `/dev/null` by default.
    #[uniffi(default = None)]
    pub input_bytes: Option<Vec<u8>>,
    /// When its whole process tree is ended at the latest; never by default. The result then says that it timed out.
    #[uniffi(default = None)]
    pub timeout: Option<f64>,
    /// When it is stopped: TERM, this long, then KILL. KILL at once by default.
    #[uniffi(default = None)]
    pub grace: Option<f64>,
    /// Fail with `command_failed` when it does not exit with 0.
    #[uniffi(default = false)]
    pub check: bool,
    /// Send stderr where stdout goes, in the order of the writes.
    #[uniffi(default = false)]
    pub merge_stderr: bool,
    /// Bytes of each stream that are kept at most, half from the start and half from the end; 10 MiB by default.
    #[uniffi(default = None)]
    pub max_output: Option<u64>,
    /// Write everything to a file in the sandbox when more comes than is kept; the result names it.
    #[uniffi(default = false)]
    pub spill: bool,
    /// What is taken out of the output; nothing by default.
    #[uniffi(default = None)]
    pub sanitize: Option<Sanitize>,
    /// How long the call waits, after the command has exited and after each byte, for descendants that hold its output open; 0.2 seconds
    /// by default.
    #[uniffi(default = None)]
    pub drain: Option<f64>,
    /// The caller's name for it, in listings, events and errors. Must hold no secrets.
    #[uniffi(default = None)]
    pub label: Option<String>,
}
impl Given<api::ExecOptions> for ExecOptions {
    fn given(self, _: &str) -> api::Result<api::ExecOptions> {
        Ok(api::ExecOptions {
            env: self.env_bytes.given("env")?,
            cwd: self.cwd_bytes.given("cwd")?,
            user: self.user.given("user")?,
            input: self.input_bytes.given("input")?,
            timeout: self.timeout.given("timeout")?,
            grace: self.grace.given("grace")?,
            check: self.check.given("check")?,
            merge_stderr: self.merge_stderr.given("merge_stderr")?,
            max_output: self.max_output.given("max_output")?,
            spill: self.spill.given("spill")?,
            sanitize: self.sanitize.given("sanitize")?,
            drain: self.drain.given("drain")?,
            label: self.label.given("label")?,
        })
    }
}
/// How to start a command and go on.
#[derive(uniffi::Record)]
pub struct SpawnOptions {
    /// Variables beside those of the sandbox; of two values for one name this one holds.
    #[uniffi(default)]
    pub env_bytes: HashMap<String, Vec<u8>>,
    /// Where to run, relative to the sandbox's working directory, which is also the default.
    #[uniffi(default = None)]
    pub cwd_bytes: Option<Vec<u8>>,
    /// A name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox; the sandbox's user by default.
    #[uniffi(default = None)]
    pub user: Option<String>,
    /// Its whole input; `/dev/null` by default.
    #[uniffi(default = None)]
    pub input_bytes: Option<Vec<u8>>,
    /// Keep its input open, for writing to it while it runs.
    #[uniffi(default = false)]
    pub stdin: bool,
    /// When its whole process tree is ended at the latest; never by default.
    #[uniffi(default = None)]
    pub timeout: Option<f64>,
    /// When it is stopped: TERM, this long, then KILL. KILL at once by default.
    #[uniffi(default = None)]
    pub grace: Option<f64>,
    /// Run it in a terminal; its output is one stream, stdout.
    #[uniffi(default = false)]
    pub pty: bool,
    /// Lines of the terminal; 24 by default.
    #[uniffi(default = None)]
    pub rows: Option<u16>,
    /// Characters of a line of the terminal; 80 by default.
    #[uniffi(default = None)]
    pub cols: Option<u16>,
    /// Send stderr where stdout goes, in the order of the writes.
    #[uniffi(default = false)]
    pub merge_stderr: bool,
    /// Bytes of each stream that the result keeps at most; 10 MiB by default. What is read as it comes is whole in any case.
    #[uniffi(default = None)]
    pub max_output: Option<u64>,
    /// Write everything to a file in the sandbox when more comes than is kept; the result names it.
    #[uniffi(default = false)]
    pub spill: bool,
    /// What is taken out of the output; nothing by default.
    #[uniffi(default = None)]
    pub sanitize: Option<Sanitize>,
    /// How long its end waits for descendants that hold its output open; 0.2 seconds by default.
    #[uniffi(default = None)]
    pub drain: Option<f64>,
    /// Let it go on when this process is gone, until the sandbox ends.
    #[uniffi(default = false)]
    pub detached: bool,
    /// The caller's name for it, in listings, events and errors. Must hold no secrets.
    #[uniffi(default = None)]
    pub label: Option<String>,
}
impl Given<api::SpawnOptions> for SpawnOptions {
    fn given(self, _: &str) -> api::Result<api::SpawnOptions> {
        Ok(api::SpawnOptions {
            env: self.env_bytes.given("env")?,
            cwd: self.cwd_bytes.given("cwd")?,
            user: self.user.given("user")?,
            input: self.input_bytes.given("input")?,
            stdin: self.stdin.given("stdin")?,
            timeout: self.timeout.given("timeout")?,
            grace: self.grace.given("grace")?,
            pty: self.pty.given("pty")?,
            rows: self.rows.given("rows")?,
            cols: self.cols.given("cols")?,
            merge_stderr: self.merge_stderr.given("merge_stderr")?,
            max_output: self.max_output.given("max_output")?,
            spill: self.spill.given("spill")?,
            sanitize: self.sanitize.given("sanitize")?,
            drain: self.drain.given("drain")?,
            detached: self.detached.given("detached")?,
            label: self.label.given("label")?,
        })
    }
}
/// How a command ended and what it wrote. A command that fails, is killed or runs into its timeout has a result like any other.
#[derive(Debug, uniffi::Record)]
pub struct ExecResult {
    /// The exit code; 128 and the number of the signal after a signal; -1 when neither is known.
    pub exit_code: i32,
    /// The signal that ended it.
    #[uniffi(default = None)]
    pub signal: Option<i32>,
    /// Whether it exited by itself, with 0.
    #[uniffi(default = false)]
    pub ok: bool,
    /// Whether it ran into its timeout.
    #[uniffi(default = false)]
    pub timed_out: bool,
    /// Whether the caller stopped it.
    #[uniffi(default = false)]
    pub cancelled: bool,
    /// Whether the memory limit killed something of it.
    #[uniffi(default = false)]
    pub oom_killed: bool,
    /// What ended it.
    pub termination: Termination,
    /// What it wrote to stdout, or to its terminal.
    pub stdout_bytes: Vec<u8>,
    /// What it wrote to stderr.
    pub stderr_bytes: Vec<u8>,
    /// Whether some of its output is not here.
    #[uniffi(default = false)]
    pub truncated: bool,
    /// What of its stdout is here.
    pub stdout_info: OutputStream,
    /// What of its stderr is here.
    pub stderr_info: OutputStream,
    /// How long it ran.
    pub duration: f64,
    /// Processor time of its whole process tree.
    #[uniffi(default = None)]
    pub cpu_time: Option<f64>,
    /// The most memory that its process tree used, in bytes.
    #[uniffi(default = None)]
    pub peak_memory: Option<u64>,
}
impl Shown<ExecResult> for api::ExecResult {
    fn shown(self) -> ExecResult {
        ExecResult {
            exit_code: self.exit_code.shown(),
            signal: self.signal.shown(),
            ok: self.ok.shown(),
            timed_out: self.timed_out.shown(),
            cancelled: self.cancelled.shown(),
            oom_killed: self.oom_killed.shown(),
            termination: self.termination.shown(),
            stdout_bytes: self.stdout.shown(),
            stderr_bytes: self.stderr.shown(),
            truncated: self.truncated.shown(),
            stdout_info: self.stdout_info.shown(),
            stderr_info: self.stderr_info.shown(),
            duration: self.duration.shown(),
            cpu_time: self.cpu_time.shown(),
            peak_memory: self.peak_memory.shown(),
        }
    }
}
/// What of an output was kept: `observed` is always `retained` and `omitted` together.
#[derive(Debug, uniffi::Record)]
pub struct OutputStream {
    /// Bytes that the command wrote.
    pub observed: u64,
    /// Bytes that are here.
    pub retained: u64,
    /// Bytes that are not.
    pub omitted: u64,
    /// Where in what is here the omitted ones were.
    pub omitted_at: u64,
    /// Bytes that a backend's transport lost before they were counted.
    pub lost: u64,
    /// The file in the sandbox that has everything.
    #[uniffi(default = None)]
    pub spill_bytes: Option<Vec<u8>>,
}
impl Shown<OutputStream> for api::OutputStream {
    fn shown(self) -> OutputStream {
        OutputStream {
            observed: self.observed.shown(),
            retained: self.retained.shown(),
            omitted: self.omitted.shown(),
            omitted_at: self.omitted_at.shown(),
            lost: self.lost.shown(),
            spill_bytes: self.spill.shown(),
        }
    }
}
/// The end of a command, without its output.
#[derive(Debug, uniffi::Record)]
pub struct Exit {
    /// The exit code; 128 and the number of the signal after a signal; -1 when neither is known.
    pub exit_code: i32,
    /// The signal that ended it.
    #[uniffi(default = None)]
    pub signal: Option<i32>,
    /// What ended it.
    pub termination: Termination,
    /// Whether the memory limit killed something of it.
    #[uniffi(default = false)]
    pub oom_killed: bool,
    /// How long it ran.
    pub duration: f64,
    /// Processor time of its whole process tree.
    #[uniffi(default = None)]
    pub cpu_time: Option<f64>,
    /// The most memory that its process tree used, in bytes.
    #[uniffi(default = None)]
    pub peak_memory: Option<u64>,
}
impl Shown<Exit> for api::Exit {
    fn shown(self) -> Exit {
        Exit {
            exit_code: self.exit_code.shown(),
            signal: self.signal.shown(),
            termination: self.termination.shown(),
            oom_killed: self.oom_killed.shown(),
            duration: self.duration.shown(),
            cpu_time: self.cpu_time.shown(),
            peak_memory: self.peak_memory.shown(),
        }
    }
}
/// What is known about a path.
#[derive(Debug, uniffi::Record)]
pub struct Metadata {
    /// What it is.
    pub kind: FileKind,
    /// Its bytes.
    pub size: u64,
    /// Its permission bits, when the provider knows.
    #[uniffi(default = None)]
    pub mode: Option<u32>,
    /// Its owner.
    #[uniffi(default = None)]
    pub uid: Option<u32>,
    /// Its group.
    #[uniffi(default = None)]
    pub gid: Option<u32>,
    /// When its contents changed.
    #[uniffi(default = None)]
    pub modified_at: Option<SystemTime>,
    /// The text of a link.
    #[uniffi(default = None)]
    pub link_target_bytes: Option<Vec<u8>>,
}
impl Shown<Metadata> for api::Metadata {
    fn shown(self) -> Metadata {
        Metadata {
            kind: self.kind.shown(),
            size: self.size.shown(),
            mode: self.mode.shown(),
            uid: self.uid.shown(),
            gid: self.gid.shown(),
            modified_at: self.modified_at.shown(),
            link_target_bytes: self.link_target.shown(),
        }
    }
}
/// One row of a directory listing.
#[derive(Debug, uniffi::Record)]
pub struct Entry {
    /// Its path relative to the directory that was listed.
    pub path_bytes: Vec<u8>,
    /// What it is.
    pub kind: FileKind,
    /// Its bytes.
    pub size: u64,
    /// Its permission bits, when the provider knows.
    #[uniffi(default = None)]
    pub mode: Option<u32>,
    /// Its owner.
    #[uniffi(default = None)]
    pub uid: Option<u32>,
    /// Its group.
    #[uniffi(default = None)]
    pub gid: Option<u32>,
    /// When its contents changed.
    #[uniffi(default = None)]
    pub modified_at: Option<SystemTime>,
    /// The text of a link.
    #[uniffi(default = None)]
    pub link_target_bytes: Option<Vec<u8>>,
}
impl Shown<Entry> for api::Entry {
    fn shown(self) -> Entry {
        Entry {
            path_bytes: self.path.shown(),
            kind: self.kind.shown(),
            size: self.size.shown(),
            mode: self.mode.shown(),
            uid: self.uid.shown(),
            gid: self.gid.shown(),
            modified_at: self.modified_at.shown(),
            link_target_bytes: self.link_target.shown(),
        }
    }
}
/// One change of a file.
#[derive(Debug, uniffi::Record)]
pub struct FileChange {
    /// What happened.
    pub kind: FileChangeKind,
    /// To what, relative to what is watched.
    pub path_bytes: Vec<u8>,
    /// Where it went, when it was renamed within what is watched.
    #[uniffi(default = None)]
    pub renamed_to_bytes: Option<Vec<u8>>,
}
impl Shown<FileChange> for api::FileChange {
    fn shown(self) -> FileChange {
        FileChange { kind: self.kind.shown(), path_bytes: self.path.shown(), renamed_to_bytes: self.renamed_to.shown() }
    }
}
/// What was copied.
#[derive(Debug, uniffi::Record)]
pub struct TransferReport {
    /// Regular files.
    pub files: u64,
    /// Directories.
    pub directories: u64,
    /// Links.
    pub links: u64,
    /// Bytes of contents.
    pub bytes: u64,
    /// Sockets, pipes, devices and refused links that were left out.
    pub skipped: u64,
}
impl Shown<TransferReport> for api::TransferReport {
    fn shown(self) -> TransferReport {
        TransferReport {
            files: self.files.shown(),
            directories: self.directories.shown(),
            links: self.links.shown(),
            bytes: self.bytes.shown(),
            skipped: self.skipped.shown(),
        }
    }
}
/// Which part of a file is read.
#[derive(uniffi::Record)]
pub struct ReadOptions {
    /// Bytes to skip.
    pub offset: u64,
    /// Bytes to read; to the end by default.
    #[uniffi(default = None)]
    pub length: Option<u64>,
    /// Bytes that are accepted at most, beyond which it fails with `limit_exceeded`; 64 MiB by default. A stream has no such limit.
    #[uniffi(default = None)]
    pub limit: Option<u64>,
}
impl Given<api::ReadOptions> for ReadOptions {
    fn given(self, _: &str) -> api::Result<api::ReadOptions> {
        Ok(api::ReadOptions {
            offset: self.offset.given("offset")?,
            length: self.length.given("length")?,
            limit: self.limit.given("limit")?,
        })
    }
}
/// How a file or directory is made.
#[derive(uniffi::Record)]
pub struct WriteOptions {
    /// Its permission bits, such as 0o755; those of a file that exists stay as they are by default, a new one has 0o644 and a directory
    /// 0o755.
    #[uniffi(default = None)]
    pub mode: Option<u32>,
    /// Its owner: a name, `uid`, `uid:gid` or `name:group`; by default the user that commands run as.
    #[uniffi(default = None)]
    pub owner: Option<String>,
    /// Fail where a directory on the way is missing; by default it is made.
    #[uniffi(default = false)]
    pub no_parents: bool,
    /// Fail with `already_exists` where something is.
    #[uniffi(default = false)]
    pub exclusive: bool,
    /// Write beside it and rename, so that readers see the old or the new file and nothing between.
    #[uniffi(default = false)]
    pub atomic: bool,
}
impl Given<api::WriteOptions> for WriteOptions {
    fn given(self, _: &str) -> api::Result<api::WriteOptions> {
        Ok(api::WriteOptions {
            mode: self.mode.given("mode")?,
            owner: self.owner.given("owner")?,
            no_parents: self.no_parents.given("no_parents")?,
            exclusive: self.exclusive.given("exclusive")?,
            atomic: self.atomic.given("atomic")?,
        })
    }
}
/// How a directory is listed.
#[derive(uniffi::Record)]
pub struct ListDirectoryOptions {
    /// How many levels deep; 1, its direct children, by default.
    #[uniffi(default = None)]
    pub depth: Option<u32>,
}
impl Given<api::ListDirectoryOptions> for ListDirectoryOptions {
    fn given(self, _: &str) -> api::Result<api::ListDirectoryOptions> {
        Ok(api::ListDirectoryOptions { depth: self.depth.given("depth")? })
    }
}
/// How changes are watched.
#[derive(uniffi::Record)]
pub struct WatchOptions {
    /// Also below directories.
    #[uniffi(default = false)]
    pub recursive: bool,
}
impl Given<api::WatchOptions> for WatchOptions {
    fn given(self, _: &str) -> api::Result<api::WatchOptions> {
        Ok(api::WatchOptions { recursive: self.recursive.given("recursive")? })
    }
}
/// How files are copied into a sandbox.
#[derive(uniffi::Record)]
pub struct UploadOptions {
    /// Who owns everything there; by default the user that commands run as.
    #[uniffi(default = None)]
    pub owner: Option<String>,
    /// Permission bits of files instead of those they have.
    #[uniffi(default = None)]
    pub file_mode: Option<u32>,
    /// Permission bits of directories instead of those they have.
    #[uniffi(default = None)]
    pub directory_mode: Option<u32>,
    /// Names, or paths with `*` and `**` relative to the source, that are left out.
    #[uniffi(default)]
    pub exclude: Vec<String>,
    /// Files, directories and links at most; a million by default.
    #[uniffi(default = None)]
    pub max_entries: Option<u64>,
    /// Bytes at most; 64 GiB by default.
    #[uniffi(default = None)]
    pub max_bytes: Option<u64>,
}
impl Given<api::UploadOptions> for UploadOptions {
    fn given(self, _: &str) -> api::Result<api::UploadOptions> {
        Ok(api::UploadOptions {
            owner: self.owner.given("owner")?,
            file_mode: self.file_mode.given("file_mode")?,
            directory_mode: self.directory_mode.given("directory_mode")?,
            exclude: self.exclude.given("exclude")?,
            max_entries: self.max_entries.given("max_entries")?,
            max_bytes: self.max_bytes.given("max_bytes")?,
        })
    }
}
/// How files are copied out of a sandbox.
#[derive(uniffi::Record)]
pub struct DownloadOptions {
    /// Fail with `already_exists` where something is; by default files are replaced.
    #[uniffi(default = false)]
    pub keep_existing: bool,
    /// Names, or paths with `*` and `**` relative to the source, that are left out.
    #[uniffi(default)]
    pub exclude: Vec<String>,
    /// Copy links that point out of the tree as they are; by default they are left out and counted.
    #[uniffi(default = false)]
    pub keep_escaping_links: bool,
    /// Files, directories and links at most; a million by default.
    #[uniffi(default = None)]
    pub max_entries: Option<u64>,
    /// Bytes at most; 64 GiB by default.
    #[uniffi(default = None)]
    pub max_bytes: Option<u64>,
}
impl Given<api::DownloadOptions> for DownloadOptions {
    fn given(self, _: &str) -> api::Result<api::DownloadOptions> {
        Ok(api::DownloadOptions {
            keep_existing: self.keep_existing.given("keep_existing")?,
            exclude: self.exclude.given("exclude")?,
            keep_escaping_links: self.keep_escaping_links.given("keep_escaping_links")?,
            max_entries: self.max_entries.given("max_entries")?,
            max_bytes: self.max_bytes.given("max_bytes")?,
        })
    }
}
/// Who asks a remote, and how often. Without credentials those that the repository keeps are used.
#[derive(uniffi::Record)]
pub struct RemoteOptions {
    /// The name of the remote; that of the branch, or `origin`, by default.
    #[uniffi(default = None)]
    pub remote: Option<String>,
    /// The branch; the current one by default.
    #[uniffi(default = None)]
    pub branch: Option<String>,
    /// Let the branch follow that of the remote from now on.
    #[uniffi(default = false)]
    pub set_upstream: bool,
    /// The user, for this call alone.
    #[uniffi(default = None)]
    pub username: Option<String>,
    /// The password or token, for this call alone.
    #[uniffi(default = None)]
    pub password: Option<String>,
    /// How often it is tried when the remote cannot be reached; once by default.
    #[uniffi(default = None)]
    pub attempts: Option<u32>,
    /// How long is waited between two attempts.
    #[uniffi(default = None)]
    pub wait: Option<f64>,
}
impl Given<api::RemoteOptions> for RemoteOptions {
    fn given(self, _: &str) -> api::Result<api::RemoteOptions> {
        Ok(api::RemoteOptions {
            remote: self.remote.given("remote")?,
            branch: self.branch.given("branch")?,
            set_upstream: self.set_upstream.given("set_upstream")?,
            username: self.username.given("username")?,
            password: self.password.given("password")?,
            attempts: self.attempts.given("attempts")?,
            wait: self.wait.given("wait")?,
        })
    }
}
/// What of a repository is cloned.
#[derive(uniffi::Record)]
pub struct CloneOptions {
    /// The branch; the remote's own choice by default.
    #[uniffi(default = None)]
    pub branch: Option<String>,
    /// The commit that is checked out.
    #[uniffi(default = None)]
    pub commit: Option<String>,
    /// The tag that is checked out.
    #[uniffi(default = None)]
    pub tag: Option<String>,
    /// How many commits of the past; all by default.
    #[uniffi(default = None)]
    pub depth: Option<u32>,
    /// The user, for this call alone.
    #[uniffi(default = None)]
    pub username: Option<String>,
    /// The password or token, for this call alone.
    #[uniffi(default = None)]
    pub password: Option<String>,
    /// How often it is tried when the remote cannot be reached; once by default.
    #[uniffi(default = None)]
    pub attempts: Option<u32>,
    /// How long is waited between two attempts.
    #[uniffi(default = None)]
    pub wait: Option<f64>,
}
impl Given<api::CloneOptions> for CloneOptions {
    fn given(self, _: &str) -> api::Result<api::CloneOptions> {
        Ok(api::CloneOptions {
            branch: self.branch.given("branch")?,
            commit: self.commit.given("commit")?,
            tag: self.tag.given("tag")?,
            depth: self.depth.given("depth")?,
            username: self.username.given("username")?,
            password: self.password.given("password")?,
            attempts: self.attempts.given("attempts")?,
            wait: self.wait.given("wait")?,
        })
    }
}
/// How a commit is made.
#[derive(uniffi::Record)]
pub struct CommitOptions {
    /// The name of its author; what git is configured with by default.
    #[uniffi(default = None)]
    pub author: Option<String>,
    /// The address of its author.
    #[uniffi(default = None)]
    pub email: Option<String>,
    /// Make it also when nothing is changed.
    #[uniffi(default = false)]
    pub allow_empty: bool,
}
impl Given<api::CommitOptions> for CommitOptions {
    fn given(self, _: &str) -> api::Result<api::CommitOptions> {
        Ok(api::CommitOptions {
            author: self.author.given("author")?,
            email: self.email.given("email")?,
            allow_empty: self.allow_empty.given("allow_empty")?,
        })
    }
}
/// A path that is not as in the last commit.
#[derive(Debug, uniffi::Record)]
pub struct GitStatusEntry {
    /// Which.
    pub path_bytes: Vec<u8>,
    /// Git's letter for what is prepared for the next commit.
    pub index: String,
    /// Git's letter for what is not.
    pub worktree: String,
    /// What it was called before.
    #[uniffi(default = None)]
    pub previous_bytes: Option<Vec<u8>>,
}
impl Shown<GitStatusEntry> for api::GitStatusEntry {
    fn shown(self) -> GitStatusEntry {
        GitStatusEntry {
            path_bytes: self.path.shown(),
            index: self.index.shown(),
            worktree: self.worktree.shown(),
            previous_bytes: self.previous.shown(),
        }
    }
}
/// What a repository is like.
#[derive(Debug, uniffi::Record)]
pub struct GitStatus {
    /// The branch; none when a commit is checked out by itself.
    #[uniffi(default = None)]
    pub branch: Option<String>,
    /// The commit; none before the first.
    #[uniffi(default = None)]
    pub head: Option<String>,
    /// The branch of a remote that it follows.
    #[uniffi(default = None)]
    pub upstream: Option<String>,
    /// Commits that the upstream does not have.
    pub ahead: u64,
    /// Commits that it has and this does not.
    pub behind: u64,
    /// What is not as in the last commit.
    #[uniffi(default)]
    pub entries: Vec<GitStatusEntry>,
}
impl Shown<GitStatus> for api::GitStatus {
    fn shown(self) -> GitStatus {
        GitStatus {
            branch: self.branch.shown(),
            head: self.head.shown(),
            upstream: self.upstream.shown(),
            ahead: self.ahead.shown(),
            behind: self.behind.shown(),
            entries: self.entries.shown(),
        }
    }
}
/// A branch.
#[derive(Debug, uniffi::Record)]
pub struct GitBranch {
    /// Its name.
    pub name: String,
    /// Its last commit.
    pub head: String,
    /// Whether it is checked out.
    #[uniffi(default = false)]
    pub current: bool,
    /// Whether it is a remote's.
    #[uniffi(default = false)]
    pub remote: bool,
}
impl Shown<GitBranch> for api::GitBranch {
    fn shown(self) -> GitBranch {
        GitBranch {
            name: self.name.shown(),
            head: self.head.shown(),
            current: self.current.shown(),
            remote: self.remote.shown(),
        }
    }
}
/// A commit.
#[derive(Debug, uniffi::Record)]
pub struct GitCommit {
    /// Its id.
    pub id: String,
    /// The ids of those before it.
    #[uniffi(default)]
    pub parents: Vec<String>,
    /// The name of its author.
    pub author: String,
    /// The address of its author.
    pub email: String,
    /// When, as RFC 3339 has it.
    pub date: String,
    /// What it says.
    pub message: String,
}
impl Shown<GitCommit> for api::GitCommit {
    fn shown(self) -> GitCommit {
        GitCommit {
            id: self.id.shown(),
            parents: self.parents.shown(),
            author: self.author.shown(),
            email: self.email.shown(),
            date: self.date.shown(),
            message: self.message.shown(),
        }
    }
}
/// What differs between two revisions.
#[derive(Debug, uniffi::Record)]
pub struct GitChange {
    /// Which path.
    pub path_bytes: Vec<u8>,
    /// What it was called before.
    #[uniffi(default = None)]
    pub previous_bytes: Option<Vec<u8>>,
    /// Git's letter for it.
    pub status: String,
    /// Lines added, where they can be counted.
    #[uniffi(default = None)]
    pub added: Option<u64>,
    /// Lines removed, where they can be counted.
    #[uniffi(default = None)]
    pub removed: Option<u64>,
}
impl Shown<GitChange> for api::GitChange {
    fn shown(self) -> GitChange {
        GitChange {
            path_bytes: self.path.shown(),
            previous_bytes: self.previous.shown(),
            status: self.status.shown(),
            added: self.added.shown(),
            removed: self.removed.shown(),
        }
    }
}
/// An image.
#[derive(Debug, uniffi::Record)]
pub struct ImageInfo {
    /// Its name.
    pub reference: String,
    /// Its id.
    #[uniffi(default = None)]
    pub id: Option<String>,
    /// Its digest.
    #[uniffi(default = None)]
    pub digest: Option<String>,
    /// Its platform.
    #[uniffi(default = None)]
    pub platform: Option<String>,
    /// Its bytes.
    #[uniffi(default = None)]
    pub size: Option<u64>,
    /// When it was fetched.
    #[uniffi(default = None)]
    pub fetched_at: Option<SystemTime>,
}
impl Shown<ImageInfo> for api::ImageInfo {
    fn shown(self) -> ImageInfo {
        ImageInfo {
            reference: self.reference.shown(),
            id: self.id.shown(),
            digest: self.digest.shown(),
            platform: self.platform.shown(),
            size: self.size.shown(),
            fetched_at: self.fetched_at.shown(),
        }
    }
}
/// What was removed, and what is left.
#[derive(Debug, uniffi::Record)]
pub struct PrunedImages {
    /// The names of the images that are gone.
    #[uniffi(default)]
    pub images: Vec<String>,
    /// Bytes that are free now.
    pub freed: u64,
    /// Bytes that are left.
    pub left: u64,
}
impl Shown<PrunedImages> for api::PrunedImages {
    fn shown(self) -> PrunedImages {
        PrunedImages { images: self.images.shown(), freed: self.freed.shown(), left: self.left.shown() }
    }
}
/// How an image is fetched.
#[derive(uniffi::Record)]
pub struct PullOptions {
    /// When it is fetched; when it is missing by default.
    #[uniffi(default = None)]
    pub pull: Option<PullPolicy>,
    /// Its platform, such as `linux/arm64`; this machine's by default.
    #[uniffi(default = None)]
    pub platform: Option<String>,
    /// The credential for its registry.
    #[uniffi(default = None)]
    pub auth: Option<RegistryAuth>,
}
impl Given<api::PullOptions> for PullOptions {
    fn given(self, _: &str) -> api::Result<api::PullOptions> {
        Ok(api::PullOptions {
            pull: self.pull.given("pull")?,
            platform: self.platform.given("platform")?,
            auth: self.auth.given("auth")?,
        })
    }
}
/// Where the library is opened.
#[derive(uniffi::Record)]
pub struct OpenOptions {
    /// The directory of its books and files; by default that which `ISOBOX_HOME` names, or one of this user's.
    #[uniffi(default = None)]
    pub home_bytes: Option<Vec<u8>>,
    /// The provider of sandboxes that name none; the first isolating one that works here by default.
    #[uniffi(default = None)]
    pub default_provider: Option<String>,
}
impl Given<api::OpenOptions> for OpenOptions {
    fn given(self, _: &str) -> api::Result<api::OpenOptions> {
        Ok(api::OpenOptions {
            home: self.home_bytes.given("home")?,
            default_provider: self.default_provider.given("default_provider")?,
        })
    }
}
/// Which sandboxes are listed.
#[derive(uniffi::Record)]
pub struct ListOptions {
    /// Labels that all must match.
    #[uniffi(default)]
    pub labels: HashMap<String, String>,
    /// States of which one must match; all but `deleted` by default.
    #[uniffi(default)]
    pub states: Vec<SandboxState>,
    /// The provider.
    #[uniffi(default = None)]
    pub provider: Option<String>,
    /// Those too that are deleted, as far as they are remembered.
    #[uniffi(default = false)]
    pub deleted: bool,
}
impl Given<api::ListOptions> for ListOptions {
    fn given(self, _: &str) -> api::Result<api::ListOptions> {
        Ok(api::ListOptions {
            labels: self.labels.given("labels")?,
            states: self.states.given("states")?,
            provider: self.provider.given("provider")?,
            deleted: self.deleted.given("deleted")?,
        })
    }
}
/// What is written down about a sandbox.
#[derive(Debug, uniffi::Record)]
pub struct SandboxInfo {
    /// Its id.
    pub id: String,
    /// Its name.
    #[uniffi(default = None)]
    pub name: Option<String>,
    /// The provider that made it.
    pub provider: String,
    /// What it is doing.
    pub state: SandboxState,
    /// Since when.
    pub state_since: SystemTime,
    /// Its labels.
    #[uniffi(default)]
    pub labels: HashMap<String, String>,
    /// The image that it was made from.
    #[uniffi(default = None)]
    pub image: Option<String>,
    /// Whether it lives on without the process that made it.
    #[uniffi(default = false)]
    pub detached: bool,
    /// When its time to live ends.
    #[uniffi(default = None)]
    pub expires_at: Option<SystemTime>,
    /// Why it is in error.
    #[uniffi(default = None)]
    pub error: Option<Report>,
    /// The pool that keeps it ready.
    #[uniffi(default = None)]
    pub pool: Option<String>,
    /// When it was begun.
    pub created_at: SystemTime,
    /// When it was deleted or found gone.
    #[uniffi(default = None)]
    pub ended_at: Option<SystemTime>,
}
impl Shown<SandboxInfo> for api::SandboxInfo {
    fn shown(self) -> SandboxInfo {
        SandboxInfo {
            id: self.id.shown(),
            name: self.name.shown(),
            provider: self.provider.shown(),
            state: self.state.shown(),
            state_since: self.state_since.shown(),
            labels: self.labels.shown(),
            image: self.image.shown(),
            detached: self.detached.shown(),
            expires_at: self.expires_at.shown(),
            error: self.error.shown(),
            pool: self.pool.shown(),
            created_at: self.created_at.shown(),
            ended_at: self.ended_at.shown(),
        }
    }
}
/// What a provider is.
#[derive(Debug, uniffi::Record)]
pub struct ProviderInfo {
    /// Its kind, by which it is named.
    pub kind: String,
    /// Whether it works here.
    #[uniffi(default = false)]
    pub works: bool,
    /// What separates its sandboxes from the machine.
    #[uniffi(default = None)]
    pub isolation: Option<Isolation>,
    /// What it can do, by dotted names.
    #[uniffi(default)]
    pub capabilities: Vec<String>,
    /// Why it does not work.
    #[uniffi(default = None)]
    pub problem: Option<String>,
}
impl Shown<ProviderInfo> for api::ProviderInfo {
    fn shown(self) -> ProviderInfo {
        ProviderInfo {
            kind: self.kind.shown(),
            works: self.works.shown(),
            isolation: self.isolation.shown(),
            capabilities: self.capabilities.shown(),
            problem: self.problem.shown(),
        }
    }
}
/// Something that nobody needs.
#[derive(Debug, uniffi::Record)]
pub struct Garbage {
    /// What it is, such as `sandbox` or `volume`.
    pub kind: String,
    /// Its id.
    pub id: String,
    /// Its name.
    #[uniffi(default = None)]
    pub name: Option<String>,
    /// The provider that has it.
    #[uniffi(default = None)]
    pub provider: Option<String>,
    /// Why nobody needs it.
    pub reason: String,
}
impl Shown<Garbage> for api::Garbage {
    fn shown(self) -> Garbage {
        Garbage {
            kind: self.kind.shown(),
            id: self.id.shown(),
            name: self.name.shown(),
            provider: self.provider.shown(),
            reason: self.reason.shown(),
        }
    }
}
/// What may be at once on this machine, whatever process makes it.
#[derive(Debug, uniffi::Record)]
pub struct Limits {
    /// Sandboxes that are made at once.
    pub concurrent_creates: u64,
    /// Sandboxes that live at once; no limit when left out.
    #[uniffi(default = None)]
    pub live_sandboxes: Option<u64>,
    /// Creations that wait at most; more are refused as `overloaded`.
    pub queue_length: u64,
    /// How long one waits at most.
    pub queue_wait: f64,
}
impl Shown<Limits> for api::Limits {
    fn shown(self) -> Limits {
        Limits {
            concurrent_creates: self.concurrent_creates.shown(),
            live_sandboxes: self.live_sandboxes.shown(),
            queue_length: self.queue_length.shown(),
            queue_wait: self.queue_wait.shown(),
        }
    }
}
/// New limits of this machine. What is left out stays as it is.
#[derive(uniffi::Record)]
pub struct LimitsOptions {
    /// Sandboxes that are made at once.
    #[uniffi(default = None)]
    pub concurrent_creates: Option<u64>,
    /// Sandboxes that live at once.
    #[uniffi(default = None)]
    pub live_sandboxes: Option<u64>,
    /// Let any number live at once.
    #[uniffi(default = false)]
    pub unlimited_live_sandboxes: bool,
    /// Creations that wait at most.
    #[uniffi(default = None)]
    pub queue_length: Option<u64>,
    /// How long one waits at most.
    #[uniffi(default = None)]
    pub queue_wait: Option<f64>,
}
impl Given<api::LimitsOptions> for LimitsOptions {
    fn given(self, _: &str) -> api::Result<api::LimitsOptions> {
        Ok(api::LimitsOptions {
            concurrent_creates: self.concurrent_creates.given("concurrent_creates")?,
            live_sandboxes: self.live_sandboxes.given("live_sandboxes")?,
            unlimited_live_sandboxes: self.unlimited_live_sandboxes.given("unlimited_live_sandboxes")?,
            queue_length: self.queue_length.given("queue_length")?,
            queue_wait: self.queue_wait.given("queue_wait")?,
        })
    }
}
/// A creation that is under way or waits.
#[derive(Debug, uniffi::Record)]
pub struct QueueEntry {
    /// The sandbox that it makes.
    pub sandbox: String,
    /// The name of that.
    #[uniffi(default = None)]
    pub name: Option<String>,
    /// The provider that makes it.
    pub provider: String,
    /// The process that asked for it.
    #[uniffi(default = None)]
    pub pid: Option<u32>,
    /// The program of that process.
    #[uniffi(default = None)]
    pub program: Option<String>,
    /// Since when.
    pub since: SystemTime,
    /// How many are before it; none once it is being made.
    #[uniffi(default = None)]
    pub position: Option<u64>,
}
impl Shown<QueueEntry> for api::QueueEntry {
    fn shown(self) -> QueueEntry {
        QueueEntry {
            sandbox: self.sandbox.shown(),
            name: self.name.shown(),
            provider: self.provider.shown(),
            pid: self.pid.shown(),
            program: self.program.shown(),
            since: self.since.shown(),
            position: self.position.shown(),
        }
    }
}
/// What is made at once on this machine, and who waits.
#[derive(Debug, uniffi::Record)]
pub struct Queue {
    /// What may be at once.
    pub limits: Limits,
    /// How many sandboxes live.
    pub live: u64,
    /// What is being made.
    #[uniffi(default)]
    pub making: Vec<QueueEntry>,
    /// What waits, the next first.
    #[uniffi(default)]
    pub waiting: Vec<QueueEntry>,
}
impl Shown<Queue> for api::Queue {
    fn shown(self) -> Queue {
        Queue {
            limits: self.limits.shown(),
            live: self.live.shown(),
            making: self.making.shown(),
            waiting: self.waiting.shown(),
        }
    }
}
/// What one kind of thing takes of the disk.
#[derive(Debug, uniffi::Record)]
pub struct KindUsage {
    /// Which: `sandboxes`, `images`, `snapshots`, `volumes`, `database` or `other`.
    pub kind: String,
    /// How many there are.
    pub count: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Bytes that can be had back.
    pub reclaimable: u64,
}
impl Shown<KindUsage> for api::KindUsage {
    fn shown(self) -> KindUsage {
        KindUsage {
            kind: self.kind.shown(),
            count: self.count.shown(),
            bytes: self.bytes.shown(),
            reclaimable: self.reclaimable.shown(),
        }
    }
}
/// Where a port of a sandbox can be reached from this machine.
#[derive(Debug, uniffi::Record)]
pub struct Endpoint {
    /// The host, a name or an address.
    pub host: String,
    /// The port.
    pub port: u16,
    /// A URL with both.
    pub url: String,
}
impl Shown<Endpoint> for api::Endpoint {
    fn shown(self) -> Endpoint {
        Endpoint { host: self.host.shown(), port: self.port.shown(), url: self.url.shown() }
    }
}
/// A port that something in a sandbox listens on.
#[derive(Debug, uniffi::Record)]
pub struct ListeningPort {
    /// The port.
    pub port: u16,
    /// The address it is bound to.
    pub address: String,
    /// The process that listens.
    #[uniffi(default = None)]
    pub pid: Option<u32>,
    /// The name of its program.
    #[uniffi(default = None)]
    pub process: Option<String>,
}
impl Shown<ListeningPort> for api::ListeningPort {
    fn shown(self) -> ListeningPort {
        ListeningPort {
            port: self.port.shown(),
            address: self.address.shown(),
            pid: self.pid.shown(),
            process: self.process.shown(),
        }
    }
}
/// A credential for a registry.
#[derive(uniffi::Record)]
pub struct RegistryAuth {
    /// The user.
    pub username: String,
    /// The password or token.
    pub password: String,
    /// The registry's host; that of the image by default.
    #[uniffi(default = None)]
    pub server: Option<String>,
}
impl Given<api::RegistryAuth> for RegistryAuth {
    fn given(self, _: &str) -> api::Result<api::RegistryAuth> {
        Ok(api::RegistryAuth {
            username: self.username.given("username")?,
            password: self.password.given("password")?,
            server: self.server.given("server")?,
        })
    }
}
/// A volume in a sandbox.
#[derive(uniffi::Record)]
pub struct VolumeMount {
    /// Its name or id.
    pub volume: String,
    /// Where in the sandbox, absolute.
    pub target_bytes: Vec<u8>,
    /// Which part of it, relative; all by default.
    #[uniffi(default = None)]
    pub subpath_bytes: Option<Vec<u8>>,
    /// Whether nothing can be written.
    #[uniffi(default = false)]
    pub read_only: bool,
}
impl Given<api::VolumeMount> for VolumeMount {
    fn given(self, _: &str) -> api::Result<api::VolumeMount> {
        Ok(api::VolumeMount {
            volume: self.volume.given("volume")?,
            target: self.target_bytes.given("target")?,
            subpath: self.subpath_bytes.given("subpath")?,
            read_only: self.read_only.given("read_only")?,
        })
    }
}
/// A secret for a sandbox. No text form of it shows the value.
#[derive(uniffi::Record)]
pub struct Secret {
    /// The environment variable that holds the placeholder, the value, or the path of the file.
    pub env: String,
    /// The value.
    pub value: String,
    /// How it gets there.
    pub delivery: SecretDelivery,
}
impl Given<api::Secret> for Secret {
    fn given(self, _: &str) -> api::Result<api::Secret> {
        Ok(api::Secret {
            env: self.env.given("env")?,
            value: self.value.given("value")?,
            delivery: self.delivery.given("delivery")?,
        })
    }
}
/// What only the namespace provider knows.
#[derive(uniffi::Record)]
pub struct NamespaceOptions {
    /// The host name inside.
    #[uniffi(default = None)]
    pub hostname: Option<String>,
    /// The size of `/dev/shm`.
    #[uniffi(default = None)]
    pub shm_size: Option<Size>,
    /// Make the root filesystem read-only.
    #[uniffi(default = false)]
    pub read_only_root: bool,
    /// Let processes make user namespaces, as a browser's or a container engine's own sandbox needs.
    #[uniffi(default = false)]
    pub nested_user_namespaces: bool,
    /// Which users there can be beside its root.
    #[uniffi(default = None)]
    pub users: Option<NamespaceUsers>,
    /// What the limit of disk is enforced by; a quota by default.
    #[uniffi(default = None)]
    pub disk_backing: Option<DiskBacking>,
}
impl Given<api::NamespaceOptions> for NamespaceOptions {
    fn given(self, _: &str) -> api::Result<api::NamespaceOptions> {
        Ok(api::NamespaceOptions {
            hostname: self.hostname.given("hostname")?,
            shm_size: self.shm_size.given("shm_size")?,
            read_only_root: self.read_only_root.given("read_only_root")?,
            nested_user_namespaces: self.nested_user_namespaces.given("nested_user_namespaces")?,
            users: self.users.given("users")?,
            disk_backing: self.disk_backing.given("disk_backing")?,
        })
    }
}
/// What only the host provider knows.
#[derive(uniffi::Record)]
pub struct HostOptions {
    /// Variables of this process that commands get beside the safe ones.
    #[uniffi(default)]
    pub inherit_env: Vec<String>,
}
impl Given<api::HostOptions> for HostOptions {
    fn given(self, _: &str) -> api::Result<api::HostOptions> {
        Ok(api::HostOptions { inherit_env: self.inherit_env.given("inherit_env")? })
    }
}
/// What only the Docker provider knows.
#[derive(uniffi::Record)]
pub struct DockerOptions {
    /// The runtime, such as `runsc` or `kata`.
    #[uniffi(default = None)]
    pub runtime: Option<String>,
    /// All privileges. Ends all isolation.
    #[uniffi(default = false)]
    pub privileged: bool,
    /// The machine's own network.
    #[uniffi(default = false)]
    pub host_network: bool,
    /// A network that exists.
    #[uniffi(default = None)]
    pub network: Option<String>,
    /// Names and addresses for `/etc/hosts`.
    #[uniffi(default)]
    pub extra_hosts: HashMap<String, String>,
    /// The addresses of name servers.
    #[uniffi(default)]
    pub dns: Vec<String>,
    /// Capabilities to add.
    #[uniffi(default)]
    pub cap_add: Vec<String>,
    /// Capabilities to drop.
    #[uniffi(default)]
    pub cap_drop: Vec<String>,
    /// Security options.
    #[uniffi(default)]
    pub security_opt: Vec<String>,
    /// The size of `/dev/shm`.
    #[uniffi(default = None)]
    pub shm_size: Option<Size>,
    /// Limits as `name=soft:hard`.
    #[uniffi(default)]
    pub ulimits: Vec<String>,
    /// Devices as `host[:container[:rwm]]`.
    #[uniffi(default)]
    pub devices: Vec<String>,
    /// Kernel parameters.
    #[uniffi(default)]
    pub sysctls: HashMap<String, String>,
    /// The host name inside.
    #[uniffi(default = None)]
    pub hostname: Option<String>,
    /// The working directory is a volume of the sandbox's own.
    #[uniffi(default = false)]
    pub workspace_volume: bool,
    /// Containers beside it.
    #[uniffi(default)]
    pub sidecars: Vec<Sidecar>,
}
impl Given<api::DockerOptions> for DockerOptions {
    fn given(self, _: &str) -> api::Result<api::DockerOptions> {
        Ok(api::DockerOptions {
            runtime: self.runtime.given("runtime")?,
            privileged: self.privileged.given("privileged")?,
            host_network: self.host_network.given("host_network")?,
            network: self.network.given("network")?,
            extra_hosts: self.extra_hosts.given("extra_hosts")?,
            dns: self.dns.given("dns")?,
            cap_add: self.cap_add.given("cap_add")?,
            cap_drop: self.cap_drop.given("cap_drop")?,
            security_opt: self.security_opt.given("security_opt")?,
            shm_size: self.shm_size.given("shm_size")?,
            ulimits: self.ulimits.given("ulimits")?,
            devices: self.devices.given("devices")?,
            sysctls: self.sysctls.given("sysctls")?,
            hostname: self.hostname.given("hostname")?,
            workspace_volume: self.workspace_volume.given("workspace_volume")?,
            sidecars: self.sidecars.given("sidecars")?,
        })
    }
}
/// A container beside a sandbox, reachable from it by its name.
#[derive(uniffi::Record)]
pub struct Sidecar {
    /// Its name, and its host name for the sandbox.
    pub name: String,
    /// Its image.
    pub image: String,
    /// The credential for its registry.
    #[uniffi(default = None)]
    pub auth: Option<RegistryAuth>,
    /// Its environment.
    #[uniffi(default)]
    pub env: HashMap<String, String>,
    /// Its program; that of the image by default.
    #[uniffi(default)]
    pub entrypoint: Vec<String>,
    /// Its arguments; those of the image by default.
    #[uniffi(default)]
    pub command: Vec<String>,
    /// Its user.
    #[uniffi(default = None)]
    pub user: Option<String>,
    /// When it counts as ready; at once by default.
    #[uniffi(default = None)]
    pub health: Option<SidecarHealth>,
}
impl Given<api::Sidecar> for Sidecar {
    fn given(self, _: &str) -> api::Result<api::Sidecar> {
        Ok(api::Sidecar {
            name: self.name.given("name")?,
            image: self.image.given("image")?,
            auth: self.auth.given("auth")?,
            env: self.env.given("env")?,
            entrypoint: self.entrypoint.given("entrypoint")?,
            command: self.command.given("command")?,
            user: self.user.given("user")?,
            health: self.health.given("health")?,
        })
    }
}
/// When a sidecar counts as ready; the meaning of the fields is Docker's.
#[derive(uniffi::Record)]
pub struct SidecarHealth {
    /// The command that succeeds then.
    #[uniffi(default)]
    pub command: Vec<String>,
    /// How often it is run.
    #[uniffi(default = None)]
    pub interval: Option<f64>,
    /// How long it may take.
    #[uniffi(default = None)]
    pub timeout: Option<f64>,
    /// How often it may fail.
    #[uniffi(default = None)]
    pub retries: Option<u32>,
    /// How long failures do not count.
    #[uniffi(default = None)]
    pub start_period: Option<f64>,
}
impl Given<api::SidecarHealth> for SidecarHealth {
    fn given(self, _: &str) -> api::Result<api::SidecarHealth> {
        Ok(api::SidecarHealth {
            command: self.command.given("command")?,
            interval: self.interval.given("interval")?,
            timeout: self.timeout.given("timeout")?,
            retries: self.retries.given("retries")?,
            start_period: self.start_period.given("start_period")?,
        })
    }
}
/// What a sandbox is made from and like. It is made from one of `image`, `archive`, `rootfs`, `snapshot` and `workspace`; from the
/// machine's own programs, read-only, by default.
#[derive(uniffi::Record)]
pub struct CreateOptions {
    /// Which provider makes it, such as `namespace`, `docker` or `host`; the first isolating one that works here by default.
    #[uniffi(default = None)]
    pub provider: Option<String>,
    /// A name, unique among live sandboxes.
    #[uniffi(default = None)]
    pub name: Option<String>,
    /// An image, such as `debian:12`.
    #[uniffi(default = None)]
    pub image: Option<String>,
    /// When the image is fetched; when it is missing by default.
    #[uniffi(default = None)]
    pub pull: Option<PullPolicy>,
    /// The platform of the image, such as `linux/arm64`; this machine's by default.
    #[uniffi(default = None)]
    pub platform: Option<String>,
    /// The credential for the image's registry.
    #[uniffi(default = None)]
    pub auth: Option<RegistryAuth>,
    /// An archive or layout folder of this machine with an image, as `docker save` and OCI tools write them.
    #[uniffi(default = None)]
    pub archive_bytes: Option<Vec<u8>>,
    /// A directory of this machine as the root filesystem, which is never written to.
    #[uniffi(default = None)]
    pub rootfs_bytes: Option<Vec<u8>>,
    /// A snapshot, by its name or id.
    #[uniffi(default = None)]
    pub snapshot: Option<String>,
    /// A directory of this machine as the workspace, which it may change and which is never removed.
    #[uniffi(default = None)]
    pub workspace_bytes: Option<Vec<u8>>,
    /// Variables for every command.
    #[uniffi(default)]
    pub env: HashMap<String, String>,
    /// Labels, by which it is listed.
    #[uniffi(default)]
    pub labels: HashMap<String, String>,
    /// The user that commands run as: a name, `uid`, `uid:gid` or `name:group`; that of the image by default.
    #[uniffi(default = None)]
    pub user: Option<String>,
    /// The working directory, absolute; that of the image by default.
    #[uniffi(default = None)]
    pub workdir_bytes: Option<Vec<u8>>,
    /// Processors; fractions are fine.
    #[uniffi(default = None)]
    pub cpus: Option<f64>,
    /// Memory.
    #[uniffi(default = None)]
    pub memory: Option<Size>,
    /// Disk.
    #[uniffi(default = None)]
    pub disk: Option<Size>,
    /// Processes and threads.
    #[uniffi(default = None)]
    pub pids: Option<u64>,
    /// GPUs.
    #[uniffi(default = None)]
    pub gpus: Option<u32>,
    /// What is mounted.
    #[uniffi(default)]
    pub mounts: Vec<Mount>,
    /// Volumes.
    #[uniffi(default)]
    pub volumes: Vec<VolumeMount>,
    /// Secrets.
    #[uniffi(default)]
    pub secrets: Vec<Secret>,
    /// Ports that will be asked for.
    #[uniffi(default)]
    pub ports: Vec<u16>,
    /// What it may reach; nothing by default.
    #[uniffi(default = None)]
    pub network: Option<NetworkPolicy>,
    /// How long it exists, whatever it does; for ever by default, and a day when it is detached.
    #[uniffi(default = None)]
    pub ttl: Option<Lifetime>,
    /// How long it exists without use: a running command, a transfer, or a connection to a port.
    #[uniffi(default = None)]
    pub idle_timeout: Option<Lifetime>,
    /// What happens at the end of either; it is removed by default.
    #[uniffi(default = None)]
    pub on_expiry: Option<Expiry>,
    /// What happens at the end of the idle timeout, where that differs.
    #[uniffi(default = None)]
    pub on_idle: Option<Expiry>,
    /// Let it live on without this process.
    #[uniffi(default = false)]
    pub detached: bool,
    /// How long this process may be out of touch; a few seconds by default.
    #[uniffi(default = None)]
    pub owner_lease: Option<f64>,
    /// Run the image's own entrypoint too.
    #[uniffi(default = false)]
    pub entrypoint: bool,
    /// The least isolation that is accepted.
    #[uniffi(default = None)]
    pub least_isolation: Option<Isolation>,
    /// How long making it may take; 300 seconds by default.
    #[uniffi(default = None)]
    pub create_timeout: Option<f64>,
    /// The same key with the same request gives the same sandbox, and makes nothing again.
    #[uniffi(default = None)]
    pub idempotency_key: Option<String>,
    /// What only the namespace provider knows.
    #[uniffi(default = None)]
    pub namespace: Option<NamespaceOptions>,
    /// What only the Docker provider knows.
    #[uniffi(default = None)]
    pub docker: Option<DockerOptions>,
    /// What only the host provider knows.
    #[uniffi(default = None)]
    pub host: Option<HostOptions>,
}
impl Given<api::CreateOptions> for CreateOptions {
    fn given(self, _: &str) -> api::Result<api::CreateOptions> {
        Ok(api::CreateOptions {
            provider: self.provider.given("provider")?,
            name: self.name.given("name")?,
            image: self.image.given("image")?,
            pull: self.pull.given("pull")?,
            platform: self.platform.given("platform")?,
            auth: self.auth.given("auth")?,
            archive: self.archive_bytes.given("archive")?,
            rootfs: self.rootfs_bytes.given("rootfs")?,
            snapshot: self.snapshot.given("snapshot")?,
            workspace: self.workspace_bytes.given("workspace")?,
            env: self.env.given("env")?,
            labels: self.labels.given("labels")?,
            user: self.user.given("user")?,
            workdir: self.workdir_bytes.given("workdir")?,
            cpus: self.cpus.given("cpus")?,
            memory: self.memory.given("memory")?,
            disk: self.disk.given("disk")?,
            pids: self.pids.given("pids")?,
            gpus: self.gpus.given("gpus")?,
            mounts: self.mounts.given("mounts")?,
            volumes: self.volumes.given("volumes")?,
            secrets: self.secrets.given("secrets")?,
            ports: self.ports.given("ports")?,
            network: self.network.given("network")?,
            ttl: self.ttl.given("ttl")?,
            idle_timeout: self.idle_timeout.given("idle_timeout")?,
            on_expiry: self.on_expiry.given("on_expiry")?,
            on_idle: self.on_idle.given("on_idle")?,
            detached: self.detached.given("detached")?,
            owner_lease: self.owner_lease.given("owner_lease")?,
            entrypoint: self.entrypoint.given("entrypoint")?,
            least_isolation: self.least_isolation.given("least_isolation")?,
            create_timeout: self.create_timeout.given("create_timeout")?,
            idempotency_key: self.idempotency_key.given("idempotency_key")?,
            namespace: self.namespace.given("namespace")?,
            docker: self.docker.given("docker")?,
            host: self.host.given("host")?,
        })
    }
}
/// What a pool keeps ready.
#[derive(uniffi::Record)]
pub struct PoolOptions {
    /// What its sandboxes are made from and like; the default of everything by default.
    #[uniffi(default = None)]
    pub sandbox: Option<CreateOptions>,
    /// How many must be ready before it is open; none by default.
    #[uniffi(default = None)]
    pub min_ready: Option<u32>,
    /// How many are made at once to refill it; one for each processor by default.
    #[uniffi(default = None)]
    pub refills_at_once: Option<u32>,
    /// How long one is kept before another is made in its place; for ever by default.
    #[uniffi(default = None)]
    pub max_age: Option<f64>,
    /// A name, for people.
    #[uniffi(default = None)]
    pub name: Option<String>,
    /// A name by which other processes take from it.
    #[uniffi(default = None)]
    pub shared_as: Option<String>,
}
impl Given<api::PoolOptions> for PoolOptions {
    fn given(self, _: &str) -> api::Result<api::PoolOptions> {
        Ok(api::PoolOptions {
            sandbox: self.sandbox.given("sandbox")?,
            min_ready: self.min_ready.given("min_ready")?,
            refills_at_once: self.refills_at_once.given("refills_at_once")?,
            max_age: self.max_age.given("max_age")?,
            name: self.name.given("name")?,
            shared_as: self.shared_as.given("shared_as")?,
        })
    }
}
/// What a sandbox of a pool becomes when it is taken.
#[derive(uniffi::Record)]
pub struct TakeOptions {
    /// A name, unique among live sandboxes.
    #[uniffi(default = None)]
    pub name: Option<String>,
    /// Labels beside those it has.
    #[uniffi(default)]
    pub labels: HashMap<String, String>,
    /// How long it exists from now on.
    #[uniffi(default = None)]
    pub ttl: Option<Lifetime>,
    /// Let it live on without this process.
    #[uniffi(default = false)]
    pub detached: bool,
    /// How long taking it may take.
    #[uniffi(default = None)]
    pub timeout: Option<f64>,
}
impl Given<api::TakeOptions> for TakeOptions {
    fn given(self, _: &str) -> api::Result<api::TakeOptions> {
        Ok(api::TakeOptions {
            name: self.name.given("name")?,
            labels: self.labels.given("labels")?,
            ttl: self.ttl.given("ttl")?,
            detached: self.detached.given("detached")?,
            timeout: self.timeout.given("timeout")?,
        })
    }
}
/// How a pool is doing.
#[derive(Debug, uniffi::Record)]
pub struct PoolStatus {
    /// How many it keeps.
    pub size: u64,
    /// How many are ready.
    pub ready: u64,
    /// How many are being made.
    pub making: u64,
    /// How many were ready when they were taken.
    pub taken: u64,
    /// How many were made when they were asked for, because none was ready.
    pub made_directly: u64,
    /// Why the last refill failed, until one succeeds.
    #[uniffi(default = None)]
    pub failure: Option<String>,
}
impl Shown<PoolStatus> for api::PoolStatus {
    fn shown(self) -> PoolStatus {
        PoolStatus {
            size: self.size.shown(),
            ready: self.ready.shown(),
            making: self.making.shown(),
            taken: self.taken.shown(),
            made_directly: self.made_directly.shown(),
            failure: self.failure.shown(),
        }
    }
}
/// Where to start with a command that runs already.
#[derive(uniffi::Record)]
pub struct AttachOptions {
    /// Only what comes from now on; by default first all that is kept.
    #[uniffi(default = false)]
    pub only_new: bool,
    /// Bytes of stdout that were seen already, to go on behind them.
    #[uniffi(default = None)]
    pub after_stdout: Option<u64>,
    /// Bytes of stderr that were seen already, to go on behind them.
    #[uniffi(default = None)]
    pub after_stderr: Option<u64>,
}
impl Given<api::AttachOptions> for AttachOptions {
    fn given(self, _: &str) -> api::Result<api::AttachOptions> {
        Ok(api::AttachOptions {
            only_new: self.only_new.given("only_new")?,
            after_stdout: self.after_stdout.given("after_stdout")?,
            after_stderr: self.after_stderr.given("after_stderr")?,
        })
    }
}
/// A command of a sandbox, as a list of them shows it.
#[derive(Debug, uniffi::Record)]
pub struct SandboxProcessInfo {
    /// Its id.
    pub id: String,
    /// Its process id as seen in the sandbox.
    #[uniffi(default = None)]
    pub pid: Option<u32>,
    /// What runs; it may hold secrets.
    #[uniffi(default)]
    pub argv_bytes: Vec<Vec<u8>>,
    /// The caller's name for it.
    #[uniffi(default = None)]
    pub label: Option<String>,
    /// The user it runs as.
    #[uniffi(default = None)]
    pub user: Option<String>,
    /// Whether it has a terminal.
    #[uniffi(default = false)]
    pub pty: bool,
    /// Whether it goes on without its caller.
    #[uniffi(default = false)]
    pub detached: bool,
    /// When it started.
    pub started_at: SystemTime,
    /// Bytes written to stdout so far.
    pub stdout_bytes: u64,
    /// Bytes written to stderr so far.
    pub stderr_bytes: u64,
    /// Processor time so far, where it is counted.
    #[uniffi(default = None)]
    pub cpu_time: Option<f64>,
    /// Bytes of memory now, where they are counted.
    #[uniffi(default = None)]
    pub memory: Option<u64>,
    /// How it ended; none while it runs.
    #[uniffi(default = None)]
    pub exit: Option<Exit>,
}
impl Shown<SandboxProcessInfo> for api::ProcessInfo {
    fn shown(self) -> SandboxProcessInfo {
        SandboxProcessInfo {
            id: self.id.shown(),
            pid: self.pid.shown(),
            argv_bytes: self.argv.shown(),
            label: self.label.shown(),
            user: self.user.shown(),
            pty: self.pty.shown(),
            detached: self.detached.shown(),
            started_at: self.started_at.shown(),
            stdout_bytes: self.stdout_bytes.shown(),
            stderr_bytes: self.stderr_bytes.shown(),
            cpu_time: self.cpu_time.shown(),
            memory: self.memory.shown(),
            exit: self.exit.shown(),
        }
    }
}
/// The image that a sandbox was made from.
#[derive(Debug, uniffi::Record)]
pub struct SandboxImage {
    /// The reference that was asked for.
    pub reference: String,
    /// Its id.
    pub id: String,
    /// Its digest.
    #[uniffi(default = None)]
    pub digest: Option<String>,
    /// Its entrypoint.
    #[uniffi(default)]
    pub entrypoint: Vec<String>,
    /// Its command.
    #[uniffi(default)]
    pub command: Vec<String>,
}
impl Shown<SandboxImage> for api::SandboxImage {
    fn shown(self) -> SandboxImage {
        SandboxImage {
            reference: self.reference.shown(),
            id: self.id.shown(),
            digest: self.digest.shown(),
            entrypoint: self.entrypoint.shown(),
            command: self.command.shown(),
        }
    }
}
/// What a sandbox is doing, as its backend says.
#[derive(Debug, uniffi::Record)]
pub struct Status {
    /// What it is doing.
    pub state: SandboxState,
    /// The backend's own word for that.
    pub provider_state: String,
    /// Its name.
    #[uniffi(default = None)]
    pub name: Option<String>,
    /// Why it is in error.
    #[uniffi(default = None)]
    pub error: Option<Report>,
    /// How it died.
    #[uniffi(default = None)]
    pub post_mortem: Option<PostMortem>,
    /// Its labels.
    #[uniffi(default)]
    pub labels: HashMap<String, String>,
}
impl Shown<Status> for api::Status {
    fn shown(self) -> Status {
        Status {
            state: self.state.shown(),
            provider_state: self.provider_state.shown(),
            name: self.name.shown(),
            error: self.error.shown(),
            post_mortem: self.post_mortem.shown(),
            labels: self.labels.shown(),
        }
    }
}
/// What a sandbox uses at one moment. What cannot be measured is left out, never zero.
#[derive(Debug, uniffi::Record)]
pub struct Metrics {
    /// When.
    pub at: SystemTime,
    /// Processor time since its start.
    #[uniffi(default = None)]
    pub cpu_time: Option<f64>,
    /// The limit of processors.
    #[uniffi(default = None)]
    pub cpu_limit: Option<f64>,
    /// Bytes of memory.
    #[uniffi(default = None)]
    pub memory: Option<u64>,
    /// The most bytes of memory since its start.
    #[uniffi(default = None)]
    pub peak_memory: Option<u64>,
    /// The limit of memory.
    #[uniffi(default = None)]
    pub memory_limit: Option<u64>,
    /// Bytes of disk that it wrote and keeps.
    #[uniffi(default = None)]
    pub disk: Option<u64>,
    /// The limit of disk.
    #[uniffi(default = None)]
    pub disk_limit: Option<u64>,
    /// Processes and threads.
    #[uniffi(default = None)]
    pub pids: Option<u64>,
    /// The limit of processes and threads.
    #[uniffi(default = None)]
    pub pids_limit: Option<u64>,
    /// Bytes received from the network.
    #[uniffi(default = None)]
    pub network_received: Option<u64>,
    /// Bytes sent to the network.
    #[uniffi(default = None)]
    pub network_sent: Option<u64>,
}
impl Shown<Metrics> for api::Metrics {
    fn shown(self) -> Metrics {
        Metrics {
            at: self.at.shown(),
            cpu_time: self.cpu_time.shown(),
            cpu_limit: self.cpu_limit.shown(),
            memory: self.memory.shown(),
            peak_memory: self.peak_memory.shown(),
            memory_limit: self.memory_limit.shown(),
            disk: self.disk.shown(),
            disk_limit: self.disk_limit.shown(),
            pids: self.pids.shown(),
            pids_limit: self.pids_limit.shown(),
            network_received: self.network_received.shown(),
            network_sent: self.network_sent.shown(),
        }
    }
}
/// What a snapshot has in it.
#[derive(uniffi::Record)]
pub struct SnapshotOptions {
    /// A name, unique for the provider.
    #[uniffi(default = None)]
    pub name: Option<String>,
    /// Labels.
    #[uniffi(default)]
    pub labels: HashMap<String, String>,
    /// With memory and processes; files alone by default.
    #[uniffi(default = false)]
    pub include_memory: bool,
}
impl Given<api::SnapshotOptions> for SnapshotOptions {
    fn given(self, _: &str) -> api::Result<api::SnapshotOptions> {
        Ok(api::SnapshotOptions {
            name: self.name.given("name")?,
            labels: self.labels.given("labels")?,
            include_memory: self.include_memory.given("include_memory")?,
        })
    }
}
/// How copies of a sandbox are made.
#[derive(uniffi::Record)]
pub struct ForkOptions {
    /// How many; one by default.
    #[uniffi(default = None)]
    pub count: Option<u32>,
    /// A name for a single copy.
    #[uniffi(default = None)]
    pub name: Option<String>,
    /// Labels instead of those it has.
    #[uniffi(default = None)]
    pub labels: Option<HashMap<String, String>>,
    /// With memory and processes; files alone by default.
    #[uniffi(default = false)]
    pub include_memory: bool,
}
impl Given<api::ForkOptions> for ForkOptions {
    fn given(self, _: &str) -> api::Result<api::ForkOptions> {
        Ok(api::ForkOptions {
            count: self.count.given("count")?,
            name: self.name.given("name")?,
            labels: self.labels.given("labels")?,
            include_memory: self.include_memory.given("include_memory")?,
        })
    }
}
/// New limits of a sandbox. What is left out stays as it is.
#[derive(uniffi::Record)]
pub struct ResizeOptions {
    /// Processors; fractions are fine.
    #[uniffi(default = None)]
    pub cpus: Option<f64>,
    /// Memory.
    #[uniffi(default = None)]
    pub memory: Option<Size>,
    /// Disk.
    #[uniffi(default = None)]
    pub disk: Option<Size>,
    /// Processes and threads.
    #[uniffi(default = None)]
    pub pids: Option<u64>,
}
impl Given<api::ResizeOptions> for ResizeOptions {
    fn given(self, _: &str) -> api::Result<api::ResizeOptions> {
        Ok(api::ResizeOptions {
            cpus: self.cpus.given("cpus")?,
            memory: self.memory.given("memory")?,
            disk: self.disk.given("disk")?,
            pids: self.pids.given("pids")?,
        })
    }
}
/// Where a pattern is looked for.
#[derive(uniffi::Record)]
pub struct GrepOptions {
    /// A file or directory; the working directory by default.
    #[uniffi(default = None)]
    pub path_bytes: Option<Vec<u8>>,
    /// Take large and small letters for the same.
    #[uniffi(default = false)]
    pub ignore_case: bool,
    /// Only in files whose names match this pattern.
    #[uniffi(default = None)]
    pub include: Option<String>,
    /// The most matches; beyond a million, or 64 MiB of lines, it fails by default.
    #[uniffi(default = None)]
    pub max_matches: Option<u64>,
}
impl Given<api::GrepOptions> for GrepOptions {
    fn given(self, _: &str) -> api::Result<api::GrepOptions> {
        Ok(api::GrepOptions {
            path: self.path_bytes.given("path")?,
            ignore_case: self.ignore_case.given("ignore_case")?,
            include: self.include.given("include")?,
            max_matches: self.max_matches.given("max_matches")?,
        })
    }
}
/// How a tree is walked.
#[derive(uniffi::Record)]
pub struct WalkOptions {
    /// How many levels deep; all by default.
    #[uniffi(default = None)]
    pub max_depth: Option<u32>,
    /// Names that are left out, with everything below.
    #[uniffi(default)]
    pub exclude: Vec<String>,
}
impl Given<api::WalkOptions> for WalkOptions {
    fn given(self, _: &str) -> api::Result<api::WalkOptions> {
        Ok(api::WalkOptions { max_depth: self.max_depth.given("max_depth")?, exclude: self.exclude.given("exclude")? })
    }
}
/// A line that matches.
#[derive(Debug, uniffi::Record)]
pub struct GrepMatch {
    /// In which file.
    pub path_bytes: Vec<u8>,
    /// Which line, from 1.
    pub line_number: u64,
    /// The line, without its end.
    pub line_bytes: Vec<u8>,
}
impl Shown<GrepMatch> for api::GrepMatch {
    fn shown(self) -> GrepMatch {
        GrepMatch {
            path_bytes: self.path.shown(),
            line_number: self.line_number.shown(),
            line_bytes: self.line.shown(),
        }
    }
}
/// What a walk comes by.
#[derive(Debug, uniffi::Record)]
pub struct WalkEntry {
    /// Where it is, relative to where the walk began.
    pub path_bytes: Vec<u8>,
    /// Its bytes; none for what is no file.
    #[uniffi(default = None)]
    pub size: Option<u64>,
}
impl Shown<WalkEntry> for api::WalkEntry {
    fn shown(self) -> WalkEntry {
        WalkEntry { path_bytes: self.path.shown(), size: self.size.shown() }
    }
}
/// How a service is started, and when it is ready. It is ready at once when nothing is said.
#[derive(uniffi::Record)]
pub struct ServiceOptions {
    /// Variables beside those of the sandbox.
    #[uniffi(default)]
    pub env_bytes: HashMap<String, Vec<u8>>,
    /// Where to run, relative to the sandbox's working directory, which is also the default.
    #[uniffi(default = None)]
    pub cwd_bytes: Option<Vec<u8>>,
    /// Its user; that of the sandbox by default.
    #[uniffi(default = None)]
    pub user: Option<String>,
    /// It is ready when something listens on this port.
    #[uniffi(default = None)]
    pub ready_port: Option<u16>,
    /// It is ready when its output has this in it.
    #[uniffi(default = None)]
    pub ready_output_bytes: Option<Vec<u8>>,
    /// It is ready when this script exits with 0.
    #[uniffi(default = None)]
    pub ready_command_bytes: Option<Vec<u8>>,
    /// How long that may take; 30 seconds by default.
    #[uniffi(default = None)]
    pub ready_timeout: Option<f64>,
}
impl Given<api::ServiceOptions> for ServiceOptions {
    fn given(self, _: &str) -> api::Result<api::ServiceOptions> {
        Ok(api::ServiceOptions {
            env: self.env_bytes.given("env")?,
            cwd: self.cwd_bytes.given("cwd")?,
            user: self.user.given("user")?,
            ready_port: self.ready_port.given("ready_port")?,
            ready_output: self.ready_output_bytes.given("ready_output")?,
            ready_command: self.ready_command_bytes.given("ready_command")?,
            ready_timeout: self.ready_timeout.given("ready_timeout")?,
        })
    }
}
/// Whether a service runs.
#[derive(Debug, uniffi::Record)]
pub struct ServiceStatus {
    /// Whether it does.
    #[uniffi(default = false)]
    pub running: bool,
    /// How it ended.
    #[uniffi(default = None)]
    pub exit_code: Option<i32>,
}
impl Shown<ServiceStatus> for api::ServiceStatus {
    fn shown(self) -> ServiceStatus {
        ServiceStatus { running: self.running.shown(), exit_code: self.exit_code.shown() }
    }
}
/// How a session is opened.
#[derive(uniffi::Record)]
pub struct SessionOptions {
    /// The shell; `bash` where it is there, `sh` otherwise, by default.
    #[uniffi(default = None)]
    pub shell: Option<String>,
    /// Variables.
    #[uniffi(default)]
    pub env_bytes: HashMap<String, Vec<u8>>,
    /// Where it begins.
    #[uniffi(default = None)]
    pub cwd_bytes: Option<Vec<u8>>,
    /// Its user.
    #[uniffi(default = None)]
    pub user: Option<String>,
    /// Lines of its terminal; 24 by default.
    #[uniffi(default = None)]
    pub rows: Option<u16>,
    /// Characters of a line of its terminal; 80 by default.
    #[uniffi(default = None)]
    pub cols: Option<u16>,
}
impl Given<api::SessionOptions> for SessionOptions {
    fn given(self, _: &str) -> api::Result<api::SessionOptions> {
        Ok(api::SessionOptions {
            shell: self.shell.given("shell")?,
            env: self.env_bytes.given("env")?,
            cwd: self.cwd_bytes.given("cwd")?,
            user: self.user.given("user")?,
            rows: self.rows.given("rows")?,
            cols: self.cols.given("cols")?,
        })
    }
}
/// What a script of a session wrote and how it ended.
#[derive(Debug, uniffi::Record)]
pub struct SessionOutput {
    /// What it wrote to the terminal.
    pub output_bytes: Vec<u8>,
    /// Bytes that are not here, because they were too many.
    pub omitted: u64,
    /// Its exit code; none when it was not known in time.
    #[uniffi(default = None)]
    pub exit_code: Option<i32>,
    /// Whether it ran into its timeout.
    #[uniffi(default = false)]
    pub timed_out: bool,
    /// Whether it ended the shell.
    #[uniffi(default = false)]
    pub closed: bool,
}
impl Shown<SessionOutput> for api::SessionOutput {
    fn shown(self) -> SessionOutput {
        SessionOutput {
            output_bytes: self.output.shown(),
            omitted: self.omitted.shown(),
            exit_code: self.exit_code.shown(),
            timed_out: self.timed_out.shown(),
            closed: self.closed.shown(),
        }
    }
}
/// A snapshot of a sandbox's files.
#[derive(Debug, uniffi::Record)]
pub struct Snapshot {
    /// Its id.
    pub id: String,
    /// Its name.
    #[uniffi(default = None)]
    pub name: Option<String>,
    /// The provider that has it.
    pub provider: String,
    /// The sandbox that it was taken of.
    #[uniffi(default = None)]
    pub sandbox: Option<String>,
    /// What it is doing.
    pub state: SnapshotState,
    /// Its labels.
    #[uniffi(default)]
    pub labels: HashMap<String, String>,
    /// Its bytes.
    #[uniffi(default = None)]
    pub size: Option<u64>,
    /// Why making it failed.
    #[uniffi(default = None)]
    pub error: Option<Report>,
    /// When it was begun.
    pub created_at: SystemTime,
}
impl Shown<Snapshot> for api::Snapshot {
    fn shown(self) -> Snapshot {
        Snapshot {
            id: self.id.shown(),
            name: self.name.shown(),
            provider: self.provider.shown(),
            sandbox: self.sandbox.shown(),
            state: self.state.shown(),
            labels: self.labels.shown(),
            size: self.size.shown(),
            error: self.error.shown(),
            created_at: self.created_at.shown(),
        }
    }
}
/// How a snapshot becomes an image.
#[derive(uniffi::Record)]
pub struct ExportOptions {
    /// The provider that has it; the first isolating one that works here by default.
    #[uniffi(default = None)]
    pub provider: Option<String>,
    /// The name of the image, with a tag; none by default.
    #[uniffi(default = None)]
    pub reference: Option<String>,
    /// Pack its layers with gzip.
    #[uniffi(default = false)]
    pub compress: bool,
}
impl Given<api::ExportOptions> for ExportOptions {
    fn given(self, _: &str) -> api::Result<api::ExportOptions> {
        Ok(api::ExportOptions {
            provider: self.provider.given("provider")?,
            reference: self.reference.given("reference")?,
            compress: self.compress.given("compress")?,
        })
    }
}
/// How an image becomes a snapshot.
#[derive(uniffi::Record)]
pub struct ImportOptions {
    /// The provider that takes it; the first isolating one that works here by default.
    #[uniffi(default = None)]
    pub provider: Option<String>,
    /// A name for the snapshot, unique for the provider.
    #[uniffi(default = None)]
    pub name: Option<String>,
    /// Its labels.
    #[uniffi(default)]
    pub labels: HashMap<String, String>,
    /// The name of the image, which an archive with several needs.
    #[uniffi(default = None)]
    pub image: Option<String>,
}
impl Given<api::ImportOptions> for ImportOptions {
    fn given(self, _: &str) -> api::Result<api::ImportOptions> {
        Ok(api::ImportOptions {
            provider: self.provider.given("provider")?,
            name: self.name.given("name")?,
            labels: self.labels.given("labels")?,
            image: self.image.given("image")?,
        })
    }
}
/// An image that was written.
#[derive(Debug, uniffi::Record)]
pub struct ExportedImage {
    /// The digest of its configuration, by which Docker knows it.
    pub id: String,
    /// The digest of its manifest.
    pub digest: String,
    /// Its name, whole.
    #[uniffi(default = None)]
    pub reference: Option<String>,
    /// The digests of its layers, uncompressed, the first at the bottom.
    #[uniffi(default)]
    pub layers: Vec<String>,
    /// Bytes of the archive.
    pub size: u64,
}
impl Shown<ExportedImage> for api::ExportedImage {
    fn shown(self) -> ExportedImage {
        ExportedImage {
            id: self.id.shown(),
            digest: self.digest.shown(),
            reference: self.reference.shown(),
            layers: self.layers.shown(),
            size: self.size.shown(),
        }
    }
}
/// What is known about the end of a sandbox that nobody asked for. It is kept after the sandbox is gone.
#[derive(Debug, uniffi::Record)]
pub struct PostMortem {
    /// The sandbox.
    pub sandbox: String,
    /// Why it ended.
    pub cause: DeathCause,
    /// When it ended, or when that was noticed.
    pub at: SystemTime,
    /// More words of the provider, such as an eviction message.
    #[uniffi(default = None)]
    pub reason: Option<String>,
    /// The exit code of the sandbox's main process.
    #[uniffi(default = None)]
    pub exit_code: Option<i32>,
    /// The signal that ended the main process.
    #[uniffi(default = None)]
    pub signal: Option<i32>,
    /// The memory limit, in bytes.
    #[uniffi(default = None)]
    pub memory_limit: Option<u64>,
    /// The most memory used, in bytes.
    #[uniffi(default = None)]
    pub peak_memory: Option<u64>,
    /// The ids of the commands that ran.
    #[uniffi(default)]
    pub running: Vec<String>,
    /// The last output, at most 8 KiB.
    pub last_output_bytes: Vec<u8>,
    /// The last connections that the policy refused, oldest first, at most 32.
    #[uniffi(default)]
    pub denials: Vec<Denial>,
}
impl Shown<PostMortem> for api::PostMortem {
    fn shown(self) -> PostMortem {
        PostMortem {
            sandbox: self.sandbox.shown(),
            cause: self.cause.shown(),
            at: self.at.shown(),
            reason: self.reason.shown(),
            exit_code: self.exit_code.shown(),
            signal: self.signal.shown(),
            memory_limit: self.memory_limit.shown(),
            peak_memory: self.peak_memory.shown(),
            running: self.running.shown(),
            last_output_bytes: self.last_output.shown(),
            denials: self.denials.shown(),
        }
    }
}
/// A directory with a life of its own, which any number of sandboxes share.
#[derive(Debug, uniffi::Record)]
pub struct Volume {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The provider that has it.
    pub provider: String,
    /// What it is doing.
    pub state: VolumeState,
    /// Its labels.
    #[uniffi(default)]
    pub labels: HashMap<String, String>,
    /// Its bytes at most, where it has a limit.
    #[uniffi(default = None)]
    pub size: Option<u64>,
    /// When it was begun.
    pub created_at: SystemTime,
    /// How many sandboxes have it.
    pub attached: u64,
}
impl Shown<Volume> for api::Volume {
    fn shown(self) -> Volume {
        Volume {
            id: self.id.shown(),
            name: self.name.shown(),
            provider: self.provider.shown(),
            state: self.state.shown(),
            labels: self.labels.shown(),
            size: self.size.shown(),
            created_at: self.created_at.shown(),
            attached: self.attached.shown(),
        }
    }
}
/// What volume to make.
#[derive(uniffi::Record)]
pub struct VolumeOptions {
    /// Its size at most; no limit by default.
    #[uniffi(default = None)]
    pub size: Option<Size>,
    /// Its labels.
    #[uniffi(default)]
    pub labels: HashMap<String, String>,
    /// The provider that makes it; the first isolating one that works here by default.
    #[uniffi(default = None)]
    pub provider: Option<String>,
}
impl Given<api::VolumeOptions> for VolumeOptions {
    fn given(self, _: &str) -> api::Result<api::VolumeOptions> {
        Ok(api::VolumeOptions {
            size: self.size.given("size")?,
            labels: self.labels.given("labels")?,
            provider: self.provider.given("provider")?,
        })
    }
}
/// What happened. The words are the same in every language and on the wire, and never change.
#[derive(Debug, uniffi::Enum)]
pub enum ErrorCode {
    /// What was named does not exist.
    NotFound,
    /// What was to be made exists.
    AlreadyExists,
    /// It belongs to another owner.
    NotOwned,
    /// The provider cannot do this; the detail names the capability.
    Unsupported,
    /// The request is wrong; the detail names the field.
    InvalidSpec,
    /// The sandbox is in a state in which this cannot be done.
    InvalidState,
    /// The operation did not end in time. A command that runs into its timeout is a result, not this.
    Timeout,
    /// The caller gave up.
    Cancelled,
    /// The credential is missing or wrong.
    Unauthenticated,
    /// The credential, or the user, may not do this.
    PermissionDenied,
    /// Too many requests; the error says when to try again, where that is known.
    RateLimited,
    /// A limit of the machine is reached, and nothing was started.
    Overloaded,
    /// Something is larger than it may be.
    LimitExceeded,
    /// Memory ran out.
    OutOfMemory,
    /// A disk is full.
    OutOfDisk,
    /// There is no such image.
    ImageNotFound,
    /// The image could not be fetched.
    ImagePullFailed,
    /// The engine does not answer.
    EngineUnavailable,
    /// The sandbox is gone; the detail is how it died.
    SandboxGone,
    /// The policy refused it.
    PolicyDenied,
    /// The connection to the sandbox broke.
    Transport,
    /// It was begun and its end is not known.
    Incomplete,
    /// Something else is being done to it.
    Conflict,
    /// A command failed whose success was asked for.
    CommandFailed,
    /// An operation on files or devices failed.
    Io,
    /// A fault of this library.
    Internal,
}
impl Given<api::ErrorCode> for ErrorCode {
    fn given(self, _: &str) -> api::Result<api::ErrorCode> {
        Ok(match self {
            Self::NotFound => api::ErrorCode::NotFound,
            Self::AlreadyExists => api::ErrorCode::AlreadyExists,
            Self::NotOwned => api::ErrorCode::NotOwned,
            Self::Unsupported => api::ErrorCode::Unsupported,
            Self::InvalidSpec => api::ErrorCode::InvalidSpec,
            Self::InvalidState => api::ErrorCode::InvalidState,
            Self::Timeout => api::ErrorCode::Timeout,
            Self::Cancelled => api::ErrorCode::Cancelled,
            Self::Unauthenticated => api::ErrorCode::Unauthenticated,
            Self::PermissionDenied => api::ErrorCode::PermissionDenied,
            Self::RateLimited => api::ErrorCode::RateLimited,
            Self::Overloaded => api::ErrorCode::Overloaded,
            Self::LimitExceeded => api::ErrorCode::LimitExceeded,
            Self::OutOfMemory => api::ErrorCode::OutOfMemory,
            Self::OutOfDisk => api::ErrorCode::OutOfDisk,
            Self::ImageNotFound => api::ErrorCode::ImageNotFound,
            Self::ImagePullFailed => api::ErrorCode::ImagePullFailed,
            Self::EngineUnavailable => api::ErrorCode::EngineUnavailable,
            Self::SandboxGone => api::ErrorCode::SandboxGone,
            Self::PolicyDenied => api::ErrorCode::PolicyDenied,
            Self::Transport => api::ErrorCode::Transport,
            Self::Incomplete => api::ErrorCode::Incomplete,
            Self::Conflict => api::ErrorCode::Conflict,
            Self::CommandFailed => api::ErrorCode::CommandFailed,
            Self::Io => api::ErrorCode::Io,
            Self::Internal => api::ErrorCode::Internal,
        })
    }
}
impl Shown<ErrorCode> for api::ErrorCode {
    fn shown(self) -> ErrorCode {
        match self {
            Self::NotFound => ErrorCode::NotFound,
            Self::AlreadyExists => ErrorCode::AlreadyExists,
            Self::NotOwned => ErrorCode::NotOwned,
            Self::Unsupported => ErrorCode::Unsupported,
            Self::InvalidSpec => ErrorCode::InvalidSpec,
            Self::InvalidState => ErrorCode::InvalidState,
            Self::Timeout => ErrorCode::Timeout,
            Self::Cancelled => ErrorCode::Cancelled,
            Self::Unauthenticated => ErrorCode::Unauthenticated,
            Self::PermissionDenied => ErrorCode::PermissionDenied,
            Self::RateLimited => ErrorCode::RateLimited,
            Self::Overloaded => ErrorCode::Overloaded,
            Self::LimitExceeded => ErrorCode::LimitExceeded,
            Self::OutOfMemory => ErrorCode::OutOfMemory,
            Self::OutOfDisk => ErrorCode::OutOfDisk,
            Self::ImageNotFound => ErrorCode::ImageNotFound,
            Self::ImagePullFailed => ErrorCode::ImagePullFailed,
            Self::EngineUnavailable => ErrorCode::EngineUnavailable,
            Self::SandboxGone => ErrorCode::SandboxGone,
            Self::PolicyDenied => ErrorCode::PolicyDenied,
            Self::Transport => ErrorCode::Transport,
            Self::Incomplete => ErrorCode::Incomplete,
            Self::Conflict => ErrorCode::Conflict,
            Self::CommandFailed => ErrorCode::CommandFailed,
            Self::Io => ErrorCode::Io,
            Self::Internal => ErrorCode::Internal,
        }
    }
}
/// Whose failure it is.
#[derive(Debug, uniffi::Enum)]
pub enum Fault {
    /// That of the program in the sandbox.
    Program,
    /// That of whoever called.
    Caller,
    /// The policy's: it was refused on purpose.
    Policy,
    /// That of the machine, the engine, the network or this library.
    Infrastructure,
}
impl Given<api::Fault> for Fault {
    fn given(self, _: &str) -> api::Result<api::Fault> {
        Ok(match self {
            Self::Program => api::Fault::Program,
            Self::Caller => api::Fault::Caller,
            Self::Policy => api::Fault::Policy,
            Self::Infrastructure => api::Fault::Infrastructure,
        })
    }
}
impl Shown<Fault> for api::Fault {
    fn shown(self) -> Fault {
        match self {
            Self::Program => Fault::Program,
            Self::Caller => Fault::Caller,
            Self::Policy => Fault::Policy,
            Self::Infrastructure => Fault::Infrastructure,
        }
    }
}
/// What went wrong with a file.
#[derive(Debug, uniffi::Enum)]
pub enum FileErrorKind {
    /// It does not exist.
    NotFound,
    /// The user may not do this.
    PermissionDenied,
    /// It exists.
    AlreadyExists,
    /// It is a directory.
    IsADirectory,
    /// It is no directory.
    NotADirectory,
    /// The directory has something in it.
    NotEmpty,
    /// Links lead in a circle.
    TooManyLinks,
    /// The name is too long.
    NameTooLong,
    /// The disk is full.
    NoSpace,
    /// The filesystem is read-only.
    ReadOnly,
    /// The path cannot be one.
    InvalidPath,
    /// It is too large.
    TooLarge,
    /// It is in use.
    Busy,
    /// The two places are on different filesystems.
    CrossDevice,
    /// Something else.
    Other,
}
impl Given<api::FileErrorKind> for FileErrorKind {
    fn given(self, _: &str) -> api::Result<api::FileErrorKind> {
        Ok(match self {
            Self::NotFound => api::FileErrorKind::NotFound,
            Self::PermissionDenied => api::FileErrorKind::PermissionDenied,
            Self::AlreadyExists => api::FileErrorKind::AlreadyExists,
            Self::IsADirectory => api::FileErrorKind::IsADirectory,
            Self::NotADirectory => api::FileErrorKind::NotADirectory,
            Self::NotEmpty => api::FileErrorKind::NotEmpty,
            Self::TooManyLinks => api::FileErrorKind::TooManyLinks,
            Self::NameTooLong => api::FileErrorKind::NameTooLong,
            Self::NoSpace => api::FileErrorKind::NoSpace,
            Self::ReadOnly => api::FileErrorKind::ReadOnly,
            Self::InvalidPath => api::FileErrorKind::InvalidPath,
            Self::TooLarge => api::FileErrorKind::TooLarge,
            Self::Busy => api::FileErrorKind::Busy,
            Self::CrossDevice => api::FileErrorKind::CrossDevice,
            Self::Other => api::FileErrorKind::Other,
        })
    }
}
impl Shown<FileErrorKind> for api::FileErrorKind {
    fn shown(self) -> FileErrorKind {
        match self {
            Self::NotFound => FileErrorKind::NotFound,
            Self::PermissionDenied => FileErrorKind::PermissionDenied,
            Self::AlreadyExists => FileErrorKind::AlreadyExists,
            Self::IsADirectory => FileErrorKind::IsADirectory,
            Self::NotADirectory => FileErrorKind::NotADirectory,
            Self::NotEmpty => FileErrorKind::NotEmpty,
            Self::TooManyLinks => FileErrorKind::TooManyLinks,
            Self::NameTooLong => FileErrorKind::NameTooLong,
            Self::NoSpace => FileErrorKind::NoSpace,
            Self::ReadOnly => FileErrorKind::ReadOnly,
            Self::InvalidPath => FileErrorKind::InvalidPath,
            Self::TooLarge => FileErrorKind::TooLarge,
            Self::Busy => FileErrorKind::Busy,
            Self::CrossDevice => FileErrorKind::CrossDevice,
            Self::Other => FileErrorKind::Other,
        }
    }
}
/// The typed facts of an error.
#[derive(Debug, uniffi::Enum)]
pub enum Detail {
    /// A field of the request is wrong.
    InvalidSpec {
        /// Which, as a dotted path.
        field: String,
        /// What is wrong with it, and the way out.
        reason: String,
    },
    /// A capability is missing.
    Unsupported {
        /// Its dotted name.
        capability: String,
    },
    /// The sandbox is in another state.
    InvalidState {
        /// In which.
        state: SandboxState,
        /// What was tried.
        action: Action,
    },
    /// Something took too long.
    Timeout {
        /// What.
        operation: String,
        /// How long it was waited for.
        elapsed: f64,
    },
    /// How far something came whose end is not known.
    Incomplete {
        /// Whether output was given up.
        output_abandoned: bool,
        /// Whether the stop was heard.
        stop_acknowledged: bool,
        /// Whether nothing runs any more.
        termination_confirmed: bool,
        /// Whether nothing is left.
        cleanup_confirmed: bool,
    },
    /// Something is wrong with a file.
    File {
        /// Which.
        path: String,
        /// Which.
        path_bytes: Vec<u8>,
        /// What.
        kind: FileErrorKind,
    },
    /// A sandbox or command could not be started.
    Launch {
        /// The step that failed, such as `namespaces`, `mounts` or `exec`.
        step: String,
        /// The number of the system's error.
        errno: Option<i32>,
        /// What may help.
        hint: Option<String>,
    },
    /// A thing is missing, is there, or belongs to somebody else.
    Resource {
        /// What it is, such as `sandbox` or `snapshot`.
        resource: String,
        /// Its id or name.
        id: String,
    },
    /// A limit is reached.
    Limit {
        /// Which.
        limit: String,
        /// What it is.
        max: Option<u64>,
    },
    /// How the sandbox died.
    Died {
        /// What is known.
        post_mortem: PostMortem,
    },
    /// How the command failed.
    Exec {
        /// What is known.
        failure: ExecFailure,
    },
    /// How git failed.
    Git {
        /// What it was to do.
        operation: String,
        /// What went wrong, such as `auth_rejected` or `ref_not_found`.
        kind: String,
    },
    /// What a provider says in its own words.
    Provider {
        /// Its code.
        code: Option<String>,
        /// All of it, as JSON.
        json: String,
    },
}
impl Shown<Detail> for api::Detail {
    fn shown(self) -> Detail {
        match self {
            Self::InvalidSpec { field, reason } => Detail::InvalidSpec { field: field.shown(), reason: reason.shown() },
            Self::Unsupported { capability } => Detail::Unsupported { capability: capability.shown() },
            Self::InvalidState { state, action } => {
                Detail::InvalidState { state: state.shown(), action: action.shown() }
            }
            Self::Timeout { operation, elapsed } => {
                Detail::Timeout { operation: operation.shown(), elapsed: elapsed.shown() }
            }
            Self::Incomplete { output_abandoned, stop_acknowledged, termination_confirmed, cleanup_confirmed } => {
                Detail::Incomplete {
                    output_abandoned: output_abandoned.shown(),
                    stop_acknowledged: stop_acknowledged.shown(),
                    termination_confirmed: termination_confirmed.shown(),
                    cleanup_confirmed: cleanup_confirmed.shown(),
                }
            }
            Self::File { path, kind } => {
                Detail::File { path: text(&path.0), path_bytes: path.shown(), kind: kind.shown() }
            }
            Self::Launch { step, errno, hint } => {
                Detail::Launch { step: step.shown(), errno: errno.shown(), hint: hint.shown() }
            }
            Self::Resource { resource, id } => Detail::Resource { resource: resource.shown(), id: id.shown() },
            Self::Limit { limit, max } => Detail::Limit { limit: limit.shown(), max: max.shown() },
            Self::Died { post_mortem } => Detail::Died { post_mortem: post_mortem.shown() },
            Self::Exec { failure } => Detail::Exec { failure: failure.shown() },
            Self::Git { operation, kind } => Detail::Git { operation: operation.shown(), kind: kind.shown() },
            Self::Provider { code, json } => Detail::Provider { code: code.shown(), json: json.shown() },
        }
    }
}
/// What a denied program tried.
#[derive(Debug, uniffi::Enum)]
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
impl Given<api::DeniedProtocol> for DeniedProtocol {
    fn given(self, _: &str) -> api::Result<api::DeniedProtocol> {
        Ok(match self {
            Self::Dns => api::DeniedProtocol::Dns,
            Self::Tcp => api::DeniedProtocol::Tcp,
            Self::Udp => api::DeniedProtocol::Udp,
            Self::Other => api::DeniedProtocol::Other,
        })
    }
}
impl Shown<DeniedProtocol> for api::DeniedProtocol {
    fn shown(self) -> DeniedProtocol {
        match self {
            Self::Dns => DeniedProtocol::Dns,
            Self::Tcp => DeniedProtocol::Tcp,
            Self::Udp => DeniedProtocol::Udp,
            Self::Other => DeniedProtocol::Other,
        }
    }
}
/// Why something was denied.
#[derive(Debug, uniffi::Enum)]
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
impl Given<api::DenialReason> for DenialReason {
    fn given(self, _: &str) -> api::Result<api::DenialReason> {
        Ok(match self {
            Self::NotAllowed => api::DenialReason::NotAllowed,
            Self::Denied => api::DenialReason::Denied,
            Self::PrivateAddress => api::DenialReason::PrivateAddress,
            Self::SecretHost => api::DenialReason::SecretHost,
            Self::Unknown => api::DenialReason::Unknown,
        })
    }
}
impl Shown<DenialReason> for api::DenialReason {
    fn shown(self) -> DenialReason {
        match self {
            Self::NotAllowed => DenialReason::NotAllowed,
            Self::Denied => DenialReason::Denied,
            Self::PrivateAddress => DenialReason::PrivateAddress,
            Self::SecretHost => DenialReason::SecretHost,
            Self::Unknown => DenialReason::Unknown,
        }
    }
}
/// What progress counts.
#[derive(Debug, uniffi::Enum)]
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
impl Given<api::ProgressUnit> for ProgressUnit {
    fn given(self, _: &str) -> api::Result<api::ProgressUnit> {
        Ok(match self {
            Self::Bytes => api::ProgressUnit::Bytes,
            Self::Items => api::ProgressUnit::Items,
            Self::Steps => api::ProgressUnit::Steps,
            Self::Percent => api::ProgressUnit::Percent,
            Self::Unknown => api::ProgressUnit::Unknown,
        })
    }
}
impl Shown<ProgressUnit> for api::ProgressUnit {
    fn shown(self) -> ProgressUnit {
        match self {
            Self::Bytes => ProgressUnit::Bytes,
            Self::Items => ProgressUnit::Items,
            Self::Steps => ProgressUnit::Steps,
            Self::Percent => ProgressUnit::Percent,
            Self::Unknown => ProgressUnit::Unknown,
        }
    }
}
/// A limit that was reached.
#[derive(Debug, uniffi::Enum)]
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
impl Given<api::LimitKind> for LimitKind {
    fn given(self, _: &str) -> api::Result<api::LimitKind> {
        Ok(match self {
            Self::Memory => api::LimitKind::Memory,
            Self::Pids => api::LimitKind::Pids,
            Self::Disk => api::LimitKind::Disk,
            Self::Output => api::LimitKind::Output,
            Self::Unknown => api::LimitKind::Unknown,
        })
    }
}
impl Shown<LimitKind> for api::LimitKind {
    fn shown(self) -> LimitKind {
        match self {
            Self::Memory => LimitKind::Memory,
            Self::Pids => LimitKind::Pids,
            Self::Disk => LimitKind::Disk,
            Self::Output => LimitKind::Output,
            Self::Unknown => LimitKind::Unknown,
        }
    }
}
/// What happened.
#[derive(Debug, uniffi::Enum)]
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
        progress: SandboxProgress,
    },
    /// An operation succeeded.
    OperationCompleted {
        /// What it did.
        action: Action,
        /// How long it took.
        duration: f64,
    },
    /// An operation failed.
    OperationFailed {
        /// What it tried.
        action: Action,
        /// How long it tried.
        duration: f64,
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
impl Shown<EventKind> for api::EventKind {
    fn shown(self) -> EventKind {
        match self {
            Self::OperationStarted { action } => EventKind::OperationStarted { action: action.shown() },
            Self::OperationProgress { action, progress } => {
                EventKind::OperationProgress { action: action.shown(), progress: progress.shown() }
            }
            Self::OperationCompleted { action, duration } => {
                EventKind::OperationCompleted { action: action.shown(), duration: duration.shown() }
            }
            Self::OperationFailed { action, duration, error } => {
                EventKind::OperationFailed { action: action.shown(), duration: duration.shown(), error: error.shown() }
            }
            Self::StateObserved { resource, previous, current } => EventKind::StateObserved {
                resource: resource.shown(),
                previous: previous.shown(),
                current: current.shown(),
            },
            Self::ExecStarted { process, label } => {
                EventKind::ExecStarted { process: process.shown(), label: label.shown() }
            }
            Self::ExecExited { process, exit } => {
                EventKind::ExecExited { process: process.shown(), exit: exit.shown() }
            }
            Self::FilesTransferred { upload, files, bytes } => {
                EventKind::FilesTransferred { upload: upload.shown(), files: files.shown(), bytes: bytes.shown() }
            }
            Self::NetworkDenied { denial } => EventKind::NetworkDenied { denial: denial.shown() },
            Self::LimitReached { limit, max, process } => {
                EventKind::LimitReached { limit: limit.shown(), max: max.shown(), process: process.shown() }
            }
            Self::ExpirySoon { expires_at } => EventKind::ExpirySoon { expires_at: expires_at.shown() },
            Self::Died { post_mortem } => EventKind::Died { post_mortem: post_mortem.shown() },
            Self::Notice { code, message } => EventKind::Notice { code: code.shown(), message: message.shown() },
            Self::Gone { oldest } => EventKind::Gone { oldest: oldest.shown() },
            Self::Unknown { word } => EventKind::Unknown { word: word.shown() },
        }
    }
}
/// What is taken out of output before it is delivered, captured and counted.
#[derive(Debug, uniffi::Enum)]
pub enum Sanitize {
    /// Nothing.
    Raw,
    /// ANSI escape sequences.
    StripAnsi,
    /// ANSI escape sequences and all control characters but line feed and tab.
    StripAll,
}
impl Given<api::Sanitize> for Sanitize {
    fn given(self, _: &str) -> api::Result<api::Sanitize> {
        Ok(match self {
            Self::Raw => api::Sanitize::Raw,
            Self::StripAnsi => api::Sanitize::StripAnsi,
            Self::StripAll => api::Sanitize::StripAll,
        })
    }
}
impl Shown<Sanitize> for api::Sanitize {
    fn shown(self) -> Sanitize {
        match self {
            Self::Raw => Sanitize::Raw,
            Self::StripAnsi => Sanitize::StripAnsi,
            Self::StripAll => Sanitize::StripAll,
        }
    }
}
/// What ended a command.
#[derive(Debug, uniffi::Enum)]
pub enum Termination {
    /// It exited by itself.
    Exited,
    /// A signal ended it that this call did not send.
    Signalled,
    /// Its timeout.
    TimedOut,
    /// The caller stopped it, or went away.
    Cancelled,
    /// The caller killed it, or its grace ran out after a stop.
    Killed,
    /// Nobody can tell.
    Unknown,
}
impl Given<api::Termination> for Termination {
    fn given(self, _: &str) -> api::Result<api::Termination> {
        Ok(match self {
            Self::Exited => api::Termination::Exited,
            Self::Signalled => api::Termination::Signalled,
            Self::TimedOut => api::Termination::TimedOut,
            Self::Cancelled => api::Termination::Cancelled,
            Self::Killed => api::Termination::Killed,
            Self::Unknown => api::Termination::Unknown,
        })
    }
}
impl Shown<Termination> for api::Termination {
    fn shown(self) -> Termination {
        match self {
            Self::Exited => Termination::Exited,
            Self::Signalled => Termination::Signalled,
            Self::TimedOut => Termination::TimedOut,
            Self::Cancelled => Termination::Cancelled,
            Self::Killed => Termination::Killed,
            Self::Unknown => Termination::Unknown,
        }
    }
}
/// What comes out of a command while it runs.
#[derive(Debug, uniffi::Enum)]
pub enum OutputEvent {
    /// Bytes of stdout or the terminal.
    Stdout {
        /// At least one.
        data: Vec<u8>,
    },
    /// Bytes of stderr.
    Stderr {
        /// At least one.
        data: Vec<u8>,
    },
    /// Bytes that are not kept any more, or that a transport lost.
    Gap {
        /// How many.
        bytes: u64,
        /// Whether they were of stderr.
        of_stderr: bool,
    },
    /// The command has ended and all its output has come.
    Exited {
        /// How.
        exit: Exit,
    },
}
impl Shown<OutputEvent> for api::OutputEvent {
    fn shown(self) -> OutputEvent {
        match self {
            Self::Stdout { data } => OutputEvent::Stdout { data: data.shown() },
            Self::Stderr { data } => OutputEvent::Stderr { data: data.shown() },
            Self::Gap { bytes, of_stderr } => OutputEvent::Gap { bytes: bytes.shown(), of_stderr: of_stderr.shown() },
            Self::Exited { exit } => OutputEvent::Exited { exit: exit.shown() },
        }
    }
}
/// What a path names.
#[derive(Debug, uniffi::Enum)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A device, socket or pipe.
    Other,
}
impl Given<api::FileKind> for FileKind {
    fn given(self, _: &str) -> api::Result<api::FileKind> {
        Ok(match self {
            Self::File => api::FileKind::File,
            Self::Directory => api::FileKind::Directory,
            Self::Symlink => api::FileKind::Symlink,
            Self::Other => api::FileKind::Other,
        })
    }
}
impl Shown<FileKind> for api::FileKind {
    fn shown(self) -> FileKind {
        match self {
            Self::File => FileKind::File,
            Self::Directory => FileKind::Directory,
            Self::Symlink => FileKind::Symlink,
            Self::Other => FileKind::Other,
        }
    }
}
/// What happened to a file.
#[derive(Debug, uniffi::Enum)]
pub enum FileChangeKind {
    /// It is new.
    Created,
    /// Its contents changed.
    Modified,
    /// Its mode, owner or times changed.
    Attributes,
    /// It has another name.
    Renamed,
    /// It is gone.
    Removed,
    /// Changes were lost: look again.
    Overflow,
}
impl Given<api::FileChangeKind> for FileChangeKind {
    fn given(self, _: &str) -> api::Result<api::FileChangeKind> {
        Ok(match self {
            Self::Created => api::FileChangeKind::Created,
            Self::Modified => api::FileChangeKind::Modified,
            Self::Attributes => api::FileChangeKind::Attributes,
            Self::Renamed => api::FileChangeKind::Renamed,
            Self::Removed => api::FileChangeKind::Removed,
            Self::Overflow => api::FileChangeKind::Overflow,
        })
    }
}
impl Shown<FileChangeKind> for api::FileChangeKind {
    fn shown(self) -> FileChangeKind {
        match self {
            Self::Created => FileChangeKind::Created,
            Self::Modified => FileChangeKind::Modified,
            Self::Attributes => FileChangeKind::Attributes,
            Self::Renamed => FileChangeKind::Renamed,
            Self::Removed => FileChangeKind::Removed,
            Self::Overflow => FileChangeKind::Overflow,
        }
    }
}
/// What a sandbox may reach.
#[derive(uniffi::Enum)]
pub enum NetworkPolicy {
    /// Nothing but itself.
    Nothing,
    /// Everything that the machine reaches.
    Public,
    /// What the rules say, and nothing else.
    Allow {
        /// Host names, `*.` and a name for all below it, addresses and networks, each with a port where only that is meant, such as
        /// `example.org`, `*.example.com:443`, `10.0.0.0/8` or `[2001:db8::/32]:443`.
        allow: Vec<String>,
        /// What is not, although a rule allows it.
        deny: Vec<String>,
        /// The addresses of name servers to ask; the machine's by default.
        dns: Vec<String>,
    },
    /// What the backend does when nothing is said.
    ProviderDefault,
}
impl Given<api::NetworkPolicy> for NetworkPolicy {
    fn given(self, _: &str) -> api::Result<api::NetworkPolicy> {
        Ok(match self {
            Self::Nothing => api::NetworkPolicy::None,
            Self::Public => api::NetworkPolicy::Public,
            Self::Allow { allow, deny, dns } => api::NetworkPolicy::Allow {
                allow: allow.given("allow")?,
                deny: deny.given("deny")?,
                dns: dns.given("dns")?,
            },
            Self::ProviderDefault => api::NetworkPolicy::ProviderDefault,
        })
    }
}
/// When an image is fetched.
#[derive(Debug, uniffi::Enum)]
pub enum PullPolicy {
    /// When it is not there.
    Missing,
    /// Always, when the registry has another one.
    Always,
    /// Never.
    Never,
}
impl Given<api::PullPolicy> for PullPolicy {
    fn given(self, _: &str) -> api::Result<api::PullPolicy> {
        Ok(match self {
            Self::Missing => api::PullPolicy::Missing,
            Self::Always => api::PullPolicy::Always,
            Self::Never => api::PullPolicy::Never,
        })
    }
}
impl Shown<PullPolicy> for api::PullPolicy {
    fn shown(self) -> PullPolicy {
        match self {
            Self::Missing => PullPolicy::Missing,
            Self::Always => PullPolicy::Always,
            Self::Never => PullPolicy::Never,
        }
    }
}
/// Something that is mounted in a sandbox.
#[derive(uniffi::Enum)]
pub enum Mount {
    /// A directory or file of this machine. Files that the sandbox makes in it belong to the caller.
    Bind {
        /// Which.
        source_bytes: Vec<u8>,
        /// Where in the sandbox, absolute.
        target_bytes: Vec<u8>,
        /// Whether nothing can be written.
        read_only: bool,
    },
    /// A filesystem in memory.
    Tmpfs {
        /// Where in the sandbox, absolute.
        target_bytes: Vec<u8>,
        /// Its size at most; the provider's default when left out.
        size: Option<Size>,
        /// Its permission bits; 0o1777 when left out.
        mode: Option<u32>,
    },
}
impl Given<api::Mount> for Mount {
    fn given(self, _: &str) -> api::Result<api::Mount> {
        Ok(match self {
            Self::Bind { source_bytes, target_bytes, read_only } => api::Mount::Bind {
                source: source_bytes.given("source")?,
                target: target_bytes.given("target")?,
                read_only: read_only.given("read_only")?,
            },
            Self::Tmpfs { target_bytes, size, mode } => api::Mount::Tmpfs {
                target: target_bytes.given("target")?,
                size: size.given("size")?,
                mode: mode.given("mode")?,
            },
        })
    }
}
/// How a secret gets to whom it is for.
#[derive(uniffi::Enum)]
pub enum SecretDelivery {
    /// The sandbox sees a placeholder; outside of it the value replaces it in requests to these hosts, and to no other.
    Hosts {
        /// Host names, exact or with a leading `*.`; at least one.
        hosts: Vec<String>,
    },
    /// The sandbox sees the value.
    Exposed,
    /// The sandbox sees a file that only its user can read.
    File {
        /// Where, absolute.
        path_bytes: Vec<u8>,
    },
}
impl Given<api::SecretDelivery> for SecretDelivery {
    fn given(self, _: &str) -> api::Result<api::SecretDelivery> {
        Ok(match self {
            Self::Hosts { hosts } => api::SecretDelivery::Hosts { hosts: hosts.given("hosts")? },
            Self::Exposed => api::SecretDelivery::Exposed,
            Self::File { path_bytes } => api::SecretDelivery::File { path: path_bytes.given("path")? },
        })
    }
}
/// Which users a namespace sandbox can have beside its root.
#[derive(Debug, uniffi::Enum)]
pub enum NamespaceUsers {
    /// As many as there can be and are needed.
    Auto,
    /// Its root alone.
    Single,
    /// 0 to 65535; refused where that cannot be.
    Range,
}
impl Given<api::NamespaceUsers> for NamespaceUsers {
    fn given(self, _: &str) -> api::Result<api::NamespaceUsers> {
        Ok(match self {
            Self::Auto => api::NamespaceUsers::Auto,
            Self::Single => api::NamespaceUsers::Single,
            Self::Range => api::NamespaceUsers::Range,
        })
    }
}
impl Shown<NamespaceUsers> for api::NamespaceUsers {
    fn shown(self) -> NamespaceUsers {
        match self {
            Self::Auto => NamespaceUsers::Auto,
            Self::Single => NamespaceUsers::Single,
            Self::Range => NamespaceUsers::Range,
        }
    }
}
/// What enforces a limit of disk.
#[derive(Debug, uniffi::Enum)]
pub enum DiskBacking {
    /// A filesystem in memory of that size.
    Tmpfs,
    /// A disk image of that size.
    Loop,
    /// A project quota.
    Quota,
}
impl Given<api::DiskBacking> for DiskBacking {
    fn given(self, _: &str) -> api::Result<api::DiskBacking> {
        Ok(match self {
            Self::Tmpfs => api::DiskBacking::Tmpfs,
            Self::Loop => api::DiskBacking::Loop,
            Self::Quota => api::DiskBacking::Quota,
        })
    }
}
impl Shown<DiskBacking> for api::DiskBacking {
    fn shown(self) -> DiskBacking {
        match self {
            Self::Tmpfs => DiskBacking::Tmpfs,
            Self::Loop => DiskBacking::Loop,
            Self::Quota => DiskBacking::Quota,
        }
    }
}
/// Whom a signal goes to.
#[derive(Debug, uniffi::Enum)]
pub enum SignalTarget {
    /// Everything that came out of the command.
    Tree,
    /// The process that was started.
    Leader,
}
impl Given<api::SignalTarget> for SignalTarget {
    fn given(self, _: &str) -> api::Result<api::SignalTarget> {
        Ok(match self {
            Self::Tree => api::SignalTarget::Tree,
            Self::Leader => api::SignalTarget::Leader,
        })
    }
}
impl Shown<SignalTarget> for api::SignalTarget {
    fn shown(self) -> SignalTarget {
        match self {
            Self::Tree => SignalTarget::Tree,
            Self::Leader => SignalTarget::Leader,
        }
    }
}
/// What a snapshot is doing.
#[derive(Debug, uniffi::Enum)]
pub enum SnapshotState {
    /// It is being made.
    Building,
    /// Sandboxes can be made from it.
    Active,
    /// It has to be activated first.
    Inactive,
    /// Making it failed.
    Error,
    /// It is being removed.
    Deleting,
    /// It is gone.
    Deleted,
    /// Nobody can tell.
    Unknown,
}
impl Given<api::SnapshotState> for SnapshotState {
    fn given(self, _: &str) -> api::Result<api::SnapshotState> {
        Ok(match self {
            Self::Building => api::SnapshotState::Building,
            Self::Active => api::SnapshotState::Active,
            Self::Inactive => api::SnapshotState::Inactive,
            Self::Error => api::SnapshotState::Error,
            Self::Deleting => api::SnapshotState::Deleting,
            Self::Deleted => api::SnapshotState::Deleted,
            Self::Unknown => api::SnapshotState::Unknown,
        })
    }
}
impl Shown<SnapshotState> for api::SnapshotState {
    fn shown(self) -> SnapshotState {
        match self {
            Self::Building => SnapshotState::Building,
            Self::Active => SnapshotState::Active,
            Self::Inactive => SnapshotState::Inactive,
            Self::Error => SnapshotState::Error,
            Self::Deleting => SnapshotState::Deleting,
            Self::Deleted => SnapshotState::Deleted,
            Self::Unknown => SnapshotState::Unknown,
        }
    }
}
/// What a sandbox is doing.
#[derive(Debug, uniffi::Enum)]
pub enum SandboxState {
    /// It is being made.
    Creating,
    /// It is being started.
    Starting,
    /// It accepts commands.
    Running,
    /// It is being stopped.
    Stopping,
    /// It is stopped; its files are kept.
    Stopped,
    /// It is being frozen.
    Pausing,
    /// It is frozen; its memory is kept.
    Paused,
    /// It is being thawed.
    Resuming,
    /// It is being archived.
    Archiving,
    /// It is archived.
    Archived,
    /// It is being brought back.
    Restoring,
    /// Its limits are being changed.
    Resizing,
    /// A copy of it is being made.
    Forking,
    /// A snapshot of it is being made.
    Snapshotting,
    /// It is being removed.
    Deleting,
    /// It is gone.
    Deleted,
    /// Something failed.
    Error,
    /// Nobody can tell.
    Unknown,
}
impl Given<api::State> for SandboxState {
    fn given(self, _: &str) -> api::Result<api::State> {
        Ok(match self {
            Self::Creating => api::State::Creating,
            Self::Starting => api::State::Starting,
            Self::Running => api::State::Running,
            Self::Stopping => api::State::Stopping,
            Self::Stopped => api::State::Stopped,
            Self::Pausing => api::State::Pausing,
            Self::Paused => api::State::Paused,
            Self::Resuming => api::State::Resuming,
            Self::Archiving => api::State::Archiving,
            Self::Archived => api::State::Archived,
            Self::Restoring => api::State::Restoring,
            Self::Resizing => api::State::Resizing,
            Self::Forking => api::State::Forking,
            Self::Snapshotting => api::State::Snapshotting,
            Self::Deleting => api::State::Deleting,
            Self::Deleted => api::State::Deleted,
            Self::Error => api::State::Error,
            Self::Unknown => api::State::Unknown,
        })
    }
}
impl Shown<SandboxState> for api::State {
    fn shown(self) -> SandboxState {
        match self {
            Self::Creating => SandboxState::Creating,
            Self::Starting => SandboxState::Starting,
            Self::Running => SandboxState::Running,
            Self::Stopping => SandboxState::Stopping,
            Self::Stopped => SandboxState::Stopped,
            Self::Pausing => SandboxState::Pausing,
            Self::Paused => SandboxState::Paused,
            Self::Resuming => SandboxState::Resuming,
            Self::Archiving => SandboxState::Archiving,
            Self::Archived => SandboxState::Archived,
            Self::Restoring => SandboxState::Restoring,
            Self::Resizing => SandboxState::Resizing,
            Self::Forking => SandboxState::Forking,
            Self::Snapshotting => SandboxState::Snapshotting,
            Self::Deleting => SandboxState::Deleting,
            Self::Deleted => SandboxState::Deleted,
            Self::Error => SandboxState::Error,
            Self::Unknown => SandboxState::Unknown,
        }
    }
}
/// What is done to a sandbox.
#[derive(Debug, uniffi::Enum)]
pub enum Action {
    /// It is made.
    Create,
    /// A handle of it is made.
    Attach,
    /// It is started.
    Start,
    /// It is stopped.
    Stop,
    /// It is removed.
    Delete,
    /// It is made usable.
    Activate,
    /// It is put aside.
    Deactivate,
    /// It is frozen.
    Pause,
    /// It is thawed.
    Resume,
    /// It is archived.
    Archive,
    /// It is copied.
    Fork,
    /// Its limits are changed.
    Resize,
    /// A snapshot of it is taken.
    Snapshot,
    /// It is brought back from an error.
    Recover,
    /// Its removal is taken back.
    Undelete,
    /// It counts as used.
    RefreshActivity,
    /// Its lifetimes are changed.
    SetLifetimes,
    /// Its labels are changed.
    SetLabels,
    /// What it may reach is changed.
    UpdateNetwork,
    /// It lives on without its process.
    Detach,
    /// A command is run.
    Exec,
    /// Its files are used.
    Files,
    /// It is reached from outside.
    Access,
    /// An image is fetched.
    Pull,
    /// An image is built.
    Build,
    /// Something else.
    Unknown,
}
impl Given<api::Action> for Action {
    fn given(self, _: &str) -> api::Result<api::Action> {
        Ok(match self {
            Self::Create => api::Action::Create,
            Self::Attach => api::Action::Attach,
            Self::Start => api::Action::Start,
            Self::Stop => api::Action::Stop,
            Self::Delete => api::Action::Delete,
            Self::Activate => api::Action::Activate,
            Self::Deactivate => api::Action::Deactivate,
            Self::Pause => api::Action::Pause,
            Self::Resume => api::Action::Resume,
            Self::Archive => api::Action::Archive,
            Self::Fork => api::Action::Fork,
            Self::Resize => api::Action::Resize,
            Self::Snapshot => api::Action::Snapshot,
            Self::Recover => api::Action::Recover,
            Self::Undelete => api::Action::Undelete,
            Self::RefreshActivity => api::Action::RefreshActivity,
            Self::SetLifetimes => api::Action::SetLifetimes,
            Self::SetLabels => api::Action::SetLabels,
            Self::UpdateNetwork => api::Action::UpdateNetwork,
            Self::Detach => api::Action::Detach,
            Self::Exec => api::Action::Exec,
            Self::Files => api::Action::Files,
            Self::Access => api::Action::Access,
            Self::Pull => api::Action::Pull,
            Self::Build => api::Action::Build,
            Self::Unknown => api::Action::Unknown,
        })
    }
}
impl Shown<Action> for api::Action {
    fn shown(self) -> Action {
        match self {
            Self::Create => Action::Create,
            Self::Attach => Action::Attach,
            Self::Start => Action::Start,
            Self::Stop => Action::Stop,
            Self::Delete => Action::Delete,
            Self::Activate => Action::Activate,
            Self::Deactivate => Action::Deactivate,
            Self::Pause => Action::Pause,
            Self::Resume => Action::Resume,
            Self::Archive => Action::Archive,
            Self::Fork => Action::Fork,
            Self::Resize => Action::Resize,
            Self::Snapshot => Action::Snapshot,
            Self::Recover => Action::Recover,
            Self::Undelete => Action::Undelete,
            Self::RefreshActivity => Action::RefreshActivity,
            Self::SetLifetimes => Action::SetLifetimes,
            Self::SetLabels => Action::SetLabels,
            Self::UpdateNetwork => Action::UpdateNetwork,
            Self::Detach => Action::Detach,
            Self::Exec => Action::Exec,
            Self::Files => Action::Files,
            Self::Access => Action::Access,
            Self::Pull => Action::Pull,
            Self::Build => Action::Build,
            Self::Unknown => Action::Unknown,
        }
    }
}
/// What happens at the end of a lifetime.
#[derive(Debug, uniffi::Enum)]
pub enum Expiry {
    /// The sandbox is removed.
    Delete,
    /// It is stopped; its files are kept.
    Stop,
    /// It is frozen; its memory is kept.
    Pause,
}
impl Given<api::Expiry> for Expiry {
    fn given(self, _: &str) -> api::Result<api::Expiry> {
        Ok(match self {
            Self::Delete => api::Expiry::Delete,
            Self::Stop => api::Expiry::Stop,
            Self::Pause => api::Expiry::Pause,
        })
    }
}
impl Shown<Expiry> for api::Expiry {
    fn shown(self) -> Expiry {
        match self {
            Self::Delete => Expiry::Delete,
            Self::Stop => Expiry::Stop,
            Self::Pause => Expiry::Pause,
        }
    }
}
/// What separates a sandbox from the machine, from the weakest to the strongest.
#[derive(Debug, uniffi::Enum)]
pub enum Isolation {
    /// Nothing.
    Nothing,
    /// Restrictions on ordinary processes.
    Process,
    /// Namespaces and a filter of system calls, on the machine's own kernel.
    Container,
    /// A kernel in user space between it and the machine's own.
    Gvisor,
    /// A virtual machine with its own kernel.
    Vm,
}
impl Given<api::Isolation> for Isolation {
    fn given(self, _: &str) -> api::Result<api::Isolation> {
        Ok(match self {
            Self::Nothing => api::Isolation::None,
            Self::Process => api::Isolation::Process,
            Self::Container => api::Isolation::Container,
            Self::Gvisor => api::Isolation::Gvisor,
            Self::Vm => api::Isolation::Vm,
        })
    }
}
impl Shown<Isolation> for api::Isolation {
    fn shown(self) -> Isolation {
        match self {
            Self::None => Isolation::Nothing,
            Self::Process => Isolation::Process,
            Self::Container => Isolation::Container,
            Self::Gvisor => Isolation::Gvisor,
            Self::Vm => Isolation::Vm,
        }
    }
}
/// Why a sandbox ended when nobody asked it to.
#[derive(Debug, uniffi::Enum)]
pub enum DeathCause {
    /// It reached its memory limit.
    Oom,
    /// The machine or cluster took its place away.
    Evicted,
    /// Somebody removed it from outside.
    RemovedExternally,
    /// Its engine went away and took it along.
    EngineDown,
    /// The agent in it ended without reason.
    AgentCrashed,
    /// A lifetime ran out.
    Expired,
    /// The process that owned it ended.
    OwnerLost,
    /// The main program of its image ended.
    Exited,
    /// Its disk was full, and it could not go on.
    OutOfDisk,
    /// Nothing says why.
    Unknown,
}
impl Given<api::DeathCause> for DeathCause {
    fn given(self, _: &str) -> api::Result<api::DeathCause> {
        Ok(match self {
            Self::Oom => api::DeathCause::Oom,
            Self::Evicted => api::DeathCause::Evicted,
            Self::RemovedExternally => api::DeathCause::RemovedExternally,
            Self::EngineDown => api::DeathCause::EngineDown,
            Self::AgentCrashed => api::DeathCause::AgentCrashed,
            Self::Expired => api::DeathCause::Expired,
            Self::OwnerLost => api::DeathCause::OwnerLost,
            Self::Exited => api::DeathCause::Exited,
            Self::OutOfDisk => api::DeathCause::OutOfDisk,
            Self::Unknown => api::DeathCause::Unknown,
        })
    }
}
impl Shown<DeathCause> for api::DeathCause {
    fn shown(self) -> DeathCause {
        match self {
            Self::Oom => DeathCause::Oom,
            Self::Evicted => DeathCause::Evicted,
            Self::RemovedExternally => DeathCause::RemovedExternally,
            Self::EngineDown => DeathCause::EngineDown,
            Self::AgentCrashed => DeathCause::AgentCrashed,
            Self::Expired => DeathCause::Expired,
            Self::OwnerLost => DeathCause::OwnerLost,
            Self::Exited => DeathCause::Exited,
            Self::OutOfDisk => DeathCause::OutOfDisk,
            Self::Unknown => DeathCause::Unknown,
        }
    }
}
/// What a volume is doing.
#[derive(Debug, uniffi::Enum)]
pub enum VolumeState {
    /// It is being made.
    Creating,
    /// It can be mounted.
    Ready,
    /// It is being removed.
    Deleting,
    /// It is gone.
    Deleted,
    /// Something failed.
    Error,
    /// Nobody can tell.
    Unknown,
}
impl Given<api::VolumeState> for VolumeState {
    fn given(self, _: &str) -> api::Result<api::VolumeState> {
        Ok(match self {
            Self::Creating => api::VolumeState::Creating,
            Self::Ready => api::VolumeState::Ready,
            Self::Deleting => api::VolumeState::Deleting,
            Self::Deleted => api::VolumeState::Deleted,
            Self::Error => api::VolumeState::Error,
            Self::Unknown => api::VolumeState::Unknown,
        })
    }
}
impl Shown<VolumeState> for api::VolumeState {
    fn shown(self) -> VolumeState {
        match self {
            Self::Creating => VolumeState::Creating,
            Self::Ready => VolumeState::Ready,
            Self::Deleting => VolumeState::Deleting,
            Self::Deleted => VolumeState::Deleted,
            Self::Error => VolumeState::Error,
            Self::Unknown => VolumeState::Unknown,
        }
    }
}
/// Things that come one by one.
#[derive(uniffi::Object)]
pub struct BytesStream(isobox_bindings::Stream<bytes::Bytes>);
impl Shown<Arc<BytesStream>> for isobox_bindings::Stream<bytes::Bytes> {
    fn shown(self) -> Arc<BytesStream> {
        Arc::new(BytesStream(self))
    }
}
#[uniffi::export]
impl BytesStream {
    /// The next one; none at the end.
    pub async fn next(&self, cancel: Arc<CancelToken>) -> Result<Option<Vec<u8>>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.next().await }).await
    }
    /// Ends it and what it came from.
    pub async fn close(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.close().await }).await
    }
}
/// Things that come one by one.
#[derive(uniffi::Object)]
pub struct FileChangeStream(isobox_bindings::Stream<api::FileChange>);
impl Shown<Arc<FileChangeStream>> for isobox_bindings::Stream<api::FileChange> {
    fn shown(self) -> Arc<FileChangeStream> {
        Arc::new(FileChangeStream(self))
    }
}
#[uniffi::export]
impl FileChangeStream {
    /// The next one; none at the end.
    pub async fn next(&self, cancel: Arc<CancelToken>) -> Result<Option<FileChange>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.next().await }).await
    }
    /// Ends it and what it came from.
    pub async fn close(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.close().await }).await
    }
}
/// Things that come one by one.
#[derive(uniffi::Object)]
pub struct EventStream(isobox_bindings::Stream<api::Event>);
impl Shown<Arc<EventStream>> for isobox_bindings::Stream<api::Event> {
    fn shown(self) -> Arc<EventStream> {
        Arc::new(EventStream(self))
    }
}
#[uniffi::export]
impl EventStream {
    /// The next one; none at the end.
    pub async fn next(&self, cancel: Arc<CancelToken>) -> Result<Option<Event>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.next().await }).await
    }
    /// Ends it and what it came from.
    pub async fn close(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.close().await }).await
    }
}
/// Things that come one by one.
#[derive(uniffi::Object)]
pub struct OutputEventStream(isobox_bindings::Stream<api::OutputEvent>);
impl Shown<Arc<OutputEventStream>> for isobox_bindings::Stream<api::OutputEvent> {
    fn shown(self) -> Arc<OutputEventStream> {
        Arc::new(OutputEventStream(self))
    }
}
#[uniffi::export]
impl OutputEventStream {
    /// The next one; none at the end.
    pub async fn next(&self, cancel: Arc<CancelToken>) -> Result<Option<OutputEvent>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.next().await }).await
    }
    /// Ends it and what it came from.
    pub async fn close(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.close().await }).await
    }
}
/// The files of one sandbox. Relative paths begin at its working directory.
#[derive(uniffi::Object)]
pub struct Files(api::Files);
impl Shown<Arc<Files>> for api::Files {
    fn shown(self) -> Arc<Files> {
        Arc::new(Files(self))
    }
}
#[uniffi::export]
impl Files {
    /// The bytes of a file, or of a part of it.
    pub async fn read(
        &self,
        path: Vec<u8>,
        options: ReadOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<Vec<u8>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.read(path.given("path")?, options.given("options")?).await }).await
    }
    /// The text of a file, which must be UTF-8.
    pub async fn read_text(&self, path: Vec<u8>, cancel: Arc<CancelToken>) -> Result<String, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.read_text(path.given("path")?).await }).await
    }
    /// The bytes of a file of any length as they come.
    pub async fn read_stream(
        &self,
        path: Vec<u8>,
        options: ReadOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<Arc<BytesStream>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.read_stream(path.given("path")?, options.given("options")?).await }).await
    }
    /// Writes a whole file, given as text or bytes.
    pub async fn write(
        &self,
        path: Vec<u8>,
        data: Vec<u8>,
        options: WriteOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(
            cancel,
            async move { this.write(path.given("path")?, data.given("data")?, options.given("options")?).await },
        )
        .await
    }
    /// Adds text or bytes to the end of a file, which is made if there is none.
    pub async fn append(&self, path: Vec<u8>, data: Vec<u8>, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.append(path.given("path")?, data.given("data")?).await }).await
    }
    /// Writes a file from parts that are given one by one, so that it can be of any length.
    pub async fn write_stream(
        &self,
        path: Vec<u8>,
        options: WriteOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<Arc<FileWriter>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.write_stream(path.given("path")?, options.given("options")?).await }).await
    }
    /// What a path names, after following links.
    pub async fn stat(&self, path: Vec<u8>, cancel: Arc<CancelToken>) -> Result<Metadata, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.stat(path.given("path")?).await }).await
    }
    /// What a path names; a link itself.
    pub async fn stat_link(&self, path: Vec<u8>, cancel: Arc<CancelToken>) -> Result<Metadata, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.stat_link(path.given("path")?).await }).await
    }
    /// Whether a path names something, after following links.
    pub async fn exists(&self, path: Vec<u8>, cancel: Arc<CancelToken>) -> Result<bool, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.exists(path.given("path")?).await }).await
    }
    /// What is in a directory, sorted by the bytes of the paths. Links are listed and not followed.
    pub async fn list(
        &self,
        path: Vec<u8>,
        options: ListDirectoryOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<Vec<Entry>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.list(path.given("path")?, options.given("options")?).await }).await
    }
    /// Makes a directory, and those on the way. One that exists is fine.
    pub async fn mkdir(&self, path: Vec<u8>, options: WriteOptions, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.mkdir(path.given("path")?, options.given("options")?).await }).await
    }
    /// Renames, replacing a file at the target.
    pub async fn rename(&self, source: Vec<u8>, target: Vec<u8>, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.rename(source.given("source")?, target.given("target")?).await }).await
    }
    /// Copies a file, or a directory with everything in it, keeping modes, times and links.
    pub async fn copy(&self, source: Vec<u8>, target: Vec<u8>, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.copy(source.given("source")?, target.given("target")?).await }).await
    }
    /// Makes a symbolic link whose text is the target.
    pub async fn symlink(&self, target: Vec<u8>, path: Vec<u8>, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.symlink(target.given("target")?, path.given("path")?).await }).await
    }
    /// The text of a symbolic link.
    pub async fn read_link(&self, path: Vec<u8>, cancel: Arc<CancelToken>) -> Result<Vec<u8>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.read_link(path.given("path")?).await }).await
    }
    /// Sets the permission bits, such as 0o755.
    pub async fn chmod(&self, path: Vec<u8>, mode: u32, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.chmod(path.given("path")?, mode.given("mode")?).await }).await
    }
    /// Sets the owner: a name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox.
    pub async fn chown(&self, path: Vec<u8>, owner: String, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.chown(path.given("path")?, owner.given("owner")?).await }).await
    }
    /// Removes a file, a link or an empty directory. What is not there is fine.
    pub async fn remove(&self, path: Vec<u8>, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.remove(path.given("path")?).await }).await
    }
    /// Removes a file, or a directory with everything in it, never through a link. What is not there is fine.
    pub async fn remove_all(&self, path: Vec<u8>, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.remove_all(path.given("path")?).await }).await
    }
    /// Changes as they happen.
    pub async fn watch(
        &self,
        path: Vec<u8>,
        options: WatchOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<Arc<FileChangeStream>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.watch(path.given("path")?, options.given("options")?).await }).await
    }
    /// Copies a file, or a directory with everything in it, from this machine.
    pub async fn upload(
        &self,
        local: Vec<u8>,
        remote: Vec<u8>,
        options: UploadOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<TransferReport, Failure> {
        let this = self.0.clone();
        guard(cancel, async move {
            this.upload(local.given("local")?, remote.given("remote")?, options.given("options")?).await
        })
        .await
    }
    /// Copies a file, or a directory with everything in it, to this machine. Nothing is ever written outside of the target.
    pub async fn download(
        &self,
        remote: Vec<u8>,
        local: Vec<u8>,
        options: DownloadOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<TransferReport, Failure> {
        let this = self.0.clone();
        guard(cancel, async move {
            this.download(remote.given("remote")?, local.given("local")?, options.given("options")?).await
        })
        .await
    }
}
/// A file that is being written. Without a close what was written may be there in part.
#[derive(uniffi::Object)]
pub struct FileWriter(api::FileWriter);
impl Shown<Arc<FileWriter>> for api::FileWriter {
    fn shown(self) -> Arc<FileWriter> {
        Arc::new(FileWriter(self))
    }
}
#[uniffi::export]
impl FileWriter {
    /// Writes the next part, and returns when it is accepted.
    pub async fn write(&self, data: Vec<u8>, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.write(data.given("data")?).await }).await
    }
    /// Ends the file and returns its bytes, once all of it is there. Again gives the same.
    pub async fn close(&self, cancel: Arc<CancelToken>) -> Result<u64, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.close().await }).await
    }
}
/// Git in one sandbox. It runs the git of the sandbox.
#[derive(uniffi::Object)]
pub struct Git(api::Git);
impl Shown<Arc<Git>> for api::Git {
    fn shown(self) -> Arc<Git> {
        Arc::new(Git(self))
    }
}
#[uniffi::export]
impl Git {
    /// Clones a repository into a directory that is empty or not there.
    pub async fn clone_repository(
        &self,
        url: String,
        target: Vec<u8>,
        options: CloneOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<Arc<Repository>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move {
            this.clone_repository(url.given("url")?, target.given("target")?, options.given("options")?).await
        })
        .await
    }
    /// Makes a repository.
    pub async fn init(&self, path: Vec<u8>, cancel: Arc<CancelToken>) -> Result<Arc<Repository>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.init(path.given("path")?).await }).await
    }
    /// A repository that is there.
    pub async fn open(&self, path: Vec<u8>, cancel: Arc<CancelToken>) -> Result<Arc<Repository>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.open(path.given("path")?).await }).await
    }
}
/// A repository in a sandbox.
#[derive(uniffi::Object)]
pub struct Repository(api::Repository);
impl Shown<Arc<Repository>> for api::Repository {
    fn shown(self) -> Arc<Repository> {
        Arc::new(Repository(self))
    }
}
#[uniffi::export]
impl Repository {
    /// Where it is.
    pub fn path(&self) -> Vec<u8> {
        self.0.path().shown()
    }
    /// What it is like.
    pub async fn status(&self, cancel: Arc<CancelToken>) -> Result<GitStatus, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.status().await }).await
    }
    /// Prepares paths for the next commit.
    pub async fn add(&self, paths: Vec<Vec<u8>>, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.add(paths.given("paths")?).await }).await
    }
    /// Prepares everything for the next commit.
    pub async fn add_all(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.add_all().await }).await
    }
    /// Makes a commit of what is prepared, and returns its id.
    pub async fn commit(
        &self,
        message: String,
        options: CommitOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<String, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.commit(message.given("message")?, options.given("options")?).await }).await
    }
    /// Fetches what a remote has.
    pub async fn fetch(&self, options: RemoteOptions, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.fetch(options.given("options")?).await }).await
    }
    /// Fetches and merges what a remote has.
    pub async fn pull(&self, options: RemoteOptions, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.pull(options.given("options")?).await }).await
    }
    /// Gives a remote what it does not have.
    pub async fn push(&self, options: RemoteOptions, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.push(options.given("options")?).await }).await
    }
    /// Its branches, with those of remotes.
    pub async fn branches(&self, cancel: Arc<CancelToken>) -> Result<Vec<GitBranch>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.branches().await }).await
    }
    /// Checks a revision out.
    pub async fn checkout(&self, revision: String, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.checkout(revision.given("revision")?).await }).await
    }
    /// Makes a branch and checks it out.
    pub async fn create_branch(&self, name: String, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.create_branch(name.given("name")?).await }).await
    }
    /// The id of a revision.
    pub async fn rev_parse(&self, revision: String, cancel: Arc<CancelToken>) -> Result<String, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.rev_parse(revision.given("revision")?).await }).await
    }
    /// The commits up to a revision, the newest first.
    pub async fn log(&self, revision: String, most: u32, cancel: Arc<CancelToken>) -> Result<Vec<GitCommit>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.log(revision.given("revision")?, most.given("most")?).await }).await
    }
    /// The difference between two revisions, or between one and what is there, as a patch.
    pub async fn diff(
        &self,
        revision: String,
        to: Option<String>,
        cancel: Arc<CancelToken>,
    ) -> Result<Vec<u8>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.diff(revision.given("revision")?, to.given("to")?).await }).await
    }
    /// The same, path by path.
    pub async fn changes(
        &self,
        revision: String,
        to: Option<String>,
        cancel: Arc<CancelToken>,
    ) -> Result<Vec<GitChange>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.changes(revision.given("revision")?, to.given("to")?).await }).await
    }
    /// The files that git does not know.
    pub async fn untracked_files(&self, cancel: Arc<CancelToken>) -> Result<Vec<Vec<u8>>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.untracked_files().await }).await
    }
    /// Lets the repository keep a credential for its remotes, until it is cleared.
    pub async fn set_credentials(
        &self,
        username: String,
        password: String,
        cancel: Arc<CancelToken>,
    ) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(
            cancel,
            async move { this.set_credentials(username.given("username")?, password.given("password")?).await },
        )
        .await
    }
    /// Lets it forget that.
    pub async fn clear_credentials(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.clear_credentials().await }).await
    }
    /// Sets a value of its configuration.
    pub async fn set_config(&self, key: String, value: String, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.set_config(key.given("key")?, value.given("value")?).await }).await
    }
}
/// The images of one provider.
#[derive(uniffi::Object)]
pub struct Images(api::Images);
impl Shown<Arc<Images>> for api::Images {
    fn shown(self) -> Arc<Images> {
        Arc::new(Images(self))
    }
}
#[uniffi::export]
impl Images {
    /// Fetches an image.
    pub async fn pull(
        &self,
        reference: String,
        options: PullOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<ImageInfo, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.pull(reference.given("reference")?, options.given("options")?).await }).await
    }
    /// Takes the images of an archive or layout folder of this machine.
    pub async fn load(&self, archive: Vec<u8>, cancel: Arc<CancelToken>) -> Result<Vec<ImageInfo>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.load(archive.given("archive")?).await }).await
    }
    /// All of them.
    pub async fn all(&self, cancel: Arc<CancelToken>) -> Result<Vec<ImageInfo>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.all().await }).await
    }
    /// Removes one, by its name. One that a sandbox uses is refused.
    pub async fn remove(&self, name: String, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.remove(name.given("name")?).await }).await
    }
    /// Removes what no sandbox uses, the longest unused first, until the rest takes no more than the budget.
    pub async fn prune(&self, budget: Size, cancel: Arc<CancelToken>) -> Result<PrunedImages, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.prune(budget.given("budget")?).await }).await
    }
}
/// An open library: one directory of books and files, which any number of processes share, and the providers.
#[derive(uniffi::Object)]
pub struct Isobox(api::Isobox);
impl Shown<Arc<Isobox>> for api::Isobox {
    fn shown(self) -> Arc<Isobox> {
        Arc::new(Isobox(self))
    }
}
#[uniffi::export]
impl Isobox {
    /// The directory of its books and files.
    pub fn home(&self) -> Vec<u8> {
        self.0.home().shown()
    }
    /// Makes a sandbox.
    pub async fn create(&self, options: CreateOptions, cancel: Arc<CancelToken>) -> Result<Arc<Sandbox>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.create(options.given("options")?).await }).await
    }
    /// The sandbox with the name that is given, or a new one. Any number of callers at once get the same one.
    pub async fn get_or_create(
        &self,
        options: CreateOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<Arc<Sandbox>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.get_or_create(options.given("options")?).await }).await
    }
    /// A sandbox that is there, by its name or id, whatever process made it. It does not end with this handle.
    pub async fn connect(&self, id_or_name: String, cancel: Arc<CancelToken>) -> Result<Arc<Sandbox>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.connect(id_or_name.given("id_or_name")?).await }).await
    }
    /// The sandboxes there are, the oldest first.
    pub async fn list(&self, options: ListOptions, cancel: Arc<CancelToken>) -> Result<Vec<SandboxInfo>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.list(options.given("options")?).await }).await
    }
    /// What is written down about a sandbox, by its name or id, also when it is gone.
    pub async fn inspect(&self, id_or_name: String, cancel: Arc<CancelToken>) -> Result<SandboxInfo, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.inspect(id_or_name.given("id_or_name")?).await }).await
    }
    /// How a sandbox died unasked, by its name or id; none for one that lives, or that somebody deleted.
    pub async fn post_mortem(
        &self,
        id_or_name: String,
        cancel: Arc<CancelToken>,
    ) -> Result<Option<PostMortem>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.post_mortem(id_or_name.given("id_or_name")?).await }).await
    }
    /// What happens, in this process and in others.
    pub async fn events(&self, options: EventOptions, cancel: Arc<CancelToken>) -> Result<Arc<EventStream>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.events(options.given("options")?).await }).await
    }
    /// The providers that are built in, and whether they work here.
    pub async fn providers(&self, cancel: Arc<CancelToken>) -> Result<Vec<ProviderInfo>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.providers().await }).await
    }
    /// Removes what nobody needs: what killed processes left. With `dry_run` it is only told.
    pub async fn collect_garbage(&self, dry_run: bool, cancel: Arc<CancelToken>) -> Result<Vec<Garbage>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.collect_garbage(dry_run.given("dry_run")?).await }).await
    }
    /// The snapshots that a provider has.
    pub async fn snapshots(
        &self,
        provider: Option<String>,
        cancel: Arc<CancelToken>,
    ) -> Result<Vec<Snapshot>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.snapshots(provider.given("provider")?).await }).await
    }
    /// A snapshot, by its name or id.
    pub async fn snapshot(
        &self,
        id_or_name: String,
        provider: Option<String>,
        cancel: Arc<CancelToken>,
    ) -> Result<Snapshot, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.snapshot(id_or_name.given("id_or_name")?, provider.given("provider")?).await })
            .await
    }
    /// Removes a snapshot, by its name or id. What is not there is fine.
    pub async fn delete_snapshot(
        &self,
        id_or_name: String,
        provider: Option<String>,
        cancel: Arc<CancelToken>,
    ) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move {
            this.delete_snapshot(id_or_name.given("id_or_name")?, provider.given("provider")?).await
        })
        .await
    }
    /// Makes a volume.
    pub async fn create_volume(
        &self,
        name: String,
        options: VolumeOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<Volume, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.create_volume(name.given("name")?, options.given("options")?).await }).await
    }
    /// The volumes that a provider has.
    pub async fn volumes(&self, provider: Option<String>, cancel: Arc<CancelToken>) -> Result<Vec<Volume>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.volumes(provider.given("provider")?).await }).await
    }
    /// A volume, by its name or id.
    pub async fn volume(
        &self,
        id_or_name: String,
        provider: Option<String>,
        cancel: Arc<CancelToken>,
    ) -> Result<Volume, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.volume(id_or_name.given("id_or_name")?, provider.given("provider")?).await })
            .await
    }
    /// Removes a volume with its contents, by its name or id. One that a sandbox uses is refused.
    pub async fn delete_volume(
        &self,
        id_or_name: String,
        provider: Option<String>,
        cancel: Arc<CancelToken>,
    ) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(
            cancel,
            async move { this.delete_volume(id_or_name.given("id_or_name")?, provider.given("provider")?).await },
        )
        .await
    }
    /// Writes a snapshot into a file of this machine, as an image that `docker load` and others take.
    pub async fn export_snapshot(
        &self,
        id_or_name: String,
        to: Vec<u8>,
        options: ExportOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<ExportedImage, Failure> {
        let this = self.0.clone();
        guard(cancel, async move {
            this.export_snapshot(id_or_name.given("id_or_name")?, to.given("to")?, options.given("options")?).await
        })
        .await
    }
    /// Makes a snapshot from an image in an archive or layout folder of this machine.
    pub async fn import_snapshot(
        &self,
        archive: Vec<u8>,
        options: ImportOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<Snapshot, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.import_snapshot(archive.given("archive")?, options.given("options")?).await })
            .await
    }
    /// The images that a provider has.
    pub async fn images(&self, provider: Option<String>, cancel: Arc<CancelToken>) -> Result<Arc<Images>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.images(provider.given("provider")?).await }).await
    }
    /// Keeps so many sandboxes ready.
    pub async fn pool(&self, size: u32, options: PoolOptions, cancel: Arc<CancelToken>) -> Result<Arc<Pool>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.pool(size.given("size")?, options.given("options")?).await }).await
    }
    /// A sandbox from a pool of another process, by the name that it is shared as.
    pub async fn take_from(
        &self,
        pool: String,
        options: TakeOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<Arc<Sandbox>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.take_from(pool.given("pool")?, options.given("options")?).await }).await
    }
    /// What may be at once on this machine.
    pub async fn limits(&self, cancel: Arc<CancelToken>) -> Result<Limits, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.limits().await }).await
    }
    /// Changes what may be at once on this machine.
    pub async fn set_limits(&self, options: LimitsOptions, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.set_limits(options.given("options")?).await }).await
    }
    /// What is made now on this machine, and who waits.
    pub async fn queue(&self, cancel: Arc<CancelToken>) -> Result<Queue, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.queue().await }).await
    }
    /// What takes disk.
    pub async fn disk_usage(&self, cancel: Arc<CancelToken>) -> Result<Vec<KindUsage>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.disk_usage().await }).await
    }
    /// Writes down what is not written down yet. Sandboxes live on with their handles.
    pub async fn close(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.close().await }).await
    }
}
/// Opens it. Sandboxes that a process left when it was killed are removed then.
#[uniffi::export]
pub async fn isobox_open(options: OpenOptions, cancel: Arc<CancelToken>) -> Result<Arc<Isobox>, Failure> {
    guard(cancel, async move { api::Isobox::open(options.given("options")?).await }).await
}
/// The one that is used where none is named.
#[uniffi::export]
pub async fn isobox_shared(cancel: Arc<CancelToken>) -> Result<Arc<Isobox>, Failure> {
    guard(cancel, async move { api::Isobox::shared().await }).await
}
/// Sandboxes that are ready before they are asked for. None is handed out twice.
#[derive(uniffi::Object)]
pub struct Pool(api::Pool);
impl Shown<Arc<Pool>> for api::Pool {
    fn shown(self) -> Arc<Pool> {
        Arc::new(Pool(self))
    }
}
#[uniffi::export]
impl Pool {
    /// A sandbox that is ready, or a new one.
    pub async fn take(&self, options: TakeOptions, cancel: Arc<CancelToken>) -> Result<Arc<Sandbox>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.take(options.given("options")?).await }).await
    }
    /// Waits until so many are ready.
    pub async fn ready(&self, count: u32, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.ready(count.given("count")?).await }).await
    }
    /// How it is doing.
    pub async fn status(&self, cancel: Arc<CancelToken>) -> Result<PoolStatus, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.status().await }).await
    }
    /// Ends it with what it keeps ready. What was taken from it stays. Again is fine.
    pub async fn close(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.close().await }).await
    }
}
/// A command that was started. One that was spawned ends with its handle, unless it is detached; one that was found goes on.
#[derive(uniffi::Object)]
pub struct SandboxProcess(api::Process);
impl Shown<Arc<SandboxProcess>> for api::Process {
    fn shown(self) -> Arc<SandboxProcess> {
        Arc::new(SandboxProcess(self))
    }
}
#[uniffi::export]
impl SandboxProcess {
    /// Its id in the sandbox.
    pub fn id(&self) -> String {
        self.0.id().shown()
    }
    /// Its process id as seen in the sandbox, when it is known.
    pub fn pid(&self) -> Option<u32> {
        self.0.pid().shown()
    }
    /// What comes out of it, last its end. Every byte comes; who does not ask slows down the command and nothing else. Several readers
    /// share what comes. Closing the stream leaves the command alone.
    pub fn events(&self) -> Arc<OutputEventStream> {
        self.0.events().shown()
    }
    /// Writes to its input and returns when the bytes are accepted. The command must have been started with an open input.
    pub async fn write(&self, data: Vec<u8>, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.write(data.given("data")?).await }).await
    }
    /// Ends its input. Again is fine.
    pub async fn close_stdin(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.close_stdin().await }).await
    }
    /// Sends a signal once, by its name such as `INT` or `SIGINT`, or its number. TERM does not escalate. A command that has ended is
    /// fine.
    pub async fn signal(
        &self,
        name: String,
        target: Option<SignalTarget>,
        cancel: Arc<CancelToken>,
    ) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.signal(name.given("name")?, target.given("target")?).await }).await
    }
    /// Ends its whole process tree: TERM, the grace, KILL. Without a grace that of its start counts.
    pub async fn stop(&self, grace: Option<f64>, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.stop(grace.given("grace")?).await }).await
    }
    /// Kills its whole process tree.
    pub async fn kill(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.kill().await }).await
    }
    /// Changes the size of its terminal.
    pub async fn resize(&self, rows: u16, cols: u16, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.resize(rows.given("rows")?, cols.given("cols")?).await }).await
    }
    /// Its end, with what was kept of its output, whether that was read or not. Again gives the same.
    pub async fn wait(&self, cancel: Arc<CancelToken>) -> Result<ExecResult, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.wait().await }).await
    }
    /// Lets it go on without this handle, until the sandbox ends.
    pub async fn detach(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.detach().await }).await
    }
}
/// One place to run commands in. It ends with the last handle of it, and with this process, unless it was detached.
#[derive(uniffi::Object)]
pub struct Sandbox(api::Sandbox);
impl Shown<Arc<Sandbox>> for api::Sandbox {
    fn shown(self) -> Arc<Sandbox> {
        Arc::new(Sandbox(self))
    }
}
#[uniffi::export]
impl Sandbox {
    /// Its id, unique for ever.
    pub fn id(&self) -> String {
        self.0.id().shown()
    }
    /// The provider that made it.
    pub fn provider(&self) -> String {
        self.0.provider().shown()
    }
    /// Its working directory, absolute.
    pub fn workdir(&self) -> Vec<u8> {
        self.0.workdir().shown()
    }
    /// What it can do, by dotted names.
    pub fn capabilities(&self) -> Vec<String> {
        self.0.capabilities().shown()
    }
    /// The image that it was made from.
    pub fn image(&self) -> Option<SandboxImage> {
        self.0.image().shown()
    }
    /// The directory of the books that it is written down in, by which another process finds it.
    pub fn home(&self) -> Vec<u8> {
        self.0.home().shown()
    }
    /// Its files.
    pub fn files(&self) -> Arc<Files> {
        self.0.files().shown()
    }
    /// Git in it.
    pub fn git(&self) -> Arc<Git> {
        self.0.git().shown()
    }
    /// Searching its files.
    pub fn search(&self) -> Arc<Search> {
        self.0.search().shown()
    }
    /// What runs in its background, by name.
    pub fn services(&self) -> Arc<Services> {
        self.0.services().shown()
    }
    /// Runs a command to its end. A command that fails, is killed or runs into its timeout is a result, not an error, unless `check` says
    /// otherwise. Cancelling the call ends the whole process tree.
    pub async fn exec(
        &self,
        command: Program,
        options: ExecOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<ExecResult, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.exec(command.given("command")?, options.given("options")?).await }).await
    }
    /// Starts a command and returns as soon as it runs. It ends with its handle, unless it is detached.
    pub async fn spawn(
        &self,
        command: Program,
        options: SpawnOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<Arc<SandboxProcess>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.spawn(command.given("command")?, options.given("options")?).await }).await
    }
    /// Every command that runs, and those that ended recently.
    pub async fn processes(&self, cancel: Arc<CancelToken>) -> Result<Vec<SandboxProcessInfo>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.processes().await }).await
    }
    /// A command that was started elsewhere, by its id. It does not end with this handle.
    pub async fn process(
        &self,
        id: String,
        options: AttachOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<Arc<SandboxProcess>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.process(id.given("id")?, options.given("options")?).await }).await
    }
    /// Opens a shell that keeps its state between commands.
    pub async fn session(&self, options: SessionOptions, cancel: Arc<CancelToken>) -> Result<Arc<Session>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.session(options.given("options")?).await }).await
    }
    /// What it is doing, as its backend says.
    pub async fn status(&self, cancel: Arc<CancelToken>) -> Result<Status, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.status().await }).await
    }
    /// What it uses now.
    pub async fn metrics(&self, cancel: Arc<CancelToken>) -> Result<Metrics, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.metrics().await }).await
    }
    /// Waits for its end: how it died, or none when it was stopped or deleted.
    pub async fn ended(&self, cancel: Arc<CancelToken>) -> Result<Option<PostMortem>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.ended().await }).await
    }
    /// Starts it, when it is stopped. One that runs is fine.
    pub async fn start(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.start().await }).await
    }
    /// Ends everything that runs in it, and keeps its files. One that is stopped is fine.
    pub async fn stop(&self, grace: Option<f64>, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.stop(grace.given("grace")?).await }).await
    }
    /// Freezes it. One that is frozen is fine.
    pub async fn pause(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.pause().await }).await
    }
    /// Thaws it. One that runs is fine.
    pub async fn resume(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.resume().await }).await
    }
    /// Changes its limits.
    pub async fn resize(&self, options: ResizeOptions, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.resize(options.given("options")?).await }).await
    }
    /// Removes it with everything in it. One that is gone is fine.
    pub async fn delete(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.delete().await }).await
    }
    /// Lets it live on without this process. Without a time to live it gets one of a day.
    pub async fn detach(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.detach().await }).await
    }
    /// Makes it this process's: it ends with it.
    pub async fn adopt(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.adopt().await }).await
    }
    /// Counts as use, so that its idle timeout begins anew.
    pub async fn touch(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.touch().await }).await
    }
    /// Sets how long it exists, from when it was made.
    pub async fn set_ttl(&self, ttl: Lifetime, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.set_ttl(ttl.given("ttl")?).await }).await
    }
    /// Takes a snapshot of its files, from which sandboxes can be made.
    pub async fn snapshot(&self, options: SnapshotOptions, cancel: Arc<CancelToken>) -> Result<Snapshot, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.snapshot(options.given("options")?).await }).await
    }
    /// Copies of it, each with the files that it has now.
    pub async fn fork(&self, options: ForkOptions, cancel: Arc<CancelToken>) -> Result<Vec<Arc<Sandbox>>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.fork(options.given("options")?).await }).await
    }
    /// Opens a port of this machine, on the loopback address, that leads to a port of the sandbox. The same port again gives the same one.
    pub async fn forward(&self, port: u16, cancel: Arc<CancelToken>) -> Result<Endpoint, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.forward(port.given("port")?).await }).await
    }
    /// Closes what was opened for a port. Again is fine.
    pub async fn release(&self, port: u16, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.release(port.given("port")?).await }).await
    }
    /// Waits until something listens on a port.
    pub async fn wait_for_port(&self, port: u16, timeout: f64, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.wait_for_port(port.given("port")?, timeout.given("timeout")?).await }).await
    }
    /// What listens in it now.
    pub async fn listening_ports(&self, cancel: Arc<CancelToken>) -> Result<Vec<ListeningPort>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.listening_ports().await }).await
    }
}
/// Makes a sandbox, in the library that is used where none is named.
#[uniffi::export]
pub async fn sandbox_create(options: CreateOptions, cancel: Arc<CancelToken>) -> Result<Arc<Sandbox>, Failure> {
    guard(cancel, async move { api::Sandbox::create(options.given("options")?).await }).await
}
/// The sandbox with the name that is given, or a new one. Any number of callers at once get the same one.
#[uniffi::export]
pub async fn sandbox_get_or_create(options: CreateOptions, cancel: Arc<CancelToken>) -> Result<Arc<Sandbox>, Failure> {
    guard(cancel, async move { api::Sandbox::get_or_create(options.given("options")?).await }).await
}
/// A sandbox that is there, by its name or id, whatever process made it. It does not end with this handle.
#[uniffi::export]
pub async fn sandbox_connect(id_or_name: String, cancel: Arc<CancelToken>) -> Result<Arc<Sandbox>, Failure> {
    guard(cancel, async move { api::Sandbox::connect(id_or_name.given("id_or_name")?).await }).await
}
/// The sandboxes there are, the oldest first.
#[uniffi::export]
pub async fn sandbox_list(options: ListOptions, cancel: Arc<CancelToken>) -> Result<Vec<SandboxInfo>, Failure> {
    guard(cancel, async move { api::Sandbox::list(options.given("options")?).await }).await
}
/// Searching the files of one sandbox, with the same results in every image.
#[derive(uniffi::Object)]
pub struct Search(api::Search);
impl Shown<Arc<Search>> for api::Search {
    fn shown(self) -> Arc<Search> {
        Arc::new(Search(self))
    }
}
#[uniffi::export]
impl Search {
    /// The lines that match a regular expression, by path and line.
    pub async fn grep(
        &self,
        pattern: String,
        options: GrepOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<Vec<GrepMatch>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.grep(pattern.given("pattern")?, options.given("options")?).await }).await
    }
    /// The paths below a directory that match a pattern with `*`, `?`, `[...]` and `**`, sorted.
    pub async fn glob(
        &self,
        pattern: String,
        base: Option<Vec<u8>>,
        cancel: Arc<CancelToken>,
    ) -> Result<Vec<Vec<u8>>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.glob(pattern.given("pattern")?, base.given("base")?).await }).await
    }
    /// Everything below a directory, sorted.
    pub async fn walk(
        &self,
        base: Vec<u8>,
        options: WalkOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<Vec<WalkEntry>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.walk(base.given("base")?, options.given("options")?).await }).await
    }
}
/// The services of one sandbox.
#[derive(uniffi::Object)]
pub struct Services(api::Services);
impl Shown<Arc<Services>> for api::Services {
    fn shown(self) -> Arc<Services> {
        Arc::new(Services(self))
    }
}
#[uniffi::export]
impl Services {
    /// Starts one and returns when it is ready. It goes on until it is stopped or the sandbox ends, whoever holds it.
    pub async fn start(
        &self,
        name: String,
        command: Program,
        options: ServiceOptions,
        cancel: Arc<CancelToken>,
    ) -> Result<Arc<Service>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move {
            this.start(name.given("name")?, command.given("command")?, options.given("options")?).await
        })
        .await
    }
    /// One that was started, by its name.
    pub async fn get(&self, name: String, cancel: Arc<CancelToken>) -> Result<Arc<Service>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.get(name.given("name")?).await }).await
    }
    /// All of them.
    pub async fn all(&self, cancel: Arc<CancelToken>) -> Result<Vec<Arc<Service>>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.all().await }).await
    }
}
/// A service of a sandbox.
#[derive(uniffi::Object)]
pub struct Service(api::Service);
impl Shown<Arc<Service>> for api::Service {
    fn shown(self) -> Arc<Service> {
        Arc::new(Service(self))
    }
}
#[uniffi::export]
impl Service {
    /// Its name.
    pub fn name(&self) -> String {
        self.0.name().shown()
    }
    /// Whether it runs.
    pub async fn status(&self, cancel: Arc<CancelToken>) -> Result<ServiceStatus, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.status().await }).await
    }
    /// The last bytes of its output, at most so many.
    pub async fn logs(&self, last: u64, cancel: Arc<CancelToken>) -> Result<Vec<u8>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.logs(last.given("last")?).await }).await
    }
    /// The command behind it.
    pub async fn process(&self, cancel: Arc<CancelToken>) -> Result<Arc<SandboxProcess>, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.process().await }).await
    }
    /// Ends it with everything that it started. Again is fine.
    pub async fn stop(&self, grace: Option<f64>, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.stop(grace.given("grace")?).await }).await
    }
}
/// A shell that keeps its directory, variables and functions between commands.
#[derive(uniffi::Object)]
pub struct Session(api::Session);
impl Shown<Arc<Session>> for api::Session {
    fn shown(self) -> Arc<Session> {
        Arc::new(Session(self))
    }
}
#[uniffi::export]
impl Session {
    /// Runs a script in it. One that runs into its timeout is interrupted, and the session stays usable.
    pub async fn run(
        &self,
        script: Vec<u8>,
        timeout: Option<f64>,
        cancel: Arc<CancelToken>,
    ) -> Result<SessionOutput, Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.run(script.given("script")?, timeout.given("timeout")?).await }).await
    }
    /// Interrupts what runs in it, as Ctrl-C does.
    pub async fn interrupt(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.interrupt().await }).await
    }
    /// Ends it and everything that it started. Again is fine.
    pub async fn close(&self, cancel: Arc<CancelToken>) -> Result<(), Failure> {
        let this = self.0.clone();
        guard(cancel, async move { this.close().await }).await
    }
}
