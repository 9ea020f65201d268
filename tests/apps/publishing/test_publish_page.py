"""A published site in a real browser: from a server, as files, offline, on a phone. Without Chromium it is skipped."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from copy import deepcopy
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import latcover
from latcover.apps.publishing.exhibits import ShelvedPuzzle, exhibits
from latcover.apps.publishing.puzzle_data import play_data
from latcover.apps.publishing.site import PACKAGES, site_files, write_site
from latcover.backends.wasm import module, script
from latcover.core.encoding.prepared import prepare
from latcover.core.model.move_words import piece_names
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.model.puzzle_checks import complaints_about
from latcover.core.model.solution import Solution
from latcover.lab.assembly.taking_apart import disassemble
from latcover.show.drawing.scenes.dismantling import Dismantling
from latcover.show.drawing.space.disassembly_data import disassembly_data
from latcover.show.drawing.space.linking import linked
from latcover.show.drawing.space.shape_data import ShapeBook
from tests import chromium
from tests.chromium import LONG, expect
from tests.command_line import DONE, run
from tests.dice import Seeded
from tests.page_data import puzzle_played, symmetry_judged
from tests.random_puzzles import any_puzzle
from tests.shipped import rest_long

browser = chromium.browser
DESK = {"reduced_motion": "reduce", "viewport": {"width": 1000, "height": 700}}
PHONE = {
    **DESK,
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "color_scheme": "dark",
}
# Symmetry leaves nothing to judge; a pivot with a helper, with stabilisers, none at all; colours; counted parts.
COUNTED = ("fig4-3x3", "sphere-pyramid", "live-cube", "notebook-coloured-5x5", "happy-cube-green", "soma")
MORE = (
    *("slothouber-graatsma", "gaya-cube", "pent-20x3", "pent-big-c", "pent-8x8-minus-2x2", "pent-10x3x2", "nine-cards"),
    *("disc-cylinder", "hex-prisms", "tangram-square", "tetrahexes-4x7", "mayblox", "pent-10x6-eight-moved"),
    *("macmahon-squares", "box-of-sixteen", "ribbon-torus"),
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that a web server shows, with a site two folders below."""
    root = tmp_path_factory.mktemp("web")
    chosen = [ShelvedPuzzle(latcover.load(name), "Cubes") for name in COUNTED]
    write_site(
        root / "some" / "where", site_files("A box of puzzles", list(exhibits(chosen, Bounds(), solutions=True))), 1
    )
    return root


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def address(root: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=root))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/some/where/"
    server.shutdown()
    thread.join()
    server.server_close()


