"""The command `pieces`: all shapes of so many cells, and part sets."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from latcover.apps.cli.shared import completion
from latcover.apps.cli.shared.options import AsJson, MessageOptions, expanded, only_one
from latcover.apps.cli.shared.output import (
    echo,
    echo_picture,
    require_writable,
    say,
    screen_width,
    suffix_of,
    wants_colour,
    write_file,
)
from latcover.core.model.request_values import Positive
from latcover.errors import PuzzleError, TooLargeError, UnsupportedError, counted, suggest

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

    def family(self, *, halves: bool) -> Family:
        """Which shapes to take."""
        from latcover.files.formats.piece_sets import Family, Sides

        sides = Sides.ONE_SIDED if self.one_sided else Sides.FIXED if self.fixed else Sides.FREE
        return Family(sides, self.holes, self.convex, self.colours, halves, self.max_pieces)


@expanded
def pieces(
    lattice: Annotated[str, typer.Argument(metavar="LATTICE|SET", autocompletion=completion.lattices_and_sets)],
    n: Annotated[int | None, typer.Argument(metavar="[N]", min=1, max=MOST_CELLS)] = None,
    *,
    choice: ChoiceOptions,
    output: Path | None = None,
    color: bool | None = None,
    as_json: AsJson = False,
    messages: MessageOptions,
) -> None:
    only_one({"--one-sided": choice.one_sided, "--fixed": choice.fixed})
    suffix = "" if output is None else suffix_of(output, "pieces", FORMS)
    require_writable(output, reads=lattice)
    found, summary = _of_set(lattice, choice) if n is None else _of_cells(lattice, n, choice)
    if output is not None and not found.parts:
        raise PuzzleError(f"there is nothing to write into {output}: {found.title}")
    if output is not None:
        write_file(output, _written(found, lattice, output, suffix), messages)
    if as_json:
        _print_json(found, summary)
    elif output is None and found.parts:
        from latcover.show.drawing.views.puzzle_views import of_part_set

        lines = of_part_set(found).lines(colour=wants_colour(color), width=screen_width())
        echo_picture("\n".join([*lines, ""]))
    if n is not None and lattice == "tetrakis":
        say(
            f"note: these lie in one tiling; `latcover pieces polyaboloes {n}` makes all shapes of half squares",
            messages,
        )
    if not as_json:
        of_set = summary["set"] if summary["set"] != found.name else None
        echo(f"{found.title or counted(len(found.parts), 'part')}{f' ({of_set})' if of_set else ''}")


def _of_cells(name: str, n: int, choice: ChoiceOptions) -> tuple[PartSet, dict[str, Any]]:
    """All shapes of *n* cells.

    Raises:
        TooLargeError: more pieces than the user allows; the message says how to allow more.
    """
    from latcover.files.formats.library import load_lattice
    from latcover.files.formats.piece_sets import POLYABOLOES, THEIR_LATTICE, pieces, set_of_all

    halves = name == POLYABOLOES
    lattice, family = load_lattice(THEIR_LATTICE if halves else name), choice.family(halves=halves)
    try:
        found = pieces(lattice, n, family)
    except TooLargeError as fault:
        raise TooLargeError(f"{fault}; take fewer cells, or raise the bound with --max-pieces") from None
    known = None if halves else set_of_all(lattice, n) or None
    summary = {"lattice": lattice.name, "cells": 2 * n if halves else n, "kind": str(family.sides), "set": known}
    return found, summary | {"holes": family.holes, "convex": family.convex, "colours": family.colours}


def _of_set(name: str, choice: ChoiceOptions) -> tuple[PartSet, dict[str, Any]]:
    """A part set, or what a name of shapes stands for.

    Raises:
        PuzzleError: *name* is a lattice, or nothing that is known.
        UnsupportedError: options that choose among shapes.
    """
    from latcover.files.formats.library import lattice_called, load_set
    from latcover.files.formats.named_shapes import SMALL, names_shapes, set_named
    from latcover.files.formats.piece_sets import POLYABOLOES
    from latcover.files.formats.source import names

    sets = names("sets")
    if name not in sets and lattice_called(name) is not None:
        raise typer.BadParameter(f"how many cells shall the pieces have? As in `latcover pieces {name} 5`")
    if name == POLYABOLOES:
        raise typer.BadParameter(f"how many half squares shall they have? As in `latcover pieces {POLYABOLOES} 4`")
    if choice.only_for_shapes():
        raise UnsupportedError(f"{', '.join(choice.only_for_shapes())}: only for shapes of N cells, not for a part set")
    known = [*sets, *names("lattices"), *SMALL, POLYABOLOES]
    is_drawing = name.endswith(".txt")
    if name in sets or (os.path.exists(name) and not is_drawing):
        found = load_set(name, one_sided=choice.one_sided)
    elif is_drawing or ":" in name or names_shapes(name):
        if choice.one_sided:
            raise UnsupportedError("--one-sided: for a part set or shapes of N cells, not for a single shape")
        found = set_named(name)
    elif Path(name).suffix:
        found = load_set(name)  # says that there is no such file
    else:
        raise PuzzleError(
            f"no lattice and no part set {name!r} is shipped, and there is no such shape or file{suggest(name, known)}"
        )
    cells = {part.size for part in found.parts}
    summary = {"lattice": found.lattice.name, "cells": cells.pop() if len(cells) == 1 else None}
    return found, summary | {"kind": "one-sided" if choice.one_sided else "as listed", "set": found.name}


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
