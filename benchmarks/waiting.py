"""What users wait for beside the search: start, set-up, solutions on their way. Run it to measure your machine:

    python -m latcover.benchmarks.waiting
    python -m latcover.benchmarks.waiting --against /other/venv/bin/python    # beside another installation

Every figure is processor time in seconds, of all threads, the least of several runs; installations take turns.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from latcover.system.machine import processor_time_of_children

SETUP = """
import json, time
import latcover
from latcover.files.formats.library import load_all
from latcover.files.formats.source import names

found = {}
for name in names("instances"):
    for puzzle in load_all(name):
        times = []
        for _ in range(5):
            start = time.process_time()
            latcover.prepare(puzzle)
            times.append(time.process_time() - start)
        found[puzzle.name] = min(times)
print(json.dumps(found))
"""
DELIVERY = """
import json, sys, time
import numpy as np
import latcover
from latcover.backends import create
from latcover.core.model.puzzle import Part, Puzzle, as_cells, Region

square = latcover.load_lattice("square")
board = Region(as_cells([(0, x, y) for x in range(8) for y in range(8)], 2))
cells = as_cells([(0, 0, 0), (0, 0, 1)], 2)
domino = Part("domino", cells, np.zeros(2, np.int32), 0, None, square.allowed("rotations"))
prepared = latcover.prepare(Puzzle("dominoes", square, board, (domino,)), latcover.Choices(symmetry=sys.argv[1]))
backend, limits = create("bitset", threads=1), latcover.Limits(covers=int(sys.argv[2]))
start = time.process_time()
latcover.run(prepared, backend, limits, lambda solution: None, images=sys.argv[1] == "all")
print(json.dumps({"all": time.process_time() - start}))
"""


@dataclass(frozen=True, slots=True)
class Measure:
    """A thing to measure.

    Attributes:
        words: The arguments of Python.
        environment: Variables of the child process.
        prints: Whether it prints its own figures; else the whole process counts.
    """

    what: str
    words: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    prints: bool = False


def command(*words: str) -> list[str]:
    """The arguments of Python for a command of latcover."""
    return ["-P", "-m", "latcover", *words]


# As the installed command: `python -m latcover` would ask by a name of its own, which not every version knows.
INSTALLED = ["-P", "-c", "import sys; sys.argv[:] = ['latcover']; from latcover.__main__ import main; main()"]
TAB = {"_LATCOVER_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "latcover solve so"}
COVERS = "200000"
MEASURES = (
    Measure("`latcover --version`", command("--version")),
    Measure("the Tab key after `latcover solve so`", INSTALLED, TAB),
    Measure("`latcover count pent-8x8-minus-2x2`", command("count", "pent-8x8-minus-2x2")),
    Measure("`latcover count bedlam`, 19,186 solutions", command("count", "bedlam")),
    Measure("`latcover solve bedlam --json`", command("solve", "bedlam", "--json")),
    Measure("`latcover solve bedlam`, as pictures without colours", command("solve", "bedlam", "--no-color")),
    Measure("`latcover solve bedlam`, as pictures", command("solve", "bedlam", "--color")),
    Measure("200,000 covers in Python, one by one, verified", ["-P", "-c", DELIVERY, "none", COVERS], prints=True),
    Measure("25,000 covers with their images, about 200,000", ["-P", "-c", DELIVERY, "all", "25000"], prints=True),
)
EVERY_SETUP = Measure("set-up", ["-P", "-c", SETUP], prints=True)


def environment_of(python: str) -> dict[str, str]:
    """This environment; for another installation without the path that would lead it to this one."""
    return {name: value for name, value in os.environ.items() if python == sys.executable or name != "PYTHONPATH"}


def measured(measure: Measure, python: str) -> dict[str, float]:
    """The processor time of a measure, in seconds, by the names of its figures."""
    before = processor_time_of_children()
    environment = {**environment_of(python), **measure.environment}
    done = subprocess.run([python, *measure.words], env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        if python == sys.executable:
            raise SystemExit(done.stderr)
        return {}  # the other installation does not know it
    after = processor_time_of_children()
    if measure.prints:
        figures: dict[str, float] = json.loads(done.stdout)
        return figures
    return {"all": after - before}


def least(measure: Measure, pythons: Sequence[str], times: int) -> list[dict[str, float]]:
    """The least figures of each installation; they take turns."""
    found: list[dict[str, float]] = [{} for _ in pythons]
    for _ in range(times):
        for figures, python in zip(found, pythons, strict=True):
            for name, seconds in measured(measure, python).items():
                figures[name] = min(seconds, figures.get(name, seconds))
    return found


def lines(pythons: Sequence[str], times: int) -> Iterator[str]:
    """The tables, as Markdown."""
    heads = ["before", "now"] if len(pythons) == 2 else ["seconds"]
    yield f"| what | {' | '.join(heads)} |"
    yield f"| --- |{' --- |' * len(heads)}"
    for measure in MEASURES:
        figures = least(measure, pythons, times)
        row = " | ".join(f"{each['all']:.2f}" if each else "refused" for each in figures)
        yield f"| {measure.what} | {row} |"
    figures = least(EVERY_SETUP, pythons, 1)
    slowest = sorted(figures[-1], key=lambda name: -max(each[name] for each in figures))
    worst = " | ".join(f"{max(each.values()):.3f}" for each in figures)
    yield f"| set-up of the slowest shipped puzzle | {worst} |"
    yield ""
    yield f"| set-up of | {' | '.join(heads)} |"
    yield f"| --- |{' --- |' * len(heads)}"
    for name in slowest:
        row = " | ".join(f"{each[name]:.3f}" for each in figures)
        yield f"| {name} | {row} |"


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", metavar="PYTHON", help="the Python of another installation, shown as before")
    parser.add_argument("--times", type=int, default=3, help="runs of each measure")
    given = parser.parse_args()
    pythons = [*([given.against] if given.against else []), sys.executable]
    for line in lines(pythons, given.times):
        print(line, flush=True)


if __name__ == "__main__":
    main()