class Tab:
    """A tab of a browser of its own, and what went wrong in it."""

    def __init__(self, browser: Any, **how: Any) -> None:
        self.context = browser.new_context(**how)
        self.page = self.context.new_page()
        self.page.set_default_timeout(LONG)
        self.wrong: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()
        expect(self.page.get_by_role("tabpanel", name=name)).to_be_visible()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def solve(self) -> str:
        """Search everything. What the page says of the solutions, and of the search."""
        self.tab("Solve")
        self.press("Solve")
        told = self.page.locator("#solve .run .status")
        expect(told).to_contain_text("in this browser")
        return " ".join(told.locator("span").all_inner_texts())

    def fits(self) -> bool:
        """Whether nothing is wider than the window."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))

    def close(self) -> None:
        assert self.wrong == []
        self.context.close()


@pytest.fixture
def tab(browser: Any) -> Iterator[Tab]:
    opened = Tab(browser, **DESK)
    yield opened
    opened.close()


def said_of(name: str) -> str:
    """What the page must say when it has counted: what the command line says of the same search."""
    answer = latcover.count(latcover.load(name), latcover.CountRequest(backend="bitset", options={"threads": 1}))
    assert answer.branches is not None
    said = answer.headline().removeprefix(f"{name}: ").removesuffix(" (complete)")
    solutions = f"{said}." if answer.different else "There is no solution."
    return f"{solutions} {answer.branches:,} branch{'' if answer.branches == 1 else 'es'} "


@pytest.mark.long
def test_from_the_gallery_to_a_solution_that_comes_apart_and_then_without_a_network(tab: Tab, address: str) -> None:
    page = tab.page
    page.goto(address)
    expect(page).to_have_title("A box of puzzles")
    page.locator("ul.cards").get_by_role("link", name="The Soma cube").click()
    expect(page.locator("#play .latcover-play .view")).to_be_visible()
    assert tab.solve().startswith(said_of("soma"))
    page.get_by_label("solution number").fill("7")
    page.get_by_label("solution number").press("Enter")
    expect(page.locator("#solve .latcover-viewer .status")).to_contain_text("solution 7")
    page.locator("#solve").get_by_role("button", name="Take apart").click()
    expect(page.locator("#apart .hint").first).to_contain_text("Solution 7 of those on the page Solve.")
    expect(page.locator("#apart .player .move")).to_contain_text("it comes apart with level 1")  # without a press
    page.get_by_role("button", name="All apart (End)").click()
    expect(page.locator("#apart .player .move")).to_contain_text("move 6 of 6")
    tab.tab("About")
    expect(page.get_by_role("tabpanel", name="About")).to_contain_text("240 different, 11,520 in all")

    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    tab.context.set_offline(True)
    page.goto(address)  # the folder stands for its first page
    page.locator("ul.cards").get_by_role("link", name=re.compile("tetrahedron of 20 spheres")).click()
    assert tab.solve().startswith(said_of("sphere-pyramid"))
    assert all(url.startswith((address, "blob:")) for url in tab.asked)


@pytest.mark.long
def test_keys_of_what_a_tab_shows_work_at_once(desk: Tab, root: Path) -> None:
    page = desk.page
    page.goto((root / "some" / "where" / "puzzles" / "live-cube.html").as_uri() + "#solve")
    desk.press("Show a solution")
    status = page.locator("#solve .latcover-viewer .status")
    expect(status).to_have_text("solution 1")
    page.keyboard.press("x")
    expect(status).to_contain_text("taken out")
    desk.tab("Play")
    page.keyboard.press("1")
    expect(page.locator("#play .words")).to_contain_text("fits here")
    page.keyboard.press("Escape")
    desk.tab("Solve")
    page.keyboard.press("z")
    expect(status).to_contain_text("put back")


@pytest.mark.long
def test_the_hardest_solution_is_shown_and_found(desk: Tab, tmp_path: Path) -> None:
    page = desk.page
    chosen = [ShelvedPuzzle(latcover.load("burr-loves-dozen"), "")]
    write_site(tmp_path / "site", site_files("One", list(exhibits(chosen, Bounds(), solutions=True))), 1)
    page.goto((tmp_path / "site" / "index.html").as_uri() + "#apart")
    expect(page.locator("#apart .hint").first).to_contain_text("the deepest of 90 solutions that come apart")
    expect(page.locator("#apart .player .move")).to_contain_text("it comes apart with level 12.3")
    desk.solve()
    desk.tab("Take apart")
    desk.press("Find the deepest")
    told = page.locator("#apart .run .status")
    expect(told).to_contain_text("154 solutions: 90 come apart, 64 cannot by sliding (complete).")
    expect(told).to_contain_text("The deepest is solution 110: it comes apart with level 12.3: 15 moves")
    expect(page.locator("#apart .player .move")).to_contain_text("it comes apart with level 12.3")
    expect(page.locator("#apart .hint").first).to_contain_text("Solution 110 ")
    expect(page.locator("#apart canvas")).to_be_focused()


@pytest.mark.long
def test_turns_of_the_plan_are_shown_and_slides_called_so(desk: Tab, tmp_path: Path) -> None:
    page = desk.page
    chosen = [ShelvedPuzzle(latcover.load(name), "") for name in ("turning-bar-1", "turning-gate")]
    write_site(tmp_path / "site", site_files("Two", list(exhibits(chosen, Bounds(), solutions=True))), 2)
    page.goto((tmp_path / "site" / "index.html").as_uri())
    expect(page.locator("ul.cards").get_by_role("link", name="A bar in a box")).to_contain_text("1 turn")
    page.goto((tmp_path / "site" / "puzzles" / "turning-gate.html").as_uri() + "#apart")
    expect(page.locator("#apart .player .move")).to_contain_text("it comes apart with level 3.2 (2 turns)")
    expect(page.locator("#apart .needed")).to_contain_text("Needs a play of 0.0")
    page.locator("#apart .needed input").fill("20")
    expect(page.locator("#apart .needed output")).to_have_text(re.compile(r"^[0-9.]+ mm a side$"))
    page.locator("#apart canvas").focus()
    page.keyboard.press(".")
    page.keyboard.press(".")
    expect(page.locator("#apart .player .move")).to_contain_text("turns a quarter to the left")

    page.goto((tmp_path / "site" / "puzzles" / "turning-bar-1.html").as_uri() + "#solve")
    desk.solve()
    desk.tab("Take apart")
    expect(page.locator("#apart .hint").first).to_contain_text("has a turn; the page itself looks for slides alone")
    desk.press("Take apart by slides alone")
    expect(page.locator("#apart .player .move")).to_contain_text("by sliding; turns were not looked for")
    desk.press("Show the plan with turns")
    expect(page.locator("#apart .player .move")).to_contain_text("it comes apart with level 3 (1 turn)")


@pytest.mark.long
def test_a_site_that_is_opened_as_files(tab: Tab, root: Path) -> None:
    site = root / "some" / "where"
    tab.page.goto((site / "index.html").as_uri())
    tab.page.locator("ul.cards").get_by_role("link", name="The Soma cube").click()
    assert tab.solve().startswith(said_of("soma"))
    tab.page.goto((site / "puzzles" / "live-cube.html").as_uri() + "#apart")
    expect(tab.page.locator("#apart .player .move")).to_contain_text("it comes apart")
    assert all(url.startswith(("file:", "blob:")) for url in tab.asked)


@pytest.fixture(scope="module")
def desk(browser: Any) -> Iterator[Tab]:
    """A tab for several tests."""
    opened = Tab(browser, **DESK)
    yield opened
    opened.close()


@pytest.mark.parametrize("name", rest_long(COUNTED[:-1], COUNTED[2:4]))  # others count the last
@pytest.mark.long
def test_the_page_counts_as_the_command_line_does(name: str, desk: Tab, root: Path) -> None:
    tab = desk
    tab.page.goto((root / "some" / "where" / "puzzles" / f"{name}.html").as_uri())
    assert tab.solve().startswith(said_of(name))


@pytest.mark.long
@pytest.mark.parametrize("name", MORE)
def test_the_page_counts_random_puzzles(name: str, tab: Tab, tmp_path: Path) -> None:
    chosen = [ShelvedPuzzle(latcover.load(name), "")]
    write_site(tmp_path / "site", site_files("One", list(exhibits(chosen, Bounds(), solutions=False))), 1)
    tab.page.goto((tmp_path / "site" / "index.html").as_uri())
    assert tab.solve().startswith(said_of(name))


@pytest.mark.long
def test_a_search_is_stopped_and_made_again(tab: Tab, tmp_path: Path) -> None:
    """Of a puzzle that no page will ever finish."""
    puzzle = latcover.loads(ENDLESS)
    files = site_files("One", list(exhibits([ShelvedPuzzle(puzzle, "")], Bounds(), solutions=True)))
    write_site(tmp_path / "site", files, 1)
    tab.page.goto((tmp_path / "site" / "index.html").as_uri())
    tab.tab("Solve")
    tab.press("Show a solution")
    expect(tab.page.locator("#solve .latcover-viewer .status")).to_contain_text("solution 1")
    told = tab.page.locator("#solve .run .status")
    for _ in range(2):
        tab.press("Solve")
        expect(told).to_contain_text("a second")
        expect(told).to_contain_text("searching")
        tab.press("Stop")
        expect(told).to_contain_text("stopped before the end")
        expect(tab.page.get_by_role("button", name="Solve", exact=True)).to_be_focused()


ENDLESS = """
name = "endless"
lattice = "square"
region = { box = [8, 20] }
parts = [{ name = "domino", count = 80, art = ["XX"] }]
"""


ALL_SEEN = """() => {
  const [space, side] = [".space", ".space .side"].map((name) => document.querySelector(`#solve ${name}`));
  return side.getBoundingClientRect().bottom <= space.getBoundingClientRect().bottom
    && side.scrollHeight <= side.clientHeight + 1;
}"""


@pytest.mark.long
def test_on_a_phone_in_the_dark_nothing_is_wider_than_the_screen(browser: Any, address: str) -> None:
    phone = Tab(browser, **PHONE)
    phone.page.goto(address)
    assert phone.fits()
    ground = phone.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(map(int, re.findall(r"\d+", ground))) < 60
    phone.page.locator("ul.cards").get_by_role("link", name="The Soma cube").tap()
    for name in ("Play", "Solve", "Take apart", "About"):
        phone.tab(name)
        if name in ("Solve", "Take apart"):
            if name == "Solve":
                phone.press("Show a solution")
            expect(phone.page.locator(f"#{name.split()[-1].lower()} canvas")).to_be_visible()
        assert phone.fits(), name
        if name == "Solve":  # what works the viewer lies below the picture, and nothing is cut off
            assert phone.page.evaluate(ALL_SEEN)
    phone.page.set_viewport_size({"width": 740, "height": 360})
    assert phone.fits()
    phone.tab("Play")
    game = phone.page.locator(".game").bounding_box()
    assert game["y"] + game["height"] <= 360  # on its side, it is played without scrolling
    phone.close()


@pytest.mark.long
def test_tabs_by_keys_and_the_address(tab: Tab, root: Path) -> None:
    page = tab.page
    page.goto((root / "some" / "where" / "puzzles" / "soma.html").as_uri() + "#about")
    expect(page.get_by_role("tab", name="About")).to_have_attribute("aria-selected", "true")
    page.get_by_role("tab", name="About").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Play")).to_be_focused()
    expect(page).to_have_url(re.compile("#play$"))
    page.keyboard.press("End")
    expect(page).to_have_url(re.compile("#about$"))
    page.reload()
    expect(page.get_by_role("tabpanel", name="About")).to_be_visible()
    # In a frame of another page: one tab alone, which fills the frame.
    page.goto((root / "some" / "where" / "puzzles" / "soma.html").as_uri() + "?only=play")
    expect(page.locator("#play .view")).to_be_visible()
    expect(page.get_by_role("tablist")).to_be_hidden()
    assert page.locator(".game").bounding_box()["height"] == page.viewport_size["height"]


@pytest.mark.long
def test_the_gallery_finds_puzzles_by_words(tab: Tab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latcover.apps.publishing.pages.MANY", 1)
    chosen = [
        ShelvedPuzzle(latcover.load("example-2x2"), "Squares"),
        ShelvedPuzzle(latcover.load("live-cube"), "Cubes"),
    ]
    write_site(tmp_path / "s", site_files("Two", list(exhibits(chosen, Bounds(), solutions=False))), 2)
    page = tab.page
    page.goto((tmp_path / "s" / "index.html").as_uri())
    page.get_by_label("Find a puzzle").fill("CUBIC live")
    expect(page.locator("#found")).to_have_text("1 puzzle found.")
    expect(page.locator(".card:visible")).to_have_count(1)
    expect(page.get_by_role("heading", name="Squares")).to_be_hidden()
    page.get_by_label("Find a puzzle").fill("nothing like it")
    page.get_by_role("button", name="Show all").click()
    expect(page.locator(".card:visible")).to_have_count(2)


def played(tab: Tab, options: list[int], digest: str) -> None:
    """Lay these options by a link, and let a hint add the last part."""
    page = tab.page
    link = f"#play?at={'.'.join(np.base_repr(option, 36).lower() for option in options)}&of={digest[:8]}"
    page.evaluate("(link) => { location.hash = link; }", link)
    expect(page.locator("#play .words")).to_contain_text("This is the position of the link.")
    page.keyboard.press("h")
    expect(page.locator(".latcover-play")).to_have_attribute("data-solved", "true")


def test_what_is_found_is_counted_once_and_marked(tab: Tab, tmp_path: Path) -> None:
    """Two solutions of three by three: the second one mirrored is no third one."""
    assert run("publish", "fig4-3x3", "soma", "example-2x2", "--output", tmp_path / "site").returncode == DONE
    prepared = prepare(latcover.load("fig4-3x3"))
    digest = play_data(prepared).digest
    number = {prepared.entry(k): k for k in range(len(prepared.table))}
    group = prepared.reduction.group
    ones = [[number[placed] for placed in solution.placements] for solution in latcover.solutions(prepared.puzzle)]
    mirrored = next(image for k in range(len(group)) if (image := group.permutation(k)[ones[0]].tolist()) != ones[0])
    page = tab.page
    page.goto((tmp_path / "site" / "puzzles" / "fig4-3x3.html").as_uri())
    album = page.get_by_label("Solutions found")
    expect(album).to_have_text("0 of 2 solutions found")
    for options, found in ((ones[0], 1), (mirrored, 1), (ones[1], 2)):
        played(tab, options[:2], digest)
        expect(album).to_contain_text(f"{found} of 2 solutions found")
        expect(album.get_by_role("button")).to_have_count(found)
    ending = page.locator("#play .banner")
    expect(ending).to_contain_text(re.compile(r"Solved in 0:\d\d with \d+ moves?, \d+ hints?\."))
    expect(ending.locator("svg")).to_be_visible()
    expect(ending.get_by_role("link", name="Next puzzle")).to_have_attribute("href", "soma.html")
    ending.get_by_role("button", name="Play again").click()
    expect(ending).to_be_hidden()
    page.reload()
    expect(album).to_contain_text("2 of 2 solutions found")
    album.get_by_role("button").last.click()
    expect(page.locator("#play .banner")).to_contain_text("This is solution 1 of those you have found.")
    expect(album).to_contain_text("2 of 2 solutions found")
    page.evaluate("() => { location.hash = '#play?at=1&of=00000000'; }")
    expect(page.locator("#play .words")).to_have_text("The link is of another version of this puzzle.")
    page.goto((tmp_path / "site" / "index.html").as_uri())
    card = page.locator(".cards > li", has_text="three parts in a square")
    expect(card).to_contain_text("✓ 2 found")
    expect(card.locator("img")).to_have_attribute("src", "pictures/fig4-3x3.svg")
    expect(page.locator(".cards img").first).to_be_visible()
    expect(page.locator("main > .hint").first).to_contain_text("You have solved 1 of 3.")
    page.evaluate("(digest) => localStorage.removeItem(`latcover.solved.${digest}`)", digest)
    page.reload()  # another version of the site, whose data are others
    expect(card).to_contain_text("✓ solved")


@pytest.mark.long
def test_everybody_has_the_same_puzzle_of_the_day(tab: Tab, tmp_path: Path) -> None:
    names = ("fig4-3x3", "soma", "example-2x2", "pent-20x3", "sphere-pyramid-2")
    assert run("publish", *names, "--no-solutions", "--output", tmp_path / "site").returncode == DONE
    page, seen = tab.page, []
    for day in range(1, 13):
        page.clock.set_fixed_time(f"2031-03-{day:02}T12:00:00")
        page.goto((tmp_path / "site" / "index.html").as_uri())
        card = page.get_by_label("Puzzle of the day").get_by_role("link")
        seen.append(card.get_attribute("href"))
        page.clock.set_fixed_time(f"2031-03-{day:02}T20:00:00")
        page.reload()
        assert card.get_attribute("href") == seen[-1]
    assert len(set(seen)) > 2


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_published_pages_have_no_serious_fault_for_screen_readers_and_keyboards(
    browser: Any, address: str, scheme: str
) -> None:
    for how in (DESK, PHONE):
        tab = Tab(browser, **{**how, "color_scheme": scheme, "bypass_csp": True, "reduced_motion": "reduce"})
        tab.page.goto(address)
        assert chromium.serious_faults(tab.page) == [], "gallery"
        tab.page.get_by_role("link", name="The Soma cube").first.click()
        for name in ("Play", "Solve", "Take apart", "About"):
            tab.tab(name)
            if name == "Solve":
                tab.solve()
            assert chromium.serious_faults(tab.page) == [], name
        tab.close()


# ---- what is checked, and filmed, in the page


def module_of(page: Any, name: str) -> Any:
    """A module of the site, for calls from here."""
    variable = f"module_{name}"
    return page.evaluate_handle(f"(() => {{\n{linked(name, PACKAGES)}\nreturn {variable};\n}})()")


def plan_of(name: str) -> tuple[Puzzle, Solution, dict[str, Any], list[int], dict[str, Any]]:
    """A puzzle, its first solution, its page's data, the options of the solution and the plan that takes it apart."""
    puzzle = latcover.load(name)
    prepared = prepare(puzzle)
    solution, plan = next((s, plan) for s in latcover.solutions(puzzle) if (plan := disassemble(s)).result == "apart")
    (exhibit,) = exhibits([ShelvedPuzzle(puzzle, "")], Bounds(), solutions=False)
    number = {prepared.entry(k): k for k in range(len(prepared.table))}
    options = [number[placed] for placed in solution.placements]
    return puzzle, solution, msgspec.to_builtins(exhibit.data), options, plan.as_json()


