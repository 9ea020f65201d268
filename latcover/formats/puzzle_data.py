"""A puzzle as plain data with the keys that a puzzle file has, so that the reader of these reads it back."""

from __future__ import annotations

from itertools import chain, combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from latcover.errors import PuzzleError, UnsupportedError
from latcover.lattice import Cells, Lattice, Transformation
from latcover.library import load_lattice, names
from latcover.puzzle import Part, Puzzle, Region, Rules
from latcover.rules_file import FLAT, KEYS, LOCKS

_SIGNS = "BWRGYOPCMKbwrgyopcmkADEFHIJLNQSTUVZadefhijlnqstuvz0123456789"  # of colours, in art
_FURTHER_SIGNS = 0x400


def puzzle_as_data(puzzle: Puzzle) -> dict[str, Any]:
    """What a puzzle file would say.

    Raises:
        UnsupportedError: the puzzle was made by a program, and no file can say what it is.
    """
    data: dict[str, Any] = {"name": puzzle.name}
    data |= {key: value for key, value in (("title", puzzle.title), ("source", puzzle.source)) if value}
    data["lattice"] = _lattice(puzzle.lattice)
    if len(puzzle.colours) > 1:
        signs = chain(_SIGNS, map(chr, range(_FURTHER_SIGNS, 0x10000)))
        data["colours"] = dict(zip(signs, puzzle.colours[1:], strict=False))
    data["region"] = _region(puzzle.region, puzzle)
    data["parts"] = [_part(part, puzzle) for part in puzzle.parts]
    data |= _rules(puzzle.rules, puzzle.colours) | _sides(puzzle.rules)
    if puzzle.expect or puzzle.long:
        data["expect"] = {**puzzle.expect, **({"long": True} if puzzle.long else {})}
    if puzzle.published:
        fields = ("figure", "value", "source", "reason")
        data["published"] = [{field: getattr(one, field) for field in fields} for one in puzzle.published]
    return data


def _lattice(lattice: Lattice) -> str:
    """A shipped lattice by its name, and any other as a file of that name, which is to stand beside."""
    if lattice.name in names("lattices"):
        shipped = load_lattice(lattice.name)
        same = [t.labels for t in shipped.transformations] == [t.labels for t in lattice.transformations]
        if same and shipped.half_edges == lattice.half_edges:
            return lattice.name
    return f"./{lattice.name}.toml"


def _cells(cells: Cells, colours: npt.NDArray[np.int32], puzzle: Puzzle) -> dict[str, Any]:
    data: dict[str, Any] = {"cells": [puzzle.lattice.written(cell) for cell in cells.tolist()]}
    if colours.any():
        data["colours"] = [puzzle.colours[colour] for colour in colours.tolist()]
    return data


def _region(region: Region, puzzle: Puzzle) -> dict[str, Any]:
    data = _cells(region.cells, region.colours, puzzle)
    secondary = np.array([node.secondary for node in puzzle.lattice.nodes])[region.cells[:, 0]]
    optional = region.cells[region.optional & ~secondary]
    if len(optional):
        data["optional"] = [puzzle.lattice.written(cell) for cell in optional.tolist()]
    if any(region.period):
        data["period"] = list(region.period)
    if region.max_empty is not None:
        data["max_empty"] = region.max_empty
    return data


def _part(part: Part, puzzle: Puzzle) -> dict[str, Any]:
    data: dict[str, Any] = {"name": part.name, "min": part.low}
    if part.high is not None:
        data["max"] = part.high
    data |= _cells(part.cells, part.colours, puzzle)
    data["transformations"] = _transformations(part, puzzle.lattice)
    labels, values = puzzle.lattice.half_edges, puzzle.rules.sides
    if len(part.sides):
        data["sides"] = [
            {"cell": puzzle.lattice.written(part.cells[k]), "edge": labels[label].label, "is": values[value]}
            for k, label, value in part.sides.tolist()
        ]
    return data


def _transformations(part: Part, lattice: Lattice) -> str | list[str]:
    """The name, or the generators, of what may be done to a part: the same in the same order, or else the same set."""
    wanted = [t.labels for t in part.transformations]
    ways: list[str | list[str]] = ["fixed", "rotations", "reflections"]
    for size in range(1, len(lattice.generators) + 1):
        ways += [list(some) for some in combinations(lattice.generators, size)]
    found = None
    for way in ways:
        labels = [t.labels for t in _allowed(lattice, way)]
        if labels == wanted:
            return way
        if found is None and set(labels) == set(wanted):
            found = way
    if found is None:
        raise UnsupportedError(f"no file can say which transformations part {part.name!r} allows")
    return found


def _allowed(lattice: Lattice, way: str | list[str]) -> tuple[Transformation, ...]:
    try:
        return lattice.allowed(way)
    except PuzzleError:
        return ()


def _rules(rules: Rules, colours: tuple[str, ...]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if rules.stands_on:
        below: dict[str, list[str]] = {}
        for own, there in sorted(rules.stands_on):
            below.setdefault(colours[own], []).append(colours[there])
        data["stands_on"] = below
    if rules.apart:
        data["apart"] = [[colours[a], colours[b]] for a, b in rules.apart]
    if rules.across_corners:
        data["across"] = "corners"
    if rules.exchangeable:
        data["exchangeable"] = [[colours[colour] for colour in group] for group in rules.exchangeable]
    return {"rules": data} if data else {}


def _sides(rules: Rules) -> dict[str, Any]:
    """The table [sides]. Which values are keys and which locks is seen from what fits what."""
    n = len(rules.sides)
    if n == 1 and rules.fits.all() and rules.open_sides.all():
        return {}
    for n_keys in range(n - 1, -1, -1):
        groups = {FLAT: [0], KEYS: list(range(1, 1 + n_keys)), LOCKS: list(range(1 + n_keys, n))}
        data = _with_keys(rules, groups)
        if _is_said_by(data, rules, groups):
            return {"sides": data}
    raise UnsupportedError("no file can say which sides of parts fit which")


def _with_keys(rules: Rules, groups: dict[str, list[int]]) -> dict[str, Any]:
    """What [sides] says if the values in *groups* are keys and locks."""
    keys, locks, sides = groups[KEYS], groups[LOCKS], rules.sides
    return {
        KEYS: [sides[k] for k in keys],
        LOCKS: [sides[k] for k in locks],
        "fits": {sides[k]: [sides[m] for m in locks if rules.fits[k, m]] for k in keys},
        "flat_meets": [name for name, own in groups.items() if own and rules.fits[0, own].all()],
        "locks_meet_locks": bool(locks) and bool(rules.fits[np.ix_(locks, locks)].all()),
        "may_look_out": [name for name, own in groups.items() if own and rules.open_sides[own].all()],
    }


def _is_said_by(data: dict[str, Any], rules: Rules, groups: dict[str, list[int]]) -> bool:
    """Whether these words mean these rules."""
    fits = np.zeros_like(rules.fits)
    number = {name: k for k, name in enumerate(rules.sides)}
    for key, locks in data["fits"].items():
        for lock in locks:
            fits[number[key], number[lock]] = fits[number[lock], number[key]] = True
    for name in data["flat_meets"]:
        fits[0, groups[name]] = fits[groups[name], 0] = True
    if data["locks_meet_locks"]:
        fits[np.ix_(groups[LOCKS], groups[LOCKS])] = True
    look_out = np.zeros_like(rules.open_sides)
    look_out[[0, *(k for name in data["may_look_out"] for k in groups[name])]] = True
    return np.array_equal(fits, rules.fits) and np.array_equal(look_out, rules.open_sides)
