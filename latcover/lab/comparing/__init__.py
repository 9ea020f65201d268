"""Several methods on one puzzle, side by side."""