@pytest.fixture(scope="module")
def bench(browser: Any) -> Iterator[Any]:
    """An empty page, in which modules are tried."""
    page = browser.new_page()
    page.set_default_timeout(LONG)
    page.evaluate(script())
    page.evaluate(
        "async (bytes) => { window.engine = await latcover.Engine.load(Uint8Array.from(bytes)); }", [*module()]
    )
    yield page
    page.close()


COUNT = """async ([judge, checker, play, text]) => {
  const { puzzle, symmetry } = JSON.parse(text);
  const { cover, judged } = new play.PlayPuzzle(puzzle);
  const { problem, options } = judge.reduced(cover, symmetry);
  const [judging, checking] = [new judge.Judge(symmetry, judged), new checker.Checker(cover)];
  const found = { different: 0, total: 0, faults: [] };
  const take = (one) => {
    const chosen = one.map((option) => options[option]);
    const { keep, orbit } = judging.judge(chosen);
    found.faults.push(...checking.faults(chosen));
    found.different += keep ? 1 : 0;
    found.total += orbit;
  };
  const answer = window.engine.search(problem, {}, { onCovers: (covers) => void covers.forEach(take) });
  return { ...found, branches: answer.branches, stop: answer.stop };
}"""


@pytest.fixture(scope="module")
def counting(bench: Any) -> list[Any]:
    """The modules that count."""
    return [module_of(bench, each) for each in ("judge", "checker", "play_puzzle")]


