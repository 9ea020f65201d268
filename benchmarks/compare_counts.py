"""`count` by two versions of latcover, or by all methods, on generated problems and files, in turn.

    python -m latcover.benchmarks.compare_counts                       # auto beside the methods by name
    python -m latcover.benchmarks.compare_counts --before FOLDER       # and beside the latcover that is in this folder
    python -m latcover.benchmarks.compare_counts --exact-cover FOLDER  # and all problems (*.dlx) of this folder

FOLDER holds another version of the package, as `pip install --target FOLDER` puts it there. Every count runs on one
thread of a process of its own. The table shows the least processor time of several runs in milliseconds, without
imports, and the count, on which all must agree. Below it stand the ratios of `auto` to the others.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from latcover.benchmarks.generated import (
    Options,
    boards,
    dominoes,
    ells,
    langford,
    latin,
    network,
    pairings,
    partitions,
    queens,
    random_cover,
    rectangles,
    text_of,
)

# Run by each version, so it uses only what both have.
COUNT = """
import json, os, sys, time
if "PYTHONPATH" in os.environ:  # it goes before an editable installation, which has a finder of its own
    sys.meta_path[:] = [each for each in sys.meta_path if "editable" not in type(each).__module__]
from latcover.backends import create
from latcover.core.cover.search import Limits
from latcover.files.formats.library import load_problems
from latcover.core.solving.count import count_prepared
file, method, seconds, times = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
(problem,) = load_problems(file).values()
backend = create("bitset", threads=1) if method == "enumeration" else None
taken = []
while len(taken) < times and sum(taken) < 1:
    start = time.process_time()
    found = count_prepared(problem, backend, Limits(seconds=seconds), method=method)
    taken.append(time.process_time() - start)
    if not found.complete:
        sys.exit()
print(json.dumps([min(taken), str(found.total)]))
"""
PROBLEMS: dict[str, Options] = {
    "bell-10": partitions(10),
    "doublefact-17": pairings(18),
    "latin-5-of-5": latin(5, 5),
    "latin-6-of-4": latin(6, 4),
    "latin-8-of-3": latin(8, 3),
    "network-4x4": network(4, 4, 6),
    "network-5x5": network(5, 5, 5),
    "network-6x6": network(6, 6, 4),
    "boards-12": boards(12),
    "ells-9x10": ells(9, 10),
    "langford-11": langford(11),
    "queens-11": queens(11),
    "random-30": random_cover(30, 0.05),
    "rectangles-6": rectangles(6),
    "dominoes-12x12": dominoes(12, 12),
    "dominoes-16x16": dominoes(16, 16),
    "dominoes-30x30": dominoes(30, 30),
    "dominoes-100x100": dominoes(100, 100),
}


@dataclass(frozen=True, slots=True)
class Way:
    """A way to count: the folder of the package, or "" for this one; and the method."""

    name: str
    folder: str
    method: str


METHODS = ("frontier", "enumeration", "components")


def main() -> None:
    """Print the table and the ratios, as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", default="", metavar="FOLDER", help="another version of the package")
    parser.add_argument(
        "--exact-cover", type=Path, metavar="FOLDER", help="count the problems (*.dlx) of this folder too"
    )
    parser.add_argument("--times", type=int, default=3, help="runs of each count")
    parser.add_argument("--seconds", type=float, default=20.0, help="the limit of each count")
    parser.add_argument("--only", default="", help="only the problems whose names hold this word")
    given = parser.parse_args()
    ways = [Way("auto", "", "auto"), *(Way(method, "", method) for method in METHODS)]
    if given.before:
        ways.insert(0, Way("auto before", given.before, "auto"))
    names = " | ".join(way.name for way in ways)
    print(f"| problem | covers | {names} |\n| --- | --: | {'--: | ' * len(ways)}".rstrip())
    rows: dict[str, dict[str, float]] = {}
    with TemporaryDirectory() as folder:
        for name, options in PROBLEMS.items():
            (Path(folder) / f"{name}.dlx").write_text(text_of(options), encoding="utf-8")
        files = [Path(folder) / f"{name}.dlx" for name in PROBLEMS]
        files += sorted(given.exact_cover.glob("*.dlx")) if given.exact_cover else []
        for file in files:
            if given.only in file.stem:
                rows[file.stem], covers = counted_in_turn(file, ways, given.times, given.seconds)
                print(row(file.stem, covers, [rows[file.stem].get(way.name) for way in ways]), flush=True)
    print(f"\n{ratios('the best method by name', rows, METHODS)}")
    if given.before:
        print(ratios("auto before", rows, ("auto before",)))


def counted_in_turn(file: Path, ways: Sequence[Way], times: int, seconds: float) -> tuple[dict[str, float], str]:
    """The processor time of each way that ends, and the covers."""
    taken: dict[str, float] = {}
    counts: set[str] = set()
    for way in ways:
        command = [sys.executable, "-P", "-c", COUNT, str(file), way.method, str(seconds), str(times)]
        environment = os.environ | ({"PYTHONPATH": way.folder} if way.folder else {})
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if way.method == "auto" and done.returncode:
            raise SystemExit(f"{file.stem}, {way.name}: {done.stderr}")
        if done.stdout:
            taken[way.name], covers = json.loads(done.stdout)
            counts.add(covers)
    if len(counts) > 1:
        raise SystemExit(f"{file.stem}: the counts differ: {sorted(counts)}")
    return taken, next(iter(counts), "")


def row(name: str, covers: str, taken: Sequence[float | None]) -> str:
    """A row of the table."""
    short = f"{len(covers)} digits" if len(covers) > 20 else f"{int(covers):,}" if covers else ""
    return f"| {name} | {short} | {' | '.join('' if each is None else f'{1000 * each:.2f}' for each in taken)} |"


def ratios(name: str, rows: Mapping[str, Mapping[str, float]], others: Sequence[str]) -> str:
    """How `auto` compares with the fastest of the others, where both end."""
    both = {
        problem: taken["auto"] / min(taken[other] for other in others if other in taken)
        for problem, taken in rows.items()
        if "auto" in taken and not taken.keys().isdisjoint(others)
    }
    mean = math.exp(sum(map(math.log, both.values())) / len(both))
    worst = max(both, key=lambda problem: both[problem])
    above = sum(ratio > 2 for ratio in both.values())
    return (
        f"auto / {name}: mean {mean:.2f} (geometric), worst {both[worst]:.1f} ({worst}), {above} of {len(both)} above 2"
    )


if __name__ == "__main__":
    main()
