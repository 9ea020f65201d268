"""Check values that the file of a run holds as text: the file may be damaged, or made by anyone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
import numpy as np
from msgspec import Meta

from latcover.core.cover.problem import Ints, Longs
from latcover.core.cover.result import SearchResult, Stop
from latcover.lab.runs.opening import damaged

T = TypeVar("T")
_DIGEST = re.compile(r"[0-9a-f]{16}")
_LONGEST_NAME = 200  # bytes
Levels = list[Annotated[int, Meta(ge=0, le=1 << 62)]]
Chosen = tuple[Annotated[int, Meta(ge=0, lt=1 << 31)], ...]
Pairs = tuple[
    tuple[Annotated[int, Meta(gt=-(1 << 31), lt=1 << 31)], Annotated[int, Meta(gt=-(1 << 31), lt=1 << 31)]], ...
]


@contextmanager
def refusing_damage(path: Path) -> Iterator[None]:
    """Turn errors of bad values into a RunFileError that names the file."""
    try:
        yield
    except (ValueError, KeyError, TypeError, RecursionError) as fault:
        what = "values nested too deeply" if isinstance(fault, RecursionError) else str(fault)
        raise damaged(path, what) from None


def parsed(text: str, kind: type[T]) -> T:
    """Decode JSON as a value of this type.

    Raises:
        ValueError: the text is something else, also in the functions below.
    """
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.MsgspecError as fault:
        raise ValueError(f"{text[:40]!r} is not what belongs there: {fault}") from None


def choices_of_solutions(texts: Sequence[str], n_choices: int) -> tuple[Longs, Ints]:
    """The choices of some solutions, each ascending.

    Returns:
        Solution k has ``choices[starts[k]:starts[k + 1]]``: starts, int64, and choices, int32.
    """
    lists = parsed(f"[{','.join(texts)}]", list[list[int]])  # all at once is twice as fast
    if len(lists) != len(texts):
        raise ValueError("the choices of a solution are not an array")
    starts = np.zeros(len(lists) + 1, np.int64)
    np.cumsum([*map(len, lists)], out=starts[1:])
    found = np.array([*chain.from_iterable(lists)] or np.empty(0, np.int64))
    if found.dtype != np.int64 or found.ndim != 1 or (len(found) and not 0 <= found.min() <= found.max() < n_choices):
        raise ValueError(f"the choices of a solution are not whole numbers from 0 to {n_choices - 1:,}")
    falls = np.flatnonzero(np.diff(found) <= 0) + 1  # a solution may begin there
    wrong = falls[~np.isin(falls, starts)]
    if len(wrong):
        text = texts[int(np.searchsorted(starts, wrong[0], "right")) - 1]
        raise ValueError(f"the choices {text[:40]!r} of a solution do not ascend")
    return starts, found.astype(np.int32)


def digest(text: str) -> str:
    """A fingerprint."""
    if not _DIGEST.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not a fingerprint")
    return text


def file_name(text: str) -> str:
    """The name of a puzzle's file, without folders; its suffix tells the form."""
    if Path(text).name != text or text in ("", "..") or "\0" in text or len(text.encode()) > _LONGEST_NAME:
        raise ValueError(f"{text[:40]!r} is not a name of a puzzle's file")
    return text


def answer(text: str) -> SearchResult:
    """The answer of a run that is done."""
    data = parsed(text, dict[str, Any])
    found = SearchResult.from_json(data)
    if min(found.branches_by_level, default=0) < 0 or found.seconds["setup"] is None or found.stop is Stop.IMPOSSIBLE:
        raise ValueError("its answer is incomplete")
    if data["complete"] is not found.complete or not data.keys() <= found.as_json().keys():
        raise ValueError("its answer contradicts itself")
    return found
