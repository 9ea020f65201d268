"""Solving a puzzle from end to end: prepare it once, then enumerate with any backend."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from latcover import guard
from latcover.backends import DEFAULT, create
from latcover.checks import complaints_about
from latcover.encode import encode
from latcover.errors import Complaint, PuzzleError
from latcover.fingerprint import Fingerprint
from latcover.machine import peak_memory
from latcover.placement import Ints, Longs, PlacementTable, placements
from latcover.problem import CoverProblem
from latcover.puzzle import Bounds, Puzzle
from latcover.reduction import How, Reduction, reduce_by
from latcover.search import Backend, Batch, Limits, OnProgress, Outcome, Progress, Statistics, Stop, iterate
from latcover.solution import Placed, Solution
from latcover.symmetry import SymmetryGroup, Which
from latcover.verifier import Verifier

log = logging.getLogger("latcover")

BETWEEN_REPORTS = 0.05  # seconds

OnSolution = Callable[[Solution], None]


@dataclass(frozen=True, slots=True)
class Choices:
    """How a puzzle is turned into a cover problem.

    Attributes:
        symmetry: Which symmetries count as the same.
        reduction: How placements are left out by a pivot: see `reduce_by`.
        pivot: The part to take as pivot; None chooses well.
        order: The axes by which cells are numbered, slowest first; None chooses well.
    """

    symmetry: Which = "all"
    reduction: How = "auto"
    pivot: str | None = None
    order: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A puzzle ready to be searched.

    Attributes:
        table: All placements.
        reduction: What symmetry leaves out and leaves to be tested.
        problem: What backends see.
        option_placement: The placement that each option is, shape (n_options,), int32; -1 for a cell left empty.
    """

    puzzle: Puzzle
    choices: Choices
    table: PlacementTable
    reduction: Reduction
    problem: CoverProblem
    option_placement: Ints
    seconds: float
    _seen: dict[int, tuple[int, Placed]] = field(default_factory=dict)  # placements as solutions show them

    def placements_of(self, batch: Batch) -> tuple[Longs, Ints]:
        """A batch of covers as sets of placements, in compressed rows; options that leave a cell empty are dropped."""
        chosen = self.option_placement[batch.options]
        if (self.option_placement >= 0).all():
            return batch.starts, chosen
        real = chosen >= 0
        return np.concatenate([[0], np.cumsum(real)])[batch.starts], chosen[real]

    def placed(self, chosen: Ints) -> tuple[Placed, ...]:
        """A set of placements as parts, cells and colours, sorted."""
        for placement in chosen.tolist():
            if placement not in self._seen:
                self._seen[placement] = self._place(placement)
        return tuple(placed for _, placed in sorted((self._seen[p] for p in chosen.tolist()), key=_by_part_and_cells))

    def _place(self, placement: int) -> tuple[int, Placed]:
        return int(self.table.part_of[placement]), placed_at(self.puzzle, self.table, placement)

    def images(self, chosen: Ints) -> list[Ints]:
        """The distinct images of a set of placements under the symmetries, itself first; each sorted."""
        group = self.reduction.group
        found = {tuple(np.sort(group.images(element, chosen)).tolist()): None for element in range(len(group))}
        return [np.array(image, dtype=np.int32) for image in found]


def placed_at(puzzle: Puzzle, table: PlacementTable, placement: int) -> Placed:
    """A placement as solutions show it."""
    orientation = table.orientations[table.orientation[placement]]
    cells = [tuple(cell) for cell in table.cells_of(placement).tolist()]
    colours = orientation.colours.tolist()
    coloured = sorted(zip(cells, colours, strict=True))
    names = tuple(puzzle.colours[colour] for _, colour in coloured) if any(colours) else ()
    labels, values = puzzle.lattice.half_edges, puzzle.rules.sides
    shown = sorted((cells[k], labels[label].label, values[value]) for k, label, value in orientation.sides.tolist())
    name = puzzle.parts[table.part_of[placement]].name
    return Placed(name, tuple(cell for cell, _ in coloured), names, tuple(shown))


