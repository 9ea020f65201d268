"""What `latcover publish` writes, for who has only the app: a site of a file's puzzles as a ZIP file, or one page."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

from latcover.apps.publishing.exhibits import ShelvedPuzzle, exhibits
from latcover.apps.publishing.single_page import single_page
from latcover.apps.publishing.site import site_files
from latcover.apps.web.job import Talk
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.files.formats.shelves import shelf_of_puzzle

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
    """A site of *puzzles* in a folder of a ZIP file.

    Raises:
        PuzzleError: a puzzle contradicts itself, or is too large for a page.
    """
    talk.stage("solving the puzzle for its page")
    bounds: Bounds = talk.settings.bounds()
    shown = list(
        exhibits([ShelvedPuzzle(puzzle, shelf_of_puzzle(puzzle)) for puzzle in puzzles], bounds, solutions=True)
    )
    talk.stage("writing the site")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in site_files(shown[0].title if len(shown) == 1 else title, shown, spoilt=False).items():
            file.writestr(zipfile.ZipInfo(f"{folder}/{name}", LONG_AGO), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
