# Written by `cargo xtask gen` from bindings/src/api.rs. Do not edit.
"""Handles whose methods are awaited. Cancelling a task ends what it awaits."""

from __future__ import annotations

import datetime
from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Generic, List, TypeVar

from . import _native
from ._records import *  # noqa: F403
from ._types import Command, Lifetime, LocalPath, SandboxPath, Seconds, Size

T = TypeVar("T")


class AsyncStream(Generic[T]):
    """What comes one by one, when it is asked for: an asynchronous iterator. Nothing is read ahead."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Stream[T]) -> None:
        self._native = native

    def __aiter__(self) -> AsyncIterator[T]:
        return self

    async def __anext__(self) -> T:
        item = await self._native.next().result()
        if item is None:
            raise StopAsyncIteration
        return item

    async def close(self) -> None:
        """Ends it, also under somebody who waits for the next one. Again is fine."""
        await self._native.close().result()

    async def aclose(self) -> None:
        """The same, by the name that `contextlib.aclosing` knows."""
        await self.close()

    async def __aenter__(self) -> AsyncStream[T]:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


class AsyncFiles:
    """The files of one sandbox. Relative paths begin at its working directory."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Files) -> None:
        self._native = native

    async def read(
        self,
        path: SandboxPath,
        *,
        offset: int = 0,
        length: int | None = None,
        limit: int | None = None,
    ) -> bytes:
        """The bytes of a file, or of a part of it.

        Args:
            offset: Bytes to skip.
            length: Bytes to read; to the end by default.
            limit: Bytes that are accepted at most, beyond which it fails with `limit_exceeded`; 64 MiB by
                default. A stream has no such limit.
        """
        return await self._native.read(path, {"offset": offset, "length": length, "limit": limit}).result()

    async def read_text(self, path: SandboxPath) -> str:
        """The text of a file, which must be UTF-8."""
        return await self._native.read_text(path).result()

    async def read_stream(
        self,
        path: SandboxPath,
        *,
        offset: int = 0,
        length: int | None = None,
        limit: int | None = None,
    ) -> AsyncStream[bytes]:
        """The bytes of a file of any length as they come.

        Args:
            offset: Bytes to skip.
            length: Bytes to read; to the end by default.
            limit: Bytes that are accepted at most, beyond which it fails with `limit_exceeded`; 64 MiB by
                default. A stream has no such limit.
        """
        return AsyncStream(await self._native.read_stream(path, {"offset": offset, "length": length, "limit": limit}).result())

    async def write(
        self,
        path: SandboxPath,
        data: str | bytes,
        *,
        mode: int | None = None,
        owner: str | None = None,
        no_parents: bool = False,
        exclusive: bool = False,
        atomic: bool = False,
    ) -> None:
        """Writes a whole file, given as text or bytes.

        Args:
            mode: Its permission bits, such as 0o755; those of a file that exists stay as they are by default, a
                new one has 0o644 and a directory 0o755.
            owner: Its owner: a name, `uid`, `uid:gid` or `name:group`; by default the user that commands run
                as.
            no_parents: Fail where a directory on the way is missing; by default it is made.
            exclusive: Fail with `already_exists` where something is.
            atomic: Write beside it and rename, so that readers see the old or the new file and nothing between.
        """
        await self._native.write(path, data, {
            "mode": mode,
            "owner": owner,
            "no_parents": no_parents,
            "exclusive": exclusive,
            "atomic": atomic,
        }).result()

    async def append(self, path: SandboxPath, data: str | bytes) -> None:
        """Adds text or bytes to the end of a file, which is made if there is none."""
        await self._native.append(path, data).result()

    async def write_stream(
        self,
        path: SandboxPath,
        *,
        mode: int | None = None,
        owner: str | None = None,
        no_parents: bool = False,
        exclusive: bool = False,
        atomic: bool = False,
    ) -> AsyncFileWriter:
        """Writes a file from parts that are given one by one, so that it can be of any length.

        Args:
            mode: Its permission bits, such as 0o755; those of a file that exists stay as they are by default, a
                new one has 0o644 and a directory 0o755.
            owner: Its owner: a name, `uid`, `uid:gid` or `name:group`; by default the user that commands run
                as.
            no_parents: Fail where a directory on the way is missing; by default it is made.
            exclusive: Fail with `already_exists` where something is.
            atomic: Write beside it and rename, so that readers see the old or the new file and nothing between.
        """
        return AsyncFileWriter(await self._native.write_stream(path, {
            "mode": mode,
            "owner": owner,
            "no_parents": no_parents,
            "exclusive": exclusive,
            "atomic": atomic,
        }).result())

    async def stat(self, path: SandboxPath) -> Metadata:
        """What a path names, after following links."""
        return await self._native.stat(path).result()

    async def stat_link(self, path: SandboxPath) -> Metadata:
        """What a path names; a link itself."""
        return await self._native.stat_link(path).result()

    async def exists(self, path: SandboxPath) -> bool:
        """Whether a path names something, after following links."""
        return await self._native.exists(path).result()

    async def list(self, path: SandboxPath, *, depth: int | None = None) -> List[Entry]:
        """What is in a directory, sorted by the bytes of the paths. Links are listed and not followed.

        Args:
            depth: How many levels deep; 1, its direct children, by default.
        """
        return await self._native.list(path, {"depth": depth}).result()

    async def mkdir(
        self,
        path: SandboxPath,
        *,
        mode: int | None = None,
        owner: str | None = None,
        no_parents: bool = False,
        exclusive: bool = False,
        atomic: bool = False,
    ) -> None:
        """Makes a directory, and those on the way. One that exists is fine.

        Args:
            mode: Its permission bits, such as 0o755; those of a file that exists stay as they are by default, a
                new one has 0o644 and a directory 0o755.
            owner: Its owner: a name, `uid`, `uid:gid` or `name:group`; by default the user that commands run
                as.
            no_parents: Fail where a directory on the way is missing; by default it is made.
            exclusive: Fail with `already_exists` where something is.
            atomic: Write beside it and rename, so that readers see the old or the new file and nothing between.
        """
        await self._native.mkdir(path, {
            "mode": mode,
            "owner": owner,
            "no_parents": no_parents,
            "exclusive": exclusive,
            "atomic": atomic,
        }).result()

    async def rename(self, source: SandboxPath, target: SandboxPath) -> None:
        """Renames, replacing a file at the target."""
        await self._native.rename(source, target).result()

    async def copy(self, source: SandboxPath, target: SandboxPath) -> None:
        """Copies a file, or a directory with everything in it, keeping modes, times and links."""
        await self._native.copy(source, target).result()

    async def symlink(self, target: SandboxPath, path: SandboxPath) -> None:
        """Makes a symbolic link whose text is the target."""
        await self._native.symlink(target, path).result()

    async def read_link(self, path: SandboxPath) -> str:
        """The text of a symbolic link."""
        return await self._native.read_link(path).result()

    async def chmod(self, path: SandboxPath, mode: int) -> None:
        """Sets the permission bits, such as 0o755."""
        await self._native.chmod(path, mode).result()

    async def chown(self, path: SandboxPath, owner: str) -> None:
        """Sets the owner: a name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox."""
        await self._native.chown(path, owner).result()

    async def remove(self, path: SandboxPath) -> None:
        """Removes a file, a link or an empty directory. What is not there is fine."""
        await self._native.remove(path).result()

    async def remove_all(self, path: SandboxPath) -> None:
        """Removes a file, or a directory with everything in it, never through a link. What is not there is fine."""
        await self._native.remove_all(path).result()

    async def watch(self, path: SandboxPath, *, recursive: bool = False) -> AsyncStream[FileChange]:
        """Changes as they happen.

        Args:
            recursive: Also below directories.
        """
        return AsyncStream(await self._native.watch(path, {"recursive": recursive}).result())

    async def upload(
        self,
        local: LocalPath,
        remote: SandboxPath,
        *,
        owner: str | None = None,
        file_mode: int | None = None,
        directory_mode: int | None = None,
        exclude: Sequence[str] = (),
        max_entries: int | None = None,
        max_bytes: int | None = None,
    ) -> TransferReport:
        """Copies a file, or a directory with everything in it, from this machine.

        Args:
            owner: Who owns everything there; by default the user that commands run as.
            file_mode: Permission bits of files instead of those they have.
            directory_mode: Permission bits of directories instead of those they have.
            exclude: Names, or paths with `*` and `**` relative to the source, that are left out.
            max_entries: Files, directories and links at most; a million by default.
            max_bytes: Bytes at most; 64 GiB by default.
        """
        return await self._native.upload(local, remote, {
            "owner": owner,
            "file_mode": file_mode,
            "directory_mode": directory_mode,
            "exclude": exclude,
            "max_entries": max_entries,
            "max_bytes": max_bytes,
        }).result()

    async def download(
        self,
        remote: SandboxPath,
        local: LocalPath,
        *,
        keep_existing: bool = False,
        exclude: Sequence[str] = (),
        keep_escaping_links: bool = False,
        max_entries: int | None = None,
        max_bytes: int | None = None,
    ) -> TransferReport:
        """Copies a file, or a directory with everything in it, to this machine. Nothing is ever written outside of the
        target.

        Args:
            keep_existing: Fail with `already_exists` where something is; by default files are replaced.
            exclude: Names, or paths with `*` and `**` relative to the source, that are left out.
            keep_escaping_links: Copy links that point out of the tree as they are; by default they are left out
                and counted.
            max_entries: Files, directories and links at most; a million by default.
            max_bytes: Bytes at most; 64 GiB by default.
        """
        return await self._native.download(remote, local, {
            "keep_existing": keep_existing,
            "exclude": exclude,
            "keep_escaping_links": keep_escaping_links,
            "max_entries": max_entries,
            "max_bytes": max_bytes,
        }).result()


