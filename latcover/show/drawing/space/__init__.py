"""The page that shows solutions in space: its viewer, and the data for it."""
