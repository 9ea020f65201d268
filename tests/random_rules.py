"""Random rules on sides and colours, which the pieces of a cut region keep for the most part where they lie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.lattice import Lattice
from latcover.core.model.period import Period
from latcover.core.model.puzzle import Part, Rules
from tests.dice import Dice
from tests.puzzle_oracle import Cell, moved

COLOURS = ("", "black", "white")
VALUES = ("amber", "blue", "coral", "denim")  # on sides
SOMETIMES = 20  # percent


class Piece(Struct, frozen=True):
    """A piece of a region: its cells, their colours, and rows (which cell, half-edge, side value)."""

    cells: tuple[Cell, ...]
    colours: tuple[int, ...]
    sides: tuple[tuple[int, int, int], ...] = ()


def side_rules(dice: Dice) -> Rules:
    """Keys and locks, as a puzzle file can say them."""
    keys = ["key", "pin"][: dice.between(1, 2)]
    locks = ["lock", "hole"][: dice.between(0, 2)]
    n = 1 + len(keys) + len(locks)
    groups = [[0], list(range(1, 1 + len(keys))), list(range(1 + len(keys), n))]
    fits = np.zeros((n, n), np.bool_)
    for key in groups[1]:
        for lock in groups[2]:
            fits[key, lock] = fits[lock, key] = dice.chance(70)
    for group, percent in zip(groups, (95, 20, 40), strict=True):
        if dice.chance(percent):
            fits[0, group] = fits[group, 0] = True
    if dice.chance(30):
        fits[np.ix_(groups[2], groups[2])] = True
    open_sides = np.zeros(n, np.bool_)
    open_sides[0] = True
    for group in groups[1:]:
        open_sides[group] = dice.chance(50)
    return Rules(sides=("flat", *keys, *locks), fits=fits, open_sides=open_sides)


def matching_rules(dice: Dice) -> Rules:
    """Values that match like to like, or by pairs; flat sides mostly match anything."""
    values = VALUES[: dice.between(1, 4)]
    n = 1 + len(values)
    fits = np.eye(n, dtype=np.bool_)
    if n > 2 and dice.chance(40):
        fits[[1, 2], [1, 2]] = False
        fits[[1, 2], [2, 1]] = True
    fits[0, :] = fits[:, 0] = dice.chance(70)
    fits[0, 0] = True
    open_sides = np.ones(n, np.bool_)
    open_sides[1:] = dice.chance(80)
    alike = tuple(range(1, 3) if n > 2 and not fits[1, 1] else range(1, n))
    exchangeable = (alike,) if len(alike) > 1 and dice.chance(50) else ()
    return Rules(sides=("flat", *values), fits=fits, open_sides=open_sides, exchangeable_values=exchangeable)


def with_values(
    dice: Dice, pieces: Sequence[Piece], lattice: Lattice, period: Period, rules: Rules
) -> tuple[list[Piece], Rules]:
    """The pieces with values where they meet, which fit there but for a few; and what is asked of sides."""
    sides: list[dict[tuple[int, int], int]] = [{} for _ in pieces]
    pairs = [(int(a), int(b)) for a, b in np.argwhere(rules.fits)]
    rim = dice.below(len(rules.sides)) if dice.chance(40) else -1
    asked = []
    for (p, k, h), other in _meetings(pieces, lattice, period):
        if other is None:
            sides[p][k, h] = rim if rim >= 0 and not dice.chance(3) else dice.below(len(rules.sides))
        elif (p, k, h) < other and other[0] != p:
            sides[p][k, h], sides[other[0]][other[1:]] = dice.pick(pairs)
            if dice.chance(3):
                sides[p][k, h] = dice.below(len(rules.sides))
    for (p, k, h), other in _meetings(pieces, lattice, period):
        if dice.chance(5) and (other is None or other[0] != p):
            cell = moved(pieces[p].cells[k], (0,) * lattice.dimension, period)
            asked.append((cell, h, sides[p].get((k, h), 0)))
    found = [
        replace(piece, sides=tuple(sorted((k, h, value) for (k, h), value in own.items() if value)))
        for piece, own in zip(pieces, sides, strict=True)
    ]
    exchangeable = tuple(values for values in rules.exchangeable_values if rim not in values)
    return found, replace(rules, rim=rim, asked=tuple(sorted(asked)), exchangeable_values=exchangeable)


def with_sides(dice: Dice, pieces: Sequence[Piece], lattice: Lattice, period: Period, rules: Rules) -> list[Piece]:
    """The pieces with keys and locks where they meet, which fit there, except for a few; and some that look out."""
    sides: list[dict[tuple[int, int], int]] = [{} for _ in pieces]
    pairs = [(int(a), int(b)) for a, b in np.argwhere(rules.fits) if a or b]
    outer = [int(value) for value in np.flatnonzero(rules.open_sides) if value]
    for (p, k, h), other in _meetings(pieces, lattice, period):
        if other is None:
            if outer and dice.chance(10):
                sides[p][k, h] = dice.pick(outer)
        elif (p, k, h) < other and other[0] != p and pairs and dice.chance(40):
            own, theirs = dice.pick(pairs)
            sides[p][k, h] = own
            sides[other[0]][other[1:]] = theirs
            if dice.chance(5):
                sides[p][k, h] = dice.below(len(rules.sides))
    return [
        replace(piece, sides=tuple(sorted((k, h, value) for (k, h), value in own.items() if value)))
        for piece, own in zip(pieces, sides, strict=True)
    ]


Place = tuple[int, int, int]  # which piece, which of its cells, which half-edge


def _meetings(pieces: Sequence[Piece], lattice: Lattice, period: Period) -> Iterator[tuple[Place, Place | None]]:
    """Every half-edge of every cell, and the one that it meets; None where that lies outside."""
    none = (0,) * lattice.dimension
    at = {moved(cell, none, period): (p, k) for p, piece in enumerate(pieces) for k, cell in enumerate(piece.cells)}
    for p, piece in enumerate(pieces):
        for k, cell in enumerate(piece.cells):
            for h, edge in enumerate(lattice.half_edges):
                if edge.node == cell[0]:
                    there = at.get(moved((edge.target, *cell[1:]), edge.step, period))
                    yield (p, k, h), None if there is None else (*there, edge.twin)


def colour_rules(
    dice: Dice, rules: Rules, pieces: Sequence[Piece], parts: Sequence[Part], where: tuple[Lattice, Period]
) -> Rules:
    """Colours that may not touch, those that the pieces keep apart for the most part; some may stand on others."""
    lattice, period = where
    shown = sorted({int(colour) for part in parts for colour in part.colours} - {0})
    corners = dice.chance(40)
    touching = set(_touching(pieces, lattice, period, corners=corners))
    apart = [
        pair
        for pair in combinations_with_replacement(shown, 2)
        if (pair not in touching and dice.chance(80)) or dice.chance(5)
    ]
    stands = {(own, cell) for own in shown for cell in range(1, len(COLOURS)) if own != cell and dice.chance(SOMETIMES)}
    exchangeable: tuple[tuple[int, ...], ...] = ()
    if len(shown) == 2 and dice.chance(60):
        exchangeable = (tuple(shown),)
        swap = {shown[0]: shown[1], shown[1]: shown[0]}
        apart = sorted({*apart, *((min(pair), max(pair)) for pair in [(swap[a], swap[b]) for a, b in apart])})
        stands |= {(swap[own], swap[cell]) for own, cell in stands}
    return replace(
        rules, apart=tuple(apart), across_corners=corners, stands_on=frozenset(stands), exchangeable=exchangeable
    )


def alike_cells(dice: Dice, rules: Rules, pieces: Sequence[Piece], where: tuple[Lattice, Period]) -> Rules:
    """Groups of cells that must be alike, as the pieces are there for the most part."""
    lattice, period = where
    none = (0,) * lattice.dimension
    seen = {
        moved(cell, none, period): colour
        for piece in pieces
        for cell, colour in zip(piece.cells, piece.colours, strict=True)
    }
    groups = []
    for _ in range(dice.between(0, 2)):
        wanted = dice.pick(sorted(set(seen.values())))
        cells = [cell for cell in sorted(seen) if seen[cell] in (0, wanted) or dice.chance(3)]
        group = tuple(sorted(dice.shuffled(cells)[: dice.between(2, 5)]))
        if len(group) > 1:
            groups.append(group)
    return replace(rules, alike=tuple(groups))


def _touching(pieces: Sequence[Piece], lattice: Lattice, period: Period, *, corners: bool) -> Iterator[tuple[int, int]]:
    """The pairs of colours of cells that touch and lie in different pieces, the lesser colour first."""
    none = (0,) * lattice.dimension
    owner = {
        moved(cell, none, period): (p, colour)
        for p, piece in enumerate(pieces)
        for cell, colour in zip(piece.cells, piece.colours, strict=True)
    }
    for cell, (p, colour) in owner.items():
        around = [(edge.target, *edge.step) for edge in lattice.half_edges if edge.node == cell[0]]
        for node, *by in (*around, *(lattice.touching[cell[0]] if corners else ())):
            q, other = owner.get(moved((node, *cell[1:]), by, period), (p, 0))
            if p != q:
                yield min(colour, other), max(colour, other)
