"""Search a problem, count its covers, estimate its search."""
