"""A Gymnasium environment: one seat against opponents that are part of the environment.

``gymnasium.make("azulejo_game/Azulejo-v1")`` finds it. ``info["action_mask"]`` and ``action_masks()``
have the legal actions. An illegal action loses the game at once, or raises an exception.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from . import IllegalMoveError, Rules
from .policies import Policy, policy
from .table import RENDER_MODES, Table

ILLEGAL_REWARD = {"outcome": -1.0, "margin": -100.0, "score": -100.0}
"""The reward of an illegal action, which no played game falls below."""


class AzulejoEnv(gymnasium.Env[NDArray[np.int16], np.int64]):
    """One seat of a game. ``seat=None`` takes a random one for each game.

    ``opponent`` is a function from a position to a move, ``"random"``, ``"greedy"``, or the number or
    name of a level of the engine.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}

    def __init__(
        self,
        rules: Rules | str = "2c",
        *,
        seat: int | None = None,
        opponent: Policy | int | str = "random",
        observation: str = "flat",
        reward: str = "outcome",
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        self.table = Table(rules, observation, reward)
        n_players = self.table.rules.players
        if seat is not None and not 0 <= seat < n_players:
            raise ValueError(f"there is no seat {seat} among {n_players}")
        if illegal not in ("lose", "raise"):
            raise ValueError('`illegal` is "lose" or "raise"')
        self.fixed_seat = seat
        self.seat = 0 if seat is None else seat
        self.illegal = illegal
        self.render_mode = render_mode
        self._opponent_spec = opponent
        self._opponent = policy(opponent)
        high = self.table.bounds()
        self.observation_space = spaces.Box(np.zeros_like(high), high, dtype=np.int16)
        self.action_space = spaces.Discrete(self.table.encoding.n_actions)
        self._is_done = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int16], dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None:
            self._opponent = policy(self._opponent_spec, seed)
        while True:
            self.table.reset(int(self.np_random.integers(2**62)))
            if self.fixed_seat is None:
                self.seat = int(self.np_random.integers(self.table.rules.players))
            self._play_opponents()
            if not self.table.position.is_over:
                break
        self._is_done = False
        return self.table.observe(self.seat), self._info()

    def _play_opponents(self) -> float:
        """Plays until it is the own turn; returns the reward of that."""
        reward = 0.0
        while not self.table.position.is_over and self.table.position.turn != self.seat:
            reward += self.table.play(self._opponent(self.table.position))[self.seat]
        return reward

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask()}

    def _mask(self) -> NDArray[np.int8]:
        if self.table.position.is_over:
            return np.zeros(self.table.encoding.n_actions, np.int8)
        return self.table.mask()

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions as booleans, as libraries with masked policies ask for them."""
        return self._mask().astype(np.bool_)

    def step(
        self, action: np.int64 | int
    ) -> tuple[NDArray[np.int16], float, bool, bool, dict[str, Any]]:
        if self._is_done:
            raise RuntimeError("the game is over: call reset() first")
        try:
            reward = self.table.play(self.table.encoding.move(int(action)))[self.seat]
        except IllegalMoveError:
            if self.illegal == "raise":
                raise
            self._is_done = True
            observation, info = self.table.observe(self.seat), self._info()
            return observation, ILLEGAL_REWARD[self.table.reward], True, False, info | {"illegal": True}
        reward += self._play_opponents()
        self._is_done = self.table.position.is_over
        if self.render_mode == "human":
            self.render()
        return self.table.observe(self.seat), reward, self._is_done, False, self._info()

    def render(self) -> Any:
        return self.table.render(self.render_mode)


def register() -> None:
    """Registers the environment with Gymnasium, which calls this by itself when it is installed."""
    name = "azulejo_game/Azulejo-v1"
    if name not in gymnasium.registry:
        gymnasium.register(name, entry_point="azulejo_game.gym:AzulejoEnv", disable_env_checker=True)


register()
