"""Taking solutions apart by sliding, and by turning: hands puzzles to the native search, and checks its results."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from latcover.backends import _native
from latcover.core.model.disassembly import Disassembly, Pieces, Separation, Step
from latcover.core.model.lattice import CLOSE
from latcover.core.model.puzzle import Puzzle, require_puzzle
from latcover.core.model.replay import faults_of_each
from latcover.core.model.request_values import Threads, When
from latcover.core.model.solution import Placed, Solution
from latcover.core.model.turn_bounds import MOST_TURNING
from latcover.core.model.turn_data import Turning
from latcover.errors import InternalError, PuzzleError, UnsupportedError
from latcover.lab.assembly.directions import reaches, rises
from latcover.lab.assembly.sliding_sweeps import Sweeps, slide_arrays, sweeps

if TYPE_CHECKING:
    from latcover.lab.assembly.prisms import Axis
    from latcover.lab.assembly.turning_apart import TurningApart

Ints = npt.NDArray[np.int32]
Points = npt.NDArray[np.float64]
MOST_STATES = 10_000_000
MOST_PIECES: int = _native.most_parts
CLEAR = 1e-6
UNLIMITED = (1 << 64) - 1


class ApartLimits(Struct, frozen=True):
    """When to give up on solutions.

    Attributes:
        states: How many positions of pieces to examine for a solution; None is no limit.
        seconds: The time for all solutions together; None is no limit.
    """

    states: int | None = MOST_STATES
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.states is not None and (not isinstance(self.states, int) or self.states < 0):
            raise UnsupportedError(
                f"a limit of states must be a whole number (0 or more) or None, not {self.states!r:.40}"
            )
        if self.seconds is not None and not (isinstance(self.seconds, int | float) and self.seconds == self.seconds):
            raise UnsupportedError(f"a limit of seconds must be a number or None, not {self.seconds!r:.40}")


class ApartProgress(Struct, frozen=True):
    """The progress: solutions done, positions examined in them, seconds."""

    done: int
    states: int
    seconds: float


OnApartProgress = Callable[[ApartProgress], bool]


class Shape(Struct, frozen=True, eq=False):
    """A shape up to translation.

    Attributes:
        number: Its number in the native search.
        cells: Shape (n, 4): node, x, y, z of each cell.
        low, high: Its extent along each direction, in steps of the direction, from its origin.
    """

    number: int
    cells: Ints
    low: list[float]
    high: list[float]


class Assembler(Struct, eq=False, dict=True):
    """Takes the solutions of one puzzle apart. It remembers how shapes block each other.

    Args:
        puzzle: The puzzle.
        in_plane: Whether pieces that lie in a plane must stay in it.
        turns: When turns are tried, beside slides.
        turning: The room that parts have to turn; None takes what the puzzle says.
        advises: Whether it says at which play it would take apart what it does not; that takes longer.

    Raises:
        UnsupportedError: the lattice does not say how its parts slide, or the region closes on itself.
    """

    puzzle: Puzzle
    in_plane: bool = False
    turns: When = "never"
    turning: Turning | None = None
    advises: bool = True
    shapes: dict[bytes, Shape] = field(default_factory=dict)
    _seen: dict[Placed, tuple[Shape, npt.NDArray[np.int64]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        puzzle = self.puzzle
        if puzzle.region.period:
            raise UnsupportedError("the region closes on itself, so its parts do not slide in straight lines")
        self.lifted = puzzle.lattice.dimension < 3 and not self.in_plane
        self._kinds = {part.name: k for k, part in enumerate(puzzle.parts)}
        if self.lifted:
            return
        geometry = sweeps(puzzle.lattice)
        chosen = self._chosen(geometry)
        self.directions = geometry.directions[chosen]
        self.scales: list[list[float]] = rises(puzzle.lattice, self.directions).tolist()
        self._ways = [(tuple(way), tuple(-x for x in way)) for way in self.directions.tolist()]  # each and its opposite
        self.slides = slide_arrays(puzzle.lattice, chosen)
        self._native = _native.Assembler(*self.slides)
        self.group_limits = self._group_limits()
        self._turning_search: TurningApart | None = None

    @property
    def only_slides(self) -> str:
        """Why only slides are examined although turns are asked for; "" if turns are, too."""
        if self.lifted or self.turns == "never" or self._axes():
            return ""
        lattice = self.puzzle.lattice.name
        return f"the cells of {lattice!r} are not prisms along an axis of rotation: turns are not examined"

    @property
    def room(self) -> Turning | None:
        """The room with which turns are looked for; None if only slides are."""
        if self.lifted or self.turns == "never" or not self._axes():
            return None
        return self.turning or self.puzzle.turning or Turning()

    def _axes(self) -> list[Axis]:
        """The axes about which parts may turn."""
        from latcover.lab.assembly.prisms import axes

        across = layer(self.puzzle) if self.in_plane else None
        found = axes(self.puzzle.lattice)
        return [a for a in found if across is None or abs(abs(float(np.dot(a.direction, across))) - 1) < CLOSE]

    def _chosen(self, geometry: Sweeps) -> list[int]:
        """The directions that may be used."""
        everything = list(range(len(geometry.directions)))
        if not self.in_plane or self.puzzle.lattice.dimension < 3:
            return everything
        across = layer(self.puzzle)
        if across is None:
            raise UnsupportedError("the region does not lie in one layer, so its parts cannot stay in a plane")
        along = geometry.directions @ self.puzzle.lattice.basis
        chosen = [k for k in everything if abs(along[k] @ across) < CLOSE]
        if not chosen:
            raise UnsupportedError(f"the lattice {self.puzzle.lattice.name!r} has no directions within this layer")
        return chosen

    def _group_limits(self) -> Ints:
        """How many copies of each part may stay in each group, shape (n_groups, n_parts)."""
        names = sorted({name for part in self.puzzle.parts for name, _ in part.groups})
        limits = np.zeros((len(names), len(self.puzzle.parts)), np.int32)
        for k, part in enumerate(self.puzzle.parts):
            for name, most in part.groups:
                limits[names.index(name), k] = MOST_PIECES if most is None else min(most, MOST_PIECES)
        return limits

    def take_apart(
        self,
        solutions: Sequence[Solution],
        limits: ApartLimits = ApartLimits(),
        *,
        threads: int = 1,
        on_progress: OnApartProgress | None = None,
    ) -> list[Disassembly]:
        """Take each of *solutions* apart. Every disassembly has passed its check.

        Args:
            solutions: Solutions of the puzzle.
            limits: When to give up.
            threads: How many threads work, on several solutions or on one. The results do not depend on it.
            on_progress: May stop the work by returning False; the remaining solutions are then "unknown".

        Raises:
            UnsupportedError: a solution has more pieces than can be handled.
        """
        if self.lifted:
            return [Disassembly("apart", len(solution.placements), flat=True) for solution in solutions]
        for solution in solutions:
            if len(solution.placements) > MOST_PIECES:
                raise UnsupportedError(
                    f"at most {MOST_PIECES} pieces can be taken apart, not {len(solution.placements)}"
                )
        begun = time.perf_counter()
        may_turn = self.room is not None
        always = self.turns == "always" and may_turn
        first = [k for k, s in enumerate(solutions) if not always or len(s.placements) > MOST_TURNING]
        found: dict[int, Disassembly] = {}
        if first:
            slid = self._slide_apart([solutions[k] for k in first], limits, threads, on_progress)
            found = {k: one for k, one in zip(first, slid, strict=True) if not (may_turn and one.result == "stuck")}
        left = [k for k in range(len(solutions)) if k not in found]
        if left:
            seconds = None if limits.seconds is None else max(0.0, limits.seconds - (time.perf_counter() - begun))
            late = ApartLimits(limits.states, seconds)
            turned = self._turn_apart([solutions[k] for k in left], late, threads, on_progress)
            found |= zip(left, turned, strict=True)
        return self._checked(solutions, [found[k] for k in range(len(solutions))])

    def _slide_apart(
        self, solutions: Sequence[Solution], limits: ApartLimits, threads: int, on_progress: OnApartProgress | None
    ) -> list[Disassembly]:
        rows = [self.row(placed) for solution in solutions for placed in solution.placements]
        starts = np.cumsum([0, *(len(solution.placements) for solution in solutions)])
        found = self._native.take_apart(
            starts.astype(np.int64),
            np.array(rows, np.int32).reshape(-1),
            n_kinds=max(1, len(self.puzzle.parts)),
            limits=self.group_limits.reshape(-1),
            max_states=_most(limits),
            max_seconds=limits.seconds,
            threads=threads,
            on_progress=_told(on_progress),
        )
        return [self._disassembly(s, taken) for s, taken in zip(solutions, found, strict=True)]

    def _turn_apart(
        self, solutions: Sequence[Solution], limits: ApartLimits, threads: int, on_progress: OnApartProgress | None
    ) -> list[Disassembly]:
        from latcover.lab.assembly.turning_search import TurningTask

        if self._turning_search is None:
            from latcover.lab.assembly.turning_apart import TurningApart

            room = self.room
            assert room is not None
            longest = max(int(np.ptp(part.cells[:, 1:], axis=0).max()) + 1 for part in self.puzzle.parts)
            self._turning_search = TurningApart(
                self.puzzle.lattice,
                self.slides,
                self.directions,
                self._axes(),
                room,
                longest,
                advises=self.advises,
            )
        rows = [[tuple(self.row(placed)[1:3]) for placed in solution.placements] for solution in solutions]
        return self._turning_search.take_apart(
            TurningTask(
                solutions,
                [[(kind, weight) for kind, weight in row] for row in rows],
                n_kinds=max(1, len(self.puzzle.parts)),
                limits=self.group_limits.reshape(-1),
                always=self.turns == "always",
                max_states=_most(limits),
                ends=None if limits.seconds is None else time.perf_counter() + limits.seconds,
                threads=threads,
                on_progress=_told(on_progress),
            )
        )

    def row(self, placed: Placed) -> list[int]:
        """The shape, kind, weight and place of a piece, for the native search."""
        shape, place = self._placed(placed)
        kind = self._kinds[placed.part]
        return [shape.number, kind, self.puzzle.parts[kind].weight, *place.tolist()]

    def _placed(self, placed: Placed) -> tuple[Shape, npt.NDArray[np.int64]]:
        """The shape of a piece, and where its origin lies, padded to three coordinates."""
        if placed not in self._seen:
            cells = np.array(placed.cells, np.int32)
            place = cells[:, 1:].min(axis=0)
            cells[:, 1:] -= place
            key = cells.tobytes()
            if key not in self.shapes:
                self.shapes[key] = self._shape(cells)
            padded = np.zeros(3, np.int64)
            padded[: len(place)] = place
            self._seen[placed] = self.shapes[key], padded
        return self._seen[placed]

    def _shape(self, cells: Ints) -> Shape:
        lattice = self.puzzle.lattice
        rows = np.zeros((len(cells), 4), np.int32)
        rows[:, : cells.shape[1]] = cells
        low, high = reaches(lattice, self.directions, cells)
        return Shape(
            self._native.add_shape(rows.reshape(-1)),
            rows,
            low.min(axis=0).tolist(),
            high.max(axis=0).tolist(),
        )

    def _disassembly(self, solution: Solution, taken: _native.TakenApart) -> Disassembly:
        """The results of the native search as data."""
        placed = [self._placed(each) for each in solution.placements]
        shapes, dimension = [shape for shape, _ in placed], self.puzzle.lattice.dimension
        places = [place[:dimension].tolist() for _, place in placed]
        separations = []
        for parting in taken.partings:
            steps = []
            for move in parting.moves:
                forwards, distance = move.steps > 0, abs(move.steps)
                direction = self._ways[move.direction][not forwards]
                if move.separates:
                    ahead, behind = (move.parts, parting.stays) if forwards else (parting.stays, move.parts)
                    distance = self._clear(shapes, places, move.direction, ahead=ahead, behind=behind)
                for k in move.parts:
                    places[k] = [x + distance * d for x, d in zip(places[k], direction, strict=True)]
                steps.append(Step(move.parts, direction, distance, move.separates))
            separations.append(Separation(parting.parts, tuple(steps), parting.stays, parting.removed))
        return Disassembly(
            taken.result,
            len(placed),
            tuple(separations),
            least=taken.least,
            states=taken.states,
            reached=taken.reached,
            stop=taken.stop,
        )

    def _clear(
        self,
        shapes: Sequence[Shape],
        places: Sequence[Sequence[int]],
        number: int,
        *,
        ahead: Pieces,
        behind: Pieces,
    ) -> int:
        """The steps in this direction after which the pieces *ahead* are clear of those *behind*."""
        scale = self.scales[number]

        def at(piece: int) -> float:
            return sum([x * rise for x, rise in zip(places[piece], scale, strict=True)])

        low = min([at(k) + shapes[k].low[number] for k in ahead])
        high = max([at(k) + shapes[k].high[number] for k in behind])
        return max(1, ceil(high - low - CLEAR))

    def _checked(self, solutions: Sequence[Solution], found: list[Disassembly]) -> list[Disassembly]:
        plans = list(zip(solutions, found, strict=True))
        for (solution, _), faults in zip(plans, faults_of_each(self.puzzle, plans), strict=True):
            if faults:
                raise InternalError(
                    f"a disassembly of solution {solution.number} of {self.puzzle.name!r} fails its check: "
                    f"{'; '.join(faults[:3])}"
                )
        return found


def _most(limits: ApartLimits) -> int:
    return UNLIMITED if limits.states is None else min(limits.states, UNLIMITED)


def _told(on_progress: OnApartProgress | None) -> Callable[[int, int, float], bool] | None:
    return None if on_progress is None else lambda *figures: on_progress(ApartProgress(*figures))


def layer(puzzle: Puzzle) -> Points | None:
    """The unit normal of the plane in which the centres of the region's cells lie.

    None if they lie in no plane, in one line, or if the lattice itself is flat.
    """
    if puzzle.lattice.dimension < 3:
        return None
    centres = puzzle.lattice.centres(puzzle.region.cells)
    inner = centres - centres.mean(axis=0)
    _, sizes, axes = np.linalg.svd(inner.T @ inner)
    if sizes[2] > CLEAR or sizes[1] < CLEAR:
        return None
    across: Points = axes[2]
    return across


def assembler_of(puzzle: Puzzle, *, in_plane: bool = False) -> Assembler:
    """An assembler that also turns parts if the puzzle's file says how much room they have."""
    return Assembler(puzzle, in_plane, usual_turns(puzzle.turning))


