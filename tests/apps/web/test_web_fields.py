"""The editor says all that a puzzle file says, and what is not edited stays as it is."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
import tomli_w

from latcover.apps.web.editor_answers import PuzzleData
from latcover.apps.web.editor_data import puzzle_for_editor
from latcover.apps.web.edits import PuzzleEdits
from latcover.apps.web.edits import edited as edited_by
from latcover.apps.web.part_sources import parts_of
from latcover.apps.web.tasks import PartsTask
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.errors import LatcoverError
from latcover.files.formats.burrtools.burrtools_writer import write
from latcover.files.formats.library import load, load_problems, loads
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_data, puzzle_as_toml
from latcover.system.decoding import decoded
from tests import web_browser as app
from tests.shipped import every_file, rest_long
from tests.web_browser import LONG, expect, pick

address, browser, tab, page = app.address, app.browser, app.tab, app.page

EVERYTHING = """name = "everything"
title = "all that a file says"
source = "made up"
lattice = "square"

[colours]
R = "red"
B = "#0000ff"
G = "green"

[rules]
stands_on = { red = ["#0000ff"] }
apart = ["green", ["red", "#0000ff"]]
across = "corners"

[sides]
keys = ["k1", "k2"]
locks = ["l1"]
fits = { k1 = ["l1"], k2 = [] }
flat_meets = ["flat", "locks"]
locks_meet_locks = true
may_look_out = ["keys"]

[region]
art = ["RB.X", "XXXX", "X++X", "XXXX"]
max_empty = 1
exchangeable = true
period = [0, 4]
alike = [{ box = [2, 1] }, { cells = [[3, 0], [3, 1], [3, 3]] }]

[[parts]]
name = "A"
min = 1
max = 2
transformations = ["quarter turn"]
art = ["R.", "BX"]
within = { box = [4, 3] }
display_colour = "dark red"
groups = { frame = 2, lid = 1000000 }
weight = 7
sides = [{ cell = [0, 0], edge = "north", is = "k1" }, { cell = [1, 1], edge = "south", is = "l1" }]

[[parts]]
name = "B"
count = "unlimited"
transformations = "fixed"
art = ["GX"]
group = "frame"
keep_off = { cells = [[2, 0]] }

[[parts]]
name = "C"
min = 2
transformations = "rotations"
art = ["X"]

[expect]
different = 12
different_under_rotations = 13
total = 48
orientations = 3
orientations_that_fit = 3
placements = 99
symmetry = 4
assemblable = 5
level = [5, 2]
long = true
note = "one line\\nand another"

[[published]]
figure = "total"
value = 47
source = "a book"
reason = "one was lost"
"""
TILES = """name = "tiles"
title = "sides that match"
source = "made up"
lattice = "square"
transformations = "rotations"

[sides]
values = { H = "head", T = "tail", O = "one" }
mates = { head = "tail" }
rim = "one"
may_look_out = ["one"]

[region]
box = [1, 3]
sides = [{ cell = [0, 1], edge = "east", is = "head" }]

