"""Models of parts and of solutions, which `show` writes for `--output x.stl`, `.3mf`, `.glb`, `.step` and `.x3d`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from latcover.cli.shared.options import MessageOptions
from latcover.cli.shared.output import say, write_pieces
from latcover.errors import UnsupportedError

if TYPE_CHECKING:
    from latcover.model.disassembly import Disassembly
    from latcover.model.puzzle import Puzzle
    from latcover.model.solution import Solution
    from latcover.printing.layout import Dimensions
    from latcover.printing.models import Model

MESHES = (".stl", ".3mf", ".glb", ".step")
SUFFIXES = (*MESHES, ".x3d")


@dataclass(frozen=True)
class ModelOptions:
    """The options for models. Every length is in millimetres."""

    all_parts: bool = False
    edge: Annotated[float | None, typer.Option(metavar="MM", show_default="20; .x3d: a metre")] = None
    clearance: Annotated[float | None, typer.Option(metavar="MM", show_default="0.2")] = None
    chamfer: Annotated[float | None, typer.Option(metavar="MM", show_default="0")] = None
    thickness: Annotated[float | None, typer.Option(metavar="MM", show_default="one unit")] = None
    explode: Annotated[float | None, typer.Option(metavar="F", show_default="0")] = None

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


def check_models(suffix: str, options: ModelOptions) -> None:
    """Check the measures, and that the form can be written; before any search.

    Raises:
        UnsupportedError: an option that the form cannot honour.
        PuzzleError: a length that no model can have.
        BackendUnavailableError: a library is not installed.
    """
    from latcover.printing.layout import require_share

    require_share(options.explode or 0.0)
    if suffix not in SUFFIXES:
        return
    options.dimensions()
    if suffix == ".x3d" and options.thickness is not None and options.edge is None:
        raise UnsupportedError(
            "--thickness is in millimetres: with .x3d give --edge too, which says how long a unit is"
        )
    if suffix in MESHES:
        from latcover.printing.models import require_libraries

        require_libraries(f"a model as {suffix}")


def write_model(
    puzzle: Puzzle,
    path: Path,
    options: ModelOptions,
    messages: MessageOptions,
    *,
    solution: Solution | None,
    disassembly: Disassembly | None,
    part: str | None,
    region: bool,
) -> None:
    """Make the model of a solution, of one part, of the region, or (if none is named) of every part, and write it.

    Parts move apart in the order of the *disassembly*. Remarks go to standard error.

    Raises:
        PuzzleError: the clearance leaves nothing of a part, or the file cannot be written.
        UnsupportedError: a thickness of what is not flat.
    """
    from latcover.drawing.scenes.explosion import RemovalOrder
    from latcover.printing import model_files, models, x3d

    if options.thickness is not None and puzzle.lattice.dimension == 3:
        raise UnsupportedError(f"the lattice {puzzle.lattice.name!r} is not flat: leave --thickness out")
    suffix, size, share = path.suffix.lower(), options.dimensions(), options.explode or 0.0
    order = None if disassembly is None else RemovalOrder(puzzle.lattice, disassembly)
    if suffix == ".x3d":
        units = x3d.X3dUnits(1.0 if options.thickness is None else options.thickness / size.edge, options.edge)
        if solution is not None:
            text = x3d.of_solution(puzzle, solution, units, share, order)
        elif region:
            text = x3d.of_region(puzzle, units)
        else:
            text = x3d.of_parts(puzzle, None if part is None else [part], units)
        write_pieces(path, [text.encode()], messages)
        return
    made: Sequence[Model]
    if solution is not None:
        made = models.of_solution(puzzle, solution, size, share, order)
    elif part is not None:
        made = [models.of_part(puzzle, part, size)]
    else:
        made = models.of_parts(puzzle, size)
    for remark in models.remarks(puzzle, made):
        say(remark, messages)
    if solution is not None and size.clearance == 0 and not share:
        say("without a clearance or --explode the parts touch: a printer would make one block of them", messages)
    write_pieces(path, [model_files.written(made, suffix, puzzle.title or puzzle.name)], messages)
