"""What our adapters cost: the backends cpsat and sat against bare loops over the same solvers.

    python benchmarks/adapters.py [--times N] [--puzzle NAME] [--solver NAME]

Each bare loop is the shortest program that finds all covers: CP-SAT with one constraint an item and the plainest
callback; the SAT solver with pairwise clauses, asked again with each cover forbidden. The two of a pair take turns, the
least time of each counts, and what matters is the ratio.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any

from ortools.sat.python import cp_model
from pysat.solvers import Solver  # type: ignore[import-untyped]

from latcover.backends import create
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.search import Batch
from latcover.core.encoding.prepared import prepare
from latcover.files.formats.library import load


def options_by_item(problem: CoverProblem) -> list[list[int]]:
    """The options that hold each item."""
    holders: list[list[int]] = [[] for _ in range(problem.n_items)]
    for option in range(problem.n_options):
        for item in problem.items_of(option).tolist():
            holders[item].append(option)
    return holders


def bare_cpsat(problem: CoverProblem) -> int:
    """The covers that CP-SAT finds."""
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in range(problem.n_options)]
    for low, holders in zip(problem.low.tolist(), options_by_item(problem), strict=True):
        add = model.add_exactly_one if low else model.add_at_most_one
        add(chosen[option] for option in holders)

    class Keep(cp_model.CpSolverSolutionCallback):
        def __init__(self) -> None:
            super().__init__()
            self.found: list[list[int]] = []

        def on_solution_callback(self) -> None:
            self.found.append([option for option, variable in enumerate(chosen) if self.value(variable)])

    solver, keep = cp_model.CpSolver(), Keep()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.solve(model, keep)
    return len(keep.found)


def bare_sat(problem: CoverProblem, solver: str) -> int:
    """The covers that a SAT solver finds."""
    found: list[list[int]] = []
    with Solver(solver) as sat:
        for low, holders in zip(problem.low.tolist(), options_by_item(problem), strict=True):
            if low:
                sat.add_clause([option + 1 for option in holders])
            for one, other in combinations(holders, 2):
                sat.add_clause([-one - 1, -other - 1])
        while sat.solve():
            model: list[Any] = sat.get_model()
            found.append([literal for literal in model if literal > 0])
            sat.add_clause([-literal for literal in found[-1]])
    return len(found)


def ours(problem: CoverProblem, name: str, **options: object) -> int:
    """The covers that a backend finds."""
    covers = 0

    def count(batch: Batch) -> bool:
        nonlocal covers
        covers += len(batch)
        return True

    create(name, **options).search(problem, count)
    return covers


def least(pair: tuple[Callable[[], int], ...], times: int) -> list[float]:
    """The least seconds of each, taking turns."""
    seconds = [float("inf")] * len(pair)
    for _ in range(times):
        covers = set()
        for k, run in enumerate(pair):
            start = time.perf_counter()
            covers.add(run())
            seconds[k] = min(seconds[k], time.perf_counter() - start)
        assert len(covers) == 1, f"the numbers of covers differ: {covers}"
    return seconds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--puzzle", default="pent-8x8-minus-2x2")
    parser.add_argument("--solver", action="append", help="SAT solvers, instead of the default and one in a process")
    given = parser.parse_args()
    problem = prepare(load(given.puzzle)).problem
    assert (problem.high == 1).all(), "the bare loops know the bounds [1, 1] and [0, 1] alone"
    assert not problem.has_colours, "the bare loops know no colours"

    pairs = {"cpsat": (partial(bare_cpsat, problem), partial(ours, problem, "cpsat"))}
    for solver in given.solver or (create("sat").solver, "cadical153"):  # type: ignore[attr-defined]
        pairs[f"sat, {solver}"] = (
            partial(bare_sat, problem, solver),
            partial(ours, problem, "sat", solver=solver, encoding="pairwise"),
        )
    print(f"{given.puzzle}\n\n| solver | bare, s | ours, s | ratio |\n|---|--:|--:|--:|")
    for name, pair in pairs.items():
        bare, adapted = least(pair, given.times)
        print(f"| {name} | {bare:.2f} | {adapted:.2f} | {adapted / bare:.2f} |", flush=True)


if __name__ == "__main__":
    main()
