"""The memory of native searches: given back whole, however a search ends."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.backends.backtrack import Backtrack
from latcover.backends.bitset import Bitset
from latcover.backends.components import ComponentCounter
from latcover.backends.dlx import Dlx
from latcover.backends.frontier import count_covers
from latcover.backends.probing import Sampling, probe
from latcover.core.cover.backend import Backend, Tree
from latcover.core.cover.counter import Budget, CountTask
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Batch, Limits, SearchTask
from latcover.core.encoding.prepared import prepare
from latcover.files.formats.library import load_all
from tests.oracle import cover_problem
from tests.shipped import rest_long

SOLVES = 40
LEAST = 16  # bytes: no allocation takes fewer, whatever was asked for
ROUNDS = 8  # one in which less than LEAST grows for each solve is enough: what a search loses grows in all of them


FIELDS = ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")


class Mallinfo(ctypes.Structure):
    """What the C library tells of its memory: numbers and bytes."""

    _fields_ = [(name, ctypes.c_size_t) for name in FIELDS]


LIBRARY: Any = ctypes.CDLL(None) if sys.platform == "linux" else None
pytestmark = pytest.mark.skipif(not hasattr(LIBRARY, "mallinfo2"), reason="only glibc from 2.33 on counts what it gave")


def held() -> int:
    """Bytes that were asked for and not given back, of all threads.

    What the C library itself keeps for later is not among them: how much that is depends on how busy the machine is.
    """
    look = LIBRARY.mallinfo2
    look.restype = Mallinfo
    told = look()
    return int(told.uordblks + told.hblkhd)


def growth(solve: Callable[[], object], solves: int = SOLVES) -> float:
    """By how many bytes a solve grows what is held, in the round in which it does least.

    Rounds end with the first that hardly grows. A thread keeps a few pieces of memory that it has given back, which are
    counted as held: in a round or two these may become more.
    """
    for _ in range(max(3, solves // 5)):
        solve()
    least = float("inf")
    for _ in range(ROUNDS):
        gc.collect()
        before = held()
        for _ in range(solves):
            solve()
        gc.collect()
        least = min(least, (held() - before) / solves)
        if least < LEAST:
            break
    return least


@pytest.mark.long
def test_the_smallest_loss_is_noticed() -> None:
    before = held()
    large = ctypes.create_string_buffer(1 << 20)
    if held() - before < len(large):
        pytest.skip("another allocator took the place of glibc's")
    take, give_back = LIBRARY.malloc, LIBRARY.free
    take.restype, take.argtypes, give_back.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]
    taken: list[int] = []
    assert growth(lambda: taken.append(take(1))) >= LEAST
    for address in taken:
        give_back(address)


def stranding_board(rows: int, columns: int) -> CoverProblem:
    """A board to be covered with dominoes, with what stranding asks for."""
    n = rows * columns
    across = [(r * columns + c, r * columns + c + 1) for r in range(rows) for c in range(columns - 1)]
    down = [(cell, cell + columns) for cell in range(n - columns)]
    pairs = sorted([*across, *down, *((b, a) for a, b in across + down)])
    starts = np.searchsorted([a for a, _ in pairs], np.arange(n + 1))
    return replace(
        cover_problem(across + down, [(1, 1)] * n),
        n_cells=n,
        neighbour_starts=starts,
        neighbours=np.array([b for _, b in pairs]),
    )


SMALL = stranding_board(4, 6)  # 281 covers
LARGE = stranding_board(8, 8)  # many batches of covers
SEARCHES: dict[str, Backend] = {
    "dlx": Dlx(),
    "dlx with stranding": Dlx(size=False, strand="sums"),
    "backtrack": Backtrack(),
    "backtrack with stranding": Backtrack(size=True, strand="anchor"),
    "bitset": Bitset(threads=1),
}


class MishapError(Exception):
    """Raised in callbacks."""


def fail(_: object) -> bool:
    raise MishapError


def go_on(_: object) -> bool:
    return True


def stop(_: object) -> bool:
    return False


def to_the_end(backend: Backend) -> None:
    assert backend.search(SearchTask(SMALL, go_on, Limits(), go_on)).figures.covers == 281


def into_limits(backend: Backend) -> None:
    assert backend.search(SearchTask(LARGE, go_on, Limits(branches=100))).stop is Stop.BRANCH_LIMIT
    assert backend.search(SearchTask(LARGE, go_on, Limits(covers=50))).stop is Stop.SOLUTION_LIMIT
    assert backend.search(SearchTask(LARGE, go_on, Limits(seconds=0))).stop is Stop.TIME_LIMIT


def until_cancelled(backend: Backend) -> None:
    assert backend.search(SearchTask(LARGE, stop)).stop is Stop.CANCELLED


def into_exceptions(backend: Backend) -> None:
    with pytest.raises(MishapError):
        backend.search(SearchTask(LARGE, fail))
    with pytest.raises(MishapError):  # progress is told of at the end, if not before
        backend.search(SearchTask(SMALL, go_on, Limits(), fail))


@pytest.mark.parametrize("run", [to_the_end, into_limits, until_cancelled, into_exceptions])
@pytest.mark.parametrize("name", rest_long(SEARCHES, ["dlx", "bitset"]))
def test_searches_leave_nothing_behind(name: str, run: Callable[[Backend], None]) -> None:
    assert growth(lambda: run(SEARCHES[name])) < LEAST


@pytest.mark.long
def test_searches_on_threads_leave_nothing_behind() -> None:
    """Fewer of them: each takes some hundredths of a second, before which no thread is called."""
    problem = prepare(load_all("pent-10x6")[0]).problem
    backend = Bitset(threads=3)

    def until_cancelled() -> None:
        found = count(1)
        backend.search(SearchTask(problem, lambda batch: all(next(found) < 500 for _ in batch)))

    def into_an_exception() -> None:
        found = count(1)

        def fail_late(batch: Batch) -> bool:
            if any(next(found) == 500 for _ in batch):
                raise MishapError
            return True

        with pytest.raises(MishapError):
            backend.search(SearchTask(problem, fail_late))

    assert backend.search(SearchTask(problem, go_on, Limits(covers=1000))).figures.native["subproblems"] > 0
    for run in (until_cancelled, into_an_exception):
        assert growth(run, 12) < LEAST


COUNTS: dict[str, Callable[[], object]] = {
    "memo": lambda: Bitset(memory=1).count(SMALL),
    "without memo": lambda: Bitset(threads=1, memory=0).count(SMALL),
    "components": lambda: ComponentCounter().count(CountTask(SMALL, budget=Budget(1 << 20))),
    "frontier": lambda: count_covers(CountTask(SMALL)),
    "probes": lambda: probe(SMALL, Tree("dlx", size=True), Sampling(probes=100)),
    "probes of the direct method": lambda: probe(
        SMALL, Tree("backtrack", size=True, strand="sums"), Sampling(probes=100)
    ),
}


@pytest.mark.parametrize("name", rest_long(COUNTS, list(COUNTS)[:2]))
def test_counts_and_probes_leave_nothing_behind(name: str) -> None:
    assert growth(COUNTS[name]) < LEAST


@pytest.mark.parametrize("name", SEARCHES)
def test_searches_keep_no_reference(name: str) -> None:
    """To a callback, say: too little for the memory to tell."""

    def callback(_: object) -> bool:
        return True

    held_before = sys.getrefcount(callback), sys.getrefcount(SMALL.option_items)
    for _ in range(3):
        SEARCHES[name].search(SearchTask(SMALL, callback, Limits(), callback))
        SEARCHES[name].search(SearchTask(LARGE, callback, Limits(covers=10), callback))
    assert (sys.getrefcount(callback), sys.getrefcount(SMALL.option_items)) == held_before
