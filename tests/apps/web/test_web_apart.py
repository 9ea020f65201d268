"""Solutions that are taken apart on the page Take apart, in a real browser, and played."""

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
    puzzle = replace(latcover.load("turning-cube"), turning=Turning(0.03))
    (solution,) = latcover.solutions(puzzle)
    for solutions in ([solution], [solution, solution]):
        answer = taken_apart(puzzle, solutions, 0, Talk(lambda _: None, Settings()))
        assert answer.summary.result == "unproved"
        assert "no way was found to take it apart; not proved (examined: slides, and turns" in answer.text
        assert BOUNDS["others are pushed"] in answer.text
        assert "cannot" not in answer.text
    assert answer.text.startswith("2 solutions: 0 come apart, no way found for 2 (not proved).")


@pytest.mark.long
def test_the_hardest_solution_is_taken_apart_and_played(page: Any) -> None:
    pick(page, "burr-loves-dozen")
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "154 solutions")
    page.click("#tab-apart")
    page.click("#apart button:text-is('Find the deepest')")
    told = page.locator("#apart .run")
    expect(told).to_contain_text("154 solutions: 90 come apart, 64 cannot by sliding (complete).", timeout=LONG)
    expect(told).to_contain_text("The deepest is solution 110: it comes apart with level 12.3: 15 moves")
    expect(page.locator("#apart")).to_contain_text("Solution 110 of those on the page Solve.")
    expect(page.locator("#apart .latcover-viewer")).to_have_attribute(
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
    page.click("#tab-apart")
    expect(page.locator("#apart .run")).to_contain_text(level, timeout=LONG)
    player = page.locator("#apart .latcover-viewer")
    expect(player).to_have_attribute("data-move", "0", timeout=LONG)  # where no motion is wanted it waits
    for _ in range(move):
        player.locator("button[aria-label^='Next move']").click()
    expect(player).to_have_attribute("data-move", f"{move}", timeout=LONG)
    expect(page.locator("#apart .move")).to_contain_text(words)


@pytest.mark.long
def test_the_solution_that_is_chosen_is_taken_apart_and_played(page: Any) -> None:
    pick(page, "soma")
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "240 solutions")
    page.keyboard.press("PageDown")
    page.click("#solve button:text-is('Take apart')")
    player = page.locator("#apart .latcover-viewer")
    expect(player).to_have_attribute("data-moves", "6", timeout=LONG)
    expect(page.locator("#apart .run")).to_contain_text("Solution 2: it comes apart with level 1: 1 move, and 5 more")
    page.click("#apart button[aria-label^='All apart']")
    expect(player).to_have_attribute("data-move", "6", timeout=LONG)
    expect(page.locator("#apart .move")).to_contain_text("move 6 of 6: part", ignore_case=True)
    page.click("#tab-solve")
    page.click("#tab-apart")  # the same solution: it stands as it was left
    expect(player).to_have_attribute("data-move", "6")


@pytest.mark.long
def test_taking_apart_begins_at_once_where_nothing_was_solved(page: Any, address: str) -> None:
    page.goto(f"{address}#apart/burr-dubois")
    expect(page.locator("#apart .latcover-viewer")).to_have_attribute("data-moves", "13", timeout=LONG)
    expect(page.locator("#apart")).to_contain_text("The deepest of the first 2 solutions is played.")
