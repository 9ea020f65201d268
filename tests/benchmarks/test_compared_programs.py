"""The programs of the comparison: each that is here answers rightly, commands are read as they print, limits hold."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import pytest

from benchmarks.compared import measuring, worker
from benchmarks.compared.cases import TASKS, Case, Task, cases_of, problem_of
from benchmarks.compared.commands import burrtools_found, covers_in, models_counted
from benchmarks.compared.measuring import Plan, Worker, ended_by, measure, rotated, take_turns
from benchmarks.compared.packages import matrix_of, paths_of
from benchmarks.compared.programs import BY_NAME, PROGRAMS, REFERENCE, Program, chosen_programs
from benchmarks.compared.results import told
from benchmarks.compared.running import Allowance, TimedOutError, puzzle_file, require_few_clauses, run_command
from benchmarks.harness import processes
from latcover.errors import UnsupportedError
from latcover.files.formats.library import load
from tests.oracle import cover_problem

SMALL: dict[Task, tuple[str, ...]] = {
    "all": ("queens 6", "tiles 2", "Latin squares 3", "sudoku, 25 clues"),
    "count": ("queens 8", "L tricubes 2", "Latin squares 3"),
    "one": ("queens 8", "Langford 12"),
    "puzzle": ("soma",),
    "apart": ("burr-piston",),
    "plane": ("6 squares",),
}
QUEENS = [case for case in cases_of("all") if case.family == "queens"]
SLOW = {("backtrack", "sudoku, 25 clues")}  # it does not choose the cell, so it takes half a minute
DEAR = {("PySDD", "queens 8"), ("Ganak", "queens 8")}  # a second each
COLOURLESS = {"backtrack", "exact-cover"}
MORE = {
    "sudoku, 25 clues",
    "Latin squares 3",
    "Langford 12",
    "6 squares",
}  # which ask nothing else of a program than the rest


@pytest.fixture(scope="module", autouse=True)
def own_signals() -> Iterator[None]:
    """Some programs take Ctrl-C for themselves beneath Python, which still names its own handler: it is put back."""
    yield
    signal.signal(signal.SIGINT, signal.getsignal(signal.SIGINT))


def case_named(task: Task, problem: str) -> Case:
    return next(case for case in cases_of(task) if case.problem == problem)


def questions() -> Iterable[Any]:
    for program, task in product(PROGRAMS, TASKS):
        for problem in SMALL[task] if task in program.tasks else ():
            if (program.name, problem) in SLOW or (problem == "tiles 2" and program.name in COLOURLESS):
                continue
            takes_long = problem in MORE or (program.name, problem) in DEAR
            takes_long |= program.package == "xcover"  # it compiles itself for half a minute
            marks = [pytest.mark.long] if takes_long else []
            yield pytest.param(program, case_named(task, problem), id=f"{task}-{problem}-{program.name}", marks=marks)


@pytest.mark.parametrize(("program", "case"), [*questions()])
def test_every_program_that_is_here_answers_rightly(program: Program, case: Case) -> None:
    if program.version is None:
        pytest.skip(f"{program.name} is not installed")
    found = worker.answered(program.make()(case), case)
    assert (found["number"], found["fault"]) == (case.answer, "")
    assert found["seconds"] > 0


@pytest.mark.parametrize("name", sorted(COLOURLESS))
def test_a_program_that_does_not_know_colours_is_not_given_them(name: str) -> None:
    if BY_NAME[name].version is None:
        pytest.skip(f"{name} is not installed")
    with pytest.raises(UnsupportedError, match="does not support item colours"):
        worker.answered(BY_NAME[name].make()(case_named("all", "tiles 2")), QUEENS[0])


def test_clauses_beyond_number_are_not_written() -> None:
    require_few_clauses(cover_problem([[0]] * 100, [(1, 1)]))
    with pytest.raises(UnsupportedError, match="too large: 8 million clauses"):
        require_few_clauses(cover_problem([[0]] * 4000, [(1, 1)]))


@pytest.mark.parametrize("case", [*cases_of("puzzle"), *cases_of("apart")], ids=lambda case: case.problem)
def test_every_puzzle_can_be_a_file_of_burrtools(case: Case, tmp_path: Path) -> None:
    assert load(puzzle_file(case, str(tmp_path))).name == case.problem


def test_an_item_that_may_stay_uncovered_gets_an_option_of_its_own() -> None:
    problem = cover_problem([[0, 1], [0]], [(1, 1), (0, 1)])
    assert matrix_of(problem).tolist() == [[1, 1], [1, 0], [0, 1]]


def test_the_paths_of_a_diagram_are_counted() -> None:
    """Two options of which one is taken: node 2 takes the second or none, node 3 the first or goes on to node 2."""
    assert paths_of([(2, 1, 0, 1), (3, 0, 2, 1)]) == 2
    assert paths_of([(0, 0, 0, 0)]) == 0
    assert paths_of([]) == 0


def test_every_program_is_described_and_can_be_chosen() -> None:
    for program in PROGRAMS:
        module, name = program.adapter.split(":")
        assert callable(getattr(import_module(f"benchmarks.compared.{module}"), name))
        assert program.about
        assert program.tasks
        assert program.ours == (not program.package and not program.command)
    assert [program.name for program in chosen_programs("clasp,dlx")] == [REFERENCE, "dlx", "clasp"]
    assert chosen_programs(None) == PROGRAMS


# Commands, in place of which a script stands that behaves as their documents say


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Puts a script in place of a command; what it is given goes into a file, whose path is returned."""

    def put(command: str, does: str) -> Path:
        folder, told = tmp_path / "bin", tmp_path / "told"
        folder.mkdir(exist_ok=True)
        script = folder / command
        tells = f'for last in "$@"; do printf "%s\\n" "$last"; done >{told}'
        script.write_text(f"#!/bin/sh\n{tells}\n{does}\n")
        script.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}:{Path(shutil.which('sh') or '/bin/sh').parent}:/usr/bin:/bin")
        return told

    return put


