"""The progress of a search on standard error: a bar on a terminal, or lines of JSON for programs."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from latcover.apps.cli.shared.options import MessageOptions, ReportOptions
from latcover.apps.cli.shared.output import echo_picture, is_dumb_terminal, is_terminal
from latcover.core.cover.events import Events
from latcover.errors import escaped
from latcover.system import signals

if TYPE_CHECKING:
    from latcover.core.cover.result import SearchResult
    from latcover.core.cover.search import Progress
    from latcover.lab.asking.all_solutions import AllSolutions
    from latcover.lab.asking.estimate import Estimate

Show = Callable[[Any], None]
S = TypeVar("S")

SO_FAR = "interrupted: only what is known so far"
BETWEEN_LINES = 1.0  # seconds
AT_ONCE = 500  # solutions that are printed together
BEFORE_A_BAR = 1.0  # seconds of work
FIELDS = ("share", "spent", "left", "covers", "rate")  # beside the bar


class Watcher:
    """Shows the progress of a search; this one shows none.

    Attributes:
        quiet: Whether it also keeps to itself that a search was interrupted.
    """

    quiet = False

    def __init__(self) -> None:
        self._held: list[str] = []

    def show(self, progress: Progress) -> None:
        """Take a report; there are about twenty in a second."""

    def give_way(self) -> None:
        """Leave the terminal to what is printed next."""

    def write(self, text: str) -> None:
        """Print a picture, or other text, to standard output. A bar that is shown gives way first."""
        self.give_way()
        echo_picture(text)

    def hold(self, text: str) -> None:
        """Print text together with more of its kind, at `print_held`, or when there is much of it.

        It holds nothing that a terminal would obey: it is JSON, or a `safe_picture`.
        """
        self._held.append(text)
        if len(self._held) >= AT_ONCE:
            self.print_held()

    def print_held(self) -> None:
        """Print what is held back."""
        if self._held:
            text, self._held = "\n".join(self._held), []
            self.give_way()
            print(text, flush=True)

    def end(self, progress: Progress) -> None:
        """Take the last report of the search."""

    def close(self) -> None:
        """Show nothing more; also called after an error."""

    def through(self, solutions: Sequence[S]) -> Iterator[S]:
        """Each of these solutions, and show the progress of the work on them."""
        from latcover.core.cover.search import Progress

        begun = time.perf_counter()
        for done, solution in enumerate(solutions):
            self.show(Progress(done / len(solutions), None, done, time.perf_counter() - begun))
            yield solution


class Lines(Watcher):
    """Prints a line of JSON each second, and one at the end."""

    def __init__(self) -> None:
        super().__init__()
        self._next = BETWEEN_LINES

    def show(self, progress: Progress) -> None:
        if progress.seconds >= self._next:
            self._next = progress.seconds + BETWEEN_LINES
            self.end(progress)

    def end(self, progress: Progress) -> None:
        figures = {
            "share": progress.share,
            "branches": progress.branches,
            "covers": progress.covers,
            "seconds": round(progress.seconds, 3),
            "rate": None if progress.rate is None else round(progress.rate),
            "left": None if progress.left is None else round(progress.left, 3),
        }
        print(json.dumps(figures), file=sys.stderr, flush=True)


class Bar(Watcher):
    """Shows a bar after one second of work, and removes it at the end."""

    def __init__(self, *, forced: bool, covers: str, branches: str) -> None:
        super().__init__()
        self._forced, self._covers, self._branches = forced, covers, branches
        self._bar: Any = None
        self._task: Any = None

    def show(self, progress: Progress) -> None:
        if progress.seconds < BEFORE_A_BAR:
            return
        if self._bar is None:
            self._start()
        texts = {
            "share": "" if progress.share is None else f"{100 * progress.share:>5.1f} %",
            "spent": _clock(progress.seconds),
            "left": "" if progress.left is None else f"left {_clock(progress.left)}",
            "covers": f"{progress.covers:,} {self._covers}",
            "rate": "" if progress.rate is None else f"{progress.rate:,.0f} {self._branches}/s",
        }
        total = None if progress.share is None else 1.0
        self._bar.update(self._task, total=total, completed=progress.share or 0.0, **texts)

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as RichProgress

        columns = (
            BarColumn(),
            *(TextColumn(f"{{task.fields[{field}]}}") for field in FIELDS),
        )
        # A bar that the user asked for is shown even if TERM is "dumb": standard error may be another terminal.
        known = {**os.environ, "TERM": "xterm"} if self._forced and is_dumb_terminal() else None
        console = Console(stderr=True, force_terminal=True if self._forced else None, _environ=known)
        self._bar = RichProgress(*columns, console=console, transient=True)
        self._task = self._bar.add_task("", total=1.0, **dict.fromkeys(FIELDS, ""))
        self._bar.start()

    def give_way(self) -> None:
        self.close()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(min(seconds, 1e15)), 60)
    days, minutes = divmod(minutes, 24 * 60)
    clock = f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
    return f"{days:,} days {clock}" if days else clock


def watcher(report: ReportOptions, *, covers: str = "covers", branches: str = "branches") -> Watcher:
    """The watcher that the options choose. --progress bar and json work without a terminal, and with --quiet.

    *covers* and *branches* are what the bar calls them: a search for designs finds and tries other things.
    """
    shown = Watcher()
    if report.progress == "json":
        shown = Lines()
    elif report.progress == "bar":
        shown = Bar(forced=True, covers=covers, branches=branches)
    elif report.progress == "auto" and is_terminal(sys.stderr) and not is_dumb_terminal() and not report.quiet:
        shown = Bar(forced=False, covers=covers, branches=branches)
    shown.quiet = report.quiet
    return shown


@contextmanager
def status_of(messages: MessageOptions) -> Iterator[Show]:
    """What shows a line of text, in place of the last one, on a terminal that is to be told what goes on."""
    if not is_terminal(sys.stderr) or messages.quiet:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status("") as status:
        yield lambda text: status.update(escape(escaped(text)))


class Watch(Events):
    """Shows what a search reports: its progress, and its solutions if they are to be shown. Ctrl-C ends it."""

    interrupted = False  # whether Ctrl-C came

    def __init__(
        self, shown: Watcher, show: Show | None = None, show_better: Show | None = None, show_bound: Show | None = None
    ) -> None:
        self._shown, self._show = shown, show
        self._show_better, self._show_bound = show_better, show_bound
        self._share: float | None = None

    def on_solution(self, solution: Any) -> None:
        """Show a solution."""
        if self._show is not None:
            self._show(solution)

    def on_batch_end(self) -> None:
        """Show what was held back to be printed at once."""
        self._shown.print_held()

    def on_better(self, solution: Any) -> None:
        """Show a solution that is better than those before."""
        if self._show_better is not None:
            self._show_better(solution)

    def on_bound(self, value: int) -> None:
        """Show what none of those to come can pass."""
        if self._show_bound is not None:
            self._show_bound(value)

    def on_design(self, design: Any) -> None:
        """Show a design."""
        self.on_solution(design)

    def on_progress(self, progress: Progress) -> bool:
        """Show the progress. Return False, which ends the search, after Ctrl-C."""
        if progress.share is not None:
            self._share = progress.share
        self._shown.show(progress)
        return not self.interrupted

    def probed(self, found: Estimate) -> None:
        """Send the last report of an estimate."""
        from latcover.core.cover.search import Progress

        probing = found.probing
        share = 1.0 if probing.complete else self._share
        self._shown.end(Progress(share, None, probing.covers_met, probing.seconds))

    def made(self, every: AllSolutions[Any]) -> None:
        """Send the last report of the work on all solutions."""
        from latcover.core.cover.search import Progress

        self._shown.end(Progress(1.0 if every.complete else self._share, None, 0, every.seconds))

    def ended(self, answer: SearchResult) -> SearchResult:
        """Send the last report of a search, and return its answer. The share is 1 if the search was complete."""
        from latcover.core.cover.search import Progress

        share = 1.0 if answer.complete else self._share
        seconds = answer.seconds["search"] or 0.0
        self._shown.end(Progress(share, answer.branches, answer.covers, seconds))
        return answer


@contextmanager
def watched(
    shown: Watcher, show: Show | None = None, show_better: Show | None = None, show_bound: Show | None = None
) -> Iterator[Watch]:
    """Watch a search, and *show* each solution or design, or each that is better than those before, and bounds.

    Ctrl-C ends the search, which keeps its results, and a line says so. A second Ctrl-C ends the command at once.
    """
    watch = Watch(shown, show, show_better, show_bound)

    def on_signal(*_: object) -> None:
        if watch.interrupted:
            raise KeyboardInterrupt
        watch.interrupted = True

    before = signals.handle(signals.INTERRUPTS, on_signal)
    try:
        yield watch
    finally:
        try:
            shown.print_held()  # also after an error: what was found is not lost
        finally:
            shown.close()
            signals.restore(before)
    if watch.interrupted and not shown.quiet:
        print(SO_FAR, file=sys.stderr, flush=True)
