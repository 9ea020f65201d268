"""The page Solve in a real browser: searches, what is seen of solutions, and what is saved of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import web_browser as app
from tests.web_browser import LONG, drawn, expect, look, opened_at, options, pick, saving, status, unfold
from tests.web_server import Server

image = pytest.importorskip("PIL.Image", reason="Pillow is not installed: pip install '.[test]'")

address, browser, tab, page = app.address, app.browser, app.tab, app.page


def test_a_puzzle_is_solved_and_drawn(page: Any) -> None:
    pick(page, "soma")
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "240 solutions")
    expect(page.locator("#solve canvas")).to_be_visible(timeout=LONG)  # solids open in space
    look(page, "2D")
    drawn(page)
    expect(page.locator("#solve .browse")).to_contain_text("of 240")
    page.get_by_label("last", exact=True).click()
    expect(page.get_by_label("solution number")).to_have_value("240")
    page.get_by_label("previous", exact=True).click()
    expect(page.locator("#solve img.solution")).to_have_attribute("src", re.compile("solutions/238.svg$"))
    look(page, "3D")
    expect(page.locator("#solve canvas")).to_be_visible(timeout=LONG)
    expect(page.locator(".latcover-viewer .status")).to_contain_text("239", timeout=LONG)


@pytest.mark.long
def test_solutions_are_drawn_at_random_one_after_the_other(page: Any) -> None:
    pick(page, "aztec-12")
    page.click("#tab-solve")
    options(page).get_by_role("button", name="Random solution").click()
    note = page.locator("#solve .browse + .hint")
    expect(note).to_have_text("1 of 302,231,454,903,657,293,676,544 solutions, drawn at random", timeout=LONG)
    drawn(page)
    expect(page.get_by_label("solution number")).to_have_value("1")
    options(page).get_by_role("button", name="Random solution").click()
    expect(page.get_by_label("solution number")).to_have_value("2")
    expect(page.locator("#solve img.solution").first).to_have_attribute("src", re.compile("solutions/1.svg$"))


@pytest.mark.long
def test_a_change_before_the_first_solution_is_told(page: Any) -> None:
    """The solutions that arrive then are those of the puzzle as it was."""
    pick(page, "pent-10x6")
    page.click("#tab-solve")
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/api/runs", hold)
    with page.expect_request("**/api/runs"):
        page.click("#solve button:text-is('Solve')")
    page.click("#tab-puzzle")
    page.fill("#puzzle-name", "another")
    page.keyboard.press("Enter")
    for route in held:
        route.continue_()
    page.unroute("**/api/runs")
    page.click("#tab-solve")
    expect(page.locator("#solve section .hint")).to_have_text(re.compile("The puzzle has changed since"), timeout=LONG)


@pytest.mark.long
def test_maps_tell_how_likely_parts_are(page: Any) -> None:
    pick(page, "fig4-3x3")
    page.click("#tab-solve")
    options(page).get_by_role("button", name="How likely?").click()
    likely = page.get_by_label("How likely", exact=True)
    picture = likely.get_by_role("img")
    expect(picture).to_be_visible(timeout=LONG)
    expect(picture).to_have_js_property("complete", True)
    expect(likely.locator("table")).to_be_hidden()
    likely.get_by_text("Exact numbers").click()
    names = likely.locator("tbody th").all_inner_texts()
    likely.get_by_label("part").select_option(names[0])
    expect(picture).to_have_attribute("alt", re.compile("all"))
    expect(likely.locator("thead th").first).to_have_text("cell")
    expect(likely.locator("tbody tr")).to_have_count(9)
    page.click("#solve button:text-is('Solve')")
    status(page, "solutions")
    expect(likely).to_be_hidden()


@pytest.fixture
def page_of_a_process(tab: Any) -> Iterator[Any]:
    """The app of a server that is a process, as it is for users: its searches can be paused."""
    server = Server()
    with opened_at(tab, f"{server.url}/"):
        yield tab
    server.close()


@pytest.mark.long
def test_a_long_run_is_paused_and_stopped(page_of_a_process: Any) -> None:
    page = page_of_a_process
    page.click("#tab-solve")
    form = options(page)
    form.get_by_label("backend").select_option("dlx")
    unfold(page, "#solve .expert")
    form.get_by_label("size").select_option("false")
    form.get_by_label("count as the same").select_option("none")
    page.click("#solve button:text-is('Solve')")
    status(page, "branches")
    page.click("#solve >> text=Pause")
    status(page, "paused")
    page.click("#solve >> text=Resume")
    status(page, "searching")
    page.click("#solve .run >> text=Stop")
    status(page, "you stopped it")
    status(page, "cut short")
    drawn(page)


@pytest.mark.long
def test_what_is_seen_of_solutions_is_what_keys_turn_to_and_what_is_saved(page: Any) -> None:
    pick(page, "soma")
    page.click("#tab-solve")
    options(page).get_by_label("solution limit").fill("3")
    page.click("#solve button:text-is('Solve')")
    status(page, "cut short")
    look(page, "2D")
    drawn(page)
    page.keyboard.press("PageDown")
    expect(page.get_by_label("solution number")).to_have_value("2")
    sheet = saving(page)
    with page.expect_download() as download:
        sheet.get_by_text("Save this picture (SVG)").click()
    page.keyboard.press("Escape")
    assert download.value.suggested_filename == "solution-2.svg"
    look(page, "3D")
    viewed = page.locator(".latcover-viewer .status")
    expect(viewed).to_have_text("solution 2", timeout=LONG)
    expect(page.locator("#solve input[type=number][aria-label*=olution]:visible")).to_have_count(1)
    page.keyboard.press("PageDown")
    expect(viewed).to_have_text("solution 3", timeout=LONG)
    expect(page.get_by_label("solution number")).to_have_value("3")
    saving(page)
    expect(sheet.get_by_text("Save this picture (SVG)")).to_be_hidden()
    with page.expect_download() as download:
        page.click("text=Save this picture (PNG)")
    page.keyboard.press("Escape")
    assert download.value.suggested_filename == "solution-3.png"
    picture = np.asarray(image.open(download.value.path()).convert("RGBA"))
    assert len(np.unique(picture.reshape(-1, 4), axis=0)) > 5
    for tab in ("puzzle", "play", "solve", "apart", "design", "research"):
        page.click(f"#tab-{tab}")
        expect(page.locator("#title")).to_have_text("the Soma cube")


@pytest.mark.long
def test_what_is_seen_in_space_is_saved_as_a_model(page: Any) -> None:
    pytest.importorskip("manifold3d", reason="manifold3d is not installed")
    pick(page, "fig4-3x3")
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "2 solutions")
    drawn(page)  # what is flat opens flat
    saving(page)
    expect(page.get_by_text("Save this picture in space")).to_be_hidden()
    page.keyboard.press("Escape")
    look(page, "3D")
    expect(page.locator(".latcover-viewer .status")).to_contain_text("solution 1", timeout=LONG)
    sizes = []
    for keys in ("", "e"):  # which moves the parts apart
        if keys:
            page.locator("#solve canvas").press(keys)
        saving(page)
        with page.expect_download() as download:
            page.click("text=Save this picture in space (GLB)")
        page.keyboard.press("Escape")
        assert download.value.suggested_filename == "fig4-3x3-solution-1.glb"
        sizes.append(Path(download.value.path()).read_bytes())
    assert sizes[0][:4] == sizes[1][:4] == b"glTF"
    assert sizes[0] != sizes[1]


@pytest.mark.long
def test_a_bare_problem_is_solved_and_listed(page: Any, tmp_path: Path) -> None:
    problem = tmp_path / "small.dlx"
    problem.write_text("a b c\na b\nc\na\nb c\n")
    page.set_input_files("#upload", problem)
    expect(page.locator("#puzzle")).to_contain_text("4 options on 3 items", timeout=LONG)
    expect(page.locator("#tab-play")).to_be_hidden()
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "2 solutions")
    expect(page.locator("#solve pre.listing")).to_contain_text("a")


@pytest.mark.long
def test_a_search_in_vain_is_not_begun_but_may_be(page: Any, tmp_path: Path) -> None:
    """A board of 12 by 12 without two opposite corners, and any number of dominoes."""
    board = tmp_path / "board.toml"
    head = 'name = "board"\nlattice = "square"\n[region]\nbox = [12, 12]\nminus = { cells = [[0, 0], [11, 11]] }\n'
    board.write_text(head + '[[parts]]\nname = "d"\nart = ["XX"]\ncount = "unlimited"\n')
    page.set_input_files("#upload", board)
    expect(page.locator("#title")).to_have_text("board", timeout=LONG)
    page.click("#tab-solve")
    options(page).get_by_label("backend").select_option("dlx")
    page.click("#solve button:text-is('Solve')")
    status(page, "no solution")
    page.click("#solve button:text-is('Search anyway')")
    status(page, "searching")
    page.click("#solve .run button:text-is('Stop')")
    expect(page.get_by_role("button", name="Search anyway")).to_be_hidden()


@contextmanager
def busy(page: Any, path: str, status: int, again: int) -> Iterator[Any]:
    """Refuse what the page asks for there, as a server does that has no room; to be asked again in so many seconds."""
    refused: list[Any] = []

    def refuse(route: Any) -> None:
        refused.append(route)
        headers = {"Retry-After": str(again)}
        route.fulfill(status=status, headers=headers, json={"message": "all are busy", "complaints": []})

    page.route(path, refuse)
    try:
        yield refused
    finally:
        page.unroute(path, refuse)


@pytest.mark.long
def test_a_search_that_is_refused_for_now_is_asked_for_again(page: Any) -> None:
    page.click("#tab-solve")
    with busy(page, "**/events", 503, 0) as unseen:
        with busy(page, "**/api/runs", 429, 0) as refused:
            page.click("#solve button:text-is('Solve')")
            status(page, "The server is busy: all are busy. This page keeps trying until you press Stop.")
            while len(refused) < 3:
                page.wait_for_event("request")
        while not unseen:
            page.wait_for_event("request")
    expect(page.locator("#solve .browse")).to_be_visible(timeout=LONG)


@pytest.mark.long
def test_a_search_that_is_refused_for_now_is_given_up(page: Any) -> None:
    page.click("#tab-solve")
    with busy(page, "**/api/runs", 429, 1000) as refused:
        page.click("#solve button:text-is('Solve')")
        status(page, "The server is busy")
        page.click("#solve button:text-is('Stop')")
        expect(page.locator("#solve .run .status").first).to_be_empty()
        page.click("#solve button:text-is('Solve')")
        status(page, "The server is busy")
        assert len(refused) == 2
    pick(page, "soma")  # another puzzle is another search
    expect(page.locator("#solve .run .status").first).to_be_empty()
    page.click("#solve button:text-is('Solve')")
    status(page, "240 solutions")


@pytest.mark.long
def test_a_view_that_comes_late_does_not_turn_back(page: Any) -> None:
    """Solids open in space. Who looks at them flat meanwhile, and goes on, stays where they are."""
    held: list[Any] = []
    page.route("**/api/scene", lambda route: held.append(route))  # noqa: PLW0108  a builtin cannot be a handler
    pick(page, "soma")
    page.click("#tab-solve")
    options(page).get_by_label("solution limit").fill("3")
    with page.expect_request("**/api/scene"):
        page.click("#solve button:text-is('Solve')")
    status(page, "cut short")
    look(page, "2D")
    drawn(page)
    page.keyboard.press("PageDown")
    expect(page.get_by_label("solution number")).to_have_value("2")
    with page.expect_response("**/api/scene") as answered:
        held[0].continue_()
    page.unroute("**/api/scene")
    page.evaluate("(url) => fetch(url).then((answer) => answer.text())", answered.value.url.replace("scene", "about"))
    page.evaluate("() => import(document.querySelector('script[type=module]').src.replace('main.js', 'viewer.js'))")
    expect(page.get_by_label("solution number")).to_have_value("2")
    look(page, "3D")
    expect(page.locator(".latcover-viewer .status")).to_have_text("solution 2", timeout=LONG)
