"""A prepared puzzle: its placements, its symmetries and its cover problem."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field
from msgspec.structs import asdict, force_setattr, replace

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem, Ints, Longs
from latcover.core.cover.search import Batch
from latcover.core.cover.searchable import Inspector, KeptCovers, Searchable
from latcover.core.cover.time_limit import look_at_clock
from latcover.core.cover.veto import OptionVeto, Veto, passes, together
from latcover.core.encoding.conditions import Conditions, conditions
from latcover.core.encoding.encode import encode
from latcover.core.encoding.placement import PlacementTable, placements
from latcover.core.encoding.reduction import REDUCTIONS, Reduction, reduce_by
from latcover.core.encoding.sweeps import sweeps_of
from latcover.core.encoding.symmetry import SYMMETRIES, SymmetryGroup
from latcover.core.model.batch_verifier import BatchVerifier
from latcover.core.model.puzzle import Bounds, Puzzle, require_puzzle
from latcover.core.model.puzzle_checks import require_sound
from latcover.core.model.request_values import ReductionMethod, SymmetryChoice
from latcover.core.model.rules.rule import rules_of
from latcover.core.model.solution import Placed, Solution
from latcover.errors import Complaint, PuzzleError, UnsupportedError, counted, escaped, suggest
from latcover.system.sorted_sets import distinct

log = logging.getLogger("latcover")


class _Entry(Struct, frozen=True):
    """A placement as solutions show it, and by what they sort it."""

    key: tuple[Any, ...]
    placed: Placed


_KEY = attrgetter("key")
MOST_COUNTED = 5040  # symmetries, for each of which a count without a list counts what it fixes


class Choices(Struct, frozen=True):
    """How a puzzle is turned into a cover problem.

    Attributes:
        symmetry: Which symmetries make two solutions count as the same.
        reduction: How a pivot leaves out placements; see `reduce_by`.
        pivot: The part to take as pivot; None takes the item with the fewest orbits.
        order: The axes that number the cells, slowest first; None takes the default order of the region.
        given: What all solutions are to have, as texts ``part@cells``; see `latcover.core.encoding.conditions`. No two
            solutions count as the same then: the symmetry is "none".
        rules: Rules besides the puzzle's own, as texts; see `latcover.core.model.rules.rule_forms`.
    """

    symmetry: SymmetryChoice = "all"
    reduction: ReductionMethod = "auto"
    pivot: str | None = None
    order: tuple[int, ...] | None = None
    given: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.given:
            force_setattr(self, "symmetry", "none")
        for name, value, known in (("symmetry", self.symmetry, SYMMETRIES), ("reduction", self.reduction, REDUCTIONS)):
            if value not in known:
                hint = suggest(str(value), known, listing=False)
                raise PuzzleError(f"{name} must be one of {', '.join(known)}, not {value!r:.40}{hint}")


class Prepared(Struct, frozen=True, eq=False):
    """A puzzle ready to be searched.

    Attributes:
        table: All placements.
        reduction: The placements that symmetry leaves out, and the tests that remain for finished covers.
        problem: The cover problem for backends.
        option_placement: The placement of each option, shape (n_options,), int32; -1 if it leaves a cell empty.
        veto: The rules that no item says, on placements; None if there are none.
    """

    puzzle: Puzzle
    choices: Choices
    table: PlacementTable
    reduction: Reduction
    problem: CoverProblem
    option_placement: Ints
    seconds: float
    veto: Veto | None = None
    _seen: dict[int, _Entry] = field(default_factory=dict)  # placements as solutions show them

    def __repr__(self) -> str:
        return f"<Prepared {escaped(self.name)}: {counted(len(self.table), 'placement')}; {self.problem!r}>"

    @property
    def name(self) -> str:
        return self.puzzle.name

    @property
    def title(self) -> str:
        return self.puzzle.title

    @property
    def warnings(self) -> tuple[Complaint, ...]:
        return self.puzzle.warnings

    @property
    def symmetry(self) -> SymmetryChoice:
        return self.choices.symmetry

    @property
    def symmetries(self) -> int:
        return self.reduction.group.order

    @property
    def acting(self) -> int:
        return len(self.reduction.group)

    @property
    def pivot(self) -> str:
        return self.reduction.pivot

    @property
    def tests_pending(self) -> bool:
        return self.reduction.tests_pending or self.veto is not None

    @property
    def option_veto(self) -> OptionVeto | None:
        """The veto on options."""
        return None if self.veto is None else OptionVeto(self.veto, self.option_placement)

    @property
    def must_list(self) -> bool:
        """Whether a count must list the covers: it may refuse some, bounds forbid to count orbits, or too many act."""
        problem = self.problem
        after = problem.n_cells + len(problem.part_sizes)
        bounded = (problem.low[after:] > 0).any() or (problem.high[after:] > 1).any()
        bounded |= self.acting > MOST_COUNTED
        return self.veto is not None or bool(self.reduction.tests_pending and bounded)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader of its counts should know besides the symmetry."""
        if self.puzzle.region.exchangeable and self.symmetry != "none":
            return ("the pieces of the region are exchangeable: solutions that differ by moving whole pieces are one",)
        return ()

    @property
    def n_members(self) -> int:
        return len(self.table)

    def judge(self, starts: Longs, members: Ints) -> tuple[npt.NDArray[np.bool_], Longs]:
        """Whether to keep each of these sets of placements, and how many covers each stands for."""
        keep, orbits = self.reduction.judge(starts, members)
        if self.veto is not None:
            keep[keep] = passes(self.veto, *_rows(starts, members, np.flatnonzero(keep)))
        return keep, orbits

    def inspector(self) -> Inspector[Solution]:
        """What lets the verifier check sets of placements, and makes them solutions."""
        return _Inspector(self)

    def members(self, batch: Batch) -> tuple[Longs, Ints]:
        """A batch of covers as sets of placements, in compressed rows, without options that leave a cell empty."""
        members = self.option_placement[batch.options]
        if (self.option_placement >= 0).all():
            return batch.starts, members
        real = members >= 0
        return np.concatenate([[0], np.cumsum(real)])[batch.starts], members[real]

    def placed(self, members: Iterable[int]) -> tuple[Placed, ...]:
        """A set of placements as parts, cells and colours, sorted."""
        return tuple([entry.placed for entry in sorted(map(self._entry, members), key=_KEY)])

    def entry(self, placement: int) -> Placed:
        """A placement as solutions show it."""
        return self._entry(placement).placed

    def _entry(self, placement: int) -> _Entry:
        entry = self._seen.get(placement)
        if entry is None:
            shown = placed_at(self.puzzle, self.table, placement)
            key = (int(self.table.part_of[placement]), shown.cells, shown.colours, shown.sides)
            entry = self._seen[placement] = _Entry(key, shown)
        return entry

    def describe(self, member: int) -> dict[str, Any]:
        """A placement, written as in a solution."""
        return self.entry(member).as_json(self.puzzle.lattice)

    def in_full(self) -> Prepared:
        """The same puzzle without symmetry: no placement is left out, and every cover counts as a solution."""
        given = conditions(self.puzzle, self.table, self.choices.given)
        problem, option_placement = encode(self.puzzle, self.table, given=given)
        group = group_of(self.puzzle, self.table, "none")
        reduction = reduce_by(self.puzzle, self.table, group)
        choices = replace(self.choices, symmetry="none")
        return replace(self, choices=choices, reduction=reduction, problem=problem, option_placement=option_placement)

    def images(self, covers: Ints) -> Iterator[Ints]:
        """For each set of placements the distinct images under the symmetries, itself first; each sorted."""
        group = self.reduction.group
        flat = group.images_under(range(len(group)), covers.reshape(-1))
        images = np.sort(flat.reshape(len(group), *covers.shape), axis=2).swapaxes(0, 1)
        fixed = (images[:, 1:] == images[:, :1]).all(axis=2).any(axis=1)  # by some symmetry
        for of_one, is_fixed in zip(images, fixed.tolist(), strict=True):
            if is_fixed:
                first = {image: k for k, image in reversed([*enumerate(map(bytes, of_one))])}
                yield of_one[sorted(first.values())]
            else:
                yield of_one

    def sweeps(self) -> Ints:
        """Places of the cells along the directions of the lattice and between them, shape (n_sweeps, n_cells)."""
        return sweeps_of(self.puzzle.lattice, self.table.region.cells)

    def kept_by_symmetries(self) -> Iterator[KeptCovers]:
        """The problem of all covers; then those of the covers that the other symmetries keep."""
        from latcover.core.encoding.burnside import kept_by_symmetries  # few counts come to it

        return kept_by_symmetries(self.puzzle, self.table, self.reduction.group)

    def info(self) -> dict[str, Any]:
        """The columns of the paper's Table 1, which counts each copy of a part, and the size of our cover problem."""
        puzzle, table = self.puzzle, self.table
        most = [max(1, puzzle.most_copies(part)) if part.high is not None else 1 for part in puzzle.parts]
        copies = np.array(most, np.int64)
        of_part = np.diff(table.first_orientation).tolist()
        fitting = table.fitting_by_part()
        placed = np.bincount(table.part_of, minlength=len(puzzle.parts)).tolist()
        return {
            "puzzle": puzzle.name,
            "title": puzzle.title,
            "source": puzzle.source,
            "lattice": puzzle.lattice.name,
            "cells": len(puzzle.region.cells),
            "parts": sum(most),
            "orientations": int(copies @ of_part),
            "orientations_that_fit": int(copies @ fitting),
            "placements": int(copies @ placed),
            "symmetry": self.symmetries,
            "options": self.problem.n_options,
            "items": self.problem.n_items,
            "pivot": self.pivot,
            "expect": dict(puzzle.expect),
            "published": [asdict(published) for published in puzzle.published],
            "by_part": [
                {
                    "part": part.name,
                    "cells": part.size,
                    "min": part.low,
                    "max": part.high,
                    "orientations": of_part[p],
                    "orientations_that_fit": fitting[p],
                    "placements": placed[p],
                }
                for p, part in enumerate(puzzle.parts)
            ],
        }


