"""The core: what a puzzle is, how it becomes an exact cover problem, and what solves and counts it.

`model` holds lattices, puzzles and solutions, and their independent checks. `cover` holds cover problems and the socket
for backends. `encoding` turns a puzzle into a cover problem. `impossible` gives simple reasons why there is no
solution. `solving` searches and counts. Nothing here reads a file, knows a backend, or shows anything.
"""
