"""Who may import whom: the rooms of ARCHITECTURE.md, read from the page itself and held for every module.

Imports are read from the source, so that one inside a function counts too; so does a module that is named in a string,
as those are that run in processes of their own or are loaded by name.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import latcover
import latcover.backends

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
FOLDERS = {"backends", "lattices", "instances"}  # at the top of a checkout, and within the installed package
WING_ROW = re.compile(r"^\| (`\w+`(?:, `\w+`)*) \| [^|]* \| ([^|]*) \|$", re.MULTILINE)
ROOM_ROW = re.compile(r"^\| `(\w+/\w+)/` \| [^|]* \|$", re.MULTILINE)
NAMED = re.compile(r"latcover(?:\.\w+)+(?::\w+)?")
SEARCHES = ("backends", "core.encoding", "core.solving", "lab")  # which no checker may share
CHECKERS = (
    "latcover.core.model.verifier",
    "latcover.core.model.replay",
    "latcover.core.model.slide_replay",
    "latcover.core.model.turn_replay",
    "latcover.core.model.turn_bodies",
    "latcover.core.model.turn_clearances",
    "latcover.lab.plane.tiling_group",
    "latcover.lab.plane.patch_check",
    "latcover.lab.plane.corona_proof_check",
    "latcover.lab.exploring.region_proof_check",
)
RULES = "latcover.core.model.rules"
DATA = ("latcover.lab.plane.prototiles",)  # what these checkers read, beside them


def wings() -> dict[str, frozenset[str]]:
    """Each wing and what it may import, from the ground up."""
    found: dict[str, frozenset[str]] = {}
    for names, allowed in WING_ROW.findall(PAGE):
        may = frozenset(found) if allowed == "all above" else frozenset(re.findall(r"`([\w.]+)`", allowed))
        found |= dict.fromkeys(re.findall(r"`(\w+)`", names), may)
    return found


def modules() -> dict[str, Path]:
    """Every Python module of the package, wherever it is installed."""
    found = {}
    for package in (latcover, latcover.backends):
        assert package.__file__
        folder = Path(package.__file__).parent
        for path in sorted(folder.rglob("*.py")):
            inner = path.relative_to(folder).with_suffix("").parts
            found[".".join((package.__name__, *(part for part in inner if part != "__init__")))] = path
    return found


WINGS, MODULES = wings(), modules()
ROOMS = [room.replace("/", ".") for room in ROOM_ROW.findall(PAGE)]


def wing_of(module: str) -> str:
    """The wing of a module; "" for the face of the package, which hands names on from everywhere."""
    _, *inner = module.split(".")
    return "" if not inner or inner == ["__main__"] else inner[0]


def room_of(module: str) -> str:
    """The room of a module; its wing where that has no rooms, or for the face of a wing."""
    room = ".".join(module.split(".")[1:3])
    return room if room in ROOMS else wing_of(module)


def may_import(module: str, other: str) -> bool:
    """Whether the page allows it."""
    here, there = room_of(module), room_of(other)
    if wing_of(module) == wing_of(other):
        return here == there or (here in ROOMS and there in ROOMS and ROOMS.index(there) < ROOMS.index(here))
    return wing_of(module) == "" or bool({there, wing_of(other)} & WINGS[wing_of(module)])


@cache
def imports(name: str) -> frozenset[str]:
    """The modules that module *name* imports, anywhere in it, or names in a string."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} has a relative import"
            assert node.module
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in MODULES or inner == "latcover.backends._native" else node.module)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _names_module(node.value):
            found.add(node.value.partition(":")[0])
    return frozenset(found)


def _names_module(text: str) -> bool:
    """Whether a text names a module; else it may be a group of entry points."""
    return NAMED.fullmatch(text) is not None and wing_of(text) in WINGS


def own_imports(name: str) -> set[str]:
    return {module for module in imports(name) if module.split(".")[0] == "latcover"}


def reached(name: str) -> set[str]:
    """All modules of latcover that *name* imports, directly or by way of others."""
    found: set[str] = set()
    queue = [name]
    for module in queue:
        for other in own_imports(module) & set(MODULES):
            if other not in found:
                found.add(other)
                queue.append(other)
    return found


