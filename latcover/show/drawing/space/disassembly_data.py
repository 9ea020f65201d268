"""Disassemblies as plain data, which ``static/film_making.js`` animates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from latcover.core.model.disassembly import Separation, Step
from latcover.core.model.move_words import move_as_text
from latcover.core.model.turn_data import Turn
from latcover.show.drawing.scenes.dismantling import Dismantling, result_in_words
from latcover.show.drawing.scenes.poses import middle_of_turn
from latcover.show.drawing.shapes.outlines import padded
from latcover.show.drawing.space.shape_data import numbers


def disassembly_data(apart: Dismantling, names: Sequence[str]) -> dict[str, Any]:
    """A disassembly for the viewer, whose words use these *names* of the pieces.

    Keys: ``result`` and its ``words``; ``cells``: for each piece the centres of its cells, x, y, z, …;
    ``separations``: for each the ``pieces``, ``stays`` and ``removed``, as numbers of pieces, and ``steps``. A step
    has its ``pieces``, ``by`` (their displacement x, y, z), ``separates`` and ``words``; a turn also ``turn``: the
    ``axis``, the ``middle`` where the pieces are after the steps before, and the ``path``: rows of an angle in degrees
    and a displacement x, y, z.
    """
    return {
        "result": apart.disassembly.result,
        "words": result_in_words(apart.disassembly),
        "cells": [numbers(cells) for cells in apart.cells],
        "separations": [_separation_data(apart, separation, names) for separation in apart.separations],
    }


def _separation_data(apart: Dismantling, separation: Separation, names: Sequence[str]) -> dict[str, Any]:
    return {
        "pieces": list(separation.pieces),
        "stays": list(separation.stays),
        "removed": list(separation.removed),
        "steps": [
            {
                "pieces": list(step.pieces),
                "by": numbers(apart.vector(step)),
                "separates": step.separates,
                "words": _words(apart, step, names),
                **({} if step.turn is None else {"turn": _turn_data(step.turn)}),
            }
            for step in separation.steps
        ],
    }


def _turn_data(turn: Turn) -> dict[str, Any]:
    path = np.array(turn.path)
    rows = np.column_stack([path[:, :1], padded(path[:, 1:], 3)])
    return {
        "axis": numbers(np.array(turn.axis)),
        "middle": numbers(middle_of_turn(turn)),
        "path": [numbers(row) for row in rows],
    }


def _words(apart: Dismantling, step: Step, names: Sequence[str]) -> str:
    if step.direction:
        return move_as_text(apart.puzzle.lattice, step, names)
    return f"part {names[step.pieces[0]]} is lifted off"
