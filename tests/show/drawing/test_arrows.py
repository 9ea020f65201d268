"""Arrows of moves: as they are seen in pictures and beside words, and as characters in text."""

from __future__ import annotations

import re
from itertools import product
from xml.etree.ElementTree import Element, fromstring

import numpy as np
import pytest

import latcover
from latcover.core.model.move_words import COMPASS, direction_as_text, direction_with_arrow
from latcover.errors import UnsupportedError
from latcover.files.formats.source import names
from latcover.lab.assembly.directions import directions
from latcover.lab.assembly.taking_apart import disassemble
from latcover.show.drawing.paper.arrows import move_arrow, move_sign
from latcover.show.drawing.paper.steps import steps_page
from tests.shipped import rest_long

SPACE = "{http://www.w3.org/2000/svg}"
DEARER = "burr-piston", "sphere-pyramid"


def tip_of(arrow: Element) -> np.ndarray:
    """From the start of a straight arrow to its tip, of length 1; nothing for a ring."""
    path = arrow.find("path") if arrow.find("path") is not None else arrow.find(f"{SPACE}path")
    if path is None:
        return np.zeros(2)
    ring = np.array(re.findall(r"-?[\d.]+", path.get("d", "")), float).reshape(-1, 2)
    way = ring[3] - (ring[0] + ring[6]) / 2
    return way / np.linalg.norm(way)


@pytest.mark.parametrize("name", rest_long(["cut-4x4x4-level-7", *DEARER], ["cut-4x4x4-level-7"]))
def test_the_sign_beside_the_words_points_as_the_arrow_in_the_picture(name: str) -> None:
    puzzle = latcover.load(name)
    plans = ((solution, disassemble(solution)) for solution in latcover.solutions(puzzle))
    solution, plan = next((solution, plan) for solution, plan in plans if plan.result == "apart")
    root = fromstring(steps_page(puzzle, solution, plan))
    fields = [group for group in root.iter(f"{SPACE}g") if group.get("class") == "step"]
    seen = set()
    for field in fields[:-1]:
        signs, arrows = ([g for g in field.iter(f"{SPACE}g") if g.get("class") == kind] for kind in ("sign", "arrow"))
        assert len(signs) == len(arrows) == 1
        assert tip_of(signs[0]) == pytest.approx(tip_of(arrows[0]), abs=0.1)
        seen.add(tuple(np.round(tip_of(arrows[0]), 1)))
    assert len(seen) > 2
    visible = " ".join(text.text or "" for text in root.iter(f"{SPACE}text"))
    assert not any(re.search(rf"\b{word}\b", visible) for word in COMPASS)
    told = [field.findtext(f"{SPACE}title") or "" for field in fields[:-1]]
    assert all(any(word in text for word in (*COMPASS, "up", "down")) for text in told)
    assert "; ".join(told) in (root.findtext(f"{SPACE}desc") or "")


def test_an_arrow_that_points_at_the_viewer_is_a_ring() -> None:
    ends = np.zeros((2, 2))
    towards, away = (move_arrow(ends, rise, 1.0) for rise in (1.0, -1.0))
    assert [circle.get("r") for circle in towards] == ["2.2", "0.8"]
    assert [circle.get("r") for circle in away] == ["2.2", "1.5"]
    assert [child.tag for child in move_sign(np.array([[0.0, 0.0], [0.1, 0.0]]), 5.0)] == ["circle", "circle"]
    assert [child.tag for child in move_sign(np.array([[0.0, 0.0], [0.1, 0.0]]), 0.1)] == ["path"]


def test_a_sign_has_one_size() -> None:
    bent = np.array([[0.0, 0.0], [30.0, 20.0], [30.0, 60.0]])
    for points in (bent, bent[:2], bent[:2] * 1000):
        drawn = " ".join(path.get("d", "") for path in move_sign(points, 0.0))
        assert np.abs(np.array(re.findall(r"-?[\d.]+", drawn), float)).max() < 0.7


@pytest.mark.parametrize(
    ("name", "direction", "text"),
    [
        ("cubic", (0, -1, 0), "← west"),
        ("cubic", (0, 0, 1), "up"),
        ("square", (1, 0), "↓ south"),
        ("hexprism", (0, 0, -1), "down"),
        ("hexagonal", (0, 1), "→ east"),
        ("fcc", (-1, 1, 0), "↗ northeast"),
        ("tetraocta", (1, 0, 1), None),
        ("kite", (1, 1), None),
    ],
)
def test_a_direction_has_an_arrow_in_text(name: str, direction: tuple[int, ...], text: str | None) -> None:
    found = direction_with_arrow(latcover.load_lattice(name), direction)
    assert text is None or found == text
    assert found[0] in "→↗↑↖←↙↓↘" or found in ("up", "down")


@pytest.mark.parametrize("name", names("lattices"))
def test_no_two_directions_of_a_lattice_have_the_same_text(name: str) -> None:
    lattice = latcover.load_lattice(name)
    try:
        ways = directions(lattice)
    except UnsupportedError:
        return
    both = [tuple(sign * int(x) for x in way) for way, sign in product(ways, (1, -1))]
    for as_text in (direction_with_arrow, direction_as_text):
        assert len({as_text(lattice, way) for way in both}) == len(both)
