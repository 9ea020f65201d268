"""Every wait that was shortened, before and after, in one table. Run it to measure your machine:

    python -m latcover.benchmarks.before_after
    python -m latcover.benchmarks.before_after --against /other/venv/bin/python    # beside an older installation

Every figure is processor time in seconds, of all threads and children, imports included: the least of several runs, in
which the installations take turns; a long command runs once. A search that its limit ends says so. The last column
quotes what BurrTools publishes for its own machine (i7-1185G7, one thread), where there is such a figure.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from latcover.benchmarks.compare_counts import PROBLEMS
from latcover.benchmarks.generated import aztec
from latcover.benchmarks.generated import text_of as problem_text
from latcover.benchmarks.suite_finding import FAMILIES, Family, cells_of, text_of
from latcover.benchmarks.waiting import EVERY_SETUP, MEASURES, command, environment_of, least
from latcover.files.formats.library import load_lattice
from latcover.system.machine import processor_time_of_children

Cell = tuple[int, ...]
SHORT = 2.0  # seconds; commands that take longer are not repeated
STICKS = 129  # of the stand-in for SolidSixPieceBurrs, which is not ours to ship


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table: what each installation runs."""

    what: str
    before: Sequence[str]
    after: Sequence[str]
    theirs: str = ""


def burr_sticks() -> str:
    """A solid burr of six sticks, and sticks of random dissections of it: three are given, three are to be chosen."""
    dice, cubic = random.Random(0), load_lattice("cubic")
    sticks: list[set[Cell]] = []
    for axis, side in product(range(3), (1, 3)):
        spans = {axis: range(6), (axis + 1) % 3: range(2, 4), (axis + 2) % 3: range(side, side + 2)}
        sticks.append(set(product(spans[0], spans[1], spans[2])))
    region = sorted(set().union(*sticks))
    shared = [cell for cell in region if sum(cell in stick for stick in sticks) > 1]
    found: dict[tuple[Cell, ...], None] = {}
    owned = [set(stick) - set(shared) for stick in sticks]
    for cell in shared:
        owned[dice.choice([k for k, stick in enumerate(sticks) if cell in stick])].add(cell)
    steps = 0

    def in_one_piece(stick: set[Cell]) -> bool:
        return cubic.connects((0, *cell) for cell in stick)

    while len(found) < STICKS:
        steps += 1
        cell = dice.choice(shared)
        old = next(k for k, own in enumerate(owned) if cell in own)
        new = dice.choice([k for k, stick in enumerate(sticks) if cell in stick and k != old])
        was = in_one_piece(owned[old]) + in_one_piece(owned[new])
        owned[old].remove(cell)
        owned[new].add(cell)
        if in_one_piece(owned[old]) + in_one_piece(owned[new]) < was:
            owned[new].remove(cell)
            owned[old].add(cell)
        if steps % 200 == 0 and all(map(in_one_piece, owned)):
            for own in owned:
                found[tuple(sorted(own))] = None
    return _puzzle("burr sticks", region, [*found][:STICKS], given=3)


def large_parts() -> str:
    """Eight parts of 152 cells: a random path through 8 by 19 cells, cut into eighths; each cell becomes eight."""
    dice = random.Random(0)
    path = [(x, y if x % 2 == 0 else 18 - y) for x in range(8) for y in range(19)]
    for _ in range(20_000):  # turn the end of the path to another neighbour
        if dice.random() < 0.5:
            path.reverse()
        x, y = path[-1]
        near = dice.choice([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)])
        if 0 <= near[0] < 8 and 0 <= near[1] < 19:
            at = path.index(near)
            path[at + 1 :] = path[:at:-1]
    parts = [
        [(2 * x + a, 2 * y + b, c) for x, y in path[k : k + 19] for a, b, c in product(range(2), repeat=3)]
        for k in range(0, 152, 19)
    ]
    return _puzzle("large parts", sorted(cell for part in parts for cell in part), parts, given=8)


def _puzzle(name: str, region: Sequence[Cell], parts: Sequence[Sequence[Cell]], given: int) -> str:
    text = [f'name = "{name}"\nlattice = "cubic"\n[region]\ncells = {[list(cell) for cell in region]}\n']
    text += [
        f'[[parts]]\nname = "{k}"\ncells = {[list(cell) for cell in part]}\nmin = {int(k < given)}\nmax = 1\n'
        for k, part in enumerate(parts)
    ]
    return "".join(text)


