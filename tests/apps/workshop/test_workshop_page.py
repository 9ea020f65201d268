"""The workshop of a published site in a real browser, opened as a file. Without Chromium it is skipped."""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import latcover
from latcover.apps.publishing.site import site_files, write_site
from latcover.apps.workshop.workshop_site import PACKAGES, workshop_files
from latcover.core.model.puzzle import Bounds, Part, Region, as_cells
from latcover.files.formats.burrtools.burrtools_writer import write
from latcover.files.formats.burrtools.grids import GRIDS
from latcover.files.formats.library import load_lattice, read
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.files.formats.source import Source, shipped
from latcover.show.drawing.space.linking import linked
from tests import chromium
from tests.chromium import LONG, expect, serious_faults
from tests.command_line import DONE, run
from tests.web_browser import library, options, side_in_space, status

browser = chromium.browser
pytestmark = pytest.mark.long
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a site that is a workshop alone."""
    folder = tmp_path_factory.mktemp("site")
    write_site(folder, site_files("Workshop", [], more=workshop_files("", [], Bounds())), 0)
    return (folder / "index.html").as_uri()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """The page for somebody who was never here; at the end it must have no error, and must have asked nobody."""
    with_errors: list[str] = []
    asked: list[str] = []
    opened = browser.new_context(viewport={"width": 1280, "height": 860}, reduced_motion="reduce").new_page()
    opened.set_default_timeout(LONG)
    opened.on("pageerror", lambda error: with_errors.append(str(error)))
    opened.on("console", lambda message: message.type == "error" and with_errors.append(message.text))
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(address)
    yield opened
    assert with_errors == []
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
    opened.context.close()


def read_file(page: Any, name: str, text: str) -> None:
    """Open a puzzle file."""
    page.set_input_files("#upload", {"name": name, "mimeType": "application/toml", "buffer": text.encode()})


def solved(page: Any, words: str | re.Pattern[str]) -> None:
    """Search for all solutions, which ends with these words."""
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    expect(page.locator("#solve .run .status span").first).to_have_text(words, timeout=LONG)


def test_one_draws_solves_saves_and_comes_back(page: Any, tmp_path: Path) -> None:
    page.click("text=squares")
    expect(page.locator("#puzzle .sum")).to_have_text("16 to fill · 1 of 16 held")
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    expect(page.locator("#solve")).to_contain_text("the volume cannot fit: the region has 16 cells, the parts hold 1")
    page.click("#tab-puzzle")
    page.locator("#puzzle .parts .pick").click()
    part = page.locator("#puzzle .edited")
    part.locator(".cell[aria-label*='1, 0']").first.click()
    part.locator("text=at most").locator("xpath=ancestor::label//input").fill("8")
    part.locator("text=at least").locator("xpath=ancestor::label//input").fill("8")
    part.locator("text=at least").locator("xpath=ancestor::label//input").press("Tab")
    expect(page.locator("#puzzle .good")).to_be_visible()
    # The square of side 4 has 36 tilings with dominoes, 9 essentially different.
    solved(page, "9 solutions different under rotations and reflections, 36 in all.")
    options(page).get_by_label("count as the same").select_option("none")
    status(page, re.compile("36 solutions in all."))  # a small puzzle needs no button
    page.click("#tab-puzzle")
    with page.expect_download() as saving:
        page.click("#save")
        page.click("text=Save as TOML")
    saving.value.save_as(tmp_path / "mine.toml")
    page.keyboard.press("Escape")
    counted = run("count", str(tmp_path / "mine.toml"))
    assert "9 solutions different under rotations and reflections, 36 in all" in counted.stdout
    page.reload()
    expect(page.locator("#puzzle .sum")).to_have_text("16 to fill · 16 of 16 held")
    page.click("#all")
    expect(page.locator("#starting .card strong").first).to_have_text("my puzzle")


def test_a_puzzle_in_space_is_played_solved_and_taken_apart(page: Any) -> None:
    read_file(page, "soma.toml", puzzle_as_toml([latcover.load("soma")]))
    expect(page.locator("#puzzle .good")).to_be_visible()
    page.click("#tab-play")
    expect(page.locator("#play canvas").first).to_be_visible()
    solved(page, "240 solutions different under rotations and reflections, 11,520 in all.")
    page.click("#tab-apart")
    expect(page.locator("#apart .latcover-viewer")).to_contain_text("it comes apart with level", timeout=LONG)


def test_a_puzzle_is_sent_as_a_link_and_one_of_the_app_is_opened(page: Any, address: str) -> None:
    word = urlsafe_b64encode(zlib.compress(puzzle_as_toml([latcover.load("soma")]).encode())).decode().rstrip("=")
    page.goto("about:blank")
    page.goto(f"{address}#solve/={word}")  # as the app writes it
    expect(page.locator("#title")).to_have_text("the Soma cube")
    expect(page.locator("#solve")).to_be_visible()
    page.click("#tab-puzzle")
    page.locator("#puzzle-name").fill("mine")
    page.get_by_role("button", name="Send as a link").click()
    link = page.get_by_label("link", exact=True).input_value()
    page.locator("dialog").get_by_role("button", name="Close").click()
    page.evaluate("() => (localStorage.clear(), sessionStorage.clear())")
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#puzzle-name")).to_have_value("mine")
    page.goto("about:blank")
    stored = "() => Object.keys(localStorage).filter((key) => key.startsWith('latcover.design.')).length"
    page.goto(f"{address}#puzzle/={word[:-9]}")
    expect(page.locator("#fault")).to_contain_text("the link is damaged")
    expect(page.locator("#starting")).to_be_visible()
    assert page.evaluate(stored) == 1, "an empty puzzle is left behind"


def test_a_region_is_cut_into_parts_that_fit_in_one_way(page: Any, tmp_path: Path) -> None:
    page.click("text=squares")
    page.click("#tab-design")
    page.get_by_label("number of parts").fill("4")
    page.get_by_label("puzzle limit").fill("2")
    page.click("text=Find puzzles")
    status(page, "2 puzzles of 4 parts with exactly one solution.", "#design")
    expect(page.locator("#design .made img")).to_have_count(2)
    page.locator("#design .made").first.get_by_role("button", name="Open in the editor").click()
    expect(page.locator("#puzzle .sum")).to_have_text("16 to fill · 16 of 16 held")
    solved(page, re.compile("^1 solution different under rotations and reflections"))
    page.click("#tab-puzzle")
    with page.expect_download() as saving:
        page.click("#save")
        page.click("text=Save as TOML")
    saving.value.save_as(tmp_path / "cut.toml")
    page.keyboard.press("Escape")
    assert "1 solution different under" in run("count", str(tmp_path / "cut.toml")).stdout
    for _ in range(3):  # Draw, Solve, and the cut
        page.go_back()
    expect(page.locator("#design .made")).to_have_count(2)  # the gallery is kept, and so is the puzzle that was cut
    page.click("#tab-puzzle")
    expect(page.locator("#puzzle .sum")).to_have_text("16 to fill · 1 of 16 held")


def test_a_cube_is_cut_from_the_first_page(page: Any) -> None:
    page.locator(".deed select").select_option(value="2")
    page.click("text=Cut it")
    expect(page.locator("#title")).to_have_text("a cube of 2 by 2 by 2")
    expect(page.locator("#design [name=parts]")).to_have_value("2")
    expect(page.locator("#design .made").first).to_be_visible()
    page.click("#design >> text=Stop")


def test_what_the_page_does_not_judge_it_keeps_and_says(page: Any) -> None:
    text = puzzle_as_toml([latcover.load("macmahon-squares")])
    read_file(page, "squares.toml", text)
    expect(page.locator("#puzzle")).to_contain_text("does not judge what is exchangeable")
    page.fill("#puzzle-name", "mine")
    page.keyboard.press("Enter")
    page.click("#save")
    listing = page.locator(".save-sheet .listing")
    expect(listing).to_contain_text('name = "mine"')
    (saved,) = read(Source(listing.inner_text().encode(), "squares.toml", shipped), Bounds()).values()
    assert isinstance(saved, latcover.Puzzle)
    assert puzzle_as_toml([saved]).partition("source")[2] == text.partition("source")[2]
    page.keyboard.press("Escape")
    page.click("#tab-solve")
    page.click("#solve button:text-is('Solve')")
    expect(page.locator("#solve")).to_contain_text("This page does not judge what is exchangeable.")
    page.click("#tab-puzzle")
    read_file(page, "burr.xmpuzzle", "")
    expect(page.locator("#fault")).to_contain_text("This is no BurrTools file.")


def test_keys_and_locks_are_solved_and_every_problem_of_a_file_is_opened(page: Any) -> None:
    mayblox = latcover.load("mayblox")
    read_file(page, "mayblox.toml", puzzle_as_toml([mayblox]))
    expect(page.locator("#sides .said .swatch").first).to_be_visible()
    solved(page, re.compile(f"^{mayblox.expect['different']:,} solution"))
    page.click("#tab-puzzle")
    file = "".join(f'[[puzzles]]\nname = "{n} wide"\nregion = {{ box = [2, {n}] }}\n' for n in (3, 4))
    part = '[[parts]]\nname = "D"\ncount = "unlimited"\nart = ["XX"]\n'
    read_file(page, "two.toml", f'name = "two"\nlattice = "square"\n{part}{file}')
    page.select_option("#problem", label="4 wide")
    expect(page.locator("#puzzle .meter")).to_contain_text("8 to fill")
    solved(page, re.compile("^4 solutions .* 5 in all"))


def test_the_main_thread_makes_no_placements() -> None:
    for name in ("placing", "page_data", "symmetries"):
        assert f"const module_{name} = " not in linked("page_api", PACKAGES)


def test_a_large_design_is_placed_while_the_page_answers(page: Any) -> None:
    parts = "".join(f'[[parts]]\nname = "{n}"\nlayers = [["X{"X" * n}", "XX"]]\n' for n in range(1, 5))
    loose = 'optional = "all"\n'
    read_file(page, "large.toml", f'name = "large"\nlattice = "cubic"\n[region]\nbox = [11, 11, 11]\n{loose}{parts}')
    expect(page.locator("#puzzle .meter")).to_be_visible()
    page.click("#tab-play")
    expect(page.locator("#play")).to_contain_text(re.compile("Placing the parts … [0-9]+ %"))
    page.click("#tab-puzzle")  # the page answers meanwhile, and another change drops what is being made
    page.fill("#puzzle-name", "larger")
    page.keyboard.press("Enter")
    page.click("#tab-play")
    expect(page.locator("#play canvas").first).to_be_visible()


def test_a_click_in_space_makes_only_what_has_changed(page: Any) -> None:
    text = 'name = "big"\nlattice = "cubic"\n[region]\nbox = [12, 12, 12]\n[[parts]]\nname = "A"\nbox = [1, 1, 2]\n'
    read_file(page, "big.toml", text)
    canvas = page.locator("#puzzle .space-editor canvas").first
    x, y = side_in_space(canvas, [0, 5, 5, 11], [0, 5, 5, 12])
    assert canvas.evaluate("(one) => one.made()") == 12**3
    page.mouse.click(x, y)
    expect(page.locator("#puzzle .sum")).to_contain_text("1,729 to fill")
    side_in_space(canvas, [0, 5, 5, 12], [0, 5, 5, 13])
    assert canvas.evaluate("(one) => one.made()") <= 7  # the cell, and those beside it


def test_parts_come_from_a_set(page: Any) -> None:
    page.click("text=squares")
    library(page, "tetrominoes").get_by_role("button", name="Add all 5").click()
    expect(page.locator("#puzzle .sum")).to_have_text("16 to fill · 21 of 16 held · 5 too many")


@pytest.mark.parametrize("kind", [{"viewport": {"width": 1280, "height": 860}}, PHONE], ids=["desk", "phone"])
def test_no_state_of_the_page_has_a_serious_fault(kind: dict[str, Any], browser: Any, address: str) -> None:
    page = browser.new_context(**kind, reduced_motion="reduce").new_page()
    page.set_default_timeout(LONG)
    page.goto(address)
    assert serious_faults(page) == []
    read_file(page, "soma.toml", puzzle_as_toml([latcover.load("soma")]))
    expect(page.locator("#puzzle .good")).to_be_visible()
    for name in ("puzzle", "play", "solve", "apart", "design"):
        page.click(f"#tab-{name}")
        expect(page.locator(f"#{name} button:visible").first).to_be_visible()
        assert serious_faults(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= kind["viewport"]["width"], name
    page.context.close()


def test_a_puzzle_of_the_site_is_changed(browser: Any, tmp_path: Path) -> None:
    assert (
        run("publish", "notebook-coloured-5x5", "hexiamonds-6x6", "--workshop", "--output", tmp_path).returncode == DONE
    )
    page = browser.new_page()
    page.set_default_timeout(20_000)
    page.goto((tmp_path / "index.html").as_uri())
    page.click("text=Draw a puzzle of your own")
    own = page.locator("#starting .shelf .card")
    expect(own).to_have_count(2)
    expect(page.get_by_role("link", name=re.compile("^Play"))).to_have_count(2)
    own.first.click()
    expect(page.locator("#puzzle .good")).to_be_visible()
    known = latcover.load("notebook-coloured-5x5").expect  # its colours are exchangeable: the site has what that means
    solved(page, re.compile(f"^{known['different']:,} solution"))
    page.click("#tab-puzzle")
    page.locator("#puzzle .parts .pick").nth(1).click()
    page.click("#puzzle button:has-text('Duplicate')")
    expect(page.locator("#puzzle .meter.over")).to_be_visible()
    page.click("#logo")
    expect(page.locator(".card")).to_have_count(2)
    page.close()


@pytest.mark.parametrize("name", ["burr-dubois", "slothouber-graatsma"])
def test_a_file_of_burrtools_is_opened(page: Any, name: str) -> None:
    """It becomes the puzzle that latcover reads."""
    opened_as_latcover_does(page, latcover.load(name))


@pytest.mark.parametrize("lattice", [grid.lattice for grid in GRIDS.values()])
def test_every_grid_of_burrtools_is_known(page: Any, lattice: str) -> None:
    opened_as_latcover_does(page, two_parts(lattice))


def two_parts(lattice: str) -> latcover.Puzzle:
    """Two parts of neighbours, and a region of them and more cells that may stay empty."""
    found = load_lattice(lattice)
    first = (0, 1, 1, 1)
    cells = [first, *found.neighbours(first)]
    cells += [cell for cell in found.neighbours(cells[1]) if cell not in cells]
    motions = found.allowed("rotations")
    parts = tuple(
        Part(name, as_cells(own, 3), transformations=motions, lattice=found)
        for name, own in (("a", cells[:2]), ("b", cells[:1]))
    )
    region = Region(as_cells(cells, 3), optional=np.arange(len(cells)) > 2)
    return latcover.Puzzle(f"two of {lattice}", found, region, parts)


def opened_as_latcover_does(page: Any, puzzle: latcover.Puzzle) -> None:
    content = b"".join(write([puzzle]))
    page.set_input_files("#upload", {"name": "one.xmpuzzle", "mimeType": "application/gzip", "buffer": content})
    expect(page.locator("#puzzle .live")).to_be_visible()
    page.click("#save")
    (ours,) = read(
        Source(page.locator(".save-sheet .listing").inner_text().encode(), "one.toml", shipped), Bounds()
    ).values()
    (theirs,) = read(Source(content, "one.xmpuzzle", shipped), Bounds()).values()
    assert isinstance(ours, latcover.Puzzle)
    assert isinstance(theirs, latcover.Puzzle)
    assert latcover.count(ours).total == latcover.count(theirs).total
    assert [(part.name, part.low, part.high, len(part.cells)) for part in ours.parts] == [
        (part.name, part.low, part.high, len(part.cells)) for part in theirs.parts
    ]
    assert (len(ours.region.cells), ours.region.optional.sum()) == (
        len(theirs.region.cells),
        theirs.region.optional.sum(),
    )
