"""The job that makes puzzles. It sends each that it finds as a puzzle file, with what is known of it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from latcover.cover.search import Progress
from latcover.designing.cuts import PATIENCE, Cutter, CutWishes, Kind
from latcover.designing.cuts import Design as Cut
from latcover.designing.design import Means
from latcover.designing.design import design as design_sets
from latcover.designing.family import in_words, puzzle_of
from latcover.designing.region_names import region_of
from latcover.designing.wanted import Design, Looking, Summary, Wanted
from latcover.encoding.prepared import Choices
from latcover.errors import PuzzleError, counted
from latcover.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.model.puzzle import Puzzle
from latcover.web.job import Job, Talk, asked_subject
from latcover.web.subject import puzzle_of as puzzle_of_subject

BETWEEN_MESSAGES = 0.2  # seconds
MOST = 1_000_000_000  # what a whole number in a request may be
LONGEST_TITLE = 120


def designed(job: Job, talk: Talk) -> dict[str, Any]:
    """Make puzzles of the subject's in one of the `WAYS`.

    Returns:
        ``summary``: what came of it, ``complete`` and ``stop`` among it; ``text``: the same in words.
    """
    way, asked = job.get("way", "sets"), Asked.of(job.get("wanted"))
    if way not in WAYS:
        raise PuzzleError(f"puzzles can be made in these ways: {', '.join(WAYS)}; not {str(way)[:40]!r}")
    puzzle = puzzle_of_subject(asked_subject(job), talk.settings.bounds())
    return WAYS[way](puzzle, asked, Gallery(talk))


@dataclass(slots=True)
class Asked:
    """The options of a request: each is checked when it is taken, and `end` refuses those that nobody took."""

    data: Mapping[str, Any]
    _known: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, data: object) -> Asked:
        """The options in plain data; None is none."""
        if data is None:
            return cls({})
        if not isinstance(data, dict):
            raise PuzzleError("what is wanted of a design must be an object of names and values")
        return cls(data)

    def take(self, name: str) -> Any:
        """An option as it is."""
        self._known.append(name)
        return self.data.get(name)

    def whole(self, name: str, least: int, most: int = MOST) -> int | None:
        """A whole number, or None."""
        value = self.take(name)
        if value is not None and not (type(value) is int and least <= value <= most):
            raise PuzzleError(f"{name!r} must be a whole number from {least:,} to {most:,}, or left out")
        return value

    def seed(self) -> int:
        """What is drawn by chance depends on it."""
        seed = self.whole("seed", 0)
        return 1 if seed is None else seed

    def flag(self, name: str) -> bool:
        """Yes or no; no where it is left out."""
        value = self.take(name)
        if value is not None and type(value) is not bool:
            raise PuzzleError(f"{name!r} must be true or false, or left out")
        return bool(value)

    def word(self, name: str, known: tuple[str, ...]) -> str | None:
        """One of several words, or None."""
        value = self.take(name)
        if value is not None and value not in known:
            raise PuzzleError(f"{name!r} must be one of {', '.join(known)}, or left out")
        return value

    def numbers(self, name: str, what: str) -> tuple[int, ...]:
        """Whole numbers in a text such as "5.2" or "4 4 5"; none where it is left out."""
        value = self.take(name)
        if value is None or value == "":
            return ()
        words = re.split(r"[\s.,]+", value.strip()) if isinstance(value, str) and len(value) < 1000 else ["?"]
        if not all(re.fullmatch("[0-9]{1,6}", word) for word in words):
            raise PuzzleError(f"{name!r} must be {what}, or left out")
        return tuple(map(int, words))

    def end(self) -> None:
        """Refuse what is not known."""
        unknown = sorted(set(self.data) - set(self._known))
        if unknown:
            known = ", ".join(self._known)
            raise PuzzleError(f"{str(unknown[0])[:40]!r} is nothing that can be wanted here; known: {known}")


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

    def take(self, facts: dict[str, Any], puzzle: Puzzle) -> None:
        """Another puzzle, and what is known of it."""
        settings = self.talk.settings
        self.found += 1
        if self.kept < settings.designs and self._size < settings.output // 2:
            text = puzzle_as_toml([puzzle])
            self.kept += 1
            self._size += len(text)
            self._waiting.append({"facts": {"name": puzzle.name, "title": puzzle.title, **facts}, "toml": text})
        self._send_soon()

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


# Sets of a family.


def _sets(puzzle: Puzzle, asked: Asked, gallery: Gallery) -> dict[str, Any]:
    wanted = Wanted(
        asked.whole("at_least", 1) or 1,
        asked.whole("at_most", 1),
        asked.word("extreme", ("fewest", "most")),  # type: ignore[arg-type]
        asked.numbers("min_level", "a level such as 5 or 5.2"),
        asked.word("sort", ("level", "branches")),  # type: ignore[arg-type]
    )
    looking = Looking(
        asked.word("search", ("auto", "all", "sample", "climb")) or "auto",  # type: ignore[arg-type]
        asked.seed(),
        asked.whole("samples", 1),
        asked.whole("branches", 1),
    )
    choices = Choices(symmetry=asked.word("symmetry", ("all", "rotations", "none")) or "all")  # type: ignore[arg-type]
    both_hands = asked.flag("both_hands")
    asked.end()
    live: list[Summary] = []

    def on_progress(progress: Progress) -> bool:
        told = {"share": progress.share, "covers": progress.covers, "seconds": round(progress.seconds, 3)}
        if live:
            now = live[0]
            told |= {"searched": now.searched, "candidates": now.candidates, "looked": now.counted, "sets": now.sets}
        return gallery.report(**told)

    def on_design(made: Design) -> None:
        words = in_words(made.parts)
        title = f"{puzzle.name}: {words}"
        if len(title) > LONGEST_TITLE:
            title = f"{puzzle.name}: set {gallery.found + 1}"
        named = puzzle_of(puzzle, made.copies, f"{puzzle.name} {gallery.found + 1}", title)
        gallery.take(_facts_of_set(made), made.as_puzzle(named))

    gallery.stage("placing the parts")
    found = design_sets(
        puzzle,
        wanted,
        looking,
        choices=choices,
        both_hands=both_hands,
        means=Means(),
        on_begin=lambda summary: (live.append(summary), gallery.stage(f"searching {summary.searched}")),
        on_design=on_design,
        on_progress=on_progress,
    )
    return gallery.ended({"way": "sets", **found.summary.as_json()}, _sets_in_words(found.summary))


def _facts_of_set(made: Design) -> dict[str, Any]:
    notes = []
    if made.total is not None and made.total != made.solutions:
        notes.append(f"{counted(made.total, 'solution')} with rotations and reflections")
    if made.images > 1:
        notes.append("its mirror image is another set" if made.images == 2 else f"one of {made.images} images")
    if made.assemblable is not None:
        notes.append(f"{counted(made.assemblable, 'solution')} can be taken apart")
    if made.verified:
        notes.append(f"counted again by {made.verified}")
    return {
        "words": in_words(made.parts),
        "parts": list(made.parts.items()),
        "solutions": made.solutions,
        "exact": made.exact,
        "level": None if made.level is None else list(made.level),
        "branches": made.branches,
        "notes": notes,
    }


def _sets_in_words(summary: Summary) -> list[str]:
    unique = "" if summary.unique is None else f", {summary.unique:,} of them exactly one"
    so_far = "" if summary.complete else " so far"
    lines = [f"{counted(summary.sets, 'set')} with a solution{so_far}{unique}."]
    fit = f"{counted(summary.candidates, 'set')} fit by volume"
    if summary.complete:
        lines.append(f"Complete: {fit}, and every one was looked at.")
    elif summary.searched == "exhaustively":
        lines.append(f"Cut short: {fit}, and not all of their solutions were found. Sets have no numbers before that.")
        lines.append("Give it more time, or let it draw sets by chance.")
    else:
        lines.append(f"Searched {summary.searched}: {summary.counted:,} sets were looked at; {fit}, so there may be more.")
    if summary.given_up:
        lines.append(f"Given up after too many branches: {counted(summary.given_up, 'set')}.")
    return [*lines, *summary.notes]


# Cuts of a region.


def _cut(puzzle: Puzzle, asked: Asked, gallery: Gallery) -> dict[str, Any]:
    lattice, cells = region_of(puzzle)
    kinds: tuple[Kind, ...] = ("rod", "flat")
    forbidden = frozenset(kind for kind, name in zip(kinds, ("no_rods", "no_flat"), strict=True) if asked.flag(name))
    sizes, between = _sizes(asked)
    wishes = CutWishes(
        asked.whole("parts", 2, len(cells)) or max(2, min(12, round(len(cells) / 5))),
        sizes,
        between,
        forbid=forbidden,
        holes=asked.whole("holes", 0) or 0,
        min_level=asked.whole("min_level", 0) or 0,
        **{name: asked.flag(name) for name in ("different", "no_mirrors", "asymmetric", "one_order", "hard")},
    )
    seed, limit = asked.seed(), asked.whole("limit", 1, gallery.talk.settings.designs)
    patience = asked.whole("patience", 1, 1_000_000) or PATIENCE
    asked.end()
    gallery.stage("looking at the region")
    cutter = Cutter(lattice, cells, wishes, puzzle.name)
    gallery.stage("cutting by chance, and changing cuts for the better")
    outcome = cutter.search(
        seed=seed,
        limit=limit,
        keep=gallery.talk.settings.designs,
        patience=patience,
        on_design=lambda made: gallery.take(_facts_of_cut(made), made.puzzle),
        on_progress=lambda progress: gallery.report(
            walks=progress.walks, looked=progress.candidates, seconds=round(progress.seconds, 3)
        ),
    )
    enough = limit is not None and gallery.found >= limit
    summary = {
        "way": "cut",
        "puzzle": puzzle.name,
        "searched": "by climbing",
        "seed": seed,
        "walks": outcome.walks,
        "counted": outcome.candidates,
        "complete": False,
        "stop": "enough designs" if enough else "cancelled",
    }
    lines = [f"{counted(gallery.found, 'puzzle')} of {wishes.n_parts} parts, each with one solution."]
    looked = f"{counted(outcome.candidates, 'cut')} looked at in {counted(outcome.walks, 'walk')}, with seed {seed}"
    lines.append(f"Searched by chance: {looked}. There may be others.")
    return gallery.ended(summary, lines)


def _sizes(asked: Asked) -> tuple[tuple[int, ...] | None, tuple[int, int] | None]:
    """All sizes of parts, or the least and the greatest."""
    text = asked.data.get("sizes")
    if isinstance(text, str) and (bounds := re.fullmatch(r"\s*([0-9]{1,6})\s*[-–]\s*([0-9]{1,6})\s*", text)):
        asked.take("sizes")
        return None, (int(bounds[1]), int(bounds[2]))
    return asked.numbers("sizes", "numbers of cells such as 4-6, or one for each part, as 4 4 5 6") or None, None


def _facts_of_cut(made: Cut) -> dict[str, Any]:
    told = made.as_json()
    sizes = told["sizes"]
    return {
        "words": f"{len(sizes)} parts of {sizes[0]} to {sizes[-1]} cells" if sizes[0] < sizes[-1] else f"{len(sizes)} parts of {counted(sizes[0], 'cell')}",
        "solutions": told["different"],
        "exact": True,
        "level": told["level"] or None,
        "branches": told["branches"],
        "badges": [counted(told["moves"], "move")] if told["moves"] else [],
        "notes": [
            f"cells of the parts: {' '.join(map(str, sizes))}",
            *(["comes apart in one order"] if told["one_order"] else []),
            *([counted(told["holes"], "cell") + " inside left empty"] if told["holes"] else []),
            "counted by two methods",
            f"seed {told['seed']}, walk {told['walk']}",
        ],
    }


WAYS: dict[str, Callable[[Puzzle, Asked, Gallery], dict[str, Any]]] = {"sets": _sets, "cut": _cut}
