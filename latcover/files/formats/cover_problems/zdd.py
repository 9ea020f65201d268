"""The diagram of all solutions, as Graphillion reads it: `setset.load`, after ``set_universe(range(1, n + 1))``.

A line for each node holds its number, its element, and the nodes of the sets without and with this element: ``B`` for
no set, ``T`` for the empty set. Elements ascend from the root, which comes last; then comes a line with a point, where
Graphillion stops. After it a line for each element says what it is: ``17 = F 0,0 0,1 1,1``.

Source: Graphillion 2 (Inoue, Iwashita, Kawahara and Minato, 2016), which writes diagrams like SAPPOROBDD.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from latcover.files.formats.cover_problems.exported import Exported
from latcover.files.formats.forms import WriteOptions

_LINES = 10_000  # written at once


def write(exported: Exported, options: WriteOptions) -> Iterator[bytes]:
    """The diagram of *options*, whose levels are options of the exported problem."""
    lines = _lines(exported, options)
    while some := [*islice(lines, _LINES)]:
        yield "".join(f"{line}\n" for line in some).encode()


def _lines(exported: Exported, options: WriteOptions) -> Iterator[str]:
    diagram = options.diagram
    assert diagram is not None, "this form is written of a diagram"
    n_elements, name = len(diagram.options), {0: "B", 1: "T"}
    for level, (_, nodes) in enumerate(diagram.levels()):
        pairs = zip(diagram.low[nodes].tolist(), diagram.high[nodes].tolist(), strict=True)
        for node, (low, high) in enumerate(pairs, nodes.start):
            yield f"{node} {n_elements - level} {name.get(low, low)} {name.get(high, high)}"
    if diagram.root in name:
        yield name[diagram.root]
    yield "."
    meanings = [*exported.descriptions(), *(f"{cell} stays empty" for cell in exported.empty_cells())]
    for element, option in enumerate(reversed(diagram.options.tolist()), 1):
        yield f"{element} = {meanings[int(exported.variables[option]) - 1]}"
