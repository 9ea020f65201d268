"""Clients of the web app that vanish, that dawdle, and that come in crowds: others are still answered."""

from __future__ import annotations

import asyncio
import json
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from latcover.web import app as app_module
from latcover.web.app import make_app
from tests.web_server import PENTOMINOES


@pytest.mark.parametrize("stays", [True, False])
def test_a_download_ends_with_its_client_and_is_written_beside_the_server(
    stays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread than the server's writes the solutions, and nobody writes them for a client that is gone."""
    placed = {"part": "A", "cells": [[0, 0]]}
    solutions = [((k + 1, 1, 1), [0]) for k in range(10_000)]
    run = SimpleNamespace(job={"subject": PENTOMINOES}, placements=[[0, [[0, 0, 0]], placed]], solutions=solutions)
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
