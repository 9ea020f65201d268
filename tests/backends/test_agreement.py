"""All backends find the same: on random problems, and on shipped puzzles.

Random puzzles are asked of them by test_fuzz.py.
"""

from __future__ import annotations

import pytest

from latcover.backends import create
from latcover.core.cover.backend import collect
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import prepare
from latcover.core.solving.run import run
from latcover.files.formats.library import load, load_all
from tests.core.solving.test_instances import FILES, LARGER, SMALL
from tests.dice import cases
from tests.oracle import any_problem
from tests.shipped import rest_long

BACKENDS = ("dlx", "backtrack", "bitset", "cpsat", "sat")
OPTIONS = {"sat": {"solver": "maplesat"}}  # on small problems: it needs no process of its own


def knowing(problem: CoverProblem) -> list[str]:
    """The backends that may search a problem: sides that match are items with colours, which not all know."""
    return [name for name in BACKENDS if not problem.has_colours or create(name).honours_colours]


def assert_all_find_the_same(problem: CoverProblem) -> None:
    first, *others = [sorted(collect(create(name, **OPTIONS.get(name, {})), problem)) for name in BACKENDS]
    for other in others:
        assert other == first


@cases(25, problem=any_problem)
def test_random_problems(problem: CoverProblem) -> None:
    assert_all_find_the_same(problem)


@pytest.mark.parametrize("name", rest_long([*SMALL, *LARGER], set(SMALL) - {"hex-prisms", "tangram-square"}))
def test_shipped_puzzles(name: str) -> None:
    puzzle = load(name)
    prepared = prepare(puzzle)
    answers = [run(prepared, create(each, **OPTIONS.get(each, {}))) for each in knowing(prepared.problem)]
    assert {(answer.different, answer.total, answer.complete) for answer in answers} == {
        (puzzle.expect["different"], puzzle.expect["total"], True)
    }
    assert len({answer.digest for answer in answers}) == 1


@pytest.mark.long
@pytest.mark.parametrize("name", FILES)
def test_whatever_ends_within_a_minute(name: str) -> None:
    for puzzle in load_all(name):
        prepared = prepare(puzzle)
        found = [run(prepared, create(backend), Limits(seconds=60)) for backend in knowing(prepared.problem)]
        complete = {(answer.different, answer.total, answer.digest) for answer in found if answer.complete}
        assert len(complete) <= 1
        for different, _, _ in complete:
            assert all(answer.different <= different for answer in found)
