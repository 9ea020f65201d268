"""Strips: counts of every length, recurrences, generating functions and their proofs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.core.cover.time_limit import time_limit
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.puzzle import Part
from latcover.core.model.puzzle_checks import cannot_fill
from latcover.core.model.strip import Strip
from latcover.core.solving.count import CountRequest, count, count_prepared
from latcover.errors import LatcoverError, OutOfTimeError, UnsupportedError
from latcover.files.formats.library import load_family, load_lattice
from latcover.lab.asking import strip_states, strips
from latcover.lab.asking.recurrences import shortest_recurrence
from latcover.lab.asking.sequence import DisagreementError, SequenceRequest, sequence
from latcover.lab.asking.strip_lengths import StripLengths
from latcover.lab.asking.strips import strip_counts, strip_of_family, strip_recurrence
from tests.command_line import FAILED, LIMIT, USAGE, run
from tests.dice import Dice, cases
from tests.random_rules import matching_rules

SQUARE = load_lattice("square")
DOMINO = Part("domino", "XX")
DOMINOES = Strip(SQUARE, (DOMINO,), (4, None))


@pytest.mark.parametrize(
    ("name", "coefficients"),
    [
        ("dominoes-strip-4", (1, 5, 1, -1)),
        ("p-pentomino-strip-2", (0, 0, 0, 0, 2)),
        ("u-hexomino-strip-7", (*[0] * 11, 288)),
    ],
)
def test_recurrences_of_strips_are_found_and_proved(name: str, coefficients: tuple[int, ...]) -> None:
    found = strip_recurrence(strip_of_family(load_family(name)))
    assert (found.coefficients, found.proved) == (coefficients, True)
    terms = sequence(name, SequenceRequest(first=1, last=6, check=0))
    assert [term.value for term in terms] == [*found.terms[1:7]]


def test_the_generating_function_gives_the_terms() -> None:
    found = strip_recurrence(DOMINOES)
    terms: list[int] = []
    for n in range(30):
        above = found.numerator[n] if n < len(found.numerator) else 0
        terms.append(above - sum(c * terms[n - k] for k, c in enumerate(found.denominator[1 : n + 1], 1)))
    assert terms == [*found.terms[:30]]
    text = run("sequence", "dominoes-strip-4", "--recurrence").stdout
    assert "N(n) = N(n-1) + 5 N(n-2) + N(n-3) - N(n-4) for n >= 4" in text
    assert "(1 - x^2) / (1 - x - 5 x^2 - x^3 + x^4)" in text


@pytest.mark.parametrize(
    ("terms", "coefficients", "order"),
    [
        ([0, 1, 1, 2, 3, 5, 8, 13], (1, 1), 2),
        ([7, 0, 0, 0, 0, 0], (), 1),
        ([5, 1, 2, 4, 8, 16, 32, 64], (2,), 2),
        ([2**k - (-3) ** k for k in range(10)], (-1, 6), 2),
        ([0] * 6, (), 0),
    ],
)
def test_the_shortest_recurrence_of_numbers(terms: list[int], coefficients: tuple[int, ...], order: int) -> None:
    assert shortest_recurrence(terms) == (coefficients, order)


def test_what_is_no_strip_has_no_recurrence() -> None:
    ended = run("sequence", "aztec-squares", "--recurrence")
    assert (ended.returncode, "recurrences are of strips" in ended.stderr) == (FAILED, True)
    assert run("sequence", "aztec-squares").returncode == USAGE
    assert "less than the first size" in run("sequence", "aztec-squares", "--from", "5", "--to", "2").stderr


@pytest.mark.parametrize(
    ("lattice", "parts", "sides"),
    [
        ("square", [("domino", [(0, 0), (0, 1)])], (None, 3)),
        ("square", [("L", [(0, 0), (0, 1), (1, 0)]), ("cell", [(0, 0)])], (2, None)),
        ("cubic", [("I", [(0, 0, 0), (0, 0, 1), (0, 0, 2)]), ("domino", [(0, 0, 0), (0, 0, 1)])], (2, None, 2)),
        ("triangular", [("lozenge", [(0, 0, "up"), (0, 0, "down")]), ("cell", [(0, 0, "up")])], (2, None)),
        ("hexagonal", [("bone", [(0, 0), (0, 1), (0, 2)]), ("stone", [(0, 0), (0, 1), (1, 0)])], (4, None)),
        ("square", [("bar", [(0, k) for k in range(5)])], (3, None)),
    ],
)
def test_counts_of_strips_agree_with_those_of_puzzles(
    lattice: str, parts: list[tuple[str, list[tuple[int | str, ...]]]], sides: tuple[int | None, ...]
) -> None:
    on = load_lattice(lattice)
    strip = Strip(on, tuple(Part(name, cells, lattice=on) for name, cells in parts), sides)
    request = CountRequest(symmetry="none", method="frontier")
    puzzles = [strip.puzzle(n) for n in range(1, 7)]
    counted = [0 if cannot_fill(puzzle) else count(puzzle, request).total for puzzle in puzzles]
    assert strip_counts(strip, 6) == [1, *counted]
    found = strip_recurrence(strip)
    assert (found.proved, found.numbers(90)) == (True, strip_counts(strip, 90))
    assert found.lengths_checked == 64 // strip.width


def test_a_wrong_number_of_a_strip_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*given: object, **more: object) -> object:
        return replace(count_prepared(*given, **more), different=6)  # type: ignore[arg-type]

    monkeypatch.setattr(strips, "count_prepared", wrong)
    with pytest.raises(DisagreementError, match="1 by its states, but 6 by itself; this is a fault of latcover"):
        strip_recurrence(DOMINOES)


@pytest.mark.parametrize("sides", [(4, 4), (None, None), (0, None), ("four", None), (4, None, 3), ()])
def test_sides_of_a_strip_that_mean_nothing_are_told(sides: tuple[int | None, ...]) -> None:
    with pytest.raises(LatcoverError, match="strip"):
        Strip(SQUARE, (DOMINO,), sides)


def test_a_strip_of_no_shapes_or_of_coloured_ones_is_told() -> None:
    with pytest.raises(LatcoverError, match="at least one shape"):
        Strip(SQUARE, (), (4, None))
    with pytest.raises(LatcoverError, match="names 0 colours"):
        Strip(SQUARE, (Part("red", "XX", colours=[1, 1]),), (4, None))


def test_a_strip_with_too_many_states_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strip_states, "MOST_STATES", 5)
    with pytest.raises(UnsupportedError, match="more than 5 states; take a narrower one"):
        strip_recurrence(DOMINOES)


def test_the_time_for_a_recurrence_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strip_states, "BETWEEN_REPORTS", 0)
    with time_limit(0), pytest.raises(OutOfTimeError, match="the time was over"):
        strip_counts(DOMINOES, 5)
    assert run("sequence", "dominoes-strip-4", "--recurrence", "--time", "0").returncode == LIMIT


def test_a_recurrence_that_no_proof_can_be_afforded_for_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strips, "MOST_PROVED", 1)
    monkeypatch.setattr(strips, "FIRST_TERMS", 16)
    wide = replace(DOMINOES, sides=(8, None))
    assert (strip_recurrence(wide).proved, strip_recurrence(wide).numbers(40)) == (False, strip_counts(wide, 40))


# Sides with values


def random_tile_strip(dice: Dice) -> Strip:
    """Tiles of one cell, and perhaps a domino, with values on sides; some ends and sides of the strip ask for one."""
    lattice = load_lattice(dice.pick(("square", "triangular", "hexagonal", "cubic", "triprism")))
    width = dice.between(1, 2)
    sides: list[int | None] = [1] * lattice.dimension
    sides[dice.below(2)] = width
    axis = dice.pick([k for k in range(lattice.dimension) if sides[k] != width or width == 1])
    sides[axis] = None
    rules = replace(matching_rules(dice), exchangeable_values=())
    rules = replace(rules, rim=dice.below(len(rules.sides)) if dice.chance(40) else -1)
    parts = []
    for number in range(dice.between(1, 4)):
        node = dice.below(len(lattice.nodes))
        cells = [(node, *[0] * lattice.dimension)]
        if dice.chance(25):
            edge = dice.pick([edge for edge in lattice.half_edges if edge.node == node])
            cells.append((edge.target, *edge.step))
        own = [
            (k, label, dice.below(min(3, len(rules.sides))))
            for k, (at, *_) in enumerate(cells)
            for label, edge in enumerate(lattice.half_edges)
            if edge.node == at
        ]
        shown = np.array([row for row in own if row[2]], np.int32).reshape(-1, 3)
        many = lattice.allowed("rotations" if dice.chance(60) else "fixed")
        parts.append(Part(f"tile {number}", np.array(cells, np.int32), None, 0, None, many, shown))
    period = tuple(side if side is not None and side > 1 and dice.chance(40) else 0 for side in sides)
    return Strip(lattice, tuple(parts), tuple(sides), rules, period)


@cases(12, strip=random_tile_strip)
def test_strips_of_tiles_agree_with_puzzles(strip: Strip) -> None:
    counted = []
    for length in range(1, 6):
        puzzle = strip.puzzle(length)
        fills = not cannot_fill(puzzle)
        counted.append(count_prepared(prepare(puzzle, Choices("none")), method="frontier").total if fills else 0)
    assert strip_counts(strip, 5) == [1, *counted]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strips, "CELLS_CHECKED", 2)  # they were counted above
        found = strip_recurrence(strip)
    assert found.numbers(40) == strip_counts(strip, 40)


def test_recurrences_of_ice_on_a_cylinder() -> None:
    """Rings of three points: each ring turns its arrows round, or lets them through."""
    ice = load_family("ice-cylinder-3")
    found = strip_recurrence(strip_of_family(ice))
    assert (found.proved, found.terms[:5], found.coefficients) == (True, (1, 28, 104, 400, 1568), (6, -8))
    terms = sequence(ice, SequenceRequest(last=4, check=0))
    assert [term.value for term in terms] == [*found.terms[1:5]]


def test_recurrences_of_tiles_that_bear_a_value_at_the_rim(tmp_path: Path) -> None:
    """Squares of two colours, of one colour around a board two wide: each inner side may have any of them."""
    path = tmp_path / "squares.toml"
    path.write_text(TWO_COLOURS)
    found = strip_recurrence(strip_of_family(str(path)))
    assert (found.proved, found.coefficients) == (True, (8,))
    assert found.terms[:5] == (1, 2, 16, 128, 1024)


TWO_COLOURS = """
name = "squares"
lattice = "square"
transformations = "rotations"

[family]

[sides]
values = { A = "amber", B = "blue" }
rim = "amber"

[region]
box = [2, "{n}"]

[[parts]]
tiles = ["AAAA", "AAAB", "AABB", "ABAB", "ABBB", "BBBB"]
count = "unlimited"
"""


def test_strips_with_other_rules_are_told(tmp_path: Path) -> None:
    path = tmp_path / "squares.toml"
    path.write_text(TWO_COLOURS.replace("[family]", "[rules]\nno_crossroads = true\n\n[family]"))
    with pytest.raises(UnsupportedError, match="without rules but those of sides"):
        strip_of_family(str(path))
    with pytest.raises(LatcoverError, match="cannot close on itself along its length"):
        Strip(SQUARE, (DOMINO,), (4, None), period=(4, 4))
    with pytest.raises(UnsupportedError, match="sides have no values"):
        StripLengths(strip_of_family(load_family("ice-cylinder-3")))