@pytest.mark.long
@pytest.mark.parametrize("lot", range(10))
def test_random_puzzles_are_counted_as_by_the_command_line(lot: int, bench: Any, counting: list[Any]) -> None:
    """On every lattice, with colours, sides, periods, cells that may stay empty, spare parts: the same tree, too."""
    for seed in range(6 * lot, 6 * lot + 6):
        puzzle = any_puzzle(Seeded(seed))
        if complaints_about(puzzle):
            continue  # it cannot have a solution, and no page shows it
        assert_counted(puzzle, bench, counting)


@pytest.mark.long
def test_exchanges_are_judged_as_by_the_command_line(bench: Any, counting: list[Any]) -> None:
    """Symmetries move every cell, so the pivot is one of exchanges alone, and images are left out."""
    parts = "".join(f'[[parts]]\nname = "{i}{j}"\nart = ["{i}{j}"]\n' for i in range(3) for j in range(i, 3))
    puzzle = latcover.loads(EXCHANGED + parts)
    assert prepare(puzzle).reduction.among_met
    assert_counted(puzzle, bench, counting)


@pytest.mark.long
@pytest.mark.parametrize("rules", [["connected=F,I,L,N,P,T"], ["connected-corners=V,W,X", "no-crossroads"], ["on-rim"]])
def test_rules_on_parts_are_judged_as_by_the_command_line(rules: list[str], bench: Any, counting: list[Any]) -> None:
    assert_counted(latcover.with_rules(latcover.load("pent-20x3"), rules), bench, counting)
    red = latcover.with_rules(latcover.loads(RED), ["connected-colour=red"])
    assert_counted(red, bench, counting)


