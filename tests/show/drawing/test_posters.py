"""Posters and building instructions: what stands on which sheet, as SVG, PDF and PNG."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from io import BytesIO
from itertools import chain
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest
from msgspec.structs import replace

from latcover.core.model.disassembly import Disassembly
from latcover.core.model.turn_bounds import BOUNDS
from latcover.core.model.turn_data import Turning
from latcover.errors import PuzzleError
from latcover.lab.assembly.taking_apart import ApartLimits, Assembler
from latcover.show.drawing.paper.instructions import TIMES, from_the_bottom, instructions
from latcover.show.drawing.paper.paper_sheet import Heading
from latcover.show.drawing.paper.papers import PAPERS, Paper, paper
from latcover.show.drawing.paper.poster import fitting_paper, sheets, tiles_of
from latcover.show.drawing.paper.svg_shapes import Definitions
from latcover.show.drawing.scenes.explosion import exploded
from latcover.show.drawing.scenes.scene import of_solution
from latcover.show.drawing.scenes.scene_model import CaptionedScene
from tests.command_line import DONE, run
from tests.drawn_puzzles import solved

SPACE = "{http://www.w3.org/2000/svg}"
A4 = paper("A4")


def texts(page: str) -> list[str]:
    return [element.text or "" for element in fromstring(page).iter(f"{SPACE}text")]


def poster(count: int, sheet: Paper = A4, columns: int | None = None) -> list[str]:
    puzzle, solution = solved("fig4-3x3")
    definitions = Definitions()
    entries = [CaptionedScene(of_solution(puzzle, solution), f"number {k}") for k in range(1, count + 1)]
    return sheets(Heading("A title", "a line"), tiles_of(entries, definitions), definitions, sheet, columns)


def captions(pages: Sequence[str]) -> list[list[str]]:
    return [[text for text in texts(page) if text.startswith("number")] for page in pages]


def moved(element: Element) -> tuple[float, float]:
    found = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
    assert found is not None
    return float(found[1]), float(found[2])


def test_a_sheet_has_the_size_of_its_paper() -> None:
    for name, (width, height) in PAPERS.items():
        assert (paper(name).width, paper(name.upper(), landscape=True).width) == (width, height)
    (page,) = poster(2, paper("A2"))
    assert (fromstring(page).get("width"), fromstring(page).get("height")) == ("420mm", "594mm")
    with pytest.raises(PuzzleError, match=r"no paper is called 'A44'; did you mean 'A4'\?"):
        paper("A44")


@pytest.mark.parametrize("columns", [1, 3, 7, None])
@pytest.mark.parametrize("count", [1, 5, 40])
def test_every_picture_stands_on_one_sheet_within_its_margins(count: int, columns: int | None) -> None:
    pages = poster(count, A4, columns)
    assert list(chain.from_iterable(captions(pages))) == [f"number {k}" for k in range(1, count + 1)]
    for page in pages:
        root = fromstring(page)
        _, _, width, height = map(float, (root.get("viewBox") or "").split())
        tiles = [
            g
            for g in root.iter(f"{SPACE}g")
            if any((t.text or "").startswith("number") for t in g.findall(f"{SPACE}text"))
        ]
        places = [moved(tile) for tile in tiles]
        assert len(set(places)) == len(places)
        assert all(A4.margin <= x + 0.01 and x < width - A4.margin for x, _ in places)
        assert all(A4.margin < y < height - A4.margin for _, y in places)
        if columns is not None:
            assert len({x for x, _ in places}) <= columns


def test_sheets_that_are_full_are_followed_by_others_with_their_number() -> None:
    pages = poster(40, A4, 2)
    assert len(pages) > 1
    assert [text for page in pages for text in texts(page) if " / " in text] == [
        f"{k} / {len(pages)}" for k in range(1, len(pages) + 1)
    ]
    assert len(poster(40)) == 1  # which chooses so many columns that one sheet is enough


@pytest.mark.parametrize(("count", "sheets"), [(80, [80]), (200, [72, 72, 56]), (120, [72, 48])])
def test_pictures_shrink_rather_than_begin_a_sheet_for_a_few(count: int, sheets: list[int]) -> None:
    assert [len(page) for page in captions(poster(count, A4, 8))] == sheets


@pytest.mark.long
def test_the_poster_of_the_documents_is_one_sheet(tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf", reason="pypdf is not installed")
    text = (Path(__file__).parents[3] / "docs" / "reference" / "pictures.md").read_text("utf-8")
    (line,) = (line for line in text.splitlines() if line.startswith("latcover show soma --solutions all --paper"))
    *words, name = shlex.split(line)[1:]
    out = tmp_path / name
    assert run(*words, str(out)).returncode == DONE
    (page,) = pypdf.PdfReader(out).pages
    assert set(range(1, 241)) <= {int(number) for number in re.findall(r"\d+", page.extract_text())}


@pytest.mark.parametrize("title", ["very long title " * 20, "W" * 400])
@pytest.mark.parametrize("sheet", [paper("A6"), paper("A6", landscape=True), paper("A0")])
def test_a_long_title_leaves_room_for_the_pictures(title: str, sheet: Paper) -> None:
    """It is shortened; its words are broken where a line ends."""
    puzzle, solution = solved("soma")
    puzzle = replace(puzzle, title=title, source=title)
    definitions = Definitions()
    tiles = tiles_of([CaptionedScene(of_solution(puzzle, solution), f"number {k}") for k in range(1, 6)], definitions)
    posters = sheets(Heading(title, title), tiles, definitions, sheet)
    (taken,) = Assembler(puzzle).take_apart([solution], ApartLimits())
    cover, *_ = instructions(puzzle, solution, taken, sheet)
    for page in (*posters, cover):
        _, _, width, height = map(float, (fromstring(page).get("viewBox") or "").split())
        long = [text for text in fromstring(page).iter(f"{SPACE}text") if (text.text or "")[:4] in title]
        assert long
        for text in long:
            assert 0.5 * float(text.get("font-size", "")) * len(text.text or "") < width
        lowest = max(float(text.get("y", "")) for text in long if text.get("font-weight"))
        holder = next(g for g in fromstring(page).iter(f"{SPACE}g") if "translate" in g.get("transform", ""))
        assert lowest < moved(holder)[1] < 0.75 * height
    assert list(chain.from_iterable(captions(posters))) == [f"number {k}" for k in range(1, 6)]


def test_a_title_has_a_greatest_length(tmp_path: Path) -> None:
    refused = run("show", "soma", "--title", "t" * 201, "--output", str(tmp_path / "x.svg"))
    assert refused.returncode != DONE
    assert "the title has 201 characters; give at most 200" in " ".join(refused.stderr.split())


def test_an_exploded_scene_has_room_for_its_parts() -> None:
    puzzle, solution = solved("soma")
    shown = of_solution(puzzle, solution)
    apart = exploded(shown, 0.8)
    assert exploded(shown, 0.0) is shown
    assert (apart.high - apart.low > shown.high - shown.low).all()
    for item in apart.items:
        assert item.solid is not None
        assert (item.solid.vertices >= apart.low - 1e-9).all()
        assert (item.solid.vertices <= apart.high + 1e-9).all()


def test_instructions_have_a_cover_the_parts_and_a_picture_for_each_step() -> None:
    puzzle, solution = solved("soma")
    (taken,) = Assembler(puzzle).take_apart([solution], ApartLimits())
    pages = instructions(puzzle, solution, taken, A4)
    assert "Building instructions" in texts(pages[0])
    parts = texts(pages[1])
    assert parts[:2] == ["Parts", "7 parts"]
    assert [text for text in parts if re.match(rf"\d+ {TIMES} ", text)] == [
        f"1 {TIMES} {part.name}" for part in puzzle.parts
    ]
    steps = [text for page in pages[2:] for text in texts(page) if text.isdigit()]
    assert steps == [str(k) for k in range(1, len(taken.steps) + 1)]
    whole = [text for text in texts(pages[-1]) if text.startswith(("All", "Its"))]
    assert whole == ["All 7 parts together", "Its layers, the lowest first"]


@pytest.mark.parametrize("result", ["stuck", "unproved", "unknown"])
def test_where_nothing_slides_parts_are_put_in_from_the_bottom(result: str) -> None:
    puzzle, solution = solved("soma")
    bounds = tuple(BOUNDS) if result == "unproved" else ()
    pages = instructions(puzzle, solution, Disassembly(result, 7, turning=Turning(), bounds=bounds), A4)  # type: ignore[arg-type]
    assert "The steps show the parts from the bottom up." in " ".join(texts(pages[0]))
    told = [
        text.removeprefix("Put in part ") for page in pages[2:] for text in texts(page) if text.startswith("Put in")
    ]
    order = from_the_bottom(puzzle, solution).placements
    heights = [min(cell[3] for cell in placed.cells) for placed in order]
    assert heights == sorted(heights)
    assert told == [placed.part for placed in order[1:]]


@pytest.mark.parametrize(("name", "wide"), [("pent-20x3", False), ("fig4-3x3", True)])
def test_the_paper_lies_as_the_pictures_fit(name: str, wide: bool) -> None:
    puzzle, solution = solved(name)
    entries = [CaptionedScene(of_solution(puzzle, solution), f"number {k}") for k in (1, 2)]
    tiles = tiles_of(entries, Definitions())
    assert fitting_paper(Heading("A title"), tiles, [A4, paper("A4", landscape=True)]).width == (297 if wide else 210)
    assert fitting_paper(Heading("A title"), tiles, [A4]) == A4


def test_pictures_of_all_on_one_sheet_are_as_large_as_they_can_be() -> None:
    """Four squares stand two by two, and not three and one."""
    (page,) = poster(4)
    tiles = [g for g in fromstring(page).iter(f"{SPACE}g") if g.get("transform", "").startswith("translate")]
    places = [moved(tile) for tile in tiles if tile.find(f"{SPACE}text") is not None]
    assert len({x for x, _ in places}) == len({y for _, y in places}) == 2


def test_solutions_in_space_are_drawn_with_their_layers(tmp_path: Path) -> None:
    """Nothing that lies inside is hidden; a view from outside alone may be asked for."""
    out = tmp_path / "x.svg"
    layers = {}
    for view in ([], ["--view", "isometric"], ["--explode", "1"]):
        assert run("show", "soma", "--solutions", "2", "--paper", "A4", *view, "--output", str(out)).returncode == DONE
        root = fromstring(out.read_text("utf-8"))
        layers[(*view, "")[0]] = sum("frame" in one.get("class", "") for one in root.iter(f"{SPACE}rect"))
    assert layers == {"": 6, "--view": 0, "--explode": 0}


def test_the_command_writes_svg_sheets(tmp_path: Path) -> None:
    out = tmp_path / "x.svg"
    done = run("show", "fig4-3x3", "--solutions", "all", "--paper", "A5", "--title", "All", "--output", str(out))
    assert done.returncode == DONE, done.stderr
    assert texts(out.read_text("utf-8"))[:2] == ["All", "2 solutions"]
    done = run("show", "soma", "--steps", "--paper", "A5", "--columns", "1", "--output", str(out))
    assert done.returncode == DONE, done.stderr
    assert (tmp_path / "x-1.svg").is_file()


def test_pdf_and_png(tmp_path: Path) -> None:
    pytest.importorskip("typst", reason="Typst is not installed")
    pypdf = pytest.importorskip("pypdf", reason="pypdf is not installed")
    done = run("show", "soma", "--instructions", "--title", "Würfel", "--output", str(tmp_path / "x.pdf"))
    assert done.returncode == DONE, done.stderr
    reader = pypdf.PdfReader(BytesIO((tmp_path / "x.pdf").read_bytes()))
    assert reader.metadata.title == "Würfel"
    assert "Würfel" in reader.pages[0].extract_text()
    assert "Parts" in reader.pages[1].extract_text()
    assert "together" in reader.pages[-1].extract_text()
    box = reader.pages[0].mediabox
    assert [round(float(side) / 72 * 25.4) for side in (box.width, box.height)] == [210, 297]
    done = run("show", "fig4-3x3", "--paper", "A6", "--dpi", "100", "--output", str(tmp_path / "x.png"))
    assert done.returncode == DONE, done.stderr
    head = (tmp_path / "x.png").read_bytes()[:24]
    assert head[1:4] == b"PNG"
    assert (int.from_bytes(head[16:20]), int.from_bytes(head[20:24])) == pytest.approx((413, 583), abs=1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--paper", "A4"], "--paper: only for .svg, .pdf, .png"),
        (["--dpi", "90", "--output", "x.pdf"], "--dpi: only for .png"),
        (["--paper", "B4", "--output", "x.svg"], "no paper is called 'B4'"),
        (["--solutions", "many"], "'many' is neither a number of solutions nor 'all'"),
        (["--instructions", "--steps", "--output", "x.svg"], "exclude each other"),
        (["--instructions", "--output", "x.html"], "--instructions: only for .svg, .pdf, .png"),
        (["--explode", "1", "--region", "--output", "x.svg"], "--explode: only for a solution"),
        (["--explode", "nan", "--output", "x.svg"], "parts cannot be moved apart by nan"),
        (["--title", "a\x01b", "--output", "x.svg"], "the title: no picture can hold the character \\x01"),
    ],
)
def test_options_that_do_not_fit_are_refused(options: list[str], words: str) -> None:
    done = run("show", "soma", *options)
    assert done.returncode != DONE
    assert words in done.stderr
