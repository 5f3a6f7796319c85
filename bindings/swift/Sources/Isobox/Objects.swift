// Written by `cargo xtask gen` from bindings/src/api.rs. Do not edit.

import Foundation
import IsoboxNative

extension IsoboxNative.BytesStream: NativeStream {}

extension IsoboxNative.FileChangeStream: NativeStream {}

extension IsoboxNative.EventStream: NativeStream {}

extension IsoboxNative.OutputEventStream: NativeStream {}

/// The files of one sandbox. Relative paths begin at its working directory.
public final class Files: Sendable {
    let native: IsoboxNative.Files

    init(_ native: IsoboxNative.Files) {
        self.native = native
    }

    /// The bytes of a file, or of a part of it.
    ///
    /// - Parameters:
    ///   - offset: Bytes to skip.
    ///   - length: Bytes to read; to the end by default.
    ///   - limit: Bytes that are accepted at most, beyond which it fails with `limit_exceeded`; 64 MiB by default. A
    ///     stream has no such limit.
    @discardableResult
    public func read(
        _ path: any BytesConvertible,
        offset: UInt64 = 0,
        length: UInt64? = nil,
        limit: UInt64? = nil
    ) async throws -> Data {
        let path = path.sandboxBytes
        let options = IsoboxNative.ReadOptions(offset: offset, length: length, limit: limit)
        return try await cancellable { try await native.read(path: path, options: options, cancel: $0) }
    }

    /// The text of a file, which must be UTF-8.
    @discardableResult
    public func readText(_ path: any BytesConvertible) async throws -> String {
        let path = path.sandboxBytes
        return try await cancellable { try await native.readText(path: path, cancel: $0) }
    }

    /// The bytes of a file of any length as they come.
    ///
    /// - Parameters:
    ///   - offset: Bytes to skip.
    ///   - length: Bytes to read; to the end by default.
    ///   - limit: Bytes that are accepted at most, beyond which it fails with `limit_exceeded`; 64 MiB by default. A
    ///     stream has no such limit.
    public func readStream(
        _ path: any BytesConvertible,
        offset: UInt64 = 0,
        length: UInt64? = nil,
        limit: UInt64? = nil
    ) async throws -> SandboxStream<Data> {
        let path = path.sandboxBytes
        let options = IsoboxNative.ReadOptions(offset: offset, length: length, limit: limit)
        let result = try await cancellable { try await native.readStream(path: path, options: options, cancel: $0) }
        return SandboxStream(result)
    }

    /// Writes a whole file, given as text or bytes.
    ///
    /// - Parameters:
    ///   - mode: Its permission bits, such as 0o755; those of a file that exists stay as they are by default, a new one
    ///     has 0o644 and a directory 0o755.
    ///   - owner: Its owner: a name, `uid`, `uid:gid` or `name:group`; by default the user that commands run as.
    ///   - noParents: Fail where a directory on the way is missing; by default it is made.
    ///   - exclusive: Fail with `already_exists` where something is.
    ///   - atomic: Write beside it and rename, so that readers see the old or the new file and nothing between.
    public func write(
        _ path: any BytesConvertible,
        data: any BytesConvertible,
        mode: UInt32? = nil,
        owner: String? = nil,
        noParents: Bool = false,
        exclusive: Bool = false,
        atomic: Bool = false
    ) async throws {
        let path = path.sandboxBytes
        let data = data.sandboxBytes
        let options = IsoboxNative.WriteOptions(
            mode: mode,
            owner: owner,
            noParents: noParents,
            exclusive: exclusive,
            atomic: atomic
        )
        return try await cancellable { try await native.write(path: path, data: data, options: options, cancel: $0) }
    }

    /// Adds text or bytes to the end of a file, which is made if there is none.
    public func append(_ path: any BytesConvertible, data: any BytesConvertible) async throws {
        let path = path.sandboxBytes
        let data = data.sandboxBytes
        return try await cancellable { try await native.append(path: path, data: data, cancel: $0) }
    }

    /// Writes a file from parts that are given one by one, so that it can be of any length.
    ///
    /// - Parameters:
    ///   - mode: Its permission bits, such as 0o755; those of a file that exists stay as they are by default, a new one
    ///     has 0o644 and a directory 0o755.
    ///   - owner: Its owner: a name, `uid`, `uid:gid` or `name:group`; by default the user that commands run as.
    ///   - noParents: Fail where a directory on the way is missing; by default it is made.
    ///   - exclusive: Fail with `already_exists` where something is.
    ///   - atomic: Write beside it and rename, so that readers see the old or the new file and nothing between.
    public func writeStream(
        _ path: any BytesConvertible,
        mode: UInt32? = nil,
        owner: String? = nil,
        noParents: Bool = false,
        exclusive: Bool = false,
        atomic: Bool = false
    ) async throws -> FileWriter {
        let path = path.sandboxBytes
        let options = IsoboxNative.WriteOptions(
            mode: mode,
            owner: owner,
            noParents: noParents,
            exclusive: exclusive,
            atomic: atomic
        )
        let result = try await cancellable { try await native.writeStream(path: path, options: options, cancel: $0) }
        return FileWriter(result)
    }

    /// What a path names, after following links.
    @discardableResult
    public func stat(_ path: any BytesConvertible) async throws -> Metadata {
        let path = path.sandboxBytes
        return try await cancellable { try await native.stat(path: path, cancel: $0) }
    }

    /// What a path names; a link itself.
    @discardableResult
    public func statLink(_ path: any BytesConvertible) async throws -> Metadata {
        let path = path.sandboxBytes
        return try await cancellable { try await native.statLink(path: path, cancel: $0) }
    }

    /// Whether a path names something, after following links.
    @discardableResult
    public func exists(_ path: any BytesConvertible) async throws -> Bool {
        let path = path.sandboxBytes
        return try await cancellable { try await native.exists(path: path, cancel: $0) }
    }

    /// What is in a directory, sorted by the bytes of the paths. Links are listed and not followed.
    ///
    /// - Parameters:
    ///   - depth: How many levels deep; 1, its direct children, by default.
    @discardableResult
    public func list(_ path: any BytesConvertible, depth: UInt32? = nil) async throws -> [Entry] {
        let path = path.sandboxBytes
        let options = IsoboxNative.ListDirectoryOptions(depth: depth)
        return try await cancellable { try await native.list(path: path, options: options, cancel: $0) }
    }

    /// Makes a directory, and those on the way. One that exists is fine.
    ///
    /// - Parameters:
    ///   - mode: Its permission bits, such as 0o755; those of a file that exists stay as they are by default, a new one
    ///     has 0o644 and a directory 0o755.
    ///   - owner: Its owner: a name, `uid`, `uid:gid` or `name:group`; by default the user that commands run as.
    ///   - noParents: Fail where a directory on the way is missing; by default it is made.
    ///   - exclusive: Fail with `already_exists` where something is.
    ///   - atomic: Write beside it and rename, so that readers see the old or the new file and nothing between.
    public func mkdir(
        _ path: any BytesConvertible,
        mode: UInt32? = nil,
        owner: String? = nil,
        noParents: Bool = false,
        exclusive: Bool = false,
        atomic: Bool = false
    ) async throws {
        let path = path.sandboxBytes
        let options = IsoboxNative.WriteOptions(
            mode: mode,
            owner: owner,
            noParents: noParents,
            exclusive: exclusive,
            atomic: atomic
        )
        return try await cancellable { try await native.mkdir(path: path, options: options, cancel: $0) }
    }

    /// Renames, replacing a file at the target.
    public func rename(_ source: any BytesConvertible, target: any BytesConvertible) async throws {
        let source = source.sandboxBytes
        let target = target.sandboxBytes
        return try await cancellable { try await native.rename(source: source, target: target, cancel: $0) }
    }

    /// Copies a file, or a directory with everything in it, keeping modes, times and links.
    public func copy(_ source: any BytesConvertible, target: any BytesConvertible) async throws {
        let source = source.sandboxBytes
        let target = target.sandboxBytes
        return try await cancellable { try await native.copy(source: source, target: target, cancel: $0) }
    }

    /// Makes a symbolic link whose text is the target.
    public func symlink(_ target: any BytesConvertible, path: any BytesConvertible) async throws {
        let target = target.sandboxBytes
        let path = path.sandboxBytes
        return try await cancellable { try await native.symlink(target: target, path: path, cancel: $0) }
    }

    /// The text of a symbolic link.
    @discardableResult
    public func readLink(_ path: any BytesConvertible) async throws -> String {
        let path = path.sandboxBytes
        let result = try await cancellable { try await native.readLink(path: path, cancel: $0) }
        return String(decoding: result, as: UTF8.self)
    }

    /// Sets the permission bits, such as 0o755.
    public func chmod(_ path: any BytesConvertible, mode: UInt32) async throws {
        let path = path.sandboxBytes
        return try await cancellable { try await native.chmod(path: path, mode: mode, cancel: $0) }
    }

    /// Sets the owner: a name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox.
    public func chown(_ path: any BytesConvertible, owner: String) async throws {
        let path = path.sandboxBytes
        return try await cancellable { try await native.chown(path: path, owner: owner, cancel: $0) }
    }

    /// Removes a file, a link or an empty directory. What is not there is fine.
    public func remove(_ path: any BytesConvertible) async throws {
        let path = path.sandboxBytes
        return try await cancellable { try await native.remove(path: path, cancel: $0) }
    }

    /// Removes a file, or a directory with everything in it, never through a link. What is not there is fine.
    public func removeAll(_ path: any BytesConvertible) async throws {
        let path = path.sandboxBytes
        return try await cancellable { try await native.removeAll(path: path, cancel: $0) }
    }

    /// Changes as they happen.
    ///
    /// - Parameters:
    ///   - recursive: Also below directories.
    public func watch(_ path: any BytesConvertible, recursive: Bool = false) async throws -> SandboxStream<FileChange> {
        let path = path.sandboxBytes
        let options = IsoboxNative.WatchOptions(recursive: recursive)
        let result = try await cancellable { try await native.watch(path: path, options: options, cancel: $0) }
        return SandboxStream(result)
    }