class AsyncFileWriter:
    """A file that is being written. Without a close what was written may be there in part."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.FileWriter) -> None:
        self._native = native

    async def write(self, data: str | bytes) -> None:
        """Writes the next part, and returns when it is accepted."""
        await self._native.write(data).result()

    async def close(self) -> int:
        """Ends the file and returns its bytes, once all of it is there. Again gives the same."""
        return await self._native.close().result()

    async def __aenter__(self) -> AsyncFileWriter:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            await self.close()


class AsyncGit:
    """Git in one sandbox. It runs the git of the sandbox."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Git) -> None:
        self._native = native

    async def clone_repository(
        self,
        url: str,
        target: SandboxPath,
        *,
        branch: str | None = None,
        commit: str | None = None,
        tag: str | None = None,
        depth: int | None = None,
        username: str | None = None,
        password: str | None = None,
        attempts: int | None = None,
        wait: Seconds | None = None,
    ) -> AsyncRepository:
        """Clones a repository into a directory that is empty or not there.

        Args:
            branch: The branch; the remote's own choice by default.
            commit: The commit that is checked out.
            tag: The tag that is checked out.
            depth: How many commits of the past; all by default.
            username: The user, for this call alone.
            password: The password or token, for this call alone.
            attempts: How often it is tried when the remote cannot be reached; once by default.
            wait: How long is waited between two attempts.
        """
        return AsyncRepository(await self._native.clone_repository(url, target, {
            "branch": branch,
            "commit": commit,
            "tag": tag,
            "depth": depth,
            "username": username,
            "password": password,
            "attempts": attempts,
            "wait": wait,
        }).result())

    async def init(self, path: SandboxPath) -> AsyncRepository:
        """Makes a repository."""
        return AsyncRepository(await self._native.init(path).result())

    async def open(self, path: SandboxPath) -> AsyncRepository:
        """A repository that is there."""
        return AsyncRepository(await self._native.open(path).result())


class AsyncRepository:
    """A repository in a sandbox."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Repository) -> None:
        self._native = native

    @property
    def path(self) -> str:
        """Where it is."""
        return self._native.path

    async def status(self) -> GitStatus:
        """What it is like."""
        return await self._native.status().result()

    async def add(self, paths: Sequence[SandboxPath] = ()) -> None:
        """Prepares paths for the next commit."""
        await self._native.add(paths).result()

    async def add_all(self) -> None:
        """Prepares everything for the next commit."""
        await self._native.add_all().result()

    async def commit(
        self,
        message: str,
        *,
        author: str | None = None,
        email: str | None = None,
        allow_empty: bool = False,
    ) -> str:
        """Makes a commit of what is prepared, and returns its id.

        Args:
            author: The name of its author; what git is configured with by default.
            email: The address of its author.
            allow_empty: Make it also when nothing is changed.
        """
        return await self._native.commit(message, {"author": author, "email": email, "allow_empty": allow_empty}).result()

    async def fetch(
        self,
        *,
        remote: str | None = None,
        branch: str | None = None,
        set_upstream: bool = False,
        username: str | None = None,
        password: str | None = None,
        attempts: int | None = None,
        wait: Seconds | None = None,
    ) -> None:
        """Fetches what a remote has.

        Args:
            remote: The name of the remote; that of the branch, or `origin`, by default.
            branch: The branch; the current one by default.
            set_upstream: Let the branch follow that of the remote from now on.
            username: The user, for this call alone.
            password: The password or token, for this call alone.
            attempts: How often it is tried when the remote cannot be reached; once by default.
            wait: How long is waited between two attempts.
        """
        await self._native.fetch({
            "remote": remote,
            "branch": branch,
            "set_upstream": set_upstream,
            "username": username,
            "password": password,
            "attempts": attempts,
            "wait": wait,
        }).result()

    async def pull(
        self,
        *,
        remote: str | None = None,
        branch: str | None = None,
        set_upstream: bool = False,
        username: str | None = None,
        password: str | None = None,
        attempts: int | None = None,
        wait: Seconds | None = None,
    ) -> None:
        """Fetches and merges what a remote has.

        Args:
            remote: The name of the remote; that of the branch, or `origin`, by default.
            branch: The branch; the current one by default.
            set_upstream: Let the branch follow that of the remote from now on.
            username: The user, for this call alone.
            password: The password or token, for this call alone.
            attempts: How often it is tried when the remote cannot be reached; once by default.
            wait: How long is waited between two attempts.
        """
        await self._native.pull({
            "remote": remote,
            "branch": branch,
            "set_upstream": set_upstream,
            "username": username,
            "password": password,
            "attempts": attempts,
            "wait": wait,
        }).result()

    async def push(
        self,
        *,
        remote: str | None = None,
        branch: str | None = None,
        set_upstream: bool = False,
        username: str | None = None,
        password: str | None = None,
        attempts: int | None = None,
        wait: Seconds | None = None,
    ) -> None:
        """Gives a remote what it does not have.

        Args:
            remote: The name of the remote; that of the branch, or `origin`, by default.
            branch: The branch; the current one by default.
            set_upstream: Let the branch follow that of the remote from now on.
            username: The user, for this call alone.
            password: The password or token, for this call alone.
            attempts: How often it is tried when the remote cannot be reached; once by default.
            wait: How long is waited between two attempts.
        """
        await self._native.push({
            "remote": remote,
            "branch": branch,
            "set_upstream": set_upstream,
            "username": username,
            "password": password,
            "attempts": attempts,
            "wait": wait,
        }).result()

    async def branches(self) -> List[GitBranch]:
        """Its branches, with those of remotes."""
        return await self._native.branches().result()

    async def checkout(self, revision: str) -> None:
        """Checks a revision out."""
        await self._native.checkout(revision).result()

    async def create_branch(self, name: str) -> None:
        """Makes a branch and checks it out."""
        await self._native.create_branch(name).result()

    async def rev_parse(self, revision: str) -> str:
        """The id of a revision."""
        return await self._native.rev_parse(revision).result()

    async def log(self, revision: str, most: int) -> List[GitCommit]:
        """The commits up to a revision, the newest first."""
        return await self._native.log(revision, most).result()

    async def diff(self, revision: str, to: str | None = None) -> bytes:
        """The difference between two revisions, or between one and what is there, as a patch."""
        return await self._native.diff(revision, to).result()

    async def changes(self, revision: str, to: str | None = None) -> List[GitChange]:
        """The same, path by path."""
        return await self._native.changes(revision, to).result()

    async def untracked_files(self) -> List[str]:
        """The files that git does not know."""
        return await self._native.untracked_files().result()

    async def set_credentials(self, username: str, password: str) -> None:
        """Lets the repository keep a credential for its remotes, until it is cleared."""
        await self._native.set_credentials(username, password).result()

    async def clear_credentials(self) -> None:
        """Lets it forget that."""
        await self._native.clear_credentials().result()

    async def set_config(self, key: str, value: str) -> None:
        """Sets a value of its configuration."""
        await self._native.set_config(key, value).result()


class AsyncImages:
    """The images of one provider."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Images) -> None:
        self._native = native

    async def pull(
        self,
        reference: str,
        *,
        pull: PullPolicy | None = None,
        platform: str | None = None,
        auth: RegistryAuth | None = None,
    ) -> ImageInfo:
        """Fetches an image.

        Args:
            pull: When it is fetched; when it is missing by default.
            platform: Its platform, such as `linux/arm64`; this machine's by default.
            auth: The credential for its registry.
        """
        return await self._native.pull(reference, {"pull": pull, "platform": platform, "auth": auth}).result()

    async def load(self, archive: LocalPath) -> List[ImageInfo]:
        """Takes the images of an archive or layout folder of this machine."""
        return await self._native.load(archive).result()

    async def all(self) -> List[ImageInfo]:
        """All of them."""
        return await self._native.all().result()

    async def remove(self, name: str) -> None:
        """Removes one, by its name. One that a sandbox uses is refused."""
        await self._native.remove(name).result()

    async def prune(self, budget: Size) -> PrunedImages:
        """Removes what no sandbox uses, the longest unused first, until the rest takes no more than the budget."""
        return await self._native.prune(budget).result()


