"""The command ``latcover``, and ``python -m latcover``."""

from __future__ import annotations

import gc
import os
import signal
import sys


def main() -> None:
    """Load the command line and run it. Ctrl-C ends it without a word as long as it is being loaded.

    Nothing here multiplies large matrices, for which numpy would start a thread for each core: they took a quarter of a
    short command's time. Nor does what is being loaded become garbage: the command turns the collector on again.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.disable()
    at_first = signal.getsignal(signal.SIGINT)
    if at_first is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        if sys.argv[1:] == ["--version"]:  # without the command line, which takes longer to load
            from latcover.apps.cli import VERSION

            print(f"latcover {VERSION}", flush=True)
            return
        from latcover.apps.cli import main as command_line
        from latcover.apps.cli.shared.foreign import as_child
    finally:
        signal.signal(signal.SIGINT, at_first)
    as_child(command_line.main)


if __name__ == "__main__":
    main()
