"""The commands by name, and where each is. A command is imported when it is wanted, and so are the texts of help."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator, MutableMapping
from functools import cache
from importlib import import_module
from typing import Any

import typer.core
import typer.main

from latcover.apps.cli.shared.help_table import HELP_ALL, arrange, folded, help_table, help_text
from latcover.apps.cli.shared.options import expanded
from latcover.apps.cli.shared.values import convert

COMMANDS = {  # in the order of help
    "solve": "search:solve",
    "count": "search:count",
    "apart": "apart:apart",
    "difficulty": "difficulty:difficulty",
    "compare": "compare:compare",
    "list": "about:list_shipped",
    "show": "show:show",
    "info": "about:info",
    "check": "about:check",
    "open": "serve:open_app",
    "serve": "serve:serve",
    "publish": "publish:publish",
    "import": "formats:import_file",
    "export": "formats:export",
    "new": "new:new",
    "design": "design:design",
    "pieces": "pieces:pieces",
    "plane": "plane:plane",
    "atlas": "atlas:atlas",
    "common": "common:common",
    "pack": "pack:pack",
    "sequence": "sequence:sequence",
    "sample": "sample:sample",
    "exclude": "pack:exclude",
    "multiples": "multiples:multiples",
    "estimate": "estimate:estimate",
    "runs": "runs:runs",
    "decode": "formats:decode",
    "bench": "bench:bench",
}

OLD_NAMES = {"assemble": "apart", "board": "matching"}  # understood for a release


class Converting:
    """What converts the words of its options and arguments itself."""

    def get_params(self, ctx: Any) -> Any:
        """Its options and arguments."""
        own: Any = self
        params = super().get_params(ctx)  # type: ignore[misc]
        convert(params, own.callback)
        return params


class Commands(Converting, typer.core.TyperGroup):
    """The root of the command line. It shows the names and their lines, and imports the command that is called."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Imported()

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order in which help shows them."""
        return [*COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """What help and a shell show of a command: its name and its line."""
        if cmd_name not in COMMANDS:
            return None
        return typer.core.TyperCommand(cmd_name, help=help_table()[cmd_name]["line"])

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As usual; ``help COMMAND`` is ``COMMAND --help``."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help."""
        from latcover.apps.cli.shared.help_pages import print_group

        print_group(self, ctx.command_path, help_table()["latcover"]["about"], [*COMMANDS])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called, and its arguments."""
        name = OLD_NAMES.get(args[0], args[0])
        if name in COMMANDS:
            return name, called(name), args[1:]
        return super().resolve_command(ctx, args)  # which says that there is none


class Command(Converting, typer.core.TyperCommand):
    """A command whose first help leaves out what few people need."""

    shows_all = False
    whole_name = ""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As usual; ``--help-all`` becomes a help that leaves nothing out."""
        before = args[: args.index("--")] if "--" in args else args
        self.shows_all = HELP_ALL in before
        return super().parse_args(ctx, ["--help"] if self.shows_all else args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help."""
        from latcover.apps.cli.shared.help_pages import print_command

        with contextlib.nullcontext() if self.shows_all else folded(arrange(self)):
            print_command(arrange(self), ctx.command_path)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """What a shell offers."""
        arrange(self)
        return super().shell_complete(ctx, incomplete)

    def invoke(self, ctx: Any) -> Any:
        """Perform it. If the collector rested while it was loaded, it need not look at what was: all of that stays."""
        if not gc.isenabled():
            gc.freeze()
            gc.enable()
        return super().invoke(ctx)


class Group(Converting, typer.core.TyperGroup):
    """A command that has commands of its own."""

    whole_name = ""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called, and its arguments."""
        return super().resolve_command(ctx, [OLD_NAMES.get(args[0], args[0]), *args[1:]])

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help."""
        from latcover.apps.cli.shared.help_pages import print_group

        names = [f"{self.whole_name} {own}" for own in self.commands]
        print_group(self, ctx.command_path, help_text(self.whole_name), names)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """What a shell offers."""
        for command in self.commands.values():
            arrange(command)
        return super().shell_complete(ctx, incomplete)


class _Imported(MutableMapping[str, Any]):
    """The commands themselves with their help, each imported when it is taken out."""

    def __getitem__(self, name: str) -> Any:
        command = called(name)
        for each in command.commands.values() if isinstance(command, Group) else [command]:
            arrange(each)
        return command

    def __setitem__(self, name: str, command: Any) -> None:
        raise TypeError("commands stay")

    def __delitem__(self, name: str) -> None:
        raise TypeError("commands stay")

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


@cache
def called(name: str) -> Any:
    """The command that is to be performed, a function or a group, as one of typer's. It has no help yet."""
    module, attribute = COMMANDS[name].split(":")
    made = getattr(import_module(f"latcover.apps.cli.commands.{module}_command"), attribute)
    if isinstance(made, typer.Typer):
        made.info.name = name
        for each in made.registered_commands:
            each.cls, each.callback = Command, each.callback and expanded(each.callback)
        made.info.cls = Group
        group: Any = typer.main.get_command(made)
        group.whole_name = name
        for own, each in group.commands.items():
            each.whole_name = f"{name} {own}"
        return group
    alone = typer.Typer(add_completion=False)
    alone.command(name, cls=Command)(expanded(made))
    command: Any = typer.main.get_command(alone)
    command.whole_name = name
    return command