def test_burrtools_is_asked_as_its_help_says(fake: Callable[[str, str], Path], tmp_path: Path) -> None:
    kept = tmp_path / "kept.xmpuzzle"
    says = 'echo "level: 1.2.2"; echo "level: 9.3"; echo "10 assemblies and 1 solutions found with 456 iterations "'
    told = fake("burrTxt", f'cp "$last" {kept}\n{says}')
    apart = case_named("apart", "burr-piston")
    asked = BY_NAME["BurrTools"].make()(apart)
    assert asked.read(asked.fresh()()) == (10, 1, 9)
    assert told.read_text().splitlines()[:-1] == ["-q", "-r", "-d", "-o", "all"]
    assert load(str(kept)).name == "burr-piston"
    puzzle = case_named("puzzle", "soma")
    asked = BY_NAME["BurrTools"].make()(puzzle)
    assert asked.read(asked.fresh()()) == 10
    assert told.read_text().splitlines()[:-1] == ["-q", "-r"]


def test_burrtools_says_more_than_numbers() -> None:
    assert burrtools_found("prepare\n240 assemblies and 0 solutions found with 99 iterations\n") == (240, 0, 0)
    for said in ("Piece 3 can be place nowhere in the result shape\n", "4 units too many for the result shape", ""):
        with pytest.raises(ValueError, match="burrTxt says: "):
            burrtools_found(said)


@pytest.mark.parametrize("case", [*cases_of("plane")], ids=lambda case: case.problem)
def test_heesch_sat_gets_what_its_program_gen_makes(
    case: Case, fake: Callable[[str, str], Path], tmp_path: Path
) -> None:
    fake("gen", f'printf "%s\\n" "$@" >{tmp_path}/asked; echo shapes >"$last"')
    told = fake("heesch-sat", "echo 'O 0 0'; echo 'I 1 0'; echo '~ 1 2 0'; echo '~ 0 1 0'")
    asked = BY_NAME["heesch-sat"].make()(case)
    assert asked.read(asked.fresh()()) == (1, 1, 1)
    assert told.read_text().splitlines()[:2] == ["-isohedral", "-hh"]
    number, grid = (tmp_path / "asked").read_text().splitlines()[2], (tmp_path / "asked").read_text().splitlines()[0]
    assert (number, grid) == (str(case.size)[0], "-hex" if "hexagons" in str(case.size) else "-omino")


def test_answers_of_several_numbers_are_told() -> None:
    assert told("apart", (154, 90, 12)) == "154, apart 90, level 12"
    assert told("plane", (104, 1, 2)) == "104 isohedral; 1 of Heesch number 0; 2 of Heesch number 1"
    assert told("plane", (35,)) == "35 isohedral"
    assert told("all", 1234) == "1,234"


CLASP_LISTS = """\
c clasp version 3.3.5
c Answer: 1
v 1 -2 3 -4 5 0
c Answer: 2
v -1 2 -3 4 -5 0
s SATISFIABLE
c
c Models         : 2
c Calls          : 1
"""