    /// Copies a file, or a directory with everything in it, from this machine.
    ///
    /// - Parameters:
    ///   - owner: Who owns everything there; by default the user that commands run as.
    ///   - fileMode: Permission bits of files instead of those they have.
    ///   - directoryMode: Permission bits of directories instead of those they have.
    ///   - exclude: Names, or paths with `*` and `**` relative to the source, that are left out.
    ///   - maxEntries: Files, directories and links at most; a million by default.
    ///   - maxBytes: Bytes at most; 64 GiB by default.
    @discardableResult
    public func upload(
        _ local: any BytesConvertible,
        remote: any BytesConvertible,
        owner: String? = nil,
        fileMode: UInt32? = nil,
        directoryMode: UInt32? = nil,
        exclude: [String] = [],
        maxEntries: UInt64? = nil,
        maxBytes: UInt64? = nil
    ) async throws -> TransferReport {
        let local = local.sandboxBytes
        let remote = remote.sandboxBytes
        let options = IsoboxNative.UploadOptions(
            owner: owner,
            fileMode: fileMode,
            directoryMode: directoryMode,
            exclude: exclude,
            maxEntries: maxEntries,
            maxBytes: maxBytes
        )
        return try await cancellable { try await native.upload(local: local, remote: remote, options: options, cancel: $0) }
    }

    /// Copies a file, or a directory with everything in it, to this machine. Nothing is ever written outside of the
    /// target.
    ///
    /// - Parameters:
    ///   - keepExisting: Fail with `already_exists` where something is; by default files are replaced.
    ///   - exclude: Names, or paths with `*` and `**` relative to the source, that are left out.
    ///   - keepEscapingLinks: Copy links that point out of the tree as they are; by default they are left out and
    ///     counted.
    ///   - maxEntries: Files, directories and links at most; a million by default.
    ///   - maxBytes: Bytes at most; 64 GiB by default.
    @discardableResult
    public func download(
        _ remote: any BytesConvertible,
        local: any BytesConvertible,
        keepExisting: Bool = false,
        exclude: [String] = [],
        keepEscapingLinks: Bool = false,
        maxEntries: UInt64? = nil,
        maxBytes: UInt64? = nil
    ) async throws -> TransferReport {
        let remote = remote.sandboxBytes
        let local = local.sandboxBytes
        let options = IsoboxNative.DownloadOptions(
            keepExisting: keepExisting,
            exclude: exclude,
            keepEscapingLinks: keepEscapingLinks,
            maxEntries: maxEntries,
            maxBytes: maxBytes
        )
        return try await cancellable { try await native.download(remote: remote, local: local, options: options, cancel: $0) }
    }
}

/// A file that is being written. Without a close what was written may be there in part.
public final class FileWriter: Sendable {
    let native: IsoboxNative.FileWriter

    init(_ native: IsoboxNative.FileWriter) {
        self.native = native
    }

    /// Writes the next part, and returns when it is accepted.
    public func write(_ data: any BytesConvertible) async throws {
        let data = data.sandboxBytes
        return try await cancellable { try await native.write(data: data, cancel: $0) }
    }

    /// Ends the file and returns its bytes, once all of it is there. Again gives the same.
    @discardableResult
    public func close() async throws -> UInt64 {
        try await cancellable { try await native.close(cancel: $0) }
    }
}

/// Git in one sandbox. It runs the git of the sandbox.
public final class Git: Sendable {
    let native: IsoboxNative.Git

    init(_ native: IsoboxNative.Git) {
        self.native = native
    }

    /// Clones a repository into a directory that is empty or not there.
    ///
    /// - Parameters:
    ///   - branch: The branch; the remote's own choice by default.
    ///   - commit: The commit that is checked out.
    ///   - tag: The tag that is checked out.
    ///   - depth: How many commits of the past; all by default.
    ///   - username: The user, for this call alone.
    ///   - password: The password or token, for this call alone.
    ///   - attempts: How often it is tried when the remote cannot be reached; once by default.
    ///   - wait: How long is waited between two attempts.
    public func cloneRepository(
        _ url: String,
        target: any BytesConvertible,
        branch: String? = nil,
        commit: String? = nil,
        tag: String? = nil,
        depth: UInt32? = nil,
        username: String? = nil,
        password: String? = nil,
        attempts: UInt32? = nil,
        wait: TimeInterval? = nil
    ) async throws -> Repository {
        let target = target.sandboxBytes
        let options = IsoboxNative.CloneOptions(
            branch: branch,
            commit: commit,
            tag: tag,
            depth: depth,
            username: username,
            password: password,
            attempts: attempts,
            wait: wait
        )
        let result = try await cancellable { try await native.cloneRepository(url: url, target: target, options: options, cancel: $0) }
        return Repository(result)
    }

    /// Makes a repository.
    public func `init`(_ path: any BytesConvertible) async throws -> Repository {
        let path = path.sandboxBytes
        let result = try await cancellable { try await native.`init`(path: path, cancel: $0) }
        return Repository(result)
    }

    /// A repository that is there.
    public func open(_ path: any BytesConvertible) async throws -> Repository {
        let path = path.sandboxBytes
        let result = try await cancellable { try await native.open(path: path, cancel: $0) }
        return Repository(result)
    }
}

/// A repository in a sandbox.
public final class Repository: Sendable {
    let native: IsoboxNative.Repository

    init(_ native: IsoboxNative.Repository) {
        self.native = native
    }

    /// Where it is.
    public var path: String { String(decoding: native.path(), as: UTF8.self) }

    /// Where it is. As bytes, without loss.
    public var pathBytes: Data { native.path() }

    /// What it is like.
    @discardableResult
    public func status() async throws -> GitStatus {
        try await cancellable { try await native.status(cancel: $0) }
    }

    /// Prepares paths for the next commit.
    public func add(paths: [any BytesConvertible] = []) async throws {
        let paths = paths.map { $0.sandboxBytes }
        return try await cancellable { try await native.add(paths: paths, cancel: $0) }
    }

    /// Prepares everything for the next commit.
    public func addAll() async throws {
        try await cancellable { try await native.addAll(cancel: $0) }
    }

    /// Makes a commit of what is prepared, and returns its id.
    ///
    /// - Parameters:
    ///   - author: The name of its author; what git is configured with by default.
    ///   - email: The address of its author.
    ///   - allowEmpty: Make it also when nothing is changed.
    @discardableResult
    public func commit(
        _ message: String,
        author: String? = nil,
        email: String? = nil,
        allowEmpty: Bool = false
    ) async throws -> String {
        let options = IsoboxNative.CommitOptions(author: author, email: email, allowEmpty: allowEmpty)
        return try await cancellable { try await native.commit(message: message, options: options, cancel: $0) }
    }

    /// Fetches what a remote has.
    ///
    /// - Parameters:
    ///   - remote: The name of the remote; that of the branch, or `origin`, by default.
    ///   - branch: The branch; the current one by default.
    ///   - setUpstream: Let the branch follow that of the remote from now on.
    ///   - username: The user, for this call alone.
    ///   - password: The password or token, for this call alone.
    ///   - attempts: How often it is tried when the remote cannot be reached; once by default.
    ///   - wait: How long is waited between two attempts.
    public func fetch(
        remote: String? = nil,
        branch: String? = nil,
        setUpstream: Bool = false,
        username: String? = nil,
        password: String? = nil,
        attempts: UInt32? = nil,
        wait: TimeInterval? = nil
    ) async throws {
        let options = IsoboxNative.RemoteOptions(
            remote: remote,
            branch: branch,
            setUpstream: setUpstream,
            username: username,
            password: password,
            attempts: attempts,
            wait: wait
        )
        return try await cancellable { try await native.fetch(options: options, cancel: $0) }
    }

    /// Fetches and merges what a remote has.
    ///
    /// - Parameters:
    ///   - remote: The name of the remote; that of the branch, or `origin`, by default.
    ///   - branch: The branch; the current one by default.
    ///   - setUpstream: Let the branch follow that of the remote from now on.
    ///   - username: The user, for this call alone.
    ///   - password: The password or token, for this call alone.
    ///   - attempts: How often it is tried when the remote cannot be reached; once by default.
    ///   - wait: How long is waited between two attempts.
    public func pull(
        remote: String? = nil,
        branch: String? = nil,
        setUpstream: Bool = false,
        username: String? = nil,
        password: String? = nil,
        attempts: UInt32? = nil,
        wait: TimeInterval? = nil
    ) async throws {
        let options = IsoboxNative.RemoteOptions(
            remote: remote,
            branch: branch,
            setUpstream: setUpstream,
            username: username,
            password: password,
            attempts: attempts,
            wait: wait
        )
        return try await cancellable { try await native.pull(options: options, cancel: $0) }
    }

    /// Gives a remote what it does not have.
    ///
    /// - Parameters:
    ///   - remote: The name of the remote; that of the branch, or `origin`, by default.
    ///   - branch: The branch; the current one by default.
    ///   - setUpstream: Let the branch follow that of the remote from now on.
    ///   - username: The user, for this call alone.
    ///   - password: The password or token, for this call alone.
    ///   - attempts: How often it is tried when the remote cannot be reached; once by default.
    ///   - wait: How long is waited between two attempts.
    public func push(
        remote: String? = nil,
        branch: String? = nil,
        setUpstream: Bool = false,
        username: String? = nil,
        password: String? = nil,
        attempts: UInt32? = nil,
        wait: TimeInterval? = nil
    ) async throws {
        let options = IsoboxNative.RemoteOptions(
            remote: remote,
            branch: branch,
            setUpstream: setUpstream,
            username: username,
            password: password,
            attempts: attempts,
            wait: wait
        )
        return try await cancellable { try await native.push(options: options, cancel: $0) }
    }

