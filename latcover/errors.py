"""Every error that latcover raises. Its class says who is at fault: the input, the request, the machine, or us."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from msgspec import Struct

LONGEST_MESSAGE = 3000  # characters
LONGEST_SUGGESTED = 80
MOST_LISTED = 60
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


class Complaint(Struct, frozen=True):
    """One fault of an input file; with ``warning``, something that is merely odd."""

    message: str
    path: str = ""
    line: int = 0
    column: int = 0
    warning: bool = False

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part)
        kind = "warning: " if self.warning else ""
        return printable(f"{place}: {kind}{self.message}" if place else kind + self.message)


class LatcoverError(Exception):
    """The base class of latcover's errors. The message says what is wrong, where, and what would mend it."""

    def __str__(self) -> str:
        return printable(super().__str__())


def printable(text: str) -> str:
    """Make a message one paragraph that is safe to show. The middle of a very long message is left out."""
    if len(text) > LONGEST_MESSAGE:
        text = f"{text[: LONGEST_MESSAGE // 2]} [...] {text[-LONGEST_MESSAGE // 4 :]}"
    return escaped(text)


def escaped(text: str, keep: str = "") -> str:
    r"""Make *text* safe to show. It may come from a file, and hold anything.

    A control character becomes an escape such as ``\x1b``. Otherwise a name in a file could clear the terminal, or look
    like a line of ours. Marks that change the direction of writing, and other characters that nobody sees, are escaped
    too. Spaces of every width stay, and so do the characters in *keep*.
    """
    if text.isprintable() or (keep and text.translate(dict.fromkeys(map(ord, keep))).isprintable()):
        return text
    return "".join(c if _is_shown(c) or c in keep else c.encode("unicode_escape").decode() for c in text)


