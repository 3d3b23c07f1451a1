"""The engine: searches, analyses, limits, threads."""

from __future__ import annotations

import threading
import time

import pytest

from azulejo_game import LEVELS, AzulejoError, Engine, ParseError, Position

POSITION = Position.start("2c").deal("BBYR-KKKK-BYRK-YWWW-RRKK")


def test_a_search_is_reproducible() -> None:
    first = Engine().search(POSITION, nodes=2_000)
    again = Engine().search(POSITION, nodes=2_000)
    assert first.best == again.best and first.pv == again.pv and first.win == again.win
    assert first.nodes <= 2_000 and first.best == first.pv[0]
    assert sum(first.win) == pytest.approx(1, abs=1e-3) and len(first.difference) == 2
    assert POSITION.is_legal(first.best)


def test_an_analysis_has_lines() -> None:
    lines = Engine().analyze(POSITION, 4, nodes=20_000)
    assert len(lines) == 4 and len({line.best for line in lines}) == 4
    values = [line.difference[0] + 50 * line.win[0] for line in lines]
    assert values == sorted(values, reverse=True)


def test_every_level_plays() -> None:
    for number, name in enumerate(LEVELS, start=1):
        engine = Engine(name.lower(), nodes=500, hash_mb=1)
        assert engine.level == number
        assert POSITION.is_legal(engine.search(POSITION).best)
    for level in (0, len(LEVELS) + 1, "nobody", -5, 10**30):
        with pytest.raises((ParseError, TypeError)):
            Engine(level)


def test_limits_are_needed_and_checked() -> None:
    with pytest.raises(ValueError, match="full strength needs a limit"):
        Engine().search(POSITION)
    for wrong in ({"time": -1.0}, {"time": float("nan")}, {"time": 1e300}):
        with pytest.raises(ValueError):
            Engine().search(POSITION, **wrong)
    with pytest.raises(OverflowError):
        Engine().search(POSITION, nodes=-1)
    for wrong_options in ({"threads": 0}, {"hash_mb": 10**9}, {"threads": 10**6}):
        with pytest.raises(ValueError):
            Engine(**wrong_options)
    with pytest.raises(AzulejoError, match="waits for a deal"):
        Engine().search(Position.start("2c"), nodes=10)
    with pytest.raises(ValueError):
        Engine().analyze(POSITION, 0, nodes=10)


def test_a_search_can_be_stopped_and_leaves_the_lock_free() -> None:
    engine = Engine()
    found = []
    thread = threading.Thread(target=lambda: found.append(engine.search(POSITION, time=60)))
    start = time.monotonic()
    thread.start()
    n_turns = 0
    while time.monotonic() < start + 0.3:
        n_turns += 1  # This thread goes on while the other one searches.
    engine.stop()
    thread.join(10)
    assert not thread.is_alive() and n_turns > 1_000
    assert POSITION.is_legal(found[0].best) and time.monotonic() < start + 10


def test_a_forecast_needs_no_move() -> None:
    for position in (Position.start("3c"), Position.start("4gj"), POSITION):
        forecast = Engine(hash_mb=1).forecast(position)
        assert len(forecast.win) == position.rules.players
        assert sum(forecast.win) == pytest.approx(1, abs=1e-3)
