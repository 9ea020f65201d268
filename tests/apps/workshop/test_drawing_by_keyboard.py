"""A puzzle is drawn by the keyboard alone, on each shipped lattice, and what a screen reader says of it is heard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from latcover.apps.publishing.site import site_files, write_site
from latcover.apps.workshop.workshop_site import workshop_files
from latcover.core.model.puzzle import Bounds
from latcover.files.formats.source import names
from tests import chromium
from tests.chromium import LONG, expect

browser = chromium.browser
pytestmark = pytest.mark.long
MOST = 150  # presses of Tab to anything on the page
# What regions of the page that speak by themselves come to say: their words that are seen.
HEAR = """() => {
    globalThis.heard = [];
    const look = (records) => {
        for (const { target } of records) {
            const element = target.nodeType === 1 ? target : target.parentElement;
            const live = element?.closest("[role=status], [role=alert], [aria-live]");
            const words = live?.checkVisibility() ? live.innerText.trim() : "";
            if (words && globalThis.heard.at(-1) !== words) globalThis.heard.push(words);
        }
    };
    const all = { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["hidden"] };
    new MutationObserver(look).observe(document.body, all);
}"""


@pytest.fixture(scope="module")
def page(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder: Path = tmp_path_factory.mktemp("site")
    write_site(folder, site_files("Workshop", [], more=workshop_files("", [], Bounds())), 0)
    opened = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce").new_page()
    opened.set_default_timeout(LONG)
    opened.home = (folder / "index.html").as_uri()
    yield opened
    opened.context.close()


def tab_to(page: Any, wanted: str) -> None:
    """Press Tab until the element that has the focus is the wanted one: by its selector, or a button by its words."""
    there = "(wanted) => { const own = document.activeElement; return own.textContent.trim() === wanted; }"
    if wanted[0] in "#.[":
        there = "(wanted) => document.activeElement.matches(wanted)"
    for _ in range(MOST):
        if page.evaluate(there, wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to {wanted}")


def press(page: Any, wanted: str) -> None:
    tab_to(page, wanted)
    page.keyboard.press("Enter")


def told(page: Any) -> list[str]:
    """What is said of the cell that has the focus: its name, and whether it is filled."""
    found: list[str] = page.evaluate(
        "() => ['aria-label', 'aria-pressed'].map((name) => document.activeElement.getAttribute(name))"
    )
    return found


@pytest.mark.parametrize("lattice", names("lattices"))
def test_a_puzzle_is_drawn_by_the_keyboard_alone_and_told_while_it_is_drawn(page: Any, lattice: str) -> None:
    page.goto("about:blank")
    page.goto(page.home)
    page.evaluate(HEAR)
    press(page, f"All {len(names('lattices'))} lattices …")
    press(page, f"[value={lattice}]")
    expect(page.locator("#puzzle .meter")).to_be_visible()
    press(page, "Clear")
    for words in ("must be filled", "filled"):  # the region, and then the part, which has one cell already
        tab_to(page, "[role=button].cell")
        if words == "must be filled":
            assert told(page)[1] == "false"
            page.keyboard.press("Space")
        first = told(page)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
        second = told(page)
        for name, state in (first, second):
            assert re.fullmatch(f"cell [-0-9, ]+( [-\\w]+)?: {words}", name)
            assert state == "true"
        assert first[0] != second[0]
        if words == "must be filled":
            press(page, ".parts .pick:not(.of-region)")
    expect(page.locator("#puzzle .live")).to_have_text(re.compile("^Ready to solve · (1|no) solution$"))
    heard = page.evaluate("globalThis.heard")
    for words in ("2 to fill · 1 of 2 held", "2 to fill · 2 of 2 held"):
        assert words in heard
    assert any(one.startswith("Ready to solve · ") for one in heard)
    assert "all" not in heard
