"""The command `difficulty`: how hard puzzles are, ranked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from latcover.apps.cli.shared import completion
from latcover.apps.cli.shared.options import AsJson, InputOptions, MessageOptions
from latcover.apps.cli.shared.output import echo, say, warn
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT
from latcover.apps.cli.shared.progress import Watcher, watched
from latcover.apps.cli.shared.screenful import LESS, table_for_screen
from latcover.apps.cli.shared.subjects import load_subject
from latcover.core.model.request_values import Positive
from latcover.errors import PuzzleError

if TYPE_CHECKING:
    from latcover.core.cover.named_problem import NamedProblem
    from latcover.core.model.puzzle import Puzzle
    from latcover.lab.designing.difficulty import Difficulty


def difficulty(
    puzzles: Annotated[
        list[str] | None, typer.Argument(metavar="[PUZZLE]...", autocompletion=completion.puzzles, show_default=False)
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all")] = False,
    max_branches: Positive = 100_000_000,
    near: bool = True,
    as_json: AsJson = False,
    inputs: InputOptions,
    messages: MessageOptions,
) -> None:
    from latcover.files.formats.source import names
    from latcover.lab.designing.design_requests import DifficultyRequest
    from latcover.lab.designing.difficulty import judge_difficulty

    if every and puzzles:
        raise PuzzleError("--all ranks every shipped puzzle; leave the names out")
    wanted: list[str | None] = list(names("instances")) if every else list(puzzles or [None])  # type: ignore[list-item]
    request = DifficultyRequest(most_branches=max_branches, near=near)
    found: list[Difficulty] = []
    with watched(Watcher()) as events:
        subjects = (subject for name in wanted for subject in _subjects(name, inputs, messages))
        for figures in (judge_difficulty(subject, request, events) for subject in subjects):
            if events.interrupted:
                break
            found.append(figures)
    found.sort(key=lambda f: (f.score is None, -(f.score or 0), f.puzzle))
    for figures in found if as_json else ():
        echo(json.dumps(figures.as_json()))
    if not as_json:
        echo(table_for_screen(as_text(found), more=LESS))
    if events.interrupted:
        say("stopped before the end", messages)
    if events.interrupted or not all(figures.complete for figures in found):
        raise typer.Exit(EXIT_LIMIT)


def _subjects(name: str | None, inputs: InputOptions, messages: MessageOptions) -> tuple[Puzzle | NamedProblem, ...]:
    """All that a file holds, or what the user chose of it."""
    from latcover.files.formats.library import load_subjects

    if name is None:
        return (load_subject(None, inputs, messages),)
    subjects = load_subjects(name, inputs.bounds(), inputs.problem)
    for subject in subjects:
        warn(subject.warnings, messages)
    return subjects


HEADS = ("puzzle", "difficulty", "solutions", "branches", "false hopes", "of what fails", "near", "each")


def as_text(found: list[Difficulty]) -> str:
    """A table, one puzzle a row."""
    rows = [HEADS, *map(_row, found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(word.rjust(w) if k else word.ljust(w) for k, (word, w) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    )


def _row(figures: Difficulty) -> tuple[str, ...]:
    from latcover.errors import escaped

    more, near_more = "" if figures.complete else ">= ", "" if figures.near_complete else ">= "
    each = figures.near_per_solution
    return (
        escaped(figures.puzzle),
        "-" if figures.score is None else f"{figures.score:.2f}",
        f"{more}{figures.solutions:,}",
        f"{more}{figures.branches:,}",
        f"{figures.false_hopes:,}" if figures.complete else "-",
        f"{figures.false_share:.0%}" if figures.complete else "-",
        "-" if figures.near is None else f"{near_more}{figures.near:,}",
        "-" if each is None else f"{near_more}{each:,.1f}",
    )
