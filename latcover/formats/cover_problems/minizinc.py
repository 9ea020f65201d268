"""A MiniZinc model with its data, in one file.

It prints a line of literals for each solution, ``v 1 5 9 0``, so ``latcover decode`` can read the output of
``minizinc -a``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from latcover.formats.cover_problems.exported import Exported, about, commented, legend
from latcover.formats.cover_problems.linear import constraints_of
from latcover.formats.forms import How

_NUMBERS = 20  # in a line
_LINES = 1000  # written at once

_MODEL = """
set of int: CHOICES = 1..n_choices;
set of int: VARIABLES = 1..n_variables;
array[VARIABLES] of var bool: x;

% Each item is held between low and high times.
constraint forall(i in index_set(low))(
  let { array[int] of var bool: held = [x[member[k]] | k in start[i]..start[i + 1] - 1] } in
  if low[i] = high[i] then sum(held) = low[i] else sum(held) >= low[i] /\\ sum(held) <= high[i] endif
);

% What is left out, or holds what may not be held.
constraint forall(v in never)(not x[v]);

% Variables that are true exactly where one of several options is, which hold an item in the same colour.
constraint forall(g in index_set(group))(
  x[group[g]] <-> exists(k in group_start[g]..group_start[g + 1] - 1)(x[group_member[k]])
);

solve satisfy;
output ["v"] ++ [" \\(v)" | v in CHOICES where fix(x[v])] ++ [" 0\\n"];
"""


def write(exported: Exported, _how: How = How()) -> Iterator[bytes]:  # noqa: B008 - frozen
    """The model, some lines at a time."""
    constraints = constraints_of(exported)
    sums, groups = constraints.sums, constraints.groups
    yield from commented(chain(about(exported), legend(exported)), "%")
    yield f"int: n_choices = {exported.n_members};\nint: n_variables = {constraints.n_variables};\n".encode()
    yield from _array("low", (row.low for row in sums))
    yield from _array("high", (max(row.low, row.high) for row in sums))
    yield from _array("start", _starts(len(row.variables) for row in sums))
    yield from _array("member", chain.from_iterable(row.variables.tolist() for row in sums))
    yield from _array("never", constraints.never.tolist())
    yield from _array("group", (group for group, _ in groups))
    yield from _array("group_start", _starts(len(members) for _, members in groups))
    yield from _array("group_member", chain.from_iterable(members.tolist() for _, members in groups))
    yield _MODEL.encode()


def _starts(lengths: Iterable[int]) -> Iterator[int]:
    """Where each row begins, from 1, and where the last one ends."""
    start = 1
    yield start
    for length in lengths:
        start += length
        yield start


def _array(name: str, numbers: Iterable[int]) -> Iterator[bytes]:
    yield f"array[int] of int: {name} = [".encode()
    words = map(str, numbers)
    while block := list(islice(words, _NUMBERS * _LINES)):
        lines = (",".join(block[k : k + _NUMBERS]) for k in range(0, len(block), _NUMBERS))
        yield ("\n  " + ",\n  ".join(lines) + ",").encode()
    yield b"];\n"
