"""What the native baseline costs: nanoseconds a branch, and the time to set a puzzle up.

    python benchmarks/baseline.py [--quick]

Prints two Markdown tables. Times are of this machine and this run; compare ratios, and quote the machine.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from latcover.backends import create
from latcover.library import load, load_all, names
from latcover.machine import machine
from latcover.puzzle import Puzzle
from latcover.solve import Choices, prepare, run

# puzzle -> why it is measured
SEARCHES = {
    "pent-8x8-minus-2x2": "the paper's first row",
    "pent-10x6": "the usual yardstick",
    "pent-10x3x2": "three dimensions, a narrow box",
    "pent-6x5x2": "three dimensions, flat",
    "pent-5x4x3": "three dimensions, the largest of the classic boxes",
    "dudeney": "more cells and parts; many solutions",
}
SLOW = {"pent-5x4x3", "dudeney"}
LARGE = (1, 2, 3)  # millions of placements, about


def best_of(times: int, puzzle: Puzzle) -> tuple[int, int, float]:
    """Different solutions, branches, and the least seconds of search of several runs."""
    prepared = prepare(puzzle)
    answers = [run(prepared, create("dlx")) for _ in range(times)]
    seconds = min(answer.seconds["search"] or 0.0 for answer in answers)
    return answers[0].different, answers[0].branches or 0, seconds


def first_of(name: str) -> Puzzle:
    """The first puzzle of a shipped file."""
    return load_all(name)[0]


def large_box(millions: int, folder: Path) -> Puzzle:
    """A cubic box with so many placements of pentominoes, filled up by single cells."""
    path = folder / "box.toml"
    path.write_text(
        f'name = "box"\nlattice = "cubic"\n[region]\nbox = [30, 30, {7 * millions}]\n'
        '[[parts]]\nset = "pentominoes"\n[[parts]]\nname = "cell"\nart = ["X"]\ncount = "unlimited"\n'
    )
    return load(str(path))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="leave out the searches of several seconds")
    quick = parser.parse_args().quick
    print(f"{machine()}\n\n| puzzle | different | branches | seconds | ns a branch | why |\n|---|--:|--:|--:|--:|---|")
    for name, why in SEARCHES.items():
        if not (quick and name in SLOW):
            different, branches, seconds = best_of(1 if name in SLOW else 3, load(name))
            print(f"| {name} | {different:,} | {branches:,} | {seconds:.3f} | {seconds / branches * 1e9:.0f} | {why} |")

    print("\n| set-up of | placements | load, ms | prepare, ms |\n|---|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        makers: list[Callable[[], Puzzle]] = [partial(first_of, name) for name in names("instances")]
        makers += [partial(large_box, millions, Path(folder)) for millions in LARGE]
        for make in makers:
            start = time.perf_counter()
            puzzle = make()
            loaded = time.perf_counter() - start
            prepared = prepare(puzzle, Choices())
            n = len(prepared.table)
            print(f"| {puzzle.name} | {n:,} | {loaded * 1e3:.1f} | {prepared.seconds * 1e3:.1f} |")


if __name__ == "__main__":
    main()
