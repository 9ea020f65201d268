"""Costs of covers: against a plain reading of their definition."""

from __future__ import annotations

import numpy as np
import pytest

from latcover.core.cover.cover_costs import Costs, Term
from latcover.errors import UnsupportedError


def random_terms(rng: np.random.Generator, members: int, many: int) -> list[Term]:
    def condition() -> np.ndarray:
        return rng.choice(members, size=int(rng.integers(1, members)), replace=False)

    return [Term(int(rng.integers(-5, 6)), tuple(condition() for _ in range(rng.integers(1, 4)))) for _ in range(many)]


def plain_cost(own: np.ndarray, terms: list[Term], constant: int, chosen: set[int]) -> int:
    held = [term.weight for term in terms if all(chosen & set(members.tolist()) for members in term.conditions)]
    return constant + sum(int(own[member]) for member in chosen) + sum(held)


@pytest.mark.parametrize("seed", range(20))
def test_costs_are_what_the_definition_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    members = int(rng.integers(2, 12))
    own = rng.integers(-4, 5, size=members)
    terms = random_terms(rng, members, int(rng.integers(0, 6)))
    costs = Costs.of_terms(own, terms, constant=3)
    sets = [np.flatnonzero(rng.random(members) < 0.4).astype(np.int32) for _ in range(15)]
    starts = np.concatenate([[0], np.cumsum([len(chosen) for chosen in sets])]).astype(np.int64)
    expected = [plain_cost(own, terms, 3, set(chosen.tolist())) for chosen in sets]
    assert costs.of(starts, np.concatenate(sets)).tolist() == expected
    assert costs.negated().of(starts, np.concatenate(sets)).tolist() == [-cost for cost in expected]


def test_costs_of_options_leave_out_members_that_no_option_has() -> None:
    costs = Costs.of_terms([5, 7, 11], [Term(2, (np.array([0, 2]),)), Term(9, (np.array([0]),))])
    of_options = costs.renamed(np.array([2, -1, 1], np.int32))
    assert of_options.own.tolist() == [11, 0, 7]
    assert of_options.weights.tolist() == [2]  # the term of member 0 alone can no longer hold
    assert of_options.of(np.array([0, 2, 3]), np.array([0, 2, 1], np.int32)).tolist() == [20, 0]


def test_a_permutation_keeps_costs_only_if_terms_go_to_terms() -> None:
    terms = [Term(3, (np.array([0, 1]), np.array([2]))), Term(3, (np.array([1, 2]), np.array([0])))]
    costs = Costs.of_terms([1, 1, 1], terms)
    assert costs.is_kept_by(np.array([2, 1, 0], np.int32))
    assert not costs.is_kept_by(np.array([1, 0, 2], np.int32))
    assert not Costs.of_terms([1, 2, 1], []).is_kept_by(np.array([1, 0, 2], np.int32))


def test_costs_that_solvers_would_round_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="too large"):
        Costs.of_terms([1 << 53, 1], [])
