"""Exact cover problems that are made: options as lists of items' names, and their text in Knuth's form.

All are our own, so they may be shipped, and each can be made as large as one likes. An item that may stay uncovered has
a name that begins with ``~``; ``name:colour`` holds it in a colour, so that options of the same colour go together.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise, product

Options = Iterable[Sequence[str]]
OPTIONAL = "~"  # begins the name of an item that a cover need not hold


def text_of(options: Options) -> str:
    """The problem in Knuth's form; items in the order in which they occur, those that may stay uncovered last."""
    rows = [list(option) for option in options]
    items = dict.fromkeys(item.partition(":")[0] for option in rows for item in option)
    primary = [item for item in items if not item.startswith(OPTIONAL)]
    secondary = [item for item in items if item.startswith(OPTIONAL)]
    head = [*primary, "|", *secondary] if secondary else primary
    return "\n".join([" ".join(head), *map(" ".join, rows), ""])


def partitions(n: int) -> Options:
    """All sets of n things: their covers are the partitions, as many as the n-th Bell number."""
    return [[str(k) for k in some] for size in range(1, n + 1) for some in combinations(range(n), size)]


def pairings(n: int) -> Options:
    """All pairs of n things: their covers are the pairings, (n - 1)!!."""
    return [[str(a), str(b)] for a, b in combinations(range(n), 2)]


def latin(n: int, symbols: int) -> Options:
    """Latin squares of order n; each cell may hold only so many symbols, which move on from cell to cell."""
    return [
        [f"{r}.{c}", f"r{r}={s}", f"c{c}={s}"]
        for r, c, d in product(range(n), range(n), range(symbols))
        for s in [(r + c + d) % n]
    ]


