"""The messages between a run's writer and the workers of a cluster: small plain data without code.

The puzzle is sent once, as the text of its files, and every worker builds the cover problem itself. Jobs are sent as
numbers of options. Results come back as figures and a packed list of solutions.
"""

from __future__ import annotations

import hashlib
import json
import socket
import zlib
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from latcover.cover.search import Stop
from latcover.cover.subproblem import Cut, Job, Piece
from latcover.runs.job_search import JobSearcher
from latcover.runs.job_work import Division, Pace, Terms
from latcover.runs.recipe import Recipe, digest_of
from latcover.solving.answer import Found, Kept

Plain = dict[str, Any]


class RefusedError(Exception):
    """A worker cannot search for a run; the message says why."""


@dataclass(frozen=True, slots=True)
class PackedRun:
    """What workers must know of a run before they get jobs.

    Attributes:
        key: The identity of this run; a worker may work on several runs.
        packed: The rest, as it is sent: the recipe, with the part sets and lattices that it needs, the version of
            latcover, and the digest of the cover problem.
    """

    key: str
    packed: bytes

    @classmethod
    def of(cls, path: Path, recipe: Recipe, digest: str, *, keeps_solutions: bool) -> PackedRun:
        """The run in the file *path*, packed."""
        row = recipe.as_row()
        is_text = isinstance(row["source"], str)
        about = {
            "version": version("latcover"),
            "digest": digest,
            "keeps_solutions": keeps_solutions,
            "row": row if is_text else {**row, "source": b64encode(row["source"]).decode()},
            "is_text": is_text,
            "beside": {name: b64encode(content).decode() for name, content in recipe.beside().items()},
        }
        where = f"{socket.gethostname()} {path.resolve()} {path.stat().st_ino} {digest}"
        packed = zlib.compress(json.dumps(about).encode())
        return cls(hashlib.sha256(where.encode()).hexdigest()[:16], packed)

    @staticmethod
    def searcher(packed: bytes) -> JobSearcher:
        """Make ready what is to be searched.

        Raises:
            RefusedError: it comes to another cover problem here, or cannot be made ready.
        """
        about = json.loads(zlib.decompress(packed))
        if about["version"] != version("latcover"):
            raise RefusedError(f"it has latcover {version('latcover')}, and the run is made by {about['version']}")
        row = about["row"]
        if not about["is_text"]:
            row = {**row, "source": b64decode(row["source"])}
        beside = {name: b64decode(content) for name, content in about["beside"].items()}
        try:
            recipe = Recipe.from_row(row)
            prepared: Any = recipe.prepared(beside)
            searcher = JobSearcher(prepared, recipe.solver(), keeps_solutions=about["keeps_solutions"])
        except Exception as problem:
            raise RefusedError(f"it cannot make the puzzle ready: {problem}") from None
        if digest_of(prepared) != about["digest"]:
            raise RefusedError(
                "the same puzzle comes to another cover problem there; its latcover, or the lattices and part sets "
                "that come with it, differ"
            )
        return searcher


def packed_jobs(jobs: Sequence[tuple[Job, Terms]]) -> Plain:
    """Jobs as they are sent; all have one pace."""
    terms = jobs[0][1]
    return {
        "jobs": [(job.chosen, job.left_out, each.most) for job, each in jobs],
        "pace": astuple(terms.pace),
        "seconds": terms.seconds,
    }


def jobs_in(message: Plain) -> list[tuple[Job, Terms]]:
    """What `packed_jobs` packed."""
    pace = Pace(*message["pace"])
    return [
        (Job(tuple(chosen), tuple(map(tuple, left_out))), Terms(pace, most, message["seconds"]))
        for chosen, left_out, most in message["jobs"]
    ]


def packed_result(result: Found | Division | None) -> Plain | None:
    """The result of a job, as it is sent."""
    if result is None:
        return None
    if isinstance(result, Division):
        cut = result.cut
        pieces = [(piece.job.chosen, piece.job.left_out, piece.share) for piece in cut.pieces]
        return {
            "pieces": pieces,
            "cut": (cut.branches_by_level, cut.dead_ends, cut.closed),
            "expected": result.expected,
        }
    figures = {field.name: getattr(result, field.name) for field in fields(result)}
    solutions: Kept = figures.pop("solutions")
    arrays = (np.diff(solutions.starts).astype("<i4"), solutions.members.astype("<i4"), solutions.orbits.astype("<i8"))
    packed = zlib.compress(b"".join(array.tobytes() for array in arrays), 1)
    return {"found": {**figures, "stop": result.stop.value}, "solutions": (len(solutions), packed)}


def result_in(message: Plain | None) -> Found | Division | None:
    """What `packed_result` packed."""
    if message is None:
        return None
    if "pieces" in message:
        pieces = (Piece(Job(tuple(c), tuple(map(tuple, left))), share) for c, left, share in message["pieces"])
        levels, dead_ends, closed = message["cut"]
        return Division(Cut(tuple(pieces), tuple(levels), dead_ends, closed), message["expected"])
    figures, (number, packed) = message["found"], message["solutions"]
    raw = zlib.decompress(packed)
    lengths = np.frombuffer(raw, "<i4", number)
    n_chosen = int(lengths.sum())
    solutions = Kept(
        np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]),
        np.frombuffer(raw, "<i4", n_chosen, 4 * number).astype(np.int32),
        np.frombuffer(raw, "<i8", number, 4 * (number + n_chosen)).astype(np.int64),
        np.arange(number),
    )
    told = {
        **figures,
        "stop": Stop(figures["stop"]),
        "branches_by_level": tuple(figures["branches_by_level"]),
        "notes": tuple(figures["notes"]),
    }
    return Found(**told, solutions=solutions)
