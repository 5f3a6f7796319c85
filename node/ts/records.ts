// Written by `cargo xtask gen` from bindings/src/api.rs. Do not edit.

import type { Size } from './types';

/**
 * What happened. The words are the same in every language and on the wire, and never change.
 * - `not_found`: What was named does not exist.
 * - `already_exists`: What was to be made exists.
 * - `not_owned`: It belongs to another owner.
 * - `unsupported`: The provider cannot do this; the detail names the capability.
 * - `invalid_spec`: The request is wrong; the detail names the field.
 * - `invalid_state`: The sandbox is in a state in which this cannot be done.
 * - `timeout`: The operation did not end in time. A command that runs into its timeout is a result, not this.
 * - `cancelled`: The caller gave up.
 * - `unauthenticated`: The credential is missing or wrong.
 * - `permission_denied`: The credential, or the user, may not do this.
 * - `rate_limited`: Too many requests; the error says when to try again, where that is known.
 * - `overloaded`: A limit of the machine is reached, and nothing was started.
 * - `limit_exceeded`: Something is larger than it may be.
 * - `out_of_memory`: Memory ran out.
 * - `out_of_disk`: A disk is full.
 * - `image_not_found`: There is no such image.
 * - `image_pull_failed`: The image could not be fetched.
 * - `engine_unavailable`: The engine does not answer.
 * - `sandbox_gone`: The sandbox is gone; the detail is how it died.
 * - `policy_denied`: The policy refused it.
 * - `transport`: The connection to the sandbox broke.
 * - `incomplete`: It was begun and its end is not known.
 * - `conflict`: Something else is being done to it.
 * - `command_failed`: A command failed whose success was asked for.
 * - `io`: An operation on files or devices failed.
 * - `internal`: A fault of this library.
 */
export type ErrorCode =
  | 'not_found'
  | 'already_exists'
  | 'not_owned'
  | 'unsupported'
  | 'invalid_spec'
  | 'invalid_state'
  | 'timeout'
  | 'cancelled'
  | 'unauthenticated'
  | 'permission_denied'
  | 'rate_limited'
  | 'overloaded'
  | 'limit_exceeded'
  | 'out_of_memory'
  | 'out_of_disk'
  | 'image_not_found'
  | 'image_pull_failed'
  | 'engine_unavailable'
  | 'sandbox_gone'
  | 'policy_denied'
  | 'transport'
  | 'incomplete'
  | 'conflict'
  | 'command_failed'
  | 'io'
  | 'internal';

/**
 * Whose failure it is.
 * - `program`: That of the program in the sandbox.
 * - `caller`: That of whoever called.
 * - `policy`: The policy's: it was refused on purpose.
 * - `infrastructure`: That of the machine, the engine, the network or this library.
 */
export type Fault =
  | 'program'
  | 'caller'
  | 'policy'
  | 'infrastructure';

/**
 * What went wrong with a file.
 * - `not_found`: It does not exist.
 * - `permission_denied`: The user may not do this.
 * - `already_exists`: It exists.
 * - `is_a_directory`: It is a directory.
 * - `not_a_directory`: It is no directory.
 * - `not_empty`: The directory has something in it.
 * - `too_many_links`: Links lead in a circle.
 * - `name_too_long`: The name is too long.
 * - `no_space`: The disk is full.
 * - `read_only`: The filesystem is read-only.
 * - `invalid_path`: The path cannot be one.
 * - `too_large`: It is too large.
 * - `busy`: It is in use.
 * - `cross_device`: The two places are on different filesystems.
 * - `other`: Something else.
 */
export type FileErrorKind =
  | 'not_found'
  | 'permission_denied'
  | 'already_exists'
  | 'is_a_directory'
  | 'not_a_directory'
  | 'not_empty'
  | 'too_many_links'
  | 'name_too_long'
  | 'no_space'
  | 'read_only'
  | 'invalid_path'
  | 'too_large'
  | 'busy'
  | 'cross_device'
  | 'other';

/**
 * What a denied program tried.
 * - `dns`: Looking up a name.
 * - `tcp`: A TCP connection.
 * - `udp`: A UDP packet.
 * - `other`: Another protocol.
 */
export type DeniedProtocol =
  | 'dns'
  | 'tcp'
  | 'udp'
  | 'other';

/**
 * Why something was denied.
 * - `not_allowed`: Nothing in the policy allows it.
 * - `denied`: The policy denies it by name.
 * - `private_address`: The name is allowed and led to an address of a private or local network.
 * - `secret_host`: A secret would have gone to a host it is not bound to.
 * - `unknown`: Something of a newer version.
 */
export type DenialReason =
  | 'not_allowed'
  | 'denied'
  | 'private_address'
  | 'secret_host'
  | 'unknown';

/**
 * What progress counts.
 * - `bytes`: Bytes.
 * - `items`: Things, such as layers.
 * - `steps`: Steps.
 * - `percent`: Hundredths.
 * - `unknown`: Something of a newer version.
 */
export type ProgressUnit =
  | 'bytes'
  | 'items'
  | 'steps'
  | 'percent'
  | 'unknown';

/**
 * A limit that was reached.
 * - `memory`: Memory: something was killed.
 * - `pids`: Processes: a fork failed.
 * - `disk`: Disk: a write failed.
 * - `output`: Output: bytes were omitted.
 * - `unknown`: Something of a newer version.
 */
export type LimitKind =
  | 'memory'
  | 'pids'
  | 'disk'
  | 'output'
  | 'unknown';

/**
 * What is taken out of output before it is delivered, captured and counted.
 * - `raw`: Nothing.
 * - `strip_ansi`: ANSI escape sequences.
 * - `strip_all`: ANSI escape sequences and all control characters but line feed and tab.
 */
export type Sanitize =
  | 'raw'
  | 'strip_ansi'
  | 'strip_all';

/**
 * What ended a command.
 * - `exited`: It exited by itself.
 * - `signalled`: A signal ended it that this call did not send.
 * - `timed_out`: Its timeout.
 * - `cancelled`: The caller stopped it, or went away.
 * - `killed`: The caller killed it, or its grace ran out after a stop.
 * - `unknown`: Nobody can tell.
 */
export type Termination =
  | 'exited'
  | 'signalled'
  | 'timed_out'
  | 'cancelled'
  | 'killed'
  | 'unknown';

/**
 * What a path names.
 * - `file`: A regular file.
 * - `directory`: A directory.
 * - `symlink`: A symbolic link.
 * - `other`: A device, socket or pipe.
 */
export type FileKind =
  | 'file'
  | 'directory'
  | 'symlink'
  | 'other';

/**
 * What happened to a file.
 * - `created`: It is new.
 * - `modified`: Its contents changed.
 * - `attributes`: Its mode, owner or times changed.
 * - `renamed`: It has another name.
 * - `removed`: It is gone.
 * - `overflow`: Changes were lost: look again.
 */
export type FileChangeKind =
  | 'created'
  | 'modified'
  | 'attributes'
  | 'renamed'
  | 'removed'
  | 'overflow';

/**
 * When an image is fetched.
 * - `missing`: When it is not there.
 * - `always`: Always, when the registry has another one.
 * - `never`: Never.
 */
export type PullPolicy =
  | 'missing'
  | 'always'
  | 'never';

/**
 * Which users a namespace sandbox can have beside its root.
 * - `auto`: As many as there can be and are needed.
 * - `single`: Its root alone.
 * - `range`: 0 to 65535; refused where that cannot be.
 */
export type NamespaceUsers =
  | 'auto'
  | 'single'
  | 'range';

/**
 * What enforces a limit of disk.
 * - `tmpfs`: A filesystem in memory of that size.
 * - `loop`: A disk image of that size.
 * - `quota`: A project quota.
 */
export type DiskBacking =
  | 'tmpfs'
  | 'loop'
  | 'quota';

/**
 * Whom a signal goes to.
 * - `tree`: Everything that came out of the command.
 * - `leader`: The process that was started.
 */
export type SignalTarget =
  | 'tree'
  | 'leader';

/**
 * What a snapshot is doing.
 * - `building`: It is being made.
 * - `active`: Sandboxes can be made from it.
 * - `inactive`: It has to be activated first.
 * - `error`: Making it failed.
 * - `deleting`: It is being removed.
 * - `deleted`: It is gone.
 * - `unknown`: Nobody can tell.
 */
export type SnapshotState =
  | 'building'
  | 'active'
  | 'inactive'
  | 'error'
  | 'deleting'
  | 'deleted'
  | 'unknown';

/**
 * What a sandbox is doing.
 * - `creating`: It is being made.
 * - `starting`: It is being started.
 * - `running`: It accepts commands.
 * - `stopping`: It is being stopped.
 * - `stopped`: It is stopped; its files are kept.
 * - `pausing`: It is being frozen.
 * - `paused`: It is frozen; its memory is kept.
 * - `resuming`: It is being thawed.
 * - `archiving`: It is being archived.
 * - `archived`: It is archived.
 * - `restoring`: It is being brought back.
 * - `resizing`: Its limits are being changed.
 * - `forking`: A copy of it is being made.
 * - `snapshotting`: A snapshot of it is being made.
 * - `deleting`: It is being removed.
 * - `deleted`: It is gone.
 * - `error`: Something failed.
 * - `unknown`: Nobody can tell.
 */
export type State =
  | 'creating'
  | 'starting'
  | 'running'
  | 'stopping'
  | 'stopped'
  | 'pausing'
  | 'paused'
  | 'resuming'
  | 'archiving'
  | 'archived'
  | 'restoring'
  | 'resizing'
  | 'forking'
  | 'snapshotting'
  | 'deleting'
  | 'deleted'
  | 'error'
  | 'unknown';

/**
 * What is done to a sandbox.
 * - `create`: It is made.
 * - `attach`: A handle of it is made.
 * - `start`: It is started.
 * - `stop`: It is stopped.
 * - `delete`: It is removed.
 * - `activate`: It is made usable.
 * - `deactivate`: It is put aside.
 * - `pause`: It is frozen.
 * - `resume`: It is thawed.
 * - `archive`: It is archived.
 * - `fork`: It is copied.
 * - `resize`: Its limits are changed.
 * - `snapshot`: A snapshot of it is taken.
 * - `recover`: It is brought back from an error.
 * - `undelete`: Its removal is taken back.
 * - `refresh_activity`: It counts as used.
 * - `set_lifetimes`: Its lifetimes are changed.
 * - `set_labels`: Its labels are changed.
 * - `update_network`: What it may reach is changed.
 * - `detach`: It lives on without its process.
 * - `exec`: A command is run.
 * - `files`: Its files are used.
 * - `access`: It is reached from outside.
 * - `pull`: An image is fetched.
 * - `build`: An image is built.
 * - `unknown`: Something else.
 */
export type Action =
  | 'create'
  | 'attach'
  | 'start'
  | 'stop'
  | 'delete'
  | 'activate'
  | 'deactivate'
  | 'pause'
  | 'resume'
  | 'archive'
  | 'fork'
  | 'resize'
  | 'snapshot'
  | 'recover'
  | 'undelete'
  | 'refresh_activity'
  | 'set_lifetimes'
  | 'set_labels'
  | 'update_network'
  | 'detach'
  | 'exec'
  | 'files'
  | 'access'
  | 'pull'
  | 'build'
  | 'unknown';

/**
 * What happens at the end of a lifetime.
 * - `delete`: The sandbox is removed.
 * - `stop`: It is stopped; its files are kept.
 * - `pause`: It is frozen; its memory is kept.
 */
export type Expiry =
  | 'delete'
  | 'stop'
  | 'pause';

/**
 * What separates a sandbox from the machine, from the weakest to the strongest.
 * - `none`: Nothing.
 * - `process`: Restrictions on ordinary processes.
 * - `container`: Namespaces and a filter of system calls, on the machine's own kernel.
 * - `gvisor`: A kernel in user space between it and the machine's own.
 * - `vm`: A virtual machine with its own kernel.
 */
export type Isolation =
  | 'none'
  | 'process'
  | 'container'
  | 'gvisor'
  | 'vm';

/**
 * Why a sandbox ended when nobody asked it to.
 * - `oom`: It reached its memory limit.
 * - `evicted`: The machine or cluster took its place away.
 * - `removed_externally`: Somebody removed it from outside.
 * - `engine_down`: Its engine went away and took it along.
 * - `agent_crashed`: The agent in it ended without reason.
 * - `expired`: A lifetime ran out.
 * - `owner_lost`: The process that owned it ended.
 * - `exited`: The main program of its image ended.
 * - `out_of_disk`: Its disk was full, and it could not go on.
 * - `unknown`: Nothing says why.
 */
export type DeathCause =
  | 'oom'
  | 'evicted'
  | 'removed_externally'
  | 'engine_down'
  | 'agent_crashed'
  | 'expired'
  | 'owner_lost'
  | 'exited'
  | 'out_of_disk'
  | 'unknown';

/**
 * What a volume is doing.
 * - `creating`: It is being made.
 * - `ready`: It can be mounted.
 * - `deleting`: It is being removed.
 * - `deleted`: It is gone.
 * - `error`: Something failed.
 * - `unknown`: Nobody can tell.
 */
export type VolumeState =
  | 'creating'
  | 'ready'
  | 'deleting'
  | 'deleted'
  | 'error'
  | 'unknown';

/** How a command failed whose success was asked for. */
export class ExecFailure {
  /** The caller's name for it. */
  declare readonly label?: string | undefined;
  /** What ended it. */
  declare readonly termination: Termination;
  /** Its exit code, where it has one. */
  declare readonly exitCode?: number | undefined;
  /** The signal that ended it. */
  declare readonly signal?: number | undefined;
  /** How long it ran. */
  declare readonly durationMs: number;
  /** What may help. */
  declare readonly hint?: string | undefined;
  /** What it wrote to stdout. */
  declare readonly stdoutBytes: Buffer;
  /** What it wrote to stdout. */
  get stdout(): string {
    return this.stdoutBytes.toString('utf8');
  }
  /** What it wrote to stderr. */
  declare readonly stderrBytes: Buffer;
  /** What it wrote to stderr. */
  get stderr(): string {
    return this.stderrBytes.toString('utf8');
  }
  /** More about that stdout: what was omitted. */
  declare readonly stdoutInfo: OutputStream;
  /** More about that stderr: what was omitted. */
  declare readonly stderrInfo: OutputStream;
}

/** An error that is part of an event or a state. */
export interface Report {
  /** What happened. */
  readonly code: ErrorCode;
  /** What happened, to what, and what to do about it. */
  readonly message: string;
  /** Whether the same may succeed later. */
  readonly retryable: boolean;
  /** Whether it is a failure of the infrastructure. */
  readonly infrastructure: boolean;
  /** What caused it, from the nearest to the farthest. */
  readonly causes: string[];
}

/** A connection or name that the network policy refused. */
export interface Denial {
  /** When. */
  readonly at: Date;
  /** What was tried. */
  readonly protocol: DeniedProtocol;
  /** The host name, when one was asked for. */
  readonly host?: string | undefined;
  /** The address, when one was tried. */
  readonly address?: string | undefined;
  /** The port. */
  readonly port?: number | undefined;
  /** Why. */
  readonly reason: DenialReason;
}

/** How far an operation is. */
export interface Progress {
  /** A stable word for the step, such as `image.pull`. */
  readonly code: string;
  /** A sentence. */
  readonly message?: string | undefined;
  /** How much is done. */
  readonly completed?: number | undefined;
  /** How much there is. */
  readonly total?: number | undefined;
  /** Of what. */
  readonly unit?: ProgressUnit | undefined;
}

/** One thing that happened. */
export interface Event {
  /** Its place among all events, from 1, without gaps. */
  readonly sequence: number;
  /** When it happened; none for a gap. */
  readonly at?: Date | undefined;
  /** The provider where it happened. */
  readonly provider?: string | undefined;
  /** What it happened to: `provider`, `sandbox`, `snapshot`, `volume` or `image`. */
  readonly subject: string;
  /** The id of that, or the reference of an image. */
  readonly id?: string | undefined;
  /** The name of that. */
  readonly name?: string | undefined;
  /** The operation that it belongs to. */
  readonly operation?: string | undefined;
  /** What happened. */
  readonly kind: EventKind;
}

/** Which events. */
export interface EventOptions {
  /** Those behind this one, by its number; from now on by default. 0 begins with the oldest that is kept. */
  readonly after?: number | undefined;
  /** Of these sandboxes, by their ids; of everything by default. */
  readonly sandboxes?: readonly string[] | undefined;
  /** Of these kinds, such as `exec_exited`; all by default. */
  readonly kinds?: readonly string[] | undefined;
  /** End with the last one that there is; by default those to come are waited for. */
  readonly noFollow?: boolean | undefined;
}

/** How to run a command to its end. */
export interface ExecOptions {
  /** Variables beside those of the sandbox; of two values for one name this one holds. */
  readonly env?: Readonly<Record<string, string | Uint8Array>> | undefined;
  /** Where to run, relative to the sandbox's working directory, which is also the default. */
  readonly cwd?: string | Uint8Array | undefined;
  /** A name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox; the sandbox's user by default. */
  readonly user?: string | undefined;
  /** Its input; `/dev/null` by default. */
  readonly input?: string | Uint8Array | undefined;
  /** When its whole process tree is ended at the latest; never by default. The result then says that it timed out. */
  readonly timeoutMs?: number | undefined;
  /** When it is stopped: TERM, this long, then KILL. KILL at once by default. */
  readonly graceMs?: number | undefined;
  /** Fail with `command_failed` when it does not exit with 0. */
  readonly check?: boolean | undefined;
  /** Send stderr where stdout goes, in the order of the writes. */
  readonly mergeStderr?: boolean | undefined;
  /** Bytes of each stream that are kept at most, half from the start and half from the end; 10 MiB by default. */
  readonly maxOutput?: number | undefined;
  /** Write everything to a file in the sandbox when more comes than is kept; the result names it. */
  readonly spill?: boolean | undefined;
  /** What is taken out of the output; nothing by default. */
  readonly sanitize?: Sanitize | undefined;
  /**
   * How long the call waits, after the command has exited and after each byte, for descendants that hold its output
   * open; 0.2 seconds by default.
   */
  readonly drainMs?: number | undefined;
  /** The caller's name for it, in listings, events and errors. Must hold no secrets. */
  readonly label?: string | undefined;
}

