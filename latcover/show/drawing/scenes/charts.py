"""Charts: squares in rows and columns with numbers at the rim, each with a colour and a letter."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from latcover.core.model.lattice import Lattice
from latcover.show.drawing.palette import RGB
from latcover.show.drawing.scenes.scene_building import CellGroup, build_scene
from latcover.show.drawing.scenes.scene_model import PLAIN, Scene


class ChartMark(Struct, frozen=True):
    """The look of a square, and what it means."""

    letter: str
    paint: RGB
    meaning: str


def chart(title: str, marks: Mapping[tuple[int, int], ChartMark], squares: Lattice) -> Scene:
    """The scene of *marks*, by row and column from 1, on the lattice of squares."""
    rim = {(row, 0) for row, _ in marks} | {(0, column) for _, column in marks}
    groups = [CellGroup("", 1, PLAIN, str(max(at)), ((0, *at),), True) for at in sorted(rim)]
    groups += [
        CellGroup(mark.meaning, 1, PLAIN, mark.letter, ((0, *at),), paint=mark.paint)
        for at, mark in sorted(marks.items(), key=lambda each: each[0])
    ]
    return build_scene(squares, title, groups)
