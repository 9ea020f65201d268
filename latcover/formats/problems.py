"""What a file of several problems gives when some of them cannot be used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from latcover.cover.named_problem import NamedProblem
from latcover.errors import PuzzleFileError
from latcover.model.puzzle import Puzzle

Subject = Puzzle | NamedProblem
Problems = Mapping[str, Subject | PuzzleFileError]  # by name: what can be solved, or the error that says why it cannot


def usable(problems: Problems) -> tuple[Subject, ...]:
    """What can be solved among *problems*; what is wrong with the others becomes warnings of each.

    Raises:
        PuzzleFileError: there is none.
    """
    faults = [f for problem in problems.values() if isinstance(problem, PuzzleFileError) for f in problem.complaints]
    subjects = [problem for problem in problems.values() if not isinstance(problem, PuzzleFileError)]
    if not subjects:
        raise PuzzleFileError(faults)
    left_out = tuple(replace(fault, warning=True) for fault in faults)
    return tuple(replace(subject, warnings=(*subject.warnings, *left_out)) for subject in subjects)
