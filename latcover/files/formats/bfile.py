"""b-files: the terms of an integer sequence, a line ``n a(n)`` each, as the OEIS takes them.

Source: https://oeis.org/wiki/B-files. Lines that begin with ``#`` are remarks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from latcover.errors import InputError
from latcover.files.formats.source import Source

_LINE = re.compile(r"\s*([0-9]{1,9})\s+([0-9]{1,100000})\s*")


def read_bfile(source: Source) -> dict[int, int]:
    """The terms of a b-file, by n.

    Raises:
        InputError: a line is neither a term nor a remark, or the numbers n do not follow each other.
    """
    terms: dict[int, int] = {}
    for number, line in enumerate(source.text(InputError).split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            raise source.fault("is not a b-file: a line must be 'n a(n)', as in 5 36", number, error=InputError)
        n = int(found[1])
        if terms and n - 1 not in terms:
            raise source.fault(f"the term {n} does not follow the one before it", number, error=InputError)
        terms[n] = int(found[2])
    return terms


def bfile(terms: Mapping[int, int], remark: str = "") -> str:
    """The text of a b-file."""
    lines = [f"# {line}" for line in remark.splitlines()]
    return "\n".join([*lines, *(f"{n} {value}" for n, value in sorted(terms.items()))]) + "\n"
