"""How fast turns are judged, and puzzles taken apart: `python -m latcover.benchmarks.turning` prints two tables.

The first stands in docs/decisions/turning.md: six random parts fill a cube of 4x4x4. A question is a set of parts, an
axis, and a quarter turn to one side. The native search is timed by itself, too; it takes no time where the parts fit
nowhere after the turn. In the second, puzzles are taken apart by one thread and by two in turn; the least time counts.
"""

from __future__ import annotations

import time
from itertools import product
from random import Random
from statistics import mean, median
from typing import Any

import numpy as np
import numpy.typing as npt

from latcover.backends import _native
from latcover.benchmarks.assembly import BOXES, box
from latcover.core.model.lattice import Cells
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.core.model.turn_data import Turning
from latcover.core.solving.solutions import solutions
from latcover.files.formats.library import load, load_lattice
from latcover.lab.assembly import turning
from latcover.lab.assembly.prisms import axes
from latcover.lab.assembly.taking_apart import ApartLimits, assembler_of

PARTS = 6
PACKINGS = 4
CUBES = ("turning-cube", "turning-cube-4x4x4", "turning-cube-seven")
RUNS = 5  # of each number of threads


def packing(rng: Random, empty: int) -> list[Cells]:
    """Random parts of about the same size in a cube of 4x4x4 with some empty cells."""
    free = set(product(range(4), repeat=3))
    free -= set(rng.sample(sorted(free), empty))
    parts = [[cell] for cell in rng.sample(sorted(free), PARTS)]
    free -= {cell for part in parts for cell in part}
    while True:
        for part in sorted(parts, key=len):
            around = [c for c in sorted(free) if any(sum(map(abs, np.subtract(c, one))) == 1 for one in part)]
            if around:
                part.append(rng.choice(around))
                free.discard(part[-1])
                break
        else:
            return [np.array([(0, *cell) for cell in sorted(part)], np.int32) for part in parts]


class TimedTurner:
    """A native search whose questions are timed."""

    def __init__(self, turner: turning._Turner) -> None:
        self.spent, self._ask = 0.0, turner.native.ask
        turner.ask = self.ask

    def ask(self, *parts: npt.NDArray[np.int32], **others: Any) -> _native.PartsTurned:
        """Ask, and add the processor time in µs."""
        start = time.process_time()
        answer = self._ask(*parts, **others)
        self.spent += (time.process_time() - start) * 1e6
        return answer


def row(empty: int) -> str:
    """A row of the table, in Markdown."""
    lattice, rng, spent, certain, tight = load_lattice("cubic"), Random(1), [], 0, 0
    turning._turner.cache_clear()
    native = [TimedTurner(turning._turner(lattice, axis, Turning())) for axis in axes(lattice)]
    natively = []
    quarters = [(axis, turn) for axis in axes(lattice) for turn in axis.rotations if abs(turn.angle) < 2]
    for _ in range(PACKINGS):
        parts = packing(rng, empty)
        for chosen in range(1, 1 << (PARTS - 1)):  # a set and its complement are one question
            sets = [[part for k, part in enumerate(parts) if chosen >> k & 1 == side] for side in (1, 0)]
            for axis, rotation in quarters:
                start, before = time.process_time(), sum(each.spent for each in native)
                found = turning._asked(
                    lattice, axis, rotation, sets[0], sets[1], Turning(), turning.DEEPEST, turning.MOST_BOXES
                )
                spent.append((time.process_time() - start) * 1e6)
                natively.append(sum(each.spent for each in native) - before)
                certain += any(turn.certain for turn in found)
                tight += any(not turn.certain for turn in found)
    times = " | ".join(f"{median(all_):,.0f} | {mean(all_):,.0f}" for all_ in (spent, natively))
    return f"| {empty} | {len(spent)} | {certain} | {tight} | {times} |"


def apart_row(name: str, puzzle: Puzzle, solution: Solution) -> str:
    """A row of the table of puzzles, in Markdown; nothing is remembered from one time to the next."""
    passed, spent = ({1: float("inf"), 2: float("inf")} for _ in range(2))
    for _ in range(RUNS):
        for threads in (1, 2):
            turning._turner.cache_clear()
            begun, before = time.perf_counter(), time.process_time()
            (found,) = assembler_of(puzzle).take_apart([solution], ApartLimits(states=None), threads=threads)
            passed[threads] = min(passed[threads], time.perf_counter() - begun)
            spent[threads] = min(spent[threads], time.process_time() - before)
    pieces, level = len(solution.placements), ".".join(map(str, found.level)) or found.result
    times = f"{spent[1]:.2f} | {spent[2] / spent[1]:.2f} | {passed[1] / passed[2]:.2f}"
    return f"| {name} | {pieces} | {found.states:,} | {level} | {found.turns} | {times} |"


def apart_rows() -> list[str]:
    """All rows of it: cubes that turn, and one hard assembly whose parts only slide."""
    rows = [apart_row(name, puzzle, next(solutions(puzzle))) for name in CUBES for puzzle in (load(name),)]
    return [*rows, apart_row("box of 5 cubes", *box(*BOXES[6])[:2])]


if __name__ == "__main__":
    print("| empty cells | questions | certain | too tight | µs: median | µs: mean | native: median | native: mean |")
    print("| --- " * 8 + "|")
    for empty in (0, 8, 16):
        print(row(empty))
    print()
    print("| what | pieces | positions | level | turns | s | two threads: s, relative | times as fast |")
    print("| --- " * 8 + "|")
    print(*apart_rows(), sep="\n")
