"""The sticks of six-piece burrs, by the numbers that Bill Cutler gave them.

A stick is a bar of 2 by 2 cubes, 6 or more long. Twelve of its cubes lie where other sticks may cross it. Each of them
is a bit, and the stick's number is one more than the sum of the bits of the cubes that are cut away:

    upper layer, four cubes in the middle: 1, 2, 4, 8 in the front row, 16, 32, 64, 128 in the row behind
    lower layer, two cubes in the middle:  256, 512 in the front row, 1024, 2048 in the row behind

So 1 is the whole bar. A stick can be held in eight ways, and collectors call it by the least of its numbers.

Source: W. H. Cutler, "The six-piece burr", Journal of Recreational Mathematics 10 (1977-78); "A computer analysis of
all 6-piece burrs" (1994).
"""

from __future__ import annotations

import numpy as np

from latcover.core.model.lattice import Cells

NUMBERS = 4096
LEAST_LENGTH = 6
_CUT = [*((1 + k, row, 1) for row in (0, 1) for k in range(4)), *((2 + k, row, 0) for row in (0, 1) for k in range(2))]


def stick(number: int, length: int = LEAST_LENGTH) -> Cells:
    """The cubes of a stick on the lattice `cubic`, shape (n, 4), int32. Its *length* is even, and 6 or more."""
    start = length // 2 - 3
    cut = {(start + x, row, layer) for bit, (x, row, layer) in enumerate(_CUT) if number - 1 >> bit & 1}
    cells = [(0, x, row, layer) for x in range(length) for row in (0, 1) for layer in (0, 1)]
    return np.array([cell for cell in cells if cell[1:] not in cut], np.int32)
