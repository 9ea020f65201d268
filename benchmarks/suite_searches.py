"""The sections of the suite that search: bitmaps against dancing links, each kernel, threads, and growing sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import geometric_mean
from typing import Any

import msgspec

from benchmarks.harness.tables import PUZZLE, RATIO, SECONDS, WHY, Column, Table, nanoseconds, words
from benchmarks.harness.turns import DisagreementError
from benchmarks.suite_puzzles import prepared_of
from benchmarks.suite_registry import KERNELS, METHODS, SECTIONS, Case
from benchmarks.suite_timing import Measured, Plan, Run, require_covers, search_of, take_turns
from latcover.backends import create
from latcover.backends.compiled import kernels
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import Prepared
from latcover.core.solving.run import run
from latcover.lab.comparing.comparison_tables import ratio, seconds
from latcover.system.machine import available_processors

PLAIN_NANOSECONDS = 1300.0  # a branch of textbook dancing links on the machine by which the goal was set
SIZE_BRANCHES = 100_000
SMALL_BRANCHES = 20_000  # so many at least, by searching a small board several times
Say = Callable[[str], None]


def search(cases: Sequence[Case], plan: Plan, say: Say) -> Table:
    """`bitset` against `dlx`, on one thread and the same reduced matrix, all solutions."""
    rows = []
    for case in cases:
        say(case.puzzle)
        prepared = prepared_of(case.puzzle)
        best = _searched(case, case.methods, prepared, plan)
        rows.append(_row(case, prepared, best) | _ratios(best["dlx"], best["bitset"]))
    against, plain = (geometric_mean(row[key] for row in rows) for key in ("ratio", "ratio_plain"))
    columns = (
        *(PUZZLE, Column("different", "different"), Column("branches", "branches")),
        *(Column("dlx_seconds", "dlx s", seconds), Column("bitset_seconds", "bitset s", seconds)),
        *(Column("dlx_ns", "dlx ns", nanoseconds), Column("bitset_ns", "bitset ns", nanoseconds), RATIO),
        *(Column("ratio_plain", f"ratio to {PLAIN_NANOSECONDS:,.0f} ns", ratio), WHY),
    )
    text = (
        "All solutions on one thread, on the same matrix, reduced by the puzzle's symmetries; branches must be equal, "
        f"or the suite stops. ns are per branch. `ratio` is relative to our own `dlx` in the same run; `ratio to "
        f"{PLAIN_NANOSECONDS:,.0f} ns` to a textbook `dlx` with that cost per branch, which is slower than ours."
    )
    mean = f"Geometric mean: {ratio(against)} times as fast as `dlx`, {ratio(plain)} times as fast as one of "
    return Table(
        "search", SECTIONS["search"], text, columns, tuple(rows), (f"{mean}{PLAIN_NANOSECONDS:,.0f} ns a branch.",)
    )


def kernel_forms(cases: Sequence[Case], plan: Plan, say: Say) -> Table:
    """Every kernel that runs here, beside `dlx`: all solutions."""
    text = "ns per branch of each variant of the kernel on one thread, and its ratio to `dlx` in the same run."
    return _by_kernels(cases, plan, say, text)


def colours(cases: Sequence[Case], plan: Plan, say: Say) -> Table:
    """The same where items have colours, up to a number of branches."""
    text = (
        f"ns per branch of each variant of the kernel on one thread, and its ratio to `dlx`: tiles whose sides must "
        f"match, the first {SIZE_BRANCHES:,} branches or all, set-up included. `board-6x6-5` is a board of "
        "`latcover design matching` with five values."
    )
    return _by_kernels(cases, plan, say, text, Limits(branches=SIZE_BRANCHES))


def _by_kernels(cases: Sequence[Case], plan: Plan, say: Say, text: str, limits: Limits | None = None) -> Table:
    there = kernels()
    running = tuple(name for name in KERNELS if there.get(name))
    rows = []
    for case in cases:
        say(case.puzzle)
        prepared = prepared_of(case.puzzle)
        best = _searched(case, ("dlx", *running), prepared, plan, limits)
        ratios = {f"{name}_ratio": best["dlx"].seconds / best[name].seconds for name in running}
        rows.append(_row(case, prepared, best, whole=limits is None) | ratios)
    columns = [PUZZLE, Column("options", "options"), Column("branches", "branches")][:: 1 if limits else 2]
    columns += [Column("dlx_ns", "dlx ns", nanoseconds)]
    for name in running:
        columns += [Column(f"{name}_ns", f"{name} ns", nanoseconds), Column(f"{name}_ratio", "ratio", ratio)]
    means = ", ".join(f"{name} {ratio(geometric_mean(row[f'{name}_ratio'] for row in rows))}" for name in running)
    remarks = [f"Geometric means of the ratios: {means}."]
    remarks += [f"The kernel {name} does not run on this machine." for name in KERNELS if name not in running]
    section = cases[0].section
    return Table(section, SECTIONS[section], text, (*columns, WHY), tuple(rows), tuple(remarks))


def threads(cases: Sequence[Case], plan: Plan, say: Say) -> Table:
    """1, 2, 4, ... threads, up to the processors available."""
    counts = thread_counts(available_processors())
    rows = []
    for case in cases:
        say(case.puzzle)
        problem = prepared_of(case.puzzle).problem
        runs = {str(count): search_of(problem, "bitset", threads=count) for count in counts}
        best = take_turns(case.puzzle, runs, plan)
        alone = best["1"].seconds
        for count in counts:
            taken = best[str(count)].seconds
            figures = {"threads": count, "covers": best["1"].covers, "branches": best["1"].branches}
            rows.append({"puzzle": case.puzzle, **figures, "seconds": taken, "ratio": alone / taken, "why": case.why})
    columns = (PUZZLE, Column("threads", "threads"), SECONDS, Column("ratio", "speed-up", ratio), WHY)
    text = (
        "Seconds of wall-clock time, and the speed-up over one thread. Other programs that ran at the "
        "same time took their share of the cores: see the machine's load above."
    )
    return Table("threads", SECTIONS["threads"], text, columns, tuple(rows))


def sizes(cases: Sequence[Case], plan: Plan, say: Say) -> Table:
    """Boards without a cover, so that every search does its number of branches."""
    rows: list[dict[str, Any]] = []
    for case in cases:
        say(case.puzzle)
        problem = prepared_of(case.puzzle).problem
        best = take_turns(case.puzzle, {name: _limited(problem, name) for name in case.methods}, plan)
        figures: dict[str, Any] = {
            "puzzle": case.puzzle,
            "items": problem.n_items,
            "options": problem.n_options,
            "branches": best["dlx"].branches,
        }
        searched = "dancing links" if best["bitset"].notes else "bitmaps"
        rows.append(figures | _nanoseconds(best) | _ratios(best["dlx"], best["bitset"]) | {"searched": searched})
    columns = (
        *(PUZZLE, Column("items", "items"), Column("options", "options"), Column("branches", "branches")),
        *(Column("dlx_ns", "dlx ns", nanoseconds), Column("bitset_ns", "bitset ns", nanoseconds)),
        *(RATIO, Column("searched", "`bitset` searched by", words)),
    )
    text = (
        "Boards without two opposite corners, to be covered by any number of dominoes and of those tetrominoes that "
        "have two black cells and two white ones: there is no cover, and each search is stopped after "
        f"{SIZE_BRANCHES:,} branches (small boards are searched several times). ns are per branch, without set-up "
        f"except for boards of less than {SMALL_BRANCHES:,} branches."
    )
    return Table("size", SECTIONS["size"], text, columns, tuple(rows), tuple(_size_remarks(rows)))


def _size_remarks(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Where bitmaps end, and where dancing links would have been faster."""
    remarks = ["Bitmaps searched all of them."]
    fallen = [row for row in rows if row["searched"] != "bitmaps"]
    if fallen:
        first = f"From {fallen[0]['items']:,} items and {fallen[0]['options']:,} options on"
        remarks = [f"{first}, the matrix is too large for bitmaps, and `bitset` hands it to dancing links."]
    slower = [row["puzzle"] for row in rows if row["searched"] == "bitmaps" and row["ratio"] < 1]
    if slower:
        remarks.append(f"Dancing links were faster than bitmaps on {', '.join(slower)}.")
    return remarks


