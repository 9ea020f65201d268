"""Packings on the page "Best": as dense as can be, clumsy ones, and cells that keep parts out."""

from __future__ import annotations

from typing import Any

import pytest

from latcover.apps.web.best_solutions import BestSender
from latcover.apps.web.job import Talk
from latcover.apps.web.packing_jobs import _with_parts
from latcover.apps.web.settings import Settings
from latcover.core.model.rules.rule import rules_of
from latcover.core.model.rules.rule_forms import with_rules
from latcover.errors import LatcoverError
from latcover.files.formats.library import load
from tests import web_browser as app
from tests.web_browser import pick, status
from tests.web_jobs import answer_to

address, browser, tab, page = app.address, app.browser, app.tab, app.page
LONG, expect = app.LONG, app.expect
BOARD = {"form": "shipped", "name": "pent-8x8-minus-2x2"}


def asked(task: str, **more: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    return answer_to({"task": task, "subject": BOARD, **more})


@pytest.mark.parametrize(
    ("task", "more", "said"),
    [
        ("pack", {"parts": ["V"]}, "10 parts that fit: no packing has more (proved)"),
        ("pack", {"parts": ["V", "X"], "once": True}, "2 parts that fit: no packing has more (proved)"),
        ("pack", {"parts": ["V"], "own_counts": True, "cells": True}, "5 covered cells that fit: no packing has more"),
        ("pack", {"parts": ["X"], "clumsy": True}, "4 parts that leave no room for another: no packing has fewer"),
        ("exclude", {"parts": ["X"]}, "8 forbidden cells that keep X out: no choice has fewer (proved)"),
    ],
)
def test_a_region_is_packed_and_its_picture_sent(task: str, more: dict[str, Any], said: str) -> None:
    answer, events = asked(task, **more)
    assert answer["text"].startswith(said)
    assert answer["summary"]["proved"]
    pictures = [picture for event in events for picture in event.get("pictures", ())]
    assert len(pictures) == events[-1]["found"] > 0
    assert said.partition(":")[0] in pictures[-1]


def test_a_bound_is_never_better_than_what_was_found() -> None:
    for sense, bound, said in (
        ("minimize", 5, "fewer than 4"),
        ("minimize", 3, "fewer than 3, a gap of 25.0 %"),
        ("maximize", 5, "more than 5, a gap of 25.0 %"),
    ):
        sender = BestSender(Talk(lambda _: None, Settings()), sense=sense, noun="packing")
        sender.value, sender.bound = 4, bound
        assert [*sender._so_far()] == [f"no packing has {said}"]


@pytest.mark.parametrize(
    ("task", "more", "said"),
    [
        ("pack", {"parts": ["Q"]}, "no part 'Q'"),
        ("exclude", {"backend": "bitsat"}, "bitsat"),
        ("exclude", {"subject": {"form": "dlx", "text": "a b\na\nb\n"}}, "without a puzzle"),
        ("pack", {"size": 3}, "'size', which is not known"),
    ],
)
def test_what_cannot_be_packed_is_refused(task: str, more: dict[str, Any], said: str) -> None:
    with pytest.raises(LatcoverError, match=said):
        asked(task, **more)


def test_rules_about_other_parts_do_not_matter() -> None:
    puzzle = load("torus-89-apart")
    (rule,) = rules_of(puzzle)
    puzzle = with_rules(puzzle, [f"connected={','.join(rule.named_parts)}"])
    both = rules_of(puzzle)
    assert len(both) == 2
    assert rules_of(_with_parts(puzzle, ["X5"])) == ()
    assert rules_of(_with_parts(puzzle, rule.named_parts)) == both


@pytest.mark.long
def test_packings_are_shown_and_the_address_says_what_was_asked(page: Any) -> None:
    pick(page, "pent-8x8-minus-2x2")
    page.click("#tab-solve")
    page.click("#solve button:text-is('The best')")
    best = page.locator("#best")
    best.locator("label:has(> span:text-is('find')) select").select_option("exclude")
    expect(best.get_by_label("each may be used")).to_be_hidden()
    best.locator("label:has(> span:text-is('parts')) select").select_option("X")
    best.get_by_role("button", name="Find the best").click()
    status(page, "8 forbidden cells that keep X out: no choice has fewer (proved)", "#best")
    expect(best.locator("figure img:visible")).to_have_js_property("complete", True, timeout=LONG)
    assert best.locator("figure img:visible").evaluate("(image) => image.naturalWidth") > 50
    assert page.url.endswith("#best/pent-8x8-minus-2x2?find=exclude&part=X")
    page.reload()
    expect(best.locator("figcaption")).to_contain_text("8 forbidden cells", timeout=LONG)
    page.evaluate("location.hash = '#best/pent-8x8-minus-2x2?find=pack&part=V&copies=own&count=cells'")
    best.get_by_role("button", name="Find the best").click()
    status(page, "5 covered cells that fit: no packing has more (proved)", "#best")
    page.evaluate("location.hash = '#best/path-torus?find=clumsy'")
    expect(page.locator("#title")).to_have_text(load("path-torus").title, timeout=LONG)
    expect(best.locator("label:has(> span:text-is('find')) select")).to_have_value("clumsy", timeout=LONG)
    expect(best.get_by_role("button", name="Find the best")).to_be_visible()
    best.locator("label:has(> span:text-is('find')) select").select_option("best")
    expect(best.get_by_role("button", name="Find the best")).to_be_hidden()
