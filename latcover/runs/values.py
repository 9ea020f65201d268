"""Values that the file of a run holds as text. They are checked first: the file may be damaged, or made by anyone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, fields
from itertools import chain
from pathlib import Path
from typing import Any, get_args

import numpy as np

from latcover.cover.problem import Ints, Longs
from latcover.cover.search import Stop
from latcover.encoding.prepared import Choices
from latcover.encoding.reduction import How
from latcover.encoding.symmetry import Which
from latcover.model.puzzle import Bounds
from latcover.runs.opening import damaged
from latcover.solving.answer import Answer

_DIGEST = re.compile(r"[0-9a-f]{16}")
_LONGEST_NAME = 200  # bytes
_OF_ANSWER: dict[type | tuple[type, ...], tuple[str, ...]] = {
    str: ("puzzle", "backend", "stop", "symmetry", "method", "pivot", "asked", "digest"),
    int: ("different", "total", "covers", "symmetries"),
    (int, type(None)): ("branches", "dead_ends", "memory"),
    bool: ("complete",),
    dict: ("seconds", "native"),
    list: ("branches_by_level", "notes"),
}


@contextmanager
def refusing_damage(path: Path) -> Iterator[None]:
    """Turn errors of the functions below into a RunFileError that names the file."""
    try:
        yield
    except (ValueError, KeyError, TypeError, RecursionError) as fault:
        what = "values nested too deeply" if isinstance(fault, RecursionError) else str(fault)
        raise damaged(path, what) from None


def _parsed(text: str, kind: type) -> Any:
    value = json.loads(text)
    if type(value) is not kind:
        raise ValueError(f"{text[:40]!r} is not what belongs there")
    return value


def whole_numbers(text: str, most: int = 1 << 62) -> list[int]:
    """An array of whole numbers from 0 to *most*.

    Raises:
        ValueError: the text is something else. The other functions here raise it too.
    """
    numbers: list[int] = _parsed(text, list)
    if any(type(number) is not int or not 0 <= number <= most for number in numbers):
        raise ValueError(f"{text[:40]!r} is no array of whole numbers from 0 to {most:,}")
    return numbers


def pairs(text: str) -> tuple[tuple[int, int], ...]:
    """An array of pairs of whole numbers, of 32 bits each."""
    found = _parsed(text, list)
    for pair in found:
        if type(pair) is not list or len(pair) != 2 or any(type(n) is not int or abs(n) >= 1 << 31 for n in pair):
            raise ValueError(f"{text[:40]!r} is no array of pairs of whole numbers")
    return tuple((item, option) for item, option in found)


def choices_of_solutions(texts: Sequence[str], n_choices: int) -> tuple[Longs, Ints]:
    """The choices of some solutions, each ascending.

    Returns:
        Solution k has ``choices[starts[k]:starts[k + 1]]``: starts, int64, and choices, int32.
    """
    lists = json.loads(f"[{','.join(texts)}]")  # all at once is twice as fast
    if len(lists) != len(texts) or not all(type(each) is list for each in lists):
        raise ValueError("the choices of a solution are no array")
    starts = np.zeros(len(lists) + 1, np.int64)
    np.cumsum([*map(len, lists)], out=starts[1:])
    found = np.array([*chain.from_iterable(lists)] or np.empty(0, np.int64))
    if found.dtype != np.int64 or found.ndim != 1 or (len(found) and not 0 <= found.min() <= found.max() < n_choices):
        raise ValueError(f"the choices of a solution are no whole numbers from 0 to {n_choices - 1:,}")
    falls = np.flatnonzero(np.diff(found) <= 0) + 1  # a solution may begin there
    wrong = falls[~np.isin(falls, starts)]
    if len(wrong):
        text = texts[int(np.searchsorted(starts, wrong[0], "right")) - 1]
        raise ValueError(f"the choices {text[:40]!r} of a solution do not ascend")
    return starts, found.astype(np.int32)


def digest(text: str) -> str:
    """A fingerprint."""
    if not _DIGEST.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is no fingerprint")
    return text


def file_name(text: str) -> str:
    """The name of a puzzle's file, without folders; its suffix tells the form."""
    if Path(text).name != text or text in ("", "..") or "\0" in text or len(text.encode()) > _LONGEST_NAME:
        raise ValueError(f"{text[:40]!r} is no name of a puzzle's file")
    return text


def options(text: str) -> Mapping[str, object]:
    """The options of a backend."""
    found: dict[str, object] = _parsed(text, dict)
    if not all(isinstance(value, str | int | float | None) for value in found.values()):
        raise ValueError(f"{text[:40]!r} are no options of a backend")
    return found


def bounds(text: str) -> Bounds:
    """How much a puzzle may ask for."""
    found = Bounds(**_parsed(text, dict))
    if any(type(most) is not int or not 0 <= most < 1 << 31 for most in (found.cells, found.placements)):
        raise ValueError(f"{text[:80]!r} are no bounds of cells and placements")
    return found


def choices(text: str) -> Choices:
    """How a puzzle becomes a cover problem."""
    data = _parsed(text, dict)
    order = data["order"]
    known = data["symmetry"] in get_args(Which) and data["reduction"] in get_args(How)
    axes = order is None or (type(order) is list and all(type(axis) is int for axis in order))
    if not known or not axes or not isinstance(data["pivot"], str | None):
        raise ValueError(f"{text[:80]!r} does not say how a puzzle becomes a cover problem")
    return Choices(**{**data, "order": None if order is None else tuple(order)})


def notes(text: str) -> tuple[str, ...]:
    """What users are told of the backend."""
    found = _parsed(text, list)
    if not all(isinstance(note, str) for note in found):
        raise ValueError(f"{text[:40]!r} are no notes")
    return tuple(found)


def answer(text: str) -> Answer:
    """The answer of a run that is done."""
    data = _parsed(text, dict)
    missing = [each.name for each in fields(Answer) if each.default_factory is MISSING and each.name not in data]
    wrong = [
        name
        for kind, names in _OF_ANSWER.items()
        for name in names
        if name in data and not (isinstance(data[name], kind) and (kind is bool or not isinstance(data[name], bool)))
    ]
    if missing or wrong:
        raise ValueError(f"its answer has no valid {(missing + wrong)[0]!r}")
    seconds = [data["seconds"][name] for name in ("setup", "first", "search", "check")]
    if not all(isinstance(each, int | float | None) and not isinstance(each, bool) for each in seconds):
        raise ValueError("its answer has no valid 'seconds'")
    if (
        seconds[0] is None
        or seconds[2] is None
        or seconds[3] is None
        or data["stop"] not in [stop.value for stop in Stop]
    ):
        raise ValueError("its answer is incomplete")
    levels = tuple(whole_numbers(json.dumps(data["branches_by_level"])))
    return Answer(**{**data, "branches_by_level": levels, "notes": notes(json.dumps(data.get("notes", [])))})
