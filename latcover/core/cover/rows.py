"""A cover problem as rows, one for each item that is a constraint: the form for constraint and SAT solvers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from latcover.core.cover.problem import CoverProblem, Ints
from latcover.system.sorted_sets import distinct


class Row(Struct, frozen=True, eq=False):
    """At least ``low`` and at most ``high`` of these variables (ascending, int32) must be true.

    A variable below the number of options is an option; a higher variable is a group of `colour_groups`. ``high`` is
    never more than the number of variables. If ``low`` is more, there is no cover.
    """

    variables: Ints
    low: int
    high: int


class _Holdings(Struct, frozen=True, eq=False):
    """Which variable holds which item, in parallel arrays; and the options of each group."""

    variables: Ints
    items: Ints
    groups: tuple[Ints, ...] = ()


def forbidden_options(problem: CoverProblem) -> Ints:
    """The options that hold an item whose high bound is 0, ascending. No cover has them."""
    return distinct(_owners(problem)[problem.high[problem.option_items] == 0])


def colour_groups(problem: CoverProblem) -> tuple[Ints, ...]:
    """Groups of two or more options that hold an item in the same colour, if other options hold it otherwise.

    The options of a group ascend, int32. Group k is the variable ``n_options + k`` of `bounded_rows`. This variable
    must be true if and only if an option of the group is chosen. So the options fix it, and no cover is found twice.
    """
    return _holdings(problem).groups


def bounded_rows(problem: CoverProblem) -> Iterator[Row]:
    """A row for every item whose bounds restrict its variables. Forbidden options are left out."""
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
    """Replace several options that hold an item in the same colour by one variable.

    An item that is held in one colour only, and never without a colour, excludes nothing; it is left out.
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
    pairs = distinct(items[excluding].astype(np.int64) << 32 | variables[excluding])  # a group holds an item once
    return _Holdings((pairs & 0xFFFFFFFF).astype(np.int32), (pairs >> 32).astype(np.int32), tuple(groups))


def _owners(problem: CoverProblem) -> Ints:
    """The option of each entry of ``option_items``."""
    return np.repeat(np.arange(problem.n_options, dtype=np.int32), np.diff(problem.option_starts))
