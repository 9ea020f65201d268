"""Files that are read: regular ones alone, and no more of them than their reader allows.

A pipe without a writer keeps its reader waiting, and a device such as /dev/zero never ends. So every file that a user
names is opened here. Errors are those of the system: an OSError whose `strerror` says what is wrong, as in "cannot be
read: it is a folder".
"""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

AT_ONCE = getattr(os, "O_NONBLOCK", 0)  # so that opening a pipe does not wait for its other end
LEAST_ROOM = 1 << 16  # bytes; some files of the system do not tell their size


class NotRegularError(OSError):
    """A pipe, a device or a socket, where a file is to be read."""


class TooLongError(OSError):
    """A file that is larger than its reader allows."""


def require_regular(path: Path) -> None:
    """Refuse what is there and is not a regular file; links are followed.

    Raises:
        OSError: it is none, or there is nothing.
    """
    _require_regular(path.stat().st_mode)


def opened(path: Path) -> BufferedReader:
    """A regular file, opened for reading.

    Raises:
        OSError: it is none, or cannot be read.
    """
    require_regular(path)  # before it is opened, since opening a device may set it going
    file = open(path, "rb", opener=lambda name, flags: os.open(name, flags | AT_ONCE))  # noqa: SIM115 - handed on
    try:
        _require_regular(os.fstat(file.fileno()).st_mode)  # it may have been replaced meanwhile
    except OSError:
        file.close()
        raise
    return file


def content_of(path: Path, most: int) -> bytes:
    """The bytes of a regular file.

    Raises:
        TooLongError: it has more than *most* bytes.
        OSError: it is not a regular file, or cannot be read.
    """
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size  # because Python allocates as much as it is asked to read
        content = file.read(min(max(size, LEAST_ROOM), most) + 1)
    if len(content) > most:
        raise TooLongError(errno.EFBIG, f"it is larger than {most:,} bytes")
    return content


def holds(path: Path, content: bytes) -> bool:
    """Whether *path* is a regular file with exactly this content."""
    try:
        return path.stat().st_size == len(content) and content_of(path, len(content)) == content
    except OSError:
        return False


def _require_regular(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(mode):
        raise NotRegularError(errno.EINVAL, "it is not a regular file")
