"""The pictures of the program in the README and the tutorials, taken in a real browser.

One command takes them again, from the root of a checkout: ``python docs/make_screenshots.py docs``. It needs Chromium
and the extra `test`. Browsers and fonts differ between machines, so no test compares these pictures.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

LATCOVER = [sys.executable, "-P", "-m", "latcover"]
COMES_APART = "cut-4x4x4-level-7"
AWAITED = """() => [...document.querySelectorAll(".deed img, .cards img")].some(
    (one) => one.checkVisibility() && one.getBoundingClientRect().top < innerHeight && !one.naturalWidth)"""
BROWSER = ["--no-sandbox", "--use-angle=swiftshader-webgl", "--enable-unsafe-swiftshader"]


@contextmanager
def served() -> Iterator[str]:
    """The address of a web app."""
    with subprocess.Popen([*LATCOVER, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found is not None
        try:
            yield found[0]
        finally:
            server.terminate()


def taken(page: Page, path: Path) -> None:
    """Save what the page shows, with as many colours as fit a byte: as small as a drawing."""
    shot = Image.open(io.BytesIO(page.screenshot()))
    shot.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def film(page: Page, folder: Path) -> None:
    """A cube that comes apart, in the middle of its moves."""
    with tempfile.TemporaryDirectory() as temporary:
        html = Path(temporary) / "film.html"
        subprocess.run([*LATCOVER, "show", COMES_APART, "--assembly", "--output", str(html)], check=True)
        page.set_viewport_size({"width": 1000, "height": 660})
        page.goto(html.as_uri())
        page.get_by_role("slider").first.wait_for()
        for _ in range(7):
            page.keyboard.press(".")
        page.wait_for_timeout(2000)
        taken(page, folder / "comes-apart.png")


def drawing(page: Page, address: str, folder: Path) -> None:
    """A slab with a block upon it, in space and as a layer, beside a box of four cubes a side."""
    page.set_viewport_size({"width": 1280, "height": 860})
    opened(page, address)
    page.get_by_role("button", name="cubes", exact=True).click()
    page.get_by_text("8 to fill").wait_for()
    region, part = page.locator("#puzzle .region"), page.locator("#puzzle .edited")
    region.get_by_label("lengths of the box").fill("4 4 4")
    region.get_by_role("button", name="Make it a box").click()
    page.locator("#puzzle-name").fill("four towers")
    page.locator("#puzzle .parts .pick").click()
    part.get_by_label("name of the part").fill("base")
    part.get_by_role("button", name="Tools").click()
    part.get_by_label("lengths of the box").fill("4 4 1")
    part.get_by_role("button", name="Make it a box").click()
    part.get_by_role("button", name="Tools").click()
    part.get_by_role("button", name="layer above", exact=True).click()
    for x, y in ((1, 1), (1, 2), (2, 1), (2, 2)):
        part.get_by_label(f"cell {x}, {y}, 1:").click()
    page.wait_for_timeout(3000)
    taken(page, folder / "app-drawing.png")
    solving(page, folder)


def solving(page: Page, folder: Path) -> None:
    """The other parts of the tutorial's puzzle; its first solution, halfway apart; and the sheet that saves it."""
    part = page.locator("#puzzle .edited")
    page.get_by_role("button", name="Add a part", exact=True).click()
    part.get_by_label("name of the part").fill("frame")
    part.get_by_role("button", name="Tools").click()
    part.get_by_label("lengths of the box").fill("4 4 1")
    part.get_by_role("button", name="Make it a box").click()
    part.get_by_role("button", name="Tools").click()
    for x, y in ((1, 1), (1, 2), (2, 1), (2, 2)):
        part.get_by_label(f"cell {x}, {y}, 0:").click()
    page.get_by_role("button", name="Add a part", exact=True).click()
    part.get_by_label("name of the part").fill("T")
    for x, y in ((-1, 0), (1, 0), (0, 1)):
        part.get_by_label(f"cell {x}, {y}, 0:").click()
    part.get_by_label("copy this layer to the one above").click()
    for least in ("at most", "at least"):
        part.get_by_label(least).fill("4")
        part.get_by_label(least).press("Tab")
    page.locator("#puzzle .live", has_text="2 solutions").wait_for()
    page.wait_for_timeout(1500)
    taken(page, folder / "app-keep.png")
    page.click("#tab-solve")
    page.locator("#solve .browse").get_by_text("of 2").wait_for()
    page.click("#tab-apart")
    page.locator("#apart .player").wait_for()
    for key in ("Home", ".", "."):
        page.keyboard.press(key)
    page.wait_for_timeout(3000)
    taken(page, folder / "app-solved.png")
    page.click("#save")
    page.wait_for_timeout(500)
    taken(page, folder / "app-save.png")
    page.keyboard.press("Escape")


