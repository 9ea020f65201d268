"""A cover problem as sums of variables with bounds: files for pseudo-Boolean and integer solvers, and for MiniZinc.

x1, x2, ... are numbered as in a DIMACS file, and comments describe them. LP and MPS files have no variables for what
symmetry leaves out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from itertools import accumulate, chain, islice
from typing import Any

import numpy as np
from msgspec import Struct

from latcover.core.cover.problem import Longs
from latcover.core.cover.rows import bounded_rows, colour_groups, forbidden_options
from latcover.errors import UnsupportedError
from latcover.files.formats.cover_problems.exported import Exported, about, commented, legend
from latcover.files.formats.cover_problems.problem_record import record

_MOST_ENTRIES = 100_000_000  # a message of OR-Tools holds 2 GiB
_PIECE = 1 << 20
_NUMBERS = 20  # in a line of MiniZinc
_LINES = 1000  # written at once


class BoundedSum(Struct, frozen=True, eq=False):
    """At least ``low`` and at most ``high`` of these variables (not empty, ascending, int64) are true.

    If this is impossible, ``low`` is greater than the number of variables.
    """

    variables: Longs
    low: int
    high: int


class Constraints(Struct, frozen=True, eq=False):
    """The constraints of a problem.

    Attributes:
        n_variables: The highest number of a variable.
        never: Variables that are false, ascending: choices that symmetry leaves out, and options that hold an item that
            may not be held.
        sums: One for each item whose bounds exclude something.
        groups: Variables that are true exactly if one of their members is: options that give an item the same colour.
    """

    n_variables: int
    never: Longs
    sums: tuple[BoundedSum, ...]
    groups: tuple[tuple[int, Longs], ...]


def constraints_of(exported: Exported) -> Constraints:
    """The constraints of a problem, in the numbers of its file."""
    problem = exported.problem
    groups = colour_groups(problem)
    first = exported.n_variables + 1
    numbers = np.append(exported.variables, np.arange(first, first + len(groups))).astype(np.int64)
    spare = first + len(groups)
    sums = [BoundedSum(numbers[row.variables], row.low, row.high) for row in bounded_rows(problem)]
    hopeless = [k for k, row in enumerate(sums) if not len(row.variables)]
    for k in hopeless:  # no option holds the item: one more variable makes the problem infeasible
        sums[k] = BoundedSum(np.array([spare]), 1 + sums[k].low, 1 + sums[k].low)
    never = np.union1d(exported.left_out(), numbers[forbidden_options(problem)])
    members = tuple((first + k, numbers[options]) for k, options in enumerate(groups))
    return Constraints(spare - (not hopeless), never, tuple(sums), members)


def write_opb(exported: Exported) -> Iterator[bytes]:
    """The problem as pseudo-Boolean constraints, some at a time.

    Linear constraints with ``>=`` and ``=`` alone, as in the pseudo-Boolean competitions. Comments say what the
    variables are: ``* x17 = F 0,0 0,1 1,1``.

    Source: O. Roussel and V. Manquinho, Input/Output Format and Solver Requirements for the Competitions of
    Pseudo-Boolean Solvers (2012).
    """
    constraints = constraints_of(exported)
    n = len(constraints.never) + sum(1 + len(members) for _, members in constraints.groups)
    n += sum(1 + (0 < row.low < row.high < len(row.variables)) for row in constraints.sums)
    yield f"* #variable= {constraints.n_variables} #constraint= {n}\n".encode()
    yield from commented(about(exported), "*")
    yield from commented(legend(exported, "x"), "*")
    for variable in constraints.never.tolist():
        yield f"+1 x{variable} = 0 ;\n".encode()
    yield from _opb_groups(constraints)
    for row in constraints.sums:
        yield _opb_sum(row).encode()


def _opb_sum(row: BoundedSum) -> str:
    if row.low == row.high or row.low > len(row.variables):
        return f"{_opb_terms('+1', row.variables)} = {row.low} ;\n"
    lines = []
    if row.low > 0:
        lines.append(f"{_opb_terms('+1', row.variables)} >= {row.low} ;\n")
    if row.high < len(row.variables):
        lines.append(f"{_opb_terms('-1', row.variables)} >= {-row.high} ;\n")
    return "".join(lines)


def _opb_groups(constraints: Constraints) -> Iterator[bytes]:
    for group, members in constraints.groups:
        yield f"{_opb_terms('+1', members)} -1 x{group} >= 0 ;\n".encode()
        yield "".join(f"+1 x{group} -1 x{member} >= 0 ;\n" for member in members.tolist()).encode()


def _opb_terms(sign: str, variables: Longs) -> str:
    return f"{sign} x" + f" {sign} x".join(map(str, variables.tolist()))


# ---- integer programs


def write_lp(exported: Exported) -> Iterator[bytes]:
    """The problem in CPLEX's LP format, written by OR-Tools, which holds the whole file in memory.

    Raises:
        UnsupportedError: it is too large for OR-Tools, which writes it.
    """
    yield from _by_ortools(exported, "ExportModelAsLpFormat", "\\")


def write_mps(exported: Exported) -> Iterator[bytes]:
    """The problem in free MPS, written like LP.

    Raises:
        UnsupportedError: it is too large for OR-Tools, which writes it.
    """
    yield from _by_ortools(exported, "ExportModelAsMpsFormat", "*")


def _by_ortools(exported: Exported, function: str, mark: str) -> Iterator[bytes]:
    from ortools.linear_solver import pywraplp  # type: ignore[import-untyped]

    yield from commented(chain(about(exported), legend(exported, "x")), mark)
    text = getattr(pywraplp, function)(_model(exported), pywraplp.ModelExportOptions())
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
        members = np.searchsorted(kept, row.variables).tolist()
        _add(model, members, lower_bound=row.low or -np.inf, upper_bound=upper)
    for group, options in constraints.groups:  # 1 exactly if a member is: at most their sum, and at least each of them
        index, own = np.searchsorted(kept, options).tolist(), int(np.searchsorted(kept, group))
        _add(model, [*index, own], [1.0] * len(index) + [-1.0], lower_bound=0)
        for member in index:
            _add(model, [own, member], [1.0, -1.0], lower_bound=0)
    _use_all(model)
    return model


def _add(model: Any, variables: list[int], factors: Sequence[float] = (), **bounds: float) -> None:
    """Add a bounded sum of variables, each with a factor, or all with 1."""
    line = model.constraint.add(**bounds)
    line.var_index.extend(variables)
    line.coefficient.extend(factors or [1.0] * len(variables))


def _use_all(model: Any) -> None:
    """Make a file that every program reads, which needs an objective, a constraint, and each variable in one of them.

    The objective is 0. A constraint that always holds has the variables that no other constraint has.
    """
    used = np.zeros(len(model.variable) + 1, np.bool_)
    for line in model.constraint:
        used[list(line.var_index)] = True
    unused = np.flatnonzero(~used).tolist()
    model.variable.add(lower_bound=0, upper_bound=0, objective_coefficient=1, name="nothing")
    _add(model, unused, upper_bound=len(unused))


# ---- MiniZinc


def write_minizinc(exported: Exported) -> Iterator[bytes]:
    """A MiniZinc model with its data in one file, some lines at a time.

    It prints a line of literals for each solution, ``v 1 5 9 0``, so ``latcover decode`` can read the output of
    ``minizinc -a``.
    """
    yield from commented(chain(about(exported), legend(exported), record(exported)), "%")
    yield from model_of(exported)


def model_of(exported: Exported) -> Iterator[bytes]:
    """The model without comments of this problem, some lines at a time."""
    constraints = constraints_of(exported)
    sums, groups = constraints.sums, constraints.groups
    yield f"int: n_choices = {exported.n_members};\nint: n_variables = {constraints.n_variables};\n".encode()
    yield from _array("low", (row.low for row in sums))
    yield from _array("high", (max(row.low, row.high) for row in sums))
    yield from _array("start", accumulate((len(row.variables) for row in sums), initial=1))
    yield from _array("member", chain.from_iterable(row.variables.tolist() for row in sums))
    yield from _array("never", constraints.never.tolist())
    yield from _array("group", (group for group, _ in groups))
    yield from _array("group_start", accumulate((len(members) for _, members in groups), initial=1))
    yield from _array("group_member", chain.from_iterable(members.tolist() for _, members in groups))
    yield files(__package__).joinpath("model.mzn").read_bytes()


def _array(name: str, numbers: Iterable[int]) -> Iterator[bytes]:
    yield f"array[int] of int: {name} = [".encode()
    words = map(str, numbers)
    while block := list(islice(words, _NUMBERS * _LINES)):
        lines = (",".join(block[k : k + _NUMBERS]) for k in range(0, len(block), _NUMBERS))
        yield ("\n  " + ",\n  ".join(lines) + ",").encode()
    yield b"];\n"
