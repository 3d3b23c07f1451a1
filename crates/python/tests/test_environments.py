"""The environments, tested by the libraries they are for."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from azulejo_game import IllegalMoveError, Position
from azulejo_game import env as pettingzoo_env
from azulejo_game.gym import AzulejoEnv
from azulejo_game.policies import greedy_policy, level_policy, random_policy


@pytest.mark.parametrize("rules", ["2c", "3g", "4gj"])
@pytest.mark.parametrize("observation", ["flat", "planes"])
def test_pettingzoo_aec(rules: str, observation: str) -> None:
    options = {"rules": rules, "observation": observation, "render_mode": "ansi"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(pettingzoo_env.env(**options), num_cycles=300)
        api_test(pettingzoo_env.raw_env(**options), num_cycles=300)
        seed_test(lambda: pettingzoo_env.env(**options), num_cycles=100)


@pytest.mark.parametrize("rules", ["2c", "4gj"])
def test_pettingzoo_parallel(rules: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_api_test(pettingzoo_env.parallel_env(rules), num_cycles=300)
        parallel_seed_test(lambda: pettingzoo_env.parallel_env(rules), num_cycles=100)


def test_an_aec_game_ends_with_its_outcome() -> None:
    env = pettingzoo_env.env("3c")
    env.reset(seed=5)
    rng = np.random.default_rng(1)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        totals[agent] += reward
        mask = observation["action_mask"]
        env.step(None if termination or truncation else int(rng.choice(np.flatnonzero(mask))))
    position = env.unwrapped.table.position
    assert position.outcome is not None
    assert sum(totals.values()) == pytest.approx(0)
    for seat in position.outcome.winners:
        assert totals[f"player_{seat}"] >= 0


def test_an_illegal_action_ends_the_aec_game() -> None:
    env = pettingzoo_env.env("2c")
    env.reset(seed=5)
    env.step(0)  # The center is empty at first.
    assert all(env.terminations.values())
    raw = pettingzoo_env.raw_env("2c")
    raw.reset(seed=5)
    with pytest.raises(IllegalMoveError):
        raw.step(0)


@pytest.mark.parametrize("options", [
    {}, {"rules": "3g", "opponent": "greedy", "observation": "planes", "reward": "score"},
    {"rules": "4gj", "seat": 2, "opponent": 1, "reward": "margin"},
])
def test_gymnasium(options: dict[str, object]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(AzulejoEnv(render_mode="ansi", **options), skip_render_check=True)  # type: ignore[arg-type]
    env = gymnasium.make("azulejo_game/Azulejo-v1", **options)
    observation, info = env.reset(seed=3)
    done, n_steps = False, 0
    while not done:
        action = int(np.flatnonzero(info["action_mask"])[0])
        assert env.unwrapped.action_masks()[action]  # type: ignore[attr-defined]
        observation, reward, done, _, info = env.step(action)
        assert env.observation_space.contains(observation)
        n_steps += 1
    assert n_steps > 5 and info["action_mask"].sum() == 0


def test_gymnasium_illegal_actions() -> None:
    env = AzulejoEnv(seat=0)
    env.reset(seed=1)
    illegal = int(np.flatnonzero(env.action_masks() == 0)[0])
    _, reward, done, _, info = env.step(illegal)
    assert (reward, done, info["illegal"]) == (-1.0, True, True)
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(illegal)
    strict = AzulejoEnv(illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(IllegalMoveError):
        strict.step(int(np.flatnonzero(strict.action_masks() == 0)[0]))
    with pytest.raises(ValueError):
        AzulejoEnv(seat=2)


def test_policies_play_legal_moves() -> None:
    position = Position.start("2c").deal("BBYR-KKKK-BYRK-YWWW-RRKK")
    for policy in (random_policy(1), greedy_policy(), level_policy(1), level_policy("azulejo", nodes=100)):
        assert position.is_legal(policy(position))
    assert position.preview(greedy_policy()(position))["change"] == 1
