"""Pictures in Python: `draw` and `save` write what `latcover show` writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

import latcover
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.errors import PuzzleError, UnsupportedError
from tests.command_line import DONE, run

TITLE = "{http://www.w3.org/2000/svg}title"


@pytest.fixture(scope="module")
def soma() -> tuple[Puzzle, list[Solution]]:
    puzzle = latcover.load("soma")
    found = latcover.solutions(puzzle)
    return puzzle, [next(found) for _ in range(3)]


def test_a_picture_shows_itself(soma: Any) -> None:
    puzzle, solutions = soma
    for thing in (puzzle, puzzle.parts[0], solutions[0], latcover.load_set("pentacubes")):
        picture = thing.draw()
        assert fromstring(picture._repr_svg_()).tag.endswith("svg")
        assert picture.pages == [picture._repr_svg_()]
    assert repr(solutions[0].draw()) == "<Picture: the Soma cube, solution 1>"
    assert repr(latcover.draw(solutions)) == "<Picture: the Soma cube: 3 solutions>"
    assert latcover.draw(iter(solutions)).pages == latcover.draw(solutions).pages


@pytest.mark.parametrize(
    ("what", "options", "name", "words"),
    [
        ("solution", {}, "x.svg", ""),
        ("solution", {"view": "layers", "letters": False}, "x.svg", "--view layers --no-letters"),
        ("solution", {"explode": 0.5}, "x.svg", "--explode 0.5"),
        ("solution", {}, "x.html", ""),
        ("solution", {}, "x.txt", ""),
        ("solution", {"edge": 10.0, "clearance": 0.1}, "x.stl", "--edge 10 --clearance 0.1"),
        ("solutions", {"paper": "A5", "title": "Three"}, "x.svg", "--solutions 3 --paper A5 --title Three"),
        ("puzzle", {}, "x.svg", "--region"),
        ("puzzle", {}, "x.step", "--all-parts"),
        ("part", {}, "x.svg", "--part L"),
        ("part", {}, "x.3mf", "--part L"),
    ],
)
def test_files_are_those_of_the_command(
    soma: Any, what: str, options: dict[str, Any], name: str, words: str, tmp_path: Path
) -> None:
    if name.endswith((".stl", ".step", ".3mf")):
        pytest.importorskip("manifold3d")
        pytest.importorskip("trimesh")
    puzzle, solutions = soma
    things = {"solution": solutions[0], "puzzle": puzzle, "part": puzzle.parts[1], "solutions": solutions}
    ours, theirs = tmp_path / name, tmp_path / f"command{Path(name).suffix}"
    if what == "solutions":
        written = latcover.draw(things[what], **options).save(ours)
    else:
        written = things[what].save(str(ours), **options)
    assert written == (ours,)
    assert run("show", "soma", *words.split(), "--output", str(theirs)).returncode == DONE
    if what == "part":  # it does not know the puzzle's title
        assert ours.stat().st_size > 500
    else:
        assert ours.read_bytes() == theirs.read_bytes()


def test_steps_and_instructions_take_the_disassembly(soma: Any, tmp_path: Path) -> None:
    solution = soma[1][0]
    plan = latcover.disassemble(solution)
    picture = solution.draw(disassembly=plan, instructions=True, paper="A5")
    written = picture.save(tmp_path / "x.svg")
    assert [path.name for path in written] == [f"x-{k}.svg" for k in range(1, len(written) + 1)]
    assert len(written) == len(picture.pages) > 2
    run("show", "soma", "--instructions", "--paper", "A5", "--output", str(tmp_path / "y.svg"))
    assert written[1].read_bytes() == (tmp_path / "y-2.svg").read_bytes()
    assert 'class="step"' in solution.draw(disassembly=plan, steps=True).pages[0]
    with pytest.raises(UnsupportedError, match="steps: they show how a solution comes apart; give its disassembly"):
        solution.draw(steps=True).save(tmp_path / "z.svg")


def test_a_part_is_drawn_in_its_own_colour_with_its_colours_and_sides(soma: Any) -> None:
    puzzle, _ = soma
    number = next(k for k, part in enumerate(puzzle.parts) if part.name == "Z")
    drawn = puzzle.parts[number].draw(view="layers").pages[0]
    assert latcover.show.drawing.palette.hexadecimal(latcover.show.drawing.palette.colour(number)) in drawn
    for name in ("macmahon-squares", "notebook-coloured-5x5", "happy-cube-red"):
        part = latcover.load(name).parts[0]
        assert len(list(fromstring(part.draw().pages[0]).iter(TITLE))) > 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda soma, to: soma[1][0].draw(colour="red"), "draw has no option 'colour'"),
        (lambda soma, to: soma[1][0].draw(view="top"), "view is 'top'; it is one of: layers, isometric, both"),
        (lambda soma, to: soma[1][0].draw(paper="A44"), "no paper is called 'A44'; did you mean 'A4'"),
        (lambda soma, to: soma[1][0].draw(columns=0), "columns is 0; it must lie between 1 and 500"),
        (lambda soma, to: soma[1][0].save(to / "x.jpg"), "cannot draw a .jpg; name a file with one of: .txt, .svg"),
        (lambda soma, to: soma[1][0].save(to / "x"), "cannot draw a file without suffix"),
        (lambda soma, to: soma[1][0].save(to / "x.svg", edge=3.0), "edge: only for .stl"),
        (lambda soma, to: soma[1][0].save(to / "x.html", paper="A4"), "paper: only for .svg, .pdf, .png"),
        (lambda soma, to: soma[1][0].save(to / "no" / "x.svg"), "x.svg"),
        (lambda soma, to: soma[0].save(to / "x.html"), "html shows solutions"),
        (lambda soma, to: soma[0].save(to / "x.svg", explode=1.0), "explode: only for solutions"),
        (lambda soma, to: latcover.draw(soma[1]).save(to / "x.stl"), "a model shows one solution"),
        (lambda soma, to: latcover.draw([]), "there is no solution to draw"),
        (lambda soma, to: latcover.draw("soma"), "'soma' cannot be drawn; give a puzzle"),
        (lambda soma, to: latcover.draw(3), "3 cannot be drawn; give a puzzle"),
        (lambda soma, to: Solution(()).draw(), "does not know its puzzle"),
        (lambda soma, to: latcover.Part("L", "X").draw(), "part 'L' does not know its lattice"),
    ],
)
def test_what_cannot_be_drawn_is_refused(soma: Any, wrong: Any, words: str, tmp_path: Path) -> None:
    with pytest.raises((PuzzleError, UnsupportedError)) as fault:
        wrong(soma, tmp_path)
    assert words in str(fault.value)
    assert not list(tmp_path.iterdir())


def test_solutions_of_two_puzzles_are_not_drawn_together(soma: Any) -> None:
    other = next(latcover.solutions("fig4-3x3"))
    with pytest.raises(PuzzleError, match="the solutions are of 2 puzzles"):
        latcover.draw([soma[1][0], other])
