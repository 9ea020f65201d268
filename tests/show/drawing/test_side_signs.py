"""Letters at the sides of flat pictures, for what has no colour of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from xml.etree.ElementTree import fromstring

from msgspec import Struct
from msgspec.structs import replace

import latcover
from latcover.show.drawing import palette
from latcover.show.drawing.paper.styles import USUAL, PictureStyle, Sides
from latcover.show.drawing.paper.svg import page
from latcover.show.drawing.paper.svg_sides import STEPS
from latcover.show.drawing.part_letters import letters
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.scene_model import CaptionedScene
from latcover.show.drawing.scenes.side_marks import side_looks, side_signs
from latcover.show.drawing.text.terminal_pictures import draw_solution

TEXT = "{http://www.w3.org/2000/svg}text"
PATH = "{http://www.w3.org/2000/svg}path"
ROW = """
name = "row"
lattice = "hexagonal"
parts = [{ name = "1", tile = "RRBBNN" }, { name = "2", tile = "RBNRBN" }]
sides.values = { R = "red", B = "blue", N = "none" }
region.box = [1, 2]
"""
DOMINOES = """
name = "two dominoes"
lattice = "square"
colours = { 0 = "0", 1 = "1", 2 = "2" }
parts = [{ name = "01", art = ["01"] }, { name = "12", art = ["12"] }]
region = { box = [2, 2], alike = [{ cells = [[0, 0], [0, 1]] }] }
"""
TILES = """
name = "tiles"
lattice = "LATTICE"
parts = [PARTS]
sides.values = ["0", "1", "2", "red"]
region.cells = CELLS
"""
MADE = {
    "hexagonal": ("{ tile = '012201' }, { tile = '012210' }", "[[0, 0], [0, 1]]"),
    "triangular": ("{ node = 'up', tile = '012' }, { tile = '012' }", "[[0, 0, 'up'], [0, 1, 'down']]"),
    "square": ("{ art = ['XX'], edges = ['0.11', '012.'] }, { tile = '0121' }", "[[0, 0], [1, 0], [2, 0]]"),
}


class Letter(Struct, frozen=True):
    """A text of a picture, and where it stands."""

    text: str
    x: float
    y: float
    size: float
    ink: str

    def overlaps(self, other: Letter) -> bool:
        """Whether capitals of both, 0.72 of a font high and 0.66 wide, share room."""
        reach = (self.size + other.size) / 2
        own, theirs = self.y - 0.36 * self.size, other.y - 0.36 * other.size
        return abs(self.x - other.x) < 0.66 * reach and abs(own - theirs) < 0.72 * reach


def drawn(puzzle: latcover.Puzzle, look: PictureStyle = USUAL) -> tuple[latcover.Solution, list[Letter]]:
    """A solution, and the letters of its picture."""
    solution = next(iter(latcover.solutions(puzzle)))
    shown = fromstring(page("p", [CaptionedScene(scene.of_solution(puzzle, solution))], look))
    found = []
    for text in shown.iter(TEXT):
        x, y, size = (float(text.get(key, "0")) for key in ("x", "y", "font-size"))
        found.append(Letter(text.text or "", x, y, size, text.get("fill", "")))
    return solution, found


def puzzles(tmp_path: Path) -> Iterator[latcover.Puzzle]:
    yield latcover.load("nine-cards")
    for name, (parts, cells) in MADE.items():
        parts = parts.replace("{", "{ name = '1',", 1).replace("}, {", "}, { name = '2',")
        file = tmp_path / f"{name}.toml"
        text = TILES.replace("LATTICE", name).replace("PARTS", parts).replace("CELLS", cells)
        file.write_text(text, encoding="utf-8")
        yield latcover.load(str(file))


def test_each_side_has_its_letter_in_a_readable_colour_and_place(tmp_path: Path) -> None:
    for puzzle in puzzles(tmp_path):
        solution, found = drawn(puzzle)
        signs = {name: letter for name, letter in side_signs(puzzle.rules).items() if name != "red"}
        borne = [name for placed in solution.placements for _, _, name in placed.sides if name in signs]
        letters_of_parts = [letters(puzzle)[placed.part][0] for placed in solution.placements]
        assert Counter(each.text for each in found) == Counter([*map(signs.get, borne), *letters_of_parts])
        inks = {(signs[name], palette.hexadecimal(palette.ink(side_looks(puzzle.rules)[name]))) for name in borne}
        assert inks <= {(each.text, each.ink) for each in found}
        assert min(each.size for each in found) > 0.1 * USUAL.scale
        assert not any(one.overlaps(other) for one, other in combinations(found, 2))


def test_sides_as_bands_letters_and_paths() -> None:
    """Bands are narrower than areas; letters stand for names of colours too; a path joins two sides of one value."""
    puzzle = latcover.loads(ROW)
    solution = next(iter(latcover.solutions(puzzle)))
    entry = CaptionedScene(scene.of_solution(puzzle, solution))
    pictures = {sides: page("p", [entry], replace(USUAL, sides=sides)) for sides in Sides}
    assert len(set(pictures.values())) == len(Sides)
    red = palette.hexadecimal(side_looks(puzzle.rules)["red"])
    texts = {sides: [text.text for text in fromstring(shown).iter(TEXT)] for sides, shown in pictures.items()}
    assert sorted(texts[Sides.bands]) == sorted(texts[Sides.triangles]) == ["1", "2", *"NNNN"], (
        "colours need no letters"
    )
    assert Counter(texts[Sides.letters]) == Counter(["1", "2", *"RRBBNNRRBBNN"])
    assert texts[Sides.paths] == []
    lines = [p.get("d", "") for p in fromstring(pictures[Sides.paths]).iter(PATH) if p.get("stroke") == red]
    assert len(lines) == 2, "one for each tile"
    assert all(line.count("M") == 1 and line.count("L") == STEPS for line in lines), "from side to side"
    assert palette.hexadecimal(side_looks(puzzle.rules)["none"]) not in pictures[Sides.paths]


def test_numbers_stand_on_the_cells_of_dominoes() -> None:
    puzzle = latcover.loads(DOMINOES)
    _, found = drawn(puzzle)
    assert Counter(each.text for each in found) == Counter("0112")
    text = "\n".join(draw_solution(puzzle, next(iter(latcover.solutions(puzzle))), colour=False, width=80))
    assert "# colours\n# " in text
    assert Counter(c for c in text.split("# colours")[1] if c.isdigit()) >= Counter("0112")


def test_names_of_colours_need_no_letter() -> None:
    solution, found = drawn(latcover.load("macmahon-squares"))
    assert len(found) == len(solution.placements)
    assert not drawn(latcover.load("nine-cards"), replace(USUAL, letters=False))[1]
