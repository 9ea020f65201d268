"""The command `publish`: a site of puzzles that needs no installation and no programs on a server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latcover.apps.cli.shared import completion
from latcover.apps.cli.shared.options import InputOptions, MessageOptions, TurningOptions, expanded
from latcover.apps.cli.shared.output import echo
from latcover.apps.cli.shared.subjects import load_puzzles
from latcover.errors import PuzzleError

if TYPE_CHECKING:
    from latcover.apps.publishing.exhibits import ShelvedPuzzle

TITLE = "Puzzles"


@expanded
def publish(
    puzzles: Annotated[
        list[str] | None, typer.Argument(metavar="[PUZZLE]...", autocompletion=completion.puzzles, show_default=False)
    ] = None,
    *,
    output: Annotated[Path | None, typer.Option(metavar="DIR", show_default=False)] = None,
    every: Annotated[bool, typer.Option("--all")] = False,
    title: Annotated[str | None, typer.Option(metavar="TITLE")] = None,
    address: Annotated[str | None, typer.Option(metavar="URL")] = None,
    workshop: Annotated[bool, typer.Option("--workshop")] = False,
    solutions: Annotated[bool | None, typer.Option("--solutions/--no-solutions", show_default=False)] = None,
    turning: TurningOptions,
    inputs: InputOptions,
    messages: MessageOptions,
) -> None:
    from latcover.apps.publishing.exhibits import exhibits
    from latcover.apps.publishing.site import known_files, site_files, write_site
    from latcover.apps.workshop.workshop_site import workshop_files
    from latcover.files.formats.source import names
    from latcover.lab.asking.assemble import AssembleRequest

    turning.check()
    if output is None:
        raise typer.BadParameter("name a folder for the site with --output DIR")
    if every and puzzles:
        raise PuzzleError("--all shows every shipped puzzle; leave the names out")
    if not (every or puzzles or workshop):
        raise typer.BadParameter("name a PUZZLE to show, several of them, or give --all or --workshop")
    if address and not address.startswith(("https://", "http://")):
        raise PuzzleError(
            f"--address {address}: no address of a web site; write one such as https://example.org/puzzles"
        )
    known_files(output)
    wanted = names("instances") if every else puzzles or ()
    chosen = [one for name in wanted for one in _chosen(name, inputs, messages)]
    how = AssembleRequest(turns=turning.turns, play=turning.play, bevel=turning.bevel)
    shown = list(exhibits(chosen, inputs.bounds(), solutions=solutions is not False, how=how))
    title = title or (shown[0].title if len(shown) == 1 else TITLE)
    more = workshop_files(title, [one.puzzle for one in shown], inputs.bounds()) if workshop else {}
    files = site_files(title, shown, spoilt=solutions is not None, address=address or "", more=more)
    written = write_site(output, files, len(shown))
    if not messages.quiet:
        echo(str(written))
        echo(f"open {output / 'index.html'} in a browser, or put the folder on a web server")


def _chosen(name: str, inputs: InputOptions, messages: MessageOptions) -> list[ShelvedPuzzle]:
    """The puzzles of a shipped name or of a file."""
    from latcover.apps.publishing.exhibits import ShelvedPuzzle
    from latcover.files.formats.shelves import shelf_of_puzzle, shelf_of_shipped
    from latcover.files.formats.source import names

    shipped = shelf_of_shipped(name) if name in names("instances") else None
    return [
        ShelvedPuzzle(puzzle, shipped or shelf_of_puzzle(puzzle)) for puzzle in load_puzzles(name, inputs, messages)
    ]