RED = """
name = "red"
lattice = "square"
colours = { R = "red" }
region = { box = [4, 4] }
parts = [{ name = "red", art = "RR", count = 4 }, { name = "half", art = "RX", count = 4 }]
"""


def assert_counted(puzzle: Puzzle, bench: Any, counting: list[Any]) -> None:
    prepared = prepare(puzzle)
    data = {"puzzle": puzzle_played(prepared), "symmetry": symmetry_judged(prepared)}
    answer = latcover.count(puzzle, latcover.CountRequest(backend="bitset", options={"threads": 1}))
    assert bench.evaluate(COUNT, [*counting, json.dumps(data)]) == {
        "different": answer.different,
        "total": answer.total,
        "faults": [],
        "branches": answer.branches,
        "stop": "exhausted",
    }, puzzle.name


EXCHANGED = """
name = "pairs"
lattice = "square"
[colours]
0 = "0"
1 = "1"
2 = "2"
[rules]
exchangeable = [["0", "1", "2"]]
[region]
box = [4, 3]
alike = [{ box = [2, 1], at = [1, 0] }]
"""


CALL = """([disassembly, replay, play, text, options, plan]) => {
  const data = JSON.parse(text);
  const puzzle = new play.PlayPuzzle(data.puzzle);
  const faults = replay.replayFaults(data.apart, puzzle, options, plan);
  return { faults, told: faults.length ? null : disassembly.disassemblyOf(data.apart, puzzle, options, plan) };
}"""


