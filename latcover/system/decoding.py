"""Plain data as typed structures: msgspec checks types and ranges, and refusals become plain paragraphs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import UnionType
from typing import Any, TypeVar

import msgspec
from msgspec.inspect import LiteralType, Metadata, StructType, Type, type_info
from msgspec.inspect import UnionType as UnionInfo

from latcover.errors import PuzzleError, suggest

T = TypeVar("T")
PLACE = re.compile(r"^(?P<what>.*?)(?: - at `(?:key in )?\$(?P<place>[^`]*)`)?$", re.DOTALL)
UNKNOWN = re.compile(r"Object contains unknown field `(?P<name>.*)`")
WRONG_WORD = re.compile(r"Invalid (?:enum )?value (?P<word>.*)", re.DOTALL)
STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
EXPECTED = re.compile(r"Expected `(?P<kind>[^`]*)`(?P<rest>.*)", re.DOTALL)
KINDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "a text",
    "array": "a list",
    "object": "an object of names and values",
    "null": "null",
}
BOUNDS = {
    " of length >= ": ", its length at least ",
    " of length <= ": ", its length at most ",
    " >= ": ", at least ",
    " <= ": ", at most ",
}
MISSING = re.compile(r"Object missing required field `(?P<name>.*)`")


def decoded(kind: type[T] | UnionType, data: object, what: str = "the request") -> T:
    """Plain data as a structure of this *kind*.

    Raises:
        PuzzleError: the data does not fit. The message names the place, and what must stand there.
    """
    try:
        converted: T = msgspec.convert(data, kind)
        return converted
    except msgspec.ValidationError as fault:
        raise PuzzleError(_in_words(str(fault), kind, data, what)) from None


def _in_words(message: str, kind: Any, data: object, what: str) -> str:
    """msgspec's message as a sentence about the data of a client."""
    said = PLACE.match(message)
    assert said is not None
    place = (said["place"] or "").lstrip(".")
    of = f"{place!r} in {what}" if place else what
    if unknown := UNKNOWN.fullmatch(said["what"]):
        known = [] if place or isinstance(kind, UnionType) else [f.encode_name for f in msgspec.structs.fields(kind)]
        return f"{of} has {unknown['name'][:40]!r}, which is not known{suggest(unknown['name'][:40], known)}"
    if missing := MISSING.fullmatch(said["what"]):
        return f"{of} lacks {missing['name']!r}"
    if wrong := WRONG_WORD.fullmatch(said["what"]):
        known = _words_for(type_info(kind), data, STEP.findall(said["place"] or ""))
        return f"{of} cannot be {wrong['word']:.42}; it must be one of {', '.join(known)}"
    if " matching regex " in said["what"] and (form := _description(type_info(kind), place)):
        return f"{of} must be {form}"
    expected = EXPECTED.fullmatch(said["what"])
    if expected is None:
        return f"{of}: {said['what'][0].lower()}{said['what'][1:]}"
    kinds = [KINDS.get(word.strip(), word.strip()) for word in expected["kind"].split("|")]
    bounds = expected["rest"].partition(", got")[0]
    for sign, words in BOUNDS.items():
        bounds = bounds.replace(sign, words)
    return f"{of} must be {' or '.join(kinds)}{bounds}"


def _words_for(info: Type, data: Any, steps: Sequence[tuple[str, str]]) -> list[str]:
    """The words that may stand at a place in *data* of a type: those of a literal, or the tags of structures."""
    if isinstance(info, UnionInfo):
        structures = [each for each in info.types if isinstance(each, StructType)]
        if len(steps) == 1 and steps[0][0] in {each.tag_field for each in structures}:
            return [str(each.tag) for each in structures]
        tagged = [each for each in info.types if not isinstance(each, StructType) or _has_tag(each, data)]
        return next(filter(None, (_words_for(each, data, steps) for each in tagged)), [])
    if not steps:
        return [str(value) for value in info.values] if isinstance(info, LiteralType) else []
    (name, index), *rest = steps
    if isinstance(info, StructType):
        if name == info.tag_field:
            return [str(info.tag)]
        field = next(field for field in info.fields if field.encode_name == name)
        return _words_for(field.type, data[name], rest)
    return _words_for(info.item_type, data[int(index)], rest) if index and hasattr(info, "item_type") else []


def _has_tag(info: StructType, data: Any) -> bool:
    return info.tag_field is None or (isinstance(data, dict) and data.get(info.tag_field) == info.tag)


def _description(info: Type, name: str) -> str:
    """What the type of a field says about its form; "" if it says nothing."""
    described = [field.type for field in getattr(info, "fields", ()) if field.encode_name == name]
    for each in described:
        if isinstance(each, Metadata) and each.extra_json_schema:
            return str(each.extra_json_schema.get("description", ""))
    return ""
