"""The replay of turns on paths that are made by hand: right ones, and ones that are damaged in each way."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.core.model import turn_clearances
from latcover.core.model.meetings import meetings
from latcover.core.model.turn_bodies import Bodies, Slice
from latcover.core.model.turn_clearances import Clearances, relative_poses
from latcover.core.model.turn_data import Giving, Turn, Turning
from latcover.core.model.turn_replay import turn_faults
from latcover.files.formats.library import load_lattice
from tests.hand_made_turns import LOOSE, ROOM, SQUARE, as_path, drawn, plane_turn, turned

TO_THE_MIDDLE, TO_A_PLACE = (0.5, -1.0), (0.5, -0.5)


def faults(pieces, moving, turn, play=0.0):
    return turn_faults(SQUARE, pieces, moving, turn, Turning(play))


def in_a_room(*poses):
    """The bar of the room on a path; it begins with its middle at (1.5, -1)."""
    return plane_turn(ROOM[1], (1.5, -1), [(0, 0, 0), *poses])


def test_without_play_a_bar_leaves_its_corner_turns_and_slides_against_a_wall() -> None:
    turn = in_a_room((0, *TO_THE_MIDDLE), (90, *TO_THE_MIDDLE), (90, *TO_A_PLACE))
    assert faults(ROOM, {1}, turn) == []


def test_without_play_a_bar_slides_along_a_wall() -> None:
    along, away = (0, 0.5, 0), (0, *TO_THE_MIDDLE)
    turn = in_a_room(along, away, (90, *TO_THE_MIDDLE), (90, *TO_A_PLACE), (90, -0.5, -0.5), (90, *TO_A_PLACE))
    assert faults(ROOM, {1}, turn) == []


@pytest.mark.parametrize(
    "poses",
    [
        [(90, *TO_A_PLACE)],  # straight there
        [(0, 0.5, -0.5), (90, 0.5, -0.5), (90, *TO_A_PLACE)],  # too near a wall while it turns
        [(1, *TO_THE_MIDDLE), (90, *TO_THE_MIDDLE), (90, *TO_A_PLACE)],  # turns before it is free
        [(0, *TO_THE_MIDDLE), (90, *TO_THE_MIDDLE), (90, 0.5, -0.499), (90, *TO_A_PLACE)],  # 0.001 into a wall
        [
            (0, 1.001, 0),
            (0, 0.5, 0),
            (0, *TO_THE_MIDDLE),
            (90, *TO_THE_MIDDLE),
            (90, *TO_A_PLACE),
        ],  # along another wall
        [(0, 0.5, 0.001), (0, *TO_THE_MIDDLE), (90, *TO_THE_MIDDLE), (90, *TO_A_PLACE)],
        [(0, 0.0, 0.00005), (9, 0.0, 0.001), (0, *TO_THE_MIDDLE), (90, *TO_THE_MIDDLE), (90, *TO_A_PLACE)],
    ],
)
def test_without_play_what_grazes_is_refused(poses) -> None:
    assert "piece 1 touches piece 0" in faults(ROOM, {1}, in_a_room(*poses))[0]


def test_bodies_that_a_slide_left_a_little_in_each_other_are_not_taken_for_apart() -> None:
    """Slides may lead into a wall by less than what cells that touch may. Then corners have a distance from sides."""
    deep = [(0, 0.5, 0), (0, 0.5, 0.00008), (0, 0.5, 0.3), (0, 0.5, 0.00008)]
    out = [(0, *TO_THE_MIDDLE), (90, *TO_THE_MIDDLE), (90, *TO_A_PLACE)]
    assert "touches" in faults(ROOM, {1}, in_a_room(*deep, *out))[0]
    assert faults(ROOM, {1}, in_a_room(deep[0], (0, 0.5, 0.00000001), *out)) == []


def around_the_corner(margin: float, length: int = 20, width: int = 8) -> tuple[dict[int, np.ndarray], Turn]:
    """A bar in two corridors that meet in a corner. Its outer corners slide along their outer walls, *margin* away."""
    room = {cell for x, y in product(range(length + 6), range(width)) for cell in ((x, y), (y, x))}
    walls = {(x + i, y + j) for x, y in room for i, j in product((-1, 0, 1), repeat=2)} - room
    pieces = {
        0: np.array([(0, *c) for c in sorted(walls)], np.int32),
        1: np.array([(0, 0, y) for y in range(3, length + 3)], np.int32),
    }
    outer, middle = np.array([2.5, 0.5]), np.array([2.5 + length / 2, 0.0])
    path = [np.zeros(3)]
    for angle in np.linspace(0, 90, 61):
        corner = np.array([-0.5 + margin, 0.5 - margin - length * np.sin(np.radians(angle))])
        path.append(np.array([angle, *(corner - turned(outer, (angle, 0, 0), middle))]))
    path.append(path[-1] - (0, margin, 1 - margin))
    return pieces, plane_turn(pieces[1], middle, path)


def test_a_bar_of_twenty_rounds_a_corner_of_corridors_eight_wide_without_play() -> None:
    """On the diagonal it has (8 - margin) times the root of 2 for half its length and its width."""
    assert faults(*as_arguments(around_the_corner(0.1))) == []
    assert "touches" in faults(*as_arguments(around_the_corner(0.23)))[0]


def as_arguments(case):
    pieces, turn = case
    return pieces, {1}, turn


PLAY = 0.036
GIVE = 2 * PLAY - 0.0005
N_POSES = 11


def given_way(x: float, y: float, n: int = N_POSES) -> list[tuple[float, float, float]]:
    """Out of the way by the second pose, and back after the last but one."""
    return [(0, 0, 0), *[(0, x, y)] * (n - 2), (0, 0, 0)]


def loose_turn(**changes) -> Turn:
    """The bar A turns in a hole of 2 x 2, of which the walls B and C give way by twice the play.

    It turns when (2 - 2p)^2 + (1 - 2p)^2 <= (2 + 4p)^2: from a play of 0.0354 on.
    """
    middle = PLAY - 0.00025
    path = [(0, 0, 0), *((angle, middle, middle + 0.5) for angle in np.linspace(0, 90, N_POSES - 2)), (90, -0.5, 0.5)]
    turn = plane_turn(LOOSE[1], (1.5, -3), path, {2: given_way(0, GIVE), 3: given_way(GIVE, 0)})
    return replace(turn, **changes)


def test_a_bar_turns_where_walls_give_way() -> None:
    assert faults(LOOSE, {1}, loose_turn(), PLAY) == []


def test_a_path_that_takes_too_long_to_check_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(turn_clearances, "MOST_STEPS", 100)
    assert faults(LOOSE, {1}, loose_turn(), PLAY) == ["it leaves too little room to be checked"]


def test_whoever_gives_way_may_be_named_as_well_as_moved() -> None:
    """Which pieces are said to turn does not matter to the paths; the ends are those of the turn or at rest."""
    path = loose_turn().path
    still = Giving(0, ((0.0, 0.0, 0.0),) * N_POSES)
    own = Giving(1, path)
    turn = loose_turn()
    assert faults(LOOSE, {1}, replace(turn, giving=(still, own, *turn.giving)), PLAY) == []


def with_giving(change):
    giving = list(loose_turn().giving)
    return loose_turn(giving=tuple(change(giving)))


def poses_of(one, change):
    path = [list(pose) for pose in one.path]
    change(path)
    return Giving(one.piece, as_path(path))


def at(k, *by):
    """A change of pose *k* of a path."""

    def change(path):
        path[k] = [x + more for x, more in zip(path[k], by, strict=True)]

    return change


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda g: [], "piece 1 touches piece"),
        (lambda g: g[:1], "piece 1 touches piece 3"),
        (lambda g: g[1:], "piece 1 touches piece 2"),
        (lambda g: [poses_of(g[0], at(5, 0, 0, 0.003)), g[1]], "piece 0 touches piece 2"),
        (lambda g: [poses_of(g[0], at(7, 0, 0, -0.01)), g[1]], "piece 1 touches piece 2"),
        (lambda g: [poses_of(g[0], at(5, 5, 0, 0)), g[1]], "touches"),
        (lambda g: [poses_of(g[0], at(5, 0, 0.2, 0)), g[1]], "piece 0 touches piece 2"),
        (lambda g: [poses_of(g[0], at(-1, 0, 0, 0.001)), g[1]], "the path of piece 2 does not end at rest"),
        (lambda g: [poses_of(g[0], at(-1, 360, 0, 0)), g[1]], "the path of piece 2 does not end at rest"),
        (lambda g: [poses_of(g[0], at(0, 0, 0.001, 0)), g[1]], "the path of piece 2 does not begin at rest"),
        (lambda g: [Giving(2, g[0].path[1:]), g[1]], "the path of piece 2 has 10 poses, and that of the turn 11"),
        (lambda g: [Giving(2, ()), g[1]], "the path of piece 2 has 0 poses"),
        (lambda g: [Giving(7, g[0].path), g[1]], "piece 7 gives way, but is not in the group"),
        (lambda g: [Giving(-1, g[0].path), g[1]], "piece -1 gives way, but is not in the group"),
        (lambda g: [g[0], g[0], g[1]], "piece 2 has two paths"),
        (lambda g: [poses_of(g[0], at(5, 0, 0, float("nan"))), g[1]], "do not describe a turn"),
        (lambda g: [poses_of(g[0], at(5, float("inf"), 0, 0)), g[1]], "do not describe a turn"),
        (lambda g: [poses_of(g[0], at(5, 0, 0, 1e300)), g[1]], "leads too far"),
        (lambda g: [Giving(2, tuple(pose[:2] for pose in g[0].path)), g[1]], "do not describe a turn"),
        (lambda g: [Giving(1, g[0].path), g[1]], "the path of piece 1 does not end where the turn does"),
        (lambda g: [*g, Giving(0, as_path(given_way(0, GIVE)))], "touches"),
    ],
)
def test_the_replay_refuses_what_gives_way_wrongly(change, fault) -> None:
    assert fault in faults(LOOSE, {1}, with_giving(change), PLAY)[0]


def test_what_gives_way_does_not_run_into_what_else_does() -> None:
    """Two bars in the way of each other, both of which are clear of all that stays."""
    pieces = drawn("A...........", "............", "....B...C...")
    turn = plane_turn(pieces[1], (0, 0), [(0, 0, 0), (90, 0, 0), (90, 0, 0)])
    assert faults(pieces, {1}, turn) == []
    for by, touches in ((1.5, False), (1.9, True)):
        both = {2: given_way(by, 0, 3), 3: given_way(-by, 0, 3)}
        found = faults(pieces, {1}, plane_turn(pieces[1], (0, 0), turn.path, both))
        assert ["piece 2 touches piece 3" in text for text in found] == [True] * touches
        assert not faults(pieces, {1}, plane_turn(pieces[1], (0, 0), turn.path, {2: both[2]}))


def test_what_turns_with_others_may_depart_from_them_within_its_room() -> None:
    """Two cells turn as a bar; one of them comes nearer to the other on the way, for which twice the play is room."""
    pieces = drawn("FFFFF", "FAB.F", "F...F", "F...F", "FFFFF")
    path = [(0, 0, 0), (0, *TO_THE_MIDDLE), (90, *TO_THE_MIDDLE), (90, *TO_A_PLACE)]
    for by, touches in ((0.0, False), (0.06, False), (0.09, True)):
        own = [(0, 0, 0), (0, 0.5 - by, -1), (90, 0.5, -1 - by), (90, *TO_A_PLACE)]
        turn = plane_turn(pieces[1], (1.5, -1), path, {2: own})
        found = faults(pieces, {1, 2}, turn, 0.04)
        assert ["piece 1 touches piece 2" in text for text in found] == [True] * touches


def test_turning_as_one_in_contact_needs_no_room() -> None:
    pieces = drawn("FFFFF", "FAB.F", "F...F", "F...F", "FFFFF")
    path = [(0, 0, 0), (0, *TO_THE_MIDDLE), (90, *TO_THE_MIDDLE), (90, *TO_A_PLACE)]
    assert faults(pieces, {1, 2}, plane_turn(pieces[1], (1.5, -1), path)) == []
    apart = [*path[:2], (90, 0.5, -1.001), path[3]]
    found = faults(pieces, {1, 2}, plane_turn(pieces[1], (1.5, -1), path, {2: apart}))
    assert "piece 1 touches piece 2" in found[0]


def polygon(corners):
    """A body of one polygon, without its cells."""
    sides = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
    return Slice(sides, corners, np.zeros(0, np.int64), np.zeros((0, 2)))


def on_circles(centre, angles):
    """A path that turns a body about its *centre*, told about the origin."""
    return np.array([(a, *(centre - turned(centre, (np.degrees(a), 0, 0), (0, 0)))) for a in angles])


def test_no_point_moves_further_than_its_bound() -> None:
    """As the other body sees it, on random paths of both: few long stretches, most of them along curves."""
    rng = np.random.default_rng(5)
    for case in range(8):
        centre, n = rng.normal(0, 3, 2), 4
        corners = centre + rng.normal(0, 1, (5, 2))
        way, beside = (np.cumsum(rng.normal(0, (0.4, 1, 1), (n, 3)), axis=0) for _ in range(2))
        if case % 4 == 0:
            beside = way + np.array([0, 1, 0])
        if case % 4 == 1:
            way = on_circles(centre, way[:, 0])
        for about in (np.zeros(2), centre):
            bounds = turn_clearances._bound(way, beside, about, corners)
            moments = np.linspace(0, n - 1, (n - 1) * 100 + 1)
            poses = relative_poses(way, beside, moments)
            places = np.array([turned(corners, (np.degrees(a), *s), (0, 0)) for a, *s in poses])
            steps = np.linalg.norm(np.diff(places, axis=0), axis=2).max(axis=1).reshape(n - 1, 100) * 100
            assert (steps.max(axis=1) <= bounds + 1e-6).all()
            assert (bounds > 0).all() or case % 4 == 0


def test_a_bend_takes_a_point_further_than_both_its_ends_do() -> None:
    """It moves by 10 to the right, and a turn by 2 moves it as far again in the middle, but less so at the ends."""
    way, below = np.array([(-1.0, 0, 0), (1.0, 10, 0)]), np.array([(0, -1.0), (0, -1.0)])
    bound = turn_clearances._bound(way, np.zeros((2, 3)), below[0], below)
    assert 12 <= bound[0] < 12.5


def test_the_length_of_a_way_does_not_depend_on_where_its_angles_are_measured() -> None:
    """Of a body that turns about itself it is what its corners do, and a little more for the bends of the path."""
    corners = np.array([(50.0, 0), (51, 0), (51, 1), (50, 1)])
    path = on_circles(np.array([50.5, 0.5]), np.linspace(0, 0.1, 11))
    lengths = turn_clearances._lengths(polygon(corners), polygon(corners), path, np.zeros_like(path))
    assert (lengths < 0.014 * np.sqrt(0.5)).all()


@pytest.mark.parametrize("name", ["square", "triangular", "tetrakis", "kite"])
def test_slides_in_contact_are_judged_as_slides_are(name) -> None:
    """Of single cells on ways along which they touch, miss or meet each other; and again with both of them turned."""
    lattice = load_lattice(name)
    bodies, when = Bodies(lattice, np.eye(2), np.zeros(2), np.zeros(2), Turning(0.0)), meetings(lattice)
    following, rng, met = Clearances(bodies.sections), np.random.default_rng(2), Counter()
    for _ in range(150):
        cells = np.column_stack([rng.integers(len(lattice.nodes), size=2), rng.integers(-1, 2, (2, 2))]).astype(
            np.int32
        )
        way = rng.choice([1, 1, 0.37]) * rng.integers(-2, 3, 2) @ lattice.basis
        if (cells[0] == cells[1]).all() or not way.any():
            continue
        (one,), (other,) = (bodies.slices(each[None]).values() for each in cells)
        expected = bool(when.on_the_way(cells[:1, 0], cells[1:, 0], other.centres - one.centres, way)[0])
        met[expected] += 1
        assert following._slides_past(one, other, np.array([(0, 0, 0), (0, *way)])) != expected
        angle = rng.choice([0.3, np.pi / 3, -np.pi / 2])
        there = np.array([(angle, *at) for at in (rng.normal(0, 1, 2), rng.normal(0, 1, 2))])
        back = [(-angle, *-turned(pose[1:], (-np.degrees(angle), 0, 0), (0, 0))) for pose in there]
        passes = following._slides_past(one, other, there)
        met["turned", passes] += 1
        assert following._slides_past(other, one, np.array(back)) == passes
    assert min(met[key] for key in (True, False, ("turned", True), ("turned", False))) > 10
