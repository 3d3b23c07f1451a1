"""OpenSpiel games: importing this module registers ``python_azulejo`` and ``python_azulejo_sampled``.

In ``python_azulejo`` chance is explicit: a node for the seat that starts, and one for each tile drawn
from the bag. In ``python_azulejo_sampled`` a chance node has one outcome, which draws a whole deal.
Actions and observation tensors are those of ``azulejo_game.Encoding``.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from . import Deal, Encoding, Position, Rules

TILES = "BYRKWJ"


def _game_type(short_name: str, chance_mode: Any, parameters: dict[str, Any]) -> Any:
    return pyspiel.GameType(
        short_name=short_name,
        long_name="Azulejo, for the board game Azul",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance_mode,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


EXPLICIT = _game_type(
    "python_azulejo", pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC, {"rules": "2c"}
)
SAMPLED = _game_type(
    "python_azulejo_sampled",
    pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
    {"rules": "2c", "seed": 0},
)


class AzulejoGame(pyspiel.Game):
    """A rule set as an OpenSpiel game."""

    game_type = EXPLICIT

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.rules = Rules(params.get("rules", "2c"))
        self.encoding = Encoding(self.rules)
        self.chance = Chance(params.get("seed", 0))
        players = self.rules.players
        # A round has at most one draft for each tile on the factories and five choices for each seat.
        round_length = 4 * self.rules.n_factories + 5 * players
        stall = int(self.rules.keys()["stall_rounds"]) or 100
        n_rounds = stall * (20 * players + 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.n_actions,
            max_chance_outcomes=max(len(TILES), players),
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=round_length * n_rounds,
        )
        super().__init__(self.game_type, info, params)

    def new_initial_state(self) -> AzulejoState:
        return AzulejoState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> Any:
        is_position = iig_obs_type is None or iig_obs_type.public_info and not iig_obs_type.perfect_recall
        if is_position:
            return Observer(self.encoding)
        # Nothing is private, and the history is all there is to recall.
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SampledGame(AzulejoGame):
    """The same game with sampled deals."""

    game_type = SAMPLED


class Chance:
    """The random numbers of sampled deals. Copies of a state share them, so that their deals differ."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def below(self, n: int) -> int:
        return int(self._rng.integers(n))

    def __deepcopy__(self, memo: Any) -> Chance:
        return self


class AzulejoState(pyspiel.State):
    """A position, or a deal that is being drawn."""

    def __init__(self, game: AzulejoGame) -> None:
        super().__init__(game)
        # OpenSpiel may keep the game without its Python attributes, so the state has them, too.
        self._rules, self._encoding, self._chance = game.rules, game.encoding, game.chance
        self._is_explicit = game.game_type is EXPLICIT
        self._position: Position | None = None
        self._drawn = ""
        if game.rules.first_player is not None:
            self._position = Position.start(game.rules)

    def current_player(self) -> int:
        if self._position is None or self._position.phase == "deal":
            return int(pyspiel.PlayerId.CHANCE)
        if self._position.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return self._position.turn

    def _legal_actions(self, player: int) -> list[int]:
        assert player >= 0 and self._position is not None
        return [int(action) for action in np.flatnonzero(self._encoding.mask(self._position))]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        assert self.is_chance_node()
        if not self._is_explicit:
            return [(0, 1.0)]
        if self._position is None:
            players = self._rules.players
            return [(seat, 1 / players) for seat in range(players)]
        # The lid is poured into the bag when a tile must be drawn from an empty bag.
        bag, lid = self._position.bag, self._position.lid
        n_drawn = len(self._drawn)
        pool = Counter(bag if n_drawn < len(bag) else lid)
        pool.subtract(self._drawn if n_drawn < len(bag) else self._drawn[len(bag) :])
        total = sum(pool.values())
        return [(i, pool[tile] / total) for i, tile in enumerate(TILES) if pool[tile] > 0]

    def _apply_action(self, action: int) -> None:
        if not self.is_chance_node():
            assert self._position is not None
            self._position = self._position.play(self._encoding.move(action))
        elif not self._is_explicit:
            self._sample()
        elif self._position is None:
            self._position = Position.start(self._rules, action)
        else:
            self._drawn += TILES[action]
            if len(self._drawn) == self._position.deal_size:
                self._deal()

    def _deal(self) -> None:
        assert self._position is not None
        factories = range(self._rules.n_factories)
        deal = Deal.of([self._drawn[4 * i : 4 * i + 4] for i in factories])
        self._position = self._position.deal(deal)
        self._drawn = ""

    def _sample(self) -> None:
        if self._position is None:
            first = self._chance.below(self._rules.players)
            self._position = Position.start(self._rules, first)
        self._position = self._position.deal(self._position.draw_deal(self._chance.below(2**63)))

    def _action_to_string(self, player: int, action: int) -> str:
        if player >= 0:
            return str(self._encoding.move(action))
        if not self._is_explicit:
            return "deal"
        return f"seat {action}" if self._position is None else f"draw {TILES[action]}"

    def is_terminal(self) -> bool:
        return self._position is not None and self._position.is_over

    def returns(self) -> list[float]:
        players = self._rules.players
        outcome = None if self._position is None else self._position.outcome
        if outcome is None:
            return [0.0] * players
        winners = outcome.winners
        shares = [(seat in winners) / len(winners) for seat in range(players)]
        return [(share * players - 1) / (players - 1) for share in shares]

    @property
    def position(self) -> Position | None:
        """The position; ``None`` before it is known who starts."""
        return self._position

    def __str__(self) -> str:
        position = "before the start" if self._position is None else str(self._position)
        return f"{position} drawn {self._drawn}" if self._drawn else position


class Observer:
    """The flat observation as a tensor, the text of the position as a string."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self.tensor: NDArray[np.float32] = np.zeros(encoding.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: AzulejoState, player: int) -> None:
        if state.position is None:
            self.tensor.fill(0)
        else:
            self.tensor[:] = self._encoding.observe(state.position, player)

    def string_from(self, state: AzulejoState, player: int) -> str:
        return str(state)


pyspiel.register_game(EXPLICIT, AzulejoGame)
pyspiel.register_game(SAMPLED, SampledGame)
