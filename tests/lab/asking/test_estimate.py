"""Estimates of searches: probes held against brute force, against known trees, and against their own intervals."""

from __future__ import annotations

import json
import math
import signal
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from latcover.apps.cli.shared.options import BackendOptions
from latcover.backends import create
from latcover.backends.probing import Sampling, probe
from latcover.core.cover.backend import Tree
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import Stop
from latcover.core.cover.search import SearchTask
from latcover.core.encoding.prepared import Choices, prepare
from latcover.errors import UnsupportedError
from latcover.files.formats.library import load
from latcover.lab.asking.estimate import Estimate, EstimateRequest, Range, estimate
from latcover.show.reporting.estimate_report import estimate_as_json, estimate_as_text
from tests.command_line import LIMIT, Result, run, start
from tests.dice import cases
from tests.oracle import BOUNDS, any_problem, branches_by_level, cover_problem, covers
from tests.processes import GUARD
from tests.small_problems import dominoes

TREES = [Tree("dlx", size=True), Tree("dlx", size=False), Tree("backtrack", size=False), Tree("backtrack", size=True)]
MANY = 40_000  # probes: many more than the small trees here have nodes

each_tree = pytest.mark.parametrize("tree", TREES, ids=lambda tree: f"{tree.kind}-{'size' if tree.size else 'first'}")


@pytest.fixture(autouse=True)
def _short_calibration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latcover.lab.asking.estimate.CALIBRATION_SECONDS", 0.02)


def called(*arguments: str) -> Result:
    return run("estimate", *arguments)


def named(problem: CoverProblem) -> NamedProblem:
    return NamedProblem("small", problem, tuple(map(str, range(problem.n_items))))


def random_problem(seed: int) -> CoverProblem:
    """A problem with bounds of all kinds, and a tree of some hundred nodes."""
    random = Random(seed)
    bounds = [random.choice(BOUNDS[1:]) for _ in range(6)]
    return cover_problem([sorted(random.sample(range(6), random.randint(1, 2))) for _ in range(13)], bounds)


@each_tree
@cases(50, problem=any_problem)
def test_small_trees_are_walked_in_full(tree: Tree, problem: CoverProblem) -> None:
    found = probe(problem, tree, Sampling(MANY))
    assert found.whole
    assert found.least_branches == sum(branches_by_level(problem, size=tree.size))
    assert found.least_covers == found.covers_met == len(covers(problem))


