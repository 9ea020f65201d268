"""Texts of puzzles and lattices to be spoilt, and what is asked of the message.

Texts mark the line of their fault with a comment, "#!".
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.command_line import COMMAND, FAILED, Result
from tests.processes import GUARD

HERE = "#!"
HUGE = "1" + "0" * 400  # more than a float can hold


def by_shell(redirection: str, *words: object, **changes: str) -> Result:
    """The command line as a process of its own, under a redirection of the shell."""
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", *COMMAND, *map(str, words)],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=GUARD,
        check=False,
        env={**os.environ, **changes},
    )


def message_of(result: Result, code: int = FAILED, *, word: str = "error") -> str:
    """What the one paragraph says after its first word."""
    assert result.returncode == code, result
    assert result.stdout == ""
    assert result.stderr.startswith(f"{word}: ")
    assert result.stderr.endswith("\n")
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix(f"{word}: ").rstrip("\n")


def assert_says(message: str, path: Path, text: str, *words: str) -> None:
    """*message* names the file, the line marked in *text*, and all of *words*."""
    line = text[: text.index(HERE)].count("\n") + 1 if HERE in text else r"\d+"
    assert re.match(rf"{re.escape(str(path))}:{line}(:\d+)?: ", message), (line, message)
    assert all(word in message for word in words), message


def write(folder: Path, text: str | bytes, name: str = "file.toml") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def case(name: str, text: str, *words: str) -> object:
    return pytest.param(text, words, id=name.replace(" ", "-"))


NAME, SQUARE = 'name = "p"\n', 'lattice = "square"\n'
HEAD = NAME + SQUARE
BOX = "[region]\nbox = [2, 2]\n"
PART = '[[parts]]\nname = "A"\nbox = [2, 2]\n'
PUZZLE = HEAD + BOX + PART
REST = BOX + PART


def region(text: str) -> str:
    return f"{HEAD}[region]\n{text}\n{PART}"


def part(text: str, before: str = "") -> str:
    return f'{HEAD}{before}{BOX}[[parts]]\nname = "A"\n{text}\n'


def parts(*texts: str, box: str = BOX) -> str:
    """A puzzle of several parts; the marks are set by hand."""
    return HEAD + box + "".join(f"[[parts]]{text}\n" for text in texts)


LATTICE = """\
name = "net"
basis = [[0, -1], [1, 0]]
part_transformations = "rotations"

[nodes.cell]
polygon = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]

[half_edges]
north = { step = [-1, 0], twin = "south" }
south = { step = [1, 0], twin = "north" }
west = { step = [0, -1], twin = "east" }
east = { step = [0, 1], twin = "west" }

[[transformations]]
name = "quarter turn"
cycles = ["east north west south"]
"""
SYMBOLS = 'drawings = "symbols"\n' + LATTICE
CYCLES = 'cycles = ["east north west south"]'
TURN = '[[transformations]]\nname = "quarter turn"\n'
ONE_AXIS = re.sub(r"(?m)^(north|south) = .*\n", "", LATTICE).replace("east north west south", "east west")
NO_EDGES = re.sub(r"(?m)^(north|south|east|west) = .*\n", "", LATTICE)
LEAVES = range(8)  # about a hub: they can be exchanged in 8! ways
STAR = "\n".join(
    [
        'name = "star"\ndrawings = "symbols"\nbasis = [[1]]\n[nodes.hub]\nradius = 1',
        *(f"[nodes.leaf{k}]\nradius = 1" for k in LEAVES),
        "[half_edges]",
        'right = { from = "hub", to = "hub", step = [1], twin = "left" }',
        'left = { from = "hub", to = "hub", step = [-1], twin = "right" }',
        *(f'out{k} = {{ from = "hub", to = "leaf{k}", step = [0], twin = "in{k}" }}' for k in LEAVES),
        *(f'in{k} = {{ from = "leaf{k}", to = "hub", step = [0], twin = "out{k}" }}' for k in LEAVES),
        '[[transformations]] #!\nname = "exchange"\ncycles = ["out0 out1", "in0 in1"]',
        '[[transformations]]\nname = "turn"\ncycles = [',
        *(f'"{" ".join(f"{way}{k}" for k in LEAVES)}",' for way in ("out", "in")),
        "]",
    ]
)


def lattice(old: str, new: str, text: str = LATTICE) -> str:
    """The lattice above with the line that starts with *old* replaced."""
    found, n = re.subn(rf"^{re.escape(old)}.*$", lambda _: new, text, flags=re.MULTILINE)
    assert n == 1
    return found


def edge(new: str) -> str:
    """The lattice above with another half-edge to the north."""
    return lattice("north", f"{new} #!")


def other_label(label: str) -> str:
    """The lattice above with this label for the half-edge to the north."""
    text = edge(f'{label} = {{ step = [-1, 0], twin = "south" }}').replace("east north west south", "east west")
    return text.replace('"north"', label if label.startswith('"') else f'"{label}"')


def drawing(new: str) -> str:
    return lattice("polygon", new)


CORNERS = "[[0, 0], [1, 0], [0, 1]]"
SET = "name = 's'\n[[parts]]\nname = 'A'\nart = ['XX', 'XX']\n"
