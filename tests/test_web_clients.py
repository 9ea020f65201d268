"""Clients of the web app that vanish, that dawdle, and that come in crowds: others are still answered."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPResponse
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from latcover.benchmarks.clients import measured
from latcover.web import app as app_module
from latcover.web.app import make_app
from latcover.web.serving import server as made_server
from latcover.web.settings import Settings
from tests.processes import GUARD, needs_proc, wait_until
from tests.web_server import BOARD, PENTOMINOES, SMALL, Asked, Server, within


@pytest.mark.parametrize("stays", [True, False])
def test_a_download_ends_with_its_client_and_is_written_beside_the_server(
    stays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread than the server's writes the solutions, and nobody writes them for a client that is gone."""
    placed = {"part": "A", "cells": [[0, 0]]}
    solutions = [((k + 1, 1, 1), [0]) for k in range(10_000)]
    run = SimpleNamespace(
        job={"subject": PENTOMINOES}, placements=[[0, [[0, 0, 0]], (), (), placed]], solutions=solutions
    )
    writers: list[int] = []
    real = app_module._solution_as_json

    def noted(*of: Any) -> dict[str, Any]:
        writers.append(threading.get_ident())
        return real(*of)

    monkeypatch.setattr(app_module, "_solution_as_json", noted)
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


@pytest.fixture
def crowded(tmp_path: Path) -> Iterator[tuple[Server, Path]]:
    """A server that may open few files, and its log."""
    log = tmp_path / "log"
    with log.open("w") as file:
        server = Server(before=("sh", "-c", 'ulimit -n 128; exec "$@"', "sh"), stderr=file)
    yield server, log
    server.close()


def half_a_request(server: Asked) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", int(server.url.rsplit(":", 1)[1])), timeout=GUARD)
    connection.sendall(b"POST /api/open HTTP/1.1\r\nHost: localhost\r\nContent-Le")
    return connection


@needs_proc
def test_crowds_that_end_no_request_keep_nobody_away(crowded: tuple[Server, Path]) -> None:
    server, log = crowded
    with ExitStack() as held:
        for _ in range(200):
            held.enter_context(half_a_request(server))
        for _ in range(20):
            with httpx.Client(base_url=server.url, timeout=GUARD) as other:
                assert other.get("/api/about").status_code == 200
        assert server.ended(server.start(limit=1, subject=SMALL))["found"] == 1
    assert log.stat().st_size < 10_000


def asking(server: Asked, path: str) -> socket.socket:
    """A connection by which something is asked for."""
    connection = socket.create_connection(("127.0.0.1", int(server.url.rsplit(":", 1)[1])), timeout=GUARD)
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return connection


def answered(connection: socket.socket) -> HTTPResponse:
    """The answer that comes by a connection; its content, unless it has no end, is read."""
    answer = HTTPResponse(connection)
    answer.begin()
    if answer.getheader("Content-Length") is not None:
        answer.read()
    return answer


@contextmanager
def followed(settings: Settings, followers: int) -> Iterator[tuple[Asked, list[socket.socket]]]:
    """A server of which clients follow a search without end. Each has a place."""
    with within(settings) as server, ExitStack() as held:
        path = f"/api/runs/{server.start(**LONG)}/events"
        server.client.close()
        following = [held.enter_context(asking(server, path)) for _ in range(followers)]
        assert {answered(connection).status for connection in following} == {200}
        yield server, following


def test_who_rests_makes_room_before_who_asks() -> None:
    with followed(Settings(connections=4), 1) as (server, _), asking(server, "/api/about") as resting:
        assert answered(resting).getheader("Connection") is None
        with half_a_request(server) as half, half_a_request(server), asking(server, "/api/about") as other:
            assert answered(other).status == 200
            assert resting.recv(1) == b""
            half.sendall(b"ngth: 2\r\n\r\n{}")
            assert answered(half).status == 415


