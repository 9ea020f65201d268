"""The files that mutations begin with: small ones by hand, shipped ones, and what our own writers make."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache, partial
from pathlib import Path

from latcover.core.cover.search import Limits
from latcover.core.encoding.prepared import Prepared, prepare
from latcover.core.solving.solutions import solutions
from latcover.files.exchange.written_solutions import searched_solutions
from latcover.files.formats.cover_problems.exported import exported
from latcover.files.formats.forms import WRITTEN, XMPUZZLE, WriteOptions
from latcover.files.formats.library import load, load_subject
from latcover.files.formats.puzzle_files.puzzle_writer import puzzle_as_toml
from latcover.lab.runs.control import begin, go_on
from latcover.lab.runs.recipe import REQUESTS, Recipe, stored_file
from latcover.lab.runs.thread_crew import Orders
from latcover.show.reporting.search_report import solution_as_lines

HERE = Path(__file__).parent / "seeds"
ROOT = Path(__file__).parents[2]
SMALL = ("example-2x2", "fig4-3x3", "soma", "tangram-square", "sphere-pyramid-2", "notebook-coloured-5x5")
WEIGHT = 8000  # bytes: files that are smaller stand several times among the seeds, since they take less time

# Models of example-2x2, whose solutions are {1, 6}, {2, 5}, {3, 7} and {4, 8} of 8 placements, as programs print them.
ANSWERS = (
    "c hello\ns SATISFIABLE\nv 1 -2 -3 -4 -5\nv 6 -7 -8 0\n",
    "s OPTIMUM FOUND\nv x1 -x2 -x3 -x4 -x5 x6 -x7 ~x8\n",
    "c Answer: 1\nv 1 -2 6 0\nc Answer: 2\nv -1 2 5 0\ns SATISFIABLE\n",
    "SAT\n1 -2 -3 -4 -5 6 -7 -8 0\n",
    "s UNKNOWN\n",
    "1 -2 -3 -4 -5 6 -7 -8 0\n-1 2 -3 -4 5 -6 -7 -8 0\n",
    "v 1 6 0\n----------\nv 2 5 0\n----------\n==========\n=====UNKNOWN=====\n",
    "1:\n 0,0 1,0 1,1 L (1 of 4)\n 0,1 S (1 of 1)\n2:\n 0,0 S (1 of 2)\n 1,1 L 0,1 1,0 (1 of 1)\n",
    "0,0 1,0 1,1 L;\n0,1 S;\n\n0,0 S;\n1,1 L 0,1 1,0;\n\nFound 2 solutions!\n",
    "1:\n p q x y:A (1 of 4)\n q x:A (1 of 1)\n",
    "Optimal - objective value 0.00\n      0 x1   1  0\n      5 x6   1   0\n",
    "Status:     INTEGER OPTIMAL\n  1 x1  *  1  0  1\n  2 x2  *  0  0  1\n  6 x6  *  1  0  1\n",
    "Model status\nInfeasible\n\n# Columns 3\nx1 1\nx2 0\nx6 0.9999999\n",
    "x1 1\nx6 1e0\nx1 0\nx2 1\nx5 1\n",
    "LL\nLS\n\nSL\nLL\n",
)


def by_hand(kind: str) -> list[bytes]:
    """The files of a folder of seeds."""
    return [path.read_bytes() for path in sorted((HERE / kind).iterdir())]


def weighed(files: list[bytes]) -> list[bytes]:
    """The files, small ones several times."""
    return [content for content in files for _ in range(max(1, WEIGHT // (len(content) + 100)))]


def _shipped(folder: str, most: int = 2500) -> list[bytes]:
    return [path.read_bytes() for path in sorted((ROOT / folder).glob("*.toml")) if path.stat().st_size < most]


@cache
def puzzles() -> list[bytes]:
    made = [puzzle_as_toml([load(name)]).encode() for name in SMALL]
    return [*by_hand("puzzle"), *_shipped("instances"), *made]


def lattices() -> list[bytes]:
    return [*by_hand("lattice"), *_shipped("lattices")]


def part_sets() -> list[bytes]:
    return [*by_hand("set"), *_shipped("instances/sets")]


@cache
def _prepared() -> list[Prepared]:
    return [prepare(load(name)) for name in SMALL[:2]] + [
        prepare(load_subject(str(HERE / "puzzle" / name))) for name in ("colours.toml", "sides.toml")
    ]


def _written(form: str) -> list[bytes]:
    bare = load_subject(str(HERE / "dlx" / "colours.xcc"))
    return [b"".join(WRITTEN[form].write(exported(subject))) for subject in [*_prepared(), bare]]


def knuth() -> list[bytes]:
    return by_hand("dlx") + _written("dlx")


def models() -> list[bytes]:
    """Texts for OpenSCAD: by hand, and what our writer makes."""
    return [*by_hand("scad"), b"".join(WRITTEN["scad"].write([load("soma")]))]


def burrtools() -> list[bytes]:
    return by_hand("xmpuzzle")


def stored_solutions() -> list[bytes]:
    """BurrTools files with solutions: of spheres, which have hotspots; and with copies that are not used."""
    puzzles = [load("sphere-pyramid-2"), load_subject(str(HERE / "xmpuzzle" / "plain.xmpuzzle"), problem="first")]
    streams = [searched_solutions(partial(prepare, puzzle)) for puzzle in puzzles]
    return [
        gzip.decompress(b"".join(XMPUZZLE.write([puzzle], WriteOptions(solutions=(stream,)))))
        for puzzle, stream in zip(puzzles, streams, strict=True)
    ]


def json_files() -> list[bytes]:
    return by_hand("json") + _written("json")


def tables() -> list[bytes]:
    return [b"1,0,1\n0,1,0\n1,1,1\n", b";a;b\nx;1;0\ny;0;1\n", b"1\t0\n0\t1\n"]


def clauses() -> list[bytes]:
    return _written("dimacs")


def constraint_models() -> list[bytes]:
    return _written("minizinc")


def archives() -> list[bytes]:
    return _written("npz")


def letters() -> list[bytes]:
    drawn = []
    for name in SMALL[1:3]:
        puzzle = load(name)
        shown = [solution_as_lines(found, colour=False, width=100) for found in _some(puzzle)]
        drawn += ["\n".join(["solution 1", *lines]).encode() for lines in shown]
    return by_hand("letters") + drawn


def _some(puzzle: object) -> Iterator[object]:
    found = solutions(puzzle)
    for _ in range(2):
        yield next(found)
    found.close()


def answers() -> list[bytes]:
    return [text.encode() for text in ANSWERS] + letters()[-4:]


def runs(folder: Path) -> list[bytes]:
    """Files of runs: not begun, cut off, done; of puzzles and of a bare problem."""
    bare = HERE / "dlx" / "colours.xcc"
    made = []
    subjects = [("example-2x2", "solve", 0), ("fig4-3x3", "solve", 9), ("soma", "solve", 3), ("fig4-3x3", "count", 9)]
    for k, (name, task, most) in enumerate([*subjects, (str(bare), "solve", 9)]):
        subject = load_subject(name)
        recipe = Recipe(REQUESTS[task](backend="dlx"), subject.name, stored_file(name))
        prepared = recipe.prepared()
        path = folder / f"seed-{k}.db"
        begin(path, recipe, prepared, Limits())
        if most:
            go_on(path, Orders(1, Limits(most)), prepared=prepared)
        made.append(compact(path))
    return made


def compact(path: Path) -> bytes:
    """A database without a log beside it, in small pages, so that changes meet what matters."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute("PRAGMA page_size = 512")
        database.execute("VACUUM")
    content = path.read_bytes()
    path.unlink()
    return content