/** How to start a command and go on. */
export interface SpawnOptions {
  /** Variables beside those of the sandbox; of two values for one name this one holds. */
  readonly env?: Readonly<Record<string, string | Uint8Array>> | undefined;
  /** Where to run, relative to the sandbox's working directory, which is also the default. */
  readonly cwd?: string | Uint8Array | undefined;
  /** A name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox; the sandbox's user by default. */
  readonly user?: string | undefined;
  /** Its whole input; `/dev/null` by default. */
  readonly input?: string | Uint8Array | undefined;
  /** Keep its input open, for writing to it while it runs. */
  readonly stdin?: boolean | undefined;
  /** When its whole process tree is ended at the latest; never by default. */
  readonly timeoutMs?: number | undefined;
  /** When it is stopped: TERM, this long, then KILL. KILL at once by default. */
  readonly graceMs?: number | undefined;
  /** Run it in a terminal; its output is one stream, stdout. */
  readonly pty?: boolean | undefined;
  /** Lines of the terminal; 24 by default. */
  readonly rows?: number | undefined;
  /** Characters of a line of the terminal; 80 by default. */
  readonly cols?: number | undefined;
  /** Send stderr where stdout goes, in the order of the writes. */
  readonly mergeStderr?: boolean | undefined;
  /**
   * Bytes of each stream that the result keeps at most; 10 MiB by default. What is read as it comes is whole in any
   * case.
   */
  readonly maxOutput?: number | undefined;
  /** Write everything to a file in the sandbox when more comes than is kept; the result names it. */
  readonly spill?: boolean | undefined;
  /** What is taken out of the output; nothing by default. */
  readonly sanitize?: Sanitize | undefined;
  /** How long its end waits for descendants that hold its output open; 0.2 seconds by default. */
  readonly drainMs?: number | undefined;
  /** Let it go on when this process is gone, until the sandbox ends. */
  readonly detached?: boolean | undefined;
  /** The caller's name for it, in listings, events and errors. Must hold no secrets. */
  readonly label?: string | undefined;
}

/**
 * How a command ended and what it wrote. A command that fails, is killed or runs into its timeout has a result like
 * any other.
 */
export class ExecResult {
  /** The exit code; 128 and the number of the signal after a signal; -1 when neither is known. */
  declare readonly exitCode: number;
  /** The signal that ended it. */
  declare readonly signal?: number | undefined;
  /** Whether it exited by itself, with 0. */
  declare readonly ok: boolean;
  /** Whether it ran into its timeout. */
  declare readonly timedOut: boolean;
  /** Whether the caller stopped it. */
  declare readonly cancelled: boolean;
  /** Whether the memory limit killed something of it. */
  declare readonly oomKilled: boolean;
  /** What ended it. */
  declare readonly termination: Termination;
  /** What it wrote to stdout, or to its terminal. */
  declare readonly stdoutBytes: Buffer;
  /** What it wrote to stdout, or to its terminal. */
  get stdout(): string {
    return this.stdoutBytes.toString('utf8');
  }
  /** What it wrote to stderr. */
  declare readonly stderrBytes: Buffer;
  /** What it wrote to stderr. */
  get stderr(): string {
    return this.stderrBytes.toString('utf8');
  }
  /** Whether some of its output is not here. */
  declare readonly truncated: boolean;
  /** What of its stdout is here. */
  declare readonly stdoutInfo: OutputStream;
  /** What of its stderr is here. */
  declare readonly stderrInfo: OutputStream;
  /** How long it ran. */
  declare readonly durationMs: number;
  /** Processor time of its whole process tree. */
  declare readonly cpuTimeMs?: number | undefined;
  /** The most memory that its process tree used, in bytes. */
  declare readonly peakMemory?: number | undefined;
}

/** What of an output was kept: `observed` is always `retained` and `omitted` together. */
export interface OutputStream {
  /** Bytes that the command wrote. */
  readonly observed: number;
  /** Bytes that are here. */
  readonly retained: number;
  /** Bytes that are not. */
  readonly omitted: number;
  /** Where in what is here the omitted ones were. */
  readonly omittedAt: number;
  /** Bytes that a backend's transport lost before they were counted. */
  readonly lost: number;
  /** The file in the sandbox that has everything. */
  readonly spill?: string | undefined;
  /** The bytes of that, where they are no UTF-8. */
  readonly spillBytes?: Buffer | undefined;
}

/** The end of a command, without its output. */
export interface Exit {
  /** The exit code; 128 and the number of the signal after a signal; -1 when neither is known. */
  readonly exitCode: number;
  /** The signal that ended it. */
  readonly signal?: number | undefined;
  /** What ended it. */
  readonly termination: Termination;
  /** Whether the memory limit killed something of it. */
  readonly oomKilled: boolean;
  /** How long it ran. */
  readonly durationMs: number;
  /** Processor time of its whole process tree. */
  readonly cpuTimeMs?: number | undefined;
  /** The most memory that its process tree used, in bytes. */
  readonly peakMemory?: number | undefined;
}

/** What is known about a path. */
export interface Metadata {
  /** What it is. */
  readonly kind: FileKind;
  /** Its bytes. */
  readonly size: number;
  /** Its permission bits, when the provider knows. */
  readonly mode?: number | undefined;
  /** Its owner. */
  readonly uid?: number | undefined;
  /** Its group. */
  readonly gid?: number | undefined;
  /** When its contents changed. */
  readonly modifiedAt?: Date | undefined;
  /** The text of a link. */
  readonly linkTarget?: string | undefined;
  /** The bytes of that, where they are no UTF-8. */
  readonly linkTargetBytes?: Buffer | undefined;
}

/** One row of a directory listing. */
export interface Entry {
  /** Its path relative to the directory that was listed. */
  readonly path: string;
  /** The bytes of that, where they are no UTF-8. */
  readonly pathBytes?: Buffer | undefined;
  /** What it is. */
  readonly kind: FileKind;
  /** Its bytes. */
  readonly size: number;
  /** Its permission bits, when the provider knows. */
  readonly mode?: number | undefined;
  /** Its owner. */
  readonly uid?: number | undefined;
  /** Its group. */
  readonly gid?: number | undefined;
  /** When its contents changed. */
  readonly modifiedAt?: Date | undefined;
  /** The text of a link. */
  readonly linkTarget?: string | undefined;
  /** The bytes of that, where they are no UTF-8. */
  readonly linkTargetBytes?: Buffer | undefined;
}

/** One change of a file. */
export interface FileChange {
  /** What happened. */
  readonly kind: FileChangeKind;
  /** To what, relative to what is watched. */
  readonly path: string;
  /** The bytes of that, where they are no UTF-8. */
  readonly pathBytes?: Buffer | undefined;
  /** Where it went, when it was renamed within what is watched. */
  readonly renamedTo?: string | undefined;
  /** The bytes of that, where they are no UTF-8. */
  readonly renamedToBytes?: Buffer | undefined;
}

/** What was copied. */
export interface TransferReport {
  /** Regular files. */
  readonly files: number;
  /** Directories. */
  readonly directories: number;
  /** Links. */
  readonly links: number;
  /** Bytes of contents. */
  readonly bytes: number;
  /** Sockets, pipes, devices and refused links that were left out. */
  readonly skipped: number;
}

/** Which part of a file is read. */
export interface ReadOptions {
  /** Bytes to skip. */
  readonly offset?: number | undefined;
  /** Bytes to read; to the end by default. */
  readonly length?: number | undefined;
  /**
   * Bytes that are accepted at most, beyond which it fails with `limit_exceeded`; 64 MiB by default. A stream has no
   * such limit.
   */
  readonly limit?: number | undefined;
}

/** How a file or directory is made. */
export interface WriteOptions {
  /**
   * Its permission bits, such as 0o755; those of a file that exists stay as they are by default, a new one has 0o644
   * and a directory 0o755.
   */
  readonly mode?: number | undefined;
  /** Its owner: a name, `uid`, `uid:gid` or `name:group`; by default the user that commands run as. */
  readonly owner?: string | undefined;
  /** Fail where a directory on the way is missing; by default it is made. */
  readonly noParents?: boolean | undefined;
  /** Fail with `already_exists` where something is. */
  readonly exclusive?: boolean | undefined;
  /** Write beside it and rename, so that readers see the old or the new file and nothing between. */
  readonly atomic?: boolean | undefined;
}

/** How a directory is listed. */
export interface ListDirectoryOptions {
  /** How many levels deep; 1, its direct children, by default. */
  readonly depth?: number | undefined;
}

