"""The command `pieces`: all shapes of so many cells, and part sets."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from latcover.apps.cli.shared import completion
from latcover.apps.cli.shared.options import AsJson, MessageOptions, ShowAll, only_one
from latcover.apps.cli.shared.output import (
    echo,
    echo_answer,
    is_terminal,
    require_writable,
    say,
    screen_width,
    suffix_of,
    write_file,
)
from latcover.apps.cli.shared.screenful import echo_view
from latcover.core.model.request_values import Positive
from latcover.errors import PuzzleError, UnsupportedError, counted

if TYPE_CHECKING:
    from latcover.core.model.puzzle import PartSet
    from latcover.files.formats.piece_sets import Family

FORMS = (".toml", ".svg", ".txt")
MOST_CELLS = 100


class ChoiceOptions(Struct, frozen=True):
    """The options that choose among the shapes."""

    one_sided: bool = False
    fixed: bool = False
    holes: Annotated[bool | None, typer.Option(show_default="both")] = None
    convex: bool = False
    colours: bool = False
    max_pieces: Positive = 20_000

    def only_for_shapes(self) -> list[str]:
        """The names of the options that the user gave, but for --one-sided, which goes with part sets too."""
        flags = {"--fixed": self.fixed, "--holes": self.holes, "--no-holes": self.holes is False}
        flags |= {"--convex": self.convex, "--colours": self.colours}
        return [name for name, is_given in flags.items() if is_given]

    def family(self) -> Family:
        """Which shapes to take."""
        from latcover.files.formats.piece_sets import Family, Sides

        sides = Sides.ONE_SIDED if self.one_sided else Sides.FIXED if self.fixed else Sides.FREE
        return Family(sides, self.holes, self.convex, self.colours, most=self.max_pieces)


def pieces(
    lattice: Annotated[str, typer.Argument(metavar="LATTICE|SET", autocompletion=completion.lattices_and_sets)],
    n: Annotated[int | None, typer.Argument(metavar="[N]", min=1, max=MOST_CELLS)] = None,
    *,
    choice: ChoiceOptions,
    output: Path | None = None,
    color: bool | None = None,
    every: ShowAll = False,
    as_json: AsJson = False,
    messages: MessageOptions,
) -> None:
    from latcover.files.formats.listed_pieces import pieces as all_pieces

    only_one({"--one-sided": choice.one_sided, "--fixed": choice.fixed})
    suffix = "" if output is None else suffix_of(output, "pieces", FORMS)
    require_writable(output, reads=lattice)
    if n is None:
        _require_set(lattice, choice)
    found = all_pieces(lattice, n, choice.family())
    summary = _summary(found, lattice, n, choice)
    if output is not None and not found.parts:
        raise PuzzleError(f"there is nothing to write into {output}: {found.title}")
    if output is not None:
        write_file(output, _written(found, lattice, output, suffix), messages)
    if as_json:
        _print_json(found, summary)
    elif output is None and found.parts:
        from latcover.show.drawing.views.puzzle_views import of_part_set

        echo_view(of_part_set(found), color=color, every=every)
        if every or not is_terminal(sys.stdout):
            echo("")
    if n is not None and lattice == "tetrakis":
        say(
            f"note: these lie in one tiling; `latcover pieces polyaboloes {n}` makes all shapes of half squares",
            messages,
        )
    if not as_json:
        of_set = summary["set"] if summary["set"] != found.name else None
        echo_answer(f"{found.title or counted(len(found.parts), 'part')}{f' ({of_set})' if of_set else ''}")


def _require_set(name: str, choice: ChoiceOptions) -> None:
    """Refuse a lattice without a number of cells.

    Raises:
        BadParameter: it is one.
        UnsupportedError: options that choose among shapes.
    """
    from latcover.files.formats.listed_pieces import needs_cells
    from latcover.files.formats.piece_sets import POLYABOLOES

    if name == POLYABOLOES:
        raise typer.BadParameter(f"how many half squares shall they have? As in `latcover pieces {POLYABOLOES} 4`")
    if needs_cells(name):
        raise typer.BadParameter(f"how many cells shall the pieces have? As in `latcover pieces {name} 5`")
    if choice.only_for_shapes():
        raise UnsupportedError(f"{', '.join(choice.only_for_shapes())}: only for shapes of N cells, not for a part set")


def _summary(found: PartSet, name: str, n: int | None, choice: ChoiceOptions) -> dict[str, Any]:
    """What was listed, as data."""
    from latcover.files.formats.piece_sets import POLYABOLOES, set_of_all

    if n is None:
        cells = {part.size for part in found.parts}
        summary = {"lattice": found.lattice.name, "cells": cells.pop() if len(cells) == 1 else None}
        return summary | {"kind": "one-sided" if choice.one_sided else "as listed", "set": found.name}
    halves, family = name == POLYABOLOES, choice.family()
    known = None if halves else set_of_all(found.lattice, n) or None
    summary = {"lattice": found.lattice.name, "cells": 2 * n if halves else n, "kind": str(family.sides), "set": known}
    return summary | {"holes": family.holes, "convex": family.convex, "colours": family.colours}


def _written(found: PartSet, name: str, output: Path, suffix: str) -> str:
    """What a file says of the pieces."""
    from latcover.files.formats.puzzle_files.puzzle_writer import part_set_as_toml
    from latcover.files.formats.source import names
    from latcover.show.drawing.paper.svg import sheet
    from latcover.show.drawing.views.puzzle_views import of_part_set

    if suffix == ".toml":
        of_file = os.path.isfile(name) and name not in names("lattices")
        return part_set_as_toml(found, lattice=os.path.relpath(name, output.parent) if of_file else "")
    view = of_part_set(found)
    if suffix == ".svg":
        return sheet(view.title, view.entries())
    return "\n".join(view.lines(colour=False, width=screen_width()))


def _print_json(found: PartSet, summary: dict[str, Any]) -> None:
    """An object for each piece, and a summary."""
    from latcover.show.drawing.views.puzzle_views import part_as_data

    for part in found.parts:
        echo(json.dumps(part_as_data(found, part)))
    echo(json.dumps({"summary": {"pieces": len(found.parts)} | summary}))
