"""Proofs that some shapes have no common region of so few cells, in files that independent checkers accept.

One set of clauses is about all areas up to the greatest that was refuted, since the window of that area holds those of
the smaller ones. It passes `RegionProofCheck`, which shares no code with the search, before anything is written.

Comments of the DIMACS file name the variables. ``c cell 3 node,x,y``: the region holds this cell. ``c tile 17 1 0
node,x,y ...``: in the tiling of layer 1, a copy of shape 0 has these cells. ``c least 99 1 node,x,y``: this cell is the
least of a tile of layer 1. ``c counted 99 100 ...`` lists what is counted, and ``c count 120 7 2`` says that at least 2
of the first 7 are true. ``c bit 80 1`` is a bit of the number of the tile of layer 1 that covers some cell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from latcover.core.cover.clauses import Clause
from latcover.core.cover.result import Stop
from latcover.core.cover.search import OnProgress
from latcover.core.model.solution import Cell
from latcover.errors import InternalError, UnsupportedError
from latcover.lab.asking.proofs import Proof, ProofClock, clauses_beside, refute_checked
from latcover.lab.exploring.layers import Layers
from latcover.lab.exploring.region_clauses import RegionClauses
from latcover.lab.exploring.region_faults import components, cut_off, holed
from latcover.lab.exploring.region_formula import Cut, RegionFormula, Wanted
from latcover.lab.exploring.region_proof_check import NoRegion, RegionProofCheck
from latcover.lab.exploring.symmetries import symmetries
from latcover.lab.exploring.windows import Distances, window_of

AT_ONCE = 10_000  # lines
MOST_WINDOW = 100_000  # cells


def prove_no_region(
    layers: Layers,
    area: int,
    path: Path,
    *,
    holes: bool = True,
    seconds: float | None = None,
    on_progress: OnProgress | None = None,
) -> Proof | Stop:
    """Write a proof that no region of at most *area* cells is filled by *layers* to *path*, and the clauses beside it.

    A region hangs together; without *holes* it has none.

    Returns:
        The proof, or why it was stopped: then nothing is written.

    Raises:
        UnsupportedError: there is such a region, or the question is one for which no proof is written.
        PuzzleError, BackendFailedError, BackendUnavailableError: see `latcover.lab.asking.proofs.prove`.
    """
    if any(layer.size is None for layer in layers.layers):
        raise UnsupportedError("no proof is written for a set of shapes of different sizes")
    clauses_beside(path)
    clock = ProofClock(seconds, on_progress)
    wanted = wanted_for(layers, area)
    cuts = [] if layers.single and holes else _cuts(layers, wanted, holes, clock.goes_on)
    if cuts is None:
        return clock.stop() or Stop.CANCELLED
    claim = NoRegion(tuple(layer.shapes for layer in layers.layers), area, layers.apart, holes)
    text = _text(layers, wanted, cuts, claim)
    return refute_checked(text, RegionProofCheck(claim).faults, path, _contradiction, clock)


def claim_in_words(layers: Layers, area: int, *, holes: bool = True) -> str:
    """What a proof says. A component of a region of shapes alone is a region, so nothing is said of these."""
    connected, without = "" if layers.single else "connected ", "" if holes else " without holes"
    names = list(dict.fromkeys(layer.name for layer in layers.layers))
    by = f"{names[0]} in two ways with no tile in common" if layers.apart else f"each of {', '.join(names)}"
    return f"no {connected}region{without} of {area} cells or fewer is filled by {by}"


def wanted_for(layers: Layers, area: int) -> Wanted:
    shape = layers.shapes[0]
    assert shape.lattice
    (alone,) = symmetries(shape.lattice, shape.transformations, 1)
    return Wanted(window_of(layers.layers, area, alone, Distances(shape.lattice), MOST_WINDOW), alone, most=area)


def _cuts(layers: Layers, wanted: Wanted, holes: bool, goes_on: Callable[[], bool]) -> list[Cut] | None:
    """What forbids regions in several pieces, and holes, as far as the refutation needs it; None if it was stopped."""
    lattice, found = wanted.symmetry.lattice, list[Cut]()
    with closing(RegionClauses(layers, wanted)) as clauses:
        while (answer := clauses.solve(math.inf, goes_on)) is True:
            region = {cell for tile in clauses.tilings()[0] for cell in tile}
            parts = components(region, lattice)
            small = [part for part in parts if not all(layer.fills(len(part)) for layer in layers.layers)]
            if len(parts) > 1 and not small:
                raise UnsupportedError("no proof is written: each piece of a region may be a region by itself")
            cut = cut_off(small[0], lattice) if small else None if holes else holed(region, lattice)
            if cut is None:
                raise UnsupportedError(f"there is a region of {len(region)} cells, so there is no proof")
            found.append(cut)
            clauses.add(cut)
    return found if answer is False else None


def _text(layers: Layers, wanted: Wanted, cuts: Sequence[Cut], claim: NoRegion) -> Iterator[bytes]:
    """The DIMACS file, in pieces."""
    clauses: list[Clause] = []
    formula = RegionFormula(layers, wanted, clauses.extend)
    clauses += map(formula.without, cuts)
    yield f"c {claim_in_words(layers, claim.area, holes=claim.holes)}\n".encode()
    yield f"c on the lattice {claim.lattice.name}\n".encode()
    for line in names_of(formula):
        yield f"c {line}\n".encode()
    yield f"p cnf {formula.top} {len(clauses)}\n".encode()
    for start in range(0, len(clauses), AT_ONCE):
        some = clauses[start : start + AT_ONCE]
        yield "".join(f"{' '.join(map(str, [*clause, 0]))}\n" for clause in some).encode()


def names_of(formula: RegionFormula) -> Iterator[str]:
    """What each variable means."""
    cells = [_written(cell) for cell in formula.wanted.window.cells]
    for number, cell in enumerate(cells):
        yield f"cell {number + 1} {cell}"
    for layer, shapes in enumerate(formula.tiles):
        for shape, tiles in enumerate(shapes):
            for variable, row in zip(tiles.variables.tolist(), tiles.cells.tolist(), strict=True):
                yield f"tile {variable} {layer} {shape} {' '.join(cells[k] for k in row)}"
    for layer, bits in formula.bits:
        yield from (f"bit {bit} {layer}" for bit in bits)
    if (counted := formula.counted) is None:
        return
    yield from (f"least {variable} {counted.layer} {cells[cell]}" for cell, variable in formula.starts.items())
    yield f"counted {' '.join(map(str, counted.inputs))}"
    for first, row in enumerate(counted.counts.tolist(), 1):
        yield from (f"count {variable} {first} {many}" for many, variable in enumerate(row, 1))


def _written(cell: Cell) -> str:
    return ",".join(map(str, cell))


def _contradiction(_: list[int]) -> Exception:
    return InternalError("one solver refutes the clauses of a region, another one satisfies them")
