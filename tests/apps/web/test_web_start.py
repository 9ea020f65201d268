"""The page Start in a real browser: puzzles as pictures, designs of the browser, files, the keyboard and a phone."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from latcover.apps.web.settings import Settings
from latcover.files.formats.shelves import OTHERS, counts_of_parts, shelf_of, shelves
from latcover.files.formats.source import names
from tests import web_browser as app
from tests.web_browser import LONG, drawn, empty, expect, status
from tests.web_server import within

address, browser, tab, page = app.address, app.browser, app.tab, app.page


@pytest.fixture
def start(page: Any) -> Any:
    """The app, as it is opened without an address."""
    page.click("#all")
    expect(page.locator("#starting")).to_be_visible()
    return page


def focused(page: Any) -> str:
    """What has the focus."""
    words = "(e) => e.id || e.getAttribute('aria-label') || e.textContent || e.localName"
    found: str = page.evaluate(f"() => ({words})(document.activeElement)")
    return found


def press_until(page: Any, key: str, wanted: str) -> None:
    """Press a key until something has the focus; it never falls to the page as a whole on the way."""
    for _ in range(120):
        page.keyboard.press(key)
        if focused(page) == wanted:
            return
        assert focused(page) != "body"
    raise AssertionError(f"{wanted} is not reached by {key}")


@pytest.mark.long
def test_a_puzzle_is_opened_by_its_picture(page: Any, address: str) -> None:
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator("#starting")).to_be_visible(timeout=LONG)
    expect(page.locator("#tabs")).to_be_hidden()
    card = page.get_by_role("link", name=re.compile("tetrahexes-4x7"))
    card.scroll_into_view_if_needed()
    expect(card.locator("img")).not_to_have_js_property("naturalWidth", 0, timeout=LONG)  # it is loaded when it is seen
    assert card.locator("img").evaluate("(image) => image.naturalWidth") > 50
    expect(card).to_contain_text("7 parts", timeout=LONG)
    card.click()
    expect(page.locator("#title")).to_have_text("the seven tetrahexes in a parallelogram of 4 by 7", timeout=LONG)
    expect(page.locator("#puzzle .cell").first).to_be_visible()
    page.go_back()
    expect(page.locator("#starting")).to_be_visible()
    expect(page.locator("#tabs")).to_be_hidden()


@pytest.mark.long
def test_every_card_leads_to_a_game_too(page: Any) -> None:
    empty(page, "0, 0")
    page.click("#all")
    page.get_by_role("link", name="Play the seven tetrahexes in a parallelogram of 4 by 7").click()
    expect(page.locator("#play .tray button")).to_have_count(7, timeout=LONG)
    page.click("#all")
    page.locator("#starting .own .play").click()
    expect(page.locator("#title")).to_have_text(re.compile("edited"), timeout=LONG)
    expect(page.locator("#play")).to_contain_text("This puzzle is not finished.", timeout=LONG)


@pytest.mark.long
def test_puzzles_are_found_by_words(start: Any) -> None:
    start.get_by_label("Find a puzzle").fill("burr ten moves")
    expect(start.locator("#starting li:visible")).to_have_count(1)
    expect(start.locator("#starting .shelf:visible h3")).to_contain_text("To take apart")
    start.get_by_label("Find a puzzle").fill("no such thing")
    expect(start.get_by_text("No shipped puzzle matches.")).to_be_visible()
    start.get_by_label("Find a puzzle").fill("")
    expect(start.locator("#starting li:visible")).to_have_count(len(names("instances")))


@pytest.mark.long
def test_designs_of_the_browser_stand_first_and_are_forgotten(page: Any) -> None:
    empty(page, "0, 0")
    expect(page.locator("#title")).to_have_text(re.compile("edited"), timeout=LONG)
    page.click("#all")
    own = page.locator("#starting .own")
    expect(own.locator(".card")).to_have_count(1)
    expect(own.locator("img")).to_be_visible(timeout=LONG)
    page.get_by_role("link", name=re.compile("soma")).last.click()
    expect(page.locator("#title")).to_have_text("the Soma cube", timeout=LONG)
    page.click("#all")
    own.locator(".card").click()
    expect(page.locator("#puzzle .sum")).to_contain_text("59 to fill", timeout=LONG)
    app.unfold(page, "#choosing")
    page.locator("#shipped").select_option("soma")
    expect(page.locator("#title")).to_have_text("the Soma cube", timeout=LONG)
    page.click("#all")
    own.get_by_role("button", name=re.compile("^Delete")).click()
    expect(own).to_be_hidden()
    page.locator(".notice").get_by_role("button", name="Undo").click()
    expect(own.locator(".card")).to_have_count(1)


@pytest.mark.long
def test_a_dropped_file_is_opened(start: Any) -> None:
    text = 'name = "dropped"\nlattice = "square"\n[region]\nbox = [2, 1]\n[[parts]]\nname = "d"\nart = ["XX"]\n'
    script = """(text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "dropped.toml"));
        for (const kind of ["dragenter", "dragover", "drop"]) {
            document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
        }
    }"""
    start.evaluate(script, text)
    expect(start.locator("#title")).to_have_text("dropped", timeout=LONG)
    expect(start.locator("#puzzle .sum")).to_have_text("2 to fill · 2 of 2 held")
    expect(start.locator(".dropping")).to_be_hidden()


@pytest.mark.long
def test_a_cube_is_cut_and_a_puzzle_begun(start: Any) -> None:
    start.locator(".deed select").select_option(value="2")
    expect(start.locator(".deed input")).to_have_value("2")
    start.get_by_role("button", name="Cut it").click()
    expect(start.locator("#title")).to_have_text("a cube of 2 by 2 by 2", timeout=LONG)
    status(start, re.compile("puzzles? of 2 parts"), "#design")
    expect(start.locator("#design [data-way=cut]")).to_have_attribute("aria-pressed", "true")
    expect(start.locator("#design img").first).to_be_visible()
    start.click("#all")
    start.go_back()
    expect(start.locator("#design [data-way=cut]")).to_have_attribute("aria-pressed", "true", timeout=LONG)
    start.click("#all")
    start.get_by_label("Find a puzzle").fill("burr")
    start.reload()
    expect(start.get_by_label("Find a puzzle")).to_have_value("burr", timeout=LONG)
    start.get_by_role("button", name="Other lattices …").click()
    choice = start.locator("dialog")
    expect(choice.get_by_role("button", name="balls", exact=True)).to_be_visible()  # in the words of the page Start
    expect(choice.get_by_role("button", name="hexagonal prisms", exact=True)).to_be_visible()
    choice.get_by_role("button", name="triangles", exact=True).click()
    expect(start.locator("#puzzle .sum")).to_contain_text("32 to fill", timeout=LONG)


@pytest.mark.long
def test_all_is_done_by_keyboard_and_the_focus_is_never_lost(start: Any) -> None:
    page = start
    press_until(page, "Tab", "Solve the Soma cube")
    page.keyboard.press("Enter")
    expect(page.locator("#title")).to_have_text("the Soma cube", timeout=LONG)
    assert focused(page) == "tab-solve"
    press_until(page, "Tab", "Solve")
    page.keyboard.press("Enter")
    status(page, "240 solutions")
    assert focused(page) == "Solve"
    page.keyboard.press("PageDown")
    expect(page.get_by_label("solution number")).to_have_value("2")
    press_until(page, "Tab", "Take apart")
    page.keyboard.press("Enter")
    viewer = page.locator("#apart .latcover-viewer")
    expect(viewer).to_have_attribute("data-moves", "6", timeout=LONG)
    page.keyboard.press("End")
    expect(viewer).to_have_attribute("data-move", "6", timeout=LONG)
    page.keyboard.press("Home")
    expect(viewer).to_have_attribute("data-move", "0", timeout=LONG)
    page.locator("#tab-apart").focus()
    page.keyboard.press("Home")
    assert focused(page) == "tab-puzzle"
    page.locator("#puzzle .cell[tabindex='0']").first.focus()
    page.keyboard.press("Space")
    app.unfold(page, "#choosing")
    page.locator("#shipped").focus()
    page.locator("#shipped").select_option("pent-10x6")
    page.keyboard.press("Escape")  # stays
    expect(page.locator("dialog")).to_have_count(0)
    assert focused(page) == "Open …"


@pytest.mark.long
@pytest.mark.parametrize("size", [(360, 740), pytest.param((740, 360), marks=pytest.mark.long)])
def test_on_a_phone_nothing_is_cut_off_and_fingers_have_room(browser: Any, address: str, size: tuple[int, int]) -> None:
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
    phone = context.new_page()
    phone.set_default_timeout(LONG)
    phone.goto(address)
    expect(phone.locator("#starting .card").first).to_be_visible(timeout=LONG)
    small = """() => [...document.querySelectorAll("button, select, a.button, a.card, summary")]
        .filter((e) => e.checkVisibility() && !e.closest("p"))
        .filter((e) => e.getBoundingClientRect().height < 39.5).map((e) => e.textContent)"""
    wide = "() => document.documentElement.scrollWidth - innerWidth"
    assert (phone.evaluate(small), phone.evaluate(wide)) == ([], 0)
    phone.get_by_role("link", name="Solve the Soma cube").tap()
    phone.locator("#solve button:text-is('Solve')").tap()
    status(phone, "240 solutions")
    phone.locator("#solve").get_by_role("button", name="2D").tap()
    drawn(phone)
    for tab in ("solve", "puzzle", "play", "apart", "design", "research"):
        phone.tap(f"#tab-{tab}")
        assert (tab, phone.evaluate(small), phone.evaluate(wide)) == (tab, [], 0)
        box = phone.locator(f"#tab-{tab}").bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width
    context.close()


@pytest.mark.long
def test_the_first_cards_act_at_once(start: Any) -> None:
    """The Soma cube is solved, and the burr comes apart, without a further press."""
    start.get_by_role("link", name="Solve the Soma cube").click()
    status(start, "240 solutions")
    start.click("#all")
    start.get_by_role("link", name="Take a burr apart").click()
    expect(start.locator("#apart .latcover-viewer")).to_have_attribute("data-moves", "15", timeout=LONG)


SHIFTS = """
    window.shifts = 0;
    new PerformanceObserver((list) => {
        for (const one of list.getEntries()) window.shifts += one.hadRecentInput ? 0 : one.value;
    }).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.long
