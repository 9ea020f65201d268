"""The commands by name: where each is, and a line about it. A command is imported when it is wanted."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, MutableMapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, get_args

import typer.core
import typer.main

from latcover.cli.panels import arrange

COMMANDS = {
    "solve": ("latcover.cli.search:solve", "Find every essentially different solution, and show each as it is found."),
    "count": ("latcover.cli.search:count", "Count the solutions: the essentially different ones, and all."),
    "info": (
        "latcover.cli.about:info",
        "Print a puzzle's figures, or what a lattice is: its axes, nodes, neighbours and transformations.",
    ),
    "check": (
        "latcover.cli.about:check",
        "Say everything that is wrong with a file; or check many files; or count all shipped puzzles.",
    ),
    "list": ("latcover.cli.about:list_shipped", "List what is shipped: puzzles, lattices, part sets and backends."),
    "assemble": (
        "latcover.cli.assemble:assemble",
        "Take every solution apart by sliding: which can be put together, and in how many moves.",
    ),
    "show": (
        "latcover.cli.show:show",
        "Draw a solution, the region, or a part with all its orientations; or make a model of it to print.",
    ),
    "pieces": (
        "latcover.cli.pieces:pieces",
        "Make all connected shapes of so many cells on any lattice, or show a part set.",
    ),
    "design": (
        "latcover.cli.design:design",
        "Make puzzles: sets of parts that cover a region, regions that parts cover, or cuts of a region.",
    ),
    "board": (
        "latcover.cli.board:board",
        "Make a matching puzzle that has a solution: tiles whose sides bear values.",
    ),
    "difficulty": (
        "latcover.cli.difficulty:difficulty",
        "Say how hard puzzles are, by figures that are the same on every machine, and rank them.",
    ),
    "compare": (
        "latcover.cli.compare:compare",
        "Run several methods on one puzzle, each in its own process, and check whether they agree.",
    ),
    "estimate": (
        "latcover.cli.estimate:estimate",
        "Estimate the branches, the time and the solutions of a search by random probes.",
    ),
    "export": ("latcover.cli.formats:export", "Write a puzzle as a problem that other programs solve."),
    "import": (
        "latcover.cli.formats:import_file",
        "Convert a file of another program to a puzzle file, or to a cover problem in Knuth's form.",
    ),
    "decode": (
        "latcover.cli.formats:decode",
        "Convert the answer of another program, or letters in a grid, to verified solutions.",
    ),
    "resume": (
        "latcover.cli.runs:resume",
        "Continue the run of a file, whatever ended it. If the run is complete, print its answer again.",
    ),
    "runs": (
        "latcover.cli.runs:runs",
        "Print how far the run of a file is, even while it searches; or show or export its solutions.",
    ),
    "serve": (
        "latcover.cli.serve:serve",
        "Start the web app: edit, solve, compare and watch puzzles in a browser. Ctrl-C ends it and all searches.",
    ),
    "publish": (
        "latcover.cli.publish:publish",
        "Make a web site of puzzles: to turn them, play them by hand, solve them, and take them apart in the page.",
    ),
    "bench": (
        "latcover.cli.bench:bench",
        "Measure latcover: on this machine, beside other programs, and against what others have published.",
    ),
}
PANELS = {  # in the order of help
    "Solve and judge": "solve count assemble difficulty",
    "Look and print": "list show info check serve publish",
    "Design": "design board pieces",
    "Other programs": "import export decode",
    "Long searches": "estimate resume runs",
    "Measure": "compare bench",
}


class Commands(typer.core.TyperGroup):
    """The root of the command line. It shows the names and lines above, and imports the command that is called."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Imported()

    def get_params(self, ctx: Any) -> Any:
        """The options of the root."""
        return _spared(super().get_params(ctx), self.callback)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order in which help shows them."""
        return [name for names in PANELS.values() for name in names.split()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """What help and a shell show of a command: its name and its line."""
        if cmd_name not in COMMANDS:
            return None
        panel = next(panel for panel, names in PANELS.items() if cmd_name in names.split())
        return typer.core.TyperCommand(cmd_name, help=COMMANDS[cmd_name][1], rich_help_panel=panel)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called, and its arguments."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and self.commands[str(command.name)], rest


class Command(typer.core.TyperCommand):
    """A command that converts only what needs it."""

    def get_params(self, ctx: Any) -> Any:
        """Its options and arguments."""
        return _spared(super().get_params(ctx), self.callback)


class _Imported(MutableMapping[str, Any]):
    """The commands themselves, each imported when it is taken out."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            module, attribute = COMMANDS[name][0].split(":")
            self._made[name] = _command(name, getattr(import_module(module), attribute))
        return self._made[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        raise TypeError("commands stay")

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


def _command(name: str, made: Any) -> Any:
    """A function, or a group of commands, as a command of typer's."""
    if isinstance(made, typer.Typer):
        made.info.name = name
        return typer.main.get_command(made)
    alone = typer.Typer(add_completion=False)
    alone.command(name, cls=Command)(made)
    return arrange(typer.main.get_command(alone), name)


def _spared(params: Sequence[Any], callback: Any) -> Sequence[Any]:
    """Let *params* hand on defaults, and text, as they are.

    typer converts these too, by a library that takes longer to import than a small puzzle takes to solve.
    """
    kinds = {name: get_args(of.annotation)[:1] for name, of in inspect.signature(callback).parameters.items()}
    for param in params:
        if not param.required and not isinstance(param.process_value, partial):
            is_text = kinds.get(param.name) in ((str,), (str | None,))
            param.process_value = partial(_as_it_is, param, param.process_value, is_text)
    return params


def _as_it_is(param: Any, process: Any, is_text: bool, ctx: Any, value: Any) -> Any:
    if value is param.default or (is_text and isinstance(value, str)):
        return value if param.callback is None else param.callback(ctx, param, value)
    return process(ctx, value)
