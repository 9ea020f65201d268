"""Answers and solutions, as plain data and as text."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import TYPE_CHECKING, Any

import msgspec

from latcover.core.cover.named_problem import ListedCover
from latcover.core.cover.result import SearchResult
from latcover.core.cover.searchable import AnySolution, Searchable
from latcover.core.model.solution import Placed, Solution
from latcover.errors import counted, escaped

if TYPE_CHECKING:
    from latcover.core.impossible.reasons import Reason
    from latcover.lab.asking.all_solutions import AllSolutions

MOST_TEXTS = 50_000  # placements whose text is kept
NOT_EXAMINED = "not examined"  # whether solutions come apart, where nobody asked


def answer_as_json(answer: SearchResult) -> dict[str, Any]:
    """The object that `latcover count --json` prints; its keys are a promise to scripts."""
    data: dict[str, Any] = {}
    for key, value in answer.as_json().items():
        data[key] = value
        if key == "total":
            data |= {"different_is": answer.different_is, "total_is": answer.total_is}
    data["seconds"] = {key: None if s is None else round(s, 6) for key, s in answer.seconds.items()}
    if not answer.notes:
        del data["notes"]
    return data


def answer_as_text(answer: SearchResult) -> str:
    """A line on the results, a line on the search, and the notes."""
    branches = f"{counted(answer.branches, 'branch')}, " if answer.branches is not None else ""
    search = answer.seconds["search"] or 0.0
    who = answer.backend if answer.backend == answer.asked else f"{answer.asked} picked {answer.backend}"
    if answer.method != "enumeration":
        who += f", by {answer.method}" if answer.method != answer.backend else ""
    lines = [
        answer.headline(),
        f"{who}: {branches}{search:.3f} s of search, {answer.seconds['setup']:.3f} s of setup",
        *(f"note: {note}" for note in answer.notes),
    ]
    return "\n".join(lines)


class JsonLines:
    """Writes solutions as `latcover solve --json` prints them. The text of a placement is made once."""

    def __init__(self) -> None:
        self._texts: dict[int, tuple[Placed, str]] = {}  # by the identity of the placement, which they keep alive

    def line(self, solution: AnySolution) -> str:
        """The line of a solution, equal to `json.dumps(solution.as_json())`."""
        if not isinstance(solution, Solution) or solution.puzzle is None:
            return json.dumps(solution.as_json())
        known, lattice = self._texts, solution.puzzle.lattice
        if len(known) > MOST_TEXTS:
            known.clear()
        texts = []
        for placed in solution.placements:
            entry = known.get(id(placed))
            if entry is None:
                entry = known[id(placed)] = placed, json.dumps(placed.as_json(lattice))
            texts.append(entry[1])
        head = f'{{"number": {solution.number}, "image": {solution.image}, "orbit": {solution.orbit}, "placements": ['
        return f"{head}{', '.join(texts)}]}}"


def reasons_as_json(reasons: Sequence[Reason]) -> list[dict[str, str]]:
    """Why there is no solution, as data."""
    return [msgspec.structs.asdict(reason) for reason in reasons]


def reasons_for(answer: SearchResult, prepared: Callable[[], Searchable[Any]]) -> tuple[Reason, ...]:
    """The reasons for no solution, if none was found and simple arguments show why. *prepared* makes the subject."""
    if answer.covers or answer.total:
        return ()
    from latcover.core.impossible.reasons import reasons_of

    return reasons_of(prepared())


def with_reasons(data: dict[str, Any], reasons: Sequence[Reason]) -> dict[str, Any]:
    """The data of a search, with the reasons for no solution, if any."""
    return data | {"reasons": reasons_as_json(reasons)} if reasons else data


def reasons_as_lines(data: dict[str, Any]) -> list[str]:
    """The reasons in the data of a search, as text."""
    return [f"no solution: {reason['text']}" for reason in data.get("reasons", ())]


def all_solutions_in_words(every: AllSolutions[Any]) -> str:
    """How many solutions there are to draw from, in one line."""
    name = escaped(every.subject.name)
    if not every.complete:
        return f"{name}: {every.stop.verdict} before all solutions were known, so none was drawn"
    return f"{name}: {counted(every.total, 'solution')} in all, found by {every.method} in {every.seconds:.3f} s"


def heading(subject: Searchable[Any]) -> str:
    """A heading for a puzzle or a bare problem."""
    return escaped(f"{subject.name}: {subject.title}" if subject.title else subject.name)


@singledispatch
def solution_as_lines(solution: AnySolution, *, colour: bool, width: int, titles: bool = True) -> list[str]:
    """A drawing of a puzzle's solution, or the options of a bare problem's cover.

    With *titles* it says which layer is which; without, for a screen of many, it is as small as can be read.
    """
    raise NotImplementedError(type(solution))


@solution_as_lines.register
def _(solution: ListedCover, *, colour: bool, width: int, titles: bool = True) -> list[str]:
    return [escaped(line) for line in solution.lines()]


@solution_as_lines.register
def _(solution: Solution, *, colour: bool, width: int, titles: bool = True) -> list[str]:
    from latcover.show.drawing.text.terminal_pictures import (
        draw_solution,  # not for counts and JSON, which draw nothing
    )

    assert solution.puzzle is not None
    if not titles and not colour:
        from latcover.show.drawing.text.outlined import can_be_outlined, outlined

        if can_be_outlined(solution.puzzle):
            return outlined(solution.puzzle, solution)
    return draw_solution(solution.puzzle, solution, colour=colour, width=width, titles=titles)
