"""Sets without a file: all shapes of so many cells, as ``polyominoes:5``, or of 1 to so many, ``polyominoes:1-5``."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.lattice import ROTATIONS, Lattice
from latcover.core.model.puzzle import Part, PartSet
from latcover.errors import PuzzleError, TooLargeError, listed
from latcover.files.formats.puzzle_files.lattice_file import read_lattice
from latcover.files.formats.puzzle_files.part_names import sized
from latcover.files.formats.source import EXAMPLE, HALVES, WORDS, names, shipped

MOST = 5_000  # shapes
USUAL = {("square", 1): "I", ("square", 2): "I"}  # names of shapes that are too small for a shipped set
_FORM = re.compile(r"([^:]+):([1-9][0-9]?)(?:-([1-9][0-9]?))?")


class ReadySet(Struct, frozen=True):
    """What the name of a ready set says: shapes of ``least`` to ``most`` cells, or half squares (`HALVES`)."""

    word: str
    lattice: str
    least: int
    most: int

    @property
    def name(self) -> str:
        return f"{self.word}:{self.most}" if self.least == self.most else f"{self.word}:{self.least}-{self.most}"

    @property
    def title(self) -> str:
        """What it holds: "all shapes of 1 to 5 cells on the lattice 'square'"."""
        many = f"{self.most}" if self.least == self.most else f"{self.least} to {self.most}"
        of = "half square" if self.word == HALVES else "cell"
        return f"all shapes of {many} {of}{'s' * (self.most > 1)} on the lattice {self.lattice!r}"


def ready_called(name: str) -> ReadySet | None:
    """What a name says, if it is that of a ready set: a word or a lattice, and how many cells shapes have."""
    found = _FORM.fullmatch(name)
    if found is None or not (found[1] in WORDS or found[1] in names("lattices")):
        return None
    return ReadySet(found[1], WORDS.get(found[1], found[1]), int(found[2]), int(found[3] or found[2]))


def offered() -> list[ReadySet]:
    """Those that lists offer: of few cells."""
    return [ReadySet(word, lattice, 1, most) for word, lattice in WORDS.items() for most in (3, 4, 5)]


def by_rotations_alone(lattice: Lattice) -> bool:
    """Whether the parts of a lattice usually cannot be turned over, so that the two hands of a shape are two parts."""
    return lattice.default_transformations == ROTATIONS


@lru_cache(maxsize=8)
def ready_set(name: str, *, both_hands: bool | None = None) -> PartSet:
    """The ready set of a name. Its parts have the usual letters with their size, as in I5, or numbers, as in 8-17.

    Args:
        name: See `ready_called`.
        both_hands: Whether a shape and its mirror image are two parts, which may be rotated only; None: as usual on the
            lattice.

    Raises:
        PuzzleError: the name is none, or it ends before it begins.
        TooLargeError: there are more shapes than a set may hold.
    """
    from latcover.files.formats.piece_sets import Family, Sides, pieces  # few puzzles need them

    ready = ready_called(name)
    if ready is None:
        raise PuzzleError(f"no set is called {name!r:.80}; {listed(WORDS)} are, with the number of cells: {EXAMPLE}")
    if ready.least > ready.most:
        raise PuzzleError(f"{name} ends before it begins; write {ready.word}:{ready.most}-{ready.least}")
    lattice = read_lattice(shipped("lattices", ready.lattice))
    if both_hands is None:
        both_hands = by_rotations_alone(lattice)
    family = Family(Sides.ONE_SIDED if both_hands else Sides.FREE, halves=ready.word == HALVES)
    of_size: list[list[Part]] = []
    for n in range(ready.most, ready.least - 1, -1):  # the largest first: they tell soonest that there are too many
        try:
            found = pieces(lattice, n, replace(family, most=MOST - sum(map(len, of_size))))
        except TooLargeError:
            raise TooLargeError(f"{name} holds more than {MOST:,} shapes; take fewer cells") from None
        own = [USUAL.get((lattice.name, n), part.name) for part in found.parts]
        of_size.append([replace(part, name=sized(its, n)) for part, its in zip(found.parts, own, strict=True)])
    parts = [part for some in reversed(of_size) for part in some]
    numbered = tuple(replace(part, number=number) for number, part in enumerate(parts))
    return PartSet(name, lattice, numbered, ready.title)
