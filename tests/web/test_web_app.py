"""The web app in a real browser: what a user does, by mouse and by keyboard."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latcover.formats import library, source
from latcover.web.editor_data import lattice_data
from latcover.web.settings import Settings
from tests import web_browser as app
from tests.web_browser import (
    LONG,
    answer,
    begin_on,
    drawn,
    empty,
    expect,
    look,
    opened_at,
    options,
    pick,
    status,
    unfold,
)
from tests.web_server import Server, within

image = pytest.importorskip("PIL.Image", reason="Pillow is not installed: pip install '.[test]'")

SAVE = "#solve .browse .more"
address, browser, tab, page = app.address, app.browser, app.tab, app.page


def test_a_puzzle_is_solved_and_drawn(page: Any) -> None:
    pick(page, "soma")
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "240 solutions")
    expect(page.locator("#solve canvas")).to_be_visible(timeout=LONG)  # solids open in space
    look(page, "2D")
    drawn(page)
    expect(page.locator("#solve .browse")).to_contain_text("of 240")
    page.get_by_label("last", exact=True).click()
    expect(page.get_by_label("solution number")).to_have_value("240")
    page.get_by_label("previous", exact=True).click()
    expect(page.locator("#solve img.solution")).to_have_attribute("src", re.compile("solutions/238.svg$"))
    look(page, "3D")
    expect(page.locator("#solve canvas")).to_be_visible(timeout=LONG)
    expect(page.locator(".latcover-viewer .status")).to_contain_text("239", timeout=LONG)


@pytest.mark.long
def test_solutions_are_drawn_at_random_one_after_the_other(page: Any) -> None:
    pick(page, "aztec-12")
    page.click("#tab-solve")
    options(page).get_by_role("button", name="Random solution").click()
    note = page.locator("#solve .browse + .hint")
    expect(note).to_have_text("1 of 302,231,454,903,657,293,676,544 solutions, drawn at random", timeout=LONG)
    drawn(page)
    expect(page.get_by_label("solution number")).to_have_value("1")
    options(page).get_by_role("button", name="Random solution").click()
    expect(page.get_by_label("solution number")).to_have_value("2")
    expect(page.locator("#solve img.solution").first).to_have_attribute("src", re.compile("solutions/1.svg$"))


@pytest.mark.long
def test_maps_tell_how_likely_parts_are(page: Any) -> None:
    pick(page, "fig4-3x3")
    page.click("#tab-solve")
    options(page).get_by_role("button", name="How likely?").click()
    likely = page.get_by_label("How likely", exact=True)
    picture = likely.get_by_role("img")
    expect(picture).to_be_visible(timeout=LONG)
    expect(picture).to_have_js_property("complete", True)
    expect(likely.locator("table")).to_be_hidden()
    likely.get_by_text("Exact numbers").click()
    names = likely.locator("tbody th").all_inner_texts()
    likely.get_by_label("part").select_option(names[0])
    expect(picture).to_have_attribute("alt", re.compile("all"))
    expect(likely.locator("thead th").first).to_have_text("cell")
    expect(likely.locator("tbody tr")).to_have_count(9)
    page.click("#solve button:text-is('Solve')")
    status(page, "solutions")
    expect(likely).to_be_hidden()


@pytest.fixture
def page_of_a_process(tab: Any) -> Iterator[Any]:
    """The app of a server that is a process, as it is for users: its searches can be paused."""
    server = Server()
    with opened_at(tab, f"{server.url}/"):
        yield tab
    server.close()


@pytest.mark.long
def test_a_long_run_is_paused_and_stopped(page_of_a_process: Any) -> None:
    page = page_of_a_process
    page.click("#tab-solve")
    form = options(page)
    form.get_by_label("backend").select_option("dlx")
    unfold(page, "#solve .expert")
    form.get_by_label("size").select_option("false")
    form.get_by_label("count as the same").select_option("none")
    page.click("#solve button:text-is('Solve')")
    status(page, "branches")
    page.click("#solve >> text=Pause")
    status(page, "paused")
    page.click("#solve >> text=Resume")
    status(page, "searching")
    page.click("#solve .run >> text=Stop")
    status(page, "stopped by its user")
    status(page, "cut short")
    drawn(page)


@pytest.mark.long
def test_a_region_is_edited_by_keyboard_and_solved(page: Any) -> None:
    """A square of 8 by 8 without its corners, from one without its middle."""
    pick(page, "pent-8x8-minus-2x2")
    region = page.locator("#puzzle .region")
    for place in ("3, 3", "3, 4", "4, 3", "4, 4"):
        region.get_by_label(f"cell {place}: empty").click()
    expect(page.locator("#puzzle .sum")).to_have_text("The region has 64 cells; the parts hold 60.")
    expect(page.locator("#puzzle .verdict")).to_contain_text("the volume cannot fit", timeout=LONG)
    for place in ("0, 0", "0, 7", "7, 0"):
        page.get_by_label(f"cell {place}: must be filled").click()
    region.get_by_label("cell 7, 0: empty").focus()
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(region.get_by_label("cell 7, 7: empty")).to_be_visible()
    expect(page.locator("#puzzle .verdict")).to_have_text("Nothing is wrong with this puzzle.", timeout=LONG)
    with page.expect_download() as download:
        app.download(page, "Download this puzzle")
    data = tomllib.loads(Path(download.value.path()).read_text("utf-8"))
    assert data["region"]["art"][0] == ".XXXXXX."
    page.click("#tab-solve")
    options(page).get_by_label("solution limit").fill("1")
    page.click("#solve button:text-is('Solve')")
    status(page, "cut short")
    drawn(page)


@pytest.mark.long
def test_layers_are_drawn_in_one_frame(page: Any) -> None:
    """Layers that were each drawn in a frame of their own would make the thumbnails of an L and a T the same."""
    script = """async ({ lattice, parts }) => {
        const { thumbnail } = await import("/static/thumbnail.js");
        return parts.map((cells) => thumbnail(lattice, cells, () => "red").map((layer) => layer.outerHTML));
    }"""
    row = [(0, 0, 0, 0), (0, 1, 0, 0), (0, 2, 0, 0)]
    ell, tee = [[*row, (0, x, 0, 1)] for x in (0, 1)]
    parts = page.evaluate(script, {"lattice": lattice_data(library.load_lattice("cubic")), "parts": [ell, tee]})
    assert parts[0] != parts[1]
    for name in library.titles("lattices"):
        lattice = library.load_lattice(name)
        cells = [(0, *step) for step in np.ndindex(*[3] * lattice.dimension) if sum(step) in (0, 4)]
        layers = page.evaluate(script, {"lattice": lattice_data(lattice), "parts": [cells]})[0]
        frames = {re.search('viewBox="(.*?)"', layer)[1] for layer in layers}
        assert len(frames) == 1, name


@pytest.mark.long
def test_a_region_is_made_a_box(page: Any) -> None:
    pick(page, "soma")
    lengths = page.get_by_label("lengths of the box")
    for wrong in ("3 3", "", "3 0 3", "99 99 99"):
        lengths.fill(wrong)
        page.get_by_role("button", name="Make it a box").click()
        assert lengths.evaluate("input => input.validationMessage") != ""
    expect(page.locator("#puzzle .sum")).to_have_text("The region has 27 cells; the parts hold 27.")
    lengths.fill("9 x 3 x 1")
    lengths.press("Enter")
    expect(page.locator("#puzzle .grid").first.locator(".cell.in")).to_have_count(27)  # in one layer
    lengths.fill("4 3 2")
    lengths.press("Enter")
    expect(page.locator("#puzzle .sum")).to_have_text("The region has 24 cells; the parts hold 27.")
    expect(page.locator("#puzzle .verdict")).to_contain_text("the volume cannot fit", timeout=LONG)


@pytest.mark.long
def test_an_unfinished_design_is_taken_away_and_opened_again(page: Any, tmp_path: Path) -> None:
    empty(page, "0, 0")
    with page.expect_download() as download:
        app.download(page, "Download this puzzle")  # before the server was asked what it thinks of the change
    mine = tmp_path / "mine.toml"
    download.value.save_as(mine)
    page.set_input_files("#upload", mine)
    expect(page).to_have_url(re.compile("#puzzle/~"))
    expect(page.locator("#shipped")).to_have_value("", timeout=LONG)
    expect(page.locator("#puzzle .sum")).to_have_text("The region has 59 cells; the parts hold 60.", timeout=LONG)
    expect(page.locator("#puzzle .verdict .fault")).to_contain_text("the volume cannot fit")


@pytest.mark.long
def test_edits_outlast_reloading_and_going_back(page: Any) -> None:
    pick(page, "pent-10x6")
    pick(page, "soma")
    region = page.locator("#puzzle .grid").first
    for _ in range(2):
        region.locator(".cell.in").first.click()
    page.click("#tab-files")
    edited = page.url
    expect(page.locator("#title")).to_have_text("the Soma cube, edited", timeout=LONG)
    page.reload()
    expect(page.locator("#files")).to_be_visible(timeout=LONG)
    expect(page.locator("#title")).to_have_text("the Soma cube, edited", timeout=LONG)
    page.go_back()
    expect(page.locator("#puzzle .sum")).to_have_text("The region has 25 cells; the parts hold 27.")
    for _ in range(2):
        page.get_by_role("button", name="Undo").click()
    expect(page.locator("#puzzle .sum")).to_have_text("The region has 27 cells; the parts hold 27.")
    expect(page).to_have_url(re.compile("#puzzle/soma$"))
    for _ in range(2):
        page.get_by_role("button", name="Redo").click()
    page.go_back()
    expect(page.locator("#title")).not_to_contain_text("Soma", timeout=LONG)
    expect(page.locator("#shipped")).to_have_value("pent-10x6")
    page.go_forward()
    expect(page.locator("#puzzle .sum")).to_have_text("The region has 25 cells; the parts hold 27.", timeout=LONG)
    assert page.url.split("#")[0] == edited.split("#")[0]


@pytest.mark.long
def test_what_was_edited_is_kept_without_a_word_and_deletion_is_undone(page: Any) -> None:
    pick(page, "soma")
    total = page.locator("#puzzle .sum")
    page.locator("#puzzle .grid").first.locator(".cell.in").first.click()
    for name in ("my puzzle", "my puzzle 2"):
        begin_on(page, "hexagonal")
        expect(page.locator("#puzzle-name")).to_have_value(name, timeout=LONG)
    unfold(page, "#choosing")
    page.get_by_label("your designs").select_option(index=3)
    expect(total).to_have_text("The region has 26 cells; the parts hold 27.", timeout=LONG)
    unfold(page, "#choosing")
    page.get_by_role("button", name="Delete design").click()
    expect(total).to_have_text("The region has 27 cells; the parts hold 27.", timeout=LONG)
    expect(page.locator("#kept option")).to_have_count(3)
    page.locator(".notice").get_by_role("button", name="Undo").click()
    expect(page.locator("#kept option")).to_have_count(4)
    unfold(page, "#choosing")
    page.get_by_label("your designs").select_option(index=1)
    expect(total).to_have_text("The region has 26 cells; the parts hold 27.", timeout=LONG)
    page.get_by_role("button", name="Undo", exact=True).click()  # its history was kept, too
    expect(total).to_have_text("The region has 27 cells; the parts hold 27.")


@pytest.mark.long
def test_edits_that_the_browser_cannot_keep_are_not_left_unasked(page: Any) -> None:
    full = "throw new DOMException('full', 'QuotaExceededError')"
    page.evaluate(f"() => {{ Storage.prototype.setItem = () => {{ {full}; }}; }}")
    empty(page, "0, 0")
    expect(page.locator("#unkept")).to_contain_text("no room to keep the changes")
    asked: list[str] = []
    page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    with page.expect_event("dialog"):
        page.evaluate("() => { setTimeout(() => location.reload()); }")
    expect(page.locator("#puzzle .sum")).to_contain_text("59 cells")
    unfold(page, "#choosing")
    page.select_option("#shipped", "soma")
    answer(page, "Discard changes")
    expect(page.locator("#title")).to_have_text("the Soma cube", timeout=LONG)
    assert asked == ["beforeunload"]


@pytest.mark.long
def test_what_is_seen_of_solutions_is_what_keys_turn_to_and_what_is_saved(page: Any) -> None:
    pick(page, "soma")
    page.click("#tab-solve")
    options(page).get_by_label("solution limit").fill("3")
    page.click("#solve button:text-is('Solve')")
    status(page, "cut short")
    look(page, "2D")
    drawn(page)
    page.keyboard.press("PageDown")
    expect(page.get_by_label("solution number")).to_have_value("2")
    unfold(page, SAVE)
    with page.expect_download() as download:
        page.locator("#solve").get_by_text("Save this picture (SVG)").click()
    assert download.value.suggested_filename == "solution-2.svg"
    look(page, "3D")
    viewed = page.locator(".latcover-viewer .status")
    expect(viewed).to_have_text("solution 2", timeout=LONG)
    expect(page.locator("#solve input[type=number][aria-label*=olution]:visible")).to_have_count(1)
    page.keyboard.press("PageDown")
    expect(viewed).to_have_text("solution 3", timeout=LONG)
    expect(page.get_by_label("solution number")).to_have_value("3")
    unfold(page, SAVE)
    expect(page.locator("#solve").get_by_text("Save this picture (SVG)")).to_be_hidden()
    with page.expect_download() as download:
        page.click("text=Save this picture (PNG)")
    assert download.value.suggested_filename == "solution-3.png"
    picture = np.asarray(image.open(download.value.path()).convert("RGBA"))
    assert len(np.unique(picture.reshape(-1, 4), axis=0)) > 5
    page.click("#further")
    for tab in ("puzzle", "solve", "watch", "compare", "files"):
        page.click(f"#tab-{tab}")
        expect(page.locator("#title")).to_have_text("the Soma cube")


@pytest.mark.long
def test_what_is_seen_in_space_is_saved_as_a_model(page: Any) -> None:
    pytest.importorskip("manifold3d", reason="manifold3d is not installed")
    pick(page, "fig4-3x3")
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "2 solutions")
    drawn(page)  # what is flat opens flat
    unfold(page, SAVE)
    expect(page.get_by_text("Save this picture in space")).to_be_hidden()
    look(page, "3D")
    expect(page.locator(".latcover-viewer .status")).to_contain_text("solution 1", timeout=LONG)
    sizes = []
    for keys in ("", "e"):  # which moves the parts apart
        if keys:
            page.locator("#solve canvas").press(keys)
        unfold(page, SAVE)
        with page.expect_download() as download:
            page.click("text=Save this picture in space (GLB)")
        assert download.value.suggested_filename == "fig4-3x3-solution-1.glb"
        sizes.append(Path(download.value.path()).read_bytes())
    assert sizes[0][:4] == sizes[1][:4] == b"glTF"
    assert sizes[0] != sizes[1]


@pytest.mark.long
@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_the_page_is_dark_where_the_system_is(page: Any, scheme: str, dark: bool) -> None:
    page.emulate_media(color_scheme=scheme)
    seen = page.evaluate("() => getComputedStyle(document.querySelector('#puzzle')).backgroundColor")
    ink = page.evaluate("() => getComputedStyle(document.body).color")
    page.emulate_media(color_scheme="light")
    brightness = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (seen, ink)]
    assert (brightness[0] < brightness[1]) == dark


@pytest.mark.long
def test_changes_are_taken_back_and_made_again(page: Any) -> None:
    pick(page, "soma")
    total = page.locator("#puzzle .sum")
    undo, redo = (page.get_by_role("button", name=name, exact=True) for name in ("Undo", "Redo"))
    expect(undo).to_be_disabled()
    heading = page.locator("#title")
    expect(heading).to_have_text("the Soma cube")
    page.locator("#puzzle .grid").first.locator(".cell.in").first.click()
    expect(heading).to_have_text("the Soma cube, edited")
    page.locator("#puzzle .parts .pick").nth(1).click()
    page.locator("#puzzle .edited").get_by_role("button", name="Delete").click()
    expect(total).to_have_text("The region has 26 cells; the parts hold 23.")
    undo.click()
    expect(total).to_have_text("The region has 26 cells; the parts hold 27.")
    expect(page.locator("#puzzle .parts .part")).to_have_count(7)
    page.locator("#puzzle .cell[tabindex='0']").first.focus()
    page.keyboard.press("Control+z")
    expect(total).to_have_text("The region has 27 cells; the parts hold 27.")
    expect(page.locator("#puzzle .grid").first.locator(".cell.in")).to_have_count(9)
    expect(undo).to_be_disabled()
    page.keyboard.press("Control+Shift+z")
    redo.click()
    expect(total).to_have_text("The region has 26 cells; the parts hold 23.")
    expect(redo).to_be_disabled()
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect(page.locator("#puzzle .verdict")).to_have_text("Nothing is wrong with this puzzle.", timeout=LONG)
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "240 solutions")
    expect(heading).to_have_text("the Soma cube")


@pytest.mark.long
def test_parts_are_added_copied_and_taken_away(page: Any) -> None:
    begin_on(page, "hexagonal")
    expect(page.locator("#puzzle .sum")).to_have_text("The region has 16 cells; the parts hold 1.", timeout=LONG)
    page.locator("#puzzle").get_by_label("at most").fill("")
    page.locator("#puzzle").get_by_label("at most").press("Tab")
    expect(page.locator("#puzzle .copies").first).to_have_text(re.compile("1 or more"))
    page.get_by_role("button", name="Add a part").click()
    page.locator("#puzzle .edited").get_by_label("cell 0, 1: empty").click()
    expect(page.locator("#puzzle .sum")).to_have_text("The region has 16 cells; the parts hold 3 or more.")
    page.locator("#puzzle .edited").get_by_role("button", name="Duplicate").click()
    expect(page.locator("#puzzle .parts .part")).to_have_count(3)
    page.locator("#puzzle .edited").get_by_role("button", name="Delete").click()
    expect(page.locator("#puzzle .parts .part")).to_have_count(2)
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "complete")
    drawn(page)


@pytest.mark.long
def test_a_bad_file_is_explained_and_a_good_one_read(page: Any, tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('name = "<img src=x onerror=alert(1)>"\nlattice = "sqare"\n[region]\nart = ["X"]\n')
    page.set_input_files("#upload", Path(str(source.find("sets", "pentominoes"))))
    expect(page.locator("#fault")).to_contain_text("a set of parts, not a puzzle", timeout=LONG)
    page.set_input_files("#upload", bad)
    expect(page.locator("#fault")).to_contain_text("did you mean 'square'", timeout=LONG)
    expect(page.locator("#fault")).to_contain_text("bad.toml:2")
    good = tmp_path / "good.toml"
    text = 'name = "<b>bold</b>"\nlattice = "square"\n[region]\nbox = [2, 2]\n[[parts]]\nname = "<i>d</i>"\ncount = 2\n'
    good.write_text(text + 'art = ["XX"]\n')
    page.set_input_files("#upload", good)
    expect(page.locator("#title")).to_have_text("<b>bold</b>", timeout=LONG)
    expect(page.locator("#fault")).to_be_hidden()
    assert page.locator("#puzzle i").count() == 0


@pytest.mark.long
def test_a_bare_problem_is_solved_and_listed(page: Any, tmp_path: Path) -> None:
    problem = tmp_path / "small.dlx"
    problem.write_text("a b c\na b\nc\na\nb c\n")
    page.set_input_files("#upload", problem)
    expect(page.locator("#puzzle")).to_contain_text("4 options on 3 items", timeout=LONG)
    expect(page.locator("#tab-watch")).to_be_hidden()
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "2 solutions")
    expect(page.locator("#solve pre.listing")).to_contain_text("a")


@pytest.mark.long
def test_a_search_in_vain_is_not_begun_but_may_be(page: Any, tmp_path: Path) -> None:
    """A board of 12 by 12 without two opposite corners, and any number of dominoes."""
    board = tmp_path / "board.toml"
    head = 'name = "board"\nlattice = "square"\n[region]\nbox = [12, 12]\nminus = { cells = [[0, 0], [11, 11]] }\n'
    board.write_text(head + '[[parts]]\nname = "d"\nart = ["XX"]\ncount = "unlimited"\n')
    page.set_input_files("#upload", board)
    expect(page.locator("#title")).to_have_text("board", timeout=LONG)
    page.click("#tab-solve")
    options(page).get_by_label("backend").select_option("dlx")
    page.click("#solve button:text-is('Solve')")
    status(page, "no solution")
    page.click("#solve button:text-is('Search anyway')")
    status(page, "searching")
    page.click("#solve .run button:text-is('Stop')")
    expect(page.get_by_role("button", name="Search anyway")).to_be_hidden()


@pytest.mark.long
def test_methods_are_compared(page: Any) -> None:
    pick(page, "example-2x2")
    page.click("#further")
    page.click("#tab-compare")
    for _ in range(2):  # two of the usual four are enough
        page.locator("#compare input:checked").last.uncheck()
    page.click("#compare .run >> text=Compare")
    expect(page.locator("#compare .result")).to_contain_text("agree", timeout=LONG)
    expect(page.locator("#compare tbody tr")).to_have_count(2)


@pytest.mark.long
def test_a_search_is_watched(page: Any) -> None:
    pick(page, "example-2x2")
    page.click("#further")
    page.click("#tab-watch")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("#watch .screen")).to_have_count(2, timeout=LONG)
    page.get_by_label("one step forward").click()
    expect(page.locator("#watch .words").first).to_contain_text("is tried")
    page.get_by_label("one step back").click()
    expect(page.locator("#watch .words").first).to_have_text("nothing is placed yet")
    page.click("#watch >> text=Next solution")
    expect(page.locator("#watch")).to_contain_text("a solution!")
    page.get_by_label("speed").fill("7")
    page.click("#watch >> text=Play")
    expect(page.locator("#watch .words").first).to_contain_text("The search is done.", timeout=LONG)
    expect(page.locator("#watch .words").last).to_contain_text("The search is done.", timeout=LONG)


@pytest.mark.long
def test_what_is_watched_stays_when_the_puzzle_is_edited(page: Any) -> None:
    pick(page, "fig4-3x3")
    page.click("#further")
    page.click("#tab-watch")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("#watch .screen")).to_have_count(2, timeout=LONG)
    page.click("#tab-puzzle")
    page.get_by_role("button", name="Delete", exact=True).click()
    page.click("#tab-watch")
    page.click("#watch >> text=Next solution")
    expect(page.locator("#watch")).to_contain_text("a solution!")


@pytest.mark.long
def test_files_are_taken_away(page: Any) -> None:
    pick(page, "soma")
    page.click("#tab-files")
    page.get_by_label("format").select_option("dlx")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save", exact=True).click()
    assert Path(download.value.path()).read_text().startswith("| latcover: soma")
    assert download.value.suggested_filename == "soma.dlx"
    with page.expect_download() as download:
        page.click("text=Save a picture of the region")
    assert "<svg" in Path(download.value.path()).read_text("utf-8")[:200]


@pytest.mark.long
def test_models_and_pages_are_taken_away(page: Any) -> None:
    pick(page, "soma")
    page.click("#tab-solve")
    options(page).get_by_label("solution limit").fill("2")
    page.click("#solve button:text-is('Solve')")
    status(page, "cut short")
    expect(page.locator("#solve .browse")).to_contain_text("of 2")
    page.get_by_label("last", exact=True).click()
    expect(page.get_by_label("solution number")).to_have_value("2")
    unfold(page, SAVE)
    page.get_by_label("save as").select_option("x3d")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save this solution").click()
    assert download.value.suggested_filename == "soma-solution-2.x3d"
    with page.expect_download() as download:
        page.click("text=Save all as a page")
    assert Path(download.value.path()).read_text("utf-8").startswith("<!DOCTYPE html>")
    page.click("#tab-files")
    page.get_by_label("model file").select_option("x3d")
    for measure in ("gap between parts", "edge chamfer"):
        expect(page.locator("#files").get_by_label(measure)).to_be_disabled()
    expect(page.locator("#files").get_by_label("unit length")).to_be_enabled()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save parts").click()
    assert download.value.suggested_filename == "soma-parts.x3d"
    expect(page.locator("#files .status")).to_have_text("soma-parts.x3d was saved.")


@pytest.mark.long
def test_pages_are_reached_by_keys_and_by_address(page: Any, address: str) -> None:
    page.locator("#tab-puzzle").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#solve")).to_be_visible()
    expect(page.locator("#puzzle")).to_be_hidden()
    page.keyboard.press("End")
    expect(page.locator("#files")).to_be_visible()
    page.goto(f"{address}#watch/soma")
    page.reload()
    expect(page.locator("#shipped")).to_have_value("soma", timeout=LONG)
    expect(page.locator("#watch")).to_be_visible()


@pytest.mark.long
def test_two_tabs_do_not_meet(page: Any, address: str) -> None:
    other = page.context.new_page()
    other.set_default_timeout(LONG)
    other.goto(f"{address}#solve/soma")
    expect(other.locator("#shipped")).to_have_value("soma", timeout=LONG)
    pick(page, "fig4-3x3")
    page.click("#tab-solve")
    for tab in (page, other):
        tab.click("#solve button:text-is('Solve')")
    status(page, "2 solutions")
    status(other, "240 solutions")
    other.close()


@pytest.mark.long
def test_on_a_phone(browser: Any, address: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 700}, has_touch=True, is_mobile=True)
    phone = context.new_page()
    phone.set_default_timeout(LONG)
    phone.goto(f"{address}#puzzle")
    expect(phone.locator("#puzzle .cell").first).to_be_visible(timeout=LONG)
    phone.tap("#further")
    for tab in ("puzzle", "solve", "watch", "compare", "design", "files"):
        phone.tap(f"#tab-{tab}")
        width = phone.locator("main").bounding_box()["width"]
        assert phone.locator(f"#{tab}").bounding_box()["width"] <= width <= 360
    phone.tap("#tab-solve")
    phone.tap("#solve button:text-is('Solve')")
    picture = phone.locator("#solve img.solution")
    expect(picture).to_have_attribute("width", re.compile("[1-9]"), timeout=LONG)
    assert picture.bounding_box()["y"] < 500  # seen without scrolling
    assert phone.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    phone.tap("#tab-puzzle")
    phone.get_by_label("cell 0, 0: must be filled").tap()
    expect(phone.locator("#puzzle .sum")).to_contain_text("59 cells")
    phone.get_by_label("cell 0, 0: empty").tap()
    expect(phone.locator("#puzzle .sum")).to_contain_text("60 cells")
    context.close()


@pytest.mark.long
def test_a_server_that_is_gone_is_told(tab: Any) -> None:
    page = tab
    with within(Settings()) as asked:
        page.goto(f"{asked.url}/#puzzle")
        expect(page.locator("#puzzle .cell").first).to_be_visible(timeout=LONG)
    unfold(page, "#choosing")
    page.select_option("#shipped", "soma")
    expect(page.locator("#fault")).to_contain_text("the server does not answer", timeout=LONG)


@pytest.mark.long
def test_that_the_server_is_away_is_told_until_it_answers(tab: Any, address: str) -> None:
    tab.goto(f"{address}#solve/soma")
    expect(tab.locator("#solve button:text-is('Solve')")).to_have_attribute("aria-disabled", "false", timeout=LONG)
    tab.route("**/api/**", lambda route: route.abort())
    tab.click("#solve button:text-is('Solve')")
    fault = tab.locator("#solve .run .faults").first
    expect(fault).to_contain_text("the server does not answer")
    expect(tab.locator("#server")).to_contain_text("The server does not answer.")
    tab.unroute_all()
    expect(tab.locator("#server")).to_contain_text("The server is back.", timeout=LONG)
    expect(fault).to_be_hidden()


def test_a_new_puzzle_opens_on_its_own_page(page: Any) -> None:
    page.click("#tab-solve")
    begin_on(page, "hexagonal")
    expect(page.locator("#puzzle")).to_be_visible(timeout=LONG)
    expect(page).to_have_url(re.compile("#puzzle/~"))
    page.reload()
    expect(page.locator("#puzzle .cell").first).to_be_visible(timeout=LONG)
    page.go_back()
    expect(page).to_have_url(re.compile("#solve/pent-10x6$"))
    expect(page.locator("#solve")).to_be_visible()


@contextmanager
def busy(page: Any, path: str, status: int, again: int) -> Iterator[Any]:
    """Refuse what the page asks for there, as a server does that has no room; to be asked again in so many seconds."""
    refused: list[Any] = []

    def refuse(route: Any) -> None:
        refused.append(route)
        headers = {"Retry-After": str(again)}
        route.fulfill(status=status, headers=headers, json={"message": "all are busy", "complaints": []})

    page.route(path, refuse)
    try:
        yield refused
    finally:
        page.unroute(path, refuse)


@pytest.mark.long
def test_a_search_that_is_refused_for_now_is_asked_for_again(page: Any) -> None:
    page.click("#tab-solve")
    with busy(page, "**/events", 503, 0) as unseen:
        with busy(page, "**/api/runs", 429, 0) as refused:
            page.click("#solve button:text-is('Solve')")
            status(page, "The server is busy: all are busy. This page keeps trying until you press Stop.")
            while len(refused) < 3:
                page.wait_for_event("request")
        while not unseen:
            page.wait_for_event("request")
    expect(page.locator("#solve .browse")).to_be_visible(timeout=LONG)


@pytest.mark.long
def test_a_search_that_is_refused_for_now_is_given_up(page: Any) -> None:
    page.click("#tab-solve")
    with busy(page, "**/api/runs", 429, 1000) as refused:
        page.click("#solve button:text-is('Solve')")
        status(page, "The server is busy")
        page.click("#solve button:text-is('Stop')")
        expect(page.locator("#solve .run .status").first).to_be_empty()
        page.click("#solve button:text-is('Solve')")
        status(page, "The server is busy")
        assert len(refused) == 2
    pick(page, "soma")  # another puzzle is another search
    expect(page.locator("#solve .run .status").first).to_be_empty()
    page.click("#solve button:text-is('Solve')")
    status(page, "240 solutions")


@pytest.mark.long
def test_the_page_loads_nothing_from_elsewhere(page: Any, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    expect(page.locator("#puzzle .cell").first).to_be_visible(timeout=LONG)
    assert asked
    assert {url for url in asked if not url.startswith(address)} == set()
    assert "three.js" not in json.dumps(asked)  # it is large, and comes when something is to be seen in space


@pytest.mark.long
def test_the_hardest_solution_is_taken_apart_and_played(page: Any) -> None:
    pick(page, "burr-loves-dozen")
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "154 solutions")
    page.click("#solve button:text-is('Find the hardest')")
    told = page.locator("#solve .run >> nth=1")
    expect(told).to_contain_text("154 solutions: 90 come apart, 64 cannot (complete).", timeout=LONG)
    expect(told).to_contain_text("The hardest is solution 110: it comes apart with level 12.3: 15 moves")
    expect(page.get_by_label("solution number")).to_have_value("110")
    expect(page.locator("#solve .latcover-viewer")).to_have_attribute(
        "data-moves", re.compile("^1[5-9]$"), timeout=LONG
    )


@pytest.mark.long
def test_a_view_that_comes_late_does_not_turn_back(page: Any) -> None:
    """Solids open in space. Who looks at them flat meanwhile, and goes on, stays where they are."""
    held: list[Any] = []
    page.route("**/api/scene", lambda route: held.append(route))  # noqa: PLW0108  a builtin cannot be a handler
    pick(page, "soma")
    page.click("#tab-solve")
    options(page).get_by_label("solution limit").fill("3")
    with page.expect_request("**/api/scene"):
        page.click("#solve button:text-is('Solve')")
    status(page, "cut short")
    look(page, "2D")
    drawn(page)
    page.keyboard.press("PageDown")
    expect(page.get_by_label("solution number")).to_have_value("2")
    with page.expect_response("**/api/scene") as answered:
        held[0].continue_()
    page.unroute("**/api/scene")
    page.evaluate("(url) => fetch(url).then((answer) => answer.text())", answered.value.url.replace("scene", "about"))
    page.evaluate("() => import(document.querySelector('script[type=module]').src.replace('main.js', 'viewer.js'))")
    expect(page.get_by_label("solution number")).to_have_value("2")
    look(page, "3D")
    expect(page.locator(".latcover-viewer .status")).to_have_text("solution 2", timeout=LONG)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "level", "move", "words"),
    [
        ("turning-gate", "level 3.2 (2 turns): 5 moves", 2, "part bar 2 turns a quarter to the left"),
        ("turning-cube-4x4x4", "level 1.2.2 (2 turns): 5 moves", 2, "turns a quarter to the right about the axis that"),
    ],
)
def test_turns_are_found_and_played(name: str, level: str, move: int, words: str, page: Any) -> None:
    pick(page, name)
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "1 solution")
    page.click("#solve button:text-is('Take apart')")
    expect(page.locator("#solve .run >> nth=1")).to_contain_text(level, timeout=LONG)
    player = page.locator("#solve .latcover-viewer")
    expect(player).to_have_attribute("data-move", re.compile("[56]"), timeout=LONG)  # without motion it is at its end
    player.locator("button[aria-label^='All together']").click()
    for _ in range(move):
        player.locator("button[aria-label^='Next move']").click()
    expect(player).to_have_attribute("data-move", f"{move}", timeout=LONG)
    expect(page.locator("#solve .move")).to_contain_text(words)


@pytest.mark.long
def test_a_solution_is_taken_apart_and_played(page: Any) -> None:
    """The film stays when the solution that was asked for before it comes late."""
    late: list[Any] = []
    page.route("**/solutions/0/scene", lambda route: late.append(route))  # noqa: PLW0108  a builtin cannot be a handler
    pick(page, "soma")
    page.click("#tab-solve")
    with page.expect_request("**/solutions/0/scene"):  # on a fast machine the film could be there before it
        page.click("#solve button:text-is('Solve')")
    status(page, "240 solutions")
    page.click("#solve button:text-is('Take apart')")
    player = page.locator("#solve .latcover-viewer")
    expect(player).to_have_attribute("data-moves", "6", timeout=LONG)
    expect(page.locator("#solve .space")).to_be_visible()
    expect(page.locator("#solve .run >> nth=1")).to_contain_text(
        "Solution 1: it comes apart with level 1: 1 move, and 5 more"
    )
    with page.expect_response("**/solutions/0/scene") as answered:
        for route in late:
            route.continue_()
    page.unroute("**/solutions/0/scene")
    page.evaluate("(url) => fetch(url).then((answer) => answer.json())", answered.value.url)  # it has read the first
    page.click("#solve button[aria-label^='All apart']")
    expect(player).to_have_attribute("data-move", "6", timeout=LONG)
    expect(page.locator("#solve .move")).to_contain_text("move 6 of 6: part")
    page.keyboard.press("PageDown")  # another solution has no film yet
    expect(page.locator("#solve .player")).to_be_hidden(timeout=LONG)
    page.keyboard.press("PageUp")
    expect(player).to_have_attribute("data-move", "0", timeout=LONG)
