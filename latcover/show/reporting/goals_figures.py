"""The figures of a board with goals, as plain data and as text; and those that its file expects, counted."""

from __future__ import annotations

from typing import Any

from latcover.core.encoding.goal_placements import GoalPlacements
from latcover.core.impossible.reasons import reasons
from latcover.core.model.goals import Goals
from latcover.core.model.puzzle_checks import cannot_fill
from latcover.core.solving.many_goals import count_goals
from latcover.errors import Complaint, counted, escaped

GOALS_CHECKED = 12  # for simple arguments, which take some tenths of a second each


def complaints_about_goals(goals: Goals, path: str) -> tuple[Complaint, ...]:
    """What the reader found odd, and those of the first goals that a simple argument shows to have no solution."""
    shared, impossible, why = GoalPlacements(goals), list[str](), ""
    for goal in goals.goals[:GOALS_CHECKED]:
        puzzle = goals.puzzle(goal)
        if not cannot_fill(puzzle) and (found := reasons(puzzle, shared.table_of(goal))):
            impossible.append(goal.name)
            why = why or found[0].text
    if not impossible:
        return goals.board.warnings
    more = f" and {counted(len(impossible) - 1, 'other goal')}" if len(impossible) > 1 else ""
    warning = Complaint(f"no solution of {impossible[0]!r}{more}: {why}", path, warning=True)
    return (*goals.board.warnings, warning)


def counted_figures(goals: Goals) -> dict[str, int]:
    """Each figure that the file of the goals expects, counted."""
    if not goals.expect:
        return {}
    found = count_goals(goals)
    known = {"goals": len(found), **{name: getattr(found, name) for name in goals.expect if name != "goals"}}
    return {name: known[name] for name in goals.expect}


def info_of_goals(goals: Goals) -> dict[str, Any]:
    """The figures of a board and of its goals, as `latcover info --json` prints them."""
    board = goals.board
    return {
        "puzzle": goals.name,
        "title": goals.title,
        "source": board.source,
        "lattice": board.lattice.name,
        "cells": len(board.region.cells),
        "parts": len(board.parts),
        "goals": len(goals),
        "open": [
            {"name": group.name, "cells": len(group.cells), "stay_open": group.count, "labels": list(group.labels)}
            for group in goals.open
        ],
        "exceptions": [list(labels) for labels in goals.exceptions],
        "regions": [each.name for each in goals.regions],
        "choose": None if goals.choice is None else {"parts": list(goals.choice.numbers)},
        "cells_of_goals": sorted({int(goal.kept.sum()) for goal in goals}),
        "expect": dict(goals.expect),
        "names": [goal.name for goal in goals],
    }


def info_of_goals_as_text(info: dict[str, Any]) -> str:
    """The same as a page of text."""
    lines = [f"{info['puzzle']}: {info['title']}" if info["title"] else info["puzzle"]]
    if info["source"]:
        lines.append(f"source: {info['source']}")
    first, last = info["names"][0], info["names"][-1]
    rows = [("lattice", info["lattice"]), ("cells of the board", info["cells"]), ("parts", info["parts"])]
    rows.append(("goals", f"{info['goals']:,}: {first}" + (f" … {last}" if info["goals"] > 1 else "")))
    rows.append(("cells of a goal", " or ".join(map(str, info["cells_of_goals"]))))
    rows += [(f"open: {each['name']}", f"{each['stay_open']} of {each['cells']} cells") for each in info["open"]]
    if info["exceptions"]:
        rows.append(("exceptions", "; ".join(" ".join(labels) for labels in info["exceptions"])))
    if info["choose"] is not None:
        numbers = " or ".join(map(str, info["choose"]["parts"])) or "any number"
        rows.append(("parts of a goal", numbers))
    rows += [(f"expected {key}", f"{value:,}") for key, value in info["expect"].items()]
    width = max(len(name) for name, _ in rows)
    return "\n".join(map(escaped, [*lines, "", *(f"{name:<{width}}  {value}" for name, value in rows)]))
