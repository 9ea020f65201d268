"""Solutions for the writers of files: found by a search, verified, and handed over one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from latcover.core.cover.searchable import Searchable
from latcover.core.model.disassembly import Disassembly
from latcover.core.model.solution import Solution
from latcover.core.solving.collector import Verified
from latcover.core.solving.solutions import kept_covers
from latcover.files.formats.forms import SolutionStream, WrittenSolution


def searched_solutions(
    prepare: Callable[[], Searchable[Any]],
    *,
    cancelled: Callable[[], bool] = lambda: False,
    disassemble: Callable[[Solution], Disassembly] | None = None,
) -> SolutionStream:
    """The essentially different solutions of a puzzle or of a bare problem; the search starts with the first one.

    Args:
        prepare: Makes it ready to be searched. It is called when the first solution is asked for.
        cancelled: Whether to stop the search. The solutions found before are handed over.
        disassemble: Takes a solution of a puzzle apart, if the file is to say how.
    """
    stopped = False

    def go_on(_: object) -> bool:
        nonlocal stopped
        stopped = stopped or cancelled()
        return not stopped

    def found() -> Iterator[WrittenSolution]:
        subject, number = prepare(), 1
        verified = Verified(subject)
        for kept in kept_covers(subject, on_progress=go_on):
            for (members, _), solution in zip(kept, verified.solutions(kept, number), strict=True):
                yield WrittenSolution(solution, members, disassemble(solution) if disassemble else None)
                if not go_on(None):
                    return
            number += len(kept)

    return SolutionStream(found(), is_complete=lambda: not stopped)
