"""The page Play of the app in a real browser: the game of published pages, on what is drawn."""

from __future__ import annotations

from typing import Any

import pytest

from tests import web_browser as app
from tests.web_browser import LONG, empty, expect, pick

pytestmark = pytest.mark.long
address, browser, tab, page = app.address, app.browser, app.tab, app.page


def test_a_whole_game_is_played_by_keys_and_told(page: Any) -> None:
    """What is placed and what is left is read aloud; what is solved comes back after a reload."""
    pick(page, "fig4-3x3")
    page.locator("#tab-puzzle").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#play .latcover-play")).to_be_visible(timeout=LONG)
    said = page.locator("#play .words")
    expect(said).to_have_attribute("aria-live", "polite")
    page.locator("#play .view").focus()
    for _ in range(3):
        before = said.inner_text()
        page.keyboard.press("h")
        expect(said).not_to_have_text(before)
        expect(said).not_to_contain_text("Looking", timeout=LONG)
        if page.locator("#play .banner").is_visible():
            break
    expect(page.locator("#play .banner")).to_contain_text("Solved")
    page.keyboard.press("u")
    expect(page.locator("#play .banner")).to_be_hidden()
    page.keyboard.press("Shift+u")
    expect(page.locator("#play .banner")).to_be_visible()
    page.reload()
    expect(page.locator("#play .words")).to_contain_text("This puzzle is solved.", timeout=LONG)
    page.get_by_role("button", name="Play again").press("Enter")
    expect(page.locator("#play .view")).to_be_focused()  # the button is gone with the ending
    expect(said).to_contain_text("All parts are in the tray.")


def test_what_is_drawn_is_played_at_once(page: Any) -> None:
    pick(page, "pent-8x8-minus-2x2")
    page.click("#tab-play")
    expect(page.locator("#play .tray button")).to_have_count(12, timeout=LONG)
    page.click("#tab-puzzle")
    empty(page, "0, 0")
    page.click("#tab-play")
    expect(page.locator("#play")).to_contain_text("This puzzle is not finished.", timeout=LONG)
    page.click("#tab-puzzle")
    page.keyboard.press("Control+z")
    page.click("#tab-play")
    expect(page.locator("#play .tray button")).to_have_count(12, timeout=LONG)


def test_colours_sides_and_rules_are_played_too(page: Any) -> None:
    for name in ("live-cube", "treasure"):
        pick(page, name)
        page.click("#tab-play")
        expect(page.locator("#play .latcover-play")).to_be_visible(timeout=LONG)
        page.click("#tab-puzzle")
