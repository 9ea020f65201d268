"""Vetoes: rules on covers that no item says.

They judge whole covers, and what has been chosen before a cover is complete. A solver that learns is told by clauses
why a cover is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from latcover.core.cover.problem import Ints, Longs
from latcover.errors import UnsupportedError

ASKED_AT_FIRST = 1000
RAREST = 16  # a test rests while fewer than one in so many questions is refused,
RESTING = 32  # and answers one in so many


class Nogood(Struct, frozen=True, eq=False):
    """A reason why covers are refused: each that is wanted lacks one of *chosen*, or has one of *missing*.

    Attributes:
        chosen, missing: Members, int32. The refused cover has all of the first, and none of the second.
    """

    chosen: Ints
    missing: Ints = field(default_factory=lambda: np.empty(0, np.int32))


class Veto(Protocol):
    """Says which covers are not wanted.

    Attributes:
        names: The rules that it holds, as puzzle files call them.
    """

    @property
    def names(self) -> tuple[str, ...]: ...

    def refuses(self, members: Ints) -> bool:
        """Whether the cover that consists of these members is not wanted."""

    def newly_refuses(self, members: Ints) -> bool:
        """Whether no wanted cover holds these members, and perhaps others; the last of them is new.

        It may find that out later, when there are more of them.
        """

    def nogoods(self, members: Ints) -> tuple[Nogood, ...]:
        """Why the cover that consists of these members is not wanted; none if it is wanted."""


class Thrift:
    """Lets a test rest mostly while it refuses too little to be worth its time."""

    __slots__ = ("_asked", "_refused")

    def __init__(self) -> None:
        self._asked = self._refused = 0

    def answer(self, test: Callable[[], bool]) -> bool:
        """What *test* says; False while it rests."""
        self._asked += 1
        if self._asked > ASKED_AT_FIRST and self._refused * RAREST < self._asked and self._asked % RESTING:
            return False
        refused = test()
        self._refused += refused
        return refused


class Vetoes(Struct, frozen=True, eq=False):
    """Several vetoes together. See `Veto`."""

    vetoes: tuple[Veto, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for veto in self.vetoes for name in veto.names))

    def refuses(self, members: Ints) -> bool:
        """See `Veto`."""
        return any(veto.refuses(members) for veto in self.vetoes)

    def newly_refuses(self, members: Ints) -> bool:
        """See `Veto`."""
        return any(veto.newly_refuses(members) for veto in self.vetoes)

    def nogoods(self, members: Ints) -> tuple[Nogood, ...]:
        """See `Veto`."""
        return tuple(nogood for veto in self.vetoes for nogood in veto.nogoods(members))


def together(vetoes: Sequence[Veto]) -> Veto | None:
    """Several vetoes as one; None if there are none."""
    return vetoes[0] if len(vetoes) == 1 else Vetoes(tuple(vetoes)) if vetoes else None


class OptionVeto(Struct, frozen=True, eq=False):
    """A veto on sets of options.

    Attributes:
        veto: The veto on members.
        member_of: The member of each option, shape (n_options,), int32; -1 for an option without one.
    """

    veto: Veto
    member_of: Ints

    def prunes(self, options: Ints) -> bool:
        """As `Veto.newly_refuses`, of options."""
        members = self.member_of[options]
        return bool(members[-1] >= 0) and self.veto.newly_refuses(members[members >= 0])

    def clauses(self, cover: Ints) -> list[list[int]]:
        """Why a cover is not wanted, as clauses that it does not meet; none if it is wanted.

        The variable ``o + 1`` stands for option o. An option of a member that is never chosen stands in no clause.
        """
        members = self.member_of[cover]
        found = []
        for nogood in self.veto.nogoods(members[members >= 0]):
            chosen = cover[np.isin(members, nogood.chosen)]
            missing = np.flatnonzero(np.isin(self.member_of, nogood.missing))
            found.append(np.concatenate([-1 - chosen, missing + 1]).tolist())
        return found


def require_no_veto(who: str, name: str, veto: Veto | None) -> None:
    """Refuse a problem with a veto on behalf of *who*, which takes all of its covers.

    Raises:
        UnsupportedError: there is a veto.
    """
    if veto is not None:
        raise UnsupportedError(
            f"{who} takes all covers of {name!r}, and some of them break its rules on all parts at once "
            f"({', '.join(veto.names)}); leave the rules out, or use solve, count or sample"
        )


def passes(veto: Veto | None, starts: Longs, members: Ints) -> npt.NDArray[np.bool_]:
    """Whether each of several sets, in compressed rows, is not refused."""
    n = len(starts) - 1
    if veto is None:
        return np.ones(n, np.bool_)
    sets = (members[a:b] for a, b in pairwise(starts.tolist()))
    return np.fromiter((not veto.refuses(each) for each in sets), np.bool_, n)
