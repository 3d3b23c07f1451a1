"""The OpenSpiel games, tested by OpenSpiel."""

from __future__ import annotations

import unittest

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this Python")

from azulejo_game import Encoding, openspiel  # noqa: E402


@pytest.mark.parametrize("rules", ["2c", "3g", "4gj", "2c-first1", "4c-quick-guide"])
def test_random_simulation(rules: str) -> None:
    explicit = pyspiel.load_game("python_azulejo", {"rules": rules})
    pyspiel.random_sim_test(explicit, num_sims=2, serialize=False, verbose=False)
    sampled = pyspiel.load_game("python_azulejo_sampled", {"rules": rules, "seed": 3})
    pyspiel.random_sim_test(sampled, num_sims=2, serialize=False, verbose=False)


def test_serialization() -> None:
    game = pyspiel.load_game("python_azulejo", {"rules": "2c"})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    state = game.new_initial_state()
    rng = np.random.default_rng(2)
    for _ in range(60):
        outcomes = state.chance_outcomes() if state.is_chance_node() else None
        actions = [action for action, _ in outcomes] if outcomes else state.legal_actions()
        state.apply_action(int(rng.choice(actions)))
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(again) == str(state) and again.history() == state.history()
    assert str(state.clone()) == str(state)


def test_chance_is_the_bag() -> None:
    game = pyspiel.load_game("python_azulejo", {"rules": "2c"})
    state = game.new_initial_state()
    assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    state.apply_action(1)
    assert state.chance_outcomes() == [(color, 0.2) for color in range(5)]
    state.apply_action(0)
    assert dict(state.chance_outcomes())[0] == pytest.approx(19 / 99)
    for _ in range(19):
        state.apply_action(state.chance_outcomes()[0][0])
    assert state.current_player() == 1 and state.position is not None
    encoding = Encoding("2c")
    tensor = np.array(state.observation_tensor(0), np.int16)
    assert encoding.decode(tensor) == (state.position, 0)
    names = {state.action_to_string(1, action) for action in state.legal_actions()}
    assert names == {str(m) for m in state.position.legal_moves()}


def test_returns_are_the_outcome() -> None:
    rng = np.random.default_rng(7)
    for name in ("python_azulejo", "python_azulejo_sampled"):
        state = pyspiel.load_game(name, {"rules": "3c"}).new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(actions, p=weights)))
            else:
                state.apply_action(int(rng.choice(state.legal_actions())))
        assert sum(state.returns()) == pytest.approx(0)
        winners = state.position.outcome.winners
        assert [seat for seat, value in enumerate(state.returns()) if value > 0] == winners
    assert openspiel.EXPLICIT.short_name == "python_azulejo"


@pytest.mark.parametrize("name", ["python_azulejo", "python_azulejo_sampled"])
def test_api(name: str) -> None:
    """OpenSpiel's own API test, which it runs on a part of the tree of its games."""
    from open_spiel.integration_tests.api_test import EnforceAPIOnPartialTreeBase

    case = type(name, (EnforceAPIOnPartialTreeBase,), {"game": pyspiel.load_game(name), "game_name": name})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5 and not result.skipped
    assert result.wasSuccessful(), "\n".join(text for _, text in result.errors + result.failures)


def test_playthrough() -> None:
    """OpenSpiel's playthrough calls everything that a game offers."""
    from open_spiel.python.algorithms.generate_playthrough import playthrough_lines

    lines = playthrough_lines("python_azulejo(rules=3g)", seed=1)
    assert any(line.startswith("ObservationTensor(2)") for line in lines)
