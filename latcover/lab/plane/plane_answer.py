"""What is known about shapes in the plane: the answer to a `PlaneRequest`."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import Struct

from latcover.core.cover.result import Stop
from latcover.lab.plane.prototiles import Patch, PeriodicTiling, Prototiles


class Verdict(StrEnum):
    """Which of the answers it is."""

    ISOHEDRAL = "isohedral"
    PERIODIC = "periodic"
    NONE = "none"
    UNKNOWN = "unknown"


class Heesch(Struct, frozen=True):
    """How often a shape can be surrounded.

    Attributes:
        number: Coronas around the tile such that the patch has no hole (Hc). It is exact if `exact`; else there are
            as many at least.
        patch: Shows them.
        with_hole: The same when the last corona may leave holes (Hh); None if that was not asked.
        patch_with_hole: Shows them, if there are more than without a hole.
        exact: Whether no further corona is possible: the search for one was exhausted.
    """

    number: int
    patch: Patch
    with_hole: int | None = None
    patch_with_hole: Patch | None = None
    exact: bool = True


class PlaneAnswer(Struct, frozen=True):
    """Whether and how shapes tile the plane.

    Attributes:
        verdict: ISOHEDRAL: there is a tiling in whose group all tiles are equivalent. PERIODIC: there is a periodic
            tiling, but no isohedral one. NONE: there is no tiling. UNKNOWN: none of these is known.
        tiling: A periodic tiling with as few classes as were found.
        classes: Its classes of tiles.
        classes_exact: Whether fewer are excluded.
        group: The name of its symmetry group: p1 to p6m.
        heesch: How often the shape can be surrounded, if it has no periodic tiling that is known.
        excluded: No tiling has at most so many classes.
        searched: No torus of at most so many cells can be covered; 0 if none was searched.
        smallest: A tiling of the smallest torus of the kind that was asked for; None if none was asked for or found.
        stop: EXHAUSTED, or why the search was cut short.
    """

    verdict: Verdict
    tiling: PeriodicTiling | None = None
    classes: int | None = None
    classes_exact: bool = True
    group: str = ""
    heesch: Heesch | None = None
    excluded: int = 0
    searched: int = 0
    smallest: PeriodicTiling | None = None
    stop: Stop = Stop.EXHAUSTED

    def __repr__(self) -> str:
        group = f", {self.group}" if self.group else ""
        end = "" if self.stop.is_complete else f"; {self.stop.verdict}"
        return f"<PlaneAnswer: {self.verdict}{group}{end}>"

    def as_data(self) -> dict[str, Any]:
        """The answer in the form that scripts are promised, without the shape."""
        data: dict[str, Any] = {"answer": str(self.verdict)}
        if self.classes is not None:
            data |= {"classes": self.classes}
        if self.heesch is not None:
            data |= {"heesch": self.heesch.number, "heesch_with_hole": self.heesch.with_hole}
        return data

    def with_shapes(self, prototiles: Prototiles) -> dict[str, Any]:
        """The shapes, the answer in its promised form, and what shows it."""
        lattice = prototiles.lattice
        data: dict[str, Any] = {
            "shapes": [
                {"name": shape.name, "cells": [lattice.written(cell) for cell in shape.cells.tolist()]}
                for shape in prototiles.shapes
            ]
        }
        data |= self.as_data()
        if self.classes is not None:
            data |= {"classes_exact": self.classes_exact, "group": self.group}
        if self.heesch is not None:
            data |= {"heesch_exact": self.heesch.exact}
        if self.tiling is not None:
            data |= {"tiling": self.tiling.as_data()}
        if self.smallest is not None:
            data |= {"smallest": self.smallest.as_data()}
        return data | {"excluded_classes": self.excluded, "searched_area": self.searched, "stop": self.stop.value}
