"""Puzzles for the tests of pictures: solved ones, and ones made up, some of them of a lattice made up too."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from latcover.backends import create
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import prepare
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Part, Puzzle, Region, as_cells
from latcover.core.model.solution import Placed, Solution
from latcover.core.solving.run import run
from latcover.files.formats.library import load_all, load_lattice
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.scene_model import Scene

BRICKS = """
name = "bricks"
basis = [[0.5, -1], [1, 0]]
[nodes.brick]
polygon = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
[half_edges]
east = { step = [0, 1], twin = "west" }
west = { step = [0, -1], twin = "east" }
southeast = { step = [1, 0], twin = "northwest" }
northwest = { step = [-1, 0], twin = "southeast" }
southwest = { step = [1, -1], twin = "northeast" }
northeast = { step = [-1, 1], twin = "southwest" }
[[transformations]]
name = "half turn"
cycles = ["east west", "southeast northwest", "southwest northeast"]
"""
WALL = """
name = "wall"
basis = [[0.5, -1, 0], [1, 0, 0], [0, 0, 1]]
[nodes.brick]
polygon = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
height = 1
[half_edges]
east = { step = [0, 1, 0], twin = "west" }
west = { step = [0, -1, 0], twin = "east" }
southeast = { step = [1, 0, 0], twin = "northwest" }
northwest = { step = [-1, 0, 0], twin = "southeast" }
up = { step = [0, 0, 1], twin = "down" }
down = { step = [0, 0, -1], twin = "up" }
[[transformations]]
name = "half turn"
cycles = ["east west", "southeast northwest"]
"""
DISCS = """
name = "discs"
basis = [[0, -1], [1, 0]]
[nodes.disc]
radius = 0.5
[half_edges]
east = { step = [0, 1], twin = "west" }
west = { step = [0, -1], twin = "east" }
north = { step = [-1, 0], twin = "south" }
south = { step = [1, 0], twin = "north" }
[[transformations]]
name = "mirror"
cycles = ["east west"]
"""
ROW = """
name = "row"
basis = [[2]]
[nodes.cell]
polygon = [[-1, -0.5], [1, -0.5], [1, 0.5], [-1, 0.5]]
[half_edges]
east = { step = [1], twin = "west" }
west = { step = [-1], twin = "east" }
[[transformations]]
name = "mirror"
cycles = ["east west"]
"""
CUBES = """
[half_edges]
east = { step = [0, 1, 0], twin = "west" }
west = { step = [0, -1, 0], twin = "east" }
front = { step = [1, 0, 0], twin = "back" }
back = { step = [-1, 0, 0], twin = "front" }
up = { step = [0, 0, 1], twin = "down" }
down = { step = [0, 0, -1], twin = "up" }
"""
CLOSED = f"""
name = "closed"  # the polygon ends where it began
basis = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
[nodes.cell]
polygon = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5], [-0.5, -0.499999999], [-0.5, -0.5]]
height = 1
{CUBES}"""
SLIVER = f"""
name = "sliver"  # a face on an edge
basis = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
[nodes.cell]
vertices = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1], [0.5, 0, 0]]
faces = [[3, 2, 1, 0], [4, 5, 6, 7], [0, 8, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7], [0, 1, 8]]
{CUBES}"""
MADE_UP = {"bricks": BRICKS, "wall": WALL, "discs": DISCS, "row": ROW, "closed": CLOSED, "sliver": SLIVER}


def lattice_of(name: str, folder: Path) -> Lattice:
    """A shipped lattice, or one made up here."""
    if name not in MADE_UP:
        return load_lattice(name)
    path = folder / f"{name}.toml"
    path.write_text(MADE_UP[name], encoding="utf-8")
    return load_lattice(str(path))


@cache
def solved(name: str) -> tuple[Puzzle, Solution]:
    puzzle = load_all(name)[0]
    found: list[Solution] = []
    run(prepare(puzzle), create("bitset", threads=1), Limits(covers=1), found.append)
    return puzzle, found[0]


def puzzle_of(lattice: Lattice, *groups: list[tuple[int, ...]]) -> tuple[Puzzle, Solution]:
    """A puzzle whose only solution is these groups of cells."""
    arrays = [as_cells(group, lattice.dimension) for group in groups]
    fixed = lattice.allowed("fixed")
    parts = tuple(Part(f"p{k}", cells, np.zeros(len(cells), np.int32), 1, 1, fixed) for k, cells in enumerate(arrays))
    placed = tuple(Placed(f"p{k}", tuple(sorted(group))) for k, group in enumerate(groups))
    return Puzzle("made up", lattice, Region(np.concatenate(arrays)), parts), Solution(placed)


def drawn(lattice: Lattice, *groups: list[tuple[int, ...]]) -> Scene:
    return scene.of_solution(*puzzle_of(lattice, *groups))