@each_tree
@pytest.mark.parametrize("probes", [1, 5, 200])
@pytest.mark.parametrize("seed", [0, 1, pytest.param(2, marks=pytest.mark.long)])
def test_what_probes_tell_is_right_on_average(tree: Tree, probes: int, seed: int) -> None:
    problem = random_problem(seed)
    truth = sum(branches_by_level(problem, size=tree.size)), len(covers(problem))
    told = [probe(problem, tree, Sampling(probes, seed=k)) for k in range(4000 // probes + 20)]
    for true, logs in zip(truth, ([t.log_branches for t in told], [t.log_covers for t in told]), strict=True):
        means = np.array([np.exp(group).mean() for group in logs])
        if means.std() == 0:
            assert means[0] == pytest.approx(true)
        assert abs(means.mean() - true) <= 4.5 * means.std() / math.sqrt(len(means)) + 1e-9 * true


@pytest.mark.parametrize(("name", "size"), [("dlx", True), ("dlx", False), ("backtrack", True)])
@pytest.mark.parametrize("strand", ["rows", "anchor", "sums"])
def test_options_that_strand_are_no_branches(name: str, size: bool, strand: str) -> None:
    problem = prepare(load("fig4-3x3"), Choices(reduction="none")).problem
    backend = create(name, size=size, strand=strand)
    truth = backend.search(SearchTask(problem, lambda _: True)).figures
    tree = backend.tree(problem)
    whole = probe(problem, tree, Sampling(MANY))
    assert (whole.whole, whole.least_branches, whole.least_covers) == (True, truth.branches, truth.covers)
    told = np.array([np.exp(probe(problem, tree, Sampling(3, seed=k)).log_branches).mean() for k in range(700)])
    assert abs(told.mean() - (truth.branches or 0)) <= 4.5 * told.std() / math.sqrt(len(told)) + 1e-9


def test_coloured_problems_are_probed_with_their_colours() -> None:
    coloured = CoverProblem(
        np.array([0, 2, 4, 6, 8]),
        np.array([0, 2, 0, 2, 1, 2, 1, 2]),
        np.array([1, 1, 0]),
        np.array([1, 1, 1]),
        option_colours=np.array([0, 1, 0, 2, 0, 1, 0, 2]),
    )
    found = probe(coloured, create("auto").tree(coloured), Sampling(MANY))
    assert (found.whole, found.least_covers) == (True, 2)
    with pytest.raises(UnsupportedError, match="colours"):
        create("backtrack").tree(coloured)


def test_a_seed_and_a_number_of_probes_tell_the_same_again() -> None:
    problem = dominoes(8, 8)
    one, same, other = (probe(problem, TREES[0], Sampling(500, seed=seed)) for seed in (7, 7, 8))
    assert one.log_branches.tolist() == same.log_branches.tolist()
    assert (one.nodes, one.covers_met, one.probes) == (same.nodes, same.covers_met, 500)
    assert one.log_branches.tolist() != other.log_branches.tolist()


@pytest.mark.parametrize(
    ("name", "branches"),
    [
        ("pent-10x6", 892_247),
        pytest.param("pent-5x4x3", 7_242_539, marks=pytest.mark.long),
        pytest.param("bedlam", 32_474_695, marks=pytest.mark.long),
    ],
)
def test_known_trees_are_estimated_well(name: str, branches: int) -> None:
    problem = prepare(load(name)).problem
    held = 0
    for seed in range(10):
        found = estimated(problem, 1000, seed=seed)
        assert branches / 1.6 < 10**found.branches.log10 < branches * 1.6
        held += found.branches.low <= math.log10(branches) <= found.branches.high
        assert found.branches.low >= math.log10(found.probing.groups)
    assert held >= 8  # of 10, where 95 % are promised


def estimated(problem: CoverProblem, probes: int | None = None, backend: str = "dlx", **more: Any) -> Estimate:
    found = estimate(named(problem), EstimateRequest(backend=backend, probes=probes, anyway=True, **more))
    assert isinstance(found, Estimate)
    return found


def estimated_puzzle(name: str, probes: int) -> Estimate:
    found = estimate(load(name), EstimateRequest(backend="dlx", probes=probes))
    assert isinstance(found, Estimate)
    return found


@pytest.mark.parametrize("backend", ["auto", "dlx", "backtrack"])
@pytest.mark.parametrize(
    ("problem", "branches", "covered"),
    [
        (cover_problem([], []), 0, 1),
        (cover_problem([], [(1, 1)]), 0, 0),
        (cover_problem([], [(0, 1)]), 0, 1),
        (cover_problem([[0]], [(1, 1)]), 1, 1),
        (cover_problem([[0], [1], [2]], [(0, 1)] * 3), 7, 8),
        (cover_problem([[0, 1], [1, 2], [0, 2]], [(1, 1)] * 3), 2, 0),
    ],
    ids=["empty", "no options", "nothing needed", "one branch", "nothing but extensions", "no solution"],
)
def test_the_smallest_problems(backend: str, problem: CoverProblem, branches: int, covered: int) -> None:
    found = estimated(problem, backend=backend)
    assert (found.exact, found.verdict) == (True, "exact")
    assert found.branches == Range.exactly(branches)
    assert found.covers == Range.exactly(covered)
    assert found.calibration.complete
    assert json.loads(json.dumps(estimate_as_json(found)))["branches"]["estimate"] == branches
    assert "exact" in estimate_as_text(found)


def test_trees_beyond_all_numbers_do_not_overflow() -> None:
    found = estimated(dominoes(70, 70), 8)
    assert 308 < found.branches.log10 < 1000
    data = json.loads(json.dumps(estimate_as_json(found), allow_nan=False))
    assert data["branches"]["estimate"] is None
    assert data["branches"]["log10"] == pytest.approx(found.branches.log10)
    assert found.verdict == "skewed"
    assert "UNRELIABLE" in estimate_as_text(found)
    assert "e+" not in estimate_as_text(found)


def test_large_numbers_are_right() -> None:
    found = estimated(dominoes(10, 10), 4000)
    assert 10**found.covers.log10 == pytest.approx(258_584_046_368, rel=0.2)  # Kasteleyn 1961
    assert found.verdict in ("good", "rough")


def test_what_the_sample_is_worth_is_said() -> None:
    few = estimated(dominoes(12, 12), 3)
    assert few.verdict == "too few"
    assert "only 3 groups" in few.reasons[0]
    alone = estimated(dominoes(12, 12), 1)
    assert (alone.verdict, alone.branches.high) == ("too few", math.inf)
    assert "interval not known" in estimate_as_text(alone)
    hits = estimated_puzzle("bedlam", 300)
    assert any(reason.startswith("too few hits") for reason in hits.reasons)
    deep = estimated(dominoes(24, 24), 300)
    assert deep.verdict == "skewed"
    assert "groups of probes carry half of the weight" in deep.reasons[0]


def test_solutions_are_told_where_no_cover_has_to_be_tested() -> None:
    plain = estimated_puzzle("pent-10x6", 2000)
    assert plain.different == plain.covers
    assert plain.total is not None
    assert plain.total.log10 == pytest.approx(plain.covers.log10 + math.log10(4))
    tested = estimated_puzzle("pent-5x4x3", 200)
    assert (tested.different, tested.total) == (None, None)
    assert any("images of others" in reason for reason in tested.reasons)


def test_a_count_without_a_tree_is_pointed_out() -> None:
    assert any("without listing" in reason for reason in estimated(dominoes(6, 6), 9, "auto").reasons)
    assert not any("without listing" in reason for reason in estimated(dominoes(6, 6), 9).reasons)


@pytest.mark.parametrize("backend", ["cpsat", "sat"])
def test_solvers_that_have_no_tree_are_refused(backend: str) -> None:
    with pytest.raises(UnsupportedError, match="cannot be probed"):
        estimated(dominoes(2, 2), backend=backend)


def test_probing_can_be_stopped() -> None:
    told: list[tuple[float, int, int, float]] = []

    def enough(*figures: Any) -> bool:
        told.append(figures)
        return len(told) < 3

    found = probe(dominoes(20, 20), TREES[0], Sampling(10**9), enough)
    assert found.stop is Stop.CANCELLED
    assert len(told) == 3
    assert [figures[0] for figures in told] == sorted(figures[0] for figures in told)


@pytest.mark.parametrize(("stop", "said"), [(Stop.CANCELLED, "no estimate"), (Stop.TIME_LIMIT, "--seconds 60")])
def test_no_probe_at_all_is_an_error(stop: Stop, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    none = SimpleNamespace(stop=stop, log_branches=np.empty(0))
    monkeypatch.setattr("latcover.lab.asking.estimate.probe", lambda *_: none)
    with pytest.raises(UnsupportedError, match=said):
        estimated(dominoes(2, 2))


# ---- the command


def test_the_command_prints_json() -> None:
    done = called("pent-10x6", "--probes", "2000", "--seed", "3", "--backend", "dlx", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    data = json.loads(done.stdout)
    assert list(data) == [
        *("puzzle", "asked", "backend", "symmetry", "branches", "covers", "different", "total", "seconds", "exact"),
        *("verdict", "reasons", "calibration", "probing", "confidence"),
    ]
    assert list(data["branches"]) == ["estimate", "low", "high", "log10"]
    assert data["branches"]["low"] < 892_247 < data["branches"]["high"]
    assert data["seconds"]["low"] < data["seconds"]["estimate"] < data["seconds"]["high"]
    assert (data["probing"]["probes"], data["probing"]["seed"], data["probing"]["groups"]) == (2000, 3, 32)
    assert data["calibration"]["branches"] > 0


def test_the_command_says_what_it_knows() -> None:
    done = called("soma", "--no-size", "--symmetry", "rotations", "--pivot", "L", "--seconds", "0.2")
    assert (done.returncode, done.stderr) == (0, "")
    assert "auto picks backtrack" in done.stdout
    for word in ("branches", "solutions", "in all", "time", "ns a branch"):
        assert word in done.stdout


def test_what_makes_no_sense_is_refused() -> None:
    both = called("soma", "--probes", "5", "--seconds", "1")
    assert both.returncode == 2
    assert "--probes and --seconds exclude each other" in both.stderr
    assert called("soma", "--limit", "5").returncode == 2
    refused = called("soma", "--backend", "bitset", "--strand")
    assert (refused.returncode, "has no option 'strand'" in refused.stderr) == (1, True)


@pytest.mark.long
def test_ctrl_c_leaves_what_was_probed() -> None:
    process = start("estimate", "bedlam", "--seconds", GUARD, "--progress", "json", "--json")
    assert process.stderr is not None
    assert json.loads(process.stderr.readline())["covers"] is not None
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=GUARD)
    assert process.returncode == LIMIT, stderr
    assert json.loads(stdout)["probing"]["complete"] is False
    assert "Traceback" not in stderr


def test_backend_options_alone_have_no_limits() -> None:
    assert BackendOptions(size=False).for_backend() == {"size": False}
    assert not hasattr(BackendOptions(), "limit")