[[parts]]
tiles = ["OHOO", "OHOT", "OOOT"]
"""
AT_THE_TOP = {"name", "title", "source", "lattice", "colours", "rules", "sides", "region", "parts", "expect"} | {
    "published"
}
OF_PARTS = {
    "name",
    "min",
    "max",
    "count",
    "transformations",
    "art",
    "display_colour",
    "group",
    "groups",
    "weight",
    "sides",
    "within",
    "keep_off",
}


def parts_offered(data: Any) -> dict[str, Any]:
    return msgspec.to_builtins(parts_of(decoded(PartsTask, {"task": "parts", "from": data}).subject, Bounds()))


def edited(puzzle: Puzzle | None, lattice: Lattice, data: Any, bounds: Bounds) -> Puzzle:
    return edited_by(puzzle, lattice, decoded(PuzzleEdits, data, "the edits"), bounds)


def as_sent(opened: PuzzleData) -> dict[str, Any]:
    """The edits that the page sends of a puzzle as it was opened."""
    data, parts = msgspec.to_builtins(opened), []
    for part in data["parts"]:
        place = {tuple(cell): k for k, cell in enumerate(part["cells"])}
        sides = [[place[tuple(cell)], edge, name] for cell, edge, name in part["sides"]]
        parts.append({**part, "sides": sides})
    sides = data["sides"] and data["sides"]["table"]
    colours = [colour["name"] for colour in data["colours"][1:]]
    place = {tuple(cell): k for k, cell in enumerate(data["region"]["cells"])}
    region = data["region"] | {"sides": [[place[tuple(c)], edge, name] for c, edge, name in data["region"]["sides"]]}
    region["alike"] = [[place[tuple(cell)] for cell in group] for group in region["alike"]]
    said = {key: data[key] for key in ("name", "rules")}
    return said | {"region": region, "parts": parts, "sides": sides, "colours": colours}


def changed(puzzle: Puzzle, **edits: Any) -> Puzzle:
    return edited(puzzle, puzzle.lattice, as_sent(puzzle_for_editor(puzzle)) | edits, Bounds())


def everything() -> Puzzle:
    puzzle = loads(EVERYTHING)
    said = puzzle_as_data([puzzle])
    assert set(said) == AT_THE_TOP  # what is written, is written here: a new key has to be added above
    assert {key for part in said["parts"] for key in part} == OF_PARTS - {"art"} | {"cells", "colours"}
    return puzzle


@every_file
def test_a_shipped_puzzle_stays_what_it_is_without_edits(name: str) -> None:
    for puzzle in load_problems(name, Bounds()).values():
        assert isinstance(puzzle, Puzzle)
        assert puzzle_as_data([changed(puzzle)]) == puzzle_as_data([puzzle])


@pytest.mark.parametrize("text", [EVERYTHING, TILES])
def test_what_is_not_edited_stays(text: str) -> None:
    puzzle = loads(text)
    said = puzzle_as_data([puzzle])
    assert puzzle_as_data([changed(puzzle)]) == said
    sent = as_sent(puzzle_for_editor(puzzle))
    for key in ("colours", "rules", "sides"):
        del sent[key]
    for key in ("sides", "period", "max_empty", "alike"):
        del sent["region"][key]
    for part in sent["parts"]:
        for key in ("sides", "groups", "weight", "display_colour"):
            del part[key]
    assert puzzle_as_data([edited(puzzle, puzzle.lattice, sent, Bounds())]) == said


def test_a_part_with_another_name_changes_nothing_else() -> None:
    puzzle = everything()
    sent = as_sent(puzzle_for_editor(puzzle))
    sent["parts"][0]["name"] = "Z"
    said, before = puzzle_as_data([edited(puzzle, puzzle.lattice, sent, Bounds())]), puzzle_as_data([puzzle])
    before["parts"][0]["name"] = "Z"
    assert said == before | {"title": "all that a file says, edited", "source": "after made up"}
    again = loads(puzzle_as_toml([edited(puzzle, puzzle.lattice, sent, Bounds())]))
    assert again.note == "one line\nand another"


def test_known_figures_go_with_what_they_are_figures_of() -> None:
    puzzle = everything()
    region = as_sent(puzzle_for_editor(puzzle))["region"]
    another = changed(puzzle, region={**region, "max_empty": 2})
    assert (another.expect, another.level, another.long, another.note, another.published) == ({}, (), False, "", ())
    said = {"different": 3, "level": [2], "note": "mine"}
    another = changed(puzzle, region={**region, "max_empty": 2}, expect=said)
    assert (another.expect, another.level, another.note) == ({"different": 3}, (2,), "mine")
    titled = changed(puzzle, title="mine", source="")
    assert (titled.title, titled.source, titled.expect) == ("mine", "", puzzle.expect)


def test_sides_between_cells_of_a_part_are_flat() -> None:
    puzzle = everything()
    sent = as_sent(puzzle_for_editor(puzzle))
    part = sent["parts"][0]
    part["cells"], part["colours"] = [*part["cells"], [0, -1, 0]], [*part["colours"], 0]
    made = edited(puzzle, puzzle.lattice, sent, Bounds())
    assert [made.rules.sides[value] for *_, value in made.parts[0].sides.tolist()] == ["l1"]
    assert loads(puzzle_as_toml([made])).parts[0].sides.shape == (1, 3)
    del part["sides"]  # those of the part as it was stay likewise
    assert len(edited(puzzle, puzzle.lattice, sent, Bounds()).parts[0].sides) == 1


@pytest.mark.parametrize(
    ("edits", "what"),
    [
        ({"colours": ["red", "red"]}, "two colours are named 'red'"),
        ({"colours": ["red"], "rules": {"apart": ["blue"]}}, "no colour 'blue'"),
        ({"colours": ["a", "b"], "rules": {"apart": ["a"], "exchangeable": [["a", "b"]]}}, "cannot be exchanged"),
        ({"sides": {"keys": ["k"]}}, "'fits' is missing"),
        ({"rules": {"no": 1}}, "unknown key"),
        ({"region": {"cells": [[0, 0, 0]], "period": [1]}}, "along 2 axes"),
        ({"region": {"cells": [[0, 0, 0]], "max_empty": -1}}, "'region.max_empty' in the edits"),
        ({"region": {"cells": [[0, 0, 0]], "alike": [[1]]}}, "names a cell beyond the last, 0"),
        ({"region": {"cells": [[0, 0, 0]], "alike": [0]}}, r"'region.alike\[0\]' in the edits must be a list"),
        ({"part": {"sides": [[0, 0, "k"]]}}, "part 'A': a side bears 'k', which is not a key, a lock or a value"),
        ({"part": {"sides": [[0, 9, "k"]]}}, "a side of part 'A' must name one of 1 cells and of 4 half-edges"),
        ({"part": {"groups": [["a", 0]]}}, "a whole number, at least 1"),
        ({"part": {"groups": [["a", 1], ["a", 2]]}}, "part 'A' has the group 'a' twice"),
        ({"part": {"weight": 1.5}}, r"'parts\[0\].weight' in the edits"),
        ({"part": {"display_colour": "rde"}}, "part 'A': no colour is called 'rde'"),
        ({"part": {"motions": ["somersault"]}}, "part 'A': lattice 'square' has no transformation"),
        ({"expect": {"level": [0]}}, "level"),
        ({"published": [{"figure": "total"}]}, "'source' is missing"),
        ({"title": "a\nb"}, "the title must be a line"),
    ],
)  # fmt: skip
def test_faults_of_edits_are_named(edits: dict[str, Any], what: str) -> None:
    lattice = loads(EVERYTHING).lattice
    part = {"name": "A", "cells": [[0, 0, 0]], **edits.pop("part", {})}
    with pytest.raises(LatcoverError, match=what):
        edited(None, lattice, {"region": {"cells": [[0, 0, 0]]}, "parts": [part], **edits}, Bounds())


def test_parts_are_offered_of_sets_puzzles_and_files() -> None:
    offered = parts_offered({"form": "set", "name": "pentominoes"})
    assert [part["name"] for part in offered["parts"]] == list("FILNPTUVWXYZ")
    assert len(parts_offered({"form": "shipped", "name": "soma"})["parts"]) == 7
    text = EVERYTHING[: EVERYTHING.index("[region]")] + EVERYTHING[EVERYTHING.index("[[parts]]") :]
    text = text.replace("[sides]", "[x]")  # a set has no sides
    with pytest.raises(LatcoverError, match="unknown key"):
        parts_offered({"form": "toml", "text": text})
    own = 'name = "mine"\n[colours]\nR = "red"\n[[parts]]\nname = "A"\nart = ["RX"]\n'
    offered = parts_offered({"form": "toml", "text": own})
    assert offered["parts"][0]["colours"] == [1, 0]
    assert offered["lattice"]["name"] == "square"
    with pytest.raises(LatcoverError, match="no part set 'pentominos' is shipped; did you mean 'pentominoes'"):
        parts_offered({"form": "set", "name": "pentominos"})


# ---- in a browser


def written(page: Any) -> dict[str, Any]:
    """The puzzle as it would be saved now."""
    with page.expect_download() as download:
        app.download(page, "Save as TOML")
    return tomllib.loads(Path(download.value.path()).read_text("utf-8"))


def upload(page: Any, path: Path, text: str = EVERYTHING) -> None:
    path.write_text(text)
    page.set_input_files("#upload", path)
    expect(page.locator("#title")).to_have_text(tomllib.loads(text)["title"], timeout=LONG)


@pytest.mark.long
@pytest.mark.parametrize("text", rest_long([EVERYTHING, TILES], [EVERYTHING]))
def test_the_page_keeps_everything_else(page: Any, tmp_path: Path, text: str) -> None:
    upload(page, tmp_path / "everything.toml", text)
    before = tomllib.loads(puzzle_as_toml([loads(text)]))
    name = before["parts"][0]["name"]
    app.open_part(page, name).get_by_label("name of the part").fill("Z")
    page.keyboard.press("Tab")
    before["parts"][0]["name"] = "Z"
    assert written(page) == before | {"title": f"{before['title']}, edited", "source": "after made up"}
    page.get_by_role("button", name="Undo").click()
    before["parts"][0]["name"] = name
    assert written(page) == before


def shown_colours(page: Any) -> list[str]:
    """The colour of each part in the list of parts."""
    pictures = page.locator("#puzzle .parts .mini")
    found: list[str] = pictures.evaluate_all(
        "(all) => all.map((one) => one.querySelector('[fill]').getAttribute('fill'))"
    )
    return found


@pytest.mark.long
def test_each_part_keeps_its_colour(page: Any) -> None:
    parts = page.locator("#puzzle .parts .part")
    before = shown_colours(page)
    parts.nth(1).locator(".pick").click()
    page.locator("#puzzle .edited").get_by_role("button", name="Delete").click()
    expect(parts).to_have_count(11)
    left = [*before[:1], *before[2:]]
    assert [part["display_colour"] for part in written(page)["parts"]] == left  # the server has answered
    assert shown_colours(page) == left
    page.get_by_role("button", name="Add a part").click()
    expect(parts).to_have_count(12)
    made = shown_colours(page)
    assert made[:11] == left
    assert len(set(made)) == 12
    assert [part["display_colour"] for part in written(page)["parts"]] == made
    assert shown_colours(page) == made
    for _ in range(2):
        page.get_by_role("button", name="Undo").click()
    expect(parts).to_have_count(12)
    assert not any("display_colour" in part for part in written(page)["parts"])
    assert shown_colours(page) == before


@pytest.mark.long
def test_colours_are_renamed_recoloured_and_removed(page: Any, tmp_path: Path) -> None:
    upload(page, tmp_path / "everything.toml")
    page.click("#colours > summary")
    page.get_by_label("look of red").fill("#123456")
    page.get_by_role("button", name="Remove green").click()
    page.get_by_role("button", name="Add a colour").click()
    page.keyboard.type("teal")
    page.keyboard.press("Tab")
    page.get_by_label("teal, #123456").last.check()
    said = written(page)
    assert list(said["colours"].values()) == ["#123456", "#0000ff", "teal"]
    assert said["rules"]["stands_on"] == {"#123456": ["#0000ff"]}
    assert said["rules"]["apart"] == [["#123456", "#0000ff"], ["#123456", "teal"]]
    assert said["parts"][1]["art"] == ["XX"]
    signs = list(said["colours"])
    assert said["parts"][0]["art"] == [f"{signs[0]}.", f"{signs[1]}X"]


@pytest.mark.long
@pytest.mark.parametrize("name", rest_long(["soma", "hexiamonds-6x6"], ["hexiamonds-6x6"]))
def test_sides_get_keys_by_a_click(page: Any, name: str) -> None:
    pick(page, name)
    page.click("#sides > summary")
    for kind in ("key", "lock"):
        page.get_by_role("button", name=f"Add a {kind}").click()
    page.get_by_label("key1 fits lock1").check()
    page.locator("#puzzle .parts .pick").first.click()
    page.click("#puzzle .more-of-part > summary")
    page.get_by_role("button", name="Values, keys and locks on its sides").click()
    side = page.locator("#puzzle .edited .side").first
    side.click()
    side.press("ArrowRight")
    page.locator("#puzzle .edited .side").nth(1).press(" ")
    assert [side["is"] for side in written(page)["parts"][0]["sides"]] == ["key1", "key1"]
    side.click()
    said = written(page)
    assert len(said["parts"][0]["sides"]) == 1
    assert said["sides"]["fits"] == {"key1": ["lock1"]}


@pytest.mark.long
def test_many_parts_are_edited_at_once(page: Any) -> None:
    pick(page, "soma")
    choose = page.locator("#puzzle .part > input")
    page.get_by_label("select all 7 parts").check()
    choose.first.uncheck()
    tools = page.get_by_role("group", name="For all selected parts")
    tools.get_by_label("at least").fill("0")
    tools.get_by_label("at most").fill("2")
    tools.get_by_label("group").fill("frame")
    tools.get_by_label("allowed motions").select_option("fixed")
    parts = written(page)["parts"]
    assert [(part.get("min"), part.get("max"), part.get("group")) for part in parts] == [
        (None,) * 3,
        *[(0, 2, "frame")] * 6,
    ]
    assert [part.get("transformations") for part in parts] == [None, *["fixed"] * 6]
    tools.get_by_role("button", name="Delete").click()
    expect(page.locator("#puzzle .part")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#puzzle .part")).to_have_count(7)


@pytest.mark.long
def test_wrong_numbers_change_nothing(page: Any) -> None:
    pick(page, "fig4-3x3")
    before = written(page)
    page.click("#closing > summary")
    page.locator("#puzzle .parts .pick").first.click()
    for name, wrong in (("at least", "2.5"), ("at most", "-1"), ("length of axis 0", "1" + 20 * "0")):
        where = page.get_by_label(name).first
        where.fill(wrong)
        where.press("Tab")
        assert where.evaluate("input => input.validationMessage")
    lengths = app.region(page).get_by_label("lengths of the box")
    for wrong in ("-1 2", "2.5 2", "2", "0 2", "1e3 1"):
        lengths.fill(wrong)
        lengths.press("Enter")
        assert lengths.evaluate("input => input.validationMessage").startswith("give 2 lengths")
    assert written(page) == before


@pytest.mark.long
def test_parts_are_added_from_sets_and_files(page: Any, tmp_path: Path) -> None:
    pick(page, "pent-8x8-minus-2x2")
    for name in ("O", "T"):
        app.library(page, "tetrominoes").get_by_label(f"add {name}", exact=True).click()
    expect(page.locator("#puzzle .parts strong").nth(12)).to_have_text("O")
    expect(page.locator("#puzzle .parts input:checked")).to_have_count(0)  # to add parts selects none of them
    own = tmp_path / "own.toml"
    own.write_text(EVERYTHING)
    app.library(page).locator("input[type=file]").set_input_files(own)
    app.library(page, "own.toml").get_by_label("add A", exact=True).click()
    expect(page.locator("#puzzle .edited .canvas")).to_be_visible()
    said = written(page)
    added = said["parts"][-1]
    assert [part["name"] for part in said["parts"][12:]] == ["O", "T 2", "A"]
    assert sorted(said["colours"].values()) == ["#0000ff", "red"]
    rules = loads(tomli_w.dumps(said | {"region": {"box": [1, 71]}})).rules
    assert rules.sides == ("flat", "k1", "l1")
    assert rules.fits[1:, 1:].tolist() == [[False, True], [True, True]]  # locks meet locks there
    assert [side["is"] for side in added["sides"]] == ["k1", "l1"]
    assert (added["weight"], added["groups"]) == (7, {"frame": 2, "lid": 1000000})


@pytest.mark.long
def test_parts_are_added_from_files_of_other_forms(page: Any, tmp_path: Path) -> None:
    """Of several puzzles in it, one can be chosen."""
    pick(page, "soma")
    file = tmp_path / "two.xmpuzzle"
    file.write_bytes(b"".join(write([load("slothouber-graatsma"), load("soma")])))
    app.library(page).locator("input[type=file]").set_input_files(file)
    expect(app.library(page, "slothouber-graatsma").locator(".pick")).to_have_count(2)
    soma = app.library(page, "soma")
    expect(soma.locator(".pick")).to_have_count(7)
    soma.get_by_role("button", name="Add all 7").click()
    expect(page.locator("#puzzle .parts .part")).to_have_count(14)
    expect(page.locator("#puzzle .strip > .tools")).to_be_empty()


@pytest.mark.long
def test_a_part_is_dragged_from_the_library(page: Any) -> None:
    pick(page, "pent-10x6")
    app.library(page, "tetrominoes").get_by_label("add T", exact=True).drag_to(page.locator("#puzzle .of-region"))
    expect(page.locator("#puzzle .parts .part")).to_have_count(13)
    page.keyboard.press("Control+z")
    expect(page.locator("#puzzle .parts .part")).to_have_count(12)


@pytest.mark.long
def test_what_is_being_typed_outlasts_an_answer_of_the_server(page: Any) -> None:
    pick(page, "soma")
    part = app.open_part(page, "T")
    name = part.get_by_label("name of the part")
    part.get_by_label("at least").fill("0")
    name.fill("half a na")
    expect(page.locator("#title")).to_have_text("the Soma cube, edited", timeout=LONG)  # it has answered
    expect(name).to_have_value("half a na")
    expect(page.locator("#puzzle .parts strong").nth(1)).to_have_text("T")
    name.press("Tab")
    expect(page.locator("#puzzle .parts strong").nth(1)).to_have_text("half a na")


@pytest.mark.long
def test_the_focus_follows_rows_that_come_and_go(page: Any) -> None:
    focused = "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
    page.click("#colours > summary")
    for name in ("teal", "pink"):
        page.get_by_role("button", name="Add a colour").press("Enter")
        page.keyboard.type(name)
    page.get_by_role("button", name="Remove teal").press("Enter")
    assert page.evaluate(focused) == "Remove pink"
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => ({focused})() === 'Add a colour'")
    for _ in range(6):
        page.get_by_role("button", name="Undo", exact=True).press("Enter")
    page.wait_for_function(f"() => ({focused})() === 'Redo'")  # there is nothing more to undo


@pytest.mark.long
def test_a_figure_that_is_wrong_in_print_is_a_number(page: Any) -> None:
    pick(page, "pent-10x6")
    page.click("#about > summary")
    page.get_by_role("button", name="Errors in published figures").click()
    page.get_by_role("button", name="Add a figure").click()
    row = page.locator("#about .row").last
    said = (("figure", "different"), ("printed value", "7"), ("where", "mine"), ("why it is wrong", "a misprint"))
    for label, text in said:
        row.get_by_label(label).fill(text)
        page.keyboard.press("Tab")
    assert written(page)["published"] == [{"figure": "different", "value": 7, "source": "mine", "reason": "a misprint"}]


@pytest.mark.long
def test_a_region_is_closed_along_vectors(page: Any) -> None:
    pick(page, "pent-10x6")
    page.click("#closing > summary")
    vectors = page.get_by_label("or vectors")
    vectors.fill("8 5, 16 10")
    page.keyboard.press("Tab")
    assert "independent" in vectors.evaluate("input => input.validationMessage")
    vectors.fill("8 5, -5 8")
    page.keyboard.press("Tab")
    expect(page.locator("#closing > summary")).to_contain_text("closed along 8 5, -5 8")
    said = written(page)["region"]
    assert said["period"] == [[8, 5], [-5, 8]]
    expect(page.locator(".grid").first.get_by_role("button")).to_have_count(89)


@pytest.mark.long
def test_a_region_is_closed_and_opened(page: Any) -> None:
    pick(page, "pent-10x6")
    page.click("#closing > summary")
    page.get_by_label("length of axis 1").fill("5")
    page.keyboard.press("Tab")
    expect(page.locator("#puzzle .sum")).to_contain_text("50 to fill")
    said = written(page)["region"]
    assert said["period"] == [0, 5]
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#puzzle .sum")).to_contain_text("60 to fill")
    page.click("#about > summary")
    page.get_by_label("different solutions", exact=True).fill("7")
    page.keyboard.press("Tab")
    expect(page.locator("#about .said")).to_have_text("7 different", timeout=LONG)
    assert written(page)["expect"] == load("pent-10x6").expect | {"different": 7}
