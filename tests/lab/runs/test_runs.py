"""Runs with a memory: the answer is that of a search in one go, however the work is cut up, limited and interrupted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from latcover.core.cover.named_problem import ListedCover, NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Limits, OnProgress, Progress
from latcover.core.cover.subproblem import Job
from latcover.core.solving.count import CountRequest
from latcover.core.solving.run import run
from latcover.core.solving.solve import SolveRequest
from latcover.errors import UnsupportedError
from latcover.lab.runs.control import begin, go_on
from latcover.lab.runs.job_search import JobSearcher
from latcover.lab.runs.job_work import Division
from latcover.lab.runs.recipe import Recipe, StoredFile, Task
from latcover.lab.runs.recorder import Recorder
from latcover.lab.runs.run_file import PendingJob, RunFile
from latcover.lab.runs.state import state_as_json, state_as_text
from latcover.lab.runs.thread_crew import Orders, Pace, Result, Threads
from tests.dice import cases
from tests.oracle import cover_problem, covers, either_problem, given
from tests.run_files import DIFFERENT, TOTAL, begun, dominoes, figures, in_one_go, recipe_of, require_whole, spoil

MANY = Orders(threads=2, pace=Pace(at_first=30))


@pytest.mark.parametrize(
    ("name", "backend", "options"),
    [
        ("soma", "bitset", {}),
        ("fig4-3x3", "bitset", {}),  # covers are judged, and some are dropped
        ("pent-20x3", "dlx", {"size": False}),
        ("pent-20x3", "backtrack", {"size": True}),
        ("slothouber-graatsma", "auto", {}),
    ],
)
def test_the_answer_is_that_of_a_search_in_one_go(
    tmp_path: Path, name: str, backend: str, options: dict[str, object]
) -> None:
    prepared: Any = recipe_of(name).prepared()
    for task in ("solve", "count"):
        path, recipe = tmp_path / f"{task}.db", recipe_of(name, task, backend, **options)  # type: ignore[arg-type]
        begin(path, recipe, prepared, Limits())
        answer = go_on(path, MANY, prepared=prepared)
        assert answer.native["jobs"] > 1
        assert figures(answer) == figures(in_one_go(recipe, prepared))
        if task == "solve":
            require_whole(path, answer.different)


@pytest.mark.parametrize(
    ("name", "backend", "options"),
    [
        ("fig4-3x3", "cpsat", {}),
        ("fig4-3x3", "sat", {"solver": "maplesat"}),
        ("pent-20x3", "dlx", {"strand": "sums"}),
        ("pent-20x3", "dlx", {"strand": "rows"}),
    ],
)
def test_the_solutions_are_the_same_where_branches_are_not(
    tmp_path: Path, name: str, backend: str, options: dict[str, object]
) -> None:
    recipe = recipe_of(name, "solve", backend, **options)
    prepared: Any = begun(tmp_path / "run.db", recipe)
    answer = go_on(tmp_path / "run.db", Orders(threads=2, pace=Pace(at_first=2)), prepared=prepared)
    assert answer.native["jobs"] > 1
    alike = ("different", "total", "digest")
    assert figures(answer, alike) == figures(in_one_go(recipe_of(name), prepared), alike)
    assert (answer.branches is None) == (backend in ("cpsat", "sat"))


@cases(
    20,
    problem=given(either_problem),
    pieces=lambda dice: dice.between(1, 12),
    threads=lambda dice: dice.between(1, 3),
)
def test_random_problems_keep_their_covers(
    problem: CoverProblem, pieces: int, threads: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("run") / "run.db"
    named = NamedProblem("random", problem, tuple(f"i{k}" for k in range(problem.n_items)), ("red", "blue"))
    recipe = Recipe(SolveRequest(backend="dlx"), "random", StoredFile("random.dlx", b"", ""))
    begin(path, recipe, named, Limits())
    shown: list[ListedCover] = []
    answer = go_on(path, Orders(threads, pace=Pace(at_first=pieces)), shown.append, prepared=named)
    expected = covers(problem)
    assert {tuple(number - 1 for number in cover.numbers) for cover in shown} == expected
    assert answer.different == len(shown) == len(expected)
    with RunFile(path) as file:
        assert {tuple(json.loads(row["choices"])) for row in file.rows("SELECT choices FROM solutions")} == expected
    assert figures(answer) == figures(run(named, recipe.solver()))


def test_a_run_that_was_begun_is_gone_on_with_from_its_file_alone(tmp_path: Path) -> None:
    begun(tmp_path / "run.db", recipe_of("slothouber-graatsma"))
    answer = go_on(tmp_path / "run.db")
    assert figures(answer) == figures(in_one_go(recipe_of("slothouber-graatsma")))


def test_images_are_shown_where_they_are_asked_for(tmp_path: Path) -> None:
    prepared = begun(tmp_path / "run.db", dominoes(), limit=5)
    shown: list[Any] = []
    go_on(tmp_path / "run.db", Orders(1, images=True), shown.append)
    expected: list[Any] = []
    run(prepared, dominoes().solver(), Limits(5), expected.append, images=True)
    assert [(s.number, s.image, s.orbit, s.placements) for s in shown] == [
        (s.number, s.image, s.orbit, s.placements) for s in expected
    ]
    assert len(shown) > 5


# Jobs that take long are cut; how far a run has come.


def into(seen: list[Progress]) -> OnProgress:
    """A receiver of progress that keeps it."""

    def keep(progress: Progress) -> bool:
        seen.append(progress)
        return True

    return keep


def test_jobs_that_would_take_long_are_cut_and_progress_never_goes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search, recipe = JobSearcher.search, dominoes("count")

    def reporting(self: JobSearcher, job: Job, *rest: Any) -> SearchResult:
        """As a search does that takes long: it reports before it is done, here that next to nothing is done."""
        *_, on_progress, _ = rest
        if len(job.chosen) < 4 and not on_progress(Progress(1e-6, 1, 0, 1.0)):
            return SearchResult(Stop.CANCELLED)
        return search(self, job, *rest)

    monkeypatch.setattr("latcover.lab.runs.loop.BETWEEN_REPORTS", 0.0)
    prepared = begun(tmp_path / "run.db", recipe)
    seen: list[Progress] = []
    with monkeypatch.context() as patched:
        patched.setattr(JobSearcher, "search", reporting)
        orders = Orders(2, pace=Pace(seconds=1e-9, trial=0.0, most_pieces=4))
        answer = go_on(tmp_path / "run.db", orders, on_progress=into(seen), prepared=prepared)
    assert figures(answer) == figures(in_one_go(recipe, prepared))
    with RunFile(tmp_path / "run.db") as file:
        assert state_as_json(file)["jobs"]["cut"] > 1
    shares = [progress.share or 0.0 for progress in seen]
    assert len(set(shares)) > 1
    assert shares == sorted(shares)
    assert all(0 <= share <= 1 for share in shares)


def test_shares_that_are_rounded_up_do_not_pass_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine ninths, added one by one, are 1.0000000000000002."""
    monkeypatch.setattr("latcover.lab.runs.loop.BETWEEN_REPORTS", 0.0)
    problem = cover_problem([[0]] * 9 + [[1]] * 10, [(1, 1)] * 2)
    named = NamedProblem("ninths", problem, ("a", "b"))
    recipe = Recipe(CountRequest(backend="dlx"), "ninths", StoredFile("ninths.dlx", b"", ""))
    begin(tmp_path / "run.db", recipe, named, Limits())
    seen: list[Progress] = []
    answer = go_on(tmp_path / "run.db", Orders(1, pace=Pace(at_first=9)), on_progress=into(seen), prepared=named)
    assert (answer.covers, answer.native["jobs"]) == (90, 9)
    shares = [progress.share or 0.0 for progress in seen]
    assert shares[-1] == 1.0
    assert shares == sorted(shares)


