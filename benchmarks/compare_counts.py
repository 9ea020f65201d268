"""`count` by all methods, and by two versions of latcover, on generated problems and files.

Every count runs on one thread of a process of its own. The table shows the least processor time of several runs in
milliseconds, without imports, and the count, on which all must agree. Below it stand ratios of `auto` to the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import geometric_mean
from tempfile import TemporaryDirectory

from benchmarks import generated
from benchmarks.harness.counting import Counted, counts_of
from benchmarks.harness.options import Against, Covers, Only, Seconds, Times
from benchmarks.harness.tables import lines_of
from benchmarks.harness.turns import first_known, require_agreement

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
    "ells-9x10": generated.ells(9, 10),
    "langford-11": generated.langford(11),
    "queens-11": generated.queens(11),
    "random-30": generated.random_cover(30, 0.05),
    "rectangles-6": generated.rectangles(6),
    "dominoes-12x12": generated.dominoes(12, 12),
    "dominoes-16x16": generated.dominoes(16, 16),
    "dominoes-30x30": generated.dominoes(30, 30),
    "dominoes-100x100": generated.dominoes(100, 100),
}
METHODS = ("frontier", "enumeration", "components")
BEFORE = "auto before"


def compare_counts(
    *, against: Against = "", exact_cover: Covers = None, times: Times = 3, seconds: Seconds = 20.0, only: Only = ""
) -> Iterator[str]:
    """Count generated problems by each method: milliseconds of processor time, without imports."""
    ways = [*([BEFORE] if against else []), "auto", *METHODS]
    rows: dict[str, dict[str, Counted | None]] = {}

    def measured() -> Iterator[list[str]]:
        with TemporaryDirectory() as folder:
            for name, options in PROBLEMS.items():
                (Path(folder) / f"{name}.dlx").write_text(generated.text_of(options), encoding="utf-8")
            files = [Path(folder) / f"{name}.dlx" for name in PROBLEMS]
            files += sorted(exact_cover.glob("*.dlx")) if exact_cover else []
            for file in (file for file in files if only in file.stem):
                found = rows[file.stem] = {
                    way: counts_of(file, ["auto"], seconds, times=times, python=against).get("auto")
                    if way == BEFORE
                    else counts_of(file, [way], seconds, times=times).get(way)
                    for way in ways
                }
                counts = {way: counted and counted[1] for way, counted in found.items()}
                require_agreement(file.stem, "number of covers", counts)
                cells = (f"{1000 * counted[0]:.2f}" if counted else "" for counted in found.values())
                yield [file.stem, short(first_known(counts.values()) or ""), *cells]

    yield from lines_of(("problem", "covers", *ways), measured())
    yield ""
    yield ratios("the best method by name", rows, METHODS)
    if against:
        yield ratios(BEFORE, rows, (BEFORE,))


def short(covers: str) -> str:
    """A number, or how many digits it has."""
    return f"{len(covers)} digits" if len(covers) > 20 else f"{int(covers):,}" if covers else ""


def ratios(name: str, rows: Mapping[str, Mapping[str, Counted | None]], others: Sequence[str]) -> str:
    """How `auto` compares with the fastest of the others, where both end."""
    both = {}
    for problem, found in rows.items():
        ended = [counted[0] for other in others if (counted := found[other])]
        if ended and (auto := found["auto"]):
            both[problem] = auto[0] / min(ended)
    if not both:
        return f"auto / {name}: nothing to compare"
    worst = max(both, key=lambda problem: both[problem])
    above = sum(ratio > 2 for ratio in both.values())
    mean = f"mean {geometric_mean(both.values()):.2f} (geometric)"
    return f"auto / {name}: {mean}, worst {both[worst]:.1f} ({worst}), {above} of {len(both)} above 2"
