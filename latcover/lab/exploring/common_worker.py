"""The worker's side of common_table.py: reads shapes, a line for each entry, and writes what it finds out.

Its arguments are a lattice, the transformations of shapes, and a request in JSON. It ends with its input.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import msgspec
import numpy as np

from latcover.core.cover.events import Events
from latcover.core.model.puzzle import Part
from latcover.files.formats.library import load_lattice
from latcover.lab.exploring.common import Common, common
from latcover.lab.exploring.common_record import CommonRecord, CommonTask
from latcover.lab.exploring.exploring_requests import CommonRequest


class _Teller(Events):
    """Writes each step of a search."""

    def __init__(self, before: float) -> None:
        self._before, self._begun = before, time.thread_time()

    def on_better(self, solution: Any) -> None:
        self.tell(solution, last=False)

    def tell(self, found: Common, *, last: bool) -> None:
        record = CommonRecord.of(found, self._before + time.thread_time() - self._begun, last=last)
        sys.stdout.buffer.write(msgspec.json.encode(record) + b"\n")
        sys.stdout.buffer.flush()


def main(lattice_name: str, allowed: str, request_text: str) -> None:
    """Answer each line of standard input, which holds a task."""
    lattice = load_lattice(lattice_name)
    request = msgspec.json.decode(request_text, type=CommonRequest)
    for line in sys.stdin.buffer:
        task = msgspec.json.decode(line, type=CommonTask)
        shapes = [
            Part(str(number), np.array(cells, np.int32), lattice=lattice, transformations=allowed)
            for number, cells in enumerate(task.shapes)
        ]
        known = None if task.known is None else task.known.common(shapes)
        teller = _Teller(task.known.effort if task.known else 0.0)
        found = common(shapes, msgspec.structs.replace(request, effort=task.effort), teller, known)
        teller.tell(found, last=True)


if __name__ == "__main__":
    main(*sys.argv[1:4])
