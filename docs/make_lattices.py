"""The page of the documents about lattices: a picture of some cells of every shipped lattice, and its figures.

One command regenerates it, from the root of a checkout: ``python docs/make_lattices.py docs``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from latcover.files.formats.library import load_lattice
from latcover.files.formats.source import names
from latcover.show.drawing.views.patch_views import svg_of_lattice
from latcover.show.reporting.lattice_report import lattice_as_json, lattice_as_text

HEAD = """# Lattices

This page shows some cells of every shipped lattice. Each cell is labelled with its coordinates in the notation of
puzzle files: the steps along the axes from the origin and, if the lattice has several nodes, the name of its node.
Cells of different nodes have different colours. A three-dimensional lattice is drawn from the south-east and above,
with its layers beside it, bottom first.

Below each picture is the output of `latcover info LATTICE`. `latcover show LATTICE --output x.svg` makes the picture.
Both commands also accept a [lattice file](lattice-files.md). In the figures, x points right and y points up the page.

You can draw your own lattice in the [web app](web.md#a-lattice-of-your-own), from scratch or from a tiling.

The command `python docs/make_lattices.py docs` makes this page and its pictures.
"""
MOST_LINES = 40  # a longer list of neighbours is left to the command


def entry(name: str) -> str:
    """A lattice's section of the page."""
    lattice = load_lattice(name)
    lines = lattice_as_text(lattice_as_json(lattice)).splitlines()
    if len(max(lines, key=len)) > 150 or len(lines) > MOST_LINES:  # many nodes: the neighbours of the first one
        lines = [*lines[: lines.index("", 3)], "", next(line for line in lines if line.startswith("[")), "…"]
    text = "\n".join(lines)
    return f"## {name}\n\n![{lattice.title or name}](../lattices/{name}.svg)\n\n```text\n{text}\n```\n"


def picture(name: str) -> str:
    """The picture of a lattice's cells."""
    return svg_of_lattice(load_lattice(name))


def main(folder: str) -> None:
    """Write the page and all its pictures into *folder*."""
    pictures = Path(folder) / "lattices"
    pictures.mkdir(parents=True, exist_ok=True)
    for name in names("lattices"):
        (pictures / f"{name}.svg").write_text(picture(name), encoding="utf-8")
    page = "\n".join([HEAD, *(entry(name) for name in names("lattices"))])
    (Path(folder) / "reference" / "lattices.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit(__doc__)
    main(*sys.argv[1:])