class AsyncIsobox:
    """An open library: one directory of books and files, which any number of processes share, and the providers."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Isobox) -> None:
        self._native = native

    @classmethod
    async def open(cls, *, home: LocalPath | None = None, default_provider: str | None = None) -> AsyncIsobox:
        """Opens it. Sandboxes that a process left when it was killed are removed then.

        Args:
            home: The directory of its books and files; by default that which `ISOBOX_HOME` names, or one of
                this user's.
            default_provider: The provider of sandboxes that name none; the first isolating one that works here
                by default.
        """
        return cls(await _native.Isobox.open({"home": home, "default_provider": default_provider}).result())

    @classmethod
    async def shared(cls) -> AsyncIsobox:
        """The one that is used where none is named."""
        return cls(await _native.Isobox.shared().result())

    @property
    def home(self) -> str:
        """The directory of its books and files."""
        return self._native.home

    async def create(
        self,
        *,
        provider: str | None = None,
        name: str | None = None,
        image: str | None = None,
        pull: PullPolicy | None = None,
        platform: str | None = None,
        auth: RegistryAuth | None = None,
        archive: LocalPath | None = None,
        rootfs: LocalPath | None = None,
        snapshot: str | None = None,
        workspace: LocalPath | None = None,
        env: Mapping[str, str] | None = None,
        labels: Mapping[str, str] | None = None,
        user: str | None = None,
        workdir: SandboxPath | None = None,
        cpus: float | None = None,
        memory: Size | None = None,
        disk: Size | None = None,
        pids: int | None = None,
        gpus: int | None = None,
        mounts: Sequence[Mount] = (),
        volumes: Sequence[VolumeMount] = (),
        secrets: Sequence[Secret] = (),
        ports: Sequence[int] = (),
        network: NetworkPolicy | None = None,
        ttl: Lifetime | None = None,
        idle_timeout: Lifetime | None = None,
        on_expiry: Expiry | None = None,
        on_idle: Expiry | None = None,
        detached: bool = False,
        owner_lease: Seconds | None = None,
        entrypoint: bool = False,
        least_isolation: Isolation | None = None,
        create_timeout: Seconds | None = None,
        idempotency_key: str | None = None,
        namespace: NamespaceOptions | None = None,
        docker: DockerOptions | None = None,
        host: HostOptions | None = None,
    ) -> AsyncSandbox:
        """Makes a sandbox.

        Args:
            provider: Which provider makes it, such as `namespace`, `docker` or `host`; the first isolating one
                that works here by default.
            name: A name, unique among live sandboxes.
            image: An image, such as `debian:12`.
            pull: When the image is fetched; when it is missing by default.
            platform: The platform of the image, such as `linux/arm64`; this machine's by default.
            auth: The credential for the image's registry.
            archive: An archive or layout folder of this machine with an image, as `docker save` and OCI tools
                write them.
            rootfs: A directory of this machine as the root filesystem, which is never written to.
            snapshot: A snapshot, by its name or id.
            workspace: A directory of this machine as the workspace, which it may change and which is never
                removed.
            env: Variables for every command.
            labels: Labels, by which it is listed.
            user: The user that commands run as: a name, `uid`, `uid:gid` or `name:group`; that of the image by
                default.
            workdir: The working directory, absolute; that of the image by default.
            cpus: Processors; fractions are fine.
            memory: Memory.
            disk: Disk.
            pids: Processes and threads.
            gpus: GPUs.
            mounts: What is mounted.
            volumes: Volumes.
            secrets: Secrets.
            ports: Ports that will be asked for.
            network: What it may reach; nothing by default.
            ttl: How long it exists, whatever it does; for ever by default, and a day when it is detached.
            idle_timeout: How long it exists without use: a running command, a transfer, or a connection to a
                port.
            on_expiry: What happens at the end of either; it is removed by default.
            on_idle: What happens at the end of the idle timeout, where that differs.
            detached: Let it live on without this process.
            owner_lease: How long this process may be out of touch; a few seconds by default.
            entrypoint: Run the image's own entrypoint too.
            least_isolation: The least isolation that is accepted.
            create_timeout: How long making it may take; 300 seconds by default.
            idempotency_key: The same key with the same request gives the same sandbox, and makes nothing again.
            namespace: What only the namespace provider knows.
            docker: What only the Docker provider knows.
            host: What only the host provider knows.
        """
        return AsyncSandbox(await self._native.create({
            "provider": provider,
            "name": name,
            "image": image,
            "pull": pull,
            "platform": platform,
            "auth": auth,
            "archive": archive,
            "rootfs": rootfs,
            "snapshot": snapshot,
            "workspace": workspace,
            "env": env,
            "labels": labels,
            "user": user,
            "workdir": workdir,
            "cpus": cpus,
            "memory": memory,
            "disk": disk,
            "pids": pids,
            "gpus": gpus,
            "mounts": mounts,
            "volumes": volumes,
            "secrets": secrets,
            "ports": ports,
            "network": network,
            "ttl": ttl,
            "idle_timeout": idle_timeout,
            "on_expiry": on_expiry,
            "on_idle": on_idle,
            "detached": detached,
            "owner_lease": owner_lease,
            "entrypoint": entrypoint,
            "least_isolation": least_isolation,
            "create_timeout": create_timeout,
            "idempotency_key": idempotency_key,
            "namespace": namespace,
            "docker": docker,
            "host": host,
        }).result())

    async def get_or_create(
        self,
        *,
        provider: str | None = None,
        name: str | None = None,
        image: str | None = None,
        pull: PullPolicy | None = None,
        platform: str | None = None,
        auth: RegistryAuth | None = None,
        archive: LocalPath | None = None,
        rootfs: LocalPath | None = None,
        snapshot: str | None = None,
        workspace: LocalPath | None = None,
        env: Mapping[str, str] | None = None,
        labels: Mapping[str, str] | None = None,
        user: str | None = None,
        workdir: SandboxPath | None = None,
        cpus: float | None = None,
        memory: Size | None = None,
        disk: Size | None = None,
        pids: int | None = None,
        gpus: int | None = None,
        mounts: Sequence[Mount] = (),
        volumes: Sequence[VolumeMount] = (),
        secrets: Sequence[Secret] = (),
        ports: Sequence[int] = (),
        network: NetworkPolicy | None = None,
        ttl: Lifetime | None = None,
        idle_timeout: Lifetime | None = None,
        on_expiry: Expiry | None = None,
        on_idle: Expiry | None = None,
        detached: bool = False,
        owner_lease: Seconds | None = None,
        entrypoint: bool = False,
        least_isolation: Isolation | None = None,
        create_timeout: Seconds | None = None,
        idempotency_key: str | None = None,
        namespace: NamespaceOptions | None = None,
        docker: DockerOptions | None = None,
        host: HostOptions | None = None,
    ) -> AsyncSandbox:
        """The sandbox with the name that is given, or a new one. Any number of callers at once get the same one.

        Args:
            provider: Which provider makes it, such as `namespace`, `docker` or `host`; the first isolating one
                that works here by default.
            name: A name, unique among live sandboxes.
            image: An image, such as `debian:12`.
            pull: When the image is fetched; when it is missing by default.
            platform: The platform of the image, such as `linux/arm64`; this machine's by default.
            auth: The credential for the image's registry.
            archive: An archive or layout folder of this machine with an image, as `docker save` and OCI tools
                write them.
            rootfs: A directory of this machine as the root filesystem, which is never written to.
            snapshot: A snapshot, by its name or id.
            workspace: A directory of this machine as the workspace, which it may change and which is never
                removed.
            env: Variables for every command.
            labels: Labels, by which it is listed.
            user: The user that commands run as: a name, `uid`, `uid:gid` or `name:group`; that of the image by
                default.
            workdir: The working directory, absolute; that of the image by default.
            cpus: Processors; fractions are fine.
            memory: Memory.
            disk: Disk.
            pids: Processes and threads.
            gpus: GPUs.
            mounts: What is mounted.
            volumes: Volumes.
            secrets: Secrets.
            ports: Ports that will be asked for.
            network: What it may reach; nothing by default.
            ttl: How long it exists, whatever it does; for ever by default, and a day when it is detached.
            idle_timeout: How long it exists without use: a running command, a transfer, or a connection to a
                port.
            on_expiry: What happens at the end of either; it is removed by default.
            on_idle: What happens at the end of the idle timeout, where that differs.
            detached: Let it live on without this process.
            owner_lease: How long this process may be out of touch; a few seconds by default.
            entrypoint: Run the image's own entrypoint too.
            least_isolation: The least isolation that is accepted.
            create_timeout: How long making it may take; 300 seconds by default.
            idempotency_key: The same key with the same request gives the same sandbox, and makes nothing again.
            namespace: What only the namespace provider knows.
            docker: What only the Docker provider knows.
            host: What only the host provider knows.
        """
        return AsyncSandbox(await self._native.get_or_create({
            "provider": provider,
            "name": name,
            "image": image,
            "pull": pull,
            "platform": platform,
            "auth": auth,
            "archive": archive,
            "rootfs": rootfs,
            "snapshot": snapshot,
            "workspace": workspace,
            "env": env,
            "labels": labels,
            "user": user,
            "workdir": workdir,
            "cpus": cpus,
            "memory": memory,
            "disk": disk,
            "pids": pids,
            "gpus": gpus,
            "mounts": mounts,
            "volumes": volumes,
            "secrets": secrets,
            "ports": ports,
            "network": network,
            "ttl": ttl,
            "idle_timeout": idle_timeout,
            "on_expiry": on_expiry,
            "on_idle": on_idle,
            "detached": detached,
            "owner_lease": owner_lease,
            "entrypoint": entrypoint,
            "least_isolation": least_isolation,
            "create_timeout": create_timeout,
            "idempotency_key": idempotency_key,
            "namespace": namespace,
            "docker": docker,
            "host": host,
        }).result())

    async def connect(self, id_or_name: str) -> AsyncSandbox:
        """A sandbox that is there, by its name or id, whatever process made it. It does not end with this handle."""
        return AsyncSandbox(await self._native.connect(id_or_name).result())

    async def list(
        self,
        *,
        labels: Mapping[str, str] | None = None,
        states: Sequence[State] = (),
        provider: str | None = None,
        deleted: bool = False,
    ) -> List[SandboxInfo]:
        """The sandboxes there are, the oldest first.

        Args:
            labels: Labels that all must match.
            states: States of which one must match; all but `deleted` by default.
            provider: The provider.
            deleted: Those too that are deleted, as far as they are remembered.
        """
        return await self._native.list({
            "labels": labels,
            "states": states,
            "provider": provider,
            "deleted": deleted,
        }).result()

    async def inspect(self, id_or_name: str) -> SandboxInfo:
        """What is written down about a sandbox, by its name or id, also when it is gone."""
        return await self._native.inspect(id_or_name).result()

    async def post_mortem(self, id_or_name: str) -> PostMortem | None:
        """How a sandbox died unasked, by its name or id; none for one that lives, or that somebody deleted."""
        return await self._native.post_mortem(id_or_name).result()

    async def events(
        self,
        *,
        after: int | None = None,
        sandboxes: Sequence[str] = (),
        kinds: Sequence[str] = (),
        no_follow: bool = False,
    ) -> AsyncStream[Event]:
        """What happens, in this process and in others.

        Args:
            after: Those behind this one, by its number; from now on by default. 0 begins with the oldest that
                is kept.
            sandboxes: Of these sandboxes, by their ids; of everything by default.
            kinds: Of these kinds, such as `exec_exited`; all by default.
            no_follow: End with the last one that there is; by default those to come are waited for.
        """
        return AsyncStream(await self._native.events({
            "after": after,
            "sandboxes": sandboxes,
            "kinds": kinds,
            "no_follow": no_follow,
        }).result())

    async def providers(self) -> List[ProviderInfo]:
        """The providers that are built in, and whether they work here."""
        return await self._native.providers().result()

    async def collect_garbage(self, *, dry_run: bool = False) -> List[Garbage]:
        """Removes what nobody needs: what killed processes left. With `dry_run` it is only told."""
        return await self._native.collect_garbage(dry_run).result()

    async def snapshots(self, provider: str | None = None) -> List[Snapshot]:
        """The snapshots that a provider has."""
        return await self._native.snapshots(provider).result()

    async def snapshot(self, id_or_name: str, provider: str | None = None) -> Snapshot:
        """A snapshot, by its name or id."""
        return await self._native.snapshot(id_or_name, provider).result()

    async def delete_snapshot(self, id_or_name: str, provider: str | None = None) -> None:
        """Removes a snapshot, by its name or id. What is not there is fine."""
        await self._native.delete_snapshot(id_or_name, provider).result()

    async def create_volume(
        self,
        name: str,
        *,
        size: Size | None = None,
        labels: Mapping[str, str] | None = None,
        provider: str | None = None,
    ) -> Volume:
        """Makes a volume.

        Args:
            size: Its size at most; no limit by default.
            labels: Its labels.
            provider: The provider that makes it; the first isolating one that works here by default.
        """
        return await self._native.create_volume(name, {"size": size, "labels": labels, "provider": provider}).result()

    async def volumes(self, provider: str | None = None) -> List[Volume]:
        """The volumes that a provider has."""
        return await self._native.volumes(provider).result()

    async def volume(self, id_or_name: str, provider: str | None = None) -> Volume:
        """A volume, by its name or id."""
        return await self._native.volume(id_or_name, provider).result()

    async def delete_volume(self, id_or_name: str, provider: str | None = None) -> None:
        """Removes a volume with its contents, by its name or id. One that a sandbox uses is refused."""
        await self._native.delete_volume(id_or_name, provider).result()

    async def export_snapshot(
        self,
        id_or_name: str,
        to: LocalPath,
        *,
        provider: str | None = None,
        reference: str | None = None,
        compress: bool = False,
    ) -> ExportedImage:
        """Writes a snapshot into a file of this machine, as an image that `docker load` and others take.

        Args:
            provider: The provider that has it; the first isolating one that works here by default.
            reference: The name of the image, with a tag; none by default.
            compress: Pack its layers with gzip.
        """
        return await self._native.export_snapshot(id_or_name, to, {"provider": provider, "reference": reference, "compress": compress}).result()

    async def import_snapshot(
        self,
        archive: LocalPath,
        *,
        provider: str | None = None,
        name: str | None = None,
        labels: Mapping[str, str] | None = None,
        image: str | None = None,
    ) -> Snapshot:
        """Makes a snapshot from an image in an archive or layout folder of this machine.

        Args:
            provider: The provider that takes it; the first isolating one that works here by default.
            name: A name for the snapshot, unique for the provider.
            labels: Its labels.
            image: The name of the image, which an archive with several needs.
        """
        return await self._native.import_snapshot(archive, {
            "provider": provider,
            "name": name,
            "labels": labels,
            "image": image,
        }).result()

    async def images(self, provider: str | None = None) -> AsyncImages:
        """The images that a provider has."""
        return AsyncImages(await self._native.images(provider).result())

    async def pool(
        self,
        size: int,
        *,
        sandbox: CreateOptions | None = None,
        min_ready: int | None = None,
        refills_at_once: int | None = None,
        max_age: Seconds | None = None,
        name: str | None = None,
        shared_as: str | None = None,
    ) -> AsyncPool:
        """Keeps so many sandboxes ready.

        Args:
            sandbox: What its sandboxes are made from and like; the default of everything by default.
            min_ready: How many must be ready before it is open; none by default.
            refills_at_once: How many are made at once to refill it; one for each processor by default.
            max_age: How long one is kept before another is made in its place; for ever by default.
            name: A name, for people.
            shared_as: A name by which other processes take from it.
        """
        return AsyncPool(await self._native.pool(size, {
            "sandbox": sandbox,
            "min_ready": min_ready,
            "refills_at_once": refills_at_once,
            "max_age": max_age,
            "name": name,
            "shared_as": shared_as,
        }).result())

    async def take_from(
        self,
        pool: str,
        *,
        name: str | None = None,
        labels: Mapping[str, str] | None = None,
        ttl: Lifetime | None = None,
        detached: bool = False,
        timeout: Seconds | None = None,
    ) -> AsyncSandbox:
        """A sandbox from a pool of another process, by the name that it is shared as.

        Args:
            name: A name, unique among live sandboxes.
            labels: Labels beside those it has.
            ttl: How long it exists from now on.
            detached: Let it live on without this process.
            timeout: How long taking it may take.
        """
        return AsyncSandbox(await self._native.take_from(pool, {
            "name": name,
            "labels": labels,
            "ttl": ttl,
            "detached": detached,
            "timeout": timeout,
        }).result())

    async def limits(self) -> Limits:
        """What may be at once on this machine."""
        return await self._native.limits().result()

    async def set_limits(
        self,
        *,
        concurrent_creates: int | None = None,
        live_sandboxes: int | None = None,
        unlimited_live_sandboxes: bool = False,
        queue_length: int | None = None,
        queue_wait: Seconds | None = None,
    ) -> None:
        """Changes what may be at once on this machine.

        Args:
            concurrent_creates: Sandboxes that are made at once.
            live_sandboxes: Sandboxes that live at once.
            unlimited_live_sandboxes: Let any number live at once.
            queue_length: Creations that wait at most.
            queue_wait: How long one waits at most.
        """
        await self._native.set_limits({
            "concurrent_creates": concurrent_creates,
            "live_sandboxes": live_sandboxes,
            "unlimited_live_sandboxes": unlimited_live_sandboxes,
            "queue_length": queue_length,
            "queue_wait": queue_wait,
        }).result()

    async def queue(self) -> Queue:
        """What is made now on this machine, and who waits."""
        return await self._native.queue().result()

    async def disk_usage(self) -> List[KindUsage]:
        """What takes disk."""
        return await self._native.disk_usage().result()

    async def close(self) -> None:
        """Writes down what is not written down yet. Sandboxes live on with their handles."""
        await self._native.close().result()

    async def __aenter__(self) -> AsyncIsobox:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


class AsyncPool:
    """Sandboxes that are ready before they are asked for. None is handed out twice."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Pool) -> None:
        self._native = native

    async def take(
        self,
        *,
        name: str | None = None,
        labels: Mapping[str, str] | None = None,
        ttl: Lifetime | None = None,
        detached: bool = False,
        timeout: Seconds | None = None,
    ) -> AsyncSandbox:
        """A sandbox that is ready, or a new one.

        Args:
            name: A name, unique among live sandboxes.
            labels: Labels beside those it has.
            ttl: How long it exists from now on.
            detached: Let it live on without this process.
            timeout: How long taking it may take.
        """
        return AsyncSandbox(await self._native.take({
            "name": name,
            "labels": labels,
            "ttl": ttl,
            "detached": detached,
            "timeout": timeout,
        }).result())

    async def ready(self, count: int) -> None:
        """Waits until so many are ready."""
        await self._native.ready(count).result()

    async def status(self) -> PoolStatus:
        """How it is doing."""
        return await self._native.status().result()

    async def close(self) -> None:
        """Ends it with what it keeps ready. What was taken from it stays. Again is fine."""
        await self._native.close().result()

    async def __aenter__(self) -> AsyncPool:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


