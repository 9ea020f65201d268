"""Brute force, to compare latcover with: slow, plain, and free of latcover's own ways to search, place and encode.

Of latcover only plain data is used: problems, puzzles, and how a lattice's transformations move cells, which
test_lattices.py checks by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from latcover.lattice import Lattice, Transformation
from latcover.problem import CoverProblem
from latcover.puzzle import Part, Puzzle, as_cells
from latcover.solution import Solution as Found

Cover = tuple[int, ...]  # options, ascending
Cell = tuple[int, ...]  # node, x, y, ...
Copy = frozenset[tuple[Cell, str]]  # the cells that a copy of a part covers, and the colours it has there
Placement = tuple[str, Copy]  # with the name of the part
Solution = frozenset[Placement]

BOUNDS = ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2), (1, 3))


def cover_problem(options: Sequence[Sequence[int]], bounds: Sequence[tuple[int, int]]) -> CoverProblem:
    """The problem of these options, each given by its items, and of these bounds, one pair for each item."""
    return CoverProblem(
        np.cumsum([0, *map(len, options)], dtype=np.int64),
        np.array([item for option in options for item in sorted(option)], dtype=np.int32),
        np.array([low for low, _ in bounds], dtype=np.int32),
        np.array([high for _, high in bounds], dtype=np.int32),
    )


def coloured_problem(options: Sequence[Mapping[int, int]], bounds: Sequence[tuple[int, int]]) -> CoverProblem:
    """The problem of these options, each given by its items and the colours in which it holds them, 0 for none."""
    colours = [option[item] for option in options for item in sorted(option)]
    return replace(cover_problem([sorted(option) for option in options], bounds), option_colours=np.array(colours))


@st.composite
def cover_problems(draw: st.DrawFn) -> CoverProblem:
    """Problems of at most 10 options and 6 items; options may be empty, or equal to one another."""
    bounds = draw(st.lists(st.sampled_from(BOUNDS), min_size=1, max_size=6))
    n_options = draw(st.integers(0, 10))
    option = st.sets(st.integers(0, len(bounds) - 1), max_size=3)
    options = draw(st.lists(option, min_size=n_options, max_size=n_options))
    return cover_problem([sorted(items) for items in options], bounds)


@st.composite
def coloured_problems(draw: st.DrawFn) -> CoverProblem:
    """Problems of at most 10 options and 7 items, half of which may be held in one of two colours or in none."""
    bounds = draw(st.lists(st.sampled_from(BOUNDS), min_size=1, max_size=3))
    n_colourable = draw(st.integers(1, 4))
    items = [st.just(0)] * len(bounds) + [st.integers(0, 2)] * n_colourable
    shuffled = draw(st.permutations(range(len(items))))  # colours are not for the last items alone
    item = st.sampled_from(shuffled)
    option = st.sets(item, max_size=4).flatmap(lambda held: st.fixed_dictionaries({i: items[i] for i in sorted(held)}))
    options = draw(st.lists(option, min_size=2, max_size=10))
    place = {item: place for place, item in enumerate(shuffled)}
    all_bounds = [*bounds, *[(0, 1)] * n_colourable]
    return coloured_problem(
        [{place[item]: colour for item, colour in held.items()} for held in options], [all_bounds[i] for i in shuffled]
    )


def clashes(problem: CoverProblem) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Which two options may not be chosen together, because of an item that has colours."""
    colours = [dict(zip(items, row, strict=True)) for items, row in _rows_with_colours(problem)]
    coloured = {item for row in colours for item, colour in row.items() if colour}
    return np.array(
        [
            [
                a != b
                and any(one[item] != other[item] or not one[item] for item in one.keys() & other.keys() & coloured)
                for b, other in enumerate(colours)
            ]
            for a, one in enumerate(colours)
        ],
        dtype=np.bool_,
    ).reshape(len(colours), len(colours))


def _rows_with_colours(problem: CoverProblem) -> Iterator[tuple[list[int], list[int]]]:
    colours = problem.option_colours.tolist() or [0] * len(problem.option_items)
    for start, end in pairwise(problem.option_starts.tolist()):
        yield problem.option_items[start:end].tolist(), colours[start:end]


def _has_colours(problem: CoverProblem) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which items some option holds in a colour."""
    coloured = [item for row in _rows_with_colours(problem) for item, colour in zip(*row, strict=True) if colour]
    return np.isin(np.arange(problem.n_items), coloured)


def covers(problem: CoverProblem) -> set[Cover]:
    """Every cover of a problem of few options: all its subsets are looked at."""
    holds = np.zeros((problem.n_options, problem.n_items), dtype=int)
    for option in range(problem.n_options):
        holds[option, problem.items_of(option)] = 1
    subsets = np.arange(2**problem.n_options)[:, None] >> np.arange(problem.n_options) & 1
    counts = subsets @ holds
    within = (counts >= problem.low) & (counts <= problem.high)
    good = (within | _has_colours(problem)).all(axis=1)
    good &= ~(subsets @ clashes(problem).astype(int) * subsets).any(axis=1)
    return {tuple(np.flatnonzero(subset).tolist()) for subset in subsets[good]}


def branches_by_level(problem: CoverProblem, *, size: bool, cells_first: bool = False) -> tuple[int, ...]:
    """The options tried at each level of the tree that our own backends are to walk.

    Branch on the pending item with the fewest ways left, or without *size* on the first one; with *cells_first* on
    cells as long as one is pending. Options passed over, on an item that may be held more than once, are not tried
    again. When nothing is pending, any live option may be added.
    """
    items = [problem.items_of(option).tolist() for option in range(problem.n_options)]
    coloured, clash = _has_colours(problem), clashes(problem)
    tried: list[int] = []

    def walk(level: int, counts: list[int], live: list[int]) -> None:
        def ways(item: int) -> int:
            return sum(item in items[option] for option in live) - (int(problem.low[item]) - counts[item]) + 1

        pending = [item for item in range(problem.n_items) if counts[item] < problem.low[item]]
        later = problem.n_cells if cells_first else problem.n_items
        best = min(pending, key=lambda item: (item >= later, ways(item) if size else 0, item), default=-1)
        if pending and ways(best) <= 0:
            return
        once = bool(pending) and problem.high[best] == 1
        for option in [option for option in live if not pending or best in items[option]]:
            tried.extend([0] * (level + 1 - len(tried)))
            tried[level] += 1
            then = [count + (item in items[option]) for item, count in enumerate(counts)]
            walk(level + 1, then, [o for o in live if o != option and not clash[o, option] and not _is_full(o, then)])
            if not once:
                live = [o for o in live if o != option]
                if any(ways(item) <= 0 for item in items[option] if item in pending):
                    return

    def _is_full(option: int, counts: list[int]) -> bool:
        return any(counts[item] >= problem.high[item] and not coloured[item] for item in items[option])

    none = [0] * problem.n_items
    walk(0, none, [option for option in range(problem.n_options) if not _is_full(option, none)])
    return tuple(tried)


@dataclass(frozen=True)
class Symmetry:
    """Where a symmetry of a puzzle takes each cell and each part."""

    cells: Mapping[Cell, Cell]
    parts: Mapping[str, str]

    def image(self, solution: Solution) -> Solution:
        return frozenset((self.parts[name], goes_to(self.cells, copy)) for name, copy in solution)


def goes_to(cells: Mapping[Cell, Cell], copy: Copy) -> Copy:
    """Where a map of cells takes a copy of a part."""
    return frozenset((cells[cell], colour) for cell, colour in copy)


def images(cells: Sequence[Cell], transformation: Transformation) -> list[Cell]:
    """Where a transformation takes *cells*."""
    dimension = len(cells[0]) - 1
    return [tuple(row) for row in transformation.apply(as_cells(cells, dimension)).tolist()]


def moved(cell: Cell, by: Sequence[int], period: Sequence[int]) -> Cell:
    """*cell*, translated, and its periodic coordinates reduced."""
    return (cell[0], *((x + s) % p if p else x + s for x, s, p in zip(cell[1:], by, period, strict=True)))


def step(start: Cell, end: Cell) -> tuple[int, ...]:
    """The translation between two cells of one node."""
    return tuple(b - a for a, b in zip(start[1:], end[1:], strict=True))


def as_tuples(rows: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> list[Cell]:
    """Rows of an array of cells as tuples."""
    return [tuple(row) for row in rows.tolist()]


def placements(puzzle: Puzzle, part: Part) -> set[Copy]:
    """Every way to put a copy of *part*."""
    region = puzzle.region
    names = [puzzle.colours[colour] for colour in part.colours.tolist()]
    there = {
        cell: puzzle.colours[colour]
        for cell, colour in zip(as_tuples(region.cells), region.colours.tolist(), strict=True)
    }
    found = set()
    for transformation in part.transformations:
        image = images(as_tuples(part.cells), transformation)
        for start in (cell for cell in there if cell[0] == image[0][0]):
            shift = step(image[0], start)
            cells = [moved(cell, shift, region.period) for cell in image]
            if (
                len(set(cells)) == part.size
                and all(cell in there for cell in cells)
                and all(
                    "" in (name, there[cell]) or name == there[cell] for name, cell in zip(names, cells, strict=True)
                )
            ):
                found.add(frozenset(zip(cells, names, strict=True)))
    return found


def solutions(puzzle: Puzzle) -> set[Solution]:
    """Every solution: the cells are filled, or left empty where that is allowed, one after the other."""
    region = puzzle.region
    cells = sorted(as_tuples(region.cells))
    optional = {cell for cell, free in zip(as_tuples(region.cells), region.optional.tolist(), strict=True) if free}
    counted = {cell for cell in optional if not puzzle.lattice.nodes[cell[0]].secondary}
    most_empty = len(cells) if region.max_empty is None else region.max_empty
    choices: dict[Cell, list[tuple[str, Copy, frozenset[Cell]]]] = {cell: [] for cell in cells}
    for part in puzzle.parts:
        for copy in placements(puzzle, part):
            covered = frozenset(cell for cell, _ in copy)
            choices[min(covered)].append((part.name, copy, covered))
    most = {part.name: len(cells) if part.high is None else part.high for part in puzzle.parts}

    def fill(k: int, taken: frozenset[Cell], chosen: tuple[Placement, ...]) -> Iterator[Solution]:
        names = [name for name, _ in chosen]
        if k == len(cells):
            n_empty = len(counted - taken)
            if all(names.count(part.name) >= part.low for part in puzzle.parts) and n_empty <= most_empty:
                yield frozenset(chosen)
            return
        if cells[k] in taken or cells[k] in optional:
            yield from fill(k + 1, taken, chosen)
        for name, copy, covered in choices[cells[k]]:
            if not covered & taken and names.count(name) < most[name]:
                yield from fill(k + 1, taken | covered, (*chosen, (name, copy)))

    found = list(fill(0, frozenset(), ()))
    assert len(found) == len(set(found))
    return set(found)


def plain(solution: Found) -> Solution:
    """A solution of latcover's in the form that is used here."""
    placed = [
        (p.part, frozenset(zip(p.cells, p.colours or [""] * len(p.cells), strict=True))) for p in solution.placements
    ]
    assert len(set(placed)) == len(placed)
    return frozenset(placed)


