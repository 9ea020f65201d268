"""Smallest common regions: known areas, brute force, symmetric regions, holes."""

from __future__ import annotations

import math
from contextlib import closing

import numpy as np
import pytest

from latcover.cover.events import Events
from latcover.cover.result import Stop
from latcover.errors import UnsupportedError
from latcover.exploring import common as common_module
from latcover.exploring.common import Common, common
from latcover.exploring.multiples import multiples
from latcover.exploring.region_clauses import Cut, Layers, RegionClauses, Wanted
from latcover.exploring.requests import CommonRequest, MultiplesRequest
from latcover.exploring.symmetries import symmetries
from latcover.exploring.tilings import puzzle_of, tile
from latcover.exploring.windows import box_window
from latcover.formats.library import load_lattice
from latcover.formats.named_shapes import shape_named
from latcover.model.verifier import verify

KNOWN = [  # areas of the smallest; Cibulis, Sicherman
    (("square-2:1", "trominoes:V"), 6),
    (("square-2:1", "trominoes:I"), 6),
    pytest.param(("square-2:1", "pentominoes:X"), 20, marks=pytest.mark.long),
]


def of(*names: str, **request: object) -> Common:
    return common([shape_named(name) for name in names], CommonRequest(**request))  # type: ignore[arg-type]


def checked(found: Common) -> Common:
    assert len({t.puzzle.region.cells.tobytes() for t in found.tilings}) == 1
    assert all(not verify(tiling.puzzle, tiling.solution) for tiling in found.tilings)
    return found


@pytest.mark.parametrize(("names", "area"), KNOWN)
def test_known_areas(names: tuple[str, ...], area: int) -> None:
    found = checked(of(*names))
    assert (found.area, found.smallest, found.connected, found.stop) == (area, True, True, Stop.EXHAUSTED)