def test_the_time_that_is_left_is_told_by_all_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What earlier sessions have done took their time."""
    monkeypatch.setattr("latcover.lab.runs.loop.BETWEEN_REPORTS", 0.0)
    path = tmp_path / "run.db"
    begun(path, dominoes(), limit=10)
    go_on(path, Orders(1, pace=Pace(at_first=30)))
    spoil(path, "UPDATE sessions SET seconds = 3600")
    seen: list[Progress] = []
    answer = go_on(path, Orders(1, Limits(1000)), on_progress=into(seen))
    assert answer.complete
    assert all(3600 <= progress.seconds <= answer.seconds["search"] for progress in seen)
    assert seen


def test_a_state_is_told_at_every_stage(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    begun(path, dominoes(), limit=5)
    with RunFile(path) as file:
        state = state_as_json(file)
    assert (state["state"], state["stop"], state["share"], state["sessions"]) == ("not begun", None, 0, 0)
    go_on(path, MANY)
    with RunFile(path) as file:
        state = state_as_json(file)
    assert (state["state"], state["stop"], state["different"], state["limit"]) == (
        "interrupted",
        "solution limit",
        5,
        5,
    )
    go_on(path, Orders(limits=Limits(999)))
    with RunFile(path) as file:
        state = state_as_json(file)
        assert f"{DIFFERENT} solutions, {TOTAL} in all" in state_as_text(state)
    assert (state["state"], state["share"], state["different"]) == ("done", 1.0, DIFFERENT)


# Limits, and going on after them.


def test_a_limit_ends_it_and_the_rest_comes_later(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    prepared = begun(path, dominoes(), limit=10)
    first: list[Any] = []
    answer = go_on(path, Orders(1), first.append)
    assert (answer.different, answer.stop, answer.complete) == (10, "solution limit", False)
    assert answer.total == sum(solution.orbit for solution in first)
    assert [solution.number for solution in first] == list(range(1, 11))
    again = go_on(path, Orders(1), pytest.fail)
    assert figures(again) == figures(answer)

    second: list[Any] = []
    answer = go_on(path, msgspec.structs.replace(MANY, limits=Limits(25)), second.append)
    assert answer.different == 25
    assert [solution.number for solution in second] == list(range(11, 26))
    answer = go_on(path, msgspec.structs.replace(MANY, limits=Limits(1000)), second.append)
    assert figures(answer) == figures(in_one_go(dominoes(), prepared))
    assert len({solution.placements for solution in first + second}) == DIFFERENT
    require_whole(path, DIFFERENT)
    assert figures(go_on(path)) == figures(answer)


def test_a_count_in_a_run_keeps_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    prepared = begun(path, dominoes("count"), limit=1)
    assert go_on(path, MANY).different == 1
    answer = go_on(path, Orders(2, Limits(10_000)))
    assert figures(answer) == figures(in_one_go(dominoes("count"), prepared))
    with RunFile(path) as file:
        assert not list(file.solutions())


@pytest.mark.parametrize("limits", [Limits(covers=0), Limits(seconds=0.0)])
def test_limits_of_nothing(tmp_path: Path, limits: Limits) -> None:
    begun(tmp_path / "run.db", dominoes())
    answer = go_on(tmp_path / "run.db", Orders(limits=limits), pytest.fail)
    assert (answer.different, answer.complete) == (0, False)
    assert answer.stop == ("solution limit" if limits.covers == 0 else "time limit")


def test_branches_cannot_be_limited(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="no limit of branches"):
        begin(tmp_path / "run.db", dominoes(), dominoes().prepared(), Limits(branches=5))


@pytest.mark.parametrize("task", ["solve", "count"])
def test_a_run_goes_on_after_several_stops(tmp_path: Path, task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each job is broken off after its first solution, and the run with it; the next session goes on with both."""
    monkeypatch.setattr("latcover.lab.runs.loop.BETWEEN_REPORTS", 0.0)
    monkeypatch.setattr("latcover.lab.runs.loop._AFTER_THE_END", float("inf"))  # else a slow machine gets nowhere
    path, recipe = tmp_path / "run.db", dominoes(task)
    prepared = begun(path, recipe)
    search, broken_off = JobSearcher.search, set[Job]()

    def breaking_off(self: JobSearcher, job: Job, *rest: Any) -> SearchResult:
        if job in broken_off:
            return search(self, job, *rest)
        broken_off.add(job)
        return msgspec.structs.replace(search(self, job, 1), stop=Stop.CANCELLED)

    numbers: list[int] = []
    sessions, last = 0, 0
    monkeypatch.setattr(JobSearcher, "search", breaking_off)
    while sessions < 100:
        before = len(broken_off)
        answer = go_on(
            path,
            Orders(2, pace=Pace(at_first=9)),
            lambda solution: numbers.append(solution.number),
            on_progress=lambda _, before=before: len(broken_off) == before,
            prepared=prepared,
        )
        sessions += 1
        assert answer.different >= last
        last = answer.different
        if answer.complete:
            break
        assert answer.stop == "cancelled"
    assert sessions > 1
    monkeypatch.undo()
    assert figures(answer) == figures(in_one_go(recipe, prepared))
    if task == "solve":
        require_whole(path, DIFFERENT)
        assert numbers == list(range(1, DIFFERENT + 1))


