// Written by `cargo xtask gen` from bindings/src/api.rs. Do not edit.
//! How values cross, and a class for each object.

use crate::call::Call;
use crate::convert::{Fields, FromPython, ToPython, kind_of, make, unit, unknown_word};
use isobox_bindings::api;
use pyo3::intern;
use pyo3::prelude::*;
impl ToPython for api::ExecFailure {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "ExecFailure",
            [
                self.label.to_python(py)?,
                self.termination.to_python(py)?,
                self.exit_code.to_python(py)?,
                self.signal.to_python(py)?,
                self.duration.to_python(py)?,
                self.hint.to_python(py)?,
                self.stdout.to_python(py)?,
                self.stderr.to_python(py)?,
                self.stdout_info.to_python(py)?,
                self.stderr_info.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::Report {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "Report",
            [
                self.code.to_python(py)?,
                self.message.to_python(py)?,
                self.retryable.to_python(py)?,
                self.infrastructure.to_python(py)?,
                self.causes.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::Denial {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "Denial",
            [
                self.at.to_python(py)?,
                self.protocol.to_python(py)?,
                self.host.to_python(py)?,
                self.address.to_python(py)?,
                self.port.to_python(py)?,
                self.reason.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::Progress {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "Progress",
            [
                self.code.to_python(py)?,
                self.message.to_python(py)?,
                self.completed.to_python(py)?,
                self.total.to_python(py)?,
                self.unit.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::Event {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "Event",
            [
                self.sequence.to_python(py)?,
                self.at.to_python(py)?,
                self.provider.to_python(py)?,
                self.subject.to_python(py)?,
                self.id.to_python(py)?,
                self.name.to_python(py)?,
                self.operation.to_python(py)?,
                self.kind.to_python(py)?
            ]
        )
    }
}
impl FromPython for api::EventOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["after", "sandboxes", "kinds", "no_follow"])?;
        Ok(Self {
            after: fields.get(intern!(fields.py(), "after"))?,
            sandboxes: fields.get(intern!(fields.py(), "sandboxes"))?,
            kinds: fields.get(intern!(fields.py(), "kinds"))?,
            no_follow: fields.get(intern!(fields.py(), "no_follow"))?,
        })
    }
}
impl FromPython for api::ExecOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&[
            "env",
            "cwd",
            "user",
            "input",
            "timeout",
            "grace",
            "check",
            "merge_stderr",
            "max_output",
            "spill",
            "sanitize",
            "drain",
            "label",
        ])?;
        Ok(Self {
            env: fields.get(intern!(fields.py(), "env"))?,
            cwd: fields.get(intern!(fields.py(), "cwd"))?,
            user: fields.get(intern!(fields.py(), "user"))?,
            input: fields.get(intern!(fields.py(), "input"))?,
            timeout: fields.get(intern!(fields.py(), "timeout"))?,
            grace: fields.get(intern!(fields.py(), "grace"))?,
            check: fields.get(intern!(fields.py(), "check"))?,
            merge_stderr: fields.get(intern!(fields.py(), "merge_stderr"))?,
            max_output: fields.get(intern!(fields.py(), "max_output"))?,
            spill: fields.get(intern!(fields.py(), "spill"))?,
            sanitize: fields.get(intern!(fields.py(), "sanitize"))?,
            drain: fields.get(intern!(fields.py(), "drain"))?,
            label: fields.get(intern!(fields.py(), "label"))?,
        })
    }
}
impl FromPython for api::SpawnOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&[
            "env",
            "cwd",
            "user",
            "input",
            "stdin",
            "timeout",
            "grace",
            "pty",
            "rows",
            "cols",
            "merge_stderr",
            "max_output",
            "spill",
            "sanitize",
            "drain",
            "detached",
            "label",
        ])?;
        Ok(Self {
            env: fields.get(intern!(fields.py(), "env"))?,
            cwd: fields.get(intern!(fields.py(), "cwd"))?,
            user: fields.get(intern!(fields.py(), "user"))?,
            input: fields.get(intern!(fields.py(), "input"))?,
            stdin: fields.get(intern!(fields.py(), "stdin"))?,
            timeout: fields.get(intern!(fields.py(), "timeout"))?,
            grace: fields.get(intern!(fields.py(), "grace"))?,
            pty: fields.get(intern!(fields.py(), "pty"))?,
            rows: fields.get(intern!(fields.py(), "rows"))?,
            cols: fields.get(intern!(fields.py(), "cols"))?,
            merge_stderr: fields.get(intern!(fields.py(), "merge_stderr"))?,
            max_output: fields.get(intern!(fields.py(), "max_output"))?,
            spill: fields.get(intern!(fields.py(), "spill"))?,
            sanitize: fields.get(intern!(fields.py(), "sanitize"))?,
            drain: fields.get(intern!(fields.py(), "drain"))?,
            detached: fields.get(intern!(fields.py(), "detached"))?,
            label: fields.get(intern!(fields.py(), "label"))?,
        })
    }
}
impl ToPython for api::ExecResult {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "ExecResult",
            [
                self.exit_code.to_python(py)?,
                self.signal.to_python(py)?,
                self.ok.to_python(py)?,
                self.timed_out.to_python(py)?,
                self.cancelled.to_python(py)?,
                self.oom_killed.to_python(py)?,
                self.termination.to_python(py)?,
                self.stdout.to_python(py)?,
                self.stderr.to_python(py)?,
                self.truncated.to_python(py)?,
                self.stdout_info.to_python(py)?,
                self.stderr_info.to_python(py)?,
                self.duration.to_python(py)?,
                self.cpu_time.to_python(py)?,
                self.peak_memory.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::OutputStream {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "OutputStream",
            [
                self.observed.to_python(py)?,
                self.retained.to_python(py)?,
                self.omitted.to_python(py)?,
                self.omitted_at.to_python(py)?,
                self.lost.to_python(py)?,
                self.spill.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::Exit {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "Exit",
            [
                self.exit_code.to_python(py)?,
                self.signal.to_python(py)?,
                self.termination.to_python(py)?,
                self.oom_killed.to_python(py)?,
                self.duration.to_python(py)?,
                self.cpu_time.to_python(py)?,
                self.peak_memory.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::Metadata {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "Metadata",
            [
                self.kind.to_python(py)?,
                self.size.to_python(py)?,
                self.mode.to_python(py)?,
                self.uid.to_python(py)?,
                self.gid.to_python(py)?,
                self.modified_at.to_python(py)?,
                self.link_target.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::Entry {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "Entry",
            [
                self.path.to_python(py)?,
                self.kind.to_python(py)?,
                self.size.to_python(py)?,
                self.mode.to_python(py)?,
                self.uid.to_python(py)?,
                self.gid.to_python(py)?,
                self.modified_at.to_python(py)?,
                self.link_target.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::FileChange {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(py, "FileChange", [self.kind.to_python(py)?, self.path.to_python(py)?, self.renamed_to.to_python(py)?])
    }
}
impl ToPython for api::TransferReport {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "TransferReport",
            [
                self.files.to_python(py)?,
                self.directories.to_python(py)?,
                self.links.to_python(py)?,
                self.bytes.to_python(py)?,
                self.skipped.to_python(py)?
            ]
        )
    }
}
impl FromPython for api::ReadOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["offset", "length", "limit"])?;
        Ok(Self {
            offset: fields.get(intern!(fields.py(), "offset"))?,
            length: fields.get(intern!(fields.py(), "length"))?,
            limit: fields.get(intern!(fields.py(), "limit"))?,
        })
    }
}
impl FromPython for api::WriteOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["mode", "owner", "no_parents", "exclusive", "atomic"])?;
        Ok(Self {
            mode: fields.get(intern!(fields.py(), "mode"))?,
            owner: fields.get(intern!(fields.py(), "owner"))?,
            no_parents: fields.get(intern!(fields.py(), "no_parents"))?,
            exclusive: fields.get(intern!(fields.py(), "exclusive"))?,
            atomic: fields.get(intern!(fields.py(), "atomic"))?,
        })
    }
}
impl FromPython for api::ListDirectoryOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["depth"])?;
        Ok(Self { depth: fields.get(intern!(fields.py(), "depth"))? })
    }
}
impl FromPython for api::WatchOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["recursive"])?;
        Ok(Self { recursive: fields.get(intern!(fields.py(), "recursive"))? })
    }
}
impl FromPython for api::UploadOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["owner", "file_mode", "directory_mode", "exclude", "max_entries", "max_bytes"])?;
        Ok(Self {
            owner: fields.get(intern!(fields.py(), "owner"))?,
            file_mode: fields.get(intern!(fields.py(), "file_mode"))?,
            directory_mode: fields.get(intern!(fields.py(), "directory_mode"))?,
            exclude: fields.get(intern!(fields.py(), "exclude"))?,
            max_entries: fields.get(intern!(fields.py(), "max_entries"))?,
            max_bytes: fields.get(intern!(fields.py(), "max_bytes"))?,
        })
    }
}
impl FromPython for api::DownloadOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["keep_existing", "exclude", "keep_escaping_links", "max_entries", "max_bytes"])?;
        Ok(Self {
            keep_existing: fields.get(intern!(fields.py(), "keep_existing"))?,
            exclude: fields.get(intern!(fields.py(), "exclude"))?,
            keep_escaping_links: fields.get(intern!(fields.py(), "keep_escaping_links"))?,
            max_entries: fields.get(intern!(fields.py(), "max_entries"))?,
            max_bytes: fields.get(intern!(fields.py(), "max_bytes"))?,
        })
    }
}
impl FromPython for api::RemoteOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["remote", "branch", "set_upstream", "username", "password", "attempts", "wait"])?;
        Ok(Self {
            remote: fields.get(intern!(fields.py(), "remote"))?,
            branch: fields.get(intern!(fields.py(), "branch"))?,
            set_upstream: fields.get(intern!(fields.py(), "set_upstream"))?,
            username: fields.get(intern!(fields.py(), "username"))?,
            password: fields.get(intern!(fields.py(), "password"))?,
            attempts: fields.get(intern!(fields.py(), "attempts"))?,
            wait: fields.get(intern!(fields.py(), "wait"))?,
        })
    }
}
impl FromPython for api::CloneOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["branch", "commit", "tag", "depth", "username", "password", "attempts", "wait"])?;
        Ok(Self {
            branch: fields.get(intern!(fields.py(), "branch"))?,
            commit: fields.get(intern!(fields.py(), "commit"))?,
            tag: fields.get(intern!(fields.py(), "tag"))?,
            depth: fields.get(intern!(fields.py(), "depth"))?,
            username: fields.get(intern!(fields.py(), "username"))?,
            password: fields.get(intern!(fields.py(), "password"))?,
            attempts: fields.get(intern!(fields.py(), "attempts"))?,
            wait: fields.get(intern!(fields.py(), "wait"))?,
        })
    }
}
impl FromPython for api::CommitOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["author", "email", "allow_empty"])?;
        Ok(Self {
            author: fields.get(intern!(fields.py(), "author"))?,
            email: fields.get(intern!(fields.py(), "email"))?,
            allow_empty: fields.get(intern!(fields.py(), "allow_empty"))?,
        })
    }
}
impl ToPython for api::GitStatusEntry {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "GitStatusEntry",
            [
                self.path.to_python(py)?,
                self.index.to_python(py)?,
                self.worktree.to_python(py)?,
                self.previous.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::GitStatus {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "GitStatus",
            [
                self.branch.to_python(py)?,
                self.head.to_python(py)?,
                self.upstream.to_python(py)?,
                self.ahead.to_python(py)?,
                self.behind.to_python(py)?,
                self.entries.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::GitBranch {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "GitBranch",
            [
                self.name.to_python(py)?,
                self.head.to_python(py)?,
                self.current.to_python(py)?,
                self.remote.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::GitCommit {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "GitCommit",
            [
                self.id.to_python(py)?,
                self.parents.to_python(py)?,
                self.author.to_python(py)?,
                self.email.to_python(py)?,
                self.date.to_python(py)?,
                self.message.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::GitChange {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "GitChange",
            [
                self.path.to_python(py)?,
                self.previous.to_python(py)?,
                self.status.to_python(py)?,
                self.added.to_python(py)?,
                self.removed.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::ImageInfo {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "ImageInfo",
            [
                self.reference.to_python(py)?,
                self.id.to_python(py)?,
                self.digest.to_python(py)?,
                self.platform.to_python(py)?,
                self.size.to_python(py)?,
                self.fetched_at.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::PrunedImages {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(py, "PrunedImages", [self.images.to_python(py)?, self.freed.to_python(py)?, self.left.to_python(py)?])
    }
}
impl FromPython for api::PullOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["pull", "platform", "auth"])?;
        Ok(Self {
            pull: fields.get(intern!(fields.py(), "pull"))?,
            platform: fields.get(intern!(fields.py(), "platform"))?,
            auth: fields.get(intern!(fields.py(), "auth"))?,
        })
    }
}
impl FromPython for api::OpenOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["home", "default_provider"])?;
        Ok(Self {
            home: fields.get(intern!(fields.py(), "home"))?,
            default_provider: fields.get(intern!(fields.py(), "default_provider"))?,
        })
    }
}
impl FromPython for api::ListOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["labels", "states", "provider", "deleted"])?;
        Ok(Self {
            labels: fields.get(intern!(fields.py(), "labels"))?,
            states: fields.get(intern!(fields.py(), "states"))?,
            provider: fields.get(intern!(fields.py(), "provider"))?,
            deleted: fields.get(intern!(fields.py(), "deleted"))?,
        })
    }
}
impl ToPython for api::SandboxInfo {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "SandboxInfo",
            [
                self.id.to_python(py)?,
                self.name.to_python(py)?,
                self.provider.to_python(py)?,
                self.state.to_python(py)?,
                self.state_since.to_python(py)?,
                self.labels.to_python(py)?,
                self.image.to_python(py)?,
                self.detached.to_python(py)?,
                self.expires_at.to_python(py)?,
                self.error.to_python(py)?,
                self.pool.to_python(py)?,
                self.created_at.to_python(py)?,
                self.ended_at.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::ProviderInfo {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "ProviderInfo",
            [
                self.kind.to_python(py)?,
                self.works.to_python(py)?,
                self.isolation.to_python(py)?,
                self.capabilities.to_python(py)?,
                self.problem.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::Garbage {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "Garbage",
            [
                self.kind.to_python(py)?,
                self.id.to_python(py)?,
                self.name.to_python(py)?,
                self.provider.to_python(py)?,
                self.reason.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::Limits {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "Limits",
            [
                self.concurrent_creates.to_python(py)?,
                self.live_sandboxes.to_python(py)?,
                self.queue_length.to_python(py)?,
                self.queue_wait.to_python(py)?
            ]
        )
    }
}
impl FromPython for api::LimitsOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&[
            "concurrent_creates",
            "live_sandboxes",
            "unlimited_live_sandboxes",
            "queue_length",
            "queue_wait",
        ])?;
        Ok(Self {
            concurrent_creates: fields.get(intern!(fields.py(), "concurrent_creates"))?,
            live_sandboxes: fields.get(intern!(fields.py(), "live_sandboxes"))?,
            unlimited_live_sandboxes: fields.get(intern!(fields.py(), "unlimited_live_sandboxes"))?,
            queue_length: fields.get(intern!(fields.py(), "queue_length"))?,
            queue_wait: fields.get(intern!(fields.py(), "queue_wait"))?,
        })
    }
}
impl ToPython for api::QueueEntry {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "QueueEntry",
            [
                self.sandbox.to_python(py)?,
                self.name.to_python(py)?,
                self.provider.to_python(py)?,
                self.pid.to_python(py)?,
                self.program.to_python(py)?,
                self.since.to_python(py)?,
                self.position.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::Queue {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "Queue",
            [
                self.limits.to_python(py)?,
                self.live.to_python(py)?,
                self.making.to_python(py)?,
                self.waiting.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::KindUsage {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "KindUsage",
            [
                self.kind.to_python(py)?,
                self.count.to_python(py)?,
                self.bytes.to_python(py)?,
                self.reclaimable.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::Endpoint {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(py, "Endpoint", [self.host.to_python(py)?, self.port.to_python(py)?, self.url.to_python(py)?])
    }
}
impl ToPython for api::ListeningPort {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "ListeningPort",
            [
                self.port.to_python(py)?,
                self.address.to_python(py)?,
                self.pid.to_python(py)?,
                self.process.to_python(py)?
            ]
        )
    }
}
impl FromPython for api::RegistryAuth {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["username", "password", "server"])?;
        Ok(Self {
            username: fields.get(intern!(fields.py(), "username"))?,
            password: fields.get(intern!(fields.py(), "password"))?,
            server: fields.get(intern!(fields.py(), "server"))?,
        })
    }
}
impl FromPython for api::VolumeMount {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["volume", "target", "subpath", "read_only"])?;
        Ok(Self {
            volume: fields.get(intern!(fields.py(), "volume"))?,
            target: fields.get(intern!(fields.py(), "target"))?,
            subpath: fields.get(intern!(fields.py(), "subpath"))?,
            read_only: fields.get(intern!(fields.py(), "read_only"))?,
        })
    }
}
impl FromPython for api::Secret {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["env", "value", "delivery"])?;
        Ok(Self {
            env: fields.get(intern!(fields.py(), "env"))?,
            value: fields.get(intern!(fields.py(), "value"))?,
            delivery: fields.get(intern!(fields.py(), "delivery"))?,
        })
    }
}
impl FromPython for api::NamespaceOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&[
            "hostname",
            "shm_size",
            "read_only_root",
            "nested_user_namespaces",
            "users",
            "disk_backing",
        ])?;
        Ok(Self {
            hostname: fields.get(intern!(fields.py(), "hostname"))?,
            shm_size: fields.get(intern!(fields.py(), "shm_size"))?,
            read_only_root: fields.get(intern!(fields.py(), "read_only_root"))?,
            nested_user_namespaces: fields.get(intern!(fields.py(), "nested_user_namespaces"))?,
            users: fields.get(intern!(fields.py(), "users"))?,
            disk_backing: fields.get(intern!(fields.py(), "disk_backing"))?,
        })
    }
}
impl FromPython for api::HostOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["inherit_env"])?;
        Ok(Self { inherit_env: fields.get(intern!(fields.py(), "inherit_env"))? })
    }
}
impl FromPython for api::DockerOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&[
            "runtime",
            "privileged",
            "host_network",
            "network",
            "extra_hosts",
            "dns",
            "cap_add",
            "cap_drop",
            "security_opt",
            "shm_size",
            "ulimits",
            "devices",
            "sysctls",
            "hostname",
            "workspace_volume",
            "sidecars",
        ])?;
        Ok(Self {
            runtime: fields.get(intern!(fields.py(), "runtime"))?,
            privileged: fields.get(intern!(fields.py(), "privileged"))?,
            host_network: fields.get(intern!(fields.py(), "host_network"))?,
            network: fields.get(intern!(fields.py(), "network"))?,
            extra_hosts: fields.get(intern!(fields.py(), "extra_hosts"))?,
            dns: fields.get(intern!(fields.py(), "dns"))?,
            cap_add: fields.get(intern!(fields.py(), "cap_add"))?,
            cap_drop: fields.get(intern!(fields.py(), "cap_drop"))?,
            security_opt: fields.get(intern!(fields.py(), "security_opt"))?,
            shm_size: fields.get(intern!(fields.py(), "shm_size"))?,
            ulimits: fields.get(intern!(fields.py(), "ulimits"))?,
            devices: fields.get(intern!(fields.py(), "devices"))?,
            sysctls: fields.get(intern!(fields.py(), "sysctls"))?,
            hostname: fields.get(intern!(fields.py(), "hostname"))?,
            workspace_volume: fields.get(intern!(fields.py(), "workspace_volume"))?,
            sidecars: fields.get(intern!(fields.py(), "sidecars"))?,
        })
    }
}
impl FromPython for api::Sidecar {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["name", "image", "auth", "env", "entrypoint", "command", "user", "health"])?;
        Ok(Self {
            name: fields.get(intern!(fields.py(), "name"))?,
            image: fields.get(intern!(fields.py(), "image"))?,
            auth: fields.get(intern!(fields.py(), "auth"))?,
            env: fields.get(intern!(fields.py(), "env"))?,
            entrypoint: fields.get(intern!(fields.py(), "entrypoint"))?,
            command: fields.get(intern!(fields.py(), "command"))?,
            user: fields.get(intern!(fields.py(), "user"))?,
            health: fields.get(intern!(fields.py(), "health"))?,
        })
    }
}
impl FromPython for api::SidecarHealth {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["command", "interval", "timeout", "retries", "start_period"])?;
        Ok(Self {
            command: fields.get(intern!(fields.py(), "command"))?,
            interval: fields.get(intern!(fields.py(), "interval"))?,
            timeout: fields.get(intern!(fields.py(), "timeout"))?,
            retries: fields.get(intern!(fields.py(), "retries"))?,
            start_period: fields.get(intern!(fields.py(), "start_period"))?,
        })
    }
}
impl FromPython for api::CreateOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&[
            "provider",
            "name",
            "image",
            "pull",
            "platform",
            "auth",
            "archive",
            "rootfs",
            "snapshot",
            "workspace",
            "env",
            "labels",
            "user",
            "workdir",
            "cpus",
            "memory",
            "disk",
            "pids",
            "gpus",
            "mounts",
            "volumes",
            "secrets",
            "ports",
            "network",
            "ttl",
            "idle_timeout",
            "on_expiry",
            "on_idle",
            "detached",
            "owner_lease",
            "entrypoint",
            "least_isolation",
            "create_timeout",
            "idempotency_key",
            "namespace",
            "docker",
            "host",
        ])?;
        Ok(Self {
            provider: fields.get(intern!(fields.py(), "provider"))?,
            name: fields.get(intern!(fields.py(), "name"))?,
            image: fields.get(intern!(fields.py(), "image"))?,
            pull: fields.get(intern!(fields.py(), "pull"))?,
            platform: fields.get(intern!(fields.py(), "platform"))?,
            auth: fields.get(intern!(fields.py(), "auth"))?,
            archive: fields.get(intern!(fields.py(), "archive"))?,
            rootfs: fields.get(intern!(fields.py(), "rootfs"))?,
            snapshot: fields.get(intern!(fields.py(), "snapshot"))?,
            workspace: fields.get(intern!(fields.py(), "workspace"))?,
            env: fields.get(intern!(fields.py(), "env"))?,
            labels: fields.get(intern!(fields.py(), "labels"))?,
            user: fields.get(intern!(fields.py(), "user"))?,
            workdir: fields.get(intern!(fields.py(), "workdir"))?,
            cpus: fields.get(intern!(fields.py(), "cpus"))?,
            memory: fields.get(intern!(fields.py(), "memory"))?,
            disk: fields.get(intern!(fields.py(), "disk"))?,
            pids: fields.get(intern!(fields.py(), "pids"))?,
            gpus: fields.get(intern!(fields.py(), "gpus"))?,
            mounts: fields.get(intern!(fields.py(), "mounts"))?,
            volumes: fields.get(intern!(fields.py(), "volumes"))?,
            secrets: fields.get(intern!(fields.py(), "secrets"))?,
            ports: fields.get(intern!(fields.py(), "ports"))?,
            network: fields.get(intern!(fields.py(), "network"))?,
            ttl: fields.get(intern!(fields.py(), "ttl"))?,
            idle_timeout: fields.get(intern!(fields.py(), "idle_timeout"))?,
            on_expiry: fields.get(intern!(fields.py(), "on_expiry"))?,
            on_idle: fields.get(intern!(fields.py(), "on_idle"))?,
            detached: fields.get(intern!(fields.py(), "detached"))?,
            owner_lease: fields.get(intern!(fields.py(), "owner_lease"))?,
            entrypoint: fields.get(intern!(fields.py(), "entrypoint"))?,
            least_isolation: fields.get(intern!(fields.py(), "least_isolation"))?,
            create_timeout: fields.get(intern!(fields.py(), "create_timeout"))?,
            idempotency_key: fields.get(intern!(fields.py(), "idempotency_key"))?,
            namespace: fields.get(intern!(fields.py(), "namespace"))?,
            docker: fields.get(intern!(fields.py(), "docker"))?,
            host: fields.get(intern!(fields.py(), "host"))?,
        })
    }
}
impl FromPython for api::PoolOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["sandbox", "min_ready", "refills_at_once", "max_age", "name", "shared_as"])?;
        Ok(Self {
            sandbox: fields.get(intern!(fields.py(), "sandbox"))?,
            min_ready: fields.get(intern!(fields.py(), "min_ready"))?,
            refills_at_once: fields.get(intern!(fields.py(), "refills_at_once"))?,
            max_age: fields.get(intern!(fields.py(), "max_age"))?,
            name: fields.get(intern!(fields.py(), "name"))?,
            shared_as: fields.get(intern!(fields.py(), "shared_as"))?,
        })
    }
}
impl FromPython for api::TakeOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["name", "labels", "ttl", "detached", "timeout"])?;
        Ok(Self {
            name: fields.get(intern!(fields.py(), "name"))?,
            labels: fields.get(intern!(fields.py(), "labels"))?,
            ttl: fields.get(intern!(fields.py(), "ttl"))?,
            detached: fields.get(intern!(fields.py(), "detached"))?,
            timeout: fields.get(intern!(fields.py(), "timeout"))?,
        })
    }
}
impl ToPython for api::PoolStatus {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "PoolStatus",
            [
                self.size.to_python(py)?,
                self.ready.to_python(py)?,
                self.making.to_python(py)?,
                self.taken.to_python(py)?,
                self.made_directly.to_python(py)?,
                self.failure.to_python(py)?
            ]
        )
    }
}
impl FromPython for api::AttachOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["only_new", "after_stdout", "after_stderr"])?;
        Ok(Self {
            only_new: fields.get(intern!(fields.py(), "only_new"))?,
            after_stdout: fields.get(intern!(fields.py(), "after_stdout"))?,
            after_stderr: fields.get(intern!(fields.py(), "after_stderr"))?,
        })
    }
}
impl ToPython for api::ProcessInfo {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "ProcessInfo",
            [
                self.id.to_python(py)?,
                self.pid.to_python(py)?,
                self.argv.to_python(py)?,
                self.label.to_python(py)?,
                self.user.to_python(py)?,
                self.pty.to_python(py)?,
                self.detached.to_python(py)?,
                self.started_at.to_python(py)?,
                self.stdout_bytes.to_python(py)?,
                self.stderr_bytes.to_python(py)?,
                self.cpu_time.to_python(py)?,
                self.memory.to_python(py)?,
                self.exit.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::SandboxImage {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "SandboxImage",
            [
                self.reference.to_python(py)?,
                self.id.to_python(py)?,
                self.digest.to_python(py)?,
                self.entrypoint.to_python(py)?,
                self.command.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::Status {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "Status",
            [
                self.state.to_python(py)?,
                self.provider_state.to_python(py)?,
                self.name.to_python(py)?,
                self.error.to_python(py)?,
                self.post_mortem.to_python(py)?,
                self.labels.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::Metrics {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "Metrics",
            [
                self.at.to_python(py)?,
                self.cpu_time.to_python(py)?,
                self.cpu_limit.to_python(py)?,
                self.memory.to_python(py)?,
                self.peak_memory.to_python(py)?,
                self.memory_limit.to_python(py)?,
                self.disk.to_python(py)?,
                self.disk_limit.to_python(py)?,
                self.pids.to_python(py)?,
                self.pids_limit.to_python(py)?,
                self.network_received.to_python(py)?,
                self.network_sent.to_python(py)?
            ]
        )
    }
}
impl FromPython for api::SnapshotOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["name", "labels", "include_memory"])?;
        Ok(Self {
            name: fields.get(intern!(fields.py(), "name"))?,
            labels: fields.get(intern!(fields.py(), "labels"))?,
            include_memory: fields.get(intern!(fields.py(), "include_memory"))?,
        })
    }
}
impl FromPython for api::ForkOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["count", "name", "labels", "include_memory"])?;
        Ok(Self {
            count: fields.get(intern!(fields.py(), "count"))?,
            name: fields.get(intern!(fields.py(), "name"))?,
            labels: fields.get(intern!(fields.py(), "labels"))?,
            include_memory: fields.get(intern!(fields.py(), "include_memory"))?,
        })
    }
}
impl FromPython for api::ResizeOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["cpus", "memory", "disk", "pids"])?;
        Ok(Self {
            cpus: fields.get(intern!(fields.py(), "cpus"))?,
            memory: fields.get(intern!(fields.py(), "memory"))?,
            disk: fields.get(intern!(fields.py(), "disk"))?,
            pids: fields.get(intern!(fields.py(), "pids"))?,
        })
    }
}
impl FromPython for api::GrepOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["path", "ignore_case", "include", "max_matches"])?;
        Ok(Self {
            path: fields.get(intern!(fields.py(), "path"))?,
            ignore_case: fields.get(intern!(fields.py(), "ignore_case"))?,
            include: fields.get(intern!(fields.py(), "include"))?,
            max_matches: fields.get(intern!(fields.py(), "max_matches"))?,
        })
    }
}
impl FromPython for api::WalkOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["max_depth", "exclude"])?;
        Ok(Self {
            max_depth: fields.get(intern!(fields.py(), "max_depth"))?,
            exclude: fields.get(intern!(fields.py(), "exclude"))?,
        })
    }
}
impl ToPython for api::GrepMatch {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(py, "GrepMatch", [self.path.to_python(py)?, self.line_number.to_python(py)?, self.line.to_python(py)?])
    }
}
impl ToPython for api::WalkEntry {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(py, "WalkEntry", [self.path.to_python(py)?, self.size.to_python(py)?])
    }
}
impl FromPython for api::ServiceOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["env", "cwd", "user", "ready_port", "ready_output", "ready_command", "ready_timeout"])?;
        Ok(Self {
            env: fields.get(intern!(fields.py(), "env"))?,
            cwd: fields.get(intern!(fields.py(), "cwd"))?,
            user: fields.get(intern!(fields.py(), "user"))?,
            ready_port: fields.get(intern!(fields.py(), "ready_port"))?,
            ready_output: fields.get(intern!(fields.py(), "ready_output"))?,
            ready_command: fields.get(intern!(fields.py(), "ready_command"))?,
            ready_timeout: fields.get(intern!(fields.py(), "ready_timeout"))?,
        })
    }
}
impl ToPython for api::ServiceStatus {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(py, "ServiceStatus", [self.running.to_python(py)?, self.exit_code.to_python(py)?])
    }
}
impl FromPython for api::SessionOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["shell", "env", "cwd", "user", "rows", "cols"])?;
        Ok(Self {
            shell: fields.get(intern!(fields.py(), "shell"))?,
            env: fields.get(intern!(fields.py(), "env"))?,
            cwd: fields.get(intern!(fields.py(), "cwd"))?,
            user: fields.get(intern!(fields.py(), "user"))?,
            rows: fields.get(intern!(fields.py(), "rows"))?,
            cols: fields.get(intern!(fields.py(), "cols"))?,
        })
    }
}
impl ToPython for api::SessionOutput {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "SessionOutput",
            [
                self.output.to_python(py)?,
                self.omitted.to_python(py)?,
                self.exit_code.to_python(py)?,
                self.timed_out.to_python(py)?,
                self.closed.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::Snapshot {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "Snapshot",
            [
                self.id.to_python(py)?,
                self.name.to_python(py)?,
                self.provider.to_python(py)?,
                self.sandbox.to_python(py)?,
                self.state.to_python(py)?,
                self.labels.to_python(py)?,
                self.size.to_python(py)?,
                self.error.to_python(py)?,
                self.created_at.to_python(py)?
            ]
        )
    }
}
impl FromPython for api::ExportOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["provider", "reference", "compress"])?;
        Ok(Self {
            provider: fields.get(intern!(fields.py(), "provider"))?,
            reference: fields.get(intern!(fields.py(), "reference"))?,
            compress: fields.get(intern!(fields.py(), "compress"))?,
        })
    }
}
impl FromPython for api::ImportOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["provider", "name", "labels", "image"])?;
        Ok(Self {
            provider: fields.get(intern!(fields.py(), "provider"))?,
            name: fields.get(intern!(fields.py(), "name"))?,
            labels: fields.get(intern!(fields.py(), "labels"))?,
            image: fields.get(intern!(fields.py(), "image"))?,
        })
    }
}
impl ToPython for api::ExportedImage {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "ExportedImage",
            [
                self.id.to_python(py)?,
                self.digest.to_python(py)?,
                self.reference.to_python(py)?,
                self.layers.to_python(py)?,
                self.size.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::PostMortem {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "PostMortem",
            [
                self.sandbox.to_python(py)?,
                self.cause.to_python(py)?,
                self.at.to_python(py)?,
                self.reason.to_python(py)?,
                self.exit_code.to_python(py)?,
                self.signal.to_python(py)?,
                self.memory_limit.to_python(py)?,
                self.peak_memory.to_python(py)?,
                self.running.to_python(py)?,
                self.last_output.to_python(py)?,
                self.denials.to_python(py)?
            ]
        )
    }
}
impl ToPython for api::Volume {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        make!(
            py,
            "Volume",
            [
                self.id.to_python(py)?,
                self.name.to_python(py)?,
                self.provider.to_python(py)?,
                self.state.to_python(py)?,
                self.labels.to_python(py)?,
                self.size.to_python(py)?,
                self.created_at.to_python(py)?,
                self.attached.to_python(py)?
            ]
        )
    }
}
impl FromPython for api::VolumeOptions {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let fields = Fields::of(value, name);
        fields.are_known(&["size", "labels", "provider"])?;
        Ok(Self {
            size: fields.get(intern!(fields.py(), "size"))?,
            labels: fields.get(intern!(fields.py(), "labels"))?,
            provider: fields.get(intern!(fields.py(), "provider"))?,
        })
    }
}
impl ToPython for api::ErrorCode {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::NotFound => intern!(py, "not_found"),
            Self::AlreadyExists => intern!(py, "already_exists"),
            Self::NotOwned => intern!(py, "not_owned"),
            Self::Unsupported => intern!(py, "unsupported"),
            Self::InvalidSpec => intern!(py, "invalid_spec"),
            Self::InvalidState => intern!(py, "invalid_state"),
            Self::Timeout => intern!(py, "timeout"),
            Self::Cancelled => intern!(py, "cancelled"),
            Self::Unauthenticated => intern!(py, "unauthenticated"),
            Self::PermissionDenied => intern!(py, "permission_denied"),
            Self::RateLimited => intern!(py, "rate_limited"),
            Self::Overloaded => intern!(py, "overloaded"),
            Self::LimitExceeded => intern!(py, "limit_exceeded"),
            Self::OutOfMemory => intern!(py, "out_of_memory"),
            Self::OutOfDisk => intern!(py, "out_of_disk"),
            Self::ImageNotFound => intern!(py, "image_not_found"),
            Self::ImagePullFailed => intern!(py, "image_pull_failed"),
            Self::EngineUnavailable => intern!(py, "engine_unavailable"),
            Self::SandboxGone => intern!(py, "sandbox_gone"),
            Self::PolicyDenied => intern!(py, "policy_denied"),
            Self::Transport => intern!(py, "transport"),
            Self::Incomplete => intern!(py, "incomplete"),
            Self::Conflict => intern!(py, "conflict"),
            Self::CommandFailed => intern!(py, "command_failed"),
            Self::Io => intern!(py, "io"),
            Self::Internal => intern!(py, "internal"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::ErrorCode {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "not_found" => Ok(Self::NotFound),
            "already_exists" => Ok(Self::AlreadyExists),
            "not_owned" => Ok(Self::NotOwned),
            "unsupported" => Ok(Self::Unsupported),
            "invalid_spec" => Ok(Self::InvalidSpec),
            "invalid_state" => Ok(Self::InvalidState),
            "timeout" => Ok(Self::Timeout),
            "cancelled" => Ok(Self::Cancelled),
            "unauthenticated" => Ok(Self::Unauthenticated),
            "permission_denied" => Ok(Self::PermissionDenied),
            "rate_limited" => Ok(Self::RateLimited),
            "overloaded" => Ok(Self::Overloaded),
            "limit_exceeded" => Ok(Self::LimitExceeded),
            "out_of_memory" => Ok(Self::OutOfMemory),
            "out_of_disk" => Ok(Self::OutOfDisk),
            "image_not_found" => Ok(Self::ImageNotFound),
            "image_pull_failed" => Ok(Self::ImagePullFailed),
            "engine_unavailable" => Ok(Self::EngineUnavailable),
            "sandbox_gone" => Ok(Self::SandboxGone),
            "policy_denied" => Ok(Self::PolicyDenied),
            "transport" => Ok(Self::Transport),
            "incomplete" => Ok(Self::Incomplete),
            "conflict" => Ok(Self::Conflict),
            "command_failed" => Ok(Self::CommandFailed),
            "io" => Ok(Self::Io),
            "internal" => Ok(Self::Internal),
            _ => Err(unknown_word(
                value.py(),
                name,
                &word,
                &[
                    "not_found",
                    "already_exists",
                    "not_owned",
                    "unsupported",
                    "invalid_spec",
                    "invalid_state",
                    "timeout",
                    "cancelled",
                    "unauthenticated",
                    "permission_denied",
                    "rate_limited",
                    "overloaded",
                    "limit_exceeded",
                    "out_of_memory",
                    "out_of_disk",
                    "image_not_found",
                    "image_pull_failed",
                    "engine_unavailable",
                    "sandbox_gone",
                    "policy_denied",
                    "transport",
                    "incomplete",
                    "conflict",
                    "command_failed",
                    "io",
                    "internal",
                ],
            )),
        }
    }
}
impl ToPython for api::Fault {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::Program => intern!(py, "program"),
            Self::Caller => intern!(py, "caller"),
            Self::Policy => intern!(py, "policy"),
            Self::Infrastructure => intern!(py, "infrastructure"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::Fault {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "program" => Ok(Self::Program),
            "caller" => Ok(Self::Caller),
            "policy" => Ok(Self::Policy),
            "infrastructure" => Ok(Self::Infrastructure),
            _ => Err(unknown_word(value.py(), name, &word, &["program", "caller", "policy", "infrastructure"])),
        }
    }
}
impl ToPython for api::FileErrorKind {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::NotFound => intern!(py, "not_found"),
            Self::PermissionDenied => intern!(py, "permission_denied"),
            Self::AlreadyExists => intern!(py, "already_exists"),
            Self::IsADirectory => intern!(py, "is_a_directory"),
            Self::NotADirectory => intern!(py, "not_a_directory"),
            Self::NotEmpty => intern!(py, "not_empty"),
            Self::TooManyLinks => intern!(py, "too_many_links"),
            Self::NameTooLong => intern!(py, "name_too_long"),
            Self::NoSpace => intern!(py, "no_space"),
            Self::ReadOnly => intern!(py, "read_only"),
            Self::InvalidPath => intern!(py, "invalid_path"),
            Self::TooLarge => intern!(py, "too_large"),
            Self::Busy => intern!(py, "busy"),
            Self::CrossDevice => intern!(py, "cross_device"),
            Self::Other => intern!(py, "other"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::FileErrorKind {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "not_found" => Ok(Self::NotFound),
            "permission_denied" => Ok(Self::PermissionDenied),
            "already_exists" => Ok(Self::AlreadyExists),
            "is_a_directory" => Ok(Self::IsADirectory),
            "not_a_directory" => Ok(Self::NotADirectory),
            "not_empty" => Ok(Self::NotEmpty),
            "too_many_links" => Ok(Self::TooManyLinks),
            "name_too_long" => Ok(Self::NameTooLong),
            "no_space" => Ok(Self::NoSpace),
            "read_only" => Ok(Self::ReadOnly),
            "invalid_path" => Ok(Self::InvalidPath),
            "too_large" => Ok(Self::TooLarge),
            "busy" => Ok(Self::Busy),
            "cross_device" => Ok(Self::CrossDevice),
            "other" => Ok(Self::Other),
            _ => Err(unknown_word(
                value.py(),
                name,
                &word,
                &[
                    "not_found",
                    "permission_denied",
                    "already_exists",
                    "is_a_directory",
                    "not_a_directory",
                    "not_empty",
                    "too_many_links",
                    "name_too_long",
                    "no_space",
                    "read_only",
                    "invalid_path",
                    "too_large",
                    "busy",
                    "cross_device",
                    "other",
                ],
            )),
        }
    }
}
impl ToPython for api::Detail {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            Self::InvalidSpec { field, reason } => {
                make!(py, "InvalidSpecDetail", [field.to_python(py)?, reason.to_python(py)?])
            }
            Self::Unsupported { capability } => {
                make!(py, "UnsupportedDetail", [capability.to_python(py)?])
            }
            Self::InvalidState { state, action } => {
                make!(py, "InvalidStateDetail", [state.to_python(py)?, action.to_python(py)?])
            }
            Self::Timeout { operation, elapsed } => {
                make!(py, "TimeoutDetail", [operation.to_python(py)?, elapsed.to_python(py)?])
            }
            Self::Incomplete { output_abandoned, stop_acknowledged, termination_confirmed, cleanup_confirmed } => {
                make!(
                    py,
                    "IncompleteDetail",
                    [
                        output_abandoned.to_python(py)?,
                        stop_acknowledged.to_python(py)?,
                        termination_confirmed.to_python(py)?,
                        cleanup_confirmed.to_python(py)?
                    ]
                )
            }
            Self::File { path, kind } => {
                make!(py, "FileDetail", [path.to_python(py)?, kind.to_python(py)?])
            }
            Self::Launch { step, errno, hint } => {
                make!(py, "LaunchDetail", [step.to_python(py)?, errno.to_python(py)?, hint.to_python(py)?])
            }
            Self::Resource { resource, id } => {
                make!(py, "ResourceDetail", [resource.to_python(py)?, id.to_python(py)?])
            }
            Self::Limit { limit, max } => {
                make!(py, "LimitDetail", [limit.to_python(py)?, max.to_python(py)?])
            }
            Self::Died { post_mortem } => {
                make!(py, "DiedDetail", [post_mortem.to_python(py)?])
            }
            Self::Exec { failure } => make!(py, "ExecDetail", [failure.to_python(py)?]),
            Self::Git { operation, kind } => {
                make!(py, "GitDetail", [operation.to_python(py)?, kind.to_python(py)?])
            }
            Self::Provider { code, json } => {
                make!(py, "ProviderDetail", [code.to_python(py)?, json.to_python(py)?])
            }
        }
    }
}
impl ToPython for api::DeniedProtocol {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::Dns => intern!(py, "dns"),
            Self::Tcp => intern!(py, "tcp"),
            Self::Udp => intern!(py, "udp"),
            Self::Other => intern!(py, "other"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::DeniedProtocol {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "dns" => Ok(Self::Dns),
            "tcp" => Ok(Self::Tcp),
            "udp" => Ok(Self::Udp),
            "other" => Ok(Self::Other),
            _ => Err(unknown_word(value.py(), name, &word, &["dns", "tcp", "udp", "other"])),
        }
    }
}
impl ToPython for api::DenialReason {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::NotAllowed => intern!(py, "not_allowed"),
            Self::Denied => intern!(py, "denied"),
            Self::PrivateAddress => intern!(py, "private_address"),
            Self::SecretHost => intern!(py, "secret_host"),
            Self::Unknown => intern!(py, "unknown"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::DenialReason {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "not_allowed" => Ok(Self::NotAllowed),
            "denied" => Ok(Self::Denied),
            "private_address" => Ok(Self::PrivateAddress),
            "secret_host" => Ok(Self::SecretHost),
            "unknown" => Ok(Self::Unknown),
            _ => Err(unknown_word(
                value.py(),
                name,
                &word,
                &["not_allowed", "denied", "private_address", "secret_host", "unknown"],
            )),
        }
    }
}
impl ToPython for api::ProgressUnit {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::Bytes => intern!(py, "bytes"),
            Self::Items => intern!(py, "items"),
            Self::Steps => intern!(py, "steps"),
            Self::Percent => intern!(py, "percent"),
            Self::Unknown => intern!(py, "unknown"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::ProgressUnit {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "bytes" => Ok(Self::Bytes),
            "items" => Ok(Self::Items),
            "steps" => Ok(Self::Steps),
            "percent" => Ok(Self::Percent),
            "unknown" => Ok(Self::Unknown),
            _ => Err(unknown_word(value.py(), name, &word, &["bytes", "items", "steps", "percent", "unknown"])),
        }
    }
}
impl ToPython for api::LimitKind {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::Memory => intern!(py, "memory"),
            Self::Pids => intern!(py, "pids"),
            Self::Disk => intern!(py, "disk"),
            Self::Output => intern!(py, "output"),
            Self::Unknown => intern!(py, "unknown"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::LimitKind {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "memory" => Ok(Self::Memory),
            "pids" => Ok(Self::Pids),
            "disk" => Ok(Self::Disk),
            "output" => Ok(Self::Output),
            "unknown" => Ok(Self::Unknown),
            _ => Err(unknown_word(value.py(), name, &word, &["memory", "pids", "disk", "output", "unknown"])),
        }
    }
}
impl ToPython for api::EventKind {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            Self::OperationStarted { action } => {
                make!(py, "OperationStartedEventKind", [action.to_python(py)?])
            }
            Self::OperationProgress { action, progress } => {
                make!(py, "OperationProgressEventKind", [action.to_python(py)?, progress.to_python(py)?])
            }
            Self::OperationCompleted { action, duration } => {
                make!(py, "OperationCompletedEventKind", [action.to_python(py)?, duration.to_python(py)?])
            }
            Self::OperationFailed { action, duration, error } => {
                make!(
                    py,
                    "OperationFailedEventKind",
                    [action.to_python(py)?, duration.to_python(py)?, error.to_python(py)?]
                )
            }
            Self::StateObserved { resource, previous, current } => {
                make!(
                    py,
                    "StateObservedEventKind",
                    [resource.to_python(py)?, previous.to_python(py)?, current.to_python(py)?]
                )
            }
            Self::ExecStarted { process, label } => {
                make!(py, "ExecStartedEventKind", [process.to_python(py)?, label.to_python(py)?])
            }
            Self::ExecExited { process, exit } => {
                make!(py, "ExecExitedEventKind", [process.to_python(py)?, exit.to_python(py)?])
            }
            Self::FilesTransferred { upload, files, bytes } => {
                make!(
                    py,
                    "FilesTransferredEventKind",
                    [upload.to_python(py)?, files.to_python(py)?, bytes.to_python(py)?]
                )
            }
            Self::NetworkDenied { denial } => {
                make!(py, "NetworkDeniedEventKind", [denial.to_python(py)?])
            }
            Self::LimitReached { limit, max, process } => {
                make!(py, "LimitReachedEventKind", [limit.to_python(py)?, max.to_python(py)?, process.to_python(py)?])
            }
            Self::ExpirySoon { expires_at } => {
                make!(py, "ExpirySoonEventKind", [expires_at.to_python(py)?])
            }
            Self::Died { post_mortem } => {
                make!(py, "DiedEventKind", [post_mortem.to_python(py)?])
            }
            Self::Notice { code, message } => {
                make!(py, "NoticeEventKind", [code.to_python(py)?, message.to_python(py)?])
            }
            Self::Gone { oldest } => make!(py, "GoneEventKind", [oldest.to_python(py)?]),
            Self::Unknown { word } => {
                make!(py, "UnknownEventKind", [word.to_python(py)?])
            }
        }
    }
}
impl ToPython for api::Sanitize {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::Raw => intern!(py, "raw"),
            Self::StripAnsi => intern!(py, "strip_ansi"),
            Self::StripAll => intern!(py, "strip_all"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::Sanitize {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "raw" => Ok(Self::Raw),
            "strip_ansi" => Ok(Self::StripAnsi),
            "strip_all" => Ok(Self::StripAll),
            _ => Err(unknown_word(value.py(), name, &word, &["raw", "strip_ansi", "strip_all"])),
        }
    }
}
impl ToPython for api::Termination {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::Exited => intern!(py, "exited"),
            Self::Signalled => intern!(py, "signalled"),
            Self::TimedOut => intern!(py, "timed_out"),
            Self::Cancelled => intern!(py, "cancelled"),
            Self::Killed => intern!(py, "killed"),
            Self::Unknown => intern!(py, "unknown"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::Termination {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "exited" => Ok(Self::Exited),
            "signalled" => Ok(Self::Signalled),
            "timed_out" => Ok(Self::TimedOut),
            "cancelled" => Ok(Self::Cancelled),
            "killed" => Ok(Self::Killed),
            "unknown" => Ok(Self::Unknown),
            _ => Err(unknown_word(
                value.py(),
                name,
                &word,
                &["exited", "signalled", "timed_out", "cancelled", "killed", "unknown"],
            )),
        }
    }
}
impl ToPython for api::OutputEvent {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            Self::Stdout { data } => make!(py, "StdoutEvent", [data.to_python(py)?]),
            Self::Stderr { data } => make!(py, "StderrEvent", [data.to_python(py)?]),
            Self::Gap { bytes, of_stderr } => {
                make!(py, "GapEvent", [bytes.to_python(py)?, of_stderr.to_python(py)?])
            }
            Self::Exited { exit } => make!(py, "ExitedEvent", [exit.to_python(py)?]),
        }
    }
}
impl ToPython for api::FileKind {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::File => intern!(py, "file"),
            Self::Directory => intern!(py, "directory"),
            Self::Symlink => intern!(py, "symlink"),
            Self::Other => intern!(py, "other"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::FileKind {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "file" => Ok(Self::File),
            "directory" => Ok(Self::Directory),
            "symlink" => Ok(Self::Symlink),
            "other" => Ok(Self::Other),
            _ => Err(unknown_word(value.py(), name, &word, &["file", "directory", "symlink", "other"])),
        }
    }
}
impl ToPython for api::FileChangeKind {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::Created => intern!(py, "created"),
            Self::Modified => intern!(py, "modified"),
            Self::Attributes => intern!(py, "attributes"),
            Self::Renamed => intern!(py, "renamed"),
            Self::Removed => intern!(py, "removed"),
            Self::Overflow => intern!(py, "overflow"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::FileChangeKind {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "created" => Ok(Self::Created),
            "modified" => Ok(Self::Modified),
            "attributes" => Ok(Self::Attributes),
            "renamed" => Ok(Self::Renamed),
            "removed" => Ok(Self::Removed),
            "overflow" => Ok(Self::Overflow),
            _ => Err(unknown_word(
                value.py(),
                name,
                &word,
                &["created", "modified", "attributes", "renamed", "removed", "overflow"],
            )),
        }
    }
}
impl FromPython for api::NetworkPolicy {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let (word, fields) = (kind_of(value, name)?, Fields::of(value, name));
        match word.as_str() {
            "none" => Ok(Self::None),
            "public" => Ok(Self::Public),
            "allow" if !fields.is_word() => Ok(Self::Allow {
                allow: fields.get(intern!(fields.py(), "allow"))?,
                deny: fields.get(intern!(fields.py(), "deny"))?,
                dns: fields.get(intern!(fields.py(), "dns"))?,
            }),
            "provider_default" => Ok(Self::ProviderDefault),
            _ => Err(unknown_word(value.py(), name, &word, &["none", "public", "allow", "provider_default"])),
        }
    }
}
impl ToPython for api::PullPolicy {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::Missing => intern!(py, "missing"),
            Self::Always => intern!(py, "always"),
            Self::Never => intern!(py, "never"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::PullPolicy {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "missing" => Ok(Self::Missing),
            "always" => Ok(Self::Always),
            "never" => Ok(Self::Never),
            _ => Err(unknown_word(value.py(), name, &word, &["missing", "always", "never"])),
        }
    }
}
impl FromPython for api::Mount {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let (word, fields) = (kind_of(value, name)?, Fields::of(value, name));
        match word.as_str() {
            "bind" if !fields.is_word() => Ok(Self::Bind {
                source: fields.get(intern!(fields.py(), "source"))?,
                target: fields.get(intern!(fields.py(), "target"))?,
                read_only: fields.get(intern!(fields.py(), "read_only"))?,
            }),
            "tmpfs" if !fields.is_word() => Ok(Self::Tmpfs {
                target: fields.get(intern!(fields.py(), "target"))?,
                size: fields.get(intern!(fields.py(), "size"))?,
                mode: fields.get(intern!(fields.py(), "mode"))?,
            }),
            _ => Err(unknown_word(value.py(), name, &word, &["bind", "tmpfs"])),
        }
    }
}
impl FromPython for api::SecretDelivery {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let (word, fields) = (kind_of(value, name)?, Fields::of(value, name));
        match word.as_str() {
            "hosts" if !fields.is_word() => Ok(Self::Hosts { hosts: fields.get(intern!(fields.py(), "hosts"))? }),
            "exposed" => Ok(Self::Exposed),
            "file" if !fields.is_word() => Ok(Self::File { path: fields.get(intern!(fields.py(), "path"))? }),
            _ => Err(unknown_word(value.py(), name, &word, &["hosts", "exposed", "file"])),
        }
    }
}
impl ToPython for api::NamespaceUsers {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::Auto => intern!(py, "auto"),
            Self::Single => intern!(py, "single"),
            Self::Range => intern!(py, "range"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::NamespaceUsers {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "auto" => Ok(Self::Auto),
            "single" => Ok(Self::Single),
            "range" => Ok(Self::Range),
            _ => Err(unknown_word(value.py(), name, &word, &["auto", "single", "range"])),
        }
    }
}
impl ToPython for api::DiskBacking {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::Tmpfs => intern!(py, "tmpfs"),
            Self::Loop => intern!(py, "loop"),
            Self::Quota => intern!(py, "quota"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::DiskBacking {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "tmpfs" => Ok(Self::Tmpfs),
            "loop" => Ok(Self::Loop),
            "quota" => Ok(Self::Quota),
            _ => Err(unknown_word(value.py(), name, &word, &["tmpfs", "loop", "quota"])),
        }
    }
}
impl ToPython for api::SignalTarget {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::Tree => intern!(py, "tree"),
            Self::Leader => intern!(py, "leader"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::SignalTarget {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "tree" => Ok(Self::Tree),
            "leader" => Ok(Self::Leader),
            _ => Err(unknown_word(value.py(), name, &word, &["tree", "leader"])),
        }
    }
}
impl ToPython for api::SnapshotState {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::Building => intern!(py, "building"),
            Self::Active => intern!(py, "active"),
            Self::Inactive => intern!(py, "inactive"),
            Self::Error => intern!(py, "error"),
            Self::Deleting => intern!(py, "deleting"),
            Self::Deleted => intern!(py, "deleted"),
            Self::Unknown => intern!(py, "unknown"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::SnapshotState {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "building" => Ok(Self::Building),
            "active" => Ok(Self::Active),
            "inactive" => Ok(Self::Inactive),
            "error" => Ok(Self::Error),
            "deleting" => Ok(Self::Deleting),
            "deleted" => Ok(Self::Deleted),
            "unknown" => Ok(Self::Unknown),
            _ => Err(unknown_word(
                value.py(),
                name,
                &word,
                &["building", "active", "inactive", "error", "deleting", "deleted", "unknown"],
            )),
        }
    }
}
impl ToPython for api::State {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::Creating => intern!(py, "creating"),
            Self::Starting => intern!(py, "starting"),
            Self::Running => intern!(py, "running"),
            Self::Stopping => intern!(py, "stopping"),
            Self::Stopped => intern!(py, "stopped"),
            Self::Pausing => intern!(py, "pausing"),
            Self::Paused => intern!(py, "paused"),
            Self::Resuming => intern!(py, "resuming"),
            Self::Archiving => intern!(py, "archiving"),
            Self::Archived => intern!(py, "archived"),
            Self::Restoring => intern!(py, "restoring"),
            Self::Resizing => intern!(py, "resizing"),
            Self::Forking => intern!(py, "forking"),
            Self::Snapshotting => intern!(py, "snapshotting"),
            Self::Deleting => intern!(py, "deleting"),
            Self::Deleted => intern!(py, "deleted"),
            Self::Error => intern!(py, "error"),
            Self::Unknown => intern!(py, "unknown"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::State {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "creating" => Ok(Self::Creating),
            "starting" => Ok(Self::Starting),
            "running" => Ok(Self::Running),
            "stopping" => Ok(Self::Stopping),
            "stopped" => Ok(Self::Stopped),
            "pausing" => Ok(Self::Pausing),
            "paused" => Ok(Self::Paused),
            "resuming" => Ok(Self::Resuming),
            "archiving" => Ok(Self::Archiving),
            "archived" => Ok(Self::Archived),
            "restoring" => Ok(Self::Restoring),
            "resizing" => Ok(Self::Resizing),
            "forking" => Ok(Self::Forking),
            "snapshotting" => Ok(Self::Snapshotting),
            "deleting" => Ok(Self::Deleting),
            "deleted" => Ok(Self::Deleted),
            "error" => Ok(Self::Error),
            "unknown" => Ok(Self::Unknown),
            _ => Err(unknown_word(
                value.py(),
                name,
                &word,
                &[
                    "creating",
                    "starting",
                    "running",
                    "stopping",
                    "stopped",
                    "pausing",
                    "paused",
                    "resuming",
                    "archiving",
                    "archived",
                    "restoring",
                    "resizing",
                    "forking",
                    "snapshotting",
                    "deleting",
                    "deleted",
                    "error",
                    "unknown",
                ],
            )),
        }
    }
}
impl ToPython for api::Action {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::Create => intern!(py, "create"),
            Self::Attach => intern!(py, "attach"),
            Self::Start => intern!(py, "start"),
            Self::Stop => intern!(py, "stop"),
            Self::Delete => intern!(py, "delete"),
            Self::Activate => intern!(py, "activate"),
            Self::Deactivate => intern!(py, "deactivate"),
            Self::Pause => intern!(py, "pause"),
            Self::Resume => intern!(py, "resume"),
            Self::Archive => intern!(py, "archive"),
            Self::Fork => intern!(py, "fork"),
            Self::Resize => intern!(py, "resize"),
            Self::Snapshot => intern!(py, "snapshot"),
            Self::Recover => intern!(py, "recover"),
            Self::Undelete => intern!(py, "undelete"),
            Self::RefreshActivity => intern!(py, "refresh_activity"),
            Self::SetLifetimes => intern!(py, "set_lifetimes"),
            Self::SetLabels => intern!(py, "set_labels"),
            Self::UpdateNetwork => intern!(py, "update_network"),
            Self::Detach => intern!(py, "detach"),
            Self::Exec => intern!(py, "exec"),
            Self::Files => intern!(py, "files"),
            Self::Access => intern!(py, "access"),
            Self::Pull => intern!(py, "pull"),
            Self::Build => intern!(py, "build"),
            Self::Unknown => intern!(py, "unknown"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::Action {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "create" => Ok(Self::Create),
            "attach" => Ok(Self::Attach),
            "start" => Ok(Self::Start),
            "stop" => Ok(Self::Stop),
            "delete" => Ok(Self::Delete),
            "activate" => Ok(Self::Activate),
            "deactivate" => Ok(Self::Deactivate),
            "pause" => Ok(Self::Pause),
            "resume" => Ok(Self::Resume),
            "archive" => Ok(Self::Archive),
            "fork" => Ok(Self::Fork),
            "resize" => Ok(Self::Resize),
            "snapshot" => Ok(Self::Snapshot),
            "recover" => Ok(Self::Recover),
            "undelete" => Ok(Self::Undelete),
            "refresh_activity" => Ok(Self::RefreshActivity),
            "set_lifetimes" => Ok(Self::SetLifetimes),
            "set_labels" => Ok(Self::SetLabels),
            "update_network" => Ok(Self::UpdateNetwork),
            "detach" => Ok(Self::Detach),
            "exec" => Ok(Self::Exec),
            "files" => Ok(Self::Files),
            "access" => Ok(Self::Access),
            "pull" => Ok(Self::Pull),
            "build" => Ok(Self::Build),
            "unknown" => Ok(Self::Unknown),
            _ => Err(unknown_word(
                value.py(),
                name,
                &word,
                &[
                    "create",
                    "attach",
                    "start",
                    "stop",
                    "delete",
                    "activate",
                    "deactivate",
                    "pause",
                    "resume",
                    "archive",
                    "fork",
                    "resize",
                    "snapshot",
                    "recover",
                    "undelete",
                    "refresh_activity",
                    "set_lifetimes",
                    "set_labels",
                    "update_network",
                    "detach",
                    "exec",
                    "files",
                    "access",
                    "pull",
                    "build",
                    "unknown",
                ],
            )),
        }
    }
}
impl ToPython for api::Expiry {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::Delete => intern!(py, "delete"),
            Self::Stop => intern!(py, "stop"),
            Self::Pause => intern!(py, "pause"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::Expiry {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "delete" => Ok(Self::Delete),
            "stop" => Ok(Self::Stop),
            "pause" => Ok(Self::Pause),
            _ => Err(unknown_word(value.py(), name, &word, &["delete", "stop", "pause"])),
        }
    }
}
impl ToPython for api::Isolation {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::None => intern!(py, "none"),
            Self::Process => intern!(py, "process"),
            Self::Container => intern!(py, "container"),
            Self::Gvisor => intern!(py, "gvisor"),
            Self::Vm => intern!(py, "vm"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::Isolation {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "none" => Ok(Self::None),
            "process" => Ok(Self::Process),
            "container" => Ok(Self::Container),
            "gvisor" => Ok(Self::Gvisor),
            "vm" => Ok(Self::Vm),
            _ => Err(unknown_word(value.py(), name, &word, &["none", "process", "container", "gvisor", "vm"])),
        }
    }
}
impl ToPython for api::DeathCause {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::Oom => intern!(py, "oom"),
            Self::Evicted => intern!(py, "evicted"),
            Self::RemovedExternally => intern!(py, "removed_externally"),
            Self::EngineDown => intern!(py, "engine_down"),
            Self::AgentCrashed => intern!(py, "agent_crashed"),
            Self::Expired => intern!(py, "expired"),
            Self::OwnerLost => intern!(py, "owner_lost"),
            Self::Exited => intern!(py, "exited"),
            Self::OutOfDisk => intern!(py, "out_of_disk"),
            Self::Unknown => intern!(py, "unknown"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::DeathCause {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "oom" => Ok(Self::Oom),
            "evicted" => Ok(Self::Evicted),
            "removed_externally" => Ok(Self::RemovedExternally),
            "engine_down" => Ok(Self::EngineDown),
            "agent_crashed" => Ok(Self::AgentCrashed),
            "expired" => Ok(Self::Expired),
            "owner_lost" => Ok(Self::OwnerLost),
            "exited" => Ok(Self::Exited),
            "out_of_disk" => Ok(Self::OutOfDisk),
            "unknown" => Ok(Self::Unknown),
            _ => Err(unknown_word(
                value.py(),
                name,
                &word,
                &[
                    "oom",
                    "evicted",
                    "removed_externally",
                    "engine_down",
                    "agent_crashed",
                    "expired",
                    "owner_lost",
                    "exited",
                    "out_of_disk",
                    "unknown",
                ],
            )),
        }
    }
}
impl ToPython for api::VolumeState {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let word = match self {
            Self::Creating => intern!(py, "creating"),
            Self::Ready => intern!(py, "ready"),
            Self::Deleting => intern!(py, "deleting"),
            Self::Deleted => intern!(py, "deleted"),
            Self::Error => intern!(py, "error"),
            Self::Unknown => intern!(py, "unknown"),
        };
        Ok(word.clone().into_any().unbind())
    }
}
impl FromPython for api::VolumeState {
    fn from_python(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let word: String = FromPython::from_python(value, name)?;
        match word.as_str() {
            "creating" => Ok(Self::Creating),
            "ready" => Ok(Self::Ready),
            "deleting" => Ok(Self::Deleting),
            "deleted" => Ok(Self::Deleted),
            "error" => Ok(Self::Error),
            "unknown" => Ok(Self::Unknown),
            _ => Err(unknown_word(
                value.py(),
                name,
                &word,
                &["creating", "ready", "deleting", "deleted", "error", "unknown"],
            )),
        }
    }
}
#[pyclass(frozen, module = "isobox._native")]
pub(crate) struct Files(api::Files);
impl ToPython for api::Files {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Files(self))?.into_any())
    }
}
#[pymethods]
impl Files {
    fn read(&self, path: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path, options) = (FromPython::from_python(path, "path")?, FromPython::from_python(options, "options")?);
        Ok(Call::start(async move { this.read(path, options).await }))
    }
    fn read_text(&self, path: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path,) = (FromPython::from_python(path, "path")?,);
        Ok(Call::start(async move { this.read_text(path).await }))
    }
    fn read_stream(&self, path: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path, options) = (FromPython::from_python(path, "path")?, FromPython::from_python(options, "options")?);
        Ok(Call::start(async move { this.read_stream(path, options).await }))
    }
    fn write(&self, path: &Bound<'_, PyAny>, data: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path, data, options) = (
            FromPython::from_python(path, "path")?,
            FromPython::from_python(data, "data")?,
            FromPython::from_python(options, "options")?,
        );
        Ok(Call::start(async move { this.write(path, data, options).await.map(unit) }))
    }
    fn append(&self, path: &Bound<'_, PyAny>, data: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path, data) = (FromPython::from_python(path, "path")?, FromPython::from_python(data, "data")?);
        Ok(Call::start(async move { this.append(path, data).await.map(unit) }))
    }
    fn write_stream(&self, path: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path, options) = (FromPython::from_python(path, "path")?, FromPython::from_python(options, "options")?);
        Ok(Call::start(async move { this.write_stream(path, options).await }))
    }
    fn stat(&self, path: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path,) = (FromPython::from_python(path, "path")?,);
        Ok(Call::start(async move { this.stat(path).await }))
    }
    fn stat_link(&self, path: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path,) = (FromPython::from_python(path, "path")?,);
        Ok(Call::start(async move { this.stat_link(path).await }))
    }
    fn exists(&self, path: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path,) = (FromPython::from_python(path, "path")?,);
        Ok(Call::start(async move { this.exists(path).await }))
    }
    fn list(&self, path: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path, options) = (FromPython::from_python(path, "path")?, FromPython::from_python(options, "options")?);
        Ok(Call::start(async move { this.list(path, options).await }))
    }
    fn mkdir(&self, path: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path, options) = (FromPython::from_python(path, "path")?, FromPython::from_python(options, "options")?);
        Ok(Call::start(async move { this.mkdir(path, options).await.map(unit) }))
    }
    fn rename(&self, source: &Bound<'_, PyAny>, target: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (source, target) = (FromPython::from_python(source, "source")?, FromPython::from_python(target, "target")?);
        Ok(Call::start(async move { this.rename(source, target).await.map(unit) }))
    }
    fn copy(&self, source: &Bound<'_, PyAny>, target: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (source, target) = (FromPython::from_python(source, "source")?, FromPython::from_python(target, "target")?);
        Ok(Call::start(async move { this.copy(source, target).await.map(unit) }))
    }
    fn symlink(&self, target: &Bound<'_, PyAny>, path: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (target, path) = (FromPython::from_python(target, "target")?, FromPython::from_python(path, "path")?);
        Ok(Call::start(async move { this.symlink(target, path).await.map(unit) }))
    }
    fn read_link(&self, path: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path,) = (FromPython::from_python(path, "path")?,);
        Ok(Call::start(async move { this.read_link(path).await }))
    }
    fn chmod(&self, path: &Bound<'_, PyAny>, mode: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path, mode) = (FromPython::from_python(path, "path")?, FromPython::from_python(mode, "mode")?);
        Ok(Call::start(async move { this.chmod(path, mode).await.map(unit) }))
    }
    fn chown(&self, path: &Bound<'_, PyAny>, owner: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path, owner) = (FromPython::from_python(path, "path")?, FromPython::from_python(owner, "owner")?);
        Ok(Call::start(async move { this.chown(path, owner).await.map(unit) }))
    }
    fn remove(&self, path: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path,) = (FromPython::from_python(path, "path")?,);
        Ok(Call::start(async move { this.remove(path).await.map(unit) }))
    }
    fn remove_all(&self, path: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path,) = (FromPython::from_python(path, "path")?,);
        Ok(Call::start(async move { this.remove_all(path).await.map(unit) }))
    }
    fn watch(&self, path: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path, options) = (FromPython::from_python(path, "path")?, FromPython::from_python(options, "options")?);
        Ok(Call::start(async move { this.watch(path, options).await }))
    }
    fn upload(
        &self,
        local: &Bound<'_, PyAny>,
        remote: &Bound<'_, PyAny>,
        options: &Bound<'_, PyAny>,
    ) -> PyResult<Call> {
        let this = self.0.clone();
        let (local, remote, options) = (
            FromPython::from_python(local, "local")?,
            FromPython::from_python(remote, "remote")?,
            FromPython::from_python(options, "options")?,
        );
        Ok(Call::start(async move { this.upload(local, remote, options).await }))
    }
    fn download(
        &self,
        remote: &Bound<'_, PyAny>,
        local: &Bound<'_, PyAny>,
        options: &Bound<'_, PyAny>,
    ) -> PyResult<Call> {
        let this = self.0.clone();
        let (remote, local, options) = (
            FromPython::from_python(remote, "remote")?,
            FromPython::from_python(local, "local")?,
            FromPython::from_python(options, "options")?,
        );
        Ok(Call::start(async move { this.download(remote, local, options).await }))
    }
}
#[pyclass(frozen, module = "isobox._native")]
pub(crate) struct FileWriter(api::FileWriter);
impl ToPython for api::FileWriter {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, FileWriter(self))?.into_any())
    }
}
#[pymethods]
impl FileWriter {
    fn write(&self, data: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (data,) = (FromPython::from_python(data, "data")?,);
        Ok(Call::start(async move { this.write(data).await.map(unit) }))
    }
    fn close(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.close().await }))
    }
}
#[pyclass(frozen, module = "isobox._native")]
pub(crate) struct Git(api::Git);
impl ToPython for api::Git {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Git(self))?.into_any())
    }
}
#[pymethods]
impl Git {
    fn clone_repository(
        &self,
        url: &Bound<'_, PyAny>,
        target: &Bound<'_, PyAny>,
        options: &Bound<'_, PyAny>,
    ) -> PyResult<Call> {
        let this = self.0.clone();
        let (url, target, options) = (
            FromPython::from_python(url, "url")?,
            FromPython::from_python(target, "target")?,
            FromPython::from_python(options, "options")?,
        );
        Ok(Call::start(async move { this.clone_repository(url, target, options).await }))
    }
    fn init(&self, path: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path,) = (FromPython::from_python(path, "path")?,);
        Ok(Call::start(async move { this.init(path).await }))
    }
    fn open(&self, path: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (path,) = (FromPython::from_python(path, "path")?,);
        Ok(Call::start(async move { this.open(path).await }))
    }
}
#[pyclass(frozen, module = "isobox._native")]
pub(crate) struct Repository(api::Repository);
impl ToPython for api::Repository {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Repository(self))?.into_any())
    }
}
#[pymethods]
impl Repository {
    #[getter]
    fn path(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.path().to_python(py)
    }
    fn status(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.status().await }))
    }
    fn add(&self, paths: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (paths,) = (FromPython::from_python(paths, "paths")?,);
        Ok(Call::start(async move { this.add(paths).await.map(unit) }))
    }
    fn add_all(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.add_all().await.map(unit) }))
    }
    fn commit(&self, message: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (message, options) =
            (FromPython::from_python(message, "message")?, FromPython::from_python(options, "options")?);
        Ok(Call::start(async move { this.commit(message, options).await }))
    }
    fn fetch(&self, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (options,) = (FromPython::from_python(options, "options")?,);
        Ok(Call::start(async move { this.fetch(options).await.map(unit) }))
    }
    fn pull(&self, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (options,) = (FromPython::from_python(options, "options")?,);
        Ok(Call::start(async move { this.pull(options).await.map(unit) }))
    }
    fn push(&self, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (options,) = (FromPython::from_python(options, "options")?,);
        Ok(Call::start(async move { this.push(options).await.map(unit) }))
    }
    fn branches(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.branches().await }))
    }
    fn checkout(&self, revision: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (revision,) = (FromPython::from_python(revision, "revision")?,);
        Ok(Call::start(async move { this.checkout(revision).await.map(unit) }))
    }
    fn create_branch(&self, name: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (name,) = (FromPython::from_python(name, "name")?,);
        Ok(Call::start(async move { this.create_branch(name).await.map(unit) }))
    }
    fn rev_parse(&self, revision: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (revision,) = (FromPython::from_python(revision, "revision")?,);
        Ok(Call::start(async move { this.rev_parse(revision).await }))
    }
    fn log(&self, revision: &Bound<'_, PyAny>, most: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (revision, most) = (FromPython::from_python(revision, "revision")?, FromPython::from_python(most, "most")?);
        Ok(Call::start(async move { this.log(revision, most).await }))
    }
    fn diff(&self, revision: &Bound<'_, PyAny>, to: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (revision, to) = (FromPython::from_python(revision, "revision")?, FromPython::from_python(to, "to")?);
        Ok(Call::start(async move { this.diff(revision, to).await }))
    }
    fn changes(&self, revision: &Bound<'_, PyAny>, to: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (revision, to) = (FromPython::from_python(revision, "revision")?, FromPython::from_python(to, "to")?);
        Ok(Call::start(async move { this.changes(revision, to).await }))
    }
    fn untracked_files(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.untracked_files().await }))
    }
    fn set_credentials(&self, username: &Bound<'_, PyAny>, password: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (username, password) =
            (FromPython::from_python(username, "username")?, FromPython::from_python(password, "password")?);
        Ok(Call::start(async move { this.set_credentials(username, password).await.map(unit) }))
    }
    fn clear_credentials(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.clear_credentials().await.map(unit) }))
    }
    fn set_config(&self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (key, value) = (FromPython::from_python(key, "key")?, FromPython::from_python(value, "value")?);
        Ok(Call::start(async move { this.set_config(key, value).await.map(unit) }))
    }
}
#[pyclass(frozen, module = "isobox._native")]
pub(crate) struct Images(api::Images);
impl ToPython for api::Images {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Images(self))?.into_any())
    }
}
#[pymethods]
impl Images {
    fn pull(&self, reference: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (reference, options) =
            (FromPython::from_python(reference, "reference")?, FromPython::from_python(options, "options")?);
        Ok(Call::start(async move { this.pull(reference, options).await }))
    }
    fn load(&self, archive: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (archive,) = (FromPython::from_python(archive, "archive")?,);
        Ok(Call::start(async move { this.load(archive).await }))
    }
    fn all(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.all().await }))
    }
    fn remove(&self, name: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (name,) = (FromPython::from_python(name, "name")?,);
        Ok(Call::start(async move { this.remove(name).await.map(unit) }))
    }
    fn prune(&self, budget: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (budget,) = (FromPython::from_python(budget, "budget")?,);
        Ok(Call::start(async move { this.prune(budget).await }))
    }
}
#[pyclass(frozen, module = "isobox._native")]
pub(crate) struct Isobox(api::Isobox);
impl ToPython for api::Isobox {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Isobox(self))?.into_any())
    }
}
#[pymethods]
impl Isobox {
    #[staticmethod]
    fn open(options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let (options,) = (FromPython::from_python(options, "options")?,);
        Ok(Call::start(async move { api::Isobox::open(options).await }))
    }
    #[staticmethod]
    fn shared() -> PyResult<Call> {
        let () = ();
        Ok(Call::start(async move { api::Isobox::shared().await }))
    }
    #[getter]
    fn home(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.home().to_python(py)
    }
    fn create(&self, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (options,) = (FromPython::from_python(options, "options")?,);
        Ok(Call::start(async move { this.create(options).await }))
    }
    fn get_or_create(&self, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (options,) = (FromPython::from_python(options, "options")?,);
        Ok(Call::start(async move { this.get_or_create(options).await }))
    }
    fn connect(&self, id_or_name: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (id_or_name,) = (FromPython::from_python(id_or_name, "id_or_name")?,);
        Ok(Call::start(async move { this.connect(id_or_name).await }))
    }
    fn list(&self, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (options,) = (FromPython::from_python(options, "options")?,);
        Ok(Call::start(async move { this.list(options).await }))
    }
    fn inspect(&self, id_or_name: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (id_or_name,) = (FromPython::from_python(id_or_name, "id_or_name")?,);
        Ok(Call::start(async move { this.inspect(id_or_name).await }))
    }
    fn post_mortem(&self, id_or_name: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (id_or_name,) = (FromPython::from_python(id_or_name, "id_or_name")?,);
        Ok(Call::start(async move { this.post_mortem(id_or_name).await }))
    }
    fn events(&self, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (options,) = (FromPython::from_python(options, "options")?,);
        Ok(Call::start(async move { this.events(options).await }))
    }
    fn providers(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.providers().await }))
    }
    fn collect_garbage(&self, dry_run: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (dry_run,) = (FromPython::from_python(dry_run, "dry_run")?,);
        Ok(Call::start(async move { this.collect_garbage(dry_run).await }))
    }
    fn snapshots(&self, provider: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (provider,) = (FromPython::from_python(provider, "provider")?,);
        Ok(Call::start(async move { this.snapshots(provider).await }))
    }
    fn snapshot(&self, id_or_name: &Bound<'_, PyAny>, provider: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (id_or_name, provider) =
            (FromPython::from_python(id_or_name, "id_or_name")?, FromPython::from_python(provider, "provider")?);
        Ok(Call::start(async move { this.snapshot(id_or_name, provider).await }))
    }
    fn delete_snapshot(&self, id_or_name: &Bound<'_, PyAny>, provider: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (id_or_name, provider) =
            (FromPython::from_python(id_or_name, "id_or_name")?, FromPython::from_python(provider, "provider")?);
        Ok(Call::start(async move { this.delete_snapshot(id_or_name, provider).await.map(unit) }))
    }
    fn create_volume(&self, name: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (name, options) = (FromPython::from_python(name, "name")?, FromPython::from_python(options, "options")?);
        Ok(Call::start(async move { this.create_volume(name, options).await }))
    }
    fn volumes(&self, provider: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (provider,) = (FromPython::from_python(provider, "provider")?,);
        Ok(Call::start(async move { this.volumes(provider).await }))
    }
    fn volume(&self, id_or_name: &Bound<'_, PyAny>, provider: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (id_or_name, provider) =
            (FromPython::from_python(id_or_name, "id_or_name")?, FromPython::from_python(provider, "provider")?);
        Ok(Call::start(async move { this.volume(id_or_name, provider).await }))
    }
    fn delete_volume(&self, id_or_name: &Bound<'_, PyAny>, provider: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (id_or_name, provider) =
            (FromPython::from_python(id_or_name, "id_or_name")?, FromPython::from_python(provider, "provider")?);
        Ok(Call::start(async move { this.delete_volume(id_or_name, provider).await.map(unit) }))
    }
    fn export_snapshot(
        &self,
        id_or_name: &Bound<'_, PyAny>,
        to: &Bound<'_, PyAny>,
        options: &Bound<'_, PyAny>,
    ) -> PyResult<Call> {
        let this = self.0.clone();
        let (id_or_name, to, options) = (
            FromPython::from_python(id_or_name, "id_or_name")?,
            FromPython::from_python(to, "to")?,
            FromPython::from_python(options, "options")?,
        );
        Ok(Call::start(async move { this.export_snapshot(id_or_name, to, options).await }))
    }
    fn import_snapshot(&self, archive: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (archive, options) =
            (FromPython::from_python(archive, "archive")?, FromPython::from_python(options, "options")?);
        Ok(Call::start(async move { this.import_snapshot(archive, options).await }))
    }
    fn images(&self, provider: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (provider,) = (FromPython::from_python(provider, "provider")?,);
        Ok(Call::start(async move { this.images(provider).await }))
    }
    fn pool(&self, size: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (size, options) = (FromPython::from_python(size, "size")?, FromPython::from_python(options, "options")?);
        Ok(Call::start(async move { this.pool(size, options).await }))
    }
    fn take_from(&self, pool: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (pool, options) = (FromPython::from_python(pool, "pool")?, FromPython::from_python(options, "options")?);
        Ok(Call::start(async move { this.take_from(pool, options).await }))
    }
    fn limits(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.limits().await }))
    }
    fn set_limits(&self, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (options,) = (FromPython::from_python(options, "options")?,);
        Ok(Call::start(async move { this.set_limits(options).await.map(unit) }))
    }
    fn queue(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.queue().await }))
    }
    fn disk_usage(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.disk_usage().await }))
    }
    fn close(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.close().await.map(unit) }))
    }
}
#[pyclass(frozen, module = "isobox._native")]
pub(crate) struct Pool(api::Pool);
impl ToPython for api::Pool {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Pool(self))?.into_any())
    }
}
#[pymethods]
impl Pool {
    fn take(&self, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (options,) = (FromPython::from_python(options, "options")?,);
        Ok(Call::start(async move { this.take(options).await }))
    }
    fn ready(&self, count: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (count,) = (FromPython::from_python(count, "count")?,);
        Ok(Call::start(async move { this.ready(count).await.map(unit) }))
    }
    fn status(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.status().await }))
    }
    fn close(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.close().await.map(unit) }))
    }
}
#[pyclass(frozen, module = "isobox._native")]
pub(crate) struct Process(api::Process);
impl ToPython for api::Process {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Process(self))?.into_any())
    }
}
#[pymethods]
impl Process {
    #[getter]
    fn id(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.id().to_python(py)
    }
    #[getter]
    fn pid(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.pid().to_python(py)
    }
    fn events(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.events().to_python(py)
    }
    fn write(&self, data: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (data,) = (FromPython::from_python(data, "data")?,);
        Ok(Call::start(async move { this.write(data).await.map(unit) }))
    }
    fn close_stdin(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.close_stdin().await.map(unit) }))
    }
    fn signal(&self, name: &Bound<'_, PyAny>, target: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (name, target) = (FromPython::from_python(name, "name")?, FromPython::from_python(target, "target")?);
        Ok(Call::start(async move { this.signal(name, target).await.map(unit) }))
    }
    fn stop(&self, grace: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (grace,) = (FromPython::from_python(grace, "grace")?,);
        Ok(Call::start(async move { this.stop(grace).await.map(unit) }))
    }
    fn kill(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.kill().await.map(unit) }))
    }
    fn resize(&self, rows: &Bound<'_, PyAny>, cols: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (rows, cols) = (FromPython::from_python(rows, "rows")?, FromPython::from_python(cols, "cols")?);
        Ok(Call::start(async move { this.resize(rows, cols).await.map(unit) }))
    }
    fn wait(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.wait().await }))
    }
    fn detach(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.detach().await.map(unit) }))
    }
}
#[pyclass(frozen, module = "isobox._native")]
pub(crate) struct Sandbox(api::Sandbox);
impl ToPython for api::Sandbox {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Sandbox(self))?.into_any())
    }
}
#[pymethods]
impl Sandbox {
    #[staticmethod]
    fn create(options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let (options,) = (FromPython::from_python(options, "options")?,);
        Ok(Call::start(async move { api::Sandbox::create(options).await }))
    }
    #[staticmethod]
    fn get_or_create(options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let (options,) = (FromPython::from_python(options, "options")?,);
        Ok(Call::start(async move { api::Sandbox::get_or_create(options).await }))
    }
    #[staticmethod]
    fn connect(id_or_name: &Bound<'_, PyAny>) -> PyResult<Call> {
        let (id_or_name,) = (FromPython::from_python(id_or_name, "id_or_name")?,);
        Ok(Call::start(async move { api::Sandbox::connect(id_or_name).await }))
    }
    #[staticmethod]
    fn list(options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let (options,) = (FromPython::from_python(options, "options")?,);
        Ok(Call::start(async move { api::Sandbox::list(options).await }))
    }
    #[getter]
    fn id(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.id().to_python(py)
    }
    #[getter]
    fn provider(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.provider().to_python(py)
    }
    #[getter]
    fn workdir(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.workdir().to_python(py)
    }
    #[getter]
    fn capabilities(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.capabilities().to_python(py)
    }
    #[getter]
    fn image(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.image().to_python(py)
    }
    #[getter]
    fn home(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.home().to_python(py)
    }
    #[getter]
    fn files(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.files().to_python(py)
    }
    #[getter]
    fn git(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.git().to_python(py)
    }
    #[getter]
    fn search(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.search().to_python(py)
    }
    #[getter]
    fn services(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.services().to_python(py)
    }
    fn exec(&self, command: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (command, options) =
            (FromPython::from_python(command, "command")?, FromPython::from_python(options, "options")?);
        Ok(Call::start(async move { this.exec(command, options).await }))
    }
    fn spawn(&self, command: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (command, options) =
            (FromPython::from_python(command, "command")?, FromPython::from_python(options, "options")?);
        Ok(Call::start(async move { this.spawn(command, options).await }))
    }
    fn processes(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.processes().await }))
    }
    fn process(&self, id: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (id, options) = (FromPython::from_python(id, "id")?, FromPython::from_python(options, "options")?);
        Ok(Call::start(async move { this.process(id, options).await }))
    }
    fn session(&self, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (options,) = (FromPython::from_python(options, "options")?,);
        Ok(Call::start(async move { this.session(options).await }))
    }
    fn status(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.status().await }))
    }
    fn metrics(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.metrics().await }))
    }
    fn ended(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.ended().await }))
    }
    fn start(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.start().await.map(unit) }))
    }
    fn stop(&self, grace: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (grace,) = (FromPython::from_python(grace, "grace")?,);
        Ok(Call::start(async move { this.stop(grace).await.map(unit) }))
    }
    fn pause(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.pause().await.map(unit) }))
    }
    fn resume(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.resume().await.map(unit) }))
    }
    fn resize(&self, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (options,) = (FromPython::from_python(options, "options")?,);
        Ok(Call::start(async move { this.resize(options).await.map(unit) }))
    }
    fn delete(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.delete().await.map(unit) }))
    }
    fn detach(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.detach().await.map(unit) }))
    }
    fn adopt(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.adopt().await.map(unit) }))
    }
    fn touch(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.touch().await.map(unit) }))
    }
    fn set_ttl(&self, ttl: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (ttl,) = (FromPython::from_python(ttl, "ttl")?,);
        Ok(Call::start(async move { this.set_ttl(ttl).await.map(unit) }))
    }
    fn snapshot(&self, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (options,) = (FromPython::from_python(options, "options")?,);
        Ok(Call::start(async move { this.snapshot(options).await }))
    }
    fn fork(&self, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (options,) = (FromPython::from_python(options, "options")?,);
        Ok(Call::start(async move { this.fork(options).await }))
    }
    fn forward(&self, port: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (port,) = (FromPython::from_python(port, "port")?,);
        Ok(Call::start(async move { this.forward(port).await }))
    }
    fn release(&self, port: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (port,) = (FromPython::from_python(port, "port")?,);
        Ok(Call::start(async move { this.release(port).await.map(unit) }))
    }
    fn wait_for_port(&self, port: &Bound<'_, PyAny>, timeout: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (port, timeout) = (FromPython::from_python(port, "port")?, FromPython::from_python(timeout, "timeout")?);
        Ok(Call::start(async move { this.wait_for_port(port, timeout).await.map(unit) }))
    }
    fn listening_ports(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.listening_ports().await }))
    }
}
#[pyclass(frozen, module = "isobox._native")]
pub(crate) struct Search(api::Search);
impl ToPython for api::Search {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Search(self))?.into_any())
    }
}
#[pymethods]
impl Search {
    fn grep(&self, pattern: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (pattern, options) =
            (FromPython::from_python(pattern, "pattern")?, FromPython::from_python(options, "options")?);
        Ok(Call::start(async move { this.grep(pattern, options).await }))
    }
    fn glob(&self, pattern: &Bound<'_, PyAny>, base: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (pattern, base) = (FromPython::from_python(pattern, "pattern")?, FromPython::from_python(base, "base")?);
        Ok(Call::start(async move { this.glob(pattern, base).await }))
    }
    fn walk(&self, base: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (base, options) = (FromPython::from_python(base, "base")?, FromPython::from_python(options, "options")?);
        Ok(Call::start(async move { this.walk(base, options).await }))
    }
}
#[pyclass(frozen, module = "isobox._native")]
pub(crate) struct Services(api::Services);
impl ToPython for api::Services {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Services(self))?.into_any())
    }
}
#[pymethods]
impl Services {
    fn start(&self, name: &Bound<'_, PyAny>, command: &Bound<'_, PyAny>, options: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (name, command, options) = (
            FromPython::from_python(name, "name")?,
            FromPython::from_python(command, "command")?,
            FromPython::from_python(options, "options")?,
        );
        Ok(Call::start(async move { this.start(name, command, options).await }))
    }
    fn get(&self, name: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (name,) = (FromPython::from_python(name, "name")?,);
        Ok(Call::start(async move { this.get(name).await }))
    }
    fn all(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.all().await }))
    }
}
#[pyclass(frozen, module = "isobox._native")]
pub(crate) struct Service(api::Service);
impl ToPython for api::Service {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Service(self))?.into_any())
    }
}
#[pymethods]
impl Service {
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.name().to_python(py)
    }
    fn status(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.status().await }))
    }
    fn logs(&self, last: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (last,) = (FromPython::from_python(last, "last")?,);
        Ok(Call::start(async move { this.logs(last).await }))
    }
    fn process(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.process().await }))
    }
    fn stop(&self, grace: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (grace,) = (FromPython::from_python(grace, "grace")?,);
        Ok(Call::start(async move { this.stop(grace).await.map(unit) }))
    }
}
#[pyclass(frozen, module = "isobox._native")]
pub(crate) struct Session(api::Session);
impl ToPython for api::Session {
    fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(Py::new(py, Session(self))?.into_any())
    }
}
#[pymethods]
impl Session {
    fn run(&self, script: &Bound<'_, PyAny>, timeout: &Bound<'_, PyAny>) -> PyResult<Call> {
        let this = self.0.clone();
        let (script, timeout) =
            (FromPython::from_python(script, "script")?, FromPython::from_python(timeout, "timeout")?);
        Ok(Call::start(async move { this.run(script, timeout).await }))
    }
    fn interrupt(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.interrupt().await.map(unit) }))
    }
    fn close(&self) -> PyResult<Call> {
        let this = self.0.clone();
        let () = ();
        Ok(Call::start(async move { this.close().await.map(unit) }))
    }
}
/// Puts every class into the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Files>()?;
    module.add_class::<FileWriter>()?;
    module.add_class::<Git>()?;
    module.add_class::<Repository>()?;
    module.add_class::<Images>()?;
    module.add_class::<Isobox>()?;
    module.add_class::<Pool>()?;
    module.add_class::<Process>()?;
    module.add_class::<Sandbox>()?;
    module.add_class::<Search>()?;
    module.add_class::<Services>()?;
    module.add_class::<Service>()?;
    module.add_class::<Session>()?;
    Ok(())
}
