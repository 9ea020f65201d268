"""Solvers that are not ours, as programs: what they are given, and what they print."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.encoding.prepared import Choices, Prepared, prepare
from latcover.files.exchange.decode import Decoded, decode
from latcover.files.exchange.foreign_answers import Kind, read_models
from latcover.files.formats.cover_problems.exported import exported
from latcover.files.formats.forms import WRITTEN, WriteOptions

PATIENCE = 300  # seconds after which a program counts as hung


def require(*programs: str) -> None:
    """Skip the test where one of *programs* is not installed."""
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")


def write(subject: Prepared | NamedProblem, form: str, path: Path, options: WriteOptions | None = None) -> Path:
    """Export into a file."""
    path.write_bytes(b"".join(WRITTEN[form].write(exported(subject), options or WriteOptions())))
    return path


def output_of(*command: str | Path) -> str:
    """What a program prints; SAT solvers end with 10 or 20, clasp with 30."""
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode in (0, 10, 20, 30), done.stderr + done.stdout
    return done.stdout


def read_back(subject: Prepared | NamedProblem, answer: str, kind: Kind | None = None) -> Decoded:
    """An answer, decoded, its classes counted under all symmetries of the puzzle."""
    if isinstance(subject, Prepared):
        subject = prepare(subject.puzzle, Choices(symmetry="all"))
    return decode(subject, read_models(iter(answer.splitlines(keepends=True)), "answer", kind))


def _minisat(cnf: Path) -> str:
    output_of("minisat", "-verb=0", cnf, cnf.with_suffix(".answer"))
    return cnf.with_suffix(".answer").read_text("ascii")


def _cadical(cnf: Path) -> str:
    return output_of("cadical", "-q", cnf)


def _clasp(file: Path) -> str:
    return output_of("clasp", "-n", "0", "--quiet=0", file)


def _projecting_clasp(file: Path) -> str:
    return output_of("clasp", "-n", "0", "--quiet=0", "--parse-ext", "--project=project", file)


def _glpsol(file: Path) -> str:
    answer = file.with_suffix(".answer")
    output_of("glpsol", "--lp" if file.suffix == ".lp" else "--freemps", file, "-o", answer)
    return answer.read_text("utf-8")


def _cbc(file: Path) -> str:
    answer = file.with_suffix(".answer")
    output_of("cbc", file, "solve", "solu", answer)
    return answer.read_text("utf-8")


def _highs(file: Path) -> str:
    answer = file.with_suffix(".answer")
    program = (
        "import highspy, sys\n"
        "highs = highspy.Highs()\n"
        "highs.setOptionValue('output_flag', False)\n"
        "assert highs.readModel(sys.argv[1]) == highspy.HighsStatus.kOk\n"
        "highs.run()\n"
        "highs.writeSolution(sys.argv[2], 0)\n"
    )
    output_of(sys.executable, "-c", program, file, answer)
    return answer.read_text("utf-8")


def _minizinc(file: Path) -> str:
    return output_of("minizinc", "--solver", "gecode", "-a", file)


def _miniexact(file: Path) -> str:
    return output_of(_beside_python("miniexact"), "-c", "-e", "-p", file)


def _beside_python(program: str) -> Path:
    """A program of a wheel: it stands where this Python does."""
    return Path(sys.executable).parent / program


def require_miniexact() -> None:
    """Skip the test where the wheel miniexact is not installed."""
    if not _beside_python("miniexact").exists():
        pytest.skip("miniexact is not installed")


def require_highs() -> None:
    """Skip the test where the wheel highspy is not installed."""
    if find_spec("highspy") is None:
        pytest.skip("highspy is not installed")


Ask = Callable[[Path], str]
# form, suffix, what must be there, how to ask, whether it finds all solutions
SOLVERS: dict[str, tuple[str, str, Callable[[], None], Ask, bool]] = {
    "minisat": ("dimacs", ".cnf", lambda: require("minisat"), _minisat, False),
    "cadical": ("dimacs", ".cnf", lambda: require("cadical"), _cadical, False),
    "clasp dimacs": ("dimacs", ".cnf", lambda: require("clasp"), _clasp, True),
    "clasp opb": ("opb", ".opb", lambda: require("clasp"), _clasp, True),
    "glpsol lp": ("lp", ".lp", lambda: require("glpsol"), _glpsol, False),
    "glpsol mps": ("mps", ".mps", lambda: require("glpsol"), _glpsol, False),
    "cbc lp": ("lp", ".lp", lambda: require("cbc"), _cbc, False),
    "cbc mps": ("mps", ".mps", lambda: require("cbc"), _cbc, False),
    "highs lp": ("lp", ".lp", require_highs, _highs, False),
    "highs mps": ("mps", ".mps", require_highs, _highs, False),
    "minizinc": ("minizinc", ".mzn", lambda: require("minizinc"), _minizinc, True),
    "miniexact": ("dlx", ".dlx", require_miniexact, _miniexact, True),
}


def ask(solver: str, subject: Prepared | NamedProblem, folder: Path, options: WriteOptions | None = None) -> Decoded:
    """Export, let a solver find what it can, and read its answer back; skips the test where the solver is missing."""
    form, suffix, needed, asked, _ = SOLVERS[solver]
    needed()
    return read_back(subject, asked(write(subject, form, folder / f"file{suffix}", options)))


def ask_projecting_clasp(subject: Prepared, folder: Path, encoding: str) -> Decoded:
    """The same by clasp, which counts each set of choices once, whatever the other variables are."""
    require("clasp")
    options = WriteOptions(encoding=encoding, projected=True)
    return read_back(subject, _projecting_clasp(write(subject, "dimacs", folder / "file.cnf", options)))
