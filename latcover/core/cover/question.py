"""What an answer depends on, as one value with one digest, by which whatever keeps answers knows its question again.

A `Question` is made from whole values: the puzzle with its lattice, the request, the method. All fields of their
structs belong to it, also those that will be added. A struct names the fields that change no answer once, in the class
attribute `BESIDE_THE_QUESTION`: a title, say, or the number of threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.errors import InternalError, RunFileError

LONGEST = 200  # characters of a fact; of a longer one its digest is kept
SHOWN = 60  # characters of a fact that a sentence shows
MOST_NUMBERS = 64  # of an array that is kept in full
DIGITS = 9  # of coordinates, whose last digits differ between machines
REQUESTS = ("request", "asked_by")  # facts that are requests
Facts = str | dict[str, Any]  # JSON, or the digest of a long one; or facts by name


class Method(Struct, frozen=True):
    """How answers are found. Its version rises whenever it may find, or keep, something else than before."""

    name: str
    version: int = 1


class Question(Struct, frozen=True, forbid_unknown_fields=True):
    """All that an answer depends on.

    Attributes:
        facts: By name; of a struct its fields by name, without those beside the question.
    """

    facts: dict[str, Any]

    @classmethod
    def of(cls, method: Method, request: Struct, **about: object) -> Question:
        """What is asked of some values, and how this latcover answers."""
        found = {name: facts_of(value) for name, value in {"request": request, "method": method, **about}.items()}
        return cls({"latcover": this_version(), **found})

    @property
    def digest(self) -> str:
        """A digest of all of it."""
        return _sha256(msgspec.json.encode(self.facts, order="sorted"))

    def difference(self, kept: Question) -> str:
        """What differs between a question that was kept and this one, in words; "" if they are the same."""
        names = dict.fromkeys([*self.facts, *kept.facts])
        found = [each for name in names for each in _differences(kept.facts.get(name), self.facts.get(name), (name,))]
        return _in_words(found, self.facts) if found else ""

    def require(self, kept: Question, path: Path, going_on: str = "") -> None:
        """Refuse the file of another question.

        Raises:
            RunFileError: it holds answers to *kept*, which is another one.
        """
        if difference := self.difference(kept):
            raise RunFileError(
                f"{path}: holds an answer to another question: {difference}; choose another file{going_on}"
            )


class _Difference(Struct, frozen=True):
    path: tuple[str, ...]
    old: Any
    new: Any


@cache
def this_version() -> str:
    """The version of this latcover."""
    from importlib.metadata import version  # which takes as long to import as a small puzzle to count

    return version("latcover")


def digest_of(*values: object) -> str:
    """A digest of values: structs without what is beside the question, arrays, and plain data."""
    return _sha256(msgspec.json.encode([_plain(value) for value in values], order="sorted"))


def facts_of(value: object) -> Facts:
    """The facts of a struct by name; of anything else JSON, or its digest if it is long."""
    if isinstance(value, Struct):
        return {"is": type(value).__name__, **{name: facts_of(getattr(value, name)) for name in asked_fields(value)}}
    text = msgspec.json.encode(_plain(value), order="sorted")
    return text.decode() if len(text) <= LONGEST else f"#{_sha256(text)[:32]}"


def asked_fields(value: Struct | type[Struct]) -> Iterator[str]:
    """The fields of a struct that an answer depends on."""
    beside: Set[str] = getattr(value, "BESIDE_THE_QUESTION", frozenset())
    return (name for name in value.__struct_fields__ if name not in beside and not name.startswith("_"))


def _plain(value: Any) -> Any:
    """A value as plain data, the same on every machine."""
    if value is None or isinstance(value, bool | int | float | str):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, Struct):
        return {"is": type(value).__name__, **{name: _plain(getattr(value, name)) for name in asked_fields(value)}}
    if isinstance(value, np.ndarray):
        return _plain_array(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, Set):
        return sorted((_plain(each) for each in value), key=msgspec.json.encode)
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [_plain(each) for each in value]
    if isinstance(value, bytes | Path):
        return _sha256(value) if isinstance(value, bytes) else str(value)
    raise InternalError(f"a question cannot hold {value!r:.80}, which is not plain data")


def _plain_array(array: npt.NDArray[Any]) -> Any:
    portable = np.round(array.astype("<f8"), DIGITS) + 0.0 if array.dtype.kind == "f" else array.astype("<i8")
    if portable.size <= MOST_NUMBERS:
        return portable.tolist()
    return [list(portable.shape), _sha256(np.ascontiguousarray(portable).tobytes())]


def _sha256(content: bytes) -> str:
    from hashlib import sha256  # OpenSSL takes as long to load as a small puzzle to count

    return sha256(content).hexdigest()


def _differences(old: Any, new: Any, path: tuple[str, ...]) -> Iterator[_Difference]:
    """The facts that differ, in their order."""
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict) and old.get("is") == new.get("is"):
        for name in dict.fromkeys([*new, *old]):
            yield from _differences(old.get(name), new.get(name), (*path, name))
    else:
        yield _Difference(path, _kind_or_fact(old), _kind_or_fact(new))


def _kind_or_fact(fact: Any) -> Any:
    """A fact; of a request what it is called: solve, of a SolveRequest."""
    return str(fact.get("is", "another")).removesuffix("Request").lower() if isinstance(fact, dict) else fact


def _in_words(found: Sequence[_Difference], facts: Mapping[str, Any]) -> str:
    """The first difference in words, with those of the same request or thing."""
    first = found[0]
    name, *more = first.path
    if name == "latcover":
        return f"it was made by latcover {_shown(first.old)}, and this is {_shown(first.new)}"
    if name == "method":
        return f"it was found by another version of the method {_shown(facts[name]['name'])} ({_pair(first)})"
    if not more:
        return f"another {_words(name)}" + (f" ({shown})" if (shown := _pair(first)) else "")
    if name in REQUESTS:
        of_request = [each for each in found if each.path[0] == name]
        return ", and ".join(f"the {_words(each.path[-1])} {_pair(each) or 'was another one'}" for each in of_request)
    depth, owner = 1, (inner := facts[name])
    for k, field in enumerate(more[:-1], 2):  # the innermost thing with a name
        inner = inner[field]
        if "name" in inner:
            depth, owner = k, inner
    if first.path[depth:] == ("name",):
        return f"another {_words(first.path[depth - 1])} ({_pair(first)})"
    changed = [_changed(each, depth) for each in found if each.path[:depth] == first.path[:depth]]
    called = f" {_shown(owner['name'])!r}" if "name" in owner else ""
    return f"the {_words(first.path[depth - 1])}{called} has changed since: {', '.join(changed)}"


def _changed(each: _Difference, depth: int) -> str:
    """What has changed of something whose path has this length: "cells of its region"."""
    field, *inner = map(_words, each.path[depth:])
    shown = _pair(each)
    return (f"{inner[-1]} of its {field}" if inner else f"its {field}") + (f" ({shown})" if shown else "")


def _words(name: str) -> str:
    return name.replace("_", " ")


def _pair(each: _Difference) -> str:
    """What it was and what it is, if both can be shown."""
    old, new = _shown(each.old), _shown(each.new)
    return f"{old}, not {new}" if "" not in (old, new) else ""


def _shown(fact: Any) -> str:
    """A fact as it is given on the command line; "" if it is too long."""
    if not isinstance(fact, str) or fact.startswith("#"):
        return "" if fact is not None else "none"
    try:
        text = _as_given(msgspec.json.decode(fact))
    except msgspec.MsgspecError:
        text = fact
    return text if len(text) <= SHOWN else ""


def _as_given(value: Any) -> str:
    if isinstance(value, dict):
        kind = value.pop("is", None)  # of a struct, such as a rule; what it does not say is left out
        told = _listed(f"{key}={_as_given(each)}" for key, each in value.items() if each or kind is None)
        return told if kind is None else f"{kind} {told}".removesuffix(" none")
    if isinstance(value, list) and not any(isinstance(each, list) for each in value):
        return _listed(map(_as_given, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None or value == "" else str(value)


def _listed(texts: Iterable[str]) -> str:
    return ",".join(texts) or "none"
