"""Cells as people write them: coordinates, or rows of characters."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.model.lattice import Cells, Lattice, Transformation
from latcover.core.model.period import Period
from latcover.errors import PuzzleError, suggest

CellsLike = Cells | str | Sequence[str] | Sequence[Sequence[Any]]
FILLED, EMPTY, OPTIONAL = "X#", "._ ", "+"
LARGEST = (1 << 31) - 1  # of a number in an array
LONGEST_NAME = 500  # characters of a name or a title: pages lay out each of them
LONGEST_TEXT = 20_000  # of a remark, such as a source or a comment
FARTHEST = 1_000_000  # a coordinate of a cell: beyond it pictures and slides would lose what they calculate with


def is_whole(value: object, least: int = -LARGEST) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and int(value) >= least


def is_line(value: object) -> bool:
    """Whether it is a text that may be a name."""
    return isinstance(value, str) and bool(value.strip()) and value.isprintable() and len(value) <= LONGEST_NAME


def _are_groups(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(
        isinstance(group, (list, tuple))
        and len(group) == 2
        and isinstance(group[0], str)
        and (group[1] is None or is_whole(group[1], 1))
        for group in value
    )


def _are_motions(value: object) -> bool:
    return (
        value is None
        or isinstance(value, str)
        or (isinstance(value, (list, tuple)) and all(isinstance(motion, Transformation) for motion in value[:1]))
    )


def _is_period(value: Any) -> bool:
    rows = value.vectors if isinstance(value, Period) else value
    vectors = len(rows) > 0 and all(isinstance(row, (list, tuple, np.ndarray)) for row in rows)
    return all(is_whole(x, -FARTHEST) for row in rows for x in row) if vectors else all(is_whole(x, 0) for x in rows)


# Of each field that people give: whether a value fits, and what it must be.
FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "name": (is_line, f"a text of one line, not empty, and of at most {LONGEST_NAME} characters"),
    "low": (is_whole, "a whole number"),
    "high": (lambda value: value is None or is_whole(value), "a whole number, or None for no bound"),
    "weight": (is_whole, "a whole number"),
    "transformations": (_are_motions, 'a name such as "fixed", or a tuple of transformations of the lattice'),
    "groups": (_are_groups, 'pairs of a name and how many copies may stay, or None for all: (("frame", None),)'),
    "display_colour": (lambda value: isinstance(value, str), 'a text, such as "dark red"'),
    "period": (
        lambda value: isinstance(value, (Period, list, tuple, np.ndarray)) and _is_period(value),
        "whole numbers from 0, one for each axis, or vectors of whole numbers",
    ),
    "max_empty": (lambda value: value is None or is_whole(value, 0), "a whole number from 0, or None for no bound"),
    "lattice": (
        lambda value: value is None or isinstance(value, Lattice),
        'a lattice, such as latcover.load_lattice("square")',
    ),
}


_NEARER = f"; coordinates reach to {FARTHEST:,} at most, so move all cells nearer to 0"


def check_fields(what: str, **values: object) -> None:
    """Raise a PuzzleError if one of *values* does not fit the field of its name."""
    for name, value in values.items():
        fits, wanted = FIELDS[name]
        if not fits(value):
            raise PuzzleError(f"{what}: its {name} must be {wanted}; not {value!r:.80}")


class ReadCells(Struct, frozen=True, eq=False):
    """Cells that `read_cells` has read.

    Attributes:
        cells: Rows ``(node, x, y, ...)``, shape (n, dimension + 1), int32.
        optional: Whether each may stay empty, shape (n,), bool.
        bare: Whether they name no nodes because no lattice is known; they fit a lattice of one node alone.
    """

    cells: Cells
    optional: npt.NDArray[np.bool_]
    bare: bool


def read_cells(what: str, given: CellsLike, lattice: Lattice | None, *, may_be_optional: bool = False) -> ReadCells:
    """Cells from coordinates ``(x, y)``, or ``(x, y, "node")`` on a lattice of several nodes; or from art.

    Art is rows of text, or layers of such rows: ``X`` or ``#`` is a cell, ``.``, ``_`` or a blank is none, and ``+``
    is a cell that may stay empty. An array is taken as it is: its rows are ``(node, x, y, ...)``.

    Args:
        what: How messages call it.
        lattice: Their lattice, if it is known.
        may_be_optional: Whether art may hold ``+``.

    Raises:
        PuzzleError: they are no cells, or one is given twice.
    """
    if isinstance(given, np.ndarray):
        return ReadCells(_of_array(what, given), np.zeros(len(given), np.bool_), False)
    if isinstance(given, str):
        given = textwrap.dedent(given).strip("\n").split("\n")
    listed: list[Any] = list(given) if isinstance(given, Iterable) and not isinstance(given, bytes) else [given]
    if isinstance(given, (set, frozenset)) and any(isinstance(row, str) for row in listed):
        raise PuzzleError(f"{what}: rows of art have an order, so give a list of them, not a set")
    if not listed:
        raise PuzzleError(f"{what} has no cells")
    flat = isinstance(listed[0], str)
    layers = [listed] if flat else listed
    if all(isinstance(rows, (list, tuple)) and rows and all(isinstance(row, str) for row in rows) for rows in layers):
        return _of_art(what, layers, flat, lattice, may_be_optional)
    rows = [read_cell(what, cell, lattice) for cell in listed]
    lengths = {len(row) for row in rows}
    if len(lengths) > 1:
        raise PuzzleError(f"{what} has cells of {' and '.join(str(n - 1) for n in sorted(lengths))} coordinates")
    if len(set(rows)) < len(rows):
        again = next(cell for cell, row in zip(listed, rows, strict=True) if rows.count(row) > 1)
        raise PuzzleError(f"{what} holds the cell {tuple(again)} twice; leave one out")
    return ReadCells(np.array(rows, dtype=np.int32), np.zeros(len(rows), np.bool_), lattice is None)


def read_cell(what: str, cell: Any, lattice: Lattice | None) -> tuple[int, ...]:
    """A cell ``(node, x, y, ...)`` from its coordinates, which its node's name follows if the lattice has several.

    Raises:
        PuzzleError: it is none.
    """
    if not isinstance(cell, (list, tuple, np.ndarray)):
        raise PuzzleError(f"{what}: a cell is a tuple of coordinates, not {cell!r:.80}")
    node, coordinates = 0, list(cell)
    names = [] if lattice is None else [n.name for n in lattice.nodes]
    if len(names) > 1:
        name = coordinates.pop() if coordinates else None
        if name not in names:
            hint = suggest(name, names, listing=False) if isinstance(name, str) else ""
            raise PuzzleError(f"{what}: the cell {cell!r:.80} must end with one of {', '.join(map(repr, names))}{hint}")
        node = names.index(name)
    elif coordinates and isinstance(coordinates[-1], str) and lattice is None:
        raise PuzzleError(f"{what}: the cell {cell!r:.80} names a node, so give lattice=... too")
    if not coordinates or not all(isinstance(x, (int, np.integer)) and not isinstance(x, bool) for x in coordinates):
        raise PuzzleError(f"{what}: the coordinates of the cell {cell!r:.80} must be whole numbers")
    if any(abs(int(x)) > FARTHEST for x in coordinates):
        raise PuzzleError(f"{what}: the cell {cell!r:.80} is too far away{_NEARER}")
    if lattice is not None and len(coordinates) != lattice.dimension:
        raise PuzzleError(
            f"{what}: the lattice {lattice.name!r} has {lattice.dimension} axes, but {cell!r:.80} is given"
        )
    return (node, *map(int, coordinates))


def _of_array(what: str, cells: npt.NDArray[Any]) -> Cells:
    if cells.ndim != 2 or cells.shape[1] < 2 or not np.issubdtype(cells.dtype, np.integer):
        raise PuzzleError(f"{what}: each cell is a row of whole numbers, a node and coordinates")
    if not len(cells):
        raise PuzzleError(f"{what} has no cells")
    if int(cells.min()) < -FARTHEST or int(cells.max()) > FARTHEST:
        raise PuzzleError(f"{what} has a cell that is too far away{_NEARER}")
    return cells.astype(np.int32, copy=False)


def _of_art(
    what: str, layers: Sequence[Sequence[str]], flat: bool, lattice: Lattice | None, may_be_optional: bool
) -> ReadCells:
    if lattice is not None and (len(lattice.nodes) > 1 or lattice.dimension < 2):
        raise PuzzleError(f"{what}: the lattice {lattice.name!r} cannot be drawn as rows and columns; give coordinates")
    if lattice is not None and lattice.dimension == 2 and not flat:
        raise PuzzleError(f"{what}: the lattice {lattice.name!r} has no layers")
    flat = flat and (lattice is None or lattice.dimension == 2)
    rows, optional = [], []
    for z, layer in enumerate(layers):
        for r, row in enumerate(layer):
            for c, sign in enumerate(row):
                if sign in EMPTY:
                    continue
                if sign not in FILLED and not (sign == OPTIONAL and may_be_optional):
                    more = ", + for an optional one" * may_be_optional
                    raise PuzzleError(
                        f"{what}: stray character {sign!r} in row {r + 1}, column {c + 1} of its art; it may hold X or "
                        f"# for a cell, . or _ for none{more}"
                    )
                rows.append((0, r, c) if flat else (0, r, c, z))
                optional.append(sign == OPTIONAL)
    if not rows:
        raise PuzzleError(f"{what} has no cells")
    return ReadCells(np.array(rows, dtype=np.int32), np.array(optional, dtype=np.bool_), lattice is None)
