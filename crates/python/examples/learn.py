"""An agent in plain NumPy that learns to beat the random player in less than a minute.

A network of one hidden layer values every action: what the mover will gain on the other seat until the
end of the round, and half of what it will gain in the next one. It plays against itself in a
vectorized environment and is fitted to what came out (Monte Carlo control).
`python learn.py [SECONDS] [FILE]` saves the agent to a file for `evaluate.py`.
"""

from __future__ import annotations

import math
import sys
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azulejo_game import Encoding, Move, Position, VectorEnv

ENCODING = Encoding("2c")
HIDDEN = 128
N_GAMES = 512
FLOATS = NDArray[np.float32]
LAYOUT = ENCODING.layout


def inputs(observations: NDArray[np.int16]) -> FLOATS:
    """Observations as inputs of about one: counts as they are, scores and stocks scaled down."""
    x = observations.astype(np.float32)
    x[:, LAYOUT["bag"]] *= 0.05
    x[:, LAYOUT["lid"]] *= 0.05
    x[:, LAYOUT["round"]] *= 0.2
    for board in ("board0", "board1"):
        x[:, LAYOUT[f"{board}.score"]] *= 0.05
    return x


class Agent:
    """A network with one hidden layer, and Adam to fit it."""

    def __init__(self, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        n, m = ENCODING.size, ENCODING.n_actions
        self.weights: list[FLOATS] = [
            (rng.standard_normal((n, HIDDEN)) / np.sqrt(n / 2)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            (rng.standard_normal((HIDDEN, m)) * 0.02).astype(np.float32),
            np.zeros(m, np.float32),
        ]
        self._first = [np.zeros_like(w) for w in self.weights]
        self._second = [np.zeros_like(w) for w in self.weights]
        self._n_updates = 0

    def values(self, x: FLOATS) -> tuple[FLOATS, FLOATS]:
        """The hidden layer and the value of every action."""
        w1, b1, w2, b2 = self.weights
        hidden = np.maximum(x @ w1 + b1, 0)
        return hidden, hidden @ w2 + b2

    def fit(self, x: FLOATS, actions: NDArray[np.int64], targets: FLOATS, rate: float) -> float:
        """One step of Adam on the squared error of the chosen actions; returns the mean error."""
        hidden, values = self.values(x)
        rows = np.arange(len(x))
        error = values[rows, actions] - targets
        # A Huber loss: rare bonuses of the end do not tear the network apart.
        slope = np.clip(error, -8, 8) / len(x)
        gradient = np.zeros_like(values)
        gradient[rows, actions] = slope
        back = (gradient @ self.weights[2].T) * (hidden > 0)
        gradients = [x.T @ back, back.sum(axis=0), hidden.T @ gradient, gradient.sum(axis=0)]
        self._n_updates += 1
        for i, g in enumerate(gradients):
            self._first[i] += 0.1 * (g - self._first[i])
            self._second[i] += 0.001 * (g * g - self._second[i])
            scale = np.sqrt(1 - 0.999**self._n_updates) / (1 - 0.9**self._n_updates)
            self.weights[i] -= rate * scale * self._first[i] / (np.sqrt(self._second[i]) + 1e-8)
        return float(np.abs(error).mean())

    def choose(self, position: Position) -> Move:
        """The legal move of the highest value: a policy."""
        _, values = self.values(inputs(ENCODING.observe(position)[None]))
        masked = np.where(ENCODING.mask(position) == 1, values[0], -np.inf)
        return ENCODING.move(int(masked.argmax()))

    def save(self, file: str) -> None:
        np.savez(file, *self.weights)

    @staticmethod
    def load(file: str) -> Agent:
        agent = Agent()
        with np.load(file) as arrays:
            agent.weights = [arrays[f"arr_{i}"] for i in range(4)]
        return agent


def learn(agent: Agent, seconds: float = math.inf, moves: float = math.inf, seed: int = 0) -> int:
    """Plays and fits until time is up or enough moves are played; returns their number."""
    rng = np.random.default_rng(seed)
    env = VectorEnv(N_GAMES, "2c", seed=seed, reward="score")
    arrays = env.buffers()
    observations, masks, rewards, dones, turns = arrays
    env.reset(*arrays, seed=seed)
    rounds = LAYOUT["round"].start
    memory: list[tuple[FLOATS, NDArray[np.int64], NDArray[np.int8], FLOATS, NDArray[np.bool_]]] = []
    start, n_moves = time.monotonic(), 0
    while (done := max((time.monotonic() - start) / seconds, n_moves / moves)) < 1:
        exploration = max(0.05, 0.5 * (1 - 2 * done))
        memory.clear()
        for _ in range(64):
            x = inputs(observations)
            _, values = agent.values(x)
            values[masks == 0] = -np.inf
            actions = values.argmax(axis=1)
            explores = rng.random(N_GAMES) < exploration
            noise = np.where(masks[explores] == 1, rng.random((int(explores.sum()), masks.shape[1])), -1)
            actions[explores] = noise.argmax(axis=1)
            movers, before = turns.copy(), observations[:, rounds].copy()
            env.step(actions, *arrays)
            # A round ends where the round changes, or the game.
            ends = dones | (observations[:, rounds] != before)
            memory.append((x, actions, movers, rewards[:, 0] - rewards[:, 1], ends))
        n_moves += 64 * N_GAMES
        fit_backwards(agent, memory, dones, 1e-3 if done < 0.7 else 3e-4, rng)
    env.close()
    return n_moves


def fit_backwards(agent: Agent, memory: Any, dones: NDArray[np.bool_], rate: float, rng: Any) -> None:
    """Fits to the returns, computed from the last step back; the open round at the end is left out."""
    gain = np.zeros(N_GAMES, np.float32)  # Of seat 0 until the end of the round, and half of the next.
    is_known = np.zeros(N_GAMES, bool)
    samples = []
    for x, actions, movers, difference, ends in reversed(memory):
        gain = np.where(ends, difference + 0.5 * np.where(is_known, gain, 0), gain)
        is_known |= ends
        sign = np.where(movers == 0, 1, -1)
        samples.append((x[is_known], actions[is_known], (sign * gain)[is_known].astype(np.float32)))
    xs, chosen, targets = (np.concatenate(part) for part in zip(*samples, strict=True))
    order = rng.permutation(len(xs))
    for at in range(0, len(order) - 511, 512):
        batch = order[at : at + 512]
        agent.fit(xs[batch], chosen[batch], targets[batch], rate)


def main() -> None:
    from evaluate import evaluate

    from azulejo_game.policies import greedy_policy, random_policy

    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 50.0
    agent = Agent()
    print(f"learned from {learn(agent, seconds):,} moves in {seconds:g} s")
    for name, opponent in (("random", random_policy(1)), ("greedy", greedy_policy())):
        wins, error, difference = evaluate(agent.choose, opponent, 50)
        print(f"against {name}: {wins:.1%} ± {error:.1%}, {difference:+.1f} points")
    if len(sys.argv) > 2:
        agent.save(sys.argv[2])


if __name__ == "__main__":
    main()
