"""The types of a review, which ``Record.review`` returns: the dictionaries of ``azulejo review --json``.

``docs/review.md`` explains the numbers. Chances are shares of a win from 0 to 1, lists of them are by
seat. As in all dictionaries of the JSON interface, ``seat`` counts from 1, and moves are texts.
"""

from __future__ import annotations

from typing import Literal, TypedDict


class Budget(TypedDict):
    """How much is computed, in nodes of the search."""

    nodes: int
    n_deals: int
    deal_nodes: int


class Summary(TypedDict):
    """The decisions of a part of the game that had more than one legal move."""

    n_decisions: int
    loss: float
    loss_per_decision: float
    accuracy: float | None


class Phases(TypedDict):
    """Rounds 1 and 2, the rounds between, and the last round of a finished game."""

    opening: Summary
    middle: Summary
    ending: Summary


class TurningPoint(TypedDict):
    """A deal or a move that changed a player's chance most."""

    ply: int
    is_deal: bool
    change: float


class Points(TypedDict):
    """Where the points of a player came from."""

    placements: int
    floor: int
    rows: int
    columns: int
    colors: int


class Ledger(TypedDict):
    """From the chance at the start to the result; the lines add up."""

    start: float
    lot: float
    luck: float
    own_errors: float
    others_errors: float
    others_choices: float
    substitute: float
    ended_early: float
    residual: float
    result: float


class Player(TypedDict):
    """The review of one player."""

    seat: int
    name: str | None
    all: Summary
    phases: Phases
    judgements: list[int]
    turning_points: list[TurningPoint]
    points: Points
    ledger: Ledger


class DealLuck(TypedDict):
    """A deal and its luck."""

    ply: int
    round: int
    deal: str
    before: list[float]
    error: list[float]
    after: list[float]
    luck: list[float]
    beyond: list[float]


class Reason(TypedDict, total=False):
    """Why the best move is better; which other keys there are depends on the kind."""

    kind: Literal["placements", "floor", "bonuses", "denies", "lines", "starter", "ending"]
    points: int
    tiles: int
    seat: int
    best: int | bool
    played: int


class Decision(TypedDict):
    """A decision of the game."""

    ply: int
    round: int
    seat: int
    played: str
    best: str
    judgement: Literal["brilliant", "best", "good", "inaccuracy", "mistake", "blunder"]
    loss: float
    loss_points: float
    certainty: Literal["estimated", "solved", "proved"]
    error: float
    win_best: float
    win_played: float
    n_moves: int
    n_good: int
    seen_after: int
    line: list[str]
    reply: list[str]
    reasons: list[Reason]
    after: list[float]
    change: list[float]
    revision: list[float]


class Review(TypedDict):
    """The judgement of a game, or of its first ``n_done`` of ``n_steps`` steps."""

    review: int
    program: str
    rules: str
    budget: Budget
    seed: str
    n_done: int
    n_steps: int
    is_over: bool
    ended_early: str | None
    start: list[float]
    result: list[float]
    players: list[Player]
    deals: list[DealLuck]
    decisions: list[Decision]
