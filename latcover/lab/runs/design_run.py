"""Keep the results of a design in a file, so that it can be continued.

A design is fixed by its request and its seed, so only results are kept. A missing row is computed again; a changed row
has a wrong seal, and is refused. Unlike the file of a search it has no jobs and no sessions, and one process at a time
has it open.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
import time
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
from msgspec.structs import replace

from latcover.core.cover.problem_digest import digest_of
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.puzzle import Puzzle, Region
from latcover.errors import LatcoverError, RunFileError, counted
from latcover.files.formats.library import load_all
from latcover.lab.designing.design_requests import (
    CutRequest,
    DesignRegionsRequest,
    DesignSetsRequest,
    GrowRequest,
    WalkRequest,
)
from latcover.lab.designing.ledger import Entry, Ledger
from latcover.lab.designing.regions import regions_for
from latcover.lab.runs.opening import PATIENCE, connect, damaged, explaining_errors, transaction
from latcover.lab.runs.recipe import StoredFile
from latcover.lab.runs.run_file import now
from latcover.lab.runs.run_tables import execute_file

APPLICATION = 0x6C617464  # "latd"
VERSION = 2  # 1 had the options of the command in place of a request
BETWEEN_WRITES = 0.5  # seconds
_AT = slice(68, 72)  # where SQLite has the application's number in a file


def is_design(path: Path) -> bool:
    """Whether a file is one of a design."""
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except OSError:
        return False
    return head.startswith(b"SQLite format 3\0") and int.from_bytes(head[_AT], "big") == APPLICATION


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

    def digest(self, puzzle: Puzzle) -> str:
        """A digest of what the results of a design of sets or regions depend on."""
        assert not isinstance(self.request, WalkRequest)
        prepared = prepare(puzzle, Choices(symmetry=self.request.symmetry))
        names = [part.name for part in puzzle.parts]
        return hashlib.sha256(f"{digest_of(prepared)} {names} {self.request.branches}".encode()).hexdigest()


class DesignFile(Ledger):
    """The open file of a design, for a `with` statement.

    Attributes:
        puzzle: The name of the puzzle in its file.
        file: The file that it comes from.
        recipe: What was asked.
        created: When the file was made.
    """

    def __init__(self, path: Path) -> None:
        """Open a file that was made before.

        Raises:
            RunFileError: it is no file of a design, is damaged, or another process has it open.
        """
        self.path = path
        self._waiting: dict[str, tuple[str, str]] = {}
        self._written = time.perf_counter()
        self._connection = connect(path, write=True)
        try:
            self._take()
            with explaining_errors(path):
                (application,) = self._connection.execute("PRAGMA application_id").fetchone()
                (version,) = self._connection.execute("PRAGMA user_version").fetchone()
                if application != APPLICATION or version != VERSION:
                    raise RunFileError(f"{path}: is no file of a design that this latcover can read; name another file")
                row = self._connection.execute("SELECT * FROM design").fetchone()
            if row is None:
                raise damaged(path, "it does not tell what it is of")
            self.puzzle, self.created, self._key, self.digest = row["puzzle"], row["created"], row["key"], row["digest"]
            self.file = StoredFile(row["source_name"], bytes(row["source"]), row["source_folder"])
            try:
                self.recipe = msgspec.convert(json.loads(row["recipe"]), DesignRecipe)
            except (ValueError, LatcoverError):
                raise RunFileError(f"{path}: does not tell what was asked; begin anew in another file") from None
        except BaseException:
            self._connection.close()
            raise

    def _take(self) -> None:
        """Lock the file against other processes until it is closed."""
        with explaining_errors(self.path):
            self._connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("BEGIN EXCLUSIVE")
            self._connection.execute("COMMIT")

    def __enter__(self) -> DesignFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, traceback: TracebackType | None) -> None:
        try:
            self.write()
        finally:
            self._connection.close()

    def __len__(self) -> int:
        with explaining_errors(self.path):
            (count,) = self._connection.execute("SELECT count(*) FROM entries").fetchone()
        return int(count)

    def get(self, name: str) -> Entry | None:
        """The result of this name; None if there is none.

        Raises:
            DamagedRunError: the row was changed.
        """
        if name in self._waiting:
            return _read(self.path, self._waiting[name][0])
        with explaining_errors(self.path):
            row = self._connection.execute("SELECT entry, seal FROM entries WHERE name = ?", (name,)).fetchone()
        if row is None:
            return None
        if row["seal"] != self._seal(name, str(row["entry"])):
            raise damaged(self.path, f"the row {name!r:.60} was changed")
        return _read(self.path, row["entry"])

    def put(self, name: str, entry: Entry) -> None:
        """Keep a result. It is written soon."""
        text = json.dumps(entry)
        self._waiting[name] = text, self._seal(name, text)
        if time.perf_counter() - self._written >= BETWEEN_WRITES:
            self.write()

    def write(self) -> None:
        """Write the results that wait."""
        if self._waiting:
            rows = [(name, *values) for name, values in self._waiting.items()]
            with explaining_errors(self.path), transaction(self._connection):
                self._connection.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)", rows)
            self._waiting = {}
        self._written = time.perf_counter()

    def take_recipe(self, recipe: DesignRecipe) -> None:
        """Replace the recipe by another one with the same results, which `latcover runs resume` then continues."""
        with explaining_errors(self.path), transaction(self._connection):
            self._connection.execute("UPDATE design SET recipe = ?", (_as_text(recipe),))

    def _seal(self, name: str, text: str) -> str:
        return hashlib.blake2b(f"{name}\0{text}".encode(), digest_size=8, key=self._key.encode()[:64]).hexdigest()


def open_design(path: Path, puzzle: str, file: StoredFile, recipe: DesignRecipe, digest: str) -> DesignFile:
    """The file of a design: made, or opened if it holds results about the same puzzle.

    Raises:
        RunFileError: it holds something else, or cannot be written.
    """
    if not path.exists() or path.stat().st_size == 0:
        _make(path, puzzle, file, recipe, digest)
    elif not is_design(path):
        raise RunFileError(f"{path}: is no file of a design; name another file")
    design = DesignFile(path)
    if design.digest != digest:
        design.__exit__(None, None, None)
        raise RunFileError(
            f"{path}: holds results about another puzzle, or with another --symmetry or --max-branches; name another "
            "file, or go on with `latcover runs resume`"
        )
    if _as_text(design.recipe) != _as_text(recipe):
        design.take_recipe(recipe)
    return design


def design_state(path: Path) -> tuple[dict[str, Any], str]:
    """The progress of the design in a file, as plain data and in words."""
    with DesignFile(path) as file:
        results, created = len(file), file.created
        state = {"file": str(path), "task": "design", "puzzle": file.puzzle, "created": created, "results": results}
        return state, (
            f"{path}: a design of {file.puzzle}, begun {created}: {counted(results, 'result')} kept; "
            f"`latcover runs resume {path}` goes on"
        )


def _make(path: Path, puzzle: str, file: StoredFile, recipe: DesignRecipe, digest: str) -> None:
    row = (1, version("latcover"), now(), puzzle, file.name, file.content, file.folder, _as_text(recipe), digest)
    with explaining_errors(path):
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
        try:
            with transaction(connection):
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {VERSION}")
                execute_file(connection, "design.sql")
                connection.execute(f"INSERT INTO design VALUES ({', '.join('?' * 10)})", (*row, secrets.token_hex(16)))
        finally:
            connection.close()


def _as_text(recipe: DesignRecipe) -> str:
    """A recipe as JSON; the time and the threads belong to each session."""
    return json.dumps(msgspec.to_builtins(recipe.within(None, None, None)))


def _read(path: Path, text: object) -> dict[str, Any]:
    try:
        data = json.loads(str(text))
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise damaged(path, "a row of it holds what does not belong there")
    return data
