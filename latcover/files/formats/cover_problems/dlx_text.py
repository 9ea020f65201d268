"""The text that Knuth's programs DLX1, DLX2 and DLX3 read: a line of items, then a line for each option.

Primary items come first, then ``|``, then secondary ones. An option may give a secondary item a colour, as in
``item:colour``. In DLX3 a primary item may have bounds, as in ``2:3|name``. A line that begins with ``|`` is a comment;
so is what follows a word that begins with ``//`` and is no item, which other programs write. An option without any
primary item is ignored.

Source: D. E. Knuth, dlx1.w, dlx2.w and dlx3.w (2016-2020); The Art of Computer Programming, section 7.2.2.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.model.puzzle import Bounds
from latcover.errors import Complaint, PuzzleError, UnsupportedError, counted, suggest
from latcover.files.formats.cover_problems.exported import Exported, about, commented, numbers_where_alike
from latcover.files.formats.source import Source

_LINES = 2000  # written at once
_MOST = 1_000_000  # of a bound
_BOUNDS = re.compile(r"(?:(\d{1,9}):)?(\d{1,9})\|(.+)")

Flags = npt.NDArray[np.bool_]


def write(exported: Exported) -> Iterator[bytes]:
    """The problem as text, some lines at a time.

    Items that are held exactly once are primary, those held at most once are secondary, and others have DLX3's bounds.
    An option without a primary item would be ignored, so one of its items becomes primary, held at most once. Options
    with equal cells and parts get an item of their own, "#" and their number.

    Raises:
        UnsupportedError: there are no items, or an option has none that could be primary.
    """
    problem = exported.problem
    if not problem.n_items:
        raise UnsupportedError("a problem without items cannot be written: Knuth's programs ask for one")
    possible = _possible(problem)
    primary = _primary(problem, possible)
    alike = numbers_where_alike(exported)
    numbers = {option: alike[v] for option, v in enumerate(exported.variables.tolist()) if v in alike} if alike else {}
    names = exported.short_items()
    legend = [f"{a} = {b}" for a, b in zip(names, exported.items, strict=True) if a != b]
    yield from commented(chain(about(exported), legend), "|")
    bounds = zip(names, problem.low.tolist(), problem.high.tolist(), primary.tolist(), strict=True)
    words = [_with_bounds(name, low, high) for name, low, high, own in bounds if own]
    secondary = [name for name, own in zip(names, primary.tolist(), strict=True) if not own] + list(numbers.values())
    yield (" ".join([*words, *(["|", *secondary] if secondary else [])]) + "\n").encode()
    colours = ["", *(f":{name}" for name in exported.colours)]
    kept = np.flatnonzero(possible)
    for first in range(0, len(kept), _LINES):
        block = kept[first : first + _LINES].tolist()
        lines = [_words(problem, option, names, colours) for option in block]
        for option, line in zip(block, lines, strict=True):
            line += [numbers[option]] if option in numbers else []
        yield ("\n".join(map(" ".join, lines)) + "\n").encode()


def _words(problem: CoverProblem, option: int, names: Sequence[str], colours: Sequence[str]) -> list[str]:
    """The words of an option."""
    words = [names[item] for item in problem.items_of(option).tolist()]
    if not problem.has_colours:
        return words
    return [word + colours[colour] for word, colour in zip(words, problem.colours_of(option).tolist(), strict=True)]


def _possible(problem: CoverProblem) -> Flags:
    """The options, except those that hold an item which must not be held."""
    shut = np.append(0, np.cumsum(problem.high[problem.option_items] == 0))
    possible: Flags = shut[problem.option_starts[1:]] == shut[problem.option_starts[:-1]]
    return possible


def _primary(problem: CoverProblem, possible: Flags) -> Flags:
    """Which items are primary. An item that has a colour in some option cannot be."""
    primary: Flags = (problem.low > 0) | (problem.high != 1)
    coloured = np.zeros(problem.n_items, np.bool_)
    if problem.has_colours:
        coloured[problem.option_items[problem.option_colours > 0]] = True
    seen = np.append(0, np.cumsum(primary[problem.option_items]))
    starts = problem.option_starts
    for option in np.flatnonzero((seen[starts[1:]] == seen[starts[:-1]]) & possible).tolist():
        held = problem.items_of(option)
        free = held[~coloured[held]]
        if not primary[held].any():
            if not len(free):
                raise UnsupportedError(
                    f"option {option + 1} holds no item that could be primary, as Knuth's programs ask"
                )
            primary[free[0]] = True
    if not primary.any():  # without it the line would begin with a bar, and would be a comment
        if coloured.all():
            raise UnsupportedError("the problem holds no item that could be primary, as Knuth's programs ask")
        primary[np.flatnonzero(~coloured)[0]] = True
    return primary


def _with_bounds(name: str, low: int, high: int) -> str:
    if low == high == 1:
        return name
    return f"{low}|{name}" if low == high else f"{low}:{high}|{name}"


def read(source: Source, bounds: Bounds = Bounds()) -> NamedProblem:
    """Read a problem. Its items and options keep the order of the file.

    Raises:
        PuzzleFileError: it cannot be read; the error says in which line.
    """
    return _Reader(source, bounds).problem()


class _Reader:
    """One file being read."""

    def __init__(self, source: Source, bounds: Bounds) -> None:
        self.source, self.bounds = source, bounds
        self.items: dict[str, int] = {}
        self.low: list[int] = []
        self.high: list[int] = []
        self.n_primary = 0
        self.colours: dict[str, int] = {}
        self.starts, self.members, self.shades = [0], [], []  # type: tuple[list[int], list[int], list[int]]
        self.ignored: list[int] = []  # lines

    def problem(self) -> NamedProblem:
        for line, text in enumerate(self.source.text().split("\n"), 1):
            words = self._without_comment(text)
            if not words:
                continue
            if not self.items:
                self._name_items(words, line)
            else:
                self._add_option(words, line)
        if not self.items:
            raise self.source.fault("names no items; the first line that is not a comment must list them")
        coloured = np.array(self.shades if self.colours else [], dtype=np.int32)
        starts, members = np.array(self.starts), np.array(self.members, dtype=np.int32)
        low, high = np.array(self.low, dtype=np.int32), np.array(self.high, dtype=np.int32)
        are = "is" if len(self.ignored) == 1 else "are"
        what = f"{counted(len(self.ignored), 'option')} without a primary item {are} ignored, as in Knuth's programs"
        warnings = tuple(Complaint(what, self.source.name, line, warning=True) for line in self.ignored[:1])
        try:
            problem = CoverProblem(starts, members, low, high, option_colours=coloured)
        except PuzzleError as fault:
            raise self.source.fault(str(fault)) from None
        return NamedProblem(self.source.stem, problem, tuple(self.items), tuple(self.colours), warnings)

    def _without_comment(self, text: str) -> list[str]:
        """The words of a line before a comment: a line that begins with a bar, or what follows ``//``."""
        words = [] if text.startswith("|") else text.split()
        if not self.items:  # the names of items, one of which may begin so
            ends = [k for k, word in enumerate(words) if word == "//" or (k == 0 and word.startswith("//"))]
        else:
            ends = [k for k, word in enumerate(words) if word.startswith("//") and word not in self.items]
        return words[: min(ends, default=len(words))]

    def _name_items(self, words: list[str], line: int) -> None:
        if words.count("|") > 1:
            raise self.source.fault("'|' occurs twice; it separates primary from secondary items", line)
        self.n_primary = words.index("|") if "|" in words else len(words)
        for k, word in enumerate(word for word in words if word != "|"):
            name, low, high = word, 1 if k < self.n_primary else 0, 1
            if "|" in word:
                match = _BOUNDS.fullmatch(word)
                if match is None or k >= self.n_primary:
                    raise self.source.fault(
                        f"{word[:40]!r} is neither an item nor bounds and a primary item, as in 2:3|x", line
                    )
                high, name = int(match[2]), match[3]
                low = high if match[1] is None else int(match[1])
                if not low <= high <= _MOST:
                    raise self.source.fault(f"the bounds of {word[:40]!r} must ascend, up to {_MOST:,}", line)
            if ":" in name or "|" in name:
                raise self.source.fault(f"the item {name[:40]!r} must not contain ':' or '|'", line)
            if name in self.items:
                raise self.source.fault(f"a second item is named {name[:40]!r}", line)
            self.items[name] = len(self.items)
            self.low.append(low)
            self.high.append(high)
        if len(self.items) > self.bounds.cells:
            raise self.source.fault(f"more than {self.bounds.cells:,} items; raise the bound with --max-cells", line)
        if not self.n_primary:
            raise self.source.fault("there is no primary item", line)

    def _add_option(self, words: list[str], line: int) -> None:
        held: dict[int, int] = {}
        for word in words:
            name, colon, colour = word.partition(":")
            item = self.items.get(name)
            if item is None:
                raise self.source.fault(f"no item is named {name[:40]!r}{suggest(name, list(self.items)[:1000])}", line)
            if item in held:
                raise self.source.fault(f"the item {name[:40]!r} occurs twice in one option", line)
            if colon and item < self.n_primary:
                raise self.source.fault(f"the primary item {name[:40]!r} cannot have a colour", line)
            if colon and not colour:
                raise self.source.fault(f"the colour of {name[:40]!r} is missing", line)
            held[item] = self.colours.setdefault(colour, len(self.colours) + 1) if colon else 0
        if min(held) >= self.n_primary:
            self.ignored.append(line)
            return
        for item in sorted(held):
            self.members.append(item)
            self.shades.append(held[item])
        self.starts.append(len(self.members))
        if len(self.starts) > self.bounds.placements + 1:
            raise self.source.fault(
                f"more than {self.bounds.placements:,} options; raise the bound with --max-placements", line
            )
