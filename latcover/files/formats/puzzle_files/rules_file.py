"""Reading the rules of a puzzle file: between colours, and between the values, keys and locks on sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Bounds, Rules
from latcover.core.model.rules import OURS, names, rule_called
from latcover.core.model.rules.rule import Rule
from latcover.core.model.rules.rule_forms import in_order, is_told_by_tables, type_in_files
from latcover.core.model.side_letters import NO_VALUE
from latcover.errors import PuzzleError, suggest
from latcover.files.formats.puzzle_files.file_keys import Name, RulesTable
from latcover.files.formats.puzzle_files.file_table import Table
from latcover.files.formats.puzzle_files.side_tables import VALUE
from latcover.files.formats.puzzle_files.toml_places import Key
from latcover.files.formats.puzzle_files.written_shapes import COLOUR, ShapeContext, read_colours

FLAT, KEYS, LOCKS, VALUES = "flat", "keys", "locks", "values"


def read_context(root: Table, lattice: Lattice, bounds: Bounds) -> tuple[ShapeContext, Rules]:
    """What shapes need, from the tables [colours] and [sides]; and the rules on sides."""
    of_art, colours = read_colours(root)
    rules, letters = read_sides_table(root)
    sides = {name: value for value, name in enumerate(rules.sides)}
    return ShapeContext(lattice, bounds, of_art, colours, sides, letters), rules


def read_colour_rules(root: Table, colours: Mapping[str, int], sides: Rules) -> Rules:
    """The table [rules]; what is said of sides comes from the rules *sides*."""
    table = rules_table(root)
    rules = replace(sides, stands_on=frozenset(), apart=(), across_corners=False, exchangeable=(), asked=(), alike=())
    rules = replace(rules, of_parts=())
    if table is None:
        return rules
    rules = replace(
        rules,
        stands_on=frozenset(_read_stands_on(table, colours)),
        apart=tuple(_read_pairs(table, "apart", colours)),
        across_corners=table.get("across") == "corners",
        exchangeable=tuple(_read_exchangeable(table, colours)),
        of_parts=_read_part_rules(table),
    )
    if not all(_alike(rules, colour_set) for colour_set in rules.exchangeable):
        table.complain("exchangeable", "the rules treat these colours differently, so they cannot be exchanged")
    return rules


def rules_table(root: Table) -> Table | None:
    """The table [rules] of a file or a puzzle."""
    return root.table("rules", keys=_keys_of_rules)


def _read_part_rules(table: Table) -> tuple[Rule, ...]:
    """The rules on parts. Whether the puzzle has the parts and colours that they name, `complaints_about` says."""
    return in_order(rule for name in _part_rules_in(table.data) for rule in _read_rules_called(name, table))


def _read_rules_called(name: str, table: Table) -> Iterator[Rule]:
    kind = rule_called(name)
    own = [each.name for each in msgspec.structs.fields(kind)]
    if is_told_by_tables(kind):
        for k, inner in enumerate(table.tables(name)):
            yield from _made(kind, {each: inner.get(each) for each in own}, table, (name, k))
    elif (value := table.get(name)) not in (None, False):
        yield from _made(kind, dict.fromkeys(own, value), table, (name,))


def _made(kind: type[Rule], values: dict[str, Any], table: Table, key: Key) -> Iterator[Rule]:
    """The rule with these values; none if one is missing, which the table has complained about."""
    try:
        if None not in values.values():
            yield msgspec.convert(values, kind)
    except (msgspec.ValidationError, PuzzleError) as fault:  # what the rule itself asks for
        table.complain(key, str(fault))


def _part_rules_in(data: Mapping[str, Any]) -> list[str]:
    """The keys of the table [rules] that are rules on parts."""
    others = data.keys() - {each.encode_name for each in msgspec.structs.fields(RulesTable)}
    known = OURS if others <= OURS.keys() else names()
    return [name for name in data if name in others and name in known]


def _keys_of_rules(data: dict[str, Any]) -> type[msgspec.Struct]:
    """The struct of the table [rules]: rules between colours, and those on parts, of which only these are loaded."""
    return struct_of_rules(frozenset(_part_rules_in(data)))


@cache
def struct_of_rules(there: frozenset[str]) -> type[msgspec.Struct]:
    """The keys of the table [rules], with the types of the rules *there*; of others of ours only the names count."""
    types = dict.fromkeys(OURS, Any) | {name: type_in_files(rule_called(name)) for name in there}
    return msgspec.defstruct("RulesTable", [(name, kind, None) for name, kind in types.items()], bases=(RulesTable,))


def _read_stands_on(table: Table, colours: Mapping[str, int]) -> set[tuple[int, int]]:
    """``stands_on = { red = ["black", "white"] }``: cell colours for a part colour besides its own."""
    found = set()
    inner = table.dictionary("stands_on")
    for name in inner.data:
        own = table.numbered("stands_on", name, colours, COLOUR)
        found |= {(own or 0, inner.numbered(name, cell, colours, COLOUR) or 0) for cell in inner.get(name)}
    return found


def _read_pairs(table: Table, key: str, colours: Mapping[str, int]) -> list[tuple[int, int]]:
    """``apart = ["red", ["red", "blue"]]``: a colour that may not touch itself, or two that may not touch."""
    found = set()
    for entry in table.get(key):
        pair = [entry, entry] if isinstance(entry, str) else entry
        a, b = sorted(table.numbered(key, name, colours, COLOUR) or 0 for name in pair)
        found.add((a, b))
    return sorted(found)


def _read_exchangeable(table: Table, known: Mapping[str, int], what: str = COLOUR) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for entry in table.get("exchangeable"):
        numbers = tuple(sorted({table.numbered("exchangeable", name, known, what) or 0 for name in entry}))
        if any(set(numbers) & set(other) for other in found):
            table.complain("exchangeable", f"a {what.split(',', maxsplit=1)[0]} is in two lists")
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
    """The table [sides]: side values, which fit each other, which may face outwards; and the letters of the values."""
    table = root.table("sides")
    if table is None:
        return Rules(), {}
    keys, locks, (values, letters) = table.get(KEYS), table.get(LOCKS), _read_values(table)
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
    if table.get("locks_meet_locks"):
        fits[np.ix_(groups[LOCKS], groups[LOCKS])] = True
    open_sides = np.zeros(len(names), np.bool_)
    open_sides[[0, *_members(table, "may_look_out", [FLAT, LOCKS, VALUES], known)]] = True
    rim = table.numbered("rim", table.get("rim"), number, VALUE) if "rim" in table else None
    rules = Rules(sides=tuple(names), fits=fits, open_sides=open_sides, rim=-1 if rim is None else rim)
    rules = replace(rules, exchangeable_values=_read_exchangeable_values(table, number, rules))
    letters = {name: value for name, value in number.items() if len(name) == 1} | letters
    return rules, letters


def _read_exchangeable_values(table: Table, number: dict[str, int], rules: Rules) -> tuple[tuple[int, ...], ...]:
    """``exchangeable = [["blue", "red"]]``: values that may be exchanged everywhere."""
    found = _read_exchangeable(table, number, VALUE)
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
    first = 1 + len(table.get(KEYS)) + len(table.get(LOCKS))
    if not isinstance(table.data.get(VALUES), dict):
        return [name for name in table.entries(VALUES) if table.checked(VALUES, name, Name) is not None], {}
    inner = table.dictionary(VALUES)
    names: list[str] = []
    letters = {}
    for letter in inner.data:
        name = inner.get(letter, required=True)
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
    inner = table.dictionary("fits")
    if "fits" not in table and keys:
        table.complain((), "'fits' is missing: it says which locks fit each key: fits = { KEY = [LOCKS] }")
    for key in inner.data:
        row = inner.numbered(key, key, {name: number[name] for name in keys}, "key")
        for lock in inner.get(key):
            column = inner.numbered(key, lock, {name: number[name] for name in locks}, "lock")
            if row is not None and column is not None:
                fits[row, column] = fits[column, row] = True


def _read_mates(table: Table, values: list[str], number: dict[str, int], fits: npt.NDArray[np.bool_]) -> None:
    """``mates = { head = "tail" }``: values that match each other. A value without a mate matches itself."""
    inner = table.dictionary("mates")
    mated = set()
    for name in inner.data:
        mates = inner.get(name, [])
        others = [mates] if isinstance(mates, str) else mates
        for each in [name, *others]:
            inner.numbered(name, each, {value: number[value] for value in values}, "value, values")
        if name in values:
            mated |= {name, *others}
            for other in set(others) & set(values):
                fits[number[name], number[other]] = fits[number[other], number[name]] = True
    for name in set(values) - mated:
        fits[number[name], number[name]] = True


def _members(table: Table, key: str, default: list[str], known: dict[str, list[int]]) -> list[int]:
    words = table.get(key) if key in table else default
    for word in words:
        if word not in known:
            groups = ", ".join((FLAT, KEYS, LOCKS, VALUES))
            hint = suggest(word, known, listing=False)
            table.complain(key, f"must hold some of {groups}, or names of these, not {word!r}{hint}")
    return [value for word in words for value in known.get(word, [])]