class AsyncProcess:
    """A command that was started. One that was spawned ends with its handle, unless it is detached; one that was found
    goes on.
    """

    __slots__ = ("_native",)

    def __init__(self, native: _native.Process) -> None:
        self._native = native

    @property
    def id(self) -> str:
        """Its id in the sandbox."""
        return self._native.id

    @property
    def pid(self) -> int | None:
        """Its process id as seen in the sandbox, when it is known."""
        return self._native.pid

    def events(self) -> AsyncStream[OutputEvent]:
        """What comes out of it, last its end. Every byte comes; who does not ask slows down the command and nothing
        else. Several readers share what comes. Closing the stream leaves the command alone.
        """
        return AsyncStream(self._native.events())

    async def write(self, data: str | bytes) -> None:
        """Writes to its input and returns when the bytes are accepted. The command must have been started with an open
        input.
        """
        await self._native.write(data).result()

    async def close_stdin(self) -> None:
        """Ends its input. Again is fine."""
        await self._native.close_stdin().result()

    async def signal(self, name: str, target: SignalTarget | None = None) -> None:
        """Sends a signal once, by its name such as `INT` or `SIGINT`, or its number. TERM does not escalate. A command
        that has ended is fine.
        """
        await self._native.signal(name, target).result()

    async def stop(self, grace: Seconds | None = None) -> None:
        """Ends its whole process tree: TERM, the grace, KILL. Without a grace that of its start counts."""
        await self._native.stop(grace).result()

    async def kill(self) -> None:
        """Kills its whole process tree."""
        await self._native.kill().result()

    async def resize(self, rows: int, cols: int) -> None:
        """Changes the size of its terminal."""
        await self._native.resize(rows, cols).result()

    async def wait(self) -> ExecResult:
        """Its end, with what was kept of its output, whether that was read or not. Again gives the same."""
        return await self._native.wait().result()

    async def detach(self) -> None:
        """Lets it go on without this handle, until the sandbox ends."""
        await self._native.detach().result()

    async def __aenter__(self) -> AsyncProcess:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.kill()


