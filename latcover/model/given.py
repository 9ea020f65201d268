"""Cells as people write them: coordinates, or rows of characters."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from latcover.errors import PuzzleError, suggest
from latcover.model.lattice import Cells, Lattice

Given = Cells | str | Sequence[str] | Sequence[Sequence[Any]]
FILLED, EMPTY, OPTIONAL = "X#", "._ ", "+"


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """What `read_cells` made of them.

    Attributes:
        cells: Rows ``(node, x, y, ...)``, shape (n, dimension + 1), int32.
        optional: Whether each may stay empty, shape (n,), bool.
        bare: Whether they name no nodes because no lattice is known; they fit a lattice of one node alone.
    """

    cells: Cells
    optional: npt.NDArray[np.bool_]
    bare: bool


def read_cells(what: str, given: Given, lattice: Lattice | None, *, may_be_optional: bool = False) -> Read:
    """Cells from coordinates ``(x, y)``, or ``(x, y, "node")`` on a lattice of several nodes; or from art.

    Art is rows of text, or layers of such rows: ``X`` or ``#`` is a cell, ``.``, ``_`` or a blank is none, and ``+``
    is a cell that may stay empty. An array is taken as it is: its rows are ``(node, x, y, ...)``.

    Args:
        what: How messages call it.
        given: The cells.
        lattice: Their lattice, if it is known.
        may_be_optional: Whether art may hold ``+``.

    Raises:
        PuzzleError: they are no cells, or one is given twice.
    """
    if isinstance(given, np.ndarray):
        return Read(given, np.zeros(len(given), np.bool_), False)
    if isinstance(given, str):
        given = textwrap.dedent(given).strip("\n").split("\n")
    listed: list[Any] = list(given)
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
    return _distinct(what, rows, [False] * len(rows), listed, lattice)


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
    if any(abs(x) >= 1 << 31 for x in coordinates):
        raise PuzzleError(f"{what}: the cell {cell!r:.80} is too far away")
    if lattice is not None and len(coordinates) != lattice.dimension:
        raise PuzzleError(
            f"{what}: the lattice {lattice.name!r} has {lattice.dimension} axes, but {cell!r:.80} is given"
        )
    return (node, *map(int, coordinates))


def _of_art(
    what: str, layers: Sequence[Sequence[str]], flat: bool, lattice: Lattice | None, may_be_optional: bool
) -> Read:
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
    return Read(np.array(rows, dtype=np.int32), np.array(optional, dtype=np.bool_), lattice is None)


def _distinct(
    what: str, rows: list[tuple[int, ...]], optional: list[bool], given: list[Any], lattice: Lattice | None
) -> Read:
    seen: set[tuple[int, ...]] = set()
    for row, cell in zip(rows, given, strict=True):
        if row in seen:
            raise PuzzleError(f"{what} holds the cell {tuple(cell)} twice; leave one out")
        seen.add(row)
    return Read(np.array(rows, dtype=np.int32), np.array(optional, dtype=np.bool_), lattice is None)
