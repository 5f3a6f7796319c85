"""Every piece of Python in the guides and in the package's own page runs as it is."""

from __future__ import annotations

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PAGES = ["README.md", "python/README.md", "docs/guide/python.md"]


def pieces() -> list[object]:
    found: list[object] = []
    for page in PAGES:
        blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
        assert blocks, page
        found += [pytest.param(block, id=f"{page}:{number}") for number, block in enumerate(blocks)]
    return found


@pytest.mark.parametrize("piece", pieces())
def test_it_runs(piece: str, python) -> None:
    done = python(piece)
    assert done.returncode == 0, done.stderr
