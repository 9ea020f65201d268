"""Solutions that are taken apart on the page Solve, in a real browser, and played."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

import latcover
from latcover.apps.web.apart_job import taken_apart
from latcover.apps.web.job import Talk
from latcover.apps.web.settings import Settings
from latcover.core.model.turn_bounds import BOUNDS
from latcover.core.model.turn_data import Turning
from tests import web_browser as app
from tests.web_browser import LONG, expect, pick, status

address, browser, tab, page = app.address, app.browser, app.tab, app.page


def test_what_the_app_says_where_no_way_was_found_is_what_the_command_says() -> None:
    puzzle = replace(latcover.load("turning-cube"), turning=Turning(0.04))
    (solution,) = latcover.solutions(puzzle)
    for solutions in ([solution], [solution, solution]):
        answer = taken_apart(puzzle, solutions, 0, Talk(lambda _: None, Settings()))
        assert answer.summary.result == "unproved"
        assert "no way was found to take it apart; not proved (examined: slides, and turns" in answer.text
        assert BOUNDS["others stay"] in answer.text
        assert "cannot" not in answer.text
    assert answer.text.startswith("2 solutions: 0 come apart, no way found for 2 (not proved).")


@pytest.mark.long
def test_the_hardest_solution_is_taken_apart_and_played(page: Any) -> None:
    pick(page, "burr-loves-dozen")
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "154 solutions")
    page.click("#solve button:text-is('Find the deepest')")
    told = page.locator("#solve .run >> nth=1")
    expect(told).to_contain_text("154 solutions: 90 come apart, 64 cannot by sliding (complete).", timeout=LONG)
    expect(told).to_contain_text("The deepest is solution 110: it comes apart with level 12.3: 15 moves")
    expect(page.get_by_label("solution number")).to_have_value("110")
    expect(page.locator("#solve .latcover-viewer")).to_have_attribute(
        "data-moves", re.compile("^1[5-9]$"), timeout=LONG
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "level", "move", "words"),
    [
        ("turning-gate", "level 3.2 (2 turns): 5 moves", 2, "part bar 2 turns a quarter to the left"),
        ("turning-cube-4x4x4", "level 1.2.2 (2 turns): 5 moves", 2, "turns a quarter to the right about the axis that"),
    ],
)
def test_turns_are_found_and_played(name: str, level: str, move: int, words: str, page: Any) -> None:
    pick(page, name)
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "1 solution")
    page.click("#solve button:text-is('Take apart')")
    expect(page.locator("#solve .run >> nth=1")).to_contain_text(level, timeout=LONG)
    player = page.locator("#solve .latcover-viewer")
    expect(player).to_have_attribute("data-move", re.compile("[56]"), timeout=LONG)  # without motion it is at its end
    player.locator("button[aria-label^='All together']").click()
    for _ in range(move):
        player.locator("button[aria-label^='Next move']").click()
    expect(player).to_have_attribute("data-move", f"{move}", timeout=LONG)
    expect(page.locator("#solve .move")).to_contain_text(words)


@pytest.mark.long
def test_a_solution_is_taken_apart_and_played(page: Any) -> None:
    """The film stays when the solution that was asked for before it comes late."""
    late: list[Any] = []
    page.route("**/solutions/0/scene", lambda route: late.append(route))  # noqa: PLW0108  a builtin cannot be a handler
    pick(page, "soma")
    page.click("#tab-solve")
    with page.expect_request("**/solutions/0/scene"):  # on a fast machine the film could be there before it
        page.click("#solve button:text-is('Solve')")
    status(page, "240 solutions")
    page.click("#solve button:text-is('Take apart')")
    player = page.locator("#solve .latcover-viewer")
    expect(player).to_have_attribute("data-moves", "6", timeout=LONG)
    expect(page.locator("#solve .space")).to_be_visible()
    expect(page.locator("#solve .run >> nth=1")).to_contain_text(
        "Solution 1: it comes apart with level 1: 1 move, and 5 more"
    )
    with page.expect_response("**/solutions/0/scene") as answered:
        for route in late:
            route.continue_()
    page.unroute("**/solutions/0/scene")
    page.evaluate("(url) => fetch(url).then((answer) => answer.json())", answered.value.url)  # it has read the first
    page.click("#solve button[aria-label^='All apart']")
    expect(player).to_have_attribute("data-move", "6", timeout=LONG)
    expect(page.locator("#solve .move")).to_contain_text("move 6 of 6: part")
    page.keyboard.press("PageDown")  # another solution has no film yet
    expect(page.locator("#solve .player")).to_be_hidden(timeout=LONG)
    page.keyboard.press("PageUp")
    expect(player).to_have_attribute("data-move", "0", timeout=LONG)
