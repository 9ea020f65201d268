"""The commands that users wait for, beside another installation: start, answers, pictures, one solution, no solution.

Every figure is processor time in seconds, of all threads and children, imports included: the least of several runs, in
which the installations take turns; a long command runs once. A search that its limit ends says so. What is waited for
within a command is measured by the suite: `setup` and `delivery`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from benchmarks.harness.conditions import measured_on
from benchmarks.harness.options import Against, Only, Puzzles, Seconds, Times, puzzles_in
from benchmarks.harness.processes import ENDED_BY_LIMIT, NOTHING_MORE, ROOT, run_command
from benchmarks.harness.tables import lines_of
from benchmarks.harness.turns import in_turns
from benchmarks.suite_puzzles import FAMILIES, Family, cells_of, family_text
from latcover.errors import LatcoverError

SHORT = 2.0  # seconds; commands that take longer are not repeated
# As the installed command: `python -m latcover` would ask by a name of its own, which not every version knows.
INSTALLED = ("-P", "-c", "import sys; sys.argv[:] = ['latcover']; from latcover.__main__ import main; main()")
TAB = {"_LATCOVER_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "latcover solve so"}


NO_BYTECODE = {"PYTHONPYCACHEPREFIX": "none", "PYTHONDONTWRITEBYTECODE": "1"}


class Wait(msgspec.Struct, frozen=True):
    """A command that is waited for.

    Attributes:
        words: The arguments of Python.
        is_limited: Whether its answer, which it prints as JSON, may be cut short.
    """

    what: str
    words: tuple[str, ...]
    environment: Mapping[str, str] = {}
    is_limited: bool = False


def command(*words: str, what: str = "") -> Wait:
    """A command of latcover."""
    return Wait(what or f"`latcover {' '.join(words)}`", ("-P", "-m", "latcover", *words))


WAITS = (
    command("--version"),
    Wait("the Tab key after `latcover solve so`", INSTALLED, TAB),
    command("list"),
    command("show", "soma"),
    command("check", "soma"),
    command("count", "soma"),
    Wait("`latcover count soma`, without bytecode", ("-P", "-m", "latcover", "count", "soma"), NO_BYTECODE),
    command("solve", "--limit", "1", "soma"),
    command("count", "pent-8x8-minus-2x2"),
    command("count", "pent-10x6"),
    command("count", "bedlam", what="`latcover count bedlam`, 19,186 solutions"),
    command("solve", "bedlam", "--json"),
    command("solve", "bedlam", "--no-color", what="`latcover solve bedlam`, as pictures without colours"),
    command("solve", "bedlam", "--color", what="`latcover solve bedlam`, as pictures"),
    command("apart", "burr-piston"),
    command("apart", "burr-loves-dozen"),
    command("apart", "turning-cube-seven"),
    *(command("plane", "square", "--cells", str(cells)) for cells in (6, 7, 8, 9)),
)


def searches(folder: Path, seconds: float) -> Iterator[Wait]:
    """Searches with a limit, whose puzzles are written to *folder*."""
    first = ("--limit", "1", "--threads", "1")
    hole = Family(6, (15, 15), cells_of(range(6, 9), range(4, 9)))
    named = [(f"one solution: {name}", family, first) for name, family in FAMILIES.items()]
    for what, family, words in (*named, ("no solution: 35 hexominoes, a hole that colours forbid", hole, ())):
        file = folder / "puzzle.toml"
        file.write_text(family_text(what, family), encoding="utf-8")
        asked = ("solve", str(file), "--json", "--time", f"{seconds:g}", *words)
        yield Wait(what, ("-P", "-m", "latcover", *asked), is_limited=True)


def building(folder: Path) -> Iterator[Wait]:
    """What `pip install .` compiles, without a compiler cache; it needs the extra ``build``."""
    places = ("-w", str(folder), "-C", f"build-dir={folder / 'build'}", str(ROOT))
    words = ("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", *places)
    yield Wait("compiling, in `pip install .`", words, {"CCACHE_DISABLE": "1"})


def taken_by(wait: Wait, python: str, seconds: float) -> float | str:
    """What a wait takes an installation, or why it does not end well.

    Raises:
        LatcoverError: this installation fails.
    """
    is_other = python != sys.executable
    environment = {"PYTHONPATH": ""} if is_other else NOTHING_MORE  # which would lead another installation here
    done = run_command([python, *wait.words], environment={**environment, **wait.environment})
    if wait.is_limited and done.output:
        found = json.loads(done.output.splitlines()[-1])["summary"]  # solutions come before it, a line each
        ended = found["complete"] or found["different"]
        return done.seconds if ended else f"not in {seconds:g} s"
    if done.code not in (0, ENDED_BY_LIMIT) and not is_other:
        raise LatcoverError(f"{wait.what} failed: {done.messages.strip()}")
    return (
        "refused" if done.code not in (0, ENDED_BY_LIMIT) else done.seconds
    )  # the other installation does not know it


def waits(
    *, against: Against = "", times: Times = 2, seconds: Seconds = 5.0, only: Only = "", puzzles: Puzzles = None
) -> Iterator[str]:
    """Measure the commands that users wait for: seconds of processor time, imports included."""
    pythons = {**({"before": against} if against else {}), "after" if against else "seconds": sys.executable}

    def rows(folder: Path) -> Iterator[list[str]]:
        others = (command("apart", file, what=f"`latcover apart {Path(file).name}`") for file in puzzles_in(puzzles))
        for wait in (
            wait
            for some in (WAITS, others, searches(folder, seconds), building(folder))
            for wait in some
            if only in wait.what
        ):
            runs = {name: partial(taken_by, wait, python, seconds) for name, python in pythons.items()}
            yield [wait.what, *cells([*in_turns(runs, times, _is_short).values()])]

    with TemporaryDirectory() as folder:
        yield from lines_of(("what", *pythons, *(["before / after"] if against else [])), rows(Path(folder)))
    yield from ("", measured_on())


def _is_short(earlier: list[float | str]) -> bool:
    return not isinstance(earlier[-1], str) and earlier[-1] <= SHORT


def cells(found: list[list[float | str]]) -> list[str]:
    """The least figure of each installation, and the ratio of two."""
    figures = [min(each for each in runs if isinstance(each, float)) if _is_timed(runs) else None for runs in found]
    shown = [str(runs[-1]) if least is None else f"{least:.2f}" for runs, least in zip(found, figures, strict=True)]
    before, after = figures[0], figures[-1]
    ratio = f"{before / after:.1f}" if before and after else ""
    return [*shown, ratio] if len(found) == 2 else shown


def _is_timed(runs: list[float | str]) -> bool:
    return not any(isinstance(each, str) for each in runs)
