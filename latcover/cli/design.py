"""The command `design`: sets of parts that cover a region, regions that parts cover, and cuts of a region."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from latcover.cli.assemble import AssemblyOptions
from latcover.cli.cuts import CutOptions, cut_region, require_cut_options, resume_cut
from latcover.cli.design_options import HowName, LookingOptions, RankName, TargetOptions, WantedOptions
from latcover.cli.options import (
    DEFAULT_BACKEND,
    AsJson,
    BackendName,
    InputOptions,
    PuzzleName,
    SearchOptions,
    SymmetryName,
    TalkOptions,
    WatchOptions,
    expanded,
)
from latcover.cli.progress import Watcher, watched, watcher
from latcover.cli.support import (
    EXIT_LIMIT,
    echo,
    folder_for,
    from_anywhere,
    load_puzzle,
    make_backend,
    only_one,
    require_writable,
    write_new_file,
)
from latcover.errors import RunFileError, UnsupportedError, counted, escaped
from latcover.system.files import plain_name

if TYPE_CHECKING:
    from latcover.designing.designer import Designs, Means
    from latcover.designing.ledger import Ledger
    from latcover.designing.wanted import Design, Looking, Wanted
    from latcover.model.puzzle import Bounds, Puzzle


@expanded
def design(
    puzzle: PuzzleName = None,
    *,
    asked: WantedOptions,
    looking: LookingOptions,
    target: TargetOptions,
    cutting: CutOptions,
    assembly: AssemblyOptions,
    backend: BackendName = DEFAULT_BACKEND,
    limits: SearchOptions,
    as_json: AsJson = False,
    given: InputOptions,
    watch: WatchOptions,
    talk: TalkOptions,
) -> None:
    """Make puzzles: find the sets of parts that cover a region, the regions that parts cover, or cuts of a region."""
    only_one({"--regions": target.regions is not None, "--cut": cutting.cut is not None})
    if cutting.cut is not None:
        others = (target, TargetOptions()), (assembly, AssemblyOptions()), (backend, DEFAULT_BACKEND)
        require_cut_options((asked, looking, limits), all(one == default for one, default in others))
        cut_region(puzzle, cutting, (asked, looking, limits), (given, watch, talk), as_json=as_json)
        return
    cutting.require_unused()
    question = Question(asked, looking, target, assembly, backend, limits, given.bounds())
    question.check(talk)
    loaded = load_puzzle(puzzle, given, talk)
    if looking.run is None:
        answer(loaded, question, None, (watch, talk), as_json=as_json)
        return
    from latcover.formats.library import DEFAULT_PUZZLE
    from latcover.runs.designing import open_design
    from latcover.runs.recipe import stored_file

    require_writable(looking.run, reads=puzzle)
    file, about = stored_file(puzzle or DEFAULT_PUZZLE), question.as_json()
    with open_design(looking.run, loaded.name, file, about, question.digest(loaded)) as ledger:
        answer(loaded, question, ledger, (watch, talk), as_json=as_json)


def resume_design(path: Path, limits: SearchOptions, watch: WatchOptions, talk: TalkOptions, *, as_json: bool) -> None:
    """Go on with the design of a file; *limits* has the time, the threads and the number of designs."""
    from latcover.runs.designing import DesignFile
    from latcover.runs.recipe import Recipe

    with DesignFile(path) as ledger:
        if "cut" in ledger.question:
            resume_cut(ledger, limits, watch, talk, as_json=as_json)
            return
        question = Question.of(ledger.question, path, limits)
        question.check(talk)
        loaded: Any = Recipe("count", ledger.puzzle, ledger.file).subject()
        if question.digest(loaded) != ledger.digest:
            raise RunFileError(
                f"{path}: holds a design of another puzzle: its file, a part set or a lattice that it uses has changed "
                "since, or latcover itself; begin anew in another file"
            )
        answer(loaded, question, ledger, (watch, talk), as_json=as_json)


def design_state(path: Path, *, as_json: bool) -> str:
    """How far the design of a file is."""
    from latcover.runs.designing import DesignFile

    with DesignFile(path) as ledger:
        state = {"file": str(path), "task": "design", "puzzle": ledger.puzzle, "created": ledger.created}
        state["results"] = len(ledger)
    if as_json:
        return json.dumps(state)
    return (
        f"{path}: a design of {state['puzzle']}, begun {state['created']}: {counted(state['results'], 'result')} kept; "
        f"`latcover resume {path}` goes on"
    )


@dataclass(frozen=True)
class Question:
    """What the command is asked, apart from the puzzle."""

    asked: WantedOptions
    looking: LookingOptions
    target: TargetOptions
    assembly: AssemblyOptions
    backend: str
    limits: SearchOptions
    bounds: Bounds | None = None

    def check(self, talk: TalkOptions) -> None:
        """Refuse options that do not go together, before anything that takes long.

        Raises:
            UnsupportedError: --symmetric without --regions.
        """
        self.wanted()
        if self.target.regions is None and self.target.symmetric > 1:
            raise UnsupportedError("--symmetric is about regions; give --regions too")
        make_backend(self.backend, self.limits, talk)
        folder_for(self.asked.output)

    def wanted(self) -> Wanted:
        """What is wanted."""
        return replace(self.asked.wanted(), symmetric=self.target.symmetric)

    def how(self) -> Looking:
        """How to look for it."""
        from latcover.designing.wanted import Looking

        looking = self.looking
        return Looking(looking.search.value, looking.seed, looking.samples, self.limits.max_branches)

    def means(self, talk: TalkOptions) -> Means:
        """What may be used."""
        from latcover.cover.search import Limits
        from latcover.designing.designer import Means
        from latcover.encoding.prepared import Choices

        return Means(
            make_backend(self.backend, self.limits, talk),
            Limits(self.limits.limit, None, self.limits.time),
            self.limits.threads,
            self.looking.memory * 1_000_000,
            self.assembly.states,
            self.assembly.in_plane,
            Choices(symmetry=self.asked.symmetry.value),
            self.bounds,
        )

    def digest(self, puzzle: Puzzle) -> str:
        """What results in a file depend on."""
        from latcover.encoding.prepared import Choices, prepare
        from latcover.runs.designing import digest_of_design

        prepared = prepare(puzzle, Choices(symmetry=self.asked.symmetry.value))
        return digest_of_design(prepared, self.limits.max_branches)

    def as_json(self) -> dict[str, Any]:
        """The options that a run keeps; time and threads belong to each session."""
        folder, regions = self.asked.output, self.target.regions
        if regions is not None and not (regions.isascii() and regions.isdigit()):
            regions = from_anywhere(regions)
        kept = {
            "asked": asdict(replace(self.asked, output=None if folder is None else folder.resolve())),
            "looking": asdict(replace(self.looking, run=None)),
            "target": asdict(replace(self.target, regions=regions)),
            "assembly": asdict(self.assembly),
            "backend": self.backend,
            "limits": asdict(replace(self.limits, time=None, threads=None)),
        }
        found: dict[str, Any] = json.loads(json.dumps(kept, default=str))
        return found

    @classmethod
    def of(cls, kept: dict[str, Any], path: Path, session: SearchOptions) -> Question:
        """What `as_json` gave, with the limits of this session.

        Raises:
            RunFileError: it is something else.
        """
        try:
            asked, looking = dict(kept["asked"]), dict(kept["looking"])
            asked["symmetry"] = SymmetryName(asked["symmetry"])
            asked["sort"] = None if asked["sort"] is None else RankName(asked["sort"])
            asked["output"] = None if asked["output"] is None else Path(asked["output"])
            looking["search"] = HowName(looking["search"])
            limits = replace(SearchOptions(**kept["limits"]), time=session.time, threads=session.threads)
            if session.limit is not None:
                limits = replace(limits, limit=session.limit)
            return cls(
                WantedOptions(**asked),
                LookingOptions(**{**looking, "run": path}),
                TargetOptions(**kept["target"]),
                AssemblyOptions(**kept["assembly"]),
                str(kept["backend"]),
                limits,
            )
        except (KeyError, TypeError, ValueError):
            raise RunFileError(f"{path}: does not tell what was asked; begin anew in another file") from None


def answer(
    puzzle: Puzzle,
    question: Question,
    ledger: Ledger | None,
    talking: tuple[WatchOptions, TalkOptions],
    *,
    as_json: bool,
) -> None:
    """Find what is asked for, and show it."""
    from latcover.cover.search import Progress
    from latcover.reporting.designs import design_as_line, region_as_line, summary_as_text

    watch, talk = talking
    shown = watcher(talk, watch)
    with watched(shown) as watching:
        line = design_as_line if question.target.regions is None else region_as_line
        writer = _Writer(puzzle.name, question.asked, shown, line, as_json=as_json)
        means = replace(question.means(talk), ledger=ledger, on_design=writer.show, on_progress=watching.on_progress)
        summary = found_by(puzzle, question, means).summary
        shown.end(Progress(1.0 if summary.complete else None, None, summary.sets, summary.seconds))
    echo(json.dumps({"summary": summary.as_json()}) if as_json else summary_as_text(summary))
    if not summary.complete:
        raise typer.Exit(EXIT_LIMIT)


def found_by(puzzle: Puzzle, question: Question, means: Means) -> Designs:
    """Find sets of parts, or regions."""
    from latcover.designing.design import design as design_of
    from latcover.designing.targets import design_regions

    wanted, looking = question.wanted(), question.how()
    if question.target.regions is None:
        return design_of(puzzle, wanted, looking, means)
    return design_regions(puzzle, question.target.listed(puzzle), wanted, looking, means)


class _Writer:
    """Shows designs, and writes their puzzle files."""

    def __init__(
        self, name: str, asked: WantedOptions, shown: Watcher, line: Callable[[Design], str], *, as_json: bool
    ) -> None:
        self._name, self._folder, self._symmetry = name, asked.output, asked.symmetry.value
        self._shown, self._line, self._as_json = shown, line, as_json
        self._number = 0

    def show(self, made: Design) -> None:
        self._number += 1
        data, line = made.as_json(), self._line(made)
        if self._folder is not None:
            path = self._folder / f"{plain_name(self._name, 'design')}-{self._number}.toml"
            path = write_new_file(path, self._file(made).rstrip("\n"), None)
            data["file"] = str(path)
            line += f"; {path}"
        self._shown.write(json.dumps(data) if self._as_json else escaped(line))

    def _file(self, made: Design) -> str:
        from latcover.formats.puzzle_files.puzzle_writer import puzzle_as_toml

        return puzzle_as_toml([made.as_puzzle(f"{self._name} {self._number}", self._symmetry)])
