"""The smallest tori that shapes cover: with sides along the axes, and with any periods."""

from __future__ import annotations

import numpy as np

from latcover.core.cover.result import Stop
from latcover.core.model.period import Period
from latcover.core.model.puzzle_checks import cannot_fill
from latcover.core.model.solution import Placed, Solution
from latcover.core.model.verifier import verify
from latcover.errors import InternalError
from latcover.lab.exploring.atlas_answers import Least
from latcover.lab.exploring.boxes import Sides, box_cells, named
from latcover.lab.exploring.rectangles import RectangleSearch
from latcover.lab.exploring.tilings import Tiling, tile_in_stages, tiling_puzzle
from latcover.lab.plane.plane_search import as_prototiles
from latcover.lab.plane.prototiles import PeriodicTiling
from latcover.lab.plane.tori import TorusKind, smallest_torus

LARGEST_THIN = 4  # times the bound on sides: the area of tori up to which longer ones are tried too
SKEWED: dict[str, TorusKind] = {"skewed": "any", "skewed square": "square", "skewed odd": "odd"}


def smallest_tori(search: RectangleSearch, size: int) -> dict[str, Least]:
    """The smallest tori of each kind: with sides along the axes of at most *size* units, and of any two periods.

    Each of several shapes is used; then an odd number of tiles is not asked for.
    """
    return _along_axes(search, size) | _skewed(search, size)


def _along_axes(search: RectangleSearch, size: int) -> dict[str, Least]:
    """The smallest, the smallest with equal sides, and that of an odd number of tiles."""
    lattice, shapes, several = search.lattice, search.shapes, len(search.shapes) > 1
    wanted = ["rectangle", "square", *["odd"] * (not several)]
    found, sure, thin = dict[str, Least](), True, LARGEST_THIN * size
    for sides in _sides(search, size):
        if search.is_over:
            sure = False
            break
        puzzle = tiling_puzzle(
            named(sides), lattice, box_cells(lattice, sides), shapes, all_used=several, period=Period.read(2, sides)
        )
        own = {"rectangle", *["square"] * (sides[0] == sides[1]), *["odd"] * bool(search.boxes.copies(sides) % 2)}
        own &= {*wanted} - {*found}
        if not own or cannot_fill(puzzle):
            continue
        tried = tile_in_stages(puzzle, search.left, search.events)
        if tried.tiling is not None:
            copies, area = len(tried.tiling.solution.placements), sides[0] * sides[1]
            for kind in own:  # narrow ones of fewer cells may be longer than *size*
                found[kind] = Least(named(sides), copies, tried.tiling, sure and (kind == "square" or area <= thin + 1))
        sure &= tried.tiling is not None or tried.refuted
        if len(found) == len(wanted):
            break
    none = Least(proved=sure, bound=f"up to {size} x {size}")
    return {kind: found.get(kind, none) for kind in wanted}


def _sides(search: RectangleSearch, size: int) -> list[Sides]:
    """The sides of tori of at most *size* units, and of longer ones of few cells; the smaller ones first."""
    thin = LARGEST_THIN * size
    every = [(a, b) for a in range(1, thin + 1) for b in range(1, thin + 1) if max(a, b) <= size or a * b <= thin]
    return sorted({search.boxes.least(sides) for sides in every}, key=lambda s: (s[0] * s[1], s))


def _skewed(search: RectangleSearch, size: int) -> dict[str, Least]:
    """The smallest torus of any two periods, and so on."""
    prototiles, found = as_prototiles(search.shapes), dict[str, Least]()
    for name, kind in SKEWED.items():
        if kind == "odd" and len(search.shapes) > 1:
            continue
        tried = smallest_torus(prototiles, LARGEST_THIN * size, kind=kind, seconds=search.left, events=search.events)
        if tried.tiling is None:
            found[name] = Least(proved=tried.stop is Stop.EXHAUSTED, bound=f"of at most {LARGEST_THIN * size} cells")
            continue
        found[name] = Least(
            name=_periods(tried.tiling.period),
            copies=len(tried.tiling.tiles),
            tiling=_on_torus(tried.tiling),
            proved=True,
            periodic=tried.tiling,
        )
    return found


def _periods(period: Period) -> str:
    return " ".join(f"({', '.join(map(str, vector))})" for vector in period.vectors)


def _on_torus(tiling: PeriodicTiling) -> Tiling:
    """The tiling as a solution that passed the verifier.

    Raises:
        InternalError: it is none.
    """
    lattice, shapes, period = tiling.prototiles.lattice, tiling.prototiles.shapes, tiling.period
    cells = np.array(
        [(node, *home) for home in period.homes().tolist() for node in range(len(lattice.nodes))], np.int32
    )
    puzzle = tiling_puzzle("torus", lattice, cells, shapes, period=period)
    tiles = [(shapes[tile.shape].name, tiling.prototiles.cells_of(tile).tolist()) for tile in tiling.tiles]
    placed = [Placed(name, tuple(sorted(period.homes_of(own)))) for name, own in tiles]
    solution = Solution(tuple(sorted(placed, key=lambda each: each.cells)), puzzle=puzzle)
    if faults := verify(puzzle, solution):
        raise InternalError(f"a tiling of a torus is wrong: {faults[0]}")
    return Tiling(puzzle, solution)
