"""What a foreign backend hands over: each set of options is a cover, comes once, and comes in time."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import numpy.typing as npt

from latcover.core.cover.fingerprint import Words, words_of_solutions
from latcover.core.cover.problem import CoverProblem, Ints, whole_numbers
from latcover.core.cover.search import Batch
from latcover.errors import BackendFailedError, PuzzleError

PATIENCE = 0.2  # seconds for threads that a backend leaves behind
LATE = "delivered covers after it had returned, so its answer was incomplete"


class CoverChecks:
    """Checks the batches of a foreign backend: each set of options is a cover, and comes once, and in time.

    A hash of 64 bits stands for each cover, so a million different covers are taken for repeated with a probability of
    3e-8. The hashes lie in sorted runs, each more than twice as long as the next: 8 bytes a cover.
    """

    def __init__(self, who: str, problem: CoverProblem) -> None:
        self._who, self._problem = who, problem
        self._runs: list[Words] = []
        self._has_returned, self._late = False, 0

    def end(self, threads: set[threading.Thread]) -> None:
        """The backend has returned. Wait a little for the threads that it has left behind.

        Raises:
            BackendFailedError: one has handed over covers since.
        """
        self._has_returned = True
        until = time.perf_counter() + PATIENCE
        for thread in threads:
            thread.join(max(0.0, until - time.perf_counter()))
        if self._late:
            raise BackendFailedError(f"{self._who} {LATE}")

    def admitted(self, batch: Batch) -> Batch:
        """The same covers, checked, in arrays of the right types.

        Raises:
            BackendFailedError: they are not as they must be.
        """
        if self._has_returned:
            self._late += 1
            raise BackendFailedError(f"{self._who} {LATE}")
        if not isinstance(batch, Batch):
            raise BackendFailedError(f"{self._who} handed over {type(batch).__name__} instead of a Batch")
        batch = Batch(self._whole("starts", batch.starts, np.int64), self._whole("options", batch.options, np.int32))
        starts, options = batch.starts, batch.options
        if len(starts) == 0 or starts[0] != 0 or starts[-1] != len(options) or (starts[1:] < starts[:-1]).any():
            raise BackendFailedError(f"{self._who} delivered a batch whose starts do not fit its options")
        if len(options) and (options.min() < 0 or options.max() >= self._problem.n_options):
            raise BackendFailedError(f"{self._who} delivered options that do not exist")
        for k, cover in enumerate(batch):
            if not self._problem.is_cover(cover):
                raise self._fault("a set of options that is not a cover", k, cover)
        if (again := self._first_known(words_of_solutions(self._problem.n_options, starts, options))) is not None:
            raise self._fault("a cover for the second time", again, options[starts[again] : starts[again + 1]])
        return batch

    def _whole(self, name: str, given: npt.ArrayLike, dtype: type[np.integer[Any]]) -> npt.NDArray[Any]:
        try:
            return whole_numbers(f"the {name} of a batch", given, dtype)
        except PuzzleError as fault:
            raise BackendFailedError(f"{self._who} is at fault: {fault}") from None

    def _fault(self, what: str, k: int, cover: Ints) -> BackendFailedError:
        place = f"as number {k + 1} of a batch: {cover.tolist()}"
        return BackendFailedError(f"{self._who} handed over {what}, {place}")

    def _first_known(self, words: Words) -> int | None:
        """The first of these hashes that came before, in this batch or another; None if all are new. Keep them."""
        order = np.argsort(words, kind="stable")
        known = np.zeros(len(words), np.bool_)
        known[order[1:]] = words[order[1:]] == words[order[:-1]]
        for run in self._runs:
            known |= run[np.minimum(np.searchsorted(run, words), len(run) - 1)] == words
        if known.any():
            return int(np.argmax(known))
        self._runs += [words[order]] if len(words) else []
        while len(self._runs) > 1 and len(self._runs[-2]) <= 2 * len(self._runs[-1]):
            self._runs[-2:] = [np.sort(np.concatenate(self._runs[-2:]), kind="stable")]  # merges the two
        return None
