"""The dimensions of models, and their places side by side."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, sqrt

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Puzzle
from latcover.errors import PuzzleError, UnsupportedError, escaped
from latcover.lab.assembly.prisms import axes
from latcover.show.drawing.shapes.outlines import Points

SMALLEST, LARGEST = 0.01, 10_000.0
FINEST = 1e-4  # of the edge: the smallest gap that the 32-bit numbers of STL and GLB can hold


class Dimensions(Struct, frozen=True):
    """The dimensions of a model, in millimetres.

    Attributes:
        edge: The length of the lattice file's unit; see `docs/how-to/printing.md` for each lattice.
        clearance: The whole gap between neighbouring parts, half of it from each.
        thickness: The thickness of flat puzzles; None is one unit.
        chamfer: The distance from an outer edge at which its two faces are cut; 0 leaves edges sharp.
    """

    edge: float = 20.0
    clearance: float = 0.2
    thickness: float | None = None
    chamfer: float = 0.0

    def __post_init__(self) -> None:
        """Raise a `PuzzleError` if a length is out of bounds."""
        for name, length in (("edge", self.edge), ("thickness", self.thickness)):
            if length is not None and not (isfinite(length) and SMALLEST <= length <= LARGEST):
                raise PuzzleError(f"the {name} is {length:g} mm; it must lie between {SMALLEST:g} and {LARGEST:,g} mm")
        if not (isfinite(self.clearance) and self.clearance >= 0):
            raise PuzzleError(f"the clearance is {self.clearance:g} mm; it must be 0 or more")
        if not (isfinite(self.chamfer) and (self.chamfer == 0 or FINEST * self.edge <= self.chamfer <= self.edge)):
            raise PuzzleError(
                f"the chamfer is {self.chamfer:g} mm; with an edge of {self.edge:g} mm it must be 0, or lie between "
                f"{FINEST * self.edge:g} and {self.edge:g} mm"
            )
        if 0 < self.clearance < FINEST * self.edge:
            raise PuzzleError(
                f"the clearance is {self.clearance:g} mm; with an edge of {self.edge:g} mm it must be 0, or "
                f"{FINEST * self.edge:g} mm or more"
            )

    @classmethod
    def of(cls, puzzle: Puzzle, **lengths: float) -> Dimensions:
        """The dimensions with these lengths; without a clearance, that which the puzzle needs to come apart.

        Raises:
            PuzzleError: a length is out of bounds.
        """
        usual = cls(**lengths)
        if "clearance" in lengths or puzzle.turning is None:
            return usual
        return replace(usual, clearance=max(usual.clearance, needed_clearance(puzzle, usual.edge)))

    def in_words(self, lattice: Lattice) -> str:
        """Edge, clearance, and the play that follows from them where cells have edges."""
        edge = cell_edge(lattice)
        play = f", play {self.clearance / (2 * edge * self.edge):.3g}" if edge else ""
        return f"edge {self.edge:g} mm, clearance {self.clearance:.4g} mm{play}"

    @property
    def inset(self) -> float:
        """The distance by which each outer face of a part moves inwards."""
        return self.clearance / 2

    @property
    def height(self) -> float:
        """The thickness of flat puzzles."""
        return self.edge if self.thickness is None else self.thickness


def shelves(sizes: Sequence[tuple[float, float]], gap: float) -> list[Points]:
    """The low corners, z = 0, for boxes of these widths and depths, in rows that form about a square."""
    width = max(max((w for w, _ in sizes), default=0.0), sqrt(sum((w + gap) * (d + gap) for w, d in sizes)))
    places: list[Points] = [np.zeros(3)] * len(sizes)
    x = y = depth = 0.0
    for k in sorted(range(len(sizes)), key=lambda k: -sizes[k][1]):  # deep boxes first, to waste little space
        if x and x + sizes[k][0] > width:
            x, y, depth = 0.0, y + depth + gap, 0.0
        places[k] = np.array([x, y, 0.0])
        x += sizes[k][0] + gap
        depth = max(depth, sizes[k][1])
    return places


def require_share(share: float) -> None:
    """Raise a `PuzzleError` unless parts can be moved apart by *share*, from 0 to 100."""
    if not (isfinite(share) and 0 <= share <= 100):
        raise PuzzleError(f"parts cannot be moved apart by {share:g} times their distance; give 0 to 100")


def cell_edge(lattice: Lattice) -> float:
    """The edge of which play is a share, in units of the lattice: the shortest one of a cell; 0 for balls."""
    try:
        return min((axis.edge for axis in axes(lattice)), default=0.0)
    except UnsupportedError:
        return 0.0


def needed_clearance(puzzle: Puzzle, edge: float) -> float:
    """The clearance, in millimetres, with which a puzzle comes apart: twice its play; 0 if its parts only slide."""
    return 0.0 if puzzle.turning is None else 2 * puzzle.turning.play * cell_edge(puzzle.lattice) * edge


def too_tight(puzzle: Puzzle, size: Dimensions) -> str:
    """A warning if parts have less clearance than they need to turn; "" if they have enough."""
    needed = needed_clearance(puzzle, size.edge)
    if puzzle.turning is None or size.clearance >= needed * (1 - FINEST):
        return ""
    name, play = escaped(puzzle.name), puzzle.turning.play
    return (
        f"warning: {name} comes apart with a play of {play:g}, a clearance of {needed:.4g} mm at an edge of "
        f"{size.edge:g} mm; with {size.clearance:g} mm its parts may not turn"
    )
