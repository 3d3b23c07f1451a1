"""Shared by all tests: where the repository is, and random games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from azulejo_game import Dealer, Position

ROOT = Path(__file__).resolve().parents[3]
KINDS = ["2c", "3c", "4c", "2g", "3cj", "4gj", "2c-duel", "4c-quick-guide"]


@pytest.fixture
def root() -> Path:
    """The top folder of the repository."""
    return ROOT


def random_game(rules: str, seed: int) -> Iterator[Position]:
    """Every position of a game of random moves, the last one too."""
    rng = np.random.default_rng(seed)
    dealer = Dealer(seed, rules)
    position = Position.start(rules, dealer.first)
    yield position
    while not position.is_over:
        if position.phase == "deal":
            position = position.deal(dealer.deal(position))
        else:
            position = position.play(position.nth_legal_move(int(rng.integers(position.n_legal_moves))))
        yield position
