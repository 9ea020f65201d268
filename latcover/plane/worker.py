"""The worker's side of family.py: reads shapes, a line each, and writes what is known of them, a line each.

Its arguments are a lattice, the transformations of shapes, and a request in JSON. It ends with its input.
"""

from __future__ import annotations

import sys

import msgspec
import numpy as np

from latcover.formats.library import load_lattice
from latcover.model.prototiles import Prototiles
from latcover.model.puzzle import Part
from latcover.plane.perform import plane
from latcover.plane.record import AnswerRecord
from latcover.plane.request import PlaneRequest


def main(lattice_name: str, allowed: str, request_text: str) -> None:
    """Answer for each line of standard input, which holds the cells of a shape."""
    lattice = load_lattice(lattice_name)
    request = msgspec.json.decode(request_text, type=PlaneRequest)
    for line in sys.stdin.buffer:
        cells = np.array(msgspec.json.decode(line), np.int32)
        shape = Part("shape", cells, lattice=lattice, transformations=allowed)
        answer = plane(Prototiles(lattice, (shape,)), request)
        sys.stdout.buffer.write(msgspec.json.encode(AnswerRecord.of(answer)) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(*sys.argv[1:4])
