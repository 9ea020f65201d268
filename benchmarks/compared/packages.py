"""Adapters of Python packages: each gets the problem in the form of its own, made before the clock starts."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.compared.cases import Case, problem_of
from benchmarks.compared.programs import PreparedProgram, asks
from benchmarks.compared.running import clauses, clauses_file, with_file
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.rows import bounded_rows, colour_groups
from latcover.errors import UnsupportedError

Covers = list[tuple[int, ...]]
FOUND = 10  # what miniexact returns when there is a further cover


def plain(case: Case, *, colours: bool = False) -> NamedProblem:
    """The problem, if every item has the bounds [1, 1] or [0, 1].

    Raises:
        UnsupportedError: a program of exact covers cannot express it.
    """
    subject = problem_of(case)
    if (subject.problem.high != 1).any() or (subject.problem.low > 1).any():
        raise UnsupportedError("it takes exact covers only: every item must have the bounds [1, 1] or [0, 1]")
    if subject.problem.has_colours and not colours:
        raise UnsupportedError("it does not support item colours")
    return subject


def matrix_of(problem: CoverProblem) -> npt.NDArray[np.int32]:
    """The options as rows, and below them a row for each item that may stay uncovered, alone."""
    matrix = np.zeros((problem.n_options, problem.n_items), np.int32)
    owners = np.repeat(np.arange(problem.n_options), np.diff(problem.option_starts))
    matrix[owners, problem.option_items] = 1
    optional = np.flatnonzero(problem.low == 0)
    alone = np.zeros((len(optional), problem.n_items), np.int32)
    alone[np.arange(len(optional)), optional] = 1
    return np.concatenate([matrix, alone])


def exact_cover(case: Case) -> PreparedProgram:
    """It knows no items that may stay uncovered: an option more for each changes neither covers nor their number."""
    problem = plain(case).problem
    module: Any = import_module("exact_cover")
    matrix, n = matrix_of(problem), problem.n_options

    def covers(rows: Iterable[Iterable[int]]) -> Covers:
        return [tuple(int(row) for row in cover if row < n) for cover in rows]

    def listed() -> Any:
        try:
            return module.get_all_solutions(matrix)
        except module.error.NoSolution:
            return []

    questions: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
        "all": (listed, covers),
        "count": (partial(module.get_solution_count, matrix), int),
        "one": (partial(module.get_exact_cover, matrix), lambda cover: covers([cover])),
    }
    question, read = questions[case.task]
    return asks(question, read)


def _xcover_input(case: Case, *, colours: bool) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Numba's, of the types in xcover, when it is first compiled
        module: Any = import_module("xcover")
    subject = plain(case, colours=colours)
    problem, items = subject.problem, subject.items
    options = [list(subject.written(option)) for option in range(problem.n_options)]
    primary, secondary = ([items[k] for k in np.flatnonzero(problem.low == low)] for low in (1, 0))
    how = {"primary": primary, "secondary": secondary, "colored": problem.has_colours}
    tiny = [["a", "b"], ["a"], ["b"]]
    [*module.covers(tiny)], [*module.covers_zdd(tiny, use_memo_cache=True)]  # compiled now, if it was not
    return module, (options,), how


def xcover(case: Case) -> PreparedProgram:
    """Dancing cells; it compiles itself before the clock starts."""
    module, given, how = _xcover_input(case, colours=True)
    most = 1 if case.task == "one" else None

    def listed() -> Any:
        return [*islice(module.covers(*given, **how), most)]

    def counted() -> int:
        return sum(1 for _ in module.covers(*given, **how))

    if case.task == "count":
        return asks(counted, int)
    return asks(listed, lambda found: [tuple(map(int, cover)) for cover in found])


def xcover_memo(case: Case) -> PreparedProgram:
    """A diagram of all covers, with its memo; the covers are the paths to its end."""
    module, given, how = _xcover_input(case, colours=False)

    def question() -> int:
        return paths_of(module.covers_zdd(*given, **how, use_memo_cache=True))

    return asks(question, int)


def paths_of(nodes: Iterable[tuple[int, int, int, int]]) -> int:
    """How many ways lead from the last node of a diagram to node 1; nodes are (number, option, low, high)."""
    ways = {0: 0, 1: 1}
    last = 0
    for node, _, low, high in nodes:
        last = int(node)
        if last > 1:
            ways[last] = ways[int(low)] + ways[int(high)]
    return ways[last]


def pyxcc(case: Case) -> PreparedProgram:
    """Dancing cells in Rust; options have names."""
    module: Any = import_module("pyxcc")
    subject = plain(case, colours=True)
    problem, items = subject.problem, subject.items
    is_primary = problem.low == 1

    def option(number: int) -> Any:
        entries = subject.entries(number)
        first = [items[item] for item, _ in entries if is_primary[item]]
        second = [(items[item], f"c{colour}" if colour else "") for item, colour in entries if not is_primary[item]]
        return module.Option(str(number), first, second)

    names = ([items[k] for k in np.flatnonzero(kind)] for kind in (is_primary, ~is_primary))
    given = module.Problem(*names, [option(number) for number in range(problem.n_options)])
    question = partial(module.solve, given, case.task != "one")

    def read(found: Any) -> Covers | int:
        if case.task == "count":
            return int(found.count())
        return [tuple(map(int, cover)) for cover in (found.all() if case.task == "all" else [found.first()])]

    return asks(question, read)


def miniexact(case: Case) -> PreparedProgram:
    """Knuth's Algorithm C; each call of `solve` goes on to the next cover."""
    module: Any = import_module("miniexact")
    subject = plain(case, colours=True)
    problem, items = subject.problem, subject.items
    most = 1 if case.task == "one" else None

    def fresh() -> Callable[[], Any]:
        solver = module.miniexacts_c()
        define = {1: solver.primary, 0: solver.secondary}
        numbers = [0] * problem.n_items
        for item in [*np.flatnonzero(problem.low == 1), *np.flatnonzero(problem.low == 0)]:
            numbers[item] = define[int(problem.low[item])](items[item])
        colours = [0, *(solver.color(name) for name in subject.colours)]
        added = []
        for option in range(problem.n_options):
            for item, colour in subject.entries(option):
                solver.add(numbers[item], colours[colour]) if colour else solver.add(numbers[item])
            added.append(solver.add(0))
        number_of = {name: number for number, name in enumerate(added)}

        def question() -> Any:
            found: list[Any] | int = 0 if case.task == "count" else []
            while solver.solve() == FOUND:
                if isinstance(found, int):
                    found += 1
                    continue
                found.append([number_of[name] for name in solver.selected_options()])
                if len(found) == most:
                    break
            return found

        return question

    return PreparedProgram(fresh, lambda found: found if isinstance(found, int) else [tuple(cover) for cover in found])


