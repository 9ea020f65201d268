"""A fingerprint of a set of solutions, which shows whether two runs found the same solutions.

Every placement has a key of 64 random-looking bits. The value of a solution is a hash of the sum of its keys. The value
of a set is the sum of the values of its solutions. All sums are modulo 2^64, so the order of solutions and placements
does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from latcover.core.cover.problem import Ints, Longs

Words = npt.NDArray[np.uint64]
MOST_KNOWN = 1 << 17  # placements whose keys are kept
_STEP, _FIRST, _SECOND = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def mixed(words: Words) -> Words:
    """A hash of each 64-bit word, one to one.

    Source: Steele, Lea and Flood (2014), the generator SplitMix64.
    """
    words = words + _STEP
    words = (words ^ (words >> np.uint64(30))) * _FIRST
    words = (words ^ (words >> np.uint64(27))) * _SECOND
    return words ^ (words >> np.uint64(31))


@lru_cache(maxsize=2)
def _known(n_placements: int) -> Words:
    """The key of each placement; the jobs of a run share them."""
    return mixed(np.arange(n_placements, dtype=np.uint64))


def _keys(n_placements: int, placements: Ints) -> Words:
    """The keys of these placements; a table of millions of keys would take longer than the keys of a cover."""
    return _known(n_placements)[placements] if n_placements <= MOST_KNOWN else mixed(placements.astype(np.uint64))


def added(digests: Iterable[str]) -> str:
    """The fingerprint of the union of disjoint sets, from their fingerprints."""
    return f"{sum(int(digest, 16) for digest in digests) % 2**64:016x}"


def words_of_solutions(n_placements: int, starts: Longs, placements: Ints) -> Words:
    """The value of each solution of a batch; solution k holds ``placements[starts[k]:starts[k + 1]]``."""
    sums = np.zeros(len(placements) + 1, np.uint64)
    # The sums may overflow; their differences are correct modulo 2^64.
    np.cumsum(_keys(n_placements, placements), out=sums[1:])
    return mixed(sums[starts[1:]] - sums[starts[:-1]])


class Fingerprint:
    """The fingerprint of batches of solutions, each added once."""

    def __init__(self, n_placements: int) -> None:
        self._n_placements = n_placements
        self._sum = 0

    def add(self, starts: Longs, placements: Ints, rows: npt.NDArray[np.intp]) -> None:
        """Add the solutions *rows* of a batch; solution k holds ``placements[starts[k]:starts[k + 1]]``."""
        if not len(rows):
            return
        words = words_of_solutions(self._n_placements, starts, placements)[rows]
        self._sum = (self._sum + int(words.sum())) % 2**64

    def hex(self) -> str:
        """Sixteen hexadecimal digits; zeros for no solutions."""
        return f"{self._sum:016x}"
