"""A cover problem in the form for other programs: items and choices with names and numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import singledispatch
from itertools import chain, count, islice
from typing import Any

import numpy as np
from msgspec import Struct

from latcover.core.cover.fingerprint import Words, mixed
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem, Longs
from latcover.core.cover.searchable import Searchable
from latcover.core.encoding.encode import part_items
from latcover.core.encoding.placement import PlacementTable
from latcover.core.encoding.prepared import Prepared
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Puzzle
from latcover.errors import counted
from latcover.system.sorted_sets import without

LONGEST_NAME = 8  # of an item, in Knuth's own programs
RULE = "!"  # begins the name of an item that is neither cell nor part
_COLOURS = 1 << 32  # an item and its colour make one word
_BLOCK = 10_000  # placements described at once
_LINES = 5000  # of comments, written at once


class Exported(Struct, frozen=True, eq=False):
    """The input of a writer.

    Attributes:
        name: The name of the puzzle, or of the file of a bare problem.
        problem: The cover problem.
        items: A name for each item: printable ASCII without blanks, bars or colons, all different.
        colours: The names of the colours of secondary items; those of a puzzle, which stand for values of sides, are
            numbers.
        variables: The number of each option, from 1, ascending, shape (n_options,), int64. Up to `n_members` they are
            the placements of the *unreduced* puzzle, in the order of its table (or the options of a bare problem);
            options that leave a cell empty come after them.
        n_members: How many placements (or options) there are, including those left out.
        n_variables: The highest number in use, including options that leave a cell empty.
        descriptions: Says what each choice is, from the first to the last.
        remarks: What a reader of the file should know, as lines.
        subject: What is exported.
    """

    name: str
    problem: CoverProblem
    items: tuple[str, ...]
    colours: tuple[str, ...]
    variables: Longs
    n_members: int
    n_variables: int
    descriptions: Callable[[], Iterator[str]]
    remarks: tuple[str, ...]
    subject: Searchable[Any]

    @property
    def prepared(self) -> Prepared | None:
        """The subject if it is a prepared puzzle."""
        return self.subject if isinstance(self.subject, Prepared) else None

    @property
    def n_visible(self) -> int:
        """How many of the first items describe an option: cells and parts, or all items of a bare problem."""
        problem = self.problem
        return problem.n_cells + len(problem.part_sizes) if self.prepared is not None else problem.n_items

    def short_items(self) -> tuple[str, ...]:
        """The names of the items; short ones if any is longer than Knuth's programs allow."""
        if max(map(len, self.items), default=0) <= LONGEST_NAME:
            return self.items
        short = tuple(name if len(name) <= LONGEST_NAME else f"i{k}" for k, name in enumerate(self.items))
        return short if len(set(short)) == len(short) else tuple(f"i{k}" for k in range(len(self.items)))

    def empty_cells(self) -> Iterator[str]:
        """The names of the cells that the options after the choices leave empty, in the order of these options."""
        for option in np.flatnonzero(self.variables > self.n_members).tolist():
            yield self.items[self.problem.items_of(option)[0]]

    def left_out(self) -> Longs:
        """The numbers of the choices that symmetry leaves out, ascending."""
        return without(np.arange(1, self.n_members + 1), self.variables)


@singledispatch
def exported(subject: Searchable[Any]) -> Exported:
    """The input of a writer for a prepared puzzle or a bare problem."""
    raise NotImplementedError(type(subject))


@exported.register
def _of_problem(named: NamedProblem) -> Exported:
    n = named.problem.n_options
    items, colours = (distinct(map(ascii_name, names)) for names in (named.items, named.colours))
    ends = ("", *(f":{colour}" for colour in colours))

    def described(option: int) -> str:
        return " ".join(items[item] + ends[colour] for item, colour in named.entries(option))

    return Exported(
        named.name,
        named.problem,
        items,
        colours,
        np.arange(1, n + 1, dtype=np.int64),
        n,
        n,
        lambda: map(described, range(n)),
        (f"{counted(named.problem.n_items, 'item')}, {counted(n, 'option')}",),
        named,
    )


@exported.register
def _of_puzzle(prepared: Prepared) -> Exported:
    problem, table = prepared.problem, prepared.table
    n = len(table)
    variables = prepared.option_placement.astype(np.int64) + 1
    empty = np.flatnonzero(prepared.option_placement < 0)
    variables[empty] = n + 1 + np.arange(len(empty))
    return Exported(
        prepared.name,
        problem,
        item_names(prepared),
        tuple(map(str, range(1, int(problem.option_colours.max(initial=0)) + 1))),
        variables,
        n,
        n + len(empty),
        lambda: descriptions(prepared.puzzle, table),
        tuple(_remarks(prepared)),
        prepared,
    )


def cell_name(cell: Sequence[int], lattice: Lattice) -> str:
    """A cell as a word: "3,4", with the number of its node if there are several, as in "3,4.1"."""
    coordinates = ",".join(str(int(x)) for x in cell[1:])
    return f"{coordinates}.{int(cell[0])}" if len(lattice.nodes) > 1 else coordinates


def ascii_name(name: str) -> str:
    """*name* as a word that every format allows."""
    return re.sub(r"[^!-~]|[|:;#\"'\\]", "_", name) or "_"


def distinct(names: Iterator[str]) -> tuple[str, ...]:
    """The same names; a name that occurs again gets a number."""
    seen: set[str] = set()
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(2))  # those not tried yet, for each name
    found = []
    for name in names:
        fresh = name if name not in seen else next(f"{name}_{k}" for k in numbers[name] if f"{name}_{k}" not in seen)
        seen.add(fresh)
        found.append(fresh)
    return tuple(found)


