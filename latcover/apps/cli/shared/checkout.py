"""The benchmarks: they lie in a checkout of the source, and are no part of the installed program."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from latcover.errors import UnsupportedError

SIGN = Path("benchmarks", "suite_registry.py")  # what a folder holds that is a checkout


def find_benchmarks(folder: Path) -> None:
    """Let `benchmarks` be imported, by this process and its children, from the checkout that *folder* lies in.

    Raises:
        UnsupportedError: it lies in none.
    """
    root = next((each for each in (folder, *folder.parents) if (each / SIGN).is_file()), None)
    if root is None:
        raise UnsupportedError(
            f"the benchmarks lie in a checkout of latcover's source, and {folder} is in none: "
            "change to the folder of a checkout (`cd`), and type this again"
        )
    if str(root) not in sys.path:
        sys.path.append(str(root))  # last: the folder `latcover` of a checkout is not what is installed


def benchmark(module: str) -> Any:
    """A module of the benchmarks, from the checkout that the current folder lies in."""
    find_benchmarks(Path.cwd())
    return import_module(f"benchmarks.{module}")
