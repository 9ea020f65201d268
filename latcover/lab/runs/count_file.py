"""Keep a count that lists nothing in a file, so that it can go on from its last states.

The file is written whole, and takes the place of the one before. Its first lines say what is counted, and hold the
numbers of the problems that are done (one for each symmetry, and each independent part). The states of the problem in
progress follow, as native/frontier/frontier_file.hpp writes them. Checksums detect every accident.
"""

from __future__ import annotations

import json
import os
import time
from collections import UserDict
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from latcover.core.cover.keeping import StoredStates
from latcover.core.cover.question import Question, this_version
from latcover.core.cover.result import SearchResult
from latcover.core.cover.search import OnProgress
from latcover.core.cover.searchable import Searchable
from latcover.core.model.puzzle import Bounds
from latcover.core.solving.count import CountRequest, count_prepared
from latcover.errors import DamagedRunError, RunFileError, UnsupportedError, counted, escaped
from latcover.lab.runs.opening import damaged
from latcover.lab.runs.recipe import Recipe, StoredFile
from latcover.lab.runs.run_file import now
from latcover.lab.runs.stored_values import answer, file_name, refusing_damage
from latcover.system.files import unfinished
from latcover.system.reading import opened

MAGIC = b"latcover count 2\n"  # 1 had no question
BETWEEN = 30.0  # seconds
LONGEST_SEAL = 100  # bytes of each of the first two lines
MOST_OF_A_HEAD = 1 << 30  # bytes of the third, which holds the puzzle's file


