"""Adapters of programs that are commands: what they are asked, and how their answers are read."""

from __future__ import annotations

import re
from functools import partial

from latcover.benchmarks.compared.cases import Case, problem_of
from latcover.benchmarks.compared.programs import PreparedProgram
from latcover.benchmarks.compared.running import clauses_file, minizinc_file, puzzle_file, run_command, with_file
from latcover.exchange.answers import Kind, Model, read_models

Covers = list[tuple[int, ...]]
CLASP_ENDS = (10, 20, 30)  # a model was found; there is none; all were found
_MODELS = re.compile(r"^c Models\s*:\s*(\d+)(\+?)\s*$", re.MULTILINE)
_FOUND = re.compile(r"(\d+) assemblies and (\d+) solutions found")


def clasp(case: Case) -> PreparedProgram:
    """clasp reads clauses, and lists every model, counts them, or stops at the first."""
    file, folder = with_file(case, clauses_file)
    n = problem_of(case).problem.n_options
    asked = {"all": ["-n", "0", "--quiet=0"], "count": ["-n", "0", "--quiet=2"], "one": ["-n", "1", "--quiet=0"]}
    question = partial(run_command, ["clasp", *asked[case.task], file], ends=CLASP_ENDS)

    def read(output: str, _kept: object = folder) -> Covers | int:
        return models_counted(output) if case.task == "count" else covers_in(output, n)

    return PreparedProgram(lambda: question, read)


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
    question = partial(run_command, words)

    def read(output: str, _kept: object = folder) -> Covers:
        return covers_in(output, n)

    return PreparedProgram(lambda: question, read)


def burrtools(case: Case) -> PreparedProgram:
    """BurrTools' command: quiet (-q), placements reduced beforehand (-r), assemblies taken apart (-d).

    Every version since 0.5 knows these. `burrTxt2` asks the keyboard once a second and writes a file instead of an
    answer, so it is not used.
    """
    file, folder = with_file(case, puzzle_file)
    words = ["burrTxt", "-q", "-r", *(["-d"] if case.task == "apart" else []), file]
    question = partial(run_command, words)

    def read(output: str, _kept: object = folder) -> int | tuple[int, int]:
        assemblies, apart = burrtools_found(output)
        return (assemblies, apart) if case.task == "apart" else assemblies

    return PreparedProgram(lambda: question, read)


def burrtools_found(output: str) -> tuple[int, int]:
    """How many assemblies it found, and how many of them it took apart.

    Raises:
        ValueError: it says something else, such as that a piece can be placed nowhere.
    """
    told = _FOUND.search(output)
    if told is None:
        said = output.strip().splitlines() or ["nothing"]
        raise ValueError(f"burrTxt says: {said[-1]}")
    return int(told.group(1)), int(told.group(2))
