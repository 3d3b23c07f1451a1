"""Evaluates a policy against a ladder of opponents, with error bars.

Each deal is played twice with the seats swapped, so that its luck cancels out; the error is that of the
mean over pairs. `python evaluate.py POLICY [PAIRS] [OPPONENT …]`, where a policy is `random`,
`greedy`, the number of a level, or the file of an agent from `learn.py`.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

from azulejo_game import Dealer, Position
from azulejo_game.policies import Policy, policy


def play(policies: list[Policy], seed: int) -> list[int]:
    """The scores of a game."""
    dealer = Dealer(seed, "2c")
    position = Position.start("2c", dealer.first)
    while not position.is_over:
        if position.phase == "deal":
            position = position.deal(dealer.deal(position))
        else:
            position = position.play(policies[position.turn](position))
    return position.scores


def result(own: int, other: int) -> float:
    """1 for a win, 0 for a loss."""
    return 0.5 if own == other else float(own > other)


def evaluate(own: Policy, opponent: Policy, n_pairs: int, seed: int = 0) -> tuple[float, float, float]:
    """The share of wins, its error (95 %), and the mean difference of scores."""
    pairs, differences = [], []
    for i in range(n_pairs):
        a, b = play([own, opponent], seed + i)
        d, c = play([opponent, own], seed + i)
        pairs.append((result(a, b) + result(c, d)) / 2)
        differences.append((a - b + c - d) / 2)
    mean = sum(pairs) / n_pairs
    variance = sum((pair - mean) ** 2 for pair in pairs) / max(1, n_pairs - 1)
    return mean, 1.96 * math.sqrt(variance / n_pairs), sum(differences) / n_pairs


def load(name: str) -> Policy:
    """A policy by its name, or from a file of `learn.py`."""
    if Path(name).suffix == ".npz":
        from learn import Agent

        return Agent.load(name).choose
    return policy(int(name) if name.isdigit() else name, seed=1)


def main() -> None:
    own = load(sys.argv[1] if len(sys.argv) > 1 else "greedy")
    n_pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    for name in sys.argv[3:] or ["random", "greedy", "1", "2", "3"]:
        wins, error, difference = evaluate(own, load(name), n_pairs)
        print(f"against {name:<8} {wins:6.1%} ± {error:5.1%} of {2 * n_pairs} games, {difference:+.1f} points")


if __name__ == "__main__":
    main()
