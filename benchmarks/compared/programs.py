"""Who is compared: the programs of `programs.toml`, which are here in which version, and how one is asked."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.compared.cases import Case, Task
from benchmarks.harness.conditions import version_of
from benchmarks.harness.options import chosen
from benchmarks.harness.processes import run_command


class PreparedProgram(msgspec.Struct, frozen=True):
    """A program that has its input.

    Attributes:
        fresh: Makes what one question needs, and gives the question. Only the question is timed.
        read: Makes of its result a number, covers as tuples of options, or a pair of numbers.
        kept: What must be there as long as the program is asked, such as the folder of its files.
    """

    fresh: Callable[[], Callable[[], Any]]
    read: Callable[[Any], Any]
    kept: object = None


def asks(question: Callable[[], Any], read: Callable[[Any], Any], kept: object = None) -> PreparedProgram:
    """A program that can be asked the same question again."""
    return PreparedProgram(lambda: question, read, kept)


class Program(msgspec.Struct, frozen=True):
    """A program, or one of our methods; see `programs.toml`."""

    name: str
    about: str
    adapter: str
    tasks: tuple[Task, ...]
    look: tuple[str, str, str]
    package: str = ""
    command: str = ""
    licence: str = "MIT"

    @property
    def ours(self) -> bool:
        """Whether it is a method of latcover."""
        return not self.package and not self.command

    def make(self) -> Callable[[Case], PreparedProgram]:
        """Its adapter."""
        module, name = self.adapter.split(":")
        made: Callable[[Case], PreparedProgram] = getattr(import_module(f"benchmarks.compared.{module}"), name)
        return made

    @property
    def where(self) -> str:
        """Where it comes from, for a table."""
        if self.command:
            return f"command `{self.command}`"
        return f"PyPI: {self.package}" if self.package else "latcover"

    @property
    def version(self) -> str | None:
        """The version that is here; None if it is not here."""
        if self.command:
            return _version_of(self.command)
        return version_of(self.package) if self.package else version_of("latcover") or "not installed"


REFERENCE = "latcover"
PROGRAMS = tuple(
    msgspec.convert({**about, "name": name}, Program)
    for name, about in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).items()
)
BY_NAME = {program.name: program for program in PROGRAMS}


def chosen_programs(wanted: str | None) -> tuple[Program, ...]:
    """The programs that a list such as ``dlx,clasp`` names, and the one that all are compared with; None takes all.

    Raises:
        UnsupportedError: there is no such program, or none is named.
    """
    names = chosen("program", wanted, BY_NAME) or tuple(BY_NAME)
    return tuple(program for program in PROGRAMS if program.name in (*names, REFERENCE))


UNVERSIONED = ("burrTxt", "heesch-sat")  # they have no such option, and would take it for a file


@cache
def _version_of(command: str) -> str | None:
    """The first number in what a command says of its version; "found" if it says nothing; None if it is not there."""
    path = shutil.which(command)
    if path is None:
        return None
    if command in UNVERSIONED:
        return "found"
    said = run_command([path, "--version"])
    words = (said.output + said.messages).replace(",", " ").split()
    return next((word for word in words if word[0].isdigit()), "found")
