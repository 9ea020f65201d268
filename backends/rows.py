"""A cover problem item by item, without what cannot matter: the form that constraint and SAT solvers take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from latcover.problem import CoverProblem, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """Of these options (ascending, int32) at least ``low`` and at most ``high`` are to be chosen.

    ``high`` is never more than there are options; ``low`` may be, and then there is no cover.
    """

    options: Ints
    low: int
    high: int

    @property
    def is_hopeless(self) -> bool:
        """Whether there are too few options."""
        return self.low > len(self.options)


def forbidden_options(problem: CoverProblem) -> Ints:
    """The options that no cover has, ascending: they hold an item whose high bound is 0."""
    return np.unique(_owners(problem)[problem.high[problem.option_items] == 0])


def bounded_rows(problem: CoverProblem) -> Iterator[Row]:
    """Every item whose bounds say something, with its options; those that are forbidden are left out."""
    allowed = np.ones(problem.n_options, dtype=bool)
    allowed[forbidden_options(problem)] = False
    owners = _owners(problem)
    kept = allowed[owners]
    owners, items = owners[kept], problem.option_items[kept]
    by_item = owners[np.argsort(items, kind="stable")]
    ends = np.cumsum(np.bincount(items, minlength=problem.n_items)).tolist()
    start = 0
    for end, low, high in zip(ends, problem.low.tolist(), problem.high.tolist(), strict=True):
        row = Row(by_item[start:end], low, min(high, end - start))
        start = end
        if low > 0 or row.high < len(row.options):
            yield row


def _owners(problem: CoverProblem) -> Ints:
    """The option of each entry of ``option_items``."""
    return np.repeat(np.arange(problem.n_options, dtype=np.int32), np.diff(problem.option_starts))