    /// Its branches, with those of remotes.
    @discardableResult
    public func branches() async throws -> [GitBranch] {
        try await cancellable { try await native.branches(cancel: $0) }
    }

    /// Checks a revision out.
    public func checkout(_ revision: String) async throws {
        try await cancellable { try await native.checkout(revision: revision, cancel: $0) }
    }

    /// Makes a branch and checks it out.
    public func createBranch(_ name: String) async throws {
        try await cancellable { try await native.createBranch(name: name, cancel: $0) }
    }

    /// The id of a revision.
    @discardableResult
    public func revParse(_ revision: String) async throws -> String {
        try await cancellable { try await native.revParse(revision: revision, cancel: $0) }
    }

    /// The commits up to a revision, the newest first.
    @discardableResult
    public func log(_ revision: String, most: UInt32) async throws -> [GitCommit] {
        try await cancellable { try await native.log(revision: revision, most: most, cancel: $0) }
    }

    /// The difference between two revisions, or between one and what is there, as a patch.
    @discardableResult
    public func diff(_ revision: String, to: String? = nil) async throws -> Data {
        try await cancellable { try await native.diff(revision: revision, to: to, cancel: $0) }
    }

    /// The same, path by path.
    @discardableResult
    public func changes(_ revision: String, to: String? = nil) async throws -> [GitChange] {
        try await cancellable { try await native.changes(revision: revision, to: to, cancel: $0) }
    }

    /// The files that git does not know.
    @discardableResult
    public func untrackedFiles() async throws -> [String] {
        let result = try await cancellable { try await native.untrackedFiles(cancel: $0) }
        return result.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Lets the repository keep a credential for its remotes, until it is cleared.
    public func setCredentials(_ username: String, password: String) async throws {
        try await cancellable { try await native.setCredentials(username: username, password: password, cancel: $0) }
    }

    /// Lets it forget that.
    public func clearCredentials() async throws {
        try await cancellable { try await native.clearCredentials(cancel: $0) }
    }

    /// Sets a value of its configuration.
    public func setConfig(_ key: String, value: String) async throws {
        try await cancellable { try await native.setConfig(key: key, value: value, cancel: $0) }
    }
}

/// The images of one provider.
public final class Images: Sendable {
    let native: IsoboxNative.Images

    init(_ native: IsoboxNative.Images) {
        self.native = native
    }

    /// Fetches an image.
    ///
    /// - Parameters:
    ///   - pull: When it is fetched; when it is missing by default.
    ///   - platform: Its platform, such as `linux/arm64`; this machine's by default.
    ///   - auth: The credential for its registry.
    @discardableResult
    public func pull(
        _ reference: String,
        pull: PullPolicy? = nil,
        platform: String? = nil,
        auth: RegistryAuth? = nil
    ) async throws -> ImageInfo {
        let options = IsoboxNative.PullOptions(pull: pull, platform: platform, auth: auth)
        return try await cancellable { try await native.pull(reference: reference, options: options, cancel: $0) }
    }

    /// Takes the images of an archive or layout folder of this machine.
    @discardableResult
    public func load(_ archive: any BytesConvertible) async throws -> [ImageInfo] {
        let archive = archive.sandboxBytes
        return try await cancellable { try await native.load(archive: archive, cancel: $0) }
    }

    /// All of them.
    @discardableResult
    public func all() async throws -> [ImageInfo] {
        try await cancellable { try await native.all(cancel: $0) }
    }

    /// Removes one, by its name. One that a sandbox uses is refused.
    public func remove(_ name: String) async throws {
        try await cancellable { try await native.remove(name: name, cancel: $0) }
    }

    /// Removes what no sandbox uses, the longest unused first, until the rest takes no more than the budget.
    @discardableResult
    public func prune(_ budget: Size) async throws -> PrunedImages {
        try await cancellable { try await native.prune(budget: budget, cancel: $0) }
    }
}

/// An open library: one directory of books and files, which any number of processes share, and the providers.
public final class Isobox: Sendable {
    let native: IsoboxNative.Isobox

    init(_ native: IsoboxNative.Isobox) {
        self.native = native
    }

    /// Opens it. Sandboxes that a process left when it was killed are removed then.
    ///
    /// - Parameters:
    ///   - home: The directory of its books and files; by default that which `ISOBOX_HOME` names, or one of this
    ///     user's.
    ///   - defaultProvider: The provider of sandboxes that name none; the first isolating one that works here by
    ///     default.
    public static func open(home: (any BytesConvertible)? = nil, defaultProvider: String? = nil) async throws -> Isobox {
        let options = IsoboxNative.OpenOptions(homeBytes: home?.sandboxBytes, defaultProvider: defaultProvider)
        let result = try await cancellable { try await IsoboxNative.isoboxOpen(options: options, cancel: $0) }
        return Isobox(result)
    }

    /// The one that is used where none is named.
    public static func shared() async throws -> Isobox {
        let result = try await cancellable { try await IsoboxNative.isoboxShared(cancel: $0) }
        return Isobox(result)
    }

    /// The directory of its books and files.
    public var home: String { String(decoding: native.home(), as: UTF8.self) }

    /// The directory of its books and files. As bytes, without loss.
    public var homeBytes: Data { native.home() }

    /// Makes a sandbox.
    ///
    /// - Parameters:
    ///   - provider: Which provider makes it, such as `namespace`, `docker` or `host`; the first isolating one that
    ///     works here by default.
    ///   - name: A name, unique among live sandboxes.
    ///   - image: An image, such as `debian:12`.
    ///   - pull: When the image is fetched; when it is missing by default.
    ///   - platform: The platform of the image, such as `linux/arm64`; this machine's by default.
    ///   - auth: The credential for the image's registry.
    ///   - archive: An archive or layout folder of this machine with an image, as `docker save` and OCI tools write
    ///     them.
    ///   - rootfs: A directory of this machine as the root filesystem, which is never written to.
    ///   - snapshot: A snapshot, by its name or id.
    ///   - workspace: A directory of this machine as the workspace, which it may change and which is never removed.
    ///   - env: Variables for every command.
    ///   - labels: Labels, by which it is listed.
    ///   - user: The user that commands run as: a name, `uid`, `uid:gid` or `name:group`; that of the image by default.
    ///   - workdir: The working directory, absolute; that of the image by default.
    ///   - cpus: Processors; fractions are fine.
    ///   - memory: Memory.
    ///   - disk: Disk.
    ///   - pids: Processes and threads.
    ///   - gpus: GPUs.
    ///   - mounts: What is mounted.
    ///   - volumes: Volumes.
    ///   - secrets: Secrets.
    ///   - ports: Ports that will be asked for.
    ///   - network: What it may reach; nothing by default.
    ///   - ttl: How long it exists, whatever it does; for ever by default, and a day when it is detached.
    ///   - idleTimeout: How long it exists without use: a running command, a transfer, or a connection to a port.
    ///   - onExpiry: What happens at the end of either; it is removed by default.
    ///   - onIdle: What happens at the end of the idle timeout, where that differs.
    ///   - detached: Let it live on without this process.
    ///   - ownerLease: How long this process may be out of touch; a few seconds by default.
    ///   - entrypoint: Run the image's own entrypoint too.
    ///   - leastIsolation: The least isolation that is accepted.
    ///   - createTimeout: How long making it may take; 300 seconds by default.
    ///   - idempotencyKey: The same key with the same request gives the same sandbox, and makes nothing again.
    ///   - namespace: What only the namespace provider knows.
    ///   - docker: What only the Docker provider knows.
    ///   - host: What only the host provider knows.
    public func create(
        provider: String? = nil,
        name: String? = nil,
        image: String? = nil,
        pull: PullPolicy? = nil,
        platform: String? = nil,
        auth: RegistryAuth? = nil,
        archive: (any BytesConvertible)? = nil,
        rootfs: (any BytesConvertible)? = nil,
        snapshot: String? = nil,
        workspace: (any BytesConvertible)? = nil,
        env: [String: String] = [:],
        labels: [String: String] = [:],
        user: String? = nil,
        workdir: (any BytesConvertible)? = nil,
        cpus: Double? = nil,
        memory: Size? = nil,
        disk: Size? = nil,
        pids: UInt64? = nil,
        gpus: UInt32? = nil,
        mounts: [Mount] = [],
        volumes: [VolumeMount] = [],
        secrets: [Secret] = [],
        ports: [UInt16] = [],
        network: NetworkPolicy? = nil,
        ttl: Lifetime? = nil,
        idleTimeout: Lifetime? = nil,
        onExpiry: Expiry? = nil,
        onIdle: Expiry? = nil,
        detached: Bool = false,
        ownerLease: TimeInterval? = nil,
        entrypoint: Bool = false,
        leastIsolation: Isolation? = nil,
        createTimeout: TimeInterval? = nil,
        idempotencyKey: String? = nil,
        namespace: NamespaceOptions? = nil,
        docker: DockerOptions? = nil,
        host: HostOptions? = nil
    ) async throws -> Sandbox {
        let options = IsoboxNative.CreateOptions(
            provider: provider,
            name: name,
            image: image,
            pull: pull,
            platform: platform,
            auth: auth,
            archiveBytes: archive?.sandboxBytes,
            rootfsBytes: rootfs?.sandboxBytes,
            snapshot: snapshot,
            workspaceBytes: workspace?.sandboxBytes,
            env: env,
            labels: labels,
            user: user,
            workdirBytes: workdir?.sandboxBytes,
            cpus: cpus,
            memory: memory,
            disk: disk,
            pids: pids,
            gpus: gpus,
            mounts: mounts,
            volumes: volumes,
            secrets: secrets,
            ports: ports,
            network: network,
            ttl: ttl,
            idleTimeout: idleTimeout,
            onExpiry: onExpiry,
            onIdle: onIdle,
            detached: detached,
            ownerLease: ownerLease,
            entrypoint: entrypoint,
            leastIsolation: leastIsolation,
            createTimeout: createTimeout,
            idempotencyKey: idempotencyKey,
            namespace: namespace,
            docker: docker,
            host: host
        )
        let result = try await cancellable { try await native.create(options: options, cancel: $0) }
        return Sandbox(result)
    }

