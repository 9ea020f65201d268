"""Turns: against dense sampling, against closed forms, and the replay against paths that are wrong."""

from itertools import product
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.core.model.turn_data import Turning
from latcover.core.model.turn_replay import turn_faults
from latcover.errors import PuzzleError, UnsupportedError
from latcover.files.formats.library import load_lattice
from latcover.lab.assembly import turning as asking
from latcover.lab.assembly.prisms import axes
from latcover.lab.assembly.turning import least_play, turns

SQUARE = load_lattice("square")
CUBIC = load_lattice("cubic")


def cells_of(*rows):
    return np.array([(0, *row) for row in rows], np.int32)


def frame(height, width):
    """A wall two cells thick around a hole."""
    return cells_of(
        *(at for at in product(range(-2, height + 2), range(-2, width + 2)) if not _inside(at, height, width))
    )


def _inside(at, height, width):
    return 0 <= at[0] < height and 0 <= at[1] < width


BAR, ONE = cells_of((0, 0), (0, 1)), cells_of((0, 0))
ELL = cells_of((0, 0), (1, 0), (1, 1))


def certain(found):
    return {(turn.angle, turn.shift) for turn in found if turn.certain}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cubic", {90: 3, 180: 3}),
        ("hexprism", {60: 1, 120: 1, 180: 1}),
        ("triprism", {60: 1, 120: 1, 180: 1}),
        ("square", {90: 1, 180: 1}),
        ("triangular", {60: 1, 120: 1, 180: 1}),
        ("fcc", {}),
        ("rhombic", {}),
    ],
)
def test_axes_are_those_along_which_cells_are_prisms(name, expected):
    angles = [round(np.degrees(abs(r.angle))) for axis in axes(load_lattice(name)) for r in axis.rotations]
    assert {angle: angles.count(angle) // 2 for angle in set(angles)} == expected


@pytest.mark.parametrize("name", ["fcc", "rhombic"])
def test_a_lattice_without_prisms_says_that_its_parts_only_slide(name):
    with pytest.raises(UnsupportedError, match="not examined"):
        turns(load_lattice(name), [cells_of((0, 0, 0))], [cells_of((1, 0, 0))])


@pytest.mark.parametrize("play", [-0.01, 0.3, float("nan"), "much", True])
def test_a_play_out_of_range_is_refused(play):
    with pytest.raises(PuzzleError, match=r"play must be a number from 0 to 0\.2"):
        Turning(play)


def test_a_bar_turns_in_a_square_hole_of_three_with_next_to_no_play():
    found = turns(SQUARE, [BAR], [frame(3, 3)], Turning(0.01))
    poses = {(90.0, (x, y)) for x, y in product(range(3), repeat=2)}
    assert {pose for pose in certain(found) if pose[0] == 90.0} <= poses
    assert certain(found)


@pytest.mark.parametrize(("part", "size", "play", "expected"), [
    (BAR, 2, 0.04, False), (BAR, 2, 0.06, True), (ONE, 1, 0.08, False), (ONE, 1, 0.09, True), (ELL, 2, 0.04, False),
])  # fmt: skip
def test_a_part_turns_in_a_square_hole_only_above_its_play(part, size, play, expected):
    assert bool(certain(turns(SQUARE, [part], [frame(size, size)], Turning(play)))) is expected


def test_boxes_too_large_to_tell_call_no_turn_certain():
    """The bar needs a play of 0.0505."""
    assert {turn.certain for turn in turns(SQUARE, [BAR], [frame(2, 2)], Turning(0.055), deepest=8)} == {False}
    assert {turn.certain for turn in turns(SQUARE, [BAR], [frame(2, 2)], Turning(0.055))} == {True}


@pytest.mark.long
@pytest.mark.parametrize(
    ("part", "size", "closed_form"),
    [
        (BAR, 2, (np.sqrt(3) - np.sqrt(2)) ** 2 / 2),  # its diagonal is as long as the hole: 4p^2 - 20p + 1 = 0
        (ONE, 1, (np.sqrt(2) - 1) ** 2 / 2),
        (BAR, 3, 0.0),
    ],
)
def test_the_least_play_is_that_of_the_closed_form(part, size, closed_form):
    walls = [frame(size, size)]
    turn = next(t for t in turns(SQUARE, [part], walls, Turning(0.1)) if t.certain)
    found = least_play(SQUARE, [part], walls, turn, within=0.0002, deepest=16, most_boxes=3_000_000)
    assert closed_form <= found <= closed_form + 0.001


def test_a_single_cube_turns_in_its_hole_about_each_axis_above_its_play_only():
    hole = cells_of(*(at for at in product(range(3), repeat=3) if at != (1, 1, 1)))
    cube = cells_of((1, 1, 1))
    assert not turns(CUBIC, [cube], [hole], Turning(0.08))
    found = turns(CUBIC, [cube], [hole], Turning(0.1))
    assert len({turn.axis for turn in found if turn.certain}) == 3


@pytest.mark.long
def test_an_ell_turns_around_the_bend_of_a_corridor_only_if_it_is_wide():
    """An L of three around the inner corner of a bend; the wall fills what is outside the corridor."""
    bend = cells_of(*(at for at in product(range(-1, 5), repeat=2) if not (at[0] in (1, 2) or at[1] in (1, 2))))
    wide = [turn for turn in turns(SQUARE, [cells_of((1, 1), (2, 1), (2, 2))], [bend], Turning(0.06)) if turn.certain]
    assert wide
    narrow = cells_of(*(at for at in product(range(-1, 5), repeat=2) if at not in {(1, 1), (2, 1), (2, 2)}))
    assert not turns(SQUARE, [cells_of((1, 1), (2, 1), (2, 2))], [narrow], Turning(0.06))


def test_goals_between_which_a_part_slides_are_reached_together():
    """A bar in a hole of 3 by 3 may end its turn wherever it fits: in six places."""
    found = turns(SQUARE, [BAR], [frame(3, 3)], Turning(0.04))
    assert len({shift for angle, shift in certain(found) if angle == 90.0}) == 6


def test_a_place_that_fits_but_is_walled_off_is_no_end_of_a_turn():
    """A bar in a hole of 3 by 3; behind a wall of one cell there is a second hole, of the bar's size."""
    wall = cells_of(
        *(at for at in product(range(-2, 8), range(-2, 5)) if not (_inside(at, 3, 3) or at in {(4, 1), (5, 1)}))
    )
    found = turns(SQUARE, [BAR], [wall], Turning(0.04))
    assert {shift for angle, shift in certain(found) if angle == 90.0}
    ends = {tuple(cell) for turn in found for cell in _end_of(turn)}
    assert not ends & {(4, 1), (5, 1)}


def test_a_part_does_not_slide_through_a_wall_to_another_hole_of_its_size():
    wall = cells_of(*(at for at in product(range(-2, 5), range(-2, 3)) if at not in {(0, 0), (2, 0)}))
    found = turns(SQUARE, [ONE], [wall], Turning(0.09))
    ends = {
        tuple(turn.shift + SQUARE.transformations[turn.transformation].apply(ONE)[0, 1:]): turn.certain
        for turn in found
    }
    assert ends == {(0, 0): True}


def _end_of(turn):
    image = SQUARE.transformations[turn.transformation].apply(BAR)
    return (image[:, 1:] + np.array(turn.shift, np.int32)).tolist()


def test_a_bevel_lets_a_part_turn_with_less_play():
    walls = [frame(1, 1)]
    assert not certain(turns(SQUARE, [ONE], walls, Turning(0.07)))
    assert certain(turns(SQUARE, [ONE], walls, Turning(0.07, bevel=0.2)))


@pytest.mark.parametrize("play", [0.04, 0.1])
def test_a_set_and_its_complement_turn_alike(play):
    there, back = (
        certain(turns(SQUARE, *each, Turning(play))) for each in (([BAR], [frame(2, 2)]), ([frame(2, 2)], [BAR]))
    )
    assert bool(there) == bool(back) == (play > 0.05)


def test_far_parts_and_other_layers_do_not_matter():
    bar, hole = cells_of((0, 0, 0), (0, 1, 0)), frame(3, 3)
    walls = np.column_stack([hole, np.zeros(len(hole), np.int32)])
    lids = [cells_of(*((x, y, z) for x, y in product(range(-2, 5), repeat=2))) for z in (-1, 1)]
    about = [t for t in turns(CUBIC, [bar], [walls, *lids], Turning(0.05)) if t.certain]
    assert about
    assert {turn.axis for turn in about} == {(0.0, 0.0, 1.0)}


def test_what_stands_in_one_layer_stops_nothing_in_another():
    """A bar turns below about a cell of its own that stands in a hole above."""
    part = cells_of((0, 0, 0), (0, 1, 0), (0, 0, 1))
    below = (at for at in product(range(-3, 4), repeat=2) if max(map(abs, at)) > 1)
    above = (at for at in product(range(-1, 2), repeat=2) if at != (0, 0))
    walls = cells_of(*((*at, 0) for at in below), *((*at, 1) for at in above))
    upright = next(axis for axis in axes(CUBIC) if axis.direction == (0.0, 0.0, 1.0))
    question = asking.TurnQuestion(CUBIC, [part], [walls], Turning(0.1))
    found = [turn for rotation in upright.rotations for turn in asking.proved_turns(question, upright, rotation)]
    assert certain(found) == {(angle, (0, 0, 0)) for angle in (-180, -90, 90, 180)}


def a_turn():
    return next(t for t in turns(SQUARE, [BAR], [frame(3, 3)], Turning(0.04)) if t.certain)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda t: replace(t, path=t.path[1:]), "does not begin at rest"),
        (lambda t: replace(t, path=t.path[:-1]), "does not end where the turn does"),
        (lambda t: replace(t, shift=(t.shift[0] + 1, t.shift[1])), "does not end where the turn does"),
        (lambda t: replace(t, path=(t.path[0], t.path[-1])), "piece 0 touches piece 1 at"),
    ],
)
def test_the_replay_refuses_a_wrong_path(change, fault):
    turn = a_turn()
    arguments = SQUARE, {0: BAR, 1: frame(3, 3)}, {0}
    assert turn_faults(*arguments, turn, Turning(0.04)) == []
    assert fault in turn_faults(*arguments, change(turn), Turning(0.04))[0]


