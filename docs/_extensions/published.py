"""The gallery to play, solve and take apart: a published site of every shipped puzzle, in the folder `gallery`."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from latcover.formats.library import load_all, names
from latcover.formats.shelves import shelf_of_shipped
from latcover.model.puzzle import Bounds
from latcover.publishing.exhibits import Chosen, exhibits
from latcover.publishing.site import site_files, write_site

MARKER = "<!-- on the site a link to the gallery to play stands here -->"
WORDS = "Play, solve and take apart every shipped puzzle in your browser"
LINK = f'<p><a href="gallery/index.html"><strong>{WORDS}</strong></a></p>'


def _fill_in(app: Sphinx, _page: str, text: list[str]) -> None:
    if app.builder.format == "html":
        text[0] = text[0].replace(MARKER, LINK)


def _publish(app: Sphinx, fault: Exception | None) -> None:
    if fault is None and app.builder.format == "html":
        logging.getLogger("latcover").setLevel(logging.WARNING)  # nobody wants to read each step here
        chosen = [Chosen(puzzle, shelf_of_shipped(name)) for name in names("instances") for puzzle in load_all(name)]
        shown = list(exhibits(chosen, Bounds(), solutions=True))
        write_site(Path(app.outdir) / "gallery", site_files("Puzzles of latcover", shown), len(shown))


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", _fill_in)
    app.connect("build-finished", _publish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
