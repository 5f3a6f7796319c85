"""Every test has books of its own, so that nothing of one is seen by another."""

from __future__ import annotations

import atexit
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator

import pytest

# Before the library is opened for the first time. A path of a socket has 107 bytes, so it is short.
HOME = tempfile.mkdtemp(prefix="isobox-py-")
os.environ["ISOBOX_HOME"] = HOME
# After the library's own end, which is registered later and so comes first.
atexit.register(shutil.rmtree, HOME, True)

from isobox import AsyncSandbox, Isobox, Sandbox  # noqa: E402


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox.create() as made:
        yield made


@pytest.fixture
async def async_sandbox():
    async with await AsyncSandbox.create() as made:
        yield made


@pytest.fixture
def home() -> Iterator[pathlib.Path]:
    with tempfile.TemporaryDirectory(prefix="isobox-py-") as directory:
        yield pathlib.Path(directory)


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def python(home: pathlib.Path) -> Run:
    """Runs a program in a Python of its own, with books of its own."""

    def run(program: str, *arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "ISOBOX_HOME": str(home)}
        command = [sys.executable, "-c", textwrap.dedent(program), *arguments]
        return subprocess.run(
            command, env=environment, cwd=home, capture_output=True, text=True, timeout=timeout, check=False
        )

    return run


@pytest.fixture
def left(home: pathlib.Path) -> Callable[[], list[str]]:
    """The ids of the sandboxes that are left in the books of the programs."""

    def look() -> list[str]:
        with Isobox.open(home=home) as isobox:
            return [info.id for info in isobox.list()]

    return look
