"""Bodies for printing: closed, of the volume that cells and clearance imply, in one piece, apart from each other."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import chain, combinations, product
from math import pi, sqrt
from random import Random

import numpy as np
import pytest

pytest.importorskip("manifold3d", reason="needs manifold3d: pip install 'latcover[mesh]'")

from latcover.core.model.lattice import Lattice
from latcover.errors import PuzzleError
from latcover.files.formats.library import load_lattice
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.scene_model import SceneItem
from latcover.show.drawing.shapes.cell_corners import Corners
from latcover.show.drawing.shapes.outlines import Points
from latcover.show.drawing.shapes.solids import normal
from latcover.show.printing import bodies
from latcover.show.printing.layout import Dimensions
from tests.shipped import rest_long

SPACE = ("cubic", "fcc", "hexprism", "triprism", "rhombic", "tetraocta")
FLAT = ("square", "triangular", "hexagonal", "tetrakis", "polystick", "disc")
Cell = tuple[int, ...]
SOLID = [name for name in SPACE if name != "fcc"]
CLEARANCES = (0.0, 0.2, 1.7)
several_seeds = pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))])


@cache
def lattice(name: str) -> Lattice:
    return load_lattice(name)


def item(kind: Lattice, cells: list[Cell]) -> SceneItem:
    return scene.of_cells(kind, cells, name="P").items[0]


def grown(kind: Lattice, size: int, seed: int) -> list[Cell]:
    """A part of *size* cells, each joined to an earlier one by a half-edge."""
    random = Random(seed)
    primary = [u for u, node in enumerate(kind.nodes) if not node.secondary]
    cells = [(random.choice(primary), *(0,) * kind.dimension)]
    while len(cells) < size:
        around = {
            (edge.target, *(x + s for x, s in zip(cell[1:], edge.step, strict=True)))
            for cell in cells
            for edge in kind.half_edges
            if edge.node == cell[0]
        }
        cells.append(random.choice(sorted(around - set(cells))))
    return cells


def checked(kind: Lattice, cells: list[Cell], size: Dimensions) -> tuple[Points, np.ndarray]:
    """The mesh of a part, closed and a proper surface also where corners in one place are one."""
    vertices, triangles = bodies.arrays(bodies.body(kind, item(kind, cells), size))
    sides: dict[tuple[int, int], int] = {}
    corners = {tuple(v) for v in vertices.astype(np.float32).tolist()}
    assert len(corners) == len(vertices), "two corners in one place"
    for triangle in triangles.tolist():
        assert len(set(triangle)) == 3
        for a, b in zip(triangle, triangle[1:] + triangle[:1], strict=True):
            assert (a, b) not in sides
            sides[a, b] = triangle[triangle.index(b) - 2]  # the third corner
    assert all((b, a) in sides for a, b in sides)
    fans: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for (a, b), third in sides.items():
        fans[third][a] = b
    assert len(fans) == len(vertices)
    for around in fans.values():  # the faces around each corner are a single fan
        start = here = next(iter(around))
        steps = 0
        while steps == 0 or here != start:
            here, steps = around[here], steps + 1
        assert steps == len(around)
    return vertices, triangles


def volume(mesh: tuple[Points, np.ndarray]) -> float:
    a, b, c = (mesh[0][mesh[1][:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6


def cubes(cells: list[Cell], edge: float, clearance: float) -> float:
    """The volume of a polycube: small cubes, and bridges where all the cells around are of the part."""
    own, inset, total = set(cells), clearance / 2, 0.0
    for cell in cells:
        for side in product((-1, 0, 1), repeat=3):
            steps = product(*({0, s} for s in side))
            if all((0, *(x + s for x, s in zip(cell[1:], step, strict=True))) in own for step in steps):
                total += np.prod([inset if s else edge - clearance for s in side])
    return float(total)


SIX = [(0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0)]  # steps to the hexagons around one, in turn


def hexagonal_prisms(cells: list[Cell], edge: float, clearance: float) -> float:
    """The same of hexagonal prisms: every missing neighbour takes a strip, and two beside each other share a corner."""
    own, inset = set(cells), clearance / 2
    side = edge / sqrt(3)
    total = 0.0
    for (_, x, y, z), rise in product(cells, (-1, 0, 1)):
        missing = [any((0, x + a, y + b, z + r) not in own for r in {0, rise}) for a, b in SIX]
        twice = sum(missing[k] and missing[k - 1] for k in range(6))
        area = (
            1.5 * sqrt(3) * side**2 - sum(missing) * inset * (side + inset / sqrt(3)) + twice * 2 * inset**2 / sqrt(3)
        )
        if (0, x, y, z + rise) in own:
            total += area * (inset if rise else edge - clearance)
    return total


@pytest.mark.parametrize("clearance", CLEARANCES)
@several_seeds
@pytest.mark.parametrize(("name", "formula"), [("cubic", cubes), ("hexprism", hexagonal_prisms)])
def test_volume_by_formula(name: str, formula, seed: int, clearance: float) -> None:  # type: ignore[no-untyped-def]
    cells = grown(lattice(name), 4 + 2 * seed, seed)
    made = checked(lattice(name), cells, Dimensions(17.0, clearance))
    assert volume(made) == pytest.approx(formula(cells, 17.0, clearance), rel=1e-6)


@several_seeds
@pytest.mark.parametrize("name", [*SPACE, *FLAT])
def test_without_clearance_the_cells_are_whole(name: str, seed: int) -> None:
    kind = lattice(name)
    cells = grown(kind, 7, seed)
    shown = item(kind, cells)
    if shown.balls is not None:
        return
    whole = shown.solid.volume if shown.solid else sum(polygon.area for polygon in shown.polygons)
    made = volume(checked(kind, cells, Dimensions(20.0, 0.0, 20.0)))
    assert made == pytest.approx(whole * 20.0**3, rel=1e-6)


@pytest.mark.parametrize("clearance", [0.4, 1.0])
@pytest.mark.parametrize(
    ("name", "nodes", "side"),
    [("rhombic", None, 2), ("tetraocta", 5, 2)],
)
def test_cells_that_fill_a_cube_print_a_cube(name: str, nodes: int | None, side: int, clearance: float) -> None:
    kind = lattice(name)
    cells = [(u, 0, 0, 0) for u in range(nodes or len(kind.nodes))]
    made = volume(checked(kind, cells, Dimensions(10.0, clearance)))
    assert made == pytest.approx((side * 10.0 - clearance) ** 3, rel=1e-6)


@pytest.mark.parametrize("name", ["rhombic", "tetraocta"])
def test_a_tetrahedron_shrinks_towards_the_middle_of_its_sphere(name: str) -> None:
    kind = lattice(name)
    solid = item(kind, [(0, 0, 0, 0)]).solid
    assert solid
    area = sum(
        float(np.linalg.norm(np.cross(*(solid.vertices[list(f)][1:] - solid.vertices[f[0]])))) / 2
        for f in solid.cell_faces
    )
    radius = 3 * solid.volume / area
    made = volume(checked(kind, [(0, 0, 0, 0)], Dimensions(30.0, 1.0)))
    assert made == pytest.approx(solid.volume * 30.0**3 * (1 - 0.5 / 30.0 / radius) ** 3, rel=1e-6)


@pytest.mark.parametrize("name", ["triprism", "triangular"])
def test_six_triangles_are_a_hexagon(name: str) -> None:
    kind = lattice(name)
    six = _around_a_corner(kind)
    assert len(six) == 6
    radius = sqrt(3) / 2 * 12.0 - 0.25
    height = 12.0 if kind.dimension == 2 else 11.5
    made = volume(checked(kind, six, Dimensions(12.0, 0.5)))
    assert made == pytest.approx(2 * sqrt(3) * radius**2 * height, rel=1e-6)


def _around_a_corner(kind: Lattice) -> list[Cell]:
    """The six triangles, in one layer, that have a corner of the first one in common."""
    cells = [(u, x, y, *(0,) * (kind.dimension - 2)) for u in (0, 1) for x, y in product(range(-2, 3), repeat=2)]
    corners = Corners(kind, cells)
    point = corners.rings((0, *(0,) * kind.dimension))[0][0]
    return [cell for cell in cells if any(point in ring for ring in corners.rings(cell))]


def outside(kind: Lattice, cells: list[Cell], points: Points, tolerance: float) -> np.ndarray:
    """Which *points*, in units, lie in none of the cells, or within *tolerance* of a cell's surface."""
    left = np.ones(len(points), bool)
    for cell in cells:
        drawing = kind.nodes[cell[0]].drawing
        corners = drawing.vertices + kind.centres(np.array([cell], np.int32))
        inside = np.ones(len(points), bool)
        for ring in drawing.faces:
            inward = -normal(corners, ring)
            if inward @ (corners.mean(axis=0) - corners[ring[0]]) < 0:
                inward = -inward
            inside &= (points - corners[ring[0]]) @ inward > -tolerance
        left &= ~inside
    return left


