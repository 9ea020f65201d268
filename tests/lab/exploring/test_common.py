"""Smallest common regions: known areas, brute force, symmetric regions, holes."""

from __future__ import annotations

import math
from contextlib import closing

import numpy as np
import pytest

from latcover.core.cover.result import Stop
from latcover.core.model.connected_shapes import shapes
from latcover.core.model.verifier import verify
from latcover.errors import UnsupportedError
from latcover.files.formats.library import load_lattice
from latcover.files.formats.named_shapes import set_named, shape_named
from latcover.lab.exploring.box_turns import BoxTurn, BoxTurns
from latcover.lab.exploring.common import Common, common
from latcover.lab.exploring.compact_regions import CompactRegions
from latcover.lab.exploring.exploring_requests import CommonRequest, MultiplesRequest
from latcover.lab.exploring.layers import Layer, Layers, layers_given
from latcover.lab.exploring.multiples import multiples
from latcover.lab.exploring.region_clauses import RegionClauses
from latcover.lab.exploring.region_formula import Cut, Wanted
from latcover.lab.exploring.symmetries import symmetries
from latcover.lab.exploring.tilings import tile, tiling_puzzle
from latcover.lab.exploring.windows import Distances, box_window, window_of

KNOWN = [  # areas of the smallest; Cibulis, Sicherman
    (("square-2:1", "trominoes:V"), 6),
    (("square-2:1", "trominoes:I"), 6),
    pytest.param(("square-2:1", "pentominoes:X"), 20, marks=pytest.mark.long),
]


def of(*names: str, **request: object) -> Common:
    return common([shape_named(name) for name in names], CommonRequest(**request))  # type: ignore[arg-type]


def layers_of(*shapes: object) -> Layers:
    return Layers(layers_given("a test", shapes))


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
        both = any(tile(tiling_puzzle("", one.lattice, cells, [other]), backend="dlx").tiling for cells in regions)
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
        with closing(RegionClauses(layers_of(*shapes), Wanted(window, group, tiled=True))) as clauses:
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


@pytest.mark.parametrize(("most", "answer"), [(15, False), (16, True)])
def test_the_number_of_cells_is_bounded_exactly(most: int, answer: bool) -> None:
    shapes = (shape_named("square-2:1"), shape_named("tetrominoes:O"))
    (group,) = symmetries(load_lattice("square"), load_lattice("square").transformations, 1)
    window = box_window((6, 6), group)
    with closing(RegionClauses(layers_of(*shapes), Wanted(window, group, most=most))) as clauses:
        for at in ((0, 0, 1), (0, 0, 4), (0, 5, 1), (0, 5, 4)):  # each asks for a tile of its own
            clauses.add(Cut(frozenset(), frozenset({at})))
        for cell in window.cells:
            if 2 in cell[1:] or 3 in cell[1:]:
                clauses.add(Cut(frozenset({cell}), frozenset()))
        assert clauses.solve(math.inf, lambda: True) is answer


@pytest.mark.parametrize(("name", "tiles"), [("square-2:1", 1), ("square-2:1", 4), ("trominoes:I", 3)])
def test_a_region_may_be_as_long_as_its_tiles_one_behind_the_other(name: str, tiles: int) -> None:
    shape = shape_named(name)
    assert shape.lattice
    (group,) = symmetries(shape.lattice, shape.transformations, 1)
    window = window_of([Layer(shape.name, (shape,))], tiles * shape.size, group, Distances(shape.lattice))
    assert {(0, 0, k) for k in range(tiles * shape.size)} <= {*window.cells}


def turns_of(*names: str, order: int = 1) -> BoxTurns:
    shapes = [shape_named(name) for name in names]
    assert shapes[0].lattice
    return BoxTurns(shapes, symmetries(shapes[0].lattice, shapes[0].transformations, order), 10_000)


def every_turn(turns: BoxTurns) -> list[BoxTurn]:
    return list(iter(lambda: turns.next(None), None))  # type: ignore[arg-type]


def test_boxes_of_different_sides_are_looked_at() -> None:
    turns = turns_of("pentominoes:F", "pentominoes:I")
    turns.fill(10, None)
    found = every_turn(turns)
    uneven = [turn for turn in found if len(set(turn.box.sides)) == 2]
    assert len({turn.box.sides for turn in uneven}) > 10
    assert all(turn.kind.symmetry.keeps_axes for turn in uneven)
    for saving in {turn.kind.saving for turn in found}:
        cells = [math.prod(turn.box.sides) / saving for turn in found if turn.kind.saving == saving]
        assert cells == sorted(cells)


