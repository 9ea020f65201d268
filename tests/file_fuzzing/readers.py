"""What is fuzzed: each reader with its files, how these are changed, how users reach it, and what they do then."""

from __future__ import annotations

import json
import tomllib
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random

import tomli_w
from msgspec import Struct

from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import prepare
from latcover.core.model.puzzle import Bounds
from latcover.files.exchange.decode import decode
from latcover.files.exchange.foreign_answers import read_models
from latcover.files.formats.burrtools.burrtools_solutions import read_assemblies
from latcover.files.formats.forms import SCAD
from latcover.files.formats.library import load_lattice, load_problems, load_subject
from latcover.files.formats.puzzle_files.part_set_file import read_set
from latcover.files.formats.puzzlecad.puzzlecad_reader import read_parts
from latcover.files.formats.source import source_at
from latcover.lab.runs.control import go_on
from latcover.lab.runs.export import solutions_of
from latcover.lab.runs.run_file import RunFile
from latcover.lab.runs.state import state_as_json, state_as_text
from latcover.lab.runs.thread_crew import Orders
from latcover.show.reporting.check_report import inspect_file
from tests.file_fuzzing import containers, kept, seeds
from tests.file_fuzzing.mutations import changed
from tests.file_fuzzing.trees import ONLY_JSON, ONLY_TOML, Pool
from tests.file_fuzzing.using import use_lattice, use_parts, use_problems

BOUNDS = Bounds(cells=5_000, placements=50_000)  # so that what is within them takes well under the time that is allowed
RAISED = ("--max-cells", "5000", "--max-placements", "50000")
Mutate = Callable[[Random, bytes, Sequence[bytes]], bytes]
Read = Callable[[Path], object]


class Reader(Struct, frozen=True):
    """A reader of files.

    Attributes:
        suffix: Of its files.
        seeds: Well-formed files.
        mutate: Makes another file of one of them; the last argument are all of them.
        read: Reads a file as the commands do.
        use: Is given what was read, and the file: what users then do must not fail either.
        commands: Command lines that take such a file, in place of "FILE".
    """

    name: str
    suffix: str
    seeds: tuple[bytes, ...]
    mutate: Mutate
    read: Read
    use: Callable[[object, Path], None]
    commands: tuple[tuple[str, ...], ...]

    def input(self, seed: int, number: int) -> bytes:
        """The input of that number: the same in every run."""
        random = Random(f"{seed} {self.name} {number}")
        return self.mutate(random, random.choice(self.seeds), self.seeds)


def _by_text_or_tree(pool: Pool) -> Mutate:
    def mutate(random: Random, content: bytes, others: Sequence[bytes]) -> bytes:
        if random.random() < 0.6:
            made = pool.changed(random)
            return made if random.random() < 0.9 else changed(random, made, others)
        return changed(random, content, others)

    return mutate


def _toml(files: Sequence[bytes]) -> Mutate:
    return _by_text_or_tree(Pool.of([tomllib.loads(raw.decode()) for raw in files], ONLY_TOML, tomli_w.dumps))


def _json(files: Sequence[bytes]) -> Mutate:
    return _by_text_or_tree(Pool.of([json.loads(raw) for raw in files], ONLY_JSON, json.dumps))


def check(path: Path) -> None:
    """What `latcover check` does: it finds out what a file is, places parts, and looks for contradictions."""
    report = inspect_file(str(path), BOUNDS)
    report.verdict()
    json.dumps(report.as_json())


def _problems(path: Path) -> object:
    return load_problems(str(path), BOUNDS)


def _lattice(path: Path) -> object:
    return load_lattice(str(path))


def _parts(path: Path) -> object:
    return read_set(source_at(path), BOUNDS)


def _model(path: Path) -> object:
    return read_parts(source_at(path, SCAD.most_bytes(BOUNDS), SCAD.needed, mend=SCAD.mend), BOUNDS).parts


def _stored(path: Path) -> object:
    return read_assemblies(source_at(path), BOUNDS)


def _use_stored(found: object, _: Path) -> None:
    for solutions in found.values():
        for solution in solutions:
            json.dumps(solution.as_json())


@cache
def _subjects() -> list[object]:
    bare = load_subject(str(seeds.HERE / "dlx" / "colours.xcc"))
    return [prepare(load_subject("example-2x2")), prepare(load_subject("soma")), bare]


def _answers(path: Path) -> object:
    """Decode it as what solves one of several puzzles."""
    subject = _subjects()[zlib.crc32(path.read_bytes()) % 3]
    found: list[object] = []
    with path.open(encoding="utf-8", errors="replace") as lines:
        decoded = decode(subject, read_models(lines, str(path)), found.append, str(path))
    return decoded, found


