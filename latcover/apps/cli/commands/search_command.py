"""The commands `solve` and `count`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from latcover.apps.cli.commands.best_command import BestOptions, find_best
from latcover.apps.cli.commands.certificate_command import CertificateFile, CertificateWriting, rest_of_time
from latcover.apps.cli.commands.proof_command import ProofFile, encoding_of_proof, prove
from latcover.apps.cli.shared.option_requests import made, with_rest_of_time
from latcover.apps.cli.shared.options import (
    DEFAULT_BACKEND,
    BackendName,
    CountOptions,
    EncodingOptions,
    GroupBy,
    InputOptions,
    MessageOptions,
    MethodName,
    PuzzleName,
    ReportOptions,
    RunOptions,
    SearchOptions,
    ShowAll,
)
from latcover.apps.cli.shared.output import echo, require_writable
from latcover.apps.cli.shared.printed_answers import (
    EXIT_SATISFIABLE,
    EXIT_UNSATISFIABLE,
    SolutionPrinter,
    finish,
    print_answer,
)
from latcover.apps.cli.shared.progress import Show, watched, watcher
from latcover.apps.cli.shared.run_files import named_or_temporary_file, source_of
from latcover.apps.cli.shared.subjects import load_subject, load_with_goals, prepare
from latcover.errors import UnsupportedError

if TYPE_CHECKING:
    from latcover.core.cover.events import Events
    from latcover.core.cover.result import SearchResult
    from latcover.core.cover.searchable import Searchable
    from latcover.core.solving.count import CountRequest
    from latcover.core.solving.solve import SolveRequest
    from latcover.lab.asking.best import BestRequest


def solve(
    context: typer.Context,
    puzzle: PuzzleName = None,
    *,
    backend: BackendName = DEFAULT_BACKEND,
    encoding: EncodingOptions,
    search: SearchOptions,
    run: RunOptions,
    images: bool = False,
    group: GroupBy = None,
    optimum: BestOptions,
    proof: ProofFile = None,
    certificate: CertificateFile = None,
    search_anyway: bool = False,
    color: bool | None = None,
    every: ShowAll = False,
    sat_exit_codes: bool = False,
    inputs: InputOptions,
    report: ReportOptions,
) -> None:
    from latcover.core.cover.counter import Budget
    from latcover.core.cover.named_problem import NamedProblem
    from latcover.core.model.puzzle import Puzzle
    from latcover.core.solving.solve import SolveRequest
    from latcover.core.solving.solve import solve as solve_by
    from latcover.files.formats.library import DEFAULT_PUZZLE
    from latcover.show.reporting.search_report import heading

    if proof is not None:
        _solve_by_proof(context, puzzle, proof, encoding, search, inputs, report, sat=sat_exit_codes)
    certified = CertificateWriting(certificate, report)
    certified.refuse_beside(group=group is not None, images=images, best=optimum != BestOptions())
    if group is not None:
        from latcover.apps.cli.commands.grouping_command import answer_in_groups, refuse_beside_groups

        given = {"--images": images, "--run": run.run is not None, "--cluster": run.cluster is not None}
        given |= {"--best, --pack and --clumsy": optimum != BestOptions(), "--sat-exit-codes": sat_exit_codes}
        refuse_beside_groups(given)
        printer = {"color": color, "every": every}
        answer_in_groups(puzzle, backend, encoding, search, inputs, report, printer=printer, anyway=search_anyway)
        return
    if optimum != BestOptions():
        if run.cluster is not None or images:
            raise UnsupportedError("--best, --pack and --clumsy take neither --cluster nor --images")
        beside: dict[str, Any] = {"run": run.run, "color": color, "anyway": search_anyway}
        _solve_best(puzzle, backend, encoding, search, optimum, inputs, report, **beside)
    request = made(SolveRequest, backend, search, encoding, report, run=run, anyway=search_anyway, images=images)
    began = time.perf_counter()
    asked = load_with_goals(puzzle, inputs, report)
    if not isinstance(asked, Puzzle | NamedProblem):
        from latcover.apps.cli.commands.goals_command import require_no_run, solve_all

        require_no_run(run)
        certified.refuse_goals()
        raise typer.Exit(solve_all(asked, request, inputs, report, color=color, every=every, sat=sat_exit_codes))
    prepared = prepare(asked, encoding, inputs, request.seconds)
    request = with_rest_of_time(request, began)
    certified.begin(prepared, request.limits, puzzle)
    shown = watcher(report)
    show = SolutionPrinter(shown, images=images, color=color, as_json=report.as_json, every=every, held=not run.in_jobs)
    if not report.as_json:
        echo(f"{heading(prepared)}\n")
    with watched(shown, show) as events:
        if run.in_jobs:
            result = _in_file(puzzle, prepared, request, events, run, search, inputs, report, on_solution=show)
        else:
            result = solve_by(prepared, request, events)
        events.ended(result)
        certified.write(prepared, result, events, rest_of_time(search.time, began), Budget())
    show.end()
    named, more = puzzle or DEFAULT_PUZZLE, certified.as_json()
    print_answer(result, lambda: prepared, report, puzzle=named, run=run.run, in_summary=True, more=more)
    _finish(result, certified, report, sat_exit_codes=sat_exit_codes)


def _finish(
    result: SearchResult, certified: CertificateWriting, report: ReportOptions, *, sat_exit_codes: bool
) -> None:
    """Say what became of a certificate, and end with the exit code."""
    if not report.as_json and (text := certified.as_text()):
        echo(text)
    certified.finish()
    finish(result, sat_exit_codes)


def _solve_by_proof(
    context: typer.Context,
    puzzle: str | None,
    proof: Path,
    encoding: EncodingOptions,
    search: SearchOptions,
    inputs: InputOptions,
    report: ReportOptions,
    *,
    sat: bool,
) -> NoReturn:
    """Prove that there is no solution, and end with the exit code."""
    encoding = encoding_of_proof(context, encoding)
    require_writable(proof, reads=puzzle)
    subject = load_subject(puzzle, inputs, report)
    has_solutions = prove(subject, proof, encoding, search.time, inputs=inputs, report=report)
    raise typer.Exit((EXIT_SATISFIABLE if has_solutions else EXIT_UNSATISFIABLE) if sat else 0)


def _solve_best(
    puzzle: str | None,
    backend: str,
    encoding: EncodingOptions,
    search: SearchOptions,
    optimum: BestOptions,
    inputs: InputOptions,
    report: ReportOptions,
    *,
    run: Path | None,
    color: bool | None,
    anyway: bool,
) -> NoReturn:
    """Find the best solution, and end with its exit code."""
    from latcover.lab.asking.best import BestRequest

    require_writable(run, reads=puzzle)
    wanted = made(BestRequest, backend, search, encoding, report, anyway=anyway, **optimum.wanted())
    ready = _to_improve(puzzle, wanted, optimum, encoding, inputs, report)
    raise typer.Exit(find_best(ready, wanted, report, run=run, output=optimum.output, color=color))


def _to_improve(
    puzzle: str | None,
    wanted: BestRequest,
    optimum: BestOptions,
    encoding: EncodingOptions,
    inputs: InputOptions,
    report: ReportOptions,
) -> Searchable[Any]:
    """What the best solution is looked for in: the puzzle, or the packings of its parts."""
    from latcover.lab.asking.packings import packing_of

    is_packing = optimum.pack or optimum.clumsy
    subject = load_subject(puzzle, inputs, report, fits=not is_packing)
    if is_packing:
        subject = packing_of(subject, clumsy=optimum.clumsy)
    return prepare(subject, encoding, inputs, wanted.seconds)


def count(
    puzzle: PuzzleName = None,
    *,
    backend: BackendName = DEFAULT_BACKEND,
    encoding: EncodingOptions,
    search: SearchOptions,
    run: RunOptions,
    counting: CountOptions,
    certificate: CertificateFile = None,
    group: GroupBy = None,
    search_anyway: bool = False,
    sat_exit_codes: bool = False,
    inputs: InputOptions,
    report: ReportOptions,
) -> None:
    from latcover.core.cover.named_problem import NamedProblem
    from latcover.core.model.puzzle import Puzzle
    from latcover.core.solving.count import CountRequest
    from latcover.core.solving.count import count as count_by
    from latcover.core.solving.forestall import without_volume
    from latcover.files.formats.library import DEFAULT_PUZZLE

    _check_method(counting.method, search, run)
    certified = CertificateWriting(certificate, report)
    certified.refuse_beside(group=group is not None)
    if group is not None:
        from latcover.apps.cli.commands.grouping_command import answer_in_groups, refuse_beside_groups

        given = {"--method": counting.method not in ("auto", "enumeration"), "--run": run.run is not None}
        refuse_beside_groups(given | {"--cluster": run.cluster is not None, "--sat-exit-codes": sat_exit_codes})
        answer_in_groups(puzzle, backend, encoding, search, inputs, report, printer=None, anyway=search_anyway)
        return
    request = made(
        CountRequest,
        backend,
        search,
        encoding,
        report,
        run=run,
        anyway=search_anyway,
        method=counting.method,
        memory=counting.memory,
        disk=counting.disk,
    )
    began = time.perf_counter()
    subject = load_with_goals(puzzle, inputs, report, fits=False)
    if not isinstance(subject, Puzzle | NamedProblem):
        from latcover.apps.cli.commands.goals_command import count_all, require_no_run

        require_no_run(run)
        certified.refuse_goals()
        raise typer.Exit(count_all(subject, request, inputs, report, sat=sat_exit_codes))
    prepared = prepare(subject, encoding, inputs, request.seconds, fits=False)
    request = with_rest_of_time(request, began)
    certified.begin(prepared, request.limits, puzzle)
    with watched(watcher(report)) as events:
        if (none := without_volume(prepared, backend)) is not None:
            result = none
        elif run.in_jobs:
            result = _in_file(puzzle, prepared, request, events, run, search, inputs, report)
        else:
            result = count_by(prepared, request, events)
        events.ended(result)
        certified.write(prepared, result, events, rest_of_time(search.time, began), request.budget)
    named, more = puzzle or DEFAULT_PUZZLE, certified.as_json()
    print_answer(result, lambda: prepared, report, puzzle=named, run=run.run, more=more)
    _finish(result, certified, report, sat_exit_codes=sat_exit_codes)


def _check_method(method: MethodName, search: SearchOptions, run: RunOptions) -> None:
    """Refuse options that a method of counting cannot honour.

    Raises:
        UnsupportedError: the method lists no solutions, and an option is about the list, or about a run in jobs.
    """
    if method in ("auto", "enumeration"):
        return
    lists = {"--limit": search.limit is not None, "--max-branches": search.max_branches is not None}
    lists |= {"--run": run.run is not None and method != "frontier", "--cluster": run.cluster is not None}
    names = [name for name, is_given in lists.items() if is_given]
    if names:
        raise UnsupportedError(
            f"--method {method} lists no solutions, so it cannot honour {' and '.join(names)}: leave that out "
            "(--time limits every method), or take --method enumeration"
        )


def _in_file(
    puzzle: str | None,
    prepared: Searchable[Any],
    request: SolveRequest | CountRequest,
    events: Events,
    run: RunOptions,
    search: SearchOptions,
    inputs: InputOptions,
    messages: MessageOptions,
    *,
    on_solution: Show | None = None,
) -> SearchResult:
    """Perform a request in the file that the user named, or in a temporary one."""
    from latcover.lab.runs.control import search_in_file

    with named_or_temporary_file(run, messages) as path:
        return search_in_file(
            path,
            source_of(path, puzzle),
            prepared,
            request,
            events,
            on_solution=on_solution,
            bounds=inputs.bounds(),
            threads=search.threads,
            cluster=run.cluster or "",
        )
