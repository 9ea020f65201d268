"""Playing a page of the documents from top to bottom, as its reader would: files are saved, commands typed.

A block of code that follows a line which ends in a file's name (``Save this as `mine.toml`:``) is that file; a
`console` block is typed, command by command, into the same folder, and must print what it shows; a `python` block is
a session if it has prompts, else a program. Times and memory differ from run to run; a line of `…` is any lines.
"""

from __future__ import annotations

import contextlib
import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path

from msgspec import Struct

from tests import command_line

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAMED = re.compile(r"`([\w-]+\.\w+)`:\s*$")
OURS = re.compile(r"latcover ([^|<>;&$*]*?)(?:\s+([|>].*))?")  # a command of ours, and where its output goes
VARYING = re.compile(r"\b[\d,.]+ (?:[mn]?s|MiB|minutes?)\b")
PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


class Block(Struct, frozen=True):
    """A fenced block of a page; *file* is the name under which its reader saves it, if that is said."""

    language: str
    text: str
    line: int
    file: str | None


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text("utf-8")
    found = []
    for match in FENCE.finditer(text):
        before = text[: match.start()]
        named = NAMED.search(before)
        found.append(Block(match[1], match[2], before.count("\n") + 1, named and named[1]))
    return found


def commands_of(text: str) -> list[tuple[str, list[str]]]:
    """The commands of a console block, each with the lines shown below it; a command goes on after a backslash."""
    found: list[tuple[str, list[str]]] = []
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def printed_by(command: str) -> list[str]:
    """What a command prints, on standard output and standard error, in the folder where we are.

    Our own commands are run in this process, where nothing has to be loaded again; if a file or another program takes
    what they print, a shell hands it on. Where more of the shell is needed, it runs the whole.
    """
    if not (ours := OURS.fullmatch(command)):
        return _by_shell(command)
    words = shlex.split(ours[1])
    if ours[2] is None:
        return command_line.printed_by(*words, COLUMNS="80", PATH=PATH).splitlines()
    done = command_line.run(*words, COLUMNS="80", PATH=PATH)
    return [*done.stderr.splitlines(), *_by_shell(f"cat {ours[2]}", done.stdout)]


def _by_shell(command: str, given: str = "") -> list[str]:
    done = subprocess.run(
        ["bash", "-c", command],
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PATH": PATH, "COLUMNS": "80"},
    )
    return done.stdout.splitlines()


def missing_program(text: str) -> str | None:
    """A program that a console block calls and that is not installed."""
    programs = [command.split()[0] for command, _ in commands_of(text)]
    return next((program for program in programs if shutil.which(program, path=PATH) is None), None)


def steady(line: str) -> str:
    """A line without what differs from run to run; of a table of `compare` only what comes before the times."""
    words = VARYING.sub("…", line).split()
    return " ".join([*words[:5], "complete"] if words[-1:] == ["complete"] else words)


def differences(shown: list[str], printed: list[str]) -> str | None:
    """Where what is shown is not what is printed."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "…" else re.escape(steady(line)) + r"\n" for line in shown)
    text = "".join(f"{steady(line)}\n" for line in printed)
    return None if re.fullmatch(pattern, text) else "\n".join(["shown:", *shown, "printed:", *printed])


def play(block: Block, names: dict[str, object]) -> str | None:
    """Do what a block says, in the folder where we are; what is wrong with it, if anything is."""
    if block.file is not None:
        Path(block.file).write_text(block.text, encoding="utf-8")
        return None
    if block.language == "console":
        for command, shown in commands_of(block.text):
            if wrong := differences(shown, printed_by(command)):
                return f"$ {command}\n{wrong}"
    if block.language == "python":
        return play_session(block.text, names) if ">>> " in block.text else play_program(block.text, names)
    return None


def play_session(text: str, names: dict[str, object]) -> str | None:
    """A session with prompts, by doctest."""
    test = doctest.DocTestParser().get_doctest(text, names, "session", None, 0)
    told = StringIO()
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.write, clear_globs=False)
    names.update(test.globs)
    return told.getvalue() if results.failed or not results.attempted else None


def play_program(text: str, names: dict[str, object]) -> str | None:
    """A program; what it prints stands behind each `print` as a comment."""
    expected = re.findall(r"print\(.*?\)\s+# (.*)", text)
    told = StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(text, "example", "exec"), names)
    printed = [line for line in told.getvalue().splitlines() if line in expected]
    return None if printed == expected else f"expected: {expected}\nprinted: {told.getvalue()}"
