"""What runs here: the program, the machine, the kernels, and the libraries that searches depend on."""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from latcover.backends.bitset import available_processors, chosen_kernel, kernels
from latcover.errors import UnsupportedError

LIBRARIES = ("ortools", "python-sat", "numpy")


def system_as_json() -> dict[str, Any]:
    """The facts that belong to every report of a time or of a fault.

    ``kernels`` says of each compiled kernel whether this processor runs it; ``kernel`` is the one chosen, or null
    where the environment asks for one that does not run here.
    """
    try:
        kernel = chosen_kernel()
    except UnsupportedError:
        kernel = None
    return {
        "version": version("latcover"),
        "python": platform.python_version(),
        "system": platform.platform(),
        "processor": _processor(),
        "cores": available_processors(),
        "kernels": kernels(),
        "kernel": kernel,
        "libraries": {name: _version(name) for name in LIBRARIES},
    }


def system_as_text(about: Mapping[str, Any]) -> str:
    """The same for people."""
    running = [name for name, runs_here in about["kernels"].items() if runs_here]
    libraries = [f"{name} {number or 'missing'}" for name, number in about["libraries"].items()]
    lines = {
        "latcover": about["version"],
        "Python": about["python"],
        "system": about["system"],
        "processor": f"{about['processor']}, {about['cores']} cores available",
        "kernels": f"{', '.join(running)}; chosen: {about['kernel'] or 'none'}",
        "libraries": ", ".join(libraries),
    }
    width = max(map(len, lines))
    return "\n".join(f"{name:{width}}  {value}" for name, value in lines.items())


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    """The processor's own name where the system tells it."""
    described = Path("/proc/cpuinfo")
    if described.exists():
        found = re.search(r"^model name\s*:\s*(.+)$", described.read_text(errors="replace"), re.MULTILINE)
        if found:
            return found[1].strip()
    return platform.processor() or platform.machine()
