"""The regions that copies of a shape form: published counts, brute force, and going on after an end."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from latcover.core.cover.result import Stop
from latcover.errors import DamagedRunError, PuzzleError, RunFileError, UnsupportedError
from latcover.files.formats.named_shapes import shape_named
from latcover.lab.exploring.exploring_requests import MultiplesRequest
from latcover.lab.exploring.multiples import multiples, regions_by_force
from latcover.lab.exploring.records import Level
from latcover.show.reporting.tiling_sheets import multiples_as_set, multiples_as_view
from tests.command_line import run
from tests.ledgers import accidents, records_of, sealed

KNOWN = {  # OEIS A056785 (dominoes), A397019 and the following
    "square-2:1": (1, 4, 23, 211, 2_227),
    "tetrominoes:I": (1, 7, 93, 1_973),
    "tetrominoes:T": (1, 17, 378, 13_064),
}
WIDE = {"tetrominoes:I": 47_161, "tetrominoes:T": 479_572}


@pytest.mark.parametrize("name", KNOWN)
def test_published_counts(name: str) -> None:
    found = multiples(shape_named(name), MultiplesRequest(copies=len(KNOWN[name]), check=0))
    assert found.counts == KNOWN[name]


@pytest.mark.long
@pytest.mark.parametrize("name", WIDE)
def test_published_counts_of_five_tetrominoes(name: str) -> None:
    assert multiples(shape_named(name), MultiplesRequest(copies=5)).counts[-1] == WIDE[name]


@pytest.mark.parametrize("name", ["X./XX", "triangular-3:1", "hexagonal-2:1", "kite-2:1", "cubic-3:1"])
@pytest.mark.parametrize("one_sided", [False, True])
def test_brute_force_counts_as_many(name: str, one_sided: bool) -> None:
    shape = shape_named(name, one_sided=one_sided)
    expected = regions_by_force(shape, 2, 10_000)
    assert multiples(shape, MultiplesRequest(copies=2, check=0)).counts[-1] == expected


def test_small_memory_gives_the_same_regions_in_pieces(tmp_path: Path) -> None:
    shape = shape_named("tetrominoes:T")
    usual = multiples(shape, MultiplesRequest(copies=4, check=0))
    small = multiples(shape, MultiplesRequest(copies=4, check=0, memory=1), folder=tmp_path)
    assert len(list((tmp_path / "copies-004").glob("part-*.bin"))) > 1
    assert small.counts == usual.counts
    assert np.array_equal(small.regions, usual.regions)


def test_a_search_that_was_cut_short_goes_on(tmp_path: Path) -> None:
    shape = shape_named("tetrominoes:T")
    short = multiples(shape, MultiplesRequest(copies=4, check=0, seconds=0), folder=tmp_path)
    assert (short.stop, short.counts) == (Stop.TIME_LIMIT, (1,))
    assert multiples(shape, MultiplesRequest(copies=3, check=0), folder=tmp_path).counts == (1, 17, 378)
    assert multiples(shape, MultiplesRequest(copies=4, check=0), folder=tmp_path).counts == KNOWN["tetrominoes:T"]


def test_a_run_that_was_finished_is_not_grown_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shape = shape_named("tetrominoes:T")
    multiples(shape, MultiplesRequest(copies=3, check=0), folder=tmp_path)
    level = tmp_path / "copies-003"
    sealed(tmp_path / "regions.run", records_of(tmp_path / "regions.run")[:-1])  # as if it was killed in the last step
    (level / "part-000000.bin").rename(level / f"run-{0:012}.bin")
    monkeypatch.setattr(Level, "add_run", None)
    for _ in range(2):
        assert multiples(shape, MultiplesRequest(copies=3, check=0), folder=tmp_path).counts == (1, 17, 378)


def test_levels_that_were_changed_give_no_count(tmp_path: Path) -> None:
    """Files that are lost, cut, doubled, swapped or changed; the level that grows from them is refused."""
    shape, folder = shape_named("tetrominoes:T"), tmp_path / "kept"
    asked = MultiplesRequest(copies=4, check=0, memory=1)
    assert multiples(shape, MultiplesRequest(copies=3, check=0, memory=1, keep=0), folder=folder).counts == (1, 17, 378)
    (part,), (other,) = ([*(folder / f"copies-00{k}").glob("part-*.bin")] for k in (3, 2))
    good = part.read_bytes()
    for bad in (
        None,
        b"",
        good[:-24],
        good + good[:24],
        good[24:] + good[:24],
        good[:24] + good[:24] + good[48:],
        good[:-1] + bytes([good[-1] ^ 1]),
        other.read_bytes(),
    ):
        part.write_bytes(bad) if bad is not None else part.unlink()
        with pytest.raises(DamagedRunError, match=r"part-000000\.bin: .*; start again in a folder other than"):
            multiples(shape, asked, folder=folder)
    part.write_bytes(good)
    assert multiples(shape, asked, folder=folder).counts == KNOWN["tetrominoes:T"]
    kept = folder / "regions.run"
    for content in accidents(kept.read_bytes()).values():
        (tmp_path / "again").mkdir(exist_ok=True)
        (tmp_path / "again" / "regions.run").write_bytes(content)
        with pytest.raises(RunFileError, match=r"regions\.run: is (damaged|not a file)"):
            multiples(shape, asked, folder=tmp_path / "again")


@pytest.mark.long
def test_the_folder_of_another_shape_is_refused(tmp_path: Path) -> None:
    multiples(shape_named("tetrominoes:T"), MultiplesRequest(copies=2), folder=tmp_path)
    with pytest.raises(RunFileError, match=r"another shape \(T, not I\)"):
        multiples(shape_named("tetrominoes:I"), MultiplesRequest(copies=2), folder=tmp_path)


def test_what_reaches_too_far_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="take 63 copies at most"):
        multiples(shape_named("tetrominoes:I"), MultiplesRequest(copies=1000))


@pytest.mark.long
def test_the_sheet_shows_verified_tilings_of_different_regions() -> None:
    found = multiples(shape_named("tetrominoes:I"), MultiplesRequest(copies=2))
    view = multiples_as_view(found)
    assert len(view.entries()) == len(view.data["tilings"]) == len(multiples_as_set(found).parts) == 7
    assert len({each.tobytes() for each in found.regions}) == 7


def test_a_set_is_told_from_a_shape() -> None:
    with pytest.raises(PuzzleError, match="soma holds several shapes: name one, as in soma:V; it has V, T"):
        shape_named("soma")


def test_a_table_of_all_shapes(tmp_path: Path) -> None:
    words = ("multiples", "square", "2", "--cells", "3", "--folder", str(tmp_path / "kept"), "--workers", "2")
    page, sheet = tmp_path / "table.html", tmp_path / "table.csv"
    text = run(*words, "--output", str(page)).stdout.splitlines()
    counts = [multiples(shape_named(f"trominoes:{name}"), MultiplesRequest(copies=2, check=0)).counts for name in "IV"]
    assert [line.split() for line in text] == [
        ["shape", "1", "2"],
        *([n, "1", str(c[1])] for n, c in zip("IV", counts, strict=True)),
    ]
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["I", "V"]
    assert f"<td>{counts[1][1]}</td>" in page.read_text()
    assert page.read_text().count("<svg") == 1
    lines = run(*words, "--json", "--output", str(sheet)).stdout.splitlines()
    assert json.loads(lines[-1]) == {"summary": {"shapes": 2, "complete": True}}
    assert json.loads(lines[0])["counts"] == [*counts[0]]
    assert sheet.read_text().splitlines()[1] == f"I,1,{counts[0][1]}"


def test_a_table_that_time_ends_says_so() -> None:
    ended = run("multiples", "square", "6", "--cells", "5", "--time", "0")
    assert ended.returncode == 3
    assert ended.stdout.splitlines()[1].split() == ["F", "1", *"?????"]
