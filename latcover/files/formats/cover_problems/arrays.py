"""Arrays of a file: NumPy's own form, read with care, and bare problems made of arrays.

The file may be hostile. The size that an array's header claims is checked before anything is read, and arrays of Python
objects are refused. Errors blame no file yet, but for those of `named_problem`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import IO, Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.encoding.placement import CELLS_OF_A_PLACEMENT
from latcover.core.model.puzzle import Bounds
from latcover.errors import Complaint, PuzzleError, counted
from latcover.files.formats.source import Source

Array = npt.NDArray[Any]

ARRAYS = ("low", "high", "part_sizes", "neighbour_starts", "neighbours")
LONGEST_NAMES = 1 << 28  # bytes that a table of names may take
NUMBERS = "biuf"  # the kinds of array that may hold zeros and ones


class Header(Struct, frozen=True):
    """What the header of an array in NumPy's form says.

    Attributes:
        by_columns: Whether the entries are written column by column (Fortran's order).
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    by_columns: bool


def header_of(file: IO[bytes], name: str) -> Header:
    """The header of an array, which is where *file* begins.

    Raises:
        PuzzleError: it cannot be read.
    """
    version = np.lib.format.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise PuzzleError(f"the array {name!r} is in a version of NumPy's form that is not read here")
    read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    try:
        shape, by_columns, dtype = read_header(file)
    except Exception as fault:  # NumPy parses a header as Python source, and raises errors of many kinds
        raise PuzzleError(f"the array {name!r} has a header that cannot be read: {str(fault)[:200]}") from None
    return Header(shape, dtype, by_columns)


def require_kind(header: Header, name: str, kinds: str, widest: int = 8) -> None:
    """Refuse an array whose type is not one of *kinds*, or of more than *widest* bytes.

    Raises:
        PuzzleError: it is.
    """
    if header.dtype.kind not in kinds or header.dtype.hasobject or header.dtype.itemsize > widest:
        raise PuzzleError(f"the array {name!r} must not be of the type {str(header.dtype)[:40]}")


def entries_of(file: IO[bytes], header: Header, name: str, length: int) -> Array:
    """The entries that follow a header in a file of *length* bytes.

    Raises:
        PuzzleError: the file has fewer or more bytes than the header says.
    """
    size = header.dtype.itemsize * int(np.prod(header.shape, dtype=object))
    if size > LONGEST_NAMES and header.dtype.kind == "U":
        raise PuzzleError(f"the names in {name!r} are too long")
    if file.tell() + size != length:
        raise PuzzleError(f"the array {name!r} is not as long as it says")
    raw = file.read(size)
    if len(raw) != size:
        raise PuzzleError(f"the array {name!r} ends too early")
    if header.dtype.kind == "U":
        signs = np.frombuffer(raw, np.dtype("u4").newbyteorder(header.dtype.byteorder))
        if ((signs > sys.maxunicode) | ((signs >= 0xD800) & (signs < 0xE000))).any():
            raise PuzzleError(f"the array {name!r} holds a character that does not exist")
    return np.frombuffer(raw, header.dtype).reshape(header.shape, order="F" if header.by_columns else "C")


# ---- from arrays to a bare problem


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
