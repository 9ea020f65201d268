"""Bodies of parts for printing: watertight, in millimetres, with every outer face moved inwards.

A part is the union of its cells. Its body is the part eroded by a convex body K (Serra 1982), the set of positions at
which K fits into the part. The faces of K are parallel to the faces of the lattice's cells, at half the clearance from
its centre; for cubes, K is a cube. So every outer face moves inwards by half the clearance, corners stay sharp, faces
between two cells of a part vanish, and concave edges keep their distance. Balls shrink instead, and necks join them.
This needs manifold3d.

For chamfers the part is eroded further, and then dilated by the convex hull of the points of K's faces nearest to its
centre; for cubes, an octahedron. Faces return to their places, but convex edges do not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from latcover.core.model.lattice import Lattice
from latcover.core.model.solution import Cell
from latcover.errors import InternalError, PuzzleError
from latcover.show.drawing.scenes.scene_model import Balls, SceneItem
from latcover.show.drawing.shapes.cell_corners import Corners, flat_dimension, meets_in_part, rings_of_node
from latcover.show.drawing.shapes.outlines import Points, Polygon, padded, weld
from latcover.show.drawing.shapes.solids import Solid, normal, plane_axes, solid
from latcover.show.printing.layout import Dimensions
from latcover.system.sorted_sets import without

if TYPE_CHECKING:
    from manifold3d import Manifold

Triangles = npt.NDArray[np.int64]

NECK = 0.45  # of a ball's radius: necks at 60 degrees then meet within the ball
AROUND = 64  # segments of a great circle of a ball, and of a neck
SAME = 1e-8  # of the edge: closer points are merged; a larger tolerance left slivers
HAIR = 2.5e-4  # of the edge: half the width of the slit between cells of a part that touch in an edge or a corner
SLIVER = 1e-3  # of the edge: a body smaller than a cube with this side comes from rounding
PARALLEL = 1e-6
ROUNDS = 4  # of cutting slits; one is enough, unless a slit ends where the part touches itself again


def body(lattice: Lattice, item: SceneItem, size: Dimensions) -> Manifold:
    """The body of a copy of a part; a `PuzzleError` if the clearance leaves nothing of it, or splits it."""
    made = [_plain(whole, size.edge) for whole in _wholes(lattice, item, size)]
    if made and size.inset + size.chamfer > 0:
        normals = _normals(lattice, made)
        around = _hull(eroder(normals, size.inset + size.chamfer))
        eroded = [_bodies(whole.minkowski_difference(around), size.edge) for whole in made]
        if any(len(bodies) != 1 for bodies in eroded):
            raise PuzzleError(_too_much(item.name, size))
        made = [one for (one,) in eroded]
        if size.chamfer:
            cutter = _hull(np.concatenate([normals, -normals]) * size.chamfer)
            made = [_plain(one.minkowski_sum(cutter), size.edge) for one in made]
    if item.balls is not None:
        made += _balls(item, item.balls, size, flat_dimension(lattice) == 2)
    return _parted(_plain(_union(made), size.edge), size.edge)


def _too_much(part: str, size: Dimensions) -> str:
    what, words = "clearance", f"a clearance of {size.clearance:g} mm is"
    if size.chamfer:
        what, words = "chamfer", f"a clearance of {size.clearance:g} mm and a chamfer of {size.chamfer:g} mm are"
    return (
        f"{words} too much for part {part!r} with an edge of {size.edge:g} mm: it splits the part; "
        f"give a smaller {what}, or a longer edge"
    )


def _plain(made: Manifold, edge: float) -> Manifold:
    """*made* without corners within faces and edges, and with nearly equal corners merged."""
    return made.as_original().simplify(SAME * edge)


def _bodies(made: Manifold, edge: float) -> list[Manifold]:
    """The connected bodies of *made*, each with its hollows, without slivers from rounding."""
    surfaces = [one for one in _plain(made, edge).decompose() if abs(one.volume()) > (SLIVER * edge) ** 3]
    return _with_hollows(surfaces)


def _with_hollows(surfaces: Sequence[Manifold]) -> list[Manifold]:
    """The bodies within closed surfaces; the volume of a surface around a hollow is negative."""
    hollows = [_turned_over(one) for one in surfaces if one.volume() < 0]
    outer = [one for one in surfaces if one.volume() > 0]
    if not hollows:
        return outer
    # a piece in the hollow of another is smaller than that hollow, and no piece is smaller than a hollow of its own
    return [one - _union(hollow for hollow in hollows if hollow.volume() < one.volume()) for one in outer]


def _turned_over(surface: Manifold) -> Manifold:
    vertices, triangles = arrays(surface)
    return _made(vertices, triangles[:, ::-1])


def count_of_bodies(made: Manifold) -> int:
    """The number of connected bodies of *made*. The surface of a hollow is none."""
    return sum(one.volume() > 0 for one in made.decompose())


def arrays(made: Manifold) -> tuple[Points, Triangles]:
    """Vertices, shape (n, 3), and triangles, shape (m, 3), anticlockwise as seen from outside."""
    mesh = made.to_mesh64()
    return np.array(mesh.vert_properties[:, :3], np.float64), np.array(mesh.tri_verts, np.int64)


def eroder(normals: Points, distance: float) -> Points:
    """The corners, shape (n, 3), of the body with faces at *distance* from the origin along *normals* and opposites.

    n is 0 if the normals do not enclose a body.
    """
    signed = np.concatenate([normals, -normals])
    threes = np.array(list(combinations(range(len(signed)), 3)), np.int64).reshape(-1, 3)
    systems = signed[threes]
    apart = np.abs(np.linalg.det(systems)) > PARALLEL
    meets = np.linalg.solve(systems[apart], np.full((int(apart.sum()), 3, 1), distance))[:, :, 0]
    inside = (meets @ signed.T <= distance * (1 + PARALLEL)).all(axis=1)
    corners, _ = weld(meets[inside], PARALLEL * distance)
    return corners


def _wholes(lattice: Lattice, item: SceneItem, size: Dimensions) -> list[Manifold]:
    """The connected pieces of the cells before erosion. Flat ones are thicker by what the erosion removes."""
    if flat_dimension(lattice) == 2:
        low, high = -size.inset, size.height + size.inset
        return list(_union(_prism(polygon, size.edge, low, high) for polygon in item.polygons).decompose())
    cells = [tuple(cell) for cell in item.cells.tolist() if len(lattice.nodes[cell[0]].drawing.vertices)]
    corners = Corners(lattice, cells)  # welded, so that neighbouring cells have exactly equal corners
    if meets_in_part(lattice):
        each = (_polyhedron(solid(corners.points, corners.joined([cell])), size.edge) for cell in cells)
        return _with_hollows(_union(each).decompose())
    # A union would leave slits of width 0 between two cells.
    return [_polyhedron(solid(corners.points, corners.joined(group)), size.edge) for group in _groups(corners, cells)]


def _groups(corners: Corners, cells: Sequence[Cell]) -> list[list[Cell]]:
    """The sets of cells that are connected by whole faces."""
    beside: defaultdict[frozenset[int], list[Cell]] = defaultdict(list)
    for cell in cells:
        for ring in corners.rings(cell):
            beside[frozenset(ring)].append(cell)
    groups, left = list[list[Cell]](), dict.fromkeys(cells)
    while left:
        group = [left.popitem()[0]]
        for cell in group:  # grows in the loop
            for other in (other for ring in corners.rings(cell) for other in beside[frozenset(ring)]):
                if other in left:
                    del left[other]
                    group.append(other)
        groups.append(group)
    return groups


def _union(bodies: Iterable[Manifold]) -> Manifold:
    from manifold3d import Manifold, OpType

    return Manifold.batch_boolean(list(bodies), OpType.Add)


def _hull(points: Points) -> Manifold:
    from manifold3d import Manifold

    return Manifold.hull_points(points)


def _made(vertices: Points, triangles: npt.ArrayLike) -> Manifold:
    from manifold3d import Error, Manifold, Mesh64

    found = Manifold(Mesh64(np.ascontiguousarray(vertices), np.array(triangles, np.uint64).reshape(-1, 3)))
    if found.status() != Error.NoError:
        raise InternalError(f"the drawing of a cell is not a closed surface ({found.status().name})")
    return found


def _triangles(rings: Sequence[Points]) -> npt.NDArray[np.int64]:
    """The triangles of a flat area, as indices of corners counted through all *rings*."""
    from manifold3d import triangulate

    return np.array(triangulate([np.ascontiguousarray(ring) for ring in rings]), np.int64).reshape(-1, 3)


def _polyhedron(drawn: Solid, edge: float) -> Manifold:
    triangles = []
    for face in drawn.faces:
        flat = drawn.vertices @ plane_axes(face.normal).T
        corners = np.concatenate([np.array(ring, np.int64) for ring in face.rings])
        triangles.append(corners[_triangles([flat[list(ring)] for ring in face.rings])])
    return _made(drawn.vertices * edge, np.concatenate(triangles))


def _prism(polygon: Polygon, edge: float, low: float, high: float) -> Manifold:
    points = np.concatenate(polygon.rings) * edge
    n = len(points)
    floor = _triangles([ring * edge for ring in polygon.rings])
    sides, start = [], 0
    for ring in polygon.rings:
        here = np.arange(start, start + len(ring))
        after = np.roll(here, -1)
        sides += [np.column_stack([here, after, after + n]), np.column_stack([here, after + n, here + n])]
        start += len(ring)
    vertices = np.concatenate([np.column_stack([points, np.full(n, height)]) for height in (low, high)])
    return _made(vertices, np.concatenate([floor[:, ::-1], floor + n, *sides]))


def _balls(item: SceneItem, balls: Balls, size: Dimensions, flat: bool) -> list[Manifold]:
    """Balls, or discs in a flat puzzle, smaller by the inset; and their necks."""
    from manifold3d import Manifold

    radii = balls.radii * size.edge - size.inset
    if radii.min() <= 0:
        raise PuzzleError(
            f"a clearance of {size.clearance:g} mm leaves nothing of the balls of part {item.name!r} with an edge of "
            f"{size.edge:g} mm; give a smaller clearance, or a longer edge"
        )
    centres = balls.centres * size.edge
    if flat:
        ball = [Manifold.cylinder(size.height, radius, circular_segments=AROUND) for radius in radii.tolist()]
        centres = padded(centres, 3)
    else:
        ball = [Manifold.sphere(radius, AROUND) for radius in radii.tolist()]
    height = size.height if flat else None
    necks = [_neck(centres[a], centres[b], NECK * float(min(radii[a], radii[b])), height) for a, b in balls.necks]
    return [*(one.translate(centre) for one, centre in zip(ball, centres, strict=True)), *necks]


def _neck(start: Points, end: Points, radius: float, height: float | None) -> Manifold:
    """A round bar from *start* to *end*; or a bar with flat sides, if *height* is that of a flat puzzle."""
    along = end - start
    across = plane_axes(along / np.linalg.norm(along)) * radius
    if height is None:
        turns = 2 * np.pi * np.arange(AROUND) / AROUND
        rim = np.outer(np.cos(turns), across[0]) + np.outer(np.sin(turns), across[1])
    else:
        sideways = np.array([-along[1], along[0], 0]) * radius / np.linalg.norm(along)
        up = np.array([0, 0, height])
        rim = np.array([sideways, -sideways, sideways + up, up - sideways])
    return _hull(np.concatenate([start + rim, end + rim]))


def _normals(lattice: Lattice, wholes: Sequence[Manifold]) -> Points:
    """The normals of the faces of the lattice's cells and of *wholes*; one of two opposite normals."""
    vertices, triangles = arrays(_union(wholes))
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    areas = np.cross(b - a, c - a)
    lengths = np.linalg.norm(areas, axis=1)
    flat = flat_dimension(lattice) == 2
    found = [areas[lengths > 0] / lengths[lengths > 0, None], *([np.array([[0.0, 0.0, 1.0]])] if flat else [])]
    for node in range(len(lattice.nodes)):
        corners, rings = rings_of_node(lattice, node)
        if len(corners) and not flat:
            found.append(np.array([normal(corners, ring) for ring in rings]))
        elif len(corners):
            sides = np.concatenate([np.roll(corners[list(r)], -1, axis=0) - corners[list(r)] for r in rings])
            across = np.column_stack([sides[:, 1], -sides[:, 0], np.zeros(len(sides))])
            found.append(across / np.linalg.norm(sides, axis=1)[:, None])
    normals = np.concatenate(found)
    steep = np.abs(normals) > PARALLEL
    first = normals[np.arange(len(normals)), steep.argmax(axis=1)]
    distinct, _ = weld(normals * np.sign(first)[:, None], PARALLEL)
    return distinct


