"""Who may import whom: read from the source, so that an import inside a function counts too."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import latcover
import latcover.backends
import latcover.benchmarks

LAYERS = {  # what a module may import of latcover, directly
    "latcover.errors": set(),
    "latcover.cover.problem": {"latcover.errors"},
    "latcover.cover.search": {"latcover.errors", "latcover.cover.problem"},
    "latcover.model.lattice": {"latcover.errors"},
    "latcover.model.pictured": set(),
    "latcover.model.puzzle": {"latcover.errors", "latcover.model.lattice", "latcover.model.pictured"},
}
FOR_BACKENDS = ("latcover.cover.problem", "latcover.cover.search", "latcover.errors", "latcover.backends")
SOLVING = ("encode", "placement", "orientation", "reduction", "symmetry", "problem", "search", "solve")
FOLDERS = {"backends", "lattices", "instances", "benchmarks"}
ROOT = Path(__file__).parent.parent


def modules() -> dict[str, Path]:
    """Every Python module of the package, wherever it is installed."""
    found = {}
    for package in (latcover, latcover.backends, latcover.benchmarks):
        assert package.__file__
        folder = Path(package.__file__).parent
        for path in sorted(folder.rglob("*.py") if package is latcover else folder.glob("*.py")):
            inner = path.relative_to(folder).with_suffix("").parts
            found[".".join((package.__name__, *(part for part in inner if part != "__init__")))] = path
    return found


MODULES = modules()


@cache
def imports(name: str) -> frozenset[str]:
    """The modules that module *name* imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} has a relative import"
            assert node.module
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in MODULES or inner == "latcover.backends._native" else node.module)
    return frozenset(found)


def own_imports(name: str) -> set[str]:
    return {module for module in imports(name) if module.split(".")[0] == "latcover"}


def reached(name: str) -> set[str]:
    """All modules of latcover that *name* imports, directly or by way of others."""
    found: set[str] = set()
    queue = [name]
    for module in queue:
        for other in own_imports(module) & set(MODULES):
            if other not in found:
                found.add(other)
                queue.append(other)
    return found


def test_the_modules_are_found() -> None:
    assert {*LAYERS, "latcover.model.verifier", "latcover.encoding.encode", "latcover.backends.dlx"} <= set(MODULES)
    assert "latcover.cover.problem" in imports("latcover.cover.search")
    assert "latcover.errors" in reached("latcover.cover.search")


@pytest.mark.parametrize("name", LAYERS)
def test_lower_layers_import_lower_layers_only(name: str) -> None:
    assert own_imports(name) <= LAYERS[name]


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith("latcover.backends")])
def test_backends_see_problems_and_nothing_else(name: str) -> None:
    outside = {
        m for m in own_imports(name) if not any(m == allowed or m.startswith(f"{allowed}.") for allowed in FOR_BACKENDS)
    }
    assert not outside


@pytest.mark.parametrize(
    "name", ["lattice", "files.lattice_file", "puzzle", "files.puzzle_file", "placement", "symmetry"]
)
def test_lattices_and_puzzles_know_no_problem(name: str) -> None:
    assert not {"latcover.cover.problem", "latcover.cover.search", "latcover.encoding.encode"} & reached(
        f"latcover.{name}"
    )


@pytest.mark.parametrize("name", ["placement", "symmetry"])
def test_placements_and_symmetries_know_no_encoding(name: str) -> None:
    assert not {"latcover.encoding.encode", "latcover.encoding.prepared"} & reached(f"latcover.{name}")


def test_the_verifier_shares_nothing_with_the_solving() -> None:
    assert not {f"latcover.{name}" for name in SOLVING} & reached("latcover.model.verifier")


def test_nobody_imports_the_command_line() -> None:
    assert {name for name in MODULES if "latcover.cli.main" in imports(name)} <= {"latcover.__main__"}
    for name in MODULES:
        if any(module.startswith("latcover.cli") for module in imports(name)):
            assert name.startswith("latcover.cli") or name == "latcover.__main__", name


def test_only_commands_import_benchmarks() -> None:
    for name in MODULES:
        if not name.startswith(("latcover.cli", "latcover.benchmarks")):
            assert not any(module.startswith("latcover.benchmarks") for module in imports(name)), name


@pytest.mark.parametrize("name", MODULES)
def test_nobody_imports_the_folders_by_their_own_names(name: str) -> None:
    assert not {module.split(".")[0] for module in imports(name)} & FOLDERS


def test_nor_do_tests_and_benchmarks() -> None:
    for folder in ("tests", "benchmarks"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                assert not {name.split(".")[0] for name in names} & FOLDERS, path


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["solve", "--help"],
        ["compare", "--help"],
        ["resume", "--help"],
        ["export", "--help"],
        ["decode", "--help"],
        ["bench", "table1", "--help"],
        ["bench", "suite", "--help"],
        ["bench", "cluster", "--help"],
    ],
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    program = (
        "import sys\n"
        "from latcover.cli.main import main\n"
        f"sys.argv = ['latcover', *{arguments!r}]\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        "heavy = {'numpy', 'ortools', 'pysat', 'pandas', 'matplotlib', 'distributed'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout
