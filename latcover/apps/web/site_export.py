"""What `latcover publish` writes, for who has only the app: a site of a file's puzzles as a ZIP file, or one page."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from pkgutil import resolve_name

from latcover.apps.publishing.exhibits import ShelvedPuzzle, exhibits
from latcover.apps.publishing.single_page import single_page
from latcover.apps.publishing.site import Files
from latcover.apps.web.job import Talk
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.errors import UnsupportedError
from latcover.files.formats.shelves import shelf_of_puzzle

# Makes the site of puzzles, with a title; None if the only puzzle has it.
Publisher = Callable[[Sequence[Puzzle], str | None, Bounds], Files]
SITE, PAGE = "site", "page"
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # equal puzzles give equal files


def page_alone(puzzle: Puzzle, talk: Talk) -> bytes:
    """The page of a puzzle as one file of HTML, which anybody can open.

    Raises:
        PuzzleError: the puzzle contradicts itself, or is too large for a page.
    """
    talk.stage("solving the puzzle for its page")
    shelved = ShelvedPuzzle(puzzle, shelf_of_puzzle(puzzle))
    (shown,) = exhibits([shelved], talk.settings.bounds(), solutions=True)
    return single_page(shown)


def zipped_site(puzzles: Sequence[Puzzle], folder: str, title: str, talk: Talk) -> bytes:
    """The site of *puzzles*, as `latcover publish` writes it, in a folder of a ZIP file.

    Raises:
        PuzzleError: a puzzle contradicts itself, or is too large for a page.
        UnsupportedError: the server makes no sites.
    """
    if not talk.settings.publisher:
        raise UnsupportedError("this server makes no sites; save the puzzle, and latcover on your machine publishes it")
    publisher: Publisher = resolve_name(talk.settings.publisher)
    talk.stage("solving the puzzle for its page")
    files = publisher(puzzles, title if len(puzzles) > 1 else None, talk.settings.bounds())
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(zipfile.ZipInfo(f"{folder}/{name}", LONG_AGO), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
