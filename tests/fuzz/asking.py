"""A puzzle, all that is asked of latcover about it, and whether the answers are those of brute force.

What is asked for every puzzle: each cheap backend with options at random, a count without a list, and one change of
which it is known what becomes of the counts. The expensive ones are asked for a share of the puzzles (`SOMETIMES`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import islice
from typing import TypeVar

from msgspec import Struct, field

from latcover.backends import create
from latcover.backends.compiled import kernels
from latcover.core.cover.backend import collect
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Limits
from latcover.core.cover.subproblem import Job, SearchTree
from latcover.core.encoding.prepared import Choices, Prepared, prepare
from latcover.core.encoding.symmetry import SYMMETRIES
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.puzzle_checks import complaints_about
from latcover.core.model.solution import Solution
from latcover.core.solving.count import count_prepared
from latcover.core.solving.run import run
from latcover.errors import PuzzleError, UnsupportedError
from tests.dice import Dice
from tests.fuzz.changes import CHANGES, Changed, scaled
from tests.fuzz.disagreement import DisagreementError, require
from tests.fuzz.files import read_back
from tests.puzzle_oracle import Solution as Expected
from tests.puzzle_oracle import TooLargeError, classes, each_solution, plain, symmetries
from tests.random_puzzles import any_puzzle

T = TypeVar("T")
MOST_SOLUTIONS = 300
PATIENCE = 1500  # steps of brute force
MOST_LISTED = 60  # solutions whose images are all listed; of more, one of each class
SECONDS = 60.0  # for what takes milliseconds; a search that does not end is a disagreement too
CHEAP = ("dlx", "backtrack", "bitset", "auto")
SOMETIMES = {"sat": 10, "cpsat": 10, "file": 10, "jobs": 15, "limit": 15, "large": 25}  # percent of the puzzles
STRANDING = ("no", "rows", "anchor", "sums")
ENCODINGS = ("auto", "seqcounter", "totalizer", "ladder", "kmtotalizer")
KERNELS = tuple(name for name, runs_here in kernels().items() if runs_here)


class Case(Struct, frozen=True):
    """A puzzle and what is asked about it.

    Attributes:
        backends: Names, each with its options.
        change: The name of the change, and what it makes of the puzzle; None where it does not apply.
        also: What is asked besides, of `SOMETIMES`.
        number: Chosen at random, for what needs one: a limit, or pieces of a search.
    """

    puzzle: Puzzle
    choices: Choices
    backends: tuple[tuple[str, Mapping[str, object]], ...]
    method: str
    change: tuple[str, Changed | None]
    also: tuple[str, ...]
    number: int

    def __repr__(self) -> str:
        return (
            f"{self.choices}\nbackends {self.backends}\nmethod {self.method!r}, change {self.change[0]!r}, "
            f"also {self.also}, number {self.number}\n{self.puzzle!r}"
        )


class Tally(Struct):
    """What was asked so far."""

    puzzles: int = 0
    solutions: int = 0
    found: Counter[str] = field(default_factory=Counter)  # puzzles, by how many solutions they have
    asked: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)


def make_case(dice: Dice) -> Case:
    """A case with any puzzle and any questions."""
    puzzle = any_puzzle(dice)
    single = [part.name for part in puzzle.parts if part.low == puzzle.most_copies(part) == 1]
    axes = range(puzzle.lattice.dimension)
    choices = Choices(
        symmetry=dice.pick(SYMMETRIES[::-1]),
        reduction=dice.pick(("auto", "auto", "none", "paper")),
        pivot=dice.pick(single) if single and dice.chance(15) else None,
        order=tuple(dice.shuffled(axes)) if dice.chance(40) else None,
    )
    also = tuple(name for name, percent in SOMETIMES.items() if dice.chance(percent))
    names = (*CHEAP, *(name for name in ("sat", "cpsat") if name in also))
    backends = tuple((name, _options(dice, name)) for name in names)
    method = dice.pick(("auto", "frontier", "memo", "components"))
    change = dice.pick(CHANGES)
    changed = change(puzzle, dice)
    return Case(puzzle, choices, backends, method, (change.__name__, changed), also, dice.between(1, 6))


def _options(dice: Dice, name: str) -> dict[str, object]:
    if name in ("dlx", "backtrack"):
        return {"size": not dice.chance(50), "strand": dice.pick(STRANDING)}
    if name == "bitset":
        return {"kernel": dice.pick(KERNELS), "threads": dice.between(1, 3), "ordered": not dice.chance(30)}
    if name == "auto":
        return {
            "size": not dice.chance(20),
            "strand": dice.pick((*["no"] * 4, *STRANDING)),
            "threads": dice.between(1, 2),
        }
    if name == "sat":
        return {
            "solver": "maplesat",
            "encoding": dice.pick(("auto", "seqcounter", "totalizer", "ladder", "kmtotalizer")),
        }
    return {}


def check(case: Case, tally: Tally) -> None:
    """Ask everything.

    Raises:
        DisagreementError: an answer is not that of brute force.
    """
    tally.puzzles += 1
    try:
        expected = list(islice(each_solution(case.puzzle, PATIENCE), MOST_SOLUTIONS + 1))
    except TooLargeError:
        expected = []
        tally.found["too large for brute force"] += 1
        return
    if len(expected) > MOST_SOLUTIONS:
        tally.found["too many"] += 1
        return
    tally.solutions += len(expected)
    n = len(expected)
    tally.found["0" if not n else "1" if n == 1 else "2-9" if n < 10 else "10+"] += 1
    faults = faults_of(case.puzzle)
    if faults:
        tally.refused["puzzles that contradict themselves"] += 1
        if any(CROSSED not in fault for fault in faults):
            require(not expected, "complaints", f"{faults} although there are {n} solutions")
        return
    _Asking(case, set(expected), tally).everything()


CROSSED = "runs straight through"  # a puzzle is refused for that, but not because it has no solutions


def faults_of(puzzle: Puzzle) -> list[str]:
    """Why a puzzle is refused."""
    return [complaint.message for complaint in complaints_about(puzzle) if not complaint.warning]


class _Asking:
    """The questions about one puzzle that has no faults."""

    def __init__(self, case: Case, expected: set[Expected], tally: Tally) -> None:
        self.case, self.expected, self.tally = case, expected, tally
        self.group = symmetries(case.puzzle, case.choices.symmetry)
        self.orbits = classes(expected, self.group)
        self.counts = (len(self.orbits), len(expected))

    def everything(self) -> None:
        case = self.case
        prepared = self.ask("prepare", self.prepared)
        if prepared is None:  # the pivot is none
            prepared = prepare(case.puzzle, Choices(case.choices.symmetry))
        if not case.puzzle.region.period:  # round a ring, several transformations may do the same
            there, own = len(self.group), prepared.symmetries
            require(own == there, "symmetries", f"{own} of them, not {there}")
        self.listing(prepared)
        self.searches(prepared)
        self.count(prepared)
        if case.change[1] is not None:
            self.change(case.change[0], case.change[1])
        for name in case.also:
            if name not in ("sat", "cpsat"):
                getattr(self, name)(prepared)

    def ask(self, check: str, question: Callable[[], T]) -> T | None:
        """The answer; None where it is refused."""
        self.tally.asked[check] += 1
        try:
            return question()
        except UnsupportedError:
            self.tally.refused[check] += 1
        except DisagreementError:
            raise
        except Exception as fault:
            raise DisagreementError(check, f"{type(fault).__name__}: {fault}") from fault
        return None

    def prepared(self) -> Prepared:
        try:
            return prepare(self.case.puzzle, self.case.choices)
        except PuzzleError as fault:
            pivot = self.case.choices.pivot
            if pivot is None or all(symmetry.parts[pivot] == pivot for symmetry in self.group):
                raise
            raise UnsupportedError(str(fault)) from fault

    def require_counts(self, check: str, answer: SearchResult) -> None:
        require(answer.complete, check, f"did not finish: {answer.stop}")
        found = (answer.different, answer.total)
        require(found == self.counts, check, f"found {found}, not {self.counts}")

    def listing(self, prepared: Prepared) -> None:
        """One solution of each class, or all of them, one by one."""
        listed: list[Solution] = []
        images = len(self.expected) <= MOST_LISTED
        answer = self.ask(
            "list", lambda: run(prepared, create("dlx"), Limits(seconds=SECONDS), listed.append, images=images)
        )
        assert answer is not None
        found = [plain(solution) for solution in listed]
        wrong = set(found) - self.expected
        require(not wrong, "list", f"{len(wrong)} of {len(found)} solutions are none: {list(wrong)[:1]}")
        if images:
            require(len(found) == len(set(found)), "list", "a solution twice")
            require(set(found) == self.expected, "list", f"{len(found)} solutions, not {len(self.expected)}")
        else:
            orbit_of = {solution: orbit for orbit in self.orbits for solution in orbit}
            there = [orbit_of[solution] for solution in found]
            require(len(there) == len(set(there)) == len(self.orbits), "list", "not one solution of each class")
            sizes = [solution.orbit for solution in listed]
            require(sizes == [len(orbit) for orbit in there], "list", "a class of another size")
        self.require_counts("list", answer)

    def searches(self, prepared: Prepared) -> None:
        digests = {}
        for name, options in self.case.backends:
            answer = self.ask(name, lambda: run(prepared, create(name, **options), Limits(seconds=SECONDS)))  # noqa: B023
            if answer is not None:
                self.require_counts(name, answer)
                digests[name] = answer.digest
                require(len(set(digests.values())) == 1, name, f"other covers than before: {digests}")

    def count(self, prepared: Prepared) -> None:
        check = f"count by {self.case.method}"
        limits = Limits(seconds=SECONDS)
        answer = self.ask(check, lambda: count_prepared(prepared, limits=limits, method=self.case.method))
        if answer is not None:
            self.require_counts(check, answer)

    def change(self, name: str, changed: Changed) -> None:
        total = different = 0
        for puzzle in changed.puzzles:
            faults = faults_of(puzzle)
            if any(CROSSED in fault for fault in faults):
                return
            if faults:
                continue  # it has no solutions
            answer = self.ask(name, lambda: self.counted(puzzle))  # noqa: B023
            assert answer is not None
            total += answer.total
            different += answer.different
        wanted = len(self.expected) * changed.times
        require(total == wanted, name, f"{total} solutions in all, not {wanted}")
        if changed.classes:
            require(different == len(self.orbits), name, f"{different} different ones, not {len(self.orbits)}")

    def counted(self, puzzle: Puzzle) -> SearchResult:
        return run(prepare(puzzle, Choices(self.case.choices.symmetry)), create("bitset", threads=1))

    def file(self, _: Prepared) -> None:
        """Written as a puzzle file and read again."""
        puzzle = self.ask("file", lambda: read_back(self.case.puzzle))
        if puzzle is not None:
            self.require_counts("file", self.counted(puzzle))

    def jobs(self, prepared: Prepared) -> None:
        """The search cut in pieces: each cover lies in one of them."""
        backend = create("dlx")
        tree = SearchTree(prepared.problem, backend.rule)
        found: list[tuple[int, ...]] = []
        for piece in tree.cut(Job(), 2 * self.case.number).pieces:
            sub = tree.restrict(piece.job)
            own = sub.options.tolist()
            rest = collect(backend, sub.problem)
            found += [tuple(sorted([*sub.chosen.tolist(), *(own[option] for option in cover)])) for cover in rest]
        whole = sorted(tuple(sorted(cover)) for cover in collect(backend, prepared.problem))
        self.tally.asked["jobs"] += 1
        require(sorted(found) == whole, "jobs", f"{len(found)} covers in the jobs, {len(whole)} in all")

    def large(self, _: Prepared) -> None:
        """The puzzle on a finer grid, where that can be: it takes every backend through more items."""
        changed = scaled(self.case.puzzle)
        if changed is None:
            return
        prepared = prepare(changed.puzzles[0], Choices(self.case.choices.symmetry))
        for name, options in self.case.backends[: len(CHEAP)]:
            check = f"{name} on a large one"
            answer = self.ask(check, lambda: run(prepared, create(name, **options), Limits(seconds=SECONDS)))  # noqa: B023
            if answer is not None:
                self.require_counts(check, answer)

    def limit(self, prepared: Prepared) -> None:
        """So many solutions and no more."""
        most, (different, _) = self.case.number, self.counts
        for name, options in self.case.backends[: len(CHEAP)]:
            check = f"{name} with a limit"
            limits = Limits(covers=most, seconds=SECONDS)
            answer = self.ask(check, lambda: run(prepared, create(name, **options), limits))  # noqa: B023
            if answer is not None:
                found, wanted = answer.different, min(most, different)
                require(found == wanted, check, f"{found} solutions with a limit of {most}, not {wanted}")
