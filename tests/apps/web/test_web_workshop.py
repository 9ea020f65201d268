"""A puzzle of one's own in the web app, from nothing to a printed instruction sheet, as a designer lives it."""

from __future__ import annotations

import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import latcover
from latcover.apps.web.job import Talk
from latcover.apps.web.paper import sheets_as_pdf
from latcover.apps.web.settings import Settings
from latcover.apps.web.tasks import Sheet
from latcover.errors import BackendUnavailableError, LatcoverError
from latcover.system.decoding import decoded
from latcover.system.extras import install_line
from tests import web_browser as app
from tests.web_browser import LONG, expect, side_in_space, status

address, browser, tab, page = app.address, app.browser, app.tab, app.page
MOST_CLICKS = 80  # a person does them in five minutes
BEFORE = "64 to fill · 40 to 64 of 64 held"
FIELDS = ("name =", "title =", "source =")  # what a file of BurrTools says in other words


class Hand:
    """What a hand does on the page. It counts: a choice in a list is two clicks, a field is one and its typing."""

    def __init__(self, page: Any) -> None:
        self.page, self.clicks = page, 0

    def click(self, place: Any) -> None:
        place.click()
        self.clicks += 1

    def point(self, place: list[float]) -> None:
        """Click at a point of the window."""
        self.page.mouse.click(*place)
        self.clicks += 1

    def choose(self, place: Any, value: str) -> None:
        place.select_option(value)
        self.clicks += 2

    def write(self, place: Any, text: str) -> None:
        """Write in a field, and leave it."""
        place.fill(text)
        place.dispatch_event("change")
        self.clicks += 1

    def takes(self, place: Any) -> Any:
        """Click, and get the file that comes."""
        with self.page.expect_download() as download:
            self.click(place)
        return download.value

    def page_called(self, name: str) -> None:
        self.click(self.page.locator(f"#tab-{name}"))


def button(place: Any, words: str) -> Any:
    return place.get_by_role("button", name=words, exact=True)


def named(hand: Hand, name: str) -> Any:
    """The pane of the part that is edited, which gets a name."""
    part = hand.page.locator("#puzzle .edited")
    hand.write(part.get_by_label("name of the part"), name)
    return part


def slab(hand: Hand, part: Any) -> None:
    """A layer of four by four, by the tools."""
    hand.click(part.get_by_role("button", name="Tools"))
    hand.write(part.get_by_label("lengths of the box"), "4 4 1")
    hand.click(button(part, "Make it a box"))
    expect(part.locator(".cell.in")).to_have_count(16)
    hand.click(part.get_by_role("button", name="Tools"))


def corner(part: Any) -> list[int]:
    """The cell of a shape in one layer that has the least coordinates."""
    cells = part.locator(".cell.in").evaluate_all("all => all.map((one) => one.cell)")
    return [min(each) for each in zip(*cells, strict=True)]


def drawn_in_space(hand: Hand, part: Any) -> None:
    """Four cells upon the middle of the slab, by clicks on its faces."""
    canvas = part.locator("canvas")
    expect(canvas).to_be_visible(timeout=LONG)
    hand.page.wait_for_function(
        "() => [...document.querySelectorAll('canvas')].some((e) => e.pointOf && e.width !== 300)"
    )
    node, x, y, z = corner(part)
    middle = [[node, x + dx, y + dy, z] for dx in (1, 2) for dy in (1, 2)]

    def top(cell: list[int]) -> list[float]:
        """Where the upper face of a cell is seen."""
        above = [*cell[:3], cell[3] + 1]
        return side_in_space(canvas, cell, above)

    for n, cell in enumerate(sorted(middle, key=lambda cell: top(cell)[1]), 17):  # from the back to the front
        canvas.scroll_into_view_if_needed()
        hand.point(top(cell))
        expect(hand.page.locator("#puzzle .pick[aria-pressed='true'] .copies")).to_have_text(f"{n} cells")


