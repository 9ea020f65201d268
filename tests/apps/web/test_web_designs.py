"""Designs that the browser keeps: reloading, going back, deleting, several tabs, and a browser without room."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests import web_browser as app
from tests.web_browser import LONG, answer, begin_on, empty, expect, pick, status, unfold

address, browser, tab, page = app.address, app.browser, app.tab, app.page


def choose_design(page: Any, title: str) -> None:
    """Choose one of the browser's designs by its title: their order is by the time of the last save."""
    options = page.get_by_label("your designs").locator("option", has_text=title)
    expect(options).to_have_count(1)
    page.get_by_label("your designs").select_option(options.get_attribute("value"))


@pytest.mark.long
def test_an_unfinished_design_is_taken_away_and_opened_again(page: Any, tmp_path: Path) -> None:
    empty(page, "0, 0")
    with page.expect_download() as download:
        app.download(page, "Save as TOML")  # before the server was asked what it thinks of the change
    mine = tmp_path / "mine.toml"
    download.value.save_as(mine)
    page.set_input_files("#upload", mine)
    expect(page).to_have_url(re.compile("#puzzle/~"))
    expect(page.locator("#shipped")).to_have_value("", timeout=LONG)
    expect(page.locator("#puzzle .sum")).to_have_text("59 to fill · 60 of 59 held · 1 too many", timeout=LONG)
    expect(page.locator("#puzzle .live")).to_be_hidden(timeout=LONG)


@pytest.mark.long
def test_edits_outlast_reloading_and_going_back(page: Any) -> None:
    pick(page, "pent-10x6")
    pick(page, "soma")
    region = page.locator("#puzzle .grid").first
    for _ in range(2):
        region.locator(".cell.in").first.click()
    page.click("#tab-design")
    edited = page.url
    expect(page.locator("#title")).to_have_text("the Soma cube, edited", timeout=LONG)
    page.reload()
    expect(page.locator("#design")).to_be_visible(timeout=LONG)
    expect(page.locator("#title")).to_have_text("the Soma cube, edited", timeout=LONG)
    page.go_back()
    expect(page.locator("#puzzle .sum")).to_have_text("25 to fill · 27 of 25 held · 2 too many")
    for _ in range(2):
        page.get_by_role("button", name="Undo").click()
    expect(page.locator("#puzzle .sum")).to_have_text("27 to fill · 27 of 27 held")
    expect(page).to_have_url(re.compile("#puzzle/soma$"))
    for _ in range(2):
        page.get_by_role("button", name="Redo").click()
    page.go_back()
    expect(page.locator("#title")).not_to_contain_text("Soma", timeout=LONG)
    expect(page.locator("#shipped")).to_have_value("pent-10x6")
    page.go_forward()
    expect(page.locator("#puzzle .sum")).to_have_text("25 to fill · 27 of 25 held · 2 too many", timeout=LONG)
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
    choose_design(page, "the Soma cube")
    expect(total).to_have_text("26 to fill · 27 of 26 held · 1 too many", timeout=LONG)
    unfold(page, "#choosing")
    page.get_by_role("button", name="Delete design").click()
    expect(total).to_have_text("27 to fill · 27 of 27 held", timeout=LONG)
    expect(page.locator("#kept > option")).to_have_count(3)
    expect(page.locator("#kept optgroup option")).to_have_text("the Soma cube, edited")
    page.locator(".notice").get_by_role("button", name="Undo").click()
    expect(page.locator("#kept > option")).to_have_count(4)
    unfold(page, "#choosing")
    choose_design(page, "the Soma cube")
    expect(total).to_have_text("26 to fill · 27 of 26 held · 1 too many", timeout=LONG)
    page.get_by_role("button", name="Undo", exact=True).click()  # its history was kept, too
    expect(total).to_have_text("27 to fill · 27 of 27 held")
    page.get_by_role("button", name="Redo", exact=True).click()
    unfold(page, "#choosing")
    page.get_by_role("button", name="Delete design").click()
    expect(page.locator("#kept optgroup option")).to_have_count(1)
    page.reload()  # what was deleted can still be opened
    unfold(page, "#choosing")
    gone = page.locator("#kept optgroup option")  # its title is that of the answer that had come when it was deleted
    page.locator("#kept").select_option(value=gone.get_attribute("value"))
    expect(total).to_have_text("26 to fill · 27 of 26 held · 1 too many", timeout=LONG)


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
    expect(page.locator("#puzzle .sum")).to_contain_text("59 to fill")
    unfold(page, "#choosing")
    page.select_option("#shipped", "soma")
    answer(page, "Discard changes")
    expect(page.locator("#title")).to_have_text("the Soma cube", timeout=LONG)
    assert asked == ["beforeunload"]


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
