"""Checks files of any kind, and reports all of their faults."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.encoding.placement import placements
from latcover.core.encoding.prepared import prepare
from latcover.core.impossible.reasons import reasons
from latcover.core.model.move_words import level_as_text
from latcover.core.model.puzzle import Bounds, Puzzle
from latcover.core.model.puzzle_checks import complaints_about
from latcover.core.solving.count import CountRequest, count
from latcover.core.solving.solutions import solutions
from latcover.errors import Complaint, InputError, LatcoverError, PuzzleError, PuzzleFileError, counted, escaped
from latcover.files.formats.library import (
    board_and_goal,
    find_any,
    is_of_family,
    kind_of_file,
    load_family,
    load_lattice,
    load_member,
    load_problems,
    load_set,
)
from latcover.files.formats.puzzle_files.file_keys import FileKind
from latcover.files.formats.puzzle_files.toml_file import MOST_COMPLAINTS
from latcover.lab.assembly.survey import Survey
from latcover.lab.assembly.taking_apart import assembler_of
from latcover.show.reporting.puzzle_figures import info_as_json

if TYPE_CHECKING:
    from latcover.core.model.goals import Goals

Kind = FileKind | Literal["cover problem"]
MEMBERS_CHECKED = 3  # puzzles of a family
IN_FOLDERS = (".toml", ".xmpuzzle", ".scad", ".dlx", ".xcc")  # other readable suffixes are too common


class FileReport(Struct, frozen=True):
    """The complaints about a file. A file is sound if all of them are warnings."""

    file: str
    kind: Kind
    complaints: tuple[Complaint, ...]
    summary: str

    @property
    def sound(self) -> bool:
        return all(complaint.warning for complaint in self.complaints)

    def strictly(self) -> FileReport:
        """The same with every warning as an error."""
        return replace(self, complaints=tuple(replace(complaint, warning=False) for complaint in self.complaints))

    def verdict(self) -> str:
        """The verdict in one line."""
        if self.sound:
            kind = "puzzle with goals" if self.kind == "goals" else self.kind
            return escaped(f"{self.file}: a sound {kind}: {self.summary}")
        faults = sum(not complaint.warning for complaint in self.complaints)
        most = " at least" if faults >= MOST_COMPLAINTS else ""
        return escaped(f"{self.file}: {counted(faults, 'error')}{most} in this file")

    def line(self) -> str:
        """The verdict with the first complaint, in one line, for a list of files."""
        worst = sorted(self.complaints, key=lambda complaint: complaint.warning)[:1]
        others = f" (and {len(self.complaints) - 1} more)" if len(self.complaints) > 1 else ""
        if self.sound:
            return self.verdict() + "".join(f"; {complaint}{others}" for complaint in worst)
        return "".join(f"{complaint}{others}" for complaint in worst)

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "file": self.file,
            "kind": self.kind,
            "ok": self.sound,
            "complaints": [asdict(complaint) for complaint in self.complaints],
        }


def files_of(names: Iterable[str]) -> list[str]:
    """The files to check; the name of a folder stands for all files in it, at any depth, with a suffix of puzzles.

    Raises:
        PuzzleError: a folder has no such file.
    """
    found: list[str] = []
    for name in names:
        if not os.path.isdir(name):  # unlike `Path.is_dir`, it takes names that no file can have
            found.append(name)
            continue
        inside = sorted(str(path) for path in Path(name).rglob("*") if path.suffix.lower() in IN_FOLDERS)
        if not inside:
            raise PuzzleError(f"the folder {name} has no file to check; it looks for {', '.join(IN_FOLDERS)}")
        found += inside
    return found


def inspect_files(names: Iterable[str], bounds: Bounds, *, strict: bool = False) -> Iterator[FileReport]:
    """A report for each file, even if it does not exist; if *strict*, warnings are errors."""
    for name in names:
        try:
            yield check(name, strict=strict, bounds=bounds)
        except LatcoverError as fault:
            yield FileReport(name, "puzzle", (Complaint(str(fault), name),), "")


def check(given: str | Path | Puzzle, *, strict: bool = False, bounds: Bounds | None = None) -> FileReport:
    """Every complaint about a file of any kind, or about a puzzle; a file at fault is a report, not an error.

    Args:
        given: A puzzle, or the name or the path of a puzzle, a lattice, a part set or a family.
        strict: Whether warnings are errors.
        bounds: How much it may ask for.

    Raises:
        PuzzleError: there is no such file.
    """
    if isinstance(given, Puzzle):
        faults = tuple(Complaint(fault.message, warning=fault.warning) for fault in complaints_about(given))
        found = () if any(not fault.warning for fault in faults) else _without_solution([given], "", bounds or Bounds())
        report = FileReport(given.name, "puzzle", (*faults, *found), _sizes([given]))
    elif isinstance(given, str | Path):
        report = inspect_file(str(given), bounds or Bounds())
    else:
        raise PuzzleError(f"check takes a puzzle, or the name or the path of a file, not {given!r:.80}")
    return report.strictly() if strict else report


def inspect_file(name: str, bounds: Bounds) -> FileReport:
    """Read a file of any kind, or the shipped file called *name*, and collect every complaint."""
    is_one = is_of_family(name) or bool(board_and_goal(name)[1])
    path = Path(name) if is_one else find_any(name)
    kind: FileKind = "puzzle" if is_one else kind_of_file(path, bounds.file_bytes)
    try:
        if kind == "lattice":
            lattice = load_lattice(str(path))
            summary = ", ".join(
                (f"{len(lattice.half_edges)} half-edges", counted(len(lattice.transformations), "transformation"))
            )
            return FileReport(str(path), kind, (), summary)
        if kind == "part set":
            parts = load_set(str(path), bounds)
            summary = f"{counted(len(parts.parts), 'part')} on the lattice {parts.lattice.name!r}"
            return FileReport(str(path), kind, (), summary)
        if kind == "family":
            family = load_family(str(path))
            cells = (len(load_member(family, family.start + k, bounds).region.cells) for k in range(MEMBERS_CHECKED))
            summary = f"from size {family.start} on, {', '.join(map(str, cells))} ... cells"
            return FileReport(str(path), kind, (), summary)
        read = load_problems(str(path), bounds)
        if goals := getattr(read, "goals", None):
            from latcover.show.reporting.goals_figures import complaints_about_goals

            summary = f"{counted(len(goals), 'goal')} on a board of {_sizes([goals.board])}"
            return FileReport(str(path), "goals", complaints_about_goals(goals, str(path)), summary)
        problems = read.values()
        groups = [p.complaints if isinstance(p, PuzzleFileError) else p.warnings for p in problems]
        complaints = list(dict.fromkeys(complaint for group in groups for complaint in group))
        puzzles = [problem for problem in problems if isinstance(problem, Puzzle)]
        complaints += _without_solution(puzzles, str(path), bounds)
        bare = [named.problem for named in problems if isinstance(named, NamedProblem)]
        sizes = filter(None, (_sizes(puzzles), *(_size(problem) for problem in bare)))
        return FileReport(str(path), "cover problem" if bare else kind, tuple(complaints), "; ".join(sizes))
    except InputError as problem:
        return FileReport(str(path), kind, problem.complaints, "")
    except LatcoverError as problem:
        return FileReport(str(path), kind, (Complaint(str(problem), str(path)),), "")


def _without_solution(puzzles: Sequence[Puzzle], path: str, bounds: Bounds) -> list[Complaint]:
    """Warnings of puzzles of which a simple argument shows that they have no solution."""
    return [
        Complaint(f"{f'{puzzle.name}: ' if len(puzzles) > 1 else ''}no solution: {reason.text}", path, warning=True)
        for puzzle in puzzles
        for reason in reasons(puzzle, placements(puzzle, bounds=bounds))
    ]


def _sizes(puzzles: Sequence[Puzzle]) -> str:
    return "; ".join(f"{_cells_in_words(p)}, {counted(len(p.parts), 'part')}" for p in puzzles)


def _cells_in_words(puzzle: Puzzle) -> str:
    """How many cells the region has; and if every one may stay empty, this and how many may."""
    region = puzzle.region
    bounded = int(region.bounded_empty(puzzle.lattice).sum())
    many = f"at most {region.max_empty} of them may stay empty" if bounded else "every one may stay empty"
    cells = counted(len(region.cells), "cell") + (" in exchangeable pieces" if region.exchangeable else "")
    return f"{cells} ({many})" if region.is_all_optional(puzzle.lattice) else cells


def _size(problem: CoverProblem) -> str:
    return f"{counted(problem.n_items, 'item')}, {counted(problem.n_options, 'option')}"


class CheckedFigure(Struct, frozen=True):
    """An expected figure of a puzzle file, and the counted one; levels are text."""

    figure: str
    expected: int | str
    found: int | str

    @property
    def differs(self) -> bool:
        return self.expected != self.found


def check_expectations(puzzle: Puzzle | Goals) -> list[CheckedFigure]:
    """Count *puzzle* as its expectations ask, and compare each figure with the expected one."""
    wanted = dict(puzzle.expect)
    if not isinstance(puzzle, Puzzle):
        from latcover.show.reporting.goals_figures import counted_figures

        return [CheckedFigure(name, wanted[name], figure) for name, figure in counted_figures(puzzle).items()]
    found: dict[str, int] = {}
    if wanted.keys() & {"different", "total"}:
        answer = count(puzzle)
        found |= {"different": answer.different, "total": answer.total}
    if "different_under_rotations" in wanted:
        found["different_under_rotations"] = count(puzzle, CountRequest(symmetry="rotations")).different
    if "assemblable" in wanted:
        found["assemblable"] = Survey(assembler_of(puzzle)).take_all(solutions(puzzle)).results["apart"]
    if wanted.keys() - found.keys():
        figures = info_as_json(prepare(puzzle))
        found |= {key: figures[key] for key in wanted if key not in found}
    checked = [CheckedFigure(name, expected, found[name]) for name, expected in wanted.items()]
    if puzzle.level:
        checked.append(CheckedFigure("level", level_as_text(puzzle.level), level_as_text(least_level(puzzle))))
    return checked


def least_level(puzzle: Puzzle) -> tuple[int, ...]:
    """The least level of a solution that comes apart; empty if none does. No solution is taken after one of level 1."""
    assembler = assembler_of(puzzle)
    least: tuple[int, ...] = ()
    for solution in solutions(puzzle):
        (found,) = assembler.take_apart([solution])
        if found.result == "apart" and (not least or found.level < least):
            least = found.level
        if least == (1,):
            break
    return least
