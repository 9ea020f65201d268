"""The commands `info`, `check` and `list`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from msgspec.structs import asdict

from latcover.apps.cli.shared import completion
from latcover.apps.cli.shared.options import (
    AsJson,
    BoundsOptions,
    EncodingOptions,
    InputOptions,
    MessageOptions,
    PuzzleOrLatticeName,
    only_one,
)
from latcover.apps.cli.shared.output import echo, echo_answer, echo_result, is_terminal, screen_width
from latcover.apps.cli.shared.screenful import LESS, ScreenOfLines
from latcover.apps.cli.shared.subjects import load_with_goals
from latcover.errors import LatcoverError, escaped

if TYPE_CHECKING:
    from latcover.core.model.goals import Goals
    from latcover.core.model.puzzle import Bounds, Puzzle

Kind = Literal["puzzles", "goals", "lattices", "sets", "families", "rules", "backends"]


def info(
    puzzle: PuzzleOrLatticeName = None,
    *,
    system: bool = False,
    schema: Annotated[str | None, typer.Option(metavar="puzzle|lattice|part-set")] = None,
    encoding: EncodingOptions,
    as_json: AsJson = False,
    inputs: InputOptions,
    messages: MessageOptions,
) -> None:
    from latcover.files.formats.library import lattice_called
    from latcover.show.reporting.lattice_report import lattice_as_text
    from latcover.show.reporting.puzzle_figures import info as info_of
    from latcover.show.reporting.puzzle_figures import info_as_text

    if system:
        from latcover.show.reporting.system_report import system_as_json, system_as_text

        if puzzle is not None:
            raise typer.BadParameter(f"--system describes this machine, not a puzzle; leave {puzzle} out")
        about = system_as_json()
        echo_result(about, system_as_text(about), as_json=as_json)
        return

    if schema is not None:
        from latcover.files.formats.puzzle_files.schema import schema_of

        if puzzle is not None:
            raise typer.BadParameter(f"--schema describes a kind of file, not a puzzle; leave {puzzle} out")
        echo(json.dumps(schema_of(schema), indent=2))
        return

    lattice = lattice_called(puzzle)
    subject = lattice or load_with_goals(puzzle, inputs, messages)
    figures = info_of(subject, encoding.choices(), bounds=inputs.bounds())
    echo_result(figures, (lattice_as_text if lattice else info_as_text)(figures), as_json=as_json)


def check(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="[FILE]", autocompletion=completion.everything_shipped)
    ] = None,
    *,
    all_shipped: Annotated[bool, typer.Option("--all")] = False,
    long: bool = False,
    strict: bool = False,
    as_json: AsJson = False,
    inputs: BoundsOptions,
    messages: MessageOptions,
) -> None:
    only_one({"FILE": bool(files), "--all": all_shipped})
    if long and not all_shipped:
        raise typer.BadParameter("--long goes with --all; give both, or leave --long out")
    if strict and all_shipped:
        raise typer.BadParameter("--strict goes with files; give --all without it")
    if all_shipped:
        _check_all(long, as_json)
        return
    if not files:
        raise typer.BadParameter("name a FILE or a folder to check, or give --all")
    from latcover.show.reporting.check_report import check as check_file
    from latcover.show.reporting.check_report import files_of

    names = files_of(files)
    if names != files or len(names) > 1:
        _check_many(names, inputs.bounds(), strict, as_json)
        return
    report = check_file(files[0], strict=strict, bounds=inputs.bounds())
    if as_json:
        echo(json.dumps(report.as_json()))
    else:
        for complaint in report.complaints:
            if not (complaint.warning and messages.quiet):
                echo(str(complaint))
        echo_answer(report.verdict())
    if not report.sound:
        raise typer.Exit(1)


def _check_many(names: list[str], bounds: Bounds, strict: bool, as_json: bool) -> None:
    from latcover.errors import counted
    from latcover.show.reporting.check_report import inspect_files

    wrong = 0
    lines = ScreenOfLines(echo, every=as_json)
    for report in inspect_files(names, bounds, strict=strict):
        wrong += not report.sound
        if report.complaints or as_json or not is_terminal(sys.stdout):
            lines(json.dumps(report.as_json()) if as_json else report.line())
    lines.end(LESS)
    if not as_json:
        echo_answer(f"{counted(len(names), 'file')}: {f'{wrong:,} wrong' if wrong else 'all sound'}")
    if wrong:
        raise typer.Exit(1)


def _check_all(long: bool, as_json: bool) -> None:
    from latcover.files.formats.library import load_all, load_goals
    from latcover.files.formats.source import names
    from latcover.show.reporting.check_report import check_expectations

    differing, lines = 0, ScreenOfLines(echo, every=as_json)
    puzzles: list[Puzzle | Goals] = [
        *(puzzle for name in names("instances") for puzzle in load_all(name)),
        *map(load_goals, names("goals")),
    ]
    for puzzle in puzzles:
        skipped = puzzle.long and not long
        figures = [] if skipped else check_expectations(puzzle)
        wrong = [each for each in figures if each.differs]
        differing += len(wrong)
        if as_json:
            rows = [asdict(each) for each in figures]
            lines(json.dumps({"puzzle": puzzle.name, "skipped": skipped, "ok": not wrong, "figures": rows}))
            continue
        verdict = "left out: takes long" if skipped else "agrees" if not wrong else "DIFFERS"
        words = [
            f"{each.figure.replace('_', ' ')} {_number(each.found)}" for each in figures if each.figure in _COUNTED
        ]
        words += [f"{each.figure} is {_number(each.found)}, expected {_number(each.expected)}" for each in wrong]
        lines(f"{puzzle.name:<32} {verdict:<8} {'; '.join(words)}")
    lines.end(LESS)
    if not as_json:
        echo_answer("all agree" if not differing else f"{differing} figures differ")
    if differing:
        raise typer.Exit(1)


_COUNTED = ("goals", "solved", "different", "different_under_rotations", "total", "assemblable", "level")


def _number(value: int | str) -> str:
    return value or "none" if isinstance(value, str) else f"{value:,}"


def list_shipped(kind: Annotated[Kind | None, typer.Argument()] = None, *, as_json: AsJson = False) -> None:
    from latcover.backends import names
    from latcover.core.model.rules import names as rules_known
    from latcover.files.formats.source import titles

    known: dict[str, Callable[[], dict[str, Any]]] = {
        "puzzles": lambda: titles("instances"),
        "goals": lambda: titles("goals"),
        "lattices": lambda: titles("lattices"),
        "sets": _sets,
        "families": lambda: titles("families"),
        "rules": lambda: {name: _rule(name) for name in rules_known()},
        "backends": lambda: {name: _backend(name) for name in names()},
    }
    asked = {each: known[each]() for each in ([*known] if kind is None else [kind])}
    if as_json:
        echo(json.dumps(asked))
    elif kind is None and is_terminal(sys.stdout):
        echo("\n".join(_names_in_columns(asked, screen_width())))
    else:
        echo("\n".join(line for each, entries in asked.items() for line in _listed(each, entries)))


def _sets() -> dict[str, Any]:
    """The titles of the shipped sets, and of those that need no file."""
    from latcover.files.formats.source import ready_titles, titles

    return titles("sets") | ready_titles()


def _names_in_columns(shipped: dict[str, Any], width: int) -> Iterator[str]:
    """The names of each kind, in columns, and how to see more of them."""
    for kind, entries in shipped.items():
        yield f"{kind} ({len(entries)})"
        shown = [name.replace("_", "-") for name in entries]  # rules, as --rule takes them
        column = max(map(len, shown)) + 2
        across = max(1, (width - 2) // column)
        down = -(-len(entries) // across)
        for row in range(down):
            yield "  " + "".join(f"{name:<{column}}" for name in shown[row::down]).rstrip()
    yield ""
    yield "latcover list KIND  a line on each, as in `latcover list puzzles`"
    yield "latcover show NAME  draw a puzzle, a lattice or a set"


def _listed(kind: str, entries: dict[str, Any]) -> Iterator[str]:
    """A line on each entry of a kind."""
    if kind == "rules":
        yield "rules on parts; --rule adds one:"
        for rule in entries.values():
            yield f"  {', '.join(rule['texts'])}: {rule['about']}{AT_ONCE if rule['at_once'] else ''}"
    elif kind == "backends":
        yield "backends, and their options:"
        for name, backend in entries.items():
            yield f"  {name}: {backend['summary']}"
            for option, about in backend["options"].items():
                yield f"    {option} = {json.dumps(about['default'])}: {about['takes']}"
        yield "what backends can:"
        yield from (f"  {line}" for line in _table_of_abilities(entries))
    else:
        yield f"{kind}:"
        width = max(map(len, entries))
        yield from (f"  {name:<{width}}  {escaped(title)}" for name, title in entries.items())


AT_ONCE = " (on all parts at once)"  # as one of the columns of `backends.ABILITIES` is called


def _rule(name: str) -> dict[str, Any]:
    """A rule as data: what it says, its texts, and whether it is no item, which every backend keeps."""
    from latcover.core.model.rules import rule_called
    from latcover.core.model.rules.rule import Rule
    from latcover.core.model.rules.rule_forms import texts_of

    try:
        kind = rule_called(name)
    except LatcoverError as fault:
        return {"about": f"not available: {fault}", "texts": [name], "at_once": False}
    return {"about": kind.about, "texts": texts_of(kind), "at_once": kind.veto is not Rule.veto}


def _backend(name: str) -> dict[str, Any]:
    """A backend as data: a summary, its options and what it can, or why it cannot be used."""
    from latcover.backends import abilities, describe

    try:
        summary, options = describe(name)
        can = abilities(name)
    except LatcoverError as fault:
        return {"summary": f"not available: {fault}", "options": {}, "can": {}}
    takes = {o.name: {"takes": o.takes, "default": o.default} for o in options}
    return {"summary": summary, "options": takes, "can": can}


def _table_of_abilities(backends: dict[str, Any]) -> list[str]:
    """What each backend declares that it can; nothing of those that only pick another one."""
    from latcover.backends import ABILITIES, searchers

    words = {True: "yes", False: "no"}
    able = {name: backends[name]["can"] for name in searchers() if backends[name]["can"]}
    rows = [["", *ABILITIES.values()]]
    rows += [[name, *(words.get(can[key], str(can[key])) for key in ABILITIES)] for name, can in able.items()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(text.ljust(n) for text, n in zip(row, widths, strict=True)).rstrip() for row in rows]
