"""Brute force on cover problems, to compare latcover with: slow, plain, and free of latcover's own ways to search.

Of latcover only plain data is used. Puzzles have a brute force of their own, which knows no cover problems:
puzzle_oracle.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from latcover.cover.problem import CoverProblem

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
