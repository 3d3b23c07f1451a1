"""One game with its dealer: what the environments share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import Dealer, Encoding, Move, Position, Rules, rewards


class Table:
    """A game that always waits for a decision, or is over; deals are played as soon as they are due."""

    def __init__(self, rules: Rules | str, observation: str, reward: str) -> None:
        self.rules = Rules(rules) if isinstance(rules, str) else rules
        self.encoding = Encoding(self.rules)
        if observation not in ("flat", "planes"):
            raise ValueError('an observation is "flat" or "planes"')
        self.is_flat = observation == "flat"
        self.reward = reward
        start = Position.start(self.rules)
        rewards(start, start, reward)  # Raises an exception for an unknown reward.
        self._rng = np.random.default_rng()
        self._dealer: Dealer | None = None
        self._position: Position | None = None

    @property
    def position(self) -> Position:
        """The position of the game."""
        if self._position is None:
            raise RuntimeError("call reset() first")
        return self._position

    def reset(self, seed: int | None) -> None:
        """Begins a game: the one of the seed, or one that follows from the last seed."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        game_seed = int(self._rng.integers(2**63)) if seed is None else seed
        self._dealer = Dealer(game_seed, self.rules)
        self._position = self._dealt(Position.start(self.rules, self._dealer.first))

    def _dealt(self, position: Position) -> Position:
        while position.phase == "deal":
            assert self._dealer is not None
            position = position.deal(self._dealer.deal(position))
        return position

    def play(self, m: Move) -> list[float]:
        """Plays a move and the deal that may follow; returns the rewards by seat."""
        before = self.position
        self._position = self._dealt(before.play(m))
        return rewards(before, self._position, self.reward)

    def observe(self, seat: int) -> NDArray[np.int16]:
        """What a seat observes."""
        if self.is_flat:
            return self.encoding.observe(self.position, seat)
        return self.encoding.observe_planes(self.position, seat)

    def mask(self) -> NDArray[np.int8]:
        """The legal actions of the seat to move."""
        return self.encoding.mask(self.position)

    def bounds(self) -> NDArray[np.int16]:
        """The largest value of each number of an observation; the smallest is 0."""
        if self.is_flat:
            return self.encoding.high
        high = self.encoding.planes_high[:, None, None]
        return np.broadcast_to(high, self.encoding.planes_shape).copy()

    def render(self, mode: str | None) -> Any:
        """The position as ``human`` (printed), ``ansi`` or ``svg``."""
        if mode == "human":
            print(self.position.draw(colors=True))
            return None
        if mode == "svg":
            return self.position.svg()
        return self.position.draw()


RENDER_MODES = ["human", "ansi", "svg"]
