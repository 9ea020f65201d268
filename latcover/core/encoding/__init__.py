"""The way from a puzzle to a cover problem: placements, symmetries, rules."""
