"""Pseudo-Boolean constraints (OPB), for pseudo-Boolean solvers.

Linear constraints with ``>=`` and ``=`` alone, as in the pseudo-Boolean competitions; x1, x2, ... are numbered as in a
DIMACS file. Comments say what they are: ``* x17 = F 0,0 0,1 1,1``.

Source: O. Roussel and V. Manquinho, Input/Output Format and Solver Requirements for the Competitions of Pseudo-Boolean
Solvers (2012).
"""

from __future__ import annotations

from collections.abc import Iterator

from latcover.cover.problem import Longs
from latcover.formats.cover_problems.comments import about, commented, legend
from latcover.formats.cover_problems.constraints import Constraints, Sum, constraints_of
from latcover.formats.cover_problems.exported import Exported
from latcover.formats.cover_problems.forms import How


def write(exported: Exported, _how: How = How()) -> Iterator[bytes]:  # noqa: B008 - frozen
    """The problem as constraints, some at a time."""
    constraints = constraints_of(exported)
    n = len(constraints.never) + sum(1 + len(members) for _, members in constraints.groups)
    n += sum(1 + (0 < row.low < row.high < len(row.variables)) for row in constraints.sums)
    yield f"* #variable= {constraints.n_variables} #constraint= {n}\n".encode()
    yield from commented(about(exported), "*")
    yield from commented(legend(exported, "x"), "*")
    for variable in constraints.never.tolist():
        yield f"+1 x{variable} = 0 ;\n".encode()
    yield from _groups(constraints)
    for row in constraints.sums:
        yield _sum(row).encode()


def _sum(row: Sum) -> str:
    if row.low == row.high or row.low > len(row.variables):
        return f"{_terms('+1', row.variables)} = {row.low} ;\n"
    lines = []
    if row.low > 0:
        lines.append(f"{_terms('+1', row.variables)} >= {row.low} ;\n")
    if row.high < len(row.variables):
        lines.append(f"{_terms('-1', row.variables)} >= {-row.high} ;\n")
    return "".join(lines)


def _groups(constraints: Constraints) -> Iterator[bytes]:
    for group, members in constraints.groups:
        yield f"{_terms('+1', members)} -1 x{group} >= 0 ;\n".encode()
        yield "".join(f"+1 x{group} -1 x{member} >= 0 ;\n" for member in members.tolist()).encode()


def _terms(sign: str, variables: Longs) -> str:
    return f"{sign} x" + f" {sign} x".join(map(str, variables.tolist()))
