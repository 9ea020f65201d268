"""Clauses as lines of a DIMACS file, strictly: programs differ in what they make of a line that is odd."""

from __future__ import annotations

import re

CLAUSE = re.compile(r"(-?[1-9][0-9]* )+0", re.ASCII)


def literals_in(line: str) -> list[int]:
    """The clause in a line, which ends with its only 0; none if the line is not just one clause."""
    return list(map(int, line.split()))[:-1] if CLAUSE.fullmatch(line.strip()) else []
