"""Reading the part sets that puzzle files share."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from latcover.core.model.lattice import Lattice
from latcover.core.model.orientation import hands, mirror_image, reflection
from latcover.core.model.puzzle import Bounds, PartSet
from latcover.errors import PuzzleFileError
from latcover.files.formats.puzzle_files.file_keys import PartSetFile
from latcover.files.formats.puzzle_files.file_table import root_table
from latcover.files.formats.puzzle_files.part_tables import (
    PartEntry,
    entries_of_set,
    mirrored,
    read_lattice_of,
)
from latcover.files.formats.puzzle_files.rules_file import read_context
from latcover.files.formats.puzzle_files.toml_file import TomlFile
from latcover.files.formats.source import Source


def both_hands(entries: Sequence[PartEntry], lattice: Lattice) -> list[PartEntry]:
    """The parts of a set that are not turned over, each followed by its mirror image if that is none of them."""
    parts = [entry.part for entry in entries if entry.part is not None]
    present = set(hands(parts, lattice))
    images = [image for part in parts if (image := mirror_image(part, lattice)) is not None]
    both = zip(parts, images, hands(images, lattice), strict=True)
    lacking = {id(part): image for part, image, hand in both if hand not in present}
    found: list[PartEntry] = []
    for entry in entries:
        image, other = lacking.get(id(entry.part)), entry.mirror or mirrored(entry.name)
        found.append(_kept_from_turning_over(entry))
        if image is not None:
            found.append(_kept_from_turning_over(replace(entry, name=other, part=replace(image, name=other))))
    return found


def _kept_from_turning_over(entry: PartEntry) -> PartEntry:
    part = entry.part
    if part is None:
        return entry
    proper = tuple(motion for motion in part.transformations if motion.proper)
    return replace(entry, part=replace(part, transformations=proper))


def read_set(source: Source, bounds: Bounds | None = None, *, one_sided: bool = False) -> PartSet:
    """Read a part set by itself, on the lattice that it names (by default, square), within *bounds*.

    Args:
        source: The file.
        bounds: How much it may ask for.
        one_sided: Whether to keep parts from being turned over, and to add the mirror images that the set lacks.

    Raises:
        PuzzleFileError: with every complaint about the file.
    """
    file = TomlFile(source, PuzzleFileError)
    root = root_table(file, PartSetFile)
    lattice = read_lattice_of(root, "square")
    if lattice is None:
        file.finish()
    assert lattice is not None
    default = lattice.allowed(lattice.default_transformations)
    context, rules = read_context(root, lattice, bounds or Bounds())
    entries = entries_of_set(root, context, default)
    if one_sided and reflection(lattice) is None:
        root.complain((), f"the lattice {lattice.name!r} has no reflection: no set on it is one-sided")
    name, title, about = (root.line(key) for key in ("name", "title", "source"))
    file.finish()
    entries = both_hands(entries, lattice) if one_sided else entries
    parts = [replace(entry.part, lattice=lattice) for entry in entries if entry.part is not None]
    numbered = tuple(replace(part, number=number) for number, part in enumerate(parts))
    return PartSet(name or source.stem, lattice, numbered, title, about, ("", *context.colours), rules)
