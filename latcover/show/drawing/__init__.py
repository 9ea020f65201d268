"""Pictures: scenes of puzzles, parts and solutions, and what is drawn of them."""
