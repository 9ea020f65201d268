"""The page Design: puzzles that the server makes, what it refuses, and the gallery in a real browser."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

import latcover
from latcover.apps.web.settings import Settings
from tests import web_browser as app
from tests.web_jobs import messages_of
from tests.web_server import SMALL, SOMA, WebClient, patient, within

address, browser, tab, page = app.address, app.browser, app.tab, app.page
LONG, expect = app.LONG, app.expect

DOMINOES = """name = "two"
lattice = "square"
[region]
box = [2, 2]
[[parts]]
name = "domino"
count = 2
art = ["XX"]
"""


def family() -> dict[str, Any]:
    """A square of 5 by 5, and twelve pentominoes of which each may be left out."""
    opened = done(task="open", subject={"form": "shipped", "name": "pent-10x6"})["answer"]
    parts = [{**{key: part[key] for key in ("name", "from", "cells", "motions")}, "low": 0} for part in opened["parts"]]
    cells = [[0, x, y] for x in range(5) for y in range(5)]
    edits = {"name": "five", "region": {"cells": cells}, "parts": [{**part, "high": 1} for part in parts]}
    return {"form": "shipped", "name": "pent-10x6", "edits": edits}


def events(job: dict[str, Any], settings: Settings = Settings()) -> list[dict[str, Any]]:
    """What a child process of the server says of a job, done within this process."""
    return messages_of(job, settings)


def done(**job: Any) -> dict[str, Any]:
    return events(job)[-1]


def made(way: str, subject: dict[str, Any], **wanted: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The answer of a design, and what it found."""
    told = events({"task": "design", "way": way, "subject": subject, "wanted": wanted})
    assert told[-1]["event"] == "done", told[-1]
    return told[-1]["answer"], [found for event in told for found in event.get("designs", ())]


@pytest.fixture(scope="module")
def server() -> Iterator[WebClient]:
    with within(patient(runs=2, designs=20)) as asked:
        yield asked


