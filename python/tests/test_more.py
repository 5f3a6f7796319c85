"""Git, search, services, pools, images, limits: what is derived from a sandbox, and what a machine keeps."""

from __future__ import annotations

import pathlib
import shutil

import pytest

import isobox
from isobox import CreateOptions, Isobox, Sandbox

NO_GIT = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git on this machine")


@NO_GIT
def test_git_commits_and_tells_what_is_there(sandbox: Sandbox) -> None:
    repository = sandbox.git.init("project")
    assert repository.path.endswith("project")
    repository.set_config("user.name", "Somebody")
    repository.set_config("user.email", "somebody@example.org")
    sandbox.files.write("project/a file", "one\n")
    assert [(entry.path, entry.worktree) for entry in repository.status().entries] == [("a file", "?")]
    repository.add_all()
    commit = repository.commit("first", author="Else", email="else@example.org")
    assert repository.rev_parse("HEAD") == commit
    assert [(known.id, known.author, known.message.strip()) for known in repository.log("HEAD", 10)] == [
        (commit, "Else", "first")
    ]
    sandbox.files.write("project/a file", "two\n")
    assert [(change.path, change.added, change.removed) for change in repository.changes("HEAD")] == [("a file", 1, 1)]
    assert b"+two" in repository.diff("HEAD")
    repository.create_branch("other")
    assert [branch.name for branch in repository.branches() if branch.current] == ["other"]


@NO_GIT
def test_what_git_cannot_do_says_why(sandbox: Sandbox) -> None:
    with pytest.raises(isobox.SandboxError) as caught:
        sandbox.git.clone_repository("/nowhere", "target")
    assert isinstance(caught.value.detail, isobox.GitDetail)
    repository = sandbox.git.init("project")
    with pytest.raises(isobox.NotFoundError):
        repository.checkout("nothing")


def test_files_are_searched(sandbox: Sandbox) -> None:
    sandbox.files.write("tree/one.txt", "Alpha\nbeta\n")
    sandbox.files.write("tree/deep/two.md", "alpha\n")
    found = sandbox.search.grep("^alpha", path="tree", ignore_case=True)
    assert [(match.path, match.line_number, match.line) for match in found] == [
        ("tree/deep/two.md", 1, "alpha"),
        ("tree/one.txt", 1, "Alpha"),
    ]
    assert sandbox.search.glob("**/*.md", base="tree") == ["deep/two.md"]
    walked = {entry.path: entry.size for entry in sandbox.search.walk("tree")}
    assert walked == {"deep/two.md": 6, "one.txt": 11}


def test_a_service_is_ready_when_it_says_so(sandbox: Sandbox) -> None:
    service = sandbox.services.start("teller", "echo ready; exec sleep 1000", ready_output="ready")
    assert (service.name, service.status().running) == ("teller", True)
    assert service.logs(100) == b"ready\n"
    assert [known.name for known in sandbox.services.all()] == ["teller"]
    sandbox.services.get("teller").stop()
    assert not service.status().running


def test_a_pool_hands_out_what_is_ready(home: pathlib.Path) -> None:
    with Isobox.open(home=home) as books:
        with books.pool(2, sandbox=CreateOptions(env={"A": "pooled"}), min_ready=2) as pool:
            with pool.take(name="taken", labels={"a": "b"}) as sandbox:
                assert sandbox.exec("echo $A").stdout == "pooled\n"
                assert books.inspect("taken").labels == {"a": "b"}
                status = pool.status()
                assert (status.size, status.taken, status.made_directly) == (2, 1, 0)
        assert books.list() == []


def test_limits_of_the_machine_are_kept_and_told(home: pathlib.Path) -> None:
    with Isobox.open(home=home) as books:
        books.set_limits(live_sandboxes=1)
        assert books.limits().live_sandboxes == 1
        with books.create() as sandbox:
            books.set_limits(queue_length=0)
            with pytest.raises(isobox.OverloadedError) as caught:
                books.create()
            assert caught.value.retryable
            queue = books.queue()
            assert (queue.live, queue.making, queue.waiting) == (1, [], [])
            assert sandbox.exec(["true"]).ok
        assert {usage.kind for usage in books.disk_usage()} >= {"sandboxes", "database"}


@pytest.mark.skipif(shutil.which("busybox") is None, reason="there is no busybox to make a root filesystem of")
def test_a_snapshot_goes_through_a_file(tmp_path: pathlib.Path) -> None:
    root = tmp_path / "root"
    for directory in ["bin", "tmp", "root"]:
        (root / directory).mkdir(parents=True)
    shutil.copy(shutil.which("busybox"), root / "bin" / "busybox")
    (root / "bin" / "sh").symlink_to("busybox")
    archive = tmp_path / "image.tar"
    with Isobox.shared() as books, books.create(rootfs=root) as sandbox:
        sandbox.files.write("/kept", "in an image")
        sandbox.snapshot(name="whole")
        image = books.export_snapshot("whole", archive, reference="kept:1")
        books.delete_snapshot("whole")
        assert (image.size, image.reference) == (archive.stat().st_size, "docker.io/library/kept:1")
        again = books.import_snapshot(archive, name="again")
        with books.create(snapshot="again") as copy:
            assert copy.exec("busybox cat /kept").stdout == "in an image"
        books.delete_snapshot(again.id)


def test_volumes_outlive_sandboxes(home: pathlib.Path) -> None:
    with Isobox.open(home=home) as books:
        volume = books.create_volume("data", labels={"a": "b"})
        mounts = [isobox.VolumeMount("data", "/data")]
        with books.create(volumes=mounts) as first:
            first.files.write("/data/left", "by the first")
            with pytest.raises(isobox.ConflictError):
                books.delete_volume("data")
        with books.create(volumes=mounts) as second:
            assert second.files.read_text("/data/left") == "by the first"
        assert [(known.id, known.labels) for known in books.volumes()] == [(volume.id, {"a": "b"})]
        books.delete_volume("data")
        assert books.volumes() == []


def test_ports_lead_into_it(sandbox: Sandbox) -> None:
    import urllib.request

    sandbox.files.write("page", "hello")
    server = "python3 -m http.server --bind 127.0.0.1 8123"
    if not sandbox.exec(["sh", "-c", "command -v python3"]).ok:
        pytest.skip("there is no python3 in the sandbox to serve with")
    with sandbox.spawn(server):
        sandbox.wait_for_port(8123, 30)
        assert 8123 in [listening.port for listening in sandbox.listening_ports()]
        endpoint = sandbox.forward(8123)
        with urllib.request.urlopen(f"{endpoint.url}/page", timeout=30) as page:
            assert page.read() == b"hello"
        sandbox.release(8123)


def test_garbage_is_told_before_it_is_removed(home: pathlib.Path, python) -> None:
    with Isobox.open(home=home) as books:
        assert books.collect_garbage(dry_run=True) == []
        assert "namespace" in [provider.kind for provider in books.providers() if provider.works]
