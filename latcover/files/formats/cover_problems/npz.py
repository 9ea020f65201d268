"""The placement matrix as NumPy and SciPy read it: a row for each option, a column for each item.

The keys of ``scipy.sparse.load_npz`` (format, shape, data, indices, indptr) hold a matrix in compressed sparse rows.
More keys hold the bounds of items, their names, cells, parts, neighbours and colours, and the choice that each row is.
A matrix that SciPy itself has written can be read too, and so can an archive of one array of zeros and ones; each of
its columns is then held exactly once.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.model.puzzle import Bounds
from latcover.errors import PuzzleError, PuzzleFileError, UnsupportedError
from latcover.files.formats.cover_problems.arrays import (
    ARRAYS,
    LONGEST_NAMES,
    NUMBERS,
    Array,
    entries_of,
    header_of,
    named_problem,
    require_bounds,
    require_kind,
)
from latcover.files.formats.cover_problems.exported import Exported
from latcover.files.formats.cover_problems.matrix import problem_of
from latcover.files.formats.forms import NPZ
from latcover.files.formats.source import Source

# The arrays of each of SciPy's formats that say where the entries are.
_PLACES = {"csr": ("indices", "indptr"), "csc": ("indices", "indptr"), "coo": ("row", "col")}
_MEMBERS = 100
_PIECE = 1 << 20


def write(exported: Exported) -> Iterator[bytes]:
    """The matrix and what belongs to it, compressed.

    Raises:
        UnsupportedError: names of items are so long that a table of them would fill the memory.
    """
    problem = exported.problem
    buffer = io.BytesIO()
    arrays: dict[str, Any] = {
        "format": np.bytes_("csr"),
        "shape": np.array([problem.n_options, problem.n_items], dtype=np.int64),
        "data": np.ones(len(problem.option_items), np.int8),
        "indices": problem.option_items,
        "indptr": problem.option_starts,
        **{name: getattr(problem, name) for name in ARRAYS},
        "option_colours": problem.option_colours,
        "n_cells": np.int64(problem.n_cells),
        "items": _table(exported.items),
        "colours": _table(exported.colours),
        "choice": exported.variables,
        "n_choices": np.int64(exported.n_members),
    }
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    with buffer.getbuffer() as view:
        for start in range(0, len(view), _PIECE):
            yield bytes(view[start : start + _PIECE])


def _table(names: tuple[str, ...]) -> Array:
    if 4 * len(names) * max(map(len, names), default=0) > LONGEST_NAMES:
        raise UnsupportedError("the names of the items are too long for a table of NumPy; the form json takes them")
    return np.array(names, dtype=np.str_)


def read(source: Source, bounds: Bounds = Bounds()) -> NamedProblem:
    """Read a matrix, its options being the rows.

    Raises:
        PuzzleFileError: it is not such an archive, or contradicts itself.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(source.content)) as archive:
            return _Reader(source, archive, bounds).problem()
    except PuzzleFileError:
        raise
    except PuzzleError as fault:
        reason = str(fault)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as fault:
        reason = f"is not a valid NumPy archive: {fault or type(fault).__name__}"
    except (OSError, ValueError) as fault:  # ValueError: a header that is none
        reason = f"cannot be read: {getattr(fault, 'strerror', None) or fault}"
    raise source.fault(reason)


