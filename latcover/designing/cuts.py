"""Cuts of a region into connected parts: local search for parts with one solution that come apart late.

The search is native (backends/native/cut_walk.cpp). It goes in *walks*, each from a random cut to the best one that it
meets. What a walk finds depends on the seed and on its number alone. Every design that leaves this module was made
anew here: its solution has passed the verifier, two backends have counted its solutions, and its disassembly has passed
its replay.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from latcover.assembly.taking_apart import ApartLimits, Assembler, sliding
from latcover.backends import _native, create
from latcover.cover.search import Limits
from latcover.designing.difficulty import Difficulty, difficulty
from latcover.designing.ledger import Ledger, Nowhere
from latcover.designing.region_names import region_named, region_of
from latcover.encoding.encode import neighbour_graph
from latcover.encoding.placement import CellIndex, placements
from latcover.encoding.prepared import Choices, prepare
from latcover.errors import InternalError, PuzzleError, UnsupportedError
from latcover.model.disassembly import Disassembly
from latcover.model.lattice import Cells, Lattice, Transformation
from latcover.model.orientation import orientations_of_each
from latcover.model.puzzle import Part, Puzzle, plain_region
from latcover.model.solution import Placed, Solution
from latcover.model.verifier import verify
from latcover.solving.count import count_prepared
from latcover.system.files import plain_name
from latcover.system.machine import threads_to_start

MOST_CELLS: int = _native.most_cut_cells
MOST_MAPPED = 1 << 26  # cells, over all motions of the region
MANY = 1 << 62
NOWHERE = Nowhere()
SPREAD = 0.2  # how far the sizes of parts may lie from their mean, if no sizes are given
PATIENCE = 3000  # cuts without a better one after which a walk ends
MEMORY = 60  # values that late acceptance compares with
MOST_STATES = 10_000_000  # positions that a design may have

Kind = Literal["rod", "flat"]


@dataclass(frozen=True, slots=True)
class CutWishes:
    """What parts are asked for.

    Attributes:
        n_parts: How many.
        sizes: The cells of all parts, or None.
        between: The least and the greatest number of cells of a part, if there are no `sizes`; None is about the mean.
        different: No two parts are alike.
        no_mirrors: Nor mirror images of each other.
        asymmetric: No part has a rotation (or whatever parts may undergo) that keeps its shape.
        forbid: "rod" forbids parts whose cells lie in a line, "flat" those whose cells lie in a plane.
        shapes: Other forbidden parts; their mirror images are forbidden too.
        holes: How many cells may stay empty, of those that have neighbours on all sides.
        min_level: The least number of moves to the first separation.
        one_order: Wherever the parts slide, the same group comes free first, and so on.
        hard: Branches of the search come before the level.
    """

    n_parts: int
    sizes: tuple[int, ...] | None = None
    between: tuple[int, int] | None = None
    different: bool = False
    no_mirrors: bool = False
    asymmetric: bool = False
    forbid: frozenset[Kind] = frozenset()
    shapes: tuple[Cells, ...] = ()
    holes: int = 0
    min_level: int = 0
    one_order: bool = False
    hard: bool = False

    def as_words(self) -> str:
        """The options of the command that ask for the same; other forbidden shapes are left out."""
        words = [f"--cut {self.n_parts}"]
        if self.sizes is not None:
            words.append(f"--sizes {','.join(map(str, self.sizes))}")
        elif self.between is not None:
            words.append(f"--sizes {self.between[0]}..{self.between[1]}")
        words += [f"--holes {self.holes}"] if self.holes else []
        words += [f"--forbid {kind}" for kind in sorted(self.forbid)]
        named = ("different", "no_mirrors", "asymmetric", "one_order", "hard")
        words += [f"--{name.replace('_', '-')}" for name in named if getattr(self, name)]
        return " ".join([*words, f"--min-level {self.min_level}"] if self.min_level else words)


@dataclass(frozen=True, slots=True, eq=False)
class CutDesign:
    """A cut that fulfils all wishes, checked.

    Attributes:
        puzzle: The puzzle, with what is known of it as its expectations.
        solution: Its one solution.
        disassembly: How it comes apart; None if the parts of the lattice do not slide.
        difficulty: Its figures, without near-solutions.
        one_order: Whether it comes apart in one order; None if that was not asked.
        seed, walk: Where it was found.
        whole: Whether that walk came to its end; if not, the walk may find better ones.
    """

    puzzle: Puzzle
    solution: Solution
    disassembly: Disassembly | None
    difficulty: Difficulty
    one_order: bool | None
    seed: int
    walk: int
    whole: bool

    @property
    def level(self) -> tuple[int, ...]:
        return () if self.disassembly is None else self.disassembly.level

    @property
    def moves(self) -> int:
        """The sum of the level; 0 if the parts lie in a plane."""
        return 0 if self.disassembly is None else self.disassembly.moves

    def worth(self, *, hard: bool) -> tuple[float, ...]:
        """The greater the better."""
        first = self.level[0] if self.level else 0
        steps = 0 if self.disassembly is None else len(self.disassembly.steps)
        by_search = self.difficulty.score or 0.0
        return (bool(self.one_order), *((by_search, first, steps) if hard else (first, steps, by_search)))

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "puzzle": self.puzzle.name,
            "walk": self.walk,
            "seed": self.seed,
            "whole": self.whole,
            "sizes": sorted(part.size for part in self.puzzle.parts for _ in range(part.low)),
            "holes": len(self.puzzle.region.cells) - sum(part.size * part.low for part in self.puzzle.parts),
            "level": list(self.level),
            "moves": self.moves,
            "one_order": self.one_order,
            "difficulty": round(self.difficulty.score or 0.0, 4),
            "parts": [placed.as_json(self.puzzle.lattice) for placed in self.solution.placements],
        }


@dataclass(frozen=True, slots=True)
class CutProgress:
    """How far a search is: walks and cuts that were looked at, and seconds."""

    walks: int
    candidates: int
    seconds: float


@dataclass(slots=True)
class CutOutcome:
    """What a search found.

    Attributes:
        designs: The best first.
        walks: How many walks came to their end, from the first one on.
        candidates: How many cuts were looked at.
        complete: Whether there are as many designs as were asked for.
    """

    designs: list[CutDesign] = field(default_factory=list)
    walks: int = 0
    candidates: int = 0
    complete: bool = False


@dataclass(frozen=True, slots=True)
class CutEffort:
    """How long to search, and from where.

    Attributes:
        seed: What the walks begin with.
        first: The number of the first walk.
        walks: How many walks to make; None makes them until something else ends the search.
        limit: End with so many designs; None goes on.
        keep: How many designs to keep, the best ones, if there is no limit.
        seconds: The time.
        threads: How many walks go on at once. What they find does not depend on it; None is one for each core.
        patience: After how many cuts without a better one a walk ends.
    """

    seed: int = 1
    first: int = 0
    walks: int | None = None
    limit: int | None = None
    keep: int = 1
    seconds: float | None = None
    threads: int | None = 1
    patience: int = PATIENCE

    @property
    def endless(self) -> bool:
        """Whether nothing of it ends a search."""
        return self.walks is None and self.limit is None and self.seconds is None


class Cutter:
    """Cuts one region.

    Args:
        lattice: Its lattice.
        cells: Its cells, shape (n, dimension + 1), int32.
        wishes: What parts are asked for.
        name: The region's name, after which the designs are called.

    Raises:
        PuzzleError: the region cannot be cut like this.
        UnsupportedError: it is too large, or the wishes are about sliding, and its parts do not slide.
    """

    def __init__(self, lattice: Lattice, cells: Cells, wishes: CutWishes, name: str = "region") -> None:
        self.lattice, self.wishes, self.region_name = lattice, wishes, name
        self.name = f"{plain_name(_stem(name), 'region')}-{wishes.n_parts}"
        self.region = plain_region(cells)
        self.region = self.region.ordered(self.region.default_order())
        self.cells, n = self.region.cells, len(cells)
        self.allowed = lattice.allowed(lattice.default_transformations)
        if n > MOST_CELLS:
            raise UnsupportedError(f"a region of at most {MOST_CELLS} cells can be cut, not of {n}")
        self._index = CellIndex(self.region)
        starts, neighbours = neighbour_graph(self._index, lattice)
        if not lattice.connects(cells.tolist()):
            raise PuzzleError("the region is not connected; cut each piece of it by itself")
        self.inner = self._inner(starts)
        self.sizes, self.between = self._checked_sizes()
        self.slides = lattice.dimension == 3
        self._check_level()
        maps, n_allowed = self._maps()
        centres = np.zeros((n, 3))
        centres[:, : lattice.dimension] = lattice.centres(self.cells)
        self._native = _native.Cutter(n, starts, neighbours, maps.reshape(-1), n_allowed, centres.reshape(-1))
        if self.slides:
            rows = np.zeros((n, 4), np.int32)
            rows[:, : self.cells.shape[1]] = self.cells
            self._native.slides(*sliding(lattice), rows.reshape(-1))
        self._native.rules(
            n_parts=wishes.n_parts,
            least_size=self.between[0],
            most_size=self.between[1],
            sizes=[] if wishes.sizes is None else list(wishes.sizes),
            different=wishes.different,
            no_mirrors=wishes.no_mirrors,
            asymmetric=wishes.asymmetric,
            least_rank=3 if "flat" in wishes.forbid else 2 if "rod" in wishes.forbid else 0,
            forbidden=self._forbidden(),
            holes=wishes.holes,
            inner=self.inner,
            one_order=wishes.one_order,
            hard=wishes.hard,
            min_level=wishes.min_level,
        )

    def search(
        self,
        effort: CutEffort,
        *,
        ledger: Ledger = NOWHERE,
        on_design: Callable[[CutDesign], None] | None = None,
        on_progress: Callable[[CutProgress], bool] | None = None,
    ) -> CutOutcome:
        """Search until there are enough designs, or the walks or the time are over.

        Args:
            effort: How long, and from where.
            ledger: Keeps what each walk has found; walks that it knows are not made again.
            on_design: Receives each design that is kept when it is found.
            on_progress: May end the search by returning False.

        Raises:
            PuzzleError: nothing would end it.
        """
        if effort.endless and on_progress is None:
            raise PuzzleError("nothing would end this search; give a number of walks, a limit of designs or a time")
        seed, limit = effort.seed, effort.limit
        outcome = CutOutcome()
        seen: set[frozenset[tuple[int, int, bytes]]] = set()
        most = limit if limit is not None else effort.keep

        def take(found: dict[str, Any], *, new: bool = True) -> bool:
            outcome.walks += bool(found["whole"])
            outcome.candidates += found["candidates"]
            if new and found["whole"]:
                ledger.put(_walk(found["number"]), {**found, "owner": found["owner"].tolist()})
            design = self._design(found, seed)
            if design is not None and (key := self._key(design.puzzle)) not in seen:
                seen.add(key)
                outcome.designs.append(design)
                outcome.designs.sort(key=lambda d: d.worth(hard=self.wishes.hard), reverse=True)
                del outcome.designs[most:]
                if on_design is not None and design in outcome.designs:
                    on_design(design)
            outcome.complete = len(outcome.designs) >= most
            return limit is None or not outcome.complete

        def report(n: int, candidates: int, spent: float) -> bool:
            return on_progress is None or on_progress(CutProgress(n, candidates, spent))

        number, end = effort.first, MANY if effort.walks is None else effort.first + effort.walks
        begun = time.perf_counter()
        going = most > 0
        while going and number < end and (entry := ledger.get(_walk(number))) is not None:
            going = take({**entry, "owner": np.array(entry["owner"], np.int32)}, new=False)
            number += 1
        if going and number < end:
            spent = time.perf_counter() - begun
            self._native.run(
                seed=seed % (1 << 64),
                first=number,
                n_walks=end - number,
                patience=effort.patience,
                memory=MEMORY,
                threads=threads_to_start(effort.threads)[0],
                seconds=None if effort.seconds is None else max(0.0, effort.seconds - spent),
                on_found=take,
                on_progress=report,
            )
        return outcome

    def _key(self, puzzle: Puzzle) -> frozenset[tuple[int, int, bytes]]:
        """What designs of the same parts have alike."""
        of_each = orientations_of_each(puzzle.parts, range(self.lattice.dimension))
        return frozenset(
            (part.low, part.size, min(o.key for o in found)) for part, found in zip(puzzle.parts, of_each, strict=True)
        )

    # What the native search found, made anew and checked.

    def _design(self, found: dict[str, Any], seed: int) -> CutDesign | None:
        """The design that a walk found; None if it does not fulfil the wishes."""
        wishes = self.wishes
        if found["violations"] or not found["counted"] or found["solutions"] != 1:
            return None
        if found["level"] < max(wishes.min_level, int(self.slides)) or (wishes.one_order and not found["one_order"]):
            return None
        return self.design_of(found["owner"], seed, found["number"], whole=found["whole"], one_order=found["one_order"])

    def design_of(
        self, owner: npt.NDArray[np.int32], seed: int, walk: int, *, whole: bool = True, one_order: bool = False
    ) -> CutDesign:
        """The design of a cut with one solution, checked.

        Args:
            owner: The part of each cell, -1 for a hole, shape (n,), int32.
            seed, walk, whole, one_order: As in a `CutDesign`.

        Raises:
            InternalError: it is not what the search said.
        """
        puzzle, solution = self._puzzle(owner, f"{self.name}-{seed}-{walk}")
        faults = verify(puzzle, solution)
        answers = [count_prepared(prepare(puzzle), create(name), Limits(covers=2)) for name in ("dlx", "bitset")]
        if faults or any(not answer.complete or answer.different != 1 for answer in answers):
            raise InternalError(f"walk {walk} of seed {seed} found parts that have not one solution: {faults[:3]}")
        disassembly = None
        if self.slides:
            (disassembly,) = Assembler(puzzle).take_apart([solution], ApartLimits(MOST_STATES))
            if disassembly.result != "apart":
                raise InternalError(f"walk {walk} of seed {seed} found parts that do not come apart")
        level = () if disassembly is None else disassembly.level
        total = answers[0].total
        expect = {"different": 1, "different_under_rotations": _under_rotations(puzzle), "total": total}
        said = f", level {'.'.join(map(str, level))}" if level else ""
        puzzle = replace(
            puzzle,
            title=f"{self.wishes.n_parts} parts with one solution{said}",
            source=f"made by `latcover design {self.region_name} {self.wishes.as_words()} --seed {seed} --walk {walk}`",
            expect=expect,
            level=level,
        )
        order = one_order if self.wishes.one_order else None
        figures = difficulty(puzzle, near=False)
        if figures.complete and figures.solutions != total:
            raise InternalError(f"walk {walk} of seed {seed}: {total} and {figures.solutions} solutions were counted")
        return CutDesign(puzzle, replace(solution, puzzle=puzzle), disassembly, figures, order, seed, walk, whole)

    def _puzzle(self, owner: npt.NDArray[np.int32], name: str) -> tuple[Puzzle, Solution]:
        """The puzzle of a cut, equal parts as copies of one, and its solution."""
        pieces = sorted(
            (self.cells[owner == p] for p in range(self.wishes.n_parts)), key=lambda c: (-len(c), c.tolist())
        )
        bare = [self._part("any", cells, 1) for cells in pieces]
        of_each = orientations_of_each(bare, range(self.lattice.dimension))
        alike: dict[tuple[int, bytes], list[int]] = {}
        for p, found in enumerate(of_each):
            alike.setdefault((len(pieces[p]), min(o.key for o in found)), []).append(p)
        parts, placed = [], []
        for number, members in enumerate(alike.values()):
            parts.append(self._part(_letters(number), pieces[members[0]], len(members)))
            placed += [Placed(parts[-1].name, tuple(sorted(map(tuple, pieces[p].tolist())))) for p in members]
        optional = np.zeros(len(self.cells), np.bool_)
        if self.wishes.holes:
            optional[self.inner] = True
        region = replace(self.region, optional=optional)
        puzzle = Puzzle(name, self.lattice, region, tuple(parts))
        return puzzle, Solution(tuple(placed), 1, 1, 1, puzzle)

    def _part(self, name: str, cells: Cells, copies: int) -> Part:
        return Part(name, cells, np.zeros(len(cells), np.int32), copies, copies, self.allowed)

    # What the native search needs to know of the region.

    def _inner(self, starts: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """The cells with neighbours on all sides."""
        sides = np.bincount([edge.node for edge in self.lattice.half_edges], minlength=len(self.lattice.nodes))
        found = np.full(len(self.cells), True)
        for edge in self.lattice.half_edges:
            here = self.cells[:, 0] == edge.node
            found[here] &= self._index.beside(edge.node, edge.leads_to)[here] >= 0
        return np.flatnonzero(found & (sides[self.cells[:, 0]] > 0)).astype(np.int32)

    def _checked_sizes(self) -> tuple[tuple[int, ...] | None, tuple[int, int]]:
        wishes, n = self.wishes, len(self.cells)
        if n < 2:
            raise PuzzleError("a region of one cell cannot be cut")
        if not 1 < wishes.n_parts <= min(n, _native.most_parts):
            raise PuzzleError(f"a region of {n} cells can be cut into 2 to {min(n, _native.most_parts)} parts")
        if not 0 <= wishes.holes <= len(self.inner):
            raise PuzzleError(
                f"the region has {len(self.inner)} cells with neighbours on all sides, so it can have 0 to "
                f"{len(self.inner)} holes"
            )
        least, most = n - wishes.holes, n
        if wishes.sizes is not None:
            if len(wishes.sizes) != wishes.n_parts or not least <= sum(wishes.sizes) <= most or min(wishes.sizes) < 1:
                cells = f"{n}" if least == most else f"{least} to {most}"
                raise PuzzleError(
                    f"the sizes must be {wishes.n_parts} numbers with the sum {cells}, not {len(wishes.sizes)} with "
                    f"the sum {sum(wishes.sizes)}"
                )
            return wishes.sizes, (min(wishes.sizes), max(wishes.sizes))
        mean = n / wishes.n_parts
        low, high = wishes.between or (max(1, math.floor(mean * (1 - SPREAD))), math.ceil(mean * (1 + SPREAD)))
        if not 1 <= low <= high:
            raise PuzzleError(
                f"no part has {low} to {high} cells; give the least number first, and at least 1, as in "
                f"{max(1, min(low, high))}..{max(1, low, high)}"
            )
        if low * wishes.n_parts > most or high * wishes.n_parts < least:
            raise PuzzleError(f"{wishes.n_parts} parts of {low} to {high} cells do not make up a region of {n}")
        return None, (low, high)

    def _check_level(self) -> None:
        wishes = self.wishes
        if not self.slides and (wishes.min_level or wishes.one_order or "flat" in wishes.forbid):
            raise UnsupportedError(
                f"parts on the lattice {self.lattice.name!r} are flat and can be lifted off; levels, orders and flat "
                "parts mean nothing here"
            )
        if wishes.min_level > 1 and not wishes.holes and self._slides_on():
            raise PuzzleError(
                "the first separation takes one move here: the region has no gaps, so whatever can slide one step can "
                "slide on for ever. Give --holes N, so that some cells inside may stay empty"
            )

    def _slides_on(self) -> bool:
        """Whether a set of parts of a full region that can slide one step can slide on: see docs/designing.md."""
        directions, n_nodes, starts, hits = sliding(self.lattice)
        steps = directions.reshape(-1, 12)[:, :3]
        if n_nodes != 1:
            return False
        there = set(map(tuple, self.cells[:, 1:].tolist()))
        for d, step in enumerate(steps.tolist()):
            met = {tuple(row) for row in hits.reshape(-1, 3)[starts[d] : starts[d + 1]].tolist()}
            if met != {(0, 0, 0), tuple(step)}:
                return False
            for cell in there:  # no line may leave the region and come back
                ahead = tuple(a + b for a, b in zip(cell, step, strict=True))
                if ahead not in there and any(
                    tuple(a + k * b for a, b in zip(cell, step, strict=True)) in there
                    for k in range(2, 2 + max(self.region.extents()))
                ):
                    return False
        return True

    def _maps(self) -> tuple[npt.NDArray[np.int16], int]:
        """Where motions take the cells, shape (m, n), -1 for outside; and how many of them parts may undergo.

        The identity comes first. Of the motions that parts may not undergo all are listed if mirror images are
        forbidden, and otherwise those that take the region to itself.
        """
        n = len(self.cells)
        known = {t.labels for t in self.allowed}
        others = tuple(t for t in self.lattice.transformations if t.labels not in known)
        own = self._moved(self.allowed, self.between[0])
        identity = np.flatnonzero((own == np.arange(n)).all(axis=1))
        order = np.concatenate([identity, np.setdiff1d(np.arange(len(own)), identity)])
        more = self._moved(others, self.between[0] if self.wishes.no_mirrors else n)
        return np.concatenate([own[order], more]), len(own)

    def _moved(self, motions: Sequence[Transformation], least: int) -> npt.NDArray[np.int16]:
        """The motions that keep *least* cells in the region."""
        cells, found = self.cells, [np.empty((0, len(self.cells)), np.int16)]
        for motion in motions:
            image = motion.apply(cells)
            if least == len(cells):  # only one translation can do
                offsets = [cells[:, 1:].min(axis=0) - image[:, 1:].min(axis=0)]
            else:
                pairs = [cells[cells[:, 0] == node, None, 1:] - image[None, image[:, 0] == node, 1:]
                         for node in range(len(self.lattice.nodes))]  # fmt: skip
                offsets = list(np.unique(np.concatenate([p.reshape(-1, p.shape[2]) for p in pairs]), axis=0))
            if len(offsets) * len(cells) * len(motions) > MOST_MAPPED:
                raise UnsupportedError(
                    f"the region has too many places for its parts ({len(cells)} cells, about "
                    f"{len(offsets) * len(motions):,} motions); take a smaller one"
                )
            moved = np.repeat(image[None], len(offsets), axis=0)
            moved[:, :, 1:] += np.array(offsets, np.int32)[:, None]
            numbers = self._index.find(moved.reshape(-1, cells.shape[1])).reshape(len(offsets), -1)
            found.append(numbers[(numbers >= 0).sum(axis=1) >= least].astype(np.int16))
        return np.concatenate(found)

    def _forbidden(self) -> npt.NDArray[np.int32]:
        """The cells of each place of a forbidden shape, -1 after each."""
        rows: list[int] = []
        everything = self.lattice.transformations
        for shape in self.wishes.shapes:
            if shape.shape[1] != self.cells.shape[1] or len(shape) > len(self.cells):
                continue
            none = np.zeros(len(shape), np.int32)
            part = Part("forbidden", shape, none, 0, None, everything)
            table = placements(Puzzle(self.name, self.lattice, self.region, (part,)), range(self.lattice.dimension))
            for p in range(len(table)):
                rows += [*table.cells[table.starts[p] : table.starts[p + 1]].tolist(), -1]
        return np.array(rows, np.int32)


def _under_rotations(puzzle: Puzzle) -> int:
    return count_prepared(prepare(puzzle, Choices(symmetry="rotations")), create("bitset")).different


def _stem(name: str) -> str:
    """What is left of the name of a file without its folder and its suffix."""
    return name.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".toml")


def _walk(number: int) -> str:
    """Under what a ledger keeps a walk."""
    return f"walk {number}"


def _letters(number: int) -> str:
    """A, B, ..., Z, AA, AB, ..."""
    name = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def cut(
    region: str | Puzzle,
    n_parts: int,
    *,
    effort: CutEffort = CutEffort(seconds=60),
    **wishes: Any,
) -> list[CutDesign]:
    """Cut a region into parts that have one solution; the best designs found, checked, the best first.

    Args:
        region: A puzzle, whose region is taken; the name of one; or a box of a lattice, such as ``"cubic:4x4x4"``.
        n_parts: Into how many parts.
        effort: How long to search, and from where.
        wishes: Fields of `CutWishes`: sizes, between, different, no_mirrors, asymmetric, forbid, shapes, holes,
            min_level, one_order, hard.

    Raises:
        PuzzleError: there is no such region, or it cannot be cut like this.
        UnsupportedError: it is too large.
    """
    lattice, cells = region_of(region) if isinstance(region, Puzzle) else region_named(region)
    name = region.name if isinstance(region, Puzzle) else region
    return Cutter(lattice, cells, CutWishes(n_parts, **wishes), name).search(effort).designs
