"""The command line in tests: within this process, where nothing has to be loaded again, or as a process of its own.

`run` and `run_on_terminal` are for what a command says and does. `run_process` and `start` are for what only a process
has: signals, streams that are closed, limits of the system, an end that comes late.
"""

from __future__ import annotations

import io
import logging
import os
import subprocess
import sys
import threading
import types
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any
from unittest.mock import patch

import pytest
import typer.main

from latcover.apps.cli.main import main
from tests.processes import GUARD

COMMAND = [sys.executable, "-P", "-m", "latcover"]  # -P: the installed package, not a checkout in the current folder
DONE, FAILED, USAGE, LIMIT = 0, 1, 2, 3

Result = subprocess.CompletedProcess[str]

# typer makes its tree of all commands and options at each call. It takes longer than most commands that tests call.
typer.main.get_command = cache(typer.main.get_command)


def surroundings(**changes: str) -> dict[str, str]:
    """The environment of a command: a terminal of 100 columns that knows colours; *changes* come on top."""
    inherited = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    return {**inherited, "TERM": "xterm-256color", "COLUMNS": "100", **changes}


def run(*words: object, stdin: bytes = b"", **changes: str) -> Result:
    """Run latcover within this process, without a terminal; an exception that it lets through fails the test."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
    given = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    code = _called(words, {"stdin": given, "stdout": out, "stderr": err}, changes)
    return Result(["latcover", *map(str, words)], code, _text_of(out), _text_of(err))


def printed_by(*words: object, **changes: str) -> str:
    """What a command prints on standard output and standard error, in the order in which it does."""
    both = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    _called(words, {"stdin": io.TextIOWrapper(io.BytesIO()), "stdout": both, "stderr": both}, changes)
    return _text_of(both)


def run_on_terminal(stream: str, *words: object, **changes: str) -> tuple[str, str, int]:
    """Run with *stream*, stdout or stderr, on a terminal; what that shows, the other stream, and the exit code."""
    pty = pytest.importorskip("pty", reason="this system has no terminals that a program can make")
    terminal, its_end = pty.openpty()
    shown: list[bytes] = []
    reader = threading.Thread(target=lambda: shown.extend(_all_of(terminal)))
    reader.start()
    other = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    try:
        with open(its_end, "w", encoding="utf-8", newline="") as on_terminal:
            streams: dict[str, Any] = {"stdout": other, "stderr": other, stream: on_terminal}
            code = _called(words, streams, changes)
    finally:
        reader.join()
        os.close(terminal)
    return b"".join(shown).decode(), _text_of(other), code


def run_process(*words: object, **changes: str) -> Result:
    """Run latcover in its own process, without a terminal."""
    return subprocess.run(
        [*COMMAND, *map(str, words)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=GUARD,
        check=False,
        env=surroundings(**changes),
    )


def start(*words: object, **changes: str) -> subprocess.Popen[str]:
    """Start latcover in its own process, both of its streams piped."""
    pipe = subprocess.PIPE
    command = [*COMMAND, *map(str, words)]
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, encoding="utf-8", env=surroundings(**changes))


def _called(words: tuple[object, ...], streams: dict[str, Any], changes: dict[str, str]) -> int:
    """Call the command line with these streams; its exit code."""
    with ExitStack() as changed, _as_program():
        for name, stream in streams.items():
            changed.enter_context(patch.object(sys, name, stream))
        changed.enter_context(patch.object(sys, "argv", ["latcover", *map(str, words)]))
        changed.enter_context(patch.dict(os.environ, surroundings(**changes), clear=True))
        try:
            main(as_child=True)  # a child of this process would have its streams
        except SystemExit as end:
            return int(end.code or 0)
        finally:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
    return DONE


@contextmanager
def _as_program() -> Iterator[None]:
    """Hide that pytest is the program, and take away what it listens to messages with."""
    root, program = logging.getLogger(), sys.modules["__main__"]
    handlers, level = root.handlers, root.level
    root.handlers, sys.modules["__main__"] = [], types.ModuleType("__main__")
    try:
        yield
    finally:
        root.handlers, sys.modules["__main__"] = handlers, program
        root.setLevel(level)


def _all_of(terminal: int) -> Iterator[bytes]:
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # Linux: the other end is closed
            return
        if not piece:
            return
        yield piece


def _text_of(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode("utf-8", errors="surrogateescape")
