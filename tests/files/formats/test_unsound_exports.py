"""Files of problems that are not what they say."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.model.puzzle import Bounds
from latcover.errors import PuzzleError, PuzzleFileError
from latcover.files.formats.library import load, load_subject
from tests.files.formats.written import named, written
from tests.oracle import cover_problem


def arrays(**changes: Any) -> dict[str, Any]:
    sound = {"format": "csr", "shape": [2, 2], "data": [1, 1], "indices": [0, 1], "indptr": [0, 1, 2]}
    return {key: value for key, value in {**sound, **changes}.items() if value is not None}


UNSOUND_ARRAYS: dict[str, tuple[dict[str, Any], str]] = {
    "no shape": ({"shape": None}, "lacks shape"),
    "another form": ({"format": "bsr"}, "save it as CSR"),
    "columns that do not fit": ({"format": "csc", "indptr": [0, 2]}, r"shape \(2,\), not \(3,\)"),
    "columns that descend": ({"format": "csc", "indptr": [0, 3, 2]}, "must ascend"),
    "places without columns": ({"format": "coo", "row": [0, 1]}, "lacks col"),
    "a row that does not exist": ({"format": "coo", "row": [0, 2], "col": [0, 1]}, "a row that does not exist"),
    "a place twice": ({"format": "coo", "row": [1, 1], "col": [1, 1]}, "must ascend"),
    "a shape below zero": ({"shape": [-1, 2]}, "below zero"),
    "entries besides 1": ({"data": [1, 2]}, "entries other than 1"),
    "too few entries": ({"data": [1]}, r"shape \(1,\), not \(2,\)"),
    "rows that do not fit": ({"indptr": [0, 2]}, r"shape \(2,\), not \(3,\)"),
    "rows that descend": ({"indptr": [0, 3, 2]}, "must ascend"),
    "an item too many": ({"indices": [0, 2]}, "does not exist"),
    "an item twice": ({"indices": [1, 1], "indptr": [0, 2, 2]}, "must ascend"),
    "objects": ({"data": np.array([{}, {}])}, "must not be of the type object"),
    "a matrix": ({"indices": [[0, 1]]}, "one dimension"),
    "bounds that descend": ({"low": [2, 2], "high": [1, 1]}, "0 <= low <= high"),
    "too many bounds": ({"low": [1, 1, 1], "high": [1, 1, 1]}, "has 3 entries, not 2"),
    "too few names": ({"items": ["a"]}, "names 1 items"),
    "equal names": ({"items": ["a", "a"]}, "its own name"),
    "more cells than items": ({"n_cells": 3}, "more cells than items"),
    "colours without names": ({"option_colours": [1, 0], "low": [0, 0], "high": [1, 1]}, "colour that does not exist"),
    "too many options": ({"shape": [10**9, 2]}, "more than 100 options"),
    "too many items": ({"shape": [2, 10**9]}, "more than 50 items"),
    "too many entries": ({"indices": np.zeros(10**5, np.int32)}, "hold more than"),
}
SMALL = Bounds(cells=50, placements=100)


@pytest.mark.parametrize("what", UNSOUND_ARRAYS)
def test_unsound_arrays(what: str, tmp_path: Path) -> None:
    changes, reason = UNSOUND_ARRAYS[what]
    path = tmp_path / "file.npz"
    np.savez_compressed(path, **arrays(**changes))
    with pytest.raises(PuzzleFileError, match=f"file.npz: .*{reason}"):
        load_subject(str(path), SMALL)


def member(shape: tuple[int, ...], dtype: str = "<i4", data: bytes = b"") -> bytes:
    """An array's bytes, whose header may lie."""
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(buffer, {"descr": dtype, "fortran_order": False, "shape": shape})
    return buffer.getvalue() + data


LIES: dict[str, tuple[Callable[[], dict[str, bytes]], str]] = {
    "more than there is": (lambda: {"data": member((2,), data=b"1234")}, "not as long as it says"),
    "much more": (lambda: {"indices": member((10**15,))}, "hold more than"),
    "a wide type": (lambda: {"format": member((), "|S1000000000")}, "must not be of the type"),
    "wide names": (lambda: {"items": member((2,), "<U90000000")}, "must not be of the type"),
    "a bomb": (lambda: {"low": member((2,)) + b"\0" * 10**8}, "not as long as it says"),
    "no array": (lambda: {"shape": b"\0" * 100}, "cannot be read"),
    "a pickle": (lambda: {"shape": b"\x80\x04N."}, "cannot be read"),
    "a header without end": (lambda: {"shape": b"\x93NUMPY\x01\0\xff\xff{"}, "cannot be read"),
}


