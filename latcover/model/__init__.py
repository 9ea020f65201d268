"""What a puzzle is: lattices, regions, parts, solutions, and what can be wrong with them."""
