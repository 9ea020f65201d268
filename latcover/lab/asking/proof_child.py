"""The child's side of proofs.py: solves the clauses of a file, and writes its proof to standard output.

The exit code is that of every SAT solver. If the clauses can be satisfied, the last line on standard error lists the
variables that are true.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

SATISFIABLE, UNSATISFIABLE = 10, 20  # the exit codes of all SAT solvers


def main(path: Path) -> int:
    """Solve the clauses of *path*."""
    import pysolvers  # type: ignore[import-not-found,import-untyped,unused-ignore]
    from pysat.solvers import Cadical195  # type: ignore[import-untyped]

    with open(os.dup(sys.stdout.fileno()), "r+b", buffering=0) as out:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # other output must not mix with the proof
        solver = Cadical195()
        # python-sat by itself would keep the proof in a file and read all of it back. The proof is text, because
        # checkers guess whether a proof is binary, and may be wrong.
        solver.configure({"binary": 0})
        solver.prfile = out
        solver.prfp = pysolvers.cadical195_tracepr(solver.cadical, out)
        for clause in clauses(path):
            if not clause:  # CaDiCaL writes no proof if the empty clause is given; the proof is that clause
                out.write(b"0\n")
                return UNSATISFIABLE
            solver.add_clause(clause)
        satisfiable = solver.solve()
        if satisfiable:
            print(json.dumps([literal for literal in solver.get_model() if literal > 0]), file=sys.stderr, flush=True)
        else:
            pysolvers.flushpr(solver.prfp)
        solver.delete()
    return SATISFIABLE if satisfiable else UNSATISFIABLE


def clauses(path: Path) -> Iterator[list[int]]:
    """The clauses of a DIMACS file with one clause in each line, as our files have."""
    with path.open(encoding="ascii") as lines:
        for line in lines:
            if not line.startswith(("c", "p")):
                yield list(map(int, line.split()))[:-1]


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
