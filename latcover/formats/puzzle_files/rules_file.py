"""Reading the rules of a puzzle file: colours, and the sides, keys and locks of parts."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from latcover.errors import suggest
from latcover.formats.puzzle_files.shapes import Context, Shape, read_cell
from latcover.formats.puzzle_files.toml_file import Table
from latcover.model.puzzle import Rules

FLAT, KEYS, LOCKS = "flat", "keys", "locks"
ACROSS = ("sides", "corners")  # corners include the sides


def read_rules(root: Table, colours: dict[str, int]) -> tuple[Rules, dict[str, int]]:
    """The tables [rules] and [sides]: the rules, and the numbers of the side values by name."""
    names, fits, open_sides = _read_sides_table(root)
    rules = replace(read_colour_rules(root, colours), sides=tuple(names), fits=fits, open_sides=open_sides)
    return rules, {name: value for value, name in enumerate(names)}


def read_colour_rules(root: Table, colours: dict[str, int]) -> Rules:
    """The table [rules]."""
    table = root.table("rules")
    if table is None:
        return Rules()
    stands_on, apart = _read_stands_on(table, colours), _read_pairs(table, "apart", colours)
    across = table.choice("across", ACROSS, ACROSS[0])
    exchangeable = _read_exchangeable(table, colours)
    table.finish()
    rules = Rules(frozenset(stands_on), tuple(apart), across == "corners", tuple(exchangeable))
    for colour_set in exchangeable:
        if not _alike(rules, colour_set):
            table.complain("exchangeable", "the rules treat these colours differently, so they cannot be exchanged")
    return rules


def _number(table: Table, key: str, name: Any, colours: dict[str, int]) -> int:
    if not isinstance(name, str) or name not in colours:
        hint = suggest(str(name), colours) or "; name it under [colours]"
        table.complain(key, f"no colour {name!r}{hint}")
        return 0
    return colours[name]


def _read_stands_on(table: Table, colours: dict[str, int]) -> set[tuple[int, int]]:
    """``stands_on = { red = ["black", "white"] }``: cell colours for a part colour besides its own."""
    found = set()
    inner = table.table("stands_on")
    for name in inner.data if inner else ():
        assert inner is not None
        own = _number(table, "stands_on", name, colours)
        found |= {(own, _number(inner, name, cell, colours)) for cell in inner.array(name)}
    return found


def _read_pairs(table: Table, key: str, colours: dict[str, int]) -> list[tuple[int, int]]:
    """``apart = ["red", ["red", "blue"]]``: a colour that may not touch itself, or two that may not touch."""
    found = set()
    for entry in table.array(key):
        pair = [entry, entry] if isinstance(entry, str) else entry
        if not isinstance(pair, list) or len(pair) != 2:
            table.complain(key, f"must hold colours and pairs of colours, not {entry!r}")
            continue
        a, b = sorted(_number(table, key, name, colours) for name in pair)
        found.add((a, b))
    return sorted(found)


def _read_exchangeable(table: Table, colours: dict[str, int]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for entry in table.array("exchangeable"):
        if not isinstance(entry, list) or len(entry) < 2:
            table.complain("exchangeable", f"must hold arrays of two or more colours, not {entry!r}")
            continue
        numbers = tuple(sorted({_number(table, "exchangeable", name, colours) for name in entry}))
        if any(set(numbers) & set(other) for other in found):
            table.complain("exchangeable", "a colour stands in two arrays")
        found.append(numbers)
    return found


def _alike(rules: Rules, colour_set: tuple[int, ...]) -> bool:
    """Whether exchanging neighbours of the set leaves the rules as they are."""
    for a, b in pairwise(colour_set):
        swap = {a: b, b: a}
        stands = {(swap.get(p, p), swap.get(c, c)) for p, c in rules.stands_on}
        apart = {tuple(sorted((swap.get(p, p), swap.get(q, q)))) for p, q in rules.apart}
        if stands != rules.stands_on or apart != set(rules.apart):
            return False
    return True


def _read_sides_table(root: Table) -> tuple[list[str], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """The table [sides]: keys, locks, what fits what, what flat sides meet, and what may look out."""
    table = root.table("sides")
    if table is None:
        return [FLAT], np.ones((1, 1), np.bool_), np.ones(1, np.bool_)
    keys, locks = table.strings(KEYS), table.strings(LOCKS)
    names = [FLAT, *keys, *locks]
    for name in sorted({name for name in names if names.count(name) > 1}):
        table.complain(KEYS, f"{name!r} is named twice, or has a meaning of its own")
    number = {name: value for value, name in enumerate(names)}
    groups = {FLAT: [0], KEYS: [number[k] for k in keys], LOCKS: [number[k] for k in locks]}
    fits = np.zeros((len(names), len(names)), np.bool_)
    inner = table.table("fits")
    if inner is None and keys:
        table.complain((), "'fits' is missing: it says which locks fit each key: fits = { KEY = [LOCKS] }")
    for key in inner.data if inner else ():
        assert inner is not None
        if key not in keys:
            inner.complain(key, f"no key {key!r}{suggest(key, keys)}")
        for lock in inner.strings(key):
            if lock not in locks:
                inner.complain(key, f"no lock {lock!r}{suggest(lock, locks)}")
            elif key in keys:
                fits[number[key], number[lock]] = fits[number[lock], number[key]] = True
    for value in _members(table, "flat_meets", [FLAT], groups):
        fits[0, value] = fits[value, 0] = True
    if table.boolean("locks_meet_locks"):
        fits[np.ix_(groups[LOCKS], groups[LOCKS])] = True
    open_sides = np.zeros(len(names), np.bool_)
    open_sides[[0, *_members(table, "may_look_out", [FLAT, LOCKS], groups)]] = True
    table.finish()
    return names, fits, open_sides


def _members(table: Table, key: str, default: list[str], groups: dict[str, list[int]]) -> list[int]:
    words = table.strings(key) if key in table else default
    for word in words:
        if word not in groups:
            hint = suggest(word, groups, listing=False)
            table.complain(key, f"must hold some of {', '.join(groups)}, not {word!r}{hint}")
    return [value for word in words for value in groups.get(word, [])]


def read_sides(table: Table, shape: Shape | None, context: Context) -> npt.NDArray[np.int32]:
    """A part's ``sides = [{ cell = [0, 1], edge = "east", is = "k1" }]``, as `Part.sides` has them."""
    found: dict[tuple[int, int], int] = {}
    edges = {edge.label: h for h, edge in enumerate(context.lattice.half_edges)}
    numbers = {} if shape is None else {tuple(cell): k for k, cell in enumerate(shape.cells.tolist())}
    for side in table.tables("sides"):
        cell, label = _read_side(side, context)
        name = side.text("is", required=True)
        side.finish()
        if name and name not in context.sides:
            side.complain("is", f"no key or lock {name!r}{suggest(name, context.sides) or '; name it under [sides]'}")
        elif cell is not None and label in edges and shape is not None:
            edge = context.lattice.half_edges[edges[label]]
            there = edge.across(cell)
            if cell not in numbers:
                side.complain("cell", "is no cell of the part")
            elif edge.node != cell[0]:
                side.complain("edge", f"a {context.lattice.nodes[cell[0]].name!r} has no half-edge {label!r}")
            elif there in numbers:
                side.complain("edge", "leads to a cell of the part itself")
            elif (numbers[cell], edges[label]) in found:
                side.complain((), "this side is given twice")
            else:
                found[numbers[cell], edges[label]] = context.sides.get(name, 0)
    rows = sorted((k, h, value) for (k, h), value in found.items() if value)
    return np.array(rows, dtype=np.int32).reshape(-1, 3)