/** How changes are watched. */
export interface WatchOptions {
  /** Also below directories. */
  readonly recursive?: boolean | undefined;
}

/** How files are copied into a sandbox. */
export interface UploadOptions {
  /** Who owns everything there; by default the user that commands run as. */
  readonly owner?: string | undefined;
  /** Permission bits of files instead of those they have. */
  readonly fileMode?: number | undefined;
  /** Permission bits of directories instead of those they have. */
  readonly directoryMode?: number | undefined;
  /** Names, or paths with `*` and `**` relative to the source, that are left out. */
  readonly exclude?: readonly string[] | undefined;
  /** Files, directories and links at most; a million by default. */
  readonly maxEntries?: number | undefined;
  /** Bytes at most; 64 GiB by default. */
  readonly maxBytes?: number | undefined;
}

/** How files are copied out of a sandbox. */
export interface DownloadOptions {
  /** Fail with `already_exists` where something is; by default files are replaced. */
  readonly keepExisting?: boolean | undefined;
  /** Names, or paths with `*` and `**` relative to the source, that are left out. */
  readonly exclude?: readonly string[] | undefined;
  /** Copy links that point out of the tree as they are; by default they are left out and counted. */
  readonly keepEscapingLinks?: boolean | undefined;
  /** Files, directories and links at most; a million by default. */
  readonly maxEntries?: number | undefined;
  /** Bytes at most; 64 GiB by default. */
  readonly maxBytes?: number | undefined;
}

/** Who asks a remote, and how often. Without credentials those that the repository keeps are used. */
export interface RemoteOptions {
  /** The name of the remote; that of the branch, or `origin`, by default. */
  readonly remote?: string | undefined;
  /** The branch; the current one by default. */
  readonly branch?: string | undefined;
  /** Let the branch follow that of the remote from now on. */
  readonly setUpstream?: boolean | undefined;
  /** The user, for this call alone. */
  readonly username?: string | undefined;
  /** The password or token, for this call alone. */
  readonly password?: string | undefined;
  /** How often it is tried when the remote cannot be reached; once by default. */
  readonly attempts?: number | undefined;
  /** How long is waited between two attempts. */
  readonly waitMs?: number | undefined;
}

/** What of a repository is cloned. */
export interface CloneOptions {
  /** The branch; the remote's own choice by default. */
  readonly branch?: string | undefined;
  /** The commit that is checked out. */
  readonly commit?: string | undefined;
  /** The tag that is checked out. */
  readonly tag?: string | undefined;
  /** How many commits of the past; all by default. */
  readonly depth?: number | undefined;
  /** The user, for this call alone. */
  readonly username?: string | undefined;
  /** The password or token, for this call alone. */
  readonly password?: string | undefined;
  /** How often it is tried when the remote cannot be reached; once by default. */
  readonly attempts?: number | undefined;
  /** How long is waited between two attempts. */
  readonly waitMs?: number | undefined;
}

/** How a commit is made. */
export interface CommitOptions {
  /** The name of its author; what git is configured with by default. */
  readonly author?: string | undefined;
  /** The address of its author. */
  readonly email?: string | undefined;
  /** Make it also when nothing is changed. */
  readonly allowEmpty?: boolean | undefined;
}

/** A path that is not as in the last commit. */
export interface GitStatusEntry {
  /** Which. */
  readonly path: string;
  /** The bytes of that, where they are no UTF-8. */
  readonly pathBytes?: Buffer | undefined;
  /** Git's letter for what is prepared for the next commit. */
  readonly index: string;
  /** Git's letter for what is not. */
  readonly worktree: string;
  /** What it was called before. */
  readonly previous?: string | undefined;
  /** The bytes of that, where they are no UTF-8. */
  readonly previousBytes?: Buffer | undefined;
}

/** What a repository is like. */
export interface GitStatus {
  /** The branch; none when a commit is checked out by itself. */
  readonly branch?: string | undefined;
  /** The commit; none before the first. */
  readonly head?: string | undefined;
  /** The branch of a remote that it follows. */
  readonly upstream?: string | undefined;
  /** Commits that the upstream does not have. */
  readonly ahead: number;
  /** Commits that it has and this does not. */
  readonly behind: number;
  /** What is not as in the last commit. */
  readonly entries: GitStatusEntry[];
}

/** A branch. */
export interface GitBranch {
  /** Its name. */
  readonly name: string;
  /** Its last commit. */
  readonly head: string;
  /** Whether it is checked out. */
  readonly current: boolean;
  /** Whether it is a remote's. */
  readonly remote: boolean;
}

/** A commit. */
export interface GitCommit {
  /** Its id. */
  readonly id: string;
  /** The ids of those before it. */
  readonly parents: string[];
  /** The name of its author. */
  readonly author: string;
  /** The address of its author. */
  readonly email: string;
  /** When, as RFC 3339 has it. */
  readonly date: string;
  /** What it says. */
  readonly message: string;
}

/** What differs between two revisions. */
export interface GitChange {
  /** Which path. */
  readonly path: string;
  /** The bytes of that, where they are no UTF-8. */
  readonly pathBytes?: Buffer | undefined;
  /** What it was called before. */
  readonly previous?: string | undefined;
  /** The bytes of that, where they are no UTF-8. */
  readonly previousBytes?: Buffer | undefined;
  /** Git's letter for it. */
  readonly status: string;
  /** Lines added, where they can be counted. */
  readonly added?: number | undefined;
  /** Lines removed, where they can be counted. */
  readonly removed?: number | undefined;
}

/** An image. */
export interface ImageInfo {
  /** Its name. */
  readonly reference: string;
  /** Its id. */
  readonly id?: string | undefined;
  /** Its digest. */
  readonly digest?: string | undefined;
  /** Its platform. */
  readonly platform?: string | undefined;
  /** Its bytes. */
  readonly size?: number | undefined;
  /** When it was fetched. */
  readonly fetchedAt?: Date | undefined;
}

/** What was removed, and what is left. */
export interface PrunedImages {
  /** The names of the images that are gone. */
  readonly images: string[];
  /** Bytes that are free now. */
  readonly freed: number;
  /** Bytes that are left. */
  readonly left: number;
}

/** How an image is fetched. */
export interface PullOptions {
  /** When it is fetched; when it is missing by default. */
  readonly pull?: PullPolicy | undefined;
  /** Its platform, such as `linux/arm64`; this machine's by default. */
  readonly platform?: string | undefined;
  /** The credential for its registry. */
  readonly auth?: RegistryAuth | undefined;
}

/** Where the library is opened. */
export interface OpenOptions {
  /** The directory of its books and files; by default that which `ISOBOX_HOME` names, or one of this user's. */
  readonly home?: string | Uint8Array | undefined;
  /** The provider of sandboxes that name none; the first isolating one that works here by default. */
  readonly defaultProvider?: string | undefined;
}

/** Which sandboxes are listed. */
export interface ListOptions {
  /** Labels that all must match. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** States of which one must match; all but `deleted` by default. */
  readonly states?: readonly State[] | undefined;
  /** The provider. */
  readonly provider?: string | undefined;
  /** Those too that are deleted, as far as they are remembered. */
  readonly deleted?: boolean | undefined;
}

/** What is written down about a sandbox. */
export interface SandboxInfo {
  /** Its id. */
  readonly id: string;
  /** Its name. */
  readonly name?: string | undefined;
  /** The provider that made it. */
  readonly provider: string;
  /** What it is doing. */
  readonly state: State;
  /** Since when. */
  readonly stateSince: Date;
  /** Its labels. */
  readonly labels: Record<string, string>;
  /** The image that it was made from. */
  readonly image?: string | undefined;
  /** Whether it lives on without the process that made it. */
  readonly detached: boolean;
  /** When its time to live ends. */
  readonly expiresAt?: Date | undefined;
  /** Why it is in error. */
  readonly error?: Report | undefined;
  /** The pool that keeps it ready. */
  readonly pool?: string | undefined;
  /** When it was begun. */
  readonly createdAt: Date;
  /** When it was deleted or found gone. */
  readonly endedAt?: Date | undefined;
}

/** What a provider is. */
export interface ProviderInfo {
  /** Its kind, by which it is named. */
  readonly kind: string;
  /** Whether it works here. */
  readonly works: boolean;
  /** What separates its sandboxes from the machine. */
  readonly isolation?: Isolation | undefined;
  /** What it can do, by dotted names. */
  readonly capabilities: string[];
  /** Why it does not work. */
  readonly problem?: string | undefined;
}

/** Something that nobody needs. */
export interface Garbage {
  /** What it is, such as `sandbox` or `volume`. */
  readonly kind: string;
  /** Its id. */
  readonly id: string;
  /** Its name. */
  readonly name?: string | undefined;
  /** The provider that has it. */
  readonly provider?: string | undefined;
  /** Why nobody needs it. */
  readonly reason: string;
}

