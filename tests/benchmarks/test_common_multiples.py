"""A catalogue of common multiples: its names are read, answers are kept, and what disagrees is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.common_multiples import Answer, Entry, box_of, common_multiples, entries, layers_of, summary
from latcover.errors import UnsupportedError

CATALOGUE = """# shapes  area  proved
I4-F5 20 yes 44.312s
{I4:L4:N4:Q4:T4}-{I3:L3} 24 unknown 19181.505s
Pentominoes-Trominoes-12x5.txt 60 unknown 154.788s
X7-F5 20 yes 1s
"""


def test_names_of_the_catalogue() -> None:
    found, others = entries(CATALOGUE)
    assert [(each.area, each.proved) for each in found] == [(20, True), (24, False), (60, False)]
    assert others == 1
    assert [box_of(each.name) for each in found] == [None, None, (12, 5)]
    assert [len(layer.shapes) for layer in layers_of(found[2].name).layers] == [12, 2]
    assert [layer.name for layer in layers_of("F5-Q4").layers] == ["F", "O"]
    assert [len(layer.shapes) for layer in layers_of(found[1].name).layers] == [5, 2]
    with pytest.raises(ValueError, match="neither a shape nor a set"):
        layers_of("{I4:L4}-I3")  # no whole set


def test_answers_are_kept(tmp_path: Path) -> None:
    catalogue, answers = tmp_path / "catalogue.txt", tmp_path / "answers"
    catalogue.write_text(CATALOGUE)
    first = [*common_multiples(catalogue=catalogue, answers=answers)]
    assert "1 were tried and 1 proved; 0 of these needed a refutation" in " ".join(first)
    again = [*common_multiples(catalogue=catalogue, answers=answers)]
    assert again == first
    assert len(answers.read_text().splitlines()) == 3


def test_what_disagrees_is_told() -> None:
    every = [Entry("I4-F5", 20, True), Entry("I4-T5", 40, False)]
    known = {"I4-F5": Answer("I4-F5", 40, False, 20, 1.0), "I4-T5": Answer("I4-T5", 20, True, 0, 1.0)}
    proved, others = summary(every, known)
    assert "refuted here: I4-F5" in proved
    assert "Smaller areas: I4-T5" in others


def test_proofs_need_a_checker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnsupportedError, match="not installed"):
        next(common_multiples(catalogue=tmp_path / "none", answers=tmp_path / "none", proofs=True))
