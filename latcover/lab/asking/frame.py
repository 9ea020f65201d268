"""Solutions as a pandas table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from latcover.core.model.solution import Solution
from latcover.errors import PuzzleError
from latcover.system.extras import require

if TYPE_CHECKING:
    import pandas as pd  # type: ignore[import-untyped]

COLUMNS = ("solution", "image", "orbit", "part", "copy", "cells", "colours")


def frame(solutions: Solution | Iterable[Solution]) -> pd.DataFrame:
    """A table with a row for each placement of one or several solutions.

    The columns are ``solution`` (its number), ``image`` and ``orbit``, ``part``, ``copy`` (which of the part's copies,
    from 1), ``cells`` (a tuple of cells as puzzle files write them, which ``DataFrame.explode`` makes rows) and
    ``colours`` (the names of their colours; an empty tuple if the part has none).

    Raises:
        BackendUnavailableError: pandas is not installed, or cannot be loaded.
        PuzzleError: an object is not a solution.
    """
    pandas = require("a frame of solutions", ("pandas",), extra="frame")
    table: pd.DataFrame = pandas.DataFrame(_rows(solutions), columns=COLUMNS)
    return table


def _rows(solutions: Solution | Iterable[Solution]) -> Iterator[tuple[Any, ...]]:
    several: Iterable[Any] = solutions if isinstance(solutions, Iterable) else (solutions,)
    for solution in several:
        if not isinstance(solution, Solution):
            raise PuzzleError(f"frame takes solutions, as latcover.solutions(puzzle) lists them; not {solution!r:.80}")
        copies: Counter[str] = Counter()
        for placed in solution.placements:
            copies[placed.part] += 1
            lattice = solution.puzzle.lattice if solution.puzzle is not None else None
            cells = tuple(cell if lattice is None else tuple(lattice.written(cell)) for cell in placed.cells)
            about = (solution.number, solution.image, solution.orbit, placed.part, copies[placed.part])
            yield (*about, cells, placed.colours)
