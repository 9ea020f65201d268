"""What the tasks of child processes answer. packaging/page_types.py makes the types of the pages from this."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw

from latcover.apps.web.messages import CommandData, DesignFacts
from latcover.core.cover.search import Rule
from latcover.core.cover.solver_registry import SolverOption
from latcover.core.cover.trace import Kind
from latcover.core.model.rules.rule_forms import RuleForm
from latcover.show.drawing.space.scene_structs import SceneData

Summary = Annotated[dict[str, Any], Meta(extra={"typescript": "Summary"})]  # of the command line, or much as there
FileTable = Annotated[dict[str, Any], Meta(extra={"typescript": "FileTable"})]  # a table of a puzzle or lattice file


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a task."""


class Picture(Answer, frozen=True):
    """A picture, as the text of an SVG file."""

    svg: str


class JudgedComplaint(msgspec.Struct, frozen=True):
    """A complaint about a lattice, and the node that it is about."""

    node: str | None
    text: str


class JudgedLattice(Answer, frozen=True, kw_only=True, omit_defaults=True):
    """The complaints about a lattice; or, of a sound one, its file, and how many neighbours each node has."""

    complaints: list[JudgedComplaint]
    toml: str = ""
    lattice: FileTable = {}
    neighbours: dict[str, int] = {}
    transformations: int = 0
    rotations: int = 0


class WrittenFile(Answer, frozen=True):
    """An exported file, whose content was sent before."""

    name: str
    size: int
    remarks: list[str] = []


# Answers of runs: the result as data, and in sentences.


class RunAnswer(Answer, frozen=True):
    """The result of a run, as data and in sentences."""

    summary: Summary
    text: str


class RankedSolution(msgspec.Struct, frozen=True):
    """One of the best solutions: its value, the same in words, and the number at which the run keeps it."""

    value: int
    words: str
    at: int


class BestAnswer(RunAnswer, frozen=True):
    """The best solutions."""

    best: list[RankedSolution]


class ProbabilityMap(msgspec.Struct, frozen=True):
    """A map of all parts (None) or of one. Its rows: what, percentage, number of solutions."""

    part: str | None
    title: str
    svg: str
    rows: list[tuple[str, str, str]]


class ProbabilitiesAnswer(RunAnswer, frozen=True):
    """Maps of how likely each part is on each cell: none if there is no solution, not all if they are very large.

    ``placements``: the lines of `latcover show --probabilities --json`; None if they are too many.
    """

    maps: list[ProbabilityMap] = []
    placements: str | None = None


class HardestSolution(msgspec.Struct, frozen=True):
    """How the hardest of some solutions comes apart, and its place in the run."""

    result: str
    level: list[int]
    number: int
    place: int


class ApartAnswer(Answer, frozen=True):
    """The hardest of some solutions with its film for the viewer, and the result in words."""

    scene: SceneData
    summary: HardestSolution
    text: str


class WatchedStep(msgspec.Struct, frozen=True, array_like=True):
    """A step of a search, as in `core.cover.trace`; ``kind`` "image": a cover that a symmetry makes of another."""

    kind: Kind | Literal["image"]
    level: int
    option: int
    item: int
    ways: int


class WatchedSearch(msgspec.Struct, frozen=True):
    """The first steps of a search by a rule, and whether these are all."""

    rule: Rule
    about: str
    steps: list[WatchedStep]
    whole: bool


class WatchedOption(msgspec.Struct, frozen=True):
    """An option: the number of its part (-1: the cell stays empty), and the numbers of its cells."""

    part: int
    cells: list[int]


class WatchAnswer(Answer, frozen=True):
    """Searches of one problem, step by step."""

    options: list[WatchedOption]
    cells: list[list[int]]
    items: list[str]
    searches: list[WatchedSearch]


class ComparedMethod(msgspec.Struct, frozen=True):
    """What a method did, as `latcover compare --json` says it."""

    method: str
    arguments: list[str]
    status: str
    reason: str
    time_ratio: float | None
    branches_ratio: float | None
    answer: CommandData | None


class CompareAnswer(Answer, frozen=True):
    """A comparison as `latcover compare --json` prints it."""

    puzzle: str
    arguments: list[str]
    machine: str
    figures: CommandData
    methods: list[ComparedMethod]
    agree: bool
    compared: list[str]
    disagreements: list[str]
    verdict: list[str]
    interrupted: bool


# What routes answer from what the server keeps.


class PuzzleSolution(Answer, frozen=True):
    """A solution as `latcover solve --json` prints it."""

    number: int
    image: int
    orbit: int
    placements: Annotated[list[Raw], Meta(extra={"typescript": "CommandData[]"})]


class ProblemSolution(Answer, frozen=True):
    """A solution of a bare problem: the items of each option."""

    number: int
    options: list[tuple[str, ...]]


class DesignLine(DesignFacts, frozen=True, kw_only=True):
    """A design with its file."""

    toml: str


class SomeDesigns(Answer, frozen=True):
    """The facts of some designs of a run."""

    designs: list[DesignFacts]


class PartNumbers(Answer, frozen=True):
    """How many parts each shipped puzzle may use, copies counted; None: any number."""

    parts: dict[str, int | None]


# The catalogue.


class Named(msgspec.Struct, frozen=True):
    """A choice, and words about it."""

    name: str
    about: str


class ShippedPuzzle(msgspec.Struct, frozen=True):
    """A puzzle of the library. ``solutions``: how many different ones, if its file says so."""

    name: str
    title: str
    lattice: str
    shelf: str
    solutions: int | None


class ShippedLattice(msgspec.Struct, frozen=True):
    """A lattice of the library. ``plane``: whether its shapes may tile the plane."""

    name: str
    title: str
    dimension: int
    plane: bool


class ShippedSet(msgspec.Struct, frozen=True):
    """A part set of the library."""

    name: str
    title: str
    lattice: str


class OfferedBackend(msgspec.Struct, frozen=True):
    """A backend and its options, or the reason why it cannot be used."""

    name: str
    about: str
    options: list[SolverOption]
    usable: bool


class Catalogue(Answer, frozen=True):
    """All choices of a page that do not depend on a puzzle, and bounds of the server."""

    version: str
    puzzles: list[ShippedPuzzle]
    shelves: list[Named]
    lattices: list[ShippedLattice]
    sets: list[ShippedSet]
    backends: list[OfferedBackend]
    methods: list[str]
    rules: list[Named]
    part_rules: list[RuleForm]
    forms: list[Named]
    models: list[Named]
    pictures: list[Named]
    papers: list[str]
    suffixes: list[str]
    seconds: float
    solutions: int
    upload: int
