"""The worker's side of plane_family.py: reads shapes, a line each, and writes what is known of them, a line each.

Its arguments are a lattice, the transformations of shapes, a request in JSON, and the digest of the lattice. It ends
with its input.
"""

from __future__ import annotations

import sys

import msgspec
import numpy as np

from latcover.core.cover.question import digest_of
from latcover.core.model.puzzle import Part
from latcover.errors import LatticeError
from latcover.files.formats.library import load_lattice
from latcover.lab.plane.plane_record import answer_as_text
from latcover.lab.plane.plane_request import PlaneRequest
from latcover.lab.plane.plane_search import plane
from latcover.lab.plane.prototiles import Prototiles


def main(lattice_name: str, allowed: str, request_text: str, digest: str) -> None:
    """Answer for each line of standard input, which holds the cells of a shape."""
    lattice = load_lattice(lattice_name)
    if digest_of(lattice) != digest:
        raise LatticeError(f"the lattice {lattice_name!r} has changed while its shapes were classified")
    request = msgspec.json.decode(request_text, type=PlaneRequest)
    for line in sys.stdin.buffer:
        cells = np.array(msgspec.json.decode(line), np.int32)
        shape = Part("shape", cells, lattice=lattice, transformations=allowed)
        answer = plane(Prototiles(lattice, (shape,)), request)
        sys.stdout.buffer.write(answer_as_text(answer) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(*sys.argv[1:5])
