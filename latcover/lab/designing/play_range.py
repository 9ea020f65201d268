"""Ranges of the play that the plan of a design may need."""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta, Struct

from latcover.core.model.request_values import MOST_PLAY
from latcover.core.model.turn_data import play_as_told
from latcover.errors import UnsupportedError

_PLAY = r"([0-9]{0,3}\.[0-9]{1,9}|[0-9]{1,3})"
_RANGE = rf"^\s*({_PLAY}\s*(\.\.|-)\s*{_PLAY}|{_PLAY}\s*(\.\.|-)|(\.\.|-)\s*{_PLAY})?\s*$"
RangeText = Annotated[
    str, Meta(pattern=_RANGE, max_length=100, description="a range of plays such as 0.02..0.03, ..0.02 or 0.04..")
]


class PlayRange(Struct, frozen=True):
    """From which play to which, both as answers tell them: in thousandths of an edge, rounded up.

    Attributes:
        low, high: The bounds; None is no bound.
    """

    low: float | None = None
    high: float | None = None

    def __bool__(self) -> bool:
        return self.low is not None or self.high is not None

    def __str__(self) -> str:
        if not self:
            return ""
        return f"{'' if self.low is None else f'{self.low:g}'}..{'' if self.high is None else f'{self.high:g}'}"

    def holds(self, play: float | None) -> bool:
        """Whether a plan that needs this play is wanted; one without turns needs none."""
        if play is None:
            return not self
        told = play_as_told(play)
        return (self.low or 0.0) <= told and (self.high is None or told <= self.high)

    def require_within(self, play: float) -> None:
        """Refuse a bound that no plan reaches, since parts have less play.

        Raises:
            UnsupportedError: there is one.
        """
        most = max(self.low or 0.0, self.high or 0.0)
        if most > play:
            raise UnsupportedError(
                f"parts have a play of {play:g}, so no plan needs {most:g}; give them more, or let no bound of the "
                f"needed play {self} lie above {play:g}"
            )


def range_of(text: str) -> PlayRange:
    """The range that a text says; one without bounds if it is empty.

    Raises:
        UnsupportedError: it ends before it begins, or parts never have so much play.
    """
    if not text.strip():
        return PlayRange()
    words = re.sub(r"\s*(\.\.|-)\s*", " to ", text.strip(), count=1)
    low, high = (float(word) if word else None for word in words.split(" to "))
    found = PlayRange(low, high)
    if low is not None and high is not None and low > high:
        raise UnsupportedError(f"no needed play lies in {found}; give the least first, as in {PlayRange(high, low)}")
    if max(low or 0.0, high or 0.0) > MOST_PLAY:
        raise UnsupportedError(f"parts have a play of at most {MOST_PLAY:g}, so no plan needs one of {found}")
    return found
