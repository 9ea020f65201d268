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
from latcover.show.drawing.space.scene_structs import DisassemblyData, GivingPath, SeparationData, StepData, TurnPath
from latcover.show.drawing.space.shape_data import numbers


def disassembly_data(apart: Dismantling, names: Sequence[str]) -> DisassemblyData:
    """A disassembly for the viewer, whose words use these *names* of the pieces."""
    play = apart.disassembly.needed_play
    return DisassemblyData(
        result=apart.disassembly.result,
        words=result_in_words(apart.disassembly),
        cells=[numbers(cells) for cells in apart.cells],
        separations=[_separation_data(apart, separation, names) for separation in apart.separations],
        play=UNSET if play is None else play,
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
    giving = [GivingPath(one.piece, _rows(one.path)) for one in turn.giving]
    return TurnPath(
        axis=numbers(np.array(turn.axis)),
        middle=numbers(middle_of_turn(turn)),
        path=_rows(turn.path),
        giving=giving or UNSET,
    )


def _rows(path: Sequence[Sequence[float]]) -> list[list[float]]:
    poses = np.array(path)
    return [numbers(row) for row in np.column_stack([poses[:, :1], padded(poses[:, 1:4], 3), poses[:, 4:]])]


def _words(apart: Dismantling, step: Step, names: Sequence[str]) -> str:
    if step.direction:
        return move_as_text(apart.puzzle.lattice, step, names)
    return f"part {names[step.pieces[0]]} is lifted off"
