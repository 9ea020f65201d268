"""The options of commands that are given shapes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from msgspec import Struct

from latcover.apps.cli.shared import completion
from latcover.core.model.request_values import Seconds

if TYPE_CHECKING:
    from latcover.core.model.puzzle import Bounds, Part

Time = Seconds | None
Output = Annotated[Path | None, typer.Option(metavar="FILE")]


class ShapeOptions(Struct, frozen=True):
    """The options about shapes."""

    lattice: Annotated[str, typer.Option(metavar="LATTICE", autocompletion=completion.lattices_and_sets)] = "square"
    one_sided: bool = False

    def shapes(self, names: Sequence[str], bounds: Bounds | None = None) -> list[Part]:
        """The shapes of these names, each with a name of its own.

        Raises:
            PuzzleError: a name stands for no shape, or they lie on different lattices.
        """
        from latcover.files.formats.named_shapes import shape_named

        found = [shape_named(name, self.lattice, one_sided=self.one_sided, bounds=bounds) for name in names]
        _require_one_lattice(found)
        if len({shape.name for shape in found}) < len(found):
            found = [msgspec.structs.replace(shape, name=name) for shape, name in zip(found, names, strict=True)]
        return found

    def sets(self, names: Sequence[str]) -> list[list[Part]]:
        """The shapes of each of these sets.

        Raises:
            PuzzleError: a name stands for none, or they lie on different lattices.
        """
        from latcover.files.formats.named_shapes import shapes_named

        found = [shapes_named(name, self.lattice, one_sided=self.one_sided) for name in names]
        _require_one_lattice([shape for shapes in found for shape in shapes])
        return found


def pieces_named(names: Sequence[str], cells: int, command: str) -> list[str]:
    """The names of all shapes of so many cells of a lattice, which *names* names.

    Raises:
        PuzzleError: there is no such lattice, or several are named.
    """
    from latcover.errors import PuzzleError
    from latcover.files.formats.library import load_lattice
    from latcover.files.formats.piece_sets import pieces

    if len(names) != 1:
        raise PuzzleError(f"--cells asks for all shapes of one lattice, as in `latcover {command}`")
    return [f"{names[0]}-{cells}:{part.name}" for part in pieces(load_lattice(names[0]), cells).parts]


def _require_one_lattice(shapes: Sequence[Part]) -> None:
    from latcover.errors import PuzzleError

    lattices = {shape.lattice.name for shape in shapes if shape.lattice}
    if len(lattices) > 1:
        raise PuzzleError(f"the shapes lie on different lattices ({', '.join(sorted(lattices))}); take shapes of one")
