"""Readers of latcover's own files: puzzles, lattices, part sets."""
