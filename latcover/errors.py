"""Everything latcover raises on purpose, by who is at fault: the input, the request, the machine, or us."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

LONGEST_MESSAGE = 3000  # signs
LONGEST_SUGGESTED = 80
MOST_LISTED = 60


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing wrong with an input file (or, with ``warning``, merely odd about it)."""

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
    """The root of all of latcover's errors; the message says what is wrong, where, and what would mend it."""

    def __str__(self) -> str:
        return printable(super().__str__())


def printable(text: str) -> str:
    """A message as one paragraph that can be shown, since messages quote files of anyone.

    What would end a line or command a terminal is escaped, and the middle of what is very long left out.
    """
    if len(text) > LONGEST_MESSAGE:
        text = f"{text[: LONGEST_MESSAGE // 2]} [...] {text[-LONGEST_MESSAGE // 4 :]}"
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


class InputError(LatcoverError):
    """An input that cannot be used; ``complaints`` holds everything that is wrong with it."""

    def __init__(self, complaints: Iterable[Complaint] | str) -> None:
        if isinstance(complaints, str):
            complaints = [Complaint(complaints)]
        self.complaints = tuple(complaints)
        first, *rest = [complaint for complaint in self.complaints if not complaint.warning]
        more = f" (and {len(rest)} more; `latcover check` lists them all)" if rest else ""
        super().__init__(f"{first}{more}")


class PuzzleFileError(InputError):
    """A puzzle file that cannot be read; each complaint has path, line and column."""


class LatticeError(InputError):
    """A lattice that breaks its own laws, or a lattice file that cannot be read."""


class PuzzleError(InputError):
    """A puzzle that contradicts itself: parts of another lattice, a volume that cannot fit."""


class UnsupportedError(LatcoverError):
    """An option or a rule that the chosen backend or command cannot honour."""


class TooLargeError(UnsupportedError):
    """What was asked needs more than it was allowed; more could be allowed."""


class BackendUnavailableError(LatcoverError):
    """A backend that needs something which is not installed."""


class BackendFailedError(LatcoverError):
    """A solver that broke down during a search: what was found until then is not all there is."""


class RunFileError(LatcoverError):
    """The file of a run that cannot be read, written or gone on with."""


class ClusterError(LatcoverError):
    """A cluster that cannot be reached, or cannot search; what a run has recorded is kept."""


class InternalError(LatcoverError):
    """A defect of latcover itself; please report it."""


def counted(number: int, what: str) -> str:
    """A number and what it counts: "1 branch", "2 branches"."""
    plural = "es" if what.endswith(("ch", "s")) else "s"
    return f"{number:,} {what}{'' if number == 1 else plural}"


def suggest(name: str, known: Iterable[str]) -> str:
    """Say "; did you mean X?" for the nearest of *known*, or list them when none is near."""
    known = sorted(each for each in known if len(each) <= LONGEST_SUGGESTED)
    name = name[:LONGEST_SUGGESTED]
    nearest = get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    if nearest:
        return f"; did you mean {nearest[0]!r}?"
    return f"; known: {listed(known)}" if known else ""


def listed(names: Iterable[str]) -> str:
    """Names, parted by commas; of many the first ones, and how many there are."""
    names = list(names)
    if len(names) <= MOST_LISTED:
        return ", ".join(names)
    return f"{', '.join(names[:MOST_LISTED])} and {len(names) - MOST_LISTED:,} more"
