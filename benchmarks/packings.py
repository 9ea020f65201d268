"""Which backend is the best for which packing: `python -m latcover.benchmarks.packings`.

Each row is a question on a square board; each backend has so many seconds for it. Without a proof in that time its best
value stands with a "?".
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

from latcover.core.model.puzzle import box
from latcover.files.formats.named_shapes import shape_named
from latcover.lab.exploring.exploring_requests import ExcludeRequest, PackRequest
from latcover.lab.exploring.packing import Packing, exclude, pack, region_to_pack

BACKENDS = ("cpsat", "sat", "dlx")


@dataclass(frozen=True, slots=True)
class Question:
    """A question on a board of *size* by *size*: pack, clumsy or exclude."""

    what: str
    shape: str
    size: int

    def answer(self, backend: str, seconds: float) -> Packing:
        """The answer that a backend finds in so many seconds."""
        board = region_to_pack([shape_named(self.shape, "square")], box(self.size, self.size).cells)
        if self.what == "exclude":
            return exclude(board, ExcludeRequest(backend=backend, seconds=seconds))
        return pack(board, PackRequest(backend=backend, seconds=seconds, clumsy=self.what == "clumsy"))


QUESTIONS = (
    Question("pack", "tetrominoes:S", 8),
    Question("pack", "pentominoes:V", 8),
    Question("pack", "pentominoes:V", 10),
    Question("clumsy", "square-2:1", 6),
    Question("clumsy", "square-2:1", 8),
    Question("clumsy", "tetrominoes:L", 6),
    Question("exclude", "pentominoes:X", 8),
    Question("exclude", "pentominoes:F", 8),
    Question("exclude", "pentominoes:P", 8),
)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="for each backend and question")
    seconds = parser.parse_args().seconds
    print("question".ljust(32), *(backend.rjust(16) for backend in BACKENDS))
    for asked in QUESTIONS:
        cells = []
        for backend in BACKENDS:
            began = time.process_time()
            found = asked.answer(backend, seconds)
            cells.append(f"{found.value}{'' if found.proved else '?'} {time.process_time() - began:6.2f} s".rjust(16))
        print(f"{asked.what} {asked.shape} {asked.size}x{asked.size}".ljust(32), *cells, flush=True)


if __name__ == "__main__":
    main()