@pytest.mark.parametrize("size", [(1280, 860), (1920, 1080), (390, 844)])
def test_start_asks_for_little_and_stands_still(browser: Any, address: str, size: tuple[int, int]) -> None:
    """Also a page of a puzzle does. All is asked for, and drawn, when the network has been quiet."""
    for page, first in (("", "#starting canvas"), ("#best/soma", "#best")):
        context = browser.new_context(viewport={"width": size[0], "height": size[1]})
        tab = context.new_page()
        tab.set_default_timeout(LONG)
        asked: list[str] = []
        tab.on("request", lambda request, asked=asked: asked.append(request.url))
        tab.add_init_script(SHIFTS)
        tab.goto(f"{address}{page}")
        expect(tab.locator(first).first).to_be_visible()
        tab.wait_for_load_state("networkidle")
        assert len(asked) <= 30, asked
        assert page or len([url for url in asked if url.endswith((".js", ".css"))]) <= 3
        assert tab.evaluate("() => window.shifts") < 0.05
        context.close()


@pytest.mark.long
def test_an_address_that_names_no_puzzle_is_said_with_the_nearest_names(page: Any, address: str) -> None:
    page.goto("about:blank")
    page.goto(f"{address}#puzzle/burr-pistn")
    expect(page.locator("#fault")).to_contain_text("there is no shipped puzzle “burr-pistn”", timeout=LONG)
    expect(page.locator("#fault")).to_contain_text("The nearest names are burr-piston")


