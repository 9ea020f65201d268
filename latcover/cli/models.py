"""Models of parts and of solutions, which `show` writes for `--output x.stl`, `.3mf`, `.glb` and `.x3d`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latcover.cli.options import TalkOptions
from latcover.cli.support import say, write_pieces
from latcover.errors import UnsupportedError

if TYPE_CHECKING:
    from latcover.model.disassembly import Disassembly
    from latcover.model.puzzle import Puzzle
    from latcover.model.solution import Solution
    from latcover.printing.layout import Dimensions
    from latcover.printing.models import Model

MESHES = (".stl", ".3mf", ".glb")
SUFFIXES = (*MESHES, ".x3d")


@dataclass(frozen=True)
class ModelOptions:
    """The options for models. Every length is in millimetres."""

    all_parts: Annotated[
        bool, typer.Option("--all-parts", help="Every copy of every part, side by side (.stl .3mf .glb .x3d).")
    ] = False
    edge: Annotated[
        float | None,
        typer.Option(
            metavar="MM", help="Length of the lattice's unit (.stl .3mf .glb; .x3d).", show_default="20; .x3d: a metre"
        ),
    ] = None
    clearance: Annotated[
        float | None,
        typer.Option(metavar="MM", help="The gap between neighbouring parts (.stl .3mf .glb).", show_default="0.2"),
    ] = None
    chamfer: Annotated[
        float | None,
        typer.Option(metavar="MM", help="Cut the edges of parts off, so far (.stl .3mf .glb).", show_default="0"),
    ] = None
    thickness: Annotated[
        float | None,
        typer.Option(metavar="MM", help="Thickness of a flat puzzle (.stl .3mf .glb; .x3d).", show_default="one unit"),
    ] = None
    explode: Annotated[
        float | None,
        typer.Option(
            metavar="F",
            help="Move the parts of a solution away from the middle, by F times their distance (models, pictures).",
            show_default="0",
        ),
    ] = None

    def given(self) -> list[str]:
        """The names of the options that the user gave."""
        values = {
            "--all-parts": self.all_parts or None,
            "--edge": self.edge,
            "--clearance": self.clearance,
            "--chamfer": self.chamfer,
            "--thickness": self.thickness,
            "--explode": self.explode,
        }
        return [name for name, value in values.items() if value is not None]

    def dimensions(self) -> Dimensions:
        """The measures; the usual ones where the user gave none."""
        from latcover.printing.layout import Dimensions

        usual = Dimensions()
        return Dimensions(
            usual.edge if self.edge is None else self.edge,
            usual.clearance if self.clearance is None else self.clearance,
            self.thickness,
            self.chamfer or 0.0,
        )


@dataclass(frozen=True)
class ModelSource:
    """What the model shows: a solution, one part, the region, or (if all are empty) every part."""

    solution: Solution | None = None
    part: str | None = None
    region: bool = False
    disassembly: Disassembly | None = None  # of the solution: parts move apart in its order


def check_options(suffix: str, options: ModelOptions, *, region: bool, solution: bool) -> None:
    """Refuse options that do not fit. This is checked before any search.

    Raises:
        UnsupportedError: an option that the form cannot honour.
        PuzzleError: a length that no model can have.
        BackendUnavailableError: a library is not installed.
    """
    from latcover.printing.layout import require_share
    from latcover.printing.models import require_libraries

    options.dimensions()
    require_share(options.explode or 0.0)
    if suffix == ".x3d" and options.clearance is not None:
        raise UnsupportedError("an .x3d file has no gaps; leave --clearance out, or write .stl, .3mf or .glb")
    if suffix == ".x3d" and options.chamfer is not None:
        raise UnsupportedError("an .x3d file has no chamfers; leave --chamfer out, or write .stl, .3mf or .glb")
    if suffix == ".x3d" and options.thickness is not None and options.edge is None:
        raise UnsupportedError(
            "--thickness is in millimetres: with .x3d give --edge too, which says how long a unit is"
        )
    if options.explode is not None and not solution:
        raise UnsupportedError(
            "--explode moves the parts of a solution apart; leave it out, or leave --part, --region or --all-parts out"
        )
    if suffix in MESHES and region:
        raise UnsupportedError(f"a region is not printed, so {suffix} has no --region; write .x3d, .svg or .txt")
    if suffix in MESHES:
        require_libraries(f"a model as {suffix}")


def write_model(puzzle: Puzzle, source: ModelSource, path: Path, options: ModelOptions, talk: TalkOptions) -> None:
    """Make the model and write it, with remarks on standard error.

    Raises:
        PuzzleError: the clearance leaves nothing of a part, or the file cannot be written.
        UnsupportedError: a thickness of what is not flat.
    """
    if options.thickness is not None and puzzle.lattice.dimension == 3:
        raise UnsupportedError(f"the lattice {puzzle.lattice.name!r} is not flat: leave --thickness out")
    suffix = path.suffix.lower()
    if suffix == ".x3d":
        write_pieces(path, [_x3d(puzzle, source, options).encode()], talk)
        return
    from latcover.printing import model_files, models

    made = _models(puzzle, source, options)
    for remark in models.remarks(puzzle, made):
        say(remark, talk)
    size = options.dimensions()
    if source.solution is not None and size.clearance == 0 and not options.explode:
        say("without a clearance or --explode the parts touch: a printer would make one block of them", talk)
    write_pieces(path, [model_files.written(made, suffix, puzzle.title or puzzle.name)], talk)


def _models(puzzle: Puzzle, source: ModelSource, options: ModelOptions) -> Sequence[Model]:
    from latcover.printing import models

    size = options.dimensions()
    if source.solution is not None:
        return models.of_solution(puzzle, source.solution, size, options.explode or 0.0, source.disassembly)
    if source.part is not None:
        return [models.of_part(puzzle, source.part, size)]
    return models.of_parts(puzzle, size)


def _x3d(puzzle: Puzzle, source: ModelSource, options: ModelOptions) -> str:
    from latcover.printing import x3d

    thickness = 1.0 if options.thickness is None else options.thickness / options.dimensions().edge
    scale = x3d.Scale(thickness, options.edge)
    if source.solution is not None:
        return x3d.of_solution(puzzle, source.solution, scale, options.explode or 0.0, source.disassembly)
    if source.region:
        return x3d.of_region(puzzle, scale)
    return x3d.of_parts(puzzle, None if source.part is None else [source.part], scale)
