"""Solutions exchanged with other programs: their answers become verified solutions, and ours are handed to writers."""
