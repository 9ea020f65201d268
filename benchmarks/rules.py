"""Which backend is the best for which rule on parts: `python -m latcover.benchmarks.rules --seconds 20`.

Each row is a puzzle with a rule, all of whose solutions are counted, or one of which is found. A row's figures are
seconds of processor time, and in brackets how many covers a solver learned from; ">" stands where the time was over.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

from latcover.core.cover.events import Events
from latcover.core.cover.search import Progress
from latcover.core.model.puzzle import Part, Puzzle, box
from latcover.core.solving.count import CountRequest, count
from latcover.errors import InternalError
from latcover.files.formats.library import load_lattice, puzzle_of
from latcover.lab.comparing.comparison_tables import markdown_table

BACKENDS = ("bitset", "dlx", "backtrack", "cpsat", "sat")


@dataclass(frozen=True, slots=True)
class Question:
    """A puzzle and rules on its parts; how many solutions there are, or with *limit* one of them."""

    puzzle: str | Puzzle
    rules: tuple[str, ...]
    limit: int | None = None

    @property
    def words(self) -> str:
        name = self.puzzle if isinstance(self.puzzle, str) else self.puzzle.name
        return ", ".join(filter(None, [name, " ".join(self.rules), "one solution" if self.limit else ""]))


def dominoes(*sizes: int) -> Puzzle:
    """A board to be filled with dominoes."""
    name = f"dominoes on {' x '.join(map(str, sizes))}"
    return Puzzle(name, load_lattice("square"), box(*sizes), (Part("domino", "XX", low=0, high=None),))


def two_kinds(size: int) -> Puzzle:
    """A square board to be filled with dominoes, half of them red and half of them blue."""
    kinds = tuple(Part(name, "XX", low=size**2 // 4) for name in ("red", "blue"))
    return Puzzle(f"red and blue dominoes on {size} x {size}", load_lattice("square"), box(size, size), kinds)


QUESTIONS = (
    Question("pent-10x6", ("no-crossroads",)),  # a local rule: items
    Question("pent-10x6", ("colourable-corners=3",)),  # few solutions pass
    Question("pent-10x6", ("colourable=2",)),  # none does
    Question("pent-10x6", ("connected=F,I,L,N,P,T",)),  # many do
    Question("pent-10x6", ("connected=F,L", "connected=N,P", "connected=T,U", "connected=V,W")),  # few do
    Question(dominoes(6, 6), ("no-fault-lines",)),  # there is none, by counting
    Question(dominoes(6, 8), ("no-fault-lines",), 1),
    Question("torus-89-apart", (), 1),
    Question(two_kinds(6), ("connected=red", "connected=blue"), 1),  # very many covers, few of which keep the rules
    Question(two_kinds(8), ("connected=red", "connected=blue"), 1),
)


class _InTime(Events):
    """Stops a search at so many seconds of processor time."""

    def __init__(self, until: float) -> None:
        self._until = until

    def on_progress(self, progress: Progress) -> bool:
        return time.process_time() < self._until


def measured(question: Question, backend: str, seconds: float) -> tuple[int | None, str]:
    """The answer of a backend, None if its time was over; and what it took."""
    before = time.process_time()
    request = CountRequest(
        backend=backend,
        options={"solver": "minisat22"} if backend == "sat" else {},  # in this process, whose time is read
        rules=question.rules,
        limit=question.limit,
    )
    answer = count(puzzle_of(question.puzzle), request, _InTime(before + seconds))
    took = time.process_time() - before
    if not answer.complete and answer.different != question.limit:
        return None, f"> {took:.0f}"
    refused = answer.figures.native.get("refused", 0)
    return answer.different, f"{took:.2f}" + (f" ({refused:,})" if refused else "")


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="of processor time for each backend and question")
    seconds, rows = parser.parse_args().seconds, []
    for question in QUESTIONS:
        cells, answers = [], set()
        for backend in BACKENDS:
            answer, cell = measured(question, backend, seconds)
            cells.append(cell)
            answers |= {answer} - {None}
        if len(answers) > 1:
            raise InternalError(f"{question.words}: the backends disagree: {sorted(map(str, answers))}")
        told = "?" if not answers else f"{next(iter(answers)):,}"
        rows.append((question.words, told, *cells))
        print(rows[-1], flush=True)
    print("\n".join(markdown_table(("puzzle and rules", "solutions", *BACKENDS), rows)))


if __name__ == "__main__":
    main()
