"""``python -m latcover``."""

from latcover.cli.main import main

main()
