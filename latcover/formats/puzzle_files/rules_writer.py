"""The rules of a puzzle as the tables [rules] and [sides] of a puzzle file."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from latcover.errors import UnsupportedError
from latcover.model.puzzle import Puzzle, Rules

Data = dict[str, Any]


def rules_as_data(puzzle: Puzzle) -> Data:
    """The content of [rules]; empty if there are no such rules."""
    rules, names = puzzle.rules, puzzle.colours
    data: Data = {}
    if rules.stands_on:
        own = sorted({part for part, _ in rules.stands_on})
        data["stands_on"] = {names[part]: [names[c] for p, c in sorted(rules.stands_on) if p == part] for part in own}
    if rules.apart:
        data["apart"] = [names[a] if a == b else [names[a], names[b]] for a, b in rules.apart]
    if rules.across_corners:
        data["across"] = "corners"
    if rules.exchangeable:
        data["exchangeable"] = [[names[colour] for colour in colours] for colours in rules.exchangeable]
    return data


def sides_as_data(puzzle: Puzzle) -> Data:
    """The table [sides]; empty if parts have no keys and locks.

    The model knows only values and which of them fit, with keys before locks. Each number of keys is tried.

    Raises:
        UnsupportedError: no division into keys and locks describes the same rules.
    """
    rules = puzzle.rules
    n = len(rules.sides)
    if n == 1:
        return {}
    for n_keys in range(n - 1, -1, -1):
        data = _split(rules, n_keys)
        if data is not None:
            return {"sides": data}
    raise UnsupportedError("the sides of the parts fit in a way that keys and locks of a puzzle file cannot say")


def _split(rules: Rules, n_keys: int) -> Data | None:
    """The table if the first *n_keys* values after the flat one are keys; None if it would describe other rules."""
    n, fits = len(rules.sides), rules.fits
    keys, locks = np.arange(1, 1 + n_keys), np.arange(1 + n_keys, n)
    groups = {"flat": np.array([0]), "keys": keys, "locks": locks}
    meets = [word for word, members in groups.items() if len(members) and fits[0, members].all()]
    looks = [word for word in ("keys", "locks") if len(groups[word]) and rules.open_sides[groups[word]].all()]
    locks_meet = bool(len(locks)) and bool(fits[np.ix_(locks, locks)].all())
    said = np.zeros_like(fits)
    said[np.ix_(keys, locks)] = fits[np.ix_(keys, locks)]
    said |= said.T
    for word in meets:
        said[0, groups[word]] = said[groups[word], 0] = True
    if locks_meet:
        said[np.ix_(locks, locks)] = True
    may_look = np.zeros(n, np.bool_)
    may_look[[0, *(value for word in looks for value in groups[word])]] = True
    if not np.array_equal(said, fits) or not np.array_equal(may_look, rules.open_sides):
        return None
    data: Data = {
        word: [rules.sides[value] for value in groups[word]] for word in ("keys", "locks") if len(groups[word])
    }
    if n_keys:
        data["fits"] = {rules.sides[key]: _fitting(rules, fits[key], locks) for key in keys}
    return data | {"flat_meets": meets, "locks_meet_locks": locks_meet, "may_look_out": looks}


def _fitting(rules: Rules, row: npt.NDArray[np.bool_], locks: npt.NDArray[np.intp]) -> list[str]:
    return [rules.sides[lock] for lock in locks if row[lock]]
