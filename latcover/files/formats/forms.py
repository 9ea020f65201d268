"""The forms of file that are read or written: the one table of their names and suffixes.

The modules that read and write them are loaded when they are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from latcover.errors import UnsupportedError, suggest

if TYPE_CHECKING:
    from latcover.core.cover.diagram import Diagram
    from latcover.core.cover.problem import Ints
    from latcover.core.cover.searchable import AnySolution
    from latcover.core.model.disassembly import Disassembly
    from latcover.core.model.puzzle import Bounds, Puzzle
    from latcover.files.formats.cover_problems.exported import Exported

BYTES_OF_A_LETTER = 4  # a cell in a grid of letters, with room for blanks and titles
BYTES_OF_AN_OPTION = 64  # in a matrix, compressed
MOST_OF_A_MODEL = 1 << 20  # bytes of a text for OpenSCAD


class WrittenSolution(Struct, frozen=True):
    """A verified solution, as writers take it.

    Attributes:
        members: Its placements, or the options of a bare problem, by their indices; empty if the file does not list
            them.
        disassembly: How it comes apart, if the file is to say so.
    """

    solution: AnySolution
    members: Ints
    disassembly: Disassembly | None = None


class SolutionStream(Struct, frozen=True):
    """The verified solutions of one problem, numbered from 1.

    Attributes:
        solutions: The solutions, one by one, perhaps while a search goes on.
        is_complete: Whether these were all solutions; asked after the last one.
    """

    solutions: Iterator[WrittenSolution]
    is_complete: Callable[[], bool]


class WriteOptions(Struct, frozen=True):
    """Options that some forms understand.

    Attributes:
        encoding: How clauses say "at most one" (dimacs).
        projected: Name the variables that are to be counted, for projected model counters (dimacs).
        solutions: The solutions of each problem of the file, to be added (json, xmpuzzle).
        disassemblies: Whether these solutions come with their disassemblies (xmpuzzle).
        diagram: All solutions (zdd).
    """

    encoding: str | None = None
    projected: bool = False
    solutions: tuple[SolutionStream, ...] = ()
    disassemblies: bool = False
    diagram: Diagram | None = None


OPTIONS = {
    "encoding": "--encoding",
    "projected": "--projected",
    "solutions": "--solutions",
    "disassemblies": "--take-apart",
}


class Form(Struct, frozen=True):
    """A form of file.

    Attributes:
        suffixes: Of its files, the usual one first.
        about: What it is, for users.
        reads, writes: The functions that read and write it, as ``module:function`` in this package; "" for none.
        needed: What a message asks for if the user names something else.
        uploaded: Whether the web app takes it.
        most_bytes: How large a file may be.
        raised_by: The option that raises this bound.
        unfinished: Whether its reader can accept puzzles that cannot be solved yet.
        honours: The fields of `WriteOptions` that its writer understands. A writer that understands none takes none.
        binary: Whether it cannot be shown on a terminal.
        numbered: Whether it numbers the placements, so that cells must have their default numbers.
        of_puzzles: Whether its writer takes puzzles, one or several, and not a cover problem.
        of_diagram: Whether its writer needs the diagram of all solutions.
    """

    name: str
    suffixes: tuple[str, ...]
    about: str
    reads: str = ""
    writes: str = ""
    needed: str = ""
    uploaded: bool = False
    most_bytes: Callable[[Bounds], int] = lambda bounds: bounds.file_bytes
    raised_by: str = "--max-cells"
    unfinished: bool = False
    honours: tuple[str, ...] = ()
    binary: bool = False
    numbered: bool = True
    of_puzzles: bool = False
    of_diagram: bool = False

    @property
    def mend(self) -> str:
        """How a message about the size of a file ends."""
        return f"; raise the bound with {self.raised_by}"

    def reader(self) -> Callable[..., Any]:
        """The function that reads it: it takes a `Source` and `Bounds`."""
        reader: Callable[..., Any] = _function(self.reads)
        return reader

    def write(
        self,
        written: Exported | Sequence[Puzzle],
        options: WriteOptions = WriteOptions(),
    ) -> Iterator[bytes]:
        """The file, piece by piece: of a cover problem, or of the puzzles of a form that is `of_puzzles`.

        Raises:
            UnsupportedError: it cannot honour *options*, or hold the problem.
        """
        for field, option in OPTIONS.items():
            if getattr(options, field) and field not in self.honours:
                raise UnsupportedError(f"the form {self.name!r} has no option {option}")
        writer: Callable[..., Iterator[bytes]] = _function(self.writes)
        return writer(written, options) if self.honours else writer(written)


def _function(place: str) -> Any:
    module, name = place.split(":")
    return getattr(import_module(f"latcover.files.formats.{module}"), name)


TOML = Form(
    "toml",
    (".toml",),
    "our own puzzle files",
    reads="puzzle_files.puzzle_file:read_puzzles",
    needed="a TOML file",
    uploaded=True,
    unfinished=True,
)
XMPUZZLE = Form(
    "xmpuzzle",
    (".xmpuzzle",),
    "puzzles of BurrTools",
    reads="burrtools.problems:read_problems",
    writes="burrtools.burrtools_writer:write",
    needed="a BurrTools file",
    uploaded=True,
    unfinished=True,
    honours=("solutions", "disassemblies"),
    binary=True,
    of_puzzles=True,
)
DLX = Form(
    "dlx",
    (".dlx", ".xcc"),
    "items and options, for Knuth's DLX1, DLX2 (XCC) and DLX3",
    reads="cover_problems.dlx_text:read",
    writes="cover_problems.dlx_text:write",
    needed="a text of items and options",
    uploaded=True,
    numbered=False,
)
TEXT = Form(
    "text",
    (".txt",),
    "grids of letters, a letter for each piece; or a matrix of zeros and ones",
    reads="letters.letters_puzzle:read_text",
    needed="a text of letters",
    uploaded=True,
    most_bytes=lambda bounds: min(bounds.file_bytes, (1 << 16) + BYTES_OF_A_LETTER * bounds.cells),
)
JSON = Form(
    "json",
    (".json",),
    "puzzle, problem and solutions, for programs",
    reads="cover_problems.json_form:read",
    writes="cover_problems.json_form:write",
    needed="a JSON file",
    unfinished=True,
    honours=("solutions",),
)
NPZ = Form(
    "npz",
    (".npz",),
    "the placement matrix as NumPy and SciPy read it",
    reads="cover_problems.npz:read",
    writes="cover_problems.npz:write",
    needed="an archive of NumPy",
    most_bytes=lambda bounds: bounds.file_bytes + BYTES_OF_AN_OPTION * bounds.placements,
    raised_by="--max-placements",
    numbered=False,
    binary=True,
)
NPY = Form(
    "npy",
    (".npy",),
    "a matrix of zeros and ones that NumPy saved: options as rows",
    reads="cover_problems.matrix:read_npy",
    needed="an array of NumPy",
    binary=True,
)
CSV = Form(
    "csv",
    (".csv", ".tsv"),
    "a matrix of zeros and ones as a table: options as rows",
    reads="cover_problems.matrix:read_csv",
    needed="a table of zeros and ones",
    uploaded=True,
)
SCAD = Form(
    "scad",
    (".scad",),
    "parts for puzzlecad, a library of OpenSCAD",
    reads="puzzlecad.puzzlecad_reader:read_puzzles",
    writes="puzzlecad.puzzlecad_writer:write",
    needed="a model made with puzzlecad",
    uploaded=True,
    most_bytes=lambda bounds: min(bounds.file_bytes, MOST_OF_A_MODEL),
    unfinished=True,
    of_puzzles=True,
)
DIMACS = Form(
    "dimacs",
    (".cnf", ".dimacs"),
    "DIMACS CNF, for SAT solvers and model counters",
    reads="cover_problems.own_export:read_dimacs",
    needed="clauses that latcover has exported",
    writes="cover_problems.dimacs:write",
    honours=("encoding", "projected"),
)
LP = Form("lp", (".lp",), "an integer program in CPLEX's LP format", writes="cover_problems.linear:write_lp")
MINIZINC = Form(
    "minizinc",
    (".mzn",),
    "a MiniZinc model with its data",
    reads="cover_problems.own_export:read_minizinc",
    needed="a model that latcover has exported",
    writes="cover_problems.linear:write_minizinc",
)
MPS = Form("mps", (".mps",), "an integer program in MPS format", writes="cover_problems.linear:write_mps")
OPB = Form("opb", (".opb",), "pseudo-Boolean constraints", writes="cover_problems.linear:write_opb")
ZDD = Form(
    "zdd",
    (".zdd",),
    "a decision diagram of all solutions, for Graphillion",
    writes="cover_problems.zdd:write",
    honours=("diagram",),
    of_diagram=True,
)

READ = {form.name: form for form in (TOML, XMPUZZLE, SCAD, DLX, TEXT, JSON, NPZ, NPY, CSV, DIMACS, MINIZINC)}
WRITTEN = {form.name: form for form in (DIMACS, DLX, JSON, LP, MINIZINC, MPS, NPZ, OPB, SCAD, XMPUZZLE, ZDD)}
SUFFIXES = {suffix: form for form in READ.values() for suffix in form.suffixes}  # of files that are read


def form_to_write(name: str | None, output: Path | None) -> Form:
    """The form asked for, or that of the suffix of the file to be written.

    Raises:
        UnsupportedError: there is no such form.
    """
    if name is not None:
        if name not in WRITTEN:
            if "." in name:
                raise UnsupportedError(f"{name!r} is not a form; to write a file of this name, give --output {name}")
            raise UnsupportedError(f"there is no form {name!r}{suggest(name, WRITTEN)}")
        return WRITTEN[name]
    for form in WRITTEN.values():
        if output is not None and output.suffix.lower() in form.suffixes:
            return form
    raise UnsupportedError(
        f"say in which form to write: {', '.join(WRITTEN)}; `latcover show --output` makes pictures and models"
    )
