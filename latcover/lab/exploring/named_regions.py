"""Triangles and hexagons of cells, on flat lattices with angles of 60 degrees: which of them shapes fill."""

from __future__ import annotations

from collections.abc import Iterator

from latcover.core.model.lattice import Cells
from latcover.files.formats.puzzle_files.region_figures import fault_of, figure
from latcover.lab.exploring.boxes import box_cells
from latcover.lab.exploring.decisions import UNDECIDED, Decision, Filled, decide
from latcover.lab.exploring.rectangles import RectangleSearch
from latcover.lab.exploring.tilings import tiling_puzzle

KINDS = {"triangle": 1, "hexagon": 2}  # how many sides long they are


class NamedRegion(Decision, frozen=True, eq=False, kw_only=True):
    """A triangle or a hexagon with sides of so many cells."""

    kind: str
    side: int

    @property
    def name(self) -> str:
        return f"{self.kind} {self.side}"


def named_regions(search: RectangleSearch, size: int) -> Iterator[NamedRegion]:
    """Those that are at most *size* units long, the smaller ones of each kind first."""
    for kind, long in KINDS.items():
        if not fault_of(kind, search.lattice):
            for side in range(1, size // long + 1):
                found = _decided(figure(kind, side, search.lattice), f"{kind} {side}", search)
                yield NamedRegion(kind=kind, side=side, filled=found.filled, tiling=found.tiling, why=found.why)


def _decided(cells: Cells, name: str, search: RectangleSearch) -> Decision:
    if search.is_over:
        return UNDECIDED
    shapes = search.shapes
    puzzle = tiling_puzzle(name, search.lattice, cells, shapes, all_used=len(shapes) > 1)
    found = decide(puzzle, 0.0 if _has_corner(cells, search) else search.left, search.events)
    if found.filled is Filled.UNKNOWN and _has_corner(cells, search):
        return Decision(filled=Filled.CORNER)
    return found


def _has_corner(cells: Cells, search: RectangleSearch) -> bool:
    """Whether the region has the corner that cannot be covered: it lies in a quadrant, and holds that corner's cells.

    No coordinate of *cells* is negative.
    """
    if search.corner is None:
        return False
    held = {*map(tuple, cells.tolist())}
    corner = box_cells(search.lattice, [search.corner] * search.lattice.dimension)
    return all(tuple(cell) in held for cell in corner.tolist())
