"""Puzzles for pages that need no installation: played by hand, and solved in the page."""
