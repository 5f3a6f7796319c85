// Written by `cargo xtask gen` from bindings/src/api.rs. Do not edit.

import { reviveEvent, reviveExecResult, reviveProcessInfo, reviveStatus, reviveGrepMatch, reviveSessionOutput, revivePostMortem } from './records';
import type {
  AttachOptions,
  CloneOptions,
  CommitOptions,
  CreateOptions,
  DownloadOptions,
  Endpoint,
  Entry,
  Event,
  EventOptions,
  ExecOptions,
  ExecResult,
  ExportOptions,
  ExportedImage,
  FileChange,
  ForkOptions,
  Garbage,
  GitBranch,
  GitChange,
  GitCommit,
  GitStatus,
  GrepMatch,
  GrepOptions,
  ImageInfo,
  ImportOptions,
  KindUsage,
  Limits,
  LimitsOptions,
  ListDirectoryOptions,
  ListOptions,
  ListeningPort,
  Metadata,
  Metrics,
  OpenOptions,
  OutputEvent,
  PoolOptions,
  PoolStatus,
  PostMortem,
  ProcessInfo,
  ProviderInfo,
  PrunedImages,
  PullOptions,
  Queue,
  ReadOptions,
  RemoteOptions,
  ResizeOptions,
  SandboxImage,
  SandboxInfo,
  ServiceOptions,
  ServiceStatus,
  SessionOptions,
  SessionOutput,
  SignalTarget,
  Snapshot,
  SnapshotOptions,
  SpawnOptions,
  Status,
  TakeOptions,
  TransferReport,
  UploadOptions,
  Volume,
  VolumeOptions,
  WalkEntry,
  WalkOptions,
  WatchOptions,
  WriteOptions,
} from './records';
import { begin, each, get, maybe, none, same, Stream, type CallOptions, type Native } from './runtime';
import type { Command, Size } from './types';

/** The files of one sandbox. Relative paths begin at its working directory. */
export class Files {
  /** @internal */
  readonly native: Native;

  /** @internal */
  constructor(native: Native) {
    this.native = native;
  }

  /** The bytes of a file, or of a part of it. */
  async read(path: string | Uint8Array, options: ReadOptions & CallOptions = {}): Promise<Buffer> {
    const { signal, ...rest } = options;
    return (await begin('Files.read', this.native, [path, rest], signal)) as Buffer;
  }

  /** The text of a file, which must be UTF-8. */
  async readText(path: string | Uint8Array, options: CallOptions = {}): Promise<string> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Files.readText', this.native, [path], signal)) as string;
  }

  /** The bytes of a file of any length as they come. */
  async readStream(path: string | Uint8Array, options: ReadOptions & CallOptions = {}): Promise<Stream<Buffer>> {
    const { signal, ...rest } = options;
    return new Stream((await begin('Files.readStream', this.native, [path, rest], signal)) as Native, same);
  }

  /** Writes a whole file, given as text or bytes. */
  async write(path: string | Uint8Array, data: string | Uint8Array, options: WriteOptions & CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    await begin('Files.write', this.native, [path, data, rest], signal);
  }

  /** Adds text or bytes to the end of a file, which is made if there is none. */
  async append(path: string | Uint8Array, data: string | Uint8Array, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Files.append', this.native, [path, data], signal);
  }

  /** Writes a file from parts that are given one by one, so that it can be of any length. */
  async writeStream(path: string | Uint8Array, options: WriteOptions & CallOptions = {}): Promise<FileWriter> {
    const { signal, ...rest } = options;
    return new FileWriter((await begin('Files.writeStream', this.native, [path, rest], signal)) as Native);
  }

  /** What a path names, after following links. */
  async stat(path: string | Uint8Array, options: CallOptions = {}): Promise<Metadata> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Files.stat', this.native, [path], signal)) as Metadata;
  }

  /** What a path names; a link itself. */
  async statLink(path: string | Uint8Array, options: CallOptions = {}): Promise<Metadata> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Files.statLink', this.native, [path], signal)) as Metadata;
  }

  /** Whether a path names something, after following links. */
  async exists(path: string | Uint8Array, options: CallOptions = {}): Promise<boolean> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Files.exists', this.native, [path], signal)) as boolean;
  }

  /** What is in a directory, sorted by the bytes of the paths. Links are listed and not followed. */
  async list(path: string | Uint8Array, options: ListDirectoryOptions & CallOptions = {}): Promise<Entry[]> {
    const { signal, ...rest } = options;
    return (await begin('Files.list', this.native, [path, rest], signal)) as Entry[];
  }

  /** Makes a directory, and those on the way. One that exists is fine. */
  async mkdir(path: string | Uint8Array, options: WriteOptions & CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    await begin('Files.mkdir', this.native, [path, rest], signal);
  }

  /** Renames, replacing a file at the target. */
  async rename(source: string | Uint8Array, target: string | Uint8Array, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Files.rename', this.native, [source, target], signal);
  }

  /** Copies a file, or a directory with everything in it, keeping modes, times and links. */
  async copy(source: string | Uint8Array, target: string | Uint8Array, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Files.copy', this.native, [source, target], signal);
  }

  /** Makes a symbolic link whose text is the target. */
  async symlink(target: string | Uint8Array, path: string | Uint8Array, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Files.symlink', this.native, [target, path], signal);
  }

  /** The text of a symbolic link. */
  async readLink(path: string | Uint8Array, options: CallOptions = {}): Promise<string> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Files.readLink', this.native, [path], signal)) as string;
  }

  /** Sets the permission bits, such as 0o755. */
  async chmod(path: string | Uint8Array, mode: number, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Files.chmod', this.native, [path, mode], signal);
  }

  /** Sets the owner: a name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox. */
  async chown(path: string | Uint8Array, owner: string, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Files.chown', this.native, [path, owner], signal);
  }

  /** Removes a file, a link or an empty directory. What is not there is fine. */
  async remove(path: string | Uint8Array, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Files.remove', this.native, [path], signal);
  }

  /** Removes a file, or a directory with everything in it, never through a link. What is not there is fine. */
  async removeAll(path: string | Uint8Array, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Files.removeAll', this.native, [path], signal);
  }

  /** Changes as they happen. */
  async watch(path: string | Uint8Array, options: WatchOptions & CallOptions = {}): Promise<Stream<FileChange>> {
    const { signal, ...rest } = options;
    return new Stream((await begin('Files.watch', this.native, [path, rest], signal)) as Native, same);
  }

  /** Copies a file, or a directory with everything in it, from this machine. */
  async upload(local: string | Uint8Array, remote: string | Uint8Array, options: UploadOptions & CallOptions = {}): Promise<TransferReport> {
    const { signal, ...rest } = options;
    return (await begin('Files.upload', this.native, [local, remote, rest], signal)) as TransferReport;
  }

  /**
   * Copies a file, or a directory with everything in it, to this machine. Nothing is ever written outside of the
   * target.
   */
  async download(remote: string | Uint8Array, local: string | Uint8Array, options: DownloadOptions & CallOptions = {}): Promise<TransferReport> {
    const { signal, ...rest } = options;
    return (await begin('Files.download', this.native, [remote, local, rest], signal)) as TransferReport;
  }
}

