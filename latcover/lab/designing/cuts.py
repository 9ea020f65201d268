"""Cuts of a region into connected parts: local search for parts with one solution that come apart late.

The search is native (native/cuts/cut_walk.cpp). It goes in *walks*, each from a random cut to the best one that it
meets. What a walk finds depends on the seed and on its number alone. Every design that leaves this module was rebuilt
here: its solution has passed the verifier, two backends have counted its solutions, and its disassembly has passed its
replay.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from latcover.backends import create
from latcover.core.cover.events import SILENT, Events
from latcover.core.cover.question import Method, Question
from latcover.core.cover.search import Limits, Progress
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.model.disassembly import Disassembly
from latcover.core.model.lattice import Cells
from latcover.core.model.move_words import play_in_words
from latcover.core.model.orientation import orientations_of_each
from latcover.core.model.puzzle import Part, Puzzle, Region
from latcover.core.model.solution import Placed, Solution
from latcover.core.model.verifier import verify
from latcover.core.solving.count import count_prepared
from latcover.errors import InternalError, counted
from latcover.files.formats.library import puzzle_called
from latcover.lab.designing.cut_designs import CutDesign, CutSearch
from latcover.lab.designing.cut_region import CutRegion
from latcover.lab.designing.cut_turns import CutTurner, PlanJudge
from latcover.lab.designing.design_requests import CutRequest, DifficultyRequest, GrowRequest, WalkRequest
from latcover.lab.designing.design_results import NO_RESULTS, DesignResults
from latcover.lab.designing.difficulty import judge_difficulty
from latcover.lab.designing.region_names import NamedRegion, region_named, region_of
from latcover.lab.designing.start_cut import StartCut, start_of
from latcover.system.decoding import decoded
from latcover.system.files import plain_name
from latcover.system.machine import threads_to_start

WALKS = Method("walks", 2)  # since 0.2.0 those for one order, and for forbidden shapes, find others
MANY = 1 << 62
MEMORY = 60  # values that late acceptance compares with
ROUNDS = 5  # without a better cut, after which a walk from an assembly ends
GRACE = 5.0  # seconds that a last design has to come apart, once the time is over


class WalkResult(Struct, frozen=True, eq=False):
    """The best cut that a walk of the native search met.

    Attributes:
        number: Of the walk.
        owner: The part of each cell, -1 for a hole, shape (n,), int32.
        violations: How often the cut breaks the rules.
        solutions: About how many different solutions there are; 1 is exact.
        counted: Whether the solutions were counted.
        level: Moves to the first separation; 0 if the parts are stuck, or it is not known.
        moves: Of all separations.
        one_order: Whether the parts come apart in one order only.
        branches: Of the search for all solutions.
        candidates: Cuts that the walk judged.
        whole: Whether the walk went to its end.
        turns: How many of the moves are turns.
    """

    number: int
    owner: npt.NDArray[np.int32]
    violations: int
    solutions: float
    counted: bool
    level: int
    moves: int
    one_order: bool
    branches: int
    candidates: int
    whole: bool
    turns: int = 0


class Cutter:
    """Cuts one region.

    Args:
        region: The region; designs are called after its name.
        request: What parts are asked for, and how long to search.
        start: The cut with which walks begin; None begins with random ones.

    Raises:
        PuzzleError: the region cannot be cut like this.
        UnsupportedError: it is too large, or the request is about sliding, and its parts do not slide.
    """

    def __init__(self, region: NamedRegion, request: WalkRequest, start: StartCut | None = None) -> None:
        self.named, self.region = region, CutRegion(region, request, start)
        self.request, self.lattice, self.cells = request, region.lattice, self.region.cells
        self.region_name, self.start = region.name, start
        stem = region.name.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".toml")  # of the name of a file
        self.name = f"{plain_name(stem, 'region')}-{self.region.n_parts if start is None else 'grown'}"
        self._native = self.region.native_search()
        self._turner = None
        if self.region.room is not None:
            self._turner = CutTurner(self.lattice, self.cells, self.region.room, self.region.needed, request)
            self._native.turns(self._turner, always=request.turns == "always")
        self._judge = PlanJudge(request, self.region.room, self.region.needed)

    def search(self, events: Events = SILENT, ledger: DesignResults = NO_RESULTS) -> CutSearch:
        """Search until there are enough designs, or the walks or the time are over.

        Args:
            events: Told of each design that is kept, and of the progress: branches are cuts, covers are walks.
            ledger: Keeps the result of each walk; walks that it has are not repeated.

        Raises:
            DamagedRunError: a walk that it has is none of this region.
        """
        request, found = self.request, CutSearch(start=None if self.start is None else self.start.level)
        seen: set[frozenset[tuple[int, int, bytes]]] = set()
        most = request.keep if request.limit is None else request.limit
        cancelled, told = False, Progress(None, 0, 0, 0.0)

        def is_enough() -> bool:
            return request.limit is not None and len(found.designs) >= request.limit

        def take(walk: WalkResult, *, new: bool = True) -> bool:
            found.walks += walk.whole
            found.candidates += walk.candidates
            if new and walk.whole:
                ledger.put(_walk_key(walk.number), walk)
            if self._is_design(walk):
                puzzle, solution = self._puzzle(walk.owner, f"{self.name}-{request.seed}-{walk.number}")
                key = self._key(puzzle)
                design = None if key in seen else self._design(walk, puzzle, solution, judging)
                seen.add(key)
                if design is not None:
                    found.designs.append(design)
                    found.designs.sort(key=lambda d: d.worth(hard=request.hard), reverse=True)
                    del found.designs[most:]
                    if design in found.designs:
                        events.on_design(design)
            return ended(not is_enough())

        def report(n: int, candidates: int, spent: float) -> bool:
            ends = [] if request.walks is None else [n / request.walks]
            ends += [] if not request.seconds else [spent / request.seconds]
            nonlocal cancelled, told
            told = Progress(min(1.0, max(ends)) if ends else None, candidates, n, spent)
            cancelled = not events.on_progress(told) or cancelled
            return ended(not cancelled and (left is None or spent < left))

        def judging() -> bool:
            nonlocal cancelled
            spent = time.perf_counter() - begun
            cancelled = not events.on_progress(told) or cancelled
            return not cancelled and (request.seconds is None or spent < request.seconds + GRACE)

        def ended(goes_on: bool) -> bool:
            if self._turner is not None:
                self._turner.stopped = not goes_on
            return goes_on

        number, end = request.first, MANY if request.walks is None else request.first + request.walks
        begun = time.perf_counter() - (0.0 if self.start is None else self.start.seconds)
        left = request.seconds
        going = most > 0
        while going and number < end and (walk := ledger.get(_walk_key(number), WalkResult)) is not None:
            if not self._is_cut(walk, number):
                raise ledger.fault(_walk_key(number), "it is not a cut of this region")
            going = take(walk, new=False)
            number += 1
        if going and number < end:
            left = None if left is None else max(0.0, left - (time.perf_counter() - begun))
            self._native.run(
                seed=request.seed % (1 << 64),
                first=number,
                n_walks=min(end - number, MANY),
                patience=min(request.patience, MANY),
                memory=MEMORY,
                rounds=ROUNDS,
                threads=threads_to_start(request.threads)[0],
                seconds=left,
                on_found=lambda **fields: take(WalkResult(**fields)),
                on_progress=report,
            )
        all_walked = not cancelled if request.walks is None else found.walks >= request.walks
        found.complete = bool(found.designs) and (all_walked if request.limit is None else is_enough())
        return found

    def question(self) -> Question:
        """Everything that the walks depend on."""
        request: Any = self.request
        if isinstance(request, CutRequest):
            request = replace(request, parts=self.region.n_parts)
        if request.turns == "never":
            request = replace(request, play=None, bevel=None)
        request = replace(request, needs_play=str(self.region.needed))
        return Question.of(WALKS, request=request, region=self.named, start=self.start)

    def _key(self, puzzle: Puzzle) -> frozenset[tuple[int, int, bytes]]:
        """A key that designs of the same parts share."""
        of_each = orientations_of_each(puzzle.parts, range(self.lattice.dimension))
        return frozenset(
            (part.low, part.size, min(o.key for o in found)) for part, found in zip(puzzle.parts, of_each, strict=True)
        )

    # The cuts of the native search, rebuilt and checked.

    def _is_cut(self, walk: WalkResult, number: int) -> bool:
        """Whether the result of a walk that was kept may be one of this region."""
        owner = walk.owner
        fits = owner.shape == (len(self.cells),) and owner.min() >= -1 and owner.max() < self.region.n_parts
        return bool(fits) and walk.number == number

    def _is_design(self, walk: WalkResult) -> bool:
        """Whether the cut of a walk has one solution and fulfils the request."""
        return (
            not walk.violations
            and walk.counted
            and walk.solutions == 1
            and self._is_late(walk.level, walk.moves, walk.turns)
            and (walk.one_order or not self.request.one_order)
        )

    def _is_late(self, level: int, moves: int, turns: int) -> bool:
        """Whether what comes apart like this has the level that is asked for, and the turns.

        A cut that grew comes apart later than the assembly that it grew from, if no level is asked for.
        """
        request = self.request
        if level < max(request.min_level, int(self.region.slides)) or (request.turns == "needed" and not turns):
            return False
        if self.start is None or request.hard or request.min_level:
            return True
        return (level, moves, turns) > self.start.worth

    def _design(
        self, walk: WalkResult, puzzle: Puzzle, solution: Solution, goes_on: Callable[[], bool]
    ) -> CutDesign | None:
        """The design of a cut with one solution, rebuilt as *puzzle* and *solution*, checked.

        None if its parts turn, and need more play than they have, or another play than is wanted.

        Raises:
            InternalError: it is not what the search said.
        """
        request, seed = self.request, self.request.seed
        source = f"walk {walk.number} of seed {seed}"
        faults = verify(puzzle, solution)
        answers = [count_prepared(prepare(puzzle), create(name), Limits(covers=2)) for name in ("dlx", "bitset")]
        if faults or any(not answer.complete or answer.different != 1 for answer in answers):
            raise InternalError(f"{source} found parts that have not one solution: {faults[:3]}")
        disassembly = self._judge.plan(puzzle, solution, goes_on) if self.region.slides else None
        if disassembly is None and self.region.slides:
            if request.turns == "never":
                raise InternalError(f"{source} found parts that do not come apart")
            return None
        if disassembly is not None and request.turns != "never" and not self._is_late(*_figures(disassembly)):
            return None
        level, total = () if disassembly is None else disassembly.level, answers[0].total
        level_words = f", level {'.'.join(map(str, level))}" if level else ""
        if disassembly is not None and disassembly.turns:
            level_words += f" ({counted(disassembly.turns, 'turn')})"
        if disassembly is not None and disassembly.needed_play is not None:
            level_words += f", {play_in_words(disassembly.needed_play)}"
        command = f"{self._command()} --walk {walk.number}"
        puzzle = replace(
            puzzle,
            title=f"{self.region.n_parts} parts with one solution{level_words}",
            source=f"made by `{command}`",
            expect={"different": 1, "different_under_rotations": _under_rotations(puzzle), "total": total},
            level=level,
        )
        figures = judge_difficulty(puzzle, DifficultyRequest(near=False))
        if figures.complete and figures.solutions != total:
            raise InternalError(f"{source}: {total} and {figures.solutions} solutions were counted")
        order = walk.one_order if request.one_order else None
        solution = solution.of_puzzle(puzzle)
        return CutDesign(puzzle, solution, disassembly, figures, order, seed, walk.number, walk.whole)

    def _command(self) -> str:
        """The command that makes the same walks."""
        words, name = self.request.as_words(), shlex.quote(self.region_name)
        if self.start is None:
            return f"latcover design cut {name} --parts {self.region.n_parts} {words}"
        return f"latcover design grow {name} {words}"

    def _puzzle(self, owner: npt.NDArray[np.int32], name: str) -> tuple[Puzzle, Solution]:
        """The puzzle of a cut, equal parts as copies of one, and its solution."""
        pieces = [self._whole(self.cells[owner == p]) for p in range(self.region.n_parts)]
        pieces.sort(key=lambda cells: (-len(cells), cells.tolist()))
        bare = [self._part("any", cells, 1) for cells in pieces]
        of_each = orientations_of_each(bare, range(self.lattice.dimension))
        alike: dict[tuple[int, bytes], list[int]] = {}
        for p, found in enumerate(of_each):
            alike.setdefault((len(pieces[p]), min(o.key for o in found)), []).append(p)
        parts, placed = [], []
        for number, members in enumerate(alike.values()):
            parts.append(self._part(_letters(number), pieces[members[0]], len(members)))
            placed += [Placed(parts[-1].name, tuple(sorted(map(tuple, pieces[p].tolist())))) for p in members]
        crossed = np.array(self.region.crossed, np.int32).reshape(-1, self.cells.shape[1])
        optional = np.arange(len(self.cells) + len(crossed)) >= len(self.cells)
        if self.region.holes:
            optional[self.region.inner] = True
        region = Region(np.concatenate([self.cells, crossed]), None, optional)
        region = region.ordered(region.default_order())
        puzzle = Puzzle(name, self.lattice, region, tuple(parts), turning=self.region.room)
        return puzzle, Solution(tuple(placed), 1, 1, 1, puzzle)

    def _whole(self, cells: Cells) -> Cells:
        """The cells of a part, with the secondary ones that it runs straight through."""
        return np.array([*cells.tolist(), *self.lattice.crossed_by(cells)], np.int32)

    def _part(self, name: str, cells: Cells, copies: int) -> Part:
        return Part(name, cells, np.zeros(len(cells), np.int32), copies, copies, self.region.allowed)


def _under_rotations(puzzle: Puzzle) -> int:
    return count_prepared(prepare(puzzle, Choices(symmetry="rotations")), create("bitset")).different


def _walk_key(number: int) -> str:
    """The ledger key of a walk."""
    return f"walk {number}"


def _figures(plan: Disassembly) -> tuple[int, int, int]:
    """The moves to the first separation, those of all separations, and how many of them are turns."""
    return plan.level[0], len(plan.steps), plan.turns


def _letters(number: int) -> str:
    """A, B, ..., Z, AA, AB, ..."""
    name, number = "", number + 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def cut(region: str | Path | Puzzle, parts: int | None = None, **choices: Any) -> list[CutDesign]:
    """Cut a region into parts that have one solution; the best designs found, checked, the best first.

    Args:
        region: A puzzle, whose region is taken; the name or the path of one; or a box of a lattice, such as
            ``"cubic:4x4x4"``.
        parts: Into how many parts; None takes parts of about 5 cells.
        choices: Fields of a `CutRequest`, such as ``holes=4`` and ``walks=10``. It searches for a minute if none of
            them ends the search, on one thread if they do not say how many.

    Raises:
        PuzzleError: there is no such region, or it cannot be cut like this.
        UnsupportedError: it is too large.
    """
    named = region_named(region) if isinstance(region, str) else region_of(puzzle_called(region))
    request = decoded(CutRequest, {"parts": parts, "threads": 1, **choices}, "the cut")
    return Cutter(named, request.with_an_end()).search().designs


def grower(puzzle: Puzzle, name: str, request: GrowRequest, events: Events = SILENT) -> Cutter:
    """The search that changes an assembly of *puzzle*, which is called *name* in a command.

    Raises:
        As `start_of` and `Cutter`.
    """
    start = start_of(puzzle, name, request, events)
    return Cutter(start.region, request, start)


def grow(puzzle: str | Path | Puzzle, **choices: Any) -> list[CutDesign]:
    """Change cells of an assembly to raise its level; the best designs found, checked, the best first.

    Args:
        puzzle: A puzzle that has a solution, or the name or the path of one.
        choices: Fields of a `GrowRequest`, such as ``holes=4`` and ``walks=10``. It searches for a minute if none of
            them ends the search, on one thread if they do not say how many.

    Raises:
        PuzzleError: there is no such puzzle, or it has no assembly that can be changed.
        UnsupportedError: its parts lie in a plane, or it is too large.
    """
    found = puzzle_called(puzzle)
    request = decoded(GrowRequest, {"threads": 1, **choices}, "the growth")
    return grower(found, found.name, request.with_an_end()).search().designs