/** What may be at once on this machine, whatever process makes it. */
export interface Limits {
  /** Sandboxes that are made at once. */
  readonly concurrentCreates: number;
  /** Sandboxes that live at once; no limit when left out. */
  readonly liveSandboxes?: number | undefined;
  /** Creations that wait at most; more are refused as `overloaded`. */
  readonly queueLength: number;
  /** How long one waits at most. */
  readonly queueWaitMs: number;
}

/** New limits of this machine. What is left out stays as it is. */
export interface LimitsOptions {
  /** Sandboxes that are made at once. */
  readonly concurrentCreates?: number | undefined;
  /** Sandboxes that live at once. */
  readonly liveSandboxes?: number | undefined;
  /** Let any number live at once. */
  readonly unlimitedLiveSandboxes?: boolean | undefined;
  /** Creations that wait at most. */
  readonly queueLength?: number | undefined;
  /** How long one waits at most. */
  readonly queueWaitMs?: number | undefined;
}

/** A creation that is under way or waits. */
export interface QueueEntry {
  /** The sandbox that it makes. */
  readonly sandbox: string;
  /** The name of that. */
  readonly name?: string | undefined;
  /** The provider that makes it. */
  readonly provider: string;
  /** The process that asked for it. */
  readonly pid?: number | undefined;
  /** The program of that process. */
  readonly program?: string | undefined;
  /** Since when. */
  readonly since: Date;
  /** How many are before it; none once it is being made. */
  readonly position?: number | undefined;
}

/** What is made at once on this machine, and who waits. */
export interface Queue {
  /** What may be at once. */
  readonly limits: Limits;
  /** How many sandboxes live. */
  readonly live: number;
  /** What is being made. */
  readonly making: QueueEntry[];
  /** What waits, the next first. */
  readonly waiting: QueueEntry[];
}

/** What one kind of thing takes of the disk. */
export interface KindUsage {
  /** Which: `sandboxes`, `images`, `snapshots`, `volumes`, `database` or `other`. */
  readonly kind: string;
  /** How many there are. */
  readonly count: number;
  /** Their bytes. */
  readonly bytes: number;
  /** Bytes that can be had back. */
  readonly reclaimable: number;
}

/** Where a port of a sandbox can be reached from this machine. */
export interface Endpoint {
  /** The host, a name or an address. */
  readonly host: string;
  /** The port. */
  readonly port: number;
  /** A URL with both. */
  readonly url: string;
}

/** A port that something in a sandbox listens on. */
export interface ListeningPort {
  /** The port. */
  readonly port: number;
  /** The address it is bound to. */
  readonly address: string;
  /** The process that listens. */
  readonly pid?: number | undefined;
  /** The name of its program. */
  readonly process?: string | undefined;
}

/** A credential for a registry. */
export interface RegistryAuth {
  /** The user. */
  readonly username: string;
  /** The password or token. */
  readonly password: string;
  /** The registry's host; that of the image by default. */
  readonly server?: string | undefined;
}

/** A volume in a sandbox. */
export interface VolumeMount {
  /** Its name or id. */
  readonly volume: string;
  /** Where in the sandbox, absolute. */
  readonly target: string | Uint8Array;
  /** Which part of it, relative; all by default. */
  readonly subpath?: string | Uint8Array | undefined;
  /** Whether nothing can be written. */
  readonly readOnly?: boolean | undefined;
}

/** A secret for a sandbox. No text form of it shows the value. */
export interface Secret {
  /** The environment variable that holds the placeholder, the value, or the path of the file. */
  readonly env: string;
  /** The value. */
  readonly value: string;
  /** How it gets there. */
  readonly delivery: SecretDelivery;
}

/** What only the namespace provider knows. */
export interface NamespaceOptions {
  /** The host name inside. */
  readonly hostname?: string | undefined;
  /** The size of `/dev/shm`. */
  readonly shmSize?: Size | undefined;
  /** Make the root filesystem read-only. */
  readonly readOnlyRoot?: boolean | undefined;
  /** Let processes make user namespaces, as a browser's or a container engine's own sandbox needs. */
  readonly nestedUserNamespaces?: boolean | undefined;
  /** Which users there can be beside its root. */
  readonly users?: NamespaceUsers | undefined;
  /** What the limit of disk is enforced by; a quota by default. */
  readonly diskBacking?: DiskBacking | undefined;
}

/** What only the host provider knows. */
export interface HostOptions {
  /** Variables of this process that commands get beside the safe ones. */
  readonly inheritEnv?: readonly string[] | undefined;
}

/** What only the Docker provider knows. */
export interface DockerOptions {
  /** The runtime, such as `runsc` or `kata`. */
  readonly runtime?: string | undefined;
  /** All privileges. Ends all isolation. */
  readonly privileged?: boolean | undefined;
  /** The machine's own network. */
  readonly hostNetwork?: boolean | undefined;
  /** A network that exists. */
  readonly network?: string | undefined;
  /** Names and addresses for `/etc/hosts`. */
  readonly extraHosts?: Readonly<Record<string, string>> | undefined;
  /** The addresses of name servers. */
  readonly dns?: readonly string[] | undefined;
  /** Capabilities to add. */
  readonly capAdd?: readonly string[] | undefined;
  /** Capabilities to drop. */
  readonly capDrop?: readonly string[] | undefined;
  /** Security options. */
  readonly securityOpt?: readonly string[] | undefined;
  /** The size of `/dev/shm`. */
  readonly shmSize?: Size | undefined;
  /** Limits as `name=soft:hard`. */
  readonly ulimits?: readonly string[] | undefined;
  /** Devices as `host[:container[:rwm]]`. */
  readonly devices?: readonly string[] | undefined;
  /** Kernel parameters. */
  readonly sysctls?: Readonly<Record<string, string>> | undefined;
  /** The host name inside. */
  readonly hostname?: string | undefined;
  /** The working directory is a volume of the sandbox's own. */
  readonly workspaceVolume?: boolean | undefined;
  /** Containers beside it. */
  readonly sidecars?: readonly Sidecar[] | undefined;
}

/** A container beside a sandbox, reachable from it by its name. */
export interface Sidecar {
  /** Its name, and its host name for the sandbox. */
  readonly name: string;
  /** Its image. */
  readonly image: string;
  /** The credential for its registry. */
  readonly auth?: RegistryAuth | undefined;
  /** Its environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Its program; that of the image by default. */
  readonly entrypoint?: readonly string[] | undefined;
  /** Its arguments; those of the image by default. */
  readonly command?: readonly string[] | undefined;
  /** Its user. */
  readonly user?: string | undefined;
  /** When it counts as ready; at once by default. */
  readonly health?: SidecarHealth | undefined;
}

/** When a sidecar counts as ready; the meaning of the fields is Docker's. */
export interface SidecarHealth {
  /** The command that succeeds then. */
  readonly command?: readonly string[] | undefined;
  /** How often it is run. */
  readonly intervalMs?: number | undefined;
  /** How long it may take. */
  readonly timeoutMs?: number | undefined;
  /** How often it may fail. */
  readonly retries?: number | undefined;
  /** How long failures do not count. */
  readonly startPeriodMs?: number | undefined;
}

/**
 * What a sandbox is made from and like. It is made from one of `image`, `archive`, `rootfs`, `snapshot` and
 * `workspace`; from the machine's own programs, read-only, by default.
 */
export interface CreateOptions {
  /**
   * Which provider makes it, such as `namespace`, `docker` or `host`; the first isolating one that works here by
   * default.
   */
  readonly provider?: string | undefined;
  /** A name, unique among live sandboxes. */
  readonly name?: string | undefined;
  /** An image, such as `debian:12`. */
  readonly image?: string | undefined;
  /** When the image is fetched; when it is missing by default. */
  readonly pull?: PullPolicy | undefined;
  /** The platform of the image, such as `linux/arm64`; this machine's by default. */
  readonly platform?: string | undefined;
  /** The credential for the image's registry. */
  readonly auth?: RegistryAuth | undefined;
  /** An archive or layout folder of this machine with an image, as `docker save` and OCI tools write them. */
  readonly archive?: string | Uint8Array | undefined;
  /** A directory of this machine as the root filesystem, which is never written to. */
  readonly rootfs?: string | Uint8Array | undefined;
  /** A snapshot, by its name or id. */
  readonly snapshot?: string | undefined;
  /** A directory of this machine as the workspace, which it may change and which is never removed. */
  readonly workspace?: string | Uint8Array | undefined;
  /** Variables for every command. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Labels, by which it is listed. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The user that commands run as: a name, `uid`, `uid:gid` or `name:group`; that of the image by default. */
  readonly user?: string | undefined;
  /** The working directory, absolute; that of the image by default. */
  readonly workdir?: string | Uint8Array | undefined;
  /** Processors; fractions are fine. */
  readonly cpus?: number | undefined;
  /** Memory. */
  readonly memory?: Size | undefined;
  /** Disk. */
  readonly disk?: Size | undefined;
  /** Processes and threads. */
  readonly pids?: number | undefined;
  /** GPUs. */
  readonly gpus?: number | undefined;
  /** What is mounted. */
  readonly mounts?: readonly Mount[] | undefined;
  /** Volumes. */
  readonly volumes?: readonly VolumeMount[] | undefined;
  /** Secrets. */
  readonly secrets?: readonly Secret[] | undefined;
  /** Ports that will be asked for. */
  readonly ports?: readonly number[] | undefined;
  /** What it may reach; nothing by default. */
  readonly network?: NetworkPolicy | undefined;
  /** How long it exists, whatever it does; for ever by default, and a day when it is detached. */
  readonly ttlMs?: number | 'never' | undefined;
  /** How long it exists without use: a running command, a transfer, or a connection to a port. */
  readonly idleTimeoutMs?: number | 'never' | undefined;
  /** What happens at the end of either; it is removed by default. */
  readonly onExpiry?: Expiry | undefined;
  /** What happens at the end of the idle timeout, where that differs. */
  readonly onIdle?: Expiry | undefined;
  /** Let it live on without this process. */
  readonly detached?: boolean | undefined;
  /** How long this process may be out of touch; a few seconds by default. */
  readonly ownerLeaseMs?: number | undefined;
  /** Run the image's own entrypoint too. */
  readonly entrypoint?: boolean | undefined;
  /** The least isolation that is accepted. */
  readonly leastIsolation?: Isolation | undefined;
  /** How long making it may take; 300 seconds by default. */
  readonly createTimeoutMs?: number | undefined;
  /** The same key with the same request gives the same sandbox, and makes nothing again. */
  readonly idempotencyKey?: string | undefined;
  /** What only the namespace provider knows. */
  readonly namespace?: NamespaceOptions | undefined;
  /** What only the Docker provider knows. */
  readonly docker?: DockerOptions | undefined;
  /** What only the host provider knows. */
  readonly host?: HostOptions | undefined;
}

/** What a pool keeps ready. */
export interface PoolOptions {
  /** What its sandboxes are made from and like; the default of everything by default. */
  readonly sandbox?: CreateOptions | undefined;
  /** How many must be ready before it is open; none by default. */
  readonly minReady?: number | undefined;
  /** How many are made at once to refill it; one for each processor by default. */
  readonly refillsAtOnce?: number | undefined;
  /** How long one is kept before another is made in its place; for ever by default. */
  readonly maxAgeMs?: number | undefined;
  /** A name, for people. */
  readonly name?: string | undefined;
  /** A name by which other processes take from it. */
  readonly sharedAs?: string | undefined;
}

/** What a sandbox of a pool becomes when it is taken. */
export interface TakeOptions {
  /** A name, unique among live sandboxes. */
  readonly name?: string | undefined;
  /** Labels beside those it has. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** How long it exists from now on. */
  readonly ttlMs?: number | 'never' | undefined;
  /** Let it live on without this process. */
  readonly detached?: boolean | undefined;
  /** How long taking it may take. */
  readonly timeoutMs?: number | undefined;
}

/** How a pool is doing. */
export interface PoolStatus {
  /** How many it keeps. */
  readonly size: number;
  /** How many are ready. */
  readonly ready: number;
  /** How many are being made. */
  readonly making: number;
  /** How many were ready when they were taken. */
  readonly taken: number;
  /** How many were made when they were asked for, because none was ready. */
  readonly madeDirectly: number;
  /** Why the last refill failed, until one succeeds. */
  readonly failure?: string | undefined;
}

/** Where to start with a command that runs already. */
export interface AttachOptions {
  /** Only what comes from now on; by default first all that is kept. */
  readonly onlyNew?: boolean | undefined;
  /** Bytes of stdout that were seen already, to go on behind them. */
  readonly afterStdout?: number | undefined;
  /** Bytes of stderr that were seen already, to go on behind them. */
  readonly afterStderr?: number | undefined;
}

/** A command of a sandbox, as a list of them shows it. */
export class ProcessInfo {
  /** Its id. */
  declare readonly id: string;
  /** Its process id as seen in the sandbox. */
  declare readonly pid?: number | undefined;
  /** What runs; it may hold secrets. */
  declare readonly argvBytes: Buffer[];
  /** What runs; it may hold secrets. */
  get argv(): string[] {
    return this.argvBytes.map((part) => part.toString('utf8'));
  }
  /** The caller's name for it. */
  declare readonly label?: string | undefined;
  /** The user it runs as. */
  declare readonly user?: string | undefined;
  /** Whether it has a terminal. */
  declare readonly pty: boolean;
  /** Whether it goes on without its caller. */
  declare readonly detached: boolean;
  /** When it started. */
  declare readonly startedAt: Date;
  /** Bytes written to stdout so far. */
  declare readonly stdoutBytes: number;
  /** Bytes written to stderr so far. */
  declare readonly stderrBytes: number;
  /** Processor time so far, where it is counted. */
  declare readonly cpuTimeMs?: number | undefined;
  /** Bytes of memory now, where they are counted. */
  declare readonly memory?: number | undefined;
  /** How it ended; none while it runs. */
  declare readonly exit?: Exit | undefined;
}

/** The image that a sandbox was made from. */
export interface SandboxImage {
  /** The reference that was asked for. */
  readonly reference: string;
  /** Its id. */
  readonly id: string;
  /** Its digest. */
  readonly digest?: string | undefined;
  /** Its entrypoint. */
  readonly entrypoint: string[];
  /** Its command. */
  readonly command: string[];
}

/** What a sandbox is doing, as its backend says. */
export interface Status {
  /** What it is doing. */
  readonly state: State;
  /** The backend's own word for that. */
  readonly providerState: string;
  /** Its name. */
  readonly name?: string | undefined;
  /** Why it is in error. */
  readonly error?: Report | undefined;
  /** How it died. */
  readonly postMortem?: PostMortem | undefined;
  /** Its labels. */
  readonly labels: Record<string, string>;
}

/** What a sandbox uses at one moment. What cannot be measured is left out, never zero. */
export interface Metrics {
  /** When. */
  readonly at: Date;
  /** Processor time since its start. */
  readonly cpuTimeMs?: number | undefined;
  /** The limit of processors. */
  readonly cpuLimit?: number | undefined;
  /** Bytes of memory. */
  readonly memory?: number | undefined;
  /** The most bytes of memory since its start. */
  readonly peakMemory?: number | undefined;
  /** The limit of memory. */
  readonly memoryLimit?: number | undefined;
  /** Bytes of disk that it wrote and keeps. */
  readonly disk?: number | undefined;
  /** The limit of disk. */
  readonly diskLimit?: number | undefined;
  /** Processes and threads. */
  readonly pids?: number | undefined;
  /** The limit of processes and threads. */
  readonly pidsLimit?: number | undefined;
  /** Bytes received from the network. */
  readonly networkReceived?: number | undefined;
  /** Bytes sent to the network. */
  readonly networkSent?: number | undefined;
}

/** What a snapshot has in it. */
export interface SnapshotOptions {
  /** A name, unique for the provider. */
  readonly name?: string | undefined;
  /** Labels. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** With memory and processes; files alone by default. */
  readonly includeMemory?: boolean | undefined;
}

/** How copies of a sandbox are made. */
export interface ForkOptions {
  /** How many; one by default. */
  readonly count?: number | undefined;
  /** A name for a single copy. */
  readonly name?: string | undefined;
  /** Labels instead of those it has. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** With memory and processes; files alone by default. */
  readonly includeMemory?: boolean | undefined;
}

/** New limits of a sandbox. What is left out stays as it is. */
export interface ResizeOptions {
  /** Processors; fractions are fine. */
  readonly cpus?: number | undefined;
  /** Memory. */
  readonly memory?: Size | undefined;
  /** Disk. */
  readonly disk?: Size | undefined;
  /** Processes and threads. */
  readonly pids?: number | undefined;
}

/** Where a pattern is looked for. */
export interface GrepOptions {
  /** A file or directory; the working directory by default. */
  readonly path?: string | Uint8Array | undefined;
  /** Take large and small letters for the same. */
  readonly ignoreCase?: boolean | undefined;
  /** Only in files whose names match this pattern. */
  readonly include?: string | undefined;
  /** The most matches; beyond a million, or 64 MiB of lines, it fails by default. */
  readonly maxMatches?: number | undefined;
}

/** How a tree is walked. */
export interface WalkOptions {
  /** How many levels deep; all by default. */
  readonly maxDepth?: number | undefined;
  /** Names that are left out, with everything below. */
  readonly exclude?: readonly string[] | undefined;
}

/** A line that matches. */
export class GrepMatch {
  /** In which file. */
  declare readonly path: string;
  /** The bytes of that, where they are no UTF-8. */
  declare readonly pathBytes?: Buffer | undefined;
  /** Which line, from 1. */
  declare readonly lineNumber: number;
  /** The line, without its end. */
  declare readonly lineBytes: Buffer;
  /** The line, without its end. */
  get line(): string {
    return this.lineBytes.toString('utf8');
  }
}

