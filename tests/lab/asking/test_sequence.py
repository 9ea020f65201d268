"""Sequences: the terms of families, by two methods and as published."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from latcover.errors import InputError
from latcover.files.formats.library import load_family
from latcover.files.formats.source import names
from latcover.lab.asking.sequence import DisagreementError, SequenceRequest, sequence
from tests.command_line import DONE, FAILED, LIMIT, USAGE, run

FAR = {"aztec-squares": 8, "stones-and-bones": 14, "dominoes-square": 6, "dominoes-rectangle": 28}
NEAR = {"cubes-in-tower-6": 3}  # sizes that another method counts soon, if four is too many
FARTHEST = {"aztec-squares": 12, "stones-and-bones": 18, "dominoes-square": 8, "dominoes-rectangle": 55}


@pytest.mark.parametrize("name", names("families"))
def test_published_terms_come_out(name: str) -> None:
    terms = list(sequence(name, SequenceRequest(last=FAR.get(name, 5), check=0)))
    published = load_family(name).published
    assert [term.value for term in terms if term.n in published] == [published[t.n] for t in terms if t.n in published]
    assert published or "strip" in name


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in names("families") if "strip" not in name])
def test_most_published_terms_come_out(name: str) -> None:
    assert len(list(sequence(name, SequenceRequest(first=7, last=FARTHEST.get(name, 7), check=0)))) > 0


@pytest.mark.parametrize("name", names("families"))
def test_another_method_agrees(name: str) -> None:
    terms = list(sequence(name, SequenceRequest(last=NEAR.get(name, 4), check=1000)))
    assert all(term.checked_by not in (None, term.method) or term.method == "volume" for term in terms)


def test_a_wrong_published_term_is_told() -> None:
    family = load_family("dominoes-square")
    wrong = replace(family, published={2: 37})
    with pytest.raises(DisagreementError, match=r"36 solutions of size 2, by .*; its file says 37"):
        list(sequence(wrong, SequenceRequest(last=3)))


def test_two_methods_that_differ_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from latcover.lab.asking import sequence as module

    real = module.count_prepared

    def wrong(*given: object, **more: object) -> object:
        found = real(*given, **more)  # type: ignore[arg-type]
        return replace(found, different=found.different + 1) if more["method"] == "enumeration" else found

    monkeypatch.setattr(module, "count_prepared", wrong)
    with pytest.raises(DisagreementError, match="2 by frontier, but 3 by enumeration; this is a fault of latcover"):
        list(sequence("dominoes-square", SequenceRequest(last=2, method="frontier", check=1000)))


def test_symmetries_make_terms_the_same() -> None:
    terms = sequence("dominoes-square", SequenceRequest(last=3, symmetry="all", check=0))
    assert [term.value for term in terms] == [1, 9, 930]


def test_the_command_prints_terms_as_json() -> None:
    ended = run("sequence", "aztec-squares", "--to", "3", "--json", "--check", "1000")
    found = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [(line["n"], line["value"]) for line in found] == [(1, 3), (2, 19), (3, 293)]
    assert all(line["checked_by"] and line["seconds"] >= 0 for line in found)


def test_a_b_file_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "b356512.txt"
    assert run("sequence", "aztec-squares", "--to", "2", "--output", path).returncode == DONE
    assert (
        "b356512.txt has the terms up to 2." in run("sequence", "aztec-squares", "--to", "4", "--output", path).stdout
    )
    assert path.read_text() == ("# A356512 Aztec diamonds of dominoes and squares of four\n1 3\n2 19\n3 293\n4 10917\n")
    gap = run("sequence", "aztec-squares", "--from", "7", "--to", "8", "--output", path)
    assert (gap.returncode, "the next is 5" in gap.stderr) == (USAGE, True)
    before = path.read_text()
    for mixed in (("dominoes-square",), ("aztec-squares", "--symmetry", "all")):
        refused = run("sequence", *mixed, "--to", "5", "--output", path)
        assert (refused.returncode, ":1: holds another sequence" in refused.stderr) == (FAILED, True)
    assert path.read_text() == before
    path.write_text("1 3\nnonsense\n")
    broken = run("sequence", "aztec-squares", "--to", "2", "--output", path)
    assert (broken.returncode, ":2: is not a b-file" in broken.stderr) == (FAILED, True)
    assert path.read_text() == "1 3\nnonsense\n"


def test_a_sequence_that_is_cut_short_says_so() -> None:
    ended = run("sequence", "aztec-squares", "--to", "40", "--time", "0")
    assert (ended.returncode, "not known: time limit" in ended.stdout) == (LIMIT, True)


def test_a_family_that_does_not_exist_is_told() -> None:
    with pytest.raises(InputError, match="did you mean 'aztec-squares'"):
        list(sequence("aztec-square", SequenceRequest(last=3)))
