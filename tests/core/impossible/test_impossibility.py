"""Simple arguments: what they claim is so, by brute force; what has a solution is never said to have none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations_with_replacement, product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from latcover.backends import create
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import Limits, OnProgress, Progress
from latcover.core.encoding.placement import placements
from latcover.core.encoding.prepared import prepare
from latcover.core.impossible import reasons as impossibility
from latcover.core.impossible.class_counts import Classes, PartCounts, WorkBudget, reachable
from latcover.core.impossible.colourings import MODULI, colourings
from latcover.core.impossible.reasons import Reason, reasons, reasons_of
from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Bounds, Part, Puzzle, Region, as_cells
from latcover.core.solving.count import CountRequest, count
from latcover.core.solving.forestall import forestalled
from latcover.core.solving.run import run as run_search
from latcover.errors import InternalError
from latcover.files.formats.library import load, load_all, load_lattice
from latcover.files.formats.source import names
from latcover.show.reporting.check_report import inspect_file
from tests import puzzle_oracle
from tests.command_line import run
from tests.dice import cases
from tests.oracle import cover_problem
from tests.random_puzzles import puzzles
from tests.shipped import every_file

LATTICES = ("square", "triangular", "hexagonal", "cubic", "tetrakis")
UNBALANCED = "pent-10x6-eight-moved"


def why(puzzle: Puzzle) -> tuple[Reason, ...]:
    return reasons(puzzle, placements(puzzle))


def read(text: str, folder: Path) -> Puzzle:
    return load(str(written(text, folder)))


def written(text: str, folder: Path) -> Path:
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8")
    return path


def only(puzzle: Puzzle) -> str:
    """The one reason, which brute force confirms."""
    (reason,) = why(puzzle)
    assert count(puzzle, CountRequest(backend="cpsat")).total == 0
    return reason.text


# ---- never wrong


@cases(25, puzzle=lambda dice: puzzles(dice.pick(LATTICES[:4]))(dice))
def test_what_has_a_solution_is_never_said_to_have_none(puzzle: Puzzle) -> None:
    assert why(puzzle) == ()


@every_file
def test_no_shipped_puzzle_is_called_impossible(name: str) -> None:
    for puzzle in load_all(name):
        assert bool(why(puzzle)) == (puzzle.name == UNBALANCED)


def grown(lattice: Lattice, size: int, random: Random) -> list[tuple[int, ...]]:
    """A connected shape of so many cells."""
    cells = [(random.randrange(len(lattice.nodes)), *(0,) * lattice.dimension)]
    while len(cells) < size:
        node, *place = random.choice(cells)
        edge = random.choice([edge for edge in lattice.half_edges if edge.node == node])
        cell = (edge.target, *(x + s for x, s in zip(place, edge.step, strict=True)))
        if cell not in cells:
            cells.append(cell)
    return cells


def drawn(lattice: Lattice, random: Random) -> Puzzle:
    """A puzzle that need not have a solution: its region and its parts are grown one without the other."""
    sizes = [random.randint(1, 4) for _ in range(random.randint(2, 4))]
    cells = as_cells(sorted(grown(lattice, sum(sizes), random)), lattice.dimension)
    allowed = lattice.allowed(random.choice(["fixed", "rotations", "reflections"]))
    parts = []
    for k, size in enumerate(sizes):
        shape = as_cells(grown(lattice, size, random), lattice.dimension)
        low, high = random.choice([(1, 1), (1, 1), (0, 2), (0, None)])
        parts.append(Part(f"p{k}", shape, np.zeros(size, np.int32), low, high, allowed))
    region = Region(cells)
    if random.random() < 0.3:
        region = replace(region, optional=np.array([random.random() < 0.2 for _ in cells]))
        region = replace(region, max_empty=random.choice([None, 0, 1]))
    return Puzzle("drawn", lattice, region, tuple(parts))


@pytest.mark.parametrize("name", LATTICES)
def test_what_is_claimed_is_so(name: str) -> None:
    """By brute force, which knows nothing of placements or cover problems; and all kinds of argument come up."""
    random = Random(name)
    lattice = load_lattice(name)
    claimed: dict[str, int] = {"part": 0, "cell": 0, "colouring": 0}
    possible = 0
    for _ in range(30):
        puzzle = drawn(lattice, random)
        found = why(puzzle)
        solvable = bool(puzzle_oracle.solutions(puzzle))
        assert not (found and solvable), [reason.text for reason in found]
        possible += solvable
        for reason in found:
            claimed[reason.argument] += 1
    assert possible > 3
    assert min(claimed.values()) > 0, claimed


# ---- counting


Vectors = tuple[tuple[int, ...], ...]


@st.composite
def counts(draw: st.DrawFn) -> tuple[list[PartCounts], Classes]:
    n = draw(st.integers(1, 3))
    vector = st.tuples(*[st.integers(0, 3)] * n)
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        low = draw(st.integers(0, 2))
        high = draw(st.integers(low, 2))
        parts.append(PartCounts(low, high, tuple(sorted(draw(st.sets(vector, min_size=1, max_size=3))))))
    most = draw(st.tuples(*[st.integers(0, 8)] * n))
    least = tuple(draw(st.integers(0, high)) for high in most) if draw(st.booleans()) else most
    return parts, Classes(least, most)


def come_to(parts: Sequence[PartCounts]) -> set[tuple[int, ...]]:
    """Every sum, by trying all choices of all copies."""
    of_each = []
    for part in parts:
        sums = set()
        for copies in range(part.low, part.high + 1):
            for chosen in combinations_with_replacement(part.vectors, copies):
                sums.add(tuple(map(sum, zip(*chosen, strict=True))) if chosen else (0,) * len(part.vectors[0]))
        of_each.append(sums)
    return {tuple(map(sum, zip(*chosen, strict=True))) for chosen in product(*of_each)}


@settings(max_examples=80)
@given(given_counts=counts())
def test_sums_by_shifting_bits(given_counts: tuple[list[PartCounts], Classes]) -> None:
    parts, classes = given_counts
    same_size = len({sum(vector) for part in parts for vector in part.vectors}) == 1
    fixed = classes.least == classes.most and all(part.low == part.high for part in parts)
    if fixed and len(classes.most) > 1 and not same_size:
        parts = [replace(part, vectors=part.vectors[:1]) for part in parts]  # all placements of a part are of one size
    expected = any(
        all(low <= x <= high for low, x, high in zip(classes.least, total, classes.most, strict=True))
        for total in come_to(parts)
    )
    assert reachable(parts, classes, WorkBudget()) is expected


def test_what_costs_too_much_is_left_open() -> None:
    parts = [PartCounts(0, 500, ((1, 0, 1), (0, 1, 0)))]
    assert reachable(parts, Classes((999,) * 3, (999,) * 3), WorkBudget()) is None


def test_a_large_puzzle_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impossibility, "WorkBudget", lambda: WorkBudget(1000))
    assert why(load(UNBALANCED)) == ()


# ---- colourings


@pytest.mark.parametrize("name", names("lattices"))
def test_colourings_are_what_translations_do_not_disturb(name: str) -> None:
    """Moved by one unit, the classes of a colouring by remainders only exchange their names."""
    lattice = load_lattice(name)
    box = [(u, *x) for u in range(len(lattice.nodes)) for x in product(range(4), repeat=lattice.dimension)]
    region = Region(as_cells(box, lattice.dimension))
    part = Part("p", region.cells[:1], np.zeros(1, np.int32), 1, 1, lattice.allowed("fixed"))
    puzzle = Puzzle("box", lattice, region, (part,))
    by_form = [c for c in colourings(puzzle, region) if "modulo" in c.about]
    assert {c.n for c in by_form} == set(MODULI)
    for colouring in by_form:
        of = dict(zip(box, colouring.of_cell.tolist(), strict=True))
        for axis in range(lattice.dimension):
            steps = set()
            for cell in box:
                there = (*cell[: axis + 1], cell[axis + 1] + 1, *cell[axis + 2 :])
                if there in of:
                    steps.add((of[there] - of[cell]) % colouring.n)
            assert len(steps) == 1


def square_board(cells: set[tuple[int, int]], art: str, n: int) -> Puzzle:
    """A board for copies of one part."""
    lattice = load_lattice("square")
    shape = [(0, x, y) for x, row in enumerate(art.split()) for y, mark in enumerate(row) if mark == "X"]
    part = Part("part", as_cells(shape, 2), np.zeros(len(shape), np.int32), n, n, lattice.allowed("reflections"))
    return Puzzle("board", lattice, Region(as_cells([(0, *cell) for cell in sorted(cells)], 2)), (part,))


def box(width: int, height: int) -> set[tuple[int, int]]:
    return set(product(range(width), range(height)))


def test_the_mutilated_chessboard() -> None:
    text = only(square_board(box(8, 8) - {(0, 0), (7, 7)}, "XX", 31))
    assert text == (
        "coloured so that neighbours differ, the region has 32 black cells and 30 white cells, "
        "but the parts cover at most 31 black cells"
    )


def test_straight_trominoes_without_a_corner() -> None:
    text = only(square_board(box(8, 8) - {(0, 0)}, "XXX", 21))
    assert text == (
        "coloured by x + y modulo 3, the region has 20 cells of remainder 0 and 43 others, "
        "but the parts cover at least 21 cells of remainder 0"
    )


def test_straight_tetrominoes_in_ten_by_ten() -> None:
    text = only(square_board(box(10, 10), "XXXX", 25))
    assert text.startswith("coloured by x + y modulo 4, the region has 26 cells of remainder 1")


def test_t_tetrominoes_come_to_odd_numbers_alone() -> None:
    text = only(square_board(box(6, 6), "XXX .X.", 9))
    assert text == (
        "coloured so that neighbours differ, the region has 18 black cells and 18 white cells, "
        "but no combination of the parts covers these, although the parts can cover 9 to 27 black cells"
    )


def test_parts_and_cells_without_places(tmp_path: Path) -> None:
    head = "name = 'own'\nlattice = 'square'\n[region]\nart = ['XX.X', 'XX..']\n"
    puzzle = read(f"{head}[[parts]]\nname = 'I'\nart = ['XXX']\n[[parts]]\nname = 'D'\nart = ['XX']\n", tmp_path)
    assert [reason.text for reason in why(puzzle)] == [
        "part 'I' fits nowhere in the region",
        "no part can cover the cell [0, 3]",
    ]
    report = inspect_file(str(tmp_path / "own.toml"), Bounds())
    assert [c.message for c in report.complaints] == [f"no solution: {reason.text}" for reason in why(puzzle)]
    assert all(complaint.warning for complaint in report.complaints)


def test_cells_that_may_stay_empty(tmp_path: Path) -> None:
    text = (
        "name = 'own'\nlattice = 'square'\n[region]\nart = ['X+X', '+X+', 'X+X']\n[[parts]]\nname = 'D'\nart = ['XX']\n"
    )
    assert only(read(f"{text}count = 4\n", tmp_path)) == (
        "coloured so that neighbours differ, the region has 5 black cells and 4 white cells (of these at least 5, 0 "
        "must be covered), but the parts cover at most 4 black cells"
    )


def test_the_cells_own_colours(tmp_path: Path) -> None:
    text = (
        "name = 'own'\nlattice = 'square'\ncolours = { B = 'black', W = 'white' }\n[region]\nart = ['BWBW', 'BWBB']\n"
        "[[parts]]\nname = 'D'\ncount = 4\nart = ['BW']\n"
    )
    assert "'black' cells and 3 'white' cells, but the parts cover at most 4 'black' cells" in only(
        read(text, tmp_path)
    )


def test_all_classes_together() -> None:
    """No row of three lacks cells, nor has any too many; but the two on either side of the short one are odd."""
    text = only(square_board(box(2, 5) - {(1, 2)}, "XX X.", 3))
    assert text == (
        "coloured by y modulo 5, the region has 2 cells of remainder 0, 2 cells of remainder 1, 1 cell of "
        "remainder 2, 2 cells of remainder 3, 2 cells of remainder 4, but no combination of its parts covers these"
    )


def test_triangles_that_point_up_and_down() -> None:
    lattice = load_lattice("triangular")
    cells = as_cells([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1)], 2)
    strip = Part(
        "strip", as_cells([(0, 0, 0), (1, 0, 0)], 2), np.zeros(2, np.int32), 3, 3, lattice.allowed("rotations")
    )
    assert "4 black cells and 2 white cells, but the parts cover at most 3 black cells" in only(
        Puzzle("triangles", lattice, Region(cells), (strip,))
    )


def test_items_of_bare_problems() -> None:
    problem = cover_problem([[0], [0], [2]], [(1, 2), (1, 1), (2, 2)])
    (reason,) = reasons_of(NamedProblem("bare", problem, ("a", "b", "c")))
    assert reason.text == "the item 'b' must be held once, but no option holds it"
    problem = cover_problem([[0], [0], [1]], [(1, 2), (2, 3)])
    (reason,) = reasons_of(NamedProblem("bare", problem, ("a", "b")))
    assert reason.text == "the item 'b' must be held 2 times, but 1 option holds it"


# ---- where they are said


@pytest.mark.parametrize("command", ["solve", "count"])
def test_commands_say_why(command: str) -> None:
    done = run(command, UNBALANCED, "--json")
    data = json.loads(done.stdout.splitlines()[-1])
    (reason,) = data.get("summary", data)["reasons"]
    assert reason["argument"] == "colouring"
    assert done.stderr == f"no solution: {reason['text']}\n"
    quiet = run(command, UNBALANCED, "-q")
    assert quiet.stderr == ""
    assert "reasons" not in run(command, "soma", "--json", "--limit", "1").stdout


def endless(folder: Path) -> Path:
    """Straight tetrominoes in 30 by 30, which a colouring rules out, and a search of years does not."""
    text = f'name = "endless"\nlattice = "square"\n[region]\nart = {json.dumps(["X" * 30] * 30)}\n'
    return written(f'{text}[[parts]]\nname = "I"\ncount = 225\nart = ["XXXX"]\n', folder)


@pytest.mark.parametrize(
    "words", [["solve"], ["solve", "--limit", "1"], ["count"], ["count", "--method", "enumeration"], ["solve", "--run"]]
)
def test_a_search_in_vain_ends_with_the_reason(words: list[str], tmp_path: Path) -> None:
    path, run_file = endless(tmp_path), tmp_path / "run.db"
    more = [str(run_file)] if words[-1] == "--run" else []
    done = run(words[0], path, *words[1:], *more, "--json", "--sat-exit-codes")
    data = json.loads(done.stdout.splitlines()[-1])
    data = data.get("summary", data)
    assert (done.returncode, data["complete"], data["stop"], data["method"]) == (
        20,
        True,
        "shown impossible",
        "argument",
    )
    assert (data["different"], data["total"], data["total_is"]) == (0, 0, "exact")
    assert done.stderr == f"no solution: {data['reasons'][0]['text']}\n"
    if more:
        assert run("runs", "resume", run_file, "--sat-exit-codes").returncode == 20


def test_nothing_in_vain_is_estimated(tmp_path: Path) -> None:
    path = endless(tmp_path)
    done = run("estimate", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("endless: 0 solutions, so there is nothing to estimate\nno solution: coloured")
    assert json.loads(run("estimate", path, "--json").stdout)["reasons"][0]["argument"] == "colouring"
    assert "an estimate of" in run("estimate", path, "--probes", "10", "--search-anyway").stdout


def test_searches_go_on_if_the_user_wants_that(tmp_path: Path) -> None:
    path = endless(tmp_path)
    done = run("count", path, "--search-anyway", "--max-branches", "1000", "--json")
    assert (done.returncode, json.loads(done.stdout)["stop"]) == (3, "branch limit")
    assert done.stderr.startswith("no solution: coloured by x + y modulo 4")
    small = run("count", UNBALANCED, "--search-anyway", "--method", "enumeration", "--json")
    assert json.loads(small.stdout)["stop"] == "exhausted"


def test_an_argument_settles_a_search_that_was_cut_short() -> None:
    done = run("count", UNBALANCED, "--time", "0", "--method", "enumeration")
    assert done.returncode == 0
    assert done.stderr.startswith("no solution: coloured so that neighbours differ")


def test_a_run_that_is_gone_on_with_says_why(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    begun = run("count", UNBALANCED, "--run", path, "--time", "0", "--search-anyway")
    gone_on = run("runs", "resume", path, "--json")
    assert (begun.returncode, gone_on.returncode) == (3, 0)
    (reason,) = json.loads(gone_on.stdout)["reasons"]
    assert gone_on.stderr == begun.stderr == f"no solution: {reason['text']}\n"
    assert json.loads(run("runs", "resume", path, "--json", "--search-anyway").stdout)["stop"] == "exhausted"


def test_a_cover_against_an_argument_is_a_defect() -> None:
    """A search that finds what an argument rules out would show that one of them is wrong."""
    subject = prepare(load(UNBALANCED))
    found = run_search(subject, create("dlx"), Limits(branches=1)).with_figures(covers=1)

    def search(on_progress: OnProgress) -> SearchResult:
        assert on_progress(Progress(None, None, 0, 0.0))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("latcover.core.solving.forestall.time.perf_counter", lambda: 1e18)
            assert not on_progress(Progress(None, None, 0, 0.0))
        return found

    with pytest.raises(InternalError, match="has covers, but an argument says"):
        forestalled(subject, search, lambda _: True)


@cases(20, puzzle=lambda dice: puzzles(dice.pick(LATTICES[:4]))(dice))
def test_a_forestalled_search_answers_as_an_exhaustive_one(puzzle: Puzzle) -> None:
    """However early arguments are looked for."""
    prepared = prepare(puzzle)
    exhaustive = run_search(prepared, create("dlx"))

    def search(on_progress: OnProgress) -> SearchResult:
        go_on = on_progress(Progress(None, None, 0, 0.0))
        return run_search(prepared, create("dlx"), Limits() if go_on else Limits(branches=0))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("latcover.core.solving.forestall.PATIENCE", -1.0)
        answer = forestalled(prepared, search, lambda _: True)
    assert (answer.complete, answer.different, answer.total) == (True, exhaustive.different, exhaustive.total)


def test_info_says_why() -> None:
    done = run("info", UNBALANCED)
    assert done.stdout.splitlines()[-1].startswith("no solution: coloured so that neighbours differ, the region has 38")
    assert json.loads(run("info", "soma", "--json").stdout)["reasons"] == []