def test_a_crowd_that_asks_is_answered_one_after_another() -> None:
    """There is one place for them, and it is taken at first. Nobody who asks has to go."""
    with followed(Settings(connections=2, patience=GUARD), 2) as (server, (_, leaves)), ExitStack() as held:
        crowd = [held.enter_context(asking(server, "/api/about")) for _ in range(20)]
        leaves.close()
        answers = [answered(connection) for connection in crowd]
        assert {answer.status for answer in answers} == {200}
        assert {answer.getheader("Connection") for answer in answers} == {"close"}


def test_where_everybody_waits_for_an_answer_others_are_told_to_come_again() -> None:
    with followed(Settings(connections=1, patience=0.0), 1) as (server, (leaves,)):
        for _ in range(20):
            with asking(server, "/") as other:
                answer = answered(other)
                assert answer.status == 503
                assert int(answer.getheader("Retry-After", "")) > 0
        leaves.close()

        def is_let_in() -> bool:
            with asking(server, "/api/about") as other:
                return answered(other).status == 200

        wait_until(is_let_in)


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HT", b"POST /api/open HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"]
)
def test_a_request_has_to_come_in_time(sent: bytes) -> None:
    """The client waits until the server hangs up; it would do so for ever."""
    with listening() as (address, settings), socket.create_connection(address, timeout=GUARD) as connection:
        connection.sendall(sent)
        while connection.recv(1000):
            pass
        assert settings.head_seconds < GUARD


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
    settings = Settings(head_seconds=1.0, body_seconds=1.0)
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


@pytest.mark.parametrize("backend", ["bitset", "auto"])
def test_more_threads_than_there_is_memory_for_are_not_started(backend: str, narrow: Server) -> None:
    ended = narrow.ended(narrow.start(task="count", backend=backend, options={"threads": "450"}, symmetry="none"))
    assert ended["fault"] is None
    assert ended["summary"]["total"] == 9356
    assert "instead of 450: this " in ended["text"]


def test_a_run_that_needs_too_much_memory_or_time_takes_nobody_with_it(narrow: Server) -> None:
    board = {"form": "toml", "text": BOARD.format(size=100)}
    standing = narrow.ended(narrow.start(task="count", subject=board, seconds=0.3))
    assert standing["fault"] or standing["reason"] == "its time was over"
    assert narrow.ended(narrow.start(limit=1, subject=SMALL))["found"] == 1


LONG = {
    "task": "count",
    "subject": {"form": "toml", "text": BOARD.format(size=10)},
    "backend": "dlx",
    "symmetry": "none",
}


def test_a_search_whose_client_is_gone_makes_room_for_the_next_one() -> None:
    """One that somebody follows stays, and so does one that was left just now."""
    with within(Settings(runs=2, lonely=0.0)) as server:
        followed = server.start(**LONG)
        with server.client.stream("GET", f"/api/runs/{followed}/events") as events:
            lines = events.iter_lines()  # kept: httpx hangs up with its end
            assert next(lines).startswith("data: ")
            left = [server.start(**LONG), server.start(**LONG)]
            assert server.ended(server.start(limit=1, subject=SMALL))["found"] == 1
            reasons = [server.standing(run)["reason"] for run in left]
            assert all(reason.endswith("another search was to begin") for reason in reasons), reasons
            assert server.standing(followed)["reason"] == ""
    with within(Settings(runs=1)) as server:
        server.start(**LONG)
        assert server.post("/api/runs", {"task": "count", "subject": SMALL}).status_code == 429


def test_a_search_waits_for_one_that_ends_just_now() -> None:
    with within(Settings(runs=1)) as server:
        server.post(f"/api/runs/{server.start(**LONG)}/stop", {})
        assert server.ended(server.start(limit=1, subject=SMALL))["found"] == 1


@pytest.mark.long
@needs_proc
def test_a_small_crowd_is_answered() -> None:
    """Every client of each kind, the server's memory, and its end: as the benchmark looks at them."""
    tally = measured(12, GUARD)
    assert tally.wrong == []
    assert tally.ended["finished a search and saw its pictures"] == 8
    assert tally.memory > 0
