"""`count` by two versions of latcover, or by two methods, on generated problems, in turn.

    python -m latcover.benchmarks.compare_counts                       # auto beside the frontier alone
    python -m latcover.benchmarks.compare_counts --before FOLDER       # and beside the latcover that is in this folder

FOLDER holds another version of the package, as `pip install --target FOLDER` puts it there. Every count runs in a
process of its own. The table shows the least processor time of several runs, imports included, and the count, on which
all must agree.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from latcover.benchmarks.generated import (
    Options,
    boards,
    dominoes,
    latin,
    network,
    pairings,
    partitions,
    text_of,
)
from latcover.system.machine import processor_time_of_children

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


def main() -> None:
    """Print the table, as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", default="", metavar="FOLDER", help="another version of the package")
    parser.add_argument("--times", type=int, default=3, help="runs of each count")
    parser.add_argument("--seconds", type=float, default=20.0, help="the limit of each count")
    parser.add_argument("--only", default="", help="only the problems whose names hold this word")
    given = parser.parse_args()
    ways = [Way("auto", "", "auto"), Way("frontier", "", "frontier")]
    if given.before:
        ways.insert(0, Way("auto before", given.before, "auto"))
    names = " | ".join(way.name for way in ways)
    print(f"| problem | covers | {names} | auto / frontier |\n| --- | --: | {'--: | ' * len(ways)}--: |")
    with TemporaryDirectory() as folder:
        for name, options in PROBLEMS.items():
            if given.only in name:
                file = Path(folder) / f"{name}.dlx"
                file.write_text(text_of(options), encoding="utf-8")
                print(row(name, file, ways, given.times, given.seconds), flush=True)


def row(name: str, file: Path, ways: Sequence[Way], times: int, seconds: float) -> str:
    """Count in all ways in turn; a row of the table."""
    best: dict[str, float] = {}
    counts: set[int] = set()
    for turn in range(times):
        for way in ways:
            if turn and way.name not in best:
                continue
            taken, covers = measured(way, file, seconds)
            if covers is not None:
                counts.add(covers)
                best[way.name] = min(taken, best.get(way.name, taken))
    if len(counts) > 1:
        raise SystemExit(f"{name}: the counts differ: {sorted(counts)}")
    shown = [f"{best[way.name]:.2f}" if way.name in best else f"not in {seconds:g} s" for way in ways]
    ratio = f"{best['auto'] / best['frontier']:.2f}" if {"auto", "frontier"} <= best.keys() else ""
    number = str(next(iter(counts), ""))
    short = f"{len(number)} digits" if len(number) > 20 else f"{int(number):,}" if number else ""
    return f"| {name} | {short} | {' | '.join(shown)} | {ratio} |"


def measured(way: Way, file: Path, seconds: float) -> tuple[float, int | None]:
    """The processor time of a count in seconds, and the covers; None if it was cut short or gave up."""
    command = [
        sys.executable,
        "-P",
        "-m",
        "latcover",
        "count",
        "--json",
        "--method",
        way.method,
        "--time",
        str(seconds),
    ]
    environment = os.environ | ({"PYTHONPATH": way.folder} if way.folder else {})
    before = processor_time_of_children()
    command += ["--time", str(seconds), str(file)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if way.method == "auto" and done.returncode not in (0, 3):
        raise SystemExit(f"{file.stem}, {way.name}: {done.stderr}")
    after = processor_time_of_children()
    taken = after - before
    answer = json.loads(done.stdout) if done.stdout else {}
    return taken, answer["total"] if answer.get("complete") else None


if __name__ == "__main__":
    main()
