"""Fewest painted cells, and fewest parts of packings, by a second program; see docs/results/found.md.

It shares no code with latcover, and needs no solver. It goes over a square cell by cell. A state says of each column
what its last cell is. A table with an axis for each column holds the fewest cells, or parts, that lead to each state.

`python tests/packing_oracle.py painted 15` prints the fewest cells to paint so that no tromino is left unpainted (OEIS
A337501), `python tests/packing_oracle.py clumsy 12` the fewest straight trominoes that leave no room for one (A226918).
"""

from __future__ import annotations

import sys

import numpy as np
import numpy.typing as npt

Costs = npt.NDArray[np.uint8]

NEVER = 255
PAINTED, ALONE, PAIRED = range(3)
COVERED, EMPTY_ONCE, EMPTY_TWICE, ONE_TO_COME, TWO_TO_COME = range(5)
EMPTY = slice(EMPTY_ONCE, EMPTY_TWICE + 1)
FREE = slice(COVERED, EMPTY_TWICE + 1)  # no part that lies above reaches the next cell


def fewest_painted(n: int) -> int:
    """The fewest painted cells of a square of *n* by *n*, where unpainted cells hang together in ones and twos."""
    costs = _table((3,) * n, PAINTED)
    for column in [*range(n)] * n:
        reached = np.full_like(costs, NEVER)
        _first(reached, column)[PAINTED] = _one_more(_first(costs, column).min(axis=0))
        if column:
            was, now = _first(costs, column - 1, column), _first(reached, column - 1, column)
            now[PAIRED, PAIRED] = was[ALONE, PAINTED]
            was, now = was[PAINTED], now[PAINTED]
        else:
            was, now = _first(costs, column), _first(reached, column)
        now[ALONE], now[PAIRED] = was[PAINTED], was[ALONE]
        costs = reached
    return int(costs.min())


def fewest_trominoes(n: int) -> int:
    """The fewest straight trominoes in a square of *n* by *n* that leave no room for another."""
    costs = _table((5,) * n, COVERED)
    for row in range(n):
        for column in range(n):
            reached = np.full_like(costs, NEVER)
            was, now = _first(costs, column), _first(reached, column)
            now[EMPTY_ONCE], now[EMPTY_TWICE] = was[COVERED], was[EMPTY_ONCE]
            if column >= 2:
                _first(reached, column - 2, column - 1, column)[EMPTY, EMPTY, EMPTY] = NEVER
            now[COVERED], now[ONE_TO_COME] = was[ONE_TO_COME], was[TWO_TO_COME]
            if row <= n - 3:
                now[TWO_TO_COME] = _one_more(was[FREE].min(axis=0))
            if column <= n - 3:
                was, now = (_first(each, column, column + 1, column + 2) for each in (costs, reached))
                lying = _one_more(was[FREE, FREE, FREE].min(axis=(0, 1, 2)))
                now[COVERED, ONE_TO_COME, ONE_TO_COME] = np.minimum(now[COVERED, ONE_TO_COME, ONE_TO_COME], lying)
            costs = reached
    return int(costs.min())


def _table(shape: tuple[int, ...], edge: int) -> Costs:
    """Only the state in which every last cell is *edge* is reached, by none."""
    costs = np.full(shape, NEVER, np.uint8)
    costs[(edge,) * len(shape)] = 0
    return costs


def _first(costs: Costs, *columns: int) -> Costs:
    """A view with the axes of these columns first."""
    return np.moveaxis(costs, columns, range(len(columns)))


def _one_more(costs: Costs) -> Costs:
    return costs + (costs < NEVER).astype(np.uint8)


if __name__ == "__main__":
    print({"painted": fewest_painted, "clumsy": fewest_trominoes}[sys.argv[1]](int(sys.argv[2])))
