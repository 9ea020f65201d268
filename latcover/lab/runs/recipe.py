"""The recipe of a run: the puzzle's file and the request, which suffice to rebuild the cover problem."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct, field
from msgspec.structs import asdict, replace

from latcover.core.cover.backend import Backend
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.question import Question
from latcover.core.cover.searchable import Searchable
from latcover.core.encoding.prepared import made_ready
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.solving.count import CountRequest
from latcover.core.solving.search_question import question_of_search
from latcover.core.solving.solve import SolveRequest
from latcover.errors import PuzzleError, PuzzleFileError
from latcover.files.formats.library import board_and_goal, is_of_family, load, read
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.files.formats.source import Finder, Kind, Source, among, find, in_folder, names, recording, source_at
from latcover.lab.runs.stored_values import file_name, parsed

Task = Literal["solve", "count"]
MOST_BYTES = 1 << 30  # of a puzzle's file that a run keeps; its reader may allow less
REQUESTS: dict[Task, type[SolveRequest] | type[CountRequest]] = {"solve": SolveRequest, "count": CountRequest}


class StoredFile(Struct, frozen=True):
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
        """The file, to be read again. Files that it names are looked for in its folder, or by the given finder."""
        return Source(self.content, self.name, beside or in_folder(Path(self.folder)))

    def subject(
        self,
        name: str,
        bounds: Bounds | None = None,
        beside: Mapping[str, bytes] | None = None,
        *,
        unfinished: bool = False,
    ) -> Puzzle | NamedProblem:
        """The puzzle, or bare problem, of this name, read again.

        Args:
            name: Its name; a file may hold several.
            bounds: How much it may ask for.
            beside: The lattices and part sets that stand beside it, by the names that it calls them; else they are
                looked for in the folder where it was.
            unfinished: Whether only its parts are meant, which its own region need not suit.

        Raises:
            InputError: it cannot be read, as where a part set beside it is gone.
        """
        source = self.source(None if beside is None else among(beside))
        found = read(source, bounds or Bounds(), unfinished=unfinished).get(name)
        if found is None:
            raise PuzzleError(f"{self.name} holds no puzzle {name!r} any more")
        if isinstance(found, PuzzleFileError):
            raise found
        return found


class Recipe(Struct, frozen=True):
    """What a run searches, and how.

    Attributes:
        request: What to do. The run has limits of its own, and sets the number of threads.
        puzzle: The name of the puzzle; a file may hold several.
        file: The file that it comes from.
        bounds: How much it may ask for.
    """

    request: SolveRequest | CountRequest
    puzzle: str
    file: StoredFile
    bounds: Bounds = field(default_factory=Bounds)

    @property
    def task(self) -> Task:
        """ "solve" keeps every solution, "count" only their number."""
        return "solve" if isinstance(self.request, SolveRequest) else "count"

    def subject(self, beside: Mapping[str, bytes] | None = None) -> Puzzle | NamedProblem:
        """The puzzle, or bare problem, read again; see `StoredFile.subject`."""
        return self.file.subject(self.puzzle, self.bounds, beside)

    def beside(self) -> dict[str, bytes]:
        """The lattices and part sets that the puzzle needs and that are not shipped, by the names that it uses.

        Raises:
            InputError: it cannot be read.
        """
        contents: dict[str, bytes] = {}
        read(self.file.source(recording(in_folder(Path(self.file.folder)), contents)), self.bounds)
        return contents

    def prepared(self, beside: Mapping[str, bytes] | None = None) -> Searchable[Any]:
        """The prepared puzzle or problem; *beside* as in `subject`."""
        return made_ready(self.subject(beside), self.request.choices, self.bounds)

    def question(self, prepared: Searchable[Any]) -> Question:
        """What its answer depends on, with the puzzle as it is now."""
        return question_of_search(prepared, self.request)

    def solver(self) -> Backend:
        """The backend, on one thread: a run's threads work on jobs of their own."""
        return self.request.solver().on_one_thread()

    def as_row(self) -> dict[str, Any]:
        """The recipe as columns of the table of the run."""
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
            "request": msgspec.json.encode(replace(self.request, seconds=None)).decode(),
            "bounds": json.dumps(asdict(self.bounds)),
        }

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Recipe:
        """The inverse of `as_row`.

        Raises:
            ValueError, KeyError, TypeError: it is something else.
        """
        content = row["source"]
        content = content.encode() if isinstance(content, str) else content
        file = StoredFile(file_name(row["source_name"]), content, row["source_folder"])
        bounds = parsed(row["bounds"], Bounds)
        if not 0 <= min(bounds.cells, bounds.placements) <= max(bounds.cells, bounds.placements) < 1 << 31:
            raise ValueError(f"{row['bounds'][:80]!r} are not bounds on cells and placements")
        return cls(parsed(row["request"], REQUESTS[row["task"]]), row["puzzle"], file, bounds)


def stored_file(name: str) -> StoredFile:
    """The file of a shipped puzzle, or the file *name*; of one of a family or of a goal, of that puzzle alone.

    Raises:
        PuzzleError: it cannot be read.
    """
    if is_of_family(name) or board_and_goal(name)[1]:
        puzzle = load(name)
        return StoredFile(f"{puzzle.name}.toml", puzzle_as_toml([puzzle]).encode(), "")
    kinds: tuple[Kind, ...] = ("instances", "goals")
    path = next((find(kind, name) for kind in kinds if name in names(kind)), Path(name))
    return StoredFile(path.name, source_at(path, MOST_BYTES).content, str(path.parent.resolve()))
