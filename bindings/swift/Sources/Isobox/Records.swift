// Written by `cargo xtask gen` from bindings/src/api.rs. Do not edit.

import Foundation
import IsoboxNative

/// How a command failed whose success was asked for.
public typealias ExecFailure = IsoboxNative.ExecFailure

extension ExecFailure {
    /// What it wrote to stdout. As text, with replacement characters where it is not UTF-8.
    public var stdout: String { String(decoding: stdoutBytes, as: UTF8.self) }

    /// What it wrote to stderr. As text, with replacement characters where it is not UTF-8.
    public var stderr: String { String(decoding: stderrBytes, as: UTF8.self) }
}

/// An error that is part of an event or a state.
public typealias Report = IsoboxNative.Report

/// A connection or name that the network policy refused.
public typealias Denial = IsoboxNative.Denial

/// How far an operation is.
public typealias SandboxProgress = IsoboxNative.SandboxProgress

/// One thing that happened.
public typealias Event = IsoboxNative.Event

/// How a command ended and what it wrote. A command that fails, is killed or runs into its timeout has a result like
/// any other.
public typealias ExecResult = IsoboxNative.ExecResult

extension ExecResult {
    /// What it wrote to stdout, or to its terminal. As text, with replacement characters where it is not UTF-8.
    public var stdout: String { String(decoding: stdoutBytes, as: UTF8.self) }

    /// What it wrote to stderr. As text, with replacement characters where it is not UTF-8.
    public var stderr: String { String(decoding: stderrBytes, as: UTF8.self) }
}

/// What of an output was kept: `observed` is always `retained` and `omitted` together.
public typealias OutputStream = IsoboxNative.OutputStream

extension OutputStream {
    /// The file in the sandbox that has everything. As text, with replacement characters where it is not UTF-8.
    public var spill: String? { spillBytes.map { String(decoding: $0, as: UTF8.self) } }
}

/// The end of a command, without its output.
public typealias Exit = IsoboxNative.Exit

/// What is known about a path.
public typealias Metadata = IsoboxNative.Metadata

extension Metadata {
    /// The text of a link. As text, with replacement characters where it is not UTF-8.
    public var linkTarget: String? { linkTargetBytes.map { String(decoding: $0, as: UTF8.self) } }
}

/// One row of a directory listing.
public typealias Entry = IsoboxNative.Entry

extension Entry {
    /// Its path relative to the directory that was listed. As text, with replacement characters where it is not
    /// UTF-8.
    public var path: String { String(decoding: pathBytes, as: UTF8.self) }

    /// The text of a link. As text, with replacement characters where it is not UTF-8.
    public var linkTarget: String? { linkTargetBytes.map { String(decoding: $0, as: UTF8.self) } }
}

/// One change of a file.
public typealias FileChange = IsoboxNative.FileChange

extension FileChange {
    /// To what, relative to what is watched. As text, with replacement characters where it is not UTF-8.
    public var path: String { String(decoding: pathBytes, as: UTF8.self) }

    /// Where it went, when it was renamed within what is watched. As text, with replacement characters where it is
    /// not UTF-8.
    public var renamedTo: String? { renamedToBytes.map { String(decoding: $0, as: UTF8.self) } }
}

/// What was copied.
public typealias TransferReport = IsoboxNative.TransferReport

/// A path that is not as in the last commit.
public typealias GitStatusEntry = IsoboxNative.GitStatusEntry

extension GitStatusEntry {
    /// Which. As text, with replacement characters where it is not UTF-8.
    public var path: String { String(decoding: pathBytes, as: UTF8.self) }

    /// What it was called before. As text, with replacement characters where it is not UTF-8.
    public var previous: String? { previousBytes.map { String(decoding: $0, as: UTF8.self) } }
}

/// What a repository is like.
public typealias GitStatus = IsoboxNative.GitStatus

/// A branch.
public typealias GitBranch = IsoboxNative.GitBranch

/// A commit.
public typealias GitCommit = IsoboxNative.GitCommit

/// What differs between two revisions.
public typealias GitChange = IsoboxNative.GitChange

extension GitChange {
    /// Which path. As text, with replacement characters where it is not UTF-8.
    public var path: String { String(decoding: pathBytes, as: UTF8.self) }

    /// What it was called before. As text, with replacement characters where it is not UTF-8.
    public var previous: String? { previousBytes.map { String(decoding: $0, as: UTF8.self) } }
}

