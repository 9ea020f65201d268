"""Keeping a count, so that it can go on after any end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.question import digest_of
from latcover.errors import LatcoverError


class StoredStates(Struct, frozen=True):
    """Where the states of a count are: a file, the byte where they begin, and the seed of their checksum."""

    path: Path
    start: int
    seed: int


class Keeper(Protocol):
    """Keeps the states of counts.

    Attributes:
        seconds: The least time from one keeping to the next.
    """

    seconds: float

    def kept(self, key: str) -> StoredStates | None:
        """The states of the count with this key, None if it begins."""

    def keep(self, key: str, share: float, append: Callable[[str, int], bool]) -> None:
        """Keep a count as it stands: ``append(path, seed)`` adds its states to a file, and returns whether it could."""

    def damaged(self, why: str) -> LatcoverError:
        """The error of states that are not those that were kept."""


def key_of(problem: CoverProblem, *more: Ints) -> str:
    """A digest of what a count of *problem* depends on, and of further arrays."""
    return digest_of(problem, *more)
