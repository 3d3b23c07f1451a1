"""A tournament of levels with PettingZoo: every pair plays each deal twice, with seats swapped.

`python tournament.py [DEALS] [LEVEL …]`
"""

from __future__ import annotations

import itertools
import sys

from azulejo_game import LEVELS
from azulejo_game.env import raw_env
from azulejo_game.policies import Policy, level_policy


def play(policies: list[Policy], seed: int) -> list[float]:
    """The rewards of a game by seat."""
    env = raw_env("2c")
    env.reset(seed=seed)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, termination, truncation, _ = env.last(observe=False)
        totals[agent] += reward
        if termination or truncation:
            env.step(None)
            continue
        position = env.table.position
        env.step(env.table.encoding.action(policies[position.turn](position)))
    return list(totals.values())


def main() -> None:
    n_deals = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    levels = [int(level) for level in sys.argv[2:]] or [1, 3, 5]
    policies = {level: level_policy(level) for level in levels}
    points = dict.fromkeys(levels, 0.0)
    for a, b in itertools.combinations(levels, 2):
        won = 0.0
        for seed in range(n_deals):
            won += (play([policies[a], policies[b]], seed)[0] + 1) / 2
            won += (play([policies[b], policies[a]], seed)[1] + 1) / 2
        points[a] += won
        points[b] += 2 * n_deals - won
        print(f"{LEVELS[a - 1]} {won:g} : {2 * n_deals - won:g} {LEVELS[b - 1]}")
    for level in sorted(levels, key=lambda level: -points[level]):
        print(f"{points[level]:6.1f}  level {level} {LEVELS[level - 1]}")


if __name__ == "__main__":
    main()
