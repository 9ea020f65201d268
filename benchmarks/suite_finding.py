"""The section of the suite that looks for one solution of a large puzzle."""

from __future__ import annotations

import json
import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from latcover.backends import create
from latcover.benchmarks.suite_registry import METHODS, Case
from latcover.benchmarks.suite_table import PUZZLE, WHY, Column, Table, words
from latcover.benchmarks.suite_timing import Plan, Timer
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import Choices, Prepared, prepare
from latcover.core.model.connected_shapes import has_hole, shapes
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.solving.run import run
from latcover.files.formats.library import load_lattice, read
from latcover.files.formats.source import Source, shipped

SECONDS_TO_FIND = 60.0
QUICK_SECONDS = 1.0
SEEDS = 20
LARGE = 3_000_000  # items of all options: general solvers take minutes to read more
BOUNDS = Bounds(placements=20_000_000)


@dataclass(frozen=True, slots=True)
class Family:
    """Connected shapes of so many cells, each once, and the region that they fill.

    Attributes:
        one_sided: Whether mirror images are different parts.
        sample: So many of them, drawn at random; None takes all.
        box: The region.
        minus: Cells that the box lacks.
    """

    n_cells: int
    box: tuple[int, ...]
    minus: tuple[tuple[int, ...], ...] = ()
    one_sided: bool = False
    holes: bool = True
    sample: int | None = None


def cells_of(*spans: range) -> tuple[tuple[int, ...], ...]:
    """All cells of a rectangle."""
    return tuple((x, y) for x in spans[0] for y in spans[1])


FAMILIES = {
    "35 hexominoes, 15x15 less 3x5": Family(6, (15, 15), cells_of(range(6, 9), range(5, 10))),
    "60 one-sided hexominoes, 18x20": Family(6, (18, 20), one_sided=True),
    "60 one-sided hexominoes, 15x24": Family(6, (15, 24), one_sided=True),
    "40 heptominoes, 14x20": Family(7, (14, 20), holes=False, sample=40),
    "60 heptominoes, 20x21": Family(7, (20, 21), holes=False, sample=60),
    "107 heptominoes, 25x30 less a corner": Family(7, (25, 30), ((24, 29),), holes=False),
    "107 heptominoes, 7x107": Family(7, (7, 107), holes=False),
    "60 octominoes, 20x24": Family(8, (20, 24), holes=False, sample=60),
    # An odd number of octominoes hold two cells more of one colour of a chessboard, so the region must too.
    "363 octominoes, 54x54 less 12 cells": Family(
        8, (54, 54), ((0, 0), *((53, y) for y in range(43, 54))), holes=False
    ),
    "18 one-sided pentominoes, 9x10": Family(5, (9, 10), one_sided=True),
    "29 one-sided pentacubes, 5x5x6 less an edge": Family(
        5, (5, 5, 6), tuple((x, 0, 0) for x in range(5)), one_sided=True
    ),
    "166 one-sided hexacubes, 996 cells": Family(
        6, (10, 10, 10), ((9, 9, 6), (9, 9, 7), (9, 9, 8), (9, 9, 9)), one_sided=True
    ),
}


def text_of(name: str, family: Family) -> str:
    """A puzzle of a family, as a puzzle file."""
    lattice = load_lattice("cubic" if len(family.box) == 3 else "square")
    allowed = "rotations" if family.one_sided else "reflections"
    found = [*shapes(lattice, family.n_cells, lattice.allowed(allowed))]
    if not family.holes:
        found = [cells for cells in found if not has_hole(cells, lattice)]
    if family.sample is not None:
        found = random.Random(0).sample(found, family.sample)
    head = [
        *(f'name = "{name}"', f'lattice = "{lattice.name}"', f'transformations = "{allowed}"'),
        *("[region]", f"box = {list(family.box)}"),
    ]
    if family.minus:
        head.append(f"minus = {{ cells = {json.dumps(family.minus)} }}")
    parts = (f'[[parts]]\nname = "{k}"\ncells = {cells[:, 1:].tolist()}\n' for k, cells in enumerate(found))
    return "\n".join([*head, *parts])


def puzzle_of(name: str) -> Puzzle:
    """The puzzle of a family."""
    text = text_of(name, FAMILIES[name])
    (subject,) = read(Source(text.encode(), f"{name}.toml", shipped), BOUNDS).values()
    assert isinstance(subject, Puzzle)
    return subject


@lru_cache(maxsize=1)
def prepared_of(name: str) -> Prepared:
    """The puzzle, not reduced: a search for one solution needs no symmetry."""
    return prepare(puzzle_of(name), Choices(symmetry="none"))


def finding(cases: Sequence[Case], plan: Plan, say: Callable[[str], None]) -> Table:
    """How often a solution is found, and in what time. Every solution passes the verifier."""
    rows: list[dict[str, Any]] = []
    for case in cases:
        prepared = prepared_of(case.puzzle)
        problem = prepared.problem
        row: dict[str, Any] = {"puzzle": case.puzzle, "options": problem.n_options, "why": case.why}
        for method in case.methods:
            if method in ("cpsat", "sat") and len(problem.option_items) > LARGE:
                row[method] = "too large"
                continue
            seeds = (1 if plan.quick else SEEDS) if method == "restarts" else 1
            taken = []
            for seed in range(seeds):
                say(f"{case.puzzle}: {method}, seed {seed}")
                taken.append(_found_in(prepared, method, seed, QUICK_SECONDS if plan.quick else SECONDS_TO_FIND))
            row[method] = _told(taken)
            row[f"{method}_seconds"] = taken
        rows.append(row)
    columns = (
        *(PUZZLE, Column("options", "options")),
        *(Column(method, f"`{method}`", words) for method in cases[0].methods),
        WHY,
    )
    text = (
        "Seconds until one solution is found, on one thread, symmetry left aside; every solution is verified. Of "
        f"`restarts`: how many of {SEEDS} seeds found one within {SECONDS_TO_FIND:.0f} s, the median and the longest. "
        "The others search once; a dash says that they found none in that time."
    )
    return Table("finding", text, columns, tuple(rows))


def _found_in(prepared: Prepared, method: str, seed: int, most: float) -> float | None:
    """Seconds until a solution is found; None if none is."""
    given = METHODS[method]
    assert given.backend is not None
    options = dict(given.options) | ({"seed": seed} if method == "restarts" else {})
    timer = Timer()
    answer = run(prepared, create(given.backend, **options), Limits(covers=1, seconds=most), lambda _: None)
    if not answer.different:
        return None
    # The solver of `sat` is a child process, whose time the timer does not know.
    return answer.seconds["search"] if method == "sat" else timer.seconds()


def _told(taken: Sequence[float | None]) -> str:
    found = sorted(seconds for seconds in taken if seconds is not None)
    if not found:
        return "-" if len(taken) == 1 else f"0 of {len(taken)}"
    if len(taken) == 1:
        return f"{found[0]:.2f}"
    return f"{len(found)} of {len(taken)}; {statistics.median(found):.2f}; {found[-1]:.2f}"
