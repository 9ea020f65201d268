"""How fast assemblies are taken apart: `python -m latcover.benchmarks.assembly` prints the table of the docs.

Shipped burrs with all their solutions, and closed boxes of loose cubes with 6, 12 and 18 pieces, whose number of
positions is known.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from itertools import product
from math import comb, prod

import numpy as np

from latcover.core.model.disassembly import Disassembly
from latcover.core.model.puzzle import Part, Puzzle, Region
from latcover.core.model.solution import Placed, Solution
from latcover.core.solving.solutions import solutions
from latcover.files.formats.library import load, load_lattice
from latcover.lab.assembly.taking_apart import ApartLimits, Assembler
from latcover.system.machine import peak_memory

BURRS = ("burr-dubois", "burr-piston", "burr-unique-10", "burr-loves-dozen", "box-of-sixteen")
BOXES = {6: ((3, 2, 2), (1, 1, 1, 1, 1)), 12: ((4, 2, 2), (9, 2)), 18: ((5, 2, 2), (16, 1))}  # inside, equal cubes


def box(inside: Iterable[int], kinds: Iterable[int]) -> tuple[Puzzle, Solution, int]:
    """A closed box with loose cubes; how many positions there are: all ways to put the cubes into the cells."""
    sizes, kinds = tuple(inside), tuple(kinds)
    cells = list(product(*map(range, sizes)))
    walls = [c for c in product(*(range(-1, n + 1) for n in sizes)) if c not in set(cells)]
    names = ["box", *(f"cube {k}" for k, n in enumerate(kinds) for _ in range(n))]
    pieces = [walls, *([cell] for cell in cells[: sum(kinds)])]
    placed = tuple(Placed(n, tuple(sorted((0, *c) for c in p))) for n, p in zip(names, pieces, strict=True))
    lattice = load_lattice("cubic")
    fixed = lattice.allowed("fixed")
    parts = {
        p.part: Part(p.part, np.array(p.cells, np.int32), np.zeros(len(p.cells), np.int32), 1, None, fixed)
        for p in placed
    }
    region = Region(np.array(sorted(c for p in placed for c in p.cells), np.int32))
    positions = prod(comb(len(cells) - sum(kinds[:k]), n) for k, n in enumerate(kinds))
    return Puzzle("box of cubes", lattice, region, tuple(parts.values())), Solution(placed), positions


def timed(puzzle: Puzzle, found: list[Solution], threads: int) -> tuple[list[Disassembly], float, float]:
    """The results, the seconds that passed, and those of all processors, with everything that is made beforehand."""
    start, spent = time.perf_counter(), time.process_time()
    results = Assembler(puzzle).take_apart(found, ApartLimits(states=None), threads=threads)
    return results, time.perf_counter() - start, time.process_time() - spent


def table() -> str:
    """The rows of the table, in Markdown."""
    lines = ["| what | pieces | solutions | apart | positions | s | µs a position | two threads |", "| --- " * 8 + "|"]
    subjects = [(name, load(name)) for name in BURRS]
    rows: list[tuple[str, Puzzle, list[Solution], int | None]]
    rows = [(name, puzzle, list(solutions(puzzle)), None) for name, puzzle in subjects]
    rows += [(f"box of {n - 1} cubes", *_as_list(box(*made))) for n, made in BOXES.items()]
    for name, puzzle, found, positions in rows:
        results, _, one = timed(puzzle, found, 1)
        _, two, _ = timed(puzzle, found, 2)
        _, wall, _ = timed(puzzle, found, 1)
        states = sum(result.states for result in results)
        assert positions in (None, states), "a position was missed"
        apart = sum(result.result == "apart" for result in results)
        lines.append(
            f"| {name} | {len(found[0].placements)} | {len(found):,} | {apart:,} | {states:,} | {one:.3f} | "
            f"{1e6 * one / states:.1f} | {wall / two:.2f} |"
        )
    peak = peak_memory() or 0
    return "\n".join([*lines, "", f"Most memory of the process: {peak >> 20} MB."])


def _as_list(made: tuple[Puzzle, Solution, int]) -> tuple[Puzzle, list[Solution], int]:
    return made[0], [made[1]], made[2]


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
