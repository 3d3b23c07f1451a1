"""Measures everything in one run and prints it side by side."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import Deal, Dealer, Encoding, Move, Position, Rules, VectorEnv, __version__
from .plain import PlainGame

Game = tuple[Position, list[Deal | Move]]


class Rate(NamedTuple):
    """How fast something is."""

    per_second: float
    cpu_ns: float
    """Processor time of all threads for each."""


def rate(run: Callable[[], int], seconds: float) -> Rate:
    """The rate of what ``run`` counts: the best of five parts, since other programs disturb."""
    run()
    rates = []
    for _ in range(5):
        n, start, cpu = 0, time.perf_counter(), time.process_time()
        while n == 0 or time.perf_counter() - start < seconds / 5:
            n += run()
        passed, cpu = time.perf_counter() - start, time.process_time() - cpu
        rates.append(Rate(n / passed, 1e9 * cpu / n))
    return Rate(max(r.per_second for r in rates), min(r.cpu_ns for r in rates))


def random_games(rules: str, n_games: int) -> list[Game]:
    """Games of random moves, to be played again."""
    rng = np.random.default_rng(1)
    games: list[Game] = []
    for seed in range(n_games):
        dealer = Dealer(seed, rules)
        first = position = Position.start(rules, dealer.first)
        actions: list[Deal | Move] = []
        while not position.is_over:
            if position.phase == "deal":
                deal = dealer.deal(position)
                actions.append(deal)
                position = position.deal(deal)
            else:
                m = position.nth_legal_move(int(rng.integers(position.n_legal_moves)))
                actions.append(m)
                position = position.play(m)
        games.append((first, actions))
    return games


def vector_steps(rules: str, observation: str, n_games: int, threads: int, seconds: float) -> Rate:
    """Steps of the vectorized environment with random legal actions, everything written."""
    with VectorEnv(n_games, rules, observation=observation, threads=threads) as env:
        arrays, actions = env.buffers(), np.zeros(n_games, np.int64)
        env.reset(*arrays)

        def run() -> int:
            env.sample(actions)
            env.step(actions, *arrays)
            return n_games

        return rate(run, seconds)


def copied_steps(rules: str, n_games: int, seconds: float) -> Rate:
    """The same arrays copied by NumPy on one thread: what writing the bytes alone costs."""
    with VectorEnv(n_games, rules) as env:
        arrays: list[NDArray[Any]] = list(env.buffers())
        copies: list[NDArray[Any]] = list(env.buffers())

        def run() -> int:
            for array, copy in zip(arrays, copies, strict=True):
                np.copyto(copy, array)
            return n_games

        return rate(run, seconds)


def aec_steps(seconds: float) -> Rate | None:
    """Steps of the PettingZoo environment, with an observation and a random legal action for each."""
    try:
        from ..env import raw_env
    except ImportError:
        return None
    env = raw_env("2c")
    rng = np.random.default_rng(1)

    def run() -> int:
        env.reset()
        n_steps = 0
        while not env.table.position.is_over:
            mask = env.observe(env.agent_selection)["action_mask"]
            legal = np.flatnonzero(mask)
            env.step(int(legal[int(rng.integers(len(legal)))]))
            n_steps += 1
        return n_steps

    return rate(run, seconds)


def play_loop(games: list[Game], lists_moves: bool, seconds: float) -> Rate:
    """Moves of a Python loop over recorded games."""

    def run() -> int:
        n_moves = 0
        for position, actions in games:
            for action in actions:
                if isinstance(action, Deal):
                    position = position.deal(action)
                else:
                    if lists_moves:
                        position.legal_moves()
                    position = position.play(action)
                    n_moves += 1
        return n_moves

    return rate(run, seconds)


def play_rounds(games: list[Game], seconds: float) -> Rate:
    """Moves of the tightest Python loop: rounds without a question in between."""
    rounds: list[tuple[Position, list[Move]]] = []
    for position, actions in games:
        for action in actions:
            if isinstance(action, Deal):
                position = position.deal(action)
                rounds.append((position, []))
            else:
                rounds[-1][1].append(action)
                position = position.play(action)
    n_moves = sum(len(moves) for _, moves in rounds)

    def run() -> int:
        for position, moves in rounds:
            for m in moves:
                position = position.play(m)
        return n_moves

    return rate(run, seconds)


def counts(deal: Deal) -> NDArray[np.int16]:
    """The factories of a deal as counts by color."""
    rows = [[factory.count(color) for color in "BYRKW"] for factory in deal.factories]
    return np.array(rows, np.int16)


def plain_steps(games: list[Game], seconds: float) -> Rate:
    """Steps of the plain NumPy game, with an observation and a mask for each."""
    encoding = Encoding("2c")
    prepared = [
        (
            first.starter,
            [counts(a) if isinstance(a, Deal) else encoding.action(a) for a in actions],
        )
        for first, actions in games
    ]

    def run() -> int:
        n_steps = 0
        for starter, actions in prepared:
            game = PlainGame(starter)
            for action in actions:
                if isinstance(action, int):
                    game.play(action)
                    game.observe()
                    game.mask()
                    n_steps += 1
                else:
                    game.deal(action)
        return n_steps

    return rate(run, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m azulejo_game.bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each line [5]")
    parser.add_argument("--games", type=int, default=1024, help="of a vectorized environment [1024]")
    options = parser.parse_args()
    seconds, n_games, cores = options.seconds, options.games, os.cpu_count() or 1
    games = random_games("2c", 30)
    print(f"azulejo_game {__version__}, NumPy {np.__version__}, {cores} cores, {n_games} games at once")
    plain = plain_steps(games[:10], seconds)

    def line(name: str, steps: Rate | None, unit: str = "steps/s", note: str = "") -> None:
        value = "(not installed)"
        if steps is not None:
            ratio = steps.per_second / plain.per_second
            value = f"{steps.per_second:>12,.0f} {unit} {ratio:7.1f} x {steps.cpu_ns:9,.0f} ns CPU"
        print(f"{name:<40} {value}  {note}".rstrip(), flush=True)

    line("plain NumPy, observed and masked", plain)
    for rules in ("2c", "4c"):
        encoding, players = Encoding(rules), Rules(rules).players
        size = 2 * encoding.size + encoding.n_actions + 4 * players + 2
        for threads in (1, cores):
            steps = vector_steps(rules, "flat", n_games, threads, seconds)
            note = f"{size} bytes each, {steps.per_second * size / 1e9:.2f} GB/s"
            line(f"vectorized {rules}, flat, {threads} threads", steps, note=note)
        line(f"the same bytes copied by NumPy, {rules}", copied_steps(rules, n_games, seconds))
    line("vectorized 2c, planes", vector_steps("2c", "planes", n_games, cores, seconds))
    line("vectorized 4gj, flat", vector_steps("4gj", "flat", n_games, cores, seconds))
    line("PettingZoo AEC, observed and masked", aec_steps(seconds))
    line("Position.play, recorded moves", play_rounds(games, seconds), "moves/s")
    line("Position.play and deal, whole games", play_loop(games, False, seconds), "moves/s")
    line("Position.legal_moves and play", play_loop(games, True, seconds), "moves/s")


if __name__ == "__main__":
    main()
