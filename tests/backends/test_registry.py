"""Backends of other packages: found by their entry points, listed, used, and named when they are at fault."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import latcover as package
from latcover.backends import OURS, abilities, create, names
from latcover.core.cover.backend import Backend
from latcover.core.cover.named_problem import NamedProblem
from latcover.core.cover.problem import CoverProblem
from latcover.core.cover.result import SearchResult, Stop
from latcover.core.cover.search import Batch, Limits, SearchTask
from latcover.core.encoding.prepared import Choices, prepare
from latcover.core.solving import guard
from latcover.errors import BackendFailedError, BackendUnavailableError, UnsupportedError
from latcover.files.formats.library import load
from tests.command_line import DONE, FAILED, LIMIT, run_process, start
from tests.command_line import run as latcover
from tests.processes import GUARD, posix_only, wait_until

TEMPLATE = Path(__file__).parents[2] / "docs" / "backend-template"
MODULES = ("latcover_simple", "bad", "taker", "tally")  # that tests install


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path, as site-packages is, into which `put` installs."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for module in MODULES:
        sys.modules.pop(module, None)


def put(folder: Path, name: str, module: str, entry: str, group: str = "latcover.backends") -> None:
    (folder / f"{name}.py").write_text(module, encoding="utf-8")
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{group}]\n{entry}\n")


def put_template(folder: Path) -> None:
    put(folder, "latcover_simple", (TEMPLATE / "latcover_simple.py").read_text(), "simple = latcover_simple:Simple")


def test_a_backend_of_another_package_is_used_like_ours(install: Path) -> None:
    put_template(install)
    assert names() == [*OURS, "simple"]
    count = ("count", "hex-prisms", "--backend", "simple", "--json")
    answer = json.loads(latcover(*count).stdout)
    assert (answer["different"], answer["complete"], answer["backend"]) == (2, True, "simple")
    backwards = json.loads(latcover(*count, "-o", "backwards=yes").stdout)
    assert (backwards["different"], backwards["digest"]) == (2, answer["digest"])
    listed = json.loads(latcover("list", "--json").stdout)["backends"]["simple"]
    assert listed["summary"].startswith("Plain backtracking")
    assert listed["options"] == {"backwards": {"takes": "true or false", "default": False}}


def test_the_template_names_its_own_entry_point() -> None:
    assert 'simple = "latcover_simple:Simple"' in (TEMPLATE / "pyproject.toml").read_text()


@pytest.mark.parametrize(
    ("module", "entry", "message"),
    [
        ("import absent_solver", "bad = bad:Solver", "ModuleNotFoundError: No module named 'absent_solver'"),
        ("", "bad = bad:Solver", "AttributeError"),
        ("class Solver: pass", "bad = bad:Solver", "is not derived from"),
        ("def Solver(): pass", "bad = bad:Solver", "is not derived from"),
    ],
)
def test_one_that_cannot_be_used_is_named_and_hurts_nobody(
    install: Path, module: str, entry: str, message: str
) -> None:
    put(install, "bad", module, entry)
    with pytest.raises(BackendUnavailableError, match="backend 'bad'"):
        create("bad")
    used = latcover("count", "soma", "--backend", "bad")
    assert used.returncode == 1
    assert message in used.stderr
    assert "Traceback" not in used.stderr
    listed = latcover("list")
    assert listed.returncode == 0
    assert "bad: not available" in listed.stdout


UNLICENSED = "    def __post_init__(self) -> None:\n        raise ValueError('no licence')\n\n"
TEMPLATE_TEXT = (TEMPLATE / "latcover_simple.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("instead_of", "there_is", "message"),
    [
        ("backwards: bool = False", "backwards: bool = False\n    must: int = None.missing", "cannot be loaded"),
        ("backwards: bool = False", "backwards: 'Nonsense' = False", "types that are unknown"),
        (
            "    def search",
            "    def __post_init__(self) -> None:\n        raise ValueError('no licence')\n\n    def search",
            "cannot be made: ValueError: no licence",
        ),
        ("outbox.ready()", "raise RuntimeError('broken')", "failed: RuntimeError: broken"),
        ("np.array(cover, dtype", "np.array([*cover, 99999], dtype", "options that do not exist"),
        ("np.array(cover, dtype", "np.array(cover[1:], dtype", "is not a cover"),
        ("np.array(cover, dtype", "np.array([*cover, *cover[:1]], dtype", "is not a cover"),
        (
            "outbox.put(np.array(cover, dtype=np.int32))",
            "all(outbox.put(np.array(cover, dtype=np.int32)) for _ in range(2))",
            "a cover for the second time",
        ),
        ("outbox.ready()", "raise SystemExit", "failed: SystemExit"),
        ("return relay(", "relay(", "returned NoneType instead of a SearchResult"),
    ],
)
def test_what_another_package_does_wrong_is_said_with_its_name(
    install: Path, instead_of: str, there_is: str, message: str
) -> None:
    assert instead_of in TEMPLATE_TEXT
    module = TEMPLATE_TEXT.replace(instead_of, there_is)
    put(install, "latcover_simple", module, "simple = latcover_simple:Simple")
    for command in ("count", "solve"):
        done = latcover(command, "hex-prisms", "--backend", "simple")
        assert done.returncode == 1
        assert message in done.stderr
        assert "Simple" in done.stderr or "'simple'" in done.stderr
        assert "Traceback" not in done.stderr
    assert latcover("list").returncode == 0


ENDS, DIES = "os._exit(0)", "os.kill(os.getpid(), 11)"


@pytest.mark.parametrize(
    ("words", "ends", "how"),
    [
        ("count hex-prisms --backend simple", ENDS, "with exit code 0"),
        pytest.param("solve hex-prisms --backend=simple", DIES, "by SIGSEGV", marks=posix_only),
        pytest.param("compare hex-prisms --backends simple,dlx", ENDS, "with exit code 0", marks=pytest.mark.long),
        pytest.param("runs resume simple.run", ENDS, "with exit code 0", marks=pytest.mark.long),
        ("count hex-prisms --backend simple", "None", ""),
    ],
)
def test_a_backend_that_ends_the_process_is_named(
    install: Path, monkeypatch: pytest.MonkeyPatch, words: str, ends: str, how: str
) -> None:
    module = TEMPLATE_TEXT.replace("outbox.ready()", f"import os\n        {ends}\n        outbox.ready()")
    put(install, "latcover_simple", module, "simple = latcover_simple:Simple")
    monkeypatch.chdir(install)
    if "resume" in words:
        latcover("count", "hex-prisms", "--backend", "simple", "--time", 0, "--run", "simple.run")
    done = run_process(*words.split(), PYTHONPATH=os.pathsep.join([str(install), *sys.path]))
    assert done.returncode == (FAILED if how else DONE)
    told = f"backend 'simple' ended its process ({how}) before the search was over"
    assert (told in " ".join([*done.stderr.split(), *done.stdout.split()])) == bool(how)


def test_what_interrupts_the_process_reaches_the_child_that_searches(install: Path) -> None:
    waits = "(install := __import__('pathlib').Path(__file__).with_name('begun')).touch()"
    module = TEMPLATE_TEXT.replace(
        "outbox.ready()", f"{waits}\n        while not self._stopped: pass\n        outbox.ready()"
    )
    put(install, "latcover_simple", module, "simple = latcover_simple:Simple")
    process = start("count", "soma", "--backend", "simple", PYTHONPATH=os.pathsep.join([str(install), *sys.path]))
    wait_until((install / "begun").exists)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=GUARD)
    assert "cut short: cancelled" in said
    assert process.returncode == LIMIT


COUNTER = """from latcover import Counter, Limits, SearchTask
from latcover.backends import create

