"""Cover problems as clauses, the bounds of items by any of python-sat's cardinality encodings.

Variable o + 1 is option o; auxiliary variables come after them. The first of these is simply true: some solvers crash
without any variable, and naming it makes them all declare those of the options.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

import numpy as np

from latcover.backends.rows import Row, bounded_rows, forbidden_options
from latcover.errors import UnsupportedError, suggest
from latcover.problem import CoverProblem

Clause = list[int]
AtMost = tuple[list[int], int]  # of these literals at most so many are true

AUTO = "auto"
NATIVE = "native"  # at-most-k constraints, which few solvers know
PAIRWISE = "pairwise"
ONLY_ONE = ("bitwise", "ladder", PAIRWISE)  # encodings of "at most one" alone
_OTHERWISE = "totalizer"  # what these leave to do
_LONG = "ladder"  # what "auto" takes for more options than
_SHORT = 400
_MOST_PAIRS = 50_000_000  # clauses; some gigabytes


@cache
def encodings() -> tuple[str, ...]:
    """The names of all encodings, "auto" first."""
    from pysat.card import EncType

    return (AUTO, *sorted(name for name in vars(EncType) if not name.startswith("_")))


def require_encoding(name: str) -> None:
    """Refuse the name of no encoding.

    Raises:
        UnsupportedError: it is none.
    """
    if name not in encodings():
        raise UnsupportedError(f"backend 'sat' has no encoding {name!r}{suggest(name, encodings())}")


def require_few_pairs(problem: CoverProblem) -> None:
    """Refuse a problem whose pairwise encoding no memory would hold.

    Raises:
        UnsupportedError: it is too large.
    """
    pairs = sum(_pairs(row) for row in bounded_rows(problem) if row.high == 1)
    if pairs > _MOST_PAIRS:
        raise UnsupportedError(
            f"backend 'sat': the pairwise encoding of this problem has {pairs:,} clauses, more than {_MOST_PAIRS:,}; "
            f"choose another encoding, such as {AUTO!r} or {_OTHERWISE!r}"
        )


def _pairs(row: Row) -> int:
    return len(row.options) * (len(row.options) - 1) // 2


@dataclass(slots=True)
class Encoder:
    """Turns a problem into clauses, piece by piece, so that the work can be broken off.

    Attributes:
        top: The highest variable in use.
    """

    problem: CoverProblem
    encoding: str
    top: int = field(init=False)

    def __post_init__(self) -> None:
        self.top = self.problem.n_options + 1

    def pieces(self) -> Iterator[tuple[Iterable[Clause], list[AtMost]]]:
        """Clauses and at-most-k constraints, which together say what the problem says."""
        yield [[self.top]], []
        yield ([-1 - option] for option in forbidden_options(self.problem).tolist()), []
        for row in bounded_rows(self.problem):
            literals: list[int] = (row.options + 1).tolist()
            yield from self._at_least(literals, row.low)
            if row.high < len(literals):
                yield self._at_most(literals, row.high)

    def _at_least(self, literals: list[int], low: int) -> Iterator[tuple[Iterable[Clause], list[AtMost]]]:
        if low > len(literals):
            yield [[]], []
        elif low == len(literals):
            yield ([literal] for literal in literals), []
        elif low == 1:
            yield [literals], []
        elif low > 1:
            yield self._library("atleast", literals, low)

    def _at_most(self, literals: list[int], high: int) -> tuple[Iterable[Clause], list[AtMost]]:
        encoding = self._encoding(literals, high)
        if encoding == PAIRWISE:  # their number may be immense: one by one
            return map(list, combinations((-np.array(literals)).tolist(), 2)), []
        return self._library("atmost", literals, high)

    def _encoding(self, literals: list[int], bound: int) -> str:
        encoding = self.encoding
        if encoding == AUTO:
            encoding = PAIRWISE if len(literals) <= _SHORT else _LONG
        return _OTHERWISE if encoding in ONLY_ONE and bound != 1 else encoding

    def _library(self, which: str, literals: list[int], bound: int) -> tuple[Iterable[Clause], list[AtMost]]:
        """python-sat's own encoding of *which*: "atleast" or "atmost"."""
        from pysat.card import CardEnc, EncType

        code = getattr(EncType, self._encoding(literals, 0 if which == "atleast" else bound))
        formula = getattr(CardEnc, which)(lits=literals, bound=bound, top_id=self.top, encoding=code)
        self.top = max(self.top, formula.nv)
        return formula.clauses, formula.atmosts
