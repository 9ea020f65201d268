"""What `info` tells of puzzles, of lattices and of the system."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.command_line import DONE, USAGE, run

COLUMNS = ("cells", "parts", "orientations", "orientations_that_fit", "placements", "symmetry")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("pent-5x4x3", (60, 12, 186, 160, 2440, 8)),
        ("hex-prisms", (45, 11, 114, 108, 252, 6)),
        ("sphere-pyramid", (20, 6, 36, 36, 108, 24)),
    ],
)
def test_info_tells_the_columns_of_the_table(name: str, expected: tuple[int, ...]) -> None:
    result = run("info", name, "--json")
    found = json.loads(result.stdout)
    assert (result.returncode, result.stderr) == (DONE, "")
    assert tuple(found[column] for column in COLUMNS) == expected
    assert found["options"] > 0
    assert found["items"] > found["cells"]
    assert found["puzzle"] == name


def test_info_as_a_page() -> None:
    text = run("info", "pent-10x6").stdout
    assert all(re.search(rf"^.* {number}$", text, re.MULTILINE) for number in ("60", "12", "63", "2,056", "2,339"))


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (("", ""), "2"),
        (("count = 3", ""), "2 shapes, 4 pieces"),
        (("min = 0\nmax = 2", ""), "2 shapes, 1 to 3 pieces"),
        (('count = "unlimited"', ""), "2 shapes, 1 or more pieces"),
        (('count = "unlimited"', 'count = "unlimited"'), "2 shapes, any number of pieces"),
    ],
)
def test_info_tells_shapes_from_pieces(counts: tuple[str, str], said: str, tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    shapes = zip(("X", "XX"), counts, strict=True)
    parts = "".join(f'[[parts]]\nname = "p{k}"\nart = ["{art}"]\n{own}\n' for k, (art, own) in enumerate(shapes))
    path.write_text(f'name = "p"\nlattice = "square"\nregion = {{ art = ["X++++"] }}\n{parts}')
    told = [line.split(maxsplit=1)[1] for line in run("info", path).stdout.splitlines() if line.startswith("parts ")]
    assert told == [said]


def test_info_of_what_symmetry_leaves() -> None:
    whole, reduced = (json.loads(run("info", "fig4-3x3", "--json", "--reduction", r).stdout) for r in ("none", "auto"))
    assert whole["options"] == whole["placements"] == reduced["placements"] == 31
    assert reduced["options"] < 31
    assert (whole["pivot"], reduced["pivot"] != "") == ("", True)


def test_info_tells_of_the_system() -> None:
    about = json.loads(run("info", "--system", "--json").stdout)
    assert about["kernels"][about["kernel"]] is True
    assert "portable" in about["kernels"]
    assert about["versions"]["numpy"]
    assert json.loads(run("info", "--system", "--json", LATCOVER_KERNEL="portable").stdout)["kernel"] == "portable"
    assert re.search(r"kernel chosen +\w+", run("info", "--system").stdout)
    wrong = run("info", "--system", LATCOVER_KERNEL="fastest")
    assert wrong.returncode == 1
    assert "LATCOVER_KERNEL asks for a kernel 'fastest'; the kernels are portable" in wrong.stderr
    assert run("info", "soma", "--system").returncode == USAGE
