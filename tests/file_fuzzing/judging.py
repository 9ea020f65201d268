"""What an input may do: be read, or be refused in one paragraph that names it, in time. Anything else is a fault."""

from __future__ import annotations

import io
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from types import FrameType

from msgspec import Struct

from latcover.apps.cli.main import main
from latcover.errors import InternalError, LatcoverError
from tests.file_fuzzing.readers import RAISED, Reader, check

SECONDS = 2.0  # of processor time, to read a file
SECONDS_TO_USE = 20.0  # to search, draw, write and read it again; these have limits of their own
EVERY_USE = 40  # inputs of which one is used, if it could be read
EVERY_CHECK = 33  # inputs of which one is checked, of readers of what can be
EVERY_COMMAND = 800  # inputs of which one is given to a command
LONGEST = 4000  # characters of a message


class TookLongError(BaseException):
    """The time is over; no handler of ordinary errors catches this."""


class Fault(Struct, frozen=True):
    """What went wrong with an input: in short, so that equal faults are told as one, and in full."""

    kind: str
    told: str


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise `TookLongError` when so much processor time was taken."""

    def over(_: int, frame: FrameType | None) -> None:
        raise TookLongError(f"more than {seconds:g} s")

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def judged(reader: Reader, content: bytes, folder: Path, number: int) -> Fault | None:
    """Give an input to a reader; by its number, also use what it holds, and let a command do the same."""
    path = folder / f"input{reader.suffix}"
    _write(path, content)
    found: list[object] = []
    fault = _guarded("reading", SECONDS, lambda: found.append(reader.read(path)), path)
    if fault is None and found and number % EVERY_USE == 0:
        fault = _guarded("using", SECONDS_TO_USE, lambda: reader.use(found[0], path))
    if fault is None and number % EVERY_CHECK == 0 and ("check", "FILE") in reader.commands:
        fault = _guarded("checking", SECONDS_TO_USE, lambda: check(path))
    if fault is None and number % EVERY_COMMAND == 0:
        _write(path, content)
        command = reader.commands[number // EVERY_COMMAND % len(reader.commands)]
        fault = _guarded("command", SECONDS_TO_USE, lambda: _command(command, path))
    return fault


def _write(path: Path, content: bytes) -> None:
    """Make the file, without what SQLite may have left beside it."""
    for end in ("-wal", "-shm", "-journal"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    path.write_bytes(content)


def _guarded(what: str, seconds: float, work: Callable[[], object], named: Path | None = None) -> Fault | None:
    """What work does wrong; *named* is what errors must name."""
    try:
        with within(seconds):
            work()
    except LatcoverError as error:
        return _of_message(what, error, named)
    except (Exception, TookLongError) as error:
        return _of_exception(what, error)
    return None


def _of_message(what: str, error: LatcoverError, named: Path | None) -> Fault | None:
    """What is wrong with an error of ours."""
    text = str(error)
    if isinstance(error, InternalError):
        return _of_exception(what, error)
    if named is not None and named.name not in text:
        return _of_exception(f"{what}: the message does not name the file", error)
    if any(not sign.isprintable() for sign in text):
        return _of_exception(f"{what}: the message is not one paragraph that can be shown", error)
    if len(text) > LONGEST:
        return _of_exception(f"{what}: the message is too long", error)
    return None


def _of_exception(what: str, error: BaseException) -> Fault:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "/latcover/" in f.filename or "/backends/" in f.filename] or frames[-1:]
    if isinstance(error, TookLongError):  # where it was interrupted is chance: the outermost place tells more
        ours = ours[:2]
    place = f"{Path(ours[-1].filename).name}:{ours[-1].name}" if ours else "?"
    return Fault(f"{what}: {type(error).__name__} in {place}", "".join(traceback.format_exception(error))[-6000:])


class _Captured(io.TextIOWrapper):
    """A standard stream that is kept."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def text(self) -> str:
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode("utf-8", "replace")


def _command(words: tuple[str, ...], path: Path) -> None:
    """Run a command line within this process; it must end as commands end."""
    bounded = RAISED if words[0] != "runs" else ()
    arguments = [str(path) if word == "FILE" else word for word in words]
    before, sys.argv = sys.argv, ["latcover", *arguments, *bounded]
    out, err = _Captured(), _Captured()
    code: object = 0
    try:
        with redirect_stdout(out), redirect_stderr(err):
            main()
    except SystemExit as end:
        code = end.code or 0
    finally:
        sys.argv = before
    told = err.text()
    errors = [line for line in told.splitlines() if line.startswith("error: ")]
    if code == 2 and "--problem" not in told:
        raise AssertionError(f"{words}: the command line was refused: {told}")
    if code not in (0, 1, 2, 3) or "Traceback" in told or "out of memory" in told or "cannot write" in told:
        raise AssertionError(f"{words}: ended with {code}: {told}")
    if code == 1 and not errors and words[0] != "check":
        raise AssertionError(f"{words}: ended with 1 and no error: {told}")
    odd = [sign for sign in told.replace("\n", "") if not sign.isprintable()]
    if odd:
        raise AssertionError(f"{words}: signs that are no text on standard error: {odd!r}: {told!r}")
