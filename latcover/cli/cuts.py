"""The mode --cut of the command `design`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latcover.cli.options import InputOptions, SearchOptions, TalkOptions, WatchOptions
from latcover.cli.progress import Watcher, watched, watcher
from latcover.cli.support import EXIT_LIMIT, echo, folder_for, from_anywhere, require_writable, write_new_file
from latcover.errors import PuzzleError, RunFileError, UnsupportedError, escaped

if TYPE_CHECKING:
    from latcover.cli.design_options import LookingOptions, WantedOptions
    from latcover.designing.cuts import Cutter
    from latcover.designing.ledger import Ledger
    from latcover.designing.wanted_cuts import CutDesign, CutWishes
    from latcover.model.lattice import Cells, Lattice
    from latcover.runs.designing import DesignFile

SECONDS = 60.0  # of a search that nothing else ends


@dataclass(frozen=True)
class CutOptions:
    """The options about cutting a region."""

    cut: Annotated[
        int | None,
        typer.Option("--cut", min=2, metavar="K", help="Cut the puzzle's region into K parts that have one solution."),
    ] = None
    sizes: Annotated[
        str | None,
        typer.Option(
            "--sizes", metavar="SIZES", help="Cells of the parts: 10..15, or all of them, as in 12,13,13,13,13."
        ),
    ] = None
    holes: Annotated[int, typer.Option("--holes", min=0, metavar="N", help="Up to N cells inside may stay empty.")] = 0
    forbid: Annotated[
        list[str] | None,
        typer.Option(
            "--forbid",
            metavar="rod|flat|FILE",
            help="No part in a line, none in a plane, or none like a part of this puzzle or part set. May be repeated.",
        ),
    ] = None
    different: Annotated[bool, typer.Option("--different", help="No two parts alike.")] = False
    no_mirrors: Annotated[bool, typer.Option("--no-mirrors", help="No two parts alike or mirror images.")] = False
    asymmetric: Annotated[bool, typer.Option("--asymmetric", help="No part with a symmetry of its own.")] = False
    one_order: Annotated[
        bool, typer.Option("--one-order", help="Only parts that come apart in one order, however they slide.")
    ] = False
    hard: Annotated[bool, typer.Option("--hard", help="Look for a long search rather than for a high level.")] = False
    walks: Annotated[
        int | None, typer.Option("--walks", min=1, metavar="N", help="End after N walks of the local search.")
    ] = None
    walk: Annotated[
        int | None, typer.Option("--walk", min=0, metavar="N", help="Make only walk N: a design's comment names it.")
    ] = None

    def require_unused(self) -> None:
        """Refuse these options where nothing is cut.

        Raises:
            UnsupportedError: one is given without --cut.
        """
        given = [f"--{name.replace('_', '-')}" for name, value in asdict(self).items() if value]
        if given:
            raise UnsupportedError(f"{', '.join(given)}: for cuts only; give --cut K too")

    def wishes(self, lattice: Lattice, min_level: int) -> CutWishes:
        """What parts are asked for.

        Raises:
            PuzzleError: sizes or forbidden shapes that make no sense.
        """
        from latcover.designing.wanted_cuts import CutWishes

        assert self.cut is not None
        sizes, between = _sizes(self.sizes)
        kinds = [word for word in self.forbid or () if word in ("rod", "flat")]
        shapes = [shape for word in self.forbid or () if word not in kinds for shape in _shapes(word, lattice)]
        return CutWishes(
            self.cut,
            sizes,
            between,
            self.different or self.no_mirrors,
            self.no_mirrors,
            self.asymmetric,
            frozenset(kinds),  # type: ignore[arg-type]
            tuple(shapes),
            self.holes,
            min_level,
            self.one_order,
            self.hard,
        )


def _sizes(text: str | None) -> tuple[tuple[int, ...] | None, tuple[int, int] | None]:
    if text is None:
        return None, None
    if between := re.fullmatch(r"([0-9]{1,6})\.\.([0-9]{1,6})", text):
        return None, (int(between[1]), int(between[2]))
    if re.fullmatch(r"[0-9]{1,6}(,[0-9]{1,6})*", text):
        return tuple(map(int, text.split(","))), None
    raise typer.BadParameter(f"{text!r} is neither 10..15 nor 12,13,13", param_hint="--sizes")


def _shapes(name: str, lattice: Lattice) -> list[Cells]:
    """The parts of a puzzle or a part set."""
    from latcover.formats.library import holds_set, load, load_set

    found = load_set(name) if holds_set(name) else load(name)
    its = found.lattice
    if its.name != lattice.name:
        raise PuzzleError(f"the parts of {name} lie on the lattice {its.name!r}, and the region on {lattice.name!r}")
    return [part.cells for part in found.parts]


def require_cut_options(shared: tuple[WantedOptions, LookingOptions, SearchOptions], no_others: bool) -> None:
    """Refuse options about sets, regions and backends, which mean nothing for cuts.

    Raises:
        UnsupportedError: one is given.
    """
    asked, looking, limits = shared
    meant = (
        replace(asked, unique=False, min_level=None, keep=None, output=None) == type(asked)(),
        replace(looking, seed=1, run=None) == type(looking)(),
        replace(limits, limit=None, time=None, threads=None) == SearchOptions(),
    )
    if not no_others or not all(meant):
        raise UnsupportedError(
            "a cut takes the options --min-level, --keep, --output, --seed, --run, --limit, --time and --threads "
            "beside its own; leave those about sets, regions, assembly and backends out"
        )


def cut_region(
    region: str | None,
    options: CutOptions,
    shared: tuple[WantedOptions, LookingOptions, SearchOptions],
    around: tuple[InputOptions, WatchOptions, TalkOptions],
    *,
    as_json: bool,
) -> None:
    """Cut a region into parts, and show the designs."""
    from latcover.designing.region_names import FORMS, region_named

    asked, looking, limits = shared
    given, watch, talk = around
    if region is None:
        raise PuzzleError(f"--cut needs a region: {FORMS}")
    if options.walk is not None and (options.walks is not None or looking.run is not None):
        raise UnsupportedError("--walk makes one walk; leave --walks and --run out")
    lattice, cells = region_named(region, given.bounds(), given.problem)
    cutter = _cutter(lattice, cells, region, options, asked.min_level)
    if looking.run is None:
        _search(cutter, options, (looking.seed, asked.keep, asked.output), limits, None, (watch, talk), as_json=as_json)
        return
    from latcover.runs.designing import open_design
    from latcover.runs.recipe import StoredFile

    require_writable(looking.run, reads=region)
    name = _region_from_anywhere(region)
    kept = [word if word in ("rod", "flat") else from_anywhere(word) for word in options.forbid or ()]
    question = {
        **asdict(replace(options, forbid=kept or None)),
        "limit": limits.limit,
        "region": name,
        "problem": given.problem,
        "seed": looking.seed,
        "keep": asked.keep,
        "min_level": asked.min_level,
        "output": None if asked.output is None else str(asked.output.resolve()),
    }
    nothing = StoredFile(name, b"", ".")
    with open_design(looking.run, region, nothing, question, cutter.digest(looking.seed)) as ledger:
        chosen = (looking.seed, asked.keep, asked.output)
        _search(cutter, options, chosen, limits, ledger, (watch, talk), as_json=as_json)


def resume_cut(
    ledger: DesignFile, limits: SearchOptions, watch: WatchOptions, talk: TalkOptions, *, as_json: bool
) -> None:
    """Go on with the cuts of a file, for as many walks and designs as were asked for, unless *limits* has others."""
    from latcover.designing.region_names import region_named

    question = dict(ledger.question)
    limit = question.pop("limit", None)
    limits = limits if limits.limit is not None else replace(limits, limit=limit)
    try:
        region, problem, seed, keep, least, output = (
            question.pop(key) for key in ("region", "problem", "seed", "keep", "min_level", "output")
        )
        options = CutOptions(**question)
    except (KeyError, TypeError):
        raise RunFileError(f"{ledger.path}: does not tell what was asked; begin anew in another file") from None
    lattice, cells = region_named(region, None, problem)
    cutter = _cutter(lattice, cells, ledger.puzzle, options, least)
    if cutter.digest(seed) != ledger.digest:
        raise RunFileError(
            f"{ledger.path}: holds cuts of another region: {region} has changed since, or latcover itself; begin anew "
            "in another file"
        )
    chosen = (seed, keep, None if output is None else Path(output))
    _search(cutter, options, chosen, limits, ledger, (watch, talk), as_json=as_json)


def _region_from_anywhere(name: str) -> str:
    """The same region, named so that it is found from every folder."""
    from latcover.designing.region_names import box_named

    box = box_named(name)
    return from_anywhere(name) if box is None else f"{from_anywhere(box[0])}:{box[1]}"


def _cutter(lattice: Lattice, cells: Cells, name: str, options: CutOptions, min_level: str | None) -> Cutter:
    from latcover.designing.cuts import Cutter

    if min_level is not None and not re.fullmatch(r"[0-9]{1,4}", min_level):
        raise typer.BadParameter(
            f"{min_level!r} is no number of moves to the first separation, such as 3", param_hint="--min-level"
        )
    return Cutter(lattice, cells, options.wishes(lattice, int(min_level or 0)), name)


def _search(
    cutter: Cutter,
    options: CutOptions,
    chosen: tuple[int, int | None, Path | None],
    limits: SearchOptions,
    ledger: Ledger | None,
    talking: tuple[WatchOptions, TalkOptions],
    *,
    as_json: bool,
) -> None:
    """Search, show designs as they are found, and write those that are kept."""
    from latcover.cover.search import Progress
    from latcover.designing.cuts import NOWHERE
    from latcover.designing.wanted_cuts import CutEffort
    from latcover.formats.puzzle_files.puzzle_writer import puzzle_as_toml
    from latcover.reporting.designs import cuts_as_json, cuts_as_text

    seed, keep, folder = chosen
    folder_for(folder)
    endless = limits.limit is None and options.walks is None and options.walk is None
    seconds = SECONDS if limits.time is None and endless else limits.time
    watch, talk = talking
    shown = watcher(talk, watch)
    with watched(shown) as watching:
        effort = CutEffort(
            seed,
            options.walk or 0,
            1 if options.walk is not None else options.walks,
            limits.limit,
            keep or 1,
            seconds,
            limits.threads,
        )
        outcome = cutter.search(
            effort,
            ledger=NOWHERE if ledger is None else ledger,
            on_design=_shower(shown, as_json=as_json),
            on_progress=lambda so_far: watching.on_progress(
                Progress(None, so_far.candidates, so_far.walks, so_far.seconds)
            ),
        )
        interrupted = watching.interrupted
    written = []
    for design in outcome.designs if folder is not None else ():
        assert folder is not None
        path = folder / f"{design.puzzle.name}.toml"
        path = write_new_file(path, puzzle_as_toml([design.puzzle]).rstrip("\n"), talk)
        written.append(str(path))
    found = bool(outcome.designs) and (limits.limit is None or outcome.complete) and not interrupted
    if as_json:
        echo(json.dumps({"summary": cuts_as_json(outcome, seed, written, found=found)}))
    else:
        echo(cuts_as_text(outcome, found=found))
    if not found:
        raise typer.Exit(EXIT_LIMIT)


def _shower(shown: Watcher, *, as_json: bool) -> Callable[[CutDesign], None]:
    from latcover.reporting.designs import cut_as_line

    def show(design: CutDesign) -> None:
        shown.write(json.dumps(design.as_json()) if as_json else escaped(cut_as_line(design)))

    return show
