"""The stubs are those of the module, and the package is typed strictly."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import azulejo_game

PACKAGE = Path(azulejo_game.__file__).parent


def run(*arguments: str, folder: Path) -> None:
    environment = os.environ | {"MYPY_CACHE_DIR": str(PACKAGE.parent / "mypy_cache")}
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_agree_with_the_module() -> None:
    run("mypy.stubtest", "azulejo_game._core", folder=PACKAGE.parent)


def test_the_package_is_typed(root: Path) -> None:
    examples = str(root / "crates/python/examples")
    run("mypy", "--config-file", str(root / "pyproject.toml"), "--strict", "azulejo_game", examples,
        folder=PACKAGE.parent)  # fmt: skip
