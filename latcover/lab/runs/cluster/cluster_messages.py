"""The messages between a run's writer and the workers of a cluster: compressed MessagePack, so data without code.

The puzzle is sent once, as the text of its files, and every worker builds the cover problem itself. Jobs are sent as
numbers of options, and results as figures and arrays of solutions.
"""

from __future__ import annotations

import hashlib
import socket
import zlib
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
from msgspec import Struct

from latcover.core.cover.question import Question, this_version
from latcover.core.cover.result import SearchResult
from latcover.lab.runs.job_search import JobSearcher
from latcover.lab.runs.job_work import Division
from latcover.lab.runs.recipe import Recipe

T = TypeVar("T")


class RefusedError(Exception):
    """A worker cannot search for a run; the message says why."""


class PackedRun(Struct, frozen=True):
    """What workers must know of a run before they get jobs.

    Attributes:
        key: The identity of this run; a worker may work on several runs.
        content: The rest, as it is sent: the recipe, with the part sets and lattices that it needs, and the question.
    """

    key: str
    content: bytes

    @classmethod
    def of(cls, path: Path, recipe: Recipe, question: Question, *, keeps_solutions: bool) -> PackedRun:
        """The run in the file *path*, packed."""
        about = {
            "question": question,
            "keeps_solutions": keeps_solutions,
            "row": recipe.as_row(),
            "beside": recipe.beside(),
        }
        where = f"{socket.gethostname()} {path.resolve()} {path.stat().st_ino} {question.digest}"
        return cls(hashlib.sha256(where.encode()).hexdigest()[:16], packed(about))

    @staticmethod
    def searcher(content: bytes) -> JobSearcher:
        """Prepare the puzzle of a run.

        Raises:
            RefusedError: it gives another cover problem here, or cannot be prepared.
        """
        about = unpacked(content, dict[str, Any])
        asked = msgspec.convert(about["question"], Question)
        if (made_by := asked.facts.get("latcover")) != this_version():
            raise RefusedError(f"it has latcover {this_version()}, and the run is made by {made_by}")
        try:
            recipe = Recipe.from_row(about["row"])
            prepared: Any = recipe.prepared(about["beside"])
            searcher = JobSearcher(prepared, recipe.solver(), keeps_solutions=about["keeps_solutions"])
        except Exception as problem:
            raise RefusedError(f"it cannot make the puzzle ready: {problem}") from None
        if difference := recipe.question(prepared).difference(asked):
            raise RefusedError(f"it would answer another question: {difference}")
        return searcher


def packed_result(result: SearchResult | Division) -> bytes:
    """The result of a job, as it is sent."""
    return packed((result, None) if isinstance(result, SearchResult) else (None, result))


def result_in(message: bytes) -> SearchResult | Division:
    """The inverse of `packed_result`."""
    found, division = unpacked(message, tuple[SearchResult | None, Division | None])
    result = division if found is None else found
    assert result is not None
    return result


def packed(value: object) -> bytes:
    """Plain data, structs and arrays, as they are sent."""
    return zlib.compress(msgspec.msgpack.encode(value, enc_hook=_without_array), 1)


def unpacked(message: bytes, kind: type[T]) -> T:
    """The inverse of `packed`."""
    return msgspec.msgpack.decode(zlib.decompress(message), type=kind, dec_hook=_with_array)


def _without_array(array: Any) -> tuple[str, bytes]:
    portable = array.astype(array.dtype.newbyteorder("<"))
    return portable.dtype.str, portable.tobytes()


def _with_array(_: type, sent: tuple[str, bytes]) -> Any:
    dtype = np.dtype(sent[0])
    return np.frombuffer(sent[1], dtype).astype(dtype.newbyteorder("="))
