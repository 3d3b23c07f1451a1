"""Plays games of random moves and prints how they end. `python random_play.py [GAMES]`"""

from __future__ import annotations

import sys
from collections import Counter

from azulejo_game import Dealer, Position
from azulejo_game.policies import random_policy


def play(seed: int, rules: str = "2c") -> Position:
    """The final position of a game of random moves; its deals follow from the seed."""
    choose = random_policy(seed)
    dealer = Dealer(seed, rules)
    position = Position.start(rules, dealer.first)
    while not position.is_over:
        if position.phase == "deal":
            position = position.deal(dealer.deal(position))
        else:
            position = position.play(choose(position))
    return position


def main() -> None:
    n_games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    scores: list[int] = []
    reasons: Counter[str] = Counter()
    for seed in range(n_games):
        position = play(seed)
        assert position.outcome is not None
        scores += position.scores
        reasons[position.outcome.ended_by] += 1
    print(f"{n_games} games, mean score {sum(scores) / len(scores):.1f}, best {max(scores)}")
    print("ended by", dict(reasons))
    print(position.draw())


if __name__ == "__main__":
    main()
