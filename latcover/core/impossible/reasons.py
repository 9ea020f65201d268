"""Simple reasons why a puzzle has no solution, found without a search and given in words and figures.

There are five kinds of argument: a volume that cannot fit, a part that fits nowhere, a cell that no part covers, values
of sides that do not add up (`side_values.py`), and colourings. A colouring puts the cells into classes. Each placement
covers some cells of each class, so a part can cover only certain numbers. If no combination of these adds up to the
region's numbers, there is no solution. This holds for any classes, so they need not suit the lattice. `colourings.py`
tries classes that the lattice's translations only permute, because a part then has few numbers to choose from.

An argument is a proof. Its absence says nothing: most puzzles without solutions need a search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, singledispatch
from typing import Any, Literal

import numpy as np
from msgspec import Struct

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.searchable import Searchable
from latcover.core.encoding.placement import PlacementTable
from latcover.core.encoding.prepared import Prepared
from latcover.core.impossible.class_counts import (
    Classes,
    PartCounts,
    Vector,
    WorkBudget,
    range_of_first_class,
    reachable,
)
from latcover.core.impossible.colourings import Colouring, colourings
from latcover.core.impossible.side_values import side_values
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.puzzle_checks import volume_fault
from latcover.core.model.rules.rule import rules_of
from latcover.errors import counted as number_of
from latcover.system.sorted_sets import distinct

COST_OF_A_CELL = 100  # the work for one cell of a placement, in shifted bits
MOST_KEYS = 1 << 62


class Reason(Struct, frozen=True):
    """Why there is no solution.

    Attributes:
        argument: The kind of the argument.
        text: A sentence with the figures.
    """

    argument: Literal["volume", "part", "cell", "item", "sides", "colouring"]
    text: str


@singledispatch
def reasons_of(subject: Searchable[Any]) -> tuple[Reason, ...]:
    """Why *subject* has no solution. Without a reason it may have one or not."""
    raise NotImplementedError(type(subject))


@reasons_of.register
def _(subject: Prepared) -> tuple[Reason, ...]:
    return reasons(subject.puzzle, subject.table)


@reasons_of.register
def _(subject: NamedProblem) -> tuple[Reason, ...]:
    return tuple(_bare_items(subject))


@lru_cache(maxsize=1)
def reasons(puzzle: Puzzle, table: PlacementTable) -> tuple[Reason, ...]:
    """Why *puzzle* has no solution: all parts that fit nowhere and cells that no part covers, or else one argument."""
    if fault := volume_fault(puzzle):
        return (Reason("volume", fault),)
    found = (*_parts_without_a_place(puzzle, table), *_cells_out_of_reach(puzzle, table))
    if not found:
        found = tuple(Reason("sides", text) for text in side_values(puzzle, table))
    return found or tuple(_colourings(puzzle, table))


def _bare_items(named: NamedProblem) -> Iterator[Reason]:
    problem = named.problem
    held = np.bincount(problem.option_items, minlength=problem.n_items)
    for item in np.flatnonzero(held < problem.low).tolist():
        need = "once" if problem.low[item] == 1 else f"{problem.low[item]} times"
        have = number_of(int(held[item]), "option") if held[item] else "no option"
        verb = "holds" if held[item] <= 1 else "hold"
        yield Reason("item", f"the item {named.items[item]!r} must be held {need}, but {have} {verb} it")
        return


def _parts_without_a_place(puzzle: Puzzle, table: PlacementTable) -> Iterator[Reason]:
    placed = np.bincount(table.part_of, minlength=len(puzzle.parts))
    for part, places in zip(puzzle.parts, placed.tolist(), strict=True):
        if part.low > 0 and not places:
            yield Reason("part", f"part {part.name!r} fits nowhere in the region")


def _cells_out_of_reach(puzzle: Puzzle, table: PlacementTable) -> Iterator[Reason]:
    reached = np.zeros(len(table.region.cells), np.bool_)
    reached[table.cells] = True
    lost = table.region.cells[~reached & ~table.region.optional]
    if len(lost):
        more = f" or {len(lost) - 1:,} more" if len(lost) > 1 else ""
        yield Reason("cell", f"no part can cover the cell {puzzle.lattice.written(lost[0].tolist())}{more}")


class _Counted(Struct, frozen=True):
    """A colouring, the region's numbers of cells of each class, and the numbers that each part can cover."""

    colouring: Colouring
    classes: Classes
    parts: list[PartCounts]
    numbers: ChosenNumbers

    def cannot_reach(self, parts: list[PartCounts], classes: Classes, budget: WorkBudget) -> bool:
        """Whether the parts certainly cover no allowed numbers, also by how many are used together."""
        if self.numbers.of_part and reachable(*self.numbers.added_to(parts, classes), budget) is False:
            return True
        return reachable(parts, classes, budget) is False


class ChosenNumbers(Struct, frozen=True):
    """How many copies of some parts are used together, by rules, as more classes of cells.

    Attributes:
        of_part: For each part and each rule 1 if a copy counts, and else 0; empty if there are no such rules, or all
            numbers of copies are fixed.
        least, most: The bounds of each rule.
    """

    of_part: tuple[Vector, ...] = ()
    least: Vector = ()
    most: Vector = ()

    def added_to(self, parts: list[PartCounts], classes: Classes) -> tuple[list[PartCounts], Classes]:
        """The same parts and classes, with these."""
        counting = [part.counting(own) for part, own in zip(parts, self.of_part, strict=True)]
        return counting, Classes(classes.least + self.least, classes.most + self.most)