def _read_side(side: Table, context: Context) -> tuple[tuple[int, ...] | None, str]:
    cell = None
    if "cell" in side:
        cell = read_cell(side, ("cell",), side.any("cell"), context.lattice)
    else:
        side.complain((), "'cell' is missing")
    label = side.text("edge", required=True)
    labels = [edge.label for edge in context.lattice.half_edges]
    if label and label not in labels:
        side.complain("edge", f"no half-edge {label!r} in lattice {context.lattice.name!r}{suggest(label, labels)}")
    return cell, label


def with_keys_and_locks(
    table: Table, shape: Shape | None, sides: npt.NDArray[np.int32], context: Context
) -> Shape | None:
    """Keys with a length, and the locks that they pass through, as cells.

    ``keys = [{ cell, edge, length }]``: the part also covers the `length` cells that a straight walk from the cell
    reaches. ``locks = [cells]``: cells of the part that it leaves to such a key, which must fill them.
    """
    locks = table.array("locks")
    cells = [] if shape is None else [tuple(cell) for cell in shape.cells.tolist()]
    colour = dict(zip(cells, shape.colours.tolist() if shape is not None else (), strict=True))
    gone = [read_cell(table, ("locks", k), value, context.lattice) for k, value in enumerate(locks)]
    for k, cell in enumerate(gone):
        if shape is not None and cell is not None and cell not in colour:
            table.complain(("locks", k), "is no cell of the part")
    reached = [cell for key in table.tables("keys") for cell in _reach(key, context, set(cells))]
    if shape is None or not (locks or reached):
        return shape
    if len(sides):
        table.complain("sides", "cannot stand beside keys with a length or the locks for them")
        return None
    kept = [cell for cell in cells if cell not in gone]
    if len(set(kept + reached)) < len(kept + reached):
        table.complain("keys", "a key runs into its own part, or into another key of this part")
        return None
    if not kept + reached:
        table.complain("locks", "take all cells of the part")
        return None
    colours = [colour[cell] for cell in kept] + [0] * len(reached)
    both = np.array(kept + reached, dtype=np.int32)
    return Shape(both, np.array(colours, dtype=np.int32), np.zeros(len(both), np.bool_))


def _reach(key: Table, context: Context, own: set[tuple[int, ...]]) -> list[tuple[int, ...]]:
    cell, label = _read_side(key, context)
    length = key.integer("length", 1, 1)
    key.finish()
    edges = {edge.label: edge for edge in context.lattice.half_edges}
    if cell is None or label not in edges:
        return []
    if cell not in own:
        key.complain("cell", "is no cell of the part")
        return []
    edge, walk = edges[label], [cell]
    if edge.node != cell[0] or (edge.target != edge.node and length > 1) or length > context.bounds.cells:
        key.complain("edge", f"no straight walk of {length} along {label!r} starts there")
        return []
    for _ in range(length):
        walk.append(edge.across(walk[-1]))
    return walk[1:]
