"""Cover problems for other programs, and their answers."""
