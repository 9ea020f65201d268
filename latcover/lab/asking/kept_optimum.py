"""What is known of an optimum, in a ledger: the best covers so far, and what no cover can cost less than.

Whoever asks the same again with the same file goes on from there: only better covers are looked for, and the search
ends as soon as one costs no more than the bound. The end mark says that the search has come to its end.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from latcover.core.cover.ledger import Ledger
from latcover.core.cover.question import Question

Cost = Annotated[int, Meta(ge=-(1 << 53), le=1 << 53)]


class KeptCover(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cover.

    Attributes:
        cost: What it costs.
        members: Its members.
        orbit: How many images it has.
    """

    cost: Cost
    members: tuple[Annotated[int, Meta(ge=0)], ...]
    orbit: Annotated[int, Meta(ge=1)] = 1


class _Bound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bound: Cost


class KeptOptimum(Ledger):
    """The file of an optimum, for a `with` statement.

    Attributes:
        covers: Those that were kept, as they were found, and their numbers; the caller checks that they are covers.
        bound: No cover costs less than this; None if nothing is known.

    Args:
        path: The file; one of the same question is gone on with.
        question: What is asked.
        n_members: How many members there are.
    """

    def __init__(self, path: Path, question: Question, n_members: int) -> None:
        super().__init__(path, "optimum", question)
        self.covers: dict[KeptCover, int] = {}
        self.bound: int | None = None
        for number, text in enumerate(self.records):
            if text.startswith(b'{"bound"'):
                self.bound = self.decoded(number, text, _Bound).bound
                continue
            cover = self.decoded(number, text, KeptCover)
            if max(cover.members, default=-1) >= n_members:
                raise self.fault(number, f"there are {n_members:,} members, counted from 0")
            self.covers[cover] = number

    def add_bound(self, bound: int) -> None:
        """Keep a bound, which is better than those before."""
        self.add(_Bound(bound))
