"""The fewest cells of a square to paint so that no tromino is left unpainted (OEIS A337501); see docs/results/found.md.

It shares no code with latcover: unpainted cells hang together in ones and twos, and squares are filled cell by cell. A
state holds the last cell of each column. Run `python tests/painting_oracle.py 13` for the terms up to 13.
"""

from __future__ import annotations

import sys

PAINTED, ALONE, PAIRED = range(3)


def fewest_painted(n: int) -> int:
    """The fewest painted cells of a square of *n* by *n*."""
    states = {(PAINTED,) * n: 0}  # the fewest cells by which each is reached
    for row in range(n):
        for column in range(n):
            following: dict[tuple[int, ...], int] = {}
            for state, cost in states.items():
                up = state[column] if row else PAINTED
                left = state[column - 1] if column else PAINTED
                made = with_cells(state, {column: PAINTED})
                following[made] = min(cost + 1, following.get(made, cost + 1))
                if (up and left) or PAIRED in (up, left):
                    continue  # three would hang together
                new = {column: PAIRED if up or left else ALONE} | ({column - 1: PAIRED} if left else {})
                made = with_cells(state, new)
                following[made] = min(cost, following.get(made, cost))
            states = following
    return min(states.values())


def with_cells(state: tuple[int, ...], new: dict[int, int]) -> tuple[int, ...]:
    return tuple(new.get(column, cell) for column, cell in enumerate(state))


if __name__ == "__main__":
    for size in range(1, int(sys.argv[1]) + 1):
        print(size, fewest_painted(size), flush=True)
