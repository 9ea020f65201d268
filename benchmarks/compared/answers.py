"""What a program answered, checked: covers by the arrays of the problem, and sets of covers by a fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from latcover.benchmarks.compared.cases import Answer, Case, problem_of


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer.

    Attributes:
        number: Of covers; of "apart" and "plane" several. None if there is no sound answer.
        digest: A fingerprint of the set of covers, where all were asked.
        fault: What is wrong; "" for nothing.
    """

    number: Answer | None
    digest: str = ""
    fault: str = ""


def checked(case: Case, answer: Any) -> Checked:
    """What is in an answer, and what is wrong with it."""
    if answer is None:
        return Checked(None, fault="no answer")
    if isinstance(answer, int | tuple):
        return Checked(answer)
    fault = fault_of(case, answer)
    if fault:
        return Checked(None, fault=fault)
    return Checked(len(answer), digest_of(answer) if case.task == "all" else "")


def fault_of(case: Case, covers: Sequence[Sequence[int]]) -> str:
    """What is wrong with a list of covers: one is none, or stands there twice; "" for nothing."""
    starts = np.concatenate([[0], np.cumsum([len(cover) for cover in covers], dtype=np.int64)]).astype(np.int64)
    members = np.array([option for cover in covers for option in cover], np.int32)
    n_options = problem_of(case).problem.n_options
    if len(members) and not 0 <= members.min() <= members.max() < n_options:
        return "an option is named that there is not"
    sound = problem_of(case).inspector().sound(starts, members)
    if not sound.all():
        return f"{int((~sound).sum()):,} of {len(covers):,} covers are none"
    if len({tuple(sorted(cover)) for cover in covers}) < len(covers):
        return "a cover is listed twice"
    return ""


def digest_of(covers: Sequence[Sequence[int]]) -> str:
    """A fingerprint of a set of covers, whatever their order and that of their options."""
    text = "\n".join(" ".join(map(str, sorted(cover))) for cover in sorted(map(sorted, covers)))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
