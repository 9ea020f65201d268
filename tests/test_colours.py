"""Colours of items, on every backend that knows them: toy problems, published numbers, and who refuses.

The random problems are in test_backend_contract.py, with those without colours.
"""

from __future__ import annotations

from itertools import product

import pytest

from latcover.backends import OURS, create
from latcover.errors import UnsupportedError
from latcover.problem import CoverProblem
from latcover.search import Backend, Limits, collect
from tests.oracle import Cover, coloured_problem, cover_problem, covers

KNOWING = [name for name in OURS if name != "backtrack"]
A, B = 1, 2


@pytest.fixture(params=KNOWING)
def backend(request: pytest.FixtureRequest) -> Backend:
    return create(request.param)


def knuths_toy() -> CoverProblem:
    """TAOCP 4B, section 7.2.2.1: items p q r, and x y with colours; "p q x y:A", "p r x:A y", "p x:B", and so on."""
    p, q, r, x, y = range(5)
    options = [{p: 0, q: 0, x: 0, y: A}, {p: 0, r: 0, x: A, y: 0}, {p: 0, x: B}, {q: 0, x: A}, {r: 0, y: B}]
    return coloured_problem(options, [(1, 1)] * 3 + [(0, 1)] * 2)


def test_knuths_toy(backend: Backend) -> None:
    assert covers(knuths_toy()) == {(1, 3)}
    assert collect(backend, knuths_toy()) == [(1, 3)]
