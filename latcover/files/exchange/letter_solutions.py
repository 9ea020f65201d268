"""An assembly in letters as a solution of a given puzzle. The shapes of the letters tell which part each letter is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from latcover.core.cover.problem import CoverProblem, Ints
from latcover.core.cover.search import Batch, Limits, SearchTask
from latcover.core.cover.solver_registry import create
from latcover.core.encoding.placement import PlacementTable
from latcover.core.encoding.prepared import Choices, Prepared, prepare
from latcover.core.model.lattice import Cells
from latcover.core.model.puzzle import Bounds, Puzzle, as_cells
from latcover.core.model.solution import Solution
from latcover.core.solving import guard
from latcover.errors import PuzzleError
from latcover.files.formats.letters.letters_text import Assembly


def solution_of(assembly: Assembly, puzzle: Puzzle, bounds: Bounds | None = None) -> Solution:
    """The solution of *puzzle* that *assembly* shows, checked; see `placements_of`.

    Raises:
        PuzzleError: it is not a solution; the message names the letter at fault, or what the verifier finds.
    """
    prepared = prepare(puzzle, Choices("none"), bounds)
    return prepared.inspector().solution(placements_of(assembly, prepared).tolist(), 1, 1, 1)


def placements_of(assembly: Assembly, prepared: Prepared) -> Ints:
    """The placements, ascending, of the solution that *assembly* shows, checked.

    The assembly may lie anywhere, and may be turned or mirrored as a whole. Shapes decide which part a letter is. Among
    parts of the same shape, the letter's own name (or its name in a legend) decides, if this is possible. Letters do
    not show colours and sides. These are chosen so that all rules are kept, if this is possible.

    Raises:
        PuzzleError: it is not a solution; the message names the letter at fault, or what the verifier finds.
    """
    puzzle, table = prepared.puzzle, prepared.table
    lattice, faults_of = puzzle.lattice, prepared.inspector().faults
    if lattice.dimension != assembly.dimension or len(lattice.nodes) > 1:
        raise PuzzleError(
            f"an assembly by letters in {assembly.dimension} dimensions cannot lie on the lattice {lattice.name!r}"
        )
    letters = list(assembly.pieces)
    names = [assembly.names.get(letter, letter) for letter in letters]
    reasons: list[str] = []
    for cells in _ways_to_lie(assembly, puzzle, table):
        fitting = [_placements_on(numbers, table) for numbers in cells]
        lost = [letter for letter, found in zip(letters, fitting, strict=True) if not len(found)]
        if lost:
            reasons.append(f"the letters {', '.join(lost)} match no part, or lie where their part may not")
            continue
        assigned = _assigned(names, fitting, puzzle, table)
        if assigned is None:
            reasons.append("there are more, or fewer, pieces of some shape than the puzzle has parts")
            continue
        chosen = np.array(sorted(assigned), dtype=np.int32)
        faults = faults_of(chosen)
        if faults and max(map(len, fitting)) > 1:
            other = _reading(names, fitting, cells, prepared)
            if other is not None and not faults_of(other):
                return other
        if not faults:
            return chosen
        reasons.append(faults[0])
    why = reasons[0] if reasons else "in no orientation are its cells those of the region"
    raise PuzzleError(f"the assembly at line {assembly.line} is not a solution of {puzzle.name!r}: {why}")


def _ways_to_lie(assembly: Assembly, puzzle: Puzzle, table: PlacementTable) -> Iterator[list[Ints]]:
    """The numbers of the cells that each letter covers, for every motion of the whole; first as the assembly stands."""
    dimension = puzzle.lattice.dimension
    all_cells = as_cells([(0, *cell) for piece in assembly.pieces.values() for cell in piece], dimension)
    ends = np.cumsum([len(piece) for piece in assembly.pieces.values()])[:-1]
    region = table.region
    mandatory = np.flatnonzero(~region.optional)
    seen: set[bytes] = set()
    for motion in puzzle.lattice.transformations:
        image = motion.apply(all_cells)
        for shift in _shifts(image, puzzle, region.cells):
            moved = image.copy()
            moved[:, 1:] += shift
            numbers = table.index.find(moved)
            if (numbers < 0).any() or len(np.unique(numbers)) < len(numbers) or numbers.tobytes() in seen:
                continue
            seen.add(numbers.tobytes())
            if np.isin(mandatory, numbers).all():
                yield list(np.split(numbers, ends))


def _shifts(image: Cells, puzzle: Puzzle, region: Cells) -> Ints:
    """The translations that may take *image* into the region: into its box, except along axes that its period moves."""
    shifts = region[:, 1:] - image[0, 1:]
    low = region[:, 1:].min(axis=0) - image[:, 1:].min(axis=0)
    high = region[:, 1:].max(axis=0) - image[:, 1:].max(axis=0)
    inside = (((shifts >= low) & (shifts <= high)) | puzzle.region.period.moves).all(axis=1)
    found: Ints = np.unique(shifts[inside], axis=0)
    return found


def _placements_on(numbers: Ints, table: PlacementTable) -> Ints:
    """The placements that cover just the cells of these numbers."""
    wanted = np.sort(numbers)
    starts, sizes = table.starts[:-1], np.diff(table.starts)
    begins_there = np.isin(table.cells[np.minimum(starts, len(table.cells) - 1)], wanted)
    likely = np.flatnonzero((sizes == len(wanted)) & begins_there)
    members = np.sort(table.cells[starts[likely, None] + np.arange(len(wanted))], axis=1)
    found: Ints = likely[(members == wanted).all(axis=1)].astype(np.int32)
    return found


def _assigned(names: Sequence[str], fitting: Sequence[Ints], puzzle: Puzzle, table: PlacementTable) -> list[int] | None:
    """A placement for each letter, so that each part is used an allowed number of times; None if there is none.

    Letters are matched to parts along augmenting paths (Kuhn 1955). The first paths give each part its least number of
    letters; later ones go up to its greatest number. No path lowers the number of letters of a part.
    """
    placement_of = [{int(table.part_of[p]): int(p) for p in reversed(found.tolist())} for found in fitting]
    number = {part.name: k for k, part in enumerate(puzzle.parts)}
    by_name = sorted(range(len(names)), key=lambda k: number.get(names[k], -1) not in placement_of[k])
    part_of: dict[int, int] = {}
    wanted = _wanted(names, placement_of, number)
    for most in ([part.low for part in puzzle.parts], [puzzle.most_copies(part) for part in puzzle.parts]):
        for k in by_name:
            if k not in part_of:
                _augment(k, wanted, part_of, most, set())
    used = list(part_of.values())
    if len(part_of) < len(names) or any(used.count(k) < part.low for k, part in enumerate(puzzle.parts)):
        return None
    return [placement_of[k][part] for k, part in sorted(part_of.items())]


def _wanted(
    names: Sequence[str], placement_of: Sequence[Mapping[int, int]], number: Mapping[str, int]
) -> list[list[int]]:
    """The parts that each letter can be, the one of its name first."""
    wanted = []
    for name, found in zip(names, placement_of, strict=True):
        own = number.get(name)
        wanted.append([*(part for part in found if part == own), *(part for part in sorted(found) if part != own)])
    return wanted


def _augment(
    k: int, wanted: Sequence[Sequence[int]], part_of: dict[int, int], most: Sequence[int], seen: set[int]
) -> bool:
    """Give letter k a part. Move other letters to other parts only if no possible part of k is free."""
    used = Counter(part_of.values())
    for part in wanted[k]:
        if used[part] < most[part]:
            part_of[k] = part
            return True
    for part in wanted[k]:
        if part in seen:
            continue
        seen.add(part)
        for other in [other for other, own in part_of.items() if own == part]:
            if _augment(other, wanted, part_of, most, seen):
                part_of[k] = part
                return True
    return False


# ---- what letters leave open: pieces that cover the same cells may differ in colours and in sides


def _reading(names: Sequence[str], fitting: Sequence[Ints], cells: Sequence[Ints], prepared: Prepared) -> Ints | None:
    """One placement for each letter, ascending, so that all rules are kept; None if there is no such choice.

    A search finds it among the placements *fitting* that cover exactly the *cells* of some letter. A letter is the part
    of its name where that can be.
    """
    full = prepared.in_full()
    number = {part.name: k for k, part in enumerate(full.puzzle.parts)}
    of_part = [
        found[full.table.part_of[found] == number.get(name, -1)] for name, found in zip(names, fitting, strict=True)
    ]
    named = [own if len(own) else found for own, found in zip(of_part, fitting, strict=True)]
    covered = np.concatenate(cells)
    for wanted in (named, fitting):
        kept = _kept(full, np.concatenate(wanted), covered)
        batches: list[Batch] = []

        def keep(batch: Batch, batches: list[Batch] = batches) -> bool:
            batches.append(batch)
            return False

        guard.search(create("auto"), SearchTask(_with_these(full.problem, kept, covered), keep, Limits(covers=1)))
        if batches:
            placements = full.option_placement[kept][next(iter(batches[0]))]
            return np.sort(placements[placements >= 0])
    return None


def _kept(full: Prepared, wanted: Ints, covered: Ints) -> npt.NDArray[np.intp]:
    """The options that are wanted placements, and those that leave a cell empty where no letter stands."""
    problem = full.problem
    holds = np.isin(problem.option_items, covered)
    touches = np.bincount(np.repeat(np.arange(problem.n_options), np.diff(problem.option_starts))[holds]) > 0
    touches = np.pad(touches, (0, problem.n_options - len(touches)))
    return np.flatnonzero(np.where(full.option_placement < 0, ~touches, np.isin(full.option_placement, wanted)))


def _with_these(problem: CoverProblem, kept: npt.NDArray[np.intp], covered: Ints) -> CoverProblem:
    """The problem with these options alone, in which a piece lies on each cell that is covered."""
    low = problem.low.copy()
    low[covered] = 1
    return replace(problem.with_options(kept), low=low)
