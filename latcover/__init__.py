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
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from latcover.counting import count
    from latcover.errors import (
        InputError,
        LatcoverError,
        LatticeError,
        PuzzleError,
        PuzzleFileError,
        UnsupportedError,
    )
    from latcover.library import load, load_lattice
    from latcover.problem import CoverProblem
    from latcover.puzzle import Part, Puzzle, Region
    from latcover.running import Answer, run
    from latcover.search import Limits
    from latcover.solution import Solution
    from latcover.solve import Choices, prepare, solutions
    from latcover.verifier import verify

# Imported at first use, so that `latcover --help` loads neither NumPy nor a solver.
_MODULE_OF = {
    "Answer": "running",
    "Choices": "solve",
    "CoverProblem": "problem",
    "InputError": "errors",
    "LatcoverError": "errors",
    "LatticeError": "errors",
    "Limits": "search",
    "Part": "puzzle",
    "Puzzle": "puzzle",
    "PuzzleError": "errors",
    "PuzzleFileError": "errors",
    "Region": "puzzle",
    "Solution": "solution",
    "UnsupportedError": "errors",
    "count": "counting",
    "load": "library",
    "load_lattice": "library",
    "prepare": "solve",
    "run": "running",
    "solutions": "solve",
    "verify": "verifier",
}

__all__ = [
    "Answer",
    "Choices",
    "CoverProblem",
    "InputError",
    "LatcoverError",
    "LatticeError",
    "Limits",
    "Part",
    "Puzzle",
    "PuzzleError",
    "PuzzleFileError",
    "Region",
    "Solution",
    "UnsupportedError",
    "count",
    "load",
    "load_lattice",
    "prepare",
    "run",
    "solutions",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'latcover' has no attribute {name!r}")
    return getattr(import_module(f"latcover.{_MODULE_OF[name]}"), name)
