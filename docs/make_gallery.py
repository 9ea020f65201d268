"""The gallery of the documents: a picture of a solution of every shipped puzzle; some also for the first page.

One command regenerates it, from the root of a checkout: ``python docs/make_gallery.py docs``.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from latcover.backends import create
from latcover.cover.search import Limits
from latcover.drawing.paper.styles import USUAL, Projection, Sides
from latcover.drawing.paper.svg import CaptionedScene, page
from latcover.drawing.scenes.scene import of_region, of_solution
from latcover.encoding.prepared import prepare
from latcover.errors import counted
from latcover.formats.library import load_all
from latcover.formats.source import names
from latcover.model.puzzle import Puzzle
from latcover.model.solution import Solution
from latcover.solving.all_solutions import sample
from latcover.solving.run import run

HEAD = """# Gallery

This page shows the first solution of every shipped puzzle, or its region if it has no solution. The drawings of the
cells come from the lattice files. A three-dimensional puzzle is drawn from the south-east and above, with its layers
beside it, bottom first. [Pictures](../how-to/pictures.md) explains how to make such pictures.

<!-- on the site a link to the gallery to play stands here -->

The command `python docs/make_gallery.py docs` makes this page and its pictures. `latcover publish --all --output DIR`
makes a site on which you can play, solve and take apart the same puzzles ([publishing](../how-to/publishing.md)).
"""
SECONDS = 300.0
BY_CHANCE = {"aztec-12": 7}  # solutions drawn from all of them, by these seeds
WITH_PATHS = ("path-torus", "ribbon-torus")
ON_THE_FIRST_PAGE = ("bedlam", "hex-prisms", "pent-10x6", "sphere-pyramid")


def first_of(name: str) -> Puzzle:
    """The puzzle of a shipped file, or the first of those that it holds."""
    return load_all(name)[0]


def picture(puzzle: Puzzle, view: Projection | None = None) -> str:
    """Its first solution as SVG, or its region where there is none.

    Found by one thread in the order of the plain kernel, so that every machine finds the same one.
    """
    found: list[Solution] = []
    if puzzle.name in BY_CHANCE:
        found = sample(puzzle, seed=BY_CHANCE[puzzle.name])
    else:
        run(prepare(puzzle), create("bitset", threads=1), Limits(covers=1, seconds=SECONDS), found.append)
    shown = of_solution(puzzle, found[0]) if found else of_region(puzzle)
    look = replace(USUAL, sides=Sides.paths) if puzzle.name in WITH_PATHS else USUAL
    look = replace(look, letters=puzzle.name not in BY_CHANCE)
    return page(shown.title, [CaptionedScene(shown)], look, view)


def entry(name: str, puzzle: Puzzle) -> str:
    """A puzzle's paragraph on the page."""
    figures = [f"{puzzle.expect[key]:,} {words}" for key, words in WORDS.items() if key in puzzle.expect]
    about = "; ".join([counted(len(puzzle.region.cells), "cell"), counted(len(puzzle.parts), "part"), *figures])
    title = puzzle.title or puzzle.name
    words = f"{title[0].upper()}{title[1:]}. Lattice `{puzzle.lattice.name}`; {about}."
    if puzzle.name in BY_CHANCE:
        words += (
            "\n\nThe picture shows a solution drawn by chance from all, each alike: `latcover show"
            f" {puzzle.name} --random {BY_CHANCE[puzzle.name]} --no-letters`. In the four corners all dominoes lie the"
            " same way; only inside a circle do they vary ([count tilings](../how-to/count-tilings.md#random-tilings))."
        )
    return f"## {name}\n\n{words}\n\n![{title}](../gallery/{name}.svg)\n"


WORDS = {"different": "essentially different solutions", "total": "in all"}


def main(folder: str) -> None:
    """Write the page and all its pictures into *folder*."""
    pictures = Path(folder) / "gallery"
    pictures.mkdir(parents=True, exist_ok=True)
    first_page = Path(folder) / "images"
    first_page.mkdir(exist_ok=True)
    for name in ON_THE_FIRST_PAGE:
        (first_page / f"{name}.svg").write_text(picture(first_of(name), Projection.isometric), encoding="utf-8")
    entries = []
    for name in names("instances"):
        puzzle = first_of(name)
        (pictures / f"{name}.svg").write_text(picture(puzzle), encoding="utf-8")
        entries.append(entry(name, puzzle))
        print(name)
    (Path(folder) / "reference" / "gallery.md").write_text("\n".join([HEAD, *entries]), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
