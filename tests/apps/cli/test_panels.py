"""How help is laid out: each command and option has its place, and the examples are command lines that can be typed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from latcover.apps.cli.main import app
from latcover.apps.cli.registry import COMMANDS
from latcover.apps.cli.shared import help_table
from tests.command_line import run

ROOT = typer.main.get_command(app)


def leaves(command: Any, *names: str) -> Iterator[tuple[str, Any]]:
    """The commands that are no groups, by their whole names."""
    for name, inner in getattr(command, "commands", {}).items():
        yield from leaves(inner, *names, name)
    if not hasattr(command, "commands"):
        yield " ".join(names), command


def texts_of(name: str) -> Any:
    """The table of a command; an empty one if *name* is a key of another kind."""
    texts = help_table.help_table()[name]
    return texts if isinstance(texts, dict) else {}


def covers(place: str, name: str) -> bool:
    """Whether the table *place* has texts for the command *name*."""
    return place in ("options", name, name.split(" ", maxsplit=1)[0])


TABLE = help_table.help_table()
EXAMPLES = [(name, line) for name in TABLE for line in texts_of(name).get("examples", ())]


def test_each_command_has_a_table() -> None:
    names = [name for name in TABLE if name not in ("latcover", "rare", "panels", "options")]
    assert [name for name in names if " " not in name] == [*COMMANDS]
    assert {name for name in names if " " in name} == {name for name, _ in leaves(ROOT) if " " in name}
    assert all(TABLE[name]["about"] for name in names)


def test_each_option_has_a_help() -> None:
    for name, command in leaves(ROOT):
        assert [parameter.name for parameter in command.params if not parameter.help] == [], name


def test_each_help_is_used() -> None:
    used = {
        place: {parameter.name for name, command in leaves(ROOT) if covers(place, name) for parameter in command.params}
        for place in TABLE
    }
    for place in TABLE:
        assert set(texts_of(place).get("options", ())) <= used[place], place
    assert set(TABLE["options"]) <= used["options"]


def test_each_option_of_a_panel_is_one_of_some_command() -> None:
    there = {
        option.lstrip("-") for _, command in leaves(ROOT) for parameter in command.params for option in parameter.opts
    }
    named = [option for options in TABLE["panels"].values() for option in options.split()]
    assert len(named) == len(set(named))
    assert set(named) | set(TABLE["rare"]) <= there


@pytest.mark.parametrize(("name", "line"), EXAMPLES, ids=[line for _, line in EXAMPLES])
def test_an_example_is_understood(name: str, line: str) -> None:
    program, *words = shlex.split(line.partition(" > ")[0])  # the rest is for the shell
    called = name.split()
    assert (program, words[: len(called)]) == ("latcover", called)
    made: Any = ROOT
    for word in called:
        made = made.commands[word]
    assert made.make_context(name, words[len(called) :]).params


def test_help_shows_panels_and_examples() -> None:
    text = run("design", "cut", "--help").stdout
    places = [text.index(word) for word in ("--seed", "What to look for", "--holes", "Limits", "Examples:")]
    assert places == sorted(places)
    assert "latcover design cut cubic:4x4x4 --parts 5 --limit 1 --output designs" in text


@pytest.mark.parametrize(("name", "command"), [*leaves(ROOT)])
def test_first_help_is_short(name: str, command: Any) -> None:
    options = [parameter for parameter in command.params if parameter.param_type_name == "option"]
    shown = [option for option in options if not help_table.is_rare(option)]
    its_own = 1 if len(shown) == len(options) else 2  # --help, and --help-all where there is more
    assert len(shown) + its_own <= 20


def test_all_options_are_shown_on_request() -> None:
    first, whole = run("solve", "--help").stdout, run("solve", "soma", "--help-all").stdout
    assert "--pivot" not in first
    assert "--pivot" in whole
    assert "--help-all" in first
    assert "--help-all" not in whole
    assert "--limit" in first
    assert "--limit" in whole


def test_what_commands_share_imports_no_command() -> None:
    for path in Path(help_table.__file__).parent.glob("*.py"):
        assert "latcover.apps.cli.commands" not in path.read_text(encoding="utf-8"), path.name


def squeezed(text: str) -> str:
    """*text* without blanks and the lines of tables, so that the breaks of lines do not matter."""
    return "".join(sign for sign in text if not sign.isspace() and sign not in "│╭╮╰╯─")


def test_help_prints_a_name_in_brackets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")  # no text breaks, and so none is mixed with its neighbour
    bracketed = {name for name, command in leaves(ROOT) for of in (command, *command.params) if "[" in (of.help or "")}
    assert "solve" in bracketed
    for name in bracketed:
        shown = squeezed(run(*name.split(), "--help-all").stdout)
        command = dict(leaves(ROOT))[name]
        assert [of.name for of in command.params if of.help and squeezed(of.help) not in shown] == [], name
