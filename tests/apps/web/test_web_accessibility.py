"""What screen readers and keyboards stumble over, by axe-core in a real browser: every page of the app, and its use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests import web_browser as app
from tests.chromium import serious_faults
from tests.web_browser import LONG, expect, options, status, unfold

pytestmark = pytest.mark.long
address, browser, tab, page = app.address, app.browser, app.tab, app.page

PAGES = ("puzzle", "play", "solve", "best", "apart", "watch", "compare", "design")


@pytest.fixture(params=["light", "dark"])
def seen(page: Any, request: Any) -> Any:
    """The app in a colour scheme."""
    page.emulate_media(color_scheme=request.param)
    yield page
    page.emulate_media(color_scheme="no-preference")


def test_no_page_has_a_serious_fault(seen: Any, address: str) -> None:
    for name in ("start", "plane", *PAGES):
        seen.goto(f"{address}#{name}" if name in ("start", "plane") else f"{address}#{name}/soma")
        shown = seen.locator("#starting" if name == "start" else f"#{name}")
        expect(shown).to_be_visible(timeout=LONG)
        assert (name, serious_faults(seen)) == (name, [])
    seen.evaluate("() => document.querySelector('main').append(document.createElement('button'))")
    assert any(fault.startswith("button-name") for fault in serious_faults(seen))


def test_a_flat_puzzle_has_none_either(seen: Any, address: str) -> None:
    for name in PAGES:
        seen.goto(f"{address}#{name}/treasure")
        expect(seen.locator(f"#{name}")).to_be_visible(timeout=LONG)
        assert (name, serious_faults(seen)) == (name, [])


def solved(page: Any) -> None:
    page.locator("#solve button:text-is('Solve')").click()
    status(page, "solutions")


def saving(page: Any) -> None:
    solved(page)
    app.saving(page)


def taken_apart(page: Any) -> None:
    solved(page)
    page.click("#tab-apart")
    expect(page.locator("#apart .player")).to_be_visible(timeout=LONG)


def likely(page: Any) -> None:
    options(page).get_by_role("button", name="How likely?").click()
    page.get_by_label("How likely", exact=True).get_by_text("Exact numbers").click(timeout=LONG)


def best(page: Any) -> None:
    page.get_by_role("button", name="Find the best").click()
    expect(page.locator("#best tbody tr").first).to_be_visible(timeout=LONG)


def packed(page: Any) -> None:
    page.get_by_role("button", name="Find the best").click()
    status(page, "proved", "#best")


def in_space(page: Any) -> None:
    page.locator("#puzzle .region").get_by_role("button", name="Tools").click()
    expect(page.locator("#puzzle .region canvas")).to_be_visible(timeout=LONG)


def further_fields(page: Any) -> None:
    for fold in page.locator("#puzzle details").all():
        if fold.is_visible() and fold.get_attribute("open") is None:
            fold.locator("summary").first.click()


def watched(page: Any) -> None:
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("button", name="Next solution")).to_be_visible(timeout=LONG)


def compared(page: Any) -> None:
    page.locator("#compare .run button").first.click()
    expect(page.locator("#compare table").first).to_be_visible(timeout=LONG)


def designed(page: Any) -> None:
    page.get_by_role("button", name="Find puzzles").click()
    expect(page.locator("#design .made").first).to_be_visible(timeout=LONG)


def tiled(page: Any) -> None:
    expect(page.locator("#plane .found img")).to_be_visible(timeout=LONG)


def choosing(page: Any) -> None:
    unfold(page, "#choosing")
    page.click("#new")


def lattice(page: Any) -> None:
    unfold(page, "#choosing")
    page.click("#own-lattice")
    expect(page.locator("dialog")).to_be_visible(timeout=LONG)


def versions(page: Any) -> None:
    page.get_by_role("button", name="Versions").click()
    expect(page.locator("dialog")).to_be_visible(timeout=LONG)


def comment(page: Any) -> None:
    page.locator("#file").get_by_role("button", name="Comment").click()


def parts(page: Any) -> None:
    app.library(page)


USES: dict[str, tuple[str, Callable[[Any], None]]] = {
    "solved": ("solve/fig4-3x3", solved),
    "solved in space": ("solve/soma", solved),
    "saving": ("solve/soma", saving),
    "taken apart": ("solve/soma", taken_apart),
    "options": ("solve/pent-10x6", lambda page: unfold(page, "#solve > .run .more")),
    "likely": ("solve/fig4-3x3", likely),
    "the best": ("best/treasure?maximize=gold&limit=2", best),
    "a packing": ("best/pent-8x8-minus-2x2?find=exclude&part=X", packed),
    "in space": ("puzzle/soma", in_space),
    "further fields": ("puzzle/live-cube", further_fields),
    "watched": ("watch/fig4-3x3", watched),
    "compared": ("compare/fig4-3x3", compared),
    "designed": ("design/soma?way=cut", designed),
    "a tile": ("plane/square/0,0,0 0,0,1", tiled),
    "a new puzzle": ("puzzle/soma", choosing),
    "a drawn lattice": ("puzzle/soma", lattice),
    "versions": ("puzzle/soma", versions),
    "comment": ("puzzle/soma", comment),
    "parts of others": ("puzzle/soma", parts),
}


@pytest.mark.parametrize("name", USES)
def test_nor_has_what_is_found_and_opened_there(seen: Any, address: str, name: str) -> None:
    place, use = USES[name]
    seen.goto("about:blank")
    seen.goto(f"{address}#{place}")
    expect(seen.locator("body:not([aria-busy]) main")).to_be_visible(timeout=LONG)
    page_name = place.partition("/")[0]
    expect(seen.locator(f"#{page_name}")).to_be_visible(timeout=LONG)
    use(seen)
    assert serious_faults(seen) == []
