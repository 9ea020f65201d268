"""The puzzle that an assembly solves: its cells are the region, and its pieces the parts."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from msgspec.structs import replace

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.model.lattice import Lattice
from latcover.core.model.orientation import orientations
from latcover.core.model.puzzle import Bounds, Part, Puzzle, Region, as_cells
from latcover.errors import Complaint, PuzzleError
from latcover.files.formats.cover_problems.matrix import matrix_in, read_text_matrix
from latcover.files.formats.letters.letters_text import Assembly, read_pieces
from latcover.files.formats.puzzle_files.lattice_file import read_lattice
from latcover.files.formats.source import TO_MEND, Source, shipped

MOST_ASSEMBLIES = 1000
LATTICES = {2: "square", 3: "cubic"}
MATRIX_OR_DRAWING = (
    "is this a matrix, whose rows are options, or a drawing of two pieces? A file of a matrix has no other lines; a "
    "drawing has letters in place of 0 and 1"
)
A_MATRIX = (
    "is read as a matrix, whose rows are options; a drawing of two pieces has letters in place of 0 and 1, or is "
    "imported with --lattice"
)


def read_text(
    source: Source, bounds: Bounds, lattice: Lattice | None = None
) -> tuple[Puzzle, ...] | tuple[NamedProblem]:
    """The puzzles of a text of letters; or the problem of a text of zeros and ones alone, if no lattice is given.

    Raises:
        PuzzleFileError: it is not text, or neither of them.
    """
    rows = matrix_in(source.text()) if lattice is None else None
    if rows is None:
        return read_piece_puzzles(source, bounds, lattice)
    found = read_text_matrix(source, rows, bounds)
    if len(source.text().split()) > len(rows):  # blanks between the entries, as in no drawing
        return (found,)
    return (replace(found, warnings=(*found.warnings, Complaint(A_MATRIX, source.name, warning=True))),)


def read_piece_puzzles(source: Source, bounds: Bounds, lattice: Lattice | None = None) -> tuple[Puzzle, ...]:
    """The puzzles of a text of letters, one for each assembly in it, on the lattice given, or square or cubic ones.

    Raises:
        PuzzleFileError: it is not text, has no grid of letters, or may as well be a matrix of zeros and ones.
    """
    assemblies = read_pieces(source.text(), source.name, None if lattice is None else lattice.dimension)
    if len(assemblies) > MOST_ASSEMBLIES:
        what = f"holds more than {MOST_ASSEMBLIES:,} assemblies, and each would be a puzzle; keep those that you mean"
        raise source.fault(what, assemblies[MOST_ASSEMBLIES].line)
    puzzles = []
    for number, assembly in enumerate(assemblies, 1):
        if lattice is None and _may_be_a_matrix(assembly):
            raise source.fault(MATRIX_OR_DRAWING, assembly.line)
        if assembly.n_cells > bounds.cells:
            raise source.fault(f"more than {bounds.cells:,} cells{TO_MEND}", assembly.line)
        ground = lattice or read_lattice(shipped("lattices", LATTICES[assembly.dimension]))
        name = source.stem if len(assemblies) == 1 else f"{source.stem} {number}"
        try:
            puzzles.append(assembly_puzzle(assembly, ground, name=name, source=source.file_name, path=source.name))
        except PuzzleError as fault:
            raise source.fault(str(fault), assembly.line) from None
    return tuple(puzzles)


def _may_be_a_matrix(assembly: Assembly) -> bool:
    """Whether the signs are 0 and 1 alone, in full rows of one length."""
    cells = [cell for piece in assembly.pieces.values() for cell in piece]
    full = {cell[0] for cell in cells}, {cell[-1] for cell in cells}
    return assembly.dimension == 2 and {*assembly.pieces} <= {"0", "1"} and len(cells) == len(full[0]) * len(full[1])


def assembly_puzzle(assembly: Assembly, lattice: Lattice, *, name: str, source: str = "", path: str = "") -> Puzzle:
    """The puzzle that *assembly* solves; pieces of one shape become one part with a count.

    Args:
        assembly: Pieces by letters.
        lattice: It must have the same dimension, and one node. Parts get its default transformations.
        name, source: The name and the source of the puzzle.
        path: What warnings call the text.

    Raises:
        PuzzleError: the lattice has other dimensions, or several nodes.
    """
    if lattice.dimension != assembly.dimension or len(lattice.nodes) > 1:
        raise PuzzleError(
            f"a grid of letters in {assembly.dimension} dimensions needs a lattice with as many dimensions and one "
            f"cell a unit; {lattice.name!r} has {lattice.dimension}, and {len(lattice.nodes)} cells a unit"
        )
    motions = lattice.allowed(lattice.default_transformations)
    parts: dict[frozenset[bytes], list[Part]] = {}
    warnings = []
    for letter, places in assembly.pieces.items():
        cells = as_cells([(0, *place) for place in places], lattice.dimension)
        part = Part(letter, cells, np.zeros(len(cells), np.int32), 1, 1, motions)
        low = [min(axis) for axis in zip(*places, strict=True)]
        moved = tuple(tuple(x - least for x, least in zip(place, low, strict=True)) for place in places)
        parts.setdefault(_shape(moved, lattice), []).append(part)
        if not lattice.connects((0, *place) for place in places):
            warnings.append(f"the cells of {letter!r} are not connected; they are read as one piece")
    found = []
    for alike in parts.values():
        if len(alike) > 1:
            letters = ", ".join(part.name for part in alike)
            warnings.append(f"{letters} have the same shape: they are one part, {alike[0].name!r}, {len(alike)} times")
        found.append(replace(alike[0], low=len(alike), high=len(alike)))
    cells = as_cells([(0, *cell) for piece in assembly.pieces.values() for cell in piece], lattice.dimension)
    complaints = tuple(Complaint(text, path, assembly.line, warning=True) for text in warnings)
    return Puzzle(name, lattice, Region(cells), tuple(found), source=source, warnings=complaints)


@lru_cache(maxsize=4096)
def _shape(places: tuple[tuple[int, ...], ...], lattice: Lattice) -> frozenset[bytes]:
    """What is the same for pieces of one shape. A file may hold hundreds of solutions, all of the same pieces."""
    cells = as_cells([(0, *place) for place in places], lattice.dimension)
    motions = lattice.allowed(lattice.default_transformations)
    part = Part("any", cells, np.zeros(len(cells), np.int32), 1, 1, motions)
    return frozenset(orientation.key for orientation in orientations(part, range(lattice.dimension)))
