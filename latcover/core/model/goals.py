"""Many goals: one board and one bag of parts, and many choices of what is to be filled with which parts.

Each goal is a puzzle of its own, whose region is a part of the board. The goals are a family (all choices of cells that
stay open, all choices of parts), or a list of regions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, product
from math import comb, prod

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field
from msgspec.structs import replace

from latcover.core.model.part_choices import PartChoice, PartSets, chosen_copies
from latcover.core.model.puzzle import Part, Puzzle, Region, Rules
from latcover.core.model.puzzle_costs import CellRow
from latcover.core.model.rules.rule import rules_of
from latcover.errors import Complaint, PuzzleError, escaped, suggest

MOST_GOALS = 20_000
Place = tuple[str | int, ...]


class OpenCells(Struct, frozen=True):
    """Cells of the board, of which each goal leaves some open.

    Attributes:
        name: What they are, such as "month".
        cells: The cells, as rows ``(node, x, y, ...)``.
        labels: A name for each of them, such as "Feb".
        count: How many of them stay open.
    """

    name: str
    cells: tuple[CellRow, ...]
    labels: tuple[str, ...]
    count: int = 1


class GoalRegion(Struct, frozen=True):
    """A part of the board that is to be filled, by its cells, rows ``(node, x, y, ...)``."""

    name: str
    cells: tuple[CellRow, ...]


class Goal(Struct, frozen=True, eq=False):
    """What is to be filled with which parts.

    Attributes:
        name: The labels of the open cells, the name of the region, the names of the parts; with blanks between.
        kept: The cells of the board's region that belong to the goal's, shape (n_cells,), bool.
        copies: The copies of each part that the goal has, or -1 for those that the board says.
    """

    name: str
    kept: npt.NDArray[np.bool_]
    copies: tuple[int, ...]


class GoalFault(Struct, frozen=True):
    """What is wrong with goals, and the keys that lead to it in a file, below the table of the goals."""

    place: Place
    message: str


class GoalsError(PuzzleError):
    """Goals that do not fit their board."""

    def __init__(self, name: str, faults: Sequence[GoalFault]) -> None:
        super().__init__([Complaint(f"the goals of {name!r}: {each.message}") for each in faults])
        self.faults = tuple(faults)


class _Choice(Struct, frozen=True, eq=False):
    """A choice of a part of the board."""

    name: str
    kept: npt.NDArray[np.bool_]


class Goals(Struct, frozen=True, eq=False, dict=True):
    """A board, parts, and the goals that they have.

    Attributes:
        board: The whole board and all parts. Nobody is to fill all of it with all of them.
        open: Groups of cells; each goal leaves so many of each group open as its count says.
        exceptions: Sets of labels of open cells: no goal leaves all cells of such a set open.
        regions: The parts of the board to fill, instead of open cells.
        choice: Which parts a goal has; None if all goals have all.
        expect: Known figures, by the names of `latcover.core.solving.goals_result.GoalsResult`.
        long: Whether a count of them takes long.

    Raises:
        GoalsError: the goals do not fit the board, or there are none, or more than `MOST_GOALS`.
    """

    board: Puzzle
    open: tuple[OpenCells, ...] = ()
    exceptions: tuple[tuple[str, ...], ...] = ()
    regions: tuple[GoalRegion, ...] = ()
    choice: PartChoice | None = None
    expect: Mapping[str, int] = field(default_factory=dict)
    long: bool = False

    def __post_init__(self) -> None:
        faults = [*self.faults()]
        if faults:
            raise GoalsError(self.name, faults)

    def __repr__(self) -> str:
        return f"<Goals of {escaped(self.name)}: {len(self):,}>"

    @property
    def name(self) -> str:
        return self.board.name

    @property
    def title(self) -> str:
        return self.board.title

    @property
    def warnings(self) -> tuple[Complaint, ...]:
        """What the reader of the board found odd."""
        return self.board.warnings

    def __len__(self) -> int:
        return len(self.goals)

    def __iter__(self) -> Iterator[Goal]:
        return iter(self.goals)

    @cached_property
    def goals(self) -> tuple[Goal, ...]:
        """All goals, in the order of the file."""
        return tuple(self._made())

    @cached_property
    def numbered(self) -> dict[str, int]:
        """The number of each goal, from 0, by its name."""
        return {goal.name: number for number, goal in enumerate(self.goals)}

    def called(self, name: str) -> Goal:
        """The goal of this name.

        Raises:
            PuzzleError: there is none.
        """
        if name not in self.numbered:
            hint = suggest(name, self.numbered, listing=False) or f", such as {self.goals[0].name!r}"
            raise PuzzleError(f"{self.name!r} has no goal {name!r:.80}{hint}")
        return self.goals[self.numbered[name]]

    def puzzle(self, goal: Goal | str) -> Puzzle:
        """A goal as a puzzle of its own, with the board's rules, costs and room to turn.

        Raises:
            PuzzleError: there is no goal of this name.
        """
        goal = self.called(goal) if isinstance(goal, str) else goal
        board = self.board
        region = region_within(board.region, goal.kept)
        there = set(map(tuple, region.cells.tolist()))
        return Puzzle(
            f"{board.name}:{goal.name}",
            board.lattice,
            region,
            tuple(parts_of(board.parts, goal.copies)),
            f"{board.title or board.name}: {goal.name}",
            board.source,
            board.colours,
            warnings=board.warnings,
            rules=rules_within(board.rules, there),
            turning=board.turning,
            comment=board.comment,
            costs=tuple(costs.within(there) for costs in board.costs),
        )

    def faults(self) -> Iterator[GoalFault]:
        """What is wrong with the goals."""
        if not (self.open or self.regions or self.choice):
            yield GoalFault((), "there are none: give open cells, regions, or a choice of parts")
        if self.regions and (self.open or self.exceptions):
            yield GoalFault(("regions",), "regions and open cells exclude each other; leave one of them out")
        if self.open and sum(group.count for group in self.open) >= len(self.board.region.cells):
            yield GoalFault(("open",), "all cells of the board stay open, so that nothing is left to fill")
            return
        known = [*self._faults_of_open(), *self._faults_of_exceptions(), *self._faults_of_regions()]
        known += [GoalFault(("choose", *place), words) for place, words in self._faults_of_choice()]
        yield from known
        if not known and (self.open or self.regions or self.choice):
            yield from self._faults_of_number()

    def _faults_of_open(self) -> Iterator[GoalFault]:
        region, lattice = self.board.region, self.board.lattice
        optional = dict(zip(map(tuple, region.cells.tolist()), region.optional.tolist(), strict=True))
        seen: dict[CellRow, str] = {}
        labelled: dict[str, str] = {}
        for k, group in enumerate(self.open):
            if len(group.labels) != len(group.cells):
                yield GoalFault(("open", k, "labels"), f"{len(group.cells)} cells have {len(group.labels)} labels")
            if not 1 <= group.count <= len(group.cells):
                yield GoalFault(
                    ("open", k, "count"), f"from 1 to {len(group.cells)} of {len(group.cells)} cells can stay open"
                )
            for cell in group.cells:
                shown = lattice.written(cell)
                if cell not in optional:
                    yield GoalFault(("open", k), f"{shown} is not a cell of the board")
                elif optional[cell]:
                    yield GoalFault(("open", k), f"the cell {shown} is optional, so it may stay empty anyway")
                elif cell in seen:
                    yield GoalFault(("open", k), f"the cell {shown} belongs to {seen[cell]!r} already")
                seen.setdefault(cell, group.name)
            for label in group.labels:
                if label in labelled:
                    what = f"the label {label!r} stands for a cell of {labelled[label]!r} already; choose another"
                    yield GoalFault(("open", k, "labels"), what)
                labelled.setdefault(label, group.name)

    def _faults_of_exceptions(self) -> Iterator[GoalFault]:
        labels = [label for group in self.open for label in group.labels]
        for k, exception in enumerate(self.exceptions):
            if not exception:
                yield GoalFault(("except", k), "an exception names the labels of open cells")
            for label in exception:
                if label not in labels:
                    hint = suggest(label, labels, listing=False)
                    yield GoalFault(("except", k), f"no open cell has the label {label!r:.80}{hint}")

    def _faults_of_regions(self) -> Iterator[GoalFault]:
        there = set(map(tuple, self.board.region.cells.tolist()))
        names = set()
        for k, region in enumerate(self.regions):
            if region.name in names:
                yield GoalFault(("regions", k, "name"), f"two regions are named {region.name!r}")
            names.add(region.name)
            missing = sorted(set(region.cells) - there)
            if missing or not region.cells:
                shown = self.board.lattice.written(missing[0]) if missing else ""
                what = f"{shown} is not a cell of the board" if missing else "has no cells"
                yield GoalFault(("regions", k), what)

    def _faults_of_choice(self) -> Iterator[tuple[Place, str]]:
        if self.choice is None:
            return
        yield from self.choice.faults(self.board.parts)
        if self.board.costs or any(rule.named_parts for rule in rules_of(self.board)):
            what = "costs" if self.board.costs else "rules that name parts"
            yield (), f"a choice of parts cannot be combined with {what}: a goal may lack these parts"

    def _faults_of_number(self) -> Iterator[GoalFault]:
        many = prod(comb(len(group.cells), group.count) for group in self.open)
        place: Place = ("choose",) if self.choice else ("open",)
        if many <= MOST_GOALS * 100:  # exceptions may leave few
            many = sum(1 for _ in zip(self._made(), range(MOST_GOALS + 1), strict=False))
        if many > MOST_GOALS:
            yield GoalFault(place, f"there are more than {MOST_GOALS:,} goals; ask for fewer")
        elif not many:
            what = "no choice of parts has as many cells as the region" if self.choice else "each has an exception"
            yield GoalFault(place, f"there are no goals: {what}")
        elif len(self.numbered) < many:
            again = next(name for k, name in enumerate(goal.name for goal in self.goals) if self.numbered[name] != k)
            yield GoalFault(place, f"two goals are named {again!r}; name cells or parts differently")

    def _made(self) -> Iterator[Goal]:
        if self.choice is None:
            unchanged = (-1,) * len(self.board.parts)
            yield from (Goal(base.name, base.kept, unchanged) for base in self._bases())
            return
        known: dict[tuple[int, int], PartSets] = {}
        for base in self._bases():
            region = region_within(self.board.region, base.kept)
            within = (region.n_mandatory, len(region.cells))
            if within not in known:
                known[within] = chosen_copies(replace(self.board, region=region), self.choice)
            for copies in known[within]:
                names = [p.name for p, n in zip(self.board.parts, copies, strict=True) for _ in range(max(0, n))]
                yield Goal(" ".join(filter(None, [base.name, *names])), base.kept, copies)

    def _bases(self) -> Iterator[_Choice]:
        """The parts of the board."""
        cells = [tuple(cell) for cell in self.board.region.cells.tolist()]
        number = {cell: k for k, cell in enumerate(cells)}
        for region in self.regions:
            kept = np.zeros(len(cells), np.bool_)
            kept[[number[cell] for cell in region.cells]] = True
            yield _Choice(region.name, kept)
        if self.regions:
            return
        of_label = {
            label: number[cell] for group in self.open for label, cell in zip(group.labels, group.cells, strict=True)
        }
        unwanted = [frozenset(labels) for labels in self.exceptions]
        for groups in product(*(combinations(group.labels, group.count) for group in self.open)):
            labels = [label for chosen in groups for label in chosen]
            if any(labels_out.issubset(labels) for labels_out in unwanted):
                continue
            kept = np.ones(len(cells), np.bool_)
            kept[[of_label[label] for label in labels]] = False
            yield _Choice(" ".join(labels), kept)


class GoalPuzzles(Mapping[str, Puzzle]):
    """The goals as the puzzles of a file, by their names. Each is made when it is asked for."""

    def __init__(self, goals: Goals) -> None:
        self.goals = goals
        self._made: dict[str, Puzzle] = {}

    def __getitem__(self, name: str) -> Puzzle:
        own = name.removeprefix(f"{self.goals.name}:")  # the name of the puzzle will do as well
        known = name if name in self.goals.numbered else own
        if known not in self.goals.numbered:
            raise KeyError(name)
        if known not in self._made:
            self._made[known] = self.goals.puzzle(known)
        return self._made[known]

    def __iter__(self) -> Iterator[str]:
        return iter(self.goals.numbered)

    def __len__(self) -> int:
        return len(self.goals)


def region_within(region: Region, kept: npt.NDArray[np.bool_]) -> Region:
    """The region of the *kept* cells, shape (n_cells,), bool."""
    return replace(region, cells=region.cells[kept], colours=region.colours[kept], optional=region.optional[kept])


def rules_within(rules: Rules, there: Collection[CellRow]) -> Rules:
    """The rules of a smaller region, with these cells."""
    asked = tuple(each for each in rules.asked if each[0] in there)
    alike = (tuple(cell for cell in group if cell in there) for group in rules.alike)
    return replace(rules, asked=asked, alike=tuple(group for group in alike if len(group) > 1))


def parts_of(parts: tuple[Part, ...], copies: tuple[int, ...]) -> Iterator[Part]:
    """The parts of a goal; see `Goal.copies`. Each keeps its number, so that it has one colour in all pictures."""
    for part, n in zip(parts, copies, strict=True):
        if n:
            yield part if n < 0 else replace(part, low=n, high=n)
