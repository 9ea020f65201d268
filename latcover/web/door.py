"""The door of the server: it lets in as many clients as there are places. The others wait in the system's line.

Who waits in that line loses nothing: what it has sent is read when its turn has come. So a crowd is answered later, but
answered. Those inside make room for it: answers close their connections, and clients go that ask for nothing.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import NoReturn, Protocol

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from latcover.web.settings import Settings

LINE = 1024  # clients that the system lets wait; a browser opens six connections at once
SPARE = 8  # places beyond all others, for clients that are told to come again
COME_AGAIN = 10  # seconds
BETWEEN_WARNINGS = 60.0  # seconds
UNTIL_ACCEPTING_AGAIN = 1.0  # seconds after the system has refused
CLOSE = (b"connection", b"close")
FULL = b"the server has as many clients as it takes at once; there is room when one of them leaves\n"
log = logging.getLogger("uvicorn.error")


class Guest(Protocol):
    """A connection as the door sees it.

    Attributes:
        rests: It is between two requests.
        since: When the rest began, or the request that is being received.
        settled: Whether it has had time since then to send more, and we to read it.
    """

    rests: bool
    since: float
    settled: bool

    def owes_a_request(self) -> bool:
        """Whether the server waits for the client, and not the client for the server."""
        ...

    def leave(self) -> None:
        """Close the connection."""
        ...


Guests = Callable[[bool], asyncio.BaseProtocol]  # makes a guest; where True, of a client that is to come again


class Door:
    """Accepts connections, as many as there are places."""

    def __init__(self, settings: Settings) -> None:
        self._settings, self._places = settings, settings.connections
        self._inside = 0  # accepted, and not closed yet
        self._guests: set[Guest] = set()
        self._is_stuck = False
        self._changed = asyncio.Event()
        self._entering: set[asyncio.Task[None]] = set()
        self._warned = float("-inf")

    def open(self, listening: socket.socket) -> None:
        """Let clients wait in the system's line of a bound socket; under Linux also those that ask for nothing yet."""
        listening.setblocking(False)
        if hasattr(socket, "TCP_DEFER_ACCEPT"):
            seconds = max(1, int(self._settings.head_seconds))
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, seconds)
        listening.listen(LINE)

    async def let_in(self, listening: socket.socket, guest: Guests) -> NoReturn:
        """Let clients in by a socket that is open; runs until it is cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                client, _ = await loop.sock_accept(listening)
            except ConnectionAbortedError:
                continue
            except OSError as problem:
                self._warn(problem)
                await asyncio.sleep(UNTIL_ACCEPTING_AGAIN)
                continue
            try:
                has_place = await self._place()
            except BaseException:
                client.close()
                raise
            self._inside += 1
            task = loop.create_task(self._enter(client, guest, has_place))
            self._entering.add(task)
            task.add_done_callback(self._entering.discard)

    async def _enter(self, client: socket.socket, guest: Guests, has_place: bool) -> None:
        try:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: guest(not has_place), client)
        except OSError:  # the client is gone
            client.close()
            self._left()

    async def _place(self) -> bool:
        """Wait for a place. False: there is none, but one to be told so."""
        waits_until = asyncio.get_running_loop().time() + self._settings.patience
        while self._inside >= self._places:
            self._changed.clear()
            if self._make_room():
                await self._changed.wait()
            elif not self._is_stuck:
                try:
                    async with asyncio.timeout_at(waits_until):
                        await self._changed.wait()
                except TimeoutError:
                    self._is_stuck = True
            elif self._inside < self._places + SPARE:
                return False
            else:
                await self._changed.wait()
        return True

    def _make_room(self) -> bool:
        """Let somebody go who asks for nothing now: who rests for longest, or else owes a request for longest."""
        owing = [guest for guest in self._guests if guest.owes_a_request()]
        first = min(owing, key=lambda guest: (not guest.rests, guest.since), default=None)
        if first is None or not first.settled:
            return False
        first.leave()
        return True

    def came(self, guest: Guest) -> None:
        """A connection was made."""
        self._guests.add(guest)

    def went(self, guest: Guest) -> None:
        """A connection was closed."""
        self._guests.discard(guest)
        self._left()

    def _left(self) -> None:
        self._inside -= 1
        if self._inside < self._places:
            self._is_stuck = False
        self.look()

    def look(self) -> None:
        """Somebody may have settled, or gone."""
        self._changed.set()

    def sending_off(self, app: ASGIApp) -> ASGIApp:
        """The app; but where more than half of the places are taken, connections end with their answers.

        So newcomers find a place for which nobody has to go: one that goes may be sending its next request just then.
        """

        async def sent_off(scope: Scope, receive: Receive, send: Send) -> None:
            async def send_and_close(message: Message) -> None:
                if message["type"] == "http.response.start" and 2 * self._inside > self._places:
                    message["headers"] = [*message.get("headers", ()), CLOSE]
                await send(message)

            await app(scope, receive, send_and_close if scope["type"] == "http" else send)

        return sent_off

    def _warn(self, problem: OSError) -> None:
        """Say rarely that no connection can be accepted: a lack of file descriptors would fill the log."""
        now = asyncio.get_running_loop().time()
        if now - self._warned > BETWEEN_WARNINGS:
            self._warned = now
            log.warning("no connection can be accepted now: %s; raise the limit with ulimit -n", problem)


async def come_again(_: Scope, __: Receive, send: Send) -> None:
    """The app of clients for whom there is no place."""
    about = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(FULL))]
    again = b"%d" % COME_AGAIN
    headers = [*about, (b"retry-after", again), (b"refresh", again), CLOSE]  # browsers heed only the latter, of a page
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": FULL})