def written_lines(text: str) -> str:
    """Lines of text as files keep them: what no XML can hold becomes an escape, and nothing stands at the end."""
    lines = (line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return "".join(escaped(c) if c != "\n" and unwritable(c) else c for c in "\n".join(lines)).strip("\n")


def unwritable(text: str) -> str:
    """The first character that no XML, and so no picture, can hold; "" if there is none."""
    found = _UNWRITABLE.search(text)
    return found[0] if found else ""


def _is_shown(character: str) -> bool:
    return character.isprintable() or unicodedata.category(character) == "Zs"


class InputError(LatcoverError):
    """An input cannot be used; ``complaints`` lists all its faults."""

    def __init__(self, complaints: Iterable[Complaint] | str) -> None:
        self.complaints = (Complaint(complaints),) if isinstance(complaints, str) else tuple(complaints)
        first, *rest = [complaint for complaint in self.complaints if not complaint.warning]
        more = f" (and {len(rest)} more; `latcover check` lists them all)" if rest else ""
        super().__init__(f"{first}{more}")


class PuzzleFileError(InputError):
    """A puzzle file cannot be read; each complaint has path, line and column."""


class LatticeError(InputError):
    """A lattice breaks its own laws, or a lattice file cannot be read."""


class PuzzleError(InputError):
    """A puzzle contradicts itself: its parts belong to another lattice, say, or their volume cannot fit."""


class UnsupportedError(LatcoverError):
    """The chosen backend or command cannot honour an option or a rule."""


class OutOfTimeError(LatcoverError):
    """The time limit was over before the search began: nothing is known."""


class StoppedError(OutOfTimeError):
    """The work was stopped before the search began, as by Ctrl-C."""


class TooLargeError(UnsupportedError):
    """A request needs more than its bound allows; the user could raise the bound."""


class BackendUnavailableError(LatcoverError):
    """A backend needs something that is not installed."""


class BackendFailedError(LatcoverError):
    """A solver broke down during a search: more covers may exist than it had found."""


class RunFileError(LatcoverError):
    """The file of a run cannot be read, written or continued."""


class DamagedRunError(RunFileError):
    """The file of a run that holds something else than what was written into it."""


class ClusterError(LatcoverError):
    """A cluster cannot be reached, or cannot search. A run keeps everything that it has recorded."""


class InternalError(LatcoverError):
    """A defect of latcover itself; please report it."""


def counted(number: int, noun: str) -> str:
    """A number and a noun: "1 branch", "2 branches"."""
    plural = "es" if noun.endswith(("ch", "s")) else "s"
    return f"{number:,} {noun}{'' if number == 1 else plural}"


def nearest(name: str, known: Iterable[str], cutoff: float = 0.5) -> str | None:
    """The one of *known* that *name* most likely means; None if none is near. A *cutoff* of 1 asks for equality."""
    names = {each.lower(): each for each in sorted(known, reverse=True) if len(each) <= LONGEST_SUGGESTED}
    found = get_close_matches(name[:LONGEST_SUGGESTED].lower(), sorted(names), n=1, cutoff=cutoff)
    return names[found[0]] if found else None


# What other programs, and people, call what we call otherwise; the first of ours that is known is meant.
OTHER_WORDS = {
    **dict.fromkeys(("piece", "pieces", "shapes", "polyominoes", "polycubes"), "part parts pentominoes"),
    **dict.fromkeys(("result", "goal", "board", "box", "container", "tray", "frame", "shape"), "region box"),
    **dict.fromkeys(("voxels", "coordinates"), "cells"),
    **dict.fromkeys(("grid", "gridtype", "tiling"), "lattice"),
    **dict.fromkeys(("hole", "holes", "without"), "minus"),
    **dict.fromkeys(("copies", "number", "quantity", "amount", "range"), "count"),
    **dict.fromkeys(("rotate", "rotations", "orientations", "symmetry"), "symmetry transformations"),
    **dict.fromkeys(("reflections", "both"), "all transformations"),
    **dict.fromkeys(("format", "form"), "json output"),
    **dict.fromkeys(("mirror", "mirrors", "reflection", "chirality"), "mirror_of no-mirrors transformations symmetry"),
    **dict.fromkeys(("author", "designer", "inventor"), "source"),
    **dict.fromkeys(("description", "note", "notes", "remarks"), "comment"),
    **dict.fromkeys(("solver", "engine", "algorithm", "method"), "backend method"),
    **dict.fromkeys(("time", "timeout", "seconds", "max-time"), "time seconds max-branches"),
    **dict.fromkeys(("jobs", "cores", "processes", "workers", "parallel"), "threads"),
    **dict.fromkeys(("max", "max-solutions", "first", "number-of-solutions"), "limit"),
    **dict.fromkeys(("out", "save", "dir", "folder", "file"), "output export"),
    **dict.fromkeys(("disassemble", "disassembly", "takeapart", "separate"), "assemble assembly take-apart"),
    **dict.fromkeys(("enumerate", "search", "find", "solutions"), "solve"),
    **dict.fromkeys(("draw", "view", "render", "print", "picture", "display", "plot", "stl"), "show"),
    **dict.fromkeys(("convert", "write"), "export"),
    **dict.fromkeys(("validate", "lint", "test"), "check"),
    **dict.fromkeys(("gui", "web", "server", "app", "ui"), "serve"),
    **dict.fromkeys(("generate", "create", "make", "invent"), "design"),
    **dict.fromkeys(("resume", "continue"), "runs"),
    **dict.fromkeys(("burrtools", "burr-tools", "burr_tools", "polysolver", "puzzlesolver"), "xmpuzzle"),
    **dict.fromkeys(("puzzlecad", "openscad"), "scad"),
    **dict.fromkeys(("cnf", "sat"), "dimacs"),
    **dict.fromkeys(("ilp", "mip", "cplex", "gurobi"), "lp mps"),
    **dict.fromkeys(("mzn",), "minizinc"),
    **dict.fromkeys(("xcc", "dlx2", "knuth"), "dlx"),
    **dict.fromkeys(("cube", "cubes", "brick", "bricks", "voxel"), "cubic"),
    **dict.fromkeys(("hex", "hexagon", "hexagons"), "hexagonal"),
    **dict.fromkeys(("triangle", "triangles"), "triangular"),
    **dict.fromkeys(("sphere", "spheres", "balls"), "fcc"),
}


def _other_word(name: str, known: Mapping[str, str]) -> str | None:
    """What a word of other programs, or of other people, means here; None if it is no such word."""
    meant = OTHER_WORDS.get(name, "").split()
    return next((known[word] for word in meant if word in known), None)


def suggest(name: str, known: Iterable[str], *, listing: bool = True) -> str:
    """Say "; did you mean X?" for the one of *known* that is meant. If none is near, list them, if *listing*."""
    known = sorted(each for each in known if len(each) <= LONGEST_SUGGESTED)
    plain = {each.lstrip("-").lower(): each for each in known}  # the dashes of options are no likeness
    word = name.lstrip("-").lower()
    begun = [own for own in plain if len(word) > 2 and own.startswith(word)]
    near = _other_word(word, plain)
    if near is None:
        found = begun[0] if len(begun) == 1 else nearest(word, plain, 0.5 if len(word) < 4 else 0.6)
        near = plain.get(found or "")
    if near is not None:
        return f"; did you mean {near!r}?"
    return f"; known: {listed(known)}" if known and listing else ""


def listed(names: Iterable[str]) -> str:
    """Names with commas between them. Of many names only the first are listed, with the number of the others."""
    names = list(names)
    if len(names) <= MOST_LISTED:
        return ", ".join(names)
    return f"{', '.join(names[:MOST_LISTED])} and {len(names) - MOST_LISTED:,} more"