    /// The sandbox with the name that is given, or a new one. Any number of callers at once get the same one.
    ///
    /// - Parameters:
    ///   - provider: Which provider makes it, such as `namespace`, `docker` or `host`; the first isolating one that
    ///     works here by default.
    ///   - name: A name, unique among live sandboxes.
    ///   - image: An image, such as `debian:12`.
    ///   - pull: When the image is fetched; when it is missing by default.
    ///   - platform: The platform of the image, such as `linux/arm64`; this machine's by default.
    ///   - auth: The credential for the image's registry.
    ///   - archive: An archive or layout folder of this machine with an image, as `docker save` and OCI tools write
    ///     them.
    ///   - rootfs: A directory of this machine as the root filesystem, which is never written to.
    ///   - snapshot: A snapshot, by its name or id.
    ///   - workspace: A directory of this machine as the workspace, which it may change and which is never removed.
    ///   - env: Variables for every command.
    ///   - labels: Labels, by which it is listed.
    ///   - user: The user that commands run as: a name, `uid`, `uid:gid` or `name:group`; that of the image by default.
    ///   - workdir: The working directory, absolute; that of the image by default.
    ///   - cpus: Processors; fractions are fine.
    ///   - memory: Memory.
    ///   - disk: Disk.
    ///   - pids: Processes and threads.
    ///   - gpus: GPUs.
    ///   - mounts: What is mounted.
    ///   - volumes: Volumes.
    ///   - secrets: Secrets.
    ///   - ports: Ports that will be asked for.
    ///   - network: What it may reach; nothing by default.
    ///   - ttl: How long it exists, whatever it does; for ever by default, and a day when it is detached.
    ///   - idleTimeout: How long it exists without use: a running command, a transfer, or a connection to a port.
    ///   - onExpiry: What happens at the end of either; it is removed by default.
    ///   - onIdle: What happens at the end of the idle timeout, where that differs.
    ///   - detached: Let it live on without this process.
    ///   - ownerLease: How long this process may be out of touch; a few seconds by default.
    ///   - entrypoint: Run the image's own entrypoint too.
    ///   - leastIsolation: The least isolation that is accepted.
    ///   - createTimeout: How long making it may take; 300 seconds by default.
    ///   - idempotencyKey: The same key with the same request gives the same sandbox, and makes nothing again.
    ///   - namespace: What only the namespace provider knows.
    ///   - docker: What only the Docker provider knows.
    ///   - host: What only the host provider knows.
    public func getOrCreate(
        provider: String? = nil,
        name: String? = nil,
        image: String? = nil,
        pull: PullPolicy? = nil,
        platform: String? = nil,
        auth: RegistryAuth? = nil,
        archive: (any BytesConvertible)? = nil,
        rootfs: (any BytesConvertible)? = nil,
        snapshot: String? = nil,
        workspace: (any BytesConvertible)? = nil,
        env: [String: String] = [:],
        labels: [String: String] = [:],
        user: String? = nil,
        workdir: (any BytesConvertible)? = nil,
        cpus: Double? = nil,
        memory: Size? = nil,
        disk: Size? = nil,
        pids: UInt64? = nil,
        gpus: UInt32? = nil,
        mounts: [Mount] = [],
        volumes: [VolumeMount] = [],
        secrets: [Secret] = [],
        ports: [UInt16] = [],
        network: NetworkPolicy? = nil,
        ttl: Lifetime? = nil,
        idleTimeout: Lifetime? = nil,
        onExpiry: Expiry? = nil,
        onIdle: Expiry? = nil,
        detached: Bool = false,
        ownerLease: TimeInterval? = nil,
        entrypoint: Bool = false,
        leastIsolation: Isolation? = nil,
        createTimeout: TimeInterval? = nil,
        idempotencyKey: String? = nil,
        namespace: NamespaceOptions? = nil,
        docker: DockerOptions? = nil,
        host: HostOptions? = nil
    ) async throws -> Sandbox {
        let options = IsoboxNative.CreateOptions(
            provider: provider,
            name: name,
            image: image,
            pull: pull,
            platform: platform,
            auth: auth,
            archiveBytes: archive?.sandboxBytes,
            rootfsBytes: rootfs?.sandboxBytes,
            snapshot: snapshot,
            workspaceBytes: workspace?.sandboxBytes,
            env: env,
            labels: labels,
            user: user,
            workdirBytes: workdir?.sandboxBytes,
            cpus: cpus,
            memory: memory,
            disk: disk,
            pids: pids,
            gpus: gpus,
            mounts: mounts,
            volumes: volumes,
            secrets: secrets,
            ports: ports,
            network: network,
            ttl: ttl,
            idleTimeout: idleTimeout,
            onExpiry: onExpiry,
            onIdle: onIdle,
            detached: detached,
            ownerLease: ownerLease,
            entrypoint: entrypoint,
            leastIsolation: leastIsolation,
            createTimeout: createTimeout,
            idempotencyKey: idempotencyKey,
            namespace: namespace,
            docker: docker,
            host: host
        )
        let result = try await cancellable { try await native.getOrCreate(options: options, cancel: $0) }
        return Sandbox(result)
    }

    /// A sandbox that is there, by its name or id, whatever process made it. It does not end with this handle.
    public func connect(_ idOrName: String) async throws -> Sandbox {
        let result = try await cancellable { try await native.connect(idOrName: idOrName, cancel: $0) }
        return Sandbox(result)
    }

    /// The sandboxes there are, the oldest first.
    ///
    /// - Parameters:
    ///   - labels: Labels that all must match.
    ///   - states: States of which one must match; all but `deleted` by default.
    ///   - provider: The provider.
    ///   - deleted: Those too that are deleted, as far as they are remembered.
    @discardableResult
    public func list(
        labels: [String: String] = [:],
        states: [SandboxState] = [],
        provider: String? = nil,
        deleted: Bool = false
    ) async throws -> [SandboxInfo] {
        let options = IsoboxNative.ListOptions(labels: labels, states: states, provider: provider, deleted: deleted)
        return try await cancellable { try await native.list(options: options, cancel: $0) }
    }

    /// What is written down about a sandbox, by its name or id, also when it is gone.
    @discardableResult
    public func inspect(_ idOrName: String) async throws -> SandboxInfo {
        try await cancellable { try await native.inspect(idOrName: idOrName, cancel: $0) }
    }

    /// How a sandbox died unasked, by its name or id; none for one that lives, or that somebody deleted.
    @discardableResult
    public func postMortem(_ idOrName: String) async throws -> PostMortem? {
        try await cancellable { try await native.postMortem(idOrName: idOrName, cancel: $0) }
    }

    /// What happens, in this process and in others.
    ///
    /// - Parameters:
    ///   - after: Those behind this one, by its number; from now on by default. 0 begins with the oldest that is kept.
    ///   - sandboxes: Of these sandboxes, by their ids; of everything by default.
    ///   - kinds: Of these kinds, such as `exec_exited`; all by default.
    ///   - noFollow: End with the last one that there is; by default those to come are waited for.
    public func events(
        after: UInt64? = nil,
        sandboxes: [String] = [],
        kinds: [String] = [],
        noFollow: Bool = false
    ) async throws -> SandboxStream<Event> {
        let options = IsoboxNative.EventOptions(after: after, sandboxes: sandboxes, kinds: kinds, noFollow: noFollow)
        let result = try await cancellable { try await native.events(options: options, cancel: $0) }
        return SandboxStream(result)
    }

    /// The providers that are built in, and whether they work here.
    @discardableResult
    public func providers() async throws -> [ProviderInfo] {
        try await cancellable { try await native.providers(cancel: $0) }
    }

    /// Removes what nobody needs: what killed processes left. With `dry_run` it is only told.
    @discardableResult
    public func collectGarbage(dryRun: Bool = false) async throws -> [Garbage] {
        try await cancellable { try await native.collectGarbage(dryRun: dryRun, cancel: $0) }
    }

    /// The snapshots that a provider has.
    @discardableResult
    public func snapshots(provider: String? = nil) async throws -> [Snapshot] {
        try await cancellable { try await native.snapshots(provider: provider, cancel: $0) }
    }

    /// A snapshot, by its name or id.
    @discardableResult
    public func snapshot(_ idOrName: String, provider: String? = nil) async throws -> Snapshot {
        try await cancellable { try await native.snapshot(idOrName: idOrName, provider: provider, cancel: $0) }
    }

    /// Removes a snapshot, by its name or id. What is not there is fine.
    public func deleteSnapshot(_ idOrName: String, provider: String? = nil) async throws {
        try await cancellable { try await native.deleteSnapshot(idOrName: idOrName, provider: provider, cancel: $0) }
    }

    /// Makes a volume.
    ///
    /// - Parameters:
    ///   - size: Its size at most; no limit by default.
    ///   - labels: Its labels.
    ///   - provider: The provider that makes it; the first isolating one that works here by default.
    @discardableResult
    public func createVolume(
        _ name: String,
        size: Size? = nil,
        labels: [String: String] = [:],
        provider: String? = nil
    ) async throws -> Volume {
        let options = IsoboxNative.VolumeOptions(size: size, labels: labels, provider: provider)
        return try await cancellable { try await native.createVolume(name: name, options: options, cancel: $0) }
    }

    /// The volumes that a provider has.
    @discardableResult
    public func volumes(provider: String? = nil) async throws -> [Volume] {
        try await cancellable { try await native.volumes(provider: provider, cancel: $0) }
    }

    /// A volume, by its name or id.
    @discardableResult
    public func volume(_ idOrName: String, provider: String? = nil) async throws -> Volume {
        try await cancellable { try await native.volume(idOrName: idOrName, provider: provider, cancel: $0) }
    }

