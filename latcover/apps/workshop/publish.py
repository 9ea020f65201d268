"""Publishes puzzles: a site that needs no installation, and no programs on a server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from latcover.apps.publishing.exhibits import ShelvedPuzzle, exhibits
from latcover.apps.publishing.site import Files, SiteSummary, known_files, site_files, write_site
from latcover.apps.workshop.workshop_site import workshop_files
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.model.request_values import Bevel, Play, Request, When
from latcover.errors import PuzzleError
from latcover.files.formats.library import load_all
from latcover.files.formats.shelves import shelf_of_puzzle, shelf_of_shipped
from latcover.files.formats.source import names
from latcover.lab.asking.assemble import AssembleRequest

TITLE = "Puzzles"
SOME = "soma"


class PublishRequest(Request, frozen=True, kw_only=True):
    """What a site shows.

    Attributes:
        title: The title of the site; None takes that of its only puzzle, or "Puzzles".
        address: Where the site will be; "" if that is not known. With it, previews of links have a picture.
        workshop: Whether its gallery leads to a page on which visitors draw and solve puzzles of their own. None:
            the site has that page, and pages of puzzles lead to it, to change the puzzle there; False: it has none.
        solutions: Whether pages show a solution; None shows it to those alone who have found one.
        turns, play, bevel: How the solutions are taken apart; see `latcover.AssembleRequest`.
    """

    title: str | None = None
    address: str = ""
    workshop: bool | None = None
    solutions: bool | None = None
    turns: When | None = None
    play: Play | None = None
    bevel: Bevel | None = None

    def check(self) -> None:
        """Refuse an address that no site can have.

        Raises:
            PuzzleError: it is one.
        """
        if self.address and not self.address.startswith(("https://", "http://")):
            raise PuzzleError(
                f"--address {self.address}: no address of a web site; write one such as https://example.org/puzzles"
            )


def publish(
    puzzles: str | Path | Puzzle | Iterable[str | Path | Puzzle | ShelvedPuzzle],
    folder: str | Path,
    request: PublishRequest = PublishRequest(),
    *,
    bounds: Bounds | None = None,
) -> SiteSummary:
    """Write a site of puzzles into a folder, which is made; a site that is there already is updated.

    Args:
        puzzles: One or several: puzzles, or their names or paths. If a workshop is asked for, there may be none.
        folder: Where the site is written.
        request: What it shows.
        bounds: How much the puzzles may ask for.

    Raises:
        PuzzleError: there is no puzzle, or one is too large for a page; or the folder holds other files.
    """
    request.check()
    known_files(Path(folder))
    bounds = bounds or Bounds()
    several = puzzles if isinstance(puzzles, Iterable) and not isinstance(puzzles, str) else (puzzles,)
    chosen = [one for given in several for one in _shelved(given, bounds)]
    if not (chosen or request.workshop):
        raise PuzzleError(f"a site shows puzzles, such as {SOME!r}, or has a workshop; name one")
    return write_site(Path(folder), _files(chosen, request, bounds), len(chosen))


def site_of(puzzles: Sequence[Puzzle], title: str | None, bounds: Bounds) -> Files:
    """The files that `publish` writes for the puzzles of a file; without a *title* it takes that of its only puzzle.

    Raises:
        PuzzleError: a puzzle is too large for a page.
    """
    return _files(shelved("", puzzles), PublishRequest(title=title), bounds)


def _files(chosen: Sequence[ShelvedPuzzle], request: PublishRequest, bounds: Bounds) -> Files:
    how = AssembleRequest(turns=request.turns, play=request.play, bevel=request.bevel)
    shown = list(exhibits(chosen, bounds, solutions=request.solutions is not False, how=how))
    title = request.title or (shown[0].title if len(shown) == 1 else TITLE)
    more = {} if request.workshop is False else workshop_files(title, shown, bounds, address=request.address)
    alone = len(shown) == 1 and not request.workshop
    spoilt = request.solutions is not None
    return site_files(title, shown, spoilt=spoilt, address=request.address, more=more, alone=alone)


def shelved(name: str, puzzles: Sequence[Puzzle]) -> list[ShelvedPuzzle]:
    """The puzzles of a file, or of a shipped name, and their shelf."""
    shipped = shelf_of_shipped(name) if name in names("instances") else None
    return [ShelvedPuzzle(puzzle, shipped or shelf_of_puzzle(puzzle)) for puzzle in puzzles]


def _shelved(given: object, bounds: Bounds) -> list[ShelvedPuzzle]:
    if isinstance(given, ShelvedPuzzle):
        return [given]
    if isinstance(given, Puzzle):
        return shelved("", [given])
    if not isinstance(given, str | Path):
        raise PuzzleError(f"a puzzle is needed, or the name or the path of one, such as {SOME!r}; not {given!r:.80}")
    return shelved(str(given), load_all(str(given), bounds))
