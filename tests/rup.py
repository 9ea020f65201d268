"""A checker of proofs that shares nothing with the solver that wrote them: each lemma by unit propagation alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pysat.solvers import Solver  # type: ignore[import-untyped]

CHECKER = "minisat22"


def clauses(path: Path) -> Iterator[list[int]]:
    """The clauses of a DIMACS file, one a line."""
    for line in path.read_text("ascii").splitlines():
        if line[:1] not in ("c", "p"):
            yield [int(word) for word in line.split()][:-1]


def lemmas(path: Path) -> Iterator[list[int]]:
    """The clauses that a proof in DRAT form adds. Those that it drops may be kept: with more clauses more follows."""
    for line in path.read_text("ascii").splitlines():
        if not line.startswith("d "):
            words = line.split()
            assert words[-1] == "0", line
            yield [int(word) for word in words[:-1]]


def refutes(cnf: Path, proof: Path) -> bool:
    """Whether each lemma's negation leads to a conflict by unit propagation, the empty lemma's at last."""
    with Solver(name=CHECKER) as solver:
        empty = False
        for clause in clauses(cnf):
            solver.add_clause(clause)
            empty |= not clause
        for lemma in lemmas(proof):
            consistent, _ = solver.propagate(assumptions=[-literal for literal in lemma])
            if consistent and not empty:
                return False
            solver.add_clause(lemma)
            if not lemma:
                return True
    return False
