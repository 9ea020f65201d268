"""The forms in which a problem can be written, by name and by suffix. Their modules are loaded when they are used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from latcover.errors import UnsupportedError, suggest

if TYPE_CHECKING:
    from latcover.formats.cover_problems.exported import Exported


@dataclass(frozen=True, slots=True)
class How:
    """What some forms can be asked for.

    Attributes:
        encoding: How clauses say "at most one" (dimacs).
        projected: Name the variables that are to be counted, for projected model counters (dimacs).
        solutions: Add every solution (json).
        cancelled: Says whether the search for these is to end with those found.
    """

    encoding: str | None = None
    projected: bool = False
    solutions: bool = False
    cancelled: Callable[[], bool] = lambda: False


Writer = Callable[["Exported", How], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class Form:
    """A form of file.

    Attributes:
        place: The function that writes it, as ``module:function`` in this package.
        honours: The fields of `How` that it looks at.
        binary: Whether it is nothing for a terminal.
        numbered: Whether its variables are placements by number, so that cells must be numbered as usual.
    """

    name: str
    suffixes: tuple[str, ...]
    about: str
    place: str
    honours: tuple[str, ...] = ()
    numbered: bool = True
    binary: bool = False

    def writer(self) -> Writer:
        """The function that writes it, piece by piece."""
        module, function = self.place.split(":")
        writer: Writer = getattr(import_module(f"latcover.formats.cover_problems.{module}"), function)
        return writer

    def write(self, exported: Exported, how: How) -> Iterator[bytes]:
        """The file, piece by piece.

        Raises:
            UnsupportedError: it cannot honour *how*, or hold the problem.
        """
        for field, option in (("encoding", "--encoding"), ("projected", "--projected"), ("solutions", "--solutions")):
            if getattr(how, field) and field not in self.honours:
                raise UnsupportedError(f"a file of the form {self.name!r} knows no {option}")
        return self.writer()(exported, how)


FORMS = {
    form.name: form
    for form in (
        Form("dimacs", (".cnf", ".dimacs"), "DIMACS CNF, for SAT solvers and model counters", "dimacs:write",
             ("encoding", "projected")),
        Form("dlx", (".dlx", ".xcc"), "items and options, for Knuth's DLX1, DLX2 (XCC) and DLX3", "dlx_text:write",
             numbered=False),
        Form("json", (".json",), "puzzle, problem and solutions, for programs", "json_form:write", ("solutions",)),
        Form("lp", (".lp",), "an integer program in CPLEX's LP format", "integer_program:write_lp"),
        Form("minizinc", (".mzn",), "a MiniZinc model with its data", "minizinc:write"),
        Form("mps", (".mps",), "an integer program in MPS format", "integer_program:write_mps"),
        Form("npz", (".npz",), "the placement matrix as NumPy and SciPy read it", "npz:write", numbered=False,
             binary=True),
        Form("opb", (".opb",), "pseudo-Boolean constraints", "opb:write"),
    )
}  # fmt: skip


def form_of(name: str | None, output: Path | None) -> Form:
    """The form asked for, or that of the suffix of the file to be written.

    Raises:
        UnsupportedError: there is no such form.
    """
    if name is not None:
        if name not in FORMS:
            raise UnsupportedError(f"there is no form {name!r}{suggest(name, FORMS)}")
        return FORMS[name]
    for form in FORMS.values():
        if output is not None and output.suffix.lower() in form.suffixes:
            return form
    raise UnsupportedError(f"say in which form to write: {', '.join(FORMS)}")