/** A file that is being written. Without a close what was written may be there in part. */
export class FileWriter {
  /** @internal */
  readonly native: Native;

  /** @internal */
  constructor(native: Native) {
    this.native = native;
  }

  /** Writes the next part, and returns when it is accepted. */
  async write(data: string | Uint8Array, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('FileWriter.write', this.native, [data], signal);
  }

  /** Ends the file and returns its bytes, once all of it is there. Again gives the same. */
  async close(options: CallOptions = {}): Promise<number> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('FileWriter.close', this.native, [], signal)) as number;
  }

  /** The end of an `await using`: the same as `close`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Git in one sandbox. It runs the git of the sandbox. */
export class Git {
  /** @internal */
  readonly native: Native;

  /** @internal */
  constructor(native: Native) {
    this.native = native;
  }

  /** Clones a repository into a directory that is empty or not there. */
  async cloneRepository(url: string, target: string | Uint8Array, options: CloneOptions & CallOptions = {}): Promise<Repository> {
    const { signal, ...rest } = options;
    return new Repository((await begin('Git.cloneRepository', this.native, [url, target, rest], signal)) as Native);
  }

  /** Makes a repository. */
  async init(path: string | Uint8Array, options: CallOptions = {}): Promise<Repository> {
    const { signal, ...rest } = options;
    none(rest);
    return new Repository((await begin('Git.init', this.native, [path], signal)) as Native);
  }

  /** A repository that is there. */
  async open(path: string | Uint8Array, options: CallOptions = {}): Promise<Repository> {
    const { signal, ...rest } = options;
    none(rest);
    return new Repository((await begin('Git.open', this.native, [path], signal)) as Native);
  }
}

/** A repository in a sandbox. */
export class Repository {
  /** @internal */
  readonly native: Native;

  /** @internal */
  constructor(native: Native) {
    this.native = native;
  }

  /** Where it is. */
  get path(): string {
    return get('Repository.path', this.native) as string;
  }

