"""Certificates of counts in tests: the checkers of tools/, and certificates that nobody would write.

`any_certificate` follows docs/reference/count-certificates.md with plain dictionaries, and decides whatever the dice
say. It shares nothing with the checker or with what writes certificates.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import io
import json
import shutil
import sys
import zlib
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from subprocess import run
from tempfile import mkdtemp
from types import ModuleType
from unittest.mock import patch

from latcover.core.cover.problem import CoverProblem
from tests.dice import TIMES, Dice

TOOLS = Path(__file__).parents[1] / "tools"
FULL = "full"

State = dict[int, int | str]  # of each item: its count, its colour as text, or FULL


@cache
def tool(name: str) -> ModuleType:
    """A program of tools/ as a module."""
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def call(name: str, *words: object) -> tuple[int, str, str]:
    """The exit code of such a program, and what it prints on both streams."""
    out, err, most_digits = io.StringIO(), io.StringIO(), sys.get_int_max_str_digits()
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "argv", [name, *map(str, words)]):
        try:
            code = tool(name).main()
        finally:
            sys.set_int_max_str_digits(most_digits)  # which the program changes, for all tests of this process
    if name == "check_count" and TIMES["as many"] > 1:
        _agrees(code, out.getvalue(), *map(str, words))
    return code, out.getvalue(), err.getvalue()


@cache
def _compiled() -> str | None:
    """The checker in C++, which was written from the page alone; None if there is no compiler."""
    if (compiler := shutil.which("g++")) is None:
        return None
    program = f"{mkdtemp()}/check_count"
    run([compiler, "-O1", "-std=c++20", "-o", program, str(TOOLS / "check_count.cpp")], check=True)
    return program


def _agrees(code: int, out: str, problem: str, certificate: str) -> None:
    """The checker in C++ says the same."""
    data = Path(certificate).read_bytes()
    try:
        text = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except (OSError, EOFError, zlib.error):
        return
    if program := _compiled():
        answer = run([program, problem], input=text, capture_output=True, check=False)
        assert (answer.returncode, answer.stdout.decode()) == (code, out), answer.stderr.decode()


def sealed(text: str) -> bytes:
    """The lines of a certificate with their checksum."""
    return f"{text}sha256 {hashlib.sha256(text.encode()).hexdigest()}\n".encode()


def write_problem(problem: CoverProblem, path: Path) -> str:
    """Write a problem as it is exported; returns the first lines of its certificates."""
    rows = [problem.items_of(option).tolist() for option in range(problem.n_options)]
    shades = [problem.colours_of(option).tolist() for option in range(problem.n_options)]
    data = {"low": problem.low.tolist(), "high": problem.high.tolist(), "options": rows, "option_colours": shades}
    path.write_text(json.dumps({"problem": data}))
    words = (
        " ".join(f"{i}:{c}" if c else str(i) for i, c in zip(*both, strict=True))
        for both in zip(rows, shades, strict=True)
    )
    bounds = (f"{low} {high}" for low, high in zip(data["low"], data["high"], strict=True))
    lines = [f"items {problem.n_items} options {problem.n_options}", *bounds, *words]
    digest = hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()
    return f"latcover count certificate 1\nproblem {digest}\n"


class _Walk:
    """A tree that decides what the dice say."""

    def __init__(self, problem: CoverProblem, dice: Dice) -> None:
        self.problem, self.dice = problem, dice
        self.options = [
            dict(zip(problem.items_of(o).tolist(), problem.colours_of(o).tolist(), strict=True))
            for o in range(problem.n_options)
        ]
        self.coloured = {item for option in self.options for item, colour in option.items() if colour}
        self.words: list[str] = []
        self.known: dict[str, int] = {}

    def start(self) -> State:
        high = self.problem.high.tolist()
        return {item: FULL if high[item] == 0 else "free" if item in self.coloured else 0 for item in range(len(high))}

    def chosen(self, state: State, option: dict[int, int]) -> State | None:
        """The state with an option more; None if it does not fit."""
        new = dict(state)
        for item, colour in option.items():
            held = state[item]
            if item in self.coloured:
                if held not in ("free", f"colour {colour}" if colour else "free"):
                    return None
                new[item] = f"colour {colour}" if colour else FULL
            elif isinstance(held, int):
                new[item] = FULL if held + 1 == self.problem.high[item] else held + 1
            else:
                return None
        return new

    def lacks(self, state: State, item: int) -> bool:
        held = state[item]
        return isinstance(held, int) and held < self.problem.low[item]

    def value(self, state: State) -> int:
        still_open = [item for item in state if state[item] != FULL]
        key = str(state)
        if not still_open:
            return 1
        if key in self.known:
            return self.known[key]
        fitting = [option for option in self.options if option and self.chosen(state, option) is not None]
        parts: list[set[int]] = []
        for option in fitting:
            joined = [part for part in parts if part & option.keys()]
            parts = [part for part in parts if not part & option.keys()] + [set(option).union(*joined)]
        idle = [item for item in still_open if not any(item in part for part in parts)]
        if self.dice.chance(30) and (idle or len(parts) > 1):
            self.words.append("/")
            product = int(not any(self.lacks(state, item) for item in idle))
            for part in sorted(parts, key=min):
                alone = {item: held if item in part else FULL for item, held in state.items()}
                product = product and product * self.value(alone)
            return product
        item = self.dice.pick(still_open)
        remembered = self.dice.chance(50)
        self.words.append(f"{item}!" if remembered else str(item))
        made = [state]
        for option in self.options:
            if item in option:
                made += [new for old in made if (new := self.chosen(old, option)) is not None]
        total = sum(self.value({**new, item: FULL}) for new in made if not self.lacks(new, item))
        if remembered:
            self.known[key] = total
        return total


def any_certificate(problem: CoverProblem, dice: Dice) -> str:
    """The section, and the number, of a certificate with a tree of the dice's choice; without its first lines."""
    walk = _Walk(problem, dice)
    covers = walk.value(walk.start()) << sum(not option for option in walk.options)
    lines = "".join(" ".join(walk.words[k : k + 7]) + "\n" for k in range(0, len(walk.words), 7))
    return f"tree all\n{lines}end {covers} {len(walk.words)}\ncovers {covers}\n"