# Many solutions: few are held at once, and limits are kept between them.


def test_a_job_with_many_solutions_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, recipe = tmp_path / "run.db", dominoes()
    prepared = begun(path, recipe)
    most = 0
    put = Recorder.put

    def watched(self: Recorder, results: Sequence[Result]) -> None:
        nonlocal most
        most = max(most, *(len(found.solutions) for _, found in results if isinstance(found, SearchResult)), 0)
        put(self, results)

    monkeypatch.setattr(Recorder, "put", watched)
    answer = go_on(path, Orders(2, pace=Pace(most_solutions=7)))
    assert figures(answer) == figures(in_one_go(recipe, prepared))
    assert 0 < most <= 7
    require_whole(path, DIFFERENT)


def test_threads_wait_while_many_solutions_are_to_be_written() -> None:
    searcher = JobSearcher(dominoes().prepared(), dominoes().solver(), keeps_solutions=True)
    crew = Threads(searcher, Orders(2, pace=Pace(most_solutions=5)))
    crew.put([PendingJob(1, Job(), 1.0)])
    crew.start()
    left, taken = 1, 0
    while left:
        results = crew.take(10.0)
        left -= len(results)
        held = 0
        for _, result in results:
            if isinstance(result, Division):
                crew.put([PendingJob(1, piece.job, 1.0) for piece in result.cut.pieces])
                left += len(result.cut.pieces)
            elif isinstance(result, SearchResult):
                held += len(result.solutions)
        assert held <= 5 + 2 * 5
        taken += held
    crew.dismiss()
    assert taken == DIFFERENT


