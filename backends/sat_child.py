"""The child's side of sat_process.py: reads a task from standard input and writes covers to standard output."""

from __future__ import annotations

import os
import pickle
import sys
import traceback
from typing import Any

from latcover.backends.sat_enumeration import Enumeration, EnumerationHooks


def main() -> None:
    """Solve one task."""
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # output of solvers must not mix with the covers

        def send(about: str, value: Any) -> None:
            pickle.dump((about, value), out)
            out.flush()

        task, is_vetoed = pickle.load(sys.stdin.buffer)
        try:
            enumeration = Enumeration(task)

            def put(cover: Any) -> bool:
                send("cover", cover)
                return True

            def reasons(cover: Any) -> Any:
                if not is_vetoed:
                    return []
                send("asked", cover)
                return pickle.load(sys.stdin.buffer)

            hooks = EnumerationHooks(
                solve=lambda solver: solver.solve(),
                reasons=reasons,
                put=put,
                ready=lambda: send("ready", enumeration.figures),
                closed=lambda: False,
            )
            exhausted = enumeration.run(hooks)
            send("end", (exhausted, enumeration.figures))
        except BrokenPipeError:
            os._exit(1)  # the parent is gone
        except BaseException as error:
            send("error", traceback.format_exception_only(error)[-1].strip())


if __name__ == "__main__":
    main()
