"""A table of the number of covers of each set. There are millions, so it consists of arrays of bounded size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from latcover.core.cover.problem import Longs
from latcover.core.cover.search import Batch
from latcover.errors import TooLargeError

Keys = npt.NDArray[np.int64]  # (number of sets, words)
MOST_IN_A_WORD = 1 << 62
WAITING = 1 << 18  # rows that are merged together


class Packing:
    """Packs sets into keys: one integer, or several if there are many parts."""

    def __init__(self, radices: Sequence[int]) -> None:
        """*radices*: each part has fewer copies than this."""
        self.radices = np.array(radices, np.int64)
        self.word = np.zeros(len(radices), np.int64)
        self.weight = np.ones(len(radices), np.int64)
        word, size = 0, 1
        for part, radix in enumerate(radices):
            if size * radix > MOST_IN_A_WORD:
                word, size = word + 1, 1
            self.word[part], self.weight[part] = word, size
            size *= radix
        self.words = word + 1

    def weights(self, part_of: npt.NDArray[np.integer]) -> Keys:
        """The key of one copy of each of these parts, shape (n, words); -1 is no part."""
        keys = np.zeros((len(part_of), self.words), np.int64)
        real = np.flatnonzero(part_of >= 0)
        keys[real, self.word[part_of[real]]] = self.weight[part_of[real]]
        return keys

    def pack(self, copies: npt.NDArray[np.integer]) -> Keys:
        """The keys of sets, shape (n, n_parts)."""
        keys = np.zeros((len(copies), self.words), np.int64)
        for word in range(self.words):
            here = self.word == word
            keys[:, word] = copies[:, here].astype(np.int64) @ self.weight[here]
        return keys

    def unpack(self, keys: Keys) -> npt.NDArray[np.int32]:
        """The sets of these keys, shape (n, n_parts)."""
        return (keys[:, self.word] // self.weight % self.radices).astype(np.int32)


def keys_of(batch: Batch, weights: Keys) -> Keys:
    """The key of each cover of a batch; *weights* has that of each option."""
    sums = np.zeros((len(batch.options) + 1, weights.shape[1]), np.int64)
    np.cumsum(weights[batch.options], axis=0, out=sums[1:])
    found: Keys = sums[batch.starts[1:]] - sums[batch.starts[:-1]]
    return found


class SetTable:
    """The number of covers of each set.

    Attributes:
        keys, covers: The sets and their covers, in the order of the keys; shapes (n, words) and (n,), int64.
    """

    def __init__(self, words: int, most_bytes: int) -> None:
        self._keys: Keys = np.empty((0, words), np.int64)
        self._covers: Longs = np.empty(0, np.int64)
        self._most = max(1, most_bytes // (8 * (words + 1) * 4))  # merging needs both, and the result
        self._waiting: list[tuple[Keys, Longs]] = []
        self._n_waiting = 0

    def add(self, keys: Keys, covers: Longs | None = None) -> None:
        """Add one cover of each key, or *covers*.

        Raises:
            TooLargeError: there are more sets than the memory holds.
        """
        found, times = _each_once(keys, covers)
        self._waiting.append((found, times))
        self._n_waiting += len(found)
        if self._n_waiting > max(WAITING, len(self._keys) // 2):
            self._merge()

    def _merge(self) -> None:
        if self._waiting:
            keys = np.concatenate([self._keys, *(keys for keys, _ in self._waiting)])
            covers = np.concatenate([self._covers, *(covers for _, covers in self._waiting)])
            self._keys, self._covers = _each_once(keys, covers)
            self._waiting, self._n_waiting = [], 0
        if len(self._keys) > self._most:
            raise TooLargeError(
                f"more than {self._most:,} sets have a solution, and memory is full; allow more with "
                "--memory, or pick sets at random with --search sample"
            )

    @property
    def keys(self) -> Keys:
        self._merge()
        return self._keys

    @property
    def covers(self) -> Longs:
        self._merge()
        return self._covers

    def of(self, keys: Keys) -> Longs:
        """The number of covers of each of these keys, which must ascend."""
        both = np.concatenate([self.keys, keys])
        _, place = _numbered(both)
        found = np.zeros(int(place.max(initial=-1)) + 1, np.int64)
        found[place[: len(self.keys)]] = self.covers
        result: Longs = found[place[len(self.keys) :]]
        return result


def _each_once(keys: Keys, covers: Longs | None) -> tuple[Keys, Longs]:
    distinct, place = _numbered(keys)
    if covers is None:
        return distinct, np.bincount(place, minlength=len(distinct)).astype(np.int64)
    times = np.zeros(len(distinct), np.int64)
    np.add.at(times, place, covers)
    return distinct, times


def _numbered(keys: Keys) -> tuple[Keys, npt.NDArray[np.intp]]:
    """The distinct keys in order, and the number of each key among them."""
    if keys.shape[1] == 1:
        distinct, place = np.unique(keys[:, 0], return_inverse=True)
        return distinct[:, None], place.reshape(-1)
    distinct, place = np.unique(keys, axis=0, return_inverse=True)
    return distinct, place.reshape(-1)
