# Written by `cargo xtask gen` from bindings/src/api.rs. Do not edit.
"""Plain data that goes into a sandbox and comes out of it."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping, Sequence
from typing import ClassVar, List, Literal, Union

from ._types import Lifetime, LocalPath, SandboxPath, Seconds, Size

ErrorCode = Literal[
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
]
"""What happened. The words are the same in every language and on the wire, and never change.

`not_found`: What was named does not exist.
`already_exists`: What was to be made exists.
`not_owned`: It belongs to another owner.
`unsupported`: The provider cannot do this; the detail names the capability.
`invalid_spec`: The request is wrong; the detail names the field.
`invalid_state`: The sandbox is in a state in which this cannot be done.
`timeout`: The operation did not end in time. A command that runs into its timeout is a result, not this.
`cancelled`: The caller gave up.
`unauthenticated`: The credential is missing or wrong.
`permission_denied`: The credential, or the user, may not do this.
`rate_limited`: Too many requests; the error says when to try again, where that is known.
`overloaded`: A limit of the machine is reached, and nothing was started.
`limit_exceeded`: Something is larger than it may be.
`out_of_memory`: Memory ran out.
`out_of_disk`: A disk is full.
`image_not_found`: There is no such image.
`image_pull_failed`: The image could not be fetched.
`engine_unavailable`: The engine does not answer.
`sandbox_gone`: The sandbox is gone; the detail is how it died.
`policy_denied`: The policy refused it.
`transport`: The connection to the sandbox broke.
`incomplete`: It was begun and its end is not known.
`conflict`: Something else is being done to it.
`command_failed`: A command failed whose success was asked for.
`io`: An operation on files or devices failed.
`internal`: A fault of this library.
"""

Fault = Literal[
    "program",
    "caller",
    "policy",
    "infrastructure",
]
"""Whose failure it is.

`program`: That of the program in the sandbox.
`caller`: That of whoever called.
`policy`: The policy's: it was refused on purpose.
`infrastructure`: That of the machine, the engine, the network or this library.
"""

FileErrorKind = Literal[
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
]
"""What went wrong with a file.

`not_found`: It does not exist.
`permission_denied`: The user may not do this.
`already_exists`: It exists.
`is_a_directory`: It is a directory.
`not_a_directory`: It is no directory.
`not_empty`: The directory has something in it.
`too_many_links`: Links lead in a circle.
`name_too_long`: The name is too long.
`no_space`: The disk is full.
`read_only`: The filesystem is read-only.
`invalid_path`: The path cannot be one.
`too_large`: It is too large.
`busy`: It is in use.
`cross_device`: The two places are on different filesystems.
`other`: Something else.
"""

DeniedProtocol = Literal[
    "dns",
    "tcp",
    "udp",
    "other",
]
"""What a denied program tried.

`dns`: Looking up a name.
`tcp`: A TCP connection.
`udp`: A UDP packet.
`other`: Another protocol.
"""

DenialReason = Literal[
    "not_allowed",
    "denied",
    "private_address",
    "secret_host",
    "unknown",
]
"""Why something was denied.

`not_allowed`: Nothing in the policy allows it.
`denied`: The policy denies it by name.
`private_address`: The name is allowed and led to an address of a private or local network.
`secret_host`: A secret would have gone to a host it is not bound to.
`unknown`: Something of a newer version.
"""

ProgressUnit = Literal[
    "bytes",
    "items",
    "steps",
    "percent",
    "unknown",
]
"""What progress counts.

`bytes`: Bytes.
`items`: Things, such as layers.
`steps`: Steps.
`percent`: Hundredths.
`unknown`: Something of a newer version.
"""

LimitKind = Literal[
    "memory",
    "pids",
    "disk",
    "output",
    "unknown",
]
"""A limit that was reached.

`memory`: Memory: something was killed.
`pids`: Processes: a fork failed.
`disk`: Disk: a write failed.
`output`: Output: bytes were omitted.
`unknown`: Something of a newer version.
"""

Sanitize = Literal[
    "raw",
    "strip_ansi",
    "strip_all",
]
"""What is taken out of output before it is delivered, captured and counted.

`raw`: Nothing.
`strip_ansi`: ANSI escape sequences.
`strip_all`: ANSI escape sequences and all control characters but line feed and tab.
"""

Termination = Literal[
    "exited",
    "signalled",
    "timed_out",
    "cancelled",
    "killed",
    "unknown",
]
"""What ended a command.

`exited`: It exited by itself.
`signalled`: A signal ended it that this call did not send.
`timed_out`: Its timeout.
`cancelled`: The caller stopped it, or went away.
`killed`: The caller killed it, or its grace ran out after a stop.
`unknown`: Nobody can tell.
"""

FileKind = Literal[
    "file",
    "directory",
    "symlink",
    "other",
]
"""What a path names.

`file`: A regular file.
`directory`: A directory.
`symlink`: A symbolic link.
`other`: A device, socket or pipe.
"""

FileChangeKind = Literal[
    "created",
    "modified",
    "attributes",
    "renamed",
    "removed",
    "overflow",
]
"""What happened to a file.

`created`: It is new.
`modified`: Its contents changed.
`attributes`: Its mode, owner or times changed.
`renamed`: It has another name.
`removed`: It is gone.
`overflow`: Changes were lost: look again.
"""

PullPolicy = Literal[
    "missing",
    "always",
    "never",
]
"""When an image is fetched.

`missing`: When it is not there.
`always`: Always, when the registry has another one.
`never`: Never.
"""

NamespaceUsers = Literal[
    "auto",
    "single",
    "range",
]
"""Which users a namespace sandbox can have beside its root.

`auto`: As many as there can be and are needed.
`single`: Its root alone.
`range`: 0 to 65535; refused where that cannot be.
"""

DiskBacking = Literal[
    "tmpfs",
    "loop",
    "quota",
]
"""What enforces a limit of disk.

`tmpfs`: A filesystem in memory of that size.
`loop`: A disk image of that size.
`quota`: A project quota.
"""

SignalTarget = Literal[
    "tree",
    "leader",
]
"""Whom a signal goes to.

`tree`: Everything that came out of the command.
`leader`: The process that was started.
"""

SnapshotState = Literal[
    "building",
    "active",
    "inactive",
    "error",
    "deleting",
    "deleted",
    "unknown",
]
"""What a snapshot is doing.

`building`: It is being made.
`active`: Sandboxes can be made from it.
`inactive`: It has to be activated first.
`error`: Making it failed.
`deleting`: It is being removed.
`deleted`: It is gone.
`unknown`: Nobody can tell.
"""

State = Literal[
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
]
"""What a sandbox is doing.

