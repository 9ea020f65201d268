"""Certificates of counts: what other programs need in order to count again, without a search.

docs/reference/count-certificates.md defines the form. A certificate is written while a native walk counts, and is kept
only if both its numbers are those of the ordinary count, which is another method. It covers the full problem; with
symmetries it holds one tree for each orbit of a part's placements, and sections for Burnside's lemma.
"""

from __future__ import annotations

import gzip
import hashlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
from msgspec import Struct

from latcover.backends import _native
from latcover.core.cover.counter import Budget
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Limits, Progress
from latcover.core.cover.searchable import Searchable
from latcover.core.encoding.conjugates import conjugate_classes, generators
from latcover.core.model.puzzle import Bounds
from latcover.core.solving.count import CountRequest, count_prepared
from latcover.core.solving.search_request import Subject
from latcover.errors import InternalError, PuzzleError, UnsupportedError, counted
from latcover.files.formats.cover_problems.exported import exported
from latcover.files.formats.cover_problems.json_form import write as write_json
from latcover.lab.asking.certificate_sections import SectionProblem, digest_of, single_options
from latcover.lab.asking.certificate_symmetries import (
    MOST_NUMBERS,
    Images,
    images_of,
    moves_all,
    orbits_of,
    pivot_of,
    words_of,
)
from latcover.system.files import file_beside, unfinished

FIRST_STATES, MORE_STATES = 1 << 14, 4  # of a section, before another way has its turn; then so many times as many
MOST_IN_MEMORY = 1 << 22  # states of a tree that is written while another way may still be shorter
REMEMBERED = 5_000_000  # states, which a checker has to keep in memory
BITS_OF_A_STATE = 6.5  # of a tree in a file, about
COMPRESSION = 4
DIGITS_SHOWN = 16
WORTH_TELLING = 1_000_000  # bytes; a smaller certificate is written at once
FIRST_TOLD = 16_000_000  # bytes: when this much is written, and twice as much, and so on, the user is told


class Certificate(Struct, frozen=True):
    """A certificate that was written, and agrees with the ordinary count.

    Attributes:
        certificate, problem: The two files.
        covers: The number of covers.
        different: The number of essentially different covers; None if the certificate does not say.
        sections, states: How many sections it has, and how many states a checker meets.
        size: The size of the certificate, in bytes.
        digest: Its checksum: SHA-256 of its text without the last line, which says the same. It depends neither on the
            compression nor on the day.
    """

    certificate: Path
    problem: Path
    covers: int
    different: int | None
    sections: int
    states: int
    size: int
    digest: str
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """The certificate as data; the keys are a promise to scripts."""
        return {
            "file": str(self.certificate),
            "problem": str(self.problem),
            "covers": self.covers,
            "different": self.different,
            "sections": self.sections,
            "states": self.states,
            "bytes": self.size,
            "sha256": self.digest,
            "seconds": round(self.seconds, 6),
        }

    def as_text(self) -> str:
        """The same in words."""
        said = "" if self.different is not None else ", of the number of all solutions only"
        return (
            f"{self.certificate}: a certificate of {in_words(self.size)}{said}; a checker meets "
            f"{counted(self.states, 'state')}; digest {short_digest(self.digest)}\n"
            f"{self.problem}: the problem that it is about"
        )


def problem_beside(path: Path) -> Path:
    """The file for the exported problem, if the certificate goes to *path*.

    Raises:
        PuzzleError: one of the two files cannot be written there.
    """
    return file_beside(path, ".json", "certificate", "the problem", "soma.count")


def require_certifiable(subject: Searchable[Any], limits: Limits = Limits()) -> None:
    """Refuse what no certificate can say.

    Raises:
        UnsupportedError: rules judge finished covers, or the search is to be cut short.
    """
    if subject.veto is not None or subject.must_list:
        raise UnsupportedError(
            f"{subject.name} has rules on parts that its cover problem does not express, so its number of solutions "
            "has no certificate"
        )
    if limits.covers is not None or limits.branches is not None:
        raise UnsupportedError("a certificate is about all solutions; leave --limit and --max-branches out")


