"""`python tests/file_fuzzing` fuzzes the readers of files; see CONTRIBUTING.md."""

import os
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # children are forked, which threads would not survive
sys.path.append(str(Path(__file__).parents[2]))  # behind what is installed: only `tests` is to come from the checkout

from tests.file_fuzzing.campaign import main

sys.exit(main())
