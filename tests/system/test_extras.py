"""Packages that are not there, or cannot be loaded: one sentence, with the command that installs them."""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from latcover.backends import cpsat, sat_solvers
from latcover.backends.kasteleyn import MatchingCounter
from latcover.core.cover.counter import CountTask
from latcover.errors import BackendUnavailableError
from latcover.lab.comparing.plot import require_plotting
from latcover.lab.runs.cluster import connection
from latcover.lab.runs.export import write_parquet
from latcover.show.printing.models import require_libraries
from latcover.show.printing.sheets import require_typst
from latcover.system.extras import install_line, require
from tests.command_line import FAILED, run
from tests.oracle import cover_problem

NEEDS = ['starlette>=0.45; extra == "web"', "uvicorn>=0.34; extra == 'web'", "numpy>=2.0", 'mypy; extra == "test"']
USES: dict[str, Any] = {  # what needs each package
    "manifold3d": lambda: require_libraries("a model"),
    "trimesh": lambda: require_libraries("a model"),
    "typst": lambda: require_typst("a picture"),
    "matplotlib": lambda: require_plotting(Path("x.png")),
    "distributed": lambda: connection.require("local"),
    "pyarrow": lambda: write_parquet(None, [], Path("x.parquet")),  # type: ignore[arg-type]
    "networkx": lambda: MatchingCounter().count(CountTask(cover_problem([[0, 1]], [(1, 1)] * 2))),
    "flint": lambda: MatchingCounter().count(CountTask(cover_problem([[0, 1]], [(1, 1)] * 2))),
    "ortools": cpsat._import,
    "pysat": sat_solvers._pysat,
}


class Origin:
    """A copy of latcover that was installed from a folder, or from something else."""

    def __init__(self, text: str | None) -> None:
        self.text = text

    def read_text(self, _: str) -> str | None:
        return self.text


def installed_from(monkeypatch: pytest.MonkeyPatch, text: str | None) -> None:
    monkeypatch.setattr(metadata, "requires", lambda _: NEEDS)
    monkeypatch.setattr(metadata, "distribution", lambda _: Origin(text))


def test_a_checkout_is_installed_again_with_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "my checkout"
    folder.mkdir()
    installed_from(monkeypatch, f'{{"url": "{folder.as_uri()}", "dir_info": {{"editable": true}}}}')
    by_name = "pip install 'starlette>=0.45' 'uvicorn>=0.34'"
    assert install_line("web") == by_name  # the checkout has gone
    (folder / "pyproject.toml").touch()
    assert install_line("web") == f"pip install '{folder}[web]'"
    assert install_line("ortools") == "pip install ortools"


@pytest.mark.parametrize("text", [None, "{", '{"url": "file:///tmp/latcover-1.whl", "archive_info": {}}'])
def test_of_any_other_copy_the_packages_are_named(text: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    installed_from(monkeypatch, text)
    assert install_line("web") == "pip install 'starlette>=0.45' 'uvicorn>=0.34'"


def without(package: str, fault: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let *package* be one that does not load."""
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    (folder / f"{package}.py").write_text(fault + "\n")
    monkeypatch.syspath_prepend(str(folder))


@pytest.mark.parametrize("package", USES)
def test_a_broken_package_is_named(package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without(package, "raise RuntimeError('no symbol\\nx')", tmp_path, monkeypatch)
    words = rf"needs {package}, which is installed but cannot be loaded \(RuntimeError: no symbol x\)"
    with pytest.raises(BackendUnavailableError, match=f"{words}; install it again with: pip install --force-reinstall"):
        USES[package]()


@pytest.mark.parametrize("package", USES)
def test_a_missing_package_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(BackendUnavailableError, match=f"needs {package}, which is not installed; install with: pip "):
        USES[package]()


def test_what_a_package_itself_lacks_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without("trimesh", "import no_such_thing", tmp_path, monkeypatch)
    with pytest.raises(BackendUnavailableError, match=r"needs trimesh, .* cannot be loaded .*No module named 'no_such"):
        require("x", ("trimesh",), extra="mesh")


def test_the_command_line_prints_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without("trimesh", "1 / 0", tmp_path, monkeypatch)
    done = run("show", "soma", "--output", str(tmp_path / "x.3mf"))
    assert done.returncode == FAILED
    assert (
        "error: a model as .3mf needs trimesh, which is installed but cannot be loaded (ZeroDivisionError"
        in done.stderr
    )
    assert done.stderr.count("\n") == 1
