"""Whose a sandbox is, and what becomes of it: other processes, forks, the end of the interpreter."""

from __future__ import annotations

import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import time

import pytest

import isobox
from isobox import AsyncSandbox, Isobox, Sandbox


def test_a_sandbox_has_what_was_asked_for(tmp_path: pathlib.Path) -> None:
    (tmp_path / "given").write_text("by the host")
    with Sandbox.create(
        env={"A": "b"},
        labels={"for": "this"},
        memory="64m",
        pids=32,
        ttl=3600,
        idle_timeout="never",
        mounts=[isobox.BindMount(tmp_path, "/given", read_only=True), isobox.TmpfsMount("/fast", size="1m")],
        namespace=isobox.NamespaceOptions(hostname="box"),
        network="none",
    ) as sandbox:
        assert sandbox.exec('echo "$A"; hostname; cat /given/given').stdout == "b\nbox\nby the host"
        assert sandbox.exec("echo x > /given/new").exit_code != 0
        assert [info.id for info in Sandbox.list(labels={"for": "this"})] == [sandbox.id]
        metrics = sandbox.metrics()
        assert metrics.pids_limit in (None, 32)
    with pytest.raises(isobox.SandboxError):
        sandbox.exec(["true"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"memory": "lots"}, "memory"),
        ({"image": "x", "rootfs": "/"}, "source"),
        ({"pull": "always"}, "image"),
        ({"on_expiry": "explode"}, "on_expiry"),
        ({"network": isobox.AllowNetwork(allow=["not a host!"])}, "network.allow"),
        ({"network": "some"}, "network"),
        ({"namespace": {"hostnme": "box"}}, "namespace.hostnme is not known"),
        ({"provider": "nothing"}, "provider"),
        ({"docker": isobox.DockerOptions(), "host": isobox.HostOptions()}, "options"),
        ({"ttl": 0}, "ttl"),
    ],
)
def test_what_cannot_be_is_refused_with_its_field(options: dict, words: str) -> None:
    with pytest.raises(isobox.SandboxError) as caught:
        Sandbox.create(**options)
    assert words in str(caught.value)


def test_what_a_provider_cannot_do_is_refused_by_its_name() -> None:
    with pytest.raises(isobox.UnsupportedError) as caught:
        Sandbox.create(gpus=1)
    assert isinstance(caught.value.detail, isobox.UnsupportedDetail)
    assert caught.value.detail.capability == "resources.gpu"
    assert isinstance(caught.value, NotImplementedError)


def test_a_name_finds_it_from_everywhere(python) -> None:
    made = python("""
        from isobox import Sandbox
        sandbox = Sandbox.create(name="shared", ttl=600, detached=True)
        sandbox.files.write("left", "by the first")
    """)
    assert made.returncode == 0, made.stderr
    found = python("""
        from isobox import Sandbox
        sandbox = Sandbox.connect("shared")
        print(sandbox.files.read_text("left"))
        same = Sandbox.get_or_create(name="shared", ttl=600, detached=True)
        print(same.id == sandbox.id)
        sandbox.delete()
        print(Sandbox.list())
    """)
    assert (found.stdout, found.returncode) == ("by the first\nTrue\n[]\n", 0), found.stderr


def in_a_worker(sandbox: Sandbox) -> tuple[str, int]:
    return sandbox.exec(["cat", "from"]).stdout, os.getpid()


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_a_handle_goes_to_workers(sandbox: Sandbox, method: str) -> None:
    sandbox.files.write("from", "the parent")
    with multiprocessing.get_context(method).Pool(2) as workers:
        for text, worker in workers.map(in_a_worker, [sandbox] * 4):
            assert (text, worker != os.getpid()) == ("the parent", True)
    assert sandbox.exec(["true"]).ok, "it does not end with the workers"


async def test_an_asynchronous_handle_is_pickled_too(async_sandbox: AsyncSandbox) -> None:
    again = pickle.loads(pickle.dumps(async_sandbox))
    assert again.id == async_sandbox.id
    assert (await again.exec(["echo", "x"])).stdout == "x\n"


def test_errors_are_pickled_with_their_facts(sandbox: Sandbox) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        sandbox.files.read("missing")
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value)
    assert (again.code, again.sandbox, again.detail) == ("not_found", sandbox.id, caught.value.detail)


def test_a_forked_child_is_told_and_can_begin_anew(sandbox: Sandbox) -> None:
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        told = "nothing"
        try:
            sandbox.exec(["true"])
        except isobox.InvalidStateError as error:
            told = str(error)
        with Isobox.open() as own, own.create() as fresh:
            told += "|" + fresh.exec(["echo", "fresh"]).stdout
        os.write(writes, told.encode())
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert os.read(reads, 1000).decode().endswith("|fresh\n")
    assert sandbox.exec(["echo", "parent"]).stdout == "parent\n"


