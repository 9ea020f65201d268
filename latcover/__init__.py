"""latcover: models and solves put-together puzzles on any lattice.

>>> import latcover
>>> soma = latcover.load("soma")
>>> answer = latcover.count(soma)
>>> answer.different, answer.total
(240, 11520)
>>> first = next(latcover.solutions(soma))
>>> [placed.part for placed in first.placements]
['V', 'T', 'L', 'Z', 'A', 'B', 'P']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from latcover.model.pictured import Painter, show_with

if TYPE_CHECKING:
    from latcover.assembly.taking_apart import ApartLimits, disassemble
    from latcover.cover.problem import CoverProblem
    from latcover.cover.search import Limits
    from latcover.designing.cuts import cut
    from latcover.designing.design import design
    from latcover.designing.difficulty import Difficulty, difficulty
    from latcover.designing.targets import design_regions
    from latcover.designing.wanted import Looking, Wanted
    from latcover.designing.wanted_cuts import CutDesign, CutEffort
    from latcover.encoding.prepared import Choices, prepare
    from latcover.errors import (
        InputError,
        LatcoverError,
        LatticeError,
        PuzzleError,
        PuzzleFileError,
        UnsupportedError,
    )
    from latcover.formats.library import load, load_lattice, load_set, loads
    from latcover.model.disassembly import Disassembly, Separation, Step
    from latcover.model.puzzle import Part, PartSet, Puzzle, Region, box
    from latcover.model.solution import Solution
    from latcover.model.verifier import verify
    from latcover.solving.answer import Answer
    from latcover.solving.count import count
    from latcover.solving.filters import keeps_apart, part_at, symmetric
    from latcover.solving.frame import frame
    from latcover.solving.run import run
    from latcover.solving.solutions import solutions

# Imported at first use, so that `latcover --help` loads neither NumPy nor a solver.
_MODULE_OF = {
    "Answer": "latcover.solving.answer",
    "ApartLimits": "latcover.assembly.taking_apart",
    "Choices": "latcover.encoding.prepared",
    "CoverProblem": "latcover.cover.problem",
    "CutDesign": "latcover.designing.wanted_cuts",
    "CutEffort": "latcover.designing.wanted_cuts",
    "Difficulty": "latcover.designing.difficulty",
    "Disassembly": "latcover.model.disassembly",
    "InputError": "latcover.errors",
    "LatcoverError": "latcover.errors",
    "LatticeError": "latcover.errors",
    "Limits": "latcover.cover.search",
    "Looking": "latcover.designing.wanted",
    "Part": "latcover.model.puzzle",
    "PartSet": "latcover.model.puzzle",
    "Puzzle": "latcover.model.puzzle",
    "PuzzleError": "latcover.errors",
    "PuzzleFileError": "latcover.errors",
    "Region": "latcover.model.puzzle",
    "Separation": "latcover.model.disassembly",
    "Solution": "latcover.model.solution",
    "Step": "latcover.model.disassembly",
    "UnsupportedError": "latcover.errors",
    "Wanted": "latcover.designing.wanted",
    "box": "latcover.model.puzzle",
    "count": "latcover.solving.count",
    "cut": "latcover.designing.cuts",
    "design": "latcover.designing.design",
    "design_regions": "latcover.designing.targets",
    "difficulty": "latcover.designing.difficulty",
    "disassemble": "latcover.assembly.taking_apart",
    "frame": "latcover.solving.frame",
    "keeps_apart": "latcover.solving.filters",
    "load": "latcover.formats.library",
    "load_lattice": "latcover.formats.library",
    "load_set": "latcover.formats.library",
    "loads": "latcover.formats.library",
    "part_at": "latcover.solving.filters",
    "prepare": "latcover.encoding.prepared",
    "run": "latcover.solving.run",
    "solutions": "latcover.solving.solutions",
    "symmetric": "latcover.solving.filters",
    "verify": "latcover.model.verifier",
}

__all__ = [
    "Answer",
    "ApartLimits",
    "Choices",
    "CoverProblem",
    "CutDesign",
    "CutEffort",
    "Difficulty",
    "Disassembly",
    "InputError",
    "LatcoverError",
    "LatticeError",
    "Limits",
    "Looking",
    "Part",
    "PartSet",
    "Puzzle",
    "PuzzleError",
    "PuzzleFileError",
    "Region",
    "Separation",
    "Solution",
    "Step",
    "UnsupportedError",
    "Wanted",
    "box",
    "count",
    "cut",
    "design",
    "design_regions",
    "difficulty",
    "disassemble",
    "frame",
    "keeps_apart",
    "load",
    "load_lattice",
    "load_set",
    "loads",
    "part_at",
    "prepare",
    "run",
    "solutions",
    "symmetric",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'latcover' has no attribute {name!r}")
    return getattr(import_module(_MODULE_OF[name]), name)


# Loaded with the first picture that a notebook shows.
show_with(lambda: cast(Painter, import_module("latcover.drawing.notebook")))
