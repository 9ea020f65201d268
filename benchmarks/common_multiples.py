"""A catalogue of common multiples: which of its least areas are found and proved here, and which refutations checked.

The catalogue is a file with a line for each set: the shapes (F5-W5-Q4; {I4:L4:N4:Q4:T4}-{I3:L3} for whole sets, all
shapes of a size; Pentominoes-Trominoes-12x5 for whole sets in a box), the least area known there, whether it is proved
there, and anything more. It is not shipped with latcover. Other lines are left out and counted. Answers go to a file, a
line of JSON each; the same command goes on where it stopped. Seconds are those of the processor.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import msgspec
import typer

from benchmarks.harness.options import Only, Seconds
from benchmarks.harness.processes import run_command
from benchmarks.harness.tables import lines_of
from latcover.errors import PuzzleError, UnsupportedError
from latcover.files.formats.named_shapes import set_named, shape_named
from latcover.lab.asking.proofs import Proof
from latcover.lab.exploring.common import common
from latcover.lab.exploring.exploring_requests import CommonRequest
from latcover.lab.exploring.layers import Layers, layers_given
from latcover.lab.exploring.region_proofs import prove_no_region

SETS = {"3": "trominoes", "4": "tetrominoes", "5": "pentominoes", "6": "hexominoes"}
OUR_LETTERS = {"Q4": "O", "N4": "S", "L3": "V"}
CHECKER = "drat-trim"
LARGEST_PROOF = 10  # times as many seconds as a search may a proof take
HEADINGS = ("shapes", "there", "proved there", "here", "none up to", "s", "proof, s", "check, s")


class Entry(msgspec.Struct, frozen=True):
    """A line of the catalogue."""

    name: str
    area: int
    proved: bool


class Answer(msgspec.Struct, frozen=True):
    """What was found of an entry.

    Attributes:
        area, smallest, refuted: As in the answer of latcover.
        seconds: Of the search.
        proof, check: Seconds for the proof that was written, and for the checker that accepted it; None without one.
    """

    name: str
    area: int | None
    smallest: bool
    refuted: int
    seconds: float
    proof: float | None = None
    check: float | None = None


def entries(text: str) -> tuple[list[Entry], int]:
    """The entries of a catalogue, and how many other lines it has."""
    found, others = list[Entry](), 0
    for words in map(str.split, text.splitlines()):
        if not words or words[0].startswith("#"):
            continue
        try:
            name, area, proved = words[:3]
            layers_of(name), box_of(name)
            found.append(Entry(name, int(area), proved == "yes"))
        except ValueError:
            others += 1
    return found, others


def layers_of(name: str) -> Layers:
    """The shapes of an entry.

    Raises:
        ValueError: it is none of tetrominoes, pentominoes and whole sets.
    """
    words = name.removesuffix(".txt").split("-")
    boxed = bool(box_of(name))
    return Layers(layers_given("a catalogue", [_set(w) for w in words[:-1]] if boxed else [_shape(w) for w in words]))


def box_of(name: str) -> tuple[int, ...] | None:
    """The sides of the box in which an entry lies; None if it lies anywhere."""
    sides = re.search(r"-([0-9]+)x([0-9]+)(\.txt)?$", name)
    return None if sides is None else (int(sides[1]), int(sides[2]))


def _set(word: str) -> object:
    if word.lower() in SETS.values():
        return set_named(word.lower())
    raise ValueError(f"{word!r} is no set")


def _shape(word: str) -> object:
    if whole := re.fullmatch(r"\{(.*)\}", word):
        size, number = word[-2], len(whole[1].split(":"))
        if size in SETS and number == len(set_named(SETS[size]).parts):
            return set_named(SETS[size])
    elif re.fullmatch("[A-Z][345]", word):
        return shape_named(f"{SETS[word[1]]}:{OUR_LETTERS.get(word, word[0])}")
    raise ValueError(f"{word!r} is neither a shape nor a set")


def answered(entry: Entry, seconds: float, folder: Path | None) -> Answer:
    """Search for the region of an entry; into *folder*, write a proof that no smaller one exists."""
    layers, begun = layers_of(entry.name), time.thread_time()
    box = box_of(entry.name)
    found = common(layers.layers, CommonRequest(effort=seconds, within=box))
    answer = Answer(entry.name, found.area, found.smallest, found.refuted, time.thread_time() - begun)
    if folder is None or box or not found.smallest or not found.refuted:
        return answer
    path = folder / "none.drat"
    written = prove_no_region(layers, found.refuted, path, seconds=LARGEST_PROOF * seconds)
    if not isinstance(written, Proof):
        return answer
    checked = run_command([CHECKER, str(written.clauses), str(path), "-t", "100000"])
    accepted = checked.seconds if "s VERIFIED" in checked.output else None
    # most of the time is that of the solver, a process of its own, which is timed by the clock
    return msgspec.structs.replace(answer, proof=written.seconds, check=accepted)


def common_multiples(
    *,
    catalogue: Annotated[Path, typer.Option(metavar="FILE", help="The catalogue.")],
    answers: Annotated[Path, typer.Option(metavar="FILE", help="Where answers are kept.")],
    seconds: Seconds = 60.0,
    only: Only = "",
    proofs: Annotated[bool, typer.Option("--proofs", help=f"Let {CHECKER} check each refutation.")] = False,
) -> Iterator[str]:
    """Find the common multiples of a catalogue."""
    if proofs and shutil.which(CHECKER) is None:
        raise UnsupportedError(f"{CHECKER} is not installed; leave --proofs out")
    every, others = entries(catalogue.read_text("utf-8"))
    known = {}
    if answers.exists():
        known = {each.name: each for each in _read(answers)}

    def rows() -> Iterator[list[str]]:
        for entry in every:
            if only not in entry.name:
                continue
            if entry.name not in known:
                with TemporaryDirectory() as folder:
                    known[entry.name] = answered(entry, seconds, Path(folder) if proofs else None)
                with answers.open("a", encoding="utf-8") as file:
                    file.write(msgspec.json.encode(known[entry.name]).decode() + "\n")
            yield cells(entry, known[entry.name])

    yield from lines_of(HEADINGS, rows())
    yield ""
    yield from summary(every, known)
    yield f"{others} other lines of the catalogue were left out."


def _read(answers: Path) -> list[Answer]:
    """The answers that are kept.

    Raises:
        PuzzleError: a line holds none, such as the last one of a run that was killed.
    """
    found = []
    for number, line in enumerate(answers.read_text("utf-8").splitlines(), 1):
        try:
            found.append(msgspec.json.decode(line, type=Answer))
        except msgspec.MsgspecError as problem:
            raise PuzzleError(f"{answers}:{number}: no answer ({problem}); take this line out") from None
    return found


def cells(entry: Entry, answer: Answer) -> list[str]:
    """A row of the table."""
    area = "?" if answer.area is None else f"{answer.area}{'' if answer.smallest else '*'}"
    times = ["" if each is None else f"{each:.1f}" for each in (answer.seconds, answer.proof, answer.check)]
    return [entry.name, str(entry.area), "yes" if entry.proved else "", area, str(answer.refuted), *times]


def summary(every: list[Entry], known: dict[str, Answer]) -> Iterator[str]:
    """How many entries were tried, found and proved, apart for those that are proved there and those that are not."""
    for what, kind in (("proved there", True), ("not proved there", False)):
        those = [(entry, known[entry.name]) for entry in every if entry.proved is kind and entry.name in known]
        ours = [answer for _, answer in those if answer.smallest]
        needed = [answer for answer in ours if answer.refuted]
        smaller = [entry.name for entry, answer in those if answer.area is not None and answer.area < entry.area]
        wrong = [entry.name for entry, answer in those if answer.refuted >= entry.area]
        yield (
            f"Of those {what}, {len(those)} were tried and {len(ours)} proved; {len(needed)} of these needed a "
            f"refutation, of which {sum(a.check is not None for a in needed)} were checked. "
            f"Smaller areas: {', '.join(smaller) or 'none'}. Areas that are refuted here: {', '.join(wrong) or 'none'}."
        )