def part_names(puzzle: Puzzle) -> tuple[str, ...]:
    """The parts' names as words, all different and different from the names of cells."""
    names = (re.sub(r"[!~$]", "_", ascii_name(part.name)) for part in puzzle.parts)
    return distinct(f"part_{name}" if re.match(r"[-+\d]", name) else name for name in names)


def item_names(prepared: Prepared) -> tuple[str, ...]:
    """Cells by their coordinates, parts by their names, and rules "!1", "!2", ... by numbers."""
    puzzle, table, problem = prepared.puzzle, prepared.table, prepared.problem
    cells = [cell_name(cell, puzzle.lattice) for cell in table.region.cells.tolist()]
    has_item = part_items(puzzle, len(cells)) >= 0
    parts = [name for name, own in zip(part_names(puzzle), has_item.tolist(), strict=True) if own]
    if len(problem.part_sizes) > len(parts):
        parts.append("empty")  # counts the cells left empty, where these are bounded
    rules = (f"{RULE}{k}" for k in range(1, problem.n_items - len(cells) - len(parts) + 1))
    return distinct(iter([*cells, *parts, *rules]))


def descriptions(puzzle: Puzzle, table: PlacementTable) -> Iterator[str]:
    """For each placement its part and its cells, as words, with the part's colours."""
    names = part_names(puzzle)
    cells = [cell_name(cell, puzzle.lattice) for cell in table.region.cells.tolist()]
    colours = [[ascii_name(puzzle.colours[c]) if c else "" for c in o.colours.tolist()] for o in table.orientations]
    for first in range(0, len(table), _BLOCK):
        last = min(first + _BLOCK, len(table))
        starts = table.starts[first : last + 1].tolist()
        members = table.cells[starts[0] : starts[-1]].tolist()
        orientation = table.orientation[first:last].tolist()
        for k, part in enumerate(table.part_of[first:last].tolist()):
            held = [cells[c] for c in members[starts[k] - starts[0] : starts[k + 1] - starts[0]]]
            painted = colours[orientation[k]]
            if any(painted):
                held = [f"{cell}:{colour}" if colour else cell for cell, colour in zip(held, painted, strict=True)]
            yield f"{names[part]} {' '.join(held)}"


def _remarks(prepared: Prepared) -> Iterator[str]:
    puzzle, table, reduction = prepared.puzzle, prepared.table, prepared.reduction
    title = " ".join(puzzle.title.split())
    yield f"{title or puzzle.name}; {len(table.region.cells):,} cells, {len(table):,} placements"
    if prepared.veto is not None:
        yield f"NOT in these items: its rules on all parts at once ({', '.join(prepared.veto.names)} in [rules])"
    if len(reduction.group) == 1:
        yield "the full problem: its covers are all solutions"
        return
    symmetries = {"all": "rotations and reflections", "rotations": "rotations"}[prepared.symmetry]
    yield f"reduced by {symmetries} ({len(reduction.group)} in all), pivot {prepared.pivot or 'none'}"
    if prepared.tests_pending:
        yield "its covers are NOT exactly the classes of solutions: some are images of others"
    else:
        yield f"its covers are exactly the classes of solutions; each stands for {len(reduction.group)}"


# ---- comments: what a file is, and what each of its variables means


def in_ascii(text: str) -> str:
    """*text* as one line of printable ASCII, which every parser accepts."""
    return " ".join(text.split()).encode("unicode_escape").decode("ascii")


def about(exported: Exported) -> Iterator[str]:
    """What the file is, in a few lines."""
    yield f"latcover: {in_ascii(exported.name)}"
    yield from map(in_ascii, exported.remarks)


def legend(exported: Exported, before: str = "") -> Iterator[str]:
    """What each variable means: ``17 = F 0,0 0,1 1,1``, the variable's name being *before* and its number."""
    meanings = chain(exported.descriptions(), (f"{cell} left empty" for cell in exported.empty_cells()))
    return (f"{before}{number} = {meaning}" for number, meaning in enumerate(meanings, 1))


def commented(lines: Iterable[str], mark: str) -> Iterator[bytes]:
    """*lines* as comments, some at a time; *mark* begins each, and a blank parts it from what follows."""
    rest = iter(lines)
    while block := list(islice(rest, _LINES)):
        yield "".join(f"{mark} {line}\n" for line in block).encode("ascii")


def keys_of_options(problem: CoverProblem, n_visible: int) -> Words:
    """The key of each option, of its items below *n_visible* and their colours; shape (n_options,)."""
    items = problem.option_items
    words = items.astype(np.uint64)
    if problem.has_colours:
        words = words + problem.option_colours.astype(np.uint64) * np.uint64(_COLOURS)
    keys = mixed(words)
    keys[items >= n_visible] = 0
    sums = np.zeros(len(items) + 1, np.uint64)
    np.cumsum(keys, out=sums[1:])  # wraps around, and so do the differences
    found: Words = sums[problem.option_starts[1:]] - sums[problem.option_starts[:-1]]
    return found


def key_of(entries: Iterable[tuple[int, int]]) -> int:
    """The key of an option that holds these items with these colours (0: none)."""
    words = np.array([item + colour * _COLOURS for item, colour in entries], dtype=np.uint64)
    return int(mixed(words).sum(dtype=np.uint64)) if len(words) else 0


def numbers_where_alike(written: Exported) -> dict[int, str]:
    """A name, "#" and a number, for each option of a puzzle whose cells and part are also those of another option.

    Options that symmetry leaves out count too, because the reader of an answer does not know which these are.
    """
    if written.prepared is None:
        return {}
    full = exported(written.prepared.in_full()) if len(written.left_out()) else written
    _, which, times = np.unique(keys_of_options(full.problem, full.n_visible), return_inverse=True, return_counts=True)
    return {number: f"#{number}" for number in full.variables[times[which.reshape(-1)] > 1].tolist()}
