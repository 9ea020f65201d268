"""Which lengths of a strip some shapes fill, without the numbers of ways, so that wide strips can be decided.

See backends/native/plane/strip_lengths.hpp. If no states are left after some column, no longer strip is filled.
"""

from __future__ import annotations

import numpy as np

from latcover.backends import _native
from latcover.core.cover.events import SILENT, Events
from latcover.core.model.puzzle import Bounds
from latcover.core.model.strip import Strip
from latcover.errors import UnsupportedError
from latcover.lab.asking.strip_columns import placements_by_first_row
from latcover.lab.asking.strip_states import Pace

BITS = 256
MOST_STATES = 8_000_000  # about half a gigabyte
AT_ONCE = 20_000  # states between two looks at the clock


class StripLengths:
    """Which lengths of a strip are filled, found one after the other; the work goes on where it stopped.

    Raises:
        UnsupportedError: the strip is too wide, or its sides have values.
    """

    def __init__(self, strip: Strip, events: Events = SILENT, *, bounds: Bounds | None = None) -> None:
        if strip.has_values:
            raise UnsupportedError("the lengths of a strip are found for shapes whose sides have no values")
        self._width, self._pace = strip.width, Pace(events)
        rows = placements_by_first_row(strip, bounds)
        masks = sorted(mask for row in rows for mask in row)
        if max((mask.bit_length() for mask in masks), default=0) > BITS // self._width * self._width:
            raise UnsupportedError(f"the strip is too wide: its states have more than {BITS} cells")
        mirrored = sorted(_mirrored(mask, self._width) for mask in masks) == masks
        words = [mask >> 64 * k & (1 << 64) - 1 for mask in masks for k in range(BITS // 64)]
        self._native = _native.StripLengths(self._width, np.array(words, np.uint64), mirrored)
        self._known: list[bool] = []

    def filled(self, length: int, *, most_states: int = MOST_STATES) -> bool | None:
        """Whether the shapes fill the strip of this length; None if that takes too many states.

        Raises:
            OutOfTimeError: the time of a `time_limit` around it is over.
        """
        while len(self._known) < length and self._native.states:
            if self._native.states > most_states:
                return None
            if self._native.advance(AT_ONCE):
                self._known.append(self._native.filled)
            self._pace.look(f"finding states of the strip of width {self._width}: {self._native.states:,}")
        return length <= len(self._known) and self._known[length - 1]


def _mirrored(mask: int, width: int) -> int:
    """The cells of a mask with each column turned round."""
    cells = [cell for cell in range(mask.bit_length()) if mask >> cell & 1]
    return sum(1 << cell - cell % width + width - 1 - cell % width for cell in cells)
