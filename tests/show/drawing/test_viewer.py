"""The viewer in a real browser: what is drawn, what pointer, keys and fingers do. Without Chromium it is skipped."""

from __future__ import annotations

import io
import itertools
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import latcover
from latcover.core.model.solution import Solution
from latcover.lab.assembly.taking_apart import disassemble
from latcover.show.drawing import palette
from latcover.show.drawing.palette import RGB
from latcover.show.drawing.space.viewer_page import page as page_text
from tests import chromium
from tests.chromium import LONG, expect
from tests.page_data import scene_read

image = pytest.importorskip("PIL.Image", reason="Pillow is not installed: pip install '.[test]'")

browser = chromium.browser
CALM = {"reduced_motion": "reduce", "viewport": {"width": 520, "height": 400}}
PHONE = CALM | {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
WICKED = "</script><script>window.wicked = 1</script><img src=x onerror='window.wicked = 1'>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def written(folder: Path) -> Callable[..., str]:
    """Writes the page of a puzzle, once, and says where it is."""

    def write(name: str, most: int = 3) -> str:
        path = folder / f"{Path(name).stem}-{most}.html"
        if not path.exists():
            puzzle = latcover.load(name)
            path.write_text(page_text(puzzle, list(itertools.islice(latcover.solutions(puzzle), most))), "utf-8")
        return path.as_uri()

    return write


class ViewerPage:
    """A page with the viewer, and what went wrong in it."""

    def __init__(self, browser: Any, uri: str, **how: Any) -> None:
        self.context = browser.new_context(**(how or CALM))
        self.page = self.context.new_page()
        self.page.set_default_timeout(LONG)
        self.errors: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(uri)
        self.page.wait_for_function("document.querySelector('.status')?.textContent")
        self.settle()

    def reset(self) -> None:
        """As it was when it was opened."""
        self.page.evaluate("() => scrollTo(0, 0)")
        self.page.mouse.move(5, 5)
        layers, number = (self.page.locator(what) for what in ("select", "input[type=number]"))
        self.page.get_by_role("slider", name="Explode").fill("0")
        self.page.locator("canvas").focus()
        self.press("a", "0")
        if layers.is_visible():
            layers.select_option("all")
        if number.is_visible():  # there are several solutions
            number.fill("1")
            number.press("Enter")
        self.page.locator("canvas").focus()
        self.press("n", "p")  # so that it says which solution it is

    def settle(self) -> None:
        self.page.evaluate(TWO_FRAMES)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.settle()

    def pixels(self) -> Any:
        """What the canvas shows within its focus ring, shape (height, width, 3), uint8."""
        picture = image.open(io.BytesIO(self.page.locator("canvas").screenshot()))
        return np.array(picture.convert("RGB"))[8:-8, 8:-8]

    def status(self) -> str:
        return str(self.page.locator(".status").text_content())

    def in_place(self) -> int:
        return int(self.page.locator(".parts input:checked").count())

    def middle(self) -> tuple[float, float]:
        box = self.page.locator("canvas").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.fixture(scope="module")
def opened(browser: Any) -> Iterator[dict[str, ViewerPage]]:
    """The pages that are open: tests of the same puzzle take turns with one."""
    pages: dict[str, ViewerPage] = {}
    yield pages
    for page in pages.values():
        page.context.close()


@pytest.fixture
def shown(
    browser: Any, written: Callable[..., str], opened: dict[str, ViewerPage]
) -> Iterator[Callable[..., ViewerPage]]:
    """Opens the page of a puzzle; at the end nothing may have gone wrong, and nothing been loaded but the page."""
    used: list[ViewerPage] = []

    def show(name: str, most: int = 3, **how: Any) -> ViewerPage:
        key = f"{name} {most} {how}"
        if key in opened:
            opened[key].reset()
        else:
            opened[key] = ViewerPage(browser, written(name, most), **how)
        used.append(opened[key])
        return opened[key]

    yield show
    for one in used:
        assert one.errors == []
        assert len(one.asked) == 1


def share_of(pixels: Any, colour: RGB) -> float:
    """The share of pixels that have this colour, in whatever light: the same ratio of linear channels."""
    linear = np.where(pixels <= 10, pixels / 255 / 12.92, ((pixels / 255 + 0.055) / 1.055) ** 2.4)
    wanted = np.array(palette.linear(colour))
    bright = linear.max(axis=2) > 0.02
    ratio = linear / np.maximum(linear.max(axis=2, keepdims=True), 1e-9)
    return float((np.abs(ratio - wanted / wanted.max()).max(axis=2) < 0.06)[bright].sum() / bright.size)


def test_a_solution_in_space_is_drawn(shown: Callable[..., ViewerPage]) -> None:
    one = shown("soma")
    pixels = one.pixels()
    assert pixels.std() > 20
    seen = [number for number in range(7) if share_of(pixels, palette.colour(number)) > 0.01]
    assert len(seen) >= 4
    assert one.status() == "solution 1"
    assert one.page.title() == "the Soma cube"
    assert one.in_place() == 7


@pytest.mark.long
def test_a_flat_solution_has_the_palettes_very_colours(shown: Callable[..., ViewerPage]) -> None:
    pixels = shown("pent-10x6").pixels().astype(int)
    for number in range(12):
        close = np.abs(pixels - np.array(palette.colour(number))).max(axis=2) <= 2
        assert close.mean() > 0.01, number


@pytest.mark.long
@pytest.mark.parametrize("name", ["sphere-pyramid", "disc-cylinder", "tangram-square", "pent-stairs"])
def test_the_viewer_draws_every_lattice(name: str, shown: Callable[..., ViewerPage]) -> None:
    one = shown(name, 1)
    pixels = one.pixels()
    parts = len(latcover.load(name).parts)
    seen = [number for number in range(parts) if share_of(pixels, palette.colour(number)) > 0.002]
    assert len(seen) >= min(3, parts - 1)
    one.press("e")
    assert (one.pixels() != pixels).any()


@pytest.mark.long
def test_cells_are_drawn_in_their_colours(shown: Callable[..., ViewerPage]) -> None:
    """Black and white ones, with lines around the parts that are seen on both."""
    one = shown("hex-prisms", 1)
    pixels = one.pixels()
    assert (pixels.max(axis=2) < 60).mean() > 0.02
    assert (pixels.min(axis=2) > 253).mean() > 0.02
    assert not any(share_of(pixels, palette.colour(number)) > 0.002 for number in (0, 1, 2))
    swatches = one.page.locator(".swatch").evaluate_all("all => all.map((one) => one.style.background)")
    assert any("linear-gradient" in swatch and "rgb(41, 41, 41)" in swatch for swatch in swatches)


@pytest.mark.long
def test_exploding_moves_parts_and_takes_them_together_again(shown: Callable[..., ViewerPage]) -> None:
    one = shown("soma")
    before = one.pixels()
    one.press("e")
    apart = one.pixels()
    assert np.abs(before.astype(int) - apart).max(axis=2).mean() > 5
    assert one.page.get_by_role("slider", name="Explode").input_value() == "60"
    one.page.get_by_role("slider", name="Explode").fill("100")
    one.settle()
    assert (one.pixels() != apart).any()
    one.page.locator("canvas").focus()
    one.press("e")
    assert one.page.get_by_role("slider", name="Explode").input_value() == "0"
    assert np.abs(one.pixels().astype(int) - before).mean() < 1


@pytest.mark.long
def test_stepping_through_solutions(shown: Callable[..., ViewerPage]) -> None:
    one = shown("soma")
    before = one.pixels()
    one.press("n")
    assert one.status() == "solution 2"
    assert (one.pixels() != before).any()
    one.press("p")
    assert (one.pixels() == before).all()
    one.press("p")
    assert one.status() == "solution 1"
    one.page.get_by_role("button", name="Next solution").click()
    assert one.status() == "solution 2"
    number = one.page.get_by_role("spinbutton", name="Solution")
    number.fill("3")
    number.press("Enter")
    assert one.status() == "solution 3"
    number.fill("99")
    number.press("Enter")
    assert one.status() == "solution 3"
    assert number.input_value() == "3"
    one.page.get_by_role("slider", name="Solution").fill("1")
    assert one.status() == "solution 1"
    assert one.page.get_by_role("button", name="Previous solution").is_disabled()


def test_parts_come_out_by_click_and_go_back_by_key(shown: Callable[..., ViewerPage]) -> None:
    one = shown("soma")
    before = one.pixels()
    one.page.mouse.click(*one.middle())
    one.page.mouse.move(5, 5)
    one.settle()
    assert one.in_place() == 6
    assert one.status().endswith(" taken out")
    assert (one.pixels() != before).any()
    one.press("z")
    assert one.in_place() == 7
    assert one.status().endswith(" put back")
    assert (one.pixels() == before).all()


@pytest.mark.long
def test_all_parts_come_out_from_the_top(shown: Callable[..., ViewerPage]) -> None:
    one = shown("soma")
    names = []
    for left in range(6, -1, -1):
        one.press("x")
        names.append(one.status().split()[0])
        assert one.in_place() == left
    assert sorted(names) == sorted(part.name for part in latcover.load("soma").parts)
    one.press("x")
    assert one.status() == "all parts are out"
    assert all(share_of(one.pixels(), palette.colour(number)) < 0.001 for number in (0, 1, 2))
    one.press("n")
    assert one.in_place() == 0
    one.press("z")
    assert one.in_place() == 1
    one.press("a")
    assert one.in_place() == 7


def test_dragging_turns_and_takes_nothing_out(shown: Callable[..., ViewerPage]) -> None:
    one = shown("soma")
    before = one.pixels()
    x, y = one.middle()
    one.page.mouse.move(x, y)
    one.page.mouse.down()
    one.page.mouse.move(x + 120, y + 30, steps=4)
    one.page.mouse.up()
    one.settle()
    assert one.in_place() == 7
    assert (one.pixels() != before).any()


@pytest.mark.long
@pytest.mark.parametrize("key", ["ArrowLeft", "ArrowUp", "+"])
def test_keys_turn_and_zoom_and_go_home(key: str, shown: Callable[..., ViewerPage]) -> None:
    one = shown("soma")
    before = one.pixels()
    one.press(key)
    assert (one.pixels() != before).any()
    one.press("0")
    assert np.abs(one.pixels().astype(int) - before).mean() < 0.5


def test_nothing_is_drawn_while_nothing_moves(shown: Callable[..., ViewerPage]) -> None:
    one = shown("soma")
    asked = """async () => {
      const real = window.requestAnimationFrame.bind(window);
      let asked = 0;
      window.requestAnimationFrame = (draw) => { asked += 1; return real(draw); };
      for (let frame = 0; frame < 20; frame += 1) await new Promise(real);
      window.requestAnimationFrame = real;
      return asked;
    }"""
    assert one.page.evaluate(asked) == 0


@pytest.mark.long
def test_layers(shown: Callable[..., ViewerPage]) -> None:
    one = shown("soma")
    choice = one.page.get_by_role("combobox", name="Layer")
    assert choice.locator("option").all_text_contents() == ["all", "1 (bottom)", "2", "3 (top)"]
    whole = one.pixels()
    pictures = []
    for value in ("0", "1", "2"):
        one.press("l")
        assert choice.input_value() == value
        pictures.append(one.pixels())
    for one_picture, other in itertools.combinations([whole, *pictures], 2):
        assert (one_picture != other).any()
    one.press("Shift+L")
    assert choice.input_value() == "1"
    assert (one.pixels() == pictures[1]).all()
    choice.select_option("all")
    one.page.mouse.move(5, 5)
    one.settle()
    assert (one.pixels() == whole).all()


@pytest.mark.long
def test_a_flat_puzzle_has_no_layers(shown: Callable[..., ViewerPage]) -> None:
    one = shown("pent-10x6")
    assert not one.page.get_by_role("combobox", name="Layer").is_visible()
    before = one.status()
    one.press("l")
    assert one.status() == before


@pytest.mark.long
def test_the_legend_by_keyboard(shown: Callable[..., ViewerPage]) -> None:
    one = shown("soma")
    whole = one.pixels()
    boxes = one.page.locator(".parts input")
    assert one.page.locator(".parts .name").all_text_contents() == [part.name for part in latcover.load("soma").parts]
    one.page.get_by_role("button", name="GIF").focus()
    one.press("Tab")
    assert boxes.nth(0).evaluate("box => box === document.activeElement")
    assert boxes.nth(0).evaluate("box => getComputedStyle(box).outlineStyle") == "solid"
    assert (one.pixels() != whole).any()  # the part shines through the others
    one.press("Space")
    assert one.in_place() == 6
    one.press("Space")
    assert one.in_place() == 7
    one.press("n")
    assert one.status() == "solution 2"
    assert boxes.nth(0).evaluate("box => box === document.activeElement")


@pytest.mark.long
def test_names_under_the_pointer(shown: Callable[..., ViewerPage]) -> None:
    one = shown("soma")
    tip = one.page.locator(".tip")
    assert not tip.is_visible()
    one.page.mouse.move(*one.middle())
    expect(tip).to_be_visible()
    assert tip.text_content() in {part.name for part in latcover.load("soma").parts}
    one.page.mouse.move(5, 5)
    expect(tip).not_to_be_visible()


@pytest.mark.long
def test_keys_leave_fields_and_shortcuts_alone(shown: Callable[..., ViewerPage]) -> None:
    one = shown("soma")
    one.page.get_by_role("spinbutton", name="Solution").focus()
    one.press("n", "x", "e")
    assert one.status() == "solution 1"
    assert one.in_place() == 7
    one.page.locator("canvas").focus()
    one.press("Alt+x")
    assert one.in_place() == 7


@pytest.mark.long
def test_help_and_names_for_those_who_do_not_see(shown: Callable[..., ViewerPage]) -> None:
    one = shown("soma")
    assert not one.page.get_by_text("next and previous solution").is_visible()
    one.press("?")
    assert one.page.get_by_text("next and previous solution").is_visible()
    canvas = one.page.locator("canvas")
    assert canvas.get_attribute("aria-label") == ("the Soma cube, solution 1; 7 parts in place. Press ? for the keys.")
    assert canvas.get_attribute("role") == "application"
    assert one.page.locator(".status").get_attribute("role") == "status"
    unnamed = one.page.evaluate(
        "[...document.querySelectorAll('button, input, select')].filter((element) => "
        "!element.labels?.length && !element.textContent.trim() && !element.ariaLabel).length"
    )
    assert unnamed == 0


@pytest.mark.long
def test_motion_ends_where_it_would_without(shown: Callable[..., ViewerPage]) -> None:
    """With motion allowed a part glides away; at the end the picture is the one that calm readers see at once."""
    calm = shown("soma")
    calm.press("x")
    wanted = calm.pixels()
    lively = shown("soma", viewport=CALM["viewport"])
    lively.press("x")
    for _ in range(300):
        if (lively.pixels() == wanted).all():
            break
        lively.settle()
    assert (lively.pixels() == wanted).all()


@pytest.mark.long
@pytest.mark.parametrize("name", ["soma", pytest.param("pent-10x6", marks=pytest.mark.long)])
def test_on_a_phone(name: str, shown: Callable[..., ViewerPage]) -> None:
    one = shown(name, **PHONE)
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert one.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    box = one.page.locator("canvas").bounding_box()
    assert box["width"] == 390
    assert box["height"] > 250
    assert one.pixels().std() > 20
    one.page.touchscreen.tap(*one.middle())
    one.settle()
    assert one.in_place() == len(latcover.load(name).parts) - 1
    back = one.page.get_by_role("button", name="Put all back")
    back.scroll_into_view_if_needed()
    assert back.bounding_box()["height"] >= 40
    back.tap()
    assert one.in_place() == len(latcover.load(name).parts)


@pytest.mark.long
def test_a_thousand_solutions(browser: Any, folder: Path) -> None:
    puzzle = latcover.load("soma")
    some = list(latcover.solutions(puzzle))
    many = [Solution(some[k % len(some)].placements, k + 1, puzzle=puzzle) for k in range(1000)]
    path = folder / "many.html"
    path.write_text(page_text(puzzle, many), "utf-8")
    alone = len(page_text(puzzle, many[:1]).encode())
    assert path.stat().st_size - alone < 113_000  # for 999 solutions more, whatever the viewer itself takes
    one = ViewerPage(browser, path.as_uri())
    assert one.status() == "solution 1"
    first = one.pixels()
    for k in (1000, 500, 241):
        one.page.get_by_role("slider", name="Solution").fill(str(k))
        expect(one.page.locator(".status")).to_have_text(f"solution {k}")
    one.settle()
    assert (one.pixels() == first).all()  # 241 is 1 again
    assert one.errors == []
    one.context.close()


@pytest.mark.long
def test_html_in_names_stays_text(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "wicked.toml"
    path.write_text(
        f'name = "wicked"\ntitle = {json.dumps(WICKED)}\nlattice = "square"\n[region]\nbox = [2, 2]\n'
        f"[[parts]]\nname = {json.dumps('<b>' + WICKED)}\nbox = [2, 1]\ncount = 2\n",
        encoding="utf-8",
    )
    puzzle = latcover.load(str(path))
    shown_at = tmp_path / "wicked.html"
    shown_at.write_text(page_text(puzzle, list(latcover.solutions(puzzle))), "utf-8")
    one = ViewerPage(browser, shown_at.as_uri())
    one.page.mouse.move(*one.middle())
    one.press("x")
    assert one.page.locator("h1").text_content() == WICKED
    assert one.page.locator(".parts .name").first.text_content() == f"<b>{WICKED} 1"
    assert one.page.locator("img, b").count() == 0
    assert one.page.evaluate("window.wicked") is None
    assert one.errors == []
    one.context.close()


@pytest.mark.long
def test_the_policy_stops_what_is_not_the_pages_own(shown: Callable[..., ViewerPage]) -> None:
    def told(message: Any) -> bool:
        return "Content Security Policy" in message.text

    one = shown("soma")
    with one.page.expect_console_message(told):
        one.page.evaluate(
            """() => {
              const script = document.createElement("script");
              script.textContent = "window.wicked = 1";
              document.body.append(script);
            }"""
        )
    assert one.page.evaluate("window.wicked") is None
    with one.page.expect_console_message(told):
        assert one.page.evaluate("fetch('data:,x').then(() => 'loaded', () => 'refused')") == "refused"
    one.errors.clear()
    del one.asked[1:]  # what was refused


@pytest.mark.long
def test_without_webgl_the_rest_works(browser: Any, written: Callable[..., str]) -> None:
    opened = chromium.launched(browser.browser_type, "--disable-3d-apis")
    one = ViewerPage(opened, written("soma"))
    assert "3D pictures need a browser with WebGL" in one.page.get_by_role("alert").text_content()
    one.page.get_by_role("button", name="Next solution").click()
    assert one.status() == "solution 2"
    one.page.locator(".parts input").first.uncheck()
    assert one.in_place() == 6
    one.page.get_by_role("slider", name="Explode").fill("50")
    one.page.get_by_role("combobox", name="Layer").select_option("1")
    assert one.status() == "layer 2 of 3"
    opened.close()


LIVE = """<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/widgets.css"><link rel="stylesheet" href="/viewer.css">
<div id="here" style="height: 600px"></div>
<script type="module">
  import { mount } from "./viewer.js";
  import { unpack } from "./source.js";
  const whole = unpack(await (await fetch("/data.json")).json());
  window.source = { ...whole, count: 0, solution: (k) => whole.solution(k) };
  window.viewer = mount(document.getElementById("here"), window.source, { heading: "h2" });
</script>"""


class Served(SimpleHTTPRequestHandler):
    """The viewer's modules as the web app serves them, with data that come by HTTP."""

    extra: dict[str, tuple[str, bytes]] = {}  # noqa: RUF012 - set by the test before the server starts

    def do_GET(self) -> None:
        if self.path in self.extra:
            kind, body = self.extra[self.path]
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(body)
        else:
            super().do_GET()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def live(browser: Any) -> Iterator[ViewerPage]:
    """The page LIVE with three solutions of Soma, none of which is known to it yet."""
    puzzle = latcover.load("soma")
    data = json.dumps(scene_read(puzzle, list(itertools.islice(latcover.solutions(puzzle), 3))))
    Served.extra = {"/": ("text/html", LIVE.encode()), "/data.json": ("application/json", data.encode())}
    handler = partial(Served, directory=str(files("latcover.show.drawing.space") / "static"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        one = ViewerPage(browser, f"http://127.0.0.1:{server.server_port}/")
        yield one
        assert one.errors == []
        one.context.close()
        server.shutdown()


@pytest.mark.long
def test_modules_with_a_source_that_grows(browser: Any) -> None:
    with live(browser) as one:
        assert one.status() == "no solution yet"
        assert one.page.get_by_role("heading", level=2).text_content() == "the Soma cube"
        one.page.evaluate("() => { window.source.count = 1; window.viewer.refresh(); }")
        expect(one.page.locator(".status")).to_have_text("solution 1")
        one.page.evaluate("() => { window.source.count = 3; window.viewer.refresh(); }")
        expect(one.page.locator(".total")).to_have_text("of 3")
        one.page.evaluate("() => window.viewer.show(2)")
        assert one.status() == "solution 3"
        one.settle()
        assert one.pixels().std() > 20
        one.page.evaluate("() => { window.source.solution = () => Promise.reject(new Error('gone')); }")
        one.page.evaluate("() => window.viewer.show(0)")
        assert one.status() == "solution 1 cannot be shown: gone"
        one.page.evaluate("() => window.viewer.dispose()")
        assert one.page.locator("#here *").count() == 0
        one.settle()


SLOW = """() => {
  const { source } = window;
  const load = source.solution.bind(source);
  window.asked = [];
  source.solution = (k) => {
    window.asked.push(k);
    return new Promise((done) => { window.arrive = () => done(load(k)); });
  };
  source.count = 2;
}"""


@pytest.mark.long
def test_what_was_asked_for_is_shown_though_more_is_found_meanwhile(browser: Any) -> None:
    with live(browser) as one:
        one.page.evaluate(SLOW)
        one.page.evaluate("() => { window.viewer.show(1); }")
        one.page.evaluate("() => { window.source.count = 3; window.viewer.refresh(); }")
        one.page.evaluate("() => window.arrive()")
        expect(one.page.locator(".status")).to_have_text("solution 2")
        assert one.page.evaluate("() => window.asked") == [1]


@pytest.fixture(scope="module")
def burr(folder: Path) -> str:
    """A page that plays how burrs come apart: of its solutions the first does not, and another does."""
    puzzle = latcover.load("burr-piston")
    found = list(latcover.solutions(puzzle))
    taken = {solution.number: disassemble(solution) for solution in found}
    apart = next(s for s in found if taken[s.number].result == "apart")
    stuck = next(s for s in found if taken[s.number].result == "stuck")
    path = folder / "burr.html"
    path.write_text(page_text(puzzle, [apart, stuck], taken), "utf-8")
    return path.as_uri()


NOTED = """() => {
  const viewer = document.querySelector(".latcover-viewer");
  window.noted = []; // whether it played, whenever that was said
  new MutationObserver(() => noted.push(viewer.dataset.playing)).observe(viewer, { attributes: true });
}"""
AT = "(place) => document.querySelector('.latcover-viewer').dataset.move === String(place)"


@pytest.mark.long
@pytest.mark.parametrize("calm", [True, False])
def test_a_disassembly_is_played_to_its_end(browser: Any, burr: str, calm: bool) -> None:
    one = ViewerPage(browser, burr, **CALM | {"reduced_motion": "reduce" if calm else "no-preference"})
    together = one.pixels()
    words = one.page.locator(".move")
    assert (
        words.text_content()
        == "it comes apart with level 9.3: 12 moves, and 3 more, each of which frees a piece at once"
    )
    one.page.get_by_role("button", name="Next move").click()
    one.page.wait_for_function(AT, arg=1)
    assert str(words.text_content()).startswith("move 1 of 15: part")
    assert one.page.locator(".parts .moving").count() >= 1
    one.press("Home")
    one.page.wait_for_function(AT, arg=0)
    one.page.locator("canvas").focus()
    one.press("End", ",")
    one.page.wait_for_function(AT, arg=14)
    if calm:  # all moves; otherwise, in many frames, the last ones
        one.press("Home")
        one.page.wait_for_function(AT, arg=0)
    one.page.evaluate(NOTED)
    one.press(" ")
    one.page.wait_for_function(AT, arg=15)
    one.page.wait_for_function("() => noted.at(-1) === 'false'")
    assert "true" in one.page.evaluate("() => noted")
    one.settle()
    assert str(words.text_content()).startswith("move 15 of 15: part")
    assert one.page.get_by_role("slider", name="Move").input_value() == "15"
    apart = one.pixels()
    assert (np.abs(apart.astype(int) - together).max(axis=2) > 30).mean() > 0.05
    one.page.get_by_role("slider", name="Move").fill("0")
    one.page.wait_for_function(AT, arg=0)
    one.settle()
    assert (np.abs(one.pixels().astype(int) - together).max(axis=2) > 30).mean() < 0.001
    assert one.errors == []
    one.context.close()


@pytest.mark.long
def test_a_solution_that_is_stuck_says_so(browser: Any, burr: str) -> None:
    one = ViewerPage(browser, burr, **PHONE)
    one.press("n")
    expect(one.page.locator(".status")).to_contain_text("solution 1", timeout=LONG)  # shown second, found first
    assert one.page.locator(".move").text_content() == "it cannot be taken apart by sliding"
    assert not one.page.get_by_role("button", name="Play").is_visible()
    one.press(" ", ".")  # nothing to play
    assert one.errors == []
    one.context.close()


@pytest.mark.long
def test_a_page_without_disassemblies_has_no_player(shown: Callable[..., ViewerPage]) -> None:
    one = shown("soma")
    assert not one.page.locator(".player").is_visible()
    one.press(" ", ".", "End")
    assert one.status() == "solution 1"
