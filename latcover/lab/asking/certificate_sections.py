"""The problems that the sections of a certificate count: of single options, or of orbits of options."""

from __future__ import annotations

import hashlib
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from latcover.backends import _native
from latcover.backends.frontier import orders_of
from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.solving.unlisted_count import swept
from latcover.errors import UnsupportedError

_LINES = 1 << 16  # of a digest, made at once


class SectionProblem:
    """A problem whose options are options of another one, or orbits of them."""

    def __init__(self, problem: CoverProblem, orbits: list[list[int]]) -> None:
        sizes = np.diff(problem.option_starts)
        joined = np.array([option for orbit in orbits for option in orbit], np.int64)
        ends = np.cumsum([0, *(int(sizes[orbit].sum()) for orbit in orbits)])
        entries = _entries(problem, joined)
        colours = problem.option_colours[entries] if problem.has_colours else problem.option_colours
        self._problem, self._ends, self._items = problem, ends.astype(np.int64), problem.option_items[entries]
        self.native = _native.CertifiedProblem(self._ends, self._items, colours, problem.low, problem.high)

    def fits(self, option: int) -> bool:
        """Whether an option fits the empty state."""
        return bool((self._problem.high[self._problem.items_of(option)] > 0).all())

    def orders(self, sweeps: Ints) -> list[Ints]:
        """Orders of the items in which a sweep may have few states; none if the layers would be very wide."""
        rows = [np.unique(self._items[a:b]) for a, b in zip(self._ends[:-1], self._ends[1:], strict=True)]
        rows = [row for row in rows if len(row)]
        starts = np.cumsum([0, *map(len, rows)])
        items = np.concatenate([np.empty(0, np.int32), *rows]).astype(np.int32)
        problem, once = self._problem, np.ones_like(self._problem.high)
        shades = np.zeros(len(items), np.int32)
        if problem.has_colours:
            coloured = np.zeros(problem.n_items, np.bool_)
            coloured[problem.option_items[problem.option_colours > 0]] = True
            shades = np.where(coloured[items], 1, 0).astype(np.int32)
        low = np.minimum(problem.low, 1)
        alike = CoverProblem(starts, items, low, once, option_colours=shades if shades.any() else shades[:0])
        try:
            orders = orders_of(swept(alike, sweeps)).items
        except UnsupportedError:  # too wide
            return []
        # An item that may be held several times would be decided in very many ways, unless its options are out.
        several = problem.high > 1
        return [np.concatenate([order[~several[order]], order[several[order]]]) for order in orders]


def _entries(problem: CoverProblem, options: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The places of the entries of these options, one option after another."""
    sizes = np.diff(problem.option_starts)[options]
    starts = np.cumsum(sizes) - sizes
    places: npt.NDArray[np.int64] = np.arange(int(sizes.sum())) + np.repeat(
        problem.option_starts[:-1][options] - starts, sizes
    )
    return places


def single_options(problem: CoverProblem) -> list[list[int]]:
    """Each option by itself."""
    return [[option] for option in range(problem.n_options)]


def digest_of(problem: CoverProblem) -> str:
    """The digest of a problem, as a certificate names it."""
    made = hashlib.sha256(f"items {problem.n_items} options {problem.n_options}\n".encode())
    bounds = zip(problem.low.tolist(), problem.high.tolist(), strict=True)
    made.update("".join(f"{low} {high}\n" for low, high in bounds).encode())
    words = list(map(str, problem.option_items.tolist()))
    if problem.has_colours:
        shades = problem.option_colours.tolist()
        words = [f"{word}:{shade}" if shade else word for word, shade in zip(words, shades, strict=True)]
    starts = problem.option_starts.tolist()
    for first in range(0, problem.n_options, _LINES):
        ends = starts[first : first + _LINES + 1]
        lines = (" ".join(words[a:b]) for a, b in pairwise(ends))
        made.update("".join(line + "\n" for line in lines).encode())
    return made.hexdigest()
