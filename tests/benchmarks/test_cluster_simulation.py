"""The simulation of a long search: nothing is lost in it, it is the same each time, and its figures add up."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from benchmarks import cluster_measures
from benchmarks.__main__ import main
from benchmarks.cluster_measures import FRACTIONS, PIECES, FileCosts, Shapes, measured_costs, stored_shapes
from benchmarks.cluster_simulation import Foreseen, Plan, simulate
from benchmarks.simulate_cluster import duration, page
from latcover.core.cover.subproblem import Job
from latcover.core.solving.count import CountRequest
from latcover.lab.runs.job_search import JobSearcher
from latcover.lab.runs.recipe import Recipe, stored_file

COSTS = FileCosts(2e-5, 4e-5, 5e-5, 160.0, 2e-5, 1e-5)
PLAN = Plan(2e10, 1000.0, 20)
EVEN = Shapes({n: (tuple([(1 / n, 1 / n)] * n),) for n in PIECES}, ((1.0,) * len(FRACTIONS),))


@pytest.fixture(scope="module")
def foreseen() -> Foreseen:
    return simulate(PLAN, stored_shapes(), COSTS)


def test_the_time_is_accounted_for(foreseen: Foreseen) -> None:
    used = PLAN.core_seconds / PLAN.cores / foreseen.seconds
    lost = foreseen.lost_to_cuts + foreseen.lost_to_deaths + foreseen.idle
    assert used + lost == pytest.approx(1, abs=1e-6)
    assert 0.5 < used < 1
    assert 0 < foreseen.last < foreseen.seconds
    assert foreseen.rows > PLAN.cores
    assert foreseen.gigabytes == pytest.approx(foreseen.rows * 160e-9)


def test_a_simulation_depends_on_its_seed_alone(foreseen: Foreseen) -> None:
    assert simulate(PLAN, stored_shapes(), COSTS) == foreseen
    assert simulate(replace(PLAN, seed=2), stored_shapes(), COSTS) != foreseen


def test_deaths_cost_and_nothing_is_lost_by_them(foreseen: Foreseen) -> None:
    often = simulate(replace(PLAN, between_deaths=2000.0), stored_shapes(), COSTS)
    assert often.deaths > 10 * (foreseen.deaths + 1)
    assert often.lost_to_deaths > foreseen.lost_to_deaths
    assert often.seconds > foreseen.seconds


def test_even_jobs_that_are_foretold_rightly_cost_next_to_nothing() -> None:
    even = simulate(replace(PLAN, between_deaths=1e12), EVEN, COSTS)
    assert even.lost_to_cuts < 0.01
    assert even.deaths == 0
    assert PLAN.core_seconds / PLAN.cores / even.seconds > 0.97


def test_a_slow_writer_is_seen(foreseen: Foreseen) -> None:
    slow = simulate(PLAN, stored_shapes(), replace(COSTS, transaction=0.5))
    assert slow.writer > 10 * foreseen.writer
    assert slow.idle > foreseen.idle


@pytest.mark.long
def test_the_shapes_are_those_of_the_puzzles() -> None:
    """The first puzzle's whole, cut anew: counted by branches, so the same on every machine."""
    name = cluster_measures.PUZZLES[0]
    searcher = JobSearcher(  # type: ignore[arg-type]
        Recipe(CountRequest(), name, stored_file(name)).prepared(),
        Recipe(CountRequest(backend="bitset"), name, stored_file(name)).solver(),
        keeps_solutions=False,
    )
    parts = cluster_measures._parts(searcher, Job(), 8)
    stored = stored_shapes().cuts[8][0]
    assert [share for share, _ in parts] == [share for share, _ in stored]
    assert [part for _, part in parts] == pytest.approx([part for _, part in stored], rel=0.01)
    for cuts in stored_shapes().cuts.values():
        assert all(sum(part for _, part in cut) == pytest.approx(1) for cut in cuts)
        assert all(sum(share for share, _ in cut) < 1.02 for cut in cuts)


def test_the_costs_of_a_file_are_measured() -> None:
    costs = measured_costs(rows=200)
    assert min(msgspec.structs.astuple(costs)) > 0
    assert 50 < costs.bytes_of_job < 5000
    assert 10 < costs.rows_a_second < 1e6


def test_a_page_is_made_of_it(foreseen: Foreseen) -> None:
    text = page([(PLAN, foreseen)], COSTS)
    assert "2e10 branches of 1,000 ns, 20 cores" in text
    assert f"{foreseen.rows:,}" in text


@pytest.mark.parametrize(
    ("seconds", "text"), [(1.0, "1.0 s"), (150, "2.5 min"), (7200, "2.0 h"), (2e5, "2.3 days"), (1e9, "31.7 years")]
)
def test_durations_are_said_as_people_say_them(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_the_script(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["simulate_cluster", "--branches", "1e9", "--cores", "10", "--nanoseconds", "1000"])
    assert not end.value.code
    page = capsys.readouterr().out
    assert "| 1e09 branches of 1,000 ns, 10 cores |" in page
    assert "of the cores' time used" in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--cores", "0"], "Invalid value for '--cores'"),
        (["--branches", "many"], "Invalid value for '--branches'"),
    ],
)
def test_the_script_refuses_what_cannot_be(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["simulate_cluster", *words])
    assert message in f"{capsys.readouterr().err} {end.value.code}"
    assert end.value.code
