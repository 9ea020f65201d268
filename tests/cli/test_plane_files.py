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
