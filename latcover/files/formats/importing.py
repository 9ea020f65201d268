"""Files of other programs in our own form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from latcover.core.model.puzzle import Bounds, PartSet, Puzzle
from latcover.errors import Complaint, PuzzleError, UnsupportedError
from latcover.files.formats.cover_problems import dlx_text
from latcover.files.formats.cover_problems.exported import exported
from latcover.files.formats.forms import SCAD
from latcover.files.formats.library import ReadSubject, load_model, load_subjects
from latcover.files.formats.puzzle_files.puzzle_writer import part_set_as_toml, puzzle_as_toml
from latcover.files.formats.puzzlecad.puzzlecad_reader import in_a_box
from latcover.system.files import write_whole


class ImportedFile(Struct, frozen=True, eq=False):
    """What a file of another program holds.

    Attributes:
        subjects: Its puzzles and bare cover problems; or a part set, of a model without a region.
        warnings: What is odd in it.
    """

    subjects: tuple[ReadSubject | PartSet, ...]
    warnings: tuple[Complaint, ...] = ()

    def pieces(self) -> Iterator[bytes]:
        """The file in our own form, piece by piece."""
        puzzles = [subject for subject in self.subjects if isinstance(subject, Puzzle)]
        if puzzles:
            yield puzzle_as_toml(puzzles).encode()
        for subject in self.subjects:
            if isinstance(subject, PartSet):
                yield part_set_as_toml(subject).encode()
            elif not isinstance(subject, Puzzle):
                yield from dlx_text.write(exported(subject))

    @property
    def text(self) -> str:
        """The file in our own form."""
        return b"".join(self.pieces()).decode()

    def save(self, path: str | Path) -> Path:
        """Write it; the file appears when it is complete."""
        write_whole(Path(path), self.pieces())
        return Path(path)


def import_file(
    file: str | Path,
    *,
    lattice: str | None = None,
    box: str | None = None,
    problem: str | None = None,
    bounds: Bounds | None = None,
) -> ImportedFile:
    """Read a puzzle file of another program.

    Args:
        file: Its path.
        lattice: The lattice of a file that does not say it.
        box: The sizes of a box that the parts of a model are to fill, such as "4x4x4"; of a file without a region.
        problem: Which puzzle of a file that holds several.
        bounds: How much it may ask for.

    Raises:
        PuzzleFileError: the file is at fault.
        UnsupportedError: *lattice* or *box* is given for a file that says this itself.
    """
    if not isinstance(file, str | Path):
        raise PuzzleError(f"import_file takes the path of a file, not {file!r:.80}")
    if Path(file).suffix.lower() in SCAD.suffixes:
        return _model(str(file), box, lattice, problem, bounds or Bounds())
    if box is not None:
        raise UnsupportedError("--box gives a region to parts that have none (.scad); this file has its own")
    subjects = load_subjects(str(file), bounds, problem, lattice)
    # Each usable problem of a file has the warnings about the unusable ones; say each warning once.
    return ImportedFile(subjects, tuple(dict.fromkeys(fault for subject in subjects for fault in subject.warnings)))


def _model(file: str, box: str | None, lattice: str | None, plate: str | None, bounds: Bounds) -> ImportedFile:
    """The parts of a model as a part set; or with a box, the puzzle to fill it."""
    if lattice is not None:
        raise UnsupportedError(
            "a model made with puzzlecad says itself what its parts are made of; leave --lattice out"
        )
    found = load_model(file, bounds, plate)
    if box is None:
        return ImportedFile((found.parts,), found.warnings)
    sizes = box.split("x")
    if not all(re.fullmatch("[1-9][0-9]{0,5}", size) for size in sizes):
        raise UnsupportedError(f"--box takes sizes such as 4x4x4, not {box!r:.40}")
    return ImportedFile((in_a_box(found, [int(size) for size in sizes], bounds),), found.warnings)
