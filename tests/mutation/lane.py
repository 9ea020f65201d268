"""Planted defects: each is put into a copy of the checkout, and the tests that are named with it must notice.

A defect that no test notices is a hole in the tests. The defects stand in the TOML files beside this one: a name, a
file, a text that occurs there once, what becomes of it, and the tests. To be run by the interpreter that runs these:

    python tests/mutation/lane.py                   all of them
    python tests/mutation/lane.py NAME ...          these, or all of a file that is named
    python tests/mutation/lane.py --list

The copy, and what is built of it, lie in build/mutation and are kept, so that a next run compiles what has changed.
Native code is compiled for one instruction set and with few optimisations, which takes a tenth of the time.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "build" / "mutation"
NOT_INSTALLED = ("tools/", "benchmarks/", "tests/")  # used where they are
PATIENCE = 900  # seconds for the tests of one defect; what then has not ended shows nothing
MOST_MEMORY = 8 << 30  # bytes, of a test that a defect makes greedy
NATIVE = (".cpp", ".hpp")
BUILD = {
    "cmake.build-type": "Mutation",
    "cmake.define.CMAKE_CXX_FLAGS_MUTATION": "-O1",
    "cmake.define.LATCOVER_X86": "OFF",
}


class LaneError(Exception):
    """The lane cannot run; the message says why."""


class Defect(Struct, frozen=True):
    """A change for the worse: in *file*, *text* becomes *becomes*, and one of *tests* has to fail."""

    name: str
    chapter: str  # the table's file, without its suffix
    file: str
    text: str
    becomes: str
    tests: tuple[str, ...]

    @property
    def is_native(self) -> bool:
        return self.file.endswith(NATIVE)

    def planted_in(self, whole: str) -> str:
        """The file's text with the defect in it.

        Raises:
            LaneError: the text to be changed does not occur exactly once.
        """
        times = whole.count(self.text)
        if times != 1:
            raise LaneError(f"{self.name}: its text occurs {times} times in {self.file}, not once; mend the table")
        return whole.replace(self.text, self.becomes)


def defects() -> list[Defect]:
    """The whole table, those of one file beside each other."""
    found = []
    for path in sorted(HERE.glob("*.toml")):
        for name, row in tomllib.loads(path.read_text("utf-8")).items():
            found.append(Defect(name, path.stem, row["file"], row["text"], row["becomes"], tuple(row["tests"])))
    return sorted(found, key=lambda defect: (defect.is_native, defect.file))


class Workshop:
    """A copy of the checkout, an environment for it, and the package installed there."""

    def __init__(self, root: Path = ROOT, work: Path = WORK) -> None:
        self.root, self.tree, self.build, self.environment = root, work / "tree", work / "build", work / "environment"
        self.python = self.environment / "bin" / "python"
        self.site = Path(sysconfig.get_path("purelib", vars={"base": str(self.environment)}))
        packages = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["scikit-build"]["wheel"][
            "packages"
        ]
        self.folders = sorted(
            ((folder, installed) for installed, folder in packages.items()), key=lambda pair: -len(pair[0])
        )

    def prepare(self) -> None:
        """Copy, compile and install what is in the checkout."""
        self._copy()
        if not self.python.exists():
            called([sys.executable, "-m", "venv", "--without-pip", str(self.environment)])
        # Mere paths, and not environments whose own such files are read: an editable install would come first.
        beside = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
        (self.site / "beside.pth").write_text("".join(f"{path}\n" for path in beside))
        shutil.rmtree(self.site / "latcover", ignore_errors=True)
        settings = {**BUILD, "build-dir": str(self.build)}
        install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-compile"]
        install += ["--disable-pip-version-check", "--upgrade", "--target", str(self.site), str(self.tree)]
        called([*install, *(word for name, value in settings.items() for word in ("-C", f"{name}={value}"))])
        where = called([str(self.python), "-P", "-c", "import latcover; print(latcover.__file__)"], self.tree).strip()
        if not Path(where).is_relative_to(self.site):
            raise LaneError(f"the tests would import {where} and not the copy that defects are planted in")

    def _copy(self) -> None:
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = [name for name in called(listed, self.root).split("\0") if name and (self.root / name).is_file()]
        known = {path for path in self.tree.rglob("*") if path.is_file()} if self.tree.exists() else set()
        for name in names:
            target = self.tree / name
            target.parent.mkdir(parents=True, exist_ok=True)
            whole = (self.root / name).read_bytes()
            if (
                target not in known or target.read_bytes() != whole
            ):  # others keep their times, and are not compiled again
                target.write_bytes(whole)
                shutil.copymode(self.root / name, target)
        for path in known - {self.tree / name for name in names}:
            path.unlink()

    @contextmanager
    def planted(self, defect: Defect) -> Iterator[None]:
        """The defect in place, and compiled where it has to be."""
        path = self.tree / defect.file
        whole = path.read_text("utf-8")
        try:
            path.write_text(defect.planted_in(whole), "utf-8")
            self._install(defect)
            yield
        finally:
            path.write_text(whole, "utf-8")
            if not defect.is_native:
                self._install(defect)

    def _install(self, defect: Defect) -> None:
        if defect.file.startswith(NOT_INSTALLED):
            return
        if not defect.is_native:
            shutil.copy(self.tree / defect.file, self.installed(defect.file))
            return
        called([self._cmake(), "--build", str(self.build), "--target", "_native"])
        self.install_native()

    def install_native(self) -> None:
        """Take over the module that was compiled last."""
        (module,) = self.build.glob("_native.*.so")
        shutil.copy(module, self.site / "latcover" / "backends" / module.name)

    def compile(self) -> None:
        """Compile the copy as it is, and install the module."""
        called([self._cmake(), "--build", str(self.build), "--target", "_native"])
        self.install_native()

    def _cmake(self) -> str:
        beside = Path(sys.executable).parent
        return shutil.which("cmake", path=f"{beside}{os.pathsep}{os.environ.get('PATH', '')}") or "cmake"

    def installed(self, file: str) -> Path:
        """Where a file of the checkout lies when it is used."""
        if file.startswith(NOT_INSTALLED):
            return self.tree / file
        for folder, package in self.folders:
            if Path(file).is_relative_to(folder):
                return self.site / package / Path(file).relative_to(folder)
        raise LaneError(f"{file} is not part of the package")

    def test(self, tests: Iterable[str], patience: float | None = PATIENCE) -> tuple[str, str]:
        """What came of tests, in a word: "passed", "failed", "crashed", "hung"; and what they said."""
        command = [
            str(self.python),
            "-P",
            "-m",
            "pytest",
            "-x",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "hypothesispytest",
            "--hypothesis-profile",
            "unshrunk",
            *tests,
        ]
        surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        surroundings["PYTHONDONTWRITEBYTECODE"] = "1"  # two texts of one second and length would share their code
        with subprocess.Popen(
            command,
            cwd=self.tree,
            env=surroundings,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                said, _ = process.communicate(timeout=patience)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return "hung", process.communicate()[0]
        if process.returncode in (0, 1):
            return ("passed" if process.returncode == 0 else "failed"), said
        if process.returncode < 0 or "Fatal Python error" in said:
            return "crashed", said
        if process.returncode == 2:  # a module of tests that could not be imported
            return "failed", said
        raise LaneError(f"pytest could not run {' '.join(tests)}; the end of what it said:\n{said[-2000:]}")


def called(command: Sequence[str], folder: Path | None = None) -> str:
    """What a command writes.

    Raises:
        LaneError: it failed.
    """
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LaneError(f"{' '.join(command)} failed:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def chosen_from(table: list[Defect], words: list[str]) -> list[Defect]:
    """The defects that *words* name, by themselves or by the file of the table; all where there are none."""
    unknown = set(words) - {defect.name for defect in table} - {defect.chapter for defect in table}
    if unknown:
        raise LaneError(f"no defect is named {', '.join(sorted(unknown))}; --list lists them")
    return [defect for defect in table if not words or defect.name in words or defect.chapter in words]


def require_passing(workshop: Workshop, tests: Sequence[str]) -> None:
    """Run tests without a defect: else whatever fails would seem to have noticed one.

    Raises:
        LaneError: one fails.
    """
    start = time.perf_counter()
    verdict, said = workshop.test(tests, None)
    if verdict != "passed":
        raise LaneError(f"the tests {verdict} without any defect; the end of what they said:\n{said[-3000:]}")
    print(f"without a defect all tests pass, in {time.perf_counter() - start:.0f} s", flush=True)


def run(chosen: list[Defect], *, trusting: bool = False) -> list[str]:
    """Plant one defect after another; the names of those that were not noticed or could not be planted.

    Unless *trusting* the tests are first run without any defect, and have to pass.
    """
    workshop = Workshop()
    start = time.perf_counter()
    for defect in chosen:  # before anything takes time
        defect.planted_in((ROOT / defect.file).read_text("utf-8"))
    workshop.prepare()
    print(f"installed in {time.perf_counter() - start:.0f} s", flush=True)
    if not trusting:
        require_passing(workshop, sorted({test for defect in chosen for test in defect.tests}))
    bad = []
    for defect in chosen:
        start = time.perf_counter()
        try:
            with workshop.planted(defect):
                planted = time.perf_counter()
                verdict, _ = workshop.test(defect.tests)
        except LaneError as reason:
            verdict, planted = "NOT PLANTED", start
            print(reason, flush=True)
        if verdict in ("passed", "hung", "NOT PLANTED"):
            bad.append(defect.name)
        word = {"passed": "SURVIVED", "failed": "caught", "crashed": "caught, by a crash", "hung": "DID NOT END"}
        took = f"{planted - start:5.0f} + {time.perf_counter() - planted:4.0f} s"
        print(f"{word.get(verdict, verdict):18} {took}  {defect.name}  ({defect.file})", flush=True)
    if any(defect.is_native for defect in chosen):
        workshop.compile()  # without the last defect
    return bad


def _bound_memory() -> None:
    """Of this process and all that it starts, where the system can."""
    with suppress(ImportError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]  # a browser reserves far more addresses than memory
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY if hard < 0 else min(MOST_MEMORY, hard), hard))


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description="Plant defects in a copy of the checkout; the tests must notice.")
    parser.add_argument("names", nargs="*", help="of defects, or of files of the table; all if none is given")
    parser.add_argument("--trusting", action="store_true", help="do not first run the tests without any defect")
    parser.add_argument("--list", action="store_true", help="list the defects and end")
    asked = parser.parse_args()
    try:
        chosen = chosen_from(defects(), asked.names)
        if asked.list:
            for defect in chosen:
                print(f"{defect.chapter:10} {defect.file:36} {defect.name}")
            return 0
        start = time.perf_counter()
        _bound_memory()
        bad = run(chosen, trusting=asked.trusting)
    except LaneError as reason:
        print(reason, file=sys.stderr)
        return 1
    print(f"{len(chosen) - len(bad)} of {len(chosen)} defects were caught, in {time.perf_counter() - start:.0f} s")
    if bad:
        print(f"not caught: {', '.join(bad)}")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
