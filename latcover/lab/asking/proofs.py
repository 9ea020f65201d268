"""Proofs that there is no solution, or none but those listed, for independent checkers: clauses, and their DRAT proof.

The clauses are those of `latcover export`. A solver in a separate process reads the same file, and sends its proof
through a channel while it works. So neither process holds a whole proof, write errors are noticed, and a time limit can
end the solver at any moment. Both files are renamed when they are complete, so no partial file ever appears.

Source of the form: Wetzler, Heule and Hunt, "DRAT-trim: Efficient Checking and Trimming Using Expressive Clausal
Proofs" (SAT 2014).
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import IO, Any, TypeVar

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field
from msgspec.structs import replace

from latcover.backends import sat_solvers
from latcover.core.cover.clauses import Clause
from latcover.core.cover.problem import CoverProblem, Longs
from latcover.core.cover.result import Stop
from latcover.core.cover.search import Batch, Limits, OnProgress, Progress, SearchTask
from latcover.core.cover.searchable import Searchable
from latcover.core.cover.solver_registry import DEFAULT, create
from latcover.core.solving.collector import Verified
from latcover.errors import BackendFailedError, InternalError, PuzzleError, UnsupportedError
from latcover.files.formats.cover_problems.dimacs import write
from latcover.files.formats.cover_problems.exported import exported
from latcover.lab.asking.proof_child import SATISFIABLE, UNSATISFIABLE
from latcover.system.child_process import child, require_python
from latcover.system.files import file_beside, unfinished
from latcover.system.streams import Channel, channel

T = TypeVar("T")

SOLVER = "cadical195"
MOST_LISTED = 100_000  # solutions
PIECE = 1 << 16  # bytes; no more of a proof is held at once
PATIENCE = 0.05  # seconds between two checks of the time limit
_LAST_OUTPUT = 500  # characters


class Proof(Struct, frozen=True):
    """A proof that was written.

    Attributes:
        clauses, proof: The two files.
        lemmas: How many clauses the proof adds, the empty clause included.
        size: The size of the proof, in bytes.
        listed: How many covers were found first, each of which a clause forbids; 0 if there is none.
    """

    clauses: Path
    proof: Path
    lemmas: int
    size: int
    seconds: float
    listed: int = 0


def clauses_beside(path: Path) -> Path:
    """The file for the clauses, if the proof goes to *path*.

    Raises:
        PuzzleError: one of the two files cannot be written there.
    """
    return file_beside(path, ".cnf", "proof", "the clauses", "x.drat")


def prove(
    subject: Searchable[Any],
    path: Path,
    seconds: float | None = None,
    on_progress: OnProgress | None = None,
) -> Proof | Stop:
    """Write a proof that *subject* has no cover to *path*, and the clauses beside it, with the suffix ``.cnf``.

    If it has covers, all of them are searched for and verified. The clauses then forbid each of them too, and the proof
    shows that there is no other.

    Args:
        subject: A prepared puzzle, in full or reduced by symmetry, or a bare problem.
        path: The file for the proof, which is text.
        seconds: The time limit; if it is met, nothing is written.
        on_progress: May stop the proof by returning False.

    Returns:
        The proof, or the reason for which it was stopped.

    Raises:
        PuzzleError: a file cannot be written.
        UnsupportedError: there are too many solutions, or rules that no clause expresses.
        BackendFailedError: the solver broke down.
        BackendUnavailableError: the solver is not installed, or no process can be started.
    """
    clock = ProofClock(seconds, on_progress)
    written = exported(subject)
    try:
        return refute(write(written), path, lambda true: _has_solutions(subject, true), clock)
    except _SatisfiedError:
        pass

    found = _forbidding(subject, written.variables, Limits(seconds=clock.left()), on_progress)
    if isinstance(found, Stop):
        return found
    remark = f"the last clauses, {len(found):,} of them, forbid one listed solution each"
    written = replace(written, remarks=(*written.remarks, remark))
    proof = refute(write(written, more=found), path, lambda true: _is_missing(subject, true), clock)
    return replace(proof, listed=len(found)) if isinstance(proof, Proof) else proof


def refute(
    text: Iterable[bytes],
    path: Path,
    satisfied: Callable[[list[int]], Exception],
    clock: ProofClock,
) -> Proof | Stop:
    """Write the clauses of *text*, in DIMACS form with one clause in each line, and a proof that they contradict.

    Args:
        text: Pieces of the file.
        path: See `prove`, also for the files and the errors.
        satisfied: Gives the error to raise if the clauses can be satisfied, from the variables that are true.
        clock: Ends it, and tells how long the proof took, with what came before.
    """
    clauses = clauses_beside(path)
    sat_solvers.require(SOLVER)
    require_python("a proof is written by a process of its own")
    with unfinished(clauses) as clauses_made, unfinished(path) as proof_made:
        for piece in text:
            with _writing(clauses):
                clauses_made.file.write(piece)
            if clock.stop() is not None:
                break
        with _writing(clauses):
            clauses_made.file.flush()
        stream = _Stream(proof_made.file, path)
        stop = clock.stop() or _solve(clauses_made.readable, stream, clock, satisfied)
        with _writing(path):
            proof_made.file.flush()
        if stop is not None:
            return stop
        with suppress(OSError):
            path.unlink(missing_ok=True)  # never an old proof beside new clauses
        clauses_made.keep()
        proof_made.keep()
    return Proof(clauses, path, stream.lemmas, stream.size, clock.seconds())


def refute_checked(
    text: Iterable[bytes],
    faults_of: Callable[[Iterable[str]], list[str]],
    path: Path,
    satisfied: Callable[[list[int]], Exception],
    clock: ProofClock,
) -> Proof | Stop:
    """As `refute`, after an independent checker has found no fault in the lines of *text*.

    Raises:
        InternalError: it has found one.
    """
    pieces = list(clock.during(text))
    faults = faults_of(clock.during(b"".join(pieces).decode().splitlines()))
    if (stop := clock.stop()) is not None:
        return stop
    if faults:
        raise InternalError(f"the clauses of a refutation are wrong: {faults[0]}")
    return refute(pieces, path, satisfied, clock)


class ProofClock:
    """Checks the time limit and reports progress."""

    def __init__(self, most: float | None, on_progress: OnProgress | None) -> None:
        self._most, self._on_progress = most, on_progress
        self._start = time.perf_counter()
        self._reported = 0.0
        self._stop: Stop | None = None

    def seconds(self) -> float:
        return time.perf_counter() - self._start

    def left(self) -> float | None:
        """The seconds that are left; None without a limit."""
        return None if self._most is None else max(0.0, self._most - self.seconds())

    def goes_on(self) -> bool:
        """Whether there is no reason to stop."""
        return self.stop() is None

    def during(self, things: Iterable[T]) -> Iterator[T]:
        """These, as long as there is no reason to stop."""
        return takewhile(lambda _: self.goes_on(), things)

    def stop(self) -> Stop | None:
        """Why to stop; None to continue. A reason once given stays."""
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


class _Stream(Struct):
    """A proof on its way to its file."""

    file: IO[bytes]
    path: Path
    lemmas: int = 0
    size: int = 0
    ends: bool = False  # whether it holds the empty clause
    _last: bytes = field(default=b"\n")

    def take(self, piece: bytes) -> None:
        """Write a piece of the proof. A line adds a clause; a line that begins with "d" drops one."""
        piece = piece.replace(b"\r", b"")  # as solvers of Windows end lines
        with _writing(self.path):
            self.file.write(piece)
        self.size += len(piece)
        self.lemmas += piece.count(b"\n") - piece.count(b"d")
        self.ends |= b"\n0\n" in self._last + piece
        self._last = (self._last + piece)[-2:]


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise PuzzleError(f"cannot write {path}: {problem.strerror}") from None


def _solve(
    clauses: Path, stream: _Stream, clock: ProofClock, satisfied: Callable[[list[int]], Exception]
) -> Stop | None:
    """Let the child prove that the clauses contradict each other; None if it did."""
    with (
        channel() as sent,  # no pipe: the solver opens the file for reading and writing
        tempfile.TemporaryFile() as messages,
        _started(clauses, sent, messages) as process,
    ):
        sent.begin(process)
        stop = _receive(sent, stream, clock)
        if stop is not None:
            return stop
        code = process.wait()
        messages.seek(0)
        output = messages.read().decode(errors="replace").strip()
    if code == SATISFIABLE:
        raise satisfied(json.loads(output.splitlines()[-1]))
    if code != UNSATISFIABLE or not stream.ends:
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        last = f"; its last output: {output[-_LAST_OUTPUT:]}" if output else ""
        raise BackendFailedError(
            f"the process of SAT solver {SOLVER!r} {how} before its proof was complete{last}; "
            "it may have run out of memory: limit the time, or let --symmetry make the problem smaller"
        )
    return None


def _started(clauses: Path, sent: Channel, messages: IO[bytes]) -> AbstractContextManager[Popen[bytes]]:
    """The child, which writes its proof to a channel, and its messages to a file."""
    streams = {"stdin": DEVNULL, "stdout": sent.theirs, "stderr": messages}
    return child("latcover.lab.asking.proof_child", [str(clauses)], shielded=True, streams=streams)


def _receive(sent: Channel, stream: _Stream, clock: ProofClock) -> Stop | None:
    """Take the proof until the child has sent all of it."""
    while True:
        stop = clock.stop()
        if stop is not None:
            return stop
        piece = sent.receive(PIECE, PATIENCE)
        if piece == b"":
            return None
        stream.take(piece or b"")


class _SatisfiedError(Exception):
    """There is a solution."""


def _has_solutions(subject: Searchable[Any], true: list[int]) -> Exception:
    """That *subject* has solutions, after a check of the one that the solver found.

    Raises:
        UnsupportedError: its rules are about finished covers.
    """
    if subject.veto is not None or subject.must_list:
        raise UnsupportedError(
            f"{subject.name} has rules on parts that no clause expresses, so no proof says which solutions it has; "
            "leave --proof out"
        )
    members = np.array([variable - 1 for variable in true if variable <= subject.n_members], dtype=np.int32)
    Verified(subject)(members, 1, 1, 1)
    return _SatisfiedError()


def _is_missing(subject: Searchable[Any], true: list[int]) -> Exception:
    """The error that the list lacks a solution."""
    _has_solutions(subject, true)
    return InternalError(f"the search for the solutions of {subject.name} has missed one; no file was written")


def _forbidding(
    subject: Searchable[Any], variables: Longs, limits: Limits, on_progress: OnProgress | None
) -> list[Clause] | Stop:
    """Search for all covers; returns for each a clause that it breaks, and no other cover.

    The clause says: leave one of its options out, or choose one more that still fits. Where each option holds an item
    that is covered exactly once, none fits.
    """
    problem, verified = subject.problem, Verified(subject)
    clauses: list[Clause] = []
    holders = np.repeat(np.arange(problem.n_options), np.diff(problem.option_starts))
    once = problem.high[problem.option_items] > 0

    def take(batch: Batch) -> bool:
        verified.require(*subject.members(batch))
        held = problem.held(batch.starts, batch.options)
        for cover, counts in zip(batch, held, strict=True):
            full = (counts >= problem.high)[problem.option_items] & ~_shared(problem)
            fits = np.ones(problem.n_options, np.bool_)
            fits[holders[full | ~once]] = False
            fits[cover] = False
            clauses.append([*(-variables[cover]).tolist(), *variables[fits].tolist()])
        return len(clauses) <= MOST_LISTED

    found = create(DEFAULT).search(SearchTask(problem, take, limits, on_progress))
    if len(clauses) > MOST_LISTED:
        raise UnsupportedError(
            f"{subject.name} has more than {MOST_LISTED:,} solutions, too many to list for a proof; a certificate of "
            "their number (--certificate) needs no list"
        )
    return clauses if found.complete else found.stop


def _shared(problem: CoverProblem) -> npt.NDArray[np.bool_]:
    """Which entries of the options hold their item in a colour, so that others may hold it too."""
    return problem.option_colours > 0 if problem.has_colours else np.zeros(len(problem.option_items), np.bool_)
