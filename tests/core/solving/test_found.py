"""The second count of `docs/results/found.md`: the published terms come out, and so do the ones on the page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from latcover.files.formats.library import load_family
from latcover.lab.asking.sequence import SequenceRequest, sequence
from tests.tiling_oracle import OTHERS, TILINGS, Residues, Tiling, count, diagonal

ROOT = Path(__file__).resolve().parents[3]
CHEAP = 0.3  # seconds that a recount on the page took
CHEAP_CHECK = 0.3  # seconds that the check of a certificate took


class Row(NamedTuple):
    """A term on the page with the digest of its certificate, and the seconds of the recount and of the check."""

    name: str
    n: int
    value: int
    recount: float
    digest: str | None
    check: float | None


def on_the_page() -> list[Row]:
    found, name = [], ""
    for line in (ROOT / "docs" / "results" / "found.md").read_text("utf-8").splitlines():
        if command := re.match(r"latcover sequence (\S+)", line):
            name = command[1]
        if row := re.match(r"\| (\d+) \| (\d+) \|.* ([\d.]+) \| (?:`(\w{16})`|-) \| (?:([\d.]+)|-) \|$", line):
            check = None if row[5] is None else float(row[5])
            found.append(Row(name, int(row[1]), int(row[2]), float(row[3]), row[4], check))
    return found


def again(name: str, n: int) -> Residues:
    return OTHERS[name](n) if name in OTHERS else count(TILINGS[name], n)


def rows(found: list[Row], cheap: Callable[[Row], bool]) -> list[object]:
    """The rows as parameters; those that are not cheap are `long`."""
    return [pytest.param(row, marks=[] if cheap(row) else pytest.mark.long) for row in found]


@pytest.mark.parametrize("name", [*TILINGS, *OTHERS])
def test_published_terms_come_out(name: str) -> None:
    published = load_family(name).published
    assert len(published) >= 4
    for n, value in published.items():
        if n <= 9:
            assert again(name, n).agree_with(value), n


@pytest.mark.parametrize("row", rows(on_the_page(), lambda row: row.recount < CHEAP))
def test_the_terms_on_the_page(row: Row) -> None:
    assert again(row.name, row.n).agree_with(row.value)
    assert not again(row.name, row.n).agree_with(row.value + 1)


@pytest.mark.parametrize(
    "row",
    rows([row for row in on_the_page() if row.digest], lambda row: row.check is not None and row.check < CHEAP_CHECK),
)
def test_the_certificates_on_the_page_are_made_again(row: Row, tmp_path: Path) -> None:
    (term,) = sequence(row.name, SequenceRequest(first=row.n, last=row.n, check=0, certificates=tmp_path))
    assert (term.value, (term.digest or "")[:16]) == (row.value, row.digest)


def test_the_page_has_new_terms_of_several_sequences() -> None:
    sizes = defaultdict(list)
    for row in on_the_page():
        sizes[row.name].append(row.n)
    assert len(sizes) >= 5
    assert all(min(found) > max(load_family(name).published) for name, found in sizes.items())


def test_no_way_and_a_tile_that_reaches_too_far() -> None:
    def line(n: int) -> list[tuple[int, int]]:
        return [(0, c) for c in range(n)]

    assert count(Tiling(line, (((0, 0), (0, 1)),), diagonal), 5) == Residues(0, 0)
    with pytest.raises(OverflowError, match="a tile reaches 64 places on; at most 63 fit"):
        count(Tiling(line, (((0, 0), (0, 64)),), diagonal), 65)
