"""The command `board`: matching puzzles that have a solution."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from latcover.cli.options import InputOptions, TalkOptions, expanded
from latcover.cli.support import echo, require_writable, write_file
from latcover.errors import UnsupportedError


@expanded
def board(
    region: Annotated[
        str,
        typer.Argument(metavar="REGION", help="A box of a lattice, such as square:6x6; or a puzzle, for its region."),
    ],
    *,
    values: Annotated[int, typer.Option(min=1, metavar="N", help="How many values inner sides bear.")] = 5,
    frame: Annotated[
        int, typer.Option(min=0, metavar="N", help="How many other values sides between two tiles at the rim bear.")
    ] = 0,
    rim: Annotated[bool, typer.Option("--rim/--no-rim", help="Whether the rim bears a value of its own.")] = True,
    mates: Annotated[
        bool, typer.Option("--mates", help="Values are heads and tails: a head matches a tail, not another head.")
    ] = False,
    alike: Annotated[
        bool, typer.Option("--alike", help="Tiles may be alike, and may look the same from several directions.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="What is drawn by chance.")] = 1,
    name: Annotated[str, typer.Option(metavar="NAME", help="The name of the puzzle.")] = "board",
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the puzzle to this file.")] = None,
    given: InputOptions,
    talk: TalkOptions,
) -> None:
    """Make a matching puzzle that has a solution: tiles whose sides bear values, for any region of any lattice.

    The same options and the same seed make the same puzzle on every machine.
    """
    from latcover.designing.boards import BoardWishes
    from latcover.designing.boards import board as made
    from latcover.designing.region_names import region_named
    from latcover.formats.puzzle_files.puzzle_writer import puzzle_as_toml

    if output is not None and output.suffix.lower() != ".toml":
        raise UnsupportedError(f"a board is a puzzle file: {output} must end in .toml")
    if not name.strip():
        raise UnsupportedError("--name: a puzzle needs a name; leave this out to call it board")
    require_writable(output, reads=region)
    lattice, cells = region_named(region, given.bounds(), given.problem)
    puzzle = made(lattice, cells, BoardWishes(values, frame, rim, mates, alike), seed, name)
    text = puzzle_as_toml([puzzle]).rstrip("\n")
    if output is None:
        echo(text)
    else:
        write_file(output, text, talk)