def test_a_box_that_was_left_undecided_waits_longer_and_gets_more() -> None:
    turns = turns_of("pentominoes:F", "pentominoes:I")
    turns.fill(10, None)
    first = turns.next(None)
    assert first
    turns.put_off(first)
    again = next(turn for turn in every_turn(turns) if turn.box == first.box)
    assert (again.cost, again.seconds) == (2 * first.cost, 3 * first.seconds)
    turns.settle(again, 8)
    turns.fill(10, None)
    assert first.box in {turn.box for turn in every_turn(turns)}
    turns.fill(10, None)
    bounded = set(iter(lambda: getattr(turns.next(8), "box", None), None))
    assert bounded
    assert first.box not in bounded  # it holds no region of 8 tiles


def test_each_order_of_symmetry_has_its_share_of_the_time() -> None:
    turns = turns_of("pentominoes:U", "tetrominoes:O")
    turns.fill(20, None)
    took = dict.fromkeys((1, 2, 4, 8), 0.0)
    for _ in range(60):
        turn = turns.next(None)
        assert turn
        seconds = 4.0 / turn.kind.saving  # searches with few symmetries take longer
        turns.note(turn, seconds)
        took[turn.kind.saving] += seconds
    assert max(took.values()) - min(took.values()) <= 4


@pytest.mark.long
def test_u_pentominoes_and_square_tetrominoes_need_a_large_box_with_quarter_turns() -> None:
    """It is the 58th of the 60 pairs, and lies in no box below 26 by 26 whose tilings have four symmetries."""
    shapes = (shape_named("pentominoes:U"), shape_named("tetrominoes:O"))
    lattice = load_lattice("square")
    found = {}
    for side in (24, 26):
        for number, group in enumerate(symmetries(lattice, lattice.transformations, 4)):
            wanted = Wanted(box_window((side, side), group), group, tiled=True)
            with closing(RegionClauses(layers_of(*shapes), wanted)) as clauses:
                if clauses.solve(math.inf, lambda: True):
                    one, other = clauses.tilings()
                    assert {c for tile in one for c in tile} == {c for tile in other for c in tile}
                    found[side, number] = 5 * len(one)
    assert list(found.values()) == [320]


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


def test_the_groups_of_a_lattice_are_found_once() -> None:
    square = load_lattice("square")
    motions = square.allowed("reflections")
    assert symmetries(square, motions, 2) is symmetries(square, motions, 2)


@pytest.mark.parametrize(
    ("sets", "area"),
    [
        (("tetrominoes", "trominoes"), 24),  # 20 cells hold all tetrominoes, but no number of trominoes has 20
        (("pentominoes", "tetrominoes"), 60),
        (("hexominoes", "tetrominoes"), 216),
        (("tetracubes", "polycubes:3"), 36),
        (("pentominoes:T", "tetrominoes"), 20),
    ],
)
def test_each_shape_of_a_set_is_used(sets: tuple[str, ...], area: int) -> None:
    """The smallest area that the sizes allow, so that nothing smaller needs to be refuted."""
    found = checked(common([set_named(name) for name in sets]))
    assert (found.area, found.smallest, found.connected) == (area, True, True)
    for name, tiling in zip(sets, found.tilings, strict=True):
        used = {placed.part for placed in tiling.solution.placements}
        assert used == {part.name for part in set_named(name).parts}


def test_areas_of_sets_are_sums_of_sizes_of_which_each_occurs() -> None:
    (mixed,) = layers_given("a test", [set_named("polyominoes:2-3")])  # 2 + 3 + 3
    assert [area for area in range(14) if mixed.fills(area)] == [8, 10, 11, 12, 13]
    assert mixed.most(13, [5, 1, 1]) == 13  # 2 + 2 + 3 + 3 + 3
    assert Layers((mixed, *layers_given("a test", "tetrominoes:O"))).next_area(8) == 12


def test_a_small_set_is_searched_as_a_whole() -> None:
    """Brute force over all connected regions: the smallest that both sets fill."""
    one, other = set_named("trominoes"), shape_named("tetrominoes:T")
    found = checked(common([one, other]))
    assert found.area is not None
    assert found.smallest
    lattice = load_lattice("square")
    for area in range(6, found.area, 1):
        if area % 12 == 0:
            for cells in shapes(lattice, area, lattice.transformations):
                fit = (tiling_puzzle("", lattice, cells, each, all_used=True) for each in (one.parts, [other]))
                assert not all(tile(puzzle, backend="dlx").tiling for puzzle in fit)


