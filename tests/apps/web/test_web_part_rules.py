"""Rules on parts, added on the page "Solve": they are the puzzle's own, so its file has them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests import web_browser as app
from tests.web_browser import download, open_part, pick, status

address, browser, tab, page = app.address, app.browser, app.tab, app.page
expect = app.expect
DOMINOES = """name = "dominoes"
lattice = "square"
[region]
box = [4, 4]
[[parts]]
name = "D"
count = 8
art = ["XX"]
"""


def rules(page: Any) -> Any:
    app.options(page)
    return page.locator("#part-rules")


def saved(page: Any, folder: Path) -> Any:
    """The table [rules] of the file that is saved; it may be unfinished."""
    page.click("#tab-puzzle")
    with page.expect_download() as waiting:
        download(page)
    waiting.value.save_as(folder / "saved.toml")
    return tomllib.loads((folder / "saved.toml").read_text("utf-8"))["rules"]


@pytest.mark.long
def test_a_search_keeps_the_rules_that_are_added_and_so_does_the_file(page: Any, tmp_path: Path) -> None:
    pick(page, "pent-10x6")
    page.click("#tab-solve")
    rules(page).locator("summary").click()
    expect(rules(page).locator(".said")).to_have_text("none")
    rules(page).get_by_label("no four parts meet at a point").check()
    rules(page).get_by_role("button", name="Parts that few colours suffice for").click()
    expect(rules(page).locator(".said")).to_contain_text("parts that few colours suffice for: 3 colours")
    page.locator("#solve").get_by_label("task").select_option("count")
    page.locator("#solve .run button.main").first.click()
    status(page, re.compile("94 solutions different under rotations and reflections, 376 in all"))
    assert saved(page, tmp_path) == {"no_crossroads": True, "colourable": [{"colours": 3}]}


@pytest.mark.long
def test_rules_follow_the_names_of_parts(page: Any, tmp_path: Path) -> None:
    pick(page, "pent-10x6")
    page.click("#tab-solve")
    rules(page).locator("summary").click()
    for kind in ("Parts that do not touch", "Parts that few colours suffice for", "Cells that must be connected"):
        rules(page).get_by_role("button", name=kind).click()
    separate, colourable, connected = rules(page).locator("fieldset").all()
    separate.get_by_role("button", name="only some parts").click()
    separate.get_by_label("X", exact=True).check()
    separate.get_by_label("I", exact=True).check()
    separate.get_by_label("not even at corners").check()
    colourable.get_by_role("button", name="only some parts").click()
    colourable.get_by_label("L", exact=True).check()
    colourable.get_by_label("colours").select_option("2")
    connected.get_by_role("button", name="only some parts").click()
    connected.get_by_label("L", exact=True).check()
    connected.get_by_label("T", exact=True).check()
    connected.get_by_label("also across corners").check()
    page.click("#tab-puzzle")
    open_part(page, "X").get_by_label("name of the part").fill("cross")
    open_part(page, "L").get_by_role("button", name="Delete").click()
    assert saved(page, tmp_path) == {
        "separate": [{"parts": ["cross", "I"], "corners": True}],
        "connected": [{"parts": ["T"], "corners": True}],
    }
    page.click("#tab-solve")
    said = (
        "parts that do not touch: cross, I; not even at corners; cells that must be connected: T; also across corners"
    )
    expect(rules(page).locator(".said")).to_have_text(said)
    for _ in range(2):
        rules(page).get_by_role("button", name="Remove the rule").first.click()
    expect(rules(page).locator(".said")).to_have_text("none")


@pytest.mark.long
def test_a_small_puzzle_is_solved_again_by_itself(page: Any) -> None:
    """After a rule that only the server judges, and when other solutions count as the same."""
    page.set_input_files("#upload", {"name": "d.toml", "mimeType": "application/toml", "buffer": DOMINOES.encode()})
    page.click("#tab-solve")
    status(page, "9 solutions different under rotations and reflections, 36 in all")
    rules(page).locator("summary").click()
    rules(page).get_by_label("every part lies at the rim").check()
    status(page, "4 solutions different under rotations and reflections, 16 in all")
    page.locator("#solve").get_by_label("count as the same").select_option("none")
    status(page, "16 solutions in all")
    rules(page).get_by_label("every part lies at the rim").uncheck()
    status(page, "36 solutions in all")
