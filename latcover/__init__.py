"""latcover: models and solves put-together puzzles on any lattice.

>>> import latcover
>>> soma = latcover.load("soma")
>>> answer = latcover.count(soma)
>>> answer.different, answer.total
(240, 11520)
>>> first = next(latcover.solutions(soma))
>>> [placed.part for placed in first.placements]
['V', 'T', 'L', 'Z', 'A', 'B', 'P']
"""

from importlib import import_module
from typing import cast

import lazy_loader

from latcover.model.pictured import Painter, show_with

# The stub names them. They are imported at first use, so that `latcover --help` loads neither NumPy nor a solver.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

# Loaded with the first picture that a notebook shows.
show_with(lambda: cast(Painter, import_module("latcover.drawing.paper.notebook")))
