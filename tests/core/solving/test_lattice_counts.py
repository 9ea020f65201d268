"""Known counts on lattices that no shipped puzzle uses, posed through what is known elsewhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Part, Puzzle, Region, as_cells
from latcover.errors import PuzzleError, PuzzleFileError
from latcover.files.formats.library import load_lattice
from latcover.files.formats.source import names
from tests.puzzle_oracle import as_tuples


def test_hexiamonds_as_prisms(tmp_path: Path) -> None:
    """One layer of triangular prisms is the triangular lattice: 156 again."""
    path = tmp_path / "prisms.toml"
    text = 'name = "prisms"\nlattice = "triprism"\n[region]\nbox = [6, 6, 1]\n'
    for part in latcover.load("hexiamonds-6x6").parts:
        nodes = ("down", "up")
        cells = ", ".join(f'[{r}, {c}, 0, "{nodes[node]}"]' for node, r, c in as_tuples(part.cells))
        text += f'[[parts]]\nname = "{part.name}"\ncells = [{cells}]\n'
    path.write_text(text, encoding="utf-8")
    answer = latcover.count(latcover.load(str(path)))
    assert (answer.different, answer.total) == (156, 624)


def cut_into_nodes(lattice: Lattice, cells: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Unit cubes as all that the lattice cuts a unit into."""
    return [(node, *cell[1:]) for cell in cells for node in range(len(lattice.nodes))]


def test_soma_cut_into_rhombic_tetrahedra() -> None:
    """Each cube is 24 tetrahedra: 240 again, and 480 under rotations."""
    lattice, soma = load_lattice("rhombic"), latcover.load("soma")
    parts = []
    for part in soma.parts:
        cells = as_cells(cut_into_nodes(lattice, as_tuples(part.cells)), 3)
        colours = np.zeros(len(cells), np.int32)
        parts.append(Part(part.name, cells, colours, 1, 1, lattice.allowed("rotations")))
    region = Region(as_cells(cut_into_nodes(lattice, as_tuples(soma.region.cells)), 3))
    puzzle = Puzzle("soma in tetrahedra", lattice, region, tuple(parts))
    assert latcover.count(puzzle).different == 240
    assert latcover.count(puzzle, latcover.CountRequest(symmetry="rotations")).different == 480


def test_an_octahedron_of_eighths_in_pairs() -> None:
    """The eighths of an octahedron are neighbours like the corners of a cube, which has 9 perfect matchings."""
    lattice = load_lattice("tetraocta")
    names = [node.name for node in lattice.nodes]
    octahedron = [(names.index("corner1-southwest-down"), 0, 0, 0)]
    for cell in octahedron:  # its eighths reach each other by sides between corners
        for edge in lattice.half_edges:
            there = (edge.target, *(x + s for x, s in zip(cell[1:], edge.step, strict=True)))
            if edge.node == cell[0] and names[edge.target].startswith("corner") and there not in octahedron:
                octahedron.append(there)
    assert len(octahedron) == 8
    pair = as_cells(octahedron[:2], 3)
    part = Part("pair", pair, np.zeros(2, np.int32), 4, 4, lattice.allowed("rotations"))
    puzzle = Puzzle("octahedron", lattice, Region(as_cells(octahedron, 3)), (part,))
    answer = latcover.count(puzzle)
    assert answer.total == 9
    assert answer.different == 2  # all four pairs parallel, or two and two


STICKS = """
name = "sticks"
lattice = "polystick"
[region]
box = [3, 4]
minus = { cells = [[0, 3, "across"], [1, 3, "across"], [2, 3, "across"], [2, 0, "down"], [2, 1, "down"],
                   [2, 2, "down"], [2, 3, "down"]] }
[[parts]]
name = "L"
count = 3
cells = [[0, 0, "across"], [0, 1, "across"], [0, 0, "down"], [0, 1, "junction"]]
[[parts]]
name = "U"
count = 2
cells = [[0, 0, "across"], [0, 0, "down"], [0, 1, "down"]]
[[parts]]
name = "v"
cells = [[0, 0, "across"], [0, 0, "down"]]
"""
THROUGH = ', [0, 1, "junction"]'


def sticks(text: str, folder: Path) -> Puzzle:
    (folder / "sticks.toml").write_text(text, encoding="utf-8")
    return latcover.load(str(folder / "sticks.toml"))


def test_a_stick_that_runs_through_a_junction_must_hold_it(tmp_path: Path) -> None:
    """Else two sticks could cross there, and the count would be too large."""
    puzzle = sticks(STICKS, tmp_path)
    assert latcover.count(puzzle).different == 12
    with pytest.raises(PuzzleFileError) as refused:
        sticks(STICKS.replace(THROUGH, ""), tmp_path)
    (complaint,) = refused.value.complaints
    assert "part 'L' runs straight through [0, 1, 'junction'], but does not hold it" in complaint.message
    assert "add [0, 1, 'junction'] to its cells" in complaint.message
    assert complaint.line == STICKS[: STICKS.index("[[parts]]")].count("\n") + 1


def test_a_known_count_of_a_puzzle_made_in_python(tmp_path: Path) -> None:
    puzzle = sticks(STICKS, tmp_path)
    bare = replace(puzzle.parts[0], cells=puzzle.parts[0].cells[:3], colours=np.zeros(3, np.int32))
    with pytest.raises(PuzzleError, match="runs straight through"):
        latcover.count(replace(puzzle, parts=(bare, *puzzle.parts[1:])))


def test_sticks_may_cross_in_a_region_without_junctions(tmp_path: Path) -> None:
    junctions = ", ".join(f'[{r}, {c}, "junction"]' for r in range(3) for c in range(4))
    crossing = STICKS.replace(THROUGH, "").replace('"down"]] }', f'"down"], {junctions}] }}')
    assert latcover.count(sticks(crossing, tmp_path)).different == 16


@pytest.mark.parametrize("name", names("lattices"))
def test_which_cells_are_run_through(name: str) -> None:
    """Only secondary nodes have any; both ways through a junction are seen, and a bend is none."""
    lattice = load_lattice(name)
    assert bool(lattice.straight_on) == (name == "polystick")
    if name == "polystick":
        across, down, junction = range(3)
        cross = [(across, 3, 3), (across, 3, 4), (down, 2, 4), (down, 3, 4)]
        for straight in (cross, cross[:2], cross[2:]):
            assert lattice.crossed_by(as_cells(straight, 2)) == [(junction, 3, 4)]
        assert lattice.crossed_by(as_cells([cross[0], cross[2]], 2)) == []
        assert lattice.crossed_by(as_cells([*cross, (junction, 3, 4)], 2)) == []
