"""Which backend is the best for what: rules on parts, packings, optima, matching puzzles of growing size.

Each row of a table is a question that every backend is asked, for so many seconds. Answers that are sure must agree.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Annotated, Literal

import psutil
import typer

from benchmarks.harness.options import Seconds
from benchmarks.harness.tables import Question, Reply, answers_of, lines_of
from benchmarks.harness.turns import Timer
from benchmarks.suite_puzzles import puzzle_of as puzzle_named
from latcover.backends import create
from latcover.core.cover.events import Events
from latcover.core.cover.search import Limits, Progress
from latcover.core.encoding.prepared import prepare
from latcover.core.model.puzzle import Part, Puzzle, box
from latcover.core.solving.count import CountRequest, count
from latcover.core.solving.run import run
from latcover.files.formats.library import load_lattice, load_set, puzzle_called
from latcover.files.formats.named_shapes import shape_named
from latcover.lab.comparing.compare import CompareRequest
from latcover.lab.comparing.comparison_tables import seconds as form
from latcover.lab.comparing.methods import chosen_methods
from latcover.lab.comparing.optima import compare_optima
from latcover.lab.exploring.exploring_requests import ExcludeRequest, PackRequest
from latcover.lab.exploring.packing import exclude, pack, region_to_pack
from latcover.system.child_process import Children

BY_RULES = ("bitset", "dlx", "backtrack", "cpsat", "sat")
BY_PACKINGS = ("auto", "cpsat", "sat", "bitset")
BY_OPTIMA = ("bitset", "dlx", "cpsat", "sat", "backtrack")
BY_SIZES = ("dlx", "bitset", "cpsat", "sat", "backtrack")
Sense = Literal["maximize", "minimize"]


def dominoes(*sizes: int) -> Puzzle:
    """A board to be filled with dominoes."""
    name = f"dominoes on {' x '.join(map(str, sizes))}"
    return Puzzle(name, load_lattice("square"), box(*sizes), (Part("domino", "XX", low=0, high=None),))


def two_kinds(size: int) -> Puzzle:
    """A square board to be filled with dominoes, half of them red and half of them blue."""
    kinds = tuple(Part(name, "XX", low=size**2 // 4) for name in ("red", "blue"))
    return Puzzle(f"red and blue dominoes on {size} x {size}", load_lattice("square"), box(size, size), kinds)


def rule_cases() -> Iterator[tuple[str | Puzzle, tuple[str, ...], int | None]]:
    """A puzzle, rules on its parts, and how many solutions are wanted: all, or one."""
    yield "pent-10x6", ("no-crossroads",), None  # a local rule: items
    yield "pent-10x6", ("colourable-corners=3",), None  # few solutions pass
    yield "pent-10x6", ("colourable=2",), None  # none does
    yield "pent-10x6", ("connected=F,I,L,N,P,T",), None  # many do
    yield "pent-10x6", ("connected=F,L", "connected=N,P", "connected=T,U", "connected=V,W"), None  # few do
    yield dominoes(6, 6), ("no-fault-lines",), None  # there is none, by counting
    yield dominoes(6, 8), ("no-fault-lines",), 1
    yield "torus-89-apart", (), 1
    yield two_kinds(6), ("connected=red", "connected=blue"), 1  # very many covers, few of which keep the rules
    yield two_kinds(8), ("connected=red", "connected=blue"), 1


class _InTime(Events):
    """Stops a search at so many seconds of processor time."""

    def __init__(self, seconds: float) -> None:
        self._until = time.process_time() + seconds

    def on_progress(self, progress: Progress) -> bool:
        return time.process_time() < self._until


def count_with_rules(
    puzzle: str | Puzzle, rules: tuple[str, ...], limit: int | None, seconds: float, backend: str
) -> Reply:
    """The answer of a backend, which is not sure if its time was over; and what it took."""
    timer = Timer()
    options: dict[str, str | int | float | bool] = {}
    if backend == "sat":
        options["solver"] = "minisat22"  # in this process, whose time is read
    request = CountRequest(backend=backend, options=options, rules=rules, limit=limit)
    answer = count(puzzle_called(puzzle), request, _InTime(seconds))
    took = timer.of_processor()
    if not answer.complete and answer.different != limit:
        return Reply(f"> {took:.0f}")
    refused = answer.figures.native.get("refused", 0)
    return Reply(f"{took:.2f}" + (f" ({refused:,})" if refused else ""), answer.different)


def rules(*, seconds: Seconds = 20.0) -> Iterator[str]:
    """Time every backend on puzzles with rules on their parts: seconds of processor time."""
    questions = []
    for puzzle, given, limit in rule_cases():
        name = puzzle if isinstance(puzzle, str) else puzzle.name
        words = ", ".join(filter(None, [name, " ".join(given), "one solution" if limit else ""]))
        questions.append(Question((words,), partial(count_with_rules, puzzle, given, limit, seconds)))
    yield from lines_of(("puzzle and rules", "solutions", *BY_RULES), answers_of(questions, BY_RULES))


CHIPS = {  # each as it lies
    "S": "XX.\n.XX",
    "T": ".X.\nXXX",
    "F": "XXX\nX.X\nX..",
    "Z": "X...\nXXXX\n..XX",
    "P": "XXX\nXXX\n..X",
}
PACKINGS = (  # what is asked, the shapes, and the side of the board
    ("pack", "tetrominoes:S", 8),
    ("pack", "pentominoes:V", 8),
    ("pack", "pentominoes:V", 10),
    ("pack", "chips", 10),
    ("pack --cells", "chips", 10),
    ("pack --cells", "chips", 25),
    ("pack --cells --once", "hexominoes", 12),
    ("pack --cells", "pentominoes:X", 12),
    ("pack", "pentominoes:F pentominoes:X square-2:1", 9),
    ("clumsy", "square-2:1", 6),
    ("clumsy", "square-2:1", 8),
    ("clumsy", "tetrominoes:L", 6),
    ("clumsy", "chips", 8),
    ("exclude", "pentominoes:X", 8),
    ("exclude", "pentominoes:F", 8),
    ("exclude", "pentominoes:P", 8),
)


def board_to_pack(shapes: str, size: int) -> Puzzle:
    """A square board, and shapes by their names, or the chips, any number of each."""
    cells, square = box(size, size).cells, load_lattice("square")
    if shapes == "chips":
        chips = [Part(name, art, low=0, high=None, transformations="fixed") for name, art in CHIPS.items()]
        return Puzzle("chips", square, box(size, size), tuple(chips))
    if shapes == "hexominoes":
        return region_to_pack(load_set(shapes).parts, cells)
    return region_to_pack([shape_named(name, "square") for name in shapes.split()], cells)


def packed(what: str, shapes: str, size: int, seconds: float, backend: str) -> Reply:
    """The value that a backend finds in so many seconds, and what it took; with the bound if it did not prove it."""
    board, (question, *options) = board_to_pack(shapes, size), what.split()
    timer = Timer()
    if question == "exclude":
        found = exclude(board, ExcludeRequest(backend="" if backend == "auto" else backend, seconds=seconds))
    else:
        chosen = {option.strip("-"): True for option in options}
        request = PackRequest(backend=backend, seconds=seconds, clumsy=question == "clumsy", **chosen)
        found = pack(board, request)
    value = f"{found.value}" if found.proved else f"{found.value} (bound {found.bound})"
    return Reply(f"{value} in {timer.of_processor():.2f}", found.value if found.proved else None)


def packings(*, seconds: Seconds = 10.0) -> Iterator[str]:
    """Pack boards with every backend: the value, and seconds of processor time."""
    questions = [
        Question((f"`{what} {shapes} {size}x{size}`",), partial(packed, what, shapes, size, seconds))
        for what, shapes, size in PACKINGS
    ]
    yield from lines_of(("question", "proved", *BY_PACKINGS), answers_of(questions, BY_PACKINGS))


OPTIMA: tuple[tuple[str, Sense, str], ...] = (
    ("treasure", "maximize", "gold"),  # costs of cells, and a few terms
    ("treasure", "minimize", "noise"),  # terms, and solutions that cost nothing
    ("pent-12x5", "minimize", "crossroads"),  # a bound that some solution meets
    ("pent-12x5", "maximize", "crossroads"),  # a bound that none meets
    ("pent-15x4", "maximize", "fault-lines"),
    ("pent-20x3", "minimize", "border"),  # very many terms
)


def optimum(puzzle: str, sense: Sense, objective: str, seconds: float, children: Children, name: str) -> Reply:
    """What a backend reached within so many seconds."""
    methods, arguments = chosen_methods(name, BY_OPTIMA), CompareRequest(time=seconds).arguments()
    (run,) = compare_optima(puzzle, methods, arguments, children, sense=sense, objective=objective).runs
    if run.summary is None:
        return Reply(run.reason[:40])
    value = run.summary["value"]
    if not run.proved:
        return Reply("no proof" if value is None else f"no proof, {value} found")
    return Reply(form(run.summary["seconds"]["search"]), value)


def optima(*, seconds: Seconds = 30.0) -> Iterator[str]:
    """Find optima with every backend: seconds of search until the proof."""
    with Children() as children:
        questions = [
            Question((puzzle, f"{sense} {objective}"), partial(optimum, puzzle, sense, objective, seconds, children))
            for puzzle, sense, objective in OPTIMA
        ]
        yield from lines_of(("puzzle", "objective", "optimum", *BY_OPTIMA), answers_of(questions, BY_OPTIMA))


ON_ONE_THREAD = {"bitset": {"threads": 1}, "cpsat": {"threads": 1}}
PATIENCE = 20  # seconds of the clock for each second of the processor: other programs may be running


def spent() -> float:
    """Seconds of processor time of this process, and of its children."""
    running = 0.0
    for child in psutil.Process().children():
        with suppress(psutil.Error):  # it may end meanwhile
            running += sum(child.cpu_times()[:2])
    return sum(os.times()[:4]) + running


def searched(puzzle: str, seconds: float, backend: str) -> Reply:
    """All solutions that a backend finds, or that it gave up; set-up counts."""
    search = create(backend, **ON_ONE_THREAD.get(backend, {}))
    if not search.honours_colours:
        return Reply("does not know values")
    start, limits = spent(), Limits(seconds=PATIENCE * seconds)
    answer = run(prepare(puzzle_named(puzzle)), search, limits, on_progress=lambda _: spent() - start < seconds)
    taken = spent() - start
    branches = "" if answer.branches is None else f", {answer.branches:,} branches"
    if answer.complete:
        return Reply(f"in {taken:.2f} s{branches}", answer.different)
    return Reply(f"gives up after {taken:.0f} s: {answer.different:,} found{branches}")


def giving_up(
    *,
    seconds: Seconds = 20.0,
    largest: Annotated[int, typer.Option(min=4, help="Cells along a side of the largest board.")] = 8,
    seed: Annotated[int, typer.Option(min=0, help="Of the boards.")] = 1,
) -> Iterator[str]:
    """Search boards of 4 by 4 and more with every backend, each for so many seconds of processor time."""
    questions = []
    for size in range(4, largest + 1):
        values = size - 1 + (size == 4)  # inside: few enough that tiles fit in several places
        ask = partial(searched, f"board-{size}x{size}-{values}-{seed}", seconds)
        questions.append(Question((f"{size} by {size}, {values} values",), ask))
    yield from lines_of(("board", "solutions", *BY_SIZES), answers_of(questions, BY_SIZES))
