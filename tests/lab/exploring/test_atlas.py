"""Atlases: published orders, primes, counts, enlargements and tori; bounds are said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from latcover.core.model.orientation import orientations
from latcover.core.model.verifier import verify
from latcover.files.formats.named_shapes import shape_named
from latcover.files.formats.puzzle_files.region_figures import figure
from latcover.lab.exploring.atlas import atlas
from latcover.lab.exploring.atlas_answers import Atlas
from latcover.lab.exploring.boxes import Boxes
from latcover.lab.exploring.decisions import Filled
from latcover.lab.exploring.enlargements import enlargements
from latcover.lab.exploring.exploring_requests import AtlasRequest
from latcover.lab.exploring.named_regions import named_regions
from latcover.lab.exploring.primes import Prime
from latcover.lab.exploring.rectangles import RectangleSearch
from latcover.lab.exploring.smallest_tori import smallest_tori
from latcover.lab.exploring.tilings import tile, tiling_puzzle
from latcover.show.reporting.atlas_pages import as_html
from latcover.show.reporting.atlas_pictures import pictures
from latcover.show.reporting.atlas_text import as_text, table_as_csv
from tests.command_line import run


def of(*names: str, **request: float) -> Atlas:
    found = atlas([shape_named(name) for name in names], AtlasRequest(**request))  # type: ignore[arg-type]
    for each in found.rectangles.values():
        assert (each.tiling is not None) is (each.filled is Filled.YES)
        assert each.tiling is None or not verify(each.tiling.puzzle, each.tiling.solution)
        assert each.number is None or bool(each.number) is (each.filled is Filled.YES) or each.filled is Filled.UNKNOWN
    return found


def test_dominoes() -> None:
    found = of("square-2:1", size=4, each=2)
    assert found.complete
    assert {kind: (least.name, least.proved) for kind, least in found.orders.items()} == {
        "rectangle": ("1x2", True),
        "square": ("2x2", True),
        "odd": ("1x2", True),
    }
    assert found.primes == {(1, 2): Prime.STRONG}
    assert found.strips[4].coefficients == (1, 5, 1, -1)  # Klarner and Pollack
    assert found.rectangles[4, 4].number == 36
    assert found.symmetric is not None
    assert (found.symmetric.area, found.symmetric.smallest) == (4, True)
    assert found.enlarged is not None
    assert (found.enlarged.name, found.enlarged.proved) == ("x2", True)


def covers_corner(name: str, size: int) -> bool:
    """Whether copies in a quadrant cover the square in its corner, by trying them cell by cell."""
    tiles = [{tuple(cell[1:]) for cell in each.cells} for each in orientations(shape_named(name), (0, 1))]

    def covered(used: frozenset[tuple[int, ...]]) -> bool:
        empty = [(x, y) for x in range(size) for y in range(size) if (x, y) not in used]
        if not empty:
            return True
        placed = (
            frozenset((x + empty[0][0] - a, y + empty[0][1] - b) for x, y in tile) for tile in tiles for a, b in tile
        )
        return any(min(min(cell) for cell in one) >= 0 and not one & used and covered(used | one) for one in placed)

    return covered(frozenset())


def test_corners_that_cannot_be_covered() -> None:
    sizes = {}
    for name in "FNTUVXYZ":
        corner = RectangleSearch([shape_named(f"pentominoes:{name}")], 60, None).corner
        sizes[name] = corner
        if corner is not None:
            assert not covers_corner(f"pentominoes:{name}", corner)
            assert corner == 1 or covers_corner(f"pentominoes:{name}", corner - 1)
    assert sizes["N"] is sizes["Y"] is None  # the Y fills rectangles
    assert (sizes["X"], sizes["V"]) == (1, 5)
    assert "a corner of 1 x 1 cannot be covered" in as_text(of("pentominoes:X", size=4, rectangles_only=True))


def test_rectangles_agree_with_an_exhaustive_search() -> None:
    for names in (("tetrominoes:T",), ("pentominoes:Y",), ("square-2:1", "pentominoes:X")):
        found = of(*names, size=8, each=60, rectangles_only=True)
        for sides, each in found.rectangles.items():
            assert each.filled is not Filled.UNKNOWN
            shapes = [shape_named(name) for name in names]
            if each.filled is Filled.AREA:
                continue
            again = tile(Boxes(shapes).puzzle(sides), backend="dlx")
            assert (again.tiling is not None) is (each.filled is Filled.YES)
            assert bool(each.why) is (each.filled is Filled.COLOURING)
    assert "white" in of("tetrominoes:T", size=6, each=60, rectangles_only=True).rectangles[2, 6].why


def test_boxes_in_space() -> None:
    found = of("tetracubes:T", size=4, each=60)
    assert found.orders["rectangle"].name == "1x4x4"
    assert found.rectangles[2, 4, 4].filled is Filled.YES
    assert found.rectangles[1, 1, 4].filled is not Filled.YES
    assert found.complete
    assert "boxes up to 4 x 4 x 4" in as_text(found)


def test_parallelograms_that_may_not_be_turned_over_are_two() -> None:
    one_sided = [shape_named("triangular-3:1", one_sided=True)]
    assert Boxes(one_sided).least((3, 2)) == (3, 2)
    assert Boxes([shape_named("triangular-3:1")]).least((3, 2)) == (2, 3)


@pytest.mark.long
def test_a_weakly_prime_rectangle_is_told_from_a_strongly_prime_one() -> None:
    found = of("tetrominoes:L", size=8, each=2)
    assert found.primes[2, 4] is Prime.STRONG
    assert (2, 8) not in found.primes
    assert found.orders["square"].copies == 4


def test_parallelograms_of_triangles() -> None:
    found = of("triangular-2:1", size=3, each=2)
    assert found.orders["rectangle"].name == "1x1"
    assert found.enlarged is not None
    assert (found.enlarged.name, found.enlarged.proved) == ("x2", True)
    assert as_text(found).startswith("1: parallelograms up to 3 x 3")


def sides_of(found: Atlas, kind: str) -> list[int]:
    """The sides of the triangles or hexagons that are filled; each tiling passed the verifier."""
    own = [each for each in found.regions if each.kind == kind]
    assert [each.side for each in own] == [*range(1, len(own) + 1)]
    assert all(each.filled is not Filled.UNKNOWN for each in own)
    tilings = [each.tiling for each in own if each.tiling is not None]
    assert all(not verify(tiling.puzzle, tiling.solution) for tiling in tilings)
    return [each.side for each in own if each.filled is Filled.YES]


@pytest.mark.long
def test_triangles_of_hexagons() -> None:
    """Conway and Lagarias (1990): those of sides 0, 2, 9 and 11 modulo 12; and none by three in a row."""
    assert sides_of(of("trihexes:A", size=12, each=60), "triangle") == [2, 9, 11, 12]
    assert sides_of(of("trihexes:I", size=12, each=60), "triangle") == []


def test_triangles_and_hexagons_of_triangles() -> None:
    found = of("triangular-3:1", size=6, each=10)
    assert sides_of(found, "triangle") == [3, 6]
    assert sides_of(found, "hexagon") == [1, 2, 3]
    assert (found.orders["triangle"].copies, found.orders["triangle"].proved) == (3, True)
    assert "sides of triangles, up to 6: 3, 6; not filled: 4 by their areas" in as_text(found)


def test_a_corner_refutes_triangles_without_a_search() -> None:
    """No butterfly has an angle of 60 degrees."""
    search = RectangleSearch([shape_named("hexiamonds:butterfly")], 60, None)
    assert search.corner is not None
    by_corner = [each for each in named_regions(search, 12) if each.filled is Filled.CORNER]
    assert by_corner
    for each in by_corner[:2]:
        cells = figure(each.kind, each.side, search.lattice)
        assert tile(tiling_puzzle("again", search.lattice, cells, search.shapes), backend="dlx").refuted


def test_a_corner_refutes_only_regions_that_have_it() -> None:
    """Hooks fill no corner of 60 degrees, but a hexagon, whose corners have 120."""
    search = RectangleSearch([shape_named("hexiamonds:hook")], 60, None)
    assert search.corner == 2
    found = {each.name: each.filled for each in named_regions(search, 6)}
    assert (found["triangle 6"], found["hexagon 3"]) == (Filled.CORNER, Filled.YES)


def test_tori_of_shapes_that_may_not_be_turned_over() -> None:
    """Then a torus and its mirror image are two: a pentahex covers one of them alone."""
    names = {}
    for one_sided in (True, False):
        search = RectangleSearch([shape_named("hexagonal-5:F", one_sided=one_sided)], 60, None)
        names[one_sided] = smallest_tori(search, 3)["rectangle"].name
    assert names == {True: "5x2", False: "2x5"}


@pytest.mark.parametrize(
    ("name", "factors"),
    [
        ("square-2:1", {4, 9}),
        ("triangular-3:1", {4, 9}),
        ("tetrakis-1:1", {2, 4, 8, 9}),
        ("drafter-1:1", {3, 4, 9}),
        ("kite-3:4", {4, 9}),  # three kites make a triangle
        ("kite-1:1", set()),
        ("trihexes:A", set()),
        ("disc-2:1", set()),  # circles
    ],
)
def test_enlargements_are_those_that_consist_of_cells(name: str, factors: set[int]) -> None:
    shape = shape_named(name)
    found = [*enlargements(shape, 3)]
    assert {each.area for each in found} == factors
    assert all(len(each.cells) == each.area * shape.size for each in found)


def test_enlargements_of_squares_are_blocks() -> None:
    shape = shape_named("pentominoes:P")
    (found,) = (each for each in enlargements(shape, 3) if each.area == 9)
    blocks = {(0, 3 * x + i, 3 * y + j) for _, x, y in shape.cells.tolist() for i in range(3) for j in range(3)}
    assert {*map(tuple, found.cells.tolist())} == blocks


@pytest.mark.long
def test_the_plane() -> None:
    """A shape of Heesch number 1 has no torus and fills nothing."""
    found = of("XXXXX/X...X", size=3, each=10)
    data = found.as_json()
    assert (data["plane"]["answer"], data["plane"]["heesch"]) == ("none", 1)
    assert {least["is"] for least in data["tori"].values()} == {None}
    assert all(least["proved"] for least in data["tori"].values())
    assert "the plane: does not tile the plane; Heesch number 1" in as_text(found)
    assert table_as_csv([data]).splitlines()[1].split(",")[1:3] == ['"no', ' Heesch 1"']
    assert "1 corona" in pictures(found)


def test_shapes_that_are_used_together() -> None:
    found = of("square-2:1", "trominoes:I", size=2, each=10)
    text = as_text(found)
    assert "the plane: tile the plane periodically, with 2 classes of tiles" in text
    assert "width 1, any number of each: N(n) = N(n-2) + N(n-3) for n >= 3" in text
    assert "N(0) + N(1) x + ... = (2 x^5 + 2 x^6 + x^7) / (1 + x - x^2 - 3 x^3 - 2 x^4 + x^5 + 2 x^6 + x^7)" in text
    assert (found.tori["rectangle"].name, found.tori["rectangle"].copies) == ("1x5", 2)
    assert "odd" not in found.tori


def test_what_is_not_decided_in_time_says_so() -> None:
    found = of("pentominoes:Y", size=5, each=0)
    assert not found.complete
    assert found.orders["rectangle"].name == ""
    assert not found.orders["rectangle"].proved
    assert "as far as was decided" in as_text(found)
    assert table_as_csv([found.as_json()]).splitlines()[1] == 'Y,"isohedral, p1",?,?,?,,,0,?,?,?,?,?'


def test_pages(tmp_path: Path) -> None:
    found = of("tetrominoes:O", size=4, each=2)
    data = found.as_json()
    assert "order: 1 (2x2)" in as_text(found)
    assert as_html("<", [(as_text(found), pictures(found))], [data, data]).count("<svg") == 1
    assert table_as_csv([data]).splitlines()[1].startswith('O,"isohedral, p4m",1 (2x2),1 (2x2),1 (2x2),,,1,4 (x2),4,')
    kept = tmp_path / "kept"
    words = ("atlas", "square", "--cells", "2", "--size", "3", "--run", str(kept), "--json")
    first = run(*words)
    assert json.loads(first.stdout.splitlines()[-1]) == {"summary": {"shapes": 1, "complete": True}}
    assert run(*words).stdout == first.stdout
    page = tmp_path / "page.md"
    run(*words[:-1], "--output", str(page))
    assert "latcover atlas square --cells 2 --size 3 --each 5 --enlarged 6 --output page.md" in page.read_text()
    assert "![Tilings by 1](page-1.svg)" in page.read_text()
    assert (tmp_path / "page-1.svg").read_text().startswith("<svg")


@pytest.mark.long
def test_bounds_are_said() -> None:
    text = as_text(of("hexiamonds:butterfly", size=1, each=10))
    for line in (
        "square order: none up to 1 x 1",
        "smallest triangle: none up to side 1",
        "smallest torus (square): none up to 1 x 1",
        "smallest torus (skewed square): none of at most 4 cells",
    ):
        assert line in text.splitlines()
    assert "hexagon" not in text  # none is so small


def test_narrow_rectangles_alone() -> None:
    """What is left out might be smaller than what is found, and no order is called the least then."""
    found = of("pentominoes:Y", size=10, narrow=5, each=20, rectangles_only=True)
    assert max(min(sides) for sides in found.rectangles) == 5
    assert max(max(sides) for sides in found.rectangles) == 10
    assert [*found.primes] == [(5, 10)]
    assert (found.orders["rectangle"].copies, found.orders["rectangle"].proved) == (10, False)
    assert as_text(found).splitlines()[0] == "Y: rectangles up to 5 x 10"
    assert "square order: none up to 5 x 10" in as_text(found)
