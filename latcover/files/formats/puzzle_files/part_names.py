"""Names of parts of several sets in one puzzle, made unique by their size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from latcover.core.model.lattice import Lattice
from latcover.core.model.puzzle import Part
from latcover.files.formats.puzzle_files.part_tables import PartEntry


def sized(name: str, size: int) -> str:
    """The name of a part with its number of cells: I5 for I, F5' for F', 8-17 for 17."""
    stem = name.rstrip("'")
    return f"{stem}{size}{name[len(stem) :]}" if not stem[-1:].isdigit() else f"{size}-{name}"


def primary_size(part: Part, lattice: Lattice) -> int:
    """How many cells a part has, without those of secondary nodes."""
    return sum(not lattice.nodes[node].secondary for node in part.cells[:, 0].tolist())


def with_unique_names(entries: Sequence[PartEntry], lattice: Lattice) -> list[PartEntry]:
    """The entries, with the sizes in the names that parts of several sets have in common.

    Those of a name stay as they are if their sizes do not tell them apart, or if the new names are taken.
    """
    plain = {k: e.from_set.own for k, e in enumerate(entries) if e.from_set is not None and not e.from_set.prefixed}
    times = Counter(plain.values())
    names = [plain.get(k, entry.name) for k, entry in enumerate(entries)]
    for name in [name for name, n in times.items() if n > 1]:
        alike = {k: e.part for k in plain if plain[k] == name and (e := entries[k]).part is not None}
        new = {k: sized(name, primary_size(part, lattice)) for k, part in alike.items() if part is not None}
        others = {other for k, other in enumerate(names) if k not in new}
        if len({*new.values()}) == times[name] and not others.intersection(new.values()):
            for k, each in new.items():
                names[k] = each
    return [_called(entry, name) for entry, name in zip(entries, names, strict=True)]


def _called(entry: PartEntry, name: str) -> PartEntry:
    if entry.name == name:
        return entry
    part = None if entry.part is None else replace(entry.part, name=name)
    return replace(entry, name=name, part=part)
