"""The determinant of a sparse matrix of whole numbers: elimination where it is exact, then the rest modulo primes."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.result import Stop
from latcover.core.cover.search import Limits, OnProgress, Progress
from latcover.errors import TooLargeError

LARGEST_PRIME = 2**63 - 25  # the moduli are the primes from here downwards
BYTES_OF_A_NUMBER = 64  # roughly, of a whole number of Python and of its place
ENTRIES_BETWEEN_LOOKS = 20_000

Row = dict[int, int]


class CountEndedError(Exception):
    """A limit was met, or the caller wants no more."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop


class Watch:
    """The limits of a count."""

    def __init__(self, limits: Limits, on_progress: OnProgress | None, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self._start, self._limit, self._on_progress = time.perf_counter(), limits.seconds, on_progress

    def seconds(self) -> float:
        return time.perf_counter() - self._start

    def look(self, share: float | None) -> None:
        spent = self.seconds()
        if self._limit is not None and spent >= self._limit:
            raise CountEndedError(Stop.TIME_LIMIT)
        if self._on_progress is not None and not self._on_progress(Progress(share, None, 0, spent)):
            raise CountEndedError(Stop.CANCELLED)


def determinant(matrix: list[Row], watch: Watch, since: float, width: float) -> tuple[int, int]:
    """The absolute determinant of a sparse matrix of whole numbers, and the rows that elimination has left.

    The determinant is at most the product of the lengths of the rows (Hadamard 1893). It is computed modulo as many
    primes as suffice for that.
    """
    bound = math.isqrt(math.prod(sum(value * value for value in row.values()) for row in matrix)) + 1
    if bound == 1:
        return 0, len(matrix)
    small = _eliminated(matrix, watch, since, width / 2)
    from flint import fmpz_mat, nmod_mat

    dense = fmpz_mat(small) if small else None
    number, modulus = 0, 1
    for prime in _primes():
        watch.look(since + width / 2 + width / 2 * min(1.0, modulus.bit_length() / bound.bit_length()))
        if modulus > 2 * bound:
            break
        residue = int(nmod_mat(dense, prime).det()) if dense is not None else 1
        number += modulus * ((residue - number) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return min(number, modulus - number), len(small)


def _primes() -> Iterator[int]:
    from flint import fmpz

    candidate = LARGEST_PRIME
    while True:
        if fmpz(candidate).is_prime():
            yield candidate
        candidate -= 2


class _Elimination(Struct, frozen=True):
    """Which unknown each row gives, by those unknowns that are free.

    Attributes:
        given: The unknown that each row gives; None if it gives none.
        number: The number of each unknown among the free ones; None if a row gives it.
        n_free: How many unknowns are free.
        last_row: The last row of each unknown.
    """

    given: list[int | None]
    number: dict[int, int | None]
    n_free: int
    last_row: dict[int, int]


def _elimination(matrix: list[Row]) -> _Elimination:
    """Let each row give a new unknown whose factor there is 1 or -1, if it has one."""
    every_given: list[int | None] = []
    number: dict[int, int | None] = {}
    n_free = 0
    last_row: dict[int, int] = {}
    for k, row in enumerate(matrix):
        new = [column for column in row if column not in number]
        given = max((column for column in new if abs(row[column]) == 1), default=None)
        every_given.append(given)
        for column in sorted(new):
            number[column] = None if column == given else n_free
            n_free += column != given
        last_row |= dict.fromkeys(row, k)
    return _Elimination(every_given, number, n_free, last_row)


def _eliminated(matrix: list[Row], watch: Watch, since: float, width: float) -> list[list[int]]:
    """A smaller matrix with the same determinant, but for its sign.

    The rows are equations. Each one gives one of its unknowns by the free ones, so every step is exact. Rows that give
    none are left, as equations of the free ones.
    """
    plan = _elimination(matrix)
    if len(plan.number) < len(matrix):
        return [[0]]  # a column without entries
    by_free: dict[int, npt.NDArray[Any]] = {}
    left: list[list[int]] = []
    entries = 0
    for k, (row, given) in enumerate(zip(matrix, plan.given, strict=True)):
        entries += len(row) * plan.n_free
        if entries > ENTRIES_BETWEEN_LOOKS:
            entries = 0
            watch.look(since + width * k / len(matrix))
            if len(by_free) * plan.n_free * BYTES_OF_A_NUMBER > watch.most_bytes:
                raise TooLargeError("the determinant takes more memory than it may")
        total = np.zeros(plan.n_free, dtype=object)
        for column, value in row.items():
            number = plan.number[column]
            if number is not None:
                total[number] += value
            elif column in by_free:  # not the one that this row gives
                total = total + by_free[column] if value == 1 else total + value * by_free[column]
        if given is None:
            left.append(total.tolist())
        else:
            by_free[given] = total if row[given] == -1 else -total
        for column in row:
            if plan.last_row[column] == k:
                by_free.pop(column, None)
    return left