def _by_part_and_cells(entry: tuple[int, Placed]) -> tuple[object, ...]:
    return entry[0], entry[1].cells, entry[1].colours, entry[1].sides


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search of a puzzle found; its JSON form is a promise to scripts.

    Attributes:
        asked, backend: The backend that was asked, and the one that searched.
        different: Classes of covers under the symmetries chosen, those found.
        total: Covers of the full problem that these stand for.
        covers: Covers that the backend met; more than ``different`` where some were images of others.
        complete: Whether the search was exhausted: else the figures are lower bounds.
        digest: A fingerprint of the set of those covers that ``different`` counts, whatever the order they were found
            in: equal for equal sets of the same placements, hence between runs with the same choices.
        memory: The most that the process held at once, in bytes; None where the platform does not tell.
    """

    puzzle: str
    backend: str
    complete: bool
    stop: str
    symmetry: str
    different: int
    total: int
    covers: int
    branches: int | None
    method: str
    seconds: Mapping[str, float | None]
    native: Mapping[str, Any]
    symmetries: int
    pivot: str
    dead_ends: int | None
    branches_by_level: tuple[int, ...]
    asked: str
    digest: str
    memory: int | None
    notes: tuple[str, ...] = field(default=())


def prepare(puzzle: Puzzle, choices: Choices = Choices(), bounds: Bounds | None = None) -> Prepared:
    """Place the parts, find the symmetries, and build the cover problem.

    Raises:
        PuzzleError: the puzzle contradicts itself, asks for too much, or lacks the pivot or the axes asked for.
    """
    start = time.perf_counter()
    faults = [Complaint(c.message) for c in complaints_about(puzzle) if not c.warning]
    if faults:
        raise PuzzleError(faults)
    dimension = puzzle.lattice.dimension
    if choices.order is not None and sorted(choices.order) != list(range(dimension)):
        raise PuzzleError(f"the order must name each of the axes 0 to {dimension - 1} once")
    table = placements(puzzle, choices.order, bounds)
    log.info("%d placements of %d parts", len(table), len(puzzle.parts))
    group = SymmetryGroup(puzzle, table, choices.symmetry)
    reduction = reduce_by(puzzle, table, group, choices.pivot, choices.reduction)
    log.info("%d symmetries; pivot: %s", len(group), reduction.pivot or "none")
    problem, option_placement = encode(puzzle, table, reduction)
    log.info("%d options on %d items", problem.n_options, problem.n_items)
    return Prepared(puzzle, choices, table, reduction, problem, option_placement, time.perf_counter() - start)


class _Collector:
    """Takes the backend's batches, judges the covers, and counts and hands on those that are kept.

    While it hands them on the backend waits; so it looks at the clock and reports progress itself.
    """

    def __init__(self, prepared: Prepared, limits: Limits, on_solution: OnSolution | None, images: bool) -> None:
        self.prepared, self.limits, self.images = prepared, limits, images
        self.on_solution = on_solution
        self.on_progress: OnProgress | None = None
        self.verifier = Verifier(prepared.puzzle) if on_solution else None
        self.fingerprint = Fingerprint(len(prepared.table))
        self.different = self.total = 0
        self.stop: Stop | None = None  # why it takes no more, besides a limit of solutions
        self.begun = time.perf_counter()
        self.seconds = 0.0  # in all, taken from the search's own
        self.seconds_of_receiver = 0.0
        self._progress = Progress(None, None, 0, 0.0)
        self._reported = 0.0

    def report(self, progress: Progress) -> bool:
        """Pass the backend's progress on."""
        self._progress, self._reported = progress, time.perf_counter()
        return self.on_progress is None or self.on_progress(progress)

    def take(self, batch: Batch) -> bool:
        start = time.perf_counter()
        reduction = self.prepared.reduction
        starts, chosen = self.prepared.placements_of(batch)
        keep, orbits = reduction.judge(starts, chosen)
        rows = np.flatnonzero(keep)
        if self.limits.covers is not None:
            rows = rows[: self.limits.covers - self.different]
        if self.on_solution:
            rows = rows[: self._hand_on(starts, chosen, rows, orbits)]
        self.fingerprint.add(starts, chosen, rows)
        self.different += len(rows)
        self.total += int(orbits[rows].sum())
        self.seconds += time.perf_counter() - start
        return self.stop is None and (self.limits.covers is None or self.different < self.limits.covers)

    def _hand_on(self, starts: Longs, chosen: Ints, rows: npt.NDArray[np.intp], orbits: Longs) -> int:
        """Hand these covers on, until it is to stop; how many of them."""
        for done, row in enumerate(rows):
            if done and not self._may_go_on(self.different + done):
                return done
            self._hand_on_one(chosen[starts[row] : starts[row + 1]], self.different + done + 1, int(orbits[row]))
        return len(rows)

    def _may_go_on(self, found: int) -> bool:
        now = time.perf_counter()
        if self.limits.seconds is not None and now - self.begun >= self.limits.seconds:
            self.stop = Stop.TIME_LIMIT
        elif now - self._reported >= BETWEEN_REPORTS:
            progress = replace(self._progress, covers=max(found, self._progress.covers), seconds=now - self.begun)
            if not self.report(progress):
                self.stop = Stop.CANCELLED
        return self.stop is None

    def _hand_on_one(self, chosen: Ints, number: int, orbit: int) -> None:
        assert self.verifier is not None
        assert self.on_solution is not None
        for image, moved in enumerate(self.prepared.images(chosen) if self.images else [chosen], 1):
            solution = self.verifier.require(Solution(self.prepared.placed(moved), number, image, orbit))
            start = time.perf_counter()
            self.on_solution(solution)
            self.seconds_of_receiver += time.perf_counter() - start


