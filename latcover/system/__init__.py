"""The machine that latcover runs on: its figures, processes and files. What systems do differently is here only."""
