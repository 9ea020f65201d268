"""The laws of lattices, for every lattice file."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latcover.errors import LatticeError
from latcover.formats.library import load_lattice, names
from latcover.model.lattice import Cells, Lattice, Transformation, beside
from latcover.model.puzzle import as_cells

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
