"""Adapters of programs that are commands: what they are asked, and how their answers are read."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.compared.cases import Answer, Case, problem_of
from benchmarks.compared.programs import PreparedProgram
from benchmarks.compared.running import asks_command, clauses_file, minizinc_file, puzzle_file, run_command, with_file
from latcover.files.exchange.foreign_answers import Kind, Model, read_models

Covers = list[tuple[int, ...]]
CLASP_ENDS = (10, 20, 30)  # a model was found; there is none; all were found
_MODELS = re.compile(r"^c Models\s*:\s*(\d+)(\+?)\s*$", re.MULTILINE)
HEESCH_SAT_GRIDS = {"squares": "-omino", "hexagons": "-hex"}
_LEVEL = re.compile(r"^level: (\d+)", re.MULTILINE)
_FOUND = re.compile(r"(\d+) assemblies and (\d+) solutions found")


def clasp(case: Case) -> PreparedProgram:
    """clasp reads clauses, and lists every model, counts them, or stops at the first."""
    file, folder = with_file(case, clauses_file)
    n = problem_of(case).problem.n_options
    asked = {"all": ["-n", "0", "--quiet=0"], "count": ["-n", "0", "--quiet=2"], "one": ["-n", "1", "--quiet=0"]}

    def read(output: str) -> Covers | int:
        return models_counted(output) if case.task == "count" else covers_in(output, n)

    return asks_command(["clasp", *asked[case.task], file], read, folder, ends=CLASP_ENDS)


def models_counted(output: str) -> int:
    """The number of models that clasp tells.

    Raises:
        ValueError: it tells none, or that there may be more.
    """
    told = _MODELS.search(output)
    if told is None or told.group(2):
        raise ValueError("clasp does not tell the number of all models")
    return int(told.group(1))


def covers_in(output: str, n_options: int) -> Covers:
    """The covers that a solver lists; variables above the number of options are auxiliary."""
    models = read_models(iter(output.splitlines(keepends=True)), "answer", Kind.sat)
    return [
        tuple(variable - 1 for variable in model.true if variable <= n_options)
        for model in models
        if isinstance(model, Model)
    ]


def gecode(case: Case) -> PreparedProgram:
    """MiniZinc translates the model for Gecode, which lists every solution or the first."""
    file, folder = with_file(case, minizinc_file)
    n = problem_of(case).problem.n_options
    words = ["minizinc", "--solver", "gecode", *(["-a"] if case.task == "all" else []), file]
    return asks_command(words, lambda output: covers_in(output, n), folder)


def burrtools(case: Case) -> PreparedProgram:
    """BurrTools' command: quiet (-q), placements reduced beforehand (-r), assemblies taken apart (-d).

    If all problems of the file are meant (-o all), it tells the levels too.

    Every version since 0.5 knows these. `burrTxt2` asks the keyboard once a second and writes a file instead of an
    answer, so it is not used.
    """
    file, folder = with_file(case, puzzle_file)
    words = ["burrTxt", "-q", "-r", *(["-d", "-o", "all"] if case.task == "apart" else []), file]

    def read(output: str) -> Answer:
        found = burrtools_found(output)
        return found if case.task == "apart" else found[0]

    return asks_command(words, read, folder)


def burrtools_found(output: str) -> tuple[int, int, int]:
    """How many assemblies it found, how many of them it took apart, and the highest level that it tells.

    Raises:
        ValueError: it says something else, such as that a piece can be placed nowhere.
    """
    told = _FOUND.search(output)
    if told is None:
        said = output.strip().splitlines() or ["nothing"]
        raise ValueError(f"burrTxt says: {said[-1]}")
    return int(told.group(1)), int(told.group(2)), max(map(int, _LEVEL.findall(output)), default=0)


def heesch_sat(case: Case) -> PreparedProgram:
    """heesch-sat reads the shapes that its program `gen`, in the same folder, has made; -hh allows the last hole."""
    number, lattice = str(case.size).split()
    program, folder = Path(shutil.which("heesch-sat") or "heesch-sat").resolve(), TemporaryDirectory()
    file = str(Path(folder.name) / "shapes.txt")
    run_command([str(program.with_name("gen")), HEESCH_SAT_GRIDS[lattice], "-size", number, "-free", "-o", file])
    return asks_command([str(program), "-isohedral", "-hh", file], heesch_numbers, folder)


def heesch_numbers(output: str) -> Answer:
    """How many shapes heesch-sat calls isohedral, and how many have Heesch number 0, 1, 2, ... (without holes)."""
    isohedral, reaches = 0, list[int]()
    for line in output.splitlines():
        words = line.split()
        if words[:1] == ["I"]:
            isohedral += 1
        elif words[:1] == ["~"]:  # the numbers without and with a hole in the last corona
            reaches.append(int(words[1]))
    return isohedral, *(reaches.count(k) for k in range(max(reaches, default=-1) + 1))
