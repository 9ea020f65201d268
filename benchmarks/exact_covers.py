"""Count all exact covers of the authors of DXD, beside their program: a page of all counts and times.

The problems are in `data` of the public repository loiufam/alg-lab, and the program is `main`, built there. Neither is
shipped with latcover. Each count runs on one thread of a process of its own, with a limit of processor time and of
memory. The results are written after each problem, and the same command goes on where it stopped.

A count of ours is called sure if two methods that share no search found it: the frontier, the enumeration, the split
into components, or their program.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import msgspec
import typer

from benchmarks.harness.conditions import today
from benchmarks.harness.counting import counts_of
from benchmarks.harness.options import Only, Seconds
from benchmarks.harness.processes import EndedCommand, run_command
from benchmarks.harness.tables import filled
from latcover.errors import UnsupportedError
from latcover.lab.comparing.comparison_tables import markdown_table, seconds
from latcover.system.files import write_whole
from latcover.system.machine import machine

OURS = "auto"
METHODS = ("frontier", "components", "enumeration")  # each shares no search with the others
THEIRS = "DXD"
FORMULA = "formula"  # Bell numbers, and products of the odd numbers
REFEREE = "exact-cover"  # of PyPI, where the counts differ
FOLDERS = {"exact_cover_benchmark": "1", "run_set": "3"}  # and how their program reads the files of each
MEGABYTES = 4096
TICK = 0.001  # seconds: what takes less is not told apart
LONG = 0.05  # seconds: in what takes less, the start of their program decides
START = 3.0  # seconds of the processor that our process may take for its start and for short counts again
BY_THE_CLOCK = 10  # times its seconds of the processor may a count take on a busy machine
SAID = r"Solutions: (\d+)"
MOST_OF_REFEREE = 120.0  # seconds of the processor

# It lists nothing, but counts by a search of its own.
REFEREE_COUNT = """
import sys
import numpy as np
import exact_cover
head, *rows = open(sys.argv[1], encoding="utf-8").read().splitlines()
items = {name: place for place, name in enumerate(head.split())}
matrix = np.zeros((len(rows), len(items)), np.int32)
for row, names in zip(matrix, rows):
    row[[items[name] for name in names.split()]] = 1
print(exact_cover.get_solution_count(matrix))
"""


class CoverFile(msgspec.Struct, frozen=True):
    """A problem of theirs.

    Attributes:
        path: Its file.
        items: How many there are.
        options: The numbers of the items of each, from 1.
    """

    path: Path
    items: int
    options: tuple[tuple[int, ...], ...]

    @property
    def text(self) -> str:
        """The problem in Knuth's form, without items that no option holds twice."""
        names = " ".join(f"i{k}" for k in range(1, self.items + 1))
        return "\n".join([names, *(" ".join(f"i{k}" for k in option) for option in self.options), ""])