class _Reader:
    """One archive being read. Its errors blame no file yet."""

    def __init__(self, source: Source, archive: zipfile.ZipFile, bounds: Bounds) -> None:
        self.source, self.archive, self.bounds = source, archive, bounds
        members = archive.infolist()
        if len(members) > _MEMBERS or len({member.filename for member in members}) < len(members):
            raise PuzzleError(f"holds more than {_MEMBERS} arrays, or two of one name")
        self.members = {member.filename.removesuffix(".npy"): member for member in members}

    def problem(self) -> NamedProblem:
        if "format" not in self.members and len(self.members) == 1:
            return problem_of(self.source, self._dense(*self.members), self.bounds)
        self._require("format", "shape", "data")
        form = self._array("format", "SU", (), 64).item()
        form = form.decode("latin-1") if isinstance(form, bytes) else form
        if form not in _PLACES:
            raise PuzzleError(f"holds a sparse matrix of the format {form[:20]!r}; save it as CSR (matrix.tocsr())")
        self._require(*_PLACES[form])
        n_options, n_items = self._array("shape", "iu", (2,)).tolist()
        if n_options < 0 or n_items < 0:
            raise PuzzleError("has a shape below zero")
        n_entries = self._length(_PLACES[form][0])
        require_bounds(n_options, n_items, n_entries, self.bounds)
        if (self._array("data", NUMBERS, (n_entries,)) != 1).any():
            raise PuzzleError("holds entries other than 1; an option holds an item once, or not")
        if form == "csr":
            arrays = {"option_items": self._array("indices", "iu", (n_entries,))}
            arrays["option_starts"] = self._array("indptr", "iu", (n_options + 1,))
        else:
            arrays = self._by_places(form, n_options, n_items, n_entries)
        arrays |= self._ours(n_items, n_entries)
        n_cells = self._array("n_cells", "iu", ()).item() if "n_cells" in self.members else 0
        if not 0 <= n_cells <= n_items:
            raise PuzzleError("has more cells than items")
        names = self._names("items") if "items" in self.members else [f"i{k}" for k in range(1, n_items + 1)]
        if len(names) != n_items:
            raise PuzzleError(f"names {len(names):,} items, but has {n_items:,}")
        colours = self._names("colours") if "colours" in self.members else []
        return named_problem(self.source, arrays, n_cells, items=names, colours=colours)

    def _require(self, *names: str) -> None:
        missing = [name for name in names if name not in self.members]
        if missing:
            raise PuzzleError(
                f"is neither a SciPy sparse matrix (it lacks {', '.join(missing)}) nor one array of zeros and ones"
            )

    def _dense(self, name: str) -> Array:
        """The only array of an archive of NumPy's ``savez``."""
        member = self.members[name]
        with self.archive.open(member) as file:
            header = header_of(file, name)
            require_kind(header, name, NUMBERS)
            if member.file_size > NPZ.most_bytes(self.bounds):
                raise PuzzleError(f"the array {name!r} is too large{NPZ.mend}")
            return entries_of(file, header, name, member.file_size)

    def _by_places(self, form: str, n_options: int, n_items: int, n_entries: int) -> dict[str, Array]:
        """The arrays of a matrix whose entries are not in rows: each with its row and column, or in columns."""
        first, second = _PLACES[form]
        rows = self._array(first, "iu", (n_entries,)).astype(np.int64)
        if form == "csc":
            starts = self._array(second, "iu", (n_items + 1,)).astype(np.int64)
            if starts[0] != 0 or starts[-1] != n_entries or (np.diff(starts) < 0).any():
                raise PuzzleError(f"the array {second!r} must ascend from 0 to the number of entries")
            columns = np.repeat(np.arange(n_items), np.diff(starts))
        else:
            columns = self._array(second, "iu", (n_entries,)).astype(np.int64)
        if n_entries and not (rows.min() >= 0 and rows.max() < n_options):
            raise PuzzleError("has an entry in a row that does not exist")
        order = np.lexsort([columns, rows])
        return {
            "option_items": columns[order],
            "option_starts": np.searchsorted(rows[order], np.arange(n_options + 1)),
        }

    def _ours(self, n_items: int, n_entries: int) -> Mapping[str, Array]:
        """The arrays that SciPy does not know, if there are any."""
        lengths = {"low": n_items, "high": n_items, "option_colours": n_entries}
        found = {}
        for name in (*ARRAYS, "option_colours"):
            if name in self.members:
                length = self._length(name)
                if length and length != lengths.get(name, length):
                    raise PuzzleError(f"the array {name!r} has {length:,} entries, not {lengths[name]:,}")
                require_bounds(0, 0, length, self.bounds)
                found[name] = self._array(name, "iu", (length,))
        return found

    def _names(self, name: str) -> list[str]:
        found: list[str] = self._array(name, "U", (self._length(name),), LONGEST_NAMES).tolist()
        return found

    def _length(self, name: str) -> int:
        """The length of an array, by its header."""
        with self.archive.open(self.members[name]) as file:
            shape = header_of(file, name).shape
        if len(shape) != 1:
            raise PuzzleError(f"the array {name!r} must have one dimension")
        return int(shape[0])

    def _array(self, name: str, kinds: str, shape: tuple[int, ...], widest: int = 8) -> Array:
        """An array whose type is one of *kinds* and whose bytes are as many as its header says."""
        member = self.members[name]
        with self.archive.open(member) as file:
            header = header_of(file, name)
            require_kind(header, name, kinds, widest)
            if header.shape != shape:
                raise PuzzleError(f"the array {name!r} has the shape {header.shape}, not {shape}")
            return entries_of(file, header, name, member.file_size)
