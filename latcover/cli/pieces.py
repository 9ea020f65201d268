"""The command `pieces`: all shapes of so many cells, and part sets."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from latcover.cli import completion
from latcover.cli.options import AsJson, ColourOption, TalkOptions, expanded
from latcover.cli.support import (
    echo,
    echo_picture,
    only_one,
    require_writable,
    screen_width,
    wants_colour,
    write_file,
)
from latcover.errors import PuzzleError, TooLargeError, UnsupportedError, counted, suggest

if TYPE_CHECKING:
    from latcover.formats.pieces import Family
    from latcover.model.puzzle import PartSet

FORMS = (".toml", ".svg", ".txt")
MOST_CELLS = 100


@dataclass(frozen=True)
class ChoiceOptions:
    """The options that choose among the shapes."""

    one_sided: Annotated[
        bool, typer.Option("--one-sided", help="Pieces may be turned, but not turned over: mirror images differ.")
    ] = False
    fixed: Annotated[bool, typer.Option("--fixed", help="Pieces may be neither turned nor turned over.")] = False
    holes: Annotated[
        bool | None,
        typer.Option("--holes/--no-holes", help="Only pieces with holes, or only those without.", show_default="both"),
    ] = None
    convex: Annotated[
        bool,
        typer.Option(
            "--convex",
            help="Only convex pieces: they hold a shortest way between any two of their cells. On squares: no gap in a "
            "row or a column.",
        ),
    ] = False
    colours: Annotated[
        bool, typer.Option("--colours", help="Colour the cells like a chessboard, in both ways where these differ.")
    ] = False
    max_pieces: Annotated[int, typer.Option(min=1, metavar="N", help="Refuse to make more pieces.")] = 20_000

    def only_for_shapes(self) -> list[str]:
        """The names of the options that the user gave, but for --one-sided, which goes with part sets too."""
        flags = {"--fixed": self.fixed, "--holes": self.holes, "--no-holes": self.holes is False}
        flags |= {"--convex": self.convex, "--colours": self.colours}
        return [name for name, is_given in flags.items() if is_given]

    def family(self) -> Family:
        """Which shapes to take."""
        from latcover.formats.pieces import Family, Sides

        sides = Sides.ONE_SIDED if self.one_sided else Sides.FIXED if self.fixed else Sides.FREE
        return Family(sides, self.holes, self.convex, self.colours, self.max_pieces)


@expanded
def pieces(
    lattice: Annotated[
        str,
        typer.Argument(
            metavar="LATTICE|SET",
            autocompletion=completion.lattices_and_sets,
            help="A lattice, shipped or in a file; or, without N, a part set.",
        ),
    ],
    n: Annotated[
        int | None, typer.Argument(metavar="[N]", min=1, max=MOST_CELLS, help="How many cells a piece has.")
    ] = None,
    *,
    choice: ChoiceOptions,
    output: Annotated[
        Path | None,
        typer.Option(help="Write to this file, in the form of its suffix: .toml, a part set; .svg, a sheet; .txt."),
    ] = None,
    color: ColourOption = None,
    as_json: AsJson = False,
    talk: TalkOptions,
) -> None:
    """Make all connected shapes of N cells on any lattice, or show a part set.

    Two shapes that can be turned, or turned over, into each other are one piece. Pieces have the names that people use
    if a shipped set has such names; if not, they are numbered.
    """
    only_one({"--one-sided": choice.one_sided, "--fixed": choice.fixed})
    suffix = ".txt" if output is None else output.suffix.lower()
    if suffix not in FORMS:
        forms = ", ".join(FORMS)
        what = suffix or "file without suffix"
        raise UnsupportedError(f"cannot write pieces as a {what}; name a file with one of: {forms}")
    require_writable(output, reads=lattice)
    found, summary = _of_set(lattice, choice) if n is None else _of_cells(lattice, n, choice)
    if output is not None and not found.parts:
        raise PuzzleError(f"there is nothing to write into {output}: {found.title}")
    if output is not None:
        write_file(output, _written(found, lattice, output, suffix), talk)
    if as_json:
        _print_json(found, summary)
    elif output is None and found.parts:
        from latcover.drawing.views import of_part_set

        lines = of_part_set(found).lines(colour=wants_colour(color), width=screen_width())
        echo_picture("\n".join([*lines, ""]))
    if not as_json:
        of_set = summary["set"] if summary["set"] != found.name else None
        echo(f"{found.title or counted(len(found.parts), 'part')}{f' ({of_set})' if of_set else ''}")


def _of_cells(name: str, n: int, choice: ChoiceOptions) -> tuple[PartSet, dict[str, Any]]:
    """All shapes of *n* cells.

    Raises:
        TooLargeError: more pieces than the user allows; the message says how to allow more.
    """
    from latcover.formats.library import load_lattice
    from latcover.formats.pieces import pieces, set_of_all

    lattice, family = load_lattice(name), choice.family()
    try:
        found = pieces(lattice, n, family)
    except TooLargeError as fault:
        raise TooLargeError(f"{fault}; take fewer cells, or raise the bound with --max-pieces") from None
    summary = {"lattice": lattice.name, "cells": n, "kind": str(family.sides), "set": set_of_all(lattice, n) or None}
    return found, summary | {"holes": family.holes, "convex": family.convex, "colours": family.colours}


def _of_set(name: str, choice: ChoiceOptions) -> tuple[PartSet, dict[str, Any]]:
    """A part set.

    Raises:
        PuzzleError: *name* is a lattice, or nothing that is known.
        UnsupportedError: options that choose among shapes.
    """
    from latcover.formats.library import lattice_called, load_set, names

    sets = names("sets")
    if name not in sets and lattice_called(name) is not None:
        raise typer.BadParameter(f"how many cells shall the pieces have? As in `latcover pieces {name} 5`")
    if choice.only_for_shapes():
        raise UnsupportedError(f"{', '.join(choice.only_for_shapes())}: only for shapes of N cells, not for a part set")
    known = [*sets, *names("lattices")]
    if name not in sets and not Path(name).suffix and not os.path.exists(name):
        raise PuzzleError(
            f"no lattice and no part set {name!r} is shipped, and there is no such file{suggest(name, known)}"
        )
    found = load_set(name, one_sided=choice.one_sided)
    cells = {part.size for part in found.parts}
    summary = {"lattice": found.lattice.name, "cells": cells.pop() if len(cells) == 1 else None}
    return found, summary | {"kind": "one-sided" if choice.one_sided else "as listed", "set": found.name}


def _written(found: PartSet, name: str, output: Path, suffix: str) -> str:
    """What a file says of the pieces."""
    from latcover.drawing.svg import sheet
    from latcover.drawing.views import of_part_set
    from latcover.formats.library import names
    from latcover.formats.puzzle_files.puzzle_writer import part_set_as_toml

    if suffix == ".toml":
        of_file = os.path.isfile(name) and name not in names("lattices")
        return part_set_as_toml(found, lattice=os.path.relpath(name, output.parent) if of_file else "").rstrip("\n")
    view = of_part_set(found)
    if suffix == ".svg":
        return sheet(view.title, view.entries()).rstrip("\n")
    return "\n".join(view.lines(colour=False, width=screen_width()))


def _print_json(found: PartSet, summary: dict[str, Any]) -> None:
    """An object for each piece, and a summary."""
    from latcover.drawing.views import part_as_data

    for part in found.parts:
        echo(json.dumps(part_as_data(found, part)))
    echo(json.dumps({"summary": {"pieces": len(found.parts)} | summary}))