@pytest.mark.parametrize("what", LIES)
def test_archives_that_lie(what: str, tmp_path: Path) -> None:
    lies, reason = LIES[what]
    path = tmp_path / "file.npz"
    np.savez(path, **arrays())
    with zipfile.ZipFile(path) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    members |= {f"{name}.npy": raw for name, raw in lies().items()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in members.items():
            archive.writestr(name, raw)
    with pytest.raises(PuzzleFileError, match=reason):
        load_subject(str(path), SMALL)


def test_archives_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "file.npz"
    np.savez(path, **arrays())
    whole = path.read_bytes()
    for raw in (
        b"",
        b"PK\x03\x04",
        whole[: len(whole) // 2],
        whole[:60] + b"\xff" * 20 + whole[80:],
        b"PK\x05\x06" + b"\xff" * 18,
    ):
        path.write_bytes(raw)
        with pytest.raises(PuzzleFileError):
            load_subject(str(path))
    for place in (tmp_path, tmp_path / "none.npz"):
        with pytest.raises(PuzzleFileError):
            load_subject(str(place))


UNSOUND_JSON = {
    "[]": "a list is read as a matrix",
    "3": "is neither a JSON object nor a list",
    "{": r":1:2: is not valid JSON",
    "{}": "needs an object 'puzzle', or an object 'problem'",
    '{"puzzle": 3}': "needs an object 'puzzle'",
    '{"puzzle": {}}': "'lattice' is missing",
    '{"puzzle": {"name": "a", "lattice": "square", "region": {"box": [2, 2]}, "parts": []}}': "parts: a puzzle has",
    '{"puzzle": {"name": null, "lattice": "square"}}': "name: must be a text in quotes",
    '{"problem": {"items": ["a"], "options": [[NaN]]}}': "NaN is not a JSON number",
    '{"problem": {"items": "a", "options": []}}': r"problem\.items: must be a list",
    '{"problem": {"items": ["a", 3], "options": []}}': r"items\[1\]: must be a name",
    '{"problem": {"items": ["a", " "], "options": []}}': r"items\[1\]: must be a name",
    '{"problem": {"items": ["a"], "options": [0]}}': r"options\[0\]: must be a list of whole numbers",
    '{"problem": {"items": ["a"], "options": [[true]]}}': r"options\[0\]: must be a list of whole numbers",
    '{"problem": {"items": ["a"], "options": [[1.0]]}}': r"options\[0\]: must be a list of whole numbers",
    '{"problem": {"items": ["a"], "options": [[99999999999999999999]]}}': r"options\[0\]: must be a list of whole",
    '{"problem": {"items": ["a"], "options": [[1]]}}': "does not exist",
    '{"problem": {"items": ["a"], "options": [[0, 0]]}}': "must ascend",
    '{"problem": {"items": ["a"], "options": [[0]], "low": [2], "high": [1]}}': "0 <= low <= high",
    '{"problem": {"items": ["a"], "options": [[0]], "low": [1, 1]}}': "the same length",
    '{"problem": {"items": ["a"], "options": [[0]], "cells": 2}}': "'cells' must say",
    '{"problem": {"items": ["a"], "options": [[0]], "option_colours": [[1, 1]]}}': "an entry for each entry",
    '{"problem": {"items": ["a"], "options": [[0]], "option_colours": [[1]]}}': "colour that does not exist",
    '{"problem": {"items": ["a", "a"], "options": []}}': "its own name",
    '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}": "nested too deeply",
    '{"a": ' + "9" * 10_000 + "}": "is not valid JSON",
}


@pytest.mark.parametrize("text", UNSOUND_JSON, ids=lambda text: text[:60])
def test_unsound_json(text: str, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PuzzleFileError, match=f"file.json.*{UNSOUND_JSON[text]}"):
        load_subject(str(path))


def test_files_of_bare_problems_where_a_puzzle_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(written(named(cover_problem([[0]], [(1, 1)])), "json"))
    assert isinstance(load_subject(str(path)), NamedProblem)
    with pytest.raises(PuzzleFileError, match="without a puzzle"):
        load(str(path))
    with pytest.raises(PuzzleError, match="has no problem '2'"):
        load_subject(str(path), problem="2")
