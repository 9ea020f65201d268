"""The solutions that a BurrTools file stores, and how BurrTools took them apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from latcover.errors import PuzzleFileError
from latcover.formats.burrtools.shapes import FaultError, clean, integer, unique_names
from latcover.formats.burrtools.tree import Element, read_tree
from latcover.formats.source import Source
from latcover.model.puzzle import Bounds

AWAY = 1000  # steps; a piece that is so far from where it was is removed
MOST = 1 << 62
DEEPEST = 300

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
    problems = root.each("problems", "problem")
    names = unique_names(clean(p.attributes.get("name", "")) or f"P{k}" for k, p in enumerate(problems, 1))
    try:
        return {
            name: tuple(_solution(e, k) for k, e in enumerate(problem.each("solutions", "solution"), 1))
            for name, problem in zip(names, problems, strict=True)
        }
    except FaultError as fault:
        raise PuzzleFileError([fault.complaint(source.name)]) from None


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
