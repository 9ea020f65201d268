"""The palette: what colour-blind people are told apart by, and what terminals show."""

from __future__ import annotations

from itertools import combinations
from math import dist

import numpy as np
import pytest

from latcover.core.model.colour_names import named
from latcover.show.drawing import palette
from latcover.show.drawing.palette import COLOURS, RGB

# Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency" (2009),
# severity 1, on linear sRGB.
SIGHT = {
    "normal": np.eye(3),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
DARK_GROUND = (27, 29, 33)  # of the pages, where the system is dark


def seen(rgb: RGB, sight: str) -> tuple[float, float, float]:
    """CIELAB of a colour as it is seen."""
    red, green, blue = np.clip(SIGHT[sight] @ np.array(palette.linear(rgb)), 0, 1).tolist()
    return palette.lab_of_linear((red, green, blue))


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize(("number", "least"), [(6, 23), (12, 21), (24, 13)])
def test_colours_lie_apart_for_everybody(sight: str, number: int, least: float) -> None:
    places = [seen(rgb, sight) for rgb in COLOURS[:number]]
    assert min(dist(a, b) for a, b in combinations(places, 2)) >= least


@pytest.mark.parametrize("ground", [palette.WHITE, palette.PAPER, DARK_GROUND])
def test_colours_stand_out_on_light_and_dark_pages(ground: RGB) -> None:
    assert min(palette.distance(rgb, ground) for rgb in COLOURS) >= 16


def test_cielab_of_known_colours() -> None:
    assert palette.lab_of_linear(palette.linear((255, 255, 255))) == pytest.approx((100, 0, 0), abs=0.02)
    assert palette.lab_of_linear(palette.linear((255, 0, 0))) == pytest.approx((53.24, 80.09, 67.20), abs=0.02)
    assert palette.lab_of_linear(palette.linear((0, 0, 0))) == pytest.approx((0, 0, 0), abs=1e-9)


def test_letters_stand_out_on_every_colour_and_every_copy() -> None:
    for number in range(len(COLOURS)):
        for copy in range(1, len(palette.COPIES) + 1):
            rgb = palette.colour(number, copy)
            light, dark = sorted((palette.luminance(rgb), palette.luminance(palette.ink(rgb))), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_colours_repeat_with_patterns() -> None:
    every = [(palette.colour(k), palette.pattern(k)) for k in range(len(COLOURS) * palette.PATTERNS)]
    assert len(set(every)) == len(every)
    assert not any(palette.pattern(k) for k in range(len(COLOURS)))
    asked = [palette.own_pattern(k) for k in range(palette.PATTERNS)]
    assert sorted(asked) == list(range(palette.PATTERNS))
    assert palette.own_pattern(palette.PATTERNS) != palette.own_pattern(0)


def test_copies_of_a_part_differ_in_shade() -> None:
    shades = {palette.colour(0, copy) for copy in range(1, len(palette.COPIES) + 1)}
    assert len(shades) == len(palette.COPIES)
    assert palette.colour(0, 1) == COLOURS[0]


def test_what_bears_no_colour_is_paper() -> None:
    assert palette.colour(-1) == palette.PAPER
    assert palette.pattern(-1) == palette.own_pattern(-1) == 0


def test_terminals_show_each_colour_as_another() -> None:
    codes = [palette.terminal_number(rgb) for rgb in COLOURS]
    assert len(set(codes)) == len(COLOURS)
    for code, rgb in zip(codes, COLOURS, strict=True):
        assert 16 <= code < 256
        assert palette.distance(palette.terminal_rgb(code), rgb) < 20


def test_a_terminals_cube_and_greys() -> None:
    assert palette.terminal_rgb(16) == (0, 0, 0)
    assert palette.terminal_rgb(208) == (255, 135, 0)
    assert palette.terminal_rgb(231) == (255, 255, 255)
    assert palette.terminal_rgb(232) == (8, 8, 8)
    assert palette.terminal_rgb(255) == (238, 238, 238)


def test_shades() -> None:
    assert palette.shaded((100, 200, 50), 0.5) == (50, 100, 25)
    assert palette.shaded((100, 200, 55), 1.0) == (100, 200, 55)
    assert palette.shaded((100, 200, 55), 2.0) == (255, 255, 255)
    assert palette.hexadecimal((0, 171, 255)) == "#00abff"


def test_names_of_colours_say_how_they_look() -> None:
    names = ("", "black", "White", "dark red", "Light-Grey", "#ff8800")
    assert palette.cell_colours(names) == (
        palette.PAPER,
        (0, 0, 0),
        (255, 255, 255),
        (139, 0, 0),
        (211, 211, 211),
        (255, 136, 0),
    )


def test_names_that_are_no_colours_have_those_of_the_palette() -> None:
    assert palette.cell_colours(("", "north", "south")) == (palette.PAPER, *COLOURS[:2])
    looks = palette.cell_colours(("", "north", "#5080d8"))
    assert looks[2] == (80, 128, 216)
    assert looks[1] == COLOURS[1]  # the first one of the palette looks like it
    many = palette.cell_colours(["", *(f"c{k}" for k in range(30))])
    assert len(set(many)) >= 24


def test_parts_have_the_colours_that_their_puzzle_names() -> None:
    assert palette.part_colours(["", "", ""]) == COLOURS[:3]
    assert palette.part_colours(["", "black", ""]) == (COLOURS[0], (0, 0, 0), COLOURS[2])
    assert palette.part_colours(["", palette.hexadecimal(COLOURS[0])]) == (COLOURS[1], COLOURS[0])


def test_the_names_are_those_of_css() -> None:
    colors = pytest.importorskip("matplotlib.colors", reason="Matplotlib is not installed")
    assert {name: palette.hexadecimal(named(name) or (0, 0, 0)) for name in colors.CSS4_COLORS} == {
        name: code.lower() for name, code in colors.CSS4_COLORS.items()
    }
