"""What is compared, as data: families of problems by their sizes, what is asked of each, and the known answers.

All problems are our own or shipped with latcover. A number of covers is known from a formula or from a published table
wherever there is one; the others were counted by several programs of different methods, which agreed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from latcover.benchmarks import generated
from latcover.benchmarks.suite_finding import prepared_of as prepared_family
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.encoding.prepared import prepare
from latcover.core.model.puzzle import Bounds
from latcover.files.formats.library import load, read
from latcover.files.formats.source import Source, shipped

Task = Literal["all", "count", "one", "puzzle", "apart", "plane"]
Answer = int | tuple[int, ...]
Answers = Mapping[int | str, Answer]  # by size or name
TASKS: dict[Task, str] = {
    "all": "All solutions",
    "count": "Counting",
    "one": "One solution",
    "puzzle": "From the puzzle file to the number of solutions",
    "apart": "Taking apart",
    "plane": "Tilings of the plane",
}
ASKED: dict[Task, str] = {
    "all": "Every cover is delivered: the options of each are in memory, or in a file, when the clock stops.",
    "count": "Only the number of covers is required; a program that can only list them may do so.",
    "one": "Any single cover is required.",
    "puzzle": "Each program gets the puzzle as a file. It counts the solutions that are different under the "
    "symmetries, and checks them. The time is that of the whole command.",
    "apart": "Each program gets the puzzle as a file. It finds all assemblies and takes each apart by sliding; "
    "the level is how many moves the hardest needs until a part comes off. The time is that of the whole command.",
    "plane": "Of all free shapes of so many cells without holes: which tile the plane isohedrally, and the Heesch "
    "numbers of those that do not tile it, with and without a hole in the last corona. The time is that of the whole "
    "command.",
}
WHOLE_COMMANDS: dict[Task, int] = {"puzzle": 20, "apart": 20, "plane": 20}  # so many times as long may these take


def seconds_for(task: Task, seconds: float) -> float:
    """The processor time that a question of a task may take, where that of a plain one may take so long."""
    return seconds * WHOLE_COMMANDS.get(task, 1)


@dataclass(frozen=True, slots=True)
class Family:
    """Problems of one kind, by their size.

    Attributes:
        name: What stands in tables.
        about: What the problems are, as a sentence.
        source: Where the numbers of covers are known from.
        size: What the sizes are, for the axis of a chart; "" if they are only a list.
        answers: For each task, the problems by their sizes or names, and how many covers each has. Of "apart" it is how
            many assemblies there are, how many come apart, and the highest level; of "plane" how many shapes tile
            isohedrally, and how many have Heesch number 0, 1, 2, ...
        make: Makes the options of a size; None for puzzles, which are found by their names.
        quick: How many of the first sizes a quick run has.
    """

    name: str
    about: str
    source: str
    size: str
    answers: Mapping[Task, Answers]
    make: Callable[[int], generated.Options] | None = None
    quick: int = 1


@dataclass(frozen=True, slots=True)
class Case:
    """One problem, and what is asked."""

    task: Task
    family: str
    size: int | str
    answer: Answer

    @property
    def problem(self) -> str:
        """Its name: unique among all problems, but the same for each task."""
        return f"{self.family} {self.size}" if isinstance(self.size, int) else self.size


# Made by removing clues at random from a full grid while the solution stayed the only one.
SUDOKUS = {
    "sudoku, 25 clues": "...8.....43...9..7....24..62.1.........91......84.7.9..2..51.....4..31...65....2.",
    "sudoku, 26 clues": "...5...14....19.67...7..8..9......7.2.48.3........16.....1.549......4.....93...81",
    "sudoku, 24 clues": "53.1.8..2...2.....9.....84.62........74.8.2.5...5.........2.478...6.9.2..........",
}


def _sudoku_of(name: str) -> generated.Options:
    return generated.sudoku(SUDOKUS[name])


DOMINOES: Answers = {
    4: 36,
    6: 6728,
    8: 12988816,
    10: 258584046368,
    12: 53060477521960000,
    16: 2444888770250892795802079170816,
    20: 1269984011256235834242602753102293934298576249856,
}
AGREED = "several programs here agree"
FAMILIES = (
    Family(
        "queens",
        "n queens on a board of n by n; rows and columns must be covered, diagonals may be",
        "OEIS A000170",
        "n",
        {
            "all": {6: 4, 8: 92, 10: 724, 11: 2680, 12: 14200},
            "count": {8: 92, 10: 724, 12: 14200},
            "one": {8: 1, 16: 1, 32: 1, 64: 1},
        },
        generated.queens,
    ),
    Family(
        "Langford",
        "two of each number 1 to n in a row, with k places between the two copies of k",
        "OEIS A014552, twice: both directions count",
        "n",
        {"all": {7: 52, 8: 300, 11: 35584}, "one": {12: 1, 20: 1, 28: 1, 36: 1}},
        generated.langford,
    ),
    Family(
        "L tricubes",
        "a box of 2 by 3 by n, filled with pieces of three cubes around a corner",
        AGREED,
        "length n of the box",
        {
            "all": {1: 2, 2: 44, 3: 432, 4: 4512, 5: 48892},
            "count": {2: 44, 4: 4512, 6: 518844, 8: 59104948, 12: 765515625092, 16: 9915739807009796},
        },
        lambda n: generated.ells(2, 3, n),
    ),
    Family(
        "rectangles",
        "a square of n by n cut into rectangles, no two of which are alike; the shapes are secondary items",
        AGREED,
        "side n",
        {"all": {3: 21, 4: 269, 5: 4489}, "count": {4: 269, 5: 4489, 6: 82981, 7: 2995185}},
        generated.rectangles,
    ),
    Family(
        "tiles",
        "n by n square tiles that may be turned; sides that meet show the same colour (items with colours)",
        AGREED,
        "side n of the board",
        {"all": {2: 20, 3: 4, 4: 8, 5: 16}},
        lambda n: generated.tiles(n, 2 * n + 1),
    ),
    Family(
        "random",
        "sets of three of n things, chosen at random, with at least one cover",
        AGREED,
        "n",
        {"all": {15: 1768, 18: 8296, 21: 23865}},
        lambda n: generated.random_cover(n, 60 / (n * (n - 1))),
    ),
    Family(
        "needle",
        "the same with so few sets that hardly any cover is there but the one that was hidden",
        "only one is asked",
        "n",
        {"one": {60: 1, 90: 1, 120: 1, 150: 1, 180: 1}},
        lambda n: generated.random_cover(n, 15 / (n * n)),
    ),
    Family(
        "sudoku",
        "sudokus with one solution each, none of whose clues could be left out",
        "by their making",
        "",
        {"all": dict.fromkeys(SUDOKUS, 1)},
    ),
    Family(
        "pentominoes",
        "shipped puzzles, reduced by their symmetries",
        "the puzzle's file names its source",
        "",
        {"all": {"pent-10x3x2": 12, "pent-8x8-minus-2x2": 65, "pent-6x5x2": 264, "pent-10x6": 2339}},
    ),
    Family(
        "dominoes",
        "a board of n by n, covered with dominoes",
        "the product of Kasteleyn, 1961; OEIS A004003",
        "side n of the board",
        {"count": DOMINOES},
        lambda n: generated.dominoes(n, n),
    ),
    Family(
        "Latin squares",
        "squares of n by n, each number once in each row and column",
        "OEIS A002860",
        "n",
        {"all": {3: 12, 4: 576}, "count": {3: 12, 4: 576, 5: 161280, 6: 812851200}},
        lambda n: generated.latin(n, n),
    ),
    Family(
        "partitions",
        "n things parted into groups: all subsets are options",
        "OEIS A000110, Bell numbers",
        "n",
        {"count": {6: 203, 8: 4140, 10: 115975, 12: 4213597}},
        generated.partitions,
    ),
    Family(
        "polyominoes",
        "large puzzles of pieces that are all different",
        "only one is asked",
        "",
        {
            "one": {
                "18 one-sided pentominoes, 9x10": 1,
                "35 hexominoes, 15x15 less 3x5": 1,
                "60 one-sided hexominoes, 18x20": 1,
            }
        },
    ),
    Family(
        "shipped",
        "shipped puzzles as files of BurrTools",
        "the puzzle's file names its source",
        "",
        {"puzzle": {"soma": 240, "pent-6x5x2": 264, "pent-5x4x3": 3940}},
    ),
    Family(
        "burrs",
        "shipped burrs as files of BurrTools",
        "the puzzle's file names its source",
        "",
        {
            "apart": {
                "burr-piston": (10, 1, 9),
                "burr-dubois": (2, 1, 6),
                "burr-loves-dozen": (154, 90, 12),
            }
        },
    ),
    Family(
        "shapes",
        "all free shapes of so many cells on a lattice of the plane",
        "C. Kaplan, Heesch numbers of unmarked polyforms, 2021; OEIS A054361",
        "",
        {"plane": {"6 squares": (35,), "7 squares": (104, 1, 2), "6 hexagons": (76, 0, 3, 1)}},
    ),
)
BY_NAME = {family.name: family for family in FAMILIES}


def cases_of(task: Task, *, quick: bool = False) -> Iterator[Case]:
    """The problems of a task, family by family, the smallest first."""
    for family in FAMILIES:
        answers = list(family.answers.get(task, {}).items())
        for size, answer in answers[: family.quick] if quick else answers:
            yield Case(task, family.name, size, answer)


@lru_cache(maxsize=4)
def problem_of(case: Case) -> NamedProblem:
    """The cover problem, its items with names; of a puzzle reduced by its symmetries, or whole where one is asked."""
    family = BY_NAME[case.family]
    if family.name == "sudoku":
        return _read(case.problem, _sudoku_of(case.problem))
    if family.make is not None:
        assert isinstance(case.size, int)
        return _read(case.problem, family.make(case.size))
    prepared = prepared_family(case.problem) if case.task == "one" else prepare(load(case.problem))
    return named(case.problem, prepared.problem)


def named(name: str, problem: CoverProblem) -> NamedProblem:
    """A problem whose items have only numbers."""
    colours = tuple(f"c{k}" for k in range(int(problem.option_colours.max(initial=0))))
    return NamedProblem(name, problem, tuple(f"i{k}" for k in range(problem.n_items)), colours)


def _read(name: str, options: generated.Options) -> NamedProblem:
    (subject,) = read(Source(generated.text_of(options).encode(), f"{name}.dlx", shipped), Bounds()).values()
    assert isinstance(subject, NamedProblem)
    return subject
