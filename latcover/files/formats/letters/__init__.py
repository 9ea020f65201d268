"""Puzzles and solutions as letters in a grid."""