def _chosen_numbers(puzzle: Puzzle, table: PlacementTable) -> ChosenNumbers:
    """The numbers that rules ask for, of the parts that have a placement."""
    if all(rule.name != "copies" for rule in rules_of(puzzle)):
        return ChosenNumbers()
    from latcover.core.model.rules.copies import CopiesTogether  # few puzzles have it

    rules = [rule for rule in rules_of(puzzle) if isinstance(rule, CopiesTogether)]
    placed = np.bincount(table.part_of, minlength=len(puzzle.parts)) > 0
    parts = [part for part, there in zip(puzzle.parts, placed.tolist(), strict=True) if there]
    if not rules or all(part.low == puzzle.most_copies(part) for part in parts):
        return ChosenNumbers()
    of_part = tuple(tuple(int(not rule.parts or part.name in rule.parts) for rule in rules) for part in parts)
    room = sum(map(puzzle.most_copies, parts))
    return ChosenNumbers(of_part, tuple(rule.min for rule in rules), tuple(min(rule.max, room) for rule in rules))


def _colourings(puzzle: Puzzle, table: PlacementTable) -> Iterator[Reason]:
    """The first colouring that refutes the puzzle. Single classes come first, because they are easier to follow."""
    budget = WorkBudget()
    numbers = _chosen_numbers(puzzle, table)
    joint = []
    for colouring in colourings(puzzle, table.region):
        if not budget.spend(COST_OF_A_CELL * len(table.cells)):
            break
        parts = _part_counts(puzzle, table, colouring)
        if parts is None:
            continue
        counted = _Counted(colouring, _classes(table, colouring), parts, numbers)
        for k in range(colouring.n if colouring.n > 2 else 1):
            text = _refuted_by_one(counted, k, budget)
            if text is not None:
                yield Reason("colouring", text)
                return
        if colouring.n > 2:
            joint.append(counted)
    for counted in joint:
        if counted.cannot_reach(counted.parts, counted.classes, budget):
            yield Reason("colouring", _in_no_combination(counted))
            return


def _refuted_by_one(counted: _Counted, k: int, budget: WorkBudget) -> str | None:
    """The sentence, if the parts cannot cover the right numbers of cells of class *k* and of all other classes."""
    names = counted.colouring.names
    parts, classes = [part.against_the_rest(k) for part in counted.parts], counted.classes.against_the_rest(k)
    if not counted.cannot_reach(parts, classes, budget):
        return None
    others = names[1 - k] if len(names) == 2 else "others"
    has = f"the region has {_cells(classes.most[0], names[k])} and {_cells(classes.most[1], others)}"
    return f"{counted.colouring.about}, {has}{_duty(classes)}, but {_shortfall(parts, classes, names[k])}"


def _in_no_combination(counted: _Counted) -> str:
    classes, colouring = counted.classes, counted.colouring
    has = ", ".join(_cells(number, name) for number, name in zip(classes.most, colouring.names, strict=True))
    return f"{colouring.about}, the region has {has}{_duty(classes)}, but no combination of its parts covers these"


def _cells(number: int, name: str) -> str:
    return f"{number:,} {name.replace('cells', 'cell', 1) if number == 1 else name}"


def _classes(table: PlacementTable, colouring: Colouring) -> Classes:
    """How many cells of each class must be covered, and how many may be covered."""
    optional = table.region.optional
    most = np.bincount(colouring.of_cell, minlength=colouring.n)
    least = np.bincount(colouring.of_cell[~optional], minlength=colouring.n)
    if colouring.least is not None:
        least = np.maximum(least, colouring.least)
    return Classes(tuple(least.tolist()), tuple(most.tolist()))


def _duty(classes: Classes) -> str:
    if classes.least == classes.most:
        return ""
    return f" (of these at least {', '.join(f'{number:,}' for number in classes.least)} must be covered)"


def _shortfall(parts: Sequence[PartCounts], classes: Classes, name: str) -> str:
    least, most = range_of_first_class(parts)
    if most < classes.least[0]:
        return f"the parts cover at most {_cells(most, name)}"
    if least > classes.most[0]:
        return f"the parts cover at least {_cells(least, name)}"
    span = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    return f"no combination of the parts covers these, although the parts can cover {span} {name}"


def _part_counts(puzzle: Puzzle, table: PlacementTable, colouring: Colouring) -> list[PartCounts] | None:
    """For each part with a placement, the numbers of cells of each class that a placement can cover.

    None if there are too many classes to encode these numbers as one number.
    """
    base = max((part.size for part in puzzle.parts), default=0) + 1
    if base**colouring.n * len(puzzle.parts) > MOST_KEYS:
        return None
    weights = base ** np.arange(colouring.n + 1, dtype=np.int64)
    ends = np.append(0, np.cumsum(weights[colouring.of_cell[table.cells]]))[table.starts]
    keys = distinct(np.diff(ends) + weights[-1] * table.part_of)
    vectors = keys[:, None] // weights[:-1] % base
    part_of = keys // weights[-1]
    return [
        PartCounts(part.low, puzzle.most_copies(part), tuple(map(tuple, vectors[part_of == p].tolist())))
        for p, part in enumerate(puzzle.parts)
        if (part_of == p).any()
    ]
