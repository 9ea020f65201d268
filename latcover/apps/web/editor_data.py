"""Data for the editor: the cells and parts of a puzzle, and the look of the lattice's cells."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import UNSET
from msgspec.structs import asdict, replace

from latcover.apps.web.app_words import in_app_words
from latcover.apps.web.best_solutions import objectives_of
from latcover.apps.web.editor_answers import (
    EdgeData,
    LatticeData,
    NodeData,
    NodeInSpace,
    PartData,
    ProblemData,
    PuzzleData,
    RegionData,
    SidesTable,
    Tint,
)
from latcover.apps.web.edits import MOTIONS, motions_of
from latcover.apps.web.messages import Fault
from latcover.apps.web.shaping_data import motions, nodes_in_space
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.model.lattice import HalfEdge, Lattice
from latcover.core.model.puzzle import Part, Puzzle
from latcover.core.model.puzzle_checks import complaints_about
from latcover.errors import InputError, LatcoverError
from latcover.files.formats.puzzle_files.puzzle_writer import figures_as_data, puzzle_as_toml
from latcover.files.formats.puzzle_files.rules_writer import rules_as_data, sides_as_data
from latcover.show.drawing import palette
from latcover.show.drawing.part_letters import letters
from latcover.show.drawing.scenes.scene import looks_of_parts
from latcover.show.drawing.scenes.side_marks import side_looks, side_marks
from latcover.show.drawing.shapes.cell_corners import cell_size, flat_dimension, in_picture, rings_of_node
from latcover.show.drawing.shapes.outlines import Points, Ring
from latcover.show.drawing.shapes.solids import cut, solid

DIGITS = 5
NEAR = 1e-4  # of the size of a cell: how far from a corner's height a solid is cut


def lattice_data(lattice: Lattice) -> LatticeData:
    """How the cells of a lattice look from above, and how they move."""
    flat = flat_dimension(lattice) == 2
    return LatticeData(
        name=lattice.name,
        title=lattice.title,
        dimension=lattice.dimension,
        space=not flat,
        size=round(cell_size(lattice), DIGITS),
        basis=_listed(in_picture(lattice, lattice.basis)),
        nodes=[_node_data(lattice, number, inside) for number, inside in enumerate(nodes_in_space(lattice))],
        moves=list(motions(lattice)),
        motions=motions_of(lattice, lattice.allowed(lattice.default_transformations)),
        generators=list(lattice.generators),
        edges=[_edge_data(lattice, edge) for edge in lattice.half_edges],
    )


def _edge_data(lattice: Lattice, edge: HalfEdge) -> EdgeData:
    data = EdgeData(label=edge.label, node=edge.node, target=edge.target, step=list(edge.step))
    if flat_dimension(lattice) == 3:  # seen from above, sides cover each other
        return data
    cell = (edge.node, *[0] * lattice.dimension)
    marks = side_marks(lattice, [(cell, edge.label, "")], {"": palette.PAPER})
    middle = in_picture(lattice, lattice.centres(np.array([cell], np.int32)))[0]
    return replace(data, ring=_listed(marks[0].ring - middle[:2])) if marks else data


def _node_data(lattice: Lattice, number: int, inside: NodeInSpace) -> NodeData:
    node = lattice.nodes[number]
    position = in_picture(lattice, np.array([node.position]))[0]
    data = NodeData(name=node.name, position=_listed(position), secondary=node.secondary, **asdict(inside))
    if node.drawing.radius > 0:
        return replace(data, radius=round(node.drawing.radius, DIGITS))
    vertices, faces = rings_of_node(lattice, number)
    flat = flat_dimension(lattice) == 2
    rings = [vertices[list(ring)] for ring in faces] if flat else _middle(vertices, faces, cell_size(lattice))
    return replace(data, rings=[_listed(ring[:, :2]) for ring in rings])


def _middle(vertices: Points, faces: tuple[Ring, ...], size: float) -> list[Points]:
    """A solid cut at the height of its centre, or just beside it if a corner lies there."""
    body = solid(vertices, faces)
    low, high = vertices[:, 2].min(), vertices[:, 2].max()
    height = 0.0 if low < 0 < high else float(low + high) / 2
    while np.abs(vertices[:, 2] - height).min() < NEAR * size / 2:
        height += NEAR * size
    return [ring for polygon in cut(body, height, 1e-6 * size) for ring in polygon.rings]


def _listed(values: Points) -> Any:
    return (np.round(values, DIGITS) + 0.0).tolist()


def puzzle_for_editor(puzzle: Puzzle) -> PuzzleData:
    """A puzzle with its mistakes, and its file."""
    complaints, toml = list(complaints_about(puzzle)), ""
    judged = tuple(complaint.message for complaint in complaints)  # the reader has put them in its own words
    warnings = [str(c) for c in puzzle.warnings if not c.message.endswith(judged)]
    warnings += [c.message for c in complaints if c.warning]
    try:
        toml = puzzle_as_toml([puzzle])
    except LatcoverError as fault:
        warnings.append(f"no file of our own form: {fault}")
    signs = letters(puzzle)
    figures = figures_as_data(puzzle)
    return PuzzleData(
        name=puzzle.name,
        title=puzzle.title or puzzle.name,
        own_title=puzzle.title,
        source=puzzle.source,
        comment=puzzle.comment,
        lattice=lattice_data(puzzle.lattice),
        region=_region_data(puzzle),
        parts=[
            _part_data(puzzle, part, k, letter=signs[part.name][0], rgb=palette.hexadecimal(rgb))
            for k, (part, rgb) in enumerate(zip(puzzle.parts, looks_of_parts(puzzle), strict=True))
        ],
        colours=[
            Tint(name, palette.hexadecimal(rgb))
            for name, rgb in zip(puzzle.colours, palette.cell_colours(puzzle.colours), strict=True)
        ],
        palette=[palette.hexadecimal(rgb) for rgb in palette.COLOURS],
        motions=list(MOTIONS),
        rules=rules_as_data(puzzle),
        sides=_sides_table(puzzle),
        expect=figures.get("expect", {}),
        published=list(puzzle.published),
        turning=figures.get("turning", UNSET),
        objectives=objectives_of(puzzle),
        faults=[in_app_words(c.message) for c in complaints if not c.warning],
        warnings=list(dict.fromkeys(map(in_app_words, warnings))),
        toml=toml,
    )


def _region_data(puzzle: Puzzle) -> RegionData:
    region, rules = puzzle.region, puzzle.rules
    return RegionData(
        cells=region.cells.tolist(),
        colours=region.colours.tolist(),
        optional=region.optional.astype(int).tolist(),
        period=region.period.written(),
        max_empty=region.max_empty,
        sides=[(list(cell), edge, rules.sides[value]) for cell, edge, value in rules.asked],
        alike=[list(map(list, group)) for group in rules.alike],
    )


def problem_for_editor(named: NamedProblem) -> ProblemData:
    """The figures of a bare problem."""
    return ProblemData(
        name=named.name,
        title=named.name,
        options=named.problem.n_options,
        items=named.problem.n_items,
        faults=[],
        warnings=[in_app_words(str(warning)) for warning in named.warnings],
        toml="",
    )


def _part_data(puzzle: Puzzle, part: Part, number: int, *, letter: str, rgb: str) -> PartData:
    cells = part.cells.tolist()
    return PartData(
        name=part.name,
        origin=number,
        letter=letter,
        rgb=rgb,
        cells=cells,
        colours=part.colours.tolist(),
        low=part.low,
        high=part.high,
        motions=motions_of(puzzle.lattice, part.transformations),
        sides=[(cells[k], edge, puzzle.rules.sides[value]) for k, edge, value in part.sides.tolist()],
        display_colour=part.display_colour,
        groups=list(part.groups),
        weight=part.weight,
    )


def _sides_table(puzzle: Puzzle) -> SidesTable | None:
    """The table [sides] and the colours of its values; None if no file can express them."""
    try:
        table = sides_as_data(puzzle.rules).get("sides", {})
    except LatcoverError:
        return None
    return SidesTable(
        table=table, looks={name: palette.hexadecimal(rgb) for name, rgb in side_looks(puzzle.rules).items()}
    )


def as_fault(error: Exception) -> Fault:
    """An error for the client."""
    complaints = [str(complaint) for complaint in error.complaints][:50] if isinstance(error, InputError) else []
    return Fault(in_app_words(str(error)), [in_app_words(text) for text in complaints])