def test_clasp_is_read_as_it_prints(fake: Callable[[str, str], Path]) -> None:
    assert models_counted(CLASP_LISTS) == 2
    assert covers_in(CLASP_LISTS, 4) == [(0, 2), (1, 3)]  # variable 5 is auxiliary
    assert covers_in("s UNSATISFIABLE\nc Models         : 0\n", 4) == []
    assert models_counted("s UNSATISFIABLE\nc Models         : 0\n") == 0
    for cut in ("c Models         : 2+\n", "s UNKNOWN\n"):
        with pytest.raises(ValueError, match="does not tell the number of all models"):
            models_counted(cut)
    told = fake("clasp", "echo 's SATISFIABLE'; echo 'c Models         : 92'; exit 30")
    asked = BY_NAME["clasp"].make()(case_named("count", "queens 8"))
    assert asked.read(asked.fresh()()) == 92
    assert told.read_text().splitlines()[:-1] == ["-n", "0", "--quiet=2"]


def test_a_command_that_fails_says_why(fake: Callable[[str, str], Path]) -> None:
    fake("clasp", "echo 'out of cheese' >&2; exit 65")
    asked = BY_NAME["clasp"].make()(case_named("count", "queens 8"))
    with pytest.raises(RuntimeError, match="exit code 65: out of cheese"):
        asked.fresh()()


