"""Cover problems as clauses, the bounds of items by any of python-sat's cardinality encodings.

Variable o + 1 is option o. Those after them stand for the options that hold an item in the same colour; then there are
auxiliary ones. The first of these is simply true: some solvers crash without any variable, and naming it makes them all
declare those of the options.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from latcover.backends.rows import Row, bounded_rows, colour_groups, forbidden_options
from latcover.errors import UnsupportedError, suggest
from latcover.problem import CoverProblem, Ints

Clause = list[int]
AtMost = tuple[list[int], int]  # of these literals at most so many are true

AUTO = "auto"
NATIVE = "native"  # at-most-k constraints, which few solvers know
PAIRWISE = "pairwise"
ONLY_ONE = ("bitwise", "ladder", PAIRWISE)  # encodings of "at most one" alone
_OTHERWISE = "totalizer"  # what these leave to do
_LONG = "seqcounter"  # what "auto" takes where pairs would be too many
_PAIRS_OF_AUTO = 5_000_000
_MOST_PAIRS = 50_000_000  # some gigabytes


@cache
def encodings() -> tuple[str, ...]:
    """The names of all encodings, "auto" first."""
    from pysat.card import EncType  # type: ignore[import-untyped]

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
    pairs = sum(_pairs(row) for row in bounded_rows(problem) if _is_only_one(row))
    if pairs > _MOST_PAIRS:
        raise UnsupportedError(
            f"backend 'sat': the pairwise encoding of this problem has up to {pairs:,} clauses, more than "
            f"{_MOST_PAIRS:,}; "
            f"choose another encoding, such as {AUTO!r} or {_OTHERWISE!r}"
        )


def _pairs(row: Row) -> int:
    return len(row.variables) * (len(row.variables) - 1) // 2


def _is_only_one(row: Row) -> bool:
    """Whether at most one of several options is to be chosen."""
    return row.high == 1 < len(row.variables)


@dataclass(slots=True)
class Encoder:
    """Turns a problem into clauses, piece by piece, so that the work can be broken off.

    Attributes:
        top: The highest variable in use.
    """

    problem: CoverProblem
    encoding: str
    top: int = field(init=False)
    _groups: tuple[Ints, ...] = field(init=False)
    _rows: list[Row] = field(init=False)
    _longest: float = field(init=False)  # of the rows whose pairs are written out

    def __post_init__(self) -> None:
        self._groups = colour_groups(self.problem)
        self.top = self.problem.n_options + len(self._groups) + 1
        self._rows = list(bounded_rows(self.problem))
        self._longest = {AUTO: _longest_in_pairs(self._rows), PAIRWISE: math.inf}.get(self.encoding, 0)

    def pieces(self) -> Iterator[tuple[Iterable[Clause], list[AtMost]]]:
        """Clauses and at-most-k constraints, which together say what the problem says."""
        yield [[self.top]], []
        yield ([-1 - option] for option in forbidden_options(self.problem).tolist()), []
        for group, options in enumerate(self._groups, self.problem.n_options + 1):
            yield [[-group, *(options + 1).tolist()], *([-1 - option, group] for option in options.tolist())], []
        in_pairs = []
        for row in self._rows:
            literals: list[int] = (row.variables + 1).tolist()
            yield from self._at_least(literals, row.low)
            if _is_only_one(row) and len(literals) <= self._longest:
                in_pairs.append(row.variables)
            elif row.high < len(literals):
                yield self._library("atmost", literals, row.high)
        yield _pairs_of(in_pairs), []

    def _at_least(self, literals: list[int], low: int) -> Iterator[tuple[Iterable[Clause], list[AtMost]]]:
        if low > len(literals):
            yield [[]], []
        elif low == len(literals):
            yield ([literal] for literal in literals), []
        elif low == 1:
            yield [literals], []
        elif low > 1:
            yield self._library("atleast", literals, low)

    def _library(self, which: str, literals: list[int], bound: int) -> tuple[Iterable[Clause], list[AtMost]]:
        """python-sat's own encoding of *which*: "atleast" or "atmost"."""
        from pysat.card import CardEnc, EncType

        encoding = _LONG if self.encoding == AUTO else self.encoding
        if encoding in ONLY_ONE and (which, bound) != ("atmost", 1):
            encoding = _OTHERWISE
        encode = getattr(CardEnc, which)
        formula = encode(lits=literals, bound=bound, top_id=self.top, encoding=getattr(EncType, encoding))
        self.top = max(self.top, formula.nv)
        return formula.clauses, formula.atmosts


def _longest_in_pairs(rows: list[Row]) -> int:
    """The length up to which rows are written out in pairs, so that there are few enough of these in all."""
    longest = pairs = 0
    for row in sorted(filter(_is_only_one, rows), key=lambda row: len(row.variables)):
        pairs += _pairs(row)
        if pairs > _PAIRS_OF_AUTO:
            return min(longest, len(row.variables) - 1)
        longest = len(row.variables)
    return longest


def _pairs_of(rows: list[Ints]) -> Iterator[Clause]:
    """A clause for any two variables that share a row, once, however many they share: nearly half of all come twice."""
    rows_of: dict[int, list[int]] = {}
    for number, options in enumerate(rows):
        for option in options.tolist():
            rows_of.setdefault(option, []).append(number)
    place = [0] * len(rows)
    for option in sorted(rows_of):
        later = []
        for number in rows_of[option]:
            place[number] += 1
            later.append(rows[number][place[number] :])
        for other in np.unique(np.concatenate(later)).tolist():
            yield [-1 - option, -1 - other]
