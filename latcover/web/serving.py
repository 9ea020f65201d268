"""The HTTP server under the app: uvicorn, with bounds on connections and on the time that a request may take to arrive.

A client that does not finish its request holds a connection, and a process has a limited number of them. So requests
have to arrive, and answers have to be read, within time limits. If all connections are in use, the one that has waited
longest for its request is closed for the next client.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from latcover.web.app import make_app
from latcover.web.settings import Settings

SECONDS_TO_CLOSE = 2  # that open connections have when the server ends
ACCEPTED_AT_ONCE = 8  # connections; asyncio goes on accepting, and failing, as often as it was told to let clients wait
WAITING = 128  # clients that the system lets wait
BETWEEN_WARNINGS = 60.0  # seconds
REFUSED = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
log = logging.getLogger("uvicorn.error")


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
    config = uvicorn.Config(
        make_app(settings),
        http=_connections(settings),
        ws="none",
        backlog=ACCEPTED_AT_ONCE,
        log_level="info" if verbose else "warning",
        access_log=verbose,
        timeout_graceful_shutdown=SECONDS_TO_CLOSE,
        server_header=False,
    )
    return _Server(config)


class _Server(uvicorn.Server):
    """Logs in one line, and rarely, that no connection can be accepted."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(_Quiet())
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(WAITING)  # after asyncio said how many it accepts at once


class _Quiet:
    """Handles errors outside of requests. A lack of file descriptors would otherwise fill the log."""

    def __init__(self) -> None:
        self._said = float("-inf")

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if "socket.accept()" not in context.get("message", ""):
            loop.default_exception_handler(context)
        elif loop.time() - self._said > BETWEEN_WARNINGS:
            self._said = loop.time()
            log.warning("no connection can be accepted now: %s; raise the limit with ulimit -n", context["exception"])


def _connections(settings: Settings) -> type[H11Protocol]:
    """The class of connections under these bounds; uvicorn makes them and knows nothing of settings."""

    class BoundConnection(Connection):
        bounds = settings

    return BoundConnection


class Connection(H11Protocol):
    """A connection with time limits.

    Attributes:
        bounds: The server's settings.
        since: When the request began that is being received; that of the connection before the first one.
    """

    bounds: Settings

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._timer: asyncio.TimerHandle | None = None
        self._waits_for: object = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._expect(h11.IDLE)
        if len(self.connections) > self.bounds.connections and not self._make_room():
            transport.write(REFUSED)
            transport.close()

    def _make_room(self) -> bool:
        """Drop the connection that has waited longest for its request. Returns False if there is none."""
        owing = [other for other in self.connections if isinstance(other, Connection) and other is not self]
        owing = [other for other in owing if other.owes_a_request() and not other.transport.is_closing()]
        if not owing:
            return False
        min(owing, key=lambda other: other.since).transport.abort()
        return True

    def owes_a_request(self) -> bool:
        """Whether the server waits for the client, and not the client for the server."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        between = self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]  # uvicorn has a limit for that
        self._expect(self.conn.their_state if self.owes_a_request() and not between else None)

    def _expect(self, what: object) -> None:
        """Begin to wait for the head of a request (h11.IDLE), its body (h11.SEND_BODY) or nothing."""
        if what is self._waits_for:
            return
        self._waits_for = what
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if what is h11.IDLE:
            self.since = self.loop.time()
        if what is not None:
            seconds = self.bounds.head_seconds if what is h11.IDLE else self.bounds.body_seconds
            self._timer = self.loop.call_later(seconds, self._too_slow)

    def _too_slow(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(TOO_SLOW)
        self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._write_timer = self.loop.call_later(self.bounds.body_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_write_timer()

    def _stop_write_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._expect(None)
        self._stop_write_timer()
