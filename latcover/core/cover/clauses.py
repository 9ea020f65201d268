"""Cover problems as clauses. Python-sat's cardinality encodings express the bounds of items.

Option o has the variable o + 1, unless other numbers are given. The next variables are those of colours: each stands
for all options that hold an item in the same colour. Auxiliary variables come last.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Any

import numpy as np

from latcover.core.cover.problem import CoverProblem, Longs
from latcover.core.cover.rows import Row, bounded_rows, colour_groups, forbidden_options
from latcover.errors import UnsupportedError, suggest
from latcover.system.sorted_sets import distinct

Clause = list[int]
AtMost = tuple[list[int], int]  # literals, and how many of them may be true

AUTO = "auto"
NATIVE = "native"  # at-most-k constraints, which few solvers support
PAIRWISE = "pairwise"
ONLY_ONE = ("bitwise", "ladder", PAIRWISE)  # encodings of "at most one" only
_OTHER_BOUNDS = "totalizer"  # for other bounds than "at most one", if the encoding is one of these
_LONG_ROWS = "seqcounter"  # the choice of "auto" if there would be too many pairs
_PAIRS_OF_AUTO = 5_000_000
_MOST_PAIRS = 50_000_000  # some gigabytes


@cache
def encodings() -> tuple[str, ...]:
    """The names of all encodings, "auto" first."""
    from pysat.card import EncType  # type: ignore[import-untyped]

    return (AUTO, *sorted(name for name in vars(EncType) if not name.startswith("_")))


def require_encoding(name: str, who: str = "backend 'sat'") -> None:
    """Refuse a *name* that is not an encoding, on behalf of *who*.

    Raises:
        UnsupportedError: the encoding does not exist.
    """
    if name not in encodings():
        raise UnsupportedError(f"{who} has no encoding {name!r}{suggest(name, encodings())}")


def require_few_pairs(problem: CoverProblem) -> None:
    """Refuse a problem whose pairwise encoding would need too much memory.

    Raises:
        UnsupportedError: the encoding is too large.
    """
    pairs = sum(_pairs(row) for row in bounded_rows(problem) if _is_only_one(row))
    if pairs > _MOST_PAIRS:
        raise UnsupportedError(
            f"backend 'sat': the pairwise encoding of this problem has up to {pairs:,} clauses, more than "
            f"{_MOST_PAIRS:,}; "
            f"choose another encoding, such as {AUTO!r} or {_OTHER_BOUNDS!r}"
        )


def _pairs(row: Row) -> int:
    return len(row.variables) * (len(row.variables) - 1) // 2


def _is_only_one(row: Row) -> bool:
    """Whether at most one of several variables may be true."""
    return row.high == 1 < len(row.variables)


class Encoder:
    """Encodes a problem as clauses, piece by piece, so that the work can be interrupted.

    Attributes:
        numbers: The variable of each option, ascending from 1, shape (n_options,), int64; None is 1, 2, ...
        top: The highest variable in use, by default that of the last option; new variables are higher.
    """

    def __init__(self, problem: CoverProblem, encoding: str, numbers: Longs | None = None, top: int = 0) -> None:
        self.problem, self.encoding = problem, encoding
        self._options = np.arange(1, problem.n_options + 1) if numbers is None else numbers
        first = max(top, int(self._options.max(initial=0))) + 1
        groups = colour_groups(problem)
        self._groups = [(first + k, self._options[options].tolist()) for k, options in enumerate(groups)]
        self.top = first + len(groups) - 1
        self._variables = np.append(self._options, np.arange(first, first + len(groups)))
        self._rows: list[Row] = list(bounded_rows(problem))
        self._longest: float = {AUTO: _longest_in_pairs(self._rows), PAIRWISE: math.inf}.get(self.encoding, 0)

    def size(self) -> tuple[int, int]:
        """The final numbers of variables and clauses. Call this before the first piece.

        The library encodes only one row of each length, because the numbers depend only on the length.
        """
        clauses, variables = len(forbidden_options(self.problem)), self.top
        clauses += sum(1 + len(options) for _, options in self._groups)
        for row in self._rows:
            n, sums = len(row.variables), []
            if 1 < row.low < n:
                sums.append(("atleast", row.low))
            else:
                clauses += n if row.low == n else bool(row.low)
            if row.high < n and not self._is_in_pairs(row):
                sums.append(("atmost", row.high))
            for which, bound in sums:
                more = _library_size(which, n, bound, self._encoding_of(which, bound))
                variables, clauses = variables + more[0], clauses + more[1]
        return variables, clauses + sum(len(others) for _, others in self.pairs())

    def pieces(self) -> Iterator[tuple[Iterable[Clause], list[AtMost]]]:
        """The clauses and at-most-k constraints of the problem."""
        yield from self.sums()
        yield ([-one, -other] for one, others in self.pairs() for other in others.tolist()), []

    def sums(self) -> Iterator[tuple[Iterable[Clause], list[AtMost]]]:
        """All pieces except for `pairs`."""
        yield ([-variable] for variable in self._options[forbidden_options(self.problem)].tolist()), []
        for group, options in self._groups:
            yield [[-group, *options], *([-option, group] for option in options)], []
        for row in self._rows:
            literals: list[int] = self._variables[row.variables].tolist()
            yield from self._at_least(literals, row.low)
            if row.high < len(literals) and not self._is_in_pairs(row):
                yield self._library("atmost", literals, row.high)

    def pairs(self) -> Iterator[tuple[int, Longs]]:
        """Each variable with the later variables that exclude it; each such pair is a clause."""
        return _partners([self._variables[row.variables] for row in self._rows if self._is_in_pairs(row)])

    def _is_in_pairs(self, row: Row) -> bool:
        return _is_only_one(row) and len(row.variables) <= self._longest

    def _at_least(self, literals: list[int], low: int) -> Iterator[tuple[Iterable[Clause], list[AtMost]]]:
        if low > len(literals):
            yield [[]], []
        elif low == len(literals):
            yield ([literal] for literal in literals), []
        elif low == 1:
            yield [literals], []
        elif low > 1:
            yield self._library("atleast", literals, low)

    def _encoding_of(self, which: str, bound: int) -> str:
        encoding = _LONG_ROWS if self.encoding == AUTO else self.encoding
        return _OTHER_BOUNDS if encoding in ONLY_ONE and (which, bound) != ("atmost", 1) else encoding

    def _library(self, which: str, literals: list[int], bound: int) -> tuple[Iterable[Clause], list[AtMost]]:
        """python-sat's own encoding of *which*: "atleast" or "atmost"."""
        formula = _library_formula(which, literals, bound, encoding=self._encoding_of(which, bound), top=self.top)
        self.top = max(self.top, formula.nv)
        return formula.clauses, formula.atmosts


