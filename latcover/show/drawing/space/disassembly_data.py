"""Disassemblies as plain data, which ``static/film_making.js`` animates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import UNSET

from latcover.core.model.disassembly import Separation, Step
from latcover.core.model.move_words import move_as_text
from latcover.core.model.turn_data import Turn
from latcover.show.drawing.scenes.dismantling import Dismantling, result_in_words
from latcover.show.drawing.scenes.poses import middle_of_turn
from latcover.show.drawing.shapes.outlines import padded
from latcover.show.drawing.space.scene_structs import DisassemblyData, SeparationData, StepData, TurnPath
from latcover.show.drawing.space.shape_data import numbers


def disassembly_data(apart: Dismantling, names: Sequence[str]) -> DisassemblyData:
    """A disassembly for the viewer, whose words use these *names* of the pieces."""
    return DisassemblyData(
        apart.disassembly.result,
        result_in_words(apart.disassembly),
        [numbers(cells) for cells in apart.cells],
        [_separation_data(apart, separation, names) for separation in apart.separations],
    )


def _separation_data(apart: Dismantling, separation: Separation, names: Sequence[str]) -> SeparationData:
    steps = [
        StepData(
            pieces=list(step.pieces),
            by=numbers(apart.vector(step)),
            separates=step.separates,
            words=_words(apart, step, names),
            turn=UNSET if step.turn is None else _turn_path(step.turn),
        )
        for step in separation.steps
    ]
    return SeparationData(list(separation.pieces), list(separation.stays), list(separation.removed), steps)


def _turn_path(turn: Turn) -> TurnPath:
    path = np.array(turn.path)
    rows = np.column_stack([path[:, :1], padded(path[:, 1:], 3)])
    return TurnPath(numbers(np.array(turn.axis)), numbers(middle_of_turn(turn)), [numbers(row) for row in rows])


def _words(apart: Dismantling, step: Step, names: Sequence[str]) -> str:
    if step.direction:
        return move_as_text(apart.puzzle.lattice, step, names)
    return f"part {names[step.pieces[0]]} is lifted off"
