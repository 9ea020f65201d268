"""The web app in a real browser, as tests use it: a server, a tab, and what a user does most often.

A file of tests takes the fixtures by their names: `address, browser, tab, page = app.address, app.browser, ...`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests import chromium
from tests.chromium import LONG, expect
from tests.web_server import patient, within

pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install 'latcover[web]'")

__all__ = ["LONG", "expect"]  # handed on
browser = chromium.browser
REFUSALS = re.compile("status of (422|429|503)")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with within(patient()) as asked:
        yield f"{asked.url}/"


@pytest.fixture(scope="module")
def tab(browser: Any) -> Any:
    """The tab that the tests take turns with: to load the app again costs a third of what a new tab does."""
    opened = browser.new_context(viewport={"width": 1000, "height": 700}, reduced_motion="reduce").new_page()
    opened.set_default_timeout(LONG)
    return opened


@pytest.fixture
def page(tab: Any, address: str) -> Iterator[Any]:
    """The app with its first puzzle, for somebody who was never here."""
    with opened_at(tab, address):
        yield tab


@contextmanager
def opened_at(tab: Any, address: str) -> Iterator[None]:
    """Open the app; at the end the console must have no error."""
    errors: list[str] = []

    def on_console(message: Any) -> None:
        if message.type == "error":
            errors.append(message.text)

    def on_error(error: Any) -> None:
        errors.append(str(error))

    tab.goto(f"{address}static/icon.svg")  # from where all is forgotten that an earlier test has kept
    tab.evaluate("() => (localStorage.clear(), sessionStorage.clear())")
    tab.on("console", on_console)
    tab.on("pageerror", on_error)
    tab.goto(f"{address}#puzzle")
    expect(tab.locator("#puzzle .cell").first).to_be_visible(timeout=LONG)
    yield
    tab.remove_listener("console", on_console)
    tab.remove_listener("pageerror", on_error)
    refused = [error for error in errors if not REFUSALS.search(error)]  # the browser's own words
    assert refused == [], refused


def status(page: Any, words: str | re.Pattern[str], where: str = "#solve") -> None:
    expect(page.locator(f"{where} .run .status").first).to_contain_text(words, timeout=LONG)


def unfold(page: Any, where: str) -> None:
    """Open a fold or a menu, by its selector, if it is shut."""
    if page.locator(where).get_attribute("open") is None:
        page.click(f"{where} > summary")


def library(page: Any, source: str = "") -> Any:
    """The library of parts; or a shelf of it, unfolded."""
    shelves = page.get_by_role("region", name="Library of parts")
    if not shelves.is_visible():
        page.click("#puzzle button:text-is('Library of parts')")
    if not source:
        return shelves
    shelf = shelves.locator("details").filter(has=page.locator("summary", has_text=re.compile(f"^{source}"))).first
    if shelf.get_attribute("open") is None:
        shelf.locator("summary").click()
    return shelf


def begin_on(page: Any, lattice: str) -> None:
    """Begin a new puzzle on a lattice, which is chosen by its picture."""
    unfold(page, "#choosing")
    page.click("#new")
    page.locator(f"dialog button[value='{lattice}']").click()


def options(page: Any) -> Any:
    """The options of a search."""
    unfold(page, "#solve > .run .more")
    return page.locator("#solve .form")


def pick(page: Any, name: str) -> None:
    unfold(page, "#choosing")
    page.select_option("#shipped", name)
    expect(page.locator("body:not([aria-busy])")).to_be_attached(timeout=LONG)  # also where it was open already
    expect(page.locator("#puzzle-name")).to_have_value(name, timeout=LONG)


def drawn(page: Any) -> None:
    """The picture of a solution is there, and not empty."""
    picture = page.locator("#solve img.solution")
    expect(picture).to_have_attribute("width", re.compile("[1-9]"), timeout=LONG)
    assert picture.bounding_box()["height"] > 100


def look(page: Any, view: str) -> None:
    page.locator("#solve").get_by_role("button", name=view, exact=True).click()


def open_part(page: Any, name: str) -> Any:
    """The pane of a part, which is edited then."""
    row = page.locator("#puzzle .parts .pick").filter(has=page.locator(f"strong:text-is('{name}')"))
    if row.get_attribute("aria-pressed") == "false":
        row.click()
    return page.locator("#puzzle .edited")


def saving(page: Any) -> Any:
    """The sheet Save, open."""
    sheet = page.get_by_role("dialog", name="Save")
    if not sheet.is_visible():
        page.click("#save")
    return sheet


def download(page: Any, words: str = "Save as TOML") -> None:
    """Choose a way to save the puzzle."""
    saving(page).get_by_role("button", name=words).click()
    page.keyboard.press("Escape")


def region(page: Any) -> Any:
    """The canvas of the region, which is edited then."""
    tile = page.locator("#puzzle .of-region")
    if tile.get_attribute("aria-pressed") == "false":
        tile.click()
    return page.locator("#puzzle .region")


def to_layer(shape: Any, number: int) -> None:
    """Show a layer of a canvas, by its number."""
    shape.locator(".storeys input").fill(str(number))


def empty(page: Any, *cells: str) -> None:
    for place in cells:
        layer = place.split(", ")[2:]
        if layer:
            to_layer(region(page), int(layer[0]))
        page.get_by_label(f"cell {place}: must be filled").click()


def answer(page: Any, words: str) -> None:
    page.locator("dialog").get_by_role("button", name=words).click()
    expect(page.locator("dialog")).to_have_count(0)


def side_in_space(canvas: Any, cell: list[int], beside: list[int]) -> list[float]:
    """Where a click meets a cell's side to a neighbour, once the picture in space is drawn and at rest."""
    canvas.scroll_into_view_if_needed()
    asked = [canvas.element_handle(), [cell, beside]]
    point = canvas.page.wait_for_function("([canvas, sides]) => canvas.pointOf?.(...sides)", arg=asked, timeout=LONG)
    return point.json_value()  # type: ignore[no-any-return]
