"""Colours of items: toy problems and published numbers on every backend that knows them, and who refuses them.

The random problems are in test_backend_contract.py, beside those without colours.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.backends import OURS, create
from latcover.backends.bitset import Bitset
from latcover.backends.compiled import chosen_kernel
from latcover.backends.frontier import can_count, count_covers
from latcover.core.cover.backend import Backend, collect
from latcover.core.cover.counter import CountTask
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.rows import bounded_rows, colour_groups
from latcover.core.cover.search import Batch, SearchTask
from latcover.core.encoding.prepared import Choices, Prepared, prepare
from latcover.core.solving import guard
from latcover.core.solving.count import count_prepared
from latcover.errors import BackendFailedError, UnsupportedError
from latcover.files.formats.library import load_lattice
from tests.oracle import Cover, coloured_problem, cover_problem, covers
from tests.random_puzzles import box, make_part, make_puzzle

KNOWING = [name for name in OURS if create(name).honours_colours]
A, B = 1, 2
SQUARE = load_lattice("square")


@pytest.fixture(params=KNOWING)
def backend(request: pytest.FixtureRequest) -> Backend:
    # A SAT solver that needs no process of its own: what a process adds, test_backend_contract.py tests.
    return create(request.param, **({"solver": "minicard"} if request.param == "sat" else {}))


def knuths_toy() -> CoverProblem:
    """TAOCP 4B, section 7.2.2.1: "p q x y:A", "p r x:A y", "p x:B", "q x:A", "r y:B", where x and y are secondary."""
    p, q, r, x, y = range(5)
    options = [{p: 0, q: 0, x: 0, y: A}, {p: 0, r: 0, x: A, y: 0}, {p: 0, x: B}, {q: 0, x: A}, {r: 0, y: B}]
    return coloured_problem(options, [(1, 1)] * 3 + [(0, 1)] * 2)


def de_bruijn(n: int) -> CoverProblem:
    """Cyclic sequences of 2**n bits in which every word of n bits occurs, once; that of zeros stands first.

    Each place takes a word and each word a place, and an option tells the bits from there on as colours.
    """
    length = 2**n
    options: list[dict[int, int]] = []
    for place, word in product(range(length), repeat=2):
        if (place == 0) == (word == 0):
            bits = {2 * length + (place + k) % length: 1 + (word >> (n - 1 - k) & 1) for k in range(n)}
            options.append({place: 0, length + word: 0} | bits)
    return coloured_problem(options, [(1, 1)] * 2 * length + [(0, 1)] * length)


def de_bruijn_by_force(n: int) -> int:
    """The same, by a look at every sequence."""
    length = 2**n
    sequences = (format(number, f"0{length}b") for number in range(2**length))
    doubled = (sequence * 2 for sequence in sequences if sequence.startswith("0" * n))
    return sum(len({sequence[k : k + n] for k in range(length)}) == length for sequence in doubled)


def macmahon() -> CoverProblem:
    """MacMahon's 24 squares, their sides in three colours, in 4 by 6 cells with one colour all round.

    The square of four sides in that colour keeps to a quarter, against the rectangle's symmetries.
    """
    squares = sorted({min(sides[k:] + sides[:k] for k in range(4)) for sides in product((1, 2, 3), repeat=4)})
    cells = list(product(range(4), range(6)))
    sides_of = [[(r, c, 0), (r, c + 1, 1), (r + 1, c, 0), (r, c, 1)] for r, c in cells]
    item_of = {side: 48 + k for k, side in enumerate(sorted({side for sides in sides_of for side in sides}))}
    rim = {(r, c, across) for r, c, across in item_of if (c in (0, 6) if across else r in (0, 4))}
    options = []
    for (number, square), cell in product(enumerate(squares), range(24)):
        if number == 0 and not (cells[cell][0] < 2 and cells[cell][1] < 3):
            continue
        for turned in sorted({square[k:] + square[:k] for k in range(4)}):
            shown = dict(zip(sides_of[cell], turned, strict=True))
            if all(colour == 1 for side, colour in shown.items() if side in rim):
                options.append({cell: 0, 24 + number: 0} | {item_of[side]: colour for side, colour in shown.items()})
    return coloured_problem(options, [(1, 1)] * 48 + [(0, 1)] * len(item_of))


def test_knuths_toy(backend: Backend) -> None:
    assert covers(knuths_toy()) == {(1, 3)}
    assert collect(backend, knuths_toy()) == [(1, 3)]


@pytest.mark.parametrize(("n", "expected"), [(2, 1), (3, 2), (4, 16)])
def test_de_bruijn_cycles(backend: Backend, n: int, expected: int) -> None:
    """Flye Sainte-Marie (1894), de Bruijn (1946): there are 2**(2**(n - 1) - n) of them."""
    assert de_bruijn_by_force(n) == expected
    found = collect(backend, de_bruijn(n))
    assert len(found) == len(set(found)) == expected


@pytest.mark.parametrize(("name", "options"), [("dlx", {}), ("dlx", {"size": False}), ("bitset", {})])
def test_de_bruijn_cycles_of_32_bits(name: str, options: dict[str, object]) -> None:
    assert len(set(collect(create(name, **options), de_bruijn(5)))) == 2048


@pytest.mark.parametrize("name", ["bitset", pytest.param("dlx", marks=pytest.mark.long)])
def test_macmahons_squares(name: str) -> None:
    """13,328 is published, up to symmetry and the exchange of the two other colours (12,261, of 1964, is too low)."""
    assert create(name).search(SearchTask(macmahon(), lambda _: True)).figures.covers == 2 * 13_328


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([{0: 5}, {0: 5}], [(), (0,), (0, 1), (1,)]),
        ([{0: 5}, {0: 6}], [(), (0,), (1,)]),
        ([{0: 5}, {0: 0}], [(), (0,), (1,)]),
        ([{0: 0}, {0: 0}, {0: 5}], [(), (0,), (1,), (2,)]),
        ([{0: 2**31 - 1}, {0: 2**31 - 1}, {0: 1}], [(), (0,), (0, 1), (1,), (2,)]),
    ],
)
def test_corner_cases(backend: Backend, options: list[dict[int, int]], expected: list[Cover]) -> None:
    assert sorted(collect(backend, coloured_problem(options, [(0, 1)]))) == expected


# Who does what


def test_the_direct_method_refuses_and_says_who_can() -> None:
    with pytest.raises(
        UnsupportedError, match=r"'backtrack' does not support .* bitset, dlx, restarts, cpsat, sat or frontier"
    ):
        guarded(create("backtrack"), knuths_toy())


def test_bitmaps_search_colours_themselves() -> None:
    for outcome in (create("bitset").search(SearchTask(knuths_toy(), lambda _: True)), Bitset().count(knuths_toy())):
        assert outcome.figures.covers == 1
        assert outcome.figures.native["kernel"] == chosen_kernel()
        assert outcome.notes == ()


@pytest.mark.parametrize("size", [True, False])
def test_auto_picks_what_knows_colours(size: bool) -> None:
    outcome = create("auto", size=size).search(SearchTask(knuths_toy(), lambda _: True))
    expected = create("dlx", size=size).search(SearchTask(knuths_toy(), lambda _: True)).figures
    assert (outcome.backend, outcome.notes) == ("bitset" if size else "dlx", ())
    assert outcome.figures.branches_by_level == expected.branches_by_level


def dominoes_in_colours() -> Prepared:
    """Six cells and dominoes without limit; two of these show a side item in one colour, a third in another."""
    domino = make_part("domino", [(0, 0, 0), (0, 0, 1)], SQUARE.allowed("rotations"), 0, None)
    prepared = prepare(make_puzzle(box(SQUARE, (2, 3)), [domino]), Choices("none"))
    plain = prepared.problem
    colour = {0: 1, 1: 2, 2: 1}
    options = [
        dict.fromkeys(plain.items_of(o).tolist(), 0) | ({6: colour[o]} if o in colour else {})
        for o in range(plain.n_options)
    ]
    return replace(prepared, problem=coloured_problem(options, [(1, 1)] * 6 + [(0, 1)]))


def test_a_count_that_knows_no_colours_refuses() -> None:
    with pytest.raises(UnsupportedError, match="count by components does not support item colours"):
        count_prepared(dominoes_in_colours(), method="components")


@pytest.mark.parametrize("method", ["auto", "frontier", "memo"])
def test_counts_that_know_colours(method: Any) -> None:
    prepared = dominoes_in_colours()
    assert can_count(prepared.problem)
    answer = count_prepared(prepared, method=method)
    assert answer.covers == len(covers(prepared.problem)) < count_covers(CountTask(without_colours(prepared))).covers


def without_colours(prepared: Prepared) -> CoverProblem:
    """Its problem, where no option holds the item of the colours."""
    plain = [
        [item for item in prepared.problem.items_of(o).tolist() if item < 6] for o in range(prepared.problem.n_options)
    ]
    return cover_problem(plain, [(1, 1)] * 6)


# The form that other solvers take


def test_a_group_for_each_colour_that_several_show_and_others_do_not() -> None:
    options = [{0: 1, 1: 4}, {0: 1, 1: 4}, {0: 2, 2: 3}, {0: 0, 2: 3}, {2: 1}]
    problem = coloured_problem(options, [(0, 1)] * 3)
    assert [group.tolist() for group in colour_groups(problem)] == [[0, 1], [2, 3]]
    rows = [(row.variables.tolist(), row.low, row.high) for row in bounded_rows(problem)]
    assert rows == [([2, 3, 5], 0, 1), ([4, 6], 0, 1)]  # nothing is said of item 1: all that hold it agree


def test_options_that_no_cover_has_form_no_groups() -> None:
    problem = coloured_problem([{0: 0, 1: 1}, {1: 1}, {1: 2}], [(0, 0), (0, 1)])
    assert colour_groups(problem) == ()
    assert [row.variables.tolist() for row in bounded_rows(problem)] == [[1, 2]]


def test_rows_without_colours_are_of_options() -> None:
    problem = cover_problem([[0], [0, 1]], [(1, 1), (0, 1)])
    assert colour_groups(problem) == ()
    assert [row.variables.tolist() for row in bounded_rows(problem)] == [[0, 1]]


# Backends of others


class Stranger(Backend, frozen=True):
    """Hands over one set of options, whatever the problem."""

    found: tuple[int, ...]

    @property
    def name(self) -> str:
        return "stranger"

    def search(self, task: SearchTask) -> SearchResult:
        task.on_covers(Batch(np.array([0, len(self.found)]), np.array(self.found, dtype=np.int32)))
        return create("dlx").search(SearchTask(task.problem, lambda _: True))


class Honouring(Stranger):
    """Says that it honours colours."""

    @property
    def honours_colours(self) -> bool:
        return True


def guarded(backend: Backend, problem: CoverProblem) -> SearchResult:
    return guard.search(backend, SearchTask(problem, lambda _: True))


def in_colours() -> CoverProblem:
    return coloured_problem([{0: 1}, {0: 1}, {0: 2}, {0: 0}], [(0, 1)])


def test_a_backend_that_does_not_say_that_it_honours_colours_is_not_asked() -> None:
    problem = in_colours()
    with pytest.raises(UnsupportedError, match="backend 'stranger' does not support item colours"):
        guarded(Stranger((0, 1)), problem)
    assert guarded(Stranger((0,)), replace(problem, option_colours=np.empty(0, np.int32))).stop is Stop.EXHAUSTED


@pytest.mark.parametrize("found", [(), (0,), (0, 1), (3,)])
def test_covers_in_colours_pass(found: Cover) -> None:
    assert found in covers(in_colours())
    assert guarded(Honouring(found), in_colours()).stop is Stop.EXHAUSTED


@pytest.mark.parametrize("found", [(0, 2), (0, 3), (0, 1, 2), (0, 1, 3), (0, 0)])
def test_colours_that_clash_are_noticed(found: Cover) -> None:
    assert found not in covers(in_colours())
    with pytest.raises(BackendFailedError, match="'stranger' handed over a set of options that is not a cover"):
        guarded(Honouring(found), in_colours())


@pytest.mark.parametrize("name", OURS)
def test_ours_are_asked_and_answer_for_themselves(name: str) -> None:
    if name not in KNOWING:
        with pytest.raises(UnsupportedError, match=f"{name!r} does not support item colours"):
            guarded(create(name), in_colours())
    else:
        assert guarded(create(name), in_colours()).figures.covers == len(covers(in_colours()))