def run(
    prepared: Prepared,
    backend: Backend,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    on_solution: OnSolution | None = None,
    *,
    images: bool = False,
    on_progress: OnProgress | None = None,
) -> Answer:
    """Search a prepared puzzle.

    Args:
        prepared: The puzzle.
        backend: Who searches.
        limits: ``covers`` limits the essentially different solutions.
        on_solution: Is given every solution, verified, in the order found; without it they are only counted.
        images: Whether to hand on all images of each solution, not one of each class.
        on_progress: May stop the search by returning False.
    """
    collector = _Collector(prepared, limits, on_solution, images)
    collector.on_progress = on_progress
    pending = prepared.reduction.tests_pending
    inner = Limits(None if pending else limits.covers, limits.branches, limits.seconds)
    if limits.covers == 0:
        inner = Limits(0, limits.branches, limits.seconds)
    outcome = guard.search(backend, prepared.problem, collector.take, inner, collector.report)
    return _answer(prepared, backend, collector, outcome, limits)


def _answer(prepared: Prepared, backend: Backend, found: _Collector, outcome: Outcome, limits: Limits) -> Answer:
    stop, statistics = outcome.stop, outcome.statistics
    if found.stop is not None:
        stop = found.stop
    elif stop is Stop.CANCELLED and limits.covers is not None and found.different >= limits.covers:
        stop = Stop.SOLUTION_LIMIT
    return Answer(
        puzzle=prepared.puzzle.name,
        backend=outcome.backend or backend.name,
        complete=stop is Stop.EXHAUSTED,
        stop=stop.value,
        symmetry=prepared.choices.symmetry,
        different=found.different,
        total=found.total,
        covers=statistics.covers,
        branches=statistics.branches,
        method="enumeration",
        seconds={
            "setup": prepared.seconds + statistics.setup_seconds,
            "first": statistics.first_seconds,
            "search": statistics.search_seconds - (0.0 if _overlaps(statistics) else found.seconds),
            "check": found.seconds - found.seconds_of_receiver,
        },
        native=statistics.native,
        symmetries=prepared.reduction.group.order,
        pivot=prepared.reduction.pivot,
        dead_ends=statistics.dead_ends,
        branches_by_level=statistics.branches_by_level,
        asked=backend.name,
        digest=found.fingerprint.hex(),
        memory=peak_memory(),
        notes=outcome.notes,
    )


def _overlaps(statistics: Statistics) -> bool:
    """Whether the search went on while covers were handed over, so that this is no part of its time."""
    return int(statistics.native.get("threads", 1)) > 1


def solutions(
    puzzle: Puzzle,
    backend: Backend | None = None,
    choices: Choices = Choices(),
) -> Iterator[Solution]:
    """The essentially different solutions of *puzzle*, verified, one by one, while the search goes on."""
    prepared = prepare(puzzle, choices)
    verifier = Verifier(puzzle)
    number = 0
    for cover in iterate(backend or create(DEFAULT), prepared.problem):
        starts, chosen = prepared.placements_of(Batch(np.array([0, len(cover)]), cover))
        keep, orbits = prepared.reduction.judge(starts, chosen)
        if keep[0]:
            number += 1
            yield verifier.require(Solution(prepared.placed(chosen), number, orbit=int(orbits[0])))
