"""Whether shapes fill a region, and how that is known: by its area, a colouring, an exact cover or a SAT solver."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.time_limit import time_limit
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.impossible.reasons import reasons_of
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.puzzle_checks import cannot_fill
from latcover.errors import OutOfTimeError
from latcover.lab.exploring.tilings import Tiling, tile_in_stages


class Filled(StrEnum):
    """Whether a region is filled, and how that is known."""

    YES = "yes"
    AREA = "no: area"  # no number of copies has its area
    COLOURING = "no: colouring"
    STRIP = "no: strip"  # the states of the strip of this width lead to no filling of this length
    CORNER = "no: corner"  # a square in its corner cannot be covered
    SEARCH = "no: searched"  # no exact cover
    SAT = "no: SAT"
    UNKNOWN = "not known"


class Decision(Struct, frozen=True, eq=False, kw_only=True):
    """Whether a region is filled.

    Attributes:
        tiling: Shows a "yes", verified.
        why: The colouring that refutes it, in words.
    """

    filled: Filled
    tiling: Tiling | None = None
    why: str = ""


UNDECIDED = Decision(filled=Filled.UNKNOWN)


def decide(puzzle: Puzzle, seconds: float, events: Events = SILENT) -> Decision:
    """Whether the parts of *puzzle* fill its region; what is quick comes first."""
    if cannot_fill(puzzle):
        return Decision(filled=Filled.AREA)
    if seconds <= 0:
        return UNDECIDED
    try:
        with time_limit(seconds, events):
            why = colouring_of(puzzle)
    except OutOfTimeError:
        return UNDECIDED
    if why:
        return Decision(filled=Filled.COLOURING, why=why)
    found = tile_in_stages(puzzle, seconds, events)
    if found.tiling is not None:
        return Decision(filled=Filled.YES, tiling=found.tiling)
    if found.refuted:
        return Decision(filled=Filled.SAT if found.by_sat else Filled.SEARCH)
    return UNDECIDED


def colouring_of(puzzle: Puzzle) -> str:
    """A colouring that refutes the puzzle, in words; "" if none is known."""
    found = reasons_of(prepare(puzzle, Choices("none")))
    return next((reason.text for reason in found if reason.argument == "colouring"), "")
