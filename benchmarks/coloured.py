"""`bitset` beside `dlx` where items have colours: squares whose sides must agree. Run it to measure your machine:

    python -m latcover.benchmarks.coloured

Both walk the same tree; the table says so where they do not. Figures are nanoseconds of processor time a branch, set-up
included, the least of several runs in turn.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from itertools import product
from statistics import geometric_mean

import numpy as np

from latcover.backends import create
from latcover.backends.compiled import kernels
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchFigures
from latcover.core.cover.search import Limits

RIM = 1
Tile = tuple[int, int, int, int]  # the values of the left, lower, right and upper side
Side = tuple[int, int, int]


def sides_of(row: int, column: int) -> list[Side]:
    """The sides of a cell, in the order of a tile's: those that two cells share are equal."""
    return [(row, column, 0), (row, column, 1), (row, column + 1, 0), (row + 1, column, 1)]


def tiling_problem(rows: int, columns: int, tiles: Sequence[Tile], home: int, *, inside: bool) -> CoverProblem:
    """Put every tile into a rectangle, in any turn. Sides that meet agree, and those on the rim are `RIM`.

    Args:
        rows, columns: The rectangle.
        tiles: As many as it has cells.
        home: A tile that keeps to the first quarter, against the rectangle's symmetries.
        inside: Whether sides off the rim may be `RIM` too.
    """
    cells = list(product(range(rows), range(columns)))
    n = len(cells)
    of_cell = [sides_of(*cell) for cell in cells]
    everywhere = [side for sides in of_cell for side in sides]
    inner = sorted({side for side in everywhere if everywhere.count(side) == 2})
    item = {side: 2 * n + k for k, side in enumerate(inner)}
    starts, items, colours = [0], [], []
    for cell, (number, tile) in product(range(n), enumerate(tiles)):
        row, column = cells[cell]
        if number == home and (2 * row >= rows or 2 * column >= columns):
            continue
        for turned in sorted({tile[k:] + tile[:k] for k in range(4)}):
            shown = list(zip(of_cell[cell], turned, strict=True))
            if any(colour != RIM if side not in item else colour == RIM and not inside for side, colour in shown):
                continue
            held = sorted([(cell, 0), (n + number, 0)] + [(item[side], c) for side, c in shown if side in item])
            items += [each for each, _ in held]
            colours += [colour for _, colour in held]
            starts.append(len(items))
    low = [1] * 2 * n + [0] * len(inner)
    return CoverProblem(
        np.array(starts), np.array(items), np.array(low), np.ones(len(low), int), option_colours=np.array(colours)
    )


def macmahon() -> CoverProblem:
    """MacMahon's 24 squares with sides in three colours, in 4 by 6 cells with one colour on the rim (1921)."""
    tiles = sorted({min(sides[k:] + sides[:k] for k in range(4)) for sides in product((1, 2, 3), repeat=4)})
    return tiling_problem(4, 6, [(a, b, c, d) for a, b, c, d in tiles], home=0, inside=True)


def board(size: int, colours: int, seed: int = 1) -> CoverProblem:
    """A square board with a solution, its inner sides in random colours. A corner tile stays at its corner."""
    dice = random.Random(seed)
    shown: dict[Side, int] = {}
    tiles: list[Tile] = []
    for row, column in product(range(size), repeat=2):
        for side in sides_of(row, column):
            outside = side[1] in (0, size) if side[2] == 0 else side[0] in (0, size)
            shown.setdefault(side, RIM if outside else dice.randint(RIM + 1, RIM + colours))
        a, b, c, d = (shown[side] for side in sides_of(row, column))
        tiles.append((a, b, c, d))
    dice.shuffle(tiles)
    home = next(k for k, tile in enumerate(tiles) if (RIM, RIM) in zip(tile, tile[1:] + tile[:1], strict=True))
    return tiling_problem(size, size, tiles, home, inside=False)


BOARDS = ((4, 4), (5, 4), (6, 5), (7, 6), (8, 8))  # cells along a side, inner colours
SEVERAL, SEEDS = (6, 5), range(1, 9)
RUNS = 3


def measured(name: str, problem: CoverProblem, limits: Limits, **options: object) -> tuple[float, SearchFigures]:
    """Processor time, and figures."""
    start = time.process_time()
    outcome = create(name, **options).search(problem, lambda _: True, limits)
    return time.process_time() - start, outcome.figures


def compared(problem: CoverProblem, running: Sequence[str], limits: Limits) -> tuple[dict[str, float], int, bool]:
    """Nanoseconds a branch of each backend, the branches, and whether all walked the same tree."""
    least: dict[str, float] = {}
    trees = set()
    for _ in range(RUNS):
        for name in ("dlx", *running):
            backend = {"name": "dlx"} if name == "dlx" else {"name": "bitset", "kernel": name, "threads": 1}
            seconds, figures = measured(**backend, problem=problem, limits=limits)
            least[name] = min(seconds, least.get(name, seconds))
            trees.add((figures.branches or 0, figures.covers, figures.dead_ends))
    tried = max(branches for branches, _, _ in trees)
    return {name: 1e9 * seconds / max(1, tried) for name, seconds in least.items()}, tried, len(trees) == 1


def speeds(branches: int) -> Iterator[str]:
    """Lines of a table: nanoseconds a branch of each. Then the ratios of several boards of one size."""
    running = [name for name, runs_here in kernels().items() if runs_here]
    yield "| problem | options | branches | dlx | " + " | ".join(f"{name} | ratio" for name in running) + " |"
    yield "| --- | --: | --: | --: |" + " --: | --: |" * len(running)
    problems = [("MacMahon's squares", macmahon())]
    problems += [(f"board {size} by {size}, {colours} colours", board(size, colours)) for size, colours in BOARDS]
    limits = Limits(branches=branches)
    for title, problem in problems:
        each, tried, same = compared(problem, running, limits)
        cells = " | ".join(f"{each[name]:,.0f} | {each['dlx'] / each[name]:.1f}" for name in running)
        differ = "" if same else " (the trees differ)"
        yield f"| {title}{differ} | {problem.n_options:,} | {tried:,} | {each['dlx']:,.0f} | {cells} |"
    size, colours = SEVERAL
    ratios: dict[str, list[float]] = {name: [] for name in running}
    for seed in SEEDS:
        each, _, same = compared(board(size, colours, seed), running, limits)
        for name in running:
            ratios[name].append(each["dlx"] / each[name])
        if not same:
            yield f"the trees differ on the board of seed {seed}"
    yield ""
    yield f"ratios of {len(SEEDS)} boards of {size} by {size}, geometric mean and least: " + ", ".join(
        f"{name} {geometric_mean(of_boards):.1f} and {min(of_boards):.1f}" for name, of_boards in ratios.items()
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--branches", type=int, default=300_000, help="of each search (default: 300,000)")
    chosen = parser.parse_args()
    for line in speeds(chosen.branches):
        print(line, flush=True)


if __name__ == "__main__":
    main()