/// An image.
public typealias ImageInfo = IsoboxNative.ImageInfo

/// What was removed, and what is left.
public typealias PrunedImages = IsoboxNative.PrunedImages

/// What is written down about a sandbox.
public typealias SandboxInfo = IsoboxNative.SandboxInfo

/// What a provider is.
public typealias ProviderInfo = IsoboxNative.ProviderInfo

/// Something that nobody needs.
public typealias Garbage = IsoboxNative.Garbage

/// What may be at once on this machine, whatever process makes it.
public typealias Limits = IsoboxNative.Limits

/// A creation that is under way or waits.
public typealias QueueEntry = IsoboxNative.QueueEntry

/// What is made at once on this machine, and who waits.
public typealias Queue = IsoboxNative.Queue

/// What one kind of thing takes of the disk.
public typealias KindUsage = IsoboxNative.KindUsage

/// Where a port of a sandbox can be reached from this machine.
public typealias Endpoint = IsoboxNative.Endpoint

/// A port that something in a sandbox listens on.
public typealias ListeningPort = IsoboxNative.ListeningPort

/// A credential for a registry.
public typealias RegistryAuth = IsoboxNative.RegistryAuth

extension RegistryAuth: Secretive {}

/// A volume in a sandbox.
public typealias VolumeMount = IsoboxNative.VolumeMount

extension VolumeMount {
    /// Paths and texts as `String`, or as `Data` where they are not UTF-8.
    public init(volume: String, target: any BytesConvertible, subpath: (any BytesConvertible)? = nil, readOnly: Bool = false) {
        self.init(volume: volume, targetBytes: target.sandboxBytes, subpathBytes: subpath?.sandboxBytes, readOnly: readOnly)
    }
}

/// A secret for a sandbox. No text form of it shows the value.
public typealias Secret = IsoboxNative.Secret

extension Secret: Secretive {}

/// What only the namespace provider knows.
public typealias NamespaceOptions = IsoboxNative.NamespaceOptions

/// What only the host provider knows.
public typealias HostOptions = IsoboxNative.HostOptions

/// What only the Docker provider knows.
public typealias DockerOptions = IsoboxNative.DockerOptions

/// A container beside a sandbox, reachable from it by its name.
public typealias Sidecar = IsoboxNative.Sidecar

extension Sidecar: Secretive {}

/// When a sidecar counts as ready; the meaning of the fields is Docker's.
public typealias SidecarHealth = IsoboxNative.SidecarHealth

/// What a sandbox is made from and like. It is made from one of `image`, `archive`, `rootfs`, `snapshot` and
/// `workspace`; from the machine's own programs, read-only, by default.
public typealias CreateOptions = IsoboxNative.CreateOptions

extension CreateOptions {
    /// Paths and texts as `String`, or as `Data` where they are not UTF-8.
    public init(provider: String? = nil, name: String? = nil, image: String? = nil, pull: PullPolicy? = nil, platform: String? = nil, auth: RegistryAuth? = nil, archive: (any BytesConvertible)? = nil, rootfs: (any BytesConvertible)? = nil, snapshot: String? = nil, workspace: (any BytesConvertible)? = nil, env: [String: String] = [:], labels: [String: String] = [:], user: String? = nil, workdir: (any BytesConvertible)? = nil, cpus: Double? = nil, memory: Size? = nil, disk: Size? = nil, pids: UInt64? = nil, gpus: UInt32? = nil, mounts: [Mount] = [], volumes: [VolumeMount] = [], secrets: [Secret] = [], ports: [UInt16] = [], network: NetworkPolicy? = nil, ttl: Lifetime? = nil, idleTimeout: Lifetime? = nil, onExpiry: Expiry? = nil, onIdle: Expiry? = nil, detached: Bool = false, ownerLease: TimeInterval? = nil, entrypoint: Bool = false, leastIsolation: Isolation? = nil, createTimeout: TimeInterval? = nil, idempotencyKey: String? = nil, namespace: NamespaceOptions? = nil, docker: DockerOptions? = nil, host: HostOptions? = nil) {
        self.init(provider: provider, name: name, image: image, pull: pull, platform: platform, auth: auth, archiveBytes: archive?.sandboxBytes, rootfsBytes: rootfs?.sandboxBytes, snapshot: snapshot, workspaceBytes: workspace?.sandboxBytes, env: env, labels: labels, user: user, workdirBytes: workdir?.sandboxBytes, cpus: cpus, memory: memory, disk: disk, pids: pids, gpus: gpus, mounts: mounts, volumes: volumes, secrets: secrets, ports: ports, network: network, ttl: ttl, idleTimeout: idleTimeout, onExpiry: onExpiry, onIdle: onIdle, detached: detached, ownerLease: ownerLease, entrypoint: entrypoint, leastIsolation: leastIsolation, createTimeout: createTimeout, idempotencyKey: idempotencyKey, namespace: namespace, docker: docker, host: host)
    }
}

