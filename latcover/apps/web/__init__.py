"""Puzzles in a browser: the data that the viewer draws, and pages that hold it."""
