"""Nothing is lost: steps, versions, whole files with their problems and comments, and a server that ends."""

from __future__ import annotations

import base64
import gzip
import re
import socket
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from latcover.apps.publishing.puzzle_data import play_data
from latcover.core.encoding.prepared import prepare
from latcover.core.model.puzzle import Part, Puzzle, Region, as_cells
from latcover.core.solving.count import count
from latcover.files.formats.burrtools.burrtools_writer import write
from latcover.files.formats.burrtools.grids import GRIDS
from latcover.files.formats.library import load, load_all, load_lattice, loads
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.show.drawing.space.scene_data import drawn_puzzle
from latcover.system.streams import own_address
from tests import web_browser as app
from tests.web_browser import LONG, answer, expect, pick, status
from tests.web_jobs import file_in, messages_of
from tests.web_server import Server

address, browser, tab, page = app.address, app.browser, app.tab, app.page
COMMENT = "Made for a test.\n\n  It has <several> lines & \"signs\" \\ 'of' all kinds."


# ---- whole files, without a browser


def done(**job: Any) -> tuple[dict[str, Any], bytes]:
    """The answer to a job, and the file that it sends."""
    told = messages_of(job)
    assert told[-1]["event"] == "done", told[-1]
    return told[-1]["answer"], file_in(told)


def read(name: str, content: bytes) -> dict[str, Any]:
    return done(task="read", files=[{"name": name, "content": base64.b64encode(content).decode()}])[0]


def test_a_part_has_one_colour_from_its_making_on() -> None:
    """In the editor, in space and in play; also when another part was taken away."""
    opened = done(task="open", subject={"form": "shipped", "name": "soma"})[0]
    _, *others = opened["parts"]
    keep = ("name", "from", "cells", "motions", "low", "high")
    parts = [{key: part[key] for key in keep} | {"display_colour": part["rgb"]} for part in others]
    edits = {"name": "six", "region": {"cells": [[0, x, y, 0] for x in range(6) for y in range(4)]}, "parts": parts}
    subject = {"form": "shipped", "name": "soma", "edits": edits}
    told = [part["rgb"] for part in others]
    assert [part["rgb"] for part in done(task="open", subject=subject)[0]["parts"]] == told
    puzzle = loads(done(task="open", subject=subject)[0]["toml"])
    assert [part.colours[0] for part in drawn_puzzle(puzzle).parts] == told
    assert [part.colours[0] for part in play_data(prepare(puzzle)).parts] == told


def whole(subject: dict[str, Any], problems: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {**{key: value for key, value in subject.items() if key != "problem"}, "problems": problems, **more}


def small(lattice: str) -> Puzzle:
    """Two copies of a part of one cell, in a region of two cells."""
    found = load_lattice(lattice)
    cells = as_cells([(0, 0, 0, 0)], 3)
    region = Region(as_cells([(0, 0, 0, 0), (0, 1, 0, 0)], 3))
    motions = found.allowed("rotations")
    return Puzzle(
        f"two of {lattice}", found, region, (Part("one", cells, low=2, transformations=motions, lattice=found),)
    )


@pytest.mark.parametrize("lattice", [grid.lattice for grid in GRIDS.values()])
def test_a_burrtools_file_is_saved_and_opened_again(lattice: str) -> None:
    puzzle = replace(small(lattice), comment=COMMENT)
    subject = {"form": "toml", "text": puzzle_as_toml([puzzle])}
    made, content = done(task="export", form="xmpuzzle", subject=whole(subject, [{"edits": None}]))
    assert made["name"].endswith(".xmpuzzle")
    opened = read("again.xmpuzzle", content)
    assert (opened["name"], opened["comment"], opened["left_out"]) == (puzzle.name, COMMENT, [])
    again = loads(opened["toml"])
    assert count(again).total == count(puzzle).total
    assert done(task="export", form="xmpuzzle", subject=opened["subject"])[1]


def test_a_file_of_several_problems_stays_whole() -> None:
    puzzles = [replace(load("soma"), comment=COMMENT), replace(load("soma"), name="second", comment=COMMENT)]
    opened = read(
        "several.xmpuzzle",
        b"".join(
            write(
                puzzles,
            )
        ),
    )
    assert [problem["name"] for problem in opened["problems"]] == ["soma", "second"]
    assert opened["file"] == "several"
    second = done(task="open", subject={**opened["subject"], "problem": "second"})[0]
    parts = [{key: part[key] for key in ("name", "from", "cells", "motions")} for part in second["parts"]]
    edits = {"name": "third", "region": {"cells": second["region"]["cells"]}, "parts": parts[:-1]}
    problems = [{"problem": "soma", "edits": None}, {"problem": "second", "edits": edits}]
    subject = whole(opened["subject"], problems, comment="Another.\r\n")
    for form in ("toml", "xmpuzzle"):
        made, content = done(task="export", form=form, subject=subject, name=opened["file"])
        assert made["name"] == f"several.{form}"
        found = read(made["name"], content)
        assert [problem["name"] for problem in found["problems"]] == ["soma", "third"]
        assert found["comment"] == "Another."
        third = done(task="open", subject={**found["subject"], "problem": "third"})[0]
        assert [len(third["parts"]), third["comment"]] == [6, "Another."]


def test_what_cannot_be_taken_of_a_file_is_said() -> None:
    odd = re.sub("<result[^>]*>", "", _text([replace(load("soma"), name="odd")]))
    two = _text([load("soma")]).replace(
        "</problems>", odd[odd.index("<problem ") : odd.index("</problems>")] + "</problems>"
    )
    opened = read("two.xmpuzzle", two.encode())
    assert opened["problems"] == []
    (lost,) = opened["left_out"]
    assert lost["name"] == "odd"
    assert "no result shape" in lost["fault"]


def _text(puzzles: list[Puzzle]) -> str:
    return gzip.decompress(b"".join(write(puzzles))).decode()


def test_comments_stand_in_files(tmp_path: Path) -> None:
    text = puzzle_as_toml([replace(load("soma"), comment=COMMENT)])
    assert '\ncomment = """\nMade for a test.\n\n  It has' in text
    assert loads(text).comment == COMMENT
    two = puzzle_as_toml([replace(load("soma"), comment="one\ntwo"), replace(load("soma"), name="x")])
    (tmp_path / "two.toml").write_text(two)
    assert [puzzle.comment for puzzle in load_all(str(tmp_path / "two.toml"))] == ["one\ntwo", ""]


# ---- in the browser


def cells(page: Any, number: int) -> None:
    expect(page.locator("#puzzle .sum")).to_contain_text(f"{number} to fill", timeout=LONG)


def empty_one(page: Any) -> None:
    page.locator("#puzzle .grid").first.locator(".cell.in").first.click()


def step(page: Any, name: str, number: int) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    cells(page, number)


@pytest.mark.long
def test_undo_and_versions_outlast_a_reload(page: Any) -> None:
    pick(page, "soma")
    for number in (26, 25):
        empty_one(page)
        cells(page, number)
    page.locator("#puzzle-name").fill("mine")
    page.locator("#puzzle-name").press("Tab")
    page.get_by_role("button", name="Versions").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("name of this version").fill("before supper")
    dialog.get_by_role("button", name="Keep this version").click()
    expect(dialog.locator(".version")).to_have_count(2)  # and as it was opened
    dialog.get_by_role("button", name="Close").click()
    page.reload()
    cells(page, 25)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator("#puzzle-name")).to_have_value("soma")
    step(page, "Undo", 26)
    step(page, "Undo", 27)
    expect(page).to_have_url(re.compile("#puzzle/soma$"))
    page.reload()
    cells(page, 27)
    step(page, "Redo", 26)
    page.get_by_role("button", name="Versions").click()
    dialog.locator(".version", has_text="before supper").click()
    cells(page, 26)  # to look at one changes nothing
    dialog.get_by_role("button", name="Restore this version").click()
    cells(page, 25)
    step(page, "Undo", 26)  # which is a change as any other
    page.get_by_role("button", name="Versions").click()
    expect(dialog.locator(".version", has_text="before a version was restored")).to_have_count(1)
    page.go_back()  # closes it
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.long
def test_all_problems_of_a_file_are_edited(page: Any, tmp_path: Path) -> None:
    file = tmp_path / "two.xmpuzzle"
    file.write_bytes(b"".join(write([replace(load("soma"), comment=COMMENT), replace(load("soma"), name="second")])))
    page.set_input_files("#upload", file)
    problem = page.locator("#problem")
    expect(problem).to_have_value("soma", timeout=LONG)
    page.locator("#puzzle .parts .pick").nth(1).click()
    page.locator("#puzzle .edited .cell.in").first.click()
    total = page.locator("#puzzle .sum")
    expect(total).to_contain_text("26 of 27 held")
    page.get_by_role("button", name="Change 1 part in the other problems too").click()
    expect(page.locator(".sharing")).to_contain_text("1 part in 1 other problem changed")
    problem.select_option("second")
    expect(total).to_contain_text("26 of 27 held", timeout=LONG)
    expect(page).to_have_url(re.compile("#puzzle/~[a-z0-9]*/second$"))
    empty_one(page)
    cells(page, 26)
    page.get_by_role("button", name="Comment: Made for a test.").click()
    page.get_by_label("Comment", exact=True).fill("New.\nComment")
    answer(page, "Save comment")
    expect(page.locator("#puzzle .verdict")).to_contain_text("part 'T' equals part 'V'", timeout=LONG)
    page.go_back()
    expect(problem).to_have_value("soma", timeout=LONG)
    empty_one(page)
    expect(total).to_contain_text("26 to fill · 26 of 26 held")
    page.reload()
    expect(problem).to_have_value("soma", timeout=LONG)
    with page.expect_download() as download:
        app.download(page, "Save as BurrTools file")
    download.value.save_as(tmp_path / "again.xmpuzzle")
    again = load_all(str(tmp_path / "again.xmpuzzle"))
    assert [(puzzle.name, puzzle.comment, len(puzzle.region.cells)) for puzzle in again] == [
        ("soma", "New.\nComment", 26),
        ("second", "New.\nComment", 26),
    ]
    with page.expect_download() as download:
        app.download(page, "Save as TOML")
    puzzles = tomllib.loads(Path(download.value.path()).read_text("utf-8"))["puzzles"]
    assert [puzzle["name"] for puzzle in puzzles] == ["soma", "second"]
    page.get_by_role("button", name="Undo", exact=True).click()
    cells(page, 27)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator("#file")).to_contain_text("Comment: Made for a test.")
    page.get_by_role("button", name="Undo", exact=True).click()  # in the other problem, which is shown
    expect(problem).to_have_value("second", timeout=LONG)
    cells(page, 27)


