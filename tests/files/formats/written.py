"""Problems as files, for tests of the forms in which they are written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from latcover.core.cover.clauses import NATIVE, encodings
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.encoding.prepared import Choices, Prepared
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.files.formats import library
from latcover.files.formats.cover_problems.exported import exported
from latcover.files.formats.forms import WRITTEN, WriteOptions
from latcover.files.formats.library import load
from tests.dice import Dice
from tests.random_puzzles import puzzles

FULL = Choices(symmetry="none")
IN_CLAUSES = [encoding for encoding in encodings() if encoding != NATIVE]
PUZZLES = (puzzles("square"), puzzles("triangular"), puzzles("square", coloured=True, periodic=True))


def any_puzzle(dice: Dice) -> Puzzle:
    return dice.pick(PUZZLES)(dice)


GAPS = """
name = "gaps"
title = "an odd title: p cnf 1 1\\n\\u00fc"
lattice = "square"
region = { art = ["++XX", "XX++"], max_empty = 2 }
parts = [{ name = "I 3|;", min = 0, max = 2, art = ["XXX"] }, { name = "O", min = 1, max = 3, art = ["X"] }]
"""


def named(problem: CoverProblem) -> NamedProblem:
    return NamedProblem("bare", problem, tuple(f"item{k}" for k in range(problem.n_items)), ("red", "blue"))


def written(subject: Prepared | NamedProblem, form: str, options: WriteOptions | None = None) -> bytes:
    return b"".join(WRITTEN[form].write(exported(subject), options or WriteOptions()))


def own(text: str, folder: Path) -> Puzzle:
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8")
    return load(str(path))


def read_json(path: Path, bounds: Bounds = Bounds()) -> Any:
    """What a file of the form "json" holds: a bare problem, or puzzles."""
    found = library.load_subjects(str(path), bounds)
    return found[0] if isinstance(found[0], NamedProblem) else found