class _Inspector:
    """Gives the verifier the placements of a prepared puzzle, each of them once."""

    def __init__(self, prepared: Prepared) -> None:
        self._prepared = prepared
        self._verifier = BatchVerifier(prepared.puzzle)
        self._number = np.full(len(prepared.table), -1, np.int32)  # of each placement that the verifier knows

    def sound(self, starts: Longs, members: Ints) -> npt.NDArray[np.bool_]:
        """Whether each set of placements is a solution."""
        for placement in distinct(members[self._number[members] < 0]).tolist():
            self._number[placement] = self._verifier.add(self._prepared.entry(placement))
        return self._verifier.sound(starts, self._number[members])

    def faults(self, members: Ints) -> list[str]:
        """All faults of a set of placements."""
        return self._verifier.verifier.faults(Solution(self._prepared.placed(members.tolist())))

    def solution(self, members: list[int], number: int, image: int, orbit: int) -> Solution:
        """A set of placements as a solution, whose cells are listed when somebody looks at them."""
        return Solution.later(partial(self._prepared.placed, members), number, image, orbit, self._prepared.puzzle)


def _rows(starts: Longs, members: Ints, rows: npt.NDArray[np.intp]) -> tuple[Longs, Ints]:
    """Some of several sets in compressed rows."""
    chosen = Batch(starts, members).at(rows)
    return chosen.starts, chosen.options