def test_the_replay_refuses_a_turn_that_needs_more_play():
    walls = [frame(2, 2)]
    turn = next(t for t in turns(SQUARE, [BAR], walls, Turning(0.06)) if t.certain)
    assert "touches" in turn_faults(SQUARE, {0: BAR, 1: walls[0]}, {0}, turn, Turning(0.045))[0]


@pytest.mark.parametrize("name", ["square", "hexagonal", "triangular", "tetrakis"])
@pytest.mark.parametrize("bevel", [0.0, 0.05])
def test_the_pieces_of_a_body_cover_the_eroded_cells_and_no_more(name, bevel):
    shapely = pytest.importorskip("shapely")
    lattice, rng = load_lattice(name), Random(5)
    (axis,) = axes(lattice)
    for _ in range(40):
        cells = [(0, 0, 0)]
        while len(cells) < 9:
            cells.append(rng.choice([c for one in cells for c in lattice.neighbours(one) if c not in cells]))
        chosen = rng.sample(cells, 8)  # of which some may touch at corners only
        rows = np.array(chosen, np.int32)
        play = 0.06
        turner = asking.Turner(lattice, axis, Turning(play, bevel))
        pieces = [np.array(p).reshape(-1, 2) for _, p in turner.native.body(turner.row(rows)[0])]
        body = shapely.union_all([shapely.Polygon(p) for p in pieces])
        sections = [
            shapely.Polygon(lattice.nodes[cell[0]].drawing.vertices + centre)
            for cell, centre in zip(chosen, lattice.centres(rows), strict=True)
        ]
        origin = rows[:, 1:].min(axis=0) @ lattice.basis
        expected = shapely.union_all(sections, grid_size=1e-6).simplify(1e-5)
        expected = expected.buffer(-play * axis.edge, join_style="mitre", mitre_limit=50)
        expected = shapely.transform(expected, lambda xy, by=origin: xy - by)
        if bevel:
            assert body.difference(expected).area < 1e-5
            assert body.area < expected.area
        else:
            assert body.symmetric_difference(expected).area < 1e-4


