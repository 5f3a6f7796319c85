"""What a type checker makes of the package. Never run."""

from __future__ import annotations

import datetime
import pathlib

from typing_extensions import assert_type

from isobox import (
    AllowNetwork,
    AsyncSandbox,
    BindMount,
    CommandFailedError,
    Entry,
    ExecResult,
    ExitedEvent,
    Isobox,
    PostMortem,
    Process,
    Sandbox,
    SandboxError,
    StdoutEvent,
)


def waits() -> None:
    with Sandbox.create(image="debian:12", memory="1g", ttl=datetime.timedelta(hours=1), network="none") as sandbox:
        result = sandbox.exec(["echo", b"x", pathlib.Path("y")], env={"A": "b"}, timeout=1)
        assert_type(result, ExecResult)
        assert_type(result.stdout, str)
        assert_type(result.stdout_bytes, bytes)
        assert_type(result.signal, int | None)
        process = sandbox.spawn("cat", stdin=True)
        assert_type(process, Process)
        for event in process.events():
            if event.type == "stdout":
                assert_type(event, StdoutEvent)
            elif isinstance(event, ExitedEvent):
                assert_type(event.exit.exit_code, int)
        assert_type(sandbox.files.list("."), list[Entry])
        assert_type(sandbox.fork(count=2), list[Sandbox])
    try:
        Sandbox.create(mounts=[BindMount("/a", "/b")], network=AllowNetwork(allow=["example.org"], deny=[], dns=[]))
    except CommandFailedError as error:
        assert_type(error.failure.stdout if error.failure else "", str)
    except SandboxError as error:
        assert_type(error.post_mortem, PostMortem | None)


async def awaits() -> None:
    async with await AsyncSandbox.create(on_expiry="stop") as sandbox:
        assert_type(await sandbox.exec("true"), ExecResult)
        async for part in await sandbox.files.read_stream("x"):
            assert_type(part, bytes)
    with Isobox.open(home="/tmp/x") as isobox:
        assert_type(isobox.create(), Sandbox)
