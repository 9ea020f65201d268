"""The command `new`: a puzzle file to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from latcover.apps.cli.shared import completion
from latcover.apps.cli.shared.options import MessageOptions
from latcover.apps.cli.shared.output import say, write_new_file
from latcover.errors import UnsupportedError
from latcover.system.terminal import quoted


def new(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    lattice: Annotated[str, typer.Argument(autocompletion=completion.lattices)] = "square",
    region: Annotated[str | None, typer.Argument(metavar="[REGION]")] = None,
    *,
    messages: MessageOptions,
) -> None:
    from latcover.lab.designing.first_file import first_file

    path = Path(name if name.endswith(".toml") else f"{name}.toml")
    if path.exists():
        raise UnsupportedError(f"{path} is there already, and is not overwritten; choose another name, or delete it")
    written = write_new_file(path, first_file(path.stem, lattice, region, file=str(path)), messages)
    named = quoted(str(written))
    say(f"next: latcover solve {named}, then change the file, or draw: latcover open {named}", messages)
