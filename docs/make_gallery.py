"""The gallery of the documents: a picture of a solution of every shipped puzzle, and of some shapes in the plane.

One command regenerates it, from the root of a checkout: ``python docs/make_gallery.py docs``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from latcover import solutions
from latcover.backends import create
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import prepare
from latcover.core.model.move_words import play_in_words
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.core.solving.run import run
from latcover.errors import counted
from latcover.files.formats.library import load_all
from latcover.files.formats.source import names
from latcover.lab.asking.all_solutions import sample
from latcover.lab.assembly.taking_apart import disassemble, stays_in_plane
from latcover.lab.plane.plane_answer import PlaneAnswer
from latcover.lab.plane.plane_request import PlaneRequest
from latcover.lab.plane.plane_search import as_prototiles, plane
from latcover.show.drawing.paper.styles import USUAL, Projection, Sides
from latcover.show.drawing.paper.svg import CaptionedScene, page
from latcover.show.drawing.scenes.scene import of_region, of_solution
from latcover.show.reporting.plane_pictures import Answered
from latcover.show.reporting.plane_pictures import picture as picture_of_answer

HEAD = """# Gallery

This page shows the first solution of every shipped puzzle, or its region if it has no solution. It begins with cubes
that latcover has cut into parts, so that they go together in one way, and come apart only by many moves or turns. The
drawings of the cells come from the lattice files. A three-dimensional puzzle is drawn from the south-east and above,
with its layers beside it, bottom first. At the end stand [shapes in the plane](#shapes-in-the-plane).
[Pictures](pictures.md) explains how to make such pictures.

<!-- on the site a link to the gallery to play stands here -->

The command `python docs/make_gallery.py docs` makes this page and its pictures. `latcover publish --all --output DIR`
makes a site on which you can play, solve and take apart the same puzzles ([publishing](../how-to/publishing.md)).
"""
SECONDS = 300.0
BY_CHANCE = {"aztec-12": 7}  # solutions drawn from all of them, by these seeds
WITH_PATHS = ("path-torus", "ribbon-torus")
PLANE_HEAD = """## Shapes in the plane

How far some shapes can be surrounded ([how to find out](../how-to/plane.md)). Each picture was made by the command
above it, and the patch that it shows passed an independent check: no tile overlaps another, each corona surrounds
what is inside it, and there is no hole.
"""
CUTS = ("cut-", "turning-cube")  # how the names of puzzles begin that latcover has cut
ON_THE_FIRST_PAGE = ("bedlam", "hex-prisms", "pent-10x6", "sphere-pyramid")


class PlaneShape(Struct, frozen=True):
    """A shape in the plane that the gallery shows.

    Attributes:
        picture: The name of its file in the folder of images.
        shape: Its name, as the command line takes it.
        request: What is asked about it.
        coronas: How many the picture shows.
        title, words: What stands on the page.
    """

    picture: str
    shape: str
    request: PlaneRequest
    coronas: int
    title: str
    words: str

    @property
    def command(self) -> str:
        """What a user types for the same picture."""
        asked = self.request
        options = {"most": asked.coronas, "classes": asked.classes, "area": asked.area}
        given = "".join(f" --{name} {value}" for name, value in options.items() if value is not None)
        return f"latcover plane {self.shape}{given} --output {self.picture}.svg"

    def answer(self) -> PlaneAnswer:
        """What is found about it."""
        return plane(self.shape, self.request)

    def drawn(self, answer: PlaneAnswer) -> str:
        """That as SVG."""
        return picture_of_answer(Answered(as_prototiles(self.shape), answer))

    def entry(self) -> str:
        """Its paragraph on the page."""
        return (
            f"### {self.title}\n\n{self.words}\n\n`{self.command}`\n\n![{self.title}](../images/{self.picture}.svg)\n"
        )


FEW = PlaneRequest(coronas=5, classes=2, area=60)
PLANE_SHAPES = (
    PlaneShape(
        "hat-coronas",
        "hats:hat",
        FEW,
        5,
        "The hat in five coronas",
        'Eight kites. It tiles the plane, but never periodically. So the answer is "not known" up to each bound, and'
        " more coronas can always be found. Reflected hats are darker.",
    ),
    PlaneShape(
        "turtle-coronas",
        "hats:turtle",
        FEW,
        5,
        "The turtle in five coronas",
        "Ten kites. Like the hat, it tiles the plane, but never periodically.",
    ),
    PlaneShape(
        "three-coronas",
        "hexagonal-7:305",
        PlaneRequest(classes=1),
        3,
        "Seven hexagons in three coronas",
        "This piece does not tile the plane. It has Heesch number 3: three coronas surround it, and a search for a"
        " fourth one was exhausted.",
    ),
)


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
    figures = solutions_in_words(puzzle.expect.get("different"), puzzle.expect.get("total"))
    about = "; ".join([counted(len(puzzle.region.cells), "cell"), counted(len(puzzle.parts), "part"), *figures])
    title = puzzle.title or puzzle.name
    words = f"{title[0].upper()}{title[1:]}. Lattice `{puzzle.lattice.name}`; {about}{needed_play(puzzle)}."
    if puzzle.name in BY_CHANCE:
        words += (
            "\n\nThe picture shows a solution picked uniformly at random: `latcover show"
            f" {puzzle.name} --random {BY_CHANCE[puzzle.name]} --no-letters`. In the four corners all dominoes lie the"
            " same way; only inside a circle do they vary ([count tilings](../how-to/count-tilings.md#random-tilings))."
        )
    return f"## {name}\n\n{words}\n\n![{title}](../gallery/{name}.svg)\n"


def needed_play(puzzle: Puzzle) -> str:
    """What the plan needs that takes its first solution apart; "" if nothing turns."""
    if puzzle.turning is None:
        return ""
    solution = next(iter(solutions(puzzle)))
    play = disassemble(solution, in_plane=stays_in_plane(puzzle)).needed_play
    return "" if play is None else f"; {play_in_words(play)} of the edge of a cell"


def solutions_in_words(different: int | None, total: int | None) -> list[str]:
    """How many solutions there are, as far as it is known."""
    if total == 0:
        return ["no solution"]
    kind = "essentially different " if different != 1 else ""
    words = [] if different is None else [counted(different, f"{kind}solution")]
    return words + ([] if total is None else [f"{total:,} in all"])


def in_order() -> list[str]:
    """The shipped puzzles: first those that latcover has cut."""
    return sorted(names("instances"), key=lambda name: (not name.startswith(CUTS), name))


def main(folder: str) -> None:
    """Write the page and all its pictures into *folder*."""
    pictures = Path(folder) / "gallery"
    pictures.mkdir(parents=True, exist_ok=True)
    first_page = Path(folder) / "images"
    first_page.mkdir(exist_ok=True)
    for name in ON_THE_FIRST_PAGE:
        (first_page / f"{name}.svg").write_text(picture(first_of(name), Projection.isometric), encoding="utf-8")
    entries = []
    for name in in_order():
        puzzle = first_of(name)
        (pictures / f"{name}.svg").write_text(picture(puzzle), encoding="utf-8")
        entries.append(entry(name, puzzle))
        print(name)
    for shape in PLANE_SHAPES:
        (first_page / f"{shape.picture}.svg").write_text(shape.drawn(shape.answer()), encoding="utf-8")
        print(shape.shape)
    entries += [PLANE_HEAD, *(shape.entry() for shape in PLANE_SHAPES)]
    (Path(folder) / "reference" / "gallery.md").write_text("\n".join([HEAD, *entries]), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit(__doc__)
    main(*sys.argv[1:])
