"""What is measured, and what others have published to measure against. Nothing here asserts a time."""
