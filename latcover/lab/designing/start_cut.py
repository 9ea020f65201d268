"""The assembly with which the growth of a puzzle begins: a solution of it, checked, as a cut of its region."""

from __future__ import annotations

import time

import numpy as np
from msgspec import Struct

from latcover.backends import DEFAULT, create
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Limits, Progress
from latcover.core.encoding.prepared import prepare
from latcover.core.model.lattice import Cells
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.core.model.turn_data import Turning
from latcover.core.solving.run import run
from latcover.errors import PuzzleError, UnsupportedError, counted
from latcover.lab.assembly.taking_apart import ApartLimits, Assembler
from latcover.lab.designing.design_requests import GrowRequest
from latcover.lab.designing.region_names import NamedRegion, region_of

MOST_SOLUTIONS = 1000  # of a puzzle, of which the one that comes apart latest is taken
MOST_STATES = 100_000  # positions, for each of them


class StartCut(Struct, frozen=True, eq=False):
    """An assembly that is to change.

    Attributes:
        region: The cells of the puzzle.
        parts: The cells of each piece, without secondary ones.
        optional: The cells that may stay empty by the puzzle; those without a piece are among them.
        held: The numbers of the pieces that keep their cells.
        level: How it comes apart; empty if it does not, or if its parts lie in a plane.
        turns: How many of its moves are turns.
        turning: The room that its puzzle gives parts to turn; None if it says nothing.
        seconds: How long it took to find.
    """

    BESIDE_THE_QUESTION = frozenset(("seconds",))

    region: NamedRegion
    parts: tuple[Cells, ...]
    optional: Cells
    held: tuple[int, ...]
    level: tuple[int, ...]
    turns: int
    turning: Turning | None
    seconds: float

    @property
    def worth(self) -> tuple[int, int, int]:
        """The moves to the first separation, and of all, and how many of these are turns."""
        return (self.level[0] if self.level else 0, sum(self.level), self.turns)

    @property
    def empty(self) -> int:
        """How many cells have no piece."""
        return len(self.region.cells) - sum(map(len, self.parts))


def start_of(puzzle: Puzzle, name: str, request: GrowRequest, events: Events = SILENT) -> StartCut:
    """The assembly of *puzzle* that a request asks for.

    Args:
        puzzle: The puzzle; its parts may undergo what the lattice allows by itself.
        name: What the puzzle is called in a command.
        request: Says which solution, and which parts are held.
        events: Told of the progress; may end the search.

    Raises:
        PuzzleError: the puzzle has no such solution, is not of plain connected parts, or has no part that is held.
        UnsupportedError: its parts lie in a plane, and the request is not about a long search.
    """
    _require_plain(puzzle, request)
    begun = time.perf_counter()
    limits = Limits(covers=request.solution or MOST_SOLUTIONS, seconds=request.seconds)
    found: list[Solution] = []
    events.on_stage("solving the puzzle")
    result = run(prepare(puzzle), create(DEFAULT), limits, found.append, on_progress=events.on_progress)
    wanted = [s for s in found if request.solution in (None, s.number)]
    if not wanted and not result.complete and result.stop != Stop.SOLUTION_LIMIT:
        raise PuzzleError(f"{name}: no solution was found before the search ended ({result.stop}); give more --time")
    if not wanted:
        has = counted(len(found), "solution") if found else "no solution"
        raise PuzzleError(f"{name} has {has}, so there is no assembly to begin with")
    left = None if request.seconds is None else max(0.0, request.seconds - (time.perf_counter() - begun))
    solution, level, turns = _hardest(puzzle, wanted, request, left, events)
    lattice = puzzle.lattice
    region = region_of(puzzle, name)
    optional = {tuple(cell) for cell in puzzle.region.cells[puzzle.region.optional].tolist()}
    parts = tuple(_primary(puzzle, np.array(placed.cells, np.int32)) for placed in solution.placements)
    for placed, cells in zip(solution.placements, parts, strict=True):
        if not lattice.connects(cells.tolist()):
            raise PuzzleError(f"part {placed.part} of {name} is not connected; only connected parts can grow")
    mine = [tuple(cell) in optional for cell in region.cells.tolist()]
    held = tuple(k for k, placed in enumerate(solution.placements) if placed.part in request.hold)
    seconds = time.perf_counter() - begun
    return StartCut(region, parts, region.cells[np.array(mine, np.bool_)], held, level, turns, puzzle.turning, seconds)


def _require_plain(puzzle: Puzzle, request: GrowRequest) -> None:
    """Raise an error if a puzzle is of more than cells."""
    if puzzle.lattice.dimension < 3 and not request.hard:
        raise UnsupportedError(
            f"the parts of {puzzle.name} lie in a plane and can be lifted off, so there is no level to raise; with "
            "--hard they grow towards a long search"
        )
    if len(puzzle.colours) > 1 or len(puzzle.rules.sides) > 1:
        raise PuzzleError(f"{puzzle.name} has colours or rules for sides; only puzzles of plain cells can grow")
    names = {part.name for part in puzzle.parts}
    for name in request.hold:
        if name not in names:
            raise PuzzleError(f"{puzzle.name} has no part {name!r} to hold; its parts are {', '.join(sorted(names))}")


def _hardest(
    puzzle: Puzzle, solutions: list[Solution], request: GrowRequest, seconds: float | None, events: Events
) -> tuple[Solution, tuple[int, ...], int]:
    """The solution that comes apart latest, the first one of several, its level and turns; stuck ones come last."""
    if puzzle.lattice.dimension < 3:
        return solutions[0], (), 0
    events.on_stage("taking its solutions apart")
    room = (puzzle.turning or Turning()).with_room(request.play, request.bevel)
    taken = Assembler(puzzle, turns=request.turns, turning=room).take_apart(
        solutions,
        ApartLimits(MOST_STATES, seconds),
        on_progress=lambda so_far: events.on_progress(Progress(None, None, so_far.done, so_far.seconds)),
    )
    levels = [found.level if found.result == "apart" else () for found in taken]
    best = max(range(len(levels)), key=lambda k: (levels[k], -k))
    return solutions[best], levels[best], taken[best].turns


def _primary(puzzle: Puzzle, cells: Cells) -> Cells:
    """The cells without those that are covered at most once."""
    secondary = np.array([node.secondary for node in puzzle.lattice.nodes])
    kept: Cells = cells[~secondary[cells[:, 0]]]
    return kept
