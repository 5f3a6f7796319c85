"""What may be given in several forms."""

from __future__ import annotations

import datetime
import os
from collections.abc import Sequence
from typing import Literal, Union

Seconds = Union[float, datetime.timedelta]
"""A time span: a number of seconds, or a timedelta."""

Lifetime = Union[float, datetime.timedelta, Literal["never"]]
"""How long something may exist: a number of seconds, a timedelta, or `"never"`."""

SandboxPath = Union[str, bytes, "os.PathLike[str]"]
"""A path in a sandbox. A `str` may hold bytes that are no UTF-8 in the way of `os.fsdecode`."""

LocalPath = Union[str, bytes, "os.PathLike[str]"]
"""A path on this machine."""

Command = Union[str, Sequence[Union[str, bytes, "os.PathLike[str]"]]]
"""What to run: a list is a program and its arguments and involves no shell, a text is a script for `sh -c`."""

Size = Union[int, str]
"""A size in bytes, or a text such as `"512m"` or `"1.5g"` with powers of 1024."""
