"""The native module by itself: it must not crash on any arrays. Its sources: headers compile alone."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from latcover.backends import _native
from latcover.backends.compiled import SearchArguments, native_problem, search_arguments
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Limits, SearchTask
from tests.processes import GUARD

SOURCES = Path(__file__).parents[2] / "backends" / "native"

TASK = SearchTask(CoverProblem([0], [], [], []), lambda _: True, Limits(seconds=GUARD))
ARGUMENTS: SearchArguments = search_arguments(TASK)

HOSTILE: dict[str, dict[str, list[int]]] = {
    "an item too large": {"option_items": [0, 2]},
    "a negative item": {"option_items": [-1, 1]},
    "the least item there is": {"option_items": [-(2**31), 1]},
    "items that descend": {"option_items": [1, 0]},
    "an item twice": {"option_items": [1, 1]},
    "no starts": {"option_starts": []},
    "starts from 1": {"option_starts": [1, 2]},
    "starts too short": {"option_starts": [0, 1]},
    "starts too long": {"option_starts": [0, 3]},
    "starts that descend": {"option_starts": [0, 2, 1, 2]},
    "starts far beyond, and back": {"option_starts": [0, 2**62, 2]},
    "starts far before": {"option_starts": [0, -(2**62), 2]},
    "low above high": {"low": [2, 1]},
    "negative low": {"low": [-1, 1]},
    "lengths that differ": {"high": [1]},
    "no bounds": {"low": [], "high": []},
    "an immense need": {"low": [2**30, 1], "high": [2**30, 1]},
}


@pytest.mark.parametrize("change", HOSTILE.values(), ids=HOSTILE)
def test_hostile_arrays_are_refused(change: dict[str, list[int]]) -> None:
    arrays = {"option_starts": [0, 2], "option_items": [0, 1], "low": [1, 1], "high": [1, 1]}
    assert searched(arrays).stop is Stop.EXHAUSTED
    with pytest.raises(ValueError, match=r"\w"):
        bound({**arrays, **change})


def bound(arrays: dict[str, list[int]], colours: Sequence[int] = ()) -> _native.Problem:
    dtypes = {"option_starts": np.int64}
    made = (np.array(array, dtype=dtypes.get(name, np.int32)) for name, array in arrays.items())
    return _native.Problem(*made, option_colours=np.array(colours, dtype=np.int32) if colours else None)


def searched(arrays: dict[str, list[int]], colours: Sequence[int] = ()) -> _native.Outcome:
    return _native.dlx(bound(arrays, colours), size=True, strand="no", **ARGUMENTS)


@pytest.mark.parametrize("colours", [[1], [0, 0, 1], [0, -1], [1, 0]])
def test_hostile_colours_are_refused(colours: list[int]) -> None:
    arrays = {"option_starts": [0, 2], "option_items": [0, 1], "low": [1, 0], "high": [1, 1]}
    assert searched(arrays, [0, 1]).stop is Stop.EXHAUSTED
    with pytest.raises(ValueError, match="colour"):
        bound(arrays, colours)


@pytest.mark.parametrize("k", range(4))
def test_arrays_of_another_kind_are_refused(k: int) -> None:
    good = [np.array([0, 2]), *(np.array(x, dtype=np.int32) for x in ([0, 1], [1, 1], [1, 1]))]
    for bad in (good[k].reshape(1, 2), good[k].astype("U1"), None):
        with pytest.raises(TypeError):
            _native.Problem(*good[:k], bad, *good[k + 1 :])  # type: ignore[arg-type]


ARRAYS = [np.array([0, 2]), *(np.array(x, dtype=np.int32) for x in ([0, 1], [1, 1], [1, 1]))]


@pytest.mark.parametrize("order", [[], [0], [0, 0], [0, 2], [-1, 0], [0, 1, 1], [1, 0, 2**31 - 1]])
def test_orders_that_are_no_permutations_are_refused(order: list[int]) -> None:
    taken, problem = np.array(order, dtype=np.int32), _native.Problem(*ARRAYS)
    with pytest.raises(ValueError, match="every item once"):
        _native.frontier_width(problem, taken)
    with pytest.raises(ValueError, match="every item once"):
        _native.FrontierSearch(
            problem,
            np.concatenate([np.arange(2, dtype=np.int32), taken]) if order else taken,
            most_bytes=1000,
            most_on_disk=0,
            folder="",
            threads=1,
        )


def test_arrays_that_change_later_change_no_problem() -> None:
    """A problem is checked once, so it must keep what was checked."""
    arrays = [array.copy() for array in ARRAYS]
    problem = _native.Problem(*arrays)
    for array in arrays:
        array[:] = -(2**31)
    assert _native.dlx(problem, size=True, strand="no", **ARGUMENTS).statistics.covers == 1


def test_a_problem_is_bound_once() -> None:
    problem = CoverProblem(*ARRAYS)
    assert native_problem(problem) is native_problem(problem)
    assert native_problem(problem) is not native_problem(CoverProblem(*ARRAYS))


@pytest.mark.parametrize(
    "cells",
    [
        (3, 0, [0, 0, 0, 0], []),
        (-1, 0, [0], []),
        (1, 2, [0, 0], []),
        (2, 0, [0, 1], []),
        (2, 0, [0, 2, 1], [0]),
        (2, 0, [0, 1, 2], [0, 2]),
        (2, 0, [0, 1, 2], [0, -1]),
    ],
)
def test_hostile_cells_are_refused(cells: tuple[int, int, list[int], list[int]]) -> None:
    n_cells, n_parts, starts, neighbours = cells
    with pytest.raises(ValueError, match=r"\w"):
        _native.Problem(
            *ARRAYS,
            n_cells=n_cells,
            n_parts=n_parts,
            neighbour_starts=np.array(starts, dtype=np.int64),
            neighbours=np.array(neighbours, dtype=np.int32),
        )


COMPILER = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)


def is_compiled_first(header: Path) -> bool:
    """Whether a source includes it before all else, so that every build compiles it by itself."""
    source = header.with_suffix(".cpp")
    first = re.search(r"^#include (.*)", source.read_text("utf-8"), re.MULTILINE) if source.exists() else None
    return first is not None and first[1] == f'"{header.parent.name}/{header.name}"'


HEADERS = [
    path for path in sorted(SOURCES.glob("*/*.hpp")) if path.parent.name != "module" and not is_compiled_first(path)
]


@pytest.mark.long
@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
@pytest.mark.parametrize("header", HEADERS, ids=lambda path: path.stem)
def test_every_header_compiles_by_itself(header: Path) -> None:
    command = [str(COMPILER), "-std=c++20", "-w", "-fsyntax-only", f"-I{SOURCES}", "-x", "c++", str(header)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=GUARD)
    assert done.returncode == 0, done.stderr


INCLUDED = re.compile(r'^#include [<"](\w+)/', re.MULTILINE)


def test_folders_of_the_sources_include_each_other_as_the_decisions_say() -> None:
    page = (SOURCES.parents[1] / "docs" / "decisions" / "backends.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)/` \| .* \| (.*) \|$", page, re.MULTILINE)
    names = [folder for folder, _ in rows]
    allowed: dict[str, set[str]] = {}
    for k, (folder, may) in enumerate(rows):
        allowed[folder] = set(names[:k]) if may == "all above" else set(re.findall(r"`(\w+)`", may))
        assert allowed[folder] <= set(names[:k]), f"{folder} includes what stands below it"
    assert sorted(path.name for path in SOURCES.iterdir()) == sorted(names)
    for path in SOURCES.glob("*/*.[ch]pp"):
        folder = path.parent.name
        met = {folder, *INCLUDED.findall(path.read_text("utf-8"))} & {*names, "nanobind"}
        assert met <= {folder, *allowed[folder], *(["nanobind"] if folder == "module" else [])}, path


NEEDS = {
    "avx2": {"popcnt", "sse4_2", "avx", "avx2", "bmi1", "bmi2"},
    "avx512": {"popcnt", "sse4_2", "avx", "avx2", "bmi1", "bmi2", "gfni", "avx512_vpopcntdq", "avx512vl", "avx512dq"}
    | {"avx512f", "avx512bw", "avx512vbmi", "avx512_vbmi2"},
}


def test_a_kernel_runs_where_linux_says_that_its_instructions_are() -> None:
    about = Path("/proc/cpuinfo")
    if not about.exists() or platform.machine() != "x86_64":
        pytest.skip("needs the list of x86-64 Linux of what the processor can do")
    can = set(re.search(r"^flags\s*:(.*)", about.read_text("utf-8"), re.MULTILINE)[1].split())  # type: ignore[index]
    assert {name: runs for name, runs in _native.kernels().items() if name in NEEDS} == {
        name: needs <= can for name, needs in NEEDS.items() if name in _native.kernels()
    }