    /// Removes a volume with its contents, by its name or id. One that a sandbox uses is refused.
    public func deleteVolume(_ idOrName: String, provider: String? = nil) async throws {
        try await cancellable { try await native.deleteVolume(idOrName: idOrName, provider: provider, cancel: $0) }
    }

    /// Writes a snapshot into a file of this machine, as an image that `docker load` and others take.
    ///
    /// - Parameters:
    ///   - provider: The provider that has it; the first isolating one that works here by default.
    ///   - reference: The name of the image, with a tag; none by default.
    ///   - compress: Pack its layers with gzip.
    @discardableResult
    public func exportSnapshot(
        _ idOrName: String,
        to: any BytesConvertible,
        provider: String? = nil,
        reference: String? = nil,
        compress: Bool = false
    ) async throws -> ExportedImage {
        let to = to.sandboxBytes
        let options = IsoboxNative.ExportOptions(provider: provider, reference: reference, compress: compress)
        return try await cancellable { try await native.exportSnapshot(idOrName: idOrName, to: to, options: options, cancel: $0) }
    }

    /// Makes a snapshot from an image in an archive or layout folder of this machine.
    ///
    /// - Parameters:
    ///   - provider: The provider that takes it; the first isolating one that works here by default.
    ///   - name: A name for the snapshot, unique for the provider.
    ///   - labels: Its labels.
    ///   - image: The name of the image, which an archive with several needs.
    @discardableResult
    public func importSnapshot(
        _ archive: any BytesConvertible,
        provider: String? = nil,
        name: String? = nil,
        labels: [String: String] = [:],
        image: String? = nil
    ) async throws -> Snapshot {
        let archive = archive.sandboxBytes
        let options = IsoboxNative.ImportOptions(provider: provider, name: name, labels: labels, image: image)
        return try await cancellable { try await native.importSnapshot(archive: archive, options: options, cancel: $0) }
    }

    /// The images that a provider has.
    public func images(provider: String? = nil) async throws -> Images {
        let result = try await cancellable { try await native.images(provider: provider, cancel: $0) }
        return Images(result)
    }

    /// Keeps so many sandboxes ready.
    ///
    /// - Parameters:
    ///   - sandbox: What its sandboxes are made from and like; the default of everything by default.
    ///   - minReady: How many must be ready before it is open; none by default.
    ///   - refillsAtOnce: How many are made at once to refill it; one for each processor by default.
    ///   - maxAge: How long one is kept before another is made in its place; for ever by default.
    ///   - name: A name, for people.
    ///   - sharedAs: A name by which other processes take from it.
    public func pool(
        _ size: UInt32,
        sandbox: CreateOptions? = nil,
        minReady: UInt32? = nil,
        refillsAtOnce: UInt32? = nil,
        maxAge: TimeInterval? = nil,
        name: String? = nil,
        sharedAs: String? = nil
    ) async throws -> Pool {
        let options = IsoboxNative.PoolOptions(
            sandbox: sandbox,
            minReady: minReady,
            refillsAtOnce: refillsAtOnce,
            maxAge: maxAge,
            name: name,
            sharedAs: sharedAs
        )
        let result = try await cancellable { try await native.pool(size: size, options: options, cancel: $0) }
        return Pool(result)
    }

    /// A sandbox from a pool of another process, by the name that it is shared as.
    ///
    /// - Parameters:
    ///   - name: A name, unique among live sandboxes.
    ///   - labels: Labels beside those it has.
    ///   - ttl: How long it exists from now on.
    ///   - detached: Let it live on without this process.
    ///   - timeout: How long taking it may take.
    public func takeFrom(
        _ pool: String,
        name: String? = nil,
        labels: [String: String] = [:],
        ttl: Lifetime? = nil,
        detached: Bool = false,
        timeout: TimeInterval? = nil
    ) async throws -> Sandbox {
        let options = IsoboxNative.TakeOptions(name: name, labels: labels, ttl: ttl, detached: detached, timeout: timeout)
        let result = try await cancellable { try await native.takeFrom(pool: pool, options: options, cancel: $0) }
        return Sandbox(result)
    }

    /// What may be at once on this machine.
    @discardableResult
    public func limits() async throws -> Limits {
        try await cancellable { try await native.limits(cancel: $0) }
    }

    /// Changes what may be at once on this machine.
    ///
    /// - Parameters:
    ///   - concurrentCreates: Sandboxes that are made at once.
    ///   - liveSandboxes: Sandboxes that live at once.
    ///   - unlimitedLiveSandboxes: Let any number live at once.
    ///   - queueLength: Creations that wait at most.
    ///   - queueWait: How long one waits at most.
    public func setLimits(
        concurrentCreates: UInt64? = nil,
        liveSandboxes: UInt64? = nil,
        unlimitedLiveSandboxes: Bool = false,
        queueLength: UInt64? = nil,
        queueWait: TimeInterval? = nil
    ) async throws {
        let options = IsoboxNative.LimitsOptions(
            concurrentCreates: concurrentCreates,
            liveSandboxes: liveSandboxes,
            unlimitedLiveSandboxes: unlimitedLiveSandboxes,
            queueLength: queueLength,
            queueWait: queueWait
        )
        return try await cancellable { try await native.setLimits(options: options, cancel: $0) }
    }

    /// What is made now on this machine, and who waits.
    @discardableResult
    public func queue() async throws -> Queue {
        try await cancellable { try await native.queue(cancel: $0) }
    }

    /// What takes disk.
    @discardableResult
    public func diskUsage() async throws -> [KindUsage] {
        try await cancellable { try await native.diskUsage(cancel: $0) }
    }

    /// Writes down what is not written down yet. Sandboxes live on with their handles.
    public func close() async throws {
        try await cancellable { try await native.close(cancel: $0) }
    }
}

/// Sandboxes that are ready before they are asked for. None is handed out twice.
public final class Pool: Sendable {
    let native: IsoboxNative.Pool

    init(_ native: IsoboxNative.Pool) {
        self.native = native
    }

    /// A sandbox that is ready, or a new one.
    ///
    /// - Parameters:
    ///   - name: A name, unique among live sandboxes.
    ///   - labels: Labels beside those it has.
    ///   - ttl: How long it exists from now on.
    ///   - detached: Let it live on without this process.
    ///   - timeout: How long taking it may take.
    public func take(
        name: String? = nil,
        labels: [String: String] = [:],
        ttl: Lifetime? = nil,
        detached: Bool = false,
        timeout: TimeInterval? = nil
    ) async throws -> Sandbox {
        let options = IsoboxNative.TakeOptions(name: name, labels: labels, ttl: ttl, detached: detached, timeout: timeout)
        let result = try await cancellable { try await native.take(options: options, cancel: $0) }
        return Sandbox(result)
    }

    /// Waits until so many are ready.
    public func ready(_ count: UInt32) async throws {
        try await cancellable { try await native.ready(count: count, cancel: $0) }
    }

    /// How it is doing.
    @discardableResult
    public func status() async throws -> PoolStatus {
        try await cancellable { try await native.status(cancel: $0) }
    }

    /// Ends it with what it keeps ready. What was taken from it stays. Again is fine.
    public func close() async throws {
        try await cancellable { try await native.close(cancel: $0) }
    }
}

/// A command that was started. One that was spawned ends with its handle, unless it is detached; one that was found
/// goes on.
public final class SandboxProcess: Sendable {
    let native: IsoboxNative.SandboxProcess

    init(_ native: IsoboxNative.SandboxProcess) {
        self.native = native
    }

    /// Its id in the sandbox.
    public var id: String { native.id() }

    /// Its process id as seen in the sandbox, when it is known.
    public var pid: UInt32? { native.pid() }

    /// What comes out of it, last its end. Every byte comes; who does not ask slows down the command and nothing
    /// else. Several readers share what comes. Closing the stream leaves the command alone.
    public func events() -> SandboxStream<OutputEvent> {
        SandboxStream(native.events())
    }

    /// Writes to its input and returns when the bytes are accepted. The command must have been started with an open
    /// input.
    public func write(_ data: any BytesConvertible) async throws {
        let data = data.sandboxBytes
        return try await cancellable { try await native.write(data: data, cancel: $0) }
    }

    /// Ends its input. Again is fine.
    public func closeStdin() async throws {
        try await cancellable { try await native.closeStdin(cancel: $0) }
    }

    /// Sends a signal once, by its name such as `INT` or `SIGINT`, or its number. TERM does not escalate. A command
    /// that has ended is fine.
    public func signal(_ name: String, target: SignalTarget? = nil) async throws {
        try await cancellable { try await native.signal(name: name, target: target, cancel: $0) }
    }

    /// Ends its whole process tree: TERM, the grace, KILL. Without a grace that of its start counts.
    public func stop(grace: TimeInterval? = nil) async throws {
        try await cancellable { try await native.stop(grace: grace, cancel: $0) }
    }

    /// Kills its whole process tree.
    public func kill() async throws {
        try await cancellable { try await native.kill(cancel: $0) }
    }

    /// Changes the size of its terminal.
    public func resize(rows: UInt16, cols: UInt16) async throws {
        try await cancellable { try await native.resize(rows: rows, cols: cols, cancel: $0) }
    }

    /// Its end, with what was kept of its output, whether that was read or not. Again gives the same.
    @discardableResult
    public func wait() async throws -> ExecResult {
        try await cancellable { try await native.wait(cancel: $0) }
    }

    /// Lets it go on without this handle, until the sandbox ends.
    public func detach() async throws {
        try await cancellable { try await native.detach(cancel: $0) }
    }
}

/// One place to run commands in. It ends with the last handle of it, and with this process, unless it was detached.
public final class Sandbox: Sendable {
    let native: IsoboxNative.Sandbox

    init(_ native: IsoboxNative.Sandbox) {
        self.native = native
    }

