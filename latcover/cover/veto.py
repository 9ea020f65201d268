"""Vetoes: rules on covers that no item says. They judge sets of members, also before a cover is complete."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

from latcover.cover.problem import Ints, Longs
from latcover.errors import UnsupportedError

ASKED_AT_FIRST = 1000
RAREST = 16  # a test rests while fewer than one in so many questions is refused,
RESTING = 32  # and answers one in so many


class Veto(Protocol):
    """Says which sets no wanted cover holds."""

    def refuses(self, members: Ints) -> bool:
        """Whether no wanted cover holds these members. If it refuses a set, it refuses every larger one."""

    def newly_refuses(self, members: Ints) -> bool:
        """Whether it refuses these members, if it does not refuse all but the last; it may find that out later."""


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


@dataclass(frozen=True, slots=True, eq=False)
class Vetoes:
    """Several vetoes together. See `Veto`."""

    vetoes: tuple[Veto, ...]

    def refuses(self, members: Ints) -> bool:
        """See `Veto`."""
        return any(veto.refuses(members) for veto in self.vetoes)

    def newly_refuses(self, members: Ints) -> bool:
        """See `Veto`."""
        return any(veto.newly_refuses(members) for veto in self.vetoes)


@dataclass(frozen=True, slots=True, eq=False)
class OptionVeto:
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
        return members[-1] >= 0 and self.veto.newly_refuses(members[members >= 0])


def require_no_veto(who: str, name: str, veto: Veto | None) -> None:
    """Refuse a problem with a veto on behalf of *who*, which takes all of its covers.

    Raises:
        UnsupportedError: there is a veto.
    """
    if veto is not None:
        raise UnsupportedError(
            f"{who} takes all covers of {name!r}, and some of them break its rule that parts can be coloured "
            "(colourable); leave the rule out, or use solve, count or sample"
        )


def passes(veto: Veto | None, starts: Longs, members: Ints) -> npt.NDArray[np.bool_]:
    """Whether each of several sets, in compressed rows, is not refused."""
    n = len(starts) - 1
    if veto is None:
        return np.ones(n, np.bool_)
    sets = (members[a:b] for a, b in pairwise(starts.tolist()))
    return np.fromiter((not veto.refuses(each) for each in sets), np.bool_, n)
