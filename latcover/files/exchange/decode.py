"""Turns the answers of other programs into solutions: each model is looked up in the puzzle, and verified."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from msgspec import Struct, field

from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import Ints
from latcover.core.cover.searchable import Searchable
from latcover.errors import Complaint, PuzzleError, PuzzleFileError, counted
from latcover.files.exchange.foreign_answers import Model
from latcover.files.exchange.letter_solutions import placements_of
from latcover.files.formats.cover_problems.exported import RULE, exported, key_of, keys_of_options, numbers_where_alike
from latcover.files.formats.letters.letters_text import Assembly

_MOST_COMPLAINTS = 100
MOST_IN_VAIN = 200_000  # models without a new solution among them: an answer that goes on so never ends


class Decoded(Struct):
    """What became of the models of an answer.

    Attributes:
        models: How many there were.
        solutions: How many different solutions, as sets of placements or options, were among them.
        different: Classes of these under the symmetries chosen.
        n_wrong: How many models are not solutions.
        wrong: The first of these: the line where each begins, and what is wrong with it.
    """

    puzzle: str
    symmetry: str
    models: int = 0
    solutions: int = 0
    different: int = 0
    n_wrong: int = 0
    wrong: list[tuple[int, str]] = field(default_factory=list)


def decode(
    subject: Searchable[Any],
    models: Iterable[Model | Assembly],
    on_solution: Callable[[Any], None] | None = None,
    path: str = "the answer",
) -> Decoded:
    """Turn models into solutions, verify each, and hand on each different one once.

    Args:
        subject: The bare problem, or the prepared puzzle. Classes are counted under its symmetries; the placements
            that these leave out do not matter.
        models: As `latcover.files.exchange.foreign_answers.read_models` finds them.
        on_solution: Called with each solution.
        path: What messages call the answer.

    Raises:
        PuzzleFileError: a model is a solution, which the program denies; or the models bring nothing new.
    """
    lookup = _Lookup(subject)
    inspector = subject.inspector()
    decoded = Decoded(subject.name, subject.symmetry)
    met: set[bytes] = set()
    classes: set[bytes] = set()
    in_vain = 0
    for model in models:
        in_vain += 1
        if in_vain > MOST_IN_VAIN:
            after = (
                f"after {counted(decoded.solutions, 'solution')}; give an answer that ends, of a solver of this puzzle"
            )
            what = f"the last {MOST_IN_VAIN:,} models held no new solution, {after}"
            raise PuzzleFileError([Complaint(what, path, model.line)])
        is_denied = isinstance(model, Model) and model.denied
        decoded.models += not is_denied
        try:
            chosen = lookup.choices(model)
            faults = inspector.faults(chosen)
        except PuzzleError as fault:
            faults = [str(fault)]
        if is_denied and not faults:
            what = "these values are a solution, but the program says above that there is none"
            raise PuzzleFileError([Complaint(what, path, model.line)])
        if is_denied:
            continue
        if faults:
            decoded.n_wrong += 1
            if len(decoded.wrong) < _MOST_COMPLAINTS:
                decoded.wrong.append((model.line, "; ".join(faults[:3])))
            continue
        if chosen.tobytes() in met:
            continue
        met.add(chosen.tobytes())
        in_vain = 0
        decoded.solutions += 1
        classes.add(min(image.tobytes() for images in subject.images(chosen[None]) for image in images))
        if on_solution is not None:
            on_solution(inspector.solution(chosen.tolist(), decoded.solutions, 1, 1))
    decoded.different = len(classes)
    return decoded


class _Lookup:
    """Finds the placements, or options, that a model means."""

    def __init__(self, subject: Searchable[Any]) -> None:
        self.subject = subject
        self._prepared = exported(subject).prepared
        self._by_key: dict[int, int] | None = None
        self._items: dict[str, int] = {}
        self._colours: dict[str, int] = {}
        self._numbered: dict[str, int] = {}  # the words that distinguish equal options of a puzzle

    def choices(self, model: Model | Assembly) -> Ints:
        """The choices, ascending.

        Raises:
            PuzzleError: the model names what does not exist.
        """
        if isinstance(model, Assembly):
            if self._prepared is None:
                raise PuzzleError("a cover problem without a puzzle has no pieces")
            return placements_of(model, self._prepared)
        if model.options is not None:
            found = [k for words in model.options if (k := self._of_words(words)) < self.subject.n_members]
            return np.array(sorted(found), dtype=np.int32)
        n = self.subject.n_members
        return np.array(sorted(k - 1 for k in model.true if 1 <= k <= n), dtype=np.int32)

    def _of_words(self, words: tuple[str, ...]) -> int:
        """Which choice an option of a DLX program's answer is, from 0; from `n_members` on it leaves a cell empty."""
        if self._by_key is None:
            self._index()
        assert self._by_key is not None
        entries = []
        for word in words:
            name, colon, colour = word.partition(":")
            if name in self._items:
                if colon and colour not in self._colours:
                    raise PuzzleError(f"there is no colour {colour[:40]!r}")
                entries.append((self._items[name], self._colours[colour] if colon else 0))
            elif word in self._numbered:
                return self._numbered[word]
            elif not (self._prepared is not None and name.startswith(RULE)):
                raise PuzzleError(f"there is no item {name[:40]!r}")
        choice = self._by_key.get(key_of(entries))
        if choice is None:
            raise PuzzleError(f"there is no option {' '.join(words)[:200]!r}")
        return choice

    def _index(self) -> None:
        full = exported(self.subject.in_full())
        keys = keys_of_options(full.problem, full.n_visible).tolist()
        self._by_key = dict(zip(keys, (full.variables - 1).tolist(), strict=True))
        self._numbered = {word: number - 1 for number, word in numbers_where_alike(full).items()}
        spellings = [full.items, full.short_items()]
        self._colours = {name: k for k, name in enumerate(full.colours, 1)}
        if isinstance(full.subject, NamedProblem):
            spellings.append(full.subject.items)  # which other programs may have read from the same file
            self._colours |= {name: k for k, name in enumerate(full.subject.colours, 1)}
        for names in spellings:
            self._items |= {name: k for k, name in enumerate(names) if k < full.n_visible}
