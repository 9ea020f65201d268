"""What help says, and how it is laid out: help.toml has the texts, the panels and the examples."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import typer

from latcover.apps.cli.shared.output import echo
from latcover.errors import counted

EXPERTS = "Search methods (for experts)"  # help leaves out the options of this panel
HELP_ALL = "--help-all"


@cache
def help_table() -> dict[str, Any]:
    """The texts, by the names of the commands."""
    return tomllib.loads((Path(__file__).parents[1] / "help.toml").read_text(encoding="utf-8"))


def help_text(name: str) -> str:
    """What help says of a command before its options."""
    texts = help_table()[name]
    return "\n\n".join(texts[key] for key in ("about", "more") if key in texts)


def option_texts(name: str) -> dict[str, str]:
    """What help says of each option and argument that the command *name* may have."""
    table = help_table()
    group = name.split(maxsplit=1)[0]
    return {**table["options"], **table[group].get("options", {}), **table[name].get("options", {})}


def command_group(name: str) -> typer.Typer:
    """A group of commands. Alone it prints a few lines to start with."""
    group = typer.Typer(invoke_without_command=True, add_completion=False)

    @group.callback()
    def start(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            echo(help_table()[name]["start"])

    return group


def arrange(command: Any) -> Any:
    """Give *command* its texts and examples, and put its options into their panels; return it."""
    if command.help is not None:
        return command  # it has them
    name = command.whole_name
    table, texts = help_table(), option_texts(name)
    panel_of = {option: panel for panel, options in table["panels"].items() for option in options.split()}
    places = [*panel_of]
    rare = {*table["rare"], *table[name].get("rare", ())}
    command.help = help_text(name)
    for parameter in command.params:
        parameter.place = -1  # what has no panel comes first
        parameter.help = texts.get(parameter.name, parameter.help)
        if parameter.param_type_name == "option":
            option = parameter.opts[0].lstrip("-")
            parameter.rich_help_panel = panel_of.get(option)
            parameter.place = places.index(option) if option in panel_of else -1
            parameter.rare = parameter.rich_help_panel == EXPERTS or option in rare
    command.params.sort(key=lambda parameter: parameter.place)
    if examples := table[name].get("examples"):
        command.epilog = "\n\n".join(("Examples:", *examples))
    return command


def is_rare(parameter: Any) -> bool:
    """Whether the first help leaves an option out."""
    return getattr(parameter, "rare", False)


@contextmanager
def folded(command: Any) -> Iterator[None]:
    """Hide what is rarely needed from the help of *command*, and say how to see it. Shells go on completing it."""
    rare, epilog = [parameter for parameter in command.params if is_rare(parameter)], command.epilog
    if rare:
        shows = f"shows {counted(len(rare), 'more option')}, for experts or rarely needed."
        more = f"`latcover {command.whole_name} {HELP_ALL}` {shows}"
        command.epilog = "\n\n".join(filter(None, (epilog, more)))
    for parameter in rare:
        parameter.hidden = True
    try:
        yield
    finally:
        command.epilog = epilog
        for parameter in rare:
            parameter.hidden = False