@several_seeds
@pytest.mark.parametrize("name", rest_long(SOLID, ["cubic", "rhombic"]))
def test_what_is_printed_is_where_the_eroder_fits(name: str, seed: int) -> None:
    kind = lattice(name)
    cells = grown(kind, 6, 100 + seed)
    inset = 0.06
    made = bodies.body(kind, item(kind, cells), Dimensions(1.0, 2 * inset))
    normals = np.concatenate([[normal(n.drawing.vertices, ring) for ring in n.drawing.faces] for n in kind.nodes])
    eroder = bodies.eroder(np.unique(np.round(normals, 9), axis=0), inset)
    random = np.random.default_rng(seed)
    weights = random.dirichlet(np.ones(3), 1500)
    picks = np.array([random.choice(len(eroder), 3, replace=False) for _ in weights])
    probes = np.concatenate([eroder, np.einsum("ij,ijk->ik", weights, eroder[picks]), [[0, 0, 0]]])
    vertices, triangles = bodies.arrays(made)
    low, high = vertices.min(axis=0) - 0.1, vertices.max(axis=0) + 0.1
    points = low + random.random((150, 3)) * (high - low)
    printed = _inside(vertices, triangles, points)
    assert 3 < printed.sum() < 147
    for point, kept in zip(points, printed.tolist(), strict=True):
        if kept:
            assert not outside(kind, cells, point + probes, 1e-7).any()
        else:
            assert outside(kind, cells, point + 1.1 * probes, 0.0).any()


