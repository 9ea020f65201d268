"""Tilings of the whole plane: whether shapes have one, and how far a shape without one can be surrounded."""
