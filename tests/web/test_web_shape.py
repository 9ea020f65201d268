"""Shaping regions and parts in the web app: in space, by tools, and layer by layer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latcover.formats import library
from latcover.model.lattice import Lattice, Transformation, close
from latcover.model.period import Period
from latcover.web.editor_data import lattice_data
from latcover.web.shaping_data import motions, nodes_in_space
from tests import web_browser as app
from tests.drawn_puzzles import lattice_of

address, browser, tab, page = app.address, app.browser, app.tab, app.page
LONG, expect, pick = app.LONG, app.expect, app.pick
IN_SPACE = [name for name in library.titles("lattices") if library.load_lattice(name).dimension == 3]


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
    for node, told in enumerate(nodes_in_space(lattice)):
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


@pytest.mark.parametrize("name", list(library.titles("lattices")))
def test_the_motions_that_are_offered_first_generate_all(name: str) -> None:
    lattice = library.load_lattice(name)
    told = motions(lattice)
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
        told = lattice_data(lattice)
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


def open_part(page: Any, name: str) -> Any:
    part = page.locator("#puzzle .parts details").filter(has=page.locator(f"summary strong:text-is('{name}')"))
    part.locator("summary").first.click()
    return part


def in_space(page: Any, shape: Any) -> Any:
    """The picture in space of a shape."""
    shape.get_by_role("button", name="In space").click()
    canvas = shape.locator("canvas")
    expect(canvas).to_be_visible(timeout=LONG)
    page.wait_for_function(
        "() => [...document.querySelectorAll('#puzzle canvas')].some((one) => one.pointOf && one.width > 300)"
    )
    canvas.scroll_into_view_if_needed()
    return canvas


def side(canvas: Any, cell: list[int], beside: list[int]) -> list[float]:
    canvas.scroll_into_view_if_needed()
    return canvas.evaluate("(canvas, [cell, beside]) => canvas.pointOf(cell, beside)", [cell, beside])


@pytest.mark.long
def test_a_part_is_shaped_in_space(page: Any) -> None:
    """The V becomes a square by a click on a face, by mouse; keys take cells away; undo and reload know all of it."""
    pick(page, "soma")
    part = open_part(page, "V")
    canvas = in_space(page, part)
    pressed = part.locator(".cell.in")
    expect(pressed).to_have_count(3)
    held = [
        json.loads(f"[0, {text}]")
        for text in pressed.evaluate_all("all => all.map((one) => one.cell.slice(1).join(','))")
    ]
    corner = next(cell for cell in held if sum(np.abs(np.subtract(cell, other)).sum() == 1 for other in held) == 2)
    up = [*corner[:3], corner[3] + 1]
    page.mouse.move(*side(canvas, corner, up))
    page.mouse.click(*side(canvas, corner, up))
    expect(pressed).to_have_count(4)  # on a layer of its own
    expect(part.locator(".grid figure")).to_have_count(2)
    total = page.locator("#puzzle .sum")
    expect(total).to_have_text("The region has 27 cells; the parts hold 28.")
    page.mouse.click(*side(canvas, up, [*up[:3], up[3] + 1]), button="right")
    expect(pressed).to_have_count(3)
    canvas.focus()
    page.keyboard.press("PageUp")
    page.keyboard.press("Space")
    expect(part.locator(".said")).to_contain_text("filled")
    page.keyboard.press("Control+z")
    expect(total).to_have_text("The region has 27 cells; the parts hold 27.")
    page.keyboard.press("Control+Shift+z")
    expect(total).to_have_text("The region has 27 cells; the parts hold 28.")
    expect(page.locator("#puzzle .verdict")).to_contain_text("the volume cannot fit", timeout=LONG)
    page.reload()
    expect(total).to_have_text("The region has 27 cells; the parts hold 28.", timeout=LONG)


@pytest.mark.long
@pytest.mark.parametrize("lattice", IN_SPACE)
def test_clicks_in_space_fill_the_neighbours(page: Any, lattice: str) -> None:
    """From a single cell, through each face that is seen."""
    page.locator("#lattice").select_option(lattice)
    expect(page.locator("#puzzle .sum")).to_contain_text("the parts hold 1.", timeout=LONG)
    part = open_part(page, "A")
    canvas = in_space(page, part)
    cell = origin(library.load_lattice(lattice), 0)
    filled = part.locator(".cell.in")
    seen = 0
    for there in library.load_lattice(lattice).neighbours(cell):
        page.mouse.click(*side(canvas, list(cell), list(there)))
        key = ",".join(map(str, there))
        now = filled.evaluate_all("all => all.map((one) => one.cell.join())")
        if key in now:
            seen += 1
            page.keyboard.press("Control+z")
        elif len(now) > 1:  # on a side that is turned away the click meets another one
            page.keyboard.press("Control+z")
        expect(filled).to_have_count(1)
    assert seen >= (1 if lattice == "tetraocta" else 2)  # a tetrahedron can show one face and hide three


@pytest.mark.long
def test_tools_move_the_region_in_one_step(page: Any) -> None:
    page.locator("#lattice").select_option("cubic")
    grid = page.locator("#puzzle .grid").first
    expect(grid.locator(".cell.in")).to_have_count(8, timeout=LONG)
    shaping = page.locator("#puzzle .shaping").first
    cells = lambda: set(grid.locator(".cell.in").evaluate_all("all => all.map((one) => one.cell.join())"))  # noqa: E731
    before = cells()
    grid.get_by_label("copy this layer to the one above").last.click()
    assert len(cells()) == 12
    shaping.get_by_role("button", name="Tools").click()
    shaping.get_by_label("quarter turn about the axis from left to right, to the left").click()
    assert {tuple(map(int, key.split(",")))[1] for key in cells()} == {0, 1, 2}  # what stood upright lies now
    shaping.get_by_label("shift by 0, 1, 0").click()
    assert {tuple(map(int, key.split(",")))[2] for key in cells()} == {1, 2}
    shaping.get_by_role("button", name="Clear").click()
    expect(grid.locator(".cell.in")).to_have_count(0)
    for _ in range(4):
        page.get_by_role("button", name="Undo", exact=True).click()
    assert cells() == before
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()
    shaping.get_by_label("draw with symmetry").select_option("quarter turn about the axis upright")
    many = grid.locator("figure > svg").first.locator(".cell").count()
    grid.locator("figure > svg").first.locator(".cell.out").first.click()  # a corner: there are four
    expect(grid.locator(".cell.in")).to_have_count(12)
    assert grid.locator("figure > svg").first.locator(".cell").count() > many  # there is more room at the edge


@pytest.mark.long
def test_parts_in_space_are_pictured_so_that_they_differ(page: Any) -> None:
    pick(page, "soma")
    pictures = page.locator("#puzzle .mini svg").evaluate_all("all => all.map((one) => one.innerHTML)")
    assert len(set(pictures)) == len(pictures) == 7
    scales = page.locator("#puzzle .mini svg").evaluate_all(
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
