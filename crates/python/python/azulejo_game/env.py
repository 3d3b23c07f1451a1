"""PettingZoo environments: ``env`` and ``raw_env`` (AEC), ``parallel_env``.

Agents are ``player_0``, ``player_1``, …, by seat. An observation is a dictionary with the numbers
(``observation``) and the legal actions (``action_mask``), which are all 0 for agents that do not move.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from . import Rules
from .table import RENDER_MODES, Table


def env(rules: Rules | str = "2c", **options: Any) -> Any:
    """The AEC environment with checks: an illegal action ends the game with a reward of -1."""
    checked = wrappers.TerminateIllegalWrapper(raw_env(rules, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


def parallel_env(rules: Rules | str = "2c", **options: Any) -> Any:
    """A parallel environment, in which only the action of the agent to move counts in each step.

    Actions of the others are ignored; an illegal action ends the game as in ``env``.
    """
    return turn_based_aec_to_parallel(env(rules, **options))


class raw_env(AECEnv[str, dict[str, Any], int | None]):  # noqa: N801 (PettingZoo's name)
    """The AEC environment without checks: an illegal action raises ``IllegalMoveError``."""

    metadata = {
        "name": "azulejo_v1",
        "render_modes": RENDER_MODES,
        "is_parallelizable": True,
        "render_fps": 1,
    }

    def __init__(
        self,
        rules: Rules | str = "2c",
        *,
        observation: str = "flat",
        reward: str = "outcome",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.table = Table(rules, observation, reward)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.table.rules.players)]
        self.agents = list(self.possible_agents)
        high, n_actions = self.table.bounds(), self.table.encoding.n_actions
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(np.zeros_like(high), high, dtype=np.int16),
                "action_mask": spaces.Box(0, 1, (n_actions,), np.int8),
            }
        )
        # One for each agent, since each may be seeded.
        self._action_spaces = {agent: spaces.Discrete(n_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.table.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.table.position.turn]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        position = self.table.position
        is_due = not position.is_over and position.turn == seat
        n_actions = self.table.encoding.n_actions
        mask = self.table.mask() if is_due else np.zeros(n_actions, np.int8)
        return {"observation": self.table.observe(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("None is an action only after the end of the game")
        by_seat = self.table.play(self.table.encoding.move(int(action)))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, by_seat, strict=True))
        position = self.table.position
        if position.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[position.turn]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        return self.table.render(self.render_mode)

    def close(self) -> None:
        pass
