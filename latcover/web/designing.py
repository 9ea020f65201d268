"""The job that makes puzzles. It sends each that it finds as a puzzle file, with what is known of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from latcover.cover.search import Progress
from latcover.designing.design import design as design_sets
from latcover.designing.designer import Means
from latcover.designing.difficulty import difficulty
from latcover.designing.family import in_words
from latcover.designing.targets import design_regions
from latcover.designing.wanted import Design, Looking, Summary, Wanted
from latcover.encoding.prepared import Choices
from latcover.errors import PuzzleError, counted
from latcover.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.model.puzzle import Puzzle
from latcover.web.asked import Asked
from latcover.web.job import Job, Talk, asked_subject
from latcover.web.subject import puzzle_of

BETWEEN_MESSAGES = 0.2  # seconds
LONGEST_TITLE = 120
MOST_BRANCHES = 1_000_000  # of a search that tells how hard a puzzle is


def designed(job: Job, talk: Talk) -> dict[str, Any]:
    """Make puzzles of the subject's in one of the ways: "sets" of its parts, "regions", "cut" its region.

    Returns:
        ``summary``: what came of it; ``text``: the same in words.
    """
    from latcover.web.cutting import cut

    ways: dict[str, Callable[[Puzzle, Asked, Gallery], dict[str, Any]]] = {
        "sets": partial(_counted_each, design_sets),
        "regions": partial(_counted_each, design_regions),
        "cut": cut,
    }
    way, asked = job.get("way"), Asked.of(job.get("wanted"))
    if not isinstance(way, str) or way not in ways:
        raise PuzzleError(f"the way to make puzzles must be one of {', '.join(ways)}")
    puzzle = puzzle_of(asked_subject(job), talk.settings.bounds())
    return ways[way](puzzle, asked, Gallery(talk))


class Gallery:
    """Sends what is found in messages, as far as the server keeps it."""

    def __init__(self, talk: Talk) -> None:
        self.talk, self.found, self.kept = talk, 0, 0
        self._size, self._sent = 0, 0.0
        self._waiting: list[dict[str, Any]] = []
        self._told: dict[str, Any] = {}

    def stage(self, words: str) -> None:
        """Say what is done now."""
        self.talk.send({"event": "stage", "stage": words})

    def take(self, puzzle: Puzzle, facts: dict[str, Any], *, hard: bool = False) -> None:
        """Another puzzle with what is known of it, words for its card among it; *hard* finds out how hard it is."""
        settings = self.talk.settings
        self.found += 1
        if self.kept < settings.designs and self._size < settings.output // 2:
            if hard:
                facts["difficulty"] = self._difficulty(puzzle)
            text = puzzle_as_toml([puzzle])
            self.kept += 1
            self._size += len(text)
            self._waiting.append({"facts": {"name": puzzle.name, "title": puzzle.title, **facts}, "toml": text})
        self._send_soon()

    def _difficulty(self, puzzle: Puzzle) -> float | None:
        of = difficulty(puzzle, most_branches=MOST_BRANCHES, near=False, on_progress=lambda _: not self.talk.stopped)
        return None if of.score is None else round(of.score, 2)

    def report(self, **told: Any) -> bool:
        """Tell how far the search is; False if it is to stop."""
        self._told = told
        self._send_soon()
        return not self.talk.stopped

    def _send_soon(self) -> None:
        if time.monotonic() - self._sent >= BETWEEN_MESSAGES:
            self.flush()

    def flush(self) -> None:
        """Send what waits."""
        message: dict[str, Any] = {"event": "progress", "found": self.found, "progress": self._told}
        if self._waiting:
            message["designs"] = self._waiting
        self.talk.send(message)
        self._waiting, self._sent = [], time.monotonic()

    def ended(self, summary: dict[str, Any], lines: list[str]) -> dict[str, Any]:
        """The answer of the job."""
        self.flush()
        return {"summary": {**summary, "found": self.found, "kept": self.kept}, "text": "\n".join(lines)}


# Sets of parts, and regions: candidates of which each has a number of solutions.


def _counted_each(find: Callable[..., Any], puzzle: Puzzle, asked: Asked, gallery: Gallery) -> dict[str, Any]:
    regions = find is design_regions
    measure = asked.word("measure", ("level", "difficulty"))
    wanted = Wanted(
        asked.whole("at_least", 1) or 1,
        asked.whole("at_most", 1),
        asked.word("extreme", ("fewest", "most")),
        asked.numbers("min_level", "a level such as 5 or 5.2"),
        "level" if measure == "level" else None,
        both_hands=not regions and asked.flag("both_hands"),
        symmetric=(asked.whole("symmetric", 1, 1000) or 1) if regions else 1,
    )
    ways = ("auto", "all", "sample") if regions else ("auto", "all", "sample", "climb")
    looking = Looking(
        asked.word("search", ways) or "auto", asked.seed(), asked.whole("samples", 1), asked.whole("branches", 1)
    )
    choices = Choices(symmetry=asked.word("symmetry", ("all", "rotations", "none")) or "all")
    asked.end()
    live: list[Summary] = []

    def on_begin(summary: Summary) -> None:
        live.append(summary)
        gallery.stage(f"searching {summary.searched}")

    def on_progress(progress: Progress) -> bool:
        told: dict[str, Any] = {"share": progress.share, "seconds": round(progress.seconds, 3)}
        if live:
            now = live[0]
            told |= {"searched": now.searched, "candidates": now.candidates, "looked": now.counted, "sets": now.sets}
            if not now.counted:
                told["covers"] = progress.covers
            elif regions and now.candidates:
                told["share"] = now.counted / now.candidates
        return gallery.report(**told)

    def on_design(made: Design) -> None:
        number = gallery.found + 1
        words = _of_region(made) if regions else in_words(made.parts)
        title = f"{puzzle.name}: {words}"
        if len(title) > LONGEST_TITLE:
            title = f"{puzzle.name}: set {number}"
        named = made.as_puzzle(f"{puzzle.name} {number}", choices.symmetry)
        gallery.take(replace(named, title=title), _facts(made, words), hard=measure == "difficulty")

    gallery.stage("looking at the puzzle")
    means = Means(choices=choices, on_begin=on_begin, on_design=on_design, on_progress=on_progress)
    found = find(puzzle, wanted=wanted, looking=looking, means=means)
    return gallery.ended(found.summary.as_json(), _in_words(found.summary))


def _of_region(made: Design) -> str:
    """The size of a region's box."""
    cells = made.puzzle.region.cells[:, 1:]
    spans = sorted((cells.max(axis=0) - cells.min(axis=0) + 1).tolist(), reverse=True)
    return f"{counted(len(cells), 'cell')} within {' by '.join(map(str, spans))}"


