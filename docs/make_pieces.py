"""The page of the documents about pieces: a picture of every shipped part set, and where its names come from.

One command regenerates it, from the root of a checkout: ``python docs/make_pieces.py docs``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from latcover.files.formats.library import load_set
from latcover.files.formats.source import names
from latcover.show.drawing.paper.svg import sheet
from latcover.show.drawing.views.puzzle_views import of_part_set

MARK = "<!-- the sets: python docs/make_pieces.py docs -->\n"


def entry(name: str) -> str:
    """A set's section of the page."""
    found, both = load_set(name), load_set(name, one_sided=True)
    more = f" One-sided: {len(both.parts)}." if len(both.parts) > len(found.parts) else ""
    title = f"{found.title[0].upper()}{found.title[1:]}"
    about = f"{title}. Lattice `{found.lattice.name}`; {len(found.parts)} parts.{more} Source: {found.source}."
    return f"### {name}\n\n{about}\n\n![{found.title}](../pieces/{name}.svg)\n"


def picture(name: str) -> str:
    """The sheet of a set."""
    view = of_part_set(load_set(name))
    return sheet(view.title, view.entries())


def main(folder: str) -> None:
    """Write the pictures into *folder*, and the sections of the sets behind the mark on the page."""
    pictures = Path(folder) / "pieces"
    pictures.mkdir(parents=True, exist_ok=True)
    for name in names("sets"):
        (pictures / f"{name}.svg").write_text(picture(name), encoding="utf-8")
    page = Path(folder) / "reference" / "pieces.md"
    head = page.read_text(encoding="utf-8").split(MARK)[0]
    page.write_text(head + MARK + "\n" + "\n".join(entry(name) for name in names("sets")), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit(__doc__)
    main(*sys.argv[1:])
