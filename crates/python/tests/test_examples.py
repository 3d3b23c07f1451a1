"""The examples and the notebook run, and the agent that learns beats the random player."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def run(*arguments: str) -> str:
    # One thread for the matrices: they are small, and the environment has threads of its own.
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=EXAMPLES, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_random_play() -> None:
    assert run("random_play.py", "20").startswith("20 games, mean score")


def test_tournament() -> None:
    lines = run("tournament.py", "2", "1", "3").splitlines()
    assert len(lines) == 3 and "level" in lines[-1]


def test_evaluation_has_error_bars() -> None:
    assert re.search(r"against random +\d+\.\d% ± +\d+\.\d% of 8 games", run("evaluate.py", "greedy", "4", "random"))


def test_the_agent_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small part of the moves of the example is enough to beat the random player clearly."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    from evaluate import evaluate  # type: ignore[import-not-found]
    from learn import Agent, learn  # type: ignore[import-not-found]

    from azulejo_game.policies import random_policy

    agent = Agent()
    n_moves = learn(agent, moves=200_000)
    wins, error, _ = evaluate(agent.choose, random_policy(1), 30)
    assert wins - error > 0.75, f"{wins:.1%} ± {error:.1%} after {n_moves} moves"


def test_the_notebook_runs() -> None:
    notebook = json.loads((EXAMPLES / "draw_a_game.ipynb").read_text())
    names: dict[str, Any] = {}
    n_drawings = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        # What a notebook shows is the value of the last line.
        code = ast.parse("".join(cell["source"]))
        shown = code.body.pop() if isinstance(code.body[-1], ast.Expr) else None
        exec(compile(code, "notebook", "exec"), names)
        if isinstance(shown, ast.Expr):
            value = eval(compile(ast.Expression(shown.value), "notebook", "eval"), names)
            n_drawings += hasattr(value, "_repr_svg_") and value._repr_svg_().startswith("<svg ")
    assert n_drawings == 3
