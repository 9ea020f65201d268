"""Cover problems, and the protocol of backends."""
