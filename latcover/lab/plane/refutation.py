"""Clauses without a solution, as a file that says what each variable means, so that others can check its claim.

Comments of the DIMACS file name the variables: ``c place 17 2 node,x,y ...``: in corona 2 there is the tile with these
cells. ``c covered 99 1 node,x,y``: this cell is covered by corona 1 or an earlier one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from latcover.lab.plane.corona_clauses import Clause, Places
from latcover.lab.plane.neighbours import Neighbours, Numbers, rows_of

AT_ONCE = 10_000  # lines


class Refutation(Struct, frozen=True, eq=False):
    """Clauses that contradict each other, since a tile has not so many coronas.

    Attributes:
        places: Their variables.
        hole_in_last: Whether the last corona might leave holes.
        clauses: All of them.
    """

    neighbours: Neighbours
    places: Places
    hole_in_last: bool
    clauses: list[Clause]

    def text(self) -> Iterator[bytes]:
        """The DIMACS file, in pieces."""
        holes = "with a hole allowed in the last" if self.hole_in_last else "without holes"
        names = ", ".join(shape.name for shape in self.neighbours.prototiles.shapes)
        lattice = self.neighbours.prototiles.lattice.name
        yield f"c no {self.places.last} coronas {holes} around {names}, on the lattice {lattice}\n".encode()
        yield from self._names()
        yield f"p cnf {self.places.n_variables} {len(self.clauses)}\n".encode()
        for start in range(0, len(self.clauses), AT_ONCE):
            some = self.clauses[start : start + AT_ONCE]
            yield "".join(f"{' '.join(map(str, [*clause, 0]))}\n" for clause in some).encode()

    def _names(self) -> Iterator[bytes]:
        places = self.places
        index, cells = self.neighbours.held(places.copies, self.neighbours.cells)
        order = np.argsort(index, kind="stable")
        held = np.split(rows_of(cells[order]), np.cumsum(np.bincount(index))[:-1])
        for k, rows in enumerate(held):
            yield f"c place {k + 1} {places.corona[k]} {_written(rows)}\n".encode()
        for c, row in enumerate(rows_of(places.cells)):
            for k in range(len(places.coronas)):
                variable = int(places.covered(np.array(c), k))
                yield f"c covered {variable} {k} {_written(row[None])}\n".encode()


def _written(rows: Numbers) -> str:
    return " ".join(",".join(map(str, row)) for row in rows.tolist())
