"""A cover problem as sums of variables with bounds: what pseudo-Boolean and integer solvers and MiniZinc take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from latcover.backends.rows import bounded_rows, colour_groups, forbidden_options
from latcover.cover.problem import Longs
from latcover.formats.cover_problems.exported import Exported


@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """At least ``low`` and at most ``high`` of these variables (not empty, ascending, int64) are true.

    Where that cannot be, ``low`` is more than there are variables.
    """

    variables: Longs
    low: int
    high: int


@dataclass(frozen=True, slots=True, eq=False)
class Constraints:
    """What has to hold.

    Attributes:
        n_variables: The highest number of a variable.
        never: Variables that are false, ascending: choices that symmetry leaves out, and options that hold an item that
            may not be held.
        sums: One for each item whose bounds say something.
        groups: Variables that are true exactly where one of others is: they stand for options of the same colour.
    """

    n_variables: int
    never: Longs
    sums: tuple[Sum, ...]
    groups: tuple[tuple[int, Longs], ...]


def constraints_of(exported: Exported) -> Constraints:
    """The constraints of a problem, in the numbers of its file."""
    problem = exported.problem
    groups = colour_groups(problem)
    first = exported.n_variables + 1
    numbers = np.append(exported.variables, np.arange(first, first + len(groups))).astype(np.int64)
    spare = first + len(groups)
    sums = [Sum(numbers[row.variables], row.low, row.high) for row in bounded_rows(problem)]
    hopeless = [k for k, row in enumerate(sums) if not len(row.variables)]
    for k in hopeless:  # no option holds the item: one more variable says that there is no cover
        sums[k] = Sum(np.array([spare]), 1 + sums[k].low, 1 + sums[k].low)
    never = np.union1d(exported.left_out(), numbers[forbidden_options(problem)])
    members = tuple((first + k, numbers[options]) for k, options in enumerate(groups))
    return Constraints(spare - (not hopeless), never, tuple(sums), members)