def _parted(made: Manifold, edge: float) -> Manifold:
    """*made* with slits where it touches itself only in an edge or a corner, which no printer can make."""
    from manifold3d import Manifold, OpType

    small = HAIR * edge * np.array(list(product((-1.0, 1.0), repeat=3)))
    for _ in range(ROUNDS):
        touching = _touching(made, SAME * edge)
        if not touching:
            return made
        slits = [_hull(np.concatenate([place + small for place in places])) for places in touching]
        made = _plain(Manifold.batch_boolean([made, *slits], OpType.Subtract), edge)
    raise InternalError("a part still touches itself after all slits were cut")


def _touching(made: Manifold, tolerance: float) -> list[tuple[Points, ...]]:
    """The edges (pairs of points) and single points at which the surface touches itself."""
    vertices, triangles = arrays(made)
    places, index = weld(vertices, tolerance)
    double = np.bincount(index, minlength=len(places)) > 1  # a corner of a proper surface has a single fan of faces
    corners = index[triangles]
    edges, times = np.unique(np.concatenate([corners[:, [k, k - 2]] for k in range(3)]), axis=0, return_counts=True)
    lines = np.unique(np.sort(edges[times > 1], axis=1), axis=0)
    points = without(np.flatnonzero(double), lines)
    return [(places[a], places[b]) for a, b in lines] + [(places[k],) for k in points]