@pytest.mark.long
def test_what_stands_between_backticks_is_code(page: Any) -> None:
    app.pick(page, "cut-3x3x3-hard")
    expect(page.locator("#puzzle code").filter(has_text="latcover design cut cubic:3x3x3")).to_be_visible()
    expect(page.locator("#puzzle")).not_to_contain_text("`")


@pytest.mark.long
def test_dialogs_have_two_widths(page: Any) -> None:
    """One for questions, and one for what holds more than that."""
    page.set_viewport_size({"width": 1400, "height": 800})
    widths = {}
    for name, opener in (("versions", "text=Versions"), ("question", "#new"), ("lattice", "#own-lattice")):
        if opener.startswith("#"):
            app.unfold(page, "#choosing")
        page.click(opener)
        widths[name] = page.locator("dialog[open]").bounding_box()["width"]
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
    page.set_viewport_size({"width": 1000, "height": 700})
    assert widths["question"] < widths["lattice"] == widths["versions"]


@pytest.mark.long
def test_the_films_of_start_move_unless_one_wants_calm(browser: Any, address: str) -> None:
    moving = """() => new Promise((done) => {
        const [first] = document.querySelectorAll("#starting canvas");
        const before = first.toDataURL();
        let left = 30;
        const look = () => {
            if (first.toDataURL() !== before || !left--) done(left >= 0);
            else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
    })"""
    for motion, moves in (("no-preference", True), ("reduce", False)):
        context = browser.new_context(reduced_motion=motion)
        tab = context.new_page()
        tab.goto(address)
        expect(tab.locator("#starting canvas")).to_have_count(3)
        assert tab.locator("#starting canvas").first.evaluate("(c) => c.toDataURL().length") > 2000, "it is not empty"
        assert tab.evaluate(moving) is moves
        context.close()


