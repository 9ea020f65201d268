"""Why a puzzle has no solution: arguments in words, and proofs for checkers."""
