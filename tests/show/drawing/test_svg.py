"""SVG pages: sound, accessible, the same bytes every time, and drawn for every lattice without a word about it."""

from __future__ import annotations

import importlib.util
import re
import sys
from contextlib import nullcontext
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest

from latcover.core.solving.solutions import solutions
from latcover.files.formats.library import load, load_all, load_lattice, load_set
from latcover.files.formats.source import names
from latcover.lab.plane.patch_check import faults_of_patch
from latcover.show.drawing import palette
from latcover.show.drawing.palette import MARKS
from latcover.show.drawing.paper.painter import Picture, isometric
from latcover.show.drawing.paper.styles import USUAL, PictureStyle, Projection
from latcover.show.drawing.paper.svg import DARK, GAP, page, shelves
from latcover.show.drawing.paper.svg_isometric import isometric_panel
from latcover.show.drawing.paper.svg_shapes import Panel, number
from latcover.show.drawing.scenes import scene
from latcover.show.drawing.scenes.scene_model import CaptionedScene, Scene
from latcover.show.drawing.views import puzzle_views as views
from tests.command_line import DONE, run
from tests.drawn_puzzles import MADE_UP, lattice_of, puzzle_of, solved
from tests.shipped import rest_long

ROOT = Path(__file__).parents[3]
GALLERY = ROOT / "docs" / "gallery"