  /** What it is like. */
  async status(options: CallOptions = {}): Promise<GitStatus> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Repository.status', this.native, [], signal)) as GitStatus;
  }

  /** Prepares paths for the next commit. */
  async add(paths: readonly (string | Uint8Array)[], options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Repository.add', this.native, [paths], signal);
  }

  /** Prepares everything for the next commit. */
  async addAll(options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Repository.addAll', this.native, [], signal);
  }

  /** Makes a commit of what is prepared, and returns its id. */
  async commit(message: string, options: CommitOptions & CallOptions = {}): Promise<string> {
    const { signal, ...rest } = options;
    return (await begin('Repository.commit', this.native, [message, rest], signal)) as string;
  }

  /** Fetches what a remote has. */
  async fetch(options: RemoteOptions & CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    await begin('Repository.fetch', this.native, [rest], signal);
  }

  /** Fetches and merges what a remote has. */
  async pull(options: RemoteOptions & CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    await begin('Repository.pull', this.native, [rest], signal);
  }

  /** Gives a remote what it does not have. */
  async push(options: RemoteOptions & CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    await begin('Repository.push', this.native, [rest], signal);
  }

  /** Its branches, with those of remotes. */
  async branches(options: CallOptions = {}): Promise<GitBranch[]> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Repository.branches', this.native, [], signal)) as GitBranch[];
  }

  /** Checks a revision out. */
  async checkout(revision: string, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Repository.checkout', this.native, [revision], signal);
  }

  /** Makes a branch and checks it out. */
  async createBranch(name: string, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Repository.createBranch', this.native, [name], signal);
  }

  /** The id of a revision. */
  async revParse(revision: string, options: CallOptions = {}): Promise<string> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Repository.revParse', this.native, [revision], signal)) as string;
  }

  /** The commits up to a revision, the newest first. */
  async log(revision: string, most: number, options: CallOptions = {}): Promise<GitCommit[]> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Repository.log', this.native, [revision, most], signal)) as GitCommit[];
  }

  /** The difference between two revisions, or between one and what is there, as a patch. */
  async diff(revision: string, options: { to?: string | undefined } & CallOptions = {}): Promise<Buffer> {
    const { signal, to, ...rest } = options;
    none(rest);
    return (await begin('Repository.diff', this.native, [revision, to], signal)) as Buffer;
  }

  /** The same, path by path. */
  async changes(revision: string, options: { to?: string | undefined } & CallOptions = {}): Promise<GitChange[]> {
    const { signal, to, ...rest } = options;
    none(rest);
    return (await begin('Repository.changes', this.native, [revision, to], signal)) as GitChange[];
  }

  /** The files that git does not know. */
  async untrackedFiles(options: CallOptions = {}): Promise<string[]> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Repository.untrackedFiles', this.native, [], signal)) as string[];
  }

  /** Lets the repository keep a credential for its remotes, until it is cleared. */
  async setCredentials(username: string, password: string, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Repository.setCredentials', this.native, [username, password], signal);
  }

  /** Lets it forget that. */
  async clearCredentials(options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Repository.clearCredentials', this.native, [], signal);
  }

  /** Sets a value of its configuration. */
  async setConfig(key: string, value: string, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Repository.setConfig', this.native, [key, value], signal);
  }
}

/** The images of one provider. */
export class Images {
  /** @internal */
  readonly native: Native;

  /** @internal */
  constructor(native: Native) {
    this.native = native;
  }

  /** Fetches an image. */
  async pull(reference: string, options: PullOptions & CallOptions = {}): Promise<ImageInfo> {
    const { signal, ...rest } = options;
    return (await begin('Images.pull', this.native, [reference, rest], signal)) as ImageInfo;
  }

  /** Takes the images of an archive or layout folder of this machine. */
  async load(archive: string | Uint8Array, options: CallOptions = {}): Promise<ImageInfo[]> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Images.load', this.native, [archive], signal)) as ImageInfo[];
  }

  /** All of them. */
  async all(options: CallOptions = {}): Promise<ImageInfo[]> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Images.all', this.native, [], signal)) as ImageInfo[];
  }

  /** Removes one, by its name. One that a sandbox uses is refused. */
  async remove(name: string, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Images.remove', this.native, [name], signal);
  }

  /** Removes what no sandbox uses, the longest unused first, until the rest takes no more than the budget. */
  async prune(budget: Size, options: CallOptions = {}): Promise<PrunedImages> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Images.prune', this.native, [budget], signal)) as PrunedImages;
  }
}

/** An open library: one directory of books and files, which any number of processes share, and the providers. */
export class Isobox {
  /** @internal */
  readonly native: Native;

  /** @internal */
  constructor(native: Native) {
    this.native = native;
  }

  /** Opens it. Sandboxes that a process left when it was killed are removed then. */
  static async open(options: OpenOptions & CallOptions = {}): Promise<Isobox> {
    const { signal, ...rest } = options;
    return new Isobox((await begin('Isobox.open', undefined, [rest], signal)) as Native);
  }

  /** The one that is used where none is named. */
  static async shared(options: CallOptions = {}): Promise<Isobox> {
    const { signal, ...rest } = options;
    none(rest);
    return new Isobox((await begin('Isobox.shared', undefined, [], signal)) as Native);
  }

