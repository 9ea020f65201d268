"""Cover problems, and what every backend offers and receives."""