def cpsat(case: Case) -> PreparedProgram:
    """The model as one would write it: a Boolean an option, a constraint an item; one worker."""
    module: Any = import_module("ortools.sat.python.cp_model")
    problem = problem_of(case).problem
    model = module.CpModel()
    chosen = [model.new_bool_var("") for _ in range(problem.n_options)]
    for group in colour_groups(problem):
        shown = model.new_bool_var("")
        model.add_max_equality(shown, [chosen[option] for option in group.tolist()])
        chosen.append(shown)
    for row in bounded_rows(problem):
        of_row = [chosen[variable] for variable in row.variables.tolist()]
        if row.low == row.high == 1:
            model.add_exactly_one(of_row)
        elif row.low == 0 and row.high == 1:
            model.add_at_most_one(of_row)
        else:
            model.add_linear_constraint(sum(of_row), row.low, row.high)
    options = chosen[: problem.n_options]

    class Keep(module.CpSolverSolutionCallback):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.found: Covers = []

        def on_solution_callback(self) -> None:
            self.found.append(tuple(k for k, option in enumerate(options) if self.boolean_value(option)))

    def question() -> Covers:
        solver, keep = module.CpSolver(), Keep()
        solver.parameters.enumerate_all_solutions = case.task == "all"
        solver.parameters.num_workers = 1
        solver.solve(model, keep)
        return keep.found[:1] if case.task == "one" else keep.found

    return asks(question, lambda found: found)


def pysat(case: Case) -> PreparedProgram:
    """PySAT's own way to list models, with CaDiCaL; the clauses are added within the time."""
    module: Any = import_module("pysat.solvers")
    n = problem_of(case).problem.n_options
    _, given = clauses(case)
    most = 1 if case.task == "one" else None

    def question() -> Covers:
        with module.Solver("cadical153", bootstrap_with=given) as solver:
            models = islice(solver.enum_models(), most)
            return [tuple(literal - 1 for literal in model if 0 < literal <= n) for model in models]

    return asks(question, lambda found: found)


def ganak(case: Case) -> PreparedProgram:
    """A model counter on clauses without auxiliary variables."""
    module: Any = import_module("pyganak")
    plain(case)
    n, given = clauses(case)

    def fresh() -> Callable[[], int]:
        counter = module.Counter()
        counter.new_vars(n)
        counter.add_clauses(given)
        count: Callable[[], int] = counter.count
        return count

    return PreparedProgram(fresh, int)


def sdd(case: Case) -> PreparedProgram:
    """The clauses are read and compiled, and the models of what came of them counted."""
    module: Any = import_module("pysdd.sdd")
    plain(case)
    file, folder = with_file(case, clauses_file)

    def question() -> int:
        _, root = module.SddManager.from_cnf_file(file.encode())
        return int(root.global_model_count())

    return asks(question, int, folder)
