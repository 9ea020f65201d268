"""The pieces that a lattice and a number of cells, or the name of a set or of a shape, stand for."""

from __future__ import annotations

import os
from pathlib import Path

from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import PartSet
from latcover.core.model.request_values import Natural
from latcover.errors import PuzzleError, TooLargeError, UnsupportedError, suggest
from latcover.files.formats.library import lattice_called, load_lattice, load_set
from latcover.files.formats.named_shapes import SMALL, names_shapes, set_named
from latcover.files.formats.piece_sets import POLYABOLOES, THEIR_LATTICE, Family, Sides
from latcover.files.formats.piece_sets import pieces as of_cells
from latcover.files.formats.ready_sets import ready_called
from latcover.files.formats.source import names


def pieces(lattice: str | Path | Lattice, n: Natural | None = None, family: Family = Family()) -> PartSet:
    """All connected shapes of *n* cells; or, without *n*, the parts of a set or a single shape.

    Args:
        lattice: A lattice, or its name or path; or "polyaboloes", shapes of half squares. Without *n* the name or path
            of a part set, or what `latcover.shape_named` takes.
        n: How many cells each has.
        family: Which of them. A part set takes `Sides.ONE_SIDED` alone.

    Raises:
        PuzzleError: there is nothing of this name, or a lattice needs *n*.
        TooLargeError: more pieces than the family allows.
        UnsupportedError: something that has no meaning on this lattice, or for a set.
    """
    if not isinstance(lattice, str | Path | Lattice):
        raise PuzzleError(f"pieces takes a lattice, or the name of a lattice or of a part set, not {lattice!r:.80}")
    if n is None:
        return _named(lattice, family)
    if lattice == POLYABOLOES:
        lattice, family = (
            THEIR_LATTICE,
            Family(family.sides, family.holes, family.convex, family.colours, halves=True, most=family.most),
        )
    found = lattice if isinstance(lattice, Lattice) else load_lattice(str(lattice))
    try:
        return of_cells(found, n, family)
    except TooLargeError as fault:
        raise TooLargeError(f"{fault}; take fewer cells, or raise the bound with --max-pieces") from None


def needs_cells(name: str) -> bool:
    """Whether a name is of a lattice, so that the number of cells must be given."""
    return name not in names("sets") and (name == POLYABOLOES or lattice_called(name) is not None)


def _named(given: str | Path | Lattice, family: Family) -> PartSet:
    if isinstance(given, Lattice) or needs_cells(str(given)):
        named = given.name if isinstance(given, Lattice) else given
        raise PuzzleError(f"{named} has shapes of any number of cells; say how many")
    name, one_sided = str(given), family.sides is Sides.ONE_SIDED
    if family != Family(Sides.ONE_SIDED if one_sided else Sides.FREE, most=family.most):
        raise UnsupportedError("a part set has the shapes that it lists: only one-sided ones can be asked of it")
    is_drawing = name.endswith(".txt")
    if name in names("sets") or ready_called(name) or (os.path.exists(name) and not is_drawing):
        return load_set(name, one_sided=one_sided)
    if is_drawing or ":" in name or names_shapes(name):
        if one_sided:
            raise UnsupportedError("--one-sided: for a part set or shapes of N cells, not for a single shape")
        return set_named(name)
    if Path(name).suffix:
        return load_set(name)  # says that there is no such file
    known = [*names("sets"), *names("lattices"), *SMALL, POLYABOLOES]
    raise PuzzleError(
        f"no lattice and no part set {name!r} is shipped, and there is no such shape or file{suggest(name, known)}"
    )