/** What a walk comes by. */
export interface WalkEntry {
  /** Where it is, relative to where the walk began. */
  readonly path: string;
  /** The bytes of that, where they are no UTF-8. */
  readonly pathBytes?: Buffer | undefined;
  /** Its bytes; none for what is no file. */
  readonly size?: number | undefined;
}

/** How a service is started, and when it is ready. It is ready at once when nothing is said. */
export interface ServiceOptions {
  /** Variables beside those of the sandbox. */
  readonly env?: Readonly<Record<string, string | Uint8Array>> | undefined;
  /** Where to run, relative to the sandbox's working directory, which is also the default. */
  readonly cwd?: string | Uint8Array | undefined;
  /** Its user; that of the sandbox by default. */
  readonly user?: string | undefined;
  /** It is ready when something listens on this port. */
  readonly readyPort?: number | undefined;
  /** It is ready when its output has this in it. */
  readonly readyOutput?: string | Uint8Array | undefined;
  /** It is ready when this script exits with 0. */
  readonly readyCommand?: string | Uint8Array | undefined;
  /** How long that may take; 30 seconds by default. */
  readonly readyTimeoutMs?: number | undefined;
}

/** Whether a service runs. */
export interface ServiceStatus {
  /** Whether it does. */
  readonly running: boolean;
  /** How it ended. */
  readonly exitCode?: number | undefined;
}

/** How a session is opened. */
export interface SessionOptions {
  /** The shell; `bash` where it is there, `sh` otherwise, by default. */
  readonly shell?: string | undefined;
  /** Variables. */
  readonly env?: Readonly<Record<string, string | Uint8Array>> | undefined;
  /** Where it begins. */
  readonly cwd?: string | Uint8Array | undefined;
  /** Its user. */
  readonly user?: string | undefined;
  /** Lines of its terminal; 24 by default. */
  readonly rows?: number | undefined;
  /** Characters of a line of its terminal; 80 by default. */
  readonly cols?: number | undefined;
}

/** What a script of a session wrote and how it ended. */
export class SessionOutput {
  /** What it wrote to the terminal. */
  declare readonly outputBytes: Buffer;
  /** What it wrote to the terminal. */
  get output(): string {
    return this.outputBytes.toString('utf8');
  }
  /** Bytes that are not here, because they were too many. */
  declare readonly omitted: number;
  /** Its exit code; none when it was not known in time. */
  declare readonly exitCode?: number | undefined;
  /** Whether it ran into its timeout. */
  declare readonly timedOut: boolean;
  /** Whether it ended the shell. */
  declare readonly closed: boolean;
}

/** A snapshot of a sandbox's files. */
export interface Snapshot {
  /** Its id. */
  readonly id: string;
  /** Its name. */
  readonly name?: string | undefined;
  /** The provider that has it. */
  readonly provider: string;
  /** The sandbox that it was taken of. */
  readonly sandbox?: string | undefined;
  /** What it is doing. */
  readonly state: SnapshotState;
  /** Its labels. */
  readonly labels: Record<string, string>;
  /** Its bytes. */
  readonly size?: number | undefined;
  /** Why making it failed. */
  readonly error?: Report | undefined;
  /** When it was begun. */
  readonly createdAt: Date;
}

/** How a snapshot becomes an image. */
export interface ExportOptions {
  /** The provider that has it; the first isolating one that works here by default. */
  readonly provider?: string | undefined;
  /** The name of the image, with a tag; none by default. */
  readonly reference?: string | undefined;
  /** Pack its layers with gzip. */
  readonly compress?: boolean | undefined;
}

/** How an image becomes a snapshot. */
export interface ImportOptions {
  /** The provider that takes it; the first isolating one that works here by default. */
  readonly provider?: string | undefined;
  /** A name for the snapshot, unique for the provider. */
  readonly name?: string | undefined;
  /** Its labels. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The name of the image, which an archive with several needs. */
  readonly image?: string | undefined;
}

/** An image that was written. */
export interface ExportedImage {
  /** The digest of its configuration, by which Docker knows it. */
  readonly id: string;
  /** The digest of its manifest. */
  readonly digest: string;
  /** Its name, whole. */
  readonly reference?: string | undefined;
  /** The digests of its layers, uncompressed, the first at the bottom. */
  readonly layers: string[];
  /** Bytes of the archive. */
  readonly size: number;
}

/** What is known about the end of a sandbox that nobody asked for. It is kept after the sandbox is gone. */
export class PostMortem {
  /** The sandbox. */
  declare readonly sandbox: string;
  /** Why it ended. */
  declare readonly cause: DeathCause;
  /** When it ended, or when that was noticed. */
  declare readonly at: Date;
  /** More words of the provider, such as an eviction message. */
  declare readonly reason?: string | undefined;
  /** The exit code of the sandbox's main process. */
  declare readonly exitCode?: number | undefined;
  /** The signal that ended the main process. */
  declare readonly signal?: number | undefined;
  /** The memory limit, in bytes. */
  declare readonly memoryLimit?: number | undefined;
  /** The most memory used, in bytes. */
  declare readonly peakMemory?: number | undefined;
  /** The ids of the commands that ran. */
  declare readonly running: string[];
  /** The last output, at most 8 KiB. */
  declare readonly lastOutputBytes: Buffer;
  /** The last output, at most 8 KiB. */
  get lastOutput(): string {
    return this.lastOutputBytes.toString('utf8');
  }
  /** The last connections that the policy refused, oldest first, at most 32. */
  declare readonly denials: Denial[];
}

/** A directory with a life of its own, which any number of sandboxes share. */
export interface Volume {
  /** Its id. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** The provider that has it. */
  readonly provider: string;
  /** What it is doing. */
  readonly state: VolumeState;
  /** Its labels. */
  readonly labels: Record<string, string>;
  /** Its bytes at most, where it has a limit. */
  readonly size?: number | undefined;
  /** When it was begun. */
  readonly createdAt: Date;
  /** How many sandboxes have it. */
  readonly attached: number;
}

/** What volume to make. */
export interface VolumeOptions {
  /** Its size at most; no limit by default. */
  readonly size?: Size | undefined;
  /** Its labels. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The provider that makes it; the first isolating one that works here by default. */
  readonly provider?: string | undefined;
}

/** A field of the request is wrong. */
export interface InvalidSpecDetail {
  readonly type: 'invalid_spec';
  /** Which, as a dotted path. */
  readonly field: string;
  /** What is wrong with it, and the way out. */
  readonly reason: string;
}

/** A capability is missing. */
export interface UnsupportedDetail {
  readonly type: 'unsupported';
  /** Its dotted name. */
  readonly capability: string;
}

/** The sandbox is in another state. */
export interface InvalidStateDetail {
  readonly type: 'invalid_state';
  /** In which. */
  readonly state: State;
  /** What was tried. */
  readonly action: Action;
}

/** Something took too long. */
export interface TimeoutDetail {
  readonly type: 'timeout';
  /** What. */
  readonly operation: string;
  /** How long it was waited for. */
  readonly elapsedMs: number;
}

/** How far something came whose end is not known. */
export interface IncompleteDetail {
  readonly type: 'incomplete';
  /** Whether output was given up. */
  readonly outputAbandoned: boolean;
  /** Whether the stop was heard. */
  readonly stopAcknowledged: boolean;
  /** Whether nothing runs any more. */
  readonly terminationConfirmed: boolean;
  /** Whether nothing is left. */
  readonly cleanupConfirmed: boolean;
}

/** Something is wrong with a file. */
export interface FileDetail {
  readonly type: 'file';
  /** Which. */
  readonly path: string;
  /** The bytes of that, where they are no UTF-8. */
  readonly pathBytes?: Buffer | undefined;
  /** What. */
  readonly kind: FileErrorKind;
}

/** A sandbox or command could not be started. */
export interface LaunchDetail {
  readonly type: 'launch';
  /** The step that failed, such as `namespaces`, `mounts` or `exec`. */
  readonly step: string;
  /** The number of the system's error. */
  readonly errno?: number | undefined;
  /** What may help. */
  readonly hint?: string | undefined;
}

/** A thing is missing, is there, or belongs to somebody else. */
export interface ResourceDetail {
  readonly type: 'resource';
  /** What it is, such as `sandbox` or `snapshot`. */
  readonly resource: string;
  /** Its id or name. */
  readonly id: string;
}

/** A limit is reached. */
export interface LimitDetail {
  readonly type: 'limit';
  /** Which. */
  readonly limit: string;
  /** What it is. */
  readonly max?: number | undefined;
}

/** How the sandbox died. */
export interface DiedDetail {
  readonly type: 'died';
  /** What is known. */
  readonly postMortem: PostMortem;
}

/** How the command failed. */
export interface ExecDetail {
  readonly type: 'exec';
  /** What is known. */
  readonly failure: ExecFailure;
}

/** How git failed. */
export interface GitDetail {
  readonly type: 'git';
  /** What it was to do. */
  readonly operation: string;
  /** What went wrong, such as `auth_rejected` or `ref_not_found`. */
  readonly kind: string;
}

