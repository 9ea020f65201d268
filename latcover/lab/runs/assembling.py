"""Take the solutions of a run apart, and keep the results in its file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from latcover.core.cover.events import Events
from latcover.core.cover.question import Method, Question
from latcover.core.encoding.prepared import Prepared
from latcover.core.model.disassembly import Disassembly, disassembly_of
from latcover.core.model.puzzle import Bounds
from latcover.core.model.replay import faults_of_each
from latcover.core.model.solution import Solution
from latcover.core.solving.search_question import question_of_search
from latcover.core.solving.solve import SolveRequest
from latcover.errors import UnsupportedError
from latcover.lab.asking.assemble import AssembleRequest, AssemblyResult
from latcover.lab.assembly.survey import Examined, Survey
from latcover.lab.runs.audit import audit
from latcover.lab.runs.control import search_in_file
from latcover.lab.runs.export import solutions_of
from latcover.lab.runs.opening import damaged
from latcover.lab.runs.recipe import StoredFile
from latcover.lab.runs.run_file import RunFile
from latcover.lab.runs.session import Session

APART = Method("taking apart", 2)  # what no turn frees is not proved
AT_ONCE = 64  # results that are written, or read, together


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
    of_search = SolveRequest(**{name: getattr(request, name) for name in SolveRequest.__struct_fields__})
    search = search_in_file(
        path, source, prepared, of_search, events, bounds=bounds, threads=request.threads, cluster=cluster
    )
    assemble_run(path, prepared, survey, events.on_solution, question_of_assemblies(prepared, request))
    return AssemblyResult(search, survey.tally, assembler.lifted, only_slides=assembler.only_slides)


def question_of_assemblies(prepared: Prepared, request: AssembleRequest) -> Question:
    """What the ways depend on in which solutions come apart: on all that is asked, and on how much room parts have."""
    assembler, room = request.assembler(prepared), request.room(prepared.puzzle)
    asked = replace(request, turns=assembler.turns, play=room.play, bevel=room.bevel)
    return question_of_search(prepared, asked, APART)


def assemble_run(
    path: Path,
    prepared: Prepared,
    survey: Survey,
    on_examined: Callable[[Examined], None],
    question: Question,
) -> None:
    """Take those solutions of a run apart that have no result in its file yet.

    Args:
        path: The file, whose run nobody is at work on.
        prepared: The puzzle of the run.
        survey: Takes solutions apart; its tally then counts those of the file too.
        on_examined: Receives each solution with its result.
        question: What the results depend on; all results of a file are of one question.

    Raises:
        RunFileError: the file cannot be read or written, is damaged, or holds results of another question.
        UnsupportedError: it is the run of a count, which keeps no solutions.
    """
    with RunFile(path, write=True) as file, Session(file, survey.threads) as session:
        if file.recipe.task == "count":
            raise UnsupportedError(f"{path}: a count keeps no solutions; list them with `latcover solve --run`")
        audit(file)
        if file.apart is not None:
            question.require(file.apart, path)
        known = {
            int(row["number"]): str(row["described"]) for row in file.rows("SELECT number, described FROM assemblies")
        }
        waiting: dict[int, str] = {}
        stored: list[Solution] = []  # with results in the file that are yet to be read

        def write() -> None:
            if waiting:
                session.record_assemblies(waiting, question)
                waiting.clear()

        def read() -> None:
            if not stored:
                return
            for solution, disassembly in zip(stored, _read(path, prepared, stored, known), strict=True):
                examined = Examined(solution, disassembly)
                survey.tally.add(examined)
                on_examined(examined)
            stored.clear()

        def take(examined: Examined) -> None:
            on_examined(examined)
            if examined.disassembly.result != "unknown":
                waiting[examined.solution.number] = json.dumps(examined.disassembly.as_json())
            if len(waiting) >= AT_ONCE:
                write()
            session.keep_alive()

        survey.on_examined = take
        try:
            for solution in solutions_of(file):
                assert isinstance(solution, Solution)
                if solution.number in known:
                    stored.append(solution)
                    if len(stored) >= AT_ONCE:
                        read()
                elif survey.stop is None:
                    read()  # in their order, as far as the survey keeps it
                    survey.take(solution)
                else:
                    break
            read()
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
    path: Path, prepared: Prepared, solutions: Sequence[Solution], described: Mapping[int, str]
) -> list[Disassembly]:
    """The results of the file for some solutions, checked."""
    plans = []
    for solution in solutions:
        try:
            plans.append((solution, disassembly_of(json.loads(described[solution.number]))))
        except (ValueError, KeyError, TypeError, RecursionError):
            raise damaged(path, f"it does not tell how solution {solution.number} comes apart") from None
    for (solution, _), faults in zip(plans, faults_of_each(prepared.puzzle, plans), strict=True):
        if faults:
            raise damaged(path, f"the disassembly of solution {solution.number} in it is wrong")
    return [plan for _, plan in plans]