def placed_at(puzzle: Puzzle, table: PlacementTable, placement: int) -> Placed:
    """A placement, shown as in a solution."""
    orientation = table.orientations[table.orientation[placement]]
    cells = [tuple(cell) for cell in table.cells_of(placement).tolist()]
    colours = orientation.colours.tolist()
    coloured = sorted(zip(cells, colours, strict=True))
    names = tuple(puzzle.colours[colour] for _, colour in coloured) if any(colours) else ()
    labels, values = puzzle.lattice.half_edges, puzzle.rules.sides
    shown = sorted((cells[k], labels[label].label, values[value]) for k, label, value in orientation.sides.tolist())
    name = puzzle.parts[table.part_of[placement]].name
    return Placed(name, tuple(cell for cell, _ in coloured), names, tuple(shown))


def prepare(
    puzzle: Puzzle, choices: Choices = Choices(), bounds: Bounds | None = None, *, fits: bool = True
) -> Prepared:
    """Place the parts, find the symmetries, and build the cover problem.

    Args:
        puzzle: The puzzle.
        choices: How it becomes a cover problem.
        bounds: How much it may ask for.
        fits: Whether to refuse parts that cannot hold as many cells as the region needs.

    Raises:
        PuzzleError: the puzzle contradicts itself, asks for too much, or lacks what the choices name.
    """
    start = time.perf_counter()
    require_puzzle("prepare", puzzle)
    puzzle, choices = with_choices(puzzle, choices)
    require_sound(puzzle, fits=fits)
    look_at_clock()
    table = placements(puzzle, choices.order, bounds)
    log.info("%d placements of %d parts", len(table), len(puzzle.parts))
    return prepared_with(puzzle, choices, table, start)


