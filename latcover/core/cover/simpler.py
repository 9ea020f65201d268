"""Simpler problems with the same number of covers, for counts that list none."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from latcover.core.cover.problem import CoverProblem, Ints, Longs
from latcover.system.sorted_sets import distinct


def without_implied_item(problem: CoverProblem) -> CoverProblem:
    """The problem without an item that all options hold, if its bounds follow from the other items.

    They do if every cover has the same number of options: each option holds the same number of other items, all of
    which must be held exactly once. An example is the only part of a puzzle, in a given number. The item keeps its
    number, but no option holds it any more. If its bounds exclude that number of options, it can never be held as
    often as it must, and there is no cover.
    """
    n_options = problem.n_options
    if not n_options or not len(problem.option_items) or problem.has_colours:
        return problem
    held = np.bincount(problem.option_items, minlength=problem.n_items)
    by_all = np.flatnonzero((held == n_options) & (problem.high > 1))
    sizes = np.diff(problem.option_starts) - 1
    if len(by_all) != 1 or sizes.min() != sizes.max() or sizes[0] < 1:
        return problem
    implied = int(by_all[0])
    others = np.delete(np.arange(problem.n_items), implied)
    others = others[(held[others] > 0) | (problem.low[others] > 0)]
    if (problem.low[others] != 1).any() or (problem.high[others] != 1).any():
        return problem
    in_a_cover, rest = divmod(len(others), int(sizes[0]))
    possible = rest == 0 and problem.low[implied] <= in_a_cover <= problem.high[implied]
    low, high = problem.low.copy(), problem.high.copy()
    low[implied], high[implied] = (0 if possible else 1), 1
    kept = problem.option_items != implied
    starts = problem.option_starts - np.arange(n_options + 1)
    return CoverProblem(starts, problem.option_items[kept], low, high, sweeps=problem.sweeps)


def depends_on_cells_alone(problem: CoverProblem) -> bool:
    """Whether what is left of a search depends only on the covered cells and the colours of items."""
    simple = without_implied_item(problem)
    return not len(simple.part_sizes) and simple.n_options > 0 and not (simple.high > 1).any()


class Split(Struct, frozen=True, eq=False):
    """A problem that falls apart: the number of its covers is *factor* times the product of those of *parts*."""

    factor: int
    parts: list[CoverProblem]


def split(problem: CoverProblem) -> Split:
    """The parts of a problem that share no options. An option without items doubles the number of covers.

    The items and the options of a part keep their order.
    """
    starts, items = problem.option_starts, problem.option_items
    sizes = np.diff(starts)
    factor = 1 << int((sizes == 0).sum())
    label = components(problem)
    numbers = distinct(label)
    if len(numbers) <= 1 and factor == 1:
        return Split(1, [problem])
    of_option = np.full(problem.n_options, -1, np.int64)
    of_option[sizes > 0] = label[items[starts[:-1][sizes > 0]]]
    owners = np.repeat(of_option, sizes)
    by_item = np.argsort(label, kind="stable")
    by_option = np.argsort(of_option, kind="stable")
    by_entry = np.argsort(owners, kind="stable")
    new_number = np.empty(problem.n_items, np.int32)
    parts = []
    for number in numbers:
        own = by_item[slice(*np.searchsorted(label[by_item], [number, number + 1]))]
        options = by_option[slice(*np.searchsorted(of_option[by_option], [number, number + 1]))]
        entries = by_entry[slice(*np.searchsorted(owners[by_entry], [number, number + 1]))]
        if not len(options) and not problem.low[own].any():
            continue
        new_number[own] = np.arange(len(own))
        ends = np.concatenate([[0], np.cumsum(sizes[options])])
        colours = problem.option_colours[entries] if problem.has_colours else problem.option_colours
        part = CoverProblem(
            ends,
            new_number[items[entries]],
            problem.low[own],
            problem.high[own],
            option_colours=colours,
            sweeps=problem.sweeps[:, own] if len(problem.sweeps) else problem.sweeps,
        )
        parts.append(part)
    return Split(factor, sorted(parts, key=lambda part: part.n_options))


def part_by_part(problem: CoverProblem, order: Ints) -> Ints:
    """The items in this order, except that those of a part that shares no options with the rest stand together."""
    label = components(problem)[order]
    _, first, which = np.unique(label, return_index=True, return_inverse=True)
    return order[np.argsort(first[which], kind="stable")]


def components(problem: CoverProblem) -> Longs:
    """For each item the least item that options join it with, shape (n_items,)."""
    label = np.arange(problem.n_items)
    starts = problem.option_starts[:-1][np.diff(problem.option_starts) > 0]
    sizes = np.diff(np.append(starts, len(problem.option_items)))
    while True:
        before = label
        if len(starts):
            least = np.minimum.reduceat(label[problem.option_items], starts)
            label = label.copy()
            np.minimum.at(label, problem.option_items, np.repeat(least, sizes))
            np.minimum.at(label, before, label)  # what an item has learnt, the item that it followed learns too
        label = label[label]
        if np.array_equal(label, before):
            return label
