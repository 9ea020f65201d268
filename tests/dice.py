"""Random choices that are whole numbers and nothing else, so that they can be recorded, repeated and made smaller.

A generator of test cases asks its dice for every choice. `Seeded` throws them fast; `Drawn` lets Hypothesis throw them;
and `smallest` hands Hypothesis what `Seeded` threw, so that it shrinks that. `cases` runs a test with what is thrown.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cache, wraps
from inspect import signature
from random import Random
from typing import Any, TypeVar

from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from hypothesis.database import InMemoryExampleDatabase, choices_to_bytes
from hypothesis.errors import NoSuchExample

T = TypeVar("T")
TIMES = {"as many": 1}  # how many times as many cases as said are tried: twenty with --long, see conftest.py
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


def cases(
    many: int, *, also: Iterable[int] = (), **makers: Callable[[Dice], object]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with so many random cases, the same in every run; one that fails is shown as small as it can be made.

    Args:
        many: How many, if the test is not run with --long.
        also: The numbers of later cases that are always tried: a defect is known that only they show.
        makers: What makes each of the test's arguments.
    """

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        def made(dice: Dice) -> dict[str, object]:
            return {name: make(dice) for name, make in makers.items()}

        @wraps(test)
        def run(*args: Any, **fixtures: Any) -> None:
            for number in sorted({*range(many * TIMES["as many"]), *also}):
                dice = Seeded(number)
                case = made(dice)
                try:
                    test(*args, **fixtures, **case)
                except Exception as fault:
                    kind = type(fault)
                    small = _smallest_or(case, made, lambda each: _fails(test, kind, args, {**fixtures, **each}), dice)  # noqa: B023
                    fault.add_note(f"case {number}: {case}\nmade smaller: {small}")
                    raise

        others = [p for name, p in signature(test).parameters.items() if name not in makers]
        run.__signature__ = signature(test).replace(parameters=others)  # type: ignore[attr-defined]
        return run

    return decorated


def _fails(test: Callable[..., None], kind: type[Exception], args: Sequence[Any], given: dict[str, Any]) -> bool:
    try:
        test(*args, **given)
    except kind:
        return True
    except Exception:
        return False
    return False


def _smallest_or(
    case: dict[str, object], make: Callable[[Dice], dict[str, object]], fails: Callable[[Any], bool], dice: Seeded
) -> object:
    """The smallest case that fails alike; *case* where Hypothesis cannot repeat it."""
    try:
        return smallest(make, fails, dice.thrown, most=200)
    except Exception:
        return case


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


__all__ = ["Dice", "Drawn", "NoSuchExample", "Seeded", "cases", "smallest", "thrown"]
