"""DIMACS CNF, for SAT solvers and model counters.

Variables 1, 2, ... are the placements of the unreduced puzzle; those that symmetry leaves out are false. Then come the
options that leave a cell empty, which the placements determine, and then auxiliary variables. Comments describe the
placements and options: ``c 17 = F 0,0 0,1 1,1``. More comments hold the problem itself, so that latcover can read it.

For projected model counters the line ``c t pmc`` and the variables to be counted (``c p show 1 2 ... 0``) follow the
problem line, as in the examples of the model counting competition. clasp has a form of its own for the same, which it
reads with ``--parse-ext``.

Source: the formats of the SAT and of the model counting competitions (2020-2024).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from latcover.core.cover.clauses import AUTO, NATIVE, Clause, Encoder, require_encoding
from latcover.errors import UnsupportedError
from latcover.files.formats.cover_problems.exported import Exported, about, commented, legend
from latcover.files.formats.cover_problems.problem_record import record
from latcover.files.formats.forms import WriteOptions

_CLAUSES = 10_000  # written at once
_NUMBERS = 10_000
_END = "\n"


def write(exported: Exported, options: WriteOptions = WriteOptions(), more: Sequence[Clause] = ()) -> Iterator[bytes]:
    """The problem as clauses, some at a time, so that memory holds only these; after them *more* clauses.

    Raises:
        UnsupportedError: there is no such encoding, or it does not give clauses.
    """
    encoding = options.encoding or AUTO
    require_encoding(encoding, "the form 'dimacs'")
    if encoding == NATIVE:
        raise UnsupportedError(
            "the encoding 'native' does not consist of clauses, so a DIMACS file cannot hold it; choose another, "
            "such as 'auto'"
        )
    encoder = Encoder(exported.problem, encoding, exported.variables, exported.n_variables)
    yield from commented(chain(about(exported), [f"at most one, and other sums: {encoding}"]), "c c")
    yield from commented(legend(exported), "c")
    yield from commented(record(exported, encoding), "c c")
    clauses = clauses_of(exported, encoder, more)
    yield next(clauses)
    if options.projected:
        yield b"c t pmc\n"
        yield from _listed("c p show", exported.n_members)
        yield from _listed("c project", exported.n_members)
        yield f"c output range 1 {exported.n_members}\n".encode() if exported.n_members else b""
    yield from clauses


def clauses_of(exported: Exported, encoder: Encoder, more: Sequence[Clause] = ()) -> Iterator[bytes]:
    """The line of the problem, and then the clauses, some at a time."""
    variables, clauses = encoder.size()
    left_out = exported.left_out().tolist()
    yield f"p cnf {variables} {clauses + len(left_out) + len(more)}\n".encode()
    yield from _text([-variable] for variable in left_out)
    for some, _ in encoder.sums():
        yield from _text(some)
    yield from _text_of_pairs(encoder, variables)
    yield from _text(more)


def _text(clauses: Iterable[Clause]) -> Iterator[bytes]:
    """Clauses as lines. To write a list of lists is the fastest way in Python."""
    rest = iter(clauses)
    while chunk := list(islice(rest, _CLAUSES)):
        text = str(chunk)[2:-2].replace("], [", " 0\n").replace(",", "")
        yield f"{text} 0\n".lstrip().replace("\n 0\n", "\n0\n").encode()


def _text_of_pairs(encoder: Encoder, n_variables: int) -> Iterator[bytes]:
    """Clauses of pairs, which are nearly all of a large file. Those of a variable are joined at once, for speed."""
    names = [str(variable) for variable in range(n_variables + 1)]
    lines: list[str] = []
    size = 0
    for one, others in encoder.pairs():
        if len(others):
            lines.append(f"-{one} -{f' 0{_END}-{one} -'.join([names[other] for other in others.tolist()])} 0\n")
            size += len(others)
        if size > _CLAUSES:
            yield "".join(lines).encode()
            lines, size = [], 0
    yield "".join(lines).encode()


def _listed(what: str, n: int) -> Iterator[bytes]:
    """A line that lists the numbers from 1 to *n*; some programs read only one such line."""
    yield what.encode()
    for first in range(1, n + 1, _NUMBERS):
        yield "".join(f" {k}" for k in range(first, min(first + _NUMBERS, n + 1))).encode()
    yield b" 0\n"