def opened(page: Page, address: str) -> None:
    """Open an address of the app anew."""
    page.goto("about:blank")
    page.goto(address)
    page.locator("body:not([aria-busy]) main").wait_for()
    page.wait_for_timeout(1000)


def finding(page: Page, address: str, folder: Path) -> None:
    """The best solutions, and a packing; and rules on parts on the page Solve."""
    page.set_viewport_size({"width": 1180, "height": 800})
    for question, name in (
        ("treasure?maximize=gold&limit=4", "app-best.png"),
        ("pent-8x8-minus-2x2?find=pack&part=V", "app-packing.png"),
    ):
        opened(page, f"{address}#best/{question}")
        page.get_by_role("button", name="Find the best").click()
        page.locator("#best .status", has_text="proved").wait_for(timeout=120_000)
        page.wait_for_timeout(1500)
        taken(page, folder / name)
    opened(page, f"{address}#solve/pent-10x6")
    told = page.locator("#solve .status", has_text="(complete)")
    told.filter(has_text="2,339").wait_for()
    page.click("#solve > .run .more summary")
    rules = page.locator("#solve .form details", has_text="Rules on parts").last
    rules.locator("summary").first.click()
    rules.get_by_label("no four parts meet at a point").check()
    rules.get_by_role("button", name="Parts that few colours suffice for").click()
    page.locator("#solve .run .main").click()
    told.filter(has_not_text="2,339").wait_for()
    page.click("#solve > .run .more summary")
    page.wait_for_timeout(500)
    taken(page, folder / "app-rules.png")


def app(page: Page, folder: Path) -> None:
    """The first page of the web app, what is found on its pages, and a map of a part."""
    with served() as address:
        page.set_viewport_size({"width": 1320, "height": 880})
        opened(page, address)
        while page.evaluate(AWAITED):
            page.wait_for_timeout(200)
        taken(page, folder / "app.png")
        drawing(page, address, folder)
        finding(page, address, folder)
        opened(page, f"{address}#solve/aztec-12")
        page.click("#solve > .run .more summary")
        page.locator("button[aria-disabled=false]", has_text="How likely?").click()
        page.locator("[aria-label='How likely'] select").select_option(label="across")
        page.set_viewport_size({"width": 1000, "height": 940})
        page.locator("#solve .run").first.evaluate("panel => panel.scrollIntoView()")
        page.wait_for_timeout(1000)
        taken(page, folder / "app-likely.png")


def workshop(page: Page, folder: Path) -> None:
    """A part of a puzzle of a site, in the workshop of the site: a page without a server."""
    puzzle = "pent-8x8-minus-2x2"
    with tempfile.TemporaryDirectory() as temporary:
        site = Path(temporary) / "site"
        subprocess.run([*LATCOVER, "publish", puzzle, "--title", "Puzzles", "--output", str(site)], check=True)
        page.set_viewport_size({"width": 1180, "height": 760})
        opened(page, f"{(site / 'workshop.html').as_uri()}#puzzle/{puzzle}")
        page.locator("#puzzle .parts .pick").nth(2).click()
        page.locator("#puzzle .live", has_text="65 solutions").wait_for()
        page.wait_for_timeout(1000)
        taken(page, folder / "workshop.png")


def main(folder: Path) -> None:
    """Take all pictures."""
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=BROWSER)
        page = browser.new_context(device_scale_factor=1.25, reduced_motion="reduce").new_page()
        film(page, folder)
        app(page, folder)
        workshop(page, folder)
        browser.close()


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit(__doc__)
    main(Path(sys.argv[1]) / "images")
