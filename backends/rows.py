"""A cover problem item by item, without what cannot matter: the form that constraint and SAT solvers take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from latcover.cover.problem import CoverProblem, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """Of these variables (ascending, int32) at least ``low`` and at most ``high`` are to be true.

    A variable below the number of options is an option; one from there on is a group of `colour_groups`. ``high`` is
    never more than there are variables; ``low`` may be, and then there is no cover.
    """

    variables: Ints
    low: int
    high: int


@dataclass(frozen=True, slots=True, eq=False)
class _Holdings:
    """Which variable holds which item, parallel arrays; and the options of each group of them."""

    variables: Ints
    items: Ints
    groups: tuple[Ints, ...] = ()


def forbidden_options(problem: CoverProblem) -> Ints:
    """The options that no cover has, ascending: they hold an item whose high bound is 0."""
    return np.unique(_owners(problem)[problem.high[problem.option_items] == 0])


def colour_groups(problem: CoverProblem) -> tuple[Ints, ...]:
    """Options that hold an item in the same colour (several, ascending, int32), where others hold it otherwise.

    Group k is the variable ``n_options + k`` of `bounded_rows`. It is to be true exactly where an option of the group
    is chosen, so that the options fix it, and no cover is met once for each of its values.
    """
    return _holdings(problem).groups


def bounded_rows(problem: CoverProblem) -> Iterator[Row]:
    """Every item whose bounds say something, with its variables; options that are forbidden are left out."""
    held = _holdings(problem)
    by_item = held.variables[np.argsort(held.items, kind="stable")]
    ends = np.cumsum(np.bincount(held.items, minlength=problem.n_items)).tolist()
    start = 0
    for end, low, high in zip(ends, problem.low.tolist(), problem.high.tolist(), strict=True):
        row = Row(by_item[start:end], low, min(high, end - start))
        start = end
        if low > 0 or row.high < len(row.variables):
            yield row


def _holdings(problem: CoverProblem) -> _Holdings:
    allowed = np.ones(problem.n_options, dtype=bool)
    allowed[forbidden_options(problem)] = False
    owners = _owners(problem)
    kept = allowed[owners]
    owners, items = owners[kept], problem.option_items[kept]
    if not problem.has_colours:
        return _Holdings(owners, items)
    return _grouped(problem, owners, items, problem.option_colours[kept])


def _grouped(problem: CoverProblem, owners: Ints, items: Ints, colours: Ints) -> _Holdings:
    """A variable in place of several options that hold an item in the same colour.

    An item that is held in a single colour, and never without, excludes nothing; it is left out.
    """
    coloured = np.flatnonzero(colours)
    keys, which, sizes = np.unique(
        items[coloured].astype(np.int64) << 32 | colours[coloured], return_inverse=True, return_counts=True
    )
    which = which.reshape(-1)
    item_of_key = keys >> 32
    rivals = np.bincount(items[colours == 0], minlength=problem.n_items)
    rivals += np.bincount(item_of_key, minlength=problem.n_items)
    is_group = (sizes > 1) & (rivals[item_of_key] > 1)
    number = problem.n_options + np.cumsum(is_group) - 1

    members = is_group[which]
    variables = owners.astype(np.int64)
    variables[coloured[members]] = number[which[members]]
    order = np.argsort(which[members], kind="stable")
    groups = np.split(owners[coloured[members]][order], np.cumsum(sizes[is_group])[:-1]) if members.any() else []

    excluding = np.ones(len(items), dtype=bool)
    excluding[coloured] = rivals[items[coloured]] > 1
    pairs = np.unique(items[excluding].astype(np.int64) << 32 | variables[excluding])  # a group holds an item once
    return _Holdings((pairs & 0xFFFFFFFF).astype(np.int32), (pairs >> 32).astype(np.int32), tuple(groups))


def _owners(problem: CoverProblem) -> Ints:
    """The option of each entry of ``option_items``."""
    return np.repeat(np.arange(problem.n_options, dtype=np.int32), np.diff(problem.option_starts))
