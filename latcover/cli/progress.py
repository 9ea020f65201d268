"""The progress of a search on standard error: a bar on a terminal, or lines of JSON for programs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from latcover.cli.options import CountOptions, ProgressForm, SearchOptions, TalkOptions, WatchOptions
from latcover.cli.support import echo_picture, interruptible, is_dumb_terminal, is_terminal

if TYPE_CHECKING:
    from latcover.cover.search import Backend, OnProgress, Progress
    from latcover.cover.searchable import Searchable
    from latcover.solving.answer import Answer
    from latcover.solving.estimate import Estimate

BETWEEN_LINES = 1.0  # seconds
BEFORE_A_BAR = 1.0  # seconds of work
FIELDS = ("spent", "left", "covers", "rate")  # beside the bar


class Watcher(Protocol):
    """Receives the progress of a search."""

    def show(self, progress: Progress) -> None:
        """Take a report; there are about twenty in a second."""

    def write(self, text: str) -> None:
        """Print a picture, or other text, to standard output. A bar that is shown gives way first."""

    def end(self, progress: Progress) -> None:
        """Take the last report of the search."""

    def close(self) -> None:
        """Show nothing more; also called after an error."""


class Silence:
    """Shows nothing."""

    def show(self, progress: Progress) -> None:
        pass

    def write(self, text: str) -> None:
        echo_picture(text)

    def end(self, progress: Progress) -> None:
        pass

    def close(self) -> None:
        pass


class Lines(Silence):
    """Prints a line of JSON each second, and one at the end."""

    def __init__(self) -> None:
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


class Bar(Silence):
    """Shows a bar after one second of work, and removes it at the end."""

    def __init__(self, *, forced: bool) -> None:
        self._forced = forced
        self._bar: Any = None
        self._task: Any = None

    def show(self, progress: Progress) -> None:
        if progress.seconds < BEFORE_A_BAR:
            return
        if self._bar is None:
            self._start()
        texts = {
            "spent": _clock(progress.seconds),
            "left": "" if progress.left is None else f"left {_clock(progress.left)}",
            "covers": f"{progress.covers:,} covers",
            "rate": "" if progress.rate is None else f"{progress.rate:,.0f} branches/s",
        }
        total = None if progress.share is None else 1.0
        self._bar.update(self._task, total=total, completed=progress.share or 0.0, **texts)

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as RichProgress

        columns = (
            BarColumn(),
            TextColumn("{task.percentage:>5.1f} %"),
            *(TextColumn(f"{{task.fields[{field}]}}") for field in FIELDS),
        )
        # A bar that the user asked for is shown even if TERM is "dumb": standard error may be another terminal.
        known = {**os.environ, "TERM": "xterm"} if self._forced and is_dumb_terminal() else None
        console = Console(stderr=True, force_terminal=True if self._forced else None, _environ=known)
        self._bar = RichProgress(*columns, console=console, transient=True)
        self._task = self._bar.add_task("", total=1.0, **dict.fromkeys(FIELDS, ""))
        self._bar.start()

    def write(self, text: str) -> None:
        self.close()
        echo_picture(text)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(min(seconds, 1e15)), 60)
    days, minutes = divmod(minutes, 24 * 60)
    clock = f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
    return f"{days:,} days {clock}" if days else clock


def watcher(talk: TalkOptions, watch: WatchOptions) -> Watcher:
    """The watcher that the options choose. --progress bar and json work without a terminal, and with --quiet."""
    if watch.progress is ProgressForm.json:
        return Lines()
    if watch.progress is ProgressForm.bar:
        return Bar(forced=True)
    if watch.progress is ProgressForm.auto and is_terminal(sys.stderr) and not is_dumb_terminal() and not talk.quiet:
        return Bar(forced=False)
    return Silence()


class Watch:
    """Joins Ctrl-C and progress. A search reports to ``on_progress``."""

    def __init__(self, shown: Watcher, interrupted: list[bool]) -> None:
        self._shown, self._interrupted = shown, interrupted
        self._share: float | None = None

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C came."""
        return self._interrupted[0]

    def on_progress(self, progress: Progress) -> bool:
        """Show the progress. Return False, which ends the search, after Ctrl-C."""
        if progress.share is not None:
            self._share = progress.share
        self._shown.show(progress)
        return not self._interrupted[0]

    def probed(self, found: Estimate) -> None:
        """Send the last report of an estimate."""
        from latcover.cover.search import Progress

        probing = found.probing
        share = 1.0 if probing["complete"] else self._share
        self._shown.end(Progress(share, None, probing["covers_met"], probing["seconds"]))

    def ended(self, answer: Answer) -> Answer:
        """Send the last report of a search, and return its answer. The share is 1 if the search was complete."""
        from latcover.cover.search import Progress

        share = 1.0 if answer.complete else self._share
        seconds = answer.seconds["search"] or 0.0
        self._shown.end(Progress(share, answer.branches, answer.covers, seconds))
        return answer


@contextmanager
def watched(shown: Watcher) -> Iterator[Watch]:
    """Watch a search."""
    with interruptible() as interrupted:
        try:
            yield Watch(shown, interrupted)
        finally:
            shown.close()


def search_puzzle(
    prepared: Searchable[Any],
    solver: Backend,
    options: SearchOptions,
    shown: Watcher,
    show: Any = None,
    *,
    images: bool = False,
    anyway: bool = False,
) -> Answer:
    """Search a prepared puzzle or a bare problem, and *show* each solution. *anyway*: even if it is in vain."""
    from latcover.solving.run import run

    def search(on_progress: OnProgress) -> Answer:
        return run(prepared, solver, options.limits(), show, images=images, on_progress=on_progress)

    return _ended(prepared, search, shown, anyway)


def count_puzzle(
    prepared: Searchable[Any],
    solver: Backend,
    options: SearchOptions,
    counting: CountOptions,
    shown: Watcher,
    *,
    anyway: bool = False,
) -> Answer:
    """Count a prepared puzzle or a bare problem. *anyway*: even if it is in vain."""
    from latcover.solving.count import count_prepared

    def search(on_progress: OnProgress) -> Answer:
        return count_prepared(
            prepared,
            solver,
            options.limits(),
            on_progress,
            method=counting.method.value,
            most_bytes=counting.memory * 1_000_000,
        )

    return _ended(prepared, search, shown, anyway)


def _ended(prepared: Searchable[Any], search: Callable[[OnProgress], Answer], shown: Watcher, anyway: bool) -> Answer:
    with watched(shown) as watch:
        if anyway:
            return watch.ended(search(watch.on_progress))
        from latcover.impossible.forestall import forestalled

        return watch.ended(forestalled(prepared, search, watch.on_progress))
