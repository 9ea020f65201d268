"""Our own files: puzzles, part sets and lattices in TOML."""
