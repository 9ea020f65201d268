"""The fuzzer of files: a short lane of it over every reader, and that it finds what it is to find.

The long lane, `python tests/file_fuzzing --inputs 100000`, is described in CONTRIBUTING.md.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from latcover.errors import PuzzleFileError
from tests.file_fuzzing import judging
from tests.file_fuzzing.campaign import campaign, keep
from tests.file_fuzzing.mutations import changed
from tests.file_fuzzing.readers import NAMES, Reader

ROOT = Path(__file__).parents[3]
FEW = "3"


def test_changed_files_are_read_or_refused(tmp_path: Path) -> None:
    """By every reader, one after the other, in its own process."""
    command = [sys.executable, str(ROOT / "tests" / "file_fuzzing"), "--inputs", FEW, "--findings", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    told = [path.read_text("utf-8") for path in tmp_path.glob("*.txt") if path.with_suffix("").exists()]
    assert done.returncode == 0, "\n".join([done.stdout, done.stderr, *told])
    for name in NAMES:
        assert f"{name}: {FEW} inputs" in done.stdout


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_more_changed_files(name: str, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "tests" / "file_fuzzing"), "--reader", name, "--inputs", "1000"]
    done = subprocess.run([*command, "--findings", str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _broken(path: Path) -> object:
    return {}[path.read_text("utf-8").index("!")]


def _endless(path: Path) -> object:
    while True:
        path.read_bytes()


def _greedy(_: Path) -> object:
    return bytearray(8 << 30)


def _deadly(_: Path) -> object:
    os.kill(os.getpid(), signal.SIGTERM)
    return None


def _nameless(_: Path) -> object:
    raise PuzzleFileError("something is wrong somewhere")


def _of_two_lines(path: Path) -> object:
    error = PuzzleFileError(f"{path}: something is wrong")
    error.__class__ = _TwoLinesError
    raise error


class _TwoLinesError(PuzzleFileError):
    def __str__(self) -> str:
        return f"{super().__str__()}\nand more"


@pytest.mark.parametrize(
    ("read", "kind"),
    [
        (_broken, "reading: KeyError"),
        (_endless, "reading: TookLongError"),
        (_greedy, "reading: MemoryError"),
        (_deadly, f"the process ended with {-signal.SIGTERM}"),
        (_nameless, "does not name the file"),
        (_of_two_lines, "is not one paragraph"),
    ],
)
def test_what_readers_must_not_do_is_found(
    read: Callable[[Path], object], kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "SECONDS", 0.2)
    reader = _reader(read)
    tally = campaign(reader, 1, range(2), tmp_path)
    (found,) = tally.faults
    assert kind in found
    assert tally.times[found] == 2


def _reader(read: Callable[[Path], object], use: Callable[[object, Path], None] = lambda _, __: None) -> Reader:
    return Reader("made up", ".txt", (b"some text! and more",), lambda _, content, __: content, read, use, ())


@pytest.mark.long
def test_what_fails_is_made_smaller_and_kept(tmp_path: Path) -> None:
    reader = _reader(_broken)
    ((number, fault),) = campaign(reader, 1, range(1), tmp_path).faults.values()
    path = keep(reader, 1, number, fault, tmp_path / "kept", tmp_path)
    assert path.read_bytes() == b"!"
    assert "KeyError" in path.with_name(f"{path.name}.txt").read_text("utf-8")


def test_the_fuzzer_looks_at_what_comes_after_reading(tmp_path: Path) -> None:
    def use(found: object, _: Path) -> None:
        raise ZeroDivisionError(found)

    (kind,) = campaign(_reader(lambda _: 1, use), 1, range(1), tmp_path).faults
    assert kind.startswith("using: ZeroDivisionError")


def test_inputs_are_the_same_in_every_run() -> None:
    reader = Reader("made up", ".txt", (b"a b c\n1 2 3\n",), changed, lambda _: None, lambda _, __: None, ())
    inputs = [reader.input(1, number) for number in range(200)]
    assert inputs == [reader.input(1, number) for number in range(200)]
    assert len(set(inputs)) > 100
