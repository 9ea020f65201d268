"""Arrays of cover problems with something wrong in them: refused, wherever they are given, and never believed.

They are spoilt at random, and judged here by plain Python. Under the address sanitizer (CONTRIBUTING.md) these
tests also tell of reads that go unnoticed otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latcover.backends import _native
from latcover.backends.compiled import chosen_kernel, kernels
from latcover.core.cover.problem import CoverProblem
from latcover.errors import PuzzleError, UnsupportedError
from tests.processes import GUARD

Given = dict[str, Any]  # the fields of a problem, and the order of its items

STARTS = ("option_starts", "neighbour_starts")
BEGIN = ("option_starts", "option_items", "low", "high")  # what every native function begins with
ARRAYS = (*BEGIN, "neighbour_starts", "neighbours", "option_colours", "order")
DTYPES = {name: np.dtype(np.int64 if name in STARTS else np.int32) for name in ARRAYS}
EXTREME = (-(2**63), -(2**31), -2, -1, 0, 1, 2, 3, 64, 2**28, 2**31 - 1, 2**31, 2**62, 2**63 - 1)
MOST_LOW = 2**28  # native searches reckon with what is missing
FEW = 2000  # covers and branches


@st.composite
def sound_problems(draw: st.DrawFn) -> Given:
    """A row of cells, each beside the next, then parts and items that may be held in colours."""
    n_cells, n_parts, n_rules = draw(st.integers(0, 5)), draw(st.integers(0, 2)), draw(st.integers(0, 2))
    n_items = n_cells + n_parts + n_rules
    options = draw(
        st.lists(st.sets(st.integers(0, n_items - 1), max_size=4) if n_items else st.just(set()), max_size=7)
    )
    items = [item for option in options for item in sorted(option)]
    beside = [[b for b in (a - 1, a + 1) if 0 <= b < n_cells] for a in range(n_cells)]
    colours = [draw(st.integers(0, 2)) if item >= n_cells + n_parts else 0 for item in items]
    lists: dict[str, list[int]] = {
        "option_starts": [0, *np.cumsum([len(option) for option in options], dtype=int).tolist()],
        "option_items": items,
        "low": [1] * n_cells + [0] * (n_parts + n_rules),
        "high": [1] * n_cells + [2] * n_parts + [1] * n_rules,
        "neighbour_starts": [0, *np.cumsum([len(cells) for cells in beside], dtype=int).tolist()],
        "neighbours": [cell for cells in beside for cell in cells],
        "option_colours": colours if any(colours) else [],
        "order": draw(st.permutations(range(n_items))),
    }
    arrays = {name: np.array(values, dtype=DTYPES[name]) for name, values in lists.items()}
    return {**arrays, "n_cells": n_cells, "n_parts": n_parts}


def spoil(draw: st.DrawFn, problem: Given) -> None:
    """Change one thing, for the worse more often than not."""
    name = draw(st.sampled_from((*ARRAYS, "n_cells", "n_parts")))
    if name in ("n_cells", "n_parts"):
        problem[name] = draw(st.sampled_from([value for value in EXTREME if -(2**31) <= value < 2**31]))
        return
    array = problem[name]
    how = draw(
        st.sampled_from(("set", "set", "swap", "drop", "append", "dtype", "shape", "stride", "read-only", "kind"))
    )
    if not isinstance(array, np.ndarray) or array.ndim != 1:
        return
    if how == "set" and len(array) and array.dtype.kind == "i":
        limits = np.iinfo(array.dtype)
        array = array.copy()
        value = draw(st.sampled_from([value for value in EXTREME if limits.min <= value <= limits.max]))
        array[draw(st.integers(0, len(array) - 1))] = value
    elif how == "swap" and len(array) > 1:
        array = np.roll(array, 1)
    elif how == "drop":
        array = array[: draw(st.integers(0, len(array)))].copy()
    elif how == "append":
        array = np.append(array, array[-1:] if draw(st.booleans()) else array[:1])
    elif how == "dtype":
        array = array.astype(
            draw(st.sampled_from(("i1", "i8", "i4", "u4", "u8", "f4", "f8", "c16", "U2", "O", ">i4", ">i8")))
        )
    elif how == "shape":
        array = array.reshape(draw(st.sampled_from([(1, -1), (-1, 1), (1, 1, -1)])))
    elif how == "stride":
        array = np.repeat(array, 2)[::2] if draw(st.booleans()) else array[::-1].copy()[::-1]
    elif how == "read-only":
        array = array.copy()
        array.flags.writeable = False
    elif how == "kind":
        array = draw(st.sampled_from((None, "no array", [[0], [0, 1]], 7, float("nan"), np.array([np.nan, 1.0]))))
    problem[name] = array


@st.composite
def spoilt_problems(draw: st.DrawFn) -> Given:
    problem = draw(sound_problems())
    for _ in range(draw(st.integers(0, 3))):
        spoil(draw, problem)
    return problem


# What is right, said plainly


def is_plain(problem: Given, *names: str) -> bool:
    """Whether these arrays are of the kind that native functions take as they are."""
    arrays = [problem[name] for name in names]
    return all(
        isinstance(array, np.ndarray) and array.ndim == 1 and array.dtype == DTYPES[name]
        # of an array of one entry or none any stride will do
        and array.flags.c_contiguous and array.dtype.isnative
        for name, array in zip(names, arrays, strict=True)
    )  # fmt: skip


def rows_are_sound(starts: list[int], entries: list[int], below: int) -> bool:
    ascending = bool(starts) and starts[0] == 0 and starts[-1] == len(entries) and starts == sorted(starts)
    return ascending and all(0 <= entry < below for entry in entries)


def options_are_sound(problem: Given) -> bool:
    starts, items, low, high = (list(map(int, problem[name])) for name in BEGIN)
    bounded = len(low) == len(high) and all(0 <= a <= b for a, b in zip(low, high, strict=True))
    if not bounded or not rows_are_sound(starts, items, len(low)):
        return False
    return all(items[k] < items[k + 1] for a, b in pairwise(starts) for k in range(a, b - 1))


def colours_are_sound(problem: Given) -> bool:
    colours, items = list(map(int, problem["option_colours"])), list(map(int, problem["option_items"]))
    if not colours:
        return True
    bounds = [(problem["low"][item], problem["high"][item]) for item in items]
    return len(colours) == len(items) and all(
        colour == 0 or (colour > 0 and bound == (0, 1)) for colour, bound in zip(colours, bounds, strict=True)
    )


def cells_are_sound(problem: Given, n_parts: int) -> bool:
    n_cells = problem["n_cells"]
    starts, cells = list(map(int, problem["neighbour_starts"])), list(map(int, problem["neighbours"]))
    if not starts and not cells and n_cells == n_parts == 0:
        return True  # nothing is said of cells
    if min(n_cells, n_parts) < 0 or n_cells + n_parts > len(problem["low"]):
        return False
    return len(starts) == n_cells + 1 and rows_are_sound(starts, cells, n_cells)


# The native functions

PLAIN = (*BEGIN, "neighbour_starts", "neighbours", "option_colours")


def bound(problem: Given) -> _native.Problem:
    cells = {name: problem[name] for name in ("n_cells", "n_parts", "neighbour_starts", "neighbours")}
    return _native.Problem(*(problem[name] for name in BEGIN), option_colours=problem["option_colours"], **cells)


def is_bindable(problem: Given) -> bool:
    """Whether native functions have to take a problem."""
    given = {name: np.empty(0, DTYPES[name]) if problem[name] is None else problem[name] for name in PLAIN[4:]}
    problem = {**problem, **given}  # None stands for an empty array
    return (
        is_plain(problem, *PLAIN)
        and options_are_sound(problem)
        and all(low < MOST_LOW for low in problem["low"])
        and colours_are_sound(problem)
        and cells_are_sound(problem, problem["n_parts"])
    )


def calls(problem: _native.Problem) -> Iterator[Callable[[], object]]:
    """Every native function that takes a problem and nothing else that may be wrong."""
    ends: Given = {"max_seconds": GUARD, "on_progress": None}
    search: Given = {**ends, "max_branches": FEW, "max_covers": FEW, "on_covers": lambda starts, options: True}
    for strand in ("no", "rows", "anchor", "sums"):
        tree: Given = {"size": strand != "rows", "strand": strand}
        yield partial(_native.dlx, problem, **tree, **search)
        yield partial(_native.backtrack, problem, **tree, kernel="", **search)
        for name in ("dlx", "backtrack"):
            probing = {"tree": name, "probes": 40, "seconds": GUARD, "seed": 1, "on_progress": None}
            yield partial(_native.probe, problem, **tree, **probing)
    for kernel in (name for name, runs_here in kernels().items() if runs_here):
        yield partial(_native.bitset, problem, kernel=kernel, threads=2, ordered=True, **search)
        for memo_bytes in (0, 1 << 16):
            most = None if memo_bytes else FEW
            counting: Given = {"kernel": kernel, "threads": 2, "memo_bytes": memo_bytes, "max_branches": most}
            yield partial(_native.bitset_count, problem, **counting, **ends)
    restarting: Given = {
        "kernel": chosen_kernel(),
        "threads": 2,
        "seed": 1,
        "tail": 2,
        "max_work": None,
        "max_seconds": 0.001,
    }
    yield partial(_native.restarts, problem, **restarting, on_covers=search["on_covers"], on_progress=None)
    yield partial(_native.frontier_order, problem)
    yield partial(_native.frontier_orders, problem, np.array([3, -1, 2**31 - 1, -(2**31), 0, 0, 7], dtype=np.int32))
    yield partial(_native.components_count, problem, most_bytes=1 << 20, max_nodes=None, **ends)


def calls_with_order(problem: _native.Problem, order: Any) -> Iterator[Callable[[], object]]:
    yield partial(_native.frontier_width, problem, order)
    room: Given = {"most_bytes": 1 << 20, "most_on_disk": 0, "folder": "", "threads": 2}
    yield lambda: _native.FrontierSearch(problem, order, **room).count(None, GUARD, None)


@settings(max_examples=150)
@given(problem=spoilt_problems())
def test_native_functions_refuse_what_is_wrong_and_nothing_else(problem: Given) -> None:
    if not is_bindable(problem):
        with pytest.raises((ValueError, TypeError), match=r"\w"):
            bound(problem)
        return
    taken = bound(problem)
    is_order = is_plain(problem, "order") and sorted(problem["order"].tolist()) == list(range(len(problem["low"])))
    for call in (*calls(taken), *(calls_with_order(taken, problem["order"]) if is_order else ())):
        with suppress(UnsupportedError):  # sound, but nothing for this search
            call()
    if not is_order:
        for call in calls_with_order(taken, problem["order"]):
            with pytest.raises((ValueError, TypeError, UnsupportedError), match=r"\w"):
                call()


@settings(max_examples=150)
@given(problem=spoilt_problems())
def test_problems_refuse_what_is_wrong_and_nothing_else(problem: Given) -> None:
    fields = {name: problem[name] for name in (*ARRAYS, "n_cells") if name != "order"}
    if not is_a_problem(fields):
        with pytest.raises(PuzzleError, match=r"^[^\n]+$"):
            CoverProblem(**fields)
        return
    made = CoverProblem(**fields)
    for name in BEGIN:
        assert getattr(made, name).tolist() == np.asarray(fields[name]).tolist()


def is_a_problem(fields: Given) -> bool:
    """Whether a `CoverProblem` has to take these fields: any arrays of the right numbers will do."""
    arrays = [np.asarray(fields[name]) for name in fields if name != "n_cells" and holds_numbers(fields[name])]
    if len(arrays) != len(fields) - 1:
        return False
    for name, array in zip((name for name in fields if name != "n_cells"), arrays, strict=True):
        limits = np.iinfo(DTYPES[name])
        if array.ndim != 1 or any(
            value != int(value) or not limits.min <= value <= limits.max for value in array.tolist()
        ):
            return False
    if not options_are_sound(fields) or not colours_are_sound(fields):
        return False
    if not 0 <= fields["n_cells"] <= len(fields["low"]):
        return False  # of no neighbours the rows are no matter
    return not len(fields["neighbours"]) or cells_are_sound(fields, 0)


def holds_numbers(values: object) -> bool:
    return isinstance(values, np.ndarray) and values.dtype.kind in "iuf" and not np.isnan(values).any()


# What random changes would seldom meet


def test_starts_that_seem_to_ascend_since_their_differences_overflow_are_refused() -> None:
    starts = np.array([0, 2**63 - 1, -(2**63), -1, 2])
    items, bounds = np.array([0, 1], dtype=np.int32), np.ones(2, np.int32)
    with pytest.raises(PuzzleError, match="option_starts must ascend"):
        CoverProblem(starts, items, bounds, bounds)
    with pytest.raises(PuzzleError, match="neighbour_starts must ascend"):
        CoverProblem(
            np.array([0, 2]),
            items,
            np.ones(4, np.int32),
            np.ones(4, np.int32),
            4,
            neighbour_starts=starts,
            neighbours=items,
        )
    with pytest.raises(ValueError, match="option_starts must not descend"):
        _native.Problem(starts, items, bounds, bounds)


SOUND: Given = {
    "option_starts": np.array([0, 2]),
    "option_items": np.array([0, 1], dtype=np.int32),
    "low": np.array([1, 0], dtype=np.int32),
    "high": np.array([1, 1], dtype=np.int32),
    "neighbour_starts": np.array([0, 0]),
    "neighbours": np.empty(0, np.int32),
    "option_colours": np.empty(0, np.int32),
    "order": np.array([0, 1], dtype=np.int32),
    "n_cells": 1,
    "n_parts": 0,
}


@pytest.mark.parametrize("n_cells", [1, 2, 1000, 2**31 - 1, -1])
def test_cells_without_any_rows_of_neighbours_are_refused(n_cells: int) -> None:
    """They passed for no cells at all, and stranding then read beyond the arrays."""
    with pytest.raises(ValueError, match=r"neighbour_starts|cells"):
        bound({**SOUND, "neighbour_starts": np.empty(0, np.int64), "n_cells": n_cells})


@pytest.mark.parametrize("threads", [0, 1025, 2**32 - 1])
def test_impossible_numbers_of_threads_are_refused(threads: int) -> None:
    problem, kernel = bound(SOUND), chosen_kernel()
    ends: Given = {"max_seconds": GUARD, "on_progress": None}
    search: Given = {**ends, "kernel": kernel, "on_covers": lambda *_: True}
    counting: Given = {**ends, "kernel": kernel, "max_branches": None}
    with pytest.raises(ValueError, match="threads must lie between 1 and 1024"):
        _native.bitset(problem, **search, threads=threads, ordered=True, max_covers=None, max_branches=None)
    with pytest.raises(ValueError, match="threads must lie between 1 and 1024"):
        _native.bitset_count(problem, **counting, threads=threads, memo_bytes=0)
    with pytest.raises(ValueError, match="threads must lie between 1 and 1024"):
        _native.restarts(problem, **search, threads=threads, seed=0, tail=13, max_work=None)
    with pytest.raises(ValueError, match="memo_bytes must be at most"):
        _native.bitset_count(problem, **counting, threads=1, memo_bytes=2**64 - 1)


def test_words_that_name_nothing_are_refused() -> None:
    probing: Given = {"size": True, "probes": 1, "seconds": 1.0, "seed": 0, "on_progress": None}
    with pytest.raises(ValueError, match="the tree must be dlx or backtrack"):
        _native.probe(bound(SOUND), tree="bitset", strand="no", **probing)
    with pytest.raises(ValueError, match="strand must be no, rows, anchor or sums"):
        _native.probe(bound(SOUND), tree="dlx", strand="yes", **probing)


def test_methods_refuse_colours_that_they_do_not_know() -> None:
    problem = bound({**SOUND, "option_colours": np.array([0, 3], dtype=np.int32)})
    ends: Given = {"max_seconds": GUARD, "on_progress": None}
    search: Given = {**ends, "on_covers": lambda *_: True}
    limits: Given = {"max_covers": None, "max_branches": None}
    refused = (
        partial(_native.backtrack, problem, size=False, strand="no", kernel="", **limits, **search),
        partial(_native.restarts, problem, kernel=chosen_kernel(), threads=1, seed=0, tail=13, max_work=None, **search),
        partial(_native.components_count, problem, most_bytes=1 << 20, max_nodes=None, **ends),
    )
    for call in refused:
        with pytest.raises(UnsupportedError, match="colours"):
            call()