def _library_formula(which: str, literals: list[int], bound: int, *, encoding: str, top: int) -> Any:
    from pysat.card import CardEnc, EncType

    encode = partial(getattr(CardEnc, which), top_id=top, encoding=getattr(EncType, encoding))
    # On the main thread python-sat handles SIGINT itself, by a jump out of the running code. That causes an error, or
    # leaves a lock of the allocator locked forever.
    with ThreadPoolExecutor(1) as aside:
        return aside.submit(encode, lits=literals, bound=bound).result()


@cache
def _library_size(which: str, n: int, bound: int, encoding: str) -> tuple[int, int]:
    """How many variables and clauses the library's encoding of *n* literals adds."""
    formula = _library_formula(which, list(range(1, n + 1)), bound, encoding=encoding, top=n)
    return max(formula.nv - n, 0), len(formula.clauses)


def _longest_in_pairs(rows: list[Row]) -> int:
    """The greatest length of rows to write as pairs, such that there are at most _PAIRS_OF_AUTO pairs."""
    longest = pairs = 0
    for row in sorted(filter(_is_only_one, rows), key=lambda row: len(row.variables)):
        pairs += _pairs(row)
        if pairs > _PAIRS_OF_AUTO:
            return min(longest, len(row.variables) - 1)
        longest = len(row.variables)
    return longest


def _partners(rows: list[Longs]) -> Iterator[tuple[int, Longs]]:
    """For each variable the later variables that share a row with it, without repetitions."""
    rows_of: dict[int, list[int]] = {}
    for number, variables in enumerate(rows):
        for variable in variables.tolist():
            rows_of.setdefault(variable, []).append(number)
    place = [0] * len(rows)
    for variable in sorted(rows_of):
        later = []
        for number in rows_of[variable]:
            place[number] += 1
            later.append(rows[number][place[number] :])
        yield variable, distinct(np.concatenate(later))
