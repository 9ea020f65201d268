"""What a cover costs: a number for each of its members, and terms that depend on several.

A term holds if each of its conditions is met, and a condition is met if the cover has one of the condition's members.
So a term can say "no placement crosses this line" or "these two cells have the same colour" without further variables.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from latcover.core.cover.problem import Ints, Longs
from latcover.errors import UnsupportedError, counted
from latcover.system.sorted_sets import distinct

MOST_COST = 1 << 53  # what all costs may add up to: exact in every solver, also in floating point


class Term(Struct, frozen=True):
    """A cost that is due if each of several conditions is met.

    Attributes:
        weight: The cost.
        conditions: Of each condition the members of which a cover must have one.
    """

    weight: int
    conditions: tuple[npt.NDArray[np.integer], ...]


class Optima(Struct, frozen=True):
    """The covers that cost the least.

    Attributes:
        cost: What each of them costs; None if there is no cover.
        covers: How many they are.
    """

    cost: int | None
    covers: int


def empty_longs() -> Longs:
    return np.zeros(1, np.int64)


class Costs(Struct, frozen=True, eq=False, dict=True):
    """What sets of members cost. A smaller cost is better.

    Attributes:
        own: The cost of each member, shape (n_members,), int64.
        weights: The cost of each term, shape (n_terms,), int64.
        term_starts: Term t has the conditions ``term_starts[t]:term_starts[t + 1]``, int64.
        condition_starts: Condition c is met by the members ``condition_starts[c]:condition_starts[c + 1]`` of
            ``condition_members``, int64.
        condition_members: The members that meet each condition, ascending within it, int32.
        constant: What every set costs.

    Raises:
        UnsupportedError: the costs are so large that a solver may round them.
    """

    own: Longs
    weights: Longs = field(default_factory=lambda: np.empty(0, np.int64))
    term_starts: Longs = field(default_factory=empty_longs)
    condition_starts: Longs = field(default_factory=empty_longs)
    condition_members: Ints = field(default_factory=lambda: np.empty(0, np.int32))
    constant: int = 0

    def __post_init__(self) -> None:
        most = np.abs(self.own.astype(float)).sum() + np.abs(self.weights.astype(float)).sum() + abs(self.constant)
        if most >= MOST_COST:
            raise UnsupportedError("the costs are too large: all together they may reach 2^53; scale them down")

    def __repr__(self) -> str:
        return f"<Costs of {counted(len(self.own), 'member')} and {counted(len(self.weights), 'term')}>"

    @cached_property
    def _met(self) -> tuple[Ints, Longs]:
        """The conditions that each member meets, member after member; and where those of each begin, and the end."""
        order = np.argsort(self.condition_members, kind="stable")
        condition = np.repeat(np.arange(self.n_conditions, dtype=np.int32), np.diff(self.condition_starts))
        first = np.searchsorted(self.condition_members[order], np.arange(len(self.own) + 1)).astype(np.int64)
        return condition[order], first

    @staticmethod
    def of_terms(own: npt.ArrayLike, terms: list[Term], constant: int = 0) -> Costs:
        """Costs from terms one by one. A condition that nothing meets makes its term void."""
        constant += sum(term.weight for term in terms if not term.conditions)
        terms = [t for t in terms if t.weight and t.conditions and all(map(len, t.conditions))]
        conditions = [distinct(members) for term in terms for members in term.conditions]
        return Costs(
            np.asarray(own, np.int64),
            np.array([term.weight for term in terms], np.int64),
            _starts([len(term.conditions) for term in terms]),
            _starts([len(members) for members in conditions]),
            np.concatenate([np.empty(0, np.int32), *conditions]).astype(np.int32),
            constant,
        )

    @property
    def n_conditions(self) -> int:
        return len(self.condition_starts) - 1

    @property
    def is_linear(self) -> bool:
        """Whether there are no terms."""
        return not len(self.weights)

    def negated(self) -> Costs:
        """The same with the other sign: what is dear becomes cheap."""
        return Costs(
            -self.own, -self.weights, self.term_starts, self.condition_starts, self.condition_members, -self.constant
        )

    def renamed(self, member_of: Ints) -> Costs:
        """The costs of sets of options.

        Args:
            member_of: The member of each option, shape (n_options,), int32; -1 for an option without one.

        No two options may have the same member. A member that no option has meets no condition.
        """
        option_of = np.full(len(self.own), -1, np.int32)
        real = np.flatnonzero(member_of >= 0)
        option_of[member_of[real]] = real
        own = np.where(member_of >= 0, self.own[member_of] if len(self.own) else 0, 0)
        terms = [
            Term(int(weight), tuple(option_of[members][option_of[members] >= 0] for members in self._conditions_of(t)))
            for t, weight in enumerate(self.weights)
        ]
        return Costs.of_terms(own, terms, self.constant)

    def _conditions_of(self, term: int) -> list[Ints]:
        first, last = self.term_starts[term], self.term_starts[term + 1]
        return [
            self.condition_members[self.condition_starts[c] : self.condition_starts[c + 1]] for c in range(first, last)
        ]

    def of(self, starts: Longs, members: Ints) -> Longs:
        """What each of several sets costs, shape (n_sets,), int64. The sets are in compressed rows."""
        n_sets = len(starts) - 1
        of_set = np.repeat(np.arange(n_sets), np.diff(starts))
        total = np.full(n_sets, self.constant, np.int64)
        np.add.at(total, of_set, self.own[members])
        if self.is_linear:
            return total
        meets, first = self._met
        many = first[members + 1] - first[members]
        which = np.repeat(np.arange(len(members)), many)
        entries = np.arange(len(which)) - (np.cumsum(many) - many)[which] + first[members][which]
        met = distinct(of_set[which] * self.n_conditions + meets[entries])
        term_of = np.repeat(np.arange(len(self.weights)), np.diff(self.term_starts))
        keys = met // self.n_conditions * len(self.weights) + term_of[met % self.n_conditions]
        held, many_met = np.unique(keys, return_counts=True)
        held = held[many_met == np.diff(self.term_starts)[held % len(self.weights)]]
        np.add.at(total, held // len(self.weights), self.weights[held % len(self.weights)])
        return total

    def is_kept_by(self, permutation: Ints) -> bool:
        """Whether every set costs as much as its image, if members go to those of *permutation*. Never wrongly True.

        It compares fingerprints of terms. Terms that differ but say the same may make the answer False.
        """
        if not np.array_equal(self.own, self.own[permutation]):
            return False
        keys = np.random.default_rng(1).integers(1 << 62, size=len(self.own), dtype=np.uint64)
        return np.array_equal(self._fingerprint(keys), self._fingerprint(keys[permutation]))

    def _fingerprint(self, keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """A number for each term, sorted; it depends on the keys of its members, not on their order."""
        if self.is_linear:
            return np.empty(0, np.uint64)
        of_condition = _sums(keys[self.condition_members], self.condition_starts)
        of_condition = (of_condition ^ (of_condition >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
        of_term = _sums(of_condition, self.term_starts)
        return np.sort(of_term * np.uint64(0xD6E8FEB86659FD93) ^ self.weights.astype(np.uint64))


def _starts(sizes: list[int]) -> Longs:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _sums(values: npt.NDArray[np.uint64], starts: Longs) -> npt.NDArray[np.uint64]:
    """The sum of each row, modulo 2^64."""
    running = np.concatenate([np.zeros(1, np.uint64), np.cumsum(values, dtype=np.uint64)])
    sums: npt.NDArray[np.uint64] = running[starts[1:]] - running[starts[:-1]]
    return sums