def certify(
    subject: Subject,
    path: Path | str,
    request: CountRequest = CountRequest(),
    events: Events = SILENT,
    *,
    bounds: Bounds | None = None,
) -> Certificate | Stop:
    """Count the solutions of *subject*, and write a certificate; the arguments are those of `latcover.count`.

    *path* is the file of the certificate. The problem is written beside it, with the suffix ``.json``.

    Returns:
        The certificate, or why the work was cut short; then no file is written.

    Raises:
        PuzzleError: a file cannot be written.
        UnsupportedError: the number of solutions has no certificate.
    """
    begun = time.perf_counter()
    problem_beside(Path(path))
    ready = request.ready(subject, events, bounds, fits=False)
    require_certifiable(ready, request.limits)
    found = count_prepared(
        ready, request.solver(), request.limits, events.on_progress, method=request.method, budget=request.budget
    )
    left = None if request.seconds is None else max(0.0, request.seconds - (time.perf_counter() - begun))
    return certify_count(ready, Path(path), found, events, seconds=left, budget=request.budget)


def certify_count(
    subject: Searchable[Any],
    path: Path,
    found: SearchResult,
    events: Events = SILENT,
    *,
    seconds: float | None = None,
    budget: Budget = Budget(),
) -> Certificate | Stop:
    """Write a certificate of a count to *path*, and the problem beside it, with the suffix ``.json``.

    Args:
        subject: A prepared puzzle, or a bare problem.
        path: The file of the certificate.
        found: The complete result of an ordinary count or search of *subject*. The certificate must agree with it.
        events: Receives the estimated size as a stage, and the progress.
        seconds: The time limit. If it is met, nothing is written.
        budget: The memory for the layers of a sweep.

    Returns:
        The certificate, or why it was cut short.

    Raises:
        PuzzleError: a file cannot be written.
        UnsupportedError: the problem has no certificate, or one that needs more memory.
        InternalError: the certificate counts another number.
    """
    problem_path = problem_beside(path)
    require_certifiable(subject)
    if not found.complete:
        return found.stop
    begun = time.perf_counter()
    full = subject.in_full()
    writing = _Writing(full.problem, images_of(subject, full), found, events, seconds, budget, subject.sweeps())
    if (expected := writing.expected_size()) >= WORTH_TELLING:
        events.on_stage(f"writing a certificate of about {in_words(expected)}", subject)
    with unfinished(problem_path) as problem_made, unfinished(path) as made:
        _write_pieces(problem_made.file, problem_path, write_json(exported(full)))
        try:
            stop = writing.write(made.file)
        except OSError as problem:
            raise PuzzleError(f"cannot write {path}: {problem.strerror or problem}") from None
        if stop is not None:
            return stop
        made.file.flush()
        size = made.file.tell()
        try:
            path.unlink(missing_ok=True)  # never an old certificate beside a new problem
        except OSError as problem:
            raise PuzzleError(f"cannot replace {path}: {problem.strerror or problem}") from None
        problem_made.keep()
        made.keep()
    return Certificate(
        path,
        problem_path,
        writing.covers,
        writing.different,
        writing.sections,
        writing.states,
        size,
        writing.digest,
        time.perf_counter() - begun,
    )


def _write_pieces(file: IO[bytes], path: Path, pieces: Iterator[bytes]) -> None:
    try:
        for piece in pieces:
            file.write(piece)
        file.flush()
    except OSError as problem:
        raise PuzzleError(f"cannot write {path}: {problem.strerror or problem}") from None


def short_digest(digest: str) -> str:
    """The digits of a digest that people compare."""
    return digest[:DIGITS_SHOWN]


def in_words(size: float) -> str:
    """A size in bytes, roughly."""
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


