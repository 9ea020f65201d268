"""The job that makes puzzles. It sends each of them as a puzzle file, with its facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import structs
from msgspec.structs import replace

from latcover.apps.web.answers import RunAnswer
from latcover.apps.web.job import Messages, Talk
from latcover.apps.web.messages import DesignFacts, RunProgress, SentDesign
from latcover.apps.web.subject import puzzle_of_subject
from latcover.apps.web.tasks import DesignTask
from latcover.core.cover.events import Events
from latcover.core.cover.search import Progress
from latcover.core.model.move_words import level_as_text, play_in_words
from latcover.core.model.puzzle import Puzzle
from latcover.core.model.turn_data import play_as_told
from latcover.errors import PuzzleError, counted
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.lab.designing.cut_designs import CutDesign
from latcover.lab.designing.cuts import Cutter, grower
from latcover.lab.designing.design_regions import find_regions
from latcover.lab.designing.design_requests import (
    CutRequest,
    DesignRegionsRequest,
    DesignSetsRequest,
    DifficultyRequest,
    GrowRequest,
)
from latcover.lab.designing.design_sets import find_sets
from latcover.lab.designing.designs import Design, DesignSummary
from latcover.lab.designing.difficulty import judge_difficulty
from latcover.lab.designing.region_names import region_of
from latcover.lab.designing.set_family import in_words
from latcover.system.decoding import decoded

LONGEST_TITLE = 120
MOST_BRANCHES = 1_000_000  # of the search that measures the difficulty of a puzzle


class SetsOfClient(DesignSetsRequest, frozen=True, kw_only=True):
    """A request of the page, and what else to measure of each design."""

    measure: Literal["level", "difficulty"] | None = None


class RegionsOfClient(DesignRegionsRequest, frozen=True, kw_only=True):
    """A request of the page, and what else to measure of each design."""

    measure: Literal["level", "difficulty"] | None = None


WAYS: dict[str, type[SetsOfClient] | type[RegionsOfClient] | type[CutRequest] | type[GrowRequest]] = {
    "sets": SetsOfClient,
    "regions": RegionsOfClient,
    "cut": CutRequest,
    "grow": GrowRequest,
}


def designed(task: DesignTask, talk: Talk) -> RunAnswer:
    """Make puzzles from the subject: "sets" of its parts, other "regions" for them, a "cut" of its region, or
    what "grow"s from a solution.
    """
    # The page sends null for a default.
    wanted = {name: value for name, value in task.wanted.items() if value is not None}
    request: Any = decoded(WAYS[task.way], wanted, "what is wanted")
    puzzle = puzzle_of_subject(task.subject, talk.settings.bounds())
    gallery = Gallery(talk)
    return (
        _cut(puzzle, request, gallery)
        if isinstance(request, CutRequest | GrowRequest)
        else _found(puzzle, request, gallery)
    )


class _Stoppable(Events):
    """Ends a search when the client stops the job."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk

    def on_progress(self, progress: Progress) -> bool:
        """False once the job is stopped."""
        return not self.talk.stopped


class Gallery(Messages):
    """Sends the designs, as many as the server keeps."""

    size: int = 0  # of all files, in characters

    def take(self, puzzle: Puzzle, facts: DesignFacts, *, hard: bool = False) -> None:
        """Send a puzzle with the facts of its card; *hard* adds its difficulty to them."""
        settings = self.talk.settings
        self.found += 1
        if self.kept < settings.designs and self.size < settings.output // 2:
            if hard:
                facts = replace(facts, difficulty=self._difficulty(puzzle))
            text = puzzle_as_toml([puzzle])
            self.kept += 1
            self.size += len(text)
            self.waiting.designs.append(SentDesign(facts, text))
        self.send_soon()

    def _difficulty(self, puzzle: Puzzle) -> float | None:
        request = DifficultyRequest(most_branches=MOST_BRANCHES, near=False)
        found = judge_difficulty(puzzle, request, _Stoppable(self.talk))
        return None if found.score is None else round(found.score, 2)

    def ended(self, summary: Mapping[str, object], lines: list[str]) -> RunAnswer:
        """The answer of the job."""
        self.flush()
        return RunAnswer(summary={**summary, "found": self.found, "kept": self.kept}, text="\n".join(lines))


# Sets of parts, and regions: candidates of which each has a number of solutions.


