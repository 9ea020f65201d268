"""The page Draw in a real browser: one canvas, tiles, a meter, a count that follows the hand, notes."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests import web_browser as app
from tests.web_browser import LONG, begin_on, expect, open_part, pick

pytestmark = pytest.mark.long
address, browser, tab, page = app.address, app.browser, app.tab, app.page
Cell = tuple[int, int, int]


def test_the_count_follows_the_hand(page: Any) -> None:
    pick(page, "fig4-3x3")
    live = page.locator("#puzzle .live")
    expect(live).to_have_text("Ready to solve · 2 solutions", timeout=LONG)
    app.empty(page, "0, 0")
    expect(page.locator("#puzzle .sum")).to_contain_text("8 to fill · 9 of 8 held · 1 too many")
    expect(live).to_be_hidden(timeout=LONG)
    page.keyboard.press("Control+z")
    expect(live).to_have_text("Ready to solve · 2 solutions", timeout=LONG)
    page.click("#tab-solve")  # what is small is solved without a button
    expect(page.locator("#solve .status").first).to_contain_text("2 solutions", timeout=LONG)
    expect(page.locator("#solve img.solution")).to_be_visible(timeout=LONG)


def test_the_level_of_few_solutions_is_told(page: Any) -> None:
    pick(page, "cut-3x3x3-hard")
    expect(page.locator("#puzzle .live")).to_contain_text(re.compile(r"1 solution · level [0-9.]+"), timeout=LONG)


def test_a_new_puzzle_is_not_blamed(page: Any) -> None:
    begin_on(page, "cubic")
    expect(page.locator("#puzzle .sum")).to_have_text("8 to fill · 1 of 8 held", timeout=LONG)
    page.wait_for_function("() => !document.querySelector('#puzzle .verdict li')")
    expect(page.locator("#puzzle [role=alert]:visible")).to_have_count(0)
    page.click("#tab-play")
    expect(page.locator("#play")).to_contain_text("This puzzle is not finished.", timeout=LONG)


def test_messages_are_not_cut_off(page: Any) -> None:
    pick(page, "soma")
    part = open_part(page, "T")
    for _ in range(3):
        part.get_by_role("button", name="Duplicate").click()
    notes = page.locator("#puzzle .verdict")
    expect(notes.locator("li")).to_have_count(3, timeout=LONG)
    notes.get_by_role("button", name="all", exact=True).click()
    room = "list => [...list.children].every((one) => one.offsetTop + one.offsetHeight <= list.clientHeight + 1)"
    assert notes.locator("ul").evaluate(room)


def test_a_new_name_of_a_shipped_puzzle_is_on_its_card(page: Any) -> None:
    pick(page, "soma")
    page.locator("#puzzle-name").fill("my cube")
    page.locator("#puzzle-name").press("Tab")
    expect(page.locator("#title")).to_have_text("my cube", timeout=LONG)
    page.click("#all")
    expect(page.locator("#starting .own .card strong").first).to_have_text("my cube")


def grown(page: Any, cells: list[Cell]) -> None:
    """Add a part, and draw it in space: each cell by a click on a face of one that is there, seen from the front."""
    page.get_by_role("button", name="Add a part", exact=True).click()
    part = page.locator("#puzzle .edited")
    canvas = part.locator("canvas")
    expect(canvas).to_be_visible(timeout=LONG)
    there = [(0, 0, 0)]
    for x, y, z in cells:
        (on,) = [one for one in ((x - 1, y, z), (x, y + 1, z), (x, y, z - 1)) if one in there][:1]
        page.mouse.click(*app.side_in_space(canvas, [0, *on], [0, x, y, z]))
        there.append((x, y, z))
        expect(page.locator("#puzzle .pick[aria-pressed='true'] .copies")).to_have_text(f"{len(there)} cells")


def test_a_cube_of_six_parts_is_drawn_without_leaving_space(page: Any) -> None:
    page.set_viewport_size({"width": 1280, "height": 860})
    begin_on(page, "cubic")
    region = app.region(page)
    box = region.locator("canvas").bounding_box()
    assert box["width"] > 600
    assert box["height"] > 350
    region.get_by_label("lengths of the box").fill("4 4 4")
    region.get_by_role("button", name="Make it a box").click()
    slab = [(x, -y, 0) for y in range(4) for x in range(4) if (x, y) != (0, 0)]
    plank = [cell for cell in slab if cell[1] > -2]
    for cells in (slab, slab, plank, plank, plank, plank):
        grown(page, cells)
    page.locator("#puzzle .parts .pick").first.click()
    page.locator("#puzzle .edited").get_by_role("button", name="Delete").click()  # with which the puzzle began
    expect(page.locator("#puzzle .parts .part")).to_have_count(6)
    expect(page.locator("#puzzle .sum")).to_have_text("64 to fill · 64 of 64 held")
    expect(page.locator("#puzzle .live")).to_contain_text("solution", timeout=LONG)
    page.set_viewport_size({"width": 1000, "height": 700})
