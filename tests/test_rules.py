"""Rules on sides and colours against brute force, against the same puzzle posed by geometry, and malformed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

import latcover
from latcover.backends import create
from latcover.lattice import Transformation
from latcover.library import load_lattice
from latcover.puzzle import Part, Puzzle, Region, Rules
from latcover.running import run
from latcover.solve import Choices, prepare
from tests.oracle import Cell, as_tuples, images, moved, step

Side = tuple[Cell, str, int]
Copy = tuple[str, frozenset[tuple[Cell, int]], frozenset[Side]]  # part, cells with colours, sides with values
Solution = frozenset[Copy]


def copies_of(puzzle: Puzzle, part: Part) -> set[Copy]:
    found = set()
    inside = set(as_tuples(puzzle.region.cells))
    for transformation in part.transformations:
        image = images(as_tuples(part.cells), transformation)
        for start in (cell for cell in inside if cell[0] == image[0][0]):
            cells = [moved(cell, step(image[0], start), puzzle.region.period) for cell in image]
            if len(set(cells)) == part.size and set(cells) <= inside:
                colours = frozenset(zip(cells, part.colours.tolist(), strict=True))
                found.add((part.name, colours, sides_of(puzzle, part, transformation, cells)))
    return found


def sides_of(puzzle: Puzzle, part: Part, transformation: Transformation, cells: list[Cell]) -> frozenset[Side]:
    labels = [edge.label for edge in puzzle.lattice.half_edges]
    return frozenset((cells[k], labels[transformation.labels[h]], value) for k, h, value in part.sides.tolist())


def brute_force(puzzle: Puzzle) -> set[Solution]:
    """Every cover of the cells, sifted by the rules when it is finished."""
    cells = as_tuples(puzzle.region.cells)
    free = {cell for cell, may in zip(cells, puzzle.region.optional.tolist(), strict=True) if may}
    copies: dict[Cell, list[tuple[Copy, frozenset[Cell]]]] = {cell: [] for cell in cells}
    for copy in (copy for part in puzzle.parts for copy in copies_of(puzzle, part)):
        own = frozenset(cell for cell, _ in copy[1])
        copies[min(own, key=cells.index)].append((copy, own))
    bounds = {part.name: (part.low, puzzle.most_copies(part)) for part in puzzle.parts}

    def fill(k: int, taken: frozenset[Cell], chosen: tuple[Copy, ...]) -> Iterator[Solution]:
        if k == len(cells):
            yield frozenset(chosen)
            return
        if cells[k] in taken or cells[k] in free:
            yield from fill(k + 1, taken, chosen)
        if cells[k] in taken:
            return
        for copy, own in copies[cells[k]]:
            if not own & taken and sum(name == copy[0] for name, *_ in chosen) < bounds[copy[0]][1]:
                yield from fill(k + 1, taken | own, (*chosen, copy))

    def good(solution: Solution) -> bool:
        names = [name for name, *_ in solution]
        return all(low <= names.count(name) <= high for name, (low, high) in bounds.items()) and obeys(puzzle, solution)

    return {solution for solution in fill(0, frozenset(), ()) if good(solution)}


def obeys(puzzle: Puzzle, solution: Solution) -> bool:
    rules, lattice = puzzle.rules, puzzle.lattice
    owner = {cell: copy for copy in solution for cell, _ in copy[1]}
    colour = {cell: c for copy in solution for cell, c in copy[1]}
    side = {(cell, label): value for copy in solution for cell, label, value in copy[2]}
    apart = {frozenset(pair) for pair in rules.apart}
    for cell, own in owner.items():
        for edge in lattice.half_edges:
            if edge.node != cell[0]:
                continue
            there = moved((edge.target, *cell[1:]), edge.step, puzzle.region.period)
            mine = side.get((cell, edge.label), 0)
            if there not in owner:
                if not rules.open_sides[mine]:
                    return False
            elif owner[there] != own:
                theirs = side.get((there, lattice.half_edges[edge.twin].label), 0)
                if not rules.fits[mine, theirs]:
                    return False
                if frozenset((colour[cell], colour[there])) in apart:
                    return False
        if rules.across_corners:
            for node, *by in lattice.touching[cell[0]]:
                there = moved((node, *cell[1:]), by, puzzle.region.period)
                if owner.get(there, own) != own and frozenset((colour[cell], colour[there])) in apart:
                    return False
    return True


def random_puzzle(random: Random, *, periodic: bool = False) -> Puzzle:
    """A box cut into parts at random, with some sides, colours and optional cells."""
    name, box = random.choice([("square", (2, 3)), ("square", (3, 3)), ("triangular", (2, 2)), ("cubic", (3, 2, 1))])
    lattice = load_lattice(name)
    grid = np.indices((*box, len(lattice.nodes))).reshape(len(box) + 1, -1)
    cells = np.column_stack([grid[-1], *grid[:-1]]).astype(np.int32)
    period = tuple(s if periodic and k == 0 else 0 for k, s in enumerate(box))
    optional = np.array([random.random() < 0.15 for _ in cells])
    region = Region(cells, np.zeros(len(cells), np.int32), optional, period)
    values = random.choice([2, 3])
    fits = np.array([[random.random() < 0.6 for _ in range(values)] for _ in range(values)])
    fits[0, 0] = True
    open_sides = np.array([True, *(random.random() < 0.5 for _ in range(values - 1))])
    apart = random.choice([(), ((1, 1),), ((1, 1), (2, 2)), ((1, 2),)])
    rules = Rules(
        apart=apart,
        across_corners=random.random() < 0.5,
        exchangeable=((1, 2),) if apart in ((), ((1, 1), (2, 2)), ((1, 2),)) and random.random() < 0.5 else (),
        sides=("flat", "key", "lock")[:values],
        fits=fits | fits.T,
        open_sides=open_sides,
    )
    left = [tuple(cell) for cell in cells.tolist()]
    parts = []
    while left:
        piece = [left.pop(random.randrange(len(left)))]
        for _ in range(random.randrange(1, 4)):
            near = [c for c in left if any(_adjacent(lattice.half_edges, own, c) for own in piece)]
            if near:
                piece.append(random.choice(near))
                left.remove(piece[-1])
        sides = _random_sides(random, lattice.half_edges, piece, values)
        colours = np.full(len(piece), random.randrange(3), np.int32)
        low = random.choice([0, 1, 1, 1])
        shape = np.array(piece, dtype=np.int32)
        how = random.choice(["reflections", "rotations", "fixed"])
        parts.append(Part(f"p{len(parts)}", shape, colours, low, 1, lattice.allowed(how), sides))
    shown = {int(part.colours[0]) for part in parts}  # rules may name no other colours
    apart = tuple(pair for pair in rules.apart if set(pair) <= shown)
    exchangeable = rules.exchangeable if {1, 2} <= shown and apart == rules.apart else ()
    rules = replace(rules, apart=apart, exchangeable=exchangeable)
    return Puzzle("random", lattice, region, tuple(parts), colours=("", "red", "blue"), rules=rules)


def _adjacent(half_edges: object, a: Cell, b: Cell) -> bool:
    return any(
        e.node == a[0] and b == (e.target, *(x + s for x, s in zip(a[1:], e.step, strict=True)))
        for e in half_edges  # type: ignore[attr-defined]
    )


def _random_sides(random: Random, half_edges: object, piece: list[Cell], values: int) -> np.ndarray:  # type: ignore[type-arg]
    rows = []
    for k, cell in enumerate(piece):
        for h, edge in enumerate(half_edges):  # type: ignore[var-annotated, arg-type]
            there = (edge.target, *(x + s for x, s in zip(cell[1:], edge.step, strict=True)))
            if edge.node == cell[0] and there not in piece and random.random() < 0.25:
                rows.append((k, h, random.randrange(1, values)))
    return np.array(rows, dtype=np.int32).reshape(-1, 3)


def listed(puzzle: Puzzle, symmetry: str) -> tuple[list[Solution], int, int]:
    """What latcover lists with --images, in the form of the brute force; and its figures."""
    number = {name: value for value, name in enumerate(puzzle.rules.sides)}
    colour = {name: value for value, name in enumerate(puzzle.colours)}
    found: list[Solution] = []

    def keep(solution: latcover.Solution) -> None:
        copies = []
        for placed in solution.placements:
            names = placed.colours or ("",) * len(placed.cells)
            cells = frozenset((cell, colour[name]) for cell, name in zip(placed.cells, names, strict=True))
            copies.append((placed.part, cells, frozenset((c, edge, number[v]) for c, edge, v in placed.sides)))
        found.append(frozenset(copies))

    answer = run(prepare(puzzle, Choices(symmetry=symmetry)), create("dlx"), on_solution=keep, images=True)  # type: ignore[arg-type]
    return found, answer.different, answer.total


def test_random_puzzles_agree_with_brute_force() -> None:
    solvable = symmetric = 0
    for seed in range(300):
        puzzle = random_puzzle(Random(seed), periodic=seed % 4 == 0)
        if not any(True for _ in _fits_by_volume(puzzle)):
            continue
        if math.prod(1 + len(copies_of(puzzle, part)) for part in puzzle.parts) > 20_000:
            continue
        expected = brute_force(puzzle)
        for symmetry in ("none", "all") if expected else ("all",):
            found, different, total = listed(puzzle, symmetry)
            assert len(found) == len(set(found)) == total, seed
            assert set(found) == expected, seed
            symmetric += different < total
        solvable += bool(expected)
    assert solvable > 60
    assert symmetric > 20


def _fits_by_volume(puzzle: Puzzle) -> Iterator[bool]:
    from latcover.checks import complaints_about

    if all(complaint.warning for complaint in complaints_about(puzzle)):
        yield True


def test_keys_and_locks_by_rule_and_by_geometry_agree(tmp_path: Path) -> None:
    """A cell becomes a block of 3 by 3; a key is a further cell before the side's middle, a lock a missing one."""
    solvable = 0
    for seed in range(60):
        by_rule, by_geometry = (
            latcover.load(str(_written(tmp_path / f"{seed}-{form}.toml", text)))
            for form, text in zip("ab", _two_forms(Random(seed)), strict=True)
        )
        for symmetry in ("none", "all"):
            answers = [
                latcover.count(puzzle, choices=Choices(symmetry=symmetry))
                for puzzle in (by_rule, by_geometry)  # type: ignore[arg-type]
            ]
            assert (answers[0].different, answers[0].total) == (answers[1].different, answers[1].total), seed
        solvable += answers[0].total > 0
    assert solvable > 20


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _two_forms(random: Random) -> tuple[str, str]:
    """Two or three pieces of a rectangle, with keys and locks where they meet, in both forms."""
    rows, columns = random.choice([(2, 2), (2, 3), (3, 3)])
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    owner = {cell: random.randrange(3) for cell in cells}
    steps = {"north": (-1, 0), "south": (1, 0), "west": (0, -1), "east": (0, 1)}
    twins = {"north": "south", "south": "north", "west": "east", "east": "west"}
    sides: dict[tuple[tuple[int, int], str], str] = {}
    for cell in cells:
        for edge in ("south", "east"):
            there = (cell[0] + steps[edge][0], cell[1] + steps[edge][1])
            if there in owner and owner[there] != owner[cell] and random.random() < 0.7:
                key = random.random() < 0.5
                sides[cell, edge] = "key" if key else "lock"
                sides[there, twins[edge]] = "lock" if key else "key"
    rule = 'name = "a"\nlattice = "square"\n[sides]\nkeys = ["key"]\nlocks = ["lock"]\nfits = { key = ["lock"] }\n'
    rule += f"may_look_out = []\n[region]\nbox = [{rows}, {columns}]\n"
    blocks = [f"[{r}, {c}]" for r in range(3 * rows) for c in range(3 * columns)]
    kinds = ['"m"' if r % 3 == c % 3 == 1 else '"r"' for r in range(3 * rows) for c in range(3 * columns)]
    geometry = 'name = "b"\nlattice = "square"\n[colours]\nM = "m"\nR = "r"\n[region]\n'
    geometry += f"cells = [{', '.join(blocks)}]\ncolours = [{', '.join(kinds)}]\n"
    for part in sorted(set(owner.values())):
        own = [cell for cell in cells if owner[cell] == part]
        mine = [(cell, edge, value) for (cell, edge), value in sides.items() if cell in own]
        rule += f'[[parts]]\nname = "p{part}"\ncells = {[list(cell) for cell in own]}\nsides = ['
        rule += ", ".join(f'{{ cell = {list(c)}, edge = "{e}", is = "{v}" }}' for c, e, v in mine) + "]\n"
        fine = {(3 * r + i, 3 * c + j) for r, c in own for i in range(3) for j in range(3)}
        for (r, c), edge, value in mine:
            dr, dc = steps[edge]
            middle = (3 * r + 1 + dr, 3 * c + 1 + dc)
            if value == "lock":
                fine.remove(middle)
            else:
                fine.add((middle[0] + dr, middle[1] + dc))
        tints = ['"m"' if r % 3 == c % 3 == 1 else '"r"' for r, c in sorted(fine)]
        geometry += f'[[parts]]\nname = "p{part}"\ncells = {[list(cell) for cell in sorted(fine)]}\n'
        geometry += f"colours = [{', '.join(tints)}]\n"
    return rule, geometry