  /** The directory of its books and files. */
  get home(): string {
    return get('Isobox.home', this.native) as string;
  }

  /** Makes a sandbox. */
  async create(options: CreateOptions & CallOptions = {}): Promise<Sandbox> {
    const { signal, ...rest } = options;
    return new Sandbox((await begin('Isobox.create', this.native, [rest], signal)) as Native);
  }

  /** The sandbox with the name that is given, or a new one. Any number of callers at once get the same one. */
  async getOrCreate(options: CreateOptions & CallOptions = {}): Promise<Sandbox> {
    const { signal, ...rest } = options;
    return new Sandbox((await begin('Isobox.getOrCreate', this.native, [rest], signal)) as Native);
  }

  /** A sandbox that is there, by its name or id, whatever process made it. It does not end with this handle. */
  async connect(idOrName: string, options: CallOptions = {}): Promise<Sandbox> {
    const { signal, ...rest } = options;
    none(rest);
    return new Sandbox((await begin('Isobox.connect', this.native, [idOrName], signal)) as Native);
  }

  /** The sandboxes there are, the oldest first. */
  async list(options: ListOptions & CallOptions = {}): Promise<SandboxInfo[]> {
    const { signal, ...rest } = options;
    return (await begin('Isobox.list', this.native, [rest], signal)) as SandboxInfo[];
  }

  /** What is written down about a sandbox, by its name or id, also when it is gone. */
  async inspect(idOrName: string, options: CallOptions = {}): Promise<SandboxInfo> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Isobox.inspect', this.native, [idOrName], signal)) as SandboxInfo;
  }

  /** How a sandbox died unasked, by its name or id; none for one that lives, or that somebody deleted. */
  async postMortem(idOrName: string, options: CallOptions = {}): Promise<PostMortem | undefined> {
    const { signal, ...rest } = options;
    none(rest);
    return maybe(revivePostMortem)((await begin('Isobox.postMortem', this.native, [idOrName], signal)) as PostMortem | undefined);
  }

  /** What happens, in this process and in others. */
  async events(options: EventOptions & CallOptions = {}): Promise<Stream<Event>> {
    const { signal, ...rest } = options;
    return new Stream((await begin('Isobox.events', this.native, [rest], signal)) as Native, reviveEvent);
  }

  /** The providers that are built in, and whether they work here. */
  async providers(options: CallOptions = {}): Promise<ProviderInfo[]> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Isobox.providers', this.native, [], signal)) as ProviderInfo[];
  }

  /** Removes what nobody needs: what killed processes left. With `dry_run` it is only told. */
  async collectGarbage(options: { dryRun?: boolean | undefined } & CallOptions = {}): Promise<Garbage[]> {
    const { signal, dryRun, ...rest } = options;
    none(rest);
    return (await begin('Isobox.collectGarbage', this.native, [dryRun], signal)) as Garbage[];
  }

  /** The snapshots that a provider has. */
  async snapshots(options: { provider?: string | undefined } & CallOptions = {}): Promise<Snapshot[]> {
    const { signal, provider, ...rest } = options;
    none(rest);
    return (await begin('Isobox.snapshots', this.native, [provider], signal)) as Snapshot[];
  }

  /** A snapshot, by its name or id. */
  async snapshot(idOrName: string, options: { provider?: string | undefined } & CallOptions = {}): Promise<Snapshot> {
    const { signal, provider, ...rest } = options;
    none(rest);
    return (await begin('Isobox.snapshot', this.native, [idOrName, provider], signal)) as Snapshot;
  }

  /** Removes a snapshot, by its name or id. What is not there is fine. */
  async deleteSnapshot(idOrName: string, options: { provider?: string | undefined } & CallOptions = {}): Promise<void> {
    const { signal, provider, ...rest } = options;
    none(rest);
    await begin('Isobox.deleteSnapshot', this.native, [idOrName, provider], signal);
  }

  /** Makes a volume. */
  async createVolume(name: string, options: VolumeOptions & CallOptions = {}): Promise<Volume> {
    const { signal, ...rest } = options;
    return (await begin('Isobox.createVolume', this.native, [name, rest], signal)) as Volume;
  }

  /** The volumes that a provider has. */
  async volumes(options: { provider?: string | undefined } & CallOptions = {}): Promise<Volume[]> {
    const { signal, provider, ...rest } = options;
    none(rest);
    return (await begin('Isobox.volumes', this.native, [provider], signal)) as Volume[];
  }

  /** A volume, by its name or id. */
  async volume(idOrName: string, options: { provider?: string | undefined } & CallOptions = {}): Promise<Volume> {
    const { signal, provider, ...rest } = options;
    none(rest);
    return (await begin('Isobox.volume', this.native, [idOrName, provider], signal)) as Volume;
  }

  /** Removes a volume with its contents, by its name or id. One that a sandbox uses is refused. */
  async deleteVolume(idOrName: string, options: { provider?: string | undefined } & CallOptions = {}): Promise<void> {
    const { signal, provider, ...rest } = options;
    none(rest);
    await begin('Isobox.deleteVolume', this.native, [idOrName, provider], signal);
  }

  /** Writes a snapshot into a file of this machine, as an image that `docker load` and others take. */
  async exportSnapshot(idOrName: string, to: string | Uint8Array, options: ExportOptions & CallOptions = {}): Promise<ExportedImage> {
    const { signal, ...rest } = options;
    return (await begin('Isobox.exportSnapshot', this.native, [idOrName, to, rest], signal)) as ExportedImage;
  }

  /** Makes a snapshot from an image in an archive or layout folder of this machine. */
  async importSnapshot(archive: string | Uint8Array, options: ImportOptions & CallOptions = {}): Promise<Snapshot> {
    const { signal, ...rest } = options;
    return (await begin('Isobox.importSnapshot', this.native, [archive, rest], signal)) as Snapshot;
  }

  /** The images that a provider has. */
  async images(options: { provider?: string | undefined } & CallOptions = {}): Promise<Images> {
    const { signal, provider, ...rest } = options;
    none(rest);
    return new Images((await begin('Isobox.images', this.native, [provider], signal)) as Native);
  }

  /** Keeps so many sandboxes ready. */
  async pool(size: number, options: PoolOptions & CallOptions = {}): Promise<Pool> {
    const { signal, ...rest } = options;
    return new Pool((await begin('Isobox.pool', this.native, [size, rest], signal)) as Native);
  }

  /** A sandbox from a pool of another process, by the name that it is shared as. */
  async takeFrom(pool: string, options: TakeOptions & CallOptions = {}): Promise<Sandbox> {
    const { signal, ...rest } = options;
    return new Sandbox((await begin('Isobox.takeFrom', this.native, [pool, rest], signal)) as Native);
  }

  /** What may be at once on this machine. */
  async limits(options: CallOptions = {}): Promise<Limits> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Isobox.limits', this.native, [], signal)) as Limits;
  }

  /** Changes what may be at once on this machine. */
  async setLimits(options: LimitsOptions & CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    await begin('Isobox.setLimits', this.native, [rest], signal);
  }

  /** What is made now on this machine, and who waits. */
  async queue(options: CallOptions = {}): Promise<Queue> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Isobox.queue', this.native, [], signal)) as Queue;
  }

  /** What takes disk. */
  async diskUsage(options: CallOptions = {}): Promise<KindUsage[]> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Isobox.diskUsage', this.native, [], signal)) as KindUsage[];
  }

  /** Writes down what is not written down yet. Sandboxes live on with their handles. */
  async close(options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Isobox.close', this.native, [], signal);
  }

  /** The end of an `await using`: the same as `close`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Sandboxes that are ready before they are asked for. None is handed out twice. */
