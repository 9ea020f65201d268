"""What --cluster does to `solve`, `count` and `resume`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from latcover.cli.options import RunOptions, TalkOptions
from latcover.cli.support import say


def check_cluster(address: str | None, threads: int | None) -> None:
    """Refuse a cluster that cannot be, before anything that takes long."""
    if address is not None:
        from latcover.runs.cluster.connection import require

        require(address, threads)


@contextmanager
def kept(run: RunOptions, talk: TalkOptions) -> Iterator[RunOptions]:
    """The same options with a file in any case: where none was named, one that is gone at the end."""
    if run.run is not None:
        yield run
        return
    with TemporaryDirectory(prefix="latcover-run-", ignore_cleanup_errors=True) as folder:
        say("the run is kept in a temporary file, which is removed at the end; name one with --run FILE", talk)
        yield dataclasses.replace(run, run=Path(folder) / "run.db")
