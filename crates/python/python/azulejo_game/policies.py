"""Policies: functions from a position to a move, for opponents and evaluations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import Engine, Move, Position

Policy = Callable[[Position], Move]
"""Chooses a move for the seat to move."""


def random_policy(seed: int | None = None) -> Policy:
    """Every legal move is equally likely."""
    rng = np.random.default_rng(seed)

    def choose(position: Position) -> Move:
        return position.nth_legal_move(int(rng.integers(position.n_legal_moves)))

    return choose


def greedy_policy() -> Policy:
    """The move with the best score if the round ended after it; the first of equal ones."""

    def choose(position: Position) -> Move:
        return max(position.legal_moves(), key=lambda m: position.preview(m)["change"])

    return choose


def level_policy(level: int | str, *, nodes: int | None = None, seed: int = 0) -> Policy:
    """The engine on a level. Full strength needs a limit, by default 10,000 nodes."""
    engine = Engine(level, nodes=nodes, hash_mb=1, seed=seed)
    limit = 10_000 if nodes is None and engine.level == Engine().level else nodes

    def choose(position: Position) -> Move:
        return engine.search(position, nodes=limit).best

    return choose


def policy(spec: Policy | int | str, seed: int | None = None) -> Policy:
    """A policy from a function, ``"random"``, ``"greedy"``, or the number or name of a level."""
    if callable(spec):
        return spec
    if spec == "random":
        return random_policy(seed)
    if spec == "greedy":
        return greedy_policy()
    return level_policy(spec, seed=0 if seed is None else seed)
