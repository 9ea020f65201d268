"""The tasks of child processes. `jobs` has a function for each.

Clients send tasks as JSON. Their ``subject`` is the puzzle or problem.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, field

from latcover.apps.web.answers import FileTable
from latcover.apps.web.kept_solutions import KeptPlacement, KeptSolution, Labels
from latcover.apps.web.subject import CoverSubject, NewSubject, ShippedSubject, Subject, TextSubject
from latcover.core.cover.search import Rule
from latcover.core.model.request_values import Positive, SymmetryChoice
from latcover.core.solving.count import CountRequest
from latcover.core.solving.solve import SolveRequest
from latcover.lab.asking.all_solutions import DiagramRequest
from latcover.lab.asking.best import BestRequest
from latcover.lab.exploring.exploring_requests import ExcludeRequest, PackRequest

MOST_BEST = 20  # solutions that a page shows side by side
Length = Annotated[float, Meta(ge=0, lt=1e9)]
PartNames = Annotated[tuple[str, ...], Meta(max_length=1000)]


class SetSubject(msgspec.Struct, tag_field="form", tag="set"):
    """A part set that is shipped, or a ready one, such as "polyominoes:1-5"."""

    name: str


class SentFile(msgspec.Struct):
    """A file that a client sends; its content in base64."""

    name: Annotated[str, Meta(max_length=1000)]
    content: str


class Task(msgspec.Struct, kw_only=True, tag_field="task"):
    """A task of a child process."""


class OpenTask(Task, tag="open"):
    """Return a subject as data for the editor."""

    subject: Subject


class PartsTask(Task, tag="parts"):
    """Return the parts of a subject or a part set, which may be the text of a file."""

    subject: SetSubject | ShippedSubject | TextSubject | NewSubject | CoverSubject = field(name="from")


class PlayTask(Task, tag="play"):
    """Return a puzzle as data for playing it and for solving it in the page."""

    subject: Subject
    symmetry: SymmetryChoice = "all"


class ReadTask(Task, tag="read"):
    """Read a puzzle file, perhaps with the lattices and part sets that it names."""

    files: Annotated[list[SentFile], Meta(min_length=1, max_length=20)]
    problem: str | None = None


class LatticeTask(Task, tag="judge lattice"):
    """Check a lattice, given as the table of a lattice file or as its text."""

    lattice: FileTable | None = None
    text: str | None = None


class BeginTask(LatticeTask, tag="begin on lattice"):
    """Return a first puzzle on a lattice."""


class DrawTask(Task, tag="draw"):
    """Draw a solution, or the region if ``placements`` is left out; as SVG, or as data for the viewer."""

    subject: Subject
    what: Literal["svg", "scene"] = "svg"
    placements: list[KeptPlacement] | None = None
    labels: Labels = (1, 1, 1)


class CardTask(Task, tag="draw card"):
    """Draw a card: a solution if it is to be ``solved`` and one is found soon, otherwise the region."""

    subject: Subject
    solved: bool = False


class LatticeCardTask(Task, tag="draw lattice"):
    """Draw some cells of a shipped lattice, for a page on which one is chosen."""

    name: str


class DrawDesignTask(Task, tag="draw design"):
    """Draw a solution of a design; its parts have the colours that they have in ``family``."""

    toml: str
    family: Subject | None = None


class ApartTask(Task, tag="apart"):
    """Take solutions apart, for the viewer to play the hardest. They are listed as in an `ExportTask`.

    ``first`` is the place of the first one in its run.
    """

    subject: Subject
    placements: list[KeptPlacement]
    solutions: Annotated[list[KeptSolution], Meta(min_length=1)]
    first: int = 0
    seconds: float | None = None


class Measures(msgspec.Struct, forbid_unknown_fields=True):
    """The lengths of a model in millimetres, and the distance between its parts."""

    edge: Length | None = None
    clearance: Length | None = None
    chamfer: Length | None = None
    explode: Length | None = None

    def given(self) -> dict[str, float]:
        """Those that are given."""
        return {name: value for name, value in msgspec.structs.asdict(self).items() if value is not None}


class Sheet(msgspec.Struct, forbid_unknown_fields=True):
    """The layout of printed sheets; None leaves a choice to latcover."""

    paper: Annotated[str, Meta(max_length=40)] = "A4"
    landscape: bool | None = None
    columns: Annotated[int, Meta(ge=1, le=500)] | None = None
    title: Annotated[str, Meta(max_length=200)] | None = None


class ExportTask(Task, tag="export"):
    """Write a file: the problem in another form, a picture or a model of solutions, or sheets to print.

    A solution consists of its labels and the numbers of its ``placements``.
    """

    subject: Subject
    form: str
    symmetry: SymmetryChoice = "none"
    measures: Measures | None = None
    sheet: Sheet | None = None
    name: str | None = None
    placements: list[KeptPlacement] = []
    solutions: list[KeptSolution] | None = None


class SolveTask(SolveRequest, frozen=True, kw_only=True, tag_field="task", tag="solve"):
    """Find solutions. The server keeps the time, since a run can be paused.

    ``group``: "blocks" sends one solution of each group of those that differ only by blocks turned in place.
    """

    subject: Subject
    limit: Positive | None = None
    group: Literal["", "blocks"] = ""


class CountTask(CountRequest, frozen=True, kw_only=True, tag_field="task", tag="count"):
    """Count solutions."""

    subject: Subject


class BestTask(BestRequest, frozen=True, kw_only=True, tag_field="task", tag="best"):
    """Find the best solutions."""

    subject: Subject
    limit: Annotated[int, Meta(ge=1, le=MOST_BEST)] = 1


class PackTask(PackRequest, frozen=True, kw_only=True, tag_field="task", tag="pack"):
    """Pack the region of a subject with its parts, or with those named in ``parts``.

    ``own_counts``: as often as the puzzle says; otherwise any number of times.
    """

    subject: Subject
    parts: PartNames = ()
    own_counts: bool = False


class ExcludeTask(ExcludeRequest, frozen=True, kw_only=True, tag_field="task", tag="exclude"):
    """Find the fewest cells of a subject's region that keep its parts out, or those named in ``parts``."""

    subject: Subject
    parts: PartNames = ()


