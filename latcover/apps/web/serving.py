"""The HTTP server under the app: uvicorn, and time limits that it does not have itself.

uvicorn bounds the number of connections, but not the time that a request takes to arrive or an answer takes to be read.
A client that never finishes either would hold its connection for ever.
"""

from __future__ import annotations

import asyncio
import socket

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from latcover.apps.web.app import make_app
from latcover.apps.web.settings import Settings
from latcover.system.machine import raise_open_files

SECONDS_TO_CLOSE = 2  # that open connections have when the server ends
WAITING = 2048  # connections that the system holds until the server accepts them
MOST_FILES = 8192  # open at once
OTHER_FILES = 100  # that are no connections: child processes and their pipes
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


def serve(settings: Settings, listening: socket.socket, *, verbose: bool = False) -> None:
    """Serve the app on a socket that is bound, until SIGINT or SIGTERM.

    Raises:
        BackendUnavailableError: no process can be started.
        KeyboardInterrupt: SIGINT ended it, in order.
    """
    server(settings, verbose=verbose).run(sockets=[listening])


def server(settings: Settings, *, verbose: bool = False) -> uvicorn.Server:
    """The server of the app. It runs on sockets that are bound already.

    Raises:
        BackendUnavailableError: no process can be started.
    """

    class BoundConnection(Connection):  # uvicorn makes connections itself, and knows nothing of settings
        bounds = settings

    config = uvicorn.Config(
        make_app(settings),
        http=BoundConnection,
        loop="asyncio",  # uvloop cannot start child processes in groups of their own
        ws="none",
        log_level="info" if verbose else "warning",
        access_log=verbose,
        backlog=WAITING,
        timeout_keep_alive=int(settings.arrival_seconds),
        limit_concurrency=max(1, raise_open_files(MOST_FILES) - OTHER_FILES),
        timeout_graceful_shutdown=SECONDS_TO_CLOSE,
        server_header=False,
    )
    return uvicorn.Server(config)


class Connection(HttpToolsProtocol):
    """A connection that is closed when a request takes too long to arrive, or an answer to be read.

    Attributes:
        bounds: The server's settings.
    """

    bounds: Settings

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._arrival: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None
        self._watch_arrival()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch_arrival()

    def _watch_arrival(self) -> None:
        """Start the clock when a request begins to arrive, and stop it when all of it is there."""
        head_is_missing = self.cycle is None or self.cycle.response_complete
        body_is_missing = not head_is_missing and self.cycle.more_body
        if not head_is_missing and not body_is_missing:
            self._arrival = _cancelled(self._arrival)
        elif self._arrival is None:
            self._arrival = self.loop.call_later(self.bounds.arrival_seconds, self._close_slow)

    def _close_slow(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(TOO_SLOW)
        self.transport.close()

    def on_response_complete(self) -> None:
        """uvicorn has a limit of its own for the time between two requests."""
        self._arrival = _cancelled(self._arrival)
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reading = self.loop.call_later(self.bounds.reading_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._reading = _cancelled(self._reading)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._arrival, self._reading = _cancelled(self._arrival), _cancelled(self._reading)


def _cancelled(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    """No timer any more; *timer* is cancelled."""
    if timer is not None:
        timer.cancel()
    return None
