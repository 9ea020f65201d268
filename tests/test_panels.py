"""How help is laid out: each command and option has its place, and the examples are command lines that can be typed."""

from __future__ import annotations

import shlex

import pytest
import typer.main

from latcover.cli import panels
from latcover.cli.commands import COMMANDS, PANELS
from latcover.cli.main import app
from tests.command_line import run

ROOT = typer.main.get_command(app)
EXAMPLES = [(name, line) for name, lines in panels.EXAMPLES.items() for line in lines]


def test_each_command_stands_in_one_panel() -> None:
    assert sorted(name for names in PANELS.values() for name in names.split()) == sorted(COMMANDS)


def test_each_option_of_a_panel_is_one_of_some_command() -> None:
    commands = ROOT.commands.values()  # type: ignore[attr-defined]
    there = {option.lstrip("-") for command in commands for parameter in command.params for option in parameter.opts}
    named = [option for options in panels.PANELS.values() for option in options.split()]
    assert len(named) == len(set(named))
    assert set(named) <= there


@pytest.mark.parametrize(("name", "line"), EXAMPLES, ids=[line for _, line in EXAMPLES])
def test_an_example_is_understood(name: str, line: str) -> None:
    program, command, *words = shlex.split(line)
    assert (program, command) == ("latcover", name)
    made = ROOT.commands[name]  # type: ignore[attr-defined]
    assert made.make_context(name, words).params


def test_help_shows_panels_and_examples() -> None:
    text = run("design", "--help").stdout
    places = [text.index(word) for word in ("--unique", "Cuts of a region", "--holes", "(for experts)", "Examples:")]
    assert places == sorted(places)
    assert "latcover design --cut 5 cubic:4x4x4 --seed 1" in text
