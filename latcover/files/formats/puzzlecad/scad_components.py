"""Reads components: what one string of puzzlecad describes, cubes and the joints by which they are glued together.

A string holds rows of cubes from front to back, divided by bars; a list of strings holds layers from the bottom up. A
letter is a cube, a point is none. Braces after a letter hold notes, such as ``x{connect=mz+y-,clabel=A}``: on the
upper side of this cube is a male connector, whose arrow points to the front, named A. ``x{components={z-,x-y+}}`` is a
pyramid and a tetrahedron of a cube.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from latcover.core.model.burr import LEAST_LENGTH, NUMBERS, stick
from latcover.files.formats.puzzlecad.components import (
    DIRECTIONS,
    Component,
    Connector,
    SpecError,
    Vector,
    added,
    vector,
)
from latcover.files.formats.puzzlecad.diagonal import at_centre, diagonal_connector, divided, wedges_of
from latcover.files.formats.puzzlecad.scad import BurrStick, EvaluationError, Unknown, n_entries

MOST_ENTRIES = 100_000  # letters, numbers and lists that describe a component
LONGEST_STICK = 1000  # units
_ON_A_SIDE = re.compile(r"(?P<place>[mf])(?P<face>[xyz][+-])(?P<arrow>[xyz][+-])?")
_BETWEEN_PARTS = re.compile(r"d(?P<place>[mf])(?P<word>[xyz][+-][xyz][+-])(?P<twisted>~?)")


class Cube(Struct, frozen=True):
    """A cube of a string, and the notes on it by their keys."""

    cell: Vector
    notes: Mapping[str, str]


def component_of(spec: Any) -> Component:
    """The component that a value describes: a string, strings for layers, or the number of a burr stick.

    Raises:
        SpecError: it is not understood.
    """
    if isinstance(spec, Unknown):
        raise SpecError(f"it calls {spec.name}(), which latcover does not know")
    try:
        n_entries(spec, MOST_ENTRIES)
    except EvaluationError as fault:
        raise SpecError(str(fault)) from None
    if isinstance(spec, float):
        if not spec.is_integer():  # such as 1/0
            raise SpecError(f"{spec:g} is not a number of a stick from 1 to {NUMBERS:,}")
        spec = BurrStick(int(spec), LEAST_LENGTH)
    if isinstance(spec, BurrStick):
        return _of_stick(spec)
    if isinstance(spec, list) and spec and isinstance(spec[0], list):
        return _of_cubes(spec)
    layers = [spec] if isinstance(spec, str) else spec
    if not isinstance(layers, list) or not layers or not all(isinstance(layer, str) for layer in layers):
        raise SpecError("it is neither a string, nor a list of strings, nor the number of a stick")
    shared = ""
    if layers[0].startswith("{"):
        shared, layers = layers[0].strip("{}"), layers[1:]
    cubes: list[Cube] = []
    for z, layer in enumerate(layers):
        for y, row in enumerate(_divided(layer, "|")):
            for x, (letter, notes) in enumerate(_letters(row)):
                if letter == ".":
                    continue
                if letter not in {"#", "+"} and not "a" <= letter <= "z":
                    raise SpecError(f"{letter!r} stands for no cube; cubes are letters from a to z")
                said = _divided(shared if letter == "#" else notes, ",")
                cubes.append(Cube((x, y, z), dict(note.partition("=")[::2] for note in said if note)))
    return _built(cubes)


def _built(cubes: Sequence[Cube]) -> Component:
    """The component of these cubes: in wedges if a cube is not whole."""
    whole = frozenset(cube.cell for cube in cubes if "components" not in cube.notes)
    parts = [
        added(at_centre(cube.cell), wedge)
        for cube in cubes
        if "components" in cube.notes
        for wedge in wedges_of(_listed(cube.notes["components"]))
    ]
    joints = [joint for cube in cubes for joint in _connectors(cube)]
    between = tuple(joint for joint, is_between in joints if is_between)
    component = Component(whole, tuple(joint for joint, is_between in joints if not is_between))
    if parts or between or any("components" in cube.notes for cube in cubes):
        component = divided(component)
        component = Component(component.cells | set(parts), component.connectors + between, in_wedges=True)
    if not component.cells:
        raise SpecError("it has no cube")
    return component


def _listed(text: str) -> list[str]:
    return [word for word in text.strip("{}").split(",") if word]


def _of_stick(spec: BurrStick) -> Component:
    """The component of a burr stick."""
    if not 1 <= spec.number <= NUMBERS:
        raise SpecError(f"{spec.number} is not a number of a stick from 1 to {NUMBERS:,}")
    if not LEAST_LENGTH <= spec.length <= LONGEST_STICK or spec.length % 2:
        raise SpecError(f"a stick has an even length from {LEAST_LENGTH} to {LONGEST_STICK:,}, not {spec.length}")
    return Component(frozenset(vector(cell[1:]) for cell in stick(spec.number, spec.length)))


def _of_cubes(cubes: list[Any]) -> Component:
    """The component that puzzlecad's own nested lists hold: [x][y][z][0] is not 0 where there is a cube."""
    found = []
    try:
        for x, plane in enumerate(cubes):
            for y, row in enumerate(plane):
                for z, (filled, *notes) in enumerate(row):
                    if filled:
                        said = dict(notes[0] or [] if notes else [])
                        found.append(Cube((x, y, z), {str(key): str(value) for key, value in said.items()}))
    except (TypeError, ValueError):
        raise SpecError("its nested lists are not those of cubes") from None
    return _built(found)


def _divided(text: str, sign: str) -> list[str]:
    """A text divided at a sign, except within braces."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        if letter == sign and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    if depth:
        raise SpecError("a brace is not closed")
    return parts


def _letters(row: str) -> list[tuple[str, str]]:
    """The letters of a row, each with the notes in braces behind it."""
    found: list[tuple[str, str]] = []
    depth = 0
    for sign in row:
        before = depth
        depth += (sign == "{") - (sign == "}")
        if before == 0 and depth == 0:
            found.append((sign, ""))
        elif before and depth and found:  # within the outer braces
            found[-1] = (found[-1][0], found[-1][1] + sign)
        elif not found:
            raise SpecError("a row begins with a brace")
    return found


def _connectors(cube: Cube) -> list[tuple[Connector, bool]]:
    """The connectors among the notes of a cube, each with whether it lies between parts of cubes."""
    found = []
    labels = cube.notes.get("clabel", "").strip("{}").split(",")
    for k, connect in enumerate(_listed(cube.notes.get("connect", ""))):
        label = labels[k] if k < len(labels) else ""
        across = _BETWEEN_PARTS.fullmatch(connect)
        if across is not None and across["word"][0] != across["word"][2]:
            joint = diagonal_connector(
                cube.cell,
                across["word"],
                male=across["place"] == "m",
                twisted=bool(across["twisted"]),
                label=label[:1],
            )
            found.append((joint, True))
            continue
        on_side = _ON_A_SIDE.fullmatch(connect)
        if on_side is None:
            raise SpecError(
                f"its connector {connect[:40]!r} lies neither on a side of a cube nor between parts of cubes"
            )
        arrow = on_side["arrow"] or (label[1:] if label[1:] in DIRECTIONS else "")
        beyond = added(cube.cell, DIRECTIONS[on_side["face"]])
        joint = Connector(cube.cell, beyond, DIRECTIONS.get(arrow), on_side["place"] == "m", label[:1])
        found.append((joint, False))
    return found