    /// Makes a sandbox, in the library that is used where none is named.
    ///
    /// - Parameters:
    ///   - provider: Which provider makes it, such as `namespace`, `docker` or `host`; the first isolating one that
    ///     works here by default.
    ///   - name: A name, unique among live sandboxes.
    ///   - image: An image, such as `debian:12`.
    ///   - pull: When the image is fetched; when it is missing by default.
    ///   - platform: The platform of the image, such as `linux/arm64`; this machine's by default.
    ///   - auth: The credential for the image's registry.
    ///   - archive: An archive or layout folder of this machine with an image, as `docker save` and OCI tools write
    ///     them.
    ///   - rootfs: A directory of this machine as the root filesystem, which is never written to.
    ///   - snapshot: A snapshot, by its name or id.
    ///   - workspace: A directory of this machine as the workspace, which it may change and which is never removed.
    ///   - env: Variables for every command.
    ///   - labels: Labels, by which it is listed.
    ///   - user: The user that commands run as: a name, `uid`, `uid:gid` or `name:group`; that of the image by default.
    ///   - workdir: The working directory, absolute; that of the image by default.
    ///   - cpus: Processors; fractions are fine.
    ///   - memory: Memory.
    ///   - disk: Disk.
    ///   - pids: Processes and threads.
    ///   - gpus: GPUs.
    ///   - mounts: What is mounted.
    ///   - volumes: Volumes.
    ///   - secrets: Secrets.
    ///   - ports: Ports that will be asked for.
    ///   - network: What it may reach; nothing by default.
    ///   - ttl: How long it exists, whatever it does; for ever by default, and a day when it is detached.
    ///   - idleTimeout: How long it exists without use: a running command, a transfer, or a connection to a port.
    ///   - onExpiry: What happens at the end of either; it is removed by default.
    ///   - onIdle: What happens at the end of the idle timeout, where that differs.
    ///   - detached: Let it live on without this process.
    ///   - ownerLease: How long this process may be out of touch; a few seconds by default.
    ///   - entrypoint: Run the image's own entrypoint too.
    ///   - leastIsolation: The least isolation that is accepted.
    ///   - createTimeout: How long making it may take; 300 seconds by default.
    ///   - idempotencyKey: The same key with the same request gives the same sandbox, and makes nothing again.
    ///   - namespace: What only the namespace provider knows.
    ///   - docker: What only the Docker provider knows.
    ///   - host: What only the host provider knows.
    public static func create(
        provider: String? = nil,
        name: String? = nil,
        image: String? = nil,
        pull: PullPolicy? = nil,
        platform: String? = nil,
        auth: RegistryAuth? = nil,
        archive: (any BytesConvertible)? = nil,
        rootfs: (any BytesConvertible)? = nil,
        snapshot: String? = nil,
        workspace: (any BytesConvertible)? = nil,
        env: [String: String] = [:],
        labels: [String: String] = [:],
        user: String? = nil,
        workdir: (any BytesConvertible)? = nil,
        cpus: Double? = nil,
        memory: Size? = nil,
        disk: Size? = nil,
        pids: UInt64? = nil,
        gpus: UInt32? = nil,
        mounts: [Mount] = [],
        volumes: [VolumeMount] = [],
        secrets: [Secret] = [],
        ports: [UInt16] = [],
        network: NetworkPolicy? = nil,
        ttl: Lifetime? = nil,
        idleTimeout: Lifetime? = nil,
        onExpiry: Expiry? = nil,
        onIdle: Expiry? = nil,
        detached: Bool = false,
        ownerLease: TimeInterval? = nil,
        entrypoint: Bool = false,
        leastIsolation: Isolation? = nil,
        createTimeout: TimeInterval? = nil,
        idempotencyKey: String? = nil,
        namespace: NamespaceOptions? = nil,
        docker: DockerOptions? = nil,
        host: HostOptions? = nil
    ) async throws -> Sandbox {
        let options = IsoboxNative.CreateOptions(
            provider: provider,
            name: name,
            image: image,
            pull: pull,
            platform: platform,
            auth: auth,
            archiveBytes: archive?.sandboxBytes,
            rootfsBytes: rootfs?.sandboxBytes,
            snapshot: snapshot,
            workspaceBytes: workspace?.sandboxBytes,
            env: env,
            labels: labels,
            user: user,
            workdirBytes: workdir?.sandboxBytes,
            cpus: cpus,
            memory: memory,
            disk: disk,
            pids: pids,
            gpus: gpus,
            mounts: mounts,
            volumes: volumes,
            secrets: secrets,
            ports: ports,
            network: network,
            ttl: ttl,
            idleTimeout: idleTimeout,
            onExpiry: onExpiry,
            onIdle: onIdle,
            detached: detached,
            ownerLease: ownerLease,
            entrypoint: entrypoint,
            leastIsolation: leastIsolation,
            createTimeout: createTimeout,
            idempotencyKey: idempotencyKey,
            namespace: namespace,
            docker: docker,
            host: host
        )
        let result = try await cancellable { try await IsoboxNative.sandboxCreate(options: options, cancel: $0) }
        return Sandbox(result)
    }

    /// The sandbox with the name that is given, or a new one. Any number of callers at once get the same one.
    ///
    /// - Parameters:
    ///   - provider: Which provider makes it, such as `namespace`, `docker` or `host`; the first isolating one that
    ///     works here by default.
    ///   - name: A name, unique among live sandboxes.
    ///   - image: An image, such as `debian:12`.
    ///   - pull: When the image is fetched; when it is missing by default.
    ///   - platform: The platform of the image, such as `linux/arm64`; this machine's by default.
    ///   - auth: The credential for the image's registry.
    ///   - archive: An archive or layout folder of this machine with an image, as `docker save` and OCI tools write
    ///     them.
    ///   - rootfs: A directory of this machine as the root filesystem, which is never written to.
    ///   - snapshot: A snapshot, by its name or id.
    ///   - workspace: A directory of this machine as the workspace, which it may change and which is never removed.
    ///   - env: Variables for every command.
    ///   - labels: Labels, by which it is listed.
    ///   - user: The user that commands run as: a name, `uid`, `uid:gid` or `name:group`; that of the image by default.
    ///   - workdir: The working directory, absolute; that of the image by default.
    ///   - cpus: Processors; fractions are fine.
    ///   - memory: Memory.
    ///   - disk: Disk.
    ///   - pids: Processes and threads.
    ///   - gpus: GPUs.
    ///   - mounts: What is mounted.
    ///   - volumes: Volumes.
    ///   - secrets: Secrets.
    ///   - ports: Ports that will be asked for.
    ///   - network: What it may reach; nothing by default.
    ///   - ttl: How long it exists, whatever it does; for ever by default, and a day when it is detached.
    ///   - idleTimeout: How long it exists without use: a running command, a transfer, or a connection to a port.
    ///   - onExpiry: What happens at the end of either; it is removed by default.
    ///   - onIdle: What happens at the end of the idle timeout, where that differs.
    ///   - detached: Let it live on without this process.
    ///   - ownerLease: How long this process may be out of touch; a few seconds by default.
    ///   - entrypoint: Run the image's own entrypoint too.
    ///   - leastIsolation: The least isolation that is accepted.
    ///   - createTimeout: How long making it may take; 300 seconds by default.
    ///   - idempotencyKey: The same key with the same request gives the same sandbox, and makes nothing again.
    ///   - namespace: What only the namespace provider knows.
    ///   - docker: What only the Docker provider knows.
    ///   - host: What only the host provider knows.
    public static func getOrCreate(
        provider: String? = nil,
        name: String? = nil,
        image: String? = nil,
        pull: PullPolicy? = nil,
        platform: String? = nil,
        auth: RegistryAuth? = nil,
        archive: (any BytesConvertible)? = nil,
        rootfs: (any BytesConvertible)? = nil,
        snapshot: String? = nil,
        workspace: (any BytesConvertible)? = nil,
        env: [String: String] = [:],
        labels: [String: String] = [:],
        user: String? = nil,
        workdir: (any BytesConvertible)? = nil,
        cpus: Double? = nil,
        memory: Size? = nil,
        disk: Size? = nil,
        pids: UInt64? = nil,
        gpus: UInt32? = nil,
        mounts: [Mount] = [],
        volumes: [VolumeMount] = [],
        secrets: [Secret] = [],
        ports: [UInt16] = [],
        network: NetworkPolicy? = nil,
        ttl: Lifetime? = nil,
        idleTimeout: Lifetime? = nil,
        onExpiry: Expiry? = nil,
        onIdle: Expiry? = nil,
        detached: Bool = false,
        ownerLease: TimeInterval? = nil,
        entrypoint: Bool = false,
        leastIsolation: Isolation? = nil,
        createTimeout: TimeInterval? = nil,
        idempotencyKey: String? = nil,
        namespace: NamespaceOptions? = nil,
        docker: DockerOptions? = nil,
        host: HostOptions? = nil
    ) async throws -> Sandbox {
        let options = IsoboxNative.CreateOptions(
            provider: provider,
            name: name,
            image: image,
            pull: pull,
            platform: platform,
            auth: auth,
            archiveBytes: archive?.sandboxBytes,
            rootfsBytes: rootfs?.sandboxBytes,
            snapshot: snapshot,
            workspaceBytes: workspace?.sandboxBytes,
            env: env,
            labels: labels,
            user: user,
            workdirBytes: workdir?.sandboxBytes,
            cpus: cpus,
            memory: memory,
            disk: disk,
            pids: pids,
            gpus: gpus,
            mounts: mounts,
            volumes: volumes,
            secrets: secrets,
            ports: ports,
            network: network,
            ttl: ttl,
            idleTimeout: idleTimeout,
            onExpiry: onExpiry,
            onIdle: onIdle,
            detached: detached,
            ownerLease: ownerLease,
            entrypoint: entrypoint,
            leastIsolation: leastIsolation,
            createTimeout: createTimeout,
            idempotencyKey: idempotencyKey,
            namespace: namespace,
            docker: docker,
            host: host
        )
        let result = try await cancellable { try await IsoboxNative.sandboxGetOrCreate(options: options, cancel: $0) }
        return Sandbox(result)
    }