def test_discs_by_keys_and_as_pure_exact_cover() -> None:
    """Two instance files pose the cylinder: with lengths of keys and equal discs merged, and as cells, told apart."""
    merged, labelled = latcover.load("disc-cylinder"), latcover.load("disc-cylinder-labelled")
    shapes = {frozenset(as_tuples(part.cells)) for part in merged.parts}
    assert shapes == {frozenset(as_tuples(part.cells)) for part in labelled.parts}
    assert latcover.count(merged).total * 4 == latcover.count(labelled).total == 87_904


def test_size_is_complete_on_stairs() -> None:
    """The paper's SZ found nothing where a part is left over."""
    prepared = prepare(latcover.load("pent-stairs"), Choices(symmetry="rotations"))
    assert run(prepared, create("dlx", size=True)).different == 640


BASE = """name = "x"
lattice = "square"
{top}
[region]
{box}
{region}
[[parts]]
name = "a"
art = ["XX"]
{part}
[[parts]]
name = "b"
art = ["XX"]
transformations = "rotations"
"""

MALFORMED = {
    "a key without a table": ({"top": '[sides]\nkeys = ["k"]'}, "fits"),
    "a table of an unknown key": (
        {"top": '[sides]\nkeys = ["k"]\nlocks = ["l"]\nfits = { kk = ["l"] }'},
        "no key 'kk'",
    ),
    "an unknown lock": ({"top": '[sides]\nkeys = ["k"]\nlocks = ["l"]\nfits = { k = ["m"] }'}, "no lock 'm'"),
    "a key named twice": ({"top": '[sides]\nkeys = ["k", "k"]\nfits = { k = [] }'}, "'k' is named twice"),
    "an unknown group": ({"top": '[sides]\nflat_meets = ["keys", "holes"]'}, "holes"),
    "a side of unknown value": ({"part": 'sides = [{ cell = [0, 0], edge = "west", is = "k" }]'}, "no key or lock 'k'"),
    "a side of no cell": ({"part": 'sides = [{ cell = [5, 0], edge = "west", is = "flat" }]'}, "no cell of the part"),
    "a side within": ({"part": 'sides = [{ cell = [0, 0], edge = "east", is = "flat" }]'}, "cell of the part itself"),
    "an unknown edge": ({"part": 'sides = [{ cell = [0, 0], edge = "wst", is = "flat" }]'}, "did you mean 'west'"),
    "a colour that nothing names": ({"top": '[rules]\napart = ["red"]'}, "no colour 'red'"),
    "a part of unknown colour": ({"part": 'colour = "red"'}, "no colour 'red'"),
    "unknown way to touch": ({"top": '[rules]\nacross = "edges"'}, "corners"),
    "one colour exchanged": ({"top": '[colours]\nR = "red"\n[rules]\nexchangeable = [["red"]]'}, "two or more"),
    "colours that differ by rule": (
        {"top": '[colours]\nR = "red"\nB = "blue"\n[rules]\napart = ["red"]\nexchangeable = [["red", "blue"]]'},
        "differently",
    ),
    "a rule on a colour that no part has": ({"top": '[colours]\nR = "red"\n[rules]\napart = ["red"]'}, "no part has"),
    "a colour that no cell has": (
        {
            "top": '[colours]\nR = "red"\nB = "blue"',
            "region": "",
            "part": 'colour = "red"',
            "box": 'art = ["BB", "BB"]',
        },
        "no cell of the region takes it",
    ),
    "min above max": ({"part": "min = 3\nmax = 2"}, "above max"),
    "a negative period": ({"region": "period = [-1, 0]"}, "period"),
    "a period too short": ({"region": "period = [1, 0]"}, "fall on each other"),
    "a scale of nought": ({"region": "scale = [0, 1]"}, "sizes of 1 or more"),
    "a key into its own part": ({"part": 'keys = [{ cell = [0, 0], edge = "east", length = 1 }]'}, "its own part"),
    "a lock outside": ({"part": "locks = [[7, 7]]"}, "no cell of the part"),
    "locks alone": ({"part": "locks = [[0, 0], [0, 1]]"}, "nothing of the part"),
    "a key of no length": ({"part": 'keys = [{ cell = [0, 0], edge = "west", length = 0 }]'}, "from 1"),
    "an unknown rule": ({"top": "[rules]\napartt = []"}, "did you mean 'apart'"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed_rules_are_named(case: str, tmp_path: Path) -> None:
    pieces, message = MALFORMED[case]
    path = _written(
        tmp_path / "x.toml", BASE.format(**{"box": "box = [2, 2]", "top": "", "region": "", "part": "", **pieces})
    )
    with pytest.raises(latcover.PuzzleFileError) as caught:
        latcover.load(str(path))
    told = [str(complaint) for complaint in caught.value.complaints]
    assert any(message in line for line in told), told
    assert all(complaint.line for complaint in caught.value.complaints)
