"""Puzzles played by hand in a real browser, by mouse, by finger and by keyboard. Without Chromium it is skipped.

What is placed in the page becomes a solution here, and the verifier judges it. Hints come from a backend.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import latcover
from latcover import backends
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.search import Batch, Limits, SearchTask
from latcover.core.encoding.prepared import Prepared, prepare
from latcover.core.model.verifier import verify
from tests import chromium
from tests.chromium import expect
from tests.page_data import puzzle_played

browser = chromium.browser

SITE = "http://play.test/"
HTML = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>play</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="widgets.css"><link rel="stylesheet" href="play.css">
<style>body { margin: 0 } #host { height: 100vh }</style><div id="host"></div>
<script type="module">
import { play } from "./play.js";
const engine = {
  async search(problem, limits, { onCovers }) {
    const cover = await window.finish(problem);
    if (cover) { onCovers([Int32Array.from(cover)]); }
    return { stop: cover ? "cover_limit" : "exhausted" };
  },
};
const host = document.getElementById("host");
host.addEventListener("solved", () => { window.solved = (window.solved ?? 0) + 1; });
window.game = play(host, await (await fetch("data.json")).json(), engine);
</script></html>"""
BARE = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>bare</title><script type="module">
import { PlayPuzzle } from "./play_puzzle.js";
import { Position } from "./position.js";
import { reachesAll } from "./turning.js";
const puzzle = new PlayPuzzle(await (await fetch("data.json")).json());
window.game = { puzzle, Position, reachesAll };
</script></html>"""
FOLDERS = [files("latcover.apps.publishing") / "static", files("latcover.show.drawing.space") / "static"]
KINDS = {"js": "text/javascript", "css": "text/css"}

# The keys that turn the part in the hand from one way round to another, as few as there may be.
KEYS_TO = """(to) => {
  const { part } = game.hand, flat = game.puzzle.dimension === 2;
  const kinds = flat ? { r: "turn", f: "flip" } : { r: "turn", t: "tip", y: "roll" };
  const known = new Map([[game.hand.way, ""]]);
  for (const [way, keys] of known) {
    for (const [key, kind] of Object.entries(kinds)) {
      const next = game.turnedBy(kind, 1, part, way);
      if (!known.has(next)) { known.set(next, keys + key); }
    }
  }
  return known.get(to) ?? null;
}"""
PLACE = """(option) => {
  const box = game.view.getBoundingClientRect();
  const [x, y, depth] = game.board.project(game.puzzle.middleOf(option));
  return [x + box.left, y + box.top, depth];
}"""

INSIDE = """(option) => {
  const box = game.view.getBoundingClientRect();
  const [x, y] = game.board.project(game.puzzle.centres[game.puzzle.cellsOf(option)[0]]);
  return [x + box.left, y + box.top];
}"""

ALLOWED = """(chosen) => {
  const position = new game.Position(game.puzzle, chosen);
  const all = [...game.puzzle.optionOrientation.keys()];
  return [all.filter((option) => game.puzzle.partOfOption(option) >= 0 && position.allows(option)), position.solved];
}"""
# Sides that match, cells that may stay empty, parts that may stay out, a region that closes on itself, few empty cells.
RULED = ("nine-cards", "burr-piston", "pent-stairs", "disc-cylinder", "loose")
LOOSE = """
name = "loose"
lattice = "square"
[region]
art = ["++++", "XXXX", "++++"]
max_empty = 2
[[parts]]
name = "I"
min = 1
max = 3
art = ["XXX"]
[[parts]]
name = "o"
min = 0
max = 2
art = ["XX"]
"""
RING = """
name = "ring"
lattice = "square"
region = { box = [1, 4], period = [0, 4] }
parts = [{ name = "domino", count = 2, transformations = "fixed", art = ["XX"] }]
"""
HUNG = """
name = "hung"
lattice = "square"
region = { box = [4, 3] }
rules = { connected = [{ parts = ["o"] }] }
parts = [{ name = "o", count = 3, art = ["XX"] }, { name = "x", count = 3, art = ["XX"] }]
"""
OWN = {"loose": LOOSE, "ring": RING, "hung": HUNG}


class Table:
    """A puzzle in a tab."""

    def __init__(self, tab: Any, name: str, *, page: str = HTML) -> None:
        self.tab, self.page = tab, page
        puzzle = latcover.loads(OWN[name]) if name in OWN else latcover.load(name)
        self.full: Prepared = prepare(puzzle).in_full()
        self.data = puzzle_played(self.full)
        tab.unroute_all()
        tab.route(f"{SITE}**", self.serve)
        tab.goto(SITE)
        tab.evaluate("() => localStorage.clear()")
        self.open()

    def open(self) -> None:
        self.tab.goto(SITE)
        self.tab.wait_for_function("() => window.game")

    def serve(self, route: Any) -> None:
        name = route.request.url.removeprefix(SITE)
        if name == "":
            route.fulfill(body=self.page, content_type="text/html")
        elif name == "data.json":
            route.fulfill(body=json.dumps(self.data), content_type="application/json")
        else:
            found = [folder / name for folder in FOLDERS if (folder / name).is_file()]
            kind = KINDS.get(name.rpartition(".")[2], "")
            route.fulfill(body=found[0].read_bytes(), content_type=kind) if found else route.fulfill(status=204)

    # What the tests know of the puzzle

    def solution(self) -> list[int]:
        """The options of a solution."""
        (cover,) = covers_of(self.full.problem, 1)
        return [option for option in cover if self.full.option_placement[option] >= 0]

    def solves(self) -> bool:
        """Whether the page says that it is solved, and the verifier too."""
        placements = self.full.option_placement[self.placed()]
        solution = latcover.Solution(self.full.placed(placements.tolist()))
        sound = verify(self.full.puzzle, solution) == []
        assert sound == self.tab.evaluate("() => game.solved")
        return sound

    # What a player sees and does

    def placed(self) -> list[int]:
        return list(self.tab.evaluate("() => game.placed"))

    def says(self, words: str) -> None:
        expect(self.tab.locator(".words")).to_contain_text(words)

    def part_of(self, option: int) -> int:
        return int(self.tab.evaluate("(option) => game.puzzle.partOfOption(option)", option))

    def place(self, option: int) -> tuple[float, float]:
        x, y, _ = self.tab.evaluate(PLACE, option)
        return x, y

    def inside(self, option: int) -> tuple[float, float]:
        """A point of the window at which a placed part lies: the middle of a cell."""
        x, y = self.tab.evaluate(INSIDE, option)
        return x, y

    def button(self, name: str) -> Any:
        return self.tab.get_by_role("button", name=name, exact=True)

    def turn_to(self, option: int, press: Callable[[str], None] | None = None) -> None:
        """Turn the part in the hand by keys, until it lies as in *option*."""
        keys = self.tab.evaluate(KEYS_TO, self.tab.evaluate("(option) => game.puzzle.wayOf(option)", option))
        assert keys is not None
        for key in keys:
            (press or self.tab.keyboard.press)(key)

    def drag_from_tray(self, option: int) -> None:
        """Drag a part from the tray to where *option* has it; it is turned on the way."""
        box = self.tab.locator(f".part[data-part='{self.part_of(option)}']").bounding_box()
        mouse = self.tab.mouse
        mouse.move(box["x"] + 20, box["y"] + 20)
        mouse.down()
        mouse.move(box["x"] + 40, box["y"] + 40)
        self.turn_to(option)
        mouse.move(*self.place(option))
        mouse.up()


@pytest.fixture(scope="module")
def tab(browser: Any) -> Any:
    opened = browser.new_context(viewport={"width": 900, "height": 640}, reduced_motion="reduce").new_page()
    opened.set_default_timeout(chromium.LONG)
    opened.expose_function("finish", finish)
    return opened


@pytest.fixture
def sit(tab: Any) -> Iterator[Callable[[str], Table]]:
    """Sit down at a puzzle; at the end the console must have no error."""
    errors: list[str] = []

    def on_error(error: Any) -> None:
        errors.append(str(error))

    tab.on("pageerror", on_error)
    yield lambda name: Table(tab, name)
    tab.remove_listener("pageerror", on_error)
    assert errors == []


def finish(problem: dict[str, Any]) -> list[int] | None:
    """A cover of a problem that the page asks about, found by a backend; the arrays are checked on the way."""
    asked = CoverProblem(
        np.array(problem["starts"], np.int64),
        np.array(problem["items"], np.int32),
        np.array(problem["low"], np.int32),
        np.array(problem["high"], np.int32),
        problem["n_cells"],
        np.ones(problem["n_parts"], np.int32),
        option_colours=np.array(problem.get("colours", []), np.int32),
    )
    return next(iter(covers_of(asked, 1)), None)


def covers_of(problem: CoverProblem, most: int | None = None) -> list[list[int]]:
    covers: list[list[int]] = []

    def keep(batch: Batch) -> bool:
        covers.extend(cover.tolist() for cover in batch)
        return True

    backends.create("dlx").search(SearchTask(problem, keep, limits=Limits(covers=most)))
    return covers


def test_a_square_puzzle_is_solved_with_the_mouse(sit: Callable[[str], Table]) -> None:
    table = sit("fig4-3x3")
    tab, options = table.tab, table.solution()
    first, *rest = options
    table.drag_from_tray(first)
    assert table.placed() == [first]
    # Where it lies already, nothing else may lie: the part stays in the hand, and then goes to the tray.
    table.drag_from_tray(rest[0])
    assert table.placed() == [first, rest[0]]
    x, y = table.place(first)
    tab.locator(f".part[data-part='{table.part_of(rest[1])}']").click()
    tab.mouse.move(x, y)
    table.says("is in the way")
    tab.mouse.click(x, y)
    assert table.placed() == [first, rest[0]]
    assert tab.locator(".held.bad").count() == 1
    expect(table.button("Drop")).to_be_disabled()
    tab.keyboard.press("Escape")
    # Back and forth.
    table.button("Undo").click()
    assert table.placed() == [first]
    table.button("Redo").click()
    # A placed part is dragged away, into the tray.
    tab.mouse.move(*table.inside(rest[0]))
    tab.mouse.down()
    tab.mouse.move(*table.place(first), steps=3)
    tab.mouse.move(880, 400)
    tab.mouse.up()
    assert table.placed() == [first]
    # Another one is dragged to where it may lie too, and is not there twice.
    other = tab.evaluate(
        "(o) => game.puzzle.optionsOf(game.puzzle.partOfOption(o), game.puzzle.wayOf(o)).at(-1)", first
    )
    start, x, y = table.inside(first), *table.place(first)
    goal_x, goal_y = table.place(other)
    tab.mouse.move(*start)
    tab.mouse.down()
    tab.mouse.move(start[0] + goal_x - x, start[1] + goal_y - y, steps=4)
    tab.mouse.up()
    assert other != first
    assert table.placed() == [other]
    table.button("Undo").click()
    for option in rest:
        assert not table.solves()
        table.drag_from_tray(option)
    assert table.solves()
    assert sorted(table.placed()) == sorted(options)
    expect(tab.locator(".banner")).to_contain_text("You have found 1 of 16 solutions.")
    assert tab.evaluate("() => window.solved") == 1


@pytest.mark.long
def test_keys_work_from_the_first_moment_and_the_focus_is_kept(sit: Callable[[str], Table]) -> None:
    table = sit("fig4-3x3")
    tab = table.tab
    tab.keyboard.press("ArrowDown")  # scrolls, while there is nothing to move
    tab.keyboard.press("1")
    table.says("fits here")
    tab.keyboard.press("Enter")
    assert len(table.placed()) == 1
    for name in ("Start over", "Redo"):  # pressed until they can no longer be pressed
        table.button(name).click()
        expect(tab.locator(".view")).to_be_focused()
        tab.keyboard.press("2")
        table.says("fits here")
        tab.keyboard.press("Escape")
        table.button("Undo").click()
        assert len(table.placed()) == 1


@pytest.mark.long
def test_by_keyboard_alone_and_resumed(sit: Callable[[str], Table]) -> None:
    table = sit("tetrahexes-4x7")
    tab, options = table.tab, table.solution()
    tab.keyboard.press("Tab")  # from nowhere into the page
    for count, option in enumerate(options):
        if count == 3:
            before = table.placed()
            table.open()
            assert table.placed() == before
            table.says("Your last game is restored.")
            tab.locator(".part").first.focus()
        tab.keyboard.press(str(table.part_of(option) + 1))
        table.turn_to(option)
        walk(table, option)
        tab.keyboard.press("Enter")
        assert table.placed()[-1] == option
        if count == 1:  # take up the one that was placed last, put it away, and place it again
            tab.keyboard.press("ArrowLeft")
            while tab.evaluate("() => game.chosen.option") != option:
                tab.keyboard.press("ArrowRight")
            tab.keyboard.press("Enter")
            tab.keyboard.press("Delete")
            assert option not in table.placed()
            tab.keyboard.press("u")
            assert option in table.placed()
    assert table.solves()


def walk(table: Table, option: int) -> None:
    """Bring the part in the hand to an option by arrow keys."""
    tab = table.tab
    for _ in range(30):
        x, y = table.place(option)
        here = tab.evaluate("() => game.hand.option")
        if here == option:
            return
        now_x, now_y = table.place(here)
        across = abs(x - now_x) > abs(y - now_y)
        tab.keyboard.press(
            ("ArrowRight" if x > now_x else "ArrowLeft") if across else ("ArrowDown" if y > now_y else "ArrowUp")
        )
    raise AssertionError(f"the keys do not lead to option {option}")


@pytest.mark.long
def test_in_space(sit: Callable[[str], Table]) -> None:
    """A click takes a part up, another one drops it; what lies at another depth is reached by keys or the wheel."""
    table = sit("slothouber-graatsma")
    tab = table.tab
    options = table.solution()
    for option in sorted(options, key=lambda option: -tab.evaluate(PLACE, option)[2]):  # those behind first
        tab.locator(f".part[data-part='{table.part_of(option)}']").click()
        table.turn_to(option)
        x, y = table.place(option)
        tab.mouse.move(x, y)
        for _ in range(12):
            if tab.evaluate("() => game.hand.option") == option:
                break
            here = tab.evaluate("() => game.hand.option")
            deeper = here is None or tab.evaluate(PLACE, here)[2] < tab.evaluate(PLACE, option)[2]
            tab.mouse.wheel(0, 100 if deeper else -100)
        assert tab.evaluate("() => game.hand.option") == option
        tab.keyboard.press("Enter") if option == options[0] else table.button("Drop").click()
        assert table.placed()[-1] == option
    assert table.solves()
    # The picture turns by dragging beside the parts, and nothing is taken up.
    before = tab.evaluate("() => game.board.axes().right")
    box = tab.locator(".view").bounding_box()
    tab.mouse.move(box["x"] + 12, box["y"] + box["height"] - 150)
    tab.mouse.down()
    tab.mouse.move(box["x"] + 120, box["y"] + box["height"] - 150, steps=3)
    tab.mouse.up()
    assert tab.evaluate("() => game.board.axes().right") != before
    assert table.solves()


@pytest.mark.long
def test_sides_that_do_not_match_are_refused_and_hints_finish(sit: Callable[[str], Table]) -> None:
    table = sit("nine-cards")
    tab, options = table.tab, table.solution()
    table.drag_from_tray(options[0])
    wrong = tab.evaluate(
        """() => {
          const { puzzle, position } = game;
          const free = (option) => puzzle.cellsOf(option).every((cell) => !position.used[cell]);
          return [...puzzle.optionOrientation.keys()].find((option) => puzzle.partOfOption(option) > 0
            && puzzle.partOfOption(option) !== puzzle.partOfOption(position.options[0])
            && free(option) && !position.allows(option));
        }"""
    )
    table.drag_from_tray(wrong)
    table.says("Its sides do not match")
    assert table.placed() == [options[0]]
    tab.keyboard.press("Escape")
    table.button("Possible?").click()
    expect(tab.locator(".lamp")).to_have_text("Possible")
    for count in range(1, len(options)):
        table.button("Hint").click()
        tab.wait_for_function("(count) => game.placed.length > count", arg=count)
    assert table.solves()


@pytest.mark.long
def test_a_rule_that_no_item_says_is_judged_when_all_is_placed(sit: Callable[[str], Table]) -> None:
    table = sit("hung")
    tab, full = table.tab, table.full
    assert full.veto is not None
    *others, last = next(cover for cover in covers_of(full.problem) if full.veto.refuses(full.option_placement[cover]))
    tab.evaluate("(options) => game.lay(options, '')", others)
    table.drag_from_tray(last)
    assert len(table.placed()) == 6
    assert not table.solves()
    table.says("The cells of the parts o must be connected at sides.")
    tab.evaluate("() => game.clear()")
    for count in range(6):
        table.button("Hint").click()
        tab.wait_for_function("(count) => game.placed.length > count", arg=count)
    assert table.solves()


@pytest.mark.long
def test_what_cannot_be_finished_is_told(sit: Callable[[str], Table]) -> None:
    table = sit("fig4-3x3")
    stuck = next(
        o for o, p in enumerate(table.full.option_placement.tolist()) if p >= 0 and finish_with(table, o) is None
    )
    table.drag_from_tray(stuck)
    table.button("Possible?").click()
    expect(table.tab.locator(".lamp")).to_have_text("Impossible")
    table.button("Hint").click()
    table.says("has to go.")
    assert table.placed() == [stuck]


def finish_with(table: Table, option: int) -> object:
    """A cover that holds an option, or None."""
    return next((cover for cover in covers_of(table.full.problem) if option in cover), None)


@pytest.mark.long
@pytest.mark.parametrize("name", ["pent-10x6", "soma"])
def test_rows_and_columns_are_told(tab: Any, name: str) -> None:
    table = Table(tab, name, page=BARE)
    solution = table.solution()
    told = tab.evaluate("(options) => options.map((option) => game.puzzle.where(option))", solution)

    def drawn(cells: Any) -> list[list[int]]:
        """The columns, heights and layers of cells, from 0."""
        centres = table.full.puzzle.lattice.centres
        low = centres(table.full.puzzle.region.cells).min(axis=0)
        return np.rint(centres(np.array(cells, np.int32)) - low).astype(int).tolist()

    for option, words in zip(solution, told, strict=True):
        (placed,) = table.full.placed([int(table.full.option_placement[option])])
        columns, heights, *layers = zip(*drawn(placed.cells), strict=True)
        if layers:
            wanted = f" {line('Layer', layers[0])}, {line('row', heights)} from the front, {line('column', columns)}."
        else:
            top = max(y for _, y in drawn(table.full.puzzle.region.cells))
            wanted = f" {line('Row', [top - y for y in heights])}, {line('column', columns)}."
        assert words == wanted


def line(noun: str, places: Iterable[int]) -> str:
    """Adjacent rows or columns in words, counted from 1."""
    low, high = min(places) + 1, max(places) + 1
    return f"{noun} {low}" if low == high else f"{noun}s {low} to {high}"


@pytest.mark.long
def test_columns_that_meet_behind_a_ring_are_listed(tab: Any) -> None:
    Table(tab, "ring", page=BARE)
    words = tab.evaluate("() => [0, 1, 2, 3].map((option) => game.puzzle.where(option))")
    assert sorted(words) == [f" Row 1, columns {those}." for those in ("1 to 2", "1, 4", "2 to 3", "3 to 4")]


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [*RULED, "macmahon-squares", "notebook-coloured-5x5", "hex-prisms", "soma"],
)
def test_every_rule_is_in_the_items(tab: Any, name: str) -> None:
    """What may join a position, and whether it is solved: the page says the same as sums over the arrays here."""
    table = Table(tab, name, page=BARE)
    problem, dice = table.full.problem, np.random.default_rng(7)
    solution = table.solution()
    for _ in range(2):
        chosen: list[int] = []
        while True:
            allowed = np.flatnonzero(joining(problem, chosen) & (table.full.option_placement >= 0)).tolist()
            assert table.tab.evaluate(ALLOWED, chosen) == [allowed, False]
            if not allowed or len(chosen) > 5:
                break
            chosen.append(int(dice.choice(allowed)))
    assert table.tab.evaluate(ALLOWED, solution)[1]
    assert not table.tab.evaluate(ALLOWED, solution[:-1])[1]
    assert table.tab.evaluate("() => game.puzzle.parts.every((_, part) => game.reachesAll(game.puzzle, part))")
    # What is left to find completes what is there.
    half = solution[: len(solution) // 2]
    problem_left, numbers = table.tab.evaluate(
        """(chosen) => {
          const { problem, options } = new game.Position(game.puzzle, chosen).rest();
          return [problem, options];
        }""",
        half,
    )
    cover = finish(problem_left)
    assert cover is not None
    real = table.full.option_placement[[*half, *(numbers[o] for o in cover)]]
    found = latcover.Solution(table.full.placed(real[real >= 0].tolist()))
    assert verify(table.full.puzzle, found) == []


def joining(problem: CoverProblem, chosen: list[int]) -> npt.NDArray[np.bool_]:
    """Which options may join those that are chosen: they find room, or hold an item in the same colour."""
    held = np.zeros(problem.n_items, np.int64)
    colour = np.zeros(problem.n_items, np.int64)
    for option in chosen:
        held[problem.items_of(option)] += 1
        colour[problem.items_of(option)] = problem.colours_of(option)
    items, own = problem.option_items, problem.option_colours if problem.has_colours else 0
    fits = (held[items] < problem.high[items]) | ((own > 0) & (colour[items] == own))
    may: npt.NDArray[np.bool_] = np.logical_and.reduceat(fits, problem.option_starts[:-1])
    return may


@pytest.mark.long
def test_by_finger_on_a_phone(browser: Any) -> None:
    shape = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    context = browser.new_context(reduced_motion="reduce", **shape)
    tab = context.new_page()
    table = Table(tab, "tangram-square")
    assert tab.evaluate("() => document.documentElement.scrollWidth") == 360
    for option in table.solution():
        part = tab.locator(f".part[data-part='{table.part_of(option)}']")
        part.scroll_into_view_if_needed()
        part.tap()
        table.turn_to(option, lambda key: table.button({"r": "Turn", "f": "Flip"}[key]).tap())
        if tab.evaluate("() => game.hand.option") != option:
            tab.touchscreen.tap(*table.place(option))
            assert tab.evaluate("() => game.hand.option") == option
        tab.touchscreen.tap(*table.place(option))  # where it is already: it is dropped
        assert table.placed()[-1] == option
    assert table.solves()
    context.close()