def test_the_user_is_heard_between_solutions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them were of one job, and were stored before anybody could break off."""
    path, recipe = tmp_path / "run.db", dominoes()
    prepared = begun(path, recipe)
    monkeypatch.setattr("latcover.lab.runs.loop.BETWEEN_REPORTS", 0.0)
    monkeypatch.setattr("latcover.lab.runs.loop._AFTER_THE_END", -1.0)
    monkeypatch.setattr("latcover.lab.runs.recorder._TRANSACTION", 0.0)
    shown: list[int] = []
    answer = go_on(
        path,
        Orders(1, pace=Pace(trial=60.0)),
        lambda solution: shown.append(solution.number),
        on_progress=lambda _: len(shown) < 5,
        prepared=prepared,
    )
    assert (answer.different, answer.stop, answer.complete) == (5, "cancelled", False)
    assert shown == [1, 2, 3, 4, 5]
    with RunFile(path) as file:
        assert state_as_json(file)["different"] == 5
    answer = go_on(path, Orders(1), lambda solution: shown.append(solution.number))
    assert figures(answer) == figures(in_one_go(recipe, prepared))
    assert shown == list(range(1, DIFFERENT + 1))
    require_whole(path, DIFFERENT)


def test_time_that_is_over_is_seen_between_solutions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, recipe = tmp_path / "run.db", dominoes()
    prepared = begun(path, recipe)
    monkeypatch.setattr("latcover.lab.runs.loop._AFTER_THE_END", -1.0)
    monkeypatch.setattr("latcover.lab.runs.recorder._TRANSACTION", 0.0)
    limits = Limits(seconds=1e6)

    def out_of_time(solution: Any) -> None:
        msgspec.structs.force_setattr(limits, "seconds", 0.0 if solution.number == 3 else 1e6)

    monkeypatch.setattr("latcover.lab.runs.control.Limits", lambda *_: limits)
    answer = go_on(path, Orders(1, limits, pace=Pace(trial=60.0)), out_of_time, prepared=prepared)
    assert (answer.different, answer.stop) == (3, "time limit")


def test_to_be_stopped_when_nothing_is_left_is_to_be_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("latcover.lab.runs.loop.BETWEEN_REPORTS", 0.0)
    monkeypatch.setattr("latcover.lab.runs.loop._AFTER_THE_END", float("inf"))
    path, recipe = tmp_path / "run.db", dominoes()
    begun(path, recipe)
    found: list[int] = []
    take = Threads.take

    def taken(self: Threads, seconds: float) -> list[Result]:
        results = take(self, 10.0)
        found.extend(len(result.solutions) for _, result in results if isinstance(result, SearchResult))
        return results

    monkeypatch.setattr(Threads, "take", taken)
    answer = go_on(path, Orders(1, pace=Pace(trial=60.0)), on_progress=lambda _: not found)
    assert found == [DIFFERENT]
    assert (answer.different, answer.stop, answer.complete) == (DIFFERENT, "exhausted", True)
