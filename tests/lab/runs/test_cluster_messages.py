"""What goes to the workers of a cluster and back, and how jobs are put together for them; without a cluster."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from latcover.core.cover.question import Question
from latcover.core.cover.result import SearchFigures, SearchResult, Stop
from latcover.core.cover.subproblem import EXTENSION, Job
from latcover.lab.runs.cluster import cluster_messages, cluster_worker
from latcover.lab.runs.cluster.batches import MOST_SECONDS, Batches
from latcover.lab.runs.cluster.cluster_messages import (
    PackedRun,
    RefusedError,
    packed,
    packed_result,
    result_in,
    unpacked,
)
from latcover.lab.runs.job_search import JobSearcher
from latcover.lab.runs.job_work import Division, Pace, Terms, work_on
from latcover.lab.runs.run_file import PendingJob
from tests.run_files import DIFFERENT, dominoes


def packed_run_of(path: Path, **changes: object) -> PackedRun:
    path.touch()
    question = dominoes().question(dominoes().prepared())
    return PackedRun.of(path, dominoes(), Question(question.facts | changes), keeps_solutions=True)


def searcher() -> JobSearcher:
    prepared: Any = dominoes().prepared()
    return JobSearcher(prepared, dominoes().solver(), keeps_solutions=True)


def test_what_was_found_comes_back_as_it_was() -> None:
    found = searcher().search(Job())
    message = packed_result(found)
    assert isinstance(message, bytes)
    again = result_in(message)
    assert isinstance(again, SearchResult)
    for field in msgspec.structs.fields(SearchResult):
        if field.name != "solutions":
            assert getattr(again, field.name) == getattr(found, field.name), field.name
    assert len(found.solutions) == DIFFERENT
    for name in ("starts", "members", "orbits"):
        np.testing.assert_array_equal(getattr(again.solutions, name), getattr(found.solutions, name))
        assert getattr(again.solutions, name).dtype == getattr(found.solutions, name).dtype
    assert len(message) < DIFFERENT * 10 * 4  # what the bare numbers would take


def test_a_job_that_was_cut_comes_back_as_it_was() -> None:
    division = work_on(searcher(), Job(), Terms(Pace(at_first=9)), threading.Event())
    assert isinstance(division, Division)
    assert len(division.cut.pieces) >= 9
    assert result_in(packed_result(division)) == division


def test_jobs_come_out_as_they_went_in() -> None:
    jobs = [
        (Job((3, 1, 2), ((EXTENSION, 4), (5, 6))), Terms(Pace(2.0, 0.5, 9, 3), 7, 1.5)),
        (Job(), Terms(Pace(2.0, 0.5, 9, 3), None, 1.5)),
    ]
    assert unpacked(packed(jobs), list[tuple[Job, Terms]]) == jobs


def test_a_worker_builds_the_same_problem(tmp_path: Path) -> None:
    packed_run = packed_run_of(tmp_path / "run.db")
    assert PackedRun.searcher(packed_run.content).search(Job()).digest == searcher().search(Job()).digest
    assert len(packed_run.content) < 5000


def test_a_worker_refuses_what_is_not_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = packed_run_of(tmp_path / "run.db", cover_problem={"is": "CoverProblem", "low": "#0"})
    with pytest.raises(RefusedError, match=r"the cover problem has changed since: .*its low"):
        PackedRun.searcher(other.content)
    packed_run = packed_run_of(tmp_path / "run.db")
    monkeypatch.setattr(cluster_messages, "this_version", lambda: "0.0.1")
    with pytest.raises(RefusedError, match=r"it has latcover 0\.0\.1, and the run is made by"):
        PackedRun.searcher(packed_run.content)


def test_runs_are_told_apart_by_their_files(tmp_path: Path) -> None:
    a, b = packed_run_of(tmp_path / "a.db"), packed_run_of(tmp_path / "b.db")
    assert a.key != b.key
    assert a.content == b.content
    assert json.dumps(a.key)


def searched(run: str, session: int, packed_run: PackedRun, seconds: float = 9.0) -> list[Any]:
    message = packed([(Job(), Terms(Pace(seconds)))] * 3)
    answer = cluster_worker.search_batch(packed_run.content, run, session, message)
    return answer["results"]


def test_a_session_that_was_ended_and_those_before_another_are_not_searched_for(tmp_path: Path) -> None:
    packed_run = packed_run_of(tmp_path / "run.db")
    assert all(searched(packed_run.key, 1, packed_run))
    cluster_worker.stop(packed_run.key, 1)
    assert searched(packed_run.key, 1, packed_run) == [None] * 3
    assert all(searched(packed_run.key, 2, packed_run))
    assert searched(packed_run.key, 1, packed_run) == [None] * 3
    assert all(searched(packed_run.key, 2, packed_run))


def test_a_batch_whose_time_is_over_gives_the_rest_back(tmp_path: Path) -> None:
    packed_run = packed_run_of(tmp_path / "run.db")
    results = searched(packed_run.key, 1, packed_run, seconds=1e-6)
    assert results[0] is not None
    assert results[1:] == [None, None]


def jobs(number: int, expected: float | None, share: float | None = None) -> list[PendingJob]:
    return [PendingJob(k, Job((k,)), share or 1 / number, expected) for k in range(number)]


def found(seconds: float) -> SearchResult:
    return SearchResult(Stop.EXHAUSTED, SearchFigures(search_seconds=seconds))


def filled(number: int, expected: float | None) -> Batches:
    batches = Batches()
    for job in jobs(number, expected):
        batches.put(job)
    return batches


def sizes(batches: Batches, pace: Pace, workers: int) -> list[int]:
    taken = []
    while batches.waiting:
        taken.append(len(batches.next(pace, workers)[1]))
    return taken


def test_small_jobs_go_together_and_large_ones_alone() -> None:
    assert sizes(filled(100, 0.25), Pace(), 2)[:4] == [4, 4, 4, 4]
    assert sizes(filled(5, 3.0), Pace(), 2) == [1] * 5
    assert sizes(filled(5, None), Pace(), 2) == [1] * 5


def test_no_worker_is_left_without_while_another_has_many() -> None:
    assert sizes(filled(8, 0.001), Pace(), 4) == [2, 2, 1, 1, 1, 1]


def test_the_last_job_that_was_put_goes_out_first() -> None:
    number, batch = (batches := filled(3, None)).next(Pace(), 1)
    assert [job.id for job in batch] == [2]
    assert batches.taken(number) == batch
    assert [job.id for job in batches.given_up()] == [0, 1]
    assert batches.waiting == 0


def test_expectations_are_corrected_by_what_jobs_took() -> None:
    batches = filled(100, 0.1)
    number, batch = batches.next(Pace(), 2)
    batches.taken(number)
    for job in batch:
        batches.learn(job, found(0.5))
    assert len(batches.next(Pace(), 2)[1]) == 2


@pytest.mark.parametrize(
    ("workers", "seconds_of_a_job", "expected"),
    [
        (2, 1.0, 9999 / 32),  # ten thousand seconds are left: a sixteenth of what comes to each worker
        (2, 1e-4, 1.0),  # what was asked for is the least
        (1000, 1e-3, 20.0),  # and so is what the scheduler can do
        (2, 100.0, MOST_SECONDS),
    ],
)
def test_jobs_are_as_large_as_what_is_left_allows(workers: int, seconds_of_a_job: float, expected: float) -> None:
    batches = filled(10_000, None)
    assert batches.pace(Pace(), workers).seconds == max(1.0, workers / 50)
    number, (job,) = batches.next(Pace(), workers)
    batches.taken(number)
    batches.learn(job, found(seconds_of_a_job))
    assert batches.pace(Pace(), workers).seconds == pytest.approx(expected)
