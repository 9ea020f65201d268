"""JSON for other programs: the puzzle, its cover problem and, on request, all of its solutions.

docs/formats.md has the keys. Everything is written as it comes, so that no number of solutions fills the memory;
whether the search was complete stands behind them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise

import numpy as np

from latcover.cover.problem import Ints, Longs
from latcover.formats.cover_problems.exported import Exported
from latcover.formats.forms import How
from latcover.formats.puzzle_files.puzzle_writer import puzzle_as_data
from latcover.solving.collector import verified
from latcover.solving.solutions import kept_covers

VERSION = 1
_BLOCK = 5000  # entries written at once


def write(exported: Exported, how: How = How()) -> Iterator[bytes]:  # noqa: B008 - frozen
    """The file, some lines at a time.

    Raises:
        UnsupportedError: the puzzle was made by a program, and no file can say what it is.
    """
    puzzle = exported.prepared.puzzle if exported.prepared is not None else None
    about = {"latcover": VERSION, "name": exported.name, "remarks": exported.remarks}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in about.items()]
    lines.append(f'"puzzle": {json.dumps(None if puzzle is None else puzzle_as_data([puzzle]))}')
    yield ("{" + ",\n".join(lines) + ',\n"problem": {\n').encode()
    yield from _problem(exported)
    yield b"}"
    if how.solutions:
        yield from _solutions(exported, how)
    yield b"}\n"


def _problem(exported: Exported) -> Iterator[bytes]:
    problem = exported.problem
    yield from _array("items", map(json.dumps, exported.items))
    for name in ("low", "high"):
        yield from _array(name, map(str, getattr(problem, name).tolist()))
    yield f'"cells": {problem.n_cells},\n'.encode()
    yield from _array("part_sizes", map(str, problem.part_sizes.tolist()))
    yield from _array("neighbours", _rows(problem.neighbour_starts, problem.neighbours))
    yield from _array("colours", map(json.dumps, exported.colours))
    yield from _array("options", _rows(problem.option_starts, problem.option_items))
    if problem.has_colours:
        yield from _array("option_colours", _rows(problem.option_starts, problem.option_colours))
    yield from _array("choice", map(str, exported.variables.tolist()))
    yield from _array("choices", map(json.dumps, exported.descriptions()), last=True)


def _rows(starts: Longs, members: Ints | Longs) -> Iterator[str]:
    """Compressed rows, each as an array."""
    for first in range(0, len(starts) - 1, _BLOCK):
        edges = starts[first : first + _BLOCK + 1].tolist()
        block = np.asarray(members[edges[0] : edges[-1]]).tolist()
        for a, b in pairwise(edges):
            yield str(block[a - edges[0] : b - edges[0]])


def _array(name: str, texts: Iterable[str], *, last: bool = False) -> Iterator[bytes]:
    """A key and an array of values that are JSON already."""
    yield f'"{name}": ['.encode()
    rest, parted = iter(texts), ""
    while block := list(islice(rest, _BLOCK)):
        yield (parted + ",".join(block)).encode()
        parted = ",\n"
    yield b"]\n" if last else b"],\n"


def _solutions(exported: Exported, how: How) -> Iterator[bytes]:
    """All solutions, verified, and what is known when they have been found."""
    subject = exported.subject
    show = verified(subject)
    stopped = False

    def go_on(_: object) -> bool:
        nonlocal stopped
        stopped = stopped or how.cancelled()
        return not stopped

    yield b',\n"solutions": ['
    different = total = 0
    for members, orbit in kept_covers(subject, on_progress=go_on):
        different, total = different + 1, total + orbit
        data = show(members, different, 1, orbit).as_json()
        data["choices"] = sorted(k + 1 for k in members.tolist())
        yield (("" if different == 1 else ",") + "\n" + json.dumps(data)).encode()
        if not go_on(None):
            break
    summary = {
        "complete": not stopped,
        "symmetry": subject.symmetry,
        "different": different,
        "total": total,
    }
    yield f'\n],\n"summary": {json.dumps(summary)}'.encode()
