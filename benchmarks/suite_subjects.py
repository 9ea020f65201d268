"""The suite's puzzles by name: those that are shipped, and boards and boxes that are made as large as one likes."""

from __future__ import annotations

import re
import tempfile
from functools import lru_cache
from pathlib import Path

from latcover.encoding.prepared import Choices, Prepared, prepare
from latcover.errors import UnsupportedError
from latcover.formats.library import load, load_all, names
from latcover.model.puzzle import Puzzle

# What a board of unlimited parts is filled with. The balanced ones hold as many black cells as white ones.
ARTS = {
    "dominoes": [["XX"]],
    "trominoes": [["X.", "XX"]],
    "balanced": [["XX"], ["XXXX"], ["XXX", "X.."], ["XX", "XX"], [".XX", "XX."]],
}
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
