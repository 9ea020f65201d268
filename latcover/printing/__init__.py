"""Models to print."""