extension CreateOptions: Secretive {}

/// How a pool is doing.
public typealias PoolStatus = IsoboxNative.PoolStatus

/// A command of a sandbox, as a list of them shows it.
public typealias SandboxProcessInfo = IsoboxNative.SandboxProcessInfo

extension SandboxProcessInfo {
    /// What runs; it may hold secrets. As text, with replacement characters where it is not UTF-8.
    public var argv: [String] { argvBytes.map { String(decoding: $0, as: UTF8.self) } }
}

/// The image that a sandbox was made from.
public typealias SandboxImage = IsoboxNative.SandboxImage

/// What a sandbox is doing, as its backend says.
public typealias Status = IsoboxNative.Status

/// What a sandbox uses at one moment. What cannot be measured is left out, never zero.
public typealias Metrics = IsoboxNative.Metrics

/// A line that matches.
public typealias GrepMatch = IsoboxNative.GrepMatch

extension GrepMatch {
    /// In which file. As text, with replacement characters where it is not UTF-8.
    public var path: String { String(decoding: pathBytes, as: UTF8.self) }

    /// The line, without its end. As text, with replacement characters where it is not UTF-8.
    public var line: String { String(decoding: lineBytes, as: UTF8.self) }
}

/// What a walk comes by.
public typealias WalkEntry = IsoboxNative.WalkEntry

extension WalkEntry {
    /// Where it is, relative to where the walk began. As text, with replacement characters where it is not UTF-8.
    public var path: String { String(decoding: pathBytes, as: UTF8.self) }
}

/// Whether a service runs.
public typealias ServiceStatus = IsoboxNative.ServiceStatus

/// What a script of a session wrote and how it ended.
public typealias SessionOutput = IsoboxNative.SessionOutput

extension SessionOutput {
    /// What it wrote to the terminal. As text, with replacement characters where it is not UTF-8.
    public var output: String { String(decoding: outputBytes, as: UTF8.self) }
}

/// A snapshot of a sandbox's files.
public typealias Snapshot = IsoboxNative.Snapshot

/// An image that was written.
public typealias ExportedImage = IsoboxNative.ExportedImage

/// What is known about the end of a sandbox that nobody asked for. It is kept after the sandbox is gone.
public typealias PostMortem = IsoboxNative.PostMortem

extension PostMortem {
    /// The last output, at most 8 KiB. As text, with replacement characters where it is not UTF-8.
    public var lastOutput: String { String(decoding: lastOutputBytes, as: UTF8.self) }
}

/// A directory with a life of its own, which any number of sandboxes share.
public typealias Volume = IsoboxNative.Volume

/// What happened. The words are the same in every language and on the wire, and never change.
public typealias ErrorCode = IsoboxNative.ErrorCode

extension ErrorCode: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .notFound: "not_found"
        case .alreadyExists: "already_exists"
        case .notOwned: "not_owned"
        case .unsupported: "unsupported"
        case .invalidSpec: "invalid_spec"
        case .invalidState: "invalid_state"
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        case .unauthenticated: "unauthenticated"
        case .permissionDenied: "permission_denied"
        case .rateLimited: "rate_limited"
        case .overloaded: "overloaded"
        case .limitExceeded: "limit_exceeded"
        case .outOfMemory: "out_of_memory"
        case .outOfDisk: "out_of_disk"
        case .imageNotFound: "image_not_found"
        case .imagePullFailed: "image_pull_failed"
        case .engineUnavailable: "engine_unavailable"
        case .sandboxGone: "sandbox_gone"
        case .policyDenied: "policy_denied"
        case .transport: "transport"
        case .incomplete: "incomplete"
        case .conflict: "conflict"
        case .commandFailed: "command_failed"
        case .io: "io"
        case .`internal`: "internal"
        }
    }
}

/// Whose failure it is.
public typealias Fault = IsoboxNative.Fault

