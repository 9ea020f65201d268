"""The jobs that pack a region with parts, or keep them out of it. They send a picture of each better packing."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import structs
from msgspec.structs import replace

from latcover.apps.web.answers import RunAnswer
from latcover.apps.web.best_solutions import BestSender
from latcover.apps.web.job import Talk
from latcover.apps.web.subject import puzzle_of_subject
from latcover.apps.web.tasks import ExcludeTask, PackTask
from latcover.core.encoding.prepared import Prepared
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.rules.rule import rules_of
from latcover.errors import PuzzleError, suggest
from latcover.lab.asking.best import ValuedSolution
from latcover.lab.exploring.packing import Packing, exclude, exclusion_in_words, pack, packing_in_words
from latcover.lab.exploring.tilings import Tiling
from latcover.show.drawing.paper.svg import sheet
from latcover.show.reporting.tiling_sheets import tilings_as_view


def pack_region(task: PackTask, talk: Talk) -> RunAnswer:
    """Pack a region as densely as it can be, or as clumsily."""
    puzzle = _with_parts(puzzle_of_subject(task.subject, talk.settings.bounds()), task.parts)
    if not task.own_counts:
        puzzle = replace(puzzle, parts=tuple(replace(part, high=None) for part in puzzle.parts))
    sender = _PackingSender(talk, sense="minimize" if task.clumsy else "maximize", noun="packing")
    found = pack(puzzle, structs.replace(task, seconds=None), sender)  # the server keeps the time
    return sender.finish(found, packing_in_words(task, found))


def keep_parts_out(task: ExcludeTask, talk: Talk) -> RunAnswer:
    """The fewest cells that keep parts out of a region; returned as a packing is."""
    puzzle = _with_parts(puzzle_of_subject(task.subject, talk.settings.bounds()), task.parts)
    sender = _PackingSender(talk, sense="minimize", noun="choice")
    found = exclude(puzzle, structs.replace(task, seconds=None), sender)
    return sender.finish(found, exclusion_in_words(puzzle, found))


def _with_parts(puzzle: Puzzle, names: Collection[str]) -> Puzzle:
    """The puzzle with just these of its parts, if any are named; rules stay as far as they are about these."""
    known = [part.name for part in puzzle.parts]
    for name in names:
        if name not in known:
            raise PuzzleError(f"{puzzle.name!r} has no part {name[:40]!r}{suggest(name[:40], known)}")
    if not names:
        return puzzle
    of_parts = tuple(rule for rule in rules_of(puzzle) if {*rule.named_parts} <= {*names})
    parts = tuple(part for part in puzzle.parts if part.name in names)
    return replace(puzzle, parts=parts, rules=replace(puzzle.rules, of_parts=of_parts), costs=(), expect={})


class _PackingSender(BestSender):
    """Sends packings as pictures."""

    def on_better(self, solution: ValuedSolution) -> None:
        """Send a picture of a packing."""
        assert isinstance(self.subject, Prepared)
        self.value, self.words = solution.value, f"so far: {solution.text}"
        self._draw(Tiling(self.subject.puzzle, solution.solution), self.words)

    def finish(self, found: Packing, words: str) -> RunAnswer:
        """Send the last picture. Returns the answer."""
        if found.tiling is not None:
            self._draw(found.tiling, words)
        self.messages.flush()
        return RunAnswer(summary=found.as_json(), text=words)

    def _draw(self, tiling: Tiling, words: str) -> None:
        view = tilings_as_view(words, [tiling], [""])
        self.messages.found += 1
        self.messages.waiting.pictures.append(sheet(view.title, view.entries()))
        self.messages.send_soon()
