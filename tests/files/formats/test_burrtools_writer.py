"""BurrTools files that latcover writes: they are read again as the same puzzles, with the same solutions.

What no such file can say is refused. Stored solutions are also read by plain geometry, without any code of latcover.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import numpy as np
import pytest
from msgspec.structs import replace

from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.orientation import orientations
from latcover.core.model.puzzle import Bounds, Part, Puzzle, Region, as_cells
from latcover.core.model.puzzle_checks import cannot_fill
from latcover.core.model.solution import Solution
from latcover.core.solving.count import count
from latcover.core.solving.solutions import solutions
from latcover.errors import LatcoverError, PuzzleError, PuzzleFileError, UnsupportedError
from latcover.files.exchange.written_solutions import searched_solutions
from latcover.files.formats.burrtools.burrtools_solutions import read_assemblies, read_disassemblies, read_solutions
from latcover.files.formats.burrtools.burrtools_turns import turns
from latcover.files.formats.burrtools.burrtools_writer import write
from latcover.files.formats.burrtools.grids import GRIDS, GridOnLattice, motions_of
from latcover.files.formats.forms import SolutionStream, WriteOptions
from latcover.files.formats.library import load, load_all, load_lattice
from latcover.files.formats.source import source_at
from latcover.lab.assembly.taking_apart import disassemble
from tests import burrtools_oracle as oracle
from tests.burrtools_oracle import PRISMS, RHOMBIC, SPHERES, TETRAOCTA
from tests.command_line import run
from tests.dice import Dice, cases
from tests.random_puzzles import Features, random_puzzle
from tests.shipped import rest_long
from tests.web_jobs import answer_to, file_in

BOUNDS = Bounds()
LATTICES = [grid.lattice for grid in GRIDS.values()]


def searched(puzzle: Puzzle, choices: Choices = Choices()) -> SolutionStream:
    return searched_solutions(lambda: prepare(puzzle, choices))


def burr_taken_apart() -> SolutionStream:
    return searched_solutions(lambda: prepare(load("burr-dubois")), disassemble=disassemble)


def file_of(folder: Path, puzzles: Sequence[Puzzle], *streams: SolutionStream) -> Path:
    path = folder / "written.xmpuzzle"
    path.write_bytes(b"".join(write(puzzles, WriteOptions(solutions=streams))))
    return path


def tree(path: Path) -> Element:
    return fromstring(gzip.decompress(path.read_bytes()))


# ---- the same puzzle


def number(puzzle: Puzzle, own: bool) -> list[int]:
    """The number in a file of each colour of a puzzle; of one that was read, its name ends with it."""
    return [0, *(k if own else int(name.split()[1]) for k, name in enumerate(puzzle.colours[1:], 1))]


def meaning(puzzle: Puzzle, own: bool) -> Any:
    """All that a BurrTools file says of a puzzle, wherever its shapes lie; *own*, of a puzzle before it is written."""
    region, colour = puzzle.region, np.array(number(puzzle, own))
    corner = region.cells[:, 1:].min(axis=0)
    cells = {
        (int(cell[0]), *(cell[1:] - corner).tolist()): (int(colour[k]), bool(free))
        for cell, k, free in zip(region.cells, region.colours, region.optional, strict=True)
    }
    rules = {(int(colour[p]), int(colour[r])) for p, r in puzzle.rules.stands_on}
    used = {int(colour[k]) for part in puzzle.parts for k in part.colours}
    meets = {(p, r) for p in used - {0} for r, _ in cells.values() if r and (p == r or (p, r) in rules)}
    return cells, meets, _empty(puzzle), [_of_part(puzzle, part, colour) for part in puzzle.parts if high(puzzle, part)]


def _empty(puzzle: Puzzle) -> int | None:
    """How many cells may stay empty, where this is not clear anyway."""
    ranged = any(part.low != high(puzzle, part) for part in puzzle.parts)
    most, free = puzzle.region.max_empty, int(puzzle.region.optional.sum())
    return most if ranged and most is not None and most < free else None


def high(puzzle: Puzzle, part: Part) -> int:
    return max(puzzle.most_copies(part), part.low) if part.high is None else part.high


def _of_part(puzzle: Puzzle, part: Part, colour: Any) -> Any:
    most = high(puzzle, part)
    groups = [most if n is None else min(n, most) for _, n in part.groups]
    painted = replace(part, colours=colour[part.colours].astype(np.int32))
    shapes = {each.key for each in orientations(painted, (0, 1, 2))}
    return part.name, part.low, most, part.weight, groups, shapes


def turned_as_burrtools_does(puzzle: Puzzle) -> Puzzle:
    (grid,) = [grid for grid in GRIDS.values() if grid.lattice == puzzle.lattice.name]
    frame = GridOnLattice.of(grid, puzzle.lattice)
    parts = [
        replace(part, transformations=motions_of(grid, puzzle.lattice, frame.places_of(part.cells)))
        for part in puzzle.parts
    ]
    return replace(puzzle, parts=tuple(parts))


def with_groups(dice: Dice, puzzle: Puzzle) -> Puzzle:
    def groups(part: Part) -> tuple[tuple[str, int | None], ...]:
        names = dice.shuffled(["group 2", "frame", "key"])[: dice.pick([0, 0, 1, 2])]
        return tuple((name, dice.pick([None, 1])) for name in names)

    parts = [replace(part, groups=groups(part), weight=dice.pick([1, 1, 5, -3])) for part in puzzle.parts]
    return replace(puzzle, parts=tuple(parts))


def with_rules(dice: Dice, puzzle: Puzzle) -> Puzzle:
    """Colours that may stand on others."""
    n = range(1, len(puzzle.colours))
    pairs = frozenset((p, r) for p in n for r in n if p != r and dice.chance(40))
    return replace(puzzle, rules=replace(puzzle.rules, stands_on=pairs))


def made(lattice: str) -> Any:
    def make(dice: Dice) -> Puzzle:
        features = Features(coloured=dice.chance(40), loose=dice.chance(40), spare=dice.chance(40), holes=True)
        puzzle = with_groups(dice, random_puzzle(dice, load_lattice(lattice), features))
        return turned_as_burrtools_does(with_rules(dice, puzzle) if features.coloured else puzzle)

    return make


@pytest.mark.parametrize("lattice", LATTICES)
def test_random_puzzles_are_read_again(lattice: str, tmp_path: Path) -> None:
    written = 0

    @cases(8, puzzle=made(lattice))
    def compare(puzzle: Puzzle) -> None:
        nonlocal written
        try:
            path = file_of(tmp_path, [puzzle])
        except UnsupportedError:  # max_empty without ranges; spheres that are not connected
            return
        written += 1
        try:
            expected = count(puzzle)
            if cannot_fill(puzzle):
                with pytest.raises(PuzzleFileError, match="volume"):
                    load(str(path))
                return
        except LatcoverError:
            return  # it has rules for colours that it does not use, which the file leaves out
        again = load(str(path))
        assert meaning(again, own=False) == meaning(puzzle, own=True)
        found = count(again)
        assert (found.different, found.total, found.symmetries) == (
            expected.different,
            expected.total,
            expected.symmetries,
        )
        assert again.name == puzzle.name

    compare()
    assert written > 3


@pytest.mark.parametrize("lattice", LATTICES)
@cases(4, dice=lambda dice: dice)
def test_what_is_not_refused_has_as_many_solutions(lattice: str, tmp_path: Path, dice: Dice) -> None:
    """Puzzles with all features: parts that may not be turned or may be reflected, rings, keys and locks, rules."""
    features = Features(*(dice.chance(25) for _ in range(7)))
    puzzle = random_puzzle(dice, load_lattice(lattice), features)
    try:
        expected, path = count(puzzle), file_of(tmp_path, [puzzle])
    except LatcoverError:
        return
    found = count(load(str(path)))
    assert (found.different, found.total) == (expected.different, expected.total)


FIT = ("soma", "bedlam", "slothouber-graatsma", "burr-piston", "burr-dubois", "sphere-pyramid")


@pytest.mark.parametrize("name", rest_long(FIT, ["soma", "burr-piston", "sphere-pyramid"]))
def test_shipped_puzzles_with_their_solutions(name: str, tmp_path: Path) -> None:
    puzzle = load(name)
    path = file_of(tmp_path, [puzzle], searched(puzzle))
    again = load(str(path))
    assert meaning(again, own=False) == meaning(puzzle, own=True)
    assert stored(path, puzzle) == {placed(solution, puzzle) for solution in solutions(puzzle)}


# ---- solutions


def placed(solution: Solution, puzzle: Puzzle) -> frozenset[Any]:
    """A solution as sets of cells, wherever the region lies."""
    corner = puzzle.region.cells[:, 1:].min(axis=0).tolist()

    def moved(cell: tuple[int, ...]) -> tuple[int, ...]:
        return (cell[0], *(x - low for x, low in zip(cell[1:], corner, strict=True)))

    return frozenset((each.part, frozenset(map(moved, each.cells))) for each in solution.placements)


def stored(path: Path, puzzle: Puzzle) -> set[frozenset[Any]]:
    """The stored solutions, which the reader verifies; the file says how many they are."""
    (found,) = read_assemblies(source_at(path), BOUNDS).values()
    (problem,) = tree(path).iter("problem")
    assert problem.attrib["state"] == "2"
    assert problem.attrib["assemblies"] == str(len(found))
    assert (f"BurrTools found {len(found):,} assemblies") in load(str(path)).source
    again = load(str(path))
    return {placed(solution, again) for solution in found}


def turn_of_a_piece(grid: int, k: int) -> np.ndarray:
    """Rotations by their numbers, in space, as BurrTools' notes on its symmetries have them."""
    x, y, z = (oracle.turn(axis, np.pi / 2) for axis in np.eye(3))
    if grid == PRISMS:
        half = np.diag([-1.0, 1.0, -1.0])
        return oracle.turn((0, 0, 1), k % 6 * np.pi / 3) @ (half if k > 5 else np.eye(3))
    if grid == SPHERES:
        return turns("fcc")[k]  # of which test_numbers_of_rotations has examples
    first = [np.eye(3), y.T, y @ y, y, z, z.T][k // 4]
    return first @ np.linalg.matrix_power(x, k % 4)


def point(grid: int, place: Sequence[int]) -> np.ndarray:
    """Where the middle of any place lies in the space of `oracle.corners`."""
    if grid == PRISMS:
        return oracle.corners(grid, tuple(place)).mean(axis=0)
    scale, middle = {RHOMBIC: (0.4, 2.0), TETRAOCTA: (2 / 3, 1.0)}.get(grid, (1.0, 0.0))
    return scale * (np.array(place) - middle)


def check_by_geometry(path: Path) -> int:
    """Put the pieces of each stored solution where the file says; how many solutions there are."""
    root, found = tree(path), 0
    (kind,) = root.iter("gridType")
    grid = int(kind.attrib["type"])
    shapes = [voxels(element) for element in root.iter("voxel")]
    for problem in root.iter("problem"):
        uses = [(int(use.attrib["id"]), int(use.get("count", use.get("max", 1)))) for use in problem.iter("shape")]
        slots = [index for index, many in uses for _ in range(many)]
        (result,) = problem.iter("result")
        goal = {oracle.cell_of(oracle.corners(grid, p)): free for p, free in shapes[int(result.attrib["id"])][0]}
        for assembly in problem.iter("assembly"):
            words = iter((assembly.text or "").split())
            covered: list[oracle.Cell] = []
            for index in slots:
                word = next(words)
                if word == "x":
                    continue
                place, turn = (int(word), int(next(words)), int(next(words))), turn_of_a_piece(grid, int(next(words)))
                shape, hotspot = shapes[index]
                covered += [
                    oracle.cell_of((oracle.corners(grid, p) - point(grid, hotspot)) @ turn.T + point(grid, place))
                    for p, _ in shape
                ]
            assert next(words, None) is None
            assert len(set(covered)) == len(covered)
            assert set(covered) <= goal.keys()
            assert all(free for cell, free in goal.items() if cell not in covered)
            found += 1
    return found


def voxels(element: Element) -> tuple[list[tuple[oracle.Place, bool]], oracle.Place]:
    """The places of a shape and whether each may stay empty; and its hotspot."""
    x, y = (int(element.attrib[axis]) for axis in "xy")
    signs = re.findall(r"[_#+](?=\d*)", element.text or "")
    places = [((k % x, k // x % y, k // (x * y)), sign == "+") for k, sign in enumerate(signs) if sign != "_"]
    return places, (int(element.get("hx", 0)), int(element.get("hy", 0)), int(element.get("hz", 0)))


@pytest.mark.parametrize("lattice", rest_long(LATTICES, {*LATTICES} - {"rhombic"}))
def test_stored_solutions_of_random_puzzles(lattice: str, tmp_path: Path) -> None:
    """All solutions are stored and read again; plain geometry finds each piece in its place."""
    looked_at = 0

    @cases(4, puzzle=made(lattice))
    def compare(puzzle: Puzzle) -> None:
        nonlocal looked_at
        try:
            path = file_of(tmp_path, [puzzle], searched(puzzle, Choices("none")))
            expected = {placed(solution, puzzle) for solution in solutions(puzzle, choices=Choices("none"))}
        except LatcoverError:
            return
        if len(expected) > 60:
            return
        assert stored(path, puzzle) == expected
        looked_at += check_by_geometry(path)

    compare()
    assert looked_at


def test_numbers_of_rotations() -> None:
    """Examples from the program's public tables, and how many rotations each grid has."""
    assert [len(turns(lattice)) for lattice in LATTICES] == [24, 12, 120, 24, 24]
    for lattice in LATTICES:
        found = turns(lattice)
        assert len({np.round(turn, 6).tobytes() for turn in found + 0.0}) == len(found)
        assert np.allclose(np.linalg.det(found), 1)
    assert turns("cubic")[[5, 14, 23]].astype(int).tolist() == [
        [[0, -1, 0], [0, 0, -1], [1, 0, 0]],
        [[0, 0, -1], [0, -1, 0], [-1, 0, 0]],
        [[0, 0, 1], [-1, 0, 0], [0, -1, 0]],
    ]
    assert np.rint(3 * turns("fcc")[[7, 21, 24, 63, 119]]).astype(int).tolist() == [
        [[0, -3, 0], [0, 0, -3], [3, 0, 0]],
        [[-3, 0, 0], [0, 3, 0], [0, 0, -3]],
        [[1, 2, 2], [-2, -1, 2], [2, -2, 1]],
        [[2, 2, -1], [2, -1, 2], [1, -2, -2]],
        [[-2, 1, 2], [-1, 2, -2], [-2, -2, -1]],
    ]
    assert np.allclose(turns("triprism")[8][:2, :2], [[0.5, -(0.75**0.5)], [-(0.75**0.5), -0.5]])


def test_a_layer_of_spheres_is_turned_by_a_sixth(tmp_path: Path) -> None:
    """Four spheres in a layer come to lie upside down in it by no rotation of the lattice, but by three sixth turns."""
    fcc = load_lattice("fcc")
    cells = as_cells([(0, 0, 0, 0), (0, 0, 1, 0), (0, 0, 2, 0), (0, 1, 0, 0)], 3)
    part = Part("L", cells, np.zeros(4, np.int32), 1, 1, fcc.allowed("reflections"))
    puzzle = Puzzle("layer", fcc, Region(-cells), (part,))
    path = file_of(tmp_path, [puzzle], searched(puzzle))
    assert len(stored(path, puzzle)) == check_by_geometry(path) == 1
    (assembly,) = tree(path).iter("assembly")
    assert int((assembly.text or "").split()[3]) > 23


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<assembly>0 ", "<assembly>1 ", "stored solution 1 is not a solution: "),
        (" 0 2 0 1 ", " 0 2 0 99 ", "there is no rotation"),
        ("</assembly>", " 0 0 0 0</assembly>", "stored solution 1 has 8 pieces; the problem uses 7"),
    ],
)
def test_stored_solutions_that_are_none(old: str, new: str, message: str, tmp_path: Path) -> None:
    path = file_of(tmp_path, [load("soma")], searched(load("soma")))
    text = gzip.decompress(path.read_bytes()).decode()
    if old.startswith(" "):
        text = re.sub(r"<assembly>(\d+ \d+ \d+) \d+", r"<assembly>\1 99", text, count=1)
    else:
        text = text.replace(old, new, 1)
    path.write_text(text)
    with pytest.raises(PuzzleFileError, match=message):
        read_assemblies(source_at(path), BOUNDS)


# ---- several problems, and what is refused

PAIR = """
name = "pair"
lattice = "cubic"
[[parts]]
name = "I"
count = 2
layers = [["XX"]]
[[puzzles]]
name = "flat"
region = { box = [2, 2, 1] }
[[puzzles]]
name = "with a square"
region = { box = [2, 2, 2] }
parts = [{ name = "O", layers = [["XX", "XX"]] }]
"""


def test_several_problems_share_their_shapes(tmp_path: Path) -> None:
    (tmp_path / "pair.toml").write_text(PAIR)
    puzzles = load_all(str(tmp_path / "pair.toml"))
    path = file_of(tmp_path, puzzles)
    assert [len(list(tree(path).iter(name))) for name in ("voxel", "problem")] == [4, 2]
    again = load_all(str(path))
    for old, new in zip(puzzles, again, strict=True):
        assert (old.name, meaning(old, own=True)) == (new.name, meaning(new, own=False))
    other = replace(puzzles[1], parts=(replace(puzzles[1].parts[1], name="I", low=2, high=2),))
    again = load_all(str(file_of(tmp_path, [puzzles[0], other])))
    assert [[part.name for part in puzzle.parts] for puzzle in again] == [["I"], ["I"]]  # though they are two shapes
    with pytest.raises(PuzzleError, match="two puzzles have the same name"):
        write([puzzles[0], puzzles[0]])
    with pytest.raises(PuzzleError, match="different lattices"):
        write([puzzles[0], load("sphere-pyramid")])
    with pytest.raises(PuzzleError, match="no puzzle to write"):
        write([])


def with_part(puzzle: Puzzle, **changes: Any) -> Puzzle:
    return replace(puzzle, parts=(replace(puzzle.parts[0], **changes), *puzzle.parts[1:]))


def with_values(puzzle: Puzzle, **changes: Any) -> Puzzle:
    """The puzzle with a side value that meets itself alone."""
    rules = replace(puzzle.rules, sides=("flat", "amber"), fits=np.eye(2, dtype=np.bool_), open_sides=np.ones(2, bool))
    return replace(puzzle, rules=replace(rules, **changes))


CANNOT: dict[str, Any] = {
    "the region closes on itself": lambda p: replace(p, region=replace(p.region, period=(3, 0, 0))),
    "part 'V' may not be rotated in every way": lambda p: with_part(p, transformations=p.lattice.allowed("fixed")),
    "sides of its parts have values that must fit: amber": lambda p: with_part(
        with_values(p), sides=np.array([[0, 0, 1]], dtype=np.int32)
    ),
    "its region asks for values on sides": lambda p: with_values(p, asked=(((0, 0, 0, 0), 0, 1),)),
    "flat sides may not meet, or may not lie at the rim": lambda p: with_values(p, rim=1),
    "some colours may not touch": lambda p: replace(p, rules=replace(p.rules, apart=((1, 1),))),
    "some colours are exchangeable": lambda p: replace(p, rules=replace(p.rules, exchangeable=((1, 2),))),
    "has a name that cannot be read again": lambda p: with_part(p, name="V" * 101),
    "its name cannot be read again": lambda p: replace(p, name="a\nb"),
    "may be used 70,000 times, and BurrTools counts to 65,535": lambda p: with_part(p, low=0, high=70_000),
    "no part can be used": lambda p: replace(p, parts=(replace(p.parts[0], low=0, high=0),)),
    "max_empty is 0, but 1 cells stay empty": lambda p: replace(
        with_part(p, low=0, high=0), region=replace(p.region, max_empty=0, optional=np.ones(27, np.bool_))
    ),
    "there are 64 colours, and BurrTools has at most 63": lambda p: replace(
        p, colours=("", *(f"c{k}" for k in range(64)))
    ),
    "the cells of part 'V' need a box of 998,001,000 voxels": lambda p: with_part(
        p, cells=np.array([[0, 0, 0, 0], [0, 0, 0, 1], [0, 999, 998, 998]], dtype=np.int32)
    ),
}


@pytest.mark.parametrize("message", CANNOT)
def test_what_burrtools_cannot_say(message: str) -> None:
    puzzle = CANNOT[message](load("soma"))
    with pytest.raises(
        UnsupportedError, match=f"no BurrTools file can say this: .*{message.replace('1 cells', '.* cells')}"
    ):
        write([puzzle])


def test_the_command_writes_all_problems(tmp_path: Path) -> None:
    """Or the one that is chosen; with solutions if asked; and says what it cannot do."""
    (tmp_path / "pair.toml").write_text(PAIR)
    file, out = str(tmp_path / "pair.toml"), tmp_path / "pair.xmpuzzle"
    assert run("export", file, "--output", str(out), "--solutions").returncode == 0
    assert [problem.attrib["assemblies"] for problem in tree(out).iter("problem")] == ["1", "1"]
    assert (
        run("export", file, "--output", str(out), "--problem", "flat", "--solutions", "--symmetry", "none").returncode
        == 0
    )
    assert [problem.attrib["assemblies"] for problem in tree(out).iter("problem")] == ["2"]
    assert run("count", str(out)).stdout.startswith("flat: 1 solution different")
    for options, message in (
        (["--symmetry", "all"], "--symmetry has no meaning for the form 'xmpuzzle' without --solutions"),
        (["--order", "0,1,2"], "--order has no meaning for the form 'xmpuzzle'"),
        (["--encoding", "pairwise"], "has no option --encoding"),
    ):
        told = run("export", file, "xmpuzzle", "--output", str(out), *options)
        assert told.returncode == 1
        assert message in told.stderr


def test_the_web_app_sends_it(tmp_path: Path) -> None:
    job = {"task": "export", "form": "xmpuzzle", "subject": {"form": "shipped", "name": "soma"}}
    answer, messages = answer_to(job)
    assert answer["name"] == "soma.xmpuzzle"
    (tmp_path / "soma.xmpuzzle").write_bytes(file_in(messages))
    assert meaning(load(str(tmp_path / "soma.xmpuzzle")), own=False) == meaning(load("soma"), own=True)


def test_a_search_that_was_stopped_is_not_called_solved(tmp_path: Path) -> None:
    stream = searched_solutions(lambda: prepare(load("soma")), cancelled=lambda: True)
    path = file_of(tmp_path, [load("soma")], stream)
    (problem,) = tree(path).iter("problem")
    assert problem.attrib["state"] == "1"
    assert "BurrTools found" not in load(str(path)).source


def test_solutions_of_a_run(tmp_path: Path) -> None:
    """All of them; or those found until now, which the file does not call all."""
    kept, out = str(tmp_path / "soma.run"), tmp_path / "soma.xmpuzzle"
    assert run("solve", "soma", "--run", kept, "--limit", "3", "-q").returncode == 3
    assert run("runs", "solutions", kept, "--output", str(out)).returncode == 0
    (problem,) = tree(out).iter("problem")
    assert (problem.attrib["state"], problem.attrib["assemblies"]) == ("1", "3")
    done = str(tmp_path / "done.run")
    assert run("solve", "soma", "--run", done, "-q").returncode == 0
    assert run("runs", "solutions", done, "--output", str(out)).returncode == 0
    assert len(stored(out, load("soma"))) == 240


def test_titles_and_names_stand_in_the_comment(tmp_path: Path) -> None:
    soma = with_part(load("soma"), groups=(("frame & key", None),), display_colour="dark red")
    spare = replace(soma.parts[1], name="spare", low=0, high=0)
    puzzle = replace(soma, parts=(*soma.parts, spare))
    (comment,) = tree(file_of(tmp_path, [puzzle])).iter("comment")
    assert comment.text is not None
    assert comment.text.startswith(f"What latcover adds:\n{puzzle.title}")
    assert "Groups: 1 frame & key" in comment.text
    assert f"Display colours: {soma.parts[0].name} dark red" in comment.text
    assert "Left out, as no copy can be used: spare" in comment.text


def test_every_obstacle_is_named() -> None:
    with pytest.raises(UnsupportedError, match="no grid for the lattice 'square'; it has cubes"):
        write([load("pent-10x6")])
    reflected = load("soma")
    reflections = reflected.lattice.allowed("reflections")
    parts = tuple(replace(part, transformations=reflections) for part in reflected.parts)
    with pytest.raises(UnsupportedError, match=r"part 'A' may be reflected.*; part 'B' may be reflected") as told:
        write([replace(reflected, parts=parts)])
    assert "'T'" not in str(told.value)  # which is its own mirror image


# ---- how solutions come apart


@pytest.mark.parametrize("name", ["burr-dubois", "burr-piston", "sphere-pyramid"])
def test_disassemblies_are_stored_and_read_again(name: str, tmp_path: Path) -> None:
    """Every move that was read is made by the checker, whoever wrote it."""
    path = tmp_path / "apart.xmpuzzle"
    done = run("export", name, "--output", str(path), "--solutions", "--take-apart")
    assert done.returncode == 0, done.stderr
    (stored,) = read_disassemblies(source_at(path), BOUNDS).values()
    for solution, plan in stored:
        ours = disassemble(solution)
        assert (plan is not None) == (ours.result == "apart")
        assert plan is None or (plan.level, len(plan.steps)) == (ours.level, len(ours.steps))
    (problem,) = tree(path).iter("problem")
    assert problem.get("solutions") == str(sum(plan is not None for _, plan in stored)) != "0"
    far = [abs(int(x)) for d in "xyz" for e in tree(path).iter(f"d{d}") for x in str(e.text).split()]
    assert max(far) > 10_000  # from there on a piece is away


def test_stored_disassemblies_are_shown(tmp_path: Path) -> None:
    path = str(file_of(tmp_path, [load("burr-dubois")], burr_taken_apart()))
    shown = run("apart", "--stored", path).stdout
    assert re.match(r"solution (\d): level 6.4, .*\nburr-dubois: the file stores 2 solutions, and how 1 of .*\n", shown)
    told = run("apart", "--stored", path, "--solution", shown[9]).stdout
    assert "all 6 pieces: 6 moves" in told
    assert "stores what" not in told
    for wrong, words in (("soma", "name such a file"), (path, "does not store how a solution 9")):
        done = run("apart", "--stored", wrong, "--solution", "9")
        assert done.returncode == 1
        assert words in done.stderr


def test_a_stored_disassembly_that_is_none_is_refused(tmp_path: Path) -> None:
    path = file_of(tmp_path, [load("burr-dubois")], burr_taken_apart())
    text = gzip.decompress(path.read_bytes()).decode()
    (found,) = read_solutions(source_at(path), BOUNDS).values()
    tree_of = next(each.separation for each in found if each.separation)
    assert tree_of.level == (6, 4)
    states = re.findall("<state>.*?</state>", text)
    for changed, message in (
        (text.replace(states[1], "", 1), "is blocked|move some pieces together|meets"),
        (text.replace(states[1], states[1].replace("<dx>", "<dx>7 ", 1).replace(" 0</dx>", "</dx>", 1), 1), "move"),
        (re.sub('<pieces count="6">0 1', '<pieces count="6">1 0', text), "move|blocked|separation|parts"),
    ):
        assert changed != text
        path.write_bytes(changed.encode())
        with pytest.raises(PuzzleFileError, match=message):
            read_disassemblies(source_at(path), BOUNDS)


def test_taking_apart_needs_solutions() -> None:
    done = run("export", "soma", "xmpuzzle", "--output", "x.xmpuzzle", "--take-apart")
    assert done.returncode != 0
    assert "add --solutions" in done.stderr
