"""The shortest linear recurrence of whole numbers, and its generating function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from latcover.core.cover.time_limit import look_at_clock

PRIME = (1 << 521) - 1  # far larger than any coefficient of a recurrence that can be found


class Recurrence(Struct, frozen=True):
    """``N(n) = coefficients[0] * N(n - 1) + coefficients[1] * N(n - 2) + ...`` for n from *order* on.

    Attributes:
        coefficients: As above, without zeros at the end.
        order: From which n on it holds.
        numerator, denominator: Of the generating function N(0) + N(1) x + ..., the constant terms first.
        states: Of the strip, which can begin and can end.
        proved: Whether it was checked for so many terms that it holds for all.
        terms: The numbers that were computed, from n = 0.
        lengths_checked: The first so many of them, from n = 1, were also counted puzzle by puzzle.
    """

    coefficients: tuple[int, ...]
    order: int
    numerator: tuple[int, ...]
    denominator: tuple[int, ...]
    states: int
    proved: bool
    terms: tuple[int, ...]
    lengths_checked: int = 0

    def as_json(self) -> dict[str, Any]:
        """The recurrence as data."""
        return {
            "coefficients": [*self.coefficients],
            "from": self.order,
            "numerator": [*self.numerator],
            "denominator": [*self.denominator],
            "states": self.states,
            "proved": self.proved,
            "terms_checked": len(self.terms),
            "lengths_checked": self.lengths_checked,
        }

    def numbers(self, last: int) -> list[int]:
        """N(0), ..., N(*last*), by the recurrence."""
        found = [*self.terms[: min(self.order, last + 1)]]
        for n in range(len(found), last + 1):
            found.append(sum(c * found[n - k] for k, c in enumerate(self.coefficients, 1)))
        return found


def shortest_recurrence(terms: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """The coefficients of the shortest linear recurrence of whole numbers, and its order, by Berlekamp and Massey.

    They are computed modulo a large prime and taken as the least in absolute value. The order is larger than the number
    of coefficients if the recurrence begins later. Source: Massey 1969, Shift-register synthesis and BCH decoding.
    """
    current, before = [1], [1]
    order, gap, last = 0, 1, 1
    for n, term in enumerate(terms):
        look_at_clock()
        wrong = (term + sum(current[k] * terms[n - k] for k in range(1, len(current)))) % PRIME
        if not wrong:
            gap += 1
            continue
        factor = wrong * pow(last, -1, PRIME) % PRIME
        changed = current + [0] * (len(before) + gap - len(current))
        for k, c in enumerate(before):
            changed[k + gap] = (changed[k + gap] - factor * c) % PRIME
        if 2 * order <= n:
            before, last, order, gap = current, wrong, n + 1 - order, 1
        else:
            gap += 1
        current = changed
    return trimmed([-(c - PRIME if 2 * c > PRIME else c) for c in current[1:]]), order


def holds(coefficients: Sequence[int], order: int, terms: Sequence[int]) -> bool:
    """Whether the recurrence holds for all these terms from *order* on, exactly."""
    return all(
        terms[n] == sum(c * terms[n - k] for k, c in enumerate(coefficients, 1)) for n in range(order, len(terms))
    )


def numerator_of(denominator: Sequence[int], order: int, terms: Sequence[int]) -> tuple[int, ...]:
    """The numerator of the generating function of *terms*, which obey the recurrence from *order* on."""
    return trimmed([sum(c * terms[k - j] for j, c in enumerate(denominator[: k + 1])) for k in range(order)])


def trimmed(numbers: Sequence[int]) -> tuple[int, ...]:
    """Without zeros at the end."""
    last = max((k for k, number in enumerate(numbers, 1) if number), default=0)
    return tuple(numbers[:last])
