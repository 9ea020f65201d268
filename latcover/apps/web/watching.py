"""Searches step by step, for a view to play: the trees of two methods on the same placements."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from latcover.apps.web.job import Talk
from latcover.apps.web.subject import puzzle_of
from latcover.apps.web.tasks import WatchTask
from latcover.core.cover.search import Batch, Rule
from latcover.core.cover.trace import NONE, RULES, Step, trace
from latcover.core.encoding.prepared import Choices, Prepared, prepare
from latcover.errors import UnsupportedError

KINDS = ("try", "back", "cover", "dead", "image")  # image: a cover that a symmetry makes of another
MOST_OPTIONS = 20_000


def watched(task: WatchTask, talk: Talk) -> dict[str, Any]:
    """The first steps of a search by each rule of the task.

    Returns:
        ``options``: for each, its part's number and the numbers of its ``cells``; ``items``: their names;
        ``searches``: by each rule, its ``steps``, rows (kind, level, option, item, ways), and whether these are
        all steps (``whole``).

    Raises:
        PuzzleError: the subject is a bare problem.
        UnsupportedError: the problem is too large to be watched.
    """
    bounds = talk.settings.bounds()
    puzzle = puzzle_of(task.subject, bounds)
    talk.stage("placing the parts")
    subject = prepare(puzzle, Choices(symmetry=task.symmetry), bounds)
    placed = subject.problem.n_options
    if placed > MOST_OPTIONS:
        raise UnsupportedError(f"searches with at most {MOST_OPTIONS:,} placements can be watched; here are {placed:,}")
    return {
        "options": _options(subject),
        "cells": subject.table.region.cells.tolist(),
        "items": _names(subject),
        "searches": [_search(subject, rule, talk) for rule in task.rules],
        "kinds": KINDS,
    }


def _search(subject: Prepared, rule: Rule, talk: Talk) -> dict[str, Any]:
    talk.stage(f"searching by {RULES[rule]}")
    rows: list[tuple[int, int, int, int, int]] = []
    chosen: list[int] = []
    steps = trace(subject.problem, rule)
    for step in islice(steps, talk.settings.steps):
        if talk.stopped:
            break
        rows.append((_kind(subject, step, chosen), step.level, step.option, step.item, step.ways))
    whole = not talk.stopped and next(steps, None) is None
    tried = sum(row[0] == 0 for row in rows)
    return {"rule": rule, "about": RULES[rule], "steps": rows, "whole": whole, "branches": tried}


def _kind(subject: Prepared, step: Step, chosen: list[int]) -> int:
    """The number of the step's kind; keeps *chosen*, the options now chosen."""
    if step.kind == "try":
        chosen.append(step.option)
    elif step.kind == "back":
        chosen.pop()
    elif step.kind == "cover":
        cover = np.array(chosen, dtype=np.int32)
        starts, placements = subject.members(Batch(np.array([0, len(cover)], dtype=np.int64), cover))
        kept, _ = subject.judge(starts, placements)
        return 2 if kept[0] else 4
    return KINDS.index(step.kind)


def _options(subject: Prepared) -> list[Any]:
    """What each option is: a part's number and the numbers of its cells; the part is -1 for a cell left empty."""
    table, found = subject.table, []
    for option, placement in enumerate(subject.option_placement.tolist()):
        if placement == NONE:
            items = subject.problem.items_of(option)
            found.append([NONE, [int(items[0])]])
            continue
        cells = table.cells[table.starts[placement] : table.starts[placement + 1]]
        found.append([int(table.part_of[placement]), cells.tolist()])
    return found


def _names(subject: Prepared) -> list[str]:
    """A name for each item."""
    from latcover.files.formats.cover_problems.exported import item_names

    return list(item_names(subject))