def test_the_data_of_the_films_are_those_of_shipped_puzzles() -> None:
    maker = Path(__file__).parents[3] / "packaging" / "showpieces.py"
    if not maker.is_file():
        pytest.skip("only a checkout has the maker")
    made = runpy.run_path(str(maker))
    assert (maker.parents[1] / made["FILE"]).read_text("utf-8") == made["text"]()


@pytest.mark.long
def test_a_puzzle_begins_at_the_picture_of_its_lattice(start: Any) -> None:
    start.get_by_role("group", name="Draw a puzzle of").get_by_role("button", name="balls").click()
    expect(start.locator("#puzzle .sum")).to_contain_text("8 to fill", timeout=LONG)


def test_every_shipped_puzzle_has_a_shelf_a_picture_and_parts() -> None:
    with within(Settings()) as asked:
        puzzles = asked.client.get("/api/about").json()["puzzles"]
        known = {shelf["name"] for shelf in shelves()}
        assert {puzzle["shelf"] for puzzle in puzzles} <= known - {OTHERS}
        assert {puzzle["name"] for puzzle in puzzles} == set(names("instances"))
        parts = asked.client.get("/api/shipped").json()["parts"]
        assert parts == counts_of_parts()
        assert (parts["pent-10x6"], parts["soma"], parts["live-cube"], parts["tetrasticks-5x5"]) == (12, 7, 8, 15)
        first, again = (asked.client.get("/api/shipped/soma.svg") for _ in range(2))
        assert first.text == again.text
        assert "<svg" in first.text
        assert "max-age" in first.headers["cache-control"]
        assert asked.client.get("/api/shipped/none.svg").status_code == 404
        wrong = asked.post("/api/card.svg", {"subject": {"form": "shipped", "name": "none"}})
        assert wrong.status_code == 422
    assert shelf_of({"lattice": "one of yours"}) == OTHERS
