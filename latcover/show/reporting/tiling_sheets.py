"""Sheets of regions, each with a tiling that was verified."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.search import Progress
from latcover.core.model.puzzle import Part, PartSet
from latcover.errors import InternalError, OutOfTimeError, counted
from latcover.lab.exploring.common import Common
from latcover.lab.exploring.multiples import Multiples
from latcover.lab.exploring.tilings import Tiling, tile, tiling_puzzle
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.scene_model import CaptionedScene
from latcover.show.drawing.text.terminal_pictures import draw_solution
from latcover.show.drawing.views.puzzle_views import PuzzleView


def multiples_as_set(found: Multiples) -> PartSet:
    """The regions as parts, numbered from 1."""
    lattice = found.shape.lattice
    assert lattice
    parts = [
        Part(str(number), cells, transformations=found.shape.transformations, lattice=lattice, number=number - 1)
        for number, cells in enumerate(found.regions, 1)
    ]
    return PartSet(f"{found.shape.name}-{len(found.counts)}", lattice, tuple(parts), _title(found))


def multiples_as_view(found: Multiples, events: Events = SILENT) -> PuzzleView:
    """A sheet of the regions, each with a tiling, which is an exact cover and shares nothing with their growth.

    Raises:
        InternalError: copies of the shape fill no such region.
        OutOfTimeError: *events* ended it.
    """
    shape, tilings = found.shape, list[Tiling]()
    assert shape.lattice
    for number, cells in enumerate(found.regions, 1):
        tried = tile(tiling_puzzle(str(number), shape.lattice, cells, [shape]), backend="dlx")
        if tried.tiling is None:
            raise InternalError(f"copies of {shape.name} do not fill the region {number} of {_title(found)}")
        tilings.append(tried.tiling)
        if not events.on_progress(Progress(number / len(found.regions), None, 0, found.seconds)):
            raise OutOfTimeError("the sheet was not drawn")
    return tilings_as_view(_title(found), tilings, [str(number) for number in range(1, len(tilings) + 1)])


def tilings_as_view(title: str, tilings: Sequence[Tiling], captions: Sequence[str]) -> PuzzleView:
    """Tilings side by side, each with a caption."""

    def lines(**how: Any) -> list[str]:
        blocks = [
            [caption, *draw_solution(each.puzzle, each.solution, **how), ""]
            for each, caption in zip(tilings, captions, strict=True)
        ]
        return [title, "", *(line for block in blocks for line in block)]

    def entries(tell: Callable[[int], object] = lambda _: None) -> list[CaptionedScene]:
        return [
            CaptionedScene(scene.of_solution(each.puzzle, each.solution), caption)
            for each, caption in zip(tilings, captions, strict=True)
        ]

    data = [{"caption": c, "tiles": each.as_json()} for each, c in zip(tilings, captions, strict=True)]
    return PuzzleView(title, {"tilings": data}, lines, entries)


def _title(found: Multiples) -> str:
    shown = f", the first {len(found.regions):,}" if len(found.regions) < found.counts[-1] else ""
    copies = f"{len(found.counts)} copies" if len(found.counts) > 1 else "one copy"
    return f"{counted(found.counts[-1], 'region')} of {copies} of {found.shape.name}{shown}"


def common_as_view(found: Common) -> PuzzleView:
    """A common region, tiled by each layer."""
    names = [layer.name for layer in found.layers]
    title = f"A region that {' and '.join(dict.fromkeys(names))} {'fill' if len(set(names)) > 1 else 'fills'}"
    return tilings_as_view(title, found.tilings, names[: len(found.tilings)])
