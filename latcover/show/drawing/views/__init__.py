"""Views of a puzzle, each as data, as text and as scenes."""
