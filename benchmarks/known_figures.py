"""The known figures: each command of their page is run again, and the page says what it takes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from benchmarks.harness.conditions import measured_on
from benchmarks.harness.options import Only
from benchmarks.harness.processes import ENDED_BY_LIMIT, ROOT, own_command, run_command
from latcover.errors import LatcoverError
from latcover.system.files import write_whole

PAGE = ROOT / "docs" / "results" / "known-figures.md"
ATLASES = ROOT / "docs" / "atlas"  # where commands that write a page run
COMMAND = re.compile(r"`latcover ([^`]+ [^`]+)`")  # with its arguments
MEASURED = re.compile(r"^Measured on .*$", re.MULTILINE)


def known_figures(*, only: Only = "") -> Iterator[str]:
    """Run the commands of the known figures, make the atlases again, and write the seconds of each into the page."""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        words = commands_of(line)
        if not words or only not in line:
            continue
        *cells, _ = line.split(" | ")
        measured = " | ".join([*cells, f"{'; '.join(_seconds_of(each) for each in words)} |"])
        _replace(line, measured)
        yield measured
    if not only:
        text = MEASURED.sub(f"Measured on {measured_on()}", PAGE.read_text(encoding="utf-8"))
        write_whole(PAGE, [text.encode()])


def commands_of(line: str) -> list[str]:
    """The commands of a row of the page, without the program's name; none in a line that is no row."""
    cells = line.split(" | ")
    return COMMAND.findall(cells[1]) if line.startswith("| ") and len(cells) == 4 else []


def _seconds_of(command: str) -> str:
    words = shlex.split(command)
    done = run_command(own_command(*words), folder=ATLASES if "--output" in words else None)
    if done.code not in (0, ENDED_BY_LIMIT):  # some ask for one solution, and some entries of atlases stay open
        raise LatcoverError(f"latcover {command} ends with {done.code}: {done.messages.strip()}")
    return f"{done.seconds:.2g}" if done.seconds < 10 else f"{done.seconds:.0f}"


def _replace(before: str, after: str) -> None:
    write_whole(PAGE, [PAGE.read_text(encoding="utf-8").replace(before, after).encode()])
