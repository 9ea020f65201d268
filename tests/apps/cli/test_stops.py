"""Every command ends soon after Ctrl-C, and soon after the time that --time gives it, and says what it has.

Soon is counted in seconds of the processor, of latcover and of all processes that it started: a loaded machine is not
slower in these. In the short lane every command is interrupted once; in the long one at three moments.
"""

from __future__ import annotations

import gc
import os
import re
import resource
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from msgspec import Struct

from latcover.apps.cli.registry import COMMANDS, Commands
from tests.command_line import DONE, FAILED, LIMIT, Result, run
from tests.processes import GUARD, descendants, needs_proc

pytestmark = needs_proc
ROOT = Path(__file__).parents[3]
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
SOON = 3.0  # seconds of the processor, of all threads together: each may take 1.5, and two work for atlas --workers
FIRST, LATER = 0.15, (0.6, 2.5)  # when Ctrl-C comes, in the same seconds
SECONDS = 0.3  # of --time
BEGINNING = 1.0  # seconds of the processor before the time is looked at: loading, and the puzzle
INTERRUPTED = 130
SAID = re.compile(
    "cut short|cancelled|interrupted|stopped|time limit|time was over|not complete|as far as was|no design yet|ended by"
)


class Case(Struct, frozen=True):
    """A command line that takes far longer than the test lets it.

    Attributes:
        words: The command line.
        timed: Whether it takes --time, for all that it does.
        done: Whether the time is its usual end.
        short: Whether the time is looked at in the short lane, too: it once was not.
        stdin: What it reads.
    """

    words: str
    timed: bool = True
    done: bool = False
    short: bool = False
    stdin: bytes = b""

    @property
    def name(self) -> str:
        return self.words.replace(" ", "_").replace("/", "_")


CASES = {
    "solve": [Case("solve torus-89"), Case("solve bedlam --best maximize moves", short=True)],
    "count": [Case("count aztec-12 --method enumeration")],
    "sequence": [
        Case("sequence p-pentomino-strip-2 --to 4000", short=True),
        Case("sequence rectangles-distinct --to 40"),
        Case("sequence wide.toml --to 1 --recurrence"),
    ],
    "sample": [Case("sample aztec-12 --number 100000000 --json", short=True)],
    "apart": [Case("apart bedlam")],
    "difficulty": [Case("difficulty bedlam", timed=False)],
    "show": [Case("show bedlam --probabilities --output x.svg", timed=False)],
    "check": [Case("check --all --long", timed=False)],
    "publish": [Case("publish --all --output site", timed=False)],
    "design sets": [Case("design sets sets.toml")],
    "design regions": [Case("design regions pent-10x6")],
    "design cut": [Case("design cut cubic:4x4x4 --parts 6", done=True)],
    "design grow": [Case("design grow bedlam")],
    "pieces": [Case("pieces cubic 9 --max-pieces 100000000", timed=False)],
    "atlas": [
        Case("atlas pentominoes:P --size 200", short=True),
        Case("atlas square --cells 6 --workers 2 --size 60", timed=False),  # --time is for each shape
    ],
    "common": [Case("common pentominoes --pairs"), Case("common heptominoes:12 heptominoes:77 heptominoes:30")],
    "multiples": [
        Case("multiples pentominoes:P 12"),
        Case("multiples square 4 --cells 6 --workers 2", short=True),
    ],
    "pack": [Case("pack pentominoes:X --region 30x30 --clumsy")],
    "exclude": [Case("exclude pentominoes:F --region 20x20")],
    "plane": [
        Case("plane square --cells 9"),
        Case("plane pentominoes:P --torus 20,20", short=True),
        Case("plane hats:hat --most 40"),
    ],
    "import": [Case("import large.scad", timed=False)],
    "export": [Case("export bedlam json --solutions --output x.json", timed=False)],
    "decode": [Case("decode aztec-12 -", timed=False, stdin=b"v 1 2 3 0\n" * 150_000)],
    "estimate": [Case("estimate bedlam --seconds 100", timed=False)],
    "runs resume": [Case("runs resume bedlam.run")],
    "compare": [Case("compare bedlam", timed=False)],
    "bench table1": [Case("bench table1", timed=False)],
    "bench suite": [Case("bench suite", timed=False)],
    "bench compared": [Case("bench compared", timed=False)],
}
BESIDE = {  # these do nothing that takes long
    "design matching": "takes less than a second for the largest board",
    "list": "reads what is shipped",
    "info": "reads one puzzle",
    "runs status": "reads one file",
    "runs solutions": "reads one file",
    "new": "well under a second",
    "open": "as `serve`",
    "serve": "ends with Ctrl-C in test_web_serving.py, and its searches with their time",
}
EVERY = [case for cases in CASES.values() for case in cases]
LONG = (  # in the long lane alone: the short one has others of their kind
    *("count aztec-12 --method enumeration", "sequence rectangles-distinct --to 40", "difficulty bedlam"),
    *("design regions pent-10x6", "design grow bedlam", "common heptominoes:12 heptominoes:77 heptominoes:30"),
    *("multiples pentominoes:P 12", "plane square --cells 9", "estimate bedlam --seconds 100"),
    *("runs resume bedlam.run", "pack pentominoes:X --region 30x30 --clumsy", "check --all --long"),
)
ALONE = ("bench",)  # in the long lane alone: they run other programs


