"""From arrays of a file to a bare problem: what NumPy's form and JSON share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from latcover.cover.named_problem import NamedProblem
from latcover.cover.problem import CoverProblem
from latcover.encoding.placement import CELLS_OF_A_PLACEMENT
from latcover.errors import Complaint, PuzzleError, PuzzleFileError
from latcover.model.puzzle import Bounds

Array = npt.NDArray[Any]
ARRAYS = ("low", "high", "part_sizes", "neighbour_starts", "neighbours")


def require_bounds(n_options: int, n_items: int, n_entries: int, bounds: Bounds) -> None:
    """Refuse sizes beyond *bounds*.

    Raises:
        PuzzleError: they are.
    """
    if n_items > bounds.cells:
        raise PuzzleError(f"more than {bounds.cells:,} items; raise the bound with --max-cells")
    if n_options > bounds.placements:
        raise PuzzleError(f"more than {bounds.placements:,} options; raise the bound with --max-placements")
    most = CELLS_OF_A_PLACEMENT * bounds.placements
    if n_entries > most:
        raise PuzzleError(f"its options hold more than {most:,} items; raise the bound with --max-placements")


def named_problem(
    path: Path, arrays: Mapping[str, Array], n_cells: int, names: Sequence[Sequence[str]]
) -> NamedProblem:
    """The problem of these arrays, whose options may hold their items in any order.

    Args:
        path: Where they come from.
        arrays: ``option_starts``, ``option_items`` and, as far as there are any, ``option_colours`` and `ARRAYS`, all
            as `CoverProblem` has them. Without ``low`` and ``high`` each item is held exactly once.
        n_cells: How many items are cells.
        names: The names of items and of colours.

    Raises:
        PuzzleFileError: they contradict each other.
    """
    items, colours = names
    starts, members = (arrays[name].astype(np.int64) for name in ("option_starts", "option_items"))
    shades = arrays.get("option_colours", np.empty(0, np.int32))
    exactly_once = np.ones(len(items), np.int32)
    try:
        if len(starts) and (np.diff(starts) >= 0).all() and starts[0] == 0 and starts[-1] == len(members):
            order = np.lexsort([members, np.repeat(np.arange(len(starts) - 1), np.diff(starts))])
            members = members[order]
            shades = shades[order] if len(shades) == len(order) else shades
        if len(shades) and shades.max(initial=0) > len(colours):
            raise PuzzleError("an option has a colour that does not exist")
        given = {name: arrays[name] for name in ARRAYS if name in arrays}
        given = {"low": exactly_once, "high": exactly_once, **given}
        problem = CoverProblem(starts, members.astype(np.int32), n_cells=n_cells, option_colours=shades, **given)
        return NamedProblem(path.stem, problem, tuple(items), tuple(colours))
    except PuzzleError as fault:
        raise PuzzleFileError([Complaint(str(fault), str(path))]) from None
