"""What is compared: the families of problems and the tasks of `cases.toml`, and the cover problem of each case."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from benchmarks import generated
from benchmarks.suite_puzzles import prepared_of
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.model.puzzle import Bounds
from latcover.files.formats.library import read
from latcover.files.formats.source import Source, shipped

Task = Literal["all", "count", "one", "puzzle", "apart", "plane"]
Answer = int | tuple[int, ...]
_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
TASKS: dict[Task, str] = {task: about["title"] for task, about in _DATA["tasks"].items()}
ASKED: dict[Task, str] = {task: about["asked"] for task, about in _DATA["tasks"].items()}
SUDOKUS: dict[str, str] = _DATA["sudokus"]
MAKERS: dict[str, Callable[[int], generated.Options]] = {  # of families by their sizes
    "queens": generated.queens,
    "Langford": generated.langford,
    "L tricubes": lambda n: generated.ells(2, 3, n),
    "rectangles": generated.rectangles,
    "tiles": lambda n: generated.tiles(n, 2 * n + 1),
    "random": lambda n: generated.random_cover(n, 60 / (n * (n - 1))),
    "needle": lambda n: generated.random_cover(n, 15 / (n * n)),
    "dominoes": lambda n: generated.dominoes(n, n),
    "Latin squares": lambda n: generated.latin(n, n),
    "partitions": generated.partitions,
}


class Family(msgspec.Struct, frozen=True):
    """Problems of one kind, by their sizes or names, with the answers of each task; see `cases.toml`."""

    name: str
    about: str
    source: str
    size: str
    answers: Mapping[Task, Mapping[int | str, Answer]]


def _family(name: str, data: Mapping[str, Any]) -> Family:
    answers = {
        task: {int(size) if data["size"] else size: answer for size, answer in by_size.items()}
        for task, by_size in data["answers"].items()
    }
    return msgspec.convert({**data, "name": name, "answers": answers}, Family)


FAMILIES = tuple(_family(name, data) for name, data in _DATA["families"].items())
BY_NAME = {family.name: family for family in FAMILIES}


def seconds_for(task: Task, seconds: float) -> float:
    """The processor time that a question of a task may take, where that of a plain one may take so long."""
    return float(seconds * _DATA["tasks"][task].get("times", 1))


class Case(msgspec.Struct, frozen=True):
    """One problem, and what is asked."""

    task: Task
    family: str
    size: int | str
    answer: Answer

    @property
    def problem(self) -> str:
        """Its name: unique among all problems, but the same for each task."""
        return f"{self.family} {self.size}" if isinstance(self.size, int) else self.size


def cases_of(task: Task, *, quick: bool = False) -> Iterator[Case]:
    """The problems of a task, family by family, the smallest first."""
    for family in FAMILIES:
        answers = list(family.answers.get(task, {}).items())
        for size, answer in answers[:1] if quick else answers:
            yield Case(task, family.name, size, answer)


@lru_cache(maxsize=4)
def problem_of(case: Case) -> NamedProblem:
    """The cover problem, its items with names; of a puzzle reduced by its symmetries, or whole where one is asked."""
    family = BY_NAME[case.family]
    if family.name == "sudoku":
        return _read(case.problem, generated.sudoku(SUDOKUS[case.problem]))
    if isinstance(case.size, int):
        return _read(case.problem, MAKERS[family.name](case.size))
    return named(case.problem, prepared_of(case.problem).problem)


def named(name: str, problem: CoverProblem) -> NamedProblem:
    """A problem whose items have only numbers."""
    colours = tuple(f"c{k}" for k in range(int(problem.option_colours.max(initial=0))))
    return NamedProblem(name, problem, tuple(f"i{k}" for k in range(problem.n_items)), colours)


def _read(name: str, options: generated.Options) -> NamedProblem:
    (subject,) = read(Source(generated.text_of(options).encode(), f"{name}.dlx", shipped), Bounds()).values()
    assert isinstance(subject, NamedProblem)
    return subject
