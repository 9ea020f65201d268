"""How fast assemblies are taken apart.

Shipped burrs with all their solutions, cubes whose parts turn with one, and closed boxes of loose cubes with 6, 12 and
18 pieces, whose number of positions is known. Then how fast questions about turns are answered: which sets of the parts
of random packings can turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import comb, prod
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.harness.conditions import measured_on
from benchmarks.harness.options import Only, Puzzles, puzzles_in
from benchmarks.harness.tables import lines_of
from benchmarks.harness.turns import Timer
from latcover.core.model.disassembly import Disassembly
from latcover.core.model.meetings import meetings
from latcover.core.model.puzzle import Part, Puzzle, Region
from latcover.core.model.replay import faults_of_each
from latcover.core.model.solution import Placed, Solution
from latcover.core.model.turn_data import Turning
from latcover.core.solving.solutions import solutions
from latcover.files.formats.library import load, load_lattice
from latcover.lab.assembly import turning
from latcover.lab.assembly.prisms import axes
from latcover.lab.assembly.sliding_sweeps import slide_arrays, sweeps
from latcover.lab.assembly.taking_apart import ApartLimits, assembler_of
from latcover.lab.assembly.turning_search import TurningSearch
from latcover.system.machine import peak_memory

BURRS = ("burr-dubois", "burr-piston", "burr-unique-10", "burr-loves-dozen", "box-of-sixteen")
CUBES = ("turning-cube", "turning-cube-4x4x4", "turning-cube-seven")
PACKINGS, PLAY = 24, 0.04
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


def packing(dice: Random, n_empty: int) -> list[list[tuple[int, ...]]]:
    """A cube of 4 x 4 x 4 with empty cells, cut into six parts that grow at random."""
    cells = list(product(range(4), repeat=3))
    for cell in dice.sample(cells, n_empty):
        cells.remove(cell)
    owners = {cell: part for part, cell in enumerate(dice.sample(cells, 6))}
    while True:
        ways = [
            (cell, owners[near])
            for cell in cells
            if cell not in owners
            for near in product(*((x - 1, x, x + 1) for x in cell))
            if near in owners and sum(abs(a - b) for a, b in zip(cell, near, strict=True)) == 1
        ]
        if not ways:
            return [[(0, *cell) for cell in owners if owners[cell] == part] for part in range(6)]
        cell, part = dice.choice(ways)
        owners[cell] = part


def turns_of(packings: list[list[list[tuple[int, ...]]]], threads: int) -> tuple[int, int, Timer]:
    """The turns of all sets, how many questions that takes, and the time without the making of bodies."""
    lattice = load_lattice("cubic")
    ways = sweeps(lattice)
    slides = slide_arrays(lattice, list(range(len(ways.directions))))
    search = TurningSearch(lattice, slides, ways.directions, axes(lattice), Turning(PLAY))
    rows = [
        np.array([search.row(np.array(part, np.int32), k, 1) for k, part in enumerate(parts)], np.int32).reshape(-1)
        for parts in packings
    ]
    timer = Timer()
    found = [search.native.count_turns(row, n_kinds=6, threads=threads) for row in rows]
    timer.stop()
    return sum(turns for turns, _ in found), sum(asked for _, asked in found), timer


def rows_of_turns(only: str) -> Iterator[tuple[str, ...]]:
    """How fast questions about turns are answered; none is asked twice."""
    for n_empty in (0, 8, 16):
        name = f"packings with {n_empty} empty cells"
        if only not in name:
            continue
        dice = Random(n_empty)
        packings = [packing(dice, n_empty) for _ in range(PACKINGS)]
        turns, asked, one = turns_of(packings, 1)
        same, _, two = turns_of(packings, 2)
        _, _, again = turns_of(packings, 1)
        assert turns == same, "threads find other turns"
        micros = 1e6 * min(one.of_processor(), again.of_processor()) / asked
        yield name, f"{asked:,}", f"{turns:,}", f"{micros:.0f}", f"{again.by_clock() / two.by_clock():.2f}"


def timed(puzzle: Puzzle, found: list[Solution], threads: int) -> tuple[list[Disassembly], Timer]:
    """The results, and the time with everything that is made beforehand."""
    turning.turner.cache_clear()  # nothing is remembered from one time to the next
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
    """Take burrs, cubes and boxes apart, and ask for turns: seconds of processor time, and the gain by two threads."""
    head = ("what", "pieces", "solutions", "apart", "positions", "s", "of it check", "µs a position", "two threads")
    yield from lines_of(head, rows(only, puzzles_in(puzzles)))
    yield ""
    questions = ("turns of sets of six parts", "questions", "turns", "µs a question", "two threads")
    yield from lines_of(questions, rows_of_turns(only))
    yield ""
    yield f"Most memory of the process: {(peak_memory() or 0) >> 20} MB. {measured_on()}"
