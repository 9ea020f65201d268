"""Lattices, regions, parts, puzzles and solutions, and the checks of them."""