class AsyncSandbox:
    """One place to run commands in. It ends with the last handle of it, and with this process, unless it was detached."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Sandbox) -> None:
        self._native = native

    @classmethod
    async def create(
        cls,
        *,
        provider: str | None = None,
        name: str | None = None,
        image: str | None = None,
        pull: PullPolicy | None = None,
        platform: str | None = None,
        auth: RegistryAuth | None = None,
        archive: LocalPath | None = None,
        rootfs: LocalPath | None = None,
        snapshot: str | None = None,
        workspace: LocalPath | None = None,
        env: Mapping[str, str] | None = None,
        labels: Mapping[str, str] | None = None,
        user: str | None = None,
        workdir: SandboxPath | None = None,
        cpus: float | None = None,
        memory: Size | None = None,
        disk: Size | None = None,
        pids: int | None = None,
        gpus: int | None = None,
        mounts: Sequence[Mount] = (),
        volumes: Sequence[VolumeMount] = (),
        secrets: Sequence[Secret] = (),
        ports: Sequence[int] = (),
        network: NetworkPolicy | None = None,
        ttl: Lifetime | None = None,
        idle_timeout: Lifetime | None = None,
        on_expiry: Expiry | None = None,
        on_idle: Expiry | None = None,
        detached: bool = False,
        owner_lease: Seconds | None = None,
        entrypoint: bool = False,
        least_isolation: Isolation | None = None,
        create_timeout: Seconds | None = None,
        idempotency_key: str | None = None,
        namespace: NamespaceOptions | None = None,
        docker: DockerOptions | None = None,
        host: HostOptions | None = None,
    ) -> AsyncSandbox:
        """Makes a sandbox, in the library that is used where none is named.

        Args:
            provider: Which provider makes it, such as `namespace`, `docker` or `host`; the first isolating one
                that works here by default.
            name: A name, unique among live sandboxes.
            image: An image, such as `debian:12`.
            pull: When the image is fetched; when it is missing by default.
            platform: The platform of the image, such as `linux/arm64`; this machine's by default.
            auth: The credential for the image's registry.
            archive: An archive or layout folder of this machine with an image, as `docker save` and OCI tools
                write them.
            rootfs: A directory of this machine as the root filesystem, which is never written to.
            snapshot: A snapshot, by its name or id.
            workspace: A directory of this machine as the workspace, which it may change and which is never
                removed.
            env: Variables for every command.
            labels: Labels, by which it is listed.
            user: The user that commands run as: a name, `uid`, `uid:gid` or `name:group`; that of the image by
                default.
            workdir: The working directory, absolute; that of the image by default.
            cpus: Processors; fractions are fine.
            memory: Memory.
            disk: Disk.
            pids: Processes and threads.
            gpus: GPUs.
            mounts: What is mounted.
            volumes: Volumes.
            secrets: Secrets.
            ports: Ports that will be asked for.
            network: What it may reach; nothing by default.
            ttl: How long it exists, whatever it does; for ever by default, and a day when it is detached.
            idle_timeout: How long it exists without use: a running command, a transfer, or a connection to a
                port.
            on_expiry: What happens at the end of either; it is removed by default.
            on_idle: What happens at the end of the idle timeout, where that differs.
            detached: Let it live on without this process.
            owner_lease: How long this process may be out of touch; a few seconds by default.
            entrypoint: Run the image's own entrypoint too.
            least_isolation: The least isolation that is accepted.
            create_timeout: How long making it may take; 300 seconds by default.
            idempotency_key: The same key with the same request gives the same sandbox, and makes nothing again.
            namespace: What only the namespace provider knows.
            docker: What only the Docker provider knows.
            host: What only the host provider knows.
        """
        return cls(await _native.Sandbox.create({
            "provider": provider,
            "name": name,
            "image": image,
            "pull": pull,
            "platform": platform,
            "auth": auth,
            "archive": archive,
            "rootfs": rootfs,
            "snapshot": snapshot,
            "workspace": workspace,
            "env": env,
            "labels": labels,
            "user": user,
            "workdir": workdir,
            "cpus": cpus,
            "memory": memory,
            "disk": disk,
            "pids": pids,
            "gpus": gpus,
            "mounts": mounts,
            "volumes": volumes,
            "secrets": secrets,
            "ports": ports,
            "network": network,
            "ttl": ttl,
            "idle_timeout": idle_timeout,
            "on_expiry": on_expiry,
            "on_idle": on_idle,
            "detached": detached,
            "owner_lease": owner_lease,
            "entrypoint": entrypoint,
            "least_isolation": least_isolation,
            "create_timeout": create_timeout,
            "idempotency_key": idempotency_key,
            "namespace": namespace,
            "docker": docker,
            "host": host,
        }).result())

    @classmethod
    async def get_or_create(
        cls,
        *,
        provider: str | None = None,
        name: str | None = None,
        image: str | None = None,
        pull: PullPolicy | None = None,
        platform: str | None = None,
        auth: RegistryAuth | None = None,
        archive: LocalPath | None = None,
        rootfs: LocalPath | None = None,
        snapshot: str | None = None,
        workspace: LocalPath | None = None,
        env: Mapping[str, str] | None = None,
        labels: Mapping[str, str] | None = None,
        user: str | None = None,
        workdir: SandboxPath | None = None,
        cpus: float | None = None,
        memory: Size | None = None,
        disk: Size | None = None,
        pids: int | None = None,
        gpus: int | None = None,
        mounts: Sequence[Mount] = (),
        volumes: Sequence[VolumeMount] = (),
        secrets: Sequence[Secret] = (),
        ports: Sequence[int] = (),
        network: NetworkPolicy | None = None,
        ttl: Lifetime | None = None,
        idle_timeout: Lifetime | None = None,
        on_expiry: Expiry | None = None,
        on_idle: Expiry | None = None,
        detached: bool = False,
        owner_lease: Seconds | None = None,
        entrypoint: bool = False,
        least_isolation: Isolation | None = None,
        create_timeout: Seconds | None = None,
        idempotency_key: str | None = None,
        namespace: NamespaceOptions | None = None,
        docker: DockerOptions | None = None,
        host: HostOptions | None = None,
    ) -> AsyncSandbox:
        """The sandbox with the name that is given, or a new one. Any number of callers at once get the same one.

        Args:
            provider: Which provider makes it, such as `namespace`, `docker` or `host`; the first isolating one
                that works here by default.
            name: A name, unique among live sandboxes.
            image: An image, such as `debian:12`.
            pull: When the image is fetched; when it is missing by default.
            platform: The platform of the image, such as `linux/arm64`; this machine's by default.
            auth: The credential for the image's registry.
            archive: An archive or layout folder of this machine with an image, as `docker save` and OCI tools
                write them.
            rootfs: A directory of this machine as the root filesystem, which is never written to.
            snapshot: A snapshot, by its name or id.
            workspace: A directory of this machine as the workspace, which it may change and which is never
                removed.
            env: Variables for every command.
            labels: Labels, by which it is listed.
            user: The user that commands run as: a name, `uid`, `uid:gid` or `name:group`; that of the image by
                default.
            workdir: The working directory, absolute; that of the image by default.
            cpus: Processors; fractions are fine.
            memory: Memory.
            disk: Disk.
            pids: Processes and threads.
            gpus: GPUs.
            mounts: What is mounted.
            volumes: Volumes.
            secrets: Secrets.
            ports: Ports that will be asked for.
            network: What it may reach; nothing by default.
            ttl: How long it exists, whatever it does; for ever by default, and a day when it is detached.
            idle_timeout: How long it exists without use: a running command, a transfer, or a connection to a
                port.
            on_expiry: What happens at the end of either; it is removed by default.
            on_idle: What happens at the end of the idle timeout, where that differs.
            detached: Let it live on without this process.
            owner_lease: How long this process may be out of touch; a few seconds by default.
            entrypoint: Run the image's own entrypoint too.
            least_isolation: The least isolation that is accepted.
            create_timeout: How long making it may take; 300 seconds by default.
            idempotency_key: The same key with the same request gives the same sandbox, and makes nothing again.
            namespace: What only the namespace provider knows.
            docker: What only the Docker provider knows.
            host: What only the host provider knows.
        """
        return cls(await _native.Sandbox.get_or_create({
            "provider": provider,
            "name": name,
            "image": image,
            "pull": pull,
            "platform": platform,
            "auth": auth,
            "archive": archive,
            "rootfs": rootfs,
            "snapshot": snapshot,
            "workspace": workspace,
            "env": env,
            "labels": labels,
            "user": user,
            "workdir": workdir,
            "cpus": cpus,
            "memory": memory,
            "disk": disk,
            "pids": pids,
            "gpus": gpus,
            "mounts": mounts,
            "volumes": volumes,
            "secrets": secrets,
            "ports": ports,
            "network": network,
            "ttl": ttl,
            "idle_timeout": idle_timeout,
            "on_expiry": on_expiry,
            "on_idle": on_idle,
            "detached": detached,
            "owner_lease": owner_lease,
            "entrypoint": entrypoint,
            "least_isolation": least_isolation,
            "create_timeout": create_timeout,
            "idempotency_key": idempotency_key,
            "namespace": namespace,
            "docker": docker,
            "host": host,
        }).result())

    @classmethod
    async def connect(cls, id_or_name: str) -> AsyncSandbox:
        """A sandbox that is there, by its name or id, whatever process made it. It does not end with this handle."""
        return cls(await _native.Sandbox.connect(id_or_name).result())

    @classmethod
    async def list(
        cls,
        *,
        labels: Mapping[str, str] | None = None,
        states: Sequence[State] = (),
        provider: str | None = None,
        deleted: bool = False,
    ) -> List[SandboxInfo]:
        """The sandboxes there are, the oldest first.

        Args:
            labels: Labels that all must match.
            states: States of which one must match; all but `deleted` by default.
            provider: The provider.
            deleted: Those too that are deleted, as far as they are remembered.
        """
        return await _native.Sandbox.list({
            "labels": labels,
            "states": states,
            "provider": provider,
            "deleted": deleted,
        }).result()

    @property
    def id(self) -> str:
        """Its id, unique for ever."""
        return self._native.id

    @property
    def provider(self) -> str:
        """The provider that made it."""
        return self._native.provider

    @property
    def workdir(self) -> str:
        """Its working directory, absolute."""
        return self._native.workdir

    @property
    def capabilities(self) -> List[str]:
        """What it can do, by dotted names."""
        return self._native.capabilities

    @property
    def image(self) -> SandboxImage | None:
        """The image that it was made from."""
        return self._native.image

    @property
    def home(self) -> str:
        """The directory of the books that it is written down in, by which another process finds it."""
        return self._native.home

    @property
    def files(self) -> AsyncFiles:
        """Its files."""
        return AsyncFiles(self._native.files)

    @property
    def git(self) -> AsyncGit:
        """Git in it."""
        return AsyncGit(self._native.git)

    @property
    def search(self) -> AsyncSearch:
        """Searching its files."""
        return AsyncSearch(self._native.search)

    @property
    def services(self) -> AsyncServices:
        """What runs in its background, by name."""
        return AsyncServices(self._native.services)

    async def exec(
        self,
        command: Command,
        *,
        env: Mapping[str, str | bytes] | None = None,
        cwd: SandboxPath | None = None,
        user: str | None = None,
        input: str | bytes | None = None,
        timeout: Seconds | None = None,
        grace: Seconds | None = None,
        check: bool = False,
        merge_stderr: bool = False,
        max_output: int | None = None,
        spill: bool = False,
        sanitize: Sanitize | None = None,
        drain: Seconds | None = None,
        label: str | None = None,
    ) -> ExecResult:
        """Runs a command to its end. A command that fails, is killed or runs into its timeout is a result, not an error,
        unless `check` says otherwise. Cancelling the call ends the whole process tree.

        Args:
            env: Variables beside those of the sandbox; of two values for one name this one holds.
            cwd: Where to run, relative to the sandbox's working directory, which is also the default.
            user: A name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox; the sandbox's user by
                default.
            input: Its input; `/dev/null` by default.
            timeout: When its whole process tree is ended at the latest; never by default. The result then says
                that it timed out.
            grace: When it is stopped: TERM, this long, then KILL. KILL at once by default.
            check: Fail with `command_failed` when it does not exit with 0.
            merge_stderr: Send stderr where stdout goes, in the order of the writes.
            max_output: Bytes of each stream that are kept at most, half from the start and half from the end;
                10 MiB by default.
            spill: Write everything to a file in the sandbox when more comes than is kept; the result names it.
            sanitize: What is taken out of the output; nothing by default.
            drain: How long the call waits, after the command has exited and after each byte, for descendants
                that hold its output open; 0.2 seconds by default.
            label: The caller's name for it, in listings, events and errors. Must hold no secrets.
        """
        return await self._native.exec(command, {
            "env": env,
            "cwd": cwd,
            "user": user,
            "input": input,
            "timeout": timeout,
            "grace": grace,
            "check": check,
            "merge_stderr": merge_stderr,
            "max_output": max_output,
            "spill": spill,
            "sanitize": sanitize,
            "drain": drain,
            "label": label,
        }).result()

    async def spawn(
        self,
        command: Command,
        *,
        env: Mapping[str, str | bytes] | None = None,
        cwd: SandboxPath | None = None,
        user: str | None = None,
        input: str | bytes | None = None,
        stdin: bool = False,
        timeout: Seconds | None = None,
        grace: Seconds | None = None,
        pty: bool = False,
        rows: int | None = None,
        cols: int | None = None,
        merge_stderr: bool = False,
        max_output: int | None = None,
        spill: bool = False,
        sanitize: Sanitize | None = None,
        drain: Seconds | None = None,
        detached: bool = False,
        label: str | None = None,
    ) -> AsyncProcess:
        """Starts a command and returns as soon as it runs. It ends with its handle, unless it is detached.

        Args:
            env: Variables beside those of the sandbox; of two values for one name this one holds.
            cwd: Where to run, relative to the sandbox's working directory, which is also the default.
            user: A name, `uid`, `uid:gid` or `name:group`, looked up in the sandbox; the sandbox's user by
                default.
            input: Its whole input; `/dev/null` by default.
            stdin: Keep its input open, for writing to it while it runs.
            timeout: When its whole process tree is ended at the latest; never by default.
            grace: When it is stopped: TERM, this long, then KILL. KILL at once by default.
            pty: Run it in a terminal; its output is one stream, stdout.
            rows: Lines of the terminal; 24 by default.
            cols: Characters of a line of the terminal; 80 by default.
            merge_stderr: Send stderr where stdout goes, in the order of the writes.
            max_output: Bytes of each stream that the result keeps at most; 10 MiB by default. What is read as
                it comes is whole in any case.
            spill: Write everything to a file in the sandbox when more comes than is kept; the result names it.
            sanitize: What is taken out of the output; nothing by default.
            drain: How long its end waits for descendants that hold its output open; 0.2 seconds by default.
            detached: Let it go on when this process is gone, until the sandbox ends.
            label: The caller's name for it, in listings, events and errors. Must hold no secrets.
        """
        return AsyncProcess(await self._native.spawn(command, {
            "env": env,
            "cwd": cwd,
            "user": user,
            "input": input,
            "stdin": stdin,
            "timeout": timeout,
            "grace": grace,
            "pty": pty,
            "rows": rows,
            "cols": cols,
            "merge_stderr": merge_stderr,
            "max_output": max_output,
            "spill": spill,
            "sanitize": sanitize,
            "drain": drain,
            "detached": detached,
            "label": label,
        }).result())

    async def processes(self) -> List[ProcessInfo]:
        """Every command that runs, and those that ended recently."""
        return await self._native.processes().result()

    async def process(
        self,
        id: str,
        *,
        only_new: bool = False,
        after_stdout: int | None = None,
        after_stderr: int | None = None,
    ) -> AsyncProcess:
        """A command that was started elsewhere, by its id. It does not end with this handle.

        Args:
            only_new: Only what comes from now on; by default first all that is kept.
            after_stdout: Bytes of stdout that were seen already, to go on behind them.
            after_stderr: Bytes of stderr that were seen already, to go on behind them.
        """
        return AsyncProcess(await self._native.process(id, {"only_new": only_new, "after_stdout": after_stdout, "after_stderr": after_stderr}).result())

    async def session(
        self,
        *,
        shell: str | None = None,
        env: Mapping[str, str | bytes] | None = None,
        cwd: SandboxPath | None = None,
        user: str | None = None,
        rows: int | None = None,
        cols: int | None = None,
    ) -> AsyncSession:
        """Opens a shell that keeps its state between commands.

        Args:
            shell: The shell; `bash` where it is there, `sh` otherwise, by default.
            env: Variables.
            cwd: Where it begins.
            user: Its user.
            rows: Lines of its terminal; 24 by default.
            cols: Characters of a line of its terminal; 80 by default.
        """
        return AsyncSession(await self._native.session({
            "shell": shell,
            "env": env,
            "cwd": cwd,
            "user": user,
            "rows": rows,
            "cols": cols,
        }).result())

    async def status(self) -> Status:
        """What it is doing, as its backend says."""
        return await self._native.status().result()

    async def metrics(self) -> Metrics:
        """What it uses now."""
        return await self._native.metrics().result()

    async def ended(self) -> PostMortem | None:
        """Waits for its end: how it died, or none when it was stopped or deleted."""
        return await self._native.ended().result()

    async def start(self) -> None:
        """Starts it, when it is stopped. One that runs is fine."""
        await self._native.start().result()

    async def stop(self, grace: Seconds | None = None) -> None:
        """Ends everything that runs in it, and keeps its files. One that is stopped is fine."""
        await self._native.stop(grace).result()

    async def pause(self) -> None:
        """Freezes it. One that is frozen is fine."""
        await self._native.pause().result()

    async def resume(self) -> None:
        """Thaws it. One that runs is fine."""
        await self._native.resume().result()

    async def resize(
        self,
        *,
        cpus: float | None = None,
        memory: Size | None = None,
        disk: Size | None = None,
        pids: int | None = None,
    ) -> None:
        """Changes its limits.

        Args:
            cpus: Processors; fractions are fine.
            memory: Memory.
            disk: Disk.
            pids: Processes and threads.
        """
        await self._native.resize({
            "cpus": cpus,
            "memory": memory,
            "disk": disk,
            "pids": pids,
        }).result()

    async def delete(self) -> None:
        """Removes it with everything in it. One that is gone is fine."""
        await self._native.delete().result()

    async def detach(self) -> None:
        """Lets it live on without this process. Without a time to live it gets one of a day."""
        await self._native.detach().result()

    async def adopt(self) -> None:
        """Makes it this process's: it ends with it."""
        await self._native.adopt().result()

    async def touch(self) -> None:
        """Counts as use, so that its idle timeout begins anew."""
        await self._native.touch().result()

    async def set_ttl(self, ttl: Lifetime) -> None:
        """Sets how long it exists, from when it was made."""
        await self._native.set_ttl(ttl).result()

    async def snapshot(
        self,
        *,
        name: str | None = None,
        labels: Mapping[str, str] | None = None,
        include_memory: bool = False,
    ) -> Snapshot:
        """Takes a snapshot of its files, from which sandboxes can be made.

        Args:
            name: A name, unique for the provider.
            labels: Labels.
            include_memory: With memory and processes; files alone by default.
        """
        return await self._native.snapshot({"name": name, "labels": labels, "include_memory": include_memory}).result()

    async def fork(
        self,
        *,
        count: int | None = None,
        name: str | None = None,
        labels: Mapping[str, str] | None = None,
        include_memory: bool = False,
    ) -> List[AsyncSandbox]:
        """Copies of it, each with the files that it has now.

        Args:
            count: How many; one by default.
            name: A name for a single copy.
            labels: Labels instead of those it has.
            include_memory: With memory and processes; files alone by default.
        """
        return [AsyncSandbox(native) for native in await self._native.fork({
            "count": count,
            "name": name,
            "labels": labels,
            "include_memory": include_memory,
        }).result()]

    async def forward(self, port: int) -> Endpoint:
        """Opens a port of this machine, on the loopback address, that leads to a port of the sandbox. The same port
        again gives the same one.
        """
        return await self._native.forward(port).result()

    async def release(self, port: int) -> None:
        """Closes what was opened for a port. Again is fine."""
        await self._native.release(port).result()

    async def wait_for_port(self, port: int, timeout: Seconds) -> None:
        """Waits until something listens on a port."""
        await self._native.wait_for_port(port, timeout).result()

    async def listening_ports(self) -> List[ListeningPort]:
        """What listens in it now."""
        return await self._native.listening_ports().result()

    async def __aenter__(self) -> AsyncSandbox:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.delete()

    def __reduce__(self) -> tuple[Any, ...]:
        return (AsyncSandbox._found, (self.home, self.id))

    @classmethod
    def _found(cls, home: str, id: str) -> AsyncSandbox:
        return cls(_native.connect(home, id).wait())

    def __repr__(self) -> str:
        return f"<AsyncSandbox {self.id} of {self.provider}>"