def close_to(mine: Any, other: Any) -> bool:
    """Whether two pieces of data are equal, and their numbers nearly so."""
    if isinstance(mine, list | tuple):
        return len(mine) == len(other) and all(map(close_to, mine, other))
    if isinstance(mine, dict):
        return mine.keys() == other.keys() and all(close_to(mine[key], other[key]) for key in mine)
    return mine == other if isinstance(mine, str) else abs(mine - other) < 2e-4


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["sphere-pyramid", "burr-dubois", "slothouber-graatsma", "hex-prisms", "box-of-sixteen"]
)
def test_the_page_tells_and_checks_disassemblies_as_python_does(name: str, bench: Any) -> None:
    puzzle, solution, data, options, plan = plan_of(name)
    modules = [module_of(bench, each) for each in ("disassembly", "replay", "play_puzzle")]

    def made(changed: dict[str, Any], chosen: list[int] = options) -> Any:
        return bench.evaluate(CALL, [*modules, json.dumps(data), chosen, changed])

    found = made(plan)
    assert found["faults"] == []
    book = ShapeBook(puzzle.lattice, puzzle.region.period, ())
    placed = [book.place(each.cells) for each in solution.placements]
    apart = Dismantling(
        puzzle,
        solution,
        disassemble(solution),
        [book.extents[number] for number, _ in placed],
        np.array([at for _, at in placed]),
        data["puzzle"]["puzzle"]["size"],
    )
    wanted = msgspec.to_builtins(disassembly_data(apart, piece_names(solution, "{} {}")))
    for told in (found["told"], wanted):
        told["cells"] = [sorted(zip(*[iter(row)] * 3, strict=True)) for row in told["cells"]]
    assert close_to(found["told"], wanted)

    for wrong in wrong_plans(plan):
        assert made(wrong)["faults"], wrong
    assert made(plan, options[:-1])["faults"]


