"""Reviews: the JSON of the program as dictionaries, progress, and ends before the end."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
import types
import typing
from pathlib import Path
from typing import Any, Literal, is_typeddict

import pytest
from conftest import random_game

from azulejo_game import AzulejoError, Deal, Dealer, ParseError, Record
from azulejo_game.review import Budget, Reason, Review

SMALL = Budget(nodes=1_000, n_deals=2, deal_nodes=1_000)
LONG = Budget(nodes=100_000, n_deals=2, deal_nodes=10_000)


def random_record(rules: str, seed: int) -> Record:
    """A game of random moves."""
    positions = list(random_game(rules, seed))
    dealer = Dealer(seed, rules)
    record = Record.start(rules, dealer.first)
    for before, after in zip(positions, positions[1:], strict=False):
        if before.phase == "deal":
            record = record.deal(dealer.deal(before))
        else:
            record = record.play(next(m for m in before.legal_moves() if before.play(m) == after))
    return record


def check(value: object, kind: Any, place: str) -> None:
    """Checks a value against its type, key by key."""
    if is_typeddict(kind):
        assert isinstance(value, dict), place
        hints = typing.get_type_hints(kind)
        keys = set(value)
        assert keys <= set(hints) if kind is Reason else keys == set(hints), (place, keys ^ set(hints))
        for key, part in value.items():
            check(part, hints[key], f"{place}.{key}")
    elif typing.get_origin(kind) is list:
        assert isinstance(value, list), place
        for i, part in enumerate(value):
            check(part, typing.get_args(kind)[0], f"{place}[{i}]")
    elif typing.get_origin(kind) is Literal:
        assert value in typing.get_args(kind), (place, value)
    elif isinstance(kind, types.UnionType):
        assert any(isinstance(value, part) for part in typing.get_args(kind)), (place, value)
    else:
        assert isinstance(value, kind), (place, value)


@pytest.mark.parametrize("rules", ["2c", "3g", "2cj"])
def test_a_review_has_its_documented_shape(rules: str) -> None:
    record = random_record(rules, 4).with_name(1, "Rui")
    review = record.review(SMALL)
    check(review, Review, "review")
    assert review["n_done"] == review["n_steps"] == len(record.moves) + len(record.deals) + 1
    assert [decision["played"] for decision in review["decisions"]] == [str(m) for m in record.moves]
    assert [deal["deal"] for deal in review["deals"]] == [str(deal) for deal in record.deals]
    assert review["players"][1]["name"] == "Rui" and review["is_over"]
    assert review["budget"] == SMALL and review["rules"] == rules
    for player in review["players"]:
        *lines, result = player["ledger"].values()
        assert sum(typing.cast(list[float], lines)) == pytest.approx(typing.cast(float, result), abs=1e-9)
    # The same review again, also by the numbers that it reports.
    assert record.review(review["budget"], seed=review["seed"]) == review


def test_a_review_is_that_of_the_program(tmp_path: Path) -> None:
    program = os.environ.get("AZULEJO_PROGRAM")
    if program is None:
        pytest.skip("AZULEJO_PROGRAM names the program `azulejo`; `cargo xtask python` builds it")
    record = random_record("2c", 8)
    # A part of a game takes less time, and its review is a forecast.
    part = Record.start("2c", record.first_position.starter)
    for _, action in record.replay()[:12]:
        part = part.deal(action) if isinstance(action, Deal) else part.play(action)
    file = tmp_path / "game.txt"
    file.write_text(str(part))
    command = [program, "review", str(file), "--budget", "quick", "--json"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert json.loads(printed)["review"] == part.review("quick")


def test_progress_is_told_and_can_stop() -> None:
    record = random_record("2c", 2)
    told: list[tuple[int, int]] = []
    review = record.review(SMALL, progress=lambda done, n_steps: told.append((done, n_steps)))
    assert told[-1] == (review["n_steps"], review["n_steps"]) and told == sorted(told)

    def enough(done: int, n_steps: int) -> bool:
        return done < 3

    start = time.monotonic()
    part = record.review(LONG, progress=enough)
    assert 3 <= part["n_done"] < part["n_steps"] and not part["is_over"]
    assert len(part["deals"]) + len(part["decisions"]) == part["n_done"] - 1

    def fails(done: int, n_steps: int) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        record.review(LONG, progress=fails)
    assert time.monotonic() < start + 60


def test_other_threads_go_on_and_can_stop_a_review() -> None:
    record, over = random_record("2c", 3), threading.Event()
    found: list[Review] = []

    def work() -> None:
        found.append(record.review("thorough", progress=lambda *_: not over.is_set()))

    thread = threading.Thread(target=work)
    thread.start()
    n_turns, start = 0, time.monotonic()
    while time.monotonic() < start + 0.3:
        n_turns += 1
    over.set()
    thread.join(30)
    assert not thread.is_alive() and n_turns > 1_000
    assert found[0]["n_done"] < found[0]["n_steps"]


def test_what_cannot_be_reviewed() -> None:
    with pytest.raises(AzulejoError, match="the record has no move to review"):
        Record.start("2c").review()
    record = random_record("2c", 1)
    with pytest.raises(ParseError, match="a budget is `quick`, `normal` or `thorough`"):
        record.review("absurd")
    with pytest.raises(AzulejoError, match="the seed of a review"):
        record.review("quick", seed="a b")
    for wrong in ({}, {"nodes": -1, "n_deals": 2, "deal_nodes": 3}, {"nodes": "x"}):
        with pytest.raises(ValueError, match="not a budget"):
            record.review(wrong)  # type: ignore[arg-type]
    for wrong_type in (3, [1, 2, 3], b"quick"):
        with pytest.raises(TypeError, match="a budget is"):
            record.review(wrong_type)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        record.review(SMALL, progress=3)  # type: ignore[arg-type]
