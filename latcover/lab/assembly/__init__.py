"""Whether a solution can be put together by sliding, and how."""