`creating`: It is being made.
`starting`: It is being started.
`running`: It accepts commands.
`stopping`: It is being stopped.
`stopped`: It is stopped; its files are kept.
`pausing`: It is being frozen.
`paused`: It is frozen; its memory is kept.
`resuming`: It is being thawed.
`archiving`: It is being archived.
`archived`: It is archived.
`restoring`: It is being brought back.
`resizing`: Its limits are being changed.
`forking`: A copy of it is being made.
`snapshotting`: A snapshot of it is being made.
`deleting`: It is being removed.
`deleted`: It is gone.
`error`: Something failed.
`unknown`: Nobody can tell.
"""

Action = Literal[
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
]
"""What is done to a sandbox.

`create`: It is made.
`attach`: A handle of it is made.
`start`: It is started.
`stop`: It is stopped.
`delete`: It is removed.
`activate`: It is made usable.
`deactivate`: It is put aside.
`pause`: It is frozen.
`resume`: It is thawed.
`archive`: It is archived.
`fork`: It is copied.
`resize`: Its limits are changed.
`snapshot`: A snapshot of it is taken.
`recover`: It is brought back from an error.
`undelete`: Its removal is taken back.
`refresh_activity`: It counts as used.
`set_lifetimes`: Its lifetimes are changed.
`set_labels`: Its labels are changed.
`update_network`: What it may reach is changed.
`detach`: It lives on without its process.
`exec`: A command is run.
`files`: Its files are used.
`access`: It is reached from outside.
`pull`: An image is fetched.
`build`: An image is built.
`unknown`: Something else.
"""

Expiry = Literal[
    "delete",
    "stop",
    "pause",
]
"""What happens at the end of a lifetime.

`delete`: The sandbox is removed.
`stop`: It is stopped; its files are kept.
`pause`: It is frozen; its memory is kept.
"""

Isolation = Literal[
    "none",
    "process",
    "container",
    "gvisor",
    "vm",
]
"""What separates a sandbox from the machine, from the weakest to the strongest.

`none`: Nothing.
`process`: Restrictions on ordinary processes.
`container`: Namespaces and a filter of system calls, on the machine's own kernel.
`gvisor`: A kernel in user space between it and the machine's own.
`vm`: A virtual machine with its own kernel.
"""

DeathCause = Literal[
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
]
"""Why a sandbox ended when nobody asked it to.

`oom`: It reached its memory limit.
`evicted`: The machine or cluster took its place away.
`removed_externally`: Somebody removed it from outside.
`engine_down`: Its engine went away and took it along.
`agent_crashed`: The agent in it ended without reason.
`expired`: A lifetime ran out.
`owner_lost`: The process that owned it ended.
`exited`: The main program of its image ended.
`out_of_disk`: Its disk was full, and it could not go on.
`unknown`: Nothing says why.
"""

VolumeState = Literal[
    "creating",
    "ready",
    "deleting",
    "deleted",
    "error",
    "unknown",
]
"""What a volume is doing.

`creating`: It is being made.
`ready`: It can be mounted.
`deleting`: It is being removed.
`deleted`: It is gone.
`error`: Something failed.
`unknown`: Nobody can tell.
"""


@dataclasses.dataclass(frozen=True, slots=True)
class ExecFailure:
    """How a command failed whose success was asked for."""

    label: str | None
    """The caller's name for it."""

    termination: Termination
    """What ended it."""

    exit_code: int | None
    """Its exit code, where it has one."""

    signal: int | None
    """The signal that ended it."""

    duration: float
    """How long it ran."""

    hint: str | None
    """What may help."""

    stdout_bytes: bytes = dataclasses.field(repr=False)
    """What it wrote to stdout."""

    stderr_bytes: bytes = dataclasses.field(repr=False)
    """What it wrote to stderr."""

    stdout_info: OutputStream
    """More about that stdout: what was omitted."""

    stderr_info: OutputStream
    """More about that stderr: what was omitted."""

    @property
    def stdout(self) -> str:
        """What it wrote to stdout. As text, with replacement characters where it is not UTF-8."""
        return self.stdout_bytes.decode("utf-8", "replace")

    @property
    def stderr(self) -> str:
        """What it wrote to stderr. As text, with replacement characters where it is not UTF-8."""
        return self.stderr_bytes.decode("utf-8", "replace")



@dataclasses.dataclass(frozen=True, slots=True)
class Report:
    """An error that is part of an event or a state."""

    code: ErrorCode
    """What happened."""

    message: str
    """What happened, to what, and what to do about it."""

    retryable: bool
    """Whether the same may succeed later."""

    infrastructure: bool
    """Whether it is a failure of the infrastructure."""

    causes: List[str]
    """What caused it, from the nearest to the farthest."""



@dataclasses.dataclass(frozen=True, slots=True)
class Denial:
    """A connection or name that the network policy refused."""

    at: datetime.datetime
    """When."""

    protocol: DeniedProtocol
    """What was tried."""

    host: str | None
    """The host name, when one was asked for."""

    address: str | None
    """The address, when one was tried."""

    port: int | None
    """The port."""

    reason: DenialReason
    """Why."""



@dataclasses.dataclass(frozen=True, slots=True)
class Progress:
    """How far an operation is."""

    code: str
    """A stable word for the step, such as `image.pull`."""

    message: str | None
    """A sentence."""

    completed: int | None
    """How much is done."""

    total: int | None
    """How much there is."""

    unit: ProgressUnit | None
    """Of what."""



