"""Regions as records of codes, see backends/native/plane/growth.hpp; and the folder that keeps them, sorted, in files.

The regions of so many copies lie in a folder of their own: first as runs, each sorted, of the regions that a stretch of
the smaller regions grows into; then merged into parts, which together are sorted and hold each region once. A ledger
beside these folders has the digest of every file. A file without a record there does not count.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.backends import _native
from latcover.core.cover.ledger import Ledger
from latcover.core.cover.question import Question
from latcover.errors import DamagedRunError
from latcover.system.files import write_whole
from latcover.system.reading import opened

Records = npt.NDArray[np.uint16]
SAMPLES = 64  # of a run, to divide all regions into parts of about one size


class RunRecord(Struct, frozen=True, tag="run", forbid_unknown_fields=True):
    """A run of the level of so many copies, grown from the smaller regions from number *first* to before *last*."""

    copies: int
    first: int
    last: int
    digest: str


class LevelRecord(Struct, frozen=True, tag="level", forbid_unknown_fields=True):
    """A level that is done: the number of its regions, and the digest of each of its parts."""

    copies: int
    regions: int
    parts: tuple[str, ...]


class KeptRegions(Ledger):
    """A folder of regions, for a `with` statement.

    Raises:
        RunFileError: it holds the regions of another question, or is damaged.
    """

    def __init__(self, folder: Path, question: Question) -> None:
        super().__init__(folder / "regions.run", "multiples", question)
        self.folder = folder
        self.runs: dict[int, list[RunRecord]] = {}
        self.levels: dict[int, LevelRecord] = {}
        for number, text in enumerate(self.records):
            self._take(self.decoded(number, text, RunRecord | LevelRecord))  # type: ignore[arg-type]

    def _take(self, record: RunRecord | LevelRecord) -> None:
        if isinstance(record, RunRecord):
            self.runs.setdefault(record.copies, []).append(record)
        else:
            self.levels[record.copies] = record

    def keep(self, record: RunRecord | LevelRecord) -> None:
        """Write what a file, which is there already, holds."""
        self._take(record)
        self.add(record)


class Level:
    """The regions of *copies* copies, *width* cells each, in a folder."""

    def __init__(self, kept: KeptRegions, copies: int, width: int) -> None:
        self.kept, self.copies, self.width = kept, copies, width
        self.folder = kept.folder / f"copies-{copies:03}"

    @property
    def done(self) -> bool:
        return self.copies in self.kept.levels

    @property
    def count(self) -> int:
        """The number of regions of a level that is done."""
        return self.kept.levels[self.copies].regions

    def read(self, first: int = 0, at_once: int = 512) -> Iterator[Records]:
        """The records of a level that is done, from number *first* on, so many at once.

        Raises:
            DamagedRunError: a file is not what was written.
        """
        for number, digest in enumerate(self.kept.levels[self.copies].parts):
            records = self._mapped(self._part(number), digest)
            for start in range(min(first, len(records)), len(records), at_once):
                yield _as_numbers(records[start : start + at_once])
            first = max(0, first - len(records))

    def grown_from(self) -> int:
        """How many of the smaller regions the runs of this level were grown from."""
        return max((run.last for run in self._runs()), default=0)

    def add_run(self, first: int, last: int, records: Records) -> None:
        """Keep the distinct records that the smaller regions from *first* to before *last* grow into."""
        self.kept.keep(RunRecord(self.copies, first, last, self._written(self._run(first), records)))

    def merge(self, most_bytes: int, look: Callable[[], None]) -> None:
        """Merge the runs into parts, of which none needs much more memory than this to be made.

        *look* is called between parts, and may end the work by an error; it is begun anew then.
        """
        runs = [self._mapped(self._run(run.first), run.digest) for run in self._runs()]
        total = sum(run.nbytes for run in runs)
        samples = [run[np.linspace(0, len(run) - 1, SAMPLES).astype(np.int64)] for run in runs if len(run)]
        pivots = self._pivots(np.concatenate(samples), -(-total // most_bytes)) if samples else []
        count, digests = 0, []
        for number, (low, high) in enumerate(zip([None, *pivots], [*pivots, None], strict=True)):
            look()
            pieces = [run[_place(run, low, 0) : _place(run, high, len(run))] for run in runs]
            merged = _native.distinct_records(_as_numbers(np.concatenate(pieces)) if pieces else _NOTHING, self.width)
            count += len(merged) // self.width
            digests.append(self._written(self._part(number), merged))
        self._finish(count, digests)

    def hold(self, records: Records) -> None:
        """Keep these records as the whole level."""
        self._finish(len(records) // self.width, [self._written(self._part(0), records)])

    def _finish(self, count: int, digests: Sequence[str]) -> None:
        """Note that the parts are complete, and forget the runs."""
        self.kept.keep(LevelRecord(self.copies, count, tuple(digests)))
        for run in self._runs():
            self._run(run.first).unlink(missing_ok=True)

    def _runs(self) -> list[RunRecord]:
        return self.kept.runs.get(self.copies, [])

    def _run(self, first: int) -> Path:
        return self.folder / f"run-{first:012}.bin"

    def _part(self, number: int) -> Path:
        return self.folder / f"part-{number:06}.bin"

    def _written(self, path: Path, records: Records) -> str:
        """Write the records of a file; its digest."""
        content = records.astype(">u2").tobytes()
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, [content])
        return hashlib.blake2b(content, digest_size=16).hexdigest()

    def _mapped(self, path: Path, digest: str) -> npt.NDArray[np.bytes_]:
        """The records of a file as texts of bytes, which compare as the records do."""
        try:
            with opened(path) as file:
                found = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
        except OSError as fault:
            found = fault.strerror or "gone"
        if found != digest:
            why = "is not what was written" if len(found) == len(digest) else f"cannot be read: {found}"
            raise DamagedRunError(f"{path}: {why}; start again in a folder other than {self.kept.folder}")
        if not path.stat().st_size:
            return np.empty(0, f"S{2 * self.width}")
        return np.memmap(path, f"S{2 * self.width}", "r")

    def _pivots(self, samples: npt.NDArray[np.bytes_], parts: int) -> list[bytes]:
        ordered = np.sort(samples)
        places = [len(ordered) * k // parts for k in range(1, parts)]
        return sorted({bytes(ordered[place]) for place in places})


_NOTHING: Records = np.empty(0, np.uint16)


def _as_numbers(records: npt.NDArray[np.bytes_]) -> Records:
    return np.frombuffer(np.ascontiguousarray(records).tobytes(), ">u2").astype(np.uint16)


def _place(run: npt.NDArray[np.bytes_], pivot: bytes | None, default: int) -> int:
    return default if pivot is None else int(np.searchsorted(run, np.bytes_(pivot)))
