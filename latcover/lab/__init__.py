"""The laboratory: every question that is more than to solve or to count a puzzle.

`asking` wants more of a search: the best, an estimate, a proof, a sequence. `assembly` takes solutions apart.
`designing` makes puzzles. `plane` tiles the plane. `exploring` asks which regions shapes fill. `comparing` runs methods
side by side. `runs` keeps searches in files, and shares them out to a cluster.
"""
