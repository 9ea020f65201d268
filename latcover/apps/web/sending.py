"""Large answers, written by threads so that the server stays responsive. A download stops when its client is gone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from typing import IO, Any
from urllib.parse import quote

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

AT_ONCE = 500  # lines of a download between two checks that its client is there
PIECE = 1 << 20  # bytes of a file that are read at once
MOST_REMARKS = 1000  # characters, in a header


async def as_json(request: Request, data: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    """Data as JSON.

    Raises:
        HTTPException: 400, the client is gone.
    """
    if await request.is_disconnected():
        raise HTTPException(400, "the request ended early")
    return await run_in_threadpool(JSONResponse, data, headers=headers)


def as_lines(request: Request, count: int, lines: Callable[[int, int], str], name: str) -> Response:
    """A file of *count* lines of JSON; ``lines(first, last)`` gives lines *first* to *last* - 1."""

    async def pieces() -> AsyncIterator[str]:
        for first in range(0, count, AT_ONCE):
            if await request.is_disconnected():
                return
            yield await run_in_threadpool(lines, first, min(first + AT_ONCE, count))

    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(pieces(), media_type="application/jsonl", headers=headers)


def as_file(file: IO[bytes], made: Mapping[str, Any]) -> Response:
    """An exported file, which is closed after it is sent. *made* holds its name, size and remarks."""
    file.seek(0)
    return StreamingResponse(
        iter(lambda: file.read(PIECE), b""),
        media_type="application/octet-stream",
        headers={
            "Content-Disposition": f'attachment; filename="{made["name"]}"',
            "Content-Length": str(made["size"]),
            "Latcover-Remarks": quote("; ".join(made["remarks"])[:MOST_REMARKS]),
        },
        background=BackgroundTask(file.close),
    )
