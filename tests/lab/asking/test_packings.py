"""Packings by `auto` and by each of its ways: against brute force on several lattices, whatever the parts hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover import BestRequest, CountRequest, PackRequest, Part, Puzzle, Region, best, box, pack
from latcover.backends import create
from latcover.backends.auto import MOST_FOR_CPSAT
from latcover.backends.fullest import fullest_packings, price_of_a_cell
from latcover.backends.packing import PackingMeans, is_packing, search_packing
from latcover.core.cover.backend import Backend
from latcover.core.cover.events import Events
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Limits, SearchTask
from latcover.core.encoding.objectives import least_by_copies, objective_of
from latcover.core.encoding.prepared import Choices, prepare
from latcover.lab.asking.packings import packing_of
from latcover.show.reporting.best_report import best_as_text
from tests import puzzle_oracle
from tests.command_line import run
from tests.dice import Dice, cases
from tests.oracle import covers
from tests.random_puzzles import puzzles
from tests.small_problems import DOMINO, board

LATTICES = ("square", "triangular", "hexagonal", "cubic", "polystick")


class Staged(Backend, frozen=True):
    """The ways of `auto`, of which branch and bound has next to no time, so that the others have their turn."""

    name = "staged"
    honours_colours = True
    whole_rules = "learns"
    costs_by = "turns"

    full: bool = True

    def search(self, task: SearchTask) -> SearchResult:
        assert task.bar is not None
        assert is_packing(task.problem, task.bar)
        tries = [(create("dlx"), Limits(1, 10_000 if self.full else 0))]
        return search_packing(PackingMeans(create("dlx"), 1, lambda _: tries, MOST_FOR_CPSAT), task, task.bar)


def any_parts(dice: Dice) -> Puzzle:
    """A puzzle some of whose parts are gone, and others may be used twice, or any number of times."""
    puzzle = puzzles(dice.pick(LATTICES))(dice)
    parts = [part for part in puzzle.parts if dice.chance(70)] or [puzzle.parts[0]]
    many = [replace(part, high=dice.pick([None, part.low, 1, 2]), low=0) for part in parts]
    return replace(puzzle, parts=tuple(many))


def clumsy_ones(puzzle: Puzzle, every: Iterable[puzzle_oracle.Solution]) -> Iterator[puzzle_oracle.Solution]:
    """Those that leave no room for another copy of a part that has copies left."""
    region = {tuple(cell) for cell in puzzle.region.cells.tolist()}
    places = {
        part.name: {frozenset(cell for cell, *_ in copy) for copy in puzzle_oracle.placements(puzzle, part)}
        for part in puzzle.parts
    }
    for solution in every:
        used = [name for name, _ in solution]
        empty = region - {cell for _, copy in solution for cell, *_ in copy}
        left = (part.name for part in puzzle.parts if part.high is None or used.count(part.name) < part.high)
        if not any(place <= empty for name in left for place in places[name]):
            yield solution


def solver(dice: Dice) -> Backend:
    return dice.pick((create("auto"), Staged(), Staged(full=False)))


@cases(10, puzzle=any_parts, backend=solver)
def test_the_best_packings_are_those_of_brute_force(puzzle: Puzzle, backend: Backend) -> None:
    every = puzzle_oracle.solutions(packing_of(puzzle))
    cells = max(sum(len(copy) for _, copy in each) for each in every)
    for objective, most in (("cells", cells), ("parts", max(map(len, every)))):
        request = BestRequest(objective=objective, sense="maximize")
        found = best(packing_of(puzzle), request, solver=backend)
        assert (found.proved, found.value, found.bound) == (True, most, most)
    fewest = min(map(len, clumsy_ones(puzzle, every)))
    found = best(packing_of(puzzle, clumsy=True), BestRequest(objective="parts"), solver=backend)
    assert (found.proved, found.value, found.bound) == (True, fewest, fewest)


@cases(3, puzzle=any_parts, backend=solver)
def test_all_best_packings_are_found_once(puzzle: Puzzle, backend: Backend) -> None:
    every = [sum(len(copy) for _, copy in each) for each in puzzle_oracle.solutions(packing_of(puzzle))]
    many = every.count(max(every))
    request = BestRequest(objective="cells", sense="maximize", all_optimal=True, symmetry="none")
    found = best(packing_of(puzzle), request, solver=backend)
    assert (found.proved, found.value, len(found.solutions)) == (True, max(every), many)


def left_over(dice: Dice) -> Puzzle:
    """A puzzle every cell of which may stay empty, or so many of them."""
    puzzle = any_parts(dice)
    cells = puzzle.region.cells
    most = dice.pick([None, *range(1, 5)])
    region = Region(cells, puzzle.region.colours, "all" if most is None else None, puzzle.region.period, most)
    return replace(puzzle, region=region)


@cases(8, puzzle=left_over)
def test_regions_that_waste_cells_are_those_of_brute_force(puzzle: Puzzle) -> None:
    expected = puzzle_oracle.solutions(puzzle)
    assert puzzle.region.optional.all()
    assert latcover.count(puzzle, CountRequest(symmetry="none")).total == len(expected)
    if not expected:
        return
    found = best(puzzle, BestRequest(objective="cells", sense="maximize"))
    assert found.value == max(sum(len(copy) for _, copy in each) for each in expected)


@cases(10, puzzle=any_parts)
def test_no_bound_is_passed_or_above_the_trivial_one(puzzle: Puzzle) -> None:
    ready = prepare(packing_of(puzzle), Choices("none"))
    sums = [sum(len(copy) for _, copy in each) for each in puzzle_oracle.solutions(packing_of(puzzle))]
    costs = objective_of(ready.puzzle, "cells").costs
    assert costs is not None
    bound = -least_by_copies(ready, costs(ready).negated())
    trivial = min(len(ready.puzzle.region.cells), sum(p.size * puzzle.most_copies(p) for p in puzzle.parts))
    assert max(sums) <= bound <= trivial
    priced = costs(ready).negated().renamed(ready.option_placement)
    questions = [question.covered for question in fullest_packings(ready.problem, priced)]
    assert questions == sorted(questions, reverse=True)
    assert price_of_a_cell(ready.problem, priced) == (-1 if ready.problem.n_options else 0)
    assert not ready.problem.n_options or {*sums} <= {*questions}


def test_only_cells_that_may_stay_empty_are_left_by_the_fullest_packings() -> None:
    """Of three cells in a row the last may stay empty: a domino covers the first two, and no other two."""
    puzzle = Puzzle("row", latcover.load_lattice("square"), Region("XX+"), [Part("d", "XX")])
    ready = prepare(puzzle, Choices("none"))
    costs = objective_of(puzzle, "cells").costs
    assert costs is not None
    (question, *_) = fullest_packings(ready.problem, costs(ready).negated().renamed(ready.option_placement))
    assert question.covered == 2
    found = covers(question.problem)
    assert found
    assert all(ready.problem.is_cover(np.array([o for o in cover if o < ready.problem.n_options])) for cover in found)


def test_a_full_cover_ends_the_search() -> None:
    """Dominoes on a chessboard: the exact cover is found, and is the bound."""
    seen: list[int] = []

    class Bounds(Events):
        def on_bound(self, value: int) -> None:
            seen.append(value)

    found = best(packing_of(board(8, 8, DOMINO)), BestRequest(objective="cells", sense="maximize"), Bounds())
    assert (found.proved, found.value, found.gap) == (True, 64, 0.0)
    assert max(seen) == 64


def test_a_search_that_is_cut_short_says_the_bound_and_the_gap() -> None:
    request = BestRequest(objective="cells", sense="maximize", branches=20)
    found = best(packing_of(board(9, 9, DOMINO)), request)
    assert found.search.stop is Stop.BRANCH_LIMIT
    assert found.bound == 80  # by volume: 81 cells are odd
    assert found.value
    assert found.gap == pytest.approx((80 - found.value) / found.value)
    assert f"no solution has more than 80, a gap of {100 * found.gap:.1f} %" in best_as_text(request, found)


CHIPS = ("XX.\n.XX", ".X.\nXXX", "XXX\nX.X\nX..", "X...\nXXXX\n..XX", "XXX\nXXX\n..X")


@pytest.mark.parametrize("backend", ["auto", "cpsat"])
@pytest.mark.parametrize(("size", "covered"), [(4, 11), (5, 19), (6, 33), (7, 45)])
def test_chips_on_small_boards(size: int, covered: int, backend: str) -> None:
    """Exact covers and CP-SAT, which have nothing in common, agree."""
    parts = [Part(str(k), art, low=0, high=None, transformations="fixed") for k, art in enumerate(CHIPS)]
    puzzle = Puzzle("chips", latcover.load_lattice("square"), box(size, size), tuple(parts))
    found = pack(puzzle, PackRequest(cells=True, backend=backend))
    assert (found.value, found.bound, found.proved) == (covered, covered, True)


def test_parts_that_hold_more_or_less_than_the_region(tmp_path: Path) -> None:
    """By files: the same puzzle is an error where it is to be filled, counts 0, and packs."""
    small = 'name = "small"\nlattice = "square"\n[region]\nbox = [3, 3]\n[[parts]]\nname = "d"\nart = "XX"\n'
    for name, text, parts in (("less", small, 1), ("more", small.replace('art = "XX"', 'art = "XX"\ncount = 7'), 4)):
        path = tmp_path / f"{name}.toml"
        path.write_text(text)
        assert "the volume cannot fit" in run("solve", path).stderr
        assert run("check", path).returncode == 1
        packed = run("solve", path, "--pack", "-q", "--no-color")
        assert f"{parts} part{'s' * (parts > 1)}; no solution has more (proved)" in packed.stdout
        counted = run("count", path)
        assert counted.returncode == 0
        assert "0 in all (complete)" in counted.stdout
        assert "no solution: the volume cannot fit" in counted.stderr
        assert pack(path).value == parts
        assert latcover.count(path).total == 0


def test_other_faults_of_a_file_stay_errors(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    part = '[[parts]]\nname = "d"\nart = "XX"\n'
    path.write_text(f'name = "small"\nlattice = "square"\n[region]\nbox = [3, 3]\n{part}{part}')
    for words in (("count", path), ("solve", path, "--pack")):
        said = run(*words).stderr
        assert "a second part is named 'd'" in said
        assert said.startswith(f"error: {path}")
        assert "volume" not in said


def test_a_part_that_is_too_large_is_left_out() -> None:
    parts = (Part("long", "XXXXX", low=0, high=None), Part("d", "XX", low=0, high=None))
    puzzle = Puzzle("small", latcover.load_lattice("square"), box(2, 2), parts)
    assert pack(puzzle, PackRequest(cells=True)).value == 4
    alone = replace(puzzle, parts=parts[:1])
    assert (pack(alone).value, pack(alone).proved) == (0, True)


@pytest.mark.parametrize(("most", "fewest"), [(1, 1), (2, 2), (3, 3), (4, 3), (None, 3)])
@pytest.mark.parametrize("backend", ["auto", "dlx", "cpsat", "sat"])
def test_clumsy_packings_of_so_many_copies(most: int | None, fewest: int, backend: str) -> None:
    """Three dominoes block a board of nine cells; two of two leave room, but no third domino."""
    puzzle = Puzzle("nine", latcover.load_lattice("square"), box(3, 3), (Part("d", "XX", low=0, high=most),))
    found = pack(puzzle, PackRequest(clumsy=True, backend=backend))
    assert (found.value, found.proved) == (fewest, True)
    assert found.tiling is not None
    assert np.unique(found.tiling.puzzle.region.optional).tolist() == [True]


@pytest.mark.parametrize("backend", ["auto", "dlx", "cpsat", "sat"])
def test_two_copies_leave_room_in_many_ways(backend: str) -> None:
    """The board of nine cells has 44 pairs of dominoes: all of them are clumsy if there are two."""
    puzzle = Puzzle("nine", latcover.load_lattice("square"), box(3, 3), (Part("d", "XX", low=0, high=2),))
    request = BestRequest(objective="parts", all_optimal=True, symmetry="none", backend=backend)
    assert len(best(packing_of(puzzle, clumsy=True), request).solutions) == 44
