"""The second count of `docs/results/found.md`: the published terms come out, and so do the ones on the page."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from latcover.files.formats.library import load_family
from tests.tiling_oracle import TILINGS, Residues, Tiling, corners, count, diagonal

ROOT = Path(__file__).resolve().parents[3]
CHEAP = 0.3  # seconds that a count on the page took


def on_the_page() -> list[tuple[str, int, int, float]]:
    """Family, size, count and seconds of each row."""
    found, name = [], ""
    for line in (ROOT / "docs" / "results" / "found.md").read_text("utf-8").splitlines():
        if command := re.match(r"latcover sequence (\S+)", line):
            name = command[1]
        if row := re.match(r"\| (\d+) \| (\d+) \|.* ([\d.]+) \|$", line):
            found.append((name, int(row[1]), int(row[2]), float(row[3])))
    return found


def again(name: str, n: int) -> Residues:
    return corners(n) if name == "square-corners" else count(TILINGS[name], n)


@pytest.mark.parametrize("name", [*TILINGS, "square-corners"])
def test_published_terms_come_out(name: str) -> None:
    published = load_family(name).published
    assert len(published) >= 11
    for n, value in published.items():
        if n <= 9:
            assert again(name, n).agree_with(value), n


@pytest.mark.parametrize(
    ("name", "n", "value"),
    [pytest.param(*row[:3], marks=[] if row[3] < CHEAP else pytest.mark.long) for row in on_the_page()],
)
def test_the_terms_on_the_page(name: str, n: int, value: int) -> None:
    assert again(name, n).agree_with(value)
    assert not again(name, n).agree_with(value + 1)


def test_the_page_has_new_terms_of_several_sequences() -> None:
    sizes = defaultdict(list)
    for name, n, _, _ in on_the_page():
        sizes[name].append(n)
    assert len(sizes) >= 3
    assert all(min(found) > max(load_family(name).published) for name, found in sizes.items())


def test_no_way_and_a_tile_that_reaches_too_far() -> None:
    def line(n: int) -> list[tuple[int, int]]:
        return [(0, c) for c in range(n)]

    assert count(Tiling(line, (((0, 0), (0, 1)),), diagonal), 5) == Residues(0, 0)
    with pytest.raises(OverflowError, match="a tile reaches 64 places on; at most 63 fit"):
        count(Tiling(line, (((0, 0), (0, 64)),), diagonal), 65)
