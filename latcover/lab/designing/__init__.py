"""Making puzzles: the sets of parts that cover a region, the regions that parts cover, the cuts of a region."""
