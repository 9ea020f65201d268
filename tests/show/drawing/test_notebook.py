"""What puzzles, parts and solutions show of themselves in a notebook; and the example, run by a real kernel."""

from __future__ import annotations

import ast
import pickle
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest
from msgspec.structs import replace

import latcover
from latcover.core.model.pictured import Pictured, show_with
from latcover.core.model.puzzle import Part, Region, as_cells
from latcover.core.model.solution import Solution
from latcover.files.formats.library import load_all
from latcover.files.formats.source import names
from latcover.show.drawing.paper import notebook

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("name", ["soma", "pent-10x6", "sphere-pyramid"])
def test_everything_shows_itself(name: str) -> None:
    puzzle = latcover.load(name)
    solution = next(latcover.solutions(puzzle))
    for thing in (puzzle, puzzle.parts[0], solution, latcover.load_set("trominoes")):
        picture = thing._repr_svg_()
        assert picture is not None
        assert fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"
    html = puzzle._repr_html_()
    assert html is not None
    assert html.count("<svg") == 1 + len(puzzle.parts)
    assert puzzle.title in html
    assert solution._repr_html_() is None


def test_words_beside_a_part() -> None:
    html = latcover.load("slothouber-graatsma").parts[1]._repr_html_()
    assert html is not None
    assert "4 cells, 3 orientations, 6 of it" in html
    assert "<svg" in html


def test_what_knows_no_puzzle_has_no_picture() -> None:
    lattice = latcover.load_lattice("square")
    part = Part("a", as_cells([[0, 0, 0]], 2), np.zeros(1, np.int32), 1, 1, lattice.allowed("fixed"))
    for thing in (part, Solution(())):
        assert thing._repr_svg_() is None
        assert thing._repr_html_() is None
    assert notebook.svg(object()) is None
    assert notebook.html(object()) is None


def test_without_a_painter_there_is_no_picture() -> None:
    puzzle, registered = latcover.load("fig4-3x3"), Pictured._painter
    assert registered is not None
    show_with(None)
    try:
        assert puzzle._repr_svg_() is None
        assert puzzle._repr_html_() is None
    finally:
        show_with(registered)
    assert puzzle._repr_svg_() is not None


def test_the_package_loads_no_painter_before_a_picture_is_wanted() -> None:
    program = (
        "import sys, latcover\n"
        "assert 'numpy' not in sys.modules\n"
        "puzzle = latcover.load('fig4-3x3')\n"
        "assert not any(name.startswith('latcover.show.drawing') for name in sys.modules)\n"
        "assert puzzle._repr_svg_().startswith('<svg')\n"
    )
    subprocess.run([sys.executable, "-P", "-c", program], check=True)


def test_words_are_escaped() -> None:
    puzzle = replace(latcover.load("fig4-3x3"), title="<script>alert(1)</script>")
    html = puzzle._repr_html_()
    assert html is not None
    assert "<script" not in html


def test_a_huge_region_has_no_picture() -> None:
    puzzle = latcover.load("fig4-3x3")
    cells = as_cells([(0, k, 0) for k in range(notebook.MOST_CELLS + 1)], 2)
    assert replace(puzzle, region=Region(cells))._repr_svg_() is None


def test_what_a_solution_carries_for_its_picture_makes_no_difference() -> None:
    puzzle = latcover.load("fig4-3x3")
    solution = next(latcover.solutions(puzzle))
    bare = Solution(solution.placements, orbit=solution.orbit)
    assert solution.puzzle is puzzle
    assert solution == bare
    assert hash(solution) == hash(bare)
    assert repr(solution) == repr(bare)
    assert solution.as_json(puzzle.lattice) == bare.as_json(puzzle.lattice)
    assert latcover.verify(puzzle, bare) == latcover.verify(puzzle, solution) == []
    copied = pickle.loads(pickle.dumps(solution))
    assert copied == solution
    assert copied.puzzle is None  # a process that is sent solutions is not sent the puzzle with each
    with pytest.raises(AttributeError):
        solution.puzzle = None


def test_parts_know_their_lattice_and_their_number() -> None:
    for name in islice(names("instances"), 5):
        for puzzle in load_all(name):
            assert [part.number for part in puzzle.parts] == list(range(len(puzzle.parts)))
            assert all(part.lattice is puzzle.lattice for part in puzzle.parts)


def executed(name: str, folder: Path) -> list[Any]:
    """What the cells of a notebook put out, one thing each.

    It runs elsewhere than in the checkout, whose folders a kernel would import in place of what is installed.
    """
    import nbformat  # here: every process that runs tests collects this file
    from nbclient import NotebookClient

    example = nbformat.read(DOCS / name, as_version=4)
    nbformat.validate(example)
    codes = [cell for cell in example.cells if cell.cell_type == "code"]
    assert not any(cell.outputs for cell in codes)
    elsewhere = {"metadata": {"path": str(folder)}}
    NotebookClient(example, timeout=300, kernel_name="python3", resources=elsewhere).execute()
    return [cell.outputs[0].data for cell in codes]


@pytest.mark.long
def test_a_design_is_made_from_a_set_of_parts(tmp_path: Path) -> None:
    found = executed("set-to-design.ipynb", tmp_path)
    assert ["image/svg+xml" in data for data in found] == [True, True, False, False, True, False, True, False]
    texts = [data["text/plain"] for data in found]
    assert texts[2:4] == ["8", "['L', 'O', 'S', 'A']"]
    assert texts[5].startswith("<Disassembly: apart, level ")
    names = ast.literal_eval(texts[7])
    assert {"parts.svg", "play.html", "build-1.svg"} <= {*names}
    assert all((tmp_path / name).stat().st_size > 1000 for name in names)


@pytest.mark.long
def test_a_puzzle_is_made_and_its_solutions_are_filtered(tmp_path: Path) -> None:
    made, answer, kept, first, table = executed("make-and-filter.ipynb", tmp_path)
    assert "text/html" in made
    assert answer["text/plain"] == "(98, 392)"
    assert kept["text/plain"] == "62"
    assert "image/svg+xml" in first
    assert "<table" in table["text/html"]
