"""Terms of sequences and recurrences, as text."""

from __future__ import annotations

from collections.abc import Sequence

from latcover.lab.asking.certificates import short_digest
from latcover.lab.asking.recurrences import Recurrence
from latcover.lab.asking.sequence import Term


def term_as_text(term: Term, width: int) -> str:
    """A term on a line; *width* is that of n."""
    if term.value is None:
        return f"{term.n:>{width}}  not known: {term.stop} after {term.seconds:.1f} s"
    states = "" if term.states is None else f", {term.states:,} states"
    memory = "" if term.bytes is None else f", {term.bytes / 1e6:,.0f} MB"
    how = (
        "the cells cannot add up" if term.method == "volume" else f"{term.method}, {term.seconds:.2f} s{states}{memory}"
    )
    checked = f"; {term.checked_by} agrees" if term.checked_by else ""
    published = "; as published" if term.published is not None else ""
    certified = "" if term.digest is None else f"; certificate {short_digest(term.digest)}"
    return f"{term.n:>{width}}  {term.value}   ({how}{checked}{published}{certified})"


def recurrence_as_text(found: Recurrence) -> str:
    """The recurrence and the generating function, each on a line, and how sure they are."""
    right = _combined(found.coefficients, [f"N(n-{k})" for k in range(1, len(found.coefficients) + 1)])
    powers = ["", "x", *(f"x^{k}" for k in range(2, 1 + max(len(found.numerator), len(found.denominator))))]
    above, below = _combined(found.numerator, powers), _combined(found.denominator, powers)
    proof = "proved" if found.proved else "not proved"
    sure = f"{proof}: it holds for the first {len(found.terms):,} numbers, and the strip has {found.states:,} states"
    checked = found.lengths_checked
    sure += (
        f"\nchecked: `count` finds the same for {'length 1' if checked == 1 else f'each length up to {checked}'}"
        * (checked > 0)
    )
    return f"N(n) = {right} for n >= {found.order}\nN(0) + N(1) x + ... = ({above}) / ({below})\n{sure}"


def _combined(coefficients: Sequence[int], names: Sequence[str]) -> str:
    """A sum such as ``N(n-1) + 5 N(n-2) - N(n-4)``."""
    text = ""
    for coefficient, name in zip(coefficients, names, strict=False):
        if coefficient:
            size = str(abs(coefficient)) if abs(coefficient) != 1 or not name else ""
            sign = "-" if coefficient < 0 else "+"
            text += f" {sign} {size}{' ' * bool(size and name)}{name}"
    if not text:
        return "0"
    return text[3:] if text.startswith(" + ") else f"-{text[3:]}"
