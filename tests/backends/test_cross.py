"""The search core on other systems: it compiles for each, and a program that can be run here finds the right covers."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from latcover.backends import create
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.search import Batch, SearchTask
from latcover.core.encoding.prepared import prepare
from latcover.files.formats.library import load

FOLDER = Path(__file__).parents[1] / "cross"
MAGIC = {"windows": b"MZ", "macos": b"\xcf\xfa\xed\xfe", "linux": b"\x7fELF"}
PUZZLES = ("pent-8x8-minus-2x2", "soma")


def build_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("cross_build", FOLDER / "build.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build = build_script()


def as_numbers(problem: CoverProblem) -> str:
    """A problem as core.cpp reads it."""
    sizes = (len(problem.option_starts) - 1, len(problem.low), problem.n_cells, len(problem.part_sizes))
    rows = (problem.option_starts, problem.option_items, problem.low, problem.high)
    rows = (*rows, problem.neighbour_starts, problem.neighbours)
    return "\n".join(" ".join(map(str, row)) for row in ((*sizes, len(problem.neighbours)), *rows))


def fingerprint(covers: list[list[int]]) -> int:
    value = 0xCBF29CE484222325
    for cover in covers:
        for number in (*cover, -1):
            value = (value ^ (number & 0xFFFFFFFF)) * 0x100000001B3 % (1 << 64)
    return value


def expected(problem: CoverProblem) -> dict[str, tuple[int, int, int]]:
    """Covers, branches and fingerprint of each method, on this machine, by way of Python."""
    found = {}
    for name, options in (("dlx", {}), ("backtrack", {}), ("bitset", {"threads": 1})):
        covers: list[list[int]] = []

        def take(batch: Batch, into: list[list[int]] = covers) -> bool:
            into += [cover.tolist() for cover in batch]
            return True

        outcome = create(name, **options).search(SearchTask(problem, take))
        branches = outcome.figures.branches
        assert branches is not None
        found[name] = (len(covers), branches, fingerprint(covers))
    return found


def test_the_script_takes_its_sources_and_flags_from_the_build() -> None:
    names = {path.name for path in build.sources()}
    assert {"bitset.cpp", "dlx.cpp", "memo.cpp", "taking_apart.cpp"} <= names
    assert not {"module.cpp", "arrays.cpp", "kernel.cpp"} & names
    on_x86, on_arm = build.units("x86_64-windows-gnu"), build.units("aarch64-macos")
    assert set(on_x86) >= {"portable", "avx2", "avx512"}
    assert {"-mavx2", "-mgfni"} <= set(on_x86["avx512"])
    assert not any("$" in word or "{" in word for words in on_x86.values() for word in words)
    assert not set(on_arm) & {"avx2", "avx512"}


def runner(target: str) -> list[str] | None:
    """What runs a program for a system on this machine; None if nothing does."""
    processor, system, *_ = target.split("-")
    here = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
    if system == {"darwin": "macos", "win32": "windows"}.get(sys.platform, sys.platform) and processor == here:
        return []
    if system == "linux" and (qemu := shutil.which(f"qemu-{processor}") or shutil.which(f"qemu-{processor}-static")):
        return [qemu]
    places = os.pathsep.join((os.environ.get("PATH", ""), "/usr/lib/wine"))
    if system == "windows" and processor == here and (wine := shutil.which("wine64", path=places)):
        return [wine]
    return None


@pytest.mark.long
@pytest.mark.parametrize("target", build.TARGETS)
def test_the_core_for_another_system(target: str, tmp_path: Path) -> None:
    pytest.importorskip("ziglang", reason="the compiler for other systems is not installed")
    program = build.built(target, tmp_path)
    system = target.split("-")[1]
    assert program.read_bytes().startswith(MAGIC[system])
    if (words := runner(target)) is None:
        pytest.skip(f"it compiles and links; nothing here runs a program for {target}")
    for name in PUZZLES:
        compare([*words, str(program)], prepare(load(name)).problem, {"WINEPREFIX": str(tmp_path / "wine")})


def compare(command: list[str], problem: CoverProblem, environment: dict[str, str]) -> None:
    """The program finds what the same methods find by way of Python."""
    quiet = {"WINEDEBUG": "-all", "DISPLAY": "", "QEMU_LD_PREFIX": "/usr/aarch64-linux-gnu"}
    done = subprocess.run(
        command,
        input=as_numbers(problem),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **quiet, **environment},
    )
    assert done.returncode == 0, done.stderr
    said = [line.split() for line in done.stdout.splitlines()]
    figures = {words[0]: words[1:] for words in said}
    assert figures.pop("nothing") == ["refused:", "no", "kernel", "nothing", "runs", "here"]
    assert figures.pop("restarts")[:2] == ["cover_limit", "1"]
    right = expected(problem)
    assert "bitset-portable" in figures
    for method, words in figures.items():
        covers, branches, value = right[method.partition("-")[0]]
        assert words == ["exhausted", str(covers), str(branches), str(value)], method