def test_the_page_lists_every_wing_and_room_once() -> None:
    assert set(WINGS) == {wing_of(name) for name in MODULES} - {""}
    assert len(set(ROOMS)) == len(ROOMS)
    in_rooms = {".".join(name.split(".")[1:3]) for name in MODULES if name.count(".") >= 3}
    assert set(ROOMS) == {
        room for room in in_rooms if wing_of(f"latcover.{room}") in {"core", "files", "lab", "show", "apps"}
    }


def test_wings_import_downwards_only() -> None:
    """Those that a wing may import stand above it on the page, which lists the ground first: there is no circle."""
    names = list(WINGS)
    for place, name in enumerate(names):
        assert {word.split(".")[0] for word in WINGS[name]} <= set(names[: place + 1]) - {name} | {"errors"}, name


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Also not for types alone. The face of a package may name modules that import it, such as a table of backends."""
    plain = {name for name, path in MODULES.items() if path.name != "__init__.py"}
    tied = {name: own_imports(name) & plain - {name} for name in plain}
    while ends := {name for name, others in tied.items() if not others & tied.keys()}:  # they are in no circle
        tied = {name: others for name, others in tied.items() if name not in ends}
    assert tied == {}


@pytest.mark.parametrize("wing", [*WINGS, ""])
def test_a_wing_imports_only_what_it_may(wing: str) -> None:
    for name in MODULES:
        if wing_of(name) == wing:
            wrong = {other for other in own_imports(name) if other.count(".") and not may_import(name, other)}
            assert not wrong, f"{name} imports {', '.join(sorted(wrong))}"


def test_no_wing_is_allowed_what_it_does_not_need() -> None:
    for wing, allowed in WINGS.items():
        used = {
            each
            for name in MODULES
            if wing_of(name) == wing
            for other in own_imports(name)
            for each in (wing_of(other), room_of(other))
        }
        assert allowed <= used | {"errors"} or allowed == set(list(WINGS)[: list(WINGS).index(wing)]), (
            wing,
            allowed - used,
        )


@pytest.mark.parametrize("name", [*CHECKERS, *sorted(name for name in MODULES if name.startswith(RULES))])
def test_a_checker_shares_nothing_with_what_it_checks(name: str) -> None:
    shared = {module for module in reached(name) if module.startswith(tuple(f"latcover.{word}." for word in SEARCHES))}
    assert shared <= {*CHECKERS, *DATA}


def test_the_imports_are_found() -> None:
    assert "latcover.core.cover.problem" in imports("latcover.core.cover.search")
    assert "latcover.errors" in reached("latcover.core.cover.search")
    assert "latcover.backends.dlx" in imports("latcover.backends")  # by its name in a table


def test_nobody_imports_the_folders_by_their_own_names() -> None:
    for name in MODULES:
        assert not {module.split(".")[0] for module in imports(name)} & {*FOLDERS, "benchmarks"}, name


def test_tests_and_benchmarks_import_the_installed_package() -> None:
    folders = re.compile(rf"^ *(?:from|import) (?:{'|'.join(FOLDERS)})\b", re.MULTILINE)
    assert folders.search("    from lattices import square\n")
    for folder in ("tests", "benchmarks"):
        for path in (ROOT / folder).rglob("*.py"):
            assert not folders.search(path.read_text(encoding="utf-8")), path


def test_benchmarks_call_no_commands_but_in_processes() -> None:
    for path in (ROOT / "benchmarks").rglob("*.py"):
        assert not re.search(r"(?:from|import) latcover\.apps\b", path.read_text("utf-8")), path


NOT_EVERYWHERE = {"fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "syslog", "select", "ctypes", "curses"}
NOT_EVERYWHERE |= {"msvcrt", "winreg", "winsound", "_winapi", "colorama", "win32job", "win32api", "win32con"}
OF_SOME = {
    "os": {"fork", "kill", "killpg", "nice", "getuid", "geteuid", "getpgid", "setsid", "sched_getaffinity", "mkfifo"}
    | {"O_TMPFILE", "O_ASYNC", "sysconf", "wait4", "register_at_fork", "uname", "set_blocking"},
    "signal": {"SIGKILL", "SIGHUP", "SIGSTOP", "SIGCONT", "SIGPIPE", "SIGALRM", "SIGBREAK", "CTRL_BREAK_EVENT"}
    | {"pthread_sigmask", "sigwait", "setitimer", "alarm"},
    "socket": {"AF_UNIX", "socketpair"},
    "time": {"tzset", "clock_gettime"},
    "sys": {"platform", "getwindowsversion"},
}
SUSPECT = re.compile("|".join(rf"\b{module}\.(?:{'|'.join(names)})\b" for module, names in OF_SOME.items()))


def test_only_one_room_knows_of_what_some_systems_lack() -> None:
    wrong = []
    for name in MODULES:
        if wing_of(name) != "system":
            wrong += [(name, module) for module in imports(name) if module.partition(".")[0] in NOT_EVERYWHERE]
            wrong += [(name, word) for word in not_everywhere(MODULES[name].read_text(encoding="utf-8"))]
    assert not wrong


def not_everywhere(source: str) -> list[str]:
    """The names in a module that some systems lack, or that ask which system it is."""
    if not SUSPECT.search(source):
        return []
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)]
    named = [(node.value.id, node.attr) for node in nodes if isinstance(node.value, ast.Name)]
    return [f"{module}.{name}" for module, name in named if name in OF_SOME.get(module, ())]


def test_the_room_of_systems_has_what_others_lack() -> None:
    """So the test above looks for what there is."""
    assert {"fcntl", "resource", "ctypes"} <= {word for name in MODULES for word in imports(name)}
    assert not_everywhere("import os\nos.kill(1, 0)\nos.close(1)") == ["os.kill"]


DRAWS, PROVES = "latcover.show.drawing.text.terminal_pictures", "latcover.core.impossible.colourings"
RARE = {"latcover.lab.assembly", "latcover.backends.frontier", "latcover.backends.relay"}
SOLVERS = {"ortools", "pysat", "pandas", "matplotlib", "distributed", "numba", "scipy"}
SLOW = {"pydantic", "numpy.ma", "hashlib", "rich", "latcover.apps.cli.shared.help_pages"}  # to load, for what they give
NEVER = {"latcover.apps.web", "latcover.lab.runs", *SOLVERS, "pydantic", "numpy.ma"}
IMPORTS = {  # how many modules of latcover a command may import, and what it may not; each takes about 0.4 ms
    "--version": (9, {"lazy_loader", "typer", "numpy", *NEVER, *SLOW}),
    "list --json": (111, {DRAWS, PROVES, *NEVER} - {"pysat"}),  # the backend describes itself
    "list puzzles": (42, {"numpy", *NEVER, *SLOW}),
    "count soma": (142, {DRAWS, PROVES, *RARE, *NEVER, *SLOW}),
    "solve --limit 1 --json soma": (150, {DRAWS, PROVES, *NEVER, *SLOW}),
    "show soma": (170, {PROVES, "latcover.show.drawing.paper.svg", *NEVER, *SLOW}),
    "check soma": (155, {DRAWS, "latcover.backends.relay", *NEVER, *SLOW}),
    "apart burr-piston": (155, {DRAWS, PROVES, *NEVER}),
}


@pytest.mark.parametrize("words", IMPORTS)
def test_a_command_imports_only_what_it_needs(words: str) -> None:
    code = (
        "import sys\n"
        "from latcover.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert end.code in (None, 0, 3), end.code\n"  # 3: a limit
        "import gc\n"
        "print(*sys.modules, 'collecting' if gc.isenabled() else 'resting', file=sys.stderr)"
    )
    command = [sys.executable, "-P", "-c", code, *words.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    most, never = IMPORTS[words]
    names = {*done.stderr.split()}
    assert not never & names
    assert ("collecting" in names) == (words != "--version")  # the collector rests only while a command is loaded
    assert sum(name.partition(".")[0] == "latcover" for name in names) <= most


def test_help_loads_nothing_heavy() -> None:
    commands = ("solve", "compare", "runs resume", "export", "decode", "bench table1", "bench suite")
    asked = ["--help", "--version", *(f"{command} --help" for command in commands)]
    program = (
        "import sys\n"
        "from latcover.apps.cli.main import main\n"
        f"for words in {asked!r}:\n"
        "    sys.argv = ['latcover', *words.split()]\n"
        "    try:\n        main()\n    except SystemExit as end:\n        assert not end.code, end.code\n"
        "    heavy = {'numpy', 'ortools', 'pysat', 'pandas', 'matplotlib', 'distributed'} & set(sys.modules)\n"
        "    assert not heavy, (words, heavy)\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout
