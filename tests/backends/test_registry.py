"""Backends of other packages: found by their entry points, listed, used, and named when they are at fault."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import latcover as package
from latcover.backends import OURS, create, names
from latcover.cover.problem import CoverProblem
from latcover.cover.result import SearchResult
from latcover.cover.search import Backend, Batch, OnCovers
from latcover.errors import BackendFailedError, BackendUnavailableError, UnsupportedError
from tests.command_line import run as latcover

TEMPLATE = Path(__file__).parents[2] / "docs" / "backend-template"
MODULES = ("latcover_simple", "bad", "taker")  # that tests install


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path, as site-packages is, into which `put` installs."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for module in MODULES:
        sys.modules.pop(module, None)


def put(folder: Path, name: str, module: str, entry: str) -> None:
    (folder / f"{name}.py").write_text(module, encoding="utf-8")
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[latcover.backends]\n{entry}\n")


def put_template(folder: Path) -> None:
    put(folder, "latcover_simple", (TEMPLATE / "latcover_simple.py").read_text(), "simple = latcover_simple:Simple")


def test_a_backend_of_another_package_is_used_like_ours(install: Path) -> None:
    put_template(install)
    assert names() == [*OURS, "simple"]
    count = ("count", "hex-prisms", "--backend", "simple", "--json")
    answer = json.loads(latcover(*count).stdout)
    assert (answer["different"], answer["complete"], answer["backend"]) == (2, True, "simple")
    backwards = json.loads(latcover(*count, "-o", "backwards=yes").stdout)
    assert (backwards["different"], backwards["digest"]) == (2, answer["digest"])
    listed = json.loads(latcover("list", "--json").stdout)["backends"]["simple"]
    assert listed["summary"].startswith("Plain backtracking")
    assert listed["options"] == {"backwards": {"takes": "true or false", "default": False}}


def test_the_template_names_its_own_entry_point() -> None:
    assert 'simple = "latcover_simple:Simple"' in (TEMPLATE / "pyproject.toml").read_text()


@pytest.mark.parametrize(
    ("module", "entry", "message"),
    [
        ("import absent_solver", "bad = bad:Solver", "ModuleNotFoundError: No module named 'absent_solver'"),
        ("", "bad = bad:Solver", "AttributeError"),
        ("class Solver: pass", "bad = bad:Solver", "is not a dataclass derived from"),
        ("def Solver(): pass", "bad = bad:Solver", "is not a dataclass derived from"),
    ],
)
def test_one_that_cannot_be_used_is_named_and_hurts_nobody(
    install: Path, module: str, entry: str, message: str
) -> None:
    put(install, "bad", module, entry)
    with pytest.raises(BackendUnavailableError, match="backend 'bad'"):
        create("bad")
    used = latcover("count", "soma", "--backend", "bad")
    assert used.returncode == 1
    assert message in used.stderr
    assert "Traceback" not in used.stderr
    listed = latcover("list")
    assert listed.returncode == 0
    assert "bad: not available" in listed.stdout


UNLICENSED = "    def __post_init__(self) -> None:\n        raise ValueError('no licence')\n\n"
TEMPLATE_TEXT = (TEMPLATE / "latcover_simple.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("instead_of", "there_is", "message"),
    [
        ("backwards: bool = False", "backwards: bool = False\n    must: int = None.missing", "cannot be loaded"),
        ("backwards: bool = False", "backwards: 'Nonsense' = False", "types that are unknown"),
        (
            "    @property",
            "    def __post_init__(self) -> None:\n        raise ValueError('no licence')\n\n    @property",
            "cannot be made: ValueError: no licence",
        ),
        ("outbox.ready()", "raise RuntimeError('broken')", "failed: RuntimeError: broken"),
        ("np.array(cover, dtype", "np.array([*cover, 99999], dtype", "options that do not exist"),
        ("np.array(cover, dtype", "np.array(cover[1:], dtype", "is not a cover"),
        ("np.array(cover, dtype", "np.array([*cover, *cover[:1]], dtype", "is not a cover"),
        ("return relay(", "relay(", "returned NoneType instead of a SearchResult"),
    ],
)
def test_what_another_package_does_wrong_is_said_with_its_name(
    install: Path, instead_of: str, there_is: str, message: str
) -> None:
    assert instead_of in TEMPLATE_TEXT
    module = TEMPLATE_TEXT.replace(instead_of, there_is)
    put(install, "latcover_simple", module, "simple = latcover_simple:Simple")
    for command in ("count", "solve"):
        done = latcover(command, "hex-prisms", "--backend", "simple")
        assert done.returncode == 1
        assert message in done.stderr
        assert "Simple" in done.stderr or "'simple'" in done.stderr
        assert "Traceback" not in done.stderr
    assert latcover("list").returncode == 0


def test_options_without_a_simple_default_are_listed(install: Path) -> None:
    many = "field(default_factory=list)"
    module = TEMPLATE_TEXT.replace("backwards: bool = False", f"many: list[int] = {many}\n    backwards: bool = False")
    module = module.replace("import dataclass\n", "import dataclass, field\n")
    put(install, "latcover_simple", module, "simple = latcover_simple:Simple")
    listed = json.loads(latcover("list", "--json").stdout)["backends"]["simple"]
    assert listed["options"]["many"]["default"] is None
    assert latcover("count", "hex-prisms", "--backend", "simple").returncode == 0


def test_the_names_of_ours_cannot_be_taken(install: Path) -> None:
    put(install, "taker", "", "dlx = taker:Solver")
    assert names().count("dlx") == 1
    assert type(create("dlx")).__module__ == "latcover.backends.dlx"


def test_an_unknown_name_suggests_backends_of_other_packages(install: Path) -> None:
    put_template(install)
    with pytest.raises(UnsupportedError, match="did you mean 'simple'"):
        create("simpel")


@dataclass(frozen=True)
class Wrong(Backend):
    """Does one thing wrong: it hands over no cover, returns nonsense, or breaks down."""

    how: str

    @property
    def name(self) -> str:
        return "wrong"

    def search(self, problem: CoverProblem, on_covers: OnCovers, *_: Any) -> SearchResult:
        if self.how == "breaks down":
            raise ValueError("no licence")
        if self.how == "no cover":
            on_covers(Batch(np.array([0, 1]), np.array([0], dtype=np.int32)))
        return None  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("no cover", "backend 'wrong' handed over a set of options that is not a cover"),
        ("nonsense", "backend 'wrong' returned NoneType instead of a SearchResult"),
        ("breaks down", "backend 'wrong' failed: ValueError: no licence"),
    ],
)
def test_solutions_and_counts_name_a_backend_that_is_at_fault(how: str, message: str) -> None:
    soma = package.load("soma")
    with pytest.raises(BackendFailedError, match=message):
        list(package.solutions(soma, Wrong(how)))
    with pytest.raises(BackendFailedError, match=message):
        package.count(soma, solver=Wrong(how))
