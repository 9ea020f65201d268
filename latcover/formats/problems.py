"""What a file of several puzzles gives when some of them cannot be used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from latcover.errors import PuzzleFileError
from latcover.puzzle import Puzzle

Problems = Mapping[str, Puzzle | PuzzleFileError]  # by name: a puzzle, or the error that says why it is none


def usable(problems: Problems) -> tuple[Puzzle, ...]:
    """The puzzles among *problems*; what is wrong with the others becomes warnings of each.

    Raises:
        PuzzleFileError: there is none.
    """
    faults = [f for problem in problems.values() if isinstance(problem, PuzzleFileError) for f in problem.complaints]
    puzzles = [problem for problem in problems.values() if isinstance(problem, Puzzle)]
    if not puzzles:
        raise PuzzleFileError(faults)
    left_out = tuple(replace(fault, warning=True) for fault in faults)
    return tuple(replace(puzzle, warnings=(*puzzle.warnings, *left_out)) for puzzle in puzzles)