export class Pool {
  /** @internal */
  readonly native: Native;

  /** @internal */
  constructor(native: Native) {
    this.native = native;
  }

  /** A sandbox that is ready, or a new one. */
  async take(options: TakeOptions & CallOptions = {}): Promise<Sandbox> {
    const { signal, ...rest } = options;
    return new Sandbox((await begin('Pool.take', this.native, [rest], signal)) as Native);
  }

  /** Waits until so many are ready. */
  async ready(count: number, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Pool.ready', this.native, [count], signal);
  }

  /** How it is doing. */
  async status(options: CallOptions = {}): Promise<PoolStatus> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Pool.status', this.native, [], signal)) as PoolStatus;
  }

  /** Ends it with what it keeps ready. What was taken from it stays. Again is fine. */
  async close(options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Pool.close', this.native, [], signal);
  }

  /** The end of an `await using`: the same as `close`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/**
 * A command that was started. One that was spawned ends with its handle, unless it is detached; one that was found
 * goes on.
 */
export class Process {
  /** @internal */
  readonly native: Native;

  /** @internal */
  constructor(native: Native) {
    this.native = native;
  }

  /** Its id in the sandbox. */
  get id(): string {
    return get('Process.id', this.native) as string;
  }

  /** Its process id as seen in the sandbox, when it is known. */
  get pid(): number | undefined {
    return get('Process.pid', this.native) as number | undefined;
  }

  /**
   * What comes out of it, last its end. Every byte comes; who does not ask slows down the command and nothing else.
   * Several readers share what comes. Closing the stream leaves the command alone.
   */
  events(): Stream<OutputEvent> {
    return new Stream(get('Process.events', this.native) as Native, same);
  }

  /**
   * Writes to its input and returns when the bytes are accepted. The command must have been started with an open
   * input.
   */
  async write(data: string | Uint8Array, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Process.write', this.native, [data], signal);
  }