def test_sets_are_kept_as_far_as_there_is_room(server: WebClient) -> None:
    run = server.start(task="design", way="sets", subject=family(), wanted={"search": "all"})
    standing = server.ended(run)
    assert (standing["found"], standing["kept"], standing["pausable"]) == (45, 20, True)
    assert (standing["summary"]["sets"], standing["summary"]["unique"]) == (45, 19)
    assert standing["text"].startswith("45 sets with a solution, 19 of them exactly one.\nComplete: 792 sets fit")
    at = f"/api/runs/{run}/designs"
    some = server.client.get(at, params={"from": 15}).json()["designs"]
    assert len(some) == 5
    text = server.client.get(f"{at}/15.toml")
    assert 'filename="five-16.toml"' in text.headers["content-disposition"]
    puzzle = tomllib.loads(text.text)
    assert [part["name"] for part in puzzle["parts"]] == [name for name, _ in some[0]["parts"]]
    assert puzzle["expect"]["different"] == some[0]["solutions"]
    opened = server.post("/api/open", {"subject": {"form": "toml", "text": text.text}}).json()
    assert opened["faults"] == []
    picture = server.client.get(f"{at}/15.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert all(f">{name}<" in picture.text for name, _ in some[0]["parts"])
    lines = [json.loads(line) for line in server.client.get(f"{at}.jsonl").text.splitlines()]
    assert lines[15] == {**some[0], "toml": text.text}
    assert [server.client.get(f"{at}{end}").status_code for end in ("/20.svg", "/20.toml", "?from=x")] == [
        404,
        404,
        400,
    ]
    assert server.client.get(at, params={"from": 99}).json() == {"designs": []}


def test_regions_are_found_for_fixed_parts() -> None:
    """Two dominoes cover four of the five tetrominoes, each in one way."""
    answer, found = made("regions", {"form": "toml", "text": DOMINOES}, measure="difficulty")
    assert answer["text"] == (
        "4 regions with a solution, 4 of them exactly one.\n"
        "Complete: there are 5 regions of this size, and every one was checked."
    )
    assert {one["facts"]["words"] for one in found} == {
        f"4 cells within {box}" for box in ("4 by 1", "3 by 2", "2 by 2")
    }
    for one in found:
        puzzle = tomllib.loads(one["toml"])
        assert puzzle["expect"]["different"] == one["facts"]["solutions"] == 1
        assert one["facts"]["difficulty"] >= 0


def test_a_card_says_which_play_a_cut_needs() -> None:
    text = DOMINOES.replace("square", "cubic").replace("[2, 2]", "[3, 3, 2]").replace('["XX"]', '"XX"')
    wanted = {"parts": 3, "turns": "needed", "play": 0.08, "needs_play": "0.04..", "patience": 200, "seed": 2}
    _, (found,) = made("cut", {"form": "toml", "text": text}, limit=1, **wanted)
    assert found["facts"]["needed_play"] == 0.048
    assert "needs a play of 0.048" in found["facts"]["badges"]
    assert tomllib.loads(found["toml"])["turning"]["play"] == 0.08


@pytest.mark.parametrize(
    ("way", "wanted", "words"),
    [
        ("sets", {"search": "sample", "seed": 3}, "were checked, picked at random with seed 3. There may be others."),
        ("cut", {"parts": 3, "patience": 1}, "were checked, with seed 1. There may be others."),  # always ready
    ],
)
def test_a_search_that_is_cut_short_says_so(way: str, wanted: dict[str, Any], words: str) -> None:
    told = messages_of({"task": "design", "way": way, "subject": family(), "wanted": wanted}, stopped=True)
    assert told[-1]["answer"]["summary"]["complete"] is False
    assert words in told[-1]["answer"]["text"]


@pytest.mark.parametrize(
    ("way", "subject", "wanted", "words"),
    [
        ("set", SOMA, {}, "'way' in the request"),
        (["sets"], SOMA, {}, "'way' in the request"),
        ("sets", SOMA, {}, "every part has a fixed number of copies"),
        ("sets", SOMA, [], "must be an object of names and values"),
        ("sets", {"form": "dlx", "text": "a\na\n"}, {}, "a cover problem without a puzzle"),
        ("sets", SOMA, {"sample": 3}, "has 'sample', which is not known; did you mean 'samples'"),
        ("sets", SOMA, {"at_most": "3"}, "'at_most' in what is wanted must be a whole number or null"),
        ("sets", SOMA, {"at_most": True}, "'at_most' in what is wanted must be a whole number"),
        ("sets", SOMA, {"at_most": 2, "at_least": 3}, "at least 3 and at most 2"),
        (
            "sets",
            SOMA,
            {"search": "everywhere"},
            "it must be one of all, auto, climb, sample$",
        ),
        ("sets", SOMA, {"min_level": "high"}, "'min_level' in what is wanted must be a level such as 5 or 5.2"),
        ("sets", SOMA, {"both_hands": 1}, "'both_hands' in what is wanted must be true or false"),
        ("regions", SOMA, {"search": "climb"}, "it must be one of all, auto, sample$"),
        ("cut", SMALL, {"parts": 2, "turns": "always"}, "can be lifted off; levels, orders, turns"),
        ("cut", SOMA, {"turns": "needed", "play": 0.3}, "'play' in what is wanted must be"),
        ("cut", SOMA, {"turns": "needed", "needs_play": "0.03..0.02"}, "the least first, as in 0.02..0.03"),
        ("cut", SOMA, {"needs_play": "0.02.."}, "let parts turn"),
        ("cut", SMALL, {"parts": 10}, "can be cut into 2 to 9 parts"),
        ("grow", SMALL, {}, "lie in a plane"),
        ("grow", SOMA, {"hold": ["Q"]}, "soma has no part 'Q' to hold"),
        ("cut", SMALL, {"parts": 3, "sizes": "1 2 3"}, "3 numbers with the sum 9"),
        (
            "cut",
            SMALL,
            {"parts": 3, "sizes": "3-4-x"},
            "'sizes' in what is wanted must be numbers of cells such as 4..6",
        ),
    ],
)
def test_what_cannot_be_made_is_explained(way: Any, subject: dict[str, Any], wanted: Any, words: str) -> None:
    end = done(task="design", way=way, subject=subject, wanted=wanted)
    assert end["event"] == "fault"
    assert re.search(words, end["fault"]["message"])
    assert "defect" not in end["fault"]["message"]


@pytest.mark.long
def test_sets_of_pentominoes_are_designed_and_one_is_opened(page: Any) -> None:
    """From the twelve pentominoes to those that fill 5 by 5; and back to the gallery, also after a reload."""
    app.pick(page, "pent-10x6")
    page.get_by_label("lengths of the box").fill("5 5")
    page.get_by_role("button", name="Make it a box").click()
    page.click("#tab-design")
    page.get_by_role("button", name="Make all parts optional").click()
    page.get_by_role("button", name="Open copy").click()
    design = page.locator("#design")
    design.get_by_label("show sets with").select_option("any")
    design.get_by_role("button", name="Find puzzles").click()
    app.status(page, "45 sets with a solution, 19 of them exactly one.", "#design")
    app.status(page, "Complete: 792 sets fit by volume", "#design")
    heading = design.get_by_role("heading", name="Gallery")
    expect(heading).to_have_text("Gallery: 45 puzzles", timeout=LONG)
    expect(design.locator(".made")).to_have_count(24)
    design.get_by_label("next page").click()
    expect(design.locator(".made")).to_have_count(21)
    design.get_by_label("only puzzles with one solution").check()
    expect(design.locator(".made")).to_have_count(19)
    first = design.locator(".made").first
    expect(first).to_contain_text("F L P U W")
    expect(first).to_contain_text("one solution")
    drawn = "image => image.complete && image.naturalWidth > 0"
    page.wait_for_function(drawn, arg=first.locator("img").element_handle(), timeout=LONG)
    first.locator(".picture").click()
    expect(page.locator("dialog")).to_contain_text("counted again by")
    page.keyboard.press("ArrowRight")
    expect(page.locator("dialog h3")).to_contain_text("F L P U X")
    page.keyboard.press("Escape")
    first.get_by_role("button", name="Open in the editor").click()
    expect(page.locator("#puzzle .sum")).to_have_text("25 to fill · 25 of 25 held", timeout=LONG)
    expect(page).to_have_url(re.compile("#puzzle/~"))
    page.go_back()
    expect(heading).to_have_text("Gallery: 45 puzzles", timeout=LONG)
    page.reload()
    expect(heading).to_have_text("Gallery: 45 puzzles", timeout=LONG)
    expect(design.get_by_label("show sets with")).to_have_value("any")
    design.locator(".made").first.get_by_role("button", name="Solve").click()
    page.click("#solve button:text-is('Solve')")
    app.status(page, "1 solution")


@pytest.mark.long
def test_a_region_is_cut(page: Any) -> None:
    app.pick(page, "soma")
    page.click("#tab-design")
    design = page.locator("#design")
    expect(design.get_by_role("button", name="Find puzzles")).to_be_hidden()  # there are no sets of fixed parts
    design.get_by_role("button", name="Cut the region").click()
    design.get_by_label("number of parts").fill("4")
    design.get_by_label("puzzle limit").fill("1")
    design.locator(".more summary").click()
    design.get_by_label("restart after").fill("0")
    design.get_by_role("button", name="Find puzzles").click()
    expect(design.locator(".faults").first).to_contain_text("one of the fields")
    design.get_by_label("restart after").fill("20")
    design.get_by_role("button", name="Find puzzles").click()
    app.status(page, "1 puzzle of 4 parts with exactly one solution.", "#design")
    app.status(page, "There may be others.", "#design")
    expect(design.locator(".made")).to_contain_text("level 1", timeout=LONG)
    with page.expect_download() as download:
        design.locator(".made").get_by_text("Download").click()
    cut = latcover.load(str(download.value.path()))
    assert sum(part.low for part in cut.parts) == 4
    assert latcover.count(cut).different == 1
    expect(design.get_by_label("bevel")).to_be_hidden()
    design.get_by_label("parts may turn").select_option(label="some must")
    design.get_by_label("number of parts").fill("3")
    design.get_by_label("empty cells inside").fill("1")
    design.locator('input[name="play"]').fill("0.3")
    design.get_by_role("button", name="Find puzzles").click()
    expect(design.locator(".faults").first).to_contain_text("one of the fields")
    design.locator('input[name="play"]').fill("0.15")
    design.get_by_role("button", name="Find puzzles").click()
    app.status(page, "1 puzzle of 3 parts with exactly one solution, with up to 1 turn.", "#design")
    expect(design.locator(".made")).to_contain_text("1 turn", timeout=LONG)