@pytest.mark.long
def test_a_command_is_ended_at_its_limit(fake: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    fake("clasp", "while :; do :; done")
    monkeypatch.setattr(Allowance, "seconds", 0.2)  # the system counts whole seconds: it ends after one
    with pytest.raises(TimedOutError):
        run_command(["clasp"])


@pytest.mark.parametrize(("spent", "fault"), [(0.1, RuntimeError), (0.8, TimedOutError)])
def test_a_command_that_is_killed_shortly_before_its_limit_has_come_to_it(
    spent: float, fault: type[Exception], fake: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's own limit counts ticks; what is killed much earlier has failed."""
    fake("clasp", "kill -9 $$")
    monkeypatch.setattr(Allowance, "seconds", 1.0)
    times = iter([0.0, spent])
    monkeypatch.setattr(processes, "processor_time_of_children", lambda: next(times))
    with pytest.raises(fault):
        run_command(["clasp"])


def test_the_version_of_a_missing_command_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    from benchmarks.compared.programs import _version_of

    assert _version_of.__wrapped__("clasp") is None


# Processes


@pytest.fixture
def started() -> Iterable[Callable[[str, Plan], Worker]]:
    made: list[Worker] = []

    def start(name: str, plan: Plan) -> Worker:
        made.append(Worker(BY_NAME[name], plan))
        return made[-1]

    yield start
    for each in made:
        each.close()


@pytest.mark.long
def test_a_question_goes_to_a_process_and_comes_back(started: Callable[[str, Plan], Worker]) -> None:
    """At its limit the process ends, and another one begins: it answers what is easy."""
    asked = started("backtrack", Plan(seconds=0.1))
    hard, easy = case_named("all", "sudoku, 25 clues"), QUEENS[0]
    assert asked.prepare(hard) == {"ready": True}
    assert asked.ask() == {"stop": "time"}
    assert asked.prepare(easy) == {"ready": True}
    first, second = asked.ask(), asked.ask()
    assert (first["number"], first["fault"]) == (4, "")
    assert first["digest"] == second["digest"]
    assert 0 < first["seconds"] < 0.1
    assert asked.prepare(case_named("all", "tiles 2")) == {"ready": True}
    refused = asked.ask()
    assert refused["stop"] == "refused"
    assert "does not support item colours" in refused["reason"]


def test_short_questions_have_a_time_while_a_limit_is_set() -> None:
    """Another clock of the processor stands still for milliseconds then."""

    def some_work() -> float:
        before = worker.processor_seconds()
        sum(range(50_000))
        return worker.processor_seconds() - before

    worker.limit(600)
    try:
        assert all(some_work() > 0 for _ in range(10))
    finally:
        worker.limit(0)


def test_how_a_process_ended_is_told() -> None:
    assert ended_by(-27) == {"stop": "time"}
    assert ended_by(-11) == {"stop": "failed", "reason": "its process ended with SIGSEGV"}
    assert ended_by(3)["reason"] == "its process ended with exit code 3"


# Turns, with programs that are made up


class Actor:
    """A program that gives the replies of a list, one after the other."""

    log: ClassVar[list[str]] = []

    def __init__(self, program: Program, plan: Plan) -> None:
        self.program, self.replies = program, list(SCRIPTS.get(program.name, [0.1] * 99))

    def prepare(self, case: Case) -> dict[str, Any]:
        self.case = case
        return {"stop": "refused", "reason": "no"} if self.replies[0] == "no" else {"ready": True}

    def ask(self) -> dict[str, Any]:
        self.log.append(self.program.name)
        reply = self.replies.pop(0)
        if isinstance(reply, dict):
            return {"seconds": 0.1, "number": self.case.answer, "digest": "", "fault": "", **reply}
        if isinstance(reply, str):
            return {"stop": reply}
        return {"seconds": reply, "number": self.case.answer, "digest": "", "fault": ""}

    def close(self) -> None:
        pass


SCRIPTS: dict[str, list[Any]] = {}


@pytest.fixture
def acted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(measuring, "Worker", Actor)
    monkeypatch.setattr(Program, "version", "1")
    Actor.log = []
    SCRIPTS.clear()
    return Actor.log


def actors(*names: str) -> list[Any]:
    return [Actor(BY_NAME[name], Plan()) for name in names]


def test_the_order_changes_from_turn_to_turn(acted: list[str]) -> None:
    found = take_turns(QUEENS[0], actors(REFERENCE, "dlx", "clasp"), Plan(turns=3))
    assert acted[:3] == [REFERENCE, "dlx", "clasp"]
    assert acted[3:6] == [REFERENCE, "clasp", "dlx"]
    assert acted[6:] == ["clasp", REFERENCE, "dlx"]
    assert [len(each.seconds) for each in found] == [3, 3, 3]
    assert rotated([], 3) == []


def test_long_questions_are_asked_less_often_but_never_the_reference(acted: list[str]) -> None:
    SCRIPTS.update({REFERENCE: [0.9] * 5, "dlx": [0.9] * 5, "clasp": [0.1] * 5})
    found = take_turns(QUEENS[0], actors(REFERENCE, "dlx", "clasp"), Plan(turns=5, few=2))
    assert {each.program: len(each.seconds) for each in found} == {REFERENCE: 5, "dlx": 2, "clasp": 5}


def test_who_fails_is_not_asked_again(acted: list[str]) -> None:
    SCRIPTS.update({"dlx": ["time"], "clasp": [{"number": 3}], "xcover": ["no"], "pyxcc": [{}, {"number": 5}]})
    SCRIPTS["exact-cover"] = [{"digest": "a"}, {"digest": "b"}]
    names = (REFERENCE, "dlx", "clasp", "xcover", "pyxcc", "exact-cover")
    found = {each.program: each for each in take_turns(QUEENS[0], actors(*names), Plan(turns=3))}
    assert {name: each.status for name, each in found.items()} == {
        **{REFERENCE: "answered", "dlx": "time", "clasp": "wrong", "xcover": "refused"},
        **{"pyxcc": "wrong", "exact-cover": "wrong"},
    }
    assert found["pyxcc"].reason == "it answered 4 first and then 5"
    assert acted.count("dlx") == acted.count("clasp") == 1
    assert "xcover" not in acted


def test_who_gives_up_is_not_asked_for_larger_problems(acted: list[str]) -> None:
    SCRIPTS["dlx"] = [0.1, "time", 0.1]
    programs = [BY_NAME[name] for name in (REFERENCE, "dlx")]
    larger = [*QUEENS[:3], case_named("all", "Langford 7")]
    found = list(measure(larger, programs, Plan(turns=1), lambda _: None))
    statuses = [{each.program: each.status for each in of_case}["dlx"] for of_case in found[:3]]
    assert statuses == ["answered", "time", "not tried"]
    assert found[2][1].reason == "gave up at a smaller size"


def test_a_program_that_is_not_here_is_not_asked(acted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Program, "version", property(lambda self: None if self.name == "dlx" else "1"))
    programs = [BY_NAME[name] for name in (REFERENCE, "dlx", "frontier")]
    (found,) = measure(QUEENS[:1], programs, Plan(turns=1), lambda _: None)
    assert [each.program for each in found] == [REFERENCE]


def test_each_problem_is_read_as_it_was_made() -> None:
    """The same number of options, and the items that may stay uncovered last."""
    problem = problem_of(QUEENS[0]).problem
    assert problem.n_options == 36
    assert problem.low.tolist() == [1] * 12 + [0] * 22
