"""One file for each command, or for several that belong together."""
