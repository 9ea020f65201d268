"""The page Puzzle in a real browser: regions and parts are changed, by mouse and by keyboard."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import to_builtins

from latcover.apps.web.editor_data import lattice_data
from latcover.files.formats import library
from latcover.files.formats.source import titles
from tests import web_browser as app
from tests.web_browser import LONG, begin_on, drawn, expect, options, pick, status

address, browser, tab, page = app.address, app.browser, app.tab, app.page


@pytest.mark.long
def test_a_region_is_edited_by_keyboard_and_solved(page: Any) -> None:
    """A square of 8 by 8 without its corners, from one without its middle."""
    pick(page, "pent-8x8-minus-2x2")
    region = app.region(page)
    for place in ("3, 3", "3, 4", "4, 3", "4, 4"):
        region.get_by_label(f"cell {place}: empty").click()
    expect(page.locator("#puzzle .sum")).to_have_text("64 to fill · 60 of 64 held")
    expect(page.locator("#puzzle .live")).to_be_hidden(timeout=LONG)
    for place in ("0, 0", "0, 7", "7, 0"):
        page.get_by_label(f"cell {place}: must be filled").click()
    region.get_by_label("cell 7, 0: empty").focus()
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(region.get_by_label("cell 7, 7: empty")).to_be_visible()
    expect(page.locator("#puzzle .live")).to_contain_text("Ready to solve", timeout=LONG)
    with page.expect_download() as download:
        app.download(page, "Save as TOML")
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
    parts = page.evaluate(
        script, {"lattice": to_builtins(lattice_data(library.load_lattice("cubic"))), "parts": [ell, tee]}
    )
    assert parts[0] != parts[1]
    for name in titles("lattices"):
        lattice = library.load_lattice(name)
        cells = [(0, *step) for step in np.ndindex(*[3] * lattice.dimension) if sum(step) in (0, 4)]
        layers = page.evaluate(script, {"lattice": to_builtins(lattice_data(lattice)), "parts": [cells]})[0]
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
    expect(page.locator("#puzzle .sum")).to_have_text("27 to fill · 27 of 27 held")
    lengths.fill("9 x 3 x 1")
    lengths.press("Enter")
    expect(page.locator("#puzzle .grid").first.locator(".cell.in")).to_have_count(27)  # in one layer
    lengths.fill("4 3 2")
    lengths.press("Enter")
    expect(page.locator("#puzzle .sum")).to_have_text("24 to fill · 27 of 24 held · 3 too many")
    expect(page.locator("#puzzle .live")).to_be_hidden(timeout=LONG)


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
    expect(total).to_have_text("26 to fill · 23 of 26 held")
    undo.click()
    expect(total).to_have_text("26 to fill · 27 of 26 held · 1 too many")
    expect(page.locator("#puzzle .parts .part")).to_have_count(7)
    app.region(page).locator(".cell[tabindex='0']").first.focus()
    page.keyboard.press("Control+z")
    expect(total).to_have_text("27 to fill · 27 of 27 held")
    expect(page.locator("#puzzle .grid").first.locator(".cell.in")).to_have_count(9)
    expect(undo).to_be_disabled()
    page.keyboard.press("Control+Shift+z")
    redo.click()
    expect(total).to_have_text("26 to fill · 23 of 26 held")
    expect(redo).to_be_disabled()
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect(page.locator("#puzzle .live")).to_contain_text("Ready to solve", timeout=LONG)
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "240 solutions")
    expect(heading).to_have_text("the Soma cube")


@pytest.mark.long
def test_parts_are_added_copied_and_taken_away(page: Any) -> None:
    begin_on(page, "hexagonal")
    expect(page.locator("#puzzle .sum")).to_have_text("16 to fill · 1 of 16 held", timeout=LONG)
    app.open_part(page, "A").get_by_label("at most").fill("")
    page.locator("#puzzle").get_by_label("at most").press("Tab")
    expect(page.locator("#puzzle .parts .copies").first).to_have_text(re.compile("1 or more"))
    page.get_by_role("button", name="Add a part").click()
    page.locator("#puzzle .edited").get_by_label("cell 0, 1: empty").click()
    expect(page.locator("#puzzle .sum")).to_have_text("16 to fill · 3 or more of 16 held")
    page.locator("#puzzle .edited").get_by_role("button", name="Duplicate").click()
    expect(page.locator("#puzzle .parts .part")).to_have_count(3)
    page.locator("#puzzle .edited").get_by_role("button", name="Delete").click()
    expect(page.locator("#puzzle .parts .part")).to_have_count(2)
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "complete")
    drawn(page)


@pytest.mark.long
def test_every_cell_may_stay_empty(page: Any) -> None:
    pick(page, "pent-8x8-minus-2x2")
    page.locator("#closing summary").click()
    page.get_by_label("empty cells, at most").fill("5")
    page.get_by_label("empty cells, at most").press("Enter")
    expect(page.locator("#puzzle .sum")).to_contain_text("0 to fill, 60 more may be")
    expect(page.get_by_label("every cell may stay empty")).to_be_checked()
    page.get_by_label("every cell may stay empty").uncheck()
    expect(page.locator("#puzzle .sum")).to_have_text("60 to fill · 60 of 60 held")