extension Fault: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .program: "program"
        case .caller: "caller"
        case .policy: "policy"
        case .infrastructure: "infrastructure"
        }
    }
}

/// What went wrong with a file.
public typealias FileErrorKind = IsoboxNative.FileErrorKind

extension FileErrorKind: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .notFound: "not_found"
        case .permissionDenied: "permission_denied"
        case .alreadyExists: "already_exists"
        case .isADirectory: "is_a_directory"
        case .notADirectory: "not_a_directory"
        case .notEmpty: "not_empty"
        case .tooManyLinks: "too_many_links"
        case .nameTooLong: "name_too_long"
        case .noSpace: "no_space"
        case .readOnly: "read_only"
        case .invalidPath: "invalid_path"
        case .tooLarge: "too_large"
        case .busy: "busy"
        case .crossDevice: "cross_device"
        case .other: "other"
        }
    }
}

/// The typed facts of an error.
public typealias Detail = IsoboxNative.Detail

/// What a denied program tried.
public typealias DeniedProtocol = IsoboxNative.DeniedProtocol

extension DeniedProtocol: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .dns: "dns"
        case .tcp: "tcp"
        case .udp: "udp"
        case .other: "other"
        }
    }
}

/// Why something was denied.
public typealias DenialReason = IsoboxNative.DenialReason

extension DenialReason: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .notAllowed: "not_allowed"
        case .denied: "denied"
        case .privateAddress: "private_address"
        case .secretHost: "secret_host"
        case .unknown: "unknown"
        }
    }
}

/// What progress counts.
public typealias ProgressUnit = IsoboxNative.ProgressUnit

extension ProgressUnit: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .bytes: "bytes"
        case .items: "items"
        case .steps: "steps"
        case .percent: "percent"
        case .unknown: "unknown"
        }
    }
}

/// A limit that was reached.
public typealias LimitKind = IsoboxNative.LimitKind

extension LimitKind: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .memory: "memory"
        case .pids: "pids"
        case .disk: "disk"
        case .output: "output"
        case .unknown: "unknown"
        }
    }
}

/// What happened.
public typealias EventKind = IsoboxNative.EventKind

/// What is taken out of output before it is delivered, captured and counted.
public typealias Sanitize = IsoboxNative.Sanitize

extension Sanitize: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .raw: "raw"
        case .stripAnsi: "strip_ansi"
        case .stripAll: "strip_all"
        }
    }
}

/// What ended a command.
public typealias Termination = IsoboxNative.Termination

extension Termination: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .exited: "exited"
        case .signalled: "signalled"
        case .timedOut: "timed_out"
        case .cancelled: "cancelled"
        case .killed: "killed"
        case .unknown: "unknown"
        }
    }
}

/// What comes out of a command while it runs.
public typealias OutputEvent = IsoboxNative.OutputEvent

/// What a path names.
public typealias FileKind = IsoboxNative.FileKind

extension FileKind: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .file: "file"
        case .directory: "directory"
        case .symlink: "symlink"
        case .other: "other"
        }
    }
}

/// What happened to a file.
public typealias FileChangeKind = IsoboxNative.FileChangeKind

extension FileChangeKind: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .created: "created"
        case .modified: "modified"
        case .attributes: "attributes"
        case .renamed: "renamed"
        case .removed: "removed"
        case .overflow: "overflow"
        }
    }
}

/// What a sandbox may reach.
public typealias NetworkPolicy = IsoboxNative.NetworkPolicy

/// When an image is fetched.
public typealias PullPolicy = IsoboxNative.PullPolicy

extension PullPolicy: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .missing: "missing"
        case .always: "always"
        case .never: "never"
        }
    }
}

/// Something that is mounted in a sandbox.
public typealias Mount = IsoboxNative.Mount

extension Mount {
    /// A directory or file of this machine. Files that the sandbox makes in it belong to the caller.
    public static func bind(source: any BytesConvertible, target: any BytesConvertible, readOnly: Bool = false) -> Mount {
        .bind(sourceBytes: source.sandboxBytes, targetBytes: target.sandboxBytes, readOnly: readOnly)
    }
}

extension Mount {
    /// A filesystem in memory.
    public static func tmpfs(target: any BytesConvertible, size: Size? = nil, mode: UInt32? = nil) -> Mount {
        .tmpfs(targetBytes: target.sandboxBytes, size: size, mode: mode)
    }
}

