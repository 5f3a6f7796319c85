"""The end of the interpreter, and forks of it."""

from __future__ import annotations

import atexit

from . import _native


def _end() -> None:
    # Before the interpreter goes: sandboxes of this process end, and with them every thread that could call into it.
    _native.end()


atexit.register(_end)
