"""`count` by `auto` beside each method by its name, and beside another version of latcover.

The problems are generated ones, the shipped puzzles, and those of a folder: files in Knuth's form, or `data` of the
repository loiufam/alg-lab (see `exact_covers`). All methods count a problem by turns in one process, on one thread. The
table shows the least processor time of several counts in milliseconds, without imports, what `auto` picked, and how the
best method compares with it; 1 is as fast, and less is slower. All counts must agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import geometric_mean
from tempfile import TemporaryDirectory

from benchmarks import generated
from benchmarks.exact_covers import FOLDERS, problems_in, read
from benchmarks.harness.conditions import measured_on
from benchmarks.harness.counting import CountInTurn, counts_in_turns
from benchmarks.harness.options import Against, Covers, Only, Seconds, Times
from benchmarks.harness.tables import lines_of
from benchmarks.harness.turns import first_known, require_agreement
from latcover.files.formats.source import names

PROBLEMS: dict[str, generated.Options] = {
    "bell-10": generated.partitions(10),
    "doublefact-17": generated.pairings(18),
    "latin-5-of-5": generated.latin(5, 5),
    "latin-6-of-4": generated.latin(6, 4),
    "latin-8-of-3": generated.latin(8, 3),
    "network-4x4": generated.network(4, 4, 6),
    "network-5x5": generated.network(5, 5, 5),
    "network-6x6": generated.network(6, 6, 4),
    "boards-12": generated.boards(12),
    "ells-6x6": generated.ells(6, 6),
    "ells-9x10": generated.ells(9, 10),
    "ells-3x3x4": generated.ells(3, 3, 4),
    "ells-4x4x3": generated.ells(4, 4, 3),
    "langford-11": generated.langford(11),
    "queens-10": generated.queens(10),
    "queens-11": generated.queens(11),
    "queens-12": generated.queens(12),
    "random-30": generated.random_cover(30, 0.05),
    "rectangles-5": generated.rectangles(5),
    "rectangles-6": generated.rectangles(6),
    "dominoes-6x6": generated.dominoes(6, 6),
    "dominoes-8x8": generated.dominoes(8, 8),
    "dominoes-10x10": generated.dominoes(10, 10),
    "dominoes-12x12": generated.dominoes(12, 12),
    "dominoes-16x16": generated.dominoes(16, 16),
    "dominoes-30x30": generated.dominoes(30, 30),
    "dominoes-100x100": generated.dominoes(100, 100),
    "ice-5x5": generated.ice(5),
    "ice-7x7": generated.ice(7),
    "ice-9x9": generated.ice(9),
    "jeandel-rao-8x8": generated.jeandel_rao(8, 8),
    "jeandel-rao-12x12": generated.jeandel_rao(12, 12),
}
METHODS = ("frontier", "enumeration", "components", "memo", "kasteleyn")
BEFORE = "auto before"
SHORT = 0.001  # seconds: of a shorter count, what every count takes decides
FAR = 1.3  # times the best method

Counts = Mapping[str, CountInTurn | None]


def compare_counts(
    *, against: Against = "", exact_cover: Covers = None, times: Times = 3, seconds: Seconds = 20.0, only: Only = ""
) -> Iterator[str]:
    """Count by `auto` and by each method: milliseconds of processor time, without imports."""
    ways = (*([BEFORE] if against else []), "auto", *METHODS)
    rows: dict[str, Counts] = {}

    def measured() -> Iterator[list[str]]:
        with TemporaryDirectory() as folder:
            for name, subject in _subjects(Path(folder), exact_cover):
                if only not in name:
                    continue
                found: dict[str, CountInTurn | None] = {}
                if against:
                    before = counts_in_turns(subject, ["auto"], seconds, times=times, python=against)
                    found[BEFORE] = before.get("auto")
                found |= counts_in_turns(subject, ["auto", *METHODS], seconds, times=times)
                require_agreement(name, "number of covers", {way: each and each.covers for way, each in found.items()})
                rows[name] = found
                yield _row(name, found, ways)

    yield from lines_of(("problem", "covers", "picked", "best / auto", *ways), measured())
    yield ""
    yield ratios("the best method by name", rows, METHODS)
    if against:
        yield ratios(BEFORE, rows, (BEFORE,))
    yield from ("", measured_on())


def _subjects(folder: Path, exact_cover: Path | None) -> Iterator[tuple[str, str]]:
    """The name of each problem, and its file or the puzzle's name; files that are made are in *folder*."""

    def made(name: str, text: str) -> tuple[str, str]:
        file = folder / f"{name}.dlx"
        file.write_text(text, encoding="utf-8")
        return name, str(file)

    for name, options in PROBLEMS.items():
        yield made(name, generated.text_of(options))
    for name in names("instances"):
        yield name, name
    if exact_cover is None:
        return
    if all((exact_cover / each).is_dir() for each in FOLDERS):
        for path in problems_in(exact_cover):
            yield made(path.stem, read(path).text)
    for path in sorted(exact_cover.glob("*.dlx")):
        yield path.stem, str(path)


def _row(name: str, found: Counts, ways: Sequence[str]) -> list[str]:
    counts = {way: each for way in ways if (each := found.get(way))}
    auto, best = counts.get("auto"), _best(found, METHODS)
    figures = (f"{1000 * counts[way].seconds:.2f}" if way in counts else "" for way in ways)
    ratio = f"{best / auto.seconds:.2f}" if auto and best else ""
    return [
        name,
        short(first_known(each.covers for each in counts.values()) or ""),
        auto.method if auto else "",
        ratio,
        *figures,
    ]


def _best(found: Counts, methods: Sequence[str]) -> float | None:
    """The seconds of the best of some methods; None if none ended."""
    return min((each.seconds for method in methods if (each := found.get(method))), default=None)


def short(covers: str) -> str:
    """A number, or how many digits it has."""
    return f"{len(covers)} digits" if len(covers) > 20 else f"{int(covers):,}" if covers else ""


def ratios(name: str, rows: Mapping[str, Counts], others: Sequence[str]) -> str:
    """How `auto` compares with the fastest of the others, where both end and that one takes a millisecond or more."""
    both = {
        problem: auto.seconds / best
        for problem, found in rows.items()
        if (auto := found.get("auto")) and (best := _best(found, others)) and best >= SHORT
    }
    if not both:
        return f"auto / {name}: nothing to compare"
    worst = max(both, key=lambda problem: both[problem])
    above = sum(ratio > FAR for ratio in both.values())
    mean = f"mean {geometric_mean(both.values()):.2f} (geometric)"
    return f"auto / {name}: {mean}, worst {both[worst]:.1f} ({worst}), {above} of {len(both)} above {FAR:g}"