  /** Ends its input. Again is fine. */
  async closeStdin(options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Process.closeStdin', this.native, [], signal);
  }

  /**
   * Sends a signal once, by its name such as `INT` or `SIGINT`, or its number. TERM does not escalate. A command that
   * has ended is fine.
   */
  async signal(name: string, options: { target?: SignalTarget | undefined } & CallOptions = {}): Promise<void> {
    const { signal, target, ...rest } = options;
    none(rest);
    await begin('Process.signal', this.native, [name, target], signal);
  }

  /** Ends its whole process tree: TERM, the grace, KILL. Without a grace that of its start counts. */
  async stop(options: { graceMs?: number | undefined } & CallOptions = {}): Promise<void> {
    const { signal, graceMs, ...rest } = options;
    none(rest);
    await begin('Process.stop', this.native, [graceMs], signal);
  }

  /** Kills its whole process tree. */
  async kill(options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Process.kill', this.native, [], signal);
  }

  /** Changes the size of its terminal. */
  async resize(rows: number, cols: number, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Process.resize', this.native, [rows, cols], signal);
  }

  /** Its end, with what was kept of its output, whether that was read or not. Again gives the same. */
  async wait(options: CallOptions = {}): Promise<ExecResult> {
    const { signal, ...rest } = options;
    none(rest);
    return reviveExecResult((await begin('Process.wait', this.native, [], signal)) as ExecResult);
  }

  /** Lets it go on without this handle, until the sandbox ends. */
  async detach(options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Process.detach', this.native, [], signal);
  }

  /** The end of an `await using`: the same as `kill`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

/**
 * One place to run commands in. It ends with the last handle of it, and with this process, unless it was detached.
 */
export class Sandbox {
  /** @internal */
  readonly native: Native;

  /** @internal */
  constructor(native: Native) {
    this.native = native;
  }

  /** Makes a sandbox, in the library that is used where none is named. */
  static async create(options: CreateOptions & CallOptions = {}): Promise<Sandbox> {
    const { signal, ...rest } = options;
    return new Sandbox((await begin('Sandbox.create', undefined, [rest], signal)) as Native);
  }

  /** The sandbox with the name that is given, or a new one. Any number of callers at once get the same one. */
  static async getOrCreate(options: CreateOptions & CallOptions = {}): Promise<Sandbox> {
    const { signal, ...rest } = options;
    return new Sandbox((await begin('Sandbox.getOrCreate', undefined, [rest], signal)) as Native);
  }

  /** A sandbox that is there, by its name or id, whatever process made it. It does not end with this handle. */
  static async connect(idOrName: string, options: CallOptions = {}): Promise<Sandbox> {
    const { signal, ...rest } = options;
    none(rest);
    return new Sandbox((await begin('Sandbox.connect', undefined, [idOrName], signal)) as Native);
  }

  /** The sandboxes there are, the oldest first. */
  static async list(options: ListOptions & CallOptions = {}): Promise<SandboxInfo[]> {
    const { signal, ...rest } = options;
    return (await begin('Sandbox.list', undefined, [rest], signal)) as SandboxInfo[];
  }

  /** Its id, unique for ever. */
  get id(): string {
    return get('Sandbox.id', this.native) as string;
  }

  /** The provider that made it. */
  get provider(): string {
    return get('Sandbox.provider', this.native) as string;
  }

  /** Its working directory, absolute. */
  get workdir(): string {
    return get('Sandbox.workdir', this.native) as string;
  }

  /** What it can do, by dotted names. */
  get capabilities(): string[] {
    return get('Sandbox.capabilities', this.native) as string[];
  }

  /** The image that it was made from. */
  get image(): SandboxImage | undefined {
    return get('Sandbox.image', this.native) as SandboxImage | undefined;
  }

  /** The directory of the books that it is written down in, by which another process finds it. */
  get home(): string {
    return get('Sandbox.home', this.native) as string;
  }

  /** Its files. */
  get files(): Files {
    return new Files(get('Sandbox.files', this.native) as Native);
  }

  /** Git in it. */
  get git(): Git {
    return new Git(get('Sandbox.git', this.native) as Native);
  }

  /** Searching its files. */
  get search(): Search {
    return new Search(get('Sandbox.search', this.native) as Native);
  }

  /** What runs in its background, by name. */
  get services(): Services {
    return new Services(get('Sandbox.services', this.native) as Native);
  }

  /**
   * Runs a command to its end. A command that fails, is killed or runs into its timeout is a result, not an error,
   * unless `check` says otherwise. Cancelling the call ends the whole process tree.
   */
  async exec(command: Command, options: ExecOptions & CallOptions = {}): Promise<ExecResult> {
    const { signal, ...rest } = options;
    return reviveExecResult((await begin('Sandbox.exec', this.native, [command, rest], signal)) as ExecResult);
  }