@dataclasses.dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened."""

    sequence: int
    """Its place among all events, from 1, without gaps."""

    at: datetime.datetime | None
    """When it happened; none for a gap."""

    provider: str | None
    """The provider where it happened."""

    subject: str
    """What it happened to: `provider`, `sandbox`, `snapshot`, `volume` or `image`."""

    id: str | None
    """The id of that, or the reference of an image."""

    name: str | None
    """The name of that."""

    operation: str | None
    """The operation that it belongs to."""

    kind: EventKind
    """What happened."""



@dataclasses.dataclass(frozen=True, slots=True)
class ExecResult:
    """How a command ended and what it wrote. A command that fails, is killed or runs into its timeout has a result like
    any other.
    """

    exit_code: int
    """The exit code; 128 and the number of the signal after a signal; -1 when neither is known."""

    signal: int | None
    """The signal that ended it."""

    ok: bool
    """Whether it exited by itself, with 0."""

    timed_out: bool
    """Whether it ran into its timeout."""

    cancelled: bool
    """Whether the caller stopped it."""

    oom_killed: bool
    """Whether the memory limit killed something of it."""

    termination: Termination
    """What ended it."""

    stdout_bytes: bytes = dataclasses.field(repr=False)
    """What it wrote to stdout, or to its terminal."""

    stderr_bytes: bytes = dataclasses.field(repr=False)
    """What it wrote to stderr."""

    truncated: bool
    """Whether some of its output is not here."""

    stdout_info: OutputStream
    """What of its stdout is here."""

    stderr_info: OutputStream
    """What of its stderr is here."""

    duration: float
    """How long it ran."""

    cpu_time: float | None
    """Processor time of its whole process tree."""

    peak_memory: int | None
    """The most memory that its process tree used, in bytes."""

    @property
    def stdout(self) -> str:
        """What it wrote to stdout, or to its terminal. As text, with replacement characters where it is not UTF-8."""
        return self.stdout_bytes.decode("utf-8", "replace")

    @property
    def stderr(self) -> str:
        """What it wrote to stderr. As text, with replacement characters where it is not UTF-8."""
        return self.stderr_bytes.decode("utf-8", "replace")



@dataclasses.dataclass(frozen=True, slots=True)
class OutputStream:
    """What of an output was kept: `observed` is always `retained` and `omitted` together."""

    observed: int
    """Bytes that the command wrote."""

    retained: int
    """Bytes that are here."""

    omitted: int
    """Bytes that are not."""

    omitted_at: int
    """Where in what is here the omitted ones were."""

    lost: int
    """Bytes that a backend's transport lost before they were counted."""

    spill: str | None
    """The file in the sandbox that has everything."""



@dataclasses.dataclass(frozen=True, slots=True)
class Exit:
    """The end of a command, without its output."""

    exit_code: int
    """The exit code; 128 and the number of the signal after a signal; -1 when neither is known."""

    signal: int | None
    """The signal that ended it."""

    termination: Termination
    """What ended it."""

    oom_killed: bool
    """Whether the memory limit killed something of it."""

    duration: float
    """How long it ran."""

    cpu_time: float | None
    """Processor time of its whole process tree."""

    peak_memory: int | None
    """The most memory that its process tree used, in bytes."""



@dataclasses.dataclass(frozen=True, slots=True)
class Metadata:
    """What is known about a path."""

    kind: FileKind
    """What it is."""

    size: int
    """Its bytes."""

    mode: int | None
    """Its permission bits, when the provider knows."""

    uid: int | None
    """Its owner."""

    gid: int | None
    """Its group."""

    modified_at: datetime.datetime | None
    """When its contents changed."""

    link_target: str | None
    """The text of a link."""



@dataclasses.dataclass(frozen=True, slots=True)
class Entry:
    """One row of a directory listing."""

    path: str
    """Its path relative to the directory that was listed."""

    kind: FileKind
    """What it is."""

    size: int
    """Its bytes."""

    mode: int | None
    """Its permission bits, when the provider knows."""

    uid: int | None
    """Its owner."""

    gid: int | None
    """Its group."""

    modified_at: datetime.datetime | None
    """When its contents changed."""

    link_target: str | None
    """The text of a link."""



@dataclasses.dataclass(frozen=True, slots=True)
class FileChange:
    """One change of a file."""

    kind: FileChangeKind
    """What happened."""

    path: str
    """To what, relative to what is watched."""

    renamed_to: str | None
    """Where it went, when it was renamed within what is watched."""



@dataclasses.dataclass(frozen=True, slots=True)
class TransferReport:
    """What was copied."""

    files: int
    """Regular files."""

    directories: int
    """Directories."""

    links: int
    """Links."""

    bytes: int
    """Bytes of contents."""

    skipped: int
    """Sockets, pipes, devices and refused links that were left out."""



@dataclasses.dataclass(frozen=True, slots=True)
class GitStatusEntry:
    """A path that is not as in the last commit."""

    path: str
    """Which."""

    index: str
    """Git's letter for what is prepared for the next commit."""

    worktree: str
    """Git's letter for what is not."""

    previous: str | None
    """What it was called before."""



@dataclasses.dataclass(frozen=True, slots=True)
class GitStatus:
    """What a repository is like."""

    branch: str | None
    """The branch; none when a commit is checked out by itself."""

    head: str | None
    """The commit; none before the first."""

    upstream: str | None
    """The branch of a remote that it follows."""

    ahead: int
    """Commits that the upstream does not have."""

    behind: int
    """Commits that it has and this does not."""

    entries: List[GitStatusEntry]
    """What is not as in the last commit."""



@dataclasses.dataclass(frozen=True, slots=True)
class GitBranch:
    """A branch."""

    name: str
    """Its name."""

    head: str
    """Its last commit."""

    current: bool
    """Whether it is checked out."""

    remote: bool
    """Whether it is a remote's."""



@dataclasses.dataclass(frozen=True, slots=True)
class GitCommit:
    """A commit."""

    id: str
    """Its id."""

    parents: List[str]
    """The ids of those before it."""

    author: str
    """The name of its author."""

    email: str
    """The address of its author."""

    date: str
    """When, as RFC 3339 has it."""

    message: str
    """What it says."""



@dataclasses.dataclass(frozen=True, slots=True)
class GitChange:
    """What differs between two revisions."""

    path: str
    """Which path."""

    previous: str | None
    """What it was called before."""

    status: str
    """Git's letter for it."""

    added: int | None
    """Lines added, where they can be counted."""

    removed: int | None
    """Lines removed, where they can be counted."""



@dataclasses.dataclass(frozen=True, slots=True)
class ImageInfo:
    """An image."""

    reference: str
    """Its name."""

    id: str | None
    """Its id."""

    digest: str | None
    """Its digest."""

    platform: str | None
    """Its platform."""

    size: int | None
    """Its bytes."""

    fetched_at: datetime.datetime | None
    """When it was fetched."""



@dataclasses.dataclass(frozen=True, slots=True)
class PrunedImages:
    """What was removed, and what is left."""

    images: List[str]
    """The names of the images that are gone."""

    freed: int
    """Bytes that are free now."""

    left: int
    """Bytes that are left."""



@dataclasses.dataclass(frozen=True, slots=True)
class SandboxInfo:
    """What is written down about a sandbox."""

    id: str
    """Its id."""

    name: str | None
    """Its name."""

    provider: str
    """The provider that made it."""

    state: State
    """What it is doing."""

    state_since: datetime.datetime
    """Since when."""

    labels: dict[str, str]
    """Its labels."""

    image: str | None
    """The image that it was made from."""

    detached: bool
    """Whether it lives on without the process that made it."""

    expires_at: datetime.datetime | None
    """When its time to live ends."""

    error: Report | None
    """Why it is in error."""

    pool: str | None
    """The pool that keeps it ready."""

    created_at: datetime.datetime
    """When it was begun."""

    ended_at: datetime.datetime | None
    """When it was deleted or found gone."""