def read(path: Path) -> CoverFile:
    """Read a file of either set: lines of DIMACS kind, or lines that begin with the number of items in them.

    Raises:
        ValueError: the numbers of items or options are not those that its head tells.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    words = [line.split() for line in lines if line.strip() and not line.startswith("c ")]
    if words[0][0] == "p":
        items, options = int(words[0][-1]), [tuple(map(int, line[1:])) for line in words[1:]]
    else:
        items, count = map(int, words[0])
        options = [tuple(map(int, line[1:])) for line in words[1:]]
        if len(options) != count or any(
            len(option) != int(line[0]) for option, line in zip(options, words[1:], strict=True)
        ):
            raise ValueError(f"{path.name}: the numbers of options or items are not as told")
    if any(not 1 <= item <= items for option in options for item in option):
        raise ValueError(f"{path.name}: an option holds an item that there is not")
    return CoverFile(path, items, tuple(options))


def allowed(most: float) -> float:
    """The seconds of all our methods together, and of their start, if each may take so long."""
    return (1 + len(METHODS)) * most + START


def our_counts(problem: CoverFile, most: float) -> dict[str, Any]:
    """Of each method that was tried, the seconds and the count; `OURS` is None if it did not end."""
    with _written(problem) as file:
        methods, by_the_clock = (OURS, *METHODS), BY_THE_CLOCK * most
        found = counts_of(file, methods, by_the_clock, allowed=allowed(most), megabytes=MEGABYTES)
    return {OURS: None} | {method: [round(taken, 4), count] for method, (taken, count) in found.items()}


def their_count(program: Path, path: Path, most: float) -> list[Any] | None:
    """The seconds of their program, and its count; None if it did not end."""
    with TemporaryDirectory() as folder:  # it writes its answer into the folder above its own
        inner = Path(folder) / "inner"
        inner.mkdir()
        words = [str(program.resolve()), "dxd", str(path.resolve()), FOLDERS[path.parent.name], "ett"]
        done = _limited(words, most, inner)
        log = Path(folder) / "run_results.txt"
        text = (log.read_text(encoding="utf-8") if log.exists() else "") + done.output
    return told(msgspec.structs.replace(done, output=text), SAID)


def with_theirs(problem: CoverFile, found: dict[str, Any], program: Path, most: float) -> dict[str, Any]:
    """What their program adds to what was *found*; where the counts differ, another program decides."""
    found = found | {THEIRS: their_count(program, problem.path, most)}
    if differ(found):
        with _written(problem) as file:
            said = _limited([sys.executable, "-P", "-c", REFEREE_COUNT, str(file)], MOST_OF_REFEREE)
        found[REFEREE] = told(said, r"(\d+)")
    return found


def _limited(words: Sequence[str], most: float, folder: Path | None = None) -> EndedCommand:
    environment = {"OMP_NUM_THREADS": "1"}
    return run_command(words, seconds=max(1, round(most)), megabytes=MEGABYTES, folder=folder, environment=environment)


@contextmanager
def _written(problem: CoverFile) -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "problem.dlx"
        file.write_text(problem.text, encoding="utf-8")
        yield file


def told(done: EndedCommand, pattern: str) -> list[Any] | None:
    """The seconds, and the count that a pattern finds; None if the command did not end well, or said none."""
    found = re.search(pattern, done.output) if done.code == 0 else None
    return None if found is None else [round(done.seconds, 4), found.group(1)]


def agreeing(found: dict[str, Any]) -> list[str]:
    """The methods that share no search and found the count that most of them found."""
    counts = {way: found[way][1] for way in (*METHODS, THEIRS, FORMULA) if found.get(way)}
    groups = [[way for way, count in counts.items() if count == each] for each in dict.fromkeys(counts.values())]
    return max(groups, key=len, default=[])


def by_formula(name: str) -> int | None:
    """The number of covers that a formula gives to a problem of this name; None if there is none."""
    kind, _, number = name.partition("-")
    if kind == "doublefact":
        return math.prod(range(1, int(number) + 1, 2))
    if kind != "bell":
        return None
    row = [1]
    for _ in range(int(number) - 1):
        row = list(itertools.accumulate([row[-1], *row]))  # Aitken's array
    return row[-1]


def differ(found: dict[str, Any]) -> bool:
    """Whether their program found another count than ours."""
    return bool(found.get(THEIRS) and found.get(OURS)) and found[THEIRS][1] != found[OURS][1]


def problems_in(folder: Path) -> Iterator[Path]:
    """The files of both sets, by name."""
    for name in FOLDERS:
        yield from sorted(path for path in (folder / name).iterdir() if path.suffix in (".ec", ".txt"))


def exact_covers(
    folder: Annotated[Path | None, typer.Argument(help="`data` of their repository; none makes the page alone")] = None,
    *,
    results: Annotated[Path, typer.Option(metavar="FILE.json", help="Go on with these results, and write them.")],
    program: Annotated[Path | None, typer.Option(help="Their program, `main`.")] = None,
    commit: Annotated[str, typer.Option(help="Of their repository, for the page.")] = "unknown",
    output: Annotated[Path | None, typer.Option(metavar="FILE.md", help="Write the page there.")] = None,
    seconds: Seconds = 20.0,
    theirs: Seconds = 20.0,
    only: Only = "",
) -> Iterator[str]:
    """Count what is not counted yet, each by ours and by theirs, and write the page. Limits are of the processor."""
    known: dict[str, Any] = json.loads(results.read_text("utf-8")) if results.exists() else {}
    if folder is not None:
        if program is None:
            raise UnsupportedError("name their program with --program")
        known |= {"seconds": seconds, "theirs": theirs, "megabytes": MEGABYTES, "machine": machine()}
        known |= {"day": today(), "commit": commit}
        problems: dict[str, Any] = known.setdefault("problems", {})
        for name, found in _counted(
            [path for path in problems_in(folder) if only in path.stem], problems, program, known
        ):
            problems[name] = found
            yield f"{name} {found['counts']}"
            write_whole(results, [f"{json.dumps(known, indent=1)}\n".encode()])
    if output is not None:
        output.write_text(page(known), encoding="utf-8")


def _counted(
    paths: Sequence[Path], problems: dict[str, Any], program: Path, known: dict[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each problem that is not known yet by ours, then each by theirs."""
    for path in paths:
        if path.stem not in problems:
            problem = read(path)
            about = {"set": path.parent.name, "items": problem.items, "options": len(problem.options)}
            yield path.stem, about | {"counts": our_counts(problem, known["seconds"])}
    for path in paths:
        found = problems[path.stem]
        if THEIRS not in found["counts"]:
            yield path.stem, found | {"counts": with_theirs(read(path), found["counts"], program, known["theirs"])}


