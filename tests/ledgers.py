"""Changes to ledgers, as accidents, other programs, and forgers make them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from latcover.core.cover import ledger
from latcover.core.cover.ledger import SEAL


def records_in(content: bytes) -> list[bytes]:
    """The lines of a ledger without their seals: its head, its records, and its end marks."""
    return [line[SEAL + 1 :] for line in content.splitlines()[1:]]


def records_of(path: Path) -> list[bytes]:
    """Those of a file."""
    return records_in(path.read_bytes())


def with_seals(first: bytes, records: Sequence[bytes]) -> bytes:
    """A ledger of that first line and these records, with right seals, as whoever knows how they are made can."""
    seal, *_ = lines = [first]
    for record in records:
        seal = ledger._seal(seal, record)
        lines.append(seal + b" " + record)
    return b"\n".join([*lines, b""])


def sealed(path: Path, records: list[bytes] | None = None) -> None:
    """Give the ledger in a file these records, or those that it has, with right seals."""
    first = path.read_bytes().splitlines()[0]
    path.write_bytes(with_seals(first, records_of(path) if records is None else records))


def accidents(content: bytes) -> dict[str, bytes]:
    """A ledger with each of its lines lost, doubled, changed, and swapped with the next; by what was done."""
    lines = content.splitlines(keepends=True)
    made: dict[str, bytes] = {}
    for k, line in enumerate(lines):
        before, after = lines[:k], lines[k + 1 :]
        made[f"line {k + 1} doubled"] = b"".join([*before, line, line, *after])
        changed = line.translate(bytes.maketrans(b"0123456789", b"1234567890"))
        made[f"line {k + 1} changed"] = b"".join([*before, changed, *after])
        made[f"the record of line {k + 1} changed"] = b"".join([*before, line[:SEAL] + changed[SEAL:], *after])
        if after:
            made[f"line {k + 1} lost"] = b"".join([*before, *after])
            made[f"line {k + 1} swapped"] = b"".join([*before, after[0], line, *after[1:]])
    return {what: changed for what, changed in made.items() if changed != content}
