"""A disassembly as it is shown: films, sheets of steps, and parts that move apart in its order."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest

import latcover
from latcover.core.model.disassembly import Disassembly, Step
from latcover.core.model.move_words import move_as_text
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.errors import UnsupportedError
from latcover.files.formats.library import load_lattice
from latcover.lab.assembly.taking_apart import disassemble
from latcover.show.drawing.paper.steps import steps_page
from latcover.show.drawing.scenes import explosion, scene
from latcover.show.drawing.scenes.dismantling import Dismantling, result_in_words
from latcover.show.drawing.scenes.explosion import FULL
from latcover.show.drawing.scenes.poses import Poses
from tests.command_line import DONE, FAILED, run
from tests.javascript import called, needs_node
from tests.lab.assembly.test_assembly import assembled
from tests.page_data import scene_read
from tests.shipped import rest_long
from tests.show.drawing.test_scene_data import array

SPACE = "{http://www.w3.org/2000/svg}"
PUZZLES = ("burr-piston", "soma", "sphere-pyramid", "tangram-square")


@cache
def taken(name: str) -> tuple[Puzzle, Solution, Disassembly]:
    """The first solution of a shipped puzzle that comes apart."""
    puzzle = latcover.load(name)
    for solution in latcover.solutions(puzzle):
        found = disassemble(solution)
        if found.result == "apart":
            return puzzle, solution, found
    raise AssertionError(name)


def dismantled(puzzle: Puzzle, solution: Solution, found: Disassembly) -> Dismantling:
    shown = scene.of_solution(puzzle, solution)
    items = shown.items[: found.n_pieces]
    reaches = [explosion.extent_of(item) for item in items]
    return Dismantling(puzzle, solution, found, reaches, np.zeros((len(items), 3)), shown.size)


def film_of(puzzle: Puzzle, solution: Solution, found: Disassembly) -> dict[str, Any]:
    """The film that the page makes: see ``static/film.js``."""
    data = scene_read(puzzle, [solution], {solution.number: found})
    shapes = array(data, "placements", "<i4").reshape(-1, 2)[:, 1].tolist()
    places = array(data, "places", "<f4").reshape(-1, 3).tolist()
    items = [{"shape": data["shapes"][shape], "at": at} for shape, at in zip(shapes, places, strict=True)]
    film: dict[str, Any] = called("film_making", "filmOf", data["disassemblies"][0], items, data["puzzle"])
    return film


def view_from(towards: np.ndarray) -> np.ndarray:
    """The axes of a picture as rows: right, up, and *towards* the viewer."""
    right = np.cross([0.0, 0.0, 1.0], towards)
    right = right / np.linalg.norm(right) if np.linalg.norm(right) > 1e-6 else np.array([1.0, 0.0, 0.0])
    return np.stack([right, np.cross(towards, right), towards])


def overlap(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two rectangles, or boxes, have more than their border in common."""
    return bool((one[0] < other[1] - 1e-6).all() and (other[0] < one[1] - 1e-6).all())


@needs_node
@pytest.mark.parametrize("name", PUZZLES)
def test_a_film_makes_the_moves_and_sets_groups_aside(name: str) -> None:
    puzzle, solution, found = taken(name)
    apart, film = dismantled(puzzle, solution, found), film_of(puzzle, solution, found)
    steps = [step for separation in apart.separations for step in separation.steps]
    assert [tuple(move["pieces"]) for move in film["moves"]] == [step.pieces for step in steps]
    assert len(steps) == (found.n_pieces - 1 if found.flat else len(found.steps))
    view, (side, up, _) = view_from(np.array(film["way"])), film["reach"]
    shifts, scales = np.zeros((found.n_pieces, 3)), np.ones(found.n_pieces)
    separations = iter(apart.separations)
    separation = next(separations)
    for move, step in zip(film["moves"], steps, strict=True):
        assert np.allclose(move["by"], apart.vector(step), atol=1e-4)
        assert (scales[move["pieces"]] == 1).all(), "what moves is seen in its true size"
        shifts[move["pieces"]] += move["by"]
        assert bool(move["aside"]) == step.separates
        for aside in move["aside"]:
            own, about = aside["pieces"], np.array(aside["about"])
            assert set(own) <= set(separation.pieces) or not set(own) & set(separation.pieces)
            shifts[own] = about + aside["scale"] * (shifts[own] - about) + aside["by"]
            scales[own] *= aside["scale"]
        separation = next(separations, separation) if step.separates else separation
    parted = {separation.pieces for separation in apart.separations}
    ends = [g for s in apart.separations for g in (s.stays, s.removed) if g not in parted]
    assert sorted(k for group in ends for k in group) == list(range(found.n_pieces))
    boxes = (scales[:, None, None] * apart.boxes(view) + (shifts @ view.T)[:, None])[:, :, :2]
    around = [np.array([boxes[list(g), 0].min(axis=0), boxes[list(g), 1].max(axis=0)]) for g in ends]
    assert not any(overlap(one, other) for one, other in combinations(around, 2))
    middle = ((np.array(film["aim"]) + apart.middle) @ view.T)[:2]
    assert (np.abs(np.array(around) - middle) <= np.array([side, up]) + 1e-3).all(), "all that lies is in the picture"
    tray = np.isin(range(found.n_pieces), [k for move in film["moves"] for g in move["aside"] for k in g["pieces"]])
    lowest = (scales[:, None, None] * apart.boxes(np.eye(3)) + shifts[:, None])[:, 0, 2]
    assert np.allclose(lowest[tray & (scales < 1)], film["ground"], atol=1e-3), "the tray stands on the ground"