def _script(name: str) -> ModuleType:
    """A script of the documents, as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)  # where its dataclasses look it up
    spec.loader.exec_module(module)
    return module


gallery, lattice_page, sets_page = _script("make_gallery"), _script("make_lattices"), _script("make_pieces")
SPACE = "{http://www.w3.org/2000/svg}"
CHEAP = ("dudeney", "soma", "sphere-pyramid-2", "disc-cylinder", "path-torus", "fig4-3x3", "aztec-12")
ONE_OF_EACH_LATTICE = (
    "fig4-3x3", "soma", "hexiamonds-4x9", "tetrahexes-4x7", "hex-prisms", "sphere-pyramid-2", "tangram-square",
    "tetrasticks-5x5", "disc-cylinder",
)  # fmt: skip
every_view = pytest.mark.parametrize("view", rest_long(Projection, [Projection.both]))  # which draws as the others do


def drawn(name: str, view: Projection | None = None, look: PictureStyle = USUAL) -> Element:
    puzzle, solution = solved(name)
    shown = scene.of_solution(puzzle, solution)
    return fromstring(page(shown.title, [CaptionedScene(shown)], look, view))


def texts(root: Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SPACE}text")]


def check(text: str) -> Element:
    """A sound, accessible document, all of whose marks lie within it and whose references lead somewhere."""
    root = fromstring(text)
    assert root.tag == f"{SPACE}svg"
    assert root.get("role") == "img"
    named = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(set(named)) == len(named)
    assert set((root.get("aria-labelledby") or "").split()) <= set(named)
    assert (root[0].tag, root[1].tag) == (f"{SPACE}title", f"{SPACE}desc")
    assert root[0].text
    assert root[1].text
    assert set(re.findall(r"url\(#([^)]+)\)", text)) <= set(named)
    assert not {element.tag for element in root.iter()} & {f"{SPACE}{name}" for name in ("script", "image")}
    assert all(text == DARK for style in root.iter(f"{SPACE}style") for text in style.itertext())
    assert "nan" not in text
    assert "inf" not in text
    return root


@pytest.mark.parametrize("name", ONE_OF_EACH_LATTICE)
@every_view
def test_a_solution_in_every_view(name: str, view: Projection) -> None:
    puzzle, solution = solved(name)
    shown = scene.of_solution(puzzle, solution)
    root = check(page(shown.title, [CaptionedScene(shown)], PictureStyle(), view))
    used = {placed.part for placed in solution.placements}
    titles = {element.text for element in root.iter(f"{SPACE}title")}
    if view is not Projection.isometric or shown.dimension == 2:
        assert used <= titles
    assert titles <= used | {"empty", root[0].text}
    captions = [text for text in texts(root) if text.startswith("layer")]
    several = shown.dimension == 3 and view is not Projection.isometric and len(shown.heights) > 1
    assert len(captions) == (len(shown.heights) if several else 0)


@every_view
@pytest.mark.parametrize("name", [*names("lattices"), *MADE_UP])
def test_every_lattice_in_every_view(name: str, view: Projection, tmp_path: Path) -> None:
    """Two parts, one of them all the cells but one: nothing is known of a lattice but its file."""
    lattice = lattice_of(name, tmp_path)
    cells = [(u, *x) for u in range(len(lattice.nodes)) for x in product(range(2), repeat=lattice.dimension)]
    puzzle, solution = puzzle_of(lattice, cells[:1], cells[1:])
    for shown in (scene.of_solution(puzzle, solution), scene.of_region(puzzle), *scene.of_part(puzzle, "p1")):
        root = check(page(shown.title, [CaptionedScene(shown)], PictureStyle(patterns=True), view))
        drawn = [element for kind in ("path", "circle") for element in root.iter(f"{SPACE}{kind}")]
        assert len(drawn) >= len(shown.items) or view is Projection.isometric


def test_the_lattices_of_the_documents(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "reference" / "lattice-files.md").read_text("utf-8")
    blocks = [block for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL) if "[[parts]]" not in block]
    assert len(blocks) >= 2
    for k, block in enumerate(blocks):
        path = tmp_path / f"{k}.toml"
        path.write_text(block, encoding="utf-8")
        lattice = load_lattice(str(path))
        cells = [(u, *x) for u in range(len(lattice.nodes)) for x in product(range(2), repeat=2)]
        shown = scene.of_solution(*puzzle_of(lattice, cells))
        check(page(shown.title, [CaptionedScene(shown)]))
        assert len(shown.items[0].polygons) == 1  # every side between two cells is gone
        assert not shown.items[0].polygons[0].holes


@pytest.mark.parametrize("name", names("instances"))
def test_every_shipped_puzzle_has_a_sound_picture_in_the_gallery_and_its_paragraph(name: str) -> None:
    check((GALLERY / f"{name}.svg").read_text("utf-8"))
    text = (ROOT / "docs" / "reference" / "gallery.md").read_text("utf-8")
    assert gallery.entry(name, gallery.first_of(name)) in text


@pytest.mark.parametrize("name", rest_long(names("instances"), CHEAP))
def test_the_picture_in_the_gallery_is_that_which_its_script_draws(name: str) -> None:
    assert gallery.picture(gallery.first_of(name)) == (GALLERY / f"{name}.svg").read_text("utf-8")


@pytest.mark.parametrize("name", names("lattices"))
def test_every_shipped_lattice_has_an_up_to_date_picture_and_section(name: str) -> None:
    assert lattice_page.entry(name) in (ROOT / "docs" / "reference" / "lattices.md").read_text("utf-8")
    assert lattice_page.picture(name) == (ROOT / "docs" / "lattices" / f"{name}.svg").read_text("utf-8")


def test_the_page_of_lattices_has_nothing_else() -> None:
    assert {path.stem for path in (ROOT / "docs" / "lattices").iterdir()} == set(names("lattices"))
    text = (ROOT / "docs" / "reference" / "lattices.md").read_text("utf-8")
    assert text == "\n".join([lattice_page.HEAD, *map(lattice_page.entry, names("lattices"))])


def test_the_page_of_pieces_lists_every_set() -> None:
    text = (ROOT / "docs" / "reference" / "pieces.md").read_text("utf-8")
    assert text.endswith(sets_page.MARK + "\n" + "\n".join(map(sets_page.entry, names("sets"))))


@pytest.mark.parametrize("name", rest_long(names("sets"), ["pentominoes", "tetracubes", "trihexes"]))
def test_pictures_of_pieces_are_current(name: str) -> None:
    shown = sets_page.picture(name)
    assert shown == (ROOT / "docs" / "pieces" / f"{name}.svg").read_text("utf-8")
    assert {part.name for part in load_set(name).parts} <= set(texts(check(shown)))


@pytest.mark.parametrize("name", gallery.ON_THE_FIRST_PAGE)
def test_the_pictures_of_the_first_page_are_up_to_date(name: str) -> None:
    shown = (ROOT / "docs" / "images" / f"{name}.svg").read_text("utf-8")
    check(shown)
    assert gallery.picture(gallery.first_of(name), Projection.isometric) == shown


def test_the_gallery_has_nothing_else() -> None:
    assert sorted(path.stem for path in GALLERY.iterdir()) == names("instances")
    text = (ROOT / "docs" / "reference" / "gallery.md").read_text("utf-8")
    assert text.startswith(gallery.HEAD)
    assert text.count("\n## ") == len(names("instances")) + 1
    assert text.endswith("\n".join([gallery.PLANE_HEAD, *(shape.entry() for shape in gallery.PLANE_SHAPES)]))


every_shape = pytest.mark.parametrize("shape", gallery.PLANE_SHAPES, ids=lambda shape: shape.picture)


@every_shape
def test_shapes_of_the_gallery_have_sound_pictures_of_all_coronas(shape: Any) -> None:
    shown = (ROOT / "docs" / "images" / f"{shape.picture}.svg").read_text("utf-8")
    check(shown)
    assert f"corona {shape.coronas}" in shown
    assert f"corona {shape.coronas + 1}" not in shown


@pytest.mark.long
@every_shape
def test_shapes_of_the_gallery_reach_as_far_as_it_shows(shape: Any) -> None:
    answer = shape.answer()
    assert faults_of_patch(answer.heesch.patch) == []
    assert (answer.heesch.number, answer.tiling) == (shape.coronas, None)
    assert shape.drawn(answer) == (ROOT / "docs" / "images" / f"{shape.picture}.svg").read_text("utf-8")


@pytest.mark.parametrize("name", ONE_OF_EACH_LATTICE)
def test_regions_and_parts(name: str) -> None:
    puzzle = load_all(name)[0]
    for view in (views.of_region(puzzle), views.of_part(puzzle, puzzle.parts[0].name)):
        root = check(page(view.title, view.entries()))
        assert root[0].text.startswith(view.title)  # type: ignore[union-attr]
    captions = [text for text in texts(root) if text.isdigit()]
    assert len([c for c in captions if c in map(str, range(1, 100))]) >= len(view.entries())


def test_letters_may_be_left_out() -> None:
    with_letters, without = drawn("dudeney"), drawn("dudeney", look=PictureStyle(letters=False))
    assert sorted(texts(with_letters)) == sorted("FILNPSTUVWXYZ")
    assert texts(without) == []


def test_a_part_bears_the_palettes_colour_everywhere() -> None:
    puzzle, solution = solved("soma")
    for k, part in enumerate(puzzle.parts):
        colour = palette.hexadecimal(palette.colour(k))
        layers = drawn("soma", Projection.layers)
        fills = {
            path.get("fill")
            for group in layers.iter(f"{SPACE}g")
            if (title := group.find(f"{SPACE}title")) is not None and title.text == part.name
            for path in group.iter(f"{SPACE}path")
        }
        assert fills == {colour}
        sheet = page(part.name, views.of_part(puzzle, part.name).entries(), view=Projection.layers)
        assert f'fill="{colour}"' in sheet
    assert {placed.part for placed in solution.placements} == {part.name for part in puzzle.parts}


def test_patterns_differ_where_they_are_asked_for() -> None:
    root = drawn("dudeney", look=PictureStyle(patterns=True))
    made = [element.get("id") for element in root.iter(f"{SPACE}pattern")]
    assert len(made) == 13 - 1  # the first part has none
    assert not list(drawn("dudeney").iter(f"{SPACE}pattern"))
    assert len(MARKS) == palette.PATTERNS


def test_a_region_that_goes_round_says_so() -> None:
    assert "unrolled" in (drawn("disc-cylinder")[0].text or "")
    assert "unrolled" not in (drawn("dudeney")[0].text or "")


def test_titles_are_escaped_by_the_library() -> None:
    puzzle, solution = solved("fig4-3x3")
    title = '<b>&"solved"</b>'
    assert fromstring(page(title, [CaptionedScene(scene.of_solution(puzzle, solution))]))[0].text == title


def test_a_sheet_holds_every_solution_with_its_number() -> None:
    puzzle = load("dudeney")
    found = [solution for _, solution in zip(range(7), solutions(puzzle), strict=False)]
    view = views.of_solutions(puzzle, found)
    root = check(page(view.title, view.entries()))
    assert [text for text in texts(root) if text.startswith("solution")] == [f"solution {k}" for k in range(1, 8)]
    moves = {element.get("transform") for element in root.iter(f"{SPACE}g") if element.get("transform")}
    assert len(moves) >= 6
    assert float(root.get("width") or 0) <= 1000


def test_all_pictures_on_a_sheet_are_seen_from_one_corner(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, _ = solved("soma")
    scenes, corners = scene.of_part(puzzle, "L"), []
    assert len({isometric(shown).corner for shown in scenes}) > 1
    plain = isometric_panel

    def watched(shown: Scene, picture: Picture, *rest: Any) -> Panel:
        corners.append(picture.corner)
        return plain(shown, picture, *rest)

    monkeypatch.setattr("latcover.show.drawing.paper.svg.isometric_panel", watched)
    page("L", [CaptionedScene(shown) for shown in scenes], view=Projection.both)
    assert len(corners) == len(scenes)
    assert len(set(corners)) == 1


def test_a_very_wide_picture_is_drawn_on_a_smaller_scale() -> None:
    assert float(drawn("pent-20x3").get("height") or 0) < 900


def test_numbers_are_short() -> None:
    assert [number(x) for x in (1.0, -0.001, 2.346, 10.5, 100)] == ["1", "0", "2.35", "10.5", "100"]


def test_a_terminal_is_told_what_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr("latcover.apps.cli.commands.show_command.status_of", lambda _: nullcontext(told.append))
    path = tmp_path / "x.svg"
    assert run("show", "example-2x2", "--symmetry", "none", "--solutions", "3", "--output", path).returncode == DONE
    drawing = [f"drawing {number} of 3 solutions" for number in (1, 2, 3)]
    assert told == [*drawing, "laying out 3 solutions", "making the file"]


def test_panels_that_belong_together_stay_in_one_row() -> None:
    panels = [Panel(Element("g"), 10.0, 5.0) for _ in range(6)]

    def rows(together: int) -> list[int]:
        shown = shelves(panels, 3 * 10 + 2 * GAP, columns=True, together=together).element
        heights = [place.get("transform", "translate(0 0)").split()[1] for place in shown]
        return [heights.count(height) for height in dict.fromkeys(heights)]

    assert rows(1) == [3, 3]
    assert rows(2) == [2, 2, 2]
    assert rows(6) == [6]