def _inside(vertices: Points, triangles: np.ndarray, points: Points) -> np.ndarray:
    """By solid angles (van Oosterom and Strackee 1983)."""
    turns = np.zeros(len(points))
    for triangle in triangles:
        a, b, c = (vertices[v] - points for v in triangle)
        la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
        below = la * lb * lc + (a * b).sum(1) * lc + (b * c).sum(1) * la + (c * a).sum(1) * lb
        turns += np.arctan2((a * np.cross(b, c)).sum(1), below)
    return turns > pi


@pytest.mark.long
def test_balls_are_necked_and_their_volumes_add_up() -> None:
    kind, size = lattice("fcc"), Dimensions(20.0, 0.3)
    ball = volume(checked(kind, [(0, 0, 0, 0)], size))
    radius = 10 - 0.15
    assert 0.99 * 4 / 3 * pi * radius**3 < ball < 4 / 3 * pi * radius**3
    neck = {
        edge.step: volume(checked(kind, [(0, 0, 0, 0), (0, *edge.step)], size)) - 2 * ball for edge in kind.half_edges
    }
    width = bodies.NECK * radius
    caps = pi / 3 * (cap := radius - sqrt(radius**2 - width**2)) ** 2 * (3 * radius - cap)
    smooth = pi * width**2 * (20 - 2 * (radius - cap)) - 2 * caps
    assert list(neck.values()) == pytest.approx([smooth] * 12, rel=0.05)
    for seed in range(2):
        cells = grown(kind, 6, seed)
        joined = [neck[s] for a, b in combinations(cells, 2) if (s := tuple(np.subtract(b, a)[1:].tolist())) in neck]
        assert volume(checked(kind, cells, size)) == pytest.approx(6 * ball + sum(joined), rel=1e-6)