class AsyncSearch:
    """Searching the files of one sandbox, with the same results in every image."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Search) -> None:
        self._native = native

    async def grep(
        self,
        pattern: str,
        *,
        path: SandboxPath | None = None,
        ignore_case: bool = False,
        include: str | None = None,
        max_matches: int | None = None,
    ) -> List[GrepMatch]:
        """The lines that match a regular expression, by path and line.

        Args:
            path: A file or directory; the working directory by default.
            ignore_case: Take large and small letters for the same.
            include: Only in files whose names match this pattern.
            max_matches: The most matches; beyond a million, or 64 MiB of lines, it fails by default.
        """
        return await self._native.grep(pattern, {
            "path": path,
            "ignore_case": ignore_case,
            "include": include,
            "max_matches": max_matches,
        }).result()

    async def glob(self, pattern: str, base: SandboxPath | None = None) -> List[str]:
        """The paths below a directory that match a pattern with `*`, `?`, `[...]` and `**`, sorted."""
        return await self._native.glob(pattern, base).result()

    async def walk(
        self,
        base: SandboxPath,
        *,
        max_depth: int | None = None,
        exclude: Sequence[str] = (),
    ) -> List[WalkEntry]:
        """Everything below a directory, sorted.

        Args:
            max_depth: How many levels deep; all by default.
            exclude: Names that are left out, with everything below.
        """
        return await self._native.walk(base, {"max_depth": max_depth, "exclude": exclude}).result()


class AsyncServices:
    """The services of one sandbox."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Services) -> None:
        self._native = native

    async def start(
        self,
        name: str,
        command: Command,
        *,
        env: Mapping[str, str | bytes] | None = None,
        cwd: SandboxPath | None = None,
        user: str | None = None,
        ready_port: int | None = None,
        ready_output: str | bytes | None = None,
        ready_command: str | bytes | None = None,
        ready_timeout: Seconds | None = None,
    ) -> AsyncService:
        """Starts one and returns when it is ready. It goes on until it is stopped or the sandbox ends, whoever holds it.

        Args:
            env: Variables beside those of the sandbox.
            cwd: Where to run, relative to the sandbox's working directory, which is also the default.
            user: Its user; that of the sandbox by default.
            ready_port: It is ready when something listens on this port.
            ready_output: It is ready when its output has this in it.
            ready_command: It is ready when this script exits with 0.
            ready_timeout: How long that may take; 30 seconds by default.
        """
        return AsyncService(await self._native.start(name, command, {
            "env": env,
            "cwd": cwd,
            "user": user,
            "ready_port": ready_port,
            "ready_output": ready_output,
            "ready_command": ready_command,
            "ready_timeout": ready_timeout,
        }).result())

    async def get(self, name: str) -> AsyncService:
        """One that was started, by its name."""
        return AsyncService(await self._native.get(name).result())

    async def all(self) -> List[AsyncService]:
        """All of them."""
        return [AsyncService(native) for native in await self._native.all().result()]


