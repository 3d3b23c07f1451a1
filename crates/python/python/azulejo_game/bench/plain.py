"""The game of two players in plain NumPy, as one would write it without this package.

It is here to be measured against and knows the official rules only: two players, colored wall, no
jokers. Deals come from outside. A test compares it with the real rules, move by move.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

ROWS = np.arange(5)
CAPACITY = np.arange(1, 6)
COLUMN = (ROWS[:, None] + np.arange(5)) % 5  # By row and color.
LOSS = np.array([0, 1, 2, 4, 6, 8, 11, 14])


class PlainGame:
    """A game under way."""

    def __init__(self, first: int) -> None:
        self.offer = np.zeros((6, 5), np.int16)  # The center, then the factories, by color.
        self.bag = np.full(5, 20, np.int16)
        self.lid = np.zeros(5, np.int16)
        self.color = np.zeros((2, 5), np.int16)  # Of each line, where it is not empty.
        self.count = np.zeros((2, 5), np.int16)
        self.wall = np.zeros((2, 5, 5), bool)
        self.floor = np.zeros((2, 5), np.int16)
        self.score = [0, 0]
        self.marker: int | None = None
        self.turn = self.starter = first
        self.round, self.dry_rounds = 1, 1
        self.ended: str | None = None

    def deal(self, factories: NDArray[np.int16]) -> None:
        """Fills the factories: five rows of counts by color."""
        total = factories.sum(axis=0)
        if total.sum() > self.bag.sum():
            self.bag = self.bag + self.lid
            self.lid = np.zeros(5, np.int16)
        self.bag = self.bag - total
        self.offer[1:] = factories

    def mask(self) -> NDArray[np.int8]:
        """The legal actions, numbered as in ``Encoding``."""
        color, count, wall = self.color[self.turn], self.count[self.turn], self.wall[self.turn]
        fits = (count == 0)[:, None] | (color[:, None] == np.arange(5))
        fits &= (count < CAPACITY)[:, None] & ~wall[ROWS[:, None], COLUMN]
        takes = np.ones((5, 6), bool)
        takes[:, :5] = fits.T
        return ((self.offer > 0)[:, :, None] & takes).reshape(180).astype(np.int8)

    def play(self, action: int) -> None:
        """Plays a legal action."""
        source, rest = divmod(action, 30)
        color, to = divmod(rest, 6)
        seat, n = self.turn, int(self.offer[source, color])
        self.offer[source, color] = 0
        if source > 0:
            self.offer[0] += self.offer[source]
            self.offer[source] = 0
        elif self.marker is None:
            self.marker = seat
        placed = 0 if to == 5 else min(n, to + 1 - int(self.count[seat, to]))
        if placed:
            self.color[seat, to] = color
            self.count[seat, to] += placed
        room = 7 - int(self.floor[seat].sum()) - (self.marker == seat)
        fallen = min(n - placed, max(room, 0))
        self.floor[seat, color] += fallen
        self.lid[color] += n - placed - fallen
        if self.offer.any():
            self.turn = 1 - seat
        else:
            self._end_round()

    def _end_round(self) -> None:
        has_placed = False
        for seat in (0, 1):
            for row in range(5):
                if self.count[seat, row] == row + 1:
                    self._place(seat, row, int(self.color[seat, row]))
                    has_placed = True
            taken = min(7, int(self.floor[seat].sum()) + (self.marker == seat))
            self.score[seat] = max(0, self.score[seat] - int(LOSS[taken]))
            self.lid += self.floor[seat]
            self.floor[seat] = 0
        if self.marker is not None:
            self.starter = self.marker
        self.marker, self.turn = None, self.starter
        if has_placed:
            self.dry_rounds = 0
        if self.wall.all(axis=2).any():
            self.ended = "row"
        elif self.dry_rounds >= 5:
            self.ended = "stall"
        if self.ended:
            self._add_bonuses()
        else:
            self.round += 1
            self.dry_rounds += 1

    def _place(self, seat: int, row: int, color: int) -> None:
        column = int(COLUMN[row, color])
        wall = self.wall[seat]
        wall[row, column] = True
        across = self._run(wall[row], column)
        down = self._run(wall[:, column], row)
        self.score[seat] += across + down - (1 if across == 1 or down == 1 else 0)
        self.count[seat, row] = 0
        self.lid[color] += row

    @staticmethod
    def _run(spaces: NDArray[np.bool_], at: int) -> int:
        first = last = at
        while first > 0 and spaces[first - 1]:
            first -= 1
        while last < 4 and spaces[last + 1]:
            last += 1
        return last - first + 1

    def _add_bonuses(self) -> None:
        for seat in (0, 1):
            wall = self.wall[seat]
            colors = wall[ROWS[:, None], COLUMN].all(axis=0).sum()
            bonus = 2 * wall.all(axis=1).sum() + 7 * wall.all(axis=0).sum() + 10 * colors
            self.score[seat] += int(bonus)

    def observe(self) -> NDArray[np.int16]:
        """What the seat to move observes, laid out as in ``Encoding``."""
        phase = np.zeros(6, np.int16)
        phase[{None: 0 if self.offer.any() else 1, "row": 2, "stall": 5}[self.ended]] = 1
        seats = np.eye(2, dtype=np.int16)
        parts = [
            self.offer.reshape(-1),
            np.array([self.marker is None], np.int16),
            self.bag,
            self.lid,
            np.array([self.round, self.dry_rounds], np.int16),
            phase,
            seats[self.turn],
            seats[0],
            seats[self.starter ^ self.turn],
        ]
        for seat in (self.turn, 1 - self.turn):
            lines = np.zeros((5, 5), np.int16)
            lines[ROWS, self.color[seat]] = self.count[seat]
            parts += [
                np.array([self.score[seat]], np.int16),
                lines.reshape(-1),
                self.wall[seat].reshape(-1).astype(np.int16),
                self.floor[seat],
                np.array([self.marker == seat], np.int16),
            ]
        return np.concatenate(parts)
