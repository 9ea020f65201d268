"""The section of the suite that sets other programs beside ours: pip-installable solvers, CP-SAT, the direct method.

All get the same matrix and count every cover. Where symmetry left items that may stay uncovered, xcover is told so;
exact-cover knows none, and gets an option for each such item alone, which changes neither covers nor their number.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from latcover.benchmarks.suite_puzzles import prepared_of
from latcover.benchmarks.suite_registry import METHODS, PEERS, Case
from latcover.benchmarks.suite_table import PUZZLE, RATIO, SECONDS, WHY, Column, Table, words
from latcover.benchmarks.suite_timing import Measured, Plan, Run, Timer, require_covers, search_of, take_turns
from latcover.cover.problem import CoverProblem
from latcover.cover.search import refuse_colours
from latcover.errors import UnsupportedError
from latcover.system.extras import install_line

MODULES = {"exact-cover": "exact_cover", "xcover": "xcover"}


def peers(cases: Sequence[Case], plan: Plan, say: Callable[[str], None]) -> Table:
    """Ours and theirs on the same matrices."""
    missing = missing_peers()
    rows: list[dict[str, Any]] = []
    for case in cases:
        say(case.puzzle)
        problem = prepared_of(case.puzzle).problem
        runs = {name: run_of(problem, name) for name in case.methods if name not in missing}
        best = take_turns(case.puzzle, runs, plan)
        for name, measured in best.items():
            require_covers(case, measured.covers)
            figures = {"puzzle": case.puzzle, "method": name, "covers": measured.covers, "seconds": measured.seconds}
            rows.append(figures | {"ratio": measured.seconds / best["bitset"].seconds, "why": METHODS[name].why})
    columns = (PUZZLE, Column("method", "method", words), Column("covers", "covers"), SECONDS, RATIO, WHY)
    text = (
        "All covers counted, one thread, on the same matrix in the form that each program takes; the seconds are "
        "of the whole call, without imports (xcover compiles itself at its first one). `ratio` is to `bitset`."
    )
    remarks = [f"{name} is not installed, so its rows are left out: {install_line('peers')}." for name in missing]
    return Table("peers", text, columns, tuple(rows), tuple(remarks))


def missing_peers() -> tuple[str, ...]:
    """The peers that are not installed."""
    return tuple(name for name in PEERS if find_spec(MODULES[name]) is None)


def run_of(problem: CoverProblem, method: str) -> Run:
    """A count of all covers by a method or a peer; a peer's input is made beforehand.

    Raises:
        UnsupportedError: the problem has bounds or colours that the peer cannot express.
    """
    if method not in PEERS:
        search = search_of(problem, method, whole=True)
        return lambda: replace(search(), branches=None)  # the trees are others
    if (problem.high != 1).any() or (problem.low > 1).any():
        raise UnsupportedError(f"{method} takes exact covers only: every item must have the bounds [1, 1] or [0, 1]")
    refuse_colours(method, problem)
    count = _exact_cover(problem) if method == "exact-cover" else _xcover(problem)

    def run() -> Measured:
        timer = Timer()
        covers = count()
        return Measured(covers, None, timer.seconds())

    return run


def _exact_cover(problem: CoverProblem) -> Callable[[], int]:
    module: Any = import_module(MODULES["exact-cover"])
    matrix = _with_empty(problem)
    return lambda: int(module.get_solution_count(matrix))


def _with_empty(problem: CoverProblem) -> npt.NDArray[np.bool_]:
    """The matrix, and below it an option for each item that may stay uncovered."""
    matrix = np.zeros((problem.n_options, problem.n_items), np.bool_)
    owners = np.repeat(np.arange(problem.n_options), np.diff(problem.option_starts))
    matrix[owners, problem.option_items] = True
    optional = np.flatnonzero(problem.low == 0)
    alone = np.zeros((len(optional), problem.n_items), np.bool_)
    alone[np.arange(len(optional)), optional] = True
    return np.concatenate([matrix, alone])


def _xcover(problem: CoverProblem) -> Callable[[], int]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Numba's, of the types in xcover, when it is first compiled
        module: Any = import_module(MODULES["xcover"])
    options = [problem.items_of(option).tolist() for option in range(problem.n_options)]
    primary, secondary = (np.flatnonzero(problem.low == low).tolist() for low in (1, 0))
    return lambda: sum(1 for _ in module.covers(options, primary=primary, secondary=secondary))
