"""Pictures and proofs that `plane` writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import FAILED, USAGE, run
from tests.rup import refutes

CROSS = ".X../XXXX/.X../.X.."


def test_a_picture_and_a_proof(tmp_path: Path) -> None:
    svg, proof = tmp_path / "cross.svg", tmp_path / "cross.drat"
    done = run("plane", CROSS, "--output", str(svg), "--proof", str(proof))
    assert done.returncode == 0
    assert "does not tile; 0 coronas, 1 with a hole" in svg.read_text()
    assert refutes(proof.with_suffix(".cnf"), proof)


def test_a_picture_of_a_family(tmp_path: Path) -> None:
    svg = tmp_path / "four.svg"
    assert run("plane", "square", "--cells", "4", "--processes", "1", "--output", str(svg)).returncode == 0
    assert svg.read_text().count("tiles, 1 class") >= 5


def test_a_page_of_a_shape_has_its_words_and_its_smallest_tori(tmp_path: Path) -> None:
    page = tmp_path / "t.html"
    done = run("plane", "tetrominoes:T", "--smallest", "square", "--output", str(page))
    assert done.returncode == 0
    text = page.read_text()
    assert all(line in text for line in done.stdout.splitlines() if not line.startswith("wrote"))
    assert text.count("<svg") == 1
    assert "smallest square torus, 8 cells" in text


def test_a_page_of_a_family_has_its_table_and_every_shape(tmp_path: Path) -> None:
    page = tmp_path / "four.html"
    assert run("plane", "square", "--cells", "4", "--processes", "1", "--output", str(page)).returncode == 0
    text = page.read_text()
    assert text.count("<svg") == text.count("<figcaption>") == 5
    assert "<td>4 cells of square</td><td>5</td><td>5</td>" in text


@pytest.mark.parametrize(
    ("words", "code", "fault"),
    [
        (["XX", "--output", "x.toml"], FAILED, ".svg"),
        (["XX", "--output", "nowhere/x.svg"], FAILED, "no folder"),
        (["XX", "--proof", "x.cnf"], FAILED, "clauses"),
        (["XX", "--proof", "x.drat"], FAILED, "nothing shows that this shape does not tile"),
        (["square", "--cells", "3", "--proof", "x.drat"], USAGE, "--proof"),
    ],
)
def test_what_cannot_be_written(
    words: list[str], code: int, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("plane", *words)
    assert (done.returncode, fault in done.stderr) == (code, True)
    assert not list(tmp_path.iterdir())