class AsyncService:
    """A service of a sandbox."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Service) -> None:
        self._native = native

    @property
    def name(self) -> str:
        """Its name."""
        return self._native.name

    async def status(self) -> ServiceStatus:
        """Whether it runs."""
        return await self._native.status().result()

    async def logs(self, last: int) -> bytes:
        """The last bytes of its output, at most so many."""
        return await self._native.logs(last).result()

    async def process(self) -> AsyncProcess:
        """The command behind it."""
        return AsyncProcess(await self._native.process().result())

    async def stop(self, grace: Seconds | None = None) -> None:
        """Ends it with everything that it started. Again is fine."""
        await self._native.stop(grace).result()


class AsyncSession:
    """A shell that keeps its directory, variables and functions between commands."""

    __slots__ = ("_native",)

    def __init__(self, native: _native.Session) -> None:
        self._native = native

    async def run(self, script: str | bytes, timeout: Seconds | None = None) -> SessionOutput:
        """Runs a script in it. One that runs into its timeout is interrupted, and the session stays usable."""
        return await self._native.run(script, timeout).result()

    async def interrupt(self) -> None:
        """Interrupts what runs in it, as Ctrl-C does."""
        await self._native.interrupt().result()

    async def close(self) -> None:
        """Ends it and everything that it started. Again is fine."""
        await self._native.close().result()

    async def __aenter__(self) -> AsyncSession:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


__all__ = [
    "AsyncStream",
    "AsyncFiles",
    "AsyncFileWriter",
    "AsyncGit",
    "AsyncRepository",
    "AsyncImages",
    "AsyncIsobox",
    "AsyncPool",
    "AsyncProcess",
    "AsyncSandbox",
    "AsyncSearch",
    "AsyncServices",
    "AsyncService",
    "AsyncSession",
]
