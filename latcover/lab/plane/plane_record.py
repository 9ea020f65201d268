"""Answers as lines of JSON, without their prototiles: what worker processes send, and what run files keep."""

from __future__ import annotations

from typing import Any

import msgspec

from latcover.errors import InputError
from latcover.lab.plane.patch_check import faults_of_patch
from latcover.lab.plane.plane_answer import Heesch, PlaneAnswer, Verdict
from latcover.lab.plane.prototiles import Prototiles
from latcover.lab.plane.tiling_group import check_tiling, group_of


def answer_as_text(answer: PlaneAnswer) -> bytes:
    """An answer as a line."""

    def left_out(prototiles: Any) -> None:
        assert isinstance(prototiles, Prototiles)

    return msgspec.json.encode(answer, enc_hook=left_out)


def answer_in(text: bytes, prototiles: Prototiles) -> PlaneAnswer:
    """The answer of a line about these shapes.

    Raises:
        ValueError, PuzzleError: there is none.
    """
    return msgspec.json.decode(text, type=PlaneAnswer, dec_hook=lambda *_: prototiles)


def checked(answer: PlaneAnswer) -> PlaneAnswer:
    """An answer that comes from a file, after its tiling and its patches passed their checkers.

    Raises:
        InputError: they do not show what the answer says.
    """
    if (answer.tiling is None) is (answer.verdict in (Verdict.ISOHEDRAL, Verdict.PERIODIC)):
        raise InputError("an answer says that there is a tiling, but does not show it, or shows one that it denies")
    if answer.tiling is not None:
        check_tiling(answer.tiling)
        group = group_of(answer.tiling)
        if (group.name, group.n_classes) != (answer.group, answer.classes):
            raise InputError("an answer gives a tiling another group, or other classes, than it has")
    if answer.smallest is not None:
        check_tiling(answer.smallest)
    if answer.heesch is not None:
        _check_patches(answer.heesch)
    return answer


def _check_patches(heesch: Heesch) -> None:
    faults = faults_of_patch(heesch.patch) if heesch.number else []  # a shape alone may have a hole of its own
    if heesch.patch_with_hole is not None:
        faults = [*faults, *faults_of_patch(heesch.patch_with_hole, hole_in_last=True)]
    if faults or max(heesch.patch.coronas) != heesch.number:
        raise InputError(f"an answer shows an invalid patch: {', '.join(map(str, faults)) or 'too few coronas'}")
