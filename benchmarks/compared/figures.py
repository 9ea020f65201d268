"""Ratios of times, with intervals: within turns for a problem, over problems for a task.

Times of programs are positive and their errors multiply, so everything is done with logarithms: the mean ratio is a
geometric mean, and its interval is Student's t interval of the mean of logarithms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from latcover.system.extras import require

CONFIDENCE = 0.95


class Ratio(msgspec.Struct, frozen=True):
    """A ratio and the interval in which it lies with a confidence of 95 %.

    Attributes:
        low, high: None where there is but one time.
        at_least: Whether a limit cut a program short, so that the ratio is more than this.
    """

    mean: float
    low: float | None = None
    high: float | None = None
    at_least: bool = False

    @property
    def slower(self) -> bool:
        """Whether it is surely more than 1."""
        return (self.at_least and self.mean > 1) or (self.low is not None and self.low > 1)

    @property
    def faster(self) -> bool:
        """Whether it is surely less than 1."""
        return self.high is not None and self.high < 1 and not self.at_least


def geometric_mean(values: Sequence[float], *, at_least: bool = False) -> Ratio:
    """The geometric mean of positive numbers, with its interval.

    Args:
        at_least: Whether some are only lower bounds; then there is no interval.
    """
    logarithms = [math.log(value) for value in values]
    n = len(logarithms)
    mean = math.fsum(logarithms) / n
    if n < 2 or at_least:
        return Ratio(math.exp(mean), at_least=at_least)
    spread = math.sqrt(math.fsum((each - mean) ** 2 for each in logarithms) / (n - 1) / n)
    reach = student(n - 1) * spread
    return Ratio(math.exp(mean), math.exp(mean - reach), math.exp(mean + reach))


def student(freedom: int) -> float:
    """The quantile of Student's t distribution that bounds the interval on one side."""
    stats = require("the interval of a comparison", ("scipy", "scipy.stats"), extra="peers")
    return float(stats.t.ppf(0.5 + CONFIDENCE / 2, freedom))


def paired(theirs: Sequence[float], ours: Sequence[float]) -> Ratio:
    """How many times as long as ours theirs took, by turns; later turns that one of them has not are left out."""
    pairs = list(zip(theirs, ours, strict=False))
    return geometric_mean([one / other for one, other in pairs])


def at_least(limit: float, ours: Sequence[float]) -> Ratio:
    """The ratio of a program that was ended at its limit."""
    return Ratio(limit / geometric_mean(ours).mean, at_least=True)


def form(ratio: Ratio) -> str:
    """A ratio with its interval, or with the sign of a bound."""
    if ratio.at_least:
        return f"> {number(ratio.mean)}"
    if ratio.low is None or ratio.high is None:
        return number(ratio.mean)
    return f"{number(ratio.mean)} ({number(ratio.low)} to {number(ratio.high)})"


def number(value: float) -> str:
    """Two or three digits that count."""
    if value >= 100:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}" if value >= 10 else f"{value:.2g}" if value < 1 else f"{value:.2f}".rstrip("0").rstrip(".")
