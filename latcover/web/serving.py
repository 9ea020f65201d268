"""The HTTP server under the app: uvicorn, with bounds on connections and on the time that a request may take to arrive.

A client that does not finish its request holds a connection, and a process has a limited number of them. So requests
have to arrive, and answers have to be read, within time limits. `door` lets clients in, and makes room for them.
"""

from __future__ import annotations

import asyncio
import socket

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from latcover.web.app import make_app
from latcover.web.door import Door, come_again
from latcover.web.settings import Settings

SECONDS_TO_CLOSE = 2  # that open connections have when the server ends
SETTLED = 1.0  # seconds after which a client that asks for nothing may have to go
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
    door = Door(settings)
    config = uvicorn.Config(
        door.sending_off(make_app(settings)),
        interface="asgi3",
        http=_connections(settings, door),
        ws="none",
        log_level="info" if verbose else "warning",
        access_log=verbose,
        timeout_graceful_shutdown=SECONDS_TO_CLOSE,
        server_header=False,
    )
    return _Server(config, door)


class _Server(uvicorn.Server):
    """Lets clients in by a door of its own."""

    def __init__(self, config: uvicorn.Config, door: Door) -> None:
        super().__init__(config)
        self._door = door
        self._letting_in: list[asyncio.Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([])
        loop = asyncio.get_running_loop()
        for listening in sockets or ():
            self._door.open(listening)
            self._letting_in.append(loop.create_task(self._door.let_in(listening, self._connection)))

    def _connection(self, has_no_place: bool) -> asyncio.BaseProtocol:
        made: H11Protocol = self.config.http_protocol_class(  # type: ignore[assignment, call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        if has_no_place:
            made.app = come_again
        return made

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for task in self._letting_in:
            task.cancel()
        await asyncio.gather(*self._letting_in, return_exceptions=True)
        await super().shutdown(sockets)


def _connections(settings: Settings, at: Door) -> type[H11Protocol]:
    """The class of connections under these bounds; uvicorn makes them and knows nothing of settings."""

    class BoundConnection(Connection):
        bounds, door = settings, at

    return BoundConnection


class Connection(H11Protocol):
    """A connection with time limits.

    Attributes:
        bounds: The server's settings.
        door: By which it came.
        rests, since, settled: see `Guest`.
    """

    bounds: Settings
    door: Door

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._timer: asyncio.TimerHandle | None = None
        self._settling: asyncio.TimerHandle | None = None
        self._waits_for: object = None
        self._write_timer: asyncio.TimerHandle | None = None
        self._begin_to_owe(rests=False)
        self._expect(h11.IDLE)
        self.door.came(self)

    def _begin_to_owe(self, *, rests: bool) -> None:
        self.rests, self.since, self.settled = rests, self.loop.time(), False
        self._stop_settling()
        # A timer ends after all has been read that had come before it, however late the loop is.
        self._settling = self.loop.call_later(SETTLED, self._settle)

    def _settle(self) -> None:
        self.settled = True
        self.door.look()

    def _stop_settling(self) -> None:
        if self._settling is not None:
            self._settling.cancel()
            self._settling = None

    def owes_a_request(self) -> bool:
        """Whether the server waits for the client, and not the client for the server."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing()

    def leave(self) -> None:
        """Close the connection."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        if self.rests:
            self._begin_to_owe(rests=False)
        super().data_received(data)
        between = self._is_between_requests()  # uvicorn has a limit for that
        self._expect(self.conn.their_state if self.owes_a_request() and not between else None)

    def _is_between_requests(self) -> bool:
        return self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.owes_a_request():
            self._begin_to_owe(rests=self._is_between_requests())

    def _expect(self, what: object) -> None:
        """Begin to wait for the head of a request (h11.IDLE), its body (h11.SEND_BODY) or nothing."""
        if what is self._waits_for:
            return
        self._waits_for = what
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
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
        self._stop_settling()
        self._stop_write_timer()
        self.door.went(self)