class DeafError(BaseException):
    """The command went on."""


def cpu() -> float:
    """The seconds of the processor that this process has used, and its children that have ended or run."""
    own, ended = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    used = own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime
    for process in descendants(os.getpid()):
        with suppress(OSError, IndexError):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            used += sum(map(int, fields[11:15])) / TICKS
    return used


class Watched:
    """Sends Ctrl-C after so many seconds of the processor, and ends by force what then takes *most*.

    Attributes:
        at: What had been used when Ctrl-C came; None if it never came.
    """

    def __init__(self, moment: float | None, most: float) -> None:
        self.moment, self.most = moment, most
        self.at: float | None = None
        self._begun, self._over = cpu(), threading.Event()

    def watch(self) -> None:
        end = time.monotonic() + GUARD
        while not self._over.wait(0.02):
            used = cpu() - self._begun
            if self.moment is not None and self.at is None and used >= self.moment:
                self.at = used
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            since = self.at if self.moment is not None else 0.0
            if (since is not None and used - since > self.most) or time.monotonic() > end:
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGALRM)
                return

    def over(self) -> None:
        self._over.set()


@contextmanager
def watched(moment: float | None, most: float) -> Iterator[Watched]:
    def deaf(*_: object) -> None:
        raise DeafError

    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, signal.default_int_handler),
        signal.SIGALRM: signal.signal(signal.SIGALRM, deaf),
    }
    listening = gc.callbacks[:]
    gc.callbacks.clear()  # hypothesis has one, and an interrupt that comes within it is lost
    made = Watched(moment, most)
    thread = threading.Thread(target=made.watch, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.over()
        thread.join()
        gc.callbacks.extend(listening)
        for number, handler in before.items():
            signal.signal(number, handler)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the command lines name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sets.toml").write_text(
        'name = "sets"\nlattice = "square"\n[region]\nbox = [6, 10]\n'
        + '[[parts]]\nset = "hexominoes"\nmin = 0\nmax = 1\n'
    )
    (tmp_path / "wide.toml").write_text(
        'name = "wide"\nlattice = "square"\n[family]\nfrom = 1\n[region]\nbox = [30, "{n}"]\n'
        '[[parts]]\nset = "pentominoes"\ncount = "unlimited"\n'
    )
    (tmp_path / "large.scad").write_text("a = 1;\n" * 140_000 + 'burr_piece("xx");')
    return tmp_path


def ended(case: Case, moment: float | None, most: float, *more: object) -> tuple[Result, Watched]:
    words = [*case.words.split(), *more]
    if words[0] == "bench":
        os.chdir(ROOT)
    if words[0] == "runs":
        run("solve", "bedlam", "--run", words[2], "--time", "0")
    try:
        with watched(moment, most) as seen:
            done = run(*words, stdin=case.stdin)
    except DeafError:
        pytest.fail(f"latcover {case.words} went on for {most} seconds of the processor")
    return done, seen


def commands() -> Iterator[str]:
    """The names of all commands, those of groups with the names of their groups."""
    root = Commands(name="latcover")
    for name in COMMANDS:
        command = root.commands[name]
        inner = getattr(command, "commands", None)
        yield from [name] if inner is None else [f"{name} {each}" for each in inner]


def test_every_command_has_its_row() -> None:
    assert {*commands()} == {*CASES, *BESIDE}
    assert all(case.words.startswith(name) for name, cases in CASES.items() for case in cases)


def require_words(done: Result, codes: tuple[int, ...]) -> None:
    assert done.returncode in codes, done.stderr
    assert SAID.search(done.stdout + done.stderr), done.stdout[-300:]
    assert "Traceback" not in done.stderr


def moments(case: Case) -> Iterator[object]:
    for number, moment in enumerate((FIRST, *LATER)):
        long = number > 0 or case.words.startswith(ALONE) or case.words in LONG
        yield pytest.param(case, moment, id=f"{case.name}-{moment}", marks=[pytest.mark.long] * long)


@pytest.mark.parametrize(("case", "moment"), [each for case in EVERY for each in moments(case)])
def test_a_command_ends_soon_after_ctrl_c(case: Case, moment: float, place: Path) -> None:
    done, seen = ended(case, moment, SOON)
    assert seen.at is not None, f"it ended before: {done.stdout[-300:]}{done.stderr}"
    require_words(done, (INTERRUPTED, LIMIT, FAILED))


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case.name, marks=[] if case.short else [pytest.mark.long]) for case in EVERY if case.timed],
)
def test_a_command_ends_soon_after_its_time(case: Case, place: Path) -> None:
    done, _ = ended(case, None, BEGINNING + 2 * SECONDS + SOON, "--time", SECONDS)
    if not (case.done and done.returncode == DONE):
        require_words(done, (LIMIT, FAILED))
