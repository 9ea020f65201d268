"""`--certificate`: a certificate of a count, which other programs can check."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latcover.apps.cli.shared.options import MessageOptions
from latcover.apps.cli.shared.output import require_writable, say
from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT
from latcover.core.cover.events import Events
from latcover.errors import UnsupportedError

if TYPE_CHECKING:
    from latcover.core.cover.counter import Budget
    from latcover.core.cover.result import SearchResult, Stop
    from latcover.core.cover.search import Limits, Progress
    from latcover.core.cover.searchable import Searchable
    from latcover.lab.asking.certificates import Certificate

CertificateFile = Annotated[Path | None, typer.Option("--certificate", metavar="FILE", show_default=False)]


class CertificateWriting:
    """What a command does about the certificate that the user asks for, if any."""

    def __init__(self, path: Path | None, messages: MessageOptions) -> None:
        self.path, self._messages = path, messages
        self.written: Certificate | Stop | None = None

    def refuse_beside(self, **given: bool) -> None:
        """Refuse what makes no single count; each keyword is an option, and whether it was given."""
        names = [f"--{name.replace('_', '-')}" for name, is_given in given.items() if is_given]
        if self.path is not None and names:
            raise UnsupportedError(f"--certificate does not go with {' and '.join(names)}; leave one of them out")

    def refuse_goals(self) -> None:
        """Refuse a puzzle with many goals."""
        if self.path is not None:
            raise UnsupportedError("a certificate is about one goal: name it with --goal")

    def begin(self, prepared: Searchable[Any], limits: Limits, reads: str | None) -> None:
        """Refuse what cannot be certified or written, before the search."""
        if self.path is None:
            return
        from latcover.lab.asking.certificates import problem_beside, require_certifiable

        require_writable(self.path, problem_beside(self.path), reads=reads)
        require_certifiable(prepared, limits)

    def write(
        self, prepared: Searchable[Any], found: SearchResult, events: Events, seconds: float | None, budget: Budget
    ) -> None:
        """Write the certificate, if the search was complete."""
        if self.path is None or not found.complete:
            return
        from latcover.lab.asking.certificates import certify_count

        told = _Told(events, self._messages)
        self.written = certify_count(prepared, self.path, found, told, seconds=seconds, budget=budget)

    def as_json(self) -> dict[str, object]:
        """What is added to the answer."""
        if self.path is None:
            return {}
        from latcover.lab.asking.certificates import Certificate

        return {"certificate": self.written.as_json() if isinstance(self.written, Certificate) else None}

    def as_text(self) -> str:
        """What is printed after the answer; "" for nothing."""
        if self.path is None:
            return ""
        from latcover.lab.asking.certificates import Certificate

        if isinstance(self.written, Certificate):
            return self.written.as_text()
        why = "the count was cut short" if self.written is None else self.written.verdict
        return f"no certificate was written: {why}"

    def finish(self) -> None:
        """End with the exit code of work that was cut short if there is no certificate."""
        if self.path is not None and self.as_json()["certificate"] is None:
            raise typer.Exit(EXIT_LIMIT)


class _Told(Events):
    """Tells how large a certificate becomes, and passes the progress on."""

    def __init__(self, events: Events, messages: MessageOptions) -> None:
        self._events, self._messages = events, messages

    def on_stage(self, stage: str, subject: Any = None) -> None:
        say(stage, self._messages)

    def on_progress(self, progress: Progress) -> bool:
        return self._events.on_progress(progress)


def rest_of_time(seconds: float | None, began: float) -> float | None:
    """What is left of the seconds since *began*."""
    return None if seconds is None else max(0.0, seconds - (time.perf_counter() - began))