def _found(puzzle: Puzzle, request: SetsOfClient | RegionsOfClient, gallery: Gallery) -> RunAnswer:
    gallery.talk.stage("looking at the puzzle")
    if request.measure == "level":
        request = structs.replace(request, sort="level")
    events = _DesignEvents(puzzle, request, gallery)
    if isinstance(request, DesignSetsRequest):
        summary = find_sets(puzzle, request, events).summary
    else:
        summary = find_regions(puzzle, request, events).summary
    return gallery.ended(summary.as_json(), _in_words(summary))


class _DesignEvents(Events):
    """Sends designs and the progress of the search."""

    def __init__(self, puzzle: Puzzle, request: SetsOfClient | RegionsOfClient, gallery: Gallery) -> None:
        self.puzzle, self.request, self.gallery = puzzle, request, gallery
        self.summary: DesignSummary | None = None

    def on_stage(self, stage: str, subject: Any = None) -> None:
        """The search begins."""
        self.summary = subject
        self.gallery.talk.stage(stage)

    def on_design(self, design: Design) -> None:
        """Send a design as a puzzle of its own."""
        number = self.gallery.found + 1
        words = in_words(design.parts) if design.region is None else _of_region(design)
        title = f"{self.puzzle.name}: {words}"
        if len(title) > LONGEST_TITLE:
            title = f"{self.puzzle.name}: set {number}"
        named = design.as_puzzle(f"{self.puzzle.name} {number}", self.request.symmetry)
        hard = self.request.measure == "difficulty"
        shown = replace(named, title=title)
        self.gallery.take(shown, _facts(shown, design, words), hard=hard)

    def on_progress(self, progress: Progress) -> bool:
        """Send the progress."""
        told = RunProgress(share=progress.share, seconds=round(progress.seconds, 3))
        if (now := self.summary) is not None:
            told = replace(told, searched=now.searched, candidates=now.candidates, looked=now.counted, sets=now.sets)
            if not now.counted:
                told = replace(told, covers=progress.covers)
            elif now.of == "regions" and now.candidates:
                told = replace(told, share=now.counted / now.candidates)
        return self.gallery.report(told)


def _of_region(design: Design) -> str:
    """The size of a region's box."""
    cells = design.puzzle.region.cells[:, 1:]
    spans = sorted((cells.max(axis=0) - cells.min(axis=0) + 1).tolist(), reverse=True)
    return f"{counted(len(cells), 'cell')} within {' by '.join(map(str, spans))}"


def _facts(puzzle: Puzzle, design: Design, words: str) -> DesignFacts:
    images, notes = design.candidate.images, []
    if design.total is not None and design.total != design.solutions:
        notes.append(f"{counted(design.total, 'solution')} if images count by themselves")
    if images > 1:
        notes.append("its mirror image is another set" if images == 2 else f"{images} sets are images of this one")
    if design.assemblable is not None:
        notes.append(f"{counted(design.assemblable, 'solution')} can be taken apart")
    if design.branches is not None:
        notes.append(f"solved in {counted(design.branches, 'branch')}")
    if design.verified:
        notes.append(f"counted again by {design.verified}")
    return DesignFacts(
        name=puzzle.name,
        title=puzzle.title,
        words=words,
        parts=list(design.parts.items()),
        solutions=design.solutions,
        exact=design.exact,
        level=None if design.level is None else list(design.level),
        notes=notes,
    )


def _in_words(summary: DesignSummary) -> list[str]:
    noun = summary.of.removesuffix("s")
    unique = "" if summary.unique is None else f", {summary.unique:,} of them exactly one"
    so_far = "" if summary.complete else " so far"
    lines = [f"{counted(summary.sets, noun)} with a solution{so_far}{unique}."]
    fit = f"{counted(summary.candidates, noun)} fit by volume" if summary.of == "sets" else "regions of this size"
    if summary.of == "regions" and summary.candidates:
        fit = f"there are {counted(summary.candidates, noun)} of this size"
    if summary.complete:
        lines.append(f"Complete: {fit}, and every one was checked.")
    elif summary.searched == "exhaustively" and summary.of == "sets":
        lines.append(f"Cut short: {fit}, and how many solutions each has is only known at the end.")
        lines.append("Give it more time, or try sets picked at random.")
    elif summary.searched == "exhaustively":
        lines.append(f"Cut short: {fit}, and {summary.counted:,} of them were checked.")
    else:
        drawn = f"{summary.counted:,} were checked, picked at random with seed {summary.seed}"
        lines.append(f"Searched {summary.searched}: {fit}; {drawn}. There may be others.")
    if summary.given_up:
        lines.append(f"Given up after too many branches or positions: {counted(summary.given_up, noun)}.")
    return lines


