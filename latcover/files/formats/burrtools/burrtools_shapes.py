"""The shapes of a BurrTools file: voxel texts as places of a grid, with their states and colours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import prod

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Bounds
from latcover.errors import Complaint, written_lines
from latcover.files.formats.burrtools.grids import BurrToolsGrid, Places
from latcover.files.formats.burrtools.tree import Element
from latcover.files.formats.source import TO_MEND, Source

LONGEST_NAME = 100
ADDED = "What latcover adds:"  # the line of a comment after which there is what BurrTools has no place for
LONGEST_VOXEL = 3  # signs of text: its state and the two digits of a colour
SLACK = 1000  # blanks around the text
_VOXEL = "_#+"  # empty, filled, variable


class ElementError(Exception):
    """One thing wrong with an element, in words that begin with what the element is."""

    def __init__(self, element: Element, message: str) -> None:
        super().__init__(message)
        self.element, self.message = element, message

    def complaint(self, name: str) -> Complaint:
        """The fault as a complaint about the file *name*, with line and column."""
        return Complaint(self.message, name, self.element.line, self.element.column)


class VoxelShape(Struct, frozen=True, eq=False):
    """A shape of the file.

    Attributes:
        element: The element that holds it.
        label: How messages call it.
        places: The voxels that are not empty, shape (n, 3), int64.
        variable: Which of them may stay empty, shape (n,), bool.
        colours: Their colours, shape (n,), int32; 0 is none.
    """

    element: Element
    label: str
    places: Places
    variable: npt.NDArray[np.bool_]
    colours: npt.NDArray[np.int32]


class File(Struct, frozen=True, eq=False):
    """What the problems of a file share. A shape is read when a problem uses it, so a faulty one spoils no other."""

    source: Source
    bounds: Bounds
    grid: BurrToolsGrid
    lattice: Lattice
    n_colours: int
    shapes: list[Element]
    names: list[str]
    comment: str
    _read: dict[int, VoxelShape] = field(default_factory=dict)

    def shape(self, index: int) -> VoxelShape:
        """The shape of that index.

        Raises:
            ElementError: its text or its attributes are at fault.
        """
        if index not in self._read:
            label = shape_label(index, self.shapes[index])
            self._read[index] = _read_shape(self.shapes[index], label, self)
        return self._read[index]


def integer(element: Element, name: str, what: str, least: int, most: int) -> int | None:
    """An attribute that is a whole number; None if it is missing. *what* is how messages call the element.

    Raises:
        ElementError: it is not a whole number from *least* to *most*.
    """
    text = element.attributes.get(name)
    if text is None:
        return None
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text.strip()) or not least <= int(text) <= most:
        shown = repr(text if len(text) <= 40 else text[:37] + "...")
        raise ElementError(element, f"{what}: {name} must be a whole number from {least} to {most:,}, not {shown}")
    return int(text)


def clean(name: str) -> str:
    """A name of the file as one line that can be shown."""
    return "".join(c if c.isprintable() else " " for c in name[:LONGEST_NAME]).strip()


def comment_of(text: str) -> str:
    """What the author of a file says in its comment, without what latcover adds."""
    lines = written_lines(text).split("\n")
    return written_lines("\n".join(lines[: lines.index(ADDED)] if ADDED in lines else lines))


def unique_names(names: Iterable[str]) -> list[str]:
    """The names, with a number after those that occur again."""
    given = list(names)
    taken, seen, found = set(given), dict.fromkeys(given, 0), []
    for name in given:
        seen[name] += 1
        number, free = seen[name], name
        while number > 1 and free in taken:
            free = f"{name} ({number})"
            number += 1
        seen[name] = max(seen[name], number - 1)
        taken.add(free)
        found.append(free)
    return found


def shape_label(index: int, element: Element) -> str:
    """How messages call a shape: its number as BurrTools shows it, and its name."""
    name = clean(element.attributes.get("name", ""))
    return f"shape S{index + 1}{f' ({name})' if name else ''}"


def _read_shape(element: Element, label: str, file: File) -> VoxelShape:
    sizes = []
    for axis in "xyz":
        size = integer(element, axis, label, 1, 1 << 31)
        if size is None:
            raise ElementError(element, f"{label}: its size {axis} is missing")
        sizes.append(size)
    integer(element, "type", label, 0, 0)  # the only type there is
    volume = prod(sizes)
    announced = f"{sizes[0]} by {sizes[1]} by {sizes[2]}"
    described = sum(piece.count(sign) for piece in element.text for sign in _VOXEL)
    if described != volume:
        raise ElementError(element, f"{label}: its text describes {described:,} voxels, but {announced} are {volume:,}")
    if sum(map(len, element.text)) > LONGEST_VOXEL * volume + SLACK:
        raise ElementError(element, f"{label}: its text is longer than {volume:,} voxels with their colours can be")
    if volume > file.bounds.cells:
        raise ElementError(element, f"{label}: has more than {file.bounds.cells:,} voxels{TO_MEND}")
    states, colours = _read_text(element, label, file.n_colours)
    index = np.flatnonzero(states != ord("_"))
    x, y, z = index % sizes[0], index // sizes[0] % sizes[1], index // (sizes[0] * sizes[1])
    places = np.column_stack([x, y, z]).astype(np.int64)
    astray = np.flatnonzero(~file.grid.holds(places))
    if len(astray):
        place = tuple(places[astray[0]].tolist())
        raise ElementError(element, f"{label}: the grid of {file.grid.name} has no cell at {place}: {file.grid.rule}")
    return VoxelShape(element, label, places, states[index] == ord("+"), colours[index])


def _read_text(element: Element, label: str, n_colours: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
    """The sign of each voxel, and its colour."""
    text = "".join(element.text).strip()
    if any(map(str.isspace, text)):
        raise ElementError(element, f"{label}: its text has a blank or a new line between voxels; take them out")
    signs = np.frombuffer(text.encode("ascii"), np.uint8)
    is_voxel = ~((signs >= ord("0")) & (signs <= ord("9")))
    if len(text) and not is_voxel[0]:
        raise ElementError(element, f"{label}: its text begins with a colour's number, which must follow a voxel")
    states = signs[is_voxel]
    colours = np.zeros(len(states), np.int32)
    number = np.cumsum(is_voxel) - 1
    for found in re.finditer(r"([_#+])([0-9]+)", text):
        if found[1] == "_":
            raise ElementError(
                element, f"{label}: an empty voxel has the colour {found[2][:20]}; only other voxels can have one"
            )
        colour = int(found[2][:9])
        if not 1 <= colour <= n_colours:
            known = f"the file defines {n_colours}, from 1" if n_colours else "the file defines none"
            raise ElementError(element, f"{label}: there is no colour {found[2][:20]}; {known}")
        colours[number[found.start()]] = colour
    return states, colours
