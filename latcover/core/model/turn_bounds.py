"""How far a search for turns goes: the bounds within which it looks, and what it therefore leaves unproved.

A search of slides knows every position that slides reach, so that it proves that no slides do. A search of turns keeps
within bounds. Where it finds no way, this says by which of them one may have been missed; without any, it is a proof.
"""

from __future__ import annotations

from typing import Literal

from latcover.core.model.turn_data import Turning

MOST_TURNING = 64  # parts of an assembly; of more, none turns
Bound = Literal[
    "others are pushed", "lattice places", "few steps", "no tilting", "single parts", "no turns", "too tight"
]

BOUNDS: dict[Bound, str] = {
    "others are pushed": "one group of parts turns at a time; how others give way is found by pushing, or not found",
    "lattice places": "each move begins and ends at places of the lattice",
    "few steps": "what turns shifts by two lattice steps at most, or by six tenths of the longest part",
    "no tilting": "how parts tilt across the axis of a turn is found by pushing, or not found",
    "single parts": "of more than 16 parts only single ones turn",
    "no turns": f"of more than {MOST_TURNING} parts none turns",
    "too tight": "turns that are too tight to tell are not made",
}
"""What the search keeps to."""


def examined_in_words(turning: Turning | None) -> str:
    """Which motions were examined; *turning* is the room with which turns were looked for, if they were."""
    if turning is None:
        return "slides"
    bevel = f" and a bevel of {turning.bevel:g}" if turning.bevel else ""
    return f"slides, and turns with a play of {turning.play:g}{bevel}"
