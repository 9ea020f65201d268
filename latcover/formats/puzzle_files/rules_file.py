"""Reading the rules of a puzzle file: colours, and what the sides of parts bear: values, keys and locks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from latcover.errors import suggest
from latcover.formats.puzzle_files.letters_round import read_letters
from latcover.formats.puzzle_files.shapes import Context, Shape, read_cell
from latcover.formats.puzzle_files.toml_file import Table
from latcover.model.puzzle import Rules
from latcover.model.side_letters import NO_VALUE

FLAT, KEYS, LOCKS, VALUES = "flat", "keys", "locks", "values"
ACROSS = ("sides", "corners")  # corners include the sides


@dataclass(frozen=True, slots=True, eq=False)
class SideValues:
    """The numbers of side values, by their names and by the letters that stand for them round a cell."""

    names: dict[str, int]
    letters: dict[str, int]


def read_rules(root: Table, colours: dict[str, int]) -> tuple[Rules, SideValues]:
    """The tables [rules] and [sides]: the rules, and the side values."""
    of_sides, letters = read_sides_table(root)
    rules = with_sides_of(read_colour_rules(root, colours), of_sides)
    return rules, SideValues({name: value for value, name in enumerate(of_sides.sides)}, letters)


def with_sides_of(rules: Rules, other: Rules) -> Rules:
    """*rules* on colours, and those of *other* on sides."""
    return replace(
        rules,
        sides=other.sides,
        fits=other.fits,
        open_sides=other.open_sides,
        rim=other.rim,
        exchangeable_values=other.exchangeable_values,
    )


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


def _read_exchangeable(table: Table, known: dict[str, int], what: str = "colour") -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for entry in table.array("exchangeable"):
        if not isinstance(entry, list) or len(entry) < 2:
            table.complain("exchangeable", f"must hold lists of two or more {what}s, not {entry!r}")
            continue
        find = _number if what == "colour" else _value_or_none
        numbers = tuple(sorted({find(table, "exchangeable", name, known) for name in entry}))
        if any(set(numbers) & set(other) for other in found):
            table.complain("exchangeable", f"a {what} stands in two lists")
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


def read_sides_table(root: Table) -> tuple[Rules, dict[str, int]]:
    """The table [sides]: what sides bear, what fits what, what may look out; and the letters of the values."""
    table = root.table("sides")
    if table is None:
        return Rules(), {}
    keys, locks, (values, letters) = table.strings(KEYS), table.strings(LOCKS), _read_values(table)
    names = [FLAT, *keys, *locks, *values]
    for name in sorted({name for name in names if names.count(name) > 1 or name in (KEYS, LOCKS, VALUES)}):
        of = next(word for word, known in ((KEYS, keys), (LOCKS, locks), (VALUES, values)) if name in known)
        table.complain(of, f"{name!r} is named twice, or has a meaning of its own")
    number = {name: value for value, name in enumerate(names)}
    groups = {FLAT: [0], KEYS: [number[k] for k in keys], LOCKS: [number[k] for k in locks]}
    groups |= {VALUES: [number[v] for v in values]}
    known = {name: [value] for name, value in number.items()} | groups
    fits = np.zeros((len(names), len(names)), np.bool_)
    _read_fits(table, keys, locks, number, fits)
    _read_mates(table, values, number, fits)
    for value in _members(table, "flat_meets", [FLAT, *([VALUES] if values else [])], known):
        fits[0, value] = fits[value, 0] = True
    if table.boolean("locks_meet_locks"):
        fits[np.ix_(groups[LOCKS], groups[LOCKS])] = True
    open_sides = np.zeros(len(names), np.bool_)
    open_sides[[0, *_members(table, "may_look_out", [FLAT, LOCKS, VALUES], known)]] = True
    rim = _value(table, "rim", table.text("rim"), number) if "rim" in table else -1
    rules = Rules(sides=tuple(names), fits=fits, open_sides=open_sides, rim=rim)
    rules = replace(rules, exchangeable_values=_read_exchangeable_values(table, number, rules))
    table.finish()
    letters = {name: value for name, value in number.items() if len(name) == 1} | letters
    return rules, letters


def _read_exchangeable_values(table: Table, number: dict[str, int], rules: Rules) -> tuple[tuple[int, ...], ...]:
    """``exchangeable = [["blue", "red"]]``: values that may be exchanged everywhere."""
    found = _read_exchangeable(table, number, "value")
    for values in found:
        for a, b in pairwise(values):
            swap = np.arange(len(number))
            swap[[a, b]] = b, a
            fits_alike = np.array_equal(rules.fits[np.ix_(swap, swap)], rules.fits)
            if a == 0 or rules.rim in (a, b) or not fits_alike or rules.open_sides[a] != rules.open_sides[b]:
                table.complain("exchangeable", "the sides treat these values differently, so they cannot be exchanged")
                return ()
    return tuple(found)


def _read_values(table: Table) -> tuple[list[str], dict[str, int]]:
    """``values``: names, or a letter for each name. The letters stand for the numbers among all side values."""
    first = 1 + len(table.strings(KEYS)) + len(table.strings(LOCKS))
    if not isinstance(table.data.get(VALUES), dict):
        return table.strings(VALUES), {}
    inner = table.table(VALUES)
    assert inner is not None
    names: list[str] = []
    letters = {}
    for letter in inner.data:
        name = inner.text(letter, required=True)
        if len(letter) != 1 or letter in NO_VALUE or not letter.isprintable() or letter.isspace():
            inner.complain(letter, "must be a single character other than . _ and blank")
        elif name:
            if name not in names:
                names.append(name)
            letters[letter] = first + names.index(name)
    return names, letters


def _read_fits(
    table: Table, keys: list[str], locks: list[str], number: dict[str, int], fits: npt.NDArray[np.bool_]
) -> None:
    """``fits = { key = [locks] }``."""
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


def _read_mates(table: Table, values: list[str], number: dict[str, int], fits: npt.NDArray[np.bool_]) -> None:
    """``mates = { head = "tail" }``: values that match each other. A value without a mate matches itself."""
    inner = table.table("mates")
    mated = set()
    for name in inner.data if inner else ():
        assert inner is not None
        others = [inner.text(name)] if isinstance(inner.data[name], str) else inner.strings(name)
        for each in [name, *others]:
            if each not in values:
                inner.complain(name, f"no value {each!r}{suggest(each, values) or '; name it under values'}")
        if name in values:
            mated |= {name, *others}
            for other in set(others) & set(values):
                fits[number[name], number[other]] = fits[number[other], number[name]] = True
    for name in set(values) - mated:
        fits[number[name], number[name]] = True


def _value(table: Table, key: str, name: str, number: dict[str, int]) -> int:
    """The number of a side value; -1, with a complaint, if there is none of this name."""
    if name not in number:
        table.complain(key, f"no value {name!r}{suggest(name, number) or '; name it under [sides]'}")
    return number.get(name, -1)


def _value_or_none(table: Table, key: str, name: Any, number: dict[str, int]) -> int:
    """The same; the flat side, which cannot be exchanged, if there is none."""
    return max(0, _value(table, key, str(name), number))


def _members(table: Table, key: str, default: list[str], known: dict[str, list[int]]) -> list[int]:
    words = table.strings(key) if key in table else default
    for word in words:
        if word not in known:
            groups = ", ".join((FLAT, KEYS, LOCKS, VALUES))
            hint = suggest(word, known, listing=False)
            table.complain(key, f"must hold some of {groups}, or names of these, not {word!r}{hint}")
    return [value for word in words for value in known.get(word, [])]


def read_sides(table: Table, shape: Shape | None, context: Context) -> npt.NDArray[np.int32]:
    """A part's ``sides = [{ cell = [0, 1], edge = "east", is = "k1" }]``, as `Part.sides` has them.

    What the letters of ``edges`` or ``tile`` say stands there too.
    """
    found = dict(read_letters(table, shape, context))
    edges = {edge.label: h for h, edge in enumerate(context.lattice.half_edges)}
    numbers = {} if shape is None else {tuple(cell): k for k, cell in enumerate(shape.cells.tolist())}
    for side in table.tables("sides"):
        cell, label = _read_side(side, context)
        name = side.text("is", required=True)
        side.finish()
        if name and name not in context.sides:
            hint = suggest(name, context.sides) or "; name it under [sides]"
            side.complain("is", f"no key or lock {name!r}, nor another value{hint}")
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


def read_asked(
    table: Table, cells: set[tuple[int, ...]], context: Context
) -> tuple[tuple[tuple[int, ...], int, int], ...]:
    """The region's ``sides = [{ cell, edge, is }]``: what the part there must bear, as `Rules.asked` has it."""
    edges = {edge.label: h for h, edge in enumerate(context.lattice.half_edges)}
    found: dict[tuple[tuple[int, ...], int], int] = {}
    for side in table.tables("sides"):
        cell, label = _read_side(side, context)
        value = _value(side, "is", name, dict(context.sides)) if (name := side.text("is", required=True)) else -1
        side.finish()
        if cell is None or label not in edges or value < 0:
            continue
        if cell not in cells:
            side.complain("cell", "is no cell of the region")
        elif context.lattice.half_edges[edges[label]].node != cell[0]:
            side.complain("edge", f"a {context.lattice.nodes[cell[0]].name!r} has no half-edge {label!r}")
        elif (cell, edges[label]) in found:
            side.complain((), "this side is given twice")
        else:
            found[cell, edges[label]] = value
    return tuple((cell, h, value) for (cell, h), value in sorted(found.items()))
