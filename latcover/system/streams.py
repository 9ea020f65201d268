"""Streams: what a child writes while it works, what it reads as a file, and the address of a server."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from typing import IO, Any

POSIX = os.name == "posix"
STDIN = "/dev/stdin"


class SocketChannel:
    """What a child writes to its standard output, which it may open for reading too (so that no pipe will do).

    This is a pair of sockets: this process has each byte as soon as it is written, and no file grows.

    Attributes:
        theirs: The output of the child, as `subprocess.Popen` takes it.
    """

    def __init__(self) -> None:
        self._ours, self.theirs = socket.socketpair()

    def begin(self, process: Popen[Any]) -> None:
        """The child has started."""
        self.theirs.close()  # only the child's copy is left, so ours ends when the child ends

    def receive(self, most: int, seconds: float) -> bytes | None:
        """Up to *most* bytes; none when the child has ended; None if none came within *seconds*."""
        self._ours.settimeout(seconds)
        try:
            return self._ours.recv(most)
        except TimeoutError:
            return None
        except ConnectionResetError:
            return b""

    def __enter__(self) -> SocketChannel:
        return self

    def __exit__(self, *_: object) -> None:
        self._ours.close()
        self.theirs.close()


class FileChannel:
    """The same as a temporary file, where a socket is no file (Windows): it is read when the child has ended.

    Both processes have the same place in the file, so it cannot be read before.
    """

    def __init__(self) -> None:
        self.theirs: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__
        self._process: Popen[Any] | None = None

    def begin(self, process: Popen[Any]) -> None:
        self._process = process

    def receive(self, most: int, seconds: float) -> bytes | None:
        if self._process is not None:
            try:
                self._process.wait(seconds)
            except TimeoutExpired:
                return None
            self._process = None
            self.theirs.seek(0)
        return self.theirs.read(most)

    def __enter__(self) -> FileChannel:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # of a full disk
            self.theirs.close()


Channel = SocketChannel | FileChannel


def channel() -> Channel:
    """The best channel that this system has."""
    return SocketChannel() if POSIX else FileChannel()


@contextmanager
def handed_over(pieces: Iterable[bytes]) -> Iterator[tuple[str, IO[bytes] | None]]:
    """A file for a child's command line: its name there, and what the child's standard input is to be; None is nothing.

    On POSIX the file has no name, so nothing is left of it, however this process ends.
    """
    if POSIX:
        with tempfile.TemporaryFile() as file:
            file.writelines(pieces)
            yield STDIN, file
        return
    with tempfile.TemporaryDirectory(prefix="latcover-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "handed-over"
        with path.open("wb") as file:
            file.writelines(pieces)
        yield str(path), None


def own_address(listening: socket.socket) -> None:
    """Let a server have an address that another has just left, and nobody share it. To be called before it is bound."""
    exclusive = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)  # Windows, where the other one would let servers share it
    listening.setsockopt(socket.SOL_SOCKET, exclusive or socket.SO_REUSEADDR, 1)