def page(known: dict[str, Any]) -> str:
    """The page, in Markdown."""
    problems: dict[str, Any] = {name: {**each} for name, each in known["problems"].items()}
    for name, each in problems.items():
        if (formula := by_formula(name)) is not None:
            each["counts"] = each["counts"] | {FORMULA: [0.0, str(formula)]}
    tables: list[str] = []
    for folder, (title, about) in SETS.items():
        rows = [row_of(name, each) for name, each in problems.items() if each["set"] == folder]
        tables += [f"## {title}", "", about, "", *markdown_table(HEAD, rows), ""]
    told = {"summary": [f"- {line}" for line in summary(problems)], "conditions": [conditions(known)], "sets": tables}
    return filled(Path(__file__).with_suffix(".md"), told) + "\n"


SETS = {
    "exact_cover_benchmark": ("Junttila and Kaski", "Set partitions, pairings, Latin squares, triple systems."),
    "run_set": ("Networks", "Pairs of places in networks of the Topology Zoo, joined by paths."),
}
HEAD = ("problem", "items", "options", "covers", "latcover, s", "DXD, s", "the count was found by")


def conditions(known: dict[str, Any]) -> str:
    """Machine and limits."""
    return (
        f"{known['machine']}; {known['day']}; DXD at commit `{known['commit']}`, on one thread. Seconds are of the "
        "processor. latcover's are those of `count`, without its start, which takes about 0.3 s; theirs are those of "
        "the whole program, which takes 0.005 s for the smallest file. Theirs was ended after "
        f"{known['theirs']:g} s, latcover's methods for a problem together after {allowed(known['seconds']):g} s, both "
        f"at {known['megabytes']:,} MB of memory. A dash: not finished within these limits. A count that one way alone "
        "has found is not checked."
    )


def summary(problems: dict[str, Any]) -> list[str]:
    """What the figures come to, in sentences made of them alone."""
    counts = {name: each["counts"] for name, each in problems.items()}
    ours = [name for name, found in counts.items() if found[OURS]]
    theirs = [name for name, found in counts.items() if found.get(THEIRS)]
    sure = [name for name, found in counts.items() if len(agreeing(found)) > 1]
    wrong = [name for name, found in counts.items() if is_wrong(found)]
    open_ = [name for name, found in counts.items() if not found[OURS]]
    both = {name: (counts[name][OURS][0], counts[name][THEIRS][0]) for name in ours if name in theirs}
    long = {name: pair for name, pair in both.items() if max(pair) >= LONG}
    slower = [name for name, (mine, other) in long.items() if mine > other]
    lost = [name for name in theirs if name not in ours]
    lines = [
        f"latcover's `count` ends on {len(ours)} of {len(problems)}, their program on {len(theirs)}.",
        f"{len(sure)} counts are sure: two ways that share no search agree (of ours, of theirs, or a formula).",
    ]
    if long:
        times = median(other / max(mine, TICK) for mine, other in long.values())
        lines.append(
            f"On {len(long)} both end, and one of them takes {LONG:g} s or more. There their program takes {times:.3g} "
            f"times as long in the median, and latcover is slower on {len(slower)}{_listed(slower)}."
        )
    if lost:
        lines.append(f"Their program ends, and latcover's `count` does not, on {len(lost)}{_listed(lost)}.")
    for name in wrong:
        found = counts[name]
        agreed = ", ".join(way for way in (*METHODS, REFEREE) if found.get(way) and found[way][1] == found[OURS][1])
        theirs_, mine = int(found[THEIRS][1]), int(found[OURS][1])
        lines.append(f"On {name} their program finds {theirs_:,}, and latcover {mine:,}, as do: {agreed}.")
    if open_:
        lines.append(f"latcover does not end on {len(open_)}{_listed(open_)}.")
    return lines


def is_wrong(found: dict[str, Any]) -> bool:
    """Whether their count differs from one that two of our methods found."""
    return differ(found) and THEIRS not in agreeing(found) and len(agreeing(found)) > 1


def _listed(names: Sequence[str]) -> str:
    return f": {', '.join(names)}" if names else ""


def row_of(name: str, each: dict[str, Any]) -> tuple[str, ...]:
    """A row of the table."""
    found = each["counts"]
    agreed = agreeing(found)
    shown = found[agreed[0]][1] if agreed else None
    count = "-" if shown is None else short(shown)
    ways = ", ".join(agreed) or "nobody"
    if is_wrong(found):
        ways += f"; DXD finds {short(found[THEIRS][1])}"
    if len(agreed) == 1:
        ways += " alone"
    return (
        name,
        f"{each['items']:,}",
        f"{each['options']:,}",
        count,
        *(_time(found.get(w)) for w in (OURS, THEIRS)),
        ways,
    )


def short(count: str) -> str:
    """A number, or how many digits it has."""
    return f"{int(count):,}" if len(count) <= 24 else f"{count[:6]}… ({len(count)} digits)"


def _time(found: list[Any] | None) -> str:
    return "-" if found is None else f"< {TICK:g}" if found[0] < TICK else seconds(found[0])
