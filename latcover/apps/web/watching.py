"""Searches step by step, for a view to play: the trees of two methods on the same placements."""

from __future__ import annotations

from itertools import islice

import numpy as np

from latcover.apps.web.answers import WatchAnswer, WatchedOption, WatchedSearch, WatchedStep
from latcover.apps.web.job import Talk
from latcover.apps.web.subject import puzzle_of_subject
from latcover.apps.web.tasks import WatchTask
from latcover.core.cover.search import Batch, Rule
from latcover.core.cover.trace import NONE, RULES, Step, trace
from latcover.core.encoding.prepared import Choices, Prepared, prepare
from latcover.errors import UnsupportedError
from latcover.files.formats.cover_problems.exported import item_names

MOST_OPTIONS = 20_000


def watched(task: WatchTask, talk: Talk) -> WatchAnswer:
    """The first steps of a search by each rule of the task.

    Raises:
        PuzzleError: the subject is a bare problem.
        UnsupportedError: the problem is too large to be watched.
    """
    bounds = talk.settings.bounds()
    puzzle = puzzle_of_subject(task.subject, bounds)
    talk.stage("placing the parts")
    subject = prepare(puzzle, Choices(symmetry=task.symmetry), bounds)
    placed = subject.problem.n_options
    if placed > MOST_OPTIONS:
        raise UnsupportedError(f"searches with at most {MOST_OPTIONS:,} placements can be watched; here are {placed:,}")
    return WatchAnswer(
        options=_options(subject),
        cells=subject.table.region.cells.tolist(),
        items=list(item_names(subject)),
        searches=[_search(subject, rule, talk) for rule in task.rules],
    )


def _search(subject: Prepared, rule: Rule, talk: Talk) -> WatchedSearch:
    talk.stage(f"searching by {RULES[rule]}")
    told: list[WatchedStep] = []
    chosen: list[int] = []
    steps = trace(subject.problem, rule)
    for step in islice(steps, talk.settings.steps):
        if talk.stopped:
            break
        told.append(_watched_step(subject, step, chosen))
    whole = not talk.stopped and next(steps, None) is None
    return WatchedSearch(rule, RULES[rule], told, whole)


def _watched_step(subject: Prepared, step: Step, chosen: list[int]) -> WatchedStep:
    """The step as a page shows it; keeps *chosen*, the options now chosen."""
    is_image = False
    if step.kind == "try":
        chosen.append(step.option)
    elif step.kind == "back":
        chosen.pop()
    elif step.kind == "cover":
        cover = np.array(chosen, dtype=np.int32)
        starts, placements = subject.members(Batch(np.array([0, len(cover)], dtype=np.int64), cover))
        kept, _ = subject.judge(starts, placements)
        is_image = not kept[0]
    return WatchedStep("image" if is_image else step.kind, step.level, step.option, step.item, step.ways)


def _options(subject: Prepared) -> list[WatchedOption]:
    table, found = subject.table, []
    for option, placement in enumerate(subject.option_placement.tolist()):
        if placement == NONE:
            items = subject.problem.items_of(option)
            found.append(WatchedOption(NONE, [int(items[0])]))
            continue
        cells = table.cells[table.starts[placement] : table.starts[placement + 1]]
        found.append(WatchedOption(int(table.part_of[placement]), cells.tolist()))
    return found
