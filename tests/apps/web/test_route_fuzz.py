"""The short lane of the fuzzer of routes, and what it found. The long lane is `python -m tests.fuzz.routes`."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from starlette.exceptions import HTTPException

from latcover.apps.web import child_jobs
from latcover.apps.web.answers import Answer
from latcover.apps.web.job import Talk
from latcover.apps.web.tasks import DrawTask, OpenTask
from latcover.apps.web.web_requests import in_body
from tests.fuzz import routes
from tests.web_jobs import messages_of
from tests.web_subjects import SUBJECTS

REQUESTS = 40


@pytest.mark.parametrize("number", range(REQUESTS))
def test_random_requests_are_answered_or_refused(number: int) -> None:
    body = routes.request(0, number)
    assert not routes.fault_of(body), body


def test_every_task_is_among_the_requests() -> None:
    sent = {str(body["task"]) for body in routes.requests()}
    tags = {str(task.__struct_config__.tag) for task in child_jobs.PERFORMERS}
    assert sent == tags - {
        "apart",
        "draw lattice",
        "draw design",
    }  # which clients ask for by names of runs and pictures


def test_a_defect_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: OpenTask, __: Talk) -> Answer:
        raise KeyError("planted")

    monkeypatch.setitem(child_jobs.PERFORMERS, OpenTask, broken)
    body = json.dumps({"task": "open", "subject": SUBJECTS["loose"]}).encode()
    assert "KeyError: 'planted'" in routes.fault_of(body)


def test_clients_draw_regions_and_no_solutions_of_their_own() -> None:
    """Placements of a client were drawn unseen, and met defects: of no such part, of fewer colours than cells."""
    body: dict[str, Any] = {"task": "draw", "subject": SUBJECTS["loose"], "placements": [[9, [], [], []]]}
    task = routes.task_in(json.dumps(body).encode())
    assert isinstance(task, DrawTask)
    assert task.placements is None


@pytest.mark.parametrize("own_counts", [True, False])
def test_nothing_is_packed_where_there_are_no_parts(own_counts: bool) -> None:
    last = messages_of({"task": "pack", "subject": SUBJECTS["without parts"], "own_counts": own_counts})[-1]
    assert (last["event"], last.get("answer", {}).get("summary", {}).get("value")) == ("done", 0)


def test_a_request_at_another_route_is_refused() -> None:
    """Its tag is none of the fields of what the route takes."""
    body = json.dumps({"task": "draw card", "subject": SUBJECTS["loose"]}).encode()
    with pytest.raises(HTTPException, match="'task' in the request cannot be 'draw card'; it must be one of open"):
        in_body(body, OpenTask)
    wanted = {"way": "cut"}
    last = messages_of({"task": "design", "way": "sets", "subject": SUBJECTS["loose"], "wanted": wanted})[-1]
    assert "'way' in what is wanted cannot be 'cut'" in last["fault"]["message"]


def test_a_huge_number_of_walks_is_no_limit() -> None:
    """More than 64 bits hold; the native code takes no more."""
    wanted = {"parts": 2, "walks": 2**64, "patience": 2**70, "limit": 1, "threads": 1, "seconds": 0.2}
    job = {"task": "design", "way": "cut", "subject": SUBJECTS["in space"], "wanted": wanted}
    assert messages_of(job)[-1]["event"] == "done"
    last = messages_of({**job, "wanted": {**wanted, "first": 2**64}})[-1]
    assert "'first' in what is wanted must be a whole number, at most" in last["fault"]["message"]


def test_bodies_are_those_that_routes_read() -> None:
    assert routes.task_in(b'{"task": "open", "subject": NaN}') is None
    assert routes.task_in(b'{"task": "no such", "subject": {"form": "shipped", "name": "soma"}}') is None
    body = {"task": "export", "form": "zdd", "subject": SUBJECTS["bare"]}
    assert msgspec.json.decode(msgspec.json.encode(routes.task_in(json.dumps(body).encode())))["form"] == "zdd"
