"""The pages Watch and Compare in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from tests import web_browser as app
from tests.web_browser import LONG, expect, pick

address, browser, tab, page = app.address, app.browser, app.tab, app.page


@pytest.mark.long
def test_methods_are_compared(page: Any) -> None:
    pick(page, "example-2x2")
    page.click("#tab-research")
    page.click("#watch button:text-is('Compare methods')")
    for _ in range(2):  # two of the usual four are enough
        page.locator("#compare input:checked").last.uncheck()
    page.click("#compare .run >> text=Compare")
    expect(page.locator("#compare .result")).to_contain_text("agree", timeout=LONG)
    expect(page.locator("#compare tbody tr")).to_have_count(2)


@pytest.mark.long
def test_a_search_is_watched(page: Any) -> None:
    pick(page, "example-2x2")
    page.click("#tab-research")
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
    page.click("#tab-research")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("#watch .screen")).to_have_count(2, timeout=LONG)
    page.click("#tab-puzzle")
    page.locator("#puzzle .parts .pick").first.click()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.click("#tab-research")
    page.click("#watch >> text=Next solution")
    expect(page.locator("#watch")).to_contain_text("a solution!")