/** What a provider says in its own words. */
export interface ProviderDetail {
  readonly type: 'provider';
  /** Its code. */
  readonly code?: string | undefined;
  /** All of it, as JSON. */
  readonly json: string;
}

/** The typed facts of an error. */
export type Detail =
  | InvalidSpecDetail
  | UnsupportedDetail
  | InvalidStateDetail
  | TimeoutDetail
  | IncompleteDetail
  | FileDetail
  | LaunchDetail
  | ResourceDetail
  | LimitDetail
  | DiedDetail
  | ExecDetail
  | GitDetail
  | ProviderDetail;

/** An operation was accepted. */
export interface OperationStartedEventKind {
  readonly type: 'operation_started';
  /** What it does. */
  readonly action: Action;
}

/** An operation got further. */
export interface OperationProgressEventKind {
  readonly type: 'operation_progress';
  /** What it does. */
  readonly action: Action;
  /** How far it is. */
  readonly progress: Progress;
}

/** An operation succeeded. */
export interface OperationCompletedEventKind {
  readonly type: 'operation_completed';
  /** What it did. */
  readonly action: Action;
  /** How long it took. */
  readonly durationMs: number;
}

/** An operation failed. */
export interface OperationFailedEventKind {
  readonly type: 'operation_failed';
  /** What it tried. */
  readonly action: Action;
  /** How long it tried. */
  readonly durationMs: number;
  /** Why. */
  readonly error: Report;
}

/** A state was seen. */
export interface StateObservedEventKind {
  readonly type: 'state_observed';
  /** What has it: `sandbox`, `snapshot` or `volume`. */
  readonly resource: string;
  /** The state before, when it was known. */
  readonly previous?: string | undefined;
  /** The state now. */
  readonly current: string;
}

/** A command started. */
export interface ExecStartedEventKind {
  readonly type: 'exec_started';
  /** Its id. */
  readonly process: string;
  /** The caller's name for it. */
  readonly label?: string | undefined;
}

/** A command ended. */
export interface ExecExitedEventKind {
  readonly type: 'exec_exited';
  /** Its id. */
  readonly process: string;
  /** How. */
  readonly exit: Exit;
}

/** A transfer of files ended. */
export interface FilesTransferredEventKind {
  readonly type: 'files_transferred';
  /** Whether into the sandbox. */
  readonly upload: boolean;
  /** Files. */
  readonly files: number;
  /** Bytes. */
  readonly bytes: number;
}

/** The policy refused a connection or a name. */
export interface NetworkDeniedEventKind {
  readonly type: 'network_denied';
  /** What was refused. */
  readonly denial: Denial;
}

/** A limit was reached. */
export interface LimitReachedEventKind {
  readonly type: 'limit_reached';
  /** Which. */
  readonly limit: LimitKind;
  /** Its value. */
  readonly max?: number | undefined;
  /** The command that reached it. */
  readonly process?: string | undefined;
}

/** The time to live of a sandbox is about to end. */
export interface ExpirySoonEventKind {
  readonly type: 'expiry_soon';
  /** When it ends. */
  readonly expiresAt: Date;
}

/** A sandbox died unasked. */
export interface DiedEventKind {
  readonly type: 'died';
  /** How. */
  readonly postMortem: PostMortem;
}

/** Something worth knowing. */
export interface NoticeEventKind {
  readonly type: 'notice';
  /** A stable word for it. */
  readonly code: string;
  /** A sentence. */
  readonly message: string;
}

/** Events up to the next one are not kept any more, and are missing here. */
export interface GoneEventKind {
  readonly type: 'gone';
  /** The number of the oldest that is kept. */
  readonly oldest: number;
}

/** Something of a newer version. */
export interface UnknownEventKind {
  readonly type: 'unknown';
  /** Its word, where it is known. */
  readonly word: string;
}

/** What happened. */
export type EventKind =
  | OperationStartedEventKind
  | OperationProgressEventKind
  | OperationCompletedEventKind
  | OperationFailedEventKind
  | StateObservedEventKind
  | ExecStartedEventKind
  | ExecExitedEventKind
  | FilesTransferredEventKind
  | NetworkDeniedEventKind
  | LimitReachedEventKind
  | ExpirySoonEventKind
  | DiedEventKind
  | NoticeEventKind
  | GoneEventKind
  | UnknownEventKind;

/** Bytes of stdout or the terminal. */
export interface StdoutEvent {
  readonly type: 'stdout';
  /** At least one. */
  readonly data: Buffer;
}

/** Bytes of stderr. */
export interface StderrEvent {
  readonly type: 'stderr';
  /** At least one. */
  readonly data: Buffer;
}

/** Bytes that are not kept any more, or that a transport lost. */
export interface GapEvent {
  readonly type: 'gap';
  /** How many. */
  readonly bytes: number;
  /** Whether they were of stderr. */
  readonly ofStderr: boolean;
}

/** The command has ended and all its output has come. */
export interface ExitedEvent {
  readonly type: 'exited';
  /** How. */
  readonly exit: Exit;
}

/** What comes out of a command while it runs. */
export type OutputEvent =
  | StdoutEvent
  | StderrEvent
  | GapEvent
  | ExitedEvent;

/** What the rules say, and nothing else. */
export interface AllowNetwork {
  readonly type: 'allow';
  /**
   * Host names, `*.` and a name for all below it, addresses and networks, each with a port where only that is meant,
   * such as `example.org`, `*.example.com:443`, `10.0.0.0/8` or `[2001:db8::/32]:443`.
   */
  readonly allow?: readonly string[] | undefined;
  /** What is not, although a rule allows it. */
  readonly deny?: readonly string[] | undefined;
  /** The addresses of name servers to ask; the machine's by default. */
  readonly dns?: readonly string[] | undefined;
}

/** What a sandbox may reach. */
export type NetworkPolicy =
  | 'none'
  | 'public'
  | AllowNetwork
  | 'provider_default';

/** A directory or file of this machine. Files that the sandbox makes in it belong to the caller. */
export interface BindMount {
  readonly type: 'bind';
  /** Which. */
  readonly source: string | Uint8Array;
  /** Where in the sandbox, absolute. */
  readonly target: string | Uint8Array;
  /** Whether nothing can be written. */
  readonly readOnly?: boolean | undefined;
}

/** A filesystem in memory. */
export interface TmpfsMount {
  readonly type: 'tmpfs';
  /** Where in the sandbox, absolute. */
  readonly target: string | Uint8Array;
  /** Its size at most; the provider's default when left out. */
  readonly size?: Size | undefined;
  /** Its permission bits; 0o1777 when left out. */
  readonly mode?: number | undefined;
}

/** Something that is mounted in a sandbox. */
export type Mount =
  | BindMount
  | TmpfsMount;

/**
 * The sandbox sees a placeholder; outside of it the value replaces it in requests to these hosts, and to no other.
 */
export interface HostsDelivery {
  readonly type: 'hosts';
  /** Host names, exact or with a leading `*.`; at least one. */
  readonly hosts?: readonly string[] | undefined;
}

/** The sandbox sees a file that only its user can read. */
export interface FileDelivery {
  readonly type: 'file';
  /** Where, absolute. */
  readonly path: string | Uint8Array;
}

/** How a secret gets to whom it is for. */
export type SecretDelivery =
  | HostsDelivery
  | 'exposed'
  | FileDelivery;

/** @internal */
export function reviveExecFailure(value: ExecFailure): ExecFailure {
  Object.setPrototypeOf(value, ExecFailure.prototype);
  return value;
}

/** @internal */
export function reviveEvent(value: Event): Event {
  reviveEventKind(value.kind);
  return value;
}

/** @internal */
export function reviveExecResult(value: ExecResult): ExecResult {
  Object.setPrototypeOf(value, ExecResult.prototype);
  return value;
}

/** @internal */
export function reviveProcessInfo(value: ProcessInfo): ProcessInfo {
  Object.setPrototypeOf(value, ProcessInfo.prototype);
  return value;
}

/** @internal */
export function reviveStatus(value: Status): Status {
  if (value.postMortem !== undefined) revivePostMortem(value.postMortem);
  return value;
}

/** @internal */
export function reviveGrepMatch(value: GrepMatch): GrepMatch {
  Object.setPrototypeOf(value, GrepMatch.prototype);
  return value;
}

/** @internal */
export function reviveSessionOutput(value: SessionOutput): SessionOutput {
  Object.setPrototypeOf(value, SessionOutput.prototype);
  return value;
}

/** @internal */
export function revivePostMortem(value: PostMortem): PostMortem {
  Object.setPrototypeOf(value, PostMortem.prototype);
  return value;
}

/** @internal */
export function reviveDetail(value: Detail): Detail {
  switch (value.type) {
    case 'died':
  revivePostMortem(value.postMortem);
      break;
    case 'exec':
  reviveExecFailure(value.failure);
      break;
  }
  return value;
}

/** @internal */
export function reviveEventKind(value: EventKind): EventKind {
  switch (value.type) {
    case 'died':
  revivePostMortem(value.postMortem);
      break;
  }
  return value;
}
