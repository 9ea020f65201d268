"""Motions in which all parts give way, against a judge that samples them; and what the search for them says."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.core.model.turn_data import Turning
from latcover.files.formats.library import load_lattice
from latcover.lab.assembly import giving_apart
from latcover.lab.assembly.giving import GivingTask, given_way, least_given_way
from latcover.lab.assembly.giving_apart import GivenApart, GivingApart
from latcover.lab.assembly.prisms import axes
from latcover.lab.assembly.taking_apart import ApartLimits, Assembler
from latcover.lab.assembly.turning import turns
from tests.random_assemblies import assembled

SQUARE = load_lattice("square")
LOOSER = 0.04


def a_bar_between_walls():
    """A bar of two in a square of two by two, of which two walls are parts of their own."""
    hole = {(1, 1), (2, 1), (1, 2), (2, 2)}
    right, above = {(3, 1), (3, 2)}, {(1, 3), (2, 3)}
    frame = set(product(range(5), repeat=2)) - hole - right - above
    cells = [frame, {(1, 1), (2, 1)}, right, above]
    pieces = {k: np.array(sorted((0, *cell) for cell in each), np.int32) for k, each in enumerate(cells)}
    return GivingTask(SQUARE, axes(SQUARE)[0], pieces, (1,), 0.0)


def guides(task, play):
    fixed = [cells for piece, cells in task.cells.items() if piece not in task.moving]
    moving = [task.cells[piece] for piece in task.moving]
    return [turn for turn in turns(task.lattice, moving, fixed, Turning(play)) if turn.certain]


def test_walls_that_are_loose_give_way_down_to_the_play_of_the_closed_form():
    """(2 - 2p)^2 + (1 - 2p)^2 <= (2 + 4p)^2, so p >= 0.0354; while they stay, p >= 0.0505."""
    task = a_bar_between_walls()
    guide = guides(task, 0.06)[0]
    given = given_way(task, guide, 0.06, 0.036)
    assert given.turn is not None
    assert {giving.piece for giving in given.turn.giving} & {2, 3}
    assert task.faults(given.turn, 0.036) == []
    assert task.faults(replace(given.turn, giving=()), 0.036)
    assert 0.0354 < least_given_way(task, guide, 0.06) < 0.0364
    below = given_way(task, guide, 0.06, 0.035)
    assert below.turn is None
    assert 0.0354 < below.reached < 0.0364


def test_where_the_others_are_held_they_do_not_give_way():
    task = replace(a_bar_between_walls(), held=True)
    guide = guides(task, 0.06)[0]
    assert given_way(task, guide, 0.06, 0.04).turn is None
    given = given_way(task, guide, 0.06, 0.052)
    assert given.turn is not None
    assert given.turn.giving == ()


def room_without_a_window():
    walls = {(x + i, y + j) for x, y in product(range(3), repeat=2) for i, j in product((-1, 0, 1), repeat=2)}
    frame = walls - set(product(range(3), repeat=2))
    return assembled(SQUARE, [[(0, *cell) for cell in sorted(frame)], [(0, 0, 0), (0, 1, 0)]])


def test_what_has_no_time_is_not_known():
    puzzle, solution = room_without_a_window()
    assembler = Assembler(puzzle, in_plane=True, turns="needed", turning=Turning(0.0))
    (found,) = assembler.take_apart([solution], ApartLimits(seconds=0.0))
    assert (found.result, found.separations) == ("unknown", ())


@pytest.mark.parametrize(("goes_on", "stop"), [(True, ""), (False, "cancelled")])
def test_what_is_stopped_while_parts_give_way_is_not_known(goes_on, stop, monkeypatch):
    """The first search, with all others fixed, ends by itself; then nobody waits any more."""
    puzzle, solution = room_without_a_window()
    assembler, given = Assembler(puzzle, in_plane=True, turns="needed", turning=Turning(0.0)), []
    look = GivingApart.take_apart

    def watched(self, task, _, **options):
        given.append(look(self, task, lambda: goes_on, **options))
        return given[-1]

    monkeypatch.setattr(GivingApart, "take_apart", watched)
    (found,) = assembler.take_apart([solution])
    assert (found.result, found.stop) == ("unproved" if goes_on else "unknown", stop)
    assert (given[0].states > 0) == goes_on


@pytest.mark.long
def test_a_play_that_is_too_small_is_not_advised(monkeypatch):
    """The bar of this cube needs 0.0475 while others give way, whatever the search hoped for."""
    puzzle = latcover.load("turning-cube")
    (solution,) = latcover.solutions(puzzle)
    look = GivingApart.take_apart
    monkeypatch.setattr(giving_apart, "LOOSER", (0.02,))
    monkeypatch.setattr(GivingApart, "take_apart", lambda *given, **options: hopeful(look(*given, **options)))

    def hopeful(given):
        return given if given.separations else GivenApart(None, 0, 0.041, 0.06)

    (found,) = Assembler(puzzle, turns="needed", turning=Turning(0.03)).take_apart([solution])
    assert (found.result, found.certain_at) == ("unproved", 0.06)


def test_threads_change_nothing_where_parts_give_way():
    task = a_bar_between_walls()
    gate = {(2, 0)}
    cells = [[tuple(cell) for cell in rows.tolist() if tuple(cell[1:]) not in gate] for rows in task.cells.values()]
    puzzle, solution = assembled(SQUARE, cells)
    one, two = (
        Assembler(puzzle, in_plane=True, turns="needed", turning=Turning(0.045)).take_apart([solution], threads=n)[0]
        for n in (1, 2)
    )
    assert one.result == "apart"
    assert one == two


@pytest.mark.parametrize(("space", "usual"), [(False, 300), (True, 100)])
def test_what_gives_way_is_not_refuted(space, usual, request):
    """Random parts: turns that are certain at a greater play, bent to one at which others have to give way."""
    pytest.importorskip("shapely")
    from tests.random_turns import PLANE, SPACE, random_question
    from tests.turn_judge import refutation

    kinds, rng, met = SPACE if space else PLANE, Random(usual), Counter()
    for case in range(usual if request.config.getoption("--long") else 2):
        asked = random_question(rng, kinds[case % len(kinds)])
        lattice, play = asked.ground.lattice, asked.play - LOOSER
        axis = next(one for one in axes(lattice) if np.allclose(one.direction, asked.ground.axis))
        task = GivingTask(lattice, axis, asked.pieces, tuple(sorted(asked.moving)), 0.0)
        found = [turn for turn in guides(task, asked.play) if turn.axis == axis.direction]
        for guide in rng.sample(found, min(2, len(found))):
            given = given_way(task, guide, asked.play, play)
            met[given.turn is not None, bool(given.turn and given.turn.giving)] += 1
            if given.turn is not None:
                moving = set(asked.moving)
                assert refutation(lattice, task.cells, moving, given.turn, play, samples=300) == "", case
    if request.config.getoption("--long"):
        assert min(met[True, True], met[False, False]) > usual // 20
