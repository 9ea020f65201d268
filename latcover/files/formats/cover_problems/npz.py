"""The placement matrix as NumPy and SciPy read it: a row for each option, a column for each item.

The keys of ``scipy.sparse.load_npz`` (format, shape, data, indices, indptr) hold a matrix in compressed sparse rows.
More keys hold the bounds of items, their names, cells, parts, neighbours and colours, and the choice that each row is.
A matrix that SciPy itself has written can be read too; each of its columns is then held exactly once.

The file may be hostile. The sizes that the archive and each array's header claim are checked first, and arrays of
Python objects are refused.
"""

from __future__ import annotations

import io
import sys
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.encoding.placement import CELLS_OF_A_PLACEMENT
from latcover.core.model.puzzle import Bounds
from latcover.errors import Complaint, PuzzleError, PuzzleFileError, UnsupportedError, counted
from latcover.files.formats.cover_problems.exported import Exported
from latcover.files.formats.source import Source

Array = npt.NDArray[Any]

ARRAYS = ("low", "high", "part_sizes", "neighbour_starts", "neighbours")
_OF_SCIPY = ("format", "shape", "data", "indices", "indptr")
_LONGEST_NAMES = 1 << 28  # bytes that a table of names may take
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
    if 4 * len(names) * max(map(len, names), default=0) > _LONGEST_NAMES:
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
        missing = [name for name in _OF_SCIPY if name not in self.members]
        if missing:
            raise PuzzleError(f"is not a SciPy sparse matrix: it lacks {', '.join(missing)}")

    def problem(self) -> NamedProblem:
        form = self._array("format", "SU", (), 64).item()
        form = form.decode("latin-1") if isinstance(form, bytes) else form
        if form != "csr":
            raise PuzzleError(f"holds a sparse matrix of the format {form[:20]!r}; save it as CSR (matrix.tocsr())")
        n_options, n_items = self._array("shape", "iu", (2,)).tolist()
        if n_options < 0 or n_items < 0:
            raise PuzzleError("has a shape below zero")
        n_entries = self._length("indices")
        require_bounds(n_options, n_items, n_entries, self.bounds)
        if (self._array("data", "biuf", (n_entries,)) != 1).any():
            raise PuzzleError("holds entries other than 1; an option holds an item once, or not")
        arrays = {"option_items": self._array("indices", "iu", (n_entries,))}
        arrays["option_starts"] = self._array("indptr", "iu", (n_options + 1,))
        arrays |= self._ours(n_items, n_entries)
        n_cells = self._array("n_cells", "iu", ()).item() if "n_cells" in self.members else 0
        if not 0 <= n_cells <= n_items:
            raise PuzzleError("has more cells than items")
        names = self._names("items") if "items" in self.members else [f"i{k}" for k in range(1, n_items + 1)]
        if len(names) != n_items:
            raise PuzzleError(f"names {len(names):,} items, but has {n_items:,}")
        colours = self._names("colours") if "colours" in self.members else []
        return named_problem(self.source, arrays, n_cells, items=names, colours=colours)

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
        found: list[str] = self._array(name, "U", (self._length(name),), _LONGEST_NAMES).tolist()
        return found

    def _length(self, name: str) -> int:
        """The length of an array, by its header."""
        with self.archive.open(self.members[name]) as file:
            shape = _header(file, name)[0]
        if len(shape) != 1:
            raise PuzzleError(f"the array {name!r} must have one dimension")
        return int(shape[0])

    def _array(self, name: str, kinds: str, shape: tuple[int, ...], widest: int = 8) -> Array:
        """An array whose type is one of *kinds* and whose bytes are as many as its header says."""
        member = self.members[name]
        with self.archive.open(member) as file:
            found, dtype = _header(file, name)
            if dtype.kind not in kinds or dtype.hasobject or dtype.itemsize > widest:
                raise PuzzleError(f"the array {name!r} must not be of the type {str(dtype)[:40]}")
            if found != shape:
                raise PuzzleError(f"the array {name!r} has the shape {found}, not {shape}")
            size = dtype.itemsize * int(np.prod(shape, dtype=object))
            if size > _LONGEST_NAMES and dtype.kind == "U":
                raise PuzzleError(f"the names in {name!r} are too long")
            if file.tell() + size != member.file_size:
                raise PuzzleError(f"the array {name!r} is not as long as it says")
            raw = file.read(size)
        if len(raw) != size:
            raise PuzzleError(f"the array {name!r} ends too early")
        if dtype.kind == "U":
            signs = np.frombuffer(raw, np.dtype("u4").newbyteorder(dtype.byteorder))
            if ((signs > sys.maxunicode) | ((signs >= 0xD800) & (signs < 0xE000))).any():
                raise PuzzleError(f"the array {name!r} holds a character that does not exist")
        return np.frombuffer(raw, dtype).reshape(shape)


