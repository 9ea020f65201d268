"""Judged covers: which of them are different solutions, and how many covers each represents."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.cover.problem import Ints, Longs


class JudgedCovers(Struct, frozen=True, eq=False):
    """A batch of judged covers, of which some are kept.

    Attributes:
        starts, members: Cover k of the batch has the members ``members[starts[k]:starts[k + 1]]``; int64 and int32.
        orbits: How many covers each cover represents, int64.
        rows: The numbers of the covers that are kept, ascending.
    """

    starts: Longs
    members: Ints
    orbits: Longs
    rows: npt.NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[Ints, int]]:
        """The members of each kept cover, and how many covers it represents."""
        for row in self.rows.tolist():
            yield self.members[self.starts[row] : self.starts[row + 1]], int(self.orbits[row])

    def first(self, most: int | None) -> JudgedCovers:
        """Only the first *most* kept covers; all of them if *most* is None."""
        return self if most is None else replace(self, rows=self.rows[:most])

    def alone(self) -> JudgedCovers:
        """A batch of the kept covers only."""
        if len(self.rows) == len(self.starts) - 1:
            return self
        first, last = self.starts[self.rows], self.starts[self.rows + 1]
        starts = np.concatenate([[0], np.cumsum(last - first)]).astype(np.int64)
        members = self.members[np.arange(starts[-1]) + np.repeat(first - starts[:-1], last - first)]
        return JudgedCovers(starts, members, self.orbits[self.rows], np.arange(len(self.rows)))

    def of_one_size(self, most: int) -> Iterator[JudgedCovers]:
        """This batch, all of whose covers are kept, in pieces of at most *most* covers with equally many members."""
        sizes = np.diff(self.starts)
        edges = np.flatnonzero(np.diff(sizes)) + 1
        for a, b in pairwise([0, *edges.tolist(), len(sizes)]):
            for first in range(a, b, max(1, most)):
                last = min(b, first + max(1, most))
                starts = self.starts[first : last + 1]
                members = self.members[starts[0] : starts[-1]]
                yield JudgedCovers(starts - starts[0], members, self.orbits[first:last], np.arange(last - first))

    def sets(self) -> Ints:
        """The members of each cover of a batch with equally many, shape (n, k)."""
        return self.members.reshape(len(self.starts) - 1, -1)

    def packed(self) -> JudgedCovers:
        """The same, members ascending."""
        kept = self.alone()
        row = np.repeat(np.arange(len(kept)), np.diff(kept.starts))
        by_row = kept.members + row * (1 << 31)  # so that one sort orders the members of each cover
        by_row.sort()
        return replace(kept, members=(by_row % (1 << 31)).astype(np.int32))

    @staticmethod
    def joined(parts: list[JudgedCovers]) -> JudgedCovers:
        """Join several packed batches."""
        if len(parts) < 2:
            return parts[0] if parts else NO_COVERS
        sizes = np.cumsum([0, *(len(part.members) for part in parts)])
        starts = [part.starts[1:] + before for part, before in zip(parts, sizes, strict=False)]
        orbits = np.concatenate([part.orbits for part in parts])
        return JudgedCovers(
            np.concatenate([[0], *starts]).astype(np.int64),
            np.concatenate([part.members for part in parts]),
            orbits,
            np.arange(len(orbits)),
        )


NO_COVERS = JudgedCovers(np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0, np.int64), np.empty(0, np.intp))
