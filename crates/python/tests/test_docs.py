"""The documentation is true: its code runs, and its table of sizes is right."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from azulejo_game import Encoding


@pytest.mark.parametrize("file", ["docs/python.md", "crates/python/README.md"])
def test_the_code_of_the_documentation_runs(root: Path, file: str) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (root / file).read_text(), re.DOTALL)
    assert blocks
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)


def test_the_table_of_sizes(root: Path) -> None:
    text = (root / "docs/python.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    assert len(rows) == 6
    for rules, *sizes in rows:
        encoding = Encoding(rules)
        assert [encoding.n_actions, encoding.size, encoding.planes_shape[0]] == [int(n) for n in sizes], rules


def test_every_part_is_documented(root: Path) -> None:
    text = (root / "docs/python.md").read_text()
    for name in Encoding("3gj").layout:
        assert f"`{name}`" in text or re.match(r"board[1-9]\.", name), name
