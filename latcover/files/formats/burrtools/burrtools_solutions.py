"""The solutions that a BurrTools file stores, and how BurrTools took them apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
from msgspec import Struct

from latcover.core.model.disassembly import Disassembly
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.model.solution import Placed, Solution
from latcover.core.model.verifier import Verifier
from latcover.errors import PuzzleError, PuzzleFileError
from latcover.files.formats.burrtools.burrtools_shapes import ElementError, File, VoxelShape, integer
from latcover.files.formats.burrtools.burrtools_turns import Image, images
from latcover.files.formats.burrtools.grids import GridOnLattice, Places
from latcover.files.formats.burrtools.problems import names_of, open_file, pieces_of, read_problem
from latcover.files.formats.burrtools.separations import BurrToolsSeparation, disassembly_in
from latcover.files.formats.burrtools.tree import Element, read_tree
from latcover.files.formats.source import Source

MOST = 1 << 62
DEEPEST = 300
FARTHEST = 1_000_000  # places from the origin

T = TypeVar("T")
Place = tuple[int, int, int, int]  # x, y, z, and the number of BurrTools' transformation


class BurrToolsSolution(Struct, frozen=True):
    """A solution that BurrTools stored.

    Attributes:
        number: Its number among BurrTools' assemblies, from 1.
        places: Where each copy of each piece is; None for a copy that is not used.
        separation: How it comes apart; None if that is not stored.
    """

    number: int
    places: tuple[Place | None, ...]
    separation: BurrToolsSeparation | None


def read_solutions(source: Source, bounds: Bounds) -> dict[str, tuple[BurrToolsSolution, ...]]:
    """The stored solutions of each problem, by the names that `read_problems` gives the problems.

    Raises:
        PuzzleFileError: the file cannot be read, or its stored solutions are faulty.
    """
    root = read_tree(source, bounds.file_bytes, solutions=True)
    try:
        return {name: _stored(problem) for name, problem in _named_problems(root)}
    except ElementError as fault:
        raise PuzzleFileError([fault.complaint(source.name)]) from None


def read_assemblies(source: Source, bounds: Bounds) -> dict[str, tuple[Solution, ...]]:
    """The stored solutions of each problem as solutions of its puzzle, each verified.

    Raises:
        PuzzleFileError: the file or a problem with solutions cannot be read, or a stored solution is wrong.
    """
    found = _assembled(source, bounds, lambda assembler, stored, number: assembler.solution(stored, number))
    return {name: tuple(solutions) for name, solutions in found.items()}


def read_disassemblies(source: Source, bounds: Bounds) -> dict[str, tuple[tuple[Solution, Disassembly | None], ...]]:
    """The same, with how each solution comes apart: every move made by the checker. None where that is not stored.

    Raises:
        PuzzleFileError: what `read_assemblies` raises; or a stored disassembly does not take its solution apart.
    """
    found = _assembled(source, bounds, lambda assembler, stored, number: assembler.apart(stored, number))
    return {name: tuple(solutions) for name, solutions in found.items()}


def _assembled(
    source: Source, bounds: Bounds, read: Callable[[_Assembler, BurrToolsSolution, int], T]
) -> dict[str, list[T]]:
    """What *read* makes of the stored solutions of each problem."""
    root = read_tree(source, bounds.file_bytes, solutions=True)
    found: dict[str, list[T]] = {}
    try:
        file = open_file(source, root, bounds)
        frame = GridOnLattice.of(file.grid, file.lattice)
        for number, (name, problem) in enumerate(_named_problems(root), 1):
            stored = _stored(problem)
            puzzle = read_problem(file, problem, name, number) if stored else None
            if isinstance(puzzle, PuzzleFileError):
                raise puzzle
            if puzzle is None:
                found[name] = []
                continue
            assembler = _Assembler(file, frame, problem, puzzle)
            found[name] = [read(assembler, each, k) for k, each in enumerate(stored, 1)]
    except ElementError as fault:
        raise PuzzleFileError([fault.complaint(source.name)]) from None
    return found


def _named_problems(root: Element) -> Iterator[tuple[str, Element]]:
    problems = root.each("problems", "problem")
    return zip(names_of(problems), problems, strict=True)


def _stored(problem: Element) -> tuple[BurrToolsSolution, ...]:
    return tuple(_solution(e, k) for k, e in enumerate(problem.each("solutions", "solution"), 1))


class _Assembler:
    """Puts the pieces of a problem where its stored solutions have them."""

    def __init__(self, file: File, frame: GridOnLattice, problem: Element, puzzle: Puzzle) -> None:
        self._frame, self._problem, self._puzzle = frame, problem, puzzle
        self._pieces = pieces_of(file, problem, "the problem")
        self._slots = [index for index, piece in enumerate(self._pieces) for _ in range(piece.high)]
        self._hotspots = [_hotspot(piece.shape) for piece in self._pieces]
        self._verifier = Verifier(puzzle)
        self._images: dict[int, list[Image | None]] = {}

    def solution(self, stored: BurrToolsSolution, number: int) -> Solution:
        return self._numbered(stored, number)[0]

    def apart(self, stored: BurrToolsSolution, number: int) -> tuple[Solution, Disassembly | None]:
        solution, slots = self._numbered(stored, number)
        if stored.separation is None:
            return solution, None
        try:
            return solution, disassembly_in(stored.separation, solution, slots, self._frame)
        except PuzzleError as fault:
            raise self._fault(f"stored solution {number} does not come apart as the file says: {fault}") from None

    def _numbered(self, stored: BurrToolsSolution, number: int) -> tuple[Solution, list[int]]:
        """A solution; and of each of its placements, the number of its copy among all copies."""
        what = f"stored solution {number}"
        if len(stored.places) != len(self._slots):
            raise self._fault(f"{what} has {len(stored.places)} pieces; the problem uses {len(self._slots)}")
        placements = [
            (index, self._placed(index, place, what), slot)
            for slot, (index, place) in enumerate(zip(self._slots, stored.places, strict=True))
            if place is not None
        ]
        placements.sort(key=lambda entry: (entry[0], entry[1].cells))
        solution = Solution(tuple(placed for _, placed, _ in placements), number, puzzle=self._puzzle)
        faults = self._verifier.faults(solution)
        if faults:
            raise self._fault(f"{what} is not a solution: {'; '.join(faults[:3])}")
        return solution, [slot for _, _, slot in placements]

    def _placed(self, index: int, stored: Place, what: str) -> Placed:
        (*place, number), part = stored, self._puzzle.parts[index]
        shape = self._pieces[index].shape
        if index not in self._images:
            self._images[index] = list(images(self._frame, shape.places, self._hotspots[index]))
        known = self._images[index]
        if not 0 <= number < len(known):
            raise self._fault(f"{what}: there is no rotation {number}; the grid has {len(known)}, from 0")
        made = known[number]
        by = None if made is None or max(map(abs, place)) > FARTHEST else np.array(place) - made[1]
        if made is None or by is None or not self._frame.moves_by(by):
            raise self._fault(f"{what} puts {shape.label} off the grid")
        cells = made[0].copy()
        cells[:, 1:] += np.rint(by @ np.linalg.inv(self._frame.axes)).astype(np.int32)
        order = np.lexsort(cells.T[::-1])
        names = [self._puzzle.colours[k] for k in part.colours[order].tolist()] if part.colours.any() else []
        return Placed(part.name, tuple(map(tuple, cells[order].tolist())), tuple(names))

    def _fault(self, message: str) -> ElementError:
        return ElementError(self._problem, message)


def _hotspot(shape: VoxelShape) -> Places:
    found = [integer(shape.element, f"h{axis}", shape.label, -FARTHEST, FARTHEST) for axis in "xyz"]
    return np.array([h or 0 for h in found], dtype=np.int64)


def _solution(element: Element, count: int) -> BurrToolsSolution:
    what = f"stored solution {count}"
    number = integer(element, "asmNum", what, 0, MOST)
    assembly, separations = element.all("assembly"), element.all("separation")
    places = tuple(_places(assembly[0], what)) if assembly else ()
    separation = _separation(separations[0], what) if separations else None
    return BurrToolsSolution(count if number is None else number + 1, places, separation)


def _places(element: Element, what: str) -> Iterator[Place | None]:
    words = iter("".join(element.text).split())
    for word in words:
        if word == "x":
            yield None
            continue
        try:
            yield int(word), int(next(words)), int(next(words)), int(next(words))
        except (ValueError, StopIteration):
            raise ElementError(
                element, f"{what}: its assembly must be four whole numbers for each piece, or x"
            ) from None


def _separation(element: Element, what: str, depth: int = 0) -> BurrToolsSeparation:
    if depth > DEEPEST:
        raise ElementError(element, f"{what}: its separations are nested more than {DEEPEST} deep")
    pieces = _numbers(element.all("pieces"), element, f"{what}: its pieces")
    states = []
    for state in element.all("state"):
        axes = [_numbers(state.all(name), state, f"{what}: its {name}") for name in ("dx", "dy", "dz")]
        if any(len(axis) != len(pieces) for axis in axes):
            raise ElementError(state, f"{what}: a state must have a number for each of its {len(pieces)} pieces")
        states.append(tuple(zip(*axes, strict=True)))
    if len(states) < 2:
        raise ElementError(element, f"{what}: a separation must have two states at least")
    below = {inner.attributes.get("type"): _separation(inner, what, depth + 1) for inner in element.all("separation")}
    return BurrToolsSeparation(pieces, tuple(states), (below.get("left"), below.get("removed")))


def _numbers(elements: list[Element], holder: Element, what: str) -> tuple[int, ...]:
    text = "".join(elements[0].text).split() if elements else []
    try:
        numbers = tuple(map(int, text))
    except ValueError:
        numbers = ()
    if not numbers:
        raise ElementError(elements[0] if elements else holder, f"{what} must be whole numbers")
    return numbers
