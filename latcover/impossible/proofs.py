"""Proofs that there is no solution, for checkers that are not ours: clauses in DIMACS form, and a DRAT proof of them.

The clauses are those that `latcover export` writes. A solver in a process of its own reads that very file, and sends
its proof through a socket as it goes; so neither process ever holds a proof, what cannot be written is noticed, and a
limit of time ends the solver whatever it is doing. Both files are written beside their places, and moved there in the
end: a file that is there is whole.

Source of the form: Wetzler, Heule and Hunt, "DRAT-trim: Efficient Checking and Trimming Using Expressive Clausal
Proofs" (SAT 2014).
"""

from __future__ import annotations

import json
import os
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import IO, Any

import numpy as np

from latcover.backends import sat_solvers
from latcover.cover.search import OnProgress, Progress, Stop
from latcover.cover.searchable import Searchable
from latcover.errors import BackendFailedError, PuzzleError, UnsupportedError
from latcover.formats.cover_problems.dimacs import write
from latcover.formats.cover_problems.exported import exported
from latcover.impossible.proof_child import SATISFIABLE, UNSATISFIABLE
from latcover.solving.collector import verified
from latcover.system.child_process import child, require_python

SOLVER = "cadical195"
PIECE = 1 << 16  # bytes, all that is ever held of a proof
PATIENCE = 0.05  # seconds between looks at the clock
_LAST_WORDS = 500  # characters


@dataclass(frozen=True, slots=True)
class Proof:
    """What was written.

    Attributes:
        clauses, proof: The two files.
        lemmas: How many clauses the proof adds, the empty one included.
        size: Of the proof, in bytes.
    """

    clauses: Path
    proof: Path
    lemmas: int
    size: int
    seconds: float


def clauses_beside(path: Path) -> Path:
    """Where the clauses go whose proof goes to *path*.

    Raises:
        PuzzleError: there is no place for both.
    """
    if not path.name:  # "." and "" are folders to whoever writes them
        raise PuzzleError(f"{str(path)!r} names no file; give the proof a name, such as x.drat")
    clauses = path.with_suffix(".cnf")
    if clauses == path:
        raise PuzzleError(f"{path} is where the clauses go; give the proof another suffix, such as .drat")
    if not path.parent.is_dir():
        raise PuzzleError(f"there is no folder {path.parent} to write {path.name} into; make it first")
    for place in (path, clauses):
        if place.exists() and not place.is_file():
            raise PuzzleError(
                f"cannot write {place}: it is no ordinary file, and a proof is moved to its place when whole"
            )
    return clauses


def prove(
    subject: Searchable[Any],
    path: Path,
    seconds: float | None = None,
    on_progress: OnProgress | None = None,
) -> Proof | Stop:
    """Write a proof that *subject* has no cover to *path*, and the clauses beside it, with the suffix ``.cnf``.

    Args:
        subject: A puzzle made ready, in full or reduced by symmetry, or a bare problem.
        path: Of the proof, as text.
        seconds: After which to stop; nothing is written then.
        on_progress: May stop it by returning False.

    Returns:
        What was written, or why it was stopped.

    Raises:
        PuzzleError: a file cannot be written.
        UnsupportedError: there is a solution.
        BackendFailedError: the solver broke down.
        BackendUnavailableError: there is no such solver, or no process can be started.
    """
    clauses = clauses_beside(path)
    sat_solvers.require(SOLVER)
    require_python("a proof is written by a process of its own")
    clock = _Clock(seconds, on_progress)
    with _unfinished(clauses) as (clauses_part, clauses_file), _unfinished(path) as (proof_part, proof_file):
        for piece in write(exported(subject)):
            _write(clauses_file, piece, clauses)
            if clock.stop() is not None:
                break
        _close(clauses_file, clauses)
        stream = _Stream(proof_file, path)
        stop = clock.stop() or _solve(subject, clauses_part, stream, clock)
        _close(proof_file, path)
        if stop is not None:
            return stop
        try:
            path.unlink(missing_ok=True)  # never an old proof beside new clauses
            clauses_part.replace(clauses)
            proof_part.replace(path)
        except OSError as problem:
            raise PuzzleError(f"cannot write {path}: {problem.strerror}") from None
    return Proof(clauses, path, stream.lemmas, stream.size, clock.seconds())


