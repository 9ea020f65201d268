"""The recipe of a run: the puzzle's file and the options. They are enough to build the same cover problem again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from latcover.backends import create
from latcover.cover.named_problem import NamedProblem
from latcover.cover.search import Backend, Batch
from latcover.cover.searchable import Searchable
from latcover.encoding.prepared import Choices, made_ready
from latcover.errors import PuzzleError, PuzzleFileError, RunFileError
from latcover.formats.reading import read
from latcover.formats.source import Finder, Source, among, find, in_folder, names, recording
from latcover.model.puzzle import Bounds, Puzzle
from latcover.runs import values as run_values

Task = Literal["solve", "count"]


@dataclass(frozen=True, slots=True)
class StoredFile:
    """The file that a puzzle or a bare problem came from, as a run keeps it.

    Attributes:
        name: The file's own name, whose suffix tells its form.
        content: Its bytes.
        folder: The folder it was in. Part sets and lattices are looked up there.
    """

    name: str
    content: bytes
    folder: str

    def source(self, beside: Finder | None = None) -> Source:
        """The file to be read again; what it names is looked for in its folder, or by the finder given."""
        return Source(self.content, self.name, beside or in_folder(Path(self.folder)))


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a run searches, and how.

    Attributes:
        task: "solve" keeps every solution, "count" only their number.
        puzzle: The name of the puzzle; a file may hold several.
        file: The file that it comes from.
        choices: How it becomes a cover problem.
        bounds: How much it may ask for.
        backend, options: The backend that searches, and its options; the run sets the number of threads.
    """

    task: Task
    puzzle: str
    file: StoredFile
    choices: Choices = field(default_factory=Choices)
    bounds: Bounds = field(default_factory=Bounds)
    backend: str = "auto"
    options: Mapping[str, object] = field(default_factory=dict)

    def subject(self, beside: Mapping[str, bytes] | None = None) -> Puzzle | NamedProblem:
        """The puzzle, or bare problem, read again.

        Args:
            beside: The lattices and part sets that stand beside it, by the names that it calls them; else they are
                looked for in the folder where it was.

        Raises:
            InputError: it cannot be read, as where a part set beside it is gone.
        """
        problems = read(self.file.source(None if beside is None else among(beside)), self.bounds)
        found = problems.get(self.puzzle)
        if found is None:
            raise PuzzleError(f"{self.file.name} holds no puzzle {self.puzzle!r} any more")
        if isinstance(found, PuzzleFileError):
            raise found
        return found

    def beside(self) -> dict[str, bytes]:
        """The lattices and part sets that the puzzle needs and that are not shipped, by the names that it calls them.

        Raises:
            InputError: it cannot be read.
        """
        contents: dict[str, bytes] = {}
        read(self.file.source(recording(in_folder(Path(self.file.folder)), contents)), self.bounds)
        return contents

    def prepared(self, beside: Mapping[str, bytes] | None = None) -> Searchable[Any]:
        """What is searched, made ready again; *beside* as in `subject`."""
        return made_ready(self.subject(beside), self.choices, self.bounds)

    def solver(self) -> Backend:
        """The backend, on one thread: a run's threads work on jobs of their own."""
        return create(self.backend, **self.options).on_one_thread()

    def as_row(self) -> dict[str, Any]:
        """As columns of a table."""
        try:
            content: str | bytes = self.file.content.decode()
        except UnicodeDecodeError:
            content = self.file.content
        return {
            "task": self.task,
            "puzzle": self.puzzle,
            "source_name": self.file.name,
            "source": content,
            "source_folder": self.file.folder,
            "choices": json.dumps(asdict(self.choices)),
            "bounds": json.dumps(asdict(self.bounds)),
            "backend": self.backend,
            "options": json.dumps(dict(self.options)),
        }

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Recipe:
        """What `as_row` gave.

        Raises:
            ValueError, KeyError, TypeError: it is something else.
        """
        content = row["source"]
        content = content.encode() if isinstance(content, str) else content
        file = StoredFile(run_values.file_name(row["source_name"]), content, row["source_folder"])
        return cls(
            row["task"],
            row["puzzle"],
            file,
            run_values.choices(row["choices"]),
            run_values.bounds(row["bounds"]),
            row["backend"],
            run_values.options(row["options"]),
        )


def stored_file(name: str) -> StoredFile:
    """The file of a shipped puzzle, or the file *name*: what a run keeps of it is its text.

    Raises:
        PuzzleError: it cannot be read.
    """
    path = find("instances", name) if name in names("instances") else Path(name)
    try:
        return StoredFile(path.name, path.read_bytes(), str(path.parent.resolve()))
    except OSError as problem:
        raise PuzzleError(f"cannot read {path}: {problem.strerror}") from None


def require_same_problem(path: Path, digest: str, prepared: Searchable[Any]) -> None:
    """Refuse to go on with a run of another cover problem.

    Raises:
        RunFileError: it is another one.
    """
    if digest != digest_of(prepared):
        raise RunFileError(
            f"{path}: holds a run of another cover problem: the puzzle's file, a part set or a lattice that it uses "
            "has changed since, or latcover itself; begin anew in another file, or go on with what it was begun with"
        )


def digest_of(prepared: Searchable[Any]) -> str:
    """A digest of the cover problem and of what its options stand for: a run goes on only where it is the same."""
    problem = prepared.problem
    n = problem.n_options
    _, choices = prepared.members(Batch(np.arange(n + 1, dtype=np.int64), np.arange(n, dtype=np.int32)))
    found = hashlib.sha256()
    for array in (
        problem.option_starts,
        problem.option_items,
        problem.low,
        problem.high,
        problem.part_sizes,
        problem.neighbour_starts,
        problem.neighbours,
        problem.option_colours,
        choices,
    ):
        found.update(f"{len(array)};".encode())
        found.update(np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes())
    about = (problem.n_cells, prepared.n_members, prepared.acting, prepared.pivot, prepared.tests_pending)
    found.update(repr(about).encode())
    return found.hexdigest()