@pytest.mark.long
def test_what_no_burrtools_file_can_say_is_named(page: Any) -> None:
    sheet = app.saving(page)
    sheet.get_by_role("button", name="Save as BurrTools file (.xmpuzzle)").click()
    expect(sheet.get_by_role("alert")).to_contain_text("BurrTools has no grid for the lattice", timeout=LONG)


@pytest.fixture
def fresh(browser: Any) -> Iterator[Any]:
    """A tab whose console nobody listens to."""
    context = browser.new_context(viewport={"width": 1000, "height": 700}, reduced_motion="reduce")
    context.set_default_timeout(LONG)
    yield context.new_page()
    context.close()


@pytest.fixture
def port() -> Iterator[str]:
    """A port that no other program is given, and a server has when it asks for it."""
    with socket.socket() as held:  # it listens to nobody
        own_address(held)
        held.bind(("127.0.0.1", 0))
        yield str(held.getsockname()[1])


@pytest.mark.long
def test_a_server_that_is_killed_loses_nothing(fresh: Any, port: str) -> None:
    server = Server("--port", port)
    fresh.goto(f"{server.url}/#puzzle/pent-10x6")
    cells(fresh, 60)
    fresh.click("#tab-solve")
    app.options(fresh).get_by_label("backend").select_option("dlx")
    fresh.click("#solve button:text-is('Solve')")
    status(fresh, "branches")
    server.process.kill()
    server.close()
    told = fresh.locator("#server")
    expect(told).to_contain_text("The server does not answer. You can go on editing", timeout=LONG)
    fresh.click("#tab-puzzle")
    empty_one(fresh)
    cells(fresh, 59)
    expect(fresh.locator("#puzzle .verdict")).to_contain_text("the server does not answer", timeout=LONG)
    again = Server("--port", port)
    expect(told).to_contain_text("The server is back.", timeout=LONG)
    expect(fresh.locator("#puzzle .live")).to_be_hidden(timeout=LONG)
    fresh.click("#tab-solve")
    expect(fresh.locator("#solve .run .faults").first).to_contain_text("the run is lost", timeout=LONG)
    fresh.reload()
    cells(fresh, 59)
    again.close()


@pytest.mark.long
def test_the_address_says_which_solution_is_shown(page: Any) -> None:
    pick(page, "fig4-3x3")
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    status(page, "2 solutions")
    page.get_by_label("last", exact=True).click()
    expect(page).to_have_url(re.compile("#solve/fig4-3x3[?]solution=2$"))
    page.click("#tab-puzzle")
    expect(page).to_have_url(re.compile("#puzzle/fig4-3x3$"))
    page.go_back()
    page.reload()
    expect(page.get_by_label("solution number")).to_have_value("2", timeout=LONG)
    status(page, "2 solutions")
    expect(page).to_have_url(re.compile("#solve/fig4-3x3[?]solution=2$"))
    app.look(page, "3D")
    pick(page, "example-2x2")
    expect(page).to_have_url(re.compile("#solve/example-2x2$"))  # what was shown of another puzzle says nothing here
    page.go_back()
    expect(page).to_have_url(re.compile("#solve/fig4-3x3[?]solution=2&view=space$"))
    page.evaluate("() => sessionStorage.clear()")  # as for a friend who has got the address
    page.reload()
    expect(page.get_by_label("solution number")).to_have_value("2", timeout=LONG)
    expect(page.get_by_role("button", name="3D")).to_have_attribute("aria-pressed", "true")


@pytest.mark.long
def test_two_tabs_of_one_design_do_not_overwrite_each_other(page: Any) -> None:
    pick(page, "soma")
    empty_one(page)
    cells(page, 26)
    expect(page).to_have_url(re.compile("#puzzle/~"))
    other = page.context.new_page()
    other.set_default_timeout(LONG)
    other.goto(page.url)
    cells(other, 26)
    empty_one(page)
    empty_one(page)
    cells(page, 24)
    empty_one(other)
    cells(other, 25)
    expect(other).not_to_have_url(page.url)
    for tab, before in ((page, (25, 26, 27)), (other, (26, 27))):
        tab.reload()
        cells(tab, before[0] - 1)
        for number in before:
            step(tab, "Undo", number)
    other.close()
