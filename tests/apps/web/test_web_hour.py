"""A stranger's hour: five parts for a box of 4 by 4 by 4 are drawn, played, solved, taken apart, printed and sent.

Only what the page shows is used: its buttons, its labels, and the pictures of layers.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests import web_browser as app
from tests.web_browser import LONG, expect, saving, status, to_layer

pytestmark = pytest.mark.long
address, browser, tab, page = app.address, app.browser, app.tab, app.page

# The layers of each part, from below; the rows of a layer one after the other.
PARTS = (
    ("... ... XXX ...", "... ... .X. ...", "XXX .X. .X. .X.", "XXX ... ... .X."),
    ("...X .XXX ...X XXXX", ".... .... .... X...", ".... .... X... X...", ".... .... X... X..."),
    ("..X ... ..X XXX", "..X .XX ..X .XX", "..X ... ..X ..."),
    ("XXX. X... ....", "XXX. .XXX ..X.", ".... .... ..X."),
    ("X... X... ....", "X... .... ....", "XXXX .XX. ..XX"),
)


def draw(page: Any, layers: tuple[str, ...]) -> None:
    """Draw the last part, a layer after the other."""
    page.locator("#puzzle .parts .pick").last.click()
    part = page.locator("#puzzle .edited")
    for z, layer in enumerate(layers):
        if z:
            part.get_by_role("button", name="layer above", exact=True).click()
        for y, row in enumerate(layer.split()):
            for x, sign in enumerate(row):
                if sign == "X" and (x, y, z) != (0, 0, 0):  # a new part has this cell
                    part.get_by_label(f"cell {x}, {y}, {z}:").click()
    if layers[0][0] != "X":
        to_layer(part, 0)
        part.get_by_label("cell 0, 0, 0:").click()


def saved(page: Any, button: str, folder: Path) -> Path:
    """The file that a button saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_five_parts_are_drawn_solved_played_taken_apart_printed_published_and_sent(
    page: Any, browser: Any, tmp_path: Path
) -> None:
    page.set_viewport_size({"width": 1280, "height": 860})
    page.click("#all")
    page.get_by_role("group", name="Draw a puzzle of").get_by_role("button", name="cubes").click()
    region = app.region(page)
    region.get_by_label("lengths of the box").fill("4 4 4")
    region.get_by_role("button", name="Make it a box").click()
    for number, layers in enumerate(PARTS):
        if number:
            page.get_by_role("button", name="Add a part", exact=True).click()
        draw(page, layers)
    expect(page.locator("#puzzle .sum")).to_have_text("64 to fill · 64 of 64 held")
    expect(page.locator("#puzzle .live")).to_contain_text("Ready to solve", timeout=LONG)
    page.locator("#puzzle-name").fill("five friends")
    page.click("#tab-solve")
    page.locator("#solve button:text-is('Solve')").click()
    status(page, "five friends: 1 solution different under rotations and reflections, 24 in all (complete)")
    page.click("#tab-play")
    page.locator("#play .view").focus()
    banner = page.locator("#play .banner")
    for placed in range(5):
        page.keyboard.press("h")
        expect(page.locator("#play .moves")).to_have_text(re.compile(f"^{placed + 1} move"), timeout=LONG)
    expect(banner).to_contain_text("Solved")
    page.click("#tab-apart")
    expect(page.locator("#apart .player")).to_be_visible(timeout=LONG)
    expect(page.locator("#apart")).to_contain_text("it comes apart with level 1.3.3.3: 10 moves")
    saving(page)
    assert saved(page, "Save as PDF", tmp_path).read_bytes().startswith(b"%PDF")  # instructions
    page.keyboard.press("Escape")
    page.click("#tab-solve")
    page.get_by_role("button", name="Send as a link").click()
    link = page.get_by_label("link", exact=True).input_value()
    assert len(link) < 500
    page.locator("dialog").get_by_role("button", name="Close").click()
    saving(page)
    assert saved(page, "Save parts", tmp_path).suffix == ".3mf"
    with zipfile.ZipFile(saved(page, "Publish as a web site (ZIP)", tmp_path)) as site:
        site.extractall(tmp_path)
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    phone.set_default_timeout(LONG)
    friend = phone.new_page()
    friend.goto(link)
    expect(friend.locator("#title")).to_have_text("five friends")
    expect(friend.get_by_label("solution number")).to_have_value("1", timeout=LONG)  # that of the link
    phone.close()
    published = (tmp_path / "five-friends" / "index.html").read_text()
    assert "Five friends" in published
    assert "1.3.3.3" in published  # on its page About