    /// A sandbox that is there, by its name or id, whatever process made it. It does not end with this handle.
    public static func connect(_ idOrName: String) async throws -> Sandbox {
        let result = try await cancellable { try await IsoboxNative.sandboxConnect(idOrName: idOrName, cancel: $0) }
        return Sandbox(result)
    }

    /// The sandboxes there are, the oldest first.
    ///
    /// - Parameters:
    ///   - labels: Labels that all must match.
    ///   - states: States of which one must match; all but `deleted` by default.
    ///   - provider: The provider.
    ///   - deleted: Those too that are deleted, as far as they are remembered.
    @discardableResult
    public static func list(
        labels: [String: String] = [:],
        states: [SandboxState] = [],
        provider: String? = nil,
        deleted: Bool = false
    ) async throws -> [SandboxInfo] {
        let options = IsoboxNative.ListOptions(labels: labels, states: states, provider: provider, deleted: deleted)
        return try await cancellable { try await IsoboxNative.sandboxList(options: options, cancel: $0) }
    }

    /// Its id, unique for ever.
    public var id: String { native.id() }

    /// The provider that made it.
    public var provider: String { native.provider() }

    /// Its working directory, absolute.
    public var workdir: String { String(decoding: native.workdir(), as: UTF8.self) }

    /// Its working directory, absolute. As bytes, without loss.
    public var workdirBytes: Data { native.workdir() }

    /// What it can do, by dotted names.
    public var capabilities: [String] { native.capabilities() }

    /// The image that it was made from.
    public var image: SandboxImage? { native.image() }

    /// The directory of the books that it is written down in, by which another process finds it.
    public var home: String { String(decoding: native.home(), as: UTF8.self) }

    /// The directory of the books that it is written down in, by which another process finds it. As bytes, without
    /// loss.
    public var homeBytes: Data { native.home() }

    /// Its files.
    public var files: Files { Files(native.files()) }

    /// Git in it.
    public var git: Git { Git(native.git()) }

    /// Searching its files.
    public var search: Search { Search(native.search()) }

    /// What runs in its background, by name.
    public var services: Services { Services(native.services()) }

    /// Runs a command to its end. A command that fails, is killed or runs into its timeout is a result, not an error,
    /// unless `check` says otherwise. Cancelling the call ends the whole process tree.
    ///
    /// - Parameters:
    ///   - env: Variables beside those of the sandbox; of two values for one name this one holds.
    ///   - cwd: Where to run, relative to the sandbox's working directory, which is also the default.
    ///   - user: A name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox; the sandbox's user by default.
    ///   - input: Its input; `/dev/null` by default.
    ///   - timeout: When its whole process tree is ended at the latest; never by default. The result then says that it
    ///     timed out.
    ///   - grace: When it is stopped: TERM, this long, then KILL. KILL at once by default.
    ///   - check: Fail with `command_failed` when it does not exit with 0.
    ///   - mergeStderr: Send stderr where stdout goes, in the order of the writes.
    ///   - maxOutput: Bytes of each stream that are kept at most, half from the start and half from the end; 10 MiB by
    ///     default.
    ///   - spill: Write everything to a file in the sandbox when more comes than is kept; the result names it.
    ///   - sanitize: What is taken out of the output; nothing by default.
    ///   - drain: How long the call waits, after the command has exited and after each byte, for descendants that hold
    ///     its output open; 0.2 seconds by default.
    ///   - label: The caller's name for it, in listings, events and errors. Must hold no secrets.
    @discardableResult
    public func exec(
        _ command: Program,
        env: [String: any BytesConvertible] = [:],
        cwd: (any BytesConvertible)? = nil,
        user: String? = nil,
        input: (any BytesConvertible)? = nil,
        timeout: TimeInterval? = nil,
        grace: TimeInterval? = nil,
        check: Bool = false,
        mergeStderr: Bool = false,
        maxOutput: UInt64? = nil,
        spill: Bool = false,
        sanitize: Sanitize? = nil,
        drain: TimeInterval? = nil,
        label: String? = nil
    ) async throws -> ExecResult {
        let options = IsoboxNative.ExecOptions(
            envBytes: env.mapValues { $0.sandboxBytes },
            cwdBytes: cwd?.sandboxBytes,
            user: user,
            inputBytes: input?.sandboxBytes,
            timeout: timeout,
            grace: grace,
            check: check,
            mergeStderr: mergeStderr,
            maxOutput: maxOutput,
            spill: spill,
            sanitize: sanitize,
            drain: drain,
            label: label
        )
        return try await cancellable { try await native.exec(command: command, options: options, cancel: $0) }
    }

    /// Starts a command and returns as soon as it runs. It ends with its handle, unless it is detached.
    ///
    /// - Parameters:
    ///   - env: Variables beside those of the sandbox; of two values for one name this one holds.
    ///   - cwd: Where to run, relative to the sandbox's working directory, which is also the default.
    ///   - user: A name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox; the sandbox's user by default.
    ///   - input: Its whole input; `/dev/null` by default.
    ///   - stdin: Keep its input open, for writing to it while it runs.
    ///   - timeout: When its whole process tree is ended at the latest; never by default.
    ///   - grace: When it is stopped: TERM, this long, then KILL. KILL at once by default.
    ///   - pty: Run it in a terminal; its output is one stream, stdout.
    ///   - rows: Lines of the terminal; 24 by default.
    ///   - cols: Characters of a line of the terminal; 80 by default.
    ///   - mergeStderr: Send stderr where stdout goes, in the order of the writes.
    ///   - maxOutput: Bytes of each stream that the result keeps at most; 10 MiB by default. What is read as it comes
    ///     is whole in any case.
    ///   - spill: Write everything to a file in the sandbox when more comes than is kept; the result names it.
    ///   - sanitize: What is taken out of the output; nothing by default.
    ///   - drain: How long its end waits for descendants that hold its output open; 0.2 seconds by default.
    ///   - detached: Let it go on when this process is gone, until the sandbox ends.
    ///   - label: The caller's name for it, in listings, events and errors. Must hold no secrets.
    public func spawn(
        _ command: Program,
        env: [String: any BytesConvertible] = [:],
        cwd: (any BytesConvertible)? = nil,
        user: String? = nil,
        input: (any BytesConvertible)? = nil,
        stdin: Bool = false,
        timeout: TimeInterval? = nil,
        grace: TimeInterval? = nil,
        pty: Bool = false,
        rows: UInt16? = nil,
        cols: UInt16? = nil,
        mergeStderr: Bool = false,
        maxOutput: UInt64? = nil,
        spill: Bool = false,
        sanitize: Sanitize? = nil,
        drain: TimeInterval? = nil,
        detached: Bool = false,
        label: String? = nil
    ) async throws -> SandboxProcess {
        let options = IsoboxNative.SpawnOptions(
            envBytes: env.mapValues { $0.sandboxBytes },
            cwdBytes: cwd?.sandboxBytes,
            user: user,
            inputBytes: input?.sandboxBytes,
            stdin: stdin,
            timeout: timeout,
            grace: grace,
            pty: pty,
            rows: rows,
            cols: cols,
            mergeStderr: mergeStderr,
            maxOutput: maxOutput,
            spill: spill,
            sanitize: sanitize,
            drain: drain,
            detached: detached,
            label: label
        )
        let result = try await cancellable { try await native.spawn(command: command, options: options, cancel: $0) }
        return SandboxProcess(result)
    }

    /// Every command that runs, and those that ended recently.
    @discardableResult
    public func processes() async throws -> [SandboxProcessInfo] {
        try await cancellable { try await native.processes(cancel: $0) }
    }

    /// A command that was started elsewhere, by its id. It does not end with this handle.
    ///
    /// - Parameters:
    ///   - onlyNew: Only what comes from now on; by default first all that is kept.
    ///   - afterStdout: Bytes of stdout that were seen already, to go on behind them.
    ///   - afterStderr: Bytes of stderr that were seen already, to go on behind them.
    public func process(
        _ id: String,
        onlyNew: Bool = false,
        afterStdout: UInt64? = nil,
        afterStderr: UInt64? = nil
    ) async throws -> SandboxProcess {
        let options = IsoboxNative.AttachOptions(onlyNew: onlyNew, afterStdout: afterStdout, afterStderr: afterStderr)
        let result = try await cancellable { try await native.process(id: id, options: options, cancel: $0) }
        return SandboxProcess(result)
    }

    /// Opens a shell that keeps its state between commands.
    ///
    /// - Parameters:
    ///   - shell: The shell; `bash` where it is there, `sh` otherwise, by default.
    ///   - env: Variables.
    ///   - cwd: Where it begins.
    ///   - user: Its user.
    ///   - rows: Lines of its terminal; 24 by default.
    ///   - cols: Characters of a line of its terminal; 80 by default.
    public func session(
        shell: String? = nil,
        env: [String: any BytesConvertible] = [:],
        cwd: (any BytesConvertible)? = nil,
        user: String? = nil,
        rows: UInt16? = nil,
        cols: UInt16? = nil
    ) async throws -> Session {
        let options = IsoboxNative.SessionOptions(
            shell: shell,
            envBytes: env.mapValues { $0.sandboxBytes },
            cwdBytes: cwd?.sandboxBytes,
            user: user,
            rows: rows,
            cols: cols
        )
        let result = try await cancellable { try await native.session(options: options, cancel: $0) }
        return Session(result)
    }

    /// What it is doing, as its backend says.
    @discardableResult
    public func status() async throws -> Status {
        try await cancellable { try await native.status(cancel: $0) }
    }

    /// What it uses now.
    @discardableResult
    public func metrics() async throws -> Metrics {
        try await cancellable { try await native.metrics(cancel: $0) }
    }

    /// Waits for its end: how it died, or none when it was stopped or deleted.
    @discardableResult
    public func ended() async throws -> PostMortem? {
        try await cancellable { try await native.ended(cancel: $0) }
    }

    /// Starts it, when it is stopped. One that runs is fine.
    public func start() async throws {
        try await cancellable { try await native.start(cancel: $0) }
    }

