"""The vectorized environment: the same games as one at a time, in the caller's arrays."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest

from azulejo_game import Dealer, Encoding, IllegalMoveError, Position, VectorEnv, rewards


@pytest.mark.parametrize(
    ("rules", "observation", "reward"),
    [("2c", "flat", "outcome"), ("3gj", "planes", "score"), ("4c", "flat", "margin")],
)
def test_games_are_those_of_the_rules(rules: str, observation: str, reward: str) -> None:
    n_games, encoding = 70, Encoding(rules)
    env = VectorEnv(n_games, rules, seed=1000, observation=observation, reward=reward, threads=2)
    arrays = env.buffers()
    pointers = [array.ctypes.data for array in arrays]
    observations, masks, step_rewards, dones, turns = arrays
    env.reset(*arrays, seed=1000)
    numbers = [0] * n_games
    dealers = [Dealer(1000 + i, rules) for i in range(n_games)]
    positions = [Position.start(rules, dealer.first) for dealer in dealers]
    positions = [p.deal(dealer.deal(p)) for p, dealer in zip(positions, dealers, strict=True)]
    actions = np.zeros(n_games, np.int64)
    n_ended = 0
    for _ in range(150):
        env.sample(actions)
        env.step(actions, *arrays)
        for i in range(n_games):
            before = positions[i]
            after = before.play(encoding.move(int(actions[i])))
            assert dones[i] == after.is_over
            assert step_rewards[i].tolist() == rewards(before, after, reward)
            if after.is_over:
                n_ended += 1
                numbers[i] += 1
                dealers[i] = Dealer(f"{1000 + i}.{numbers[i]}", rules)
                after = Position.start(rules, dealers[i].first)
            if after.phase == "deal":
                after = after.deal(dealers[i].deal(after))
            positions[i] = after
            assert turns[i] == after.turn
            expected = encoding.observe(after) if observation == "flat" else encoding.observe_planes(after)
            assert (observations[i] == expected).all()
            assert (masks[i] == encoding.mask(after)).all()
        assert env.position(7) == positions[7]
    assert n_ended > 20
    assert [array.ctypes.data for array in arrays] == pointers
    assert env.seed(3) == (f"{1003}.{numbers[3]}" if numbers[3] else "1003")


def test_the_number_of_threads_changes_nothing() -> None:
    results = []
    for threads in (1, 2, 5):
        env = VectorEnv(300, seed=[7 * i for i in range(300)], threads=threads)
        arrays, actions = env.buffers(), np.zeros(300, np.int64)
        env.observe(*arrays)
        for _ in range(40):
            env.sample(actions)
            env.step(actions, *arrays)
        results.append([array.copy() for array in arrays])
    for other in results[1:]:
        assert all((a == b).all() for a, b in zip(results[0], other, strict=True))


def test_an_illegal_action_changes_nothing() -> None:
    env = VectorEnv(4)
    arrays, actions = env.buffers(), np.zeros(4, np.int64)
    env.reset(*arrays)
    env.sample(actions)
    before = [array.copy() for array in arrays]
    position = env.position(0)
    for action in (-1, 180, 0, 2**63 - 1):
        actions[2] = action
        with pytest.raises(IllegalMoveError, match="^game 2: action"):
            env.step(actions, *arrays)
    assert env.position(0) == position
    assert all((a == b).all() for a, b in zip(arrays, before, strict=True))


def test_wrong_arrays_are_refused() -> None:
    env = VectorEnv(8)
    good = env.buffers()
    actions = np.zeros(8, np.int64)
    env.reset(*good)
    env.sample(actions)
    position = env.position(0)
    names = ("observations", "masks", "rewards", "dones", "turns")
    for i, name in enumerate(names):
        array = good[i]
        read_only = array.copy()
        read_only.flags.writeable = False
        strided = np.zeros((*array.shape, 2), array.dtype)[..., 0]
        for wrong in (None, [1, 2], array.tolist(), array.astype(np.float64), array[:-1].copy(),
                      np.zeros((*array.shape, 1), array.dtype), read_only, strided,
                      array.astype(array.dtype.newbyteorder()) if array.dtype.itemsize > 1 else "x"):
            arrays = [*good]
            arrays[i] = wrong  # type: ignore[call-overload]
            with pytest.raises((TypeError, ValueError), match=name):
                env.step(actions, *arrays)
    for wrong in (None, [0] * 8, actions.astype(np.int32), actions[:-1], np.zeros((8, 2), np.int64)[:, 0]):
        with pytest.raises((TypeError, ValueError), match="actions"):
            env.step(wrong, *good)  # type: ignore[arg-type]
    # The same memory twice cannot be borrowed twice.
    both = np.zeros(8 * 180, np.int8)
    with pytest.raises(ValueError, match="cannot be written"):
        env.step(actions, good[0], both.reshape(8, 180), good[2], good[3], both[:8])
    assert env.position(0) == position
    for wrong_options in ({"n_games": 0}, {"n_games": 2**40}, {"n_games": 4, "threads": 10**6},
                          {"n_games": 4, "seed": [1, 2]}, {"n_games": 4, "observation": "x"},
                          {"n_games": 4, "reward": "x"}, {"n_games": 4, "rules": "9c"}):
        with pytest.raises(ValueError):
            VectorEnv(**wrong_options)  # type: ignore[arg-type]
    for overflow in (-1, 2**64):
        with pytest.raises(OverflowError):
            VectorEnv(4, seed=overflow)


def test_a_closed_environment_says_so() -> None:
    with VectorEnv(4) as env:
        arrays = env.buffers()
        env.observe(*arrays)
    calls = [
        lambda: env.observe(*arrays),
        lambda: env.step(np.zeros(4, np.int64), *arrays),
        lambda: env.sample(np.zeros(4, np.int64)),
        lambda: env.position(0),
    ]
    for call in calls:
        with pytest.raises(RuntimeError, match="closed"):
            call()
    env.close()


def test_threads_take_turns() -> None:
    env = VectorEnv(64)
    errors: list[BaseException] = []

    def play() -> None:
        try:
            arrays, actions = env.buffers(), np.zeros(64, np.int64)
            for _ in range(200):
                env.sample(actions)
                try:
                    env.step(actions, *arrays)
                except IllegalMoveError:
                    pass  # Another thread has stepped in between.
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not errors and not any(thread.is_alive() for thread in threads)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    env = VectorEnv(200, threads=2)
    arrays, actions = env.buffers(), np.zeros(200, np.int64)
    env.reset(*arrays)
    env.sample(actions)
    child = os.fork()
    if child == 0:
        env.step(actions, *arrays)
        os._exit(0 if env.position(0).round == 1 else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    env.step(actions, *arrays)
