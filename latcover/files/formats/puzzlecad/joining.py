"""Gluing components together: which connectors are counterparts, and the parts that come out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from latcover.files.formats.puzzlecad.scad_components import Component, Connector, Vector, rotations

Shape = frozenset[Vector]


class PrintedComponent(Struct, frozen=True):
    """A component and the plate on which it is printed."""

    component: Component
    plate: str


class Joined(Struct, frozen=True):
    """The parts that components make, each from the origin on, and what could not be joined, in words."""

    parts: list[Shape]
    left_open: list[str]


class _Piece(Struct):
    """A component that grows as others are joined to it."""

    component: Component


def join(printed: Sequence[PrintedComponent]) -> Joined:
    """Glue components together at connectors of one name: first those of each plate, then what is left.

    A male connector and a female one of the same name are counterparts if they are the only ones; if there are several,
    all of one kind have to lie on components that are alike, so that it does not matter which goes where. Anything else
    stays apart and is named.
    """
    plates: dict[str, list[_Piece]] = {}
    for each in printed:
        plates.setdefault(each.plate, []).append(_Piece(each.component))
    for pieces in plates.values():
        _join(pieces)
    left = [piece for pieces in plates.values() for piece in pieces]
    left_open = _join(left)
    return Joined([_at_origin(piece.component.cells) for piece in left], left_open)


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
    target, facing = np.add(seat.cell, seat.face), np.negative(seat.face)
    for rotation in rotations():
        for plug in _of(second, label, True):
            if (rotation @ plug.face).tolist() != facing.tolist():
                continue
            moved = second.moved(rotation, target - rotation @ plug.cell)
            if first.cells & moved.cells:
                continue
            fitting = [(a, b) for a in first.connectors for b in moved.connectors if a.fits(b)]
            used = {each for pair in fitting for each in pair}
            left = tuple(c for c in (*first.connectors, *moved.connectors) if c not in used)
            if fitting and len(left) < fewest_open:
                best, fewest_open = Component(first.cells | moved.cells, left), len(left)
    return best


def _at_origin(cells: Shape) -> Shape:
    low = np.min(list(cells), axis=0)
    return frozenset((x - low[0], y - low[1], z - low[2]) for x, y, z in cells)


def alike(parts: Sequence[Shape], *, flat: bool) -> list[tuple[Shape, int]]:
    """Parts that are the same up to rotation, each once with the number of its copies, in the order of the first.

    With *flat*, only rotations that keep the layer count, turning over among them.
    """
    found: dict[tuple[tuple[int, ...], ...], list[Shape]] = {}
    turns = [r for r in rotations() if not flat or abs(r[2, 2]) == 1]
    for part in parts:
        cells = np.array(sorted(part))
        turned = (cells @ turn.T for turn in turns)
        least = min(tuple(map(tuple, sorted((each - each.min(axis=0)).tolist()))) for each in turned)
        found.setdefault(least, []).append(part)
    return [(same[0], len(same)) for same in found.values()]
