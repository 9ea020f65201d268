"""The rules of a puzzle as the tables [rules] and [sides] of a puzzle file."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from latcover.core.model.puzzle import Puzzle, Rules
from latcover.core.model.rules.rule import rules_of
from latcover.core.model.rules.rule_forms import part_rules_as_data
from latcover.core.model.side_letters import side_letters
from latcover.errors import UnsupportedError

Data = dict[str, Any]


def rules_as_data(puzzle: Puzzle) -> Data:
    """The content of [rules]; empty if there are no rules."""
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
    return data | part_rules_as_data(rules_of(puzzle))


def sides_as_data(rules: Rules) -> Data:
    """The table [sides]; empty if parts have nothing on their sides.

    The model knows only values and which of them fit. Where values match themselves, they are written as values. Else
    keys stand before locks, and each number of keys is tried.

    Raises:
        UnsupportedError: flat sides may not look out.
    """
    n = len(rules.sides)
    if n == 1:
        return {}
    inner = rules.fits[1:, 1:]
    found = None if inner.diagonal().any() else _as_keys_and_locks(rules)
    return {"sides": (_as_values(rules) if found is None else found) | _rim(rules)}


def letters_of(rules: Rules) -> dict[int, str]:
    """A letter for each side value where the values are written as such, its own if that is free; else none."""
    table = sides_as_data(rules).get("sides", {}).get("values", {})
    if not isinstance(table, dict):
        return {rules.sides.index(name): name for name in table if len(name) == 1}
    return {rules.sides.index(name): letter for letter, name in table.items()}


def _rim(rules: Rules) -> Data:
    data: Data = {} if rules.rim < 0 else {"rim": rules.sides[rules.rim]}
    sets = [[rules.sides[value] for value in values] for values in rules.exchangeable_values]
    return data | ({"exchangeable": sets} if sets else {})


def _as_keys_and_locks(rules: Rules) -> Data | None:
    for n_keys in range(len(rules.sides) - 1, -1, -1):
        data = _split(rules, n_keys)
        if data is not None:
            return data
    return None


def _as_values(rules: Rules) -> Data:
    """Any rules: values, their mates, and what a flat side meets, one by one where they differ."""
    if not rules.open_sides[0]:
        raise UnsupportedError("a puzzle file cannot forbid that flat sides look out of the region")
    n, fits = len(rules.sides), rules.fits
    values = range(1, n)
    names = [rules.sides[value] for value in values]
    letters = side_letters(names)
    data: Data = {"values": dict(zip(letters, names, strict=True)) if letters else names}
    mates: Data = {}
    for value in values:  # one without mates matches itself; the first of a pair names the second
        others = [other for other in values if fits[value, other]]
        if others != [value] and (not others or others[-1] >= value):
            own = [rules.sides[other] for other in others]
            mates[rules.sides[value]] = own[0] if len(own) == 1 else own
    if mates:
        data["mates"] = mates
    if not fits[0].all():
        data["flat_meets"] = [rules.sides[value] for value in range(n) if fits[0, value]]
    if not rules.open_sides.all():
        data["may_look_out"] = [rules.sides[value] for value in values if rules.open_sides[value]]
    return data


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
