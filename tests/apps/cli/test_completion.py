"""What shells are told when Tab is pressed: by the protocol of each, and in bash, zsh and fish where there are."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from latcover.apps.cli.shared import completion as cli_completion
from latcover.backends import names as backend_names
from latcover.files.formats.forms import WRITTEN
from latcover.files.formats.source import names
from tests import command_line
from tests.processes import GUARD

SCRIPTS = sysconfig.get_path("scripts")


def run(command: list[str], **changes: str) -> list[str]:
    """The lines that a program prints; nothing may go to standard error."""
    surroundings = {**os.environ, "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}", **changes}
    done = subprocess.run(command, capture_output=True, text=True, timeout=GUARD, env=surroundings, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


def told(*words: str) -> list[str]:
    """What bash is told of the last of *words*, parted as bash parts them."""
    parted = "\n".join(("latcover", *words))
    return answered(_LATCOVER_COMPLETE="complete_bash", COMP_WORDS=parted, COMP_CWORD=str(len(words)))


def answered(**asked: str) -> list[str]:
    """What the program prints within this process when a shell asks it through the environment."""
    done = command_line.run(**asked)
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if line]


def test_commands_and_options() -> None:
    assert told("so") == ["solve"]
    assert told("bench", "") == ["table1", "suite", "compared"]
    assert told("solve", "--sym") == ["--symmetry"]


@pytest.mark.parametrize("words", [("solve",), ("count", "--json"), ("estimate",), ("compare",), ("decode",)])
def test_puzzles(words: tuple[str, ...]) -> None:
    assert told(*words, "") == sorted([*names("instances"), *names("goals")])
    assert told(*words, "pent-1") == [name for name in names("instances") if name.startswith("pent-1")]


@pytest.mark.parametrize("command", ["show", "info"])
def test_puzzles_and_lattices(command: str) -> None:
    assert told(command, "") == sorted({*names("instances"), *names("goals"), *names("lattices")})


def test_whatever_is_shipped_can_be_checked() -> None:
    shipped = {*names("instances"), *names("lattices"), *names("sets")}
    assert told("check", "hex") == sorted(name for name in shipped if name.startswith("hex"))


def test_values_that_are_looked_up() -> None:
    assert told("solve", "--backend", "") == backend_names()
    assert told("import", "some.txt", "--lattice", "") == names("lattices")
    assert told("decode", "soma", "answer", "--format", "") == ["sat", "dlx", "mip", "text"]
    assert told("solve", "--cluster", "") == ["local"]
    assert told("export", "soma", "--encoding", "pair") == ["pairwise"]


def test_values_that_an_option_chooses_from() -> None:
    assert told("solve", "--symmetry", "") == ["none", "rotations", "all"]
    assert told("count", "--method", "f") == ["frontier"]


def test_a_puzzle_and_a_form_in_any_order() -> None:
    assert told("export", "") == [*WRITTEN, *names("instances")]
    assert told("export", "soma", "") == [*WRITTEN]
    assert told("export", "dimacs", "") == names("instances")


def test_lists_go_on_after_a_comma() -> None:
    assert told("compare", "--backends", "dlx,b") == ["dlx,bitset", "dlx,backtrack"]
    assert told("compare", "--methods", "MC,MC+SZ+") == ["MC,MC+SZ+ST"]
    assert told("bench", "suite", "--only", "size,s") == ["size,search", "size,setup"]
    assert told("bench", "table1", "--puzzles", "soma,bed") == ["soma,bedlam"]


def test_options_of_the_backend_that_is_named_before() -> None:
    assert told("solve", "--backend", "dlx", "-o", "") == [
        *("size=true", "size=false"),
        *("strand=no", "strand=rows", "strand=anchor", "strand=sums"),
    ]
    assert "solver=minisat22" in told("solve", "--backend", "sat", "-o", "sol")
    assert told("solve", "--backend", "cpsat", "--option", "se") == ["seed="]


def test_what_bash_parts_at_an_equals_sign() -> None:
    assert told("solve", "--backend", "=", "cp") == ["cpsat"]
    assert told("solve", "--backend", "=") == backend_names()
    assert told("solve", "--backend", "=", "sat", "-o", "solver", "=", "minis") == [
        "minisat22",
        "minisatep",
        "minisatgh",
    ]
    assert told("solve", "--backend", "dlx", "-o", "size", "=") == ["true", "false"]
    assert told("solve", "--backend", "=", "dlx", "-o", "size", "=", "true", "pent-12") == ["pent-12x5"]
    assert told("solve", "-o", "size", "=", "true", "--symmetry", "=", "rot") == ["rotations"]


def test_files_are_left_to_the_shell() -> None:
    assert told("solve", "my-own.to") == []
    assert told("runs", "resume", "") == []
    assert told("show", "--output", "") == []


def test_nothing_is_said_of_what_cannot_be_told() -> None:
    assert told("solve", "--backend", "no-such-backend", "-o", "") == []
    assert told("solve", "'open", "quote") == []
    assert told("so") == ["solve"]


def test_a_backend_that_raises_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> list[str]:
        raise RuntimeError("no")

    monkeypatch.setattr("latcover.backends.names", broken)
    assert cli_completion.backends(None, "") == []  # type: ignore[arg-type]  # it looks at no context


def test_names_are_told_without_numpy() -> None:
    """Each Tab starts the program: what is heavy must stay out."""
    script = (
        "import sys; from latcover.apps.cli.shared import completion as c; c.puzzles(None, ''); c.backends(None, '')"
    )
    assert run(["python", "-P", "-c", f"{script}; print('numpy' in sys.modules)"]) == ["False"]


def test_zsh_and_fish_by_their_protocols() -> None:
    line = {"_TYPER_COMPLETE_ARGS": "latcover solve --backend=cp"}
    assert answered(_LATCOVER_COMPLETE="complete_zsh", **line) == ["""_arguments '*: :(("cpsat"))'"""]
    fish = {"_LATCOVER_COMPLETE": "complete_fish", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    assert answered(**fish, _TYPER_COMPLETE_ARGS="latcover solve pent-12") == ["pent-12x5"]


IN_BASH = """
source <(_LATCOVER_COMPLETE=source_bash latcover)
complete -p latcover
COMP_WORDS=(latcover solve --backend = sat -o solver = minicar) COMP_CWORD=8
_latcover_completion latcover
printf '%s\\n' "${COMPREPLY[@]}"
"""
IN_FISH = """
_LATCOVER_COMPLETE=source_fish latcover | source
complete --do-complete "latcover count pent-12"
"""
IN_ZSH = """
compdef() { print "compdef $*"; }
_arguments() { print -l "$@"; }
source <(_LATCOVER_COMPLETE=source_zsh latcover)
words=(latcover count pent-12) CURRENT=3
_latcover_completion
"""


@pytest.mark.parametrize(
    ("shell", "script", "expected"),
    [
        (["bash", "--norc", "-c"], IN_BASH, ["complete -o default -F _latcover_completion latcover", "minicard"]),
        (["fish", "--no-config", "-c"], IN_FISH, ["pent-12x5"]),
        (["zsh", "-f", "-c"], IN_ZSH, ["compdef _latcover_completion latcover", '*: :(("pent-12x5"))']),
    ],
    ids=["bash", "fish", "zsh"],
)
@pytest.mark.long
def test_in_the_shell_itself(shell: list[str], script: str, expected: list[str], tmp_path: Path) -> None:
    if shutil.which(shell[0]) is None:
        pytest.skip(f"{shell[0]} is not installed")
    assert run([*shell, script], HOME=str(tmp_path), XDG_CONFIG_HOME=str(tmp_path)) == expected


def test_completion_is_installed_for_bash(tmp_path: Path) -> None:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    done = run(["bash", "--norc", "-c", "latcover --install-completion; true"], HOME=str(tmp_path))
    assert any("completion installed" in line for line in done)
    assert "_latcover_completion" in (tmp_path / ".bash_completions" / "latcover.sh").read_text()
