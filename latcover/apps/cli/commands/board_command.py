"""The command `design matching`: matching puzzles that have a solution."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from latcover.apps.cli.shared.design_options import Seed
from latcover.apps.cli.shared.options import InputOptions, MessageOptions
from latcover.apps.cli.shared.output import STDOUT, require_writable, write_pieces
from latcover.core.model.request_values import Natural, Positive
from latcover.errors import UnsupportedError


def board(
    region: Annotated[str, typer.Argument(metavar="REGION")],
    *,
    values: Positive = 5,
    frame: Natural = 0,
    rim: bool = True,
    mates: bool = False,
    alike: bool = False,
    seed: Seed = 1,
    name: Annotated[str, typer.Option(metavar="NAME")] = "board",
    output: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    inputs: InputOptions,
    messages: MessageOptions,
) -> None:
    from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
    from latcover.lab.designing.boards import make_board
    from latcover.lab.designing.design_requests import BoardRequest
    from latcover.lab.designing.region_names import region_named

    if output not in (None, STDOUT) and output.suffix.lower() != ".toml":
        raise UnsupportedError(f"a board is a puzzle file: {output} must end in .toml")
    if not name.strip():
        raise UnsupportedError("--name: a puzzle needs a name; leave this out to call it board")
    require_writable(output, reads=region)
    request = BoardRequest(values=values, frame=frame, rim=rim, mates=mates, alike=alike, seed=seed, name=name)
    puzzle = make_board(region_named(region, inputs.bounds(), inputs.problem), request)
    write_pieces(output, [puzzle_as_toml([puzzle]).encode()], messages)
