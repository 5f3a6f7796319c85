"""Sandboxes for commands you do not trust.

    from isobox import Sandbox

    with Sandbox.create() as sandbox:
        result = sandbox.exec(["echo", "hello"])
        assert result.stdout == "hello\\n"

A list is a program and its arguments, a text is a script for `sh -c`. A command's failure is a result; an error says that it could not be
run. `AsyncSandbox` has the same names, awaited.
"""

from __future__ import annotations

from . import _life as _life
from . import _native
