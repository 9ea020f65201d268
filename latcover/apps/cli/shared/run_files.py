"""Searches in a file: what the options --run and --cluster of `solve`, `count` and `apart` do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from latcover.apps.cli.shared.options import MessageOptions, RunOptions
from latcover.apps.cli.shared.output import require_writable, say

if TYPE_CHECKING:
    from latcover.lab.runs.recipe import StoredFile


def source_of(path: Path, puzzle: str | None) -> StoredFile:
    """The puzzle's file, for a run that is to be kept in *path*."""
    from latcover.files.formats.library import DEFAULT_PUZZLE
    from latcover.lab.runs.recipe import stored_file

    require_writable(path)
    return stored_file(puzzle or DEFAULT_PUZZLE)


def check_cluster(address: str | None, threads: int | None) -> None:
    """Refuse a wrong address of a cluster, before anything that takes long."""
    if address is not None:
        from latcover.lab.runs.cluster.connection import require

        require(address, threads)


@contextmanager
def named_or_temporary_file(run: RunOptions, messages: MessageOptions) -> Iterator[Path]:
    """The file that the user named, or a temporary one."""
    if run.run is not None:
        yield run.run
        return
    with TemporaryDirectory(prefix="latcover-run-", ignore_cleanup_errors=True) as folder:
        say("the run is kept in a temporary file, which is removed at the end; name one with --run FILE", messages)
        yield Path(folder) / "run.db"