def network(rows: int, columns: int, longest: int) -> Options:
    """The links of a network, which are to be covered by simple paths with at most so many links."""
    dice = random.Random(rows * columns)
    beside: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for r, c in product(range(rows), range(columns)):
        for other in [(r, c + 1), (r + 1, c)]:
            if other[0] < rows and other[1] < columns and dice.random() < 0.85:
                beside.setdefault((r, c), []).append(other)
                beside.setdefault(other, []).append((r, c))

    def paths(path: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
        if len(path) > 1 and path[0] < path[-1]:
            yield path
        if len(path) <= longest:
            for other in beside[path[-1]]:
                if other not in path:
                    yield from paths([*path, other])

    for start in beside:
        for path in paths([start]):
            links = [sorted(link) for link in pairwise(path)]
            yield [f"{a[0]}.{a[1]}-{b[0]}.{b[1]}" for a, b in links]


def dominoes(rows: int, columns: int, name: str = "") -> list[list[str]]:
    """A board to be covered by dominoes."""

    def cell(r: int, c: int) -> str:
        return f"{name}{r}.{c}"

    across = [[cell(r, c), cell(r, c + 1)] for r in range(rows) for c in range(columns - 1)]
    return across + [[cell(r, c), cell(r + 1, c)] for r in range(rows - 1) for c in range(columns)]


def boards(n: int) -> Options:
    """As many boards, not joined, their options mixed."""
    options = [option for k in range(n) for option in dominoes(6, 8, f"{k}/")]
    random.Random(n).shuffle(options)
    return options


def queens(n: int) -> Options:
    """Squares of a chessboard: a queen in each row and column, and at most one on each diagonal."""
    return [
        [f"r{r}", f"c{c}", f"~a{r + c}", f"~b{r - c + n - 1}"]
        for r, c in product(sorted(range(n), key=lambda k: abs(2 * k - n + 1)), range(n))  # Knuth: from the middle
    ]


def langford(n: int) -> Options:
    """Two of each number 1 to n in a row, with as many places between them as the number says; both directions."""
    return [
        [f"d{d}", f"s{k}", f"s{k + d + 1}"] for d in range(n, 0, -1) for k in range(2 * n - d - 1)
    ]  # the largest numbers have the fewest places


def ells(*sides: int) -> Options:
    """A box, of two or three sides, to be covered by pieces of three cells around a corner."""
    cells = set(product(*map(range, sides)))
    for cell in sorted(cells):
        for one, other in combinations(range(len(sides)), 2):
            block = [_moved(cell, one, other, *by) for by in product(range(2), repeat=2)]
            if cells.issuperset(block):
                for left_out in block:
                    yield [".".join(map(str, each)) for each in block if each != left_out]


def _moved(cell: tuple[int, ...], one: int, other: int, by_one: int, by_other: int) -> tuple[int, ...]:
    return tuple(x + by_one * (k == one) + by_other * (k == other) for k, x in enumerate(cell))


def rectangles(n: int) -> Options:
    """A square of n by n cells, to be cut into rectangles no two of which are alike, turned ones included."""
    for width, height in product(range(1, n + 1), repeat=2):
        for x, y in product(range(n - width + 1), range(n - height + 1)):
            cells = [f"{x + a}.{y + b}" for a, b in product(range(width), range(height))]
            yield [*cells, f"~{min(width, height)}x{max(width, height)}"]


def tiles(n: int, colours: int) -> Options:
    """A board of n by n square tiles, which may be turned; sides that meet must show the same colour.

    The tiles are those of a random colouring of the board, so there is a cover. The border may show anything.
    """
    dice = random.Random(n)
    across = {(x, y): dice.randrange(colours) for x, y in product(range(n + 1), range(n))}
    down = {(x, y): dice.randrange(colours) for x, y in product(range(n), range(n + 1))}
    made = [(down[x, y], across[x + 1, y], down[x, y + 1], across[x, y]) for x, y in product(range(n), repeat=2)]
    for (number, tile), (x, y) in product(enumerate(made), product(range(n), repeat=2)):
        for sides in dict.fromkeys(tile[turn:] + tile[:turn] for turn in range(4)):
            meets = {f"~v{x}.{y}": y > 0, f"~h{x + 1}.{y}": x < n - 1, f"~v{x}.{y + 1}": y < n - 1, f"~h{x}.{y}": x > 0}
            shown = [f"{side}:{sides[k]}" for k, (side, inside) in enumerate(meets.items()) if inside]
            yield [f"t{number}", f"{x}.{y}", *shown]


def random_cover(n: int, share: float, seed: int | None = None) -> Options:
    """Sets of three of n things (n is a multiple of three): those of one partition, and a share of all others."""
    dice = random.Random(n if seed is None else seed)
    things = [*range(n)]
    dice.shuffle(things)
    planted = {tuple(sorted(things[k : k + 3])) for k in range(0, n, 3)}
    return [[f"i{k}" for k in some] for some in combinations(range(n), 3) if some in planted or dice.random() < share]


def sudoku(clues: str) -> Options:
    """A sudoku; *clues* is its 81 cells row by row, those that are empty as dots."""
    for (r, c), digit in product(product(range(9), repeat=2), "123456789"):
        if clues[9 * r + c] in (".", digit):
            yield [f"{r}.{c}", f"r{r}={digit}", f"c{c}={digit}", f"b{r // 3 * 3 + c // 3}={digit}"]


def ice(n: int) -> Options:
    """Square ice on a torus of n by n: at each point two arrows lead in, and two out. An arrow is a side's colour."""
    return [
        [f"{r}.{c}", *(f"~{side}:{arrow}" for side, arrow in zip(sides, arrows, strict=True))]
        for r, c in product(range(n), range(n))
        for sides in [(f"h{r}.{c}", f"v{r}.{c}", f"h{r}.{(c + 1) % n}", f"v{(r + 1) % n}.{c}")]
        for arrows in product("ab", repeat=4)
        if arrows[:2].count("a") == arrows[2:].count("a")  # what leads in from the left and from above leads out again
    ]


def jeandel_rao(rows: int, columns: int) -> Options:
    """The eleven tiles of Jeandel and Rao (2015) on a board; their sides are east, north, west and south."""
    words = ("2421", "2220", "1131", "1232", "3133", "0131", "0001", "3102", "0212", "1214", "3312")
    return [
        [f"{r}.{c}", *(f"~{side}:{value}" for side, value in zip(sides, word, strict=True))]
        for r, c in product(range(rows), range(columns))
        for sides in [(f"h{r}.{c + 1}", f"v{r}.{c}", f"h{r}.{c}", f"v{r + 1}.{c}")]
        for word in words
    ]
