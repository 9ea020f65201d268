"""The command `publish`: a site of puzzles that needs no installation and no programs on a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import asdict

from latcover.apps.cli.shared import completion
from latcover.apps.cli.shared.options import InputOptions, MessageOptions, TurningOptions
from latcover.apps.cli.shared.output import echo
from latcover.apps.cli.shared.subjects import load_puzzles
from latcover.errors import PuzzleError


def publish(
    puzzles: Annotated[
        list[str] | None, typer.Argument(metavar="[PUZZLE]...", autocompletion=completion.puzzles, show_default=False)
    ] = None,
    *,
    output: Annotated[Path | None, typer.Option(metavar="DIR", show_default=False)] = None,
    every: Annotated[bool, typer.Option("--all")] = False,
    title: Annotated[str | None, typer.Option(metavar="TITLE")] = None,
    address: Annotated[str | None, typer.Option(metavar="URL")] = None,
    workshop: Annotated[bool | None, typer.Option("--workshop/--no-workshop", show_default=False)] = None,
    solutions: Annotated[bool | None, typer.Option("--solutions/--no-solutions", show_default=False)] = None,
    turning: TurningOptions,
    inputs: InputOptions,
    messages: MessageOptions,
) -> None:
    from latcover.apps.publishing.site import known_files
    from latcover.apps.workshop.publish import PublishRequest, shelved
    from latcover.apps.workshop.publish import publish as write_site
    from latcover.files.formats.source import names

    turning.check()
    if output is None:
        raise typer.BadParameter("name a folder for the site with --output DIR")
    if every and puzzles:
        raise PuzzleError("--all shows every shipped puzzle; leave the names out")
    if not (every or puzzles or workshop):
        raise typer.BadParameter("name a PUZZLE to show, several of them, or give --all or --workshop")
    request = PublishRequest(
        title=title, address=address or "", workshop=workshop, solutions=solutions, **asdict(turning)
    )
    request.check()
    known_files(output)
    wanted = names("instances") if every else puzzles or ()
    chosen = [one for name in wanted for one in shelved(name, load_puzzles(name, inputs, messages))]
    written = write_site(chosen, output, request, bounds=inputs.bounds())
    if not messages.quiet:
        echo(str(written))
        echo(f"open {output / 'index.html'} in a browser, or put the folder on a web server")
