"""Puzzles as a BurrTools file: shapes, problems, colours, groups and, on request, solutions.

A file that is read again gives the same puzzles. Colours and groups get numbers, as BurrTools has no names for them;
the file's comment lists the names. Whatever BurrTools cannot say is refused.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from colorsys import hls_to_rgb
from functools import cached_property
from itertools import chain
from math import prod
from tempfile import SpooledTemporaryFile
from typing import IO
from xml.sax.saxutils import escape, quoteattr

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field
from msgspec.structs import replace

from latcover.core.model.lattice import Cells, apply_each
from latcover.core.model.puzzle import Bounds, Part, Puzzle
from latcover.core.model.rules.rule import rules_of
from latcover.core.model.solution import Placed, Solution
from latcover.errors import PuzzleError, UnsupportedError, escaped, listed, written_lines
from latcover.files.formats.burrtools.burrtools_shapes import ADDED, clean
from latcover.files.formats.burrtools.burrtools_turns import images
from latcover.files.formats.burrtools.grids import GRIDS, GridOnLattice, Places
from latcover.files.formats.burrtools.problems import MOST_COLOURS, SOLVED
from latcover.files.formats.burrtools.separations import separations
from latcover.files.formats.forms import SolutionStream, WriteOptions
from latcover.files.formats.puzzle_files.puzzle_writer import named
from latcover.files.formats.puzzle_files.written_shapes import ColouredCells

STOPPED = 1  # the state of a problem of which not all assemblies are known
MOST_COPIES = (1 << 16) - 1  # BurrTools counts copies, groups and shapes with 16 bits
MOST_VOXELS = Bounds().cells  # of a shape, as its reader has it
IN_MEMORY = 1 << 26  # bytes of solutions; more of them wait in a file, because their number comes before them


def write(puzzles: Sequence[Puzzle], options: WriteOptions = WriteOptions()) -> Iterator[bytes]:
    """The file, piece by piece, gzipped.

    Args:
        puzzles: The problems of the file.
        options: The solutions to add, for each puzzle, if there are to be any.

    Raises:
        PuzzleError: the puzzles do not go into one file: several lattices, equal names, or no puzzle.
        UnsupportedError: BurrTools cannot say something in them; the message names it all.
    """
    return _packed(_WrittenFile(puzzles).lines(options.solutions))


def _packed(lines: Iterable[str]) -> Iterator[bytes]:
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    for line in lines:
        if piece := pack.compress(f"{line}\n".encode()):
            yield piece
    yield pack.flush()


class _WrittenShape(Struct, frozen=True, eq=False):
    """A shape of the file.

    Attributes:
        text: Its element.
        places: Its voxels, in the order of the cells of the part or region, shape (n, 3), none negative.
        moved: By how much they were moved to come there, shape (3,).
        hotspot: The place that stored solutions give for it, shape (3,).
    """

    text: str
    places: Places
    moved: Places
    hotspot: Places


_Image = tuple[int, npt.NDArray[np.int32], Places]  # a rotation, its least cell, and the place of its hotspot


class _WrittenPiece(Struct, frozen=True, eq=False):
    """A part as the file uses it, and its images by their keys (`_key`)."""

    part: Part
    shape: _WrittenShape
    low: int
    high: int
    images: dict[bytes, _Image]


class _WrittenProblem(Struct, eq=False, dict=True):
    """A puzzle as the file says it."""

    puzzle: Puzzle
    frame: GridOnLattice
    colours: npt.NDArray[np.int32]  # the file's colour for each of the puzzle's
    faults: list[str] = field(default_factory=list)

    @cached_property
    def region(self) -> _WrittenShape:
        region = self.puzzle.region
        return self._shape("the region", ColouredCells(region.cells, region.colours, region.optional))

    @cached_property
    def pieces(self) -> list[_WrittenPiece]:
        """The parts that can be used: BurrTools complains of pieces that fit nowhere."""
        found = []
        for part in self.puzzle.parts:
            what = f"part {part.name!r}"
            high = max(self.puzzle.most_copies(part), part.low) if part.high is None else part.high
            if high == 0:
                continue
            if clean(part.name) != part.name or not part.name:
                self.faults.append(f"{what} has a name that cannot be read again: too long, or with odd characters")
            about = f" name={quoteattr(part.name)}" + (f' weight="{part.weight}"' if part.weight != 1 else "")
            shape = self._shape(what, replace(ColouredCells.plain(part.cells), colours=part.colours), about)
            if high > MOST_COPIES:
                self.faults.append(f"{what} may be used {high:,} times, and BurrTools counts to {MOST_COPIES:,}")
            found.append(_WrittenPiece(part, shape, part.low, high, self._images(part, shape)))
        return found

    def check(self) -> None:
        """Note everything that BurrTools cannot say."""
        puzzle, region, rules, name = self.puzzle, self.puzzle.region, self.puzzle.rules, self.puzzle.name
        say, values = self.faults.append, sorted({int(value) for part in puzzle.parts for value in part.sides[:, 2]})
        named = listed(rules.sides[value] for value in values)
        of_parts = rules_of(puzzle)
        for fault, present in (
            ("its name cannot be read again: too long, or with odd characters", not name or clean(name) != name),
            ("no part can be used", not self.pieces),
            ("the region closes on itself (period)", region.period),
            (f"sides of its parts have values that must fit: {named}", bool(values)),
            ("flat sides may not meet, or may not lie at the rim", not (rules.fits[0, 0] and rules.may_look_out()[0])),
            ("its region asks for values on sides", not all(rules.bears(value)[0] for _, _, value in rules.asked)),
            ("some colours may not touch (apart)", bool(rules.apart)),
            ("some colours are exchangeable", any(len(colours) > 1 for colours in rules.exchangeable)),
            ("some cells must be alike", bool(rules.alike)),
            ("some parts are confined to cells, or kept off some", any(p.part.is_confined for p in self.pieces)),
            ("pieces of its region are exchangeable", region.exchangeable),
            (f"it has rules on its parts: {' '.join(rule.words() for rule in of_parts)}", bool(of_parts)),
        ):
            if present:
                say(fault)
        ranged = any(piece.low != piece.high for piece in self.pieces)
        empty = len(region.cells) - sum(piece.low * piece.part.size for piece in self.pieces)
        if not ranged and region.max_empty is not None and region.max_empty < empty:
            say(f"max_empty is {region.max_empty}, but {empty} cells stay empty, and BurrTools would not mind")
        assert self.region
        for piece in self.pieces:
            ours, theirs = self._ours(piece.part), piece.images.keys()
            if theirs - ours:
                say(
                    f"part {piece.part.name!r} may not be rotated in every way, but BurrTools rotates all pieces freely"
                )
            if ours - theirs:
                say(
                    f"part {piece.part.name!r} may be reflected, and BurrTools reflects no piece; make its image a part"
                )

    def _shape(self, what: str, shape: ColouredCells, about: str = "") -> _WrittenShape:
        places = self.frame.places_of(shape.cells)
        moved = self.frame.to_the_corner(places)
        places = places + moved
        sizes: list[int] = (places.max(axis=0) + 1).tolist()
        if prod(sizes) > MOST_VOXELS:
            self.faults.append(f"the cells of {what} need a box of {prod(sizes):,} voxels; {MOST_VOXELS:,} is the most")
            return _WrittenShape("", places, moved, places[0])
        signs = np.full(prod(sizes), "_", "<U3")
        signs[np.ravel_multi_index(tuple(places[:, ::-1].T), tuple(sizes[::-1]))] = [
            f"{'+' if free else '#'}{colour or ''}"
            for free, colour in zip(shape.optional.tolist(), self.colours[shape.colours].tolist(), strict=True)
        ]
        hotspot = self._hotspot(places)
        spot = (
            "".join(f' h{axis}="{h}"' for axis, h in zip("xyz", hotspot.tolist(), strict=True)) if hotspot.any() else ""
        )
        size = " ".join(f'{axis}="{n}"' for axis, n in zip("xyz", sizes, strict=True))
        return _WrittenShape(
            f'<voxel {size}{spot}{about} type="0">{"".join(signs.tolist())}</voxel>', places, moved, hotspot
        )

    def _hotspot(self, places: Places) -> Places:
        """The origin; of spheres, one of them as near to it as can be, since a layer turns about spheres alone."""
        if self.frame.grid.lattice != "fcc":
            return np.zeros(3, np.int64)
        nearest: Places = places[np.lexsort([*places.T, (places**2).sum(axis=1)])[0]]
        return nearest

    def _ours(self, part: Part) -> set[bytes]:
        nodes, vectors = apply_each(part.transformations, part.cells)
        return {
            _key(np.column_stack([node, vector]), part.colours)[0] for node, vector in zip(nodes, vectors, strict=True)
        }

    def _images(self, part: Part, shape: _WrittenShape) -> dict[bytes, _Image]:
        """The images that BurrTools makes of a piece, each by the least number of a rotation."""
        found: dict[bytes, _Image] = {}
        for number, made in enumerate(images(self.frame, shape.places, shape.hotspot)):
            if made is not None:
                key, least = _key(made[0], part.colours)
                found.setdefault(key, (number, least, made[1]))
        return found


def _key(cells: Cells, colours: npt.NDArray[np.int32]) -> tuple[bytes, npt.NDArray[np.int32]]:
    """Bytes that are equal for equal shapes, wherever they lie; and the least cell."""
    order = np.lexsort(cells.T[::-1])
    cells = cells[order].astype(np.int32)
    least = cells[0].copy()
    cells[:, 1:] -= least[1:]
    return cells.tobytes() + colours[order].astype(np.int32).tobytes(), least


class _WrittenFile:
    """Puzzles that go into one file."""

    def __init__(self, puzzles: Sequence[Puzzle]) -> None:
        """Raises what `write` raises."""
        if not puzzles:
            raise PuzzleError("there is no puzzle to write")
        lattice = puzzles[0].lattice
        names = [named(puzzle.lattice) for puzzle in puzzles]
        if len(set(names)) > 1:
            raise PuzzleError("the puzzles have different lattices; write each to its own file")
        if len({puzzle.name for puzzle in puzzles}) < len(puzzles):
            raise PuzzleError("two puzzles have the same name; give each one of its own")
        grids = {grid.lattice: number for number, grid in GRIDS.items()}
        if names[0] not in grids:
            known = ", ".join(f"{grid.name} ({grid.lattice})" for grid in GRIDS.values())
            raise UnsupportedError(f"BurrTools has no grid for the lattice {lattice.name!r}; it has {known}")
        self.grid = grids[names[0]]
        self.colours = list(dict.fromkeys(name for puzzle in puzzles for name in puzzle.colours[1:]))
        frame = GridOnLattice.of(GRIDS[self.grid], lattice)
        number = {"": 0} | {name: k for k, name in enumerate(self.colours, 1)}
        self.problems = [
            _WrittenProblem(
                puzzle, frame, np.array([0, *(number[name] for name in puzzle.colours[1:])], dtype=np.int32)
            )
            for puzzle in puzzles
        ]
        faults = []
        if len(self.colours) > MOST_COLOURS:
            faults.append(f"there are {len(self.colours)} colours, and BurrTools has at most {MOST_COLOURS}")
        for problem in self.problems:
            problem.check()
            what = f"{problem.puzzle.name}: " if len(puzzles) > 1 else ""
            faults += [f"{what}{fault}" for fault in problem.faults]
        self.shapes = list(dict.fromkeys(text for problem in self.problems for text in _shapes(problem)))
        if len(self.shapes) > MOST_COPIES:
            faults.append(f"there are {len(self.shapes):,} shapes, and BurrTools counts to {MOST_COPIES:,}")
        if faults:
            raise UnsupportedError(f"no BurrTools file can say this: {'; '.join(faults)}")

    def lines(self, solutions: Sequence[SolutionStream]) -> Iterator[str]:
        yield from ('<?xml version="1.0"?>', '<puzzle version="2">', f' <gridType type="{self.grid}"/>')
        yield from _element(" ", "colors", "", (f"  {_colour(k, len(self.colours))}" for k in range(len(self.colours))))
        yield from _element(" ", "shapes", "", (f"  {text}" for text in self.shapes))
        streams: Sequence[SolutionStream | None] = solutions or [None] * len(self.problems)
        problems = chain.from_iterable(map(self._problem, self.problems, streams))
        yield from _element(" ", "problems", "", problems)
        said = "\n\n".join(dict.fromkeys(filter(None, (problem.puzzle.comment for problem in self.problems))))
        added = escaped("\n".join(self._added()), keep="\n")
        comment = escape("\n\n".join(filter(None, (written_lines(said), added and f"{ADDED}\n{added}"))))
        yield f" <comment>{comment}</comment>" if comment else " <comment/>"
        yield "</puzzle>"

    def _added(self) -> Iterator[str]:
        """What BurrTools has no place for, in words."""
        for problem in self.problems:
            puzzle = problem.puzzle
            for text in (puzzle.title, puzzle.source and f"Source: {puzzle.source}"):
                if text:
                    yield f"{puzzle.name}: {text}" if len(self.problems) > 1 else text
            unused = [part.name for part in puzzle.parts if part.name not in {p.part.name for p in problem.pieces}]
            if unused:
                yield f"Left out, as no copy can be used: {', '.join(unused)}"
            shown = [f"{part.name} {part.display_colour}" for part in puzzle.parts if part.display_colour]
            if shown:
                yield f"Display colours{f' of {puzzle.name}' * (len(self.problems) > 1)}: {', '.join(shown)}"
            groups = _groups(puzzle)
            if groups:
                listed = ", ".join(f"{number} {name}" for name, number in groups.items())
                yield f"Groups of {puzzle.name}: {listed}" if len(self.problems) > 1 else f"Groups: {listed}"
        if self.colours:
            yield "Colours: " + ", ".join(f"{number} {name}" for number, name in enumerate(self.colours, 1))

    def _problem(self, problem: _WrittenProblem, stream: SolutionStream | None) -> Iterator[str]:
        puzzle, region = problem.puzzle, problem.puzzle.region
        ranged = any(piece.low != piece.high for piece in problem.pieces)
        holes = region.max_empty is not None and ranged and region.max_empty < int(region.optional.sum())
        with SpooledTemporaryFile(IN_MEMORY) as listed:
            state = _listed(problem, stream, listed) if stream else ' state="0"'
            about = f" name={quoteattr(puzzle.name)}{state}" + (f' maxHoles="{region.max_empty}"' if holes else "")
            yield f"  <problem{about}>"
            groups = _groups(puzzle)
            yield from _element("   ", "shapes", "", chain.from_iterable(self._use(p, groups) for p in problem.pieces))
            yield f'   <result id="{self.shapes.index(problem.region.text)}"/>'
            yield from _element("   ", "bitmap", "", self._pairs(problem))
            listed.seek(0)
            yield from _element("   ", "solutions", "", (line.decode().rstrip("\n") for line in listed), needed=False)
        yield "  </problem>"

    def _use(self, piece: _WrittenPiece, numbers: dict[str, int]) -> Iterator[str]:
        many = f'count="{piece.low}"' if piece.low == piece.high else f'min="{piece.low}" max="{piece.high}"'
        about, groups = f' id="{self.shapes.index(piece.shape.text)}" {many}', piece.part.groups
        copies = {numbers[name]: piece.high if most is None else min(most, piece.high) for name, most in groups}
        if len(copies) == 1 and piece.high in copies.values():
            yield f'    <shape{about} group="{next(iter(copies))}"/>'
            return
        inner = (f'     <group group="{number}" count="{most}"/>' for number, most in copies.items())
        yield from _element("    ", "shape", about, inner)

    def _pairs(self, problem: _WrittenProblem) -> Iterator[str]:
        """The colours that may meet. With us equal colours always may."""
        number = problem.colours.tolist()
        pairs = {(k, k) for k in number[1:]} | {(number[p], number[r]) for p, r in problem.puzzle.rules.stands_on}
        for piece, result in sorted(pairs):
            yield f'    <pair piece="{piece - 1}" result="{result - 1}"/>'


def _shapes(problem: _WrittenProblem) -> list[str]:
    return [*(piece.shape.text for piece in problem.pieces), problem.region.text]


def _element(indent: str, name: str, about: str, inner: Iterable[str], *, needed: bool = True) -> Iterator[str]:
    """An element with the lines inside it; one line if there are none."""
    lines = iter(inner)
    first = next(lines, None)
    if first is None:
        yield from [f"{indent}<{name}{about}/>"] * needed
        return
    yield f"{indent}<{name}{about}>"
    yield first
    yield from lines
    yield f"{indent}</{name}>"


def _colour(k: int, n: int) -> str:
    """Colours as far apart as possible."""
    red, green, blue = (round(255 * x) for x in hls_to_rgb(k / n, 0.5, 0.8))
    return f'<color red="{red}" green="{green}" blue="{blue}"/>'


def _groups(puzzle: Puzzle) -> dict[str, int]:
    """The number of each group; one that is called "group 3", as the reader calls them, keeps its number."""
    names = dict.fromkeys(name for part in puzzle.parts for name, _ in part.groups)
    found = {name: int(name[6:]) for name in names if name.startswith("group ") and name[6:].isdecimal()}
    found = {name: number for name, number in found.items() if name == f"group {number}" and 0 < number <= MOST_COPIES}
    free = (k for k in range(1, MOST_COPIES) if k not in found.values())
    return {name: found[name] if name in found else next(free) for name in names}


def _listed(problem: _WrittenProblem, stream: SolutionStream, file: IO[bytes]) -> str:
    """Write the solutions of a problem as lines, and return what the problem says of their number."""
    slots, n, n_apart = _Slots(problem), 0, 0
    for written in stream.solutions:
        assert isinstance(written.solution, Solution)
        solution, plan = written.solution, written.disassembly
        tree = "" if plan is None else separations(plan, slots.numbers(solution), problem.frame.axes)
        about = (f' asmNum="{n}"' if n else "") + (f' solNum="{n_apart}"' if tree and n_apart else "")
        file.write(f"    <solution{about}><assembly>{slots.text(solution)}</assembly>{tree}</solution>\n".encode())
        n, n_apart = n + 1, n_apart + bool(tree)
    state = SOLVED if stream.is_complete() else STOPPED
    return f' state="{state}" assemblies="{n}" solutions="{n_apart}" time="0"'


class _Slots:
    """A solution as BurrTools stores it: for each copy of each piece the place of its hotspot and its rotation."""

    def __init__(self, problem: _WrittenProblem) -> None:
        self.problem = problem
        self.images = {piece.part.name: piece.images for piece in problem.pieces}
        self.colour = {name: k for k, name in enumerate(problem.puzzle.colours)}
        self._seen: dict[Placed, tuple[int, ...]] = {}

    def text(self, solution: Solution) -> str:
        words = ["x"] * sum(piece.high for piece in self.problem.pieces)
        for placed, slot in zip(solution.placements, self.numbers(solution), strict=True):
            number, x, y, z = self._seen[placed]
            words[slot] = f"{x} {y} {z} {number}"
        return " ".join(words)

    def numbers(self, solution: Solution) -> list[int]:
        """Of each placement, the number of its copy among all copies of all pieces."""
        found: dict[str, list[Placed]] = {piece.part.name: [] for piece in self.problem.pieces}
        for placed in solution.placements:
            if placed not in self._seen:
                self._seen[placed] = self.where(placed)
            found[placed.part].append(placed)
        slot: dict[Placed, int] = {}
        first = 0
        for piece in self.problem.pieces:
            slot |= {p: first + k for k, p in enumerate(sorted(found[piece.part.name], key=self._seen.__getitem__))}
            first += piece.high
        return [slot[placed] for placed in solution.placements]

    def where(self, placed: Placed) -> tuple[int, ...]:
        """The rotation, and the place of the hotspot."""
        cells = np.array(placed.cells, dtype=np.int32)
        colours = [self.colour[name] for name in placed.colours] if placed.colours else [0] * len(cells)
        key, least = _key(cells, np.array(colours, dtype=np.int32))
        number, was, hotspot = self.images[placed.part][key]
        steps = (least[1:] - was[1:]).astype(np.int64) @ self.problem.frame.axes
        return (number, *(hotspot + steps + self.problem.region.moved).tolist())
