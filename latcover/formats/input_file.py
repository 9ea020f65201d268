"""Reading the bytes of a file, whatever it holds, with errors that say what is wrong with it."""

from __future__ import annotations

from pathlib import Path

from latcover.errors import Complaint, InputError

TO_MEND = "; raise the bound with --max-cells"


def read_bytes(
    path: Path, error: type[InputError], max_bytes: int, needed: str, *, bounded_by_cells: bool = True
) -> bytes:
    """The whole of a file.

    Args:
        path: The file.
        error: What to raise.
        max_bytes: How large it may be.
        needed: What kind of file it should be, for the message: "a TOML file".
        bounded_by_cells: Whether the user can raise the bound.

    Raises:
        error: it is no regular file, cannot be read, or is too large.
    """
    try:
        if path.is_dir():
            raise error([Complaint(f"is a directory; {needed} is needed", str(path))])
        if path.exists() and not path.is_file():  # a pipe without a writer would never end
            raise error([Complaint(f"is no regular file; {needed} is needed", str(path))])
        with path.open("rb") as file:
            raw = file.read(max_bytes + 1)
    except OSError as problem:
        raise error([Complaint(f"cannot be read: {problem.strerror}", str(path))]) from None
    except ValueError as problem:  # a name that no file can have
        raise error([Complaint(f"cannot be read: {problem}", str(path))]) from None
    if len(raw) > max_bytes:
        advice = TO_MEND if bounded_by_cells else ""
        raise error([Complaint(f"is larger than {max_bytes:,} bytes{advice}", str(path))])
    return raw
