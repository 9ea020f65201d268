"""Puzzles that an address carries whole: sent as a link from the app, and opened from one."""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
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
    expect(page.locator("#title")).to_contain_text("edited", timeout=LONG)
    expect(page.locator("#solve")).to_be_visible()
    expect(page).to_have_url(re.compile("#solve/~"))
    own = page.url
    page.goto(link)  # once more, in the same tab: the same design
    expect(page).to_have_url(own)
    page.click("#tab-puzzle")
    expect(page.locator("#puzzle .sum")).to_contain_text("59 cells", timeout=LONG)


def test_a_shipped_puzzle_is_sent_by_its_name_with_what_is_shown(page: Any, address: str) -> None:
    pick(page, "soma")
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "240 solutions")
    page.get_by_label("next", exact=True).click()
    assert sent(page) == f"{address}#solve/soma?solution=2"


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
