"""The command line as a child of itself: see `latcover.cli.shared.foreign`."""

from __future__ import annotations

import sys

from latcover.cli.main import main
from latcover.cli.shared.foreign import CAME_TO_ITS_END

if __name__ == "__main__":
    try:
        main(as_child=True)
    except SystemExit as end:
        sys.exit(CAME_TO_ITS_END + int(end.code or 0))