class SampleTask(DiagramRequest, frozen=True, kw_only=True, tag_field="task", tag="sample"):
    """Draw solutions at random from all, each alike."""

    subject: Subject
    number: Annotated[int, Meta(ge=1, le=10_000)] = 1
    seed: Annotated[int, Meta(ge=0, le=2**53)] = 0


class ProbabilitiesTask(DiagramRequest, frozen=True, kw_only=True, tag_field="task", tag="probabilities"):
    """Count in how many solutions each part is on each cell, and draw maps of it."""

    subject: Subject


class WatchTask(Task, tag="watch", forbid_unknown_fields=True):
    """Return the first steps of searches by several rules, for a view to play."""

    subject: Subject
    symmetry: SymmetryChoice = "all"
    rules: Annotated[tuple[Rule, ...], Meta(min_length=1, max_length=4)] = ("first", "fewest")
    seconds: float | None = None


class CompareTask(Task, tag="compare", forbid_unknown_fields=True):
    """Compare several methods: those listed, or all known ones."""

    subject: Subject
    symmetry: SymmetryChoice = "all"
    methods: Annotated[str, Meta(max_length=500)] | None = None
    seconds_each: Annotated[float, Meta(gt=0)] = 10.0
    seconds: float | None = None


class DesignTask(Task, tag="design", forbid_unknown_fields=True):
    """Make puzzles: sets of parts, regions, cuts of a region, or growth of a solution."""

    subject: Subject
    way: Literal["sets", "regions", "cut", "grow"]
    wanted: dict[str, Any] = {}
    seconds: float | None = None


class PlaneTask(Task, tag="plane", forbid_unknown_fields=True):
    """Say whether a shape of a shipped lattice tiles the plane. A cell is the number of its node, then coordinates."""

    lattice: Annotated[str, Meta(max_length=100)]
    cells: Annotated[list[list[Annotated[int, Meta(gt=-1_000_000, lt=1_000_000)]]], Meta(min_length=1, max_length=200)]
    one_sided: bool = False
    seconds: float | None = None


RunTask = (
    SolveTask
    | CountTask
    | BestTask
    | PackTask
    | ExcludeTask
    | SampleTask
    | ProbabilitiesTask
    | WatchTask
    | CompareTask
    | DesignTask
    | PlaneTask
)  # what clients may start as a run
AnyTask = (
    RunTask
    | OpenTask
    | PartsTask
    | PlayTask
    | ReadTask
    | LatticeTask
    | BeginTask
    | DrawTask
    | CardTask
    | LatticeCardTask
    | DrawDesignTask
    | ApartTask
    | ExportTask
)
