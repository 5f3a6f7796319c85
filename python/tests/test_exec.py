"""Running commands."""

from __future__ import annotations

import asyncio
import datetime
import pathlib
import resource
import signal
import threading

import pytest

import isobox
from isobox import AsyncSandbox, ExitedEvent, Sandbox, StderrEvent, StdoutEvent


def test_a_list_is_run_as_it_is(sandbox: Sandbox) -> None:
    result = sandbox.exec(["echo", "$HOME", "a b", ";"])
    assert (result.stdout, result.exit_code, result.ok) == ("$HOME a b ;\n", 0, True)


def test_a_text_is_a_script(sandbox: Sandbox) -> None:
    result = sandbox.exec("echo out; echo err >&2; exit 3")
    assert (result.stdout, result.stderr, result.exit_code, result.ok) == ("out\n", "err\n", 3, False)


def test_bytes_cross_unchanged(sandbox: Sandbox) -> None:
    everything = bytes(range(1, 256))
    result = sandbox.exec([b"printf", b"%s", everything])
    assert result.stdout_bytes == everything
    assert sandbox.exec(["cat"], input=b"\x00\xff\x00").stdout_bytes == b"\x00\xff\x00"
    assert sandbox.exec(["cat"], input="grüße").stdout == "grüße"
    assert sandbox.exec(["cat"], input=bytearray(b"ab")).stdout == "ab"


def test_what_is_given_reaches_the_command(sandbox: Sandbox) -> None:
    result = sandbox.exec('echo "$A-$B"; pwd', env={"A": "1", "B": b"\xff"}, cwd="/tmp")
    assert result.stdout_bytes == b"1-\xff\n/tmp\n"
    assert sandbox.exec(["pwd"], cwd=pathlib.PurePosixPath("/tmp")).stdout == "/tmp\n"


@pytest.mark.parametrize("timeout", [0.2, datetime.timedelta(milliseconds=200)])
def test_a_timeout_is_a_result_with_what_was_written(sandbox: Sandbox, timeout: float) -> None:
    result = sandbox.exec("echo before; sleep 100", timeout=timeout)
    assert result.timed_out and not result.ok
    assert result.stdout == "before\n"
    assert 0.15 < result.duration < 20


def test_a_failure_is_an_error_when_success_is_asked_for(sandbox: Sandbox) -> None:
    assert sandbox.exec(["true"], check=True).ok
    with pytest.raises(isobox.CommandFailedError) as caught:
        sandbox.exec("echo told; exit 4", check=True, label="the build")
    error = caught.value
    assert (error.code, error.fault, error.sandbox) == ("command_failed", "program", sandbox.id)
    assert error.failure is not None
    assert (error.failure.exit_code, error.failure.stdout) == (4, "told\n")
    assert "told" not in str(error) and "told" not in repr(error)


def test_output_is_bounded_and_what_is_missing_is_counted(sandbox: Sandbox) -> None:
    result = sandbox.exec(["head", "-c", "100000", "/dev/zero"], max_output=1000)
    assert result.truncated
    info = result.stdout_info
    assert (info.observed, info.retained, info.omitted, len(result.stdout_bytes)) == (100000, 1000, 99000, 1000)


def test_no_text_form_shows_output(sandbox: Sandbox) -> None:
    result = sandbox.exec(["echo", "s3cret"])
    assert "s3cret" in result.stdout and "s3cret" not in repr(result)


def test_events_come_as_they_happen(sandbox: Sandbox) -> None:
    with sandbox.spawn("echo one; read line; echo $line >&2", stdin=True) as process:
        events = process.events()
        assert next(events) == StdoutEvent(b"one\n")
        process.write("two\n")
        assert next(events) == StderrEvent(b"two\n")
        end = next(events)
        assert isinstance(end, ExitedEvent) and end.exit.exit_code == 0
        assert list(events) == []
        assert process.wait().stdout == "one\n"


def test_a_process_ends_with_its_handle(sandbox: Sandbox) -> None:
    process = sandbox.spawn(["sleep", "1000"])
    assert [info.id for info in sandbox.processes() if info.exit is None] == [process.id]
    process.signal("TERM")
    assert process.wait().signal == signal.SIGTERM
    with sandbox.spawn(["sleep", "1000"]) as process:
        pass
    assert process.wait().cancelled