def test_nothing_is_left_by_an_interpreter_that_ends(python, left) -> None:
    done = python("""
        from isobox import Sandbox
        sandboxes = [Sandbox.create() for _ in range(5)]
        process = sandboxes[0].spawn(["sleep", "1000"])
    """)
    assert (done.returncode, done.stderr) == (0, "")
    assert left() == []


def test_an_interpreter_with_calls_in_flight_ends_well(python, left) -> None:
    program = """
        import asyncio, random, sys, threading, time
        from isobox import AsyncSandbox, Sandbox
        sandbox = Sandbox.create()
        for _ in range(4):
            threading.Thread(target=lambda: sandbox.exec(["sleep", "1000"]), daemon=True).start()
        async def many():
            other = await AsyncSandbox.create()
            for _ in range(8):
                asyncio.ensure_future(other.exec(["sleep", "1000"]))
            await asyncio.sleep(random.random() / 10)
        asyncio.run(many())
    """
    for _ in range(5):
        done = python(program)
        assert done.returncode == 0, done.stderr
    assert left() == []


def test_nothing_is_left_by_an_interpreter_that_is_killed(home: pathlib.Path, left) -> None:
    program = (
        "import time; from isobox import Sandbox\n"
        "sandbox = Sandbox.create(); sandbox.spawn(['sleep', '1000']); print(sandbox.id, flush=True); time.sleep(1000)"
    )
    environment = {**os.environ, "ISOBOX_HOME": str(home)}
    child = subprocess.Popen(
        [sys.executable, "-c", program], env=environment, cwd=home, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None and child.stdout.readline().startswith("sbx_")
    child.send_signal(signal.SIGKILL)
    child.wait()
    deadline = time.monotonic() + 30
    while left() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left() == []


def test_an_interrupted_loop_leaves_nothing(home: pathlib.Path, left) -> None:
    program = """
import asyncio
from isobox import AsyncSandbox

async def task(number, gate):
    async with gate, await AsyncSandbox.create() as sandbox:
        for turn in range(20):
            await sandbox.exec("sleep 0.2; echo x", timeout=0.1 if turn % 5 == 0 else None)

async def main():
    gate = asyncio.Semaphore(8)
    print("begun", flush=True)
    await asyncio.gather(*(task(number, gate) for number in range(50)))

asyncio.run(main())
"""
    environment = {**os.environ, "ISOBOX_HOME": str(home)}
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        env=environment,
        cwd=home,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None and child.stdout.readline() == "begun\n"
    while not left():
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    _, stderr = child.communicate(timeout=60)
    assert "KeyboardInterrupt" in stderr
    assert left() == []


def test_events_tell_what_happened(sandbox: Sandbox) -> None:
    with Isobox.open() as books:
        sandbox.exec(["true"], label="a label")
        with books.events(after=0, sandboxes=[sandbox.id], kinds=["exec_exited"]) as events:
            event = next(events)
        assert (event.subject, event.id) == ("sandbox", sandbox.id)
        assert isinstance(event.kind, isobox.ExecExitedEventKind)
        assert event.kind.exit.exit_code == 0


def test_a_death_is_told_with_its_cause(sandbox: Sandbox) -> None:
    short = Sandbox.create(ttl=1)
    died = short.ended()
    assert died is not None and died.cause == "expired"
    with pytest.raises(isobox.SandboxGoneError) as caught:
        short.exec(["true"])
    assert caught.value.post_mortem is not None
    assert caught.value.post_mortem.cause == "expired"


def test_a_stopped_sandbox_keeps_its_files(sandbox: Sandbox) -> None:
    sandbox.files.write("kept", b"x")
    sandbox.stop()
    with pytest.raises(isobox.InvalidStateError):
        sandbox.exec(["true"])
    sandbox.start()
    assert sandbox.files.read("kept") == b"x"


def test_copies_have_the_files_of_then(sandbox: Sandbox) -> None:
    sandbox.files.write("state", b"one")
    snapshot = sandbox.snapshot(name="of-python")
    first, second = sandbox.fork(count=2)
    sandbox.files.write("state", b"two")
    with first, second, Sandbox.create(snapshot="of-python") as third:
        assert [copy.files.read("state") for copy in (first, second, third)] == [b"one"] * 3
    with Isobox.shared() as books:
        assert [known.id for known in books.snapshots()] == [snapshot.id]
        books.delete_snapshot("of-python")
        assert books.snapshots() == []


def test_a_session_keeps_its_state(sandbox: Sandbox) -> None:
    with sandbox.session() as session:
        session.run("cd /tmp; A=kept")
        assert session.run('echo "$PWD $A"').output == "/tmp kept\n"
        assert session.run("sleep 1000", timeout=0.3).timed_out
        assert session.run("echo usable").output == "usable\n"
