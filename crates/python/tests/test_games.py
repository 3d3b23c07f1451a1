"""Whole games through Python are those of the rules in Rust."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from azulejo_game import Deal, Move, Record, Rules
from azulejo_game.table import Table


def test_random_games_follow_the_rules_step_by_step() -> None:
    program = os.environ.get("AZULEJO_LOCKSTEP")
    if program is None:
        pytest.skip("AZULEJO_LOCKSTEP names the program to follow; `cargo xtask python` builds it")
    n_games = os.environ.get("AZULEJO_GAMES", "1000")
    tables: dict[str, Table] = {}
    table: Table | None = None
    n_steps = n_seen = 0
    with subprocess.Popen([program, n_games], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("game "):
                assert table is None or table.position.is_over
                _, rules, seed = line.split()
                table = tables.setdefault(rules, Table(Rules(rules), "flat", "outcome"))
                table.reset(int(seed))
                n_seen += 1
                continue
            assert table is not None
            m, rewards, position, legal = line.rstrip("\n").split("\t")
            got = table.play(Move(m))
            assert str(table.position) == position
            assert got == pytest.approx([float(reward) for reward in rewards.split()], abs=1e-6)
            encoding = table.encoding
            moves = legal.split()
            mask = encoding.mask(table.position)
            assert mask.sum() == len(moves)
            assert all(mask[encoding.action(text)] for text in moves)
            assert [str(m) for m in table.position.legal_moves()] == moves
            n_steps += 1
    assert process.returncode == 0 and n_seen == int(n_games)
    print(f"{n_seen} games, {n_steps} steps")


def test_games_of_other_programs(root: Path) -> None:
    n_games = 0
    for file in sorted((root / "testdata/games").glob("*.jsonl")):
        for line in file.read_text().splitlines():
            # Reading compares with the scores and counts of legal moves that came with the game.
            record = Record.from_interchange(line)
            expect = json.loads(line)["expect"]
            position = record.first_position
            counts = []
            for before, action in record.replay():
                assert before == position
                if isinstance(action, Deal):
                    position = position.deal(action)
                else:
                    counts.append(position.n_legal_moves)
                    assert action in position.legal_moves()
                    position = position.play(action)
            assert position.outcome is not None
            assert position.scores == expect["final"], file
            assert counts == [n for counts in expect["legal_counts"] for n in counts], file
            n_games += 1
    assert n_games > 300


def test_records_of_the_repository(root: Path) -> None:
    for file in (root / "testdata/records").glob("*.txt"):
        for record in Record.parse_all(file.read_text()):
            assert Record(str(record)) == record
            position = record.first_position
            for before, action in record.replay():
                assert before == position
                position = position.deal(action) if isinstance(action, Deal) else position.play(action)
            assert position == record.position


@pytest.mark.parametrize("file", ["bench-positions.txt", "tactics.txt"])
def test_positions_of_the_repository(root: Path, file: str) -> None:
    from azulejo_game import Encoding, Position

    words = (root / "testdata" / file).read_text().split()
    positions = [Position(word) for word in words if word.startswith("az1_")]
    assert positions
    for position in positions:
        encoding = Encoding(position.rules)
        assert encoding.decode(encoding.observe(position)) == (position, position.turn)
