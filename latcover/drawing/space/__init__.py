"""The page in space: what its viewer is fed, and the viewer itself."""