  /** Starts a command and returns as soon as it runs. It ends with its handle, unless it is detached. */
  async spawn(command: Command, options: SpawnOptions & CallOptions = {}): Promise<Process> {
    const { signal, ...rest } = options;
    return new Process((await begin('Sandbox.spawn', this.native, [command, rest], signal)) as Native);
  }

  /** Every command that runs, and those that ended recently. */
  async processes(options: CallOptions = {}): Promise<ProcessInfo[]> {
    const { signal, ...rest } = options;
    none(rest);
    return each(reviveProcessInfo)((await begin('Sandbox.processes', this.native, [], signal)) as ProcessInfo[]);
  }

  /** A command that was started elsewhere, by its id. It does not end with this handle. */
  async process(id: string, options: AttachOptions & CallOptions = {}): Promise<Process> {
    const { signal, ...rest } = options;
    return new Process((await begin('Sandbox.process', this.native, [id, rest], signal)) as Native);
  }

  /** Opens a shell that keeps its state between commands. */
  async session(options: SessionOptions & CallOptions = {}): Promise<Session> {
    const { signal, ...rest } = options;
    return new Session((await begin('Sandbox.session', this.native, [rest], signal)) as Native);
  }

  /** What it is doing, as its backend says. */
  async status(options: CallOptions = {}): Promise<Status> {
    const { signal, ...rest } = options;
    none(rest);
    return reviveStatus((await begin('Sandbox.status', this.native, [], signal)) as Status);
  }

  /** What it uses now. */
  async metrics(options: CallOptions = {}): Promise<Metrics> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Sandbox.metrics', this.native, [], signal)) as Metrics;
  }

  /** Waits for its end: how it died, or none when it was stopped or deleted. */
  async ended(options: CallOptions = {}): Promise<PostMortem | undefined> {
    const { signal, ...rest } = options;
    none(rest);
    return maybe(revivePostMortem)((await begin('Sandbox.ended', this.native, [], signal)) as PostMortem | undefined);
  }

  /** Starts it, when it is stopped. One that runs is fine. */
  async start(options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Sandbox.start', this.native, [], signal);
  }

  /** Ends everything that runs in it, and keeps its files. One that is stopped is fine. */
  async stop(options: { graceMs?: number | undefined } & CallOptions = {}): Promise<void> {
    const { signal, graceMs, ...rest } = options;
    none(rest);
    await begin('Sandbox.stop', this.native, [graceMs], signal);
  }

  /** Freezes it. One that is frozen is fine. */
  async pause(options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Sandbox.pause', this.native, [], signal);
  }

  /** Thaws it. One that runs is fine. */
  async resume(options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Sandbox.resume', this.native, [], signal);
  }

  /** Changes its limits. */
  async resize(options: ResizeOptions & CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    await begin('Sandbox.resize', this.native, [rest], signal);
  }

  /** Removes it with everything in it. One that is gone is fine. */
  async delete(options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Sandbox.delete', this.native, [], signal);
  }

  /** Lets it live on without this process. Without a time to live it gets one of a day. */
  async detach(options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Sandbox.detach', this.native, [], signal);
  }

  /** Makes it this process's: it ends with it. */
  async adopt(options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Sandbox.adopt', this.native, [], signal);
  }

  /** Counts as use, so that its idle timeout begins anew. */
  async touch(options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Sandbox.touch', this.native, [], signal);
  }

  /** Sets how long it exists, from when it was made. */
  async setTtl(ttlMs: number | 'never', options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Sandbox.setTtl', this.native, [ttlMs], signal);
  }

  /** Takes a snapshot of its files, from which sandboxes can be made. */
  async snapshot(options: SnapshotOptions & CallOptions = {}): Promise<Snapshot> {
    const { signal, ...rest } = options;
    return (await begin('Sandbox.snapshot', this.native, [rest], signal)) as Snapshot;
  }

  /** Copies of it, each with the files that it has now. */
  async fork(options: ForkOptions & CallOptions = {}): Promise<Sandbox[]> {
    const { signal, ...rest } = options;
    return ((await begin('Sandbox.fork', this.native, [rest], signal)) as Native[]).map((native) => new Sandbox(native));
  }

  /**
   * Opens a port of this machine, on the loopback address, that leads to a port of the sandbox. The same port again
   * gives the same one.
   */
  async forward(port: number, options: CallOptions = {}): Promise<Endpoint> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Sandbox.forward', this.native, [port], signal)) as Endpoint;
  }

  /** Closes what was opened for a port. Again is fine. */
  async release(port: number, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Sandbox.release', this.native, [port], signal);
  }

  /** Waits until something listens on a port. */
  async waitForPort(port: number, timeoutMs: number, options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Sandbox.waitForPort', this.native, [port, timeoutMs], signal);
  }

  /** What listens in it now. */
  async listeningPorts(options: CallOptions = {}): Promise<ListeningPort[]> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Sandbox.listeningPorts', this.native, [], signal)) as ListeningPort[];
  }

  /** The end of an `await using`: the same as `delete`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.delete();
  }
}

/** Searching the files of one sandbox, with the same results in every image. */
export class Search {
  /** @internal */
  readonly native: Native;

