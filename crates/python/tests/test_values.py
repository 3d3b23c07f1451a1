"""The game as values: text, equality, hash, pickling, copying, errors."""

from __future__ import annotations

import copy
import pickle

import pytest
from conftest import KINDS, random_game

from azulejo_game import (
    AzulejoError,
    Deal,
    Dealer,
    IllegalDealError,
    IllegalMoveError,
    Move,
    ParseError,
    Position,
    Record,
    Rules,
)

DEAL = "BBYR-KKKK-BYRK-YWWW-RRKK"


def dealt() -> Position:
    return Position.start("2c").deal(DEAL)


def check_value(value: object, text: str) -> None:
    kind = type(value)
    assert str(value) == text
    assert kind(text) == value and hash(kind(text)) == hash(value)
    assert not (kind(text) != value)
    assert value != text and value != 3
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(value, protocol)) == value
    assert copy.copy(value) == value and copy.deepcopy([value]) == [value]
    assert kind.__module__ == "azulejo_game"


@pytest.mark.parametrize("text", [*KINDS, "3gj-row3", "2c-first2"])
def test_rules_are_values(text: str) -> None:
    check_value(Rules(text), text)
    assert eval(repr(Rules(text))) == Rules(text)


def test_moves_deals_and_positions_are_values() -> None:
    for text in ["3B2", "0KF", "2JB1j1", "r2c3", "9J5"]:
        check_value(Move(text), text)
        assert eval(repr(Move(text))) == Move(text)
    check_value(Deal(DEAL), DEAL)
    assert Deal.of(Deal(DEAL).factories) == Deal(DEAL)
    assert str(Deal.of(["BB", ""])) == "BB-."
    for kind in KINDS:
        for position in random_game(kind, 1):
            assert Position(str(position)) == position
        check_value(position, str(position))
    assert sorted([Move("2B1"), Move("1B1")]) == [Move("1B1"), Move("2B1")]
    assert len({Move(text) for text in ["1B1", "1B1", "1B2"]}) == 2


def test_values_cannot_be_changed() -> None:
    position = dealt()
    with pytest.raises(AttributeError):
        position.turn = 1  # type: ignore[misc]
    with pytest.raises(AttributeError):
        position.anything = 1  # type: ignore[attr-defined]
    before = str(position)
    position.play("1B2")
    assert str(position) == before


def test_rules_from_keys() -> None:
    rules = Rules(players=3, wall="grey", jokers=True, row_bonus=3)
    assert str(rules) == "3gj-row3"
    assert (rules.players, rules.n_factories, rules.wall, rules.jokers) == (3, 7, "grey", True)
    assert rules.replace(players=2, jokers=False) == Rules("2g-row3")
    assert Rules("2c", preset="duel").preset == "duel"
    assert Rules("4c", preset="quick-guide", first_player="seat:2").first_player == 1
    assert Rules("2c", floor_penalties=[1, 1, 2, 2, 2, 2, 2]) == Rules("2c-duel")
    assert set(Rules.presets()) == {"official", "overview", "quick-guide", "duel"}
    assert Rules("2c").keys()["row_bonus"] == "2"
    for bad in [{"players": 9}, {"wall": "pink"}, {"nokey": 1}, {"players": 3, "preset": "duel"}]:
        with pytest.raises(ParseError):
            Rules("2c", **bad)


def test_a_position_says_everything() -> None:
    position = dealt()
    assert (position.phase, position.turn, position.round, position.marker) == ("draft", 0, 1, None)
    assert position.factories == ["BBYR", "KKKK", "BYRK", "YWWW", "RRKK"]
    assert position.center == "" and len(position.bag) == 80 and position.lid == ""
    after = position.play("1B2")
    assert after.turn == 1 and after.center == "YR"
    board = after.boards[0]
    assert board.lines == ["", "BB", "", "", ""] and board.wall == ["....."] * 5
    assert (board.score, board.floor, board.floor_spaces, board.has_marker) == (0, "", 0, False)
    assert after.preview("0Y1")["step"]["takes_marker"] is True
    assert after.projection(0)["score"] == 1
    report = position.report("1B2")
    assert [step["type"] for step in report] == ["drafted"]
    assert Position.start("2c").report(Deal(DEAL))[0]["type"] == "dealt"
    assert position.to_dict()["position"] == str(position)
    assert position.outcome is None