class Tally(Counter, frozen=True):
    name = "tally"

    def why_not(self, problem):
        return "counts few options only" if problem.n_options > 200 else ""

    def count(self, task):
        found = create("dlx").search(SearchTask(task.problem, lambda _: True, task.limits, task.on_progress))
        return self.result(found.covers if found.complete else None, found.stop, tallied=found.covers)
"""


def test_a_counter_of_another_package_is_used_like_ours(install: Path) -> None:
    put(install, "tally", COUNTER, "tally = tally:Tally", "latcover.counters")
    answer = json.loads(latcover("count", "fig4-3x3", "--method", "tally", "--json").stdout)
    assert (answer["total"], answer["method"], answer["backend"]) == (16, "tally", "tally")
    assert answer["native"]["tallied"]
    refused = latcover("count", "pent-10x6", "--method", "tally")
    assert refused.returncode == FAILED
    assert "a count by tally counts few options only; count by enumeration" in refused.stderr
    named = latcover("count", "fig4-3x3", "--method", "tali")
    assert named.returncode == FAILED
    assert "no method of counting 'tali'; did you mean 'tally'?" in named.stderr


def test_a_counter_is_no_backend(install: Path) -> None:
    put(install, "tally", COUNTER, "tally = tally:Tally")
    with pytest.raises(BackendUnavailableError, match=r"'tally'.* is not derived from `latcover.Backend`"):
        create("tally")


class Asked(Backend, frozen=True):
    """Notes what it is asked, and finds nothing."""

    tasks: list[SearchTask]
    name = "asked"
    takes_any_bounds = False

    def search(self, task: SearchTask) -> SearchResult:
        self.tasks.append(task)
        return SearchResult(Stop.CANCELLED)


def test_a_backend_is_asked_only_for_what_it_declares() -> None:
    """An item that all options hold follows from the others. A veto is left to those who judge covers."""
    ruled = prepare(load("pent-10x6"), Choices(rules=("connected=I,L",)))
    problem = CoverProblem([0, 2, 4], [0, 2, 1, 2], [1, 1, 2], [1, 1, 2])
    asked = Asked([])
    guard.search(asked, SearchTask(ruled.problem, lambda _: True, veto=ruled.option_veto))
    guard.search(asked, SearchTask(problem, lambda _: True))
    assert ruled.option_veto is not None
    assert [task.veto for task in asked.tasks] == [None, None]
    assert asked.tasks[1].problem.high.tolist() == [1, 1, 1]
    with pytest.raises(UnsupportedError, match="backend 'asked' does not branch on options"):
        guard.search(asked, SearchTask(problem, lambda _: True, Limits(branches=1)))
    with pytest.raises(UnsupportedError, match="backend 'asked' takes only parts that may be used once"):
        guard.search(asked, SearchTask(CoverProblem([0, 1, 2], [0, 0], [0], [2]), lambda _: True))


class Replay(Backend, frozen=True):
    """Hands over covers of four options in batches of up to so many."""

    covers: list[list[int]]
    at_once: int
    name = "replay"

    def search(self, task: SearchTask) -> SearchResult:
        for k in range(0, len(self.covers), self.at_once):
            options = np.array(self.covers[k : k + self.at_once], np.int32)
            task.on_covers(Batch(np.arange(0, options.size + 1, 4), options.reshape(-1)))
        return SearchResult(Stop.EXHAUSTED)


@pytest.mark.parametrize("at_once", [1, 7, 300])
def test_a_repeated_cover_is_noticed_whatever_came_between(at_once: int) -> None:
    problem = NamedProblem("four", CoverProblem(range(13), [*range(4)] * 3, [1] * 4, [1] * 4), "abcd")
    # four items, each with three options
    covers = [[4 * k + item for item, k in enumerate(which)] for which in product(range(3), repeat=4)]
    assert package.count(problem, solver=Replay(covers, at_once)).total == 81
    for k in range(0, 81, 5):
        again = [*covers, covers[k][::-1]]
        with pytest.raises(BackendFailedError, match="handed over a cover for the second time"):
            package.count(problem, solver=Replay(again, at_once))


def test_options_without_a_simple_default_are_listed(install: Path) -> None:
    many = "msgspec.field(default_factory=list)"
    module = TEMPLATE_TEXT.replace("backwards: bool = False", f"many: list[int] = {many}\n    backwards: bool = False")
    module = module.replace("import numpy as np\n", "import msgspec\nimport numpy as np\n")
    put(install, "latcover_simple", module, "simple = latcover_simple:Simple")
    listed = json.loads(latcover("list", "--json").stdout)["backends"]["simple"]
    assert listed["options"]["many"]["default"] is None
    assert latcover("count", "hex-prisms", "--backend", "simple").returncode == 0


def test_the_names_of_ours_cannot_be_taken(install: Path) -> None:
    put(install, "taker", "", "dlx = taker:Solver")
    assert names().count("dlx") == 1
    assert type(create("dlx")).__module__ == "latcover.backends.dlx"


def test_an_unknown_name_suggests_backends_of_other_packages(install: Path) -> None:
    put_template(install)
    with pytest.raises(UnsupportedError, match="did you mean 'simple'"):
        create("simpel")


class Wrong(Backend, frozen=True):
    """Does one thing wrong: it hands over no cover, returns nonsense, or breaks down."""

    how: str

    @property
    def name(self) -> str:
        return "wrong"

    def search(self, task: SearchTask) -> SearchResult:
        if self.how == "breaks down":
            raise ValueError("no licence")
        if self.how == "no cover":
            task.on_covers(Batch(np.array([0, 1]), np.array([0], dtype=np.int32)))
        return None  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("no cover", "backend 'wrong' handed over a set of options that is not a cover"),
        ("nonsense", "backend 'wrong' returned NoneType instead of a SearchResult"),
        ("breaks down", "backend 'wrong' failed: ValueError: no licence"),
    ],
)
def test_solutions_and_counts_name_a_backend_that_is_at_fault(how: str, message: str) -> None:
    soma = package.load("soma")
    with pytest.raises(BackendFailedError, match=message):
        list(package.solutions(soma, Wrong(how)))
    with pytest.raises(BackendFailedError, match=message):
        package.count(soma, solver=Wrong(how))


RULED = {  # puzzles of which some backends declare that they cannot search them
    "takes_any_bounds": ("pent-20x3", Choices(rules=("no-crossroads",))),
    "honours_colours": ("macmahon-squares", Choices()),
}


@pytest.mark.parametrize("ability", RULED)
@pytest.mark.parametrize("name", [name for name in OURS if name != "auto"])
def test_a_backend_can_what_it_declares_and_names_others_for_the_rest(name: str, ability: str) -> None:
    puzzle, choices = RULED[ability]
    prepared = prepare(load(puzzle), choices)
    can = getattr(create(name), ability)
    assert abilities(name)[ability] is can
    limits = Limits(seconds=0.01)
    if can:
        guard.search(create(name), SearchTask(prepared.problem, lambda _: False, limits))
        return
    with pytest.raises(UnsupportedError) as refusal:
        guard.search(create(name), SearchTask(prepared.problem, lambda _: False, limits))
    said = str(refusal.value).rpartition(": ")[2].replace(" or ", ", ").split(", ")
    assert said == [other for other in OURS if other != "auto" and getattr(create(other), ability)]
