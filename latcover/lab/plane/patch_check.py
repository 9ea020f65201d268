"""The independent check of a patch: a tile in the middle, and coronas of tiles around it.

It knows the cells of each tile and the neighbours of cells, and nothing of the search.
"""

from __future__ import annotations

from collections.abc import Set

from latcover.core.model.lattice import Lattice
from latcover.lab.plane.prototiles import Cell, Patch


def faults_of_patch(patch: Patch, *, hole_in_last: bool = False) -> list[str]:
    """All faults of *patch*; empty for a correct one.

    No tile overlaps another. The first tile alone is corona 0. Each other tile touches one of the corona before its
    own, along a side or at a corner, and none of an earlier one. All cells around a tile are covered, unless it lies
    in the last corona. The coronas up to each one leave no hole; with *hole_in_last* those up to the last may.
    """
    found = _broken_tiles(patch)
    if found:
        return found
    cells = [patch.prototiles.covered(tile) for tile in patch.tiles]
    corona_of = {cell: corona for corona, own in zip(patch.coronas, cells, strict=True) for cell in own}
    if len(corona_of) < sum(map(len, cells)):
        return [f"tile {k} overlaps an earlier one" for k in _overlapping(cells)]
    last = max(patch.coronas)
    for k, (corona, own) in enumerate(zip(patch.coronas, cells, strict=True)):
        around = {near for cell in own for near in patch.prototiles.touching(cell)} - own
        beside = {corona_of[cell] for cell in around & corona_of.keys()}
        if corona and corona - 1 not in beside:
            found.append(f"tile {k}, of corona {corona}, touches none of corona {corona - 1}")
        if min(beside, default=corona) < corona - 1:
            found.append(f"tile {k}, of corona {corona}, touches one of corona {min(beside)}")
        if corona < last and not around <= corona_of.keys():
            found.append(f"the cells around tile {k}, of corona {corona}, are not all covered")
    for corona in range(last if hole_in_last else last + 1):
        hole = enclosed(patch.prototiles.lattice, {cell for cell, own in corona_of.items() if own <= corona})
        if hole:
            shown = patch.prototiles.lattice.written(min(hole))
            found.append(f"the coronas up to {corona} leave a hole at the cell {shown}")
    return found


def enclosed(lattice: Lattice, covered: Set[Cell]) -> set[Cell]:
    """The cells that are not *covered*, and from which no way across sides leads far away."""
    far = 2 + max(abs(step) for edge in lattice.half_edges for step in edge.step)  # units: well outside
    low = [min(cell[axis] for cell in covered) - far for axis in (1, 2)]
    high = [max(cell[axis] for cell in covered) + far for axis in (1, 2)]
    units = [(x, y) for x in range(low[0], high[0] + 1) for y in range(low[1], high[1] + 1)]
    box: set[Cell] = {(node, *unit) for node in range(len(lattice.nodes)) for unit in units}
    outside = [cell for cell in box - covered if cell[1] in (low[0], high[0]) or cell[2] in (low[1], high[1])]
    left = box - covered - set(outside)
    for cell in outside:
        for near in lattice.neighbours(cell):
            if near in left:
                left.remove(near)
                outside.append(near)
    return left


def _broken_tiles(patch: Patch) -> list[str]:
    """Tiles that are no copies that their shape allows, and a middle that is not one tile."""
    lattice, found = patch.prototiles.lattice, []
    allowed = [{turn.labels for turn in shape.transformations} for shape in patch.prototiles.shapes]
    if not patch.tiles or len(patch.tiles) != len(patch.coronas):
        return ["the patch does not say of each tile in which corona it is"]
    if [k for k, corona in enumerate(patch.coronas) if corona <= 0] != [0] or patch.coronas[0] != 0:
        found.append("corona 0 is not the first tile alone")
    for k, tile in enumerate(patch.tiles):
        if not 0 <= tile.shape < len(patch.prototiles.shapes) or not 0 <= tile.turn < len(lattice.transformations):
            found.append(f"tile {k} is a copy of no shape")
        elif lattice.transformations[tile.turn].labels not in allowed[tile.shape]:
            found.append(f"tile {k} is rotated or reflected in a way that its shape does not allow")
    return found


def _overlapping(cells: list[frozenset[Cell]]) -> list[int]:
    """The tiles that cover a cell of an earlier one."""
    seen: set[Cell] = set()
    found = []
    for k, own in enumerate(cells):
        if seen & own:
            found.append(k)
        seen |= own
    return found
