"""Makes ``engine.wasm`` again from the C++ sources: ``python backends/wasm/make.py``.

The compiler comes with pip: ``pip install ".[wasm]"``. One version of it makes the same bytes everywhere.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NATIVE = HERE.parent / "native"
MADE = HERE / "engine.wasm"
SOURCES = (
    *(HERE / name for name in ("apart_entry.cpp", "search_entry.cpp", "throwing.cpp")),
    *(
        NATIVE / f"{name}.cpp"
        for name in (
            "apart/geometry_arrays", "apart/sliding", "apart/taking_apart",
            "bitset/bitset", "bitset/cover_matrix", "bitset/delivery", "bitset/main_walk", "bitset/memo_count",
            "bitset/split", "bitset/walkers",
            "cover/dlx", "cover/islands", "cover/memo", "cover/pricing", "cover/safety",
            "kernel/kernel",
            "restarts/restarts", "restarts/restarts_beam", "restarts/restarts_plan",
        )
    ),
)  # fmt: skip
FLAGS = (
    "-target", "wasm32-wasi", "-mexec-model=reactor", "-std=c++20", "-O3", "-msimd128", "-DNDEBUG",
    "-DLATCOVER_UNIT=portable", "-Wl,--strip-all", "-Wl,-z,stack-size=4194304",
)  # fmt: skip
INCLUDED = (HERE, NATIVE)  # where "…" is looked for
MARK = b"latcover.sources"  # the name of the section that holds the digest


def digest() -> str:
    """A digest of all that the module is made from: the sources, what they include, and how they are compiled."""
    met: dict[Path, bytes] = {}

    def included(name: str) -> Path:
        return next(each for folder in INCLUDED if (each := folder / name).exists())

    left = list(SOURCES)
    while left:
        source = left.pop()
        if source in met:
            continue
        met[source] = text = source.read_bytes()
        left.extend(included(name.decode()) for name in re.findall(rb'^#include "(.+)"', text, re.M))
    whole = hashlib.sha256("\0".join(FLAGS).encode())
    for source in sorted(met):
        whole.update(b"\0" + source.name.encode() + b"\0" + met[source])
    return whole.hexdigest()


def with_digest(module: bytes) -> bytes:
    """The module with one more section, which names its sources."""
    content = bytes([len(MARK)]) + MARK + digest().encode()
    return module + bytes([0, len(content)]) + content  # a section of fewer than 128 bytes has a length of one byte


def sources_of(module: bytes) -> str:
    """The digest that a module bears."""
    return module[module.rindex(MARK) + len(MARK) :].decode()


def make(into: Path) -> None:
    """Compile the module.

    Raises:
        subprocess.CalledProcessError: the compiler failed, or is missing; it has said why.
    """
    compiler = [sys.executable, "-m", "ziglang", "c++"]
    subprocess.run([*compiler, *FLAGS, f"-I{NATIVE}", *map(str, SOURCES), "-o", str(into)], check=True)
    into.chmod(0o644)  # it is no program that a shell could start
    into.write_bytes(with_digest(into.read_bytes()))


def main() -> int:
    """Make the module in its place."""
    try:
        make(MADE)
    except subprocess.CalledProcessError:
        print("engine.wasm was not made. The compiler: pip install '.[wasm]'", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
