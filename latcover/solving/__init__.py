"""What can be done with a problem: search it, count its covers, foresee its search."""
