"""The best solutions: against the values of all solutions, read off their cells."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.backends import create
from latcover.core.cover.backend import Backend, collect
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import SearchTask
from latcover.core.encoding.objectives import OBJECTIVES, objective_of
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.four_cell_points import stars_of_four
from latcover.core.model.solution_values import VALUES, value_of
from latcover.core.model.turn_data import Turning
from latcover.errors import UnsupportedError
from latcover.lab.asking.best import BestRequest, best
from latcover.lab.asking.packings import packing_of
from latcover.show.reporting.best_report import best_as_text
from tests.command_line import run
from tests.shipped import rest_long
from tests.small_problems import DOMINO, board, perfect_matchings

SMALL = ("hexiamonds-4x9", "soma", "tetrahexes-4x7")


def coloured(name: str = "pent-15x4") -> latcover.Puzzle:
    """A shipped puzzle whose parts have two colours in turn."""
    puzzle = latcover.load(name)
    parts = [replace(part, display_colour=("red", "blue")[k % 2]) for k, part in enumerate(puzzle.parts)]
    return replace(puzzle, parts=tuple(parts))


def loaded(*lines: str) -> latcover.Puzzle:
    """A puzzle of squares."""
    return latcover.loads("\n".join(('name = "small"', 'lattice = "square"', *lines)))


def values(puzzle: latcover.Puzzle, objective: str) -> list[int]:
    return sorted(value_of(puzzle, solution, objective) for solution in latcover.solutions(puzzle))


def test_every_objective_has_a_reader_of_its_own() -> None:
    assert OBJECTIVES.keys() - {"moves"} == VALUES.keys()  # the replay checks moves


@pytest.mark.parametrize("objective", rest_long(VALUES, VALUES.keys() - {"spread", "crossroads", "border"}))
@pytest.mark.parametrize("backend", [pytest.param("dlx", marks=pytest.mark.long), "bitset"])
def test_the_best_are_the_best_of_all(objective: str, backend: str) -> None:
    puzzle = coloured()
    expected = values(puzzle, objective)
    least = best(puzzle, BestRequest(objective=objective, backend=backend, limit=5))
    assert [one.value for one in least.solutions] == expected[:5]
    assert (least.proved, least.bound) == (True, expected[0])
    most = best(puzzle, BestRequest(objective=objective, backend=backend, sense="maximize", all_optimal=True))
    assert [one.value for one in most.solutions] == [expected[-1]] * expected.count(expected[-1])


@pytest.mark.long
def test_costs_of_placements_are_the_values_of_their_solutions() -> None:
    """Also on other lattices, where the objective is known there."""
    for name in SMALL:
        prepared = prepare(latcover.load(name), Choices(symmetry="none"))
        for objective in VALUES:
            try:
                make = objective_of(prepared.puzzle, objective).costs
                if make is None:
                    continue
                costs = make(prepared)
                assert costs.n_conditions or costs.own.any()
            except UnsupportedError:
                continue
            best(prepared, BestRequest(objective=objective, limit=3, backend="bitset"))  # reads each value again


def test_optima_are_counted_without_listing() -> None:
    """Dominoes that may leave cells empty: the most that fit cover a chessboard, in as many ways as Kasteleyn says."""
    puzzle = packing_of(board(8, 8, DOMINO))
    found = best(puzzle, BestRequest(objective="cells", sense="maximize", backend="frontier"))
    assert (found.value, found.optima) == (64, perfect_matchings(8, 8))
    assert best("pent-20x3", BestRequest(objective="parts", backend="frontier")).optima == 8  # 2, and their images
    corners = packing_of(board(3, 3, DOMINO))  # one cell of nine stays empty
    every = best(corners, BestRequest(objective="parts", sense="maximize", backend="frontier", all_optimal=True))
    listed = best(corners, BestRequest(objective="parts", sense="maximize", backend="dlx", all_optimal=True))
    assert (every.value, every.optima) == (4, 18)
    assert (every.optima, len(every.solutions)) == (listed.optima, len(listed.solutions))


@pytest.mark.long
def test_an_objective_that_symmetries_change_is_searched_without_them() -> None:
    """One colour of two chiral parts that mirror images exchange: a reflection changes which sides are alike."""
    puzzle = coloured("soma")
    found = best(puzzle, BestRequest(objective="touching-alike", backend="dlx"))
    assert found.search.symmetry == "none"
    everything = prepare(puzzle, Choices(symmetry="none"))
    covers = everything.option_placement[np.array(collect(create("bitset"), everything.problem))]
    starts = np.arange(len(covers) + 1) * covers.shape[1]
    make = objective_of(puzzle, "touching-alike").costs
    assert make is not None
    assert found.value == make(everything).of(starts, covers.reshape(-1)).min()


def test_solutions_are_judged_by_their_symmetries() -> None:
    """An orbit has as many images as the puzzle has symmetries, divided by those of the solution."""
    puzzle = latcover.load("hex-prisms")
    ready = prepare(puzzle)
    found = best(ready, BestRequest(objective="symmetry", sense="maximize", limit=1000))
    assert found.proved
    assert {one.value * one.solution.orbit for one in found.solutions} == {ready.symmetries}


def test_moves_are_those_of_assemble() -> None:
    hardest = best("burr-unique-10", BestRequest(objective="moves", sense="maximize"))
    tally = latcover.assemble("burr-unique-10", latcover.AssembleRequest()).tally
    assert hardest.value == max(sum(level) for level in tally.levels)
    with pytest.raises(UnsupportedError, match="flat"):
        best("pent-15x4", BestRequest(objective="moves"))


def test_the_most_moves_are_not_proved_while_a_solution_may_come_apart_by_other_turns() -> None:
    puzzle = replace(latcover.load("turning-cube"), turning=Turning(0.03))
    request = BestRequest(objective="moves", sense="maximize")
    found = best(puzzle, request)
    assert (found.proved, found.value, found.search.stop) == (False, None, Stop.NOT_PROVED)
    assert "not proved: others may come apart" in best_as_text(request, found)
    slid = best(replace(puzzle, turning=None), request)
    assert (slid.proved, slid.value) == (True, None)
    assert "slides take no solution apart" in best_as_text(request, slid)


@pytest.mark.parametrize(
    ("lattice", "stars"), [("square", 1), ("trihex", 3), ("hexagonal", "no four"), ("triangular", "6 cells")]
)
def test_the_lattice_says_where_four_cells_meet(lattice: str, stars: int | str) -> None:
    if isinstance(stars, int):
        assert len(stars_of_four(latcover.load_lattice(lattice))) == stars
        return
    with pytest.raises(UnsupportedError, match=stars):
        stars_of_four(latcover.load_lattice(lattice))


def test_the_command_shows_the_value_and_the_proof() -> None:
    shown = run("solve", "pent-15x4", "--best", "minimize", "crossroads", "--backend", "dlx", "-q", "--no-color")
    assert "0 points where four parts meet; no solution has fewer (proved)" in shown.stdout
    data = run("solve", "pent-15x4", "--best", "maximize", "crossroads", "--json", "-q").stdout.splitlines()
    assert '"proved": true' in data[-1]
    assert '"value"' in data[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--best", "least", "crossroads"), "minimize or maximize"),
        (("--best", "minimize", "crossroad"), "crossroads"),
        (("--all-optimal",), "says what is good"),
        (("--best", "minimize", "border", "--images"), "--images"),
        (("--best", "minimize", "border", "--limit", "0"), "1 or more"),
    ],
)
def test_what_cannot_be_asked_is_refused(words: tuple[str, ...], said: str) -> None:
    shown = run("solve", "pent-15x4", *words)
    assert shown.returncode in (1, 2)
    assert said in " ".join(shown.stderr.split())


def test_symmetries_are_those_of_the_region_with_its_empty_cells() -> None:
    """A domino on two of three cells in a corner: only staying takes the corner to itself and the domino to itself."""
    puzzle = loaded('parts = [{ name = "I", art = "XX" }]', 'region = { art = "XX\\n+." }')
    for sense in ("minimize", "maximize"):
        assert best(puzzle, BestRequest(objective="symmetry", sense=sense, symmetry="none", backend="dlx")).value == 1
    straight = loaded('parts = [{ name = "I", art = "XX" }]', 'region = { art = "XX" }')
    assert best(straight, BestRequest(objective="symmetry")).value == 4


def test_a_part_without_a_colour_is_alike_to_none_for_every_objective() -> None:
    """Two by two lying dominoes: two of a colour, and two copies of a part without. Six sides lie between them."""
    puzzle = loaded(
        'parts = [{ name = "R", art = "XX", display_colour = "red", count = 2, transformations = "fixed" },'
        '{ name = "I", art = "XX", count = 2, transformations = "fixed" }]',
        'region = { art = "XXXX\\nXXXX" }',
    )
    found = {}
    for objective in ("touching-alike", "border", "spread"):
        asked = BestRequest(objective=objective, limit=6, symmetry="none", backend="dlx")
        found[objective] = [one.value for one in best(puzzle, asked).solutions]
    # The two of the colour lie side by side, above each other, or touch in a corner: each in two ways.
    assert found["touching-alike"] == [0, 0, 1, 1, 2, 2]
    assert found["border"] == [4, 4, 5, 5, 6, 6]
    assert found["spread"] == [8, 8, 10, 10, 14, 14]
    with pytest.raises(UnsupportedError, match="no part has a colour"):
        best(board(2, 2, DOMINO), BestRequest(objective="touching-alike"))


class _Helpless(Backend, frozen=True):
    """Finds nothing, and knows less than nothing."""

    name = "helpless"

    def search(self, task: SearchTask) -> SearchResult:
        assert task.bar is not None
        task.bar.note(-1_000_000)
        return SearchResult(Stop.TIME_LIMIT)


# Two copies of a red tromino, one of them perhaps unused, and up to four dominoes, on 2 x 4 cells.
BOUNDED = (
    'parts = [{ name = "V", art = "XX\\nX.", min = 1, max = 2, display_colour = "red" },'
    '{ name = "I", art = "XX", min = 0, max = 4 }]',
    '[[costs]]\nname = "gold"\nparts = { V = 5, I = -1 }',
)
TRIVIAL = {  # by hand: what the region and the numbers of copies allow
    "crossroads": (0, 3),  # the points within
    "fault-lines": (0, 4),
    "touching-alike": (0, 10),  # the sides between cells
    "border": (0, 10),
    "spread": (3, 40),  # the three pairs of one tromino, all neighbours; 15 pairs of two, the farthest
    "parts": (3, 3),  # 8 cells in threes and a two
    "cells": (8, 8),
    "gold": (9, 9),  # likewise
}


@pytest.mark.parametrize("objective", TRIVIAL)
def test_no_bound_is_worse_than_what_region_and_parts_allow(objective: str) -> None:
    puzzle = loaded(BOUNDED[0], 'region = { art = "XXXX\\nXXXX" }', BOUNDED[1])
    known = [
        best(puzzle, BestRequest(objective=objective, sense=sense), solver=_Helpless()).bound
        for sense in ("minimize", "maximize")
    ]
    assert tuple(known) == TRIVIAL[objective]
    low, high = known
    reached = values(puzzle, objective)
    assert low is not None
    assert high is not None
    assert low <= reached[0] <= reached[-1] <= high


def test_every_objective_with_a_bound_has_a_trivial_one() -> None:
    assert TRIVIAL.keys() - {"gold"} == {name for name, objective in OBJECTIVES.items() if objective.costs is not None}


def test_a_bound_that_region_and_parts_allow_is_a_proof() -> None:
    """A backend that lists ends at the first packing without a gap, and does not list the others."""
    found = best(packing_of(board(8, 8, DOMINO)), BestRequest(objective="cells", sense="maximize", backend="backtrack"))
    assert (found.value, found.proved, found.bound) == (64, True, 64)
