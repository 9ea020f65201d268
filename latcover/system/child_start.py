"""What every child process runs first: ``python -P -m latcover.system.child_start LIFELINE MODULE [ARGUMENT]...``.

It makes sure that the process ends with its parent, and then runs the module as ``python -m`` does.
"""

from __future__ import annotations

import sys

from latcover.system.lifeline import hold


def main() -> None:
    """Tie this process to its parent, and run the module."""
    lifeline, module = sys.argv[1:3]
    hold(lifeline)
    import runpy

    del sys.argv[1:3]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
