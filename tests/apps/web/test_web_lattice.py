"""Lattices of one's own in the web app: drawn, opened from files, and kept in puzzles."""

from __future__ import annotations

import base64
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from latcover.files.formats.library import loads
from latcover.files.formats.source import find
from tests import web_browser as app
from tests.files.formats.test_own_lattices import PUZZLE
from tests.web_browser import LONG, expect

address, browser, tab, page = app.address, app.browser, app.tab, app.page
HEXAGON = find("lattices", "hexagonal").read_text("utf-8").replace('name = "hexagonal"', 'name = "mine"')
ON_MINE = """
name = "three"
lattice = "grids/mine.toml"
[region]
box = [3, 3]
[[parts]]
name = "A"
count = 9
cells = [[0, 0]]
"""
TO_SCREEN = """(picture, [x, y]) => {
    const at = new DOMPoint(x, -y).matrixTransform(picture.getScreenCTM());
    return [at.x, at.y];
}"""


def open_editor(page: Any) -> Any:
    app.unfold(page, "#choosing")
    page.click("#own-lattice")
    dialog = page.locator("dialog.lattice")
    expect(dialog.locator(".said .good")).to_be_visible(timeout=LONG)
    return dialog


def press(page: Any, dialog: Any, x: float, y: float) -> None:
    """Click a point of the drawing, in its own coordinates."""
    at = dialog.locator("svg.drawing").evaluate(TO_SCREEN, [x, y])
    page.mouse.click(*at)


@pytest.mark.long
def test_a_lattice_is_drawn_judged_and_used(page: Any) -> None:
    dialog = open_editor(page)
    dialog.get_by_role("button", name="remove square").click()
    expect(dialog.locator(".said .fault")).to_be_visible(timeout=LONG)
    expect(dialog.get_by_role("button", name="Start a puzzle on it")).to_be_disabled()
    for corners in ([(0, 0), (1, 0), (0, 1)], [(1, 0), (1, 1), (0, 1)]):
        dialog.get_by_role("button", name="Draw a cell").click()
        for x, y in [*corners, corners[0]]:
            press(page, dialog, x, y)
    expect(dialog.locator(".said")).to_contain_text("cell-1 3, cell-2 3. Transformations: 4, 2 with", timeout=LONG)
    dialog.get_by_label("corners of cell-2: x, y").fill("1, 0\n1, 1\n0, 1.2")
    dialog.get_by_label("corners of cell-2: x, y").blur()
    expect(dialog.locator(".said")).to_contain_text("cell-2", timeout=LONG)
    expect(dialog.locator(".said .fault")).to_be_visible()
    dialog.get_by_role("button", name="Undo").click()
    expect(dialog.locator(".said .good")).to_be_visible(timeout=LONG)
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Download lattice").click()
    lattice = tomllib.loads(Path(download.value.path()).read_text("utf-8"))
    assert list(lattice["nodes"]) == ["cell-1", "cell-2"]
    assert "half_edges" not in lattice
    dialog.get_by_role("button", name="Start a puzzle on it").click()
    expect(page.locator("#title")).to_have_text("my puzzle", timeout=LONG)
    expect(page.locator("#puzzle .cell.in").first).to_be_visible(timeout=LONG)
    page.reload()  # the browser keeps it, with the lattice
    expect(page.locator("#title")).to_have_text("my puzzle", timeout=LONG)
    with page.expect_download() as download:
        app.download(page)
    text = Path(download.value.path()).read_text("utf-8").replace("[[parts]]", "[[parts]]\ncount = 'unlimited'")
    lattice = loads(text).lattice
    assert (len(lattice.nodes), len(lattice.transformations)) == (2, 4)


@pytest.mark.long
def test_every_tiling_and_prism_can_begin_a_puzzle(page: Any) -> None:
    dialog = open_editor(page)
    dialog.locator("select").select_option("cairo")
    expect(dialog.locator(".said")).to_contain_text("north 5, south 5", timeout=LONG)
    dialog.get_by_label("height of prisms").fill("1")
    dialog.get_by_label("height of prisms").blur()
    expect(dialog.locator(".said")).to_contain_text("north 7, south 7", timeout=LONG)
    dialog.get_by_role("button", name="Start a puzzle on it").click()
    expect(page.locator("#puzzle .region .caption")).to_contain_text("layer 1 of", timeout=LONG)


@pytest.mark.long
def test_files_of_lattices_are_opened(page: Any) -> None:
    """A lattice alone begins a puzzle; a puzzle and its lattice come together; one without the other is told why."""
    lattice = {"name": "mine.toml", "mimeType": "application/toml", "buffer": HEXAGON.encode()}
    puzzle = {"name": "three.toml", "mimeType": "application/toml", "buffer": ON_MINE.encode()}
    page.set_input_files("#upload", [lattice])
    expect(page.locator("#title")).to_have_text("my puzzle", timeout=LONG)
    page.set_input_files("#upload", [puzzle])
    expect(page.locator("#fault")).to_contain_text("choose both files at once", timeout=LONG)
    page.set_input_files("#upload", [lattice, puzzle])
    expect(page.locator("#title")).to_have_text("three", timeout=LONG)
    page.set_input_files("#upload", [{"name": "o.toml", "mimeType": "application/toml", "buffer": PUZZLE.encode()}])
    expect(page.locator("#title")).to_have_text("on octagons", timeout=LONG)
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    expect(page.locator("#solve .run .status").first).to_contain_text("solution", timeout=LONG)


@pytest.mark.long
def test_requests_about_lattices_that_are_wrong(page: Any, address: str) -> None:
    """Whatever is sent, the answer says what is wrong."""
    twice = [{"name": name, "content": base64.b64encode(HEXAGON.encode()).decode()} for name in ("a.toml", "b.toml")]
    for path, data, code, words in (
        ("lattice", {"lattice": {"name": "a", "basis": [[1, 0]]}}, 200, "nodes"),
        ("lattice", {"lattice": 5}, 422, "must be an object"),
        ("lattice/puzzle", {"text": "name = 5"}, 422, "a text in quotes"),
        ("read", {"files": []}, 422, "its length at least 1"),
        ("read", {"files": [{"name": "a.toml", "content": "!"}]}, 422, "base64"),
        ("read", {"files": twice}, 422, "beside 2"),
    ):
        headers = {"Content-Type": "application/json"}
        answer = page.request.post(f"{address}api/{path}", data=json.dumps(data), headers=headers)
        assert answer.status == code, answer.text()
        assert words in answer.text()


@pytest.mark.long
def test_a_vector_of_any_length_leaves_the_page_alive(page: Any) -> None:
    dialog = open_editor(page)
    for length in ("1e20", "1e-5"):
        dialog.get_by_label("x of vector 1").fill(length)
        dialog.get_by_label("x of vector 1").press("Tab")
        expect(dialog.locator(".said .fault")).to_be_visible(timeout=LONG)
        dialog.get_by_role("button", name="Undo", exact=True).click()
        expect(dialog.locator(".said .good")).to_be_visible(timeout=LONG)