class _Head(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the first lines say; results are JSON, as their numbers may be of any size."""

    latcover: str
    created: str
    puzzle: str
    file: StoredFile
    request: CountRequest
    bounds: Bounds
    question: Question
    seconds: float = 0.0
    counted: dict[str, str] = {}
    answer: str = ""
    key: str = ""  # of the states that follow; "": none do
    share: float = 0.0


def is_count(path: Path) -> bool:
    """Whether a file is one of a count that lists nothing."""
    try:
        with opened(path) as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


class CountFile:
    """The file of a count; a `latcover.core.cover.keeping.Keeper`."""

    seconds = BETWEEN

    def __init__(self, path: Path) -> None:
        """Read the file of a count that was begun.

        Raises:
            RunFileError: it is damaged.
        """
        self.path = path
        self._began = time.perf_counter()
        try:
            with opened(path) as file:
                magic, seal = (file.readline(LONGEST_SEAL) for _ in range(2))
                seal, text = seal.strip(), file.readline(MOST_OF_A_HEAD).rstrip(b"\n")
                self._start = file.tell()
        except OSError as problem:
            raise RunFileError(f"{path}: cannot be read: {problem.strerror}") from None
        if magic != MAGIC or seal != _seal(text):
            raise self.damaged("what it says of the count was changed")
        self._seed = int(seal[:16], 16)
        try:
            self._head = msgspec.json.decode(text, type=_Head)
        except msgspec.MsgspecError:
            raise self.damaged("it does not say what is counted") from None
        with refusing_damage(path):
            file_name(self._head.file.name)
        self._identity = _identity(path)

    @classmethod
    def begin(cls, path: Path, recipe: Recipe, prepared: Searchable[Any]) -> CountFile:
        """Make the file of a new count.

        Raises:
            PuzzleError: it cannot be written.
        """
        assert isinstance(recipe.request, CountRequest)
        made = cls.__new__(cls)
        made.path, made._began, made._identity = path, time.perf_counter(), _identity(path)
        made._write(
            _Head(
                latcover=this_version(),
                created=now(),
                puzzle=recipe.puzzle,
                file=recipe.file,
                request=msgspec.structs.replace(recipe.request, seconds=None),
                bounds=recipe.bounds,
                question=recipe.question(prepared),
            )
        )
        return made

    @property
    def recipe(self) -> Recipe:
        """What is counted."""
        head = self._head
        return Recipe(head.request, head.puzzle, head.file, head.bounds)

    @property
    def request(self) -> CountRequest:
        """How it is counted."""
        return self._head.request

    @property
    def question(self) -> Question:
        """What its number depends on."""
        return self._head.question

    def count(
        self, prepared: Searchable[Any], request: CountRequest, threads: int | None, on_progress: OnProgress | None
    ) -> SearchResult:
        """Count, or go on. The method, the memory and the disk are those of *request*, which may differ from before.

        Raises:
            UnsupportedError: the method cannot count this puzzle, or needs more memory; what was counted is kept.
            RunFileError: the file is damaged, or cannot be written.
        """
        if self._head.answer:
            return self._result(self._head.answer)
        before = self._head.seconds
        solver: Any = request.solver()
        if hasattr(solver, "threads"):
            solver = replace(solver, threads=threads)
        budget = replace(request.budget, keeper=self)
        try:
            found = count_prepared(
                prepared,
                solver,
                request.limits,
                on_progress,
                method=request.method,
                budget=budget,
                counted=_Counted(self),
            )
        except UnsupportedError as fault:
            kept = f"; the count so far is saved in {self.path}; the same command resumes it" if self._head.key else ""
            raise UnsupportedError(f"{fault}{kept}") from None
        found = found.with_figures(search_seconds=before + found.figures.search_seconds)
        if found.complete:
            self._write(self._with(answer=_as_text(found), key=""))
        return found

    def kept(self, key: str) -> StoredStates | None:
        self._require_unchanged()
        return StoredStates(self.path, self._start, self._seed) if self._head.key == key else None

    def keep(self, key: str, share: float, append: Callable[[str, int], bool]) -> None:
        self._write(self._with(key=key, share=share), append)

    def damaged(self, why: str) -> DamagedRunError:
        return damaged(self.path, why)

    def counted(self) -> dict[str, SearchResult]:
        """The results of the problems that are done."""
        return {key: self._result(text) for key, text in self._head.counted.items()}

    def add(self, key: str, found: SearchResult) -> None:
        """Keep the result of a problem, in place of states."""
        self._write(self._with(counted={**self._head.counted, key: _as_text(found)}, key="", share=0.0))

    def state(self) -> dict[str, Any]:
        """The output of `latcover runs status --json`."""
        head = self._head
        found = self._result(head.answer) if head.answer else None
        return {
            "file": str(self.path),
            "task": "count",
            "puzzle": head.puzzle,
            "method": head.request.method,
            "latcover": head.latcover,
            "created": head.created,
            "state": "done" if found else "interrupted or at work",
            "problems": len(head.counted),
            "share": 1.0 if found else head.share,
            "different": None if found is None else found.different,
            "total": None if found is None else found.total,
            "seconds": round(head.seconds, 6),
        }

    def _result(self, text: str) -> SearchResult:
        with refusing_damage(self.path):
            return answer(text)

    def _with(self, **changes: Any) -> _Head:
        """The head with changes, and the time until now."""
        since, self._began = self._began, time.perf_counter()
        return msgspec.structs.replace(self._head, seconds=self._head.seconds + self._began - since, **changes)

    def _require_unchanged(self) -> None:
        if _identity(self.path) != self._identity:
            raise RunFileError(
                f"{self.path}: another process counts in this file, or has replaced it; end that one, then try again"
            )

    def _write(self, head: _Head, append: Callable[[str, int], bool] | None = None) -> None:
        self._require_unchanged()
        text = msgspec.json.encode(head)
        seal = _seal(text)
        seed = int(seal[:16], 16)
        with unfinished(self.path) as made:
            made.file.write(b"%b%b\n%b\n" % (MAGIC, seal, text))
            made.file.flush()
            start = made.file.tell()
            if append is not None and not append(str(made.readable), seed):
                raise RunFileError(
                    f"{self.path}: cannot be written: the disk is full, or the file may not grow; make room"
                )
            os.fsync(made.file.fileno())
            made.keep()
        self._head, self._start, self._seed, self._identity = head, start, seed, _identity(self.path)


class _Counted(UserDict[str, SearchResult]):
    """The results of a file; it keeps each that is added."""

    def __init__(self, file: CountFile) -> None:
        super().__init__()
        self.data = file.counted()
        self._file = file

    def __setitem__(self, key: str, found: SearchResult) -> None:
        super().__setitem__(key, found)
        self._file.add(key, found)


def count_state_as_text(state: dict[str, Any]) -> str:
    """The state of a count in a few lines of text."""
    done = f"{counted(state['problems'], 'problem')} counted, {100 * state['share']:.4g} % of the next"
    if state["state"] == "done":
        done = f"{counted(state['different'], 'solution')}, {state['total']:,} in all"
    return "\n".join(
        map(
            escaped,
            [
                f"{state['file']}: to count {state['puzzle']} without a list, begun {state['created']} with latcover "
                f"{state['latcover']}",
                f"{state['state']}; {done}; {state['seconds']:,.1f} s",
            ],
        )
    )


def _as_text(found: SearchResult) -> str:
    return json.dumps(found.as_json())


def _seal(text: bytes) -> bytes:
    return blake2b(text, digest_size=16).hexdigest().encode()


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from another one of the same name; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns
