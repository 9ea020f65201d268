"""The sizes of matching puzzles at which each backend gives up. Run it to measure your machine:

    python -m latcover.benchmarks.giving_up
    python -m latcover.benchmarks.giving_up --seconds 60 --sizes 5 6 --backends dlx bitset

The boards are those of `latcover design board square:NxN`. Each backend seeks all solutions on one thread, for so many
seconds of processor time. The table says so where two backends that finish do not agree.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from latcover.backends import create
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import prepare
from latcover.core.model.puzzle import Puzzle
from latcover.core.solving.run import run
from latcover.files.formats.library import load

SIZES = (4, 5, 6, 7, 8)
BACKENDS = ("dlx", "bitset", "cpsat", "sat", "backtrack")
ON_ONE_THREAD = {"bitset": {"threads": 1}, "cpsat": {"threads": 1}}
PATIENCE = 20  # seconds of the clock for each second of the processor: other programs may be running


def spent() -> float:
    """Seconds of processor time of this process, and of its children."""
    running = 0.0
    for child in psutil.Process().children():
        with suppress(psutil.Error):  # it may end meanwhile
            running += sum(child.cpu_times()[:2])
    own = os.times()
    return own.user + own.system + own.children_user + own.children_system + running


def searched(name: str, puzzle: Puzzle, seconds: float) -> tuple[float, SearchResult]:
    """Processor time, set-up included, and the answer; it is not complete if the backend gave up."""
    start = spent()
    limits = Limits(seconds=PATIENCE * seconds)
    backend = create(name, **ON_ONE_THREAD.get(name, {}))
    answer = run(prepare(puzzle), backend, limits, on_progress=lambda _: spent() - start < seconds)
    return spent() - start, answer


def values_of(size: int) -> int:
    """How many values the inner sides of a board bear: few enough that tiles fit in several places."""
    return size - 1 + (size == 4)


def board(size: int, seed: int) -> Puzzle:
    """A square board that has a solution, as the command makes it."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "board.toml"
        words = ["board", f"square:{size}x{size}", "--values", str(values_of(size)), "--seed", str(seed), "--quiet"]
        subprocess.run([sys.executable, "-P", "-m", "latcover", *words, "--output", str(file)], check=True)
        return load(str(file))


def table(sizes: Sequence[int], backends: Sequence[str], seconds: float, seed: int) -> Iterator[str]:
    """The lines of the table, a row for each board."""
    yield f"| board | {' | '.join(backends)} |"
    yield f"| --- |{' --- |' * len(backends)}"
    for size in sizes:
        puzzle = board(size, seed)
        cells, complete = [], set()
        for name in backends:
            if not create(name).honours_colours:
                cells.append("does not know values")
                continue
            taken, answer = searched(name, puzzle, seconds)
            branches = "" if answer.branches is None else f", {answer.branches:,} branches"
            if answer.complete:
                complete.add((answer.different, answer.total))
                cells.append(f"all {answer.different:,} in {taken:.2f} s{branches}")
            else:
                cells.append(f"gives up after {taken:.0f} s: {answer.different:,} found{branches}")
        differ = " (backends do not agree)" if len(complete) > 1 else ""
        yield f"| {size} by {size}, {values_of(size)} values{differ} | {' | '.join(cells)} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20, help="of processor time, for each search (default: 20)")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="cells along a side (default: 4 to 8)")
    parser.add_argument("--backends", nargs="+", default=BACKENDS, help=f"(default: {' '.join(BACKENDS)})")
    parser.add_argument("--seed", type=int, default=1, help="of the boards (default: 1)")
    chosen = parser.parse_args()
    start = time.perf_counter()
    for line in table(chosen.sizes, chosen.backends, chosen.seconds, chosen.seed):
        print(line, flush=True)
    print(f"\n{time.perf_counter() - start:.0f} s by the clock, seed {chosen.seed}")


if __name__ == "__main__":
    main()
