"""The boundary with wrong values of every kind: exceptions, never a crash; and no leaks."""

from __future__ import annotations

import gc
import os
import random
import sys
import tracemalloc
from typing import Any

import numpy as np
import pytest

import azulejo_game
from azulejo_game import (
    Deal,
    Dealer,
    Encoding,
    Engine,
    Move,
    Position,
    Record,
    Rules,
    VectorEnv,
    rewards,
)

ALLOWED = (ValueError, TypeError, OverflowError, IndexError, RuntimeError, AttributeError)


KEYWORDS = ["rules", "first", "seat", "seed", "out", "budget", "progress", "width", "colors", "expect",
            "players", "wall", "preset", "observation", "reward", "threads"]  # fmt: skip


class Odd:
    """An object whose methods raise."""

    def __str__(self) -> str:
        raise ValueError("no text")

    def __index__(self) -> int:
        raise ValueError("no number")

    def __len__(self) -> int:
        return -1


def odd_values(rng: random.Random) -> list[Any]:
    position = Position.start("2c").deal("BBYR-KKKK-BYRK-YWWW-RRKK")
    text = str(position)
    at = rng.randrange(len(text))
    return [
        None, True, 0, -1, 1, 7, 2**31, 2**63, 2**64, -(2**70), 10**400, 0.5, float("nan"), float("inf"), 1j,
        "", "2c", "4gj", "1B2", "0KF", "r1c1", "\x00", "é" * 50, "x" * 10_000, "🎲", "\ud800",
        text[:at] + chr(rng.randrange(32, 0x2FFF)) + text[at + 1 :], text[:at],
        b"2c", bytearray(3), [], [1, 2], ["BBBB"] * 20, (), {}, {"players": 2}, set(), Odd(), object, len,
        np.zeros(4), np.zeros((2, 3), np.int16), np.zeros(169, np.int16), np.int64(3), np.float32(1),
        np.array("x"), np.zeros(0), Move("1B2"), Deal("BBBB"), Rules("3g"), position,
        Position.start("4gj"), Encoding("2c"), Record.start("2c"), Dealer(1, "2c"), azulejo_game,
    ]  # fmt: skip


def test_wrong_values_raise_exceptions() -> None:
    seed = int(os.environ.get("AZULEJO_FUZZ_SEED", "1"))
    rng = random.Random(seed)
    n_calls = int(os.environ.get("AZULEJO_FUZZ_CALLS", "20000"))
    position = Position.start("2c").deal("BBYR-KKKK-BYRK-YWWW-RRKK")
    env = VectorEnv(2, threads=1)
    values: list[Any] = [
        Rules, Move, Deal, Dealer, Position, Record, Encoding, VectorEnv, rewards,
        Rules("2c"), Move("1B2"), Deal("BBBB"), Dealer(1, "2c"), position, position.boards[0],
        Record.start("2c"), Encoding("2c"), env,
    ]  # fmt: skip
    functions = [value for value in values if callable(value)]
    for value in values:
        names = [n for n in dir(value) if not n.startswith("_") and n not in ("close", "mro")]
        functions += [f for n in names if callable(f := getattr(value, n))]
    n_errors = 0
    for call in range(n_calls):
        function = rng.choice(functions)
        arguments = [rng.choice(odd_values(rng)) for _ in range(rng.randrange(0, 4))]
        names = rng.sample(KEYWORDS, rng.choice((0, 0, 1, 2)))
        keywords = {name: rng.choice(odd_values(rng)) for name in names}
        try:
            function(*arguments, **keywords)
        except ALLOWED:
            n_errors += 1
        except BaseException as error:
            given = f"{arguments!r:.200} {keywords!r:.200}"
            pytest.fail(f"seed {seed}, call {call}: {function}{given}: {error!r}")
    assert n_errors > n_calls // 2


def test_engine_options_are_checked() -> None:
    rng = random.Random(2)
    names = ("level", "nodes", "time", "depth", "threads", "seed", "evaluation")
    for _ in range(300):
        options = {rng.choice(names): rng.choice(odd_values(rng)) for _ in range(2)}
        try:
            Engine(hash_mb=1, **options)
        except ALLOWED:
            pass


def resident_kb() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_nothing_leaks() -> None:
    """Neither memory nor references grow over a million steps and many values and errors."""
    n_steps = int(os.environ.get("AZULEJO_LEAK_STEPS", "1000000"))
    n_games = 500
    env = VectorEnv(n_games, threads=2)
    arrays, actions = env.buffers(), np.zeros(n_games, np.int64)
    env.reset(*arrays)
    encoding, engine = Encoding("2c"), Engine(1, hash_mb=1)
    start = Position.start("2c").deal("BBYR-KKKK-BYRK-YWWW-RRKK")
    m = start.legal_moves()[0]

    def some_values() -> None:
        position = start.play(m)
        position.legal_moves()
        position.preview(position.legal_moves()[0])
        position.to_dict()
        encoding.decode(encoding.observe(position))
        encoding.mask(position)
        engine.search(position)
        Record.start("2c").deal("BBYR-KKKK-BYRK-YWWW-RRKK").play("1B2").replay()
        for wrong in ("9B1", "nonsense"):
            try:
                start.play(wrong)
            except ValueError:
                pass
        try:
            env.step(np.full(n_games, -1), *arrays)
        except ValueError:
            pass

    def steps(n: int) -> None:
        for i in range(n // n_games):
            env.sample(actions)
            env.step(actions, *arrays)
            if i % 5 == 0:
                some_values()

    steps(n_steps // 5)
    gc.collect()
    references = [sys.getrefcount(value) for value in (m, start, encoding, *arrays, actions)]
    memory, n_objects = resident_kb(), len(gc.get_objects())
    tracemalloc.start()
    steps(n_steps // 10)
    gc.collect()
    first, _ = tracemalloc.get_traced_memory()
    steps(n_steps // 10)
    gc.collect()
    second, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    steps(n_steps - 2 * (n_steps // 5))
    gc.collect()
    assert [sys.getrefcount(v) for v in (m, start, encoding, *arrays, actions)] == references
    assert len(gc.get_objects()) <= n_objects + 100
    assert second - first < 20_000, f"{second - first} bytes"
    assert resident_kb() - memory < 20_000, f"{resident_kb() - memory} KB"


def test_subinterpreters_are_refused() -> None:
    try:
        import _interpreters as interpreters
    except ImportError:
        interpreters = pytest.importorskip("_xxsubinterpreters")
    interpreter = interpreters.create()
    code = (
        "try:\n    import azulejo_game\n"
        "except ImportError as error:\n    assert 'interpreter' in str(error), error\n"
        "else:\n    raise SystemError('it was imported')\n"
    )
    prepared = f"import sys; sys.path = {sys.path!r}\n{code}"
    problem = interpreters.run_string(interpreter, prepared)
    assert problem is None, problem
    interpreters.destroy(interpreter)
