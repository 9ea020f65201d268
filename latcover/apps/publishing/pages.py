"""The pages of a site as HTML: the gallery, and a page for each puzzle. They work without a server.

Texts of puzzle files are escaped, and the policy of each page only allows the site's own scripts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from importlib.metadata import version
from urllib.parse import quote

from latcover.apps.publishing.exhibits import Exhibit
from latcover.apps.publishing.rule_words import rule_words
from latcover.core.model.move_words import play_in_words
from latcover.core.model.puzzle import Puzzle
from latcover.errors import counted, escaped
from latcover.files.formats.puzzle_files.puzzle_writer import named
from latcover.files.formats.shelves import shelves

WORKSHOP = "workshop.html"
SITE_LIST = "site.js"  # lists the puzzles of a site, for the pages of each
CODE = re.compile(r"`([^`\n]+)`")
BACK = 32  # signs of the title of a site in the heads of its pages, which are one line
MANY = 8  # puzzles: more are sorted on shelves, with a search box
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' blob:; worker-src 'self' blob:; style-src 'self'; "
    "img-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)


def gallery_page(
    title: str,
    shown: Sequence[Exhibit],
    home: str = "",
    *,
    spoilt: bool = True,
    address: str = "",
    workshop: bool = False,
) -> str:
    """The page for choosing a puzzle by its picture; `site_files` says what the arguments are.

    With *workshop* it leads to the page where one draws puzzles.
    """
    many = len(shown) > MANY
    finding = '<p class="hint">Play by hand, find solutions, and watch puzzles come apart.</p>'
    if many:
        field = '<input type="search" id="search" placeholder="cube, hexagonal, 12 …" aria-label="Find a puzzle">'
        finding = f'<div class="finding">{finding}{field}</div><p id="found" class="hint" role="status"></p>'
    if workshop:
        finding += f'<p><a class="button" href="{WORKSHOP}">Draw a puzzle of your own</a></p>'
    head = header(title, back="Home" if home else "", home=home)
    body = f'{head}\n<main id="main" tabindex="-1">\n{finding}\n{_shelves(shown, many, spoilt)}\n</main>'
    about = f"{counted(len(shown), 'puzzle')} to play by hand, solve and take apart in the page."
    preview = _preview(title, title, about, address, "", f"pictures/{quote(shown[0].name)}.png")
    return whole_page(title, body, "", ("gallery.js",), ("look.css", "cards.css", "site.css"), preview)


def _preview(site: str, title: str, about: str, address: str, page: str, picture: str) -> str:
    """What is shown of a page where its link is sent: with a picture if the *address* of the site is known."""
    base = address.rstrip("/")
    known = {"og:type": "website", "og:site_name": site, "og:title": title, "og:description": about}
    if address:
        known |= {"og:url": f"{base}/{page}", "og:image": f"{base}/{picture}"}
    kind = "summary_large_image" if address else "summary"
    rows = [f'<meta property="{name}" content="{_text(words)}">' for name, words in known.items()]
    return "\n".join(
        [f'<meta name="description" content="{_text(about)}">', *rows, f'<meta name="twitter:card" content="{kind}">']
    )


def _shelves(shown: Sequence[Exhibit], many: bool, spoilt: bool) -> str:
    if not many:
        return f'<ul class="cards">{"".join(_card(one, spoilt) for one in shown)}</ul>'
    sections = []
    for shelf in shelves():
        own = [one for one in shown if one.shelf == shelf["name"]]
        own.sort(key=lambda one: one.puzzle.expect.get("different") == 0)  # those without a solution come last
        if own:
            about = f"<small>{escape(shelf['about'])}</small>" if shelf["about"] else ""
            cards = "".join(_card(one, spoilt) for one in own)
            head = f"<h2>{escape(shelf['name'])}{about}</h2>"
            sections.append(f'<section class="shelf">{head}<ul class="cards">{cards}</ul></section>')
    return "\n".join(sections)


def _card(one: Exhibit, spoilt: bool) -> str:
    puzzle, link = one.puzzle, quote(one.name)
    words = f"{puzzle.name} {puzzle.lattice.name} {one.shelf}".lower()
    figures = "".join(f"<span>{escape(figure)}</span>" for figure in _figures(one))
    solved = f"pictures/{link}.svg"
    shown = f'src="{solved}"' if spoilt else f'src="pictures/{link}-outline.svg" data-solved="{solved}"'
    unsolvable = ' data-unsolvable=""' if puzzle.expect.get("different") == 0 else ""
    return (
        f'<li data-words="{_text(words)}" data-digest="{one.data.puzzle.digest}"{unsolvable}>'
        f'<a class="card" href="puzzles/{link}.html"><span class="picture">'
        f'<img {shown} alt="" loading="lazy" width="180" height="136"></span>'
        f"<strong>{_text(one.title)}</strong><small>{figures}</small></a></li>\n"
    )


def _figures(one: Exhibit) -> list[str]:
    puzzle, level = one.puzzle, one.level
    found = [_pieces(puzzle)]
    known = puzzle.expect.get("different")
    if known is not None:
        found.append(counted(known, "solution") if known else "no solution")
    if level not in ("", "1"):
        found.append(f"level {level}")
    if one.shown.turns:
        found.append(counted(one.shown.turns, "turn"))
    if one.shown.play is not None:
        found.append(play_in_words(one.shown.play))
    return found


def _pieces(puzzle: Puzzle) -> str:
    highs = [part.high for part in puzzle.parts]
    if None in highs:
        return "any number of parts"
    return counted(sum(high for high in highs if high is not None), "part")


TABS = (("play", "Play"), ("solve", "Solve"), ("apart", "Take apart"), ("about", "About"))


def puzzle_page(site: str, one: Exhibit, *, alone: bool, address: str = "", workshop: bool = False) -> str:
    """The page of a puzzle in the folder `puzzles`, or of a site with only this puzzle if it is *alone*.

    With *workshop* it leads to the page where the puzzle can be changed.
    """
    up = "" if alone else "../"
    tabs = [(key, words) for key, words in TABS if key != "apart" or one.comes_apart]
    chosen, unchosen = 'aria-selected="true"', 'aria-selected="false" tabindex="-1"'
    buttons = "\n".join(
        f'<button type="button" role="tab" id="tab-{key}" aria-controls="{key}" disabled {unchosen if k else chosen}>'
        f"{words}</button>"
        for k, (key, words) in enumerate(tabs)
    )
    changed = f"{up}{WORKSHOP}#puzzle/{quote(one.name)}" if workshop and is_known(one.puzzle) else ""
    panels = "\n".join(
        f'<div id="{key}" role="tabpanel" aria-labelledby="tab-{key}"{" hidden" if k else ""}>'
        f"{_about(one, 'puzzles/' if alone else '', changed) if key == 'about' else ''}</div>"
        for k, (key, _) in enumerate(tabs)
    )
    body = (
        f"{header(site, up) if alone else header(one.title, up, site)}\n"
        f'<nav id="tabs" role="tablist" aria-label="Pages">\n{buttons}\n</nav>\n'
        f'<main id="main" tabindex="-1">\n<div id="fault" class="faults" role="alert" hidden></div>\n{panels}\n</main>'
    )
    listed = () if alone else (SITE_LIST,)
    scripts = ("engine.js", *listed, f"puzzles/{quote(one.name)}.js", "puzzle.js")
    styles = ("look.css", "widgets.css", "viewer.css", "play.css", "site.css")
    page = "" if alone else f"puzzles/{quote(one.name)}.html"
    about = f"{', '.join(_figures(one))}. Play it by hand, solve it, or take it apart in the page."
    preview = _preview(site, one.title, about, address, page, f"pictures/{quote(one.name)}.png")
    return whole_page(site if alone else f"{one.title} - {site}", body, up, scripts, styles, preview)


def is_known(puzzle: Puzzle) -> bool:
    """Whether a workshop opens a puzzle: its lattice is shipped."""
    return bool(named(puzzle.lattice))


def _about(one: Exhibit, folder: str, changed: str) -> str:
    puzzle = one.puzzle
    rows = [
        ("Lattice", puzzle.lattice.name),
        ("Cells", f"{len(puzzle.region.cells):,}"),
        ("Parts", _pieces(puzzle).removesuffix(" parts").removesuffix(" part")),
    ]
    known = puzzle.expect.get("different")
    if known is not None:
        total = puzzle.expect.get("total")
        rows.append(("Solutions", f"{known:,}" + (f" different, {total:,} in all" if total else "")))
    if one.level:
        which = one.shown.among if one.shown.level else "the least of a solution that comes apart"
        turns = counted(one.shown.turns, "turn") if one.shown.turns else ""
        plane = "if no part is lifted off" if puzzle.lattice.dimension < 3 else ""
        rows.append(("Level", ", ".join(filter(None, (one.level, turns, plane, which)))))
    if puzzle.turning is not None:
        room = puzzle.turning
        bevel = f", and edges bevelled by {room.bevel:g}" if room.bevel else ""
        needed = "" if one.shown.play is None else f"; the plan {play_in_words(one.shown.play)}"
        rows.append(("Turning", f"parts may turn, with a play of {room.play:g}{bevel} (of the edge of a cell){needed}"))
    if puzzle.source:
        rows.append(("Source", puzzle.source))
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{_prose(value)}</dd>" for name, value in rows)
    rules = "".join(f"<li>{_text(rule)}</li>" for rule in rule_words(puzzle))
    remarks = "".join(f'<p class="comment">{_prose(words)}</p>' for words in (puzzle.comment, puzzle.note) if words)
    change = f'<p><a class="button" href="{changed}">Change this puzzle</a></p>' if changed else ""
    return (
        f'<dl class="facts">{facts}</dl>'
        + (f"<h3>Rules</h3><ul>{rules}</ul>" if rules else "")
        + remarks
        + change
        + f'<p><a class="button" href="{folder}{quote(one.name)}.toml" download>Download puzzle file</a></p>'
        + '<p class="hint">With latcover on your machine, <code>latcover solve FILE</code> uses all cores, '
        + "and <code>latcover serve</code> lets you edit it.</p>"
    )


def header(title: str, up: str = "", back: str = "", home: str = "") -> str:
    """The head of a page: its title, after a link with the text *back* to *home*, or to the site's first page.

    A long *back* is cut, and shown in full beside the pointer.
    """
    icon = f'<img src="{up}icon.svg" alt="" width="26" height="26">'
    if back:
        short, hint = back, ""
        if len(back) > BACK:
            short = f"{back[:BACK].rpartition(' ')[0] or back[:BACK]}…"
            hint = f' title="{_text(back)}"'
        link = f'<a href="{_text(home) or f"{up}index.html"}" id="logo"{hint}>{icon}<span>{_text(short)}</span></a>'
        return f'<header>{link}<h1 id="title">{_text(title)}</h1></header>'
    return f'<header><h1 id="title">{icon}<span>{_text(title)}</span></h1></header>'


def whole_page(title: str, body: str, up: str, scripts: Sequence[str], styles: Sequence[str], preview: str) -> str:
    """A page as HTML: *up* leads from it to the site's first folder, where its *scripts* and *styles* are."""
    links = "\n".join(f'<link rel="stylesheet" href="{up}{name}">' for name in styles)
    loaded = "\n".join(f'<script defer src="{up}{name}"></script>' for name in (*scripts, "offline.js"))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="latcover">
<title>{_text(title)}</title>
{preview}
<link rel="icon" href="{up}icon.svg" type="image/svg+xml">
<link rel="manifest" href="{up}site.webmanifest">
{links}
{loaded}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
{body}
<footer><small>Made with latcover {version("latcover")}</small></footer>
<noscript>Playing and solving need JavaScript. The page sends nothing to a server.</noscript>
</body>
</html>
"""


def _prose(words: str) -> str:
    """A text of a puzzle file as HTML, in which what stands between backticks is code."""
    return CODE.sub(r"<code>\1</code>", _text(words))


def _text(words: str) -> str:
    """A text of a puzzle file, escaped for HTML."""
    return escape(escaped(words, keep="\n"))