def _facts(made: Design, words: str) -> dict[str, Any]:
    images, notes = made.candidate.images, []
    if made.total is not None and made.total != made.solutions:
        notes.append(f"{counted(made.total, 'solution')} if images count by themselves")
    if images > 1:
        notes.append("its mirror image is another set" if images == 2 else f"{images} sets are images of this one")
    if made.assemblable is not None:
        notes.append(f"{counted(made.assemblable, 'solution')} can be taken apart")
    if made.branches is not None:
        notes.append(f"solved in {counted(made.branches, 'branch')}")
    if made.verified:
        notes.append(f"counted again by {made.verified}")
    return {
        "words": words,
        "parts": list(made.parts.items()),
        "solutions": made.solutions,
        "exact": made.exact,
        "level": None if made.level is None else list(made.level),
        "notes": notes,
    }


def _in_words(summary: Summary) -> list[str]:
    noun = summary.of.removesuffix("s")
    unique = "" if summary.unique is None else f", {summary.unique:,} of them exactly one"
    so_far = "" if summary.complete else " so far"
    lines = [f"{counted(summary.sets, noun)} with a solution{so_far}{unique}."]
    fit = f"{counted(summary.candidates, noun)} fit by volume" if summary.of == "sets" else "regions of this size"
    if summary.of == "regions" and summary.candidates:
        fit = f"there are {counted(summary.candidates, noun)} of this size"
    if summary.complete:
        lines.append(f"Complete: {fit}, and every one was looked at.")
    elif summary.searched == "exhaustively" and summary.of == "sets":
        lines.append(f"Cut short: {fit}, and how many solutions each has is known at the end only.")
        lines.append("Give it more time, or look at sets drawn by chance.")
    elif summary.searched == "exhaustively":
        lines.append(f"Cut short: {fit}, and {summary.counted:,} of them were looked at.")
    else:
        drawn = f"{summary.counted:,} were looked at, drawn with seed {summary.seed}"
        lines.append(f"Searched {summary.searched}: {fit}; {drawn}. There may be others.")
    if summary.given_up:
        lines.append(f"Given up after too many branches or positions: {counted(summary.given_up, noun)}.")
    return lines