@pytest.mark.parametrize("clearance", rest_long(CLEARANCES, [0.2]))
@several_seeds
@pytest.mark.parametrize("name", [*SPACE, *FLAT])
def test_every_part_is_one_body(name: str, seed: int, clearance: float) -> None:
    kind = lattice(name)
    cells = grown(kind, 8, seed)
    if name == "disc" and len({cell for cell in cells if cell[0] == 1}) > 0:
        cells = [cell for cell in cells if cell[0] == 0]
    size = Dimensions(40.0, clearance)
    checked(kind, cells, size)
    made = bodies.body(kind, item(kind, cells), size)
    assert len(made.decompose()) == (1 if name != "disc" else len(_components(kind, cells)))


def _components(kind: Lattice, cells: list[Cell]) -> list[set[Cell]]:
    left, found = set(cells), []
    while left:
        queue = [left.pop()]
        for cell in queue:
            steps = [(e.target, *np.add(cell[1:], e.step).tolist()) for e in kind.half_edges if e.node == cell[0]]
            queue += [s for s in steps if s in left]
            left -= set(steps)
        found.append(set(queue))
    return found


RINGS = {
    "an edge": [(0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 2, 0), (2, 2, 0), (2, 1, 0), (1, 0, 0)],
    "a corner": [(0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 1, 0), (2, 1, 1), (2, 2, 1), (1, 2, 1), (1, 1, 1), (0, 0, -1)],
    "two edges": [(0, 0, 0), (1, 1, 0), (0, 0, 1), (1, 1, 1), (0, 0, 2), (1, 0, 2), (1, 1, 2)],
}


@pytest.mark.parametrize("clearance", CLEARANCES)
@pytest.mark.parametrize("ring", RINGS.values(), ids=RINGS)
def test_where_a_part_touches_itself_it_is_parted(ring: list[Cell], clearance: float) -> None:
    cells = [(0, *cell) for cell in ring]
    made = checked(lattice("cubic"), cells, Dimensions(20.0, clearance))
    assert volume(made) == pytest.approx(cubes(cells, 20.0, clearance), rel=1e-6)
    assert (
        len(bodies.body(lattice("cubic"), item(lattice("cubic"), cells), Dimensions(20.0, clearance)).decompose()) == 1
    )


@pytest.mark.parametrize("clearance", CLEARANCES)
@pytest.mark.parametrize("seed", [6, 31])
def test_tetrahedra_that_a_union_left_slit(seed: int, clearance: float) -> None:
    cells = grown(lattice("rhombic"), 3 + (1000 + seed) % 8, 1000 + seed)
    made = checked(lattice("rhombic"), cells, Dimensions(20.0, clearance))
    if not clearance:
        assert volume(made) == pytest.approx(len(cells) * 20.0**3 / 3, rel=1e-6)


@pytest.mark.parametrize("other", [(0, 1, 1, 0), (0, 1, 1, 1), (0, 2, 0, 0)])
def test_cells_that_are_not_joined_are_several_bodies(other: Cell) -> None:
    for clearance in CLEARANCES:
        cells = [(0, 0, 0, 0), other]
        checked(lattice("cubic"), cells, Dimensions(20.0, clearance))
        made = bodies.body(lattice("cubic"), item(lattice("cubic"), cells), Dimensions(20.0, clearance))
        assert len(made.decompose()) == 2
        assert made.volume() == pytest.approx(2 * (20.0 - clearance) ** 3, rel=1e-6)