    /// Ends everything that runs in it, and keeps its files. One that is stopped is fine.
    public func stop(grace: TimeInterval? = nil) async throws {
        try await cancellable { try await native.stop(grace: grace, cancel: $0) }
    }

    /// Freezes it. One that is frozen is fine.
    public func pause() async throws {
        try await cancellable { try await native.pause(cancel: $0) }
    }

    /// Thaws it. One that runs is fine.
    public func resume() async throws {
        try await cancellable { try await native.resume(cancel: $0) }
    }

    /// Changes its limits.
    ///
    /// - Parameters:
    ///   - cpus: Processors; fractions are fine.
    ///   - memory: Memory.
    ///   - disk: Disk.
    ///   - pids: Processes and threads.
    public func resize(
        cpus: Double? = nil,
        memory: Size? = nil,
        disk: Size? = nil,
        pids: UInt64? = nil
    ) async throws {
        let options = IsoboxNative.ResizeOptions(cpus: cpus, memory: memory, disk: disk, pids: pids)
        return try await cancellable { try await native.resize(options: options, cancel: $0) }
    }

    /// Removes it with everything in it. One that is gone is fine.
    public func delete() async throws {
        try await cancellable { try await native.delete(cancel: $0) }
    }

    /// Lets it live on without this process. Without a time to live it gets one of a day.
    public func detach() async throws {
        try await cancellable { try await native.detach(cancel: $0) }
    }

    /// Makes it this process's: it ends with it.
    public func adopt() async throws {
        try await cancellable { try await native.adopt(cancel: $0) }
    }

    /// Counts as use, so that its idle timeout begins anew.
    public func touch() async throws {
        try await cancellable { try await native.touch(cancel: $0) }
    }

    /// Sets how long it exists, from when it was made.
    public func setTtl(_ ttl: Lifetime) async throws {
        try await cancellable { try await native.setTtl(ttl: ttl, cancel: $0) }
    }

    /// Takes a snapshot of its files, from which sandboxes can be made.
    ///
    /// - Parameters:
    ///   - name: A name, unique for the provider.
    ///   - labels: Labels.
    ///   - includeMemory: With memory and processes; files alone by default.
    @discardableResult
    public func snapshot(
        name: String? = nil,
        labels: [String: String] = [:],
        includeMemory: Bool = false
    ) async throws -> Snapshot {
        let options = IsoboxNative.SnapshotOptions(name: name, labels: labels, includeMemory: includeMemory)
        return try await cancellable { try await native.snapshot(options: options, cancel: $0) }
    }

    /// Copies of it, each with the files that it has now.
    ///
    /// - Parameters:
    ///   - count: How many; one by default.
    ///   - name: A name for a single copy.
    ///   - labels: Labels instead of those it has.
    ///   - includeMemory: With memory and processes; files alone by default.
    public func fork(
        count: UInt32? = nil,
        name: String? = nil,
        labels: [String: String]? = nil,
        includeMemory: Bool = false
    ) async throws -> [Sandbox] {
        let options = IsoboxNative.ForkOptions(count: count, name: name, labels: labels, includeMemory: includeMemory)
        let result = try await cancellable { try await native.fork(options: options, cancel: $0) }
        return result.map { Sandbox($0) }
    }

    /// Opens a port of this machine, on the loopback address, that leads to a port of the sandbox. The same port
    /// again gives the same one.
    @discardableResult
    public func forward(_ port: UInt16) async throws -> Endpoint {
        try await cancellable { try await native.forward(port: port, cancel: $0) }
    }

    /// Closes what was opened for a port. Again is fine.
    public func release(_ port: UInt16) async throws {
        try await cancellable { try await native.release(port: port, cancel: $0) }
    }

    /// Waits until something listens on a port.
    public func waitForPort(_ port: UInt16, timeout: TimeInterval) async throws {
        try await cancellable { try await native.waitForPort(port: port, timeout: timeout, cancel: $0) }
    }

    /// What listens in it now.
    @discardableResult
    public func listeningPorts() async throws -> [ListeningPort] {
        try await cancellable { try await native.listeningPorts(cancel: $0) }
    }
}

/// Searching the files of one sandbox, with the same results in every image.
public final class Search: Sendable {
    let native: IsoboxNative.Search

    init(_ native: IsoboxNative.Search) {
        self.native = native
    }

    /// The lines that match a regular expression, by path and line.
    ///
    /// - Parameters:
    ///   - path: A file or directory; the working directory by default.
    ///   - ignoreCase: Take large and small letters for the same.
    ///   - include: Only in files whose names match this pattern.
    ///   - maxMatches: The most matches; beyond a million, or 64 MiB of lines, it fails by default.
    @discardableResult
    public func grep(
        _ pattern: String,
        path: (any BytesConvertible)? = nil,
        ignoreCase: Bool = false,
        include: String? = nil,
        maxMatches: UInt64? = nil
    ) async throws -> [GrepMatch] {
        let options = IsoboxNative.GrepOptions(
            pathBytes: path?.sandboxBytes,
            ignoreCase: ignoreCase,
            include: include,
            maxMatches: maxMatches
        )
        return try await cancellable { try await native.grep(pattern: pattern, options: options, cancel: $0) }
    }

    /// The paths below a directory that match a pattern with `*`, `?`, `[...]` and `**`, sorted.
    @discardableResult
    public func glob(_ pattern: String, base: (any BytesConvertible)? = nil) async throws -> [String] {
        let base = base?.sandboxBytes
        let result = try await cancellable { try await native.glob(pattern: pattern, base: base, cancel: $0) }
        return result.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Everything below a directory, sorted.
    ///
    /// - Parameters:
    ///   - maxDepth: How many levels deep; all by default.
    ///   - exclude: Names that are left out, with everything below.
    @discardableResult
    public func walk(_ base: any BytesConvertible, maxDepth: UInt32? = nil, exclude: [String] = []) async throws -> [WalkEntry] {
        let base = base.sandboxBytes
        let options = IsoboxNative.WalkOptions(maxDepth: maxDepth, exclude: exclude)
        return try await cancellable { try await native.walk(base: base, options: options, cancel: $0) }
    }
}

/// The services of one sandbox.
public final class Services: Sendable {
    let native: IsoboxNative.Services

    init(_ native: IsoboxNative.Services) {
        self.native = native
    }

    /// Starts one and returns when it is ready. It goes on until it is stopped or the sandbox ends, whoever holds it.
    ///
    /// - Parameters:
    ///   - env: Variables beside those of the sandbox.
    ///   - cwd: Where to run, relative to the sandbox's working directory, which is also the default.
    ///   - user: Its user; that of the sandbox by default.
    ///   - readyPort: It is ready when something listens on this port.
    ///   - readyOutput: It is ready when its output has this in it.
    ///   - readyCommand: It is ready when this script exits with 0.
    ///   - readyTimeout: How long that may take; 30 seconds by default.
    public func start(
        _ name: String,
        command: Program,
        env: [String: any BytesConvertible] = [:],
        cwd: (any BytesConvertible)? = nil,
        user: String? = nil,
        readyPort: UInt16? = nil,
        readyOutput: (any BytesConvertible)? = nil,
        readyCommand: (any BytesConvertible)? = nil,
        readyTimeout: TimeInterval? = nil
    ) async throws -> Service {
        let options = IsoboxNative.ServiceOptions(
            envBytes: env.mapValues { $0.sandboxBytes },
            cwdBytes: cwd?.sandboxBytes,
            user: user,
            readyPort: readyPort,
            readyOutputBytes: readyOutput?.sandboxBytes,
            readyCommandBytes: readyCommand?.sandboxBytes,
            readyTimeout: readyTimeout
        )
        let result = try await cancellable { try await native.start(name: name, command: command, options: options, cancel: $0) }
        return Service(result)
    }

    /// One that was started, by its name.
    public func get(_ name: String) async throws -> Service {
        let result = try await cancellable { try await native.get(name: name, cancel: $0) }
        return Service(result)
    }

    /// All of them.
    public func all() async throws -> [Service] {
        let result = try await cancellable { try await native.all(cancel: $0) }
        return result.map { Service($0) }
    }
}

/// A service of a sandbox.
public final class Service: Sendable {
    let native: IsoboxNative.Service

    init(_ native: IsoboxNative.Service) {
        self.native = native
    }

    /// Its name.
    public var name: String { native.name() }

    /// Whether it runs.
    @discardableResult
    public func status() async throws -> ServiceStatus {
        try await cancellable { try await native.status(cancel: $0) }
    }

    /// The last bytes of its output, at most so many.
    @discardableResult
    public func logs(_ last: UInt64) async throws -> Data {
        try await cancellable { try await native.logs(last: last, cancel: $0) }
    }

    /// The command behind it.
    public func process() async throws -> SandboxProcess {
        let result = try await cancellable { try await native.process(cancel: $0) }
        return SandboxProcess(result)
    }

    /// Ends it with everything that it started. Again is fine.
    public func stop(grace: TimeInterval? = nil) async throws {
        try await cancellable { try await native.stop(grace: grace, cancel: $0) }
    }
}

/// A shell that keeps its directory, variables and functions between commands.
public final class Session: Sendable {
    let native: IsoboxNative.Session

    init(_ native: IsoboxNative.Session) {
        self.native = native
    }

    /// Runs a script in it. One that runs into its timeout is interrupted, and the session stays usable.
    @discardableResult
    public func run(_ script: any BytesConvertible, timeout: TimeInterval? = nil) async throws -> SessionOutput {
        let script = script.sandboxBytes
        return try await cancellable { try await native.run(script: script, timeout: timeout, cancel: $0) }
    }

    /// Interrupts what runs in it, as Ctrl-C does.
    public func interrupt() async throws {
        try await cancellable { try await native.interrupt(cancel: $0) }
    }

    /// Ends it and everything that it started. Again is fine.
    public func close() async throws {
        try await cancellable { try await native.close(cancel: $0) }
    }
}
