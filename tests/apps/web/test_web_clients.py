"""Clients of the web app that vanish, that dawdle, and that come in crowds: others are still answered."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any

import httpx
import msgspec
import pytest

from benchmarks.clients import measured
from latcover.apps.web import app as app_module
from latcover.apps.web import serving
from latcover.apps.web.app import make_app
from latcover.apps.web.kept_solutions import KeptSolution
from latcover.apps.web.serving import server as made_server
from latcover.apps.web.settings import Settings
from tests.processes import GUARD, needs_proc, wait_until
from tests.web_server import BOARD, PENTOMINOES, SLOW, SMALL, Server, WebClient, patient, within


@pytest.mark.parametrize("stays", [True, False])
@pytest.mark.long
def test_a_download_ends_with_its_client_and_is_written_beside_the_server(
    stays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread than the server's writes the solutions, and nobody writes them for a client that is gone."""
    placed = SimpleNamespace(written=msgspec.Raw(b'{"part": "A", "cells": [[0, 0]]}'))
    solutions = [KeptSolution((k + 1, 1, 1), (0,)) for k in range(10_000)]
    run = SimpleNamespace(subject=PENTOMINOES, placements=[placed], solutions=solutions)
    writers: list[int] = []
    real = app_module._as_printed

    def noted(*of: Any) -> Any:
        writers.append(threading.get_ident())
        return real(*of)

    monkeypatch.setattr(app_module, "_as_printed", noted)
    app = make_app()
    app.state.runs = SimpleNamespace(find=lambda _: run)
    sent: list[Any] = []

    async def scenario() -> None:
        coming: list[Any] = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> Any:
            if not coming and stays:
                await asyncio.Event().wait()
            return coming.pop() if coming else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        path = "/api/runs/x/solutions.jsonl"
        scope = {"type": "http", "asgi": {"spec_version": "2.3"}, "http_version": "1.1", "method": "GET", "path": path}
        scope |= {"headers": [(b"host", b"localhost")], "query_string": b"", "root_path": "", "scheme": "http"}
        await app(scope, receive, send)

    asyncio.run(scenario())
    assert threading.get_ident() not in writers
    if not stays:
        assert len(writers) < len(solutions) / 2
        return
    lines = b"".join(message.get("body", b"") for message in sent).splitlines()
    assert [json.loads(line)["number"] for line in lines] == list(range(1, 10_001))


def half_a_request(server: WebClient) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", int(server.url.rsplit(":", 1)[1])), timeout=GUARD)
    connection.sendall(b"POST /api/open HTTP/1.1\r\nHost: localhost\r\nContent-Le")
    return connection


@pytest.mark.long
def test_crowds_that_finish_no_request_keep_nobody_away() -> None:
    with within(Settings()) as server, ExitStack() as held:
        for _ in range(600):
            held.enter_context(half_a_request(server))
        for _ in range(20):
            with httpx.Client(base_url=server.url, timeout=GUARD) as other:
                assert other.get("/api/about").status_code == 200
        assert server.ended(server.start(limit=1, subject=SMALL))["found"] == 1


@pytest.mark.long
def test_beyond_the_most_connections_clients_are_told_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "raise_open_files", lambda most: serving.OTHER_FILES + 5)
    with within(Settings()) as server:
        server.client.close()
        with ExitStack() as held:
            for _ in range(5):
                held.enter_context(half_a_request(server))
            with httpx.Client(base_url=server.url, timeout=GUARD) as other:
                assert other.get("/api/about").status_code == 503
        wait_until(server.answers_anew)


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HT", b"POST /api/open HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"]
)
@pytest.mark.long
def test_a_request_has_to_come_in_time(sent: bytes) -> None:
    """The client waits until the server hangs up; it would do so for ever."""
    with listening() as (address, settings), socket.create_connection(address, timeout=GUARD) as connection:
        connection.sendall(sent)
        while connection.recv(1000):
            pass
        assert settings.arrival_seconds < GUARD


@pytest.mark.long
def test_what_is_sent_has_to_be_taken() -> None:
    """A client that asks for much and reads nothing: the server hangs up, so that its question cannot be sent on."""
    ask = b"GET /static/three.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100
    with listening() as (address, _), socket.create_connection(address, timeout=GUARD) as connection:

        def go_on() -> None:
            while True:
                connection.sendall(ask)

        with pytest.raises(ConnectionError):
            go_on()


@contextmanager
def listening() -> Iterator[tuple[tuple[str, int], Settings]]:
    """A server that has little patience, within this process."""
    settings = Settings(arrival_seconds=1.0, reading_seconds=1.0)
    with socket.create_server(("127.0.0.1", 0)) as bound, ThreadPoolExecutor(1) as pool:
        server = made_server(settings)
        running = pool.submit(server.run, [bound])
        try:
            yield bound.getsockname()[:2], settings
        finally:
            server.should_exit = True
            running.result(GUARD)


@pytest.fixture(scope="module")
def narrow() -> Iterator[Server]:
    """A server whose searches have little memory."""
    server = Server("--memory", "500")
    yield server
    server.close()


@pytest.mark.parametrize("backend", ["bitset", pytest.param("auto", marks=pytest.mark.long)])
@pytest.mark.long
def test_more_threads_than_there_is_memory_for_are_not_started(backend: str, narrow: Server) -> None:
    ended = narrow.ended(narrow.start(task="count", backend=backend, options={"threads": "450"}, symmetry="none"))
    assert ended["fault"] is None
    assert ended["summary"]["total"] == 9356
    assert "instead of 450: this " in ended["text"]


@pytest.mark.long
def test_a_run_that_needs_too_much_memory_or_time_takes_nobody_with_it(narrow: Server) -> None:
    board = {"form": "toml", "text": BOARD.format(size=100)}
    standing = narrow.ended(narrow.start(task="count", subject=board, seconds=0.3))
    assert standing["fault"] or standing["reason"] == "its time was over"
    assert narrow.ended(narrow.start(limit=1, subject=SMALL))["found"] == 1


@pytest.mark.long
def test_a_search_whose_client_is_gone_makes_room_for_the_next_one() -> None:
    """One that somebody follows stays, and so does one that was left just now."""
    with within(patient(runs=2, lonely=0.0)) as server:
        followed = server.start(**SLOW)
        with server.client.stream("GET", f"/api/runs/{followed}/events") as events:
            lines = events.iter_lines()  # kept: httpx hangs up with its end
            assert next(lines).startswith("data: ")
            left = [server.start(**SLOW), server.start(**SLOW)]
            assert server.ended(server.start(limit=1, subject=SMALL))["found"] == 1
            reasons = [server.standing(run)["reason"] for run in left]
            assert all(reason.endswith("another search was to begin") for reason in reasons), reasons
            assert server.standing(followed)["reason"] == ""
    with within(patient(runs=1)) as server:
        server.start(**SLOW)
        assert server.post("/api/runs", {"task": "count", "subject": SMALL}).status_code == 429


@pytest.mark.long
def test_a_search_waits_for_one_that_ends_just_now() -> None:
    with within(patient(runs=1)) as server:
        server.post(f"/api/runs/{server.start(**SLOW)}/stop", {})
        assert server.ended(server.start(limit=1, subject=SMALL))["found"] == 1


@pytest.mark.long
@needs_proc
def test_a_small_crowd_is_answered() -> None:
    """Clients of each kind, newcomers, and the end of the server: as the benchmark looks at them."""
    tally = measured(12, GUARD)
    assert tally.wrong == []
    assert tally.ended["finished a search"] == 8
    assert tally.newcomers
