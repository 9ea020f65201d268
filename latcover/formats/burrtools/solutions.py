"""The solutions that a BurrTools file stores, and how BurrTools took them apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from latcover.errors import PuzzleFileError
from latcover.formats.burrtools.grids import Frame, Places
from latcover.formats.burrtools.problems import names_of, open_file, pieces_of, read_problem
from latcover.formats.burrtools.shapes import FaultError, File, VoxelShape, integer
from latcover.formats.burrtools.tree import Element, read_tree
from latcover.formats.burrtools.turns import Image, images
from latcover.formats.source import Source
from latcover.model.puzzle import Bounds, Puzzle
from latcover.model.solution import Placed, Solution
from latcover.model.verifier import Verifier

AWAY = 1000  # steps; a piece that is so far from where it was is removed
MOST = 1 << 62
DEEPEST = 300
FARTHEST = 1_000_000  # places from the origin

Place = tuple[int, int, int, int]  # x, y, z, and the number of BurrTools' transformation
Offsets = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class StoredSeparation:
    """How a group of pieces was parted.

    Attributes:
        pieces: The numbers of the copies, in the order of the problem, from 0.
        states: For the start and after each move, where each of the pieces is.
        below: The separations of the group that stays, and of the one that is removed; None for a single piece.
    """

    pieces: tuple[int, ...]
    states: tuple[Offsets, ...]
    below: tuple[StoredSeparation | None, StoredSeparation | None]

    @property
    def moves(self) -> int:
        return len(self.states) - 1

    @property
    def removed(self) -> tuple[int, ...]:
        """The pieces that are far away in the end."""
        start, end = self.states[0], self.states[-1]
        far = [max(abs(a - b) for a, b in zip(p, q, strict=True)) >= AWAY for p, q in zip(start, end, strict=True)]
        return tuple(piece for piece, is_far in zip(self.pieces, far, strict=True) if is_far)

    @property
    def level(self) -> tuple[int, ...]:
        """The level as BurrTools writes it: groups that come apart in single moves are left out."""
        level: tuple[int, ...] = (self.moves,)
        for below in (group.level for group in self.below if group is not None):
            if max(below) > 1:
                level += below
        return level


@dataclass(frozen=True, slots=True)
class StoredSolution:
    """A solution that BurrTools stored.

    Attributes:
        number: Its number among BurrTools' assemblies, from 1.
        places: Where each copy of each piece is; None for a copy that is not used.
        separation: How it comes apart; None if that is not stored.
    """

    number: int
    places: tuple[Place | None, ...]
    separation: StoredSeparation | None


def read_solutions(source: Source, bounds: Bounds) -> dict[str, tuple[StoredSolution, ...]]:
    """The stored solutions of each problem, by the names that `read_problems` gives the problems.

    Raises:
        PuzzleFileError: the file cannot be read, or its solutions are no such.
    """
    root = read_tree(source, bounds.file_bytes, solutions=True)
    try:
        return {name: _stored(problem) for name, problem in _named_problems(root)}
    except FaultError as fault:
        raise PuzzleFileError([fault.complaint(source.name)]) from None


def read_assemblies(source: Source, bounds: Bounds) -> dict[str, tuple[Solution, ...]]:
    """The stored solutions of each problem as solutions of its puzzle, each verified.

    Raises:
        PuzzleFileError: the file or a problem with solutions cannot be read, or what it stores is no solution.
    """
    root = read_tree(source, bounds.file_bytes, solutions=True)
    found: dict[str, tuple[Solution, ...]] = {}
    try:
        file = open_file(source, root, bounds)
        frame = Frame.of(file.grid, file.lattice)
        for number, (name, problem) in enumerate(_named_problems(root), 1):
            stored = _stored(problem)
            puzzle = read_problem(file, problem, name, number) if stored else None
            if isinstance(puzzle, PuzzleFileError):
                raise puzzle
            if puzzle is None:
                found[name] = ()
                continue
            assembler = _Assembler(file, frame, problem, puzzle)
            found[name] = tuple(assembler.solution(each, k) for k, each in enumerate(stored, 1))
    except FaultError as fault:
        raise PuzzleFileError([fault.complaint(source.name)]) from None
    return found


def _named_problems(root: Element) -> Iterator[tuple[str, Element]]:
    problems = root.each("problems", "problem")
    return zip(names_of(problems), problems, strict=True)


def _stored(problem: Element) -> tuple[StoredSolution, ...]:
    return tuple(_solution(e, k) for k, e in enumerate(problem.each("solutions", "solution"), 1))


class _Assembler:
    """Puts the pieces of a problem where its stored solutions have them."""

    def __init__(self, file: File, frame: Frame, problem: Element, puzzle: Puzzle) -> None:
        self._frame, self._problem, self._puzzle = frame, problem, puzzle
        self._pieces = pieces_of(file, problem, "the problem")
        self._slots = [index for index, piece in enumerate(self._pieces) for _ in range(piece.high)]
        self._hotspots = [_hotspot(piece.shape) for piece in self._pieces]
        self._verifier = Verifier(puzzle)
        self._images: dict[int, list[Image | None]] = {}

    def solution(self, stored: StoredSolution, number: int) -> Solution:
        what = f"stored solution {number}"
        if len(stored.places) != len(self._slots):
            raise self._fault(f"{what} has {len(stored.places)} pieces; the problem uses {len(self._slots)}")
        placements = [
            (index, self._placed(index, place, what))
            for index, place in zip(self._slots, stored.places, strict=True)
            if place is not None
        ]
        placements.sort(key=lambda entry: (entry[0], entry[1].cells))
        solution = Solution(tuple(placed for _, placed in placements), number, puzzle=self._puzzle)
        faults = self._verifier.faults(solution)
        if faults:
            raise self._fault(f"{what} is no solution: {'; '.join(faults[:3])}")
        return solution

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

    def _fault(self, message: str) -> FaultError:
        return FaultError(self._problem, message)


def _hotspot(shape: VoxelShape) -> Places:
    found = [integer(shape.element, f"h{axis}", shape.label, -FARTHEST, FARTHEST) for axis in "xyz"]
    return np.array([h or 0 for h in found], dtype=np.int64)


def _solution(element: Element, count: int) -> StoredSolution:
    what = f"stored solution {count}"
    number = integer(element, "asmNum", what, 0, MOST)
    assembly, separations = element.all("assembly"), element.all("separation")
    places = tuple(_places(assembly[0], what)) if assembly else ()
    separation = _separation(separations[0], what) if separations else None
    return StoredSolution(count if number is None else number + 1, places, separation)


def _places(element: Element, what: str) -> Iterator[Place | None]:
    words = iter("".join(element.text).split())
    for word in words:
        if word == "x":
            yield None
            continue
        try:
            yield int(word), int(next(words)), int(next(words)), int(next(words))
        except (ValueError, StopIteration):
            raise FaultError(element, f"{what}: its assembly must be four whole numbers for each piece, or x") from None


def _separation(element: Element, what: str, depth: int = 0) -> StoredSeparation:
    if depth > DEEPEST:
        raise FaultError(element, f"{what}: its separations are nested more than {DEEPEST} deep")
    pieces = _numbers(element.all("pieces"), element, f"{what}: its pieces")
    states = []
    for state in element.all("state"):
        axes = [_numbers(state.all(name), state, f"{what}: its {name}") for name in ("dx", "dy", "dz")]
        if any(len(axis) != len(pieces) for axis in axes):
            raise FaultError(state, f"{what}: a state must have a number for each of its {len(pieces)} pieces")
        states.append(tuple(zip(*axes, strict=True)))
    if len(states) < 2:
        raise FaultError(element, f"{what}: a separation must have two states at least")
    below = {inner.attributes.get("type"): _separation(inner, what, depth + 1) for inner in element.all("separation")}
    return StoredSeparation(pieces, tuple(states), (below.get("left"), below.get("removed")))


def _numbers(elements: list[Element], holder: Element, what: str) -> tuple[int, ...]:
    text = "".join(elements[0].text).split() if elements else []
    try:
        numbers = tuple(map(int, text))
    except ValueError:
        numbers = ()
    if not numbers:
        raise FaultError(elements[0] if elements else holder, f"{what} must be whole numbers")
    return numbers
