"""Data for the editor: the cells and parts of a puzzle, and the look of the lattice's cells."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np

from latcover.apps.web.app_words import in_app_words
from latcover.apps.web.best_solutions import objectives_of
from latcover.apps.web.edits import MOTIONS, motions_of
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


def lattice_data(lattice: Lattice) -> dict[str, Any]:
    """How the cells of a lattice look from above.

    Keys: ``basis`` (the picture's step along each axis), ``size`` (of a cell) and ``nodes``: of each its ``name``,
    ``position``, ``secondary``, and what is drawn about its centre: ``rings`` (of a flat cell, or of a solid cut at the
    height of its centre) or ``radius``; and what `shaping_data.nodes_in_space` says. Where there are three dimensions,
    cells of one height are a layer. ``moves`` are the `shaping_data.motions`.

    ``edges`` are the half-edges: of each its ``label``, ``node``, ``target`` and ``step``, and the ``ring`` about its
    cell's centre that shows what is at this side, where a drawing can show it. ``generators`` names transformations.
    """
    flat = flat_dimension(lattice) == 2
    return {
        "name": lattice.name,
        "title": lattice.title,
        "dimension": lattice.dimension,
        "space": not flat,
        "size": round(cell_size(lattice), DIGITS),
        "basis": _listed(in_picture(lattice, lattice.basis)),
        "nodes": [_node_data(lattice, number, flat) | more for number, more in enumerate(nodes_in_space(lattice))],
        "moves": list(motions(lattice)),
        "motions": motions_of(lattice, lattice.allowed(lattice.default_transformations)),
        "generators": list(lattice.generators),
        "edges": [_edge_data(lattice, edge) for edge in lattice.half_edges],
    }


def _edge_data(lattice: Lattice, edge: HalfEdge) -> dict[str, Any]:
    data = {"label": edge.label, "node": edge.node, "target": edge.target, "step": list(edge.step)}
    if flat_dimension(lattice) == 3:  # seen from above, sides cover each other
        return data
    cell = (edge.node, *[0] * lattice.dimension)
    marks = side_marks(lattice, [(cell, edge.label, "")], {"": palette.PAPER})
    middle = in_picture(lattice, lattice.centres(np.array([cell], np.int32)))[0]
    return data | ({"ring": _listed(marks[0].ring - middle[:2])} if marks else {})


def _node_data(lattice: Lattice, number: int, flat: bool) -> dict[str, Any]:
    node = lattice.nodes[number]
    position = in_picture(lattice, np.array([node.position]))[0]
    data: dict[str, Any] = {"name": node.name, "position": _listed(position), "secondary": node.secondary}
    if node.drawing.radius > 0:
        return data | {"radius": round(node.drawing.radius, DIGITS)}
    vertices, faces = rings_of_node(lattice, number)
    rings = [vertices[list(ring)] for ring in faces] if flat else _middle(vertices, faces, cell_size(lattice))
    return data | {"rings": [_listed(ring[:, :2]) for ring in rings]}


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


@singledispatch
def editor_data(subject: Puzzle | NamedProblem) -> dict[str, Any]:
    """Data of a puzzle for the editor; for a bare problem, only its figures."""
    raise NotImplementedError(type(subject))


@editor_data.register
def _of_puzzle(subject: Puzzle) -> dict[str, Any]:
    complaints, toml = list(complaints_about(subject)), ""
    judged = tuple(complaint.message for complaint in complaints)  # the reader has put them in its own words
    warnings = [str(c) for c in subject.warnings if not c.message.endswith(judged)]
    warnings += [c.message for c in complaints if c.warning]
    try:
        toml = puzzle_as_toml([subject])
    except LatcoverError as fault:
        warnings.append(f"no file of our own form: {fault}")
    region = subject.region
    signs = letters(subject)
    return {
        "kind": "puzzle",
        "name": subject.name,
        "title": subject.title or subject.name,
        "own_title": subject.title,
        "source": subject.source,
        "comment": subject.comment,
        "lattice": lattice_data(subject.lattice),
        "region": {
            "cells": region.cells.tolist(),
            "colours": region.colours.tolist(),
            "optional": region.optional.astype(int).tolist(),
            "period": region.period.written(),
            "max_empty": region.max_empty,
            "sides": [[list(cell), edge, subject.rules.sides[value]] for cell, edge, value in subject.rules.asked],
            "alike": [list(map(list, group)) for group in subject.rules.alike],
        },
        "parts": [
            part_data(subject, part, k, letter=signs[part.name][0], rgb=palette.hexadecimal(rgb))
            for k, (part, rgb) in enumerate(zip(subject.parts, looks_of_parts(subject), strict=True))
        ],
        "colours": [
            {"name": name, "rgb": palette.hexadecimal(rgb)}
            for name, rgb in zip(subject.colours, palette.cell_colours(subject.colours), strict=True)
        ],
        "palette": [palette.hexadecimal(rgb) for rgb in palette.COLOURS],
        "motions": list(MOTIONS),
        "rules": rules_as_data(subject),
        "sides": _sides_data(subject),
        "expect": {},
        "published": [],
        **figures_as_data(subject),
        "objectives": objectives_of(subject),
        "faults": [in_app_words(c.message) for c in complaints if not c.warning],
        "warnings": list(dict.fromkeys(map(in_app_words, warnings))),
        "toml": toml,
    }


@editor_data.register
def _of_problem(named: NamedProblem) -> dict[str, Any]:
    problem = named.problem
    return {
        "kind": "problem",
        "name": named.name,
        "title": named.name,
        "options": problem.n_options,
        "items": problem.n_items,
        "faults": [],
        "warnings": [in_app_words(str(warning)) for warning in named.warnings],
        "toml": "",
    }


def part_data(puzzle: Puzzle, part: Part, number: int, *, letter: str, rgb: str) -> dict[str, Any]:
    """A part as the editor has it; see `edits`. Each of its sides names its cell: [cell, edge, value]."""
    cells = part.cells.tolist()
    return {
        "name": part.name,
        "from": number,
        "letter": letter,
        "rgb": rgb,
        "cells": cells,
        "colours": part.colours.tolist(),
        "low": part.low,
        "high": part.high,
        "motions": motions_of(puzzle.lattice, part.transformations),
        "sides": [[cells[k], edge, puzzle.rules.sides[value]] for k, edge, value in part.sides.tolist()],
        "display_colour": part.display_colour,
        "groups": [list(group) for group in part.groups],
        "weight": part.weight,
    }


def _sides_data(puzzle: Puzzle) -> dict[str, Any] | None:
    """The table [sides] and the colours of its values; None if no file can express them."""
    try:
        table: dict[str, Any] = sides_as_data(puzzle.rules).get("sides", {})
    except LatcoverError:
        return None
    return table | {"looks": {name: palette.hexadecimal(rgb) for name, rgb in side_looks(puzzle.rules).items()}}


def fault_data(fault: Exception) -> dict[str, Any]:
    """An error for the client: one paragraph, and all complaints if there are several."""
    complaints = [str(complaint) for complaint in fault.complaints][:50] if isinstance(fault, InputError) else []
    return {"message": in_app_words(str(fault)), "complaints": [in_app_words(text) for text in complaints]}
