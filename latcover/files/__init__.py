"""Files: what latcover reads and writes.

`formats` holds the forms of puzzle, lattice and cover problem files, and the library of what is shipped.
`exchange` reads the answers of other programs, and hands verified solutions to writers.
"""
