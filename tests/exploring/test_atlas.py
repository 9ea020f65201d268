"""Atlases: published orders, primes, counts, enlargements and tori; bounds are said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from latcover.exploring.atlas import Atlas, atlas
from latcover.exploring.atlas_pages import as_html, as_text, pictures, table_as_csv
from latcover.exploring.rectangles import Filled, Prime
from latcover.exploring.requests import AtlasRequest
from latcover.formats.named_shapes import shape_named
from latcover.model.verifier import verify
from tests.command_line import run


def of(*names: str, **request: float) -> Atlas:
    found = atlas([shape_named(name) for name in names], AtlasRequest(**request))  # type: ignore[arg-type]
    for each in found.rectangles.values():
        assert (each.tiling is not None) is (each.filled is Filled.YES)
        assert each.tiling is None or not verify(each.tiling.puzzle, each.tiling.solution)
        assert each.number is None or bool(each.number) is (each.filled is Filled.YES) or each.filled is Filled.UNKNOWN
    return found


def test_dominoes() -> None:
    found = of("square-2:1", size=4, each=2)
    assert found.complete
    assert {kind: (least.name, least.proved) for kind, least in found.orders.items()} == {
        "rectangle": ("1x2", True),
        "square": ("2x2", True),
        "odd": ("1x2", True),
    }
    assert found.primes == {(1, 2): Prime.STRONG}
    assert found.strips[4].coefficients == (1, 5, 1, -1)  # Klarner and Pollack
    assert found.rectangles[4, 4].number == 36
    assert found.symmetric is not None
    assert (found.symmetric.area, found.symmetric.smallest) == (4, True)
    assert found.enlarged is not None
    assert (found.enlarged.name, found.enlarged.proved) == ("x2", True)


@pytest.mark.long
def test_the_p_pentomino_as_published() -> None:
    found = of("pentominoes:P", size=15, each=5)
    assert [found.orders[kind].copies for kind in ("rectangle", "square", "odd")] == [2, 20, 21]
    assert all(least.proved for least in found.orders.values())
    assert found.strips[2].coefficients == (0, 0, 0, 0, 2)
    assert [found.tori[kind].name for kind in ("rectangle", "square", "odd")] == ["2x5", "5x5", "5x5"]
    assert [found.tori[f"skewed{kind}"].copies for kind in ("", " square", " odd")] == [1, 1, 1]


@pytest.mark.long
def test_nine_prime_rectangles_of_domino_and_i_tromino() -> None:
    assert len(of("square-2:1", "trominoes:I", size=12, each=5).primes) >= 9


def test_a_weakly_prime_rectangle_is_told_from_a_strongly_prime_one() -> None:
    found = of("tetrominoes:L", size=8, each=2)
    assert found.primes[2, 4] is Prime.STRONG
    assert (2, 8) not in found.primes
    assert found.orders["square"].copies == 4


def test_parallelograms_of_triangles() -> None:
    found = of("triangular-2:1", size=3, each=2)
    assert found.orders["rectangle"].name == "1x1"
    assert found.enlarged is None


def test_what_is_not_decided_in_time_says_so() -> None:
    found = of("pentominoes:Y", size=5, each=0)
    assert not found.complete
    assert found.orders["rectangle"].name == ""
    assert not found.orders["rectangle"].proved
    assert "as far as was decided" in as_text(found)
    assert table_as_csv([found.as_json()]).splitlines()[1] == "Y,?,?,?,0,?,?,?,?,?"


def test_pages(tmp_path: Path) -> None:
    found = of("tetrominoes:O", size=4, each=2)
    data = found.as_json()
    assert "order: 1 (2x2)" in as_text(found)
    assert as_html("<", [(as_text(found), pictures(found))], [data, data]).count("<svg") == 1
    assert table_as_csv([data]).splitlines()[1].startswith("O,1 (2x2),1 (2x2),1 (2x2),1,4 (x2),")
    kept = tmp_path / "kept"
    words = ("atlas", "square", "--cells", "2", "--size", "3", "--run", str(kept), "--json")
    first = run(*words)
    assert json.loads(first.stdout.splitlines()[-1]) == {"summary": {"shapes": 1, "complete": True}}
    assert run(*words).stdout == first.stdout
    page = tmp_path / "page.md"
    run(*words[:-1], "--output", str(page))
    assert "latcover atlas square --cells 2 --size 3 --each 5 --enlarged 6 --output page.md" in page.read_text()
    assert "![Least tilings by 1](page-1.svg)" in page.read_text()
    assert (tmp_path / "page-1.svg").read_text().startswith("<svg")