class _Clock:
    """When to stop, and whom to tell that it goes on."""

    def __init__(self, most: float | None, on_progress: OnProgress | None) -> None:
        self._most, self._on_progress = most, on_progress
        self._start = time.perf_counter()
        self._reported = 0.0
        self._stop: Stop | None = None

    def seconds(self) -> float:
        return time.perf_counter() - self._start

    def stop(self) -> Stop | None:
        """Why to stop, if so; once it is, it is for good."""
        now = self.seconds()
        if self._stop is not None:
            return self._stop
        if self._most is not None and now >= self._most:
            self._stop = Stop.TIME_LIMIT
        elif self._on_progress is not None and now >= self._reported + PATIENCE:
            self._reported = now
            if not self._on_progress(Progress(None, None, 0, now)):
                self._stop = Stop.CANCELLED
        return self._stop


@dataclass(slots=True)
class _Stream:
    """A proof on its way to its file."""

    file: IO[bytes]
    path: Path
    lemmas: int = 0
    size: int = 0
    ends: bool = False  # whether the empty clause has come
    _last: bytes = field(default=b"\n")

    def take(self, piece: bytes) -> None:
        """Write a piece of the proof: a line is a clause, or with a "d" before it one that is dropped."""
        _write(self.file, piece, self.path)
        self.size += len(piece)
        self.lemmas += piece.count(b"\n") - piece.count(b"d")
        self.ends |= b"\n0\n" in self._last + piece
        self._last = (self._last + piece)[-2:]


@contextmanager
def _unfinished(path: Path) -> Iterator[tuple[Path, IO[bytes]]]:
    """A file to write to in place of *path*; what has not been moved away is gone in the end."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        file = part.open("wb")
    except OSError as problem:
        raise PuzzleError(f"cannot write {path}: {problem.strerror}") from None
    try:
        yield part, file
    finally:
        with suppress(OSError):  # what could not be written has been told
            file.close()
        part.unlink(missing_ok=True)


def _write(file: IO[bytes], piece: bytes, path: Path) -> None:
    try:
        file.write(piece)
    except OSError as problem:
        raise PuzzleError(f"cannot write {path}: {problem.strerror}") from None


def _close(file: IO[bytes], path: Path) -> None:
    try:
        file.close()
    except OSError as problem:
        raise PuzzleError(f"cannot write {path}: {problem.strerror}") from None


def _solve(subject: Searchable[Any], clauses: Path, stream: _Stream, clock: _Clock) -> Stop | None:
    """Let the child prove that the clauses contradict each other; None when it has."""
    ours, theirs = socket.socketpair()  # as a file that is read and written: the solver opens it for both
    with ours, theirs, tempfile.TemporaryFile() as words, _started(clauses, theirs, words) as process:
        theirs.close()  # the child's is now the only one, and `ours` comes to an end when the child does
        stop = _receive(ours, stream, clock)
        if stop is not None:
            return stop
        code = process.wait()
        words.seek(0)
        said = words.read().decode(errors="replace").strip()
    if code == SATISFIABLE:
        raise _has_solutions(subject, json.loads(said.splitlines()[-1]))
    if code != UNSATISFIABLE or not stream.ends:
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        last = f"; its last words: {said[-_LAST_WORDS:]}" if said else ""
        raise BackendFailedError(
            f"the process of SAT solver {SOLVER!r} {how} before its proof was complete{last}; "
            "it may have run out of memory: limit the time, or let --symmetry make the problem smaller"
        )
    return None


def _started(clauses: Path, theirs: socket.socket, words: IO[bytes]) -> AbstractContextManager[Popen[bytes]]:
    """The child, which writes its proof to a socket, and its last words to a file."""
    streams = {"stdin": DEVNULL, "stdout": theirs, "stderr": words}
    return child("latcover.impossible.proof_child", [str(clauses)], shielded=True, streams=streams)


def _receive(ours: socket.socket, stream: _Stream, clock: _Clock) -> Stop | None:
    """Take the proof until the child has no more to say."""
    ours.settimeout(PATIENCE)
    while True:
        stop = clock.stop()
        if stop is not None:
            return stop
        try:
            piece = ours.recv(PIECE)
        except TimeoutError:
            continue
        except ConnectionResetError:
            return None
        if not piece:
            return None
        stream.take(piece)


def _has_solutions(subject: Searchable[Any], true: list[int]) -> UnsupportedError:
    """What is to be said of the solution that the solver met; one that is none is a defect of ours."""
    members = np.array([variable - 1 for variable in true if variable <= subject.n_members], dtype=np.int32)
    verified(subject)(members, 1, 1, 1)
    return UnsupportedError(
        f"{subject.name} has solutions, so there is no proof that it has none, and no file was written; "
        "leave --proof out to see them"
    )
