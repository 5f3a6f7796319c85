// Written by `cargo xtask gen` from bindings/src/api.rs. Do not edit.
//! How records cross, and calls by name.

use crate::Work;
use crate::convert::{Fields, Flowing, FromValue, ToValue, argument, sum, unknown_word, wrong};
use crate::value::Value;
use isobox_bindings::api;
impl ToValue for api::ExecFailure {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(10usize);
        self.label.put("label", &mut fields);
        self.termination.put("termination", &mut fields);
        self.exit_code.put("exitCode", &mut fields);
        self.signal.put("signal", &mut fields);
        self.duration.put("durationMs", &mut fields);
        self.hint.put("hint", &mut fields);
        self.stdout.put("stdout", &mut fields);
        self.stderr.put("stderr", &mut fields);
        self.stdout_info.put("stdoutInfo", &mut fields);
        self.stderr_info.put("stderrInfo", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::Report {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(5usize);
        self.code.put("code", &mut fields);
        self.message.put("message", &mut fields);
        self.retryable.put("retryable", &mut fields);
        self.infrastructure.put("infrastructure", &mut fields);
        self.causes.put("causes", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::Denial {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(6usize);
        self.at.put("at", &mut fields);
        self.protocol.put("protocol", &mut fields);
        self.host.put("host", &mut fields);
        self.address.put("address", &mut fields);
        self.port.put("port", &mut fields);
        self.reason.put("reason", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::Progress {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(5usize);
        self.code.put("code", &mut fields);
        self.message.put("message", &mut fields);
        self.completed.put("completed", &mut fields);
        self.total.put("total", &mut fields);
        self.unit.put("unit", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::Event {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(8usize);
        self.sequence.put("sequence", &mut fields);
        self.at.put("at", &mut fields);
        self.provider.put("provider", &mut fields);
        self.subject.put("subject", &mut fields);
        self.id.put("id", &mut fields);
        self.name.put("name", &mut fields);
        self.operation.put("operation", &mut fields);
        self.kind.put("kind", &mut fields);
        Value::Record(fields)
    }
}
impl FromValue for api::EventOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            after: fields.get("after")?,
            sandboxes: fields.get("sandboxes")?,
            kinds: fields.get("kinds")?,
            no_follow: fields.get("noFollow")?,
        };
        fields.done(&["after", "sandboxes", "kinds", "noFollow"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::ExecOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            env: fields.get("env")?,
            cwd: fields.get("cwd")?,
            user: fields.get("user")?,
            input: fields.get("input")?,
            timeout: fields.get("timeoutMs")?,
            grace: fields.get("graceMs")?,
            check: fields.get("check")?,
            merge_stderr: fields.get("mergeStderr")?,
            max_output: fields.get("maxOutput")?,
            spill: fields.get("spill")?,
            sanitize: fields.get("sanitize")?,
            drain: fields.get("drainMs")?,
            label: fields.get("label")?,
        };
        fields.done(&[
            "env",
            "cwd",
            "user",
            "input",
            "timeoutMs",
            "graceMs",
            "check",
            "mergeStderr",
            "maxOutput",
            "spill",
            "sanitize",
            "drainMs",
            "label",
        ])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::SpawnOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            env: fields.get("env")?,
            cwd: fields.get("cwd")?,
            user: fields.get("user")?,
            input: fields.get("input")?,
            stdin: fields.get("stdin")?,
            timeout: fields.get("timeoutMs")?,
            grace: fields.get("graceMs")?,
            pty: fields.get("pty")?,
            rows: fields.get("rows")?,
            cols: fields.get("cols")?,
            merge_stderr: fields.get("mergeStderr")?,
            max_output: fields.get("maxOutput")?,
            spill: fields.get("spill")?,
            sanitize: fields.get("sanitize")?,
            drain: fields.get("drainMs")?,
            detached: fields.get("detached")?,
            label: fields.get("label")?,
        };
        fields.done(&[
            "env",
            "cwd",
            "user",
            "input",
            "stdin",
            "timeoutMs",
            "graceMs",
            "pty",
            "rows",
            "cols",
            "mergeStderr",
            "maxOutput",
            "spill",
            "sanitize",
            "drainMs",
            "detached",
            "label",
        ])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl ToValue for api::ExecResult {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(15usize);
        self.exit_code.put("exitCode", &mut fields);
        self.signal.put("signal", &mut fields);
        self.ok.put("ok", &mut fields);
        self.timed_out.put("timedOut", &mut fields);
        self.cancelled.put("cancelled", &mut fields);
        self.oom_killed.put("oomKilled", &mut fields);
        self.termination.put("termination", &mut fields);
        self.stdout.put("stdout", &mut fields);
        self.stderr.put("stderr", &mut fields);
        self.truncated.put("truncated", &mut fields);
        self.stdout_info.put("stdoutInfo", &mut fields);
        self.stderr_info.put("stderrInfo", &mut fields);
        self.duration.put("durationMs", &mut fields);
        self.cpu_time.put("cpuTimeMs", &mut fields);
        self.peak_memory.put("peakMemory", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::OutputStream {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(6usize);
        self.observed.put("observed", &mut fields);
        self.retained.put("retained", &mut fields);
        self.omitted.put("omitted", &mut fields);
        self.omitted_at.put("omittedAt", &mut fields);
        self.lost.put("lost", &mut fields);
        self.spill.put("spill", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::Exit {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(7usize);
        self.exit_code.put("exitCode", &mut fields);
        self.signal.put("signal", &mut fields);
        self.termination.put("termination", &mut fields);
        self.oom_killed.put("oomKilled", &mut fields);
        self.duration.put("durationMs", &mut fields);
        self.cpu_time.put("cpuTimeMs", &mut fields);
        self.peak_memory.put("peakMemory", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::Metadata {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(7usize);
        self.kind.put("kind", &mut fields);
        self.size.put("size", &mut fields);
        self.mode.put("mode", &mut fields);
        self.uid.put("uid", &mut fields);
        self.gid.put("gid", &mut fields);
        self.modified_at.put("modifiedAt", &mut fields);
        self.link_target.put("linkTarget", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::Entry {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(8usize);
        self.path.put("path", &mut fields);
        self.kind.put("kind", &mut fields);
        self.size.put("size", &mut fields);
        self.mode.put("mode", &mut fields);
        self.uid.put("uid", &mut fields);
        self.gid.put("gid", &mut fields);
        self.modified_at.put("modifiedAt", &mut fields);
        self.link_target.put("linkTarget", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::FileChange {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(3usize);
        self.kind.put("kind", &mut fields);
        self.path.put("path", &mut fields);
        self.renamed_to.put("renamedTo", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::TransferReport {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(5usize);
        self.files.put("files", &mut fields);
        self.directories.put("directories", &mut fields);
        self.links.put("links", &mut fields);
        self.bytes.put("bytes", &mut fields);
        self.skipped.put("skipped", &mut fields);
        Value::Record(fields)
    }
}
impl FromValue for api::ReadOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self { offset: fields.get("offset")?, length: fields.get("length")?, limit: fields.get("limit")? };
        fields.done(&["offset", "length", "limit"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::WriteOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            mode: fields.get("mode")?,
            owner: fields.get("owner")?,
            no_parents: fields.get("noParents")?,
            exclusive: fields.get("exclusive")?,
            atomic: fields.get("atomic")?,
        };
        fields.done(&["mode", "owner", "noParents", "exclusive", "atomic"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::ListDirectoryOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self { depth: fields.get("depth")? };
        fields.done(&["depth"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::WatchOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self { recursive: fields.get("recursive")? };
        fields.done(&["recursive"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::UploadOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            owner: fields.get("owner")?,
            file_mode: fields.get("fileMode")?,
            directory_mode: fields.get("directoryMode")?,
            exclude: fields.get("exclude")?,
            max_entries: fields.get("maxEntries")?,
            max_bytes: fields.get("maxBytes")?,
        };
        fields.done(&["owner", "fileMode", "directoryMode", "exclude", "maxEntries", "maxBytes"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::DownloadOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            keep_existing: fields.get("keepExisting")?,
            exclude: fields.get("exclude")?,
            keep_escaping_links: fields.get("keepEscapingLinks")?,
            max_entries: fields.get("maxEntries")?,
            max_bytes: fields.get("maxBytes")?,
        };
        fields.done(&["keepExisting", "exclude", "keepEscapingLinks", "maxEntries", "maxBytes"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::RemoteOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            remote: fields.get("remote")?,
            branch: fields.get("branch")?,
            set_upstream: fields.get("setUpstream")?,
            username: fields.get("username")?,
            password: fields.get("password")?,
            attempts: fields.get("attempts")?,
            wait: fields.get("waitMs")?,
        };
        fields.done(&["remote", "branch", "setUpstream", "username", "password", "attempts", "waitMs"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::CloneOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            branch: fields.get("branch")?,
            commit: fields.get("commit")?,
            tag: fields.get("tag")?,
            depth: fields.get("depth")?,
            username: fields.get("username")?,
            password: fields.get("password")?,
            attempts: fields.get("attempts")?,
            wait: fields.get("waitMs")?,
        };
        fields.done(&["branch", "commit", "tag", "depth", "username", "password", "attempts", "waitMs"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::CommitOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read =
            Self { author: fields.get("author")?, email: fields.get("email")?, allow_empty: fields.get("allowEmpty")? };
        fields.done(&["author", "email", "allowEmpty"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl ToValue for api::GitStatusEntry {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(4usize);
        self.path.put("path", &mut fields);
        self.index.put("index", &mut fields);
        self.worktree.put("worktree", &mut fields);
        self.previous.put("previous", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::GitStatus {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(6usize);
        self.branch.put("branch", &mut fields);
        self.head.put("head", &mut fields);
        self.upstream.put("upstream", &mut fields);
        self.ahead.put("ahead", &mut fields);
        self.behind.put("behind", &mut fields);
        self.entries.put("entries", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::GitBranch {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(4usize);
        self.name.put("name", &mut fields);
        self.head.put("head", &mut fields);
        self.current.put("current", &mut fields);
        self.remote.put("remote", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::GitCommit {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(6usize);
        self.id.put("id", &mut fields);
        self.parents.put("parents", &mut fields);
        self.author.put("author", &mut fields);
        self.email.put("email", &mut fields);
        self.date.put("date", &mut fields);
        self.message.put("message", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::GitChange {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(5usize);
        self.path.put("path", &mut fields);
        self.previous.put("previous", &mut fields);
        self.status.put("status", &mut fields);
        self.added.put("added", &mut fields);
        self.removed.put("removed", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::ImageInfo {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(6usize);
        self.reference.put("reference", &mut fields);
        self.id.put("id", &mut fields);
        self.digest.put("digest", &mut fields);
        self.platform.put("platform", &mut fields);
        self.size.put("size", &mut fields);
        self.fetched_at.put("fetchedAt", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::PrunedImages {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(3usize);
        self.images.put("images", &mut fields);
        self.freed.put("freed", &mut fields);
        self.left.put("left", &mut fields);
        Value::Record(fields)
    }
}
impl FromValue for api::PullOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self { pull: fields.get("pull")?, platform: fields.get("platform")?, auth: fields.get("auth")? };
        fields.done(&["pull", "platform", "auth"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::OpenOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self { home: fields.get("home")?, default_provider: fields.get("defaultProvider")? };
        fields.done(&["home", "defaultProvider"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::ListOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            labels: fields.get("labels")?,
            states: fields.get("states")?,
            provider: fields.get("provider")?,
            deleted: fields.get("deleted")?,
        };
        fields.done(&["labels", "states", "provider", "deleted"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl ToValue for api::SandboxInfo {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(13usize);
        self.id.put("id", &mut fields);
        self.name.put("name", &mut fields);
        self.provider.put("provider", &mut fields);
        self.state.put("state", &mut fields);
        self.state_since.put("stateSince", &mut fields);
        self.labels.put("labels", &mut fields);
        self.image.put("image", &mut fields);
        self.detached.put("detached", &mut fields);
        self.expires_at.put("expiresAt", &mut fields);
        self.error.put("error", &mut fields);
        self.pool.put("pool", &mut fields);
        self.created_at.put("createdAt", &mut fields);
        self.ended_at.put("endedAt", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::ProviderInfo {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(5usize);
        self.kind.put("kind", &mut fields);
        self.works.put("works", &mut fields);
        self.isolation.put("isolation", &mut fields);
        self.capabilities.put("capabilities", &mut fields);
        self.problem.put("problem", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::Garbage {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(5usize);
        self.kind.put("kind", &mut fields);
        self.id.put("id", &mut fields);
        self.name.put("name", &mut fields);
        self.provider.put("provider", &mut fields);
        self.reason.put("reason", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::Limits {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(4usize);
        self.concurrent_creates.put("concurrentCreates", &mut fields);
        self.live_sandboxes.put("liveSandboxes", &mut fields);
        self.queue_length.put("queueLength", &mut fields);
        self.queue_wait.put("queueWaitMs", &mut fields);
        Value::Record(fields)
    }
}
impl FromValue for api::LimitsOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            concurrent_creates: fields.get("concurrentCreates")?,
            live_sandboxes: fields.get("liveSandboxes")?,
            unlimited_live_sandboxes: fields.get("unlimitedLiveSandboxes")?,
            queue_length: fields.get("queueLength")?,
            queue_wait: fields.get("queueWaitMs")?,
        };
        fields.done(&["concurrentCreates", "liveSandboxes", "unlimitedLiveSandboxes", "queueLength", "queueWaitMs"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl ToValue for api::QueueEntry {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(7usize);
        self.sandbox.put("sandbox", &mut fields);
        self.name.put("name", &mut fields);
        self.provider.put("provider", &mut fields);
        self.pid.put("pid", &mut fields);
        self.program.put("program", &mut fields);
        self.since.put("since", &mut fields);
        self.position.put("position", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::Queue {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(4usize);
        self.limits.put("limits", &mut fields);
        self.live.put("live", &mut fields);
        self.making.put("making", &mut fields);
        self.waiting.put("waiting", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::KindUsage {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(4usize);
        self.kind.put("kind", &mut fields);
        self.count.put("count", &mut fields);
        self.bytes.put("bytes", &mut fields);
        self.reclaimable.put("reclaimable", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::Endpoint {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(3usize);
        self.host.put("host", &mut fields);
        self.port.put("port", &mut fields);
        self.url.put("url", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::ListeningPort {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(4usize);
        self.port.put("port", &mut fields);
        self.address.put("address", &mut fields);
        self.pid.put("pid", &mut fields);
        self.process.put("process", &mut fields);
        Value::Record(fields)
    }
}
impl FromValue for api::RegistryAuth {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            username: fields.get("username")?,
            password: fields.get("password")?,
            server: fields.get("server")?,
        };
        fields.done(&["username", "password", "server"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::VolumeMount {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            volume: fields.get("volume")?,
            target: fields.get("target")?,
            subpath: fields.get("subpath")?,
            read_only: fields.get("readOnly")?,
        };
        fields.done(&["volume", "target", "subpath", "readOnly"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::Secret {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self { env: fields.get("env")?, value: fields.get("value")?, delivery: fields.get("delivery")? };
        fields.done(&["env", "value", "delivery"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::NamespaceOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            hostname: fields.get("hostname")?,
            shm_size: fields.get("shmSize")?,
            read_only_root: fields.get("readOnlyRoot")?,
            nested_user_namespaces: fields.get("nestedUserNamespaces")?,
            users: fields.get("users")?,
            disk_backing: fields.get("diskBacking")?,
        };
        fields.done(&["hostname", "shmSize", "readOnlyRoot", "nestedUserNamespaces", "users", "diskBacking"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::HostOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self { inherit_env: fields.get("inheritEnv")? };
        fields.done(&["inheritEnv"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::DockerOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            runtime: fields.get("runtime")?,
            privileged: fields.get("privileged")?,
            host_network: fields.get("hostNetwork")?,
            network: fields.get("network")?,
            extra_hosts: fields.get("extraHosts")?,
            dns: fields.get("dns")?,
            cap_add: fields.get("capAdd")?,
            cap_drop: fields.get("capDrop")?,
            security_opt: fields.get("securityOpt")?,
            shm_size: fields.get("shmSize")?,
            ulimits: fields.get("ulimits")?,
            devices: fields.get("devices")?,
            sysctls: fields.get("sysctls")?,
            hostname: fields.get("hostname")?,
            workspace_volume: fields.get("workspaceVolume")?,
            sidecars: fields.get("sidecars")?,
        };
        fields.done(&[
            "runtime",
            "privileged",
            "hostNetwork",
            "network",
            "extraHosts",
            "dns",
            "capAdd",
            "capDrop",
            "securityOpt",
            "shmSize",
            "ulimits",
            "devices",
            "sysctls",
            "hostname",
            "workspaceVolume",
            "sidecars",
        ])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::Sidecar {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            name: fields.get("name")?,
            image: fields.get("image")?,
            auth: fields.get("auth")?,
            env: fields.get("env")?,
            entrypoint: fields.get("entrypoint")?,
            command: fields.get("command")?,
            user: fields.get("user")?,
            health: fields.get("health")?,
        };
        fields.done(&["name", "image", "auth", "env", "entrypoint", "command", "user", "health"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::SidecarHealth {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            command: fields.get("command")?,
            interval: fields.get("intervalMs")?,
            timeout: fields.get("timeoutMs")?,
            retries: fields.get("retries")?,
            start_period: fields.get("startPeriodMs")?,
        };
        fields.done(&["command", "intervalMs", "timeoutMs", "retries", "startPeriodMs"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::CreateOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            provider: fields.get("provider")?,
            name: fields.get("name")?,
            image: fields.get("image")?,
            pull: fields.get("pull")?,
            platform: fields.get("platform")?,
            auth: fields.get("auth")?,
            archive: fields.get("archive")?,
            rootfs: fields.get("rootfs")?,
            snapshot: fields.get("snapshot")?,
            workspace: fields.get("workspace")?,
            env: fields.get("env")?,
            labels: fields.get("labels")?,
            user: fields.get("user")?,
            workdir: fields.get("workdir")?,
            cpus: fields.get("cpus")?,
            memory: fields.get("memory")?,
            disk: fields.get("disk")?,
            pids: fields.get("pids")?,
            gpus: fields.get("gpus")?,
            mounts: fields.get("mounts")?,
            volumes: fields.get("volumes")?,
            secrets: fields.get("secrets")?,
            ports: fields.get("ports")?,
            network: fields.get("network")?,
            ttl: fields.get("ttlMs")?,
            idle_timeout: fields.get("idleTimeoutMs")?,
            on_expiry: fields.get("onExpiry")?,
            on_idle: fields.get("onIdle")?,
            detached: fields.get("detached")?,
            owner_lease: fields.get("ownerLeaseMs")?,
            entrypoint: fields.get("entrypoint")?,
            least_isolation: fields.get("leastIsolation")?,
            create_timeout: fields.get("createTimeoutMs")?,
            idempotency_key: fields.get("idempotencyKey")?,
            namespace: fields.get("namespace")?,
            docker: fields.get("docker")?,
            host: fields.get("host")?,
        };
        fields.done(&[
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
            "ttlMs",
            "idleTimeoutMs",
            "onExpiry",
            "onIdle",
            "detached",
            "ownerLeaseMs",
            "entrypoint",
            "leastIsolation",
            "createTimeoutMs",
            "idempotencyKey",
            "namespace",
            "docker",
            "host",
        ])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::PoolOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            sandbox: fields.get("sandbox")?,
            min_ready: fields.get("minReady")?,
            refills_at_once: fields.get("refillsAtOnce")?,
            max_age: fields.get("maxAgeMs")?,
            name: fields.get("name")?,
            shared_as: fields.get("sharedAs")?,
        };
        fields.done(&["sandbox", "minReady", "refillsAtOnce", "maxAgeMs", "name", "sharedAs"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::TakeOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            name: fields.get("name")?,
            labels: fields.get("labels")?,
            ttl: fields.get("ttlMs")?,
            detached: fields.get("detached")?,
            timeout: fields.get("timeoutMs")?,
        };
        fields.done(&["name", "labels", "ttlMs", "detached", "timeoutMs"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl ToValue for api::PoolStatus {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(6usize);
        self.size.put("size", &mut fields);
        self.ready.put("ready", &mut fields);
        self.making.put("making", &mut fields);
        self.taken.put("taken", &mut fields);
        self.made_directly.put("madeDirectly", &mut fields);
        self.failure.put("failure", &mut fields);
        Value::Record(fields)
    }
}
impl FromValue for api::AttachOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            only_new: fields.get("onlyNew")?,
            after_stdout: fields.get("afterStdout")?,
            after_stderr: fields.get("afterStderr")?,
        };
        fields.done(&["onlyNew", "afterStdout", "afterStderr"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl ToValue for api::ProcessInfo {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(13usize);
        self.id.put("id", &mut fields);
        self.pid.put("pid", &mut fields);
        self.argv.put("argv", &mut fields);
        self.label.put("label", &mut fields);
        self.user.put("user", &mut fields);
        self.pty.put("pty", &mut fields);
        self.detached.put("detached", &mut fields);
        self.started_at.put("startedAt", &mut fields);
        self.stdout_bytes.put("stdoutBytes", &mut fields);
        self.stderr_bytes.put("stderrBytes", &mut fields);
        self.cpu_time.put("cpuTimeMs", &mut fields);
        self.memory.put("memory", &mut fields);
        self.exit.put("exit", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::SandboxImage {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(5usize);
        self.reference.put("reference", &mut fields);
        self.id.put("id", &mut fields);
        self.digest.put("digest", &mut fields);
        self.entrypoint.put("entrypoint", &mut fields);
        self.command.put("command", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::Status {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(6usize);
        self.state.put("state", &mut fields);
        self.provider_state.put("providerState", &mut fields);
        self.name.put("name", &mut fields);
        self.error.put("error", &mut fields);
        self.post_mortem.put("postMortem", &mut fields);
        self.labels.put("labels", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::Metrics {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(12usize);
        self.at.put("at", &mut fields);
        self.cpu_time.put("cpuTimeMs", &mut fields);
        self.cpu_limit.put("cpuLimit", &mut fields);
        self.memory.put("memory", &mut fields);
        self.peak_memory.put("peakMemory", &mut fields);
        self.memory_limit.put("memoryLimit", &mut fields);
        self.disk.put("disk", &mut fields);
        self.disk_limit.put("diskLimit", &mut fields);
        self.pids.put("pids", &mut fields);
        self.pids_limit.put("pidsLimit", &mut fields);
        self.network_received.put("networkReceived", &mut fields);
        self.network_sent.put("networkSent", &mut fields);
        Value::Record(fields)
    }
}
impl FromValue for api::SnapshotOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            name: fields.get("name")?,
            labels: fields.get("labels")?,
            include_memory: fields.get("includeMemory")?,
        };
        fields.done(&["name", "labels", "includeMemory"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::ForkOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            count: fields.get("count")?,
            name: fields.get("name")?,
            labels: fields.get("labels")?,
            include_memory: fields.get("includeMemory")?,
        };
        fields.done(&["count", "name", "labels", "includeMemory"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::ResizeOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            cpus: fields.get("cpus")?,
            memory: fields.get("memory")?,
            disk: fields.get("disk")?,
            pids: fields.get("pids")?,
        };
        fields.done(&["cpus", "memory", "disk", "pids"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::GrepOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            path: fields.get("path")?,
            ignore_case: fields.get("ignoreCase")?,
            include: fields.get("include")?,
            max_matches: fields.get("maxMatches")?,
        };
        fields.done(&["path", "ignoreCase", "include", "maxMatches"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::WalkOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self { max_depth: fields.get("maxDepth")?, exclude: fields.get("exclude")? };
        fields.done(&["maxDepth", "exclude"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl ToValue for api::GrepMatch {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(3usize);
        self.path.put("path", &mut fields);
        self.line_number.put("lineNumber", &mut fields);
        self.line.put("line", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::WalkEntry {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(2usize);
        self.path.put("path", &mut fields);
        self.size.put("size", &mut fields);
        Value::Record(fields)
    }
}
impl FromValue for api::ServiceOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            env: fields.get("env")?,
            cwd: fields.get("cwd")?,
            user: fields.get("user")?,
            ready_port: fields.get("readyPort")?,
            ready_output: fields.get("readyOutput")?,
            ready_command: fields.get("readyCommand")?,
            ready_timeout: fields.get("readyTimeoutMs")?,
        };
        fields.done(&["env", "cwd", "user", "readyPort", "readyOutput", "readyCommand", "readyTimeoutMs"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl ToValue for api::ServiceStatus {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(2usize);
        self.running.put("running", &mut fields);
        self.exit_code.put("exitCode", &mut fields);
        Value::Record(fields)
    }
}
impl FromValue for api::SessionOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            shell: fields.get("shell")?,
            env: fields.get("env")?,
            cwd: fields.get("cwd")?,
            user: fields.get("user")?,
            rows: fields.get("rows")?,
            cols: fields.get("cols")?,
        };
        fields.done(&["shell", "env", "cwd", "user", "rows", "cols"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl ToValue for api::SessionOutput {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(5usize);
        self.output.put("output", &mut fields);
        self.omitted.put("omitted", &mut fields);
        self.exit_code.put("exitCode", &mut fields);
        self.timed_out.put("timedOut", &mut fields);
        self.closed.put("closed", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::Snapshot {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(9usize);
        self.id.put("id", &mut fields);
        self.name.put("name", &mut fields);
        self.provider.put("provider", &mut fields);
        self.sandbox.put("sandbox", &mut fields);
        self.state.put("state", &mut fields);
        self.labels.put("labels", &mut fields);
        self.size.put("size", &mut fields);
        self.error.put("error", &mut fields);
        self.created_at.put("createdAt", &mut fields);
        Value::Record(fields)
    }
}
impl FromValue for api::ExportOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            provider: fields.get("provider")?,
            reference: fields.get("reference")?,
            compress: fields.get("compress")?,
        };
        fields.done(&["provider", "reference", "compress"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl FromValue for api::ImportOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self {
            provider: fields.get("provider")?,
            name: fields.get("name")?,
            labels: fields.get("labels")?,
            image: fields.get("image")?,
        };
        fields.done(&["provider", "name", "labels", "image"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl ToValue for api::ExportedImage {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(5usize);
        self.id.put("id", &mut fields);
        self.digest.put("digest", &mut fields);
        self.reference.put("reference", &mut fields);
        self.layers.put("layers", &mut fields);
        self.size.put("size", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::PostMortem {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(11usize);
        self.sandbox.put("sandbox", &mut fields);
        self.cause.put("cause", &mut fields);
        self.at.put("at", &mut fields);
        self.reason.put("reason", &mut fields);
        self.exit_code.put("exitCode", &mut fields);
        self.signal.put("signal", &mut fields);
        self.memory_limit.put("memoryLimit", &mut fields);
        self.peak_memory.put("peakMemory", &mut fields);
        self.running.put("running", &mut fields);
        self.last_output.put("lastOutput", &mut fields);
        self.denials.put("denials", &mut fields);
        Value::Record(fields)
    }
}
impl ToValue for api::Volume {
    fn to_value(self) -> Value {
        let mut fields = Vec::with_capacity(8usize);
        self.id.put("id", &mut fields);
        self.name.put("name", &mut fields);
        self.provider.put("provider", &mut fields);
        self.state.put("state", &mut fields);
        self.labels.put("labels", &mut fields);
        self.size.put("size", &mut fields);
        self.created_at.put("createdAt", &mut fields);
        self.attached.put("attached", &mut fields);
        Value::Record(fields)
    }
}
impl FromValue for api::VolumeOptions {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let mut fields = Fields::of(value, name)?;
        let read = Self { size: fields.get("size")?, labels: fields.get("labels")?, provider: fields.get("provider")? };
        fields.done(&["size", "labels", "provider"])?;
        Ok(read)
    }
    fn missing() -> Option<Self> {
        Self::from_value(Value::None, "options").ok()
    }
}
impl ToValue for api::ErrorCode {
    fn to_value(self) -> Value {
        let word = match self {
            Self::NotFound => "not_found",
            Self::AlreadyExists => "already_exists",
            Self::NotOwned => "not_owned",
            Self::Unsupported => "unsupported",
            Self::InvalidSpec => "invalid_spec",
            Self::InvalidState => "invalid_state",
            Self::Timeout => "timeout",
            Self::Cancelled => "cancelled",
            Self::Unauthenticated => "unauthenticated",
            Self::PermissionDenied => "permission_denied",
            Self::RateLimited => "rate_limited",
            Self::Overloaded => "overloaded",
            Self::LimitExceeded => "limit_exceeded",
            Self::OutOfMemory => "out_of_memory",
            Self::OutOfDisk => "out_of_disk",
            Self::ImageNotFound => "image_not_found",
            Self::ImagePullFailed => "image_pull_failed",
            Self::EngineUnavailable => "engine_unavailable",
            Self::SandboxGone => "sandbox_gone",
            Self::PolicyDenied => "policy_denied",
            Self::Transport => "transport",
            Self::Incomplete => "incomplete",
            Self::Conflict => "conflict",
            Self::CommandFailed => "command_failed",
            Self::Io => "io",
            Self::Internal => "internal",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::ErrorCode {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
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
impl ToValue for api::Fault {
    fn to_value(self) -> Value {
        let word = match self {
            Self::Program => "program",
            Self::Caller => "caller",
            Self::Policy => "policy",
            Self::Infrastructure => "infrastructure",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::Fault {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
        match word.as_str() {
            "program" => Ok(Self::Program),
            "caller" => Ok(Self::Caller),
            "policy" => Ok(Self::Policy),
            "infrastructure" => Ok(Self::Infrastructure),
            _ => Err(unknown_word(name, &word, &["program", "caller", "policy", "infrastructure"])),
        }
    }
}
impl ToValue for api::FileErrorKind {
    fn to_value(self) -> Value {
        let word = match self {
            Self::NotFound => "not_found",
            Self::PermissionDenied => "permission_denied",
            Self::AlreadyExists => "already_exists",
            Self::IsADirectory => "is_a_directory",
            Self::NotADirectory => "not_a_directory",
            Self::NotEmpty => "not_empty",
            Self::TooManyLinks => "too_many_links",
            Self::NameTooLong => "name_too_long",
            Self::NoSpace => "no_space",
            Self::ReadOnly => "read_only",
            Self::InvalidPath => "invalid_path",
            Self::TooLarge => "too_large",
            Self::Busy => "busy",
            Self::CrossDevice => "cross_device",
            Self::Other => "other",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::FileErrorKind {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
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
impl ToValue for api::Detail {
    fn to_value(self) -> Value {
        let mut fields = Vec::new();
        match self {
            Self::InvalidSpec { field, reason } => {
                fields.push(("type".to_owned(), Value::Text("invalid_spec".to_owned())));
                field.put("field", &mut fields);
                reason.put("reason", &mut fields);
            }
            Self::Unsupported { capability } => {
                fields.push(("type".to_owned(), Value::Text("unsupported".to_owned())));
                capability.put("capability", &mut fields);
            }
            Self::InvalidState { state, action } => {
                fields.push(("type".to_owned(), Value::Text("invalid_state".to_owned())));
                state.put("state", &mut fields);
                action.put("action", &mut fields);
            }
            Self::Timeout { operation, elapsed } => {
                fields.push(("type".to_owned(), Value::Text("timeout".to_owned())));
                operation.put("operation", &mut fields);
                elapsed.put("elapsedMs", &mut fields);
            }
            Self::Incomplete { output_abandoned, stop_acknowledged, termination_confirmed, cleanup_confirmed } => {
                fields.push(("type".to_owned(), Value::Text("incomplete".to_owned())));
                output_abandoned.put("outputAbandoned", &mut fields);
                stop_acknowledged.put("stopAcknowledged", &mut fields);
                termination_confirmed.put("terminationConfirmed", &mut fields);
                cleanup_confirmed.put("cleanupConfirmed", &mut fields);
            }
            Self::File { path, kind } => {
                fields.push(("type".to_owned(), Value::Text("file".to_owned())));
                path.put("path", &mut fields);
                kind.put("kind", &mut fields);
            }
            Self::Launch { step, errno, hint } => {
                fields.push(("type".to_owned(), Value::Text("launch".to_owned())));
                step.put("step", &mut fields);
                errno.put("errno", &mut fields);
                hint.put("hint", &mut fields);
            }
            Self::Resource { resource, id } => {
                fields.push(("type".to_owned(), Value::Text("resource".to_owned())));
                resource.put("resource", &mut fields);
                id.put("id", &mut fields);
            }
            Self::Limit { limit, max } => {
                fields.push(("type".to_owned(), Value::Text("limit".to_owned())));
                limit.put("limit", &mut fields);
                max.put("max", &mut fields);
            }
            Self::Died { post_mortem } => {
                fields.push(("type".to_owned(), Value::Text("died".to_owned())));
                post_mortem.put("postMortem", &mut fields);
            }
            Self::Exec { failure } => {
                fields.push(("type".to_owned(), Value::Text("exec".to_owned())));
                failure.put("failure", &mut fields);
            }
            Self::Git { operation, kind } => {
                fields.push(("type".to_owned(), Value::Text("git".to_owned())));
                operation.put("operation", &mut fields);
                kind.put("kind", &mut fields);
            }
            Self::Provider { code, json } => {
                fields.push(("type".to_owned(), Value::Text("provider".to_owned())));
                code.put("code", &mut fields);
                json.put("json", &mut fields);
            }
        }
        Value::Record(fields)
    }
}
impl ToValue for api::DeniedProtocol {
    fn to_value(self) -> Value {
        let word = match self {
            Self::Dns => "dns",
            Self::Tcp => "tcp",
            Self::Udp => "udp",
            Self::Other => "other",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::DeniedProtocol {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
        match word.as_str() {
            "dns" => Ok(Self::Dns),
            "tcp" => Ok(Self::Tcp),
            "udp" => Ok(Self::Udp),
            "other" => Ok(Self::Other),
            _ => Err(unknown_word(name, &word, &["dns", "tcp", "udp", "other"])),
        }
    }
}
impl ToValue for api::DenialReason {
    fn to_value(self) -> Value {
        let word = match self {
            Self::NotAllowed => "not_allowed",
            Self::Denied => "denied",
            Self::PrivateAddress => "private_address",
            Self::SecretHost => "secret_host",
            Self::Unknown => "unknown",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::DenialReason {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
        match word.as_str() {
            "not_allowed" => Ok(Self::NotAllowed),
            "denied" => Ok(Self::Denied),
            "private_address" => Ok(Self::PrivateAddress),
            "secret_host" => Ok(Self::SecretHost),
            "unknown" => Ok(Self::Unknown),
            _ => {
                Err(unknown_word(name, &word, &["not_allowed", "denied", "private_address", "secret_host", "unknown"]))
            }
        }
    }
}
impl ToValue for api::ProgressUnit {
    fn to_value(self) -> Value {
        let word = match self {
            Self::Bytes => "bytes",
            Self::Items => "items",
            Self::Steps => "steps",
            Self::Percent => "percent",
            Self::Unknown => "unknown",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::ProgressUnit {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
        match word.as_str() {
            "bytes" => Ok(Self::Bytes),
            "items" => Ok(Self::Items),
            "steps" => Ok(Self::Steps),
            "percent" => Ok(Self::Percent),
            "unknown" => Ok(Self::Unknown),
            _ => Err(unknown_word(name, &word, &["bytes", "items", "steps", "percent", "unknown"])),
        }
    }
}
impl ToValue for api::LimitKind {
    fn to_value(self) -> Value {
        let word = match self {
            Self::Memory => "memory",
            Self::Pids => "pids",
            Self::Disk => "disk",
            Self::Output => "output",
            Self::Unknown => "unknown",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::LimitKind {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
        match word.as_str() {
            "memory" => Ok(Self::Memory),
            "pids" => Ok(Self::Pids),
            "disk" => Ok(Self::Disk),
            "output" => Ok(Self::Output),
            "unknown" => Ok(Self::Unknown),
            _ => Err(unknown_word(name, &word, &["memory", "pids", "disk", "output", "unknown"])),
        }
    }
}
impl ToValue for api::EventKind {
    fn to_value(self) -> Value {
        let mut fields = Vec::new();
        match self {
            Self::OperationStarted { action } => {
                fields.push(("type".to_owned(), Value::Text("operation_started".to_owned())));
                action.put("action", &mut fields);
            }
            Self::OperationProgress { action, progress } => {
                fields.push(("type".to_owned(), Value::Text("operation_progress".to_owned())));
                action.put("action", &mut fields);
                progress.put("progress", &mut fields);
            }
            Self::OperationCompleted { action, duration } => {
                fields.push(("type".to_owned(), Value::Text("operation_completed".to_owned())));
                action.put("action", &mut fields);
                duration.put("durationMs", &mut fields);
            }
            Self::OperationFailed { action, duration, error } => {
                fields.push(("type".to_owned(), Value::Text("operation_failed".to_owned())));
                action.put("action", &mut fields);
                duration.put("durationMs", &mut fields);
                error.put("error", &mut fields);
            }
            Self::StateObserved { resource, previous, current } => {
                fields.push(("type".to_owned(), Value::Text("state_observed".to_owned())));
                resource.put("resource", &mut fields);
                previous.put("previous", &mut fields);
                current.put("current", &mut fields);
            }
            Self::ExecStarted { process, label } => {
                fields.push(("type".to_owned(), Value::Text("exec_started".to_owned())));
                process.put("process", &mut fields);
                label.put("label", &mut fields);
            }
            Self::ExecExited { process, exit } => {
                fields.push(("type".to_owned(), Value::Text("exec_exited".to_owned())));
                process.put("process", &mut fields);
                exit.put("exit", &mut fields);
            }
            Self::FilesTransferred { upload, files, bytes } => {
                fields.push(("type".to_owned(), Value::Text("files_transferred".to_owned())));
                upload.put("upload", &mut fields);
                files.put("files", &mut fields);
                bytes.put("bytes", &mut fields);
            }
            Self::NetworkDenied { denial } => {
                fields.push(("type".to_owned(), Value::Text("network_denied".to_owned())));
                denial.put("denial", &mut fields);
            }
            Self::LimitReached { limit, max, process } => {
                fields.push(("type".to_owned(), Value::Text("limit_reached".to_owned())));
                limit.put("limit", &mut fields);
                max.put("max", &mut fields);
                process.put("process", &mut fields);
            }
            Self::ExpirySoon { expires_at } => {
                fields.push(("type".to_owned(), Value::Text("expiry_soon".to_owned())));
                expires_at.put("expiresAt", &mut fields);
            }
            Self::Died { post_mortem } => {
                fields.push(("type".to_owned(), Value::Text("died".to_owned())));
                post_mortem.put("postMortem", &mut fields);
            }
            Self::Notice { code, message } => {
                fields.push(("type".to_owned(), Value::Text("notice".to_owned())));
                code.put("code", &mut fields);
                message.put("message", &mut fields);
            }
            Self::Gone { oldest } => {
                fields.push(("type".to_owned(), Value::Text("gone".to_owned())));
                oldest.put("oldest", &mut fields);
            }
            Self::Unknown { word } => {
                fields.push(("type".to_owned(), Value::Text("unknown".to_owned())));
                word.put("word", &mut fields);
            }
        }
        Value::Record(fields)
    }
}
impl ToValue for api::Sanitize {
    fn to_value(self) -> Value {
        let word = match self {
            Self::Raw => "raw",
            Self::StripAnsi => "strip_ansi",
            Self::StripAll => "strip_all",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::Sanitize {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
        match word.as_str() {
            "raw" => Ok(Self::Raw),
            "strip_ansi" => Ok(Self::StripAnsi),
            "strip_all" => Ok(Self::StripAll),
            _ => Err(unknown_word(name, &word, &["raw", "strip_ansi", "strip_all"])),
        }
    }
}
impl ToValue for api::Termination {
    fn to_value(self) -> Value {
        let word = match self {
            Self::Exited => "exited",
            Self::Signalled => "signalled",
            Self::TimedOut => "timed_out",
            Self::Cancelled => "cancelled",
            Self::Killed => "killed",
            Self::Unknown => "unknown",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::Termination {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
        match word.as_str() {
            "exited" => Ok(Self::Exited),
            "signalled" => Ok(Self::Signalled),
            "timed_out" => Ok(Self::TimedOut),
            "cancelled" => Ok(Self::Cancelled),
            "killed" => Ok(Self::Killed),
            "unknown" => Ok(Self::Unknown),
            _ => {
                Err(unknown_word(name, &word, &["exited", "signalled", "timed_out", "cancelled", "killed", "unknown"]))
            }
        }
    }
}
impl ToValue for api::OutputEvent {
    fn to_value(self) -> Value {
        let mut fields = Vec::new();
        match self {
            Self::Stdout { data } => {
                fields.push(("type".to_owned(), Value::Text("stdout".to_owned())));
                data.put("data", &mut fields);
            }
            Self::Stderr { data } => {
                fields.push(("type".to_owned(), Value::Text("stderr".to_owned())));
                data.put("data", &mut fields);
            }
            Self::Gap { bytes, of_stderr } => {
                fields.push(("type".to_owned(), Value::Text("gap".to_owned())));
                bytes.put("bytes", &mut fields);
                of_stderr.put("ofStderr", &mut fields);
            }
            Self::Exited { exit } => {
                fields.push(("type".to_owned(), Value::Text("exited".to_owned())));
                exit.put("exit", &mut fields);
            }
        }
        Value::Record(fields)
    }
}
impl ToValue for api::FileKind {
    fn to_value(self) -> Value {
        let word = match self {
            Self::File => "file",
            Self::Directory => "directory",
            Self::Symlink => "symlink",
            Self::Other => "other",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::FileKind {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
        match word.as_str() {
            "file" => Ok(Self::File),
            "directory" => Ok(Self::Directory),
            "symlink" => Ok(Self::Symlink),
            "other" => Ok(Self::Other),
            _ => Err(unknown_word(name, &word, &["file", "directory", "symlink", "other"])),
        }
    }
}
impl ToValue for api::FileChangeKind {
    fn to_value(self) -> Value {
        let word = match self {
            Self::Created => "created",
            Self::Modified => "modified",
            Self::Attributes => "attributes",
            Self::Renamed => "renamed",
            Self::Removed => "removed",
            Self::Overflow => "overflow",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::FileChangeKind {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
        match word.as_str() {
            "created" => Ok(Self::Created),
            "modified" => Ok(Self::Modified),
            "attributes" => Ok(Self::Attributes),
            "renamed" => Ok(Self::Renamed),
            "removed" => Ok(Self::Removed),
            "overflow" => Ok(Self::Overflow),
            _ => {
                Err(unknown_word(name, &word, &["created", "modified", "attributes", "renamed", "removed", "overflow"]))
            }
        }
    }
}
impl FromValue for api::NetworkPolicy {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let (word, mut fields) = sum(value, name)?;
        match word.as_str() {
            "none" => {
                let read = Self::None {};
                fields.done(&[])?;
                Ok(read)
            }
            "public" => {
                let read = Self::Public {};
                fields.done(&[])?;
                Ok(read)
            }
            "allow" => {
                let read =
                    Self::Allow { allow: fields.get("allow")?, deny: fields.get("deny")?, dns: fields.get("dns")? };
                fields.done(&["allow", "deny", "dns"])?;
                Ok(read)
            }
            "provider_default" => {
                let read = Self::ProviderDefault {};
                fields.done(&[])?;
                Ok(read)
            }
            _ => Err(unknown_word(name, &word, &["none", "public", "allow", "provider_default"])),
        }
    }
}
impl ToValue for api::PullPolicy {
    fn to_value(self) -> Value {
        let word = match self {
            Self::Missing => "missing",
            Self::Always => "always",
            Self::Never => "never",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::PullPolicy {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
        match word.as_str() {
            "missing" => Ok(Self::Missing),
            "always" => Ok(Self::Always),
            "never" => Ok(Self::Never),
            _ => Err(unknown_word(name, &word, &["missing", "always", "never"])),
        }
    }
}
impl FromValue for api::Mount {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let (word, mut fields) = sum(value, name)?;
        match word.as_str() {
            "bind" => {
                let read = Self::Bind {
                    source: fields.get("source")?,
                    target: fields.get("target")?,
                    read_only: fields.get("readOnly")?,
                };
                fields.done(&["source", "target", "readOnly"])?;
                Ok(read)
            }
            "tmpfs" => {
                let read =
                    Self::Tmpfs { target: fields.get("target")?, size: fields.get("size")?, mode: fields.get("mode")? };
                fields.done(&["target", "size", "mode"])?;
                Ok(read)
            }
            _ => Err(unknown_word(name, &word, &["bind", "tmpfs"])),
        }
    }
}
impl FromValue for api::SecretDelivery {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let (word, mut fields) = sum(value, name)?;
        match word.as_str() {
            "hosts" => {
                let read = Self::Hosts { hosts: fields.get("hosts")? };
                fields.done(&["hosts"])?;
                Ok(read)
            }
            "exposed" => {
                let read = Self::Exposed {};
                fields.done(&[])?;
                Ok(read)
            }
            "file" => {
                let read = Self::File { path: fields.get("path")? };
                fields.done(&["path"])?;
                Ok(read)
            }
            _ => Err(unknown_word(name, &word, &["hosts", "exposed", "file"])),
        }
    }
}
impl ToValue for api::NamespaceUsers {
    fn to_value(self) -> Value {
        let word = match self {
            Self::Auto => "auto",
            Self::Single => "single",
            Self::Range => "range",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::NamespaceUsers {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
        match word.as_str() {
            "auto" => Ok(Self::Auto),
            "single" => Ok(Self::Single),
            "range" => Ok(Self::Range),
            _ => Err(unknown_word(name, &word, &["auto", "single", "range"])),
        }
    }
}
impl ToValue for api::DiskBacking {
    fn to_value(self) -> Value {
        let word = match self {
            Self::Tmpfs => "tmpfs",
            Self::Loop => "loop",
            Self::Quota => "quota",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::DiskBacking {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
        match word.as_str() {
            "tmpfs" => Ok(Self::Tmpfs),
            "loop" => Ok(Self::Loop),
            "quota" => Ok(Self::Quota),
            _ => Err(unknown_word(name, &word, &["tmpfs", "loop", "quota"])),
        }
    }
}
impl ToValue for api::SignalTarget {
    fn to_value(self) -> Value {
        let word = match self {
            Self::Tree => "tree",
            Self::Leader => "leader",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::SignalTarget {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
        match word.as_str() {
            "tree" => Ok(Self::Tree),
            "leader" => Ok(Self::Leader),
            _ => Err(unknown_word(name, &word, &["tree", "leader"])),
        }
    }
}
impl ToValue for api::SnapshotState {
    fn to_value(self) -> Value {
        let word = match self {
            Self::Building => "building",
            Self::Active => "active",
            Self::Inactive => "inactive",
            Self::Error => "error",
            Self::Deleting => "deleting",
            Self::Deleted => "deleted",
            Self::Unknown => "unknown",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::SnapshotState {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
        match word.as_str() {
            "building" => Ok(Self::Building),
            "active" => Ok(Self::Active),
            "inactive" => Ok(Self::Inactive),
            "error" => Ok(Self::Error),
            "deleting" => Ok(Self::Deleting),
            "deleted" => Ok(Self::Deleted),
            "unknown" => Ok(Self::Unknown),
            _ => Err(unknown_word(
                name,
                &word,
                &["building", "active", "inactive", "error", "deleting", "deleted", "unknown"],
            )),
        }
    }
}
impl ToValue for api::State {
    fn to_value(self) -> Value {
        let word = match self {
            Self::Creating => "creating",
            Self::Starting => "starting",
            Self::Running => "running",
            Self::Stopping => "stopping",
            Self::Stopped => "stopped",
            Self::Pausing => "pausing",
            Self::Paused => "paused",
            Self::Resuming => "resuming",
            Self::Archiving => "archiving",
            Self::Archived => "archived",
            Self::Restoring => "restoring",
            Self::Resizing => "resizing",
            Self::Forking => "forking",
            Self::Snapshotting => "snapshotting",
            Self::Deleting => "deleting",
            Self::Deleted => "deleted",
            Self::Error => "error",
            Self::Unknown => "unknown",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::State {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
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
impl ToValue for api::Action {
    fn to_value(self) -> Value {
        let word = match self {
            Self::Create => "create",
            Self::Attach => "attach",
            Self::Start => "start",
            Self::Stop => "stop",
            Self::Delete => "delete",
            Self::Activate => "activate",
            Self::Deactivate => "deactivate",
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Archive => "archive",
            Self::Fork => "fork",
            Self::Resize => "resize",
            Self::Snapshot => "snapshot",
            Self::Recover => "recover",
            Self::Undelete => "undelete",
            Self::RefreshActivity => "refresh_activity",
            Self::SetLifetimes => "set_lifetimes",
            Self::SetLabels => "set_labels",
            Self::UpdateNetwork => "update_network",
            Self::Detach => "detach",
            Self::Exec => "exec",
            Self::Files => "files",
            Self::Access => "access",
            Self::Pull => "pull",
            Self::Build => "build",
            Self::Unknown => "unknown",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::Action {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
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
impl ToValue for api::Expiry {
    fn to_value(self) -> Value {
        let word = match self {
            Self::Delete => "delete",
            Self::Stop => "stop",
            Self::Pause => "pause",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::Expiry {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
        match word.as_str() {
            "delete" => Ok(Self::Delete),
            "stop" => Ok(Self::Stop),
            "pause" => Ok(Self::Pause),
            _ => Err(unknown_word(name, &word, &["delete", "stop", "pause"])),
        }
    }
}
impl ToValue for api::Isolation {
    fn to_value(self) -> Value {
        let word = match self {
            Self::None => "none",
            Self::Process => "process",
            Self::Container => "container",
            Self::Gvisor => "gvisor",
            Self::Vm => "vm",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::Isolation {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
        match word.as_str() {
            "none" => Ok(Self::None),
            "process" => Ok(Self::Process),
            "container" => Ok(Self::Container),
            "gvisor" => Ok(Self::Gvisor),
            "vm" => Ok(Self::Vm),
            _ => Err(unknown_word(name, &word, &["none", "process", "container", "gvisor", "vm"])),
        }
    }
}
impl ToValue for api::DeathCause {
    fn to_value(self) -> Value {
        let word = match self {
            Self::Oom => "oom",
            Self::Evicted => "evicted",
            Self::RemovedExternally => "removed_externally",
            Self::EngineDown => "engine_down",
            Self::AgentCrashed => "agent_crashed",
            Self::Expired => "expired",
            Self::OwnerLost => "owner_lost",
            Self::Exited => "exited",
            Self::OutOfDisk => "out_of_disk",
            Self::Unknown => "unknown",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::DeathCause {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
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
impl ToValue for api::VolumeState {
    fn to_value(self) -> Value {
        let word = match self {
            Self::Creating => "creating",
            Self::Ready => "ready",
            Self::Deleting => "deleting",
            Self::Deleted => "deleted",
            Self::Error => "error",
            Self::Unknown => "unknown",
        };
        Value::Text(word.to_owned())
    }
}
impl FromValue for api::VolumeState {
    fn from_value(value: Value, name: &str) -> api::Result<Self> {
        let word = String::from_value(value, name)?;
        match word.as_str() {
            "creating" => Ok(Self::Creating),
            "ready" => Ok(Self::Ready),
            "deleting" => Ok(Self::Deleting),
            "deleted" => Ok(Self::Deleted),
            "error" => Ok(Self::Error),
            "unknown" => Ok(Self::Unknown),
            _ => Err(unknown_word(name, &word, &["creating", "ready", "deleting", "deleted", "error", "unknown"])),
        }
    }
}
/// What a handle holds.
pub enum Object {
    Files(api::Files),
    FileWriter(api::FileWriter),
    Git(api::Git),
    Repository(api::Repository),
    Images(api::Images),
    Isobox(api::Isobox),
    Pool(api::Pool),
    Process(api::Process),
    Sandbox(api::Sandbox),
    Search(api::Search),
    Services(api::Services),
    Service(api::Service),
    Session(api::Session),
    Stream(Box<dyn Flowing>),
}
impl ToValue for api::Files {
    fn to_value(self) -> Value {
        Value::Object(Object::Files(self))
    }
}
impl ToValue for api::FileWriter {
    fn to_value(self) -> Value {
        Value::Object(Object::FileWriter(self))
    }
}
impl ToValue for api::Git {
    fn to_value(self) -> Value {
        Value::Object(Object::Git(self))
    }
}
impl ToValue for api::Repository {
    fn to_value(self) -> Value {
        Value::Object(Object::Repository(self))
    }
}
impl ToValue for api::Images {
    fn to_value(self) -> Value {
        Value::Object(Object::Images(self))
    }
}
impl ToValue for api::Isobox {
    fn to_value(self) -> Value {
        Value::Object(Object::Isobox(self))
    }
}
impl ToValue for api::Pool {
    fn to_value(self) -> Value {
        Value::Object(Object::Pool(self))
    }
}
impl ToValue for api::Process {
    fn to_value(self) -> Value {
        Value::Object(Object::Process(self))
    }
}
impl ToValue for api::Sandbox {
    fn to_value(self) -> Value {
        Value::Object(Object::Sandbox(self))
    }
}
impl ToValue for api::Search {
    fn to_value(self) -> Value {
        Value::Object(Object::Search(self))
    }
}
impl ToValue for api::Services {
    fn to_value(self) -> Value {
        Value::Object(Object::Services(self))
    }
}
impl ToValue for api::Service {
    fn to_value(self) -> Value {
        Value::Object(Object::Service(self))
    }
}
impl ToValue for api::Session {
    fn to_value(self) -> Value {
        Value::Object(Object::Session(self))
    }
}
/// A call, by its name.
pub(crate) fn work(name: &str, handle: Option<&Object>, arguments: Vec<Value>) -> api::Result<Work> {
    let mut arguments = arguments.into_iter();
    Ok(match (name, handle) {
        ("Stream.next", Some(Object::Stream(stream))) => stream.next(),
        ("Stream.close", Some(Object::Stream(stream))) => stream.close(),
        ("Files.read", Some(Object::Files(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.read(path, options).await?.to_value()) })
        }
        ("Files.readText", Some(Object::Files(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            Box::pin(async move { Ok(this.read_text(path).await?.to_value()) })
        }
        ("Files.readStream", Some(Object::Files(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.read_stream(path, options).await?.to_value()) })
        }
        ("Files.write", Some(Object::Files(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            let data = argument(&mut arguments, "data")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.write(path, data, options).await?.to_value()) })
        }
        ("Files.append", Some(Object::Files(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            let data = argument(&mut arguments, "data")?;
            Box::pin(async move { Ok(this.append(path, data).await?.to_value()) })
        }
        ("Files.writeStream", Some(Object::Files(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.write_stream(path, options).await?.to_value()) })
        }
        ("Files.stat", Some(Object::Files(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            Box::pin(async move { Ok(this.stat(path).await?.to_value()) })
        }
        ("Files.statLink", Some(Object::Files(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            Box::pin(async move { Ok(this.stat_link(path).await?.to_value()) })
        }
        ("Files.exists", Some(Object::Files(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            Box::pin(async move { Ok(this.exists(path).await?.to_value()) })
        }
        ("Files.list", Some(Object::Files(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.list(path, options).await?.to_value()) })
        }
        ("Files.mkdir", Some(Object::Files(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.mkdir(path, options).await?.to_value()) })
        }
        ("Files.rename", Some(Object::Files(this))) => {
            let this = this.clone();
            let source = argument(&mut arguments, "source")?;
            let target = argument(&mut arguments, "target")?;
            Box::pin(async move { Ok(this.rename(source, target).await?.to_value()) })
        }
        ("Files.copy", Some(Object::Files(this))) => {
            let this = this.clone();
            let source = argument(&mut arguments, "source")?;
            let target = argument(&mut arguments, "target")?;
            Box::pin(async move { Ok(this.copy(source, target).await?.to_value()) })
        }
        ("Files.symlink", Some(Object::Files(this))) => {
            let this = this.clone();
            let target = argument(&mut arguments, "target")?;
            let path = argument(&mut arguments, "path")?;
            Box::pin(async move { Ok(this.symlink(target, path).await?.to_value()) })
        }
        ("Files.readLink", Some(Object::Files(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            Box::pin(async move { Ok(this.read_link(path).await?.to_value()) })
        }
        ("Files.chmod", Some(Object::Files(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            let mode = argument(&mut arguments, "mode")?;
            Box::pin(async move { Ok(this.chmod(path, mode).await?.to_value()) })
        }
        ("Files.chown", Some(Object::Files(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            let owner = argument(&mut arguments, "owner")?;
            Box::pin(async move { Ok(this.chown(path, owner).await?.to_value()) })
        }
        ("Files.remove", Some(Object::Files(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            Box::pin(async move { Ok(this.remove(path).await?.to_value()) })
        }
        ("Files.removeAll", Some(Object::Files(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            Box::pin(async move { Ok(this.remove_all(path).await?.to_value()) })
        }
        ("Files.watch", Some(Object::Files(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.watch(path, options).await?.to_value()) })
        }
        ("Files.upload", Some(Object::Files(this))) => {
            let this = this.clone();
            let local = argument(&mut arguments, "local")?;
            let remote = argument(&mut arguments, "remote")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.upload(local, remote, options).await?.to_value()) })
        }
        ("Files.download", Some(Object::Files(this))) => {
            let this = this.clone();
            let remote = argument(&mut arguments, "remote")?;
            let local = argument(&mut arguments, "local")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.download(remote, local, options).await?.to_value()) })
        }
        ("FileWriter.write", Some(Object::FileWriter(this))) => {
            let this = this.clone();
            let data = argument(&mut arguments, "data")?;
            Box::pin(async move { Ok(this.write(data).await?.to_value()) })
        }
        ("FileWriter.close", Some(Object::FileWriter(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.close().await?.to_value()) })
        }
        ("Git.cloneRepository", Some(Object::Git(this))) => {
            let this = this.clone();
            let url = argument(&mut arguments, "url")?;
            let target = argument(&mut arguments, "target")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.clone_repository(url, target, options).await?.to_value()) })
        }
        ("Git.init", Some(Object::Git(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            Box::pin(async move { Ok(this.init(path).await?.to_value()) })
        }
        ("Git.open", Some(Object::Git(this))) => {
            let this = this.clone();
            let path = argument(&mut arguments, "path")?;
            Box::pin(async move { Ok(this.open(path).await?.to_value()) })
        }
        ("Repository.status", Some(Object::Repository(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.status().await?.to_value()) })
        }
        ("Repository.add", Some(Object::Repository(this))) => {
            let this = this.clone();
            let paths = argument(&mut arguments, "paths")?;
            Box::pin(async move { Ok(this.add(paths).await?.to_value()) })
        }
        ("Repository.addAll", Some(Object::Repository(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.add_all().await?.to_value()) })
        }
        ("Repository.commit", Some(Object::Repository(this))) => {
            let this = this.clone();
            let message = argument(&mut arguments, "message")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.commit(message, options).await?.to_value()) })
        }
        ("Repository.fetch", Some(Object::Repository(this))) => {
            let this = this.clone();
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.fetch(options).await?.to_value()) })
        }
        ("Repository.pull", Some(Object::Repository(this))) => {
            let this = this.clone();
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.pull(options).await?.to_value()) })
        }
        ("Repository.push", Some(Object::Repository(this))) => {
            let this = this.clone();
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.push(options).await?.to_value()) })
        }
        ("Repository.branches", Some(Object::Repository(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.branches().await?.to_value()) })
        }
        ("Repository.checkout", Some(Object::Repository(this))) => {
            let this = this.clone();
            let revision = argument(&mut arguments, "revision")?;
            Box::pin(async move { Ok(this.checkout(revision).await?.to_value()) })
        }
        ("Repository.createBranch", Some(Object::Repository(this))) => {
            let this = this.clone();
            let name = argument(&mut arguments, "name")?;
            Box::pin(async move { Ok(this.create_branch(name).await?.to_value()) })
        }
        ("Repository.revParse", Some(Object::Repository(this))) => {
            let this = this.clone();
            let revision = argument(&mut arguments, "revision")?;
            Box::pin(async move { Ok(this.rev_parse(revision).await?.to_value()) })
        }
        ("Repository.log", Some(Object::Repository(this))) => {
            let this = this.clone();
            let revision = argument(&mut arguments, "revision")?;
            let most = argument(&mut arguments, "most")?;
            Box::pin(async move { Ok(this.log(revision, most).await?.to_value()) })
        }
        ("Repository.diff", Some(Object::Repository(this))) => {
            let this = this.clone();
            let revision = argument(&mut arguments, "revision")?;
            let to = argument(&mut arguments, "to")?;
            Box::pin(async move { Ok(this.diff(revision, to).await?.to_value()) })
        }
        ("Repository.changes", Some(Object::Repository(this))) => {
            let this = this.clone();
            let revision = argument(&mut arguments, "revision")?;
            let to = argument(&mut arguments, "to")?;
            Box::pin(async move { Ok(this.changes(revision, to).await?.to_value()) })
        }
        ("Repository.untrackedFiles", Some(Object::Repository(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.untracked_files().await?.to_value()) })
        }
        ("Repository.setCredentials", Some(Object::Repository(this))) => {
            let this = this.clone();
            let username = argument(&mut arguments, "username")?;
            let password = argument(&mut arguments, "password")?;
            Box::pin(async move { Ok(this.set_credentials(username, password).await?.to_value()) })
        }
        ("Repository.clearCredentials", Some(Object::Repository(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.clear_credentials().await?.to_value()) })
        }
        ("Repository.setConfig", Some(Object::Repository(this))) => {
            let this = this.clone();
            let key = argument(&mut arguments, "key")?;
            let value = argument(&mut arguments, "value")?;
            Box::pin(async move { Ok(this.set_config(key, value).await?.to_value()) })
        }
        ("Images.pull", Some(Object::Images(this))) => {
            let this = this.clone();
            let reference = argument(&mut arguments, "reference")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.pull(reference, options).await?.to_value()) })
        }
        ("Images.load", Some(Object::Images(this))) => {
            let this = this.clone();
            let archive = argument(&mut arguments, "archive")?;
            Box::pin(async move { Ok(this.load(archive).await?.to_value()) })
        }
        ("Images.all", Some(Object::Images(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.all().await?.to_value()) })
        }
        ("Images.remove", Some(Object::Images(this))) => {
            let this = this.clone();
            let name = argument(&mut arguments, "name")?;
            Box::pin(async move { Ok(this.remove(name).await?.to_value()) })
        }
        ("Images.prune", Some(Object::Images(this))) => {
            let this = this.clone();
            let budget = argument(&mut arguments, "budget")?;
            Box::pin(async move { Ok(this.prune(budget).await?.to_value()) })
        }
        ("Isobox.open", None) => {
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(api::Isobox::open(options).await?.to_value()) })
        }
        ("Isobox.shared", None) => Box::pin(async move { Ok(api::Isobox::shared().await?.to_value()) }),
        ("Isobox.create", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.create(options).await?.to_value()) })
        }
        ("Isobox.getOrCreate", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.get_or_create(options).await?.to_value()) })
        }
        ("Isobox.connect", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let id_or_name = argument(&mut arguments, "idOrName")?;
            Box::pin(async move { Ok(this.connect(id_or_name).await?.to_value()) })
        }
        ("Isobox.list", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.list(options).await?.to_value()) })
        }
        ("Isobox.inspect", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let id_or_name = argument(&mut arguments, "idOrName")?;
            Box::pin(async move { Ok(this.inspect(id_or_name).await?.to_value()) })
        }
        ("Isobox.postMortem", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let id_or_name = argument(&mut arguments, "idOrName")?;
            Box::pin(async move { Ok(this.post_mortem(id_or_name).await?.to_value()) })
        }
        ("Isobox.events", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.events(options).await?.to_value()) })
        }
        ("Isobox.providers", Some(Object::Isobox(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.providers().await?.to_value()) })
        }
        ("Isobox.collectGarbage", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let dry_run = argument(&mut arguments, "dryRun")?;
            Box::pin(async move { Ok(this.collect_garbage(dry_run).await?.to_value()) })
        }
        ("Isobox.snapshots", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let provider = argument(&mut arguments, "provider")?;
            Box::pin(async move { Ok(this.snapshots(provider).await?.to_value()) })
        }
        ("Isobox.snapshot", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let id_or_name = argument(&mut arguments, "idOrName")?;
            let provider = argument(&mut arguments, "provider")?;
            Box::pin(async move { Ok(this.snapshot(id_or_name, provider).await?.to_value()) })
        }
        ("Isobox.deleteSnapshot", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let id_or_name = argument(&mut arguments, "idOrName")?;
            let provider = argument(&mut arguments, "provider")?;
            Box::pin(async move { Ok(this.delete_snapshot(id_or_name, provider).await?.to_value()) })
        }
        ("Isobox.createVolume", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let name = argument(&mut arguments, "name")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.create_volume(name, options).await?.to_value()) })
        }
        ("Isobox.volumes", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let provider = argument(&mut arguments, "provider")?;
            Box::pin(async move { Ok(this.volumes(provider).await?.to_value()) })
        }
        ("Isobox.volume", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let id_or_name = argument(&mut arguments, "idOrName")?;
            let provider = argument(&mut arguments, "provider")?;
            Box::pin(async move { Ok(this.volume(id_or_name, provider).await?.to_value()) })
        }
        ("Isobox.deleteVolume", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let id_or_name = argument(&mut arguments, "idOrName")?;
            let provider = argument(&mut arguments, "provider")?;
            Box::pin(async move { Ok(this.delete_volume(id_or_name, provider).await?.to_value()) })
        }
        ("Isobox.exportSnapshot", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let id_or_name = argument(&mut arguments, "idOrName")?;
            let to = argument(&mut arguments, "to")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.export_snapshot(id_or_name, to, options).await?.to_value()) })
        }
        ("Isobox.importSnapshot", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let archive = argument(&mut arguments, "archive")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.import_snapshot(archive, options).await?.to_value()) })
        }
        ("Isobox.images", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let provider = argument(&mut arguments, "provider")?;
            Box::pin(async move { Ok(this.images(provider).await?.to_value()) })
        }
        ("Isobox.pool", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let size = argument(&mut arguments, "size")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.pool(size, options).await?.to_value()) })
        }
        ("Isobox.takeFrom", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let pool = argument(&mut arguments, "pool")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.take_from(pool, options).await?.to_value()) })
        }
        ("Isobox.limits", Some(Object::Isobox(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.limits().await?.to_value()) })
        }
        ("Isobox.setLimits", Some(Object::Isobox(this))) => {
            let this = this.clone();
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.set_limits(options).await?.to_value()) })
        }
        ("Isobox.queue", Some(Object::Isobox(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.queue().await?.to_value()) })
        }
        ("Isobox.diskUsage", Some(Object::Isobox(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.disk_usage().await?.to_value()) })
        }
        ("Isobox.close", Some(Object::Isobox(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.close().await?.to_value()) })
        }
        ("Pool.take", Some(Object::Pool(this))) => {
            let this = this.clone();
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.take(options).await?.to_value()) })
        }
        ("Pool.ready", Some(Object::Pool(this))) => {
            let this = this.clone();
            let count = argument(&mut arguments, "count")?;
            Box::pin(async move { Ok(this.ready(count).await?.to_value()) })
        }
        ("Pool.status", Some(Object::Pool(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.status().await?.to_value()) })
        }
        ("Pool.close", Some(Object::Pool(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.close().await?.to_value()) })
        }
        ("Process.write", Some(Object::Process(this))) => {
            let this = this.clone();
            let data = argument(&mut arguments, "data")?;
            Box::pin(async move { Ok(this.write(data).await?.to_value()) })
        }
        ("Process.closeStdin", Some(Object::Process(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.close_stdin().await?.to_value()) })
        }
        ("Process.signal", Some(Object::Process(this))) => {
            let this = this.clone();
            let name = argument(&mut arguments, "name")?;
            let target = argument(&mut arguments, "target")?;
            Box::pin(async move { Ok(this.signal(name, target).await?.to_value()) })
        }
        ("Process.stop", Some(Object::Process(this))) => {
            let this = this.clone();
            let grace = argument(&mut arguments, "graceMs")?;
            Box::pin(async move { Ok(this.stop(grace).await?.to_value()) })
        }
        ("Process.kill", Some(Object::Process(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.kill().await?.to_value()) })
        }
        ("Process.resize", Some(Object::Process(this))) => {
            let this = this.clone();
            let rows = argument(&mut arguments, "rows")?;
            let cols = argument(&mut arguments, "cols")?;
            Box::pin(async move { Ok(this.resize(rows, cols).await?.to_value()) })
        }
        ("Process.wait", Some(Object::Process(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.wait().await?.to_value()) })
        }
        ("Process.detach", Some(Object::Process(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.detach().await?.to_value()) })
        }
        ("Sandbox.create", None) => {
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(api::Sandbox::create(options).await?.to_value()) })
        }
        ("Sandbox.getOrCreate", None) => {
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(api::Sandbox::get_or_create(options).await?.to_value()) })
        }
        ("Sandbox.connect", None) => {
            let id_or_name = argument(&mut arguments, "idOrName")?;
            Box::pin(async move { Ok(api::Sandbox::connect(id_or_name).await?.to_value()) })
        }
        ("Sandbox.list", None) => {
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(api::Sandbox::list(options).await?.to_value()) })
        }
        ("Sandbox.exec", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            let command = argument(&mut arguments, "command")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.exec(command, options).await?.to_value()) })
        }
        ("Sandbox.spawn", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            let command = argument(&mut arguments, "command")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.spawn(command, options).await?.to_value()) })
        }
        ("Sandbox.processes", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.processes().await?.to_value()) })
        }
        ("Sandbox.process", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            let id = argument(&mut arguments, "id")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.process(id, options).await?.to_value()) })
        }
        ("Sandbox.session", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.session(options).await?.to_value()) })
        }
        ("Sandbox.status", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.status().await?.to_value()) })
        }
        ("Sandbox.metrics", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.metrics().await?.to_value()) })
        }
        ("Sandbox.ended", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.ended().await?.to_value()) })
        }
        ("Sandbox.start", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.start().await?.to_value()) })
        }
        ("Sandbox.stop", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            let grace = argument(&mut arguments, "graceMs")?;
            Box::pin(async move { Ok(this.stop(grace).await?.to_value()) })
        }
        ("Sandbox.pause", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.pause().await?.to_value()) })
        }
        ("Sandbox.resume", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.resume().await?.to_value()) })
        }
        ("Sandbox.resize", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.resize(options).await?.to_value()) })
        }
        ("Sandbox.delete", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.delete().await?.to_value()) })
        }
        ("Sandbox.detach", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.detach().await?.to_value()) })
        }
        ("Sandbox.adopt", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.adopt().await?.to_value()) })
        }
        ("Sandbox.touch", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.touch().await?.to_value()) })
        }
        ("Sandbox.setTtl", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            let ttl = argument(&mut arguments, "ttlMs")?;
            Box::pin(async move { Ok(this.set_ttl(ttl).await?.to_value()) })
        }
        ("Sandbox.snapshot", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.snapshot(options).await?.to_value()) })
        }
        ("Sandbox.fork", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.fork(options).await?.to_value()) })
        }
        ("Sandbox.forward", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            let port = argument(&mut arguments, "port")?;
            Box::pin(async move { Ok(this.forward(port).await?.to_value()) })
        }
        ("Sandbox.release", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            let port = argument(&mut arguments, "port")?;
            Box::pin(async move { Ok(this.release(port).await?.to_value()) })
        }
        ("Sandbox.waitForPort", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            let port = argument(&mut arguments, "port")?;
            let timeout = argument(&mut arguments, "timeoutMs")?;
            Box::pin(async move { Ok(this.wait_for_port(port, timeout).await?.to_value()) })
        }
        ("Sandbox.listeningPorts", Some(Object::Sandbox(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.listening_ports().await?.to_value()) })
        }
        ("Search.grep", Some(Object::Search(this))) => {
            let this = this.clone();
            let pattern = argument(&mut arguments, "pattern")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.grep(pattern, options).await?.to_value()) })
        }
        ("Search.glob", Some(Object::Search(this))) => {
            let this = this.clone();
            let pattern = argument(&mut arguments, "pattern")?;
            let base = argument(&mut arguments, "base")?;
            Box::pin(async move { Ok(this.glob(pattern, base).await?.to_value()) })
        }
        ("Search.walk", Some(Object::Search(this))) => {
            let this = this.clone();
            let base = argument(&mut arguments, "base")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.walk(base, options).await?.to_value()) })
        }
        ("Services.start", Some(Object::Services(this))) => {
            let this = this.clone();
            let name = argument(&mut arguments, "name")?;
            let command = argument(&mut arguments, "command")?;
            let options = argument(&mut arguments, "options")?;
            Box::pin(async move { Ok(this.start(name, command, options).await?.to_value()) })
        }
        ("Services.get", Some(Object::Services(this))) => {
            let this = this.clone();
            let name = argument(&mut arguments, "name")?;
            Box::pin(async move { Ok(this.get(name).await?.to_value()) })
        }
        ("Services.all", Some(Object::Services(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.all().await?.to_value()) })
        }
        ("Service.status", Some(Object::Service(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.status().await?.to_value()) })
        }
        ("Service.logs", Some(Object::Service(this))) => {
            let this = this.clone();
            let last = argument(&mut arguments, "last")?;
            Box::pin(async move { Ok(this.logs(last).await?.to_value()) })
        }
        ("Service.process", Some(Object::Service(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.process().await?.to_value()) })
        }
        ("Service.stop", Some(Object::Service(this))) => {
            let this = this.clone();
            let grace = argument(&mut arguments, "graceMs")?;
            Box::pin(async move { Ok(this.stop(grace).await?.to_value()) })
        }
        ("Session.run", Some(Object::Session(this))) => {
            let this = this.clone();
            let script = argument(&mut arguments, "script")?;
            let timeout = argument(&mut arguments, "timeoutMs")?;
            Box::pin(async move { Ok(this.run(script, timeout).await?.to_value()) })
        }
        ("Session.interrupt", Some(Object::Session(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.interrupt().await?.to_value()) })
        }
        ("Session.close", Some(Object::Session(this))) => {
            let this = this.clone();
            Box::pin(async move { Ok(this.close().await?.to_value()) })
        }
        _ => {
            return Err(wrong("call", "is not known, the package and its native module differ"));
        }
    })
}
/// What is there at once, by its name.
pub(crate) fn get(name: &str, handle: &Object) -> Option<Value> {
    Some(match (name, handle) {
        ("Repository.path", Object::Repository(this)) => this.path().to_value(),
        ("Isobox.home", Object::Isobox(this)) => this.home().to_value(),
        ("Process.id", Object::Process(this)) => this.id().to_value(),
        ("Process.pid", Object::Process(this)) => this.pid().to_value(),
        ("Process.events", Object::Process(this)) => this.events().to_value(),
        ("Sandbox.id", Object::Sandbox(this)) => this.id().to_value(),
        ("Sandbox.provider", Object::Sandbox(this)) => this.provider().to_value(),
        ("Sandbox.workdir", Object::Sandbox(this)) => this.workdir().to_value(),
        ("Sandbox.capabilities", Object::Sandbox(this)) => this.capabilities().to_value(),
        ("Sandbox.image", Object::Sandbox(this)) => this.image().to_value(),
        ("Sandbox.home", Object::Sandbox(this)) => this.home().to_value(),
        ("Sandbox.files", Object::Sandbox(this)) => this.files().to_value(),
        ("Sandbox.git", Object::Sandbox(this)) => this.git().to_value(),
        ("Sandbox.search", Object::Sandbox(this)) => this.search().to_value(),
        ("Sandbox.services", Object::Sandbox(this)) => this.services().to_value(),
        ("Service.name", Object::Service(this)) => this.name().to_value(),
        _ => return None,
    })
}
