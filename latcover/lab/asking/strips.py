"""Strips: the numbers of tilings of a box of any length obey a linear recurrence, which is found and proved here.

The states between two columns are the ways in which parts stick out of the columns before. There are finitely many, so
the numbers N(n) are powers of a matrix, seen at one entry; with S states that both begin and can end, they obey a
recurrence of an order of at most S (Cayley and Hamilton). A recurrence of order d that holds for the first S + d
numbers therefore holds for all. The numbers of tilings that use each of several shapes are sums of such numbers, by
inclusion and exclusion; then S is the sum of the states.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.puzzle import Bounds
from latcover.core.model.puzzle_checks import cannot_fill
from latcover.core.model.strip import NOT_PLAIN, Strip
from latcover.core.solving.count import count_prepared
from latcover.errors import PuzzleError, UnsupportedError
from latcover.files.formats.library import family_called, load_member
from latcover.files.formats.puzzle_files.puzzle_family import PuzzleFamily
from latcover.lab.asking.recurrences import Recurrence, holds, numerator_of, shortest_recurrence
from latcover.lab.asking.sequence import DisagreementError
from latcover.lab.asking.strip_states import Pace, Transfer

MOST_PROVED = 2_000  # states; beyond, a proof takes too many terms
MOST_CHECKING = 10.0  # seconds for each count of a box by itself
FIRST_TERMS = 64
MOST_LISTED = 10_000  # tilings that use each of several shapes: they are counted one by one
CELLS_CHECKED = 64  # of the boxes that are counted again by themselves


def strip_of_family(family: PuzzleFamily | str, bounds: Bounds | None = None) -> Strip:
    """The strip that a family of boxes is; the family may be given by its name or its file.

    Raises:
        UnsupportedError: it is none.
    """
    family = family_called(family)
    if family.strip_axis is None:
        raise UnsupportedError('recurrences are of strips: a region box = [4, "{n}"], and parts without n in them')
    sample = load_member(family, max(1, family.start), bounds)
    if not all(part.low == 0 and part.high is None for part in sample.parts) or len(sample.colours) > 1:
        raise UnsupportedError(NOT_PLAIN)
    sides: list[int | None] = [*sample.region.extents()]
    sides[family.strip_axis] = None
    return Strip(sample.lattice, sample.parts, tuple(sides), sample.rules, family.strip_period)


class _Numbers:
    """The numbers of ways to fill a strip, the next ones at each call; with *all_used* each shape is used.

    Attributes:
        states: Of all strips whose numbers are added up.
    """

    def __init__(self, strip: Strip, pace: Pace, bounds: Bounds | None, *, all_used: bool) -> None:
        self._signed: list[tuple[int, Transfer]] = []
        n, least = len(strip.parts), 1 if all_used else len(strip.parts)
        for some in (some for size in range(least, n + 1) for some in combinations(strip.parts, size)):
            self._signed.append(((-1) ** (n - len(some)), Transfer(replace(strip, parts=some), pace, bounds)))
        self._of_no_shape = (-1) ** n * all_used  # the strip of length 0 alone
        self.states = sum(transfer.states for _, transfer in self._signed) + all_used

    def next_terms(self, number: int) -> list[int]:
        each = [[sign * term for term in transfer.next_terms(number)] for sign, transfer in self._signed]
        found = [sum(terms) for terms in zip(*each, strict=True)]
        if found:
            found[0] += self._of_no_shape
            self._of_no_shape = 0
        return found


def _require_strip(given: object) -> None:
    if not isinstance(given, Strip):
        raise PuzzleError(f"a strip is needed, such as latcover.Strip(lattice, parts, (4, None)); not {given!r:.80}")


def strip_counts(
    strip: Strip, last: int, events: Events = SILENT, *, all_used: bool = False, bounds: Bounds | None = None
) -> list[int]:
    """In how many ways the shapes fill the strip of length 0, 1, ..., *last*; with *all_used* each at least once.

    Raises:
        UnsupportedError: the strip has too many states.
        OutOfTimeError: the time of a `time_limit` around it is over.
    """
    _require_strip(strip)
    return _Numbers(strip, Pace(events), bounds, all_used=all_used).next_terms(last + 1)


def strip_recurrence(
    strip: Strip, events: Events = SILENT, *, all_used: bool = False, bounds: Bounds | None = None
) -> Recurrence:
    """The shortest linear recurrence of the numbers of ways to fill a strip, its generating function, and its proof.

    The first numbers are also counted puzzle by puzzle, as `count` does. With *all_used* they are those of the tilings
    that use each shape at least once.

    Raises:
        UnsupportedError: the strip has too many states.
        DisagreementError: a count differs.
        OutOfTimeError: the time of a `time_limit` around it is over.
    """
    _require_strip(strip)
    pace = Pace(events)
    found = _found(_Numbers(strip, pace, bounds, all_used=all_used))
    puzzles = _Puzzles(strip, all_used, bounds)
    return replace(found, lengths_checked=puzzles.checked(found.terms, pace))


def _found(numbers: _Numbers) -> Recurrence:
    """The recurrence of the numbers, from as many of them as are needed."""
    states = numbers.states
    terms: list[int] = []
    while True:
        terms += numbers.next_terms(max(FIRST_TERMS, len(terms)))
        coefficients, order = shortest_recurrence(terms)
        decided, right = len(terms) >= 2 * states, holds(coefficients, order, terms)
        if decided and not right:
            raise UnsupportedError("no recurrence was found whose coefficients have less than 520 bits")
        if not right or (2 * order + 8 > len(terms) and not decided):
            continue
        missing = max(0, states + order + 1 - len(terms))
        provable = not missing or states <= MOST_PROVED
        terms += numbers.next_terms(missing) if provable else []
        if holds(coefficients, order, terms):
            denominator = (1, *(-c for c in coefficients))
            numerator = numerator_of(denominator, order, terms)
            return Recurrence(coefficients, order, numerator, denominator, states, provable, tuple(terms))


class _Puzzles(Struct, frozen=True):
    """The strips of each length, as puzzles to be counted by themselves."""

    strip: Strip
    all_used: bool
    bounds: Bounds | None

    def checked(self, terms: Sequence[int], pace: Pace) -> int:
        """How many of the *terms*, from that of length 1, were counted again puzzle by puzzle.

        Raises:
            DisagreementError: a count differs.
        """
        most = min(len(terms) - 1, max(1, CELLS_CHECKED // self.strip.width))
        for length in range(1, most + 1):
            pace.look(f"counting the strip of length {length} again")
            if self.all_used and terms[length] > MOST_LISTED:
                return length - 1
            again = self._counted(length, pace)
            if again is None:
                return length - 1
            if again != terms[length]:
                both = f"{terms[length]:,} by its states, but {again:,} by itself"
                raise DisagreementError(f"strip of length {length}: {both}; this is a fault of latcover")
        return most

    def _counted(self, length: int, pace: Pace) -> int | None:
        puzzle = self.strip.puzzle(length)
        if self.all_used:
            puzzle = replace(puzzle, parts=tuple(replace(part, low=1) for part in puzzle.parts))
        if cannot_fill(puzzle):
            return 0
        prepared, limits = prepare(puzzle, Choices("none"), self.bounds), Limits(seconds=MOST_CHECKING)
        found = count_prepared(prepared, limits=limits, on_progress=pace.goes_on)
        return found.different if found.complete else None