@pytest.mark.parametrize(
    "name",
    rest_long([*SPACE, "square", "triangular", "hexagonal", "tetrakis"], ["cubic", "fcc", "tetraocta", "triangular"]),
)
def test_neighbours_are_a_clearance_apart(name: str) -> None:
    kind = lattice(name)
    for seed in range(2):
        cells = grown(kind, 8, seed)
        first, rest = cells[:4], cells[4:]
        one, other = (bodies.body(kind, item(kind, part), Dimensions(20.0, 0.8)) for part in (first, rest))
        facets = 0.06 if name == "fcc" else 1e-9  # those of balls lie a little inside
        assert one.min_gap(other, 5.0) == pytest.approx(0.8, abs=facets)


def test_flat_parts_keep_their_thickness() -> None:
    made = bodies.body(lattice("square"), item(lattice("square"), [(0, 0, 0), (0, 0, 1)]), Dimensions(20.0, 1.0, 7.0))
    assert made.bounding_box() == pytest.approx((-9.5, -9.5, 0.0, 29.5, 9.5, 7.0))


@pytest.mark.parametrize(("name", "clearance"), [("cubic", 20.0), ("cubic", 60.0), ("rhombic", 12.0), ("fcc", 20.0)])
def test_too_much_clearance(name: str, clearance: float) -> None:
    cells = grown(lattice(name), 3, 1)
    with pytest.raises(PuzzleError, match="or a longer edge"):
        bodies.body(lattice(name), item(lattice(name), cells), Dimensions(20.0, clearance))


@pytest.mark.parametrize("sizes", [{"edge": 0.0}, {"edge": float("nan")}, {"clearance": -1.0}, {"thickness": 1e9}])
def test_measures_out_of_bounds(sizes: dict[str, float]) -> None:
    with pytest.raises(PuzzleError, match="must"):
        Dimensions(**sizes)


def test_the_eroder_of_cubes_is_a_cube() -> None:
    corners = bodies.eroder(np.eye(3), 0.5)
    assert sorted(chain.from_iterable(corners.tolist())) == [-0.5] * 12 + [0.5] * 12


@pytest.mark.parametrize("name", ["cubic", "hexprism", pytest.param("tetraocta", marks=pytest.mark.long), "square"])
def test_a_chamfer_cuts_edges_and_leaves_faces_where_they_are(name: str) -> None:
    kind = lattice(name)
    cells = grown(kind, 4, 3)
    sharp = bodies.body(kind, item(kind, cells), Dimensions(20.0, 0.4))
    cut = bodies.body(kind, item(kind, cells), Dimensions(20.0, 0.4, chamfer=1.0))
    assert len(cut.decompose()) == 1
    assert 0.9 * sharp.volume() < cut.volume() < sharp.volume()
    assert (cut - sharp).volume() < 1e-3  # nothing sticks out
    low, high = np.array(cut.bounding_box()).reshape(2, 3), np.array(sharp.bounding_box()).reshape(2, 3)
    assert low[:, 2] == pytest.approx(high[:, 2], abs=1e-6)


def test_the_chamfer_of_a_cube() -> None:
    kind = lattice("cubic")
    edge, c = 9.6, 1.0
    made = bodies.body(kind, item(kind, [(0, 0, 0, 0)]), Dimensions(10.0, 0.4, chamfer=c)).volume()
    edges = 12 * (edge - 2 * c) * c**2 / 2
    corners = 8 * (c**3 - c**3 / 6)  # of each small cube only a tetrahedron is left
    assert made == pytest.approx(edge**3 - edges - corners, rel=1e-6)


@pytest.mark.parametrize(("chamfer", "words"), [(4.9, "splits the part"), (-1.0, "the chamfer is -1 mm"), (99.0, "99")])
def test_chamfers_that_are_too_large(chamfer: float, words: str) -> None:
    kind = lattice("cubic")
    with pytest.raises(PuzzleError, match=words):
        bodies.body(kind, item(kind, [(0, 0, 0, 0), (0, 1, 0, 0)]), Dimensions(10.0, 0.2, chamfer=chamfer))
