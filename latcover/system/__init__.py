"""The machine that latcover runs on: its figures, and processes."""
