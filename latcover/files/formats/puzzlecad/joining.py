"""Gluing components together: which connectors are counterparts, and the parts that come out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from latcover.files.formats.puzzlecad.components import Component, Connector, Vector, rotations, vector
from latcover.files.formats.puzzlecad.diagonal import SIDE, cube_of, divided

Shape = frozenset[Vector]


class PrintedComponent(Struct, frozen=True):
    """A component and the plate on which it is printed."""

    component: Component
    plate: str


class Joined(Struct, frozen=True):
    """The parts that components make, each from the origin on, and what could not be joined, in words.

    Attributes:
        in_wedges: Whether the parts are made of wedges of cubes.
    """

    parts: list[Shape]
    left_open: list[str]
    in_wedges: bool


class _Piece(Struct):
    """A component that grows as others are joined to it."""

    component: Component


def join(printed: Sequence[PrintedComponent]) -> Joined:
    """Glue components together at connectors of one name: first those of each plate, then what is left.

    A male connector and a female one of the same name are counterparts if they are the only ones; if there are several,
    all of one kind have to lie on components that are alike, so that it does not matter which goes where. Anything else
    stays apart and is named.
    """
    in_wedges = any(each.component.in_wedges for each in printed)
    plates: dict[str, list[_Piece]] = {}
    for each in printed:
        component = divided(each.component) if in_wedges else each.component
        plates.setdefault(each.plate, []).append(_Piece(component))
    for pieces in plates.values():
        _join(pieces)
    left = [piece for pieces in plates.values() for piece in pieces]
    left_open = _join(left)
    parts = [_at_origin(piece.component.cells, in_wedges=in_wedges) for piece in left]
    return Joined(parts, left_open, in_wedges)


def _join(pieces: list[_Piece]) -> list[str]:
    """Join what goes together among some pieces, and say what does not."""
    left_open = []
    for label in sorted({c.label for piece in pieces for c in piece.component.connectors}):
        why = _is_open(pieces, label)
        while not why and (pair := _next_pair(pieces, label)):
            first, second = pair
            joined = _joined(first.component, second.component, label)
            if joined is None:
                why = "the components would overlap"
            else:
                first.component = joined
                pieces.remove(second)
        if why:
            left_open.append(f"connectors {label or 'without a label'} were not joined: {why}")
    return left_open


def _of(component: Component, label: str, male: bool) -> list[Connector]:
    return [c for c in component.connectors if c.label == label and c.male == male]


def _is_open(pieces: Sequence[_Piece], label: str) -> str:
    """Why the connectors of a name have no certain counterparts; "" if they have."""
    sides = {male: [p for p in pieces if _of(p.component, label, male)] for male in (True, False)}
    many = {male: sum(len(_of(p.component, label, male)) for p in side) for male, side in sides.items()}
    if many[True] != many[False]:
        return f"{many[True]} are male and {many[False]} female"
    if any(c.arrow is None for p in pieces for c in p.component.connectors if c.label == label):
        return "they do not say which way round they fit"
    kinds = {male: len({p.component for p in side}) for male, side in sides.items()}
    if all(len(side) > 1 for side in sides.values()) and min(kinds.values()) > 1:
        return "several components could go together"
    return ""


def _next_pair(pieces: list[_Piece], label: str) -> tuple[_Piece, _Piece] | None:
    """Two pieces that have open connectors of a name, a female one and a male one."""
    female = next((p for p in pieces if _of(p.component, label, False)), None)
    if female is None:
        return None
    male = next((p for p in pieces if p is not female and _of(p.component, label, True)), None)
    return None if male is None else (female, male)


def _joined(first: Component, second: Component, label: str) -> Component | None:
    """The two components with as many of their connectors joined as can be; None if they overlap however they go."""
    best: Component | None = None
    fewest_open = len(first.connectors) + len(second.connectors)
    seat = _of(first, label, False)[0]
    facing = np.negative(seat.face)
    for rotation in rotations():
        for plug in _of(second, label, True):
            if (rotation @ plug.face).tolist() != facing.tolist():
                continue
            shift = seat.outside - rotation @ plug.inside
            if second.in_wedges and np.any(shift % (SIDE // 2)):
                continue
            moved = second.moved(rotation, shift)
            if first.cells & moved.cells:
                continue
            fitting = [(a, b) for a in first.connectors for b in moved.connectors if a.fits(b)]
            used = {each for pair in fitting for each in pair}
            left = tuple(c for c in (*first.connectors, *moved.connectors) if c not in used)
            if fitting and len(left) < fewest_open:
                joined = Component(first.cells | moved.cells, left, first.in_wedges)
                best, fewest_open = joined, len(left)
    return best


def _at_origin(cells: Shape, *, in_wedges: bool) -> Shape:
    """The same cells moved by whole cubes, so that the least cube of each axis is 0."""
    low = np.min([cube_of(cell) for cell in cells], axis=0) * SIDE if in_wedges else np.min(list(cells), axis=0)
    return frozenset(vector(cell - low) for cell in np.array(list(cells)))


def alike(joined: Joined, *, flat: bool) -> list[tuple[Shape, int]]:
    """Parts that are the same up to rotation, each once with the number of its copies, in the order of the first.

    With *flat*, only rotations that keep the layer count, turning over among them.
    """
    found: dict[tuple[Vector, ...], list[Shape]] = {}
    turns = [r for r in rotations() if not flat or abs(r[2, 2]) == 1]
    for part in joined.parts:
        turned = ([vector(turn @ cell) for cell in part] for turn in turns)
        least = min(tuple(sorted(_at_origin(frozenset(each), in_wedges=joined.in_wedges))) for each in turned)
        found.setdefault(least, []).append(part)
    return [(same[0], len(same)) for same in found.values()]
