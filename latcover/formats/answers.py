"""What other programs answer: models of SAT, pseudo-Boolean and integer solvers, and covers of DLX programs.

Read line by line, so that a file of many models needs no more memory than one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, islice

from latcover.errors import Complaint, PuzzleFileError

_LOOKED_AT = 200  # lines, to tell what kind of answer it is
_OF = re.compile(r"\s*\(\d+ of \d+\)\s*$")
_HEADER = re.compile(r"\s*\d+:\s*$")
_LITERAL = re.compile(r"(-?|~?)x?(\d{1,12})")
_VALUE = re.compile(r"(?:^|\s)x(\d{1,12})[=*\s]+([-+]?\d[\d.]*(?:[eE][-+]?\d+)?)(?=\s|$)")


class Kind(StrEnum):
    """What an answer looks like."""

    sat = "sat"  # "s" and "v" lines, MiniSat's form, or bare literals
    dlx = "dlx"  # options, item by item
    mip = "mip"  # the variables' values, one a line


@dataclass(frozen=True, slots=True)
class Model:
    """One model: the variables that are true, or options by their items; and the line where it begins."""

    line: int
    true: tuple[int, ...] = ()
    options: tuple[tuple[str, ...], ...] = ()


def kind_of(lines: list[str]) -> Kind | None:
    """What the first lines of an answer look like; None for none of these."""
    if any(_OF.search(line) or _HEADER.match(line) for line in lines):
        return Kind.dlx
    words = [line.split() for line in lines if line.strip()]
    told = {"SAT", "UNSAT", "SATISFIABLE", "UNSATISFIABLE", "INDET"}
    if any(w[0] in ("s", "v") or (len(w) == 1 and w[0] in told) for w in words):
        return Kind.sat
    if words and all(_LITERAL.fullmatch(word) for word in chain.from_iterable(words)):
        return Kind.sat
    if any(_VALUE.search(line) or "infeasible" in line.lower() for line in lines):
        return Kind.mip
    return None


def read_models(lines: Iterable[str], path: str, kind: Kind | None = None) -> Iterator[Model]:
    """The models of an answer, one by one; none where the program found that there is none.

    Raises:
        PuzzleFileError: it is no answer that can be understood; the error says in which line.
    """
    rest = iter(lines)
    first = list(islice(rest, _LOOKED_AT))
    kind = kind or kind_of(first)
    if kind is None:
        what = (
            "is no answer of a SAT solver ('s' and 'v' lines, or MiniSat's), of an integer solver ('x12 1') "
            "or of a DLX program"
        )
        raise PuzzleFileError([Complaint(what, path)])
    reader = {Kind.sat: _sat, Kind.dlx: _dlx, Kind.mip: _mip}[kind]
    yield from reader(enumerate(chain(first, rest), 1), path)


Numbered = Iterator[tuple[int, str]]


def _sat(lines: Numbered, path: str) -> Iterator[Model]:
    """A literal 0, a new status, "Answer:" or a variable that has a value already ends a model."""
    true: list[int] = []
    seen: set[int] = set()
    began = 0
    for line, text in lines:
        words = text.split()
        if not words or words[0] in ("c", "o", "%", "*", "d", "t") or words[0].startswith(("--", "==")):
            if seen and words[:2] == ["c", "Answer:"]:
                yield Model(began, tuple(true))
                true, seen = [], set()
            continue
        if words[0] == "s" or words[0].isupper():
            if not set(words) & _STATUSES:
                raise _fault(path, line, f"{text[:40]!r} is no status that solvers give")
            if seen:
                yield Model(began, tuple(true))
                true, seen = [], set()
            continue
        for word in words[1:] if words[0] == "v" else words:
            match = _LITERAL.fullmatch(word)
            if match is None:
                raise _fault(path, line, f"{word[:40]!r} is no literal such as 12 or -12")
            variable = int(match[2])
            if variable == 0 or variable in seen:
                if seen or variable == 0:
                    yield Model(began or line, tuple(true))
                true, seen, began = [], set(), 0
                if variable == 0:
                    continue
            began = began or line
            seen.add(variable)
            if not match[1]:
                true.append(variable)
    if seen:
        yield Model(began, tuple(true))


_STATUSES = {"SAT", "UNSAT", "SATISFIABLE", "UNSATISFIABLE", "INDET", "UNKNOWN", "OPTIMUM", "INDETERMINATE"}


def _dlx(lines: Numbered, path: str) -> Iterator[Model]:
    """Each model follows a line with its number; or, without numbers, a blank line parts them."""
    options: list[tuple[str, ...]] = []
    began = 0
    for line, text in lines:
        if text.startswith("|"):
            continue
        words = tuple(_OF.sub("", text).split())
        if _HEADER.match(text) or not words:
            if options:
                yield Model(began, options=tuple(options))
            options = []
            continue
        if not options:
            began = line
        options.append(words)
    if options:
        yield Model(began, options=tuple(options))


def _mip(lines: Numbered, path: str) -> Iterator[Model]:
    """Variables and their values; one that has a value already begins another model."""
    true: list[int] = []
    seen: set[int] = set()
    began = 0
    for line, text in lines:
        match = _VALUE.search(text)
        if match is None:
            continue
        variable, value = int(match[1]), float(match[2])
        if variable in seen:
            yield Model(began, tuple(true))
            true, seen = [], set()
        if not seen:
            began = line
        seen.add(variable)
        if abs(value - round(value)) > 1e-4 or round(value) not in (0, 1):
            raise _fault(path, line, f"x{variable} is {match[2]}, neither 0 nor 1")
        if round(value) == 1:
            true.append(variable)
    if seen:
        yield Model(began, tuple(true))


def _fault(path: str, line: int, what: str) -> PuzzleFileError:
    return PuzzleFileError([Complaint(what, path, line)])
