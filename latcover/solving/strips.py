"""Strips: the numbers of tilings of a box of any length obey a linear recurrence, which is found and proved here.

The states between two columns are the ways in which parts stick out of the columns before. There are finitely many, so
the numbers N(n) are powers of a matrix, seen at one entry; with S states that both begin and can end, they obey a
recurrence of an order of at most S (Cayley and Hamilton). A recurrence of order d that holds for the first S + d
numbers therefore holds for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from latcover.cover.events import SILENT, Events
from latcover.cover.search import Limits
from latcover.encoding.prepared import Choices, prepare
from latcover.errors import UnsupportedError
from latcover.formats.library import load_member
from latcover.formats.puzzle_files.family import PuzzleFamily
from latcover.model.checks import cannot_fill
from latcover.model.puzzle import Bounds
from latcover.model.strip import NOT_PLAIN, Strip
from latcover.solving.count import count_prepared
from latcover.solving.recurrences import Recurrence, holds, numerator_of, shortest_recurrence
from latcover.solving.sequence import DisagreementError
from latcover.solving.strip_states import Pace, Transfer

MOST_PROVED = 2_000  # states; beyond, a proof takes too many terms
MOST_CHECKING = 10.0  # seconds for each count of a box by itself
FIRST_TERMS = 64
CELLS_CHECKED = 64  # of the boxes that are counted again by themselves


def strip_of_family(family: PuzzleFamily, bounds: Bounds | None = None) -> Strip:
    """The strip that a family of boxes is.

    Raises:
        UnsupportedError: it is none.
    """
    if family.strip_axis is None:
        raise UnsupportedError('recurrences are of strips: a region box = [4, "{n}"], and parts without n in them')
    sample = load_member(family, max(1, family.start), bounds)
    unlimited = all(part.low == 0 and part.high is None for part in sample.parts)
    if not unlimited or not len(sample.colours) == len(sample.rules.sides) == 1:
        raise UnsupportedError(NOT_PLAIN)
    sides: list[int | None] = [*sample.region.extents()]
    sides[family.strip_axis] = None
    return Strip(sample.lattice, sample.parts, tuple(sides))


def strip_counts(strip: Strip, last: int, events: Events = SILENT, *, bounds: Bounds | None = None) -> list[int]:
    """In how many ways the shapes fill the strip of length 0, 1, ..., *last*.

    Raises:
        UnsupportedError: the strip has too many states.
        OutOfTimeError: the time of a `time_limit` around it is over.
    """
    return Transfer(strip, Pace(events), bounds).next_terms(last + 1)


def strip_recurrence(strip: Strip, events: Events = SILENT, *, bounds: Bounds | None = None) -> Recurrence:
    """The shortest linear recurrence of the numbers of ways to fill a strip, its generating function, and its proof.

    The first numbers are also counted puzzle by puzzle, as `count` does.

    Raises:
        UnsupportedError: the strip has too many states.
        DisagreementError: a count differs.
        OutOfTimeError: the time of a `time_limit` around it is over.
    """
    pace = Pace(events)
    transfer = Transfer(strip, pace, bounds)
    found = _found(transfer)
    return replace(found, lengths_checked=_checked(strip, found.terms, pace, bounds))


def _found(transfer: Transfer) -> Recurrence:
    """The recurrence of the numbers, from as many of them as are needed."""
    states = transfer.states
    terms: list[int] = []
    while True:
        terms += transfer.next_terms(max(FIRST_TERMS, len(terms)))
        coefficients, order = shortest_recurrence(terms)
        decided, right = len(terms) >= 2 * states, holds(coefficients, order, terms)
        if decided and not right:
            raise UnsupportedError("no recurrence was found whose coefficients have less than 520 bits")
        if not right or (2 * order + 8 > len(terms) and not decided):
            continue
        missing = max(0, states + order + 1 - len(terms))
        provable = not missing or states <= MOST_PROVED
        terms += transfer.next_terms(missing) if provable else []
        if holds(coefficients, order, terms):
            denominator = (1, *(-c for c in coefficients))
            numerator = numerator_of(denominator, order, terms)
            return Recurrence(coefficients, order, numerator, denominator, states, provable, tuple(terms))


def _checked(strip: Strip, terms: Sequence[int], pace: Pace, bounds: Bounds | None) -> int:
    """How many of the *terms*, from that of length 1, were counted again puzzle by puzzle.

    Raises:
        DisagreementError: a count differs.
    """
    most = min(len(terms) - 1, max(1, CELLS_CHECKED // strip.width))
    for length in range(1, most + 1):
        pace.look(f"counting the strip of length {length} again")
        puzzle = strip.puzzle(length)
        again = 0
        if not cannot_fill(puzzle):
            limits = Limits(seconds=MOST_CHECKING)
            found = count_prepared(prepare(puzzle, Choices("none"), bounds), limits=limits, on_progress=pace.goes_on)
            if not found.complete:
                return length - 1
            again = found.different
        if again != terms[length]:
            both = f"{terms[length]:,} by its states, but {again:,} by itself"
            raise DisagreementError(f"{puzzle.name}: {both}; this is a fault of latcover")
    return most