def _use_answers(answer: object, _: Path) -> None:
    decoded, found = answer
    assert decoded.solutions == len(found)
    assert decoded.models >= decoded.solutions + decoded.n_wrong
    for solution in found:
        json.dumps(solution.as_json() if hasattr(solution, "options") else str(solution))


def _run(path: Path) -> object:
    """What `runs` tells of a file: its state."""
    with RunFile(path) as file:
        state = state_as_json(file)
    json.dumps(state)
    return state_as_text(state)


def _use_run(_: object, path: Path) -> None:
    """Its solutions, and going on with it."""
    with RunFile(path) as file:
        if file.recipe.task == "solve":
            for _, solution in zip(range(20), solutions_of(file), strict=False):
                str(solution)
    go_on(path, Orders(1, Limits(20, None, 0.05)), lambda _: None)


_COMMANDS = (
    *(("check", "FILE"), ("info", "FILE"), ("import", "FILE"), ("export", "FILE", "dlx"), ("export", "FILE", "json")),
    *(("count", "FILE", "--limit", "3", "--time", "0.3"), ("solve", "FILE", "--limit", "2", "--time", "0.3", "--json")),
)
_OF_MODELS = (("check", "FILE"), ("import", "FILE"), ("show", "FILE"))
_OF_TOML = (*_COMMANDS, ("show", "FILE"), ("export", "FILE", "dimacs"))


def make(name: str, folder: Path) -> Reader:
    """The reader of that name; *folder* is for files made on the way."""
    if name == "runs":
        found = seeds.runs(folder)
        change = containers.rewritten(
            Pool.of([json.loads(raw) for raw in seeds.by_hand("json")], ONLY_JSON, json.dumps), seeds.puzzles()
        )
        commands = (
            ("runs", "status", "FILE"),
            ("runs", "solutions", "FILE"),
            ("runs", "resume", "FILE", "--time", "0.1"),
        )
        return Reader(name, ".db", tuple(seeds.weighed(found)), change, _run, _use_run, commands)
    if name == "ledgers":
        change = kept.resealed(Pool.of([], ONLY_JSON, json.dumps))
        commands = (("runs", "status", "FILE"), ("runs", "resume", "FILE", "--time", "0.1"))
        return Reader(name, ".run", tuple(kept.made(folder)), change, kept.gone_on_with, kept.use, commands)
    suffix, make_seeds, make_change, read, use, commands = _READERS[name]
    content = tuple(seeds.weighed(make_seeds()))
    return Reader(name, suffix, content, make_change(content), read, use, commands)


def _text(_: Sequence[bytes]) -> Mutate:
    return changed


_READERS = {
    "puzzles": (".toml", seeds.puzzles, _toml, _problems, use_problems, _OF_TOML),
    "lattices": (".toml", seeds.lattices, _toml, _lattice, use_lattice, (("check", "FILE"),)),
    "sets": (".toml", seeds.part_sets, _toml, _parts, use_parts, (("check", "FILE"),)),
    "knuth": (".dlx", seeds.knuth, _text, _problems, use_problems, _COMMANDS),
    "burrtools": (".xmpuzzle", seeds.burrtools, _text, _problems, use_problems, _COMMANDS),
    "gzipped": (".xmpuzzle", seeds.burrtools, lambda _: containers.packed, _problems, use_problems, _COMMANDS),
    "stored": (".xmpuzzle", seeds.stored_solutions, _text, _stored, _use_stored, _COMMANDS),
    "models": (
        ".scad",
        seeds.models,
        _text,
        _model,
        use_parts,
        (("check", "FILE"), ("import", "FILE"), ("show", "FILE")),
    ),
    "letters": (".txt", seeds.letters, _text, _problems, use_problems, _COMMANDS),
    "json": (".json", seeds.json_files, _json, _problems, use_problems, _COMMANDS),
    "tables": (".csv", seeds.tables, _text, _problems, use_problems, _COMMANDS),
    "clauses": (".cnf", seeds.clauses, _text, _problems, use_problems, _COMMANDS),
    "constraints": (".mzn", seeds.constraint_models, _text, _problems, use_problems, _COMMANDS),
    "npz": (".npz", seeds.archives, lambda _: containers.rezipped, _problems, use_problems, _COMMANDS),
    "answers": (".txt", seeds.answers, _text, _answers, _use_answers, (("decode", "example-2x2", "FILE"),)),
}
NAMES = (*_READERS, "runs", "ledgers")
