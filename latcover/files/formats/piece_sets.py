"""All shapes of a given number of cells as a part set, with their usual names where a shipped set has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.model.connected_shapes import (
    Shapes,
    chessboard,
    convex,
    has_hole,
    keeps_colours,
    keys,
    polyaboloes,
    shapes,
)
from latcover.core.model.lattice import FIXED, REFLECTIONS, ROTATIONS, Cells, Lattice
from latcover.core.model.orientation import reflection
from latcover.core.model.puzzle import Part, PartSet
from latcover.errors import InternalError, TooLargeError, UnsupportedError, counted
from latcover.files.formats.puzzle_files.part_set_file import read_set
from latcover.files.formats.puzzle_files.part_tables import mirrored
from latcover.files.formats.puzzle_files.puzzle_writer import named
from latcover.files.formats.source import shipped

MOST = 20_000
COLOURS = ("", "black", "white")
POLYABOLOES, THEIR_LATTICE = "polyaboloes", "tetrakis"
NAMED = {  # the shipped sets that hold all shapes of so many cells
    ("square", 3): "trominoes",
    ("square", 4): "tetrominoes",
    ("square", 5): "pentominoes",
    ("square", 6): "hexominoes",
    ("square", 7): "heptominoes",
    ("triangular", 4): "tetriamonds",
    ("triangular", 5): "pentiamonds",
    ("triangular", 6): "hexiamonds",
    ("triangular", 7): "heptiamonds",
    ("hexagonal", 3): "trihexes",
    ("hexagonal", 4): "tetrahexes",
    ("hexagonal", 5): "pentahexes",
    ("cubic", 4): "tetracubes",
    ("cubic", 5): "pentacubes",
    ("polystick", 4): "tetrasticks",
}


class Sides(StrEnum):
    """What may be done to a piece that stays the same: turn it and turn it over, turn it, or only move it."""

    FREE = "free"
    ONE_SIDED = "one-sided"
    FIXED = "fixed"


_ALLOWED = {Sides.FREE: REFLECTIONS, Sides.ONE_SIDED: ROTATIONS, Sides.FIXED: FIXED}


class Family(Struct, frozen=True):
    """Which shapes to take.

    Attributes:
        holes: Only those with a hole (True), or only those without one (False); None takes both.
        convex: Only convex ones; see `latcover.core.model.connected_shapes.convex`.
        colours: Each with the two colours of a chessboard. A shape is two pieces, unless a motion that its `sides`
            allow takes it to itself and exchanges the colours.
        halves: Polyaboloes in place of shapes of cells: shapes of half squares, drawn on the lattice `tetrakis`.
        most: How many pieces there may be.
    """

    sides: Sides = Sides.FREE
    holes: bool | None = None
    convex: bool = False
    colours: bool = False
    halves: bool = False
    most: int = MOST

    def what(self, n: int) -> str:
        """What the shapes are made of."""
        return counted(n, "half square" if self.halves else "cell")


NamedCells = tuple[str, Cells]  # a name, and primary cells
FreeShape = tuple[NamedCells, ...]  # a free shape: itself, and its mirror image if that differs


def pieces(lattice: Lattice, n: int, family: Family | None = None) -> PartSet:
    """All connected shapes of *n* cells as parts; of *n* half squares, which are two cells each, for `Family.halves`.

    If a shipped set holds all of them, they have its names and its order. If not, they are numbered from 1, in the
    order of `latcover.core.model.connected_shapes.shapes`. A mirror image has the name of its part with a prime, unless
    the set says otherwise. The names do not depend on which of the shapes *family* takes.

    Raises:
        TooLargeError: more pieces than *family* allows.
        UnsupportedError: something that has no meaning on this lattice.
    """
    family = family or Family()
    if family.halves and (lattice.name != THEIR_LATTICE or family.convex or family.colours):
        raise UnsupportedError("polyaboloes lie on 'tetrakis', and cannot be selected as convex or coloured")
    found = _chosen(_free_shapes(lattice, n, family), lattice, family)
    named_cells = _named_cells(found, lattice, family.sides)
    plain = ((name, cells, np.zeros(len(cells), np.int32)) for name, cells in named_cells)
    made = _coloured(named_cells, lattice, family.sides) if family.colours else plain
    allowed = lattice.allowed(_ALLOWED[family.sides])
    parts: list[Part] = []
    for name, cells, colours in made:
        crossed = np.array(lattice.crossed_by(cells), np.int32).reshape(-1, lattice.dimension + 1)
        whole, tints = np.concatenate([cells, crossed]), np.pad(colours, (0, len(crossed)))
        parts.append(Part(name, whole, tints, 1, 1, allowed, lattice=lattice, number=len(parts)))
        if len(parts) > family.most:
            what = f"such pieces of {family.what(n)}"
            raise TooLargeError(f"the lattice {lattice.name!r} has more than {family.most:,} {what}")
    name = POLYABOLOES if family.halves else lattice.name
    name += f"-{n}" + f"-{family.sides}" * (family.sides is not Sides.FREE)
    colour_names = COLOURS if family.colours else COLOURS[:1]
    return PartSet(name, lattice, tuple(parts), _title(lattice, n, len(parts), family), "", colour_names)


def set_of_all(lattice: Lattice, n: int) -> str:
    """The shipped set that holds all shapes of *n* cells; "" if there is none."""
    return NAMED.get((named(lattice), n), "")


def _title(lattice: Lattice, n: int, number: int, family: Family) -> str:
    """What the pieces are: "35 free shapes of 6 cells on the lattice 'square'"."""
    what = f"{number:,} {'convex ' * family.convex}{family.sides} {'shape' if number == 1 else 'shapes'}"
    holes = {None: "", True: " with holes", False: " without holes"}[family.holes]
    colours = ", coloured like a chessboard" if family.colours else ""
    return f"{what} of {family.what(n)}{holes} on the lattice {lattice.name!r}{colours}"


def _free_shapes(lattice: Lattice, n: int, family: Family) -> list[FreeShape]:
    """All free shapes."""
    every: Shapes = (polyaboloes if family.halves else shapes)(lattice, n, lattice.transformations, family.most)
    name = "" if family.halves else set_of_all(lattice, n)
    if name:
        return _as_in_set(name, set(keys(every, lattice, lattice.transformations)), lattice)
    mirror = reflection(lattice)
    if mirror is None:
        return [((str(k), cells),) for k, cells in enumerate(every, 1)]
    images = mirror.apply(every.reshape(-1, lattice.dimension + 1)).reshape(every.shape)
    images[:, :, 1:] -= images[:, :, 1:].min(axis=1, keepdims=True)
    turned = [keys(hand, lattice, lattice.allowed(ROTATIONS)) for hand in (every, images)]
    return [
        ((str(k), cells),) if one == other else ((str(k), cells), (mirrored(str(k)), image))
        for k, (cells, image, one, other) in enumerate(zip(every, images, *turned, strict=True), 1)
    ]


def _as_in_set(name: str, wanted: set[bytes], lattice: Lattice) -> list[FreeShape]:
    """The free shapes with the names of a shipped set, as it draws them; *wanted* are their keys."""
    of_set = read_set(shipped("sets", name), one_sided=True)
    secondary = np.array([node.secondary for node in lattice.nodes])
    cells = np.stack([part.cells[~secondary[part.cells[:, 0]]] for part in of_set.parts])
    found: dict[bytes, FreeShape] = {}
    for part, own, key in zip(of_set.parts, cells, keys(cells, lattice, lattice.transformations), strict=True):
        found[key] = (*found.get(key, ()), (part.name, own))
    if found.keys() != wanted:
        raise InternalError(f"the shipped set {name!r} lacks shapes")
    return [*found.values()]


def _chosen(found: list[FreeShape], lattice: Lattice, family: Family) -> list[FreeShape]:
    """Those that are convex, or have holes or none, as the family asks."""
    if family.convex and found:
        verdicts = convex(np.stack([hands[0][1] for hands in found]), lattice)
        found = [hands for hands, verdict in zip(found, verdicts.tolist(), strict=True) if verdict]
    if family.holes is not None:
        if any(node.secondary for node in lattice.nodes):
            raise UnsupportedError(f"shapes of the lattice {lattice.name!r} have no holes: its cells do not fill it")
        found = [hands for hands in found if has_hole(hands[0][1], lattice) is family.holes]
    return found


def _named_cells(found: Sequence[FreeShape], lattice: Lattice, sides: Sides) -> list[NamedCells]:
    """Each free shape once; with its mirror image; or in all its orientations, which are numbered: F-1, F-2, ..."""
    if sides is not Sides.FIXED:
        return [hand for hands in found for hand in (hands[:1] if sides is Sides.FREE else hands)]
    all_images: list[NamedCells] = []
    for (name, cells), *_ in found:
        distinct: dict[bytes, Cells] = {}
        for transformation in lattice.transformations:
            image = transformation.apply(cells)
            image[:, 1:] -= image[:, 1:].min(axis=0)
            image = image[np.lexsort(image.T[::-1])]
            distinct.setdefault(image.tobytes(), image)
        all_images += [(f"{name}-{k}", image) for k, image in enumerate(distinct.values(), 1)]
    return all_images


def _coloured(
    found: Sequence[NamedCells], lattice: Lattice, sides: Sides
) -> Iterator[tuple[str, Cells, npt.NDArray[np.int32]]]:
    """Each piece with black and white cells, in two ways where these differ.

    Of the two, the black one has more black cells, or its first cell is black.
    """
    if not found:
        return
    cells = np.stack([own for _, own in found])
    colours = chessboard(cells, lattice)
    two = keeps_colours(cells, colours, lattice, lattice.allowed(_ALLOWED[sides]))
    n = cells.shape[1]
    for (name, own), tints, both in zip(found, colours, two.tolist(), strict=True):
        n_second = int(tints.sum())
        black = tints if 2 * n_second < n or (2 * n_second == n and not tints[0]) else 1 - tints
        yield (f"{name} black" if both else name), own, black + 1
        if both:
            yield f"{name} white", own, 2 - black