def test_what_hides_a_move_is_glass() -> None:
    """A bar moves within a box: the walls before it are glass, wherever one looks from."""
    lattice = load_lattice("cubic")
    inner = [(0, 2, 2, 1), (0, 2, 2, 2)]
    box = [(0, *c) for c in product(range(5), repeat=3) if {0, 4} & set(c)]
    lid = [cell for cell in box if cell[3] == 4 and cell != (0, 2, 2, 4) and 0 < cell[1] < 4 and 0 < cell[2] < 4]
    tray = [cell for cell in box if cell not in lid and cell != (0, 2, 2, 4)]
    puzzle, solution = assembled(lattice, [tray, lid, inner], ["tray", "lid", "bar"])
    apart = dismantled(puzzle, solution, disassemble(solution))
    step = Step((2,), (0, 0, 1), 1)
    for towards in product((-1.0, 1.0), repeat=2):
        view = np.linalg.svd(np.array([[*towards, 1.0]]))[2][[1, 2, 0]]
        view[2] *= np.sign(view[2, 2])
        assert 0 in apart.hiding(0, step, [Poses.at_rest(3)], view)
        assert apart.hiding(0, step, [Poses.at_rest(3).moved((2,), np.array([0, 0, 9.0]))], view) == ()


@pytest.mark.parametrize("name", ["burr-piston", "sphere-pyramid"])
def test_parts_move_apart_in_the_order_in_which_they_come_off(name: str) -> None:
    puzzle, solution, found = taken(name)
    shown = scene.of_solution(puzzle, solution)
    moved = FULL * explosion.of_scene(shown, explosion.RemovalOrder(puzzle.lattice, found))
    apart = dismantled(puzzle, solution, found)
    for separation in found.separations:
        way = np.array(separation.steps[-1].direction) @ puzzle.lattice.basis
        way /= np.linalg.norm(way)
        reach = [apart.parts[k].along(way[None]) for k in range(found.n_pieces)]
        for k, j in product(separation.removed, separation.stays):
            gap = reach[k][0] + moved[k] @ way - reach[j][1] - moved[j] @ way
            boxes = [apart.boxes(np.eye(3))[i] + moved[i] for i in (k, j)]
            assert gap > 0 or not overlap(*boxes)


def test_concentric_parts_separate() -> None:
    """A rod within a tube: their middles are one."""
    lattice = load_lattice("cubic")
    tube = [(0, x, y, z) for x, y, z in product(range(3), repeat=3) if (x, y) != (1, 1)]
    puzzle, solution = assembled(lattice, [tube, [(0, 1, 1, z) for z in range(3)]])
    found = disassemble(solution)
    shown = scene.of_solution(puzzle, solution)
    moved = FULL * explosion.of_scene(shown, explosion.RemovalOrder(lattice, found))
    assert not moved[:, :2].any()
    assert abs(moved[0, 2] - moved[1, 2]) > 3


def test_data_have_disassemblies_only_where_they_are_given() -> None:
    puzzle, solution, found = taken("burr-piston")
    plain = scene_read(puzzle, [solution])
    assert "disassemblies" not in plain
    told = scene_read(puzzle, [solution], {solution.number: found})
    assert {key for key in plain if plain[key] != told[key]} == {"moves"}
    (one,) = told["disassemblies"].values()
    assert one["result"] == "apart"
    steps = [step for separation in one["separations"] for step in separation["steps"]]
    assert len(steps) == len(found.steps)
    assert steps[0]["words"].startswith("part")
    stuck = scene_read(puzzle, [solution], {solution.number: Disassembly("stuck", found.n_pieces)})
    assert stuck["disassemblies"][0]["separations"] == []
    assert stuck["disassemblies"][0]["words"] == "it cannot be taken apart by sliding"
    unknown = Disassembly("unknown", found.n_pieces, stop="state limit")
    assert result_in_words(unknown) == "it is not known whether it comes apart (state limit)"


