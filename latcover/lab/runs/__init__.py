"""Searches that are kept in a file, cut into jobs, and gone on with."""
