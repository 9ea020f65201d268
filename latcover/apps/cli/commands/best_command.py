"""`latcover solve --best`: the best solutions, each with its value, and what is proved of them."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer
from msgspec import Struct

from latcover.apps.cli.shared.output import echo, require_writable, say, suffix_of, write_file
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT, SolutionPrinter
from latcover.apps.cli.shared.progress import watched, watcher
from latcover.errors import UnsupportedError

if TYPE_CHECKING:
    from latcover.apps.cli.shared.options import ReportOptions
    from latcover.core.cover.searchable import Searchable
    from latcover.lab.asking.best import BestRequest, ValuedSolution
    from latcover.lab.asking.gaps import Sense


BETWEEN_BOUNDS = 1.0  # seconds


class BestOptions(Struct, frozen=True):
    """The options about the best solutions, and about packings."""

    best: Annotated[tuple[str, str] | None, typer.Option(metavar="minimize|maximize NAME", show_default=False)] = None
    all_optimal: bool = False
    pack: bool = False
    clumsy: bool = False
    output: Annotated[Path | None, typer.Option(metavar="FILE")] = None

    @property
    def given(self) -> bool:
        """Whether the best solutions are asked for, or a packing."""
        return self.best is not None or self.pack or self.clumsy

    def wanted(self) -> dict[str, Any]:
        """What is asked for, as a request says it.

        Raises:
            BadParameter: the options do not say what is good.
            UnsupportedError: the page cannot be written.
        """
        if not self.given:
            given = {"--all-optimal": self.all_optimal, "--output": self.output is not None}
            names = [name for name, is_given in given.items() if is_given]
            others = "; `latcover show` draws others" if self.output is not None else ""
            raise typer.BadParameter(
                f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} about the best solutions: --best minimize "
                f"NAME, or --best maximize NAME, says what is good{others}"
            )
        require_writable(self.output)
        if self.output is not None:
            suffix_of(self.output, "the best solutions", (".html",))
        usual = ("minimize" if self.clumsy else "maximize", "parts")
        return {"all_optimal": self.all_optimal, **sense_of(self.best or usual)}


def sense_of(given: tuple[str, str]) -> dict[str, Any]:
    """What the two words of --best ask for.

    Raises:
        UnsupportedError: the first is neither minimize nor maximize.
    """
    from latcover.lab.asking.gaps import Sense

    sense, objective = given
    if sense not in get_args(Sense):
        raise UnsupportedError(f"--best takes minimize or maximize, and then what: --best minimize {objective}")
    return {"sense": sense, "objective": objective}


class KnownSoFar:
    """Says what is known of an optimum while it is looked for: each better one, and the bound with the gap."""

    def __init__(self, noun: str, sense: Sense, report: ReportOptions) -> None:
        self._noun, self._sense, self._report = noun, sense, report
        self._best: ValuedSolution | None = None
        self._bound: int | None = None
        self._next = time.perf_counter() + BETWEEN_BOUNDS

    def better(self, better: ValuedSolution) -> None:
        """A solution is better than those before."""
        self._best = better
        self._say()

    def bounded(self, bound: int) -> None:
        """There is a better bound; as many may come at once, it is said with the next better one, or after a while."""
        self._bound = bound
        if time.perf_counter() >= self._next:
            self._say()

    def _say(self) -> None:
        from latcover.lab.asking.gaps import bound_in_words

        value, words = (None, []) if self._best is None else (self._best.value, [self._best.text])
        if self._bound is not None:
            words.append(bound_in_words(self._noun, self._sense, value, self._bound))
        say(f"so far: {'; '.join(words)}", self._report)
        self._next = time.perf_counter() + BETWEEN_BOUNDS


def find_best(
    prepared: Searchable[Any],
    request: BestRequest,
    report: ReportOptions,
    *,
    run: Path | None,
    output: Path | None,
    color: bool | None,
) -> int:
    """Find the best solutions, show them, and return the exit code.

    Args:
        prepared: The puzzle.
        request: What is asked.
        report: What is said on standard error, and whether the answer is printed as JSON.
        run: The file that keeps what is known.
        output: The page that shows them.
        color: Whether pictures have colours.
    """
    from latcover.lab.asking.best import best
    from latcover.show.reporting.best_report import best_as_json, best_as_text

    shown = watcher(report)
    show = SolutionPrinter(shown, images=False, color=color, as_json=report.as_json)

    known = KnownSoFar("solution", request.sense, report)
    with watched(shown, show_better=known.better, show_bound=known.bounded) as events:
        result = best(prepared, request, events, run=run)
        events.ended(result.search)
    if output is not None:
        from latcover.core.encoding.prepared import Prepared
        from latcover.show.reporting.best_page import best_as_html

        assert isinstance(prepared, Prepared)  # what has a best solution
        write_file(output, best_as_html(prepared.puzzle, request, result), report)
    for one in result.solutions:
        if report.as_json:
            echo(json.dumps(one.as_json()))
        else:
            echo(one.text)
            show(one.solution)
    echo(json.dumps({"summary": best_as_json(request, result)}) if report.as_json else best_as_text(request, result))
    if run is not None and not result.proved:
        say(f"the same command resumes from {run}", report)
    return 0 if result.proved else EXIT_LIMIT
