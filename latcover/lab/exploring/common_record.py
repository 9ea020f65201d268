"""What is known of some shapes, as a line of JSON: what worker processes send, and what run files keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from latcover.core.cover.result import Stop
from latcover.core.model.connected_shapes import has_hole
from latcover.core.model.given import FARTHEST
from latcover.core.model.puzzle import Part
from latcover.lab.exploring.common import Common
from latcover.lab.exploring.layers import layers_given
from latcover.lab.exploring.tilings import tilings_of

Cells = tuple[tuple[Annotated[int, Meta(ge=-FARTHEST, le=FARTHEST)], ...], ...]


class CommonTask(msgspec.Struct, frozen=True, kw_only=True):
    """An entry to go on with.

    Attributes:
        shapes: The cells of each.
        known: What is known of it.
        effort: How many seconds of the processor it may take now.
    """

    shapes: tuple[Cells, ...]
    known: CommonRecord | None
    effort: float


class CommonRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A common region of some shapes, or what is known of it.

    Attributes:
        layers: The cells of the tiles of each tiling; empty if no region is known.
        smallest: Whether no smaller region exists.
        refuted: No region exists whose area is at most this.
        effort: How many seconds of the processor it took.
        ended: Whether there is nothing more to look for.
        too_large: Whether what is left then was too large to be searched.
        last: Whether the search has ended for now.
    """

    layers: tuple[tuple[Cells, ...], ...]
    smallest: bool
    refuted: Annotated[int, Meta(ge=0)]
    effort: Annotated[float, Meta(ge=0)]
    ended: bool = False
    too_large: bool = False
    last: bool = True

    @classmethod
    def of(cls, found: Common, effort: float, *, last: bool) -> CommonRecord:
        """The record of what was found."""
        layers = tuple(tuple(p.cells for p in t.solution.placements) for t in found.tilings)
        return cls(
            layers=layers,
            smallest=found.smallest,
            refuted=found.refuted,
            effort=effort,
            ended=last and found.stop in (Stop.EXHAUSTED, Stop.NOT_PROVED),
            too_large=found.stop is Stop.NOT_PROVED,
            last=last,
        )

    def common(self, shapes: Sequence[Part]) -> Common:
        """What is known, its tilings verified.

        Raises:
            InternalError: a tiling is wrong.
        """
        layers = layers_given("common", shapes)
        tilings = tilings_of(layers, self.layers) if self.layers else ()
        lattice, region = shapes[0].lattice, tilings[0].puzzle.region.cells if tilings else np.empty((0, 1), np.int32)
        assert lattice
        return Common(
            layers=layers,
            tilings=tilings,
            smallest=self.smallest and bool(tilings),
            connected=bool(tilings) and lattice.connects(region.tolist()),
            holes=bool(tilings) and has_hole(region, lattice),
            refuted=self.refuted,
            stop=Stop.TIME_LIMIT if not self.ended else Stop.NOT_PROVED if self.too_large else Stop.EXHAUSTED,
            seconds=self.effort,
        )
