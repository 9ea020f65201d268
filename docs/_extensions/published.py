"""The gallery to play, solve and take apart: a published site of every shipped puzzle, in the folder `gallery`.

The pages of the documents link to it: the front page shows some of its puzzles, one of them live. The folder `schemas`
has the schemas of our own files.
``-D published_only=soma,pent-10x6`` publishes these alone, which is faster.
"""

from __future__ import annotations

import json
import logging
import re
from html import escape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from latcover.apps.publishing.exhibits import ShelvedPuzzle, exhibits
from latcover.apps.publishing.site import site_files, write_site
from latcover.core.model.puzzle import Bounds
from latcover.files.formats.library import load_all
from latcover.files.formats.puzzle_files.schema import FILES, schema_of
from latcover.files.formats.shelves import shelf_of_shipped
from latcover.files.formats.source import names

FRONT = "index"
GALLERY = "reference/gallery"
MARKER = "<!-- on the site a link to the gallery to play stands here -->"
WORDS = "Play, solve and take apart every shipped puzzle in your browser"
LINK = f'<p><a href="../gallery/index.html"><strong>{WORDS}</strong></a></p>'
PICTURES = re.compile(r"<!-- on the site puzzles to play .*? -->.*<!-- the pictures end here -->", re.DOTALL)
PICTURE = re.compile(r"^!\[.*\]\(\.\./gallery/(.+)\.svg\)$", re.MULTILINE)

LIVE = ("tetrahexes-4x7", "The seven tetrahexes in a parallelogram of 4 by 7")
# Name, tab, title, what to do with it.
MORE = (
    ("soma", "play", "The Soma cube", "240 solutions: find one"),
    ("burr-piston", "apart", "The Piston Burr", "nine moves free the first stick"),
    ("sphere-pyramid", "play", "Packed spheres", "six bars make a pyramid"),
    ("nine-cards", "solve", "Heads and tails", "let the page solve it"),
)


def _page(name: str, tab: str = "play") -> str:
    return f"gallery/puzzles/{name}.html#{tab}"


def _front() -> str:
    """Puzzles to play, in place of the pictures of the front page. Only a click loads more than pictures."""
    name, title = LIVE
    live = (
        f'<figure class="stage"><a class="poster" href="{_page(name)}"'
        f' data-live="gallery/puzzles/{name}.html?only=play">'
        f'<img src="gallery/pictures/{name}.svg" alt="{escape(title)}" width="480" height="220">'
        f'<span class="start">Play it here</span></a>'
        f'<figcaption><span>{escape(title)}</span> <a href="{_page(name)}">Open its page</a></figcaption></figure>'
    )
    cards = "".join(
        f'<li><a href="{_page(name, tab)}"><img src="gallery/pictures/{name}.svg" alt="" width="160" height="120">'
        f"<strong>{escape(title)}</strong><small>{escape(words)}</small></a></li>"
        for name, tab, title, words in MORE
    )
    return f'{live}\n<ul class="puzzles">{cards}</ul>\n<p class="all"><a href="gallery/index.html">{WORDS}</a></p>'


def _fill_in(app: Sphinx, page: str, text: list[str]) -> None:
    if app.builder.format != "html":
        return
    if page == FRONT:
        text[0] = PICTURES.sub(lambda _: _front(), text[0])
    if page == GALLERY:
        text[0] = PICTURE.sub(_to_play, text[0].replace(MARKER, LINK))


def _to_play(picture: re.Match[str]) -> str:
    """A picture of a shipped file, and a link to the page of the puzzle that it shows: the first of the file."""
    name = load_all(picture[1])[0].name
    return f'{picture[0]}\n\n<p><a href="../{_page(name)}">Play {name}</a></p>'


def _dress(app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: object) -> None:
    """The front page has a style and a script of its own, and no list of its headings, of which it has one."""
    if page == FRONT:
        context["furo_hide_toc"] = True
        app.add_css_file("front.css")
        app.add_js_file("front.js", loading_method="defer")


def _publish(app: Sphinx, fault: Exception | None) -> None:
    if fault is None and app.builder.format == "html":
        logging.getLogger("latcover").setLevel(logging.WARNING)  # nobody wants to read each step here
        wanted = app.config.published_only or names("instances")
        chosen = [ShelvedPuzzle(puzzle, shelf_of_shipped(name)) for name in wanted for puzzle in load_all(name)]
        shown = list(exhibits(chosen, Bounds(), solutions=True))
        files = site_files("Puzzles of latcover", shown, home="../index.html")
        write_site(Path(app.outdir) / "gallery", files, len(shown))
        schemas = Path(app.outdir) / "schemas"
        schemas.mkdir(exist_ok=True)
        for kind in FILES:
            (schemas / f"{kind}.schema.json").write_text(json.dumps(schema_of(kind), indent=2), "utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_config_value("published_only", [], "env", list)
    app.connect("source-read", _fill_in)
    app.connect("html-page-context", _dress, priority=900)  # after the theme's own
    app.connect("build-finished", _publish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
