"""The page "Best": the best solutions of a puzzle, with what is proved of them."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from latcover.apps.web.best_solutions import objectives_of
from latcover.apps.web.kept_solutions import KeptPlacement
from latcover.apps.web.settings import Settings
from latcover.apps.web.tasks import MOST_BEST
from latcover.core.model.solution import Solution
from latcover.core.model.solution_values import value_of
from latcover.errors import LatcoverError
from latcover.files.formats.library import load
from tests import web_browser as app
from tests.web_browser import pick, status
from tests.web_jobs import answer_to
from tests.web_server import within

address, browser, tab, page = app.address, app.browser, app.tab, app.page
LONG, expect = app.LONG, app.expect
TREASURE = {"form": "shipped", "name": "treasure"}
WANTED: dict[str, Any] = {"task": "best", "subject": TREASURE, "objective": "gold", "sense": "maximize", "limit": 3}


def asked(settings: Settings = Settings(), **more: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    return answer_to({**WANTED, **more}, settings)


def test_the_best_are_kept_behind_those_that_led_to_them() -> None:
    answer, events = asked()
    assert [row["value"] for row in answer["best"]] == [20, 20, 17]
    assert (answer["summary"]["proved"], answer["best"][0]["words"]) == (True, "20 pieces of gold")
    placements = [placed for event in events for placed in event.get("placements", ())]
    solutions = [solution for event in events for solution in event.get("solutions", ())]
    assert len(solutions) == events[-1]["found"] > 3
    puzzle = load("treasure")
    for rank, row in enumerate(answer["best"], 1):
        labels, chosen = solutions[row["at"]]
        pieces = tuple(msgspec.convert(placements[k]["kept"], KeptPlacement).in_puzzle(puzzle) for k in chosen)
        assert (labels[0], value_of(puzzle, Solution(pieces), "gold")) == (rank, row["value"])


def test_where_few_are_kept_the_best_are_among_them() -> None:
    answer, events = asked(Settings(solutions=3))
    kept = sum(len(event.get("solutions", ())) for event in events)
    assert [row["at"] for row in answer["best"]] == list(range(kept))


def test_what_is_known_is_said_while_it_searches() -> None:
    _, events = asked(sense="minimize", objective="noise")
    known = [words for event in events for words in event.get("progress", {}).get("known", ())]
    assert any(re.fullmatch("so far: 0 .+", words) for words in known)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"objective": "golf"}, "did you mean 'gold'"),
        ({"limit": 0}, "at least 1"),
        ({"limit": MOST_BEST + 1}, f"at most {MOST_BEST}"),
        ({"sense": "up"}, "must be one of maximize, minimize"),
        ({"all_optimal": True}, "leave the limit out"),
        ({"subject": {"form": "dlx", "text": "a b\na\nb\n"}}, "without a puzzle"),
    ],
)
def test_what_cannot_be_valued_is_refused(more: dict[str, Any], said: str) -> None:
    with pytest.raises(LatcoverError, match=said):
        asked(**more)


def test_a_refusal_of_a_request_is_no_defect_of_the_server() -> None:
    with within(Settings()) as server:
        answer = server.post("/api/runs", {**WANTED, "all_optimal": True})
        assert (answer.status_code, "leave the limit out" in answer.text) == (400, True)


def test_the_objectives_that_a_puzzle_has_are_offered() -> None:
    offered = {
        name: [each.name for each in objectives_of(load(name))]
        for name in ("treasure", "pent-10x6", "soma", "live-cube", "torus-89-apart", "path-torus")
    }
    assert offered == {
        "treasure": ["gold", "noise", "crossroads", "fault-lines", "symmetry"],
        "pent-10x6": ["crossroads", "fault-lines", "symmetry"],
        "soma": ["fault-lines", "symmetry", "moves"],
        "live-cube": ["fault-lines", "symmetry", "moves"],
        "torus-89-apart": ["fault-lines"],
        "path-torus": [],
    }


@pytest.mark.long
def test_every_objective_that_is_offered_can_be_asked_for() -> None:
    for name in ("treasure", "aztec-12", "live-cube", "burr-loves-dozen"):
        for objective in objectives_of(load(name)):
            subject = {"form": "shipped", "name": name}
            answer, _ = asked(subject=subject, objective=objective.name, branches=1000)
            assert answer["summary"]["objective"] == objective.name


@pytest.mark.long
def test_the_best_are_shown_in_a_table_and_the_address_says_what_was_asked(page: Any) -> None:
    pick(page, "treasure")
    page.click("#tab-solve")
    page.click("#solve button:text-is('The best')")
    best = page.locator("#best")
    best.get_by_label("I want").select_option("maximize")
    best.get_by_label("of these").select_option("gold")
    best.get_by_label("how many solutions").fill("2")
    best.get_by_role("button", name="Find the best").click()
    status(page, "the 2 best solutions, the best with 20 pieces of gold (proved)", "#best")
    expect(best.locator("caption")).to_have_text("Proved: no other solution is better")
    expect(best.locator("tbody tr")).to_have_count(2)
    first = best.locator("figure img:visible").get_attribute("src")
    best.get_by_role("button", name="Show solution 2").click()
    assert best.locator("figure img:visible").get_attribute("src") != first
    assert page.url.endswith("#best/treasure?maximize=gold&limit=2")
    page.reload()  # the run is shown again, and what was asked
    expect(best.locator("tbody tr")).to_have_count(2, timeout=LONG)
    page.evaluate("location.hash = '#best/treasure?minimize=noise&limit=1'")
    expect(best.get_by_label("of these")).to_have_value("noise")
    expect(best.get_by_label("I want")).to_have_value("minimize")
    pick(page, "pent-10x6")
    expect(best.locator("figure:not(.ahead)")).to_be_hidden()
    expect(best.get_by_label("of these").locator("option")).to_have_count(3)
    pick(page, "path-torus")
    expect(best.get_by_role("button", name="Find the best")).to_be_hidden()


@pytest.mark.long
def test_what_is_cut_short_is_not_called_proved(page: Any) -> None:
    pick(page, "aztec-12")
    page.evaluate("location.hash = '#best/aztec-12?maximize=crossroads&limit=3'")
    best = page.locator("#best")
    best.get_by_role("button", name="Find the best").click()
    expect(best.locator(".status")).to_contain_text("so far: ", timeout=LONG)
    best.get_by_role("button", name="Stop").click()
    status(page, "cut short", "#best")
    expect(best.locator("caption")).to_have_text("Not proved: others may be better")
