"""The native module by itself: it must not crash on any arrays. Its sources: the parts of the kernel are in order."""

from __future__ import annotations

import platform
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latcover.backends import _native
from tests.processes import GUARD

SOURCES = Path(__file__).resolve().parents[1] / "backends" / "native"

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
    assert native(arrays)[0] == "exhausted"
    with pytest.raises(ValueError, match=r"\w"):
        native({**arrays, **change})


def native(arrays: dict[str, list[int]], colours: Sequence[int] = ()) -> tuple[str, dict[str, Any]]:
    dtypes = {"option_starts": np.int64}
    return _native.dlx(
        *(np.array(array, dtype=dtypes.get(name, np.int32)) for name, array in arrays.items()),
        size=True,
        strand="no",
        colours=np.array(colours, dtype=np.int32) if colours else None,
        cells=None,
        max_covers=None,
        max_branches=None,
        max_seconds=GUARD,
        on_covers=lambda starts, options: True,
        on_progress=None,
    )


@pytest.mark.parametrize("colours", [[1], [0, 0, 1], [0, -1], [1, 0]])
def test_hostile_colours_are_refused(colours: list[int]) -> None:
    arrays = {"option_starts": [0, 2], "option_items": [0, 1], "low": [1, 0], "high": [1, 1]}
    assert native(arrays, [0, 1])[0] == "exhausted"
    with pytest.raises(ValueError, match="colour"):
        native(arrays, colours)


@pytest.mark.parametrize("k", range(4))
def test_arrays_of_another_kind_are_refused(k: int) -> None:
    good = [np.array([0, 2]), *(np.array(x, dtype=np.int32) for x in ([0, 1], [1, 1], [1, 1]))]
    for bad in (good[k].reshape(1, 2), good[k].astype("U1"), None):
        with pytest.raises(TypeError):
            _native.dlx(
                *good[:k],
                bad,  # type: ignore[arg-type]
                *good[k + 1 :],
                size=True,
                strand="no",
                cells=None,
                max_covers=None,
                max_branches=None,
                max_seconds=GUARD,
                on_covers=lambda starts, options: True,
                on_progress=None,
            )


ARRAYS = [np.array([0, 2]), *(np.array(x, dtype=np.int32) for x in ([0, 1], [1, 1], [1, 1]))]


@pytest.mark.parametrize("order", [[], [0], [0, 0], [0, 2], [-1, 0], [0, 1, 1], [1, 0, 2**31 - 1]])
def test_orders_that_are_no_permutations_are_refused(order: list[int]) -> None:
    given = np.array(order, dtype=np.int32)
    with pytest.raises(ValueError, match="every item once"):
        _native.frontier_width(*ARRAYS, given)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="every item once"):
        _native.frontier_count(*ARRAYS, given, most_bytes=1000, max_seconds=None, on_progress=None)  # type: ignore[call-arg]


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
@pytest.mark.parametrize("name", ["dlx", "backtrack"])
def test_hostile_cells_are_refused(name: str, cells: tuple[int, int, list[int], list[int]]) -> None:
    n_cells, n_parts, starts, neighbours = cells
    with pytest.raises(ValueError, match=r"\w"):
        getattr(_native, name)(
            *ARRAYS,
            size=True,
            strand="anchor",
            cells=(n_cells, n_parts, np.array(starts), np.array(neighbours, dtype=np.int32)),
            max_covers=None,
            max_branches=None,
            max_seconds=GUARD,
            on_covers=lambda starts, options: True,
            on_progress=None,
        )


def test_every_part_of_the_kernel_names_its_place() -> None:
    """Files that do not compile alone end in .inc. Their first lines say in which order kernel.cpp includes them."""
    parts = re.findall(r'#include "(\w+\.inc)"', (SOURCES / "kernel.cpp").read_text("utf-8"))
    assert sorted(parts) == sorted(path.name for path in SOURCES.glob("*.inc"))
    for place, (name, before) in enumerate(zip(parts, ["", *parts], strict=False), 1):
        first = (SOURCES / name).read_text("utf-8").split("\n", 1)[0]
        order = "last" if place == len(parts) else f"after {before}" if before else "first"
        assert first == f"// Part of the bitmap kernel: kernel.cpp includes it {order}. It does not compile alone."


NEEDS = {
    "popcnt": {"popcnt", "sse4_2"},
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
