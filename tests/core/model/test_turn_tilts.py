"""The replay of turns whose parts tilt: on paths that are made by hand, right ones and damaged ones."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.core.model import turn_tilts
from latcover.core.model.turn_bodies import Bodies
from latcover.core.model.turn_data import Giving, Turn, Turning
from latcover.core.model.turn_replay import turn_faults
from latcover.core.model.turn_solids import prisms_of
from latcover.files.formats.library import load_lattice

CUBIC = load_lattice("cubic")
PLAY = 0.04
UPRIGHT = np.array([0.0, 0.0, 1.0])
FLOOR = {
    0: np.array([(0, x, y, 0) for x, y in product(range(3), repeat=2)], np.int32),
    1: np.array([(0, x, 1, 1) for x in range(3)], np.int32),
}
"""A bar of three on a floor. It turns about its middle."""
REST = (0.0,) * 7


def on_the_floor(*poses) -> Turn:
    """The bar on a path from rest; it ends a quarter turn later."""
    middle = CUBIC.centres(FLOOR[1])[1]
    rows = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    inverse = np.linalg.inv(CUBIC.basis)
    number = next(
        k
        for k, each in enumerate(CUBIC.transformations)
        if each.proper and np.allclose(inverse @ each.matrix.T @ CUBIC.basis, rows)
    )
    shift = FLOOR[1][1, 1:] - CUBIC.transformations[number].apply(FLOOR[1][1:2])[0, 1:]
    path = (REST, *(tuple(map(float, pose)) for pose in poses), (90.0, *(0.0,) * 6))
    return Turn((0, 0, 1), 90.0, number, tuple(shift.tolist()), True, tuple(middle.tolist()), path)


def faults(turn: Turn, play: float = PLAY) -> list[str]:
    return turn_faults(CUBIC, FLOOR, {1}, turn, Turning(play))


def test_a_bar_tilts_as_far_as_its_play_lets_it() -> None:
    """Its end is 1.46 from its middle and its floor 0.08 below: it touches from 3.1 degrees on."""
    assert faults(on_the_floor((45, 0, 0, 0, 0, 2.9, 0))) == []
    assert faults(on_the_floor((45, 0, 0, 0, 2, -2, 0))) == []
    assert "piece 1 cannot be told apart from piece 0" in faults(on_the_floor((0, 0, 0, 0, 3.3, 0, 0)))[0]


@pytest.mark.parametrize(("height", "right"), [(0.85, True), (0.7, False)])
def test_a_bar_that_is_lifted_tilts_further(height, right) -> None:
    """Tilted by 40 degrees its end is 1.29 below its middle, and its floor 0.54 below where that was."""
    high = (0, 0, height)
    turn = on_the_floor((0, *high, 0, 0, 0), (0, *high, 40, 0, 0), (90, *high, 40, 0, 0), (90, *high, 0, 0, 0))
    assert (faults(turn) == []) is right


@pytest.mark.parametrize(
    ("damaged", "fault"),
    [
        (lambda path: [(0, 0, 0, 0, 0, 1, 0), *path[1:]], "does not begin at rest"),
        (lambda path: [*path[:-1], (90, 0, 0, 0, 0, 1, 0)], "its path does not end where the turn does"),
        (lambda path: [*path[:-1], (90, 0, 0, 0.1, 0, 0, 0)], "its path does not end where the turn does"),
        (lambda path: [path[0], (45, 0, 0, 0, 0, 0, 1), *path[1:]], "has tilts that are not across its axis"),
        (lambda path: [path[0], (45, 0, 0, 0), *path[1:]], "do not describe a turn"),
        (lambda path: [path[0], (45, 0, 0, 0, 0, 1), *path[1:]], "do not describe a turn"),
        (lambda path: [path[0], (45, 0, 0, 0, 0, float("nan"), 0), *path[1:]], "do not describe a turn"),
        (lambda path: [path[0], (45, 0, 0, -0.09, 0, 0, 0), *path[1:]], "cannot be told apart"),
    ],
)
def test_the_replay_refuses_damaged_tilts(damaged, fault) -> None:
    turn = on_the_floor((45, 0, 0, 0, 0, 2, 0))
    found = faults(replace(turn, path=tuple(map(tuple, damaged(list(turn.path))))))
    assert len(found) == 1
    assert fault in found[0]


def test_what_gives_way_is_followed_too() -> None:
    """The floor tilts with the bar, or against it."""
    turn = on_the_floor(*[(angle, 0, 0, 0, 2.0 * (angle > 0), 0, 0) for angle in (0, 5, 85)])
    for tilt, right in ((2.0, True), (-2.0, False)):
        path = (REST, REST, *((0.0, 0.0, 0.0, 0.0, tilt, 0.0, 0.0),) * 2, REST)
        assert (faults(replace(turn, giving=(Giving(0, path),))) == []) is right


def test_without_room_nothing_is_proved() -> None:
    assert faults(on_the_floor((45, 0, 0, 0, 0, 0, 0)), play=0.0) != []


def following(random) -> turn_tilts._Following:
    """Two prisms, each on one random stretch."""
    bodies = Bodies(CUBIC, np.eye(3)[:2], UPRIGHT, np.zeros(3), Turning(PLAY, 0.1))
    cells = [np.array([(0, *random.integers(-1, 2, 3))], np.int32) for _ in range(2)]
    ways = [np.cumsum(random.normal(0, scale, (2, 6)), axis=0) for scale in random.choice([0.01, 0.2, 1], 2)]
    return turn_tilts._Following(*(prisms_of(bodies, each, UPRIGHT, np.zeros(3)) for each in cells), *ways)


def one_piece(low: float, size: float) -> turn_tilts._Open:
    zero = np.zeros(1, np.int64)
    return turn_tilts._Open(zero, zero, zero, np.array([low]), size)


def test_no_point_moves_further_than_its_bound() -> None:
    """What is bounded is the motion of the one as the other sees it, or the reverse: both bound how near they come."""
    random = np.random.default_rng(1)
    close = 0.0
    for _ in range(200):
        two = following(random)
        bound = float(two._lengths(one_piece(0, 1))[0])
        seen, beside = [], []
        for share in np.linspace(0, 1, 33):
            turns, shifts = two._poses(one_piece(share, 0))
            seen.append(two.other.corners[0] @ turns[0].T + shifts[0])
            beside.append((two.one.corners[0] - shifts[0]) @ turns[0])
        ways = [np.linalg.norm(np.diff(np.array(each), axis=0), axis=2).sum(axis=0).max() for each in (seen, beside)]
        assert min(ways) <= bound + 1e-9
        close = max(close, min(ways) / bound)
    assert close > 0.7


def test_no_two_points_are_nearer_than_their_prisms_are_told_to_be() -> None:
    random = np.random.default_rng(2)
    met = 0
    for _ in range(40):
        two = following(random)
        room = float(two._rooms(one_piece(0.5, 0))[0])
        turns, shifts = two._poses(one_piece(0.5, 0))
        shares = random.dirichlet(np.full(len(two.one.corners[0]), 0.3), (2, 150))
        ours, theirs = shares[0] @ two.one.corners[0], shares[1] @ two.other.corners[0] @ turns[0].T + shifts[0]
        assert np.linalg.norm(ours[:, None] - theirs, axis=2).min() >= room - 1e-9
        met += room < 0
    assert 0 < met < 30
