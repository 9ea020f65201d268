"""Options told apart by what they hold: a key of 64 bits for each, whatever the order of its items."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from latcover.cover.fingerprint import Words, mixed
from latcover.cover.problem import CoverProblem
from latcover.formats.cover_problems.exported import Exported, exported

_COLOURS = 1 << 32  # an item and its colour make one word


def keys_of_options(problem: CoverProblem, n_visible: int) -> Words:
    """The key of each option, of its items below *n_visible* and their colours; shape (n_options,)."""
    items = problem.option_items
    words = items.astype(np.uint64)
    if problem.has_colours:
        words = words + problem.option_colours.astype(np.uint64) * np.uint64(_COLOURS)
    keys = mixed(words)
    keys[items >= n_visible] = 0
    sums = np.zeros(len(items) + 1, np.uint64)
    np.cumsum(keys, out=sums[1:])  # wraps around, and so do the differences
    found: Words = sums[problem.option_starts[1:]] - sums[problem.option_starts[:-1]]
    return found


def key_of(entries: Iterable[tuple[int, int]]) -> int:
    """The key of an option that holds these items with these colours (0: none)."""
    words = np.array([item + colour * _COLOURS for item, colour in entries], dtype=np.uint64)
    return int(mixed(words).sum(dtype=np.uint64)) if len(words) else 0


def numbers_where_alike(written: Exported) -> dict[int, str]:
    """For each option of a puzzle that cells and part do not tell from another a name, "#" and its number; by number.

    Others may be those that symmetry leaves out: who reads the answer does not know which these are.
    """
    if written.prepared is None:
        return {}
    full = exported(written.prepared.in_full()) if len(written.left_out()) else written
    _, which, times = np.unique(keys_of_options(full.problem, full.n_visible), return_inverse=True, return_counts=True)
    return {number: f"#{number}" for number in full.variables[times[which.reshape(-1)] > 1].tolist()}
