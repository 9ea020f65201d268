"""The output of `latcover estimate`, as plain data and as text."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from latcover.errors import counted, escaped
from latcover.lab.asking.estimate import Estimate, Range

MOST_DIGITS = 15  # a longer number is written with an exponent
MOST_FLOAT = 300  # decimal logarithm of the largest number in JSON
UNITS = (("years", 365.25 * 86400), ("days", 86400.0), ("h", 3600.0), ("min", 60.0), ("s", 1.0), ("ms", 1e-3))


def estimate_as_json(found: Estimate) -> dict[str, Any]:
    """The object that `latcover estimate --json` prints. Numbers beyond 1e300 are null; their log10 is not."""
    data: dict[str, Any] = msgspec.to_builtins(found, enc_hook=float)  # of NumPy
    for name in ("branches", "covers", "different", "total", "seconds"):
        value: Range | None = getattr(found, name)
        whole = found.exact and name != "seconds"
        data[name] = None if value is None else _range_as_json(value, whole=whole)
    data["calibration"]["seconds_per_branch"] = found.calibration.seconds_per_branch
    return data


def nothing_to_estimate(puzzle: str) -> str:
    """What is said of a puzzle that a simple argument rules out."""
    return f"{escaped(puzzle)}: 0 solutions, so there is nothing to estimate"


def _range_as_json(value: Range, *, whole: bool) -> dict[str, float | None]:
    ends = {"estimate": value.log10, "low": value.low, "high": value.high}
    return {key: None if log > MOST_FLOAT else _number(log, whole=whole) for key, log in ends.items()} | {
        "log10": value.log10 if math.isfinite(value.log10) else None
    }


def _number(log: float, *, whole: bool) -> float:
    """The number of a logarithm, rounded if it is *whole* and the logarithm has enough digits."""
    if log == -math.inf:
        return 0.0
    return float(round(10.0**log)) if whole and log < MOST_DIGITS else 10.0**log


def estimate_as_text(found: Estimate) -> str:
    """A line for each figure, and lines that say how it was found."""
    calibration, probing = found.calibration, found.probing
    who = found.backend if found.backend == found.asked else f"{found.asked} picks {found.backend}"
    lines = [f"{escaped(found.puzzle)}: an estimate of the full search by {who}"]
    lines.append(f"  branches   {_with_interval(found.branches, found)}")
    if found.different is not None and found.total is not None:
        lines.append(f"  solutions  {_with_interval(found.different, found)}")
        if found.total != found.different:
            lines.append(f"  in all     {_with_interval(found.total, found)}")
    else:
        lines.append(f"  covers     {_with_interval(found.covers, found)}")
    lines.append(f"  time       {_time_in_words(found)}")
    verdict = _VERDICTS[found.verdict]
    lines.append(
        f"{verdict}: {counted(probing.probes, 'probe')} in {counted(probing.groups, 'group')} entered "
        f"{counted(probing.nodes, 'node')} in {probing.seconds:.2f} s, seed {probing.seed}"
        if not found.exact
        else f"{verdict}: the whole tree was walked, {counted(probing.nodes, 'node')}"
    )
    each = calibration.seconds_per_branch
    if each is not None:
        threads = f" on {counted(calibration.threads, 'thread')}" if calibration.threads > 1 else ""
        lines.append(
            f"the time assumes {each * 1e9:,.0f} ns a branch: {calibration.backend} took that in the first "
            f"{calibration.seconds:.2f} s of the search{threads}"
        )
    return "\n".join([*lines, *(f"note: {reason}" for reason in found.reasons)])


_VERDICTS = {
    "exact": "exact",
    "good": "good",
    "rough": "rough",
    "skewed": "UNRELIABLE",
    "too few": "UNRELIABLE",
}


def _with_interval(value: Range, found: Estimate) -> str:
    if value.low == value.high:
        return _in_figures(value.log10, exact=found.exact)
    if value.high == math.inf:
        return f"{_in_figures(value.log10)} ({found.confidence:.0%} interval not known)"
    ends = f"{_in_figures(value.low)} to {_in_figures(value.high)}"
    return f"{_in_figures(value.log10)} ({found.confidence:.0%}: {ends})"


def _in_figures(log: float, *, exact: bool = False, most_digits: int = MOST_DIGITS) -> str:
    """A number with three digits, more than an estimate deserves; an exact number with all digits."""
    if log == -math.inf:
        return "0" if exact else "none met"
    if log < most_digits:
        number = 10.0**log
        if exact or number < 1000:
            return f"{round(number):,}"
        return f"{round(number, 2 - math.floor(log)):,.0f}"
    digits = f"{10 ** (log - math.floor(log)):.2f}"
    return f"{digits}e{math.floor(log)}"


def _time_in_words(found: Estimate) -> str:
    value = found.seconds
    if value is None:
        return "not known: no branch was tried while the backend was measured"
    if value.low == value.high:
        return _duration(value.log10)
    if value.high == math.inf:
        return _duration(value.log10)
    return f"{_duration(value.log10)} ({found.confidence:.0%}: {_duration(value.low)} to {_duration(value.high)})"


def _duration(log: float) -> str:
    """A time in the largest unit that it fills; *log* is the decimal logarithm of the seconds."""
    if log == -math.inf:
        return "0 s"
    for unit, seconds in UNITS:
        scaled = log - math.log10(seconds)
        if scaled >= 0 or unit == "ms":
            break
    if scaled >= 6:
        return f"{_in_figures(scaled, most_digits=6)} {unit}"
    return f"{10.0**scaled:.3g} {unit}" if scaled < 3 else f"{10.0**scaled:,.0f} {unit}"
