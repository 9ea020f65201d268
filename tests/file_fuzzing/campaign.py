"""Running the fuzzer: inputs in a child process with little memory, a watch over it, and what came of it."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct, field

from tests.file_fuzzing.judging import Fault, judged
from tests.file_fuzzing.readers import NAMES, Reader, make

MEMORY = 1 << 30  # bytes that reading and using an input may take, besides what the process begins with
PATIENCE = 120.0  # seconds without progress after which the child counts as hung
BETWEEN_REPORTS = 10.0
SECONDS_TO_SHRINK = 60.0  # to make an input smaller
_fork = multiprocessing.get_context("fork")


class Tally(Struct):
    """What came of a reader's inputs: the first fault of each kind, with its input, and how many there were."""

    inputs: int = 0
    seconds: float = 0.0
    faults: dict[str, tuple[int, Fault]] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)

    def note(self, number: int, fault: Fault) -> None:
        self.faults.setdefault(fault.kind, (number, fault))
        self.times[fault.kind] = self.times.get(fault.kind, 0) + 1


def main() -> int:
    """Fuzz readers as the command line asks; 1 where a fault was found."""
    parser = argparse.ArgumentParser(prog="file_fuzzing", description="Give changed files to the readers of files.")
    parser.add_argument("--reader", choices=NAMES, action="append", help="only this one; may be repeated")
    parser.add_argument("--inputs", type=int, default=1000, metavar="N", help="for each reader (default: 1000)")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER", help="the number of the first input")
    parser.add_argument("--seed", type=int, default=1, help="of the changes (default: 1)")
    parser.add_argument("--findings", type=Path, default=Path("build/file-fuzzing"), help="where to keep what fails")
    asked = parser.parse_args()
    found = 0
    for name in asked.reader or NAMES:
        with TemporaryDirectory(prefix="latcover-fuzz-", dir=_memory_disk()) as folder:
            reader = make(name, Path(folder))
            tally = campaign(reader, asked.seed, range(asked.first, asked.first + asked.inputs), Path(folder))
            print(
                f"{name}: {tally.inputs:,} inputs in {tally.seconds:.1f} s, "
                f"{tally.inputs / max(tally.seconds, 1e-9):,.0f} a second; {len(tally.faults)} kinds of faults",
                flush=True,
            )
            for kind, (number, fault) in tally.faults.items():
                print(f"  {tally.times[kind]} times {kind}, first by input {number}", flush=True)
                print(f"    {keep(reader, asked.seed, number, fault, asked.findings, Path(folder))}", flush=True)
        found += len(tally.faults)
    return 1 if found else 0


def _memory_disk() -> str | None:
    """Where files are written without a disk, where there is such a place."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def campaign(reader: Reader, seed: int, numbers: range, folder: Path) -> Tally:
    """Give inputs of these numbers to a reader; a child that dies or hangs is replaced behind the input that did it."""
    tally, begun = Tally(), time.monotonic()
    at = numbers.start
    while at < numbers.stop:
        ours, theirs = _fork.Pipe(duplex=False)
        child = _fork.Process(target=_work, args=(reader, seed, range(at, numbers.stop), folder, theirs))
        child.start()
        theirs.close()
        for number, fault in _heard(ours, child):
            if fault is not None:
                tally.note(number, fault)
            at = number
        child.join()
        if child.exitcode == 0:
            break
        died = f"the process ended with {child.exitcode}" if child.exitcode != -9 else "the process hung, or was killed"
        tally.note(at, Fault(died, f"input {at}"))
        at += 1
    tally.inputs, tally.seconds = len(numbers), time.monotonic() - begun
    return tally


def _heard(ours: Connection, child: multiprocessing.process.BaseProcess) -> Iterator[tuple[int, Fault | None]]:
    """What the child says: the input that it begins with, faults; kills it when it says nothing for long."""
    reported = time.monotonic()
    while True:
        try:
            if not ours.poll(PATIENCE):
                child.kill()
                return
            number, fault = ours.recv()
        except EOFError:
            return
        yield number, fault
        if time.monotonic() - reported > BETWEEN_REPORTS:
            reported = time.monotonic()
            print(f"  input {number:,}", file=sys.stderr, flush=True)


def _work(reader: Reader, seed: int, numbers: range, folder: Path, says: Connection) -> None:
    limit_memory()
    for number in numbers:
        says.send((number, None))
        fault = judged(reader, reader.input(seed, number), folder, number)
        if fault is not None:
            says.send((number, fault))


def limit_memory() -> None:
    """Let this process take no more than `MEMORY` besides what it has."""
    import resource  # not on Windows

    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def keep(reader: Reader, seed: int, number: int, fault: Fault, findings: Path, folder: Path) -> Path:
    """Write an input that fails, as small as it can simply be made, and beside it what it does."""
    content = reader.input(seed, number)
    content = smallest(reader, content, fault, folder, number) if ":" in fault.kind else content
    findings.mkdir(parents=True, exist_ok=True)
    path = findings / f"{reader.name}-{seed}-{number}{reader.suffix}"
    path.write_bytes(content)
    path.with_name(f"{path.name}.txt").write_text(f"{fault.kind}\n\n{fault.told}", "utf-8", "backslashreplace")
    return path


def smallest(reader: Reader, content: bytes, fault: Fault, folder: Path, number: int) -> bytes:
    """The input without the pieces that it fails as well without."""
    size, end = max(1, len(content) // 2), time.monotonic() + SECONDS_TO_SHRINK
    while size and time.monotonic() < end:
        at = 0
        while at < len(content) and time.monotonic() < end:
            shorter = content[:at] + content[at + size :]
            if _fails_alike(reader, shorter, fault, folder, number):
                content = shorter
            else:
                at += size
        size //= 2
    return content


def _fails_alike(reader: Reader, content: bytes, fault: Fault, folder: Path, number: int) -> bool:
    """Whether an input fails in the same way, in a child of its own."""
    ours, theirs = _fork.Pipe(duplex=False)

    def work() -> None:
        limit_memory()
        found = judged(reader, content, folder, number)
        theirs.send(found is not None and found.kind == fault.kind)

    child = _fork.Process(target=work)
    child.start()
    theirs.close()
    try:
        alike = bool(ours.recv()) if ours.poll(PATIENCE) else False
    except EOFError:
        alike = False
    child.kill()
    child.join()
    return alike
