"""The command `difficulty`: how hard puzzles are, ranked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from latcover.cli import completion
from latcover.cli.options import AsJson, InputOptions, TalkOptions, expanded
from latcover.cli.support import EXIT_LIMIT, echo, interruptible, load_subject, say, warn
from latcover.errors import PuzzleError

if TYPE_CHECKING:
    from latcover.cover.named_problem import NamedProblem
    from latcover.cover.search import Progress
    from latcover.designing.difficulty import Difficulty
    from latcover.model.puzzle import Puzzle


@expanded
def difficulty(
    puzzles: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PUZZLE]...",
            autocompletion=completion.puzzles,
            help="Shipped puzzles' names, or files; left out: pent-10x6.",
            show_default=False,
        ),
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Rank every shipped puzzle.")] = False,
    max_branches: Annotated[
        int,
        typer.Option(
            "--max-branches", min=1, metavar="N", help="End each of a puzzle's two searches after N branches."
        ),
    ] = 100_000_000,
    near: Annotated[
        bool, typer.Option("--near/--no-near", help="Whether to count the ways to lay all pieces but one.")
    ] = True,
    as_json: AsJson = False,
    given: InputOptions,
    talk: TalkOptions,
) -> None:
    """Say how hard puzzles are: branches of the plain search, false hopes, near-solutions; the hardest first.

    The figures are the same on every machine. A puzzle whose search is longer than --max-branches comes last.
    """
    from latcover.designing.difficulty import difficulty
    from latcover.formats.library import names

    if every and puzzles:
        raise PuzzleError("--all ranks every shipped puzzle; leave the names out")
    wanted: list[str | None] = list(names("instances")) if every else list(puzzles or [None])  # type: ignore[list-item]
    found: list[Difficulty] = []
    with interruptible() as interrupted:

        def on_progress(_: Progress) -> bool:
            return not interrupted[0]

        for name in wanted:
            for subject in _subjects(name, given, talk):
                figures = difficulty(subject, most_branches=max_branches, near=near, on_progress=on_progress)
                if interrupted[0]:
                    break
                found.append(figures)
            if interrupted[0]:
                break
    found.sort(key=lambda f: (f.score is None, -(f.score or 0), f.puzzle))
    if as_json:
        for figures in found:
            echo(json.dumps(figures.as_json()))
    else:
        echo(as_text(found))
    if interrupted[0]:
        say("stopped before the end", talk)
    if interrupted[0] or not all(figures.complete for figures in found):
        raise typer.Exit(EXIT_LIMIT)


def _subjects(name: str | None, given: InputOptions, talk: TalkOptions) -> tuple[Puzzle | NamedProblem, ...]:
    """All that a file holds, or what the user chose of it."""
    from latcover.formats.library import load_subjects

    if name is None:
        return (load_subject(None, given, talk),)
    subjects = load_subjects(name, given.bounds(), given.problem)
    for subject in subjects:
        warn(subject.warnings, talk)
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
