"""The job that cuts a region into parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from latcover.designing.cuts import Cutter
from latcover.designing.region_names import region_of
from latcover.designing.wanted_cuts import PATIENCE, CutDesign, CutEffort, CutWishes, Kind
from latcover.errors import counted
from latcover.model.puzzle import Puzzle
from latcover.web.asked import Asked

if TYPE_CHECKING:
    from latcover.web.designing import Gallery

CELLS = 5  # of a part, if the number of parts is left open
MOST_PARTS = 12  # then
FORBIDDEN: dict[str, Kind] = {"no_rods": "rod", "no_flat": "flat"}


def cut(puzzle: Puzzle, asked: Asked, gallery: Gallery) -> dict[str, Any]:
    """Cut the region of *puzzle* into parts with one solution; its own parts are not looked at."""
    lattice, cells = region_of(puzzle)
    most = gallery.talk.settings.designs
    sizes, between = _sizes(asked)
    wishes = CutWishes(
        asked.whole("parts", 2, max(2, len(cells))) or max(2, min(MOST_PARTS, round(len(cells) / CELLS))),
        sizes,
        between,
        different=asked.flag("different"),
        no_mirrors=asked.flag("no_mirrors"),
        asymmetric=asked.flag("asymmetric"),
        forbid=frozenset(kind for name, kind in FORBIDDEN.items() if asked.flag(name)),
        holes=asked.whole("holes", 0) or 0,
        min_level=asked.whole("min_level", 0, 1000) or 0,
        one_order=asked.flag("one_order"),
        hard=asked.flag("hard"),
    )
    seed, limit = asked.seed(), asked.whole("limit", 1, most)
    patience = asked.whole("patience", 1) or PATIENCE
    asked.end()
    gallery.stage("looking at the region")
    cutter = Cutter(lattice, cells, wishes, puzzle.name)
    gallery.stage("cutting by chance, and changing cuts for the better")
    outcome = cutter.search(
        CutEffort(seed=seed, limit=limit, keep=most, threads=None, patience=patience),
        on_design=lambda made: gallery.take(made.puzzle, _facts(made)),
        on_progress=lambda now: gallery.report(walks=now.walks, looked=now.candidates, seconds=round(now.seconds, 3)),
    )
    summary = {
        "puzzle": puzzle.name,
        "searched": "by climbing",
        "seed": seed,
        "walks": outcome.walks,
        "counted": outcome.candidates,
        "complete": False,  # nobody knows of how many cuts
        "stop": "enough designs" if limit is not None and gallery.found >= limit else "cancelled",
    }
    looked = (
        f"{counted(outcome.candidates, 'cut')} in {counted(outcome.walks, 'walk')} were looked at, with seed {seed}"
    )
    lines = [
        f"{counted(gallery.found, 'puzzle')} of {wishes.n_parts} parts with exactly one solution.",
        f"Searched by chance: {looked}. There may be others.",
    ]
    return gallery.ended(summary, lines)


def _sizes(asked: Asked) -> tuple[tuple[int, ...] | None, tuple[int, int] | None]:
    """The sizes of all parts, or the least and the greatest."""
    found = asked.numbers("sizes", "numbers of cells such as 4..6, or one for each part, as 4,4,5,6")
    text = asked.data.get("sizes")
    if text is not None and re.fullmatch(r"\s*\d+\s*(\.\.|-)\s*\d+\s*", text):
        return None, (found[0], found[1])
    return found or None, None


def _facts(made: CutDesign) -> dict[str, Any]:
    told = made.as_json()
    sizes, moves, holes = told["sizes"], told["moves"], told["holes"]
    of = counted(sizes[0], "cell") if sizes[0] == sizes[-1] else f"{sizes[0]} to {sizes[-1]} cells"
    notes = [f"cells of the parts: {' '.join(map(str, sizes))}"]
    if told["one_order"]:
        notes.append("it comes apart in one order")
    if holes:
        notes.append(f"{counted(holes, 'cell')} inside left empty")
    notes.append("counted by two backends")
    return {
        "words": f"{len(sizes)} parts of {of}",
        "parts": [[part.name, part.low] for part in made.puzzle.parts],
        "solutions": 1,
        "exact": True,
        "difficulty": None if made.difficulty.score is None else round(made.difficulty.score, 2),
        "level": told["level"] or None,
        "badges": [counted(moves, "move")] if len(told["level"]) > 1 else [],
        "notes": notes,
    }
