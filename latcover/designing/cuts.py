"""Cuts of a region into connected parts: local search for parts with one solution that come apart late.

The search is native (backends/native/cut_walk.cpp). It goes in *walks*, each from a random cut to the best one that it
meets. What a walk finds depends on the seed and on its number alone. Every design that leaves this module was made
anew here: its solution has passed the verifier, two backends have counted its solutions, and its disassembly has passed
its replay.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from latcover.assembly.taking_apart import ApartLimits, Assembler
from latcover.backends import create
from latcover.cover.search import Limits
from latcover.designing.cut_region import CutRegion
from latcover.designing.difficulty import difficulty
from latcover.designing.ledger import Ledger, Nowhere
from latcover.designing.region_names import region_named, region_of
from latcover.designing.wanted_cuts import CutDesign, CutEffort, CutOutcome, CutProgress, CutWishes
from latcover.encoding.prepared import Choices, prepare
from latcover.errors import InternalError, PuzzleError
from latcover.model.lattice import Cells, Lattice
from latcover.model.orientation import orientations_of_each
from latcover.model.puzzle import Part, Puzzle
from latcover.model.solution import Placed, Solution
from latcover.model.verifier import verify
from latcover.solving.count import count_prepared
from latcover.system.files import plain_name
from latcover.system.machine import threads_to_start

MANY = 1 << 62
NOWHERE = Nowhere()
MEMORY = 60  # values that late acceptance compares with
MOST_STATES = 10_000_000  # positions that a design may have


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
        self.region = CutRegion(lattice, cells, wishes)
        self.cells = self.region.cells
        self._native = self.region.native_search()

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

    def digest(self, seed: int) -> str:
        """What the walks of a search depend on, in hexadecimal digits."""
        wishes = replace(self.wishes, shapes=(), forbid=frozenset())
        shapes = [shape.tolist() for shape in self.wishes.shapes]
        about = (self.lattice.name, self.cells.tolist(), str(wishes), sorted(self.wishes.forbid), shapes, seed)
        return hashlib.sha256(repr(about).encode()).hexdigest()

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
        if found["level"] < max(wishes.min_level, int(self.region.slides)):
            return None
        if wishes.one_order and not found["one_order"]:
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
        if self.region.slides:
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
            optional[self.region.inner] = True
        region = replace(self.region.plain, optional=optional)
        puzzle = Puzzle(name, self.lattice, region, tuple(parts))
        return puzzle, Solution(tuple(placed), 1, 1, 1, puzzle)

    def _part(self, name: str, cells: Cells, copies: int) -> Part:
        return Part(name, cells, np.zeros(len(cells), np.int32), copies, copies, self.region.allowed)


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
    effort: CutEffort = CutEffort(seconds=60),  # noqa: B008 - frozen
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
