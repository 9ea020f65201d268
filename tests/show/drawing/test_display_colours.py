"""The colours that a puzzle names for its parts, and the keys and locks at their sides: read, written, drawn."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest

from latcover import solutions
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.errors import PuzzleError, PuzzleFileError
from latcover.files.formats.puzzle_files.puzzle_file import read_puzzles
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.files.formats.source import Source, shipped
from latcover.show.drawing.palette import COLOURS, copies_of, shaded
from latcover.show.drawing.paper.svg import page
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.scene_model import CaptionedScene
from latcover.show.drawing.scenes.side_marks import MATE, side_looks
from latcover.show.drawing.shapes.cell_corners import cells_array
from latcover.show.drawing.space.scene_data import drawn_puzzle

SPACE = "{http://www.w3.org/2000/svg}"
TILES = """
name = "tiles"
lattice = "square"
transformations = "rotations"
[sides]
keys = ["gold", "navy"]
locks = ["for gold", "for navy"]
fits = {{ gold = ["for gold"], navy = ["for navy"] }}
flat_meets = ["flat", "keys", "locks"]
may_look_out = ["keys", "locks"]
[region]
box = [2, 2]
[[parts]]
name = "A"
count = 2
art = ["X"]
display_colour = "{colour}"
sides = [
    {{ cell = [0, 0], edge = "north", is = "gold" }}, {{ cell = [0, 0], edge = "south", is = "for gold" }},
    {{ cell = [0, 0], edge = "east", is = "navy" }}, {{ cell = [0, 0], edge = "west", is = "for navy" }},
]
[[parts]]
name = "B"
art = ["XX"]
sides = [{{ cell = [0, 0], edge = "south", is = "gold" }}]
"""
RED = (139, 0, 0)


def tiles(colour: str = "dark red") -> Puzzle:
    (puzzle,) = read_puzzles(Source(TILES.format(colour=colour).encode(), "tiles.toml", shipped), Bounds())
    return puzzle


def test_parts_are_shown_in_the_colour_that_the_file_names() -> None:
    puzzle = tiles()
    assert [part.display_colour for part in puzzle.parts] == ["dark red", ""]
    assert scene.looks_of_parts(puzzle) == (RED, COLOURS[1])
    shown = scene.of_solution(puzzle, next(iter(solutions(puzzle))))
    own = [item.rgb for item in shown.items if item.name == "A"]
    assert own == [copies_of(RED, 1), copies_of(RED, 2)]
    assert scene.of_part(puzzle, "A")[0].items[0].rgb == RED
    assert drawn_puzzle(puzzle).parts[0].colours[0] == "#8b0000"


def test_the_colour_is_written_and_read_again() -> None:
    text = puzzle_as_toml([tiles("#123456")])
    (again,) = read_puzzles(Source(text.encode(), "again.toml", shipped), Bounds())
    assert [part.display_colour for part in again.parts] == ["#123456", ""]


@pytest.mark.parametrize(("colour", "hint"), [("dark rad", "did you mean 'darkred'"), ("x7!", "take a name of CSS")])
def test_a_colour_that_nobody_knows_is_refused(colour: str, hint: str) -> None:
    with pytest.raises(PuzzleFileError, match=rf"no colour is called '{colour}'.*{hint}"):
        tiles(colour)
    part = tiles().parts[0]
    with pytest.raises(PuzzleError, match="no colour is called"):
        type(part)("P", part.cells, part.colours, 1, 1, part.transformations, display_colour=colour)


def test_a_lock_is_a_darker_shade_of_the_only_key_that_fits_it() -> None:
    looks = side_looks(tiles().rules)
    for key, colour in (("gold", (255, 215, 0)), ("navy", (0, 0, 128))):
        assert looks[key] == colour
        assert looks[f"for {key}"] == shaded(colour, MATE)


def test_keys_and_locks_are_drawn_at_their_sides() -> None:
    puzzle = tiles()
    solution = next(iter(solutions(puzzle)))
    shown = scene.of_solution(puzzle, solution)
    for item, placed in zip(shown.items, solution.placements, strict=True):
        assert [mark.name for mark in item.sides] == [name for _, _, name in placed.sides]
        for mark, (cell, label, _) in zip(item.sides, placed.sides, strict=True):
            edge = next(e for e in puzzle.lattice.half_edges if (e.node, e.label) == (cell[0], label))
            centres = puzzle.lattice.centres(cells_array(puzzle.lattice, [cell, edge.across(cell)]))
            assert mark.ring[:2].mean(axis=0) == pytest.approx(centres.mean(axis=0))  # the middle of the side
    moved = shown.items[0].moved(shown.high)
    assert (moved.sides[0].ring == shown.items[0].sides[0].ring + shown.high).all()
    named = [title.text for title in fromstring(page("x", [CaptionedScene(shown)])).iter(f"{SPACE}title")]
    assert named.count("gold") == 3
    assert named.count("for navy") == 2