def cell_of(part: Any, place: list[int]) -> Any:
    return part.get_by_label(re.compile(f"^cell {', '.join(map(str, place[1:]))}:"))


def told(page: Any) -> list[str]:
    """The puzzle's file, as the sheet Save shows it once it is judged."""
    text = page.locator(".save-sheet .listing")
    expect(text).to_contain_text("count = 4", timeout=LONG)
    return [line for line in text.inner_text().splitlines() if not line.startswith(FIELDS)]


def whole(page: Any) -> None:
    """The parts are those of the story, and fill the region."""
    expect(page.locator("#puzzle .sum")).to_have_text("64 to fill · 64 of 64 held", timeout=LONG)
    expect(page.get_by_text("Ready to solve")).to_be_visible(timeout=LONG)


def begun(hand: Hand, page: Any) -> None:
    """A new puzzle, and its region."""
    hand.click(page.locator("#all"))
    hand.click(button(page.locator("#starting"), "cubes"))
    region = page.locator("#puzzle section[aria-label='Region']")
    expect(region.locator(".cell.in")).to_have_count(4, timeout=LONG)
    hand.write(region.get_by_label("lengths of the box"), "4 4 4")
    hand.click(button(region, "Make it a box"))
    expect(region.locator(".cell.in")).to_have_count(16)
    hand.write(page.locator("#puzzle-name"), "four towers")


def parts_drawn(hand: Hand, page: Any) -> None:
    """A slab with a block upon it, a frame, and a T of two layers that is there four times."""
    hand.click(page.locator("#puzzle .parts .pick").first)
    base = named(hand, "base")
    slab(hand, base)
    drawn_in_space(hand, base)
    hand.click(button(page, "Add a part"))
    frame = named(hand, "frame")
    slab(hand, frame)
    node, x, y, z = corner(frame)
    for dx, dy in ((1, 1), (2, 1), (1, 2), (2, 2)):
        hand.click(cell_of(frame, [node, x + dx, y + dy, z]))
    expect(frame.locator(".cell.in")).to_have_count(12)
    hand.click(button(page, "Add a part"))
    tee = named(hand, "T")
    node, x, y, z = corner(tee)
    for dx, dy in ((-1, 0), (1, 0), (0, 1)):
        hand.click(cell_of(tee, [node, x + dx, y + dy, z]))
    hand.click(tee.get_by_label("copy this layer to the one above"))
    expect(tee.locator(".caption")).to_have_text("layer 2 of 2")
    hand.write(tee.get_by_label("at most"), "4")
    hand.write(tee.get_by_label("at least"), "4")
    whole(page)


def reloaded(hand: Hand, page: Any) -> None:
    """A reload loses nothing, and Undo and Redo go across it."""
    total = page.locator("#puzzle .sum")
    page.reload()
    hand.clicks += 1
    whole(page)
    assert page.locator("#puzzle .parts strong").all_inner_texts() == ["base", "frame", "T"]
    hand.click(button(page, "Undo"))
    expect(total).to_have_text(BEFORE)
    page.reload()
    hand.clicks += 1
    expect(total).to_have_text(BEFORE, timeout=LONG)
    hand.click(button(page, "Redo"))
    whole(page)


def saved_and_opened(hand: Hand, page: Any, file: Path) -> None:
    """As a file of BurrTools, and back."""
    hand.click(page.locator("#save"))
    before = told(page)
    taken = hand.takes(button(page.locator(".save-sheet"), "Save as BurrTools file (.xmpuzzle)"))
    assert taken.suggested_filename == file.name
    taken.save_as(file)
    hand.click(button(page.locator(".save-sheet"), "Close"))
    own = page.url
    page.set_input_files("#upload", file)
    hand.clicks += 3
    expect(page).not_to_have_url(own, timeout=LONG)
    hand.click(page.locator("#save"))
    expect(page.locator(".save-sheet .listing")).to_contain_text("burrtools", ignore_case=True, timeout=LONG)
    assert told(page) == before
    hand.click(button(page.locator(".save-sheet"), "Close"))


