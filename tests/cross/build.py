"""Compiles the search core for other systems, with the compiler that `pip install ziglang` brings.

    python tests/cross/build.py                            # for every system, into build/cross
    python tests/cross/build.py x86_64-windows-gnu         # for one

The program that comes out searches a problem by every method; see core.cpp. What Python itself calls (the files that
include nanobind, in `native/module`) is left out, since it needs the headers of Python for that system.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
NATIVE = ROOT / "backends" / "native"
TARGETS = (
    "x86_64-windows-gnu",
    "aarch64-windows-gnu",
    "x86_64-macos",
    "aarch64-macos",
    "x86_64-linux-gnu",
    "aarch64-linux-gnu",
)
FLAGS = ("-std=c++20", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{NATIVE}")
SET = re.compile(r"^set\((\w+)_flags (.*?)\)$", re.MULTILINE | re.DOTALL)
UNIT = re.compile(r"^ *add_kernel\((\w+) ?([^)]*)\)$", re.MULTILINE)
DEFINED = re.compile(r"^ *target_compile_definitions\(kernel_(\w+) PRIVATE (\w+)\)$", re.MULTILINE)


def sources() -> list[Path]:
    """The files of the core: all but those that know Python, and the kernel, which is compiled once a unit."""
    return [path for path in sorted(NATIVE.glob("*/*.cpp")) if path.parent.name not in ("module", "kernel")]


def units(target: str) -> dict[str, list[str]]:
    """The kernels for a processor and their flags, as CMakeLists.txt has them."""
    text = (ROOT / "CMakeLists.txt").read_text("utf-8")
    flags = {"${" + name + "_flags}": words for name, words in SET.findall(text)}
    found = {}
    for name, words in UNIT.findall(text):
        for variable in reversed(flags):
            words = words.replace(variable, flags[variable])
        for variable, value in flags.items():
            words = words.replace(variable, value)
        found[name] = words.split()
    for name, word in DEFINED.findall(text):
        found[name].append(f"-D{word}")
    on_x86 = not target.startswith("aarch64")
    return {name: words for name, words in found.items() if name == "portable" or (name == "neon") != on_x86}


def built(target: str, folder: Path) -> Path:
    """Compile and link the core for *target*; its file."""
    compiler = [sys.executable, "-m", "ziglang", "c++", "-target", target]
    place = folder / target
    place.mkdir(parents=True, exist_ok=True)
    kernels = units(target)
    lists = {"avx2": "-DLATCOVER_X86_UNITS", "neon": "-DLATCOVER_ARM_UNITS"}
    defined = [word for unit, word in lists.items() if unit in kernels]
    jobs = [(path, path.stem, defined) for path in (*sources(), Path(__file__).with_name("core.cpp"))]
    jobs += [
        (NATIVE / "kernel" / "kernel.cpp", f"kernel_{name}", [f"-DLATCOVER_UNIT={name}", *words])
        for name, words in kernels.items()
    ]

    def compiled(job: tuple[Path, str, list[str]]) -> str:
        path, name, flags = job
        out = str(place / f"{name}.o")
        call([*compiler, *FLAGS, *flags, "-c", str(path), "-o", out])
        return out

    with ThreadPoolExecutor(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None) as pool:
        objects = list(pool.map(compiled, jobs))
    program = place / ("core.exe" if "windows" in target else "core")
    call([*compiler, *objects, "-o", str(program)])
    return program


def call(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{shlex.join(command)}\n{done.stderr}")


def main() -> None:
    """Build for the targets that the command line names."""
    parser = argparse.ArgumentParser(description="Compile the search core for other systems.")
    parser.add_argument("targets", nargs="*", default=TARGETS, metavar="TARGET", help=f"of: {', '.join(TARGETS)}")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "cross")
    given = parser.parse_args()
    for target in given.targets:
        print(built(target, given.folder), flush=True)


if __name__ == "__main__":
    main()
