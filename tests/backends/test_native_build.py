"""What a second build compiles again. Nothing is compiled here: instead of the compiler a script notes its sources."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.processes import GUARD

ROOT = Path(__file__).parents[2]
BESIDE = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
NOTE = """#!/bin/sh
# The object is empty, and its source is noted.
while [ $# -gt 0 ]; do
    case $1 in
        -o) : > "$2" ;;
        -c) echo "$2" >> "$NOTED" ;;
    esac
    shift
done
"""
BUILD = "import sys; from scikit_build_core.build import build_editable; build_editable(sys.argv[1], {settings!r})"

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        os.name == "nt"
        or not all(shutil.which(name, path=BESIDE) for name in ("c++", "cmake", "ninja"))
        or not all(map(find_spec, ("nanobind", "scikit_build_core"))),
        reason="needs a C++ compiler, a shell, and the extra build",
    ),
]


class EditableBuild:
    """What `pip install --no-build-isolation -e .` has built, time after time, in a checkout without any Python."""

    def __init__(self, folder: Path) -> None:
        self.tree, self.noted = folder / "tree", folder / "noted"
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
        for package in project["tool"]["scikit-build"]["wheel"]["packages"].values():
            (self.tree / package).mkdir(parents=True)
        files = [
            "CMakeLists.txt",
            "README.md",
            "man/latcover.1",
            "pyproject.toml",
            *project["project"]["license-files"],
        ]
        for file in files:
            (self.tree / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, self.tree / file)
        self.native = self.tree / "backends" / "native"
        shutil.copytree(ROOT / "backends" / "native", self.native)
        launcher = folder / "note"
        launcher.write_text(NOTE, "utf-8")
        launcher.chmod(0o755)
        settings = {f"cmake.define.CMAKE_CXX_{tool}_LAUNCHER": str(launcher) for tool in ("COMPILER", "LINKER")}
        settings["cmake.define.CMAKE_EXPORT_COMPILE_COMMANDS"] = "ON"
        self.command = [sys.executable, "-c", BUILD.format(settings=settings), str(folder)]

    def compiled(self) -> set[Path]:
        """The sources that are compiled now."""
        self.noted.write_text("", "utf-8")
        variables = {**os.environ, "PATH": BESIDE, "NOTED": str(self.noted)}
        done = subprocess.run(
            self.command, cwd=self.tree, env=variables, capture_output=True, text=True, check=False, timeout=GUARD
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return {Path(line) for line in self.noted.read_text("utf-8").splitlines()}


def test_an_edit_of_one_source_compiles_that_one_only(tmp_path: Path) -> None:
    build = EditableBuild(tmp_path)
    assert build.compiled() >= set(build.native.rglob("*.cpp"))
    edited = build.native / "plane" / "strip_lengths.cpp"
    edited.write_text(edited.read_text("utf-8") + "// changed\n", "utf-8")
    assert build.compiled() == {edited}
    assert build.compiled() == set()


def test_searches_are_compiled_without_python(tmp_path: Path) -> None:
    """So ccache finds them again for another Python, and wherever pip puts nanobind."""
    build = EditableBuild(tmp_path)
    build.compiled()
    (database,) = build.tree.glob("build/*/compile_commands.json")
    jobs = [(Path(job["file"]), job["command"]) for job in json.loads(database.read_text("utf-8"))]
    ours = [(path, command) for path, command in jobs if path.is_relative_to(build.native)]
    for path, command in ours:
        assert ("nanobind" in command) == (path.parent.name == "module"), command
    assert {path for path, _ in ours} == set(build.native.rglob("*.cpp"))