def symmetries(puzzle: Puzzle, which: str) -> list[Symmetry]:
    """Every transformation with translation, and exchange of hands, that maps the puzzle to itself."""
    all_placements = {part.name: placements(puzzle, part) for part in puzzle.parts}
    found = []
    for transformation in puzzle.lattice.transformations:
        if which == "none" or (which == "rotations" and not transformation.proper):
            continue
        for cells in _cell_maps(puzzle, transformation):
            parts = _part_map(puzzle, all_placements, cells, transformation.proper)
            if parts is not None:
                found.append(Symmetry(cells, parts))
    if which == "none":
        found.append(Symmetry({c: c for c in as_tuples(puzzle.region.cells)}, {p.name: p.name for p in puzzle.parts}))
    return found


def _cell_maps(puzzle: Puzzle, transformation: Transformation) -> Iterator[dict[Cell, Cell]]:
    """Every way in which *transformation*, with a translation, maps the region to itself, colours and all."""
    region = puzzle.region
    cells = as_tuples(region.cells)
    kind = dict(zip(cells, zip(region.colours.tolist(), region.optional.tolist(), strict=True), strict=True))
    image = images(cells, transformation)
    turned = []  # the images of the same cells, but named by coordinates a period further on
    for axis, period in enumerate(region.period):
        once_round = [period * (axis == other) for other in range(len(region.period))]
        turned.append(images([moved(cell, once_round, [0] * len(once_round)) for cell in cells], transformation))
    for target in (cell for cell in cells if cell[0] == image[0][0]):
        shift = step(image[0], target)
        targets = [moved(there, shift, region.period) for there in image]
        if (
            set(targets) == set(cells)
            and all(kind[cell] == kind[there] for cell, there in zip(cells, targets, strict=True))
            and all([moved(there, shift, region.period) for there in again] == targets for again in turned)
        ):
            yield dict(zip(cells, targets, strict=True))


def _part_map(
    puzzle: Puzzle, all_placements: Mapping[str, set[Copy]], cells: Mapping[Cell, Cell], proper: bool
) -> dict[str, str] | None:
    """Where each part goes: to itself, or from one hand to the other; None where some part has nowhere to go."""
    partner = {}
    for part in puzzle.parts:
        mine = all_placements[part.name]
        there = {goes_to(cells, copy) for copy in mine}
        if there == mine:
            partner[part.name] = part.name
            continue
        bounds = (part.low, puzzle.most_copies(part))
        alike = [p for p in puzzle.parts if (p.low, puzzle.most_copies(p)) == bounds]
        like_me = [p for p in alike if all_placements[p.name] == mine]
        other_hand = [p for p in alike if all_placements[p.name] == there and are_hands(puzzle.lattice, part, p)]
        if proper or len(like_me) != len(other_hand):
            return None
        partner[part.name] = other_hand[like_me.index(part)].name
    return partner


def are_hands(lattice: Lattice, one: Part, other: Part) -> bool:
    """Whether two parts are a chiral pair: a reflection takes one to the other, and no rotation does."""

    def shapes(part: Part, then: Transformation) -> set[frozenset[tuple[Cell, int]]]:
        found = set()
        for allowed in part.transformations:
            image = images(images(as_tuples(part.cells), allowed), then)
            back = [-x for x in min(image)[1:]]
            cells = [moved(cell, back, [0] * len(back)) for cell in image]
            found.add(frozenset(zip(cells, part.colours.tolist(), strict=True)))
        return found

    target = shapes(other, lattice.transformations[0])
    takes = [t for t in lattice.transformations if shapes(one, t) == target]
    return bool(takes) and not any(t.proper for t in takes)


def classes(found: set[Solution], group: Sequence[Symmetry]) -> set[frozenset[Solution]]:
    """The classes of solutions that *group* takes into one another."""
    orbits = {frozenset(symmetry.image(solution) for symmetry in group) for solution in found}
    assert sum(map(len, orbits)) == len(found)
    return orbits
