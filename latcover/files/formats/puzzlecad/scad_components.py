"""Components: what one string of puzzlecad describes, cubes and the connectors by which they are glued together.

A string holds rows of cubes from front to back, divided by bars; a list of strings holds layers from the bottom up. A
letter is a cube, a point is none. Braces after a letter hold notes, such as ``x{connect=mz+y-,clabel=A}``: on the
upper side of this cube is a male connector, whose arrow points to the front, named A.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import permutations, product
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.model.burr import LEAST_LENGTH, NUMBERS, stick
from latcover.errors import InputError
from latcover.files.formats.puzzlecad.scad import BurrStick, EvaluationError, Unknown, n_entries

Vector = tuple[int, int, int]
Rotation = npt.NDArray[np.int64]  # a matrix of determinant 1, shape (3, 3)

MOST_ENTRIES = 100_000  # letters, numbers and lists that describe a component
LONGEST_STICK = 1000  # units
DIRECTIONS: dict[str, Vector] = {
    "x+": (1, 0, 0),
    "x-": (-1, 0, 0),
    "y+": (0, 1, 0),
    "y-": (0, -1, 0),
    "z+": (0, 0, 1),
    "z-": (0, 0, -1),
}
WORDS = {vector: word for word, vector in DIRECTIONS.items()}
_SUFFIX = re.compile(r"(?P<place>[mf])(?P<face>[xyz][+-])(?P<arrow>[xyz][+-])?")


class SpecError(InputError):
    """A component that latcover cannot read as whole cubes."""


class Connector(Struct, frozen=True):
    """A joint on a side of a cube.

    Attributes:
        cell: The cube.
        face: The direction that the side faces.
        arrow: The direction along the side that shows how two connectors fit together; None if that is left open.
        male: Whether it stands out.
        label: The name that it shares with its counterpart; "" for none.
    """

    cell: Vector
    face: Vector
    arrow: Vector | None
    male: bool
    label: str

    def moved(self, rotation: Rotation, shift: npt.NDArray[np.int64]) -> Connector:
        """The connector after a motion."""
        cell, face = rotation @ self.cell + shift, rotation @ self.face
        arrow = None if self.arrow is None else vector(rotation @ self.arrow)
        return Connector(vector(cell), vector(face), arrow, self.male, self.label)

    def fits(self, other: Connector) -> bool:
        """Whether the two lie face to face, male against female, with equal arrows."""
        beyond = tuple(c + d for c, d in zip(self.cell, self.face, strict=True))
        opposite = tuple(-d for d in self.face)
        return (
            self.male != other.male
            and self.label == other.label
            and other.cell == beyond
            and other.face == opposite
            and other.arrow == self.arrow
        )


class Component(Struct, frozen=True):
    """Cubes, and the connectors on them."""

    cells: frozenset[Vector]
    connectors: tuple[Connector, ...] = ()

    def moved(self, rotation: Rotation, shift: npt.NDArray[np.int64]) -> Component:
        """The component after a motion."""
        cells = np.array(sorted(self.cells)) @ rotation.T + shift
        return Component(frozenset(map(vector, cells)), tuple(c.moved(rotation, shift) for c in self.connectors))


def vector(row: Any) -> Vector:
    """A row of three numbers as a vector."""
    x, y, z = map(int, row)
    return x, y, z


def rotations() -> list[Rotation]:
    """The 24 rotations of a cube, identity first."""
    found = []
    for order, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
        matrix = np.zeros((3, 3), np.int64)
        matrix[range(3), order] = signs
        if round(float(np.linalg.det(matrix))) == 1:
            found.append(matrix)
    return found


def component_of(spec: Any) -> Component:
    """The component that a value describes: a string, strings for layers, or the number of a burr stick.

    Raises:
        SpecError: it is not made of whole cubes, or not understood.
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
    cells: list[Vector] = []
    connectors: list[Connector] = []
    for z, layer in enumerate(layers):
        for y, row in enumerate(_divided(layer, "|")):
            for x, (letter, notes) in enumerate(_letters(row)):
                if letter == ".":
                    continue
                if letter not in {"#", "+"} and not "a" <= letter <= "z":
                    raise SpecError(f"{letter!r} stands for no cube; cubes are letters from a to z")
                cells.append((x, y, z))
                connectors += _connectors((x, y, z), shared if letter == "#" else notes)
    if not cells:
        raise SpecError("it has no cube")
    return Component(frozenset(cells), tuple(connectors))


def _of_stick(spec: BurrStick) -> Component:
    """The component of a burr stick."""
    if not 1 <= spec.number <= NUMBERS:
        raise SpecError(f"{spec.number} is not a number of a stick from 1 to {NUMBERS:,}")
    if not LEAST_LENGTH <= spec.length <= LONGEST_STICK or spec.length % 2:
        raise SpecError(f"a stick has an even length from {LEAST_LENGTH} to {LONGEST_STICK:,}, not {spec.length}")
    return Component(frozenset(vector(cell[1:]) for cell in stick(spec.number, spec.length)))


def _of_cubes(cubes: list[Any]) -> Component:
    """The component that puzzlecad's own nested lists hold: [x][y][z][0] is not 0 where there is a cube."""
    cells, connectors = [], []
    try:
        for x, plane in enumerate(cubes):
            for y, row in enumerate(plane):
                for z, (filled, *notes) in enumerate(row):
                    if filled:
                        cells.append((x, y, z))
                        said = dict(notes[0] or [] if notes else [])
                        connectors += _connectors_of((x, y, z), said)
    except (TypeError, ValueError):
        raise SpecError("its nested lists are not those of cubes") from None
    if not cells:
        raise SpecError("it has no cube")
    return Component(frozenset(cells), tuple(connectors))


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


def _connectors(cell: Vector, notes: str) -> list[Connector]:
    """The connectors among the notes of a cube."""
    return _connectors_of(cell, dict(note.partition("=")[::2] for note in _divided(notes, ",") if note))


def _connectors_of(cell: Vector, said: Mapping[str, str]) -> list[Connector]:
    if "components" in said:
        raise SpecError("it has parts of cubes (components=…); latcover reads whole cubes")
    connects = [each for each in said.get("connect", "").strip("{}").split(",") if each]
    labels = said.get("clabel", "").strip("{}").split(",")
    found = []
    for k, connect in enumerate(connects):
        taken = _SUFFIX.fullmatch(connect)
        if taken is None:
            raise SpecError(f"its connector {connect!r} does not lie on a whole side; latcover reads whole cubes")
        label = labels[k] if k < len(labels) else ""
        arrow = taken["arrow"] or (label[1:] if label[1:] in DIRECTIONS else "")
        found.append(
            Connector(cell, DIRECTIONS[taken["face"]], DIRECTIONS.get(arrow), taken["place"] == "m", label[:1])
        )
    return found