@pytest.mark.parametrize(("name", "n_layers"), [("cubic", 2), ("hexprism", 1), ("triprism", 1), ("square", 1)])
def test_turns_are_those_of_dense_sampling(name, n_layers, request):
    pytest.importorskip("shapely")
    from tests.turn_oracle import random_case, reached

    lattice = load_lattice(name)
    usual = 500 if name == "cubic" else 100
    rng = Random(sum(map(ord, name)))
    for case in range(usual if request.config.getoption("--long") else 2):
        part, fixed = random_case(rng, lattice, n_layers=n_layers)
        axis = rng.choice(axes(lattice))
        rotation = rng.choice([r for r in axis.rotations if abs(r.angle) < 2.2])
        play = rng.choice([0.04, 0.08, 0.12])
        _, goals = asking._goals(lattice, axis, rotation, part, 2.0)
        found = asking._asked(asking.TurnQuestion(lattice, [part], [fixed], Turning(play), 10, 20_000), axis, rotation)
        corners = np.concatenate(
            [axis.sections[u] + c for u, c in zip(part[:, 0], lattice.centres(part) @ axis.plane.T, strict=True)]
        )
        middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
        c, s = np.cos(rotation.angle), np.sin(rotation.angle)
        ends = [to + middle @ np.array([[c, s], [-s, c]]) - middle for _, to in goals]
        question = lattice, [part], [fixed], axis.direction, rotation.angle, middle @ axis.plane, ends, play * axis.edge
        can, may = reached(*question, grown=True), reached(*question, grown=False)
        known = {turn.shift: turn.certain for turn in found}
        for number, (shift, _) in enumerate(goals):
            assert number not in can or shift in known, (name, case, shift, "possible, but not found")
            assert not known.get(shift) or number in may, (name, case, shift, "certain, but impossible")
