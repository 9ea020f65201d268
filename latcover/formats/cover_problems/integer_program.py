"""Integer programs in CPLEX's LP format and in MPS, written by OR-Tools.

x1, x2, ... are numbered as in a DIMACS file, and comments say what they are; what symmetry leaves out has no variable.
OR-Tools holds the whole file in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np

from latcover.cover.problem import Longs
from latcover.errors import UnsupportedError
from latcover.formats.cover_problems.comments import about, commented, legend
from latcover.formats.cover_problems.constraints import Constraints, constraints_of
from latcover.formats.cover_problems.exported import Exported
from latcover.formats.cover_problems.forms import How

_MOST_ENTRIES = 100_000_000  # a message of OR-Tools holds 2 GiB
_PIECE = 1 << 20


def write_lp(exported: Exported, _how: How = How()) -> Iterator[bytes]:  # noqa: B008 - frozen
    """The problem in CPLEX's LP format.

    Raises:
        UnsupportedError: it is too large for OR-Tools, which writes it.
    """
    from ortools.linear_solver import pywraplp  # type: ignore[import-untyped]

    yield from commented(chain(about(exported), legend(exported, "x")), "\\")
    yield from _pieces(pywraplp.ExportModelAsLpFormat(_model(exported), pywraplp.ModelExportOptions()))


def write_mps(exported: Exported, _how: How = How()) -> Iterator[bytes]:  # noqa: B008 - frozen
    """The problem in free MPS.

    Raises:
        UnsupportedError: it is too large for OR-Tools, which writes it.
    """
    from ortools.linear_solver import pywraplp

    yield from commented(chain(about(exported), legend(exported, "x")), "*")
    yield from _pieces(pywraplp.ExportModelAsMpsFormat(_model(exported), pywraplp.ModelExportOptions()))


def _pieces(text: str) -> Iterator[bytes]:
    for start in range(0, len(text), _PIECE):
        yield text[start : start + _PIECE].encode()


def _model(exported: Exported) -> Any:
    """The problem as OR-Tools' own message, which is filled in bulk."""
    from ortools.linear_solver import linear_solver_pb2

    constraints = constraints_of(exported)
    entries = sum(len(row.variables) for row in constraints.sums)
    if entries > _MOST_ENTRIES:
        raise UnsupportedError(
            f"the problem has {entries:,} entries, more than the {_MOST_ENTRIES:,} that OR-Tools can write as an "
            "integer program; the forms dimacs, opb and npz have no such bound"
        )
    model = linear_solver_pb2.MPModelProto(name="latcover")
    kept = np.setdiff1d(np.arange(1, constraints.n_variables + 1), constraints.never)
    for number in kept.tolist():
        model.variable.add(lower_bound=0, upper_bound=1, is_integer=True, name=f"x{number}")
    for row in constraints.sums:
        upper = max(row.low, row.high) if row.high < len(row.variables) else np.inf
        line = model.constraint.add(lower_bound=row.low or -np.inf, upper_bound=upper)
        line.var_index.extend(np.searchsorted(kept, row.variables).tolist())
        line.coefficient.extend([1.0] * len(row.variables))
    _add_groups(model, constraints, kept)
    _use_all(model)
    return model


def _use_all(model: Any) -> None:
    """Make a file that every program reads: there is an objective, a constraint, and no variable that none of them has.

    So the least of nothing is sought, and a constraint that always holds has what the others do not have.
    """
    used = np.zeros(len(model.variable) + 1, np.bool_)
    for line in model.constraint:
        used[list(line.var_index)] = True
    unused = np.flatnonzero(~used).tolist()
    model.variable.add(lower_bound=0, upper_bound=0, objective_coefficient=1, name="nothing")
    line = model.constraint.add(upper_bound=len(unused))
    line.var_index.extend(unused)
    line.coefficient.extend([1.0] * len(unused))


def _add_groups(model: Any, constraints: Constraints, kept: Longs) -> None:
    """A variable is 1 exactly where one of its members is: at most their sum, and at least each of them."""
    for group, members in constraints.groups:
        index, own = np.searchsorted(kept, members).tolist(), int(np.searchsorted(kept, group))
        line = model.constraint.add(lower_bound=0)
        line.var_index.extend([*index, own])
        line.coefficient.extend([1.0] * len(index) + [-1.0])
        for member in index:
            line = model.constraint.add(lower_bound=0)
            line.var_index.extend([own, member])
            line.coefficient.extend([1.0, -1.0])
