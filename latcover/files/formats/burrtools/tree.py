"""The elements of a BurrTools file that describe puzzles, each with its line and column.

The file may be hostile. It is unpacked and parsed piece by piece, so that one that unpacks to far too much fills no
memory. Elements that do not describe puzzles are skipped. Most of a file may be such elements: stored solutions.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import XMLParser
from msgspec import Struct, field

from latcover.files.formats.source import TO_MEND, Source

GZIP = b"\x1f\x8b"
CHUNK = 1 << 16
LONGEST_TAG = 1 << 20  # the parser scans a tag again with every piece of the file, so its time grows with the square
MOST_SHAPES, MOST_KEPT, MOST_ELEMENTS, MOST_DEPTH = 10_000, 100_000, 1_000_000, 1_000
INSIDE = {  # the elements that are read, by the one that holds them
    "": {"puzzle"},
    "puzzle": {"gridType", "colors", "shapes", "problems", "comment"},
    "colors": {"color"},
    "shapes": {"voxel"},
    "problems": {"problem"},
    "problem": {"problemShapes", "result", "bitmap"},
    "problemShapes": {"shape"},
    "bitmap": {"pair"},
    "shape": {"group"},
}
WITH_SOLUTIONS = INSIDE | {  # the same, with the stored solutions
    "problem": INSIDE["problem"] | {"solutions"},
    "solutions": {"solution"},
    "solution": {"assembly", "separation"},
    "separation": {"pieces", "state", "separation"},
    "state": {"dx", "dy", "dz"},
}
TEXTS = {"comment", "assembly", "pieces", "dx", "dy", "dz"}  # elements whose text is kept
_VOXEL_TEXT = re.compile(r"[_#+0-9\s]*")


class Element(Struct):
    """An element of the file, with the line and column at which it starts."""

    name: str
    attributes: dict[str, str]
    line: int
    column: int
    children: list[Element] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def all(self, name: str) -> list[Element]:
        """The children of that name."""
        return [child for child in self.children if child.name == name]

    def each(self, outer: str, inner: str) -> list[Element]:
        """The children *inner* of the children *outer*."""
        return [element for group in self.all(outer) for element in group.all(inner)]


class _RefusedError(Exception):
    """What stops the parser, with what is wrong."""


class _Tree:
    """Builds the elements that `INSIDE` names, from the parser's events.

    It sets the handlers of expat itself, because the parser above it would build a tree of everything. Most elements
    of a file may belong to stored solutions; these are only counted.
    """

    def __init__(self, inside: dict[str, set[str]]) -> None:
        self.parser: Any = None
        self._inside, self._most_kept = inside, MOST_KEPT if inside is INSIDE else MOST_ELEMENTS
        self.root: Element | None = None
        self._open: list[Element] = []
        self._n_kept = self._n_shapes = self._n_skipped = 0
        self._depth = 0  # inside an element that is not read

    def listen_to(self, parser: Any) -> None:
        """Take the events of an expat parser, and ask it for positions."""
        self.parser = parser
        parser.ordered_attributes = False
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._data

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._depth:
            self._pass_over()
            return
        parent = self._open[-1] if self._open else None
        if parent is None and tag != "puzzle":
            raise _RefusedError(f"holds <{tag[:40]}>, not the <puzzle> of a BurrTools file")
        name = "problemShapes" if parent and parent.name == "problem" and tag == "shapes" else tag
        if name in self._inside.get(parent.name if parent else "", ()):
            self._keep(name, attributes, parent)
        else:
            self._pass_over()

    def _pass_over(self) -> None:
        self._depth += 1
        self._n_skipped += 1
        if self._depth > MOST_DEPTH:
            raise _RefusedError(f"holds elements nested more than {MOST_DEPTH:,} deep")
        if self._n_skipped > MOST_ELEMENTS:
            raise _RefusedError(f"holds more than {MOST_ELEMENTS:,} elements; delete the stored solutions in BurrTools")

    def _keep(self, name: str, attributes: dict[str, str], parent: Element | None) -> None:
        self._n_kept += 1
        self._n_shapes += name == "voxel"
        if self._n_shapes > MOST_SHAPES:
            raise _RefusedError(f"holds more than {MOST_SHAPES:,} shapes")
        if self._n_kept > self._most_kept:
            raise _RefusedError(f"holds more than {self._most_kept:,} shapes, problems and their parts")
        if len(self._open) > MOST_DEPTH:
            raise _RefusedError(f"holds elements nested more than {MOST_DEPTH:,} deep")
        element = Element(name, attributes, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)
        if parent is None:
            self.root = element
        else:
            parent.children.append(element)
        self._open.append(element)

    def _end(self, _tag: str) -> None:
        if self._depth:
            self._depth -= 1
        else:
            self._open.pop()

    def _data(self, text: str) -> None:
        if self._depth or not self._open:
            return
        if self._open[-1].name in TEXTS:
            self._open[-1].text.append(text)
        if self._open[-1].name != "voxel":
            return
        sound = _VOXEL_TEXT.match(text)
        assert sound
        if sound.end() < len(text):
            number = self._n_shapes
            raise _RefusedError(
                f"stray character {text[sound.end()]!r} in the text of shape S{number}; it may hold _ for an empty "
                "voxel, # for a filled one, + for a variable one, and a colour's number after # and +"
            )
        self._open[-1].text.append(text)


def read_tree(source: Source, most: int, *, solutions: bool = False) -> Element:
    """The element <puzzle> of a BurrTools file, gzipped or not; unpacked it may have *most* bytes.

    With *solutions*, it holds the stored solutions too.

    Raises:
        PuzzleFileError: the file cannot be unpacked, is too large once unpacked, or is not valid XML.
    """
    inside = WITH_SOLUTIONS if solutions else INSIDE
    try:
        return _parse(source, most, None, inside)
    except _BadBytesError:  # the program itself has written Latin-1 without saying so
        return _parse(source, most, "iso-8859-1", inside)


class _BadBytesError(Exception):
    """The text is not in the encoding that it claims."""


def _parse(source: Source, most: int, encoding: str | None, inside: dict[str, set[str]]) -> Element:
    tree = _Tree(inside)
    parser = XMLParser(target=tree, encoding=encoding, forbid_dtd=True)
    tree.listen_to(parser.parser)
    line = column = fed = 0
    beyond_ascii = False
    try:
        for chunk in _unpacked(source.content, most):
            beyond_ascii = beyond_ascii or not chunk.isascii()
            parser.feed(chunk)
            fed += len(chunk)
            if fed - tree.parser.CurrentByteIndex > LONGEST_TAG:
                raise _RefusedError(f"has a tag, a comment or an instruction of more than {LONGEST_TAG:,} bytes")
        parser.close()
        assert tree.root is not None, "the parser accepts no document without an element"
        return tree.root
    except _RefusedError as problem:
        message, line, column = str(problem), tree.parser.CurrentLineNumber, tree.parser.CurrentColumnNumber + 1
    except _PackingError as problem:
        message = str(problem)
    except DefusedXmlException:
        message = "has a document type or entities, which no BurrTools file needs"
        line = tree.parser.CurrentLineNumber
    except SyntaxError as problem:  # what the XML parser calls ParseError
        code: int = getattr(problem, "code", 0)
        if beyond_ascii and encoding is None and code in _OF_ENCODING:
            raise _BadBytesError from None
        message = f"is not valid XML: {expat.ErrorString(code) or problem}"
        line, column = getattr(problem, "position", (0, 0))
        column += 1
    except (LookupError, ValueError) as problem:
        message = f"is not valid XML: {problem}"
    raise source.fault(message, line, column)


_OF_ENCODING = {
    expat.errors.codes[error]
    for error in (
        expat.errors.XML_ERROR_INVALID_TOKEN,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
        expat.errors.XML_ERROR_BAD_CHAR_REF,
        expat.errors.XML_ERROR_INCORRECT_ENCODING,
        expat.errors.XML_ERROR_UNKNOWN_ENCODING,
    )
}


class _PackingError(Exception):
    """The gzip file is at fault, or holds too much."""


def _unpacked(raw: bytes, most: int) -> Iterator[bytes]:
    """The bytes of the file, unpacked where it is gzipped, a piece at a time; at most *most* of them."""
    if not raw.startswith(GZIP):
        yield from (raw[at : at + CHUNK] for at in range(0, len(raw), CHUNK))
        return
    seen = 0
    try:
        with gzip.open(io.BytesIO(raw)) as file:
            while piece := file.read(CHUNK):
                seen += len(piece)
                if seen > most:
                    raise _PackingError(f"holds more than {most:,} bytes when unpacked{TO_MEND}")
                yield piece
    except EOFError:
        raise _PackingError("is a gzip file that ends too early; get the file again") from None
    except (OSError, zlib.error) as problem:
        raise _PackingError(f"is a damaged gzip file: {problem}") from None
