"""Assemblies as people post them: a grid of letters, one letter for each piece. latcover's own drawings have this form.

The layers of a solid stand below each other, with a blank line between them, or side by side, with two blanks or a bar
between them. A dot, an underscore or a blank is no piece. Letters stand next to each other, or one blank apart. A
legend says what letters stand for, as in "A B: bar   C: cube". Other lines are ignored, and so is all after a #.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from msgspec import Struct, field

from latcover.errors import Complaint, PuzzleFileError

EMPTY = "._ "
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
_HEADING = re.compile(r"\s*solution\s+\d+\b", re.IGNORECASE)
_TITLES = re.compile(r"\s*layer\s+\d+\b", re.IGNORECASE)
_TITLE = re.compile(r"layer\s+(\d+)", re.IGNORECASE)
_LEGEND = re.compile(r"((?:\S )*\S): (\S.*?)(?:   |$)")
_PROSE = frozenset(":;,()[]{}=<>\"'!/\\*+&%$")


class Assembly(Struct, frozen=True):
    """Pieces put together.

    Attributes:
        pieces: The cells of each letter, (row, column) or (row, column, layer), sorted; letters as they first occur.
        dimension: 2 or 3.
        line: The line of the text at which it begins.
        names: What a legend calls letters.
    """

    pieces: dict[str, tuple[tuple[int, ...], ...]]
    dimension: int
    line: int
    names: dict[str, str] = field(default_factory=dict)

    @property
    def n_cells(self) -> int:
        return sum(map(len, self.pieces.values()))


class _Block(Struct):
    """Rows that stand directly below each other, as text; with titles above them, the columns where layers begin."""

    line: int
    rows: list[str]
    starts: tuple[int, ...] = ()
    new: bool = False  # whether it begins another solution, whatever stands before it
    names: dict[str, str] = field(default_factory=dict)  # of letters, by a legend below


class _Draft(Struct):
    """Layers of one assembly, each as rows of text."""

    line: int
    layers: list[tuple[int, list[str]]] = field(default_factory=list)  # with the line of its first row
    names: dict[str, str] = field(default_factory=dict)


def read_pieces(text: str, path: str, dimension: int | None = None) -> list[Assembly]:
    """The assemblies of a text, in their order.

    Args:
        text: The text. Codes for the colours of a terminal are ignored.
        path: What errors call it.
        dimension: 2 or 3; None: by the text. Grids below each other without titles are layers, unless all hold
            the same letters: then they are assemblies in the plane.

    Raises:
        PuzzleFileError: no grid of letters, or one whose letters are not in line.
    """
    lines = [line.expandtabs().rstrip() for line in _ESCAPES.sub("", text).split("\n")]
    reader = _Reader(path, active=not any(map(_HEADING.match, lines)))
    for number, line in enumerate(lines, 1):
        reader.take(number, line.split("#")[0].rstrip())
    blocks = [block for block in reader.blocks if block.rows]
    drafts = _drafts(blocks, dimension)
    deep = 3 if dimension == 3 or any(len(draft.layers) > 1 for draft in drafts) else 2
    found = [_assembly(draft, dimension or deep, path) for draft in drafts]
    assemblies = [assembly for assembly in found if assembly.pieces]
    if not assemblies:
        what = "holds no grid of letters: rows of single letters, one for each piece, and . for no piece"
        raise PuzzleFileError([Complaint(what, path)])
    return assemblies


class _Reader:
    """Gathers blocks of rows, line by line. Where solutions have headings, nothing before the first one counts."""

    def __init__(self, path: str, active: bool) -> None:
        self.path, self.active = path, active
        self.blocks: list[_Block] = []
        self._open = False  # whether rows go on with the last block
        self._new = True  # whether the next block begins another solution
        self._blanks = 0
        self._stray: tuple[int, str] | None = None  # a line of words directly below a row

    def take(self, number: int, line: str) -> None:
        """The next line, without comment and blanks at its end."""
        if not line:
            self._open = self._open and bool(self.blocks[-1].starts)
            self._blanks += 1
            self._stray = None
            return
        if _TITLES.match(line):
            self._titles(number, line)
        elif _is_prose(line):
            self._prose(number, line)
        elif self.active:
            self._row(number, line)
        self._blanks = 0

    def _titles(self, number: int, line: str) -> None:
        found = list(_TITLE.finditer(line))
        starts = tuple(match.start() for match in found)
        self.blocks.append(_Block(number + 1, [], starts, self._new or int(found[0][1][:9]) == 1))
        self._open, self._new, self.active, self._stray = True, False, True, None

    def _prose(self, number: int, line: str) -> None:
        if self._open and not self._blanks and self.blocks[-1].rows:
            self._stray = number, line.strip()
        if self.blocks:
            self.blocks[-1].names.update(
                {sign: name for signs, name in _LEGEND.findall(line) for sign in signs.split()}
            )
        self.active = self.active or bool(_HEADING.match(line))
        self._open, self._new = False, True

    def _row(self, number: int, line: str) -> None:
        if self._stray:
            line_number, words = self._stray
            what = "is not a row of letters, but is between such rows; write . where there is no piece"
            raise PuzzleFileError([Complaint(f"{words[:40]!r} {what}", self.path, line_number)])
        if not self._open:
            self.blocks.append(_Block(number, [], (), self._new))
            self._open, self._new = True, False
        block = self.blocks[-1]
        block.rows += [""] * (self._blanks if block.starts else 0)  # rows that are empty in all layers of the shelf
        block.rows.append(line)


def _is_prose(line: str) -> bool:
    """Whether a line is words, not letters of pieces: signs of a sentence, or words one blank apart."""
    if _PROSE & set(line) or not line.replace("|", " ").replace(" ", "").isprintable():
        return True
    for part in re.split(r"\s*\|\s*|\s{2,}", line.strip()):
        words = part.split(" ")
        if len(words) > 1 and any(len(word) > 1 for word in words):
            return True
    return False


def _drafts(blocks: Sequence[_Block], dimension: int | None) -> list[_Draft]:
    drafts: list[_Draft] = []
    for group in _by_solution(blocks):
        layered = [(block, _split(block, dimension)) for block in group]
        plane = dimension == 2 or (dimension is None and _in_the_plane(group, layered))
        for k, (block, layers) in enumerate(layered):
            if k == 0 or plane:
                drafts.append(_Draft(block.line))
            drafts[-1].layers += [(block.line, rows) for rows in layers]
            drafts[-1].names |= block.names
    return drafts


def _by_solution(blocks: Sequence[_Block]) -> Iterator[list[_Block]]:
    group: list[_Block] = []
    for block in blocks:
        if block.new and group:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _in_the_plane(group: Sequence[_Block], layered: Sequence[tuple[_Block, list[list[str]]]]) -> bool:
    """Whether blocks below each other are assemblies of their own: one layer each, of the same letters."""
    if any(block.starts or len(layers) > 1 for block, layers in layered):
        return False
    letters = [{sign for row in block.rows for sign in row} - set(EMPTY) for block in group]
    return all(own == letters[0] for own in letters)


def _split(block: _Block, dimension: int | None) -> list[list[str]]:
    """The layers of a block: beneath their titles, between bars, or parted by columns that are blank in all rows."""
    if block.starts:
        ends = (*block.starts[1:], None)
        return [[row[a:b].rstrip() for row in block.rows] for a, b in zip(block.starts, ends, strict=True)]
    if any("|" in row for row in block.rows):
        most = max(row.count("|") for row in block.rows)
        parts = [row.split("|") + [""] * (most - row.count("|")) for row in block.rows]
        return [_dedented([row[k] for row in parts]) for k in range(most + 1)]
    if dimension == 2:
        return [_dedented(block.rows)]
    width = max(map(len, block.rows))
    blank = [all(row[c : c + 1].strip() == "" for row in block.rows) for c in range(width)]
    spans = [(is_blank, len(list(run))) for is_blank, run in groupby(blank)]
    cuts, at = [0], 0
    for is_blank, length in spans:
        if is_blank and length > 1 and at > 0:
            cuts.append(at + length)
        at += length
    return [_dedented([row[a:b] for row in block.rows]) for a, b in zip(cuts, [*cuts[1:], width], strict=True)]


def _dedented(rows: Sequence[str]) -> list[str]:
    indent = min((len(row) - len(row.lstrip()) for row in rows if row.strip()), default=0)
    return [row[indent:].rstrip() for row in rows]


def _assembly(draft: _Draft, dimension: int, path: str) -> Assembly:
    if dimension == 2 and len(draft.layers) > 1:
        what = f"has {len(draft.layers)} layers, but must be flat"
        raise PuzzleFileError([Complaint(what, path, draft.line)])
    rows = [row for _, layer in draft.layers for row in layer]
    pitch = 1 if any(a != " " != b for row in rows for a, b in pairwise(row)) else 2
    pieces: dict[str, list[tuple[int, ...]]] = {}
    for z, (line, layer) in enumerate(draft.layers):
        for r, row in enumerate(layer):
            for column, sign in enumerate(row):
                if sign != " " and column % pitch:
                    what = f"{sign!r} is not in line with the letters of other rows; put one blank between letters"
                    raise PuzzleFileError([Complaint(what, path, line + r)])
                if sign not in EMPTY:
                    pieces.setdefault(sign, []).append((r, column // pitch, z)[:dimension])
    names = {letter: name for letter, name in draft.names.items() if letter in pieces}
    return Assembly({sign: tuple(sorted(cells)) for sign, cells in pieces.items()}, dimension, draft.line, names)
