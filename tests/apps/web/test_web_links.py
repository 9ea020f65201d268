"""Puzzles that an address carries whole: sent as a link from the app, and opened from one."""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path
from typing import Any

import pytest

from latcover.files.formats.library import load
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from tests import web_browser as app
from tests.web_browser import LONG, empty, expect, pick, status

address, browser, tab, page = app.address, app.browser, app.tab, app.page
pytestmark = pytest.mark.long


def word_of(text: str) -> str:
    return urlsafe_b64encode(zlib.compress(text.encode())).decode().rstrip("=")


def text_of(link: str) -> str:
    word = re.search(r"/=([\w-]+)", link)
    assert word is not None
    return zlib.decompress(urlsafe_b64decode(word[1] + "==")).decode()


def sent(page: Any) -> str:
    """The link that the app offers."""
    page.get_by_role("button", name="Send as a link").click()
    link: str = page.get_by_label("link", exact=True).input_value()
    page.locator("dialog").get_by_role("button", name="Close").click()
    return link


def test_a_changed_puzzle_is_sent_whole_and_opened_elsewhere(page: Any, address: str) -> None:
    pick(page, "pent-8x8-minus-2x2")
    empty(page, "0, 0")
    page.locator("#puzzle-name").fill("my corner")
    page.click("#tab-solve")
    link = sent(page)
    assert link.startswith(f"{address}#solve/=")
    assert 'name = "my corner"' in text_of(link)
    page.evaluate("() => (localStorage.clear(), sessionStorage.clear())")
    page.goto("about:blank")
    page.goto(link)  # somebody else opens it
    expect(page.locator("#title")).to_have_text("my corner", timeout=LONG)
    expect(page.locator("#solve")).to_be_visible()
    expect(page).to_have_url(re.compile("#solve/~"))
    own = page.url
    page.goto(link)  # once more, in the same tab: the same design
    expect(page).to_have_url(own)
    page.click("#tab-puzzle")
    expect(page.locator("#puzzle .sum")).to_contain_text("59 to fill", timeout=LONG)


def test_a_shipped_puzzle_is_sent_by_its_name_with_what_is_shown(page: Any, address: str) -> None:
    pick(page, "soma")
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "240 solutions")
    page.get_by_label("next", exact=True).click()
    assert sent(page) == f"{address}#solve/soma?solution=2"


def test_a_link_opens_for_everybody_where_a_workshop_is_known(page: Any, address: str) -> None:
    pick(page, "fig4-3x3")
    page.click("#tab-solve")
    page.get_by_role("button", name="Send as a link").click()
    dialog = page.locator("dialog")
    expect(dialog).to_contain_text("opens for nobody elsewhere")
    place = dialog.get_by_label("your workshop")
    place.fill("example.org")
    place.press("Enter")
    expect(dialog).to_contain_text("That is not the address of a page")
    place.fill("https://example.org/box/workshop.html")
    place.press("Tab")
    link = dialog.get_by_label("link", exact=True)
    expect(link).to_have_value(re.compile(r"^https://example\.org/box/workshop\.html#solve/=[\w-]+$"))
    assert 'name = "fig4-3x3"' in text_of(link.input_value())
    dialog.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Send as a link").click()  # it is remembered
    expect(link).to_have_value(re.compile(r"^https://example\.org/box/workshop\.html#solve/="))


def test_a_puzzle_is_sent_as_a_page_that_opens_anywhere(page: Any, browser: Any, tmp_path: Path) -> None:
    pick(page, "fig4-3x3")
    page.get_by_role("button", name="Send as a link").click()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as a page that opens anywhere").click()
    expect(page.locator("dialog")).to_contain_text("fig4-3x3.html was saved. Anybody can open it")
    page.locator("dialog").get_by_role("button", name="Close").click()
    saving.value.save_as(tmp_path / "sent.html")
    other = browser.new_context(offline=True).new_page()
    wrong: list[str] = []
    asked: list[str] = []
    other.on("pageerror", lambda error: wrong.append(str(error)))
    other.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    other.on("request", lambda request: asked.append(request.url))
    other.goto((tmp_path / "sent.html").as_uri())
    other.get_by_role("button", name="Hint").click()
    expect(other.locator("#play .words")).to_contain_text("fits here")
    other.get_by_role("tab", name="Solve").click()
    other.get_by_role("button", name="Solve", exact=True).click()
    expect(other.locator("#solve .run .status")).to_contain_text("2 solutions different")
    other.context.close()
    assert wrong == []
    assert all(url.startswith(("file:", "blob:", "data:")) for url in asked)


def test_a_link_with_a_solution_shows_it(page: Any, address: str) -> None:
    text = puzzle_as_toml([load("fig4-3x3")]).replace("fig4-3x3", "sent along")
    page.goto("about:blank")
    page.goto(f"{address}#solve/={word_of(text)}?solution=2")
    expect(page.get_by_label("solution number")).to_have_value("2", timeout=LONG)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("=" + word_of("name = 'x'\n" * 30)[:-9], "the link is damaged"),
        ("=a.b", "the link is damaged"),
        ("=" + word_of("no puzzle"), "the link carries no puzzle that can be opened"),
        ("=" + "A" * 9000, "longer than a link to a puzzle can be"),
        ("=" + word_of("#" * 3_000_000), "carries more than a puzzle can be"),
    ],
)
def test_what_is_wrong_with_a_link_is_said(page: Any, address: str, word: str, said: str) -> None:
    page.goto("about:blank")
    page.goto(f"{address}#puzzle/{word}")
    expect(page.locator("#fault")).to_contain_text(said, timeout=LONG)
    expect(page.locator("#puzzle .cell").first).to_be_visible()


def test_a_puzzle_too_large_for_a_link_is_named_so(page: Any) -> None:
    cells = [[x * 7919 % 997, x * 104729 % 991] for x in range(4000)]
    text = f'name = "dust"\nlattice = "square"\nregion.cells = {cells}\n[[parts]]\nname = "a"\ncells = [[0, 0]]\n'
    page.set_input_files("#upload", {"name": "dust.toml", "mimeType": "application/toml", "buffer": text.encode()})
    expect(page.locator("#puzzle-name")).to_have_value("dust", timeout=LONG)
    page.get_by_role("button", name="Send as a link").click()
    expect(page.locator("#fault")).to_contain_text("too large for a link", timeout=LONG)
