"""One cover by `auto`, of problems whose options or parts are shuffled: is it found fast, or is it luck?

Every shuffle is another order of the same problem, except among the other needles, each of which is another problem.
Each search runs in a process of its own, and its figures are the processor time of all threads without imports and
reading, and the branches of the method that won.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from benchmarks import generated
from benchmarks.harness.options import Against, Only, Seconds
from benchmarks.harness.processes import NOTHING_MORE, run_command
from benchmarks.harness.tables import lines_of
from benchmarks.suite_puzzles import FAMILIES, family_text

SEARCH = """
import json, sys, time
from latcover.backends import create
from latcover.core.cover.search import Limits, SearchTask
from latcover.core.encoding.prepared import prepare
from latcover.files.formats.library import load, load_problems
file, seconds, threads = sys.argv[1:]
(problem,) = load_problems(file).values() if file.endswith(".dlx") else [prepare(load(file))]
task = SearchTask(problem.problem, lambda _: True, Limits(covers=1, seconds=float(seconds)))
backend = create("auto", threads=int(threads))
for other in ("bitset", "restarts", "cpsat"):
    create(other)  # which imports it
start = time.process_time()
figures = backend.search(task).figures
print(json.dumps([figures.covers, time.process_time() - start, figures.branches]))
"""
SHARE = 15 / 150**2  # of all sets of three, beside those of a needle's own cover
Found = list[float | int | None]  # covers, seconds of the processor, and branches


def _options_of(options: generated.Options, seed: int) -> str:
    rows = list(options)
    random.Random(seed).shuffle(rows)
    return generated.text_of(rows)


def _parts_of(name: str, seed: int) -> str:
    head, *parts = family_text(name, FAMILIES[name]).split("[[parts]]")
    random.Random(seed).shuffle(parts)
    return "[[parts]]".join([head.rstrip("\n") + "\n", *(part.rstrip("\n") + "\n" for part in parts)])


PROBLEMS: dict[str, Callable[[int], str]] = {  # name -> the text of each shuffle
    "needle 150": lambda seed: _options_of(generated.random_cover(150, SHARE), seed),
    "other needles of 150": lambda seed: _options_of(generated.random_cover(150, SHARE, seed), seed),
    "queens 32": lambda seed: (
        _options_of(generated.queens(32), seed) if seed else generated.text_of(generated.queens(32))
    ),
    "Langford 36": lambda seed: _options_of(generated.langford(36), seed),
    **{name: (lambda seed, name=name: _parts_of(name, seed)) for name in FAMILIES},  # type: ignore[misc]
}
QUICK = (*(name for name in PROBLEMS if name not in FAMILIES), "40 heptominoes, 14x20")


def shuffles(
    *,
    against: Against = "",
    shuffles: Annotated[int, typer.Option(min=1, help="How many of each problem.")] = 20,
    threads: Annotated[int, typer.Option(min=1, help="As of a search.")] = 1,
    seconds: Seconds = 10.0,
    only: Only = "",
) -> Iterator[str]:
    """Find one cover of shuffled problems: milliseconds of processor time and branches, the median and the most."""
    pythons = {**({"before": against} if against else {}), "now": sys.executable}
    names = [name for name in PROBLEMS if only in name] if only else QUICK

    def rows(folder: Path) -> Iterator[list[str]]:
        for name in names:
            found: dict[str, list[Found]] = {way: [] for way in pythons}
            for seed in range(shuffles):
                file = folder / f"problem.{'toml' if name in FAMILIES else 'dlx'}"
                file.write_text(PROBLEMS[name](seed), encoding="utf-8")
                for way, python in pythons.items():
                    found[way].append(_found(python, file, seconds, threads))
            for way, each in found.items():
                yield [name, way, *cells(each)]

    with TemporaryDirectory() as folder:
        yield from lines_of(
            ("problem", "", "found", "median, ms", "most, ms", "all, s", "branches", "most"), rows(Path(folder))
        )


def _found(python: str, file: Path, seconds: float, threads: int) -> Found:
    words = [python, "-P", "-c", SEARCH, str(file), str(seconds), str(threads)]
    done = run_command(words, environment=NOTHING_MORE if python == sys.executable else {"PYTHONPATH": ""})
    found: Found = json.loads(done.output)
    return found


def cells(found: list[Found]) -> list[str]:
    """How many covers were found; the median and the most of the times, of all searches; and of the known branches."""
    times = [1000 * float(each[1] or 0) for each in found]
    branches = [int(each[2]) for each in found if each[2] is not None]
    known = [f"{statistics.median(branches):,.0f}", f"{max(branches):,}"] if branches else ["", ""]
    covers = sum(int(each[0] or 0) for each in found)
    middle, most = statistics.median(times), max(times)
    return [f"{covers} of {len(found)}", f"{middle:.1f}", f"{most:.1f}", f"{sum(times) / 1000:.2f}", *known]