def all_lines(folder: Path, seconds: float, exact_cover: Path | None) -> Iterator[Line]:
    """The lines, whose puzzles are written to *folder*."""

    def file(name: str, text: str) -> str:
        path = folder / f"{name}.toml"
        path.write_text(text)
        return str(path)

    limit = ("--time", f"{seconds:g}")
    yield _same("`latcover count pent-10x6`", "count", "pent-10x6")
    yield _same(
        "stand-in for SolidSixPieceBurrs: 129 sticks", "count", file("sticks", burr_sticks()), *limit, theirs="0.54"
    )
    yield _same(
        "stand-in for DraculasDentalDesaster: parts of 152 cells",
        "solve",
        file("large", large_parts()),
        "--json",
        *limit,
    )
    for number, (name, family) in enumerate(FAMILIES.items()):
        puzzle = file(f"family{number}", text_of(name, family))
        before, after = (
            command("solve", puzzle, "--json", "--limit", "1", "--threads", "1", "--backend", backend, *limit)
            for backend in ("bitset", "restarts")
        )
        yield Line(f"one solution: {name}", before, after)
    hole = Family(6, (15, 15), cells_of(range(6, 9), range(4, 9)))
    yield _same(
        "no solution: 35 hexominoes, a hole that colours forbid",
        "solve",
        file("hole", text_of("hole", hole)),
        "--json",
        *limit,
    )
    for name, options in {**PROBLEMS, "aztec-20": [*aztec(20)]}.items():
        (folder / f"{name}.dlx").write_text(problem_text(options), encoding="utf-8")
        yield _same(f"count {name}", "count", str(folder / f"{name}.dlx"), *limit)
    for problem in sorted(exact_cover.glob("*.dlx")) if exact_cover else ():
        yield _same(f"count {problem.stem}", "count", str(problem), *limit)


def _same(what: str, *words: str, theirs: str = "") -> Line:
    given = command(*words, *(() if "--json" in words else ("--json",)))
    return Line(what, given, given, theirs)


def told(words: Sequence[str], python: str, seconds: float) -> tuple[float | None, str]:
    """The processor time of a command and "", or None and why there is none."""
    before = processor_time_of_children()
    done = subprocess.run([python, *words], capture_output=True, text=True, check=False, env=environment_of(python))
    after = processor_time_of_children()
    try:
        answer = json.loads(done.stdout.splitlines()[-1])  # solutions come before it, a line each
    except (ValueError, IndexError):
        return None, "refused"
    answer = answer.get("summary", answer)
    if not answer["complete"] and not ("--limit" in words and answer["different"]):
        return None, f"not in {seconds:g} s"
    return after - before, ""


def best_of(line: Line, pythons: Sequence[str], times: int, seconds: float) -> list[tuple[float | None, str]]:
    """The least time of each installation; they take turns. Only short commands are repeated."""
    found: list[tuple[float | None, str]] = [(None, "") for _ in pythons]
    for _ in range(times):
        for k, python in enumerate(pythons):
            if found[k][1] or (found[k][0] or 0.0) > SHORT:
                continue
            taken, why = told(line.after if k == len(pythons) - 1 else line.before, python, seconds)
            known = found[k][0]
            found[k] = (taken if known is None or taken is None else min(known, taken), why)
    return found


def row(what: str, found: Sequence[tuple[float | None, str]], theirs: str = "") -> str:
    """A row of the table."""
    shown = [why or f"{taken:.2f}" for taken, why in found]
    if len(found) == 2:
        before, after = found[0][0], found[1][0]
        shown.append(f"{before / after:.1f}" if before and after else "")
    return f"| {what} | {' | '.join(shown)} | {theirs} |"


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", metavar="PYTHON", help="the Python of an older installation, shown as before")
    parser.add_argument("--exact-cover", type=Path, metavar="FOLDER", help="problems as DLX text, to be counted too")
    parser.add_argument("--times", type=int, default=2, help="runs of each command that takes less than 2 s")
    parser.add_argument("--seconds", type=float, default=5.0, help="the limit of each long search, by the clock")
    parser.add_argument("--only", default="", help="only the lines that hold this word")
    given = parser.parse_args()
    pythons = [*([given.against] if given.against else []), sys.executable]
    heads = ["before", "after", "before / after"] if given.against else ["seconds"]
    print(f"| what | {' | '.join(heads)} | BurrTools, its machine |\n| --- |{' --: |' * (len(heads) + 1)}")
    for measure in (*MEASURES, EVERY_SETUP):
        name = measure.what if measure is not EVERY_SETUP else "set-up of the slowest shipped puzzle"
        if given.only in name:
            figures = least(measure, pythons, 1)
            if all(max(each.values(), default=0.0) <= SHORT for each in figures) and measure is not EVERY_SETUP:
                again = least(measure, pythons, given.times - 1)
                figures = [
                    {k: min(v, more.get(k, v)) for k, v in each.items()}
                    for each, more in zip(figures, again, strict=True)
                ]
            print(row(name, [(max(each.values()), "") if each else (None, "refused") for each in figures]), flush=True)
    with TemporaryDirectory() as folder:
        for line in all_lines(Path(folder), given.seconds, given.exact_cover):
            if given.only in line.what:
                print(row(line.what, best_of(line, pythons, given.times, given.seconds), line.theirs), flush=True)


if __name__ == "__main__":
    main()
