"""The command line. The module of a command is imported when the command is wanted, and so is what that needs."""

from __future__ import annotations

import errno
import os
import sys
from typing import Annotated

import typer

from latcover.apps.cli import VERSION
from latcover.apps.cli.registry import Commands
from latcover.apps.cli.shared import completion
from latcover.apps.cli.shared.foreign import Performed
from latcover.apps.cli.shared.output import echo, say_error
from latcover.errors import BackendFailedError, InternalError, LatcoverError, OutOfTimeError, StoppedError
from latcover.system import terminal

USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]  # typer exports no name for it

app = typer.Typer(
    name="latcover",
    cls=Commands,
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(*, as_child: bool = False) -> None:
    """Run the command line. An error becomes one paragraph, and an exit code other than 0.

    Backends of other packages run in a child of this process, or in this process if it is such a child itself.
    """
    try:
        terminal.prepare()
        completion.rejoin_words()
        sys.exit(app(prog_name="latcover", standalone_mode=False, obj=None if as_child else sys.argv[1:]) or 0)
    except USAGE_ERROR as fault:
        from latcover.apps.cli.shared.usage import usage_message

        say_error(usage_message(fault, sys.argv[1:]))
        sys.exit(2)
    except StoppedError:
        say_error("interrupted")
        sys.exit(130)
    except OutOfTimeError as fault:
        from latcover.apps.cli.shared.printed_answers import EXIT_LIMIT

        say_error(str(fault))
        sys.exit(EXIT_LIMIT)
    except LatcoverError as problem:
        broke = isinstance(problem, BackendFailedError | InternalError)  # `compare` tells them apart
        say_error(str(problem), "failure" if broke else "error")
        sys.exit(1)
    except MemoryError as fault:
        what = f" ({fault})" if str(fault) else ""
        say_error(f"out of memory{what}; allow more (ulimit -v), lower --max-placements, or take a smaller puzzle")
        sys.exit(1)
    except (KeyboardInterrupt, typer.Abort):
        say_error("interrupted")
        sys.exit(130)
    except RuntimeError as problem:
        if "new thread" not in str(problem):  # in Python's words: can't start new thread
            raise
        say_error("the system starts no thread; raise the limit of processes (ulimit -u), or ask for fewer threads")
        sys.exit(1)
    except Performed:
        raise
    except SystemExit as end:
        if end.code == 130:  # typer ends so after Ctrl-C before or after a search
            say_error("interrupted")
        raise
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as problem:
        if problem.errno in (errno.EMFILE, errno.ENFILE):
            say_error("too many files are open; raise the limit (ulimit -n), or ask for fewer processes and threads")
            sys.exit(1)
        say_error(f"cannot write: {problem.strerror}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _show_version(wanted: bool) -> None:
    if wanted:
        echo(f"latcover {VERSION}")
        raise typer.Exit


@app.callback()
def _root(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        from latcover.apps.cli.shared.help_table import help_table

        echo(help_table()["latcover"]["start"])
