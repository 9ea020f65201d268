"""Files that other programs write and read."""
