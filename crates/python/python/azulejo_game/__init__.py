"""Azulejo: the board game Azul with exact rules, a strong engine and environments for learning.

Everything in this module is written in Rust and needs only NumPy. The environments are in modules of
their own, which need the library they are for:

* ``azulejo_game.env``: PettingZoo (AEC and parallel)
* ``azulejo_game.gym``: Gymnasium, one seat against opponents
* ``azulejo_game.openspiel``: OpenSpiel, with explicit or sampled chance
* ``azulejo_game.VectorEnv``: thousands of games at once, into arrays of the caller

Seats are numbers from 0, so that they are indices. Tiles are texts of letters: ``"BBYR"``.
"""

from ._core import (
    ENCODING_VERSION,
    LEVELS,
    AzulejoError,
    Board,
    Deal,
    Dealer,
    Encoding,
    Engine,
    Forecast,
    IllegalDealError,
    IllegalMoveError,
    Info,
    Move,
    Outcome,
    ParseError,
    Position,
    Record,
    Rules,
    VectorEnv,
    __version__,
    rewards,
)

__all__ = [
    "ENCODING_VERSION",
    "LEVELS",
    "AzulejoError",
    "Board",
    "Deal",
    "Dealer",
    "Encoding",
    "Engine",
    "Forecast",
    "IllegalDealError",
    "IllegalMoveError",
    "Info",
    "Move",
    "Outcome",
    "ParseError",
    "Position",
    "Record",
    "Rules",
    "VectorEnv",
    "__version__",
    "rewards",
]
