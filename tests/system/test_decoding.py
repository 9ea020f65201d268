"""What is said of data that does not fit: the place, and what must stand there."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from latcover.errors import PuzzleError
from latcover.system.decoding import decoded


class Inner(msgspec.Struct):
    name: Annotated[str, Meta(min_length=1)]
    low: Annotated[int, Meta(ge=0)] = 1


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    parts: Annotated[list[Inner], Meta(max_length=2)]
    high: int | None = None
    side: Literal["left", "right"] = "left"
    sides: list[Literal["left", "right"]] = []
    level: Annotated[str, Meta(pattern="^[0-9]$", description="a level such as 5")] = "1"


class First(msgspec.Struct, tag="first", tag_field="task"):
    outer: Outer


class Second(msgspec.Struct, tag="second", tag_field="task"):
    pass


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (1, "the edits must be an object of names and values"),
        ({}, "the edits lacks 'parts'"),
        ({"parts": 3}, "'parts' in the edits must be a list"),
        ({"parts": [{"name": ""}]}, "'parts[0].name' in the edits must be a text, its length at least 1"),
        ({"parts": [{"name": "a", "low": -1}]}, "'parts[0].low' in the edits must be a whole number, at least 0"),
        ({"parts": [{"name": "a", "low": True}]}, "'parts[0].low' in the edits must be a whole number"),
        ({"parts": [], "high": "x"}, "'high' in the edits must be a whole number or null"),
        ({"parts": [{"name": "a"}] * 3}, "'parts' in the edits must be a list, its length at most 2"),
        ({"parts": [], "side": "up"}, "'side' in the edits cannot be 'up'; it must be one of left, right"),
        ({"parts": [], "sides": ["up"]}, "'sides[0]' in the edits cannot be 'up'; it must be one of left, right"),
        ({"parts": [], "level": "x"}, "'level' in the edits must be a level such as 5"),
        ({"parts": [], "hihg": 2}, "the edits has 'hihg', which is not known; did you mean 'high'?"),
    ],
)
def test_a_refusal_names_the_place_and_what_must_stand_there(data: Any, words: str) -> None:
    with pytest.raises(PuzzleError) as fault:
        decoded(Outer, data, "the edits")
    assert str(fault.value) == words


def test_what_fits_is_decoded() -> None:
    assert decoded(Outer, {"parts": [{"name": "a"}]}) == Outer([Inner("a")])


def test_a_refusal_names_the_words_that_are_known() -> None:
    with pytest.raises(PuzzleError, match="'task' in the request cannot be 'third'; it must be one of first, second"):
        decoded(First | Second, {"task": "third"})
    with pytest.raises(PuzzleError, match="'task' in the request cannot be 'third'; it must be one of first"):
        decoded(First, {"task": "third"})
    outer = {"parts": [], "side": "up"}
    with pytest.raises(PuzzleError, match=r"'outer\.side' in the request cannot be 'up'.* left, right"):
        decoded(First | Second, {"task": "first", "outer": outer})