  /** @internal */
  constructor(native: Native) {
    this.native = native;
  }

  /** The lines that match a regular expression, by path and line. */
  async grep(pattern: string, options: GrepOptions & CallOptions = {}): Promise<GrepMatch[]> {
    const { signal, ...rest } = options;
    return each(reviveGrepMatch)((await begin('Search.grep', this.native, [pattern, rest], signal)) as GrepMatch[]);
  }

  /** The paths below a directory that match a pattern with `*`, `?`, `[...]` and `**`, sorted. */
  async glob(pattern: string, options: { base?: string | Uint8Array | undefined } & CallOptions = {}): Promise<string[]> {
    const { signal, base, ...rest } = options;
    none(rest);
    return (await begin('Search.glob', this.native, [pattern, base], signal)) as string[];
  }

  /** Everything below a directory, sorted. */
  async walk(base: string | Uint8Array, options: WalkOptions & CallOptions = {}): Promise<WalkEntry[]> {
    const { signal, ...rest } = options;
    return (await begin('Search.walk', this.native, [base, rest], signal)) as WalkEntry[];
  }
}

/** The services of one sandbox. */
export class Services {
  /** @internal */
  readonly native: Native;

  /** @internal */
  constructor(native: Native) {
    this.native = native;
  }

  /**
   * Starts one and returns when it is ready. It goes on until it is stopped or the sandbox ends, whoever holds it.
   */
  async start(name: string, command: Command, options: ServiceOptions & CallOptions = {}): Promise<Service> {
    const { signal, ...rest } = options;
    return new Service((await begin('Services.start', this.native, [name, command, rest], signal)) as Native);
  }

  /** One that was started, by its name. */
  async get(name: string, options: CallOptions = {}): Promise<Service> {
    const { signal, ...rest } = options;
    none(rest);
    return new Service((await begin('Services.get', this.native, [name], signal)) as Native);
  }

  /** All of them. */
  async all(options: CallOptions = {}): Promise<Service[]> {
    const { signal, ...rest } = options;
    none(rest);
    return ((await begin('Services.all', this.native, [], signal)) as Native[]).map((native) => new Service(native));
  }
}

/** A service of a sandbox. */
export class Service {
  /** @internal */
  readonly native: Native;

  /** @internal */
  constructor(native: Native) {
    this.native = native;
  }

  /** Its name. */
  get name(): string {
    return get('Service.name', this.native) as string;
  }

  /** Whether it runs. */
  async status(options: CallOptions = {}): Promise<ServiceStatus> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Service.status', this.native, [], signal)) as ServiceStatus;
  }

  /** The last bytes of its output, at most so many. */
  async logs(last: number, options: CallOptions = {}): Promise<Buffer> {
    const { signal, ...rest } = options;
    none(rest);
    return (await begin('Service.logs', this.native, [last], signal)) as Buffer;
  }

  /** The command behind it. */
  async process(options: CallOptions = {}): Promise<Process> {
    const { signal, ...rest } = options;
    none(rest);
    return new Process((await begin('Service.process', this.native, [], signal)) as Native);
  }

  /** Ends it with everything that it started. Again is fine. */
  async stop(options: { graceMs?: number | undefined } & CallOptions = {}): Promise<void> {
    const { signal, graceMs, ...rest } = options;
    none(rest);
    await begin('Service.stop', this.native, [graceMs], signal);
  }
}

/** A shell that keeps its directory, variables and functions between commands. */
export class Session {
  /** @internal */
  readonly native: Native;

  /** @internal */
  constructor(native: Native) {
    this.native = native;
  }

  /** Runs a script in it. One that runs into its timeout is interrupted, and the session stays usable. */
  async run(script: string | Uint8Array, options: { timeoutMs?: number | undefined } & CallOptions = {}): Promise<SessionOutput> {
    const { signal, timeoutMs, ...rest } = options;
    none(rest);
    return reviveSessionOutput((await begin('Session.run', this.native, [script, timeoutMs], signal)) as SessionOutput);
  }

  /** Interrupts what runs in it, as Ctrl-C does. */
  async interrupt(options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Session.interrupt', this.native, [], signal);
  }

  /** Ends it and everything that it started. Again is fine. */
  async close(options: CallOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    none(rest);
    await begin('Session.close', this.native, [], signal);
  }

  /** The end of an `await using`: the same as `close`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