def test_symmetric_groups_in_space_take_no_minute() -> None:
    """They were listed with arrays for each product, and the time limit did not hold meanwhile."""
    shape = set_named("tetracubes").parts[0]
    turns = BoxTurns([shape, shape], symmetries(load_lattice("cubic"), shape.transformations, 1), 10_000)
    turns.fill(8, None)
    assert max(turn.kind.saving for turn in every_turn(turns)) == 2


@pytest.mark.parametrize(("sides", "answer"), [((1, 12), False), ((4, 4), True)])
def test_clauses_ask_for_each_shape_of_a_set(sides: tuple[int, int], answer: bool) -> None:
    """Both tetrominoes and trominoes fill a bar of twelve cells, but not with a V."""
    (group,) = symmetries(load_lattice("square"), load_lattice("square").transformations, 1)
    layers = layers_of(set_named("trominoes"), shape_named("tetrominoes:I"))
    with closing(RegionClauses(layers, Wanted(box_window(sides, group), group))) as clauses:
        assert clauses.solve(math.inf, lambda: True) is answer


def test_sets_that_are_too_large_are_not_searched() -> None:
    """1,023 heptacubes have 7,161 cells: no window, box or region of them is small enough, and that is said at once."""
    found = common([set_named("polycubes:6"), set_named("polycubes:3")])
    assert (found.area, found.smallest, found.stop) == (None, False, Stop.NOT_PROVED)


def test_no_area_above_the_bound_is_tried() -> None:
    found = common([set_named("tetrominoes"), set_named("trominoes")], CommonRequest(most=23))
    assert (found.area, found.refuted, found.stop) == (None, 0, Stop.EXHAUSTED)


@pytest.mark.parametrize(
    ("sides", "area", "refuted"),
    [((2, 3), 6, 0), ((1, 12), None, 12), ((2, 2), None, 4), ((3, 3), 6, 0)],
)
def test_regions_within_a_box(sides: tuple[int, ...], area: int | None, refuted: int) -> None:
    found = of("square-2:1", "trominoes:V", within=sides)
    assert (found.area, found.smallest, found.stop) == (area, area is not None, Stop.EXHAUSTED)
    assert found.refuted == refuted
    if area:
        checked(found)
        cells = found.tilings[0].puzzle.region.cells[:, 1:]
        assert (cells.min(axis=0) >= 0).all()
        assert (cells.max(axis=0) < sides).all()
        assert of("square-2:1", "trominoes:V", within=sides, prove=False).area == 6


def test_sets_within_a_box() -> None:
    """Pentominoes and tetrominoes fill boxes of 60 cells: the box itself."""
    found = checked(common([set_named("pentominoes"), set_named("tetrominoes")], CommonRequest(within=(12, 5))))
    assert (found.area, found.smallest) == (60, True)
    assert found.tilings[0].puzzle.region.extents() == (12, 5)


@pytest.mark.parametrize(("within", "area"), [((1, 40), 24), ((1000, 1000), 24), ((2, 20), 37), ((7, 5), 33)])
def test_compact_regions_lie_in_a_part_of_a_large_box(within: tuple[int, int], area: int) -> None:
    """They come at once, and hang together."""
    regions = CompactRegions(Layers(layers_given("a test", [set_named("trominoes")])), area, within)
    for _ in range(5):
        cells = regions.next()
        assert cells is not None
        assert len(cells) == area
        assert load_lattice("square").connects(cells.tolist())
        assert (np.ptp(cells[:, 1:], axis=0) < within).all()


def test_a_box_too_large_to_be_searched_ends_soon() -> None:
    found = of("tetracubes:L", "tetracubes:T", within=(1000, 1000, 1000))
    assert found.area is None
    assert found.stop is Stop.NOT_PROVED


@pytest.mark.parametrize("request_", [{"within": (3,)}, {"within": (4, 4), "symmetric": 2}, {"within": (0, 4)}])
def test_boxes_without_meaning_are_refused(request_: dict[str, object]) -> None:
    with pytest.raises(UnsupportedError):
        of("square-2:1", "trominoes:V", **request_)
