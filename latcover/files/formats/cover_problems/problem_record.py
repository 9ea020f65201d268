"""The problem itself as comments of a file that holds only clauses or sums, so that latcover can read it again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from latcover.files.formats.cover_problems.arrays import Array
from latcover.files.formats.cover_problems.exported import Exported

RECORD = "record "  # begins, after the mark of a comment, each line of the record
_ROWS = 1000  # in a line


def record(written: Exported, encoding: str = "") -> Iterator[str]:
    """The problem as lines of a comment: objects of JSON, whose lists are to be joined by their keys.

    Args:
        written: What is written.
        encoding: How its clauses say "at most one".
    """
    problem = written.problem
    head = {
        "encoding": encoding,
        "members": written.n_members,
        "numbers": written.n_variables,
        "cells": problem.n_cells,
        "remarks": written.remarks,
        **{key: [] for key in ("items", "options")},  # which must be there, even if there are none
    }
    yield RECORD + json.dumps(head)
    for key, entries in (("items", written.items), ("colours", written.colours)):
        yield from _lists(key, entries)
    for key in ("low", "high", "part_sizes"):
        yield from _lists(key, getattr(problem, key).tolist())
    yield from _lists("choice", written.variables.tolist())
    rows = {"options": (problem.option_starts, problem.option_items)}
    rows["neighbours"] = (problem.neighbour_starts, problem.neighbours)
    if problem.has_colours:
        rows["option_colours"] = (problem.option_starts, problem.option_colours)
    for key, (starts, members) in rows.items():
        yield from _lists(key, _rows(starts, members))


def _rows(starts: Array, members: Array) -> Iterator[list[int]]:
    return (members[a:b].tolist() for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True))


def _lists(key: str, entries: Iterable[Any]) -> Iterator[str]:
    rest = iter(entries)
    while block := list(islice(rest, _ROWS)):
        yield RECORD + json.dumps({key: block}, separators=(",", ":"))
