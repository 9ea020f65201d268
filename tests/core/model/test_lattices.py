"""The laws of lattices, for every lattice file."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latcover.core.model.lattice import Cells, Lattice, Transformation, beside
from latcover.core.model.puzzle import as_cells
from latcover.errors import LatticeError
from latcover.files.formats.library import load_lattice
from latcover.files.formats.puzzle_files.lattice_file import read_lattice
from latcover.files.formats.source import Source, find, names, shipped
from tests.dice import Seeded
from tests.random_lattices import to_five_decimals

LATTICES = names("lattices")
ORDERS = {"square": (8, 4), "cubic": (48, 24), "hexprism": (24, 12), "fcc": (48, 24)}  # all, and rotations
CLOSE = 1e-9

every_lattice = pytest.mark.parametrize("name", LATTICES)


@st.composite
def lattices_with_cells(draw: st.DrawFn, n_cells: int = 4) -> tuple[Lattice, Cells]:
    lattice = load_lattice(draw(st.sampled_from(LATTICES)))
    node = st.integers(0, len(lattice.nodes) - 1)
    cell = st.tuples(node, *[st.integers(-9, 9)] * lattice.dimension)
    return lattice, as_cells(draw(st.lists(cell, min_size=n_cells, max_size=n_cells)), lattice.dimension)


def neighbour(lattice: Lattice, cell: Cells, h: int) -> Cells:
    """Where half-edge *h* leads from *cell*, a row; the cell must be of its node."""
    edge = lattice.half_edges[h]
    assert cell[0, 0] == edge.node
    return np.array([[edge.target, *(cell[0, 1:] + edge.step)]], dtype=np.int32)


def linear_part(lattice: Lattice, transformation: Transformation) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """What a transformation does to Cartesian vectors, written as rows."""
    matrix: np.ndarray[tuple[int, int], np.dtype[np.float64]]
    matrix = np.linalg.inv(lattice.basis) @ transformation.matrix.T @ lattice.basis
    return matrix


def test_the_four_lattices_of_the_paper_are_shipped() -> None:
    assert set(ORDERS) <= set(LATTICES)


@pytest.mark.parametrize("name", ORDERS)
def test_orders_of_the_groups(name: str) -> None:
    transformations = load_lattice(name).transformations
    assert (len(transformations), sum(t.proper for t in transformations)) == ORDERS[name]


@every_lattice
def test_group_is_closed_and_holds_no_transformation_twice(name: str) -> None:
    transformations = load_lattice(name).transformations
    known = {t.labels for t in transformations}
    assert len(known) == len(transformations)
    assert {a.after(b).labels for a in transformations for b in transformations} == known


@every_lattice
def test_identity_comes_first_and_every_transformation_has_an_inverse(name: str) -> None:
    lattice = load_lattice(name)
    identity = lattice.transformations[0]
    assert identity.labels == tuple(range(len(lattice.half_edges)))
    for t in lattice.transformations:
        assert sum(other.after(t).labels == identity.labels for other in lattice.transformations) == 1


@every_lattice
def test_half_or_all_transformations_are_proper(name: str) -> None:
    transformations = load_lattice(name).transformations
    assert sum(t.proper for t in transformations) in (len(transformations), len(transformations) / 2)


@every_lattice
def test_twins_pair_up_and_lead_back(name: str) -> None:
    half_edges = load_lattice(name).half_edges
    for h, edge in enumerate(half_edges):
        twin = half_edges[edge.twin]
        assert edge.twin != h
        assert twin.twin == h
        assert (twin.node, twin.target) == (edge.target, edge.node)
        assert twin.step == tuple(-s for s in edge.step)


@given(lattices_with_cells(1))
def test_transformations_keep_neighbourhoods(lattice_and_cell: tuple[Lattice, Cells]) -> None:
    lattice, cell = lattice_and_cell
    for t in lattice.transformations:
        for h, edge in enumerate(lattice.half_edges):
            if edge.node == cell[0, 0]:
                image = neighbour(lattice, t.apply(cell), t.labels[h])
                assert np.array_equal(t.apply(neighbour(lattice, cell, h)), image)


@given(lattices_with_cells(), st.data())
def test_after_means_one_and_then_the_other(lattice_and_cells: tuple[Lattice, Cells], data: st.DataObject) -> None:
    lattice, cells = lattice_and_cells
    first, second = (data.draw(st.sampled_from(lattice.transformations)) for _ in range(2))
    both = second.after(first).apply(cells)
    one_by_one = second.apply(first.apply(cells))
    shift = both[0, 1:] - one_by_one[0, 1:]  # transformations are known up to translation
    assert np.array_equal(both[:, 0], one_by_one[:, 0])
    assert np.array_equal(both[:, 1:], one_by_one[:, 1:] + shift)
    assert second.after(first).labels == tuple(second.labels[label] for label in first.labels)


@given(lattices_with_cells())
def test_transformations_keep_the_distances_of_centres(lattice_and_cells: tuple[Lattice, Cells]) -> None:
    lattice, cells = lattice_and_cells

    def distances(of: Cells) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        centres = lattice.centres(of)
        lengths: np.ndarray[tuple[int, int], np.dtype[np.float64]]
        lengths = np.linalg.norm(centres[:, None] - centres, axis=2)
        return lengths

    for t in lattice.transformations:
        assert np.allclose(distances(t.apply(cells)), distances(cells), atol=CLOSE)


@every_lattice
def test_transformations_take_drawings_to_drawings(name: str) -> None:
    lattice = load_lattice(name)
    for t in lattice.transformations:
        linear = linear_part(lattice, t)
        assert np.allclose(linear @ linear.T, np.eye(lattice.dimension), atol=CLOSE)
        assert (np.linalg.det(linear) > 0) == t.proper
        for node, image in zip(lattice.nodes, t.nodes, strict=True):
            drawing, there = node.drawing, lattice.nodes[image].drawing
            assert drawing.radius == there.radius
            corners = np.round(drawing.vertices @ linear, 6) + 0.0
            assert {*map(tuple, corners)} == {*map(tuple, np.round(there.vertices, 6) + 0.0)}


@every_lattice
def test_corners_that_agree_to_five_decimals_are_one(name: str) -> None:
    assert to_five_decimals(Seeded(name), name).touching == load_lattice(name).touching


@every_lattice
def test_neighbours_touch_where_they_are_drawn(name: str) -> None:
    lattice = load_lattice(name)
    for edge in lattice.half_edges:
        here, there = lattice.nodes[edge.node].drawing, lattice.nodes[edge.target].drawing
        cells = as_cells([(edge.node, *[0] * lattice.dimension), (edge.target, *edge.step)], lattice.dimension)
        centres = lattice.centres(cells)
        if here.radius:
            assert np.linalg.norm(centres[1] - centres[0]) == pytest.approx(here.radius + there.radius)
        else:
            gaps = np.linalg.norm((here.vertices + centres[0])[:, None] - (there.vertices + centres[1]), axis=2)
            assert (gaps < CLOSE).sum() >= lattice.dimension  # a whole side is shared


@pytest.mark.parametrize("name", ["square", "cubic"])
def test_the_first_transformation_is_the_left_quarter_turn(name: str) -> None:
    def art(*rows: str) -> set[tuple[int, ...]]:
        return {(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "X"}

    lattice = load_lattice(name)
    flat = (0,) * (lattice.dimension - 2)
    cells = as_cells([(0, *cell, *flat) for cell in sorted(art(".XX", "XX.", ".X."))], lattice.dimension)
    turned = lattice.transformations[1].apply(cells)[:, 1:3]
    assert {*map(tuple, (turned - turned.min(axis=0)).tolist())} == art("X..", "XXX", ".X.")


@every_lattice
def test_names_of_transformations_stand_for_groups(name: str) -> None:
    lattice = load_lattice(name)
    everything = {t.labels for t in lattice.transformations}
    assert [t.labels for t in lattice.allowed("fixed")] == [lattice.transformations[0].labels]
    assert {t.labels for t in lattice.allowed("reflections")} == everything
    assert {t.labels for t in lattice.allowed("rotations")} == {t.labels for t in lattice.transformations if t.proper}
    assert {t.labels for t in lattice.allowed(list(lattice.generators))} == everything
    with pytest.raises(LatticeError, match="no transformation 'somersault'"):
        lattice.allowed(["somersault"])


@given(lattices_with_cells(1))
def test_every_way_to_step_across_a_side_leads_to_the_same_cell(drawn: tuple[Lattice, Cells]) -> None:
    lattice, cell = drawn
    own = [h for h, edge in enumerate(lattice.half_edges) if edge.node == cell[0, 0]]
    expected = [tuple(neighbour(lattice, cell, h)[0].tolist()) for h in own]
    edges = [lattice.half_edges[h] for h in own]
    assert lattice.neighbours(cell[0].tolist()) == expected
    assert [edge.across(cell[0].tolist()) for edge in edges] == expected
    assert [tuple(beside(cell, edge.leads_to)[0].tolist()) for edge in edges] == expected
    assert [lattice.half_edges[edge.twin].across(there) for edge, there in zip(edges, expected, strict=True)] == [
        tuple(cell[0].tolist())
    ] * len(edges)


# ---- drawings


def complaints(name: str, *changes: tuple[str, str], text: str = "") -> list[str]:
    """What is wrong with a shipped lattice, or with *text*, after some changes; each complaint with its line."""
    text = text or find("lattices", name).read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    try:
        read_lattice(Source(text.encode(), "own.toml", shipped))
    except LatticeError as fault:
        return [f"{text.splitlines()[complaint.line - 1]}: {complaint.message}" for complaint in fault.complaints]
    return []


def test_a_moved_corner_of_a_polygon() -> None:
    found = complaints("triangular", ("[0, -0.577350269189626]", "[0, -0.977350269189626]"))
    assert [line.split(":")[0] for line in found] == ["[nodes.down]", "[nodes.down]", "[nodes.up]"]
    assert (
        "areas 0.633013 ('down'), 0.433013 ('up'), together 1.06603, but the basis makes a unit of 0.86602" in found[0]
    )
    assert 'drawings = "touch"' not in found[0]  # there are no gaps
    assert "'down' and the cell 'down' at (-0.5, 0.866025) from it overlap, around (0.25, -0.2); move" in found[1]
    assert "of 'up' meets no cell; look at these corners" in found[2]


def test_a_corner_that_is_moved_so_that_the_areas_stay() -> None:
    found = complaints("triangular", ("[0, -0.577350269189626]", "[0.1, -0.577350269189626]"))
    overlap, gap = found
    assert "'down' and the cell 'up' at (0.5, -0.288675) from it overlap" in overlap
    assert "touch" not in overlap
    assert "of 'up' meets no cell" in gap


@pytest.mark.parametrize("moved", ["[-0.75, -0.5, 0.3]", "[-0.35, -0.5, 0]"])
def test_a_moved_corner_of_a_solid(moved: str) -> None:
    found = complaints("rhombic", ("vertices = [[-0.75, -0.5, 0]", f"vertices = [{moved}"))
    assert len(found) == 5 if "0.35" in moved else 4  # the volumes, the cell and its three neighbours there
    assert ("of 'east-north' meets" if "0.35" in moved else "'east-north' and the cell 'east-up'") in "".join(found)
    assert ("volumes 0.2" in found[0]) == ("0.35" in moved)


def test_a_basis_that_leaves_room_between_the_cells() -> None:
    found = complaints("square", ("basis = [[0, -1], [1, 0]]", "basis = [[0, -1], [1.5, 0]]"))
    assert "areas 1 ('square'), together 1, but the basis makes a unit of 1.5" in found[0]
    assert 'drawings = "touch"' in found[0]
    assert "side from (0.5, -0.5) to (0.5, 0.5) of 'square' meets no cell" in found[1]


def test_a_step_to_a_cell_that_lies_elsewhere() -> None:
    steps = [(f"step = [{sign}1, 0]", f"step = [{sign}1, {sign}2]") for sign in ("-", "")]
    text = find("lattices", "square").read_text("utf-8").split("[[transformations]]")[0]
    (found,) = complaints("", *steps, text=text)
    assert found.startswith("north = ")
    assert "half_edges.north: the cells 'square' and 'square' that it joins share no side" in found
    assert "look at its step" in found


BRICKS = """
name = "bricks"
basis = [[1, -1], [2, 0]]
[nodes.brick]
polygon = [[-1, -0.5], [1, -0.5], [1, 0.5], [-1, 0.5]]
[half_edges]
east = { step = [0, 1], twin = "west" }
west = { step = [0, -1], twin = "east" }
southeast = { step = [1, 0], twin = "northwest" }
northwest = { step = [-1, 0], twin = "southeast" }
southwest = { step = [1, -1], twin = "northeast" }
northeast = { step = [-1, 1], twin = "southwest" }
"""
BLOCKS = """
name = "blocks"
basis = [[1, -1, 0], [2, 0, 0], [0.5, 0.25, 1]]
[nodes.block]
polygon = [[-1, -0.5], [1, -0.5], [1, 0.5], [-1, 0.5]]
height = 1
[half_edges]
east = { step = [0, 1, 0], twin = "west" }
west = { step = [0, -1, 0], twin = "east" }
southeast = { step = [1, 0, 0], twin = "northwest" }
northwest = { step = [-1, 0, 0], twin = "southeast" }
up = { step = [0, 0, 1], twin = "down" }
down = { step = [0, 0, -1], twin = "up" }
"""
ONE_AXIS = """
name = "row"
basis = [[1.5]]
[nodes.long]
polygon = [[-0.5, 0], [0.5, 0], [0, 1]]
[nodes.short]
position = [0.75]
polygon = [[-0.25, 0], [0.25, 0], [0, 1]]
[half_edges]
a = { from = "long", to = "short", step = [0], twin = "b" }
b = { from = "short", to = "long", step = [0], twin = "a" }
c = { from = "short", to = "long", step = [1], twin = "d" }
d = { from = "long", to = "short", step = [-1], twin = "c" }
"""


@pytest.mark.parametrize(
    ("text", "change", "fault"),
    [
        (BRICKS, ("[-1, -0.5], [1", "[-1, -0.6], [1"), "together 2.1"),
        (BRICKS, ("[[1, -1]", "[[1, -1.25]"), "meets no cell"),
        (BLOCKS, ("height = 1", "height = 1.1"), "together 2.2"),
        (BLOCKS, ("0.25, 1]]", "0.25, 1.5]]"), "makes a unit of 3"),
        (ONE_AXIS, ("[-0.25, 0]", "[-0.35, 0]"), "together 1.6"),
    ],
)
def test_sides_that_several_cells_share(text: str, change: tuple[str, str], fault: str) -> None:
    """Neighbours need not share a whole side: walls of bricks fill space too."""
    assert complaints("", text=text) == []
    assert fault in "".join(complaints("", change, text=text))


@pytest.mark.parametrize(
    ("name", "change", "fault"),
    [
        ("fcc", ("radius = 0.5", "radius = 0.6"), "a cell 'sphere' and the cell 'sphere' at"),
        ("fcc", ("radius = 0.5", "radius = 0.4"), "do not touch as they are drawn"),
        ("fcc", ("[nodes.sphere]", 'drawings = "fill"\n[nodes.sphere]'), "leave gaps"),
        ("polystick", ("[0.35, -0.15]", "[0.55, -0.15]"), "a cell 'across' and the cell 'junction'"),
        ("polystick", ("position = [0.5, 0]", "position = [0.6, 0]"), "overlap"),
        ("polystick", ("position = [0.5, 0]", "position = [0.5, 0.4]"), "share no side"),
        ("polystick", ("[[-0.35, -0.15], [0.35, -0.15]", "[[-0.3, -0.15], [0.35, -0.15]"), "share no side"),
        ("polystick", ("[0.35, -0.15], [0.35, 0.15]", "[0.35, 0.15], [0.35, -0.15]"), "cross each other"),
        ("cubic", ("height = 1", "height = 0.9"), "together 0.9"),
    ],
)
def test_drawings_that_leave_gaps(name: str, change: tuple[str, str], fault: str) -> None:
    """They must not overlap, and neighbours must touch. Symbols need only be seen."""
    assert fault in "".join(complaints(name, change))
    symbols = ("basis =", 'drawings = "symbols"\nbasis =')
    no_other = ('drawings = "touch"', "") if name == "polystick" else symbols
    if "drawings" not in change[1]:
        found = complaints(name, change, no_other, *([symbols] if no_other != symbols else []))
        assert ["no picture can show its drawing" in line for line in found] == [True] * (fault == "cross each other")


BESIDE = """
name = "a ball between the corners of cubes"
basis = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
[nodes.cube]
polygon = [[-0.25, -0.25], [0.25, -0.25], [0.25, 0.25], [-0.25, 0.25]]
height = 0.5
[nodes.ball]
position = [0.5, 0.5, 0.5]
radius = 0.3
[half_edges]
a = { from = "cube", to = "ball", step = [0, 0, 0], twin = "b" }
b = { from = "ball", to = "cube", step = [0, 0, 0], twin = "a" }
"""


def test_a_ball_beside_a_solid() -> None:
    """Its distance from corners is exact: the ball between eight cubes touches them at sqrt(3)/4 = 0.433."""
    three = "".join(
        f'{label} = {{ from = "cube", to = "ball", step = {step}, twin = "{label}2" }}\n'
        f'{label}2 = {{ from = "ball", to = "cube", step = {back}, twin = "{label}" }}\n'
        for label, step, back in (
            ("x", [-1, 0, 0], [1, 0, 0]),
            ("y", [0, -1, 0], [0, 1, 0]),
            ("z", [0, 0, -1], [0, 0, 1]),
        )
    )
    assert complaints("", ("radius = 0.3", "radius = 0.4330127"), text=BESIDE + three) == []
    assert "do not touch" in complaints("", text=BESIDE + three)[0]
    assert "overlap" in complaints("", ("radius = 0.3", "radius = 0.44"), text=BESIDE + three)[0]


@pytest.mark.parametrize(
    ("faces", "fault"),
    [
        ("[[0, 1, 2], [0, 3, 1], [0, 2, 3]]", "do not close: look at those with the edge between the vertices"),
        ("[[0, 2, 1], [0, 3, 1], [2, 0, 3], [1, 3, 2]]", ""),  # either way round
        ("[[0, 1, 2, 3]]", "is not flat"),
        ("[[0, 1, 2], [0, 2, 1]]", "has the corners of a face before it"),
    ],
)
def test_faces_of_a_solid(faces: str, fault: str) -> None:
    found = complaints("rhombic", ("[[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]", faces))
    assert [fault in line for line in found] == [True] * bool(fault)


def test_a_drawing_that_reaches_far() -> None:
    (found,) = complaints("square", ("[0.5, 0.5]", "[0.5, 1e6]"))
    assert "reaches over more than 100 units" in found
