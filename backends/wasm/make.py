"""Makes ``latcover.wasm`` again from the C++ sources: ``python backends/wasm/make.py``.

The compiler comes with pip: ``pip install ".[wasm]"``. One version of it makes the same bytes everywhere.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
NATIVE = HERE.parent / "native"
MADE = HERE / "latcover.wasm"
SOURCES = (
    *(HERE / name for name in ("apart_entry.cpp", "search_entry.cpp", "throwing.cpp")),
    *(
        NATIVE / f"{name}.cpp"
        for name in (
            "bitset", "cover_matrix", "delivery", "dlx", "geometry_arrays", "islands", "kernel", "main_walk", "memo",
            "memo_count", "restarts", "restarts_beam", "restarts_plan", "safety", "sliding", "split", "taking_apart",
            "walkers",
        )
    ),
)  # fmt: skip
FLAGS = (
    "-target", "wasm32-wasi", "-mexec-model=reactor", "-std=c++20", "-O3", "-msimd128", "-DNDEBUG", "-DLATCOVER_UNIT=portable",
    "-Wl,--strip-all", "-Wl,-z,stack-size=4194304",
)  # fmt: skip


def main() -> int:
    command = [sys.executable, "-m", "ziglang", "c++", *FLAGS, *map(str, SOURCES), "-o", str(MADE)]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