def test_errors_have_the_sentences_of_the_rules() -> None:
    position = dealt()
    with pytest.raises(IllegalMoveError, match="there is no factory 9 in this game"):
        position.play("9B1")
    with pytest.raises(ParseError, match="not a move at character 2"):
        position.play("1x1")
    with pytest.raises(IllegalDealError, match="no deal is due"):
        position.deal(DEAL)
    with pytest.raises(IllegalDealError, match="factories in the deal: 1 instead of 5"):
        Position.start("2c").deal("BBBB")
    with pytest.raises(ParseError, match="must start with `az1`"):
        Position("nonsense")
    with pytest.raises(TypeError, match="a move is a `Move` or a text"):
        position.play(3)  # type: ignore[arg-type]
    with pytest.raises(IndexError, match="there is no seat 2"):
        position.projection(2)
    for error in (IllegalMoveError, IllegalDealError, ParseError):
        assert issubclass(error, AzulejoError) and issubclass(error, ValueError)


def test_deals_follow_from_seeds() -> None:
    dealer = Dealer(5, "2c")
    position = Position.start("2c", dealer.first)
    assert dealer.first == 1
    other = copy.copy(dealer)
    # The same deals in every program of Azulejo; see docs/notation.md.
    assert str(dealer.deal(position)) == "BYYW-BYKW-BYRW-BRKK-BBYR"
    assert other.deal(position) == Deal("BYYW-BYKW-BYRW-BRKK-BBYR")
    assert position.draw_deal("x") == position.draw_deal("x") != position.draw_deal("y")
    with pytest.raises(ParseError):
        Dealer("a b", "2c")
    with pytest.raises(TypeError):
        Dealer(1.5, "2c")  # type: ignore[arg-type]
    with pytest.raises(IllegalDealError, match="no deal is due"):
        dealer.deal(position.deal("BYYW-BYKW-BYRW-BRKK-BBYR"))


def test_records() -> None:
    dealer = Dealer("record", "2c")
    record = Record.start("2c", dealer.first).with_seed("record").with_name(0, "Ana")
    while record.result is None:
        position = record.position
        if position.phase == "deal":
            record = record.deal(dealer.deal(position))
        else:
            record = record.play(position.legal_moves()[0])
    record.verify_deals()
    assert record == Record(str(record)) == Record.from_json(record.to_json())
    assert pickle.loads(pickle.dumps(record)) == record and len(record) == len(record.moves)
    assert Record.parse_all(f"{record}\n{record}") == [record, record]
    assert record.names == ["Ana", None] and record.name(0) == "Ana" and record.seed == "record"
    assert Record.from_interchange(record.to_interchange(expect=True)).moves == record.moves
    entries = record.replay()
    assert len(entries) == len(record.moves) + len(record.deals)
    position = record.first_position
    for before, action in entries:
        assert before == position
        position = position.deal(action) if isinstance(action, Deal) else position.play(action)
    assert position == record.position and position.outcome is not None
    tagged = record.with_tag("Event", "test").with_comment("the end")
    assert tagged.tags == {"Event": "test"} and "{the end}" in str(tagged)
    with pytest.raises(AzulejoError):
        record.with_seed("other").verify_deals()


def test_drawings() -> None:
    position = dealt().play("1B2")
    assert "Seat 1" in position.draw() and "\x1b[" in position.draw(colors=True)
    assert max(len(line) for line in position.draw(width=40).splitlines()) <= 40
    svg = position._repr_svg_()
    assert svg.startswith("<svg ") and svg == position.svg()
    import xml.etree.ElementTree as ElementTree

    ElementTree.fromstring(svg)
