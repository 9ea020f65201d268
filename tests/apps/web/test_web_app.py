"""The web app as a whole in a real browser: its pages and addresses, a phone, and a server that is away."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from latcover.apps.web.settings import Settings
from tests import web_browser as app
from tests.web_browser import LONG, begin_on, expect, unfold
from tests.web_server import within

address, browser, tab, page = app.address, app.browser, app.tab, app.page


@pytest.mark.long
@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_the_page_is_dark_where_the_system_is(page: Any, scheme: str, dark: bool) -> None:
    page.emulate_media(color_scheme=scheme)
    seen = page.evaluate("() => getComputedStyle(document.querySelector('#puzzle')).backgroundColor")
    ink = page.evaluate("() => getComputedStyle(document.body).color")
    page.emulate_media(color_scheme="light")
    brightness = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (seen, ink)]
    assert (brightness[0] < brightness[1]) == dark


@pytest.mark.long
def test_pages_are_reached_by_keys_and_by_address(page: Any, address: str) -> None:
    page.locator("#tab-puzzle").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#play")).to_be_visible()
    expect(page.locator("#puzzle")).to_be_hidden()
    page.keyboard.press("End")
    expect(page.locator("#watch")).to_be_visible()
    page.goto(f"{address}#watch/soma")
    page.reload()
    expect(page.locator("#shipped")).to_have_value("soma", timeout=LONG)
    expect(page.locator("#watch")).to_be_visible()


@pytest.mark.long
def test_on_a_phone(browser: Any, address: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 700}, has_touch=True, is_mobile=True)
    phone = context.new_page()
    phone.set_default_timeout(LONG)
    phone.goto(f"{address}#puzzle")
    expect(phone.locator("#puzzle .cell").first).to_be_visible(timeout=LONG)
    for tab in ("puzzle", "play", "solve", "apart", "design", "research"):
        phone.tap(f"#tab-{tab}")
        width = phone.locator("main").bounding_box()["width"]
        assert phone.locator("[role=tabpanel]:visible").bounding_box()["width"] <= width <= 360
    phone.tap("#tab-solve")  # what is small is solved without a button
    picture = phone.locator("#solve img.solution")
    expect(picture).to_have_attribute("width", re.compile("[1-9]"), timeout=LONG)
    assert picture.bounding_box()["y"] < 500  # seen without scrolling
    assert phone.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    phone.tap("#tab-puzzle")
    phone.get_by_label("cell 0, 0: must be filled").tap()
    expect(phone.locator("#puzzle .sum")).to_contain_text("59 to fill")
    phone.get_by_label("cell 0, 0: empty").tap()
    expect(phone.locator("#puzzle .sum")).to_contain_text("60 to fill")
    context.close()


@pytest.mark.long
def test_a_server_that_is_gone_is_told(tab: Any) -> None:
    page = tab
    with within(Settings()) as asked:
        page.goto(f"{asked.url}/#puzzle")
        expect(page.locator("#puzzle .cell").first).to_be_visible(timeout=LONG)
    unfold(page, "#choosing")
    page.select_option("#shipped", "soma")
    expect(page.locator("#fault")).to_contain_text("the server does not answer", timeout=LONG)


@pytest.mark.long
def test_that_the_server_is_away_is_told_until_it_answers(tab: Any, address: str) -> None:
    tab.goto(f"{address}#solve/soma")
    expect(tab.locator("#solve button:text-is('Solve')")).to_have_attribute("aria-disabled", "false", timeout=LONG)
    tab.route("**/api/**", lambda route: route.abort())
    tab.click("#solve button:text-is('Solve')")
    fault = tab.locator("#solve .run .faults").first
    expect(fault).to_contain_text("the server does not answer")
    expect(tab.locator("#server")).to_contain_text("The server does not answer.")
    tab.unroute_all()
    expect(tab.locator("#server")).to_contain_text("The server is back.", timeout=LONG)
    expect(fault).to_be_hidden()


def test_a_new_puzzle_opens_on_its_own_page(page: Any) -> None:
    page.click("#tab-solve")
    begin_on(page, "hexagonal")
    expect(page.locator("#puzzle")).to_be_visible(timeout=LONG)
    expect(page).to_have_url(re.compile("#puzzle/~"))
    page.reload()
    expect(page.locator("#puzzle .cell").first).to_be_visible(timeout=LONG)
    page.go_back()
    expect(page).to_have_url(re.compile(r"#solve/pent-10x6(\?.*)?$"))
    expect(page.locator("#solve")).to_be_visible()


@pytest.mark.long
def test_the_page_loads_nothing_from_elsewhere(page: Any, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    expect(page.locator("#puzzle .cell").first).to_be_visible(timeout=LONG)
    assert asked
    assert {url for url in asked if not url.removeprefix("blob:").startswith(address)} == set()
    assert "three.js" not in json.dumps(asked)  # it is large, and comes when something is to be seen in space
