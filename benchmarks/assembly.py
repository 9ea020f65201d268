"""How fast assemblies are taken apart.

Shipped burrs with all their solutions, cubes whose parts turn with one, and closed boxes of loose cubes with 6, 12 and
18 pieces, whose number of positions is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import comb, prod
from pathlib import Path

import numpy as np

from benchmarks.harness.options import Only, Puzzles, puzzles_in
from benchmarks.harness.tables import lines_of
from benchmarks.harness.turns import Timer
from latcover.core.model.disassembly import Disassembly
from latcover.core.model.meetings import meetings
from latcover.core.model.puzzle import Part, Puzzle, Region
from latcover.core.model.replay import faults_of_each
from latcover.core.model.solution import Placed, Solution
from latcover.core.solving.solutions import solutions
from latcover.files.formats.library import load, load_lattice
from latcover.lab.assembly import turning
from latcover.lab.assembly.taking_apart import ApartLimits, assembler_of
from latcover.system.machine import peak_memory

BURRS = ("burr-dubois", "burr-piston", "burr-unique-10", "burr-loves-dozen", "box-of-sixteen")
CUBES = ("turning-cube", "turning-cube-4x4x4", "turning-cube-seven")
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


def timed(puzzle: Puzzle, found: list[Solution], threads: int) -> tuple[list[Disassembly], Timer]:
    """The results, and the time with everything that is made beforehand."""
    turning._turner.cache_clear()  # nothing is remembered from one time to the next
    meetings.cache_clear()
    timer = Timer()
    results = assembler_of(puzzle).take_apart(found, ApartLimits(states=None), threads=threads)
    timer.stop()
    return results, timer


def timed_check(puzzle: Puzzle, found: list[Solution], results: list[Disassembly]) -> float:
    """The processor time of the replay of all plans, which `timed` includes."""
    meetings.cache_clear()
    timer = Timer()
    faults = faults_of_each(puzzle, list(zip(found, results, strict=True)))
    timer.stop()
    assert not any(faults)
    return timer.of_processor()


def subjects(only: str, others: list[str]) -> Iterator[tuple[str, Puzzle, list[Solution], int | None]]:
    """Puzzles with solutions to be taken apart, and how many positions there are, where it is known."""
    for name in (name for name in (*BURRS, *others) if only in name):
        puzzle = load(name)
        yield Path(name).stem, puzzle, list(solutions(puzzle)), None
    for name in (name for name in CUBES if only in name):
        puzzle = load(name)
        yield name, puzzle, [next(solutions(puzzle))], None
    for name, made in ((f"box of {number - 1} cubes", made) for number, made in BOXES.items()):
        if only in name:
            puzzle, solution, positions = box(*made)
            yield name, puzzle, [solution], positions


def rows(only: str, others: list[str]) -> Iterator[tuple[str, ...]]:
    """The rows of the table."""
    for name, puzzle, found, positions in subjects(only, others):
        results, one = timed(puzzle, found, 1)
        _, two = timed(puzzle, found, 2)
        _, again = timed(puzzle, found, 1)
        states = sum(result.states for result in results)
        assert positions in (None, states), "a position was missed"
        apart = sum(result.result == "apart" for result in results)
        counts = (f"{len(found[0].placements)}", f"{len(found):,}", f"{apart:,}", f"{states:,}")
        seconds = one.of_processor()
        yield (
            name,
            *counts,
            f"{seconds:.3f}",
            f"{timed_check(puzzle, found, results):.3f}",
            f"{1e6 * seconds / states:.1f}",
            f"{again.by_clock() / two.by_clock():.2f}",
        )


def assembly(*, only: Only = "", puzzles: Puzzles = None) -> Iterator[str]:
    """Take burrs, cubes and boxes of loose cubes apart: seconds of processor time, and the gain by two threads."""
    head = ("what", "pieces", "solutions", "apart", "positions", "s", "of it check", "µs a position", "two threads")
    yield from lines_of(head, rows(only, puzzles_in(puzzles)))
    yield ""
    yield f"Most memory of the process: {(peak_memory() or 0) >> 20} MB."