def wrong_plans(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Plans with one fault each."""
    for change in (
        lambda p: p["separations"][0].update(steps=[]),  # never separates
        lambda p: p["separations"][0]["steps"][0].update(direction=[0, 0, 0]),
        lambda p: p["separations"][0]["steps"][0].update(pieces=[]),
        lambda p: p["separations"][0]["steps"][-1].update(separates=False),
        lambda p: p["separations"][0]["steps"][-1].update(distance=0),
        lambda p: p["separations"].pop(),  # leaves pieces together
        lambda p: p["separations"].append(p["separations"][0]),
        lambda p: p["separations"][0]["stays"].append(p["separations"][0]["removed"][0]),
        lambda p: p.update(result="stuck"),
        lambda p: p.update(n_pieces=99),
        lambda p: p.update(flat=True),
    ):
        wrong = deepcopy(plan)
        change(wrong)
        yield wrong
    for step in range(len(plan["separations"][0]["steps"])):
        wrong = deepcopy(plan)
        found = wrong["separations"][0]["steps"][step]
        found["direction"] = [found["direction"][-1], *found["direction"][:-1]]  # into the others
        yield wrong


@pytest.mark.long
def test_a_wrong_solution_is_not_shown(bench: Any) -> None:
    _, _, data, options, _ = plan_of("sphere-pyramid")
    coloured = plan_of("notebook-coloured-5x5")
    modules = [module_of(bench, each) for each in ("checker", "play_puzzle")]

    def faults(data: dict[str, Any], options: list[int]) -> list[str]:
        found = bench.evaluate(
            """([checker, play, text, options]) => {
              return new checker.Checker(new play.PlayPuzzle(JSON.parse(text)).cover).faults(options);
            }""",
            [*modules, json.dumps(data["puzzle"]), options],
        )
        return [str(fault) for fault in found]

    assert faults(data, options) == []
    assert faults(data, options[1:])
    assert faults(data, [*options, options[0]])
    assert faults(data, [*options[1:], options[0] + 1])
    assert faults(data, [*options[1:], 10**6])
    assert faults(coloured[2], coloured[3]) == []
    assert faults(coloured[2], [*coloured[3][1:], coloured[3][0] + 1])
