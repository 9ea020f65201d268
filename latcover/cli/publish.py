"""The command `publish`: a site of puzzles that needs no installation and no programs on a server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latcover.cli import completion
from latcover.cli.options import InputOptions, TalkOptions, expanded
from latcover.cli.support import echo, load_puzzles
from latcover.errors import PuzzleError

if TYPE_CHECKING:
    from latcover.publishing.exhibits import Chosen

TITLE = "Puzzles"


@expanded
def publish(
    puzzles: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PUZZLE]...",
            autocompletion=completion.puzzles,
            help="Shipped puzzles' names, or files.",
            show_default=False,
        ),
    ] = None,
    *,
    output: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the site into this folder.", show_default=False)
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Show every shipped puzzle.")] = False,
    title: Annotated[
        str | None,
        typer.Option(metavar="TITLE", help="The title of the site; default: that of its one puzzle, or Puzzles."),
    ] = None,
    solutions: Annotated[
        bool,
        typer.Option(
            "--solutions/--no-solutions",
            help="Whether pictures show a solution, and pages can show one before they have found any.",
        ),
    ] = True,
    given: InputOptions,
    talk: TalkOptions,
) -> None:
    """Make a web site of puzzles: to turn them, play them by hand, solve them, and take them apart in the page.

    The site is a folder of files. It needs no installation, no programs on a server and no network: put it on any web
    server, or open its index.html. It works on phones, and offline once it was open. The same puzzles give the same
    bytes. A folder that holds other files is refused; a site of latcover's is renewed.
    """
    from latcover.publishing.exhibits import exhibits
    from latcover.publishing.site import require_free, site_files, write_site

    if output is None:
        raise typer.BadParameter("name a folder for the site with --output DIR")
    if every and puzzles:
        raise PuzzleError("--all shows every shipped puzzle; leave the names out")
    if not every and not puzzles:
        raise typer.BadParameter("name a PUZZLE to show, several of them, or give --all")
    require_free(output)
    chosen = _shipped() if every else [one for name in puzzles or () for one in _named(name, given, talk)]
    shown = list(exhibits(chosen, given.bounds(), solutions=solutions))
    title = title or (shown[0].title if len(shown) == 1 else TITLE)
    written = write_site(output, site_files(title, shown), len(shown))
    if not talk.quiet:
        echo(str(written))
        echo(f"open {output / 'index.html'} in a browser, or put the folder on a web server")


def _shipped() -> list[Chosen]:
    from latcover.formats.library import load_all, names
    from latcover.formats.shelves import shelf_of_shipped
    from latcover.publishing.exhibits import Chosen

    return [Chosen(puzzle, shelf_of_shipped(name)) for name in names("instances") for puzzle in load_all(name)]


def _named(name: str, given: InputOptions, talk: TalkOptions) -> list[Chosen]:
    """The puzzles of a shipped name or of a file."""
    from latcover.formats.library import names
    from latcover.formats.shelves import shelf_of_puzzle, shelf_of_shipped
    from latcover.publishing.exhibits import Chosen

    found = load_puzzles(name, given, talk)
    shipped = shelf_of_shipped(name) if name in names("instances") else None
    return [Chosen(puzzle, shipped or shelf_of_puzzle(puzzle)) for puzzle in found]
