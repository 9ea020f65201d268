"""The reports of long work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from latcover.core.cover.search import Progress


class Events:
    """Receives the reports of long work. Subclasses override what they need; the defaults do nothing."""

    def on_stage(self, stage: str, subject: Any = None) -> None:
        """A stage begins; *subject* is the prepared puzzle or problem, once it exists."""

    def on_solution(self, solution: Any) -> None:
        """A solution was found and verified; `assemble` gives it with its disassembly."""

    def on_batch_end(self) -> None:
        """All solutions that are at hand were given to `on_solution`; the next ones may take long."""

    def on_better(self, solution: Any) -> None:
        """A solution was found that is better than those before; it was verified, and has its value."""

    def on_bound(self, value: int) -> None:
        """No solution that is still to come can have a better value than this."""

    def on_design(self, design: Any) -> None:
        """A puzzle was made."""

    def on_progress(self, progress: Progress) -> bool:
        """Receives the progress; returning False stops the work."""
        return True


SILENT = Events()
