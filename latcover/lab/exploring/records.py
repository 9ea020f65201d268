"""Regions as records of codes, see backends/native/plane/growth.hpp; and their files, which hold them sorted.

The regions of so many copies lie in a folder: first as runs, each sorted, of the regions that a stretch of the smaller
regions grows into; then merged into parts, which together are sorted and hold each region once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from latcover.backends import _native
from latcover.errors import RunFileError
from latcover.system.files import write_whole

Records = npt.NDArray[np.uint16]
SAMPLES = 64  # of a run, to divide all regions into parts of about one size


class Level(Struct, frozen=True):
    """The regions of *copies* copies, *width* cells each, in a folder."""

    folder: Path
    copies: int
    width: int

    @property
    def _summary(self) -> Path:
        return self.folder / "level.json"

    @property
    def done(self) -> bool:
        return self._summary.is_file()

    @property
    def count(self) -> int:
        """The number of regions of a level that is done."""
        try:
            return int(json.loads(self._summary.read_text())["regions"])
        except (OSError, ValueError, KeyError, TypeError):
            raise RunFileError(f"{self._summary} is damaged; remove the folder {self.folder}") from None

    def parts(self) -> list[Path]:
        return sorted(self.folder.glob("part-*.bin"))

    def read(self, first: int = 0, at_once: int = 512) -> Iterator[Records]:
        """The records from number *first* on, so many at once."""
        for path in self.parts():
            records = self._mapped(path)
            for start in range(min(first, len(records)), len(records), at_once):
                yield _as_numbers(records[start : start + at_once])
            first = max(0, first - len(records))

    def grown_from(self) -> int:
        """How many of the smaller regions the runs of this level were grown from."""
        return max((int(path.stem.split("-")[2]) for path in self._runs()), default=0)

    def add_run(self, first: int, last: int, records: Records) -> None:
        """Keep the distinct records that the smaller regions from *first* to before *last* grow into."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder / f"run-{first:012}-{last:012}.bin", [records.astype(">u2").tobytes()])

    def merge(self, most_bytes: int) -> None:
        """Merge the runs into parts, of which none needs much more memory than this to be made."""
        runs = [self._mapped(path) for path in self._runs()]
        total = sum(run.nbytes for run in runs)
        samples = [run[np.linspace(0, len(run) - 1, SAMPLES).astype(np.int64)] for run in runs if len(run)]
        pivots = self._pivots(np.concatenate(samples), -(-total // most_bytes)) if samples else []
        for path in self.parts():
            path.unlink()
        count = 0
        for number, (low, high) in enumerate(zip([None, *pivots], [*pivots, None], strict=True)):
            pieces = [run[_place(run, low, 0) : _place(run, high, len(run))] for run in runs]
            merged = _native.distinct_records(_as_numbers(np.concatenate(pieces)) if pieces else _NOTHING, self.width)
            count += len(merged) // self.width
            write_whole(self.folder / f"part-{number:06}.bin", [merged.astype(">u2").tobytes()])
        self.finish(count)

    def finish(self, count: int) -> None:
        """Note that the parts are complete, and forget the runs."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(self._summary, [json.dumps({"copies": self.copies, "regions": count}).encode()])
        for path in self._runs():
            path.unlink()

    def _runs(self) -> list[Path]:
        return sorted(self.folder.glob("run-*.bin"))

    def _mapped(self, path: Path) -> npt.NDArray[np.bytes_]:
        """The records of a file as texts of bytes, which compare as the records do."""
        size = path.stat().st_size
        if size % (2 * self.width):
            raise RunFileError(f"{path} is damaged: its length is no multiple of a region's; remove {self.folder}")
        if not size:
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
