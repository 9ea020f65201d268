"""Data for a page that takes pieces apart without Python: see engine.js of `latcover.backends.wasm`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Placed
from latcover.lab.assembly.taking_apart import Assembler


def sliding_data(puzzle: Puzzle, placements: Sequence[Placed], *, in_plane: bool = False) -> dict[str, Any]:
    """The argument of ``Engine.takeApart``.

    Args:
        puzzle: The puzzle.
        placements: The pieces in the order of their numbers: those of a solution, or of all options.
        in_plane: Whether pieces that lie in a plane must stay in it.

    Returns:
        Plain data. ``slides`` holds the step and the map of each direction, 12 numbers; ``scales`` a row for each, what
        a step along each axis is in steps of the direction; ``hits`` what is met, in triples; ``cells`` of the shapes,
        four numbers each; ``low`` and ``high`` how far each shape reaches along each direction; ``pieces`` the shape,
        kind, weight, x, y and z of each placement. If ``flat`` is true, the pieces are lifted off one by one, and only
        ``pieces`` is there besides.

    Raises:
        UnsupportedError: the lattice does not say how its parts slide, or the region closes on itself.
    """
    assembler = Assembler(puzzle, in_plane)
    if assembler.lifted:
        return {"flat": True, "pieces": [[] for _ in placements]}
    pieces = [assembler.row(placed) for placed in placements]
    shapes = list(assembler.shapes.values())
    return {
        "flat": False,
        "dimension": puzzle.lattice.dimension,
        "slides": assembler.slides.slides.tolist(),
        "scales": assembler.scales,
        "n_nodes": assembler.slides.n_nodes,
        "hit_starts": assembler.slides.hit_starts.tolist(),
        "hits": assembler.slides.hits.tolist(),
        "shape_starts": [0, *accumulate(len(shape.cells) for shape in shapes)],
        "cells": [x for shape in shapes for x in shape.cells.reshape(-1).tolist()],
        "low": [x for shape in shapes for x in shape.low],
        "high": [x for shape in shapes for x in shape.high],
        "n_kinds": max(1, len(puzzle.parts)),
        "limits": assembler.group_limits.reshape(-1).tolist(),
        "pieces": pieces,
    }
