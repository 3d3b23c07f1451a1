"""Observations, masks and action numbers."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import KINDS, random_game

from azulejo_game import ENCODING_VERSION, Encoding, IllegalMoveError, ParseError, Position


@pytest.mark.parametrize("rules", KINDS)
def test_an_observation_is_the_position(rules: str) -> None:
    encoding = Encoding(rules)
    flat = np.empty(encoding.size, np.int16)
    for position in random_game(rules, 3):
        for seat in range(position.rules.players):
            assert encoding.observe(position, seat, out=flat) is flat
            assert encoding.decode(flat) == (position, seat)
            assert (flat >= 0).all() and (flat <= encoding.high).all()
        mask = encoding.mask(position)
        legal = [encoding.move(int(action)) for action in np.flatnonzero(mask)]
        assert sorted(legal) == sorted(position.legal_moves())
        planes = encoding.observe_planes(position, 1)
        assert planes.shape == encoding.planes_shape
        assert encoding.decode(planes) == (position, 1)
        assert (planes <= encoding.planes_high[:, None, None]).all() and (planes >= 0).all()


@pytest.mark.parametrize("rules", KINDS)
def test_every_action_is_a_move(rules: str) -> None:
    encoding = Encoding(rules)
    moves = [encoding.move(action) for action in range(encoding.n_actions)]
    assert len(set(moves)) == encoding.n_actions
    assert [encoding.action(m) for m in moves] == list(range(encoding.n_actions))
    for action in (-1, encoding.n_actions):
        with pytest.raises(IndexError):
            encoding.move(action)
    with pytest.raises(OverflowError):
        encoding.move(10**30)


def test_the_layout_is_the_documented_one() -> None:
    assert ENCODING_VERSION == Encoding.version == 1
    sizes = {rules: (Encoding(rules).n_actions, Encoding(rules).size) for rules in ("2c", "3c", "4c")}
    assert sizes == {"2c": (180, 169), "3c": (240, 239), "4c": (300, 309)}
    encoding = Encoding("2c")
    ends = [part.stop for part in encoding.layout.values()]
    assert [part.start for part in encoding.layout.values()] == [0, *ends[:-1]]
    assert ends[-1] == encoding.size
    position = Position.start("2c").deal("BBYR-KKKK-BYRK-YWWW-RRKK").play("1B2")
    flat = encoding.observe(position, 0)
    # Row 2 of the lines has two blue tiles.
    assert flat[encoding.layout["board0.lines"]].reshape(5, 5)[1].tolist() == [2, 0, 0, 0, 0]
    assert flat[encoding.layout["offer"]].reshape(6, 5)[0].tolist() == [0, 1, 1, 0, 0]
    planes = encoding.observe_planes(position, 0)[encoding.planes_layout["board0.lines"]]
    # Blue is in column 2 of row 2 on the colored wall.
    assert planes.shape == (1, 5, 5) and planes[0, 1, 1] == 2 and planes.sum() == 2


def test_the_order_of_the_bag_is_hidden() -> None:
    """Two games that differ only in the order of the bag are observed alike until the next deal."""
    from azulejo_game import Dealer

    encoding = Encoding("2c")
    first = Position.start("2c").deal("BBYR-KKKK-BYRK-YWWW-RRKK")
    one, other = Dealer("order-1", first), Dealer("order-2", first)
    position, rng = first, np.random.default_rng(1)
    while position.phase == "draft":
        # A game's position is the same whichever dealer holds the bag.
        assert encoding.decode(encoding.observe(position))[0] == position
        position = position.play(position.nth_legal_move(int(rng.integers(position.n_legal_moves))))
    a, b = position.deal(one.deal(position)), position.deal(other.deal(position))
    assert a != b and (encoding.observe(a) != encoding.observe(b)).any()


def test_what_does_not_fit_is_refused() -> None:
    encoding = Encoding("2c")
    position = Position.start("2c").deal("BBYR-KKKK-BYRK-YWWW-RRKK")
    with pytest.raises(IllegalMoveError, match="no position of 2c has the move 9B1"):
        encoding.action("9B1")
    with pytest.raises(ValueError, match="the position has the rules 3c, not 2c"):
        encoding.observe(Position.start("3c"))
    for numbers in (np.zeros(3, np.int16), np.full(169, -1, np.int16), np.ones(169, np.int16)):
        with pytest.raises(ParseError):
            encoding.decode(numbers)
    for shape in (encoding.planes_shape, (33, 25), (1, 169), ()):
        with pytest.raises(ParseError):
            encoding.decode(np.zeros(shape, np.int16))
    with pytest.raises(TypeError):
        encoding.decode(np.zeros(169))  # type: ignore[arg-type]
    wrong = [np.zeros(169), np.zeros(168, np.int16), np.zeros((169, 2), np.int16)[:, 0], [0] * 169, None]
    for out in wrong[:-1]:
        with pytest.raises((TypeError, ValueError)):
            encoding.observe(position, out=out)  # type: ignore[arg-type]
    read_only = np.zeros(169, np.int16)
    read_only.flags.writeable = False
    with pytest.raises(ValueError, match="cannot be written"):
        encoding.observe(position, out=read_only)