@dataclasses.dataclass(frozen=True, slots=True)
class ProviderInfo:
    """What a provider is."""

    kind: str
    """Its kind, by which it is named."""

    works: bool
    """Whether it works here."""

    isolation: Isolation | None
    """What separates its sandboxes from the machine."""

    capabilities: List[str]
    """What it can do, by dotted names."""

    problem: str | None
    """Why it does not work."""



@dataclasses.dataclass(frozen=True, slots=True)
class Garbage:
    """Something that nobody needs."""

    kind: str
    """What it is, such as `sandbox` or `volume`."""

    id: str
    """Its id."""

    name: str | None
    """Its name."""

    provider: str | None
    """The provider that has it."""

    reason: str
    """Why nobody needs it."""



@dataclasses.dataclass(frozen=True, slots=True)
class Limits:
    """What may be at once on this machine, whatever process makes it."""

    concurrent_creates: int
    """Sandboxes that are made at once."""

    live_sandboxes: int | None
    """Sandboxes that live at once; no limit when left out."""

    queue_length: int
    """Creations that wait at most; more are refused as `overloaded`."""

    queue_wait: float
    """How long one waits at most."""



@dataclasses.dataclass(frozen=True, slots=True)
class QueueEntry:
    """A creation that is under way or waits."""

    sandbox: str
    """The sandbox that it makes."""

    name: str | None
    """The name of that."""

    provider: str
    """The provider that makes it."""

    pid: int | None
    """The process that asked for it."""

    program: str | None
    """The program of that process."""

    since: datetime.datetime
    """Since when."""

    position: int | None
    """How many are before it; none once it is being made."""



@dataclasses.dataclass(frozen=True, slots=True)
class Queue:
    """What is made at once on this machine, and who waits."""

    limits: Limits
    """What may be at once."""

    live: int
    """How many sandboxes live."""

    making: List[QueueEntry]
    """What is being made."""

    waiting: List[QueueEntry]
    """What waits, the next first."""



@dataclasses.dataclass(frozen=True, slots=True)
class KindUsage:
    """What one kind of thing takes of the disk."""

    kind: str
    """Which: `sandboxes`, `images`, `snapshots`, `volumes`, `database` or `other`."""

    count: int
    """How many there are."""

    bytes: int
    """Their bytes."""

    reclaimable: int
    """Bytes that can be had back."""



@dataclasses.dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a port of a sandbox can be reached from this machine."""

    host: str
    """The host, a name or an address."""

    port: int
    """The port."""

    url: str
    """A URL with both."""



@dataclasses.dataclass(frozen=True, slots=True)
class ListeningPort:
    """A port that something in a sandbox listens on."""

    port: int
    """The port."""

    address: str
    """The address it is bound to."""

    pid: int | None
    """The process that listens."""

    process: str | None
    """The name of its program."""



@dataclasses.dataclass(frozen=True, slots=True)
class RegistryAuth:
    """A credential for a registry."""

    username: str
    """The user."""

    password: str = dataclasses.field(repr=False)
    """The password or token."""

    _: dataclasses.KW_ONLY
    server: str | None = None
    """The registry's host; that of the image by default."""



@dataclasses.dataclass(frozen=True, slots=True)
class VolumeMount:
    """A volume in a sandbox."""

    volume: str
    """Its name or id."""

    target: SandboxPath
    """Where in the sandbox, absolute."""

    _: dataclasses.KW_ONLY
    subpath: SandboxPath | None = None
    """Which part of it, relative; all by default."""

    read_only: bool = False
    """Whether nothing can be written."""



@dataclasses.dataclass(frozen=True, slots=True)
class Secret:
    """A secret for a sandbox. No text form of it shows the value."""

    env: str
    """The environment variable that holds the placeholder, the value, or the path of the file."""

    value: str = dataclasses.field(repr=False)
    """The value."""

    delivery: SecretDelivery
    """How it gets there."""



@dataclasses.dataclass(frozen=True, slots=True)
class NamespaceOptions:
    """What only the namespace provider knows."""

    _: dataclasses.KW_ONLY
    hostname: str | None = None
    """The host name inside."""

    shm_size: Size | None = None
    """The size of `/dev/shm`."""

    read_only_root: bool = False
    """Make the root filesystem read-only."""

    nested_user_namespaces: bool = False
    """Let processes make user namespaces, as a browser's or a container engine's own sandbox needs."""

    users: NamespaceUsers | None = None
    """Which users there can be beside its root."""

    disk_backing: DiskBacking | None = None
    """What the limit of disk is enforced by; a quota by default."""



@dataclasses.dataclass(frozen=True, slots=True)
class HostOptions:
    """What only the host provider knows."""

    _: dataclasses.KW_ONLY
    inherit_env: Sequence[str] = ()
    """Variables of this process that commands get beside the safe ones."""



@dataclasses.dataclass(frozen=True, slots=True)
class DockerOptions:
    """What only the Docker provider knows."""

    _: dataclasses.KW_ONLY
    runtime: str | None = None
    """The runtime, such as `runsc` or `kata`."""

    privileged: bool = False
    """All privileges. Ends all isolation."""

    host_network: bool = False
    """The machine's own network."""

    network: str | None = None
    """A network that exists."""

    extra_hosts: Mapping[str, str] | None = None
    """Names and addresses for `/etc/hosts`."""

    dns: Sequence[str] = ()
    """The addresses of name servers."""

    cap_add: Sequence[str] = ()
    """Capabilities to add."""

    cap_drop: Sequence[str] = ()
    """Capabilities to drop."""

    security_opt: Sequence[str] = ()
    """Security options."""

    shm_size: Size | None = None
    """The size of `/dev/shm`."""

    ulimits: Sequence[str] = ()
    """Limits as `name=soft:hard`."""

    devices: Sequence[str] = ()
    """Devices as `host[:container[:rwm]]`."""

    sysctls: Mapping[str, str] | None = None
    """Kernel parameters."""

    hostname: str | None = None
    """The host name inside."""

    workspace_volume: bool = False
    """The working directory is a volume of the sandbox's own."""

    sidecars: Sequence[Sidecar] = ()
    """Containers beside it."""



@dataclasses.dataclass(frozen=True, slots=True)
class Sidecar:
    """A container beside a sandbox, reachable from it by its name."""

    name: str
    """Its name, and its host name for the sandbox."""

    image: str
    """Its image."""

    _: dataclasses.KW_ONLY
    auth: RegistryAuth | None = None
    """The credential for its registry."""

    env: Mapping[str, str] | None = None
    """Its environment."""

    entrypoint: Sequence[str] = ()
    """Its program; that of the image by default."""

    command: Sequence[str] = ()
    """Its arguments; those of the image by default."""

    user: str | None = None
    """Its user."""

    health: SidecarHealth | None = None
    """When it counts as ready; at once by default."""



