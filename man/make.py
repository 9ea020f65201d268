"""Write man/latcover.1 from the command line itself: python man/make.py; --check only tells whether it is current.

click-man, the tool for this, finds the commands of typer but none of their options: these are of a click of its own.
"""

from __future__ import annotations

import re
import sys
import textwrap
import tomllib
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import typer.main

from latcover.apps.cli.main import app
from latcover.apps.cli.shared.help_pages import default_of, shown, value_of

HERE = Path(__file__).parent
SHARED = 3  # options that so many commands have alike are explained once
LETTERS = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti"}

ABOUT = """latcover models and solves put-together puzzles on any lattice as exact covers: polyominoes, polycubes,
polyhexes, packed spheres, key-and-lock discs. It lists every placement of every part, finds the symmetries of the
puzzle, and lets a backend find every cover; each solution that it prints has passed a verifier that shares no code
with the search.

A PUZZLE is the name of a shipped puzzle (see `latcover list`) or a file: a puzzle file, a BurrTools file, a grid of
letters, or an exact cover problem in Knuth's form. Results go to standard output, messages and the progress bar to
standard error."""
STATUSES = {
    "0": 'Done. "No solution" is also an answer.',
    "1": "An error, explained in one paragraph on standard error; or figures that disagree (check, compare, bench).",
    "2": "An invalid command line.",
    "3": "Stopped by a limit or by Ctrl-C; what was found until then is printed.",
    "130": "Ended by Ctrl-C before the search began.",
}
VARIABLES = {
    "NO_COLOR": "If set, print letters without colours, like --no-color.",
    "TERM": "If it is dumb, do the same.",
    "COLUMNS": "The width of pictures if the width of the terminal is unknown.",
}
EXAMPLES = {
    "latcover solve --limit 1 pent-10x6": "A first solution, drawn.",
    "latcover count soma --json": "The number of solutions, for a script.",
    "latcover solve --run bedlam.run bedlam": "A search that may be killed; `runs resume` continues it.",
    "latcover show soma --output soma.html": "A page on which you can turn the solution and take it apart.",
    "latcover --install-completion": "Enable tab completion of commands, options and names in your shell.",
}


def escaped(text: str) -> str:
    """Text that no letter of which means anything to roff."""
    return "".join(LETTERS.get(letter, letter) for letter in text)


def paragraph(text: str) -> str:
    """Running text in short lines: `code` is bold, and no line begins with a letter that means a request."""
    pieces = re.split(r"`([^`]+)`", " ".join(text.split()))
    marked = "".join(f"\\fB{escaped(piece)}\\fR" if i % 2 else escaped(piece) for i, piece in enumerate(pieces))
    lines = textwrap.wrap(marked, 78, break_long_words=False, break_on_hyphens=False)
    return "\n".join(f"\\&{line}" if line.startswith(".") else line for line in lines)


def paragraphs(text: str) -> Iterator[str]:
    for number, part in enumerate(re.split(r"\n\s*\n", text.strip())):
        yield from [".PP"] if number else []
        yield paragraph(part)


def option_lines(parameter: Any) -> tuple[str, ...]:
    """An option as a paragraph with a hanging tag."""
    names = ", ".join(f"\\fB{escaped(name)}\\fR" for name in parameter.opts)
    others = "".join(f", \\fB{escaped(name)}\\fR" for name in parameter.secondary_opts)
    value = value_of(parameter)
    tag = f"{names}{others}" + (f" \\fI{escaped(value)}\\fR" if value else "")
    default = f" Default: {told}." if (told := default_of(parameter)) else ""
    return ".TP", tag, paragraph(f"{parameter.help or ''}{default}")


def leaves(command: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every command, those of groups under their full names."""
    for key, inner in getattr(command, "commands", {}).items():
        full = f"{name} {key}".strip()
        if getattr(inner, "commands", None):
            yield from leaves(inner, full)
        else:
            yield full, inner


def command_lines(name: str, command: Any, shared: set[tuple[str, ...]]) -> Iterator[str]:
    arguments = shown(command.params, "argument")
    words = [argument.metavar or argument.name.upper() for argument in arguments]
    yield f'.SS "latcover {escaped(name)}"'
    yield " ".join(
        [f"\\fBlatcover {escaped(name)}\\fR [\\fIoptions\\fR]", *(f"\\fI{escaped(word)}\\fR" for word in words)]
    )
    yield ".PP"
    yield from paragraphs(command.help or "")
    for argument, word in zip(arguments, words, strict=True):
        yield from (".TP", f"\\fI{escaped(word)}\\fR", paragraph(argument.help or ""))
    options = shown(command.params, "option")
    for option in options:
        if option_lines(option) not in shared:
            yield from option_lines(option)
    if command.epilog:
        title, *examples = command.epilog.split("\n\n")
        yield from (".PP", paragraph(title), *(line for each in examples for line in (".br", paragraph(f"`{each}`"))))
    also = ", ".join(f"`{option.opts[0]}`" for option in options if option_lines(option) in shared)
    if also:
        yield from (".PP", paragraph(f"Also, see below: {also}."))


def table(title: str, rows: dict[str, str]) -> Iterator[str]:
    yield f'.SH "{title}"'
    for tag, text in rows.items():
        yield from (".TP", f"\\fB{escaped(tag)}\\fR", paragraph(text))


def version() -> str:
    """The version, as pyproject.toml has it."""
    return str(tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def manual(day: str) -> str:
    """The page, in the language of man(7), as of *day*."""
    root = typer.main.get_command(app)
    commands = list(leaves(root))
    counted = Counter(option_lines(option) for _, command in commands for option in shown(command.params, "option"))
    shared = [lines for lines, times in counted.items() if times >= SHARED]
    lines = [
        '.\\" Made by man/make.py from the command line itself; do not edit.',
        f'.TH LATCOVER 1 {day} "latcover {version()}" "User Commands"',
        *(".SH NAME", "latcover \\- model and solve put\\-together puzzles on any lattice"),
        *(".SH SYNOPSIS", "\\fBlatcover\\fR \\fIcommand\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]"),
        *(".SH DESCRIPTION", *paragraphs(ABOUT)),
        ".SH OPTIONS",
        *(line for option in shown(root.params, "option") for line in option_lines(option)),
        *(".TP", "\\fB\\-h\\fR, \\fB\\-\\-help\\fR", "Of any command: what it does, and all its options."),
        ".SH COMMANDS",
        *(line for name, command in commands for line in command_lines(name, command, set(shared))),
        '.SH "OPTIONS OF SEVERAL COMMANDS"',
        *(line for lines in shared for line in lines),
        *table("EXIT STATUS", STATUSES),
        *table("ENVIRONMENT", VARIABLES),
        *table("EXAMPLES", EXAMPLES),
    ]
    return "\n".join(line for line in lines if line) + "\n"


def main() -> None:
    """Write the page, or check it; its day is that of its last change."""
    path = HERE / "latcover.1"
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    day = re.search(r"^\.TH LATCOVER 1 (\S+)", before, re.M)
    if day and manual(day[1]) == before:
        return
    if sys.argv[1:] == ["--check"]:
        sys.exit(f"{path} is not what the command line says now; make it anew by `python man/make.py`")
    path.write_text(manual(date.today().isoformat()), encoding="utf-8")


if __name__ == "__main__":
    main()