def _header(file: IO[bytes], name: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Shape and type of an array."""
    version = np.lib.format.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise PuzzleError(f"the array {name!r} is in a version of NumPy's form that is not read here")
    read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    try:
        shape, _, dtype = read_header(file)
    except Exception as fault:  # NumPy parses a header as Python source, and raises errors of many kinds
        raise PuzzleError(f"the array {name!r} has a header that cannot be read: {str(fault)[:200]}") from None
    return shape, dtype


# ---- from arrays of a file to a bare problem; JSON shares this


def require_bounds(n_options: int, n_items: int, n_entries: int, bounds: Bounds) -> None:
    """Refuse sizes beyond *bounds*.

    Raises:
        PuzzleError: they are.
    """
    if n_items > bounds.cells:
        raise PuzzleError(f"more than {bounds.cells:,} items; raise the bound with --max-cells")
    if n_options > bounds.placements:
        raise PuzzleError(f"more than {bounds.placements:,} options; raise the bound with --max-placements")
    most = CELLS_OF_A_PLACEMENT * bounds.placements
    if n_entries > most:
        raise PuzzleError(f"its options hold more than {most:,} items; raise the bound with --max-placements")


def named_problem(
    source: Source, arrays: Mapping[str, Array], n_cells: int, *, items: Sequence[str], colours: Sequence[str]
) -> NamedProblem:
    """The problem of these arrays, whose options may hold their items in any order.

    An option without items is none, as for other programs: it is left out with a warning.

    Args:
        source: Where they come from.
        arrays: ``option_starts``, ``option_items`` and, if there are any, ``option_colours`` and `ARRAYS`, all
            as in `CoverProblem`. Without ``low`` and ``high`` each item is held exactly once.
        n_cells: How many items are cells.
        items, colours: Their names.

    Raises:
        PuzzleFileError: they contradict each other.
    """
    starts, members = (arrays[name].astype(np.int64) for name in ("option_starts", "option_items"))
    shades = arrays.get("option_colours", np.empty(0, np.int32))
    exactly_once = np.ones(len(items), np.int32)
    try:
        if len(starts) and (np.diff(starts) >= 0).all() and starts[0] == 0 and starts[-1] == len(members):
            order = np.lexsort([members, np.repeat(np.arange(len(starts) - 1), np.diff(starts))])
            members = members[order]
            shades = shades[order] if len(shades) == len(order) else shades
        if len(shades) and shades.max(initial=0) > len(colours):
            raise PuzzleError("an option has a colour that does not exist")
        given = {name: arrays[name] for name in ARRAYS if name in arrays}
        given = {"low": exactly_once, "high": exactly_once, **given}
        problem = CoverProblem(starts, members.astype(np.int32), n_cells=n_cells, option_colours=shades, **given)
        holds = np.diff(problem.option_starts) > 0
        warnings = _of_empty(source, holds)
        return NamedProblem(
            source.stem, problem.with_options(np.flatnonzero(holds)), tuple(items), tuple(colours), warnings
        )
    except PuzzleError as fault:
        raise source.fault(str(fault)) from None


def _of_empty(source: Source, holds: npt.NDArray[np.bool_]) -> tuple[Complaint, ...]:
    """A warning if some options hold no item."""
    empty = len(holds) - int(holds.sum())
    if not empty:
        return ()
    are = "is" if empty == 1 else "are"
    what = f"{counted(empty, 'option')} without items {are} ignored, as other programs do; the first is option "
    return (Complaint(f"{what}{int(holds.argmin()) + 1}", source.name, warning=True),)
