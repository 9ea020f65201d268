"""Vetoes: rules on covers that no item says. They judge sets of members, also before a cover is complete."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
import numpy.typing as npt

from latcover.cover.problem import Ints, Longs
from latcover.errors import UnsupportedError


class Veto(Protocol):
    """Says which sets no wanted cover holds."""

    def conflict(self, members: Ints) -> Ints | None:
        """Some of these members that no wanted cover holds together, as few as is easy to say; None if there are none.

        If a set has a conflict, every larger set has one.
        """


@dataclass(frozen=True, slots=True, eq=False)
class OptionVeto:
    """A veto on sets of options.

    Attributes:
        veto: The veto on members.
        member_of: The member of each option, shape (n_options,), int32; -1 for an option without one.
    """

    veto: Veto
    member_of: Ints

    def conflict(self, options: Ints) -> Ints | None:
        """As `Veto.conflict`, of options."""
        members = self.member_of[options]
        found = self.veto.conflict(members[members >= 0])
        return None if found is None else options[np.isin(members, found)]


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
    """Whether each of several sets, in compressed rows, has no conflict."""
    n = len(starts) - 1
    if veto is None:
        return np.ones(n, np.bool_)
    sets = (members[a:b] for a, b in pairwise(starts.tolist()))
    return np.fromiter((veto.conflict(each) is None for each in sets), np.bool_, n)
