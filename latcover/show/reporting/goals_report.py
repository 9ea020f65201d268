"""The results of many goals, as a table, as lines of data, and as a page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from html import escape
from typing import Any

from latcover.core.cover.result import SearchResult, Stop
from latcover.core.model.goals import Goals
from latcover.core.model.solution import Solution
from latcover.core.solving.goals_result import GoalsResult
from latcover.errors import counted, escaped
from latcover.show.drawing.paper.cards import card
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.scene_model import CaptionedScene
from latcover.show.drawing.text.terminal_pictures import draw_region, draw_solution
from latcover.show.drawing.views.puzzle_views import PuzzleView
from latcover.show.reporting.html_page import html_page
from latcover.show.reporting.search_report import answer_as_json

NONE = "no solution"


def goals_table(found: GoalsResult) -> tuple[str, list[str]]:
    """A head and a row for each goal: its solutions, and the branches and seconds of a search of its own."""
    with_total = any(result.total != result.different for result in found.results)
    own = found.way == "one by one"
    heads = ["goal", "solutions", *(["in all"] if with_total else []), *(["branches", "seconds"] if own else [])]
    rows = [
        [
            escaped(goal),
            _number(result, result.different),
            *([_number(result, result.total)] if with_total else []),
            *(["" if result.branches is None else f"{result.branches:,}", _seconds(result)] if own else []),
        ]
        for goal, result in zip(found.goals, found.results, strict=True)
    ]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *(text.rjust(n) for text, n in zip(row[1:], widths[1:], strict=True))])
        for row in (heads, *rows)
    ]
    return lines[0].rstrip(), [line.rstrip() for line in lines[1:]]


def _number(result: SearchResult, number: int) -> str:
    if result.complete:
        return f"{number:,}"
    return f"{number:,}+" if number else "?"


def _seconds(result: SearchResult) -> str:
    return f"{(result.seconds['search'] or 0.0) + (result.seconds['setup'] or 0.0):.3f}"


def goals_as_text(found: GoalsResult) -> str:
    """The sum, and how it was found."""
    branches = "" if found.branches is None else f"{counted(found.branches, 'branch')}, "
    how = "one search for all goals" if found.way == "together" else "one search for each goal"
    return "\n".join([*found.lines(), f"{how}: {branches}{found.seconds:.3f} s"])


def goal_as_json(goal: str, result: SearchResult) -> dict[str, Any]:
    """A goal as `latcover count --json` prints it."""
    return {"goal": goal, **answer_as_json(result)}


def of_goals(goals: Goals, found: Mapping[str, Solution]) -> PuzzleView:
    """A sheet of the goals with their names: each with a solution, or its region if there is none."""
    puzzles = {goal.name: goals.puzzle(goal) for goal in goals}

    def captions(name: str) -> str:
        return name if name in found else f"{name}: {NONE}"

    def pictures(**how: Any) -> list[list[str]]:
        return [
            [captions(name), *(draw_solution(p, found[name], **how) if name in found else draw_region(p, **how))]
            for name, p in puzzles.items()
        ]

    def lines(**how: Any) -> list[str]:
        return [line for block in pictures(**how) for line in ("", *block)][1:]

    def entries(tell: Any = lambda _: None) -> list[CaptionedScene]:
        made = []
        for number, (name, puzzle) in enumerate(puzzles.items(), 1):
            tell(number)
            shown = scene.of_solution(puzzle, found[name]) if name in found else scene.of_region(puzzle)
            made.append(CaptionedScene(shown, captions(name)))
        return made

    lattice = goals.board.lattice
    data = [{"goal": name, "solution": found[name].as_json(lattice) if name in found else None} for name in puzzles]
    title = f"{goals.title or goals.name}: {counted(len(goals), 'goal')}"
    return PuzzleView(title, {"puzzle": goals.name, "goals": data}, lines, entries, pictures)


def goals_as_html(goals: Goals, found: Mapping[str, Solution], counts: GoalsResult) -> str:
    """A page with a picture of each goal and the number of its solutions."""
    figures = []
    for name, result in zip(counts.goals, counts.results, strict=True):
        puzzle, solution = goals.puzzle(name), found.get(name)
        picture = b64encode(card(puzzle, solution).encode()).decode("ascii")
        words = escape(f"{escaped(name)}: {_in_words(result)}")
        figures.append(
            f'<figure><img src="data:image/svg+xml;base64,{picture}" alt="{words}"><figcaption>{words}</figcaption>'
            "</figure>"
        )
    answer, *more = (escape(line) for line in goals_as_text(counts).split("\n"))
    rest = "".join(f"<p>{line}</p>" for line in more)
    title = escaped(goals.title or goals.name)
    return html_page(title[:1].upper() + title[1:], f'<p>{answer}</p>{rest}<div class="many">{"".join(figures)}</div>')


def _in_words(result: SearchResult) -> str:
    if result.complete:
        return counted(result.different, "solution") if result.different else NONE
    least = f"at least {counted(result.different, 'solution')}" if result.different else "not known"
    return "a solution" if result.stop is Stop.SOLUTION_LIMIT and result.different == 1 else least