class _Cut(Exception):  # noqa: N818 - it is no error
    """The work is to stop."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop)
        self.stop = stop


class _Writing:
    """One certificate being written."""

    def __init__(
        self,
        problem: CoverProblem,
        images: Images,
        found: SearchResult,
        events: Events,
        seconds: float | None,
        budget: Budget,
        sweeps: Ints,
    ) -> None:
        self._problem, self._images, self._counted, self._events = problem, images, found, events
        self._seconds, self._budget, self._sweeps = seconds, budget, sweeps
        self._start = time.perf_counter()
        self._begin, self._width = 0.0, 1.0  # of the present section, in the whole
        self._sum, self._next_told = hashlib.sha256(), FIRST_TOLD
        self._generators = generators(images)
        self._pivot = pivot_of(problem, images) if found.method in ("enumeration", "argument", "") else None
        self.covers, self.sections, self.states = 0, 0, 0
        self.different: int | None = None
        self.digest = ""

    def expected_size(self) -> float:
        """About how many bytes it will take: a tree has as many states as the search had branches."""
        lines = sum(len(str(row.tolist())) for row in self._images[self._generators]) / 2
        branches = self._counted.branches if self._counted.method == "enumeration" else 0
        return 500 + lines + (branches or 0) * BITS_OF_A_STATE / 8

    def write(self, file: IO[bytes]) -> Stop | None:
        """Write it all, compressed; a reason to stop if it is cut short."""
        self._raw = file
        with gzip.GzipFile("", "wb", COMPRESSION, file, mtime=0) as self._file:
            return self._sections()

    def _sections(self) -> Stop | None:
        try:
            self._head()
            self._all()
            if len(self._images) * self._problem.n_options <= MOST_NUMBERS and self._says_different():
                self._fixed()
            self._end()
        except _Cut as cut:
            return cut.stop
        return None

    def _says_different(self) -> bool:
        """Whether the symmetries of the count are all here, or there are none."""
        return self._counted.symmetry == "none" or len(self._images) > 1 or self._counted.different == self.covers

    def _line(self, text: str) -> None:
        self._text((text + "\n").encode())

    def _text(self, text: bytes) -> None:
        self._sum.update(text)
        self._file.write(text)
        if (size := self._raw.tell()) >= self._next_told:
            self._next_told *= 2
            expected = in_words(self.expected_size())
            self._events.on_stage(f"{in_words(size)} of about {expected} of the certificate are written")

    def _head(self) -> None:
        self._line("latcover count certificate 1")
        self._line(f"problem {digest_of(self._problem)}")
        if len(self._generators):
            self._line(f"generators {len(self._generators)}")
            for row in self._images[self._generators]:
                self._text(_as_line(row))

    def _all(self) -> None:
        """The sections that count all covers."""
        if self._pivot is None:
            self.covers = self._section("all", SectionProblem(self._problem, single_options(self._problem)), 0.0, 0.9)
            return
        item, held = self._pivot
        self._line(f"pivot {item}")
        part = SectionProblem(self._problem, single_options(self._problem))
        images = self._images[:, held]
        first, sizes = np.unique(images.min(axis=0), return_counts=True)
        for k, option in enumerate(first.tolist()):
            if part.fits(option):
                step = 0.9 / len(first)
                self.covers += int(sizes[k]) * self._section(f"with {option}", part, k * step, step, chosen=option)

    def _fixed(self) -> None:
        """The sections of the covers that symmetries fix, one for each class of conjugates where there may be any."""
        total = self.covers
        words = words_of(self._images, self._generators)
        every = conjugate_classes(self._images)[1:]
        for k, members in enumerate(every):
            element = members[0]
            if not moves_all(self._problem, self._images[element]):
                part = SectionProblem(self._problem, orbits_of(self._images[element]))
                word = " ".join(map(str, words[element]))
                step = 0.1 / len(every)
                total += len(members) * self._section(f"fixed {word}", part, 0.9 + k * step, step)
        self.different, rest = divmod(total, len(self._images))
        self._check(rest == 0, f"{total} is no multiple of {len(self._images)}")

    def _end(self) -> None:
        self._check(self.covers == self._counted.total, f"{self.covers} covers, and the count {self._counted.total}")
        self._line(f"covers {self.covers}")
        if self.different is not None:
            both = f"{self.different} different covers, and the count {self._counted.different}"
            self._check(self.different == self._counted.different, both)
            self._line(f"different {self.different}")
            self._line(f"symmetries {len(self._images)}")
        self.digest = self._sum.hexdigest()
        self._text(f"sha256 {self.digest}\n".encode())

    @staticmethod
    def _check(holds: bool, what: str) -> None:
        if not holds:
            raise InternalError(f"a certificate disagrees with the count: {what}; no file was written")

    # ---- one section

    def _section(self, purpose: str, part: SectionProblem, begin: float, width: float, *, chosen: int = -1) -> int:
        """Write a section in the way that takes few states; returns its number."""
        self._begin, self._width = begin, width
        self.sections += 1
        if chosen >= 0:
            return self._tree(purpose, part, chosen)
        lists = self._counted.method in ("enumeration", "argument", "")
        orders: list[Ints] | None = None
        states = FIRST_STATES
        while (orders is None or orders) and not (lists and states > MOST_IN_MEMORY):
            pieces: list[bytes] = []
            if lists:
                found = self._walk(part, states, pieces.append)
                if found.stop is Stop.EXHAUSTED:
                    return self._written(f"tree {purpose}", b"".join(pieces), found)
            for order in (orders := part.orders(self._sweeps) if orders is None else orders):
                found_sweep = self._sweep(part, order, states)
                if found_sweep is None:
                    orders = [other for other in orders if other is not order]
                elif found_sweep.stop is Stop.EXHAUSTED:
                    return self._written(f"sweep {purpose}", _as_line(order), found_sweep)
            states *= MORE_STATES
        return self._tree(purpose, part, chosen, remembered=0 if lists else REMEMBERED)

    def _written(self, begins: str, text: bytes, found: _native.SectionCount) -> int:
        self._line(begins)
        self._text(text)
        return self._ended(found)

    def _ended(self, found: _native.SectionCount) -> int:
        assert found.covers is not None
        self._line(f"end {found.covers} {found.states}")
        self.states += found.states
        return found.covers

    def _tree(self, purpose: str, part: SectionProblem, chosen: int, remembered: int = 0) -> int:
        """A tree that goes to the file while it is walked."""
        self._line(f"tree {purpose}")
        return self._ended(self._walk(part, None, self._text, chosen, remembered))

    def _walk(
        self,
        part: SectionProblem,
        most_states: int | None,
        take: Callable[[bytes], Any],
        chosen: int = -1,
        remembered: int = 0,
    ) -> _native.SectionCount:
        found = part.native.tree(
            chosen=chosen,
            splits=remembered > 0,
            most_remembered=remembered,
            most_states=most_states,
            max_seconds=self._left(),
            on_text=take,
            on_progress=self._reports,
        )
        return self._uncut(found)

    def _sweep(self, part: SectionProblem, order: Ints, most_states: int | None) -> _native.SectionCount | None:
        """None if its layers do not fit into the memory."""
        try:
            found = part.native.sweep(
                order,
                chosen=-1,
                limbs=self._counted.total.bit_length() // 64 + 1,
                most_bytes=self._budget.most_bytes,
                most_states=most_states,
                max_seconds=self._left(),
                on_progress=self._reports,
            )
        except UnsupportedError:
            return None
        return self._uncut(found)

    def _uncut(self, found: _native.SectionCount) -> _native.SectionCount:
        if found.stop in (Stop.TIME_LIMIT, Stop.CANCELLED):
            raise _Cut(found.stop)
        return found

    def _left(self) -> float | None:
        return None if self._seconds is None else max(0.0, self._seconds - (time.perf_counter() - self._start))

    def _reports(self, share: float, _branches: int, _covers: int, _seconds: float) -> bool:
        spent = time.perf_counter() - self._start
        return self._events.on_progress(Progress(self._begin + self._width * share, None, 0, spent))


def _as_line(numbers: Ints) -> bytes:
    return (" ".join(map(str, numbers.tolist())) + "\n").encode()
