"""Keep the results of a design in a file, so that it can be continued.

A design is fixed by its request and its seed, so only results are kept, in a ledger. One process at a time has it open.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from latcover.core.cover.ledger import Ledger, ledger_kind
from latcover.core.cover.question import Method, Question
from latcover.core.model.puzzle import Puzzle, Region
from latcover.errors import DamagedRunError, counted
from latcover.files.formats.library import load_all
from latcover.lab.designing.design_requests import (
    CutRequest,
    DesignRegionsRequest,
    DesignSetsRequest,
    GrowRequest,
    WalkRequest,
)
from latcover.lab.designing.design_results import DesignResults
from latcover.lab.designing.regions import regions_for
from latcover.lab.runs.recipe import StoredFile
from latcover.lab.runs.run_file import now
from latcover.lab.runs.stored_values import file_name

T = TypeVar("T", bound=Struct)
KIND = "design"
DESIGNING = Method("designing", 3)  # 2 had no limit in the names of counts


def is_design(path: Path) -> bool:
    """Whether a file is one of a design."""
    return ledger_kind(path) == KIND


class DesignRecipe(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """What a design is of, apart from its puzzle.

    Attributes:
        request: What was asked.
        among: The puzzle or the file whose regions are tried; None tries all regions of a size.
        problem: Which puzzle of a file has the region that is cut, or the assembly that grows.
        output: The folder for puzzle files.
    """

    request: DesignSetsRequest | DesignRegionsRequest | CutRequest | GrowRequest
    among: str | None = None
    problem: str | None = None
    output: str | None = None

    @property
    def folder(self) -> Path | None:
        """The folder for puzzle files."""
        return None if self.output is None else Path(self.output)

    @property
    def ignores_region(self) -> bool:
        """Whether only the puzzle's parts are meant: regions are found for them."""
        return isinstance(self.request, DesignRegionsRequest)

    def within(self, limit: int | None, seconds: float | None, threads: int | None) -> DesignRecipe:
        """The same, with the limits of another session; the limit of designs stays if *limit* is None."""
        limit = self.request.limit if limit is None else limit
        return replace(self, request=replace(self.request, limit=limit, seconds=seconds, threads=threads))

    def regions_for(self, puzzle: Puzzle) -> list[Region] | None:
        """The regions that are tried for the parts of a puzzle; None tries all of a size.

        Raises:
            PuzzleError: they are on another lattice, or have a colour that the puzzle lacks.
        """
        return None if self.among is None else regions_for(puzzle, load_all(self.among))

    def question(self, puzzle: Puzzle) -> Question:
        """What the results of a design of sets or regions depend on: each is named after its candidate."""
        assert not isinstance(self.request, WalkRequest)
        return Question.of(DESIGNING, request=self.request, puzzle=puzzle)


class _About(Struct, frozen=True, forbid_unknown_fields=True):
    """What else the head says: the puzzle's name and its file, what was asked first, and when."""

    puzzle: str
    file: StoredFile
    recipe: DesignRecipe
    created: str


class _Record(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A result and its name; or what is asked from now on."""

    name: str = ""
    result: dict[str, Any] = {}
    recipe: DesignRecipe | None = None


class DesignFile(DesignResults):
    """The open file of a design, for a `with` statement.

    Attributes:
        puzzle: The name of the puzzle in its file.
        file: The file that it comes from.
        recipe: What was asked.
        created: When the file was made.

    Args:
        path: The file.
        question: What the results depend on; None takes that of the file, which must exist.
        about: For a new file.

    Raises:
        RunFileError: it is no file of a design, is damaged, or of another question.
    """

    def __init__(self, path: Path, question: Question | None = None, about: _About | None = None) -> None:
        self.path = path
        self._ledger = Ledger(path, KIND, question, None if about is None else msgspec.to_builtins(about))
        try:
            head = msgspec.convert(self._ledger.about, _About)
            if head.file.content:
                file_name(head.file.name)
        except ValueError as fault:
            raise self._ledger.fault(-1, fault) from None
        self.question, self.puzzle, self.created = self._ledger.question, head.puzzle, head.created
        self.file, self.recipe = head.file, head.recipe
        self._results: dict[str, dict[str, Any]] = {}
        for number, text in enumerate(self._ledger.records):
            record = self._ledger.decoded(number, text, _Record)
            if record.recipe is not None:
                self.recipe = record.recipe
            else:
                self._results[record.name] = record.result

    def __enter__(self) -> Self:
        self._ledger.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ledger.__exit__(kind, error, trace)

    def __len__(self) -> int:
        return len(self._results)

    def get(self, name: str, kind: type[T]) -> T | None:
        found = self._results.get(name)
        try:
            return None if found is None else msgspec.convert(found, kind, dec_hook=_array)
        except (msgspec.ValidationError, ValueError, OverflowError) as fault:
            raise self.fault(name, fault) from None

    def put(self, name: str, result: Struct) -> None:
        self._results[name] = msgspec.to_builtins(result, enc_hook=np.ndarray.tolist)
        self._ledger.add(_Record(name, self._results[name]))

    def fault(self, name: str, why: object) -> DamagedRunError:
        return DamagedRunError(
            f"{self.path}: is damaged: the result {name!r:.60} in it is wrong: {why}; start again in another file"
        )

    def take_recipe(self, recipe: DesignRecipe) -> None:
        """Replace the recipe by another one with the same results, which `latcover runs resume` then continues."""
        if recipe.within(None, None, None) != self.recipe.within(None, None, None):
            self.recipe = recipe
            self._ledger.add(_Record(recipe=recipe))


def open_design(path: Path, puzzle: str, file: StoredFile, recipe: DesignRecipe, question: Question) -> DesignFile:
    """The file of a design, which takes this recipe: a new one, or one that holds results of the same question.

    Raises:
        RunFileError: it holds something else.
    """
    kept = recipe.within(None, None, None)
    return DesignFile(path, question, _About(puzzle, file, kept, now()))


def design_state(path: Path) -> tuple[dict[str, Any], str]:
    """The progress of the design in a file, as plain data and in words."""
    file = DesignFile(path)
    results, created = len(file), file.created
    state = {"file": str(path), "task": "design", "puzzle": file.puzzle, "created": created, "results": results}
    return state, (
        f"{path}: a design of {file.puzzle}, begun {created}: {counted(results, 'result')} kept; "
        f"`latcover runs resume {path}` resumes it"
    )


def _array(_: type, numbers: list[int]) -> Any:
    return np.array(numbers, np.int32)