@dataclasses.dataclass(frozen=True, slots=True)
class SidecarHealth:
    """When a sidecar counts as ready; the meaning of the fields is Docker's."""

    _: dataclasses.KW_ONLY
    command: Sequence[str] = ()
    """The command that succeeds then."""

    interval: Seconds | None = None
    """How often it is run."""

    timeout: Seconds | None = None
    """How long it may take."""

    retries: int | None = None
    """How often it may fail."""

    start_period: Seconds | None = None
    """How long failures do not count."""



@dataclasses.dataclass(frozen=True, slots=True)
class CreateOptions:
    """What a sandbox is made from and like. It is made from one of `image`, `archive`, `rootfs`, `snapshot` and
    `workspace`; from the machine's own programs, read-only, by default.
    """

    _: dataclasses.KW_ONLY
    provider: str | None = None
    """Which provider makes it, such as `namespace`, `docker` or `host`; the first isolating one that works here by
    default.
    """

    name: str | None = None
    """A name, unique among live sandboxes."""

    image: str | None = None
    """An image, such as `debian:12`."""

    pull: PullPolicy | None = None
    """When the image is fetched; when it is missing by default."""

    platform: str | None = None
    """The platform of the image, such as `linux/arm64`; this machine's by default."""

    auth: RegistryAuth | None = None
    """The credential for the image's registry."""

    archive: LocalPath | None = None
    """An archive or layout folder of this machine with an image, as `docker save` and OCI tools write them."""

    rootfs: LocalPath | None = None
    """A directory of this machine as the root filesystem, which is never written to."""

    snapshot: str | None = None
    """A snapshot, by its name or id."""

    workspace: LocalPath | None = None
    """A directory of this machine as the workspace, which it may change and which is never removed."""

    env: Mapping[str, str] | None = None
    """Variables for every command."""

    labels: Mapping[str, str] | None = None
    """Labels, by which it is listed."""

    user: str | None = None
    """The user that commands run as: a name, `uid`, `uid:gid` or `name:group`; that of the image by default."""

    workdir: SandboxPath | None = None
    """The working directory, absolute; that of the image by default."""

    cpus: float | None = None
    """Processors; fractions are fine."""

    memory: Size | None = None
    """Memory."""

    disk: Size | None = None
    """Disk."""

    pids: int | None = None
    """Processes and threads."""

    gpus: int | None = None
    """GPUs."""

    mounts: Sequence[Mount] = ()
    """What is mounted."""

    volumes: Sequence[VolumeMount] = ()
    """Volumes."""

    secrets: Sequence[Secret] = ()
    """Secrets."""

    ports: Sequence[int] = ()
    """Ports that will be asked for."""

    network: NetworkPolicy | None = None
    """What it may reach; nothing by default."""

    ttl: Lifetime | None = None
    """How long it exists, whatever it does; for ever by default, and a day when it is detached."""

    idle_timeout: Lifetime | None = None
    """How long it exists without use: a running command, a transfer, or a connection to a port."""

    on_expiry: Expiry | None = None
    """What happens at the end of either; it is removed by default."""

    on_idle: Expiry | None = None
    """What happens at the end of the idle timeout, where that differs."""

    detached: bool = False
    """Let it live on without this process."""

    owner_lease: Seconds | None = None
    """How long this process may be out of touch; a few seconds by default."""

    entrypoint: bool = False
    """Run the image's own entrypoint too."""

    least_isolation: Isolation | None = None
    """The least isolation that is accepted."""

    create_timeout: Seconds | None = None
    """How long making it may take; 300 seconds by default."""

    idempotency_key: str | None = None
    """The same key with the same request gives the same sandbox, and makes nothing again."""

    namespace: NamespaceOptions | None = None
    """What only the namespace provider knows."""

    docker: DockerOptions | None = None
    """What only the Docker provider knows."""

    host: HostOptions | None = None
    """What only the host provider knows."""



@dataclasses.dataclass(frozen=True, slots=True)
class PoolStatus:
    """How a pool is doing."""

    size: int
    """How many it keeps."""

    ready: int
    """How many are ready."""

    making: int
    """How many are being made."""

    taken: int
    """How many were ready when they were taken."""

    made_directly: int
    """How many were made when they were asked for, because none was ready."""

    failure: str | None
    """Why the last refill failed, until one succeeds."""



@dataclasses.dataclass(frozen=True, slots=True)
class ProcessInfo:
    """A command of a sandbox, as a list of them shows it."""

    id: str
    """Its id."""

    pid: int | None
    """Its process id as seen in the sandbox."""

    argv_bytes: list[bytes] = dataclasses.field(repr=False)
    """What runs; it may hold secrets."""

    label: str | None
    """The caller's name for it."""

    user: str | None
    """The user it runs as."""

    pty: bool
    """Whether it has a terminal."""

    detached: bool
    """Whether it goes on without its caller."""

    started_at: datetime.datetime
    """When it started."""

    stdout_bytes: int
    """Bytes written to stdout so far."""

    stderr_bytes: int
    """Bytes written to stderr so far."""

    cpu_time: float | None
    """Processor time so far, where it is counted."""

    memory: int | None
    """Bytes of memory now, where they are counted."""

    exit: Exit | None
    """How it ended; none while it runs."""

    @property
    def argv(self) -> list[str]:
        """What runs; it may hold secrets. As text, with replacement characters where it is not UTF-8."""
        return [part.decode("utf-8", "replace") for part in self.argv_bytes]



@dataclasses.dataclass(frozen=True, slots=True)
class SandboxImage:
    """The image that a sandbox was made from."""

    reference: str
    """The reference that was asked for."""

    id: str
    """Its id."""

    digest: str | None
    """Its digest."""

    entrypoint: List[str]
    """Its entrypoint."""

    command: List[str]
    """Its command."""



@dataclasses.dataclass(frozen=True, slots=True)
class Status:
    """What a sandbox is doing, as its backend says."""

    state: State
    """What it is doing."""

    provider_state: str
    """The backend's own word for that."""

    name: str | None
    """Its name."""

    error: Report | None
    """Why it is in error."""

    post_mortem: PostMortem | None
    """How it died."""

    labels: dict[str, str]
    """Its labels."""



@dataclasses.dataclass(frozen=True, slots=True)
class Metrics:
    """What a sandbox uses at one moment. What cannot be measured is left out, never zero."""

    at: datetime.datetime
    """When."""

    cpu_time: float | None
    """Processor time since its start."""

    cpu_limit: float | None
    """The limit of processors."""

    memory: int | None
    """Bytes of memory."""

    peak_memory: int | None
    """The most bytes of memory since its start."""

    memory_limit: int | None
    """The limit of memory."""

    disk: int | None
    """Bytes of disk that it wrote and keeps."""

    disk_limit: int | None
    """The limit of disk."""

    pids: int | None
    """Processes and threads."""

    pids_limit: int | None
    """The limit of processes and threads."""

    network_received: int | None
    """Bytes received from the network."""

    network_sent: int | None
    """Bytes sent to the network."""



@dataclasses.dataclass(frozen=True, slots=True)
class GrepMatch:
    """A line that matches."""

    path: str
    """In which file."""

    line_number: int
    """Which line, from 1."""

    line_bytes: bytes = dataclasses.field(repr=False)
    """The line, without its end."""

    @property
    def line(self) -> str:
        """The line, without its end. As text, with replacement characters where it is not UTF-8."""
        return self.line_bytes.decode("utf-8", "replace")



@dataclasses.dataclass(frozen=True, slots=True)
class WalkEntry:
    """What a walk comes by."""

    path: str
    """Where it is, relative to where the walk began."""

    size: int | None
    """Its bytes; none for what is no file."""



@dataclasses.dataclass(frozen=True, slots=True)
class ServiceStatus:
    """Whether a service runs."""

    running: bool
    """Whether it does."""

    exit_code: int | None
    """How it ended."""



@dataclasses.dataclass(frozen=True, slots=True)
class SessionOutput:
    """What a script of a session wrote and how it ended."""

    output_bytes: bytes = dataclasses.field(repr=False)
    """What it wrote to the terminal."""

    omitted: int
    """Bytes that are not here, because they were too many."""

    exit_code: int | None
    """Its exit code; none when it was not known in time."""

    timed_out: bool
    """Whether it ran into its timeout."""

    closed: bool
    """Whether it ended the shell."""

    @property
    def output(self) -> str:
        """What it wrote to the terminal. As text, with replacement characters where it is not UTF-8."""
        return self.output_bytes.decode("utf-8", "replace")



@dataclasses.dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot of a sandbox's files."""

    id: str
    """Its id."""

    name: str | None
    """Its name."""

    provider: str
    """The provider that has it."""

    sandbox: str | None
    """The sandbox that it was taken of."""

    state: SnapshotState
    """What it is doing."""

    labels: dict[str, str]
    """Its labels."""

    size: int | None
    """Its bytes."""

    error: Report | None
    """Why making it failed."""

    created_at: datetime.datetime
    """When it was begun."""



@dataclasses.dataclass(frozen=True, slots=True)
class ExportedImage:
    """An image that was written."""

    id: str
    """The digest of its configuration, by which Docker knows it."""

    digest: str
    """The digest of its manifest."""

    reference: str | None
    """Its name, whole."""

    layers: List[str]
    """The digests of its layers, uncompressed, the first at the bottom."""

    size: int
    """Bytes of the archive."""



@dataclasses.dataclass(frozen=True, slots=True)
class PostMortem:
    """What is known about the end of a sandbox that nobody asked for. It is kept after the sandbox is gone."""

    sandbox: str
    """The sandbox."""

    cause: DeathCause
    """Why it ended."""

    at: datetime.datetime
    """When it ended, or when that was noticed."""

    reason: str | None
    """More words of the provider, such as an eviction message."""

    exit_code: int | None
    """The exit code of the sandbox's main process."""

    signal: int | None
    """The signal that ended the main process."""

    memory_limit: int | None
    """The memory limit, in bytes."""

    peak_memory: int | None
    """The most memory used, in bytes."""

    running: List[str]
    """The ids of the commands that ran."""

    last_output_bytes: bytes = dataclasses.field(repr=False)
    """The last output, at most 8 KiB."""

    denials: List[Denial]
    """The last connections that the policy refused, oldest first, at most 32."""

    @property
    def last_output(self) -> str:
        """The last output, at most 8 KiB. As text, with replacement characters where it is not UTF-8."""
        return self.last_output_bytes.decode("utf-8", "replace")



@dataclasses.dataclass(frozen=True, slots=True)
class Volume:
    """A directory with a life of its own, which any number of sandboxes share."""

    id: str
    """Its id."""

    name: str
    """Its name."""

    provider: str
    """The provider that has it."""

    state: VolumeState
    """What it is doing."""

    labels: dict[str, str]
    """Its labels."""

    size: int | None
    """Its bytes at most, where it has a limit."""

    created_at: datetime.datetime
    """When it was begun."""

    attached: int
    """How many sandboxes have it."""



@dataclasses.dataclass(frozen=True, slots=True)
class InvalidSpecDetail:
    """A field of the request is wrong."""

    type: ClassVar[Literal["invalid_spec"]] = "invalid_spec"

    field: str
    """Which, as a dotted path."""

    reason: str
    """What is wrong with it, and the way out."""



@dataclasses.dataclass(frozen=True, slots=True)
class UnsupportedDetail:
    """A capability is missing."""

    type: ClassVar[Literal["unsupported"]] = "unsupported"

    capability: str
    """Its dotted name."""



@dataclasses.dataclass(frozen=True, slots=True)
class InvalidStateDetail:
    """The sandbox is in another state."""

    type: ClassVar[Literal["invalid_state"]] = "invalid_state"

    state: State
    """In which."""

    action: Action
    """What was tried."""



@dataclasses.dataclass(frozen=True, slots=True)
class TimeoutDetail:
    """Something took too long."""

    type: ClassVar[Literal["timeout"]] = "timeout"

    operation: str
    """What."""

    elapsed: float
    """How long it was waited for."""



@dataclasses.dataclass(frozen=True, slots=True)
class IncompleteDetail:
    """How far something came whose end is not known."""

    type: ClassVar[Literal["incomplete"]] = "incomplete"

    output_abandoned: bool
    """Whether output was given up."""

    stop_acknowledged: bool
    """Whether the stop was heard."""

    termination_confirmed: bool
    """Whether nothing runs any more."""

    cleanup_confirmed: bool
    """Whether nothing is left."""



@dataclasses.dataclass(frozen=True, slots=True)
class FileDetail:
    """Something is wrong with a file."""

    type: ClassVar[Literal["file"]] = "file"

    path: str
    """Which."""

    kind: FileErrorKind
    """What."""



@dataclasses.dataclass(frozen=True, slots=True)
class LaunchDetail:
    """A sandbox or command could not be started."""

    type: ClassVar[Literal["launch"]] = "launch"

    step: str
    """The step that failed, such as `namespaces`, `mounts` or `exec`."""

    errno: int | None
    """The number of the system's error."""

    hint: str | None
    """What may help."""



@dataclasses.dataclass(frozen=True, slots=True)
class ResourceDetail:
    """A thing is missing, is there, or belongs to somebody else."""

    type: ClassVar[Literal["resource"]] = "resource"

    resource: str
    """What it is, such as `sandbox` or `snapshot`."""

    id: str
    """Its id or name."""



@dataclasses.dataclass(frozen=True, slots=True)
class LimitDetail:
    """A limit is reached."""

    type: ClassVar[Literal["limit"]] = "limit"

    limit: str
    """Which."""

    max: int | None
    """What it is."""



@dataclasses.dataclass(frozen=True, slots=True)
class DiedDetail:
    """How the sandbox died."""

    type: ClassVar[Literal["died"]] = "died"

    post_mortem: PostMortem
    """What is known."""



@dataclasses.dataclass(frozen=True, slots=True)
class ExecDetail:
    """How the command failed."""

    type: ClassVar[Literal["exec"]] = "exec"

    failure: ExecFailure
    """What is known."""



@dataclasses.dataclass(frozen=True, slots=True)
class GitDetail:
    """How git failed."""

    type: ClassVar[Literal["git"]] = "git"

    operation: str
    """What it was to do."""

    kind: str
    """What went wrong, such as `auth_rejected` or `ref_not_found`."""



@dataclasses.dataclass(frozen=True, slots=True)
class ProviderDetail:
    """What a provider says in its own words."""

    type: ClassVar[Literal["provider"]] = "provider"

    code: str | None
    """Its code."""

    json: str
    """All of it, as JSON."""



Detail = Union[
    InvalidSpecDetail,
    UnsupportedDetail,
    InvalidStateDetail,
    TimeoutDetail,
    IncompleteDetail,
    FileDetail,
    LaunchDetail,
    ResourceDetail,
    LimitDetail,
    DiedDetail,
    ExecDetail,
    GitDetail,
    ProviderDetail,
]
"""The typed facts of an error."""


@dataclasses.dataclass(frozen=True, slots=True)
class OperationStartedEventKind:
    """An operation was accepted."""

    type: ClassVar[Literal["operation_started"]] = "operation_started"

    action: Action
    """What it does."""



@dataclasses.dataclass(frozen=True, slots=True)
class OperationProgressEventKind:
    """An operation got further."""

    type: ClassVar[Literal["operation_progress"]] = "operation_progress"

    action: Action
    """What it does."""

    progress: Progress
    """How far it is."""



@dataclasses.dataclass(frozen=True, slots=True)
class OperationCompletedEventKind:
    """An operation succeeded."""

    type: ClassVar[Literal["operation_completed"]] = "operation_completed"

    action: Action
    """What it did."""

    duration: float
    """How long it took."""



@dataclasses.dataclass(frozen=True, slots=True)
class OperationFailedEventKind:
    """An operation failed."""

    type: ClassVar[Literal["operation_failed"]] = "operation_failed"

    action: Action
    """What it tried."""

    duration: float
    """How long it tried."""

    error: Report
    """Why."""



@dataclasses.dataclass(frozen=True, slots=True)
class StateObservedEventKind:
    """A state was seen."""

    type: ClassVar[Literal["state_observed"]] = "state_observed"

    resource: str
    """What has it: `sandbox`, `snapshot` or `volume`."""

    previous: str | None
    """The state before, when it was known."""

    current: str
    """The state now."""



@dataclasses.dataclass(frozen=True, slots=True)
class ExecStartedEventKind:
    """A command started."""

    type: ClassVar[Literal["exec_started"]] = "exec_started"

    process: str
    """Its id."""

    label: str | None
    """The caller's name for it."""



@dataclasses.dataclass(frozen=True, slots=True)
class ExecExitedEventKind:
    """A command ended."""

    type: ClassVar[Literal["exec_exited"]] = "exec_exited"

    process: str
    """Its id."""

    exit: Exit
    """How."""



@dataclasses.dataclass(frozen=True, slots=True)
class FilesTransferredEventKind:
    """A transfer of files ended."""

    type: ClassVar[Literal["files_transferred"]] = "files_transferred"

    upload: bool
    """Whether into the sandbox."""

    files: int
    """Files."""

    bytes: int
    """Bytes."""



@dataclasses.dataclass(frozen=True, slots=True)
class NetworkDeniedEventKind:
    """The policy refused a connection or a name."""

    type: ClassVar[Literal["network_denied"]] = "network_denied"

    denial: Denial
    """What was refused."""



@dataclasses.dataclass(frozen=True, slots=True)
class LimitReachedEventKind:
    """A limit was reached."""

    type: ClassVar[Literal["limit_reached"]] = "limit_reached"

    limit: LimitKind
    """Which."""

    max: int | None
    """Its value."""

    process: str | None
    """The command that reached it."""



@dataclasses.dataclass(frozen=True, slots=True)
class ExpirySoonEventKind:
    """The time to live of a sandbox is about to end."""

    type: ClassVar[Literal["expiry_soon"]] = "expiry_soon"

    expires_at: datetime.datetime
    """When it ends."""



@dataclasses.dataclass(frozen=True, slots=True)
class DiedEventKind:
    """A sandbox died unasked."""

    type: ClassVar[Literal["died"]] = "died"

    post_mortem: PostMortem
    """How."""



@dataclasses.dataclass(frozen=True, slots=True)
class NoticeEventKind:
    """Something worth knowing."""

    type: ClassVar[Literal["notice"]] = "notice"

    code: str
    """A stable word for it."""

    message: str
    """A sentence."""



@dataclasses.dataclass(frozen=True, slots=True)
class GoneEventKind:
    """Events up to the next one are not kept any more, and are missing here."""

    type: ClassVar[Literal["gone"]] = "gone"

    oldest: int
    """The number of the oldest that is kept."""



@dataclasses.dataclass(frozen=True, slots=True)
class UnknownEventKind:
    """Something of a newer version."""

    type: ClassVar[Literal["unknown"]] = "unknown"

    word: str
    """Its word, where it is known."""



EventKind = Union[
    OperationStartedEventKind,
    OperationProgressEventKind,
    OperationCompletedEventKind,
    OperationFailedEventKind,
    StateObservedEventKind,
    ExecStartedEventKind,
    ExecExitedEventKind,
    FilesTransferredEventKind,
    NetworkDeniedEventKind,
    LimitReachedEventKind,
    ExpirySoonEventKind,
    DiedEventKind,
    NoticeEventKind,
    GoneEventKind,
    UnknownEventKind,
]
"""What happened."""


