"""Models to print: every copy of a part, or a solution, as closed meshes in millimetres.

`docs/how-to/printing.md` describes the models of each lattice. `latcover.show.printing.bodies` makes the meshes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Part, Puzzle
from latcover.core.model.solution import Solution
from latcover.errors import PuzzleError
from latcover.show.drawing import palette
from latcover.show.drawing.scenes import explosion, scene
from latcover.show.drawing.scenes.scene_model import SceneItem
from latcover.show.drawing.shapes.cell_corners import flat_dimension
from latcover.show.drawing.shapes.outlines import Points, padded
from latcover.show.printing.bodies import Triangles, arrays, body, count_of_bodies
from latcover.show.printing.layout import Dimensions, require_share, shelves, too_tight
from latcover.system.extras import require

PLAIN = Dimensions()
GAP = 5.0  # millimetres between models side by side
LEVEL = 1e-6  # of a model's height: faces that lie lower rest on the plate


class Model(Struct, frozen=True, eq=False):
    """A copy of a part as a closed surface.

    Attributes:
        name: The part's name, with the number of the copy if there are several.
        part: The part's name.
        colour: Red, green and blue, 0 to 255, as in the pictures.
        vertices: In millimetres, shape (n, 3); z points upwards.
        triangles: Indices of vertices, anticlockwise as seen from outside, shape (m, 3), int64.
        bodies: The number of its pieces; more than 1 if cells are connected only by an edge or a corner.
    """

    name: str
    part: str
    colour: palette.RGB
    vertices: Points
    triangles: Triangles
    bodies: int

    @property
    def volume(self) -> float:
        """In cubic millimetres."""
        a, b, c = (self.vertices[self.triangles[:, k]] for k in range(3))
        return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6

    @property
    def box(self) -> Points:
        """Opposite corners of the box around it, shape (2, 3)."""
        return np.stack([self.vertices.min(axis=0), self.vertices.max(axis=0)])

    def moved(self, by: Points) -> Model:
        return replace(self, vertices=self.vertices + by)


def require_libraries(what: str) -> None:
    """Raise a `BackendUnavailableError` if models cannot be made, before a long search."""
    require(what, ("manifold3d", "trimesh"), extra="mesh")


def of_solution(
    puzzle: Puzzle,
    solution: Solution,
    size: Dimensions = PLAIN,
    explode: float = 0.0,
    order: explosion.RemovalOrder | None = None,
) -> tuple[Model, ...]:
    """A solution: a model for each copy of a part, without empty cells.

    Parts move away from the common middle by *explode* times their distance from it, or in their *order* of removal
    if it is given; see `latcover.show.drawing.scenes.explosion`.

    Raises:
        PuzzleError: the clearance leaves nothing of a part, or splits it.
        BackendUnavailableError: a library is not installed.
    """
    require_libraries("a model of a solution")
    require_share(explode)
    shown = scene.of_solution(puzzle, solution)
    shown = replace(shown, items=tuple(item for item in shown.items if not item.faint))
    copies = Counter(placed.part for placed in solution.placements)
    models = [_model(puzzle.lattice, item, size, copies[item.name] > 1) for item in shown.items]
    if not models:
        raise PuzzleError(f"{shown.title} uses no part, so there is no model of it")
    apart = explode * size.edge * explosion.of_scene(shown, order) if explode else np.zeros((len(models), 3))
    return grounded([model.moved(by) for model, by in zip(models, apart, strict=True)])


def of_part(puzzle: Puzzle, name: str, size: Dimensions = PLAIN) -> Model:
    """One copy of a part in its lowest orientation under the rotations of the lattice. Raises as `of_solution`."""
    require_libraries("a model of a part")
    return grounded([_lying(puzzle, name, size)])[0]


def of_parts(puzzle: Puzzle, size: Dimensions = PLAIN) -> tuple[Model, ...]:
    """The `copies_to_print` of every part, side by side on a plate. Raises the errors of `of_part`."""
    require_libraries("a model of the parts")
    if not puzzle.parts:
        raise PuzzleError(f"{puzzle.name} has no parts yet, so there is nothing to print")
    models = []
    for part in puzzle.parts:
        one = _lying(puzzle, part.name, size)
        copies = copies_to_print(puzzle, part)
        for copy in range(1, copies + 1):
            name = f"{part.name} {copy}" if copies > 1 else part.name
            models.append(replace(one, name=name, colour=scene.paint_of_copy(puzzle, part, copy)))
    return laid_out(models)


def grounded(models: Sequence[Model]) -> tuple[Model, ...]:
    """*models* moved together so that no coordinate is negative, as slicers require."""
    low = np.min([model.box[0] for model in models], axis=0) if models else np.zeros(3)
    return tuple(model.moved(-low) for model in models)


def laid_out(models: Sequence[Model]) -> tuple[Model, ...]:
    """*models* side by side on the plate, in the same order."""
    boxes = [model.box for model in models]
    places = shelves([(float(width), float(depth)) for width, depth, _ in (high - low for low, high in boxes)], GAP)
    return tuple(model.moved(place - low) for model, place, (low, _) in zip(models, places, boxes, strict=True))


def copies_to_print(puzzle: Puzzle, part: Part) -> int:
    """The greatest number of copies, or the least if there is no upper bound; at least 1."""
    return max(1, part.low if part.high is None else puzzle.most_copies(part))


def remarks(puzzle: Puzzle, models: Sequence[Model], size: Dimensions) -> list[str]:
    """Remarks for the user: the measures, parts that are too tight or in pieces, what the models do not show."""
    found = [size.in_words(puzzle.lattice), *filter(None, [too_tight(puzzle, size)])]
    loose = dict.fromkeys(model.part for model in models if model.bodies > 1)
    if loose:
        why = "since their cells are connected only by an edge or a corner, or not at all"
        found.append(f"in several pieces, {why}: {', '.join(loose)}")
    printed = {model.part for model in models}
    if any(len(part.sides) for part in puzzle.parts if part.name in printed):
        found.append("the values on sides (keys and locks too) are not part of the models")
    if any(part.colours.any() for part in puzzle.parts if part.name in printed):
        found.append("the colours of single cells are not part of the models: every part has one colour")
    return found


def _model(lattice: Lattice, item: SceneItem, size: Dimensions, several: bool) -> Model:
    start = item.cells[:, 1:].min(axis=0)  # the body is made beside the origin, where numbers hold the finest gaps
    away = start @ lattice.basis
    near = replace(item.moved(-padded(away, flat_dimension(lattice))), cells=item.cells - [0, *start])
    made = body(lattice, near, size)
    vertices, triangles = arrays(made)
    vertices += padded(away, 3) * size.edge
    name = f"{item.name} {item.copy}" if several else item.name
    return Model(name, item.name, item.rgb, vertices, triangles, count_of_bodies(made))


def _lying(puzzle: Puzzle, name: str, size: Dimensions) -> Model:
    """The model of a part in its lowest orientation, with the largest area on the plate if several are equally low."""
    model = _model(puzzle.lattice, scene.of_whole_part(puzzle, name).items[0], size, False)
    turned = [replace(model, vertices=model.vertices @ turn.T) for turn in _turns(puzzle.lattice)]
    return min(turned, key=lambda one: (round(float(np.ptp(one.vertices[:, 2])), 6), -round(_rest(one), 6)))


def _rest(model: Model) -> float:
    """The area that touches the plate."""
    corners = model.vertices[model.triangles]
    low, high = model.box[:, 2]
    resting = corners[(corners[:, :, 2] < low + LEVEL * (high - low)).all(axis=1)]
    areas = np.cross(resting[:, 1] - resting[:, 0], resting[:, 2] - resting[:, 0])[:, 2]
    return float(np.abs(areas).sum()) / 2


def _turns(lattice: Lattice) -> Iterable[Points]:
    """The rotations of the lattice that keep lengths, as matrices; the identity first."""
    if lattice.dimension < 3:
        return [np.eye(3)]
    basis = lattice.basis.T
    matrices = [basis @ t.matrix @ np.linalg.inv(basis) for t in lattice.transformations if t.proper]
    return [turn for turn in matrices if np.allclose(turn @ turn.T, np.eye(3), atol=1e-9)]