def test_a_terminal_has_a_size(sandbox: Sandbox) -> None:
    process = sandbox.spawn(["stty", "size"], pty=True, rows=40, cols=100)
    assert process.wait().stdout == "40 100\r\n"


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda sandbox: sandbox.exec(5), TypeError, "command must be"),
        (lambda sandbox: sandbox.exec([1]), TypeError, "each part of the command must be a str or bytes, not int"),
        (lambda sandbox: sandbox.exec(["true"], timeout="1"), TypeError, "timeout must be a number of seconds"),
        (lambda sandbox: sandbox.exec(["true"], timeout=-1), ValueError, "timeout is no time to wait"),
        (lambda sandbox: sandbox.exec(["true"], timeout=float("nan")), ValueError, "timeout is no time to wait"),
        (lambda sandbox: sandbox.exec(["true"], env=["A=1"]), TypeError, "env must be a mapping"),
        (lambda sandbox: sandbox.exec(["true"], sanitize="all"), ValueError, "give one of raw, strip_ansi, strip_all"),
        (lambda sandbox: sandbox.exec([]), isobox.InvalidSpecError, ""),
        (lambda sandbox: sandbox.exec(["a\0b"]), isobox.InvalidSpecError, ""),
        (lambda sandbox: sandbox.spawn(["true"]).signal("NOPE"), isobox.InvalidSpecError, "signal"),
    ],
)
def test_bad_input_is_refused_with_its_name(sandbox: Sandbox, call, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        call(sandbox)
    assert words in str(caught.value)


def test_an_interrupt_returns_at_once_and_ends_the_command(python) -> None:
    program = """
        import os, signal, sys, threading, time
        from isobox import Sandbox
        with Sandbox.create() as sandbox:
            threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            began = time.monotonic()
            try:
                sandbox.exec(["sleep", "1000"])
            except KeyboardInterrupt:
                took = time.monotonic() - began
            while [process for process in sandbox.processes() if process.exit is None]:
                time.sleep(0.01)
            print(took < 5)
    """
    done = python(program)
    assert (done.stdout, done.returncode) == ("True\n", 0), done.stderr


def test_threads_wait_side_by_side(sandbox: Sandbox) -> None:
    ends: list[str] = []
    threads = [threading.Thread(target=lambda: ends.append(sandbox.exec(["echo", "x"]).stdout)) for _ in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ends == ["x\n"] * 32


async def test_cancelling_a_task_ends_its_command(async_sandbox: AsyncSandbox) -> None:
    task = asyncio.ensure_future(async_sandbox.exec(["sleep", "1000"]))
    while not [process for process in await async_sandbox.processes() if process.exit is None]:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    while [process for process in await async_sandbox.processes() if process.exit is None]:
        await asyncio.sleep(0.01)


async def test_a_deadline_of_the_loop_ends_the_command(async_sandbox: AsyncSandbox) -> None:
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(async_sandbox.exec(["sleep", "1000"]), 0.3)
    while [process for process in await async_sandbox.processes() if process.exit is None]:
        await asyncio.sleep(0.01)


async def test_a_thousand_calls_at_once(async_sandbox: AsyncSandbox) -> None:
    results = await asyncio.gather(*(async_sandbox.exec(["echo", str(number)]) for number in range(1000)))
    assert [result.stdout for result in results] == [f"{number}\n" for number in range(1000)]


def resident() -> int:
    """Bytes of memory that this process has."""
    pages = pathlib.Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * resource.getpagesize()


async def test_a_stream_has_backpressure_and_can_be_dropped(async_sandbox: AsyncSandbox) -> None:
    async with await async_sandbox.spawn("cat /dev/zero") as process:
        got = 0
        async for event in process.events():
            assert isinstance(event, StdoutEvent)
            got += len(event.data)
            if got > 10_000_000:
                break
        # Whoever read ahead would have hundreds of megabytes more in this time.
        before = resident()
        await async_sandbox.exec(["sleep", "0.5"])
        assert resident() - before < 50_000_000


async def test_the_loop_goes_on_meanwhile(async_sandbox: AsyncSandbox) -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.01)
            ticks += 1

    ticker = asyncio.ensure_future(tick())
    await async_sandbox.exec(["sleep", "1"])
    ticker.cancel()
    assert ticks > 20


def test_a_second_event_loop_uses_the_same_handle() -> None:
    sandbox = asyncio.run(AsyncSandbox.create())
    for text in ["one", "two"]:
        assert asyncio.run(sandbox.exec(["echo", text])).stdout == f"{text}\n"
    asyncio.run(sandbox.delete())


async def test_events_of_one_loop_can_be_closed_under_a_reader(async_sandbox: AsyncSandbox) -> None:
    process = await async_sandbox.spawn(["sleep", "1000"])
    events = process.events()
    reader = asyncio.ensure_future(anext(aiter(events)))
    await asyncio.sleep(0.05)
    await events.close()
    with pytest.raises(StopAsyncIteration):
        await reader
    await process.kill()


async def test_a_panic_is_an_error_of_its_call_alone(async_sandbox: AsyncSandbox) -> None:
    from isobox import _native

    with pytest.raises(isobox.InternalError):
        await _native._panic().result()
    with pytest.raises(isobox.InternalError):
        _native._panic().wait()
    assert (await async_sandbox.exec(["echo", "on"])).stdout == "on\n"
