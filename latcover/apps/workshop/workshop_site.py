"""The files of a workshop, which `latcover publish --workshop` adds to a site."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field

from latcover.apps.publishing.exhibits import Exhibit
from latcover.apps.publishing.pages import WORKSHOP, header, is_known, whole_page
from latcover.apps.publishing.site import Files, as_script, bundle
from latcover.apps.web.part_sources import set_as_puzzle
from latcover.apps.workshop.workshop_lattices import WorkshopLattice, workshop_lattice
from latcover.core.model.colour_names import NAMED
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.model.rules.rule_forms import known_rules
from latcover.files.formats.library import load_lattice, load_set
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.files.formats.puzzle_files.schema import schema_of
from latcover.files.formats.source import names
from latcover.show.drawing.palette import COLOURS, COPIES, MARKS, hexadecimal
from latcover.show.drawing.space.linking import linked, static_text
from latcover.show.drawing.space.scene_structs import PatternData
from latcover.show.drawing.views.patch_views import small_svg_of_lattice

# Where the page's modules come from. The program is that of the web app; `page_api.js` answers it in place of a server.
PACKAGES = ("latcover.apps.workshop", "latcover.apps.web", "latcover.apps.publishing", "latcover.show.drawing.space")
USUAL = ("square", "cubic", "hexagonal", "triangular", "fcc")  # lattices that come first
STYLES = ("app.css", "design.css", "start.css", "fields.css", "file.css", "shaping.css", "canvas.css", "workshop.css")
BODY = re.compile(r'<body[^>]*>\n<a class="skip".*?</a>\n(.*)\n<footer>', re.DOTALL)  # of the app's page
HEAD = re.compile(r'<header>.*(?=<details id="choosing">)', re.DOTALL)
CHOICE = '\n<a href="#start" class="button" id="all">My designs</a>\n'


class KnownPuzzle(Struct, frozen=True):
    """A puzzle of the site, or a set as a puzzle with its parts; ``text`` of its file."""

    name: str
    title: str
    lattice: str
    text: str


class PictureLooks(Struct, frozen=True, kw_only=True):
    """Colours of pictures. ``copies``: the brightness of a part's copies; ``names``: of colours."""

    palette: list[str]
    copies: list[float]
    marks: list[PatternData]
    names: dict[str, str]


class WorkshopData(Struct, frozen=True, kw_only=True):
    """What the script of a workshop holds.

    ``address``: where links lead if the page is opened as a file; "" if that is not known. ``others``: puzzles of the
    site on lattices of their own, without their texts; ``rule_words``: what each rule on parts is about;
    ``file_tables``: the schemas of the tables of files; ``making``: the script of the worker that makes a page's data.
    """

    address: str
    lattices: dict[str, WorkshopLattice]
    looks: PictureLooks
    puzzles: list[KnownPuzzle]
    others: list[KnownPuzzle]
    sets: list[KnownPuzzle]
    rule_words: dict[str, str] = field(name="ruleWords")
    file_tables: dict[str, dict[str, Any]] = field(name="fileTables")
    making: str


def workshop_files(title: str, shown: Sequence[Exhibit], bounds: Bounds, *, address: str = "") -> Files:
    """The files of a workshop beside those of every site; it is the first page of a site without puzzles.

    Those puzzles *shown* that are on shipped lattices can be changed in it. *address*: of the site, if
    that is known.
    """
    page = WORKSHOP if shown else "index.html"
    lattices = {name: load_lattice(name) for name in dict.fromkeys((*USUAL, *names("lattices")))}
    known = [one for one in shown if is_known(one.puzzle)]
    data = WorkshopData(
        address=f"{address.rstrip('/')}/{page}" if address else "",
        lattices={name: workshop_lattice(lattice) for name, lattice in lattices.items()},
        looks=looks_data(),
        puzzles=[_listed(one.name, one.puzzle) for one in known],
        others=[_listed(one.name, one.puzzle, "") for one in shown if one not in known],
        sets=known_sets(bounds),
        rule_words={rule.name: rule.about for rule in known_rules()},
        file_tables=file_tables(),
        making=linked("making_worker", PACKAGES),
    )
    files: Files = {name: static_text(name, PACKAGES).encode() for name in STYLES}
    files["workshop.js"] = bundle("workshop", PACKAGES)
    files["workshop-data.js"] = f"globalThis.latcoverWorkshop = {as_script(data)};\n".encode()
    for name, lattice in lattices.items():
        files[f"pictures/lattices/{name}.svg"] = small_svg_of_lattice(lattice).encode()
    files[page] = workshop_page(title if shown else "").encode()
    return files


def known_sets(bounds: Bounds) -> list[KnownPuzzle]:
    """The shipped sets."""
    sets = {name: set_as_puzzle(load_set(name, bounds)) for name in names("sets")}
    return [_listed(name, puzzle) for name, puzzle in sets.items() if is_known(puzzle)]


def file_tables() -> dict[str, dict[str, Any]]:
    """The schemas of the tables of puzzle files, by their names."""
    tables: dict[str, dict[str, Any]] = schema_of("puzzle")["$defs"]
    return tables


def _listed(name: str, puzzle: Puzzle, text: str | None = None) -> KnownPuzzle:
    title = puzzle.title or puzzle.name
    return KnownPuzzle(name, title, puzzle.lattice.name, puzzle_as_toml([puzzle]) if text is None else text)


def looks_data() -> PictureLooks:
    """The colours of pictures."""
    return PictureLooks(
        palette=[hexadecimal(rgb) for rgb in COLOURS],
        copies=list(COPIES),
        marks=[PatternData(path, angle) for path, angle in MARKS],
        names={name: hexadecimal(rgb) for name, rgb in NAMED.items()},
    )


def workshop_page(site: str) -> str:
    """The page of a workshop, with a link to the first page of a *site* that has puzzles."""
    body = BODY.search(static_text("index.html", PACKAGES))
    assert body is not None
    head = header("Workshop", "", site).removesuffix("</header>").replace('<h1 id="title">', "<h1>")
    text = HEAD.sub(lambda _: head + CHOICE, body[1])
    about = "Draw puzzles on any lattice, play and solve them, take them apart and save them as files, all in the page."
    preview = f'<meta name="description" content="{about}">'
    styles = ("widgets.css", "viewer.css", "look.css", "cards.css", "play.css", "site.css", *STYLES)
    return whole_page("Workshop", text, "", ("engine.js", "workshop-data.js", "workshop.js"), styles, preview)