# Cuts of a region, and those that grow from a solution.


def _cut(puzzle: Puzzle, request: CutRequest | GrowRequest, gallery: Gallery) -> RunAnswer:
    """Cut the region of *puzzle* into parts with one solution; its own parts matter only if a solution grows."""
    most = gallery.talk.settings.designs
    if (request.limit or 0) > most:
        raise PuzzleError(f"'limit' must be a whole number from 1 to {most:,}, or left out")
    gallery.talk.stage("looking at the region")
    events = _CutEvents(gallery)
    if isinstance(request, GrowRequest):
        cutter = grower(puzzle, puzzle.name, structs.replace(request, keep=most), events)
        gallery.talk.stage("improving the parts")
    else:
        cutter = Cutter(region_of(puzzle), structs.replace(request, keep=most))
        gallery.talk.stage("cutting at random, and improving the cuts")
    search = cutter.search(events)
    limit, seed = request.limit, request.seed
    summary = {
        "puzzle": puzzle.name,
        "searched": "by climbing",
        "seed": seed,
        "walks": search.walks,
        "counted": search.candidates,
        "complete": False,  # nobody knows of how many cuts
        "stop": "enough designs" if limit is not None and gallery.found >= limit else "cancelled",
    }
    looked = f"{counted(search.candidates, 'cut')} in {counted(search.walks, 'walk')} were checked, with seed {seed}"
    kinds = f"{counted(gallery.found, 'puzzle')} of {cutter.region.n_parts} parts"
    lines = [
        f"{kinds} with exactly one solution{events.turned()}.",
        f"Searched at random: {looked}. There may be others.",
    ]
    if search.start:
        lines.insert(1, f"The solution that they grew from has level {level_as_text(search.start)}.")
    return gallery.ended(summary, lines)


class _CutEvents(Events):
    """Sends cuts and the progress of the search."""

    def __init__(self, gallery: Gallery) -> None:
        self.gallery = gallery
        self.most_turns = 0  # of a cut

    def turned(self) -> str:
        """The most turns of a cut in words; empty if none has a turn."""
        return f", with up to {counted(self.most_turns, 'turn')}" if self.most_turns else ""

    def on_design(self, design: CutDesign) -> None:
        """Send a cut."""
        self.most_turns = max(self.most_turns, design.turns)
        self.gallery.take(design.puzzle, _facts_of_cut(design))

    def on_progress(self, progress: Progress) -> bool:
        """Send the progress."""
        return self.gallery.report(
            RunProgress(
                seconds=round(progress.seconds, 3),
                walks=progress.covers,
                looked=progress.branches,
                turns=self.most_turns,
            )
        )


def _facts_of_cut(design: CutDesign) -> DesignFacts:
    sizes, level = design.sizes, design.level
    of = counted(sizes[0], "cell") if sizes[0] == sizes[-1] else f"{sizes[0]} to {sizes[-1]} cells"
    notes = [f"cells of the parts: {' '.join(map(str, sizes))}"]
    if design.one_order:
        notes.append("it comes apart in one order")
    if design.holes:
        notes.append(f"{counted(design.holes, 'cell')} inside left empty")
    notes.append("counted by two backends")
    badges = [counted(design.moves, "move")] if len(level) > 1 else []
    badges += [counted(design.turns, "turn")] if design.turns else []
    play = design.needed_play
    badges += [] if play is None else [play_in_words(play)]
    return DesignFacts(
        name=design.puzzle.name,
        title=design.puzzle.title,
        words=f"{len(sizes)} parts of {of}",
        parts=[(part.name, part.low) for part in design.puzzle.parts],
        solutions=1,
        exact=True,
        difficulty=None if design.difficulty.score is None else round(design.difficulty.score, 2),
        level=list(level) or None,
        badges=badges,
        notes=notes,
        needed_play=None if play is None else play_as_told(play),
    )
