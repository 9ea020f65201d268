"""``python -m latcover``."""

from latcover.cli import main

main()
