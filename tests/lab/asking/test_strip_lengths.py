"""Lengths of strips: those that are filled, as the counts of strips have them."""

from __future__ import annotations

import pytest

from latcover.backends import _native
from latcover.core.cover.time_limit import time_limit
from latcover.core.model.strip import Strip
from latcover.errors import OutOfTimeError, UnsupportedError
from latcover.files.formats.named_shapes import shape_named
from latcover.lab.asking import strip_lengths
from latcover.lab.asking.strip_lengths import StripLengths
from latcover.lab.asking.strips import strip_counts

LAST = 24


def strip(names: str, *sides: int | None, lattice: str = "square", one_sided: bool = False) -> Strip:
    shapes = [shape_named(name, lattice, one_sided=one_sided) for name in names.split()]
    assert shapes[0].lattice
    return Strip(shapes[0].lattice, tuple(shapes), sides)


STRIPS = {
    "P": strip("pentominoes:P", 7, None),
    "P along the other axis": strip("pentominoes:P", None, 5),
    "L": strip("tetrominoes:L", 3, None),
    "L that is not turned over": strip("tetrominoes:L", 5, None, one_sided=True),
    "P that is not turned over": strip("pentominoes:P", 4, None, one_sided=True),
    "the states end": strip("pentominoes:X", 4, None),
    "two shapes": strip("trominoes:I pentominoes:P", 4, None),
    "triangles": strip("hexiamonds:sphinx", 3, None),
    "hexagons": strip("trihexes:A", 3, None),
    "solid": strip("pentacubes:P", 2, 2, None),
    "more cells than a word has bits": strip("XXXXXXXXX", 8, None),
}


@pytest.mark.parametrize("name", STRIPS)
def test_lengths_are_filled_whose_number_is_not_0(name: str) -> None:
    lengths, counts = StripLengths(STRIPS[name]), strip_counts(STRIPS[name], LAST)
    assert [lengths.filled(n) for n in range(1, LAST + 1)] == [count > 0 for count in counts[1:]]


def test_states_are_replaced_in_steps_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = [StripLengths(STRIPS["P"]).filled(n) for n in range(1, LAST + 1)]
    monkeypatch.setattr(strip_lengths, "AT_ONCE", 1)
    in_steps = StripLengths(STRIPS["P"])
    assert [in_steps.filled(n) for n in range(1, LAST + 1)] == usual


def test_a_search_that_was_cut_short_goes_on() -> None:
    lengths = StripLengths(strip("hexominoes:L", 10, None))
    assert lengths.filled(15, most_states=100) is None
    with time_limit(0), pytest.raises(OutOfTimeError):
        lengths.filled(10_000)
    assert [n for n in range(1, 19) if lengths.filled(n)] == [6, 12, 15, 18]


def test_strips_that_are_too_wide_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="too wide"):
        StripLengths(strip("XXXXX", 100, None))


@pytest.mark.parametrize(
    ("width", "words", "fault"),
    [
        (0, [1, 0, 0, 0], "1 to 256"),
        (2, [1, 0, 0], "four words"),
        (2, [4, 0, 0, 0], "no cell of the first column"),
        (3, [1, 0, 0, 1 << 63], "broken column"),
    ],
)
def test_native_strips_refuse_what_is_none(width: int, words: list[int], fault: str) -> None:
    import numpy as np

    with pytest.raises(ValueError, match=fault):
        _native.StripLengths(width, np.array(words, np.uint64), False)