/// How a secret gets to whom it is for.
public typealias SecretDelivery = IsoboxNative.SecretDelivery

extension SecretDelivery {
    /// The sandbox sees a file that only its user can read.
    public static func file(path: any BytesConvertible) -> SecretDelivery {
        .file(pathBytes: path.sandboxBytes)
    }
}

/// Which users a namespace sandbox can have beside its root.
public typealias NamespaceUsers = IsoboxNative.NamespaceUsers

extension NamespaceUsers: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .auto: "auto"
        case .single: "single"
        case .range: "range"
        }
    }
}

/// What enforces a limit of disk.
public typealias DiskBacking = IsoboxNative.DiskBacking

extension DiskBacking: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .tmpfs: "tmpfs"
        case .loop: "loop"
        case .quota: "quota"
        }
    }
}

/// Whom a signal goes to.
public typealias SignalTarget = IsoboxNative.SignalTarget

extension SignalTarget: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .tree: "tree"
        case .leader: "leader"
        }
    }
}

/// What a snapshot is doing.
public typealias SnapshotState = IsoboxNative.SnapshotState

extension SnapshotState: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .building: "building"
        case .active: "active"
        case .inactive: "inactive"
        case .error: "error"
        case .deleting: "deleting"
        case .deleted: "deleted"
        case .unknown: "unknown"
        }
    }
}

/// What a sandbox is doing.
public typealias SandboxState = IsoboxNative.SandboxState

extension SandboxState: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .creating: "creating"
        case .starting: "starting"
        case .running: "running"
        case .stopping: "stopping"
        case .stopped: "stopped"
        case .pausing: "pausing"
        case .paused: "paused"
        case .resuming: "resuming"
        case .archiving: "archiving"
        case .archived: "archived"
        case .restoring: "restoring"
        case .resizing: "resizing"
        case .forking: "forking"
        case .snapshotting: "snapshotting"
        case .deleting: "deleting"
        case .deleted: "deleted"
        case .error: "error"
        case .unknown: "unknown"
        }
    }
}

/// What is done to a sandbox.
public typealias Action = IsoboxNative.Action

extension Action: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .create: "create"
        case .attach: "attach"
        case .start: "start"
        case .stop: "stop"
        case .delete: "delete"
        case .activate: "activate"
        case .deactivate: "deactivate"
        case .pause: "pause"
        case .resume: "resume"
        case .archive: "archive"
        case .fork: "fork"
        case .resize: "resize"
        case .snapshot: "snapshot"
        case .recover: "recover"
        case .undelete: "undelete"
        case .refreshActivity: "refresh_activity"
        case .setLifetimes: "set_lifetimes"
        case .setLabels: "set_labels"
        case .updateNetwork: "update_network"
        case .detach: "detach"
        case .exec: "exec"
        case .files: "files"
        case .access: "access"
        case .pull: "pull"
        case .build: "build"
        case .unknown: "unknown"
        }
    }
}

/// What happens at the end of a lifetime.
public typealias Expiry = IsoboxNative.Expiry

extension Expiry: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .delete: "delete"
        case .stop: "stop"
        case .pause: "pause"
        }
    }
}

/// What separates a sandbox from the machine, from the weakest to the strongest.
public typealias Isolation = IsoboxNative.Isolation

extension Isolation: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .nothing: "none"
        case .process: "process"
        case .container: "container"
        case .gvisor: "gvisor"
        case .vm: "vm"
        }
    }
}

/// Why a sandbox ended when nobody asked it to.
public typealias DeathCause = IsoboxNative.DeathCause

extension DeathCause: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .oom: "oom"
        case .evicted: "evicted"
        case .removedExternally: "removed_externally"
        case .engineDown: "engine_down"
        case .agentCrashed: "agent_crashed"
        case .expired: "expired"
        case .ownerLost: "owner_lost"
        case .exited: "exited"
        case .outOfDisk: "out_of_disk"
        case .unknown: "unknown"
        }
    }
}

/// What a volume is doing.
public typealias VolumeState = IsoboxNative.VolumeState

extension VolumeState: CustomStringConvertible {
    /// The word for it, the same in every language.
    public var description: String {
        switch self {
        case .creating: "creating"
        case .ready: "ready"
        case .deleting: "deleting"
        case .deleted: "deleted"
        case .error: "error"
        case .unknown: "unknown"
        }
    }
}
