"""Files in a sandbox."""

from __future__ import annotations

import datetime
import os
import pathlib

import pytest

import isobox
from isobox import AsyncSandbox, Sandbox


def test_what_is_written_is_read(sandbox: Sandbox) -> None:
    files = sandbox.files
    files.write("notes/today.txt", "grüße")
    assert files.read("notes/today.txt") == "grüße".encode()
    assert files.read_text("notes/today.txt") == "grüße"
    files.append("notes/today.txt", b"\x00\xff")
    assert files.read("notes/today.txt", offset=len("grüße".encode())) == b"\x00\xff"
    assert files.exists("notes") and not files.exists("nothing")


def test_what_a_path_is(sandbox: Sandbox) -> None:
    sandbox.files.write("program", b"12345", mode=0o755)
    sandbox.files.symlink("program", "link")
    found = sandbox.files.stat("link")
    assert (found.kind, found.size, found.mode) == ("file", 5, 0o755)
    assert found.modified_at is not None and found.modified_at.tzinfo is not None
    assert abs(found.modified_at - datetime.datetime.now(datetime.timezone.utc)) < datetime.timedelta(minutes=5)
    assert sandbox.files.stat_link("link").link_target == "program"
    assert sandbox.files.read_link("link") == "program"


def test_names_that_are_no_text_cross_both_ways(sandbox: Sandbox) -> None:
    name = os.fsdecode(b"odd\xff\n name")
    sandbox.files.write(name, b"x")
    listed = [entry.path for entry in sandbox.files.list(".") if entry.path.startswith("odd")]
    assert listed == [name]
    assert sandbox.files.read(b"odd\xff\n name") == b"x"
    assert sandbox.files.read(pathlib.PurePosixPath(name)) == b"x"


def test_errors_are_python_s_own_too(sandbox: Sandbox) -> None:
    files = sandbox.files
    files.mkdir("directory")
    files.write("file", b"")
    cases = [
        (lambda: files.read("missing"), FileNotFoundError, isobox.NotFoundError),
        (lambda: files.read("directory"), IsADirectoryError, isobox.SandboxIOError),
        (lambda: files.list("file"), NotADirectoryError, isobox.SandboxIOError),
        (lambda: files.write("file", b"", exclusive=True), FileExistsError, isobox.AlreadyExistsError),
    ]
    for call, builtin, ours in cases:
        with pytest.raises(builtin) as caught:
            call()
        assert isinstance(caught.value, ours)
        assert isinstance(caught.value, isobox.SandboxError)
        assert caught.value.sandbox == sandbox.id
        assert isinstance(caught.value.detail, isobox.FileDetail)


def test_directories_go_in_and_out(sandbox: Sandbox, tmp_path: pathlib.Path) -> None:
    source = tmp_path / "source"
    (source / "deep" / "er").mkdir(parents=True)
    (source / "deep" / "program").write_text("#!/bin/sh\n")
    (source / "deep" / "program").chmod(0o755)
    (source / "link").symlink_to("deep/program")
    report = sandbox.files.upload(source, "there")
    assert (report.files, report.links) == (1, 1)
    assert sandbox.exec(["readlink", "there/link"]).stdout == "deep/program\n"
    sandbox.files.download("there", tmp_path / "back")
    assert (tmp_path / "back" / "deep" / "program").stat().st_mode & 0o777 == 0o755
    assert os.readlink(tmp_path / "back" / "link") == "deep/program"
    assert (tmp_path / "back" / "deep" / "er").is_dir()


def test_a_file_of_any_length_goes_in_parts(sandbox: Sandbox) -> None:
    part = os.urandom(1 << 20)
    with sandbox.files.write_stream("large") as writer:
        for _ in range(8):
            writer.write(part)
    with sandbox.files.read_stream("large") as parts:
        assert b"".join(parts) == part * 8
    with pytest.raises(isobox.LimitExceededError):
        sandbox.files.read("large", limit=1000)


def test_a_writer_that_fails_says_why(sandbox: Sandbox) -> None:
    sandbox.files.mkdir("directory")
    writer = sandbox.files.write_stream("directory")
    with pytest.raises(IsADirectoryError):
        for _ in range(100):
            writer.write(b"x" * 100_000)
    with pytest.raises(IsADirectoryError):
        writer.close()


async def test_changes_are_seen(async_sandbox: AsyncSandbox) -> None:
    await async_sandbox.files.mkdir("watched")
    async with await async_sandbox.files.watch("watched") as changes:
        await async_sandbox.files.write("watched/new", b"x")
        change = await anext(changes)
        assert (change.kind, change.path) == ("created", "new")
