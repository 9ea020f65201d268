"""Brute force on cover problems, to compare latcover with: slow, plain, and free of latcover's own ways to search.

Of latcover only plain data is used. Puzzles have a brute force of their own, which knows no cover problems:
puzzle_oracle.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from msgspec.structs import replace

from latcover.core.cover.problem import CoverProblem
from tests.dice import Dice

Cover = tuple[int, ...]  # options, ascending

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


def any_problem(dice: Dice) -> CoverProblem:
    """A problem of at most 10 options and 6 items; options may be empty, or equal to one another."""
    bounds = [dice.pick(BOUNDS) for _ in range(dice.between(1, 6))]
    return cover_problem([_some(dice, range(len(bounds)), 3) for _ in range(dice.between(0, 10))], bounds)


def any_coloured_problem(dice: Dice) -> CoverProblem:
    """A problem of at most 10 options and 7 items, some of which may be held in one of two colours or in none."""
    bounds = [dice.pick(BOUNDS) for _ in range(dice.between(1, 3))]
    n_colourable = dice.between(1, 4)
    places = dice.shuffled(range(len(bounds) + n_colourable))  # colours are not for the last items alone
    plain = set(places[: len(bounds)])
    options = [
        {item: 0 if item in plain else dice.between(0, 2) for item in _some(dice, places, 4)}
        for _ in range(dice.between(2, 10))
    ]
    of_item = dict(zip(places, [*bounds, *[(0, 1)] * n_colourable], strict=True))
    return coloured_problem(options, [of_item[item] for item in range(len(places))])


def either_problem(dice: Dice) -> CoverProblem:
    """One of these."""
    return any_coloured_problem(dice) if dice.chance(50) else any_problem(dice)


def given(make: Callable[[Dice], CoverProblem]) -> Callable[[Dice], CoverProblem]:
    """Such problems as a user gives them: without the options that hold no item."""

    def made(dice: Dice) -> CoverProblem:
        problem = make(dice)
        return problem.with_options(np.flatnonzero(np.diff(problem.option_starts)))

    return made


def _some(dice: Dice, items: Sequence[int], most: int) -> list[int]:
    """At most so many of *items*, ascending."""
    return sorted({dice.pick(items) for _ in range(dice.between(0, most))})


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
