"""Large answers, written by threads so that the server stays responsive. A download stops when its client is gone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import IO, TypeVar
from urllib.parse import quote

import msgspec
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from latcover.apps.web.answers import WrittenFile

T = TypeVar("T")
AT_ONCE = 500  # lines of a download between two checks that its client is there
PIECE = 1 << 20  # bytes of a file that are read at once
MOST_REMARKS = 1000  # characters, in a header


def as_lines(request: Request, kept: Sequence[T], line: Callable[[T], object], name: str) -> Response:
    """A file with a line of JSON for each of what is *kept*."""

    def some(first: int) -> bytes:
        return b"".join(msgspec.json.encode(line(one)) + b"\n" for one in kept[first : first + AT_ONCE])

    async def pieces() -> AsyncIterator[bytes]:
        for first in range(0, len(kept), AT_ONCE):
            if await request.is_disconnected():
                return
            yield await run_in_threadpool(some, first)

    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(pieces(), media_type="application/jsonl", headers=headers)


def as_file(file: IO[bytes], written: WrittenFile) -> Response:
    """An exported file, which is closed after it is sent."""
    file.seek(0)
    return StreamingResponse(
        iter(lambda: file.read(PIECE), b""),
        media_type="application/octet-stream",
        headers={
            "Content-Disposition": f'attachment; filename="{written.name}"',
            "Content-Length": str(written.size),
            "Latcover-Remarks": quote("; ".join(written.remarks)[:MOST_REMARKS]),
        },
        background=BackgroundTask(file.close),
    )
