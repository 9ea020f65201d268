"""What other programs answer: models of SAT, pseudo-Boolean and integer solvers, and covers of DLX programs.

They are read line by line, so a file of many models needs no more memory than one of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from itertools import chain, islice

from msgspec import Struct

from latcover.errors import Complaint, PuzzleFileError
from latcover.files.formats.letters.letters_text import Assembly, read_pieces

LONGEST = 1 << 26  # characters from one model to the end of the next
LONGEST_ANSWER = 1 << 32  # characters in all
_LONGEST_TEXT = 1 << 24  # characters of a text of letters, which is read as a whole
_LOOKED_AT = 200  # lines, to tell what kind of answer it is
_OF = re.compile(r"\s*(\(\d+ of \d+\)|;)\s*$")  # how DLX programs and miniexact end an option
_HEADER = re.compile(r"\s*\d+:\s*$")
_FOUND = re.compile(r"Found \d+ solutions?!\s*$")  # miniexact
_LITERAL = re.compile(r"(-?|~?)x?(\d{1,12})")
_BARE = re.compile(r"-?\d{1,12}")
_VALUE = re.compile(r"(?:^|\s)x(\d{1,12})[=*\s]+([-+]?\d+\.?\d*(?:[eE][-+]?\d+)?)(?=\s|$)")
_NO_MODEL = re.compile(r"\b(infeasible|integer (?:empty|undefined)|no feasible solution)\b", re.IGNORECASE)
_MODEL = re.compile(r"\s*(status:\s+integer (non-)?optimal|optimal\b)", re.IGNORECASE)
_STATUSES = {"SAT", "UNSAT", "SATISFIABLE", "UNSATISFIABLE", "INDET", "UNKNOWN", "OPTIMUM", "INDETERMINATE"}
_OPEN = {"INDET", "UNKNOWN", "INDETERMINATE"}
_CLAIMS = {"SAT", "SATISFIABLE", "OPTIMUM"}
_DENIALS = {"UNSAT", "UNSATISFIABLE"}
_SEPARATOR = re.compile(r"-{10}|={10}|={5}[A-Z]+={5}")  # MiniZinc's lines between and after solutions


class Kind(StrEnum):
    """What an answer looks like."""

    sat = "sat"  # "s" and "v" lines, MiniSat's form, or bare literals
    dlx = "dlx"  # options, item by item
    mip = "mip"  # the variables' values, one a line
    text = "text"  # letters in a grid


class Model(Struct, frozen=True):
    """One model: the variables that are true, or options by their items; and the line where it begins.

    If it is *denied*, the program says that there is no solution, and these values are those where it stopped.
    """

    line: int
    true: tuple[int, ...] = ()
    options: tuple[tuple[str, ...], ...] | None = None
    denied: bool = False


def kind_of(lines: list[str]) -> Kind | None:
    """The kind of an answer, by its first lines; None if it is none of these."""
    if any(_OF.search(line) or _HEADER.match(line) or _FOUND.match(line) for line in lines):
        return Kind.dlx
    words = [line.split() for line in lines if line.strip()]
    if any(w[0] in ("s", "v") or (len(w) == 1 and (w[0] in _STATUSES or _SEPARATOR.fullmatch(w[0]))) for w in words):
        return Kind.sat
    if words and all(_BARE.fullmatch(word) for word in chain.from_iterable(words)) and _has_sign(words):
        return Kind.sat
    if any(_VALUE.search(line) or _NO_MODEL.search(line) or _MODEL.match(line) for line in lines):
        return Kind.mip
    return None


def _has_sign(words: list[list[str]]) -> bool:
    """Whether bare numbers are literals, not a grid of digits."""
    return any(row[-1] == "0" or any(word[0] == "-" for word in row) for row in words)


def read_models(
    lines: Iterable[str], path: str, kind: Kind | None = None, on_note: Callable[[str], None] = lambda _: None
) -> Iterator[Model | Assembly]:
    """The models of an answer, one by one; none if the program found that there is none.

    A text of letters is read as a whole, as assemblies.

    Args:
        lines, path: The answer, and what to call it.
        kind: The kind of the answer; None finds it out.
        on_note: Called with remarks for users, for example that the program gave up.

    Raises:
        PuzzleFileError: the answer cannot be understood, goes on without a model or without end, or says that there is
            no solution beside one; the error says in which line.
    """
    bounded = _Bounded(lines, path, LONGEST)
    rest = iter(bounded)
    first = list(islice(rest, _LOOKED_AT))
    kind = kind or kind_of(first)
    if kind is None or kind is Kind.text:
        bounded.most = _LONGEST_TEXT
        yield from _assemblies("".join(chain(first, rest)), path, sure=kind is not None)
        return
    numbered = enumerate(chain(first, rest), 1)
    if kind is Kind.sat:
        models = _Literals(path, on_note).models(numbered)
    else:
        models = _dlx(numbered, path) if kind is Kind.dlx else _mip(numbered, path)
    for model in models:
        bounded.since = 0
        yield model


class _Bounded(Struct):
    """The lines of an answer, which may hold any number of models, but may not go on for ever without one."""

    lines: Iterable[str]
    path: str
    most: int
    since: int = 0  # characters since the last model
    read: int = 0

    def __iter__(self) -> Iterator[str]:
        for number, line in enumerate(self.lines, 1):
            self.since += len(line)
            self.read += len(line)
            if self.read > LONGEST_ANSWER:
                what = f"is longer than {LONGEST_ANSWER:,} characters; give an answer in parts of this size"
                raise _fault(self.path, number, what)
            if self.since > self.most:
                what = f"goes on for more than {self.most:,} characters without the end of a solution"
                raise _fault(self.path, number, f"{what}; give the whole answer of one program")
            yield line


Numbered = Iterator[tuple[int, str]]


def _assemblies(text: str, path: str, sure: bool) -> list[Assembly]:
    try:
        return read_pieces(text, path)
    except PuzzleFileError:
        if sure:
            raise
    what = (
        "is not the answer of a SAT solver ('s' and 'v' lines, or MiniSat's), of an integer solver ('x12 1') or of a "
        "DLX program, nor an assembly in letters"
    )
    raise PuzzleFileError([Complaint(what if text.strip() else f"is empty: it {what}", path)])


class _Literals:
    """Models made of literals.

    A literal 0, a new status, "Answer:" (clasp), MiniZinc's lines or a variable that has a value already ends a model.
    """

    def __init__(self, path: str, on_note: Callable[[str], None]) -> None:
        self.path, self.on_note = path, on_note
        self.true: list[int] = []
        self.seen: set[int] = set()
        self.began = 0
        self.is_answer = self.has_model = False  # whether there was a status or the like; whether there was a model
        self.claimed = 0  # the line of a status which says that there is a model
        self.denied = 0  # the line of one which says that there is none
        self.said = ""  # the last status of these two kinds

    def models(self, lines: Numbered) -> Iterator[Model]:
        for line, text in lines:
            words = text.split()
            if not words or words[0] in ("c", "o", "%", "*", "d", "t"):
                if words[:2] == ["c", "Answer:"]:
                    yield from self._ended()
            elif _SEPARATOR.fullmatch(words[0]):
                self.is_answer = True
                yield from self._ended()
                if "UNKNOWN" in words[0]:
                    self._gave_up(line)
                if "UNSATISFIABLE" in words[0]:
                    self._deny(line)
            elif words[0] == "s" or words[0].isupper():
                yield from self._ended()
                self._status(words, line)
            else:
                yield from self._literals(words, line)
        yield from self._ended()
        self._require_what_is_claimed()

    def _ended(self) -> Iterator[Model]:
        """The model so far, if there is one."""
        if self.began:
            self.has_model = True
            if self.denied and not self.claimed:
                raise self._contradiction()
            yield Model(self.began, tuple(self.true))
        self.true, self.seen, self.began = [], set(), 0

    def _status(self, words: list[str], line: int) -> None:
        if not set(words) & _STATUSES:
            raise _fault(self.path, line, f"{' '.join(words)[:40]!r} is not a status that solvers print")
        self.is_answer = True
        if set(words) & _CLAIMS:
            self.claimed = self.claimed or line
        if set(words) & _DENIALS:
            self._deny(line)
        if set(words) & _OPEN:
            self._gave_up(line)

    def _require_what_is_claimed(self) -> None:
        """Refuse an answer with neither a model nor the status that there is none: the solver may have been cut off."""
        if self.has_model:
            return
        if self.claimed:
            what = "the solver says that there is a solution, but none follows: have it print the model ('v' lines)"
            raise _fault(self.path, self.claimed, what)
        if not self.is_answer:
            raise _fault(self.path, 0, "contains neither a model nor a statement that there is none")

    def _deny(self, line: int) -> None:
        """There is no solution; or no other, if the solver has said before that there is one, and was asked again."""
        if not self.denied:
            self.on_note(f"{self.path}:{line}: the solver says that there is no solution, which this does not check")
        self.denied = self.denied or line
        if self.has_model and not self.claimed:
            raise self._contradiction()

    def _contradiction(self) -> PuzzleFileError:
        what = "the solver says that there is no solution, but the answer holds one; give the whole answer of one run"
        return _fault(self.path, self.denied, what)

    def _gave_up(self, line: int) -> None:
        self.on_note(f"{self.path}:{line}: the solver gave up: there may be solutions that it did not find")

    def _literals(self, words: list[str], line: int) -> Iterator[Model]:
        if words[0] == "v":
            words = words[1:]
            self.began = self.began or line  # also of a model without any variable
        for word in words:
            match = _LITERAL.fullmatch(word)
            if match is None:
                raise _fault(self.path, line, f"{word[:40]!r} is not a literal such as 12 or -12")
            variable = int(match[2])
            if variable in self.seen:
                yield from self._ended()
            self.began = self.began or line
            if variable == 0:
                yield from self._ended()
                continue
            self.seen.add(variable)
            if not match[1]:
                self.true.append(variable)


def _dlx(lines: Numbered, path: str) -> Iterator[Model]:
    """Each model follows a line with its number. Without numbers, blank lines separate them."""
    options: list[tuple[str, ...]] = []
    began = denied = models = 0
    for line, text in lines:
        words = tuple(_OF.sub("", text).split())
        if _FOUND.match(text):
            denied = line if words[1] == "0" else denied
        elif text.startswith("|"):
            continue
        elif _HEADER.match(text) or not words:
            if options:
                models += 1
                yield Model(began, options=tuple(options))
            options = []
        else:
            began = began if options else line
            options.append(words)
        if denied and (models or options):
            raise _fault(path, denied, "the program says that it found no solution, but the answer holds one")
    if options:
        yield Model(began, options=tuple(options))


def _mip(lines: Numbered, path: str) -> Iterator[Model]:
    """Variables and their values. A variable that has a value already begins another model. Zeros may be left out.

    Values below the remark that the problem is infeasible are those where the solver stopped.
    """
    true: list[int] = []
    seen: set[int] = set()
    began = optimal = 0
    denied = False
    for line, text in lines:
        match = _VALUE.search(text)
        if match is None:
            denied = denied or (_NO_MODEL.search(text) is not None and not seen)
            optimal = optimal or (line if _MODEL.match(text) else 0)
            continue
        variable, value = int(match[1]), float(match[2])
        if variable in seen:
            yield Model(began, tuple(true), denied=denied)
            true, seen = [], set()
        if not seen:
            began = line
        seen.add(variable)
        if min(abs(value), abs(value - 1)) > 1e-4:
            if denied:
                return
            raise _fault(path, line, f"x{variable} is {match[2][:40]}, neither 0 nor 1")
        if value > 0.5:
            true.append(variable)
    if denied and not seen:
        return
    if not (seen or optimal):
        raise _fault(path, 0, "contains neither values of variables nor a statement that there is no solution")
    yield Model(began or optimal, tuple(true), denied=denied)


def _fault(path: str, line: int, what: str) -> PuzzleFileError:
    return PuzzleFileError([Complaint(what, path, line)])
