"""What every benchmark stands on: processes, turns, tables, conditions, and the command line."""
