"""Figures that people published, each by the command of docs/results/known-figures.md."""

from __future__ import annotations

import json
from typing import Any

import pytest

from latcover import Strip, common, shape_named, strip_recurrence
from latcover.lab.exploring.boxes import Boxes
from latcover.lab.exploring.exploring_requests import CommonRequest
from latcover.lab.exploring.tilings import tile_in_stages
from latcover.show.reporting.sequence_report import recurrence_as_text
from tests.command_line import run


def asked(*words: str) -> dict[str, Any]:
    """The answer of `latcover atlas` for one shape or set, as a script reads it."""
    answer: dict[str, Any] = json.loads(run("atlas", *words, "--each", "60", "--json").stdout.splitlines()[0])
    assert answer["complete"]
    return answer


@pytest.mark.long
@pytest.mark.parametrize(
    ("shape", "size", "orders"),
    [("pentominoes:P", 15, [2, 20, 21]), ("hexominoes:L", 14, [2, 6, 21]), ("hexominoes:U", 12, [2, 24, None])],
)
def test_orders(shape: str, size: int, orders: list[int | None]) -> None:
    found = asked(shape, "--size", str(size), "--rectangles-only")["orders"]
    assert [found[kind]["copies"] for kind in ("rectangle", "square", "odd")] == orders
    assert all(each["proved"] for each in found.values())


@pytest.mark.long
def test_the_y_hexomino_has_order_92() -> None:
    found = asked("hexominoes:high Y", "--size", "24", "--rectangles-only")
    assert [name for name, answer in found["rectangles"].items() if answer == "yes"] == ["23x24"]
    assert found["orders"]["rectangle"] == {"is": "23x24", "copies": 92, "proved": True}


@pytest.mark.long
@pytest.mark.parametrize(
    ("shapes", "size", "number"),
    [("square-2:1 trominoes:I", 12, 9), ("square-2:1 pentominoes:X", 12, 12), ("hexominoes:L", 24, 7)],
)
def test_prime_rectangles(shapes: str, size: int, number: int) -> None:
    assert len(asked(*shapes.split(), "--size", str(size), "--rectangles-only")["primes"]) == number


@pytest.mark.long
def test_eight_prime_rectangles_of_the_l_hexomino() -> None:
    """Friedman lists the same eight (stetson.edu/~efriedma/order)."""
    found = asked("hexominoes:L", "--size", "34", "--narrow", "11", "--rectangles-only")
    assert sorted(found["primes"]) == sorted(["2x6", "7x12", "8x15", "9x14", "9x16", "9x34", "10x15", "11x18"])
    assert found["orders"]["odd"] == {"is": "9x14", "copies": 21, "proved": True}


@pytest.mark.long
@pytest.mark.parametrize(("name", "size", "copies"), [("36", "14x14", 28), ("10", "19x28", 76)])
def test_heptominoes_of_large_order_fill_their_rectangles(name: str, size: str, copies: int) -> None:
    """A126140: the greatest order is 76."""
    sides = tuple(map(int, size.split("x")))
    found = tile_in_stages(Boxes([shape_named(f"square-7:{name}")]).puzzle(sides), 60)
    assert found.tiling is not None
    assert len(found.tiling.solution.placements) == copies


@pytest.mark.long
@pytest.mark.parametrize(("cells", "number", "greatest"), [(1, 1, 1), (2, 1, 1), (3, 2, 2), (4, 4, 4), (5, 4, 10)])
def test_how_many_shapes_fill_rectangles(cells: int, number: int, greatest: int) -> None:
    """A126138 to A126141 of OEIS; larger rectangles are not excluded."""
    words = ("atlas", "square", "--cells", str(cells), "--size", "10", "--each", "60", "--rectangles-only", "--json")
    every = [json.loads(line) for line in run(*words).stdout.splitlines()[:-1]]
    orders = [each["orders"]["rectangle"]["copies"] for each in every]
    assert (sum(order is not None for order in orders), max(filter(None, orders))) == (number, greatest)


@pytest.mark.parametrize(
    ("shape", "width", "recurrence"),
    [
        ("square-2:1", 4, "N(n) = N(n-1) + 5 N(n-2) + N(n-3) - N(n-4) for n >= 4"),
        ("pentominoes:P", 2, "N(n) = 2 N(n-5) for n >= 5"),
        ("hexominoes:U", 7, "N(n) = 288 N(n-12) for n >= 12"),
    ],
)
def test_strips(shape: str, width: int, recurrence: str) -> None:
    """By the states of the strip; and the first numbers by counting rectangles."""
    part = shape_named(shape)
    assert part.lattice
    found = strip_recurrence(Strip(part.lattice, (part,), (width, None)))
    assert recurrence_as_text(found).splitlines()[0] == recurrence
    assert found.proved
    assert found.lengths_checked >= 64 // width


def test_a_strip_in_which_each_of_two_shapes_is_used() -> None:
    """https://polyominoes.org/data/3I+7I, the first formula."""
    shapes = shape_named("trominoes:I"), shape_named("XXXXXXX")
    assert shapes[0].lattice
    found = strip_recurrence(Strip(shapes[0].lattice, shapes, (1, None)), all_used=True)
    assert found.numerator == (*[0] * 10, 2, 2, 2, 1, 1, 1, 1)
    assert found.denominator == (1, 1, 1, -1, -1, -1, 0, -2, -2, -2, 1, 1, 1, 0, 1, 1, 1)
    assert (found.proved, found.lengths_checked) == (True, 63)


@pytest.mark.long
@pytest.mark.parametrize(
    ("shape", "times"),
    [
        ("pentominoes:P", "x2"),
        ("hexominoes:L", "x6"),
        ("hexominoes:U", "x8"),
    ],
)
def test_enlargements(shape: str, times: str) -> None:
    least = asked(shape, "--size", "4", "--enlarged", times[1:])["enlarged"]
    assert (least["is"], least["proved"]) == (times, True)


@pytest.mark.long
def test_tori() -> None:
    tori = asked("pentominoes:P", "--size", "5", "--enlarged", "0")["tori"]
    assert [tori[kind]["is"] for kind in ("rectangle", "square", "odd")] == ["2x5", "5x5", "5x5"]
    assert [tori[f"skewed{kind}"]["copies"] for kind in ("", " square", " odd")] == [1, 1, 1]


@pytest.mark.parametrize(
    ("shape", "area"), [("square-2:1", 4), pytest.param("pentominoes:P", 20, marks=pytest.mark.long)]
)
def test_regions_of_full_symmetry(shape: str, area: int) -> None:
    found = common([shape_named(shape)], CommonRequest(symmetric=8))
    assert (found.area, found.smallest) == (area, True)