@dataclasses.dataclass(frozen=True, slots=True)
class StdoutEvent:
    """Bytes of stdout or the terminal."""

    type: ClassVar[Literal["stdout"]] = "stdout"

    data: bytes = dataclasses.field(repr=False)
    """At least one."""



@dataclasses.dataclass(frozen=True, slots=True)
class StderrEvent:
    """Bytes of stderr."""

    type: ClassVar[Literal["stderr"]] = "stderr"

    data: bytes = dataclasses.field(repr=False)
    """At least one."""



@dataclasses.dataclass(frozen=True, slots=True)
class GapEvent:
    """Bytes that are not kept any more, or that a transport lost."""

    type: ClassVar[Literal["gap"]] = "gap"

    bytes: int
    """How many."""

    of_stderr: bool
    """Whether they were of stderr."""



@dataclasses.dataclass(frozen=True, slots=True)
class ExitedEvent:
    """The command has ended and all its output has come."""

    type: ClassVar[Literal["exited"]] = "exited"

    exit: Exit
    """How."""



OutputEvent = Union[
    StdoutEvent,
    StderrEvent,
    GapEvent,
    ExitedEvent,
]
"""What comes out of a command while it runs."""


@dataclasses.dataclass(frozen=True, slots=True)
class AllowNetwork:
    """What the rules say, and nothing else."""

    type: ClassVar[Literal["allow"]] = "allow"

    _: dataclasses.KW_ONLY
    allow: Sequence[str] = ()
    """Host names, `*.` and a name for all below it, addresses and networks, each with a port where only that is meant,
    such as `example.org`, `*.example.com:443`, `10.0.0.0/8` or `[2001:db8::/32]:443`.
    """

    deny: Sequence[str] = ()
    """What is not, although a rule allows it."""

    dns: Sequence[str] = ()
    """The addresses of name servers to ask; the machine's by default."""



NetworkPolicy = Union[
    Literal["none", "public", "provider_default"],
    AllowNetwork,
]
"""What a sandbox may reach."""


@dataclasses.dataclass(frozen=True, slots=True)
class BindMount:
    """A directory or file of this machine. Files that the sandbox makes in it belong to the caller."""

    type: ClassVar[Literal["bind"]] = "bind"

    source: LocalPath
    """Which."""

    target: SandboxPath
    """Where in the sandbox, absolute."""

    _: dataclasses.KW_ONLY
    read_only: bool = False
    """Whether nothing can be written."""



@dataclasses.dataclass(frozen=True, slots=True)
class TmpfsMount:
    """A filesystem in memory."""

    type: ClassVar[Literal["tmpfs"]] = "tmpfs"

    target: SandboxPath
    """Where in the sandbox, absolute."""

    _: dataclasses.KW_ONLY
    size: Size | None = None
    """Its size at most; the provider's default when left out."""

    mode: int | None = None
    """Its permission bits; 0o1777 when left out."""



Mount = Union[
    BindMount,
    TmpfsMount,
]
"""Something that is mounted in a sandbox."""


@dataclasses.dataclass(frozen=True, slots=True)
class HostsDelivery:
    """The sandbox sees a placeholder; outside of it the value replaces it in requests to these hosts, and to no other."""

    type: ClassVar[Literal["hosts"]] = "hosts"

    _: dataclasses.KW_ONLY
    hosts: Sequence[str] = ()
    """Host names, exact or with a leading `*.`; at least one."""



@dataclasses.dataclass(frozen=True, slots=True)
class FileDelivery:
    """The sandbox sees a file that only its user can read."""

    type: ClassVar[Literal["file"]] = "file"

    path: SandboxPath
    """Where, absolute."""



SecretDelivery = Union[
    Literal["exposed"],
    HostsDelivery,
    FileDelivery,
]
"""How a secret gets to whom it is for."""


__all__ = [
    "Action",
    "AllowNetwork",
    "BindMount",
    "CreateOptions",
    "DeathCause",
    "Denial",
    "DenialReason",
    "DeniedProtocol",
    "Detail",
    "DiedDetail",
    "DiedEventKind",
    "DiskBacking",
    "DockerOptions",
    "Endpoint",
    "Entry",
    "ErrorCode",
    "Event",
    "EventKind",
    "ExecDetail",
    "ExecExitedEventKind",
    "ExecFailure",
    "ExecResult",
    "ExecStartedEventKind",
    "Exit",
    "ExitedEvent",
    "Expiry",
    "ExpirySoonEventKind",
    "ExportedImage",
    "Fault",
    "FileChange",
    "FileChangeKind",
    "FileDelivery",
    "FileDetail",
    "FileErrorKind",
    "FileKind",
    "FilesTransferredEventKind",
    "GapEvent",
    "Garbage",
    "GitBranch",
    "GitChange",
    "GitCommit",
    "GitDetail",
    "GitStatus",
    "GitStatusEntry",
    "GoneEventKind",
    "GrepMatch",
    "HostOptions",
    "HostsDelivery",
    "ImageInfo",
    "IncompleteDetail",
    "InvalidSpecDetail",
    "InvalidStateDetail",
    "Isolation",
    "KindUsage",
    "LaunchDetail",
    "LimitDetail",
    "LimitKind",
    "LimitReachedEventKind",
    "Limits",
    "ListeningPort",
    "Metadata",
    "Metrics",
    "Mount",
    "NamespaceOptions",
    "NamespaceUsers",
    "NetworkDeniedEventKind",
    "NetworkPolicy",
    "NoticeEventKind",
    "OperationCompletedEventKind",
    "OperationFailedEventKind",
    "OperationProgressEventKind",
    "OperationStartedEventKind",
    "OutputEvent",
    "OutputStream",
    "PoolStatus",
    "PostMortem",
    "ProcessInfo",
    "Progress",
    "ProgressUnit",
    "ProviderDetail",
    "ProviderInfo",
    "PrunedImages",
    "PullPolicy",
    "Queue",
    "QueueEntry",
    "RegistryAuth",
    "Report",
    "ResourceDetail",
    "SandboxImage",
    "SandboxInfo",
    "Sanitize",
    "Secret",
    "SecretDelivery",
    "ServiceStatus",
    "SessionOutput",
    "Sidecar",
    "SidecarHealth",
    "SignalTarget",
    "Snapshot",
    "SnapshotState",
    "State",
    "StateObservedEventKind",
    "Status",
    "StderrEvent",
    "StdoutEvent",
    "Termination",
    "TimeoutDetail",
    "TmpfsMount",
    "TransferReport",
    "UnknownEventKind",
    "UnsupportedDetail",
    "Volume",
    "VolumeMount",
    "VolumeState",
    "WalkEntry",
]