@pytest.mark.parametrize("apart", [pytest.param(False, marks=pytest.mark.long), True])
@pytest.mark.parametrize("name", rest_long(PUZZLES, PUZZLES[1:]))
def test_a_sheet_has_a_picture_of_each_move(name: str, apart: bool) -> None:
    puzzle, solution, found = taken(name)
    text = steps_page(puzzle, solution, found, apart=apart)
    assert name != "soma" or text == steps_page(puzzle, solution, found, apart=apart)
    root = fromstring(text)
    fields = [e for e in root.iter(f"{SPACE}g") if e.get("class") == "step"]
    moves = found.n_pieces - 1 if found.flat else len(found.steps)
    assert len(fields) == moves + (not apart)  # and the whole
    arrows = [e for e in root.iter(f"{SPACE}g") if e.get("class") == "arrow"]
    assert len(arrows) == (0 if found.flat else moves)
    drawn = {element.text for element in root.iter(f"{SPACE}title")}
    assert {placed.part for placed in solution.placements} <= drawn
    numbers = [e.text for e in root.iter(f"{SPACE}text") if e.get("font-weight") == "bold"][1:]
    assert [int(number or 0) for number in numbers if (number or "").isdigit()] == list(range(1, moves + 1))
    words = " ".join(e.text or "" for e in root.iter(f"{SPACE}text"))
    assert ("Put in part" in words) is not apart
    width, height = (float(root.get(side) or 0) for side in ("width", "height"))
    for field in fields:
        x, y = map(float, (field.get("transform") or "")[10:-1].split())
        box = next(iter(field.iter(f"{SPACE}rect")))
        assert x + float(box.get("width") or 0) <= width
        assert y + float(box.get("height") or 0) <= height


def test_a_solution_that_does_not_come_apart_has_no_sheet() -> None:
    puzzle, solution, found = taken("burr-piston")
    with pytest.raises(UnsupportedError, match="it cannot be taken apart by sliding"):
        steps_page(puzzle, solution, Disassembly("stuck", found.n_pieces))


def test_moves_in_words() -> None:
    lattice = load_lattice("cubic")
    names = ["A", "B", "C"]
    assert move_as_text(lattice, Step((0, 2), (0, 0, 1), 2), names) == "parts A and C slide 2 up"
    assert move_as_text(lattice, Step((0, 2), (0, 0, 1), 2), names, backwards=True) == "parts A and C slide 2 down"
    off = Step((1,), (0, 1, 0), 5, separates=True)
    assert move_as_text(lattice, off, names) == "part B slides east and comes off"
    assert move_as_text(lattice, off, names, backwards=True) == "put in part B, going west"
    prisms = load_lattice("triprism")
    assert "up" in move_as_text(prisms, Step((1,), (0, 0, 1), 1), names)


def test_commands_write_films_and_sheets(tmp_path: Path) -> None:
    page, sheet = tmp_path / "x.html", tmp_path / "x.svg"
    assert run("show", "soma", "--assembly", "--output", page).returncode == DONE
    assert '"disassemblies":' in page.read_text("utf-8")
    assert run("apart", "burr-piston", "--output", page).returncode == DONE
    assert '"disassemblies":' in page.read_text("utf-8")
    assert run("show", "soma", "--steps", "--reverse", "--output", sheet).returncode == DONE
    assert fromstring(sheet.read_text("utf-8")).tag == f"{SPACE}svg"
    assert run("show", "turning-gate", "--in-plane", "--steps", "--output", sheet).returncode == DONE
    drawn = sheet.read_text("utf-8")
    assert drawn.count('class="arrow turn"') == 2
    assert "putting together in 5 moves" in drawn
    for arguments, words in (
        (("show", "soma", "--in-plane", "--output", page), "--in-plane: only with --assembly, --steps or"),
        (("show", "soma", "--in-plane", "--steps", "--output", sheet), "does not lie in one layer"),
        (("show", "soma", "--steps"), "--steps: only for .svg"),
        (("show", "soma", "--assembly"), "--assembly: only for .html"),
        (("show", "soma", "--reverse", "--output", sheet), "only with --steps"),
        (("show", "soma", "--region", "--steps", "--output", sheet), "only for a solution"),
        (("apart", "soma", "--output", sheet), "give --solution N"),
        (("apart", "soma", "--output", tmp_path / "x.png"), "as .html or .svg"),
    ):
        done = run(*arguments)
        assert done.returncode == FAILED, arguments
        assert words in done.stderr
