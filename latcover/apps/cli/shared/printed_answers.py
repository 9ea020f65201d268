"""How commands show solutions, and how they end: the answer, reasons for none, what to try next, the exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from latcover.apps.cli.shared.options import MessageOptions, ReportOptions
from latcover.apps.cli.shared.output import (
    echo,
    echo_answer,
    is_terminal,
    safe_picture,
    say,
    screen_width,
    wants_colour,
)
from latcover.apps.cli.shared.progress import Watcher
from latcover.apps.cli.shared.screenful import Screenful
from latcover.errors import escaped
from latcover.system.terminal import quoted

if TYPE_CHECKING:
    from latcover.core.cover.result import SearchResult
    from latcover.core.cover.searchable import Searchable
    from latcover.core.impossible.reasons import Reason

EXIT_LIMIT = 3
EXIT_SATISFIABLE, EXIT_UNSATISFIABLE = 10, 20  # with --sat-exit-codes


def print_answer(
    answer: SearchResult,
    prepared: Callable[[], Searchable[Any]],
    report: ReportOptions,
    *,
    puzzle: str | None = None,
    run: Path | None = None,
    in_summary: bool = False,
    more: Mapping[str, object] = {},
) -> None:
    """Print an answer, and what to try if the search was cut short. Standard error says why there is no solution.

    Args:
        answer: The answer.
        prepared: Gives the problem that was searched.
        report: What is said on standard error, and whether the answer is printed as JSON.
        puzzle, run: The puzzle and the file of the run as the user named them; None if the user did not.
        in_summary: Whether JSON has it under the key "summary".
        more: Further keys of the JSON.
    """
    from latcover.show.reporting.search_report import NOT_EXAMINED, answer_as_json, answer_as_text, reasons_for

    data = say_reasons(answer_as_json(answer), reasons_for(answer, prepared), report)
    if report.as_json:
        data |= {"assembly": NOT_EXAMINED, **more}
        echo(json.dumps({"summary": data} if in_summary else data))
        return
    echo_answer(answer_as_text(answer))
    if "reasons" not in data and not report.quiet and (advice := advise(answer, prepared, puzzle, run)):
        echo(advice)


def advise(answer: SearchResult, prepared: Callable[[], Searchable[Any]], puzzle: str | None, run: Path | None) -> str:
    """What to try if a search was cut short before the number of solutions was known; "" if there is nothing to add.

    Args:
        answer: What the search found.
        prepared: Gives the problem that was searched.
        puzzle: The puzzle as it was named on the command line; None if a file of a run names it.
        run: The file of the run, if the search has one.
    """
    from latcover.core.solving.count import lists_nothing

    if answer.complete or answer.stop == "solution limit":
        return ""
    tries = {"time limit": ["give more --time"], "branch limit": ["give more --max-branches"]}.get(answer.stop, [])
    if answer.method != "enumeration":
        tries += ["give more --memory"] * (answer.method in ("memo", "components"))
        tries.append("find a lower bound with --method enumeration")
    elif answer.branches is not None and lists_nothing(prepared().problem, None):
        tries.append(f"count without listing the solutions: {_command('count', puzzle)}, without --backend")
    if run is not None:
        tries.append(f"continue with {_command('runs resume', str(run))}")
    elif answer.method == "enumeration":
        tries.append("keep the results with --run FILE, and continue later")
    if puzzle is not None:
        tries.append(f"estimate the number with {_command('estimate', puzzle)}")
    return f"to learn more: {'; or '.join(tries)}"


def _command(name: str, argument: str | None) -> str:
    return f"`latcover {name} {quoted(argument) if argument else 'PUZZLE'}`"


def say_reasons(data: dict[str, Any], reasons: Sequence[Reason], messages: MessageOptions) -> dict[str, object]:
    """Say why there is no solution, if that is known, and add it to the data."""
    from latcover.show.reporting.search_report import reasons_as_lines, with_reasons

    told = with_reasons(data, reasons)
    for line in reasons_as_lines(told):
        say(line, messages)
    return told


def finish(answer: SearchResult, sat_exit_codes: bool = False) -> None:
    """End with the exit code for the result of a search."""
    if sat_exit_codes and answer.different:
        raise typer.Exit(EXIT_SATISFIABLE)
    if not answer.complete:
        raise typer.Exit(EXIT_LIMIT)
    if sat_exit_codes:
        raise typer.Exit(EXIT_UNSATISFIABLE)


class SolutionPrinter:
    """Shows solutions as `latcover solve` does: on a terminal a screen of them, else all, one below the other.

    Args:
        shown: What prints, and what progress gives way to.
        images: Whether images are listed, which then have numbers of their own.
        color, as_json: As the user has chosen.
        every: Whether a terminal shows all, too.
        besides: How many lines of the screen are left for more than the answer.
        held: Whether solutions are printed at the end of their batch; whoever finds them tells `Watch` of it.
        named: Whether each is headed by the name of its puzzle, since they are of many.
    """

    def __init__(
        self,
        shown: Watcher,
        *,
        images: bool,
        color: bool | None,
        as_json: bool,
        every: bool = True,
        besides: int = 0,
        held: bool = False,
        named: bool = False,
    ) -> None:
        from latcover.show.reporting.search_report import JsonLines, solution_as_lines

        self._shown, self._images, self._coloured = shown, images, wants_colour(color)
        self._json = JsonLines() if as_json else None
        self._as_lines, self._named = solution_as_lines, named
        self._write = shown.hold if held else shown.write
        is_whole = as_json or every or not is_terminal(sys.stdout)
        self._screen = None if is_whole else Screenful(shown.write, besides=besides)

    def __call__(self, solution: Any, said: str = "") -> None:
        """Show a solution; *said* follows its number."""
        of = f"{escaped(solution.puzzle.name)}, " if self._named else ""
        if self._json is not None:
            line = self._json.line(solution)
            self._write(f'{{"puzzle": {json.dumps(solution.puzzle.name)}, {line[1:]}' if self._named else line)
            return
        if self._screen is not None and self._screen.hidden:
            self._screen.hidden += 1
            return
        titles = self._screen is None
        if self._screen is not None and self._screen.is_new and _is_solid(solution):
            self._shown.write("layers from the bottom up, left to right\n")
        lines = self._as_lines(solution, colour=self._coloured, width=screen_width(), titles=titles)
        image = f", image {solution.image} of {solution.orbit}" if self._images else said
        if self._screen is None:
            self._write(safe_picture("\n".join([f"{of}solution {solution.number}{image}", *lines, ""])))
        else:
            self._screen.add([f"{of}{solution.number}{image}", *lines])

    def end(self) -> None:
        """Say how many were not shown."""
        if self._screen is not None:
            self._screen.end()


def _is_solid(solution: Any) -> bool:
    """Whether its picture has layers."""
    puzzle = getattr(solution, "puzzle", None)
    return puzzle is not None and puzzle.lattice.dimension == 3
