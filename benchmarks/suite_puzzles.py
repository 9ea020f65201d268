"""The suite's puzzles by name, and the section that times setting them up: reading, placing, symmetries, encoding.

Some are shipped; boards and boxes are made from their names, as large as one likes.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from latcover.benchmarks.suite_registry import Case
from latcover.benchmarks.suite_table import PUZZLE, WHY, Column, Table, milliseconds
from latcover.benchmarks.suite_timing import Plan
from latcover.core.encoding.encode import encode
from latcover.core.encoding.placement import placements
from latcover.core.encoding.prepared import Choices, Prepared, prepare
from latcover.core.encoding.reduction import reduce_by
from latcover.core.encoding.symmetry import SymmetryGroup
from latcover.core.model.puzzle import Puzzle
from latcover.errors import UnsupportedError
from latcover.files.formats.library import load, load_all
from latcover.files.formats.source import names

# What a board of unlimited parts is filled with. The balanced ones hold as many black cells as white ones.
ARTS = {
    "dominoes": [["XX"]],
    "trominoes": [["X.", "XX"]],
    "balanced": [["XX"], ["XXXX"], ["XXX", "X.."], ["XX", "XX"], [".XX", "XX."]],
}
STEPS = ("read", "place", "symmetry", "encode")
MADE = re.compile(r"(dominoes|trominoes|balanced|pentominoes)-(\d+(?:x\d+)+)")


def is_made(name: str) -> bool:
    """Whether a name is that of a board or box that is made."""
    return MADE.fullmatch(name) is not None


def text_of(name: str) -> str:
    """The puzzle file of a board or box, such as ``dominoes-8x8`` or ``pentominoes-10x10x8``.

    A board takes any number of its parts; of a balanced one two opposite corners are missing, so that where the sum of
    its sides is even the colours of the chessboard leave it no cover. A box takes each pentomino once, and single cells
    around them.

    Raises:
        UnsupportedError: the name says nothing of that kind.
    """
    match = MADE.fullmatch(name)
    if match is None:
        raise UnsupportedError(f"{name!r} is neither a shipped puzzle nor a board or box that is made from its name")
    part, sizes = match.group(1), [int(size) for size in match.group(2).split("x")]
    lattice = "cubic" if len(sizes) == 3 else "square"
    head = f'name = "{name}"\nlattice = "{lattice}"\n[region]\nbox = {sizes}\n'
    if part == "pentominoes":
        return head + '[[parts]]\nset = "pentominoes"\n[[parts]]\nname = "cell"\nart = ["X"]\ncount = "unlimited"\n'
    if part == "balanced":
        head += f"minus = {{ cells = [[0, 0], [{sizes[0] - 1}, {sizes[1] - 1}]] }}\n"
    parts = (f'[[parts]]\nname = "{k}"\nart = {art}\ncount = "unlimited"\n' for k, art in enumerate(ARTS[part]))
    return head + "".join(parts)


def puzzle_of(name: str) -> Puzzle:
    """The puzzle of that name; of a shipped file that holds several, the first."""
    if name in names("instances"):
        return load_all(name)[0]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.toml"
        path.write_text(text_of(name), encoding="utf-8")
        return load(str(path))


@lru_cache(maxsize=4)
def prepared_of(name: str) -> Prepared:
    """The puzzle ready to be searched: a shipped one reduced by its symmetries, a made one as it stands."""
    return prepare(puzzle_of(name), Choices(symmetry="none") if is_made(name) else Choices())


def setup(cases: Sequence[Case], plan: Plan, say: Callable[[str], None]) -> Table:
    """Each step of setting a puzzle up."""
    wanted: dict[str, str] = {}
    for case in cases:
        named = names("instances") if case.puzzle == "*" else [case.puzzle]
        wanted = dict.fromkeys(named, case.why) | wanted
    rows = []
    for name, why in wanted.items():
        say(name)
        rows.append(_best(name, plan) | {"why": why})
    columns = (
        *(PUZZLE, Column("placements", "placements"), Column("symmetries", "symmetries")),
        *(Column(step, f"{step}, ms", milliseconds) for step in (*STEPS, "all")),
        WHY,
    )
    text = (
        "Milliseconds of reading the file (parts' shapes and checks included), placing the parts, finding the "
        "symmetries and what they leave out, and writing the matrix. Boxes hold each pentomino once, and single cells."
    )
    return Table("setup", text, columns, tuple(sorted(rows, key=lambda row: row["placements"])))


def _best(name: str, plan: Plan) -> dict[str, Any]:
    """The quickest of several times."""
    runs = [_steps(name)]
    while len(runs) < plan.times and sum(run["all"] for run in runs) < plan.enough_seconds:
        runs.append(_steps(name))
    return min(runs, key=lambda run: float(run["all"]))


def _steps(name: str) -> dict[str, Any]:
    marks = [time.perf_counter()]
    puzzle = puzzle_of(name)
    marks.append(time.perf_counter())
    table = placements(puzzle)
    marks.append(time.perf_counter())
    group = SymmetryGroup(puzzle, table, "all")
    reduction = reduce_by(puzzle, table, group, None, "auto")
    marks.append(time.perf_counter())
    encode(puzzle, table, reduction)
    marks.append(time.perf_counter())
    taken = {step: after - before for step, before, after in zip(STEPS, marks[:-1], marks[1:], strict=True)}
    figures = {"puzzle": name, "placements": len(table), "symmetries": len(group)}
    return figures | taken | {"all": marks[-1] - marks[0]}