@pytest.mark.parametrize("names", [("tetrominoes:S", "tetrominoes:L"), ("tetriamonds:C", "tetriamonds:I")])
@pytest.mark.long
def test_brute_force_finds_the_same_area(names: tuple[str, str]) -> None:
    one, other = map(shape_named, names)
    found = checked(common([one, other]))
    assert found.area is not None
    for copies in range(1, found.area // one.size + 1):
        regions = multiples(one, MultiplesRequest(copies=copies, check=0)).regions
        assert one.lattice
        both = any(tile(puzzle_of("", one.lattice, cells, [other]), backend="dlx").tiling for cells in regions)
        assert both == (copies * one.size == found.area)


def test_regions_with_the_symmetry_of_the_square() -> None:
    found = checked(of("square-2:1", symmetric=8))
    assert (found.area, found.smallest) == (4, True)
    assert found.tilings[0].puzzle.region.extents() == (2, 2)


@pytest.mark.long
def test_the_baiocchi_figure_of_the_p_pentomino() -> None:
    found = checked(of("pentominoes:P", symmetric=8))
    assert (found.area, found.smallest) == (20, True)


@pytest.mark.long
def test_a_mirror_alone() -> None:
    found = checked(of("tetrominoes:S", symmetric=2))
    assert (found.area, found.smallest) == (4, True)  # it has a half turn
    lone = checked(of("tetrominoes:L", symmetric=2))
    assert (lone.area, lone.smallest) == (8, True)


def test_a_galvagni_figure_has_no_tile_in_common() -> None:
    found = checked(of("pentominoes:P", galvagni=True))
    assert (found.area, found.smallest) == (10, True)
    one, two = ({placed.cells for placed in t.solution.placements} for t in found.tilings)
    assert not one & two


@pytest.mark.long
def test_regions_without_holes_may_be_larger() -> None:
    ring = checked(of("tetrominoes:L", symmetric=4))
    solid = checked(of("tetrominoes:L", symmetric=4, holes=False))
    assert ring.area is not None
    assert solid.area is not None
    assert (ring.smallest, solid.smallest, solid.holes) == (True, True, False)
    assert ring.area <= solid.area


def test_what_is_cut_short_says_so() -> None:
    found = of("pentominoes:U", "pentominoes:X", seconds=0)
    assert (found.area, found.smallest, found.stop) == (None, False, Stop.TIME_LIMIT)


def test_a_bound_on_the_area_ends_the_search() -> None:
    found = of("square-2:1", "pentominoes:X", most=10)
    assert (found.area, found.smallest, found.refuted, found.stop) == (None, False, 10, Stop.EXHAUSTED)


@pytest.mark.parametrize(
    ("names", "request_"),
    [
        (("pentominoes:X",), {}),
        (("pentominoes:X", "pentominoes:P"), {"galvagni": True}),
        (("pentominoes:X",), {"symmetric": 5}),
    ],
)
def test_questions_without_meaning_are_refused(names: tuple[str, ...], request_: dict[str, object]) -> None:
    with pytest.raises(UnsupportedError):
        of(*names, **request_)


@pytest.mark.parametrize("order", [2, 4])
def test_tilings_with_symmetries_are_kept_by_them(order: int) -> None:
    shapes = (shape_named("pentominoes:F"), shape_named("pentominoes:V"))
    lattice, found = shapes[0].lattice, 0
    assert lattice
    for group in symmetries(lattice, lattice.transformations, order):
        window = box_window((7, 7), group)
        with closing(RegionClauses(Layers(shapes), Wanted(window, group, tiled=True))) as clauses:
            if not clauses.solve(math.inf, lambda: True):
                continue
            found += 1
            one, other = clauses.tilings()
        assert sorted(cell for tile in one for cell in tile) == sorted(cell for tile in other for cell in tile)
        for tiles in (one, other):
            images = group.images(np.array(tiles, np.int32).reshape(-1, 3))
            for image in images.reshape(len(images), len(tiles), -1, 3).tolist():
                assert {tuple(sorted(map(tuple, tile))) for tile in image} == set(tiles)
    assert found


@pytest.mark.parametrize(("most", "answer"), [(3, False), (4, True)])
def test_the_number_of_tiles_is_bounded_exactly(most: int, answer: bool) -> None:
    shapes = (shape_named("square-2:1"), shape_named("tetrominoes:O"))
    (group,) = symmetries(load_lattice("square"), load_lattice("square").transformations, 1)
    window = box_window((6, 6), group)
    with closing(RegionClauses(Layers(shapes), Wanted(window, group, most=most))) as clauses:
        for at in ((0, 0, 1), (0, 0, 4), (0, 5, 1), (0, 5, 4)):  # each asks for a tile of its own
            clauses.add(Cut(frozenset(), frozenset({at})))
        for cell in window.cells:
            if 2 in cell[1:] or 3 in cell[1:]:
                clauses.add(Cut(frozenset({cell}), frozenset()))
        assert clauses.solve(math.inf, lambda: True) is answer


def test_boxes_of_different_sides_are_looked_at() -> None:
    shapes = [shape_named("pentominoes:F"), shape_named("pentominoes:I")]
    search = common_module._Search(Layers(tuple(shapes)), CommonRequest(prove=False), Events(), None)
    boxes = [box for _, box in sorted(search._boxes())]
    assert len({box.sides for box in boxes if len(set(box.sides)) == 2}) > 10
    kinds = {box.kind for box in boxes if len(set(box.sides)) == 2}
    assert all(search._kinds[kind].symmetry.keeps_axes for kind in kinds)
    cells = [math.prod(box.sides) / search._kinds[box.kind].saving for box in boxes]
    assert cells == sorted(cells)
    search.tries[boxes[0]] = 3  # left undecided: it counts as costlier
    assert sorted(search._boxes())[0][1] == boxes[1]


@pytest.mark.parametrize(
    ("lattice", "order", "number"),
    [
        ("square", 2, 6),
        ("square", 4, 7),
        ("square", 8, 2),
        ("triangular", 12, 1),
        ("hexagonal", 12, 1),
        ("hexagonal", 6, 4),
    ],
)
def test_groups_with_their_centres(lattice: str, order: int, number: int) -> None:
    of_lattice = load_lattice(lattice)
    found = symmetries(of_lattice, of_lattice.transformations, order)
    assert len(found) >= number  # some conjugates of another may be left
    assert all(len(group.motions) == order for group in found)
