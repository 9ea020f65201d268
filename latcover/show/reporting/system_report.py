"""Facts about this machine for bug reports: versions, processor, kernels."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from latcover.system.machine import machine


def system_as_json() -> dict[str, object]:
    """The facts as data.

    Raises:
        UnsupportedError: LATCOVER_KERNEL names no kernel.
    """
    from latcover.backends.compiled import chosen_kernel, kernels
    from latcover.system.machine import available_processors

    packages = ("latcover", "numpy", "ortools", "python-sat")
    cpu, *_ = machine().split(", ")
    return {
        "versions": {name: _version(name) for name in packages},
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpu": cpu,
        "cores": os.cpu_count() or 1,
        "cores_for_this_process": available_processors(),
        "kernels": kernels(),
        "kernel": chosen_kernel(),
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def system_as_text(system: dict[str, Any]) -> str:
    """The facts as `latcover info --system` prints them."""
    there = ", ".join(name if runs else f"{name} (not on this processor)" for name, runs in system["kernels"].items())
    rows = [(name, found or "not installed") for name, found in system["versions"].items()]
    rows += [
        ("Python", system["python"]),
        ("platform", system["platform"]),
        ("processor", system["cpu"]),
        ("cores", f"{system['cores']}, {system['cores_for_this_process']} for this process"),
        ("kernels of bitset", there),
        ("kernel chosen", system["kernel"]),
    ]
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)
