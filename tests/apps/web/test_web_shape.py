"""Shaping regions and parts in the web app: in space, by tools, and layer by layer."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from latcover.apps.web.editor_data import lattice_data
from latcover.apps.web.shaping_data import motions, nodes_in_space
from latcover.core.model.lattice import Lattice, Transformation, close
from latcover.core.model.period import Period
from latcover.files.formats import library
from latcover.files.formats.source import titles
from tests import web_browser as app
from tests.drawn_puzzles import lattice_of

address, browser, tab, page = app.address, app.browser, app.tab, app.page
LONG, expect, open_part, pick = app.LONG, app.expect, app.open_part, app.pick
IN_SPACE = [name for name in titles("lattices") if library.load_lattice(name).dimension == 3]


def origin(lattice: Lattice, node: int) -> tuple[int, ...]:
    return (node, *(0,) * lattice.dimension)


def transformation(lattice: Lattice, told: dict[str, Any]) -> Transformation:
    """The transformation of the lattice that was told to the page."""
    found = [
        one
        for one in lattice.transformations
        if [one.nodes.tolist(), one.matrix.tolist(), one.shifts.tolist()]
        == [told[k] for k in ("nodes", "matrix", "shifts")]
    ]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("name", [*IN_SPACE, "closed"])
def test_behind_each_face_lies_the_cell_of_its_half_edge(name: str, tmp_path: Path) -> None:
    lattice = lattice_of(name, tmp_path)
    for node, told in enumerate(map(msgspec.to_builtins, nodes_in_space(lattice))):
        neighbours = [list(cell) for cell in lattice.neighbours(origin(lattice, node))]
        assert told["beside"] == neighbours
        if lattice.nodes[node].drawing.radius > 0:
            assert "faces" not in told
            continue
        assert sorted(told["across"]) == sorted(neighbours)  # these lattices have a face for each half-edge
        for ring, there in zip(told["faces"], told["across"], strict=True):
            centre = lattice.centres(np.array([origin(lattice, node), there]))
            middle = np.mean([told["vertices"][v] for v in ring], axis=0)
            a, b, c = (np.array(told["vertices"][v]) for v in ring[:3])
            normal = np.cross(b - a, c - b)
            assert normal @ middle > 0  # outwards
            assert normal @ (centre[1] - centre[0] - middle) > 0  # the cell lies beyond the face


@pytest.mark.parametrize("name", list(titles("lattices")))
def test_the_motions_that_are_offered_first_generate_all(name: str) -> None:
    lattice = library.load_lattice(name)
    told = msgspec.to_builtins(motions(lattice))
    main = [transformation(lattice, motion) for motion in told if motion["main"]]
    assert len(close(main, lattice.transformations[0])) == len(lattice.transformations)
    assert len({motion["name"] for motion in told}) == len(told)
    for motion in told:
        assert transformation(lattice, motion).proper == (motion["kind"] == "turn")


def placed(cells: Any, like: Any) -> set[tuple[int, ...]]:
    """Cells, shifted so that their least coordinates are those of others."""
    cells, like = np.array(cells), np.array(like)
    cells[:, 1:] += like[:, 1:].min(axis=0) - cells[:, 1:].min(axis=0)
    return set(map(tuple, cells.tolist()))


MOTIONS_SCRIPT = """async ({ lattice, cells, middle }) => {
    const { back, groupAbout, image, moved } = await import("/static/motions.js");
    const turns = lattice.moves.filter(({ kind }) => kind === "turn");
    const about = groupAbout(lattice, turns, middle);
    return {
        images: lattice.moves.map((motion) => moved(lattice, motion, cells)),
        back: lattice.moves.map((motion) => moved(lattice, back(motion), moved(lattice, motion, cells))),
        group: about.motions.map((motion) => [motion.nodes, motion.matrix, cells.map((cell) => image(motion, cell))]),
        centre: about.centre,
    };
}"""


@pytest.mark.long
def test_the_page_moves_cells_as_the_lattice_does(page: Any) -> None:
    for name in ("hexagonal", "cubic", "fcc", "triprism", "tetraocta"):
        lattice = library.load_lattice(name)
        told = msgspec.to_builtins(lattice_data(lattice))
        draw = np.random.default_rng(3)
        cells = np.column_stack(
            [draw.integers(0, len(lattice.nodes), 12), draw.integers(-2, 4, (12, lattice.dimension))]
        )
        cells = np.unique(cells, axis=0).astype(np.int32)
        middle = [*lattice.centres(cells).mean(axis=0), 0][:3]
        found = page.evaluate(MOTIONS_SCRIPT, {"lattice": told, "cells": cells.tolist(), "middle": middle})
        for motion, image, back in zip(told["moves"], found["images"], found["back"], strict=True):
            expected = transformation(lattice, motion).apply(cells)
            assert set(map(tuple, image)) == placed(expected, cells), (name, motion["name"])
            assert set(map(tuple, back)) == set(map(tuple, cells.tolist()))
        turns = [one for one in lattice.transformations if one.proper]
        assert len(found["group"]) == len(turns)
        centres = lattice.centres(cells) - np.array(found["centre"])[: lattice.dimension]
        for nodes, matrix, image in found["group"]:
            assert any((one.matrix == matrix).all() and (one.nodes == nodes).all() for one in turns)
            away = lattice.centres(np.array(image)) - np.array(found["centre"])[: lattice.dimension]
            assert np.allclose(np.linalg.norm(away, axis=1), np.linalg.norm(centres, axis=1), atol=1e-3)


def in_space(page: Any, shape: Any) -> Any:
    """The picture in space of a shape."""
    canvas = shape.locator("canvas")
    expect(canvas).to_be_visible(timeout=LONG)
    page.wait_for_function(
        "() => [...document.querySelectorAll('#puzzle canvas')].some((one) => one.pointOf && one.width !== 300)"
    )
    canvas.scroll_into_view_if_needed()
    return canvas


@pytest.mark.long
def test_a_part_is_shaped_in_space(page: Any) -> None:
    """The V becomes a square by a click on a face, by mouse; keys take cells away; undo and reload know all of it."""
    pick(page, "soma")
    part = open_part(page, "V")
    canvas = in_space(page, part)
    size = page.locator("#puzzle .pick", has_text="V").locator(".copies")
    expect(size).to_have_text("3 cells")
    held = [
        json.loads(f"[0, {text}]")
        for text in part.locator(".cell.in").evaluate_all("all => all.map((one) => one.cell.slice(1).join(','))")
    ]
    corner = next(cell for cell in held if sum(np.abs(np.subtract(cell, other)).sum() == 1 for other in held) == 2)
    up = [*corner[:3], corner[3] + 1]
    page.mouse.move(*app.side_in_space(canvas, corner, up))
    page.mouse.click(*app.side_in_space(canvas, corner, up))
    expect(size).to_have_text("4 cells")
    expect(part.locator(".cell.in")).to_have_count(3)  # of this layer
    part.get_by_label("layer above").click()
    expect(part.locator(".cell.in")).to_have_count(1)
    assert part.locator(".shadow").get_attribute("d").count("M") == 3
    total = page.locator("#puzzle .sum")
    expect(total).to_have_text("27 to fill · 28 of 27 held · 1 too many")
    page.mouse.click(*app.side_in_space(canvas, up, [*up[:3], up[3] + 1]), button="right")
    expect(size).to_have_text("3 cells")
    canvas.focus()
    page.keyboard.press("PageUp")
    page.keyboard.press("Space")
    expect(part.locator(".said")).to_contain_text("filled")
    page.keyboard.press("Control+z")
    expect(total).to_have_text("27 to fill · 27 of 27 held")
    page.keyboard.press("Control+Shift+z")
    expect(total).to_have_text("27 to fill · 28 of 27 held · 1 too many")
    expect(page.locator("#puzzle .live")).to_be_hidden(timeout=LONG)
    page.reload()
    expect(total).to_have_text("27 to fill · 28 of 27 held · 1 too many", timeout=LONG)


@pytest.mark.long
@pytest.mark.parametrize("lattice", IN_SPACE)
def test_clicks_in_space_fill_the_neighbours(page: Any, lattice: str) -> None:
    """From a single cell, through each face that is seen."""
    app.begin_on(page, lattice)
    expect(page.locator("#puzzle .sum")).to_contain_text("1 of ", timeout=LONG)
    part = open_part(page, "A")
    canvas = in_space(page, part)
    cell = origin(library.load_lattice(lattice), 0)
    size = page.locator("#puzzle .pick .copies").last  # the region's tile comes first
    seen = 0
    for there in library.load_lattice(lattice).neighbours(cell):
        page.mouse.click(*app.side_in_space(canvas, list(cell), list(there)))
        seen += f"cell {', '.join(map(str, there[1:]))}" in part.locator(".said").inner_text()
        if size.inner_text() == "2 cells":  # on a side that is turned away the click may meet another one
            page.keyboard.press("Control+z")
        expect(size).to_have_text("1 cell")
    assert seen >= (1 if lattice == "tetraocta" else 2)  # a tetrahedron can show one face and hide three


@pytest.mark.long
def test_tools_move_the_region_in_one_step(page: Any) -> None:
    app.begin_on(page, "cubic")
    shaping = app.region(page).locator(".shaping")
    total = page.locator("#puzzle .sum")
    expect(total).to_contain_text("8 to fill", timeout=LONG)

    def cells() -> set[tuple[int, ...]]:
        """The filled cells of all layers."""
        found = set()
        for layer in range(-1, 4):
            app.to_layer(shaping, layer)
            found |= set(map(tuple, shaping.locator(".cell.in").evaluate_all("all => all.map((one) => one.cell)")))
        return found

    before = cells()
    app.to_layer(shaping, 1)
    shaping.get_by_label("copy this layer to the one above").click()
    expect(shaping.locator(".caption")).to_have_text("layer 3 of 3")
    assert len(cells()) == 12
    shaping.get_by_role("button", name="Tools").click()
    shaping.get_by_label("quarter turn about the axis from left to right, to the left").click()
    assert {cell[1] for cell in cells()} == {0, 1, 2}  # what stood upright lies now
    shaping.get_by_label("shift by 0, 1, 0").click()
    assert {cell[2] for cell in cells()} == {1, 2}
    page.get_by_role("button", name="Clear").click()
    expect(total).to_contain_text("0 to fill")
    for _ in range(4):
        page.get_by_role("button", name="Undo", exact=True).click()
    assert cells() == before
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()
    app.to_layer(shaping, 0)
    shaping.get_by_label("draw with symmetry").select_option("quarter turn about the axis upright")
    shaping.get_by_label("cell -1, 0, 0: empty").click()
    expect(total).to_contain_text("12 to fill")


@pytest.mark.long
def test_parts_in_space_are_pictured_so_that_they_differ(page: Any) -> None:
    pick(page, "soma")
    pictures = page.locator("#puzzle .parts .mini svg").evaluate_all("all => all.map((one) => one.innerHTML)")
    assert len(set(pictures)) == len(pictures) == 7
    scales = page.locator("#puzzle .parts .mini svg").evaluate_all(
        "all => all.map((one) => one.width.baseVal.value / one.viewBox.baseVal.width)"
    )
    assert max(scales) < 1.1 * min(scales)


@pytest.mark.long
@pytest.mark.parametrize(
    "period", [[[8, 5], [-5, 8]], [[0, 4], [3, 1]], [[2, -3]], [[0, 5]], [[1, 2, 0], [0, 1, 3], [2, 0, -1]]]
)
def test_the_page_takes_cells_home_as_the_puzzle_does(page: Any, period: list[list[int]]) -> None:
    cells = np.random.default_rng(4).integers(-20, 20, (60, 1 + len(period[0]))).tolist()
    script = """async ({ period, cells }) => {
        const { homeIn } = await import("/static/period.js");
        return cells.map(homeIn(period));
    }"""
    homes = page.evaluate(script, {"period": period, "cells": cells})
    assert list(map(tuple, homes)) == Period.read(len(period[0]), period).homes_of(cells)


# ---- the canvas


def middle(cell: Any) -> tuple[float, float]:
    box = cell.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


@pytest.mark.long
def test_the_field_holds_still_under_the_pointer(page: Any) -> None:
    """Clicks at one place far beside the region fill and empty one cell, and the cells stay where they are."""
    region = app.region(page)
    total = page.locator("#puzzle .sum")
    far = region.get_by_label("cell 2, -3: empty")
    place = middle(far)
    for number in (61, 60, 61):
        page.mouse.click(*place)
        expect(total).to_contain_text(f"{number} to fill")
        assert np.allclose(middle(region.get_by_label(re.compile("^cell 2, -3:"))), place, atol=0.01)
    page.get_by_role("button", name="Undo", exact=True).click()
    page.get_by_role("button", name="Undo", exact=True).click()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(total).to_contain_text("60 to fill")
    assert np.allclose(middle(far), place, atol=0.01)


@pytest.mark.long
def test_the_view_is_moved_and_zoomed_by_wheel_and_keys(page: Any) -> None:
    region = app.region(page)
    cell = region.get_by_label(re.compile("^cell 3, 3:"))
    other = region.get_by_label(re.compile("^cell 6, 3:"))
    at, size = middle(cell), other.bounding_box()["width"]
    page.mouse.move(*at)
    page.mouse.wheel(0, -200)
    page.wait_for_function(
        "size => document.querySelector('#puzzle .region .cell.out').getBoundingClientRect().width > 1.1 * size",
        arg=size,
    )
    assert np.allclose(middle(cell), at, atol=1.5)  # what is below the pointer stays there
    cell.focus()
    page.keyboard.press("0")
    assert other.bounding_box()["width"] == pytest.approx(size, abs=0.5)
    there = middle(other)
    region.get_by_label("Move view").click()
    drag(page, middle(cell), (middle(cell)[0] + 50, middle(cell)[1] + 20))
    assert np.allclose(middle(other), (there[0] + 50, there[1] + 20), atol=1.5)
    expect(page.locator("#puzzle .sum")).to_contain_text("60 to fill")
    cell.focus()
    for _ in range(40):  # the view follows the focus
        page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.getAttribute('aria-label')").startswith("cell 3, 43")


@pytest.mark.long
def test_rectangles_are_filled_and_selections_copied_and_moved(page: Any) -> None:
    region = app.region(page)
    total = page.locator("#puzzle .sum")
    at = lambda x, y: middle(region.get_by_label(re.compile(f"^cell {x}, {y}:")))  # noqa: E731
    start = at(0, 0)
    region.get_by_label("Rectangle").click()
    drag(page, at(0, -3), at(1, -1))
    expect(total).to_contain_text("66 to fill")
    region.get_by_label("Select", exact=True).click()
    drag(page, at(0, -3), at(1, -2))
    drag(page, at(0, -3), at(3, -3))
    expect(total).to_contain_text("66 to fill")
    expect(region.get_by_label("cell 3, -3: must be filled")).to_be_visible()
    expect(region.get_by_label("cell 0, -3: empty")).to_be_visible()
    page.keyboard.press("Control+c")
    page.keyboard.press("Control+v")  # beside what is copied, since that is still there
    expect(total).to_contain_text("68 to fill")
    page.keyboard.press("Delete")
    expect(total).to_contain_text("64 to fill")
    assert at(0, 0) == start
    for _ in range(4):
        page.get_by_role("button", name="Undo", exact=True).click()
    expect(total).to_contain_text("60 to fill")


@pytest.mark.long
@pytest.mark.parametrize("name", list(titles("lattices")))
def test_a_canvas_shows_each_cell_of_each_layer_once(page: Any, name: str) -> None:
    """In windows of the picture the page finds the cells that Python finds, layer by layer."""
    lattice = library.load_lattice(name)
    told = msgspec.to_builtins(lattice_data(lattice))
    script = """async ({ lattice, window, layers }) => {
        const { cellsIn, layerOf } = await import("/static/field.js");
        const found = layers.map((layer) => cellsIn(lattice, window, layer, 1e5));
        return { found, layers: found.map((cells) => cells.map((cell) => layerOf(lattice, cell))) };
    }"""
    layers = list(range(-3, 4)) if told["space"] else [0]
    size = told["size"]
    window = {"x": -2.3 * size, "y": -1.7 * size, "width": 4.1 * size, "height": 3.9 * size}
    told_back = page.evaluate(script, {"lattice": told, "window": window, "layers": layers})
    found = [tuple(cell) for cells in told_back["found"] for cell in cells]
    assert len(set(found)) == len(found) > 0
    assert told_back["layers"] == [
        [layer] * len(cells) for layer, cells in zip(layers, told_back["found"], strict=True)
    ]
    box = np.stack(np.meshgrid(*[np.arange(-12, 13)] * lattice.dimension, indexing="ij"), -1).reshape(
        -1, lattice.dimension
    )
    cells = np.concatenate([np.column_stack([np.full(len(box), node), box]) for node in range(len(lattice.nodes))])
    centres = np.pad(lattice.centres(cells.astype(np.int32)), ((0, 0), (0, 2)))[:, :3]
    heights = np.array([lattice.centres(np.array([cell], np.int32))[0][2:].sum() for cell in found])
    inside = (
        (centres[:, 0] >= window["x"])
        & (centres[:, 0] <= window["x"] + window["width"])
        & (-centres[:, 1] >= window["y"])
        & (-centres[:, 1] <= window["y"] + window["height"])
        & (centres[:, 2] >= heights.min() - 1e-3)
        & (centres[:, 2] <= heights.max() + 1e-3)
    )
    assert set(found) == set(map(tuple, cells[inside].tolist()))


@pytest.mark.long
def test_a_part_in_pieces_is_asked_about(page: Any) -> None:
    part, asks = open_part(page, "F"), page.locator("#puzzle .asks")
    cell = part.get_by_label("cell 1, 1:")
    place = cell.bounding_box()
    part.get_by_label("cell 4, 4: empty").click()
    expect(asks).to_contain_text("in 2 places that do not touch")
    assert cell.bounding_box() == place  # nothing moves under the pointer
    asks.get_by_role("button", name="Make 2 parts").click()
    expect(page.locator("#puzzle .parts .part")).to_have_count(13)
    expect(asks).to_be_empty()
    page.get_by_role("button", name="Undo", exact=True).click()
    asks.get_by_role("button", name="It is one part").click()
    expect(asks).to_be_empty()
    expect(page.locator("#puzzle .parts .part")).to_have_count(12)