def thread_counts(processors: int) -> list[int]:
    """1, 2, 4, ... and all of them."""
    return sorted({1 << k for k in range(processors.bit_length()) if 1 << k <= processors} | {processors})


def _searched(
    case: Case, methods: Sequence[str], prepared: Prepared, plan: Plan, limits: Limits | None = None
) -> dict[str, Measured]:
    runs = {name: search_of(prepared.problem, name, limits or Limits(), whole=limits is not None) for name in methods}
    best = take_turns(case.puzzle, runs, plan)
    require_covers(case, best["dlx"].covers)
    return best


def _row(case: Case, prepared: Prepared, best: dict[str, Measured], *, whole: bool = True) -> dict[str, Any]:
    """The figures of a puzzle; only a whole search tells its different solutions."""
    covers, branches = best["dlx"].covers, best["dlx"].branches
    figures: dict[str, Any] = {"puzzle": case.puzzle, "options": prepared.problem.n_options}
    figures |= {"items": prepared.problem.n_items}
    figures |= {"different": _different(prepared, covers), "covers": covers} if whole else {}
    taken = {f"{name}_seconds": measured.seconds for name, measured in best.items()}
    return figures | {"branches": branches, "why": case.why} | taken | _nanoseconds(best)


def _nanoseconds(best: dict[str, Measured]) -> dict[str, float | None]:
    return {f"{name}_ns": measured.nanoseconds for name, measured in best.items()}


def _ratios(links: Measured, bitmaps: Measured) -> dict[str, float]:
    plain = PLAIN_NANOSECONDS * 1e-9 * (bitmaps.branches or 0)
    return {"ratio": links.seconds / bitmaps.seconds, "ratio_plain": plain / bitmaps.seconds}


def _different(prepared: Prepared, covers: int) -> int:
    """The different solutions: the covers, less those that are images of others."""
    different = run(prepared, create("bitset")).different if prepared.reduction.tests_pending else covers
    expected = prepared.puzzle.expect.get("different")
    if expected is not None and different != expected:
        raise DisagreementError(
            f"{prepared.puzzle.name} has {expected:,} different solutions, but {different:,} were found"
        )
    return different


def _limited(problem: CoverProblem, method: str) -> Run:
    """A search of so many branches, repeated where the board is small, less what its set-up takes."""
    assert METHODS[method].backend is not None
    long = search_of(problem, method, Limits(branches=SIZE_BRANCHES))
    short = search_of(problem, method, Limits(branches=1))

    def run_several() -> Measured:
        first = long()
        times = max(1, SMALL_BRANCHES // max(1, first.branches or 1))
        others = [long() for _ in range(times - 1)]
        taken = min((first, *others), key=lambda each: each.seconds)
        if times > 1:
            return taken
        return msgspec.structs.replace(taken, seconds=max(taken.seconds - short().seconds, 0.0))

    return run_several