def usual_turns(room: Turning | None) -> When:
    """When turns are tried, if nobody says so: where slides alone do not do, if parts have *room* to turn."""
    return "never" if room is None else "needed"


def stays_in_plane(puzzle: Puzzle) -> bool:
    """Whether its parts, if nobody says more, are not lifted off: it is flat, and they have room to turn."""
    return puzzle.lattice.dimension < 3 and puzzle.turning is not None


def disassemble(
    solution: Solution,
    limits: ApartLimits = ApartLimits(),
    *,
    puzzle: Puzzle | None = None,
    in_plane: bool = False,
    turns: When | None = None,
    turning: Turning | None = None,
    threads: Threads = 1,
) -> Disassembly:
    """How *solution* comes apart by sliding, or by turning too, checked.

    Args:
        solution: A solution of a puzzle.
        limits: When to give up; the result is then "unknown". If it is "unproved", no way was found by turning either.
        puzzle: Its puzzle; None takes the one that the solution knows.
        in_plane: Whether pieces that lie in a plane must stay in it.
        turns: When turns are tried: "needed" is where slides alone do not take it apart. None is "needed" if
            *turning* or the puzzle's file says how much room parts have to turn, and "never" otherwise.
        turning: The room that parts have to turn; None takes what the puzzle says.
        threads: How many threads may search. The result does not depend on it.

    Raises:
        PuzzleError: what is given is not a solution.
        UnsupportedError: the lattice does not say how its parts slide, the region closes on itself, or there are too
            many pieces.
    """
    if not isinstance(solution, Solution):
        raise PuzzleError(
            f'disassemble takes a solution, as latcover.solutions("soma") gives them; not {solution!r:.80}'
        )
    owner = puzzle or solution.puzzle
    if owner is None:
        raise UnsupportedError("the solution has lost its puzzle; give it as puzzle=...")
    require_puzzle("disassemble", owner)
    when = turns or usual_turns(turning or owner.turning)
    (found,) = _assembler(owner, in_plane, when, turning).take_apart([solution], limits, threads=threads)
    return found


@lru_cache(maxsize=8)
def _assembler(puzzle: Puzzle, in_plane: bool, turns: When, turning: Turning | None) -> Assembler:
    return Assembler(puzzle, in_plane, turns, turning)
