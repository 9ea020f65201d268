"""Take the solutions of a run apart, and keep the results in its file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from latcover.core.cover.events import Events
from latcover.core.encoding.prepared import Prepared
from latcover.core.model.disassembly import Disassembly, disassembly_of
from latcover.core.model.puzzle import Bounds
from latcover.core.model.replay import disassembly_faults
from latcover.core.model.solution import Solution
from latcover.errors import RunFileError, UnsupportedError
from latcover.lab.asking.assemble import AssembleRequest, AssemblyResult
from latcover.lab.assembly.survey import Examined, Survey
from latcover.lab.assembly.taking_apart import Assembler
from latcover.lab.runs.audit import audit
from latcover.lab.runs.control import search_in_file
from latcover.lab.runs.export import solutions_of
from latcover.lab.runs.opening import damaged
from latcover.lab.runs.recipe import StoredFile
from latcover.lab.runs.run_file import RunFile
from latcover.lab.runs.session import Session

AT_ONCE = 64  # results that are written together


def assemble_in_file(
    path: Path,
    source: StoredFile,
    prepared: Prepared,
    request: AssembleRequest,
    events: Events,
    *,
    bounds: Bounds,
    cluster: str = "",
) -> AssemblyResult:
    """Find all solutions in the run of a file, and take those apart that have no result in the file yet.

    The time limit holds for both together.

    Raises:
        As `latcover.lab.runs.control.search_in_file`, whose arguments these are, and `assemble_run`.
    """
    assembler = request.assembler(prepared)
    survey = request.survey(assembler, events)  # its time begins
    search = search_in_file(
        path, source, prepared, request, events, bounds=bounds, threads=request.threads, cluster=cluster
    )
    assemble_run(path, prepared, survey, events.on_solution, in_plane=request.in_plane)
    return AssemblyResult(search, survey.tally, assembler.lifted, only_slides=assembler.only_slides)


def assemble_run(
    path: Path, prepared: Prepared, survey: Survey, on_examined: Callable[[Examined], None], *, in_plane: bool
) -> None:
    """Take those solutions of a run apart that have no result in its file yet.

    Args:
        path: The file, whose run nobody is at work on.
        prepared: The puzzle of the run.
        survey: Takes solutions apart; its tally then counts those of the file too.
        on_examined: Receives each solution with its result.
        in_plane: Whether pieces stay in their plane; all results of a file are of one kind.

    Raises:
        RunFileError: the file cannot be read or written, is damaged, or holds results of the other kind.
        UnsupportedError: it is the run of a count, which keeps no solutions.
    """
    with RunFile(path, write=True) as file, Session(file, survey.threads) as session:
        if file.recipe.task == "count":
            raise UnsupportedError(f"{path}: a count keeps no solutions; list them with `latcover solve --run`")
        audit(file)
        known = {
            int(row["number"]): str(row["described"]) for row in file.rows("SELECT number, described FROM assemblies")
        }
        waiting: dict[int, str] = {}

        def write() -> None:
            if waiting:
                session.record_assemblies(waiting)
                waiting.clear()

        def take(examined: Examined) -> None:
            on_examined(examined)
            if examined.disassembly.result != "unknown":
                asked = {"in_plane": in_plane, "always": survey.assembler.turns == "always"}
                waiting[examined.solution.number] = json.dumps({**examined.disassembly.as_json(), **asked})
            if len(waiting) >= AT_ONCE:
                write()
            session.keep_alive()

        survey.on_examined = take
        try:
            for solution in solutions_of(file):
                assert isinstance(solution, Solution)
                if solution.number in known:
                    disassembly = _read(
                        path, prepared, solution, known[solution.number], survey.assembler, in_plane=in_plane
                    )
                    examined = Examined(solution, disassembly)
                    survey.tally.add(examined)
                    on_examined(examined)
                elif survey.stop is None:
                    survey.take(solution)
                else:
                    break
            survey.finish()
        finally:
            write()
        if survey.stop is not None:
            (all_of_it,) = file.rows("SELECT count(*) AS n, coalesce(sum(orbit), 0) AS total FROM solutions")
            tally = survey.tally
            rest, total = all_of_it["n"] - tally.assemblies, all_of_it["total"] - sum(tally.total.values())
            tally.add_unknown(rest, total, survey.stop)
        session.end("assembled")


def _read(
    path: Path, prepared: Prepared, solution: Solution, described: str, assembler: Assembler, *, in_plane: bool
) -> Disassembly:
    """A result of the file, checked."""
    try:
        data = json.loads(described)
        disassembly, kind, always = disassembly_of(data), bool(data["in_plane"]), bool(data.get("always", False))
    except (ValueError, KeyError):
        raise damaged(path, f"it does not tell how solution {solution.number} comes apart") from None
    if kind != in_plane:
        raise RunFileError(
            f"{path}: holds results of pieces that {'stay in their layer' if kind else 'may be lifted'}; "
            f"{'give' if kind else 'leave out'} --in-plane, or name another file"
        )
    room = assembler.room
    needless = disassembly.turning is None and (room is None or disassembly.result == "apart")
    if (disassembly.turning != room and not needless) or (always != (assembler.turns == "always") and room is not None):
        raise RunFileError(
            f"{path}: holds results that were found with other turns, or with another play; give the same --turns, "
            "--play and --bevel as then (--turns never for parts that only slide), or name another file"
        )
    faults = disassembly_faults(prepared.puzzle, solution, disassembly)
    if faults:
        raise damaged(path, f"the disassembly of solution {solution.number} in it is wrong")
    return disassembly
