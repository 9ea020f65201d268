"""How times are taken: runs take turns, the least of several counts, and what they find must agree."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from latcover.errors import LatcoverError

T = TypeVar("T")


class DisagreementError(LatcoverError):
    """Runs that must find the same did not: no time of theirs means anything."""


class Timer:
    """Takes the time of the clock, and that of the processor for this process, from its making on."""

    def __init__(self) -> None:
        self._start = _now()
        self._end: tuple[float, float] | None = None

    def stop(self) -> None:
        """Let no more time pass."""
        self._end = _now()

    def by_clock(self) -> float:
        """Seconds that passed."""
        return (self._end or _now())[0] - self._start[0]

    def of_processor(self) -> float:
        """Seconds that all threads of this process took."""
        return (self._end or _now())[1] - self._start[1]

    def least(self) -> float:
        """The lesser of the two: neither is less than what the work needs, whatever else the machine does."""
        return min(self.by_clock(), self.of_processor())


def _now() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def in_turns(
    runs: Mapping[str, Callable[[], T]], times: int, goes_on: Callable[[list[T]], bool] = bool
) -> dict[str, list[T]]:
    """What each run came to, each time that it was its turn.

    Args:
        times: How many turns there are.
        goes_on: Whether a run takes part in a further turn, by what it came to in those before.
    """
    found: dict[str, list[T]] = {name: [] for name in runs}
    for _ in range(times):
        for name, run in runs.items():
            if not found[name] or goes_on(found[name]):
                found[name].append(run())
    return found


def require_agreement(subject: str, what: str, found: Mapping[str, object], advice: str = "") -> None:
    """Compare what several methods say of a subject; None says nothing.

    Raises:
        DisagreementError: two of them differ.
    """
    told = {name: value for name, value in found.items() if value is not None}
    if len(set(told.values())) > 1:
        listed = ", ".join(f"{name} {shown(value)}" for name, value in told.items())
        raise DisagreementError(
            f"{subject}: the methods disagree about the {what}: {listed}. One of them is wrong{advice}"
        )


def shown(value: object) -> str:
    """A number with its thousands apart; anything else as it is."""
    return f"{value:,}" if isinstance(value, int) else str(value)


def first_known(values: Iterable[T | None]) -> T | None:
    """The first value that there is."""
    return next((value for value in values if value is not None), None)
