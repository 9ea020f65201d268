"""Packings of copies of shapes in a region, and the cells that keep shapes out of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.backends import create
from latcover.core.cover.backend import Backend
from latcover.core.cover.cost_floor import least_cost
from latcover.core.cover.cover_costs import MOST_COST, Costs
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.problem import CoverProblem, Longs
from latcover.core.cover.question import Method, Question
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Batch, CostBar, Limits, SearchTask
from latcover.core.cover.solver_registry import DEFAULT
from latcover.core.encoding.placement import placements
from latcover.core.model.lattice import Cells
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Part, Puzzle, Region
from latcover.core.model.puzzle_checks import require_sound
from latcover.core.model.room import room_for
from latcover.core.model.solution import Placed, Solution
from latcover.core.solving import guard
from latcover.errors import InternalError, counted
from latcover.files.formats.library import puzzle_called
from latcover.files.formats.named_shapes import shapes_given
from latcover.lab.asking.best import BestRequest, best
from latcover.lab.asking.gaps import Sense, bound_in_words, gap_of
from latcover.lab.asking.kept_optimum import KeptCover, KeptOptimum
from latcover.lab.asking.packings import packing_of
from latcover.lab.exploring.exploring_requests import ExcludeRequest, PackRequest
from latcover.lab.exploring.tilings import Tiling, tiling_puzzle

EXCLUDING = Method("excluding")
FORBIDDEN = "forbidden"
FOR_EXCLUSIONS = "sat"  # the fastest, by `python -m benchmarks packings`


class Packing(Struct, frozen=True, eq=False):
    """The best packing that was found, or the fewest cells that keep shapes out.

    Attributes:
        tiling: The copies, or the forbidden cells, in the region; None if nothing was found.
        value: How many copies, cells or forbidden cells there are; None if nothing was found.
        bound: No other packing is better than this; None if nothing is known.
        stop: EXHAUSTED if the answer is proved, or why the search was cut short.
        seconds: How long it took.
        optima: How many packings are as good, symmetric images included; None if that is not known.
    """

    tiling: Tiling | None
    value: int | None
    bound: int | None
    stop: Stop
    seconds: float
    optima: int | None = None

    def __repr__(self) -> str:
        return f"<Packing: {self.value}, {'proved' if self.proved else f'bound {self.bound}; {self.stop.verdict}'}>"

    @property
    def proved(self) -> bool:
        """Whether no other packing is better."""
        return self.stop.is_complete

    @property
    def gap(self) -> float | None:
        """How far the bound is from the value, as a share of it: 0 if that is proved; None if either is unknown."""
        return gap_of(self.value, self.value if self.proved else self.bound)

    def as_json(self) -> dict[str, object]:
        """Plain data, without the tiling."""
        bound, gap = self.value if self.proved else self.bound, self.gap
        known: dict[str, object] = {
            "value": self.value,
            "bound": bound,
            "proved": self.proved,
            "gap": None if gap is None else round(gap, 6),
            "stop": self.stop.value,
        }
        return known if self.optima is None else known | {"optima": self.optima}


def packing_in_words(request: PackRequest, found: Packing) -> str:
    """A packing in a sentence, with what is proved."""
    words = ("fewer", "that leave no room for another") if request.clumsy else ("more", "that fit")
    return _in_words(found, "packing", "covered cell" if request.cells else "part", *words)


def exclusion_in_words(puzzle: Puzzle, found: Packing) -> str:
    """The cells that keep the parts of *puzzle* out in a sentence, with what is proved."""
    names = " and ".join(part.name for part in puzzle.parts)
    return _in_words(found, "choice", "forbidden cell", "fewer", f"that keep {names} out")


def _in_words(found: Packing, kind: str, noun: str, better: str, which: str) -> str:
    if found.value is None:
        return f"there is no {kind}" if found.proved else f"no {kind} was found ({found.stop.verdict})"
    what = f"{counted(found.value, noun)} {which}"
    if found.proved:
        many = f"; {counted(found.optima, kind)} in all as good" if found.optima is not None else ""
        return f"{what}: no {kind} has {better} (proved){many}"
    sense: Sense = "maximize" if better == "more" else "minimize"
    bound = "" if found.bound is None else f"; {bound_in_words(kind, sense, found.value, found.bound)}"
    return f"{what}: the best known{bound} ({found.stop.verdict})"


def region_to_pack(
    shapes: Sequence[Part], cells: Cells, *, period: Period | Sequence[int | Sequence[int]] | None = None
) -> Puzzle:
    """The puzzle to put any number of copies of *shapes* on *cells*, which close on themselves after *period*.

    Raises:
        PuzzleError: the shapes have no lattice.
    """
    shapes = shapes_given("region_to_pack", shapes)
    lattice = shapes[0].lattice
    assert lattice is not None
    closed = None if period is None else Period.read(lattice.dimension, period)
    return tiling_puzzle("packing", lattice, cells, shapes, period=closed)


def pack(
    puzzle: Puzzle | str | Path,
    request: PackRequest = PackRequest(),
    events: Events = SILENT,
    run: Path | None = None,
) -> Packing:
    """The densest packing of copies of the parts of *puzzle*, or the clumsiest, verified.

    Args:
        puzzle: The puzzle, or the name or the path of one.
        run: A file that keeps the best so far, and the bound; an existing one of the same question is gone on with.

    Raises:
        UnsupportedError: the backend or the rule cannot take this puzzle.
        RunFileError: the file belongs to another question, is damaged, or cannot be written.
    """
    begun, puzzle = time.perf_counter(), puzzle_called(puzzle, fits=False)
    if request.once:
        puzzle = replace(puzzle, parts=tuple(replace(part, high=1) for part in puzzle.parts))
    packed = packing_of(puzzle, clumsy=request.clumsy)
    wanted = BestRequest(
        sense="minimize" if request.clumsy else "maximize",
        objective="cells" if request.cells else "parts",
        symmetry="none",
        backend=request.backend or DEFAULT,
        seconds=request.seconds,
    )
    found = best(packed, wanted, events, run=run, asked_by=request)
    tiling = Tiling(packed, found.solutions[0].solution) if found.solutions else None
    return Packing(tiling, found.value, found.bound, found.search.stop, time.perf_counter() - begun, found.optima)


def exclude(
    puzzle: Puzzle | str | Path,
    request: ExcludeRequest = ExcludeRequest(),
    events: Events = SILENT,
    run: Path | None = None,
) -> Packing:
    """The fewest cells of the region to forbid so that no part of *puzzle* fits; its bounds on copies do not matter.

    Each placement is an item, which one of its cells must hold. The result is checked by trying every place again.

    Args:
        puzzle: As of `pack`.
        run: As of `pack`.

    Raises:
        InternalError: a part still fits.
        RunFileError: the file belongs to another question, is damaged, or cannot be written.
    """
    begun, puzzle = time.perf_counter(), puzzle_called(puzzle, fits=False)
    events.on_stage("placing the parts")
    require_sound(puzzle, fits=False)
    table = placements(puzzle)
    n = len(table.region.cells)
    events.on_stage("searching")
    order = np.argsort(table.cells, kind="stable")
    owner = np.repeat(np.arange(len(table), dtype=np.int32), np.diff(table.starts))[order]
    starts = np.searchsorted(table.cells[order], np.arange(n + 1)).astype(np.int64)
    sizes = np.maximum(2, np.diff(table.starts)).astype(np.int32)
    problem = CoverProblem(starts, owner, np.ones(len(table), np.int32), sizes)
    question = Question.of(EXCLUDING, request, puzzle=puzzle, cover_problem=problem)
    file = None if run is None else KeptOptimum(run, question, n)
    search = _Exclusion(problem, events, file)
    with file or nullcontext():
        result = search.result(create(request.backend or FOR_EXCLUSIONS), Limits(seconds=request.seconds))
    tiling = None if search.cells is None else _without(puzzle, table.region, search.cells)
    value = None if search.cells is None else len(search.cells)
    return Packing(tiling, value, search.bound, result.stop, time.perf_counter() - begun)


class _Exclusion:
    """Looks for the fewest cells, after what a file holds.

    Attributes:
        cells: The fewest so far; None if nothing was found.
        bound: There are no fewer.
    """

    def __init__(self, problem: CoverProblem, events: Events, file: KeptOptimum | None) -> None:
        self._problem, self._events, self._file = problem, events, file
        self.cells: tuple[int, ...] | None = None
        self._costs = Costs.of_terms(np.ones(problem.n_options), [])
        self.bound = least_cost(self._costs, problem)
        self._is_proved = False
        if file is None:
            return
        for cover in file.covers:
            held = {item for option in cover.members for item in problem.items_of(option).tolist()}
            if len(held) < problem.n_items or len(set(cover.members)) != cover.cost:
                raise file.fault(file.covers[cover], "its cells do not keep the parts out")
            if self.cells is None or len(cover.members) < len(self.cells):
                self.cells = cover.members
        self.bound = max(self.bound, file.bound or 0)
        self._is_proved = file.is_ended and self.cells is not None

    @property
    def bar(self) -> int:
        """How many cells are wanted at most."""
        return MOST_COST if self.cells is None else len(self.cells) - 1

    def result(self, solver: Backend, limits: Limits) -> SearchResult:
        """Let *solver* search, unless it is known already that there are no fewer."""
        if self._is_met:
            return SearchResult(Stop.EXHAUSTED)
        on_progress = self._events.on_progress
        bar = CostBar(self._costs, self.bar, self._take, self._note, least=self.bound)
        found = guard.search(solver, SearchTask(self._problem, bar.take, limits, on_progress, bar=bar))
        found = replace(found, stop=Stop.EXHAUSTED) if self._is_met else found
        if self._file is not None and found.complete:
            self._file.end()
        return found

    @property
    def _is_met(self) -> bool:
        return self._is_proved or (self.cells is not None and len(self.cells) <= self.bound)

    def _take(self, batch: Batch, prices: Longs) -> int | None:
        for cover, price in zip(batch, prices.tolist(), strict=True):
            if price <= self.bar:
                self.cells = tuple(np.sort(cover).tolist())
                if self._file is not None:
                    self._file.add(KeptCover(cost=price, members=self.cells))
        return None if self._is_met else self.bar

    def _note(self, bound: int) -> None:
        if bound > self.bound:
            self.bound = bound
            if self._file is not None:
                self._file.add_bound(bound)


def _without(puzzle: Puzzle, region: Region, forbidden: Sequence[int]) -> Tiling:
    """The forbidden cells as copies of a part of one cell of each node, checked."""
    lattice, cells = puzzle.lattice, [tuple(cell) for cell in region.cells.tolist()]
    chosen = [cells[k] for k in forbidden]
    for part in puzzle.parts:
        if found := room_for(puzzle, part, {*cells} - {*chosen}):
            raise InternalError(f"part {part.name!r} still fits on {found}")
    names = [FORBIDDEN + f" {node.name}" * (len(lattice.nodes) > 1) for node in lattice.nodes]
    alone = [np.array([(k, *[0] * lattice.dimension)], np.int32) for k in range(len(names))]
    parts = tuple(Part(name, cell, low=0, high=None, lattice=lattice) for name, cell in zip(names, alone, strict=True))
    placed = tuple(Placed(parts[cell[0]].name, (cell,)) for cell in chosen)
    shown = replace(puzzle, parts=parts, region=replace(region, optional=np.ones(len(cells), np.bool_)))
    return Tiling(shown, Solution(placed))
