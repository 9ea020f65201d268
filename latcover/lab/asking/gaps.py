"""How far the best solution known is from what is shown of all others: the bound, and the gap between them."""

from __future__ import annotations

from typing import Literal

Sense = Literal["minimize", "maximize"]


def gap_of(value: int | None, bound: int | None) -> float | None:
    """The distance of the bound from the best value, as a share of that value (of 1, if it is 0); None if unknown."""
    return None if value is None or bound is None else abs(bound - value) / max(1, abs(value))


def bound_in_words(noun: str, sense: Sense, value: int | None, bound: int) -> str:
    """The bound and the gap: "no packing has more than 95, a gap of 13.1 %"."""
    bound = bound if value is None else _of_all(sense, value, bound)
    less, gap = "fewer" if sense == "minimize" else "more", gap_of(value, bound)
    return f"no {noun} has {less} than {bound:,}" + (f", a gap of {100 * gap:.1f} %" if gap else "")


def _of_all(sense: Sense, value: int, bound: int) -> int:
    """What no solution passes, if those still to come do not pass *bound*."""
    return min(value, bound) if sense == "minimize" else max(value, bound)
