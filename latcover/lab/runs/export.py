"""Export the solutions of a run, verified one by one: as JSON lines, a Parquet table or a BurrTools file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from latcover.core.cover.searchable import AnySolution, Searchable
from latcover.core.encoding.prepared import Prepared
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.solution import Solution
from latcover.core.solving.collector import Verified
from latcover.errors import InternalError, UnsupportedError
from latcover.files.formats.forms import XMPUZZLE, SolutionStream, WriteOptions, WrittenSolution
from latcover.lab.runs.audit import audit
from latcover.lab.runs.opening import damaged
from latcover.lab.runs.run_file import RunFile
from latcover.system.extras import require
from latcover.system.files import whole_file

_ROWS = 8192  # of a Parquet file, written at once
_AT_ONCE = 1024  # solutions that are checked together


def solutions_of(file: RunFile) -> Iterator[AnySolution]:
    """The solutions of a run, by number, each verified.

    Raises:
        RunFileError: the puzzle in the file gives another cover problem now, or the file is damaged.
    """
    audit(file)
    return _verified(file, _verifier(file))


def _verified(file: RunFile, verified: Verified[Any]) -> Iterator[AnySolution]:
    solutions = file.solutions()
    while some := list(islice(solutions, _AT_ONCE)):
        starts = np.cumsum([0, *(len(stored.choices) for stored in some)])
        sound = verified.sound(starts, np.concatenate([stored.choices for stored in some]))
        for stored, is_sound in zip(some, sound.tolist(), strict=True):
            if not is_sound:
                raise damaged(file.path, f"solution {stored.number} in it is wrong")
            yield verified.shown(stored.choices.tolist(), stored.number, 1, stored.orbit)


def intact_solutions_of(file: RunFile) -> Iterator[AnySolution]:
    """The intact solutions of a damaged file, by number, each verified."""
    verified = _verifier(file)
    for stored in file.intact_solutions():
        with suppress(InternalError):
            yield verified(stored.choices, stored.number, 1, stored.orbit)


def _verifier(file: RunFile) -> Verified[Any]:
    prepared = file.recipe.prepared()
    file.recipe.question(prepared).require(file.question, file.path)
    return Verified(prepared)


def as_json_lines(solutions: Iterable[AnySolution]) -> Iterator[bytes]:
    """One object a line, as `latcover solve --json` prints them."""
    for solution in solutions:
        yield f"{json.dumps(solution.as_json())}\n".encode()


def as_burrtools(file: RunFile, solutions: Iterator[Solution], *, whole: bool) -> Iterator[bytes]:
    """A BurrTools file with the puzzle of a run, and *solutions*; *whole* if they are all that the file holds.

    Raises:
        UnsupportedError: the run is about a bare problem, or BurrTools cannot say something in its puzzle.
    """
    puzzle = file.recipe.subject()
    if not isinstance(puzzle, Puzzle):
        raise UnsupportedError(f"{file.path} is about a cover problem without a puzzle: there are no shapes to write")
    complete = whole and not file.has_pending()
    written = (WrittenSolution(solution, np.empty(0, np.int32)) for solution in solutions)
    return XMPUZZLE.write([puzzle], WriteOptions(solutions=(SolutionStream(written, lambda: complete),)))


def write_parquet(file: RunFile, solutions: Iterable[AnySolution], path: Path) -> None:
    """Write a row for each solution: its number, its orbit, and its placements (options, of a bare problem).

    The file appears when it is complete; memory holds some thousand solutions at once.

    Raises:
        BackendUnavailableError: pyarrow is not installed, or cannot be loaded.
        PuzzleError: the file cannot be written.
    """
    require("a Parquet file", ("pyarrow", "pyarrow.parquet"), extra="parquet")
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.parquet as pq  # type: ignore[import-untyped]

    prepared = file.recipe.prepared()
    schema = _schema(prepared, pa)
    rows = (_row(solution, prepared) for solution in solutions)
    with whole_file(path) as target, pq.ParquetWriter(target, schema, compression="zstd") as writer:
        while some := list(islice(rows, _ROWS)):
            writer.write_table(pa.Table.from_pylist(some, schema))


def _schema(prepared: Searchable[Any], pa: Any) -> Any:
    """The columns of a table of solutions."""
    if not isinstance(prepared, Prepared):
        return pa.schema([("number", pa.int64()), ("options", pa.list_(pa.list_(pa.string())))])
    nodes = prepared.puzzle.lattice.nodes
    cell = [("x", pa.list_(pa.int32())), ("node", pa.string())] if len(nodes) > 1 else [("x", pa.list_(pa.int32()))]
    side = [*cell, ("edge", pa.string()), ("is", pa.string())]
    placement = [("part", pa.string()), ("cells", pa.list_(pa.struct(cell)))]
    colours, sides = ("colours", pa.list_(pa.string())), ("sides", pa.list_(pa.struct(side)))
    placements = pa.list_(pa.struct([*placement, colours, sides]))
    return pa.schema([("number", pa.int64()), ("orbit", pa.int64()), ("placements", placements)])


def _row(solution: AnySolution, prepared: Searchable[Any]) -> dict[str, Any]:
    """A solution as a row of such a table."""
    if not isinstance(solution, Solution):
        return solution.as_json()
    assert isinstance(prepared, Prepared)
    nodes = prepared.puzzle.lattice.nodes

    def written(cell: tuple[int, ...]) -> dict[str, Any]:
        return {"x": list(cell[1:]), "node": nodes[cell[0]].name} if len(nodes) > 1 else {"x": list(cell[1:])}

    placements = [
        {
            "part": placed.part,
            "cells": [written(cell) for cell in placed.cells],
            "colours": list(placed.colours),
            "sides": [{**written(cell), "edge": edge, "is": value} for cell, edge, value in placed.sides],
        }
        for placed in solution.placements
    ]
    return {"number": solution.number, "orbit": solution.orbit, "placements": placements}
