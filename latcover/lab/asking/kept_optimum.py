"""What is known of an optimum, in a file: the best covers so far, and what no cover can cost less than.

Whoever asks the same again with the same file goes on from there: only better covers are looked for, and the search
ends as soon as one costs no more than the bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from latcover.system.kept_lines import KeptLines

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


class _Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    cover: KeptCover | None = None
    bound: Cost | None = None
    proved: bool = False


class KeptOptimum(KeptLines):
    """The file of an optimum, for a `with` statement.

    Attributes:
        covers: Those that were kept, as they were found.
        bound: No cover costs less than this; None if nothing is known.
        proved: Whether the search has come to its end.

    Args:
        path: The file; one of the same question is gone on with.
        question: What is asked, as plain data.
        n_members: How many members there are.
    """

    def __init__(self, path: Path, question: Mapping[str, object], n_members: int) -> None:
        heading = msgspec.json.encode({"latcover": "optimum", **question})
        super().__init__(path, heading, "puzzle and options")
        self.covers: list[KeptCover] = []
        self.bound: int | None = None
        self.proved = False
        for place, text in enumerate(self.lines):
            try:
                line = msgspec.json.decode(text, type=_Line)
            except msgspec.MsgspecError as fault:
                raise self.fault(place, fault) from None
            if line.cover is not None:
                if max(line.cover.members, default=-1) >= n_members:
                    raise self.fault(place, f"there are {n_members:,} members, counted from 0")
                self.covers.append(line.cover)
            if line.bound is not None:
                self.bound = line.bound if self.bound is None else max(self.bound, line.bound)
            self.proved |= line.proved

    def add_cover(self, cover: KeptCover) -> None:
        """Keep a cover."""
        self._put(_Line(cover=cover))

    def add_bound(self, bound: int) -> None:
        """Keep a bound, which is better than those before."""
        self._put(_Line(bound=bound))

    def add_proof(self) -> None:
        """Keep that the search has come to its end."""
        self._put(_Line(proved=True))

    def _put(self, line: _Line) -> None:
        self.add(msgspec.json.encode(line))