def with_choices(puzzle: Puzzle, choices: Choices) -> tuple[Puzzle, Choices]:
    """The puzzle with the rules that *choices* add, and the choices that then hold.

    Raises:
        PuzzleError: the choices do not fit the puzzle.
    """
    if choices.rules:
        from latcover.core.model.rules.rule_forms import with_rules

        puzzle = with_rules(puzzle, choices.rules)
    if not all(rule.symmetric for rule in rules_of(puzzle)):
        choices = replace(choices, symmetry="none")
    dimension = puzzle.lattice.dimension
    if choices.order is not None and sorted(choices.order) != list(range(dimension)):
        example = ",".join(map(str, reversed(range(dimension))))
        raise PuzzleError(f"the order must name each of the axes 0 to {dimension - 1} once, as in {example}")
    return puzzle, choices


def prepared_with(puzzle: Puzzle, choices: Choices, table: PlacementTable, start: float) -> Prepared:
    """The rest of `prepare`, for a sound puzzle whose placements are known. *start* is when the work began."""
    look_at_clock()
    group = group_of(puzzle, table, choices.symmetry)
    look_at_clock()
    reduction = reduce_by(puzzle, table, group, choices.pivot, choices.reduction)
    log.info("%d symmetries; pivot: %s", len(group), reduction.pivot or "none")
    look_at_clock()
    problem, option_placement = encode(puzzle, table, reduction, _conditions(puzzle, table, choices))
    log.info("%d options on %d items", problem.n_options, problem.n_items)
    arrays = table.arrays(puzzle)
    vetoes = [veto for rule in rules_of(puzzle) if (veto := rule.veto(arrays)) is not None]
    seconds = time.perf_counter() - start
    return Prepared(puzzle, choices, table, reduction, problem, option_placement, seconds, together(vetoes))


def _conditions(puzzle: Puzzle, table: PlacementTable, choices: Choices) -> Conditions:
    """What the conditions given leave, and what parts that must be used have to spare."""
    given = conditions(puzzle, table, choices.given)
    if not puzzle.region.optional.any() and not all(orientation.is_box for orientation in table.orientations):
        return given
    from latcover.core.encoding.spare import what_is_to_spare  # few puzzles need it

    return what_is_to_spare(puzzle, table, given)


def group_of(puzzle: Puzzle, table: PlacementTable, which: SymmetryChoice) -> SymmetryGroup:
    """The symmetries of a puzzle; with those of its pieces, if they are exchangeable.

    Raises:
        PuzzleError: the pieces can be exchanged in too many ways.
    """
    if puzzle.region.exchangeable and which != "none":
        from latcover.core.encoding.exchange import ExchangeGroup  # few puzzles need it

        return ExchangeGroup(puzzle, table, which)
    return SymmetryGroup(puzzle, table, which)


def made_ready(
    subject: Puzzle | NamedProblem, choices: Choices = Choices(), bounds: Bounds | None = None, *, fits: bool = True
) -> Searchable[Any]:
    """A puzzle prepared by these choices, or a bare problem as it is: both are ready to be searched. See `prepare`.

    Raises:
        PuzzleError: as `prepare`.
        UnsupportedError: the choices name a pivot, an order or placements, but the problem is bare.
    """
    if isinstance(subject, Puzzle):
        return prepare(subject, choices, bounds, fits=fits)
    named = {"--pivot": choices.pivot, "--order": choices.order, "--given": choices.given, "--rule": choices.rules}
    for option, value in named.items():
        if value not in (None, ()):
            raise UnsupportedError(f"{subject.name} is a cover problem without a puzzle, so leave {option} out")
    return subject
