"""The benchmark runs, and the plain NumPy game it compares with is the same game."""

from __future__ import annotations

import subprocess
import sys

from azulejo_game import Deal, Encoding
from azulejo_game.bench.__main__ import counts, random_games
from azulejo_game.bench.plain import PlainGame


def test_the_plain_game_is_the_same_game() -> None:
    encoding = Encoding("2c")
    n_moves = 0
    for position, actions in random_games("2c", 60):
        game = PlainGame(position.starter)
        for action in actions:
            if isinstance(action, Deal):
                position = position.deal(action)
                game.deal(counts(action))
            else:
                position = position.play(action)
                game.play(encoding.action(action))
                n_moves += 1
            assert (game.observe() == encoding.observe(position)).all(), position
            assert (game.mask() == encoding.mask(position)).all()
            assert game.score == position.scores
        assert position.outcome is not None and game.ended == position.outcome.ended_by
    assert n_moves > 2_000


def test_the_benchmark_prints_all_lines() -> None:
    command = [sys.executable, "-m", "azulejo_game.bench", "--seconds", "0.05", "--games", "64"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(lines) == 14 and all("/s" in line for line in lines[1:]), lines
