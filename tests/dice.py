"""Random choices that are whole numbers and nothing else, so that they can be recorded, repeated and made smaller.

A generator of test cases asks its dice for every choice. `Seeded` throws them fast; `Drawn` lets Hypothesis throw them,
which then shrinks what fails; and `smallest` hands Hypothesis what `Seeded` threw, so that it shrinks that.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import TypeVar

from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from hypothesis.database import InMemoryExampleDatabase, choices_to_bytes
from hypothesis.errors import NoSuchExample

T = TypeVar("T")
_KEY = b"the case that failed"
_UNSHRUNK = _KEY + b".secondary"  # under which Hypothesis keeps cases that it has not shrunk


class Dice(ABC):
    """Choices; each becomes simpler as its number gets smaller."""

    @abstractmethod
    def throw(self, n: int) -> int:
        """A whole number below *n*, which is two or more."""

    def below(self, n: int) -> int:
        """A whole number below *n*; where there is but one, nothing is thrown."""
        return self.throw(n) if n > 1 else 0

    def between(self, low: int, high: int) -> int:
        """A whole number from *low* to *high*."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        """True so often; the simpler answer is False."""
        return self.below(100) >= 100 - percent

    def pick(self, things: Sequence[T]) -> T:
        """One of *things*; the first is the simplest."""
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """*things* in any order; the simplest is their own."""
        left = list(things)
        return [left.pop(self.below(len(left))) for _ in things]


class Seeded(Dice):
    """Dice that a seed determines; *thrown* is what they showed."""

    def __init__(self, seed: int | str) -> None:
        self._random = Random(seed)
        self.thrown: list[int] = []

    def throw(self, n: int) -> int:
        number = int(self._random.random() * n)
        self.thrown.append(number)
        return number


class Drawn(Dice):
    """Dice that Hypothesis throws."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def throw(self, n: int) -> int:
        return self._draw(_numbers_below(n))


@cache
def _numbers_below(n: int) -> st.SearchStrategy[int]:
    return st.integers(0, n - 1)


def thrown(make: Callable[[Dice], T]) -> st.SearchStrategy[T]:
    """What *make* makes of dice, as a strategy."""

    @st.composite
    def strategy(draw: st.DrawFn) -> T:
        return make(Drawn(draw))

    return strategy()


def smallest(make: Callable[[Dice], T], fails: Callable[[T], bool], first: Sequence[int], most: int = 2000) -> T:
    """The simplest case that Hypothesis finds to fail, beginning with the one that the numbers *first* make.

    Args:
        make: Makes a case of dice.
        fails: Whether a case fails in the way that is looked for.
        first: What the dice showed for a case that does.
        most: How many cases may be tried.

    Raises:
        NoSuchExample: that case does not fail.
    """
    database = InMemoryExampleDatabase()
    database.save(_UNSHRUNK, choices_to_bytes(first))
    chosen = settings(
        database=database, phases=[Phase.reuse, Phase.shrink], max_examples=most, deadline=None, derandomize=False
    )
    return find(thrown(make), fails, settings=chosen, database_key=_KEY)


__all__ = ["Dice", "Drawn", "NoSuchExample", "Seeded", "smallest", "thrown"]
