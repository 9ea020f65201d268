"""Questions: everything is part of them, and their difference is said in words."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.cover.question import Method, Question, digest_of, this_version
from latcover.core.solving.count import CountRequest
from latcover.core.solving.solve import SolveRequest
from latcover.errors import InternalError, RunFileError
from latcover.files.formats.library import load

SOMA = load("soma")
LATTICE = SOMA.lattice


def of(puzzle: Any = SOMA, request: Struct = SolveRequest(), method: Method = Method("m")) -> Question:
    return Question.of(method, request, puzzle=puzzle)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (of(request=SolveRequest(rules=("connected=I",))), "the rules none, not connected=I"),
        (of(request=SolveRequest(given=("V@0,0,0", "L@1,1,1"))), "the given none, not V@0,0,0,L@1,1,1"),
        (
            of(request=SolveRequest(pivot="V", symmetry="none")),
            "the symmetry all, not none, and the pivot none, not V",
        ),
        (of(request=SolveRequest(options={"size": False})), "the options none, not size=no"),
        (of(request=SolveRequest(rules=("x" * 300,))), "the rules was another one"),
        (of(request=CountRequest()), "another request (solve, not count)"),
        (of(method=Method("m", 2)), "it was found by another version of the method m (1, not 2)"),
        (of(load("bedlam")), "another puzzle (soma, not bedlam)"),
        (of(replace(SOMA, parts=SOMA.parts[:3])), "the puzzle 'soma' has changed since: its parts"),
        (
            of(replace(SOMA, rules=replace(SOMA.rules, across_corners=True))),
            "the puzzle 'soma' has changed since: across corners of its rules (no, not yes)",
        ),
        (
            of(replace(SOMA, lattice=replace(LATTICE, slides=((1, 0, 0),), has_gaps=True))),
            "the lattice 'cubic' has changed since: its slides (none, not [[1, 0, 0]]), its has gaps (no, not yes)",
        ),
        (of(None), "another puzzle (puzzle, not none)"),
        (Question({**of().facts, "is": "changed"}), "another is (none, not changed)"),
    ],
)
def test_what_differs_is_said_in_words(other: Question, said: str) -> None:
    assert other.difference(of()) == said
    assert of().difference(of()) == other.difference(other) == ""
    with pytest.raises(RunFileError) as refused:
        other.require(of(), Path("x.run"))
    assert str(refused.value) == f"x.run: holds an answer to another question: {said}; choose another file"


def test_what_is_beside_the_question_makes_no_difference() -> None:
    same = replace(SOMA, title="x", source="y", expect={}, comment="z", level=(9,))
    assert of(same, SolveRequest(limit=1, seconds=2.0, images=True)).digest == of().digest


def test_each_field_of_a_lattice_and_of_its_parts_makes_a_difference() -> None:
    for thing in (SOMA, LATTICE, LATTICE.nodes[0], LATTICE.half_edges[0], SOMA.parts[0], SOMA.region, SOMA.rules):
        beside = getattr(thing, "BESIDE_THE_QUESTION", frozenset())
        for name in (name for name in thing.__struct_fields__ if not name.startswith("_")):
            other = msgspec.defstruct(type(thing).__name__, [(name, Any)])(**{name: "other"})
            mine = msgspec.defstruct(type(thing).__name__, [(name, Any)])(**{name: getattr(thing, name)})
            assert digest_of(mine) != digest_of(other)
            assert (name in dict(of_struct(thing))) is (name not in beside), name


def of_struct(thing: Struct) -> dict[str, Any]:
    facts = Question.of(Method("m"), thing).facts["request"]
    assert isinstance(facts, dict)
    return facts


def test_another_version_is_told_first(monkeypatch: pytest.MonkeyPatch) -> None:
    before = of(request=CountRequest())
    monkeypatch.setattr("latcover.core.cover.question.this_version", lambda: "9.9")
    assert of().difference(before) == f"it was made by latcover {this_version()}, and this is 9.9"


class Colour(StrEnum):
    RED = "red"


class Held(Struct, frozen=True):
    value: Any = None


def test_values_are_the_same_whatever_holds_them() -> None:
    same: list[tuple[Any, Any]] = [
        ((1, 2), [1, 2]),
        (np.array([1, 2], np.int32), np.array([1, 2], np.int64)),
        (np.array([1, 2], ">i4"), (1, 2)),
        (np.array([0.1 + 0.2]), np.array([0.3])),
        (np.zeros(1), -np.zeros(1)),
        ({"b": 1, "a": 2}, {"a": 2, "b": 1}),
        (frozenset((3, 1, 2)), {2, 3, 1}),
        (Colour.RED, "red"),
        (np.int32(5), 5),
        (Path("a"), "a"),
    ]
    for one, other in same:
        assert digest_of(Held(one)) == digest_of(Held(other)), one
    many = np.arange(200).reshape(20, 10)
    different = [
        None,
        0,
        "0",
        [0],
        b"0",
        b"1",
        many,
        many.T,
        many.reshape(10, 20),
        many + 1,
        many[:, :1],
        "x" * 300,
        "y" * 300,
    ]
    assert len({digest_of(Held(value)) for value in different}) == len(different)
    assert len({Question.of(Method("m"), Held(value)).digest for value in different}) == len(different)
    with pytest.raises(InternalError, match="not plain data"):
        digest_of(object())


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"request": 5},
        {"request": {}},
        {"request": {"is": 3, "rules": [1]}},
        {"method": {"is": "Method"}},
        {"x": {"y": {}}},
        {"puzzle": {"is": "Puzzle", "lattice": 7, "name": {"name": []}}},
        {"puzzle": {"is": "Puzzle"}},
        {"latcover": None},
    ],
)
def test_questions_of_files_may_be_anything(facts: dict[str, Any]) -> None:
    for kept in (Question(facts), Question(of().facts | facts)):
        assert of().difference(kept) or kept.digest == of().digest