def solved(hand: Hand, page: Any) -> None:
    """All solutions; the first one taken apart, and played to its end."""
    solve = page.locator("#solve")
    hand.page_called("solve")
    hand.click(button(solve, "Solve"))
    status(page, "2 solutions")
    hand.page_called("apart")
    solve = page.locator("#apart")
    player = solve.locator(".latcover-viewer")
    expect(player).to_have_attribute("data-moves", re.compile("[1-9]"), timeout=LONG)
    hand.click(solve.locator("button[aria-label^='All apart']"))
    expect(player).to_have_attribute("data-move", player.get_attribute("data-moves"), timeout=LONG)


def printed(hand: Hand, page: Any) -> None:
    """The instructions of the solution, and a poster of all."""
    hand.click(page.locator("#save"))
    paper = page.get_by_role("form", name="Save for paper")
    save = button(paper, "Save as PDF")
    hand.write(paper.get_by_label("title"), "Four towers")
    hand.choose(paper.get_by_label(re.compile("^paper")), "A5")
    if find_spec("typst"):
        assert pages_of(hand.takes(save)) == 4  # the cover, the parts, the steps on two sheets
        hand.choose(paper.get_by_label("document"), "all")
        assert pages_of(hand.takes(save)) == 1
    else:
        hand.click(save)
        expect(page.locator(".save-sheet").get_by_role("alert")).to_contain_text(install_line("paper"), timeout=LONG)


@pytest.mark.long
def test_from_nothing_to_an_instruction_sheet(page: Any, tmp_path: Path) -> None:
    hand = Hand(page)
    begun(hand, page)
    parts_drawn(hand, page)
    reloaded(hand, page)
    saved_and_opened(hand, page, tmp_path / "four-towers.xmpuzzle")
    solved(hand, page)
    printed(hand, page)
    print(f"{hand.clicks} clicks")
    assert hand.clicks <= MOST_CLICKS


def pages_of(file: Any) -> int:
    data = Path(file.path()).read_bytes()
    assert data.startswith(b"%PDF")
    return int(re.search(rb"/Type/Pages/Count (\d+)", data)[1])  # type: ignore[index]


def made(form: str, some: int, sheet: Any = None) -> bytes:
    puzzle = latcover.load("fig4-3x3")
    found = list(latcover.solutions(puzzle))[:some]
    return sheets_as_pdf(
        puzzle, found, form, decoded(Sheet, sheet or {}, "the sheet"), Talk(lambda _: None, Settings())
    )


@pytest.mark.parametrize("form", ["instructions", "poster"])
def test_where_typst_is_missing_its_install_line_is_told(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(BackendUnavailableError, match=re.escape(install_line("paper"))):
        made(form, 1)


@pytest.mark.parametrize(
    ("form", "some", "sheet", "words"),
    [
        ("poster", 0, {}, "find one first"),
        ("instructions", 2, {}, "one solution"),
        ("poster", 1, {"paper": "A9"}, "no paper is called 'A9'"),
        ("poster", 1, {"paper": 4}, "'paper' in the sheet must be a text"),
        ("poster", 1, {"columns": 0}, "a whole number, at least 1"),
        ("poster", 1, {"columns": True}, "a whole number"),
        ("poster", 1, {"title": "x" * 201}, "at most 200"),
        ("poster", 1, {"title": "\x07"}, "no picture can hold"),
        ("poster", 1, {"size": 1}, "has 'size', which is not known"),
        ("poster", 1, [1], "the sheet must be an object"),
    ],
)
def test_sheets_that_cannot_be_are_refused(
    form: str, some: int, sheet: Any, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "typst", sys)  # nothing here gets as far
    with pytest.raises(LatcoverError, match=words):
        made(form, some, sheet)
