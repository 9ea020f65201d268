"""A lock on an open file, which keeps other processes from writing into it."""

from __future__ import annotations

import errno
from contextlib import suppress
from typing import IO

FAR = (1 << 31) - 2  # Windows locks bytes up to here; those behind the end of the file keep nobody from reading
_HELD = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


def lock(file: IO[bytes]) -> bool:
    """Lock a file until it is closed. Returns False if another process has locked it.

    Where the file system has no locks, every process gets one.
    """
    try:
        _lock(file)
    except OSError as problem:
        return problem.errno not in _HELD
    return True


def _lock(file: IO[bytes]) -> None:
    with suppress(ImportError):
        import fcntl

        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    import msvcrt

    place = file.tell()
    file.seek(FAR)
    try:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    finally:
        file.seek(place)
